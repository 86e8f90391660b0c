"""Tables of 4 Duros for tests, dealt and played in card and action texts."""

import numpy as np

from envs import GAMES
from envs.quatre_duros_v0 import raw_env

PACK = GAMES["quatre_duros_v0"].cards.texts


def order(dealer, num_players):
    return [(dealer + k) % num_players for k in range(1, num_players + 1)]


def deck_of(cards, dealer, stock=""):
    """A deck that deals these cards: a text with one card per seat, ``-`` for a seat without."""
    by_seat = cards.split()
    top = [by_seat[s] for s in order(dealer, len(by_seat)) if by_seat[s] != "-"] + stock.split()
    return top + [card for card in PACK if card not in top]


def table(cards, dealer=None, coins=None, stock="", then=(), coins_each=4, **options):
    """An env with these cards dealt, by default by the last seat; ``then`` are the next decks."""
    num_players = len(cards.split())
    dealer = num_players - 1 if dealer is None else dealer
    env = raw_env(num_players=num_players, coins=coins_each, **options)
    given = {"decks": [deck_of(cards, dealer, stock), *then], "dealer": dealer}
    env.reset(seed=1, options=given | ({} if coins is None else {"coins": coins}))
    return env


def play(env, text):
    """Play ``"0 exchange, 1 stand"``: every action with the seat that has to make it."""
    for part in text.split(", "):
        seat, _, action = part.partition(" ")
        assert env.agent_selection == f"player_{seat}", (part, env.agent_selection)
        env.step(env.parse_action(action))
    return env


def seen(env, seat):
    return env.decode(env.observe(f"player_{seat}"))


def coins(env):
    return seen(env, 0)["coins"].tolist()


def centre(env):
    return int(seen(env, 0)["centre"][0])


def hands(env):
    """Cards by seat as one text."""
    zones = env.zones()
    return " ".join((zones[f"hand_{s}"] or ["-"])[0] for s in range(len(env.possible_agents)))


def legal(env):
    mask = env.observe(env.agent_selection)["action_mask"]
    return " ".join(env.action_text(a).replace(" ", "") for a in np.flatnonzero(mask))


def dealer(env):
    return int(seen(env, 0)["dealer"].argmax())


def card_flags(text):
    """The fourteen flags of a card in the observation."""
    flags = [0] * 14
    if text != "??":
        flags[["1", "2", "3", "4", "5", "6", "7", "10", "11", "12"].index(text[:-1])] = 1
        flags[10 + "OCEB".index(text[-1])] = 1
    return flags


def known(env, seat):
    """The cards a seat knows, by absolute seat, as one text."""
    rows = np.roll(seen(env, seat)["cards"], seat, axis=0).tolist()
    texts = {tuple(card_flags(text)): text for text in [*PACK, "??"]}
    return " ".join(texts[tuple(row)] for row in rows)
