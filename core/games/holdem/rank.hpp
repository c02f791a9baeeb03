// How good seven cards are: a number from 0 to 7461, one for each of the classes that five cards
// fall into, the greater the better; equal for hands that share the pot.
//
// A hand is two sums over its cards, so that cards are added one by one:
//
//   mask  63..48     47..32     31..16     15..0
//         spades     hearts     diamonds   clubs      bit r of a lane: the card of rank r
//   sum   47..44     43..40     39..36     35..32     31..17         16..0
//         3 + how many of each suit (bit 3: a flush)  ranks 7..12    ranks 0..6, in base 5
//
// How many cards of each rank there are is a number of base 5, in two halves; each half has a table
// of where it stands among those of as many cards, and the two together are an index without gaps
// into the 49,205 ways in which seven cards can fall into ranks.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace zermelo::holdem {

inline constexpr int kCards = 52, kRanks = 13, kSuits = 4, kLane = 16;
inline constexpr int kClasses = 7462;  // of five cards
inline constexpr int kCategories = 9;  // from no pair to the straight flush

// A card is 4 * rank + suit: 0 is the deuce of clubs, 51 the ace of spades.
constexpr int rank_of(int card) { return card >> 2; }
constexpr int suit_of(int card) { return card & 3; }

struct Hand {
  std::uint64_t mask = 0;
  std::uint64_t sum = 0;

  friend Hand operator+(Hand a, Hand b) { return {a.mask | b.mask, a.sum + b.sum}; }
};

class Ranks {
 public:
  static const Ranks& table() {
    static const Ranks ranks;
    return ranks;
  }

  Hand card(int c) const { return cards_[c]; }

  // Of exactly seven cards.
  int rank(Hand h) const {
    if (const std::uint64_t flush = (h.sum + kThrees) & kFlush) {
      const int suit = (std::countr_zero(flush) - 35) / 4;
      return flush_[h.mask >> (kLane * suit) & 0x1fff];
    }
    const auto ranks = static_cast<std::uint32_t>(h.sum);
    return class_[high_[ranks >> kHalfBits] + low_[ranks & (kLowSize - 1)]];
  }

  // 0: no pair, 1 a pair, 2 two pairs, 3 trips, 4 straight, 5 flush, 6 full house, 7 quads, 8
  // straight flush.
  int category(int rank) const { return category_[rank]; }

 private:
  static constexpr std::uint64_t kThrees = 0x3333ULL << 32, kFlush = 0x8888ULL << 32;
  static constexpr int kLowRanks = 7, kHalfBits = 17, kHand = 7, kOfEach = 4;
  static constexpr int kLowSize = 1 << kHalfBits, kHighSize = 15625;  // 5^6

  using Counts = std::array<int, kRanks>;

  Ranks() : low_(kLowSize), high_(kHighSize), class_(49205), flush_(1 << kRanks) {
    for (int c = 0; c < kCards; ++c) {
      const int r = rank_of(c);
      cards_[c].mask = 1ULL << (kLane * suit_of(c) + r);
      cards_[c].sum = key(r) + (1ULL << (32 + 4 * suit_of(c)));
    }
    const std::vector<int> scores = all_scores();
    const auto index = [&](int score) {
      return static_cast<std::uint16_t>(std::lower_bound(scores.begin(), scores.end(), score) -
                                        scores.begin());
    };
    for (std::size_t i = 0; i < scores.size(); ++i) {
      category_[i] = static_cast<std::uint8_t>(scores[i] >> 20);
    }
    for (int set = 0; set < 1 << kRanks; ++set) {
      if (std::popcount(static_cast<unsigned>(set)) >= 5) flush_[set] = index(flush_score(set));
    }
    number_halves();
    Counts counts{};
    each(counts, 0, kRanks, kHand, [&] {
      std::uint32_t sum = 0;
      for (int r = 0; r < kRanks; ++r) sum += counts[r] * key(r);
      class_[high_[sum >> kHalfBits] + low_[sum & (kLowSize - 1)]] = index(score(counts));
    });
  }

  static constexpr std::uint32_t key(int r) {
    std::uint32_t power = 1;
    for (int i = 0; i < r % kLowRanks; ++i) power *= 5;
    return r < kLowRanks ? power : power << kHalfBits;
  }

  // Calls `visit` with every way to have `left` cards of the ranks from `r` up to `end`.
  template <class F>
  static void each(Counts& counts, int r, int end, int left, const F& visit) {
    if (r == end) {
      if (left == 0) visit();
      return;
    }
    for (int n = 0; n <= std::min(kOfEach, left); ++n) {
      counts[r] = n;
      each(counts, r + 1, end, left - n, visit);
    }
    counts[r] = 0;
  }

  // A lower half is numbered among those of as many cards; an upper half knows where those that
  // fit it begin.
  void number_halves() {
    Counts counts{};
    int start = 0;
    for (int below = 0; below <= kHand; ++below) {
      int size = 0;
      each(counts, 0, kLowRanks, below, [&] {
        std::uint32_t sum = 0;
        for (int r = 0; r < kLowRanks; ++r) sum += counts[r] * key(r);
        low_[sum] = static_cast<std::uint16_t>(size++);
      });
      counts = {};
      each(counts, kLowRanks, kRanks, kHand - below, [&] {
        std::uint32_t sum = 0;
        for (int r = kLowRanks; r < kRanks; ++r) sum += counts[r] * key(r);
        high_[sum >> kHalfBits] = static_cast<std::uint16_t>(start);
        start += size;
      });
      counts = {};
    }
  }

  // The highest card of a straight among these ranks; -1: none. The ace stands below the deuce too.
  static int straight(unsigned set) {
    const unsigned with_ace = set << 1 | (set >> (kRanks - 1) & 1);
    const unsigned runs = with_ace & with_ace >> 1 & with_ace >> 2 & with_ace >> 3 & with_ace >> 4;
    return runs ? std::bit_width(runs) + 2 : -1;
  }

  // Categories and what decides within them, as numbers in the order of their worth.
  static int flush_score(unsigned set) {
    if (const int top = straight(set); top >= 0) return 8 << 20 | top;
    int score = 5;
    for (int i = 0; i < 5; ++i) {
      const int r = std::bit_width(set) - 1;
      score = score << 4 | r;
      set ^= 1u << r;
    }
    return score;
  }

  static int score(const Counts& counts) {
    int by_size[3] = {-1, -1, -1};  // the first and the second group of equal cards
    int size[2] = {0, 0};
    unsigned set = 0;
    for (int r = 0; r < kRanks; ++r) set |= (counts[r] > 0) << r;
    for (int at = 0; at < 2; ++at) {
      for (int r = kRanks - 1; r >= 0; --r) {
        if (r != by_size[0] && counts[r] > size[at]) size[at] = counts[r], by_size[at] = r;
      }
    }
    const int kind = size[0] == 4                   ? 7
                     : size[0] == 3 && size[1] >= 2 ? 6
                     : straight(set) >= 0           ? 4
                     : size[0] == 3                 ? 3
                     : size[0] == 2 && size[1] == 2 ? 2
                     : size[0] == 2                 ? 1
                                                    : 0;
    if (kind == 4) return 4 << 20 | straight(set);
    constexpr int kNamed[] = {0, 1, 2, 1, 0, 0, 2, 1};   // groups that count, by category
    constexpr int kOthers[] = {5, 3, 1, 2, 0, 0, 0, 1};  // cards beside them
    int result = kind, digits = 0;
    for (int i = 0; i < kNamed[kind]; ++i, ++digits) {
      result = result << 4 | by_size[i];
      set &= ~(1u << by_size[i]);
    }
    for (int i = 0; i < kOthers[kind]; ++i, ++digits) {
      const int r = std::bit_width(set) - 1;
      result = result << 4 | r;
      set ^= 1u << r;
    }
    return result << 4 * (5 - digits);
  }

  // Of all classes of five cards, the worst first.
  static std::vector<int> all_scores() {
    std::vector<int> found;
    Counts counts{};
    each(counts, 0, kRanks, 5, [&] { found.push_back(score(counts)); });
    for (unsigned set = 0; set < 1u << kRanks; ++set) {
      if (std::popcount(set) == 5) found.push_back(flush_score(set));
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

  std::array<Hand, kCards> cards_;
  std::vector<std::uint16_t> low_, high_, class_, flush_;
  std::array<std::uint8_t, kClasses> category_;
};

}  // namespace zermelo::holdem
