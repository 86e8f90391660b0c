"""Learning and evaluation on the batch engine."""
