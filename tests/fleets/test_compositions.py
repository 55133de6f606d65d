"""Ships put into fleets and squadrons: what moves, what stays, and what is still missing. Pure."""

from __future__ import annotations

import pytest

from fleets.compositions import (
    FleetPlan,
    Plan,
    SquadronPlan,
    advice,
    divisions_of,
    faults,
    moved,
    plan_document,
    plan_of,
    raised,
    renamed,
    suggested,
    without,
)
from fleets.divisions import Mustered

SHIPS = ("Ark", "Bear", "Crane", "Dart", "Eagle")
PLAN = Plan(
    (
        FleetPlan("Main", "nore", "", (SquadronPlan("Red", ("Ark", "Bear"), "Bear"), SquadronPlan("White", ("Crane",), "Crane"))),
        FleetPlan("West", "brest", "", (SquadronPlan("Blue", ("Dart",), "Dart"),)),
    )
)  # fmt: skip


def _shape(plan: Plan) -> list[list[str]]:
    return [
        [f"{one.name}:{'+'.join(one.ships)}/{one.flagship}" for one in fleet.squadrons]
        for fleet in plan.fleets
    ]


@pytest.mark.parametrize(
    ("ships", "to", "shape"),
    [
        (["Bear"], "1.0", [["Red:Ark/Ark", "White:Crane/Crane"], ["Blue:Dart+Bear/Dart"]]),
        (["Eagle"], "0.1", [["Red:Ark+Bear/Bear", "White:Crane+Eagle/Crane"], ["Blue:Dart/Dart"]]),
        (["Crane"], "0.1", [["Red:Ark+Bear/Bear", "White:Crane/Crane"], ["Blue:Dart/Dart"]]),
        (["Dart", "Ark"], "0.+", [["Red:Bear/Bear", "White:Crane/Crane", "Squadron 1:Ark+Dart/Ark"]]),
        (["Ark"], "+", [["Red:Bear/Bear", "White:Crane/Crane"], ["Blue:Dart/Dart"], ["Squadron 1:Ark/Ark"]]),
        (["Bear", "Crane"], "", [["Red:Ark/Ark"], ["Blue:Dart/Dart"]]),
    ],
)  # fmt: skip
def test_ships_move_and_every_squadron_keeps_a_flagship_of_its_own(
    ships: list[str], to: str, shape: list[list[str]]
) -> None:
    after = moved(PLAN, ships, to)
    assert _shape(after) == shape
    assert plan_of(plan_document(after)) == after


@pytest.mark.parametrize("to", ["7.0", "0.9", "x", "0.x", "+.1", "-1.0"])
def test_ships_cannot_be_moved_to_where_nothing_is(to: str) -> None:
    with pytest.raises(ValueError, match="Reload the page"):
        moved(PLAN, ["Ark"], to)


def test_a_deleted_squadron_or_fleet_leaves_its_ships_in_none() -> None:
    assert _shape(without(PLAN, "0.0")) == [["White:Crane/Crane"], ["Blue:Dart/Dart"]]
    assert _shape(without(PLAN, "1")) == [["Red:Ark+Bear/Bear", "White:Crane/Crane"]]
    assert without(PLAN, "1").placed() == {"Ark", "Bear", "Crane"}
    for nowhere in ("5", "0.5", ""):
        with pytest.raises(ValueError, match="not here"):
            without(PLAN, nowhere)


def test_a_squadron_moves_towards_the_van_and_the_first_stays() -> None:
    assert _shape(raised(PLAN, "0.1"))[0] == ["White:Crane/Crane", "Red:Ark+Bear/Bear"]
    assert raised(PLAN, "0.0") == PLAN


def test_what_is_typed_is_kept_and_a_flagship_of_another_squadron_is_not() -> None:
    typed = {
        "fleet-0-name": " Channel ", "fleet-1-place": "ushant", "squadron-0-0-flagship": "Ark", "squadron-0-1-flagship": "Dart",
        "squadron-1-0-name": "Blue and gold",
    }  # fmt: skip
    after = renamed(PLAN, typed)
    assert (after.fleets[0].name, after.fleets[0].place, after.fleets[1].place) == (
        "Channel",
        "nore",
        "ushant",
    )
    assert _shape(after) == [["Red:Ark+Bear/Ark", "White:Crane/Crane"], ["Blue and gold:Dart/Dart"]]


def test_everything_that_is_missing_is_said_at_once() -> None:
    assert list(faults(PLAN, SHIPS)) == []
    assert [fault.text for fault in faults(Plan(), SHIPS)] == [
        "There is no fleet yet. Tick ships and move them into a new fleet."
    ]
    broken = Plan(
        (
            FleetPlan("", "", "", (SquadronPlan("", ("Ark", "Gone"), "Bear"),)),
            FleetPlan("Main", "", "", (SquadronPlan("Red", ("Ark",), "Ark"), SquadronPlan("White"))),
            FleetPlan("main"),
        )
    )
    told = " ".join(fault.text for fault in faults(broken, SHIPS))
    for words in (
        "Fleet 1 has no name", "A squadron of Fleet 1 has no name", "has no flagship", "Gone is not in the register",
        "Ark is in two squadrons", "White of Main has no ships", "Two fleets are called main", "main has no ships",
    ):  # fmt: skip
        assert words in told


def test_a_side_begins_with_the_squadrons_of_its_register() -> None:
    rows = [(name, Mustered(n, "Red" if n < 3 else "", guns=n)) for n, name in enumerate(SHIPS)]
    plan = suggested(rows, name="English fleet", place="nore")
    assert [fleet.place for fleet in plan.fleets] == ["nore"]
    assert {one.name: set(one.ships) for one in plan.fleets[0].squadrons} == {
        "Red": {"Ark", "Bear", "Crane"},
        "English fleet": {"Dart", "Eagle"},
    }
    assert list(faults(plan, SHIPS)) == [] and suggested([], name="x", place="") == Plan()


def test_the_flagship_sails_first_and_a_large_squadron_is_advised_against() -> None:
    names, divisions = divisions_of(PLAN.fleets[0])
    assert names == ["Ark", "Bear", "Crane"]
    assert [(one.name, one.flagship, one.ships) for one in divisions] == [
        ("Red", 1, (1, 0)),
        ("White", 2, (2,)),
    ]
    many = tuple(f"Ship {n}" for n in range(11))
    assert advice(PLAN) == []
    assert "has 11 ships" in advice(Plan((FleetPlan("F", "p", "", (SquadronPlan("S", many, many[0]),)),)))[0]
