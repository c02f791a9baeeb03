"""Where Scrabble's words come from: a file with one word per line."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

from ... import _core
from ...errors import UsageError
from ...files import is_file, read_bytes, reason

DEBIAN = "/usr/share/dict/words"  # of the packages wamerican, wbritish, …
VARIABLE = "ZERMELO_WORDS"


def find(words: str) -> Path:
    """The file that is meant; "default" is that of the environment, or Debian's."""
    default = words == "default"
    path = Path(os.environ.get(VARIABLE) or DEBIAN) if default else Path(words).expanduser()
    if is_file(path):
        return path
    if default:
        raise UsageError(
            f"the word list {path} does not exist",
            "install Debian's wamerican, or use your own file with one word per line: "
            f"scrabble:words=FILE (or in {VARIABLE})",
        )
    raise UsageError(
        f"the word list {path} does not exist", "expected a file with one word per line"
    )


def word_list(path: Path) -> _core.ScrabbleWords:
    """The words of a file, made once for as long as the file stays as it is."""
    try:
        about = path.stat()
        return _read(path.resolve(), about.st_mtime_ns, about.st_size)
    except OSError as e:
        raise UsageError(f"{path} cannot be read: {reason(e)}", "choose another file") from None


@lru_cache(maxsize=4)
def _read(path: Path, changed: int, size: int) -> _core.ScrabbleWords:
    """Words of a to z, 2 to 15 letters long; names (capitals) are left out."""
    text = read_bytes(path)
    if text.isupper():  # a list all in capitals has no names
        text = text.lower()
    found = _core.scrabble_words(text)
    if not found.count:
        raise UsageError(
            f"{path} has no words", "expected one word per line, 2 to 15 letters from a to z"
        )
    return found
