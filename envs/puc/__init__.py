"""Puc."""

from collections.abc import Mapping
from typing import Any

from envs.core.game import Game
from envs.puc import options as _options
from envs.puc import rules as _rules
from envs.puc import view as _view
from envs.puc.melds import NUM_ACTIONS
from envs.puc.observation import observe, sections


def _arrange(record: Any, options: Mapping[str, Any]) -> None:
    """Write reset options into a dealt record; the hand is dealt after that."""
    if "dealer" in options:
        record.dealer = options["dealer"]
    hand = _options.first_hand(record, options)
    if "reshuffle" in options:
        record.turn_over = _options.turns_over(options["reshuffle"])
    record.hand_number = hand
    if "deck" in options:
        record.deck_size = _options.deck_size(record, hand, options["deck"])
    elif "hand" in options:
        _rules.fill_deck(record)


GAME = Game(
    module=__name__,
    title="Puc",
    dtype=_rules.STATE,
    cards=_view.CARDS,
    player_counts=_options.PLAYERS,
    default_players=4,
    options=_rules.OPTIONS,
    deal=_rules.deal,
    lay_out=_rules.lay_out,
    legal_actions=_rules.legal_actions,
    step=_rules.step,
    observe=observe,
    resample_hidden=_rules.resample_hidden,
    sections=sections,
    num_actions=lambda config: NUM_ACTIONS,
    max_decisions=_options.max_decisions,
    pack=_options.pack,
    table=_view.table,
    action_text=_view.action_text,
    parse_action=_view.parse_action,
    zones=_view.zones,
    hidden=_view.hidden,
    arrange=_arrange,
    info=_view.info,
    check_deck=_options.check_deck,
    check_config=_options.check_config,
    reward_range=_options.reward_range,
    reset_options=_options.RESET_OPTIONS,
)
