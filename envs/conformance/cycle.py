"""Point 4: from reset to the last seat's leaving."""

import random
from collections import Counter

from pettingzoo.utils.env import AECEnv

from envs.conformance.subject import Subject, choose, is_over, trace


def life_cycle(subject: Subject) -> None:
    """Point 4: clear errors around a match, one last view and one ``step(None)`` per seat."""
    _before_reset(subject.env())
    for seed in range(subject.many(3)):
        env = subject.env()
        env.reset(seed=seed)
        _play_to_the_end(env, random.Random(seed))
        _after_the_end(env)


def _before_reset(env: AECEnv) -> None:
    calls = {
        "step": lambda: env.step(0),
        "last": lambda: env.last(),
        "observe": lambda: env.observe(env.possible_agents[0]),
        "agent_iter": lambda: next(iter(env.agent_iter())),
    }
    for name, call in calls.items():
        try:
            call()
        except Exception as error:
            assert "reset" in str(error) or not _ours(env), (
                f"{name}() before reset: unclear {error!r}"
            )
        else:
            raise AssertionError(f"{name}() works before reset()")


def _ours(env: AECEnv) -> bool:
    """Raw environments are excused: their attributes are simply not there yet."""
    return env is not env.unwrapped and hasattr(env.unwrapped, "game")


def _play_to_the_end(env: AECEnv, chance: random.Random) -> None:
    seats = list(env.agents)
    together = hasattr(env.unwrapped, "game")
    last_views: Counter = Counter()
    order = []
    assert seats == list(env.possible_agents), f"reset seats {seats}"
    while env.agents:
        agent = env.agent_selection
        assert agent in env.agents, f"{agent} is selected but has left"
        for other in env.agents:
            both = env.terminations[other] and env.truncations[other]
            assert not both, f"{other} is terminated and truncated at once"
        if is_over(env):
            _, _, terminated, truncated, _ = env.last()
            assert terminated or truncated, f"last() of {agent} hides the end"
            last_views[agent] += 1
            assert last_views[agent] == 1, f"{agent} has to step None more than once"
            order.append(agent)
            ended = [env.terminations[a] or env.truncations[a] for a in env.agents]
            assert all(ended) or not together, f"only some seats have ended: {ended}"
            _refuses_an_action(env)
        env.step(choose(env, chance))
        assert set(env.rewards) == set(env.agents), "rewards has other keys than agents"
    assert last_views == Counter(seats), f"last views by seat: {dict(last_views)}"
    assert order == seats or not together, f"seats left in the order {order}"


def _refuses_an_action(env: AECEnv) -> None:
    try:
        env.step(0)
    except ValueError:
        return
    except Exception as error:
        raise AssertionError(f"an action after the end raises {error!r}") from error
    raise AssertionError("an action after the end is taken for None")


def _after_the_end(env: AECEnv) -> None:
    assert env.agents == [], f"agents after the end: {env.agents}"
    if not hasattr(env.unwrapped, "game"):
        return
    for name, call in {"step": lambda: env.step(None), "last": lambda: env.last()}.items():
        try:
            call()
        except (RuntimeError, KeyError) as error:
            assert "reset" in str(error) or env is env.unwrapped, f"{name}() at the end: {error!r}"
        else:
            raise AssertionError(f"{name}() works after every seat has left")


def resets(subject: Subject) -> None:
    """Point 4: one object can be reset again and again, at any time."""
    env = subject.env()
    for seed, turns in enumerate((0, 5, 10**9)):
        env.reset(seed=seed)
        assert env.agents == list(env.possible_agents), f"reset leaves agents {env.agents}"
        assert not any(env.terminations.values()) and not any(env.truncations.values())
        assert not any(env.rewards.values()), f"reset leaves rewards {env.rewards}"
        assert env.last()[1] == 0, "reset leaves a reward for last()"
        trace(env, random.Random(seed), turns)
