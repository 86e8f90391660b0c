"""The learners' network: a policy and a critic over observations, which are mostly zeros."""

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from training.config import TrainConfig
from training.kernels import Workers, embed_gradient, embed_rows, head_gradient, head_rows


class Embed(torch.autograd.Function):
    """relu(observations[rows] @ weights + bias), forwards and backwards over non-zero inputs only.

    With some hundred inputs of which a few dozen are set this layer would otherwise take most of
    the time of a small network.
    """

    @staticmethod
    def forward(ctx, weights, bias, observations, rows, workers):
        out = np.empty((len(rows), weights.shape[1]), np.float32)
        arrays = weights.detach().numpy(), bias.detach().numpy()
        workers.run(embed_rows, len(rows), observations, rows, *arrays, out)
        ctx.inputs = observations, rows, workers, out, weights.shape
        return torch.from_numpy(out)

    @staticmethod
    def backward(ctx, slope):
        observations, rows, workers, out, (inputs, width) = ctx.inputs
        weights = np.zeros((workers.threads, inputs, width), np.float32)
        bias = np.zeros((workers.threads, width), np.float32)
        slopes = slope.contiguous().numpy()
        workers.run(embed_gradient, len(rows), observations, rows, out, slopes, weights, bias)
        summed = torch.from_numpy(weights).sum(dim=0), torch.from_numpy(bias).sum(dim=0)
        return *summed, None, None, None


class Head(torch.autograd.Function):
    """hidden @ weights.T + bias, forwards and backwards over the legal actions only.

    Puc has 950 actions, of which a dozen are legal: this layer would otherwise take most of the
    time there. ``advice`` is added to the output that an adviser named (``agents.advice``).
    """

    @staticmethod
    def forward(ctx, hidden, weights, bias, masks, observations, advice, rows, workers):
        out = np.empty((len(rows), len(weights)), np.float32)
        arrays = [a.detach().numpy() for a in (hidden, weights, bias)]
        workers.run(head_rows, len(rows), *arrays, masks, observations, advice, rows, out)
        ctx.inputs = *arrays[:2], masks, rows, workers
        return torch.from_numpy(out)

    @staticmethod
    def backward(ctx, slope):
        hidden, weights, masks, rows, workers = ctx.inputs
        hidden_slope = np.empty(hidden.shape, np.float32)
        weight_slope = np.zeros((workers.threads, *weights.shape), np.float32)
        bias_slope = np.zeros((workers.threads, len(weights)), np.float32)
        workers.run(
            head_gradient, len(rows), hidden, weights, masks, rows, slope.contiguous().numpy(),
            hidden_slope, weight_slope, bias_slope,
        )  # fmt: skip
        summed = torch.from_numpy(weight_slope).sum(dim=0), torch.from_numpy(bias_slope).sum(dim=0)
        return torch.from_numpy(hidden_slope), *summed, None, None, None, None, None


class Perceptron(nn.Module):
    """Layers with ReLUs between them, over integer observations divided by ``scale``.

    The division is done on the first layer's weights, which are fewer than a batch's inputs.
    """

    scale: torch.Tensor

    def __init__(
        self,
        scale: np.ndarray,
        widths: tuple[int, ...],
        generator: torch.Generator,
        workers: Workers,
        advice: float = 0.0,
    ):
        super().__init__()
        self._workers, self._advice = workers, advice
        self.register_buffer(
            "scale", torch.from_numpy(np.array(scale, np.float32)[:, None]), persistent=False
        )
        first, *others = [
            _matrix(a, b, generator) for a, b in zip((len(scale), *widths), widths, strict=False)
        ]
        self.embedding = nn.Parameter(first.T.contiguous())
        self.embedding_bias = nn.Parameter(torch.zeros(widths[0]))
        layers = [nn.Linear(m.shape[1], m.shape[0]) for m in others]
        with torch.no_grad():
            for layer, matrix in zip(layers, others, strict=True):
                layer.weight.copy_(matrix)
                layer.bias.zero_()
        self.layers = nn.ModuleList(layers)

    def forward(
        self, observations: np.ndarray, rows: np.ndarray, masks: np.ndarray | None = None
    ) -> torch.Tensor:
        """float32[M, outputs] of the observations in these rows.

        With masks bool[R, A] the first A outputs are actions, and those of illegal ones are 0.
        """
        weights = self.embedding / self.scale
        values = Embed.apply(weights, self.embedding_bias, observations, rows, self._workers)
        *layers, head = self.layers
        for layer in layers:
            values = functional.relu(layer(values), inplace=True)
        if masks is None:
            return head(values)
        return Head.apply(
            values, head.weight, head.bias, masks, observations, self._advice, rows, self._workers
        )


def _matrix(inputs: int, outputs: int, generator: torch.Generator) -> torch.Tensor:
    """float32[outputs, inputs], orthogonal and scaled for a ReLU."""
    return nn.init.orthogonal_(torch.empty(outputs, inputs), 2**0.5, generator=generator)


class ActorCritic(nn.Module):
    """Logits of all actions and, in the last column, the value for the seat to act.

    Args:
        scale: float32[N], see ``Layout.scale``; an advisor's A inputs come behind these.
        num_actions: A.
        seats: P, of which an all-seeing critic sees all.
        settings: ``hidden`` and ``critic``.
    """

    def __init__(
        self,
        scale: np.ndarray,
        num_actions: int,
        seats: int,
        settings: TrainConfig,
        workers: Workers,
    ):
        super().__init__()
        generator = torch.Generator().manual_seed(settings.seed)
        self.num_actions = num_actions
        self.shared = settings.critic == "shared"
        self.all_seeing = settings.critic == "all_seeing"
        heads = num_actions + self.shared
        advice = settings.advice if settings.advisor else 0.0
        advised = np.ones(num_actions if settings.advisor else 0, np.float32)
        known = np.concatenate([scale, advised])
        self.policy = Perceptron(known, (*settings.hidden, heads), generator, workers, advice)
        if not self.shared:
            seen = np.tile(scale, seats) if self.all_seeing else known
            self.critic = Perceptron(seen, (*settings.hidden, 1), generator, workers)
        with torch.no_grad():  # begin near uniform play and near zero values
            for network in self.children():
                *_, last_weight, _ = network.parameters()
                last_weight.mul_(0.01)

    def forward(
        self,
        observations: np.ndarray,
        everyone: np.ndarray | None,
        rows: np.ndarray,
        masks: np.ndarray,
    ) -> torch.Tensor:
        """float32[M, A + 1] of these rows; the logits of illegal actions are 0.

        Args:
            observations: [R, N].
            everyone: [R, P * N], needed by an all-seeing critic.
            rows: int64[M].
            masks: bool[R, A].
        """
        outputs = self.policy(observations, rows, masks)
        if self.shared:
            return outputs
        values = self.critic(everyone if self.all_seeing else observations, rows)
        return torch.cat([outputs, values], dim=1)

    def policy_layers(self) -> list[np.ndarray]:
        """weight_0, bias_0, weight_1, … as ``agents.policy.PolicyAgent`` takes them."""
        first, bias, *others = (p.detach().numpy() for p in self.policy.parameters())
        arrays = [first / self.policy.scale.numpy(), bias, *(array.T for array in others)]
        arrays[-2:] = [array[..., : self.num_actions] for array in arrays[-2:]]
        return [np.array(array, np.float32, order="C") for array in arrays]
