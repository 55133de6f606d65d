"""Step 4a, all gunfire: who may fire at whom, the choice of target, the die and its modifiers. Rules: K.F, K.AI7."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from battles.engine.rulesets.kohler import tables
from battles.engine.rulesets.kohler.arcs import ARCS, SIDES, bearing_to, is_clear, rakes, side_towards
from battles.engine.rulesets.kohler.damage import cross_off, fire_now
from battles.engine.rulesets.kohler.placing import throw_side
from battles.engine.rulesets.kohler.play import Play
from battles.engine.rulesets.kohler.state import Battle, LockKind, Ship, Status, WindForce


class Shot(NamedTuple):
    """A broadside about to be fired. range: hexes, 0 in a shared hex. points: doubled fire points."""

    ship: Ship
    side: str
    target: Ship
    range: int
    points: int


def fire_phase(battle: Battle, play: Play) -> None:
    """Fire all broadsides at once: aim by the state at the start, throw in list order, then cross off all hits.

    Rules: K.F1, K.F2, K.F8, K.F14, K.F16, K.T3.
    """
    place_alongside(battle, play)
    landed: dict[str, int] = {}
    for shot in aim(battle, play):
        hits = _fire(battle, play, shot)
        if hits:
            landed[shot.target.id] = landed.get(shot.target.id, 0) + hits
    if landed:
        for code, ship in battle.ships.items():
            if code in landed:
                ship.hits_taken += landed[code]
                cross_off(battle, play, ship, struct=landed[code], clause="K.F14")


def place_alongside(battle: Battle, play: Play) -> None:
    """Throw for who lies on which side wherever enemies share a hex and no one has thrown for it yet. Rules: K.B12, K.F17."""
    for ship in battle.ships.values():
        if not ship.afloat or len(battle.at[ship.pos]) < 2:
            continue
        for attacker in battle.at[ship.pos]:
            if side_towards(ship, attacker) is not None or not _attacks(battle, attacker, ship):
                continue
            throw_side(battle, play, attacker, ship)


def _attacks(battle: Battle, attacker: Ship, ship: Ship) -> bool:
    """Whether one ship of a hex is the attacker of another: she grappled, is known to have come upon her, or came later."""
    if attacker is ship or not attacker.afloat or battle.friends(ship, attacker):
        return False
    for lock in ship.locks:
        if lock.other(ship.id) == attacker.id:
            return lock.kind is LockKind.GRAPPLE and lock.a == attacker.id
    if ship.id in attacker.placement or attacker.id in ship.placement:
        return ship.id in attacker.placement
    here = battle.at[ship.pos]
    return here.index(attacker) > here.index(ship)


def aim(battle: Battle, play: Play) -> list[Shot]:
    """Every broadside that fires this turn, in list order, port before starboard.

    Guns fire every turn: nothing is reloaded, runs out, or hides in smoke, and nothing bears ahead or astern.
    Rules: K.F1, K.F16, K.F19, K.0.5.
    """
    gunner = Gunner(battle)
    shots: list[Shot] = []
    for ship in battle.ships.values():
        if can_fire(ship):
            shots += gunner.aim(play, ship)
    return shots


def can_fire(ship: Ship) -> bool:
    """Whether she can fire at all: not sinking, not a prize, not a fired fire ship, guns left. Rule: K.F17."""
    return ship.status is Status.AFLOAT and not ship.prize_of and not ship.fired and fire_now(ship) > 0


def points_of(battle: Battle, ship: Ship, side: str) -> int:
    """Doubled fire points of a broadside now; in Strong wind the lee one drops a step, two for English builds. Rule: K.F12."""
    if battle.strength is WindForce.STRONG and side == _LEE.get(battle.rel(ship.facing)):
        return fire_now(ship, 2 if tables.is_english(ship.built_by) else 1)
    return fire_now(ship)


# Lee side by attitude; none in irons or running. Rule: K.M2.
_LEE = {1: "starboard", 2: "starboard", 4: "port", 5: "port"}


def modifiers(battle: Battle, ship: Ship, target: Ship, reach: int) -> list[tuple[str, int]]:
    """What is added to the die, by name. Rules: K.F8, K.F9, K.F10, K.F11, K.F13."""
    found = []
    if tables.BY_RANGE[reach]:
        found.append(("long" if reach > 2 else "short", tables.BY_RANGE[reach]))
    if reach == 1 and rakes(ship.pos, target):
        found.append(("rake", tables.STERN_RAKE))
    if ship.fires:
        found.append(("on_fire", tables.ON_FIRE))
    if is_small(battle, target):
        found.append(("small", tables.SMALL_TARGET))
    if battle.strength is WindForce.STRONG:
        found.append(("strong_wind", tables.STRONG_WIND))
    return found


def is_small(battle: Battle, target: Ship) -> bool:
    """Whether she counts as a small target. Rule: K.F10, with its switch."""
    if not target.small or battle.options.get("small_target_limit") != "20_or_fewer":
        return target.small
    return target.guns <= 20 or target.is_fireship


def _fire(battle: Battle, play: Play, shot: Shot) -> int:
    """Throw for one broadside and return its hits. Rules: K.F8, K.F14, K.F15."""
    die = play.dice.d6(clause="K.F8", subjects=(battle.turn, shot.ship.id, shot.side), reason="broadside")
    mods = modifiers(battle, shot.ship, shot.target, shot.range)
    score = die + sum(value for _, value in mods)
    hits = tables.hits(table_points(shot), score, upper=battle.options.get("half_points") == "upper")
    shot.ship.hits_given += hits
    if play.log is not None:
        play.log.add(
            "fire", "K.F14", shot.ship.id, target=shot.target.id, side=shot.side, range=shot.range,
            mods=[list(mod) for mod in mods], score=score, points=shot.points, hits=hits,
        )  # fmt: skip
    return hits


def table_points(shot: Shot) -> int:
    """Doubled fire points with which a broadside enters the hit table: carronades a row higher at Short. Rule: K.A1.14."""
    close = shot.ship.carronades and shot.range <= 1
    return tables.row_higher(shot.points) if close else shot.points


class Gunner:
    """Aims the broadsides of one fire phase; remembers what each side has already laid on each target. Rule: K.AI7."""

    def __init__(self, battle: Battle) -> None:
        self.battle = battle
        self._blocking = battle.options.get("lof_blocking", True)
        self._order = {code: n for n, code in enumerate(battle.ships)}
        self._laid: dict[tuple[str, str], int] = {}

    def aim(self, play: Play, ship: Ship) -> Iterator[Shot]:
        """Her shots: by order, else by her captain, else by the automatic choice. Rule: K.F1."""
        sides = self._free_sides(ship) if ship.locks else SIDES
        own = {side: self._nearest(ship, side, points_of(self.battle, ship, side)) for side in sides}
        ordered: Mapping[str, str] = {}
        orders = play.orders.get(ship.id)
        if orders is not None:
            ordered = orders.targets
        captain = play.captains.get(ship.side)
        advised: Mapping[str, str] = {}
        if captain is not None and any(own.values()) and not all(side in ordered for side in sides):
            advised = captain.targets(play.views[ship.side], ship.id)
        for side in ordered:
            if side not in own and ordered[side]:
                self._refuse(play, ship, side, ordered[side], "order/engaged", "K.F17")
        for side in sides:
            shot = own[side]
            if side in ordered:
                shot = self._by_order(play, ship, side, ordered[side], shot)
            elif side in advised:
                wish = advised[side]
                shot = (self._at(ship, side, wish)[0] or shot) if wish else None
            if shot is not None and shot.points:
                laid = (ship.side, shot.target.id)
                self._laid[laid] = self._laid.get(laid, 0) + self._sixths(shot)
                yield shot

    def _by_order(self, play: Play, ship: Ship, side: str, target: str, instead: Shot | None) -> Shot | None:
        """The shot that was ordered; one that cannot be fired is refused and the gunners choose. Rules: K.F1, K.AI7."""
        if not target:
            return None
        shot, code, clause = self._at(ship, side, target)
        if shot is None:
            self._refuse(play, ship, side, target, code, clause)
            return instead
        return shot

    def _refuse(self, play: Play, ship: Ship, side: str, target: str, code: str, clause: str) -> None:
        if play.log is not None:
            play.log.add("refused", clause, ship.id, token=f"{side}>{target}", code=code)

    def _at(self, ship: Ship, side: str, target: str) -> tuple[Shot | None, str, str]:
        """The shot of a broadside at a ship, or why there is none: code and clause."""
        found = self.battle.ships.get(target)
        if found is None or found is ship or found.status is not Status.AFLOAT:
            return None, "order/no-target", "K.F18"
        points = points_of(self.battle, ship, side)
        if found.pos == ship.pos:
            if self.battle.friends(ship, found):
                return None, "order/friend", "K.F6"
            if side not in self._alongside(ship, found):
                return None, "order/out-of-arc", "K.F7"
            return Shot(ship, side, found, 0, points), "", ""
        bearing = bearing_to(ship.pos, ship.facing, found.pos)
        if bearing is None or bearing.side != side:
            return None, "order/out-of-arc", "K.F3"
        if found not in self._targets(ship, self.battle.at[found.pos], wide=True):
            return None, "order/friend", "K.F6"
        if self._blocking and not is_clear(self.battle, ship.pos, bearing):
            return None, "order/masked", "K.F5"
        return Shot(ship, side, found, bearing.range, points), "", ""

    def _nearest(self, ship: Ship, side: str, points: int) -> Shot | None:
        """The automatic choice: the best of the nearest ships that bear, farther ones only when all nearer are done for.

        Rule: K.AI7.
        """
        if not points:
            return None
        at, (q, r) = self.battle.at, ship.pos
        if len(at[ship.pos]) > 1:
            close = [other for other in at[ship.pos] if side in self._alongside(ship, other)]
            if close:
                return self._best([Shot(ship, side, other, 0, points) for other in close])
        found: list[Shot] = []
        reach = 0
        for bearing in ARCS[ship.facing][side]:
            if found and bearing.range > reach:
                if not all(map(self._is_doomed, found)):
                    break
                reach = bearing.range
            cell = at.get((q + bearing.dq, r + bearing.dr))
            if cell is None:
                continue
            targets = self._targets(ship, cell)
            if targets and (not self._blocking or is_clear(self.battle, ship.pos, bearing)):
                found += [Shot(ship, side, other, bearing.range, points) for other in targets]
                reach = bearing.range
        return self._best(found) if found else None

    def _targets(self, ship: Ship, cell: Sequence[Ship], *, wide: bool = False) -> list[Ship]:
        """Ships of another hex that she may fire at; none where a friend lies, but a fire ship that holds a friend.

        wide: also fire ships of her own side that hold no one, which no gunner would choose by himself.
        Rules: K.F6, K.F18, K.X14.
        """
        battle = self.battle
        found = [other for other in cell if other.afloat and not battle.friends(ship, other)]
        if len(found) < len(cell) and any(other.afloat and battle.friends(ship, other) for other in cell):
            return [other for other in found if other.fired and self._holds_friend(ship, other)]
        if wide:
            return found
        return [o for o in found if o.flag != ship.flag or self._holds_friend(ship, o)]

    def _holds_friend(self, ship: Ship, fire_ship: Ship) -> bool:
        return any(
            lock.kind is LockKind.FIRE_SHIP
            and self.battle.friends(ship, self.battle.ships[lock.other(fire_ship.id)])
            for lock in fire_ship.locks
        )

    def _alongside(self, ship: Ship, other: Ship) -> tuple[str, ...]:
        """The broadside, if any, that bears on an enemy in her own hex; none while she is grappled. Rules: K.F7, K.F17, K.X14."""
        if other is ship or not other.afloat or self.battle.friends(ship, other):
            return ()
        if any(
            lock.kind is LockKind.GRAPPLE
            or (lock.kind is LockKind.FIRE_SHIP and lock.other(ship.id) == other.id)
            for lock in ship.locks
        ):
            return ()
        side = side_towards(ship, other)
        return (side,) if side is not None else ()

    def _free_sides(self, ship: Ship) -> tuple[str, ...]:
        """Broadsides that are not turned to a ship she is grappled to. Rule: K.F17."""
        held = [
            self.battle.ships[lock.other(ship.id)] for lock in ship.locks if lock.kind is LockKind.GRAPPLE
        ]
        engaged = {side_towards(ship, other) for other in held}
        return tuple(side for side in SIDES if side not in engaged)

    def _best(self, shots: list[Shot]) -> Shot:
        if len(shots) == 1:
            return shots[0]
        return min(shots, key=self._merit)

    def _merit(self, shot: Shot) -> tuple[bool, int, int, bool, int]:
        """Lowest is best: not yet done for, nearest, soonest over a step, flagship, list order. Rule: K.AI7."""
        target = shot.target
        hull = _usual_hull(target.band, tables.column(target.built_by, napoleonic=target.napoleonic))
        soon = 600 * hull // (target.n_steps * max(1, self._sixths(shot)))
        return self._is_doomed(shot), shot.range, soon, not target.is_flagship, self._order[target.id]

    def _is_doomed(self, shot: Shot) -> bool:
        """Whether her own side has laid so many guns on the target this turn that no more are needed, as far as can be seen."""
        target = shot.target
        laid = self._laid.get((shot.ship.side, target.id), 0)
        if not laid:
            return False
        hull = _usual_hull(target.band, tables.column(target.built_by, napoleonic=target.napoleonic))
        return laid * target.n_steps >= 6 * hull * (target.n_steps - target.steps_lost)

    def _sixths(self, shot: Shot) -> int:
        """Expected hits in sixths."""
        shift = sum(value for _, value in modifiers(self.battle, shot.ship, shot.target, shot.range))
        return tables.expected_sixths(table_points(shot), shift)


@cache
def _usual_hull(band: int, of: tables.Column) -> int:
    """Hull points that anybody would guess for a ship of that size: the middle of her row of T6."""
    low, high = tables.row_of(band, of).points(of)
    return (low + high) // 2
