"""Observations: how a state looks to one of its players."""

from .flat import Feature, FlatEncoder

__all__ = ["Feature", "FlatEncoder"]
