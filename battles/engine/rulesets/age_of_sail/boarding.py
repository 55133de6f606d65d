"""Contact, boarding fights, prizes, and how entangled ships part. Rules: A.B1-A.B18, A.S5."""

from __future__ import annotations

from collections.abc import Sequence

from battles.engine.core.dice import Die
from battles.engine.rulesets.age_of_sail import leaving, lines
from battles.engine.rulesets.age_of_sail.play import Play
from battles.engine.rulesets.age_of_sail.state import Battle, Ship, Status
from battles.engine.rulesets.age_of_sail.tables import PARTS_FROM


def contact(battle: Battle, play: Play, ship: Ship, met: Sequence[Ship]) -> None:
    """A ship has run into others, the nearest first: all are entangled, and she fights the first enemy. Rules: A.B1, A.B3, A.B7, A.B16."""
    for other in met:
        leaving.tie(ship, other)
        play.tell("entangled", "A.B1", ship.id, target=other.id)
        lines.drop(battle, other)
    lines.drop(battle, ship)
    battle.stirred = True
    foes = [other for other in met if other.owner != ship.owner]
    if foes and not ship.repairing and ship.acts:
        fight(battle, play, ship, foes[0], battle.turn)


def fight(battle: Battle, play: Play, ship: Ship, foe: Ship, when: int | str) -> None:
    """One boarding fight; a tie takes neither. when: sets its dice apart. Rules: A.B3, A.B4, A.B5, A.P8."""
    play.fought.add(ship.id)
    battle.stirred = True
    totals = []
    for one, role in ((ship, "attacks"), (foe, "defends")):
        faces = (
            play.dice.throw(
                Die.D6,
                one.strength,
                clause="A.B3",
                subjects=(when, ship.id, foe.id, role),
                reason="boarding",
            )
            if one.strength
            else ()
        )
        totals.append(sum(faces))
    ship.boarded = True
    play.tell("fight", "A.B3", ship.id, target=foe.id, totals=totals)
    if totals[0] != totals[1]:
        winner, loser = (ship, foe) if totals[0] > totals[1] else (foe, ship)
        capture(battle, play, winner, loser)


def capture(battle: Battle, play: Play, winner: Ship, loser: Ship) -> None:
    """A ship changes owner and waits for a prize crew. Rules: A.B8, A.B17, A.B18."""
    lines.drop(battle, loser)
    loser.former, loser.owner, loser.captor, loser.manned = loser.owner, winner.owner, winner.id, None
    loser.withdrawing = False
    play.tell("captured", "A.B8", loser.id, captor=winner.id, side=winner.owner)
    leaving.release_prizes(battle, play, loser)


def separate(battle: Battle, play: Play) -> None:
    """The active player tries to part entangled ships, pair by pair. Rules: A.S5, A.B11, A.P8."""
    for ship in [*battle.in_play()]:
        for code in sorted(ship.entangled, key=lambda code: battle.ships[code].number):
            other = battle.ships[code]
            if other.number < ship.number or code not in ship.entangled:
                continue
            actor, fast = (ship, other) if _speaks(battle, ship, other) else (other, ship)
            if actor.owner == battle.active and _tries(play, actor, fast):
                face = play.dice.d6(
                    clause="A.B11", subjects=(battle.turn, battle.active, ship.id, code), reason="to part"
                )
                if face >= PARTS_FROM:
                    part(battle, play, ship, other, _crew(play, ship, other))
                else:
                    play.tell("held_fast", "A.B11", actor.id, target=fast.id)


def _speaks(battle: Battle, ship: Ship, other: Ship) -> bool:
    """Whether it is the first of a pair that decides: a ship of the active player that her people man. Rule: A.B11."""
    if ship.owner != battle.active:
        return False
    return other.owner != battle.active or ship.acts or not other.acts


def _tries(play: Play, ship: Ship, other: Ship) -> bool:
    order, captain = play.order(ship), play.captain(ship.owner)
    if _captor(ship, other) is not None and _crew(play, ship, other) < 1:
        return False
    if order.part is not None:
        return other.id in order.part
    return captain is not None and captain.parts(play.view(ship.owner), ship, other)


def _captor(ship: Ship, other: Ship) -> Ship | None:
    """Which of two ships is captor of the other, still unmanned."""
    if other.held and other.captor == ship.id:
        return ship
    return other if ship.held and ship.captor == other.id else None


def _crew(play: Play, ship: Ship, other: Ship) -> int:
    """Decks that a captor sends as a prize crew. Rule: A.B13."""
    captor = _captor(ship, other)
    if captor is None:
        return 0
    ordered = play.order(captor).crew
    return 1 if ordered is None else ordered


def part(battle: Battle, play: Play, ship: Ship, other: Ship, crew: int) -> None:
    """Two ships come apart, and a captor mans her prize. Rules: A.B11-A.B15."""
    leaving.untie(ship, other)
    ship.parted.append(other.id)
    other.parted.append(ship.id)
    play.tell("parted", "A.B11", ship.id, target=other.id)
    captor = _captor(ship, other)
    if captor is not None:
        man(battle, play, captor, other if captor is ship else ship, crew)


def man(battle: Battle, play: Play, captor: Ship, prize: Ship, crew: int) -> None:
    """Gun decks of the captor go aboard the prize; with none to send the prize is given up. Rules: A.B13, A.B15."""
    crew = min(crew, captor.all_decks)
    if not crew:
        prize.captor = ""
        leaving.leave(battle, play, prize, Status.ABANDONED, "A.B15")
        return
    for _ in range(crew):
        if captor.port >= captor.stbd:
            captor.port, captor.sent_port, captor.gone_port = (
                captor.port - 1,
                captor.sent_port + 1,
                captor.gone_port + 1,
            )
        else:
            captor.stbd, captor.sent_stbd, captor.gone_stbd = (
                captor.stbd - 1,
                captor.sent_stbd + 1,
                captor.gone_stbd + 1,
            )
    prize.manned = crew
    prize.crew_fired = 0
    play.tell("manned", "A.B13", prize.id, captor=captor.id, decks=crew)


def foes(battle: Battle, ship: Ship) -> list[Ship]:
    """Enemies fast to a ship, in roster order."""
    found = [battle.ships[code] for code in ship.entangled]
    return sorted((one for one in found if one.owner != ship.owner), key=lambda one: one.number)
