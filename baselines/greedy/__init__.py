"""The rule-based players of each game, as kernels. One module per game, `POLICIES` by name."""
