"""Pictures as pixels: the SVG of a position through ThorVG. Its words are outlines of the font shipped here, so that every machine
draws the same.

Needs the extra `render` (thorvg-python, Pillow, fontTools); the text board needs nothing.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any
from xml.parsers import expat

import numpy as np

from .extras import missing

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["engine", "image_of", "pixels_of", "size_of"]

_SIZE = re.compile(r'<svg [^>]*?width="([\d.]+)" height="([\d.]+)"')
_STROKES = re.compile(r'<path d="(M[^"M]*(?:M[^"M]*)+)" fill="none"([^>]*)/>')
BLOCK = 1 << 16  # bytes: ctypes keeps a type for every length that it has seen, so lengths are rounded up


@cache
def engine() -> Any:
    """ThorVG without threads of its own, started once; the error names the extra if it is not there."""
    try:
        import PIL.Image  # noqa: F401 - whether it is there
        import thorvg_python
    except ImportError as error:
        raise missing(error, "render") from None
    return thorvg_python.Engine(threads=0)


def _drawable(picture: str) -> bytes:
    """A picture that ThorVG draws as a browser does.

    Words become paths. No fill is invisible, which would be black. Each stroke is by itself: a second one would end wrongly.
    """
    from .outlines import words_as_paths

    _check_markup(picture)
    picture = _STROKES.sub(_single_strokes, words_as_paths(picture).replace('fill="transparent"', 'fill="none"'))
    data = picture.encode()
    return data.ljust(-(-len(data) // BLOCK) * BLOCK)


def _check_markup(picture: str) -> None:
    """ThorVG reads beyond the end of a picture whose marks are broken."""
    try:
        expat.ParserCreate().Parse(picture, True)
    except expat.ExpatError as error:
        raise ValueError(f"not a picture: {error}") from None


def _single_strokes(found: re.Match[str]) -> str:
    return "".join(f'<path d="M{line}" fill="none"{found[2]}/>' for line in found[1].split("M")[1:])


def size_of(svg: str) -> tuple[float, float]:
    """Width and height that a picture says it has."""
    found = _SIZE.match(svg)
    if found is None:
        raise ValueError('not a picture: it must begin with <svg ... width="..." height="...">')
    return float(found[1]), float(found[2])


def image_of(svg: str, zoom: float = 1.0) -> Image:
    """A picture as an image of Pillow, without transparency."""
    thorvg = engine()
    from thorvg_python import Picture, Result, SwCanvas

    width, height = (round(zoom * side) for side in size_of(svg))
    canvas, picture = SwCanvas(thorvg), Picture(thorvg)
    try:
        canvas.set_target(width, height)
        if picture.load_data(_drawable(svg), "svg", None, True) != Result.SUCCESS:
            raise ValueError("not a picture: ThorVG cannot read it")
        picture.set_size(width, height)
        canvas.add(picture)
        canvas.update()
        canvas.draw(True)
        canvas.sync()
        return canvas.get_pillow("RGB")
    finally:
        canvas.destroy()


def pixels_of(svg: str, zoom: float = 1.0) -> np.ndarray:
    """A picture as height x width x 3 bytes."""
    return np.array(image_of(svg, zoom))
