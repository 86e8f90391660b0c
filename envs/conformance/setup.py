"""Point 11: honest options, and a bare process."""

import copy
import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from envs.conformance.determinism import ROOT
from envs.conformance.subject import Subject, choose, is_over

HEAVY = (
    "torch", "stable_baselines3", "sb3_contrib", "pygame", "resvg_py", "matplotlib", "tensorboard",
    "pyspiel", "open_spiel", "supersuit", "torchrl", "tianshou",
)  # fmt: skip
DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")


def honest_options(subject: Subject) -> None:
    """Point 11: what is allowed constructs, all else raises and names what is allowed."""
    game = subject.game
    for players in game.player_counts:
        subject.make(num_players=players)
    for wrong in (0, -1, 99, True, "2", 2.5):
        _refuses(subject, ValueError, [str(min(game.player_counts))], num_players=wrong)
    _refuses(subject, TypeError, [*(option.name for option in game.options)], no_such_option=1)
    _refuses(subject, ValueError, ["ansi"], render_mode="hologram")
    _refuses(subject, ValueError, ["acting"], render_seat=99)
    for option in game.options:
        for value in (option.default, *option.choices):
            game.configure(**{option.name: value})
        for value in ("no such value", object(), float("nan")):
            _refuses(subject, ValueError, _named(option), **{option.name: value})
    _config_stays(subject)


def _named(option: Any) -> list[str]:
    """What the message must name: the choices; of numbers at least the option itself."""
    return [str(choice) for choice in option.choices] or [option.name]


def _refuses(subject: Subject, kind: type[Exception], names: list[str], **arguments: Any) -> None:
    try:
        subject.make(**arguments)
    except kind as error:
        missing = [name for name in names if name not in str(error)]
        assert not missing, f"{arguments}: the message does not name {missing}: {error}"
    except Exception as error:
        raise AssertionError(f"{arguments} raises {error!r}, not {kind.__name__}") from error
    else:
        raise AssertionError(f"{arguments} is taken without an error")


def _config_stays(subject: Subject) -> None:
    env = subject.env().unwrapped
    config = env.config
    for name, value in subject.arguments.items():
        if name in config:
            assert config[name] == value or not isinstance(value, int | str), (
                f"config says {name}={config[name]!r}"
            )
    acts: dict[str, Callable[[], Any]] = {
        "reset": lambda: env.reset(seed=1),
        "step": lambda: env.step(choose(env, random.Random(0))),
        "copy": lambda: copy.deepcopy(env),
        "set_state": lambda: env.set_state(env.get_state()),
    }
    for name, act in acts.items():
        act()
        assert env.config == config, f"{name} changes the configuration to {env.config}"
    assert copy.deepcopy(env).config == config, "a copy has another configuration"


_BARE = """
import json, random, sys, time
start = time.process_time()
import importlib
entry, arguments, heavy = json.loads(sys.argv[1])
module, _, function = entry.partition(":")
make = getattr(importlib.import_module(module), function)
imported = time.process_time() - start
loaded = [name for name in heavy if name in sys.modules]
from envs.conformance.setup import drawable, render_a_while
modes = filter(drawable, make(**arguments).metadata["render_modes"])
shown = {mode: render_a_while(make(render_mode=mode, **arguments)) for mode in modes}
print(json.dumps([imported, loaded, shown]), file=sys.stderr)
"""


def bare_process(subject: Subject) -> None:
    """Point 11: import is light, and every render mode works without display or Unicode."""
    done = run_bare(_BARE, json.dumps([subject.entry, dict(subject.arguments), HEAVY]))
    assert done.returncode == 0, f"a bare process fails:\n{done.stderr[-3000:]}"
    _, loaded, shown = json.loads(done.stderr.strip().splitlines()[-1])
    if not subject.has_game:
        return
    assert not loaded, f"import {subject.entry} pulls in {loaded}"
    assert "human" not in shown or done.stdout.strip(), (
        "render_mode='human' prints nothing without a display"
    )
    for mode, kinds in shown.items():
        expected = {"ansi": "str", "human": "NoneType", "rgb_array": "ndarray"}[mode]
        assert kinds == [expected], f"render() with {mode!r} returns {kinds}"


def run_bare(code: str, *arguments: str) -> subprocess.CompletedProcess:
    """Run Python without a display, with a terminal that knows ASCII alone."""
    environment = {name: value for name, value in os.environ.items() if name not in DISPLAYS}
    path = os.pathsep.join(entry or str(ROOT) for entry in sys.path)
    environment |= {"PYTHONIOENCODING": "ascii", "PYTHONPATH": path, "PYTHONUTF8": "0"}
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def drawable(mode: str) -> bool:
    """Whether what the mode needs is installed: pixels need the extra ``play``."""
    return mode != "rgb_array" or all(find_spec(name) for name in ("pygame", "resvg_py"))


def render_a_while(env: Any) -> list[str]:
    """Play a dozen turns and render each; the kinds of what render returned."""
    env.reset(seed=3)
    chance = random.Random(3)
    kinds = set()
    for _ in range(12):
        kinds.add(type(env.render()).__name__)
        if not env.agents or is_over(env):
            env.reset()
        env.step(choose(env, chance))
    env.close()
    return sorted(kinds)
