"""A match between people and agents, step by step."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import RLock
from typing import Any

import numpy as np

import agents
from agents.base import Agent, streams
from agents.hints import Adviser, Hint
from agents.human.acts import Act, hand_number, perform
from envs import find_game
from envs.core.aec import GameEnv
from envs.core.game import Game
from envs.core.replay import RecordGame
from envs.core.table import Table

PERSON = "person"  # where no agent sits


@dataclass(frozen=True)
class Plan:
    """What a match is, before anybody has played.

    Attributes:
        game: what is played.
        config: player count and options.
        seed: of the deals and of the agents' chance.
        seated: ``person`` or the agent's text, for every seat.

    Raises:
        ValueError: not one for each seat.
    """

    game: Game
    config: dict[str, Any]
    seed: int
    seated: tuple[str, ...]

    def __post_init__(self):
        players = self.config["num_players"]
        if len(self.seated) != players:
            raise ValueError(f"{players} players need {players} seats, not {len(self.seated)}")

    @property
    def persons(self) -> list[int]:
        """The seats of people."""
        return [seat for seat, spec in enumerate(self.seated) if spec == PERSON]


class Match:
    """A match in progress. One thread at a time may use it: the one that holds ``lock``.

    Args:
        plan: what is played, and by whom.

    Attributes:
        plan: the same.
        env: the environment; it never leaves the server.
        acts: what was done so far.
        actions: the same as ids, from which the match can be played anew.
        totals: float[seats], paid so far.

    Raises:
        ValueError, FileNotFoundError: an agent that does not exist or does not fit.
    """

    def __init__(self, plan: Plan):
        self.plan, self.lock = plan, RLock()
        self.env = GameEnv(plan.game, **plan.config)
        self.env.reset(seed=plan.seed)
        self.acts: list[Act] = []
        self.actions: list[int] = []
        self.totals = np.zeros(len(plan.seated))
        self._agents = {
            seat: self._load(spec) for seat, spec in enumerate(plan.seated) if spec != PERSON
        }
        self._rngs = streams(plan.seed, len(plan.seated))
        self._ended: tuple[np.ndarray, Act] | None = None  # before the last act of a hand, and it

    def _load(self, spec: str) -> Agent:
        return agents.load(self.plan.game, spec, **self.plan.config)

    # Where it stands

    @property
    def version(self) -> int:
        """How many decisions were made."""
        return len(self.actions)

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return bool(self.env.states["over"][0])

    @property
    def turn(self) -> int | None:
        """The seat to act."""
        return None if self.over else int(self.env.states["turn"][0])

    def table(self, viewer: int | None) -> Table:
        """What a seat, or everybody together, may see now."""
        return self.env.table("all" if viewer is None else viewer)

    def last_hand(self, viewer: int | None) -> tuple[Table, Act] | None:
        """What a seat saw before the last act of the latest hand that has ended, and that act."""
        if self._ended is None:
            return None
        before, act = self._ended
        return self.plan.game.table(before[0], viewer, self.plan.config), act

    # Playing

    def act(self, action: int) -> None:
        """Play an action for the seat to act.

        Raises:
            IllegalActionError: it is not legal; nothing has changed.
        """
        legal = self.env.observe(self.env.agent_selection)["action_mask"]
        if not 0 <= action < len(legal) or not legal[action]:
            self.env.step(action)  # raises, and says what is legal
        before = self.env.states.copy()
        act = perform(self.env, action)
        self.actions.append(action)
        self.acts.append(act)
        self.totals += [self.env.rewards[name] for name in self.env.possible_agents]
        if hand_number(self.env) != act.hand:
            self._ended = before, act

    def agent_acts(self) -> bool:
        """Let the seat to act play, if an agent sits there."""
        seat = self.turn
        if seat is None or seat not in self._agents:
            return False
        self.act(agents.ask_one(self._agents[seat], self.env, self._rngs[seat : seat + 1]))
        return True

    def hints(self) -> tuple[list[Hint], int]:
        """The legal actions with what they are worth, and how many rounds the search had."""
        return self.adviser.rank(self.env, self.version)

    @cached_property
    def adviser(self) -> Adviser:
        """Who gives the hints."""
        return Adviser(self.plan.game, self.plan.config)

    # Keeping

    def facts(self) -> dict[str, Any]:
        """Everything from which the match can be restored, ready for JSON."""
        return {
            "env": self.plan.game.env_id,
            "config": self.plan.config,
            "seed": self.plan.seed,
            "seated": list(self.plan.seated),
            "actions": self.actions,
            "rngs": [int(rng) for rng in self._rngs],
        }

    @classmethod
    def restore(cls, facts: Mapping[str, Any]) -> "Match":
        """The match of ``facts``, played up to where it stood.

        Raises:
            ValueError: it cannot be played by the rules as they are now.
        """
        game = find_game(facts["env"])
        match = cls(Plan(game, dict(facts["config"]), facts["seed"], tuple(facts["seated"])))
        for action in facts["actions"]:
            match.act(action)
        match._rngs[:] = np.array(facts["rngs"], np.uint64)
        return match

    def write_replay(self, path: Path) -> None:
        """Write the match to a new file."""
        env = RecordGame(GameEnv(self.plan.game, **self.plan.config), path, self.plan.seated)
        env.reset(seed=self.plan.seed)
        _play(env, self.actions)
        env.close()


def _play(env: Any, actions: Sequence[int]) -> None:
    for action in actions:
        env.step(action)
