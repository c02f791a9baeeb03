// The variants of counterfactual regret minimization: the only place where they are listed.
// Validation, error messages, help and the equilibrium functions in Python read this table.
#pragma once

#include <string_view>

#include "table.hpp"

namespace zermelo {

struct RegretVariant {
  const char* name;
  const char* summary;
  RegretParams params{};
  // Stores the game tree (or its positions), so that values and NashConv can be computed.
  bool stores_tree = true;
  // Works on the positions of a game with imperfect recall too.
  bool imperfect_recall = true;
};

inline constexpr RegretVariant kRegretVariants[] = {
    {.name = "cfr", .summary = "counterfactual regret minimization (Zinkevich et al. 2007)"},
    {.name = "cfr+",
     .summary = "no negative regrets, later iterations weigh more (Tammelin 2014)",
     .params = {.floor = true, .weight = 1}},
    {.name = "dcfr",
     .summary = "early iterations are discounted (Brown and Sandholm 2019)",
     .params = {.discount = true}},
    {.name = "mccfr",
     .summary = "external sampling over the stored tree (Lanctot et al. 2009)",
     .params = {.sampled = true},
     .imperfect_recall = false},
    {.name = "sampling",
     .summary = "external sampling that stores only the information sets it visits",
     .params = {.sampled = true},
     .stores_tree = false,
     .imperfect_recall = false},
};

// Null if there is no variant of that name.
constexpr const RegretVariant* find_regret_variant(std::string_view name) {
  for (const RegretVariant& v : kRegretVariants) {
    if (v.name == name) return &v;
  }
  return nullptr;
}

}  // namespace zermelo
