"""Which rules a stored battle was fought under: the version of a rule set and a hash of the files that make it.

`verify` replays a battle only under the rules of the same hash. Rule: G.FA1.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

_HERE = Path(__file__).resolve().parent


@cache
def rules_hash(name: str) -> str:
    """SHA-256 over the source of the engine's core and of one rule set, by path; 64 hexadecimal digits."""
    digest = hashlib.sha256()
    files = sorted(
        [*_HERE.glob("*.py"), *(_HERE / "core").rglob("*.py"), *(_HERE / "rulesets" / name).rglob("*.py")]
    )
    for path in files:
        digest.update(str(path.relative_to(_HERE)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()
