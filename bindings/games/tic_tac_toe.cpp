// Tic-tac-toe: a state with as many words as the board needs.
#include "games/tic_tac_toe.hpp"

#include "games.hpp"
#include "inlined.hpp"

namespace zermelo::bindings {
namespace {

template <int W>
Handle tic_tac_toe_of(int words, int m, int n, int k) {
  if (words <= W) return own(std::make_shared<TicTacToe<W>>(m, n, k));
  if constexpr (W < 6) return tic_tac_toe_of<W + 1>(words, m, n, k);
  raise("UsageError",
        "a board of " + std::to_string(m) + " by " + std::to_string(n) + " is too large",
        "expected at most 19 by 19");
}

Handle tic_tac_toe(int m, int n, int k) {
  if (m < 1 || n < 1 || k < 1 || m > 26 || n > 64 || k > 64) {
    raise("UsageError", "invalid board of tic-tac-toe",
          "expected m from 1 to 26 columns, n from 1 to 64 rows and k from 1 to 64, e.g. "
          "tic-tac-toe:m=3,n=3,k=3");
  }
  const int words = TicTacToe<1>::words(m, n);
  const bool standard = m == 3 && n == 3 && k == 3;
  Handle h = standard ? own(std::make_shared<StandardTicTacToe>(m, n, k))
                      : tic_tac_toe_of<1>(words, m, n, k);
  if (words == 1) h.table.mcts = &kTicTacToeMcts[standard];
  return h;
}

}  // namespace

ZERMELO_GAME(tic_tac_toe, m) {
  m.def("tic_tac_toe", &tic_tac_toe, nb::arg("m"), nb::arg("n"), nb::arg("k"));
}

}  // namespace zermelo::bindings
