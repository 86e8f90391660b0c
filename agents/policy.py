"""Trained policies: a small network played by compiled loops over NumPy arrays, without torch.

Every row is computed on its own, in a fixed order, so an action depends on the observation, the
mask and the row's random stream and never on the neighbours in a batch. Observations are mostly
zeros, and so are hidden layers after their ReLU; zeros are passed over.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from agents.base import ByRows, next_bits, unit
from agents.storage import read_arrays
from envs.core.game import Config, Game
from envs.core.jit import rule

if TYPE_CHECKING:
    from agents.advice import Advisor

FORMAT = "naips-policy/1"
FILE = "policy.safetensors"


@rule
def nonzero(values, places):
    """Write the places of the non-zero values; return how many there are.

    Free of branches, since which inputs are set cannot be foretold by a processor.
    """
    count = 0
    for i in range(values.shape[0]):
        places[count] = i
        count += values[i] != 0
    return count


@rule
def dense(inputs, weights, bias, live, out):
    """out = inputs @ weights + bias, four non-zero inputs at a time; ``live`` is scratch."""
    count = nonzero(inputs, live)
    width = weights.shape[1]
    for j in range(width):
        out[j] = bias[j]
    m = 0
    while m + 4 <= count:
        a, b, c, d = live[m], live[m + 1], live[m + 2], live[m + 3]
        va, vb = np.float32(inputs[a]), np.float32(inputs[b])
        vc, vd = np.float32(inputs[c]), np.float32(inputs[d])
        wa, wb, wc, wd = weights[a], weights[b], weights[c], weights[d]
        for j in range(width):
            out[j] += (va * wa[j] + vb * wb[j]) + (vc * wc[j] + vd * wd[j])
        m += 4
    while m < count:
        va, wa = np.float32(inputs[live[m]]), weights[live[m]]
        for j in range(width):
            out[j] += va * wa[j]
        m += 1


@rule
def relu(values):
    for j in range(values.shape[0]):
        values[j] = max(values[j], np.float32(0))


@rule
def draw(logits, mask, temperature, chance):
    """A legal action drawn from the softmax of ``logits / temperature``, and the log of its chance.

    ``chance`` in [0, 1) decides; temperature 0 takes the likeliest one. Without a legal action: -1.
    """
    best = -1
    for a in range(mask.shape[0]):
        if mask[a] and (best < 0 or logits[a] > logits[best]):
            best = a
    if best < 0 or temperature <= 0:
        return best, 0.0
    total = 0.0
    for a in range(mask.shape[0]):
        if mask[a]:
            total += np.exp((logits[a] - logits[best]) / temperature)
    left = chance * total
    chosen = best
    for a in range(mask.shape[0]):
        if mask[a]:
            left -= np.exp((logits[a] - logits[best]) / temperature)
            if left < 0:
                chosen = a
                break
    return chosen, (logits[chosen] - logits[best]) / temperature - np.log(total)


@rule
def next_unit(rngs, k):
    """A float in [0, 1) from stream k."""
    return unit(next_bits(rngs, k))


@rule
def _logits(observation, weights, biases, hidden, live, out):
    """The network on one row; ``hidden`` float32[2, widest] and ``live`` are scratch."""
    last = len(weights) - 1
    if last == 0:
        dense(observation, weights[0], biases[0], live, out)
        return
    width = weights[0].shape[1]
    dense(observation, weights[0], biases[0], live, hidden[0, :width])
    relu(hidden[0, :width])
    for layer in range(1, last):
        after = weights[layer].shape[1]
        into = hidden[layer % 2, :after]
        dense(hidden[(layer - 1) % 2, :width], weights[layer], biases[layer], live, into)
        relu(into)
        width = after
    dense(hidden[(last - 1) % 2, :width], weights[last], biases[last], live, out)


@rule
def _logits_of_rows(observations, weights, biases, hidden, live, out):
    for k in range(observations.shape[0]):
        _logits(observations[k], weights, biases, hidden, live, out[k])


@rule
def add_advice(inputs, weight, logits):
    """Raise the logit of the action advised in the last places of the inputs."""
    first = inputs.shape[0] - logits.shape[0]
    for a in range(logits.shape[0]):
        logits[a] += weight * np.float32(inputs[first + a])


@rule
def _act_rows(inputs, masks, weights, biases, advice, hidden, live, logits, temperature, rngs, out):
    for k in range(masks.shape[0]):
        _logits(inputs[k], weights, biases, hidden, live, logits)
        if advice != 0:
            add_advice(inputs[k], advice, logits)
        out[k], _ = draw(logits, masks[k], temperature, next_unit(rngs, k))


class PolicyAgent(ByRows):
    """A network that maps an observation to a distribution over actions.

    Args:
        name: shown to people.
        weights: float32[inputs, outputs] of each layer, applied to the raw observation.
        biases: float32[outputs] of each layer; between layers stands a ReLU.
        temperature: divides the logits; 1 plays as trained, 0 takes the likeliest action.
        card: what the checkpoint says about itself.
        advisor: whose advice stands behind the observation, see ``agents.advice``; or None.
    """

    def __init__(
        self,
        name: str,
        weights: Sequence[np.ndarray],
        biases: Sequence[np.ndarray],
        temperature: float = 1.0,
        card: Mapping[str, Any] | None = None,
        advisor: "Advisor | None" = None,
    ):
        self.name, self.temperature, self.card = name, float(temperature), dict(card or {})
        self.advisor = advisor
        self._weights = tuple(np.array(w, np.float32, order="C") for w in weights)
        self._biases = tuple(np.array(b, np.float32) for b in biases)

    @property
    def layers(self) -> list[np.ndarray]:
        """weight_0, bias_0, weight_1, bias_1, …"""
        return [array for pair in zip(self._weights, self._biases, strict=True) for array in pair]

    def _scratch(self) -> tuple[np.ndarray, np.ndarray]:
        widest = max(max(w.shape) for w in self._weights)
        return np.empty((2, widest), np.float32), np.empty(widest, np.int64)

    def logits(self, inputs: np.ndarray) -> np.ndarray:
        """float32[B, A] of the network's inputs, before advice raises any and before masking.

        The inputs are observations [B, N]; with an advisor, what its ``extend`` makes of them.
        """
        out = np.empty((len(inputs), self._weights[-1].shape[1]), np.float32)
        rows = np.ascontiguousarray(inputs)
        _logits_of_rows(rows, self._weights, self._biases, *self._scratch(), out)
        return out

    def act_batch(
        self, observations: np.ndarray, action_masks: np.ndarray, rngs: np.ndarray
    ) -> np.ndarray:
        """See ``Observer.act_batch``; rows without a legal action get -1."""
        out = np.empty(len(observations), np.int64)
        logits = np.empty(self._weights[-1].shape[1], np.float32)
        inputs, masks = np.ascontiguousarray(observations), np.asarray(action_masks, np.bool_)
        advice = np.float32(0)
        if self.advisor is not None:
            inputs = self.advisor.extend(inputs, masks, rngs)
            advice = np.float32(self.advisor.weight)
        _act_rows(
            inputs, np.ascontiguousarray(masks), self._weights, self._biases, advice,
            *self._scratch(), logits, self.temperature, rngs, out,
        )  # fmt: skip
        return out

    def __repr__(self) -> str:
        return f"<agent {self.name}>"


def load_policy(
    game: Game,
    config: Config,
    path: str | Path,
    temperature: float | None = None,
    name: str | None = None,
) -> PolicyAgent:
    """The policy of a checkpoint.

    Args:
        path: a ``.safetensors`` file, a checkpoint folder, or the folder of a training run, whose
            newest checkpoint is taken.
        temperature: None for what the card recommends.
        name: None for that of the checkpoint.

    Raises:
        ValueError: damaged, not a policy, or made for another game, player count or observation.
        FileNotFoundError: there is no checkpoint.
    """
    file = find_policy(Path(path))
    arrays, card = read_arrays(file)
    check_card(card, game, config, file)
    layers = range(len(arrays) // 2)
    try:
        weights = [arrays[f"weight_{i}"] for i in layers]
        biases = [arrays[f"bias_{i}"] for i in layers]
    except KeyError as missing:
        raise ValueError(f"{file} lacks the array {missing}") from None
    if name is None:
        name = file.parent.name if file.name == FILE else f"{file.parent.name}/{file.name}"
    heat = card.get("temperature", 1.0) if temperature is None else temperature
    return PolicyAgent(name, weights, biases, heat, card, _advisor(card, game, config))


def _advisor(card: Mapping[str, Any], game: Game, config: Config) -> "Advisor | None":
    if not card.get("advisor"):
        return None
    from agents.advice import find_advisor

    return find_advisor(game, config, card["advisor"]["agent"], card["advisor"]["weight"])


def find_policy(path: Path) -> Path:
    """The policy file that a path means."""
    if path.suffix == ".safetensors" or (path / FILE).is_file():
        return path if path.suffix == ".safetensors" else path / FILE
    newest = newest_checkpoint(path)
    if newest is None:
        raise FileNotFoundError(f"there is no checkpoint in {path}")
    return newest / FILE


def newest_checkpoint(run: Path) -> Path | None:
    """The newest complete checkpoint folder of a training run, or None."""
    folders = [f for f in run.glob("checkpoint-*") if (f / FILE).is_file()]
    return max(folders, key=lambda folder: folder.name, default=None)


def check_card(card: Mapping[str, Any], game: Game, config: Config, file: Path) -> None:
    """Raise ValueError unless a policy with this card can play the game as configured."""
    if card.get("format") != FORMAT:
        raise ValueError(f"{file} is no {FORMAT} file but {card.get('format')!r}")
    layout = game.layout(config)
    for what, mine in (
        ("env_id", game.env_id),
        ("num_players", config["num_players"]),
        ("layout", layout.hash),
        ("num_actions", game.num_actions(config)),
    ):
        if card.get(what) != mine:
            theirs = json.dumps({"env_id": card.get("env_id"), **card.get("options", {})})
            raise ValueError(
                f"{file} was trained for {what}={card.get(what)!r}, not {mine!r}; it plays {theirs}"
            )
