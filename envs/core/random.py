"""The random stream of a game: counter-based, inside the record, the same on every machine.

A record holds ``rng = [key, draws]``. The key names the game. Three kinds of chance use it:

* the deck of hand number h is a function of (key, h) alone, whatever was drawn before;
* other draws (a dealer, a signal caught, a card flipped) count up ``draws``;
* the next game of a slot has ``next_key(key)``.

So play inside one hand never shifts the next deal. The mixing function is the finaliser of
SplitMix64 (Steele, Lea, Flood 2014). A draw below n has a bias under n / 2**32.
"""

import numpy as np

from envs.core.jit import COMPILED, rule

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_NEXT_GAME = np.uint64(0xD1B54A32D192ED03)
_DECK = np.uint64(0x8CB92BA72F3D8DD7)
_DRAW = np.uint64(0xABC98388FB8FAC03)
_HIGH = np.uint64(32)

KEY, DRAWS = 0, 1


@rule
def _mix(x):
    x = np.uint64(x) + _GOLDEN
    x = (x ^ (x >> np.uint64(30))) * _MIX_1
    x = (x ^ (x >> np.uint64(27))) * _MIX_2
    return x ^ (x >> np.uint64(31))


if COMPILED:
    mix = _mix
else:

    def mix(x):
        """The uncompiled form: wrap-around is meant, so NumPy's overflow warning is silenced."""
        with np.errstate(over="ignore"):
            return _mix(np.uint64(x))


@rule
def combine(a, b):
    """A new uint64 from two."""
    return mix(np.uint64(a) ^ mix(np.uint64(b)))


@rule
def next_key(key):
    """The key of the game that follows in the same slot."""
    return combine(key, _NEXT_GAME)


@rule
def scale(bits, n):
    """Random 64 bits to an integer in [0, n)."""
    return np.int64((np.uint64(np.uint64(bits) >> _HIGH) * np.uint64(n)) >> _HIGH)


@rule
def draw_below(state, n):
    """A uniform integer in [0, n) from the record's own stream."""
    state.rng[1] = np.uint64(state.rng[1]) + np.uint64(1)
    return scale(combine(np.uint64(state.rng[0]) ^ _DRAW, state.rng[1]), n)


@rule
def draw_unit(state):
    """A uniform float in [0, 1) from the record's own stream."""
    state.rng[1] = np.uint64(state.rng[1]) + np.uint64(1)
    bits = combine(np.uint64(state.rng[0]) ^ _DRAW, state.rng[1])
    return np.float64(np.uint64(bits) >> np.uint64(11)) / 9007199254740992.0


@rule
def shuffle(cards, n, stream):
    """Fisher-Yates over the first n places; ``stream`` (uint64) alone decides the order."""
    for i in range(n - 1, 0, -1):
        j = scale(combine(stream, np.uint64(i)), i + 1)
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card


@rule
def deck_stream(state, hand):
    """The stream that shuffles the deck of hand number ``hand`` of this game."""
    return combine(np.uint64(state.rng[0]) ^ _DECK, np.uint64(hand))


@rule
def reseed(state, stream):
    """Replace the record's random fields: what a determinised copy draws next is its own."""
    state.rng[0] = combine(stream, _NEXT_GAME)
    state.rng[1] = np.uint64(0)


def key_from_seed(seed: int) -> np.uint64:
    """The game key of an environment seed."""
    return np.uint64(mix(np.uint64(seed & 0xFFFFFFFFFFFFFFFF)))


def key_after(key: np.uint64) -> np.uint64:
    """``next_key`` for callers outside compiled code."""
    return np.uint64(next_key(np.uint64(key)))


def game_seed(seed: int, game: int) -> int:
    """The single-environment seed of game ``game`` in a batch seeded with ``seed``."""
    with np.errstate(over="ignore"):
        bits = combine(np.uint64(seed & 0xFFFFFFFFFFFFFFFF), np.uint64(game))
    return int(bits) >> 1
