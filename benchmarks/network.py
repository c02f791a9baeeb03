"""Native inference of networks next to onnxruntime, both on one thread.

    python benchmarks/network.py

The same network is evaluated by both. Outputs must agree to 1e-4. Each cell is the median over
rounds in which both take turns, in positions per second. Needs onnx and onnxruntime.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from zermelo.learn.network import Design, Network, architecture, initial_weights

DESIGNS = {
    "tic-tac-toe, MLP 64x2": Design((18,), 9, channels=64, blocks=2),
    "connect four, 32x4": Design((2, 6, 7), 7, channels=32, blocks=4),
    "Othello, 48x5": Design((3, 8, 8), 65, channels=48, blocks=5),
    "Go 9x9, 64x6": Design((8, 9, 9), 82, channels=64, blocks=6),
}


def to_onnx(network: Network) -> bytes:
    """The network as an ONNX model with inputs `x` and outputs `policy` and `value`."""
    arch = architecture(network.design)
    nodes, constants = [], []
    current = {0: "x"}  # the tensor that holds a buffer; parts of flat buffers are concatenated
    parts: dict[int, list[str]] = {}
    used = 0
    for number, layer in enumerate(arch.layers):
        source, out = current.get(layer.source), f"y{number}"
        if source is None:
            source = current[layer.source] = f"joined{layer.source}"
            nodes.append(helper.make_node("Concat", parts[layer.source], [source], axis=1))
        if layer.weight_shape:
            count = layer.size - layer.outputs
            matrix = network.weights[used : used + count].reshape(layer.weight_shape)
            bias = network.weights[used + count : used + layer.size]
            used += layer.size
            constants += [
                numpy_helper.from_array(matrix, f"w{number}"),
                numpy_helper.from_array(bias, f"b{number}"),
            ]
            inputs = [source, f"w{number}", f"b{number}"]
            if layer.operation == "dense":
                nodes.append(helper.make_node("Gemm", inputs, [out], transB=1))
            else:
                pads = [1] * 4 if layer.operation == "conv3" else [0] * 4
                nodes.append(helper.make_node("Conv", inputs, [out], pads=pads))
        elif layer.operation == "flatten":
            nodes.append(helper.make_node("Flatten", [source], [out]))
        else:
            for kind in ("Average", "Max"):
                nodes.append(helper.make_node(f"Global{kind}Pool", [source], [f"{kind}{number}"]))
            pair = [f"Average{number}", f"Max{number}"]
            nodes.append(helper.make_node("Concat", pair, [f"c{number}"], axis=1))
            nodes.append(helper.make_node("Flatten", [f"c{number}"], [out]))
        if layer.added >= 0:
            nodes.append(helper.make_node("Add", [out, current[layer.added]], [f"{out}a"]))
            out = f"{out}a"
        if layer.activation != "none":
            kind = {"relu": "Relu", "tanh": "Tanh"}[layer.activation]
            nodes.append(helper.make_node(kind, [out], [f"{out}r"]))
            out = f"{out}r"
        if (
            layer.outputs == arch.buffers[layer.target].channels
            or arch.buffers[layer.target].spatial
        ):
            current[layer.target] = out
        else:
            parts.setdefault(layer.target, []).append(out)
    for name, buffer in zip(("policy", "value"), arch.results, strict=True):
        made = [current[buffer]] if buffer in current else parts[buffer]
        nodes.append(helper.make_node("Concat", made, [name], axis=1))
    graph = helper.make_graph(
        nodes,
        "network",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", *network.design.inputs])],
        [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, None)
            for name in ("policy", "value")
        ],
        constants,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    return bytes(model.SerializeToString())


def session(network: Network) -> Callable[[Any], list[Any]]:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    run = onnxruntime.InferenceSession(to_onnx(network), options, ["CPUExecutionProvider"]).run
    return lambda x: run(None, {"x": x})


def rate(call: Callable[[Any], Any], x: Any, seconds: float) -> float:
    """Positions per second."""
    done, start = 0, time.perf_counter()
    while (passed := time.perf_counter() - start) < seconds:
        call(x)
        done += len(x)
    return done / passed


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.2, help="per contender and round")
    arguments = parser.parse_args()
    print(f"onnx {onnx.__version__}, onnxruntime {onnxruntime.__version__}, one thread")
    print("| network | batch | zermelo, positions/s | onnxruntime, positions/s | ratio |")
    print("|---|---|---|---|---|")
    for name, design in DESIGNS.items():
        rng = np.random.default_rng(1)
        weights = initial_weights(architecture(design), rng)
        weights += (0.05 * rng.standard_normal(len(weights))).astype(np.float32)
        network = Network(design, weights)
        peer = session(network)
        for batch in (1, 32, 128):
            x = rng.standard_normal((batch, *design.inputs)).astype(np.float32)
            for ours, theirs in zip(network.evaluate(x), peer(x), strict=True):
                worst = np.abs(ours - theirs).max() / max(1.0, np.abs(theirs).max())
                assert worst < 1e-4, worst
            pairs = [
                (rate(network.evaluate, x, arguments.seconds), rate(peer, x, arguments.seconds))
                for _ in range(arguments.rounds)
            ]
            ours, theirs = (statistics.median(p[i] for p in pairs) for i in range(2))
            ratio = statistics.median(a / b for a, b in pairs)
            print(f"| {name} | {batch} | {ours:,.0f} | {theirs:,.0f} | {ratio:.2f} |", flush=True)


if __name__ == "__main__":
    main()
