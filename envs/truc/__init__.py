"""# Truc

The Balearic trick game of four, six or eight players in two teams, with two bets, the *truc* on
the tricks and the *envit* on pairs of cards, and as much bluff as the table will bear.
Environment id `truc_v0`, PettingZoo's registry `naips/truc-v0`.

## Sources

The Catalan text *Reglament del truc* comes first. Where it is silent, published Menorcan rules
(same lineage: 24 points, same ladders and expressions) decide, then Mallorcan ones. What none of
them settles is our choice; where houses differ the choice is an option.

## Cards

The Spanish pack without eights and nines, written number and suit: `11B`, `1E`, `7O` (O *oros*,
C *copes*, E *espases*, B *bastos*). Id = suit·10 + place of the number in 1 2 3 4 5 6 7 10 11 12.
From high to low, cards on one line being equal:

| level | cards | name |
|---|---|---|
| 0 | 11B | *l'amo* |
| 1 | 10O | *el segon* |
| 2, 3 | 1E, 1B | *llengües* |
| 4, 5 | 7E, 7O | *marilles* |
| 6 | the 3s | |
| 7 | the 2s | |
| 8 | 1O 1C | *asos borts* |
| 9, 10, 11 | 12s; the other 11s; the other 10s | |
| 12 | 7C 7B | |
| 13, 14, 15 | 6s, 5s, 4s | |

Levels 0 to 6 are the *peces*. With six or eight players the 5s stand above all (T14).

## Rules

Seats are named from the dealer's right: p0, the *mà*, plays first; the dealer plays last. Teams
alternate. A team's last player in order is its *peu*.

* **T1 Deal.** The first dealer is drawn, then the deal moves to the right. Three cards each from
  p0.
* **T2 Tricks.** Any card may be played. The highest card's team wins the trick and that player
  leads the next. Two tricks win the hand.
* **T3 Ties.** A trick is tied when both teams have one of its highest cards; if all of them belong
  to one team it wins, the earlier player leading. *First trick tied:* p0 leads, and everybody puts
  both remaining cards as a stack, the higher on top (of equals the lower id). The best top card
  wins the hand; if tops tie, the tied players show their hidden cards; if these tie too, the one
  nearest to the dealer's right wins (`mano`). *Second tied:* the first trick's winner has the hand
  at once. *Third tied:* likewise. With `first_tie="three_tricks"` a tied first trick is followed by
  an ordinary one that p0 leads, whose winner has the hand; after two ties the third decides, after
  three p0's team wins.
* **T4 Truc.** On one's turn to play a card, before playing it, one may call. A hand without a call
  is worth 1.

  | level | call | accepted | refused |
  |---|---|---|---|
  | 1 | *truc* | 3 | 1 |
  | 2 | *retruc* | 6 | 3 |
  | 3 | *vol nou* | 9 | 6 |
  | 4 | *joc fora* | the whole match | 9 |

  Either team may make the first call; then only the team that accepted last may raise, in its
  answer or later at a turn of its own, even the same turn. A raise accepts what it answers. A
  refusal ends the hand.
* **T5 Window.** When the tops of a stack tie, and before the hidden cards are shown, the team with
  the raising right may raise once through its peu. If nobody has called yet, p0's peu is asked
  first and the other peu if he passes. At level 4 there is no window.
* **T6 Fold.** *Me'n vaig* is legal at every decision. The opponents score the accepted truc level;
  an accepted envit still counts; an envit that the folder owes an answer is refused first, and a
  truc call that waits under it is not accepted.
* **T7 Envit value.** Two cards of a suit: 20 and their numbers, figures counting 0; the best two of
  three. *Amo* counts 28 and *segon* 27, each plus one other card of any suit; both together 35
  (`reserved`). Without pair or piece: the highest number (`no_pair`). A team has its best player's.
* **T8 Opening.** Only the peus open the envit, before their card of the first trick
  (`envit_openers="any"`: everybody).
* **T9 Ladder.** *Envida* 2 (refused 1), *jo envit* 4 (refused 2), *dos més* 6 (refused 4), *tots*
  (refused: the last accepted step). *Tots* may follow any step, the others come in order.
* **T10 Tots.** Let L be the higher score when it is settled. Above half the target it pays what the
  leader misses; otherwise whoever wins the envit wins the match. `envit_cap` bounds every accepted
  envit by what the leader misses.
* **T11 Envit first.** Over the first *truc*, the player who answers may say *envida* instead, if he
  has not played his first card; the truc is answered afterwards. Once a truc is accepted the envit
  is closed. `envit_after_truc="never"` drops the reply; `"free"` lets truc calls never close the
  envit.
* **T12 Who answers.** The peu (`answer="peu"`), the next player to the caller's right
  (`"next_player"`), or every opponent in turn, the most willing counting (`"both_most_willing"`).
* **T13 Scoring.** A refused envit is scored at once and may end the match in mid-hand. At the
  hand's end the accepted envit comes first, then the truc, which is not scored if the envit ended
  the match. Equal envits: nearest to the dealer's right. `target` points (24) win a leg, the better
  half of `legs` the match. Only the value and team of the best envit are made known
  (`reveal_envit`: all).
* **T14 Six and eight.** The four 5s rank above the amo, equal to each other; in the envit they
  count 5.
* **T15 Flor** (`flor`): three cards of a suit count 20 and all their numbers, amo 8, segon 7.
* **T16 Signals** (`signals`). Before every trick played card by card each player from p0 says one
  thing: a signal (true or false), nothing, or, a peu, *vine a mi* or *pitja*, which all hear.
  Signals are seen by team mates (`"partner"`), by opponents too with chance `signal_catch`
  (`"risky"`), or by all (`"public"`). Unseen, they look like *passo*. `"open_hands"` shows partners
  each other's cards.
* **T17 Counters.** Scores are marked with the 8 and 9 of a suit: up to 12 the *dolentes*, from 13
  on a team is *a bones*.

`hands=k` ends after k hands; the reward is then the difference of all points over the target.

## Actions: Discrete(64)

| id | text |
|---|---|
| 0–39 | `play 11B`: the card of that id |
| 40–43 | `truc`, `retruc`, `vol nou`, `joc fora` |
| 44–47 | `envida`, `jo envit`, `dos més`, `tots` |
| 48–50 | `vull`, `no vull`, `me'n vaig` |
| 51 | `passo` (T5, T16) |
| 52–56 | `senya amo`, `senya segon`, `senya llengua`, `senya marilla`, `senya tres` |
| 57–61 | `senya dos`, `senya asos borts`, `senya res`, `senya la reservada`, `senya tapada` |
| 62–63 | `vine a mi`, `pitja` |

## Rewards

+1 to each player of the winning team and −1 to the others at the end of the match; with
`reward="points"` every hand pays its difference of points over the target.

## Reset options

`deck` (the whole pack from the top: three to each seat from the dealer's right), `decks` (one per
hand), `dealer` (a seat).

## Length

Every hand gives at least one point, so a match to 24 has at most 47 hands and, with four players,
at most 1,316 decisions. Nothing is ever truncated.
"""

from envs.core.game import Game
from envs.truc import record, rules, view
from envs.truc.hand import lay_out
from envs.truc.observation import observe, sections
from envs.truc.worlds import is_possible, resample_hidden


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
    is_possible=is_possible,
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
    is_secret=view.is_secret,
    info=view.info,
    arrange=_arrange,
    reward_range=record.reward_range,
    reset_options={"dealer": "seat that deals the first hand"},
)
