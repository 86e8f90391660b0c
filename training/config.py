"""Settings of the learners: one dataclass, per-game values and profiles as data."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from agents import heuristics
from envs import find_game
from envs.core.game import Game, unknown

BUDGET_SHARE = 0.93  # of a time budget that is planned for; the rest is for probes and checkpoints
CRITICS = ("shared", "separate", "all_seeing")


@dataclass(frozen=True)
class TrainConfig:
    """Everything that decides what a training run learns; the same values give the same run."""

    num_players: int | None = None  # seats; None for the game's default
    options: Mapping[str, Any] = field(
        default_factory=dict
    )  # rule options to play and be measured by
    training_options: Mapping[str, Any] = field(
        default_factory=dict
    )  # laid over them for training only
    seed: int = 0  # of deals, chance, weights and shuffles
    steps: int = 2_000_000  # decisions played in the whole run; a budget in minutes replaces it

    hidden: tuple[int, ...] = (128, 128)  # widths of the hidden layers (ReLU)
    advisor: str = ""  # a rule player whose choice is an input of the policy; none if empty
    advice: float = 3.0  # what the advice adds to the logit of the advised action
    critic: str = "all_seeing"  # a network that sees all hands; "separate", or a "shared" trunk

    games: int = 2048  # games that run side by side
    rollout: int = 64  # decisions in each game between two updates
    skip_forced: bool = True  # decisions with one legal action are played by the engine
    epochs: int = 2  # passes over the decisions of a rollout
    minibatch: int = 8192  # decisions per gradient step
    learning_rate: float = 1e-3  # of Adam, at the start
    learning_rate_end: float = 0.1  # share of it that is left at the end; falls linearly
    clip: float = 0.2  # PPO: the ratio of new to old probability stops paying outside 1 ± clip
    trace: float = 0.95  # λ of the advantage estimate; γ is 1
    value_weight: float = 0.5  # weight of the critic's squared error
    entropy: float = 0.1  # bonus for the policy's entropy, at the start
    entropy_end: float = 0.5  # share of it that is left at the end; falls linearly
    magnet: float = 0.05  # weight of KL(policy || reference): magnetic mirror descent; 0 for none
    magnet_speed: float = 0.05  # how far the reference moves towards the policy at each update
    gradient_norm: float = 1.0  # longer gradients are cut to this length
    reward_scale: float = 1.0  # multiplies rewards before learning
    win_bonus: float = 0.0  # paid on top to who wins a match, by all seats alike
    by_hand: bool = False  # pay what each hand changes in the scores' outlook, see ``foresight``

    past_share: float = 0.25  # share of the games in which some teams are played by past selves
    past_every: int = 20  # updates between two past selves
    past_kept: int = 10  # past selves in the pool
    past_active: int = 2  # past selves that play at one time
    rule_share: float = 0.1  # share of the games in which some teams are played by rule agents
    rule_agents: tuple[str, ...] = ("random",)  # which ones; named twice, one has twice the games
    alone: bool = False  # where opponents play, the learner holds one team and they all others

    checkpoint_seconds: float = 60.0  # between checkpoints; a kill loses no more than this
    probes: int = 8  # measurements of strength during the run
    probe_games: int = 256  # matches in each, against each of the rule agents
    temperature: float = 1.0  # at which the trained policy plays
    threads: int = 2  # of PyTorch and of the engine

    def __post_init__(self) -> None:
        if self.critic not in CRITICS:
            raise ValueError(f"critic={self.critic!r}: allowed are {', '.join(CRITICS)}")
        if self.past_share + self.rule_share > 1:
            raise ValueError(
                f"past_share={self.past_share} and rule_share={self.rule_share} add up to over 1"
            )
        if not self.hidden:
            raise ValueError("hidden=(): the network needs at least one hidden layer")
        whole = ("games", "rollout", "epochs", "minibatch", "steps", "threads")
        for name in (*whole, "past_every", "probe_games"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name}={getattr(self, name)!r}: allowed are integers from 1")

    @property
    def steps_per_update(self) -> int:
        """Decisions played between two updates."""
        return self.games * self.rollout

    @property
    def updates(self) -> int:
        """Updates in the whole run."""
        return -(-self.steps // self.steps_per_update)

    @property
    def all_training_options(self) -> dict[str, Any]:
        """The rule options that training games are played by."""
        return {**self.options, **self.training_options}

    def as_json(self) -> dict[str, Any]:
        """Plain data for a checkpoint."""
        return asdict(self)


def steps_in(minutes: float, speed: float) -> int:
    """Decisions to plan for a budget of minutes at a measured speed (decisions a second)."""
    return max(1, int(minutes * 60 * speed * BUDGET_SHARE))


def config_from_json(data: Mapping[str, Any]) -> TrainConfig:
    """The inverse of ``TrainConfig.as_json``, also after a way through JSON."""
    known = {f.name for f in fields(TrainConfig)}
    for name in data.keys() - known:
        raise ValueError(unknown("setting", name, list(known), "training"))
    lists = {name: tuple(value) for name, value in data.items() if isinstance(value, list)}
    return TrainConfig(**{**data, **lists})


# What differs from the defaults above, game by game, found by measured strength per minute.
GAME_SETTINGS: dict[str, dict[str, Any]] = {}

# A few minutes on a laptop: many small updates, little entropy, play sharper than trained, and one
# trunk for policy and critic, since a critic that sees all hands takes longer and gained nothing.
QUICK: dict[str, Any] = {
    "critic": "shared",
    "games": 1024,
    "rollout": 32,
    "minibatch": 2048,
    "learning_rate": 3e-3,
    "magnet": 0.0,
    "entropy": 0.02,
    "probes": 4,
    "temperature": 0.5,
}

# Learning where the rule player is wrong: in small steps, and for long with it as an opponent.
ADVISED: dict[str, Any] = {"advisor": "strong", "learning_rate": 1e-3}
WITH_STRONG: dict[str, Any] = {"rule_agents": ("simple", "strong"), "rule_share": 0.2}

# Melds are plans of many steps, which an entropy bonus would break: the pull is to the adviser.
PUC: dict[str, Any] = {
    "advice": 5.0,
    "entropy": 0.0,
    "magnet": 0.02,
    "magnet_speed": 0.01,
    "by_hand": True,
    "temperature": 0.3,
}

# Named variations: what differs for every game, then game by game and for a number of players.
PROFILES: dict[str, tuple[dict[str, Any], dict[str, dict[str, Any]]]] = {
    "default": ({}, {}),
    "quick": (
        QUICK,
        {
            "balco_v0": {**ADVISED, "advice": 4.0},
            "poker_builder_v0": ADVISED,
            "puc_v0": {**ADVISED, **PUC},
        },
    ),
    # What ``agents/baselines`` holds (``training.baselines``): the quick settings, for longer, and
    # where a rule player knows what a small network learns slowly, with its advice.
    "baseline": (
        {**QUICK, "probes": 10, "threads": 1},
        {
            # Bluffs that a student cannot read: more entropy, and a pull to a slow reference.
            "truc_v0": {
                "steps": 70_000_000,
                "games": 2048,
                "minibatch": 4096,
                "entropy": 0.05,
                "magnet": 0.05,
                "temperature": 0.7,
            },
            # Most tables with rule players: the learner, alone there, learns from one seat of four.
            "puc_v0": {
                **ADVISED,
                **PUC,
                "hidden": (192, 128),
                "steps": 75_000_000,
                "rule_agents": ("simple", "strong", "strong", "strong"),
                "rule_share": 0.6,
                "past_share": 0.15,
                "alone": True,
                "probes": 12,
            },
            "balco_v0": {**ADVISED, **WITH_STRONG, "steps": 25_000_000, "advice": 4.0},
            "balco_v0-4": {"steps": 40_000_000, "advice": 3.0, "learning_rate": 2e-3},
            # Between equals a hand of 4 Duros is luck: what helps is a critic that sees all hands,
            # pay by the hand, and large batches.
            "quatre_duros_v0": {
                **ADVISED,
                "critic": "all_seeing",
                "by_hand": True,
                "games": 2048,
                "minibatch": 8192,
                "steps": 40_000_000,
                "rule_agents": ("strong",),
                "rule_share": 0.2,
                "alone": True,
            },
            "poker_builder_v0": {
                **ADVISED,
                "steps": 36_000_000,
                "learning_rate_end": 0.05,
                "rule_agents": ("random", "simple", "strong", "strong"),
                "rule_share": 0.4,
                "past_share": 0.2,
                "temperature": 0.3,
            },
        },
    ),
}


def profile_values(game: Game, profile: str, num_players: int) -> dict[str, Any]:
    """What a profile sets for a game with so many seats.

    Raises:
        ValueError: no such profile.
    """
    if profile not in PROFILES:
        raise ValueError(unknown("profile", profile, list(PROFILES), "training"))
    for_all, by_game = PROFILES[profile]
    own, table = by_game.get(game.env_id, {}), by_game.get(f"{game.env_id}-{num_players}", {})
    return {**for_all, **own, **table}


def settings(game: str | Game, profile: str = "default", **changes: Any) -> TrainConfig:
    """The settings of a game under a profile, with ``changes`` on top.

    Rule agents are ``random`` and, where the game has one, ``simple``; ``strong`` is kept for
    measurement.

    Raises:
        ValueError: no such profile; TypeError: no such setting, or a value of the wrong kind.
    """
    game = find_game(game)
    known = {f.name for f in fields(TrainConfig)}
    for name in changes.keys() - known:
        raise TypeError(unknown("setting", name, list(known), "training"))
    for name, value in changes.items():
        _check_kind(name, value)
    players = game.configure(changes.get("num_players"))["num_players"]
    chosen = {
        "rule_agents": tuple(n for n in ("random", "simple") if n in heuristics(game)),
        **GAME_SETTINGS.get(game.env_id, {}),
        **profile_values(game, profile, players),
        **changes,
    }
    return replace(TrainConfig(), **chosen)


def _check_kind(name: str, value: Any) -> None:
    """Raise TypeError unless the value is of the kind of the setting's default."""
    default = getattr(TrainConfig(), name)
    if isinstance(default, tuple):
        fits = isinstance(value, tuple | list) and all(_alike(v, default[0]) for v in value)
        if not fits:
            raise TypeError(f"{name}={value!r}: allowed are {_KINDS[type(default[0])]} in [ ]")
    elif isinstance(default, Mapping):
        if not isinstance(value, Mapping):
            raise TypeError(f"{name}={value!r}: allowed are rule options in {{ }}: {{target=12}}")
    elif type(default) in _KINDS and not _alike(value, default):
        raise TypeError(f"{name}={value!r}: allowed are {_KINDS[type(default)]}")


_KINDS = {bool: "true and false", int: "integers from 0", float: "numbers from 0", str: "words"}


def _alike(value: Any, default: Any) -> bool:
    """Whether a value may stand where the default stands: numbers are finite and not negative."""
    if isinstance(default, bool | str) or isinstance(value, bool):
        return type(value) is type(default)
    kinds = (int, float) if isinstance(default, float) else (int,)
    return isinstance(value, kinds) and 0 <= value < math.inf
