"""# Poker builder

Two players build a pile of cards by sealed bids, and the better poker hand in the piles wins. Every
auction turns up a card, the *carta en joc*; both lay one or two cards of their hand face down, or
their joker (*jòquer*), which means "no bet". The higher sum takes the card; the cards bet are gone.
A hand of five cards has to last for five auctions, so the art is to know what a card is worth to
you, what it is worth to the other, and what to save.

## Rules

Played with 52 French cards; each player also has a joker that never leaves him and is no card of
the deck. Cards are written rank then suit: `10H`, `AS`, suits C ♣, D ♦, H ♥, S ♠; the id of a card
is suit × 13 + rank index, A = 0 … K = 12.

* **B1 Rounds.** Two rounds of five auctions. At the start of each round both players draw five
  cards; nothing is drawn in between.
* **B2 Bet.** Both choose face down: one card, two cards, or the joker alone.
* **B3 Joker.** Who shows the joker loses the auction, whatever the other shows. After two jokers
  the card in play is discarded. The joker goes back to the hand.
* **B4 Sum.** Otherwise the higher sum wins. A = 1, number cards their number, J = 11, Q = 12,
  K = 13.
* **B5 Equal sums.** A bet matches the suit (or colour) of the card in play when at least one of its
  cards does. If exactly one bet matches the suit, it wins; else if exactly one matches the colour,
  it wins; else nobody wins and the card in play is discarded.
* **B6 After an auction.** All cards bet are discarded, the winner's and the loser's, but not the
  joker. The card won goes to the winner's pile (*piló*), which is public, not to the hand.
* **B7 No cards left.** Only the joker can be played.
* **B8 Round change.** Cards left after round 1 are put aside unseen and take no further part.
* **B9 Showdown.** The best hand of at most five cards in each pile is compared by the usual ranks:
  high card < pair < two pair < trips < straight < flush < full house < quads < straight flush;
  then ranks by how often they occur, then kickers. Hands may be short: straights, flushes and full
  houses need five cards, a missing kicker is below any card, an empty pile loses to any card. The
  ace is high, or low in A–5. Suits have no order; equal hands are a draw.

Both bets are decided at the same time. Here player 0 is asked first and player 1 sees nothing of
his bet: no observation, mask, info or text of the other seat depends on it before both are in.

## Options

Defaults come first.

* `ace_bet_value` (1, 14): what an ace counts in a bet (Q1).
* `faces10` (False, True): J, Q and K count 10 in a bet; goes with `ace_bet_value` (Q2).
* `suit_tiebreak` ("any", "count"): with "count" equal sums are decided by the number of cards that
  match the suit, then by the number that match the colour (Q4).
* `leftovers` ("out", "keep", "final_deck"): cards left after round 1 are out (B8); or stay in the
  hand, which can then reach ten cards; or join their owner's pile at the showdown, after the won
  cards and in slot order, hidden from the other until then (Q7).
* `hide_discards` (False, True): once an auction is over the other's bet can no longer be looked up.
  Outcomes, piles, one's own bets and, since hand counts are public, the sizes of bets can (Q8).
* `manual_showdown` (False, True): players choose their final hand: a yes or no per pile card, in
  pile order, until five are chosen or the pile is through. Player 0 decides on all his cards first,
  unseen by player 1; an empty pile is not asked; exactly the chosen cards are compared.
* `tie` ("draw", "bids"): with "bids" equal hands go to whoever has won more cards, those against a
  joker included; then draw (Q10).

## Actions

The hand is laid out in slots, sorted by rank (A, 2 … K whatever they count), then suit (C D H S).
Slots close up after a bet; ids do not move: with three cards the pairs are ids 5, 6 and 9.

| id | with `leftovers="keep"` | text | content |
|---|---|---|---|
| 0–4 | 0–9 | `bet 10H` | the card in the slot |
| 5–14 | 10–54 | `bet 2H 10S` | two slots, in order (0,1) (0,2) … (1,2) … |
| 15 | 55 | `joker` | no bet |
| 16 | 56 | `keep` | `manual_showdown`: the card asked goes into the final hand |
| 17 | 57 | `leave` | `manual_showdown`: it does not |

## What a seat sees

Its hand, sealed bet and cards put aside; the card in play; both piles with their poker categories;
hand counts; all settled auctions: card in play, outcome, bets and their sizes; auction and round;
the options. Piles at the showdown include what joins them there.

Unknown are the stock, the other's hand, the cards he put aside (his old bets with `hide_discards`),
his sealed bet and his choice at the showdown. Every deal of the unknown cards that agrees with the
outcomes, together with any bet of that hand and any choice, is one world; all are equally likely
when hidden cards are drawn anew.

## Length and rewards

Twenty decisions, and at a manual showdown one for each card asked. The winner gets +1, the loser
-1, a draw pays 0. `reset(options={"deck": [...]})` dictates the deck, read from the top: five cards
to player 0, five to player 1, the five cards in play of round 1, then the same for round 2; the
other 22 cards are never seen.

## Sources

* "Poker builder (joc de cartes)", blog post in Catalan, the only known description.
* Open in the source and decided here: the ace counts 1, since its author numbers only J, Q and K as
  figures; the joker goes alone, since a card with it could only be lost; matches of two-card bets
  look at every card, as the source's case without a winner does; left-over cards are out, since
  round 2 is played with the cards drawn at its start; there is no second tie-break.
"""

from envs.core.cards import FRENCH_52
from envs.core.game import Config, Game
from envs.poker_builder import view
from envs.poker_builder.determinise import is_possible, resample_hidden
from envs.poker_builder.observation import observe, sections
from envs.poker_builder.record import AUCTIONS, CARDS, DEALT, OPTIONS, PLAYERS, STATE
from envs.poker_builder.rules import deal, lay_out, legal_actions, step


def _max_decisions(config: Config) -> int:
    """Two bets an auction, and a yes or no per pile card at a manual showdown."""
    left_over = DEALT if config["leftovers"] == "final_deck" else 0
    asked = AUCTIONS + left_over if config["manual_showdown"] else 0
    return PLAYERS * AUCTIONS + asked


def _arrange(record, options) -> None:
    """Nothing can be dictated but the deck."""


GAME = Game(
    module=__name__,
    title=view.TITLE,
    dtype=STATE,
    cards=FRENCH_52,
    player_counts=(PLAYERS,),
    default_players=PLAYERS,
    options=OPTIONS,
    deal=deal,
    lay_out=lay_out,
    legal_actions=legal_actions,
    step=step,
    observe=observe,
    resample_hidden=resample_hidden,
    is_possible=is_possible,
    sections=sections,
    num_actions=view.num_actions,
    max_decisions=_max_decisions,
    pack=lambda config: list(range(CARDS)),
    table=view.table,
    action_text=view.action_text,
    parse_action=view.parse_action,
    zones=view.zones,
    hidden=view.hidden,
    is_secret=view.is_secret,
    info=view.info,
    arrange=_arrange,
)
