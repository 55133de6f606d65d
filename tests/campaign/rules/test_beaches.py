"""Whose coast a place is, who may land there, and where an army can lie."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from campaign.rules.chart.types import PlaceKind
from campaign.rules.sailing.beaches import (
    coast_owner,
    is_beach,
    is_friendly,
    is_haven,
    is_hostile,
    may_land,
)
from tests.campaign.rules import builders as b
from tests.campaign.rules import shores as s


@pytest.mark.clause("G.CH2", "G.LD2")
def test_a_coast_belongs_to_its_owner_or_else_to_the_owner_of_the_nearest_port() -> None:
    facts = s.made([b.fleet("e", "ENG", "a")])

    def owner(place: str, **over: Any) -> str:
        places = {
            code: replace(row, **(over if code == place else {}))
            for code, row in facts.theatre.places.items()
        }
        return coast_owner(replace(facts.theatre, places=places), place)

    assert owner("beach") == "Dutch Republic" and owner("beach", owner="France") == "France"
    assert owner("a") == "England" and owner("c") == "Dutch Republic"
    assert owner("a", channel_owner="theirs") == "Dutch Republic"
    assert owner("a", owner="France", channel_owner="theirs") == "France"
    portless = {code: row for code, row in facts.theatre.places.items() if row.kind is not PlaceKind.PORT}
    geometry_of = replace(facts.theatre, places=portless, passages=())
    assert coast_owner(geometry_of, "a") == ""


@pytest.mark.clause("G.LD1", "G.LD2")
def test_men_land_and_armies_lie_only_at_some_places() -> None:
    facts = s.made([b.fleet("e", "ENG", "a")])

    def so(place: str, side: str = "ENG", **over: Any) -> tuple[bool, bool, bool]:
        places = {
            code: replace(row, **(over if code == place else {}))
            for code, row in facts.theatre.places.items()
        }
        now = replace(facts, theatre=replace(facts.theatre, places=places))
        return is_beach(now, place), may_land(now, side, place), is_haven(now, side, place)

    assert so("beach") == (True, True, False) and so("beach", "NLD") == (True, False, True)
    assert so("beach", no_beach=True) == (False, False, False)
    assert so("home") == (True, False, True) and so("theirs") == (True, True, False)
    assert so("a") == (False, False, False)
    assert so("a", kind=PlaceKind.SHOAL_COAST) == (True, False, False)
    assert so("c", kind=PlaceKind.SHOAL_COAST) == (True, True, False)
    assert so("beach", owner="France") == (True, True, False)
    assert so("theirs", owner="France", guard=1) == (True, False, False)
    assert so("theirs", owner="France", guard=0) == (True, True, False)
    assert is_hostile(facts, "ENG", "beach") and not is_hostile(facts, "NLD", "beach")
    assert is_friendly(facts, "NLD", "beach") and not is_friendly(facts, "ENG", "beach")
    allied = replace(facts, allied=frozenset({frozenset(("ENG", "NLD"))}))
    assert is_friendly(allied, "ENG", "beach") and is_haven(allied, "ENG", "theirs")
