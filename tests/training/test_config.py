"""Settings: what a profile changes, and what is refused."""

import json

import pytest

from tests.toys.kuhn import GAME
from training.config import PROFILES, TrainConfig, config_from_json, settings, steps_in


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("game", [GAME, "truc_v0"])
def test_settings_survive_json(game, profile):
    chosen = settings(game, profile, seed=5, hidden=(64, 32))
    assert (chosen.seed, chosen.hidden) == (5, (64, 32))
    assert config_from_json(json.loads(json.dumps(chosen.as_json()))) == chosen


def test_rule_agents_are_those_the_game_has_but_never_the_strong_one():
    assert settings(GAME).rule_agents == ("random",)
    assert settings("truc_v0").rule_agents == ("random", "simple")


def test_training_options_lie_over_the_rules():
    chosen = TrainConfig(options={"target": 12}, training_options={"reward": "points"})
    assert chosen.all_training_options == {"target": 12, "reward": "points"}


def test_a_budget_leaves_room_for_probes():
    assert steps_in(minutes=2, speed=1000) == 111_600


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"critic": "blind"}, "allowed are shared, separate, all_seeing"),
        ({"past_share": 0.7, "rule_share": 0.5}, "add up to over 1"),
        ({"games": 0}, "integers from 1"),
        ({"hidden": ()}, "at least one hidden layer"),
    ],
)
def test_bad_settings_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        TrainConfig(**change)


def test_unknown_names_are_refused():
    with pytest.raises(ValueError, match="no profile 'quik'"):
        settings(GAME, "quik")
    with pytest.raises(TypeError, match="did you mean 'entropy'"):
        settings(GAME, entropi=0.1)
    with pytest.raises(ValueError, match="no setting 'sides'"):
        config_from_json({"sides": 2})


def test_rule_options_to_train_by_are_given_by_name():
    chosen = settings("truc", training_options={"target": 12})
    assert chosen.all_training_options == {"target": 12}
    with pytest.raises(TypeError, match=r"training_options='target=12'.*\{target=12\}"):
        settings("truc", training_options="target=12")
