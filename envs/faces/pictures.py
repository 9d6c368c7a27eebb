"""Pictures as pixels: the SVG of a position through resvg, with the font shipped here, so that every machine draws the same.

Needs the extra `render` (resvg_py, Pillow); the text board needs nothing.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from .extras import missing

if TYPE_CHECKING:
    from PIL.Image import Image

    from ..core.state import State

__all__ = ["FONTS", "RENDER_MODES", "image_of", "pixels_of", "png_of", "show"]

RENDER_MODES = ("human", "ansi", "rgb_array")

FONTS = tuple(str(Path(__file__).parent / "fonts" / name) for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"))


def png_of(svg: str, zoom: float = 1.0) -> bytes:
    """A picture as a PNG file."""
    try:
        import resvg_py
    except ImportError as error:
        raise missing(error, "render") from None
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, zoom=zoom, skip_system_fonts=True, font_files=list(FONTS)))


def image_of(svg: str, zoom: float = 1.0) -> Image:
    """A picture as an image of Pillow, without transparency."""
    try:
        import PIL.Image
    except ImportError as error:
        raise missing(error, "render") from None
    return PIL.Image.open(io.BytesIO(png_of(svg, zoom))).convert("RGB")


def pixels_of(svg: str, zoom: float = 1.0) -> np.ndarray:
    """A picture as height x width x 3 bytes."""
    return np.array(image_of(svg, zoom))


def show(state: State, player: int | None, render_mode: str) -> str | np.ndarray | None:
    """A position as `player` sees it (None: everything open) in one of the render modes; "human" prints the text board."""
    if render_mode == "rgb_array":
        return pixels_of(state.to_svg(player))
    text = state.to_text(player)
    if render_mode == "ansi":
        return text
    print(text)
    return None
