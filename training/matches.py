"""What matches of a game are like: how long, how wide, how they end, who comes first."""

from typing import Any

import numpy as np

from agents import Agent, ask, streams
from envs.core.batch import Batch
from envs.core.game import Config, Game
from training.evaluate import scores_of


class _Tally:
    """Sums over the decisions of a batch of matches."""

    def __init__(self, game: Game, batch: Batch):
        self.game = game
        flags = game.info(game.plain(batch.states)[0])
        self.flags = {name: 0 for name, value in flags.items() if isinstance(value, bool)}
        self.decisions = self.forced = self.legal = 0
        several = "hand_number" in (game.dtype.names or ())
        self.first_hand = batch.states["hand_number"].copy() if several else None

    def before(self, batch: Batch, running: np.ndarray) -> None:
        """Count the choices that are about to be made."""
        legal = batch.action_masks[running].sum(axis=1)
        self.decisions += len(legal)
        self.legal += int(legal.sum())
        self.forced += int((legal == 1).sum())

    def after(self, batch: Batch, moved: np.ndarray) -> None:
        """Count the public flags that these decisions raised."""
        if self.flags:
            plain = self.game.plain(batch.states)
            for game in moved:
                for name, value in self.game.info(plain[game]).items():
                    if name in self.flags:
                        self.flags[name] += bool(value)


def describe(game: Game, config: Config, agent: Agent, matches: int, seed: int) -> dict[str, Any]:
    """Play whole matches with the same agent in every seat.

    Returns:
        ``decisions_per_match`` (mean, median, 99th percentile, longest); ``hands_per_match``, for
        games of several hands; ``legal_actions``, the mean branching factor; ``forced``, the share
        of decisions with one legal action; ``truncated``, the share of matches cut off by a
        limit; ``first_places``, by seat; and ``<flag>_per_match`` for every yes-or-no flag of
        ``infos``, like Puc's ``blocked``.
    """
    batch = Batch(game, matches, seed=seed, autoreset=False, **config)
    rngs, tally = streams(seed, matches), _Tally(game, batch)
    rewards = np.zeros((matches, batch.num_players))
    running = np.flatnonzero(~batch.states["over"])
    while len(running):
        tally.before(batch, running)
        actions = np.zeros(matches, np.int64)
        own = rngs[running]
        actions[running] = ask(agent, batch, own, running)
        rngs[running] = own
        batch.step(actions)
        tally.after(batch, running)
        rewards += batch.rewards
        running = running[~batch.states["over"][running]]
    return _summary(game, config, batch, tally, rewards)


def _summary(
    game: Game, config: Config, batch: Batch, tally: _Tally, rewards: np.ndarray
) -> dict[str, Any]:
    lengths = batch.states["decisions"]
    teams = game.teams(config)
    every_team = np.repeat(rewards[:, None], max(teams) + 1, axis=1)
    shares = scores_of(every_team, teams)[1]
    hands = {}
    if tally.first_hand is not None:
        played = batch.states["hand_number"] - tally.first_hand + 1
        hands["hands_per_match"] = _round(played.mean())
    return {
        "decisions_per_match": {
            "mean": _round(lengths.mean()),
            "median": _round(np.median(lengths)),
            "99 %": _round(np.quantile(lengths, 0.99)),
            "longest": int(lengths.max()),
        },
        **hands,
        "legal_actions": _round(tally.legal / max(tally.decisions, 1)),
        "forced": _round(tally.forced / max(tally.decisions, 1)),
        "truncated": _round(batch.states["truncated"].mean()),
        "first_places": [_round(share) for share in shares.mean(axis=0)],
        **{f"{name}_per_match": _round(n / len(batch)) for name, n in tally.flags.items()},
    }


def _round(value: float) -> float:
    return round(float(value), 3)
