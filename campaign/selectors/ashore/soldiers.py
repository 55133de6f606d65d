"""A side's soldiers as its own people see them, and what it knows of the enemy's on its coasts. Rules: G.LD1-G.LD3, G.IN1."""

from __future__ import annotations

from dataclasses import dataclass

from campaign.accounts.landings import MEN_OF_BAND
from campaign.rules.landing.boats import days_left, men_in_a_band
from campaign.rules.landing.fights import garrison, sieges, soldiers_in
from campaign.rules.landing.stowage import capacity, enemies, friends, owners
from campaign.rules.sailing.beaches import holders, port_of_beach
from campaign.selectors.ashore.ashore import Shore


@dataclass(frozen=True, slots=True)
class Waiting:
    """An army among friends. embark: men a morning, "" for what the port can do. Numbers are as they are read."""

    where: str
    men: str
    embark: str


@dataclass(frozen=True, slots=True)
class Aboard:
    """Soldiers in a fleet, and for how many it has room in all."""

    fleet: str
    men: str
    room: str


@dataclass(frozen=True, slots=True)
class Landed:
    """Own men on a hostile shore. days: of food left, None while they are fed. against: the port that they fight for and its men."""

    where: str
    men: str
    days: int | None
    port: str
    against: str


@dataclass(frozen=True, slots=True)
class Threat:
    """Enemies on a coast of the side's own. garrison: men in the port that they fight for, "" where there is none."""

    where: str
    enemy: str
    men: str
    garrison: str


@dataclass(frozen=True, slots=True)
class Soldiers:
    """What a side knows of soldiers; all of it empty in a campaign without landings."""

    waiting: tuple[Waiting, ...] = ()
    aboard: tuple[Aboard, ...] = ()
    landed: tuple[Landed, ...] = ()
    threats: tuple[Threat, ...] = ()

    def __bool__(self) -> bool:
        return any((self.waiting, self.aboard, self.landed, self.threats))


def soldiers_of(shore: Shore) -> Soldiers:
    """The soldiers of a side for one reader; those aboard only in fleets that the reader sees. Rules: G.LD1, G.LD2, G.IN1, G.IN4."""
    chart, side = shore.chart, shore.side.code
    if chart.facts.settings.landings != "on":
        return Soldiers()
    troops, holdings = chart.state.troops, chart.state.holdings
    return Soldiers(
        waiting=tuple(
            Waiting(shore.place(place), f"{army.men:,}", f"{army.embark:,}" if army.embark else "")
            for (whose, place), army in sorted(troops.armies.items())
            if whose == side
        ),
        aboard=_aboard(shore),
        landed=tuple(
            _landed(shore, place, men)
            for (whose, place), men in sorted(holdings.ashore.items())
            if whose == side
        ),
        threats=_threats(shore, side),
    )


def _aboard(shore: Shore) -> tuple[Aboard, ...]:
    chart, sums = shore.chart, dict[str, list[int]]()
    for ship in shore.ships:
        row = sums.setdefault(ship.fleet, [0, 0])
        row[0] += chart.state.troops.aboard.get(ship.code, 0)
        row[1] += shore.rules(capacity)(ship)
    return tuple(
        Aboard(chart.name_of(chart.state.fleets[code]), f"{men:,}", f"{room:,}")
        for code, (men, room) in sorted(sums.items())
        if men
    )


def _landed(shore: Shore, place: str, men: int) -> Landed:
    side, band = shore.side.code, shore.use(men_in_a_band)
    port, days = shore.use(port_of_beach)(shore.played.facts, place), shore.rules(days_left)(side, place)
    if not port or not any(shore.rules(enemies)(side, owner) for owner in shore.rules(owners)(port)):
        return Landed(shore.place(place), f"{men:,}", days, "", "")
    against = MEN_OF_BAND[band(_in_port(shore, port))]
    return Landed(shore.place(place), f"{men:,}", days, shore.place(port), against)


def _in_port(shore: Shore, port: str) -> int:
    return shore.rules(garrison)(port) + sum(shore.rules(soldiers_in)(port).values())


def _threats(shore: Shore, side: str) -> tuple[Threat, ...]:
    """Enemies before a port of the side's, and those on its coast with no port near; their numbers in bands. Rule: G.LD3."""
    chart, found, told = shore.chart, list[Threat](), set[tuple[str, str]]()
    names = chart.facts.sides
    in_a_band = shore.use(men_in_a_band)
    for siege in shore.rules(sieges)():
        if side in shore.rules(owners)(siege.port):
            told |= set(siege.men)
            band = MEN_OF_BAND[in_a_band(siege.total)]
            found.append(
                Threat(
                    shore.place(siege.port), names[siege.chief].name, band, f"{_in_port(shore, siege.port):,}"
                )
            )
    for (whose, place), men in sorted(chart.state.holdings.ashore.items()):
        if (whose, place) in told or shore.rules(friends)(whose, side):
            continue
        if side not in shore.use(holders)(shore.played.facts, place):
            continue
        band = MEN_OF_BAND[in_a_band(men)]
        found.append(Threat(shore.place(place), names[whose].name, band, ""))
    return tuple(found)
