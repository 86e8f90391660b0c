"""Truc: the two bets, who may call and who answers (T4–T6, T8, T9, T11, T12)."""

from envs.core.jit import rule
from envs.truc.envit import JOC_FORA_LEVEL, TOTS_STEP
from envs.truc.hand import ask_card, close_hand, end_hand, leg_is_won, refuse_envit
from envs.truc.record import (
    ANSWER_ALL,
    ANSWER_NEXT,
    FREE,
    NEVER,
    NOBODY,
    REPLY_ONLY,
    Action,
    Envit,
    Phase,
    Window,
)
from envs.truc.tricks import peu, show_stack

# Places in the memory of calls: truc level 1 … 4 at 0 … 3, envit step 1 … 4 at 4 … 7.
ENVIT_CALLS = 4
ANSWER_VULL, ANSWER_NO_VULL = 1, 2


@rule
def remember_call(state, call, seat):
    """Note who called what, in which trick and in which order."""
    if state.num_calls == 0:
        state.last_envit = -1
    state.num_calls += 1
    state.call_order[call] = state.num_calls
    state.call_seat[call] = seat
    state.call_trick[call] = state.trick


@rule
def responder(state, caller, asked):
    """T12: the seat that answers a call, after ``asked`` others of its team have."""
    if state.answer == ANSWER_NEXT:
        return (caller + 1) % state.num_players
    if state.answer == ANSWER_ALL:
        return (caller + 1 + 2 * asked) % state.num_players
    return peu(state, 1 - caller % 2)


@rule
def may_call_truc(state, team):
    """T4: anybody may make the first call; then only the team that accepted last may raise."""
    if state.truc_level == JOC_FORA_LEVEL:
        return False
    return state.raise_right == NOBODY or state.raise_right == team


@rule
def may_open_envit(state, seat):
    """T8, T11: in the first trick, before one's card, while no truc was accepted."""
    if state.envit != Envit.UNOPENED or state.trick > 0:
        return False
    if state.envit_openers == 0 and seat != peu(state, seat % 2):
        return False
    return state.truc_level == 0 or state.envit_after_truc == FREE


@rule
def may_reply_envit(state, seat):
    """T11: over the first truc, the player who answers may open the envit before his first card."""
    if state.envit != Envit.UNOPENED or state.played[0, seat] >= 0:
        return False
    if state.envit_after_truc == REPLY_ONLY:
        return state.truc_call == 1
    return state.envit_after_truc != NEVER


@rule
def mark_own_calls(state, seat, mask):
    """T4, T8: the calls that go before a card."""
    if may_call_truc(state, seat % 2):
        mask[Action.TRUC + state.truc_level] = True
    if may_open_envit(state, seat):
        mask[Action.ENVIDA] = True


@rule
def mark_truc_answers(state, seat, mask):
    """T4, T11, T12: accept, refuse, raise, or open the envit first."""
    mask[Action.VULL] = True
    mask[Action.NO_VULL] = True
    if state.truc_call < JOC_FORA_LEVEL:
        mask[Action.TRUC + state.truc_call] = True
    if may_reply_envit(state, seat):
        mask[Action.ENVIDA] = True


@rule
def mark_envit_answers(state, mask):
    """T9: accept, refuse, the next step, or tots."""
    mask[Action.VULL] = True
    mask[Action.NO_VULL] = True
    if state.envit_call < TOTS_STEP:
        mask[Action.ENVIDA + state.envit_call] = True
        mask[Action.TOTS] = True


@rule
def mark_window(state, mask):
    """T5: raise, or let the cards be shown."""
    mask[Action.PASSO] = True
    mask[Action.TRUC + state.truc_level] = True


@rule
def call_truc(state, called):
    """T4: call level ``called``; a raise accepts the call it answers."""
    remember_call(state, called - 1, state.turn)
    if state.truc_call > 0:
        state.raise_right = state.turn % 2
    state.truc_level = called - 1
    state.truc_call = called
    state.truc_caller = state.turn
    state.truc_asked = 0
    state.truc_willing = False
    if state.phase == Phase.WINDOW:
        state.window = Window.CALLED
    ask_truc(state)


@rule
def ask_truc(state):
    """T12: the truc is to be answered."""
    state.phase = Phase.TRUC
    state.turn = responder(state, state.truc_caller, state.truc_asked)


@rule
def call_envit(state, called):
    """T9: call step ``called``; a raise accepts the call it answers."""
    remember_call(state, ENVIT_CALLS + called - 1, state.turn)
    state.envit = Envit.CALLED
    state.envit_level = state.envit_call
    state.envit_call = called
    state.envit_caller = state.turn
    state.envit_asked = 0
    state.envit_willing = False
    ask_envit(state)


@rule
def ask_envit(state):
    """T12: the envit is to be answered."""
    state.phase = Phase.ENVIT
    state.turn = responder(state, state.envit_caller, state.envit_asked)


@rule
def after_envit(state):
    """T11: the truc under it is answered now, or the card played."""
    if state.truc_call > 0:
        ask_truc(state)
    else:
        ask_card(state)


@rule
def answer_truc(state, willing):
    """T12: one player's vull or no vull; with ``both_most_willing`` every opponent is asked."""
    state.answers[state.truc_call - 1, state.turn] = ANSWER_VULL if willing else ANSWER_NO_VULL
    state.truc_asked += 1
    state.truc_willing = state.truc_willing or willing
    if state.answer == ANSWER_ALL and 2 * state.truc_asked < state.num_players:
        ask_truc(state)
    elif state.truc_willing:
        accept_truc(state)
    else:
        end_hand(state, state.truc_caller % 2)


@rule
def accept_truc(state):
    """T4: the team that accepts gains the raising right."""
    state.truc_level = state.truc_call
    state.truc_call = 0
    state.raise_right = 1 - state.truc_caller % 2
    if state.window == Window.CALLED:
        show_stack(state)
    else:
        ask_card(state)


@rule
def answer_envit(state, willing):
    """T12: the same for the envit."""
    call = ENVIT_CALLS + state.envit_call - 1
    state.answers[call, state.turn] = ANSWER_VULL if willing else ANSWER_NO_VULL
    state.envit_asked += 1
    state.envit_willing = state.envit_willing or willing
    if state.answer == ANSWER_ALL and 2 * state.envit_asked < state.num_players:
        ask_envit(state)
    elif state.envit_willing:
        accept_envit(state)
    else:
        turn_down_envit(state)


@rule
def accept_envit(state):
    """T9: the envit is settled at the end of the hand."""
    state.envit = Envit.ACCEPTED
    state.envit_level = state.envit_call
    state.envit_call = 0
    after_envit(state)


@rule
def turn_down_envit(state):
    """T13: a refused envit may end the match in mid-hand."""
    refuse_envit(state)
    if leg_is_won(state):
        close_hand(state)
    else:
        after_envit(state)


@rule
def fold(state):
    """T6: give the hand up; an envit that the folder owes an answer counts as refused first."""
    winners = 1 - state.turn % 2
    if state.phase == Phase.ENVIT:
        refuse_envit(state)
    if leg_is_won(state):
        close_hand(state)
    else:
        end_hand(state, winners)
