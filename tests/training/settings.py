"""Small settings for tests: one thread, so that they are quick on a busy machine too."""

from training.config import TrainConfig

SMALL = TrainConfig(
    games=64, rollout=8, hidden=(16,), minibatch=256, steps=64 * 8 * 12, threads=1, past_every=2,
    past_kept=3, probes=1, probe_games=32, critic="shared",
)  # fmt: skip

# Kuhn poker wants a strong pull to the reference: plain policy gradients circle about it.
KUHN = TrainConfig(
    games=512, rollout=6, hidden=(32,), minibatch=3072, steps=700_000, learning_rate=0.01,
    entropy=0.2, entropy_end=0.25, magnet=0.5, magnet_speed=0.02, past_share=0.0, rule_share=0.0,
    threads=1, critic="shared",
)  # fmt: skip
