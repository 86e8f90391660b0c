"""Players of known strength for the tests of the evaluation: they bet with cards that they know."""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from agents.base import next_bits
from envs.core.random import scale
from tests.toys.kuhn import BET, GAME, PASS
from training.checkpoint import make_card, write_policy

HUNDRED = 100


class CardBettor(NamedTuple):
    """Kuhn poker: bets with the king and with the queen in second place, passes with the jack.

    Every ``errs``-th percent of its decisions it does the contrary.
    """

    name: str
    errs: int = 0

    def act_batch(self, observations, action_masks, rngs):
        king, queen = observations[:, 2] == 1, observations[:, 1] == 1
        second = observations[:, 9] == 0
        chosen = np.where(king | (queen & second), BET, PASS)
        if self.errs:
            chance = np.array(
                [scale(np.uint64(next_bits(rngs, k)), HUNDRED) for k in range(len(rngs))]
            )
            chosen = np.where(chance < self.errs, 1 - chosen, chosen)
        return chosen

    def act(self, observation, action_mask, rng):
        return int(self.act_batch(observation[None], action_mask[None], rng)[0])


def leave_checkpoint(run: Path, step: int, bet: float) -> None:
    """A checkpoint, as training leaves it, of a policy that bets with odds of exp(bet)."""
    folder = run / f"checkpoint-{step:012d}"
    folder.mkdir(parents=True)
    layers = [np.zeros((10, 2), np.float32), np.array([0, bet], np.float32)]
    write_policy(folder, layers, make_card(GAME, GAME.configure(), (), temperature=1.0))
