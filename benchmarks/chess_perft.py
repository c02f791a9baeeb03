"""Chess perft: leaves of the move tree per second, next to another program.

``--peer`` is a UCI program that supports ``go perft``, as Stockfish does. Both count in turn in one
run, with one thread each. Times are processor times, as in common.py. The ratio is that of the
median round.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import subprocess
import time
from typing import Any

import zermelo

POSITIONS = (
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6, 119060324),
    (
        "crowded",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        5,
        193690690,
    ),
    ("rook ending", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 7, 178633661),
    (
        "promotions",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        6,
        706045033,
    ),
    ("opening", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 5, 89941194),
    (
        "middle game",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        5,
        164075551,
    ),
)


class Peer:
    """A UCI program that supports go perft."""

    def __init__(self, command: str) -> None:
        self.process = subprocess.Popen(
            [command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.ask("uci", "uciok")

    def ask(self, line: str, until: str) -> str:
        assert self.process.stdin and self.process.stdout
        print(line, file=self.process.stdin, flush=True)
        for answer in self.process.stdout:
            if re.match(until, answer):
                return answer
        raise SystemExit("the peer has gone")

    def busy(self) -> float:
        """Its processor seconds so far."""
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def count(self, fen: str, depth: int) -> tuple[int, float]:
        self.ask(f"position fen {fen}\nisready", "readyok")
        start = self.busy()
        leaves = int(self.ask(f"go perft {depth}", "Nodes searched").split(":")[1])
        return leaves, self.busy() - start

    def close(self) -> None:
        assert self.process.stdin
        print("quit", file=self.process.stdin, flush=True)
        self.process.wait()


def ours(game: Any, fen: str, depth: int) -> tuple[int, float]:
    state = game.parse_state(fen)
    start = time.process_time()
    leaves, _ = zermelo.perft(game, state, depth)
    return leaves, time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peer", help="a UCI program with go perft")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    game = zermelo.load("chess")
    peer = Peer(arguments.peer) if arguments.peer else None
    ratios = []
    for name, fen, depth, known in POSITIONS:
        rates: list[float] = []
        others: list[float] = []
        for _ in range(arguments.rounds):
            leaves, seconds = ours(game, fen, depth)
            assert leaves == known, f"{name}: {leaves} leaves, not {known}"
            rates.append(leaves / seconds / 1e6)
            if peer:
                leaves, seconds = peer.count(fen, depth)
                assert leaves == known, f"{name}: the peer counts {leaves}, not {known}"
                others.append(leaves / max(seconds, 0.01) / 1e6)
        row = f"{name:12} depth {depth}  {known:>11,} leaves  {statistics.median(rates):6.0f} M/s"
        if peer:
            ratio = statistics.median(a / b for a, b in zip(rates, others, strict=True))
            ratios.append(ratio)
            row += f"  peer {statistics.median(others):6.0f} M/s  ratio {ratio:.2f}x"
        print(row, flush=True)
    if peer:
        print(f"ratio, geometric mean: {statistics.geometric_mean(ratios):.2f}x")
        peer.close()


if __name__ == "__main__":
    main()
