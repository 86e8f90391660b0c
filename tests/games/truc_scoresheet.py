"""Truc in the words of a scoresheet: hands and play by position, ``p0`` at the dealer's right.

    env = deal("3O 12O 6C", "3C 12E 7C", "4E 5O 4C", "5B 6B 4B")
    play(env, "p0 3O", "p1 truc", "p2 vull", …)
    assert score(env) == (3, 0)

In a first hand dealt here p0 is ``player_0`` unless a dealer is named, so team A is p0's team.
"""

import numpy as np

from envs import truc_v0
from envs.truc.record import CARDS, pack

# Nobody's cards tie: A wins the tricks with p0's 1E and 12O; the envits are 4, 7, 27 and 4.
PLAIN = ("1E 12O 4C", "7E 11O 5C", "1B 12C 6B", "3O 10C 4B")
FIRST_TRICK = ("p0 1E", "p1 7E", "p2 1B", "p3 3O")
SECOND_TRICK = ("p0 12O", "p1 11O", "p2 12C", "p3 10C")
A_WINS = FIRST_TRICK + SECOND_TRICK
SIX = (*PLAIN, "2O 11C 6O", "2C 11E 6C")
EIGHT = (*SIX, "2E 10E 6E", "2B 10B 4E")
ENVIT_B = ("1E 12O 4C", "7E 6E 5C", "1B 12C 4O", "3O 10C 4B")  # p1 has 33, p2 4

# The first trick ties, then the tops tie; the hidden 7C of p1 beats the 6C of p0.
TIE = ("3O 12O 6C", "3C 12E 7C", "4E 5O 4C", "5B 6B 4B")
TIED = ("p0 3O", "p1 3C", "p2 4E", "p3 5B")
STACKS = ("p0 12O", "p1 12E", "p2 5O", "p3 6B")

FOLD = "me'n vaig"
BIDS = ("p0 truc", "p3 retruc", "p2 vol nou", "p3 joc fora")


def deck(hands, twos="after_threes"):
    """The deck that deals these hands from p0 on; the other cards follow by id."""
    top = [card for hand in hands for card in hand.split()]
    return top + [c for c in CARDS.texts_of(pack({"twos": twos})) if c not in top]


def deal(*hands, dealer=None, **options):
    """A match whose first hand is this one (by default the PLAIN one)."""
    env = truc_v0.env(**options)
    players = env.unwrapped.config["num_players"]
    hands = hands or PLAIN
    dealer = players - 1 if dealer is None else dealer
    twos = env.unwrapped.config["twos"]
    env.reset(seed=1, options={"deck": deck(hands, twos), "dealer": dealer})
    return env


def play(env, *lines):
    """Play lines such as ``p0 truc`` or ``p2 11B``; each must be that position's turn."""
    for line in lines:
        who, _, words = line.partition(" ")
        assert turn(env) == who, f"{line!r}, but it is the turn of {turn(env)}"
        raw = env.unwrapped
        is_card = words[-1] in "OCEB" and words[:-1].isdigit()
        env.step(raw.parse_action(f"play {words}" if is_card else words))
    return env


def record(env):
    return env.unwrapped.states[0]


def turn(env):
    """The position to act, or ``over``."""
    state = record(env)
    if state.over:
        return "over"
    return f"p{(int(state.turn) - int(state.dealer) - 1) % int(state.num_players)}"


def legal(env):
    """What may be done, in words; cards by their text alone."""
    actions = np.flatnonzero(env.unwrapped.last()[4]["action_mask"])
    return {env.unwrapped.action_text(int(a)).removeprefix("play ") for a in actions}


def score(env):
    """Points of team A (even seats) and of team B."""
    return env.unwrapped.infos[env.unwrapped.agents[0]]["score"]


def rewards(env):
    """What the latest action paid to player_0 and to player_1."""
    return env.unwrapped.rewards["player_0"], env.unwrapped.rewards["player_1"]


def at_score(env, a, b):
    """Put the match at a score."""
    for points in (record(env).score, record(env).total):
        points[:] = (a, b)
    env.unwrapped.refresh()
    return env


def seen(env, seat, section):
    """A section of a seat's observation, decoded."""
    raw = env.unwrapped
    return raw.decode(raw.observe(f"player_{seat}"))[section]
