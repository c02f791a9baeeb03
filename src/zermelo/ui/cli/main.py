"""The command line. stdout is data, stderr is progress and errors."""

from __future__ import annotations

import io
import os
import sys
import traceback
import warnings
from typing import Annotated, TextIO

import typer

from ...errors import SearchBudgetExceeded, ZermeloError
from .shared import app, err, located

# Importing a module registers its commands; `zermelo --help` lists them in this order.
# isort: off
from . import games, algorithms, analyze, tree, play, match, serve  # noqa: F401
from . import equilibrium, dilemma, tablebase, train  # noqa: F401
from . import exercise, bridge, chess, gtp, sgf, pacman, checks  # noqa: F401
# isort: on

try:
    from typer.exceptions import TyperException as ClickError  # typer vendors click
except ImportError:
    from click import ClickException as ClickError  # type: ignore[assignment]

__all__ = ["app", "main"]


@app.callback()
def start(
    context: typer.Context,
    show_version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if show_version:
        checks.version()
    elif context.invoked_subcommand is None:
        print(context.get_help())


def main() -> None:
    """Run the command line. Errors are printed as one sentence and a hint, without a traceback."""
    # Replace characters that the terminal cannot show; invalid input is reported as text later.
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    warnings.showwarning = _warn
    try:
        code = app(standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except SearchBudgetExceeded as e:
        code = _fail(e.message, e.hint, 1)
    except ZermeloError as e:
        code = _fail(e.message, e.hint, 2)
    except ClickError as e:
        context = getattr(e, "ctx", None)
        command = context.command_path if context else "zermelo"
        code = _fail(_click_message(e), f"see {command} --help", 2)
    except (KeyboardInterrupt, typer.Abort):
        code = _fail("interrupted", "", 130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except MemoryError:
        code = _fail("out of memory", "use a smaller --table or --depth", 2)
    except OSError as e:
        code = _fail(f"cannot write the output: {e.strerror or e}", "", 2)
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115  (drops what is still buffered)
    except (Exception, SystemExit) as e:  # raised by a user's rules
        closed = isinstance(e, SystemExit) and "typer" in _raised_in(e)  # the pipe was closed
        code = (
            0
            if closed
            else _fail(located(e), "zermelo doctor FILE.py:CLASS checks the rules of a game", 2)
        )
    sys.exit(code if isinstance(code, int) else 0)


def _click_message(error: Exception) -> str:
    """One sentence about a wrong option or argument."""
    parameter = getattr(error, "param", None)
    message = error.format_message() if hasattr(error, "format_message") else str(error)
    reason = str(getattr(error, "message", "")).rstrip(".")
    if parameter is None or not reason or "Invalid value" not in message:
        return str(message).rstrip(".")
    if "valid number" in reason or "valid float" in reason:
        reason = "expected a number"
    elif "valid integer" in reason:
        reason = "expected a whole number"
    name = max(parameter.opts, key=len, default=parameter.name)
    return f"invalid {name}: {reason[:1].lower()}{reason[1:]}"


def _warn(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Print a warning in one line, without its place in the source."""
    err.print(f"warning: {message}", markup=False)


def _raised_in(error: BaseException) -> str:
    return traceback.extract_tb(error.__traceback__)[-1].filename


def _fail(message: str, hint: str, code: int) -> int:
    err.print(f"error: {message}", markup=False)
    if hint:
        err.print(f"hint: {hint}", markup=False)
    return code


if __name__ == "__main__":
    main()
