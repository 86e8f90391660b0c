"""How much of a learner's time is its network's: the learner, its bare network, and MaskablePPO.

The bare network is the same multilayer perceptron in plain PyTorch over dense float inputs: one
forward pass a decision, then the same epochs of forward and backward passes and Adam steps on the
same minibatches, with environments that cost nothing and a loss that costs nothing. The learner
passes over inputs that are zero, so it may be the faster one.

MaskablePPO has a network for its critic, as SB3 does by default, and random opponents, which cost
next to nothing. It is to be compared with the learner that has a separate critic too: the same two
networks, batch, minibatch and epochs. All run one after the other in one process and count the
decisions that are learnt from, per second.
"""

import time
from dataclasses import replace
from itertools import pairwise

import torch
from torch import nn

from envs.core.game import Game
from training import ppo, sb3
from training.config import TrainConfig


def bare_speed(game: Game, config: TrainConfig, seconds: float) -> float:
    """Decisions per second of the bare network."""
    torch.set_num_threads(config.threads)
    rules = game.configure(config.num_players, **config.all_training_options)
    widths = [game.layout(rules).size, *config.hidden, game.num_actions(rules) + 1]
    layers: list[nn.Module] = []
    for before, after in pairwise(widths):
        layers += [nn.Linear(before, after), nn.ReLU()]
    network = nn.Sequential(*layers[:-1])
    adam = torch.optim.Adam(network.parameters(), fused=True)
    forwards, backwards = (torch.randn(n, widths[0]) for n in (config.games, config.minibatch))
    slope = torch.randn(config.minibatch, widths[-1])
    steps = config.steps_per_update * config.epochs // config.minibatch

    def update() -> None:
        with torch.no_grad():
            for _ in range(config.rollout):
                network(forwards)
        for _ in range(steps):
            adam.zero_grad()
            network(backwards).backward(slope)
            adam.step()

    update()
    updates, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        update()
        updates += 1
    return updates * config.steps_per_update / (time.perf_counter() - start)


def measure(game: Game, config: TrainConfig, seconds: float = 10.0) -> dict[str, float]:
    """Decisions learnt from per second, by name."""
    alone = replace(config, past_share=0.0, rule_share=0.0, critic="shared")
    separate = replace(alone, critic="separate")
    seated = replace(separate, rule_share=1.0, rule_agents=("random",))
    speeds = {
        "learner": ppo.measure_speed(game, alone, seconds),
        "bare_network": bare_speed(game, alone, seconds),
        "learner_with_separate_critic": ppo.measure_speed(game, separate, seconds),
        "maskable_ppo": sb3.measure_speed(game, seated, seconds),
    }
    return {name: round(speed) for name, speed in speeds.items()}
