// What the tree searches share: coming to a node, judging a leaf, telling the root's story,
// deepening. No algorithm is in here.
#pragma once

#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

#include "../algorithm.hpp"
#include "judge.hpp"
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
  // Counts the node at `ply` and says who moves there.
  int enter(int ply, Action by, double alpha, double beta) {
    budget.enter();
    walk.check_depth(ply);
    deepest = std::max(deepest, ply);
    walk.start_line(ply);
    const void* state = walk.state(ply);
    const int player = game.to_move(game.self, state);
    if (player >= game.facts.players || (player == kChance && !game.outcomes)) wrong_player();
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

  // What is left of the depth below a chance node. Outcomes cost none; but chance alone must not go
  // on for ever.
  int below_chance(int ply, int depth) const {
    constexpr int kFree = 32;  // outcomes in a row
    return ply - mover > kFree ? depth - 1 : depth;
  }

  // For the trace: the value as the user knows it.
  double show(double value) const { return judge.surface(value); }

  [[noreturn]] static void wrong_player() {
    throw RulesError("player(s) names nobody who plays this game", "players are counted from 0");
  }
  [[noreturn]] static void no_actions() {
    throw RulesError("a state that is not terminal has no legal action");
  }

  // Another root, with all that was made for the first.
  void restart(const void* state) {
    walk.start(state);
    leaves = 0;
    deepest = 0;
  }

  // The value stands for sure, though the search was cut short in depth?
  Bound settle(double value, Bound bound, bool estimated) const {
    const Facts& f = game.facts;
    if (bound == Bound::exact) {
      return estimated && !judge.decided(value) ? Bound::estimate : Bound::exact;
    }
    // Nothing is below the least utility nor above the greatest: a solver may use that, the
    // lectures' alpha-beta does not know it.
    const double v = judge.surface(value);
    if ((options.bounded && !estimated) || judge.decided(value)) {
      if (bound == Bound::upper && v <= f.utility_min) return Bound::exact;
      if (bound == Bound::lower && v >= f.utility_max) return Bound::exact;
    }
    return bound;
  }

  Result result(double value, Bound bound, int depth) {
    Result r;
    r.has_value = true;
    r.value = judge.surface(value);
    r.decisive = judge.decisive(value);
    r.bound = settle(value, bound, horizon);
    r.line = walk.line();
    r.moves = moves;
    r.distance = judge.distance(value);
    for (RootMove& m : r.moves)
      m.distance = judge.distance(m.value), m.value = judge.surface(m.value), surface(m.values);
    r.depth = horizon ? depth : deepest;
    r.horizon = horizon;
    if (game.facts.chance && game.facts.tree_nodes == 0 && duel()) win_at_once(r);
    return r;
  }

  // Chance's averages know no distance: of sure wins, the one that ends the game now is taken.
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

  // Stopped on the way: the best of the root moves that were finished.
  Result unfinished() {
    Result r;
    r.depth = 0;
    r.horizon = horizon;
    if (!moves.empty()) {
      const auto worth = [&](const RootMove& m) {
        if (!m.values.empty()) return m.values[root_player];
        return root_player == 0 ? m.value : -m.value;
      };
      const auto best = std::max_element(
          moves.begin(), moves.end(),
          [&](const RootMove& a, const RootMove& b) { return worth(a) < worth(b); });
      const RootMove chosen = *best;
      const Bound bound = root_player == 0 ? Bound::lower : Bound::upper;
      r = result(chosen.value, horizon ? Bound::exact : bound, 0);  // with a horizon: an estimate
      if (!duel()) r.bound = Bound::estimate;
      r.line = {chosen.action};
      r.values = chosen.values;
      surface(r.values);
    }
    return r;
  }

  // Two players, what one gains the other loses: player 0's value says all.
  bool duel() const { return game.facts.players <= 2 && game.facts.zero_sum; }

  void surface(std::vector<double>& values) const {
    for (double& v : values) v = judge.surface(v);
  }

  // Runs `search(depth)` once, or for depth 1, 2, 3, … and keeps the last finished answer, which
  // `rescue` may better by what an unfinished depth found.
  template <class Search, class Rescue>
  Result run(Search search, Rescue rescue) {
    Result best;
    const int last = limits.depth;
    for (int depth = options.deepen ? 1 : last; depth <= last; ++depth) {
      moves.clear();
      horizon = false;
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
          if (!on_depth_) rescue(best);  // who was told of the depths is given the last of them
          tracer.restore();
        } else {
          best = unfinished();
        }
        break;
      }
      if (!horizon || settled(best)) break;
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
  bool horizon = false;  // the depth limit was felt since this was last cleared
  int root_player = 0;
  int mover = -1;  // where a player moved last on the way here, in plies; -1: nowhere
  std::vector<RootMove> moves;

 private:
  // Nothing is left to find out: the value is final, and so are those of the lines asked for.
  bool settled(const Result& r) const {
    if (r.bound != Bound::exact || options.lines <= 1) return r.bound == Bound::exact;
    const auto exact = std::count_if(r.moves.begin(), r.moves.end(),
                                     [](const RootMove& m) { return m.bound == Bound::exact; });
    return exact >= std::min<std::ptrdiff_t>(options.lines, std::ssize(r.moves));
  }

  const std::function<void(const Result&)>* on_depth_;

  // Won or lost alike at two depths: the choice made at the lesser depth wins sooner, and one
  // that is lost at last was the one that held out longest.
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
