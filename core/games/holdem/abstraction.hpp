// Card abstraction: groups of hands that share a strategy. Before the flop the 169 kinds of hands
// up to suits; on the flop and the turn k-means clusters of the distribution of hand strength; on
// the river quantiles of hand strength. Groups of earlier rounds are not remembered (imperfect
// recall). In every round a greater number is a better hand.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <vector>

#include "../../parts/random.hpp"
#include "strength.hpp"

namespace zermelo::holdem {

inline constexpr int kStarts = 169;

// The kind of a pair before the flop: pairs, suited, offsuit.
inline int start_of(int pair) {
  const Pairs& pairs = Pairs::table();
  const int a = rank_of(pairs.high[pair]), b = rank_of(pairs.low[pair]);
  const bool suited = suit_of(pairs.high[pair]) == suit_of(pairs.low[pair]);
  return suited ? b * kRanks + a : a * kRanks + b;
}

// By pairs of `Standing`, for each of the four rounds.
using Groups = std::array<std::array<std::uint16_t, kLive>, 4>;

class Abstraction {
 public:
  static constexpr int kMostGroups = 1000;

  using Centres = std::vector<Prospect>;  // the weakest first

  Abstraction(Centres flop, Centres turn, int river)
      : centre_{std::move(flop), std::move(turn)}, river_(river) {
    for (int i = 0; i < 2; ++i) wide_[i].assign(centre_[i].begin(), centre_[i].end());
  }

  int groups(int round) const {
    return round == 0 ? kStarts : round == 3 ? river_ : static_cast<int>(centre_[round - 1].size());
  }
  const Centres& centres(int round) const { return centre_[round - 1]; }

  // Of all hands on a board; flops are remembered.
  void group(const int* board, const Standing& standing, Groups& out) {
    const std::vector<std::uint16_t>& flop = on_flop(board);
    prospects_.look(board, 4);
    for (int i = 0; i < kLive; ++i) {
      const int p = standing.pair[i];
      out[0][i] = static_cast<std::uint16_t>(start_of(p));
      out[1][i] = flop[turned_[p]];
      out[2][i] = static_cast<std::uint16_t>(nearest(wide_[1], prospects_.of(p)));
      out[3][i] = static_cast<std::uint16_t>(standing.twice[i] * river_ / (2 * kLive));
    }
  }

  // Of every pair that a board of 0, 3, 4 or 5 cards leaves; the others have none.
  static constexpr std::uint16_t kNone = 0xffff;
  std::vector<std::uint16_t> group(const int* board, int count) {
    std::vector<std::uint16_t> out(kPairs, kNone);
    if (count == 0) {
      for (int p = 0; p < kPairs; ++p) out[p] = static_cast<std::uint16_t>(start_of(p));
    } else if (count == 3) {
      const std::vector<std::uint16_t>& flop = on_flop(board);
      for (int p = 0; p < kPairs; ++p) out[p] = flop[turned_[p]];
    } else if (count == 4) {
      prospects_.look(board, count);
      for (const std::uint16_t p : prospects_.live()) {
        out[p] = static_cast<std::uint16_t>(nearest(wide_[1], prospects_.of(p)));
      }
    } else {
      const Standing standing(board);
      for (int i = 0; i < kLive; ++i) {
        out[standing.pair[i]] =
            static_cast<std::uint16_t>(standing.twice[i] * river_ / (2 * kLive));
      }
    }
    return out;
  }

  // Clusters fitted on random boards.
  static Centres find(int cards_open, int groups, int boards, std::uint64_t seed) {
    constexpr int kOfEach = 64, kRounds = 24;
    Random random(seed);
    Prospects prospects;
    std::vector<Prospect> seen;
    for (int i = 0; i < boards; ++i) {
      int board[kBoard];
      draw(board, cards_open, random);
      prospects.look(board, cards_open);
      const auto& live = prospects.live();
      for (int j = 0; j < kOfEach; ++j) {
        seen.push_back(prospects.of(live[random.below(static_cast<std::uint32_t>(live.size()))]));
      }
    }
    return means(seen, groups, kRounds, random);
  }

  static void draw(int* board, int count, Random& random) {
    for (int i = 0; i < count; ++i) {
      do {
        board[i] = static_cast<int>(random.below(kCards));
      } while (std::find(board, board + i, board[i]) != board + i);
    }
  }

 private:
  // Centres with room for differences.
  struct Wide {
    std::array<std::int16_t, kBins> at;
    Wide(const Prospect& p) {
      for (int k = 0; k < kBins; ++k) at[k] = p[k];
    }
  };

  static int nearest(const std::vector<Wide>& centres, const Prospect& p) {
    const Wide mine(p);
    int best = 0, least = std::numeric_limits<int>::max();
    for (std::size_t c = 0; c < centres.size(); ++c) {
      int distance = 0;
      for (int k = 0; k < kBins; ++k) {
        const int d = mine.at[k] - centres[c].at[k];
        distance += d * d;
      }
      if (distance < least) least = distance, best = static_cast<int>(c);
    }
    return best;
  }

  // k-means; an empty cluster gets a random hand as its centre.
  static Centres means(const std::vector<Prospect>& seen, int groups, int rounds, Random& random) {
    const auto any = [&] { return seen[random.below(static_cast<std::uint32_t>(seen.size()))]; };
    Centres centres(groups);
    for (auto& c : centres) c = any();
    for (int round = 0; round < rounds; ++round) {
      const std::vector<Wide> wide(centres.begin(), centres.end());
      std::vector<std::array<std::int64_t, kBins + 1>> sums(groups);
      for (const Prospect& p : seen) {
        auto& sum = sums[nearest(wide, p)];
        for (int k = 0; k < kBins; ++k) sum[k] += p[k];
        ++sum[kBins];
      }
      for (int c = 0; c < groups; ++c) {
        const std::int64_t n = sums[c][kBins];
        if (n == 0) {
          centres[c] = any();
          continue;
        }
        for (int k = 0; k < kBins; ++k) {
          centres[c][k] = static_cast<std::uint8_t>((sums[c][k] + n / 2) / n);
        }
      }
    }
    const auto weak = [](const Prospect& p) {
      int sum = 0;
      for (const int x : p) sum += x;
      return sum;
    };
    std::sort(centres.begin(), centres.end(), [&](const Prospect& a, const Prospect& b) {
      return weak(a) != weak(b) ? weak(a) > weak(b) : a > b;
    });
    return centres;
  }

  // Flops that differ in the names of the suits are one: looked at once. Leaves in `turned_` which
  // pair of that flop each pair here is.
  const std::vector<std::uint16_t>& on_flop(const int* board) {
    int suits[kSuits] = {0, 1, 2, 3}, chosen[kSuits] = {0, 1, 2, 3};
    std::array<int, 3> least{kCards, kCards, kCards};
    do {
      std::array<int, 3> flop;
      for (int i = 0; i < 3; ++i) flop[i] = 4 * rank_of(board[i]) + suits[suit_of(board[i])];
      std::sort(flop.begin(), flop.end());
      if (flop < least) least = flop, std::copy(suits, suits + kSuits, chosen);
    } while (std::next_permutation(suits, suits + kSuits));
    const Pairs& pairs = Pairs::table();
    const auto turn = [&](int c) { return 4 * rank_of(c) + chosen[suit_of(c)]; };
    for (int p = 0; p < kPairs; ++p) {
      turned_[p] = static_cast<std::uint16_t>(pair_of(turn(pairs.high[p]), turn(pairs.low[p])));
    }
    auto [found, fresh] = flops_.try_emplace(least);
    if (fresh) {
      found->second.assign(kPairs, kNone);
      prospects_.look(least.data(), 3);
      for (const std::uint16_t p : prospects_.live()) {
        found->second[p] = static_cast<std::uint16_t>(nearest(wide_[0], prospects_.of(p)));
      }
    }
    return found->second;
  }

  Centres centre_[2];
  std::vector<Wide> wide_[2];
  int river_;
  Prospects prospects_;
  std::map<std::array<int, 3>, std::vector<std::uint16_t>> flops_;
  std::array<std::uint16_t, kPairs> turned_;
};

}  // namespace zermelo::holdem
