"""The engine's inner loops: plain functions that call a game's verbs by name.

``compile_loops`` binds them to one game. They are compiled for plain structured arrays and an
index, since a record argument costs four times as much a call.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from envs.core.jit import bind, rule
from envs.core.random import next_key

if TYPE_CHECKING:
    from envs.core.game import Game

# Stand-ins for the names that ``bind`` supplies.
deal = lay_out = legal_actions = step = observe = resample_hidden = None
play = restart = encode = advance = open_match = None


@dataclass(frozen=True)
class Loops:
    """The compiled entry points of one game; see the functions of the same names."""

    play: Callable
    start: Callable
    advance_one: Callable
    encode_one: Callable
    encode_slice: Callable
    observe_seat: Callable
    observe_every: Callable
    lay_out_one: Callable
    resample_one: Callable
    start_slice: Callable
    advance_slice: Callable


def _play(state, action):
    """One decision: the only way in which the engine calls ``step``."""
    state.reward[:] = 0
    state.decisions += 1
    step(state, action)


def _restart(states, k, template, key):
    """A new match in slot k from the game key."""
    states[k] = template[0]
    state = states[k]
    state.rng[0] = key
    deal(state)


def _encode(state, mask, out):
    """Mask and observation for the seat to act."""
    mask[:] = False
    legal_actions(state, mask)
    out[:] = 0
    observe(state, state.turn, out)


def start(states, template, key, mask, out):
    """Deal a single game and encode its first decision."""
    restart(states, 0, template, key)
    encode(states[0], mask, out)


def advance_one(states, action, mask, out):
    """Step a single game and encode the next decision."""
    state = states[0]
    play(state, action)
    encode(state, mask, out)


def encode_one(states, mask, out):
    """Encode the current decision of a single game."""
    encode(states[0], mask, out)


def observe_seat(states, seat, out):
    """The observation of any seat of a single game; ``out`` arrives all zero."""
    observe(states[0], seat, out)


def observe_every(states, rows, out):
    """Observations of every seat of the games in ``rows``: out[r, seat] of game rows[r]."""
    for r in range(rows.shape[0]):
        state = states[rows[r]]
        for seat in range(state.num_players):
            out[r, seat, :] = 0
            observe(state, seat, out[r, seat])


def lay_out_one(states):
    """Deal the current hand of a single game from the order in ``deck``."""
    lay_out(states[0])


def resample_one(states, seat, stream):
    """Replace what ``seat`` cannot see by a uniformly drawn world."""
    resample_hidden(states[0], seat, stream)


def start_slice(states, template, keys, lo, hi, skip_forced, masks, out, seats, opening, undecided):
    """Deal games lo … hi - 1 from their keys."""
    for k in range(lo, hi):
        open_match(states, k, template, keys, skip_forced, masks[k], opening, undecided)
        encode(states[k], masks[k], out[k])
        seats[k] = states[k].turn


def encode_slice(states, lo, hi, masks, out, seats):
    """Encode the current decisions of games lo … hi - 1."""
    for k in range(lo, hi):
        encode(states[k], masks[k], out[k])
        seats[k] = states[k].turn


@rule
def only_action(mask):
    """The one legal action, or -1 when there are none or several."""
    found = -1
    for action in range(mask.shape[0]):
        if mask[action]:
            if found >= 0:
                return -1
            found = action
    return found


def _advance(state, action, skip_forced, mask, reward):
    """One decision, and with ``skip_forced`` the forced ones after it; adds up the rewards."""
    play(state, action)
    reward += state.reward
    while skip_forced and not state.over:
        mask[:] = False
        legal_actions(state, mask)
        forced = only_action(mask)
        if forced < 0:
            return
        play(state, forced)
        reward += state.reward


def _open(states, k, template, keys, skip_forced, mask, opening, undecided):
    """Deal the match of keys[k], with ``skip_forced`` up to its first real decision.

    What the forced decisions pay goes to ``opening``, and from there into the next step's rewards.
    A match that ends before anybody had a choice is counted in ``undecided``; the next is dealt.
    """
    restart(states, k, template, keys[k])
    opening[k, :] = 0
    while skip_forced:
        state = states[k]
        mask[:] = False
        legal_actions(state, mask)
        forced = only_action(mask)
        if state.over:
            undecided[k] += 1
            keys[k] = next_key(keys[k])
            restart(states, k, template, keys[k])
            opening[k, :] = 0
        elif forced < 0:
            return
        else:
            play(state, forced)
            opening[k] += states[k].reward


def advance_slice(
    states,
    ended,
    template,
    keys,
    actions,
    moving,
    lo,
    hi,
    skip_forced,
    autoreset,
    masks,
    out,
    seats,
    rewards,
    dones,
    truncations,
    opening,
    undecided,
):
    """Step games lo … hi - 1; keep the final record of those that end and deal them anew."""
    for k in range(lo, hi):
        state = states[k]
        rewards[k] = 0
        dones[k] = False
        truncations[k] = False
        if state.over or not moving[k]:
            continue
        rewards[k] = opening[k]
        opening[k, :] = 0
        advance(state, actions[k], skip_forced, masks[k], rewards[k])
        if state.over:
            dones[k] = True
            truncations[k] = state.truncated
            ended[k] = states[k]
            if autoreset:
                keys[k] = next_key(keys[k])
                open_match(states, k, template, keys, skip_forced, masks[k], opening, undecided)
        encode(states[k], masks[k], out[k])
        seats[k] = states[k].turn


@rule
def first_illegal(masks, actions, moving, over):
    """The first game whose action is not legal, or -1; only games that go on and move count."""
    for k in range(actions.shape[0]):
        if over[k] or not moving[k]:
            continue
        if actions[k] < 0 or actions[k] >= masks.shape[1] or not masks[k, actions[k]]:
            return k
    return -1


_INNER: dict[str, Callable] = {
    "play": _play,
    "restart": _restart,
    "encode": _encode,
    "advance": _advance,
    "open_match": _open,
}


@cache
def compile_loops(game: "Game") -> Loops:
    """The loops of one game; compilation itself happens at the first call of each."""
    verbs = game.verbs
    for name, loop in _INNER.items():
        verbs[name] = bind(loop, verbs, game.name)
    outer = [name for name in Loops.__dataclass_fields__ if name != "play"]
    bound = {name: bind(globals()[name], verbs, game.name) for name in outer}
    return Loops(play=verbs["play"], **bound)
