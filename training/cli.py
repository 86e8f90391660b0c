"""The command ``naips``, as it is started.

Nothing but this is loaded before ``main`` runs: the libraries take seconds to load, in which
somebody may press Ctrl-C too.
"""

import sys
from collections.abc import Sequence

INTERRUPTED = 130  # the exit code of what Ctrl-C has ended


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    try:
        from training.dispatch import run

        return run(sys.argv[1:] if arguments is None else arguments)
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
