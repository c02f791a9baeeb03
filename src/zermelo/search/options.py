"""Options of algorithms: what is declared beside an algorithm's C++ code, and its validation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..checks import whole
from ..errors import UsageError

COMPARISONS = {">=": "≥", ">": ">"}  # aliases of choices, as forms print them


class Situation(NamedTuple):
    """The situation that the default of an option may depend on."""

    automatic: bool = False  # "auto" chose the algorithm
    lecture: bool = False  # the search is traced or searches an explicit tree


@dataclass(frozen=True, slots=True)
class SearchOption:
    """One option of one algorithm."""

    name: str
    doc: str  # one line
    type: str  # flag | whole | real | choice | algorithm
    default: Any  # None: no default
    min: Any  # of numbers
    max: Any
    choices: tuple[str, ...]
    notes: Mapping[str, str]  # what each choice means
    value_aliases: Mapping[str, str]  # other spellings of choices
    aliases: tuple[str, ...]  # former names
    announced: bool  # Result.why states the note of the choice
    native: bool  # passed to the native search; else read by the front end
    policy: bool  # a policy is accepted as well
    situational: Mapping[Situation, Any]  # defaults that differ from `default`

    def default_in(self, situation: Situation) -> Any:
        """The default in a situation."""
        return self.situational.get(situation, self.default) if self.situational else self.default

    @property
    def accepted(self) -> str:
        """The accepted values, as a phrase."""
        if self.type == "flag":
            return "True or False"
        if self.type == "whole":
            return f"a whole number from {self.min} to {self.max}"
        if self.type == "real":
            return f"a number from {self.min:g} to {self.max:g}"
        return "one of: " + ", ".join(self.choices)

    @property
    def range(self) -> str:
        """The accepted values, in short: for tables."""
        if self.type == "flag":
            return "on, off"
        if self.type in ("whole", "real"):
            return f"{self.min:g} to {self.max:g}" if self.type == "real" else self._whole_range()
        return ", ".join(self.choices)

    def _whole_range(self) -> str:
        return f"{self.min} or more" if self.max > 10**12 else f"{self.min} to {self.max}"

    def check(self, value: Any) -> Any:
        """The value as a plain Python value.

        Raises:
            UsageError: It is not among the accepted values.
        """
        checked: Any = None
        if self.type == "flag":
            checked = value if isinstance(value, bool) else None
        elif self.type == "whole":
            checked = whole(value)
        elif self.type == "real":
            fits = isinstance(value, int | float) and not isinstance(value, bool)
            checked = float(value) if fits else None
        elif isinstance(value, str):
            checked = self.value_aliases.get(value, value)
        if checked is None or not self._contains(checked):
            raise UsageError(f"invalid {self.name}={value!r}", f"expected {self.accepted}")
        return checked

    def _contains(self, value: Any) -> bool:
        if self.type == "flag":
            return True
        if self.type in ("whole", "real"):
            return bool(self.min <= value <= self.max)
        return value in self.choices

    def note(self, value: Any) -> str:
        """The note in Result.why about this choice, or ""."""
        text = self.notes.get(value, "") if self.announced else ""
        return text and f"{text} ({self.name}={value})"

    def label(self, choice: str) -> str:
        """A choice in a form: `value ≥ β` for a comparison, else as in `fail-soft`."""
        signs = {name: alias for alias, name in self.value_aliases.items()}
        if sign := COMPARISONS.get(signs.get(choice, "")):
            return f"value {sign} β"
        return f"{self.name}-{choice}"

    def to_dict(self) -> dict[str, Any]:
        """As plain data, for JSON and forms; the same keys as options of games have."""
        kind = {"real": "number", "algorithm": "choice"}.get(self.type, self.type)
        facts: dict[str, Any] = {"name": self.name, "kind": kind, "doc": self.doc}
        facts["default"] = self.default if self.default != float("inf") else "inf"
        if self.type in ("whole", "real"):
            facts["min"] = self.min
            facts["max"] = self.max if self.max != float("inf") else None
        if self.choices:
            facts["choices"] = list(self.choices)
        return facts


def option_from(raw: Mapping[str, Any]) -> SearchOption:
    """An option as the native table declares it."""
    situations = {
        "lecture": [Situation(False, True), Situation(True, True)],
        "automatic": [Situation(True, False)],
        "automatic_lecture": [Situation(True, True)],
    }
    situational: dict[Situation, Any] = {}
    for name, covered in situations.items():
        if name in raw:
            situational |= dict.fromkeys(covered, raw[name])
    choices = raw["choices"]
    return SearchOption(
        name=raw["name"],
        doc=raw["doc"],
        type=raw["type"],
        default=raw["default"],
        min=raw["min"],
        max=raw["max"],
        choices=tuple(name for name, _, _ in choices),
        notes={name: note for name, note, _ in choices if note},
        value_aliases={alias: name for name, _, alias in choices if alias},
        aliases=tuple(raw["aliases"]),
        announced=raw["announced"],
        native=raw["native"],
        policy=raw["policy"],
        situational=situational,
    )


def shown(value: Any) -> str:
    """A default in command-line notation: on and off for flags."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
