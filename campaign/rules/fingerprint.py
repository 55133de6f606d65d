"""Which rules a turn was played under: a hash of the files that make the chart's rules and its rule set's. Rules: G.FA1, G.CL2."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from battles.engine import fingerprint

_HERE = Path(__file__).resolve().parent


@cache
def rules_hash(rule_set: str) -> str:
    """SHA-256 over the source of the campaign's rules, by path, and the hash of the rule set that they ask; 64 hexadecimal digits."""
    digest = hashlib.sha256(fingerprint.rules_hash(rule_set).encode())
    for path in sorted(_HERE.rglob("*.py")):
        digest.update(str(path.relative_to(_HERE)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()
