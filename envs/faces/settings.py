"""The settings that interfaces share: one name, one check and one line of documentation each."""

from __future__ import annotations

from typing import Any

from ..core.declare.checks import check
from ..core.game import Game
from ..core.observing import encoder_names
from ..core.play.lanes import RANDOM_SEAT
from ..core.play.rewards import REWARDS
from .screen import RENDER_MODES

__all__ = [
    "ILLEGAL",
    "MASK_PLACES",
    "SETTINGS",
    "TERMINAL_MASKS",
    "check_settings",
    "mask_places",
    "seat_number",
    "table_for",
]

ILLEGAL = ("terminate", "raise")
TERMINAL_MASKS = ("zeros", "ones")
MASK_PLACES = ("observation", "info")

SETTINGS = {
    "num_players": "players at the table; the game's default if not given",
    "observation": "the encoder: `flat`, `planes`, `tokens`, `lookahead`, or `text` (not in batches)",
    "observation_dtype": "of its numbers: `float32`, `float16` (rounded) or `uint8` (exact, by the space's `high`; not all games)",
    "reward": "`win`, `margin` (both at the end) or `score_delta` (at every step)",
    "illegal": "what an illegal action does: its player forfeits (`terminate`), or an exception (`raise`)",
    "terminal_mask": "the mask when nothing is left to decide: all `zeros`, or all `ones` for code that normalises",
    "mask_in": "where masks are: in the `observation`, in the `info`, or both",
    "opponents": "who plays the other seats: see above",
    "seat": "the learner's seat: a number, or `random` (drawn anew for each game)",
    "autoreset_mode": "when a finished game is replaced: `next_step`, `same_step` or `disabled`",
    "render_mode": "`human` (a window; the first game of a batch), `ansi` (text) or `rgb_array` (pixels, one size per table)",
    "threads": "cores that step a batch together",
    "seed": "of the first games (elsewhere an argument of `reset`)",
}


def _allowed(name: str) -> tuple[Any, ...]:
    return {
        "observation": encoder_names(),
        "reward": REWARDS,
        "illegal": ILLEGAL,
        "terminal_mask": TERMINAL_MASKS,
        "render_mode": (None, *RENDER_MODES),
    }[name]


def check_settings(**settings: Any) -> None:
    """ValueError names the first setting that is wrong and what is allowed."""
    for name, value in settings.items():
        check(name, value, _allowed(name))


def mask_places(mask_in: tuple[str, ...] | str) -> tuple[str, ...]:
    """Where masks are shown: one place may be named without a tuple. ValueError if there is none, or no such place."""
    places = (mask_in,) if isinstance(mask_in, str) else tuple(mask_in)
    for place in places or ("nowhere",):
        check("mask_in", place, MASK_PLACES)
    return places


def seat_number(seat: Any, num_players: int) -> int:
    """The seat of the learner for kernels: its number, or RANDOM_SEAT for "random"."""
    number = seat if isinstance(seat, str) or not hasattr(seat, "__index__") else seat.__index__()
    check("seat", number, ("random", *range(num_players)))
    return RANDOM_SEAT if seat == "random" else int(seat)


def table_for(make: Any, known: tuple[str, ...], game: str | Game, num_players: int | None, options: dict[str, Any]) -> Game:
    """The game at its table. What is neither a setting of the interface nor an option of the game: a TypeError that names both."""
    try:
        return make(game, num_players, **options)
    except TypeError as error:
        if not options:
            raise
        # Worded as Python does it: libraries look for that.
        named = next((name for name in options if f"{name!r}" in str(error)), next(iter(options)))
        raise TypeError(f"got an unexpected keyword argument {named!r}; settings are {', '.join(known)}; {error}") from None
