"""Which rules a turn was played under: a hash of what decides the dice on the chart, its coasts among it. Rules: G.FA1, G.CL2."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from battles.engine import fingerprint

_RULES = Path(__file__).resolve().parents[1]
_COASTS = _RULES.parent / "data" / "coast"


@cache
def chart_hash() -> str:
    """SHA-256 over the chart's own rules, admirals included, and the coasts that hide fleets (G.SI1); 64 hexadecimal digits.

    Comments, docstrings and words do not count.
    """
    digest = hashlib.sha256(fingerprint.fingerprint_of(fingerprint.decisive(_RULES)).encode())
    for path in sorted(_COASTS.rglob("*.json")):
        digest.update(str(path.relative_to(_COASTS)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


@cache
def rules_hash(rule_set: str) -> str:
    """SHA-256 over the fingerprints of the chart and of the rule set that fights its battles; 64 hexadecimal digits."""
    return hashlib.sha256((chart_hash() + fingerprint.rules_hash(rule_set)).encode()).hexdigest()
