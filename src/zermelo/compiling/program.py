"""The program that is being put together: functions, constants and types that the rules reach."""

from __future__ import annotations

import ast
import base64
import enum
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import CompileError
from . import trees
from .layout import (
    Branch,
    Leaf,
    RecordState,
    Shape,
    State,
    field_hints,
    is_namedtuple,
    kind_of_type,
)
from .source import Source, local_names, source_of
from .stream import SINK, is_generator
from .tables import SMALL_ROW, Table, table_of

CAST = {"u": "_np.uint64", "f": "_np.float64"}
PLAIN, STREAM, ODDS = "", "__stream", "__odds"  # what a function becomes; see stream.py


@dataclass
class Made:
    """A finished function, in the user's lines."""

    node: ast.FunctionDef
    file: str
    plain: bool = True  # not a generator


class Program:
    """Collects what the rules of `game` need, each thing once, under a name of its own."""

    def __init__(self, game: Any, layout: State, actions: Shape) -> None:
        self.game = game
        self.records = isinstance(layout, RecordState)
        self.functions: dict[str, Made] = {}
        self.constants: dict[str, str] = {}
        self.unsigned = False  # uint64 occurs
        self.calls: dict[str, set[str]] = {}
        self._names: dict[Any, str] = {}
        self._keep: list[Any] = []  # ids are names here, so nothing may die
        self._tables: dict[int, tuple[str, Table] | None] = {}
        self.tuples: dict[Any, str] = {}
        self.casters: dict[str, str] = {}  # form: name
        self._shapes: dict[Any, Branch] = {}
        if not isinstance(layout, RecordState):
            self._learn(layout.shape)
        else:
            self.unsigned = "u8" in str(layout.dtype)
        self._learn(actions)

    def _learn(self, shape: Shape) -> None:
        if isinstance(shape, Leaf):
            self.unsigned |= shape.kind == "u"
            return
        if shape.cls is not None:
            self._shapes.setdefault(shape.cls, shape)
            self.namedtuple(shape.cls)
        for item in shape.items:
            self._learn(item)

    def fresh(self, prefix: str, wish: str) -> str:
        """A name that is not taken yet."""
        base = prefix + "".join(c if c.isalnum() else "_" for c in wish)
        name, n = base, 1
        while name in self.functions or name in self.constants or name in self.calls:
            n += 1
            name = f"{base}_{n}"
        return name

    # -- functions -------------------------------------------------------------------------
    def function(self, function: Any, bound: Any, owner: Any, variant: str = PLAIN) -> str:
        """The generated name of a function of the user's, which is compiled too."""
        key = (id(function), id(bound), variant)
        if key not in self._names:
            self._keep += [function, bound]
            source = source_of(function, bound, owner)
            self._names[key] = name = self.fresh("m__", function.__name__ + variant)
            self.calls[name] = set()
            self.add(name, source, variant)
        return self._names[key]

    def add(self, name: str, source: Source, variant: str = PLAIN) -> None:
        """Rewrite a function and put it into the program."""
        from .rewrite import Rewriter  # the two files call each other

        self.calls.setdefault(name, set())
        rewriter = Rewriter(self, source, name)
        node = source.node
        body, extra = node.body, ["_z_m"] if self.records else []
        if variant:
            sink = SINK if variant == STREAM else ("_z_odds", *SINK)
            body, extra = rewriter.stream(variant == ODDS), [*extra, *sink]
        arguments = ast.arguments(
            [],
            [ast.arg(p) for p in extra]
            + [ast.arg(a.arg) for a in (*node.args.posonlyargs, *node.args.args)],
            None,
            [ast.arg(a.arg) for a in node.args.kwonlyargs],
            [rewriter.visit(d) if d else None for d in node.args.kw_defaults],
            None,
            [rewriter.visit(d) for d in node.args.defaults],
        )
        made = trees.function(name, [], rewriter.block(body))
        made.args = arguments
        ast.copy_location(made, node)
        trees.at(made, node)
        self.functions[name] = Made(made, source.file, not is_generator(made))

    def helper(self, wish: str, text: str) -> str:
        """A small function of our own, `text` with NAME for its name."""
        key = ("helper", wish, text)
        if key not in self._names:
            name = self._names[key] = self.fresh("h__", wish)
            self.calls[name] = set()
            node = ast.parse(text.replace("NAME", name)).body[0]
            assert isinstance(node, ast.FunctionDef)
            for sub in ast.walk(node):
                if hasattr(sub, "lineno"):
                    sub.lineno = 0  # nobody wrote it
            self.functions[name] = Made(node, "")
        return self._names[key]

    def lifted(self, source: Source, wish: str, parameters: list[str], body: list[ast.stmt]) -> str:
        """A part of `source` as a function of its own; returns its name."""
        name = self.fresh("g__", wish)
        node = trees.function(name, parameters, body)
        trees.at(node, source.node)
        part = Source(
            source.name, node, source.file, source.scope, source.bound, source.owner,
            source.self_name, local_names(node),
        )  # fmt: skip
        self.add(name, part)
        return name

    def recursive(self, name: str) -> bool:
        """Can the function reach itself?"""
        seen: set[str] = set()
        queue = list(self.calls.get(name, ()))
        while queue:
            other = queue.pop()
            if other == name:
                return True
            if other not in seen:
                seen.add(other)
                queue += self.calls.get(other, ())
        return False

    # -- constants -------------------------------------------------------------------------
    def number(self, value: Any) -> ast.expr | None:
        """A number, None or text, written down in place."""
        if isinstance(value, enum.Enum):
            value = value.value
        if value is None or isinstance(value, (bool, str)):
            return ast.Constant(value)
        if isinstance(value, np.generic):
            self.unsigned |= isinstance(value, np.uint64)
            if isinstance(value, (np.bool_, np.integer, np.floating)):
                return trees.expression(f"_np.{type(value).__name__}({value.item()!r})")
            return None
        if isinstance(value, int):
            if not -(2**63) <= value < 2**64:
                raise CompileError(f"{value} does not fit 64 bits")
            self.unsigned |= value >= 2**63
            return trees.expression(repr(int(value)))
        if isinstance(value, float):
            odd = {"inf": "_np.inf", "-inf": "-_np.inf", "nan": "_np.nan"}
            return trees.expression(odd.get(repr(float(value)), repr(float(value))))
        return None

    def constant(self, value: Any, wish: str) -> ast.expr | None:
        """A number in place, a tuple or an array by name; None if it is neither."""
        number = self.number(value)
        if number is not None:
            return number
        if isinstance(value, range):
            return trees.expression(repr(value))
        if not isinstance(value, (tuple, list, set, frozenset, np.ndarray)):
            return None
        text = self._text(value)
        if text is None:
            return None
        key = ("constant", text)
        if key not in self._names:
            self._names[key] = name = self.fresh("k__", wish)
            self.constants[name] = text
        return trees.name(self._names[key])

    def _text(self, value: Any) -> str | None:
        if isinstance(value, np.ndarray):
            if value.dtype.kind not in "iufb":
                return None
            self.unsigned |= value.dtype == np.uint64
            return _array_text(value)
        if isinstance(value, (tuple, list, set, frozenset)):
            items = [self._text(v) for v in value]
            if any(i is None for i in items):
                return None
            made = f"({', '.join(map(str, items))}{',' if len(items) == 1 else ''})"
            if is_namedtuple(type(value)):
                return f"{self.namedtuple(type(value))}{made}"
            return made
        number = self.number(value)
        return None if number is None else ast.unparse(number)

    def table(self, value: Any, wish: str) -> tuple[str, Table] | None:
        """The array of a constant tuple or list of numbers, and its name."""
        if id(value) not in self._tables:
            self._keep.append(value)
            table = None if is_namedtuple(type(value)) else table_of(value)
            if isinstance(value, range) or table is None:
                self._tables[id(value)] = None
            else:
                self.unsigned |= table.array.dtype == np.uint64
                node = self.constant(table.array, wish)
                assert isinstance(node, ast.Name)
                self._tables[id(value)] = node.id, table
        return self._tables[id(value)]

    def row(self, name: str, table: Table, depth: int) -> str:
        """A function that gives the rest of a table after `depth` indices as one value."""
        indices = ", ".join("ijk"[:depth])
        rest = table.array.shape[depth:]
        if table.lengths is not None and depth == 1:
            lengths = self.constant(np.array(table.lengths), f"{name[3:]}_lengths")
            assert isinstance(lengths, ast.Name)
            text = f"{name}[i, :{lengths.id}[i]]"
        elif len(rest) == 1 and rest[0] <= SMALL_ROW:
            items = [f"{name}[{indices}, {n}]" for n in range(rest[0])]
            text = f"({', '.join(items)}{',' if len(items) == 1 else ''})"
        else:
            text = f"{name}[{indices}]"
        return self.helper(f"{name[3:]}_row", f"def NAME({indices}):\n    return {text}")

    # -- named tuples ----------------------------------------------------------------------
    def namedtuple(self, cls: Any) -> str:
        """The name of the class in the generated module."""
        if cls not in self.tuples:
            taken = set(self.tuples.values())
            name, n = f"t__{cls.__name__}", 1
            while name in taken:
                n += 1
                name = f"t__{cls.__name__}_{n}"
            self.tuples[cls] = name
        return self.tuples[cls]

    def form(self, shape: Shape) -> str:
        """The text of a shape as runtime.py reads it."""
        if isinstance(shape, Leaf):
            return repr(shape.kind)
        items = ", ".join(self.form(item) for item in shape.items)
        return f"({self.namedtuple(shape.cls) if shape.cls else None}, [{items}])"

    def caster(self, shape: Shape) -> str:
        """The name of a function that casts to `shape`."""
        form = self.form(shape)
        if form not in self.casters:
            self.casters[form] = f"_z_cast{len(self.casters)}"
        return self.casters[form]

    def make(self, cls: Any, values: dict[str, ast.expr]) -> ast.expr:
        """A `cls` of these fields, each cast to its type.

        Otherwise State(s.me, 0) with a field of np.uint64 would be another type than the state.
        """
        items = []
        hints = field_hints(cls)
        shape = self._shapes.get(cls)
        for field in cls._fields:
            value = values.get(field)
            if value is None:
                value = self.constant(cls._field_defaults.get(field), f"{cls.__name__}_{field}")
            if field not in values and (field not in cls._field_defaults or value is None):
                raise CompileError(f"{cls.__name__} is made without {field!r}")
            assert value is not None
            # Without a sample only the annotation is known, and an int may hold a uint64.
            kind = kind_of_type(hints.get(field))
            if shape is None and kind in ("u", "f"):
                self.unsigned |= kind == "u"
                value = trees.call(CAST[kind], value)
            items.append(value)
        made = trees.call(self.namedtuple(cls), *items)
        return made if shape is None else trees.call(self.caster(shape), made)


def _array_text(value: np.ndarray[Any, Any]) -> str:
    """Source that makes the array; long ones as base64."""
    dtype = value.dtype.newbyteorder("=").str
    if value.size <= 1024 and np.isfinite(value).all():
        return f"_np.array({value.tolist()!r}, dtype={dtype!r})"
    data = base64.b64encode(np.ascontiguousarray(value).tobytes()).decode()
    return f"_np.frombuffer(_b64({data!r}), dtype={dtype!r}).reshape({value.shape!r})"
