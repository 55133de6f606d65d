"""Which rules a turn was played under: a hash of the chart's rules, of its coasts, and of its rule set's files. Rules: G.FA1, G.CL2."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from battles.engine import fingerprint

_HERE = Path(__file__).resolve().parent
_COASTS = _HERE.parent / "data" / "coast"


@cache
def rules_hash(rule_set: str) -> str:
    """SHA-256 over the source of the campaign's rules and the coasts that hide fleets (G.SI1), by path, and the hash of the rule set.

    64 hexadecimal digits.
    """
    digest = hashlib.sha256(fingerprint.rules_hash(rule_set).encode())
    for folder, files in ((_HERE, "*.py"), (_COASTS, "*.json")):
        for path in sorted(folder.rglob(files)):
            digest.update(str(path.relative_to(folder)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()
