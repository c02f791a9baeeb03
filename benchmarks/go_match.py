"""Play a Go match of `zermelo gtp` against another GTP program, at a fixed time per move.

    python benchmarks/go_match.py --size 9 --time 1 --games 100 --record go.jsonl
    python benchmarks/go_match.py --opponent "pachi -t 2 threads=1" --games 100 --record go.jsonl

Colours alternate. Komi is the standard of `go:size=SIZE`. Our own rules are the referee (area
scoring, positional superko). After two passes, stones that the opponent calls dead
(final_status_list) are removed and the board is scored by area. GNU Go's --capture-all-dead makes
it capture them before it passes, but zermelo passes as soon as the rest is decided. A game whose
winner would be another by our own judgement of dead stones is reported as disputed. A program that
dies, does not answer, or plays an illegal move loses; these games are listed.

With --record, games are added to a file as they end, and only missing games are played. A record
belongs to one behaviour of the engine: every game carries a signature of short searches with a
fixed seed, and after a change that alters them all games are played again. The interval is
Wilson's, for 95 %.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import sys
import threading
import zlib
from pathlib import Path
from typing import Any

from go_clients import Program, play

import zermelo
from zermelo.games.go import sgf

GNU_GO = "gnugo --mode gtp --chinese-rules --capture-all-dead --positional-superko --level 10"
PATIENCE = 60.0  # seconds beyond the time per move before a program counts as dead
Row = dict[str, Any]


def wilson(won: float, games: int, z: float = 1.96) -> tuple[float, float]:
    """The 95 % interval of a win rate; draws count half."""
    if games == 0:
        return 0.0, 1.0
    rate, spread = won / games, z * z / games
    middle = rate + spread / 2
    half = z * math.sqrt(rate * (1 - rate) / games + spread / games / 4)
    return max(0.0, (middle - half) / (1 + spread)), min(1.0, (middle + half) / (1 + spread))


class Record:
    """Finished games, in memory and in a file with one JSON object per line."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.rows: list[Row] = []
        self.lock = threading.Lock()
        if path is not None and path.exists():
            text = path.read_text()
            self.rows = [json.loads(line) for line in text.splitlines() if line.endswith("}")]
            if text and not text.endswith("\n"):  # the last line is truncated
                self._append("\n")

    def add(self, row: Row) -> None:
        with self.lock:
            self.rows.append(row)
            self._append(json.dumps(row) + "\n")

    def _append(self, text: str) -> None:
        if self.path is not None:
            with self.path.open("a") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())

    def of(self, match: Row) -> list[Row]:
        """The games of a match, by number."""
        found = {r["number"]: r for r in self.rows if all(r.get(k) == match[k] for k in match)}
        return [found[number] for number in sorted(found)]


def run(record: Record, match: Row, games: int, jobs: int, seconds: float) -> None:
    """Play the games that are missing."""
    game = zermelo.load(f"go:size={match['size']},komi={match['komi']:g}")
    done = {row["number"] for row in record.of(match)}
    due = [number for number in range(games) if number not in done][::-1]
    programs: list[Program] = []

    def work() -> None:
        ours, theirs = Program(command_of(match["engine"])), Program(match["opponent"])
        programs.extend((ours, theirs))
        while due:
            try:
                number = due.pop()
            except IndexError:
                break
            colour = number % 2  # ours: Black in even games
            sides = (theirs, ours) if colour else (ours, theirs)
            row = match | {"number": number, "colour": colour}
            row |= result_of(play(game, sides, 1 - colour, seconds + PATIENCE), colour)
            record.add(row)
            print(progress(row, record.of(match)), file=sys.stderr, flush=True)

    threads = [threading.Thread(target=work, daemon=True) for _ in range(jobs)]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        for program in programs:
            program.close()


def signature(size: int) -> str:
    """A checksum of the visits of short searches: equal engines have equal signatures."""
    game = zermelo.load(f"go:size={size}")
    rng = random.Random(1)
    found = []
    for moves in (0, size, size * size // 3):
        s = game.initial()
        for _ in range(moves):
            s = game.result(s, rng.choice(game.actions(s)[:-1]))
        r = zermelo.search(game, s, nodes=500, seed=1)
        found.append([(str(m.action), m.visits) for m in r.moves])
    return f"{zlib.crc32(json.dumps(found).encode()):08x}"


def command_of(engine: str) -> str:
    """The command line of our engine: `zermelo` is the package of this Python."""
    return f"{sys.executable} -m {engine}" if engine.startswith("zermelo ") else engine


def result_of(played: Any, colour: int) -> Row:
    """A game as a row, from our side."""
    won = 0.5 if played.winner is None else float(played.winner == colour)
    return {
        "won": won,
        "end": played.end,
        "margin": played.margin,
        "disputed": played.disputed,
        "seconds": [round(played.seconds[p], 3) for p in (colour, 1 - colour)],
        "longest": [round(played.longest[p], 3) for p in (colour, 1 - colour)],
        "playouts": played.searched,
        "search_seconds": round(played.search_seconds, 3),
        "moves": played.moves,
    }


def progress(row: Row, rows: list[Row]) -> str:
    outcome = {1.0: "won", 0.5: "drawn", 0.0: "lost"}[row["won"]]
    side = ("Black", "White")[row["colour"]]
    score = "" if row["margin"] is None else f" {sgf_result(row['margin'])}"
    total = sum(r["won"] for r in rows)
    return (
        f"game {row['number'] + 1}: {outcome} as {side} ({row['end']}{score}, "
        f"{len(row['moves'])} moves); {total:g} of {len(rows)}"
    )


def sgf_result(margin: float) -> str:
    return "0" if margin == 0 else f"{'B' if margin > 0 else 'W'}+{abs(margin):g}"


def rate_line(name: str, rows: list[Row]) -> str:
    won, games = sum(r["won"] for r in rows), len(rows)
    low, high = wilson(won, games)
    share = f"{100 * won / games:.1f} %" if games else "-"
    return f"{name}: {won:g} of {games}, {share} (95 %: {100 * low:.1f} to {100 * high:.1f} %)"


def summary(match: Row, rows: list[Row]) -> list[str]:
    """The result of a match in lines."""
    lines = [
        f"{match['engine']} - {match['opponent']}, komi {match['komi']:g}, "
        f"signature {match['signature']}"
    ]
    lines.append(rate_line("won", rows))
    lines += [
        rate_line(f"as {name}", [r for r in rows if r["colour"] == colour])
        for colour, name in enumerate(("Black", "White"))
    ]
    if not rows:
        return lines
    count = len(rows)
    plies = sum(len(r["moves"]) for r in rows)
    lines.append(f"moves per game: {plies / count:.1f}; different games: {different(rows)}")
    if thought := sum(r["search_seconds"] for r in rows):
        lines.append(f"playouts per second: {sum(r['playouts'] for r in rows) / thought:,.0f}")
    for who, name in enumerate(("zermelo", "opponent")):
        mean = 2 * sum(r["seconds"][who] for r in rows) / max(1, plies)
        longest = max(r["longest"][who] for r in rows)
        lines.append(f"seconds per move of {name}: {mean:.3f}, at most {longest:.3f}")
    resigned = sum(r["end"] == "resigned" for r in rows)
    disputed = [r["number"] + 1 for r in rows if r["disputed"]]
    lines.append(f"resigned: {resigned}; disputed: {len(disputed)} {disputed or ''}".rstrip())
    faults = [r for r in rows if r["end"] not in ("resigned", "score", "length")]
    lines += [f"game {r['number'] + 1}: {r['end']}" for r in faults]
    return lines


def different(rows: list[Row]) -> int:
    return len({(r["colour"], *r["moves"]) for r in rows})


def collection(match: Row, rows: list[Row]) -> bytes:
    """The games as one SGF file."""
    games = []
    for row in rows:
        names = ("zermelo", match["opponent"])
        players = names if row["colour"] == 0 else names[::-1]
        ours = row["won"] == 1.0
        side = "BW"[row["colour"] if ours else 1 - row["colour"]]
        result = f"{side}+R" if row["end"] == "resigned" else f"{side}+F"
        result = result if row["margin"] is None else sgf_result(row["margin"])
        games.append(
            sgf.from_moves(row["moves"], match["size"], match["komi"], "Chinese", players, result)
        )
    return sgf.write(games)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--size", type=int, default=9, choices=(9, 13, 19))
    parser.add_argument("--time", type=float, default=1.0, help="zermelo's seconds per move")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--opponent", default=GNU_GO, help="command line of a GTP program")
    parser.add_argument("--options", default="", help="further options of zermelo gtp")
    parser.add_argument("--jobs", type=int, default=1, choices=(1, 2), help="games at a time")
    parser.add_argument("--record", type=Path, help="file of finished games; resumes from it")
    parser.add_argument("--sgf", type=Path, help="write the games to this file")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    arguments = parser.parse_args()
    size = arguments.size
    engine = f"zermelo gtp --game go:size={size} --time {arguments.time:g} {arguments.options}"
    match: Row = {
        "engine": engine.strip(),
        "opponent": arguments.opponent,
        "size": size,
        "komi": zermelo.load(f"go:size={size}").komi,  # type: ignore[attr-defined]
        "signature": signature(size),
    }
    record = Record(arguments.record)
    try:
        run(record, match, arguments.games, arguments.jobs, arguments.time)
    except KeyboardInterrupt:
        print("interrupted; finished games are recorded", file=sys.stderr)
    rows = record.of(match)[: arguments.games]
    if arguments.sgf:
        arguments.sgf.write_bytes(collection(match, rows))
    print(
        json.dumps({**match, "games": rows}) if arguments.json else "\n".join(summary(match, rows))
    )


if __name__ == "__main__":
    main()
