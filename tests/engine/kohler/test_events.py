"""What a log may hold: every event that the set tells is described, with all its data."""

from __future__ import annotations

import ast
import re
import runpy
from collections import defaultdict
from pathlib import Path

from battles.engine.rulesets.kohler import events, turn

FOLDER = Path(turn.__file__).parent
NOT_TOLD_NOW = "avoided"  # a log says "contact" with made = false instead
# How a description begins, where two neighbours of the list have the same data.
BEGINS = {
    "wind": "wind:", "caught": "ship caught in irons", "arrived": "reinforcement", "fired_ship": "fire ship fired",
    "initiative": "squadron's throw", "straggler": "ship no longer in command", "locked": "two ships held",
    "freed": "two ships apart", "placing": "which side", "aground": "ship aground", "wrecked": "ship driven ashore",
    "refloated": "ship afloat again", "gone": "ship over the edge", "avoided": "contact without a lock", "alight": "fire aboard",
    "burns": "fire burns on", "fire_out": "fire put out", "exploded": "ship blown up", "sunk": "ship sinking",
    "burnt_out": "fire ship burnt out", "flag_hit": "flag officer out of action", "moved": "activation",
    "drifted": "ship carried down wind", "disorder": "ship displaced", "critical": "critical check", "guns_out": "gun deck swept",
}  # fmt: skip


def told() -> dict[str, set[str]]:
    """Names of data by kind of event, as the set's own code gives them."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in sorted(FOLDER.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call) or len(node.args) < 2:
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)
            kind = node.args[0] if name == "add" else node.args[2] if name == "Event" else None
            for one in ast.walk(kind) if kind is not None else ():
                if isinstance(one, ast.Constant) and isinstance(one.value, str):
                    found[one.value] |= {word.arg for word in node.keywords if word.arg}
    return found


def test_every_kind_of_event_is_described_with_all_its_data() -> None:
    kinds: dict[str, str] = runpy.run_path(events.__file__)["KINDS"]
    code = told()
    assert kinds == events.KINDS
    assert code.keys() | {NOT_TOLD_NOW} == kinds.keys()
    for kind, data in code.items():
        words = set(re.findall(r"[a-z_]+", kinds[kind]))
        assert [name for name in sorted(data) if name not in words] == [], (kind, kinds[kind])
    assert [kind for kind, text in BEGINS.items() if not kinds[kind].startswith(text)] == []
