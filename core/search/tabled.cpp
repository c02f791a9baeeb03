// A position that is in the tables needs no search: the move is chosen by value and distance.
#include <algorithm>

#include "../parts/tablebase.hpp"
#include "all.hpp"

namespace zermelo {
namespace {

constexpr int kLongestLine = 128;

class Tabled {
 public:
  Tabled(const Game& game, const Tablebase& tables)
      : game_(game),
        tables_(tables),
        actions_(std::max(256, game.facts.max_actions)),
        next_(game.facts.state_size) {}

  // The moves of a state with their table values, and the index of the best one in *best. False:
  // some successor is not in the tables.
  bool look(const void* state, std::vector<std::pair<Action, Verdict>>& found, std::size_t* best) {
    const int player = game_.to_move(game_.self, state);
    int count =
        game_.actions(game_.self, state, actions_.data(), static_cast<int>(actions_.size()));
    if (count > static_cast<int>(actions_.size())) {
      actions_.resize(count);
      count = game_.actions(game_.self, state, actions_.data(), count);
    }
    found.clear();
    *best = 0;
    for (int i = 0; i < count; ++i) {
      game_.play(game_.self, state, actions_[i], next_.data());
      Verdict v;
      // The rules come first: they may count moves or repetitions, tables do not.
      if (game_.to_move(game_.self, next_.data()) == kTerminal) {
        const double u = game_.utility(game_.self, next_.data(), 0);
        v = {u, u == 0 ? -1 : 0};
      } else if (!tables_.probe(next_.data(), v)) {
        return false;
      }
      found.push_back({actions_[i], v});
      if (better(player, v, found[*best].second)) *best = found.size() - 1;
    }
    return count > 0;
  }

  // The line of best play from `state`, with the quickest win.
  std::vector<Action> line(std::vector<std::byte> state) {
    std::vector<Action> moves;
    std::vector<std::pair<Action, Verdict>> found;
    std::size_t best;
    while (moves.size() < kLongestLine && game_.to_move(game_.self, state.data()) != kTerminal &&
           look(state.data(), found, &best)) {
      moves.push_back(found[best].first);
      if (found[best].second.value == 0) break;  // a draw may be endless
      game_.play(game_.self, state.data(), moves.back(), next_.data());
      state = next_;
    }
    return moves;
  }

 private:
  static bool better(int player, const Verdict& a, const Verdict& b) {
    const double sign = player == 0 ? 1 : -1;
    if (a.value != b.value) return sign * a.value > sign * b.value;
    return sign * a.value > 0 ? a.distance < b.distance : a.distance > b.distance;
  }

  const Game& game_;
  const Tablebase& tables_;
  std::vector<Action> actions_;
  std::vector<std::byte> next_;
};

}  // namespace

bool from_tables(const Request& request, Result& result) {
  Verdict v;
  if (!request.options.tablebase || !request.options.tablebase->probe(request.state, v)) {
    return false;
  }
  Tabled tabled(request.game, *request.options.tablebase);
  std::vector<std::pair<Action, Verdict>> found;
  std::size_t best;
  if (!tabled.look(request.state, found, &best)) return false;
  const auto* bytes = static_cast<const std::byte*>(request.state);
  const std::vector<std::byte> root(bytes, bytes + request.game.facts.state_size);
  result = Result();
  result.has_value = true;
  v = found[best].second;
  result.value = v.value;
  result.decisive = v.value != 0;
  result.depth = std::max(v.distance + 1, 1);
  for (const auto& [action, of] : found) {
    std::vector<std::byte> next(root.size());
    request.game.play(request.game.self, root.data(), action, next.data());
    RootMove move{action, of.value, Bound::exact, 1, {action}};
    if (of.value != 0) {
      for (const Action a : tabled.line(next)) move.line.push_back(a);
    }
    result.moves.push_back(std::move(move));
  }
  result.line = result.moves[best].line;
  result.nodes = result.leaves = result.tabled = found.size() + 1;
  return true;
}

}  // namespace zermelo
