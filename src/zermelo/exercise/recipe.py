"""Generates exercise trees from a recipe. Same seed, same tree."""

from __future__ import annotations

import random
import secrets
from dataclasses import dataclass
from hashlib import sha256
from itertools import accumulate, chain
from typing import Literal

from ..errors import NotSupported, UsageError
from ..game import CHANCE
from ..search.algorithms import shared_option
from .key import PARTS, Exercise, own
from .notation import Node, nodes_of, read_nodes, written

MAX_LEAVES = 400
MAX_NODES = 4 * MAX_LEAVES
MAX_NESTING = 100  # depth of brackets of a given tree
MAX_DEPTH = 12
TRIES = 3000  # trees that are generated before a recipe is refused as too hard
MAX_LOOKED = 150_000  # nodes of these trees: a few seconds


@dataclass(frozen=True, slots=True)
class Recipe:
    """The shape of an exercise. `cuts` is the number of cut branches; None: any.

    depth: levels of moves. branching, values: (least, greatest); the default range of values
    depends on the size of the tree. root: "max" or "min".
    above: at least one cut removes more than a leaf. ties: equal values may occur, so that the
    convention (cut="equal" or "strict") matters. chance: a chance node after every move.
    """

    depth: int = 3
    branching: tuple[int, int] = (2, 2)
    values: tuple[int, int] | None = None
    cuts: int | None = None
    above: bool = False
    ties: bool = False
    root: Literal["max", "min"] = "max"
    chance: bool = False
    players: int = 2
    algorithm: str = "auto"
    cut: str = "equal"
    parts: tuple[str, ...] = ()  # the questions; (): all that fit

    def __post_init__(self) -> None:
        def whole(name: str, value: object, least: int, most: int) -> None:
            if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
                raise UsageError(
                    f"invalid {name}={value!r}", f"expected a whole number from {least} to {most}"
                )

        whole("depth", self.depth, 1, MAX_DEPTH)
        whole("players", self.players, 2, 9)
        if self.cuts is not None:
            whole("cuts", self.cuts, 0, MAX_LEAVES)
        for name, pair, least, most in (
            ("branching", self.branching, 1, 12),
            ("values", self.values or (0, 0), -9999, 9999),
        ):
            if not isinstance(pair, tuple) or len(pair) != 2:
                raise UsageError(f"invalid {name}={pair!r}", "expected (least, greatest)")
            for end in pair:
                whole(name, end, least, most)
            if pair[0] > pair[1]:
                raise UsageError(f"invalid {name}={pair!r}", "expected the smaller number first")
        if self.root not in ("max", "min"):
            raise UsageError(f"invalid root={self.root!r}", "expected max or min")
        object.__setattr__(self, "cut", shared_option("cut").check(self.cut))  # without aliases
        for part in self.parts:
            if part not in PARTS:
                raise UsageError(f"unknown part {part!r}", "one of: " + ", ".join(PARTS))
        if self.branching[0] ** self.depth > MAX_LEAVES:
            raise UsageError(
                f"a tree of depth {self.depth} and branching {self.branching[0]} has more than "
                f"{MAX_LEAVES} leaves",
                "give a smaller depth or branching",
            )
        if self.players > 2 and self.root == "min":
            raise UsageError("root=min needs one or two players", "omit root")


def _random_of(seed: str) -> random.Random:
    """A generator that depends only on the text of the seed."""
    return random.Random(int.from_bytes(sha256(seed.encode()).digest()[:16], "big"))


def _grow(recipe: Recipe, rng: random.Random) -> Node:
    """A tree of this shape, without values."""
    turns = list(range(recipe.players))
    if recipe.root == "min":
        turns.reverse()
    movers = list(chain.from_iterable((p, CHANCE) for p in turns)) if recipe.chance else turns
    root = Node(movers[0])
    level = [root]
    for depth in range(recipe.depth):
        below: list[Node] = []
        for node in level:
            node.children = [
                Node(movers[(depth + 1) % len(movers)])
                for _ in range(rng.randint(*recipe.branching))
            ]
            below += node.children
        level = below
        if len(level) > MAX_LEAVES:
            raise UsageError(
                f"this recipe makes trees with more than {MAX_LEAVES} leaves",
                "give a smaller depth or branching",
            )
    return root


def _usual_values(recipe: Recipe, leaves: int) -> tuple[int, int]:
    """The default range of values: small numbers if they suffice."""
    if recipe.players > 2:
        return 0, 9
    return (-9, 20) if leaves <= 30 else (-99, 99) if leaves <= 190 else (-999, 999)


def _fill(recipe: Recipe, rng: random.Random, root: Node) -> None:
    """Values of the leaves: all different if ties are unwanted and the range allows it."""
    leaves = root.leaves
    low, high = recipe.values or _usual_values(recipe, len(leaves))
    if recipe.players > 2:
        for leaf in leaves:
            leaf.leaf = tuple(str(rng.randint(low, high)) for _ in range(recipe.players))
        return
    room = range(low, high + 1)
    if recipe.ties or len(room) < len(leaves):
        chosen = rng.choices(room, k=len(leaves))
    else:
        chosen = rng.sample(room, len(leaves))
    for leaf, value in zip(leaves, chosen, strict=True):
        leaf.leaf = (str(value),)
    if recipe.chance:
        for node in root.walk():
            if node.player == CHANCE and node.children and not node.children[0].children:
                _make_even(node, low, high)


def _make_even(node: Node, low: int, high: int) -> None:
    """Change the last leaf a little, so that the average is a whole number."""
    values = [int(c.leaf[0]) for c in node.children]
    over = sum(values) % len(values)
    last = values[-1] - over
    if last < low and last + len(values) <= high:
        last += len(values)
    node.children[-1].leaf = (str(last),)


def make(recipe: Recipe | None = None, seed: str | int | None = None) -> Exercise:
    """Generate an exercise. The same seed gives the same tree on every machine."""
    recipe = recipe or Recipe()
    if seed is None:
        seed = secrets.token_hex(4)
    if isinstance(seed, bool) or not isinstance(seed, (str, int)):
        raise UsageError(f"invalid seed={seed!r}", "expected a word or a whole number")
    try:
        rng = _random_of(str(seed))
    except UnicodeEncodeError:
        raise UsageError("the seed contains an invalid character", "choose another seed") from None
    tries, looked = 0, 0
    while tries < TRIES and looked < MAX_LOOKED:
        tries += 1
        root = _grow(recipe, rng)
        _fill(recipe, rng, root)
        made = Exercise(written(root), recipe.algorithm, recipe.cut, recipe.parts, str(seed))
        _check_fits(recipe, made)
        looked += len(made.trace.nodes)
        if _meets(recipe, made):
            return made
    raise UsageError(
        f"none of {tries:,} random trees matches these settings",
        "ask for fewer or more cuts, a wider range of values, or another depth or branching",
    )


def _check_fits(recipe: Recipe, made: Exercise) -> None:
    if (recipe.cuts or recipe.above) and not made.can_cut:
        raise NotSupported(f"{made.algorithm_name} does not prune", "omit cuts and above")


def _meets(recipe: Recipe, made: Exercise) -> bool:
    cuts = made.cuts
    if recipe.cuts is not None and len(cuts) != recipe.cuts:
        return False
    if recipe.above and not any(made.nodes[c].children for c in cuts):
        return False
    return recipe.ties or not has_ties(made)


def has_ties(made: Exercise) -> bool:
    """Whether equal values meet at a node or at a bound of a window."""
    leaves = [made.value_of(name) for name in made.leaves]
    mixed = any(n.player < 0 and n.children for n in made.nodes.values())
    if len(set(leaves)) == len(leaves) and not mixed and not isinstance(leaves[0], tuple):
        return False  # every value is the value of a leaf
    exact = made.exact_values
    for node in made.nodes.values():
        if node.player < 0 or not node.children:
            continue
        kids = [exact[made.trace.nodes[c].label] for c in node.children]
        mine = [own(v, node.player) for v in kids]
        if len(set(mine)) < len(mine):
            return True
    if not made.can_cut:
        return False
    return made.flipped.order != made.order


def from_tree(text: str, algorithm: str = "auto", cut: str = "equal",
              parts: tuple[str, ...] = ()) -> Exercise:  # fmt: skip
    """An exercise on a given tree; its nodes are renamed."""
    from ..explicit.tree import tree

    game = tree(text)
    opened = accumulate({"(": 1, ")": -1}.get(c, 0) for c in text)
    if max(opened) > MAX_NESTING:
        raise UsageError("the tree is too deep for an exercise", f"at most {MAX_NESTING} levels")
    if game.facts.hidden:
        raise NotSupported(
            "exercises do not support trees with hidden information", "remove the #labels"
        )
    if game.facts.tree_nodes > MAX_NODES:
        raise UsageError("the tree is too large for an exercise", f"at most {MAX_LEAVES} leaves")
    gambit = text.removeprefix("\ufeff").lstrip().startswith("EFG")
    root = nodes_of(game) if gambit else read_nodes(text.removeprefix("\ufeff"))
    if not root.children:
        raise UsageError("a single leaf cannot be an exercise", "as in max(min(3 12 8) min(2 4 6))")
    if game.players == 2 and game.zero_sum:
        for leaf in root.leaves:
            leaf.leaf = leaf.leaf[:1]  # the value of the other player follows from it
    made = Exercise(written(root), algorithm, cut, parts, "")
    made.check_numbers()
    return made
