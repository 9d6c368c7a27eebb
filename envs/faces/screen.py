"""Where an environment shows itself: `ansi` is text, `rgb_array` pixels, `human` a window.

The window is tkinter's, which comes with Python; the picture in it needs the extra `render`. Without a display, tkinter or that
extra the board is printed instead, and the first time one line says why.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

from .extras import missing
from .pictures import engine, image_of, pixels_of, size_of

if TYPE_CHECKING:
    import tkinter

    from PIL.Image import Image

    from ..core.state import State

__all__ = ["RENDER_FPS", "RENDER_MODES", "NoWindowError", "Screen", "Window"]

RENDER_MODES = ("human", "ansi", "rgb_array")
RENDER_FPS = 1  # pictures a second, for windows and for recorders
SHARE = 0.9  # of the display that a window may take
NAP = 0.02  # seconds between two looks at what the person does with the window


class NoWindowError(RuntimeError):
    """No window can be opened, and why."""


class Window:
    """A window with one picture; closed by `close`, or by the person who looks at it."""

    def __init__(self, title: str) -> None:
        try:
            import tkinter

            from PIL import ImageTk
        except ImportError as error:
            library = (error.name or "").partition(".")[0]
            raise NoWindowError(str(missing(error, "render")) if library == "PIL" else "this Python has no tkinter") from None
        try:
            self._root: tkinter.Tk | None = tkinter.Tk(className="mastaba")
        except tkinter.TclError as error:
            raise NoWindowError(str(error)) from None
        self._photograph = ImageTk.PhotoImage
        self._root.title(title)
        self._root.resizable(False, False)
        self._root.protocol("WM_DELETE_WINDOW", self.close)
        self._label = tkinter.Label(self._root, borderwidth=0)
        self._label.pack()
        self._shown: Any = None  # tkinter forgets a picture that nobody holds
        self._due = 0.0

    @property
    def is_open(self) -> bool:
        return self._root is not None

    def zoom_for(self, width: float, height: float) -> float:
        """1, or less if a picture of this size would be larger than the display."""
        if self._root is None:
            return 1.0
        return min(1.0, SHARE * self._root.winfo_screenwidth() / width, SHARE * self._root.winfo_screenheight() / height)

    def show(self, image: Image, seconds: float = 0.0) -> None:
        """Replace the picture, once the one before has been there as long as it was meant to; this one stays for `seconds`."""
        self._wait()
        if self._root is None:
            return
        self._shown = self._photograph(image, master=self._root)
        self._label.configure(image=self._shown)
        self._root.update()
        self._due = time.monotonic() + seconds

    def _wait(self) -> None:
        """The window stays alive while we wait: it may be moved, or closed."""
        while self._root is not None:
            self._root.update()
            left = self._due - time.monotonic()
            if left <= 0 or self._root is None:
                return
            time.sleep(min(NAP, left))

    def close(self) -> None:
        if self._root is not None:
            self._root.destroy()
            self._root = None


class Screen:
    """Shows the positions of one environment in its render mode. A window is opened by the first picture; a copy opens its own."""

    def __init__(self, render_mode: str | None, title: str) -> None:
        self.render_mode, self.title = render_mode, title
        self._window: Window | None = None
        self._no_window = ""  # why

    def __reduce__(self) -> tuple[Any, ...]:
        return Screen, (self.render_mode, self.title)

    def show(self, state: State, player: int | None) -> str | np.ndarray | None:
        """A position as `player` sees it (None: everything open)."""
        if self.render_mode == "rgb_array":
            return pixels_of(state.to_svg(player))
        if self.render_mode == "ansi":
            return state.to_text(player)
        if not self._no_window:
            try:
                self._show_picture(state.to_svg(player))
            except (NoWindowError, ImportError) as error:
                self._no_window = str(error)
                print(f"boards as text, since no window can be shown: {error}")
        if self._no_window:
            print(state.to_text(player))
        return None

    def _show_picture(self, picture: str) -> None:
        """A window that the person has closed stays closed until the environment is."""
        if self._window is None:
            engine()  # no window if there will be no picture for it
            self._window = Window(self.title)
        if self._window.is_open:
            self._window.show(image_of(picture, self._window.zoom_for(*size_of(picture))), 1 / RENDER_FPS)

    def close(self) -> None:
        if self._window is not None:
            self._window.close()
        self._window, self._no_window = None, ""
