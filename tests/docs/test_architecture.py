"""ARCHITECTURE.md is a true map: it lists every file of its folders, and only those."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = next(p for p in Path(__file__).resolve().parents if (p / "pyproject.toml").exists())
WHOLE = (  # folders whose files are listed one by one
    "core", "core/parts", "core/search", "bindings", "src/zermelo", "src/zermelo/search",
    "src/zermelo/hidden", "src/zermelo/equilibrium", "src/zermelo/explicit", "src/zermelo/ui",
)  # fmt: skip


def listed() -> set[str]:
    """The paths of the map, relative to the repository."""
    paths, folder = set(), ""
    for line in (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            named = re.search(r"`([\w/]+/)`", line)
            folder = named[1] if named else ""
            paths.add(folder.rstrip("/"))
        elif line.startswith("- `"):
            names = re.findall(r"`([\w/]+/|[\w/]+\.(?:py|hpp|cpp|def))`", line)
            inside = folder + names[0] if names[0].endswith("/") else folder
            paths |= {folder + names[0], *(inside + name for name in names[1:])}
    return {p.rstrip("/") for p in paths} - {""}


def test_what_is_listed_exists() -> None:
    assert [p for p in sorted(listed()) if not (ROOT / p).exists()] == []


def test_nothing_is_missing() -> None:
    known = listed()
    found = [
        p.relative_to(ROOT).as_posix()
        for folder in WHOLE
        for p in (ROOT / folder).iterdir()
        if (p.suffix in (".py", ".hpp", ".cpp") or (p.is_dir() and any(p.iterdir())))
        and not p.name.startswith("_")
    ]
    assert sorted(set(found) - known) == []
