#include "engine/run.hpp"

namespace zermelo {
namespace {

constexpr std::string_view kDoc =
    R"(the strongest alpha-beta search: transposition table, selective pruning, threads.

Iterative deepening with a transposition table. Symmetric positions share one entry if the game
declares its symmetry. The most promising move is searched first, the others with a zero window
(principal variation search). The window at the root comes from the previous depth (aspiration
windows). At the depth limit, noisy moves are searched further (quiescence search). A game may
allow late move reductions and forward pruning, and ProbCut, which trusts a shallow search whose
value is far outside the window. Values that do not depend on the depth limit are proved and kept
for all later depths.

When:  to play, to analyze and to solve.
Needs: two players, zero-sum, no chance, perfect information.
Cost:  about b^(d/2) positions for depth d, fewer with a table; memory: the size of the table.
From:  Marsland and Campbell 1982 (PVS); Zobrist 1970, Greenblatt 1967 (table); Schaeffer 1983
       (history); Buro 1995 (ProbCut); Weill 1996, Kerrigan 2017 (threads that defer a move which
       another thread is searching).
)";

Result run(const Request& request) {
  return request.game.engine ? request.game.engine->run(request) : run_engine<Game>(request);
}

}  // namespace

std::vector<Solved> solve_all(const Game& game, const std::vector<const void*>& states, int depth,
                              const Options& options, Budget& budget) {
  const auto solve = game.engine ? game.engine->solve_all : solve_in_turn<Game>;
  return solve(game, states, depth, options, budget);
}

const Algorithm kEngine{
    .name = "engine",
    .doc = kDoc,
    .can = {.tablebase = true, .among = true, .memory = Keeps::table},
    .limits = {.depth = true},
    .automatic = {.whom = Automatic::For::play, .reason = "alpha-beta finds the minimax value"},
    .options = {deepen_option(true), lines_option(), table_option("transposition table in MB", 64),
                threads_option(), flag<&Options::pvs>("pvs", "principal variation search"),
                flag<&Options::aspiration>("aspiration", "aspiration windows at the root"),
                flag<&Options::killers>("killers", "killer moves and history heuristics"),
                symmetry_option(), move_hints_option(),
                flag<&Options::etc>("etc", "enhanced transposition cutoff", {.aliases = {"ahead"}}),
                flag<&Options::lmr>("lmr", "late move reductions", {.aliases = {"reductions"}}),
                flag<&Options::probcut>("probcut", "ProbCut"),
                flag<&Options::null_move>("null_move", "null-move pruning",
                                          {.aliases = {"passing"}}),
                flag<&Options::pruning>("pruning",
                                        "futility, reverse futility and late move pruning"),
                flag<&Options::extensions>("extensions", "check and singular extensions"),
                quiescence_option(true)},
    .run = run,
    .solve_all = solve_all,
};

}  // namespace zermelo
