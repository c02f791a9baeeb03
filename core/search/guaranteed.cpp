#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>

#include "../parts/worlds.hpp"
#include "all.hpp"

namespace zermelo {
namespace {

constexpr std::string_view kDoc =
    R"(finds a win that works in every consistent state, against any play.

A node is the set of states that the player to move cannot distinguish. An action leads to several
such sets, one per observation, and all of them must be won. Proof-number search descends to the
set with the least remaining work, estimated from the game's evaluation. A set that is won is won
for each of its subsets, and a set that is refuted is refuted for each of its supersets, so few
sets decide many. States are compared without their move counters if the game supports it, and the
rules are called once per state. The result of a win is the whole plan: the action for every set
that can arise.

When:  forced wins, such as mates in Kriegspiel up to some dozens of moves long.
Needs: one or two players, zero-sum, observation(s, p), utility_bounds.
Cost:  depends on how narrow the proof is. The plan need not be the shortest. Depth counts
       decisions of the player, including rejected attempts (64 by default).
From:  AND-OR search over belief states: Russell and Wolfe 2005; df-pn: Nagai 2002.
)";

constexpr int kEver = 1 << 29;  // no limit of decisions
constexpr double kAll = 1e18, kMuch = 1e12;

class Guaranteed {
 public:
  explicit Guaranteed(const Request& request)
      : request_(request),
        game_(request.game),
        player_(game_.to_move(game_.self, request.state)),
        worlds_(game_, player_, request.budget) {
    const Facts& f = game_.facts;
    most_ = player_ == 0 ? f.utility_max : -f.utility_min;
    least_ = player_ == 0 ? f.utility_min : -f.utility_max;
    if (!std::isfinite(most_) || !std::isfinite(least_)) {
      throw RulesError(
          "the game does not declare utility_bounds",
          "declare utility_bounds, or use algorithm=\"belief\" with others=\"hostile\"");
    }
  }

  Result run() {
    Part root;
    int depth = request_.limits.depth == kNoDepth ? kUsual : request_.limits.depth;
    const Belief* given = request_.options.belief;
    for (std::size_t i = 0; i < (given ? given->count() : 1); ++i) {
      const void* s = given ? given->state(i) : request_.state;
      if (game_.timeless) {
        std::vector<std::byte> out(game_.facts.state_size + 64);
        auto* at = out.data() + (64 - reinterpret_cast<std::uintptr_t>(out.data()) % 64);
        depth = std::min(depth, game_.timeless(game_.self, s, at));
      }
      root.set.push_back(worlds_.number(s));
    }
    std::sort(root.set.begin(), root.set.end());
    root.set.erase(std::unique(root.set.begin(), root.set.end()), root.set.end());
    root.key = key_of(root.set);
    top_ = depth;
    try {
      look(root, depth);
      if (depth > 0) work(root, depth, kAll, kAll);
    } catch (const Stopped&) {
    }
    return answer(root, depth);
  }

 private:
  static constexpr int kUsual = 64;
  static constexpr std::size_t kMostEntries = 1 << 23;
  static constexpr double kShare = 0.1;  // weight of the smaller parts relative to the largest

  struct Part {
    Worlds::Set set;
    std::uint64_t key = 0;
  };
  struct Try {
    Action action;
    std::vector<Part> parts;
  };
  struct Entry {
    double proof = 1, refutation = 1;
    int won = kEver;     // won within this number of decisions
    int lost = 0;        // not won within this number
    Action best = 0;     // the action that wins, or seems to
    bool tried = false;  // best is set
  };

  // Search below a set until a proof number reaches its limit or the set is settled at this depth.
  void work(const Part& at, int depth, double proof, double refutation) {
    request_.budget.enter();
    deepest_ = std::max(deepest_, top_ - depth + 1);
    const std::vector<Try> tries = expand(at);
    for (;;) {
      double least = kAll, second = kAll, sum = 0, greatest = 0;
      int won = kEver, lost = kEver;
      const Try* best = nullptr;
      for (const Try& t : tries) {
        const Missing m = missing(t, depth - 1);
        if (m.lost >= depth - 1) {
          lost = std::min(lost, m.lost + 1);
          continue;
        }
        if (m.proof == 0 ? m.won + 1 < won : won == kEver && m.proof < least) {
          second = least, least = m.proof, best = &t;
          if (m.proof == 0) won = m.won + 1;
        } else {
          second = std::min(second, m.proof);
        }
        sum += m.refutation, greatest = std::max(greatest, m.refutation);
      }
      Entry& e = table_[at.key];
      if (won < kEver) return settle_won(at, e, won, best->action);
      if (!best) return settle_lost(at, e, lost);
      e.proof = std::min(least, kMuch);
      if (e.won == kEver) e.best = best->action, e.tried = true;  // otherwise a slower win is known
      e.refutation = std::min(greatest + kShare * (sum - greatest) + 1, kMuch);
      if (e.proof >= proof || e.refutation >= refutation) return;
      go_on(*best, depth - 1, std::min(proof, 1.25 * second + 1), refutation);
    }
  }

  // The part that is easiest to refute; ties go to the part with the largest proof number.
  void go_on(const Try& t, int depth, double proof, double refutation) {
    const Part* chosen = nullptr;
    double first = kAll, second = kAll, lacks = 0;
    for (const Part& p : t.parts) {
      const Entry& e = look(p, depth);
      if (e.won <= depth) continue;
      if (e.refutation < first || (e.refutation == first && e.proof > lacks)) {
        second = first, first = e.refutation, lacks = e.proof, chosen = &p;
      } else {
        second = std::min(second, e.refutation);
      }
    }
    work(*chosen, depth, std::max(proof, lacks + 1),
         std::max(std::min(0.99 * refutation, 1.25 * second + 1), first + 1));
  }

  struct Missing {
    double proof = 0, refutation = kAll;
    int won = 0, lost = -1;  // of all parts; lost: of the part that lasts longest
  };
  Missing missing(const Try& t, int depth) {
    Missing m;
    double greatest = 0;
    for (const Part& p : t.parts) {
      const Entry& e = look(p, depth);
      if (e.won <= depth) {
        m.won = std::max(m.won, e.won);
        continue;
      }
      if (e.lost >= depth) {
        m.lost = std::max(m.lost, e.lost);
        if (m.lost >= kEver) return m;
        continue;
      }
      m.proof += e.proof, greatest = std::max(greatest, e.proof);
      m.refutation = std::min(m.refutation, e.refutation);
    }
    // The parts of a set are won by similar play, so their proof numbers are not added.
    if (m.proof > 0) m.proof = greatest + kShare * (m.proof - greatest) + 1;
    return m;
  }

  void settle_won(const Part& at, Entry& e, int won, Action action) {
    e.won = won, e.best = action, e.tried = true;
    settled_.add_won(at.set, won, action);
  }
  void settle_lost(const Part& at, Entry& e, int lost) {
    e.lost = std::max(e.lost, std::min(lost, kEver));
    settled_.add_refuted(at.set, e.lost);
  }

  // The entry of a set at this depth.
  Entry& look(const Part& p, int depth) {
    if (table_.size() >= kMostEntries) table_.clear();  // settled sets stay in settled_
    const auto [place, fresh] = table_.try_emplace(p.key);
    Entry& e = place->second;
    if (fresh) e.proof = lacking(p.set);
    if (e.won <= depth || e.lost >= depth) return e;
    if (const auto* around = settled_.around(p.set, depth)) {
      e.won = around->depth, e.best = around->action, e.tried = true;
    } else {
      e.lost = std::max(e.lost, settled_.within(p.set, depth));
    }
    return e;
  }

  // The initial proof number of a set, which grows quickly with its number of states.
  double lacking(const Worlds::Set& set) const {
    constexpr double kSteep = 20;
    double sum = 0;
    for (const Worlds::Id i : set) {
      const double part = (most_ - worlds_.promise(i)) / std::max(most_ - least_, 1e-9);
      sum += 1 + (game_.evaluate ? kSteep * std::clamp(part, 0.0, 1.0) : 0);
    }
    return sum * sum;
  }

  // The actions that do not lose at once and that change something.
  std::vector<Try> expand(const Part& at) {
    std::vector<Try> tries;
    worlds_.check_actions(at.set);
    const std::vector<Action>& actions = worlds_.actions(at.set[0]);
    for (std::size_t a = 0; a < actions.size(); ++a) {
      Try t{actions[a], {}};
      if (divide(at, t.action, t.parts, a)) tries.push_back(std::move(t));
    }
    return tries;
  }

  // The result of an action by observation. False: it does not help. `likely`: the probable index
  // of the action in the lists of the states.
  bool divide(const Part& at, Action action, std::vector<Part>& parts, std::size_t likely = 0) {
    steps_.clear();
    for (const Worlds::Id i : at.set) {
      const Worlds::Outcome& o = worlds_.outcome(i, action, likely);
      if (o.worst < most_) return false;
      steps_.insert(steps_.end(), o.steps.begin(), o.steps.end());
    }
    std::sort(steps_.begin(), steps_.end());
    steps_.erase(std::unique(steps_.begin(), steps_.end()), steps_.end());
    for (std::size_t i = 0; i < steps_.size();) {
      Part p;
      const std::uint64_t seen = steps_[i].first;
      for (; i < steps_.size() && steps_[i].first == seen; ++i) p.set.push_back(steps_[i].second);
      if (p.set == at.set) return false;  // the same set with one decision less
      p.key = key_of(p.set);
      parts.push_back(std::move(p));
    }
    return true;
  }

  static std::uint64_t key_of(const Worlds::Set& set) {
    std::uint64_t sum = set.size();
    for (const Worlds::Id i : set) sum += mix(i + 0x9e3779b97f4a7c15u);
    return mix(sum);
  }

  Result answer(const Part& root, int depth) {
    const Entry e = look(root, depth);
    const bool won = e.won <= depth, never = e.lost >= kEver;
    const Action action = e.tried ? e.best : worlds_.actions(root.set[0])[0];
    Result r;
    r.stopped = request_.budget.stopped(), r.nodes = request_.budget.nodes();
    r.has_value = won || r.stopped == Stop::none;
    const double mine = won ? most_ : least_;
    r.value = player_ == 1 ? -mine : mine;
    r.bound = won ? Bound::exact : player_ == 0 ? Bound::lower : Bound::upper;
    r.line = {action};
    r.moves.push_back({action, r.value, r.bound, r.nodes, r.line});
    r.depth = depth, r.deepest = deepest_;
    r.horizon = !won && !never;
    if (won) {
      write_plan(root, depth);
      r.plan = std::move(plan_);
      r.note = "guaranteed win within " + std::to_string(e.won) + " decisions";
    } else if (never) {
      r.note = "no guaranteed win exists";
    } else if (e.lost >= depth) {
      r.note = "no guaranteed win within " + std::to_string(depth) + " decisions";
    } else {
      r.note = "the search ended before it proved or refuted a guaranteed win";
    }
    return r;
  }

  // Every set that can occur if the winning action is always taken.
  void write_plan(const Part& at, int depth) {
    const Entry e = look(at, depth);
    if (e.won > depth) throw RulesError("a plan is incomplete");
    const auto [place, fresh] = planned_.try_emplace(at.key, plan_.size());
    if (!fresh && plan_[place->second].moves <= e.won) return;
    if (fresh) plan_.emplace_back();
    Planned p;
    p.action = e.best, p.moves = e.won;
    for (const Worlds::Id i : at.set) {
      p.belief.emplace_back(static_cast<const char*>(worlds_.state(i)), game_.facts.state_size);
    }
    plan_[place->second] = std::move(p);  // faster than before, so no step leads back
    std::vector<Part> parts;
    divide(at, e.best, parts);
    for (const Part& next : parts) write_plan(next, e.won - 1);
  }

  const Request& request_;
  const Game& game_;
  int player_;
  double most_, least_;
  int deepest_ = 0, top_ = 0;
  Worlds worlds_;
  Settled settled_;
  std::vector<Worlds::Step> steps_;
  std::unordered_map<std::uint64_t, Entry> table_;
  std::unordered_map<std::uint64_t, std::size_t> planned_;
  std::vector<Planned> plan_;
};

Result run(const Request& request) { return Guaranteed(request).run(); }

}  // namespace

const Algorithm kGuaranteed{
    .name = "guaranteed",
    .doc = kDoc,
    .can = {.chance = true, .hidden = true},
    .limits = {.depth = true},
    .sampled_states = 100,
    .options = {deals_option(), deepen_option()},
    .run = run,
};

}  // namespace zermelo
