"""Searching players: what they may know, what they find, and that they repeat."""

import random

import numpy as np
import pytest

import agents
from agents.base import ask, ask_one, streams, worlds_of
from agents.search import FIRST_CHUNK, SearchAgent, parse
from agents.search_guide import Guide, guide_of
from agents.search_tree import (
    IMAGINED,
    NOWHERE,
    ROUNDS,
    SQUARES,
    SUM,
    back_up,
    habit,
    new_edge,
    new_tree,
    node_of,
)
from envs import GAMES, Batch, poker_builder_v0
from envs.conformance.slots import Slots
from envs.core.jit import rule
from envs.core.random import combine
from tests.games import quatre_duros_table
from tests.games.positions_balco import position
from tests.games.test_poker_builder import a_deck
from tests.games.truc_scoresheet import deal, play
from tests.toys import pennies
from tests.toys.kuhn import BET, PASS
from tests.toys.kuhn import GAME as KUHN
from training.position import set_up

JACK, QUEEN, KING = 0, 1, 2
SPECS = ("ismcts:60", "pimc:6")


def kuhn_states(card, *played):
    """Kuhn poker where the seat to act holds this card, after these actions."""
    states = KUHN.new_states(1, KUHN.configure())
    record = states[0]
    record.dealer, record.turn = 1, len(played) % 2
    record.card[record.turn] = card
    record.card[1 - record.turn] = (card + 1) % 3
    record.deck[:] = [record.card[0], record.card[1], (card + 2) % 3]
    record.plies = record.decisions = len(played)
    record.history[: len(played)] = [action + 1 for action in played]
    return states


def decide(env, spec, seed=5):
    """The words of what a search plays in an environment's position."""
    env = env.unwrapped
    agent = agents.load(env.game, spec, **env.config)
    return env.action_text(ask_one(agent, env, streams(seed)))


# What is found


@pytest.mark.parametrize("spec", ["ismcts:300", "pimc:100", "ismcts:300:random"])
@pytest.mark.parametrize(
    ("card", "played", "best"),
    [
        (KING, [BET], BET),  # the best card wins two
        (JACK, [BET], PASS),  # the worst one loses one rather than two
        (KING, [PASS], BET),
    ],
)
def test_kuhn_poker_where_there_is_a_best_action(spec, card, played, best):
    states = kuhn_states(card, *played)
    agent = agents.load(KUHN, spec)
    assert agent.act_states(states, states["turn"], streams(2)).tolist() == [best]


def test_a_value_is_the_mean_reward():
    """The king that calls a bet wins 2, the jack that does not loses 1."""
    for card, action, value in ((KING, BET, 2.0), (JACK, PASS, -1.0)):
        states = kuhn_states(card, BET)
        found = agents.load(KUHN, "ismcts:50").search(states, 1, streams(2))
        assert found.values[action] == value
        assert found.visits.sum() == found.rounds == 50


@pytest.mark.parametrize("spec", ["ismcts:400", "pimc:100"])
def test_truc_the_one_card_that_saves_the_hand(spec):
    """B has won the first trick; only p2's 1E beats the 7E of p1, and p3's cards are low."""
    env = deal("4O 6O 3O", "3C 7E 4B", "1E 4C 5C", "5E 6E 5B", hands=1)
    play(env, "p0 4O", "p1 3C", "p2 4C", "p3 5E", "p1 7E")
    assert decide(env, spec) == "play 1E"


@pytest.mark.parametrize("spec", ["ismcts:400", "pimc:100"])
def test_balco_the_last_card_wins(spec):
    """The 9 may be thrown, and nothing is left then; the pile may be taken instead."""
    env = position(["9", "3 4"], pile="5", down=["", "6"], may_take=True)
    assert decide(env, spec) == "play 9"


@pytest.mark.parametrize("spec", ["ismcts:400", "pimc:100"])
def test_quatre_duros_the_lowest_card_must_go(spec):
    """Last coins; seat 1, the dealer, has got the 1 from seat 0, which holds the 7 now."""
    env = quatre_duros_table.table("1O 7C", coins_each=1)
    quatre_duros_table.play(env, "0 exchange")
    assert decide(env, spec) == "exchange"


@pytest.mark.parametrize("spec", ["ismcts:400", "pimc:100"])
def test_poker_builder_the_last_card_in_play_must_be_won(spec):
    """Both piles are empty and the other has the joker alone: any card of mine wins the match."""
    env = poker_builder_v0.raw_env()
    env.reset(options={"deck": a_deck()})
    for _ in range(9):  # seat 1 bets pairs while it has them: he has cards for five auctions
        env.step(env.parse_action("joker"))
        env.step(env.parse_action("joker"))
    record = env.states[0]
    record.hand_size[1] = 0
    record.hand[1] = -1
    env.refresh()
    assert decide(env, spec) != "joker"


@pytest.mark.parametrize("spec", ["ismcts:200", "pimc:20"])
def test_puc_the_card_that_closes_the_hand_is_taken(spec):
    """Two trios are asked for: with the 9S they are there, the 2C is thrown, and the hand is won.

    Laid down at once, both trios; nobody gets another turn in which to open.
    """
    game = GAMES["puc_v0"]
    deck = "5S 5H 5D 9C 9H 2C" + 12 * " ?" + " 9S"
    reset = {"deck": deck, "dealer": 2}
    config = game.configure(3, only_hand=1)
    env = set_up(game, config, reset=reset)
    assert decide(env, spec) == "take"
    env = set_up(game, config, reset=reset, actions="take")
    assert decide(env, spec) in ("trio 5: 5D 5H 5S", "trio 9: 9C 9H 9S")


# What may be known


@rule
def own_card(state, seat, history):
    return combine(history, np.uint64(state.card[seat]))


def test_who_does_not_see_my_card_may_be_bluffed():
    """I bet the jack. The king calls; the queen would too if it saw the jack, and I lost two.

    As it does not, it has to fear the king, and mostly passes: one won as often as two are lost.
    """
    config, known = KUHN.configure(), agents.heuristics(KUHN)

    def value(guide):
        agent = SearchAgent(KUHN, config, parse("ismcts:6000", list(known)), known, guide)
        return agent.search(kuhn_states(JACK), 0, streams(3)).values[BET]

    assert value(Guide(view=own_card)) < -1.7
    assert value(Guide(view=own_card, imagined=0.5)) > -1.4


def test_a_sealed_choice_is_not_answered():
    """Whoever chooses second wins by choosing the same: known, the first choice always loses."""

    def values(guide):
        config = pennies.GAME.configure()
        agent = SearchAgent(
            pennies.GAME, config, parse("ismcts:4000", ["random"]), agents.heuristics(KUHN), guide
        )
        return agent.search(kuhn_states(QUEEN), 0, streams(3)).values

    assert (np.abs(values(Guide(shown=pennies.shown))) < 0.4).all()
    assert (values(Guide()) < -0.8).all()


@rule
def king_bets(state, seat):
    return 1.0 if state.card[1 - seat] == KING else 0.0


@pytest.mark.parametrize("spec", ["ismcts:40", "pimc:40"])
def test_worlds_in_which_others_would_act_otherwise_are_left_out(spec):
    """If only the king bets, a queen that calls always loses two, and one that does not one."""
    config, known = KUHN.configure(), agents.heuristics(KUHN)
    agent = SearchAgent(KUHN, config, parse(spec, list(known)), known, Guide(likely=king_bets))
    found = agent.search(kuhn_states(QUEEN, BET), 1, streams(3))
    assert found.values[[PASS, BET]].tolist() == [-1, -2]


def test_truc_who_bets_holds_good_cards():
    """p0 has bet: with 5 and 4 that would be a surprise, with 11B and 10O anybody would."""

    def chance(cards, seat):
        env = deal(cards, hands=1).unwrapped
        play(env, "p0 truc")
        return guide_of(env.game).likely(env.game.plain(env.states)[0], seat)

    assert chance("5O 4C 4B", 1) == pytest.approx(0.05)
    assert chance("11B 10O 4B", 1) == 1
    assert chance("5O 4C 4B", 0) == 1  # one's own bet says nothing


def test_truc_who_accepts_holds_something():
    """p3 has accepted p0's truc, with a 4 and two 5s, or with the 1E and the 7E."""

    def chance(cards):
        env = deal("11B 10O 4B", "3O 4O 6O", "3B 2C 6E", cards, hands=1).unwrapped
        play(env, "p0 truc", "p3 vull")
        return guide_of(env.game).likely(env.game.plain(env.states)[0], 0)

    assert chance("5C 5B 4C") < 0.3 < 0.9 < chance("1E 7E 4C")


# What a seat looks at


def truc_node(hands, script, seat):
    """What the search keys the node of the seat to act by, without what the others hold."""
    env = deal(*hands, hands=1).unwrapped
    play(env, *script)
    record = env.game.plain(env.states)[0]
    assert record["turn"] == seat
    return int(guide_of(env.game).view(record, seat, np.uint64(1)))


def test_truc_a_node_knows_the_own_cards_and_nobody_elses():
    """p3 answers p0's truc: its pieces and its envit make the node, p0's cards do not."""
    weak, equal, strong = "5C 5B 4C", "5E 6B 4E", "1E 7E 4C"
    others = ("3O 4O 6O", "3B 2C 6E")
    nodes = {
        hand: truc_node(("11B 10O 4B", *others, hand), ["p0 truc"], 3)
        for hand in (weak, equal, strong)
    }
    assert nodes[weak] == nodes[equal] != nodes[strong]
    assert truc_node(("4E 12O 4B", *others, weak), ["p0 truc"], 3) == nodes[weak]


def test_truc_cards_are_called_by_their_rank_and_nobody_gives_up():
    env = deal("4B 11B 3O", hands=1).unwrapped
    record, guide = env.game.plain(env.states)[0], guide_of(env.game)
    for rank, card in enumerate(("11B", "3O", "4B")):
        assert guide.label(record, env.parse_action(f"play {card}")) == rank
    found = agents.load(env.game, "ismcts:60", hands=1).search(env.states, 0, streams(1))
    assert found.visits[env.parse_action("me'n vaig")] == 0
    assert found.visits[env.parse_action("truc")] > 0


def met(game, turns=90, every=6):
    """Records of random play: at every sixth turn one of each phase that four games are in."""
    batch, player, rngs = Batch(game, 4, seed=6), agents.load(game, "random"), streams(6, 4)
    for turn in range(turns):
        if turn % every == 0:
            for row in np.unique(batch.states["phase"], return_index=True)[1]:
                yield batch.states[row : row + 1].copy().view(np.recarray)
        batch.step(ask(player, batch, rngs))


def twins(game, chance):
    """Pairs of records of the same view: hidden cards exchanged, another sealed choice."""
    for record in met(game):
        seat = int(record["turn"][0])
        other = record.copy().view(np.recarray)
        slots = Slots(other, game.hidden(other[0], seat))
        for a, b in slots.pairs(chance, 4):
            slots.swap(a, b)
            if game.is_possible(other[0], seat):
                yield record, other.copy().view(np.recarray)
            slots.restore()
        for place, value in slots.choices(chance, 1):
            other[0][place.field][place.index] = value
            yield record, other.copy().view(np.recarray)


@pytest.mark.parametrize("env_id", list(GAMES))
def test_hidden_things_change_no_decision(env_id):
    game, pairs = GAMES[env_id], list(twins(GAMES[env_id], random.Random(8)))
    assert len(pairs) > 20
    for spec in SPECS:
        agent = agents.load(game, spec)
        for pair in pairs:
            found = [look_for_it(game, agent, states) for states in pair]
            assert found[0].visits.tolist() == found[1].visits.tolist()
            assert found[0].values.tolist() == found[1].values.tolist()


def look_for_it(game, agent, states):
    """What a search finds for the seat to act, the world being drawn first as for every search."""
    rng = streams(4)
    world = worlds_of(game, states, states["turn"], rng)
    return agent.search(world, int(states["turn"][0]), rng)


# How the tree counts


def test_each_seat_is_credited_its_own_reward():
    """Seats 0 and 2 are a team and share the reward; seat 1 loses it."""
    tree = new_tree(4)
    node = node_of(tree, np.uint64(7))
    for depth, seat in enumerate((0, 1, 2)):
        tree.path[depth], tree.actors[depth] = new_edge(tree, node, depth), seat
    back_up(tree, 3, np.array([0.5, -0.5, 0.5, -0.5]), 0, False, True)
    assert tree.total[:3].tolist() == [0.5, -0.5, 0.5]
    assert tree.visits[:3].tolist() == [1, 1, 1]
    assert tree.moments[[SUM, SQUARES]].tolist() == [0.5, 0.25]
    assert tree.size[[ROUNDS, IMAGINED]].tolist() == [1, 0]


def test_a_habit_is_what_was_chosen_most():
    """Three visits count nine, one counts one; the playout's player, who stands for one, too."""
    tree = new_tree(4)
    node = node_of(tree, np.uint64(7))
    tree.visits[[new_edge(tree, node, action) for action in range(3)]] = 3, 1, 5
    meant = np.array([10, 11, NOWHERE])  # the last one is not available
    bits = np.array([k * 2**64 // 11 + 2**58 for k in range(11)], np.uint64)
    drawn = [habit(tree, node, meant, 1, b) for b in bits]
    assert sorted(drawn) == [NOWHERE] + 9 * [10] + [11]
    assert habit(tree, NOWHERE, meant, 1, bits[0]) == NOWHERE


def test_a_full_tree_goes_on_without_new_nodes():
    tree = new_tree(2)
    assert [node_of(tree, np.uint64(key)) for key in (5, 9, 5, 13, 9)] == [0, 1, 0, -1, 1]
    assert [new_edge(tree, 0, action) for action in range(3)] == [0, 1, -1]


# Asking


@pytest.mark.parametrize("env_id", ["kuhn", "truc_v0", "quatre_duros_v0"])
@pytest.mark.parametrize("spec", SPECS)
def test_rows_do_not_depend_on_each_other(env_id, spec):
    game = KUHN if env_id == "kuhn" else GAMES[env_id]
    batch = Batch(game, 6, seed=2)
    together = ask(agents.load(game, spec), batch, streams(9, 6))
    assert together.shape == (6,)
    for row in (4, 0):
        agent, rng = agents.load(game, spec), streams(9, 6)[row : row + 1]
        assert ask(agent, batch, rng, np.array([row])) == together[row : row + 1]


def test_one_choice_needs_no_thought():
    env = position(["9", "3 4"], pile="5", down=["", "6"])
    assert decide(env, "ismcts:1000") == "play 9"
    agent = agents.load(env.game, "ismcts:1000", **env.config)
    assert agent.search(env.states, 0, streams(1)).rounds == 0


def test_time_is_looked_at_until_it_is_up(monkeypatch):
    """A clock that gives every iteration a millisecond."""
    now = [0.0]
    monkeypatch.setattr("agents.search.time.perf_counter", lambda: now[0])
    agent = agents.load(KUHN, "ismcts:50ms")

    def think(rounds):
        now[0] += rounds / 1000

    assert 50 <= agent._spend(think) <= 50 + FIRST_CHUNK
    assert agent.name == "ismcts:50ms"


@pytest.mark.parametrize(
    "spec",
    ["ismcts", "ismcts:", "ismcts:0", "ismcts:-3", "pimc:1e3", "ismcts:50s", "ismcts:ms",
     "ismcts:1000:", "ismcts:1000:stong", "pimc:20000001", "ismcts:٣"],
)  # fmt: skip
def test_other_texts_are_answered_by_what_is_allowed(spec):
    with pytest.raises(ValueError, match=r"ismcts:1000, ismcts:50ms or pimc:200:random; METHOD"):
        agents.load(KUHN, spec)


def test_the_playouts_player_is_part_of_the_name():
    assert agents.load("balco_v0", "pimc:3:simple").name == "pimc:3:simple"


# What scores are worth


def promise(env_id, edit, **options):
    """What every seat is promised between two hands."""
    game = GAMES[env_id]
    config = game.configure(**options)
    states = game.new_states(1, config)
    edit(states[0])
    guide, paid = guide_of(game), np.zeros(game.dtype["reward"].shape[0])
    guide.outlook(game.plain(states)[0], False, guide.scores(config), paid)
    return paid[: config["num_players"]]


def truc_scores(ours, theirs, dealer, legs=(0, 0)):
    def edit(record):
        record.score[:], record.dealer, record.legs_won[:] = (ours, theirs), dealer, legs

    return edit


def test_truc_scores_promise_the_contrary_to_the_other_team():
    for score in ((0, 0), (23, 23), (20, 11)):
        even = promise("truc_v0", truc_scores(*score, dealer=1))
        odd = promise("truc_v0", truc_scores(*score[::-1], dealer=2))
        assert even == pytest.approx([even[0], -even[0]] * 2)
        assert even == pytest.approx(-odd)
    ahead = [promise("truc_v0", truc_scores(n, 12, dealer=1))[0] for n in range(24)]
    assert ahead == sorted(ahead)
    assert ahead[23] > 0.6


def test_truc_legs_to_come_are_even():
    """One leg up in best of three: the match is won with the leg, and half the time without it."""
    even = promise("truc_v0", truc_scores(0, 0, 1), legs=3)[0]
    leg = (promise("truc_v0", truc_scores(0, 0, 1))[0] + 1) / 2
    up = promise("truc_v0", truc_scores(0, 0, 1, legs=(1, 0)), legs=3)[0]
    assert even == pytest.approx(2 * (leg * 0.75 + (1 - leg) * 0.25) - 1)
    assert up == pytest.approx(2 * (leg + (1 - leg) / 2) - 1)


def puc_scores(record):
    record.score[:3] = 10, 20, 60
    record.hand_number = 7


def test_puc_scores_promise_what_the_match_would_pay():
    points = promise("puc_v0", puc_scores, num_players=3)
    assert points == pytest.approx([(40 - 10) / 100, (35 - 20) / 100, (15 - 60) / 100])
    ranks = promise("puc_v0", puc_scores, num_players=3, reward="rank")
    assert ranks.sum() == pytest.approx(0)
    assert ranks[0] > ranks[1] > 0 > ranks[2]


def test_quatre_duros_coins_promise_a_share_of_the_match():
    def coins(record):
        record.coins[:5] = 4, 4, 0, 10, 2

    shares = promise("quatre_duros_v0", coins)
    assert shares.sum() == pytest.approx(0)
    assert shares[0] == shares[1]
    assert shares[3] > shares[0] > shares[4] > shares[2] > -0.25
    equal = promise("quatre_duros_v0", lambda record: None)
    assert equal == pytest.approx(np.zeros(5))
