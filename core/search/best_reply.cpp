#include "all.hpp"
#include "coalition.hpp"

namespace zermelo {
namespace {

constexpr std::string_view kDoc =
    R"(best-reply: one player against the strongest single reply of the others.

Of all the others only one answers freely, whoever can leave the player to move the least; the rest
do what the evaluation likes best for themselves (without an evaluation: their first action), which
costs no depth. So plies alternate between us and them, and with many players a search looks
further ahead than paranoid's.

When:  many players, a good evaluation, more of our own moves in sight.
Needs: nothing hidden. Chance is welcome (its children are searched in full); costs no depth.
Cost:  about (b (n-1) b)^(d/2) leaves before cuts; depth counts our moves and their replies.
From:  Schadd and Winands 2011; the others move on instead of passing: Esser and others 2013.

table=MB        remember positions, and try the move remembered first
)";

template <class Tracer>
using BestReply = Coalition<Tracer, true>;

}  // namespace

const Algorithm kBestReply = {"best-reply", kDoc, "deepen table",       true, true, false,
                              true,         true, run_search<BestReply>};

}  // namespace zermelo
