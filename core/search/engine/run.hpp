// Starts the engine: on several threads, or on many positions in turn.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "../all.hpp"
#include "engine.hpp"

namespace zermelo {

// Lazy SMP: all threads search the same tree and share the transposition table; Busy tells them
// which moves the others are searching. The first thread's result counts, unless another one
// finished a greater depth before the time was up.
template <class G>
Result run_engine(const Request& request) {
  if (Result r; from_tables(request, r)) return r;
  std::unique_ptr<Table> fresh;
  if (!request.options.memory) fresh.reset(new Table(std::max(1, request.options.table_mb)));
  Table& table = fresh ? *fresh : *request.options.memory;
  if (!fresh) table.age();
  const std::unique_ptr<Busy> at_work{request.options.threads > 1 ? new Busy : nullptr};
  Busy* const busy = at_work.get();
  NoTrace none;
  struct Helper {
    Budget budget;
    Result found;
    std::unique_ptr<DeepThread> thread;
    explicit Helper(const Limits& limits) : budget(limits) {}
    ~Helper() { budget.stop(Stop::interrupted); }
  };
  std::vector<std::unique_ptr<Helper>> helpers;
  const int here = platform::processor();
  for (int i = 1; i < request.options.threads; ++i) {
    helpers.push_back(std::make_unique<Helper>(Limits{}));
    Helper& h = *helpers.back();
    h.thread = std::make_unique<DeepThread>([&request, &table, &h, busy, here, i] {
      platform::start_elsewhere(here, i);
      NoTrace silent;
      const Request own{request.game, request.state, request.limits, request.options,
                        h.budget,     nullptr,       nullptr};
      try {
        h.found = Engine<G>(own, silent, table, busy).run();
      } catch (...) {  // the first thread meets the same error and reports it
      }
    });
  }
  Engine<G> first(request, none, table, busy);
  Result r = first.run();
  r.tabled = first.tabled();
  std::uint64_t nodes = r.nodes;
  for (auto& h : helpers) {
    h->budget.stop(Stop::interrupted);
    h->thread->join();
    nodes += h->budget.nodes();
    // The deepest search has the best answer.
    if (r.stopped != Stop::none && h->found.has_value && h->found.depth > r.depth &&
        h->found.depth <= request.limits.depth && r.bound == Bound::estimate &&
        h->found.moves.size() == r.moves.size()) {
      h->found.stopped = r.stopped;
      h->found.tabled = r.tabled;
      r = std::move(h->found);
    }
  }
  r.nodes = nodes;
  return r;
}

// The exact values of many positions, one after another, with one table.
template <class G>
std::vector<Solved> solve_in_turn(const Game& game, const std::vector<const void*>& states,
                                  int depth, const Options& options, Budget& budget) {
  using Clock = std::chrono::steady_clock;
  std::vector<Solved> solved;
  Limits limits;
  limits.depth = depth;
  NoTrace none;
  Table table(std::max(1, options.table_mb));
  std::optional<Engine<G>> engine;  // reused: creating one costs more than an easy position
  for (const void* state : states) {
    const auto start = Clock::now();
    const std::uint64_t before = budget.nodes();
    double value = 0;
    Action action = 0;
    if (game.to_move(game.self, state) == kTerminal) {
      value = game.utility(game.self, state, 0);
    } else {
      const Request request{game, state, limits, options, budget, nullptr, nullptr};
      if (engine) {
        engine->restart(state);
      } else {
        engine.emplace(request, none, table, nullptr);
      }
      if (options.bounded) engine->be_brief();
      const Result r = engine->run();
      if (budget.stopped() != Stop::none) break;
      value = r.value;
      if (!r.line.empty()) action = r.line.front();
    }
    const std::chrono::duration<double> elapsed = Clock::now() - start;
    solved.push_back({value, budget.nodes() - before, elapsed.count(), action});
  }
  return solved;
}

}  // namespace zermelo
