// Monopoly: checks the options and builds the game.
#include "games/monopoly/monopoly.hpp"

#include "games.hpp"

namespace zermelo::bindings {
namespace {

Handle monopoly_of(int players, int rounds, int money, bool wealth) {
  if (players < 2 || players > Monopoly::kPlayers || rounds < 1 || rounds > Monopoly::kMostRounds ||
      money < 1 || money > Monopoly::kMostMoney / 2) {
    raise("UsageError", "invalid options of monopoly",
          "e.g. monopoly:players=4,rounds=100,money=1500");
  }
  return own(std::make_shared<Monopoly>(players, rounds, money, wealth));
}

}  // namespace

ZERMELO_GAME(monopoly, m) {
  m.def("monopoly_prices", [] {
    std::vector<int> prices;
    for (const auto& lot : zermelo::monopoly::kLot) prices.push_back(lot.price);
    return prices;
  });
  m.def("monopoly", &monopoly_of, nb::arg("players"), nb::arg("rounds"), nb::arg("money"),
        nb::arg("wealth"));
}

}  // namespace zermelo::bindings
