"""Inner loops of the learners, compiled.

A *row* is one decision of a learning seat. Rows lie in the order in which they were played; each
knows the row that follows along the same seat's game (``following``), so a trajectory is a linked
list and rewards that arrive on other seats' turns go to the seat's latest row.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from agents.policy import dense, draw, next_unit, nonzero, relu
from envs.core.jit import rule

TERMINAL, OPEN = -1, -2  # values of ``following``: the game ended; the seat has not acted again yet


class Workers:
    """A few threads that share the rows of a compiled loop ``loop(*arguments, part, lo, hi)``."""

    def __init__(self, threads: int):
        self.threads = threads
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def run(self, loop: Callable, rows: int, *arguments: Any) -> None:
        """Run the loop over ``rows``; loops release the GIL."""
        if self._pool is None or rows < 512:  # below, starting a thread costs more than it saves
            loop(*arguments, 0, 0, rows)
            return
        cuts = [rows * i // self.threads for i in range(self.threads + 1)]
        jobs = [
            self._pool.submit(loop, *arguments, part, cuts[part], cuts[part + 1])
            for part in range(self.threads)
        ]
        for job in jobs:
            job.result()


@rule
def embed_rows(observations, rows, weights, bias, out, part, lo, hi):
    """out[i] = relu(observations[rows[i]] @ weights + bias), passing over the zeros."""
    live = np.empty(weights.shape[0], np.int64)
    for i in range(lo, hi):
        dense(observations[rows[i]], weights, bias, live, out[i])
        relu(out[i])


@rule
def embed_gradient(observations, rows, out, slope, weights, bias, part, lo, hi):
    """Add the gradient of ``embed_rows`` to weights[part] and bias[part].

    ``slope`` is the gradient with respect to ``out``; it is overwritten.
    """
    live = np.empty(weights.shape[1], np.int64)
    for i in range(lo, hi):
        push, passed = slope[i], out[i]
        for j in range(push.shape[0]):
            push[j] = push[j] if passed[j] > 0 else np.float32(0)
            bias[part, j] += push[j]
        seen = observations[rows[i]]
        for m in range(nonzero(seen, live)):
            value, into = np.float32(seen[live[m]]), weights[part, live[m]]
            for j in range(push.shape[0]):
                into[j] += value * push[j]


@rule
def head_rows(hidden, weights, bias, masks, observations, advice, rows, out, part, lo, hi):
    """out[i] = hidden[i] @ weights.T + bias, for legal actions and for what is no action.

    Most of a large game's actions are illegal most of the time; their outputs are left at 0.

    Args:
        hidden: float32[M, H].
        weights: float32[O, H] and bias float32[O]: the actions, then what is no action.
        masks: bool[R, A] and observations [R, N], of which ``rows`` int64[M] are meant.
        advice: what an action gains whose input is set among the last A; see ``agents.advice``.
        out: float32[M, O], written.
    """
    live, scratch = np.empty(weights.shape[0], np.int64), np.empty(weights.shape[1], np.float32)
    actions = masks.shape[1]
    for i in range(lo, hi):
        seen = observations[rows[i]]
        out[i, :] = 0
        for m in range(_live(masks[rows[i]], weights.shape[0], live)):
            place = live[m]
            out[i, place] = bias[place] + _inner(hidden[i], weights[place], scratch)
            if advice != 0 and place < actions:
                out[i, place] += advice * np.float32(seen[seen.shape[0] - actions + place])


@rule
def head_gradient(
    hidden, weights, masks, rows, slope, hidden_slope, weight_slope, bias_slope, part, lo, hi
):
    """Write the gradient of ``head_rows`` with respect to ``hidden``, add those of the others.

    ``slope`` is the gradient with respect to ``out``; weight_slope [parts, O, H] and bias_slope
    [parts, O].
    """
    live = np.empty(weights.shape[0], np.int64)
    for i in range(lo, hi):
        back, values = hidden_slope[i], hidden[i]
        back[:] = 0
        for m in range(_live(masks[rows[i]], weights.shape[0], live)):
            place = live[m]
            push, weight, into = slope[i, place], weights[place], weight_slope[part, place]
            bias_slope[part, place] += push
            for j in range(back.shape[0]):
                back[j] += push * weight[j]
                into[j] += push * values[j]


@rule
def _live(mask, outputs, places):
    """The legal actions, and the outputs behind the actions; returns how many."""
    count = nonzero(mask, places)
    for place in range(mask.shape[0], outputs):
        places[count] = place
        count += 1
    return count


@rule
def _inner(a, b, scratch):
    """Inner product; halves are added to one another, which a processor does many at a time."""
    count = a.shape[0]
    for j in range(count):
        scratch[j] = a[j] * b[j]
    while count > 8:
        half = (count + 1) // 2
        for j in range(count - half):
            scratch[j] += scratch[half + j]
        count = half
    total = np.float32(0)
    for j in range(count):
        total += scratch[j]
    return total


@rule
def draw_rows(logits, masks, games, streams, actions, log_probs, part, lo, hi):
    """Draw an action for rows lo … hi - 1, from the stream of the game each belongs to."""
    for i in range(lo, hi):
        actions[i], log_probs[i] = draw(logits[i], masks[i], 1.0, next_unit(streams, games[i]))


@rule
def link_rows(games, seats, first, latest, following, rewards):
    """Append rows from ``first`` on, one for each of ``games``, to their seats' trajectories."""
    for i in range(games.shape[0]):
        k = games[i]
        row = first + i
        before = latest[k, seats[k]]
        if before >= 0:
            following[before] = row
        following[row] = OPEN
        rewards[row] = 0
        latest[k, seats[k]] = row


@rule
def pay_rows(paid, worth, dones, scale, owners, latest, following, rewards, totals):
    """Give what a step was worth to each seat's latest row, and close the games that ended.

    ``totals`` adds up what was paid, which may be less than it was worth (see ``foresight``).
    Returns how many learning seats saw their game end before they ever acted.
    """
    unheard = 0
    for k in range(paid.shape[0]):
        for seat in range(paid.shape[1]):
            totals[k, seat] += paid[k, seat]
            row = latest[k, seat]
            if row >= 0:
                rewards[row] += scale * worth[k, seat]
            if dones[k]:
                if row >= 0:
                    following[row] = TERMINAL
                elif owners[k, seat] == 0:
                    unheard += 1
                latest[k, seat] = -1
    return unheard


@rule
def advantages(rows, values, rewards, following, trace, out):
    """Generalised advantage estimates with γ = 1 along each seat's own decisions.

    An open row gets none: what it leads to is not known yet. The row before it rests on its value.
    """
    for row in range(rows - 1, -1, -1):
        after = following[row]
        if after == OPEN:
            out[row] = 0
        elif after == TERMINAL:
            out[row] = rewards[row] - values[row]
        else:
            out[row] = rewards[row] + values[after] - values[row] + trace * out[after]


# What ``policy_gradient`` sums up: losses, entropy, KL to the reference, clipped rows, KL of the
# change.
SUMS = ("policy", "value", "entropy", "magnet", "clipped", "change")


@rule
def policy_gradient(
    rows, outputs, masks, actions, old_log_probs, advantage, targets, magnets, weights, gradient,
    sums, part, lo, hi,
):  # fmt: skip
    """Gradient of the PPO loss with respect to the network's outputs lo … hi - 1.

    The loss of a row, of which the minibatch takes the mean, is
        - min(ratio * advantage, clip(ratio) * advantage)
        + value_weight / 2 * (value - target)²
        - entropy * H(policy) + magnet * KL(policy || reference)
    over the legal actions alone. It is written by hand because autograd spends longer on a masked
    softmax over many illegal actions than on the small network before it.

    Args:
        rows: int64[M], of a rollout; the next ones are columns of the rollout.
        outputs: float32[M, A + 1], logits and the value.
        magnets: float32[R, A], logits of the reference policy (any array when it has no weight).
        weights: float64[5]: clip, value_weight, entropy, magnet, 1 / rows of the minibatch.
        gradient: float32[M, A + 1], written.
        sums: float64[parts, len(SUMS)], added to.
    """
    clip, value_weight, entropy_weight, magnet_weight, share = weights
    num_actions = masks.shape[1]
    legal, log_p, p = np.empty(num_actions, np.int64), np.empty(num_actions), np.empty(num_actions)
    log_m = np.zeros(num_actions)
    total = np.zeros(6)
    for i in range(lo, hi):
        row = rows[i]
        action, gain = actions[row], advantage[row]
        count = nonzero(masks[row], legal)
        log_softmax(outputs[i], legal, count, log_p)
        entropy, divergence, change = 0.0, 0.0, -old_log_probs[row]
        if magnet_weight > 0:
            log_softmax(magnets[row], legal, count, log_m)
        for m in range(count):
            p[m] = np.exp(log_p[m])
            entropy -= p[m] * log_p[m]
            divergence += p[m] * (log_p[m] - log_m[m])
            if legal[m] == action:
                change += log_p[m]
        ratio = np.exp(min(change, 20.0))
        clipped = (gain > 0 and ratio > 1 + clip) or (gain < 0 and ratio < 1 - clip)
        pull = 0.0 if clipped else -gain * ratio
        gradient[i, :] = 0
        for m in range(count):
            slope = (
                entropy_weight * (log_p[m] + entropy)
                + magnet_weight * (log_p[m] - log_m[m] - divergence)
                - pull
            )
            gradient[i, legal[m]] = share * p[m] * slope
        gradient[i, action] += share * pull
        miss = outputs[i, num_actions] - targets[row]
        gradient[i, num_actions] = share * value_weight * miss
        total[0] -= min(ratio * gain, min(max(ratio, 1 - clip), 1 + clip) * gain)
        total[1] += miss * miss
        total[2] += entropy
        total[3] += divergence if magnet_weight > 0 else 0.0
        total[4] += clipped
        total[5] += ratio - 1 - change
    sums[part] += total


@rule
def log_softmax(logits, legal, count, out):
    """Log-probabilities of the legal actions, in their order."""
    top = -np.inf
    for m in range(count):
        top = max(top, logits[legal[m]])
    total = 0.0
    for m in range(count):
        total += np.exp(logits[legal[m]] - top)
    shift = top + np.log(total)
    for m in range(count):
        out[m] = logits[legal[m]] - shift
