"""Play timed matches of ``zermelo uci`` against other chess programs.

    python benchmarks/chess_ladder.py --games 200 --record ladder.jsonl gnuchess glaurung

Each opening (8 random plies that leave the game even) is played from both sides. Two games run at a
time. A program that exceeds its time by more than --margin loses, and so does one that dies or
plays an illegal move (counted separately). A match ends early when its error bar is --bar Elo or
less, or when the 95 % interval is more than --clear Elo above or below 0. With --record, matches
resume after an interruption. --table prints what is recorded, and the rating on the scale of
Stockfish's UCI_Elo (which was calibrated with longer times).
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

from chess_clients import Gone, Program, Uci, Xboard

import zermelo

GAME = zermelo.load("chess")
PROGRAMS: dict[str, tuple[str, str]] = {
    "fairymax": ("xboard", "/usr/games/fairymax"),
    "phalanx": ("xboard", "/usr/games/phalanx"),
    "gnuchess": ("uci", "/usr/games/gnuchess --uci"),
    "glaurung": ("uci", "/usr/games/glaurung"),
    "toga2": ("uci", "/usr/games/toga2"),
    "ethereal": ("uci", "/usr/games/ethereal-chess"),
}  # and stockfish-2000, stockfish-2200, …: Stockfish at that UCI_Elo
STOCKFISH = "stockfish-"
LEAST_GAMES = 30  # games before a match may end early
MAX_PLIES = 400  # a game that lasts longer counts as drawn


def program(name: str, base: float, more: float) -> Program:
    if name == "zermelo":
        return Uci(f"{sys.executable} -m zermelo uci", {})
    if name.startswith(STOCKFISH):
        elo = name.removeprefix(STOCKFISH)
        return Uci("/usr/games/stockfish", {"UCI_LimitStrength": "true", "UCI_Elo": elo})
    kind, command = PROGRAMS[name]
    if kind == "uci":
        return Uci(command, {})
    minutes, seconds = divmod(round(base), 60)
    return Xboard(command, {"base": f"{minutes}:{seconds:02}", "more": f"{more:g}"})


def opening(number: int) -> list[str]:
    """8 random plies after which the game is roughly even."""
    rng = random.Random(number)
    while True:
        s, moves = GAME.initial(), []
        while len(moves) < 8 and not GAME.is_terminal(s):
            moves.append(rng.choice(GAME.actions(s)))
            s = GAME.result(s, moves[-1])
        if not GAME.is_terminal(s):
            r = zermelo.search(GAME, s, algorithm="engine", nodes=15000)
            if abs(r.value) < 0.6 and not r.exact:
                return moves


def play(
    begin: list[str], sides: tuple[Program, Program], base: float, more: float, margin: float
) -> tuple[int, str]:
    """White's result (1, 0, -1) and how the game ended."""
    s = GAME.parse_state(" ".join(begin))
    moves: list[str] = []
    clocks = [base, base]
    for side, p in enumerate(sides):
        try:
            p.new_game(begin)
        except Gone:
            p.close()
            return (-1, 1)[side], "gone"
    while not GAME.is_terminal(s):
        if len(moves) >= MAX_PLIES:
            return 0, "length"
        mover = GAME.player(s)
        lost = (-1, 1)[mover]
        began = time.monotonic()
        try:
            move = sides[mover].move(moves, (clocks[0], clocks[1]), more, mover)
        except Gone:
            sides[mover].close()
            return lost, "gone"
        clocks[mover] -= time.monotonic() - began
        if clocks[mover] < -margin:
            return lost, "time"
        clocks[mover] = max(clocks[mover], 0) + more
        if move not in GAME.actions(s):
            return lost, "resigned" if not move else f"illegal {move}"
        moves.append(move)
        s = GAME.result(s, move)
    return int(GAME.utility(s, 0)), GAME.end(s)


def counted(name: str, rows: list[dict[str, Any]]) -> zermelo.Match:
    rows = sorted(rows, key=lambda r: (r["opening"], r["side"]))
    return zermelo.Match("chess", ("zermelo", name), 0, [float(r["result"]) for r in rows])


def enough(name: str, rows: list[dict[str, Any]], bar: float, clear: float) -> bool:
    """Whether a match is decided or its error bar is small."""
    if len(rows) < LEAST_GAMES:
        return False
    _, low, high = counted(name, rows).elo
    return high - low <= 2 * bar or low > clear or high < -clear


def rating(rows: list[dict[str, Any]]) -> tuple[float, float] | None:
    """The rating that explains the games with Stockfish best, and its 95 % error bar."""
    games = [
        (float(name.removeprefix(STOCKFISH)), (1 + r["result"]) / 2)
        for r in rows
        if (name := r["opponent"]).startswith(STOCKFISH)
    ]
    if not games or len({score for _, score in games}) < 2:
        return None
    low, high = 0.0, 5000.0
    for _ in range(60):
        middle = (low + high) / 2
        expected = [1 / (1 + 10 ** ((theirs - middle) / 400)) for theirs, _ in games]
        over = sum(score - e for e, (_, score) in zip(expected, games, strict=True))
        low, high = (middle, high) if over > 0 else (low, middle)
    errors = sum((score - e) ** 2 for e, (_, score) in zip(expected, games, strict=True))
    slope = sum(e * (1 - e) for e in expected) * math.log(10) / 400
    return middle, 1.96 * math.sqrt(errors) / slope


def report(name: str, rows: list[dict[str, Any]]) -> str:
    """Won, drawn, lost, and the difference in Elo with its 95 % interval."""
    m = counted(name, rows)
    elo, low, high = m.elo
    ends = Counter(
        r["end"].split()[0] + (" (zermelo)" if r["result"] < 0 else " (opponent)")
        for r in rows
        if r["end"].split()[0] in ("time", "gone", "illegal")
    )
    odd = ", ".join(f"{n} × {what}" for what, n in sorted(ends.items()))
    return (
        f"| {name} | {m.wins} | {m.draws} | {m.losses} | {100 * m.score:.1f} % | "
        f"{elo:+.0f} ({low:+.0f} to {high:+.0f}) | {odd} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("opponents", nargs="*", help=", ".join(PROGRAMS) + ", stockfish-2000 …")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--base", type=float, default=1.0, help="seconds for the game")
    parser.add_argument("--more", type=float, default=0.05, help="increment per move in seconds")
    parser.add_argument(
        "--margin", type=float, default=0.1, help="seconds that a program may exceed its time"
    )
    parser.add_argument(
        "--bar", type=float, default=40.0, help="error bar in Elo that ends a match"
    )
    parser.add_argument(
        "--clear", type=float, default=250.0, help="Elo difference that ends a match"
    )
    parser.add_argument("--at-once", type=int, default=2)
    parser.add_argument("--record", default="ladder.jsonl")
    parser.add_argument(
        "--table", action="store_true", help="print the recorded matches without playing"
    )
    arguments = parser.parse_args()
    record = Path(arguments.record)
    lines = record.read_text().splitlines() if record.exists() else []
    rows = [json.loads(line) for line in lines if line.endswith("}")]
    names = arguments.opponents or list(dict.fromkeys(r["opponent"] for r in rows))
    lock = threading.Lock()
    for name in names if not arguments.table else []:
        done = {(r["opening"], r["side"]) for r in rows if r["opponent"] == name}
        due = [(o, side) for o in range(arguments.games // 2) for side in (0, 1)]
        due = [d for d in due if d not in done][::-1]

        def work(name: str = name, due: list[tuple[int, int]] = due) -> None:
            ours, theirs = (program(n, arguments.base, arguments.more) for n in ("zermelo", name))
            while True:
                with lock:
                    played = [r for r in rows if r["opponent"] == name]
                    if not due or enough(name, played, arguments.bar, arguments.clear):
                        break
                    number, side = due.pop()
                sides = (ours, theirs) if side == 0 else (theirs, ours)
                result, end = play(
                    opening(number), sides, arguments.base, arguments.more, arguments.margin
                )
                row = {
                    "opponent": name,
                    "opening": number,
                    "side": side,
                    "result": result if side == 0 else -result,
                    "end": end,
                }
                with lock:
                    rows.append(row)
                    with record.open("a") as f:
                        f.write(json.dumps(row) + "\n")
                    played = [r for r in rows if r["opponent"] == name]
                    if len(played) % 10 == 0:
                        print(len(played), report(name, played), file=sys.stderr, flush=True)
            for p in (ours, theirs):
                p.close()

        threads = [threading.Thread(target=work) for _ in range(arguments.at_once)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
    print(
        "| opponent | won | drawn | lost | score | zermelo's Elo above it (95 %) | unusual ends |"
    )
    print("|---|---|---|---|---|---|---|")
    for name in names:
        played = [r for r in rows if r["opponent"] == name]
        if played:
            print(report(name, played))
    if found := rating(rows):
        print(f"\nRating on the scale of Stockfish's UCI_Elo: {found[0]:.0f} ± {found[1]:.0f}")


if __name__ == "__main__":
    main()
