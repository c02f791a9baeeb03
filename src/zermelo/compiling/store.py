"""Generated modules on disk: the next process loads their machine code instead of compiling."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import platform
import stat
import sys
import tempfile
from pathlib import Path
from types import ModuleType

from .emit import GENERATOR

RUNTIME = (
    "runtime.py", "lowlevel.py", "memory.py", "records.py", "integers.py", "arithmetic.py",
)  # fmt: skip
_TIME = 1_000_000_000  # Numba's cache looks at it; the same text is the same file
_temporary: list[tempfile.TemporaryDirectory[str]] = []


def cache_directory() -> Path:
    """$ZERMELO_CACHE or the user's cache directory; a temporary one if other users can write to it.

    Files in it are executed, so a directory that others can write to is not used.
    """
    given = os.environ.get("ZERMELO_CACHE")
    if given:
        home = Path(given).expanduser()
    elif sys.platform == "win32":
        home = Path(os.environ.get("LOCALAPPDATA", "~/AppData/Local")).expanduser() / "zermelo"
    elif sys.platform == "darwin":
        home = Path("~/Library/Caches/zermelo").expanduser()
    else:
        home = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "zermelo"
    directory = home / "compiled"
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        if _ours(directory) and os.access(directory, os.W_OK):
            return directory
    except (OSError, RuntimeError):  # no home directory, no right to write
        pass
    if not _temporary:
        _temporary.append(tempfile.TemporaryDirectory(prefix="zermelo-"))
    return Path(_temporary[0].name)


def _ours(directory: Path) -> bool:
    if os.name != "posix":
        return True
    found = directory.stat()
    return found.st_uid == os.getuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def module_name(text: str) -> str:
    """A name that changes with the text and with everything that machine code depends on."""
    import llvmlite.binding
    import numba
    import numpy

    parts = (text, numba.__version__, llvmlite.__version__, numpy.__version__, sys.version,
             str(GENERATOR), platform.machine(), llvmlite.binding.get_host_cpu_name(),
             *map(_file_text, RUNTIME))  # fmt: skip
    digest = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]
    return f"zermelo_rules_{digest}"


def _file_text(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def load(text: str) -> ModuleType:
    """The generated module, imported from its file so that Numba can cache beside it."""
    name = module_name(text)
    if name in sys.modules:
        return sys.modules[name]
    path = cache_directory() / f"{name}.py"
    if not _holds(path, text):
        _write(path, text)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        with contextlib.suppress(OSError):
            path.unlink()
        raise
    return module


def _holds(path: Path, text: str) -> bool:
    try:
        return path.read_text(encoding="utf-8") == text
    except (OSError, UnicodeDecodeError):
        return False


def _write(path: Path, text: str) -> None:
    """Writes atomically: another process may be reading or writing the same file."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.stem, suffix=".tmp")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.utime(temporary, (_TIME, _TIME))
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
