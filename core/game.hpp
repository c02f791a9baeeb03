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
#include <type_traits>

namespace zermelo {

using Action = std::uint32_t;  // what a number means is the game's affair

inline constexpr int kChance = -1;    // to_move: nature moves, with the odds of `outcomes`
inline constexpr int kTerminal = -2;  // to_move: the game is over

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct InlinedEngine;
struct InlinedMcts;

// What an algorithm checks before it starts.
struct Facts {
  int players = 2;
  bool chance = false;   // some states belong to nature
  bool hidden = false;   // some player cannot tell some states apart
  bool zero_sum = true;  // the utilities of all players add up to 0
  // Of player 0 where two play for what the other loses; else of any player.
  double utility_min = -kInfinity;
  double utility_max = kInfinity;
  std::uint32_t state_size = 0;  // bytes
  double step = 0;               // utilities are multiples of this; 0: any number
  int max_actions = 0;           // in any state; 0: not known, then `actions` minds its capacity
  std::uint64_t tree_nodes = 0;  // of an explicit tree; 0: not known
  double sum_max = kInfinity;    // of all players' utilities together, where zero_sum is false
};

// What the engine may assume about a game's rules and hints. None of this changes an exact value.
struct EngineHints {
  // The engine may prune and reduce late quiet moves, so its values are estimates.
  bool selective = false;
  // `narrow` scores noisy actions only: good > 0, bad < 0, and every quiet action 0.
  bool scores_noisy_only = false;
  // Where there are noisy actions, no others are legal (forced captures), so quiescence search may
  // not stop there.
  bool noisy_is_forced = false;
  // States with equal `mirror_key` have the same actions, so a mirrored table entry gives a move.
  bool mirror_keeps_actions = false;
  // `narrow` costs more than a probe of the transposition table, so the table is probed first.
  bool slow_narrow = false;
  // Calling the rules is expensive (Python), so the engine avoids calls it can do without.
  bool slow_rules = false;
};

// Does player 0's value say everything: one player, or two players with zero sum?
inline bool duel(const Facts& facts) {
  return facts.players == 1 || (facts.players == 2 && facts.zero_sum);
}

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
  int (*pieces)(const void* self, int number) = nullptr;  // on the board (null: not counted so)
  // Stands `index` for this state with the sides changed, so that the value of player 0 is turned?
  // Never of what `position` and `before` write, nor of what a move within the class makes of it.
  bool (*turned)(const void* self, const void* state) = nullptr;  // null: never
  // May a move lead from one class to another, of a lower number? (null: always)
  bool (*leads)(const void* self, int from, int to) = nullptr;
};

// Every function takes `self` (the game's parameters) first. Players count from 0.
struct Game {
  Facts facts;
  EngineHints hints;
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
  // As `key`, but the same in every process, for what is kept on disk (null: `key` is so).
  std::uint64_t (*lasting_key)(const void* self, const void* state) = nullptr;
  // Border check: may these bytes, from outside, be given to the other functions? (null: always)
  bool (*valid)(const void* self, const void* state) = nullptr;

  // How many bytes of the state mean anything; `play` may leave the rest as they were, and at the
  // border they are 0 (null: all).
  std::uint32_t (*used)(const void* self, const void* state) = nullptr;

  // Group chance: the outcomes of a state whose to_move is kChance, as `actions`, with their odds.
  int (*outcomes)(const void* self, const void* state, Action* out, double* odds,
                  int capacity) = nullptr;

  // Group information: equal exactly where `player` cannot tell states apart; its actions are too.
  std::uint64_t (*observation)(const void* self, const void* state, int player) = nullptr;
  // A state that `player` cannot tell from this one, by its odds, made of 64 random bits. False:
  // there is none.
  bool (*deal)(const void* self, const void* state, int player, std::uint64_t random,
               void* out) = nullptr;
  // The same state with its clocks at rest and what is past forgotten, so that equal positions are
  // equal bytes. Returns for how many decisions of a player the game goes on alike.
  int (*timeless)(const void* self, const void* state, void* out) = nullptr;
  // A solver of the game's own: each action's exact value to player 0 (odd players lose it), all
  // seen.
  int (*values)(const void* self, const void* state, Action* out, double* value,
                int capacity) = nullptr;

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
  // How far what a search of `depth` says lies from what one of `shallow` says: the standard
  // deviation, in the unit of `evaluate`.
  double (*doubt)(const void* self, const void* state, int depth, int shallow) = nullptr;
  // The game ends within about so many plies.
  int (*plies_left)(const void* self, const void* state) = nullptr;
  // Plies since the last move that nothing can undo: as far back the same position may have been.
  // Play that comes back to a position (by mirror_key) counts as drawn, utility 0.
  int (*quiet_plies)(const void* self, const void* state) = nullptr;

  // Must this position not be judged as it stands (a king in check)? It is looked at a ply deeper,
  // and in full past the depth limit.
  bool (*urgent)(const void* self, const void* state) = nullptr;
  // The mover gives up its turn. False: here that may be better than every move, or makes no sense.
  bool (*pass)(const void* self, const void* state, void* next) = nullptr;
  // One of the actions, each as likely, made of 64 random bits. Not asked when terminal.
  Action (*sample)(const void* self, const void* state, std::uint64_t random) = nullptr;
  // Group counting: what `perft` is quicker with.
  // How many actions there are, as `actions` without writing them. Not asked when terminal.
  int (*count)(const void* self, const void* state) = nullptr;
  // The leaves of the move tree at `depth`, as published tables of the game count them, which may
  // go on where a rule of draws ends the game. Calls `tick` now and then; it may throw.
  std::uint64_t (*leaves)(const void* self, const void* state, int depth, void (*tick)(void*),
                          void* with) = nullptr;

  // Group endgames: null, or classes of positions that can be tabled whole.
  const Endgames* endgames = nullptr;

  // The engine with these rules compiled in (core/inlined.hpp), where that pays; else null.
  const InlinedEngine* engine = nullptr;
  const InlinedMcts* mcts = nullptr;  // the same of Monte Carlo search
};

// The functions of a C++ rules class G with a nested flat `State`, where the compiler can see them:
// a search that is given an Inlined<G> for a Game has the rules compiled into it. What G does not
// define is null.
template <class G>
struct Inlined {
  using S = typename G::State;
  static_assert(std::is_trivially_copyable_v<S>, "states are flat");

  Facts facts;
  EngineHints hints;
  const void* self;
  const Endgames* endgames;
  explicit Inlined(const Game& g)
      : facts(g.facts), hints(g.hints), self(g.self), endgames(g.endgames) {}

  static const G& rules(const void* self) { return *static_cast<const G*>(self); }
  static const S& at(const void* state) { return *static_cast<const S*>(state); }

  static constexpr decltype(Game::initial) initial = [](const void* self, void* state) {
    *static_cast<S*>(state) = rules(self).initial();
  };
  static constexpr decltype(Game::play) play = [](const void* self, const void* state,
                                                  Action action, void* next) {
    // A large state need not be copied whole.
    if constexpr (requires { &G::play_into; }) {
      rules(self).play_into(at(state), action, *static_cast<S*>(next));
    } else {
      *static_cast<S*>(next) = rules(self).play(at(state), action);
    }
  };
#define ZERMELO_RULE(name, call, ...)                                                             \
  static constexpr decltype(Game::name) name = [](const void* self,                               \
                                                  const void* state __VA_OPT__(, ) __VA_ARGS__) { \
    return rules(self).name call;                                                                 \
  };
  ZERMELO_RULE(to_move, (at(state)))
  ZERMELO_RULE(actions, (at(state), out, capacity), Action* out, int capacity)
  ZERMELO_RULE(utility, (at(state), player), int player)
  ZERMELO_RULE(key, (at(state)))
  ZERMELO_RULE(valid, (at(state)))
#undef ZERMELO_RULE

  // A rule that G may lack.
#define ZERMELO_HINT(name, call, ...)                                               \
  static constexpr decltype(Game::name) name = [] {                                 \
    using F = decltype(Game::name);                                                 \
    if constexpr (requires(const G& g) { &G::name; }) {                             \
      return F{[](const void* self, const void* state __VA_OPT__(, ) __VA_ARGS__) { \
        return rules(self).name call;                                               \
      }};                                                                           \
    } else {                                                                        \
      return F{nullptr};                                                            \
    }                                                                               \
  }();
  ZERMELO_HINT(outcomes, (at(state), out, odds, capacity), Action* out, double* odds, int capacity)
  ZERMELO_HINT(observation, (at(state), player), int player)
  ZERMELO_HINT(deal, (at(state), player, random, *static_cast<S*>(out)), int player,
               std::uint64_t random, void* out)
  ZERMELO_HINT(timeless, (at(state), *static_cast<S*>(out)), void* out)
  ZERMELO_HINT(values, (at(state), out, value, capacity), Action* out, double* value, int capacity)
  ZERMELO_HINT(evaluate, (at(state), player), int player)
  ZERMELO_HINT(noisy, (at(state), out, capacity), Action* out, int capacity)
  ZERMELO_HINT(narrow, (at(state), out, promise, capacity, low, high), Action* out, float* promise,
               int capacity, double* low, double* high)
  ZERMELO_HINT(mirror_key, (at(state)))
  ZERMELO_HINT(doubt, (at(state), depth, shallow), int depth, int shallow)
  ZERMELO_HINT(plies_left, (at(state)))
  ZERMELO_HINT(quiet_plies, (at(state)))
  ZERMELO_HINT(urgent, (at(state)))
  ZERMELO_HINT(pass, (at(state), *static_cast<S*>(next)), void* next)
  ZERMELO_HINT(sample, (at(state), random), std::uint64_t random)
  ZERMELO_HINT(used, (at(state)))
  ZERMELO_HINT(count, (at(state)))
  ZERMELO_HINT(leaves, (at(state), depth, tick, with), int depth, void (*tick)(void*), void* with)
#undef ZERMELO_HINT
};

// The table of a C++ rules class.
template <class G>
Game table_of(const G& rules) {
  using I = Inlined<G>;
  Game g;
  g.facts = rules.facts();
  g.facts.state_size = sizeof(typename G::State);
  g.self = &rules;
  g.initial = I::initial;
  g.to_move = I::to_move;
  g.actions = I::actions;
  g.play = I::play;
  g.utility = I::utility;
  g.key = I::key;
  g.valid = I::valid;
  g.outcomes = I::outcomes;
  g.observation = I::observation;
  g.deal = I::deal;
  g.timeless = I::timeless;
  g.values = I::values;
  g.evaluate = I::evaluate;
  g.noisy = I::noisy;
  g.narrow = I::narrow;
  g.mirror_key = I::mirror_key;
  g.doubt = I::doubt;
  g.plies_left = I::plies_left;
  g.quiet_plies = I::quiet_plies;
  g.urgent = I::urgent;
  g.pass = I::pass;
  g.sample = I::sample;
  g.used = I::used;
  g.count = I::count;
  g.leaves = I::leaves;
  if constexpr (requires { rules.hints(); }) g.hints = rules.hints();
  if constexpr (requires { rules.endgames(); }) g.endgames = rules.endgames();
  return g;
}

}  // namespace zermelo
