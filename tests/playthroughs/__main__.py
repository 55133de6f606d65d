"""`python -m tests.playthroughs [SET ...]` plays the recorded games again and writes them down."""

from __future__ import annotations

import sys

from battles.engine.registry import names
from tests.playthroughs import recorded, written

for name in sys.argv[1:] or names():
    recorded(name).write_text(written(name), encoding="utf-8")
    print(recorded(name))
