"""The games, and the ways in: PettingZoo, Gymnasium, batches."""
