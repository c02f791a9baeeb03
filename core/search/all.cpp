#include "all.hpp"

#include <array>

namespace zermelo {

std::span<const Algorithm> algorithms() {
  static const std::array table = {kMinimax,        kAlphaBeta,  kEngine,         kProofNumber,
                                   kExpectiminimax, kExpectimax, kValueIteration, kMaxN,
                                   kParanoid,       kBestReply,  kMcts,           kPimc,
                                   kIsMcts,         kBelief,     kGuaranteed};
  return table;
}

}  // namespace zermelo
