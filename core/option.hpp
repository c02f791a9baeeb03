// The option table of an algorithm: every option is declared once, beside the algorithm's code.
// Validation, error messages, `zermelo algorithms NAME`, the command line's help, the studio's
// forms and the reference documentation are derived from it.
#pragma once

#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

#include "options.hpp"

namespace zermelo {

class Policy;  // parts/modelled.hpp

// A value of an option with a list of choices.
struct OptionChoice {
  std::string_view name;
  double value;                // of the field that the option sets
  std::string_view note = "";  // what it means
  std::string_view alias = "";
};

struct OptionRange {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
};

// What differs from the common case. A default is the field's initial value in Options unless
// `initial` says otherwise. "auto" is a search whose algorithm the user did not name; a lecture
// search is traced or searches an explicit tree, where people expect the textbook's algorithm.
struct Extra {
  std::optional<double> initial = {};
  std::optional<double> automatic = {};          // default of "auto" outside of lecture searches
  std::optional<double> lecture = {};            // default of every lecture search
  std::optional<double> automatic_lecture = {};  // default of "auto" in lecture searches
  std::vector<std::string_view> aliases = {};    // former names that are still accepted
  bool announced = false;                        // Result.why states the note of the choice
  void (*set_policy)(Options&, const Policy*) = nullptr;  // the option also accepts a policy
};

struct Option {
  enum class Type : std::uint8_t { flag, whole, real, choice, algorithm };

  std::string_view name;
  std::string_view doc;  // one line
  Type type = Type::flag;
  double initial = 0;      // NaN: none
  OptionRange range = {};  // of numbers
  std::vector<OptionChoice> choices = {};
  // Null: the front end reads the option before the search (simulations, deals).
  void (*set)(Options&, double) = nullptr;
  Extra extra = {};
};

// The field of Options, or of its MctsParams, that a member pointer names.
template <auto Field>
auto& field_of(Options& o) {
  if constexpr (requires { o.*Field; }) {
    return o.*Field;
  } else {
    return o.mcts.*Field;
  }
}

template <auto Field>
Option make_option(std::string_view name, Option::Type type, std::string_view doc,
                   const Extra& extra) {
  using Value = std::remove_reference_t<decltype(field_of<Field>(std::declval<Options&>()))>;
  Options defaults;
  Option o{.name = name, .doc = doc, .type = type};
  o.initial = extra.initial.value_or(static_cast<double>(field_of<Field>(defaults)));
  o.set = [](Options& to, double value) {
    if constexpr (std::is_enum_v<Value>) {
      field_of<Field>(to) = static_cast<Value>(static_cast<int>(value));
    } else {
      field_of<Field>(to) = static_cast<Value>(value);
    }
  };
  o.extra = extra;
  return o;
}

// On or off.
template <auto Field>
Option flag(std::string_view name, std::string_view doc, const Extra& extra = {}) {
  return make_option<Field>(name, Option::Type::flag, doc, extra);
}

// A whole number for an integer field, any number for a floating-point one.
template <auto Field>
Option number(std::string_view name, OptionRange range, std::string_view doc,
              const Extra& extra = {}) {
  using Value = std::remove_reference_t<decltype(field_of<Field>(std::declval<Options&>()))>;
  constexpr auto kType = std::is_floating_point_v<Value> ? Option::Type::real : Option::Type::whole;
  Option o = make_option<Field>(name, kType, doc, extra);
  o.range = range;
  return o;
}

// One of several words. If two have the same value, the first is the default's name.
template <auto Field>
Option choice(std::string_view name, std::vector<OptionChoice> choices, std::string_view doc,
              const Extra& extra = {}) {
  Option o = make_option<Field>(name, Option::Type::choice, doc, extra);
  o.choices = std::move(choices);
  return o;
}

// -- options that several algorithms share -------------------------------------------------------

// Iterative deepening.
inline Option deepen_option(bool initial = false) {
  return flag<&Options::deepen>("deepen", "iterative deepening: depth 1, 2, 3, … until a limit",
                                {.initial = initial});
}

// The size of a table or tree in megabytes.
inline Option table_option(std::string_view doc, double megabytes, const Extra& extra = {}) {
  Extra sized = extra;
  sized.initial = megabytes;
  return number<&Options::table_mb>("table", {0, 65536}, doc, sized);
}

inline constexpr std::string_view kTableDoc = "transposition table in MB; 0: none";

inline Option quiescence_option(bool initial) {
  return flag<&Options::quiescence>("quiescence", "search noisy moves beyond the depth limit",
                                    {.initial = initial});
}

inline Option lines_option() {
  return number<&Options::lines>("lines", {1, 1000}, "best root moves to rank (MultiPV)");
}

inline Option ties_option() {
  return flag<&Options::ties>("ties", "find all root moves that are as good as the best");
}

inline Option threads_option() {
  return number<&Options::threads>("threads", {1, 256}, "search threads");
}

inline Option symmetry_option() {
  return flag<&Options::symmetry>("symmetry", "store symmetric positions as one (mirror_key)",
                                  {.aliases = {"mirror"}});
}

inline Option move_hints_option() {
  return flag<&Options::move_hints>(
      "move_hints", "the game's move hints: fewer moves, better order, proved bounds (narrow)",
      {.aliases = {"narrow"}});
}

// A synonym of the limit `nodes`, since a node of these searches is a simulation.
inline Option simulations_option() {
  return {.name = "simulations",
          .doc = "simulations to run; same as nodes",
          .type = Option::Type::whole,
          .initial = std::numeric_limits<double>::quiet_NaN(),
          .range = {1, 4611686018427387903.0}};
}

// States sampled from those that the mover cannot tell apart.
inline Option deals_option() {
  return {.name = "deals",
          .doc = "states to sample; 0: all of them if they can be listed",
          .type = Option::Type::whole,
          .initial = 0,
          .range = {0, 1'000'000}};
}

inline Option exploration_option() {
  return number<&MctsParams::exploration>(
      "exploration", {0, 1e6}, "exploration constant of UCB1 and PUCT", {.aliases = {"explore"}});
}

inline Option rollout_option(const Extra& extra = {}) {
  return choice<&MctsParams::rollout>(
      "rollout",
      {{"random", static_cast<double>(Rollout::random), "random moves to the end"},
       {"playout", static_cast<double>(Rollout::playout), "the game's own playout policy"},
       {"greedy", static_cast<double>(Rollout::greedy), "the most promising moves to the end"},
       {"evaluate", static_cast<double>(Rollout::evaluate), "random moves, then the evaluation"},
       {"none", static_cast<double>(Rollout::none), "the evaluation at once"}},
      "how a new leaf is evaluated", extra);
}

inline Option rollout_depth_option() {
  return number<&MctsParams::rollout_depth>("rollout_depth", {1, 100'000},
                                            "random moves before the evaluation (rollout=evaluate)",
                                            {.aliases = {"cutoff"}});
}

}  // namespace zermelo
