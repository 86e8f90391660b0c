"""What all games share: compilation, randomness, cards, observations, the engine."""
