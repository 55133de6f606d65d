"""A question about a battle that has not been fought, made from what its asker knows, or, for an umpire, from what is.

For an admiral their own ships are as they are. Of the enemy nothing is read but the report that their side has of a contact: the number
lies anywhere in its band, the ships are any of those that the registers list for the nations at war with them, of the kinds reported,
sound and fully manned. Two fleets behind the same report give the same question. Rules: G.IN1, G.SI2, G.CO1.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.scenario import Doctrine, Stance
from battles.engine.odds import Guess, Rates
from battles.engine.odds.question import document
from battles.engine.pinned.rules import Use
from campaign.accounts import UNDER_STEAM, period_names, sail_in_words
from campaign.models import Membership, Sighting, Station, Turn
from campaign.pinned.use import rules_of
from campaign.rules.battle.scenario import battle_call
from campaign.rules.chart import types as t
from campaign.rules.chart.points import SCALE, Point, miles_between
from campaign.rules.contact.contact import company_of, fighting_company
from campaign.rules.state.documents import doctrine_doc
from campaign.rules.state.state import Contact, FleetState, ZoneWeather
from campaign.rules.state.world import Chart
from campaign.rules.turn.forecast import weather_known
from campaign.rules.turn.turn import standing
from campaign.selectors.odds.supposed import Supposed, ships_supposed
from campaign.selectors.people.access import stations_for
from campaign.selectors.turn.facts import turn_facts

CONTACT = "contact"  # the code of a fleet that is only a report
MOST_BEYOND = 2  # a band that is open upwards is taken to end at so many times its beginning
CODE = "odds"


@dataclass(frozen=True, slots=True)
class Asked:
    """A question. about: what the page was asked, to ask it again. truth: whether it was made from what is. question: for the engine."""

    title: str
    about: Mapping[str, str]
    question: Mapping[str, Any] = field(repr=False)
    truth: bool = False


def asked_of_contact(
    membership: Membership, turn: Turn, station: Station, report: Sighting, stance: Stance = Stance.SEEK
) -> Asked | None:
    """What would come of it if a fleet met a contact; None where the registers list no ship that it could be.

    station, report: that the reader may see. stance: that the enemy is supposed to have.
    """
    whole, _ = turn_facts(turn)
    facts = _as_known(whole, membership)
    own = facts.fleets[station.fleet.code]
    enemies = sorted(code for pair in facts.at_war if own.side in pair for code in pair - {own.side})
    supposed = ships_supposed(turn.campaign, own.side, enemies, report.kinds)
    if not enemies or not supposed:
        return None
    place = _sea_near(facts.theatre, report)
    order = t.FleetOrder(CONTACT, stance=stance)
    met = t.FleetFacts(CONTACT, f"contact {report.number}", enemies[0], t.Position(place), order)
    use = rules_of(turn)
    weather = use(weather_known)(facts, own.side)
    chart = _chart(use, replace(facts, fleets={**facts.fleets, CONTACT: met}), weather)
    company = use(fighting_company)(chart, chart.state.fleets[own.code])
    scenario = _scenario(use, chart, company, [chart.state.fleets[CONTACT]])
    for side in scenario["sides"]:
        if side["id"] == enemies[0]:
            # whose fleet it is, is not known either where there are several at war
            name = "The enemy" if len(enemies) > 1 else side["name"]
            doctrine = doctrine_doc(Doctrine(stance=stance))
            side |= {"name": name, "squadrons": _by_kind(supposed), "doctrine": doctrine}
    least, most = bounds_of(report.band)
    steam = UNDER_STEAM in period_names(turn.campaign.theatre.document)
    return Asked(
        title=f"{_names(chart, company)} and contact {report.number}, {sail_in_words(report.band, report.kinds, steam=steam)}",
        about={
            "fleet": own.code,
            "contact": str(report.number),
            "stance": stance.value,
            "own_stance": own.order.stance.value,
        },
        question=document(scenario, Guess(enemies[0], least, most), _rates(facts.settings)),
    )


def asked_of_fleets(turn: Turn, one: str, other: str) -> Asked | None:
    """What would come of it if two fleets met, as they are: for the umpire alone. None for fleets that are not at war or have no ships.

    one, other: codes of fleets.
    """
    facts, _ = turn_facts(turn)
    if not {one, other} <= facts.fleets.keys():
        return None
    sides = [facts.fleets[code].side for code in (one, other)]
    use = rules_of(turn)
    weather = use(weather_known)(facts, sides[0]) | {
        zone: ZoneWeather.read(row) for zone, row in facts.weather.items() if row
    }
    chart = _chart(use, facts, weather)
    a, b = (chart.state.fleets[code] for code in (one, other))
    groups = [
        _with_ships(chart, use(fighting_company)(chart, a)),
        _with_ships(chart, use(company_of)(chart, b)),
    ]
    if not chart.at_war(a, b) or not all(groups):
        return None
    return Asked(
        title=f"{_names(chart, groups[0])} and {_names(chart, groups[1])}",
        about={"fleet": one, "enemy": other},
        question=document(_scenario(use, chart, *groups), None, _rates(facts.settings)),
        truth=True,
    )


def bounds_of(band: str) -> tuple[int, int]:
    """The fewest and the most sail of a band. Rule: G.SI2."""
    ends = [int(number) for number in re.findall(r"\d+", band)] or [1]
    return ends[0], MOST_BEYOND * ends[0] if band.endswith("+") else ends[-1]


def _as_known(facts: t.TurnFacts, membership: Membership) -> t.TurnFacts:
    """Facts with the fleets in a reader's sight and their ships, and nothing that was carried over: what the chart hides is not there.

    Rules: G.IN1, G.IN4.
    """
    codes = {station.fleet.code for station in stations_for(membership)}
    return replace(
        facts,
        fleets={code: row for code, row in facts.fleets.items() if code in codes},
        squadrons={code: row for code, row in facts.squadrons.items() if row.fleet in codes},
        ships={code: row for code, row in facts.ships.items() if row.fleet in codes},
        officers={key: row for key, row in facts.officers.items() if membership.side and row.side == membership.side.code},
        carried={}, side_orders={}, accepted={}, calendar=(), objectives=(),
    )  # fmt: skip


def _chart(use: Use, facts: t.TurnFacts, weather: Mapping[str, ZoneWeather]) -> Chart:
    state = use(standing)(facts)
    state.weather = dict(weather)
    return use(Chart)(facts, state, use(ScriptedDice)(()))


def _scenario(use: Use, chart: Chart, own: list[FleetState], enemy: list[FleetState]) -> dict[str, Any]:
    """The battle as the chart would call for it, by nobody's surprise and with the weather gauge left to the dice. Rule: G.BT6."""
    contact = Contact(own[0].code, enemy[0].code, range=0, bearing=0, since=chart.hour)
    scenario = dict(use(battle_call)(chart, CODE, contact, own, enemy).scenario)
    return {**scenario, "code": CODE, "gauge": "", "surprised": []}


def _by_kind(supposed: list[Supposed]) -> list[dict[str, Any]]:
    """Ships that may be there, in a squadron for each kind, as `Guess` wants them."""
    kinds = dict.fromkeys(row.kind for row in supposed)
    return [
        {
            "id": f"guess-{kind}",
            "name": kind,
            "flagship": next(row.ship["id"] for row in supposed if row.kind is kind),
            "ships": [row.ship for row in supposed if row.kind is kind],
        }
        for kind in kinds
    ]


def _sea_near(theatre: t.Theatre, report: Sighting) -> str:
    """The place of the sea that is nearest to where a contact was reported."""
    here = Point(report.latitude * SCALE // 100, report.longitude * SCALE // 100)
    sea = [place for place in theatre.places.values() if place.kind is not t.PlaceKind.PORT]
    spots = {
        place.code: Point(round(place.latitude * SCALE), round(place.longitude * SCALE)) for place in sea
    }
    return min(sorted(spots), key=lambda code: miles_between(here, spots[code]))


def _with_ships(chart: Chart, fleets: list[FleetState]) -> list[FleetState]:
    return [fleet for fleet in fleets if chart.ships_of(fleet.code)]


def _names(chart: Chart, fleets: list[FleetState]) -> str:
    greatest = max(fleets, key=lambda fleet: len(chart.ships_of(fleet.code)))
    more = f" with {len(fleets) - 1} in company" if len(fleets) > 1 else ""
    return f"{chart.name_of(greatest)}{more}"


def _rates(settings: t.Settings) -> Rates:
    """What repairs cost in a campaign. Rule: G.RP2."""
    return Rates(
        light=settings.work_light, medium=settings.work_medium, heavy=settings.work_heavy, worse=settings.work_worse,
        mast=settings.work_mast, battery=settings.work_battery, a_day=settings.yard_days,
    )  # fmt: skip
