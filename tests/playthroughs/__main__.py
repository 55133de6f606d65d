"""`python -m tests.playthroughs [SET ...]` plays the recorded games again and writes them down; with --check it only compares."""

from __future__ import annotations

import sys

from battles.engine.registry import names
from tests.playthroughs import recorded, written

check = "--check" in sys.argv[1:]
differ = False
for name in [word for word in sys.argv[1:] if word != "--check"] or names():
    if check:
        same = recorded(name).read_text(encoding="utf-8") == written(name)
        print(f"{'ok' if same else 'DIFFERENT'}  the game of {name}")
        differ |= not same
        continue
    recorded(name).write_text(written(name), encoding="utf-8")
    print(recorded(name))
sys.exit(differ)
