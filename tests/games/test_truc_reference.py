"""The engine against the second implementation: who acts, what is legal, score, rewards, views.

Random play over random combinations of all options. ``NAIPS_LONG=1`` plays twenty times as much.
"""

import os
import random
from collections import Counter

import numpy as np
import pytest

from envs import truc_v0
from envs.truc import GAME
from envs.truc.record import OPTIONS
from tests.games.reference_truc import (
    ENVIT_CALLS,
    NUMBERS,
    PACK,
    SUITS,
    TIE,
    TRUC_CALLS,
    Truc,
    envit_of,
    level,
)

LONG = bool(os.environ.get("NAIPS_LONG"))
OPTION_SETS = 30
MATCHES = 60 if LONG else 3
VALUES = {
    option.name: {
        "signal_catch": (0.0, 0.25, 1.0),
        "target": (24, 24, 12, 9, 31),
        "hands": (None, None, None, 1, 3, 8),
        "first_tie": ("stack", "stack", "stack", "three_tricks"),
    }.get(option.name, option.choices)
    for option in OPTIONS
}
WEIGHTS = {"me'n vaig": 0.01, "no vull": 0.2} | dict.fromkeys(TRUC_CALLS, 0.3)
WORDS = ["passo", "amo", "segon", "llengua", "marilla", "tres", "dos", "asos borts", "res",
         "la reservada", "tapada", "vine a mi", "pitja"]  # fmt: skip
ENVIT_STATES = ["unopened", "called", "accepted", "refused"]
PHASES = ["play", "truc", "envit", "window", "talk"]


def option_set(k):
    """The k-th combination: its players and a value for every option."""
    rng = random.Random(k)
    options = {name: rng.choice(values) for name, values in VALUES.items()}
    options["legs"] = rng.choice((1, 1, 3))
    return (4, 6, 8)[k % 3], options


def tying_deck(rng, players, twos):
    """A deck that deals few different numbers, so that tricks tie."""
    numbers = [n for n in NUMBERS if n != 2 or twos == "after_threes"]
    rng.shuffle(numbers)
    if rng.random() < 0.5:
        numbers.sort(key=[1, 7, 10, 11].count)  # of these not all suits are equal
    deck = [f"{number}{suit}" for number in numbers for suit in SUITS]
    dealt = -(-3 * players // 4) * 4
    return [*rng.sample(deck[:dealt], dealt), *deck[dealt:]]


def hands_of(env):
    """Every seat's cards, right after the deal."""
    zones = env.unwrapped.zones()
    return {seat: zones[f"hand_{seat}"] for seat in range(env.unwrapped.config["num_players"])}


def legal_texts(env):
    mask = env.unwrapped.last()[4]["action_mask"]
    return {env.unwrapped.action_text(int(a)) for a in np.flatnonzero(mask)}


def compare(env, match):
    """Whose turn it is, what is legal, the score and the rewards."""
    raw = env.unwrapped
    assert raw.states[0].over == match.over
    assert raw.infos["player_0"]["score"] == tuple(match.score)
    assert raw.infos["player_0"]["legs"] == tuple(match.legs)
    rewards = [raw.rewards[f"player_{seat}"] for seat in range(match.players)]
    assert np.allclose(rewards, match.rewards, atol=1e-6)
    if not match.over:
        assert raw.agent_selection == f"player_{match.turn}"
        assert legal_texts(env) == match.legal


def compare_zones(env, match):
    zones = env.unwrapped.zones()
    assert sorted(c for cards in zones.values() for c in cards) == sorted(
        c for c in PACK if match.options["twos"] == "after_threes" or c[:-1] != "2"
    )
    for seat in range(match.players):
        assert set(zones[f"hand_{seat}"]) == set(match.hands[seat])
        assert zones.get(f"under_{seat}", []) == [match.under[s] for s in match.under if s == seat]
    for t in range(3):
        played = match.tricks[t] if t < len(match.tricks) else {}
        assert sorted(zones[f"trick_{t + 1}"]) == sorted(played.values())


def one_of(index, length):
    """A one-hot list; None is all zero."""
    return [int(i == index) for i in range(length)]


def card_code(card, players):
    """Level, the fives first, and suit."""
    if card is None:
        return [0] * 21
    return one_of(level(card, players) + 1, 17) + one_of(SUITS.index(card[-1]), 4)


def expected_view(match, seat):
    """What the seat's observation is to say, section by section, from the rules alone."""
    n, us = match.players, seat % 2
    ring = match.from_(seat)
    rel = ring.index
    held = {s: [*match.hands[s], *([match.under[s]] if s in match.under else [])] for s in ring}
    trick = max(len(match.tricks) - 1, 0)
    calls = {call: (caller, t, i + 1) for i, (caller, call, t) in enumerate(match.calls)}
    words = [*TRUC_CALLS, *ENVIT_CALLS]
    said = {(call, s): ("vull", "no vull").index(answer) for call, s, answer in match.answers}
    team = {None: 2, us: 0, 1 - us: 1}
    last = match.last_envit

    def waiting(call, names):
        if call is None:
            return [0] * 6
        step = call[1] - 1 if isinstance(call[1], int) else names.index(call[1])
        return one_of(step, 4) + one_of(call[0] % 2 != us, 2)

    def heard(t, s):
        word = match.said.get((t, s))
        if word is None:
            return [0] * 13
        known = word if seat in match.saw[t, s] or s == seat else "passo"
        return one_of(WORDS.index(known.removeprefix("senya ")), 13)

    view = {
        "hand": [int(c in held[seat]) for c in PACK],
        "played": [
            card_code(match.tricks[t].get(s) if t < len(match.tricks) else None, n)
            for t in range(3)
            for s in ring
        ],
        "under": [
            card_code(match.under.get(s) if s == seat or is_shown(match, s) else None, n)
            for s in ring
        ],
        "leader": one_of(rel(match.leader), n),
        "turn": one_of(None if match.over else rel(match.turn), n),
        "ma": one_of(rel(match.place(0)), n),
        "peus": [int(s in (match.peu(0), match.peu(1))) for s in ring],
        "trick": one_of(trick, 3),
        "results": [
            one_of(
                {us: 0, 1 - us: 1, TIE: 2}[match.results[t]] if t < len(match.results) else None, 3
            )
            for t in range(3)
        ],
        "stacked": [int(match.stacked)],
        "callers": [one_of(rel(calls[w][0]) if w in calls else None, n) for w in words],
        "call_tricks": [one_of(calls[w][1] if w in calls else None, 3) for w in words],
        "call_order": [calls[w][2] if w in calls else 0 for w in words],
        "answers": [[one_of(said.get((w, s)), 2) for s in ring] for w in words],
        "truc_level": one_of(match.accepted, 5),
        "envit": one_of(ENVIT_STATES.index(match.envit), 4),
        "envit_level": one_of(
            0 if match.envit_level is None else 1 + ENVIT_CALLS.index(match.envit_level), 5
        ),
        "score": [match.score[us], match.score[1 - us]],
        "legs": [match.legs[us], match.legs[1 - us]],
        "last_envit": [0, 0, 0] if last is None else [last[0], last[1] == us, last[1] != us],
        "my_envit": [envit_of(match.dealt[seat], match.options)],
    }
    if not match.over:
        view["phase"] = one_of(PHASES.index(match.phase), 5)
        view["truc_call"] = waiting(match.pending, TRUC_CALLS)
        view["envit_call"] = waiting(match.envit_call, ENVIT_CALLS)
        view["raise_right"] = one_of(team[match.right], 3)
    if match.options["signals"] in ("partner", "risky", "public"):
        view["talk"] = [heard(t, s) for t in range(3) for s in ring]
    if match.options["signals"] == "open_hands":
        view["partners"] = [[int(c in held[s]) for c in PACK] for s in ring[2::2]]
    if match.options["reveal_envit"]:
        view["last_envits"] = [0] * n if last is None else [last[2][s] for s in ring]
    return view


def is_shown(match, seat):
    """T3: only the players whose tops tied show."""
    return match.shown and seat in match._best(match.tricks[1])


def compare_view(env, match, seat):
    seen = env.unwrapped.decode(env.unwrapped.observe(f"player_{seat}"))
    for name, expected in expected_view(match, seat).items():
        assert np.array_equal(seen[name].ravel(), np.array(expected).ravel()), name


def learn_who_saw(env, match):
    """Chance of ``risky`` signals is the engine's; all else about them is checked."""
    if match.options["signals"] != "risky":
        return
    for (trick, speaker), sure in match.saw.items():
        bits = int(env.unwrapped.states[0].seen[trick, speaker])
        word = match.said[trick, speaker]
        saw = {s for s in range(match.players) if bits >> s & 1}
        if word != "passo":
            assert sure <= saw
            if match.options["signal_catch"] in (0.0, 1.0) and word not in ("vine a mi", "pitja"):
                assert len(saw) == match.players // (1 if match.options["signal_catch"] else 2)
        match.saw[trick, speaker] = saw


def choose(rng, match):
    """Folding is rare, or nothing deep would ever be seen; ties are sought."""
    actions = sorted(match.legal)
    return rng.choices(actions, [WEIGHTS.get(a, 6 if ties(match, a) else 1) for a in actions])[0]


def ties(match, action):
    """It is a card equal to the best one on the table."""
    if not action.startswith("play ") or not match.tricks[-1]:
        return False
    levels = [level(card, match.players) for card in match.tricks[-1].values()]
    return level(action.removeprefix("play "), match.players) == min(levels)


def play_match(env, seed, reached):
    """One match through both; raises at the first difference."""
    raw, rng = env.unwrapped, random.Random(seed)
    options = raw.config
    players = options["num_players"]
    decks = [tying_deck(rng, players, options["twos"]) for _ in range(8)]
    env.reset(seed=seed, options={"decks": decks, "dealer": rng.randrange(players)})
    match = Truc(players, options, int(raw.states[0].dealer), lambda: hands_of(env))
    compare(env, match)
    while not match.over:
        reached[match.phase] += 1
        reached["stack"] += match.stacked
        action = choose(rng, match)
        env.step(raw.parse_action(action))
        match.act(action)
        learn_who_saw(env, match)
        compare(env, match)
        if match.over or rng.random() < 0.25:
            compare_zones(env, match)
            compare_view(env, match, rng.randrange(match.players))
    reached["shown"] += match.stacks_shown


@pytest.fixture(scope="module")
def reached():
    return Counter()


@pytest.mark.parametrize("k", range(OPTION_SETS))
def test_engine_equals_the_reference(k, reached):
    players, options = option_set(k)
    env = truc_v0.env(num_players=players, **options)
    for match in range(MATCHES):
        play_match(env, 1000 * k + match, reached)


def test_every_phase_was_compared(reached):
    """Runs after the comparisons; alone it plays a few of its own."""
    if not reached:
        for k in range(6):
            players, options = option_set(k)
            for match in range(6):
                play_match(truc_v0.env(num_players=players, **options), match, reached)
    assert min(reached[phase] for phase in (*PHASES, "stack", "shown")) >= 5, reached


def test_every_option_value_is_in_some_set():
    sets = [option_set(k)[1] for k in range(OPTION_SETS)]
    for option in OPTIONS:
        used = {options[option.name] for options in sets}
        allowed = {1, 3} if option.name == "legs" else set(VALUES[option.name])
        assert used == allowed, option.name
    assert {option_set(k)[0] for k in range(OPTION_SETS)} == set(GAME.player_counts)
