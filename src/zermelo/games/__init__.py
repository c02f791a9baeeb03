"""The table of games, and :func:`load`. To add a native game: its rules, its face, a line here."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import UsageError, ZermeloError, suggest
from ..files import is_file
from ..game import Game, as_game


@dataclass(frozen=True, slots=True)
class GameEntry:
    name: str
    module: str  # below zermelo.games; its function make(**options) builds the game
    summary: str
    options: str  # as a person writes them after the name
    # Options whose value may be the path of a file, with the built-in names they also take.
    files: dict[str, Callable[[], list[str]]] = field(default_factory=dict)


def pacman_layouts() -> list[str]:
    from .pacman.layout import names as layouts

    return layouts()


GAMES: tuple[GameEntry, ...] = (
    GameEntry("tic-tac-toe", "tic_tac_toe", "k in a row on m columns and n rows", "m=3,n=3,k=3"),
    GameEntry(
        "connect-four",
        "connect_four",
        "four in a row by dropping discs into columns",
        "width=7,height=6,score=win",
    ),
    GameEntry(
        "backgammon",
        "backgammon",
        "a race with dice; optional doubling cube",
        "start=white,score=points,cube=no,jacoby=no",
    ),
    GameEntry(
        "battleships",
        "battleships",
        "find and sink a hidden fleet; also solo",
        "size=10,fleet=5,4,3,3,2,players=2",
    ),
    GameEntry(
        "blind-tic-tac-toe",
        "blind_tic_tac_toe",
        "tic-tac-toe where you see only your own marks",
        "m=3,n=3,k=3,rule=classical",
    ),
    GameEntry(
        "bridge",
        "bridge",
        "card play in one contract, double dummy or with hidden hands",
        "deal=1,tricks=13,trump=NT,declarer=S,cards=open",
    ),
    GameEntry("checkers", "checkers", "English draughts with forced captures", "pieces=4"),
    GameEntry(
        "chess",
        "chess",
        "chess, and Chess960 by the number of its start position",
        "start=518,draws=claimed",
    ),
    GameEntry("othello", "othello", "flip discs by enclosing them; most discs win", "size=8"),
    GameEntry("holdem", "holdem", "heads-up limit Texas hold'em", ""),
    GameEntry("kriegspiel", "kriegspiel", "chess where you see only your own pieces", ""),
    GameEntry("kuhn", "kuhn", "three-card poker: the smallest in which bluffing pays", ""),
    GameEntry("leduc", "leduc", "six-card poker with two betting rounds", "suits=no"),
    GameEntry("liars-dice", "liars_dice", "bid on hidden dice", "dice=1,sides=6"),
    GameEntry(
        "nim",
        "nim",
        "take stones from one pile; 2 to 8 players",
        "piles=3,4,5,take=any,misere=no,players=2",
    ),
    GameEntry(
        "monopoly",
        "monopoly",
        "buy, build, collect rent; 2 to 6 players, dice and cards",
        "players=4,rounds=100,money=1500,score=win",
    ),
    GameEntry("dodgem", "dodgem", "drive your cars off the board past your opponent's", "n=3"),
    GameEntry(
        "pacman",
        "pacman",
        "eat the dots, avoid the ghosts; text layouts",
        "layout=small,ghosts=minimax,stop=yes,steps=500",
        files={"layout": pacman_layouts},
    ),
    GameEntry("pig", "pig", "roll or hold; a 1 loses the points of the turn", "target=100"),
    GameEntry("2048", "game_2048", "slide and merge tiles; chance adds one per move", "fours=0.1"),
    GameEntry(
        "scrabble",
        "scrabble",
        "form words from hidden racks; needs a word list file",
        "words=default,score=points",
        files={"words": lambda: ["default"]},
    ),
    GameEntry(
        "stratego",
        "stratego",
        "capture the flag with hidden pieces; also Barrage",
        "board=classic,setup=players",
    ),
    GameEntry("split-nim", "split_nim", "split a pile into two unequal piles", "piles=7"),
)


def names() -> list[str]:
    """The names that :func:`load` knows."""
    return [g.name for g in GAMES]


def load(spec: str) -> Game:
    """The game called `spec`.

    ``"connect-four"``, with options ``"tic-tac-toe:m=4,n=4,k=4"``, a class in a file
    ``"mygame.py:MyGame"``, a tree ``"max(min(3 12 8) min(2 4 6))"``, a file of Gambit's
    ``"game.efg"``, or a matrix ``"3,3 0,5; 5,0 1,1"``.
    """
    if not isinstance(spec, str):
        raise UsageError(f"load takes a name, not {spec!r}", "known: " + ", ".join(names()))
    name, _, rest = spec.strip().partition(":")
    if name.endswith(".py") or ".py:" in spec:
        path, _, cls = spec.strip().partition(".py")
        return load_file(f"{path}.py", cls.lstrip(":"))
    if spec.strip().endswith(".efg"):
        from ..explicit.efg import read_file

        return read_file(spec.strip())
    if name == "open_spiel":
        raise UsageError("games of OpenSpiel cannot be loaded yet", "known: " + ", ".join(names()))
    for entry in GAMES:
        if entry.name == name:
            module = importlib.import_module(f".{entry.module}", __name__)
            game = module.make(spec.strip(), **parse_options(entry, rest))
            assert isinstance(game, Game)
            return game
    if ";" in spec:
        from ..equilibrium.matrix import matrix

        return matrix(spec)
    if "(" in spec:
        from ..explicit.tree import tree

        return tree(spec)
    raise UsageError(f"there is no game {name!r}", elsewhere(name) or suggest(name, names()))


def elsewhere(name: str) -> str:
    """A hint where a one-shot game has that name; else ""."""
    from ..equilibrium.matrix import CLASSICS

    return f"it is a one-shot game: zermelo equilibrium {name}" if name in CLASSICS else ""


def names_file(spec: str) -> bool:
    """Whether loading `spec` would read a file. Does not touch the file system."""
    name, _, rest = spec.strip().partition(":")
    if spec.strip().endswith(".efg"):
        return True
    entry = next((g for g in GAMES if g.name == name.strip()), None)
    if entry is None:
        return False
    options = parse_options(entry, rest)
    return any(o in entry.files and v not in entry.files[o]() for o, v in options.items())


def parse_options(entry: GameEntry, text: str) -> dict[str, str]:
    """``"piles=3,4,5,take=2"`` -> ``{"piles": "3,4,5", "take": "2"}``."""
    known = [part.split("=")[0] for part in entry.options.split(",") if "=" in part]
    found: dict[str, str] = {}
    last = ""
    for part in text.split(",") if text.strip() else []:
        key, equals, value = part.partition("=")
        if not equals and last:
            found[last] += "," + key.strip()  # a list goes on
            continue
        last = key.strip()
        if not equals and last in known:
            raise UsageError(
                f"{entry.name}: {last} has no value", f"as {entry.name}:{entry.options}"
            )
        if not equals or last not in known:
            raise UsageError(
                f"{entry.name} has no option {last!r}",
                f"{suggest(last, known)} (as in {entry.name}:{entry.options})",
            )
        if last in found:
            raise UsageError(f"{entry.name}: option {last!r} is given twice", "give it once")
        found[last] = value.strip()
    return found


def canonical(spec: str) -> str:
    """The name with all options written out, so that two ways to write a game are one."""
    name, _, rest = spec.strip().partition(":")
    for entry in GAMES:
        if entry.name == name:
            chosen = parse_options(entry, entry.options) | parse_options(entry, rest)
            return f"{name}:" + ",".join(f"{k}={v}" for k, v in chosen.items())
    return spec


def load_file(path: str, cls: str) -> Game:
    """An instance of the class `cls` in the Python file `path`."""
    if not cls:
        raise UsageError(f"{path} names a file but no game", f"write {path}:MyGame")
    return make_instance(run_file(path), path, cls)


def function_of(path: str, name: str) -> Any:
    """The function `name` in the Python file `path`."""
    module = run_file(path)
    found = getattr(module, name, None)
    if not callable(found):
        public = [n for n, v in vars(module).items() if callable(v) and n[0] != "_"]
        raise UsageError(f"{path} has no function {name}", suggest(name, public))
    return found


def run_file(path: str) -> Any:
    """A Python file as a module."""
    file = Path(path)
    if not is_file(file):
        raise UsageError(f"there is no file {path}", "give the path of a Python file")
    module_name = f"zermelo_user_{file.stem}"
    spec = importlib.util.spec_from_file_location(module_name, file)
    if spec is None or spec.loader is None:
        raise UsageError(f"{path} is not a Python file", "it should end in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    sys.path.insert(0, str(file.parent.resolve()))  # so that the file may import its neighbours
    try:
        spec.loader.exec_module(module)
    except ZermeloError:
        raise
    except Exception as e:
        raise UsageError(f"{path} cannot be run: {type(e).__name__}: {e}", where(e, path)) from e
    finally:
        sys.path.pop(0)
    return module


def make_instance(module: Any, path: str, cls: str) -> Game:
    found = getattr(module, cls, None)
    if found is None:
        public = [n for n, v in vars(module).items() if isinstance(v, type) and n[0] != "_"]
        raise UsageError(f"{path} has no class {cls}", suggest(cls, public))
    if isinstance(found, type):
        try:
            found = found()
        except Exception as e:
            raise UsageError(
                f"{cls}() cannot be made: {type(e).__name__}: {e}",
                "a game that is loaded by name takes no arguments",
            ) from e
    return as_game(found)


def where(error: BaseException, path: str) -> str:
    """The line of the user's file at which `error` arose."""
    if isinstance(error, SyntaxError):
        return f"see line {error.lineno}"
    line = 0
    tb = error.__traceback__
    while tb is not None:
        if tb.tb_frame.f_code.co_filename.endswith(Path(path).name):
            line = tb.tb_lineno
        tb = tb.tb_next
    return f"see line {line}" if line else ""


def whole(name: str, text: str, least: int, most: int) -> int:
    """An option's value as a whole number."""
    try:
        value = int(text)
    except ValueError:
        raise UsageError(f"{name}={text!r} is not a whole number", f"{least} to {most}") from None
    if not least <= value <= most:
        raise UsageError(f"{name}={value} is out of range", f"{least} to {most}")
    return value
