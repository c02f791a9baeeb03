"""Networks in plain NumPy and double precision, to compare native inference with."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from zermelo.learn.network import Layer, Network, architecture


def evaluate(network: Network, inputs: Any) -> tuple[Any, Any]:
    """The policy logits and the values of a batch."""
    arch = architecture(network.design)
    samples = len(inputs)
    buffers: list[Any] = [
        np.zeros((samples, b.channels, *((network.design.board) if b.spatial else ())))
        for b in arch.buffers
    ]
    buffers[0] = np.asarray(inputs, float).reshape(samples, *network.design.inputs)
    used = 0
    for layer in arch.layers:
        matrix = network.weights[used : used + math.prod(layer.weight_shape)].astype(float)
        if layer.weight_shape:
            bias = network.weights[used + len(matrix) : used + layer.size].astype(float)
            used += layer.size
            y = product(layer, buffers[layer.source], matrix.reshape(layer.weight_shape), bias)
        elif layer.operation == "flatten":
            y = buffers[layer.source].reshape(samples, -1)
        else:
            x = buffers[layer.source]
            y = np.concatenate([x.mean((2, 3)), x.max((2, 3))], axis=1)
        if layer.added >= 0:
            y = y + buffers[layer.added]
        y = {"none": y, "relu": np.maximum(y, 0), "tanh": np.tanh(y)}[layer.activation]
        buffers[layer.target][:, layer.offset : layer.offset + y.shape[1]] = y
    return buffers[arch.results[0]], buffers[arch.results[1]]


def product(layer: Layer, x: Any, matrix: Any, bias: Any) -> Any:
    if layer.operation == "dense":
        return x @ matrix.T + bias
    reach = matrix.shape[2] // 2
    rows, columns = x.shape[2:]
    padded = np.pad(x, ((0, 0), (0, 0), (reach, reach), (reach, reach)))
    y = np.zeros((len(x), layer.outputs, rows, columns)) + bias[:, None, None]
    for i in range(matrix.shape[2]):
        for j in range(matrix.shape[3]):
            part = padded[:, :, i : i + rows, j : j + columns]
            y += np.einsum("oc,ncyx->noyx", matrix[:, :, i, j], part)
    return y
