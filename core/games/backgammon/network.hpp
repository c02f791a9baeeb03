// The learned evaluation: two networks of one hidden layer, one for positions in which the sides
// can still meet and one for races, after Tesauro's TD-Gammon. The weights come from `zermelo train
// backgammon`.
#pragma once

#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#include "../../platform.hpp"
#include "features.hpp"
#include "plays.hpp"

namespace zermelo::backgammon {

inline constexpr int kHidden = 128;

// The probabilities that the side on roll wins, wins a gammon or more, wins a backgammon, loses a
// gammon or more, loses a backgammon.
enum Output { kWin, kWinGammon, kWinBackgammon, kLoseGammon, kLoseBackgammon, kOutputs };

struct Chances {
  float of[kOutputs];

  // The same for the other side.
  Chances turned() const {
    return {
        {1 - of[kWin], of[kLoseGammon], of[kLoseBackgammon], of[kWinGammon], of[kWinBackgammon]}};
  }
  // The expected points without a cube.
  float equity() const {
    return 2 * of[kWin] - 1 + of[kWinGammon] + of[kWinBackgammon] - of[kLoseGammon] -
           of[kLoseBackgammon];
  }
};

struct Weights {
  alignas(32) float in[kInputs][kHidden];
  alignas(32) float bias[kHidden];
  alignas(32) float out[kOutputs][kHidden];
  float out_bias[kOutputs];
  float rest[3];  // 0: the size is one of whole lanes
};
inline constexpr std::size_t kFloats = sizeof(Weights) / sizeof(float);

// Contact, race.
struct Networks {
  Weights of[2];
};

#define BACKGAMMON_KERNEL Portable
#define BACKGAMMON_TARGET
#include "kernel.hpp"
#undef BACKGAMMON_KERNEL
#undef BACKGAMMON_TARGET

#if defined(ZERMELO_X86)
#define BACKGAMMON_KERNEL Avx2
#define BACKGAMMON_TARGET ZERMELO_TARGET("avx2")
#include "kernel.hpp"
#undef BACKGAMMON_KERNEL
#undef BACKGAMMON_TARGET
inline bool has_avx2() { return platform::has_avx2(); }
#else
using Avx2 = Portable;
inline bool has_avx2() { return false; }
#endif

// Corrections by the rules: a side that has borne off cannot lose a gammon.
inline void correct(Chances& c, const State& s) {
  if (s.off[1]) c.of[kWinGammon] = 0;
  if (s.off[0]) c.of[kLoseGammon] = 0;
  c.of[kWinGammon] = std::min(c.of[kWinGammon], c.of[kWin]);
  c.of[kLoseGammon] = std::min(c.of[kLoseGammon], 1 - c.of[kWin]);
  c.of[kWinBackgammon] = std::min(c.of[kWinBackgammon], c.of[kWinGammon]);
  c.of[kLoseBackgammon] = std::min(c.of[kLoseBackgammon], c.of[kLoseGammon]);
}

// For a finished game, from the view of the side on roll.
inline Chances finished(const State& s) {
  const bool won = s.off[0] == kCheckers;
  const int points = worth(won ? turned(s) : s);
  Chances c{{0, 0, 0, points >= 2 ? 1.0f : 0.0f, points >= 3 ? 1.0f : 0.0f}};
  return won ? c.turned() : c;
}

// Evaluates positions. `Kernel`: Portable or Avx2.
template <class Kernel>
class Judge {
 public:
  explicit Judge(const Networks& networks) : n_(networks) {}

  // For a position before the roll.
  Chances operator()(const State& s) const {
    if (over(s)) return finished(s);
    Inputs in;
    add_board(in, s);
    add_all_extras(in, s);
    const Weights& w = n_.of[!contact(s)];
    alignas(32) float hidden[kHidden];
    Chances c = Kernel::think(w, w.bias, in, hidden);
    correct(c, s);
    return c;
  }

  // Evaluates the positions after the plays from one position; common inputs are summed once.
  class From {
   public:
    From(const Judge& judge, const State& s) : judge_(judge), base_(turned(s)) {
      Inputs in;
      add_board(in, base_);
      Kernel::sum(judge.n_.of[0], in, sums_);
    }

    // `after`: the other side's view.
    Chances operator()(const State& after) const {
      if (over(after)) return finished(after);
      if (!contact(after)) return judge_(after);
      Inputs in;
      for (int i = 0; i <= kBar; ++i) {
        if (after.at[i] != base_.at[i]) add_point(in, i, base_.at[i], after.at[i]);
      }
      add_all_extras(in, after);
      alignas(32) float hidden[kHidden];
      Chances c = Kernel::think(judge_.n_.of[0], sums_, in, hidden);
      correct(c, after);
      return c;
    }

   private:
    const Judge& judge_;
    const State base_;
    alignas(32) float sums_[kHidden];
  };

  struct Best {
    Action play;
    State after;
    Chances chances;  // the mover's
    float equity;
  };

  // The best play of a roll.
  static Best best(const From& from, const State& rolled) {
    Action plays[kMostPlays];
    const int count = Plays::list(rolled, plays, kMostPlays);
    Best found{0, {}, {}, -4};
    for (int i = 0; i < count; ++i) {
      const State after = played(rolled, plays[i]);
      const Chances c = from(after).turned();
      const float equity = c.equity();
      if (equity > found.equity) found = {plays[i], after, c, equity};
    }
    return found;
  }

 private:
  const Networks& n_;
};

}  // namespace zermelo::backgammon
