"""When a battle ends, what still happens after it, and what became of everyone. Rules: A.V1-A.V5, A.M20, A.G1, A.G11, A.G24, A.G35."""

from __future__ import annotations

from battles.engine.core.crews import prize_crew
from battles.engine.core.fates import Fate, Flag
from battles.engine.core.outcome import Outcome, ShipOutcome
from battles.engine.core.parties import officers_of
from battles.engine.rulesets.age_of_sail import at_sea, bearing, boarding, burning, leaving, wind
from battles.engine.rulesets.age_of_sail.card import Card
from battles.engine.rulesets.age_of_sail.condition import Condition
from battles.engine.rulesets.age_of_sail.play import Play
from battles.engine.rulesets.age_of_sail.state import Anchor, Battle, Ship, Status
from battles.engine.rulesets.age_of_sail.tables import (
    AWAY,
    MINUTES,
    PARTING,
    QUIET_ROUNDS,
    TAKEN_AGROUND_UP_TO,
)

_FATES = {
    Status.SUNK: Fate.FOUNDERED,
    Status.EXPLODED: Fate.BLOWN_UP,
    Status.BURNT: Fate.BURNT,
    Status.ABANDONED: Fate.MISSING,
}


def close(battle: Battle, play: Play) -> None:
    """The end of a round: who has got away, and whether the battle is over. Rules: A.M20, A.V1."""
    _withdrawals(battle, play)
    battle.quiet = (
        0 if battle.stirred or any(ship.entangled for ship in battle.in_play()) else battle.quiet + 1
    )
    battle.stirred = False
    battle.ended = _ended(battle, play)


def _withdrawals(battle: Battle, play: Play) -> None:
    """Ships that withdraw and are far from every enemy able to follow are gone. Rules: A.M20, A.G11."""
    for side in battle.sides:
        hunters = [ship for ship in battle.enemies(side) if battle.able(ship)]
        if not hunters:
            continue
        for ship in battle.of(side):
            if not (ship.withdrawing or side in battle.withdrawing) or ship.entangled:
                continue
            if all((one.x - ship.x) ** 2 + (one.y - ship.y) ** 2 > AWAY * AWAY for one in hunters):
                x, y = _middle(battle)
                leaving.leave(
                    battle, play, ship, Status.WITHDRAWN, "A.M20", bearing.point_of(ship.x - x, ship.y - y)
                )


def _middle(battle: Battle) -> tuple[int, int]:
    there = [*battle.in_play()]
    return sum(ship.x for ship in there) // len(there), sum(ship.y for ship in there) // len(there)


def _ended(battle: Battle, play: Play) -> str:
    """Why the battle is over, "" while it goes on. Rule: A.V1."""
    due = {ship.side for ship in battle.ships.values() if ship.expected}
    for side in battle.sides:
        own = battle.of(side)
        if side in due or any(battle.able(ship) or _armed(ship) for ship in own):
            continue
        left = any(ship.side == side and ship.status is Status.WITHDRAWN for ship in battle.ships.values())
        return "parted" if left and not own else "beaten"
    if set(battle.parting) == set(battle.sides) and not _in_reach(battle):
        return "parted"
    if battle.turn >= battle.last_turn:
        return "nightfall" if battle.nightfall else "limit"
    if not due and battle.quiet >= QUIET_ROUNDS:
        return "parted"
    return ""


def _armed(ship: Ship) -> bool:
    """Whether a ship can fire. Rules: A.F12, A.F13."""
    return ship.all_decks > 0 and ship.manned != 0


def _in_reach(battle: Battle) -> bool:
    """Whether any enemies lie within 12 cm of each other. Rule: A.V1."""
    return any(
        other.owner != ship.owner
        for ship in battle.in_play()
        for other in battle.near(ship.position, PARTING)
    )


def after_battle(battle: Battle, play: Play) -> None:
    """Fights that are not over, prizes, fires, and ships aground; then the end is told. Rule: A.G24."""
    play.tell("ended", "A.V1", why=battle.ended, points=points(battle))
    _fight_on(battle, play)
    _part_all(battle, play)
    _burn_out(battle, play)
    battle.held_field = holding(battle)
    _off_the_ground(battle, play)
    for ship in battle.ships.values():
        ship.repairing = ship.fired_port = ship.fired_stbd = ship.boarded = False
        ship.anchor = Anchor.UP
    _officers(battle, play)


def _fight_on(battle: Battle, play: Play) -> None:
    """Enemies still entangled fight until none are; an unmanned prize is left to who holds her. Rules: A.G24, A.B5, A.B9."""
    turn = 0
    while any(_fighting(battle, ship) for ship in battle.in_play()):
        turn += 1
        for side in (battle.first, battle.second):
            battle.active = side
            for ship in battle.of(side):
                for foe in _fighting(battle, ship)[:1]:
                    if ship.strength or foe.strength:
                        boarding.fight(battle, play, ship, foe, f"after{turn}")
                    else:
                        leaving.untie(ship, foe)


def _fighting(battle: Battle, ship: Ship) -> list[Ship]:
    """Enemies fast to a ship, when she and they have people to fight for them."""
    return [foe for foe in boarding.foes(battle, ship) if foe.acts] if ship.acts else []


def _part_all(battle: Battle, play: Play) -> None:
    """Every tie ends, and captors man their prizes. Rule: A.G24."""
    for ship in [*battle.in_play()]:
        for code in [*ship.entangled]:
            leaving.untie(ship, battle.ships[code])
    for prize in [*battle.in_play()]:
        captor = battle.ships.get(prize.captor)
        if prize.held and captor is not None:
            boarding.man(battle, play, captor, prize, 1)


def _burn_out(battle: Battle, play: Play) -> None:
    """Fires are thrown for until each is out or its ship is gone. Rule: A.X11."""
    when = battle.turn
    while burning_ships := [ship for ship in battle.in_play() if ship.fire_stage]:
        when += 1
        for ship in burning_ships:
            burning.throw(battle, play, ship, when, alone=True)


def points(battle: Battle) -> dict[str, int]:
    """Damage that each side has suffered. Rules: A.V3, A.V4."""
    found = dict.fromkeys(battle.sides, 0)
    for ship in battle.ships.values():
        if not ship.expected:
            found[ship.side] += ship.damage
    return found


def winner(battle: Battle) -> str:
    """The side whose enemy has suffered more, "" on equal totals. Rules: A.V2, A.V5."""
    suffered = points(battle)
    one, other = battle.sides
    if suffered[one] == suffered[other]:
        return ""
    return other if suffered[one] > suffered[other] else one


def holding(battle: Battle) -> str:
    """The side that holds the water: alone with a ship able to move, else the winner. Rules: A.G24, A.G35."""
    able = {ship.owner for ship in battle.in_play() if battle.able(ship)}
    return able.pop() if len(able) == 1 else winner(battle)


def _off_the_ground(battle: Battle, play: Play) -> None:
    """Ships aground are refloated, taken or burnt by their crews. Rules: A.G6, A.G24."""
    holder = battle.held_field
    for ship in [one for one in battle.in_play() if one.aground]:
        takers = [one for one in battle.of(holder) if battle.able(one)]
        if holder == ship.owner or not takers:
            ship.aground = False
            play.tell("refloated", "A.G6", ship.id)
            continue
        face = play.dice.d6(clause="A.G6", subjects=(ship.id,), reason="the ship aground")
        if face <= TAKEN_AGROUND_UP_TO:
            near = min(takers, key=lambda one: ((one.x - ship.x) ** 2 + (one.y - ship.y) ** 2, one.number))
            ship.aground = False
            boarding.capture(battle, play, near, ship)
            boarding.man(battle, play, near, ship, 1)
        else:
            leaving.leave(battle, play, ship, Status.BURNT, "A.G6")


def _officers(battle: Battle, play: Play) -> None:
    """Killed in a ship blown up, taken in one that is taken; of others the set says nothing. Rule: A.G35."""
    for code, squadron in battle.squadrons.items():
        ship = battle.ships[squadron.flagship]
        if not squadron.officer or ship.expected:
            continue
        became = fate_of(battle, ship)
        fate = {Fate.BLOWN_UP: "killed", Fate.CAPTURED: "captured"}.get(became, "unhurt")
        battle.officers[code] = (ship.id, fate, "A.G35")
        if fate != "unhurt":
            play.tell("officer", "A.G35", ship.id, officer=squadron.officer, fate=fate)


def fate_of(battle: Battle, ship: Ship) -> Fate:
    """Her fate in the list that all sets share. A prize that no ship is left to hold is her old side's again. Rules: A.G1, A.G35."""
    lost = _FATES.get(ship.status)
    if lost is not None:
        return lost
    return Fate.CAPTURED if ship.owner != ship.side and _captor(battle, ship) is not None else Fate.AFLOAT


def _captor(battle: Battle, ship: Ship) -> Ship | None:
    """The ship that answers for a prize: her captor, else the nearest of her holders' own. Rule: A.G35."""
    taker = battle.ships.get(ship.captor)
    if taker is not None and _own(taker) and taker.owner == ship.owner:
        return taker
    near = [one for one in battle.ships.values() if one.owner == ship.owner and _own(one)]
    return min(
        near, key=lambda one: ((one.x - ship.x) ** 2 + (one.y - ship.y) ** 2, one.number), default=None
    )


def _own(ship: Ship) -> bool:
    """Whether a ship floats under the flag that she came with."""
    return ship.owner == ship.side and ship.status in (Status.AFLOAT, Status.WITHDRAWN)


def condition_of(ship: Ship) -> Condition:
    """Her condition as it is stored. Rule: A.G26."""
    return Condition(
        ship.port, ship.stbd, ship.units, tuple(max(0, state) for state in ship.rig), ship.sent_port, ship.sent_stbd,
        ship.rest,
    )  # fmt: skip


def outcome(battle: Battle) -> Outcome:
    """The result of a battle that is over. Rules: A.G1, A.G23, A.G35."""
    towards, strength = wind.weather_out(battle)
    return Outcome(
        rule_set="age_of_sail",
        turns=battle.turn,
        minutes=battle.turn * MINUTES,
        ended=battle.ended,
        ships=tuple(_ship(battle, ship) for ship in battle.ships.values()),
        officers=officers_of(battle.squadrons, battle.officers),
        held_field=battle.held_field,
        wind={"towards": towards, "strength": strength.value},
    )


def _ship(battle: Battle, ship: Ship) -> ShipOutcome:
    """What the campaign learns of one ship. Rules: A.G1, A.G18, A.G35."""
    fate = fate_of(battle, ship)
    taken = fate is Fate.CAPTURED
    now = condition_of(ship)
    captor = _captor(battle, ship) if taken else None
    prisoners = _men(ship, now) if taken else 0
    crew = 0
    if captor is not None:
        crew = min(prize_crew(prisoners, ship.complement), _men(captor, condition_of(captor)))
    return ShipOutcome(
        ship=ship.id, side=ship.side, fate=fate, condition=now.to_dict(), flags=_flags(ship, fate),
        captor=ship.owner if taken else "", captor_ship=captor.id if captor is not None else "", prize_crew=crew,
        prisoners=prisoners, hits_given=ship.hits_given, hits_taken=ship.hits_taken,
        position=None if ship.expected else ship.position, cause=_cause(ship),
    )  # fmt: skip


def _cause(ship: Ship) -> str:
    return ship.status.value if ship.status in _FATES else ""


def _men(ship: Ship, now: Condition) -> int:
    """Her men by the boxes that she has lost. Rule: A.G18."""
    card = Card(ship.cls, ship.decks, ship.names, ship.masts, ship.hull, ship.pirate, False, False, 1, "", {})
    return at_sea.men(card, now, ship.complement)


def _flags(ship: Ship, fate: Fate) -> frozenset[Flag]:
    """What else is true of a ship afloat. Rule: A.G1."""
    if fate is not Fate.AFLOAT or ship.expected:
        return frozenset()
    found = (
        (Flag.WITHDREW, ship.status is Status.WITHDRAWN),
        (Flag.DISABLED, not ship.power),
        (Flag.AGROUND, ship.aground),
    )
    return frozenset(flag for flag, holds in found if holds)
