"""Checkers perft: leaves of the move tree per second, next to another program.

--peer PROGRAM is run with the depth as its argument, in turn with zermelo. The first word it prints
must be the number of leaves; both numbers must be equal. Times are processor times and include the
start of the peer. The ratio is that of the median round.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import time

import zermelo


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--depth", type=int, default=11)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--peer", help="a program that counts leaves")
    arguments = parser.parse_args()
    game = zermelo.load("checkers")
    ours, theirs = [], []
    leaves = 0
    for _ in range(arguments.rounds):
        start = time.process_time()
        leaves = zermelo.perft(game, depth=arguments.depth)[0]
        ours.append(time.process_time() - start)
        if arguments.peer:
            seconds, counted = run(arguments.peer, arguments.depth)
            theirs.append(seconds)
            if counted != leaves:
                raise SystemExit(f"the peer counts {counted:,} leaves, not {leaves:,}")
    speed = leaves / statistics.median(ours) / 1e6
    line = f"perft {arguments.depth}: {leaves:,} leaves, {speed:.1f} M leaves/s"
    if theirs:
        peer = leaves / statistics.median(theirs) / 1e6
        ratio = statistics.median(b / a for a, b in zip(ours, theirs, strict=True))
        line += f"; peer {peer:.1f} M leaves/s, ratio {ratio:.2f}x"
    print(line)


def run(program: str, depth: int) -> tuple[float, int]:
    """Processor seconds and the number of leaves."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run([program, str(depth)], capture_output=True, text=True, check=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return seconds, int(out.split()[0].replace(",", ""))


if __name__ == "__main__":
    main()
