"""An env runner that drives a batch of games, with the shared policy in all learning seats."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

import numpy as np
import ray
import torch
from ray.rllib.core import COMPONENT_RL_MODULE
from ray.rllib.core.columns import Columns
from ray.rllib.env import INPUT_ENV_SPACES
from ray.rllib.env.env_runner import EnvRunner
from ray.rllib.env.single_agent_episode import SingleAgentEpisode
from ray.rllib.utils.checkpoints import Checkpointable
from ray.rllib.utils.metrics import (
    NUM_ENV_STEPS_SAMPLED,
    NUM_ENV_STEPS_SAMPLED_LIFETIME,
    SAMPLE_TIMER,
    WEIGHTS_SEQ_NO,
)

from training.config import TrainConfig, config_from_json
from training.kernels import Workers
from training.rllib.episodes import SHARED, Table
from training.rllib.module import MASK, OBSERVATION, MaskedPolicy
from training.selfplay import Rollout

GAME, SETTINGS = "game", "settings"  # what ``AlgorithmConfig.env_config`` holds
AGAINST, GAMES, UNHEARD = "against", "games", "unheard"  # of its metrics
_PAST = "past"


class GameRunner(EnvRunner, Checkpointable):
    """Plays ``rollout`` decisions in each of its games at a time.

    The games of a run are shared out among the runners. One that is started anew after a failure
    deals other games, and RLlib hands it the weights and the past selves.
    """

    num_env_steps_sampled_lifetime: int

    def __init__(self, *, config: Any, **kwargs: Any):
        super().__init__(config=config, **kwargs)
        torch.set_num_threads(1)
        self._weights_seq_no = self._samples = 0
        self.make_env()
        self.make_module()

    def make_env(self) -> None:
        """Deal games: other ones for every runner, and for every number of steps sampled so far."""
        given = self.config.env_config
        self._settings: TrainConfig = config_from_json(given[SETTINGS])
        words = self._settings.seed, self.worker_index or 0, self.num_env_steps_sampled_lifetime
        seed = int(np.random.SeedSequence(words).generate_state(1)[0])
        own = replace(self._settings, games=self._own_games(), seed=seed, threads=1)
        self._table = Table(given[GAME], own, np.random.default_rng(seed), Workers(1))
        self._name = f"{self.worker_index or 0}-{seed}"
        self.env = self._table.batch

    def _own_games(self) -> int:
        """This runner's share; the one beside the learner only plays if there is no other."""
        runners = self.config.num_env_runners
        if runners and not self.worker_index:
            return 1
        return -(-self._settings.games // max(runners, 1))

    def make_module(self) -> None:
        spaces = self.get_spaces()
        self.module = self.config.get_multi_rl_module_spec(
            spaces=spaces, inference_only=True
        ).build()

    @property
    def policy(self) -> MaskedPolicy:
        """The policy of all learning seats."""
        return self.module[SHARED]

    def get_spaces(self) -> dict[str, tuple[Any, Any]]:
        both = self.config.observation_space, self.config.action_space
        return {INPUT_ENV_SPACES: both, SHARED: both}

    def assert_healthy(self) -> None:
        assert self.env is not None and self.module is not None

    def stop(self) -> None:
        self.env.close()

    # Playing

    def sample(self, **kwargs: Any) -> list[SingleAgentEpisode]:
        """One episode for each seat and stretch of play, see ``training.rllib.episodes``."""
        with self.metrics.log_time(SAMPLE_TIMER):
            rollout = self._table.play(self._logits)
            self._samples += 1
            episodes = self._table.episodes(rollout, f"{self._name}-{self._samples}")
        steps = sum(map(len, episodes))
        self.num_env_steps_sampled_lifetime += steps
        self._report(rollout, steps)
        return episodes

    def _logits(self, seen: np.ndarray, masks: np.ndarray) -> np.ndarray:
        views = {OBSERVATION: torch.from_numpy(seen), MASK: torch.from_numpy(masks)}
        outputs = self.policy.forward_exploration({Columns.OBS: views})
        return outputs[Columns.ACTION_DIST_INPUTS].numpy()

    def _report(self, rollout: Rollout, steps: int) -> None:
        """Sums, so that RLlib adds up those of all runners; steps are decisions learnt from."""
        log = self.metrics.log_value
        log(NUM_ENV_STEPS_SAMPLED, steps, reduce="sum")
        log(NUM_ENV_STEPS_SAMPLED_LIFETIME, steps, reduce="lifetime_sum")
        log(GAMES, rollout.games, reduce="sum")
        log(UNHEARD, rollout.unheard, reduce="sum")
        for label, tally in rollout.tallies.items():
            kind = label.split()[0]  # past selves are one
            log((AGAINST, kind, "games"), tally.games, reduce="sum")
            log((AGAINST, kind, "won"), tally.won, reduce="sum")
            log((AGAINST, kind, "return"), tally.total, reduce="sum")

    def get_metrics(self) -> Any:
        return self.metrics.reduce()

    # State

    def get_state(
        self,
        components: str | Collection[str] | None = None,
        *,
        not_components: str | Collection[str] | None = None,
        **kwargs: Any,
    ) -> dict[str, Any]:
        """The steps so far, the past selves and, if it is asked for, the policy."""
        opponents = self._table.opponents
        state: dict[str, Any] = {
            NUM_ENV_STEPS_SAMPLED_LIFETIME: self.num_env_steps_sampled_lifetime,
            _PAST: (opponents.past, opponents.seen),
        }
        if self._check_component(COMPONENT_RL_MODULE, components, not_components):
            state[WEIGHTS_SEQ_NO] = self._weights_seq_no
            state[COMPONENT_RL_MODULE] = self.module.get_state(
                components=self._get_subcomponents(COMPONENT_RL_MODULE, components),
                not_components=self._get_subcomponents(COMPONENT_RL_MODULE, not_components),
                **kwargs,
            )
        return state

    def set_state(self, state: dict[str, Any]) -> None:
        """Take over what the state has; new weights may become a past self."""
        if NUM_ENV_STEPS_SAMPLED_LIFETIME in state:
            self._begin_at(state[NUM_ENV_STEPS_SAMPLED_LIFETIME])
        opponents = self._table.opponents
        if _PAST in state:
            opponents.past, opponents.seen = list(state[_PAST][0]), state[_PAST][1]
        if COMPONENT_RL_MODULE in state:
            weights = state[COMPONENT_RL_MODULE]
            self.module.set_state(ray.get(weights) if _is_reference(weights) else weights)
            number = state.get(WEIGHTS_SEQ_NO, 0)
            if number > self._weights_seq_no and number % self._settings.past_every == 0:
                opponents.add(self.policy.policy_layers())
            self._weights_seq_no = number
        opponents.choose_active()

    def _begin_at(self, steps: int) -> None:
        """Before its first rollout a runner deals the games that belong to the steps so far."""
        anew = steps != self.num_env_steps_sampled_lifetime and not self._samples
        self.num_env_steps_sampled_lifetime = steps
        if anew:
            past = self._table.opponents.past, self._table.opponents.seen
            self.make_env()
            self._table.opponents.past, self._table.opponents.seen = past

    def get_ctor_args_and_kwargs(self) -> tuple[tuple, dict[str, Any]]:
        return (), {"config": self.config}

    def get_checkpointable_components(self) -> list[tuple[str, Checkpointable]]:
        return [(COMPONENT_RL_MODULE, self.module)]


def _is_reference(value: Any) -> bool:
    return isinstance(value, ray.ObjectRef)
