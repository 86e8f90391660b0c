"""What a seat sees: its own hand, everything public, and what it may remember.

Seats are relative, the observer first. Counts are those of the record; only a dictated deck with
more cards than the pack can exceed a bound, and then the bound is written.
"""

from envs.core.game import Config
from envs.core.jit import rule
from envs.core.observation import Section
from envs.puc.layoff import LAYOFFS, OWN
from envs.puc.melds import (
    CONTRACT_RUNS,
    CONTRACT_TRIOS,
    HANDS,
    HIGHEST,
    JOKER,
    KINDS,
    LOWEST,
    NATURALS,
    NONE,
    POINTS,
    RANKS,
    RUN_SIZE,
    SUITS,
    rank_count,
)
from envs.puc.options import num_hands, pack
from envs.puc.scoring import CLOSING_BONUS
from envs.puc.state import CHOICE, MAX_OPENING, WINDOW, Phase

(
    HAND_NUMBER,
    CONTRACT,
    HAND,
    FACE_UP,
    TOP,
    DISCARDS,
    TABLE,
    STOCK,
    HAND_SIZES,
    DOWN,
    SCORES,
    PUCS,
    KNOWN,
    TRIOS,
    TRIO_OWNERS,
    RUN_ENDS,
    RUN_JOKERS,
    RUNS,
    RUN_JOKER_BITS,
    RUN_OWNERS,
    PHASE,
    SERVING,
    ACTING,
    DEALER,
    TAKEN,
    OPENING,
    MOVING,
    TURNS_LEFT,
) = range(28)  # places in the list of sections

PHASES = len(Phase)
POINTS_OF_SUIT = int(POINTS[:RANKS].sum())


@rule
def pack_size(state):
    """Cards of the configured pack."""
    return state.num_packs * (NATURALS + state.jokers_per_pack)


@rule
def most_copies(state):
    """Copies of the most frequent kind in the configured pack."""
    return state.num_packs * max(1, state.jokers_per_pack)


@rule
def most_together(state):
    """Copies of a natural kind and jokers: so many cards may claim one place in runs."""
    return state.num_packs * (1 + state.jokers_per_pack)


@rule
def most_points(state):
    """All points of the configured pack in every hand of the match."""
    pack_points = (SUITS * POINTS_OF_SUIT + POINTS[JOKER] * state.jokers_per_pack) * state.num_packs
    return pack_points * (HANDS if state.only_hand == NONE else 1)


@rule
def seat_at(state, seat, i):
    """The i-th seat from ``seat`` on."""
    return (int(seat) + i) % state.num_players


@rule
def seats_after(state, seat, other):
    """How many places ``other`` sits after ``seat``."""
    return int((int(other) - seat) % state.num_players)


@rule
def write_hand_number(state, seat, out, at):
    out[at + state.hand_number - 1] = 1
    return at + HANDS


@rule
def write_contract(state, seat, out, at):
    out[at] = CONTRACT_TRIOS[state.hand_number]
    out[at + 1] = CONTRACT_RUNS[state.hand_number]
    return at + 2


@rule
def write_counts(state, counts, out, at):
    """53 counts of cards by kind. (In a slice, whose places count from zero, for faster code.)"""
    most = most_copies(state)
    places = out[at : at + KINDS]
    for kind in range(KINDS):
        places[kind] = min(counts[kind], most)
    return at + KINDS


@rule
def write_hand(state, seat, out, at):
    return write_counts(state, state.hand[seat], out, at)


@rule
def write_face_up(state, seat, out, at):
    offered = state.phase == CHOICE or state.phase == WINDOW
    if offered and not state.over:
        out[at + int(state.pile[state.pile_size - 1])] = 1
    return at + KINDS


@rule
def write_top(state, seat, out, at):
    if state.pile_size > 0:
        out[at + int(state.pile[state.pile_size - 1])] = 1
    return at + KINDS


@rule
def write_discards(state, seat, out, at):
    most = most_copies(state)
    for i in range(state.pile_size):
        place = at + int(state.pile[i])
        out[place] = min(out[place] + 1, most)
    return at + KINDS


@rule
def write_table(state, seat, out, at):
    places = out[at : at + KINDS]
    jokers = 0
    for kind in range(NATURALS):
        places[kind] = state.trio_cards[kind]
    for rank in range(RANKS):
        jokers += state.trio_jokers[rank]
    for run in range(state.num_runs):
        suit = state.run_suit[run]
        for position in range(state.run_low[run], state.run_high[run] + 1):
            if state.run_jokers[run] >> position & 1:
                jokers += 1
            else:
                places[suit * RANKS + (position - LOWEST) % RANKS] += 1
    places[JOKER] = jokers
    return write_counts(state, places, out, at)


@rule
def write_stock(state, seat, out, at):
    out[at] = min(state.stock_end - state.stock_top, pack_size(state))
    return at + 1


@rule
def write_hand_sizes(state, seat, out, at):
    for i in range(state.num_players):
        out[at + i] = min(state.hand_size[seat_at(state, seat, i)], pack_size(state))
    return at + int(state.num_players)


@rule
def write_down(state, seat, out, at):
    for i in range(state.num_players):
        out[at + i] = state.down[seat_at(state, seat, i)]
    return at + int(state.num_players)


@rule
def write_scores(state, seat, out, at):
    most = most_points(state)
    for i in range(state.num_players):
        out[at + i] = min(state.score[seat_at(state, seat, i)], most)
    return at + int(state.num_players)


@rule
def write_pucs(state, seat, out, at):
    for i in range(state.num_players):
        out[at + i] = min(state.pucs[seat_at(state, seat, i)], pack_size(state))
    return at + int(state.num_players)


@rule
def write_known(state, seat, out, at):
    for i in range(state.num_players):
        at = write_counts(state, state.known[seat_at(state, seat, i)], out, at)
    return at


@rule
def write_trios(state, seat, out, at):
    most = SUITS * most_copies(state)
    for rank in range(RANKS):
        out[at + 2 * rank] = min(rank_count(state.trio_cards, rank), most)
        out[at + 2 * rank + 1] = min(state.trio_jokers[rank], most)
    return at + 2 * RANKS


@rule
def write_trio_owners(state, seat, out, at):
    if state.layoff != OWN:
        return at
    for i in range(state.num_players):
        for rank in range(RANKS):
            out[at + i * RANKS + rank] = state.trio_owners[rank] >> seat_at(state, seat, i) & 1
    return at + int(state.num_players) * RANKS


@rule
def run_places(state):
    """Runs that the configured pack allows."""
    return pack_size(state) // RUN_SIZE


@rule
def shown_runs(state):
    """Runs that are listed one by one."""
    return min(state.num_runs, run_places(state))


@rule
def count_one(state, out, place):
    """One more run or joker at a place, up to the bound."""
    out[place] = min(out[place] + 1, most_together(state))


@rule
def write_run_ends(state, seat, out, at):
    for run in range(shown_runs(state)):
        place = at + 2 * HIGHEST * state.run_suit[run]
        if state.run_low[run] > LOWEST:
            count_one(state, out, place + state.run_low[run] - 1 - LOWEST)
        if state.run_high[run] < HIGHEST:
            count_one(state, out, place + HIGHEST + state.run_high[run] + 1 - LOWEST)
    return at + 2 * HIGHEST * SUITS


@rule
def write_run_jokers(state, seat, out, at):
    for run in range(shown_runs(state)):
        place = at + HIGHEST * state.run_suit[run]
        for position in range(state.run_low[run], state.run_high[run] + 1):
            if state.run_jokers[run] >> position & 1:
                count_one(state, out, place + position - LOWEST)
    return at + HIGHEST * SUITS


@rule
def write_runs(state, seat, out, at):
    for run in range(shown_runs(state)):
        out[at + 3 * run] = state.run_suit[run] + 1
        out[at + 3 * run + 1] = state.run_low[run]
        out[at + 3 * run + 2] = state.run_high[run]
    return at + 3 * run_places(state)


@rule
def write_run_joker_bits(state, seat, out, at):
    for run in range(shown_runs(state)):
        out[at + run] = state.run_jokers[run]
    return at + run_places(state)


@rule
def write_run_owners(state, seat, out, at):
    if state.layoff != OWN:
        return at
    for run in range(shown_runs(state)):
        out[at + run] = seats_after(state, seat, state.run_owner[run]) + 1
    return at + run_places(state)


@rule
def write_phase(state, seat, out, at):
    out[at + int(state.phase)] = 1
    return at + PHASES


@rule
def write_serving(state, seat, out, at):
    out[at + seats_after(state, seat, state.serving)] = 1
    return at + int(state.num_players)


@rule
def write_acting(state, seat, out, at):
    if not state.over:
        out[at + seats_after(state, seat, state.turn)] = 1
    return at + int(state.num_players)


@rule
def write_dealer(state, seat, out, at):
    out[at + seats_after(state, seat, state.dealer)] = 1
    return at + int(state.num_players)


@rule
def write_taken(state, seat, out, at):
    if state.taken >= 0:
        out[at + int(state.taken)] = 1
    return at + KINDS


@rule
def write_opening(state, seat, out, at):
    out[at] = state.opening_melds
    return at + 1


@rule
def write_moving(state, seat, out, at):
    out[at] = min(state.moving + 1, run_places(state))
    return at + 1


@rule
def write_turns_left(state, seat, out, at):
    if state.max_turns_per_hand == NONE:
        return at
    out[at] = state.max_turns_per_hand - state.turns
    return at + 1


@rule
def observe(state, seat, out):
    """Write every section for a seat; the place after the last."""
    at = write_hand_number(state, seat, out, 0)
    at = write_contract(state, seat, out, at)
    at = write_hand(state, seat, out, at)
    at = write_face_up(state, seat, out, at)
    at = write_top(state, seat, out, at)
    at = write_discards(state, seat, out, at)
    at = write_table(state, seat, out, at)
    at = write_stock(state, seat, out, at)
    at = write_hand_sizes(state, seat, out, at)
    at = write_down(state, seat, out, at)
    at = write_scores(state, seat, out, at)
    at = write_pucs(state, seat, out, at)
    at = write_known(state, seat, out, at)
    at = write_trios(state, seat, out, at)
    at = write_trio_owners(state, seat, out, at)
    at = write_run_ends(state, seat, out, at)
    at = write_run_jokers(state, seat, out, at)
    at = write_runs(state, seat, out, at)
    at = write_run_joker_bits(state, seat, out, at)
    at = write_run_owners(state, seat, out, at)
    at = write_phase(state, seat, out, at)
    at = write_serving(state, seat, out, at)
    at = write_acting(state, seat, out, at)
    at = write_dealer(state, seat, out, at)
    at = write_taken(state, seat, out, at)
    at = write_opening(state, seat, out, at)
    at = write_moving(state, seat, out, at)
    return write_turns_left(state, seat, out, at)


def sections(config: Config) -> list[Section]:
    """The layout under a configuration; the order is that of the constants above."""
    cards, packs, jokers = len(pack(config)), config["num_packs"], config["jokers_per_pack"]
    copies = packs * max(1, jokers)
    seats, runs, own = config["num_players"], cards // RUN_SIZE, config["layoff"] == LAYOFFS[OWN]
    cap = config["max_turns_per_hand"]
    most_points = num_hands(config) * sum(int(POINTS[kind]) for kind in pack(config))
    least_points = -CLOSING_BONUS * num_hands(config)
    return [
        Section("hand_number", (HANDS,), 0, 1, "hand 1 … 7 of the match", write_hand_number),
        Section("contract", (2,), 0, MAX_OPENING, "trios and runs to lay", write_contract),
        Section("hand", (KINDS,), 0, copies, "my cards by kind", write_hand),
        Section("face_up", (KINDS,), 0, 1, "the card on offer, none after the draw", write_face_up),
        Section("top", (KINDS,), 0, 1, "the top discard", write_top),
        Section("discards", (KINDS,), 0, copies, "cards in the pile", write_discards),
        Section("table", (KINDS,), 0, copies, "cards in melds", write_table),
        Section("stock", (1,), 0, cards, "cards in the stock", write_stock),
        Section("hand_sizes", (seats,), 0, cards, "cards in each hand", write_hand_sizes),
        Section("down", (seats,), 0, 1, "who lies down", write_down),
        Section("scores", (seats,), least_points, most_points, "points so far", write_scores),
        Section("pucs", (seats,), 0, cards, "pucs in this hand", write_pucs),
        Section("known", (seats, KINDS), 0, copies, "cards known to be in each hand", write_known),
        Section("trios", (RANKS, 2), 0, SUITS * copies, "naturals, jokers by rank", write_trios),
        Section("trio_owners", (seats * own, RANKS), 0, 1, "who laid one", write_trio_owners),
        Section(
            "run_ends",
            (SUITS, 2, HIGHEST),
            0,
            packs * (1 + jokers),
            "runs that a card at position 1 … 14 would extend at the low, the high side",
            write_run_ends,
        ),
        Section(
            "run_jokers",
            (SUITS, HIGHEST),
            0,
            packs * (1 + jokers),
            "jokers in runs by suit and position",
            write_run_jokers,
        ),
        Section("runs", (runs, 3), 0, HIGHEST, "suit + 1, low and high end, as laid", write_runs),
        Section(
            "run_joker_bits",
            (runs,),
            0,
            (1 << HIGHEST + 1) - 1,
            "bit p: a joker stands at position p of the run",
            write_run_joker_bits,
        ),
        Section("run_owners", (runs * own,), 0, seats, "seat + 1 who laid it", write_run_owners),
        Section("phase", (PHASES,), 0, 1, "take or draw, puc?, play, joker", write_phase),
        Section("serving", (seats,), 0, 1, "whose turn it is", write_serving),
        Section("acting", (seats,), 0, 1, "who decides now; none when it is over", write_acting),
        Section("dealer", (seats,), 0, 1, "who dealt", write_dealer),
        Section("taken", (KINDS,), 0, 1, "the card taken face up in this turn", write_taken),
        Section("opening", (1,), 0, MAX_OPENING, "melds of this opening", write_opening),
        Section("moving", (1,), 0, runs, "place + 1 of the run whose joker moves", write_moving),
        Section(
            "turns_left",
            (int(cap is not None),),
            0,
            cap or 0,
            "turns of this hand before the match is truncated",
            write_turns_left,
        ),
    ]
