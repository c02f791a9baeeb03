"""The generated module: its text, and the map from its lines to the user's."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

from ..errors import CompileError
from ..game import defines
from .actioncode import ActionCode
from .layout import Branch, Leaf, RecordState, Shape, State
from .program import ODDS, PLAIN, STREAM, Program
from .rewrite import Rewriter
from .source import Source, unwrapped
from .widen import Strict, Widener

GENERATOR = 2  # increase it if the generated code changes for the same rules
ERRORS = {
    1: "is_terminal or player", 2: "actions", 3: "result", 4: "utility", 5: "evaluate", 6: "noisy",
    7: "outcomes", 8: "observation", 16: "an action that does not fit 32 bits",
}  # fmt: skip
INLINE_NODES = 400  # larger functions are called

HEAD = '''\
"""Rules compiled by zermelo. Made by a program; changes are lost."""
import math as _math
import operator as _operator
from base64 import b64decode as _b64
from collections import namedtuple as _namedtuple

import numpy as _np

from zermelo.compiling import runtime as _rt

_inline, _plain = _rt.helper(forceinline=True), _rt.helper()
'''


@dataclass
class Module:
    """Generated source, and for each of its lines the user's file and line."""

    text: str
    lines: dict[int, tuple[str, int]]
    entries: list[str]


class Emitter:
    def __init__(self, game: Any, layout: State, actions: ActionCode) -> None:
        self.game, self.layout, self.actions = game, layout, actions
        self.program = Program(game, layout, actions.shape)

    def module(self) -> Module:
        bodies = self._entries()
        program = self.program
        chunks: list[tuple[str, ast.FunctionDef | None, str]] = [(HEAD, None, "")]
        for cls, name in program.tuples.items():
            fields = " ".join(cls._fields)
            chunks.append((f"{name} = _namedtuple({name!r}, {fields!r})\n", None, ""))
        if isinstance(self.layout, RecordState):
            chunks.append((f"_DTYPE = _np.dtype({_dtype_text(self.layout.dtype)})\n", None, ""))
        for name, text in program.constants.items():
            chunks.append((f"{name} = {text}\n", None, ""))
        chunks.append((self._memory_functions(), None, ""))
        for name, made in program.functions.items():
            node = made.node
            if program.unsigned:
                node = Widener().visit(node)
            node = Strict().visit(node)
            if program.recursive(name):  # compiled recursion could overflow the stack
                raise CompileError(
                    f"{made.file}, line {node.lineno}: {node.name} calls itself",
                    "compiled rules cannot be recursive; use a loop",
                )
            size = sum(1 for _ in ast.walk(node))
            inline = made.plain and size < INLINE_NODES
            decorator = "@_inline" if inline else "@_plain"
            chunks.append((f"{decorator}\n{ast.unparse(node)}\n", node, made.file))
        chunks += [(text, None, "") for text in bodies.values()]
        return _assemble(chunks, list(bodies))

    def _memory_functions(self) -> str:
        """The functions of runtime.py, instantiated for this state and these actions."""
        code = self.actions
        fits = f"{code.fields}, {code.bits}, {code.low}, {code.high}"
        lines = [f"_z_put, _z_put_odds = _rt.putter({fits}), _rt.putter({fits}, True)"]
        if not isinstance(self.layout, RecordState):
            form = self.program.form(self.layout.shape)
            lines.append(f"_z_form = {form}")
            lines.append("_z_load, _z_store = _rt.loader(_z_form), _rt.storer(_z_form)")
        for form, name in self.program.casters.items():
            lines.append(f"{name} = _rt.caster({form})")
        return "\n".join(lines) + "\n"

    # -- the functions that C calls ----------------------------------------------------------
    def _entries(self) -> dict[str, str]:
        """The text of every entry function, by name."""
        terminal, player = self._rule("is_terminal"), self._rule("player")
        mem = "_z_m, " if self.program.records else ""
        texts = {}
        steps = [
            f"if {terminal}({mem}s):",
            "    _z_r = -2",
            "else:",
            f"    _z_r = {player}({mem}s)",
        ]
        texts["to_move"] = self._entry(
            "to_move", 1, "_rt.types.int32", [], steps, "-2", "return _np.int32(_z_r)", early=True
        )
        texts["actions"] = self._stream("actions", 2, STREAM)
        result = self._rule("result")
        texts["play"] = self._play(result, mem)
        for rule, code in (("utility", 4), ("evaluate", 5)):
            if callable(getattr(self.game, rule, None)):
                steps = [
                    f"_z_r = _np.float64({self._rule(rule)}({mem}s, _np.int64(_z_p)))",
                    f"if {'_math.isnan(_z_r)' if code == 4 else 'not _math.isfinite(_z_r)'}:",
                    "    raise ValueError",
                ]
                texts[rule] = self._entry(
                    rule, code, "_rt.types.float64", ["_z_p: int32"], steps, "0.0", "return _z_r"
                )
        if defines(self.game, "noisy"):
            texts["noisy"] = self._stream("noisy", 6, STREAM)
        if defines(self.game, "outcomes"):
            texts["outcomes"] = self._stream("outcomes", 7, ODDS)
        return texts

    def _rule(self, rule: str, variant: str = PLAIN) -> str:
        """The generated name of a rule."""
        method = getattr(self.game, rule)
        asker = Rewriter(self.program, _nowhere(self.game), rule)
        self.program.calls.setdefault(rule, set())
        name = asker._reference(method, variant)
        if name is None:
            what = type(unwrapped(method) or method).__name__
            raise asker.error(asker.source.node, f"{rule} is a {what}", "use a def")
        return name

    def _entry(
        self, name: str, code: int, result: str, more: list[str], steps: list[str], wrong: str,
        end: str, early: bool = False,
    ) -> str:  # fmt: skip
        """One function: load the state, do the steps, set the flag if they raise."""
        kinds = {p.split(": ")[0]: f"_rt.{_KINDS[p.split(': ')[1]]}" for p in more}
        types = ", ".join(["_rt.FLAG", "_rt.MEMORY", *kinds.values()])
        lines = [f"@_rt.entry({result}, {types})"]
        lines.append(f"def {name}({', '.join(['_z_flag', '_z_state', *kinds])}):")
        if early:
            lines += ["    if _z_flag[0] != 0:", "        return _np.int32(-2)"]
        records = isinstance(self.layout, RecordState)
        if records:
            lines.append("    _z_m = _rt.arena()")
        lines.append(f"    s = {self._load()}")
        lines.append("    try:")
        lines += [f"        {step}" for step in steps]
        lines += ["    except Exception:", f"        _z_flag[0] = {code}"]
        lines.append(f"        _z_r = {wrong}")
        lines.append(f"    {end}")
        if records:  # before a return that has its value already, after the copy of a record
            lines.insert(len(lines) - (0 if name == "play" else 1), "    _rt.release(_z_m)")
        return "\n".join(lines) + "\n"

    def _stream(self, rule: str, code: int, variant: str) -> str:
        name = self._rule(rule, variant)
        mem = "_z_m, " if self.program.records else ""
        odds = "_z_odds, " if variant == ODDS else ""
        steps = [f"_z_r = {name}({mem}{odds}_z_out, _np.int64(0), _np.int64(_z_cap), _z_flag, s)"]
        more = ["_z_out: out", *(["_z_odds: odds"] if odds else []), "_z_cap: int32"]
        return self._entry(
            rule, code, "_rt.types.int32", more, steps, "0", "return _np.int32(_z_r)"
        )

    def _play(self, result: str, mem: str) -> str:
        value = f"{result}({mem}s, {_action_text(self.actions, self.program)})"
        store = "_rt.record_to"
        if not isinstance(self.layout, RecordState):
            store = "_z_store"
            if not (isinstance(self.layout.shape, Branch) and self.layout.shape.cls):
                value = f"{self.program.caster(self.layout.shape)}({value})"
        # After an error the result is the same state, never invalid bytes.
        return self._entry(
            "play", 3, "_rt.types.void", ["_z_code: uint32", "_z_next: memory"],
            [f"_z_r = {value}"], "s", f"{store}(_z_next, _z_r)",
        )  # fmt: skip

    def _load(self) -> str:
        if isinstance(self.layout, RecordState):
            return "_rt.record_at(_z_state, _DTYPE)"
        return "_z_load(_z_state)"


_KINDS = {
    "int32": "types.int32", "uint32": "types.uint32", "out": "OUT", "odds": "ODDS",
    "memory": "MEMORY",
}  # fmt: skip


def _action_text(actions: ActionCode, program: Program) -> str:
    """The text that makes the user's action of `_z_code`."""
    numbers = []
    for i in range(actions.fields):
        up = 32 - actions.bits * (i + 1)
        if actions.signed:
            down = 32 - actions.bits
            numbers.append(f"_np.int64(_np.int32(_z_code << _np.uint32({up})) >> {down})")
        else:
            mask = (1 << actions.bits) - 1
            numbers.append(f"_np.int64((_z_code >> _np.uint32({actions.bits * i})) & {mask})")
    queue = iter(numbers)

    def walk(shape: Shape) -> str:
        if isinstance(shape, Leaf):
            return f"({next(queue)} != 0)" if shape.kind == "b" else next(queue)
        items = [walk(item) for item in shape.items]
        made = f"({', '.join(items)}{',' if len(items) == 1 else ''})"
        return made if shape.cls is None else program.namedtuple(shape.cls) + made

    return walk(actions.shape)


def _dtype_text(dtype: Any) -> str:
    """Source of a structured dtype, offsets included."""
    fields = dtype.fields
    names = list(dtype.names)
    formats = []
    for n in names:
        part = fields[n][0]
        if part.names:
            formats.append(_dtype_text(part))
        elif part.subdtype is not None:
            base, shape = part.subdtype
            formats.append(f"({base.str!r}, {shape!r})")
        else:
            formats.append(repr(part.str))
    offsets = [fields[n][1] for n in names]
    return (
        f"{{'names': {names!r}, 'formats': [{', '.join(formats)}], 'offsets': {offsets!r}, "
        f"'itemsize': {dtype.itemsize}}}"
    )


def _nowhere(game: Any) -> Source:
    """A placeholder for the source of a rule that has none yet."""
    node = ast.parse("def rules():\n    pass").body[0]
    assert isinstance(node, ast.FunctionDef)
    return Source(type(game).__name__, node, type(game).__module__, {})


def _assemble(chunks: list[tuple[str, ast.FunctionDef | None, str]], entries: list[str]) -> Module:
    """Join the parts and map the generated lines to the user's lines.

    Unparsing keeps the structure of a tree, so the parsed text and the tree that it was made of
    are walked side by side.
    """
    text = ""
    lines: dict[int, tuple[str, int]] = {}
    for chunk, node, file in chunks:
        start = text.count("\n")
        if node is not None and file:
            again = ast.parse(chunk).body[0]
            assert isinstance(again, ast.FunctionDef)
            again.decorator_list = []
            for new, old in zip(ast.walk(again), ast.walk(node), strict=False):
                where = getattr(old, "lineno", 0)
                if where and hasattr(new, "lineno"):
                    lines.setdefault(start + new.lineno, (file, where))
        text += chunk
    return Module(text, lines, entries)
