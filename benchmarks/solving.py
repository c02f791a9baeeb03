"""Compare alpha-beta, proof-number search and retrograde analysis, and build tablebases.

python benchmarks/solving.py [SECONDS]    time limit for each (default 10)
"""

from __future__ import annotations

import sys

import zermelo

GAMES = [
    "tic-tac-toe", "tic-tac-toe:m=4,n=3,k=3", "tic-tac-toe:m=4,n=4,k=3", "tic-tac-toe:m=4,n=4,k=4",
    "connect-four:width=4,height=4", "connect-four:width=5,height=4", "nim:piles=9,10,11",
    "split-nim:piles=30", "dodgem", "dodgem:n=4",
]  # fmt: skip


def solved(spec: str, algorithm: str, seconds: float) -> str:
    try:
        r = zermelo.solve(zermelo.load(spec), algorithm=algorithm, time=seconds)
    except zermelo.EndlessGame:
        return "circles"
    except zermelo.ZermeloError:
        return "not within the time limit"
    return f"{r.value:+.0f} {r.nodes:,} nodes {r.elapsed:.3f} s"


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
    print(f"{'':<32}{'engine':>34}{'proof-number':>34}{'retrograde':>34}")
    for spec in GAMES:
        row = [solved(spec, a, seconds) for a in ("engine", "proof-number", "retrograde")]
        print(f"{spec:<32}" + "".join(f"{cell:>34}" for cell in row), flush=True)
    for spec, pieces in (("dodgem:n=5", 5), ("checkers", 3)):
        t = zermelo.tablebase(zermelo.load(spec), pieces=pieces)
        speed = t.built / t.seconds / 1e6
        print(f"{spec}, {pieces} pieces: {t.built:,} positions, {speed:.2f} M positions/s")


if __name__ == "__main__":
    main()
