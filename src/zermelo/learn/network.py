"""The networks of learned players: their architecture, their weights file, and native evaluation.

An architecture is a list of layers. Native inference and every training framework interpret the
same list, so it is written once, here.
"""

from __future__ import annotations

import io
import json
import math
import zipfile
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core
from ..errors import UsageError
from ..files import AnyPath, read_bytes, shown, write

Array = npt.NDArray[np.float32]
MAX_BYTES = 256 << 20  # of a weights file, compressed or not
LARGEST = 65_536  # numbers, channels, actions
MOST_BLOCKS = 256


@dataclass(frozen=True)
class Design:
    """The size of a network.

    Attributes:
        inputs: The shape of the input: (planes, rows, columns) for a residual convolutional
            network, (numbers,) for a residual MLP.
        policy: The number of policy logits.
        values: The number of values: 1 for the player to move, or one per player.
        channels: The width of the trunk.
        blocks: The number of residual blocks, of two layers each.
        hidden: The width of the value head.
    """

    inputs: tuple[int, ...]
    policy: int
    values: int = 1
    channels: int = 32
    blocks: int = 4
    hidden: int = 64

    def __post_init__(self) -> None:
        sizes = (*self.inputs, self.policy, self.values, self.channels, self.hidden)
        fine = all(isinstance(n, int) and 1 <= n <= LARGEST for n in sizes)
        fine = fine and isinstance(self.blocks, int) and 0 <= self.blocks <= MOST_BLOCKS
        if len(self.inputs) not in (1, 3) or not fine:
            raise UsageError(
                f"invalid network {self}",
                "inputs are (planes, rows, columns) or (numbers,); sizes are whole numbers from 1 "
                f"to {LARGEST:,}, blocks from 0 to {MOST_BLOCKS}",
            )

    @property
    def board(self) -> tuple[int, int]:
        """Rows and columns of the board; zeros for a flat input."""
        return (self.inputs[1], self.inputs[2]) if len(self.inputs) == 3 else (0, 0)


@dataclass(frozen=True)
class Buffer:
    """What layers read and write: `channels` numbers per sample, or per point of the board."""

    spatial: bool
    channels: int


@dataclass(frozen=True)
class Layer:
    """One operation on buffers, which are given by number; see core/nn/network.hpp.

    Attributes:
        operation: conv3, conv1, dense, flatten or pool.
        offset: Where in a flat target the outputs start.
        added: The buffer added before the activation (residual connection), or -1.
        activation: none, relu or tanh.
        residual: The last layer of a residual branch. Its weights start at zero.
    """

    operation: str
    source: int
    target: int
    inputs: int
    outputs: int
    offset: int = 0
    added: int = -1
    activation: str = "none"
    residual: bool = False

    @property
    def weight_shape(self) -> tuple[int, ...]:
        """The shape of the matrix; () for layers without weights."""
        if self.operation not in ("conv3", "conv1", "dense"):
            return ()
        kernel = {"conv3": (3, 3), "conv1": (1, 1), "dense": ()}[self.operation]
        return (self.outputs, self.inputs, *kernel)

    @property
    def size(self) -> int:
        """The number of weights, biases included."""
        return math.prod(self.weight_shape) + self.outputs if self.weight_shape else 0


@dataclass(frozen=True)
class Architecture:
    """The buffers and layers of a network. Its results are the policy logits and the values."""

    design: Design
    buffers: tuple[Buffer, ...]
    layers: tuple[Layer, ...]
    results: tuple[int, int]

    @property
    def size(self) -> int:
        """The number of weights."""
        return sum(layer.size for layer in self.layers)


class _Builder:
    """Collects buffers and layers."""

    def __init__(self, design: Design) -> None:
        self.design = design
        self.buffers = [Buffer(len(design.inputs) == 3, design.inputs[0])]
        self.layers: list[Layer] = []

    def buffer(self, spatial: bool, channels: int) -> int:
        self.buffers.append(Buffer(spatial, channels))
        return len(self.buffers) - 1

    def add(self, operation: str, source: int, target: int, **more: Any) -> int:
        """Add a layer; returns its target."""
        inputs = self.buffers[source].channels
        outputs = more.pop("outputs", self.buffers[target].channels)
        self.layers.append(Layer(operation, source, target, inputs, outputs, **more))
        return target

    def trunk(self) -> int:
        """An input layer and residual blocks (He et al. 2016), without normalization."""
        d = self.design
        spatial = len(d.inputs) == 3
        operation = "conv3" if spatial else "dense"
        x, inner = (self.buffer(spatial, d.channels) for _ in range(2))
        self.add(operation, 0, x, activation="relu")
        for _ in range(d.blocks):
            self.add(operation, x, inner, activation="relu")
            self.add(operation, inner, x, added=x, activation="relu", residual=True)
        return x

    def pooled(self, x: int) -> int:
        target = self.buffer(False, 2 * self.buffers[x].channels)
        return self.add("pool", x, target, outputs=self.buffers[target].channels)

    def flattened(self, x: int, channels: int) -> int:
        """A few channels of every point in one flat buffer."""
        points = math.prod(self.design.board)
        some = self.add("conv1", x, self.buffer(True, channels), activation="relu")
        target = self.buffer(False, channels * points)
        return self.add("flatten", some, target, outputs=channels * points)

    def policy(self, x: int) -> int:
        """One plane of logits per kind of move if there are that many, the rest from a pool."""
        d = self.design
        target = self.buffer(False, d.policy)
        if len(d.inputs) == 1:
            return self.add("dense", x, target)
        points = math.prod(d.board)
        planes, rest = divmod(d.policy, points)
        if planes == 0:
            return self.add("dense", self.flattened(x, 4), target)
        logits = self.add("conv1", x, self.buffer(True, planes))
        self.add("flatten", logits, target, outputs=planes * points)
        if rest:
            self.add("dense", self.pooled(x), target, outputs=rest, offset=planes * points)
        return target

    def value(self, x: int) -> int:
        d = self.design
        source = x
        if len(d.inputs) == 3:
            points, channels = math.prod(d.board), 4
            some = self.add("conv1", x, self.buffer(True, channels), activation="relu")
            width = channels * points + 2 * d.channels
            source = self.buffer(False, width)
            self.add("flatten", some, source, outputs=channels * points)
            self.add("pool", x, source, outputs=2 * d.channels, offset=channels * points)
        hidden = self.add("dense", source, self.buffer(False, d.hidden), activation="relu")
        return self.add("dense", hidden, self.buffer(False, d.values), activation="tanh")


def architecture(design: Design) -> Architecture:
    """The layers of a network of this size.

    >>> architecture(Design((3, 6, 7), 7, channels=16, blocks=2)).size
    23976
    """
    builder = _Builder(design)
    x = builder.trunk()
    results = (builder.policy(x), builder.value(x))
    return Architecture(design, tuple(builder.buffers), tuple(builder.layers), results)


def initial_weights(arch: Architecture, rng: np.random.Generator) -> Array:
    """Random weights: He initialization. Residual branches start at zero, which replaces
    normalization (Zhang, Dauphin, Ma, "Fixup initialization", 2019).
    """
    parts = []
    for layer in arch.layers:
        if layer.weight_shape:
            count = math.prod(layer.weight_shape)
            spread = 0.0 if layer.residual else math.sqrt(2 * layer.outputs / count)
            if layer.target in arch.results:
                spread *= 0.1  # an almost uniform policy and values near 0
            parts += [spread * rng.standard_normal(count), np.zeros(layer.outputs)]
    return np.concatenate(parts).astype(np.float32)


@dataclass(frozen=True, eq=False)
class Network:
    """A network with its weights, evaluated natively.

    Attributes:
        design: Its size.
        weights: All weights in the order of the layers: a matrix, then its bias.
        game: What it plays, as in ``zermelo.load``.

    Example:
        >>> design = Design((2, 3, 3), 9, channels=16, blocks=1)
        >>> weights = initial_weights(architecture(design), np.random.default_rng(1))
        >>> logits, values = Network(design, weights).evaluate(np.zeros((5, 2, 3, 3)))
        >>> logits.shape, values.shape
        ((5, 9), (5, 1))
    """

    design: Design
    weights: Array
    game: str = ""

    @cached_property
    def native(self) -> _core.Network:
        """The network in the core."""
        return native(self)

    def evaluate(self, inputs: npt.ArrayLike) -> tuple[Array, Array]:
        """Evaluate a batch of inputs.

        Args:
            inputs: One input per position, in the shape of ``design.inputs`` or flat.

        Returns:
            The policy logits and the values, one row per position.
        """
        batch = np.asarray(inputs, np.float32)
        rows = np.ascontiguousarray(batch.reshape(len(batch), math.prod(batch.shape[1:])))
        results = np.asarray(self.native.evaluate(rows))
        return results[:, : self.design.policy], results[:, self.design.policy :]

    def save(self, path: AnyPath) -> None:
        """Write a weights file."""
        data = io.BytesIO()
        header = json.dumps({"version": 1, "game": self.game, "design": asdict(self.design)})
        np.savez_compressed(data, header=np.array(header), weights=self.weights)
        write(path, data.getvalue())


def native(network: Network, portable: bool = False) -> _core.Network:
    """Build a network in the core.

    Args:
        network: Its design and weights.
        portable: Do without instructions that only some processors have.
    """
    arch = architecture(network.design)
    layers = [
        (x.operation, x.source, x.target, x.offset, x.outputs, x.added, x.activation)
        for x in arch.layers
    ]
    return _core.network(
        *network.design.board,
        [(b.spatial, b.channels) for b in arch.buffers],
        layers,
        list(arch.results),
        np.ascontiguousarray(network.weights, np.float32),
        portable,
    )


def load(path: AnyPath) -> Network:
    """Read a weights file.

    Raises:
        UsageError: The file cannot be read, or is not a weights file of this version.
    """
    data = read_bytes(path, "expected the path of a weights file", MAX_BYTES)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(part.file_size for part in archive.infolist()) > MAX_BYTES:
                raise ValueError("too large")
        with np.load(io.BytesIO(data), allow_pickle=False) as saved:
            header = json.loads(str(saved["header"]))
            weights = np.asarray(saved["weights"], np.float32)
        sizes = header["design"]
        design = Design(**{**sizes, "inputs": tuple(sizes["inputs"])})
        network = Network(design, weights, str(header["game"]))
        if header["version"] != 1 or weights.shape != (architecture(design).size,):
            raise ValueError("another version")
        _ = network.native  # checks the weights
    except Exception:  # NumPy raises many kinds of errors for damaged files
        raise UsageError(
            f"{shown(path)} is not a weights file, is damaged, or is from another version",
            "expected a file that Network.save has written",
        ) from None
    return network
