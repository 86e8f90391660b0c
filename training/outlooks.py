"""What scores between hands are worth, measured: the numbers in the searches' guides.

    python -m training.outlooks truc_v0 --matches 2000

The same heuristic holds every seat for whole matches. Printed is what ``agents/search_<game>.py``
holds: for Truc how hands end and who bets, for Puc how far the seats' points of a hand lie apart,
for 4 Duros the power of the coins that predicts the winner best.
"""

from collections import Counter
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from agents import ask, load, streams
from agents.search_truc import envit_band, strength
from envs import find_game
from envs.core.batch import Batch
from envs.core.game import Game


class Hands(NamedTuple):
    """Whole matches, hand by hand.

    Attributes:
        records: with which hands begin, and those with which matches end, in order of time.
        owners: the match of each.
        lasts: the records of the last decisions of hands.
        rewards: float64[matches, seats], what the matches paid.
    """

    records: np.ndarray
    owners: np.ndarray
    lasts: np.ndarray
    rewards: np.ndarray


def play_hands(game: Game, agent: str, matches: int, seed: int) -> Hands:
    """Play whole matches with one agent in every seat."""
    batch = Batch(game, matches, seed=seed, autoreset=False)
    player, rngs = load(game, agent), streams(seed, matches)
    rewards = np.zeros((matches, batch.num_players))
    records, owners, lasts = [np.array(batch.states)], [np.arange(matches)], []
    running = np.arange(matches)
    while len(running):
        before = np.array(batch.states)
        actions, own = np.zeros(matches, np.int64), rngs[running]
        actions[running] = ask(player, batch, own, running)
        rngs[running] = own
        batch.step(actions)
        rewards += batch.rewards
        over = batch.states["over"]
        new = running[
            over[running] | (batch.states["hand_number"] != before["hand_number"])[running]
        ]
        records.append(np.array(batch.states[new]))
        owners.append(new)
        lasts.append(before[new])
        running = running[~over[running]]
    return Hands(np.concatenate(records), np.concatenate(owners), np.concatenate(lasts), rewards)


def truc(hands: Hands) -> dict[str, Any]:
    """How many of 10,000 hands gave the mà's team, the other so many points; how often who bets."""
    ends: Counter = Counter()
    for match in range(len(hands.rewards)):
        own = hands.records[hands.owners == match]
        points = np.diff(own["total"], axis=0)
        for (even, odd), dealer in zip(points.tolist(), own["dealer"], strict=False):
            ends[(even, odd) if dealer % 2 else (odd, even)] += 1
    total = ends.total()
    common = {end: round(10_000 * count / total) for end, count in ends.most_common()}
    return {
        "hands": total,
        "ends": {end: count for end, count in common.items() if count},
        **truc_bets(hands.lasts),
    }


def truc_bets(lasts: np.ndarray) -> dict[str, Any]:
    """How often a seat bets in the first trick, by the strength of its cards or its envit."""
    held = np.zeros((2, 16))
    bets = np.zeros((2, 4, 16))
    for record in lasts:
        own = [[f(record, seat) for seat in range(4)] for f in (strength, envit_band)]
        np.add.at(held, ([[0], [1]], own), 1)
        for call in np.flatnonzero((record["call_order"] > 0) & (record["call_trick"] == 0)):
            kind, caller = call // 4, record["call_seat"][call]
            bets[kind, call % 4, own[kind][caller]] += 1
    shares = (bets / np.maximum(held, 1)[:, None]).round(4)
    return {"truc bets": shares[0, :, :9].tolist(), "envit bets": shares[1, :, :7].tolist()}


def puc(hands: Hands) -> dict[str, Any]:
    """The standard deviation of the difference of two seats' points, by hand."""
    seats = hands.rewards.shape[1]
    apart: dict[int, list] = {}
    for match in range(len(hands.rewards)):
        own = hands.records[hands.owners == match]
        points = np.diff(own["score"][:, :seats].astype(np.int64), axis=0)
        for number, row in zip(own["hand_number"].tolist(), points, strict=False):
            apart.setdefault(number, []).extend(row[1:] - row[:-1])
    return {f"hand {n}": round(float(np.std(v)), 1) for n, v in sorted(apart.items())}


def quatre_duros(hands: Hands) -> dict[str, Any]:
    """The likelihood of the winners when a seat's chance goes with (coins + base) ** power."""
    begun = ~hands.records["over"]
    coins = hands.records["coins"][begun][:, : hands.rewards.shape[1]].astype(float)
    winners = hands.rewards.argmax(axis=1)[hands.owners[begun]]
    rows = np.arange(len(winners))
    fits = {}
    for base, power in product(
        (0.2, 0.5, 0.8, 1.0, 1.2, 1.5, 2.0), np.arange(1, 2.41, 0.1).round(1)
    ):
        weights = (coins + base) ** power
        shares = weights[rows, winners] / weights.sum(axis=1)
        fits[(base, float(power))] = round(float(np.log(shares).mean()), 5)
    best = sorted(fits, key=fits.__getitem__, reverse=True)[:5]
    return {"hands": len(rows), "best": {pair: fits[pair] for pair in best}}


MEASURES = {"truc": truc, "puc": puc, "quatre_duros": quatre_duros}


def main(game: str, /, agent: str = "strong", matches: int = 1000, seed: int = 0) -> None:
    """Measure what hands are like between equals.

    Args:
        game: truc_v0, puc_v0 or quatre_duros_v0.
        agent: in every seat.
        matches: whole matches.
        seed: of the deals and of the players' chance.
    """
    chosen = find_game(game)
    for name, value in MEASURES[chosen.name](play_hands(chosen, agent, matches, seed)).items():
        print(f"{name}: {value}")


if __name__ == "__main__":
    import tyro

    tyro.cli(main)
