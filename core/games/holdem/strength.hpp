// All hands on a board at once: how strong each is at the end, and how that may turn out earlier.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "rank.hpp"

namespace zermelo::holdem {

inline constexpr int kPairs = 1326;  // of 52 cards
inline constexpr int kBoard = 5;
inline constexpr int kLive = 1081;  // pairs that five open cards leave

// Two cards, numbered: the higher one decides first.
constexpr int pair_of(int a, int b) { return a > b ? a * (a - 1) / 2 + b : b * (b - 1) / 2 + a; }

// What is fixed of every pair.
struct Pairs {
  std::array<std::uint8_t, kPairs> high, low;
  std::array<Hand, kPairs> hand;

  static const Pairs& table() {
    static const Pairs pairs;
    return pairs;
  }

 private:
  Pairs() {
    const Ranks& ranks = Ranks::table();
    for (int a = 1; a < kCards; ++a) {
      for (int b = 0; b < a; ++b) {
        const int p = pair_of(a, b);
        high[p] = static_cast<std::uint8_t>(a);
        low[p] = static_cast<std::uint8_t>(b);
        hand[p] = ranks.card(a) + ranks.card(b);
      }
    }
  }
};

inline Hand sum_of(const int* cards, int count) {
  Hand all;
  for (int i = 0; i < count; ++i) all = all + Ranks::table().card(cards[i]);
  return all;
}

// How a pair stands on the river, by the part of all pairs on that board that it beats (ties count
// half). Pairs of one rank are alike: which cards it takes from the other is left out of account.
inline constexpr int kBins = 16;

// How often a pair ends in each sixteenth, from the weakest, added up, of 255: what is above bin k
// is 255 less the k-th number. Two pairs are near where these lines are (that is nearly the earth
// mover's distance of how they end).
using Prospect = std::array<std::uint8_t, kBins>;

class Prospects {
 public:
  // For a board of 3 or 4 cards: of each pair that it leaves (the river has `Standing`).
  void look(const int* board, int count) {
    const Pairs& pairs = Pairs::table();
    const Hand open = sum_of(board, count);
    live_.clear();
    for (int p = 0; p < kPairs; ++p) {
      if (!(pairs.hand[p].mask & open.mask)) live_.push_back(static_cast<std::uint16_t>(p));
    }
    for (auto& bins : ends_) bins.fill(0);
    for (int a = 0; a < kCards; ++a) {
      const Hand one = Ranks::table().card(a);
      if (one.mask & open.mask) continue;
      if (count == kBoard - 1) {
        run_out(open + one, one.mask);
        continue;
      }
      for (int b = 0; b < a; ++b) {
        const Hand two = Ranks::table().card(b);
        if (!(two.mask & open.mask)) run_out(open + one + two, one.mask | two.mask);
      }
    }
  }

  const std::vector<std::uint16_t>& live() const { return live_; }

  Prospect of(int pair) const {
    int total = 0, sum = 0;
    for (const int n : ends_[pair]) total += n;
    Prospect line;
    for (int k = 0; k < kBins; ++k) {
      sum += ends_[pair][k];
      line[k] = static_cast<std::uint8_t>((255 * sum + total / 2) / total);
    }
    return line;
  }

 private:
  void run_out(Hand board, std::uint64_t fresh) {
    const Pairs& pairs = Pairs::table();
    const Ranks& ranks = Ranks::table();
    below_.fill(0);
    int n = 0;
    for (const std::uint16_t p : live_) {
      if (pairs.hand[p].mask & fresh) continue;
      const int rank = ranks.rank(pairs.hand[p] + board);
      pair_[n] = p;
      rank_[n++] = static_cast<std::uint16_t>(rank);
      ++below_[rank + 1];
    }
    for (int r = 0; r < kClasses; ++r) below_[r + 1] = below_[r + 1] + below_[r];
    for (int i = 0; i < n; ++i) {
      const int twice = below_[rank_[i]] + below_[rank_[i] + 1];  // beaten, and half of the equal
      ++ends_[pair_[i]][twice * kBins / (2 * kLive)];
    }
  }

  std::vector<std::uint16_t> live_;
  std::array<std::uint16_t, kClasses + 1> below_;
  std::array<std::uint16_t, kLive> pair_, rank_;
  std::array<std::array<std::uint16_t, kBins>, kPairs> ends_;
};

// The pairs that a whole board leaves, the worst first.
struct Standing {
  std::array<std::uint16_t, kLive> pair, rank;
  std::array<std::uint8_t, kLive> high, low;  // its cards
  std::array<std::uint16_t, kLive> twice;     // pairs beaten, and those as good: of 2 * kLive

  explicit Standing(const int* board) {
    const Pairs& pairs = Pairs::table();
    const Hand open = sum_of(board, kBoard);
    std::array<std::uint32_t, kLive> order;
    int n = 0;
    for (int p = 0; p < kPairs; ++p) {
      if (pairs.hand[p].mask & open.mask) continue;
      order[n++] = static_cast<std::uint32_t>(Ranks::table().rank(pairs.hand[p] + open)) << 16 | p;
    }
    std::sort(order.begin(), order.end());
    for (int i = 0, first = 0; i < kLive; i = first) {
      while (first < kLive && order[first] >> 16 == order[i] >> 16) ++first;
      for (int j = i; j < first; ++j) {
        pair[j] = static_cast<std::uint16_t>(order[j]);
        rank[j] = static_cast<std::uint16_t>(order[j] >> 16);
        high[j] = pairs.high[pair[j]];
        low[j] = pairs.low[pair[j]];
        twice[j] = static_cast<std::uint16_t>(i + first);
      }
    }
  }
};

}  // namespace zermelo::holdem
