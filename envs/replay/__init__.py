"""Games that are kept: a small JSON file, a page to look at them, an animated picture."""

from __future__ import annotations

from .file import Replay, ReplayError
from .film import write_gif
from .page import write_page

__all__ = ["Replay", "ReplayError", "write_gif", "write_page"]
