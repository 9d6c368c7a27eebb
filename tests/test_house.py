"""The house has one direction: imports go downwards through its layers, never up or around."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import mastaba
from mastaba.envs.registry import OURS

ROOT = Path(mastaba.__file__).parent
GAMES = tuple(entry.rpartition("-v")[0] for entry in OURS)

# Lowest first. A module may import its own layer's folder and every layer above it in this list.
LAYERS = (
    ("the machine", ("envs.core.kernel",)),
    ("declarations", ("envs.core.declare",)),
    ("playing", ("envs.core.play",)),
    ("core", ("envs.core",)),
    ("what games are made of", ("making",)),
    ("encoders", ("encoders",)),
    ("games", tuple(f"envs.{game}" for game in GAMES)),
    ("registry", ("envs.registry",)),
    ("interfaces", ("envs.faces",)),
    ("pages", ("envs.pages",)),
    ("replays", ("envs.replay",)),
    ("players", ("baselines",)),
    ("benchmarks", ("benchmarks",)),
    ("tools", ("testing", "compiling", "playing", "showcase")),
    ("the table in the browser", ("web",)),
    ("new games", ("newgame",)),
    ("the command line", ("cli",)),
    ("the program", ("__main__",)),
)
# What is needed only when it is asked for may be imported inside a function: opponents and named players of the interfaces.
LATE = {("envs.faces", "baselines"), ("envs.registry", "envs.faces"), ("baselines", "testing")}


def layer_of(module: str) -> tuple[int, str] | None:
    """The number of a module's layer and the folder that puts it there: the longest that fits."""
    fits = [
        (len(folder), number, folder)
        for number, (_, folders) in enumerate(LAYERS)
        for folder in folders
        if module == folder or module.startswith(f"{folder}.")
    ]
    return max(fits)[1:] if fits else None


def imports_of(path: Path, module: str) -> Iterator[tuple[str, bool]]:
    """The modules of ours that a file imports, and whether it does so only inside a function."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    late = {id(inner) for outer in ast.walk(tree) if isinstance(outer, ast.FunctionDef) for inner in ast.walk(outer)}
    typing = {
        id(inner)
        for outer in ast.walk(tree)
        if isinstance(outer, ast.If) and isinstance(outer.test, ast.Name) and outer.test.id == "TYPE_CHECKING"
        for inner in ast.walk(outer)
    }
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom) or id(node) in typing:
            continue
        if node.level:
            base = package.split(".")[: len(package.split(".")) - node.level + 1] if package else []
            start = ".".join([*base, *([node.module] if node.module else [])])
        elif node.module and node.module.split(".")[0] == "mastaba":
            start = node.module.removeprefix("mastaba").lstrip(".")
        else:
            continue
        for name in node.names:
            target = f"{start}.{name.name}".lstrip(".")
            yield (target if layer_of(target) != layer_of(start) else start or target), id(node) in late


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        if parts[0] in ("tests", "build", "setup") or any(part.startswith(".") for part in parts):
            continue
        yield ".".join(parts).removesuffix("__init__").rstrip("."), path


MODULES = dict(modules())


def test_every_module_belongs_to_a_layer() -> None:
    homeless = [m for m in MODULES if m not in ("", "envs") and layer_of(m) is None]
    assert homeless == []


@pytest.mark.parametrize("module", [m for m in MODULES if m not in ("", "envs")])
def test_imports_go_down(module: str) -> None:
    own = layer_of(module)
    assert own is not None
    for target, late in imports_of(MODULES[module], module):
        there = layer_of(target)
        if there is None or there[1] == own[1] or (late and (own[1], there[1]) in LATE):
            continue
        assert there[0] < own[0], f"{module} ({LAYERS[own[0]][0]}) imports {target} ({LAYERS[there[0]][0]})"


def test_the_layers_would_notice_a_wrong_import(tmp_path: Path) -> None:
    file = tmp_path / "rules.py"
    file.write_text("from ..faces.vector import Duel\nfrom ..core.kernel.jit import kernel\n", encoding="utf-8")
    found = dict(imports_of(file, "envs.giza.rules"))
    assert found == {"envs.faces.vector": False, "envs.core.kernel.jit": False}
    giza, faces = layer_of("envs.giza.rules"), layer_of("envs.faces.vector")
    assert giza is not None
    assert faces is not None
    assert faces[0] > giza[0]


def test_no_game_imports_another_and_core_names_none() -> None:
    for module, path in MODULES.items():
        for target, _ in imports_of(path, module):
            games = {g for g in GAMES if target.startswith(f"envs.{g}")}
            own = {g for g in GAMES if module.startswith((f"envs.{g}", f"baselines.greedy.{g}"))}
            assert not (games and module.startswith("envs.core")), f"{module} imports {target}"
            assert not (games and own and games != own), f"{module} imports {target}"


def test_every_public_name_is_there() -> None:
    for name in mastaba.__all__:
        if name not in ("rllib", "sb3", "testing", "openspiel"):  # need their library
            assert getattr(mastaba, name) is not None
    assert set(mastaba.__all__) <= set(dir(mastaba))
    with pytest.raises(AttributeError, match="no attribute 'sphinx'"):
        mastaba.sphinx  # noqa: B018


def test_faults_that_may_survive_are_in_lines_that_are_there() -> None:
    known = tomllib.loads(Path(__file__).with_name("mutants_known.toml").read_text(encoding="utf-8"))
    for game, rooms in known.items():
        for room, entries in rooms.items():
            lines = {line.strip() for line in (ROOT / "envs" / game / f"{room}.py").read_text(encoding="utf-8").splitlines()}
            assert {entry["line"] for entry in entries} <= lines, f"{game} {room}: run `python tests/mutants.py {game} {room}`"
            assert all(entry["why"] and entry["faults"] for entry in entries)
