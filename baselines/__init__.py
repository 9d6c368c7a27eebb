"""Players: random, greedy, search, learned; and how they meet."""
