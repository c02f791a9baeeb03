// The contract between rules and search. Read this file first.
//
// A game is a table of plain functions over flat states: fixed-size values that are copied with
// memcpy and own no memory. Every search is written once, against this table. Three kinds of game
// fill it in: C++ rules (core/games), Python rules compiled to C functions (zermelo.compile) and
// any Python object (bindings/python_game.cpp, whose flat state is the number of an interned
// state).
#pragma once

#include <cstdint>
#include <limits>

namespace zermelo {

using Action = std::uint32_t;  // what a number means is the game's affair

inline constexpr int kChance = -1;    // to_move: nature moves, with the odds of `outcomes`
inline constexpr int kTerminal = -2;  // to_move: the game is over

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

// What an algorithm checks before it starts.
struct Facts {
  int players = 2;
  bool chance = false;              // some states belong to nature
  bool hidden = false;              // some player cannot tell some states apart
  bool zero_sum = true;             // the utilities of all players add up to 0
  double utility_min = -kInfinity;  // of player 0; in games of other sums, of any player
  double utility_max = kInfinity;
  std::uint32_t state_size = 0;  // bytes
  double step = 0;               // utilities are multiples of this; 0: any number
  int max_actions = 0;           // in any state; 0: not known, then `actions` minds its capacity
  std::uint64_t tree_nodes = 0;  // of an explicit tree; 0: not known
  bool slow_narrow = false;      // `narrow` costs more than looking into a table
};

// Classes of positions, numbered, so that a table can hold the value of every one. A move stays in
// its class or leads to one of a lower number. Both sides to move are in the same class.
struct Endgames {
  int classes = 0;
  int (*class_of)(const void* self, const void* state) = nullptr;  // -1: in none
  const char* (*name)(const void* self, int number) = nullptr;     // of a class, fit for a file
  std::uint64_t (*size)(const void* self, int number) = nullptr;   // indices are below this
  std::uint64_t (*index)(const void* self, const void* state) = nullptr;  // within its class
  // False: no position has this index.
  bool (*position)(const void* self, int number, std::uint64_t index, void* state) = nullptr;
  // The positions of the same class from which one move leads to `state`, one behind the other.
  // Writes at most `capacity` and returns how many there are.
  int (*before)(const void* self, const void* state, void* out, int capacity) = nullptr;
};

// Every function takes `self` (the game's parameters) first. Players count from 0.
struct Game {
  Facts facts;
  const void* self = nullptr;

  // The rules.
  void (*initial)(const void* self, void* state) = nullptr;
  int (*to_move)(const void* self, const void* state) = nullptr;  // a player, kChance, kTerminal
  // Writes at most `capacity` actions and returns how many there are. Not asked when terminal.
  int (*actions)(const void* self, const void* state, Action* out, int capacity) = nullptr;
  void (*play)(const void* self, const void* state, Action action, void* next) = nullptr;
  double (*utility)(const void* self, const void* state, int player) = nullptr;  // terminal only
  // Equal states have equal keys; unequal ones differ but for 64-bit accidents.
  std::uint64_t (*key)(const void* self, const void* state) = nullptr;
  // Border check: may these bytes, from outside, be given to the other functions? (null: always)
  bool (*valid)(const void* self, const void* state) = nullptr;

  // Group chance: the outcomes of a state whose to_move is kChance, as `actions`, with their odds.
  int (*outcomes)(const void* self, const void* state, Action* out, double* odds,
                  int capacity) = nullptr;

  // Group information: equal exactly where `player` cannot tell states apart.
  std::uint64_t (*observation)(const void* self, const void* state, int player) = nullptr;

  // Group hints: what makes a search strong, never what makes it right.
  double (*evaluate)(const void* self, const void* state, int player) = nullptr;
  // The actions too violent to stop a search at (captures…), a subset of `actions`.
  int (*noisy)(const void* self, const void* state, Action* out, int capacity) = nullptr;
  // Enough of the actions to find the value of the state, each with how promising it looks (the
  // greatest is tried first). [*low, *high], values of player 0, is the window that is asked about;
  // sure bounds of the value are left there. No action: the value is sure, as far as the window
  // asks (*low == *high, or a bound on one side of it). Capacity as in `actions`.
  int (*narrow)(const void* self, const void* state, Action* out, float* promise, int capacity,
                double* low, double* high) = nullptr;
  // As `key`, but equal for mirror images too, and for what else a search may take for one.
  std::uint64_t (*mirror_key)(const void* self, const void* state) = nullptr;
  // The game ends within so many plies.
  int (*plies_left)(const void* self, const void* state) = nullptr;
  // Plies since the last move that nothing can undo: as far back the same position may have been.
  // Play that comes back to a position (by mirror_key) counts as drawn, utility 0.
  int (*quiet_plies)(const void* self, const void* state) = nullptr;

  // Group endgames: null, or classes of positions that can be tabled whole.
  const Endgames* endgames = nullptr;
};

// The table of a C++ rules class G with a nested flat `State`. What G does not define stays null.
template <class G>
Game table_of(const G& rules) {
  using S = typename G::State;
  static_assert(__is_trivially_copyable(S), "states are flat");
#define ZERMELO_SELF static_cast<const G*>(self)
#define ZERMELO_STATE (*static_cast<const S*>(state))
  Game g;
  g.facts = rules.facts();
  g.facts.state_size = sizeof(S);
  g.self = &rules;
  g.initial = [](const void* self, void* state) {
    *static_cast<S*>(state) = ZERMELO_SELF->initial();
  };
  g.to_move = [](const void* self, const void* state) {
    return ZERMELO_SELF->to_move(ZERMELO_STATE);
  };
  g.actions = [](const void* self, const void* state, Action* out, int capacity) {
    return ZERMELO_SELF->actions(ZERMELO_STATE, out, capacity);
  };
  g.play = [](const void* self, const void* state, Action action, void* next) {
    *static_cast<S*>(next) = ZERMELO_SELF->play(ZERMELO_STATE, action);
  };
  g.utility = [](const void* self, const void* state, int player) {
    return ZERMELO_SELF->utility(ZERMELO_STATE, player);
  };
  g.key = [](const void* self, const void* state) { return ZERMELO_SELF->key(ZERMELO_STATE); };
  g.valid = [](const void* self, const void* state) { return ZERMELO_SELF->valid(ZERMELO_STATE); };
  if constexpr (requires(const S& s, Action* a, double* p) { rules.outcomes(s, a, p, 0); }) {
    g.outcomes = [](const void* self, const void* state, Action* out, double* odds, int capacity) {
      return ZERMELO_SELF->outcomes(ZERMELO_STATE, out, odds, capacity);
    };
  }
  if constexpr (requires(const S& s) { rules.observation(s, 0); }) {
    g.observation = [](const void* self, const void* state, int player) {
      return ZERMELO_SELF->observation(ZERMELO_STATE, player);
    };
  }
  if constexpr (requires(const S& s) { rules.evaluate(s, 0); }) {
    g.evaluate = [](const void* self, const void* state, int player) {
      return ZERMELO_SELF->evaluate(ZERMELO_STATE, player);
    };
  }
  if constexpr (requires(const S& s, Action* a) { rules.noisy(s, a, 0); }) {
    g.noisy = [](const void* self, const void* state, Action* out, int capacity) {
      return ZERMELO_SELF->noisy(ZERMELO_STATE, out, capacity);
    };
  }
  if constexpr (requires(const S& s, Action* a, float* f, double* d) {
                  rules.narrow(s, a, f, 0, d, d);
                }) {
    g.narrow = [](const void* self, const void* state, Action* out, float* promise, int capacity,
                  double* low, double* high) {
      return ZERMELO_SELF->narrow(ZERMELO_STATE, out, promise, capacity, low, high);
    };
  }
  if constexpr (requires(const S& s) { rules.mirror_key(s); }) {
    g.mirror_key = [](const void* self, const void* state) {
      return ZERMELO_SELF->mirror_key(ZERMELO_STATE);
    };
  }
  if constexpr (requires(const S& s) { rules.plies_left(s); }) {
    g.plies_left = [](const void* self, const void* state) {
      return ZERMELO_SELF->plies_left(ZERMELO_STATE);
    };
  }
  if constexpr (requires(const S& s) { rules.quiet_plies(s); }) {
    g.quiet_plies = [](const void* self, const void* state) {
      return ZERMELO_SELF->quiet_plies(ZERMELO_STATE);
    };
  }
  if constexpr (requires { rules.endgames(); }) g.endgames = rules.endgames();
#undef ZERMELO_SELF
#undef ZERMELO_STATE
  return g;
}

}  // namespace zermelo
