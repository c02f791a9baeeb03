"""What a folder of a run holds, and why it is not gone on with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ..errors import UsageError
from ..files import make_folder, remove_stale_parts

# Whose run has an array of that name.
OF = {"flop": "holdem", "weights": "backgammon", "examples": "chess", "states": "othello"}


def claim(folder: Path, name: str, seed: int) -> None:
    """Makes the folder of a run; one that another run is kept in is refused."""
    make_folder(folder, "name a folder")
    remove_stale_parts(folder)
    for path in (folder / "progress.npz", *sorted(folder.glob("round-*.npz"))[:1]):
        if path.exists():
            check(path, name, seed)


def held(path: Path) -> tuple[str, int | None]:
    """Which run a file is of, "" where that cannot be read, and its seed, where it is kept."""
    try:
        with np.load(path) as kept:
            seed = int(str(kept["seed"])) if "seed" in kept.files else None
            if "name" in kept.files:
                return str(kept["name"]), seed
            found = [game for array, game in OF.items() if array in kept.files]
            return found[0] if found else "", seed
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


def arrays(path: Path, *names: str) -> list[Any]:
    """The arrays of a file, or an error that names the file."""
    try:
        with np.load(path) as kept:
            return [kept[name] for name in names]
    except Exception:  # whatever NumPy finds wrong with a file
        raise damaged(path) from None


def damaged(path: Path) -> UsageError:
    return UsageError(
        f"{path} is damaged or of another version", "name another folder, or remove it"
    )
