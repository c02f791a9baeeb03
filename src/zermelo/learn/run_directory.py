"""The directory of a training run: claim it, save progress and batches, resume.

Files are replaced atomically, so that a run can be interrupted at any time and continues where it
was saved last.
"""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import UsageError
from ..files import make_folder, remove_stale_parts, write

SAVE_SECONDS = 20.0  # between two saves of a run's progress
# Files of older versions lack the run's name; an array that only one game has tells it.
_GAME_BY_ARRAY = {
    "flop": "holdem",
    "weights": "backgammon",
    "examples": "chess",
    "states": "othello",
}


def log(text: str) -> None:
    """Print a line of progress to stderr."""
    print(text, file=sys.stderr, flush=True)


class Timer:
    """Tells when a number of seconds has passed since the last time."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.last = time.monotonic()

    def due(self) -> bool:
        """Return whether the interval is over; if so, start the next one."""
        if time.monotonic() - self.last < self.seconds:
            return False
        self.restart()
        return True

    def restart(self) -> None:
        self.last = time.monotonic()


def open_run(folder: Path, name: str, seed: int) -> Path:
    """Create or reopen the directory of a run and return the file of its progress.

    Raises:
        UsageError: The directory has the run of another game, or was started with another seed.
    """
    make_folder(folder, "choose a folder")
    remove_stale_parts(folder)
    progress = folder / "progress.npz"
    for path in (progress, *sorted(folder.glob("round-*.npz"))[:1]):
        if path.exists():
            _check_owner(path, name, seed)
    return progress


def _check_owner(path: Path, name: str, seed: int) -> None:
    found, begun = _owner(path)
    if found and found != name:
        raise UsageError(
            f"{path.parent} contains a run of {found!r}, not of {name!r}", "choose another folder"
        )
    if begun is not None and begun != seed:
        raise UsageError(
            f"the run in {path.parent} was started with --seed {begun}, not {seed}",
            "choose another folder, or use that seed",
        )


def _owner(path: Path) -> tuple[str, int | None]:
    """Return the name and the seed of the run that wrote a file; "" and None if unknown."""
    try:
        with np.load(path) as saved:
            seed = int(str(saved["seed"])) if "seed" in saved.files else None
            if "name" in saved.files:
                return str(saved["name"]), seed
            found = [game for array, game in _GAME_BY_ARRAY.items() if array in saved.files]
            return found[0] if found else "", seed
    except Exception:  # NumPy raises many kinds of errors for damaged files
        return "", None


def save_arrays(path: Path, seed: int, *, compress: bool = False, **arrays: Any) -> None:
    """Replace a file by these arrays and the seed of the run."""
    data = io.BytesIO()
    save = np.savez_compressed if compress else np.savez
    save(data, seed=np.array(str(seed)), **arrays)
    write(path, data.getvalue())


def load_arrays(path: Path, *names: str) -> list[Any]:
    """Return arrays of a file.

    Raises:
        UsageError: The file is damaged or lacks an array.
    """
    try:
        with np.load(path) as saved:
            return [saved[name] for name in names]
    except Exception:  # NumPy raises many kinds of errors for damaged files
        raise damaged(path) from None


def damaged(path: Path) -> UsageError:
    return UsageError(
        f"{path} is damaged or from another version", "choose another folder, or remove the file"
    )


def finish_rounds(
    folder: Path, rounds: int, train_round: Callable[[int], bytes]
) -> Iterator[tuple[int, Path]]:
    """Train the rounds whose weights are missing; yield each round's number and weights file."""
    for number in range(1, rounds + 1):
        path = folder / f"round-{number}.weights"
        if not path.exists():
            write(path, train_round(number))
        yield number, path


def batch_files(folder: Path, number: int, games: int, batch: int) -> list[Path]:
    """Return the files of a round's games, `batch` games in each."""
    return [folder / f"round-{number}-{b:05}.npz" for b in range(-(-games // batch))]


def install_weights(path: Path, target: Path) -> None:
    """Make trained weights those that :func:`zermelo.load` uses."""
    write(target, path.read_bytes())
