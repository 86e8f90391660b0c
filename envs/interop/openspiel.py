"""Every game as a Python game of OpenSpiel.

    import pyspiel
    import envs.interop.openspiel                      # registers them
    game = pyspiel.load_game("python_naips_truc", {"hands": 1})

**Parameters** are ``num_players``, the game's rule options, ``dealer`` (a seat, or -1 to draw it),
``deals`` and ``opening``. Where an option may be None, -1 means it if it is a number and ``"None"``
if it is a text; numbers among texts are written as texts (``"100"``).

**Chance** draws the seed of the match at the root, in three digits of base 1024, and all later
chance follows from it: the AEC environment after ``reset(seed=seed_of(digits))`` plays the same
match. (OpenSpiel has a mode for sampled chance, but a Python game that uses it cannot be saved.)

**Dictated deals** make a tree small enough for exact algorithms: ``deals`` lists decks separated by
``|``, each read from the top and cut where its cards stop to matter (the rest of the pack follows
in order). All are equally likely, one listed twice is twice as likely, and the players know the
list. The last seat deals unless ``dealer`` says otherwise. Such a game must have no other chance:
reaching a second hand or drawing anything raises. ``opening`` dictates the first actions too, by id
or in words, separated by ``|``: they are played with the deal, for everybody to see, and the
players decide from there on. ``SMALL`` holds such variants, whose exploitability is exact.

**What a player knows**: the information-state string is a digest of all that the seat has seen and
done since the deal, in order; the tensor, of information states and observations alike, is the
environment's observation divided by ``Layout.scale``, which holds what the rules let a seat
remember. The observation string is the table as the seat sees it.

Bets that are simultaneous at the table are asked for one after the other, and a later player does
not see an earlier one's.
"""

import importlib
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from hashlib import blake2b
from itertools import permutations, product
from typing import Any

import numpy as np

from envs import GAMES
from envs.core.aec import GameEnv
from envs.core.drawing import draw_text
from envs.core.game import Game, Option
from envs.core.loops import compile_loops
from envs.interop import require

pyspiel: Any = require("pyspiel", "open_spiel", "2.0", "3.0")

DIGITS, BASE = 3, 1024  # of a match's seed: few outcomes at a node, many matches
LONGEST = 1_000_000  # decisions, where a game has no bound
SEVERAL = "|"  # between dictated deals
DRAWN = -1
_DIGEST_BYTES = 12


def seed_of(digits: Sequence[int]) -> int:
    """The AEC environment's seed of the match that these chance outcomes deal."""
    return sum(digit * BASE**place for place, digit in enumerate(reversed(digits)))


def _permuted(cards: str, dealt: int) -> str:
    return SEVERAL.join(map(" ".join, permutations(cards.split(), dealt)))


def _mixed(*places: Sequence[str]) -> str:
    return SEVERAL.join(map(" ".join, product(*places)))


SMALL: dict[str, dict[str, Any]] = {
    # Tricks two and three of a hand at six points, p0's team one trick up; each team has a player
    # who may hold a piece.
    "truc": {
        "hands": 1,
        "deals": _mixed(
            ("4O 1E 5O", "4O 12E 5O"), ("4C 11B 5C", "4C 12C 5C"), ("3O 2E 7B",), ("4B 3E 6B",)
        ),
        "opening": "play 4O|play 4C|play 3O|play 4B|truc|retruc|vull",
    },
    # One hand of two players with two coins each and a pack of five cards, two of them kings.
    "quatre_duros": {
        "num_players": 2,
        "hands": 1,
        "coins": 2,
        "mask_refuted_suits": True,
        "deals": _permuted("1O 4O 7O 12O 12C", 3),
    },
    # The last three auctions, two cards left to each player, who may hold a high pair or not.
    "poker_builder": {
        "deals": _mixed(
            ("AC AD AH AS 2C 2D 2H 2S 3C 3D 3H 3S 4C 4D 4H",),
            ("5C 6C 7C QS KS", "5C 6C 7C 8S 9S"),
            ("5D 6D 7D QH KH", "5D 6D 7D 8H 9H"),
            ("5H 6H QC KC KD",),
        ),
        "opening": SEVERAL.join(["joker"] * 10 + ["5", "5", "0", "0"]),
    },
}


class ChanceBeyondTheDealError(ValueError):
    """A game with dictated deals has come to chance that they do not decide."""


class Rules:
    """A game under fixed options, and how it is dealt: what all its states share."""

    def __init__(self, game: Game, options: dict[str, Any], deals: str, dealer: int, opening: str):
        self.game = game
        self.env = GameEnv(game, **options)
        self.config = self.env.config
        self.players: int = self.config["num_players"]
        self.loops = compile_loops(game)
        self.num_actions = game.num_actions(self.config)
        self.layout = game.layout(self.config)
        self._key = (game.module, tuple(sorted(options.items())), deals, dealer, opening)
        self.opening = [word.strip() for word in opening.split(SEVERAL)] if opening else []
        self.reset_options = {} if dealer == DRAWN else {"dealer": dealer}
        decks = [self._whole(deck) for deck in deals.split(SEVERAL)] if deals else []
        self.decks = list(Counter(decks))
        self.chances = [count / len(decks) for count in Counter(decks).values()]
        if decks and dealer == DRAWN and "dealer" in game.reset_options:
            self.reset_options = {"dealer": self.players - 1}

    def _whole(self, cards: str) -> tuple[int, ...]:
        """A dictated deck with the rest of the pack behind it."""
        first = self.game.cards.parse_all(cards)
        rest = Counter(self.game.pack(self.config))
        rest.subtract(Counter(first))
        behind = [card for card, left in sorted(rest.items()) for _ in range(max(left, 0))]
        texts = [self.game.cards.text(card) for card in [*first, *behind]]
        return tuple(self.game.parse_deck(self.config, texts).tolist())

    @property
    def draws(self) -> int:
        """Chance nodes before the first decision."""
        return 1 if self.decks else DIGITS

    def chance_outcomes(self) -> list[tuple[int, float]]:
        chances = self.chances if self.decks else [1 / BASE] * BASE
        return list(enumerate(chances))

    def deal(self, drawn: Sequence[int]) -> np.recarray:
        """The record of a new match, for the chance outcomes."""
        if self.decks:
            deck = [self.game.cards.text(card) for card in self.decks[drawn[0]]]
            self.env.reset(seed=0, options={"deck": deck, **self.reset_options})
        else:
            self.env.reset(seed=seed_of(drawn), options=self.reset_options)
        return self.env.states.copy()

    def deal_text(self, outcome: int) -> str:
        """A chance outcome in words."""
        if not self.decks:
            return f"digit {outcome}"
        return " ".join(self.game.cards.text(card) for card in self.decks[outcome])

    def __deepcopy__(self, memo: dict) -> "Rules":
        return self

    def __reduce__(self):
        return _rules, self._key


@cache
def _rules(module: str, options: tuple, deals: str, dealer: int, opening: str) -> Rules:
    return Rules(importlib.import_module(module).GAME, dict(options), deals, dealer, opening)


class Position:
    """A match after the deal, with what each seat has seen of it.

    Attributes:
        turn, over, mask: who is to act, whether the match has ended, what is legal.
        rewards, returns: of the latest decision, and of all.
    """

    __slots__ = (
        "_plain", "_seen", "_views", "mask", "over", "returns", "rewards", "rules", "turn",
    )  # fmt: skip

    def __init__(self, rules: Rules, drawn: Sequence[int]):
        self.rules = rules
        self._plain = rules.game.plain(rules.deal(drawn))  # field access on a recarray is slow
        self.mask = np.zeros(rules.num_actions, np.bool_)
        self.rewards, self.returns = [0.0] * rules.players, [0.0] * rules.players
        self._begin()
        for words in rules.opening:
            self.play(self._named(words))

    def _begin(self) -> None:
        """Encode the present decision, and let every seat's memory begin with what it sees."""
        view = np.zeros(self.rules.layout.size, self.rules.layout.dtype)
        self.rules.loops.encode_one(self._plain, self.mask, view)
        self._note()
        self._views = self._look()
        self._seen = [_digest(b"", view.tobytes()) for view in self._views]

    @property
    def record(self) -> Any:
        """The game's record."""
        return self._plain.view(np.recarray)[0]

    def allows(self, action: int) -> bool:
        """Whether the action is legal now."""
        return 0 <= action < len(self.mask) and bool(self.mask[action])

    def play(self, action: int) -> None:
        """Play a legal action of the seat to act."""
        acting, before = self.turn, self._chance()
        view = np.zeros(self.rules.layout.size, self.rules.layout.dtype)
        self.rules.loops.advance_one(self._plain, action, self.mask, view)
        self._note()
        if self.rules.decks and not self.over and self._chance() != before:
            raise ChanceBeyondTheDealError(
                f"{self.rules.game.title} has come to chance that the dictated deals do not "
                "decide; choose options under which a match is one hand without further draws"
            )
        paid = self._plain["reward"][0, : self.rules.players].astype(np.float64)
        self.rewards = (paid - paid.mean()).tolist()  # float32 sums to zero but for rounding
        self.returns = [a + b for a, b in zip(self.returns, self.rewards, strict=True)]
        self._seen[acting] = _digest(self._seen[acting], b"%d" % action)
        self._remember()

    def _named(self, words: str) -> int:
        """The legal action of the opening with this id or in these words."""
        game, record = self.rules.game, self.record
        action = int(words) if words.isdigit() else game.parse_action(words, record)
        if self.allows(action):
            return action
        legal = [game.action_text(a, record) for a in map(int, np.flatnonzero(self.mask))]
        raise ValueError(f"the opening says {words!r}, which is not legal; legal: {legal}")

    def view(self, seat: int) -> np.ndarray:
        """The observation of a seat."""
        return self._views[seat]

    def knowledge(self, seat: int) -> str:
        """A digest of all that the seat has seen and done."""
        return self._seen[seat].hex()

    def text(self, seat: int | None) -> str:
        """The table as a seat sees it, or everything."""
        rules = self.rules
        return draw_text(rules.game.table(self.record, seat, rules.config))

    def resample(self, seat: int, stream: np.uint64) -> None:
        """Draw anew what the seat cannot know; what the others have seen begins with that."""
        self.rules.loops.resample_one(self._plain, seat, stream)
        known = self._seen[seat]
        self._begin()
        self._seen[seat] = known

    def _note(self) -> None:
        self.turn, self.over = int(self._plain["turn"][0]), bool(self._plain["over"][0])

    def _remember(self) -> None:
        """Add what has changed to each seat's digest."""
        views = self._look()
        for seat in np.flatnonzero((views != self._views).any(axis=1)):
            self._seen[seat] = _digest(self._seen[seat], views[seat].tobytes())
        self._views = views

    def _look(self) -> np.ndarray:
        rules = self.rules
        out = np.empty((1, rules.players, rules.layout.size), rules.layout.dtype)
        rules.loops.observe_every(self._plain, np.zeros(1, np.int64), out)
        return out[0]

    def _chance(self) -> tuple:
        """Changes when a hand is dealt or anything drawn."""
        several = "hand_number" in (self.rules.game.dtype.names or ())
        hand = int(self._plain["hand_number"][0]) if several else 0
        return hand, int(self._plain["rng"][0, 1])

    def __deepcopy__(self, memo: dict) -> "Position":
        other = object.__new__(Position)
        other.rules, other.turn, other.over = self.rules, self.turn, self.over
        other._plain, other.mask = self._plain.copy(), self.mask.copy()
        other.rewards, other.returns = self.rewards[:], self.returns[:]
        other._views, other._seen = self._views, self._seen[:]  # views are never written to
        return other


def _digest(past: bytes, news: bytes) -> bytes:
    return blake2b(past + news, digest_size=_DIGEST_BYTES).digest()


class NaipsState(pyspiel.State):
    """A state of any of the games."""

    def __init__(self, game: "NaipsGame"):
        super().__init__(game)
        self._rules = game.rules
        self._drawn: list[int] = []
        self._position: Position | None = None

    @property
    def position(self) -> Position:
        """The match; raises before the deal."""
        if self._position is None:
            raise ValueError("nothing is dealt yet; apply a chance outcome first")
        return self._position

    def current_player(self) -> int:
        if self._position is None:
            return pyspiel.PlayerId.CHANCE
        return pyspiel.PlayerId.TERMINAL if self._position.over else self._position.turn

    def is_terminal(self) -> bool:
        return self._position is not None and self._position.over

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self._rules.chance_outcomes()

    def _legal_actions(self, player: int) -> list[int]:
        return np.flatnonzero(self.position.mask).tolist()

    def _apply_action(self, action: int) -> None:
        if self._position is None:
            self._drawn.append(int(action))
            if len(self._drawn) == self._rules.draws:
                self._position = Position(self._rules, self._drawn)
        elif self._position.allows(action):
            self._position.play(action)
        else:
            raise ValueError(f"{action} is not legal; legal now: {self.legal_actions()}")

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return self._rules.deal_text(action)
        rules = self._rules
        record = self._position.record if self._position else rules.game.template(rules.config)[0]
        return rules.game.action_text(action, record)

    def rewards(self) -> list[float]:
        return self._position.rewards if self._position else [0.0] * self._rules.players

    def returns(self) -> list[float]:
        return self._position.returns if self._position else [0.0] * self._rules.players

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> "NaipsState":
        """A copy in which all that the player cannot know is drawn anew, uniformly.

        ``sampler()`` gives numbers in [0, 1).
        """
        other = self.clone()
        bits = [int(sampler() * 2**32) for _ in range(2)]
        other.position.resample(player, np.uint64(bits[0] << 32 | bits[1]))
        return other

    def __str__(self) -> str:
        if self._position is None:
            return f"to be dealt {self._drawn}"
        return f"{self._position.text(None)}\n{self.history_str()}"


class NaipsObserver:
    """OpenSpiel's view of what a seat sees.

    Attributes:
        tensor: float32[N], the observation divided by ``Layout.scale``.
        dict: the same, by sections.
    """

    def __init__(self, rules: Rules, perfect_recall: bool, params: Any):
        if params:
            raise ValueError(f"there are no observation parameters; got {params}")
        self._rules, self._perfect_recall = rules, perfect_recall
        self.tensor = np.zeros(rules.layout.size, np.float32)
        self.dict = {
            section.name: self.tensor[rules.layout.slices[section.name]].reshape(section.shape)
            for section in rules.layout.sections
            if section.length
        }

    def set_from(self, state: NaipsState, player: int) -> None:
        self.tensor[:] = 0
        if state._position is not None:
            self.tensor[:] = state._position.view(player) / self._rules.layout.scale

    def string_from(self, state: NaipsState, player: int) -> str:
        if state._position is None:
            return "to be dealt"
        if self._perfect_recall:
            return state._position.knowledge(player)
        return state._position.text(player)


class NaipsGame(pyspiel.Game):
    """A game under the parameters' options; every game has a subclass."""

    naips: Game

    def __init__(self, params: dict[str, Any] | None = None):
        game = self.naips
        given = {**_parameters(game), **(params or {})}
        special = {name: given.pop(name) for name in _SPECIAL}
        players = given.pop("num_players")
        by_name = {option.name: option for option in game.options}
        options = {name: _value(by_name[name], value) for name, value in given.items()}
        config = game.configure(players, **options)
        shared = tuple(sorted({"num_players": players, **options}.items()))
        rules = _rules(game.module, shared, *special.values())
        low, high = game.reward_range(config)
        info = pyspiel.GameInfo(
            num_distinct_actions=rules.num_actions,
            max_chance_outcomes=len(rules.decks) or BASE,
            num_players=rules.players,
            min_utility=low,
            max_utility=high,
            utility_sum=0.0,
            max_game_length=game.max_decisions(config) or LONGEST,
        )
        super().__init__(_game_type(game), info, params or {})
        self.rules = rules

    def max_chance_nodes_in_history(self) -> int:
        return self.rules.draws

    def new_initial_state(self) -> NaipsState:
        return NaipsState(self)

    def make_py_observer(self, kind: Any = None, params: Any = None) -> NaipsObserver:
        return NaipsObserver(self.rules, bool(kind and kind.perfect_recall), params)


_SPECIAL = {"deals": "", "dealer": DRAWN, "opening": ""}  # in the order in which Rules has them


def _parameters(game: Game) -> dict[str, Any]:
    """Parameter -> default, as OpenSpiel takes them."""
    options = {option.name: _plain_value(option.default) for option in game.options}
    return {"num_players": game.default_players, **options, **_SPECIAL}


def _plain_value(default: Any) -> Any:
    return -1 if default is None else default


def _value(option: Option, given: Any) -> Any:
    """The option's value from a parameter's."""
    if given == "None" or (option.default is None and given == -1):
        return None
    if isinstance(given, str) and given.lstrip("-").isdigit():
        return int(given)
    return given


@cache
def _game_type(game: Game) -> Any:
    return pyspiel.GameType(
        short_name=f"python_naips_{game.name}",
        long_name=f"Naips {game.title}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.REWARDS,
        max_num_players=max(game.player_counts),
        min_num_players=min(game.player_counts),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=_parameters(game),
    )


def register(game: Game) -> None:
    """Make a game loadable as ``python_naips_<name>``; those of ``GAMES`` are.

    It gets a class: pickle finds it here, and no other callable outlives the interpreter.
    """
    name = f"Naips{game.name.title().replace('_', '')}Game"
    kind = type(name, (NaipsGame,), {"naips": game, "__module__": __name__})
    globals()[name] = kind
    pyspiel.register_game(_game_type(game), kind)


for _game in GAMES.values():
    register(_game)
