"""``zermelo dilemma``: tournaments of the iterated prisoner's dilemma."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ...errors import UsageError, ZermeloError
from .shared import Json, app, emit, located


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
            raise UsageError(
                f"invalid --with {spec!r}", "expected FILE.py:FUNCTION, e.g. mine.py:my_strategy"
            )
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
    except Exception as e:  # raised by a user's strategy
        hint = "a strategy takes both histories: strings of C and D, empty in the first round"
        raise UsageError(located(e), hint) from e
    if as_json:
        emit(result.to_json())
        return
    print(result)
    print(f"\nmean payoff per round over {rounds} rounds"
          + (f", noise {noise:g}" if noise else "")
          + (f", discount {discount:g}" if discount < 1 else "")
          + "; columns: against the strategy of that rank")  # fmt: skip
