"""Worn crews flee, whoever commands them. Rule: T.O5g."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.core import plane
from battles.engine.rulesets.thomas import flight, movement
from battles.engine.rulesets.thomas.play import Course
from battles.engine.rulesets.thomas.state import Rig
from battles.engine.rulesets.thomas.tables import Kind, WindForce
from tests.engine.thomas.builders import battle, events, play, revenge, ship


@pytest.mark.clause("T.O5g")
@pytest.mark.parametrize("heading", [0, 9_000, 18_000, 27_000])
@pytest.mark.parametrize("enemy", [(0, 6_000), (6_000, 0), (-5_000, 2_000), (0, -6_000)])
def test_no_legal_turn_and_leg_opens_the_range_more(heading: int, enemy: tuple[int, int]) -> None:
    one = ship("E1", heading=heading, breaking_off=True)
    made = battle(one, revenge("S1", *enemy), wind_from=9_000)
    course = flight.course(made, one)
    assert course is not None

    def opened(by: int) -> int:
        end = plane.advance((0, 0), plane.turned(heading, by), course.distance)
        return plane.distance(end, enemy)

    legal = [by for by in range(-4_500, 4_501, 100) if made.off_wind(plane.turned(heading, by)) >= 4_500] or [
        0
    ]
    assert course.turn1 in (*legal, 0)
    # Headings are tried by 5 degrees: nothing better than half such a step of 5 inches is missed.
    assert opened(course.turn1) >= max(map(opened, legal)) - 220 or course.distance == 1_000
    assert opened(course.turn1) >= min(plane.distance((0, 0), enemy), max(map(opened, legal))) - 1_000


@pytest.mark.clause("T.O5g")
def test_a_worn_crew_runs_whatever_is_ordered_and_it_is_reported() -> None:
    one = ship("E1", heading=9_000, breaking_off=True)
    made = battle(one, revenge("S1", 6_000, 0), wind_from=0)
    played = play(orders={"E1": Course(distance=5_000)})
    movement.move(made, played, one)
    # Heading straight for him she can only go the inch she must, and turn.
    assert plane.distance(one.position, (0, 0)) == 1_000
    assert plane.angle(one.heading, 27_000) == 9_000
    assert [event.data["code"] for event in events(played, "refused")] == ["breaking-off"]


@pytest.mark.clause("T.O5g")
def test_with_no_one_near_she_sails_as_ordered() -> None:
    one = ship("E1", heading=9_000, breaking_off=True)
    made = battle(one, revenge("S1", 33_000, 0), revenge("S2", 3_000, 0, struck=True), wind_from=0)
    assert flight.course(made, one) is None
    movement.move(made, play(orders={"E1": Course(distance=1_500)}), one)
    assert one.position == (1_500, 0)


@pytest.mark.clause("T.O5g", "T.O1")
def test_in_a_calm_her_boats_tow_her_away_and_oars_row() -> None:
    one = ship("E1", breaking_off=True)
    made = battle(one, revenge("S1", 0, 6_000), strength=WindForce.CALM, spell_calm=2, spell_quiet=2)
    movement.move(made, play(), one)
    assert one.boats_out
    assert plane.distance(one.position, (0, 6_000)) > 6_000 - 700
    galley = ship("E2", kind=Kind.GALLEY, oar_speed=6_000, oar_turn=9_000, rig=Rig.OARS, breaking_off=True)
    made = battle(galley, revenge("S1", 0, 6_000), strength=WindForce.CALM, spell_calm=2, spell_quiet=2)
    movement.move(made, play(), galley)
    assert plane.distance(galley.position, (0, 6_000)) > 8_400


@pytest.mark.clause("T.O5g", "T.O1")
@pytest.mark.parametrize(
    ("change", "enemy", "course"),
    [
        ({}, (0, -6_000), Course(0, 1_000, boats=True)),
        ({}, (6_000, 0), Course(-4_500, 1_000, boats=True)),
        ({}, (600, -6_000), Course(-500, 1_000, boats=True)),
        ({"masts_lost": 2}, (6_000, 0), Course(0, 1_000, boats=True)),
    ],
)
def test_boats_tow_her_straight_into_the_wind_with_one_turn_or_with_no_turn_when_dismasted(
    change: dict[str, Any], enemy: tuple[int, int], course: Course
) -> None:
    one = ship("E1", **change)
    assert (
        flight.course(battle(one, revenge("S1", *enemy), strength=WindForce.LIGHT, spell_quiet=2), one)
        == course
    )


@pytest.mark.clause("T.O5g", "T.B4", "T.B7")
@pytest.mark.parametrize(
    ("change", "enemy", "wind", "course"),
    [
        ({}, (6_000, 0), 18_000, Course(-4_500, 5_000, -2_500)),
        ({"turn": 4_700}, (6_000, 0), 18_000, Course(-4_700, 5_000, -2_500)),
        ({"turn": 4_700}, (-6_000, 0), 18_000, Course(4_700, 5_000, 2_500)),
        ({"kind": Kind.GALLEY}, (6_000, 0), 18_000, Course(-4_500, 5_000)),
        ({"kind": Kind.GALLEY}, (0, -6_000), 18_000, Course(0, 5_000)),
        ({"masts_lost": 2}, (6_000, 0), 18_000, Course()),
        ({"heading": 9_000}, (0, -6_000), 0, Course(-4_500, 5_000)),
        ({}, (0, 0), 18_000, Course(4_500, 5_000)),
    ],
)
def test_she_turns_as_sharp_as_she_can_and_as_the_wind_lets_her(
    change: dict[str, Any], enemy: tuple[int, int], wind: int, course: Course
) -> None:
    one = ship("E1", **change)
    assert flight.course(battle(one, revenge("S1", *enemy), wind_from=wind), one) == course


@pytest.mark.clause("T.O5g")
@pytest.mark.parametrize(("off", "flees"), [(32_000, True), (32_001, False)])
def test_she_flees_from_enemies_within_thirty_two_inches(off: int, flees: bool) -> None:
    one = ship("E1")
    made = battle(one, ship("E2", y=-900), revenge("S1", 0, -off), wind_from=18_000)
    assert (flight.course(made, one) is not None) is flees


@pytest.mark.clause("T.O5g")
def test_of_two_enemies_she_flees_from_the_nearer() -> None:
    one = ship("E1")
    made = battle(one, revenge("S1", 9_000, 0), revenge("S2", -6_000, 0), wind_from=18_000)
    assert flight.course(made, one) == Course(4_500, 5_000, 2_500)


@pytest.mark.clause("T.O5g", "T.B2c")
@pytest.mark.parametrize(
    ("heading", "turn", "enemy", "ways"),
    [
        # In the wind's eye by more than her turn: there is no legal turn, so she goes on as she heads.
        (0, 3_000, (0, -6_000), {(0, 0)}),
        (500, 3_500, (0, -6_000), {(0, 0)}),
        (1_000, 3_500, (0, -6_000), {(3_500, 0)}),
        # Five degrees more and one turn brings her to the limit of 45.
        (0, 4_500, (0, -6_000), {(4_500, 0), (-4_500, 0)}),
    ],
)
def test_a_ship_that_cannot_turn_out_of_the_winds_eye_holds_her_course(
    heading: int, turn: int, enemy: tuple[int, int], ways: set[tuple[int, int]]
) -> None:
    one = ship("E1", heading=heading, turn=turn)
    course = flight.course(battle(one, revenge("S1", *enemy), wind_from=0), one)
    assert course is not None
    assert (course.turn1, course.turn2) in ways


@pytest.mark.clause("T.O5g", "T.O1")
@pytest.mark.parametrize("enemy", [(0, 6_000), (1_000, 6_000), (-1_000, 6_000)])
def test_where_every_pull_leads_nearer_her_boats_only_turn_her_head_away(enemy: tuple[int, int]) -> None:
    one = ship("E1")
    course = flight.course(
        battle(one, revenge("S1", *enemy), strength=WindForce.CALM, spell_calm=2, spell_quiet=2), one
    )
    assert course is not None
    assert (course.distance, course.turn2, course.boats) == (0, 0, True)
    assert 3_000 <= abs(course.turn1) <= 4_500
    assert enemy[0] * course.turn1 <= 0


@pytest.mark.clause("T.O5g")
@pytest.mark.parametrize(
    ("by", "length", "far"),
    [(0, 0, 5_999**2), (0, 1, 5_999**2), (0, 2, 5_998**2), (18_000, 0, 6_001**2), (9_000, 3, 6_000**2 + 9)],
)
def test_the_range_after_a_turn_and_a_leg_is_that_of_the_leg_and_of_a_hair_without_one(
    by: int, length: int, far: int
) -> None:
    assert flight._opened(ship("E1"), (0, 6_000), by, length) == (far, -by)
