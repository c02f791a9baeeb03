#include "inlined.hpp"

#include "games/chess/chess.hpp"
#include "games/connect_four.hpp"
#include "search/engine/run.hpp"

namespace zermelo {
namespace {

template <class Rules>
constexpr InlinedEngine kEngineOf = {run_engine<Inlined<Rules>>, solve_in_turn<Inlined<Rules>>};

}  // namespace

const InlinedEngine kConnectFourEngines[2] = {kEngineOf<ConnectFour>,
                                              kEngineOf<StandardConnectFour>};
const InlinedEngine kChessEngines[2] = {kEngineOf<Chess<chess::Magic>>,
                                        kEngineOf<Chess<chess::Pext>>};

}  // namespace zermelo
