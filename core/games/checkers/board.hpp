// Checkers: the board, the moves, what a move does.
//
// The 32 dark squares, numbered as players number them; the bit of each stands below it. Every
// second row is followed by a bit that is no square (8, 17, 26), so that a step is always 4 or 5
// bits and never runs over an edge:
//
//        1    2    3    4      Black's side: Black's men go down the page, to higher bits
//        0    1    2    3
//      5    6    7    8
//      4    5    6    7
//        9   10   11   12
//        9   10   11   12
//      13 …                    bit = (number - 1) + (number - 1) / 8
//
//      29   30   31   32       White's side: White's men go up the page
//      31   32   33   34
//
// Directions: 0 is 4 bits up, 1 is 5 up, 2 is 4 down, 3 is 5 down.
//
// An action says where the piece stands and each step it makes, so its meaning hangs on nothing:
//
//      bits 0-5  the piece's bit     6-9  how many pieces it jumps; 0: a plain step
//      10-11, 12-13, …  the direction of each step (nine jumps at most: there are no more)
#pragma once

#include <bit>
#include <cstdint>

#include "../../game.hpp"

namespace zermelo::checkers {

using Set = std::uint64_t;

inline constexpr int kQuietLimit = 80;  // plies without a capture or a man's move: a draw
inline constexpr int kMostPieces = 12;  // of a side

inline constexpr Set kBoard = 0xFFull | 0xFFull << 9 | 0xFFull << 18 | 0xFFull << 27;
inline constexpr Set kTop = 0xF, kBottom = 0xFull << 31;

// Where a side's men become kings.
inline constexpr Set crown(int side) { return side == 0 ? kBottom : kTop; }

struct State {
  Set side[2];          // Black's pieces, White's pieces
  Set kings;            // of both
  std::uint32_t quiet;  // plies since the last capture or man's move
  std::uint32_t mover;  // 0: Black
};

inline constexpr int bit_of(int square) { return square + square / 8; }  // squares from 0

inline Set step(Set s, int direction) {
  const int bits = 4 + (direction & 1);
  return direction & 2 ? s >> bits : s << bits;
}
// The squares from which a step in this direction leads into `s`.
inline Set unstep(Set s, int direction) { return step(s, direction ^ 2); }

inline Set empty_of(const State& s) { return kBoard & ~(s.side[0] | s.side[1]); }

// Of `side`: the pieces that may go in this direction.
inline Set movers(const State& s, int side, int direction) {
  const Set own = s.side[side];
  return direction >> 1 == side ? own : own & s.kings;
}

// Of `side`: the pieces that can step, or jump, in this direction.
inline Set steppers(const State& s, int side, int direction, Set empty) {
  return unstep(empty, direction) & movers(s, side, direction);
}
inline Set jumpers(const State& s, int side, int direction, Set empty) {
  const Set over = unstep(empty, direction) & s.side[1 - side];
  return unstep(over, direction) & movers(s, side, direction);
}

template <int Side>
Set all_jumpers(const State& s, Set empty) {
  Set found = jumpers(s, Side, 2 * Side, empty) | jumpers(s, Side, 2 * Side + 1, empty);
  if (s.side[Side] & s.kings) {
    found |= jumpers(s, Side, 2 - 2 * Side, empty) | jumpers(s, Side, 3 - 2 * Side, empty);
  }
  return found;
}

template <int Side>
bool can_move(const State& s) {
  const Set empty = empty_of(s);
  // Nearly always a man can go forward: the rest is looked at only where none can.
  if (steppers(s, Side, 2 * Side, empty) | steppers(s, Side, 2 * Side + 1, empty)) return true;
  if (all_jumpers<Side>(s, empty)) return true;
  return steppers(s, Side, 2 - 2 * Side, empty) | steppers(s, Side, 3 - 2 * Side, empty);
}

// A list that counts on when it is full.
struct List {
  Action* out;
  int capacity;
  int count = 0;
  void add(Action a) {
    if (count < capacity) out[count] = a;
    ++count;
  }
};

// Lists all continuations of a capture from `at`; `code` and `length` encode the jumps so far.
template <int Side>
void jump_on(Set at, bool king, Set prey, Set empty, Action code, int length, List& list) {
  bool went = false;
  const int first = king ? 0 : 2 * Side, last = king ? 4 : first + 2;
  for (int d = first; d < last; ++d) {
    const Set over = step(at, d) & prey;
    const Set to = step(over, d) & empty;
    if (!to) continue;
    went = true;
    const Action next = code | static_cast<Action>(d) << (10 + 2 * length);
    if (!king && (to & crown(Side))) {  // a man that is crowned stops
      list.add(next | static_cast<Action>(length + 1) << 6);
    } else {
      jump_on<Side>(to, king, prey ^ over, empty, next, length + 1, list);
    }
  }
  if (!went) list.add(code | static_cast<Action>(length) << 6);
}

template <int Side>
int list_jumps(const State& s, Set from, Set empty, Action* out, int capacity) {
  List list{out, capacity};
  for (; from; from &= from - 1) {
    const Set at = from & -from;
    const Action code = static_cast<Action>(std::countr_zero(from));
    // Its own square is free once it has left: a king may come round to it.
    jump_on<Side>(at, (s.kings & at) != 0, s.side[1 - Side], empty | at, code, 0, list);
  }
  return list.count;
}

template <int Side>
int list_jumps(const State& s, Action* out, int capacity) {
  const Set empty = empty_of(s);
  return list_jumps<Side>(s, all_jumpers<Side>(s, empty), empty, out, capacity);
}

template <int Side>
int list_moves(const State& s, Action* out, int capacity) {
  const Set empty = empty_of(s);
  const Set jumping = all_jumpers<Side>(s, empty);
  if (jumping) return list_jumps<Side>(s, jumping, empty, out, capacity);
  const int directions = s.side[Side] & s.kings ? 4 : 2;
  List list{out, capacity};
  for (int i = 0; i < directions; ++i) {
    const int d = i ^ 2 * Side;  // forward first
    Set from = steppers(s, Side, d, empty);
    if (capacity == 0) list.count += std::popcount(from);
    for (; capacity && from; from &= from - 1) {
      list.add(static_cast<Action>(std::countr_zero(from)) | static_cast<Action>(d) << 10);
    }
  }
  return list.count;
}

inline State after(const State& s, Action action) {
  const int mover = static_cast<int>(s.mover), jumps = action >> 6 & 15;
  const Set at = Set{1} << (action & 63);
  const bool king = s.kings & at;
  Set to = at, taken = 0;
  action >>= 10;
  if (jumps == 0) to = step(at, action & 3);
  for (int i = 0; i < jumps; ++i, action >>= 2) {
    const Set over = step(to, action & 3);
    taken |= over;
    to = step(over, action & 3);
  }
  const Set moved = at ^ to, black = mover == 0 ? moved : taken, white = mover == 0 ? taken : moved;
  const Set kings = s.kings & ~taken;
  return {{s.side[0] ^ black, s.side[1] ^ white},
          king ? kings ^ moved : kings | (to & crown(mover)),
          king && jumps == 0 ? s.quiet + 1 : 0,
          s.mover ^ 1};
}

}  // namespace zermelo::checkers
