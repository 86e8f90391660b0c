"""Conformance: what an environment must pass before anybody may trust it.

    python -m envs.conformance truc_v0 [--num-players 6] [--full]
    python -m envs.conformance pettingzoo.classic.tictactoe_v3

The points are plain functions over a ``Subject`` (an environment's constructor and its arguments);
each raises AssertionError and says what broke:

| point | what holds |
|---|---|
| 1 | mask contract: the acting seat's mask is well formed, all other masks are zero |
| 2 | mask truth: what the mask allows can be played, all else raises and changes nothing |
| 3 | nothing hidden gets through; resampled worlds look the same, conserve the cards, are uniform |
| 4 | life cycle: clear errors, one last view a seat, resets on one object |
| 5 | reward books: ``last()`` delivers what ``rewards`` says, within range, adding up |
| 6 | determinism, also in other processes; the batch plays the single game |
| 7 | copies have the same future and share nothing |
| 8 | looking changes nothing, returned arrays never change, scribbling on them has no effect |
| 10 | matches end, cards are conserved, memory stays level |
| 11 | options are honest; the environment works in a bare process |

An environment of another origin gets the points that need no more than the AEC interface. Points 3,
the batch and the options need a ``Game``; points 2 and 10 look at ``get_state`` and ``zones`` where
they exist.
"""

from envs.conformance import (
    bounds,
    cycle,
    determinism,
    hidden,
    masks,
    purity,
    rewards,
    setup,
    worlds,
)
from envs.conformance.batches import batch_equals_single
from envs.conformance.points import Point
from envs.conformance.subject import Subject, find

__all__ = ["POINTS", "Point", "Subject", "find"]

POINTS: tuple[Point, ...] = (
    Point(1, "mask contract", masks.mask_contract),
    Point(2, "mask truth", masks.mask_truth),
    Point(3, "nothing hidden gets through", hidden.nothing_leaks, needs_game=True),
    Point(3, "visible cards show", hidden.visible_cards_show, needs_game=True),
    Point(3, "resampled worlds", worlds.resampled_worlds, needs_game=True),
    Point(3, "uniform worlds", worlds.uniform_worlds, needs_game=True),
    Point(4, "life cycle", cycle.life_cycle),
    Point(4, "resets", cycle.resets),
    Point(5, "reward books", rewards.reward_books),
    Point(5, "every seat wins and loses", rewards.everybody_wins_and_loses),
    Point(6, "determinism", determinism.determinism),
    Point(6, "other processes", determinism.other_processes, starts_processes=True),
    Point(6, "batch equals single", batch_equals_single, needs_game=True),
    Point(7, "copies", purity.copies),
    Point(8, "purity and aliasing", purity.purity),
    Point(10, "bounded", bounds.bounded, needs_game=True),
    Point(10, "conserving", bounds.conserving),
    Point(10, "steady memory", bounds.steady),
    Point(11, "honest options", setup.honest_options, needs_game=True),
    Point(11, "bare process", setup.bare_process, starts_processes=True),
)
