"""``zermelo equilibrium``: equilibria of matrix games and of games with hidden information."""

from __future__ import annotations

import math
import re
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...errors import UsageError, suggest
from ...game import action_label
from .shared import Json, Time, app, columns, emit, err, load_at, read_text

if TYPE_CHECKING:
    from ...equilibrium.policy import Policy

PROGRESS_EVERY = 1.0  # seconds
MAX_ROWS = 60


@app.command()
def equilibrium(
    text: Annotated[
        str,
        typer.Argument(
            metavar="MATRIX|GAME",
            help='Payoffs, e.g. "3,3 0,5; 5,0 1,1"; or a game, e.g. kuhn; or a tree.',
        ),
    ],
    pure: Annotated[bool, typer.Option("--pure", help="Only pure equilibria.")] = False,
    one: Annotated[
        bool, typer.Option("--one", help="Find one equilibrium instead of all.")
    ] = False,
    algorithm: Annotated[
        str,
        typer.Option(
            "--algorithm",
            "-a",
            help="Variant of regret minimization, e.g. cfr+. See zermelo algorithms.",
        ),
    ] = "auto",
    iterations: Annotated[
        int | None, typer.Option("--iterations", "-n", help="Number of iterations.")
    ] = None,
    target: Annotated[float | None, typer.Option("--target", help="Stop at this NashConv.")] = None,
    time: Time = None,
    seed: Annotated[
        int | None, typer.Option("--seed", help="Random seed of the sampling variants.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Save the policy to this file.")] = None,
    as_json: Json = False,
) -> None:
    """Find equilibria of matrix and hidden-information games.

    A matrix game: all equilibria, exactly, and the dominated actions. A game (kuhn, leduc, a tree
    with information sets, FILE.py:CLASS): one equilibrium, by regret minimization.

    MATRIX: rows are separated by ";", cells by spaces. A cell has the payoff of each player, or
    only the first player's in a zero-sum game. Also @FILE, - for stdin, or a name such as
    prisoners-dilemma.
    """
    text = read_text(text)
    if _names_a_game(text):
        limits = {"iterations": iterations, "target": target, "time": time, "seed": seed}
        _report_policy(text, algorithm, limits, out, as_json)
    else:
        _report_matrix(text, pure, one, as_json)


def _report_matrix(text: str, pure: bool, one: bool, as_json: bool) -> None:
    """Print the equilibria of a matrix game; exit with 1 if there is no pure one."""
    from ...equilibrium.matrix import CLASSICS, matrix
    from ...equilibrium.nash import dominated, equilibria
    from ...equilibrium.nash import equilibrium as find_one
    from ...games import names
    from ...naming import label
    from ...view.names import player_name

    name = text.strip()
    if re.fullmatch(r"[A-Za-z][\w-]*", name) and name not in CLASSICS:
        known = suggest(name, [*names(), *CLASSICS])
        raise UsageError(f"unknown game or matrix {name!r}", known)
    game = matrix(text)
    lost = dominated(game)
    policy = find_one(game) if one else None
    found = [] if one else equilibria(game, pure=pure)
    if as_json:
        emit(_matrix_json(game, lost, policy, found))
        return
    print(game.board(game.initial()), end="\n\n")
    for d in lost:
        how = "strictly" if d.strict else "weakly"
        print(
            f"{label(player_name(game, d.player))}: action {d.action} is {how} dominated by {d.by}"
        )
    if policy is not None:
        _print_strategies(game, policy)
        return
    for e in found:
        _print_equilibrium(game, e)
    if not found:
        print("no pure equilibrium")
        raise typer.Exit(1)


def _print_strategies(game: Any, policy: Policy) -> None:
    from ...view.names import player_name

    for (player, _), odds in policy.table.items():
        used = " + ".join(f"{p:.6g} {a}" for a, p in odds.items() if p > 0)
        print(f"{player_name(game, player)}: {used}")
    print(f"values {', '.join(f'{v:.6g}' for v in policy.values)}; "
          f"NashConv {policy.nash_conv:.2g}; by {policy.algorithm}")  # fmt: skip


def _print_equilibrium(game: Any, e: Any) -> None:
    from ...equilibrium.matrix import best_replies
    from ...equilibrium.nash import better_for_all, equilibrium_text

    print(equilibrium_text(game, e))
    better = better_for_all(game, e)
    if better is not None:
        actions = ", ".join(str(n[i]) for n, i in zip(game.action_names, better, strict=True))
        none = "" if all(best_replies(game, better)) else ", which is not an equilibrium"
        print(f"  all players would get more from {actions}{none}")


def _matrix_json(game: Any, lost: Any, policy: Policy | None, found: Any) -> dict[str, Any]:
    document: dict[str, Any] = {
        "game": game.name,
        "actions": [list(names) for names in game.action_names],
        "zero_sum": game.zero_sum,
        "dominated": [{"player": d.player, "action": d.action, "by": d.by, "strict": d.strict}
                      for d in lost],
    }  # fmt: skip
    if policy is not None:
        document["equilibrium"] = {
            "strategies": [list(odds.values()) for odds in policy.table.values()],
            "values": list(policy.values),
            "nash_conv": policy.nash_conv,
            "algorithm": policy.algorithm,
        }
    else:
        document["equilibria"] = [
            {
                "strategies": [[float(x) for x in s] for s in e.strategies],
                "values": [float(v) for v in e.values],
                "exact": {"strategies": [[str(x) for x in s] for s in e.strategies],
                          "values": [str(v) for v in e.values]},
                "pure": e.pure,
            }
            for e in found
        ]  # fmt: skip
    return document


def _names_a_game(text: str) -> bool:
    """Return whether the text names a game that :func:`zermelo.load` accepts."""
    from ...games import names

    named = text.strip().partition(":")[0] in names() or text.strip().endswith(".efg")
    return named or ".py:" in text or "(" in text


def _report_policy(
    text: str, algorithm: str, limits: dict[str, Any], out: Path | None, as_json: bool
) -> None:
    """Find an equilibrium of a game, print it, and save it if `out` is given."""
    from ...equilibrium.nash import equilibrium
    from ...view.names import player_name

    shown = monotonic()

    def progress(iterations: int, seconds: float, conv: float) -> None:
        nonlocal shown
        if monotonic() - shown > PROGRESS_EVERY:
            shown = monotonic()
            known = "" if math.isnan(conv) else f", NashConv {conv:.3g}"
            err.print(f"{iterations:,} iterations, {seconds:.1f} s{known}", style="dim")

    game, _ = load_at(text, None)
    policy = equilibrium(game, algorithm, on_progress=progress, **limits)
    if out is not None:
        policy.save(out)
    if as_json:
        emit(_policy_json(policy))
        return
    rows = [(player_name(game, p), str(seen) or "-", _probabilities_text(game, odds))
            for (p, seen), odds in policy.table.items()]  # fmt: skip
    columns(rows[:MAX_ROWS])
    if len(rows) > MAX_ROWS:
        print(f"… {len(rows):,} in total; use --json or --out FILE for all of them")
    if math.isnan(policy.nash_conv):
        print(f"{len(rows):,} information sets visited in {policy.iterations:,} iterations of "
              f"{policy.algorithm}; NashConv was not measured")  # fmt: skip
        return
    values = ", ".join(f"{v:.6g}" for v in policy.values)
    print(f"values {values}; NashConv {policy.nash_conv:.3g}, "
          f"exploitability {policy.exploitability:.3g}; {policy.iterations:,} iterations of "
          f"{policy.algorithm}")  # fmt: skip


def _probabilities_text(game: Any, odds: Any) -> str:
    return "  ".join(f"{action_label(game, a)} {p:.3f}" for a, p in odds.items())


def _policy_json(policy: Policy) -> dict[str, Any]:
    from ...equilibrium.policy import number

    return {
        "game": policy.game.name,
        "algorithm": policy.algorithm,
        "iterations": policy.iterations,
        "values": [number(v) for v in policy.values],
        "nash_conv": number(policy.nash_conv),
        "exploitability": number(policy.exploitability),
        "policy": [
            {"player": p, "sees": seen,
             "odds": {action_label(policy.game, a): x for a, x in odds.items()}}
            for (p, seen), odds in policy.table.items()
        ],
        "curve": [{"iterations": n, "seconds": s, "nash_conv": c} for n, s, c in policy.curve],
    }  # fmt: skip
