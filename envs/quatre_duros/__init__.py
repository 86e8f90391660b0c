"""# 4 Duros

draft
"""

from envs.core.cards import SPANISH_40
from envs.core.game import Game
from envs.quatre_duros import view
from envs.quatre_duros.observation import observe, sections
from envs.quatre_duros.resample import resample_hidden
from envs.quatre_duros.rules import (
    MAX_PLAYERS,
    NUM_ACTIONS,
    OPTIONS,
    PACK,
    STATE,
    coins_by_seat,
    deal,
    decision_limit,
    lay_out,
    legal_actions,
    step,
)


def _max_decisions(config) -> int:
    seats = config["num_players"]
    return decision_limit(seats, max(coins_by_seat(config["coins"], seats)))


def _reward_range(config) -> tuple[float, float]:
    if config["hands"] is None:
        return (-1.0, 1.0)
    total = float(sum(coins_by_seat(config["coins"], config["num_players"])))
    return (-total, total)


GAME = Game(
    module=__name__,
    title="4 Duros",
    dtype=STATE,
    cards=SPANISH_40,
    player_counts=tuple(range(2, MAX_PLAYERS + 1)),
    default_players=5,
    options=OPTIONS,
    deal=deal,
    lay_out=lay_out,
    legal_actions=legal_actions,
    step=step,
    observe=observe,
    resample_hidden=resample_hidden,
    sections=sections,
    num_actions=lambda config: NUM_ACTIONS,
    max_decisions=_max_decisions,
    pack=lambda config: list(range(PACK)),
    table=view.table,
    action_text=view.action_text,
    parse_action=view.parse_action,
    zones=view.zones,
    hidden=view.hidden,
    arrange=view.arrange,
    info=view.info,
    reward_range=_reward_range,
    reset_options={
        "dealer": "seat of the first dealer",
        "coins": "coins of each seat at the start, together at most those of the option",
    },
)
