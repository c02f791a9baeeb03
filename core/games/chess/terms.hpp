// The terms of the evaluation: each has a name, a weight for the middlegame and one for the
// endgame. The evaluation (kernel_eval.hpp) and the training share it.
//
// Ranks are seen from the side whose term it is, 0 is its first row; files count from the edge, 0
// to 3, so that both wings are alike.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "attacks.hpp"

namespace zermelo::chess {

// name, how many weights
#define CHESS_TERMS(X)                                                                     \
  X(man, 5)          /* by piece */                                                        \
  X(square, 6 * 32)  /* by piece, rank and file */                                         \
  X(knight_moves, 9) /* squares it may go to that no pawn guards */                        \
  X(bishop_moves, 14)                                                                      \
  X(rook_moves, 15)                                                                        \
  X(queen_moves, 28)                                                                       \
  X(bishop_pair, 1)                                                                        \
  X(bishop_pawns, 2) /* own pawns on its colour; those of them that are blocked */         \
  X(more_pawns, 4)   /* knight, bishop, rook, queen for each own pawn over five */         \
  X(shielded, 2)     /* knight, bishop behind a pawn */                                    \
  X(outpost, 2)      /* knight, bishop guarded by a pawn where no pawn can drive it */     \
  X(rook_file, 2)    /* half-open, open */                                                 \
  X(rook_seventh, 1)                                                                       \
  X(isolated, 2) /* with a pawn ahead of it, without */                                    \
  X(doubled, 1)                                                                            \
  X(backward, 2)        /* with a pawn ahead of it, without */                             \
  X(phalanx, 8)         /* pawns side by side, by rank */                                  \
  X(supported, 8)       /* pawns guarded by pawns, by rank */                              \
  X(candidate, 8)       /* may become passed: as many helpers as guards, by rank */        \
  X(passed, 8)          /* by rank */                                                      \
  X(passed_free, 8)     /* nobody stands before it */                                      \
  X(passed_held, 8)     /* the square before it is guarded by its own side */              \
  X(passed_safe, 8)     /* the other side reaches nothing of its way */                    \
  X(passed_near, 4 * 8) /* distance of its own king, by rank from the fourth on */         \
  X(passed_far, 4 * 8)  /* distance of the other king */                                   \
  X(threat_pawn, 5)     /* a pawn attacks this */                                          \
  X(threat_minor, 5)    /* a knight or bishop attacks this, badly guarded or worth more */ \
  X(threat_rook, 5)                                                                        \
  X(threat_king, 1)                                                                        \
  X(threat_push, 1)       /* a pawn may step up and attack a piece */                      \
  X(hanging, 2)           /* attacked, not guarded; the same if its side is not to move */ \
  X(contested, 1)         /* squares both reach that the other's pawns do not guard */     \
  X(danger, 2 * kDangers) /* of the other king, by units; without and with a queen */      \
  X(safe_check, 5)        /* by piece */                                                   \
  X(shelter, 4 * 8)       /* own pawn before the king by file and rank; rank 0: none */    \
  X(storm, 2 * 4 * 8)     /* the other's pawn there: free, blocked */                      \
  X(castle, 1)            /* rooks that may castle */                                      \
  X(space, 1)             /* safe squares of the centre behind the front */                \
  X(tempo, 1)             /* to move */                                                    \
  X(bare, 3) /* the other has a king only: mate can be forced; its way to the edge; the kings */

inline constexpr int kDangers = 40;
inline constexpr int kPhases = 24;  // 4 for a queen, 2 for a rook, 1 for a minor piece
inline constexpr int kScales = 64;  // scale factor of the endgame score, in 64ths
inline constexpr int kPhase[6] = {0, 1, 1, 2, 4, 0};

struct TermGroup {
  std::string_view name;
  int size;
};
#define CHESS_TERM(name, size) {#name, size},
inline constexpr TermGroup kTermGroups[] = {CHESS_TERMS(CHESS_TERM)};
#undef CHESS_TERM

// Where the weights of each group begin: term::man, term::square…
namespace term {
enum Group {
#define CHESS_TERM(name, size) k_##name,
  CHESS_TERMS(CHESS_TERM)
#undef CHESS_TERM
};
constexpr int start_of(int group) {
  int at = 0;
  for (int i = 0; i < group; ++i) at += kTermGroups[i].size;
  return at;
}
#define CHESS_TERM(name, size) inline constexpr int name = start_of(k_##name);
CHESS_TERMS(CHESS_TERM)
#undef CHESS_TERM
}  // namespace term

inline constexpr int kTerms = [] {
  int sum = 0;
  for (const TermGroup& g : kTermGroups) sum += g.size;
  return sum;
}();

// A middlegame's and an endgame's weight in one number, so that one addition adds both.
inline constexpr std::uint32_t pack(int middle, int end) {
  return (static_cast<std::uint32_t>(end) << 16) + static_cast<std::uint32_t>(middle);
}
inline constexpr int middle_of(std::uint32_t w) { return static_cast<std::int16_t>(w); }
inline constexpr int end_of(std::uint32_t w) {
  return static_cast<std::int16_t>((w + 0x8000) >> 16);
}

struct Weights {
  std::uint32_t of[kTerms];
};

inline constexpr int square_term(int piece, int rank, int file) {
  return term::square + 32 * piece + 4 * rank + std::min(file, 7 - file);
}

// Weights by rule of thumb, which training starts from.
inline constexpr Weights kThumb = [] {
  Weights w{};
  const auto set = [&](int at, int middle, int end) { w.of[at] = pack(middle, end); };
  constexpr int kMan[5][2] = {{105, 140}, {420, 400}, {435, 420}, {590, 690}, {1230, 1290}};
  for (int i = 0; i < 5; ++i) set(term::man + i, kMan[i][0], kMan[i][1]);
  for (int rank = 0; rank < 8; ++rank) {
    for (int file = 0; file < 4; ++file) {
      const int row = std::min(rank, 7 - rank), centre = file + row;
      const auto at = [&](int piece) { return square_term(piece, rank, file); };
      if (rank > 0 && rank < 7) {
        set(at(kPawn), (file - 1) * (rank == 2 || rank == 3 ? 9 : 3) + 2 * rank, rank * rank);
      }
      set(at(kKnight), 9 * centre - 32 + 2 * rank, 7 * centre - 24);
      set(at(kBishop), 4 * centre - 12, 3 * centre - 9);
      set(at(kRook), 4 * file - 6 + (rank == 6 ? 10 : 0), rank > 3 ? 6 : -2);
      set(at(kQueen), -rank, 4 * centre - 14);
      set(at(kKing), 16 * (2 - file) - 24 * std::min(rank, 4) + 20, 10 * centre - 30);
    }
  }
  for (int i = 0; i < 9; ++i) set(term::knight_moves + i, 9 * i - 40, 9 * i - 40);
  for (int i = 0; i < 14; ++i) set(term::bishop_moves + i, 8 * i - 48, 8 * i - 48);
  for (int i = 0; i < 15; ++i) set(term::rook_moves + i, 4 * i - 28, 8 * i - 56);
  for (int i = 0; i < 28; ++i) set(term::queen_moves + i, 2 * i - 24, 5 * i - 60);
  set(term::bishop_pair, 40, 65);
  set(term::bishop_pawns, -4, -8);
  set(term::bishop_pawns + 1, -4, -4);
  set(term::shielded, 8, 2);
  set(term::shielded + 1, 8, 2);
  set(term::outpost, 40, 28);
  set(term::outpost + 1, 30, 16);
  set(term::rook_file, 22, 8);
  set(term::rook_file + 1, 44, 16);
  set(term::rook_seventh, 10, 24);
  set(term::isolated, -10, -14);
  set(term::isolated + 1, -20, -18);
  set(term::doubled, -10, -24);
  set(term::backward, -8, -10);
  set(term::backward + 1, -20, -14);
  for (int rank = 1; rank < 7; ++rank) {
    const int up = rank * rank;
    set(term::phalanx + rank, 4 + 2 * up, 2 + 2 * up);
    set(term::supported + rank, 8 + up, 4 + 2 * up);
    set(term::candidate + rank, up, 3 * up);
    set(term::passed + rank, 3 * up, 20 + 4 * up);
    set(term::passed_free + rank, up / 2, up);
    set(term::passed_held + rank, up / 2, up);
    set(term::passed_safe + rank, up / 2, 2 * up);
  }
  for (int i = 0; i < 4; ++i) {
    for (int far = 0; far < 8; ++far) {
      set(term::passed_near + 8 * i + far, 0, -(i + 1) * 3 * std::min(far, 5));
      set(term::passed_far + 8 * i + far, 0, (i + 1) * 6 * std::min(far, 5));
    }
  }
  constexpr int kWin[5] = {0, 70, 75, 100, 110};
  for (int i = 1; i < 5; ++i) set(term::threat_pawn + i, kWin[i], kWin[i] * 3 / 4);
  for (int i = 0; i < 5; ++i) set(term::threat_minor + i, 8 + kWin[i] / 2, 16 + kWin[i] / 3);
  for (int i = 0; i < 5; ++i) set(term::threat_rook + i, 4 + kWin[i] / 3, 16 + kWin[i] / 3);
  set(term::threat_king, 20, 50);
  set(term::threat_push, 22, 20);
  set(term::hanging, 30, 20);
  set(term::hanging + 1, 30, 20);
  set(term::contested, 5, 5);
  for (int i = 0; i < kDangers; ++i) {
    const int over = std::max(0, i - 4);
    set(term::danger + i, over * over / 8, 0);
    set(term::danger + kDangers + i, over * over / 2, i);
  }
  for (int i = 1; i < 5; ++i) set(term::safe_check + i, 20, 5);
  for (int file = 0; file < 4; ++file) {
    for (int rank = 0; rank < 8; ++rank) {
      set(term::shelter + 8 * file + rank, rank ? 30 - 8 * std::min(rank, 4) : -16, 0);
      set(term::storm + 8 * file + rank, rank ? -8 * std::max(0, 5 - rank) : -8, 0);
      set(term::storm + 32 + 8 * file + rank, rank ? -3 * std::max(0, 4 - rank) : 0, 0);
    }
  }
  set(term::castle, 16, 0);
  set(term::space, 4, 0);
  set(term::tempo, 24, 20);
  set(term::bare, 200, 400);
  set(term::bare + 1, 0, 20);
  set(term::bare + 2, 0, 12);
  return w;
}();

// -- sets of squares
// -------------------------------------------------------------------------------
struct Masks {
  Board file[64];      // its whole file
  Board beside[64];    // the files beside
  Board ahead[2][64];  // its file before it
  Board front[2][64];  // its file and those beside, before it
  Board ring[64];      // nine squares around a king, moved in from the edge
};
inline constexpr Masks kMasks = [] {
  Masks m{};
  for (int s = 0; s < 64; ++s) {
    const int file = s & 7, rank = s >> 3;
    m.file[s] = kFileA << file;
    if (file > 0) m.beside[s] |= kFileA << (file - 1);
    if (file < 7) m.beside[s] |= kFileA << (file + 1);
    Board above = 0;
    for (int r = rank + 1; r < 8; ++r) above |= kRank1 << (8 * r);
    const Board below = ~above & ~(kRank1 << (8 * rank));
    m.ahead[kWhite][s] = m.file[s] & above;
    m.ahead[kBlack][s] = m.file[s] & below;
    m.front[kWhite][s] = (m.file[s] | m.beside[s]) & above;
    m.front[kBlack][s] = (m.file[s] | m.beside[s]) & below;
    const int in = std::clamp(rank, 1, 6) * 8 + std::clamp(file, 1, 6);
    m.ring[s] = kLeaps.king[in] | bit(in);
  }
  return m;
}();

inline constexpr int distance(int a, int b) {
  return std::max(std::abs((a & 7) - (b & 7)), std::abs((a >> 3) - (b >> 3)));
}

// -- who asks
// -------------------------------------------------------------------------------------- Adds
// weights up.
class Score {
 public:
  explicit Score(const Weights& w) : w_(w) {}
  template <int Us>
  void add(int term) {
    Us == kWhite ? sum_ += w_.of[term] : sum_ -= w_.of[term];
  }
  template <int Us>
  void add(int term, int times) {
    const std::uint32_t n = static_cast<std::uint32_t>(Us == kWhite ? times : -times);
    sum_ += w_.of[term] * n;
  }
  int middle() const { return middle_of(sum_); }
  int end() const { return end_of(sum_); }

 private:
  const Weights& w_;
  std::uint32_t sum_ = 0;
};

// Also counts the uses of each term, White's minus Black's.
class Count : public Score {
 public:
  explicit Count(const Weights& w) : Score(w) {}
  template <int Us>
  void add(int term) {
    add<Us>(term, 1);
  }
  template <int Us>
  void add(int term, int times) {
    Score::add<Us>(term, times);
    of[term] = static_cast<std::int16_t>(of[term] + (Us == kWhite ? times : -times));
  }
  void close(int p, int s) { phase = p, scale = s; }

  std::int16_t of[kTerms] = {};
  int phase = 0, scale = 0;
};

}  // namespace zermelo::chess
