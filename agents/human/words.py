"""What is done at the table, in a person's language."""

import re

from agents.human.acts import Act
from agents.human.language import Language
from envs.core.aec import GameEnv
from envs.core.cards import pretty_words

_STEPS = re.compile(r"\+(\d+)$")  # so many seats to the right


def act_words(words: str, actor: int | None, env: GameEnv, language: Language) -> str:
    """An action in words; where it names a seat by steps to the right, with that seat."""
    said, steps = language.say(pretty_words(words, env.game.cards.style)), _STEPS.search(words)
    if not steps or actor is None:
        return said
    other = (actor + int(steps[1])) % len(env.possible_agents)
    return f"{said} → {language.player(other)}"


def heard_words(act: Act, viewer: int | None, env: GameEnv, language: Language) -> str:
    """An act, and what it brought, as far as a seat may know it; None is everybody together."""
    heard = act.heard(viewer)
    if heard is None:
        return language.text("secret")
    said, news = act_words(heard, act.seat, env, language), act.news.get(viewer)
    if not news:
        return said
    return f"{said} → {language.say(pretty_words(news, env.game.cards.style))}"
