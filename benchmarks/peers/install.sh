#!/usr/bin/env bash
# All peers into one Python environment (tried with Python 3.11 on Linux): PYTHON=.venv/bin/python install.sh
# The `peers` extra of mastaba installs the first line; the other two need a word to pip (see peers/__init__.py).
set -euo pipefail
python=${PYTHON:-python}
here=$(cd "$(dirname "$0")" && pwd)

"$python" -m pip install "pettingzoo[classic]" open_spiel rlcard pgx envpool jumanji catanatron
"$python" -m pip install --no-deps catanatron-gym
"$python" "$here/build_pufferlib.py" || echo "PufferLib did not build here; the benchmarks will list it as skipped" >&2
