"""What to say when an optional library is not there."""

from __future__ import annotations

__all__ = ["missing"]


def missing(error: ImportError, extra: str) -> RuntimeError:
    """One line that names the extra to install."""
    return RuntimeError(f'this needs {error.name or "a library"}, which is not installed: pip install "mastaba[{extra}]"')
