"""A game as an animated picture."""

from __future__ import annotations

from pathlib import Path

from ..faces.extras import missing
from ..faces.pictures import image_of
from .file import Replay

__all__ = ["write_gif"]

WIDTH = 800
COLOURS = 128
SECONDS, LAST_SECONDS = 0.8, 4.0


def write_gif(
    replay: Replay, path: str | Path, *, player: int | None = None, width: int = WIDTH, seconds: float = SECONDS, every: int = 1
) -> Path:
    """One picture per decision (or per `every` of them), as `player` sees the table or with everything open."""
    try:
        from PIL.Image import Dither
    except ImportError as error:
        raise missing(error, "render") from None
    if every < 1 or seconds <= 0 or width < 100:
        raise ValueError(f"every={every}, seconds={seconds}, width={width}: at least 1, more than 0, at least 100")
    count = len(replay.actions)
    pictures = [state.to_svg(player, legal=False) for i, state in enumerate(replay.states()) if i % every == 0 or i == count]
    images = [image_of(picture, width / 1200) for picture in pictures]
    # One palette for all, and no dithering: only what changes differs from picture to picture, and only that is stored.
    palette = images[-1].quantize(COLOURS, dither=Dither.NONE)
    frames = [image.quantize(COLOURS, palette=palette, dither=Dither.NONE) for image in images]
    durations = [round(1000 * seconds)] * (len(frames) - 1) + [round(1000 * LAST_SECONDS)]
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=durations, loop=0, optimize=False)
    return Path(path)
