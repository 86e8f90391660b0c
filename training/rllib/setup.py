"""The settings of a run as a ``PPOConfig`` of RLlib."""

from typing import Any

from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec

from envs import Batch
from envs.core.game import Game
from training.config import TrainConfig, settings
from training.rllib.episodes import SHARED
from training.rllib.module import module_spec
from training.rllib.runner import GAME, SETTINGS, GameRunner

CRITICS = ("shared", "separate")
SAMPLE_SECONDS = 180.0  # before a runner counts as lost; the first rollout also compiles the game
PROBE_SECONDS = 1.0  # that each update waits for a lost runner to be back
RESTORE_SECONDS = 60.0  # that one which is back is given to take the weights
RESTARTS = 1000


# Few games and long stretches: RLlib's learner works by the episode, not by the decision.
CHANGES: dict[str, Any] = {"games": 256, "rollout": 128, "magnet": 0.0, "critic": "shared"}


def rllib_settings(game: str | Game, profile: str = "quick", **changes: Any) -> TrainConfig:
    """The settings of a profile, as far as RLlib has a place for them; arguments and errors as of
    ``training.config.settings``.
    """
    return settings(game, profile, **{**CHANGES, **changes})


def check(config: TrainConfig) -> None:
    """Raise ValueError for settings that RLlib's PPO has no place for."""
    if config.critic not in CRITICS:
        raise ValueError(f"critic={config.critic!r}: with RLlib it is {' or '.join(CRITICS)}")
    if config.magnet:
        raise ValueError(
            f"magnet={config.magnet}: RLlib's PPO pulls towards no reference; set it to 0"
        )


def ppo_config(game: Game, config: TrainConfig, num_env_runners: int) -> PPOConfig:
    """RLlib's PPO with these settings.

    The games are shared out among the runners, so that an update learns from as many decisions
    whatever their number. Half of a round's decisions end the sampling: a round is always enough,
    unless half the runners are lost, and then the others play another one.

    Args:
        num_env_runners: actors that play; 0 plays in the learner's process.

    Raises:
        ValueError: settings that RLlib's PPO has no place for.
    """
    check(config)
    batch = Batch(game, 1, num_players=config.num_players, threads=1, **config.all_training_options)
    spec = module_spec(batch, config)
    enough = max(1, config.steps_per_update // 2)
    return (
        PPOConfig()
        .framework("torch")
        .environment(
            observation_space=spec.observation_space,
            action_space=spec.action_space,
            env_config={GAME: game, SETTINGS: config.as_json()},
        )
        .multi_agent(policies={SHARED}, policy_mapping_fn=shared)
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={SHARED: spec}))
        .env_runners(
            env_runner_cls=GameRunner,
            num_env_runners=num_env_runners,
            sample_timeout_s=SAMPLE_SECONDS,
            max_requests_in_flight_per_env_runner=8,  # else weights sent in a hurry are dropped
        )
        .learners(num_learners=0)
        .training(
            gamma=1.0,
            lambda_=config.trace,
            lr=_falling(config.learning_rate, config.learning_rate_end, config.steps),
            entropy_coeff=_falling(config.entropy, config.entropy_end, config.steps),
            clip_param=config.clip,
            vf_loss_coeff=config.value_weight / 2,  # RLlib's error is not halved
            vf_clip_param=float("inf"),
            use_kl_loss=False,
            grad_clip=config.gradient_norm,
            grad_clip_by="global_norm",
            num_epochs=config.epochs,
            minibatch_size=min(config.minibatch, enough),
            train_batch_size_per_learner=enough,
        )
        .fault_tolerance(
            restart_failed_env_runners=True,
            max_num_env_runner_restarts=RESTARTS,
            env_runner_health_probe_timeout_s=PROBE_SECONDS,
            env_runner_restore_timeout_s=RESTORE_SECONDS,
        )
        .debugging(seed=config.seed, log_level="ERROR")
    )


def shared(agent_id: str, episode: Any, **kwargs: Any) -> str:
    """Every seat learns with the same policy."""
    return SHARED


def _falling(start: float, share: float, steps: int) -> list[list[float]] | float:
    """A schedule of RLlib: linearly from ``start`` to a share of it."""
    return [[0, start], [steps, start * share]] if start else 0.0
