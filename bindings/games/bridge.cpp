// Bridge for Python: states from hands and plays, tables of contracts, deals that fit the bidding.
#include "games/bridge/bridge.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>

#include "games.hpp"

namespace zermelo::bindings {
namespace {

using namespace zermelo::bridge;
using Masks = std::array<Cards, kSeats>;

nb::bytes bytes_of(const PlayState& s) {
  return nb::bytes(reinterpret_cast<const char*>(&s), sizeof s);
}

PlayState state_of(const nb::bytes& data) {
  PlayState s{};
  if (data.size() == sizeof s) std::memcpy(&s, data.c_str(), sizeof s);
  if (!Bridge(s, false).valid(s))
    raise("BadPosition", "the data is not a valid state of this game");
  return s;
}

// The hands as dealt, and the cards played so far; None if a play is not legal.
nb::bytes make_state(const Masks& hands, int trump, int declarer, int first,
                     const std::vector<int>& played) {
  PlayState s{};
  for (int seat = 0; seat < kSeats; ++seat) s.hand[seat] = hands[seat];
  s.cards = static_cast<std::uint8_t>(std::popcount(hands[0]));
  s.trump = static_cast<std::uint8_t>(trump);
  s.declarer = static_cast<std::uint8_t>(declarer & 3);
  s.first = s.leader = static_cast<std::uint8_t>(first & 3);
  const Bridge rules(s, false);
  if (!rules.valid(s)) return nb::bytes("", 0);
  for (const int code : played) {
    if (s.count == 4 * s.cards || code < 0 || code >= 64 || !(legal(s) & bit(code))) {
      return nb::bytes("", 0);
    }
    play_card(s, code);
  }
  return bytes_of(s);
}

Handle make_bridge(const nb::bytes& start, bool hidden) {
  return own(std::make_shared<Bridge>(state_of(start), hidden));
}

// Tricks of north and south, by trump (spades, …, clubs, none) and leader.
std::array<std::array<int, kSeats>, 5> table_of_deal(const Masks& hands) {
  Position p{};
  for (int seat = 0; seat < kSeats; ++seat) p.hand[seat] = hands[seat];
  std::array<std::array<int, kSeats>, 5> out{};
  const nb::gil_scoped_release free;
  BridgeSolver solver;
  for (p.trump = 0; p.trump <= kNoTrump; ++p.trump) {
    int guess = -1;
    for (p.leader = 0; p.leader < kSeats; ++p.leader) {
      guess = out[p.trump][p.leader] = solver->solve(p, guess);
    }
  }
  return out;
}

// The hands as dealt, from the remaining and the played cards.
Masks dealt(const nb::bytes& data) {
  const PlayState begin = beginning(state_of(data));
  return {begin.hand[0], begin.hand[1], begin.hand[2], begin.hand[3]};
}

// Like Handle.deal for a seat, with ranges for every seat: points, then the four suit lengths.
std::pair<nb::bytes, bool> deal_within(const nb::bytes& data, int seat,
                                       const std::array<std::array<int, 10>, kSeats>& ranges,
                                       std::uint64_t random, int tries) {
  const PlayState s = state_of(data);
  Range told[kSeats];
  for (int i = 0; i < kSeats; ++i) {
    for (int end = 0; end < 2; ++end) {
      told[i].points[end] = ranges[i][end];
      for (int suit = 0; suit < kSuits; ++suit) {
        told[i].length[suit][end] = ranges[i][2 + 2 * suit + end];
      }
    }
  }
  Random rng(random);
  bool found = false;
  const PlayState out = redeal_within(s, seat & 3, told, rng, tries, found);
  return {bytes_of(out), found};
}

}  // namespace

ZERMELO_GAME(bridge, m) {
  m.def("bridge", &make_bridge, nb::arg("start"), nb::arg("hidden"));
  m.def("bridge_state", &make_state, nb::arg("hands"), nb::arg("trump"), nb::arg("declarer"),
        nb::arg("first"), nb::arg("played"));
  m.def("bridge_table", &table_of_deal, nb::arg("hands"));
  m.def("bridge_dealt", &dealt, nb::arg("state"));
  m.def("bridge_deal_within", &deal_within, nb::arg("state"), nb::arg("seat"), nb::arg("ranges"),
        nb::arg("random"), nb::arg("tries"));
}

}  // namespace zermelo::bindings
