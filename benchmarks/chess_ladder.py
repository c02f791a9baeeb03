"""A ladder of matches: ``zermelo uci`` against other chess programs, with clocks.

    python benchmarks/chess_ladder.py --games 200 --record ladder.jsonl gnuchess glaurung

Each opening (8 plies by chance that leave the game even) is played from both sides; games run two
at a time. A program that oversteps its time by more than --margin loses, and so does one that dies
or plays an illegal move (counted apart). With --record the matches go on where they were stopped;
--table prints what is recorded.
"""

from __future__ import annotations

import argparse
import json
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
MOST_PLIES = 400  # a game that lasts longer counts as drawn


def program(name: str, base: float, more: float) -> Program:
    if name == "zermelo":
        return Uci(f"{sys.executable} -m zermelo uci", {})
    if name.startswith("stockfish-"):
        elo = name.removeprefix("stockfish-")
        return Uci("/usr/games/stockfish", {"UCI_LimitStrength": "true", "UCI_Elo": elo})
    kind, command = PROGRAMS[name]
    if kind == "uci":
        return Uci(command, {})
    minutes, seconds = divmod(round(base), 60)
    return Xboard(command, {"base": f"{minutes}:{seconds:02}", "more": f"{more:g}"})


def opening(number: int) -> list[str]:
    """8 plies by chance after which the game looks even."""
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
        if len(moves) >= MOST_PLIES:
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


def report(name: str, rows: list[dict[str, Any]]) -> str:
    """Won, drawn, lost, and the difference in Elo with its 95 % interval."""
    rows = sorted(rows, key=lambda r: (r["opening"], r["side"]))
    m = zermelo.Match("chess", ("zermelo", name), 0, [float(r["result"]) for r in rows])
    elo, low, high = m.elo
    ends = Counter(
        r["end"].split()[0] + (" ours" if r["result"] < 0 else " theirs")
        for r in rows
        if r["end"].split()[0] in ("time", "gone", "illegal")
    )
    odd = ", ".join(f"{n} by {what}" for what, n in sorted(ends.items()))
    return (
        f"| {name} | {m.wins} | {m.draws} | {m.losses} | {100 * m.score:.1f} % | "
        f"{elo:+.0f} ({low:+.0f} to {high:+.0f}) | {odd} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("opponents", nargs="*", help=", ".join(PROGRAMS) + ", stockfish-2000 …")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--base", type=float, default=1.0, help="seconds for the game")
    parser.add_argument("--more", type=float, default=0.05, help="seconds added a move")
    parser.add_argument("--margin", type=float, default=0.1, help="seconds of grace")
    parser.add_argument("--at-once", type=int, default=2)
    parser.add_argument("--record", default="ladder.jsonl")
    parser.add_argument("--table", action="store_true", help="print what is recorded, play nothing")
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
                    if not due:
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
    print("| opponent | won | drawn | lost | score | our Elo above it (95 %) | odd ends |")
    print("|---|---|---|---|---|---|---|")
    for name in names:
        played = [r for r in rows if r["opponent"] == name]
        if played:
            print(report(name, played))


if __name__ == "__main__":
    main()
