"""Which fleets hear the guns of a battle and join it, when, and from where. Rule: G.CO7."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from battles.engine.core.scenario import Stance
from campaign.rules.chart.points import bearing_between, miles_between
from campaign.rules.chart.types import MILLI
from campaign.rules.contact.contact import pair
from campaign.rules.sailing.movement import fleet_speed, may_sail
from campaign.rules.state.state import FleetState
from campaign.rules.state.world import Chart


class Comer(NamedTuple):
    """A fleet that sails to the sound of guns. turn: battle turn of its arrival; edge: degrees from the battle to where it was."""

    fleet: FleetState
    turn: int
    edge: int


def comers(
    chart: Chart, there: Iterable[FleetState], enemies: Iterable[FleetState], most: int
) -> list[Comer]:
    """Fleets that come to the help of those that fight, in the order of codes. most: battle turns that the battle may last.

    A fleet comes when it is near enough to hear, its instructions say so, it does not avoid, no truce binds it, and it can be there
    in time at its speed on that bearing, steamers at full speed. Rules: G.CO7, G.MV5, G.ST2.
    """
    fighting, foes = list(there), list(enemies)
    first = next(iter(fighting))
    here = chart.point(first.position)
    taken = {fleet.code for fleet in (*fighting, *foes)}
    heard = chart.facts.settings.guns_heard * MILLI
    coming = []
    for fleet in chart.fleets():
        far = miles_between(here, chart.point(fleet.position))
        if fleet.code in taken or far > heard or not chart.friends(fleet, first):
            continue
        if not _willing(chart, fleet, foes):
            continue
        bearing = bearing_between(here, chart.point(fleet.position))
        speed = fleet_speed(chart, fleet, (bearing + 180) % 360, full=True)
        if not speed:
            continue
        turn = max(1, -(-far * 60 // (speed * chart.minutes_a_turn)))
        if turn <= most:
            coming.append(Comer(fleet, turn, bearing))
    return coming


def _willing(chart: Chart, fleet: FleetState, foes: list[FleetState]) -> bool:
    """Whether a fleet that hears guns may go there and means to. Rules: G.CO7, G.MV5."""
    return (
        may_sail(chart, fleet)
        and chart.can_fight(fleet.code)
        and fleet.order.instructions.at_sound_of_guns == "join"
        and fleet.order.stance is not Stance.AVOID
        and not any(pair(fleet.code, foe.code) in chart.state.truces for foe in foes)
        and any(chart.at_war(fleet, foe) for foe in foes)
    )
