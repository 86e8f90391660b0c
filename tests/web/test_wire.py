"""What a seat cannot see is not in the bytes that its page receives."""

import random

import pytest

from envs.conformance.slots import Slots
from envs.core.cards import pretty
from tests.web.tables import Client

GAMES = {
    "truc_v0": (4, {"signals": "risky"}),
    "puc_v0": (3, {"only_hand": 1}),
    "balco_v0": (3, {}),
    "quatre_duros_v0": (5, {}),
    "poker_builder_v0": (2, {"hide_discards": True}),
}
DECISIONS, SWAPS = 60, 3
HINTS = 3  # how many positions are looked at with a hint


def received(client: Client, token: str, hint: bool = False) -> bytes:
    """Everything that the page gets without playing."""
    paths = [f"/api/matches/{token}", *([f"/api/matches/{token}/hint"] if hint else [])]
    answers = [client.http.get(path) for path in paths]
    assert all(answer.status_code == 200 for answer in answers)
    return b"".join(answer.content for answer in answers)


@pytest.mark.parametrize("game", GAMES)
def test_exchanging_hidden_cards_changes_no_byte(tmp_path, monkeypatch, game):
    monkeypatch.setattr("agents.hints.SEARCH", "ismcts:30")
    players, options = GAMES[game]
    client, chance = Client(tmp_path), random.Random(5)
    tokens = client.create(game, ["person"] * players, 2, **options)
    match = client.store.find(tokens[0]).match
    swaps = told = hints = 0
    for _ in range(DECISIONS):
        if match.over:
            break
        turn, viewer = match.turn, chance.randrange(players)
        env, record = match.env, match.env.states[0]
        slots = Slots(env.states, env.game.hidden(record, viewer))
        hint = viewer == turn and hints < HINTS
        before, owner = received(client, tokens[viewer], hint), received(client, tokens[turn])
        for a, b in slots.pairs(chance, SWAPS):
            slots.swap(a, b)
            if env.game.is_possible(record, viewer):
                env.refresh()
                swaps, hints = swaps + 1, hints + hint
                assert received(client, tokens[viewer], hint) == before
                told += received(client, tokens[turn]) != owner
            slots.restore()
        for place, value in slots.choices(chance, SWAPS):
            record[place.field][place.index] = value
            env.refresh()
            assert received(client, tokens[viewer], hint) == before
            slots.restore()
        env.refresh()
        page = client.get(f"matches/{tokens[turn]}")
        client.act(tokens[turn], page, chance.choice(page["actions"])["id"])
    assert swaps > 20 and hints
    assert told, "the exchanges changed no page of the seat to act, who sees some of these cards"


@pytest.mark.parametrize(
    ("game", "players", "options", "words"),
    [
        ("poker_builder_v0", 2, {}, "bet "),
        ("balco_v0", 3, {}, "keep up "),
        ("truc_v0", 4, {"signals": "partner"}, "senya "),
    ],
)
def test_what_is_done_in_secret_is_not_told(tmp_path, game, players, options, words):
    """Two matches that differ in what one seat did in secret look the same to its opponent."""
    pages = []
    for choice in (0, -1):
        client = Client(tmp_path / str(choice))
        tokens = client.create(game, ["person"] * players, 2, **options)
        turn = client.get(f"matches/{tokens[0]}")["turn"]
        page = client.get(f"matches/{tokens[turn]}")
        acts = [action for action in page["actions"] if action["words"].startswith(words)]
        client.act(tokens[turn], page, acts[choice]["id"])
        told = client.get(f"matches/{tokens[turn]}")["log"]
        assert told == [{"seat": turn, "words": acts[choice]["words"], "hand": 0, "result": ""}]
        pages.append(received(client, tokens[(turn + 1) % players]))
    assert pages[0] == pages[1]
    assert b"in secret" in pages[0]


def test_a_card_of_the_stock_is_told_to_whoever_drew_it_alone(tmp_path):
    """Two matches that differ in the top of the stock: only its owner's bytes tell them apart."""
    pages = []
    for other in (False, True):
        client = Client(tmp_path / str(other))
        tokens = client.create("puc_v0", ["person"] * 3, 2)
        match = client.store.find(tokens[0]).match
        record, drawer = match.env.states[0], match.turn
        top, end = int(record.stock_top), int(record.stock_end)
        if other:
            place = next(p for p in range(top, end) if record.deck[p] != record.deck[top])
            record.deck[[top, place]] = record.deck[[place, top]]
            match.env.refresh()
        card = pretty(match.env.game.cards.text(record.deck[top]))
        for words in ("draw", "no puc", "no puc"):
            page = client.get(f"matches/{tokens[match.turn]}")
            ids = {action["words"]: action["id"] for action in page["actions"]}
            client.act(tokens[match.turn], page, ids[words])
        told = client.get(f"matches/{tokens[drawer]}")["log"][-1]["words"]
        assert told == f"no puc → Player {drawer} draws {card}"
        pages.append([received(client, tokens[(drawer + step) % 3]) for step in range(3)])
    assert pages[0][0] != pages[1][0]
    assert pages[0][1:] == pages[1][1:]
    assert b"draws" not in pages[0][1] + pages[0][2]


def test_a_card_of_the_discards_is_told_to_all(tmp_path):
    client = Client(tmp_path)
    tokens = client.create("puc_v0", ["person"] * 3, 2)
    match = client.store.find(tokens[0]).match
    card = pretty(match.env.zones()["discard"][-1])
    page = client.get(f"matches/{tokens[match.turn]}")
    assert page["actions"][0]["words"] == "take"
    page = client.act(tokens[match.turn], page, page["actions"][0]["id"])
    zones = {zone["name"]: zone["cards"] for zone in page["table"]["seats"][page["seat"]]["zones"]}
    assert zones["known to all"] == [card]
    for token in tokens.values():
        assert client.get(f"matches/{token}")["log"][-1]["words"] == f"take → {card}"


def test_the_seed_is_not_told(tmp_path):
    client = Client(tmp_path)
    seed = 918273645546372
    token = client.create("truc_v0", ["person", "random", "random", "random"], seed)[0]
    assert str(seed).encode() not in received(client, token)
