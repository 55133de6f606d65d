"""Time of day and the light that it gives. The clock counts whole seconds from the opening. Rules: P.T01-P.T12, P.K15."""

from __future__ import annotations

from battles.engine.rulesets.barker.state import Battle
from battles.engine.rulesets.barker.tables import ANGLE_SLACK, Phase

HOUR = 3_600
HALF = 1_800
DAY = 24 * HOUR
# Bearings from which the sun hinders a gunner, in hundredths of a degree, limits included. Rule: P.T08.
_SUN = {Phase.SUNRISE: (4_500, 13_500), Phase.SUNSET: (22_500, 31_500)}


def open_clock(die: int, first: int, second: int) -> tuple[str, int]:
    """A TIME die and both adjustments: "sunrise" or "sunset", and the seconds until it. Rules: P.T01, P.T02, P.T03, P.T04."""
    score = die + first + second
    return ("sunrise", HOUR) if score <= 1 else ("sunset", score * HOUR)


def phase_of(second: int, sunrise: int, sunset: int) -> Phase:
    """The phase at a second of the day. sunrise, sunset: seconds of the day at which those phases begin. Rules: P.T05, P.T06, P.T11."""
    since = (second - sunrise) % DAY
    day = (sunset - sunrise) % DAY
    if since >= DAY - HALF:
        return Phase.DAWN
    if since < HALF:
        return Phase.SUNRISE
    if since < day:
        return Phase.DAY
    if since < day + HALF:
        return Phase.SUNSET
    return Phase.DUSK if since < day + 2 * HALF else Phase.NIGHT


def phase_at(battle: Battle, clock: int) -> Phase:
    """The phase in force so many seconds after the opening; a spell takes that of its beginning. Rule: P.T10."""
    return phase_of((battle.opened + clock) % DAY, battle.sunrise, battle.sunset)


def sun_hinders(phase: Phase, bearing: int) -> bool:
    """Whether the sun is in the eyes of who fires on a bearing. Rules: P.T08, P.Z03, P.EX23."""
    least, most = _SUN.get(phase, (1, 0))
    return least <= most and least - ANGLE_SLACK <= bearing <= most + ANGLE_SLACK


def to_nightfall(battle: Battle) -> int:
    """Seconds of the battle's clock at which NIGHT next begins; 0 when it opens by night. Rules: P.T06, P.K15."""
    if phase_at(battle, 0) is Phase.NIGHT:
        return 0
    return (battle.sunset + 2 * HALF - battle.opened) % DAY


def seconds(text: str) -> int:
    """Seconds of the day of "HH:MM"."""
    hours, minutes = text.split(":")
    return int(hours) * HOUR + int(minutes) * 60
