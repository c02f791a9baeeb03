"""GNU Backgammon, asked by a script that it runs itself."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

GNUBG = shutil.which("gnubg") or "/usr/games/gnubg"
MISSING = not os.access(GNUBG, os.X_OK)
REASON = "GNU Backgammon is not installed (Debian's package gnubg)"


def answers(folder: Path, script: str, asked: Any, seconds: int, **values: Any) -> Any:
    """What the script writes to `told` of what it reads from `asked`."""
    asking, told, path = (folder / name for name in ("asked.json", "told.json", "ask.py"))
    asking.write_text(json.dumps(asked))
    path.write_text(script.format(asked=str(asking), told=str(told), **values))
    subprocess.run(
        [GNUBG, "-t", "-q", "-r", "-p", str(path)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        timeout=seconds,
        check=False,
        env={**os.environ, "HOME": str(folder)},
    )
    return json.loads(told.read_text())
