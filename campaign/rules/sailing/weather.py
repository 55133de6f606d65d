"""Weather by zones and watches, and how far one sees. Rules: G.WX1, G.WX2, G.WX3, G.WX4."""

from __future__ import annotations

from dataclasses import replace

from battles.engine.core.dice import Dice, Die
from battles.engine.core.scenario import Strength
from campaign.rules.chart.types import MILLI, TurnFacts, Visibility, ZoneMonth
from campaign.rules.state.clock import WATCH, clock, is_day, month
from campaign.rules.state.state import FleetState, ZoneWeather
from campaign.rules.state.world import Chart

STEPS = tuple(Strength)
_VISIBILITY_HOURS = (6, 18)


def opening(facts: TurnFacts, zone: str, dice: Dice) -> ZoneWeather:
    """Weather of a zone when the campaign opens: the month's usual; without a steady wind a D8 says where from. Rule: G.WX1."""
    usual = facts.theatre.zones[zone][month(facts, facts.first_hour) - 1]
    wind = usual.prevailing
    if wind is None:
        wind = 45 * (dice.d8(clause="G.WX1", subjects=(zone,), reason="opening wind") - 1)
    return ZoneWeather(wind, Strength(usual.usual), Visibility.CLEAR)


def watch(now: ZoneWeather, usual: ZoneMonth, dice: Dice, *, hour: int, zone: str) -> ZoneWeather:
    """Weather of a zone after the throws of one watch. Rule: G.WX2."""
    strength, wind = now.strength, now.wind_from
    total = sum(dice.throw(Die.D6, 2, clause="G.WX2", subjects=(hour, zone, "wind"), reason="wind"))
    if total <= 3:
        strength = _step(strength, -1)
    elif total >= 11:
        strength = _step(strength, 1)
    elif total in (7, 8):
        strength = _towards(strength, Strength(usual.usual))
        if usual.prevailing is not None:
            wind = _veer(wind, usual.prevailing)
    shift = dice.d6(clause="G.WX2", subjects=(hour, zone, "shift"), reason="shift of wind")
    wind = (wind + {1: -45, 6: 45}.get(shift, 0)) % 360
    visibility = now.visibility
    if clock(hour) in _VISIBILITY_HOURS:
        seen = dice.d100(clause="G.WX2", subjects=(hour, zone, "visibility"), reason="visibility")
        visibility = _visibility(seen, usual)
    if STEPS.index(strength) >= STEPS.index(Strength.STRONG):
        visibility = Visibility.CLEAR
    return ZoneWeather(wind, strength, visibility)


def _visibility(face: int, usual: ZoneMonth) -> Visibility:
    if face <= usual.fog_pct:
        return Visibility.FOG
    return Visibility.HAZE if face <= usual.fog_pct + usual.haze_pct else Visibility.CLEAR


def _step(strength: Strength, by: int) -> Strength:
    return STEPS[min(len(STEPS) - 1, max(0, STEPS.index(strength) + by))]


def _towards(strength: Strength, usual: Strength) -> Strength:
    far = STEPS.index(usual) - STEPS.index(strength)
    return _step(strength, (far > 0) - (far < 0))


def _veer(wind: int, prevailing: int) -> int:
    """One eighth of the compass towards the prevailing wind, the short way round; clockwise when both are as short."""
    far = (prevailing - wind + 180) % 360 - 180
    if far == 0:
        return wind
    return (wind + (45 if far > 0 or far == -180 else -45)) % 360


def weather_step(chart: Chart) -> None:
    """Throw for the weather of every zone at the beginning of a watch; gales born of battles begin. Rules: G.WX2, G.WX3."""
    if chart.hour % WATCH == 0:
        _watches(chart)
    due = sorted({zone for hour, zone in chart.state.storms if hour <= chart.hour})
    for zone in due:
        gale = replace(chart.state.weather[zone], strength=Strength.GALE, visibility=Visibility.CLEAR)
        set_weather(chart, zone, gale, clause="G.WX3")
    chart.state.storms = tuple(row for row in chart.state.storms if row[0] > chart.hour)


def _watches(chart: Chart) -> None:
    """The throws of a watch for every zone. Rule: G.WX2."""
    at = month(chart.facts, chart.hour) - 1
    for zone in sorted(chart.state.weather):
        set_weather(
            chart,
            zone,
            watch(
                chart.state.weather[zone],
                chart.facts.theatre.zones[zone][at],
                chart.dice,
                hour=chart.hour,
                zone=zone,
            ),
            clause="G.WX2",
        )


def set_weather(chart: Chart, zone: str, now: ZoneWeather, *, clause: str) -> None:
    """Change the weather of a zone and tell the sides that have fleets there."""
    before = chart.state.weather[zone]
    chart.state.weather[zone] = now
    if now == before:
        return
    there = [f.side for f in chart.fleets() if chart.geometry.zone(f.position) == zone]
    kind = "gale" if now.strength is Strength.GALE is not before.strength else "weather"
    chart.tell(kind, clause, *there, zone=zone, **now.doc())


def sight_range(chart: Chart, fleet: FleetState) -> int:
    """How far a fleet's mastheads see in this hour, thousandths of a mile. Rule: G.WX4."""
    settings, weather = chart.facts.settings, chart.weather(fleet)
    day = is_day(chart.facts, chart.hour)
    miles = {
        Visibility.CLEAR: settings.see_clear,
        Visibility.HAZE: settings.see_haze,
        Visibility.FOG: settings.see_fog,
    }[weather.visibility]
    if not day:
        miles = min(miles, settings.see_night)
    elif weather.visibility is Visibility.CLEAR and chart.scouts(fleet):
        miles += settings.scout_miles
    return miles * MILLI // (2 if weather.strength is Strength.GALE else 1)
