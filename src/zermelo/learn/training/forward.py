"""The layers of a network in the operations of any framework."""

from __future__ import annotations

import math
from typing import Any, Protocol

from ..network import Architecture, Layer


class Operations(Protocol):
    """What a framework provides. Arrays are its own; the first dimension is the batch."""

    def dense(self, x: Any, matrix: Any, bias: Any) -> Any: ...
    def convolution(self, x: Any, matrix: Any, bias: Any) -> Any: ...
    def flatten(self, x: Any) -> Any: ...
    def pool(self, x: Any) -> Any: ...
    def join(self, parts: list[Any]) -> Any: ...
    def relu(self, x: Any) -> Any: ...
    def tanh(self, x: Any) -> Any: ...


def forward(arch: Architecture, weights: Any, inputs: Any, ops: Operations) -> tuple[Any, Any]:
    """Evaluate a batch.

    Args:
        arch: The network.
        weights: All weights in one array of the framework.
        inputs: In the shape of the design.
        ops: The framework.

    Returns:
        The policy logits and the values.
    """
    buffers: dict[int, Any] = {0: inputs}
    parts: dict[int, list[Any]] = {}  # of flat buffers, in the order of their offsets

    def read(number: int) -> Any:
        return buffers[number] if number in buffers else ops.join(parts[number])

    used = 0
    for layer in arch.layers:
        y = _apply(layer, read(layer.source), weights[used : used + layer.size], ops)
        used += layer.size
        if layer.added >= 0:
            y = y + buffers[layer.added]
        if layer.activation != "none":
            y = ops.relu(y) if layer.activation == "relu" else ops.tanh(y)
        target = arch.buffers[layer.target]
        if target.spatial or layer.outputs == target.channels:
            buffers[layer.target] = y
        else:
            parts.setdefault(layer.target, []).append(y)
    policy, values = map(read, arch.results)
    return policy, values


def _apply(layer: Layer, x: Any, weights: Any, ops: Operations) -> Any:
    if not layer.weight_shape:
        return ops.flatten(x) if layer.operation == "flatten" else ops.pool(x)
    count = math.prod(layer.weight_shape)
    matrix, bias = weights[:count].reshape(layer.weight_shape), weights[count:]
    product = ops.dense if layer.operation == "dense" else ops.convolution
    return product(x, matrix, bias)
