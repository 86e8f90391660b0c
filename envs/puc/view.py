"""Puc for people and tests: action texts both ways, the table, zones and hidden places."""

from functools import cache
from typing import Any

from envs.core.cards import FRENCH_54, FRENCH_RANKS, FRENCH_SUITS
from envs.core.cards import JOKER as JOKER_TEXT
from envs.core.game import Config, Place
from envs.core.table import HIDDEN, SeatView, Table, Zone, count_of
from envs.puc.layoff import end_position, has_joker
from envs.puc.melds import (
    ADD,
    ADD_JOKER,
    CONTRACT_RUNS,
    CONTRACT_TRIOS,
    DISCARD,
    DRAW,
    ENDS_OF_SUIT,
    EXTEND,
    EXTEND_JOKER,
    HANDS,
    HIGHEST,
    JOKER,
    JOKER_HIGH,
    JOKER_LOW,
    KINDS,
    LOW_ENDS,
    LOWEST,
    MELD_KINDS,
    NATURALS,
    NO_PUC,
    NONE,
    NUM_ACTIONS,
    PUC,
    RANKS,
    REPLACE,
    RUN,
    TAKE,
    TRIO,
    kind_at,
    run_low,
    run_suit,
    trio_rank,
)
from envs.puc.state import Phase

CARDS = FRENCH_54
_WORDS = {TAKE: "take", DRAW: "draw", PUC: "puc", NO_PUC: "no puc",
          JOKER_LOW: "joker low", JOKER_HIGH: "joker high"}  # fmt: skip
_PHASES = {
    Phase.CHOICE: "take or draw",
    Phase.WINDOW: "puc? (the card on offer and one of the stock)",
    Phase.PLAY: "lay cards or discard",
    Phase.JOKER: "joker low or high",
}


# Actions


def action_text(action: int, record: Any = None) -> str:
    """An action in words; the same in every position."""
    return _texts()[action]


def parse_action(text: str, record: Any = None) -> int:
    """The id of an action in words, in any case, with suits as letters or symbols.

    Raises:
        ValueError: no action is written so.
    """
    action = _ids().get(_plain(text))
    if action is None:
        raise ValueError(f"{text!r} is no action of Puc")
    return action


@cache
def _texts() -> list[str]:
    return [_text(action) for action in range(NUM_ACTIONS)]


@cache
def _ids() -> dict[str, int]:
    return {_plain(text): action for action, text in enumerate(_texts())}


def _plain(text: str) -> str:
    for letter, symbol in zip(FRENCH_SUITS, "♣♦♥♠", strict=True):
        text = text.replace(symbol, letter)
    return " ".join(text.upper().split())


def _text(action: int) -> str:
    if action in _WORDS:
        return _WORDS[action]
    if action >= DISCARD:
        return f"discard {CARDS.text(action - DISCARD)}"
    if action >= REPLACE:
        return _replace_text(action - REPLACE)
    if action >= EXTEND_JOKER:
        side, card = _extension(action - EXTEND_JOKER)
        return f"extend {side} {JOKER_TEXT} as {card}"
    if action >= EXTEND:
        return "extend {} {}".format(*_extension(action - EXTEND))
    if action >= ADD_JOKER:
        return f"add {JOKER_TEXT} to {FRENCH_RANKS[action - ADD_JOKER]}"
    if action >= ADD:
        return f"add {CARDS.text(action - ADD)}"
    return _meld_text(action)


def _meld_text(meld: int) -> str:
    cards = " ".join(CARDS.text(kind) for kind in MELD_KINDS[meld - TRIO] if kind != NONE)
    if meld < RUN:
        return f"trio {FRENCH_RANKS[trio_rank(meld)]}: {cards}"
    return f"run {CARDS.text(kind_at(run_suit(meld), run_low(meld)))}: {cards}"


def _extension(offset: int) -> tuple[str, str]:
    side = "low" if offset % ENDS_OF_SUIT < LOW_ENDS else "high"
    return side, CARDS.text(kind_at(offset // ENDS_OF_SUIT, end_position(offset)))


def _replace_text(offset: int) -> str:
    suit, position = offset // HIGHEST, offset % HIGHEST + LOWEST
    ace = {LOWEST: " low", HIGHEST: " high"}.get(position, "")
    return f"replace {JOKER_TEXT} by {CARDS.text(kind_at(suit, position))}{ace}"


# The table


def table(record: Any, seat: int | None, config: Config) -> Table:
    """What a seat (None: everyone) may see."""
    hand = int(record.hand_number)
    values = {
        "hand": f"{hand} of {HANDS}",
        "contract": _contract(hand),
        "stock": _stock_size(record),
    }
    if record.max_turns_per_hand != NONE:
        values["turns left"] = int(record.max_turns_per_hand - record.turns)
    phase = "over" if record.over else _PHASES[Phase(int(record.phase))]
    return Table(
        game="Puc",
        style=CARDS.style,
        viewer=seat,
        phase=phase,
        turn=None if record.over else int(record.turn),
        seats=[_seat_view(record, other, seat) for other in range(record.num_players)],
        centre=[_discards(record), *_trios(record), *_runs(record)],
        values=values,
    )


def _contract(hand: int) -> str:
    """R1: ``1 trio, 2 runs``; what the hand does not ask for is left out."""
    parts = ((int(CONTRACT_TRIOS[hand]), "trio"), (int(CONTRACT_RUNS[hand]), "run"))
    return ", ".join(count_of(number, noun) for number, noun in parts if number)


def _discards(record: Any) -> Zone:
    on_offer = not record.over and record.phase in (Phase.CHOICE, Phase.WINDOW)
    note = "the last one is on offer" if on_offer else ""
    return Zone("discards", _pile(record), note, pile=True)


def _seat_view(record: Any, seat: int, viewer: int | None) -> SeatView:
    tags = {
        "dealer": seat == record.dealer,
        "turn": seat == record.serving,
        "has laid down": record.down[seat],
    }
    values = {
        "score": int(record.score[seat]),
        "cards": int(record.hand_size[seat]),
        "pucs": int(record.pucs[seat]),
    }
    zones = [Zone("hand", _shown_hand(record, seat, viewer))]
    known = CARDS.texts_of(_spread(record.known[seat]))
    if viewer in (None, seat) and known:
        zones.append(Zone("known to all", known, marks=True))
    return SeatView(seat, [tag for tag, holds in tags.items() if holds], zones, values)


def _shown_hand(record: Any, seat: int, viewer: int | None) -> list[str]:
    """The whole hand to its owner; to others the cards known to be there, the rest face down."""
    if viewer in (None, seat):
        return CARDS.texts_of(_spread(record.hand[seat]))
    known = CARDS.texts_of(_spread(record.known[seat]))
    return known + [HIDDEN] * (int(record.hand_size[seat]) - len(known))


def _spread(counts: Any) -> list[int]:
    """The kinds of a vector of counts, with repetition."""
    return [kind for kind in range(KINDS) for _ in range(counts[kind])]


def _stock(record: Any) -> list[int]:
    return [int(kind) for kind in record.deck[record.stock_top : record.stock_end]]


def _stock_size(record: Any) -> int:
    return int(record.stock_end - record.stock_top)


def _pile(record: Any) -> list[str]:
    return CARDS.texts_of(record.pile[: record.pile_size])


def _trios(record: Any) -> list[Zone]:
    """One zone for each rank: trios of a rank act as one."""
    zones = []
    for rank in range(RANKS):
        if record.trio_owners[rank]:
            kinds = [k for k in range(rank, NATURALS, RANKS) for _ in range(record.trio_cards[k])]
            kinds += [JOKER] * int(record.trio_jokers[rank])
            owners = [s for s in range(record.num_players) if record.trio_owners[rank] >> s & 1]
            zones.append(_meld(f"trio {FRENCH_RANKS[rank]}", kinds, owners))
    return zones


def _runs(record: Any) -> list[Zone]:
    """The runs in the order in which they were laid."""
    zones = []
    for run in range(record.num_runs):
        suit = int(record.run_suit[run])
        kinds = [
            JOKER if has_joker(record, run, position) else kind_at(suit, position)
            for position in range(int(record.run_low[run]), int(record.run_high[run]) + 1)
        ]
        zones.append(_meld(f"run {run + 1}", kinds, [int(record.run_owner[run])]))
    if record.moving != NONE:
        zones.append(Zone(f"joker of run {record.moving + 1}", [JOKER_TEXT]))
    return zones


def _meld(name: str, kinds: list[int], owners: list[int]) -> Zone:
    """A meld with those who laid it: in full for the text, by their numbers in a picture."""
    note = "by " + ", ".join(f"player_{seat}" for seat in owners)
    caption = "by " + ", ".join(map(str, owners))
    return Zone(name, CARDS.texts_of(kinds), note, caption=caption)


# What an action brought


def news(before: Any, action: int, after: Any, seat: int | None) -> str:
    """The cards that came into hands, as far as a seat may know them; what became of the stock."""
    if action > NO_PUC:
        return ""
    if after.blocked:
        return "no card is left to draw, the hand is blocked"
    asked, serving = int(before.turn), int(before.serving)
    face_up = _pile(before)[-1:] if action in (TAKE, PUC) else []
    parts = [*face_up, *_drawn(before, after, asked, face_up, seat)]
    if serving != asked:
        parts += _drawn(before, after, serving, [], seat)
    if after.pile_size < before.pile_size - len(face_up):
        parts.append("the discards become the stock")  # R12
    return ", ".join(parts)


def _drawn(
    before: Any, after: Any, owner: int, face_up: list[str], viewer: int | None
) -> list[str]:
    """The card of the stock that came into a hand, for those who see that hand."""
    if viewer not in (None, owner):
        return []
    cards = CARDS.texts_of(_spread(after.hand[owner] - before.hand[owner]))
    for card in face_up:
        cards.remove(card)
    own = owner == before.turn
    return [f"{card} from the stock" if own else f"player_{owner} draws {card}" for card in cards]


# For tests and search


def zones(record: Any) -> dict[str, list[str]]:
    """Every card of the hand's pack once: ``stock`` top first, ``discard`` oldest first."""
    places = {"stock": CARDS.texts_of(_stock(record)), "discard": _pile(record)}
    for seat in range(record.num_players):
        places[f"hand_{seat}"] = CARDS.texts_of(_spread(record.hand[seat]))
    for zone in [*_trios(record), *_runs(record)]:
        places[zone.name.replace(" ", "_")] = zone.cards
    return places


def hidden(record: Any, seat: int) -> list[Place]:
    """One place for each card the seat cannot see: unknown cards of others, and the stock."""
    places = []
    for other in range(record.num_players):
        if other != seat:
            unknown = record.hand[other] - record.known[other]
            places += [Place("hand", (other, kind), counts=True) for kind in _spread(unknown)]
    stock = range(int(record.stock_top), int(record.stock_end))
    return places + [Place("deck", (place,)) for place in stock]


def info(record: Any) -> dict[str, Any]:
    """Public flags: ``blocked`` when the latest decision blocked a hand; why a match was cut."""
    flags: dict[str, Any] = {"blocked": bool(record["blocked"])}
    if record["truncated"]:
        flags["truncated_reason"] = "turn_cap"
    return flags
