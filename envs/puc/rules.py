"""Puc: the rules as functions over one record.

Source: the article "Puc (joc de cartes)" of the Catalan Wikipedia community; the clause numbers
(R1 … R13) are those of this game's page, ``envs.puc``.

Glossary: mà (pl. mans), a hand of the match; trio, three of a rank; escala, here *run*, four in
sequence of a suit; estendre, to open, to lay down the contract; puc ("may I?"), taking the face-up
card out of turn with a penalty card; tancar, to close, to go out by the last discard; comodí, the
joker.

We play it this way, where tables differ: play goes to the right, and so does the deal. One joker a
meld when it is laid, jokers in trios too. Whoever is down may add to everybody's melds. The
discarder is asked too, last. The card just taken face up is not thrown back. A stock that runs out
is made anew from the discards. Most of this can be changed by options.
"""

from envs.core.jit import rule
from envs.core.random import draw_below
from envs.puc.dealing import fill_deck, lay_out
from envs.puc.determinise import resample_hidden
from envs.puc.layoff import (
    add_to_trio,
    extend_run,
    mark_additions,
    mark_extensions,
    mark_replacements,
    replace_joker,
    settle_joker,
)
from envs.puc.melds import (
    ADD,
    DISCARD,
    DRAW,
    EXTEND,
    JOKER_HIGH,
    JOKER_LOW,
    KINDS,
    NO_PUC,
    NONE,
    PUC,
    REPLACE,
    RUN,
    RUN_SIZE,
    TAKE,
    TRIO,
    TRIO_SIZE,
    next_run,
    next_trio,
)
from envs.puc.opening import banned_discard, jokers_for_runs, jokers_for_trios, mark_opening
from envs.puc.options import OPTIONS
from envs.puc.state import CHOICE, JOKER_MOVES, PLAY, STATE, WINDOW, Phase
from envs.puc.turn import ask_after, discard, lay, open_window, puc, take

__all__ = [
    "OPTIONS", "STATE", "Phase", "deal", "lay_out", "legal_actions", "resample_hidden", "step",
]  # fmt: skip


@rule
def deal(state):
    """R3: the first dealer is drawn; R1: the match begins with hand 1, or the only one."""
    state.dealer = draw_below(state, state.num_players)
    state.hand_number = 1 if state.only_hand == NONE else state.only_hand
    fill_deck(state)
    lay_out(state)


@rule
def legal_actions(state, mask):
    """Set the legal actions of the seat to act."""
    if state.over:
        return
    if state.phase == CHOICE:
        mask[DRAW] = True
        mask[TAKE] = not state.down[state.serving]  # R8: who is down draws from the stock
    elif state.phase == WINDOW:
        mask[PUC] = True
        mask[NO_PUC] = True
    elif state.phase == JOKER_MOVES:
        mask[JOKER_LOW] = True
        mask[JOKER_HIGH] = True
    else:
        mark_play(state, state.serving, mask)


@rule
def mark_play(state, seat, mask):
    """R5, R7, R8: laying, adding and discarding after the draw."""
    if not state.down[seat]:
        mark_opening(state, state.hand[seat], state.hand_size[seat], mask)
        if state.opening_melds > 0:
            return  # R7: an opening that has begun is completed first
    elif not state.opened and state.hand_size[seat] > 1:
        mark_additions(state, seat, mask)
        mark_extensions(state, seat, mask)
        mark_replacements(state, seat, mask)
        mark_new_melds(state, state.hand[seat], state.hand_size[seat], mask)
    mark_discards(state, state.hand[seat], mask)


@rule
def mark_new_melds(state, cards, size, mask):
    """R8: new trios and runs of a seat that is down; R9: a card must remain to throw."""
    if size > TRIO_SIZE:
        meld = next_trio(cards, jokers_for_trios(state, cards), TRIO, RUN)
        while meld >= 0:
            mask[meld] = True
            meld = next_trio(cards, jokers_for_trios(state, cards), meld + 1, RUN)
    if size > RUN_SIZE:
        meld = next_run(cards, jokers_for_runs(state, cards), RUN)
        while meld >= 0:
            mask[meld] = True
            meld = next_run(cards, jokers_for_runs(state, cards), meld + 1)


@rule
def mark_discards(state, cards, mask):
    """R5: any card but the one just taken."""
    for kind in range(KINDS):
        if cards[kind] > 0:
            mask[DISCARD + kind] = True
    banned = banned_discard(state, cards)
    if banned >= 0:
        mask[DISCARD + banned] = False


@rule
def step(state, action):
    """Apply a legal action."""
    state.blocked = False
    seat = int(state.turn)
    if action == TAKE:
        take(state, seat)
    elif action == DRAW:
        open_window(state)
    elif action == PUC:
        puc(state, seat)
    elif action == NO_PUC:
        ask_after(state, seat)
    elif action >= DISCARD:
        discard(state, seat, action - DISCARD)
    elif action >= JOKER_LOW:
        settle_joker(state, action)
        state.phase = PLAY
    elif action >= REPLACE:
        replace_joker(state, seat, action)
        state.phase = PLAY if state.moving == NONE else JOKER_MOVES
    elif action >= EXTEND:
        extend_run(state, seat, action)
    elif action >= ADD:
        add_to_trio(state, seat, action)
    else:
        lay(state, seat, action)
