// Hints for Monte Carlo tree search: the playout policy and the priors.
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "../../parts/random.hpp"
#include "eyespace.hpp"
#include "features.hpp"
#include "shapes.hpp"

namespace zermelo::go {

// Learned weights. Empty vectors: by rule of thumb.
struct Weights {
  std::vector<float> moves;               // one per feature, for priors
  std::vector<float> playout;             // the same, of the features that playouts look at
  std::vector<ShapeTable::Entry> shapes;  // of larger patterns, for priors
};

// Weights by rule of thumb, for a policy without learned ones.
inline std::vector<float> rough_weights() {
  using namespace feature;
  std::vector<float> w(static_cast<std::size_t>(count()), 1.0F);
  w[kPass] = 0.02F, w[kPass + 1] = 0.05F;
  w[kCapture] = 6, w[kCapture + 1] = 20, w[kCapture + 2] = 30;
  w[kEscape] = 3, w[kEscape + 1] = 10, w[kEscape + 2] = 0.2F;
  w[kSelfAtari] = 0.1F, w[kSelfAtari + 1] = 0.05F, w[kSelfAtari + 2] = 0.02F;
  w[kAtari] = 2, w[kAtari + 1] = 4, w[kAtari + 2] = 8, w[kAtari + 3] = 16;
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
      : finder_(size),
        shapes_(size),
        weights_(weights.moves.empty() ? rough_weights() : weights.moves),
        playout_(weights.playout.empty() ? rough_weights() : weights.playout) {
    if (!weights.shapes.empty()) table_.fill(weights.shapes);
    const PatternClasses& classes = PatternClasses::all();
    pattern_.resize(1 << 16);
    for (int i = 0; i < 1 << 16; ++i) {
      const auto pattern = static_cast<std::uint16_t>(i);
      pattern_[i] =
          B::is_eye(pattern, kBlack) ? 0 : playout_[feature::kPattern + classes.of(pattern)];
    }
    for (int row = 0; row < size; ++row) {
      for (int column = 0; column < size; ++column) {
        const Point p = B::at(row, column);
        line_[p] = playout_[feature::kNearLine + finder_.line(p)];
      }
    }
    // Moves far from the last one are not distinguished.
    for (int i = kFar; i < 16; ++i) far_ += playout_[feature::kDistance + i] / (16 - kFar);
  }

  Features features(const B& s, Point p) const { return finder_.of(s, p); }

  float prior(const B& s, Point p) const {
    const Features f = features(s, p);
    float weight = 1;
    for (int i = 0; i < f.count; ++i) weight *= weights_[f.list[i]];
    if (p && !table_.empty()) {
      // A larger pattern is known only if the smaller ones are.
      shapes_.each(s, p, [&](int, std::uint64_t hash) {
        const float w = table_.find(hash);
        if (w != 0) weight *= w;
        return w != 0;
      });
    }
    return weight;
  }

  // The hashes of the patterns of each level around a point; the mover's view.
  void shapes(const B& s, Point p, std::uint64_t* out) const {
    shapes_.each(s, p, [&](int level, std::uint64_t hash) { return out[level] = hash, true; });
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
    }
    // 2. By the weights of patterns, lines and the distance to the last move.
    return by_weight(s, more, legal);
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

  // Softmax over the points beside the last move and a random sample of all points, whose weights
  // stand for those of all. A choice that is illegal or a self-atari is dropped, and the next is
  // made among the rest.
  template <class Legal>
  Point by_weight(const B& s, Random& random, const Legal& legal) const {
    if (s.empty_count == 0) return 0;
    Point list[8 + kSample];
    float weight[8 + kSample], sum = 0;
    int count = 0;
    const auto consider = [&](Point p, float scale) {
      if (s.colour[p] != kEmpty) return;
      weight[count] = pattern_[seen_by(s.pattern[p], s.mover)] * line_[p] * scale;
      sum += weight[count];
      list[count++] = p;
    };
    if (s.last) {
      const float direct = playout_[feature::kDistance],
                  diagonal = playout_[feature::kDistance + 1];
      for (const int d : B::kDirect) consider(static_cast<Point>(s.last + d), direct);
      for (const int d : B::kDiagonal) consider(static_cast<Point>(s.last + d), diagonal);
    }
    const float others = far_ * static_cast<float>(s.empty_count) / kSample;
    const std::uint64_t bits = random.next();
    for (int i = 0; i < kSample; ++i) {
      const auto part = static_cast<std::uint32_t>(bits >> 16 * i & 0xffff);
      consider(s.empty[part * s.empty_count >> 16], others);
    }
    for (int left = count; left > 0; --left) {
      float r = static_cast<float>(random.part()) * sum;
      int i = 0;
      while (i + 1 < count && (r -= weight[i]) >= 0) ++i;
      if (weight[i] > 0 && fit(s, list[i]) && legal(list[i])) return list[i];
      sum -= weight[i], weight[i] = 0;
    }
    return anywhere(s, random, legal);
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

  // Not a self-atari, unless it captures or keeps the opponent from a second eye.
  bool fit(const B& s, Point p) const {
    const std::uint16_t around = s.pattern[p];
    const int open = around >> 1 & ~around & 0x55;
    if (open & (open - 1)) return true;  // two empty neighbours
    return liberties_after(s, p, s.mover, 2) >= 2 || sacrifices(s, p);
  }
  // Whether a self-atari puts a chain of the opponent in atari, too, and the captured stones would
  // leave it room for one eye only.
  bool sacrifices(const B& s, Point p) const {
    bool atari = false;
    for (const int d : B::kDirect) {
      const Point q = static_cast<Point>(p + d);
      if (s.colour[q] != other(s.mover)) continue;
      if (s.chain(q).in_atari()) return true;
      atari |= puts_in_atari(s, q, p);
    }
    return atari && one_eye_if_captured(s, p, s.mover);
  }

  static constexpr int kSample = 4;  // points that stand for all
  static constexpr int kFar = 6;     // feature of a distance from which all are the same

  FeatureFinder<N> finder_;
  Shapes<N> shapes_;
  std::vector<float> weights_;  // of features, for priors
  std::vector<float> playout_;  // of features, in playouts
  ShapeTable table_;
  std::vector<float> pattern_;   // weight of a 3x3 pattern as the mover sees it; 0: an eye
  float line_[B::kPoints] = {};  // weight of the distance to the border
  float far_ = 0;                // weight of a move far from the last one
};

}  // namespace zermelo::go
