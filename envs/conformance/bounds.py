"""Point 10: matches end, cards are conserved, memory stays level."""

import gc
from collections import Counter

import numpy as np

from envs.conformance.batches import (
    Player,
    Staller,
    highest_actions,
    lowest_actions,
    play_out,
    random_actions,
)
from envs.conformance.subject import Subject

MANY_TURNS = 20_000  # of all matches of one player, unless with more effort
MAX_GROWTH = 10 * 1024 * 1024


def bounded(subject: Subject) -> None:
    """Point 10: with every kind of player each match ends within ``max_decisions``."""
    limit = subject.env().metadata["max_decisions"]
    players: dict[str, Player] = {
        "random": random_actions(10),
        "lowest id": lowest_actions,
        "highest id": highest_actions,
        "staller": Staller(),
        **subject.players,
    }
    games = 2000 if subject.effort >= 5 else max(10, min(100, MANY_TURNS // subject.length))
    for name, player in players.items():
        outcome = play_out(subject, games, player, (limit or 100_000) + 1)
        longest = int(outcome.lengths.max())
        assert longest <= (limit or 100_000), (
            f"{name}: a match goes on after {longest} decisions, limit {limit}"
        )


def conserving(subject: Subject) -> None:
    """Point 10: after every step ``zones()`` holds every card of the pack exactly once."""
    env = subject.env()
    pack = None
    if subject.has_game:
        pack = Counter(map(subject.game.cards.text, subject.game.pack(subject.config)))
    for env in subject.tour(subject.many(600)):
        if not hasattr(env.unwrapped, "zones"):
            return
        zones = env.unwrapped.zones()
        cards = Counter(card for cards in zones.values() for card in cards)
        pack = pack or cards
        assert cards == pack, (
            f"zones() lacks {dict(pack - cards)} and has {dict(cards - pack)} too many: {zones}"
        )


def steady(subject: Subject) -> None:
    """Point 10: resets do not pile up memory."""
    env = subject.env()
    count = 20_000 if subject.effort >= 5 else 1_000
    for seed in range(200):
        env.reset(seed=seed)
    gc.collect()
    before = _resident()
    for seed in range(count):
        env.reset(seed=seed)
    gc.collect()
    grown = _resident() - before
    assert grown < MAX_GROWTH, f"{count} resets have grown memory by {grown / 2**20:.1f} MiB"


def _resident() -> int:
    """Bytes of memory this process holds now; 0 where the system does not say."""
    try:
        with open("/proc/self/statm") as statm:
            return int(np.int64(statm.read().split()[1])) * 4096
    except OSError:
        return 0
