// Shared by the tree searches: entering a node, evaluating a leaf, collecting the root's result,
// iterative deepening. Contains no algorithm.
#pragma once

#include <algorithm>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include "../algorithm.hpp"
#include "../platform.hpp"
#include "judge.hpp"
#include "rules_errors.hpp"
#include "walk.hpp"

namespace zermelo {

// G: Game, or rules that are compiled in (Inlined).
template <class Tracer, class G = Game>
class Frame {
 public:
  Frame(const Request& request, Tracer& tracer)
      : game(request.game),
        limits(request.limits),
        options(request.options),
        walk(game, request.state),
        judge(game,
              request.limits.depth != kNoDepth || request.options.deepen || request.options.bounded,
              request.options.scores),
        budget(request.budget),
        tracer(tracer),
        on_depth_(request.on_depth) {}

 protected:
  // Counts the node at `ply` and returns the player to move.
  int enter(int ply, Action by, double alpha, double beta) {
    budget.enter();
    walk.check_depth(ply);
    deepest = std::max(deepest, ply);
    walk.start_line(ply);
    const void* state = walk.state(ply);
    const int player = game.to_move(game.self, state);
    if (player >= game.facts.players || player < kTerminal || (player == kChance && !game.outcomes))
        [[unlikely]]
      wrong_player(game.facts, player);
    if constexpr (Tracer::kOn) {
      tracer.enter(ply, by, player, game.key(game.self, state), show(alpha), show(beta));
    }
    return player;
  }

  double terminal(int ply) { return leaf(ply, Leaf::terminal, judge.terminal(walk.state(ply))); }

  double at_horizon(int ply) {
    horizon = true;
    return leaf(ply, Leaf::horizon, judge.horizon(walk.state(ply)));
  }

  double leaf(int ply, Leaf why, double value) {
    ++leaves;
    tracer.leaf(ply, why, show(value));
    return value;
  }

  // The depth left below the chance node at `ply`. Outcomes cost no depth, except in long runs of
  // chance nodes, or if chance returns to a state with several non-terminal outcomes: the tree
  // below would grow exponentially.
  int below_chance(int ply, int depth) {
    constexpr int kFree = 32;  // outcomes in a row
    if (ply - mover > kFree) return depth - 1;
    if (ply - mover < 2) return depth;
    const std::uint64_t key = game.key(game.self, walk.state(ply));
    for (int i = mover + 1; i < ply; ++i) {
      if (game.key(game.self, walk.state(i)) == key) return branches(ply) ? depth - 1 : depth;
    }
    return depth;
  }

  // Whether several outcomes of the chance node at `ply` lead to chance nodes. Writes the state
  // below
  // it.
  bool branches(int ply) {
    const auto list = walk.outcomes(ply);
    int found = 0;
    for (int i = 0; i < list.count; ++i) {
      walk.play(ply, walk.action(list, i));
      found += game.to_move(game.self, walk.state(ply + 1)) == kChance;
    }
    walk.release(list);
    return found > 1;
  }

  // For the trace: the value in the user's unit.
  double show(double value) const { return judge.surface(value); }

  [[noreturn]] static void no_actions() { no_moves(0); }

  // Sets another root and keeps all buffers.
  void restart(const void* state) {
    walk.start(state);
    leaves = 0;
    deepest = 0;
  }

  Bound settle(double value, Bound found, bool estimated) const {
    return judge.settle(value, found, estimated, options.bounded);
  }

  // For the trace, which shows the tree as it was searched: a bound stays a bound of that tree.
  Bound trace_kind(double value, Bound found, bool estimated) const {
    const Bound proved = settle(value, found, estimated);
    return proved == Bound::estimate ? (found == Bound::exact ? proved : found) : proved;
  }

  // A root move that was searched. estimated: its value is based on a heuristic evaluation.
  RootMove root_move(Action action, double value, Bound found, bool estimated,
                     std::uint64_t before) const {
    RootMove m{action, value, settle(value, found, estimated), budget.nodes() - before,
               walk.line_after(action)};
    m.found = found;
    return m;
  }

  // Around the search of a root move: records its value, its cost and whether this move's value is
  // based on an evaluation. Does nothing below the root.
  class RootWatch {
   public:
    RootWatch(Frame& search, int ply, int player, Action action)
        : search_(search), on_(ply == 0), action_(action) {
      if (!on_) return;
      search_.root_player = player;
      before_ = search_.budget.nodes();
      outer_horizon_ = std::exchange(search_.horizon, false);
    }
    void done(double value, Bound found, bool estimated) const {
      if (on_) [[unlikely]]
        record(value, found, estimated);
    }

   private:
    ZERMELO_NOINLINE void record(double value, Bound found, bool estimated) const {
      search_.moves.push_back(search_.root_move(action_, value, found, estimated, before_));
      search_.horizon |= outer_horizon_;
    }

    Frame& search_;
    bool on_, outer_horizon_ = false;
    Action action_;
    std::uint64_t before_ = 0;
  };

  // The kind of bound that is a lower bound for the mover.
  static Bound at_least(int player) { return player == 1 ? Bound::upper : Bound::lower; }

  // What a root move proves about the root if other moves may be better.
  Bound proved_by(const RootMove& m) const {
    const Bound found = at_least(root_player);
    return settle(m.value, found, m.bound != Bound::exact && m.bound != found);
  }

  Result result(double value, Bound bound, int depth) {
    Result r;
    r.has_value = true;
    r.value = judge.surface(value);
    r.decisive = judge.decisive(value);
    r.bound = settle(value, bound, horizon);
    r.line = walk.line();
    r.moves = moves;
    r.distance = r.bound == Bound::exact ? judge.distance(value) : -1;
    for (RootMove& m : r.moves) surface(m);
    r.depth = horizon ? depth : deepest;
    r.horizon = horizon;
    if (game.facts.chance && game.facts.tree_nodes == 0 && duel()) win_at_once(r);
    return r;
  }

  // Averages over chance have no distance to the end: among proved wins, one that ends the game at
  // once is preferred.
  void win_at_once(Result& r) {
    const int player = game.to_move(game.self, walk.state(0));
    const double most = player == 0 ? game.facts.utility_max : game.facts.utility_min;
    if (player < 0 || r.value != most) return;
    for (const RootMove& m : r.moves) {
      if (m.value != r.value || m.bound != Bound::exact) continue;
      walk.play(0, m.action);
      if (game.to_move(game.self, walk.state(1)) != kTerminal) continue;
      r.line = {m.action};
      return;
    }
  }

  // After a stop: the best of the finished root moves. If chance moves at the root, a part of the
  // outcomes does not determine the average.
  Result unfinished() {
    Result r;
    r.horizon = horizon;
    r.moves = moves;
    for (RootMove& m : r.moves) surface(m);
    if (moves.empty() || game.to_move(game.self, walk.state(0)) == kChance) return r;
    const auto worth = [&](const RootMove& m) {
      if (!m.values.empty()) return m.values[root_player];
      return root_player == 0 ? m.value : -m.value;
    };
    const auto best =
        std::max_element(moves.begin(), moves.end(),
                         [&](const RootMove& a, const RootMove& b) { return worth(a) < worth(b); });
    r.has_value = true;
    r.value = judge.surface(best->value);
    r.decisive = judge.decisive(best->value);
    r.bound = duel() ? proved_by(*best) : Bound::estimate;
    r.distance = r.bound == Bound::exact ? judge.distance(best->value) : -1;
    r.line = {best->action};
    r.values = best->values;
    surface(r.values);
    for (const RootMove& m : moves) r.horizon |= m.bound == Bound::estimate;
    r.depth = r.horizon ? 0 : deepest;
    return r;
  }

  bool duel() const { return zermelo::duel(game.facts); }

  void surface(std::vector<double>& values) const {
    for (double& v : values) v = judge.surface(v);
  }
  void surface(RootMove& m) const {
    m.distance = m.bound == Bound::exact ? judge.distance(m.value) : -1;
    m.value = judge.surface(m.value);
    surface(m.values);
  }

  // Runs `search(depth)` once, or for depth 1, 2, 3, … and keeps the last finished answer, which
  // `rescue` may improve by the results of an unfinished depth.
  template <class Search, class Rescue>
  Result run(Search search, Rescue rescue) {
    Result best;
    const int last = limits.depth;
    for (int depth = options.deepen ? 1 : last; depth <= last; ++depth) {
      moves.clear();
      horizon = tie_horizon = false;
      mover = -1;
      walk.reset();
      tracer.reset();
      try {
        Result next = search(depth);
        keep_choice(best, next);
        next.story = std::move(best.story);
        if (!next.line.empty()) next.story.push_back({next.depth, next.line.front(), next.value});
        best = std::move(next);
        best.nodes = budget.nodes();
        best.leaves = leaves;
        best.deepest = deepest;
        if (on_depth_ && options.deepen) (*on_depth_)(best);
      } catch (const Stopped&) {
        if (best.has_value) {
          if (!on_depth_) rescue(best);  // a caller that saw every depth gets the last one
          tracer.restore();
        } else {
          best = unfinished();
        }
        break;
      }
      if (!(horizon || tie_horizon) || settled(best)) break;
      tracer.keep();
    }
    best.nodes = budget.nodes();
    best.leaves = leaves;
    best.deepest = deepest;
    best.stopped = budget.stopped();
    return best;
  }

  template <class Search>
  Result run(Search search) {
    return run(search, [](Result&) {});
  }

  std::conditional_t<std::is_same_v<G, Game>, const Game&, G> game;
  const Limits& limits;
  const Options& options;
  BasicWalk<G> walk;
  Judge<G> judge;
  Budget& budget;
  Tracer& tracer;

  std::uint64_t leaves = 0;
  int deepest = 0;
  bool horizon = false;      // the depth limit was reached since this was last cleared
  bool tie_horizon = false;  // it was reached when root moves were compared with the best
  int root_player = 0;
  int mover = -1;  // the ply of the last move of a player on the path; -1: none
  std::vector<RootMove> moves;

  // Whether the search is complete: the value is exact, the requested lines are exact, and every
  // other move is proved to be no better than the last of them. With the option `ties`, it is known
  // for each move whether it is a tie.
  bool settled(const Result& r) const {
    if (r.bound != Bound::exact) return false;
    const double sign = root_player == 0 ? 1 : -1;
    if (options.ties && !all_worse(r, sign * r.value, false)) return false;
    if (options.lines <= 1) return true;
    std::vector<double> exact;
    for (const RootMove& m : r.moves) {
      if (m.bound == Bound::exact) exact.push_back(sign * m.value);
    }
    const auto wanted = std::min<std::ptrdiff_t>(options.lines, std::ssize(r.moves));
    if (std::ssize(exact) < wanted) return false;
    std::sort(exact.begin(), exact.end(), std::greater<>());
    const double last = exact[wanted - 1];
    if (last >= (root_player == 0 ? game.facts.utility_max : -game.facts.utility_min)) return true;
    return all_worse(r, last, true);
  }

 private:
  // Whether every root move's value is known, or proved to be worse for the mover than `worth`.
  bool all_worse(const Result& r, double worth, bool or_equal) const {
    const double sign = root_player == 0 ? 1 : -1;
    return std::all_of(r.moves.begin(), r.moves.end(), [&](const RootMove& m) {
      const double v = sign * m.value;
      const bool worse = v < worth || (or_equal && v == worth);
      return m.bound == Bound::exact || (m.bound == at_least(1 - root_player) && worse);
    });
  }
  const std::function<void(const Result&)>* on_depth_;

  // If two depths agree on a win, the choice at the smaller depth wins sooner. If they agree on a
  // loss, the choice at the last depth delays it longest.
  void keep_choice(const Result& before, Result& now) const {
    if (!duel() || !before.has_value || now.line.empty() || before.line.empty() ||
        now.distance >= 0)
      return;
    const bool won = now.value == before.value && now.bound == Bound::exact && before.decisive;
    const bool lost =
        now.bound == Bound::exact && game.facts.utility_min < game.facts.utility_max &&
        now.value == (root_player == 0 ? game.facts.utility_min : game.facts.utility_max);
    if (!won && !lost) return;
    if (now.line.front() == before.line.front()) return;
    for (const RootMove& m : now.moves) {
      if (m.action == before.line.front() && m.value == now.value &&
          (lost || m.bound == Bound::exact)) {
        now.line = lost ? m.line : before.line;
        return;
      }
    }
  }
};

// The run with or without a tracer: the same code, compiled twice.
template <template <class> class Search>
Result run_search(const Request& request) {
  if (request.recorder) return Search<Recorder>(request, *request.recorder).run();
  NoTrace none;
  return Search<NoTrace>(request, none).run();
}

}  // namespace zermelo
