// Chess: moves undone, for retrograde analysis of endgames.
#pragma once

#include "kernels.hpp"

namespace zermelo::chess::retro {

inline bool in_check(const Position& s, int side) {
  return side ? Magic::checked<1>(s) : Magic::checked<0>(s);
}
inline Board seen(int piece, int square, Board all) {
  switch (piece) {
    case kKnight:
      return kLeaps.knight[square];
    case kBishop:
      return Magic::bishop(square, all);
    case kRook:
      return Magic::rook(square, all);
    case kQueen:
      return Magic::bishop(square, all) | Magic::rook(square, all);
    default:
      return kLeaps.king[square];
  }
}

// Writes the position in which the opponent's pawn on this square has just moved two steps. False:
// it cannot have, or it cannot be captured en passant.
inline bool two_steps(const State& s, int pawn, State& out) {
  const int them = s.mover ^ 1, back = them == kWhite ? -8 : 8;
  if (pawn >> 3 != (them == kWhite ? 3 : 4)) return false;
  if ((s.side[0] | s.side[1]) & (bit(pawn + back) | bit(pawn + 2 * back))) return false;
  Position p = s;
  p.ep = static_cast<std::uint8_t>(pawn + back);
  if (!(p.mover ? Magic::ep_taken<1>(p) : Magic::ep_taken<0>(p))) return false;
  p.hash ^= kKeys.ep[p.ep & 7];
  static_cast<Position&>(out) = p;
  return true;
}

struct Undone {
  State* out;
  int capacity, count;

  // Undoes a move from `from` to `at`, if it was legal: it did not leave the other side in check.
  void add(const State& s, int us, int piece, int at, int from) {
    Position p = s;
    const Board moved = bit(at) | bit(from);
    p.by[piece] ^= moved;
    p.side[us] ^= moved;
    p.hash ^= kKeys.man[us][piece][at] ^ kKeys.man[us][piece][from] ^ kKeys.mover;
    if (s.ep) p.hash ^= kKeys.ep[s.ep & 7];
    p.ep = 0;
    p.mover = static_cast<std::uint8_t>(us);
    p.clock = p.repeats = 0;
    p.number = 1;
    p.count = 0;
    if (in_check(p, 1 - us)) return;
    put(p);
    // A pawn could perhaps have been captured en passant.
    const Board pawns = p.by[kPawn] & p.side[1 - us];
    if (!pawns || !(p.by[kPawn] & p.side[us])) return;
    State passed;
    static_cast<Position&>(passed) = p;
    if (two_steps(passed, lowest(pawns), passed)) put(passed);
  }
  void put(const Position& p) {
    if (count < capacity) {
      static_cast<Position&>(out[count]) = p;
      out[count].past = 0;
    }
    ++count;
  }
};

inline void undo_pawn(const State& s, int us, int at, Undone& list) {
  const int back = us == kWhite ? -8 : 8, row = us == kWhite ? at >> 3 : 7 - (at >> 3);
  const Board all = s.side[0] | s.side[1];
  if (row < 2 || all & bit(at + back)) return;
  list.add(s, us, kPawn, at, at + back);
  if (row != 3 || all & bit(at + 2 * back)) return;
  State passed;
  if (!two_steps(s, at, passed))
    list.add(s, us, kPawn, at, at + 2 * back);  // else it is not this one
}

// The positions from which a move that is no capture and no promotion leads to `s`.
inline int predecessors(const State& s, State* out, int capacity) {
  if (dead(s)) return 0;
  const int us = s.mover ^ 1;  // who moved
  const Board all = s.side[0] | s.side[1];
  Undone list{out, capacity, 0};
  if (s.ep) {
    const int back = us == kWhite ? 8 : -8;
    list.add(s, us, kPawn, s.ep + back, s.ep - back);
    return list.count;
  }
  for (Board b = s.side[us]; b; b &= b - 1) {
    const int at = lowest(b);
    const int piece = piece_at(s, bit(at));
    if (piece == kPawn) {
      undo_pawn(s, us, at, list);
      continue;
    }
    for (Board from = seen(piece, at, all) & ~all; from; from &= from - 1) {
      list.add(s, us, piece, at, lowest(from));
    }
  }
  return list.count;
}

}  // namespace zermelo::chess::retro
