"""Steps P7 and P9: who bears on whom, who may be fired on, and the dice. Rules: T.B9, T.B10, T.S5, T.S6, T.N1, T.N4, T.O5a-T.O5c."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from battles.engine.core import plane, shore
from battles.engine.core.dice import Die
from battles.engine.rulesets.thomas.play import Hit, Play
from battles.engine.rulesets.thomas.sailing import sailing_crew
from battles.engine.rulesets.thomas.state import Battery, Battle, Ship
from battles.engine.rulesets.thomas.tables import HITS_FROM, REACH, Band, Gun, Kind, Place

CONFIRMS_FROM = 4
LINE_FROM, FRIGATE_BELOW = 64, 50
_GUNS = tuple(Gun)


class Volley(NamedTuple):
    """A group's fire as declared: batteries that bear, reach and are manned."""

    firer: Ship
    target: Ship
    place: Place
    batteries: tuple[Battery, ...]


def first_fires(battle: Battle, play: Play) -> None:
    """Step P7: the first side declares all its fire, then throws. Rules: T.B3a, T.B3b."""
    side_fires(battle, play, battle.first)


def second_fires(battle: Battle, play: Play) -> None:
    """Step P9: the second side fires with what is left. Rules: T.B3a, T.B3b, T.B11b."""
    side_fires(battle, play, battle.second)


def side_fires(battle: Battle, play: Play, side: str) -> None:
    """Declare the fire of every ship of a side, then throw for it in ascending order. Rules: T.B3b, T.B3c, T.B9e."""
    play.hits.clear()
    declared = [
        volley for ship in battle.of(side) if may_fire(ship) for volley in declare(battle, play, ship)
    ]
    for volley in declared:
        _throw(battle, play, volley)


def may_fire(ship: Ship) -> bool:
    """Whether a ship may fire at all: not struck, no prize, not held silent by fire; a grapple does not stop her.

    Rules: T.B6g, T.B12q, T.N3, T.O6a, T.O6i.
    """
    return ship.fighting and not ship.silent


def may_be_fired_on(battle: Battle, firer: Ship, target: Ship) -> bool:
    """Whether the rules let one ship fire on another: an enemy who has not struck, and no silent frigate for a ship of the line.

    A ship made fast to another is a mark like any other. Rules: T.B12q, T.O6a, T.O6b, T.N4, T.N4a, T.N4b, T.N4c.
    """
    if not target.afloat or target.flag == firer.flag or (target.struck and not target.secured):
        return False
    if not battle.nelson or firer.guns < LINE_FROM or target.guns >= FRIGATE_BELOW:
        return True
    return target.has_fired or target.kind is Kind.MERCHANT


def band_between(gun: Gun, firer: Ship, target: Ship) -> Band:
    """Range band of a type of battery, mainmast to mainmast, exactly. Rules: T.S6, T.B9a."""
    close, most = REACH[gun]
    if plane.within(firer.position, target.position, close):
        return Band.CLOSE
    return Band.LONG if plane.within(firer.position, target.position, most) else Band.OUT


def covers(battle: Battle, firer: Ship, target: Ship, place: Place) -> bool:
    """Whether the arc of a group covers a ship, at any range. Rules: T.B10, T.B10b."""
    if place is Place.AHEAD or place is Place.ASTERN:
        return plane.keel_reaches(firer, target, astern=place is Place.ASTERN)
    half = int(battle.options["fan_half_angle"])
    return plane.in_fan(firer, target.position, half, starboard=place is Place.STARBOARD)


def covering(battle: Battle, firer: Ship, target: Ship, places: Collection[Place]) -> list[Place]:
    """Of some groups those whose arc covers a ship, at any range: `covers` of them all with one look. Rules: T.B10, T.B10b."""
    found = []
    if Place.STARBOARD in places or Place.PORT in places:
        side = plane.fan(firer, target.position, int(battle.options["fan_half_angle"]))
        broadside = Place.STARBOARD if side > 0 else Place.PORT
        if side and broadside in places:
            found.append(broadside)
    for place in (Place.AHEAD, Place.ASTERN):
        if place in places and plane.keel_reaches(firer, target, astern=place is Place.ASTERN):
            found.append(place)
    return found


def masked(battle: Battle, firer: Ship, target: Ship) -> bool:
    """Whether a third hull, or land, lies across the line of fire. Rule: T.B10e."""
    if not battle.options["block_line"]:
        return False
    a, b = firer.position, target.position
    length = plane.distance(a, b)
    dx, dy = target.x - firer.x, target.y - firer.y
    middle = ((firer.x + target.x) // 2, (firer.y + target.y) // 2)
    for other in battle.grid.near(middle, length // 2 + 3_000):
        if other is firer or other is target:
            continue
        # A hull whose middle lies further from the line than she is long and wide cannot lie across it.
        off = abs(dx * (other.y - firer.y) - dy * (other.x - firer.x))
        if off <= (other.length + other.beam) * length and plane.segment_cuts(a, b, other):
            return True
    return any(shore.crosses_land(a, b, land) for land in battle.land)


def raked(battle: Battle, firer: Ship, target: Ship) -> bool:
    """Whether the target's keel line, both ways, cuts the firer's hull; the range is judged battery by battery. Rule: T.N1."""
    return battle.nelson and plane.keel_cuts(target, firer)


def marks(battle: Battle, firer: Ship, place: Place) -> list[Ship]:
    """Ships that a group could fire on now, nearest first: of those on the keel line only the nearest.

    Rules: T.B10, T.B10a, T.B10b, T.B10e, T.B9a.
    """
    return bearing(battle, firer, (place,)).get(place, [])


def bearing(battle: Battle, firer: Ship, places: tuple[Place, ...] = tuple(Place)) -> dict[Place, list[Ship]]:
    """The same for several groups with one look round; a group without guns, or without a mark, is left out. Rule: T.B10."""
    reach: dict[Place, int] = {}
    for gun in firer.batteries:
        if not gun.lost and gun.place in places:
            reach[gun.place] = max(reach.get(gun.place, 0), REACH[gun.gun][1])
    if not reach:
        return {}
    here, flag = firer.position, firer.flag
    near = [
        (plane.distance(here, (one.x, one.y)), one.id, one)
        for one in battle.grid.near(here, max(reach.values()))
        if one.flag != flag and (not one.struck or one.secured)
    ]
    near.sort()
    covered: dict[Place, list[Ship]] = {place: [] for place in places if place in reach}
    for _, _, one in near:
        for place in covering(battle, firer, one, reach):
            if plane.within(here, (one.x, one.y), reach[place]):
                covered[place].append(one)
    found: dict[Place, list[Ship]] = {}
    for place, mine in covered.items():
        if place in (Place.AHEAD, Place.ASTERN):
            del mine[1:]
        mine = [one for one in mine if may_be_fired_on(battle, firer, one) and not masked(battle, firer, one)]
        if mine:
            found[place] = mine
    return found


def may_take(battle: Battle, firer: Ship, target: Ship, place: Place) -> bool:
    """Whether one ship is a mark of a group, without looking at the others unless the keel line asks for the nearest.

    Rules: T.B10, T.B10a, T.B9a.
    """
    if place in (Place.AHEAD, Place.ASTERN):
        return target in marks(battle, firer, place)
    reach = max((REACH[one.gun][1] for one in firer.standing(place)), default=0)
    return (
        bool(reach)
        and plane.within(firer.position, target.position, reach)
        and covers(battle, firer, target, place)
        and may_be_fired_on(battle, firer, target)
        and not masked(battle, firer, target)
    )


def declare(battle: Battle, play: Play, ship: Ship) -> list[Volley]:
    """A ship's fire this move: a target for each group, and the batteries that can be manned, the best first.

    Rules: T.B10c, T.B10d, T.B10f, T.O5a, T.O5b, T.O5c.
    """
    chosen = _targets(battle, play, ship)
    ready: list[tuple[Battery, Ship]] = []
    for place in Place:
        target = battle.ships.get(chosen.get(place, ""))
        if target is not None and may_take(battle, ship, target, place):
            ready += [
                (one, target)
                for one in ship.standing(place)
                if band_between(one.gun, ship, target) is not Band.OUT
            ]
    hands = gun_crews(battle, ship)
    if hands is not None and len(ready) > hands:

        def use(row: tuple[Battery, Ship]) -> tuple[bool, int]:
            one, target = row
            return band_between(one.gun, ship, target) is not Band.CLOSE, -_GUNS.index(one.gun)

        ready.sort(key=use)
        del ready[hands:]
    volleys = []
    for place in Place:
        mine = [one for one, _ in ready if one.place is place]
        if mine:
            batteries = tuple(sorted(mine, key=lambda one: (_GUNS.index(one.gun), one.half)))
            target = next(target for one, target in ready if one.place is place)
            volleys.append(Volley(ship, target, place, batteries))
    return volleys


def gun_crews(battle: Battle, ship: Ship) -> int | None:
    """Men who can serve guns this move, None when no one counts them. Rules: T.O5a, T.O5b, T.O5c, T.O5f."""
    if not battle.options["opt_crews"]:
        return None
    if ship.in_a_fight:
        return ship.gunners
    return max(0, ship.hands - (sailing_crew(ship) if ship.under_sail else 0))


def _targets(battle: Battle, play: Play, ship: Ship) -> Mapping[Place, str]:
    """Target ids by group: ordered ones first, then the captain's; without a captain the nearest. Rules: T.B10c, T.B10f."""
    ordered = play.order(ship).targets
    asked = play.captain(ship)
    if asked is not None:
        return {**asked.captain.targets(asked.view, ship.id), **ordered}
    nearest = {place: found[0].id for place, found in bearing(battle, ship).items()}
    return {**nearest, **ordered}


def _throw(battle: Battle, play: Play, volley: Volley) -> None:
    """Throw a group's dice, two halves of a type for one, and keep the hits for the damage step.

    Rules: T.B9, T.B11, T.B11d, T.S5, T.N1, T.N4, T.O2a.
    """
    firer, target, place, batteries = volley
    keel = raked(battle, firer, target)
    dice = _dice(batteries)
    faces = play.dice.throw(
        Die.D6,
        len(dice),
        clause="T.B9",
        subjects=(battle.move, firer.id, place.value),
        reason=f"fire on {target.id}",
    )
    rows: list[list[object]] = []
    scored = 0
    for number, ((gun, half), face) in enumerate(zip(dice, faces, strict=True)):
        band = band_between(gun, firer, target)
        hit = face >= HITS_FROM[band]
        confirm = None
        if hit and half:
            confirm = play.dice.d6(
                clause="T.S5",
                subjects=(battle.move, firer.id, place.value, number),
                reason="a half battery's hit",
            )
            hit = confirm >= CONFIRMS_FROM
        rows.append([gun.value, face, confirm])
        close = band is Band.CLOSE
        target.fired_on_close |= close
        if hit:
            scored += 1
            play.hits.append(Hit(firer.id, target.id, face == 6, keel and close, close))
    firer.has_fired = firer.fired_now = True
    firer.hits_given += scored
    play.tell(
        "volley", "T.B9", firer.id, target=target.id, group=place.value,
        range=plane.distance(firer.position, target.position), dice=rows, hits=scored, raked=keel,
    )  # fmt: skip


def _dice(batteries: tuple[Battery, ...]) -> list[tuple[Gun, bool]]:
    """A die for each whole battery and each pair of halves of a type, and one marked half for a half left over. Rule: T.S5."""
    found: list[tuple[Gun, bool]] = []
    for gun in _GUNS:
        mine = [one for one in batteries if one.gun is gun]
        halves = sum(one.half for one in mine)
        found += [(gun, False)] * (len(mine) - halves + halves // 2)
        found += [(gun, True)] * (halves % 2)
    return found
