"""The page "Your library": every snippet is taken from the page and run against the real library.

Sections are chosen by environment, since not all libraries fit into one: `pytest tests/libraries -k "torchrl or tianshou"`.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

import mastaba

PAGE = Path(mastaba.__file__).parent / "envs" / "LIBRARIES.md"


def snippets() -> dict[str, str]:
    """The Python code of each section, in one piece: later blocks go on from earlier ones."""
    sections: dict[str, list[str]] = {}
    title, tokens = "", MarkdownIt("commonmark").parse(PAGE.read_text(encoding="utf-8"))
    for token, following in pairwise(tokens):
        if token.type == "heading_open" and token.tag == "h2":
            title = following.content.lower().replace(" ", "-")
        elif token.type == "fence" and token.info == "python":
            sections.setdefault(title, []).append(token.content)
    return {title: "\n".join(blocks) for title, blocks in sections.items()}


SNIPPETS = snippets()


@pytest.mark.parametrize("library", SNIPPETS)
def test_the_snippet_runs(library: str) -> None:
    if library in ("stable-baselines3", "rllib", "torchrl", "tianshou", "agilerl", "cleanrl-style"):
        import torch

        torch.set_num_threads(1)
    exec(compile(SNIPPETS[library], f"{PAGE.name}, {library}", "exec"), {"__name__": "__main__"})


def test_every_library_of_the_table_has_a_snippet() -> None:
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| [")]
    assert len(rows) == 11
    for row in rows:
        assert row.partition("](#")[2].partition(")")[0] in SNIPPETS
