"""What a side knows of what the war is about: objectives it may read, its armies, landings, enemies met in battle. Rules: G.AA3, G.OB4.

Made for the automatic admiral, which is given this and no more.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from battles.engine.core.fates import Fate
from campaign.rules.aims.holding import first_hour, hour_of, last_hour, readers
from campaign.rules.chart.objectives import Row
from campaign.rules.state.aims import NEVER, Tally
from campaign.rules.state.world import Chart

# Ships of the enemy that must have been met in battle before their mean value takes the place of one's own.
ENOUGH_MET = 5


@dataclass(frozen=True, slots=True)
class KnownAim:
    """An objective that a side may read. own: its own, or an ally's. held: mornings, and now: at the last one, as it knows.

    achieved_at: hour, -1 before it is. since, until: hours of its first and last mornings, until None where it has none.
    Rules: G.AA1, G.OB4.
    """

    row: Row
    own: bool
    achieved: bool
    achieved_at: int
    held: int
    now: bool
    until: int | None
    since: int = 0


@dataclass(frozen=True, slots=True)
class KnownArmy:
    """Men of one's own at a port or an anchorage. embark: men a morning, 0 for what the place can do. Rule: G.LD1."""

    place: str
    men: int
    embark: int


@dataclass(frozen=True, slots=True)
class War:
    """The war as a side knows it.

    aims: in the order of the opening. armies: its own. ashore: own men on hostile shores, by place. invaded: places of its own, or
    an ally's, where an enemy is ashore. met: ships of the enemy that it has met in battle and not seen lost, how many and their mean
    value. mark: points of one. last: hour at which the campaign ends, None for never. opening: own value on the first day.
    raided: hours since its last raid, by port. mined: places where its own mines lie. duties: whether its admiral works for
    objectives; reserve: per cent of its value that is held back; fund_keep: pounds. days: of the turn for which orders are given.
    """

    aims: tuple[KnownAim, ...] = ()
    armies: tuple[KnownArmy, ...] = ()
    ashore: Mapping[str, int] = field(default_factory=dict)
    invaded: frozenset[str] = frozenset()
    met: int = 0
    met_worth: Fraction = Fraction(0)
    mark: int = 0
    last: int | None = None
    opening: Fraction = Fraction(0)
    raided: Mapping[str, int] = field(default_factory=dict)
    mined: frozenset[str] = frozenset()
    duties: bool = False
    reserve: int = 0
    fund_keep: int = 0
    days: int = 0


def war_known(chart: Chart, side: str) -> War:
    """The war as a side knows it in a state of the turn. Rules: G.AA3, G.IN1, G.OB4."""
    facts, state = chart.facts, chart.state
    friends = {side, *(s for s in facts.sides if frozenset((side, s)) in facts.allied)}
    nations = {nation for friend in friends for nation in facts.sides[friend].nations}
    met = [
        chart.at_sea.whole_value(facts.ships[code].card)
        for code in state.met.get(side, ())
        if code in state.ships and state.ships[code].fate is Fate.AFLOAT
    ]
    return War(
        aims=tuple(
            _aim(chart, row, side, friends)
            for row in facts.objectives
            if facts.settings.objectives == "on" and side in readers(facts, row)
        ),
        armies=tuple(
            KnownArmy(place, army.men, army.embark)
            for (of, place), army in sorted(state.troops.armies.items())
            if of == side
        ),
        ashore={place: men for (of, place), men in sorted(state.holdings.ashore.items()) if of == side},
        invaded=frozenset(
            place
            for (of, place), _ in state.holdings.ashore.items()
            if frozenset((of, side)) in facts.at_war and _is_ours(chart, place, nations)
        ),
        met=len(met),
        met_worth=sum(met, Fraction(0)) / len(met) if met else Fraction(0),
        mark=facts.opening.mark,
        last=_last(chart),
        opening=facts.opening.values.get(side, Fraction(0)),
        raided={port: chart.hour - hour for (of, port), hour in state.holdings.tried.items() if of == side},
        mined=frozenset(row.place for row in state.mines.fields.values() if row.side == side),
        duties=facts.settings.duties == "on",
        reserve=facts.settings.reserve_percent,
        fund_keep=facts.settings.fund_keep,
        days=facts.days,
    )


def _aim(chart: Chart, row: Row, side: str, friends: set[str]) -> KnownAim:
    aims = chart.state.aims
    told = aims.known.get((row.id, side), Tally())
    when = aims.tallies.get(row.id, Tally()).achieved
    return KnownAim(
        row, row.side in friends, when != NEVER, when, told.held, told.now,
        until=last_hour(row, chart.facts), since=first_hour(row, chart.facts),
    )  # fmt: skip


def _is_ours(chart: Chart, place: str, nations: set[str]) -> bool:
    """Whether men ashore at a place are in one's own country, or an ally's."""
    owner = chart.owner_of(place)
    if owner:
        return owner in nations
    near = min(
        (code for code, p in chart.facts.theatre.places.items() if p.owner),
        key=lambda code: (chart.geometry.distance(place, code), code),
        default="",
    )
    return bool(near) and chart.owner_of(near) in nations


def _last(chart: Chart) -> int | None:
    """The hour at which the campaign ends, None where it has no last day. Rule: G.OB5."""
    day = chart.facts.settings.end_date
    return hour_of(chart.facts.start_date, day) if day else None
