"""The plain captain: straight for the nearest, fires at the nearest. Section 12."""

from __future__ import annotations

import pytest

from battles.engine.core import plane
from battles.engine.core.scenario import Doctrine
from battles.engine.rulesets.thomas.captain import CAPTAINS
from battles.engine.rulesets.thomas.captain.plain import GUNSHOT, PlainCaptain
from battles.engine.rulesets.thomas.state import Battle
from battles.engine.rulesets.thomas.tables import Arc, WindForce
from battles.engine.rulesets.thomas.view import View
from tests.engine.thomas.builders import battle, revenge, ship


def asked(made: Battle, code: str = "E1"):  # type: ignore[no-untyped-def]
    captain, view = PlainCaptain(Doctrine()), View(made, "ENG")
    captain.begin_move(view)
    return captain, view, captain.course(view, code)


def after(made: Battle, code: str = "E1") -> tuple[tuple[int, int], int]:
    """Where the course ends, and the heading there."""
    course = asked(made, code)[2]
    one = made.ships[code]
    end, _, heading = plane.leg(one.position, one.heading, course.turn1, course.distance, course.turn2)
    return end, heading


def test_the_plain_captain_is_the_baseline_of_the_captains() -> None:
    assert CAPTAINS["plain"] is PlainCaptain
    assert "commander" in CAPTAINS


def test_the_plain_captain_steers_for_the_nearest_fighting_enemy() -> None:
    made = battle(
        ship("E1", heading=9_000),
        revenge("S1", 14_000, 0),
        revenge("S2", 0, -9_000),
        revenge("S3", 3_000, 0, struck=True),
    )
    end, _ = after(made)
    assert plane.distance(end, (0, -9_000)) < 9_000 - 1_500


def test_within_gunshot_the_plain_captain_brings_the_enemy_abeam() -> None:
    made = battle(ship("E1", heading=18_000), revenge("S1", 0, -6_000))
    end, heading = after(made)
    assert plane.distance(end, (0, -6_000)) == GUNSHOT
    assert plane.angle(heading, 18_000) == 4_500
    made = battle(revenge("E1", heading=18_000), revenge("S1", 0, -6_000))
    assert plane.angle(after(made)[1], plane.bearing(*((0, -3_000), (0, -6_000)))) == 9_000


@pytest.mark.clause("T.B7", "T.B2c")
@pytest.mark.parametrize("heading", range(4_500, 31_501, 4_500))
def test_the_plain_captain_never_steers_into_irons(heading: int) -> None:
    made = battle(ship("E1", heading=heading), revenge("S1", 0, 9_000))
    course = asked(made)[2]
    assert made.off_wind(plane.turned(heading, course.turn1)) >= 4_500
    assert made.off_wind(plane.turned(heading, course.turn1 + course.turn2)) >= 4_500


def test_the_plain_captain_heads_for_a_distant_enemy_and_without_any_sails_on() -> None:
    made = battle(ship("E1", heading=18_000), revenge("S1", 0, -60_000))
    assert after(made)[0] == (0, -5_000)
    made = battle(ship("E1", heading=18_000), revenge("S1", 0, -9_000, struck=True))
    assert after(made)[0] == (0, -5_000)


@pytest.mark.clause("T.B10c", "T.B10f")
def test_each_group_fires_at_the_nearest_ship_it_bears_on() -> None:
    made = battle(ship("E1"), revenge("S1", 5_000, 0), revenge("S2", 3_000, 200), revenge("S3", -4_000, 0))
    captain, view, _ = asked(made)
    assert captain.targets(view, "E1") == {Arc.STARBOARD: "S2", Arc.PORT: "S3"}


@pytest.mark.clause("T.O1", "T.B7b", "T.O4e")
def test_in_a_calm_the_plain_captains_boats_tow_and_galleys_row() -> None:
    made = battle(ship("E1"), revenge("S1", 0, 9_000), strength=WindForce.CALM, spell_calm=2, spell_quiet=2)
    captain, view, course = asked(made)
    assert (course.boats, course.distance) == (True, 1_000)
    assert captain.to_oars(view, "E1")
    assert captain.irons_turn(View(battle(ship("E1", heading=2_000), revenge()), "ENG"), "E1") == 4_500
    assert captain.irons_turn(View(battle(ship("E1", heading=34_000), revenge()), "ENG"), "E1") == -4_500


@pytest.mark.clause("T.O6")
@pytest.mark.parametrize(
    ("hurt", "enemies", "strikes"),
    [
        ({"flot": 3}, 1, True), ({"flot": 3}, 0, False), ({"flot": 4}, 2, False), ({"masts_lost": 2}, 2, True),
        ({"masts_lost": 2}, 1, False),
    ],
)  # fmt: skip
def test_the_plain_captain_strikes_when_there_is_no_hope(
    hurt: dict[str, int], enemies: int, strikes: bool
) -> None:
    others = [revenge(f"S{n}", 2_000 * n, 3_000) for n in range(enemies)]
    made = battle(ship("E1", **hurt), *others, revenge("S9", 20_000, 0))
    captain, view, _ = asked(made)
    assert captain.strikes(view, "E1") is strikes


@pytest.mark.clause("T.S22")
def test_at_anchor_the_plain_captain_cuts_the_cable() -> None:
    assert asked(battle(ship("E1", anchored=True), revenge("S1", 0, 9_000)))[2].cut_cable
    assert not asked(battle(ship("E1"), revenge("S1", 0, 9_000)))[2].cut_cable
