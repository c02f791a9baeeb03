"""Training with JAX and optax."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax

from ..network import Architecture
from . import CLIP, WEIGHT_DECAY, Batch, Losses
from .forward import forward


class Jax:
    """See ``Operations``."""

    def dense(self, x: Any, matrix: Any, bias: Any) -> Any:
        return x @ matrix.T + bias

    def convolution(self, x: Any, matrix: Any, bias: Any) -> Any:
        kinds = ("NCHW", "OIHW", "NCHW")
        y = jax.lax.conv_general_dilated(x, matrix, (1, 1), "SAME", dimension_numbers=kinds)
        return y + bias[:, None, None]

    def flatten(self, x: Any) -> Any:
        return x.reshape(len(x), -1)

    def pool(self, x: Any) -> Any:
        return jnp.concatenate([x.mean((2, 3)), x.max((2, 3))], axis=1)

    def join(self, parts: list[Any]) -> Any:
        return jnp.concatenate(parts, axis=1)

    def relu(self, x: Any) -> Any:
        return jax.nn.relu(x)

    def tanh(self, x: Any) -> Any:
        return jnp.tanh(x)


class Trainer:
    """See ``zermelo.learn.training.Trainer``."""

    def __init__(self, arch: Architecture, arrays: dict[str, Any]) -> None:
        self.arch = arch
        self.weights = jnp.asarray(arrays["weights"], jnp.float32)
        self.optimizer = optax.chain(
            optax.clip_by_global_norm(CLIP),
            optax.inject_hyperparams(optax.adamw)(learning_rate=0.0, weight_decay=WEIGHT_DECAY),
        )
        state = self.optimizer.init(self.weights)
        leaves, self.tree = jax.tree.flatten(state)
        if "optimizer0" in arrays:
            leaves = [jnp.asarray(arrays[f"optimizer{i}"]) for i in range(len(leaves))]
        self.state = jax.tree.unflatten(self.tree, leaves)
        self.update = jax.jit(self._update)

    def step(self, batch: Batch, learning_rate: float) -> Losses:
        inputs = batch.shaped(self.arch.design)
        self.weights, self.state, losses = self.update(
            self.weights, self.state, inputs, batch.legal, batch.policy, batch.values, learning_rate
        )
        policy, value = np.asarray(losses)
        return Losses(float(policy), float(value))

    def arrays(self) -> dict[str, Any]:
        leaves = jax.tree.leaves(self.state)
        optimizer = {f"optimizer{i}": np.asarray(leaf) for i, leaf in enumerate(leaves)}
        return {"weights": np.asarray(self.weights), **optimizer}

    def _update(
        self, weights: Any, state: Any, inputs: Any, legal: Any, policy: Any, values: Any, rate: Any
    ) -> tuple[Any, Any, Any]:
        def loss(weights: Any) -> tuple[Any, Any]:
            logits, found = forward(self.arch, weights, inputs, Jax())
            log = jax.nn.log_softmax(jnp.where(legal, logits, -1e9))
            divergence = jnp.where(policy > 0, policy * (jnp.log(policy + 1e-30) - log), 0)
            losses = jnp.stack([divergence.sum(1).mean(), ((found - values) ** 2).mean()])
            return losses.sum(), losses

        gradient, losses = jax.grad(loss, has_aux=True)(weights)
        state[1].hyperparams["learning_rate"] = rate
        updates, state = self.optimizer.update(gradient, state, weights)
        return optax.apply_updates(weights, updates), state, losses
