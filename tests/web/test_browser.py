"""The app in a real browser, played by clicks and keys: ``make test-browser``.

Skipped where there is no Chromium.
"""

import json
import random
import shutil
import subprocess
import sys
import time
import urllib.request

import pytest

from tests.web.tables import SHORT

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVER = shutil.which("chromedriver")
webdriver = pytest.importorskip("selenium.webdriver")
pytestmark = [
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="needs chromium and chromedriver"),
    pytest.mark.xdist_group("browser"),
    pytest.mark.slow,
]

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-dev-shm-usage", "--window-size=1280,900", "--lang=en", "--accept-lang=en",
)  # fmt: skip
PATIENCE = 120  # seconds for anything to happen; the first match of a game may be compiled
PHONE = {"width": 360, "height": 740, "deviceScaleFactor": 2, "mobile": True}


class Server:
    """``naips play --web`` as a process of its own."""

    def __init__(self, state):
        self._state = state
        self.port = 0
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "training.cli", "play", "--web", "--port", str(self.port)]
        self._process = subprocess.Popen(
            [*command, "--state", str(self._state)], stdout=subprocess.PIPE, text=True
        )
        line = self._process.stdout.readline()
        self.port = int(line.rstrip("/\n").rpartition(":")[2])

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(30)
        self._process.stdout.close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def create(self, game: str, seed: int = 1) -> str:
        """A short match with a person at seat 0; the address of its page."""
        seats, options = SHORT[game]
        data = {"game": game, "seats": seats, "seed": seed, "options": options}
        request = urllib.request.Request(
            f"{self.url}/api/matches", json.dumps(data).encode(), method="POST"
        )
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return f"{self.url}/play/{json.load(answer)['first']}"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("state"))
    yield server
    server.stop()


@pytest.fixture(scope="module")
def chromium(tmp_path_factory):
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture
def browser(chromium, server):
    """A browser that remembers nothing but a fast pace; it must not report errors."""
    chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    chromium.get(f"{server.url}/static/app.js")
    chromium.execute_script("localStorage.clear(); localStorage.setItem('naips-pace', '\"fast\"')")
    chromium.get_log("browser")
    yield chromium
    faults = [e["message"] for e in chromium.get_log("browser") if e["level"] == "SEVERE"]
    assert not [fault for fault in faults if "409" not in fault and "REFUSED" not in fault]


def found(browser, css: str) -> list:
    """The elements that fit and are seen."""
    return browser.execute_script(
        "return [...document.querySelectorAll(arguments[0])].filter(e => e.checkVisibility())", css
    )


def until(browser, css: str):
    """The first element that fits, as soon as there is one."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        elements = found(browser, css)
        if elements:
            return elements[0]
        time.sleep(0.03)
    raise AssertionError(f"no {css}; the page says: {text(browser, 'body')}")


def choose(browser, css: str, value: str) -> None:
    """Choose an option of a select."""
    from selenium.webdriver.support.select import Select

    Select(until(browser, css)).select_by_value(value)


def text(browser, css: str) -> str:
    return browser.execute_script("return document.querySelector(arguments[0])?.innerText", css)


def version(browser) -> int:
    return browser.execute_script("return document.querySelectorAll('#log li:not(.hand)').length")


def play_by_clicks(browser, most: int = 3000, seed: int = 1) -> bool:
    """Click lit cards and actions at random; whether the match came to its end."""
    from selenium.common.exceptions import ElementNotInteractableException as Hidden
    from selenium.common.exceptions import StaleElementReferenceException as Stale
    from selenium.common.exceptions import WebDriverException as Covered

    chance = random.Random(seed)
    for _ in range(most):
        until(browser, ".action, #actions summary, #result h2")
        if found(browser, "#result h2"):
            return True
        try:
            for group in found(browser, "#actions details:not([open]) summary"):
                group.click()
            cards, actions = found(browser, ".card.lit"), found(browser, ".action")
            fresh = not found(browser, "#clear")
            chance.choice(cards if cards and fresh else actions).click()
        except (Stale, Hidden, Covered, IndexError):
            continue  # the table was drawn anew meanwhile
    return False


@pytest.mark.parametrize("game", SHORT)
def test_a_whole_match_is_played_to_its_end_by_clicks(browser, server, game):
    browser.get(server.create(game))
    assert play_by_clicks(browser)
    assert text(browser, "#result h2") in ("You have won", "You have lost", "Nobody has won")
    until(browser, "#replay").click()
    until(browser, "#steps")
    until(browser, "#back").click()
    until(browser, "#forward:not(:disabled)")


@pytest.mark.parametrize("game", SHORT)
def test_a_phone_shows_all_of_it_without_scrolling_sideways(browser, server, game):
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
    browser.get(server.create(game, seed=2))
    play_by_clicks(browser, most=8, seed=2)
    until(browser, ".action, #result h2")
    assert browser.execute_script("return document.documentElement.scrollWidth") <= 360
    smallest = """return Math.min(...[...document.querySelectorAll(".action, .card.lit")]
        .filter(e => e.checkVisibility()).flatMap(e => [e.offsetWidth, e.offsetHeight]), 99)"""
    assert browser.execute_script(smallest) >= 24, "too small to touch"


def test_a_phone_shows_the_first_page_too(browser, server):
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
    browser.get(f"{server.url}/?game=puc_v0")
    until(browser, "#options summary").click()
    until(browser, "#option-num_packs")
    assert browser.execute_script("return document.documentElement.scrollWidth") <= 360
    assert found(browser, "[data-game=puc_v0][aria-pressed=true]")


def test_a_match_is_begun_on_the_first_page(browser, server):
    browser.get(server.url)
    until(browser, "[data-game=poker_builder_v0]").click()
    until(browser, "#options summary").click()
    choose(browser, "#option-faces10", "1")
    choose(browser, ".seat-choice:nth-child(2) select", "simple")
    until(browser, "#seed").send_keys("7")
    until(browser, "#start").click()
    until(browser, ".action")
    assert "Player 1 · simple" in text(browser, ".others")
    browser.get(server.url)
    assert "Poker builder" in until(browser, "ul.mine a").text
    until(browser, "ul.mine a").click()
    until(browser, ".action")


def test_what_cannot_be_is_explained_on_the_first_page(browser, server):
    browser.get(server.url)
    until(browser, "[data-game=truc_v0]").click()
    until(browser, "#options summary").click()
    until(browser, "#option-target").send_keys("1")
    until(browser, "#start").click()
    assert "allowed are an integer from 2 to 60" in until(browser, "#notice").text
    assert until(browser, "#start").is_enabled()
    browser.get_log("browser")  # the browser notes the refusal, as it should


def test_reload_back_and_restart_keep_the_match(browser, server):
    address = server.create("truc_v0", seed=5)
    browser.get(address)
    play_by_clicks(browser, most=2)
    until(browser, "#actions[aria-busy=false] .action")
    before = text(browser, "#table"), text(browser, "#log"), text(browser, "#actions")
    for again in (browser.refresh, lambda: away_and_back(browser, server), server_again(server)):
        again()
        until(browser, ".action")
        assert (text(browser, "#table"), text(browser, "#log"), text(browser, "#actions")) == before
    until(browser, ".action").click()
    until(browser, ".action, #result h2")
    assert browser.current_url == address


def away_and_back(browser, server) -> None:
    browser.get(server.url)
    until(browser, "#start")
    browser.back()


def server_again(server):
    def again() -> None:
        server.stop()
        server.start()

    return again


def test_two_tabs_show_the_same_match(browser, server):
    address = server.create("quatre_duros_v0", seed=3)
    browser.get(address)
    until(browser, ".action")
    first = browser.current_window_handle
    browser.switch_to.new_window("tab")
    browser.get(address)
    until(browser, ".action")
    browser.switch_to.window(first)
    before = text(browser, "#log")
    until(browser, ".action").click()
    end = time.monotonic() + PATIENCE
    while text(browser, "#log") == before or not found(browser, ".action, #result h2"):
        assert time.monotonic() < end
    here = text(browser, "#log")
    browser.switch_to.window(browser.window_handles[1])
    while text(browser, "#log") != here:
        assert time.monotonic() < end, "the other tab does not follow"
    browser.close()
    browser.switch_to.window(first)


def test_keys_play_find_and_take_back(browser, server):
    from selenium.webdriver import ActionChains, Keys

    def press(*keys: str) -> None:
        ActionChains(browser).send_keys(*keys).perform()

    browser.get(server.create("poker_builder_v0", seed=6))
    until(browser, ".action")
    assert len(found(browser, ".action")) == 16
    press("/", "joker")
    assert len(found(browser, ".action")) == 1
    press(Keys.ESCAPE)
    assert len(found(browser, ".action")) == 16
    count = version(browser)
    press("2", Keys.ENTER)
    end = time.monotonic() + PATIENCE
    while version(browser) == count or not found(browser, ".action"):
        assert time.monotonic() < end, "the key did not play"
    count = version(browser)
    press(Keys.ARROW_RIGHT, Keys.ENTER)
    while version(browser) == count:
        assert time.monotonic() < end, "arrow and Enter did not play"
    until(browser, ".action")
    press("h")
    assert len(until(browser, "#hints table").find_elements("tag name", "tr")) > 2
    press("h")
    assert not found(browser, "#hints table")


def test_the_rules_are_a_page_with_its_tables(browser, server):
    browser.get(server.create("truc_v0"))
    until(browser, "#rules").click()
    until(browser, "dialog .rules table")
    rules = text(browser, "dialog .rules")
    assert "T5 Window." in rules
    assert not [mark for mark in ("**", "|-", "## ", "`") if mark in rules]


@pytest.mark.parametrize(
    ("code", "start", "explained"),
    [
        ("ca", "Juga", "juga a l’atzar"),
        ("es", "Jugar", "juega al azar"),
        ("en", "Play", "plays at random"),
    ],
)
def test_the_language_is_chosen_and_kept(browser, server, code, start, explained):
    browser.get(server.url)
    until(browser, "#start")
    choose(browser, "#language", code)
    for _ in range(2):
        end = time.monotonic() + PATIENCE
        while text(browser, "#start") != start:
            assert time.monotonic() < end, f"the page does not speak {code}"
        assert browser.execute_script("return document.documentElement.lang") == code
        assert text(browser, "#who dd") == explained
        browser.refresh()


def test_on_a_phone_the_agents_are_explained_when_that_is_asked(browser, server):
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
    browser.get(server.url)
    until(browser, "#who summary").click()
    assert until(browser, "#who dd").text == "plays at random"
    assert browser.execute_script("return document.documentElement.scrollWidth") <= 360


def test_a_match_that_is_not_there_is_said_to_be_gone(browser, server):
    browser.get(f"{server.url}/play/0123456789abcdef-0123456789abcdef")
    assert until(browser, "#notice").text == "This game is no longer here."
    browser.get_log("browser")
