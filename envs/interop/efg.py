"""A small game of OpenSpiel as an extensive-form file, the format of Gambit.

    game = pyspiel.load_game("python_naips_truc", SMALL["truc"])
    same = pyspiel.load_efg_game(efg_text(game))

The same tree with all its states worked out beforehand: OpenSpiel's solvers in C++ walk it some
hundred times faster than a game in Python, and Gambit and others read it too.
"""

from typing import Any


def efg_text(game: Any) -> str:
    """The whole tree, which must fit into memory; actions are named by their ids.

    Args:
        game: a ``pyspiel.Game`` that is sequential and has perfect recall.
    """
    players = " ".join(f'"player_{seat}"' for seat in range(game.num_players()))
    lines = [f'EFG 2 R "{game.get_type().short_name}" {{ {players} }} ""']
    _write(game.new_initial_state(), lines, [{} for _ in range(game.num_players())], [0, 0])
    return "\n".join(lines) + "\n"


def _write(state: Any, lines: list[str], known: list[dict[str, int]], counts: list[int]) -> None:
    """Append a state and all that follows it.

    ``known`` numbers each player's information states; ``counts`` are the chance nodes and the
    outcomes so far.
    """
    if state.is_terminal():
        counts[1] += 1
        paid = " ".join(repr(float(value)) for value in state.returns())
        lines.append(f't "" {counts[1]} "" {{ {paid} }}')
        return
    if state.is_chance_node():
        counts[0] += 1
        outcomes = state.chance_outcomes()
        names = " ".join(f'"{outcome}" {chance!r}' for outcome, chance in outcomes)
        lines.append(f'c "" {counts[0]} "" {{ {names} }} 0')
        following = [outcome for outcome, _ in outcomes]
    else:
        seat, following = state.current_player(), state.legal_actions()
        numbers = known[seat]
        number = numbers.setdefault(state.information_state_string(), len(numbers) + 1)
        names = " ".join(f'"{action}"' for action in following)
        lines.append(f'p "" {seat + 1} {number} "" {{ {names} }} 0')
    for action in following:
        _write(state.child(action), lines, known, counts)
