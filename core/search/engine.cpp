#include "engine/run.hpp"

namespace zermelo {
namespace {

constexpr std::string_view kDoc =
    R"(engine: the strongest alpha-beta search, with all prunings and a hash table.

Deepens step by step; remembers positions in a table (mirror images as one, where the game says so)
and asks it about the children too; tries the most promising move first; looks at the others with a
window that can only say "no better" (principal variation search) and guesses the root's window from
the depth before (aspiration). At the depth limit it goes on with noisy moves. A game may allow it
to look less deeply at late quiet moves, or to trust a shallow search that lies far outside the
window (ProbCut). What does not rest on the depth limit is proved, and stays known at every depth.

When:  to play and to analyse; to solve, with everything that is not sure switched off.
Needs: two players, zero sum, no chance, nothing hidden.
Cost:  about b^(d/2) positions for depth d, less with a table; memory: the table's.
From:  Marsland and Campbell 1982 (PVS); Zobrist 1970, Greenblatt 1967 (table); Schaeffer 1983
       (history); Buro 1995 (ProbCut); Weill 1996, Kerrigan 2017 (threads that put off
       what another is at).

table=MB  lines=K  threads=N; each part can be switched off to see what it is worth:
pvs aspiration killers mirror narrow ahead reductions probcut passing pruning extensions quiescence
(all on)
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

const Algorithm kEngine = {"engine",
                           kDoc,
                           "deepen lines table threads pvs aspiration killers mirror narrow ahead "
                           "reductions probcut passing pruning extensions quiescence bounded "
                           "tablebase",
                           false,
                           false,
                           false,
                           false,
                           false,
                           run};

}  // namespace zermelo
