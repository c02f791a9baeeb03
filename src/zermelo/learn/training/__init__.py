"""Training of networks.

There is one module per framework. All interpret the same architecture and return the same weights.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from ...errors import NotSupported, UsageError
from ..network import Architecture, Design

BACKENDS = ("jax", "torch")  # the first one that is installed is the default
WEIGHT_DECAY = 1e-4
CLIP = 5.0  # of the gradient's norm


@dataclass(frozen=True)
class Batch:
    """Positions to learn from, one row per position.

    Attributes:
        inputs: In the shape of ``design.inputs``, or flat.
        legal: Which policy logits belong to legal actions.
        policy: The target: probabilities of the actions.
        values: The target of the values.
    """

    inputs: npt.NDArray[np.float32]
    legal: npt.NDArray[np.bool_]
    policy: npt.NDArray[np.float32]
    values: npt.NDArray[np.float32]

    def shaped(self, design: Design) -> Any:
        """The inputs in the shape of the design."""
        return self.inputs.reshape(len(self.inputs), *design.inputs)


@dataclass(frozen=True)
class Losses:
    """The means over a batch, before the step.

    Attributes:
        policy: Cross-entropy to the target, less the entropy of the target.
        value: Squared error.
    """

    policy: float
    value: float


class Trainer(Protocol):
    """A network in training, with the state of its optimizer (Adam with weight decay)."""

    def step(self, batch: Batch, learning_rate: float) -> Losses:
        """Take one step of gradient descent on the sum of both losses."""

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Everything needed to continue: "weights", as in a weights file, and the optimizer."""


def trainer(
    arch: Architecture, arrays: dict[str, npt.NDArray[Any]], backend: str | None = None
) -> Trainer:
    """Start or continue a training.

    Args:
        arch: The network.
        arrays: What ``Trainer.arrays`` returned; to start, only "weights".
        backend: "jax" or "torch". Default: whichever is installed.

    Raises:
        UsageError: The backend is unknown.
        NotSupported: It is not installed.
    """
    if backend is not None and backend not in BACKENDS:
        raise UsageError(f"invalid backend {backend!r}", f"expected {' or '.join(BACKENDS)}")
    for name in BACKENDS if backend is None else (backend,):
        if find_spec(name) and (name != "jax" or find_spec("optax")):
            module = import_module(f".with_{name}", __package__)
            made: Trainer = module.Trainer(arch, arrays)
            return made
    raise NotSupported(
        f"training a network needs {backend or 'JAX or PyTorch'}, which is not installed",
        'pip install ".[learn]"' if backend != "torch" else "pip install torch",
    )
