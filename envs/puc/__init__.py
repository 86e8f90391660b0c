"""# Puc

A contract rummy of Catalan families: seven hands, each with its own contract of *trios* (three of a
rank) and *escales* (runs of four). Whoever closes a hand loses ten points, everybody else adds the
cards still held; the lowest total wins. *Puc?* ("may I?") is the call that takes the face-up card
out of turn, with a penalty card on top.

3 to 12 players, 4 by default; English packs with jokers. Environment id `puc_v0`, agents
`player_0 …` in the order of play.

## Cards

Card texts are rank and suit: `AS`, `10H`, `KD`, suits `C D H S` (clubs, diamonds, hearts, spades);
the joker is `JK`. A card's id is its kind: suit · 13 + rank, ace 0 … king 12, suits in that order;
the joker is 52. Copies of a kind are alike.

| players | 3–5 | 6–7 | 8–12 |
|---|---|---|---|
| packs of 52 + 2 jokers | 2 | 3 | 4 |

## Rules

**R1 Match.** Seven hands. The deal is as large as the contract.

| hand | 1 | 2 | 3 | 4 | 5 | 6 | 7 |
|---|---|---|---|---|---|---|---|
| cards each | 6 | 7 | 8 | 9 | 10 | 11 | 12 |
| trios | 2 | 1 | – | 3 | 2 | 1 | – |
| runs | – | 1 | 2 | – | 1 | 2 | 3 |

**R2 Melds.** A trio is three cards of one rank, whatever their suits, twins allowed. A run is four
consecutive cards of a suit; the ace stands below the two or above the king and closes that end,
also when a joker stands in its place. Positions go from 1 (low ace) to 14 (high ace). Two runs of a
suit may touch or overlap, two trios may be of one rank.

**R3 Dealer.** The first dealer is drawn; then the deal passes to the next seat in the order of play.

**R4 Start.** Each seat gets its whole hand in turn from the dealer's right; one more card is turned
face up as if the dealer had thrown it. The seat to the dealer's right begins.

**R5 Turn.** A player who is not down either keeps the face-up card (`take`) or declines it (`draw`).
Declining is final: the puc window runs, and when it closes the player receives the top stock card
without acting again. Then the contract may be laid (R7), and one card is thrown. The card just
taken face up is not thrown back in that turn, unless another copy was in the hand already. A card
got by puc is free of this.

**R6 Puc.** The others are asked in the order of play from the right of the player whose turn it is;
the one who threw the card (at first the dealer) is the last. Only seats that are not down and may
take the card are asked, and the first yes closes the window. That player gets the face-up card and
one stock card and throws nothing. The next discard down, if any, is then face up. A closing discard
is offered to nobody.

**R7 Opening** (*estendre*). In one's own turn, after taking or drawing: exactly the contract, three
cards a trio and four a run, and nothing else in that turn. A card that may be thrown must be left.
The melds are laid one by one, trios first, in non-decreasing action id; a meld is legal only if the
rest of the contract can still follow it, and an opening that has begun is completed.

**R8 Down.** Who is down only draws from the stock (the decision before it has the one action
`draw`) and takes no discard, by puc or otherwise. After drawing, in any order and number: a card to
the trios of its rank, a card to an end of a run, a new trio or run, the replacement of a joker in a
run. Everybody's melds are open. Trios of a rank act as one and have no largest size. Runs never
merge; if an action fits several runs, the one laid first is meant.

**R9 Closing** (*tancar*). Throwing the last card closes the hand. Nothing may be laid that leaves no
card to throw. Whoever has taken no puc is left with one card by the opening and closes at once.

**R10 Jokers** stand for any card. A meld holds at most one when it is laid; later additions may add
more, to trios and to open ends of runs. A player who was down before this turn may replace a joker
in anybody's run by the card it stands for; the joker moves to the nearer end of that run, which
grows by one. Distances count to the ends as the run lies, so a joker at an end moves one place out.
If one end is closed the joker goes to the other; if both are closed it cannot be replaced. From the
exact middle, with both ends open, the player chooses (`joker low`, `joker high`). Jokers in trios
stay. A joker may be thrown.

**R11 Score.** Number cards count their value, the ace 1, figures 10, the joker 20. Cards on the
table count nothing. The closer gets −10. Equal totals share the place.

**R12 Stock.** When a stock card is needed and none is left, all discards but the face-up one are
shuffled into a new stock. A puc is offered only if the penalty card and the draw after it exist:
stock + max(0, discards − 2) ≥ 2, the claimed card counted among the discards. If the player must
draw and nothing can be shuffled the hand is *blocked*: everybody scores the cards held, nobody gets
−10, the deal passes on; `infos` say `blocked` for that decision.

**R13** *Carta a terra no fa guerra*: what is done is done.

Nothing in these rules forbids passing cards round for ever. Therefore a hand has a cap of turns (a
turn is one seat's take or draw to its discard). When the last of them does not close the hand the
match is **truncated** (`infos["truncated_reason"] = "turn_cap"`), the hand scores nothing, and
every reward is 0 unless `reward_at_cap`.

## Reward

Paid at the end of the match, adding up to zero. By points: the mean of the others' totals minus
one's own, divided by 100. By rank: place p = 0 … n − 1 pays 1 − 2p/(n − 1), ties the mean of their
places.

## Options

| option | default | values | |
|---|---|---|---|
| `num_packs` | `"by seats"` | 1 … 4 | packs; the table above. Too few for the largest deal are refused |
| `jokers_per_pack` | 2 | 0 … 4 | |
| `max_jokers_per_meld` | 1 | 0, 1 | when a meld is laid (R10) |
| `joker_in_trio` | True | | False: no joker in a trio, ever |
| `layoff` | `"all"` | `"own"` | `own`: cards go to one's own trios and runs only; jokers may be replaced everywhere (R8) |
| `discarder_may_puc` | True | | whether the seat that threw the card is asked (R6) |
| `max_puc_per_hand` | None | 0 … 100 | per player |
| `allow_return_discard` | False | | the card just taken may be thrown back (R5) |
| `forbid_adjacent_runs` | False | | no two runs of one suit in an opening with low ends exactly 4 apart |
| `stock_exhausted` | `"reshuffle"` | `"block"` | `block`: nothing is shuffled, a puc needs two stock cards, drawing from an empty stock blocks the hand |
| `max_turns_per_hand` | `"by seats"` | 1 … 30000, None | by seats: 100 for each; None: no cap |
| `only_hand` | None | 1 … 7 | one hand alone is the match |
| `reward` | `"points"` | `"rank"` | |
| `reward_at_cap` | False | | a truncated match pays by its finished hands |

`reset(options=…)` takes `dealer` (a seat), `hand` (the first hand, 1 … 7), `deck` (the first hand's
cards) or `decks` (one per hand in turn), and `reshuffle`: with `"turn_over"` a new stock is the
discards in the order in which they were thrown, the oldest drawn first. A dictated deck is read from
the top: the hands from the dealer's right, the face-up card, the stock. It may be any list of cards
that suffices for the deal, 228 at most, and is that hand's pack. Counts that exceed what the
ordinary pack allows are shown in the observation at their bound.

## Actions: Discrete(950)

| ids | text | |
|---|---|---|
| 0–3 | `take` `draw` `puc` `no puc` | |
| 4–393 | `trio 7: 7C 7D JK` | 4 + rank · 30 + k; k = 0 … 19 three suits, 20 … 29 two suits and a joker, both in lexicographic order |
| 394–613 | `run 5H: 5H 6H JK 8H` | 394 + (suit · 11 + low − 1) · 5 + j; low end 1 … 11; j the joker's place from the low end, 0 without; headed by the natural card of the low end |
| 614–665 | `add 7D` | to the trios of its rank; 614 + card |
| 666–678 | `add JK to 7` | 666 + rank |
| 679–758 | `extend low 4H`, `extend high 9H` | 679 + suit · 20 + (p − 1) for positions p = 1 … 10 at the low side, + 10 + (p − 5) for p = 5 … 14 at the high side |
| 759–838 | `extend low JK as 4H` | the same layout |
| 839–894 | `replace JK by 7H` | 839 + suit · 14 + (position − 1); aces say `low` or `high` |
| 895, 896 | `joker low`, `joker high` | |
| 897–949 | `discard 7D` | 897 + card |

## Observation

int16, seats relative with the observer first: hand number and contract; the own hand as 53 counts;
the face-up card, the top discard, the counts of the discards and of the cards in melds; stock;
every seat's hand size, whether it is down, score, pucs and the cards publicly known to be in its
hand; trios by rank; run ends that can be extended, jokers in runs, and every run in the order laid;
phase, whose turn it is and who decides, dealer, the card taken in this turn, melds of this opening,
the run whose joker must move, turns left. `env.unwrapped.observation_layout.table()` lists the
places.

A card is known to be in a hand from being taken or claimed face up until a copy of its kind is
thrown or laid; penalty and stock cards are never known. Reshuffles do not change that, but empty
the counts of the discards, which are those of the pile as it lies.

## Length

A match of four takes about 800 to 1 000 decisions when it is played sensibly, and 2 700 at random;
then about every fifth match is truncated.

## Source

"Puc (joc de cartes)", an article written for the Catalan Wikipedia; it calls the game a variant of
Continental. Where it is silent, the rules follow printed and family rules of Continental (next
dealer, direction, several runs of a suit, the discarder's own claim, one joker a meld) and of other
rummies (a stock made anew from the discards). Own choices are the packs for six and eight players,
the turn cap and the blocked hand.
"""

from collections.abc import Mapping
from typing import Any

from envs.core.game import Game
from envs.puc import options as _options
from envs.puc import rules as _rules
from envs.puc import view as _view
from envs.puc.melds import NUM_ACTIONS
from envs.puc.observation import observe, sections
from envs.puc.opener import is_possible


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
    is_possible=is_possible,
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
    news=_view.news,
    check_deck=_options.check_deck,
    check_config=_options.check_config,
    reward_range=_options.reward_range,
    reset_options=_options.RESET_OPTIONS,
)
