// A flat backgammon position from the mover's view, and how plays change it.
//
//      at[0]       the other side's checkers on the bar, as -n
//      at[1..24]   the points, numbered as the mover does: own checkers n, the other's -n
//      at[25]      own checkers on the bar
//
// The other side's view is the same array reversed with flipped signs, which is how the turn
// passes.
//
// An action is a roll or a whole play:
//
//      31       30 29   26 25  23 22  20 19  15 14  10 9    5 4    0
//      1: roll   -  hits   die    die    from   from   from   from
//
// The first die is used for the first move, and for all moves of a double; a `from` of 0 is no
// move, 25
// is the bar. A play without a move is 0. The bits of a roll are in `roll_of`.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "../../game.hpp"
#include "../../platform.hpp"

namespace zermelo::backgammon {

inline constexpr int kPoints = 24, kBar = 25, kCheckers = 15, kHome = 6;
inline constexpr int kMostPlays = 3060;  // 4 steps spread over 15 checkers: 18 over 4

struct State {
  std::int8_t at[26];
  std::uint8_t turn;     // whose: 0 White, 1 Black
  std::uint8_t die[2];   // the larger first; 0: to be rolled
  std::uint8_t opening;  // 1: the first roll of the game, which is no double
  std::uint8_t off[2];   // checkers borne off: the mover's, the other's
};
static_assert(sizeof(State) == 32);

// Checkers as bits by point.
using Mask = std::uint32_t;
inline constexpr Mask kInside = 0x1fffffe;                    // points 1 to 24
inline constexpr Mask kOnBar = Mask{1} << kBar;               // own bar
inline constexpr Mask kOutside = (kInside & ~0x7e) | kOnBar;  // not in the home board

inline constexpr Mask bit(int i) { return Mask{1} << i; }

// The mover's checkers (the bar among them), the other's single ones, the other's points.
struct Masks {
  Mask own, blots, blocked;
};

inline Masks masks_of(const State& s) {
#if defined(ZERMELO_X86)
  const auto* p = reinterpret_cast<const __m128i*>(&s);
  const __m128i low = _mm_loadu_si128(p), high = _mm_loadu_si128(p + 1);
  const __m128i zero = _mm_setzero_si128(), single = _mm_set1_epi8(-1);
  const auto both = [](__m128i a, __m128i b) {
    return static_cast<Mask>(_mm_movemask_epi8(a)) | static_cast<Mask>(_mm_movemask_epi8(b)) << 16;
  };
  return {both(_mm_cmpgt_epi8(low, zero), _mm_cmpgt_epi8(high, zero)) & (kInside | kOnBar),
          both(_mm_cmpeq_epi8(low, single), _mm_cmpeq_epi8(high, single)) & kInside,
          both(_mm_cmplt_epi8(low, single), _mm_cmplt_epi8(high, single)) & kInside};
#else
  Masks m{0, 0, 0};
  for (int i = 1; i <= kBar; ++i) {
    if (s.at[i] > 0) m.own |= bit(i);
    if (s.at[i] == -1) m.blots |= bit(i);
    if (s.at[i] < -1) m.blocked |= bit(i);
  }
  return m;
#endif
}

// The same points as the other side numbers them.
inline Mask turned(Mask m) {
  m = (m >> 1 & 0x55555555) | (m & 0x55555555) << 1;
  m = (m >> 2 & 0x33333333) | (m & 0x33333333) << 2;
  m = (m >> 4 & 0x0f0f0f0f) | (m & 0x0f0f0f0f) << 4;
  return platform::byteswap(m) >> 6;
}

// The board from the other side's view; turn and dice are unchanged.
inline State turned(const State& s) {
  State t = s;
  for (int i = 0; i < 26; ++i) t.at[i] = static_cast<std::int8_t>(-s.at[25 - i]);
  t.off[0] = s.off[1];
  t.off[1] = s.off[0];
  return t;
}

// -- rolls
// -----------------------------------------------------------------------------------------
inline constexpr Action kRoll = Action{1} << 31;

// `starter`: 0 whoever is to move; 1 White, 2 Black, in an opening roll of both.
constexpr Action roll_of(int larger, int smaller, int starter = 0) {
  return kRoll | static_cast<Action>(starter << 6 | larger << 3 | smaller);
}

struct Roll {
  std::uint8_t larger, smaller, ways;  // of 36
};
constexpr std::array<Roll, 21> make_rolls() {
  std::array<Roll, 21> rolls{};
  int n = 0;
  for (int a = 6; a >= 1; --a) {
    for (int b = a; b >= 1; --b) {
      rolls[n++] = {static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b),
                    static_cast<std::uint8_t>(a == b ? 1 : 2)};
    }
  }
  return rolls;
}
inline constexpr auto kRolls = make_rolls();

inline State rolled(const State& s, int larger, int smaller) {
  State t = s;
  t.die[0] = static_cast<std::uint8_t>(larger);
  t.die[1] = static_cast<std::uint8_t>(smaller);
  t.opening = 0;
  return t;
}

// -- plays
// -----------------------------------------------------------------------------------------
inline constexpr int kDieShift = 20, kHitShift = 26, kMostSteps = 4;

inline int from_of(Action play, int step) { return play >> (5 * step) & 31; }
inline int die_of(Action play, int step) {
  const int second = play >> (kDieShift + 3) & 7;
  return step && second ? second : play >> kDieShift & 7;
}

// Moves the mover's checkers on the board; turn and dice are unchanged.
inline void move(State& s, Action play) {
  for (int step = 0; step < kMostSteps; ++step) {
    const int from = from_of(play, step);
    if (!from) break;
    const int to = from - die_of(play, step);
    --s.at[from];
    if (to <= 0) {
      ++s.off[0];
    } else if (s.at[to] < 0) {  // a blot: legal plays land on no more
      s.at[to] = 1;
      --s.at[0];
    } else {
      ++s.at[to];
    }
  }
}

// After a play: the other side is to roll.
inline State played(State s, Action play) {
  move(s, play);
  s = turned(s);
  s.turn ^= 1;
  s.die[0] = s.die[1] = 0;
  return s;
}

// -- the end
// -----------------------------------------------------------------------------------------
inline bool over(const State& s) { return s.off[0] == kCheckers || s.off[1] == kCheckers; }

// The points of the winner, with `s` from the loser's view: 1; 2 for a gammon; 3 for a backgammon.
inline int worth(const State& s) {
  if (s.off[0]) return 1;
  for (int i = kPoints - kHome + 1; i <= kBar; ++i) {
    if (s.at[i] > 0) return 3;
  }
  return 2;
}

// Whether contact is still possible.
inline bool contact(const State& s) {
  const Masks m = masks_of(s);
  const Mask theirs = m.blots | m.blocked | (s.at[0] ? 1 : 0);
  return m.own && theirs && static_cast<int>(std::bit_width(m.own)) - 1 > std::countr_zero(theirs);
}

inline int pips_of(const State& s) {
  int pips = 0;
  for (int i = 1; i <= kBar; ++i) pips += s.at[i] > 0 ? i * s.at[i] : 0;
  return pips;
}

}  // namespace zermelo::backgammon
