"""Steps P8 and P10: what hits do to a ship: flotation, crew, batteries, magazine, sinking. Rules: T.B9b-T.B9d, T.B11, T.N1, T.O5d-T.O6q."""

from __future__ import annotations

from battles.engine.rulesets.thomas import burning
from battles.engine.rulesets.thomas.arcs import covering, covers
from battles.engine.rulesets.thomas.batteries import first_to_go
from battles.engine.rulesets.thomas.play import Hit, Play
from battles.engine.rulesets.thomas.state import Battle, Ship, Status
from battles.engine.rulesets.thomas.tables import FARTHEST, SLAVES_ROW, Arc


def second_suffers(battle: Battle, play: Play) -> None:
    """Step P8: the fire of the first side takes effect. Rules: T.B3a, T.B3b."""
    suffer(battle, play)


def first_suffers(battle: Battle, play: Play) -> None:
    """Step P10: the fire of the second side takes effect. Rules: T.B3a, T.B3b."""
    suffer(battle, play)


def suffer(battle: Battle, play: Play) -> None:
    """Apply all hits that wait, ship by ship in ascending order, hits in the order thrown. Rules: T.B3b, T.B3c."""
    by_target: dict[str, list[Hit]] = {}
    for hit in play.hits:
        by_target.setdefault(hit.target, []).append(hit)
    play.hits.clear()
    for code in sorted(by_target):
        if battle.ships[code].afloat:
            _suffer(battle, play, battle.ships[code], by_target[code])


def _suffer(battle: Battle, play: Play, ship: Ship, hits: list[Hit]) -> None:
    """One ship's losses, then her magazine, then whether she goes down. Section 9, "Damage step inner order"."""
    losses = Losses(battle, ship)
    # No one moves in this step, so that which groups are in use is asked once.
    used = groups_in_use(battle, ship) if any(hit.six for hit in hits) else frozenset()
    for hit in hits:
        for _ in range(2 if hit.doubled else 1):
            ship.flot = max(0, ship.flot - 1)
            losses.man()
        if hit.six:
            for _ in range(2 if hit.doubled else 1):
                lose_battery(battle, play, ship, battle.ships[hit.firer], used)
    ship.hits_taken += len(hits)
    play.tell(
        "damage", "T.B9b", ship.id, flot=ship.flot, crew=ship.crew_halves, guard=ship.guard_halves,
        captives=ship.captive_halves, hits=len(hits), quarters=4 * ship.lost // ship.flot_max,
    )  # fmt: skip
    if not ship.flot:
        sink(battle, play, ship, Status.SUNK, "sunk by gunfire")
        return
    met = newly_met(ship)
    if battle.nelson and met:
        burning.magazine(battle, play, ship, met)
    if ship.afloat:
        strike_when_empty(battle, play, ship)


def newly_met(ship: Ship) -> tuple[int, ...]:
    """Thresholds that her damage meets for the first time, 1 to 3, marked as met and due for her masts. Rules: T.B5a, T.B5b."""
    now = sum(4 * ship.lost >= number * ship.flot_max for number in (1, 2, 3))
    met = tuple(range(ship.thresholds_met + 1, now + 1))
    ship.thresholds_due += len(met)
    ship.thresholds_met = max(ship.thresholds_met, now)
    return met


class Losses:
    """How the men of one ship die in one damage step. Rules: T.O5d, T.O5e, T.O5j, T.O6p, T.O6q, T.N1a."""

    def __init__(self, battle: Battle, ship: Ship) -> None:
        self.ship = ship
        self.crews = bool(battle.options["opt_crews"])
        self.spared = self.crews and ship.in_a_fight
        self.prize = bool(ship.prize_of)
        # Compared once, as the damage step begins: captives die only where they are as many as the crew.
        own = ship.guard_halves if self.prize else ship.crew_halves
        self.shared = ship.captive_halves > 0 and ship.captive_halves >= own
        self.next_is_captive = False

    def man(self) -> None:
        """One man of one loss, half a man from half the crew down, none from a quarter down."""
        ship = self.ship
        if self.spared:
            return
        halves = self._halves()
        if not halves:
            return
        captive = self.shared and self.next_is_captive
        self.next_is_captive = not self.next_is_captive
        if captive:
            ship.captive_halves = max(0, ship.captive_halves - halves)
        elif self.prize:
            ship.guard_halves = max(0, ship.guard_halves - halves)
        else:
            ship.crew_halves = max(0, ship.crew_halves - halves)

    def _halves(self) -> int:
        """Half points that a hit kills. Rules: T.O5d, T.O5e, T.O6q."""
        ship = self.ship
        if not self.crews:
            return 2
        aboard = ship.guard_halves + ship.captive_halves if self.prize else ship.crew_halves
        if aboard > ship.crew_max:
            return 2
        return 1 if 2 * aboard > ship.crew_max else 0


def lose_battery(
    battle: Battle, play: Play, ship: Ship, firer: Ship | None, used: frozenset[Arc] | None = None
) -> None:
    """A battery goes, by the owner's choice; in a boarding fight its gunner with it. Nothing when none is left.

    used: groups that cover an enemy (`groups_in_use`), where the caller knows them.
    Rules: T.B11, T.B11a, T.B11b, T.B11c, T.O5j.
    """
    only: tuple[Arc, ...] = tuple(Arc)
    if firer is not None and battle.options["six_side"] == "engaged":
        only = tuple(arc for arc in Arc if covers(battle, ship, firer, arc))
    standing = [row for row in enumerate(ship.batteries) if not row[1].lost]
    in_use = groups_in_use(battle, ship) if used is None else used
    gone = first_to_go(standing, covering=in_use, only=only)
    if gone is None:
        return
    battery = ship.batteries[gone]
    battery.lost = True
    if firer is not None and ship.in_a_fight and battle.options["opt_crews"] and ship.gunners:
        ship.gunners -= 1
        ship.crew_halves = max(0, ship.crew_halves - 2)
    play.tell(
        "battery", "T.B11" if firer is not None else "T.O7a", ship.id, gun=battery.gun.value, group=battery.arc.value,
        half=battery.half, why="hit" if firer is not None else "overboard",
    )  # fmt: skip


def groups_in_use(battle: Battle, ship: Ship) -> frozenset[Arc]:
    """Groups with guns left whose arc covers an enemy within the reach of any gun. Rule: T.B11a."""
    near = battle.grid.near(ship.position, FARTHEST)
    enemies = [one for one in near if one.flag != ship.flag and one.fighting]
    left = {one.arc for one in ship.batteries if not one.lost}
    used: set[Arc] = set()
    for one in enemies:
        used.update(covering(battle, ship, one, left))
        left -= used
        if not left:
            break
    return frozenset(used)


def sink(battle: Battle, play: Play, ship: Ship, status: Status, cause: str) -> None:
    """She goes down at once; her people may be saved at the end of the move, captives drown. Rules: T.B9c, T.O6o, T.O7b, T.O5h."""
    aboard = ship.guard_halves if ship.prize_of else ship.crew_halves
    foundered = status is Status.FOUNDERED
    play.tell(
        "foundered" if foundered else "sunk", "T.O7b" if foundered else "T.B9c", ship.id, x=ship.x, y=ship.y, aboard=aboard
    )  # fmt: skip
    battle.remove(ship, status, cause)
    ship.captive_halves = 0
    play.sinking.append(ship)


def strike_when_empty(battle: Battle, play: Play, ship: Ship) -> None:
    """A ship with no crew of her own left strikes and drifts, unless slaves row her. Rules: T.B9d, T.O4j."""
    if ship.crew_halves or ship.prize_of or ship.struck or ship.kind in SLAVES_ROW:
        return
    ship.struck, ship.struck_move = True, battle.move
    ship.captor_side = battle.enemy_of(ship.flag)
    play.tell("struck", "T.B9d", ship.id, to=ship.captor_side, by="", why="no crew left")
