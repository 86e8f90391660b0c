"""Pictures: valid, self-contained, repeatable SVG in which everything has its place."""

import random
import re
import xml.etree.ElementTree as ET
from itertools import combinations

import numpy as np
import pytest

from envs import GAMES
from envs.conformance.setup import run_bare
from envs.conformance.subject import choose
from envs.core import cards
from envs.core.aec import GameEnv
from envs.core.picture import card_svg, layout, raster, table_svg
from envs.core.picture.cards import any_card_svg, name_of
from envs.core.picture.counters import counter
from envs.core.picture.shapes import width_of
from envs.core.table import HIDDEN, SeatView, Table, Zone
from envs.truc.view import counter as truc_counter
from tests.toys import kuhn

PACKS = {
    "spanish": [*cards.SPANISH_52.texts, *cards.SPANISH_RANKS.texts[:-1], "JK=5", HIDDEN],
    "french": [*cards.FRENCH_54.texts, HIDDEN],
}
SVG = "{http://www.w3.org/2000/svg}"
TEXT = f"{SVG}text"


def played(env_id: str, players: int, decisions: int, **options) -> GameEnv:
    """A match after some random decisions."""
    env = GameEnv(GAMES[env_id], players, **options)
    env.reset(seed=1)
    chance = random.Random(1)
    for _ in range(decisions):
        if any(env.terminations.values()):
            env.reset()
        env.step(choose(env, chance))
    return env


def tables() -> list[tuple[str, int]]:
    """Fewest and most players of every game."""
    counts = {env_id: GAMES[env_id].player_counts for env_id in GAMES}
    return [(env_id, n) for env_id, of in counts.items() for n in sorted({min(of), max(of)})]


# Cards


@pytest.mark.parametrize("style", PACKS)
def test_every_card_has_a_drawing_of_its_own(style):
    drawn = [card_svg(text, style) for text in PACKS[style]]
    for svg in drawn:
        ET.fromstring(svg)
    assert len(set(drawn)) == len(drawn)


@pytest.mark.parametrize(
    ("text", "style", "name"),
    [
        ("1O", "spanish", "as d'oros"),
        ("11B", "spanish", "cavall de bastos"),
        ("12", "spanish", "rei"),
        ("7E", "spanish", "7 d'espases"),
        ("QS", "french", "reina de piques"),
        ("10H", "french", "10 de cors"),
        ("JK", "french", "jòquer"),
        ("JK=5", "spanish", "jòquer com a 5"),
        ("??", "french", "carta tapada"),
    ],
)
def test_cards_are_named_in_catalan(text, style, name):
    assert name_of(text, style) == name
    assert ET.fromstring(card_svg(text, style)).find(f"{SVG}title").text == name


@pytest.mark.parametrize(
    ("text", "style", "says"),
    [
        ("AS", "spanish", "'AS' is no card of the spanish deck, .* 1O … 12B, .*'french' has it"),
        ("11B", "french", "'11B' is no card of the french deck, .* AC … KS, .*'spanish' has it"),
        ("13O", "spanish", r"1O … 12B, 1 … 12, JK, JK=5, \?\?$"),
        ("1S", "french", r"AC … KS, J, Q, K, JK, JK=5, \?\?$"),
        ("", "spanish", "'' is no card"),
        ("AS", "tarot", "style='tarot': allowed are 'spanish', 'french'"),
    ],
)
def test_what_is_no_card_of_the_deck_is_answered_with_those_there_are(text, style, says):
    with pytest.raises(ValueError, match=says):
        card_svg(text, style)


def test_a_game_of_ones_own_may_have_other_cards():
    svg = any_card_svg("X7", "french")
    assert "X7" in [element.text for element in ET.fromstring(svg).iter(TEXT)]
    assert "X7" in table_svg(
        Table("", "french", None, "", None, [SeatView(0, [], [Zone("", ["X7"])])])
    )


def test_the_pintes_tell_the_suit():
    """Gaps in the line at the top: none, one, two, three."""
    from envs.core.picture.spanish import frame

    across = [len(re.findall(r"M[\d.]+,5\.5H", frame(suit))) for suit in "OCEB"]
    assert across == [1, 2, 3, 4]


def test_a_spanish_number_shows_so_many_pips():
    from envs.core.picture.spanish import pip_places

    assert [len(pip_places(n)) for n in range(1, 10)] == list(range(1, 10))


def test_a_french_number_shows_so_many_pips():
    from envs.core.picture.french import pips

    ranks = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10")
    assert [pips(rank, "H").count("translate") for rank in ranks] == list(range(1, 11))


# Tables


@pytest.mark.parametrize(("env_id", "players"), tables())
@pytest.mark.parametrize("seat", ["acting", "all"])
def test_tables_are_whole_and_stand_alone(env_id, players, seat):
    svg = table_svg(played(env_id, players, 150).table(seat))
    root = ET.fromstring(svg)
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(set(ids)) == len(ids)
    assert not list(root.iter(f"{SVG}image"))
    assert "http" not in svg.replace('xmlns="http://www.w3.org/2000/svg"', "")
    links = {element.get("href") for element in root.iter() if element.get("href")}
    assert links <= {f"#{name}" for name in ids}
    assert {f"seat-{n}" for n in range(players)} < set(ids)
    assert len(svg) < 300_000


@pytest.mark.parametrize(("env_id", "players"), tables())
def test_cards_and_words_stay_in_the_picture(env_id, players):
    root = ET.fromstring(table_svg(played(env_id, players, 150).table("all")))
    width, height = layout.PICTURE.width, layout.PICTURE.height
    drawn = root.find(f"{SVG}g")
    for element in drawn.iter(f"{SVG}use"):
        if element.get("class") == "card":
            x, y, w, h = (float(element.get(name)) for name in ("x", "y", "width", "height"))
            assert x >= 0 and x + w <= width
            assert y >= 0 and y + h <= height
            assert h >= 24, "too small to be read"
    for element in drawn.iter(TEXT):
        x, wide = float(element.get("x")), width_of(element.text, float(element.get("font-size")))
        start = {"middle": x - wide / 2, "end": x - wide}.get(element.get("text-anchor"), x)
        assert start >= 0 and start + wide <= width + 1, element.text
        assert 0 < float(element.get("y")) < height, element.text


def test_all_that_a_seat_knows_of_the_cards_is_drawn():
    table = played("puc_v0", 4, 400).table(1)
    root = ET.fromstring(table_svg(table))
    for seat in table.seats:
        group = root.find(f".//*[@id='seat-{seat.seat}']")
        shown = [e.get("data-card") for e in group.iter() if e.get("class") == "card"]
        assert shown == [card for zone in seat.zones if not zone.marks for card in zone.cards]


def test_what_is_said_is_escaped():
    seats = [SeatView(0, ['<b>"&'], [Zone('a"<', ["<&>", "1O"], "<note>")]), SeatView(1)]
    table = Table("<game>", "spanish", None, "&", 0, seats, log=["<!-- log"], values={"<v>": "&"})
    root = ET.fromstring(table_svg(table))
    assert root.find(f"{SVG}title").text == "<game>: &"
    assert "<!-- log" in root.find(f"{SVG}desc").text


@pytest.mark.parametrize("players", range(1, 13))
def test_seats_do_not_overlap(players):
    places = layout.places(players)
    boxes = [*places.seats, places.middle, places.left, places.right]
    assert len(places.seats) == players
    for box in boxes:
        assert box.x >= 0 and box.x + box.width <= layout.PICTURE.width
        assert box.y >= layout.HEAD and box.y + box.height <= layout.PICTURE.height
    for a, b in combinations(boxes, 2):
        apart = (
            a.x + a.width <= b.x
            or b.x + b.width <= a.x
            or a.y + a.height <= b.y
            or b.y + b.height <= a.y
        )
        assert apart, (a, b)


@pytest.mark.parametrize("number", [1, 2, 13, 26, 60])
@pytest.mark.parametrize("dense", [True, False])
def test_any_hand_fits_into_the_smallest_seat(number, dense):
    box = layout.places(12).seats[1].inner(10, 44, 10, 8)
    (spot,) = layout.fit([layout.Wish(number, 40, dense)], box, 96)
    assert len(set(spot.cards)) == number
    for x, y in spot.cards:
        assert box.x <= x and x + spot.height * layout.RATIO <= box.x + box.width + 0.1
        assert box.y <= y and y + spot.height <= box.y + box.height + 0.1


def test_T17_every_score_has_a_picture_of_its_own():
    box = layout.Box(0, 0, 100, 100)
    drawn = [
        re.sub("A: .*? ", "", counter(truc_counter(f"A: {n}", "C", n, 24), box, "spanish"))
        for n in range(1, 24)
    ]
    assert len(set(drawn)) == 23


def test_the_same_picture_in_another_process():
    code = "from tests.core.test_picture import *; print(hash_of(played('puc_v0', 5, 60)))"
    done = run_bare(code)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == hash_of(played("puc_v0", 5, 60))


def hash_of(env: GameEnv) -> str:
    import hashlib

    return hashlib.sha256(env.svg("all").encode()).hexdigest()


# The environment


@pytest.fixture
def match(monkeypatch):
    """Kuhn poker in a render mode, without a display unless one is named."""
    opened = []

    def make(mode: str, display: str | None = None, **arguments) -> GameEnv:
        for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
            monkeypatch.delenv(name, raising=False)
        if display:
            monkeypatch.setenv("SDL_VIDEODRIVER", display)
        env = kuhn.env(render_mode=mode, **arguments)
        env.reset(seed=1, options={"deck": "K J Q", "dealer": 0})
        opened.append(env)
        return env

    yield make
    for env in opened:
        env.close()


def test_rgb_array_needs_no_display(match):
    picture = match("rgb_array").render()
    assert picture.shape == (800, 1200, 3)
    assert picture.dtype == np.uint8
    assert len(np.unique(picture)) > 50


def test_views_of_different_seats_are_different_pictures(match):
    pictures = [match("rgb_array", render_seat=seat).render() for seat in (0, 1, "all")]
    assert not any((a == b).all() for a, b in combinations(pictures, 2))


@pytest.mark.parametrize("missing", ["resvg_py", "pygame"])
def test_a_missing_extra_is_named(match, monkeypatch, capsys, missing):
    monkeypatch.setitem(__import__("sys").modules, missing, None)
    with pytest.raises(ModuleNotFoundError, match=rf"need {missing}; pip install 'naips\[play\]'"):
        match("rgb_array").render()
    match("human", "dummy").render()
    assert "player_1" in capsys.readouterr().out


def test_human_shows_a_window_where_there_is_a_display(match, capsys):
    import pygame

    env = match("human", "dummy")
    assert env.render() is None
    assert capsys.readouterr().out == ""
    shown = env.unwrapped._window._window.get_surface()
    assert len(np.unique(pygame.surfarray.array3d(shown))) > 50


def test_a_closed_window_stays_closed_until_close(match, capsys):
    import pygame

    env = match("human", "dummy")
    env.render()
    window = env.unwrapped._window
    pygame.event.post(pygame.event.Event(pygame.WINDOWCLOSE, window=window._window))
    env.render()
    assert window._window is None
    env.render()
    assert window._window is None
    env.close()
    env.render()
    assert env.unwrapped._window._window is not None
    assert capsys.readouterr().out == ""


def test_notebooks_show_the_table(match):
    env = match("ansi")
    assert env._repr_svg_() == env.unwrapped.svg() == env.unwrapped._repr_svg_()
    assert kuhn.env()._repr_svg_() is None


def test_a_card_in_pixels_is_as_wide_as_wanted():
    import io

    import pygame

    for width in (60, 300):
        png = raster.png(card_svg("11B"), width)
        assert pygame.image.load(io.BytesIO(png)).get_size() == (width, width * 3 // 2)
