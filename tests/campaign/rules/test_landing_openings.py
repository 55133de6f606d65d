"""What an opening may say of soldiers: where its orders end, and that there is an army to land."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from campaign.rules.chart.types import PlaceKind
from campaign.rules.landing.openings import landing_faults
from tests.campaign.rules import builders as b
from tests.campaign.rules import shores as s

OPENINGS = b.THEATRES.parent / "openings"
ARMY = {"id": "parma", "kind": "army", "do": {"side": "Spain", "port": "home", "men": 17_000}}


def opening(arrival: str, *route: str, army: bool = True) -> dict[str, Any]:
    fleet = {
        "code": "PAR",
        "name": "Parma's boats",
        "place": "home",
        "orders": {"route": list(route), "on_arrival": arrival},
    }
    return {"sides": {"Spain": {"fleets": [fleet]}}, "calendar": [ARMY, "text"] if army else []}


@pytest.mark.clause("G.LD1", "G.LD2", "G.LD5")
@pytest.mark.parametrize(
    ("arrival", "route", "army", "paths"),
    [
        ("land", ("beach",), True, []),
        ("land", ("theirs",), True, []),
        ("land", ("b",), True, ["route"]),
        ("land", ("beach",), False, ["on_arrival"]),
        ("land", ("b",), False, ["route", "on_arrival"]),
        ("embark", (), True, []),
        ("embark", ("b",), True, ["route"]),
        ("disembark", ("n",), True, []),
        ("raid", ("theirs",), False, []),
        ("raid", ("beach",), False, ["route"]),
        ("anchor", ("b",), False, []),
        ("land", ("nowhere",), False, []),  # told by whoever reads routes
    ],
)
def test_orders_about_soldiers_end_where_they_can_and_have_an_army(
    arrival: str, route: tuple[str, ...], army: bool, paths: list[str]
) -> None:
    faults = list(landing_faults(opening(arrival, *route, army=army), s.sea()))
    assert [fault.path for fault in faults] == [f"sides.Spain.fleets[0].orders.{path}" for path in paths]


@pytest.mark.clause("G.LD2")
def test_no_one_lands_where_there_is_no_beach() -> None:
    (fault,) = landing_faults(opening("land", "theirs"), s.sea(no_beach=True))
    assert fault.text == "Theirs has no beach, so no one can land there."


def test_the_openings_that_we_ship_are_without_such_faults() -> None:
    for path in sorted(OPENINGS.glob("*.json")):
        document = json.loads(path.read_text())
        assert list(landing_faults(document, b.theatre(document["theatre"]))) == [], path.stem
    assert list(landing_faults({}, s.sea())) == []


@pytest.mark.clause("G.LD1", "G.LD2")
@pytest.mark.parametrize(
    ("arrival", "kind", "said"),
    [
        ("land", "shoal_coast", []), ("land", "strait", ["A has no beach, so no one can land there."]), ("embark", "anchorage", []),
        ("embark", "shoal_coast", ["A is neither a port nor an anchorage, so no one can embark there."]),
        ("disembark", "strait", ["A is neither a port nor an anchorage, so no one can disembark there."]),
        ("raid", "shoal_coast", ["A is not a port, so no one can raid it."]),
    ],
)  # fmt: skip
def test_an_order_about_soldiers_may_end_only_at_some_kinds_of_place(
    arrival: str, kind: str, said: list[str]
) -> None:
    sea = s.sea()
    sea = replace(sea, places={**sea.places, "a": replace(sea.places["a"], kind=PlaceKind(kind))})
    assert [fault.text for fault in landing_faults(opening(arrival, "a"), sea)] == said


@pytest.mark.clause("G.LD1")
def test_an_army_of_another_side_lands_no_one_and_an_unknown_place_is_for_others_to_tell() -> None:
    document = opening("land", "b")
    document["calendar"] = [
        {**ARMY, "do": {**ARMY["do"], "side": "England"}}, {**ARMY, "kind": "arrive"}, {**ARMY, "do": "text"}, "text",
    ]  # fmt: skip
    (place, army) = landing_faults(document, s.sea())
    assert place.text == "B has no beach, so no one can land there."
    assert army.text == (
        "Parma's boats is to land, but the calendar brings no army of Spain. Add one, or change the order."
    )
    fleet = document["sides"]["Spain"]["fleets"][0]
    document["sides"]["Spain"]["fleets"] = [{**fleet, "orders": {}}, {"name": "x"}, fleet]
    assert [fault.path for fault in landing_faults(document, s.sea())] == [
        "sides.Spain.fleets[2].orders.route", "sides.Spain.fleets[2].orders.on_arrival",
    ]  # fmt: skip
