#include "games/connect_four.hpp"
#include "games/go/go.hpp"
#include "games/tic_tac_toe.hpp"
#include "inlined.hpp"
#include "search/mcts/playouts.hpp"
#include "search/mcts/run.hpp"

namespace zermelo {
namespace {

template <class Rules>
constexpr InlinedMcts kMctsOf = {run_mcts<Inlined<Rules>>, run_playouts<Inlined<Rules>>};

}  // namespace

const InlinedMcts kConnectFourMcts[2] = {kMctsOf<ConnectFour>, kMctsOf<StandardConnectFour>};
const InlinedMcts kTicTacToeMcts[2] = {kMctsOf<TicTacToe<1>>, kMctsOf<StandardTicTacToe>};
const InlinedMcts kGoMcts[3] = {kMctsOf<Go<9>>, kMctsOf<Go<13>>, kMctsOf<Go<19>>};

}  // namespace zermelo
