"""Truc: playing cards, winning tricks, and the tied-trick stack (T2, T3, T5)."""

from envs.core.jit import rule
from envs.truc.envit import JOC_FORA_LEVEL, card_of, level, over_in_stack, seat_at
from envs.truc.hand import ask_card, begin_trick, end_hand, is_played, under_card
from envs.truc.record import HAND_SIZE, NOBODY, P0_TEAM, STACK, TIED, Phase, Window


@rule
def peu(state, team):
    """T8, T14: a team's last player in order, its spokesman."""
    last = state.dealer
    return last if last % 2 == team else seat_at(state, state.num_players - 2)


@rule
def mark_cards(state, seat, mask):
    """T2: any card in hand; in a stacked trick only the higher of the two (T3)."""
    for i in range(HAND_SIZE):
        card = card_of(state, seat, i)
        if not is_played(state, seat, card) and not (state.stacked and is_lower(state, seat, card)):
            mask[card] = True


@rule
def is_lower(state, seat, card):
    """T3: the seat holds another card that belongs on top of this one."""
    for i in range(HAND_SIZE):
        other = card_of(state, seat, i)
        if not is_played(state, seat, other) and over_in_stack(state, other, card):
            return True
    return False


@rule
def play_card(state, card):
    """T2: put a card; after the last player's the trick is decided."""
    state.played[state.trick, state.turn] = card
    state.cards_out += 1
    if state.cards_out < state.num_players:
        ask_card(state)
    else:
        end_trick(state)


@rule
def best_seat(state, trick):
    """The seat whose card is the highest; of equals the earliest to play."""
    best = state.leader
    for turn in range(1, state.num_players):
        seat = (state.leader + turn) % state.num_players
        if level(state, state.played[trick, seat]) < level(state, state.played[trick, best]):
            best = seat
    return best


@rule
def ties_best(state, trick, seat, best):
    """The seat's card is as high as the best one."""
    return level(state, state.played[trick, seat]) == level(state, state.played[trick, best])


@rule
def winning_team(state, trick):
    """T2, T3: the team of the highest card, or TIED if both teams have one."""
    best = best_seat(state, trick)
    for seat in range(state.num_players):
        if seat % 2 != best % 2 and ties_best(state, trick, seat, best):
            return TIED
    return best % 2


@rule
def end_trick(state):
    """T2, T3: note who won, then go on by which trick it was."""
    state.trick_team[state.trick] = winning_team(state, state.trick)
    if state.trick == 0:
        after_first_trick(state)
    elif state.trick == 1:
        after_second_trick(state)
    else:
        after_third_trick(state)


@rule
def next_trick(state, leader):
    """The winner of a trick leads the next; after a tie p0 leads."""
    state.leader = leader
    state.trick += 1
    begin_trick(state)


@rule
def after_first_trick(state):
    """T3: after a tie all stack, or p0 leads an ordinary trick."""
    if state.trick_team[0] == TIED:
        state.stacked = state.first_tie == STACK
        next_trick(state, seat_at(state, 0))
    else:
        next_trick(state, best_seat(state, 0))


@rule
def after_second_trick(state):
    """T2, T3: two tricks, or a tie after a won first one, win the hand."""
    first, second = state.trick_team[0], state.trick_team[1]
    if second == TIED and state.stacked:
        open_window(state)
    elif second == TIED and first == TIED:
        next_trick(state, seat_at(state, 0))
    elif first == TIED or first == second:
        end_hand(state, second)
    elif second == TIED:
        end_hand(state, first)
    else:
        next_trick(state, best_seat(state, 1))


@rule
def after_third_trick(state):
    """T3: a tie goes to the first trick's winner, three ties to p0's team."""
    first, third = state.trick_team[0], state.trick_team[2]
    if third != TIED:
        end_hand(state, third)
    elif first != TIED:
        end_hand(state, first)
    else:
        end_hand(state, seat_at(state, 0) % 2)


@rule
def open_window(state):
    """T5: before the hidden cards are seen, a peu with the raising right may raise."""
    if state.truc_level == JOC_FORA_LEVEL:
        show_stack(state)
    elif state.raise_right == NOBODY:
        ask_window(state, Window.EITHER, seat_at(state, 0) % 2)
    else:
        ask_window(state, Window.LAST, state.raise_right)


@rule
def ask_window(state, window, team):
    """Ask a team's peu whether to raise."""
    state.phase = Phase.WINDOW
    state.window = window
    state.turn = peu(state, team)


@rule
def pass_window(state):
    """T5: after p0's peu the other one is asked, if nobody had called; then the cards are shown."""
    if state.window == Window.EITHER:
        ask_window(state, Window.LAST, 1 - state.turn % 2)
    else:
        show_stack(state)


@rule
def stack_winner(state):
    """T3: the best hidden card of the tied players; of equals the nearest to the dealer's right."""
    best = best_seat(state, 1)
    winner = NOBODY
    for place in range(state.num_players):
        seat = seat_at(state, place)
        if ties_best(state, 1, seat, best) and (
            winner == NOBODY or hidden_level(state, seat) < hidden_level(state, winner)
        ):
            winner = seat
    return winner


@rule
def hidden_level(state, seat):
    """The level of a seat's hidden card."""
    return level(state, under_card(state, seat))


@rule
def hidden_cards_tie(state, winner):
    """Whether a tied player of the other team has an equal hidden card."""
    for seat in range(state.num_players):
        if (
            seat % 2 != winner % 2
            and ties_best(state, 1, seat, winner)
            and hidden_level(state, seat) == hidden_level(state, winner)
        ):
            return True
    return False


@rule
def show_stack(state):
    """T3: the tied players show their hidden cards, and the hand is decided."""
    state.shown = True
    winner = stack_winner(state)
    if state.mano == P0_TEAM and hidden_cards_tie(state, winner):
        winner = seat_at(state, 0)
    end_hand(state, winner % 2)
