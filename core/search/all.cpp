#include "all.hpp"

#include <array>

namespace zermelo {

std::span<const Algorithm> algorithms() {
  static const std::array table = {kMinimax,        kAlphaBeta,  kEngine,        kProofNumber,
                                   kExpectiminimax, kExpectimax, kValueIteration};
  return table;
}

}  // namespace zermelo
