#include "all.hpp"
#include "coalition.hpp"

namespace zermelo {
namespace {

constexpr std::string_view kDoc = R"(paranoid: one player against a coalition of all the others.

The player to move takes the most for itself, and all the others are taken to want only to leave it
the least. That makes two sides of many players, and alpha-beta's cuts are sound. To the end of the
game the value is what the player to move can be sure of, whatever the others do.

When:  many players and deeper looks than max^n allows; where the others do gang up.
Needs: nothing hidden. Chance is welcome (its children are searched in full); costs no depth.
Cost:  with n players at best b^(d(n-1)/n) leaves of the tree; memory d and the table.
From:  Sturtevant and Korf 2000.

table=MB        remember positions, and try the move remembered first
)";

template <class Tracer>
using Paranoid = Coalition<Tracer, false>;

}  // namespace

const Algorithm kParanoid = {"paranoid", kDoc, "deepen table",      true, true, false,
                             true,       true, run_search<Paranoid>};

}  // namespace zermelo
