"""Loading games by name: from the catalogue, from files, trees and matrices."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

from ..errors import UsageError, ZermeloError, suggest
from ..files import is_file
from ..game import Game, as_game
from ..options import constructor_options, read_options, spelled, split_options
from .catalog import GAMES, game_class, names


def load(spec: str) -> Game:
    """Load a game by name.

    Args:
        spec: A built-in game with or without options, ``"connect-four"`` or
            ``"tic-tac-toe:m=4,n=4,k=4"``; a class in a file with or without arguments of its
            constructor, ``"mygame.py:MyGame"`` or ``"mygame.py:MyGame:n=3"``; a tree,
            ``"max(min(3 12 8) min(2 4 6))"``; a Gambit file, ``"game.efg"``; or a matrix,
            ``"3,3 0,5; 5,0 1,1"``.

    Returns:
        The game.

    Raises:
        UsageError: The game or an option is unknown, or a file cannot be read.

    Example:
        >>> import zermelo
        >>> game = zermelo.load("nim:piles=1,2,3")
        >>> game.format_state(game.initial())
        '3 2 1'
    """
    if not isinstance(spec, str):
        raise UsageError(f"invalid game {spec!r}", "known: " + ", ".join(names()))
    spec = spec.strip()
    name, _, rest = spec.partition(":")
    if name.endswith(".py") or ".py:" in spec:
        path, _, cls = spec.partition(".py")
        return _load_file(f"{path}.py", cls.removeprefix(":"))
    if spec.endswith(".efg"):
        from ..explicit.efg import read_file

        return read_file(spec)
    if name == "open_spiel":
        raise UsageError("OpenSpiel games are not supported yet", "known: " + ", ".join(names()))
    if name in GAMES:
        found = game_class(name)
        return found.from_options(spec, **read_options(name, rest, found.options))
    if ";" in spec:
        from ..equilibrium.matrix import matrix

        return matrix(spec)
    if "(" in spec:
        from ..explicit.tree import tree

        return tree(spec)
    raise UsageError(f"unknown game {name!r}", _elsewhere(name) or suggest(name, names()))


def _elsewhere(name: str) -> str:
    """A hint if a one-shot game has that name, else ""."""
    from ..equilibrium.matrix import CLASSICS

    return f"it is a one-shot game: zermelo equilibrium {name}" if name in CLASSICS else ""


def names_file(spec: str) -> bool:
    """Whether loading `spec` would read a file. Does not touch the file system."""
    name, _, rest = spec.strip().partition(":")
    name = name.strip()
    if spec.strip().endswith(".efg"):
        return True
    if name not in GAMES:
        return False
    options = game_class(name).options
    given = split_options(name, rest, options)
    files = {o.name: o for o in options if o.kind == "file"}
    return any(o in files and value not in files[o].words for o, value in given.items())


def canonical(spec: str) -> str:
    """The name with all options written out, so that equal games have equal names."""
    name, _, rest = spec.strip().partition(":")
    if name not in GAMES:
        return spec
    options = game_class(name).options
    return f"{name}:" + spelled(options, read_options(name, rest, options))


# -- Python files --------------------------------------------------------------------------------
def _load_file(path: str, cls: str) -> Game:
    """An instance of a class in a Python file; `cls` is ``"MyGame"`` or ``"MyGame:n=3"``."""
    name, _, options = cls.partition(":")
    if not name:
        raise UsageError(f"the name of the class is missing after {path}:", f"e.g. {path}:MyGame")
    return _make_instance(run_file(path), path, name, options)


def function_of(path: str, name: str) -> Any:
    """The function `name` in the Python file `path`."""
    module = run_file(path)
    found = getattr(module, name, None)
    if not callable(found):
        public = [n for n, v in vars(module).items() if callable(v) and n[0] != "_"]
        raise UsageError(f"{path} has no function {name}", suggest(name, public))
    return found


def run_file(path: str) -> Any:
    """Run a Python file and return it as a module."""
    file = Path(path)
    if not is_file(file):
        raise UsageError(f"the file {path} does not exist", "expected the path of a Python file")
    module_name = f"zermelo_user_{file.stem}"
    spec = importlib.util.spec_from_file_location(module_name, file)
    if spec is None or spec.loader is None:
        raise UsageError(f"{path} is not a Python file", "expected a file that ends in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    sys.path.insert(0, str(file.parent.resolve()))  # the file may import its neighbours
    try:
        spec.loader.exec_module(module)
    except ZermeloError:
        raise
    except Exception as e:
        raise UsageError(f"{path} cannot be run: {type(e).__name__}: {e}", where(e, path)) from e
    finally:
        sys.path.pop(0)
    return module


def _make_instance(module: Any, path: str, cls: str, options: str = "") -> Game:
    """An instance of the class `cls`; `options` are the arguments of its constructor as text."""
    found = getattr(module, cls, None)
    if found is None:
        public = [n for n, v in vars(module).items() if isinstance(v, type) and n[0] != "_"]
        raise UsageError(f"{path} has no class {cls}", suggest(cls, public))
    if not isinstance(found, type):
        if options:
            raise UsageError(
                f"{cls} is an object, so it does not support options", f"write {path}:{cls}"
            )
        return as_game(found)
    declared = getattr(found, "options", None) or constructor_options(found)
    given = split_options(cls, options, declared)
    parsers = {o.name: o for o in declared}
    values = {name: parsers[name].parse(text) for name, text in given.items()}
    try:
        return as_game(found(**values))
    except ZermeloError:
        raise
    except Exception as e:
        written = ", ".join(f"{k}={v!r}" for k, v in values.items())
        missing = [o.name for o in declared if o.required and o.name not in values]
        hint = f"pass it as an option: {path}:{cls}:{missing[0]}=…" if missing else where(e, path)
        raise UsageError(
            f"{cls}({written}) cannot be created: {type(e).__name__}: {e}", hint
        ) from e


def where(error: BaseException, path: str) -> str:
    """The line of the user's file at which `error` was raised."""
    if isinstance(error, SyntaxError):
        return f"see line {error.lineno}"
    line = 0
    tb = error.__traceback__
    while tb is not None:
        if tb.tb_frame.f_code.co_filename.endswith(Path(path).name):
            line = tb.tb_lineno
        tb = tb.tb_next
    return f"see line {line}" if line else ""
