"""One GTP message: reading a command line, writing a reply.

The rules are those of the protocol's specification (version 2, draft 2, section 2): control
characters are removed, tabs become spaces, ``#`` starts a comment, and a command may begin with a
number that its reply repeats.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ...errors import UsageError

LONGEST_LINE = 20_000  # characters of a command
CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
CONTROL_IN_REPLY = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]")
BLANK_LINES = re.compile(r"\n[ \t]*(?=\n)")
ID = re.compile(r"[0-9]{1,10}")  # the specification limits ids to 31 bits


class SyntaxFailure(UsageError):
    """The arguments of a command are wrong; the reply starts with "syntax error"."""

    def __init__(self, message: str) -> None:
        super().__init__(f"syntax error: {message}")


@dataclass(frozen=True)
class Command:
    """A command of the controller."""

    name: str
    arguments: list[str] = field(default_factory=list)
    id: str = ""  # "" if the command has none
    too_long: bool = False


def parse(line: str) -> Command | None:
    """The command in a line; None if there is none.

    >>> parse("7 play\\tB D4  # the first move")
    Command(name='play', arguments=['B', 'D4'], id='7', too_long=False)
    >>> parse("# only a comment")
    """
    too_long = len(line) > LONGEST_LINE
    text = CONTROL.sub("", line[:LONGEST_LINE].replace("\t", " ")).partition("#")[0]
    words = text.split()
    if not words:
        return Command("", too_long=True) if too_long else None
    number = words.pop(0) if ID.fullmatch(words[0]) else ""
    name = words.pop(0) if words else ""
    return Command(name, words, number, too_long)


def reply(command_id: str, text: str, success: bool = True) -> str:
    """A whole reply. An empty line ends a reply, so there is none inside.

    >>> reply("7", "D4")
    '=7 D4\\n\\n'
    >>> reply("", "unknown command", success=False)
    '? unknown command\\n\\n'
    """
    text = BLANK_LINES.sub("", CONTROL_IN_REPLY.sub("", text.replace("\t", " "))).rstrip()
    space = " " if text and not text.startswith("\n") else ""
    return f"{'=' if success else '?'}{command_id}{space}{text}\n\n"


def failure_text(error: Exception) -> str:
    """An error as the text of a failure reply: one line."""
    if isinstance(error, UsageError) or hasattr(error, "hint"):
        message, hint = getattr(error, "message", str(error)), getattr(error, "hint", "")
        text = f"{message} ({hint})" if hint else message
    else:
        text = f"{type(error).__name__}: {error}"
    return " ".join(text.split()) or type(error).__name__
