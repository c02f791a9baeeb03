// Bridge: the play of the cards in one contract.
//
// Open cards: two players, declarer's side (0) and the defenders (1), both with perfect information
// (double dummy). Hidden cards: four players: declarer (0), the defender to the left (1), dummy (2)
// and the other defender (3); declarer plays dummy's cards, so player 2 never moves. The utility is
// the number of tricks of declarer's side, and its negative for the defenders.
//
// Design: both variants share one state. The double-dummy solver (double_dummy.hpp) answers
// `values` and `narrow`, so the engine gets exact values and has nothing left to search. A proof of
// the solver records the ranks it depends on; cards below those are interchangeable, so one entry
// of its memory holds for many deals (partition search, memory.hpp).
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "../../game.hpp"
#include "../../parts/hash.hpp"
#include "dealing.hpp"

namespace zermelo {

// Idle solvers; a solver keeps its memory between calls.
class BridgeSolver {
 public:
  BridgeSolver() {
    const std::lock_guard hold(lock());
    if (idle().empty()) {
      solver_ = std::make_unique<bridge::DoubleDummy>();
    } else {
      solver_ = std::move(idle().back());
      idle().pop_back();
    }
  }
  ~BridgeSolver() {
    const std::lock_guard hold(lock());
    idle().push_back(std::move(solver_));
  }
  bridge::DoubleDummy* operator->() { return solver_.get(); }

 private:
  static std::mutex& lock() {
    static std::mutex m;
    return m;
  }
  static std::vector<std::unique_ptr<bridge::DoubleDummy>>& idle() {
    static std::vector<std::unique_ptr<bridge::DoubleDummy>> all;
    return all;
  }
  std::unique_ptr<bridge::DoubleDummy> solver_;
};

class Bridge {
 public:
  using State = bridge::PlayState;

  Bridge(const State& start, bool hidden) : start_(start), hidden_(hidden) {}

  Facts facts() const {
    return {.players = hidden_ ? 4 : 2,
            .hidden = hidden_,
            .utility_min = hidden_ ? -bridge::kRanks : 0.0,
            .utility_max = bridge::kRanks,
            .step = 1,
            .max_actions = bridge::kRanks};
  }
  EngineHints hints() const { return {.slow_narrow = true}; }

  State initial() const { return start_; }

  int to_move(const State& s) const {
    if (s.count == 4 * s.cards) return kTerminal;
    const int place = (bridge::turn(s) - s.declarer) & 3;
    return place & 1 ? (hidden_ ? place : 1) : 0;
  }

  // Suit by suit, the highest first.
  int actions(const State& s, Action* out, int capacity) const {
    const bridge::Cards may = bridge::legal(s);
    int n = 0;
    for (int suit = 0; suit < bridge::kSuits; ++suit) {
      for (auto own = bridge::of_suit(may, suit); own; own ^= std::bit_floor(own)) {
        if (n < capacity) {
          out[n] = static_cast<Action>(bridge::kShift * suit + 31 - std::countl_zero(own));
        }
        ++n;
      }
    }
    return n;
  }

  State play(const State& s, Action a) const {
    State next = s;
    bridge::play_card(next, static_cast<int>(a));
    return next;
  }

  double utility(const State& s, int player) const { return player & 1 ? -s.won : s.won; }

  std::uint64_t key(const State& s) const { return hash_bytes(&s, sizeof s); }

  // The tricks to come do not depend on the cards played.
  std::uint64_t mirror_key(const State& s) const {
    State now = s;
    const int table = s.count & 3;
    std::memset(now.played, 0, sizeof now.played);
    std::memcpy(now.played, s.played + s.count - table, static_cast<std::size_t>(table));
    now.first = 0;
    return hash_bytes(&now, sizeof now);
  }

  int plies_left(const State& s) const { return 4 * s.cards - s.count; }

  // The cards played, and the hands that the player sees.
  std::uint64_t observation(const State& s, int player) const {
    State seen = s;
    const int seat = (s.declarer + player) & 3;
    for (int other = 0; other < bridge::kSeats; ++other) {
      if (!bridge::sees(s, seat, other)) seen.hand[other] = 0;
    }
    return hash_bytes(&seen, sizeof seen);
  }

  // Samples a state that the player cannot distinguish from this one, uniformly.
  bool deal(const State& s, int player, std::uint64_t random, State& out) const {
    Random rng(random);
    out = bridge::redeal(s, (s.declarer + player) & 3, rng);
    return true;
  }

  // The double-dummy value of each card for player 0.
  int values(const State& s, Action* out, double* value, int capacity) const {
    bridge::Cards card[bridge::kRanks];
    int tricks[bridge::kRanks];
    BridgeSolver solver;
    const int n = solver->solve_all(bridge::position_of(s), card, tricks);
    for (int i = 0; i < n && i < capacity; ++i) {
      out[i] = static_cast<Action>(std::countr_zero(card[i]));
      value[i] = total(s, tricks[i]);
    }
    return n;
  }

  // The solver gives the exact value of every position, so nothing is left to search.
  int narrow(const State& s, Action*, float*, int, double* low, double* high) const {
    BridgeSolver solver;
    *low = *high = total(s, solver->solve(bridge::position_of(s)));
    return 0;
  }

  // Accepts only reachable states.
  bool valid(const State& s) const {
    using namespace bridge;
    if (s.cards < 1 || s.cards > kRanks || s.count > 4 * s.cards || s.trump > kNoTrump ||
        s.declarer > 3 || s.first > 3 || s.leader > 3 || s.won > kRanks) {
      return false;
    }
    State walk = s;
    std::memset(walk.played, 0, sizeof walk.played);
    walk.count = walk.won = 0;
    walk.leader = s.first;
    Cards seen = 0;
    for (const Cards hand : s.hand) {
      if (hand & (seen | ~(lane(0) | lane(1) | lane(2) | lane(3)))) return false;
      seen |= hand;
    }
    for (int i = 0; i < s.count; ++i) {
      const int code = s.played[i];
      if (code >= kShift * kSuits || code % kShift >= kRanks || seen & bit(code)) return false;
      seen |= bit(code);
      walk.hand[turn(walk)] |= bit(code);
      play_card(walk, code);
    }
    if (hash_bytes(&walk, sizeof walk) != hash_bytes(&s, sizeof s)) return false;
    State replay = beginning(s);
    for (const Cards hand : replay.hand) {
      if (std::popcount(hand) != s.cards) return false;
    }
    for (int i = 0; i < s.count; ++i) {
      if (!(legal(replay) & bit(s.played[i]))) return false;
      play_card(replay, s.played[i]);
    }
    return true;
  }

 private:
  // Declarer's total tricks, if north and south win `tricks` of the remaining ones.
  static double total(const State& s, int tricks) {
    const int left = s.cards - s.count / 4;
    return s.won + (bridge::side(s.declarer) ? left - tricks : tricks);
  }

  State start_;
  bool hidden_;
};

}  // namespace zermelo
