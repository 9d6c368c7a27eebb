"""Players that think: `rollout`, `mcts` and `mc`, with a budget in simulations (`mcts:1000`) or time (`mcts:100ms`).

`search` is the strongest of them in a game.
"""
