"""The compiled part of the search: trees over what may follow, and playouts.

``compile_search`` binds these loops to one game, one player for the playouts and the game's guide
(see ``agents.search_guide``). They work on a *root*, a world as the searching seat sees it, and on
a spare record into which it is copied; nothing is allocated while they run.

IS-MCTS with one observer (Cowling, Powley, Whitehouse 2012). Every iteration draws a world of its
own and goes down one tree by the actions legal in that world, so an edge counts how often it was
*available* beside how often it was chosen:

    value / visits + exploration * spread * sqrt(log(available) / visits)

``spread`` is the standard deviation of what this search's playouts paid the searching seat: rewards
of a match, a hand's share in one or points need no scales of their own.

A node is what the seat to act knows of the actions since the root: the open actions of all, its own
hidden ones. Draws of cards make no branches; what is not legal in a world is just not available
there. Each seat maximises its own total reward; team-mates share theirs through the rewards.
"""

import math
import zlib
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from agents.base import next_bits
from agents.random import nth_legal
from envs.core.jit import bind, rule
from envs.core.loops import compile_loops, only_action
from envs.core.random import combine, scale

if TYPE_CHECKING:
    from agents.search_guide import Guide
    from envs.core.game import Game

OPEN, HIDDEN, REVEALS = 0, 1, 2  # what others learn of an action, see ``Guide.shown``
NOWHERE = -1
LONGEST_PATH = 256  # decisions in the tree in one iteration
NODES, EDGES, ROUNDS, IMAGINED = 0, 1, 2, 3  # in ``Tree.size``
SUM, SQUARES, COUNT = 0, 1, 2  # in ``Tree.moments``
_SEAT, _PHASE = np.uint64(64), np.uint64(8192)
_ONE = np.uint64(1)
_OWN = np.uint64(0x9D)
DRAWS = 64  # worlds refused in a row, before one is taken as it comes
_SPARE, _UNIT = np.uint64(11), 1 / 9007199254740992.0  # 64 bits to a float in [0, 1)

# Stand-ins for the names that ``bind`` supplies.
play = legal_actions = observe = resample_hidden = choose = None
shown = modelled = likely = outlook = hand_of = view = label = sensible = None
look = pick = go_on = draw_world = imagine = label_all = descend = play_out = is_settled = None


class Tree(NamedTuple):
    """A tree's memory.

    slots      int32[2**k]   hash table: a node, or -1
    keys       uint64[N]     of each node
    first      int32[N]      its newest edge, or -1
    action     int16[E]      of each edge
    following  int32[E]      the node's edge before it, or -1
    visits     int32[E]      how often it was chosen
    available  int32[E]      how often it could have been
    total      float64[E]    what the choosing seat was paid after it, in sum
    path       int32[D]      edges of the iteration under way
    actors     int8[D]       the seats that chose them
    size       int64[4]      nodes, edges, iterations with the seat's own cards, with imagined ones
    moments    float64[2]    of what the searching seat was paid: sum, sum of squares
    """

    slots: np.ndarray
    keys: np.ndarray
    first: np.ndarray
    action: np.ndarray
    following: np.ndarray
    visits: np.ndarray
    available: np.ndarray
    total: np.ndarray
    path: np.ndarray
    actors: np.ndarray
    size: np.ndarray
    moments: np.ndarray


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


def new_tree(room: int) -> Tree:
    """An empty tree for so many nodes and edges."""
    return Tree(
        slots=np.full(1 << (2 * room - 1).bit_length(), NOWHERE, np.int32),
        keys=np.zeros(room, np.uint64),
        first=np.zeros(room, np.int32),
        action=np.zeros(room, np.int16),
        following=np.zeros(room, np.int32),
        visits=np.zeros(room, np.int32),
        available=np.zeros(room, np.int32),
        total=np.zeros(room),
        path=np.zeros(LONGEST_PATH, np.int32),
        actors=np.zeros(LONGEST_PATH, np.int8),
        size=np.zeros(4, np.int64),
        moments=np.zeros(3),
    )


@rule
def clear(tree):
    """Forget everything."""
    tree.slots[:] = NOWHERE
    tree.size[:] = 0
    tree.moments[:] = 0


# Nodes and edges


@rule
def node_of(tree, key):
    """The node of a key, made if there is room; or NOWHERE."""
    last = np.uint64(tree.slots.shape[0] - 1)
    slot = np.int64(key & last)
    while tree.slots[slot] != NOWHERE:
        if tree.keys[tree.slots[slot]] == key:
            return np.int64(tree.slots[slot])
        slot = np.int64((np.uint64(slot) + _ONE) & last)
    node = tree.size[NODES]
    if node == tree.keys.shape[0]:
        return np.int64(NOWHERE)
    tree.size[NODES] += 1
    tree.slots[slot] = node
    tree.keys[node] = key
    tree.first[node] = NOWHERE
    return np.int64(node)


@rule
def new_edge(tree, node, action):
    """An action tried for the first time; NOWHERE without room."""
    edge = tree.size[EDGES]
    if edge == tree.action.shape[0]:
        return np.int64(NOWHERE)
    tree.size[EDGES] += 1
    tree.action[edge] = action
    tree.following[edge] = tree.first[node]
    tree.first[node] = edge
    tree.visits[edge] = 0
    tree.available[edge] = 1
    tree.total[edge] = 0.0
    return np.int64(edge)


@rule
def find_node(tree, key):
    """The node of a key, or NOWHERE."""
    last = np.uint64(tree.slots.shape[0] - 1)
    slot = np.int64(key & last)
    while tree.slots[slot] != NOWHERE:
        if tree.keys[tree.slots[slot]] == key:
            return np.int64(tree.slots[slot])
        slot = np.int64((np.uint64(slot) + _ONE) & last)
    return np.int64(NOWHERE)


@rule
def best_edge(tree, node, mask, meant, width):
    """The available edge with the highest bound; takes what was tried out of ``mask``."""
    best = NOWHERE
    bound = 0.0
    edge = tree.first[node]
    while edge != NOWHERE:
        action = meant[tree.action[edge]]
        if action >= 0:
            mask[action] = False
            tree.available[edge] += 1
            visits = tree.visits[edge]
            reach = math.sqrt(math.log(tree.available[edge]) / visits)
            here = tree.total[edge] / visits + width * reach
            if best == NOWHERE or here > bound:
                best = edge
                bound = here
        edge = tree.following[edge]
    return np.int64(best)


@rule
def habit(tree, node, meant, faith, bits):
    """An available action as often as it was chosen so far; NOWHERE for the playout's player.

    He stands for ``faith`` visits.
    """
    most = np.float64(faith) * faith
    if node == NOWHERE:
        return np.int64(NOWHERE)
    edge = tree.first[node]
    while edge != NOWHERE:
        if meant[tree.action[edge]] >= 0:
            most += np.float64(tree.visits[edge]) ** 2
        edge = tree.following[edge]
    left = np.float64(bits >> _SPARE) * _UNIT * most - np.float64(faith) * faith
    if left < 0:
        return np.int64(NOWHERE)
    edge = tree.first[node]
    while edge != NOWHERE:
        if meant[tree.action[edge]] >= 0:
            left -= np.float64(tree.visits[edge]) ** 2
            if left < 0:
                return np.int64(meant[tree.action[edge]])
        edge = tree.following[edge]
    return np.int64(NOWHERE)


@rule
def spread(tree):
    """The standard deviation of what the searching seat was paid so far."""
    rounds = tree.moments[COUNT]
    if rounds < 2:
        return 1.0
    mean = tree.moments[SUM] / rounds
    return math.sqrt(max(tree.moments[SQUARES] / rounds - mean * mean, 1e-12))


@rule
def back_up(tree, depth, paid, seat, imagined, counts):
    """Write to every edge of the path what its seat was paid."""
    for i in range(depth):
        tree.visits[tree.path[i]] += 1
        tree.total[tree.path[i]] += paid[tree.actors[i]]
    tree.size[IMAGINED if imagined else ROUNDS] += 1
    if counts:
        tree.moments[COUNT] += 1
        tree.moments[SUM] += paid[seat]
        tree.moments[SQUARES] += paid[seat] * paid[seat]


@rule
def count_true(mask):
    """How many actions are left."""
    count = 0
    for action in range(mask.shape[0]):
        count += mask[action]
    return count


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


def _pick_quickly(state, desk):
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


def _label_all(state, desk):
    """Write which legal action each label stands for."""
    desk.meant[:] = NOWHERE
    for action in range(desk.mask.shape[0]):
        if desk.mask[action]:
            desk.meant[label(state, action)] = action


def _descend(state, seat, hand, width, faith, imagined, tree, desk):
    """Go down the tree to a decision tried for the first time and play it; the path's length.

    A decision without a choice needs no node. Where the guide says so, others are played by the
    playout's player, who does not know the searching seat's cards.
    """
    desk.private[:] = 0
    public = _ONE
    depth = 0
    moved = False
    while depth < LONGEST_PATH and not is_settled(state, hand):
        desk.mask[:] = False
        legal_actions(state, desk.mask)
        if moved or imagined:
            sensible(state, desk.mask)
        moved = True
        action = np.int64(only_action(desk.mask))
        edge = NOWHERE
        tried = True
        if action < 0 and state.turn != seat and modelled(state):
            action = np.int64(pick(state, desk))
        elif action < 0:
            label_all(state, desk)
            place = np.uint64(state.turn) * _SEAT + np.uint64(state.phase) * _PHASE
            history = combine(public ^ desk.private[state.turn], place)
            key = view(state, state.turn, history)
            if faith > 0 and not imagined and state.turn != seat:
                node = find_node(tree, key)
                action = habit(tree, node, desk.meant, faith, next_bits(desk.rng, 0))
                if action < 0:
                    action = np.int64(pick(state, desk))
            else:
                if not imagined and state.turn == seat:
                    key = combine(key, _OWN)
                node = node_of(tree, key)
                if node == NOWHERE:
                    return depth
                edge = best_edge(tree, node, desk.mask, desk.meant, width)
                untried = count_true(desk.mask)
                if untried > 0:
                    tried = False
                    action = np.int64(nth_legal(desk.mask, scale(next_bits(desk.rng, 0), untried)))
                    edge = new_edge(tree, node, label(state, action))
                else:
                    action = np.int64(desk.meant[tree.action[edge]])
                if edge != NOWHERE:
                    tree.path[depth] = edge
                    tree.actors[depth] = state.turn
                    depth += 1
        openness = shown(state, action)
        if openness == HIDDEN:
            own = desk.private[state.turn]
            desk.private[state.turn] = combine(own, np.uint64(action) + _ONE)
        else:
            public = combine(public, np.uint64(action) + _ONE)
        if openness == REVEALS:
            for other in range(state.num_players):
                public = combine(public, desk.private[other])
            desk.private[:] = 0
        go_on(state, action, desk)
        if not tried:
            return depth
    return depth


def _imagine(seat, desk):
    """Draw the world on the desk anew as another seat knows it, the searching seat's cards too."""
    state = desk.world[0]
    step = 1 + scale(next_bits(desk.rng, 0), state.num_players - 1)
    other = (seat + step) % state.num_players
    for _ in range(DRAWS):
        resample_hidden(state, other, next_bits(desk.rng, 0))
        chance = likely(state, other)
        if chance >= 1.0 or np.float64(next_bits(desk.rng, 0) >> _SPARE) * _UNIT < chance:
            break


def _draw_world(roots, seat, desk):
    """Put a world onto the desk, the rarer the less likely the others' actions are in it.

    Returns the stream that drew it.
    """
    stream = np.uint64(0)
    for _ in range(DRAWS):
        stream = next_bits(desk.rng, 0)
        desk.world[0] = roots[0]
        resample_hidden(desk.world[0], seat, stream)
        chance = likely(desk.world[0], seat)
        if chance >= 1.0 or np.float64(next_bits(desk.rng, 0) >> _SPARE) * _UNIT < chance:
            break
    return stream


def grow(roots, seat, rounds, longest, exploration, share, faith, tree, desk):
    """So many iterations of IS-MCTS from roots[0]."""
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
    desk.mask[:] = False
    legal_actions(roots[0], desk.mask)
    label_all(roots[0], desk)
    edge = tree.first[0]
    while edge != NOWHERE:
        action = desk.meant[tree.action[edge]]
        visits[action] = tree.visits[edge]
        values[action] = tree.total[edge] / max(tree.visits[edge], 1)
        edge = tree.following[edge]


# Without a tree


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
    "pick": _pick,
    "go_on": _go_on,
    "is_settled": _is_settled,
    "play_out": _play_out,
    "draw_world": _draw_world,
    "imagine": _imagine,
    "label_all": _label_all,
    "descend": _descend,
}


@cache
def compile_search(game: "Game", guide: "Guide", name: str, player: Callable) -> Search:
    """The loops of one game with one player for the playouts."""
    hooks = ("shown", "modelled", "likely", "outlook", "view", "label", "sensible")
    parts = (player, *(getattr(guide, hook) for hook in hooks))
    names = " ".join(f"{part.__module__}.{part.__qualname__}" for part in parts)
    owner = f"{game.name}_{name}_{zlib.crc32(names.encode()):08x}"  # every copy has its own
    several = "hand_number" in (game.dtype.names or ())
    verbs = {
        **game.verbs,
        "play": compile_loops(game).play,
        "choose": player,
        **{hook: getattr(guide, hook) for hook in hooks},
        "hand_of": number_of_hand if several else only_hand,
    }
    look = _blind if name == "random" else _look
    verbs["look"] = bind(look, verbs, owner)
    inners = {**_INNER, "pick": _pick_quickly} if player is guide.playout else _INNER
    for inner, loop in inners.items():
        verbs[inner] = bind(loop, verbs, owner)
    return Search(*(bind(loop, verbs, owner) for loop in (grow, read_root, weigh)))
