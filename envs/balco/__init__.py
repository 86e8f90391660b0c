"""# Balcó"""

from envs.balco.actions import NUM_ACTIONS
from envs.balco.observation import observe, sections
from envs.balco.record import OPTIONS, STATE
from envs.balco.rules import deal, lay_out, legal_actions, resample_hidden, step
from envs.balco.view import action_text, hidden, info, parse_action, table, zones
from envs.core.cards import SPANISH_RANKS
from envs.core.game import Game


def _pack(config):
    """Card ids with repetition: four of each number, and the jokers."""
    numbers = [kind for kind in range(len(SPANISH_RANKS) - 1) for _ in range(4)]
    return numbers + [len(SPANISH_RANKS) - 1] * config["jokers"]


def _arrange(record, options):
    """Write the dictated dealer."""
    if "dealer" in options:
        record.dealer = options["dealer"]


GAME = Game(
    module=__name__,
    title="Balcó",
    dtype=STATE,
    cards=SPANISH_RANKS,
    player_counts=(2, 3, 4, 5),
    default_players=4,
    options=OPTIONS,
    deal=deal,
    lay_out=lay_out,
    legal_actions=legal_actions,
    step=step,
    observe=observe,
    resample_hidden=resample_hidden,
    sections=sections,
    num_actions=lambda config: NUM_ACTIONS,
    max_decisions=lambda config: config["max_decisions"],
    pack=_pack,
    table=table,
    action_text=action_text,
    parse_action=parse_action,
    zones=zones,
    hidden=hidden,
    info=info,
    arrange=_arrange,
    reset_options={"dealer": "seat of the dealer"},
)
