"""What a seat sees, as numbers: me first, then the other.

A plane of 52 places is indexed by card id. Auctions count from 1 here, so that 0 can mean "none".
"""

from envs.core.game import Config
from envs.core.jit import rule
from envs.core.observation import Section
from envs.poker_builder.bets import NOBODY, bet_size, card_at, slot_of
from envs.poker_builder.hands import CATEGORIES, category_of
from envs.poker_builder.record import (
    AUCTIONS,
    CARDS,
    DEALT,
    LEFTOVERS_FINAL_DECK,
    LEFTOVERS_KEEP,
    NONE,
    PLAYERS,
    ROUND_AUCTIONS,
    WIDE,
    Phase,
    prize_place,
    slots_of,
)

# Sections by number, for readers of an observation's offsets.
(
    HAND,
    IN_PLAY,
    PILES,
    CATEGORY,
    AUCTIONED,
    OUTCOMES,
    BETS,
    BET_SIZES,
    HAND_COUNTS,
    ASIDE,
    ASIDE_COUNTS,
    AUCTION,
    ROUND,
    SEALED,
    RULES,
    ASKED,
    CHOSEN,
) = range(17)

OUTCOME_KINDS = PLAYERS + 1  # mine, the other's, nobody's
SEALED_JOKER = CARDS  # the place in ``sealed`` after the cards
RULE_FLAGS = 8

_CATEGORIES_TEXT = "best category of each pile, high card to straight flush; none while empty"
_BETS_TEXT = "settled auction it was bet in; 0 for the other's bets with hide_discards"
_RULES_TEXT = (
    "options that are not the default: ace_bet_value, faces10, suit_tiebreak, leftovers keep, "
    "leftovers final_deck, hide_discards, manual_showdown, tie"
)
_CHOSEN_TEXT = "cards chosen for the final hand; the other's only at the end"


@rule
def relative(seat, other):
    """0 for me, 1 for the other one."""
    return 0 if seat == other else 1


@rule
def write_hand(state, seat, out, at):
    for i in range(state.hand_size[seat]):
        out[at + card_at(state, state.hand[seat, i])] = 1
    return at + CARDS


@rule
def write_in_play(state, seat, out, at):
    if state.phase == Phase.AUCTION:
        out[at + card_at(state, prize_place(state.auction))] = 1
    return at + CARDS


@rule
def write_piles(state, seat, out, at):
    for owner in range(PLAYERS):
        base = at + CARDS * relative(seat, owner)
        for i in range(state.pile_size[owner]):
            out[base + card_at(state, state.pile[owner, i])] = 1
    return at + PLAYERS * CARDS


@rule
def write_categories(state, seat, out, at):
    for owner in range(PLAYERS):
        if state.pile_size[owner] > 0:
            base = at + CATEGORIES * relative(seat, owner)
            out[base + category_of(state.strength[owner])] = 1
    return at + PLAYERS * CATEGORIES


@rule
def write_auctioned(state, seat, out, at):
    for auction in range(state.auction):
        out[at + card_at(state, prize_place(auction))] = auction + 1
    return at + CARDS


@rule
def write_outcomes(state, seat, out, at):
    for auction in range(state.auction):
        winner = state.winner[auction]
        kind = NOBODY if winner == NOBODY else relative(seat, winner)
        out[at + OUTCOME_KINDS * auction + kind] = 1
    return at + OUTCOME_KINDS * AUCTIONS


@rule
def write_bets(state, seat, out, at):
    for owner in range(PLAYERS):
        if owner == seat or not state.hide_discards:
            base = at + CARDS * relative(seat, owner)
            for auction in range(state.auction):
                for k in range(bet_size(state, owner, auction)):
                    out[base + card_at(state, state.bets[owner, auction, k])] = auction + 1
    return at + PLAYERS * CARDS


@rule
def write_bet_sizes(state, seat, out, at):
    for owner in range(PLAYERS):
        base = at + AUCTIONS * relative(seat, owner)
        for auction in range(state.auction):
            out[base + auction] = bet_size(state, owner, auction)
    return at + PLAYERS * AUCTIONS


@rule
def write_hand_counts(state, seat, out, at):
    out[at] = state.hand_size[seat]
    out[at + 1] = state.hand_size[1 - seat]
    return at + PLAYERS


@rule
def write_aside(state, seat, out, at):
    for i in range(state.aside_size[seat]):
        out[at + card_at(state, state.aside[seat, i])] = 1
    return at + CARDS


@rule
def write_aside_counts(state, seat, out, at):
    out[at] = state.aside_size[seat]
    out[at + 1] = state.aside_size[1 - seat]
    return at + PLAYERS


@rule
def write_auction(state, seat, out, at):
    if state.phase == Phase.AUCTION:
        out[at + state.auction] = 1
    return at + AUCTIONS


@rule
def write_round(state, seat, out, at):
    if state.phase == Phase.AUCTION:
        out[at + state.auction // ROUND_AUCTIONS] = 1
    return at + AUCTIONS // ROUND_AUCTIONS


@rule
def write_sealed(state, seat, out, at):
    bet = state.sealed[seat]
    if bet != NONE:
        first = slot_of(slots_of(state), bet, 0)
        second = slot_of(slots_of(state), bet, 1)
        if first < 0:
            out[at + SEALED_JOKER] = 1
        else:
            out[at + card_at(state, state.hand[seat, first])] = 1
        if second >= 0:
            out[at + card_at(state, state.hand[seat, second])] = 1
    return at + CARDS + 1


@rule
def write_rules(state, seat, out, at):
    out[at] = state.ace_bet_value > 1
    out[at + 1] = state.faces10
    out[at + 2] = state.suit_tiebreak
    out[at + 3] = state.leftovers == LEFTOVERS_KEEP
    out[at + 4] = state.leftovers == LEFTOVERS_FINAL_DECK
    out[at + 5] = state.hide_discards
    out[at + 6] = state.manual_showdown
    out[at + 7] = state.tie
    return at + RULE_FLAGS


@rule
def write_asked(state, seat, out, at):
    if not state.manual_showdown:
        return at
    if state.phase == Phase.SHOWDOWN and state.turn == seat and not state.over:
        out[at + card_at(state, state.pile[seat, state.asked])] = 1
    return at + CARDS


@rule
def write_chosen(state, seat, out, at):
    if not state.manual_showdown:
        return at
    for owner in range(PLAYERS):
        if owner == seat or state.over:
            base = at + CARDS * relative(seat, owner)
            for i in range(state.pile_size[owner]):
                out[base + card_at(state, state.pile[owner, i])] = (state.chosen[owner] >> i) & 1
    return at + PLAYERS * CARDS


@rule
def observe(state, seat, out):
    """Write all sections; returns the end."""
    at = write_hand(state, seat, out, 0)
    at = write_in_play(state, seat, out, at)
    at = write_piles(state, seat, out, at)
    at = write_categories(state, seat, out, at)
    at = write_auctioned(state, seat, out, at)
    at = write_outcomes(state, seat, out, at)
    at = write_bets(state, seat, out, at)
    at = write_bet_sizes(state, seat, out, at)
    at = write_hand_counts(state, seat, out, at)
    at = write_aside(state, seat, out, at)
    at = write_aside_counts(state, seat, out, at)
    at = write_auction(state, seat, out, at)
    at = write_round(state, seat, out, at)
    at = write_sealed(state, seat, out, at)
    at = write_rules(state, seat, out, at)
    at = write_asked(state, seat, out, at)
    return write_chosen(state, seat, out, at)


def sections(config: Config) -> list[Section]:
    """The sections in the order in which ``observe`` writes them."""
    planes = CARDS if config["manual_showdown"] else 0
    seats, rounds = PLAYERS, AUCTIONS // ROUND_AUCTIONS
    rows = [
        ("hand", (CARDS,), 1, "cards I hold, my sealed bet included", write_hand),
        ("in_play", (CARDS,), 1, "the card in play", write_in_play),
        ("piles", (seats, CARDS), 1, "cards in the piles", write_piles),
        ("categories", (seats, CATEGORIES), 1, _CATEGORIES_TEXT, write_categories),
        ("auctioned", (CARDS,), AUCTIONS, "settled auction it was in play in", write_auctioned),
        ("outcomes", (AUCTIONS, OUTCOME_KINDS), 1, "won by me, by him, by nobody", write_outcomes),
        ("bets", (seats, CARDS), AUCTIONS, _BETS_TEXT, write_bets),
        ("bet_sizes", (seats, AUCTIONS), 2, "cards bet in settled auctions", write_bet_sizes),
        ("hand_counts", (seats,), WIDE, "cards in hand, sealed bets included", write_hand_counts),
        ("aside", (CARDS,), 1, "cards I had left after round 1", write_aside),
        ("aside_counts", (seats,), DEALT, "cards put aside after round 1", write_aside_counts),
        ("auction", (AUCTIONS,), 1, "the auction under way", write_auction),
        ("round", (rounds,), 1, "the round under way", write_round),
        ("sealed", (CARDS + 1,), 1, "my sealed bet; the last place is the joker", write_sealed),
        ("rules", (RULE_FLAGS,), 1, _RULES_TEXT, write_rules),
        ("asked", (planes,), 1, "the card of my pile I decide on", write_asked),
        ("chosen", (seats if planes else 0, planes), 1, _CHOSEN_TEXT, write_chosen),
    ]
    return [Section(name, shape, 0, high, text, write) for name, shape, high, text, write in rows]
