"""What one side sees of a Kohler battle: the only thing its captain, or its player's page, is given.

Own ships are shown whole. Of another side's ship are shown what a spyglass shows (K.I4 sets how far): who she is and the size of
her broadside in tens of guns, where she lies and heads, her flag, whether she burns, is locked or aground, and how many steps of
damage she shows. Never shown: her hits and exact hull and fire, timers, helm, officer, orders; nor who is expected.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from battles.engine.core.hexes import Hex, distance
from battles.engine.core.scenario import Doctrine
from battles.engine.rulesets.kohler import tables
from battles.engine.rulesets.kohler.shore import at_anchor
from battles.engine.rulesets.kohler.state import Battle, Group, Ship, SquadronState, Status, WindForce

SCHEMA = 1
FREE, BARRED, HELD = 0, 1, 2
_HERE: tuple[Hex, ...] = ((0, 0),)


class Seen:
    """A ship of another side (or a wreck) through the spyglass; reads through to the present."""

    __slots__ = (
        "_ship",
        "band",
        "built_by",
        "came_with",
        "id",
        "merchant",
        "n_steps",
        "name",
        "nation",
        "small",
        "squadron",
        "usual",
    )

    def __init__(self, ship: Ship) -> None:
        self._ship = ship
        self.id = ship.id
        self.name = ship.name
        self.nation = ship.nation
        self.built_by = ship.built_by
        self.came_with = ship.side
        self.band = ship.band
        self.n_steps = ship.n_steps
        self.small = ship.small
        self.merchant = ship.merchant
        self.squadron = ship.squadron
        self.usual = _usual(
            tables.column(ship.built_by, napoleonic=ship.napoleonic), ship.band, ship.merchant and ship.n_steps == 2,
            ship.n_steps,
        )  # fmt: skip

    @property
    def pos(self) -> Hex:
        """Her hex."""
        return self._ship.pos

    @property
    def facing(self) -> int:
        """Her facing 0..5. Rule: K.0.2."""
        return self._ship.facing

    @property
    def flag(self) -> str:
        """The side whose colours she flies; a fired fire ship still flies her own. Rule: K.0.7."""
        return self._ship.flag

    @property
    def status(self) -> Status:
        """Afloat, sinking and so on."""
        return self._ship.status

    @property
    def afloat(self) -> bool:
        """Afloat and on the board."""
        return self._ship.afloat

    @property
    def steps_lost(self) -> int:
        """Steps of damage, which show in rigging and fire. Rule: K.D6."""
        return self._ship.steps_lost

    @property
    def alight(self) -> bool:
        """Whether at least one fire burns aboard; how many cannot be told. Rule: K.F13."""
        return bool(self._ship.fires)

    @property
    def fired(self) -> bool:
        """A fire ship that has been lit. Rule: K.X4."""
        return self._ship.fired

    @property
    def prize(self) -> bool:
        """Whether she is someone's prize. Rule: K.B24."""
        return bool(self._ship.prize_of)

    @property
    def flagship(self) -> bool:
        """Whether she flies a flag officer's flag."""
        return self._ship.is_flagship

    @property
    def aground(self) -> bool:
        """Whether she sits on a shoal. Rule: K.G13."""
        return self._ship.aground

    @property
    def disabled(self) -> bool:
        """Whether she can make no sail: her masts show it. Rule: K.D6."""
        return self._ship.disabled

    @property
    def locked(self) -> bool:
        """Whether she is grappled, entangled or held by a fire ship."""
        return bool(self._ship.locks)

    @property
    def locked_with(self) -> tuple[str, ...]:
        """Ids of the ships she is held to."""
        return tuple(lock.other(self.id) for lock in self._ship.locks)

    @property
    def acted(self) -> bool:
        """Whether she has moved this turn."""
        return self._ship.acted

    @property
    def group_init(self) -> int:
        """Initiative of her group, which is thrown in the open. Rule: K.I5."""
        return self._ship.group_init


class Estimate(NamedTuple):
    """The card that a ship of her size and nation usually has. hull in points, fire_track doubled points by steps lost.

    left: hull points left by steps lost, half a step taken off for what cannot be seen.
    """

    hull: int
    thresholds: tuple[int, ...]
    fire_track: tuple[int, ...]
    left: tuple[int, ...]


def estimate(ship: Seen) -> Estimate:
    """What may be expected of another side's ship from what shows: builder, band, merchant or not. Rules: K.A1.3, K.A1.7."""
    return ship.usual


@lru_cache(maxsize=1024)
def _usual(column: tables.Column, band: int, merchant: bool, n_steps: int) -> Estimate:
    if merchant:
        row = tables.LARGE_MERCHANT if band >= 20 else tables.SMALL_MERCHANT
    else:
        row = tables.row_of(band, column)
    low, high = row.points(column)
    hull = low if column is tables.Column.DUTCH else (low + high) // 2
    fire = tables.middle_fire(row, column)
    thresholds = tables.thresholds(hull, n_steps)
    left = (hull, *(max(1, hull - lost - hull // (2 * n_steps)) for lost in thresholds))
    return Estimate(hull, thresholds, tables.fire_track(fire, n_steps), left)


class View:
    """A live window on a battle for one side; reads through to the present state, shows nothing the side may not know."""

    def __init__(self, battle: Battle, side: str) -> None:
        self._battle = battle
        self.side = side
        self._glass = {code: Seen(ship) for code, ship in battle.ships.items()}
        self._shore = bool(battle.land or battle.shoal or battle.edges)

    @property
    def turn(self) -> int:
        """Battle turn, from 1."""
        return self._battle.turn

    @property
    def last_turn(self) -> int:
        """The turn after which night falls. Rule: K.G9."""
        return self._battle.last_turn

    @property
    def wind(self) -> int:
        """Direction 0..5 the wind blows towards. Rule: K.0.3."""
        return self._battle.wind

    @property
    def wind_before(self) -> int | None:
        """The direction that the wind has last blown towards before this one, None when it has not shifted. Rule: K.W1."""
        return self._battle.wind_prev

    @property
    def upwind(self) -> int:
        """Direction 0..5 the wind comes from. Rule: K.0.3."""
        return self._battle.upwind

    @property
    def strength(self) -> WindForce:
        """WindForce of the wind. Rule: K.A2.1."""
        return self._battle.strength

    @property
    def land(self) -> frozenset[Hex]:
        """Hexes of land; the chart is common knowledge."""
        return self._battle.land

    @property
    def shoal(self) -> frozenset[Hex]:
        """Shoal hexes. Rule: K.G13."""
        return self._battle.shoal

    @property
    def edges(self) -> tuple[int, int, int, int] | None:
        """Edges of the board, or None for open sea. Rule: K.S9."""
        return self._battle.edges

    @property
    def doctrine(self) -> Doctrine:
        """The battle instructions of the side. Rule: G.MV5."""
        return self._battle.sides[self.side].doctrine

    @property
    def groups(self) -> list[Group]:
        """Own groups of this turn in the order in which they act. Rule: K.I5."""
        return [g for g in self._battle.groups if self._battle.squadrons[g.squadron].side == self.side]

    def squadrons(self) -> tuple[SquadronState, ...]:
        """Own squadrons, in list order, those still expected among them."""
        return tuple(s for s in self._battle.squadrons.values() if s.side == self.side)

    def hull_of(self, squadron: SquadronState) -> tuple[int, int]:
        """Hull points that an own squadron has left under our flag, and those of all its ships when whole. Guidance: K.AI11.

        Fire ships do not count: to be burnt is what they are for.
        """
        left = whole = 0
        for code in squadron.ships:
            ship = self._battle.ships[code]
            if ship.is_fireship:
                continue
            whole += ship.hull_max
            if ship.afloat and ship.flag == self.side and not ship.prize_of:
                left += ship.hull_left
        return left, whole

    def own(self, code: str) -> Ship:
        """An own ship, or a prize that we hold, with everything about her. Raises KeyError for anybody else's."""
        ship = self._battle.ships[code]
        if ship.flag != self.side:
            raise KeyError(code)
        return ship

    def burning(self) -> list[Ship | Seen]:
        """Fire ships that have been fired and still run, whosever they are, if they can be seen. Rule: K.X8."""
        found: list[Ship | Seen] = []
        for code, ship in self._battle.ships.items():
            if ship.fired and ship.afloat:
                if ship.flag == self.side:
                    found.append(ship)
                elif self._in_sight(ship):
                    found.append(self._glass[code])
        return found

    def own_ships(self) -> list[Ship]:
        """Own ships on the board and prizes held, in list order."""
        side = self.side
        return [ship for ship in self._battle.ships.values() if ship.flag == side and ship.afloat]

    def enemies(self) -> list[Seen]:
        """Ships of other sides on the board and in sight, in list order."""
        side, glass, limited = self.side, self._glass, self._battle.visibility is not None
        return [
            glass[code]
            for code, ship in self._battle.ships.items()
            if ship.afloat and ship.flag != side and not (limited and not self._in_sight(ship))
        ]

    def enemy(self, code: str) -> Seen:
        """A ship of another side. Raises KeyError when she is ours, not on the board or out of sight."""
        ship = self._battle.ships[code]
        if ship.flag == self.side or ship.pos not in self._battle.at or not self._in_sight(ship):
            raise KeyError(code)
        return self._glass[code]

    def within(self, among: list[Seen], cell: Hex, radius: int) -> list[tuple[int, Seen]]:
        """Of ships seen before, those still enemies on the board, in sight and so near a hex, each with her distance."""
        q, r = cell
        side, limited = self.side, self._battle.visibility is not None
        found = []
        for seen in among:
            ship = seen._ship
            eq, er = ship.pos
            dq, dr = eq - q, er - r
            if -radius <= dq <= radius and -radius <= dr <= radius and -radius <= dq + dr <= radius:
                if ship.afloat and ship.flag != side and not (limited and not self._in_sight(ship)):
                    found.append((max(abs(dq), abs(dr), abs(dq + dr)), seen))
        return found

    def enemies_near(self, cell: Hex, cells: tuple[Hex, ...]) -> list[Seen]:
        """Enemies afloat and in sight on the given offsets from a hex: the look round of one ship, never all pairs."""
        at, side, glass = self._battle.at, self.side, self._glass
        limited = self._battle.visibility is not None
        q, r = cell
        found = []
        for dq, dr in cells:
            here = at.get((q + dq, r + dr))
            if here:
                for ship in here:
                    if ship.flag != side and ship.afloat and not (limited and not self._in_sight(ship)):
                        found.append(glass[ship.id])
        return found

    def entry(self, cell: Hex, ship: Ship) -> int:
        """Whether an own ship may choose to enter a hex: FREE, BARRED (friend, wreck, land, shoal) or HELD by an enemy.

        Rules: K.M22, K.M23, K.M30, K.M32.
        """
        battle = self._battle
        here = battle.at.get(cell)
        held = FREE
        if here:
            for other in here:
                if not other.afloat or (other.flag == self.side and other is not ship and not other.fired):
                    return BARRED
                if other.flag != self.side or other.fired:
                    held = HELD
        ashore = self._shore and (cell in battle.land or (ship.deep and cell in battle.shoal))
        return BARRED if ashore else held

    def friend_at(self, cell: Hex) -> bool:
        """Whether an own ship or prize lies in a hex, into which no one of ours will fire. Rule: K.F6."""
        return any(
            ship.flag == self.side and ship.afloat and not ship.fired
            for ship in self._battle.at.get(cell, ())
        )

    def at_anchor(self, ship: Ship | Seen) -> bool:
        """Whether a ship lies at anchor this turn; another side's too, for her sails are furled. Rule: K.S9."""
        return at_anchor(self._battle, ship._ship if isinstance(ship, Seen) else ship)

    def over_edge(self, cell: Hex) -> bool:
        """Whether a hex lies outside the edges: a ship that goes there is gone. Rule: K.M32."""
        return self._shore and self._outside(cell)

    def enemies_at(self, cell: Hex) -> list[Seen]:
        """Enemies in sight in one hex, in the order in which they came."""
        return self.enemies_near(cell, _HERE)

    def _outside(self, cell: Hex) -> bool:
        edges = self._battle.edges
        if edges is None:
            return False
        q_min, r_min, q_max, r_max = edges
        return not (q_min <= cell[0] <= q_max and r_min <= cell[1] <= r_max)

    def _in_sight(self, ship: Ship) -> bool:
        """Within the limit of sight of any own ship on the board."""
        limit = self._battle.visibility
        if limit is None:
            return True
        return any(distance(own.pos, ship.pos) <= limit for own in self.own_ships())


def seen_by(battle: Battle, side: str) -> dict[str, Any]:
    """What a side may know, as a JSON document: own ships whole, others through the spyglass, the expected ones of others not at all.

    Rule: K.I4. Raises KeyError for an unknown side.
    """
    view = View(battle, side)
    doctrine = battle.sides[side].doctrine
    return {
        "schema": SCHEMA,
        "side": side,
        "title": battle.title,
        "turn": battle.turn,
        "last_turn": battle.last_turn,
        "ended": battle.ended,
        "wind": battle.wind,
        "strength": int(battle.strength),
        "north": battle.north,
        "visibility": battle.visibility,
        "land": sorted(map(list, battle.land)),
        "shoal": sorted(map(list, battle.shoal)),
        "edges": list(battle.edges) if battle.edges else None,
        "sides": [{"id": s.id, "name": s.name, "nation": s.nation} for s in battle.sides.values()],
        "stance": doctrine.stance.value,
        "squadrons": [_squadron(s) for s in view.squadrons()],
        "own": [_own(ship) for ship in battle.ships.values() if ship.flag == side],
        "seen": [_seen(view._glass[ship.id]) for ship in _shown(battle, view)],
    }


def _shown(battle: Battle, view: View) -> Iterator[Ship]:
    """Other sides' ships and wrecks on the board that are in sight, in list order."""
    for ship in battle.ships.values():
        if ship.flag != view.side and ship in battle.at.get(ship.pos, ()) and view._in_sight(ship):
            yield ship


def _squadron(squadron: SquadronState) -> dict[str, Any]:
    return {
        "id": squadron.id, "name": squadron.name, "ships": list(squadron.ships), "flagship": squadron.flagship,
        "officer": squadron.officer, "flag_bonus": squadron.flag_bonus, "flag_lost": squadron.flag_lost,
        "init": squadron.init, "arrives": squadron.arrives,
    }  # fmt: skip


def _seen(ship: Seen) -> dict[str, Any]:
    return {
        "id": ship.id, "name": ship.name, "nation": ship.nation, "side": ship.flag, "squadron": ship.squadron,
        "band": ship.band, "n_steps": ship.n_steps, "small": ship.small, "pos": list(ship.pos), "facing": ship.facing,
        "status": ship.status.value, "steps_lost": ship.steps_lost, "alight": ship.alight, "fired": ship.fired,
        "prize": ship.prize, "flagship": ship.flagship, "aground": ship.aground, "locked_with": list(ship.locked_with),
    }  # fmt: skip


def _own(ship: Ship) -> dict[str, Any]:
    return {
        "id": ship.id, "name": ship.name, "nation": ship.nation, "side": ship.flag, "came_with": ship.side, "squadron": ship.squadron,
        "guns": ship.guns, "band": ship.band, "hull_max": ship.hull_max, "hull_left": ship.hull_left,
        "hits_struct": ship.hits_struct, "hits_board": ship.hits_board, "n_steps": ship.n_steps,
        "thresholds": list(ship.thresholds), "fire_track": list(ship.fire_track), "steps_lost": ship.steps_lost,
        "fast": ship.is_fast, "handy": ship.is_handy, "unhandy": ship.unhandy, "small": ship.small,
        "fire_ship": ship.is_fireship, "fired": ship.fired, "complement": ship.complement, "captain": ship.captain,
        "pos": list(ship.pos), "facing": ship.facing, "status": ship.status.value, "prize_of": ship.prize_of,
        "flagship": ship.is_flagship, "flag_officer_ok": ship.flag_officer_ok, "fires": len(ship.fires),
        "gun_timers": list(ship.gun_timers), "helm": ship.helm.value, "aground": ship.aground,
        "caught_in_irons": ship.caught_in_irons, "in_command": ship.in_command, "disabled": ship.disabled,
        "locked_with": [lock.other(ship.id) for lock in ship.locks], "cause": ship.cause,
    }  # fmt: skip
