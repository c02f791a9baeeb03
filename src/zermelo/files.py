"""Reads and writes files atomically; errors are one sentence and a hint."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
import time
from pathlib import Path

from .errors import UsageError

PART = ".part"  # the end of a temporary file's name
MAX_BYTES = 1 << 30  # of a file that is read into memory
STALE_SECONDS = 3600.0

AnyPath = str | os.PathLike[str]


def reason(error: Exception) -> str:
    """The reason of an OSError, without the file name."""
    if isinstance(error, UnicodeDecodeError):
        return f"it is not UTF-8 text (byte {error.start + 1})"
    if isinstance(error, UnicodeEncodeError):
        return "it contains a character that is not allowed in file names"
    return str(getattr(error, "strerror", None) or error)


def is_file(path: AnyPath) -> bool:
    """Whether the file exists. False for invalid names (too long, with a NUL)."""
    try:
        return os.path.isfile(path)
    except (OSError, ValueError):
        return False


def read_bytes(
    path: AnyPath, hint: str = "expected the path of a file", most: int = MAX_BYTES
) -> bytes:
    """All of a file.

    Raises:
        UsageError: it cannot be read, or has more than `most` bytes (a device may have no end).
    """
    try:
        with open(path, "rb") as file:
            data = file.read(most + 1)
    except (OSError, ValueError) as e:
        raise UsageError(f"{shown(path)} cannot be read: {reason(e)}", hint) from None
    if len(data) > most:
        raise UsageError(f"{shown(path)} has more than {most:,} bytes", hint)
    return data


def read_text(path: AnyPath, hint: str = "expected the path of a text file") -> str:
    """All of a UTF-8 file, without its byte order mark; line ends become "\\n"."""
    try:
        text = read_bytes(path, hint).decode("utf-8-sig")
    except UnicodeDecodeError as e:
        raise UsageError(f"{shown(path)} cannot be read: {reason(e)}", hint) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def write(path: AnyPath, data: bytes | str, hint: str = "choose another path") -> None:
    """Replace the file, so that it always holds the old content or the new, whatever happens.

    The data go to a temporary file in the same directory, which is synchronized with the disk and
    then takes the file's name. Other files (a pipe, /dev/stdout) are written to directly.

    Raises:
        UsageError: it cannot be written; the old content is still there.
    """
    try:
        content = data.encode() if isinstance(data, str) else data
        _write(os.path.realpath(path, strict=False), content)
    except (OSError, ValueError) as e:
        raise UsageError(f"{shown(path)} cannot be written: {reason(e)}", hint) from None


def _write(path: str, data: bytes) -> None:
    mode = None
    with contextlib.suppress(FileNotFoundError):
        about = os.stat(path)
        if not stat.S_ISREG(about.st_mode):
            with open(path, "wb") as file:
                file.write(data)
            return
        mode = stat.S_IMODE(about.st_mode)
    part = os.path.join(os.path.dirname(path), f".{secrets.token_hex(6)}{PART}")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            if mode is not None:
                os.fchmod(file.fileno(), mode)
        os.replace(part, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(part)
        raise


def append(path: AnyPath, data: str, hint: str = "choose another path") -> None:
    """Add to the end of a file.

    Raises:
        UsageError: it cannot be written; a part of the data may be there.
    """
    try:
        with open(path, "ab") as file:
            file.write(data.encode())
    except (OSError, ValueError) as e:
        raise UsageError(f"{shown(path)} cannot be written: {reason(e)}", hint) from None


def make_folder(path: AnyPath, hint: str = "choose another path") -> None:
    """Create the directory and its parents.

    Raises:
        UsageError: it cannot be made.
    """
    try:
        os.makedirs(path, exist_ok=True)
    except (OSError, ValueError) as e:
        raise UsageError(f"{shown(path)} cannot be used: {reason(e)}", hint) from None


def remove_stale_parts(folder: Path) -> None:
    """Remove the temporary files of writes that were killed."""
    with contextlib.suppress(OSError, ValueError):
        for part in folder.glob(f".*{PART}"):
            if time.time() - part.stat().st_mtime > STALE_SECONDS:
                part.unlink()


def shown(path: AnyPath) -> str:
    """The path for a message; unprintable characters are escaped."""
    text = str(os.fspath(path)) or "the empty path"
    return text.encode("utf-8", "backslashreplace").decode().replace("\0", "\\0")
