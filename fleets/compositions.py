"""How a side's ships are put into fleets and squadrons before a campaign begins: a plan, what can be done to it, what is wrong with it.

Pure. Ships are known by their names, of which a side of a register has no two. A plan may be unfinished; `faults` says what is missing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from battles.engine.core.errors import Fault
from fleets.divisions import Division, Mustered, divided

SCHEMA = 1
MOST_FLEETS = 40
MOST_SQUADRONS = 40  # of a fleet
FLEET_NAME, SQUADRON_NAME, COMMANDER = 80, 60, 120
EASY = 10  # ships that one flag commands easily: K.S4 advises 4 to 10
NEW = "+"


@dataclass(frozen=True, slots=True)
class SquadronPlan:
    """A squadron: ships in the order of sailing, and which of them flies the flag."""

    name: str
    ships: tuple[str, ...] = ()
    flagship: str = ""

    def with_ships(self, ships: Iterable[str]) -> SquadronPlan:
        """The same with other ships; if the flagship is not among them, the first flies the flag."""
        found = tuple(ships)
        flagship = self.flagship if self.flagship in found else found[0] if found else ""
        return replace(self, ships=found, flagship=flagship)


@dataclass(frozen=True, slots=True)
class FleetPlan:
    """A fleet. place: code of a place of the theatre, "" for none yet. commander: "" for its senior flag officer."""

    name: str
    place: str = ""
    commander: str = ""
    squadrons: tuple[SquadronPlan, ...] = ()

    @property
    def ships(self) -> int:
        """How many ships it has."""
        return sum(len(squadron.ships) for squadron in self.squadrons)


@dataclass(frozen=True, slots=True)
class Plan:
    """All fleets of a side."""

    fleets: tuple[FleetPlan, ...] = field(default=())

    def placed(self) -> set[str]:
        """Names of the ships that are in a fleet."""
        return {name for fleet in self.fleets for squadron in fleet.squadrons for name in squadron.ships}


def plan_of(document: Mapping[str, Any]) -> Plan:
    """A plan as `plan_document` wrote it."""
    return Plan(
        tuple(
            FleetPlan(
                str(row["name"]), str(row["place"]), str(row["commander"]),
                tuple(
                    SquadronPlan(str(one["name"]), tuple(map(str, one["ships"])), str(one["flagship"]))
                    for one in row["squadrons"]
                ),
            )
            for row in document.get("fleets", ())
        )
    )  # fmt: skip


def plan_document(plan: Plan) -> dict[str, Any]:
    """A plan as a JSON document."""
    return {
        "schema": SCHEMA,
        "fleets": [
            {
                "name": fleet.name,
                "place": fleet.place,
                "commander": fleet.commander,
                "squadrons": [
                    {"name": one.name, "ships": list(one.ships), "flagship": one.flagship}
                    for one in fleet.squadrons
                ],
            }
            for fleet in plan.fleets
        ],
    }


def suggested(ships: Sequence[tuple[str, Mustered]], *, name: str, place: str) -> Plan:
    """One fleet with the squadrons that the register names, large ones divided. ships: each by name, its key the place in this list."""
    if not ships:
        return Plan()
    names = [ship for ship, _ in ships]
    rows = [replace(row, squadron=(row.squadron or name)[:SQUADRON_NAME]) for _, row in ships]
    squadrons = (
        SquadronPlan(
            division.name[:SQUADRON_NAME],
            tuple(names[key] for key in division.ships),
            names[division.flagship],
        )
        for division in divided(rows)
    )
    return Plan((FleetPlan(name[:FLEET_NAME], place, "", tuple(squadrons)),))


def moved(plan: Plan, ships: Collection[str], to: str) -> Plan:
    """Ships moved, in the order in which the plan had them. to: "1.0" a squadron, "1.+" a new one of a fleet, "+" a new fleet, "" none.

    Squadrons and fleets that lose their last ship end. Raises ValueError for nowhere.
    """
    order = [name for fleet in plan.fleets for one in fleet.squadrons for name in one.ships if name in ships]
    order += [name for name in ships if name not in order]
    fleet_at, squadron_at = _address(plan, to)
    fleets = [
        replace(
            fleet,
            squadrons=tuple(
                one
                if (n, k) == (fleet_at, squadron_at)
                else one.with_ships(s for s in one.ships if s not in ships)
                for k, one in enumerate(fleet.squadrons)
            ),
        )
        for n, fleet in enumerate(plan.fleets)
    ]
    if to == "":
        return _without_emptied(Plan(tuple(fleets)), plan)
    if fleet_at == len(fleets):
        fleets.append(FleetPlan(_free("Fleet", [fleet.name for fleet in fleets])))
    into = fleets[fleet_at]
    squadrons = list(into.squadrons)
    if squadron_at == len(squadrons):
        squadrons.append(SquadronPlan(_free("Squadron", [one.name for one in squadrons])))
    there = squadrons[squadron_at]
    squadrons[squadron_at] = there.with_ships(
        (*there.ships, *(name for name in order if name not in there.ships))
    )
    fleets[fleet_at] = replace(into, squadrons=tuple(squadrons))
    return _without_emptied(Plan(tuple(fleets)), plan)


def _without_emptied(plan: Plan, before: Plan) -> Plan:
    """Without the squadrons and fleets that had ships before and have none now; those that were empty before stay."""
    fleets = []
    for n, fleet in enumerate(plan.fleets):
        old = before.fleets[n] if n < len(before.fleets) else FleetPlan("")
        kept = tuple(
            one
            for k, one in enumerate(fleet.squadrons)
            if one.ships or k >= len(old.squadrons) or not old.squadrons[k].ships
        )
        if fleet.ships or not old.ships:
            fleets.append(replace(fleet, squadrons=kept))
    return Plan(tuple(fleets))


def _address(plan: Plan, to: str) -> tuple[int, int]:
    """Fleet and squadron of an address; a new one is one past the last. Raises ValueError."""
    if to == "":
        return -1, -1
    first, dot, second = to.partition(".")
    if first == NEW and not dot:
        if len(plan.fleets) >= MOST_FLEETS:
            raise ValueError(f"A side can have up to {MOST_FLEETS} fleets.")
        return len(plan.fleets), 0
    if not first.isdecimal() or int(first) >= len(plan.fleets):
        raise ValueError("That fleet is not here. Reload the page and try again.")
    squadrons = plan.fleets[int(first)].squadrons
    if second == NEW:
        if len(squadrons) >= MOST_SQUADRONS:
            raise ValueError(f"A fleet can have up to {MOST_SQUADRONS} squadrons.")
        return int(first), len(squadrons)
    if not second.isdecimal() or int(second) >= len(squadrons):
        raise ValueError("That squadron is not here. Reload the page and try again.")
    return int(first), int(second)


def _free(stem: str, taken: Collection[str]) -> str:
    return next(f"{stem} {n}" for n in range(1, len(taken) + 2) if f"{stem} {n}" not in taken)


def without(plan: Plan, what: str) -> Plan:
    """Without a fleet ("1") or a squadron ("1.0"); its ships are in no fleet. Raises ValueError for one that is not there."""
    first, dot, _ = what.partition(".")
    if not dot:
        if not first.isdecimal() or int(first) >= len(plan.fleets):
            raise ValueError("That fleet is not here. Reload the page and try again.")
        return Plan(tuple(fleet for n, fleet in enumerate(plan.fleets) if n != int(first)))
    at, k = _address(plan, what)
    fleet = plan.fleets[at]
    kept = tuple(one for n, one in enumerate(fleet.squadrons) if n != k)
    return _replaced(plan, at, replace(fleet, squadrons=kept))


def raised(plan: Plan, what: str) -> Plan:
    """With a squadron one place nearer the van. Raises ValueError for one that is not there."""
    at, k = _address(plan, what)
    rows = list(plan.fleets[at].squadrons)
    if k:
        rows[k - 1], rows[k] = rows[k], rows[k - 1]
    return _replaced(plan, at, replace(plan.fleets[at], squadrons=tuple(rows)))


def renamed(plan: Plan, typed: Mapping[str, str]) -> Plan:
    """With what was typed: `fleet-0-name`, `-place`, `-commander`, `squadron-0-1-name`, `-flagship`. What is not typed stays."""
    fleets = []
    for n, fleet in enumerate(plan.fleets):
        squadrons = []
        for k, one in enumerate(fleet.squadrons):
            here = f"squadron-{n}-{k}"
            flagship = typed.get(f"{here}-flagship", one.flagship)
            name = typed.get(f"{here}-name", one.name).strip()[:SQUADRON_NAME]
            squadrons.append(
                replace(one, name=name, flagship=flagship if flagship in one.ships else one.flagship)
            )
        fleets.append(
            FleetPlan(
                typed.get(f"fleet-{n}-name", fleet.name).strip()[:FLEET_NAME],
                typed.get(f"fleet-{n}-place", fleet.place).strip()[:40],
                typed.get(f"fleet-{n}-commander", fleet.commander).strip()[:COMMANDER],
                tuple(squadrons),
            )
        )
    return Plan(tuple(fleets))


def _replaced(plan: Plan, at: int, fleet: FleetPlan) -> Plan:
    return Plan(tuple(fleet if n == at else one for n, one in enumerate(plan.fleets)))


def faults(plan: Plan, known: Collection[str]) -> Iterator[Fault]:
    """Everything for which a campaign could not begin with a plan, but for its places. known: names of the side's ships."""
    if not plan.fleets:
        yield Fault("fleets", "There is no fleet yet. Tick ships and move them into a new fleet.")
    names: set[str] = set()
    seen: set[str] = set()
    for n, fleet in enumerate(plan.fleets):
        here, name = f"fleets[{n}]", fleet.name or f"Fleet {n + 1}"
        if not fleet.name:
            yield Fault(f"{here}.name", f"{name} has no name. Enter one.")
        elif fleet.name.casefold() in names:
            yield Fault(f"{here}.name", f"Two fleets are called {name}. Rename one.")
        names.add(fleet.name.casefold())
        if not fleet.ships:
            yield Fault(here, f"{name} has no ships. Move ships into it or delete it.")
        for k, one in enumerate(fleet.squadrons):
            yield from _squadron_faults(f"{here}.squadrons[{k}]", name, k, one, known, seen)


def _squadron_faults(
    here: str, fleet: str, k: int, one: SquadronPlan, known: Collection[str], seen: set[str]
) -> Iterator[Fault]:
    name = one.name or f"squadron {k + 1}"
    if not one.name:
        yield Fault(f"{here}.name", f"A squadron of {fleet} has no name. Enter one.")
    if not one.ships:
        yield Fault(here, f"{name} of {fleet} has no ships. Move ships into it or delete it.")
    elif one.flagship not in one.ships:
        yield Fault(f"{here}.flagship", f"{name} of {fleet} has no flagship. Choose one.")
    for ship in one.ships:
        if ship not in known:
            yield Fault(
                here,
                f"{ship} is not in the register any longer. Move it out of {name}, or correct the register.",
            )
        if ship in seen:
            yield Fault(here, f"{ship} is in two squadrons. Move it out of one.")
        seen.add(ship)


def advice(plan: Plan) -> list[str]:
    """What is allowed and may be unwise, a sentence each."""
    return [
        f"{one.name} of {fleet.name} has {len(one.ships)} ships. One flag commands 4 to {EASY} best."
        for fleet in plan.fleets
        for one in fleet.squadrons
        if len(one.ships) > EASY
    ]


def divisions_of(fleet: FleetPlan) -> tuple[list[str], list[Division]]:
    """The ships of a fleet by name, and its squadrons as divisions of these, for the muster. The flagship of each sails first."""
    names = [name for one in fleet.squadrons for name in one.ships]
    keys = {name: key for key, name in enumerate(names)}
    return names, [
        Division(
            one.name,
            keys[one.flagship],
            (keys[one.flagship], *(keys[name] for name in one.ships if name != one.flagship)),
        )
        for one in fleet.squadrons
    ]
