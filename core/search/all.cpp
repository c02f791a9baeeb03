#include "all.hpp"

namespace zermelo {

std::span<const Algorithm> algorithms() {
#define ZERMELO_LIST(name) name,
  static const Algorithm table[] = {ZERMELO_ALGORITHMS(ZERMELO_LIST)};
#undef ZERMELO_LIST
  return table;
}

const Algorithm* find_algorithm(std::string_view name) {
  for (const Algorithm& a : algorithms()) {
    if (a.name == name) return &a;
  }
  return nullptr;
}

}  // namespace zermelo
