// Runs Monte Carlo tree search: threads, limits and progress reports.
#pragma once

#include <chrono>
#include <exception>
#include <memory>
#include <optional>

#include "../../parts/runner.hpp"
#include "../all.hpp"
#include "report.hpp"
#include "reuse.hpp"
#include "worker.hpp"

namespace zermelo {

// When to report progress: whenever the simulations have doubled, and ten times per second.
class ProgressTimer {
  using Clock = std::chrono::steady_clock;

 public:
  bool due(std::uint64_t simulations) {
    if (simulations < next_) return false;
    const auto now = Clock::now();
    const bool doubled = simulations >= doubling_;
    const auto since = now - last_read_;
    // Reads the clock about a thousand times per second.
    if (since < std::chrono::milliseconds(1)) {
      gap_ *= 2;
    } else if (since > std::chrono::milliseconds(4) && gap_ > 1) {
      gap_ /= 2;
    }
    last_read_ = now;
    next_ = std::min(simulations + gap_, std::max(doubling_, simulations + 1));
    if (!doubled && now - last_report_ < std::chrono::milliseconds(100)) return false;
    while (doubling_ <= simulations) doubling_ *= 2;
    last_report_ = now;
    return true;
  }

 private:
  std::uint64_t next_ = 1, gap_ = 1, doubling_ = 1024;
  Clock::time_point last_report_ = Clock::now(), last_read_ = last_report_;
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
    if (!params_.tree) {
      own_tree_.emplace(std::max(1, request.options.table_mb), width_, params_.rave > 0);
    }
    tree_ = params_.tree ? params_.tree : &*own_tree_;
  }

  Result run() {
    const std::uint64_t kept = MctsReuse(request_, *tree_).run();
    if (std::is_same_v<G, Game> && request_.recorder) {
      if constexpr (std::is_same_v<G, Game>) run_single(*request_.recorder);
    } else if (request_.options.threads > 1) {
      run_threads();
    } else {
      NoTrace none;
      run_single(none);
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
  using GameRef = std::conditional_t<std::is_same_v<G, Game>, const Game&, G>;

  Result report() const {
    return MctsReport<G>(request_, *tree_).result(done_.load(), max_depth_, moments_);
  }

  template <class Tracer>
  void run_single(Tracer& tracer) {
    MctsWorker<G, false, Tracer> worker(game_, request_, *tree_, request_.options.seed, tracer);
    try {
      run_worker(worker, true);
    } catch (const Stopped&) {
    }
    collect(worker);
  }

  void run_threads() {
    NoTrace none;
    using Worker = MctsWorker<G, true, NoTrace>;
    struct Helper {
      std::unique_ptr<Worker> worker;
      std::exception_ptr error;
      std::unique_ptr<DeepThread> thread;
    };
    const auto make = [&](int i) {
      return std::make_unique<Worker>(game_, request_, *tree_, mix(request_.options.seed) + i,
                                      none);
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
          run_worker(*h.worker, false);
        } catch (const Stopped&) {
        } catch (...) {
          h.error = std::current_exception();
          over_ = true;
        }
      });
    }
    const std::unique_ptr<Worker> own = make(0);
    try {
      run_worker(*own, true);
    } catch (const Stopped&) {
    } catch (...) {
      over_ = true;
      join();
      throw;
    }
    join();
    collect(*own);
    for (Helper& h : helpers) {
      if (h.error) std::rethrow_exception(h.error);
      collect(*h.worker);
    }
  }

  template <class Worker>
  void run_worker(Worker& worker, bool reports) {
    const MctsNode& root = (*tree_)[MctsTree::kRoot];
    while (!root.proven() && !over_.load(std::memory_order_relaxed)) {
      if (request_.budget.stopped() != Stop::none) break;
      if (Worker::kShared ? begun_.fetch_add(1) >= limit_ : done_ >= limit_) {
        request_.budget.stop(Stop::nodes);
        break;
      }
      worker.simulate();
      const std::uint64_t done = increment<Worker::kShared>(done_);
      if (reports && request_.on_depth && progress_.due(done)) report_progress(worker);
    }
    over_ = true;  // stops the other threads
  }

  // Increments a counter and returns its new value.
  template <bool Shared>
  static std::uint64_t increment(std::atomic<std::uint64_t>& n) {
    constexpr auto relaxed = std::memory_order_relaxed;
    if constexpr (Shared) return 1 + n.fetch_add(1, relaxed);
    n.store(n.load(relaxed) + 1, relaxed);
    return n.load(relaxed);
  }

  template <class Worker>
  void report_progress(const Worker& worker) {
    const Result r =
        MctsReport<G>(request_, *tree_).result(done_.load(), worker.max_depth, worker.moments);
    if (r.has_value) (*request_.on_depth)(r);
  }

  template <class Worker>
  void collect(const Worker& worker) {
    max_depth_ = std::max(max_depth_, worker.max_depth);
    moments_.resize(std::max(moments_.size(), worker.moments.size()));
    for (std::size_t i = 0; i < worker.moments.size(); ++i) moments_[i].add(worker.moments[i]);
  }

  const Request& request_;
  GameRef game_;
  const MctsParams& params_;
  std::uint64_t limit_;
  int width_;
  std::optional<MctsTree> own_tree_;
  MctsTree* tree_;
  ProgressTimer progress_;
  std::atomic<std::uint64_t> begun_ = 0, done_ = 0;  // simulations
  std::atomic<bool> over_ = false;
  int max_depth_ = 0;
  std::vector<Moments> moments_;
};

template <class G>
Result run_mcts(const Request& request) {
  return MctsRun<G>(request).run();
}

}  // namespace zermelo
