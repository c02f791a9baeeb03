"""Positions and results as JSON for the page."""

from __future__ import annotations

from typing import Any

from ...game import CHANCE, TERMINAL, Game, defines, facts_of
from ...result import Move, Result
from ...search.algorithms import traits_of
from ...view.board_svg import board_svg, grid_places, text_svg
from ...view.json import finite
from ...view.names import player_names
from ...view.number import bounded, number, worth
from ...view.score import expected_score
from ...view.score_estimate import LEAST_OWNED, estimate, player_colours, points

MAX_MOVES = 1000  # legal moves that are sent to a page
LONGEST_LINE = 16  # moves of a line


def who(game: Game, s: Any) -> int:
    return TERMINAL if game.is_terminal(s) else game.player(s)


def legal(game: Game, s: Any) -> list[Any]:
    """The actions of whoever moves; none of chance or at the end."""
    return [] if who(game, s) < 0 else list(game.actions(s))


def position_view(
    game: Game, s: Any, viewer: int | None = None, sits: int | None = None
) -> dict[str, Any]:
    """A position; of a game that hides something only what the player `viewer` sees.

    `sits`: the player from whose side the board is drawn.
    """
    mover = who(game, s)
    players = facts_of(game).players
    view: dict[str, Any] = {
        "player": mover,
        "over": mover == TERMINAL,
        "utilities": [finite(game.utility(s, p)) for p in range(players)]
        if mover == TERMINAL
        else [],
        "end": end_of(game, s) if mover == TERMINAL else "",
        "estimates": defines(game, "score_estimate"),
        "colours": player_colours(player_names(game)),
    }
    shown = mover == TERMINAL and game.reveals_at_end(s)
    if facts_of(game).hidden and viewer is not None and not shown:
        return view | _hidden_view(game, s, viewer)
    svg = game.svg(s) if sits is None else game.svg_for(s, sits)
    actions = legal(game, s)[:MAX_MOVES]
    if svg is None:
        svg, places = board_svg(game, s), grid_places(game, s, actions)
    else:
        places = [tuple(game.action_squares(s, a)) for a in actions]
    names = [game.format_action(s, a) for a in actions]
    return view | {
        "position": game.format_state(s),
        "board": game.board(s),
        "svg": svg,
        "moves": [{"text": t, "places": p} for t, p in zip(names, places, strict=True)],
    }


def _hidden_view(game: Game, s: Any, viewer: int) -> dict[str, Any]:
    """What one player may see."""
    see = game.observation_text if defines(game, "observation_text") else game.observation
    seen = see(s, viewer)
    text = (
        seen
        if isinstance(seen, str)
        else "This game has hidden information, but no observation_text(s, p).\n"
        "The board cannot be shown without revealing secrets."
    )
    drawn = defines(game, "observation_svg")
    svg = game.observation_svg(s, viewer) if drawn else text_svg(game.name, text)
    actions = legal(game, s)[:MAX_MOVES] if who(game, s) == viewer else []
    places = [tuple(game.action_squares(s, a)) if drawn else () for a in actions]
    names = [game.format_action(s, a) for a in actions]
    moves = [{"text": t, "places": p} for t, p in zip(names, places, strict=True)]
    announced = game.announcements(s, viewer) if defines(game, "announcements") else []
    shown = {"board": text, "svg": svg, "announced": "; ".join(announced)}
    return {"position": "", "moves": moves} | shown


def end_of(game: Game, s: Any) -> str:
    """Why the game is over, if the game says so."""
    return str(game.end_reason(s)) if defines(game, "end_reason") else ""


def _line_texts(game: Game, s: Any, line: list[Any]) -> list[str]:
    out = []
    for a in line[:LONGEST_LINE]:
        out.append(game.format_action(s, a))
        s = game.result(s, a)
    return out


def _move_view(r: Result, m: Move, index: dict[Any, int]) -> dict[str, Any]:
    values = m.values if len(m.values) > 2 else ()
    return {
        "move": index.get(m.action, -1),
        "text": r.game.format_action(r.state, m.action),
        "value": " ".join(map(number, values))
        or worth(m.value, m.kind, m.distance, r.game.win_word),
        "worth": finite(m.value),
        "kind": m.kind,
        "score": expected_score(r.game, m.value, m.kind),
        "visits": m.visits,
        "line": _line_texts(r.game, r.state, m.pv),
    }


def result_view(r: Result) -> dict[str, Any]:
    """One finished depth or the final answer."""
    values = r.values if len(r.values) > 2 else ()
    speed = r.nodes / r.elapsed if r.elapsed > 0 else 0.0
    index = {a: i for i, a in enumerate(legal(r.game, r.state))} if hashable(r) else {}
    known = [m for m in r.ranked if m.resolved] or r.ranked[:1]
    return {
        "algorithm": r.algorithm,
        "simulates": traits_of(r.algorithm).simulates,
        "depth": r.depth,
        "value": " ".join(map(number, values))
        or worth(r.value, r.kind, r.distance, r.game.win_word),
        "sure": r.kind,
        "winner": winner(r),
        "score": expected_score(r.game, r.value, r.kind),
        "nodes": r.nodes,
        "elapsed": r.elapsed,
        "nps": round(speed),
        "line": _line_texts(r.game, r.state, r.pv),
        "moves": [_move_view(r, m, index) for m in known[:MAX_MOVES]],
        "best": -1 if r.action is None or not index else index.get(r.action, -1),
        "stopped": r.stopped,
    }


def winner(r: Result) -> int | None:
    """The player with a proved win, -1 for a proved draw; None in games with scores."""
    if r.kind != "exact" or not facts_of(r.game).win_loss or r.value not in (-1, 0, 1):
        return None
    return {1: 0, 0: -1, -1: 1}[int(r.value)]


def hashable(r: Result) -> bool:
    try:
        hash(r.action)
    except TypeError:
        return False
    return True


def outcome(game: Game, s: Any, sides: list[str]) -> str:
    """How a finished game ended, in words."""
    if defines(game, "final_margin"):
        margin = game.final_margin(s)
        return f"{sides[margin < 0]} wins by {points(abs(margin))}." if margin else "A draw."
    values = [game.utility(s, p) for p in range(facts_of(game).players)]
    if len(values) == 1:
        return f"The game is over: {bounded(values[0])}."
    best = max(values)
    winners = [sides[p] for p, v in enumerate(values) if v == best]
    if len(winners) == len(values):
        return "A draw."
    scores = "" if facts_of(game).win_loss else " (" + " : ".join(map(number, values)) + ")"
    return f"{' and '.join(winners)} won{scores}."


def final_score(game: Game, s: Any) -> float | None:
    """The score of the first of two players in a finished game: 1, 1/2 or 0."""
    if facts_of(game).players != 2:
        return None
    if defines(game, "final_margin"):
        margin = game.final_margin(s)
    else:
        margin = game.utility(s, 0) - game.utility(s, 1)
    return 0.5 + 0.5 * ((margin > 0) - (margin < 0))


def estimate_view(game: Game, s: Any) -> dict[str, Any]:
    """The expected owners of the squares, and the expected margin in words."""
    text, owners = estimate(game, s)
    marked = {name: round(x, 2) for name, x in owners.items() if abs(x) >= LEAST_OWNED}
    return {"owners": marked, "text": text}


__all__ = [
    "CHANCE", "estimate_view", "final_score", "legal", "outcome", "position_view", "result_view",
    "who",
]  # fmt: skip
