"""The environment for people: the raw one with clear errors for calls in the wrong order."""

from collections.abc import Callable
from typing import Any

from pettingzoo.utils import BaseWrapper

from envs.core.aec import GameEnv
from envs.core.game import Game


class OrderChecked(BaseWrapper):
    """Clear errors for calls in the wrong order: before ``reset``, and after the end."""

    _AFTER_RESET = frozenset(
        {
            "agents",
            "agent_selection",
            "rewards",
            "terminations",
            "truncations",
            "infos",
            "num_agents",
        }
    )

    def __getattr__(self, name: str) -> Any:
        if name in self._AFTER_RESET and self.env.unwrapped._key is None:
            raise AttributeError(f"{name} cannot be read before reset()")
        return super().__getattr__(name)

    def step(self, action: int | None) -> None:
        self.env.unwrapped._require_match()
        super().step(action)

    def observe(self, agent: str) -> Any:
        self.env.unwrapped._require_match()
        return super().observe(agent)

    def last(self, observe: bool = True) -> tuple:
        env = self.env.unwrapped
        env._require_match()
        if not env.agents:
            raise RuntimeError("the match is over and every seat has left; call reset()")
        return super().last(observe)

    def agent_iter(self, max_iter: int = 2**63) -> Any:
        self.env.unwrapped._require_match()
        return super().agent_iter(max_iter)

    def _repr_svg_(self) -> str | None:
        return self.env.unwrapped._repr_svg_()

    def __str__(self) -> str:
        return str(self.env)


def constructors(game: Game) -> tuple[Callable, Callable]:
    """``env`` and ``raw_env`` of a version module."""

    def raw_env(
        num_players: int | None = None, render_mode: str | None = None, **options
    ) -> GameEnv:
        """The environment itself, without order checks."""
        return GameEnv(game, num_players, render_mode, **options)

    def env(
        num_players: int | None = None, render_mode: str | None = None, **options
    ) -> OrderChecked:
        """The environment with order checks; see ``GameEnv`` for the arguments."""
        return OrderChecked(raw_env(num_players, render_mode, **options))

    return env, raw_env
