"""Hidden information: belief states, particles, and plans that win in every consistent state."""
