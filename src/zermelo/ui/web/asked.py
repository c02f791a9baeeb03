"""What a page may send, with its bounds; anything else is refused in a sentence."""

from __future__ import annotations

import json
import re
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ...errors import UsageError

Name = Annotated[str, Field(min_length=1, max_length=400)]
Algorithm = Annotated[str, Field(min_length=1, max_length=40)]
Position = Annotated[str, Field(max_length=20_000)]
Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Depth = Annotated[int, Field(ge=1, le=1000)]
Version = Annotated[int, Field(ge=0, lt=2**62)]
Key = Annotated[str, Field(min_length=1, max_length=64)]


# In a body: strings, and the bytes of everything outside of them.
STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
LONGEST_FRAME = 100_000

Node = Annotated[int, Field(ge=0, lt=2**31)]
Opened = Annotated[list[Annotated[list[Node], Field(min_length=2, max_length=2)]],
                   Field(max_length=2000)]  # node, how many of its children are shown  # fmt: skip
Closed = Annotated[list[Node], Field(max_length=2000)]


class Asked(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Strength(Asked):
    opponent: Algorithm = "auto"
    side: Annotated[int, Field(ge=-1, le=63)] = 0  # -1: persons on all sides
    time: Seconds | None = None
    depth: Depth | None = None
    level: Annotated[int, Field(ge=1, le=10)] | None = None


class NewPlay(Strength):
    game: Name
    position: Position = ""


class ChangedPlay(Strength):
    version: Version


class PlayedMove(Asked):
    move: Annotated[int, Field(ge=0, lt=1_000_000)]
    version: Version


class Undo(Asked):
    version: Version


class Place(Asked):
    game: Name
    position: Position = ""
    moves: Annotated[list[Annotated[int, Field(ge=0)]], Field(max_length=2000)] = []
    roll: bool = False  # let chance move at random until a player is to move


class TreeAsked(Asked):
    text: Annotated[str, Field(max_length=2_500_000)] | None = None
    game: Name | None = None
    position: Position = ""
    depth: Annotated[int, Field(ge=1, le=64)] | None = None
    algorithm: Algorithm = "auto"
    cut: Literal["equal", "strict"] | None = None
    fail: Literal["soft", "hard"] | None = None
    nodes: Annotated[int, Field(ge=10, le=4000)] = 600  # drawn; the rest is folded
    step: Annotated[int, Field(ge=0)] | None = None
    opened: Opened = []
    closed: Closed = []


class FoldAsked(Asked):
    """Another folding of a tree that was searched a moment ago."""

    key: Key
    nodes: Annotated[int, Field(ge=10, le=4000)] = 600
    opened: Opened = []
    closed: Closed = []


class ExportAsked(TreeAsked):
    format: Literal["svg", "html", "text"]
    theme: Literal["auto", "light", "dark"] = "light"


class Analyse(Asked):
    do: Literal["analyse"]
    id: Annotated[int, Field(ge=0, lt=2**53)]
    play: Key | None = None  # a game that is kept, or:
    game: Name | None = None
    position: Position = ""
    moves: Annotated[list[Annotated[int, Field(ge=0)]], Field(max_length=2000)] = []
    algorithm: Algorithm = "auto"
    time: Seconds | None = None
    depth: Depth | None = None
    lines: Annotated[int, Field(ge=1, le=1000)] = 1


class Go(Asked):
    do: Literal["go"]
    id: Annotated[int, Field(ge=0, lt=2**53)]
    play: Key


class Watch(Asked):
    do: Literal["watch"]
    play: Key | None = None


class Stop(Asked):
    do: Literal["stop"]


class Malformed(UsageError):
    """A request that does not have the fields it should have."""


Wanted = TypeVar("Wanted", bound=Asked)
MESSAGES: dict[str, type[Asked]] = {"analyse": Analyse, "go": Go, "watch": Watch, "stop": Stop}


def parse_json(body: bytes) -> Any:
    """What a page sent. Large bodies are texts of trees; everything else in them is short.

    A million numbers would hold the interpreter for a tenth of a second while they are read.
    """
    try:
        if len(body) > LONGEST_FRAME and len(STRING.sub(b"", body)) > LONGEST_FRAME:
            raise ValueError
        return json.loads(body)
    except (ValueError, RecursionError):
        raise UsageError("the request is not JSON", "reload the page") from None


def read(kind: type[Wanted], data: Any) -> Wanted:
    """The request, or what is wrong with it."""
    try:
        return kind.model_validate(data)
    except ValidationError as e:
        raise complaint(list(e.errors(include_url=False, include_context=False))) from None


def complaint(errors: list[Any]) -> Malformed:
    """The first of pydantic's errors in a sentence."""
    first = errors[0]
    where = ".".join(str(part) for part in first["loc"] if part != "body") or "the request"
    return Malformed(f"{where}: {first['msg']}", "reload the page if it is an old one")
