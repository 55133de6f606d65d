"""Every entry of the set's tables, and the angles and distances where one becomes another. Rules: A.P2-A.P6, A.M1-A.M7, A.F8, A.D1, A.W."""

from __future__ import annotations

from itertools import product
from math import cos, radians, sin, tan

import pytest

from battles.engine.core.scenario import Strength
from battles.engine.rulesets.age_of_sail import bearing, sailing, tables, wind
from tests.engine.age_of_sail.builders import battle, play, ship

LINE, LIGHT = 6, 8
# The table "Allowance in cm" of the book: line and light, by wind, at 45, 67.5 to 135, 157.5 to 180 degrees.
ALLOWANCES = {
    1: ((1, 6, 3), (1, 8, 4)),
    2: ((3, 9, 6), (4, 12, 8)),
    3: ((6, 12, 9), (8, 16, 12)),
    4: ((9, 15, 12), (12, 20, 16)),
    5: ((12, 18, 15), (16, 24, 20)),
    6: ((15, 21, 18), (20, 28, 24)),
    7: ((18, 24, 21), (24, 32, 28)),
}
# Which of the three columns holds so many points off the wind; inside the zone a tack is made at the close-hauled figure.
COLUMN = {0: 0, 1: 0, 2: 0, 3: 1, 4: 1, 5: 1, 6: 1, 7: 2, 8: 2}


@pytest.mark.clause("A.M2", "A.M3", "A.M6", "A.M7", "A.M12", "A.C1", "A.C2")
@pytest.mark.parametrize("strength", ALLOWANCES)
def test_the_table_of_allowances_holds_in_every_wind_on_every_point_of_sail(strength: int) -> None:
    for (n, power), off in product(enumerate((LINE, LIGHT)), COLUMN):
        assert sailing.allowance(power, strength, off) == ALLOWANCES[strength][n][COLUMN[off]], (power, off)


@pytest.mark.clause("A.M1", "A.P3")
def test_the_angle_off_the_wind_is_the_smaller_one_from_every_point() -> None:
    for h, point in product(range(16), range(8)):
        degrees = abs((22.5 * h - 45 * point + 180) % 360 - 180)
        assert sailing.off_wind(h, point) == degrees / 22.5


@pytest.mark.clause("A.M4", "A.M6")
@pytest.mark.parametrize(("no_sail", "shut"), [(45, (7, 8, 9)), (22, (8,))])
def test_the_zone_in_which_no_one_sails_lies_about_the_winds_eye(no_sail: int, shut: tuple[int, ...]) -> None:
    found = sailing.sails(LINE, 4, 4, no_sail)
    assert tuple(h for h in range(16) if found.shut[h]) == shut
    assert found.allowed == (12, 12, 15, 15, 15, 15, 9, 9, 9, 9, 9, 15, 15, 15, 15, 12)
    assert found.eye == 8


@pytest.mark.clause("A.P2", "A.M9", "A.P3")
def test_a_centimetre_on_each_heading_is_held_to_the_nearest_thousandth() -> None:
    for h in range(16):
        angle = radians(22.5 * h)
        assert tables.STEP[h] == (round(1_000 * sin(angle)), round(1_000 * cos(angle)))
        assert tables.WAY[h] == (round(100_000 * sin(angle)), round(100_000 * cos(angle)))
        assert sailing.track((7, -9, 0), [0] * 2) == [(7, -9, 0), (7, 991, 0), (7, 1_991, 0)]
        assert ship(h=h).heading == 2_250 * h


@pytest.mark.clause("A.F2", "A.F3", "A.P5", "A.P6")
@pytest.mark.parametrize(
    ("rel", "side"),
    [
        (0, ""), (44.97, ""), (45, "starboard"), (90, "starboard"), (135, "starboard"), (135.03, ""), (180, ""),
        (224.97, ""), (225, "port"), (270, "port"), (315, "port"), (315.03, ""),
    ],
)  # fmt: skip
def test_the_arcs_of_the_broadsides_are_the_same_on_every_heading(rel: float, side: str) -> None:
    for h in range(16):
        angle = radians(22.5 * h + rel)
        assert bearing.bears(h, round(900_000 * sin(angle)), round(900_000 * cos(angle))) == side, h


@pytest.mark.clause("A.D1", "A.D4", "A.D5", "A.P6", "A.G38")
@pytest.mark.parametrize(
    ("rb", "wide", "narrow"),
    [
        (0, "bow", "bow"), (0.03, "bow_starboard", "bow_starboard"), (44.97, "bow_starboard", "bow_starboard"),
        (45, "starboard", "starboard"), (135, "starboard", "starboard"), (135.03, "stern", "stern_starboard"),
        (168.7, "stern", "stern_starboard"), (168.75, "stern", "stern"), (180, "stern", "stern"),
        (191.25, "stern", "stern"), (191.3, "stern", "stern_port"), (224.97, "stern", "stern_port"), (225, "port", "port"),
        (315, "port", "port"), (315.03, "bow_port", "bow_port"), (359.97, "bow_port", "bow_port"),
    ],
)  # fmt: skip
def test_the_quarters_from_which_a_ship_is_struck_are_the_same_on_every_heading(
    rb: float, wide: str, narrow: str
) -> None:
    for h in range(16):
        angle = radians(22.5 * h + rb)
        off = round(900_000 * sin(angle)), round(900_000 * cos(angle))
        assert (bearing.aspect(h, *off), bearing.aspect(h, *off, narrow=True)) == (wide, narrow), h


@pytest.mark.clause("A.P6", "A.F2", "A.D1", "A.D4", "A.D5")
def test_a_limit_of_an_angle_reaches_two_hundredths_of_a_degree_further() -> None:
    far = 100_000
    arc, astern, dead = 100_070, 19_927, 35
    for tangent, angle in ((arc, 45.02), (astern, 11.27), (dead, 0.02)):
        assert abs(tangent - far * tan(radians(angle))) < 1
    for sign, side in ((1, "starboard"), (-1, "port")):
        assert bearing.bears(0, sign * far, arc) == bearing.bears(0, sign * far, -arc) == side
        assert bearing.bears(0, sign * far, arc + 1) == bearing.bears(0, sign * far, -arc - 1) == ""
        assert bearing.aspect(0, sign * far, arc) == bearing.aspect(0, sign * far, -arc) == side
        assert bearing.aspect(0, sign * far, arc + 1) == f"bow_{side}"
        assert bearing.aspect(0, sign * far, -arc - 1) == "stern"
        assert bearing.aspect(0, sign * dead, far) == "bow"
        assert bearing.aspect(0, sign * (dead + 1), far) == f"bow_{side}"
        assert bearing.aspect(0, sign * astern, -far, narrow=True) == "stern"
        assert bearing.aspect(0, sign * (astern + 1), -far, narrow=True) == f"stern_{side}"


@pytest.mark.clause("A.F8", "A.P6")
def test_the_range_bands_end_at_4_8_and_12_centimetres_all_round() -> None:
    for reach, inside, beyond in ((4_002, 0, 1), (8_002, 1, 2), (12_002, 2, -1)):
        for x, y in ((1, 0), (0, 1), (-1, 0), (0, -1)):
            assert bearing.band(reach * x, reach * y) == inside
            assert bearing.band((reach + 1) * x, (reach + 1) * y) == beyond
    assert bearing.band(3_000, 4_000) == bearing.band(-4_000, 3_000) == 1


@pytest.mark.clause("A.P3", "A.G11")
def test_a_direction_has_its_nearest_point_and_no_direction_has_north() -> None:
    for h in range(16):
        for by in (-11.2, 0, 11.2):
            angle = radians(22.5 * h + by)
            assert bearing.point_of(round(50_000 * sin(angle)), round(50_000 * cos(angle))) == h
    assert [bearing.point_of(*off) for off in ((0, 0), (0, 9), (9, 0), (0, -9), (-9, 0))] == [0, 0, 4, 8, 12]


@pytest.mark.clause("A.F10", "A.P6")
@pytest.mark.parametrize("away", [4_000, 12_000])
@pytest.mark.parametrize(
    ("ahead", "right"), [((1, 0), (0, -1)), ((0, 1), (1, 0)), ((-1, 0), (0, 1)), ((0, -1), (-1, 0))]
)
def test_a_ship_masks_fire_strictly_between_and_half_a_centimetre_to_each_side(
    away: int, ahead: tuple[int, int], right: tuple[int, int]
) -> None:
    for along, across, masks in (
        (1, 0, True), (1, 502, True), (1, -502, True), (0, 0, False), (0, 400, False), (-1, 0, False), (away // 2, 502, True),
        (away // 2, -502, True), (away // 2, 503, False), (away // 2, -503, False), (away - 1, 502, True),
        (away - 1, -502, True), (away, 0, False), (away, 400, False), (away + 1, 0, False),
    ):  # fmt: skip
        own, foe, other = ship("E1"), ship("D1"), ship("E2")
        own.x, own.y = 70_000, -31_000
        foe.x, foe.y = own.x + away * ahead[0], own.y + away * ahead[1]
        other.x = own.x + along * ahead[0] + across * right[0]
        other.y = own.y + along * ahead[1] + across * right[1]
        made = battle(own, foe, other)
        assert bearing.blocked(made, own, foe) is masks, (along, across)
        assert bearing.blocked(made, foe, own) is masks, (along, across)


@pytest.mark.clause("A.F10", "A.T9", "A.G38")
def test_land_between_hides_a_ship_even_where_ships_do_not() -> None:
    land = [[[-5_000, 2_500], [5_000, 2_500], [5_000, 4_000], [-5_000, 4_000]]]
    for switch, y, other, hidden in (
        (False, 6, 20, True), (False, 2, 20, False), (True, 2, 20, False), (True, 2, 1, True), (False, 2, 1, False),
    ):  # fmt: skip
        made = battle(ship("E1"), ship("D1", 0, y), ship("D2", 0, other), coast=land, block_line=switch)
        assert bearing.blocked(made, made.ships["E1"], made.ships["D1"]) is hidden, (switch, y, other)


@pytest.mark.clause("A.W5", "A.W6", "A.W7", "A.W1")
def test_each_pair_of_dice_moves_the_wind_by_a_point_and_a_strength_at_most() -> None:
    by = {1: -1, 2: 0, 3: 0, 4: 0, 5: 0, 6: 1}
    for point, strength, one, two in product(range(8), range(1, 8), by, by):
        then = (point + by[one]) % 8, min(7, max(1, strength + by[two]))
        assert wind.shifted(point, strength, one, two) == then


@pytest.mark.clause("A.S12", "A.W9", "A.G38", "A.W5", "A.W6")
def test_the_wind_is_told_when_it_shifts_and_remembered_every_round() -> None:
    for faces, then, told in (([3, 4], (2, 5), 0), ([1, 4], (1, 5), 1), ([3, 6], (2, 6), 1)):
        made = battle(ship("E1"), ship("D1", 50), wind_from=2, wind=5, wind_dice=True)
        table = play(made, faces)
        wind.change(made, table)
        assert (made.wind_from, made.wind) == made.history[-1] == then
        rows = [event for event in table.log.take() if event.kind == "wind"]  # type: ignore[union-attr]
        assert len(rows) == told
        assert all(
            (row.data["was"], row.data["wind_from"], row.data["strength"]) == (2, *then) for row in rows
        )
    still = battle(ship("E1"), ship("D1", 50), wind_from=2, wind=5)
    wind.change(still, play(still))
    assert still.history == [(2, 5)]


@pytest.mark.clause("A.G22", "A.G10", "A.W2")
def test_the_charts_wind_and_back_at_every_point_and_strength() -> None:
    for towards in range(360):
        came = (towards + 180) % 360
        assert wind.from_chart(towards, Strength.STILL)[0] == int((came + 22.5) // 45) % 8
    ways = ["still", "light", "light", "moderate", "moderate", "strong", "strong"]
    for point, strength in product(range(8), range(1, 8)):
        assert wind.to_chart(point, strength) == ((45 * point + 180) % 360, Strength(ways[strength - 1]))
    suggested = {"still": 1, "light": 3, "moderate": 4, "strong": 6, "gale": 7}
    for name, strength in suggested.items():
        assert wind.weather_in(90, Strength(name)) == {"wind_from": 6, "strength": strength}
    made = battle(ship("E1"), ship("D1"), wind_from=3, wind=6)
    assert wind.weather_out(made) == (315, Strength.STRONG)


@pytest.mark.clause("A.G10", "A.G22", "A.W3", "A.P8", "A.F9")
def test_the_tables_of_wind_and_guns_stand_as_printed() -> None:
    assert wind._OUT == (
        (6, Strength.STRONG),
        (4, Strength.MODERATE),
        (2, Strength.LIGHT),
        (1, Strength.STILL),
    )
    assert wind._THEATRES == {"atlantic": 6, "mediterranean": 6, "caribbean": 2}
    assert tables.SIDES == ("port", "starboard")
    assert tables.HITS_ON == {"hull": (3, 4, 5), "sails": (4, 5, 6)} and tables.BANDS == (
        4_000,
        8_000,
        12_000,
    )
