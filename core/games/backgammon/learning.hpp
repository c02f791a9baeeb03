// Temporal-difference learning in self-play: the estimate of a position moves towards the estimate
// after the next roll and play (Tesauro 1992).
#pragma once

#include "../../parts/hash.hpp"
#include "network.hpp"

namespace zermelo::backgammon {

struct Random {
  std::uint64_t seed;
  std::uint64_t next() { return mix(seed += 0x9e3779b97f4a7c15ULL); }
  int below(int n) {
    return static_cast<int>((next() >> 32) * static_cast<std::uint64_t>(n) >> 32);
  }
};

inline State start() {
  State s{};
  s.at[24] = 2, s.at[13] = 5, s.at[8] = 3, s.at[6] = 5;
  s.at[1] = -2, s.at[12] = -5, s.at[17] = -3, s.at[19] = -5;
  s.opening = 1;
  return s;
}

inline State roll(const State& s, Random& random) {
  int a, b;
  do {
    a = 1 + random.below(6), b = 1 + random.below(6);
  } while (s.opening && a == b);
  return rolled(s, std::max(a, b), std::min(a, b));
}

// Small random weights.
inline void shake(Networks& n, std::uint64_t seed) {
  Random random{seed};
  const auto uniform = [&](float most) {
    return most * (static_cast<float>(random.next() >> 40) / (1 << 23) - 1);
  };
  n = {};
  for (Weights& w : n.of) {
    for (auto& column : w.in) {
      for (float& x : column) x = uniform(0.15f);
    }
    for (auto& row : w.out) {
      for (float& x : row) x = uniform(0.1f);
    }
    for (float& x : w.out_bias) x = -2;
    w.out_bias[kWin] = 0;
  }
}

template <class Kernel>
class Learner {
 public:
  Learner(Networks& networks, std::uint64_t seed) : n_(networks), judge_(networks), random_{seed} {}

  double error = 0;             // squared, of the equity, summed over the positions
  std::uint64_t positions = 0;  // that were learned from

  // One game.
  void play(float rate) {
    State s = start();
    while (!over(s)) {
      const typename Judge<Kernel>::From from(judge_, s);
      const auto best = Judge<Kernel>::best(from, roll(s, random_));
      learn(s, best.chances, rate);
      s = best.after;
    }
  }

 private:
  void learn(const State& s, const Chances& target, float rate) {
    Inputs in;
    add_board(in, s);
    add_all_extras(in, s);
    Weights& w = n_.of[!contact(s)];
    alignas(32) float hidden[kHidden];
    const Chances said = Kernel::think(w, w.bias, in, hidden);
    float wrong[kOutputs];
    for (int k = 0; k < kOutputs; ++k) wrong[k] = target.of[k] - said.of[k];
    const double off = target.equity() - said.equity();
    error += off * off;
    ++positions;
    Kernel::learn(w, in, hidden, wrong, rate);
  }

  Networks& n_;
  const Judge<Kernel> judge_;
  Random random_;
};

// Games of two players with the same dice from both sides: the points that the first wins on
// average in each pair.
template <class Kernel>
void play_pairs(const Networks& a, const Networks& b, int pairs, std::uint64_t seed,
                float* points) {
  const Judge<Kernel> judges[2] = {Judge<Kernel>(a), Judge<Kernel>(b)};
  for (int i = 0; i < pairs; ++i) {
    const std::uint64_t dice = mix(seed + static_cast<std::uint64_t>(i));
    float sum = 0;
    for (int first = 0; first < 2; ++first) {
      Random random{dice};
      State s = start();
      int mover = first;
      for (; !over(s); mover ^= 1) {
        const typename Judge<Kernel>::From from(judges[mover], s);
        s = Judge<Kernel>::best(from, roll(s, random)).after;
      }
      // The side on roll has lost.
      sum += static_cast<float>(mover == 0 ? -worth(s) : worth(s));
    }
    points[i] = sum / 2;
  }
}

}  // namespace zermelo::backgammon
