"""`python -m mastaba`."""

from .cli import main

main()
