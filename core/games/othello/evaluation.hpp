// The heuristic evaluation in discs: a sum of learned weights, one for each pattern
// (the content of a small set of squares) and for a few counts. Another set of weights serves every
// four discs. After Buro's Logistello; the weights come from `zermelo train othello`.
//
//      edge    row 1 with b2, g2   4 x 3^10        row 2, 3, 4   4 x 3^8 each
//      block   a1-e2               8 x 3^10        diagonals     of 8 (2 x), 7, 6, 5, 4 (4 x each)
//      corner  a1-c3               4 x 3^9         counts        moves, frontier, parity
//
// A square is 0 empty, 1 the mover's, 2 the other's. The same pattern elsewhere on the board is
// found on one of eight images of it.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "board.hpp"

namespace zermelo::othello {

inline constexpr int kStages = 15;
inline constexpr int kCounts = 64;        // entries of each count
inline constexpr int kUnit = 128;         // weights are in 1/128 of a disc
inline constexpr int kFeatures = 46 + 5;  // of a position

// Where the weights of each kind of pattern begin.
enum Kind {
  kEdge,
  kBlock,
  kCornerKind,
  kRow2,
  kRow3,
  kRow4,
  kDiagonal8,
  kDiagonal7,
  kDiagonal6,
  kDiagonal5,
  kDiagonal4,
  kOwnMoves,
  kOppMoves,
  kOwnFrontier,
  kOppFrontier,
  kParity,
  kKinds
};
inline constexpr int kSizes[kKinds] = {59049,   59049,   19683,   6561, 6561, 6561,
                                       6561,    2187,    729,     243,  81,   kCounts,
                                       kCounts, kCounts, kCounts, 2};

constexpr std::array<int, kKinds + 1> make_starts() {
  std::array<int, kKinds + 1> at{};
  for (int i = 0; i < kKinds; ++i) at[i + 1] = at[i] + kSizes[i];
  return at;
}
inline constexpr auto kStart = make_starts();
inline constexpr int kWeights = kStart[kKinds];  // of one stage

// Bits as digits to the base 3.
constexpr std::array<std::uint16_t, 1024> make_ternary() {
  std::array<std::uint16_t, 1024> t{};
  for (int i = 0; i < 1024; ++i) {
    int power = 1;
    for (int b = 0; b < 10; ++b, power *= 3) t[i] += (i >> b & 1) * power;
  }
  return t;
}
inline constexpr auto kTernary = make_ternary();

// The eight images of a board.
struct Images {
  Board plain, mirror, flip, turn, across, across_mirror, across_flip, across_turn;

  explicit Images(Board b)
      : plain(b),
        mirror(mirrored(b)),
        flip(upside_down(b)),
        turn(upside_down(mirror)),
        across(transposed(b)),
        across_mirror(mirrored(across)),
        across_flip(upside_down(across)),
        across_turn(upside_down(across_mirror)) {}
};

namespace pattern {
inline unsigned edge(Board b) { return (b & 0xff) | (b >> 1 & 0x100) | (b >> 5 & 0x200); }
inline unsigned block(Board b) { return (b & 0x1f) | (b >> 3 & 0x3e0); }
inline unsigned corner(Board b) { return (b & 7) | (b >> 5 & 0x38) | (b >> 10 & 0x1c0); }
template <int Row>
unsigned row(Board b) {
  return b >> 8 * Row & 0xff;
}
// The falling diagonal from the square `Right` columns right of a1.
template <int Right>
unsigned diagonal(Board b) {
  constexpr Board line = kRays[Right].up[2] | bit(Right);
  return (b & line) * kColumnA >> (56 + Right);
}
}  // namespace pattern

inline Board frontier_of(Board discs, Board empty) {
  const Board h = (discs << 1 & ~kColumnA) | (discs >> 1 & ~kColumnH) | discs;
  return (h << 8 | h >> 8 | h) & empty;
}

// The numbers of a position's weights, kFeatures of them.
inline void features(Board own_discs, Board opp_discs, int own_moves, int opp_moves,
                     std::uint32_t* out) {
  const Images own(own_discs), opp(opp_discs);
  const Board empty = ~(own_discs | opp_discs);
#define OTHELLO_PATTERN(kind, image, bits) \
  *out++ = kStart[kind] + kTernary[bits(own.image)] + 2 * kTernary[bits(opp.image)]
#define OTHELLO_SIDES(kind, bits)      \
  OTHELLO_PATTERN(kind, plain, bits);  \
  OTHELLO_PATTERN(kind, flip, bits);   \
  OTHELLO_PATTERN(kind, across, bits); \
  OTHELLO_PATTERN(kind, across_flip, bits)
#define OTHELLO_TURNS(kind, bits)      \
  OTHELLO_PATTERN(kind, plain, bits);  \
  OTHELLO_PATTERN(kind, mirror, bits); \
  OTHELLO_PATTERN(kind, flip, bits);   \
  OTHELLO_PATTERN(kind, turn, bits)
#define OTHELLO_SLANTS(kind, bits)     \
  OTHELLO_PATTERN(kind, plain, bits);  \
  OTHELLO_PATTERN(kind, across, bits); \
  OTHELLO_PATTERN(kind, mirror, bits); \
  OTHELLO_PATTERN(kind, flip, bits)
  OTHELLO_SIDES(kEdge, pattern::edge);
  OTHELLO_TURNS(kBlock, pattern::block);
  OTHELLO_PATTERN(kBlock, across, pattern::block);
  OTHELLO_PATTERN(kBlock, across_mirror, pattern::block);
  OTHELLO_PATTERN(kBlock, across_flip, pattern::block);
  OTHELLO_PATTERN(kBlock, across_turn, pattern::block);
  OTHELLO_TURNS(kCornerKind, pattern::corner);
  OTHELLO_SIDES(kRow2, pattern::row<1>);
  OTHELLO_SIDES(kRow3, pattern::row<2>);
  OTHELLO_SIDES(kRow4, pattern::row<3>);
  OTHELLO_PATTERN(kDiagonal8, plain, pattern::diagonal<0>);
  OTHELLO_PATTERN(kDiagonal8, mirror, pattern::diagonal<0>);
  OTHELLO_SLANTS(kDiagonal7, pattern::diagonal<1>);
  OTHELLO_SLANTS(kDiagonal6, pattern::diagonal<2>);
  OTHELLO_SLANTS(kDiagonal5, pattern::diagonal<3>);
  OTHELLO_SLANTS(kDiagonal4, pattern::diagonal<4>);
#undef OTHELLO_PATTERN
#undef OTHELLO_SIDES
#undef OTHELLO_TURNS
#undef OTHELLO_SLANTS
  *out++ = kStart[kOwnMoves] + own_moves;
  *out++ = kStart[kOppMoves] + opp_moves;
  *out++ = kStart[kOwnFrontier] + std::popcount(frontier_of(own_discs, empty));
  *out++ = kStart[kOppFrontier] + std::popcount(frontier_of(opp_discs, empty));
  *out++ = kStart[kParity] + (std::popcount(empty) & 1);
}

// Which set of weights serves a position.
inline int stage_of(Board own, Board opp) {
  return std::min((std::popcount(own | opp) - 4) / 4, kStages - 1);
}

// The weights of all stages; none: the simple evaluation serves.
class Evaluation {
 public:
  Evaluation() = default;
  // `bytes`: kStages times kWeights numbers of 16 bits.
  Evaluation(const char* bytes, std::size_t size) : weights_(size / 2) {
    std::memcpy(weights_.data(), bytes, size);
  }
  static constexpr std::size_t kBytes = std::size_t{2} * kStages * kWeights;

  bool learned() const { return !weights_.empty(); }

  // The mover's, in 1/kUnit of a disc.
  int operator()(Board own, Board opp, int own_moves, int opp_moves) const {
    std::uint32_t at[kFeatures];
    features(own, opp, own_moves, opp_moves, at);
    const std::int16_t* w = weights_.data() + std::size_t{kWeights} * stage_of(own, opp);
    int sum = 0;
    for (std::uint32_t i : at) sum += w[i];
    return std::clamp(sum, -64 * kUnit, 64 * kUnit);
  }

  // Without weights: moves and corners, in the same unit.
  static int simple(Board own, Board opp, Board corners, int own_moves, int opp_moves) {
    const int held = std::popcount(own & corners) - std::popcount(opp & corners);
    return kUnit * (held * 6 + own_moves - opp_moves);
  }

 private:
  std::vector<std::int16_t> weights_;
};

}  // namespace zermelo::othello
