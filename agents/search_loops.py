"""The compiled loops of a search: going down the tree, playouts, and drawing worlds.

``compile_search`` binds them to one game, one player for the playouts and the game's guide (see
``agents.search_guide``). They work on a *root*, a world as the searching seat sees it, and on a
spare record into which it is copied.

A node is what the seat to act knows of the actions since the root: the open actions of all, its own
hidden ones; or what the guide's ``view`` makes of it. Draws of cards make no branches; what is not
legal in a world is just not available there.

All worlds of plain IS-MCTS hold the searching seat's own cards, so the others come to play as if
they saw them, and no bluff is worth anything. Where the guide says so, a share of the iterations is
*imagined*: another seat draws the world anew, the searching seat's cards too. The others learn in
these alone, and the searching seat's own nodes there are apart; in the other iterations it learns
what to do against others who do as they have learnt.
"""

import zlib
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from agents.base import next_bits, unit
from agents.random import nth_legal
from agents.search_tree import (
    HIDDEN,
    IMAGINED,
    LONGEST_PATH,
    NODES,
    NOWHERE,
    REVEALS,
    ROUNDS,
    back_up,
    best_edge,
    count_true,
    find_node,
    habit,
    new_edge,
    node_of,
    spread,
)
from envs.core.jit import bind, rule
from envs.core.loops import compile_loops, only_action
from envs.core.random import combine, scale

if TYPE_CHECKING:
    from agents.search_guide import Guide
    from envs.core.game import Game

_SEAT, _PHASE = np.uint64(64), np.uint64(8192)
_ONE = np.uint64(1)
_OWN = np.uint64(0x9D)  # sets the searching seat's own nodes apart from the imagined ones
DRAWS = 64  # worlds refused in a row, before one is taken as it comes
HOOKS = ("shown", "modelled", "likely", "outlook", "view", "label", "sensible")  # of a guide

# Stand-ins for the names that ``bind`` supplies.
play = legal_actions = observe = resample_hidden = choose = None
shown = modelled = likely = outlook = hand_of = view = label = sensible = None
look = pick = go_on = draw_world = imagine = is_likely = None
choices = learn = follow = remember = descend = play_out = is_settled = None


class Desk(NamedTuple):
    """Room to work in.

    world        the record that is played on
    mask         bool[A]      legal actions
    meant        int16[A]     by label: the legal action it stands for, or -1
    observation  [N]          of the seat to act, for players that look at it
    offsets      int64[S + 1] where its sections start
    private      uint64[P]    by seat: its hidden actions since the last revelation, as a hash
    paid         float64[P]   by seat: rewards since the root
    scores       float64[...] what the guide's ``outlook`` knows of scores
    rng          uint64[1]    the stream
    """

    world: np.ndarray
    mask: np.ndarray
    meant: np.ndarray
    observation: np.ndarray
    offsets: np.ndarray
    private: np.ndarray
    paid: np.ndarray
    scores: np.ndarray
    rng: np.ndarray


# Playing on


def _blind(state, observation):
    """For players that do not look at observations."""


def _look(state, observation):
    """The acting seat's view."""
    observation[:] = 0
    observe(state, state.turn, observation)


def _pick(state, desk):
    """What the playout's player does here; ``desk.mask`` is set."""
    look(state, desk.observation)
    bits = next_bits(desk.rng, 0)
    return choose(desk.observation, desk.mask, desk.offsets, state.num_players, bits)


def _pick_by_record(state, desk):
    """What the playout's player does here, who reads the record."""
    return choose(state, desk.mask, next_bits(desk.rng, 0))


def _go_on(state, action, desk):
    """Play an action and add up what it pays."""
    play(state, action)
    for seat in range(state.num_players):
        desk.paid[seat] += state.reward[seat]


def _is_settled(state, hand):
    """The hand of the root is over, or the match."""
    return state.over or hand_of(state) != hand


def _play_out(state, hand, longest, desk):
    """Play on to the end of the hand, then count what the scores are worth."""
    left = longest
    while not is_settled(state, hand) and left > 0:
        desk.mask[:] = False
        legal_actions(state, desk.mask)
        go_on(state, pick(state, desk), desk)
        left -= 1
    if not state.over:
        outlook(state, not is_settled(state, hand), desk.scores, desk.paid)


# The tree


def _choices(state, desk):
    """Find the actions worth a thought; the only one, or NOWHERE if there are several."""
    desk.mask[:] = False
    legal_actions(state, desk.mask)
    sensible(state, desk.mask)
    only = np.int64(only_action(desk.mask))
    if only < 0:
        desk.meant[:] = NOWHERE
        for action in range(desk.mask.shape[0]):
            if desk.mask[action]:
                desk.meant[label(state, action)] = action
    return only


def _learn(state, key, width, tree, desk):
    """What a seat chooses that learns here: the edge, whether it was there before, the action.

    An action not tried yet goes first. Without room for the node there is no action, without room
    for the edge no edge.
    """
    node = node_of(tree, key)
    if node == NOWHERE:
        return np.int64(NOWHERE), True, np.int64(NOWHERE)
    edge = best_edge(tree, node, desk.mask, desk.meant, width)
    untried = count_true(desk.mask)
    if untried == 0:
        return edge, True, np.int64(desk.meant[tree.action[edge]])
    action = np.int64(nth_legal(desk.mask, scale(next_bits(desk.rng, 0), untried)))
    return new_edge(tree, node, label(state, action)), False, action


def _follow(state, key, faith, tree, desk):
    """What another seat does, as it has learnt, or else as the playout's player does."""
    node = find_node(tree, key)
    action = habit(tree, node, desk.meant, faith, next_bits(desk.rng, 0))
    return action if action != NOWHERE else np.int64(pick(state, desk))


def _remember(state, action, public, desk):
    """The hash of the open actions with this one; hidden ones go to ``desk.private``."""
    openness = shown(state, action)
    number = np.uint64(action) + _ONE
    if openness == HIDDEN:
        desk.private[state.turn] = combine(desk.private[state.turn], number)
        return public
    public = combine(public, number)
    if openness == REVEALS:
        for other in range(state.num_players):
            public = combine(public, desk.private[other])
        desk.private[:] = 0
    return public


def _descend(state, seat, hand, width, faith, imagined, tree, desk):
    """Go down the tree to a decision tried for the first time and play it; the path's length.

    A decision without a choice needs no node. ``faith`` is above 0 where others learn in imagined
    worlds alone. Where the guide says so, others are played by the playout's player, who does not
    know the searching seat's cards.
    """
    desk.private[:] = 0
    public = _ONE
    depth = 0
    while depth < LONGEST_PATH and not is_settled(state, hand):
        action = choices(state, desk)
        known = True
        if action < 0 and state.turn != seat and modelled(state):
            action = np.int64(pick(state, desk))
        elif action < 0:
            place = np.uint64(state.turn) * _SEAT + np.uint64(state.phase) * _PHASE
            history = combine(public ^ desk.private[state.turn], place)
            key = view(state, state.turn, history)
            if state.turn == seat and not imagined:
                key = combine(key, _OWN)
            if state.turn == seat or imagined or faith == 0:
                edge, known, action = learn(state, key, width, tree, desk)
                if action == NOWHERE:
                    return depth
                if edge != NOWHERE:
                    tree.path[depth] = edge
                    tree.actors[depth] = state.turn
                    depth += 1
            else:
                action = follow(state, key, faith, tree, desk)
        public = remember(state, action, public, desk)
        go_on(state, action, desk)
        if not known:
            return depth
    return depth


# Worlds


def _is_likely(state, seat, desk):
    """Whether a world is kept, the rarer the less likely the others' actions are in it."""
    chance = likely(state, seat)
    return chance >= 1.0 or unit(next_bits(desk.rng, 0)) < chance


def _draw_world(roots, seat, desk):
    """Put a world onto the desk; returns the stream that drew it."""
    stream = np.uint64(0)
    for _ in range(DRAWS):
        stream = next_bits(desk.rng, 0)
        desk.world[0] = roots[0]
        resample_hidden(desk.world[0], seat, stream)
        if is_likely(desk.world[0], seat, desk):
            break
    return stream


def _imagine(seat, desk):
    """Draw the world on the desk anew as another seat knows it, the searching seat's cards too."""
    state = desk.world[0]
    step = 1 + scale(next_bits(desk.rng, 0), state.num_players - 1)
    other = (seat + step) % state.num_players
    for _ in range(DRAWS):
        resample_hidden(state, other, next_bits(desk.rng, 0))
        if is_likely(state, other, desk):
            break


# The entry points


def grow(roots, seat, rounds, longest, exploration, share, faith, tree, desk):
    """So many iterations of IS-MCTS from roots[0], this share of them with imagined own cards."""
    hand = hand_of(roots[0])
    for _ in range(rounds):
        draw_world(roots, seat, desk)
        state = desk.world[0]
        imagined = tree.size[IMAGINED] < share * (tree.size[ROUNDS] + tree.size[IMAGINED])
        if imagined:
            imagine(seat, desk)
        desk.paid[:] = 0
        width = exploration * spread(tree)
        depth = descend(state, seat, hand, width, faith, imagined, tree, desk)
        play_out(state, hand, longest, desk)
        back_up(tree, depth, desk.paid, seat, imagined, imagined or share == 0)


def read_root(roots, tree, visits, values, desk):
    """Visits and mean values of the root's edges, by action."""
    if tree.size[NODES] == 0:
        return
    choices(roots[0], desk)
    edge = tree.first[0]
    while edge != NOWHERE:
        action = desk.meant[tree.action[edge]]
        visits[action] = tree.visits[edge]
        values[action] = tree.total[edge] / max(tree.visits[edge], 1)
        edge = tree.following[edge]


def weigh(roots, seat, worlds, longest, legal, totals, desk):
    """Flat Monte Carlo (PIMC): in each world play every action of ``legal`` and then on.

    ``totals`` adds up what the seat was paid; the playouts of one world share their chance.
    """
    hand = hand_of(roots[0])
    for _ in range(worlds):
        stream = draw_world(roots, seat, desk)
        after = desk.rng[0]
        for action in range(legal.shape[0]):
            if legal[action]:
                desk.world[0] = roots[0]
                state = desk.world[0]
                resample_hidden(state, seat, stream)
                desk.rng[0] = after
                desk.paid[:] = 0
                go_on(state, action, desk)
                play_out(state, hand, longest, desk)
                totals[action] += desk.paid[seat]
        next_bits(desk.rng, 0)


@rule
def only_hand(state):
    """For games of a single hand."""
    return 0


@rule
def number_of_hand(state):
    """Games of several hands count them."""
    return state.hand_number


class Search(NamedTuple):
    """The compiled entry points of one game, player and guide."""

    grow: Callable
    read_root: Callable
    weigh: Callable


_INNER: dict[str, Callable] = {
    "go_on": _go_on,
    "is_settled": _is_settled,
    "play_out": _play_out,
    "is_likely": _is_likely,
    "draw_world": _draw_world,
    "imagine": _imagine,
    "choices": _choices,
    "learn": _learn,
    "follow": _follow,
    "remember": _remember,
    "descend": _descend,
}


@cache
def compile_search(game: "Game", guide: "Guide", name: str, player: Callable) -> Search:
    """The loops of one game with one player for the playouts.

    Args:
        game, guide: what is searched.
        name: of the player; ``random`` looks at nothing.
        player: compiled, like ``CompiledAgent``'s; or the guide's ``playout``.
    """
    parts = (player, *(getattr(guide, hook) for hook in HOOKS))
    names = " ".join(f"{part.__module__}.{part.__qualname__}" for part in parts)
    owner = f"{game.name}_{name}_{zlib.crc32(names.encode()):08x}"  # every copy has its own
    several = "hand_number" in (game.dtype.names or ())
    verbs = {
        **game.verbs,
        **{hook: getattr(guide, hook) for hook in HOOKS},
        "play": compile_loops(game).play,
        "choose": player,
        "hand_of": number_of_hand if several else only_hand,
    }
    verbs["look"] = bind(_blind if name == "random" else _look, verbs, owner)
    verbs["pick"] = bind(_pick_by_record if player is guide.playout else _pick, verbs, owner)
    for inner, loop in _INNER.items():
        verbs[inner] = bind(loop, verbs, owner)
    return Search(*(bind(loop, verbs, owner) for loop in (grow, read_root, weigh)))
