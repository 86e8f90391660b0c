"""The memory of a search: nodes, edges, and how one is chosen.

IS-MCTS with one observer (Cowling, Powley, Whitehouse 2012). Every iteration draws a world of its
own and goes down one tree by the actions legal in that world, so an edge counts how often it was
*available* beside how often it was chosen:

    value / visits + exploration * spread * sqrt(log(available) / visits)

``spread`` is the standard deviation of what this search's playouts paid the searching seat: rewards
of a match, a hand's share in one or points need no scales of their own. Each seat maximises its own
total reward; team-mates share theirs through the rewards.

Nothing is allocated while a search runs.
"""

import math
from typing import NamedTuple

import numpy as np

from agents.base import unit
from envs.core.jit import rule

OPEN, HIDDEN, REVEALS = 0, 1, 2  # what others learn of an action, see ``Guide.shown``
NOWHERE = -1
LONGEST_PATH = 256  # decisions in the tree in one iteration
NODES, EDGES, ROUNDS, IMAGINED = 0, 1, 2, 3  # in ``Tree.size``
SUM, SQUARES, COUNT = 0, 1, 2  # in ``Tree.moments``
_ONE = np.uint64(1)


class Tree(NamedTuple):
    """A tree's memory.

    slots      int32[2**k]   hash table: a node, or -1
    keys       uint64[N]     of each node
    first      int32[N]      its newest edge, or -1
    action     int16[E]      of each edge, by its label
    following  int32[E]      the node's edge before it, or -1
    visits     int32[E]      how often it was chosen
    available  int32[E]      how often it could have been
    total      float64[E]    what the choosing seat was paid after it, in sum
    path       int32[D]      edges of the iteration under way
    actors     int8[D]       the seats that chose them
    size       int64[4]      nodes, edges, iterations with the seat's own cards, with imagined ones
    moments    float64[3]    of what the searching seat was paid: sum, sum of squares, count
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
def slot_of(tree, key):
    """Where the node of a key is in the hash table, or where there is room for it."""
    last = np.uint64(tree.slots.shape[0] - 1)
    slot = np.int64(key & last)
    while tree.slots[slot] != NOWHERE and tree.keys[tree.slots[slot]] != key:
        slot = np.int64((np.uint64(slot) + _ONE) & last)
    return slot


@rule
def find_node(tree, key):
    """The node of a key, or NOWHERE."""
    return np.int64(tree.slots[slot_of(tree, key)])


@rule
def node_of(tree, key):
    """The node of a key, made if there is room; or NOWHERE."""
    slot = slot_of(tree, key)
    node = np.int64(tree.slots[slot])
    if node != NOWHERE or tree.size[NODES] == tree.keys.shape[0]:
        return node
    node = tree.size[NODES]
    tree.size[NODES] += 1
    tree.slots[slot] = node
    tree.keys[node] = key
    tree.first[node] = NOWHERE
    return node


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
def weight_of(tree, edge, meant):
    """How much an edge counts in a habit: its visits squared, for few of them are trials; or 0."""
    visits = np.float64(tree.visits[edge])
    return visits * visits if meant[tree.action[edge]] >= 0 else 0.0


@rule
def habit(tree, node, meant, faith, bits):
    """An available action, drawn by what was chosen here so far; NOWHERE: ask somebody else.

    Who else is asked counts like ``faith`` visits.
    """
    other = np.float64(faith) * faith
    if node == NOWHERE:
        return np.int64(NOWHERE)
    whole = other
    edge = tree.first[node]
    while edge != NOWHERE:
        whole += weight_of(tree, edge, meant)
        edge = tree.following[edge]
    left = unit(bits) * whole - other
    edge = tree.first[node]
    while edge != NOWHERE and left >= 0:
        left -= weight_of(tree, edge, meant)
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
    """Write to every edge of the path what its seat was paid; ``counts``: to the spread too."""
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
