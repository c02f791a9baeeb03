"""The textbook table of games: chance, information, solved games and state-space sizes."""

from __future__ import annotations

from ..games import info

ROWS = (
    "chess", "checkers", "go", "othello", "backgammon", "monopoly", "battleships",
    "blind-tic-tac-toe", "bridge", "holdem", "scrabble",
)  # fmt: skip
SOLVED = ("tic-tac-toe", "checkers", "chess", "go")
EXPECTED = (
    "deterministic, perfect: chess checkers go othello; chance, perfect: backgammon monopoly; "
    "deterministic, imperfect: battleships blind-tic-tac-toe; chance, imperfect: bridge holdem "
    "scrabble; solved: tic-tac-toe (5,478 positions), checkers (about 10^20 positions); not "
    "solved: chess (about 10^40 positions), go (about 10^170 positions)"
)


def classification() -> str:
    """What `zermelo games` prints, in the groups of the textbook."""
    groups: dict[str, list[str]] = {}
    for name in ROWS:
        moves, information, _ = info(name).classification.words
        groups.setdefault(f"{moves}, {information}", []).append(name)
    known = {name: info(name) for name in SOLVED}
    sizes = {name: g.state_space.partition(" (")[0] for name, g in known.items()}
    for title, wanted in (("solved", True), ("not solved", False)):
        named = [f"{n} ({sizes[n]})" for n, g in known.items() if bool(g.solved) == wanted]
        groups[title] = [", ".join(named)]
    return "; ".join(f"{title}: {' '.join(named)}" for title, named in groups.items())
