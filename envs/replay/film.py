"""A game as an animated picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..faces.extras import missing
from ..faces.pictures import image_of
from .file import Replay

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["few_colours", "write_gif"]

WIDTH = 800
COLOURS = 128
SECONDS, LAST_SECONDS = 0.8, 4.0


def write_gif(
    replay: Replay, path: str | Path, *, player: int | None = None, width: int = WIDTH, seconds: float = SECONDS, every: int = 1
) -> Path:
    """One picture per decision (or per `every` of them), as `player` sees the table or with everything open."""
    if every < 1 or seconds <= 0 or width < 100:
        raise ValueError(f"every={every}, seconds={seconds}, width={width}: at least 1, more than 0, at least 100")
    count = len(replay.actions)
    pictures = [state.to_svg(player, legal=False) for i, state in enumerate(replay.states()) if i % every == 0 or i == count]
    images = [image_of(picture, width / 1200) for picture in pictures]
    frames = few_colours(images)
    durations = [round(1000 * seconds)] * (len(frames) - 1) + [round(1000 * LAST_SECONDS)]
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=durations, loop=0, optimize=False)
    return Path(path)


def few_colours(images: Sequence[Image]) -> list[Image]:
    """Pictures with one palette: the colours that their last one has most of, and every pixel the nearest of them.

    Pillow's own choice mixes a rare colour with others, and the dot of a seat is rare. No dithering: only what changes differs from
    picture to picture, and only that is stored.
    """
    try:
        from PIL.Image import fromarray
    except ImportError as error:
        raise missing(error, "render") from None
    colours, counts = np.unique(_numbers(images[-1]), return_counts=True)
    palette = _parts(colours[np.argsort(-counts, kind="stable")[:COLOURS]])
    drawn = []
    for image in images:
        found, where = np.unique(_numbers(image), return_inverse=True)
        nearest = ((_parts(found)[:, None] - palette) ** 2).sum(axis=2).argmin(axis=1).astype(np.uint8)
        drawn.append(fromarray(nearest[where].reshape(image.height, image.width)))
        drawn[-1].putpalette(palette.astype(np.uint8).tobytes())
    return drawn


def _numbers(image: Image) -> np.ndarray:
    """Each pixel's colour as one number."""
    return (np.asarray(image, np.int32) @ np.array([1 << 16, 1 << 8, 1], np.int32)).ravel()


def _parts(numbers: np.ndarray) -> np.ndarray:
    """Red, green and blue of such numbers."""
    return numbers[:, None] >> np.array([16, 8, 0]) & 255
