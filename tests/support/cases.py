"""Test cases kept as data: `tests/cases/<set>/<name>.toml`, each case keyed by the clause it checks.

A file is a list of `[[case]]` tables. `id` begins with the clause ("K.F14/points-4-score-2"); `clauses` names further ones. The id
becomes the id of the pytest case, the clauses its marker.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

CASES = Path(__file__).resolve().parent.parent / "cases"


def cases(name: str) -> list[Any]:
    """Parameters for `pytest.mark.parametrize("case", cases("kohler/fire_table"))`, one dict a case.

    Raises ValueError when a file has no cases, repeats an id, or an id has no clause.
    """
    path = CASES / f"{name}.toml"
    rows = tomllib.loads(path.read_text()).get("case", [])
    ids = [row["id"] for row in rows]
    if not rows or len(set(ids)) != len(ids):
        raise ValueError(f"{path.name}: no cases, or an id that repeats")
    return [_param(path, row) for row in rows]


def _param(path: Path, row: dict[str, Any]) -> Any:
    clause, slash, what = row["id"].partition("/")
    if not slash or not what or "." not in clause:
        raise ValueError(f"{path.name}: {row['id']!r} should be CLAUSE/words")
    marks = pytest.mark.clause(clause, *row.get("clauses", ()))
    return pytest.param(row, id=row["id"], marks=marks)
