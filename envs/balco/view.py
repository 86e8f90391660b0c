"""Balcó in words: actions, tables, zones, and what a seat cannot see."""

import re
from typing import Any

from envs.balco.actions import (
    FLIP,
    JOKER,
    KEEP,
    MOST_CARDS,
    NUM_KINDS,
    NUM_SWAPS,
    PLACES,
    PLAY,
    SHOOT,
    TAKE,
    jokers_of,
    naturals_of,
    number_of,
    play_action,
)
from envs.balco.moves import deck_size
from envs.balco.record import MAX_PLAYERS, REVEAL, ROW, Phase
from envs.balco.rules import lowest_kind
from envs.core.cards import SPANISH_RANKS
from envs.core.game import Place
from envs.core.table import HIDDEN, SeatView, Table, Zone, count_of

TITLE = "Balcó"
_PHASES = {
    Phase.SWAP: "choosing the cards that stay up",
    Phase.PLAY: "throwing cards",
    Phase.FLIP: "turning over a down card",
    Phase.DECLARE: "declaring the joker turned over",
    Phase.SHOOT: "aiming a 1",
}
_JOKER_AS = re.compile(r"JK=(\d+)$")


# Actions


def action_text(action: int, record: Any) -> str:
    """``keep up 1 12 JK``, ``play 5 JK=5``, ``shoot +1``, ``flip`` or ``take``."""
    if action == FLIP:
        return "flip"
    if action == TAKE:
        return "take"
    if action >= SHOOT:
        return f"shoot +{action - SHOOT + 1}"
    if action >= PLAY:
        number = number_of(action)
        cards = [str(number)] * naturals_of(action) + [f"JK={number}"] * jokers_of(action)
        return "play " + " ".join(cards)
    if record.phase == Phase.SWAP and not record.over:
        return "keep up " + " ".join(_kept(action, _six(record, record.turn)))
    places = ", ".join(str(place + 1) for place in PLACES[action - KEEP])
    return f"keep up cards {places} of the six"


def parse_action(text: str, record: Any) -> int:
    """The action of a text, any case, cards in any order; ValueError where there is none."""
    words = text.strip().upper().split()
    if words == ["FLIP"]:
        return FLIP
    if words == ["TAKE"]:
        return TAKE
    for steps in range(1, MAX_PLAYERS):
        if words == ["SHOOT", f"+{steps}"]:
            return SHOOT + steps - 1
    action = -1
    if words[:1] == ["PLAY"]:
        action = _parse_play(words[1:])
    elif words[:2] == ["KEEP", "UP"]:
        action = _parse_keep(words[2:], record)
    if action < 0:
        raise ValueError(f"{text!r} is no action of {TITLE}, such as 'play 5 JK=5' or 'take'")
    return action


def _parse_play(cards: list[str]) -> int:
    """The play action that throws these cards, or -1."""
    declared = [match[1] for card in cards if (match := _JOKER_AS.match(card))]
    naturals = [card for card in cards if not _JOKER_AS.match(card)]
    numbers = set(declared + naturals)
    if not 1 <= len(cards) <= MOST_CARDS or len(numbers) != 1:
        return -1
    number = numbers.pop()
    if number not in SPANISH_RANKS.texts[:JOKER]:
        return -1
    return int(play_action(int(number), len(naturals), len(declared)))


def _parse_keep(cards: list[str], record: Any) -> int:
    """The lowest swap action that keeps these cards up, or -1."""
    if record.phase == Phase.SWAP and not record.over:
        six = _six(record, record.turn)
        for action in range(KEEP, KEEP + NUM_SWAPS):
            if sorted(_kept(action, six)) == sorted(cards):
                return action
    return -1


def _kept(action: int, six: list[str]) -> list[str]:
    """Texts of the cards that a swap action keeps up."""
    return [six[place] for place in PLACES[action - KEEP]]


def _six(record: Any, seat: int) -> list[str]:
    """Texts of the six known cards of a seat before the swap, by kind."""
    return _texts(record.hand[seat] + record.up[seat])


def _texts(counts: Any) -> list[str]:
    """Texts of cards given as counts by kind."""
    return [SPANISH_RANKS.text(kind) for kind in range(NUM_KINDS) for _ in range(counts[kind])]


# The table


def zones(record: Any) -> dict[str, list[str]]:
    """Every card once: hands and up cards by kind, the stock top first, the rest oldest first."""
    texts = SPANISH_RANKS.texts_of
    found = {"stock": texts(record.deck[record.drawn : deck_size(record)])}
    found["pile"] = texts(record.pile[: record.pile_size])
    found["discard"] = texts(record.cleaned[: record.num_cleaned])
    for seat in range(record.num_players):
        found[f"hand_{seat}"] = _texts(record.hand[seat])
        found[f"up_{seat}"] = _texts(record.up[seat])
        found[f"down_{seat}"] = texts(record.down[seat][ROW - record.down_left[seat] :])
    return found


def hidden(record: Any, seat: int) -> list[Place]:
    """The stock, all down cards, unknown cards of other hands and their sealed swaps."""
    places = [Place("deck", (i,)) for i in range(record.drawn, deck_size(record))]
    for other in range(record.num_players):
        down = range(ROW - record.down_left[other], ROW)
        places += [Place("down", (other, place)) for place in down]
        if other != seat:
            for kind in range(NUM_KINDS):
                unknown = int(record.hand[other, kind]) - int(record.known[other, kind])
                places += [Place("hand", (other, kind), counts=True)] * unknown
            if record.phase == Phase.SWAP and record.choice[other] >= 0:
                every = tuple(range(KEEP, KEEP + NUM_SWAPS))
                places.append(Place("choice", (other,), alternatives=every))
    return places


def is_secret(record: Any, action: int, seat: int) -> bool:
    """The cards that stay up are chosen in secret; the last choice opens them all."""
    others = [other for other in range(record.num_players) if other != record.turn]
    waiting = any(record.choice[other] < 0 for other in others)
    return bool(record.phase == Phase.SWAP and waiting)


def news(before: Any, action: int, after: Any, seat: int | None) -> str:
    """What the start came to, the card turned over, and what a throw or a pick-up did."""
    if action < PLAY:
        return _beginning(after) if after.phase != Phase.SWAP else ""
    if action == TAKE:
        return count_of(int(before.pile_size), "card")
    turned = [_turned(before, after)] if action == FLIP else []
    return "; ".join([*turned, *_effects(before, after)])


def _beginning(record: Any) -> str:
    """L2: who threw, or showed, which lowest card, and who begins."""
    count = int(record.num_players)
    order = [(int(record.dealer) + 1 + i) % count for i in range(count)]
    if record.start == REVEAL:
        kinds = [lowest_kind(record, seat) for seat in order]
    else:
        kinds = record.pile[:count]
    cards = zip(SPANISH_RANKS.texts_of(kinds), order, strict=True)
    thrown = ", ".join(f"{card} by player_{seat}" for card, seat in cards)
    return f"the lowest cards: {thrown}; player_{record.turn} begins"


def _turned(before: Any, after: Any) -> str:
    """L7: the down card, and whether it could not be thrown."""
    seat = before.turn
    kind = before.down[seat, ROW - before.down_left[seat]]
    kept = kind != JOKER and after.hand_size[seat] > 0
    return SPANISH_RANKS.text(kind) + (", taken with the pile" if kept else "")


def _effects(before: Any, after: Any) -> list[str]:
    """What a throw did that is seen at once: a clean, a player who is out, a shot."""
    seat = int(before.turn)
    found = ["the pile is cleaned"] if after.num_cleaned > before.num_cleaned else []
    if after.place[seat] > 0 and before.place[seat] == 0:
        found.append(f"out, place {after.place[seat]}")
    if after.shot and after.shot_by == seat and before.phase != Phase.SHOOT:
        found.append(f"player_{after.turn} is shot")
    return found


def info(record: Any) -> dict[str, Any]:
    """Why the game was truncated, if it was."""
    return {"truncated_reason": "max_decisions"} if record["truncated"] else {}


def table(record: Any, seat: int | None, config: Any) -> Table:
    """What a seat, or with None everybody together, may see."""
    return Table(
        game=TITLE,
        style=SPANISH_RANKS.style,
        viewer=seat,
        phase="over" if record.over else _PHASES[Phase(record.phase)],
        turn=None if record.over else int(record.turn),
        seats=[_seat(record, owner, seat) for owner in range(record.num_players)],
        centre=_centre(record, seat),
        values=_values(record),
    )


def _seat(record: Any, owner: int, viewer: int | None) -> SeatView:
    """One seat's cards, as far as the viewer may know them."""
    return SeatView(
        seat=owner,
        tags=_tags(record, owner),
        zones=[
            _hand(record, owner, viewer),
            Zone("up", _texts(record.up[owner])),
            _down(record, owner, viewer),
            *_sealed(record, owner, viewer),
        ],
        sealed=_has_chosen(record, owner),
    )


def _tags(record: Any, owner: int) -> list[str]:
    tags = ["dealer"] if record.dealer == owner else []
    if record.place[owner] > 0:
        tags += ["out"] if _is_out(record, owner) else []
        tags.append(f"place {record.place[owner]}")
    if _has_chosen(record, owner):
        tags.append("has chosen")
    return tags


def _is_out(record: Any, owner: int) -> bool:
    """Whether a seat has no card left; the last one has a place too."""
    return bool(record.hand_size[owner] + record.down_left[owner] + record.up[owner].sum() == 0)


def _has_chosen(record: Any, owner: int) -> bool:
    return bool(record.phase == Phase.SWAP and record.choice[owner] >= 0)


def _hand(record: Any, owner: int, viewer: int | None) -> Zone:
    if viewer in (None, owner):
        return Zone("hand", _texts(record.hand[owner]))
    known = _texts(record.known[owner])
    return Zone("hand", known + [HIDDEN] * (int(record.hand_size[owner]) - len(known)))


def _down(record: Any, owner: int, viewer: int | None) -> Zone:
    left = record.down[owner][ROW - record.down_left[owner] :]
    return Zone("down", SPANISH_RANKS.texts_of(left) if viewer is None else [HIDDEN] * len(left))


def _sealed(record: Any, owner: int, viewer: int | None) -> list[Zone]:
    """The swap choice, for its owner alone until all are in."""
    if not _has_chosen(record, owner) or viewer not in (None, owner):
        return []
    kept = _kept(record.choice[owner], _six(record, owner))
    return [Zone("will stay up", kept, marks=True)]


def _centre(record: Any, viewer: int | None) -> list[Zone]:
    stock = record.deck[record.drawn : deck_size(record)]
    shown = SPANISH_RANKS.texts_of(stock) if viewer is None else [HIDDEN] * min(1, len(stock))
    cleaned = sorted(record.cleaned[: record.num_cleaned])
    return [
        Zone("pile", _thrown(record), _rule(record), pile=True),
        Zone("stock", shown, count_of(len(stock), "card"), pile=True),
        Zone("cleaned", SPANISH_RANKS.texts_of(cleaned), pile=True),
    ]


def _thrown(record: Any) -> list[str]:
    return [_as_thrown(record, i) for i in range(record.pile_size)]


def _as_thrown(record: Any, i: int) -> str:
    """A card of the pile; a joker with its number, if it has one."""
    text = SPANISH_RANKS.text(record.pile[i])
    declared = record.pile[i] == JOKER and record.pile_as[i] > 0
    return f"{text}={record.pile_as[i]}" if declared else text


def _rule(record: Any) -> str:
    """What binds the next player, in words."""
    if record.phase == Phase.SWAP or record.over:
        return ""
    if record.phase == Phase.SHOOT:
        return "a 1 is being aimed"
    if record.shot:
        return f"player_{record.turn} is shot by player_{record.shot_by}: a 1 or a 2"
    if record.bound > 0:
        turns = f", {record.bound} turns" if record.bound > 1 else ""
        return f"seven or lower{turns}"
    return "any number" if record.free else f"{record.top} or higher"


def _values(record: Any) -> dict[str, Any]:
    return {"decisions left": int(record.max_decisions) - int(record.decisions)}
