// The table of algorithms for Python, and the conversion of option values from Python.
#include <algorithm>
#include <cmath>

#include "search.hpp"
#include "search/all.hpp"

namespace zermelo::bindings {

namespace {

double in_range(const Option& option, double value) {
  if (option.range.min <= value && value <= option.range.max) return value;
  raise("UsageError", std::string(option.name) + " is out of range");
}

double value_of(const Option& option, nb::handle given) {
  switch (option.type) {
    case Option::Type::flag:
      return nb::cast<bool>(given);
    case Option::Type::whole:
      return in_range(option, static_cast<double>(nb::cast<std::int64_t>(given)));
    case Option::Type::real:
      return in_range(option, nb::cast<double>(given));
    case Option::Type::choice:
    case Option::Type::algorithm:
      break;
  }
  const auto text = nb::cast<std::string>(given);
  for (const OptionChoice& c : option.choices) {
    if (c.name == text) return c.value;
  }
  raise("UsageError", "invalid " + std::string(option.name) + "='" + text + "'");
}

// A default as a Python value; None: there is no default.
nb::object python_value(const Option& option, double value) {
  if (std::isnan(value)) return nb::none();
  switch (option.type) {
    case Option::Type::flag:
      return nb::bool_(value != 0);
    case Option::Type::whole:
      return nb::int_(static_cast<std::int64_t>(value));
    case Option::Type::real:
      return nb::float_(value);
    case Option::Type::choice:
    case Option::Type::algorithm:
      break;
  }
  const auto named = std::find_if(option.choices.begin(), option.choices.end(),
                                  [&](const OptionChoice& c) { return c.value == value; });
  return nb::str(named->name.data(), named->name.size());
}

std::vector<std::string> texts(const std::vector<std::string_view>& views) {
  return {views.begin(), views.end()};
}

nb::dict option_dict(const Option& o) {
  static constexpr const char* kTypes[] = {"flag", "whole", "real", "choice", "algorithm"};
  nb::dict d;
  d["name"] = std::string(o.name);
  d["doc"] = std::string(o.doc);
  d["type"] = kTypes[static_cast<int>(o.type)];
  d["default"] = python_value(o, o.initial);
  const std::pair<const char*, std::optional<double>> defaults[] = {
      {"automatic", o.extra.automatic},
      {"lecture", o.extra.lecture},
      {"automatic_lecture", o.extra.automatic_lecture}};
  for (const auto& [name, value] : defaults) {
    if (value) d[name] = python_value(o, *value);
  }
  d["min"] = o.type == Option::Type::whole ? python_value(o, o.range.min) : nb::float_(o.range.min);
  d["max"] = o.type == Option::Type::whole ? python_value(o, o.range.max) : nb::float_(o.range.max);
  nb::list choices;
  for (const OptionChoice& c : o.choices) {
    choices.append(nb::make_tuple(std::string(c.name), std::string(c.note), std::string(c.alias)));
  }
  d["choices"] = choices;
  d["aliases"] = texts(o.extra.aliases);
  d["announced"] = o.extra.announced;
  d["native"] = o.set != nullptr;
  d["policy"] = o.extra.set_policy != nullptr;
  return d;
}

nb::dict capabilities_dict(const Capabilities& c) {
  static constexpr const char* kKeeps[] = {"", "table", "tree"};
  nb::dict d;
  d["chance"] = c.chance;
  d["hidden"] = c.hidden;
  d["general_sum"] = c.general_sum;
  d["many_players"] = c.many_players;
  d["trace"] = c.trace;
  d["tablebase"] = c.tablebase;
  d["guide"] = c.guide;
  d["among"] = c.among;
  d["superko"] = c.superko;
  d["cycles"] = c.cycles;
  d["scores"] = c.scores;
  d["proof"] = c.proof;
  d["memory"] = kKeeps[static_cast<int>(c.memory)];
  return d;
}

nb::dict limits_dict(const LimitSupport& l) {
  nb::dict d;
  d["depth"] = l.depth;
  d["nodes"] = l.nodes;
  d["time"] = l.time;
  d["required"] = l.required;
  return d;
}

nb::dict traits_dict(const Traits& t) {
  nb::dict d;
  d["simulates"] = t.simulates;
  d["expected"] = t.expected;
  d["coalition"] = t.coalition;
  d["maximin"] = t.maximin;
  d["revisits"] = t.revisits;
  d["random_opponents"] = t.random_opponents;
  return d;
}

nb::dict automatic_dict(const Automatic& a) {
  nb::dict d;
  d["lectures"] = a.whom == Automatic::For::lectures || a.whom == Automatic::For::everybody;
  d["play"] = a.whom == Automatic::For::play || a.whom == Automatic::For::everybody;
  d["min_players"] = a.min_players;
  d["max_players"] = a.max_players;
  d["reason"] = std::string(a.reason);
  return d;
}

nb::dict algorithm_dict(const Algorithm& a) {
  nb::dict d;
  d["name"] = std::string(a.name);
  d["aliases"] = texts(a.aliases);
  d["doc"] = std::string(a.doc);
  d["can"] = capabilities_dict(a.can);
  d["limits"] = limits_dict(a.limits);
  d["traits"] = traits_dict(a.traits);
  d["automatic"] = automatic_dict(a.automatic);
  d["sampled_states"] = a.sampled_states;
  d["batch"] = a.solve_all != nullptr;
  nb::list options;
  for (const Option& o : a.options) options.append(option_dict(o));
  d["options"] = options;
  return d;
}

}  // namespace

const Algorithm& algorithm_named(const std::string& name) {
  if (const Algorithm* found = find_algorithm(name)) return *found;
  raise("UsageError", "unknown algorithm " + name);
}

Options options_of(const Algorithm& algorithm, const nb::dict& given) {
  Options chosen;
  for (const Option& o : algorithm.options) {
    if (o.set && !std::isnan(o.initial)) o.set(chosen, o.initial);
  }
  for (auto [key, value] : given) {
    const auto name = nb::cast<std::string>(key);
    const auto found = std::find_if(algorithm.options.begin(), algorithm.options.end(),
                                    [&](const Option& o) { return o.set && o.name == name; });
    if (found == algorithm.options.end()) {
      raise("UsageError", std::string(algorithm.name) + " has no option " + name);
    }
    found->set(chosen, value_of(*found, value));
  }
  return chosen;
}

void bind_algorithms(nb::module_& m) {
  m.def("algorithms", [] {
    nb::list list;
    for (const Algorithm& a : algorithms()) list.append(algorithm_dict(a));
    return list;
  });
}

}  // namespace zermelo::bindings
