// Kriegspiel for Python: states built from a chess position and what the umpire announced.
#include "games/kriegspiel/kriegspiel.hpp"

#include <algorithm>
#include <cstring>

#include "games.hpp"

namespace zermelo::bindings {
namespace {

chess::State position_of(const nb::bytes& data) {
  static const Chess<chess::Magic> rules(518, false);
  chess::State s{};
  if (data.size() == sizeof s) std::memcpy(static_cast<void*>(&s), data.c_str(), sizeof s);
  if (data.size() != sizeof s || !rules.valid(s)) {
    raise("BadPosition", "the data is not a valid state of this game");
  }
  return s;
}

// The state at a chess position with these announcements; None: the state is impossible.
nb::object kriegspiel_state(const nb::bytes& position, int taken_at, int checks,
                            const std::vector<int>& tried, const std::vector<int>& earlier) {
  Kriegspiel::State s = Kriegspiel::started(position_of(position));
  if (taken_at < 0 || taken_at > 64 || checks < 0 || checks > 31 ||
      tried.size() > Kriegspiel::kMostTried || earlier.size() != 3 ||
      std::any_of(earlier.begin(), earlier.end(), [](int x) { return x < 0 || x > 255; })) {
    return nb::none();
  }
  const auto byte = [&](int i) { return static_cast<std::uint8_t>(earlier[i]); };
  s.earlier = {byte(0), byte(1), byte(2)};
  s.taken_at = static_cast<std::uint8_t>(taken_at);
  s.checks = static_cast<std::uint8_t>(checks);
  for (const int attempt : tried) {
    if (attempt <= 0 || attempt > 0x7fff) return nb::none();
    s.tried[s.refused++] = static_cast<std::uint16_t>(attempt);
  }
  if (!Kriegspiel().valid(s)) return nb::none();
  return nb::bytes(reinterpret_cast<const char*>(&s), sizeof s);
}

// The parts of a state: chess position, square of the capture, checks, pawn captures, refused
// tries, and the first three of these announcements after the previous move.
nb::tuple kriegspiel_parts(const nb::bytes& state) {
  Kriegspiel::State s;
  if (state.size() != sizeof s) raise("UsageError", "the data is not a valid state of this game");
  std::memcpy(&s, state.c_str(), sizeof s);
  chess::State whole{};
  static_cast<chess::Position&>(whole) = s;
  return nb::make_tuple(
      nb::bytes(reinterpret_cast<const char*>(&whole), sizeof whole), s.taken_at, s.checks, s.tries,
      std::vector<int>(s.tried, s.tried + std::min<int>(s.refused, Kriegspiel::kMostTried)),
      nb::make_tuple(s.earlier.taken_at, s.earlier.checks, s.earlier.tries));
}

}  // namespace

ZERMELO_GAME(kriegspiel, m) {
  m.def("kriegspiel", [] { return own(std::make_shared<Kriegspiel>()); });
  m.def("kriegspiel_state", &kriegspiel_state, nb::arg("position"), nb::arg("taken_at"),
        nb::arg("checks"), nb::arg("tried"), nb::arg("earlier"));
  m.def("kriegspiel_parts", &kriegspiel_parts, nb::arg("state"));
}

}  // namespace zermelo::bindings
