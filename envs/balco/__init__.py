"""# Balcó

A Catalan shedding game for 2–5 players (4 by default), of the family of Shithead: throw a card at
least as high as the last one, or take the pile. Whoever gets rid of every card first wins; the
last one with cards loses. Environment `balco_v0`.

## Cards

The Spanish pack of 48, numbers 1 … 12 four times each (8 and 9 are in), and four jokers (*comodins*,
`JK`). Suits never matter: a card is written by its number, `7`, `12`, or `JK`, and has the id
number − 1, the joker 12. The order is 3 < 4 < 5 < 6 < 7 < 8 < 9 < 11 < 12 < 1; the 10, the 2 and the
joker stand outside it. Each player has three cards face down (*jos*) that nobody has seen, three
face up (*sus*) and three in hand; the rest is the stock. Play moves to the right: after `player_0`
comes `player_1`.

## Rules

Clauses marked ° settle what the source leaves open.

* **L1 Swap.** Before play, every player chooses which three of the six known cards stay face up.
  The choices are made in turn from the dealer's right, sealed, and applied together when the last
  one is in.° The dealer is drawn with the seed unless dictated.
* **L2 Start.** Everyone throws the lowest card of the hand, where 10, 2 and joker follow the 1 as
  the highest.° Whoever threw the lowest begins; of equals the nearest to the dealer's right.° The
  thrown cards, the dealer's own on top, are the first pile and have no effect: they never clean, a
  joker among them has no number, but equal numbers on top count for a later run. Everybody refills
  in the same order, then the beginner plays freely.°
* **L3 Play.** Throw one to four cards of one number, at or above the number last played. Jokers
  count as declared and may be mixed in.° Any number may be thrown on an empty pile, after a 2,
  after a clean and at the start. Who can throw must throw.
* **L4 Taking.** Who can throw nothing takes the whole pile into the hand; whatever was pending
  ends, and the player to the right begins on the empty pile.
* **L5 Refill.** After every play, draw from the stock up to three cards; also before the next turn
  after a clean, and before a target is named.
* **L6 Up cards.** With the stock gone and fewer than three cards in hand, all three up cards come
  into the hand at once.
* **L7 Down cards.** Who has neither hand nor up cards turns over a down card at random when the
  turn comes, shot or bound or not. If it may be thrown it is thrown at once; a joker is declared
  first. If not, it goes to the hand together with the pile, as in L4.
* **L8 Joker.** Counts as any number that is legal itself, declared when thrown. In the pile it
  keeps that number; picked up it is a joker again.°
* **L9 2, *carta blanca*.** Always legal; the next player is free. The pile stays, so four 2s do not
  clean.
* **L10 10, *netejar*.** Always legal except while a 7 or a 1 binds the player; the pile leaves the
  game and the same player goes on.
* **L11 Four of a kind** in succession on top of the pile, by whatever players, cleans like a 10; so
  does a longer run. Any other number in between, a 2 too, breaks a run. The other effect of the
  card that completes it (7, 8, 1) is void.° It may be completed under a 7 or a shot, and ends it.
* **L12 8.** The next player is skipped; k eights skip k players, but no more than there are
  others.° Counted are the players still in. With two players an 8 gives its thrower another turn,
  in which it must be beaten.
* **L13 7, *trenca*.** The next player must throw 3 … 7 or a 2, whatever lies on top.° k sevens bind
  the next k plays. A new 7 sets the counter anew; a 2, a clean or a pick-up ends it. The counter
  knows no limit: with two players `7 7` comes back to its thrower.
* **L14 1, *disparar*.** The thrower names another player, who must answer with a 1 or a 2, or else
  takes the pile. Who answers with a 1 names a target in turn, even the one who shot.° After a 2 the
  player to the answerer's right is free. Several 1s are one shot.° With a single possible target
  there is nothing to decide.
* **L15 End.** A player without any card is out; places follow the order of going out. When one is
  left the game is over. The effects of a last card apply: the next player is skipped, bound or, by
  one last decision, shot; a clean by a player who is out gives the lead to the next on the right.
  When the game is over a clean is still carried out, nothing else is.°

Legal numbers in short: shot → 1, 2; bound → 2 … 7; free → all; else 2, 10 and every number from the
top on. A joker stands for any of them.

## Options

| option | default | other values | clause |
|---|---|---|---|
| `start` | `"play"` | `"reveal_return"`: the lowest cards are shown and go back, the pile is empty | L2 |
| `take_up` | `"below_three"` | `"hand_empty"`: the up cards come when the hand is empty | L6 |
| `eights` | `"each"` | `"one"`: a play of 8s skips one player | L12 |
| `sevens` | `"replace"` | `"both"`: a bound player stays at or above the top too, or throws a 2 | L13 |
| `ten_block` | `"binding"` | `"anywhere"`: no 10 while any card of the pile counts as 7 or 1 | L10 |
| `end` | `"last_in"` | `"first_out"`: the first one out ends the game; the others share the rest | L15 |
| `may_take` | `False` | `True`: the pile may be taken from the hand by one who could throw | L3 |
| `shoot_back` | `True` | `False`: the one who shot is not named while there is another | L14 |
| `jokers` | `4` | `0` | cards |
| `max_decisions` | `1000` | 1 … 10000 | end |

The rules force no end: three hands `7 8 8 9 9`, `8 9`, `7 11 11 11` can pass one 7 around for ever.
Every action counts as a decision, forced ones too. After number `max_decisions` a game that is not
over is truncated: who is out keeps the place, nobody else has one, and
`infos[agent]["truncated_reason"]` says so.

Rewards come at the end: +1 for the first out down to −1 for the last, evenly spaced. Players without
a place share the mean of the places that are left.

## Actions: Discrete(194)

| ids | text | meaning |
|---|---|---|
| 0–19 | `keep up 1 12 JK` | which three of the six known cards, sorted by id, stay up: 3-subsets of the places in lexicographic order; of equal choices only the lowest id is legal |
| 20–187 | `play 5 5`, `play 5 JK=5` | 20 + 14 · (number − 1) + k, where k runs over (naturals, jokers): (1,0) (0,1) (2,0) (1,1) (0,2) (3,0) (2,1) (1,2) (0,3) (4,0) (3,1) (2,2) (1,3) (0,4) |
| 188–191 | `shoot +1` … `shoot +4` | the target of a 1, by steps to the right |
| 192 | `flip` | turn over a down card; forced |
| 193 | `take` | take the pile; forced, unless `may_take` |

## Observation

Seats are relative, me first. Own hand and, for every seat, up cards, numbers of down and hand cards
and the cards known to be in the hand; the pile as counts and its last four cards; top number and
run; the rule for the next play (free, at least the top, seven or lower with its counter, shot and by
whom); whether a 10 would be barred by `ten_block="anywhere"`; stock, cleaned cards, places, phase,
whose turn it is, the dealer, and the decisions left (hundreds and rest).

Known to be in a hand are: after the swap, of each kind, as many cards as the old up cards had more
than the new ones; cards shown at the start; a flipped card that was kept; up cards taken; cards
picked up with the pile. Throwing m cards of a kind lowers the known count by m, down to 0.

## Decks

`reset(options={"deck": [...], "dealer": seat})`: the deck is read from the top. Each seat in turn
from the dealer's right gets nine cards: three down, three up, three for the hand. The rest is the
stock in drawing order. `flip` turns the first remaining down card of that order, which is as good
as chance since nobody has seen it.

## Examples

| case | what follows |
|---|---|
| top 4 | legal are 4 5 6 7 8 9 11 12 1, and 2, 10, JK |
| W throws `7 7`, X a 5 | Y may throw 2 … 7, the 3 too; after Y's 4, Z needs 4 or more |
| shot, the target holds `12 5` | takes the pile; the right neighbour begins |
| pile ends in 5 5, then `play 5`, then `play JK=5` | four in a row: clean, the joker's player goes on |
| stock of one card, hand `3 4`, `play 3` | draws it, then takes the three up cards: five in hand |
| no hand, top 12, the down card is a 6 | the 6 and the pile go to the hand |

## Sources

The encyclopedia article on Balcó, in its Catalan, French and Romanian versions, for the rules;
where it is silent, the practice of Shithead (also Danish, Karma), of which Balcó is a relative.
"""

from envs.balco.actions import NUM_ACTIONS
from envs.balco.observation import observe, sections
from envs.balco.record import OPTIONS, STATE
from envs.balco.rules import deal, lay_out, legal_actions, resample_hidden, step
from envs.balco.view import (
    action_text,
    hidden,
    info,
    is_secret,
    news,
    parse_action,
    table,
    zones,
)
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
    is_secret=is_secret,
    news=news,
    info=info,
    arrange=_arrange,
    reset_options={"dealer": "seat of the dealer"},
)
