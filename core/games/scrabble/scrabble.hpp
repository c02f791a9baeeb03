// Scrabble for two: words on a board from hidden racks, tiles from a hidden bag.
//
// Chance draws tile by tile. A turn is a play, an exchange (while the bag has at least seven tiles)
// or a pass. All words must be in the word list. A player who goes out when the bag is empty gains
// the points of the opponent's tiles, and the opponent loses them. After six turns in a row without
// points both lose the points of their own tiles.
//
// Design: an action encodes itself: word number, place and blanks make one number below 2^32
// (codes.hpp), so `play` and the notation need no list of plays. A state that was sampled for a
// belief has its bag in a fixed order, so no chance nodes follow: the hidden information is both
// what chance has drawn and what it will draw.
#pragma once

#include <cmath>
#include <memory>
#include <type_traits>

#include "../../parts/random.hpp"
#include "codes.hpp"

namespace zermelo {

class Scrabble {
 public:
  static constexpr int kKinds = scrabble::kKinds, kCells = scrabble::kCells;
  static constexpr int kMostScore = 5000, kIdle = 6;

  struct State {
    Action last;  // the last play; of an exchange how many tiles; 0: none
    std::int16_t score[2];
    std::int16_t gained;         // by the last play
    std::uint8_t board[kCells];  // 0, a letter from 1, or that with kBlank
    std::uint8_t rack[2][kKinds], bag[kKinds];
    std::uint8_t aside[kKinds];  // given back; in the bag again when the new ones are drawn
    std::uint8_t order[scrabble::kTiles];  // the bag's tiles plus 1, the last is drawn first; or 0
    std::uint8_t ordered, mover, idle, over;
    std::uint8_t due[2];  // tiles to be drawn
    std::uint8_t unused[3];
  };
  static_assert(std::has_unique_object_representations_v<State>);

  Scrabble(std::shared_ptr<const scrabble::Lexicon> words,
           std::shared_ptr<const scrabble::Codes> codes, bool points)
      : words_(std::move(words)), codes_(std::move(codes)), points_(points) {}

  const scrabble::Lexicon& words() const { return *words_; }
  const scrabble::Codes& codes() const { return *codes_; }

  Facts facts() const {
    const double most = points_ ? kInfinity : 1;
    return {.chance = true, .hidden = true, .utility_min = -most, .utility_max = most, .step = 1};
  }

  State initial() const {
    State s{};
    for (int i = 0; i < kKinds; ++i) s.bag[i] = static_cast<std::uint8_t>(scrabble::kCount[i]);
    s.due[0] = s.due[1] = scrabble::kRack;
    return s;
  }

  int to_move(const State& s) const {
    if (s.over) return kTerminal;
    return s.due[0] + s.due[1] ? kChance : s.mover;
  }

  int actions(const State& s, Action* out, int capacity) const {
    int n = 0;
    const auto add = [&](Action a) {
      if (n < capacity) out[n] = a;
      ++n;
    };
    scrabble::each_play(*words_, s.board, s.rack[s.mover],
                        [&](const scrabble::Play& p) { add(codes_->code(p)); });
    std::uint8_t given[kKinds] = {};
    if (total(s.bag) >= scrabble::kFewest) each_exchange(s.rack[s.mover], given, 0, 0, add);
    add(scrabble::kExchange);
    return n;
  }

  int outcomes(const State& s, Action* out, double* odds, int capacity) const {
    const double all = total(s.bag);
    int n = 0;
    for (int kind = 0; kind < kKinds; ++kind) {
      if (!s.bag[kind]) continue;
      if (n < capacity) out[n] = static_cast<Action>(kind), odds[n] = s.bag[kind] / all;
      ++n;
    }
    return n;
  }

  State play(const State& s, Action a) const {
    State next = s;
    if (a < scrabble::kExchange) {
      draw(next, static_cast<int>(a));
    } else if (a < scrabble::kPlay) {
      give_back(next, a);
    } else {
      put(next, a);
    }
    return next;
  }

  double utility(const State& s, int player) const {
    const int spread = s.score[player] - s.score[1 - player];
    return points_ ? spread : (spread > 0) - (spread < 0);
  }

  std::uint64_t key(const State& s) const { return hash_bytes(&s, sizeof s); }

  // The board, the scores, the own tiles, and the number of the opponent's tiles.
  std::uint64_t observation(const State& s, int player) const {
    State seen = s;
    std::fill_n(seen.bag, kKinds, std::uint8_t{0});
    std::fill_n(seen.order, scrabble::kTiles, std::uint8_t{0});
    seen.ordered = 0;
    std::fill_n(seen.rack[1 - player], kKinds, std::uint8_t{0});
    seen.rack[1 - player][0] = static_cast<std::uint8_t>(total(s.rack[1 - player]));
    if (s.mover == player) {  // the opponent exchanged tiles
      const int count = total(s.aside);
      std::fill_n(seen.aside, kKinds, std::uint8_t{0});
      seen.aside[0] = static_cast<std::uint8_t>(count);
    }
    return hash_bytes(&seen, sizeof seen);
  }

  // Samples the unseen tiles uniformly, for the opponent and the bag.
  bool deal(const State& s, int player, std::uint64_t random, State& out) const {
    out = s;
    Random rng(random);
    const int other = 1 - player;
    std::uint8_t pool[scrabble::kTiles];
    const bool hides = total(s.aside) && s.mover == player;
    int n = 0, put_aside = hides ? total(s.aside) : 0;
    for (int kind = 0; kind < kKinds; ++kind) {
      const int count = s.bag[kind] + s.rack[other][kind] + (hides ? s.aside[kind] : 0);
      for (int i = 0; i < count; ++i) pool[n++] = static_cast<std::uint8_t>(kind);
    }
    for (int i = n; i > 1; --i) std::swap(pool[i - 1], pool[rng.below(i)]);
    const int held = total(s.rack[other]);
    std::fill_n(out.rack[other], kKinds, std::uint8_t{0});
    std::fill_n(out.bag, kKinds, std::uint8_t{0});
    if (hides) std::fill_n(out.aside, kKinds, std::uint8_t{0});
    std::fill_n(out.order, scrabble::kTiles, std::uint8_t{0});
    for (int i = 0; i < held; ++i) ++out.rack[other][pool[--n]];
    for (; put_aside > 0; --put_aside) ++out.aside[pool[--n]];
    const bool order = n > 0 && to_move(s) >= 0;
    for (int i = 0; i < n; ++i) {
      ++out.bag[pool[i]];
      if (order) out.order[i] = pool[i] + 1;
    }
    out.ordered = order;
    return true;
  }

  double evaluate(const State& s, int player) const {
    double sum = s.score[player] - s.score[1 - player];
    const bool last = total(s.bag) == 0;
    for (const int p : {0, 1}) {
      const double held = last ? -points(s.rack[p]) : leave(s.rack[p]);
      sum += p == player ? held : -held;
    }
    return points_ ? sum : std::tanh(sum / (10 + 8 * std::sqrt(double(unseen(s)))));
  }

  bool valid(const State& s) const {
    int count[kKinds] = {};
    for (const std::uint8_t tile : s.board) {
      if (!tile) continue;
      const int letter = scrabble::letter_of(tile);
      if (tile & ~(31 | scrabble::kBlank) || letter < 1 || letter > 26) return false;
      ++count[scrabble::kind_of(tile)];
    }
    for (int i = 0; i < kKinds; ++i) {
      const int all = count[i] + s.rack[0][i] + s.rack[1][i] + s.bag[i] + s.aside[i];
      if (all != scrabble::kCount[i]) return false;
    }
    int drawn[kKinds] = {}, n = 0;
    for (const std::uint8_t tile : s.order) {
      if (tile > kKinds) return false;
      if (tile) ++drawn[tile - 1], ++n;
    }
    for (int i = 0; i < scrabble::kTiles; ++i) {
      if ((i < n) != (s.order[i] != 0)) return false;
    }
    if (s.ordered > 1 || s.ordered != (n > 0)) return false;
    for (int i = 0; i < kKinds && s.ordered; ++i) {
      if (drawn[i] != s.bag[i]) return false;
    }
    if (s.mover > 1 || s.over > 1 || s.idle > kIdle) return false;
    if (s.unused[0] || s.unused[1] || s.unused[2]) return false;
    const int due = s.due[0] + s.due[1], left = total(s.bag);
    if (due > left || (due && (s.ordered || s.over)) || (!due && total(s.aside))) return false;
    for (const int p : {0, 1}) {
      const int held = total(s.rack[p]) + s.due[p];
      if (held > scrabble::kRack || (left > due && held < scrabble::kRack)) return false;
      if (!s.over && held == 0) return false;
      if (std::abs(s.score[p]) > kMostScore) return false;
    }
    if (total(s.aside) > scrabble::kRack) return false;
    const bool done =
        (s.idle == kIdle && !due) || (!left && (!total(s.rack[0]) || !total(s.rack[1])));
    if (s.over != done || s.gained < 0 || s.gained > kMostScore) return false;
    return s.last <= scrabble::kRack || codes_->is_play(s.last);
  }

  // The rough value of the leave (tiles that stay on the rack) in points.
  static double leave(const std::uint8_t* rack) {
    static constexpr double kWorth[kKinds] = {24,   1,  -1.5, 0.5,  0.5, 2,   -1.5, -2, 0.5,
                                              -0.5, -1, -1,   0,    0,   0.5, -1,   0,  -7,
                                              1,    8,  0.5,  -2.5, -5,  -3,  3,    0,  3};
    constexpr std::uint32_t kVowels = 1u << 1 | 1u << 5 | 1u << 9 | 1u << 15 | 1u << 21;
    double sum = 0;
    int vowels = 0, others = 0;
    for (int i = 0; i < kKinds; ++i) {
      if (!rack[i]) continue;
      sum += kWorth[i] * rack[i];
      if (i) sum -= 2.0 * (rack[i] - 1);  // two of a kind fit fewer words
      if (i) (kVowels >> i & 1 ? vowels : others) += rack[i];
    }
    return sum - 1.5 * std::max(0, std::abs(vowels - others) - 1);
  }

  static int points(const std::uint8_t* tiles) {
    int sum = 0;
    for (int i = 0; i < kKinds; ++i) sum += scrabble::kPoints[i] * tiles[i];
    return sum;
  }
  static int total(const std::uint8_t* tiles) {
    int sum = 0;
    for (int i = 0; i < kKinds; ++i) sum += tiles[i];
    return sum;
  }
  // Tiles that the mover does not see.
  static int unseen(const State& s) { return total(s.bag) + total(s.rack[1 - s.mover]); }

  // What a play scores and which tiles of the rack it takes, by kind; of one that is legal.
  int score_of(const State& s, const scrabble::Play& p, std::uint8_t* used) const {
    using namespace scrabble;
    const std::string& word = words_->word(p.word);
    const int step = step_of(p.down), side = step_of(!p.down);
    int sum = 0, times = 1, others = 0, placed = 0;
    for (std::size_t i = 0; i < word.size(); ++i) {
      const int here = p.cell + static_cast<int>(i) * step;
      if (s.board[here]) {
        sum += points_of(s.board[here]);
        continue;
      }
      const int kind = p.blanks >> i & 1 ? 0 : word[i] - 'a' + 1;
      ++used[kind], ++placed;
      const int points = kPoints[kind] * kPremiums.letter[here];
      sum += points, times *= kPremiums.word[here];
      const int at = p.down ? here % kSize : here / kSize;
      int met = 0, across = 0;
      for (int j = at - 1; j >= 0 && s.board[here + (j - at) * side]; --j) {
        across += points_of(s.board[here + (j - at) * side]), ++met;
      }
      for (int j = at + 1; j < kSize && s.board[here + (j - at) * side]; ++j) {
        across += points_of(s.board[here + (j - at) * side]), ++met;
      }
      if (met) others += (across + points) * kPremiums.word[here];
    }
    return sum * times + others + (placed == kRack ? kBingo : 0);
  }

 private:
  template <class Add>
  static void each_exchange(const std::uint8_t* rack, std::uint8_t* given, int kind, int count,
                            Add add) {
    if (kind == kKinds) {
      if (count) add(scrabble::Codes::exchange(given));
      return;
    }
    for (int i = 0; i <= rack[kind]; ++i) {
      given[kind] = static_cast<std::uint8_t>(i);
      each_exchange(rack, given, kind + 1, count + i, add);
    }
    given[kind] = 0;
  }

  static void draw(State& s, int kind) {
    const int p = s.due[0] ? 0 : 1;
    --s.bag[kind], ++s.rack[p][kind], --s.due[p];
    if (s.due[0] + s.due[1]) return;
    for (int i = 0; i < kKinds; ++i) s.bag[i] += s.aside[i], s.aside[i] = 0;
    if (s.idle == kIdle) finish(s, false);
  }

  // The mover has to draw `count` tiles; where the bag lies in order it does.
  static void refill(State& s, int count) {
    int left = total(s.bag);
    s.due[s.mover] = static_cast<std::uint8_t>(std::min(count, left));
    if (!s.ordered) return;
    while (s.due[s.mover]) {
      --s.due[s.mover];
      const int kind = s.order[--left] - 1;
      s.order[left] = 0;
      --s.bag[kind], ++s.rack[s.mover][kind];
    }
    // What was given back is drawn last.
    const int back = total(s.aside);
    if (back) std::copy_backward(s.order, s.order + left, s.order + left + back);
    int at = 0;
    for (int kind = 0; kind < kKinds; ++kind) {
      for (; s.aside[kind]; --s.aside[kind]) {
        s.order[at++] = static_cast<std::uint8_t>(kind + 1);
        ++s.bag[kind];
      }
    }
    s.ordered = left + back > 0;
  }

  static void end_turn(State& s, int gained) {
    s.gained = static_cast<std::int16_t>(gained);
    add(s, s.mover, gained);
    s.idle = gained ? 0 : s.idle + 1;
    const bool drawn = !s.due[s.mover];
    const bool out = drawn && !total(s.bag) && !total(s.rack[s.mover]);
    if (out || (drawn && s.idle == kIdle)) finish(s, out);
    s.mover = 1 - s.mover;
  }

  // The tiles that are left are counted.
  static void finish(State& s, bool out) {
    s.over = 1;
    for (const int p : {0, 1}) {
      const int lost = points(s.rack[p]);
      add(s, p, -lost);
      if (out) add(s, 1 - p, lost);
    }
  }

  static void add(State& s, int player, int points) {
    const int sum = s.score[player] + points;
    s.score[player] = static_cast<std::int16_t>(std::clamp(sum, -kMostScore, kMostScore));
  }

  static void give_back(State& s, Action a) {
    scrabble::Codes::given(a, s.aside);
    const int count = total(s.aside);
    for (int i = 0; i < kKinds; ++i) s.rack[s.mover][i] -= s.aside[i];
    s.last = static_cast<Action>(count);
    refill(s, count);
    end_turn(s, 0);
  }

  void put(State& s, Action a) const {
    const scrabble::Play p = codes_->play(a);
    std::uint8_t used[kKinds] = {};
    const int gained = score_of(s, p, used);
    const std::string& word = words_->word(p.word);
    for (std::size_t i = 0; i < word.size(); ++i) {
      std::uint8_t& here = s.board[p.cell + i * scrabble::step_of(p.down)];
      if (here) continue;
      const int blank = p.blanks >> i & 1 ? scrabble::kBlank : 0;
      here = static_cast<std::uint8_t>((word[i] - 'a' + 1) | blank);
    }
    for (int i = 0; i < kKinds; ++i) s.rack[s.mover][i] -= used[i];
    s.last = a;
    refill(s, total(used));
    end_turn(s, gained);
  }

  std::shared_ptr<const scrabble::Lexicon> words_;
  std::shared_ptr<const scrabble::Codes> codes_;
  bool points_;
};

}  // namespace zermelo
