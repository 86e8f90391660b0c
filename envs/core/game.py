"""What a game is: options, a record, verbs, and what people need to read it.

The engine (``aec``, ``batch``) knows a game only through ``Game``; nothing in ``core`` names one.
"""

import difflib
import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from gymnasium import spaces

from envs.core.cards import Pack
from envs.core.jit import COMPILED
from envs.core.observation import Layout, Section
from envs.core.table import Table

Config = Mapping[str, Any]  # "num_players" and every option of the game, validated


class IllegalActionError(ValueError):
    """The action is not legal now; the message names the legal ones. Nothing has changed."""


def common_fields(max_players: int) -> list[tuple]:
    """The fields with which every record begins.

    rng        uint64[2]  key of the game, draws made (see ``random``)
    turn       int8       seat to act
    phase      int8       the game's own enumeration
    over       bool       the match has ended (also when truncated)
    truncated  bool       it ended by a length limit, not by the rules
    decisions  int32      decisions made so far in the match, the current one included in ``step``
    num_players int8      seats
    reward     float32[max_players]  paid by the latest decision; zeroed by the engine before each
    """
    return [
        ("rng", np.uint64, (2,)),
        ("decisions", np.int32),
        ("reward", np.float32, (max_players,)),
        ("turn", np.int8),
        ("phase", np.int8),
        ("num_players", np.int8),
        ("over", np.bool_),
        ("truncated", np.bool_),
    ]


@dataclass(frozen=True)
class Option:
    """A rule option: stored in the record's field of the same name.

    A choice among texts is stored as its index in ``choices``, None as -1, a flag as 0 or 1,
    a number as it is.

    Attributes:
        name: keyword of the constructor and field of the record.
        default: value when not given.
        meaning: one line, with the clause.
        choices: the allowed values, or
        low, high: the allowed range of a number (``kind`` int or float), and
        allow_none: whether None is allowed beside them.
        parse: for values of another form: ``parse(value, num_players) -> value`` or ValueError;
            then ``store(record, value)`` writes it.
    """

    name: str
    default: Any
    meaning: str
    choices: tuple = ()
    low: float | None = None
    high: float | None = None
    allow_none: bool = False
    parse: Callable[[Any, int], Any] | None = field(default=None, compare=False)
    store: Callable[[Any, Any], None] | None = field(default=None, compare=False)

    def allowed(self) -> str:
        """The allowed values, for messages and tables."""
        if self.choices:
            return ", ".join(repr(choice) for choice in self.choices)
        none = " or None" if self.allow_none else ""
        kind = "a number" if isinstance(self.default, float) else "an integer"
        high = "" if self.high is None else f" to {self.high}"
        return f"{kind} from {self.low}{high}{none}"

    def validate(self, value: Any, num_players: int) -> Any:
        """The value in its canonical form; ValueError names what is allowed."""
        if self.parse is not None:
            return self.parse(value, num_players)
        if self.choices:
            for choice in self.choices:  # 1 is not True, and "a" is not np.str_ elsewhere
                if choice == value and isinstance(choice, bool) == isinstance(
                    value, bool | np.bool_
                ):
                    return choice
        elif value is None and self.allow_none:
            return None
        elif (
            self._is_number(value)
            and self.low <= value
            and (self.high is None or value <= self.high)
        ):
            return float(value) if isinstance(self.default, float) else int(value)
        raise ValueError(f"{self.name}={value!r}: allowed are {self.allowed()}")

    def _is_number(self, value: Any) -> bool:
        if isinstance(value, bool | np.bool_):
            return False
        integers = isinstance(value, int | np.integer)
        return integers or (
            isinstance(self.default, float) and isinstance(value, float | np.floating)
        )

    def write(self, record: Any, value: Any) -> None:
        """Put the validated value into the record."""
        if self.store is not None:
            self.store(record, value)
        elif self.choices and not isinstance(self.default, bool | int | float):
            record[self.name] = self.choices.index(value)
        else:
            record[self.name] = -1 if value is None else value


class Place(NamedTuple):
    """Where in the record something lies that a seat cannot see.

    A card lies in ``record[field][index]``. With ``counts`` the field counts cards by kind and the
    last index is the kind; the place is listed once for every card of it that the seat cannot know.
    With ``alternatives`` it is no card but a sealed choice, and any of these values may stand there
    instead.
    """

    field: str
    index: tuple[int, ...]  # type: ignore[assignment]  # a place's, not that of tuple
    counts: bool = False
    alternatives: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class Game:
    """One game.

    ``module`` is the package that holds it (``"envs.truc"``) as ``GAME``; the package's docstring
    is the game's page.

    Compiled verbs over a record ``state``:
        deal(state): start a match; the record holds zeros, the options and a fresh stream.
        lay_out(state): deal the current hand anew from the order that ``state.deck`` holds.
        legal_actions(state, mask): set the legal ones; the mask arrives all false.
        step(state, action): apply a legal action, move on to the next decision or the end.
        observe(state, seat, out) -> int: write the sections; ``out`` arrives all zero.
        resample_hidden(state, seat, stream): a uniformly drawn world that looks the same to seat.

    Plain functions over a record:
        sections(config): the observation's sections, the same names for every configuration.
        num_actions(config), max_decisions(config), pack(config) (card ids with repetition).
        table(record, seat, config): what a seat (None: everyone) may see.
        action_text(action, record), parse_action(text, record).
        zones(record): every card of the pack once, by place.
        hidden(record, seat): the places a seat cannot see.
        is_possible(record, seat): whether play can lead to this record as far as the seat can tell;
            exchanging hidden cards may make one that it cannot (under a stack lies a low card).
        is_secret(record, action, seat): whether this seat, another than the one to act, is not told
            in words that the action is played; what it may know later its table shows.
        news(before, action, after, seat): what an action has brought that its words do not say, in
            words, as far as a seat (None: everyone) may know it: the card that was turned over.
        info(record): public flags for ``infos``; called at every step, so it gets a plain record
            whose fields are read as ``record["name"]``.
        teams(config): the team of each seat, numbered from 0; every seat its own unless given.
        arrange(record, options): write reset options into a dealt record, before ``lay_out``; they
            are those named in ``reset_options`` (ValueError for a bad value) and ``deck``, already
            parsed and copied to ``record.deck``.
    """

    module: str
    title: str
    dtype: np.dtype
    cards: Pack
    player_counts: tuple[int, ...]
    default_players: int
    options: tuple[Option, ...]
    deal: Callable
    lay_out: Callable
    legal_actions: Callable
    step: Callable
    observe: Callable
    resample_hidden: Callable
    sections: Callable[[Config], list[Section]]
    num_actions: Callable[[Config], int]
    max_decisions: Callable[[Config], int | None]
    pack: Callable[[Config], list[int]]
    table: Callable[[Any, int | None, Config], Table]
    action_text: Callable[[int, Any], str]
    parse_action: Callable[[str, Any], int]
    zones: Callable[[Any], dict[str, list[str]]]
    hidden: Callable[[Any, int], list[Place]]
    arrange: Callable[[Any, Mapping[str, Any]], None]
    is_possible: Callable[[Any, int], bool] = lambda record, seat: True
    is_secret: Callable[[Any, int, int], bool] = lambda record, action, seat: False
    news: Callable[[Any, int, Any, int | None], str] = lambda before, action, after, seat: ""
    info: Callable[[Any], dict[str, Any]] = lambda record: {}
    teams: Callable[[Config], tuple[int, ...]] = lambda config: tuple(range(config["num_players"]))
    check_deck: Callable[[Config, list[int]], None] | None = None
    check_config: Callable[[Config], None] | None = None
    reward_range: Callable[[Config], tuple[float, float]] = lambda config: (-1.0, 1.0)
    reset_options: Mapping[str, str] = field(default_factory=dict)
    version: int = 0

    @property
    def name(self) -> str:
        """``truc``."""
        return self.module.rpartition(".")[2]

    @property
    def page(self) -> str:
        """The game's documentation page, Markdown."""
        return importlib.import_module(self.module).__doc__ or ""

    @property
    def env_id(self) -> str:
        """``truc_v0``."""
        return f"{self.name}_v{self.version}"

    @property
    def verbs(self) -> dict[str, Callable]:
        """The compiled verbs by name, for ``jit.bind``."""
        names = ("deal", "lay_out", "legal_actions", "step", "observe", "resample_hidden")
        return {name: getattr(self, name) for name in names}

    def configure(self, num_players: int | None = None, **options: Any) -> dict[str, Any]:
        """The full, validated configuration.

        Raises:
            ValueError: a player count or value that is not allowed, naming those that are.
            TypeError: an option the game does not know, naming those it knows.
        """
        players = self.default_players if num_players is None else num_players
        if isinstance(players, bool) or players not in self.player_counts:
            allowed = ", ".join(map(str, self.player_counts))
            raise ValueError(f"num_players={num_players!r}: {self.title} is played by {allowed}")
        known = {option.name: option for option in self.options}
        for name in options.keys() - known.keys():
            raise TypeError(unknown("option", name, ["num_players", *known], self.title))
        config = {"num_players": int(players)} | {
            name: option.validate(options.get(name, option.default), int(players))
            for name, option in known.items()
        }
        if self.check_config is not None:
            self.check_config(config)
        return config

    def changes(self, config: Config) -> dict[str, Any]:
        """The options of a configuration that differ from the defaults for its players."""
        usual = self.configure(config["num_players"])
        return {name: value for name, value in config.items() if value != usual[name]}

    def layout(self, config: Config) -> Layout:
        """The observation's layout under a configuration."""
        return Layout(tuple(self.sections(config)))

    def template(self, config: Config) -> np.recarray:
        """One record that holds the options and nothing else."""
        states = np.zeros(1, self.dtype).view(np.recarray)
        states[0].num_players = config["num_players"]
        for option in self.options:
            option.write(states[0], config[option.name])
        return states

    def new_states(self, n: int, config: Config) -> np.recarray:
        """n records with the options in place, not yet dealt."""
        states = np.zeros(n, self.dtype)  # the padding between fields too: records are compared
        states[:] = self.template(config)
        return states.view(np.recarray)

    def plain(self, states: np.recarray) -> np.ndarray:
        """The same memory for a compiled function: plain, since a recarray costs 4 µs a call.

        Uncompiled code gets the recarray itself: only there ``state.turn`` works.
        """
        return states.view(self.dtype, np.ndarray) if COMPILED else states

    def observation_space(self, config: Config) -> spaces.Dict:
        """``{"observation": Box, "action_mask": Box}``."""
        mask = spaces.Box(0, 1, (self.num_actions(config),), np.int8)
        return spaces.Dict({"observation": self.layout(config).space(), "action_mask": mask})

    def __reduce__(self):
        return _game_of, (self.module,)

    def parse_deck(self, config: Config, cards: Any) -> np.ndarray:
        """Card ids of a dictated deck, read from the top.

        Raises:
            ValueError: it does not hold every card of the pack exactly once (unless the game
                allows other decks).
        """
        deck = self.cards.parse_all(cards)
        if self.check_deck is not None:
            self.check_deck(config, deck)
        elif sorted(deck) != sorted(self.pack(config)):
            raise ValueError(_deck_fault(self, deck, self.pack(config)))
        return np.array(deck)


def _game_of(module: str) -> Game:
    return importlib.import_module(module).GAME


def unknown(kind: str, name: str, known: list[str], where: str) -> str:
    """A message for a name that does not exist, with the nearest one that does."""
    close = difflib.get_close_matches(str(name), known, n=1)
    hint = f" (did you mean {close[0]!r}?)" if close else ""
    return f"{where} has no {kind} {name!r}{hint}; known: {', '.join(sorted(known))}"


def _deck_fault(game: Game, deck: list[int], pack: list[int]) -> str:
    missing = [game.cards.text(c) for c in sorted(set(pack)) if deck.count(c) < pack.count(c)]
    surplus = [game.cards.text(c) for c in sorted(set(deck)) if deck.count(c) > pack.count(c)]
    return (
        f"a deck of {game.title} holds each of its {len(pack)} cards exactly once; this one has "
        f"{len(deck)}, misses {missing or 'none'} and has too many of {surplus or 'none'}"
    )
