#include "all.hpp"
#include "coalition.hpp"

namespace zermelo {
namespace {

constexpr std::string_view kDoc =
    R"(one player against the strongest single reply of the others.

Only one opponent replies freely: the one whose reply is worst for the player to move. The other
opponents play the action that the evaluation rates highest for them (without an evaluation: their
first action), which costs no depth. Plies therefore alternate between the player and one opponent,
and with many players the search looks further ahead than paranoid.

When:  many players and a good evaluation.
Needs: perfect information. Supports chance (all children are searched); a chance node costs no
       depth.
Cost:  about (b (n-1) b)^(d/2) leaves before cutoffs; depth counts own moves and replies.
From:  Schadd and Winands 2011; opponents that move instead of passing: Esser and others 2013.
)";

template <class Tracer>
using BestReply = Coalition<Tracer, true>;

}  // namespace

const Algorithm kBestReply{
    .name = "best-reply",
    .aliases = {"brs", "best_reply"},
    .doc = kDoc,
    .can = {.chance = true, .general_sum = true, .many_players = true, .trace = true},
    .limits = {.depth = true},
    .traits = {.coalition = true, .revisits = true},
    .options = {deepen_option(), table_option(kTableDoc, 0)},
    .run = run_search<BestReply>,
};

}  // namespace zermelo
