"""The suite itself: every planted defect is caught, by the point that should.

The mutants run uncompiled, in one process of their own: compiling thirty games would take minutes.
"""

import os
import subprocess
import sys

import pytest

from envs.conformance import POINTS, Subject
from envs.core.jit import COMPILED
from tests.toys.mutants import MUTANTS

CAUGHT_BY = {
    "leaking_observation": "nothing_leaks",
    "observation_out_of_bounds": "mask_contract",
    "no_legal_action": "mask_contract",
    "mask_tells_hidden_card": "nothing_leaks",
    "loser_not_paid": "reward_books",
    "one_seat_never_loses": "everybody_wins_and_loses",
    "never_ends": "bounded",
    "terminated_and_truncated": "life_cycle",
    "always_the_same_deal": "determinism",
    "loses_a_card": "conserving",
    "biased_resample": "uniform_worlds",
    "resample_peeks": "resampled_worlds",
    "resample_changes_my_card": "resampled_worlds",
    "resample_keeps_the_stream": "resampled_worlds",
    "table_shows_hidden_card": "nothing_leaks",
    "table_hides_own_card": "visible_cards_show",
    "picture_shows_hidden_card": "nothing_leaks",
    "picture_hides_own_card": "visible_cards_show",
    "info_tells": "nothing_leaks",
    "zones_miss_a_card": "conserving",
    "hidden_too_wide": "nothing_leaks",
    "waiting_seat_sees_mask": "mask_contract",
    "illegal_action_draws": "mask_truth",
    "illegal_action_repaired": "mask_truth",
    "copy_shares_memory": "copies",
    "state_forgets_rewards": "copies",
    "one_view_for_all": "purity",
    "rendering_draws": "purity",
    "global_random_state": "determinism",
    "reward_never_delivered": "reward_books",
    "leaves_twice": "life_cycle",
    "swallows_options": "honest_options",
}
CHECKS = {point.name: point.check for point in POINTS if not point.starts_processes}
uncompiled = pytest.mark.skipif(
    COMPILED, reason="compiling every mutant takes long: test_defects_uncompiled runs these"
)


def test_every_mutant_is_listed() -> None:
    assert set(MUTANTS) == {"healthy", *CAUGHT_BY}


@uncompiled
@pytest.mark.parametrize("check", CHECKS)
def test_healthy_passes(check: str) -> None:
    CHECKS[check](Subject(MUTANTS["healthy"]))


@uncompiled
@pytest.mark.parametrize("name", CAUGHT_BY)
def test_defect_is_caught(name: str) -> None:
    with pytest.raises(AssertionError) as caught:
        CHECKS[CAUGHT_BY[name]](Subject(MUTANTS[name]))
    assert str(caught.value), "a broken point says what broke"


@pytest.mark.skipif(not COMPILED, reason="it starts the process that this is")
def test_defects_uncompiled() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
    assert f"{len(CAUGHT_BY) + len(CHECKS) + 1} passed" in done.stdout
