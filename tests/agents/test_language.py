"""The three languages say the same things, and all that the games say."""

import random
import re
from functools import cache
from typing import Any

import pytest

import agents
from agents.human.acts import perform
from agents.human.choices import cards_of
from agents.human.language import CODES, language, preferred
from agents.human.players import meaning
from envs import GAMES
from envs.conformance.subject import choose
from envs.core.aec import GameEnv
from envs.core.cards import FRENCH_52, FRENCH_54, SPANISH_RANKS
from envs.core.table import Table
from envs.truc.view import WORDS

VARIANTS: dict[str, list[dict[str, Any]]] = {
    "truc_v0": [{"signals": "risky", "legs": 3, "reveal_envit": True}],
    "quatre_duros_v0": [{"stock_king_blocks": True}],
    "poker_builder_v0": [{"manual_showdown": True, "leftovers": "keep"}],
    "balco_v0": [{"may_take": True}],
    "puc_v0": [
        {"num_players": 8, "num_packs": 2, "only_hand": 7, "stock_exhausted": rule}
        for rule in ("reshuffle", "block")
    ],
}
CATALAN = {  # words of the games themselves, the same in every language
    *" ".join(WORDS.values()).lower().replace("'", " ").split(),
    "puc", "pucs", "trio", "duro", "duros", "peu", "mà", "dolentes", "bones", "envits", "full",
}  # fmt: skip
SAME = {"color", "pila", "envit"}


@cache
def spoken() -> set[str]:
    """Every phrase of every game's tables and actions in some random matches."""
    found: set[str] = set()
    for env_id, game in GAMES.items():
        for options in ({}, *VARIANTS[env_id]):
            env, chance = GameEnv(game, **options), random.Random(1)
            env.reset(seed=1)
            for n in range(400):
                if env.states["over"][0]:
                    found |= phrases(env.table("all"))
                    env.reset()
                if n % 5 == 0:
                    found |= phrases(env.table(chance.randrange(env.config["num_players"])))
                act = perform(env, choose(env, chance))
                found |= {act.words, *act.news.values()}
    return found


def phrases(table: Table) -> set[str]:
    zones = [*table.centre, *(zone for seat in table.seats for zone in seat.zones)]
    values = [table.values, *(seat.values for seat in table.seats)]
    return {
        table.phase,
        *table.log,
        *(text for zone in zones for text in (zone.name, zone.note)),
        *(tag for seat in table.seats for tag in seat.tags),
        *(text for of in values for name, value in of.items() for text in (name, str(value))),
    }


@pytest.mark.parametrize("code", [code for code in CODES if code != "en"])
def test_all_that_the_games_say_is_translated(code):
    """What is left as it was, word by word, is a card, a Catalan term or the same word."""
    tongue = language(code)
    cards = {*FRENCH_54.texts, *SPANISH_RANKS.texts, *FRENCH_52.texts}
    left = set()
    for text in spoken():
        rest = re.sub(tongue._pattern, " ", text)
        words = {word for word in re.split(r"[^\w=]+", rest) if not re.search(r"\d|_|=", word)}
        left |= {word for word in words if word.lower() not in CATALAN and word not in cards}
    assert {word for word in left if len(word) > 1} <= SAME


def test_one_of_a_kind_is_no_plural():
    plurals = [text for text in spoken() if re.search(r"\b1 (?!is\b)\w+s\b", text)]
    assert not plurals
    for code, one, more in (
        ("en", "1 trio, 1 run", "2 trios, 2 runs"),
        ("ca", "1 trio, 1 escala", "2 trios, 2 escales"),
        ("es", "1 trío, 1 escalera", "2 tríos, 2 escaleras"),
    ):
        say = language(code).say
        assert (say("1 trio, 1 run"), say("2 trios, 2 runs")) == (one, more)


@pytest.mark.parametrize(
    ("code", "one", "more"),
    [("en", "1 round", "7 rounds"), ("ca", "1 ronda", "7 rondes"), ("es", "1 ronda", "7 rondas")],
)
def test_a_search_is_explained_by_its_budget(code, one, more):
    game, tongue = GAMES["puc_v0"], language(code)
    assert f" {one} " in meaning(game, "ismcts:1", tongue)
    assert f" {more} " in meaning(game, "ismcts:7", tongue)
    assert "50 ms" in meaning(game, "pimc:50ms", tongue)
    assert "strong" in meaning(game, "pimc:50:strong", tongue)


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("env_id", GAMES)
def test_every_agent_is_explained_and_no_two_alike(env_id, code):
    game = GAMES[env_id]
    specs = [*agents.specs(game)[:-1], "runs/mine-1"]
    said = {spec: meaning(game, spec, language(code)) for spec in specs}
    assert len(set(said.values())) == len(specs)
    assert language(code).text("agent_baseline") in said["baseline"]


def test_the_languages_have_the_same_texts_with_the_same_facts():
    facts = {
        code: {key: set(re.findall(r"{(\w+)}", text)) for key, text in language(code).page.items()}
        for code in CODES
    }
    assert facts["ca"] == facts["es"] == facts["en"]
    assert language("ca")._table.keys() == language("es")._table.keys()


@pytest.mark.parametrize(
    ("code", "text", "said"),
    [
        ("ca", "player_2 before trick 1: passo", "Jugador 2 abans de la basa 1: passo"),
        ("es", "extend high JK as AS", "alarga por arriba JK como AS"),
        ("ca", "player_1 names the suit of player_3's king",
         "Jugador 1 diu el coll del rei de Jugador 3"),
        ("en", "player_1's king is not of O", "Player 1's king is not of O"),
        ("ca", "displayed", "displayed"),
    ],
)  # fmt: skip
def test_phrases_are_said_whole(code, text, said):
    assert language(code).say(text) == said


@pytest.mark.parametrize(
    ("text", "style", "names"),
    [
        ("11B", "spanish", ("cavall de bastos", "caballo de bastos", "knight of clubs")),
        ("1O", "spanish", ("as d'oros", "as de oros", "ace of coins")),
        ("12", "spanish", ("rei", "rey", "king")),
        ("AC", "french", ("as de trèvols", "as de tréboles", "ace of clubs")),
        ("JK", "french", ("jòquer", "comodín", "joker")),
        ("JK=5", "spanish", ("jòquer com a 5", "comodín como 5", "joker as 5")),
        ("??", "french", ("carta tapada", "carta tapada", "face-down card")),
    ],
)
def test_cards_have_names(text, style, names):
    assert tuple(language(code).card(text, style) for code in ("ca", "es", "en")) == names


@pytest.mark.parametrize(
    ("wishes", "code"),
    [
        ("es-ES,es;q=0.9,ca;q=0.8", "es"), ("fr, ca;q=0.5", "ca"), ("ca_ES.UTF-8", "ca"),
        ("en;q=0.1, es;q=0.2", "es"), ("C", "en"), ("", "en"), ("*;q=x", "en"),
    ],
)  # fmt: skip
def test_the_language_that_is_wished_for_most(wishes, code):
    assert preferred(wishes) == code


def test_an_unknown_language_is_answered_with_those_there_are():
    with pytest.raises(ValueError, match="known: ca, en, es"):
        language("fr")


@pytest.mark.parametrize(
    ("words", "pack", "cards"),
    [
        ("play 5 JK=5", SPANISH_RANKS, ["5", "JK"]),
        ("shoot +1", SPANISH_RANKS, []),
        ("trio A: AC AC JK", FRENCH_54, ["AC", "AC", "JK"]),
        ("run AC: AC 2C 3C", FRENCH_54, ["AC", "2C", "3C"]),
        ("add JK to K", FRENCH_54, ["JK"]),
        ("extend high JK as AS", FRENCH_54, ["JK"]),
        ("replace JK by AC low", FRENCH_54, ["AC"]),
        ("joker low", FRENCH_54, []),
    ],
)
def test_the_cards_that_an_action_takes_from_the_hand(words, pack, cards):
    assert cards_of(words, pack) == cards
