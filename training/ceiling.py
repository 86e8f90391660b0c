"""How much of a learner's time is its network's: the learner, its bare network, and MaskablePPO.

    python -m training.ceiling truc_v0

The bare network is the same multilayer perceptron in plain PyTorch over dense float inputs: one
forward pass a decision, then the same epochs of forward and backward passes and Adam steps on the
same minibatches, with environments that cost nothing and a loss that costs nothing. All three run
one after the other in one process, and count decisions learnt from per second.
"""

import time
from dataclasses import replace
from itertools import pairwise

import torch
from torch import nn

from envs import find_game
from envs.core.game import Game
from training import ppo, sb3
from training.config import TrainConfig, settings


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
    """Decisions per second by name."""
    alone = replace(config, past_share=0.0, rule_share=0.0)  # every decision is learnt from
    return {
        "learner": ppo.measure_speed(game, alone, seconds),
        "bare network": bare_speed(game, alone, seconds),
        "MaskablePPO": sb3.measure_speed(game, config, seconds),
    }


def main(game: str, /, profile: str = "default", seconds: float = 10.0) -> None:
    """Compare the speeds of the learner, its bare network, and MaskablePPO.

    Args:
        game: for example truc_v0.
        profile: of the settings.
        seconds: for each of the three.
    """
    chosen = find_game(game)
    for name, speed in measure(chosen, settings(chosen, profile), seconds).items():
        print(f"{name:>14} {speed:>10,.0f} decisions/s")


if __name__ == "__main__":
    import tyro

    tyro.cli(main)
