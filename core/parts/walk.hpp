// The data of a depth-first search by ply: the states of the path, their action lists and the best
// lines. Memory grows with the depth reached and is never freed during a search.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "../game.hpp"
#include "../limits.hpp"
#include "../platform.hpp"
#include "runner.hpp"

namespace zermelo {

template <class G = Game>
class BasicWalk {
 public:
  static constexpr int kLongestLine = 128;          // of a best line that is kept
  static constexpr int kMostPlies = 1 << 20;        // of a game that is searched to its end
  static constexpr int kRepetitionCheck = 1 << 13;  // plies after which a game may have no end

  BasicWalk(const G& game, const void* root)
      : game_(game),
        stride_((game.facts.state_size + 15) / 16 * 16),
        room_(std::max(kRoom, game.facts.max_actions)) {
    grow(0);
    start(root);
    actions_.resize(kRoom);
  }
  void start(const void* root) {
    std::copy_n(static_cast<const std::byte*>(root), game_.facts.state_size,
                static_cast<std::byte*>(slot(0)));
  }

  const void* state(int ply) { return slot(ply); }

  // Plays `action` on the path's state at `ply`; the result is state(ply + 1).
  void play(int ply, Action action) { game_.play(game_.self, state(ply), action, slot(ply + 1)); }

  // Plays a null move (the game's hint).
  bool pass(int ply) { return game_.pass(game_.self, state(ply), slot(ply + 1)); }

  struct List {
    std::size_t begin;
    int count;
  };

  // Lists with one of the table's functions (actions, noisy). Give lists back in reverse order.
  using Lister = int (*)(const void* self, const void* state, Action* out, int capacity);
  List list(Lister function, int ply) { return list(function, ply, game_.self); }
  List list(Lister function, int ply, const void* self) {
    const int room = room_;
    if (actions_.size() < top_ + room) actions_.resize(2 * top_ + room);
    int capacity = room;
    int count = function(self, state(ply), actions_.data() + top_, capacity);
    while (count > capacity) {
      actions_.resize(top_ + count);
      capacity = count;
      count = function(self, state(ply), actions_.data() + top_, capacity);
    }
    if (count < 0) throw RulesError("actions(s) failed");
    const List list{top_, count};
    top_ += count;
    return list;
  }
  // The outcomes of a chance node with their probabilities, like `list`; impossible ones are left
  // out.
  List outcomes(int ply) {
    int capacity = room_;
    if (actions_.size() < top_ + capacity) actions_.resize(2 * top_ + capacity);
    if (odds_.size() < actions_.size()) odds_.resize(actions_.size());
    int count = ask_outcomes(ply, capacity);
    if (count > capacity) {
      capacity = count;
      actions_.resize(std::max(actions_.size(), top_ + count));
      odds_.resize(actions_.size());
      count = ask_outcomes(ply, capacity);
    }
    if (count <= 0 || count > capacity) wrong_odds(ply, "outcomes(s) is empty");
    double total = 0;
    int kept = 0;
    for (int i = 0; i < count; ++i) {
      const double p = odds_[top_ + i];
      if (!(p >= 0)) wrong_odds(ply, p < 0 ? "a probability is negative" : "a probability is NaN");
      total += p;
      actions_[top_ + kept] = actions_[top_ + i];
      odds_[top_ + kept] = p;
      kept += p > 0;
    }
    if (!(std::abs(total - 1) < kOddsSlack)) wrong_total(ply, total);
    const List list{top_, kept};
    top_ += kept;
    return list;
  }
  double odds(const List& list, int i) const { return odds_[list.begin + i]; }
  const double* odds_at(const List& list, int i) const { return odds_.data() + list.begin + i; }
  // The i-th outcome becomes this one. Then `shorten` the list to those that were set.
  void set_outcome(const List& list, int i, Action action, double odds) {
    actions_[list.begin + i] = action;
    odds_[list.begin + i] = odds;
  }
  void set_action(const List& list, int i, Action action) { actions_[list.begin + i] = action; }
  void shorten(List& list, int count) {
    list.count = count;
    top_ = list.begin + count;
  }
  // Moves `action` to the front; the others keep their order.
  void lead(const List& list, Action action) {
    const auto begin = actions_.begin() + static_cast<std::ptrdiff_t>(list.begin);
    const auto at = std::find(begin, begin + list.count, action);
    if (at != begin + list.count) std::rotate(begin, at, at + 1);
  }

  Action action(const List& list, int i) const { return actions_[list.begin + i]; }
  const Action* at(const List& list, int i) const { return actions_.data() + list.begin + i; }
  void release(const List& list) { top_ = list.begin; }

  // Call on entering a ply: a clear error instead of a stack overflow.
  void check_depth(int ply) {
    char here;
    if (ply + 1 >= slots_) grow(ply);
    if (static_cast<const char*>(&here) < floor_) too_deep();
    if (ply >= kRepetitionCheck && std::has_single_bit(static_cast<unsigned>(ply))) {
      check_repetition(ply);
      if (ply >= kMostPlies) too_deep();
    }
  }

  // The best line from `ply` on becomes `action` and then the best line from ply + 1 on.
  void start_line(int ply) {
    if (ply < kLongestLine) line_length_[ply] = 0;
  }
  void extend_line(int ply, Action action) {
    if (ply >= kLongestLine) return;
    line_[ply][0] = action;
    int length = 1;
    if (ply + 1 < kLongestLine) {
      const int rest = std::min(line_length_[ply + 1], kLongestLine - ply - 1);
      std::copy_n(line_[ply + 1], rest, line_[ply] + 1);
      length += rest;
    }
    line_length_[ply] = length;
  }
  std::vector<Action> line() const { return {line_[0], line_[0] + line_length_[0]}; }
  std::vector<Action> line_after(Action action) const {
    std::vector<Action> line{action};
    line.insert(line.end(), line_[1], line_[1] + line_length_[1]);
    return line;
  }
  void reset() { top_ = 0; }

 private:
  static constexpr int kRoom = 256;
  static constexpr int kChunk = 256;
  static constexpr double kOddsSlack = 1e-9;  // for rounded probabilities

  void* slot(int ply) { return base_ + static_cast<std::size_t>(ply) * stride_; }
  ZERMELO_NOINLINE void grow(int ply) {
    slots_ = 2 * ply + kChunk;
    states_.resize(slots_ * stride_);
    base_ = states_.data();
  }

  int ask_outcomes(int ply, int capacity) {
    return game_.outcomes(game_.self, state(ply), actions_.data() + top_, odds_.data() + top_,
                          capacity);
  }
  [[noreturn]] ZERMELO_NOINLINE void wrong_odds(int ply, const std::string& what) {
    RulesError error(what + " in a chance state",
                     "outcomes(s) must return (action, probability) pairs that sum to 1");
    error.state.assign(static_cast<const char*>(state(ply)), game_.facts.state_size);
    throw error;
  }
  [[noreturn]] ZERMELO_NOINLINE void wrong_total(int ply, double total) {
    std::ostringstream text;
    text << "the probabilities sum to " << total << ", not 1,";
    wrong_odds(ply, text.str());
  }

  void check_repetition(int ply) {
    std::vector<std::uint64_t> keys(ply + 1);
    for (int i = 0; i <= ply; ++i) keys[i] = game_.key(game_.self, slot(i));
    std::sort(keys.begin(), keys.end());
    if (std::adjacent_find(keys.begin(), keys.end()) != keys.end()) {
      throw EndlessGame(
          "the game never ends: the same position can repeat endlessly",
          game_.facts.chance
              ? "give a depth limit, or use zermelo.solve (value iteration)"
              : "give a depth limit, or count the moves in the state and end the game");
    }
  }

  [[noreturn]] static void too_deep() {
    throw RulesError("a game lasts more than a million moves", "give a depth limit");
  }

  const G& game_;
  const char* floor_ = stack_floor;  // of the thread that searches
  std::size_t stride_;
  int room_;
  int slots_ = 0;
  std::byte* base_ = nullptr;
  std::vector<std::byte> states_;
  std::vector<Action> actions_;
  std::vector<double> odds_;  // beside actions_, where those are outcomes
  std::size_t top_ = 0;
  Action line_[kLongestLine][kLongestLine];
  int line_length_[kLongestLine] = {};
};

using Walk = BasicWalk<>;

}  // namespace zermelo
