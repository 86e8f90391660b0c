"""``python -m envs.conformance truc_v0``: check an environment and say what broke."""

import argparse
import sys
import time

from envs.conformance import POINTS, Point, Subject, find
from envs.conformance.subject import constructor

FULL_EFFORT = 5.0


def main(arguments: list[str] | None = None) -> int:
    """Run the points over one environment; 0 when all hold."""
    given = _parser().parse_args(arguments)
    try:
        entry = find(given.env)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    fixed = {} if given.num_players is None else {"num_players": given.num_players}
    subject = Subject(constructor(entry), fixed, entry, FULL_EFFORT if given.full else 1.0)
    broken = [point for point in POINTS if not _run(point, subject)]
    print(f"{entry}: {len(broken)} of {len(POINTS)} broken" if broken else f"{entry}: all hold")
    return int(bool(broken))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m envs.conformance", description=__doc__)
    parser.add_argument(
        "env", help="a game (truc_v0), or module or module:function of an AEC environment"
    )
    parser.add_argument(
        "--num-players", type=int, help="seats; the environment's default otherwise"
    )
    parser.add_argument("--full", action="store_true", help="play more; takes minutes")
    return parser


def _run(point: Point, subject: Subject) -> bool:
    """Check one point and print a line."""
    label = f"{point.number:>2} {point.title:30}"
    obstacle = point.obstacle(subject)
    if obstacle:
        print(f"{label} -     {obstacle}", flush=True)
        return True
    start = time.perf_counter()
    try:
        point.check(subject)
    except AssertionError as error:
        _say(f"{label} BROKEN {error}")
        return False
    except Exception as error:
        _say(f"{label} BROKEN {type(error).__name__}: {error}")
        return False
    print(f"{label} holds {time.perf_counter() - start:6.1f} s", flush=True)
    return True


def _say(text: str) -> None:
    from envs.core.drawing import print_anywhere

    print_anywhere(text)
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
