"""Throughput of mastaba and of its peers, measured by one protocol (see measure.py)."""
