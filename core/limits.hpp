// When a search stops.
#pragma once

#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "platform.hpp"

namespace zermelo {

inline constexpr int kNoDepth = 1 << 30;  // to the end of the game

struct Limits {
  int depth = kNoDepth;
  std::uint64_t nodes = UINT64_MAX;
  double seconds = 0;  // 0: no clock. parts/runner.hpp watches it and sets the stop flag
};

enum class Stop : std::uint8_t { none, nodes, time, interrupted };

// Thrown from inside a search when its budget is spent; caught at its root.
struct Stopped {};

// Thrown if the rules are inconsistent or the game does not end.
struct RulesError : std::runtime_error {
  explicit RulesError(const std::string& message, std::string hint = "")
      : std::runtime_error(message), hint(std::move(hint)) {}
  std::string hint;
  std::string state = {};  // in which it was found, as flat bytes; empty: unknown
  std::string other = {};  // a second state, if two states contradict each other
};

// Positions can repeat forever.
struct EndlessGame : RulesError {
  using RulesError::RulesError;
};

// Counts the nodes of a search and ends it.
class Budget {
 public:
  explicit Budget(const Limits& limits) : limit_(limits.nodes) {}

  void enter() {
    if (nodes_ >= limit_.load(std::memory_order_acquire)) [[unlikely]]
      spent();
    ++nodes_;
  }

  // From any thread; the first reason stays.
  void stop(Stop why) {
    Stop none = Stop::none;
    stop_.compare_exchange_strong(none, why);
    limit_.store(0);
  }

  std::uint64_t nodes() const { return nodes_; }
  Stop stopped() const { return stop_.load(); }

 private:
  std::uint64_t nodes_ = 0;
  [[noreturn]] ZERMELO_NOINLINE void spent() {
    stop(Stop::nodes);
    throw Stopped{};
  }
  std::atomic<std::uint64_t> limit_;
  std::atomic<Stop> stop_{Stop::none};
};

}  // namespace zermelo
