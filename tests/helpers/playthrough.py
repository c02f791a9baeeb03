"""Golden playthroughs: one random game per spec, with everything the rules report on the way.

Positions are pinned as text a reader can review, not as bytes; the contract suite checks that the
text and the state determine each other.

python tests/helpers/playthrough.py    writes those that are missing
python tests/helpers/playthrough.py --all    rewrites all of them; read the diff before committing
"""

from __future__ import annotations

import random
import re
import sys
from pathlib import Path
from typing import Any

import contract
import zermelo
from zermelo import CHANCE
from zermelo.game import facts_of
from zermelo.games import names

GOLDEN = Path(__file__).parents[1] / "golden"


def file_of(spec: str) -> Path:
    name = re.sub(r"[^\w=-]+", "_", spec).strip("_")
    return GOLDEN / f"{name[:80]}.txt"


def make(spec: str) -> Any:
    named = spec.partition(":")[0] in names()
    return zermelo.load(spec) if named else zermelo.tree(spec)


def playthrough(spec: str) -> str:
    """Moves, positions, legal actions and utilities of one random game."""
    game = make(spec)
    facts = facts_of(game)
    rng = random.Random(f"golden {spec}")
    rows = [f"game: {spec}", f"facts: {facts}"]
    s = game.initial()
    for ply in range(60 if contract.state_size(game) <= 40 else 8):
        rows += ["", f"# {ply}", f"position: {game.format_state(s)}", game.board(s)]
        if game.is_terminal(s):
            rows.append(f"utilities: {[game.utility(s, p) for p in range(facts.players)]}")
            return "\n".join(rows) + "\n"
        rows.append(f"player: {game.player(s)}")
        actions = list(game.actions(s))
        if game.player(s) == CHANCE:
            rows.append(f"outcomes: {[(a, round(p, 12)) for a, p in game.outcomes(s)]}")
        rows.append("actions: " + " ".join(game.format_action(s, a) for a in actions[:100]))
        if hasattr(game, "evaluate"):
            rows.append(f"evaluate: {game.evaluate(s, 0)}")
        a = actions[rng.randrange(len(actions))]
        rows.append(f"play: {game.format_action(s, a)}")
        s = game.result(s, a)
    return "\n".join([*rows, "", "and so on"]) + "\n"


def main() -> None:
    GOLDEN.mkdir(exist_ok=True)
    for spec in contract.specs():
        path = file_of(spec)
        if "--all" in sys.argv or not path.exists():
            path.write_text(playthrough(spec), encoding="utf-8")
            print("wrote", path.name)


if __name__ == "__main__":
    main()
