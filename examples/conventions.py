"""Compare the two pruning conventions: same value and move, different leaves."""

import zermelo

tree = zermelo.tree(
    "max(min(max(min(5 6) min(7 4 5)) max(min(3))) min(max(min(6) min(6 9)) max(min(7))) "
    "min(max(min(5)) max(min(9 8) min(6))))"
)
for cut in ("equal", "strict"):
    r = zermelo.search(tree, algorithm="alphabeta", cut=cut, trace=True)
    seen = " ".join(f"{leaf.value:g}" for leaf in r.trace.leaves)
    print(f"cut={cut:<7} value {r.value:g}, move {r.action}, {r.leaves} leaves: {seen}")
