// Samples where the hidden pieces may stand: the hidden army makes as many moves from its start
// squares as were played, then its pieces are changed until every announcement fits.
#pragma once

#include <cmath>

#include "../../parts/random.hpp"
#include "../chess/kernels.hpp"

namespace zermelo::kriegspiel {

// Uses the pieces of one side and only the number of the opponent's pieces.
class Dealing {
 public:
  using Position = chess::Position;
  using Board = chess::Board;
  static constexpr int kTurns = 2500;     // changes that are tried with one army
  static constexpr int kArmies = 12;      // that are tried
  static constexpr int kMostMoves = 40;   // from home: further on they are as good as anywhere
  static constexpr double kStray = 0.03;  // probability of accepting a change that fits less well
  static constexpr double kAny = 0.4;     // of the changes: to any square, not to one that matters

  // `seen`: the men of one side alone; home: the other's as they begin; moves: it has made.
  Dealing(const Position& seen, const Position& home, int side, int men, int moves, Random& rng)
      : seen_(seen), home_(home), side_(side), men_(men), moves_(moves), rng_(rng) {}

  // misfit(p): how many announcements do not fit; 0: all fit. matters: squares on which a man
  // makes a difference to that.
  template <class Misfit>
  bool settle(const Misfit& misfit, Board matters, Position& out) {
    for (int army = 0; army < kArmies; ++army) {
      muster();
      march();
      int wrong = misfit(here_);
      for (int turn = 0; wrong && turn < kTurns; ++turn) {
        const Position before = here_;
        const auto lost = lost_;
        if (!change(matters)) continue;
        const int now = misfit(here_);
        if (now <= wrong || rng_.part() < kStray) {
          wrong = now;
        } else {
          here_ = before, lost_ = lost;
        }
      }
      if (!wrong) return out = here_, true;
    }
    return false;
  }

 private:
  // The pieces on their start squares, without as many as were captured; a piece whose square is
  // occupied goes to a random square.
  void muster() {
    here_ = seen_;
    Board left = home_.side[side_];
    lost_ = {};
    while (std::popcount(left) > men_) {
      const Board man = pick(left & ~home_.by[chess::kKing]);
      left ^= man;
      ++lost_[chess::piece_at(home_, man)];
    }
    for (Board b = left; b; b &= b - 1) {
      Board at = b & -b;
      const int piece = chess::piece_at(home_, at);
      if (all() & at) at = pick(~all() & open_to(piece) & ~left);
      put(piece, at);
    }
    here_.castle |= home_.castle & home_.side[side_];
    mend_castle();
  }

  // Random moves since then, among the other side's men as they stand now.
  void march() {
    const int mover = here_.mover;
    for (int i = std::min(moves_, kMostMoves); i > 0; --i) {
      here_.mover = static_cast<std::uint8_t>(side_);
      Action all[chess::kMostMoves];
      const int count =
          side_ ? Kernel::list<1, false>(here_, all) : Kernel::list<0, false>(here_, all);
      int quiet = 0;
      for (int k = 0; k < count; ++k) {
        if (chess::taken_of(all[k]) < 0) all[quiet++] = all[k];
      }
      if (!quiet) break;
      const Action a = all[rng_.below(quiet)];
      side_ ? Kernel::play<1>(here_, a) : Kernel::play<0>(here_, a);
      here_.ep = 0;
    }
    here_.mover = static_cast<std::uint8_t>(mover);
  }

  // Moves a piece, swaps two pieces, or replaces a piece by a captured one.
  bool change(Board matters) {
    const Board from = pick(here_.side[side_]);
    const int piece = chess::piece_at(here_, from);
    const std::uint32_t how = rng_.below(8);
    if (how == 0) return recast(piece, from);
    const bool any = !matters || rng_.part() < kAny;
    const Board to = pick((any ? ~Board{0} : matters) & ~seen_.side[1 - side_] & ~from);
    if (!to || !(to & open_to(piece))) return false;
    const int met = chess::piece_at(here_, to);
    if (met >= 0 && !(from & open_to(met))) return false;
    take(piece, from);
    if (met >= 0) take(met, to), put(met, from);
    put(piece, to);
    mend_castle();
    return true;
  }

  bool recast(int piece, Board at) {
    const int other = static_cast<int>(rng_.below(chess::kKing));
    if (piece == chess::kKing || !lost_[other] || !(at & open_to(other))) return false;
    take(piece, at), put(other, at);
    --lost_[other], ++lost_[piece];
    mend_castle();
    return true;
  }

  Board all() const { return here_.side[0] | here_.side[1]; }
  void put(int piece, Board at) { here_.by[piece] |= at, here_.side[side_] |= at; }
  void take(int piece, Board at) { here_.by[piece] &= ~at, here_.side[side_] &= ~at; }

  static Board open_to(int piece) {
    return piece == chess::kPawn ? ~(chess::kRank1 | chess::kRank1 << 56) : ~Board{0};
  }

  // Castling wants king and rook at home.
  void mend_castle() {
    const Board king = home_.by[chess::kKing] & home_.side[side_];
    const Board own = here_.side[side_];
    const bool at_home = king & own & here_.by[chess::kKing];
    here_.castle &= ~home_.side[side_] | (at_home ? own & here_.by[chess::kRook] : 0);
  }

  // One of these squares.
  Board pick(Board from) {
    if (!from) return 0;
    for (std::uint32_t i = rng_.below(std::popcount(from)); i > 0; --i) from &= from - 1;
    return from & -from;
  }

  using Kernel = chess::Magic;

  const Position& seen_;
  const Position& home_;
  int side_, men_, moves_;
  Random& rng_;
  Position here_;
  std::array<int, 6> lost_;
};

}  // namespace zermelo::kriegspiel
