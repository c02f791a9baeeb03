#include "belief_search.hpp"

namespace zermelo {
namespace {

constexpr std::string_view kDoc =
    R"(search over belief states of one player.

A node is a belief state: the states that the mover cannot tell apart, with their probabilities. An
action leads, through the moves of chance and the others, to several belief states, distinguished by
what the mover then observes. So gathering information has a value, and no decision rests on
knowledge that the mover will not have.

When:  one player against chance, or a win that must hold whatever the other does.
Needs: one or two players, zero sum, observation(s, p); few enough states.
Cost:  (actions * observations)^depth, each node as large as its set.
From:  Åström 1965; AND-OR search over belief states: Russell and Wolfe 2005 (Kriegspiel).
)";

Result run(const Request& request) { return BeliefSearch(request).run(); }

}  // namespace

const Algorithm kBelief{
    .name = "belief",
    .doc = kDoc,
    .can = {.chance = true, .hidden = true},
    .limits = {.depth = true},
    .automatic = {.whom = Automatic::For::everybody,
                  .max_players = 1,
                  .reason = "search over belief states"},
    .sampled_states = 100,
    .options = {deals_option(),
                choice<&Options::hostile>(
                    "others",
                    {{"random", false, "the others move at random: values are averages"},
                     {"hostile", true, "the others do their worst: values are guaranteed"}},
                    "how chance and the other players are assumed to move"),
                deepen_option()},
    .run = run,
};

}  // namespace zermelo
