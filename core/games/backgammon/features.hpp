// The inputs of the network: the checkers of both sides, and derived features that the network
// could hardly learn by itself. Always from the view of the side on roll.
//
//      0-99     own checkers, 4 inputs for each point and the bar: one, two or more, three or more,
//               half of the number beyond three
//      100-199  the other side's, from its own point 1 on
//      200-     kExtra own, then kExtra of the other side, then own threats: see below
#pragma once

#include <algorithm>

#include "board.hpp"

namespace zermelo::backgammon {

inline constexpr int kUnits = 4, kSide = 25 * kUnits;

enum Extra {
  kOff1,  // borne off: of the first five, of the next, of the last
  kOff2,
  kOff3,
  kPips,    // to go, of the 167 at the start
  kShut,    // rolls that do not enter from the bar
  kEscape,  // rolls that the rearmost checker can run with
  kPrime,   // the same from behind the strongest block there is
  kRear,    // where the rearmost checker is
  kAnchor,  // a point in the other's home board is held
  kExtra
};
enum Threat {
  kShots,      // rolls that hit a blot
  kLoss,       // pips that the other side loses by that
  kDoubleHit,  // rolls that hit two
  kThreats
};
inline constexpr int kInputs = 2 * kSide + 2 * kExtra + kThreats;
// Nonzero inputs: of 15 checkers per side, or of the points that a play changes.
inline constexpr int kMostActive = 90 + 2 * kExtra + kThreats;

struct Inputs {
  int count = 0;
  std::uint16_t at[kMostActive];
  float x[kMostActive];

  void add(int input, float value) {
    if (value == 0) return;
    at[count] = static_cast<std::uint16_t>(input);
    x[count++] = value;
  }
};

inline float unit_of(int checkers, int u) {
  switch (u) {
    case 0:
      return checkers == 1;
    case 1:
      return checkers >= 2;
    case 2:
      return checkers >= 3;
    default:
      return checkers > 3 ? 0.5f * static_cast<float>(checkers - 3) : 0;
  }
}

// The inputs of a point on which `before` stood and `now` stands (own > 0): the differences.
inline void add_point(Inputs& in, int point, int before, int now) {
  const int own = (point - 1) * kUnits, other = kSide + (25 - point - 1) * kUnits;
  for (int u = 0; u < kUnits; ++u) {
    if (point) in.add(own + u, unit_of(now, u) - unit_of(before, u));
    if (point != kBar) in.add(other + u, unit_of(-now, u) - unit_of(-before, u));
  }
}

inline void add_board(Inputs& in, const State& s) {
  for (int i = 0; i <= kBar; ++i) {
    if (s.at[i]) add_point(in, i, 0, s.at[i]);
  }
}

// By the 12 points before a checker that are blocked: rolls of 36 that it can run with both dice.
constexpr std::array<std::uint8_t, 4096> make_runs() {
  std::array<std::uint8_t, 4096> runs{};
  for (int blocked = 0; blocked < 4096; ++blocked) {
    for (int a = 1; a <= 6; ++a) {
      for (int b = 1; b <= a; ++b) {
        const auto open = [&](int n) { return !(blocked >> (n - 1) & 1); };
        if (open(a + b) && (open(a) || open(b))) runs[blocked] += a == b ? 1 : 2;
      }
    }
  }
  return runs;
}
inline constexpr auto kRuns = make_runs();

// One side's view: its own checkers and points, the opponent's blots and points, in its own
// numbering; `ahead`: the opponent's points in the opponent's numbering, in the direction of
// running.
struct View {
  Mask own, made, blots, blocked, ahead;
  int on_bar;
};

// Rolls of 36 by which a checker of this side can run from `point`.
inline int runs_from(const View& v, int point) { return kRuns[v.ahead >> (26 - point) & 0xfff]; }

struct Shots {
  float any, two, loss;  // in 36ths; pips
};

// Rolls that hit: one die, or both with one checker; from the bar as far as it must be entered.
inline Shots shots_of(const View& v) {
  Shots shots{0, 0, 0};
  if (!v.blots) return shots;
  const auto count = [&](Mask hits, int ways) {
    if (!hits) return;
    shots.any += static_cast<float>(ways);
    if (hits & (hits - 1)) shots.two += static_cast<float>(ways);
    shots.loss += static_cast<float>(ways * (std::bit_width(hits) - 1));
  };
  if (v.on_bar) {
    const Mask field = v.own & kInside;
    for (const Roll& r : kRolls) {
      Mask hits = 0;
      for (int order = 0; order < (r.larger == r.smaller ? 1 : 2); ++order) {
        const int first = order ? r.smaller : r.larger, then = order ? r.larger : r.smaller;
        const Mask entry = bit(kBar - first) & ~v.blocked;
        if (!entry) continue;
        hits |= entry & v.blots;
        if (v.on_bar == 1) hits |= (field | entry) >> then & v.blots;
      }
      count(hits, r.ways);
    }
    return shots;
  }
  Mask direct[7], open[7];
  for (int d = 1; d <= 6; ++d) {
    direct[d] = v.own >> d & v.blots;
    open[d] = v.own >> d & ~v.blocked & kInside;
  }
  for (const Roll& r : kRolls) {
    const int a = r.larger, b = r.smaller;
    if (a != b) {
      count(direct[a] | direct[b] | ((open[a] >> b | open[b] >> a) & v.blots), r.ways);
    } else {
      const Mask twice = open[a] >> a & ~v.blocked, thrice = twice >> a & ~v.blocked;
      count(direct[a] | ((twice | thrice | thrice >> a) & v.blots), r.ways);
    }
  }
  return shots;
}

inline void add_extras(Inputs& in, int first, const View& v, int off, int pips) {
  const auto add = [&](Extra e, float x) { in.add(first + e, x); };
  const auto five = [](int n) { return static_cast<float>(std::clamp(n, 0, 5)) / 5; };
  add(kOff1, five(off));
  add(kOff2, five(off - 5));
  add(kOff3, five(off - 10));
  add(kPips, static_cast<float>(pips) / 167);
  const int shut = std::popcount(v.blocked & (kInside & ~Mask{0x7ffff}));
  add(kShut, static_cast<float>(shut * shut) / 36);
  const int rear = std::bit_width(v.own) - 1;
  add(kRear, static_cast<float>(rear) / 25);
  add(kEscape, rear > kHome ? static_cast<float>(runs_from(v, rear)) / 36 : 1);
  int least = 36;
  for (int p = 13; p <= kBar; ++p) least = std::min(least, runs_from(v, p));
  add(kPrime, static_cast<float>(least) / 36);
  add(kAnchor, v.made >> (kPoints - kHome + 1) & 0x3f ? 1 : 0);
}

// All but the checkers' own inputs.
inline void add_all_extras(Inputs& in, const State& s) {
  const State t = turned(s);
  const Masks a = masks_of(s), b = masks_of(t);
  const Mask a_made = turned(b.blocked), b_made = turned(a.blocked);
  const View mine{a.own, a_made, a.blots, a.blocked, b_made, s.at[kBar]};
  const View theirs{b.own, b_made, b.blots, b.blocked, a_made, t.at[kBar]};
  add_extras(in, 2 * kSide, mine, s.off[0], pips_of(s));
  add_extras(in, 2 * kSide + kExtra, theirs, s.off[1], pips_of(t));
  const Shots shots = shots_of(mine);
  const int threats = 2 * kSide + 2 * kExtra;
  in.add(threats + kShots, shots.any / 36);
  in.add(threats + kLoss, shots.loss / (36 * 12));
  in.add(threats + kDoubleHit, shots.two / 36);
}

}  // namespace zermelo::backgammon
