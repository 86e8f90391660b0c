"""Trajectories of single seats: who is paid for what, and what is known when."""

from dataclasses import replace

import numpy as np
import pytest

from tests.toys import kuhn, quitters
from tests.training.settings import SMALL
from training.kernels import OPEN, TERMINAL, Workers, advantages, link_rows, pay_rows
from training.opponents import LEARNER
from training.selfplay import SelfPlay, around_the_table, wins

TRACE = 0.5


class Scripted:
    """One game of two seats, its decisions dictated."""

    def __init__(self):
        self.latest = np.full((1, 2), -1)
        self.following, self.rewards = np.zeros(9, np.int64), np.zeros(9, np.float32)
        self.totals, self.owners = np.zeros((1, 2), np.float32), np.zeros((1, 2), np.int8)
        self.rows, self.unheard = 0, 0

    def decide(self, seat, paid=(0, 0), done=False):
        link_rows(
            np.zeros(1, np.int64),
            np.array([seat], np.int8),
            self.rows,
            self.latest,
            self.following,
            self.rewards,
        )
        self.rows += 1
        self.unheard += pay_rows(
            np.array([paid], np.float32), np.array([paid], np.float32), np.array([done]), 1.0,
            self.owners, self.latest, self.following, self.rewards, self.totals,
        )  # fmt: skip

    def advantages(self, values):
        out = np.zeros(self.rows, np.float32)
        advantages(
            self.rows, np.array(values, np.float32), self.rewards, self.following, TRACE, out
        )
        return out


def test_each_seat_learns_along_its_own_decisions():
    game = Scripted()
    game.decide(seat=0)  # row 0
    game.decide(seat=1, paid=(0.25, -0.25))  # row 1
    game.decide(seat=0)  # row 2
    game.decide(seat=1, paid=(1, -1), done=True)  # row 3
    assert game.following[:4].tolist() == [2, 3, TERMINAL, TERMINAL]
    # What seat 1's turns pay goes to seat 0's decision before them.
    assert game.rewards[:4].tolist() == [0.25, -0.25, 1, -1]
    found = game.advantages([0.1, 0.2, 0.3, 0.4])
    last_0, last_1 = 1 - 0.3, -1 - 0.4
    expected = [
        0.25 + 0.3 - 0.1 + TRACE * last_0,
        -0.25 + 0.4 - 0.2 + TRACE * last_1,
        last_0,
        last_1,
    ]
    assert found == pytest.approx(expected)


def test_an_open_decision_waits_and_the_one_before_rests_on_its_value():
    game = Scripted()
    game.decide(seat=0)
    game.decide(seat=1)
    game.decide(seat=0)
    assert game.following[:3].tolist() == [2, OPEN, OPEN]
    assert game.advantages([0.1, 0.2, 0.3]) == pytest.approx([0.3 - 0.1, 0, 0])


def test_a_new_game_in_the_slot_begins_new_trajectories():
    game = Scripted()
    game.decide(seat=0, paid=(-1, 1), done=True)
    assert game.unheard == 1  # seat 1 never acted
    game.decide(seat=1)
    assert game.following[:2].tolist() == [TERMINAL, OPEN]
    assert game.rewards[:2].tolist() == [-1, 0]


def uniform(observations, everyone, masks):
    return np.zeros((len(observations), 3), np.float32)


def selfplay(game=kuhn.GAME, **changes):
    settings = replace(SMALL, **changes)
    return SelfPlay(game, settings, np.random.default_rng(0), Workers(1))


@pytest.mark.parametrize("rollout", [1, 2, 5])
def test_every_decision_is_learnt_from_exactly_once(rollout):
    play = selfplay(rollout=rollout, past_share=0.0, rule_share=0.0, trace=1.0)
    learnt = 0
    rollouts = 12
    for _ in range(rollouts):
        rows = play.collect(uniform)
        learnt += len(rows.ready)
        outcomes = np.abs(rows.targets[rows.ready])  # with values of zero: what the game paid, or 0
        assert np.isin(outcomes, [0, 1, 2]).all()
    still_open = (play._latest >= 0).sum()
    assert learnt + still_open == rollouts * rollout * SMALL.games


def test_a_bonus_goes_to_who_wins_and_all_pay_it_alike():
    play = selfplay(past_share=0.0, rule_share=0.0, trace=1.0, win_bonus=4.0)
    rows = play.collect(uniform)
    # Chips of 1 or 2; of the bonus the winner keeps a half, and the loser pays it.
    assert set(np.unique(rows.targets[rows.ready])) == {-4, -3, 3, 4}


def test_a_bonus_does_not_change_what_is_told_of_the_games():
    plain, paid = (selfplay(rule_share=1.0, past_share=0.0, win_bonus=w) for w in (0.0, 4.0))
    assert plain.collect(uniform).tallies == paid.collect(uniform).tallies


def test_opponents_decisions_are_not_learnt_from():
    play = selfplay(past_share=0.0, rule_share=1.0)
    assert ((play.opponents.owners == LEARNER).sum(axis=1) == 1).all()
    rows = play.collect(uniform)
    assert len(rows.actions) < 0.7 * SMALL.games * SMALL.rollout
    assert set(rows.tallies) == {"random"}
    assert rows.tallies["random"].games == rows.games


def test_games_that_end_before_a_seat_acts_are_counted():
    play = selfplay(quitters.GAME, past_share=0.0, rule_share=0.0)
    quits = np.array([9.0, 0, 0], np.float32)
    rows = play.collect(lambda seen, everyone, masks: np.tile(quits, (len(seen), 1)))
    assert rows.games > 0.9 * SMALL.games * SMALL.rollout
    assert rows.unheard > 0.9 * rows.games


def test_an_all_seeing_critic_sees_the_others_in_order_of_play():
    views = np.arange(2 * 3 * 2).reshape(2, 3, 2)
    assert around_the_table(views, np.array([0, 2])).tolist() == [
        [0, 1, 2, 3, 4, 5],
        [10, 11, 6, 7, 8, 9],
    ]
    play = selfplay(critic="all_seeing")
    rows = play.collect(uniform)
    size = rows.observations.shape[1]
    assert (rows.everyone[:, :size] == rows.observations).all()


def test_who_wins():
    totals = np.array([[1, -1, 1, -1], [0, 0, 0, 0], [3, 1, 1, -5]])
    assert wins(totals).tolist() == [[1, 0, 1, 0], [0.5] * 4, [1, 0, 0, 0]]
