// A word list as a graph of letters (DAWG) in which equal endings are one. Every word has a number,
// its place in the alphabet's order, found on the way through the graph.
//
//   node   mask: bit c - 1 for each letter c that continues a word, kEnds: a word ends here; first:
//   of its
//   arcs arc    to: the next node; before: words of this node that come before those of the arc
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "../../parts/hash.hpp"

namespace zermelo::scrabble {

inline constexpr int kSize = 15, kCells = kSize * kSize;
inline constexpr int kLongest = kSize;

class Lexicon {
 public:
  static constexpr std::uint32_t kEnds = 1u << 31, kLetters = (1u << 26) - 1;
  static constexpr std::uint32_t kNone = UINT32_MAX;

  struct Node {
    std::uint32_t mask, first;
  };
  struct Arc {
    std::uint32_t to, before;
  };

  // Words of a to z, 2 to 15 letters long, in any order.
  explicit Lexicon(std::vector<std::string> words) : words_(std::move(words)) {
    std::sort(words_.begin(), words_.end());
    words_.erase(std::unique(words_.begin(), words_.end()), words_.end());
    root_ = grow(0, words_.size(), 0);
    known_.clear();
  }

  std::size_t count() const { return words_.size(); }
  const std::string& word(std::uint32_t number) const { return words_[number]; }
  std::uint32_t root() const { return root_; }
  std::size_t nodes() const { return nodes_.size(); }
  std::size_t arcs() const { return arcs_.size(); }
  const Node& node(std::uint32_t at) const { return nodes_[at]; }
  bool ends(std::uint32_t at) const { return nodes_[at].mask & kEnds; }

  // The arc of a letter, from 1, that the node has.
  const Arc& arc(const Node& n, int letter) const {
    return arcs_[n.first + std::popcount(n.mask & ((1u << (letter - 1)) - 1))];
  }
  // The node after a letter, or kNone.
  std::uint32_t after(std::uint32_t at, int letter) const {
    const Node& n = nodes_[at];
    return n.mask >> (letter - 1) & 1 ? arc(n, letter).to : kNone;
  }

  // The number of a word, or kNone.
  std::uint32_t number(const std::string& word) const {
    const auto at = std::lower_bound(words_.begin(), words_.end(), word);
    return at != words_.end() && *at == word ? static_cast<std::uint32_t>(at - words_.begin())
                                             : kNone;
  }

 private:
  // The node of the words [first, last), which share `depth` letters.
  std::uint32_t grow(std::size_t first, std::size_t last, std::size_t depth) {
    Node n{0, 0};
    std::uint32_t before = 0;
    if (first < last && words_[first].size() == depth) n.mask |= kEnds, ++before, ++first;
    std::vector<Arc> own;
    while (first < last) {
      const char c = words_[first][depth];
      std::size_t end = first;
      while (end < last && words_[end][depth] == c) ++end;
      n.mask |= 1u << (c - 'a');
      own.push_back({grow(first, end, depth + 1), before});
      before += static_cast<std::uint32_t>(end - first);
      first = end;
    }
    return kept(n, own);
  }

  // The same node if there is one already.
  std::uint32_t kept(Node n, const std::vector<Arc>& own) {
    std::uint64_t h = mix(n.mask);
    for (const Arc& a : own) h = mix(h ^ (a.to + (std::uint64_t{a.before} << 32)));
    const auto [from, to] = known_.equal_range(h);
    for (auto i = from; i != to; ++i) {
      const Node& other = nodes_[i->second];
      const auto same = [](const Arc& a, const Arc& b) {
        return a.to == b.to && a.before == b.before;
      };
      if (other.mask == n.mask &&
          std::equal(own.begin(), own.end(), arcs_.begin() + other.first, same)) {
        return i->second;
      }
    }
    n.first = static_cast<std::uint32_t>(arcs_.size());
    arcs_.insert(arcs_.end(), own.begin(), own.end());
    nodes_.push_back(n);
    known_.emplace(h, static_cast<std::uint32_t>(nodes_.size() - 1));
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }

  std::vector<std::string> words_;
  std::vector<Node> nodes_;
  std::vector<Arc> arcs_;
  std::unordered_multimap<std::uint64_t, std::uint32_t> known_;  // while it is built
  std::uint32_t root_ = 0;
};

}  // namespace zermelo::scrabble
