"""What one side sees of a battle: its own ships whole, the others by eye only. Rule: T.S18."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from battles.engine.core import plane
from battles.engine.core.plane import Point
from battles.engine.core.scenario import Doctrine
from battles.engine.core.shore import Polygon
from battles.engine.rulesets.thomas import arcs, sailing
from battles.engine.rulesets.thomas.state import Battle, Rig, Ship, SquadronState
from battles.engine.rulesets.thomas.tables import Arc, Kind, WindForce

EYE_RANGE = 1_000
EYE_BEARING = 1_000


class Sight(NamedTuple):
    """How another ship bears: distance to the nearest inch, bearing to the nearest 10 degrees. Rule: T.S18."""

    distance: int
    bearing: int


class Reach(NamedTuple):
    """What a ship of one's own can do this move: greatest turn, number of turns, least and greatest leg, least angle off the wind."""

    sharp: int
    number: int
    least: int
    most: int
    limit: int


class Seen:
    """A ship of the other side, or one that struck, as she looks from afar."""

    __slots__ = ("_ship",)

    def __init__(self, ship: Ship) -> None:
        self._ship = ship

    @property
    def id(self) -> str:
        return self._ship.id

    @property
    def flag(self) -> str:
        """The colours she flies: her captor's if a prize."""
        return self._ship.flag

    @property
    def kind(self) -> Kind:
        return self._ship.kind

    @property
    def guns(self) -> int:
        """Her rated guns: a known figure. Rule: T.N4c."""
        return self._ship.guns

    @property
    def tons(self) -> int:
        return self._ship.tons

    @property
    def heading(self) -> int:
        """Her heading to the nearest 10 degrees. Rule: T.S18."""
        return _rounded(self._ship.heading, EYE_BEARING) % plane.FULL

    @property
    def masts_lost(self) -> int:
        return self._ship.masts_lost

    @property
    def dismasted(self) -> bool:
        return self._ship.dismasted

    @property
    def quarters_lost(self) -> int:
        """Whole quarters of her flotation lost: what shows. Rule: TS-9."""
        return 4 * self._ship.lost // self._ship.flot_max

    @property
    def on_fire(self) -> bool:
        return self._ship.on_fire

    @property
    def struck(self) -> bool:
        return self._ship.struck

    @property
    def secured(self) -> bool:
        return self._ship.secured

    @property
    def prize(self) -> bool:
        return bool(self._ship.prize_of)

    @property
    def dishonoured(self) -> bool:
        return self._ship.dishonoured

    @property
    def anchored(self) -> bool:
        return self._ship.anchored

    @property
    def rowing(self) -> bool:
        return self._ship.rig in (Rig.OARS, Rig.TO_SAIL)

    @property
    def has_fired(self) -> bool:
        """Whether she has fired on anybody, or tried to grapple. Rule: T.N4."""
        return self._ship.has_fired

    @property
    def fallen(self) -> int:
        """Men of her own people who fell in boarding fights, before everyone's eyes. Rule: T.B12n."""
        return self._ship.fallen

    @property
    def grappled_to(self) -> tuple[str, ...]:
        return tuple(one.other(self._ship.id) for one in self._ship.grapples)


class View:
    """The battle as one side's captain sees it. He gets no `Battle`. Rule: T.S18."""

    __slots__ = ("_battle", "side")

    def __init__(self, battle: Battle, side: str) -> None:
        self._battle = battle
        self.side = side

    @property
    def move(self) -> int:
        """Number of the move being played, from 1."""
        return self._battle.move

    @property
    def minute(self) -> int:
        """Minute of the day at which it began. Rule: T.C3."""
        return self._battle.minute

    @property
    def wind_from(self) -> int:
        return self._battle.wind_from

    @property
    def strength(self) -> WindForce:
        return self._battle.strength

    @property
    def nelson(self) -> bool:
        """Whether the rules of the Nelson period hold. Rule: T.S24."""
        return self._battle.nelson

    @property
    def moves_first(self) -> bool:
        """Whether this side moves and fires first this move. Rule: T.B3."""
        return self._battle.first == self.side

    @property
    def land(self) -> tuple[Polygon, ...]:
        return self._battle.land

    @property
    def doctrine(self) -> Doctrine:
        """The side's own instructions."""
        return self._battle.sides[self.side].doctrine

    @property
    def squadrons(self) -> tuple[SquadronState, ...]:
        """The side's own squadrons, van first."""
        return tuple(one for one in self._battle.squadrons.values() if one.side == self.side)

    def own(self, code: str) -> Ship:
        """One of her own ships, or a prize of the side's. Raises KeyError for any other."""
        ship = self._battle.ships[code]
        if ship.flag != self.side:
            raise KeyError(code)
        return ship

    def own_ships(self) -> list[Ship]:
        """All her ships on the table, prizes too."""
        return list(self._battle.of(self.side))

    def others(self) -> list[Seen]:
        """Ships on the table under other colours."""
        return [Seen(ship) for ship in self._battle.afloat() if ship.flag != self.side]

    def other(self, code: str) -> Seen:
        """One of them. Raises KeyError for a ship of her own."""
        ship = self._battle.ships[code]
        if ship.flag == self.side:
            raise KeyError(code)
        return Seen(ship)

    def look(self, ship: str, other: str) -> Sight:
        """How another ship bears from one of her own, judged by eye; bearing 0 when they lie on one spot. Rule: T.S18."""
        return eye(self.own(ship).position, self._battle.ships[other].position)

    def far(self, ship: str, other: str) -> int:
        """How far off another ship is from one of her own, by eye: the distance of `look` alone. Rule: T.S18."""
        return _rounded(
            plane.distance(self.own(ship).position, self._battle.ships[other].position), EYE_RANGE
        )

    def near(self, ship: str, reach: int) -> list[Seen]:
        """Ships under other colours about so near to one of her own, through the index, never all."""
        own = self.own(ship)
        return [Seen(one) for one in self._battle.near(own, reach + EYE_RANGE // 2) if one.flag != self.side]

    def company(self, ship: str, reach: int) -> list[Ship]:
        """Ships under her own colours so near to one of her own, through the index, never all."""
        return [one for one in self._battle.near(self.own(ship), reach) if one.flag == self.side]

    def reach(self, ship: str) -> Reach:
        """What one of her own ships can do this move, under sail or oars, by herself or with a tow. Rules: T.B2, T.O3f, T.O4."""
        battle, own = self._battle, self.own(ship)
        sharp, number = sailing.turns(battle, own)
        least, most = (
            (0, sailing.oar_reach(battle, own)) if own.under_oars else sailing.sail_reach(battle, own)
        )
        tow = battle.ships.get(own.towing)
        if tow is not None:
            sharp, number = sailing.tow_turns(battle, own, tow)
            least, most = sailing.tow_reach(battle, own, tow)
        return Reach(sharp, number, least, most, sailing.wind_limit(battle, own))

    def boats_may_pull(self, ship: str) -> bool:
        """Whether the boats of one of her own ships may tow her this move. Rule: T.O1."""
        return sailing.boats_may_pull(self._battle, self.own(ship))

    def bears(self, ship: str) -> Mapping[Arc, tuple[str, ...]]:
        """Whom each group of one of her own ships bears on now, the nearest first: what her gunners report. Rule: T.B10."""
        battle, own = self._battle, self.own(ship)
        found = arcs.bearing(battle, own)
        return {arc: tuple(one.id for one in ships) for arc, ships in found.items()}


def eye(a: Point, b: Point) -> Sight:
    """Distance and bearing of b from a as a sailor judges them. Rule: T.S18."""
    if a == b:
        return Sight(0, 0)
    return Sight(
        _rounded(plane.distance(a, b), EYE_RANGE),
        _rounded(plane.bearing(a, b), EYE_BEARING) % plane.FULL,
    )


def _rounded(value: int, step: int) -> int:
    return (value + step // 2) // step * step
