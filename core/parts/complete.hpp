// The last step of every search: adds every root action to the result exactly once.
#pragma once

#include <algorithm>
#include <vector>

#include "../algorithm.hpp"

namespace zermelo {

// The root actions that a search may choose from.
inline std::vector<Action> root_actions(const Request& request) {
  const Game& game = request.game;
  std::vector<Action> found(std::max(256, game.facts.max_actions));
  int count = game.actions(game.self, request.state, found.data(), static_cast<int>(found.size()));
  if (count > static_cast<int>(found.size())) {
    found.resize(count);
    count = game.actions(game.self, request.state, found.data(), count);
  }
  found.resize(std::max(0, count));
  if (request.options.without.empty()) return found;
  std::vector<Action> without = request.options.without;
  std::sort(without.begin(), without.end());  // a tree may have 100,000 root actions
  std::erase_if(found,
                [&](Action a) { return std::binary_search(without.begin(), without.end(), a); });
  return found;
}

// Adds the root actions that were not searched. If the value of the root is proved, it is a bound
// of theirs; otherwise nothing is known about them. A stopped search that has found only losing
// moves chooses one of these.
inline void complete(const Request& request, Result& r) {
  const Facts& facts = request.game.facts;
  const int player = request.game.to_move(request.game.self, request.state);
  if (player < 0) return;
  std::vector<Action> missing = root_actions(request);
  if (!r.has_value && r.line.empty() && !missing.empty()) r.line = {missing.front()};
  std::vector<Action> known;  // sorted: a tree may have 100,000 root actions
  for (const RootMove& m : r.moves) known.push_back(m.action);
  std::sort(known.begin(), known.end());
  std::erase_if(missing,
                [&](Action a) { return std::binary_search(known.begin(), known.end(), a); });
  const bool single = duel(facts);
  const double worst = player == 0 ? facts.utility_min : facts.utility_max;
  if (single && r.stopped != Stop::none && r.bound != Bound::exact && r.value == worst &&
      !missing.empty()) {
    r.has_value = false;
    r.bound = Bound::estimate;
    r.line = {missing.front()};
  }
  const double neutral = std::clamp(0.0, facts.utility_min, facts.utility_max);
  for (const Action a : missing) {
    RootMove m{a, neutral, Bound::estimate, 0, {a}};
    if (r.has_value && r.bound == Bound::exact && single) {
      m.value = r.value;
      m.bound = player == 0 ? Bound::upper : Bound::lower;
    } else if (!single) {
      m.values.assign(facts.players, neutral);
    }
    m.found = Bound::estimate;
    r.moves.push_back(std::move(m));
  }
}

}  // namespace zermelo
