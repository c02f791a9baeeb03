#include "all.hpp"
#include "coalition.hpp"

namespace zermelo {
namespace {

constexpr std::string_view kDoc =
    R"(one player against a coalition of all the others.

The player to move maximizes its own value. All other players are assumed to minimize it, so there
are only two sides and alpha-beta cutoffs are sound. If the search reaches the end of the game, the
value is what the player can guarantee, whatever the others do.

When:  many players, to search deeper than max^n; opponents that cooperate.
Needs: perfect information. Supports chance (all children are searched); a chance node costs no
       depth.
Cost:  with n players at best b^(d(n-1)/n) leaves of the tree; memory d and the table.
From:  Sturtevant and Korf 2000.
)";

template <class Tracer>
using Paranoid = Coalition<Tracer, false>;

}  // namespace

const Algorithm kParanoid{
    .name = "paranoid",
    .doc = kDoc,
    .can = {.chance = true, .general_sum = true, .many_players = true, .trace = true},
    .limits = {.depth = true},
    .traits = {.coalition = true, .maximin = true},
    .options = {deepen_option(), table_option(kTableDoc, 0)},
    .run = run_search<Paranoid>,
};

}  // namespace zermelo
