"""Learning, evaluation and the commands around them."""
