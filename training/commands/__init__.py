"""The subcommands of ``naips``, one module each, in the order of the help."""

from collections.abc import Callable

from training.commands.advise import advise
from training.commands.bench import bench
from training.commands.crossplay import crossplay
from training.commands.evaluate import evaluate
from training.commands.exploit import exploit
from training.commands.ladder import ladder
from training.commands.play import play
from training.commands.replay import replay
from training.commands.rules import rules
from training.commands.stats import stats
from training.commands.tournament import tournament
from training.commands.train import train
from training.commands.train_ray import train_ray

_MEASURING = (evaluate, tournament, ladder, exploit, crossplay)

COMMANDS: dict[str, Callable[..., int]] = {
    command.__name__.replace("_", "-"): command
    for command in (train, train_ray, *_MEASURING, play, replay, advise, rules, bench, stats)
}
