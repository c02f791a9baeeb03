#include "all.hpp"

#include <array>

namespace zermelo {

std::span<const Algorithm> algorithms() {
  static const std::array table = {kMinimax, kAlphaBeta, kEngine};
  return table;
}

}  // namespace zermelo
