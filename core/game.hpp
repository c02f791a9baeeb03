// The contract between rules and search. Read this file first, then contract.def.
//
// A game is a table of plain functions over flat states: fixed-size values that are copied with
// memcpy and own no memory. Every search is written once, against this table. Three kinds of game
// fill it in:
//   - C++ rules (core/games),
//   - Python rules compiled to C functions by zermelo.compile,
//   - any Python object (bindings/python_game.cpp), whose flat state is the number of an interned
//     Python state.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

namespace zermelo {

using Action = std::uint32_t;  // each game decides what the numbers mean

// What to_move returns instead of a player.
inline constexpr int kChance = -1;    // a chance node: an outcome is drawn from `outcomes`
inline constexpr int kTerminal = -2;  // the game is over

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct SuperkoRules;
struct InlinedEngine;
struct InlinedMcts;

// What kind of game it is. Algorithms check these facts before they start.
struct Facts {
  int players = 2;
  bool chance = false;   // there are chance nodes
  bool hidden = false;   // imperfect information: some player cannot tell some states apart
  bool zero_sum = true;  // the utilities of all players add up to 0
  // Bounds of the utility: player 0's in a two-player zero-sum game, else any player's.
  double utility_min = -kInfinity;
  double utility_max = kInfinity;
  std::uint32_t state_size = 0;  // in bytes; set by table_of
  double step = 0;               // every utility is a multiple of this; 0: any number
  int max_actions = 0;           // in any state; 0: not known
  std::uint64_t tree_nodes = 0;  // size of an explicit tree; 0: not known
  double sum_max = kInfinity;    // bound of the sum of all utilities, where zero_sum is false
  int amaf_size = 0;             // indices that `amaf` may return; 0: the game has no `amaf`
  int planes = 0, rows = 0, columns = 0;  // the numbers that `encode` writes; 0: it has no `encode`
  int policy_size = 0;                    // indices that `policy_index` may return
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

// Whether player 0's value determines every player's: one player, or two with zero sum.
inline bool duel(const Facts& facts) {
  return facts.players == 1 || (facts.players == 2 && facts.zero_sum);
}

// Numbered classes of positions for tablebases. A move stays in its class or leads to a class with
// a lower number. A class holds its positions with either side to move.
struct Endgames {
  int classes = 0;
  int (*class_of)(const void* self, const void* state) = nullptr;  // -1: in no class
  const char* (*name)(const void* self, int number) = nullptr;     // usable as a file name
  std::uint64_t (*size)(const void* self, int number) = nullptr;   // all indices are below this
  std::uint64_t (*index)(const void* self, const void* state) = nullptr;  // within its class
  // Writes the position with this index. False: there is none.
  bool (*position)(const void* self, int number, std::uint64_t index, void* state) = nullptr;
  // The predecessors of `state` in the same class, one after the other in `out`. Writes at most
  // `capacity` and returns how many there are.
  int (*before)(const void* self, const void* state, void* out, int capacity) = nullptr;
  int (*pieces)(const void* self, int number) = nullptr;  // on the board; null: not counted
  // Whether `index` stands for this state with the sides swapped, so that player 0's value changes
  // sign. Never true for what `position` and `before` write, nor for a successor of those in the
  // same class.
  bool (*turned)(const void* self, const void* state) = nullptr;  // null: never
  // Whether a move may lead from one class to another class with a lower number. Null: always.
  bool (*leads)(const void* self, int from, int to) = nullptr;
};

// A callback for long computations: it checks limits and may throw.
struct Tick {
  void (*call)(void* with);
  void* with;
  void operator()() const { call(with); }
};

// A game: its facts and its table of functions, listed and documented in contract.def. A function
// the game does not have is null.
struct Game {
  Facts facts;
  EngineHints hints;
  const void* self = nullptr;  // the game's parameters, passed to every function

#define ZERMELO_CONTRACT(kind, returns, name, ...) \
  returns (*name)(const void* self, __VA_ARGS__) = nullptr;
#include "contract.def"

  // Classes of positions that a tablebase can hold; null: none.
  const Endgames* endgames = nullptr;

  // The view of a game with superko that the exact solver takes (superko.hpp); null: none.
  const SuperkoRules* superko = nullptr;

  // The engine and Monte Carlo search compiled with these rules (inlined.hpp); null: the search
  // calls the rules through this table.
  const InlinedEngine* engine = nullptr;
  const InlinedMcts* mcts = nullptr;
};

// The functions of a C++ rules class G with a nested flat `State`, as constants the compiler can
// see through: a search instantiated for Inlined<G> instead of Game has the rules compiled in.
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

  // An argument as the rules class takes it: pointers to flat states become references to State.
  static const S& typed(const void* state) { return at(state); }
  static S& typed(void* state) { return *static_cast<S*>(state); }
  template <class T>
  static T typed(T value) {
    return value;
  }

  // A function of type F, as in Game, that calls `Method` with the rules and typed arguments.
  template <class Method, class F>
  struct Call;
  template <class Method, class R, class... A>
  struct Call<Method, R (*)(const void*, A...)> {
    static R function(const void* self, A... arguments) {
      return Method{}(rules(self), typed(arguments)...);
    }
  };
  template <class F, class Method>
  static constexpr F function_of(Method) {
    return &Call<Method, F>::function;
  }

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

#define ZERMELO_METHOD(name)         \
  function_of<decltype(Game::name)>( \
      [](const G& g, auto&&... arguments) { return g.name(arguments...); })
#define ZERMELO_INLINED_NEW_STATE(name)  // above
#define ZERMELO_INLINED_RULE(name) \
  static constexpr decltype(Game::name) name = ZERMELO_METHOD(name);
#define ZERMELO_INLINED_OPTIONAL(name)                  \
  static constexpr decltype(Game::name) name = [] {     \
    if constexpr (requires(const G& g) { &G::name; }) { \
      return ZERMELO_METHOD(name);                      \
    } else {                                            \
      return decltype(Game::name){nullptr};             \
    }                                                   \
  }();
#define ZERMELO_CONTRACT(kind, returns, name, ...) ZERMELO_INLINED_##kind(name)
#include "contract.def"
#undef ZERMELO_INLINED_OPTIONAL
#undef ZERMELO_INLINED_RULE
#undef ZERMELO_INLINED_NEW_STATE
#undef ZERMELO_METHOD
};

// The table of a C++ rules class, which must outlive it.
template <class G>
Game table_of(const G& rules) {
  Game g;
  g.facts = rules.facts();
  g.facts.state_size = sizeof(typename G::State);
  g.self = &rules;
#define ZERMELO_CONTRACT(kind, returns, name, ...) g.name = Inlined<G>::name;
#include "contract.def"
  if constexpr (requires { rules.hints(); }) g.hints = rules.hints();
  if constexpr (requires { rules.endgames(); }) g.endgames = rules.endgames();
  if constexpr (requires { rules.superko(); }) g.superko = rules.superko();
  return g;
}

}  // namespace zermelo
