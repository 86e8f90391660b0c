"""The policy as an RLModule of RLlib's new API stack: a perceptron that knows what is legal."""

from itertools import pairwise
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI, ValueFunctionAPI
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.utils.torch_utils import FLOAT_MIN
from torch import nn

from envs.core.batch import Batch
from training.config import TrainConfig

OBSERVATION, MASK = "observation", "action_mask"  # the names of the PettingZoo environments


class MaskedPolicy(TorchRLModule, InferenceOnlyAPI, ValueFunctionAPI):
    """Layers with ReLUs between them; what is illegal gets the smallest logit there is.

    Observations are ``{"observation": [B, N], "action_mask": bool[B, A]}``. ``model_config`` holds
    ``hidden``, the widths of the layers; ``scale`` (N numbers, ``Layout.scale``, which divide the
    observations); ``critic``, "shared" for a value beside the logits or "separate" for a network of
    its own; and ``advice``, what is added to the logit whose input is set among the last A ones
    (``agents.advice``), or 0.
    """

    def setup(self) -> None:
        given = self.model_config
        size, self._actions = self.observation_space[OBSERVATION].shape[0], self.action_space.n
        hidden, self._advice = list(given["hidden"]), float(given["advice"])
        scale = torch.as_tensor(np.asarray(given["scale"], np.float32))
        self.register_buffer("scale", scale, persistent=False)
        self.trunk = _layers([size, *hidden])
        self.policy = _layer(hidden[-1], self._actions, 0.01)  # begin near uniform play
        self.value = _layer(hidden[-1], 1, 0.01)
        self.critic = _layers([size, *hidden]) if given["critic"] == "separate" else None

    def get_non_inference_attributes(self) -> list[str]:
        return ["value", "critic"]

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, torch.Tensor]:
        inputs = self._inputs(batch)
        features = self.trunk(inputs)
        logits = self.policy(features)
        if self._advice:
            logits = logits + self._advice * inputs[:, -self._actions :]
        legal = batch[Columns.OBS][MASK].bool()
        return {
            Columns.ACTION_DIST_INPUTS: torch.where(legal, logits, FLOAT_MIN),
            Columns.EMBEDDINGS: features,
        }

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> torch.Tensor:
        """float32[B]: what the seat to act may expect."""
        if self.critic is not None:
            embeddings = self.critic(self._inputs(batch))
        elif embeddings is None:
            embeddings = self.trunk(self._inputs(batch))
        return self.value(embeddings).squeeze(-1)

    def _inputs(self, batch: dict[str, Any]) -> torch.Tensor:
        return batch[Columns.OBS][OBSERVATION].float() / self.scale

    def policy_layers(self) -> list[np.ndarray]:
        """weight_0, bias_0, weight_1, … as ``agents.policy.PolicyAgent`` takes them."""
        stack = [layer for layer in self.trunk if isinstance(layer, nn.Linear)] + [self.policy]
        arrays = [array.detach().cpu().numpy() for m in stack for array in (m.weight.T, m.bias)]
        arrays[0] = arrays[0] / self.scale.cpu().numpy()[:, None]
        return [np.array(array, np.float32, order="C") for array in arrays]


def _layers(widths: list[int]) -> nn.Sequential:
    return nn.Sequential(
        *(m for a, b in pairwise(widths) for m in (_layer(a, b, 2**0.5), nn.ReLU()))
    )


def _layer(inputs: int, outputs: int, gain: float) -> nn.Linear:
    layer = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


def module_spec(batch: Batch, config: TrainConfig) -> RLModuleSpec:
    """How RLlib makes the policy for the games of a batch."""
    layout, actions = batch.layout, batch.num_actions
    advised = actions if config.advisor else 0
    low, high = (
        np.concatenate([np.asarray(bound), np.full(advised, end)]).astype(layout.dtype)
        for bound, end in ((layout.low, 0), (layout.high, 1))
    )
    return RLModuleSpec(
        module_class=MaskedPolicy,
        observation_space=spaces.Dict(
            {
                OBSERVATION: spaces.Box(low, high, dtype=layout.dtype),
                MASK: spaces.MultiBinary(actions),
            }
        ),
        action_space=spaces.Discrete(actions),
        model_config={
            "hidden": list(config.hidden),
            "scale": [*np.asarray(layout.scale, float).tolist(), *[1.0] * advised],
            "critic": config.critic,
            "advice": config.advice if config.advisor else 0.0,
        },
    )
