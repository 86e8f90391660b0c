"""Truc for people: actions in words, zones, and the table as a seat sees it."""

import unicodedata
from collections.abc import Iterator
from typing import Any

import numpy as np

from envs.core.game import Config, Place
from envs.core.table import HIDDEN, Counter, SeatView, Table, Zone
from envs.truc.envit import card_of, level, position, seat_at
from envs.truc.hand import is_played, under_card
from envs.truc.record import (
    CARDS,
    HAND_SIZE,
    NOBODY,
    NUM_CARDS,
    PARTNER,
    RISKY,
    TIED,
    TRICKS,
    Action,
    Phase,
    pack,
)
from envs.truc.talk import heard
from envs.truc.tricks import peu
from envs.truc.worlds import is_shown, knows_hand

WORDS = {
    Action.TRUC: "truc",
    Action.RETRUC: "retruc",
    Action.VOL_NOU: "vol nou",
    Action.JOC_FORA: "joc fora",
    Action.ENVIDA: "envida",
    Action.JO_ENVIT: "jo envit",
    Action.DOS_MES: "dos més",
    Action.TOTS: "tots",
    Action.VULL: "vull",
    Action.NO_VULL: "no vull",
    Action.MEN_VAIG: "me'n vaig",
    Action.PASSO: "passo",
    Action.AMO: "senya amo",
    Action.SEGON: "senya segon",
    Action.LLENGUA: "senya llengua",
    Action.MARILLA: "senya marilla",
    Action.TRES: "senya tres",
    Action.DOS: "senya dos",
    Action.ASOS_BORTS: "senya asos borts",
    Action.RES: "senya res",
    Action.RESERVADA: "senya la reservada",
    Action.TAPADA: "senya tapada",
    Action.VINE_A_MI: "vine a mi",
    Action.PITJA: "pitja",
}
PHASES = {
    Phase.PLAY: "play a card",
    Phase.TRUC: "answer the truc",
    Phase.ENVIT: "answer the envit",
    Phase.WINDOW: "raise before the hidden cards are shown",
    Phase.TALK: "talk",
}
TEAMS = ("A", "B")
COUNTER_SUITS = ("C", "O")  # T17: whose 8 and 9 show the score of each team
TRUC_LEVELS = ("1", "truc (3)", "retruc (6)", "vol nou (9)", "joc fora")
ENVIT_STEPS = ("", "envida (2)", "jo envit (4)", "dos més (6)", "tots")


def _plain(text: str) -> str:
    """Lower case, single spaces, no accents, a straight apostrophe."""
    text = unicodedata.normalize("NFD", text.lower().replace("’", "'"))
    return " ".join("".join(c for c in text if not unicodedata.combining(c)).split())


_ACTIONS = {_plain(words): action for action, words in WORDS.items()}


def action_text(action: int, record: Any = None) -> str:
    """``play 11B``, ``truc``, ``senya amo`` …"""
    return f"play {CARDS.text(action)}" if action < NUM_CARDS else WORDS[Action(action)]


def parse_action(text: str, record: Any = None) -> int:
    """The id of an action in words; accents and case do not matter.

    Raises:
        ValueError: there is no such action.
    """
    plain = _plain(text)
    if plain.startswith("play "):
        return CARDS.parse(plain.removeprefix("play "))
    if plain in _ACTIONS:
        return int(_ACTIONS[plain])
    raise ValueError(
        f"{text!r} is no action of Truc; say 'play CARD' or {', '.join(WORDS.values())}"
    )


def counters(score: int, target: int = 24) -> str:
    """T17: how a score is shown with the 8 and the 9 of a suit.

    1–8 on the 8, the rest of it covered by the turned 9; 9 on the open 9; then the two turned
    cards crossed, side by side, one on the other; from 13 on the same on the 9, *a bones*.
    """
    found = counter("", "", score, target)
    if found is None:
        return ""
    if found.shown is not None:
        return f"{found.note}: {found.shown} on the {found.base}"
    return f"{found.note}: {'the 9 open on the 8' if found.lie == 'open' else found.lie}"


def counter(name: str, suit: str, score: int, target: int) -> Counter | None:
    """T17: the same with the 8 and the 9 of a suit, for pictures; None where there is no way."""
    half, eight, nine = 12, f"8{suit}", f"9{suit}"
    if score <= 0 or score >= target or target != 2 * half:
        return None
    part, base = ("dolentes", eight) if score <= half else ("a bones", nine)
    number = score if score <= half else score - half
    if number <= 8 or (base == nine and number == 9):
        return Counter(name, base, shown=number, note=part)
    if number == 9:
        return Counter(name, nine, lie="open", note=part)
    lie = ("crossed", "side by side", "one on the other")[number - 10]
    return Counter(name, base, lie=lie, note=part)


def hand_cards(record: Any, seat: int) -> list[int]:
    """The cards a seat still holds, in id order; a hidden card under its stack is not in hand."""
    cards = [int(card_of(record, seat, i)) for i in range(HAND_SIZE)]
    under = under_card(record, seat)
    return sorted(c for c in cards if not is_played(record, seat, c) and c != under)


def stock_cards(record: Any) -> list[int]:
    """The undealt cards, top first."""
    size = len(pack({"twos": "none" if record.twos else "after_threes"}))
    return [int(card) for card in record.deck[HAND_SIZE * record.num_players : size]]


def zones(record: Any) -> dict[str, list[str]]:
    """Every card once: ``hand_0`` …, ``under_0`` …, ``trick_1`` … (by position), ``stock``."""
    seats = range(record.num_players)
    found = {f"hand_{seat}": CARDS.texts_of(hand_cards(record, seat)) for seat in seats}
    if record.stacked:
        for seat in seats:
            under = under_card(record, seat)
            found[f"under_{seat}"] = [] if under < 0 else [CARDS.text(under)]
    for trick in range(TRICKS):
        played = [record.played[trick, seat_at(record, p)] for p in seats]
        found[f"trick_{trick + 1}"] = CARDS.texts_of(card for card in played if card >= 0)
    return {**found, "stock": CARDS.texts_of(stock_cards(record))}


def hidden(record: Any, seat: int) -> list[Place]:
    """The places of cards and signals that a seat cannot see."""
    return [*_hidden_cards(record, seat), *_hidden_signals(record, seat)]


def _hidden_cards(record: Any, seat: int) -> Iterator[Place]:
    dealt = HAND_SIZE * record.num_players
    for owner in range(record.num_players):
        if knows_hand(record, seat, owner) or is_shown(record, owner):
            continue
        for i in range(HAND_SIZE):
            if not is_played(record, owner, card_of(record, owner, i)):
                yield Place("deck", (int(HAND_SIZE * position(record, owner) + i),))
    for place in range(dealt, dealt + len(stock_cards(record))):
        yield Place("deck", (place,))


def _hidden_signals(record: Any, seat: int) -> Iterator[Place]:
    if record.signals not in (PARTNER, RISKY):
        return
    alternatives = tuple(range(Action.PASSO, Action.TAPADA + 1))
    for trick, speaker in np.ndindex(TRICKS, int(record.num_players)):
        said = record.said[trick, speaker]
        if speaker % 2 != seat % 2 and heard(record, seat, trick, speaker) == Action.PASSO:
            if said <= Action.TAPADA and not record.seen[trick, speaker] & (1 << seat):
                yield Place("said", (trick, speaker), alternatives=alternatives)


def is_secret(record: Any, action: int, seat: int) -> bool:
    """T16: signals, and saying nothing, are for partners alone unless an opponent sees them."""
    for_partners = record.signals in (PARTNER, RISKY) and action <= Action.TAPADA
    return bool(record.phase == Phase.TALK and for_partners and seat % 2 != record.turn % 2)


def info(record: Any) -> dict[str, Any]:
    """Public facts of the match: score of both teams, legs won, hands dealt before."""
    return {
        "score": tuple(record["score"].tolist()),
        "legs": tuple(record["legs_won"].tolist()),
        "hand_number": int(record["hand_number"]),
    }


def table(record: Any, seat: int | None, config: Config) -> Table:
    """What a seat sees (None: everything), as plain data."""
    return Table(
        game="Truc",
        style=CARDS.style,
        viewer=seat,
        phase="over" if record.over else PHASES[Phase(record.phase)],
        turn=None if record.over else int(record.turn),
        seats=[_seat_view(record, owner, seat) for owner in range(record.num_players)],
        centre=[_trick_zone(record, t) for t in range(TRICKS) if (record.played[t] >= 0).any()],
        values=_values(record),
        log=_log(record, seat),
        counters=_counters(record),
    )


def _counters(record: Any) -> list[Counter]:
    """Both teams' scores as they are shown at the table."""
    scores = zip(TEAMS, COUNTER_SUITS, record.score, strict=True)
    found = (
        counter(f"{team}: {score}", suit, int(score), int(record.target))
        for team, suit, score in scores
    )
    return [shown for shown in found if shown is not None]


def _seat_view(record: Any, owner: int, seat: int | None) -> SeatView:
    tags = [f"team {TEAMS[owner % 2]}"]
    tags += ["mà"] if owner == seat_at(record, 0) else []
    tags += ["peu"] if owner == peu(record, owner % 2) else []
    tags += ["dealer"] if owner == record.dealer else []
    return SeatView(owner, tags, _seat_zones(record, owner, seat))


def _seat_zones(record: Any, owner: int, seat: int | None) -> list[Zone]:
    known = seat is None or knows_hand(record, seat, owner)
    hand = CARDS.texts_of(hand_cards(record, owner))
    found = [Zone("hand", hand if known else [HIDDEN] * len(hand))]
    under = under_card(record, owner)
    if under >= 0:
        open_card = known or is_shown(record, owner)
        found.append(Zone("under", [CARDS.text(under) if open_card else HIDDEN]))
    return found


def _led_by(record: Any, trick: int) -> int:
    """T2, T3: who played first to a trick: p0, or who won the one before."""
    if trick == record.trick:
        return int(record.leader)
    before = trick - 1
    if trick == 0 or record.trick_team[before] == TIED:
        return int(seat_at(record, 0))
    first, players = _led_by(record, before), int(record.num_players)
    order = [(first + step) % players for step in range(players)]
    return min(order, key=lambda seat: level(record, record.played[before, seat]))


def _trick_zone(record: Any, trick: int) -> Zone:
    first, players = _led_by(record, trick), int(record.num_players)
    order = [(first + step) % players for step in range(players)]
    owners = [seat for seat in order if record.played[trick, seat] >= 0]
    cards = [CARDS.text(record.played[trick, seat]) for seat in owners]
    team = record.trick_team[trick]
    result = "" if team == NOBODY else "tied" if team == TIED else f"to {TEAMS[team]}"
    names = ", ".join(f"player_{seat}" for seat in owners)
    note = f"({names}; {result})" if result else f"({names})"
    return Zone(f"trick {trick + 1}", cards, note, caption=result, owners=owners)


def _values(record: Any) -> dict[str, Any]:
    values: dict[str, Any] = {"hand": int(record.hand_number) + 1}
    for team, name in enumerate(TEAMS):
        shown = counters(int(record.score[team]), int(record.target))
        values[f"score {name}"] = f"{record.score[team]}" + (f" ({shown})" if shown else "")
    if record.legs > 1:
        values["legs"] = f"{record.legs_won[0]}-{record.legs_won[1]}"
    values["truc"] = TRUC_LEVELS[record.truc_level]
    if record.envit_level:
        values["envit"] = ENVIT_STEPS[record.envit_level]
    if record.last_envit >= 0:
        values["last envit"] = f"{record.last_envit} of {TEAMS[record.last_envit_team]}"
        if record.reveal_envit:
            values["envits"] = " ".join(map(str, record.last_envits[: record.num_players]))
    return values


def _log(record: Any, seat: int | None) -> list[str]:
    """The hand's talk as the seat perceived it, then its calls and answers in order."""
    lines = []
    for trick, speaker in np.ndindex(TRICKS, int(record.num_players)):
        said = record.said[trick, speaker] if seat is None else heard(record, seat, trick, speaker)
        if said:
            lines.append(f"player_{speaker} before trick {trick + 1}: {action_text(int(said))}")
    for call in np.argsort(record.call_order, kind="stable"):
        if record.call_order[call]:
            lines.append(_call_line(record, int(call)))
    return lines


def _call_line(record: Any, call: int) -> str:
    line = f"player_{record.call_seat[call]}: {WORDS[Action(Action.TRUC + call)]}"
    answers = [
        f"player_{s} {('vull', 'no vull')[record.answers[call, s] - 1]}"
        for s in range(record.num_players)
        if record.answers[call, s]
    ]
    return line + (f" ({', '.join(answers)})" if answers else "")
