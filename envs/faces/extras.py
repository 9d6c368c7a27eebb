"""What to say when an optional library is not there."""

from __future__ import annotations

__all__ = ["MissingLibraryError", "missing"]


class MissingLibraryError(ImportError, RuntimeError):
    """An optional library is not installed. An ImportError for programs, one clear line on the command line."""


def missing(error: ImportError, extra: str) -> MissingLibraryError:
    """One line that names the extra to install."""
    return MissingLibraryError(f'this needs {error.name or "a library"}, which is not installed: pip install "mastaba[{extra}]"')
