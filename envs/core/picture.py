"""The text board as a picture, so that `rgb_array` needs no drawing library and no screen.

The glyphs are those of the X11 font misc-fixed 6x13, which is in the public domain.
"""

from __future__ import annotations

import base64
import zlib

import numpy as np

__all__ = ["RENDER_MODES", "picture_of", "show"]

RENDER_MODES = ("human", "ansi", "rgb_array")

WIDTH, HEIGHT = 6, 13  # of a character, in pixels
FIRST, LAST = 32, 126  # printable ASCII
MARGIN = 8
PAPER = np.array([245, 236, 215], np.uint8)  # papyrus
INK = np.array([62, 44, 28], np.uint8)

# One byte per pixel row, most significant bit at the left.
_PACKED = (
    "c-m!Dt$M>S3=A|h95fsZ95f8nBLof#1{xX$1_m1L5e5qf_ZWeO)32Lt>X$UqN$Sa`beeuyQkxPx0C0l<I(;;fw)4c-*Gtlt1~Fx5yFmFo^Lgy="
    ")@_u>lrmdNk&@`nMlnun*wURtztyqLlE&7jKYWohL!eeUmm(pkY#=StddfgjhqVUEE8=u|#1JY9xi|ytJw`!F`FJ>jwUmq6q1EUZ)~%u={IGeA"
    "(Nb>qts}_K=M=+p9Ggg@j6R8)3gjHEeUxns*Xd&CT9yUrx|}GPGGJtJgytz1UH$HqQFGV`)jCUSv_%l)O|**ps%iWAdG4B4%(^1qt$Bm`c(isL"
    ")~%{3H+r}+5NjA5@z%_3=+l!grV$<8L~4L1(#Sv^3IiA&cDzBibz#<+-B9MC1&uK<8;owK2S5Ec>X71}7>2DL?{+#oQoS6hu1^S*#49t9Zpggk"
    "d}Uj)u~>{1UQ0h-T8(w+GsS5Zfmk6*Q-K&*?=q5o@#**=w{9kcr@2JpY`WUPYFs&~S)<h`>18&Ao9P*-1CWN}`mjTqjB}L|e}lTer!P$ZlW#B2"
    "zbBDVg96K+(Cz~K07eiV5C"
)


def _glyphs() -> np.ndarray:
    rows = np.frombuffer(zlib.decompress(base64.b85decode(_PACKED)), np.uint8).reshape(-1, HEIGHT)
    return np.unpackbits(rows[:, :, None], axis=2)[:, :, :WIDTH].astype(bool)


GLYPHS = _glyphs()


def picture_of(text: str) -> np.ndarray:
    """Height x width x 3 bytes."""
    lines = text.splitlines() or [""]
    columns = max(map(len, lines))
    codes = np.array([[ord(c) for c in line.ljust(columns)] for line in lines]).reshape(len(lines), columns)
    codes = np.where((codes >= FIRST) & (codes <= LAST), codes, ord("?")) - FIRST
    ink = GLYPHS[codes].transpose(0, 2, 1, 3).reshape(len(lines) * HEIGHT, columns * WIDTH)
    picture = np.where(np.pad(ink, MARGIN)[:, :, None], INK, PAPER)
    return np.ascontiguousarray(picture, np.uint8)


def show(text: str, render_mode: str) -> str | np.ndarray | None:
    """A text board in one of the render modes; "human" prints it."""
    if render_mode == "ansi":
        return text
    if render_mode == "rgb_array":
        return picture_of(text)
    print(text)
    return None
