"""Schemas of the requests that a page may send, with their limits."""

from __future__ import annotations

import json
import re
from typing import Annotated, Any, Literal, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
)
from pydantic_core import PydanticCustomError

from ...errors import UsageError
from ...search.algorithms import shared_option

Name = Annotated[str, Field(min_length=1, max_length=400)]
Algorithm = Annotated[str, Field(min_length=1, max_length=40)]
Choice = Annotated[str, Field(min_length=1, max_length=40)]  # of an algorithm's option
Position = Annotated[str, Field(max_length=20_000)]
Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Depth = Annotated[int, Field(ge=1, le=1000)]
Version = Annotated[int, Field(ge=0, lt=2**62)]
Moves = Annotated[list[Annotated[int, Field(ge=0)]], Field(max_length=2000)]  # indices
Key = Annotated[str, Field(min_length=1, max_length=64)]


# In a body: strings, and the bytes of everything outside of them.
STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
LONGEST_FRAME = 100_000

Node = Annotated[int, Field(ge=0, lt=2**31)]
Opened = Annotated[list[Annotated[list[Node], Field(min_length=2, max_length=2)]],
                   Field(max_length=2000)]  # node, how many of its children are shown  # fmt: skip
Closed = Annotated[list[Node], Field(max_length=2000)]


class Message(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Strength(Message):
    opponent: Algorithm = "auto"
    side: Annotated[int, Field(ge=-1, le=63)] = 0  # -1: people play all sides
    time: Seconds | None = None
    depth: Depth | None = None
    level: Annotated[int, Field(ge=1, le=10)] | None = None


class NewPlay(Strength):
    game: Name
    position: Position = ""


class ChangeOpponent(Strength):
    version: Version


class PlayMove(Message):
    move: Annotated[int, Field(ge=0, lt=1_000_000)]
    version: Version


class Undo(Message):
    version: Version


class Resign(Message):
    version: Version


class Place(Message):
    game: Name
    position: Position = ""
    moves: Moves = []
    roll: bool = False  # sample chance moves until a player is to move


class Estimate(Message):
    play: Key | None = None  # a saved game, or:
    game: Name | None = None
    position: Position = ""
    moves: Moves = []


class ExplainIllegal(Estimate):
    square: Name  # that a person clicked, although no legal move is there


class ReadRecord(Message):
    game: Name
    text: Annotated[str, Field(max_length=200_000)]


TREE_OPTIONS = ("cut", "fail")  # options of algorithms that the form for trees offers


class TreeRequest(Message):
    text: Annotated[str, Field(max_length=2_500_000)] | None = None
    game: Name | None = None
    position: Position = ""
    depth: Annotated[int, Field(ge=1, le=64)] | None = None
    algorithm: Algorithm = "auto"
    cut: Choice | None = None
    fail: Choice | None = None
    nodes: Annotated[int, Field(ge=10, le=4000)] = 600  # drawn; the rest is folded
    step: Annotated[int, Field(ge=0)] | None = None
    opened: Opened = []
    closed: Closed = []

    @field_validator(*TREE_OPTIONS)
    @classmethod
    def _is_accepted(cls, value: str | None, info: ValidationInfo) -> Any:
        """Check an option of the algorithm against the option table."""
        if value is None:
            return None
        option = shared_option(info.field_name or "")
        try:
            return option.check(value)
        except UsageError as e:
            raise PydanticCustomError("option", "{hint}", {"hint": e.hint}) from None


class FoldRequest(Message):
    """Fold a tree that is still cached in another way."""

    key: Key
    nodes: Annotated[int, Field(ge=10, le=4000)] = 600
    opened: Opened = []
    closed: Closed = []


class ExportRequest(TreeRequest):
    format: Literal["svg", "html", "text"]
    theme: Literal["auto", "light", "dark"] = "light"


class Analyse(Message):
    do: Literal["analyse"]
    id: Annotated[int, Field(ge=0, lt=2**53)]
    play: Key | None = None  # a saved game, or:
    game: Name | None = None
    position: Position = ""
    moves: Moves = []
    algorithm: Algorithm = "auto"
    time: Seconds | None = None
    depth: Depth | None = None
    lines: Annotated[int, Field(ge=1, le=1000)] = 1


class Go(Message):
    do: Literal["go"]
    id: Annotated[int, Field(ge=0, lt=2**53)]
    play: Key


class Watch(Message):
    do: Literal["watch"]
    play: Key | None = None


class Stop(Message):
    do: Literal["stop"]


class Malformed(UsageError):
    """A request with missing or invalid fields."""


M = TypeVar("M", bound=Message)
MESSAGES: dict[str, type[Message]] = {"analyse": Analyse, "go": Go, "watch": Watch, "stop": Stop}


def parse_json(body: bytes) -> Any:
    """Parse a request body.

    Large bodies are accepted only if they are one long string (a tree): parsing a million numbers
    would block the interpreter for a tenth of a second.
    """
    try:
        if len(body) > LONGEST_FRAME and len(STRING.sub(b"", body)) > LONGEST_FRAME:
            raise ValueError
        return json.loads(body)
    except (ValueError, RecursionError):
        raise UsageError("the request is not JSON", "reload the page") from None


def read(kind: type[M], data: Any) -> M:
    """Validate a request; raise :class:`Malformed` with the first error."""
    try:
        return kind.model_validate(data)
    except ValidationError as e:
        raise malformed(list(e.errors(include_url=False, include_context=False))) from None


def malformed(errors: list[Any]) -> Malformed:
    """Describe the first of pydantic's errors."""
    first = errors[0]
    where = ".".join(str(part) for part in first["loc"] if part != "body") or "the request"
    return Malformed(f"{where}: {first['msg']}", "reload the page")
