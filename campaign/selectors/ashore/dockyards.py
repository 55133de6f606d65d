"""The dockyards of a side: ports, berths, ships under repair, waiting or able to come in, and when each would be ready.

Dates are those that the yards will give at the turn's first 06:00 under the orders that stand. Rules: G.RP2, G.RP3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from campaign.accounts.ashore import work_in_words
from campaign.models import Campaign
from campaign.rules.ashore.recruits import WEEK
from campaign.rules.ashore.yards import Refit, estimates, port_of, refit_of, short_handed, yard_step
from campaign.rules.chart.types import Place, PlaceKind
from campaign.rules.state.economy import NO_BERTH
from campaign.rules.state.state import ShipState
from campaign.selectors.ashore.ashore import Shore
from campaign.selectors.ashore.minefields import KnownMines, mines_of
from campaign.selectors.ashore.soldiers import Soldiers, soldiers_of
from campaign.selectors.sea.places import short_name
from campaign.selectors.turn.facts import pure_theatre
from fleets.selectors.sheets import estimated_complements
from fleets.selectors.ships import repair_job_of

if TYPE_CHECKING:
    from fleets.models import Ship

CLASSES = {
    0: "no dockyard",
    1: "careening and small craft",
    2: "two-deckers and cruisers",
    3: "ships of any class",
}


@dataclass(frozen=True, slots=True)
class YardRow:
    """A ship in a port's list. where: her berth in words. percent: of the work done. ready: chart time, "" when no one can say.

    first, last: whether she cannot go further up or down. why: why she cannot be committed, "" when she can.
    """

    code: str
    name: str
    work: str
    where: str = ""
    percent: int = 0
    ready: str = ""
    first: bool = True
    last: bool = True
    why: str = ""


@dataclass(frozen=True, slots=True)
class PortRow:
    """A port of the side. taken: berths in use. levy: men that the port gives in a day of the chart. bounty: men asked for beyond."""

    code: str
    name: str
    dockyard: int
    words: str
    berths: int
    taken: int
    levy: int
    bounty: int
    ashore: int
    queue: tuple[YardRow, ...]
    waiting: tuple[YardRow, ...]
    sound: int

    @property
    def busy(self) -> bool:
        """Whether anything of the side's lies there or is ordered."""
        return bool(self.queue or self.waiting or self.sound > 0 or self.ashore or self.bounty)


@dataclass(frozen=True, slots=True)
class MenRow:
    """A ship that wants men. short: too few to put to sea. first: she is filled first. estimated: her complement is. Rule: G.CR1."""

    code: str
    name: str
    men: int
    complement: int
    where: str
    short: bool
    first: bool
    estimated: bool


@dataclass(frozen=True, slots=True)
class MoveRow:
    """Men ordered from one ship to another."""

    number: int
    from_name: str
    to_name: str
    men: int


@dataclass(frozen=True, slots=True)
class DockyardPage:
    """Everything on the page. bound: committed ships that are still at sea. hands: ships by name for the form that moves men."""

    ports: tuple[PortRow, ...]
    bound: tuple[YardRow, ...]
    men: tuple[MenRow, ...]
    moves: tuple[MoveRow, ...]
    hands: tuple[tuple[str, str], ...]
    yard_days: int
    bounty_pounds: int
    fund: int
    soldiers: Soldiers = Soldiers()
    mines: KnownMines = KnownMines()

    @property
    def idle(self) -> int:
        """How many ports have nothing of the side's."""
        return sum(1 for port in self.ports if not port.busy)


def dockyard_page(shore: Shore) -> DockyardPage:
    """The dockyards of a side for one reader. Rules: G.RP2, G.RP3, G.IN1."""
    shore.under_orders(yard_step)
    chart, side = shore.chart, shore.side.code
    by_port: dict[str, list[ShipState]] = {}
    bound = []
    for ship in shore.ships:
        port = shore.rules(port_of)(ship)
        if port:
            by_port.setdefault(port, []).append(ship)
        elif ship.code in shore.economy.order(side).queue:
            bound.append(YardRow(ship.code, shore.name(ship.code), _words(shore.rules(refit_of)(ship))))
    nations = chart.facts.sides[side].nations
    places = [
        place
        for place in chart.facts.theatre.places.values()
        if place.kind is PlaceKind.PORT
        and place.owner in nations
        and (place.dockyard or place.code in by_port)
    ]
    places.sort(key=lambda place: (place.code not in by_port, -place.dockyard, place.name))
    settings = chart.facts.settings
    return DockyardPage(
        ports=tuple(_port(shore, place, by_port.get(place.code, [])) for place in places),
        bound=tuple(bound),
        men=_men(shore),
        moves=tuple(
            MoveRow(number, shore.name(move.from_ship), shore.name(move.to_ship), move.men)
            for number, move in enumerate(shore.order.moves)
        ),
        hands=tuple(
            (ship.code, f"{shore.name(ship.code)} ({ship.men})") for ship in shore.ships if not ship.prize
        ),
        yard_days=settings.yard_days,
        bounty_pounds=settings.bounty_pounds,
        fund=shore.economy.funds.get(side, 0),
        soldiers=soldiers_of(shore),
        mines=mines_of(shore),
    )


def _words(need: Refit) -> str:
    return work_in_words(need.work.hull, need.work.masts, need.work.batteries) or "sound"


def _port(shore: Shore, place: Place, ships: list[ShipState]) -> PortRow:
    chart, here = shore.chart, {ship.code: ship for ship in ships}
    damaged = [ship for ship in ships if not ship.prize and shore.rules(refit_of)(ship).days]
    order = shore.economy.order(shore.side.code).queue
    queue = [here[code] for code in order if code in here and not here[code].prize]
    rows = [_in_queue(shore, ship, first=n == 0, last=n == len(queue) - 1) for n, ship in enumerate(queue)]
    committed = {ship.code for ship in queue}
    waiting = [ship for ship in damaged if ship.code not in committed]
    said = shore.rules(estimates)(waiting)
    jobs = shore.economy.jobs.values()
    return PortRow(
        code=place.code,
        name=shore.place(place.code),
        dockyard=place.dockyard,
        words=CLASSES[place.dockyard],
        berths=place.berths,
        taken=sum(1 for job in jobs if job.port == place.code and job.berth > 0),
        levy=place.recruits * chart.facts.settings.yard_days // WEEK,
        bounty=shore.order.bounty.get(place.code, 0),
        ashore=shore.economy.ashore.get((shore.side.code, place.code), 0),
        queue=tuple(rows),
        waiting=tuple(_could_come(shore, ship, place, said) for ship in waiting),
        sound=len([ship for ship in ships if not ship.prize]) - len(queue) - len(waiting),
    )


def _in_queue(shore: Shore, ship: ShipState, *, first: bool, last: bool) -> YardRow:
    job = shore.economy.jobs.get(ship.code)
    ready = job.ready if job is not None else 0
    return YardRow(
        code=ship.code,
        name=shore.name(ship.code),
        work=_words(shore.rules(refit_of)(ship)),
        where=_berth(job.berth) if job is not None else "ordered",
        percent=min(100, 100 * job.done // job.total) if job is not None else 0,
        ready=shore.date(ready) if ready else "",
        first=first,
        last=last,
    )


def _berth(number: int) -> str:
    if number > 0:
        return f"berth {number}"
    return "waits for a berth" if number == NO_BERTH else "afloat"


def _could_come(shore: Shore, ship: ShipState, place: Place, said: dict[str, int]) -> YardRow:
    need = shore.rules(refit_of)(ship)
    ready, why = said.get(ship.code, 0), ""
    if not place.dockyard:
        why = "no dockyard here"
    elif place.dockyard < need.needs:
        why = f"needs a yard of class {need.needs}"
    return YardRow(
        ship.code, shore.name(ship.code), _words(need), ready=shore.date(ready) if ready else "", why=why
    )


def _men(shore: Shore) -> tuple[MenRow, ...]:
    chart, estimated = shore.chart, estimated_complements(shore.campaign.book)
    rows = []
    for ship in shore.ships:
        complement = chart.facts.ships[ship.code].complement
        if ship.prize or ship.men >= complement:
            continue
        port = shore.rules(port_of)(ship)
        rows.append(
            MenRow(
                ship.code, shore.name(ship.code), ship.men, complement, shore.place(port) if port else "at sea",
                shore.rules(short_handed)(ship), ship.code in shore.order.recruits, ship.code in estimated,
            )
        )  # fmt: skip
    return tuple(sorted(rows, key=lambda row: (not row.first, row.where == "at sea", row.name)))


def ship_yard(campaign: Campaign, ship: Ship) -> YardRow | None:
    """A ship's place in a yard's books as the last turn left it, None when she has none; `name` is the port's. Rule: G.RP2."""
    job = repair_job_of(ship)
    if job is None:
        return None
    place = pure_theatre(campaign.theatre).places[job.place]
    return YardRow(
        code=ship.code,
        name=short_name(place.name),
        work=work_in_words(job.hull, job.masts, job.batteries),
        where=_berth(NO_BERTH if job.berth is None else job.berth),
        percent=100 * job.done // job.total,
        ready=job.ready,
    )
