"""Every page of the project, read with a Markdown parser: tables that are tables, links that lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from mastaba.baselines.recipes.results import read_report, table
from mastaba.envs.faces.settings import SETTINGS
from mastaba.envs.pages import LIBRARIES, fill, page_of
from mastaba.envs.pyramidice.components import GODS_TABLE
from mastaba.envs.pyramids.components import CARDS
from mastaba.envs.registry import rules

ROOT = Path(__file__).parent.parent  # an installed package comes without pictures
PAGES = sorted(
    path for path in ROOT.rglob("*.md") if not any(part == "build" or part[0] == "." for part in path.relative_to(ROOT).parts)
)


def broken_rows(text: str) -> list[str]:
    """Lines with `|` that a parser does not take for a row, or whose cells are more or fewer than the head's."""
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    lines = text.splitlines()
    covered: set[int] = set()
    wrong: list[str] = []
    for token in tokens:
        if token.type == "fence" and token.map:
            covered.update(range(*token.map))
        if token.type == "table_open" and token.map:
            first, end = token.map
            covered.update(range(first, end))
            width = _cells(lines[first])
            wrong += [line for line in lines[first:end] if _cells(line) != width]
    return wrong + [line for i, line in enumerate(lines) if i not in covered and line.lstrip().startswith("|")]


def _cells(line: str) -> int:
    """Cells of a row as GitHub counts them: `|` separates also inside code, unless it is escaped."""
    return len(re.split(r"(?<!\\)\|", line.strip().strip("|")))


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_table_is_broken(page: Path) -> None:
    assert broken_rows(page.read_text(encoding="utf-8")) == []


def test_a_broken_table_would_be_noticed() -> None:
    head = "| card | stones |\n|---|---|\n"
    assert broken_rows(head + "| `B|R` | 2 |") == ["| `B|R` | 2 |"]
    assert broken_rows(head + "| `B\\|R` | 2 |") == []
    assert broken_rows("text\n| a | b |\nno table") == ["| a | b |"]


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_to_files_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    targets = [target.partition("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in target]
    assert [target for target in targets if target and not (page.parent / target).exists()] == []


def test_the_library_page_explains_every_setting() -> None:
    text = LIBRARIES.read_text(encoding="utf-8")
    assert [name for name in SETTINGS if f"| `{name}` |" not in text] == []


@pytest.mark.parametrize("heading", ["Description", "Action Space", "Observation Space", "Rewards", "Arguments", "Version History"])
def test_every_game_page_has_the_usual_headings(name: str, heading: str) -> None:
    assert f"\n## {heading}\n" in page_of(name).read_text(encoding="utf-8")


def test_every_game_page_has_its_history(name: str) -> None:
    _, _, history = page_of(name).read_text(encoding="utf-8").partition("\n## Version History\n")
    versions = re.findall(r"^- v(\d+):", history, re.MULTILINE)
    assert versions == [str(v) for v in range(rules(name).version, -1, -1)]


def test_every_game_page_shows_its_players_in_a_row_each(name: str) -> None:
    _, _, rest = page_of(name).read_text(encoding="utf-8").partition("<!-- players -->")
    shown, _, _ = rest.partition("<!-- /players -->")
    assert [player for player in rules(name).named_policies if f"\n| `{player}` |" not in shown] == []


def test_every_feature_row_is_explained(name: str) -> None:
    assert [f.name for f in rules(name).schema if f.table is not None and f.observe and not f.columns] == []
    text = page_of(name).read_text(encoding="utf-8")
    assert ("(feature row" in text) == ("| feature row of | numbers | meaning |" in text)
    assert "*Nothing*" in text


def test_all_cards_and_gods_are_listed() -> None:
    cards = page_of("pyramids").read_text(encoding="utf-8")
    assert [card for card in CARDS if f"`{card}`".replace("|", "\\|") not in cards] == []
    gods = page_of("pyramidice").read_text(encoding="utf-8")
    assert [name for name, _, cost, fame in GODS_TABLE if f"| {name} | `{cost}` | {fame} |" not in gods] == []


def test_the_results_of_training_are_those_of_the_reports() -> None:
    page = (ROOT / "baselines" / "README.md").read_text(encoding="utf-8")
    reports = [read_report(folder) for folder in sorted((ROOT / "baselines" / "results").iterdir())]
    assert fill(page, {"results": table(reports)}) == page
