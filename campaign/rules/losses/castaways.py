"""People of ships that are lost: taken up by ships in company, cast ashore, or drowned, and named officers with them.

Rules: T.O5h, T.C20, T.C21, T.C37, G.CH2, G.GF1, G.GF2, G.AF1.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from battles.engine.core.fates import Fate
from campaign.rules.ashore.recruits import come_aboard
from campaign.rules.chart.points import miles_between
from campaign.rules.chart.types import PlaceKind, Position
from campaign.rules.contact.contact import company_of
from campaign.rules.state.state import ShipState, TurnState
from campaign.rules.state.world import Chart

# A ship takes up so many to one of her own people, and all together so many of those who were aboard. Rule: T.O5h.
OF_RESCUERS, OF_THE_LOST = 4, 2


class Shore(StrEnum):
    """What a coast is to the people who come ashore there. Rules: T.C21, G.CH3."""

    FRIENDLY = "friendly"
    HOSTILE = "hostile"
    NEUTRAL = "neutral"


class Landing(NamedTuple):
    """A coast to people of one side. holder: the side that takes them, "" unless hostile."""

    shore: Shore
    holder: str = ""


def people(state: TurnState) -> int:
    """Everyone there is: aboard, in prizes, captive aboard, in prison, ashore, under arms. Rules: G.CR1, G.LD1, G.PR1, G.PR5."""
    economy, troops = state.economy, state.troops
    return (
        sum(ship.men for ship in state.ships.values())
        + sum(hold.prisoners for hold in state.prizes.values())
        + sum(men for _, men in economy.captives.values())
        + sum(economy.prisoners.values())
        + sum(economy.ashore.values())
        + sum(army.men for army in troops.armies.values())
        + sum(troops.aboard.values())
        + sum(state.holdings.ashore.values())
    )


def aboard(chart: Chart, ship: ShipState) -> list[tuple[str, int]]:
    """Who is in a ship, by side: her people or prize crew, and those held in her. Rules: G.PR1, G.PR5."""
    hold = chart.state.prizes.get(ship.code)
    held = [(hold.taken_from, hold.prisoners)] if hold is not None else []
    captives = chart.state.economy.captives.get(ship.code, ("", 0))
    return [(side, men) for side, men in ((ship.side, ship.men), *held, captives) if men]


def landing(chart: Chart, side: str, position: Position) -> Landing:
    """What the coast near a position is to people of a side: that of the port whose pilots know it, else of the nearest."""
    nation = nation_of_coast(chart, position)
    owners = sorted(other.code for other in chart.facts.sides.values() if nation in other.nations)
    if any(owner == side or frozenset((side, owner)) in chart.facts.allied for owner in owners):
        return Landing(Shore.FRIENDLY)
    enemies = [owner for owner in owners if frozenset((side, owner)) in chart.facts.at_war]
    return Landing(Shore.HOSTILE, min(enemies)) if enemies else Landing(Shore.NEUTRAL)


def nation_of_coast(chart: Chart, position: Position) -> str:
    """The nation whose coast is nearest to a position, "" where there is no port. Rules: G.CH2, T.C21."""
    places, here = chart.facts.theatre.places, chart.point(position)
    at = places[position.at]
    if not position.to and at.kind is PlaceKind.SHOAL_COAST and at.channel_owner:
        return places[at.channel_owner].owner
    ports = [place for place in places.values() if place.kind is PlaceKind.PORT]
    nearest = min(
        ports, key=lambda p: (miles_between(here, chart.geometry.places[p.code]), p.code), default=None
    )
    return nearest.owner if nearest is not None else ""


def cast_ashore(
    chart: Chart, ship: ShipState, groups: Iterable[tuple[str, int]], position: Position, *, hour: int | None
) -> None:
    """Bring the people of a wreck ashore: on a hostile coast they are prisoners, else they make their way to a port of their own.

    groups: sides and men; captives of a friendly coast are its prisoners, and on one of their own they are free. Rules: T.C21, G.CH2.
    """
    economy = chart.state.economy
    for side, men in groups:
        shore, holder = landing(chart, side, position)
        port = chart.nearest_own_port(position, holder or side)
        if not men or not port:
            continue
        if holder:
            economy.hold(holder, port, side, men)
        else:
            economy.land(side, port, men)
        knows = {side, holder, ship.side} - {""}
        chart.tell(
            "castaways", "T.C21", *knows, hour=hour, ship=ship.code, side=ship.side, people=side, men=men,
            shore=shore.value, captor=holder, place=chart.geometry.nearest(position), port=port, ships=[ship.code],
        )  # fmt: skip


def taken_up(chart: Chart, ship: ShipState, *, hour: int | None) -> int:
    """Ships in company save people of a ship that goes down: each up to a quarter of its own people, together up to half of hers.

    Those held in her drown. Returns how many are saved. Rules: T.O5h, T.C20, T.C37.
    """
    left = most = ship.men // OF_THE_LOST
    by: list[list[str | int]] = []
    for rescuer in rescuers_of(chart, ship):
        men = min(left, rescuer.men // OF_RESCUERS)
        if men:
            come_aboard(chart, rescuer, men)
            by.append([rescuer.code, men])
            left -= men
    saved = most - left
    if saved:
        chart.tell(
            "taken_up", "T.C37", ship.side, hour=hour, ship=ship.code, side=ship.side, men=saved, by=by,
            fleet=ship.fleet, place=chart.geometry.nearest(chart.state.fleets[ship.fleet].position),
            ships=[ship.code, *(code for code, _ in by)],
        )  # fmt: skip
    return saved


def rescuers_of(chart: Chart, lost: ShipState) -> list[ShipState]:
    """Ships of her side in company that are no prizes, in the order of codes. Rule: G.MV4."""
    fleet = chart.state.fleets[lost.fleet]
    codes = sorted(
        ship.code
        for other in company_of(chart, fleet)
        for ship in chart.ships_of(other.code)
        if other.side == lost.side and ship.code != lost.code and not ship.prize
    )
    found = [chart.state.ships[code] for code in codes]
    return [ship for ship in found if ship.fate is Fate.AFLOAT]


class Headcount(NamedTuple):
    """How many there were before a battle: all told, and by ship aboard and held."""

    people: int
    men: dict[str, int]
    captives: dict[str, int]

    @classmethod
    def of(cls, state: TurnState, codes: Iterable[str]) -> Headcount:
        """As a state has them now."""
        held = {code: state.economy.captives.get(code, ("", 0))[1] for code in codes}
        return cls(people(state), {code: state.ships[code].men for code in held}, held)


def nobody_from_nowhere(chart: Chart, before: Headcount) -> None:
    """Men whom a set counts in more than there were are struck off again, from the ships that gained. Rule: G.CR1.

    A set that counts people of one ship by the measure of another's can make more of them than went in.
    """
    state = chart.state
    excess = people(state) - before.people
    for code in sorted(before.captives):
        of, held = state.economy.captives.get(code, ("", 0))
        over = min(excess, held - before.captives[code])
        if over > 0:
            state.economy.captives[code] = (of, held - over)
            excess -= over
    for code in sorted(before.men):
        ship = state.ships[code]
        over = min(excess, ship.men - before.men[code])
        if over > 0:
            come_aboard(chart, ship, -over)
            excess -= over
