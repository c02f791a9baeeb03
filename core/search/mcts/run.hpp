// Starting Monte Carlo tree search: threads, the kept tree, progress, and what came of it.
#pragma once

#include <chrono>
#include <exception>
#include <memory>
#include <optional>

#include "../../parts/runner.hpp"
#include "../all.hpp"
#include "worker.hpp"

namespace zermelo {

// What a finished or running search knows, read off the tree.
template <class G>
class MctsReport {
 public:
  MctsReport(const Request& request, const MctsTree& tree)
      : request_(request), game_(request.game), tree_(tree) {}

  Result result(std::uint64_t simulations, int deepest, const std::vector<Spread>& spread) const {
    Result r;
    const MctsNode& root = tree_[MctsTree::kRoot];
    r.nodes = r.leaves = simulations;
    r.depth = deepest;
    r.stopped = request_.budget.stopped();
    if (!tree_.first(MctsTree::kRoot) || root.visits < 2) return r;
    r.has_value = true;
    r.bound = bound(MctsTree::kRoot);
    const std::uint32_t chosen = root.player == kChance ? 0 : choice(MctsTree::kRoot, spread);
    const std::uint32_t told = chosen ? chosen : MctsTree::kRoot;
    r.value = mean(told, 0);
    r.values = values(told);
    if (chosen) r.line = line(chosen);
    r.decisive = r.bound == Bound::exact;
    r.moves = moves(spread);
    return r;
  }

 private:
  static constexpr std::size_t kLongestLine = 128;
  static constexpr double kNothing = 1e-14;
  static constexpr std::uint32_t kInLine = 2;  // visits below which a line is not worth telling

  double mean(std::uint32_t at, int p) const {
    const double m = tree_.width() == 1 ? tree_[at].mean.load() : tree_.values(at)[p].load();
    return std::abs(m) < kNothing ? 0 : m;  // what rounding left
  }
  double worth(std::uint32_t at, int player) const {
    if (tree_.width() > 1) return mean(at, player);
    return player == 1 ? 0 - mean(at, 0) : mean(at, 0);
  }
  std::vector<double> values(std::uint32_t at) const {
    std::vector<double> v;
    for (int p = 0; p < tree_.width() && tree_.width() > 1; ++p) v.push_back(mean(at, p));
    return v;
  }
  Bound bound(std::uint32_t at) const {
    return tree_[at].proven() ? Bound::exact : Bound::estimate;
  }

  // The child that would be played. What is proved to be no worse than an estimate is preferred.
  std::uint32_t choice(std::uint32_t at, const std::vector<Spread>& spread) const {
    const MctsNode& n = tree_[at];
    const FinalChoice how =
        at == MctsTree::kRoot ? request_.options.mcts.final : FinalChoice::visits;
    std::uint32_t sure = 0, open = 0;
    const auto rank = [&](std::uint32_t c) {
      if (how == FinalChoice::visits) return static_cast<double>(tree_[c].visits);
      const std::size_t i = c - tree_.first(at);
      const double error = i < spread.size() ? spread[i].error() : -1;
      const double doubt = error < 0 ? kInfinity : error;
      return worth(c, n.player) - (how == FinalChoice::secure ? doubt : 0);
    };
    for (std::uint32_t c = tree_.first(at); c < tree_.end(at); ++c) {
      if (tree_[c].proven()) {
        if (!sure || worth(c, n.player) > worth(sure, n.player)) sure = c;
      } else if (tree_[c].visits > 0) {
        if (!open || rank(c) > rank(open)) open = c;
      }
    }
    if (sure && (!open || n.proven() || worth(sure, n.player) >= worth(open, n.player))) {
      return sure;
    }
    return open;
  }

  std::vector<Action> line(std::uint32_t at) const {
    std::vector<Action> line;
    for (; at && line.size() < kLongestLine;) {
      const MctsNode& n = tree_[at];
      line.push_back(n.action);
      if (!tree_.first(at) || n.player == kChance) break;
      at = choice(at, {});
      if (at && !tree_[at].proven() && tree_[at].visits < kInLine) break;
    }
    return line;
  }

  // All root moves, in the order in which the game lists them.
  std::vector<RootMove> moves(const std::vector<Spread>& spread) const {
    const MctsNode& root = tree_[MctsTree::kRoot];
    const std::uint32_t first = tree_.first(MctsTree::kRoot), end = tree_.end(MctsTree::kRoot);
    std::vector<Action> order(root.count);
    if (root.player == kChance) {
      std::vector<double> odds(root.count);
      game_.outcomes(game_.self, request_.state, order.data(), odds.data(), root.count);
    } else {
      game_.actions(game_.self, request_.state, order.data(), root.count);
    }
    std::vector<RootMove> moves;
    for (const Action a : order) {
      for (std::uint32_t c = first; c < end; ++c) {
        if (tree_[c].action != a) continue;
        const std::uint32_t known = tree_[c].visits || tree_[c].proven() ? c : MctsTree::kRoot;
        RootMove m{a, mean(known, 0), bound(c), tree_[c].visits, line(c), -1, values(known)};
        if (known != c) m.found = Bound::estimate;
        const std::size_t i = c - first;
        if (i < spread.size() && !tree_[c].proven()) m.error = spread[i].error();
        moves.push_back(std::move(m));
        break;
      }
    }
    return moves;
  }

  const Request& request_;
  const Game& game_;
  const MctsTree& tree_;
};

// When to tell how far it has come: at every doubling, and ten times a second.
class Pace {
  using Clock = std::chrono::steady_clock;

 public:
  bool due(std::uint64_t simulations) {
    if (simulations < next_) return false;
    const auto now = Clock::now();
    const bool doubled = simulations >= doubling_;
    const auto since = now - last_look_;
    // Looks at the clock about a thousand times a second.
    if (since < std::chrono::milliseconds(1)) {
      gap_ *= 2;
    } else if (since > std::chrono::milliseconds(4) && gap_ > 1) {
      gap_ /= 2;
    }
    last_look_ = now;
    next_ = std::min(simulations + gap_, std::max(doubling_, simulations + 1));
    if (!doubled && now - told_ < std::chrono::milliseconds(100)) return false;
    while (doubling_ <= simulations) doubling_ *= 2;
    told_ = now;
    return true;
  }

 private:
  std::uint64_t next_ = 1, gap_ = 1, doubling_ = 1024;
  Clock::time_point told_ = Clock::now(), last_look_ = told_;
};

template <class G>
class MctsRun {
 public:
  explicit MctsRun(const Request& request)
      : request_(request),
        game_(request.game),
        params_(request.options.mcts),
        limit_(request.limits.nodes) {
    const Facts& f = request.game.facts;
    width_ = f.players <= 2 && f.zero_sum ? 1 : f.players;
    if (!params_.tree) fresh_.emplace(std::max(1, request.options.table_mb), width_);
    tree_ = params_.tree ? params_.tree : &*fresh_;
  }

  Result run() {
    const std::uint64_t kept = find_root();
    if (std::is_same_v<G, Game> && request_.recorder) {
      if constexpr (std::is_same_v<G, Game>) work_alone(*request_.recorder);
    } else if (request_.options.threads > 1) {
      work_together();
    } else {
      NoTrace none;
      work_alone(none);
    }
    Result r = report();
    if (kept) r.note = std::to_string(kept) + " simulations were kept from before";
    if (tree_->full()) {
      r.note += r.note.empty() ? "" : "; ";
      r.note += "the tree was full at " + std::to_string(tree_->size()) +
                " nodes and stopped growing (table=MB)";
    }
    if (request_.on_depth && r.has_value) (*request_.on_depth)(r);
    return r;
  }

 private:
  static constexpr int kDeepestKept = 4;  // plies below the old root to look for the new
  static constexpr std::uint32_t kMostAsked = 1 << 13;  // nodes to look at for it

  using Known = std::conditional_t<std::is_same_v<G, Game>, const Game&, G>;

  Result report() const {
    std::vector<Spread> spread = spread_;
    return MctsReport<G>(request_, *tree_).result(done_.load(), deepest_, spread);
  }

  template <class Tracer>
  void work_alone(Tracer& tracer) {
    MctsWorker<G, false, Tracer> worker(game_, params_, *tree_, request_.budget, request_.state,
                                        request_.options.seed, tracer);
    try {
      work(worker, true);
    } catch (const Stopped&) {
    }
    gather(worker);
  }

  void work_together() {
    NoTrace none;
    using Worker = MctsWorker<G, true, NoTrace>;
    struct Helper {
      std::unique_ptr<Worker> worker;
      std::exception_ptr error;
      std::unique_ptr<DeepThread> thread;
    };
    const auto make = [&](int i) {
      return std::make_unique<Worker>(game_, params_, *tree_, request_.budget, request_.state,
                                      mix(request_.options.seed) + i, none);
    };
    std::vector<Helper> helpers(request_.options.threads - 1);
    const auto join = [&] {
      for (Helper& h : helpers) h.thread.reset();
    };
    for (std::size_t i = 0; i < helpers.size(); ++i) {
      Helper& h = helpers[i];
      h.worker = make(static_cast<int>(i) + 1);
      h.thread = std::make_unique<DeepThread>([this, &h] {
        try {
          work(*h.worker, false);
        } catch (const Stopped&) {
        } catch (...) {
          h.error = std::current_exception();
          over_ = true;
        }
      });
    }
    const std::unique_ptr<Worker> own = make(0);
    try {
      work(*own, true);
    } catch (const Stopped&) {
    } catch (...) {
      over_ = true;
      join();
      throw;
    }
    join();
    gather(*own);
    for (Helper& h : helpers) {
      if (h.error) std::rethrow_exception(h.error);
      gather(*h.worker);
    }
  }

  template <class Worker>
  void work(Worker& worker, bool tells) {
    const MctsNode& root = (*tree_)[MctsTree::kRoot];
    while (!root.proven() && !over_.load(std::memory_order_relaxed)) {
      if (request_.budget.stopped() != Stop::none) break;
      if (Worker::kShared ? begun_.fetch_add(1) >= limit_ : done_ >= limit_) {
        request_.budget.stop(Stop::nodes);
        break;
      }
      worker.simulate();
      const std::uint64_t done = count<Worker::kShared>(done_);
      if (tells && request_.on_depth && pace_.due(done)) tell(worker);
    }
    over_ = true;  // of several threads the first to see the end ends it for all
  }

  // One more.
  template <bool Shared>
  static std::uint64_t count(std::atomic<std::uint64_t>& n) {
    constexpr auto relaxed = std::memory_order_relaxed;
    if constexpr (Shared) return 1 + n.fetch_add(1, relaxed);
    n.store(n.load(relaxed) + 1, relaxed);
    return n.load(relaxed);
  }

  template <class Worker>
  void tell(const Worker& worker) {
    const Result r =
        MctsReport<G>(request_, *tree_).result(done_.load(), worker.deepest, worker.spread);
    if (r.has_value) (*request_.on_depth)(r);
  }

  template <class Worker>
  void gather(const Worker& worker) {
    deepest_ = std::max(deepest_, worker.deepest);
    spread_.resize(std::max(spread_.size(), worker.spread.size()));
    for (std::size_t i = 0; i < worker.spread.size(); ++i) spread_[i].add(worker.spread[i]);
  }

  // Looks for the state in the kept tree, below its root, and makes it the root. Returns how many
  // simulations came through it.
  std::uint64_t find_root() {
    const auto* state = static_cast<const std::byte*>(request_.state);
    const Game& g = request_.game;
    std::vector<std::byte> wanted(state, state + g.facts.state_size);
    const std::uint32_t found = tree_->root_state.empty() ? 0 : below(wanted);
    if (found == 0) {
      tree_->clear();
    } else {
      if (found != MctsTree::kRoot) tree_->keep(found);
      tree_->forget_turns();
    }
    tree_->root_state = std::move(wanted);
    return (*tree_)[MctsTree::kRoot].visits;
  }

  // The node of the kept tree with this state, level by level; 0: there is none.
  std::uint32_t below(const std::vector<std::byte>& wanted) const {
    const Game& g = request_.game;
    const std::uint64_t key = g.key(g.self, wanted.data());
    struct Seen {
      std::uint32_t node;
      int depth;
      std::vector<std::byte> state;
    };
    std::vector<Seen> queue{{MctsTree::kRoot, 0, tree_->root_state}};
    for (std::size_t i = 0; i < queue.size() && i < kMostAsked; ++i) {
      const Seen at = std::move(queue[i]);
      const std::size_t used = g.used ? g.used(g.self, at.state.data()) : g.facts.state_size;
      if (g.key(g.self, at.state.data()) == key &&
          std::equal(at.state.begin(), at.state.begin() + used, wanted.begin())) {
        return at.node;
      }
      const std::uint32_t end = at.depth < kDeepestKept ? tree_->end(at.node) : 0;
      for (std::uint32_t c = tree_->first(at.node); c < end; ++c) {
        if ((*tree_)[c].visits == 0) continue;
        std::vector<std::byte> next(at.state.size());
        g.play(g.self, at.state.data(), (*tree_)[c].action, next.data());
        queue.push_back({c, at.depth + 1, std::move(next)});
      }
    }
    return 0;
  }

  const Request& request_;
  Known game_;
  const MctsParams& params_;
  std::uint64_t limit_;
  int width_;
  std::optional<MctsTree> fresh_;
  MctsTree* tree_;
  Pace pace_;
  std::atomic<std::uint64_t> begun_ = 0, done_ = 0;  // simulations
  std::atomic<bool> over_ = false;
  int deepest_ = 0;
  std::vector<Spread> spread_;
};

template <class G>
Result run_mcts(const Request& request) {
  return MctsRun<G>(request).run();
}

}  // namespace zermelo
