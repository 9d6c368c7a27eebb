"""The repository root is the package `mastaba`: every folder with an `__init__.py` below it belongs to it, tests do not."""

from setuptools import find_packages, setup

FOLDERS = find_packages(exclude=["tests", "tests.*", "build", "build.*"])

setup(packages=["mastaba", *(f"mastaba.{folder}" for folder in FOLDERS)])
