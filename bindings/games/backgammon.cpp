// Backgammon for Python: the fitting kernel, the networks, learning and many positions at once.
#include <cstring>

#include "games.hpp"
#include "games/backgammon/cube.hpp"

namespace zermelo::bindings {
namespace {

using backgammon::Networks;
using backgammon::State;
using Portable = Backgammon<backgammon::Portable>;
using Avx2 = Backgammon<backgammon::Avx2>;

// Refuses weights that are NaN or so large that an output would be NaN.
bool sane(const Networks& n) {
  std::vector<float> all(sizeof n / sizeof(float));
  std::memcpy(all.data(), &n, sizeof n);
  return std::all_of(all.begin(), all.end(), [](float x) { return std::abs(x) < 1e6f; });
}

std::shared_ptr<Networks> networks_of(const nb::bytes& weights) {
  if (!weights.size()) return nullptr;
  bool fit = weights.size() == sizeof(Networks);
  auto networks = std::make_shared<Networks>();
  if (fit) {
    std::memcpy(static_cast<void*>(networks.get()), weights.c_str(), sizeof(Networks));
    fit = sane(*networks);
  }
  if (!fit) {
    raise("UsageError", "the data is not a weight file of backgammon",
          "train weights with: zermelo train backgammon");
  }
  return networks;
}

std::shared_ptr<Networks> some_networks_of(const nb::bytes& weights) {
  auto networks = networks_of(weights);
  if (!networks)
    raise("UsageError", "the weight file is missing",
          "train weights with: zermelo train backgammon");
  return networks;
}

nb::bytes bytes_of(const Networks& n) {
  return nb::bytes(reinterpret_cast<const char*>(&n), sizeof n);
}

// `portable`: the kernel for processors without AVX2.
Handle make_backgammon(bool both_roll, bool points, nb::bytes weights, bool portable) {
  if (portable || !backgammon::has_avx2()) {
    return own(
        std::make_shared<Portable>(Portable::Terms{both_roll, points}, networks_of(weights)));
  }
  return own(std::make_shared<Avx2>(Avx2::Terms{both_roll, points}, networks_of(weights)));
}

// The same with the cube.
Handle make_with_cube(bool both_roll, bool points, bool jacoby, nb::bytes weights, bool portable) {
  const auto make = [&]<class Kernel>(Kernel) {
    using Rules = BackgammonWithCube<Kernel>;
    return own(std::make_shared<Rules>(typename Rules::Terms{both_roll, points, jacoby},
                                       networks_of(weights)));
  };
  const bool plain = portable || !backgammon::has_avx2();
  return plain ? make(backgammon::Portable()) : make(backgammon::Avx2());
}

std::vector<State> states_of(const nb::bytes& flat) {
  static const Portable rules({}, nullptr);
  std::vector<State> states(flat.size() / sizeof(State));
  std::memcpy(static_cast<void*>(states.data()), flat.c_str(), states.size() * sizeof(State));
  for (const State& s : states) {
    if (!rules.valid(s)) raise("BadPosition", "the data is not a valid state of this game");
  }
  return states;
}

nb::bytes flat_of(const std::vector<State>& states) {
  return nb::bytes(reinterpret_cast<const char*>(states.data()), states.size() * sizeof(State));
}

// The plays of each state (with rolled dice) and the resulting states, concatenated; and the number
// of plays per state.
nb::tuple all_plays(nb::bytes flat) {
  std::vector<Action> plays;
  std::vector<State> after;
  std::vector<int> counts;
  for (const State& s : states_of(flat)) {
    if (!s.die[0]) raise("UsageError", "in one of these states the dice have not been rolled");
    Action list[backgammon::kMostPlays];
    const int count = backgammon::Plays::list(s, list, backgammon::kMostPlays);
    for (int i = 0; i < count; ++i) {
      plays.push_back(list[i]);
      after.push_back(backgammon::played(s, list[i]));
    }
    counts.push_back(count);
  }
  return nb::make_tuple(plays, flat_of(after), counts);
}

// The state after the networks' best play, for each state with rolled dice.
nb::bytes best_plays(nb::bytes weights, nb::bytes flat) {
  const auto networks = some_networks_of(weights);
  std::vector<State> states = states_of(flat);
  for (const State& s : states) {
    if (!s.die[0]) raise("UsageError", "in one of these states the dice have not been rolled");
  }
  const auto answer = [&]<class Kernel>(Kernel) {
    using Judge = backgammon::Judge<Kernel>;
    const Judge judge(*networks);
    for (State& s : states) s = Judge::best(typename Judge::From(judge, s), s).after;
  };
  {
    nb::gil_scoped_release release;
    backgammon::has_avx2() ? answer(backgammon::Avx2()) : answer(backgammon::Portable());
  }
  return flat_of(states);
}

// The five output probabilities of each state before the roll, as floats.
nb::bytes chances(nb::bytes weights, nb::bytes flat, bool portable) {
  const auto networks = some_networks_of(weights);
  std::vector<backgammon::Chances> found;
  const auto answer = [&]<class Kernel>(Kernel, const std::vector<State>& states) {
    const backgammon::Judge<Kernel> judge(*networks);
    for (const State& s : states) found.push_back(judge(s));
  };
  const std::vector<State> states = states_of(flat);
  if (portable || !backgammon::has_avx2()) {
    answer(backgammon::Portable(), states);
  } else {
    answer(backgammon::Avx2(), states);
  }
  return nb::bytes(reinterpret_cast<const char*>(found.data()), found.size() * sizeof found[0]);
}

// Untrained networks.
nb::bytes fresh(std::uint64_t seed) {
  auto networks = std::make_unique<Networks>();
  backgammon::shake(*networks, seed);
  return bytes_of(*networks);
}

// Learns from `games` games: the weights, the mean squared error of the equity, the positions.
nb::tuple learn(nb::bytes weights, int games, std::uint64_t seed, double rate) {
  const auto networks = some_networks_of(weights);
  double error = 0;
  std::uint64_t positions = 0;
  const auto work = [&]<class Kernel>(Kernel) {
    backgammon::Learner<Kernel> learner(*networks, seed);
    for (int i = 0; i < games; ++i) learner.play(static_cast<float>(rate));
    error = learner.error, positions = learner.positions;
  };
  {
    nb::gil_scoped_release release;
    backgammon::has_avx2() ? work(backgammon::Avx2()) : work(backgammon::Portable());
  }
  return nb::make_tuple(bytes_of(*networks), positions ? error / static_cast<double>(positions) : 0,
                        positions);
}

// The points per game that `first` wins, for each of `pairs` pairs of games with the same dice.
std::vector<float> play_pairs(nb::bytes first, nb::bytes second, int pairs, std::uint64_t seed) {
  if (pairs < 0) raise("UsageError", "the number of games must not be negative");
  const auto a = some_networks_of(first), b = some_networks_of(second);
  std::vector<float> points(static_cast<std::size_t>(pairs));
  nb::gil_scoped_release release;
  if (backgammon::has_avx2()) {
    backgammon::play_pairs<backgammon::Avx2>(*a, *b, pairs, seed, points.data());
  } else {
    backgammon::play_pairs<backgammon::Portable>(*a, *b, pairs, seed, points.data());
  }
  return points;
}

}  // namespace

ZERMELO_GAME(backgammon, m) {
  m.def("backgammon", &make_backgammon, nb::arg("both_roll"), nb::arg("points"),
        nb::arg("weights") = nb::bytes("", 0), nb::arg("portable") = false);
  m.def("backgammon_with_cube", &make_with_cube, nb::arg("both_roll"), nb::arg("points"),
        nb::arg("jacoby"), nb::arg("weights") = nb::bytes("", 0), nb::arg("portable") = false);
  m.def("backgammon_plays", &all_plays, nb::arg("states"));
  m.def("backgammon_best", &best_plays, nb::arg("weights"), nb::arg("states"));
  m.def("backgammon_chances", &chances, nb::arg("weights"), nb::arg("states"),
        nb::arg("portable") = false);
  m.def("backgammon_fresh", &fresh, nb::arg("seed"));
  m.def("backgammon_learn", &learn, nb::arg("weights"), nb::arg("games"), nb::arg("seed"),
        nb::arg("rate"));
  m.def("backgammon_pairs", &play_pairs, nb::arg("first"), nb::arg("second"), nb::arg("pairs"),
        nb::arg("seed"));
  m.attr("backgammon_floats") = 2 * backgammon::kFloats;
}

}  // namespace zermelo::bindings
