#include "handle.hpp"

#include <algorithm>
#include <cstring>

#include "games/all.hpp"
#include "inlined.hpp"
#include "parts/hash.hpp"

namespace zermelo::bindings {

void raise(const char* kind, const std::string& message, const std::string& hint) {
  const nb::object type = nb::module_::import_("zermelo.errors").attr(kind);
  const nb::object error = type(message, hint);
  PyErr_SetObject(type.ptr(), error.ptr());
  throw nb::python_error();
}

std::vector<Action> list_actions(const Game& game, const void* state) {
  std::vector<Action> list(std::max(64, game.facts.max_actions));
  int count = game.actions(game.self, state, list.data(), static_cast<int>(list.size()));
  if (count > static_cast<int>(list.size())) {
    list.resize(count);
    count = game.actions(game.self, state, list.data(), count);
  }
  list.resize(std::max(count, 0));
  return list;
}

// Nature's outcomes in a state, with their odds.
static std::vector<std::pair<Action, double>> list_outcomes(const Game& game, const void* state) {
  const int count = game.outcomes(game.self, state, nullptr, nullptr, 0);
  std::vector<Action> list(count);
  std::vector<double> odds(count);
  game.outcomes(game.self, state, list.data(), odds.data(), count);
  std::vector<std::pair<Action, double>> pairs;
  for (int i = 0; i < count; ++i) pairs.emplace_back(list[i], odds[i]);
  return pairs;
}

bool Handle::valid(const nb::bytes& state) const {
  if (state.size() != table.facts.state_size) return false;
  return !table.valid || table.valid(table.self, state.data());
}

const void* Handle::check(const nb::bytes& state) const {
  if (!valid(state)) raise("BadPosition", "these bytes are no state of this game");
  return state.data();
}

const void* Handle::check_open(const nb::bytes& state) const {
  const void* s = check(state);
  if (table.to_move(table.self, s) == kTerminal) {
    raise("IllegalAction", "the game is over: there is nothing to play");
  }
  return s;
}

Action Handle::check_action(const void* state, Action action) const {
  bool legal = false;
  const bool chance = table.to_move(table.self, state) == kChance;
  if (indexed) {
    const int count = chance ? table.outcomes(table.self, state, nullptr, nullptr, 0)
                             : table.actions(table.self, state, nullptr, 0);
    legal = action < static_cast<Action>(count);
  } else if (chance) {
    for (const auto& [outcome, odds] : list_outcomes(table, state)) legal |= outcome == action;
  } else {
    const auto list = list_actions(table, state);
    legal = std::find(list.begin(), list.end(), action) != list.end();
  }
  if (!legal) raise("IllegalAction", "that action is not legal here");
  return action;
}

void Handle::check_failed() const {
  if (failed && *failed) {
    *failed = 0;
    raise("RulesError", "the compiled rules raised an exception",
          "run the same rules without zermelo.compile to see it; compiled, a negative power of an "
          "int "
          "raises too: write 2.0 ** n");
  }
}

nb::bytes Handle::initial() const {
  std::vector<char> s(table.facts.state_size);
  table.initial(table.self, s.data());
  return nb::bytes(s.data(), s.size());
}

int Handle::to_move(const nb::bytes& state) const {
  const int player = table.to_move(table.self, check(state));
  check_failed();
  return player;
}

std::vector<Action> Handle::actions(const nb::bytes& state) const {
  auto list = list_actions(table, check_open(state));
  check_failed();
  return list;
}

nb::bytes Handle::play(const nb::bytes& state, Action action) const {
  const void* s = check_open(state);
  check_action(s, action);
  std::vector<char> next(table.facts.state_size);
  table.play(table.self, s, action, next.data());
  check_failed();
  return nb::bytes(next.data(), next.size());
}

static void check_player(const Game& table, int player) {
  if (player < 0 || player >= table.facts.players) {
    raise("UsageError", "there is no player " + std::to_string(player),
          "players are counted from 0 to " + std::to_string(table.facts.players - 1));
  }
}

double Handle::utility(const nb::bytes& state, int player) const {
  check_player(table, player);
  const void* s = check(state);
  if (table.to_move(table.self, s) != kTerminal) {
    raise("UsageError", "the game is not over, so it has no utility yet",
          "ask is_terminal(s) first, or search(game, s)");
  }
  const double u = table.utility(table.self, s, player);
  check_failed();
  return u + 0.0;
}

double Handle::evaluate(const nb::bytes& state, int player) const {
  check_player(table, player);
  if (!table.evaluate) raise("UsageError", "this game has no evaluation");
  const double e = table.evaluate(table.self, check(state), player);
  check_failed();
  return e + 0.0;
}

nb::list Handle::outcomes(const nb::bytes& state) const {
  const void* s = check(state);
  if (!table.outcomes || table.to_move(table.self, s) != kChance) {
    raise("UsageError", "nature does not move in this state");
  }
  nb::list result;
  for (const auto& [outcome, odds] : list_outcomes(table, s)) {
    result.append(nb::make_tuple(outcome, odds));
  }
  return result;
}

nb::object Handle::sample(const nb::bytes& state, std::uint64_t random) const {
  const void* s = check_open(state);
  if (!table.sample) return nb::none();
  return nb::int_(table.sample(table.self, s, random));
}

nb::object Handle::deal(const nb::bytes& state, int player, std::uint64_t random) const {
  check_player(table, player);
  const void* s = check(state);
  if (!table.deal) return nb::none();
  std::vector<std::byte> out(table.facts.state_size);
  if (!table.deal(table.self, s, player, random, out.data())) return nb::none();
  return nb::bytes(out.data(), out.size());
}

nb::object Handle::values(const nb::bytes& state) const {
  const void* s = check_open(state);
  if (!table.values) return nb::none();
  std::vector<Action> actions = list_actions(table, s);
  std::vector<double> value(actions.size());
  const int count =
      table.values(table.self, s, actions.data(), value.data(), static_cast<int>(actions.size()));
  nb::list list;
  for (int i = 0; i < count; ++i) list.append(nb::make_tuple(actions[i], value[i]));
  return list;
}

std::uint64_t Handle::key(const nb::bytes& state) const {
  return table.key(table.self, check(state));
}

std::vector<std::uint64_t> Handle::keys(const nb::bytes& state,
                                        const std::vector<Action>& line) const {
  std::vector<std::uint64_t> keys;
  std::vector<char> here(state.size()), next(state.size());
  if (!line.empty()) std::memcpy(here.data(), check_open(state), here.size());
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (i) {
      table.play(table.self, here.data(), check_action(here.data(), line[i - 1]), next.data());
      here.swap(next);
      if (table.to_move(table.self, here.data()) == kTerminal) {
        raise("IllegalAction", "the game is over before the line is");
      }
    }
    keys.push_back(table.key(table.self, here.data()));
  }
  check_failed();
  return keys;
}

nb::bytes Handle::timeless(const nb::bytes& state) const {
  const void* s = check(state);
  if (!table.timeless) return state;
  std::vector<char> out(table.facts.state_size);
  table.timeless(table.self, s, out.data());
  return nb::bytes(out.data(), out.size());
}

bool Handle::idle(const nb::bytes& before, const nb::bytes& after) const {
  const void *s = check(before), *t = check(after);
  return table.mirror_key && table.to_move(table.self, s) == table.to_move(table.self, t) &&
         table.mirror_key(table.self, s) == table.mirror_key(table.self, t);
}

std::uint64_t Handle::observation(const nb::bytes& state, int player) const {
  check_player(table, player);
  if (!table.observation) raise("UsageError", "nothing is hidden in this game");
  return table.observation(table.self, check(state), player);
}

nb::object Handle::endgame_index(const nb::bytes& state) const {
  const void* s = check(state);
  const Endgames* e = table.endgames;
  const int number = e ? e->class_of(table.self, s) : -1;
  if (number < 0) return nb::none();
  return nb::make_tuple(number, e->index(table.self, s));
}

nb::object Handle::endgame_position(int number, std::uint64_t index) const {
  const Endgames* e = table.endgames;
  if (!e || number < 0 || number >= e->classes || index >= e->size(table.self, number)) {
    raise("UsageError", "there is no such endgame");
  }
  std::vector<char> s(table.facts.state_size);
  if (!e->position(table.self, number, index, s.data())) return nb::none();
  return nb::bytes(s.data(), s.size());
}

nb::list Handle::endgame_before(const nb::bytes& state) const {
  if (endgame_index(state).is_none()) raise("UsageError", "that state is in no class of endgames");
  const std::size_t size = table.facts.state_size;
  const int count = table.endgames->before(table.self, state.data(), nullptr, 0);
  std::vector<char> found(count * size);
  table.endgames->before(table.self, state.data(), found.data(), count);
  nb::list result;
  for (int i = 0; i < count; ++i) result.append(nb::bytes(found.data() + i * size, size));
  return result;
}

namespace {

// Rules compiled from Python: the functions are C, `self` is their error flag.
Handle compiled_game(nb::dict addresses, std::uint32_t state_size, nb::bytes initial, int players,
                     bool zero_sum, double utility_min, double utility_max, nb::object keep) {
  struct Rules {
    int failed = 0;
    std::string initial;
    Game table;  // the compiled functions, called with &failed
    nb::object keep;
    ~Rules() {
      nb::gil_scoped_acquire gil;
      keep.reset();
    }
  };
  auto rules = std::make_shared<Rules>();
  rules->initial = std::string(initial.c_str(), initial.size());
  rules->keep = std::move(keep);
  if (rules->initial.size() != state_size) raise("UsageError", "state of the wrong size");
  Handle h;
  Game& t = h.table;
  const auto at = [&](const char* name, auto& pointer) {
    if (!addresses.contains(name)) return;
    pointer = reinterpret_cast<std::decay_t<decltype(pointer)>>(
        nb::cast<std::uintptr_t>(addresses[name]));
  };
  at("to_move", t.to_move);
  at("actions", t.actions);
  at("play", t.play);
  at("utility", t.utility);
  at("evaluate", t.evaluate);
  at("noisy", t.noisy);
  at("outcomes", t.outcomes);
  at("observation", t.observation);
  if (!t.to_move || !t.actions || !t.play || !t.utility) raise("UsageError", "rules are missing");
  t.facts.players = players;
  t.facts.zero_sum = zero_sum;
  t.facts.chance = t.outcomes != nullptr;
  t.facts.hidden = t.observation != nullptr;
  t.facts.utility_min = utility_min;
  t.facts.utility_max = utility_max;
  t.facts.state_size = state_size;
  t.self = &rules->failed;  // first member of Rules, so that the two functions below find the rest
  t.initial = [](const void* self, void* state) {
    const auto* r = reinterpret_cast<const Rules*>(self);
    std::memcpy(state, r->initial.data(), r->initial.size());
  };
  t.key = [](const void* self, const void* state) {
    return hash_bytes(state, reinterpret_cast<const Rules*>(self)->initial.size());
  };
  h.failed = std::shared_ptr<int>(rules, &rules->failed);
  h.owner = std::move(rules);
  return h;
}

Handle checkers(int pieces) {
  if (pieces < 1 || pieces > 8) {
    raise("UsageError", "endgames of " + std::to_string(pieces) + " pieces cannot be tabled",
          "pieces is 1 to 8, as checkers:pieces=4");
  }
  return own(std::make_shared<Checkers>(pieces));
}

Handle connect_four(int width, int height, bool distance) {
  if (width < 1 || height < 1 || width > 64 || height > 63 || width * (height + 1) > 64) {
    raise("UsageError",
          "a board of " + std::to_string(width) + " by " + std::to_string(height) + " does not fit",
          "width * (height + 1) may be 64 at most, as 7 by 6 or 8 by 7");
  }
  const bool standard = width == 7 && height == 6;
  Handle h = standard ? own(std::make_shared<StandardConnectFour>(width, height, distance))
                      : own(std::make_shared<ConnectFour>(width, height, distance));
  h.table.engine = &kConnectFourEngines[standard];
  h.table.mcts = &kConnectFourMcts[standard];
  return h;
}

template <int W>
Handle tic_tac_toe_of(int words, int m, int n, int k) {
  if (words <= W) return own(std::make_shared<TicTacToe<W>>(m, n, k));
  if constexpr (W < 6) return tic_tac_toe_of<W + 1>(words, m, n, k);
  raise("UsageError",
        "a board of " + std::to_string(m) + " by " + std::to_string(n) + " is too large",
        "19 by 19 is the largest");
}

Handle tic_tac_toe(int m, int n, int k) {
  if (m < 1 || n < 1 || k < 1 || m > 26 || n > 64 || k > 64) {
    raise("UsageError", "there is no such board of tic-tac-toe",
          "m is 1 to 26 columns, n 1 to 64 rows, k 1 to 64: as tic-tac-toe:m=3,n=3,k=3");
  }
  const int words = TicTacToe<1>::words(m, n);
  const bool standard = m == 3 && n == 3 && k == 3;
  Handle h = standard ? own(std::make_shared<StandardTicTacToe>(m, n, k))
                      : tic_tac_toe_of<1>(words, m, n, k);
  if (words == 1) h.table.mcts = &kTicTacToeMcts[standard];
  return h;
}

Handle nim(const std::vector<int>& piles, int most, bool misere, int players) {
  if (piles.empty() || piles.size() > Nim::kPiles || most < 0) {
    raise("UsageError", "nim needs between 1 and 16 piles", "as nim:piles=3,4,5");
  }
  for (int p : piles) {
    if (p < 0 || p > 65535)
      raise("UsageError", "a pile has between 0 and 65535 stones", "as nim:piles=3,4,5");
  }
  if (players < 2 || players > Nim::kPlayers) {
    raise("UsageError", "nim is for 2 to 8 players", "as nim:players=3");
  }
  return own(std::make_shared<Nim>(piles, most, misere, players));
}

Handle split_nim(const std::vector<int>& piles) {
  int stones = 0;
  for (int p : piles) {
    if (p < 1 || p > SplitNim::kStones) stones = SplitNim::kStones;
    stones += std::clamp(p, 1, SplitNim::kStones);
  }
  if (piles.empty() || stones > SplitNim::kStones) {
    raise("UsageError", "split-nim needs piles of at least 1 stone and 119 stones in all",
          "as split-nim:piles=7");
  }
  return own(std::make_shared<SplitNim>(piles));
}

Handle monopoly_of(int players, int rounds, int money, bool wealth) {
  if (players < 2 || players > Monopoly::kPlayers || rounds < 1 || rounds > Monopoly::kMostRounds ||
      money < 1 || money > Monopoly::kMostMoney / 2) {
    raise("UsageError", "there is no such game of monopoly",
          "as monopoly:players=4,rounds=100,money=1500");
  }
  return own(std::make_shared<Monopoly>(players, rounds, money, wealth));
}

Handle dodgem(int n) {
  if (n < Dodgem::kLeast || n > Dodgem::kMost) {
    raise("UsageError", "there is no dodgem of " + std::to_string(n) + " by " + std::to_string(n),
          "n is 2 to 5: as dodgem:n=3");
  }
  return own(std::make_shared<Dodgem>(n));
}

Handle pig(int target) {
  if (target < 1 || target > Pig::kMostTarget) {
    raise("UsageError", "a race to " + std::to_string(target) + " points cannot be run",
          "target is 1 to 10000: as pig:target=100");
  }
  return own(std::make_shared<Pig>(target));
}

Handle game_2048(double fours) {
  if (!(fours >= 0 && fours <= 1)) {
    raise("UsageError", "the odds of a 4 are no probability", "as 2048:fours=0.1");
  }
  return own(std::make_shared<Game2048>(fours));
}

Handle blind_tic_tac_toe(int m, int n, int k, bool abrupt) {
  if (m < 1 || n < 1 || k < 1 || m * n > BlindTicTacToe::kMostSquares) {
    raise("UsageError", "there is no such board of blind tic-tac-toe",
          "at most 16 squares: m=4,n=4");
  }
  return own(std::make_shared<BlindTicTacToe>(m, n, k, abrupt));
}

Handle liars_dice(int dice, int sides) {
  if (dice < 1 || dice > LiarsDice::kMostDice || sides < 2 || sides > LiarsDice::kMostSides) {
    raise("UsageError", "there is no such game of liar's dice",
          "1 to 5 dice of 2 to 6 sides: as liars-dice:dice=1,sides=6");
  }
  return own(std::make_shared<LiarsDice>(dice, sides));
}

// `parts` as little-endian arrays of the C types named in core/games/tree.hpp.
template <class T>
std::vector<T> array_of(const nb::bytes& data) {
  std::vector<T> v(data.size() / sizeof(T));
  if (!v.empty()) std::memcpy(v.data(), data.c_str(), v.size() * sizeof(T));
  return v;
}

Handle tree(int players, int width, bool zero_sum, nb::bytes to_move, nb::bytes first,
            nb::bytes children, nb::bytes odds, nb::bytes label, nb::bytes payoff_at,
            nb::bytes payoff) {
  Tree::Parts p;
  p.players = players;
  p.width = width;
  p.zero_sum = zero_sum;
  p.to_move = array_of<std::int8_t>(to_move);
  p.first = array_of<std::uint32_t>(first);
  p.children = array_of<std::uint32_t>(children);
  p.odds = array_of<double>(odds);
  p.label = array_of<std::uint32_t>(label);
  p.payoff_at = array_of<std::uint32_t>(payoff_at);
  p.payoff = array_of<double>(payoff);
  Handle h = own(std::make_shared<Tree>(std::move(p)));
  h.indexed = true;
  return h;
}

}  // namespace

void bind_handle(nb::module_& m) {
  nb::class_<Facts>(m, "Facts")
      .def_ro("players", &Facts::players)
      .def_ro("chance", &Facts::chance)
      .def_ro("hidden", &Facts::hidden)
      .def_ro("zero_sum", &Facts::zero_sum)
      .def_ro("utility_min", &Facts::utility_min)
      .def_ro("utility_max", &Facts::utility_max)
      .def_ro("state_size", &Facts::state_size)
      .def_ro("tree_nodes", &Facts::tree_nodes);
  nb::class_<Handle>(m, "Handle", "A game behind the contract; states are bytes.")
      .def_prop_ro("facts", [](const Handle& h) { return h.table.facts; })
      .def_prop_ro("has_evaluate", [](const Handle& h) { return h.table.evaluate != nullptr; })
      .def_prop_ro("has_narrow", [](const Handle& h) { return h.table.narrow != nullptr; })
      .def_prop_ro("has_noisy", [](const Handle& h) { return h.table.noisy != nullptr; })
      .def("initial", &Handle::initial)
      .def("to_move", &Handle::to_move, nb::arg("state"))
      .def("actions", &Handle::actions, nb::arg("state"))
      .def("play", &Handle::play, nb::arg("state"), nb::arg("action"))
      .def("utility", &Handle::utility, nb::arg("state"), nb::arg("player"))
      .def("evaluate", &Handle::evaluate, nb::arg("state"), nb::arg("player"))
      .def("outcomes", &Handle::outcomes, nb::arg("state"))
      .def("key", &Handle::key, nb::arg("state"))
      .def("keys", &Handle::keys, nb::arg("state"), nb::arg("line"))
      .def("timeless", &Handle::timeless, nb::arg("state"))
      .def("idle", &Handle::idle, nb::arg("before"), nb::arg("after"))
      .def("observation", &Handle::observation, nb::arg("state"), nb::arg("player"))
      .def("valid", &Handle::valid, nb::arg("state"))
      .def("sample", &Handle::sample, nb::arg("state"), nb::arg("random"))
      .def("deal", &Handle::deal, nb::arg("state"), nb::arg("player"), nb::arg("random"))
      .def("values", &Handle::values, nb::arg("state"))
      .def("endgame_index", &Handle::endgame_index, nb::arg("state"))
      .def("endgame_position", &Handle::endgame_position, nb::arg("number"), nb::arg("index"))
      .def("endgame_before", &Handle::endgame_before, nb::arg("state"));
  m.def("compiled_game", &compiled_game, nb::arg("addresses"), nb::arg("state_size"),
        nb::arg("initial"), nb::arg("players"), nb::arg("zero_sum"), nb::arg("utility_min"),
        nb::arg("utility_max"), nb::arg("keep"));
  m.def("checkers", &checkers, nb::arg("pieces"));
  m.def("connect_four", &connect_four, nb::arg("width"), nb::arg("height"), nb::arg("distance"));
  m.def("tic_tac_toe", &tic_tac_toe, nb::arg("m"), nb::arg("n"), nb::arg("k"));
  m.def("nim", &nim, nb::arg("piles"), nb::arg("most"), nb::arg("misere"), nb::arg("players") = 2);
  m.def("monopoly_prices", [] {
    std::vector<int> prices;
    for (const auto& lot : zermelo::monopoly::kLot) prices.push_back(lot.price);
    return prices;
  });
  m.def("monopoly", &monopoly_of, nb::arg("players"), nb::arg("rounds"), nb::arg("money"),
        nb::arg("wealth"));
  m.def("split_nim", &split_nim, nb::arg("piles"));
  m.def("dodgem", &dodgem, nb::arg("n"));
  m.def("pig", &pig, nb::arg("target"));
  m.def("game_2048", &game_2048, nb::arg("fours"));
  m.def("kuhn", [] { return own(std::make_shared<Kuhn>()); });
  m.def("leduc", [](bool suits) { return own(std::make_shared<Leduc>(suits)); }, nb::arg("suits"));
  m.def(
      "stratego",
      [](bool barrage, bool chance) {
        return own(std::make_shared<Stratego>(barrage,
                                              chance ? Stratego::kByChance : Stratego::kByPlayers));
      },
      nb::arg("barrage"), nb::arg("chance"));
  m.def("blind_tic_tac_toe", &blind_tic_tac_toe, nb::arg("m"), nb::arg("n"), nb::arg("k"),
        nb::arg("abrupt"));
  m.def("liars_dice", &liars_dice, nb::arg("dice"), nb::arg("sides"));
  m.def("tree", &tree, nb::arg("players"), nb::arg("width"), nb::arg("zero_sum"),
        nb::arg("to_move"), nb::arg("first"), nb::arg("children"), nb::arg("odds"),
        nb::arg("label"), nb::arg("payoff_at"), nb::arg("payoff"));
}

}  // namespace zermelo::bindings
