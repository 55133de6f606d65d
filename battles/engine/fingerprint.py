"""Which rules a stored battle was fought under: a hash of what decides the dice.

That is the code of the engine's core and of one rule set, captains included, without comments, docstrings, words and telling. `verify`
fights a battle again only under the rules of the same fingerprint. Rule: G.FA1.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from battles.engine.core.wordless import bare_source
from battles.engine.registry import folder

_HERE = Path(__file__).resolve().parent
# what only tells, shows or hides; a set's own modules of these names, and the core's
TOLD = frozenset({"telling", "events", "log_view", "seen", "readable", "wordless"})


def fingerprint_of(files: Iterable[Path]) -> str:
    """SHA-256 over the bare source of some modules, in whatever folders they lie; 64 hexadecimal digits."""
    return fingerprint_of_sources((path.stem, path.read_text(encoding="utf-8")) for path in files)


def fingerprint_of_sources(sources: Iterable[tuple[str, str]]) -> str:
    """The same of modules that are given as name and source."""
    bare = sorted((name, bare_source(source)) for name, source in sources)
    digest = hashlib.sha256()
    for name, source in bare:
        digest.update(name.encode() + b"\0" + source.encode() + b"\0")
    return digest.hexdigest()


def decides(path: Path) -> bool:
    """Whether a module, by its path, decides dice."""
    return path.stem not in TOLD


def decisive(*folders: Path) -> list[Path]:
    """The modules below some folders that decide dice."""
    return [path for folder in folders for path in sorted(folder.rglob("*.py")) if decides(path)]


@cache
def rules_hash(name: str) -> str:
    """The fingerprint of the engine's core and of one rule set; 64 hexadecimal digits."""
    return fingerprint_of(decisive(_HERE / "core", folder(name)))
