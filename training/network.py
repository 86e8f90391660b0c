"""The learners' network: a policy and a critic over scaled observations."""

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from training.config import TrainConfig


class Perceptron(nn.Module):
    """Linear layers with ReLUs between them; the inputs are divided by ``scale``.

    The division is done on the first layer's weights, which are fewer than the inputs of a batch.
    """

    def __init__(self, scale: np.ndarray, widths: tuple[int, ...], generator: torch.Generator):
        super().__init__()
        self.register_buffer("scale", torch.from_numpy(np.asarray(scale, np.float32)), persistent=False)
        sizes = (len(scale), *widths)
        self.layers = nn.ModuleList(
            nn.Linear(before, after) for before, after in zip(sizes, sizes[1:], strict=False)
        )
        for layer in self.layers:
            nn.init.orthogonal_(layer.weight, 2**0.5, generator=generator)
            nn.init.zeros_(layer.bias)

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        first, *others = self.layers
        values = functional.linear(inputs, first.weight / self.scale, first.bias)
        for layer in others:
            values = layer(functional.relu(values, inplace=True))
        return values


class ActorCritic(nn.Module):
    """Logits of all actions and, in the last column, the value for the seat to act.

    Args:
        scale: float32[N], see ``Layout.scale``.
        num_actions: A.
        seats: P, of which an all-seeing critic sees all.
        settings: ``hidden`` and ``critic``.
    """

    def __init__(self, scale: np.ndarray, num_actions: int, seats: int, settings: TrainConfig):
        super().__init__()
        generator = torch.Generator().manual_seed(settings.seed)
        self.num_actions = num_actions
        self.shared = settings.critic == "shared"
        self.all_seeing = settings.critic == "all_seeing"
        heads = num_actions + self.shared
        self.policy = Perceptron(scale, (*settings.hidden, heads), generator)
        if not self.shared:
            seen = np.tile(scale, seats) if self.all_seeing else scale
            self.critic = Perceptron(seen, (*settings.hidden, 1), generator)
        with torch.no_grad():  # begin near uniform play and near zero values
            for network in self.children():
                network.layers[-1].weight *= 0.01

    def forward(self, seen: torch.Tensor, everyone: torch.Tensor | None = None) -> torch.Tensor:
        """float32[B, A + 1] of observations [B, N] (and [B, P * N] for an all-seeing critic)."""
        outputs = self.policy(seen.float())
        if self.shared:
            return outputs
        values = self.critic((everyone if self.all_seeing else seen).float())
        return torch.cat([outputs, values], dim=1)

    def policy_layers(self) -> list[np.ndarray]:
        """weight_0, bias_0, weight_1, … as ``agents.policy.PolicyAgent`` takes them."""
        arrays = []
        for place, layer in enumerate(self.policy.layers):
            weight = layer.weight / self.policy.scale if place == 0 else layer.weight
            last = place == len(self.policy.layers) - 1
            kept = self.num_actions if last else len(weight)
            arrays += [weight[:kept].T, layer.bias[:kept]]
        return [np.array(a.detach().numpy(), np.float32, order="C") for a in arrays]
