"""The machine: compiled kernels and their cache, random numbers, masks, rows, words, seats, ranks. Knows numba, knows no game."""
