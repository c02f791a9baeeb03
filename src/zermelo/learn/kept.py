"""What a folder of a run holds, and why it is not gone on with."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..errors import UsageError


def held(path: Path) -> tuple[str, int | None]:
    """Which run a file is of, "" where that cannot be read, and its seed, where it is kept."""
    try:
        with np.load(path) as kept:
            seed = int(kept["seed"]) if "seed" in kept.files else None
            if "name" in kept.files:
                return str(kept["name"]), seed
            if "flop" in kept.files:
                return "holdem", seed
            return "backgammon" if "weights" in kept.files else "", seed
    except Exception:  # whatever NumPy finds wrong with a file
        return "", None


def check(path: Path, name: str, seed: int) -> None:
    """Is it the file of this run?"""
    found, begun = held(path)
    if found and found != name:
        raise UsageError(
            f"{path.parent} holds a run of {found!r}, not of {name!r}", "name another folder"
        )
    if begun is not None and begun != seed:
        raise UsageError(
            f"the run in {path.parent} was begun with --seed {begun}, not {seed}",
            "name another folder, or give that seed",
        )


def damaged(path: Path) -> UsageError:
    return UsageError(
        f"{path} is damaged or of another version", "name another folder, or remove it"
    )
