"""``zermelo train``: train an evaluation or an equilibrium policy."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ...errors import UsageError
from .shared import app

Rounds = Annotated[
    int | None,
    typer.Option("--rounds", min=1, help="Rounds of self-play and fitting (default: 6; Go: 3)."),
]
Games = Annotated[
    int | None, typer.Option("--games", min=1, help="Games per round (backgammon: in total).")
]
Algorithm = Annotated[
    str | None,
    typer.Option(
        "--algorithm", "-a", help="Variant of regret minimization, e.g. cfr+. For Go: patterns."
    ),
]
Iterations = Annotated[
    int | None, typer.Option("--iterations", "-n", min=1, help="Iterations of regret minimization.")
]
Target = Annotated[
    float | None, typer.Option("--target", help="Stop regret minimization at this NashConv.")
]


@app.command()
def train(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME",
            help="backgammon, chess, go, holdem, othello, or a hidden-information game.",
        ),
    ],
    where: Annotated[
        str, typer.Option("--dir", "--folder", help="Run directory; resumes if it exists.")
    ],
    rounds: Rounds = None,
    games: Games = None,
    time: Annotated[
        float | None,
        typer.Option("--time", "-t", help="Seconds to train (backgammon, holdem, equilibria)."),
    ] = None,
    depth: Annotated[
        int, typer.Option("--depth", min=1, max=60, help="Search depth of Othello self-play.")
    ] = 4,
    nodes: Annotated[
        int, typer.Option("--nodes", min=1, help="Nodes per move of chess self-play.")
    ] = 1200,
    seed: Annotated[int, typer.Option("--seed", help="Random seed.")] = 1,
    algorithm: Algorithm = None,
    iterations: Iterations = None,
    target: Target = None,
    workers: Annotated[
        int, typer.Option("--workers", min=1, max=256, help="Processes that play games (Go).")
    ] = 1,
    install: Annotated[
        bool, typer.Option("--install", help="Install the weights for later use.")
    ] = False,
) -> None:
    """Train an evaluation by self-play, or an equilibrium policy.

    Prints the path of the weights or the policy. Saves regularly; safe to interrupt."""
    from ...learn import cfr, go, holdem

    if not where.strip():
        raise UsageError("--dir is empty", "give a folder name; . is the current folder")
    folder = Path(where)
    if game == "holdem":
        print(holdem.command(folder, algorithm, iterations, target, time, seed, install))
    elif algorithm == go.PATTERNS or game.partition(":")[0] == "go":
        if algorithm not in (None, go.PATTERNS):
            raise UsageError(
                f"unknown algorithm {algorithm!r} for Go", f"expected {go.PATTERNS}, or omit it"
            )
        path = go.train(
            go.Plan(
                folder,
                game,
                rounds or go.Plan.rounds,
                games or go.Plan.games,
                seed=seed,
                workers=workers,
            )
        )
        if install:
            go.install(path)
        print(path)
    elif algorithm is not None:
        if install:
            raise UsageError(
                "--install does not apply to policies", "load the file with zermelo.Policy.load"
            )
        print(cfr.train(cfr.Plan(game, folder, algorithm, iterations, target, time, seed)))
    elif iterations is not None or target is not None:
        raise UsageError("--iterations and --target need --algorithm", "e.g. --algorithm cfr+")
    else:
        print(
            _train_evaluation(game, folder, rounds or 6, games, time, depth, nodes, seed, install)
        )


def _train_evaluation(
    game: str,
    folder: Path,
    rounds: int,
    games: int | None,
    time: float | None,
    depth: int,
    nodes: int,
    seed: int,
    install: bool,
) -> Path:
    """Train by self-play and return the path of the weights."""
    from ...learn import backgammon, chess, othello

    if time is not None and (game != "backgammon" or time <= 0):
        raise UsageError(
            f"invalid --time {time:g}", "expected a positive number of seconds; only for backgammon"
        )
    each = 12_000 if games is None else games
    if game == "othello":
        path = othello.train(othello.Plan(folder, rounds, each, depth, seed=seed))
    elif game == "chess":
        path = chess.train(chess.Plan(folder, rounds, each, nodes, seed=seed))
    elif game == "backgammon":
        plan = backgammon.Plan(folder, time=time, seed=seed)
        plan.games = games or plan.games
        path = backgammon.train(plan)
    else:
        raise _not_trainable(game)
    if install:
        {"backgammon": backgammon, "chess": chess, "othello": othello}[game].install(path)
    return path


def _not_trainable(game: str) -> UsageError:
    """Build the error for a game without a training procedure."""
    from ...game import facts_of
    from ...games import load

    if facts_of(load(game)).hidden:
        return UsageError(f"training {game} needs an algorithm", "e.g. --algorithm cfr+")
    known = "backgammon, chess, go, holdem, othello"
    return UsageError(
        f"{game!r} cannot be trained",
        f"known: {known}; games with hidden information with --algorithm cfr+",
    )
