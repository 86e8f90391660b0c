"""Truc: what a seat observes. Seats are relative: me first, then to the right.

A card on the table is written as its level (17 places, the fives of 6 and 8 players first) and its
suit (4 places): what wins and what links. Teams are written us, them.
"""

import numpy as np

from envs.core.game import Config
from envs.core.jit import rule
from envs.core.observation import Section
from envs.truc.envit import (
    FIVES_LEVEL,
    MAX_ENVIT,
    NUM_LEVELS,
    card_of,
    envit_value,
    level,
    seat_at,
    suit,
)
from envs.truc.hand import is_played, under_card
from envs.truc.record import (
    HAND_SIZE,
    NOBODY,
    NUM_CARDS,
    OPEN_HANDS,
    SIGNALS_OFF,
    TIED,
    TRICKS,
    Action,
    Envit,
    Phase,
    Window,
)
from envs.truc.talk import heard
from envs.truc.tricks import peu
from envs.truc.worlds import is_shown

CARD_CODE = NUM_LEVELS + 4
NUM_CALLS = 8
NUM_PHASES, NUM_WINDOWS, NUM_ENVITS = len(Phase), len(Window), len(Envit)
TALK_ACTIONS = Action.PITJA - Action.PASSO + 1
MAX_SCORE = 127

# The sections in their order; heuristics index ``Layout.offsets`` with these.
(
    HAND,
    PARTNERS,
    PLAYED,
    UNDER,
    LEADER,
    TURN,
    MA,
    PEUS,
    TRICK,
    RESULTS,
    STACKED,
    PHASE,
    WINDOW,
    CALLERS,
    CALL_TRICKS,
    CALL_ORDER,
    ANSWERS,
    TRUC_LEVEL,
    TRUC_CALL,
    ENVIT,
    ENVIT_LEVEL,
    ENVIT_CALL,
    RAISE_RIGHT,
    SCORE,
    LEGS,
    HANDS_LEFT,
    LAST_ENVIT,
    LAST_ENVITS,
    TALK,
    MY_ENVIT,
) = range(30)


@rule
def relative(state, seat, other):
    """Places to the right of ``seat``."""
    return (other - seat) % state.num_players


@rule
def seats(state):
    """How many; wide, for uncompiled ``at + int8`` would overflow."""
    return np.int64(state.num_players)


@rule
def mark(out, at, i):
    """Set the i-th place from ``at`` on; wide for the same reason."""
    out[at + np.int64(i)] = 1


@rule
def write_card(state, card, out, at):
    """A card as level and suit."""
    mark(out, at, level(state, card) - FIVES_LEVEL)
    mark(out, at + NUM_LEVELS, suit(card))


@rule
def write_held(state, owner, out, at):
    """The cards an owner has not played, its own hidden one included."""
    for i in range(HAND_SIZE):
        card = card_of(state, owner, i)
        if not is_played(state, owner, card):
            mark(out, at, card)
    return at + NUM_CARDS


@rule
def write_hand(state, seat, out, at):
    return write_held(state, seat, out, at)


@rule
def write_partners(state, seat, out, at):
    if state.signals != OPEN_HANDS:
        return at
    for step in range(2, state.num_players, 2):
        at = write_held(state, (seat + step) % state.num_players, out, at)
    return at


@rule
def write_played(state, seat, out, at):
    for trick in range(TRICKS):
        for step in range(state.num_players):
            card = state.played[trick, (seat + step) % state.num_players]
            if card >= 0:
                write_card(state, card, out, at)
            at += CARD_CODE
    return at


@rule
def write_under(state, seat, out, at):
    for step in range(state.num_players):
        owner = (seat + step) % state.num_players
        card = under_card(state, owner)
        if card >= 0 and (owner == seat or is_shown(state, owner)):
            write_card(state, card, out, at)
        at += CARD_CODE
    return at


@rule
def write_seat(state, seat, other, out, at):
    """One of n: a seat, relative."""
    mark(out, at, relative(state, seat, other))
    return at + seats(state)


@rule
def write_leader(state, seat, out, at):
    return write_seat(state, seat, state.leader, out, at)


@rule
def write_turn(state, seat, out, at):
    if state.over:
        return at + seats(state)
    return write_seat(state, seat, state.turn, out, at)


@rule
def write_ma(state, seat, out, at):
    return write_seat(state, seat, seat_at(state, 0), out, at)


@rule
def write_peus(state, seat, out, at):
    mark(out, at, relative(state, seat, peu(state, 0)))
    mark(out, at, relative(state, seat, peu(state, 1)))
    return at + seats(state)


@rule
def write_trick(state, seat, out, at):
    mark(out, at, state.trick)
    return at + TRICKS


@rule
def write_results(state, seat, out, at):
    for trick in range(TRICKS):
        team = state.trick_team[trick]
        if team == TIED:
            mark(out, at, 2)
        elif team != NOBODY:
            mark(out, at, team != seat % 2)
        at += 3
    return at


@rule
def write_stacked(state, seat, out, at):
    out[at] = state.stacked
    return at + 1


@rule
def write_phase(state, seat, out, at):
    mark(out, at, state.phase)
    return at + NUM_PHASES


@rule
def write_window(state, seat, out, at):
    mark(out, at, state.window)
    return at + NUM_WINDOWS


@rule
def write_callers(state, seat, out, at):
    for call in range(NUM_CALLS):
        if state.call_order[call] > 0:
            mark(out, at, relative(state, seat, state.call_seat[call]))
        at += seats(state)
    return at


@rule
def write_call_tricks(state, seat, out, at):
    for call in range(NUM_CALLS):
        if state.call_order[call] > 0:
            mark(out, at, state.call_trick[call])
        at += TRICKS
    return at


@rule
def write_call_order(state, seat, out, at):
    for call in range(NUM_CALLS):
        out[at + call] = state.call_order[call]
    return at + NUM_CALLS


@rule
def write_answers(state, seat, out, at):
    for call in range(NUM_CALLS):
        for step in range(state.num_players):
            answer = state.answers[call, (seat + step) % state.num_players]
            if answer > 0:
                mark(out, at, answer - 1)
            at += 2
    return at


@rule
def write_truc_level(state, seat, out, at):
    mark(out, at, state.truc_level)
    return at + 5


@rule
def write_pending(state, seat, call, caller, out, at):
    """A call that waits for its answer: its step, then us or them."""
    if call > 0:
        mark(out, at, call - 1)
        mark(out, at + 4, caller % 2 != seat % 2)
    return at + 6


@rule
def write_truc_call(state, seat, out, at):
    return write_pending(state, seat, state.truc_call, state.truc_caller, out, at)


@rule
def write_envit(state, seat, out, at):
    mark(out, at, state.envit)
    return at + NUM_ENVITS


@rule
def write_envit_level(state, seat, out, at):
    mark(out, at, state.envit_level)
    return at + 5


@rule
def write_envit_call(state, seat, out, at):
    return write_pending(state, seat, state.envit_call, state.envit_caller, out, at)


@rule
def write_raise_right(state, seat, out, at):
    if state.raise_right == NOBODY:
        mark(out, at, 2)
    else:
        mark(out, at, state.raise_right != seat % 2)
    return at + 3


@rule
def write_score(state, seat, out, at):
    out[at] = min(state.score[seat % 2], MAX_SCORE)
    out[at + 1] = min(state.score[1 - seat % 2], MAX_SCORE)
    return at + 2


@rule
def write_legs(state, seat, out, at):
    out[at] = state.legs_won[seat % 2]
    out[at + 1] = state.legs_won[1 - seat % 2]
    return at + 2


@rule
def write_hands_left(state, seat, out, at):
    if state.hands >= 0:
        out[at] = max(state.hands - state.hand_number, 0)
    return at + 1


@rule
def write_last_envit(state, seat, out, at):
    if state.last_envit >= 0:
        out[at] = state.last_envit
        mark(out, at + 1, state.last_envit_team != seat % 2)
    return at + 3


@rule
def write_last_envits(state, seat, out, at):
    if not state.reveal_envit:
        return at
    if state.last_envit >= 0:
        for step in range(state.num_players):
            out[at + step] = state.last_envits[(seat + step) % state.num_players]
    return at + seats(state)


@rule
def write_talk(state, seat, out, at):
    if state.signals == SIGNALS_OFF or state.signals == OPEN_HANDS:
        return at
    for trick in range(TRICKS):
        for step in range(state.num_players):
            said = heard(state, seat, trick, (seat + step) % state.num_players)
            if said > 0:
                mark(out, at, said - Action.PASSO)
            at += TALK_ACTIONS
    return at


@rule
def write_my_envit(state, seat, out, at):
    out[at] = envit_value(state, seat)
    return at + 1


def sections(config: Config) -> list[Section]:
    """All sections; those of options that are off are empty."""
    n = config["num_players"]
    partners = n // 2 - 1 if config["signals"] == "open_hands" else 0
    talk = TRICKS if config["signals"] in ("partner", "risky", "public") else 0
    everyone = n if config["reveal_envit"] else 0
    hands = config["hands"] or 0

    def flags(name: str, shape: tuple[int, ...], meaning: str, write) -> Section:
        return Section(name, shape, 0, 1, meaning, write)

    return [
        flags("hand", (NUM_CARDS,), "my cards, by id", write_hand),
        flags("partners", (partners, NUM_CARDS), "my partners' cards (open hands)", write_partners),
        flags(
            "played", (TRICKS, n, CARD_CODE), "cards by trick and seat: level, suit", write_played
        ),
        flags(
            "under", (n, CARD_CODE), "hidden cards of stacks: mine, and those shown", write_under
        ),
        flags("leader", (n,), "who leads the trick", write_leader),
        flags("turn", (n,), "who is to act", write_turn),
        flags("ma", (n,), "who sits at the dealer's right (p0)", write_ma),
        flags("peus", (n,), "the two peus", write_peus),
        flags("trick", (TRICKS,), "number of the trick", write_trick),
        flags("results", (TRICKS, 3), "tricks won by us, by them, tied", write_results),
        flags("stacked", (1,), "the second trick is a tied-trick stack", write_stacked),
        flags("phase", (NUM_PHASES,), "play, answer truc, answer envit, window, talk", write_phase),
        flags("window", (NUM_WINDOWS,), "T5's window: closed, either, last, call", write_window),
        flags(
            "callers", (NUM_CALLS, n), "truc … joc fora, envida … tots: who called", write_callers
        ),
        flags("call_tricks", (NUM_CALLS, TRICKS), "in which trick", write_call_tricks),
        Section(
            "call_order", (NUM_CALLS,), 0, NUM_CALLS, "as which call of the hand", write_call_order
        ),
        flags("answers", (NUM_CALLS, n, 2), "who answered it vull, no vull", write_answers),
        flags("truc_level", (5,), "accepted level", write_truc_level),
        flags("truc_call", (6,), "truc level waiting, called by us, them", write_truc_call),
        flags("envit", (NUM_ENVITS,), "unopened, called, accepted, refused", write_envit),
        flags("envit_level", (5,), "accepted step of the envit", write_envit_level),
        flags("envit_call", (6,), "envit step waiting, called by us, them", write_envit_call),
        flags("raise_right", (3,), "who may raise the truc: us, them, either", write_raise_right),
        Section("score", (2,), 0, config["target"] + 8, "points of us, them", write_score),
        Section("legs", (2,), 0, config["legs"], "legs won by us, them", write_legs),
        Section("hands_left", (1,), 0, hands, "hands left, with the option", write_hands_left),
        Section(
            "last_envit", (3,), 0, MAX_ENVIT, "last hand's envit: value; us, them", write_last_envit
        ),
        Section(
            "last_envits",
            (everyone,),
            0,
            MAX_ENVIT,
            "every seat's (reveal_envit)",
            write_last_envits,
        ),
        flags("talk", (talk, n, TALK_ACTIONS), "what I saw said, by trick and seat", write_talk),
        Section("my_envit", (1,), 0, MAX_ENVIT, "value of my own envit", write_my_envit),
    ]


@rule
def observe(state, seat, out):
    """Write all sections; returns the observation's size."""
    at = write_hand(state, seat, out, 0)
    at = write_partners(state, seat, out, at)
    at = write_played(state, seat, out, at)
    at = write_under(state, seat, out, at)
    at = write_leader(state, seat, out, at)
    at = write_turn(state, seat, out, at)
    at = write_ma(state, seat, out, at)
    at = write_peus(state, seat, out, at)
    at = write_trick(state, seat, out, at)
    at = write_results(state, seat, out, at)
    at = write_stacked(state, seat, out, at)
    at = write_phase(state, seat, out, at)
    at = write_window(state, seat, out, at)
    at = write_callers(state, seat, out, at)
    at = write_call_tricks(state, seat, out, at)
    at = write_call_order(state, seat, out, at)
    at = write_answers(state, seat, out, at)
    at = write_truc_level(state, seat, out, at)
    at = write_truc_call(state, seat, out, at)
    at = write_envit(state, seat, out, at)
    at = write_envit_level(state, seat, out, at)
    at = write_envit_call(state, seat, out, at)
    at = write_raise_right(state, seat, out, at)
    at = write_score(state, seat, out, at)
    at = write_legs(state, seat, out, at)
    at = write_hands_left(state, seat, out, at)
    at = write_last_envit(state, seat, out, at)
    at = write_last_envits(state, seat, out, at)
    at = write_talk(state, seat, out, at)
    return write_my_envit(state, seat, out, at)
