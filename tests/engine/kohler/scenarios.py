"""Small scenarios for tests that begin at the beginning."""

from __future__ import annotations

from typing import Any

from battles.engine.core.scenario import Scenario, read_scenario


def entry(code: str, nation: str = "England", **over: Any) -> dict[str, Any]:
    """A ship of 52 guns and 740 tons, as a scenario document has her; facts by keyword `facts`."""
    facts = {"nation": nation, "guns": 52, "tons_burthen": 740, **over.pop("facts", {})}
    return {"id": code, "name": f"Ship {code}", "facts": facts, **over}


def document(*, english: int = 6, dutch: int = 6, **over: Any) -> dict[str, Any]:
    """A scenario document: an English and a Dutch squadron of so many ships, the English listed first."""
    sides = []
    for code, nation, count in (("ENG", "England", english), ("DUT", "Dutch Republic", dutch)):
        ships = [entry(f"{code[0]}{n}", nation) for n in range(1, count + 1)]
        squadron = {
            "id": f"{code}-1",
            "name": f"{nation} squadron",
            "flagship": ships[count // 2]["id"],
            "ships": ships,
        }
        sides.append(
            {"id": code, "name": nation, "nation": nation, "squadrons": [squadron], "captain": "plain"}
        )
    return {
        "schema": 1, "rule_set": "kohler", "title": "Test", "code": "T/1", "gauge": "ENG",
        "options": {"disorder": False}, "sides": sides, **over,
    }  # fmt: skip


def scenario(**over: Any) -> Scenario:
    """The scenario of `document`."""
    return read_scenario(document(**over))
