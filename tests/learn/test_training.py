"""Training networks: frameworks agree with native inference, learn, and resume."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

from zermelo.errors import NotSupported, UsageError
from zermelo.learn.network import Design, Network, architecture, initial_weights
from zermelo.learn.training import BACKENDS, Batch, trainer

DESIGNS = [
    Design((2, 3, 4), 5, values=3, channels=8, blocks=1, hidden=8),
    Design((2, 3, 3), 10, channels=8, blocks=2, hidden=8),
    Design((11,), 5, channels=16, blocks=2, hidden=8),
]
backends = pytest.mark.parametrize(
    "backend",
    [
        pytest.param(b, marks=pytest.mark.skipif(not find_spec(b), reason=f"{b} is not installed"))
        for b in BACKENDS
    ],
)


def batch_of(design: Design, size: int, seed: int = 1) -> Batch:
    """Random positions whose policy and values depend on the input."""
    rng = np.random.default_rng(seed)
    inputs = rng.integers(0, 2, (size, *design.inputs)).astype(np.float32)
    flat = inputs.reshape(size, -1)
    legal = rng.random((size, design.policy)) < 0.8
    legal[:, 0] = True
    policy = np.where(legal, np.exp(3 * flat[:, : design.policy]), 0)
    values = np.repeat(2 * flat[:, :1] - 1, design.values, axis=1)
    shares = policy / policy.sum(1, keepdims=True)
    return Batch(inputs, legal, shares.astype(np.float32), values.astype(np.float32))


def start(design: Design) -> dict[str, Any]:
    return {"weights": initial_weights(architecture(design), np.random.default_rng(3))}


def losses_of(network: Network, batch: Batch) -> tuple[float, float]:
    """The losses by native inference, without the frameworks."""
    logits, values = network.evaluate(batch.inputs)
    logits = np.where(batch.legal, logits.astype(float), -np.inf)
    log = logits - np.log(np.exp(logits).sum(1, keepdims=True))
    with np.errstate(divide="ignore", invalid="ignore"):
        divergence = np.where(batch.policy > 0, batch.policy * (np.log(batch.policy) - log), 0)
    return float(divergence.sum(1).mean()), float(((values - batch.values) ** 2).mean())


@backends
@pytest.mark.parametrize("design", DESIGNS, ids=str)
def test_losses_equal_those_of_native_inference(design: Design, backend: str) -> None:
    batch = batch_of(design, 37)
    made = trainer(architecture(design), start(design), backend)
    for _ in range(5):
        expected = losses_of(Network(design, made.arrays()["weights"]), batch)
        losses = made.step(batch, 0.01)
        assert (losses.policy, losses.value) == pytest.approx(expected, abs=1e-4)


@backends
@pytest.mark.parametrize("design", DESIGNS, ids=str)
def test_a_network_learns_a_function(design: Design, backend: str) -> None:
    made = trainer(architecture(design), start(design), backend)
    for seed in range(300):
        made.step(batch_of(design, 64, seed), 0.005)
    fresh = batch_of(design, 500, seed=12345)
    policy, value = losses_of(Network(design, made.arrays()["weights"]), fresh)
    assert policy < 0.05
    assert value < 0.05


@backends
def test_a_resumed_training_is_the_same_training(backend: str) -> None:
    design = DESIGNS[0]
    arch = architecture(design)
    whole = trainer(arch, start(design), backend)
    first = trainer(arch, start(design), backend)
    for i in range(6):
        whole.step(batch_of(design, 16, i), 0.01)
    for i in range(3):
        first.step(batch_of(design, 16, i), 0.01)
    second = trainer(arch, first.arrays(), backend)
    for i in range(3, 6):
        second.step(batch_of(design, 16, i), 0.01)
    expected, found = whole.arrays(), second.arrays()
    assert expected.keys() == found.keys()
    for name in expected:
        assert np.allclose(expected[name], found[name], atol=1e-6), name


@pytest.mark.skipif(not all(map(find_spec, BACKENDS)), reason="needs JAX and PyTorch")
def test_the_frameworks_agree() -> None:
    design = DESIGNS[1]
    found = []
    for backend in BACKENDS:
        made = trainer(architecture(design), start(design), backend)
        for i in range(10):
            made.step(batch_of(design, 32, i), 0.003)
        found.append(made.arrays()["weights"])
    assert np.allclose(*found, atol=2e-3)


def test_backends_that_are_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    arch = architecture(DESIGNS[0])
    with pytest.raises(UsageError, match="invalid backend 'keras'"):
        trainer(arch, start(DESIGNS[0]), "keras")
    monkeypatch.setattr("zermelo.learn.training.find_spec", lambda name: None)
    with pytest.raises(NotSupported, match="JAX or PyTorch") as error:
        trainer(arch, start(DESIGNS[0]))
    assert ".[learn]" in error.value.hint
