"""``python -m tests.golden [ENV_ID …]``: write the golden games anew."""

import sys

from tests.golden import path_of, record, wanted


def main(chosen: list[str]) -> None:
    for env_id, players in wanted():
        if not chosen or env_id in chosen:
            path = path_of(env_id, players)
            path.write_text(record(env_id, players), encoding="utf-8")
            print(path.name)


if __name__ == "__main__":
    main(sys.argv[1:])
