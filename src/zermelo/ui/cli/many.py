"""Commands of games with many interests: equilibria and dilemmas."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any

import typer

from ...errors import UsageError, ZermeloError, suggest
from .shared import Json, app, emit, located, read_text


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
        typer.Option("--algorithm", "-a", help="For a game: cfr+, cfr, dcfr, mccfr or sampling."),
    ] = "auto",
    iterations: Annotated[
        int | None, typer.Option("--iterations", "-n", help="Iterations.")
    ] = None,
    target: Annotated[float | None, typer.Option("--target", help="Stop at this NashConv.")] = None,
    time: Annotated[
        float | None, typer.Option("--time", "-t", help="Time limit in seconds.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", help="Random seed of mccfr and sampling.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Save the policy to this file.")] = None,
    as_json: Json = False,
) -> None:
    """Find equilibria of matrix and hidden-information games.

    A matrix game: all equilibria, exactly, and the dominated actions. A game (kuhn, leduc, a tree
    with information sets, FILE.py:CLASS): one equilibrium, by regret minimisation.

    MATRIX: rows are separated by ";", cells by blanks. A cell has the payoff of each player, or
    only the first player's in a zero-sum game. Also @FILE, - for stdin, or a name such as
    prisoners-dilemma.
    """
    from ...equilibrium.matrix import CLASSICS, best_replies, matrix
    from ...equilibrium.nash import better_for_all, dominated, equilibria, told
    from ...equilibrium.nash import equilibrium as find_one
    from ...games import names as games
    from .equilibrium import names_a_game, report

    text = read_text(text)
    if names_a_game(text):
        limits = {"iterations": iterations, "target": target, "time": time, "seed": seed}
        report(text, algorithm, limits, out, as_json)
        return
    if re.fullmatch(r"[A-Za-z][\w-]*", text.strip()) and text.strip() not in CLASSICS:
        known = suggest(text.strip(), [*games(), *CLASSICS])
        raise UsageError(f"there is no game and no matrix {text.strip()!r}", known)
    game = matrix(text)
    lost = dominated(game)
    if one:
        policy = find_one(game)
        found = []
    else:
        found = equilibria(game, pure=pure)
    if as_json:
        document: dict[str, Any] = {
            "game": game.name,
            "actions": [list(names) for names in game.action_names],
            "zero_sum": game.zero_sum,
            "dominated": [{"player": d.player, "action": d.action, "by": d.by, "strict": d.strict}
                          for d in lost],
        }  # fmt: skip
        if one:
            document["equilibrium"] = {
                "strategies": [list(odds.values()) for odds in policy.table.values()],
                "values": list(policy.values), "nash_conv": policy.nash_conv,
                "algorithm": policy.algorithm,
            }  # fmt: skip
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
        emit(document)
        return
    print(game.board(game.initial()), end="\n\n")
    for d in lost:
        how = "strictly" if d.strict else "weakly"
        print(f"player {d.player}: {d.action} is {how} dominated by {d.by}")
    if one:
        for (player, _), odds in policy.table.items():
            used = " + ".join(f"{p:.6g} {a}" for a, p in odds.items() if p > 0)
            print(f"player {player}: {used}")
        print(f"values {', '.join(f'{v:.6g}' for v in policy.values)}; "
              f"nash_conv {policy.nash_conv:.2g}; by {policy.algorithm}")  # fmt: skip
        return
    for e in found:
        print(told(game, e))
        better = better_for_all(game, e)
        if better is not None:
            names = ", ".join(str(n[i]) for n, i in zip(game.action_names, better, strict=True))
            none = "" if all(best_replies(game, better)) else ", which is not an equilibrium"
            print(f"  all players would get more from {names}{none}")
    if not found:
        print("no pure equilibrium")
        raise typer.Exit(1)


@app.command()
def dilemma(
    rounds: Annotated[int, typer.Option("--rounds", help="Rounds per match.")] = 200,
    noise: Annotated[
        float, typer.Option("--noise", help="Probability that a move is flipped by noise.")
    ] = 0.0,
    discount: Annotated[float, typer.Option("--discount", help="Discount factor per round.")] = 1.0,
    yours: Annotated[
        list[str] | None,
        typer.Option("--with", help="Add the strategy FILE.py:FUNCTION; repeatable."),
    ] = None,
    payoffs: Annotated[
        str | None, typer.Option("--payoffs", help="Payoff matrix, cooperation first.")
    ] = None,
    repeats: Annotated[
        int | None,
        typer.Option("--repeats", help="Matches per pair, if strategies or noise are random."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Random seed.")] = 0,
    as_json: Json = False,
) -> None:
    """Play a tournament of the iterated prisoner's dilemma."""
    from ...arena.dilemma import PAYOFFS
    from ...arena.dilemma import dilemma as play
    from ...games import function_of

    joined: dict[str, Any] = {}
    for spec in yours or []:
        path, _, name = spec.rpartition(":")
        if not path:
            raise UsageError(f"{spec!r} names no strategy", "as --with mine.py:my_strategy")
        joined[name.replace("_", " ")] = function_of(path, name)
    try:
        result = play(
            joined,
            rounds=rounds,
            noise=noise,
            discount=discount,
            payoffs=payoffs or PAYOFFS,
            repeats=repeats,
            seed=seed,
        )
    except ZermeloError:
        raise
    except Exception as e:  # in somebody's strategy
        hint = "a strategy is called with both histories, texts of C and D that are empty at first"
        raise UsageError(located(e), hint) from e
    if as_json:
        emit(result.to_json())
        return
    print(result)
    print(f"\nmean payoff a round over {rounds} rounds"
          + (f", noise {noise:g}" if noise else "")
          + (f", discount {discount:g}" if discount < 1 else "")
          + "; columns: against the strategy of that rank")  # fmt: skip
