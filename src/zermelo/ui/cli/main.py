"""The command line: parse, call, show. stdout is data, stderr is progress and errors."""

from __future__ import annotations

import io
import os
import sys
import traceback
from typing import Annotated

import typer

from ...errors import SearchBudgetExceeded, ZermeloError
from . import ask, bridge, chess, games, many, pacman, studio, teach, work
from .shared import app, err, located

__all__ = [
    "app",
    "ask",
    "bridge",
    "chess",
    "games",
    "main",
    "many",
    "pacman",
    "studio",
    "teach",
    "work",
]

# typer brings its own click or needs one; its errors are reached through its public subclass.
CLICK_ERROR: type[Exception] = typer.BadParameter.__mro__[2]


@app.callback()
def start(
    context: typer.Context,
    show_version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if show_version:
        work.version()
    elif context.invoked_subcommand is None:
        print(context.get_help())


def main() -> None:
    """The entry point: every foreseeable error is one sentence and a hint."""
    # a terminal that lacks a sign shows another, and input that is not text is refused as a text
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        code = app(standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except SearchBudgetExceeded as e:
        code = fail(e.message, e.hint, 1)
    except ZermeloError as e:
        code = fail(e.message, e.hint, 2)
    except CLICK_ERROR as e:
        context = getattr(e, "ctx", None)
        command = context.command_path if context else "zermelo"
        message = e.format_message() if hasattr(e, "format_message") else str(e)
        code = fail(message.rstrip("."), f"{command} --help", 2)
    except (KeyboardInterrupt, typer.Abort):
        code = fail("interrupted", "", 130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except MemoryError:
        code = fail("out of memory", "give a smaller --table or depth", 2)
    except OSError as e:
        code = fail(f"cannot write the output: {e.strerror or e}", "", 2)
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115  (what is still buffered is lost too)
    except (Exception, SystemExit) as e:  # raised by a user's rules: ours are all caught above
        closed = isinstance(e, SystemExit) and "typer" in raised_in(e)  # a pipe that nobody reads
        code = 0 if closed else fail(*told(e), 2)
    sys.exit(code if isinstance(code, int) else 0)


def raised_in(error: BaseException) -> str:
    return traceback.extract_tb(error.__traceback__)[-1].filename


def told(error: BaseException) -> tuple[str, str]:
    """An exception out of somebody's rules: what, and where in the file."""
    return located(error), "zermelo doctor FILE.py:CLASS finds the moves that lead to it"


def fail(message: str, hint: str, code: int) -> int:
    err.print(f"error: {message}", markup=False)
    if hint:
        err.print(f"hint: {hint}", markup=False)
    return code


if __name__ == "__main__":
    main()
