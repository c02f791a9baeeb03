// States by number. The results of an action up to the player's next decision are computed once
// and stored, for every chance outcome and every move of the others.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <deque>
#include <unordered_map>
#include <utility>
#include <vector>

#include "belief.hpp"
#include "hash.hpp"

namespace zermelo {

class Worlds {
 public:
  using Id = std::uint32_t;
  using Set = std::vector<Id>;  // sorted
  using Step = std::pair<std::uint64_t, Id>;

  // The results of one action in one state.
  struct Outcome {
    std::vector<Step> steps;   // the player's next observation, and the state
    double worst = kInfinity;  // of terminal states, for the player
  };

  Worlds(const Game& game, int player, const Budget& budget)
      : game_(game),
        player_(player),
        budget_(budget),
        lister_(game),
        stride_((game.facts.state_size + 63) / 64) {}

  // The number of a state, without its move counters if the game supports it.
  Id number(const void* state) {
    std::byte* at = room(0);
    if (game_.timeless) {
      game_.timeless(game_.self, state, at);
    } else {
      std::memcpy(at, state, game_.facts.state_size);
    }
    const auto [place, fresh] =
        numbers_.try_emplace(game_.key(game_.self, at), static_cast<Id>(worlds_.size()));
    if (fresh) {
      if (worlds_.size() >= kMost) {
        throw RulesError("the search reached more states than fit in memory",
                         "give a smaller belief, or a depth, node or time limit");
      }
      worlds_.push_back({Bytes(stride_), {}, {}, 0});
      std::memcpy(worlds_.back().state.data(), at, game_.facts.state_size);
      if (game_.evaluate) worlds_.back().promise = game_.evaluate(game_.self, at, player_);
    }
    return place->second;
  }

  const void* state(Id i) const { return worlds_[i].state.data(); }
  double promise(Id i) const { return worlds_[i].promise; }  // the game's evaluation
  std::size_t count() const { return worlds_.size(); }

  // The player's actions.
  const std::vector<Action>& actions(Id i) {
    World& w = worlds_[i];
    if (w.actions.empty()) {
      const int n = lister_.list(w.state.data(), player_);
      w.actions.assign(lister_.actions.begin(), lister_.actions.begin() + n);
      w.outcomes.resize(n);
    }
    return w.actions;
  }

  // Throws if two states of a set have different actions.
  void check_actions(const Set& set) {
    const Action* first = actions(set[0]).data();
    const std::size_t count = worlds_[set[0]].actions.size();
    for (const Id i : set) {
      const std::vector<Action>& here = actions(i);
      if (!same_actions(first, count, here.data(), here.size())) {
        differing_actions(game_, state(set[0]), state(i));
      }
    }
  }

  // The results of an action in one state of a set whose actions were checked. `likely`: its
  // probable index in the list of the state.
  const Outcome& outcome(Id i, Action action, std::size_t likely = 0) {
    const std::vector<Action>& listed = actions(i);
    const std::size_t a =
        likely < listed.size() && listed[likely] == action
            ? likely
            : static_cast<std::size_t>(std::find(listed.begin(), listed.end(), action) -
                                       listed.begin());
    if (a == listed.size()) differing_actions(game_, state(i), nullptr);
    World& w = worlds_[i];
    if (!w.outcomes[a].known) {
      Kept found;
      found.known = true;
      game_.play(game_.self, w.state.data(), action, room(1));
      top_ = 2;
      replies_ = 0;
      on(room(1), 0, found.outcome);
      auto& steps = found.outcome.steps;
      std::sort(steps.begin(), steps.end());
      steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
      worlds_[i].outcomes[a] = std::move(found);
    }
    return worlds_[i].outcomes[a].outcome;
  }

 private:
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  using Bytes = std::vector<Line>;
  struct Kept {
    Outcome outcome;
    bool known = false;
  };
  struct World {
    Bytes state;
    std::vector<Action> actions;
    std::vector<Kept> outcomes;
    double promise;
  };
  static constexpr std::size_t kMost = 1 << 22;
  static constexpr int kMostPlies = 1 << 14;    // of others, between two decisions of the player
  static constexpr int kMostReplies = 1 << 20;  // of all others together

  void on(const std::byte* state, int plies, Outcome& out) {
    const int mover = lister_.to_move(state);
    if (mover == kTerminal) {
      out.worst = std::min(out.worst, game_.utility(game_.self, state, player_));
      return;
    }
    if (mover == player_) {
      const std::uint64_t seen = seen_by(game_, state, player_);
      out.steps.push_back({seen, number(state)});
      return;
    }
    if (plies > kMostPlies) {
      throw EndlessGame("the other players can move endlessly",
                        "check that every player gets a turn again");
    }
    if (budget_.stopped() != Stop::none) throw Stopped{};
    if (++replies_ > kMostReplies) {
      throw RulesError("too many move sequences between two turns of the player",
                       "use algorithm=\"belief\" with a time or node limit");
    }
    const int count = lister_.list(state, mover);
    const std::vector<Action> actions(lister_.actions.begin(), lister_.actions.begin() + count);
    const std::size_t base = top_++;
    const bool idles = mover != kChance && game_.mirror_key;
    const std::uint64_t here = idles ? game_.mirror_key(game_.self, state) : 0;
    bool moved = false;
    for (const Action a : actions) {
      std::byte* next = room(base);
      game_.play(game_.self, state, a, next);
      // An attempt that the umpire rejects: the player moves again.
      if (idles && game_.mirror_key(game_.self, next) == here && lister_.to_move(next) == mover) {
        continue;
      }
      moved = true;
      on(next, plies + 1, out);
    }
    if (!moved) out.worst = -kInfinity;  // it never ends
    top_ = base;
  }

  std::byte* room(std::size_t i) {
    while (rooms_.size() <= i) rooms_.emplace_back(stride_);
    return rooms_[i].data()->bytes;
  }

  const Game& game_;
  int player_;
  const Budget& budget_;
  Lister lister_;
  std::size_t stride_;  // in lines
  std::size_t top_ = 0;
  int replies_ = 0;  // of the others to one action in one state
  std::deque<Bytes>
      rooms_;  // 0 for numbers, 1 for the player's action, then replies of the others by ply
  std::deque<World> worlds_;
  std::unordered_map<std::uint64_t, Id> numbers_;
};

// Settled sets: subsets of a won set are won, supersets of a refuted set are refuted.
class Settled {
 public:
  using Set = Worlds::Set;
  struct Entry {
    Set set;
    int depth;      // won within this number of decisions; not won within this number
    Action action;  // the winning action
  };

  // A won superset within `depth`; null: none is known.
  const Entry* around(const Set& s, int depth) const {
    const std::vector<std::uint32_t>* shortest = nullptr;
    for (const Worlds::Id i : s) {
      if (i >= won_.size() || won_[i].empty()) return nullptr;
      if (!shortest || won_[i].size() < shortest->size()) shortest = &won_[i];
    }
    const Entry* best = nullptr;
    for (const std::uint32_t at : *shortest) {
      const Entry& e = entries_[at];
      if (e.depth <= (best ? best->depth - 1 : depth) && includes(e.set, s)) best = &e;
    }
    return best;
  }

  // The number of decisions within which no win is possible, because a subset is refuted; 0: not
  // known.
  int within(const Set& s, int depth) const {
    int most = 0;
    for (const Worlds::Id i : s) {
      if (i >= refuted_.size()) continue;
      for (const std::uint32_t at : refuted_[i]) {
        const Entry& e = entries_[at];
        if (e.depth >= depth && e.depth > most && includes(s, e.set)) most = e.depth;
      }
    }
    return most;
  }

  void add_won(const Set& s, int depth, Action action) {
    const auto fresh = static_cast<std::uint32_t>(entries_.size());
    entries_.push_back({s, depth, action});
    if (won_.size() <= s.back()) won_.resize(s.back() + 1);
    for (const Worlds::Id i : s) {
      std::erase_if(won_[i], [&](std::uint32_t at) {
        return entries_[at].depth >= depth && includes(s, entries_[at].set);
      });
      won_[i].push_back(fresh);
    }
  }

  void add_refuted(const Set& s, int depth) {
    if (refuted_.size() <= s.front()) refuted_.resize(s.front() + 1);
    auto& list = refuted_[s.front()];  // by its first state, which every superset contains
    std::erase_if(list, [&](std::uint32_t at) {
      return entries_[at].depth <= depth && includes(entries_[at].set, s);
    });
    list.push_back(static_cast<std::uint32_t>(entries_.size()));
    entries_.push_back({s, depth, 0});
  }

 private:
  static bool includes(const Set& large, const Set& small) {
    return large.size() >= small.size() &&
           std::includes(large.begin(), large.end(), small.begin(), small.end());
  }

  std::deque<Entry> entries_;
  std::vector<std::vector<std::uint32_t>> won_, refuted_;  // by state
};

}  // namespace zermelo
