// Hints for Monte Carlo tree search: the playout policy and the priors.
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "../../parts/random.hpp"
#include "features.hpp"

namespace zermelo::go {

using Weights = std::vector<float>;  // one per feature

// Weights by rule of thumb, for a policy without learned ones.
inline Weights rough_weights() {
  using namespace feature;
  Weights w(static_cast<std::size_t>(count()), 1.0F);
  w[kPass] = 0.02F, w[kPass + 1] = 0.05F;
  w[kCapture] = 6, w[kCapture + 1] = 20, w[kCapture + 2] = 30;
  w[kEscape] = 3, w[kEscape + 1] = 10;
  w[kSelfAtari] = 0.1F, w[kSelfAtari + 1] = 0.05F;
  w[kAtari] = 2, w[kAtari + 1] = 4;
  const float line[5] = {0.05F, 0.3F, 1, 1.2F, 1}, near[5] = {0.3F, 0.8F, 1, 1, 1};
  for (int i = 0; i < 5; ++i) w[kLine + i] = line[i], w[kNearLine + i] = near[i];
  for (int i = 0; i < 16; ++i) {
    w[kDistance + i] = 1 + 6 * std::exp(-static_cast<float>(i) / 3);
    w[kDistance2 + i] = 1 + 2 * std::exp(-static_cast<float>(i) / 3);
  }
  return w;
}

template <int N>
class Policy {
  using B = Board<N>;

 public:
  // Empty weights: those by rule of thumb.
  Policy(int size, const Weights& weights)
      : finder_(size), weights_(weights.empty() ? rough_weights() : weights) {
    const PatternClasses& classes = PatternClasses::all();
    pattern_.resize(1 << 16);
    for (int i = 0; i < 1 << 16; ++i) {
      pattern_[i] = weights_[feature::kPattern + classes.of(static_cast<std::uint16_t>(i))];
    }
  }

  Features features(const B& s, Point p) const { return finder_.of(s, p); }

  float prior(const B& s, Point p) const {
    const Features f = features(s, p);
    float weight = 1;
    for (int i = 0; i < f.count; ++i) weight *= weights_[f.list[i]];
    return weight;
  }

  // A move of a playout; 0 is a pass. `legal` answers for an empty point.
  template <class Legal>
  Point playout(const B& s, std::uint64_t random, const Legal& legal) const {
    Random more(random);
    if (s.last) {
      // 1. Capture, or save a chain from atari, next to the last move.
      Points urgent;
      collect_urgent(s, urgent);
      while (urgent.count) {
        const int i = static_cast<int>(more.below(urgent.count));
        if (legal(urgent.list[i])) return urgent.list[i];
        urgent.list[i] = urgent.list[--urgent.count];
      }
      // 2. A point beside the last move, by the weight of its 3x3 pattern.
      if (const Point p = beside_last(s, more, legal)) return p;
    }
    // 3. Any other point that is no eye.
    return anywhere(s, more, legal);
  }

 private:
  struct Points {
    static constexpr int kMost = 24;
    int count = 0;
    Point list[kMost];
    void add(Point p) {
      if (count < kMost && std::find(list, list + count, p) == list + count) list[count++] = p;
    }
  };

  void collect_urgent(const B& s, Points& out) const {
    const int player = s.mover;
    const auto consider = [&](Point q) {
      if (!s.stone(q) || !s.chain(q).in_atari()) return;
      if (s.colour[q] != player) return out.add(s.chain(q).only_liberty());
      const Point escape = s.chain(q).only_liberty();
      if (liberties_after(s, escape, player, 2) >= 2) out.add(escape);
      Point r = q;
      do {
        for (const int d : B::kDirect) {
          const Point t = static_cast<Point>(r + d);
          if (s.colour[t] == other(player) && s.chain(t).in_atari()) {
            out.add(s.chain(t).only_liberty());
          }
        }
        r = s.next[r];
      } while (r != q);
    };
    consider(s.last);
    for (const int d : B::kDirect) consider(static_cast<Point>(s.last + d));
  }

  template <class Legal>
  Point beside_last(const B& s, Random& random, const Legal& legal) const {
    Point list[8];
    float weight[8], sum = 0;
    int count = 0;
    const auto consider = [&](int d) {
      const Point p = static_cast<Point>(s.last + d);
      if (s.colour[p] != kEmpty || s.eye(p, s.mover)) return;
      weight[count] = pattern_[seen_by(s.pattern[p], s.mover)];
      sum += weight[count];
      list[count++] = p;
    };
    for (const int d : B::kDirect) consider(d);
    for (const int d : B::kDiagonal) consider(d);
    double r = random.part() * (sum + kElsewhere);
    for (int i = 0; i < count; ++i) {
      if ((r -= weight[i]) < 0) return fit(s, list[i]) && legal(list[i]) ? list[i] : Point{0};
    }
    return 0;
  }

  template <class Legal>
  Point anywhere(const B& s, Random& random, const Legal& legal) const {
    const int count = s.empty_count;
    if (count == 0) return 0;
    int i = static_cast<int>(random.below(count));
    Point bad = 0;
    for (int tried = 0; tried < count; ++tried, i = i + 1 == count ? 0 : i + 1) {
      const Point p = s.empty[i];
      if (s.eye(p, s.mover) || !legal(p)) continue;
      if (fit(s, p)) return p;
      bad = p;
    }
    return bad;
  }

  // Not a self-atari.
  bool fit(const B& s, Point p) const {
    const std::uint16_t around = s.pattern[p];
    const int open = around >> 1 & ~around & 0x55;
    if (open & (open - 1)) return true;  // two empty neighbours
    return liberties_after(s, p, s.mover, 2) >= 2;
  }

  static constexpr double kElsewhere = 2.0;  // weight of a move that is not beside the last

  FeatureFinder<N> finder_;
  Weights weights_;
  std::vector<float> pattern_;  // weight of a 3x3 pattern as the mover sees it
};

}  // namespace zermelo::go
