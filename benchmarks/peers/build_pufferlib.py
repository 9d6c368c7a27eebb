"""Build PufferLib's four board games from its source distribution, without what its own build downloads.

PufferLib 3.0.0 does not install beside the other peers: it pins numpy<2 and gymnasium<=0.29.1, and its setup.py
fetches libraries for other games from elsewhere, before it builds some forty of them. The four games compared here
need none of that. The sources and the compiler flags are PufferLib's own; only the list of games is shorter.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
from pathlib import Path
from urllib.parse import urljoin

VERSION = "3.0.0"
SDIST = f"pufferlib-{VERSION}.tar.gz"
GAMES = ("go", "checkers", "connect4", "tripletriad")
REQUIREMENTS = ("gym==0.23.0", "gymnasium", "numpy")

SETUP = f"""
import numpy
from setuptools import Extension, find_namespace_packages, setup

def game(name):
    return Extension(
        f"pufferlib.ocean.{{name}}.binding",
        [f"pufferlib/ocean/{{name}}/binding.c"],
        include_dirs=[numpy.get_include(), "raylib-5.5_linux_amd64/include"],
        extra_objects=["raylib-5.5_linux_amd64/lib/libraylib.a"],
        extra_compile_args=["-DNPY_NO_DEPRECATED_API=NPY_1_7_API_VERSION", "-DPLATFORM_DESKTOP", "-O2", "-flto",
                            "-Wno-alloc-size-larger-than", "-Wno-implicit-function-declaration"],
        extra_link_args=["-fwrapv", "-O2", "-Bsymbolic-functions"],
    )

setup(
    name="pufferlib",
    version="{VERSION}",
    packages=find_namespace_packages(include=["pufferlib*"], exclude=["pufferlib.resources*"]),
    include_package_data=False,
    install_requires={list(REQUIREMENTS)!r},
    ext_modules=[game(name) for name in {GAMES!r}],
)
"""

PYPROJECT = """
[build-system]
requires = ["setuptools", "numpy"]
build-backend = "setuptools.build_meta"
"""


def pip(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "pip", *arguments], check=True)


def fetch_sdist(folder: Path) -> Path:
    """pip cannot: it runs the setup.py of whatever it downloads. So ask the package index that pip would ask."""
    from pip._internal.models.index import PyPI

    index = os.environ.get("PIP_INDEX_URL", PyPI.simple_url).rstrip("/") + "/pufferlib/"
    with urllib.request.urlopen(index) as page:
        link = re.search(rf'href="([^"]*/{re.escape(SDIST)})#sha256=([0-9a-f]+)"', page.read().decode())
    if link is None:
        raise RuntimeError(f"{SDIST} is not in the package index")
    with urllib.request.urlopen(urljoin(index, link[1])) as file:
        content = file.read()
    if hashlib.sha256(content).hexdigest() != link[2]:
        raise RuntimeError(f"{SDIST} is damaged: its digest is not the index's")
    (folder / SDIST).write_bytes(content)
    return folder / SDIST


def build(sdist: Path, folder: Path) -> None:
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    source = folder / f"pufferlib-{VERSION}"
    (source / "setup.py").write_text(SETUP)
    (source / "pyproject.toml").write_text(PYPROJECT)
    (source / "MANIFEST.in").write_text("")
    pip("install", *REQUIREMENTS)
    pip("install", "--no-deps", str(source))


def main() -> None:
    """With an argument: build from that source distribution instead of downloading it."""
    with tempfile.TemporaryDirectory() as folder:
        given = [Path(argument).resolve() for argument in sys.argv[1:]]
        build(given[0] if given else fetch_sdist(Path(folder)), Path(folder))


if __name__ == "__main__":
    main()
