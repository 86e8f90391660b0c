"""4 Duros for people: action texts, zones, and the table as plain data."""

from collections.abc import Mapping
from typing import Any

from envs.core.game import Config, Place
from envs.core.table import HIDDEN, SeatView, Table, Zone, count_of
from envs.quatre_duros.payments import suit
from envs.quatre_duros.record import (
    ASK,
    CARDS,
    EXCHANGE,
    GUESS,
    KING,
    OWN,
    PACK,
    Phase,
    check_coins,
)
from envs.quatre_duros.rules import draw_dealer, next_in_round
from envs.quatre_duros.worlds import knows

_ACTIONS = (
    "stand",
    "exchange",
    *(f"ask +{k}" for k in range(1, GUESS - ASK + 1)),
    *(f"guess {suit}" for suit in "OCEB"),
)


def action_text(action: int, record: Any = None) -> str:
    """``stand``, ``exchange``, ``ask +3`` (the player three seats to the right), ``guess O``."""
    return _ACTIONS[action]


def parse_action(text: str, record: Any = None) -> int:
    """The id of an action in words, any case and spacing."""
    wanted = "".join(str(text).split()).lower()
    for action, known in enumerate(_ACTIONS):
        if known.replace(" ", "").lower() == wanted:
            return action
    raise ValueError(f"{text!r} is no action of 4 Duros; actions are {', '.join(_ACTIONS)}")


def zones(record: Any) -> dict[str, list[str]]:
    """Every card of the pack once: ``hand_k``, ``stock`` (top first), ``discard``, ``aside``."""
    seats = range(record.num_players)
    held = {f"hand_{k}": [record.place[k]] if record.active[k] else [] for k in seats}
    found = {
        **held,
        "stock": range(record.dealt + (record.turned >= 0), PACK),
        "discard": record.removed[: record.num_removed],
        "aside": [record.turned] if _set_aside(record) else [],
    }
    return {name: CARDS.texts_of(record.deck[place] for place in of) for name, of in found.items()}


def _set_aside(record: Any) -> bool:
    """D5, ``stock_king_blocks``: a king was turned up and the dealer kept his card."""
    return record.turned >= 0 and record.turned != record.place[record.dealer]


def hidden(record: Any, seat: int) -> list[Place]:
    """The places of the deck that the seat has not seen."""
    return [Place("deck", (place,)) for place in range(PACK) if not knows(record, seat, place)]


def news(before: Any, action: int, after: Any, seat: int | None) -> str:
    """What a question or an exchange has come to, with the cards that the seat knows."""
    actor = int(before.turn)
    if action >= GUESS:
        return _answered(before, action - GUESS)
    if action != EXCHANGE:
        return ""
    if actor == before.dealer:
        return _turned_up(before)
    other = int(next_in_round(before, actor))
    if after.turned_away[actor]:
        return f"player_{other} has a king"
    moved = {"gives": other, "takes": actor}
    cards = {does: _card(after, after.place[now], seat) for does, now in moved.items()}
    known = [f"{does} {card}" for does, card in cards.items() if card != HIDDEN]
    return ": ".join([f"with player_{other}", *([", ".join(known)] if known else [])])


def _answered(record: Any, guess: int) -> str:
    """D4: who pays whom for the guess."""
    asker, asked = int(record.asker), int(record.turn)
    right = suit(record, asker) == guess
    payer, paid = (asker, asked) if right else (asked, asker)
    return f"{'right' if right else 'wrong'} guess, player_{payer} pays player_{paid}"


def _turned_up(record: Any) -> str:
    """D5: the top of the stock, and whether it was set aside."""
    card = int(record.deck[record.dealt])
    blocked = record.stock_king_blocks and card % 10 == KING
    return CARDS.text(card) + (", set aside" if blocked else "")


def info(record: Any) -> dict[str, Any]:
    """``hand_number`` (from 0), and ``truncated_reason`` when a match was cut off."""
    reason = {"truncated_reason": "decision limit"} if record["truncated"] else {}
    return {"hand_number": int(record["hand_number"]), **reason}


def arrange(record: Any, options: Mapping[str, Any]) -> None:
    """Reset options: ``coins`` of each seat and ``dealer``; without one he is drawn among them."""
    if "coins" in options:
        seats = int(record.num_players)
        total = int(record.start_coins.sum())
        coins = check_coins(options["coins"], seats, total)
        if sum(coins) > total:
            raise ValueError(f"coins={coins!r}: together at most {total}, the option's total")
        record.coins[:seats] = record.start_coins[:seats] = coins
        record.rng[1] = 0
        draw_dealer(record)
    if "dealer" in options:
        record.dealer = options["dealer"]


def table(record: Any, seat: int | None, config: Config) -> Table:
    """What a seat may see; None for everything."""
    return Table(
        game="4 Duros",
        style=CARDS.style,
        viewer=seat,
        phase=_phase(record),
        turn=None if record.over else int(record.turn),
        seats=[_seat(record, other, seat) for other in range(record.num_players)],
        centre=_centre(record, seat),
        values={"hand": int(record.hand_number) + 1, "centre": count_of(record.centre, "duro")},
        log=_log(record),
        coins=int(record.centre),
    )


def _phase(record: Any) -> str:
    if record.over:
        return "cut off" if record.truncated else "over"
    if record.phase == Phase.ANSWER:
        return f"player_{record.turn} names the suit of player_{record.asker}'s king"
    return "stand, exchange or ask"


def _card(record: Any, place: int, viewer: int | None) -> str:
    seen = viewer is None or knows(record, viewer, place)
    return CARDS.text(record.deck[place]) if seen else HIDDEN


def _seat(record: Any, seat: int, viewer: int | None) -> SeatView:
    cards = [_card(record, record.place[seat], viewer)] if record.active[seat] else []
    return SeatView(
        seat=seat,
        tags=_tags(record, seat),
        zones=[Zone("card", cards)],
        values={"duros": int(record.coins[seat])},
        coins=int(record.coins[seat]),
    )


def _tags(record: Any, seat: int) -> list[str]:
    marks = {
        "dealer": record.dealer == seat,
        "out": record.coins[seat] == 0,
        "asks": record.asker == seat,
        "king": record.place[seat] in range(record.dealt) and record.king[record.place[seat]] > 0,
        "exchanged": record.exchanged[seat],
        "was refused": record.turned_away[seat],
        "stood": record.stood[seat],
    }
    return [mark for mark, holds in marks.items() if holds]


def _centre(record: Any, viewer: int | None) -> list[Zone]:
    left = PACK - int(record.dealt) - (record.turned >= 0)
    found = [Zone("stock", [HIDDEN], count_of(left, "card"))]
    if viewer is None:
        found = [Zone("stock", zones(record)["stock"], pile=True)]
    if record.turned >= 0:
        note = "set aside" if _set_aside(record) else "taken by the dealer"
        found.append(Zone("turned", [_card(record, record.turned, viewer)], note))
    gone = [_card(record, place, viewer) for place in record.removed[: record.num_removed]]
    return [*found, Zone("discard", gone, pile=True)] if gone else found


def _log(record: Any) -> list[str]:
    """The latest showdown and the exchanges and wrong guesses of this hand."""
    shown = [
        f"player_{seat} {CARDS.text(record.shown[seat])}"
        for seat in range(record.num_players)
        if record.shown[seat] >= 0
    ]
    lines = [f"latest showdown: {', '.join(shown)}"] if shown else []
    for k in range(record.num_players):
        seat = (int(record.dealer) + 1 + k) % int(record.num_players)
        lines += _acts(record, seat)
    return lines


def _acts(record: Any, seat: int) -> list[str]:
    lines = []
    if record.exchanged[seat]:
        other = int(record.partner[seat, OWN])
        whom = f"player_{other}" if other >= 0 else "the stock"
        lines.append(f"player_{seat} exchanged with {whom}")
    if record.turned_away[seat]:
        lines.append(f"player_{seat} was refused")
    wrong = [suit for suit, said in zip("OCEB", record.refuted[seat], strict=True) if said]
    if wrong:
        lines.append(f"player_{seat}'s king is not of {', '.join(wrong)}")
    return lines
