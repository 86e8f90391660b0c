"""Learning with RLlib, from one machine to a cluster; ``pip install 'naips[train,ray]'`` brings it.

    naips train-ray truc --num-env-runners 2 --minutes 10

| module | |
|---|---|
| ``module`` | the policy as an ``RLModule``: masks, a critic, and the way out |
| ``episodes`` | a seat's decisions as an RLlib episode |
| ``runner`` | an ``EnvRunner`` that drives a batch of games |
| ``setup`` | the settings of a run as a ``PPOConfig`` |
| ``learn`` | a run: cluster, checkpoints, going on |
| ``cluster`` | joining a Ray cluster, and spreading work over one |

RLlib's own runners step one environment object at a time, and its multi-agent runner keeps books in
Python for every agent of every step. What its interface leaves open is the runner itself:
``AlgorithmConfig.env_runners(env_runner_cls=…)`` takes any ``EnvRunner`` whose ``sample`` returns
episodes. Ours steps the batch engine through ``training.selfplay``, so that rewards which arrive on
others' turns, seats that are out, past selves and rule players are those of the project's learner,
and hands RLlib one episode for each seat and stretch of play. All else is RLlib's as it comes: PPO,
its learner, its fault tolerance.
"""

from envs.interop import require

EXTRA = "ray"
OLDEST, BELOW = "2.60", "3.0"

require("ray", "ray", OLDEST, BELOW, EXTRA)
require("tree", "dm_tree", "0.1", "1.0", EXTRA)  # Ray without its rllib lacks it
