// Blind tic-tac-toe: checks the options and builds the game.
#include "games/blind_tic_tac_toe.hpp"

#include "games.hpp"

namespace zermelo::bindings {
namespace {

Handle blind_tic_tac_toe(int m, int n, int k, bool abrupt) {
  if (m < 1 || n < 1 || k < 1 || m * n > BlindTicTacToe::kMostSquares) {
    raise("UsageError", "the board of blind tic-tac-toe is too large",
          "expected at most 16 squares, e.g. m=4,n=4");
  }
  return own(std::make_shared<BlindTicTacToe>(m, n, k, abrupt));
}

}  // namespace

ZERMELO_GAME(blind_tic_tac_toe, m) {
  m.def("blind_tic_tac_toe", &blind_tic_tac_toe, nb::arg("m"), nb::arg("n"), nb::arg("k"),
        nb::arg("abrupt"));
}

}  // namespace zermelo::bindings
