"""Weather by zones and watches."""

from __future__ import annotations

import pytest

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.scenario import Strength
from campaign.rules.chart.theatre import read_theatre
from campaign.rules.chart.types import Visibility, ZoneMonth
from campaign.rules.sailing.weather import opening, sight_range, watch, weather_step
from campaign.rules.state.state import ZoneWeather
from campaign.rules.state.world import Chart
from campaign.rules.turn import turn
from tests.campaign.rules import builders as b

WESTERLY = ZoneMonth(270, "moderate", 20, 10)


def after(now: ZoneWeather, *faces: int, hour: int = 4, usual: ZoneMonth = WESTERLY) -> ZoneWeather:
    with ScriptedDice(faces) as dice:
        return watch(now, usual, dice, hour=hour, zone="sea")


def blowing(wind: int, strength: str, visibility: str = "clear") -> ZoneWeather:
    return ZoneWeather(wind, Strength(strength), Visibility(visibility))


@pytest.mark.clause("G.WX2")
@pytest.mark.parametrize(
    ("faces", "strength"),
    [
        ((1, 1), "light"),
        ((1, 2), "light"),
        ((1, 3), "moderate"),
        ((3, 3), "moderate"),
        ((4, 6), "moderate"),
        ((5, 6), "strong"),
        ((6, 6), "strong"),
    ],
)
def test_two_dice_calm_or_freshen_the_wind_a_step(faces: tuple[int, int], strength: str) -> None:
    assert after(blowing(270, "moderate"), *faces, 3).strength == Strength(strength)


@pytest.mark.clause("G.WX2")
@pytest.mark.parametrize("faces", [(3, 4), (2, 6)])
def test_seven_and_eight_move_a_step_back_towards_the_usual_weather(faces: tuple[int, int]) -> None:
    assert after(blowing(0, "still"), *faces, 3) == blowing(315, "light")
    assert after(blowing(180, "gale"), *faces, 3) == blowing(225, "strong")
    assert after(blowing(270, "moderate"), *faces, 3) == blowing(270, "moderate")
    assert after(blowing(90, "moderate"), *faces, 3) == blowing(135, "moderate")  # opposite: clockwise


@pytest.mark.clause("G.WX2")
@pytest.mark.parametrize(
    ("total", "strength"),
    [(2, "moderate"), (3, "moderate"), (4, "strong"), (5, "strong"), (6, "strong"), (7, "moderate"),
     (8, "moderate"), (9, "strong"), (10, "strong"), (11, "gale"), (12, "gale")],
)  # fmt: skip
def test_every_total_of_the_two_dice_does_what_the_table_says(total: int, strength: str) -> None:
    usual = ZoneMonth(270, "light", 0, 0)
    faces = (total // 2, total - total // 2)
    now = after(blowing(0, "strong"), *faces, 3, usual=usual)
    assert now == blowing(315 if total in (7, 8) else 0, strength)


@pytest.mark.clause("G.WX2")
@pytest.mark.parametrize("wind", range(0, 360, 45))
def test_the_wind_turns_the_shorter_way_round_to_the_prevailing_one(wind: int) -> None:
    turned = {270: 270, 315: 270, 0: 315, 45: 0, 90: 135, 135: 180, 180: 225, 225: 270}
    assert after(blowing(wind, "moderate"), 3, 4, 3).wind_from == turned[wind]
    north = {0: 0, 45: 0, 90: 45, 135: 90, 180: 225, 225: 270, 270: 315, 315: 0}
    assert (
        after(blowing(wind, "moderate"), 3, 4, 3, usual=ZoneMonth(0, "moderate", 0, 0)).wind_from
        == north[wind]
    )


@pytest.mark.clause("G.WX2")
@pytest.mark.parametrize("hour", [4, 8, 16, 20])
def test_at_other_watches_visibility_is_not_thrown_for(hour: int) -> None:
    assert after(blowing(0, "moderate", "haze"), 3, 3, 3, hour=hour).visibility is Visibility.HAZE


@pytest.mark.clause("G.WX2")
def test_without_a_steady_wind_nothing_turns_towards_it() -> None:
    assert after(blowing(45, "light"), 3, 4, 3, usual=ZoneMonth(None, "moderate", 0, 0)) == blowing(
        45, "moderate"
    )


@pytest.mark.clause("G.WX2")
@pytest.mark.parametrize(("face", "wind"), [(1, 315), (2, 0), (5, 0), (6, 45)])
def test_a_third_die_backs_or_veers_the_wind(face: int, wind: int) -> None:
    assert after(blowing(0, "moderate"), 3, 3, face).wind_from == wind


@pytest.mark.clause("G.WX1", "G.WX2")
def test_wind_strength_stays_between_still_and_gale() -> None:
    assert after(blowing(0, "still"), 1, 1, 3).strength is Strength.STILL
    assert after(blowing(0, "gale"), 6, 6, 3).strength is Strength.GALE


@pytest.mark.clause("G.WX2")
@pytest.mark.parametrize(("face", "seen"), [(10, "fog"), (11, "haze"), (30, "haze"), (31, "clear")])
@pytest.mark.parametrize("hour", [0, 12, 24])
def test_fog_and_haze_are_thrown_for_at_six_in_the_morning_and_evening(
    face: int, seen: str, hour: int
) -> None:
    assert after(blowing(0, "moderate"), 3, 3, 3, face, hour=hour).visibility == Visibility(seen)


@pytest.mark.clause("G.WX2")
def test_a_strong_wind_clears_fog_and_haze() -> None:
    assert after(blowing(0, "moderate", "fog"), 3, 3, 3).visibility is Visibility.FOG
    assert after(blowing(0, "moderate", "fog"), 5, 6, 3).visibility is Visibility.CLEAR
    assert after(blowing(0, "strong"), 3, 3, 3, 5, hour=12).visibility is Visibility.CLEAR


@pytest.mark.clause("G.WX1")
def test_a_campaign_opens_with_the_usual_weather_of_the_month() -> None:
    made = b.facts([], sea=read_theatre(b.square_doc(prevailing="NE", usual="light")))
    with ScriptedDice(()) as dice:
        assert opening(made, "sea", dice) == blowing(45, "light")
    unsteady = b.facts([], sea=read_theatre(b.square_doc(prevailing="none")))
    with ScriptedDice((8,)) as dice:
        assert opening(unsteady, "sea", dice) == blowing(315, "moderate")


@pytest.mark.clause("G.WX2")
def test_weather_is_thrown_for_at_every_watch_and_only_then() -> None:
    made = b.facts([b.fleet("e", "ENG", "a")], weather=b.weather())
    state = turn.begin(made, {}, b.dice(made))
    changes = [e for e in b.play(made)[0].events if e.kind in ("weather", "gale")]
    assert state.weather["sea"] == blowing(270, "moderate")
    assert changes and all(event.hour % 4 == 0 for event in changes)
    assert all(event.knows == ("ENG",) for event in changes)


def seen_at(hour: int, strength: str, visibility: str, *, scout: bool = False) -> int:
    made = b.facts(
        [b.fleet("e", "ENG", "a", scout=scout)], weather=b.weather(270, strength, visibility), first_hour=hour
    )
    state = turn.begin(made, {}, b.dice(made))
    return sight_range(Chart(made, state, b.dice(made)), state.fleets["e"])


@pytest.mark.clause("G.WX4")
@pytest.mark.parametrize(
    ("hour", "strength", "visibility", "miles"),
    [
        (4, "moderate", "clear", 12),
        (4, "moderate", "haze", 6),
        (4, "moderate", "fog", 1),
        (16, "moderate", "clear", 2),
        (16, "moderate", "fog", 1),
        (4, "gale", "clear", 6),
        (16, "gale", "clear", 1),
    ],
)
def test_visibility_decides_how_far_a_fleet_sees(
    hour: int, strength: str, visibility: str, miles: int
) -> None:
    assert seen_at(hour, strength, visibility) == miles * 1000


@pytest.mark.clause("G.WX4")
def test_a_scout_adds_eight_miles_by_day_in_clear_weather_only() -> None:
    assert seen_at(4, "moderate", "clear", scout=True) == 20_000
    assert seen_at(4, "moderate", "haze", scout=True) == 6_000
    assert seen_at(16, "moderate", "clear", scout=True) == 2_000


def months(**seas: dict[str, object]) -> dict[str, object]:
    """The square sea whose months differ: m1 to m12 by keyword, the others westerly and moderate."""
    doc = b.square_doc()
    for name, month in seas.items():
        doc["weather_zones"][0]["months"][name[1:]] = month
    return doc


@pytest.mark.clause("G.WX1")
@pytest.mark.parametrize(
    ("date", "hour", "weather"),
    [("1666-01-31", 0, blowing(0, "light")), ("1666-01-31", 17, blowing(0, "light")),
     ("1666-01-31", 18, blowing(90, "strong")), ("1666-12-01", 0, blowing(180, "still"))],
)  # fmt: skip
def test_the_usual_weather_is_that_of_the_month_in_which_the_campaign_opens(
    date: str, hour: int, weather: ZoneWeather
) -> None:
    doc = months(
        m1=b.month("N", "light"), m2=b.month("E", "strong"), m11=b.month(), m12=b.month("S", "still")
    )
    made = b.facts([], sea=read_theatre(doc), start_date=date, first_hour=hour)
    with ScriptedDice(()) as dice:
        assert opening(made, "sea", dice) == weather


@pytest.mark.clause("G.WX1")
@pytest.mark.parametrize(("face", "wind"), [(1, 0), (2, 45), (5, 180), (8, 315)])
def test_without_a_steady_wind_an_eight_sided_die_decides_the_first_wind(face: int, wind: int) -> None:
    made = b.facts([], sea=read_theatre(b.square_doc(prevailing="none")))
    with ScriptedDice((face,)) as dice:
        assert opening(made, "sea", dice).wind_from == wind


def thrown(hour: int, *faces: int, doc: dict[str, object] | None = None, storm: int | None = None) -> Chart:
    """The chart after the weather of one hour; an English fleet at a, a Dutch one in another zone."""
    doc = doc or b.square_doc()
    zones = doc["weather_zones"]
    assert isinstance(zones, list)
    if len(zones) == 1:
        zones.append({**zones[0], "id": "far"})
    doc["nodes"][2]["zone"] = "far"  # type: ignore[index]
    fleets = [b.fleet("e", "ENG", "a"), b.fleet("d", "NLD", "c")]
    made = b.facts(fleets, sea=read_theatre(doc), weather={**b.weather(), "far": b.weather()["sea"]})
    state = turn.begin(made, {}, b.dice(made))
    state.hour = hour
    state.events.clear()
    if storm is not None:
        state.storms = ((storm, "sea"),)
    with ScriptedDice(faces) as dice:
        chart = Chart(made, state, dice)
        b.step(weather_step, chart)
    return chart


@pytest.mark.clause("G.WX2")
def test_a_change_of_weather_is_reported_to_the_sides_in_its_zone_and_no_change_to_no_one() -> None:
    chart = thrown(4, 3, 3, 3, 1, 1, 6)
    assert chart.state.weather == {"far": blowing(270, "moderate"), "sea": blowing(315, "light")}
    (event,) = chart.state.events
    assert (event.kind, event.clause, event.knows, event.data["zone"]) == (
        "weather",
        "G.WX2",
        ("ENG",),
        "sea",
    )
    chart = thrown(4, 6, 6, 3, 3, 3, 3)
    assert [(e.kind, e.knows) for e in chart.state.events] == [("weather", ("NLD",))]


@pytest.mark.clause("G.WX2")
def test_each_watch_uses_its_months_own_weather() -> None:
    doc = months(m6=b.month("N", "light"), m5=b.month("E", "strong"), m7=b.month("S", "still"))
    chart = thrown(4, 3, 4, 3, 3, 4, 3, doc=doc)
    assert set(chart.state.weather.values()) == {blowing(315, "light")}
    chart = thrown(30 * 24 - 4, 3, 4, 3, 3, 4, 3, doc=doc)  # 02:00 on the first of July
    assert set(chart.state.weather.values()) == {blowing(225, "light")}


@pytest.mark.clause("G.WX3")
def test_a_storm_caused_by_a_battle_blows_from_its_hour() -> None:
    before = thrown(5, storm=6)
    assert (before.state.storms, before.state.events) == (((6, "sea"),), [])
    chart = thrown(5, storm=5)
    assert chart.state.weather["sea"] == blowing(270, "gale")
    assert chart.state.weather["far"] == blowing(270, "moderate")
    assert chart.state.storms == ()
    assert [(e.kind, e.clause) for e in chart.state.events] == [("gale", "G.WX3")]
    assert thrown(5, storm=4).state.storms == ()
    again = thrown(5, storm=5)
    again.state.events.clear()
    again.state.storms = ((5, "sea"),)
    b.step(weather_step, again)
    assert again.state.events == []


@pytest.mark.clause("G.WX2")
def test_a_gale_that_continues_with_another_wind_is_not_a_new_gale() -> None:
    chart = thrown(5, storm=5)
    chart.state.hour = 8
    chart.state.events.clear()
    with ScriptedDice((3, 3, 3, 3, 3, 6)) as dice:
        weather_step(Chart(chart.facts, chart.state, dice))
    assert [(e.kind, e.data["strength"]) for e in chart.state.events] == [("weather", "gale")]
