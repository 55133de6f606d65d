"""Time of day, the light it gives, wind and weather. Rules: P.T01-P.T12, P.W01-P.W04, P.W09, P.W14, P.K15, P.K27."""

from __future__ import annotations

import pytest

from battles.engine.core.scenario import Strength
from battles.engine.rulesets.barker import clock, weather_dice
from battles.engine.rulesets.barker.tables import Phase
from tests.engine.barker.builders import battle

NIGHT, DAWN, SUNRISE, DAY, SUNSET, DUSK = (
    Phase.NIGHT,
    Phase.DAWN,
    Phase.SUNRISE,
    Phase.DAY,
    Phase.SUNSET,
    Phase.DUSK,
)
TALL = (-3_000_000, -4_800_000, 3_000_000, 4_800_000)


@pytest.mark.clause("P.T01", "P.T02", "P.T03", "P.T04", "P.EX1")
@pytest.mark.parametrize(
    ("die", "first", "second", "wanted"),
    [
        (2, -1, 0, ("sunrise", 3_600)), (6, 1, 1, ("sunset", 28_800)), (1, 1, 1, ("sunset", 10_800)),
        (1, -1, -1, ("sunrise", 3_600)), (1, 0, 0, ("sunrise", 3_600)), (2, 0, 0, ("sunset", 7_200)), (3, -1, -1, ("sunrise", 3_600)),
    ],
)  # fmt: skip
def test_the_hour_of_opening_is_thrown_and_adjusted(
    die: int, first: int, second: int, wanted: object
) -> None:
    assert clock.open_clock(die, first, second) == wanted


@pytest.mark.clause("P.EX2", "P.T05", "P.T07", "P.T09", "P.T10")
@pytest.mark.parametrize("step", [150, 900])
def test_a_battle_before_sunrise_goes_through_night_and_dawn_by_half_hours(step: int) -> None:
    made = battle(opened=21_600 - 3_600)
    half = 1_800 // step
    phases = [clock.phase_at(made, spell * step) for spell in range(3 * half + 1)]
    assert phases == [NIGHT] * half + [DAWN] * half + [SUNRISE] * half + [DAY]


@pytest.mark.clause("P.EX2", "P.T06", "P.T11")
def test_a_battle_two_hours_before_sunset_sees_sunset_dusk_and_night() -> None:
    made = battle(opened=64_800 - 7_200)
    phases = [clock.phase_at(made, spell * 150) for spell in range(73)]
    assert phases == [DAY] * 48 + [SUNSET] * 12 + [DUSK] * 12 + [NIGHT]


@pytest.mark.clause("P.T05", "P.T06")
@pytest.mark.parametrize(
    ("second", "wanted"),
    [
        (0, NIGHT), (19_799, NIGHT), (19_800, DAWN), (21_599, DAWN), (21_600, SUNRISE), (23_399, SUNRISE), (23_400, DAY), (64_799, DAY),
        (64_800, SUNSET), (66_599, SUNSET), (66_600, DUSK), (68_399, DUSK), (68_400, NIGHT), (86_399, NIGHT),
    ],
)  # fmt: skip
def test_every_moment_of_the_day_has_its_light(second: int, wanted: Phase) -> None:
    assert clock.phase_of(second, 21_600, 64_800) is wanted


@pytest.mark.clause("P.T10")
def test_the_light_continues_to_change_past_midnight() -> None:
    made = battle(opened=23 * 3_600)
    assert [clock.phase_at(made, hours * 3_600) for hours in (0, 5, 7, 8)] == [NIGHT, NIGHT, SUNRISE, DAY]


@pytest.mark.clause("P.T08", "P.EX23")
@pytest.mark.parametrize(
    ("phase", "bearing", "wanted"),
    [
        (SUNSET, 22_500, True), (SUNSET, 27_000, True), (SUNSET, 22_490, False), (SUNSET, 22_499, True), (SUNSET, 31_500, True),
        (SUNSET, 31_501, True), (SUNSET, 31_502, False), (SUNRISE, 9_000, True), (SUNRISE, 4_500, True), (SUNRISE, 4_499, True),
        (SUNRISE, 4_498, False), (SUNRISE, 13_500, True), (SUNRISE, 13_502, False), (SUNRISE, 27_000, False), (SUNSET, 9_000, False),
        (DAY, 9_000, False), (DUSK, 27_000, False), (DAWN, 9_000, False), (NIGHT, 1, False), (DAY, 1, False),
    ],
)  # fmt: skip
def test_the_low_sun_hinders_ships_that_fire_into_it(phase: Phase, bearing: int, wanted: bool) -> None:
    assert clock.sun_hinders(phase, bearing) is wanted


@pytest.mark.clause("P.K15")
@pytest.mark.parametrize(
    ("opened", "wanted"), [(43_200, 25_200), (68_399, 1), (68_400, 0), (3_600, 0), (21_600, 46_800)]
)
def test_night_begins_an_hour_after_sunset(opened: int, wanted: int) -> None:
    assert clock.to_nightfall(battle(opened=opened)) == wanted


def test_an_hour_is_read_to_the_minute() -> None:
    assert clock.seconds("05:10") == 18_600


@pytest.mark.clause("P.W01", "P.W02", "P.W04", "P.W08", "P.W09", "P.EX3")
def test_two_dice_make_wind_and_weather() -> None:
    assert [weather_dice.thrown(die, 1)[0] for die in range(1, 7)] == [45, 135, 225, 225, 315, 315]
    assert [weather_dice.thrown(1, die)[1] for die in range(1, 7)] == [
        "calm",
        "fog",
        "squalls",
        "none",
        "none",
        "rough",
    ]
    assert weather_dice.thrown(6, 3)[:2] == (315, "squalls")


@pytest.mark.clause("P.K27")
def test_thrown_weather_goes_out_to_the_chart_as_a_strength() -> None:
    still, moderate, strong = Strength.STILL, Strength.MODERATE, Strength.STRONG
    assert [weather_dice.thrown(1, die)[2] for die in range(1, 7)] == [
        still,
        moderate,
        moderate,
        moderate,
        moderate,
        strong,
    ]


@pytest.mark.clause("P.W09")
@pytest.mark.parametrize("weather", ["calm", "fog", "squalls", "none", "rough"])
def test_only_a_strong_wind_makes_a_rough_sea(weather: str) -> None:
    assert battle(weather=weather).rough is (weather == "rough")


@pytest.mark.clause("P.W03")
@pytest.mark.parametrize(
    ("degrees", "table", "wanted"),
    [
        (45, TALL, 3_201), (135, TALL, 14_799), (225, TALL, 21_201), (315, TALL, 32_799),
        (45, (-1, -1, 1, 1), 4_500), (315, (-300_000, -480_000, 300_000, 480_000), 32_799),
    ],
)  # fmt: skip
def test_the_wind_blows_along_the_true_diagonal(
    degrees: int, table: tuple[int, int, int, int], wanted: int
) -> None:
    assert weather_dice.axis(degrees, table) == wanted


@pytest.mark.clause("P.K27", "P.EX38")
@pytest.mark.parametrize(
    ("towards", "wanted"),
    [(225, 45), (180, 45), (270, 135), (135, 315), (0, 225), (90, 315), (269, 45), (271, 135), (359, 135), (179, 315), (1, 225), (45, 225)],
)  # fmt: skip
def test_the_charts_wind_blows_from_a_corner(towards: int, wanted: int) -> None:
    assert weather_dice.corner(towards) == wanted


@pytest.mark.clause("P.K27", "P.W14")
@pytest.mark.parametrize(
    ("strength", "sky", "wanted"),
    [
        ("still", "clear", "calm"), ("light", "clear", "none"), ("moderate", "haze", "none"), ("strong", "clear", "rough"),
        ("gale", "clear", "rough"), ("light", "fog", "fog"), ("strong", "squalls", "squalls"),
    ],
)  # fmt: skip
def test_the_charts_wind_and_sky_make_the_weather(strength: str, sky: str, wanted: str) -> None:
    assert weather_dice.weather(Strength(strength), sky) == wanted
    if sky == "clear":
        assert weather_dice.weather_in(225, Strength(strength)) == {"corner": 45, "weather": wanted}
