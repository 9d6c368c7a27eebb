"""The ways in, all thin: PettingZoo, Gymnasium, native batches, Stable-Baselines3, RLlib."""
