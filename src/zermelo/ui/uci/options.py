"""The UCI options: one table for the replies to `uci` and for `setoption`."""

from __future__ import annotations

from dataclasses import dataclass

from ...errors import UsageError, suggest

MAX_LINES = 218  # no position has more legal moves
MAX_SEED = 2**31 - 1


@dataclass
class Settings:
    """The options as the engine reads them."""

    hash: int = 64  # megabytes
    threads: int = 1
    multipv: int = 1
    ponder: bool = False  # declares support for pondering
    overhead: int = 10  # milliseconds lost between us and the client's clock
    chess960: bool = False
    limit_strength: bool = False
    elo: int = 1800
    variety: int = 0  # centipawns that an opening move may be worse than the best
    seed: int = 0  # 0: another one each time


@dataclass(frozen=True)
class Option:
    name: str
    field: str  # of Settings; "": a button
    least: int = 0
    most: int = 0

    def text(self, defaults: Settings) -> str:
        """As `uci` is answered."""
        if not self.field:
            return f"option name {self.name} type button"
        value = getattr(defaults, self.field)
        if isinstance(value, bool):
            return f"option name {self.name} type check default {str(value).lower()}"
        spin = f"type spin default {value} min {self.least} max {self.most}"
        return f"option name {self.name} {spin}"


OPTIONS = (
    Option("Hash", "hash", 1, 65536),
    Option("Clear Hash", ""),
    Option("Threads", "threads", 1, 256),
    Option("MultiPV", "multipv", 1, MAX_LINES),
    Option("Ponder", "ponder"),
    Option("Move Overhead", "overhead", 0, 10_000),
    Option("UCI_Chess960", "chess960"),
    Option("UCI_LimitStrength", "limit_strength"),
    Option("UCI_Elo", "elo", 1000, 2600),
    Option("Variety", "variety", 0, 1000),
    Option("Seed", "seed", 0, MAX_SEED),
)


def described() -> list[str]:
    """The options, a line each."""
    return [option.text(Settings()) for option in OPTIONS]


def set_option(settings: Settings, words: list[str]) -> Option:
    """Sets an option from ``name … value …`` and returns it."""
    lower = [w.lower() for w in words]
    if not lower or lower[0] != "name":
        raise UsageError("setoption has no name", "e.g. setoption name Hash value 64")
    at = lower.index("value") if "value" in lower else len(words)
    name, value = " ".join(words[1:at]), " ".join(words[at + 1 :])
    found = next((o for o in OPTIONS if o.name.lower() == name.lower()), None)
    if found is None:
        raise UsageError(f"unknown option {name!r}", suggest(name, [o.name for o in OPTIONS]))
    if found.field:
        setattr(settings, found.field, _value(found, value, settings))
    return found


def _value(option: Option, text: str, settings: Settings) -> int | bool:
    if isinstance(getattr(settings, option.field), bool):
        if text.lower() not in ("true", "false"):
            raise UsageError(f"invalid value {text!r} of {option.name}", "expected true or false")
        return text.lower() == "true"
    try:
        number = int(text)
    except ValueError:
        number = option.least - 1
    if not option.least <= number <= option.most:
        raise UsageError(
            f"{option.name} cannot be {text[:40]!r}", f"{option.least} to {option.most}"
        )
    return number
