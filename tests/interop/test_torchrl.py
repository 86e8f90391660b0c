"""TorchRL's wrapper over the AEC environment; over the Gymnasium view see the page's example."""

import pytest
import torch
from pettingzoo.utils import BaseWrapper
from torchrl.envs.libs.pettingzoo import PettingZooWrapper

from envs import truc_v0

pytestmark = pytest.mark.filterwarnings("ignore")  # it is tested with an older PettingZoo


class MaskInObservationsAlone(BaseWrapper):
    """TorchRL takes the mask out of observations, and stumbles over the one in infos."""

    @property
    def infos(self):
        return {agent: {} for agent in self.env.agents}


def test_a_match_by_turns_with_masks():
    env = PettingZooWrapper(
        MaskInObservationsAlone(truc_v0.env(hands=1)), use_mask=True, categorical_actions=True
    )
    env.set_seed(0)
    for _ in range(3):
        played = env.rollout(200)  # random legal actions; an illegal one raises
        assert played["next", "done"][-1].item()
        paid = torch.stack([played["next", seat, "reward"].sum() for seat in sorted(env.group_map)])
        assert paid[0] == paid[2] == -paid[1] == -paid[3] != 0
        acting = torch.stack([played[seat, "mask"].squeeze() for seat in sorted(env.group_map)])
        assert (acting.sum(dim=0) == 1).all()


def test_with_the_mask_in_infos_too_it_fails():
    """Should this pass one day, the wrapper above can go."""
    with pytest.raises(TypeError, match="NoneType"):
        PettingZooWrapper(truc_v0.env(), use_mask=True, categorical_actions=True).reset()
