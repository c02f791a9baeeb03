"""The table of algorithms as text, for ``zermelo algorithms``."""

from __future__ import annotations

from collections.abc import Iterable

from ..equilibrium.variants import VARIANTS, Variant
from ..search.algorithms import FEATURES, Algorithm
from ..search.options import shown
from .columns import columns


def table_text(rows: Iterable[Algorithm]) -> str:
    """One row per algorithm: what it does, and which games it supports."""
    listed = list(rows)
    cells = [("ALGORITHM", "WHAT", "SUPPORTS")]
    cells += [(a.name, a.summary, _games_text(a)) for a in listed]
    return "\n".join(
        [
            *columns(cells),
            "",
            *_automatic_text(listed),
            "",
            "Equilibria of games with hidden information (zermelo equilibrium):",
            *columns([(f"  {v.name}", v.summary) for v in VARIANTS.values()]),
            "",
            "zermelo algorithms NAME explains one algorithm and lists its options.",
        ]
    )


def _games_text(a: Algorithm) -> str:
    """The games that an algorithm supports."""
    few = "one or two players, zero sum"
    fits = ["any number of players, general sum" if a.can.many_players else few]
    fits += [w for w, on in (("chance", a.can.chance), ("hidden", a.can.hidden)) if on]
    return ", ".join(fits)


def _automatic_text(rows: Iterable[Algorithm]) -> list[str]:
    """Which algorithms "auto" takes, in this order."""
    cells = []
    for a in rows:
        auto = a.automatic
        if auto.lectures or auto.play:
            when = "" if auto.lectures and auto.play else "to play" if auto.play else "for lectures"
            cells.append((f"  {a.name}", when, auto.reason))
    return ["auto takes the first of these that supports the game:", *columns(cells)]


def variant_text(v: Variant) -> str:
    """What a variant of regret minimization does, what it supports and its options."""
    cells = [("OPTION", "DEFAULT", "VALUES", "WHAT"), *v.options]
    return "\n".join(
        [
            f"{v.name}: {v.summary}",
            "",
            "Games: hidden information; converges in two-player zero-sum games",
            f"Imperfect recall (recall = False): {'yes' if v.imperfect_recall else 'no'}",
            f"Measures NashConv: {'yes' if v.stores_tree else 'no, because it stores no tree'}",
            f'Use: zermelo equilibrium GAME -a {v.name}, zermelo.equilibrium(game, "{v.name}")',
            "",
            *columns(cells),
        ]
    )


def algorithm_text(a: Algorithm) -> str:
    """What an algorithm does, what it supports and its options."""
    lines = [f"{a.name}: {a.doc}".rstrip("\n"), ""]
    if a.aliases:
        lines.append(f"Also called: {', '.join(a.aliases)}")
    lines.append(f"Games: {_games_text(a)}")
    lines.append("Supports: " + ", ".join(name for name, has in FEATURES.items() if has(a)))
    if not a.options:
        return "\n".join([*lines, "Options: none"])
    cells = [("OPTION", "DEFAULT", "VALUES", "WHAT")]
    for o in a.options.values():
        former = f" (formerly {', '.join(o.aliases)})" if o.aliases else ""
        policy = "; in Python also a policy" if o.policy else ""
        cells.append((o.name, shown(o.default), o.range, o.doc + policy + former))
    return "\n".join([*lines, "", *columns(cells)])
