#include "belief_search.hpp"

namespace zermelo {
namespace {

constexpr std::string_view kDoc =
    R"(search over belief states of one player.

A node is a belief state: the states that the player to move cannot distinguish, with their
probabilities. An action and the moves of chance and of the opponents lead to several belief
states, one per observation. Gathering information therefore has a value, and no decision uses
information that the player will not have.

When:  one player against chance, or a win that must hold whatever the opponent does.
Needs: one or two players, zero-sum, observation(s, p), belief states that fit in memory.
Cost:  (actions * observations)^depth; a node stores all states of its belief.
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
                  .reason = "searches over belief states"},
    .sampled_states = 100,
    .options = {deals_option(),
                choice<&Options::hostile>(
                    "others",
                    {{"random", false, "the others move randomly: values are averages"},
                     {"hostile", true, "the others play their worst reply: values are guaranteed"}},
                    "how chance and the other players are assumed to move"),
                deepen_option()},
    .run = run,
};

}  // namespace zermelo
