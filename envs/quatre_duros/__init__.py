"""# 4 Duros

Also *Cucut*, *Dimoni*, *Miau*: a game of one card for two to twelve players. Whoever is left with
the lowest card pays a coin, a *duro*; the last player with coins wins. Passing a bad card on is
the whole art, until somebody turns out to hold a king and begins to ask. Environment id
`quatre_duros_v0`, PettingZoo's registry `naips/quatre-duros-v0`.

## Sources

The Catalan rules of the Club Conservador de Cartes i Jocs, *4 Duros*, come first. Where they are
silent, the relatives *Coucou* (forty cards, questions about a king) and *El Cuco de Chinchón*
decide. What none of them settles is our choice; where houses differ the choice is an option.

## Cards

The Spanish pack without eights and nines, written number and suit: `11B`, `1E`, `7O` (O *oros*, C
*copes*, E *espases*, B *bastos*). Id = suit·10 + place of the number in 1 2 3 4 5 6 7 10 11 12,
which is also the order of value from low to high. The whole pack is shuffled for every hand.

## Rules

A player's right is the next seat, k + 1. A card is *active* while its player has coins.

* **D1 Dealer.** The first dealer is drawn among the seats with coins; after a hand the next seat
  to the right that has coins deals. A dictated dealer may be without coins: he gets no card, and
  the round ends at the last active seat before him.
* **D2 Deal.** One card to every seat with coins, from the dealer's right. When a player's coins
  reach 0 his card is *passive* and leaves at once, face down; it is not shown later either.
* **D3 Turns** go from the dealer's right to the dealer. Without a king one stands, or exchanges
  with the next seat to the right that holds an active card, never past the dealer. The other must
  accept, unless he has a king, who refuses; then the card is kept and the turn is over. A card
  received may be passed on in one's own turn. With nobody left to exchange with, one can only
  stand, and is still asked.
* **D4 King.** The refusal is spoken, the suit stays hidden. A king is never exchanged. In his own
  turn, refused anybody or not, its holder may ask any player with an active card for its suit. A
  right answer wins a coin from the asker, tells everybody the suit and ends the questions and the
  turn. A wrong one costs the asked player a coin, paid to the asker, who may then ask again,
  anybody, or stand. All four suits may be said every time, and everybody hears it. `show_king`: a
  king that refuses is shown and may not ask any more; others may. `mask_refuted_suits`: a suit
  said wrongly for a king, by anyone, may not be said again.
* **D5 Dealer's turn.** The dealer stands, or puts his card aside unseen and takes the top card of
  the stock, turned up for all; a king taken so counts like any other. A dealer with a king may
  not take, but may ask. `stock_king_blocks`: a king turned up is set aside and the dealer keeps
  his card.
* **D6 Showdown.** All active cards are shown. First, in order from the dealer's right, an active
  10 pays a coin to the seat on the right and an active 11 to the seat on the left: the neighbour
  at the table, also one without coins, who is back in the next hand. A payer who reaches 0 is out
  with his card. Then all who hold the lowest of the active cards pay a coin to the centre, in the
  same order. `payments="per_player"`: the lowest cards are fixed first, then each seat pays its
  neighbour and the centre before the next one does; who is out by then does not pay the centre,
  and nobody replaces him.
* **D7 End.** After every single payment: when only one player has coins he has won, and play
  stops. So of several last coins the one to be paid last wins.
  `last_coin_tie="simultaneous_replay"`: when those who still have to pay the centre are all the
  players with coins, and each has just one, nobody pays and the next hand is dealt.
* **D8 Centre.** Coins in the centre are out of play.

| option | values | clause |
|---|---|---|
| `coins` | **4**, 1 to 100, or a list: each seat's, 0 to 100, two of them above 0 | N1 |
| `last_coin_tie` | **`"sequential"`**, `"simultaneous_replay"` | D7 |
| `payments` | **`"phases"`**, `"per_player"` | D6 |
| `stock_king_blocks` | **False**, True | D5 |
| `mask_refuted_suits` | **False**, True | D4 |
| `show_king` | **False**, True | D4 |
| `hands` | **None**, or end after 1 to 1,000 hands | |

## Actions: Discrete(17), for every number of players

| id | text |
|---|---|
| 0 | `stand`; also ends a king's questions |
| 1 | `exchange`; the dealer takes from the stock |
| 2–12 | `ask +1` … `ask +11`: a king's holder asks the player so many seats to the right |
| 13–16 | `guess O`, `guess C`, `guess E`, `guess B`: the asked player's answer |

## Observation

The card of every seat as far as this one has seen it (its own, those it exchanged, wherever they
went since, and what was shown), coins, dealer, who is active, has stood, exchanged, was refused
or refused, who is known to hold a king or none, what this seat gave and received and to or from
whom, the suits said wrongly for every king, the card turned up from the stock, and whose question
waits for whom.

## Rewards

At the end +1 for the winner and −1/(n − 1) for the others. With `hands=k` the match ends after k
hands, or earlier with a winner; the reward is then the number of coins won or lost, less its mean
over all seats.

## Reset options

`deck` (forty cards from the top: one to each seat with coins from the dealer's right, the next is
the top of the stock), `decks` (one per hand), `dealer` (a seat), `coins` (of each seat, together
at most those of the option, at least two above 0).

## Length

Hands in which every card is removed early only pass coins on, so there is no strict bound. A
match is truncated, with rewards 0, after c·n·(n + 8·c·n) decisions, c being the largest starting
number (3,300 with five players); it is not expected. Uniformly random play, 4 coins, 95 %
intervals of the means:

| players | matches | decisions | most | hands |
|---|---|---|---|---|
| 2 | 20,000 | 11.0 ± 0.1 | 25 | 5.0 |
| 3 | 20,000 | 25.7 ± 0.1 | 53 | 8.2 |
| 4 | 20,000 | 45.2 ± 0.1 | 83 | 11.3 |
| 5 | 20,000 | 68.5 ± 0.1 | 123 | 14.3 |
| 6 | 8,000 | 95.2 ± 0.3 | 154 | 17.3 |
| 8 | 8,000 | 157.3 ± 0.5 | 240 | 23.0 |
| 10 | 8,000 | 229.8 ± 0.6 | 350 | 28.5 |
| 12 | 8,000 | 310.1 ± 0.8 | 455 | 33.8 |

## Heuristics

`simple` plays by its own card, `strong` also by what it knows of the others. One of them against
four of a kind, 8,000 duplicate deals with the seats rotated (`naips evaluate quatre_duros strong
--against simple random --blocks 8000`), wins as a multiple of the fair share:

| one | against four | times the fair share |
|---|---|---|
| `strong` | `random` | 2.39 ± 0.02 |
| `strong` | `simple` | 1.14 ± 0.02 |
| `simple` | `random` | 2.20 ± 0.03 |
"""

from envs.core.game import Game
from envs.quatre_duros import record, rules, view
from envs.quatre_duros.observation import observe, sections
from envs.quatre_duros.worlds import is_possible, resample_hidden

GAME = Game(
    module=__name__,
    title="4 Duros",
    dtype=record.STATE,
    cards=record.CARDS,
    player_counts=tuple(range(2, record.MAX_PLAYERS + 1)),
    default_players=5,
    options=record.OPTIONS,
    deal=rules.deal,
    lay_out=rules.lay_out,
    legal_actions=rules.legal_actions,
    step=rules.step,
    observe=observe,
    resample_hidden=resample_hidden,
    is_possible=is_possible,
    sections=sections,
    num_actions=lambda config: record.NUM_ACTIONS,
    max_decisions=record.max_decisions,
    pack=lambda config: list(range(record.PACK)),
    table=view.table,
    action_text=view.action_text,
    parse_action=view.parse_action,
    zones=view.zones,
    hidden=view.hidden,
    news=view.news,
    info=view.info,
    arrange=view.arrange,
    reward_range=record.reward_range,
    reset_options={
        "dealer": "seat of the first dealer",
        "coins": "coins of each seat at the start, together at most those of the option",
    },
)
