"""Networks: native inference, the weights file, wrong input."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference_network
from zermelo import _core
from zermelo.errors import UsageError
from zermelo.learn.network import Design, Network, architecture, initial_weights, load, native

SIDES = st.integers(1, 9)
INPUTS = st.one_of(st.tuples(st.integers(1, 5), SIDES, SIDES), st.tuples(st.integers(1, 40)))
DESIGNS = st.builds(
    Design,
    INPUTS,
    policy=st.integers(1, 100),
    values=st.integers(1, 4),
    channels=st.integers(1, 40),
    blocks=st.integers(0, 3),
    hidden=st.integers(1, 40),
)


def random_network(design: Design, seed: int = 1) -> Network:
    """All weights random, the residual branches too."""
    rng = np.random.default_rng(seed)
    weights = initial_weights(architecture(design), rng)
    return Network(design, (weights + 0.05 * rng.standard_normal(len(weights))).astype(np.float32))


@settings(max_examples=60, deadline=None)
@given(DESIGNS, st.integers(1, 70), st.booleans())
def test_native_inference_equals_plain_numpy(design: Design, samples: int, portable: bool) -> None:
    network = random_network(design)
    inputs = np.random.default_rng(samples).standard_normal((samples, *design.inputs))
    logits, values = reference_network.evaluate(network, inputs)
    rows = inputs.reshape(samples, -1).astype(np.float32)
    found = np.asarray(native(network, portable).evaluate(np.ascontiguousarray(rows)))
    scale = max(1.0, float(np.abs(logits).max()))
    assert np.abs(found[:, : design.policy] - logits).max() < 1e-4 * scale
    assert np.abs(found[:, design.policy :] - values).max() < 1e-4


def test_a_position_has_the_same_result_in_every_batch() -> None:
    design = Design((3, 9, 9), 82)
    network = random_network(design)
    inputs = np.random.default_rng(2).standard_normal((300, *design.inputs))
    logits, values = network.evaluate(inputs)
    for i in (0, 7, 299):
        alone = network.evaluate(inputs[i : i + 1])
        assert np.array_equal(alone[0][0], logits[i])
        assert np.array_equal(alone[1][0], values[i])


def test_no_positions() -> None:
    logits, values = random_network(Design((4,), 3)).evaluate(np.zeros((0, 4)))
    assert logits.shape == (0, 3) and values.shape == (0, 1)


def test_new_networks_know_nothing() -> None:
    design = Design((2, 6, 7), 7)
    network = Network(design, initial_weights(architecture(design), np.random.default_rng(1)))
    logits, values = network.evaluate(np.random.default_rng(2).integers(0, 2, (50, 2, 6, 7)))
    policy = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
    assert np.abs(policy - 1 / 7).max() < 0.1
    assert np.abs(values).max() < 0.3


def test_a_weights_file_returns_the_network(tmp_path: Path) -> None:
    network = replace(random_network(Design((2, 3, 3), 9, values=2)), game="tic-tac-toe")
    network.save(tmp_path / "weights")
    found = load(tmp_path / "weights")
    assert (found.design, found.game) == (network.design, "tic-tac-toe")
    assert np.array_equal(found.weights, network.weights)


def test_damaged_files_are_rejected(tmp_path: Path) -> None:
    path = tmp_path / "weights"
    random_network(Design((2, 3, 3), 9)).save(path)
    good = path.read_bytes()
    rng = np.random.default_rng(1)
    for cut in rng.integers(0, len(good), 50):
        path.write_bytes(good[:cut])
        with pytest.raises(UsageError, match="weights file"):
            load(path)
    for place in rng.integers(0, len(good), 200):
        path.write_bytes(good[:place] + bytes([good[place] ^ 64]) + good[place + 1 :])
        try:
            load(path)  # some bytes of an archive mean nothing
        except UsageError as e:
            assert "weights file" in str(e)


@pytest.mark.parametrize("spoiled", [np.nan, np.inf])
def test_weights_that_are_no_numbers_are_rejected(spoiled: float, tmp_path: Path) -> None:
    network = random_network(Design((4,), 3))
    network.weights[5] = spoiled
    network.save(tmp_path / "weights")
    with pytest.raises(UsageError, match="weights file"):
        load(tmp_path / "weights")


def test_wrong_input_is_rejected() -> None:
    network = random_network(Design((2, 3, 3), 9))
    with pytest.raises(UsageError, match="input"):
        network.evaluate(np.zeros((1, 17)))
    with pytest.raises(UsageError, match="network"):
        Design((2, 3), 9)
    with pytest.raises(UsageError, match="network"):
        Design((2, 3, 3), 0)


def write_file(path: Path, header: object, weights: np.ndarray) -> None:
    np.savez_compressed(path, header=np.array(json.dumps(header)), weights=weights)


@pytest.mark.parametrize(
    "changed", [{"blocks": 10**12}, {"blocks": -1}, {"channels": 10**12}, {"policy": "many"}]
)
def test_headers_with_absurd_sizes_are_rejected_at_once(
    changed: dict[str, object], tmp_path: Path
) -> None:
    design = {"inputs": [4], "policy": 3, "values": 1, "channels": 8, "blocks": 1, "hidden": 8}
    header = {"version": 1, "game": "", "design": design | changed}
    write_file(tmp_path / "weights.npz", header, np.zeros(5, np.float32))
    with pytest.raises(UsageError, match="weights file"):
        load(tmp_path / "weights.npz")


def test_a_small_file_with_huge_contents_is_rejected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zermelo.learn.network.MAX_BYTES", 1 << 20)
    path = tmp_path / "weights.npz"
    write_file(path, {}, np.zeros(1 << 20, np.float32))
    assert path.stat().st_size < 1 << 20
    monkeypatch.setattr(np, "load", lambda *_, **__: pytest.fail("the contents were read"))
    with pytest.raises(UsageError, match="weights file"):
        load(path)


FLAT, BOARD = (False, 4), (True, 4)


@pytest.mark.parametrize(
    ("side", "buffers", "layers", "results", "weights"),
    [
        (3, [], [], [], 0),
        (3, [BOARD], [], [1], 0),
        (100, [BOARD], [], [0], 0),
        (-1, [BOARD], [], [0], 0),
        (0, [BOARD], [], [0], 0),
        (3, [(True, 0)], [], [0], 0),
        (3, [BOARD, BOARD], [("conv9", 0, 1, 0, 4, -1, "none")], [1], 148),
        (3, [BOARD, BOARD], [("conv3", 0, 1, 0, 4, -1, "loud")], [1], 148),
        (3, [BOARD, BOARD], [("conv3", 0, 1, 0, 4, -1, "none")], [1], 147),
        (3, [BOARD, BOARD], [("conv3", 0, 1, 0, 4, -1, "none")], [1], 149),
        (3, [BOARD, BOARD], [("conv3", 0, 7, 0, 4, -1, "none")], [1], 148),
        (3, [BOARD, BOARD], [("conv3", 0, 0, 0, 4, -1, "none")], [1], 148),
        (3, [BOARD, FLAT], [("conv3", 0, 1, 0, 4, -1, "none")], [1], 148),
        (3, [BOARD, FLAT], [("flatten", 0, 1, 0, 36, -1, "none")], [1], 0),
        (3, [BOARD, (False, 8)], [("pool", 0, 1, 1, 8, -1, "none")], [1], 0),
        (0, [FLAT, FLAT], [("dense", 0, 1, -1, 4, -1, "none")], [1], 20),
        (0, [FLAT, FLAT], [("dense", 0, 1, 2**31 - 1, 4, -1, "none")], [1], 20),
        (0, [FLAT, (False, 5)], [("dense", 0, 1, 0, 5, 0, "none")], [1], 25),
    ],
)
def test_inconsistent_networks_are_rejected(
    side: int,
    buffers: list[tuple[bool, int]],
    layers: list[tuple[str, int, int, int, int, int, str]],
    results: list[int],
    weights: int,
) -> None:
    with pytest.raises(UsageError, match="invalid network"):
        _core.network(side, side, buffers, layers, results, np.zeros(weights, np.float32))
