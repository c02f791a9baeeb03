// Open table files, as Python holds them.
#pragma once

#include <memory>
#include <vector>

#include "parts/tablebase.hpp"

namespace zermelo::bindings {

struct Tables {
  std::vector<std::shared_ptr<const TableFile>> files;
};

}  // namespace zermelo::bindings
