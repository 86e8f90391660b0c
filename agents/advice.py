"""Advice: what a rule player would do, as further inputs of a trained policy.

A rule player may know what a small network learns slowly or never: the best meld of Puc, what the
next cards of an auction are worth. Its choice stands behind the observation, one place per action,
and raises that action's logit, so that learning begins at the rule player's strength and says where
it is wrong. The advice is drawn from the observation alone, like everything else a policy sees.
"""

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from agents import heuristics
from agents.base import CompiledAgent, next_bits
from envs.core.game import Config, Game, unknown
from envs.core.jit import bind

OPINION_SCALE = 100  # opinions differ by chances to win, kept in hundredths
opinion = None  # the name that ``bind`` supplies


def _opinions(observations, masks, at, num_players, rngs, out, best):
    """out[k, a]: how much less than the best legal action a promises, in hundredths.

    best[k]: that action, or -1 where there is no opinion.
    """
    value = np.empty(masks.shape[1])
    for k in range(masks.shape[0]):
        best[k] = -1
        value[:] = 0
        if masks[k].any():
            opinion(observations[k], masks[k], at, num_players, next_bits(rngs, k), value)
        if not value.any():
            continue
        for a in range(masks.shape[1]):
            if masks[k, a] and (best[k] < 0 or value[a] > value[best[k]]):
                best[k] = a
        for a in range(masks.shape[1]):
            if masks[k, a]:
                less = OPINION_SCALE * (value[a] - value[best[k]])
                out[k, a] = max(-OPINION_SCALE, np.round(less))


class Advisor:
    """Extends observations by what a rule player thinks.

    Behind the observation stand its opinions of all actions, if it has any (``OPINIONS`` of the
    game's rule players: what an action promises, as a chance to win), then its choice; where it has
    an opinion that is the best action by it.

    Args:
        agent: who advises.
        weight: what the advice adds to the logit of the advised action.
        opinions: compiled, ``(observation, mask, at, num_players, bits, value)``: write what every
            legal action promises; or None.

    Attributes:
        scale: float32[W], the size of the further inputs, see ``Layout.scale``.
    """

    def __init__(
        self, game: Game, config: Config, agent: CompiledAgent, weight: float,
        opinions: Callable | None = None,
    ):  # fmt: skip
        self.agent, self.weight = agent, float(weight)
        self._at, self._players = game.layout(config).offsets, config["num_players"]
        self._opinions = None
        actions = game.num_actions(config)
        self.scale = np.ones(actions, np.float32)
        if opinions is not None:
            name = f"{game.name}_{agent.name}_opinions"
            self._opinions = bind(_opinions, {"opinion": opinions}, name)
            of_opinions = np.full(actions, OPINION_SCALE / 10, np.float32)
            self.scale = np.concatenate([of_opinions, self.scale])

    def extend(
        self, observations: np.ndarray, action_masks: np.ndarray, rngs: np.ndarray
    ) -> np.ndarray:
        """[B, N + W] of observations [B, N] and masks bool[B, A]; streams uint64[B] move on."""
        rows, actions = action_masks.shape
        places = observations.shape[1]
        extended = np.zeros((rows, places + len(self.scale)), observations.dtype)
        extended[:, :places] = observations
        chosen = np.full(rows, -1)
        if self._opinions is not None:
            self._opinions(
                observations, action_masks, self._at, self._players, rngs,
                extended[:, places : places + actions], chosen,
            )  # fmt: skip
        silent = np.flatnonzero(chosen < 0)
        own = rngs[silent]
        chosen[silent] = self.agent.act_batch(observations[silent], action_masks[silent], own)
        rngs[silent] = own
        asked = np.flatnonzero(chosen >= 0)
        extended[asked, extended.shape[1] - actions + chosen[asked]] = 1
        return extended

    def card(self) -> dict[str, Any]:
        """What a checkpoint says about it; see ``find_advisor``."""
        return {
            "agent": self.agent.name,
            "weight": self.weight,
            "opinions": self._opinions is not None,
        }


def find_advisor(
    game: Game, config: Config, name: str, weight: float, opinions: bool | None = None
) -> Advisor:
    """The advisor of that name, one of the game's rule players.

    ``opinions`` says whether his opinions are asked too; None: if he has any.

    Raises:
        ValueError: no such rule player.
    """
    known = heuristics(game)
    if name not in known:
        raise ValueError(unknown("advisor", name, list(known), game.title))
    agent = CompiledAgent(game, config, name, known[name])
    spoken = _spoken(game).get(name) if opinions is None or opinions else None
    return Advisor(game, config, agent, weight, spoken)


def _spoken(game: Game) -> dict[str, Callable]:
    """Name -> opinions, of the game's rule players that tell them."""
    module = f"agents.{game.name}"
    return getattr(import_module(module), "OPINIONS", {}) if find_spec(module) else {}
