// An independent forward check of tables: each position against its successors.
//
// This is sufficient: wins and losses follow by induction on the distance, and in all other
// positions both sides can avoid losing forever.
#include <algorithm>
#include <cmath>
#include <sstream>

#include "reachable.hpp"
#include "retrograde.hpp"

namespace zermelo {
namespace {

// The best successor for the mover.
class Expected {
 public:
  explicit Expected(int player) : sign_(player == 0 ? 1 : -1) {}

  void add(const Verdict& v) {
    const double mine = sign_ * v.value;
    if (!any_ || mine > best_) {
      best_ = mine;
      distance_ = v.distance;
    } else if (mine == best_) {
      distance_ = mine > 0 ? std::min(distance_, v.distance) : std::max(distance_, v.distance);
    }
    any_ = true;
  }
  bool is(const Verdict& v) const {
    return any_ && v.value == sign_ * best_ && v.distance == (best_ == 0 ? -1 : distance_ + 1);
  }

 private:
  double sign_, best_ = 0;
  int distance_ = 0;
  bool any_ = false;
};

bool end_is(double utility, const Verdict& v) {
  return v.value == utility && v.distance == (utility == 0 ? -1 : 0);
}

[[noreturn]] void wrong(const BuildRequest& request, const void* state, const std::string& what) {
  const std::string where = request.describe ? request.describe(state) : "a position";
  throw TableError("the table is wrong: " + where + " " + what, "build it again with --rebuild");
}

// Checks one position: the rules give its successors, the tables their values.
class Checker {
 public:
  Checker(const Game& game, const Tablebase& tables, const BuildRequest& request)
      : game_(game),
        tables_(tables),
        request_(request),
        actions_(std::max(256, game.facts.max_actions)),
        next_(game.facts.state_size) {}

  void check(const void* state, const Verdict& said) {
    const int player = game_.to_move(game_.self, state);
    if (player == kTerminal) {
      if (!end_is(game_.utility(game_.self, state, 0), said)) {
        wrong(request_, state, "is terminal, but the table has another value");
      }
      return;
    }
    int count =
        game_.actions(game_.self, state, actions_.data(), static_cast<int>(actions_.size()));
    if (count > static_cast<int>(actions_.size())) {
      actions_.resize(count);
      count = game_.actions(game_.self, state, actions_.data(), count);
    }
    Expected expected(player);
    for (int i = 0; i < count; ++i) {
      game_.play(game_.self, state, actions_[i], next_.data());
      Verdict v;
      if (tables_.probe(next_.data(), v)) {
        expected.add(v);
      } else if (game_.to_move(game_.self, next_.data()) == kTerminal) {
        const double u = game_.utility(game_.self, next_.data(), 0);
        expected.add({u, u == 0 ? -1 : 0});
      } else {
        wrong(request_, next_.data(), "is missing");
      }
    }
    if (!expected.is(said)) wrong(request_, state, "does not follow from its successors");
  }

 private:
  const Game& game_;
  const Tablebase& tables_;
  const BuildRequest& request_;
  std::vector<Action> actions_;
  std::vector<std::byte> next_;
};

}  // namespace

std::uint64_t verify_class(const Game& game, int number, const Tablebase& tables,
                           const BuildRequest& request, Budget& budget) {
  const TableFile& file = *tables.of(number);
  file.check_all();
  const Endgames& e = *game.endgames;
  const std::uint64_t size = e.size(game.self, number);
  Teller teller(request, budget, "verifying", size);
  Checker checker(game, tables, request);
  std::vector<std::byte> state(game.facts.state_size);
  std::uint64_t positions = 0;
  for (std::uint64_t i = 0; i < size; ++i) {
    if (i % 4096 == 0) teller.step(i);
    Verdict said;
    const bool there = e.position(game.self, number, i, state.data());
    if (there != file.at(i, said)) {
      throw TableError("the table is wrong: index " + std::to_string(i) + " of " +
                           file.info().name + (there ? " is missing" : " is not a position"),
                       "build it again with --rebuild");
    }
    if (!there) continue;
    if (e.class_of(game.self, state.data()) != number || e.index(game.self, state.data()) != i ||
        (e.turned && e.turned(game.self, state.data()))) {
      wrong(request, state.data(), "is stored at another index");
    }
    checker.check(state.data(), said);
    ++positions;
  }
  if (positions != file.info().positions) {
    throw TableError("the table is wrong: its number of positions is wrong",
                     "build it again with --rebuild");
  }
  return positions;
}

std::uint64_t verify_reachable(const Game& game, const void* state, const Tablebase& tables,
                               const BuildRequest& request, Budget& budget) {
  tables.reachable()->check_all();
  const Reachable r(game, state, request, budget);
  Teller teller(request, budget, "verifying", r.size());
  Checker checker(game, tables, request);
  for (Reachable::Number n = 0; n < r.size(); ++n) {
    if (n % 256 == 0) teller.step(n);
    Verdict said;
    if (!tables.probe(r.state(n), said)) wrong(request, r.state(n), "is missing");
    checker.check(r.state(n), said);
  }
  if (r.size() != tables.reachable()->info().positions) {
    throw TableError("the table is wrong: it has " +
                         std::to_string(tables.reachable()->info().positions) + " positions, not " +
                         std::to_string(r.size()),
                     "build it again with --rebuild");
  }
  return r.size();
}

}  // namespace zermelo
