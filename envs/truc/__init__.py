"""# Truc

page
"""

from envs.core.game import Game
from envs.truc import record, rules, view
from envs.truc.hand import lay_out
from envs.truc.observation import observe, sections
from envs.truc.worlds import resample_hidden


def _arrange(match, options) -> None:
    match.dealer = options.get("dealer", match.dealer)


GAME = Game(
    module=__name__,
    title="Truc",
    dtype=record.STATE,
    cards=record.CARDS,
    player_counts=(4, 6, 8),
    default_players=4,
    options=record.OPTIONS,
    deal=rules.deal,
    lay_out=lay_out,
    legal_actions=rules.legal_actions,
    step=rules.step,
    observe=observe,
    resample_hidden=resample_hidden,
    sections=sections,
    num_actions=lambda config: record.NUM_ACTIONS,
    max_decisions=record.max_decisions,
    pack=record.pack,
    teams=lambda config: tuple(seat % 2 for seat in range(config["num_players"])),
    table=view.table,
    action_text=view.action_text,
    parse_action=view.parse_action,
    zones=view.zones,
    hidden=view.hidden,
    info=view.info,
    arrange=_arrange,
    reward_range=record.reward_range,
    reset_options={"dealer": "seat that deals the first hand"},
)
