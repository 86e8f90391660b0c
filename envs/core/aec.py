"""The one AEC environment, for every game.

``GameEnv`` is the raw environment; ``ordered`` wraps it and makes the version modules' ``env``.
"""

import copy
import operator
import secrets
from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo.utils.env import AECEnv

from envs.core import saved
from envs.core.drawing import draw_text, print_anywhere
from envs.core.game import Game, IllegalActionError, unknown
from envs.core.loops import compile_loops
from envs.core.observation import Layout
from envs.core.picture import table_svg
from envs.core.random import key_after, key_from_seed

RENDER_MODES = ("ansi", "rgb_array", "human")


class GameEnv(AECEnv):
    """A single game as a PettingZoo AEC environment.

    Observations are ``{"observation": int8 or int16[N], "action_mask": int8[A]}``; the mask of a
    seat that is not to act is all zero. All returned arrays are fresh: none changes later.

    Args:
        game: the game's description.
        num_players: seats; None for the game's default.
        render_mode: what ``render`` does: ``"ansi"`` returns text, ``"rgb_array"`` a picture,
            ``"human"`` shows it in a window, or prints the text where there is none.
        render_seat: whose view is rendered: a seat, ``"acting"`` or ``"all"``.
        ascii_only: text without suit symbols and accents.
        options: the game's rule options.

    Raises:
        ValueError, TypeError: naming what is allowed.
    """

    def __init__(
        self,
        game: Game,
        num_players: int | None = None,
        render_mode: str | None = None,
        render_seat: int | str = "acting",
        ascii_only: bool = False,
        **options: Any,
    ):
        super().__init__()
        self.game = game
        self._config = game.configure(num_players, **options)
        self.render_mode = _render_mode(render_mode)
        self.render_seat = _render_seat(render_seat, self._config["num_players"])
        self.ascii_only = ascii_only
        self._window: Any = None  # None: none tried yet; False: there can be none
        self.observation_layout: Layout = game.layout(self._config)
        self.metadata = _metadata(game, self._config)
        self.possible_agents = [f"player_{seat}" for seat in range(self._config["num_players"])]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._observation_space = game.observation_space(self._config)
        self._num_actions = game.num_actions(self._config)
        self._action_space = spaces.Discrete(self._num_actions)
        self._loops = compile_loops(game)
        self._template = game.plain(game.template(self._config))
        self._key: Any = None  # None: no match yet
        self._states = game.new_states(1, self._config)
        self._plain = game.plain(self._states)  # the same memory; see ``Game.plain``
        self._turn, self._over, self._truncated = (
            self._plain[name] for name in ("turn", "over", "truncated")
        )
        self._reward = self._plain["reward"][0, : len(self.possible_agents)]

    # Spaces and facts

    @property
    def config(self) -> dict[str, Any]:
        """``num_players`` and every option, defaults included; a copy."""
        return copy.deepcopy(self._config)

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of ``{"observation", "action_mask"}``, the same for every seat."""
        return self._observation_space

    def action_space(self, agent: str) -> spaces.Discrete:
        """``Discrete(A)``, the same for every seat."""
        return self._action_space

    # Playing

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Deal a new match.

        Args:
            seed: a non-negative integer; None goes on with the stream (at first: OS entropy).
            options: ``deck`` (the first hand's cards, read from the top), or ``decks`` (one per
                hand), ``dealer`` (a seat), and what the game's page names.

        Raises:
            ValueError: a bad seed, an unknown option or a deck that is not the pack; the match in
                progress stays as it was.
        """
        self.deal_from(self._next_key(seed), options)

    @property
    def key(self) -> int:
        """The random stream of this match, 64 bits; with the reset options it is the deals."""
        self._require_match()
        return int(self._key)

    def deal_from(self, key: int | np.uint64, options: Mapping[str, Any] | None = None) -> None:
        """Deal the match that a ``key`` stands for; ``reset`` makes a key of its seed."""
        key = np.uint64(key)
        given = self._parse_reset_options(options or {})
        states = self.game.new_states(1, self._config)
        mask, observation = self._blank()
        self._loops.start(
            self.game.plain(states), self._template, key, mask.view(np.bool_), observation
        )
        decks = given.pop("decks")
        if decks or given:
            self._arrange(states, decks[0] if decks else None, given)
        self._states[:] = states
        self._key, self._decks = key, decks[1:]
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self._encode()

    def step(self, action: int | None) -> None:
        """Play the action of ``agent_selection``; None for a seat whose match is over.

        Raises:
            IllegalActionError: the action is not legal now; nothing has changed.
        """
        self._require_match()
        if not self.agents:
            raise RuntimeError("the match is over and every seat has left; call reset()")
        if self._over[0]:
            self._leave(action)
            return
        action = self._checked(action)
        acting = self.agent_selection
        hand = self._hand_number()
        mask, observation = self._blank()
        self._loops.advance_one(self._plain, action, mask.view(np.bool_), observation)
        self._cumulative_rewards[acting] = 0.0
        for agent, reward in zip(self.agents, self._reward.tolist(), strict=True):
            self.rewards[agent] = reward
            self._cumulative_rewards[agent] += reward
        if self._decks and self._hand_number() != hand:
            self._arrange(self._states, self._decks.pop(0), {})
            self._encode()
        else:
            self._publish(mask, observation)

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """The observation of any seat, acting or not."""
        if agent not in self._seats:
            raise ValueError(unknown("agent", agent, self.possible_agents, self.game.title))
        self._require_match()
        if agent == self.agent_selection and not self._over[0]:
            return {"observation": self._observation.copy(), "action_mask": self._shown_mask}
        observation = np.zeros(self.observation_layout.size, self.observation_layout.dtype)
        self._loops.observe_seat(self._plain, self._seats[agent], observation)
        return {"observation": observation, "action_mask": self._idle_mask}

    def decode(self, observation: "np.ndarray | Mapping[str, np.ndarray]") -> dict[str, np.ndarray]:
        """Section name -> values, of an observation vector or dict."""
        if isinstance(observation, Mapping):
            observation = observation["observation"]
        return self.observation_layout.decode(observation)

    # Text

    def action_text(self, action: int) -> str:
        """An action in words: ``play 11B``."""
        if not 0 <= operator.index(action) < self._num_actions:
            raise ValueError(f"{action!r} is no action; ids go from 0 to {self._num_actions - 1}")
        return self.game.action_text(operator.index(action), self._record)

    def is_secret(self, action: int, seat: int) -> bool:
        """Whether another seat is not told that this action is played now."""
        return self.game.is_secret(self._record, operator.index(action), seat)

    def parse_action(self, text: str) -> int:
        """The id of an action in words; ValueError names the legal ones."""
        try:
            return self.game.parse_action(text, self._record)
        except ValueError as error:
            raise ValueError(f"{error}; legal now: {self._legal_texts()}") from None

    def render(self) -> str | np.ndarray | None:
        """The table as ``render_seat`` sees it.

        Returns:
            Text for ``"ansi"``; uint8[800, 1200, 3] for ``"rgb_array"``; None for ``"human"``,
            which opens a window, or prints the text without a display or without pygame.

        Raises:
            ModuleNotFoundError: ``"rgb_array"`` without the extra ``naips[play]``.
        """
        if self.render_mode is None:
            raise ValueError(f"render needs a render_mode, one of {', '.join(RENDER_MODES)}")
        if self.render_mode == "rgb_array":
            from envs.core.picture.raster import pixels

            return pixels(self.svg())
        if self.render_mode == "human" and self._show():
            return None
        text = draw_text(self.table(), self.ascii_only)
        if self.render_mode == "ansi":
            return text
        print_anywhere(text)
        return None

    def _show(self) -> bool:
        """Show the table in a window, if there can be one."""
        if self._window is None:
            from envs.core.picture.window import open_window

            self._window = open_window(self.game.title)
        return bool(self._window) and self._window.show(self.svg())

    def svg(self, seat: "int | str | None" = None) -> str:
        """The table as an SVG picture, for a seat as in ``table``."""
        return table_svg(self.table(seat))

    def _repr_svg_(self) -> str | None:
        """What notebooks show; nothing before the first match."""
        return None if self._key is None else self.svg()

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window:
            self._window.close()
        self._window = None

    def table(self, seat: "int | str | None" = None) -> Any:
        """What a seat may see, as plain data; ``"all"`` for everything, None for render_seat."""
        self._require_match()
        seat = self.render_seat if seat is None else _render_seat(seat, len(self.possible_agents))
        if seat == "acting":
            seat = self._seats[self.agent_selection]
        viewer = seat if isinstance(seat, int) else None
        return self.game.table(self._record, viewer, self._config)

    def zones(self) -> dict[str, list[str]]:
        """Full information: zone name -> card texts, every card of the pack exactly once."""
        return self.game.zones(self._record)

    # Copies

    @property
    def states(self) -> np.recarray:
        """The game's record in an array of one; after editing it call ``refresh``."""
        self._require_match()
        return self._states

    def refresh(self) -> None:
        """Encode mask and observation anew, after ``states`` was edited."""
        self._require_match()
        self._encode()

    def determinize(self, agent: str, seed: int) -> "GameEnv":
        """A copy in which all that ``agent`` cannot know is drawn anew, uniformly."""
        if agent not in self._seats:
            raise ValueError(unknown("agent", agent, self.possible_agents, self.game.title))
        other = copy.deepcopy(self)
        other._decks = []  # dictated decks would tell the future
        other._key = key_after(key_from_seed(seed))
        stream = key_from_seed(seed)
        other._loops.resample_one(other._plain, self._seats[agent], stream)
        other._encode()
        return other

    def get_state(self) -> bytes:
        """The whole match as bytes, from which ``set_state`` goes on identically."""
        self._require_match()
        facts = {
            "key": int(self._key),
            "agents": self.agents,
            "selection": self.agent_selection,
            "rewards": self.rewards,
            "cumulative": self._cumulative_rewards,
            "decks": [deck.tolist() for deck in self._decks],
        }
        return saved.pack(self.game, self._config, facts, self._states.tobytes())

    def set_state(self, state: bytes) -> None:
        """Go on from ``get_state`` bytes of the same game and options; counts as a reset.

        Raises:
            ValueError: no such bytes, damaged, of another version, game or configuration.
        """
        header, record = saved.unpack(state, self.game, self._config)
        self._key = np.uint64(header["key"])
        self._states[:] = np.frombuffer(record, self.game.dtype).view(np.recarray)
        self._decks = [np.array(deck) for deck in header["decks"]]
        self.agents = header["agents"]
        self.rewards = {agent: header["rewards"][agent] for agent in self.agents}
        self._cumulative_rewards = {agent: header["cumulative"][agent] for agent in self.agents}
        self._encode()
        self.agent_selection = header["selection"]

    def __reduce__(self):
        view = (self.render_mode, self.render_seat, self.ascii_only)
        state = None if self._key is None else self.get_state()
        return _rebuild, (type(self), self.game, self._config, view, state)

    # Inside

    @property
    def _record(self):
        self._require_match()
        return self._states[0]

    def _require_match(self) -> None:
        if self._key is None:
            raise RuntimeError("no match yet; call reset() first")

    def _blank(self) -> tuple[np.ndarray, np.ndarray]:
        layout = self.observation_layout
        return np.zeros(self._num_actions, np.int8), np.zeros(layout.size, layout.dtype)

    def _next_key(self, seed: int | None) -> np.uint64:
        if seed is None:
            return (
                key_from_seed(secrets.randbits(64)) if self._key is None else key_after(self._key)
            )
        if isinstance(seed, bool) or not hasattr(seed, "__index__") or operator.index(seed) < 0:
            raise ValueError(f"seed={seed!r}: allowed are None and integers from 0")
        return key_from_seed(operator.index(seed))

    def _parse_reset_options(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Check names and decks; the rest is the game's to check. ``decks`` is always there."""
        given = {k: v for k, v in options.items() if (k, v) != ("options", 1)}  # api_test's probe
        known = ["deck", "decks", *self.game.reset_options]
        for name in given.keys() - set(known):
            raise ValueError(unknown("reset option", name, known, self.game.title))
        if "deck" in given and "decks" in given:
            raise ValueError("give deck or decks, not both")
        decks = given.pop("decks", [given.pop("deck")] if "deck" in given else [])
        if not isinstance(decks, list | tuple) or not all(hasattr(d, "__iter__") for d in decks):
            raise ValueError(
                "a deck is a list of cards, or a text with spaces between; decks, a list of decks"
            )
        if len(decks) > 1 and "hand_number" not in (self.game.dtype.names or ()):
            raise ValueError(f"{self.game.title} has a single hand, so a single deck")
        given["decks"] = [self.game.parse_deck(self._config, deck) for deck in decks]
        dealer = given.get("dealer", 0)
        if isinstance(dealer, bool) or dealer not in range(len(self.possible_agents)):
            raise ValueError(
                f"dealer={dealer!r}: seats go from 0 to {len(self.possible_agents) - 1}"
            )
        return given

    def _arrange(self, states: np.recarray, deck: np.ndarray | None, options: dict) -> None:
        """Deal the current hand from a dictated deck, or with other reset options."""
        record = states[0]
        if deck is not None:
            record.deck[: len(deck)] = deck
            options = options | {"deck": deck}
        self.game.arrange(record, options)
        self._loops.lay_out_one(self.game.plain(states))

    def _hand_number(self) -> int:
        return int(self._plain["hand_number"][0]) if self._decks else 0

    def _encode(self) -> None:
        mask, observation = self._blank()
        self._loops.encode_one(self._plain, mask.view(np.bool_), observation)
        self._publish(mask, observation)

    def _publish(self, mask: np.ndarray, observation: np.ndarray) -> None:
        """Set what PettingZoo's users read after a reset or a step."""
        over, truncated = bool(self._over[0]), bool(self._truncated[0])
        self._mask, self._observation = mask, observation
        self._shown_mask, self._idle_mask = mask.copy(), np.zeros(self._num_actions, np.int8)
        self._shown_mask.flags.writeable = self._idle_mask.flags.writeable = False
        acting = (
            (self.agents or self.possible_agents)[0]
            if over
            else self.possible_agents[self._turn[0]]
        )
        self.agent_selection = acting
        self.terminations = dict.fromkeys(self.agents, over and not truncated)
        self.truncations = dict.fromkeys(self.agents, truncated)
        flags = self.game.info(self._plain[0])
        self.infos = {agent: {"action_mask": self._idle_mask, **flags} for agent in self.agents}
        if not over:
            self.infos[acting]["action_mask"] = self._shown_mask

    def _leave(self, action: int | None) -> None:
        """A seat of a finished match steps None and is gone."""
        if action is not None:
            raise IllegalActionError(
                f"{action!r}: the match is over; the only legal action is None"
            )
        agent = self.agents.pop(0)
        for book in (self.rewards, self._cumulative_rewards, self.terminations):
            del book[agent]
        del self.truncations[agent], self.infos[agent]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self.agent_selection = self.agents[0] if self.agents else agent

    def _checked(self, action: Any) -> int:
        if not isinstance(action, bool | np.bool_) and hasattr(action, "__index__"):
            try:
                index = operator.index(action)
            except TypeError:  # an array of more than one number
                index = -1
            if 0 <= index < self._num_actions and self._mask[index]:
                return index
        raise IllegalActionError(
            f"{self.agent_selection} cannot play {self._describe(action)}; "
            f"legal now: {self._legal_texts()}"
        )

    def _describe(self, action: Any) -> str:
        try:
            return f"{action!r} ({self.action_text(action)})"
        except (TypeError, ValueError):
            return repr(action)

    def _legal_texts(self) -> str:
        if self._record.over:
            return "nothing, the match is over"
        return ", ".join(
            f"{action} ({self.action_text(action)})"
            for action in map(int, np.flatnonzero(self._mask))
        )


def _metadata(game: Game, config: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "name": game.env_id,
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "min_players": min(game.player_counts),
        "max_players": max(game.player_counts),
        "max_decisions": game.max_decisions(config),
        "reward_range": game.reward_range(config),
        "reward_sum": 0.0,
    }


def _render_mode(mode: str | None) -> str | None:
    if mode is None or mode in RENDER_MODES:
        return mode
    raise ValueError(
        f"render_mode={mode!r}: allowed are None, {', '.join(map(repr, RENDER_MODES))}"
    )


def _render_seat(seat: Any, players: int) -> int | str:
    if seat in ("acting", "all"):
        return seat
    if not isinstance(seat, bool | str) and seat in range(players):
        return int(seat)
    raise ValueError(
        f"{seat!r} is no view: allowed are 'acting', 'all' and seats 0 to {players - 1}"
    )


def _rebuild(kind: type, game: Game, config: dict, view: tuple, state: bytes | None) -> GameEnv:
    """Unpickle: construct anew, then set the state."""
    make = partial(kind, game, render_mode=view[0], render_seat=view[1], ascii_only=view[2])
    env = make(**config)
    if state is not None:
        env.set_state(state)
    return env
