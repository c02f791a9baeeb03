"""Training with PyTorch."""

from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as f

from ..network import Architecture
from . import CLIP, WEIGHT_DECAY, Batch, Losses
from .forward import forward


class Torch:
    """See ``Operations``."""

    def dense(self, x: Any, matrix: Any, bias: Any) -> Any:
        return f.linear(x, matrix, bias)

    def convolution(self, x: Any, matrix: Any, bias: Any) -> Any:
        return f.conv2d(x, matrix, bias, padding="same")

    def flatten(self, x: Any) -> Any:
        return x.flatten(1)

    def pool(self, x: Any) -> Any:
        return torch.cat([x.mean((2, 3)), x.amax((2, 3))], dim=1)

    def join(self, parts: list[Any]) -> Any:
        return torch.cat(parts, dim=1)

    def relu(self, x: Any) -> Any:
        return torch.relu(x)

    def tanh(self, x: Any) -> Any:
        return torch.tanh(x)


class Trainer:
    """See ``zermelo.learn.training.Trainer``."""

    def __init__(self, arch: Architecture, arrays: dict[str, Any]) -> None:
        self.arch = arch
        self.weights = torch.nn.Parameter(torch.tensor(arrays["weights"], dtype=torch.float32))
        self.optimizer = torch.optim.AdamW([self.weights], lr=0.0, weight_decay=WEIGHT_DECAY)
        if "exp_avg" in arrays:
            names = ("step", "exp_avg", "exp_avg_sq")
            self.optimizer.state[self.weights] = {n: torch.tensor(arrays[n]) for n in names}

    def step(self, batch: Batch, learning_rate: float) -> Losses:
        inputs = torch.from_numpy(batch.shaped(self.arch.design))
        legal, policy, values = (
            torch.from_numpy(x) for x in (batch.legal, batch.policy, batch.values)
        )
        logits, found = forward(self.arch, self.weights, inputs, Torch())
        log = f.log_softmax(torch.where(legal, logits, -1e9), dim=1)
        divergence = torch.where(policy > 0, policy * (torch.log(policy + 1e-30) - log), 0.0)
        losses = torch.stack([divergence.sum(1).mean(), ((found - values) ** 2).mean()])
        self.optimizer.zero_grad()
        losses.sum().backward()
        torch.nn.utils.clip_grad_norm_([self.weights], CLIP)
        self.optimizer.param_groups[0]["lr"] = learning_rate
        self.optimizer.step()
        return Losses(*losses.detach().tolist())

    def arrays(self) -> dict[str, Any]:
        optimizer = self.optimizer.state.get(self.weights, {})
        return {
            "weights": self.weights.detach().numpy().copy(),
            **{name: value.numpy().copy() for name, value in optimizer.items()},
        }
