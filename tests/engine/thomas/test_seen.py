"""What one side may know of a battle. Rules: T.S18, G.IN1."""

from __future__ import annotations

import json

import pytest

from battles.engine.rulesets.thomas.seen import seen_by
from battles.engine.rulesets.thomas.state import Status
from battles.engine.rulesets.thomas.view import View
from tests.engine.thomas.builders import battle, revenge, ship

OF_AN_ENEMY = {
    "id", "name", "nation", "side", "came_with", "squadron", "kind", "rated", "length", "beam", "x", "y", "heading", "masts",
    "dismasted", "quarters_lost", "alight", "struck", "secured", "prize", "dishonoured", "anchored", "rowing", "boats_out",
    "has_fired", "flagship", "grappled_to", "fallen", "towing",
}  # fmt: skip


@pytest.mark.clause("T.S18", "G.IN1")
def test_own_ships_are_shown_in_full_and_others_by_their_appearance() -> None:
    hurt = revenge("S1", y=6_400, flot=10, crew_halves=11, captain="Don Hugo", masts_lost=1, on_fire=True)
    made = battle(
        ship("E1", captain="Drake", flot=17), hurt, revenge("S2", status=Status.EXPECTED, name="Late")
    )
    seen = seen_by(made, "ENG")
    (own,) = seen["own"]
    assert (own["id"], own["flot"], own["captain"], len(own["batteries"])) == ("E1", 17, "Drake", 14)
    (other,) = seen["seen"]
    assert set(other) == OF_AN_ENEMY
    assert (other["quarters_lost"], other["masts"], other["alight"], other["rated"]) == (2, 2, True, 48)
    assert "Don Hugo" not in json.dumps(seen)
    assert "Late" not in json.dumps(seen)
    assert "Late" in json.dumps(seen_by(made, "SPA"))
    json.dumps(seen)


@pytest.mark.clause("T.S18")
def test_ranges_are_given_to_the_inch_and_ten_degrees_with_the_nearest_first() -> None:
    made = battle(ship("E1"), revenge("S1", y=6_400), revenge("S2", x=3_600), revenge("S3", x=40_000))
    (own,) = seen_by(made, "ENG")["own"]
    assert own["sights"] == [["S2", 4, 90], ["S1", 6, 0]]
    view = View(made, "ENG")
    assert view.look("E1", "S1").distance == 6_000


@pytest.mark.clause("T.O6g")
def test_a_prize_is_shown_in_full_to_her_captor_and_lost_ships_by_their_fate() -> None:
    prize = revenge("S1", y=3_000, prize_of="ENG", secured=True, captive_halves=50, guard_halves=20)
    made = battle(ship("E1"), prize, revenge("S2", status=Status.SUNK), ship("E2", status=Status.WITHDRAWN))
    mine, theirs = seen_by(made, "ENG"), seen_by(made, "SPA")
    assert [row["id"] for row in mine["own"]] == ["E1", "E2", "S1"]
    assert mine["gone"] == [{"id": "S2", "name": "Ship S2", "side": "SPA", "status": "sunk"}]
    assert {row["id"]: set(row) for row in theirs["seen"]} == {"E1": OF_AN_ENEMY, "S1": OF_AN_ENEMY}
    assert [row["id"] for row in theirs["gone"]] == ["E2"]


def test_no_one_else_is_shown_anything() -> None:
    with pytest.raises(KeyError):
        seen_by(battle(ship("E1"), revenge()), "FRA")


@pytest.mark.clause("T.B10", "T.B10a", "T.O6a")
def test_the_gunners_report_which_ships_their_groups_bear_on() -> None:
    made = battle(
        ship("E1"), revenge("S1", x=5_000), revenge("S2", x=-3_000), revenge("S3", x=-4_000, struck=True)
    )
    found = View(made, "ENG").bears("E1")
    assert {place.value: codes for place, codes in found.items()} == {"starboard": ("S1",), "port": ("S2",)}
    with pytest.raises(KeyError):
        View(made, "ENG").bears("S1")


@pytest.mark.clause("T.B2f", "T.O3f")
def test_a_captain_knows_what_each_of_the_sides_ships_can_do() -> None:
    made = battle(
        ship("E1", towing="E2"),
        ship("E2", y=-2_000, towed_by="E1"),
        ship("E3", x=9_000),
        revenge("S1", y=9_000),
    )
    view = View(made, "ENG")
    assert tuple(view.reach("E3")) == (4_500, 2, 1_000, 5_000, 4_500)
    assert tuple(view.reach("E1")) == (4_500, 2, 1_000, 2_500, 4_500)
    with pytest.raises(KeyError):
        view.reach("S1")
