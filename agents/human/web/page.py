"""What the page of a seat is told, as plain data: nothing but what the seat may see."""

from typing import Any

from agents.human.acts import Act
from agents.human.choices import Choice, choices, taken_from
from agents.human.language import Language
from agents.human.web.match import PERSON, Match
from agents.human.web.store import Seat
from agents.human.words import act_words, heard_words
from envs.core.aec import GameEnv
from envs.core.cards import pretty_words
from envs.core.replay import Replay
from envs.core.table import SeatView, Table, Zone

LINES = 200  # of the log, at most


def match_page(seat: Seat, language: Language) -> dict[str, Any]:
    """A match as one of its people sees it."""
    match, viewer = seat.match, seat.viewer
    mine = match.turn is not None and match.turn == viewer
    options = choices(match.env) if mine else []
    return {
        "version": match.version,
        "game": match.plan.game.env_id,
        "title": match.plan.game.title,
        "seat": viewer,
        "turn": match.turn,
        "mine": mine,
        "agent": match.turn is not None and match.plan.seated[match.turn] != PERSON,
        "over": match.over,
        "seated": list(match.plan.seated),
        "table": _live_table(match, viewer, options, language),
        "last_hand": _last_hand(match, viewer, language),
        "actions": [_choice(c, match, language) for c in options],
        "log": log_page(match.acts, viewer, match.env, language),
        "result": _result(match, viewer, language) if match.over else None,
        "plan": {
            "game": match.plan.game.env_id,
            "options": {k: v for k, v in match.plan.config.items() if k != "num_players"},
        },
    }


def _live_table(
    match: Match, viewer: int | None, options: list[Choice], language: Language
) -> dict[str, Any]:
    """The table now; when the viewer is to act, its zones say whether cards are taken from them."""
    table = match.table(viewer)
    told = table_page(table, language)
    if options and viewer is not None:
        own = told["seats"][viewer]["zones"]
        for zone, taken in zip(own, taken_from(options, table.seats[viewer].zones), strict=True):
            zone["taken"] = taken
    return told


def _last_hand(match: Match, viewer: int | None, language: Language) -> dict[str, Any] | None:
    """The table before the last act of the hand before this one, and that act."""
    ended = match.last_hand(viewer)
    if ended is None:
        return None
    table, act = ended
    return {
        "table": table_page(table, language),
        "act": log_page([act], viewer, match.env, language)[0],
    }


def _result(match: Match, viewer: int | None, language: Language) -> dict[str, Any]:
    totals = match.totals.round(4).tolist()
    cut = bool(match.env.states["truncated"][0])
    verdict = ""
    if viewer is not None:
        best = totals[viewer] == max(totals)
        level = len(set(totals)) == 1
        verdict = language.text("drawn" if level else "won" if best else "lost")
    return {
        "title": language.text("cut_off" if cut else "over"),
        "verdict": verdict,
        "totals": totals,
    }


def _choice(choice: Choice, match: Match, language: Language) -> dict[str, Any]:
    """An action with its words; ``group`` holds those that begin alike and take cards."""
    first, _, rest = choice.words.partition(" ")
    group = "keep up" if choice.words.startswith("keep up ") else first
    return {
        "id": choice.action,
        "words": act_words(choice.words, match.turn, match.env, language),
        "cards": choice.cards,
        "group": language.say(group) if choice.cards and rest else "",
    }


def hint_page(match: Match, language: Language) -> dict[str, Any]:
    """What the seat to act is advised, the best action first."""
    hints, rounds = match.hints()
    by = {"search": match.adviser.searcher.name, "player": match.adviser.player.name}
    rows = [
        {**hint._asdict(), "words": act_words(hint.words, match.turn, match.env, language)}
        for hint in hints
    ]
    return {"actions": rows, "rounds": rounds, "version": match.version, **by}


def log_page(
    acts: list[Act], viewer: int | None, env: GameEnv, language: Language
) -> list[dict[str, Any]]:
    """The latest acts, oldest first, as far as the seat may know them."""
    return [
        {
            "seat": act.seat,
            "words": heard_words(act, viewer, env, language),
            "hand": act.hand,
            "result": language.say(act.result),
        }
        for act in acts[-LINES:]
    ]


def table_page(table: Table, language: Language) -> dict[str, Any]:
    """A table in a language, with the names of its cards."""
    return {
        "game": table.game,
        "style": table.style,
        "viewer": table.viewer,
        "phase": language.say(table.phase),
        "turn": table.turn,
        "seats": [_seat(seat, table.style, language) for seat in table.seats],
        "centre": [_zone(zone, table.style, language) for zone in table.centre],
        "values": _values(table.values, language),
        "log": [language.say(pretty_words(line, table.style)) for line in table.log],
        "coins": table.coins,
        "names": {card: language.card(card, table.style) for card in _cards(table)},
    }


def _cards(table: Table) -> list[str]:
    """Every card text of the table, once."""
    zones = [*table.centre, *(zone for seat in table.seats for zone in seat.zones)]
    return sorted({card for zone in zones for card in zone.cards})


def _seat(seat: SeatView, style: str, language: Language) -> dict[str, Any]:
    return {
        "seat": seat.seat,
        "name": language.player(seat.seat),
        "tags": [language.say(tag) for tag in seat.tags],
        "zones": [_zone(zone, style, language) for zone in seat.zones],
        "values": _values(seat.values, language),
        "coins": seat.coins,
        "sealed": seat.sealed,
    }


def _zone(zone: Zone, style: str, language: Language) -> dict[str, Any]:
    """A zone; cards that only mark others are said in words, so they are written like words."""
    caption = zone.note if zone.caption is None else zone.caption
    said = [pretty_words(card, style) for card in zone.cards]
    return {
        "name": language.say(zone.name),
        "cards": said if zone.marks else zone.cards,
        "caption": language.say(caption),
        "owners": zone.owners,
        "pile": zone.pile,
        "marks": zone.marks,
    }


def _values(values: dict[str, Any], language: Language) -> list[list[str]]:
    return [[language.say(name), language.say(str(value))] for name, value in values.items()]


def replay_page(
    replay: Replay, acts: list[Act], move: int, viewer: int | None, language: Language
) -> dict[str, Any]:
    """A replay before a move, as a seat or everybody together saw it."""
    env = replay.env_at(move)
    return {
        "title": replay.game.title,
        "game": replay.game.env_id,
        "move": move,
        "last": len(replay.moves),
        "seated": replay.agents,
        "seat": viewer,
        "table": table_page(env.table("all" if viewer is None else viewer), language),
        "log": log_page(acts[:move], viewer, env, language),
        "result": replay.result if move == len(replay.moves) else None,
    }
