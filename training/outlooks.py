"""What scores between hands are worth, measured: the numbers in the searches' guides.

    python -m training.outlooks truc_v0 --matches 2000

The same heuristic holds every seat for whole matches. Printed is what ``agents/search_<game>.py``
holds: for Truc how hands end, for Puc how far the seats' points of a hand lie apart, for 4 Duros
the power of the coins that predicts the winner best. For Truc also what ``agents/truc_quick.py``
guesses by, from hands that were played out plainly and without bets.
"""

from collections import Counter
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from agents import ask, load, streams
from agents.truc_quick import envit_band, on_table, quick_card, standing, strength
from envs import find_game
from envs.core.batch import Batch
from envs.core.game import Game
from envs.truc.envit import envit_winner


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
    """How many of 10,000 hands gave the mà's team, the other so many points; and chances."""
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
        **truc_chances(),
    }


PLAIN_SEEDS = range(900, 904)  # of batches of this many hands
PLAIN_HANDS = 4096


class Plain(NamedTuple):
    """Decisions of hands that were played plainly: what a seat sees, and whether its team wins."""

    stands: np.ndarray
    strength: np.ndarray
    table: np.ndarray
    band: np.ndarray
    hand_won: np.ndarray
    envit_won: np.ndarray


def truc_chances() -> dict[str, Any]:
    """Logits of the chance to win the hand, by logistic regression, and of that to win the envit.

    So few decisions follow a tied first trick that their fit says nothing.
    """
    plain = plain_decisions()
    rows = np.arange(len(plain.stands))
    inputs = np.zeros((len(rows), 18))
    inputs[rows, plain.stands] = 1
    inputs[rows, 6 + plain.stands] = plain.strength
    inputs[rows, 12 + plain.table] = 1
    inputs[:, 12] = 0  # an empty table is what the others are compared with
    fit = logistic_fit(inputs, plain.hand_won).round(2)
    first = plain.stands == 0
    envits = [plain.envit_won[first & (plain.band == band)].mean() for band in range(7)]
    return {
        "decisions": len(rows),
        "result": fit[:6].tolist(),
        "slope": fit[6:12].tolist(),
        "table": fit[12:].tolist(),
        "envit": [round(float(np.log(p / (1 - p))), 2) for p in envits],
    }


def plain_decisions() -> Plain:
    """Play single hands by ``quick_card`` alone."""
    found: list[tuple[int, ...]] = []
    won: list[bool] = []
    for seed in PLAIN_SEEDS:
        batch = Batch(find_game("truc_v0"), PLAIN_HANDS, seed=seed, hands=1, autoreset=False)
        envits = [envit_winner(record) % 2 for record in batch.states]
        start, paid = len(found), np.zeros(PLAIN_HANDS)
        while not batch.states["over"].all():
            actions = np.zeros(PLAIN_HANDS, np.int64)
            for k in np.flatnonzero(~batch.states["over"]).tolist():
                record, seat = batch.states[k], int(batch.seats[k])
                actions[k] = quick_card(record, seat)
                found.append((k, seat % 2, *plain_view(record, seat), envits[k] == seat % 2))
            batch.step(actions)
            paid += batch.rewards[:, 0]
        won += [(paid[k] > 0) == (team == 0) for k, team, *_ in found[start:]]
    stands, strengths, table, band, envit_won = np.array([row[2:] for row in found]).T
    return Plain(stands, strengths, table, band, np.array(won, float), envit_won)


def plain_view(record: Any, seat: int) -> tuple[int, ...]:
    """What the quick player goes by."""
    trick = int(record["trick"])
    return (
        standing(record, seat, trick),
        strength(record, seat, trick, True),
        on_table(record, seat),
        envit_band(record, seat),
    )


def logistic_fit(inputs: np.ndarray, outcomes: np.ndarray, ridge: float = 1e-3) -> np.ndarray:
    """The weights that make the outcomes likeliest, by Newton's method."""
    weights = np.zeros(inputs.shape[1])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-inputs @ weights))
        slope = inputs.T @ (outcomes - chance) - ridge * weights
        bend = (inputs * (chance * (1 - chance))[:, None]).T @ inputs
        weights += np.linalg.solve(bend + ridge * np.eye(len(weights)), slope)
    return weights


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
