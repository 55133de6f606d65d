"""What one side sees of a battle: the only thing its captain, or its player's page, is given. Rule: P.K45."""

from __future__ import annotations

from typing import NamedTuple

from battles.engine.core.plane import Point
from battles.engine.core.scenario import Doctrine
from battles.engine.rulesets.barker.sight import visible
from battles.engine.rulesets.barker.state import (
    BarkerSquadron,
    Battle,
    Formation,
    Group,
    Party,
    Sighting,
    Status,
    Unit,
)
from battles.engine.rulesets.barker.tables import Mode, Phase, Type


class Vessel(NamedTuple):
    """A neutral in sight, or who passes for one. contact: what an order to hail calls it. Rules: P.R01, P.K45."""

    contact: str
    at: Point
    stopped: bool


class View:
    """A battle as the captain of one side sees it. Units of the enemy are handed over only while they are contacts. Rules: P.V15, P.K45."""

    __slots__ = ("_battle", "side")

    def __init__(self, battle: Battle, side: str) -> None:
        self._battle = battle
        self.side = side

    # --- the hour, the sea, the table ---

    @property
    def year(self) -> int:
        """Of the battle."""
        return self._battle.year

    @property
    def spell(self) -> int:
        """Number of the spell that is played."""
        return self._battle.spell

    @property
    def mode(self) -> Mode:
        """Scale of movement."""
        return self._battle.mode

    @property
    def phase(self) -> Phase:
        """Light of the day."""
        return self._battle.phase

    @property
    def rough(self) -> bool:
        """Whether the sea is rough. Rule: P.W09."""
        return self._battle.rough

    @property
    def table(self) -> tuple[int, int, int, int]:
        """West, south, east, north."""
        return self._battle.table

    @property
    def land(self) -> frozenset[tuple[int, int]]:
        """Squares of land."""
        return self._battle.land

    @property
    def shoal(self) -> frozenset[tuple[int, int]]:
        """Squares of shoal."""
        return self._battle.shoal

    @property
    def tallies(self) -> dict[str, tuple[str, ...]]:
        """Who has fired at whom this spell, which is there to be seen. Rule: P.F33."""
        return self._battle.tallies

    # --- his own ---

    @property
    def party(self) -> Party:
        """His side's own affairs."""
        return self._battle.parties[self.side]

    @property
    def doctrine(self) -> Doctrine:
        """The battle instructions of his side. Rule: P.K49."""
        return self._battle.sides[self.side].doctrine

    def own(self) -> tuple[Unit, ...]:
        """His units on the table, in the order of the scenario."""
        return tuple(self._battle.on_table(self.side))

    def all_own(self) -> tuple[Unit, ...]:
        """His units, those lost, gone or still to come too."""
        return tuple(unit for unit in self._battle.units.values() if unit.side == self.side)

    def squadrons(self) -> tuple[BarkerSquadron, ...]:
        """His squadrons and flotillas."""
        return tuple(one for one in self._battle.squadrons.values() if one.side == self.side)

    def squadron(self, unit: Unit) -> BarkerSquadron | None:
        """That of one of his units."""
        return self._battle.squadrons.get(unit.squadron)

    def doctrine_of(self, unit: Unit) -> Doctrine:
        """The battle instructions of a unit's squadron, else of its side. Rule: P.K49."""
        squadron = self._battle.squadrons.get(unit.squadron)
        return squadron.doctrine if squadron is not None else self.doctrine

    def flagship(self) -> Unit | None:
        """The ship of his commander-in-chief, None when she is not on the table. Rule: P.S15."""
        squadron = self._battle.squadrons.get(self.party.cinc)
        unit = self._battle.units.get(squadron.flagship) if squadron is not None else None
        return unit if unit is not None and unit.on_table else None

    def group(self, unit: Unit) -> Group | None:
        """Whose NIP die one of his units uses."""
        return self._battle.groups.get(unit.group)

    def heard(self, squadron: str) -> tuple[str, ...] | None:
        """The C-in-C's order as a squadron of his has it; None where every squadron knows his wish, or none has come.

        Rules: P.G13, P.K44.
        """
        if self._battle.options.get("signals", "free") == "free":
            return None
        return self._battle.received.get(squadron)

    def formations(self) -> tuple[Formation, ...]:
        """His formations. Rules: P.M09, P.M10."""
        units = self._battle.units
        return tuple(one for one in self._battle.formations if units[one.members[0]].side == self.side)

    def mines(self) -> tuple[tuple[int, int], ...]:
        """Middles of the mine sections that he knows of. Rules: P.X03, P.V08."""
        return tuple(
            at
            for field in self._battle.fields
            if field.side == self.side or self.side in field.known
            for at in field.sections
        )

    def enemy_mines(self) -> tuple[Point, ...]:
        """Middles of the sections of other sides' mines that he knows of. Rules: P.X03, P.V08."""
        return tuple(
            at
            for field in self._battle.fields
            if field.side != self.side and self.side in field.known
            for at in field.sections
        )

    def forts(self) -> tuple[Point, ...]:
        """Where the enemy's batteries and searchlight posts stand: they are marked on every chart. Rules: P.S21, P.K38."""
        return tuple(
            unit.at
            for unit in self._battle.units.values()
            if unit.ashore and unit.side != self.side and unit.status is not Status.SUNK
        )

    def roads(self) -> Point | None:
        """Where the enemy lay at anchor as the battle opened: whoever attacks ships at anchor knows their berths. Rule: P.K38."""
        for party in self._battle.parties.values():
            if party.id != self.side and party.roads:
                return party.roads[0], party.roads[1]
        return None

    def unit(self, code: str) -> Unit:
        """One of his own. Raises KeyError for any other."""
        found = self._battle.units[code]
        if found.side != self.side:
            raise KeyError(code)
        return found

    def lays(self, unit: Unit) -> bool:
        """Whether a unit of his has mines still to lay and has not begun. Rule: P.X04."""
        return any(row.carrier == unit.id and row.unlaid and not row.laying for row in self._battle.fields)

    # --- the others ---

    def vessels(self) -> tuple[Vessel, ...]:
        """Neutrals that any of his units sees, enemies in disguise among them: nothing tells the two apart. Rules: P.R01, P.K45."""
        battle = self._battle
        return tuple(
            Vessel(unit.contact or unit.id, unit.at, unit.stopped)
            for unit in battle.on_table()
            if (unit.neutral or (unit.disguised and unit.side != self.side))
            and any(visible(battle, one, unit) for one in battle.on_table(self.side) if not one.neutral)
        )

    def foes(self) -> tuple[Unit, ...]:
        """Enemy units in sight of any of his, in contact order. Rule: P.V15."""
        units = (self._battle.units[code] for code in self.party.contacts)
        return tuple(unit for unit in units if unit.on_table)

    def foe(self, code: str) -> Unit | None:
        """One enemy, None when she is no contact. Rule: P.V15."""
        return self._battle.units[code] if code in self.party.contacts else None

    def seen_before(self) -> tuple[Sighting, ...]:
        """Enemies that were seen and are not in sight now, those known to be gone left out. Rule: P.K45."""
        contacts, units = set(self.party.contacts), self._battle.units
        return tuple(
            row
            for code, row in self.party.remembered.items()
            if code not in contacts and units[code].status is not Status.SUNK
        )

    def type_of(self, foe: Unit) -> Type:
        """An enemy's type as shown: an armed merchant cruiser is a liner until she acts. Rules: P.R05, P.K45."""
        return Type.LINER if foe.type is Type.AMC and not foe.acting else foe.type
