// What the engine keeps from node to node, and the local variables of one node.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "../../inlined.hpp"
#include "../../parts/busy.hpp"
#include "../../parts/frame.hpp"
#include "../../parts/ordering.hpp"
#include "../../parts/table.hpp"
#include "../../parts/tablebase.hpp"
#include "../../platform.hpp"
#include "params.hpp"

namespace zermelo {

// Alpha and beta, addressed by player: each side of the window is that player's own.
struct EngineWindow {
  double bound[2];
};

// One node of the search: the local variables of EngineNode::value. Each step fills in its part.
// Values are player 0's, so MAX raises alpha and MIN lowers beta; `sign` turns a comparison around
// for MIN. No pointer to a node is ever kept, so that the compiler may hold it in registers.
struct EngineNodeState {
  EngineNodeState(int ply, int depth, EngineWindow& window)
      : ply(ply), depth(depth), window(window) {}

  const int ply;
  int depth;  // plies left; <= 0: quiescence search
  EngineWindow& window;
  double value;  // the node's value, once a step settles it
  int player;    // 0: MAX, 1: MIN
  double sign;
  double cutoff;    // the opponent's side of the window: a value that reaches it cuts
  bool in_check;    // the game calls the position urgent
  bool quiescence;  // past the depth limit: only noisy moves
  bool pv;          // a PV node: the window has room for more than "better or not"

  // Transposition table.
  std::uint64_t key;
  int plies_left;  // to the end of the game, where it can tell
  bool mirrored;   // the entry is of the mirror image: its action does not apply
  bool use_table;
  bool plain_moves;  // too close to the depth limit for a slow `narrow`
  bool large;        // a subtree worth a look at the children's entries
  bool table_hit;

  // Selective search.
  double static_eval;
  bool improving;  // better for the mover than at its last turn
  bool prunes;     // moves may be skipped here
  bool reduces;    // late moves may be searched less deeply

  // Moves: a part of the engine's move stack.
  std::size_t first;
  int count;
  bool learns;  // killers and history order the moves
  double best;
  Action best_action;
  int best_index;
  bool stand_pat;  // the mover may decline all noisy moves
  bool outer_horizon;
  std::uint64_t start_nodes;
  int searched, ranked;

  // Moves that another thread is searching are deferred to the end of the list.
  bool shared;
  std::size_t first_deferred;
  int deferred;

  double alpha() const { return window.bound[0]; }
  double beta() const { return window.bound[1]; }
  double& own() const { return window.bound[player]; }  // the mover's side of the window
  bool better(double v, double than) const { return sign * v > sign * than; }
  bool fails_high(double v) const { return sign * v >= sign * cutoff; }
};

template <class G>
class EngineState : public Frame<NoTrace, G> {
 protected:
  using Base = Frame<NoTrace, G>;
  using Base::game, Base::options, Base::walk, Base::judge, Base::horizon, Base::leaf;
  using Node = EngineNodeState;

  EngineState(const Request& request, NoTrace& tracer, Table& table, Busy* busy)
      : Base(request, tracer),
        table_(table),
        busy_(busy),
        solving_(request.options.bounded),
        // A game that rates its moves knows better than what cut elsewhere.
        learns_(options.killers &&
                (game.hints.scores_noisy_only || !(game.narrow && options.move_hints))),
        step_(judge.lifted() ? 0 : game.facts.step),
        slow_narrow_(options.move_hints && game.narrow && game.hints.slow_narrow),
        selective_(game.hints.selective && !solving_),
        repetition_draws_(game.quiet_plies && !solving_),
        probcut_(game.doubt && options.probcut && !solving_ && !selective_),
        etc_(options.etc && !game.hints.slow_rules),
        mirror_(options.symmetry && game.mirror_key) {
    scratch_.resize(std::max(256, game.facts.max_actions));
    promise_.resize(scratch_.size());
    if (!solving_ && (game.hints.scores_noisy_only || !game.narrow)) judge.be_prompt();
  }

  // Never keep this across a deeper search, which may move the states.
  const void* state(const Node& n) { return walk.state(n.ply); }

  std::uint64_t table_key(const void* state) const {
    return mirror_ ? game.mirror_key(game.self, state) : game.key(game.self, state);
  }

  // The next possible value.
  double above(double x) const { return step_ > 0 ? x + step_ : std::nextafter(x, kInfinity); }
  double below(double x) const { return step_ > 0 ? x - step_ : std::nextafter(x, -kInfinity); }

  double static_evaluation(int ply) {
    const double e = judge.horizon(walk.state(ply));
    if (!judge.decisive(e)) lowest_ = std::min(lowest_, e), highest_ = std::max(highest_, e);
    return e;
  }
  // The evaluation as the value of a leaf.
  double evaluation(int ply) {
    horizon = true;
    return leaf(ply, Leaf::horizon, static_evaluation(ply));
  }

  // What a value found with this window says about the true value.
  static Bound bound_of(double v, double alpha, double beta) {
    return v <= alpha ? Bound::upper : v >= beta ? Bound::lower : Bound::exact;
  }

  // Root moves of better lines (multi-PV) and those the caller excludes.
  bool skipped(Action action) const {
    return skip_ && std::find(skip_->begin(), skip_->end(), action) != skip_->end();
  }
  bool later_line() const { return skip_ && skip_->size() > options.without.size(); }

  static constexpr std::uint64_t kNarrowWork = 1 << 8;  // what a slow `narrow` costs, in nodes
  static constexpr int kEtcChildren = 32;               // at most, looked up per node

  EngineParams params_;
  Table& table_;
  Busy* busy_;    // which moves the other threads search; null: there is one thread
  bool solving_;  // only proved values: no selective search
  bool learns_;   // killers and history are kept
  Ordering ordering_{learns_ || (options.killers && game.hints.slow_narrow)};
  double step_;       // values are multiples of this; 0: any number
  bool slow_narrow_;  // `narrow` costs more than a table lookup
  int plain_moves_max_depth_ =
      solving_ ? params_.plain_moves_max_depth_solving : params_.plain_moves_max_depth;
  bool selective_;
  bool repetition_draws_;
  bool probcut_;
  bool in_probcut_ = false;  // a ProbCut search is running
  bool etc_;
  bool mirror_;  // mirror images share a table entry
  int root_depth_ = 0;
  int null_move_ply_ = -2;            // the last null move on the path
  std::vector<double> static_evals_;  // on the path
  std::vector<std::uint64_t> path_;   // keys of the positions on the path
  bool value_only_ = false;           // root moves need no values of their own
  const std::vector<Action>* skip_ = nullptr;
  double lowest_ = 0, highest_ = 0;  // evaluations seen
  std::uint64_t tablebase_hits_ = 0;
  MoveStack stack_;
  std::vector<int> deferred_ranks_;
  std::vector<Action> scratch_;
  std::vector<float> promise_;
  static inline const std::array<double, 64> logs_ = [] {
    std::array<double, 64> logs{};
    for (int i = 1; i < 64; ++i) logs[i] = std::log(i);
    return logs;
  }();
};

}  // namespace zermelo
