"""Kuhn poker as a game of the engine: small enough to know its value, -1/18 for the first seat.

Three cards J < Q < K, an ante of one, one bet of one. Actions: 0 pass (check or fold), 1 bet (bet
or call). It serves the tests of the engine and of the learners; it has one hand and no options.
"""

import numpy as np

from envs.core.cards import Pack
from envs.core.game import Game, Place, common_fields
from envs.core.jit import rule
from envs.core.observation import Section
from envs.core.ordered import constructors
from envs.core.random import combine, deck_stream, draw_below, reseed, shuffle
from envs.core.table import HIDDEN, SeatView, Table, Zone

PASS, BET = 0, 1
CARDS = Pack("Kuhn", ("J", "Q", "K"), "french")
STATE = np.dtype(
    [
        *common_fields(2),
        ("deck", np.int8, (3,)),
        ("hand_number", np.int16),
        ("card", np.int8, (2,)),
        ("history", np.int8, (3,)),  # action + 1, 0 = not yet
        ("plies", np.int8),
        ("dealer", np.int8),
    ],
    align=True,
)


@rule
def deal(state):
    state.dealer = draw_below(state, 2)
    for i in range(3):
        state.deck[i] = i
    shuffle(state.deck, 3, deck_stream(state, 0))
    lay_out(state)


@rule
def lay_out(state):
    state.turn = 1 - state.dealer
    state.card[state.turn] = state.deck[0]
    state.card[state.dealer] = state.deck[1]
    state.history[:] = 0
    state.plies = 0


@rule
def legal_actions(state, mask):
    if not state.over:
        mask[PASS] = True
        mask[BET] = True


@rule
def step(state, action):
    first = 1 - state.dealer
    state.history[state.plies] = action + 1
    state.plies += 1
    bets = np.sum(state.history == BET + 1)
    closed = state.plies >= 2 and not (state.plies == 2 and state.history[0] == 1 and action == BET)
    if not closed:
        state.turn = 1 - state.turn
        return
    if bets == 1:  # a bet that was folded to
        winner = 1 - state.turn
        won = 1
    else:
        winner = first if state.card[first] > state.card[1 - first] else 1 - first
        won = 2 if bets == 2 else 1
    state.over = True
    state.reward[winner] = won
    state.reward[1 - winner] = -won


@rule
def write_card(state, seat, out, at):
    out[at + state.card[seat]] = 1
    return at + 3


@rule
def write_history(state, seat, out, at):
    for i in range(3):
        if state.history[i] > 0:
            out[at + 2 * i + state.history[i] - 1] = 1
    return at + 6


@rule
def write_first(state, seat, out, at):
    out[at] = state.dealer != seat
    return at + 1


@rule
def observe(state, seat, out):
    at = write_card(state, seat, out, 0)
    at = write_history(state, seat, out, at)
    return write_first(state, seat, out, at)


@rule
def resample_hidden(state, seat, stream):
    other = (state.card[seat] + 1 + combine(stream, np.uint64(1)) % np.uint64(2)) % 3
    state.card[1 - seat] = other
    reseed(state, stream)


def sections(config):
    return [
        Section("card", (3,), 0, 1, "my card", write_card),
        Section("history", (3, 2), 0, 1, "pass or bet, by ply", write_history),
        Section("first", (1,), 0, 1, "I act first", write_first),
    ]


def table(record, seat, config):
    def shown(owner):
        card = CARDS.text(record.card[owner]) if seat in (None, owner) else HIDDEN
        return SeatView(owner, zones=[Zone("hand", [card])])

    turn = None if record.over else int(record.turn)
    return Table("Kuhn", "french", seat, "play", turn, [shown(0), shown(1)])


def zones(record):
    cards = [CARDS.text(c) for c in record.card]
    return {
        "hand_0": cards[:1],
        "hand_1": cards[1:],
        "stock": [t for t in CARDS.texts if t not in cards],
    }


def hidden(record, seat):
    return [Place("card", (1 - seat,)), Place("deck", (2,))]


def arrange(record, options):
    if "dealer" in options:
        record.dealer = options["dealer"]


GAME = Game(
    module=__name__,
    title="Kuhn poker",
    dtype=STATE,
    cards=CARDS,
    player_counts=(2,),
    default_players=2,
    options=(),
    deal=deal,
    lay_out=lay_out,
    legal_actions=legal_actions,
    step=step,
    observe=observe,
    resample_hidden=resample_hidden,
    sections=sections,
    num_actions=lambda config: 2,
    max_decisions=lambda config: 3,
    pack=lambda config: [0, 1, 2],
    table=table,
    action_text=lambda action, record: ("pass", "bet")[action],
    parse_action=lambda text, record: ("pass", "bet").index(text),
    zones=zones,
    hidden=hidden,
    arrange=arrange,
    reward_range=lambda config: (-2.0, 2.0),
    reset_options={"dealer": "seat of the dealer"},
)

env, raw_env = constructors(GAME)
