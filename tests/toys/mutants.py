"""Kuhn poker with a planted defect each: what the conformance suite must catch.

``MUTANTS`` maps a name to the mutant's environment constructor. A mutant's game lives in a module
of its own, made here, so that copies and pickles find the mutant and not the healthy game.
"""

import copy
import sys
import types
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from envs.core.aec import GameEnv
from envs.core.game import Game, Place
from envs.core.jit import rule
from envs.core.random import combine, draw_below, reseed
from envs.core.table import SeatView, Zone
from tests.toys import kuhn

MUTANTS: dict[str, Callable[..., GameEnv]] = {}


def game(name: str, **changes: Any) -> Game:
    """Kuhn poker with other verbs, in a module ``tests.toys.mutants.<name>``."""
    module = types.ModuleType(f"{__name__}.{name}")
    module.GAME = replace(kuhn.GAME, module=module.__name__, title=name, **changes)
    sys.modules[module.__name__] = module
    return module.GAME


def plant(name: str, kind: type[GameEnv] = GameEnv, **changes: Any) -> None:
    """Add a mutant made of other verbs, or of another environment class."""
    mutant = game(name, **changes)
    MUTANTS[name] = lambda *args, **options: kind(mutant, *args, **options)


# Verbs with a defect


@rule
def observe_leaking(state, seat, out):
    stop = kuhn.observe(state, seat, out)
    if state.plies == 1:
        out[6 + 3] = state.card[1 - seat] == 2  # a place that the history leaves free
    return stop


@rule
def observe_out_of_bounds(state, seat, out):
    stop = kuhn.observe(state, seat, out)
    out[stop - 1] = 2 * (state.dealer != seat)
    return stop


@rule
def legal_none_after_bet(state, mask):
    kuhn.legal_actions(state, mask)
    if state.plies == 2:
        mask[:] = False


@rule
def legal_by_hidden_card(state, mask):
    kuhn.legal_actions(state, mask)
    if not state.over and state.card[1 - state.turn] == 2:
        mask[kuhn.BET] = False


@rule
def step_without_loss(state, action):
    kuhn.step(state, action)
    for seat in range(2):
        if state.reward[seat] < 0:
            state.reward[seat] = 0


@rule
def step_first_seat_never_loses(state, action):
    kuhn.step(state, action)
    state.reward[0] = abs(state.reward[0])
    state.reward[1] = -state.reward[0]


@rule
def step_without_end(state, action):
    kuhn.step(state, action)
    if state.over and action == kuhn.PASS:
        state.over = False
        state.reward[:] = 0
        state.history[:] = 0
        state.plies = 0


@rule
def deal_same(state):
    state.dealer = 0
    for i in range(3):
        state.deck[i] = i
    kuhn.lay_out(state)


@rule
def step_loses_a_card(state, action):
    kuhn.step(state, action)
    if state.plies == 2:
        state.card[0] = state.card[1]


@rule
def resample_biased(state, seat, stream):
    draw = combine(stream, np.uint64(1)) % np.uint64(3)
    state.card[1 - seat] = (state.card[seat] + 1 + (draw > 0)) % 3
    reseed(state, stream)


@rule
def resample_nothing(state, seat, stream):
    reseed(state, stream)


@rule
def resample_my_card(state, seat, stream):
    state.card[seat] = (state.card[seat] + 1) % 3
    kuhn.resample_hidden(state, seat, stream)


@rule
def resample_keeping_the_stream(state, seat, stream):
    key = state.rng[0]
    kuhn.resample_hidden(state, seat, stream)
    state.rng[0] = key
    state.rng[1] = 0


def table_open(record, seat, config):
    """The text view shows both cards once somebody has bet."""
    return kuhn.table(record, None if record.history[0] == kuhn.BET + 1 else seat, config)


def table_blind(record, seat, config):
    """The text view hides a seat's own card."""
    return replace(
        kuhn.table(record, seat, config), seats=[SeatView(s, zones=[Zone("hand")]) for s in (0, 1)]
    )


def info_telling(record):
    return {"better": int(record.card[record.turn] > record.card[1 - record.turn])}


def zones_short(record):
    return {**kuhn.zones(record), "stock": []}


# Environments with a defect


class ShowsMask(GameEnv):
    """A waiting seat is shown the acting seat's mask."""

    def observe(self, agent):
        return {**super().observe(agent), "action_mask": self._shown_mask}


class PlaysIllegal(GameEnv):
    """An illegal action raises, but draws from the stream first."""

    def step(self, action):
        try:
            super().step(action)
        except ValueError:
            self._states["rng"][0, 1] += 1
            raise


class RepairsIllegal(GameEnv):
    """An illegal action is silently replaced by a legal one."""

    def step(self, action):
        super().step(action if action in (0, 1, None) else 0)


class SharesMemory(GameEnv):
    """A deep copy shares its original's record."""

    def __deepcopy__(self, memo):
        twin = copy.copy(self)
        for name in ("_states", "_plain", "_turn", "_over", "_truncated", "_reward"):
            setattr(twin, name, getattr(self, name))
        return twin


class ForgetsDecks(GameEnv):
    """A copy forgets what the seats have been paid since their last turns."""

    def set_state(self, state):
        super().set_state(state)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)


class OneView(GameEnv):
    """Observations are written into one array, which later calls overwrite."""

    def observe(self, agent):
        seen = super().observe(agent)
        if not hasattr(self, "_view"):
            self._view = seen["observation"]
        self._view[:] = seen["observation"]
        return {**seen, "observation": self._view}


class OpenPicture(GameEnv):
    """The picture shows both cards."""

    def svg(self, seat=None):
        return super().svg("all")


class OldPicture(GameEnv):
    """The picture is drawn once and shown for ever."""

    def svg(self, seat=None):
        if not hasattr(self, "_drawn"):
            self._drawn = super().svg(seat)
        return self._drawn


class LookingDraws(GameEnv):
    """Rendering draws from the game's stream."""

    def render(self):
        self._states["rng"][0, 1] += 1
        return super().render()


class GlobalChance(GameEnv):
    """Dealing uses NumPy's global random state."""

    def reset(self, seed=None, options=None):
        super().reset(seed, options)
        if np.random.random() < 0.5:
            self._states["dealer"] = 1 - self._states["dealer"]
            self._encode()


class DropsLastReward(GameEnv):
    """Only the seat that acted last is paid: the loser's reward never arrives."""

    def step(self, action):
        acting = self.agent_selection
        super().step(action)
        for agent in self._cumulative_rewards:
            if agent != acting:
                self._cumulative_rewards[agent] = 0.0


class BothEnds(GameEnv):
    """The end is called a termination and a truncation at once."""

    def step(self, action):
        super().step(action)
        self.truncations = dict(self.terminations)


class LastingSeat(GameEnv):
    """After the end a seat has to step None twice."""

    def step(self, action):
        if action is None and len(self.agents) == 2 and not getattr(self, "_again", False):
            self._again = True
            return
        self._again = False
        super().step(action)


class TakesAnything(GameEnv):
    """Unknown options are swallowed."""

    def __init__(self, game, num_players=None, render_mode=None, no_such_option=None, **options):
        super().__init__(game, num_players, render_mode, **options)


@rule
def deal_drawing_twice(state):
    kuhn.deal(state)
    draw_below(state, 2)


def hidden_too_wide(record, seat):
    """The seat's own card is said to be hidden from it."""
    return [*kuhn.hidden(record, seat), Place("card", (seat,))]


plant("healthy")
plant("leaking_observation", observe=observe_leaking)
plant("observation_out_of_bounds", observe=observe_out_of_bounds)
plant("no_legal_action", legal_actions=legal_none_after_bet)
plant("mask_tells_hidden_card", legal_actions=legal_by_hidden_card)
plant("loser_not_paid", step=step_without_loss)
plant("one_seat_never_loses", step=step_first_seat_never_loses)
plant("never_ends", step=step_without_end)
plant("always_the_same_deal", deal=deal_same)
plant("loses_a_card", step=step_loses_a_card)
plant("biased_resample", resample_hidden=resample_biased)
plant("resample_peeks", resample_hidden=resample_nothing)
plant("resample_changes_my_card", resample_hidden=resample_my_card)
plant("resample_keeps_the_stream", resample_hidden=resample_keeping_the_stream)
plant("table_shows_hidden_card", table=table_open)
plant("table_hides_own_card", table=table_blind)
plant("info_tells", info=info_telling)
plant("zones_miss_a_card", zones=zones_short)
plant("hidden_too_wide", hidden=hidden_too_wide)
plant("waiting_seat_sees_mask", ShowsMask)
plant("illegal_action_draws", PlaysIllegal)
plant("illegal_action_repaired", RepairsIllegal)
plant("copy_shares_memory", SharesMemory)
plant("state_forgets_rewards", ForgetsDecks)
plant("one_view_for_all", OneView)
plant("rendering_draws", LookingDraws)
plant("picture_shows_hidden_card", OpenPicture)
plant("picture_hides_own_card", OldPicture)
plant("global_random_state", GlobalChance)
plant("reward_never_delivered", DropsLastReward)
plant("terminated_and_truncated", BothEnds)
plant("leaves_twice", LastingSeat)
plant("swallows_options", TakesAnything)
