"""Playing: one game, many games, the caller against players inside the kernel; rewards, seeds, lanes."""
