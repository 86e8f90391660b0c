"""Poker builder: what a reading of the rule page against the engine brought up."""

from envs import poker_builder_v0
from tests.games.reference_poker_builder import PACK, in_slots

COPIES = 20


def after_round_1(**options):
    """All auctions of round 1 went to jokers: everybody has five cards left."""
    env = poker_builder_v0.env(**options)
    env.reset(options={"deck": PACK})
    for _ in range(10):
        env.step(env.unwrapped.parse_action("joker"))
    return env


def copies(env, seat):
    return [env.unwrapped.determinize(f"player_{seat}", seed) for seed in range(COPIES)]


def test_B8_cards_put_aside_lie_in_slot_order_in_every_world():
    env = after_round_1(leftovers="final_deck")
    laid = [world.zones()["aside_1"] for world in copies(env, seat=0)]
    assert all(cards == in_slots(cards) for cards in laid)
    assert len({tuple(cards) for cards in laid}) > 1
    assert all(world.zones()["aside_0"] == PACK[:5] for world in copies(env, seat=0))


def test_B9_left_over_cards_are_asked_in_slot_order_in_every_world():
    env = after_round_1(leftovers="final_deck", manual_showdown=True)
    for world in copies(env, seat=1):
        for _ in range(10):
            world.step(world.parse_action("joker"))
        asked = []
        while world.agent_selection == "player_0":
            (card,) = world.decode(world.observe("player_0"))["asked"].nonzero()[0]
            asked.append(PACK[card])
            world.step(world.parse_action("leave"))
        assert len(asked) == 5
        assert asked == in_slots(asked)
