"""The record, the layout and the batch of every game."""

import copy
import itertools
import pickle
import random
from collections import defaultdict

import numpy as np

from envs.conformance.batches import Explorer, new_batch, random_actions
from envs.conformance.positions import positions
from envs.core.game import common_fields
from tests.contract.cases import case_of, game_of
from tests.contract.cells import Cell, cells


def test_record_begins_with_the_common_fields(env_id: str) -> None:
    game = game_of(env_id)
    common = common_fields(max(game.player_counts))
    assert game.dtype.names[: len(common)] == tuple(name for name, *_ in common)
    assert game.dtype["reward"].shape == (max(game.player_counts),)


def test_layout_has_the_same_sections_for_every_configuration(env_id: str) -> None:
    names = {
        tuple(s.name for s in cell.subject.env().unwrapped.observation_layout.sections)
        for cell in cells(env_id, True)
    }
    assert len(names) == 1


def test_sections_write_what_they_declare(cell: Cell) -> None:
    env = cell.subject.env().unwrapped
    env.reset(seed=0)
    layout, game = env.observation_layout, cell.subject.game
    for record in itertools.chain(*positions(cell.subject).values()):
        env.states[:] = record
        env.refresh()
        for seat, agent in enumerate(env.possible_agents):
            observation = env.observe(agent)["observation"]
            layout.check(game.plain(env.states)[0], seat, observation)
            decoded = env.decode(observation)
            assert np.array_equal(
                np.concatenate([v.ravel() for v in decoded.values()]), observation
            )


def test_every_section_of_the_observation_varies(env_id: str, full: bool) -> None:
    """A section that is the same in every view of every cell carries nothing: an encoder's slip."""
    values: dict[str, set[bytes]] = defaultdict(set)
    for cell in cells(env_id, full):
        batch = new_batch(cell.subject, 32, seed=1)
        play = Explorer(1)
        for _ in range(300):
            batch.step(play(batch))
            views = np.concatenate([batch.observe_all(), batch.final_observations])
            views = views.reshape(-1, batch.layout.size)
            for name, place in batch.layout.slices.items():
                if len(values[name]) < 2:
                    values[name] |= {view.tobytes() for view in views[::5, place]}
    still = {name for name, found in values.items() if len(found) < 2}
    assert still <= set(case_of(env_id).still), f"sections {sorted(still)} never change"


def test_finished_games_stay_without_autoreset(cell: Cell) -> None:
    batch = new_batch(cell.subject, 8, seed=2, autoreset=False)
    play = random_actions(2)
    while not batch.states["over"].any():
        batch.step(play(batch))
    over = batch.states["over"].copy()
    assert batch.dones[over].all()
    final, states = batch.final_observations.copy(), batch.states[over]
    assert final.shape == (over.sum(), batch.num_players, batch.layout.size)
    actions = play(batch)
    actions[over] = -1
    batch.step(actions)
    assert not batch.dones[over].any()
    assert not batch.rewards[over].any()
    assert not batch.action_masks[over].any()
    assert (batch.states[over] == states).all()


def test_final_observations_are_the_last_views(cell: Cell) -> None:
    batch = new_batch(cell.subject, 8, seed=3)
    play = random_actions(3)
    while not batch.dones.any():
        batch.step(play(batch))
    env = cell.subject.env().unwrapped
    env.reset(seed=0)
    for record, views in zip(batch.final_states, batch.final_observations, strict=True):
        assert record.over
        env.states[0] = record
        env.refresh()
        for seat, agent in enumerate(env.possible_agents):
            assert np.array_equal(env.observe(agent)["observation"], views[seat])


def test_batch_goes_on_from_saved_states(cell: Cell) -> None:
    one, other = new_batch(cell.subject, 6, seed=4), new_batch(cell.subject, 6, seed=5)
    play = random_actions(4)
    for _ in range(30):
        one.step(play(one))
    other.load(*pickle.loads(pickle.dumps((one.states, one.keys))))
    for _ in range(60):
        actions = play(one)
        one.step(actions)
        other.step(actions)
        for name in ("observations", "action_masks", "seats", "rewards", "dones", "truncations"):
            assert np.array_equal(getattr(one, name), getattr(other, name)), name


def test_copy_hands_out_fresh_arrays(cell: Cell) -> None:
    batch = new_batch(cell.subject, 4, seed=6, copy=True)
    kept = batch.observations, batch.action_masks, batch.seats, batch.rewards
    before = [array.copy() for array in kept]
    play = random_actions(6)
    for _ in range(10):
        batch.step(play(batch))
    assert all(np.array_equal(now, then) for now, then in zip(kept, before, strict=True))


def test_determinize_keeps_the_view(cell: Cell) -> None:
    """A determinised copy looks the same to its seat, goes on by itself, leaves its original."""
    subject = cell.subject
    for turn, env in enumerate(subject.tour(20)):
        raw = env.unwrapped
        state = raw.get_state()
        agent = raw.possible_agents[turn % len(raw.possible_agents)]
        other = raw.determinize(agent, turn)
        assert raw.get_state() == state
        for name, value in raw.observe(agent).items():
            assert np.array_equal(value, other.observe(agent)[name])
        assert raw.table(raw.possible_agents.index(agent)) == other.table(
            raw.possible_agents.index(agent)
        )
        chance = random.Random(turn)
        for _ in range(5):
            legal = np.flatnonzero(other.observe(other.agent_selection)["action_mask"])
            if len(legal):
                other.step(int(chance.choice(legal)))
        assert raw.get_state() == state


def test_actions_in_words_and_back(cell: Cell) -> None:
    """Every legal action's text is unique among them and parses back to its id."""
    for env in cell.subject.tour(60):
        raw = env.unwrapped
        legal = np.flatnonzero(raw.observe(raw.agent_selection)["action_mask"]).tolist()
        texts = [raw.action_text(action) for action in legal]
        assert len(set(texts)) == len(texts)
        assert [raw.parse_action(text) for text in texts] == legal


def test_a_dictated_deck_deals_again_what_was_dealt(cell: Cell) -> None:
    """``deck`` and ``dealer`` of a dealt match, given to ``reset``, deal it again."""
    env = cell.subject.env().unwrapped
    names = cell.subject.game.dtype.names
    for seed in range(5):
        env.reset(seed=seed)
        record = env.states[0]
        size = len(cell.subject.game.pack(cell.subject.config))
        options = {"deck": record.deck[:size].tolist()}
        if "dealer" in names and "dealer" in cell.subject.game.reset_options:
            options["dealer"] = int(record.dealer)
        zones, views = env.zones(), [env.observe(a)["observation"] for a in env.agents]
        env.reset(seed=seed, options=options)
        assert env.zones() == zones
        assert all(
            np.array_equal(env.observe(a)["observation"], v)
            for a, v in zip(env.agents, views, strict=True)
        )


def test_games_are_pickled_by_name(env_id: str) -> None:
    game = game_of(env_id)
    assert pickle.loads(pickle.dumps(game)) is game
    assert copy.deepcopy(game) is game
