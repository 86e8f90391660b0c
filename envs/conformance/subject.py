"""What is checked, and uniform play over it."""

import hashlib
import importlib
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from pettingzoo.utils.env import AECEnv

from envs.core.game import Game

MAX_TURNS = 1_000_000  # of one match: beyond this it never ends


@dataclass(frozen=True, eq=False)
class Subject:
    """An environment to check.

    Attributes:
        make: its constructor.
        arguments: keyword arguments: ``num_players`` and options.
        entry: ``module:function`` where another process finds ``make``, or empty.
        effort: multiplies how much is played; 1 takes seconds.
        players: further players for point 10, name -> ``play(batch) -> actions``.
    """

    make: Callable[..., AECEnv]
    arguments: Mapping[str, Any] = field(default_factory=dict)
    entry: str = ""
    effort: float = 1.0
    players: Mapping[str, Callable] = field(default_factory=dict)

    def env(self, **more: Any) -> AECEnv:
        """A fresh environment."""
        return self.make(**{**self.arguments, **more})

    @cached_property
    def has_game(self) -> bool:
        """Whether it is an environment of this engine."""
        return hasattr(self.env().unwrapped, "game")

    @cached_property
    def game(self) -> Game:
        """The game of an environment of this engine; AttributeError for others."""
        return self.env().unwrapped.game

    def possible(self, record: Any, seat: int) -> bool:
        """Whether play can lead to this record, as far as the seat can tell."""
        return self.game.is_possible(record, seat)

    @cached_property
    def config(self) -> dict[str, Any]:
        """The full configuration, for batches; needs a game."""
        return self.env().unwrapped.config

    @cached_property
    def length(self) -> int:
        """Turns of the match of seed 0."""
        env = self.env()
        env.reset(seed=0)
        return len(trace(env, random.Random(0)))

    def many(self, base: int) -> int:
        """A budget, scaled by effort."""
        return max(1, round(base * self.effort))

    def tour(self, views: int, every: int = 1) -> Iterator[AECEnv]:
        """The environment before turns of whole matches, about ``views`` of them, ends included.

        Whoever is handed the environment leaves it as it was.
        """
        stride = max(every, -(-self.length // views))
        env = self.env()
        seen = seed = 0
        while seen < views:
            chance = random.Random(seed)
            env.reset(seed=seed)
            for turn in range(MAX_TURNS):
                if not env.agents:
                    break
                if turn % stride == 0 or is_over(env):
                    seen += 1
                    yield env
                env.step(choose(env, chance))
            seed += 1


def find(text: str) -> str:
    """``module:function`` of a game's id, or of a module that has ``env``.

    Raises:
        ValueError: there is nothing of that name.
    """
    from envs import GAMES, find_game

    module, _, function = text.partition(":")
    if "." not in module and not function:
        module = f"envs.{find_game(module).env_id}"
    try:
        getattr(importlib.import_module(module), function or "env")
    except (ImportError, AttributeError) as error:
        raise ValueError(f"{text!r}: {error}; the games are {', '.join(GAMES)}") from None
    return f"{module}:{function or 'env'}"


def constructor(entry: str) -> Callable[..., AECEnv]:
    """The constructor behind ``module:function``."""
    module, _, function = entry.partition(":")
    return getattr(importlib.import_module(module), function)


def is_over(env: AECEnv) -> bool:
    """Whether the seat to move has only None to play."""
    agent = env.agent_selection
    return env.terminations[agent] or env.truncations[agent]


def mask_of(env: AECEnv, agent: str | None = None) -> np.ndarray | None:
    """The action mask that a seat (the acting one) is shown, or None."""
    agent = agent or env.agent_selection
    observation = env.observe(agent)
    if isinstance(observation, Mapping) and "action_mask" in observation:
        return observation["action_mask"]
    return env.infos[agent].get("action_mask")


def choose(env: AECEnv, chance: random.Random) -> int | None:
    """A uniformly drawn legal action; None when the seat is done."""
    if is_over(env):
        return None
    mask = mask_of(env)
    legal = range(env.action_space(env.agent_selection).n) if mask is None else np.flatnonzero(mask)
    assert len(legal), f"{env.agent_selection} is to act and has no legal action"
    return int(legal[chance.randrange(len(legal))])


def trace(env: AECEnv, chance: random.Random, limit: int = MAX_TURNS) -> list[str]:
    """Play on at random: a digest of what the seat to move is told, turn by turn."""
    digests: list[str] = []
    while env.agents and len(digests) < limit:
        agent = env.agent_selection
        observation, reward, terminated, truncated, info = env.last()
        mask = info.get("action_mask")
        digests.append(digest((agent, observation, mask, float(reward), terminated, truncated)))
        env.step(choose(env, chance))
    assert len(digests) < MAX_TURNS, f"the match goes on after {MAX_TURNS} turns"
    return digests


def digest(value: Any) -> str:
    """A short hash of nested plain data and arrays."""
    return hashlib.blake2b(_flat(value), digest_size=8).hexdigest()


def _flat(value: Any) -> bytes:
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{value.shape}".encode() + value.tobytes()
    if isinstance(value, Mapping):
        return b"{" + b",".join(_flat(k) + b":" + _flat(v) for k, v in value.items()) + b"}"
    if isinstance(value, list | tuple):
        return b"[" + b",".join(map(_flat, value)) + b"]"
    return repr(value).encode()


def same(one: list, other: list, what: str) -> None:
    """Assert that two traces agree, and say where they part."""
    for turn, (a, b) in enumerate(zip(one, other, strict=False)):
        assert a == b, f"{what}: differs at turn {turn} of {len(one)}: {a} and {b}"
    assert len(one) == len(other), f"{what}: {len(one)} turns against {len(other)}"
