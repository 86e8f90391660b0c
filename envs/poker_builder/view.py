"""Poker builder for people: action texts, zones, hidden places, the table."""

from typing import Any

from envs.core.cards import FRENCH_52
from envs.core.game import Config, Place
from envs.core.table import HIDDEN, SeatView, Table, Zone
from envs.poker_builder.bets import (
    NARROW,
    NOBODY,
    WIDE,
    bet_size,
    joker_id,
    nth_bet,
    number_of_bets,
    pair_id,
    slot_of,
)
from envs.poker_builder.determinise import choice_limits, hidden_places
from envs.poker_builder.hands import CATEGORY_NAMES, category_of
from envs.poker_builder.record import (
    AUCTIONS,
    CARDS,
    NONE,
    PLAYERS,
    ROUND_AUCTIONS,
    Phase,
    next_place,
    prize_place,
    slots_of,
)

TITLE = "Poker builder"
JOKER = "joker"
KEEP, LEAVE = "keep", "leave"


# Cards


def card_texts(record: Any, places: Any) -> list[str]:
    """Texts of the cards at deck places; empty places (-1) are left out."""
    return [FRENCH_52.text(record.deck[place]) for place in places if place >= 0]


def hand_texts(record: Any, seat: int) -> list[str]:
    """The hand in slot order, the cards of a sealed bet included."""
    return card_texts(record, record.hand[seat, : record.hand_size[seat]])


def pile_texts(record: Any, seat: int) -> list[str]:
    """The pile in the order won."""
    return card_texts(record, record.pile[seat, : record.pile_size[seat]])


def sealed_texts(record: Any, seat: int) -> list[str]:
    """The cards of a sealed bet; none for the joker or without one."""
    bet = int(record.sealed[seat])
    hand = hand_texts(record, seat)
    return [] if bet == NONE else [hand[slot] for slot in _slots(record, bet) if slot < len(hand)]


def _slots(record: Any, bet: int) -> list[int]:
    slots = (int(slot_of(slots_of(record), bet, k)) for k in range(2))
    return [slot for slot in slots if slot >= 0]


# Actions


def num_actions(config: Config) -> int:
    """16 bets, 56 when left-over cards are kept; two more to choose the final hand."""
    bets = int(joker_id(WIDE if config["leftovers"] == "keep" else NARROW)) + 1
    return bets + 2 * config["manual_showdown"]


def action_text(action: int, record: Any) -> str:
    """``bet 10H``, ``bet 2H 10S``, ``joker``, ``keep``, ``leave``, for the seat to act."""
    joker = joker_id(slots_of(record))
    if action >= joker:
        return (JOKER, KEEP, LEAVE)[action - joker]
    hand = hand_texts(record, record.turn)
    cards = [hand[slot] if slot < len(hand) else HIDDEN for slot in _slots(record, action)]
    return " ".join(["bet", *cards])


def parse_action(text: str, record: Any) -> int:
    """The id of an action text, cards in any order and case; ValueError when there is none."""
    words = text.lower().split()
    joker = int(joker_id(slots_of(record)))
    others = [JOKER, KEEP, LEAVE] if record.manual_showdown else [JOKER]
    if len(words) == 1 and words[0] in others:
        return joker + others.index(words[0])
    if words[:1] == ["bet"] and len(words) in (2, 3):
        return _parse_bet(words[1:], record)
    *ways, last = map(repr, ["bet 10H", "bet 2H 10S", *others])
    raise ValueError(f"{text!r} is no action; write {', '.join(ways)} or {last}")


def _parse_bet(words: list[str], record: Any) -> int:
    hand = hand_texts(record, record.turn)
    slots = []
    for word in words:
        card = FRENCH_52.text(FRENCH_52.parse(word))
        if card not in hand or hand.index(card) in slots:
            raise ValueError(f"{card} is not in the hand, or named twice")
        slots.append(hand.index(card))
    return slots[0] if len(slots) == 1 else int(pair_id(slots_of(record), *sorted(slots)))


# Everything, and what a seat cannot see


def zones(record: Any) -> dict[str, list[str]]:
    """Every card once; jokers, which never leave their owners, are no cards of the deck.

    ``stock`` (top first), ``in_play``, ``discard`` (oldest first: by auction the bet of player 0,
    of player 1, then the card in play if nobody won it), ``hand_0``, ``bet_0`` (sealed), ``pile_0``
    (in the order won), ``aside_0``, and the same of player 1.
    """
    found = {
        "stock": card_texts(record, range(next_place(record), CARDS)),
        "in_play": card_texts(record, _prize_places(record)),
        "discard": [
            card for auction in range(record.auction) for card in _discards(record, auction)
        ],
    }
    for seat in range(PLAYERS):
        sealed = sealed_texts(record, seat)
        found[f"hand_{seat}"] = [card for card in hand_texts(record, seat) if card not in sealed]
        found[f"bet_{seat}"] = sealed
        found[f"pile_{seat}"] = pile_texts(record, seat)
        found[f"aside_{seat}"] = card_texts(record, record.aside[seat])
    return found


def _prize_places(record: Any) -> list[int]:
    return [prize_place(record.auction)] if record.phase == Phase.AUCTION else []


def _discards(record: Any, auction: int) -> list[str]:
    prize = [prize_place(auction)] if record.winner[auction] == NOBODY else []
    return card_texts(record, [*record.bets[0, auction], *record.bets[1, auction], *prize])


def hidden(record: Any, seat: int) -> list[Place]:
    """The cards, the sealed bet and the choice at the showdown that a seat cannot know."""
    other = 1 - seat
    mask = int(hidden_places(record, seat))
    places = [Place("deck", (place,)) for place in range(CARDS) if mask >> place & 1]
    if record.sealed[other] != NONE:
        places.append(Place("sealed", (other,), alternatives=_legal_bets(record, other)))
    decided, limit = choice_limits(record, other)
    if decided > 0:
        sets = tuple(bits for bits in range(1 << decided) if bits.bit_count() <= limit)
        places.append(Place("chosen", (other,), alternatives=sets))
    return places


def is_secret(record: Any, action: int, seat: int) -> bool:
    """A first bet is sealed; the second opens both, unless bets stay hidden. So is a final hand."""
    if record.phase == Phase.SHOWDOWN:
        return True
    first = record.sealed[1 - record.turn] == NONE
    return bool(first or (record.hide_discards and action != joker_id(slots_of(record))))


def _legal_bets(record: Any, seat: int) -> tuple[int, ...]:
    cards = int(record.hand_size[seat])
    return tuple(int(nth_bet(slots_of(record), cards, n)) for n in range(number_of_bets(cards)))


def info(record: Any) -> dict[str, Any]:
    """Public: the auction under way, from 1 (10 also at the showdown), and its round."""
    auction = min(int(record["auction"]), AUCTIONS - 1)
    return {"auction": auction + 1, "round": auction // ROUND_AUCTIONS + 1}


# The table


def table(record: Any, seat: int | None, config: Config) -> Table:
    """What a seat (None: everyone) may see."""
    facts = info(record)
    return Table(
        game=TITLE,
        style="french",
        viewer=seat,
        phase=_phase_text(record, seat),
        turn=None if record.over else int(record.turn),
        seats=[_seat_view(record, owner, seat) for owner in range(PLAYERS)],
        centre=[
            Zone("card in play", card_texts(record, _prize_places(record))),
            Zone("discarded", _visible_discards(record, seat), pile=True),
        ],
        values={"round": facts["round"], "auction": facts["auction"]},
        log=[_log_line(record, auction, seat) for auction in range(record.auction)],
    )


def _phase_text(record: Any, viewer: int | None) -> str:
    if record.over:
        winner = next((seat for seat in range(PLAYERS) if record.reward[seat] > 0), None)
        return "a draw" if winner is None else f"player_{winner} has won"
    if record.phase == Phase.AUCTION:
        return "auction"
    if viewer not in (None, record.turn):
        return "showdown"
    return f"showdown, keep {card_texts(record, [record.pile[record.turn, record.asked]])[0]}?"


def _seat_view(record: Any, owner: int, viewer: int | None) -> SeatView:
    shown = viewer is None or viewer == owner
    hand = hand_texts(record, owner)
    found = [Zone("hand", hand if shown else [HIDDEN] * len(hand))]
    if shown and record.sealed[owner] != NONE:
        found.append(Zone("bet", sealed_texts(record, owner) or ["JK"], marks=True))
    found.append(Zone("pile", pile_texts(record, owner), _category_text(record, owner)))
    aside = card_texts(record, record.aside[owner])
    if aside:
        found.append(Zone("put aside", aside if shown else [HIDDEN] * len(aside)))
    if record.manual_showdown and record.phase == Phase.SHOWDOWN and (shown or record.over):
        found.append(Zone("final hand", _chosen_texts(record, owner), marks=True))
    sealed = bool(record.sealed[owner] != NONE)
    return SeatView(owner, ["has bet"] if sealed else [], found, sealed=sealed)


def _category_text(record: Any, seat: int) -> str:
    return CATEGORY_NAMES[category_of(int(record.strength[seat]))] if record.pile_size[seat] else ""


def _chosen_texts(record: Any, seat: int) -> list[str]:
    bits = int(record.chosen[seat])
    return [card for i, card in enumerate(pile_texts(record, seat)) if bits >> i & 1]


def _sees_bets(record: Any, owner: int, viewer: int | None) -> bool:
    return viewer is None or viewer == owner or not record.hide_discards


def _visible_discards(record: Any, viewer: int | None) -> list[str]:
    found = []
    for auction in range(record.auction):
        for owner in range(PLAYERS):
            cards = card_texts(record, record.bets[owner, auction])
            found += cards if _sees_bets(record, owner, viewer) else [HIDDEN] * len(cards)
        if record.winner[auction] == NOBODY:
            found += card_texts(record, [prize_place(auction)])
    return found


def _log_line(record: Any, auction: int, viewer: int | None) -> str:
    prize = card_texts(record, [prize_place(auction)])[0]
    bets = " / ".join(_bet_text(record, owner, auction, viewer) for owner in range(PLAYERS))
    winner = int(record.winner[auction])
    end = "discarded" if winner == NOBODY else f"player_{winner}"
    return f"{auction + 1}. {prize}: {bets}: {end}"


def _bet_text(record: Any, owner: int, auction: int, viewer: int | None) -> str:
    size = int(bet_size(record, owner, auction))
    if size == 0:
        return "JK"
    if not _sees_bets(record, owner, viewer):
        return "+".join([HIDDEN] * size)
    return "+".join(card_texts(record, record.bets[owner, auction]))
