"""Players that have learned: values of positions by self-play, applied inside the kernel, without any learning library."""
