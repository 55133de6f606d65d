"""The sequence of play. Rules: Y.2-Y.10."""

from __future__ import annotations

from battles.engine.core.dice import Die
from battles.engine.core.ruleset import Table
from battles.engine.core.sequence import Row, Sequence, Step
from tests.support.tiny_set.orders import Orders
from tests.support.tiny_set.state import Battle, Boat

REACH, STRIKING = 6, 3
TURNS = 24


def play_turn(battle: Battle, table: Table) -> None:
    """One turn, in place. Raises ValueError when the battle is over."""
    if battle.ended:
        raise ValueError("the battle is over")
    battle.turn += 1
    SEQUENCE.play(battle, table, battle.turn)


def arrive(battle: Battle, table: Table) -> None:
    """Boats that come now. Rule: Y.2."""
    for boat in battle.ships.values():
        if boat.arrives and boat.arrives <= battle.turn:
            boat.arrives = 0
            table.tell("arrived", "Y.2", boat.id, q=boat.q, r=boat.r, f=boat.heading)


def move(battle: Battle, table: Table) -> None:
    """Every boat goes as ordered, else as her captain likes. Rules: Y.4, Y.5."""
    boats = [boat for boat in battle.ships.values() if boat.fights]
    going = {boat.id: _order(table, boat).go for boat in boats}
    for boat in boats:
        go = going[boat.id]
        if go:
            path = [[boat.q, boat.r, boat.heading]]
            boat.q += go if boat.heading == 1 else -go
            table.tell("moved", "Y.5", boat.id, path=[*path, [boat.q, boat.r, boat.heading]])


def _order(table: Table, boat: Boat) -> Orders:
    """What a boat is ordered, else what her captain likes."""
    order: Orders | None = table.orders.get(boat.id)
    captain = table.captains.get(boat.side)
    if order is None and captain is not None:
        order = captain.orders(table.views[boat.side], boat.id)
    return order or Orders()


def fire(battle: Battle, table: Table) -> None:
    """One die a point at one enemy; then all that was hit suffers. Rules: Y.6, Y.7."""
    hits: dict[str, int] = {}
    for boat in battle.ships.values():
        target = _target(battle, table, boat) if boat.fights else None
        if target is not None:
            faces = table.dice.throw(
                Die.D6, boat.left, clause="Y.6", subjects=(battle.turn, boat.id), reason="guns"
            )
            scored = faces.count(6)
            boat.given += scored
            hits[target.id] = hits.get(target.id, 0) + scored
            table.tell("fire", "Y.6", boat.id, target=target.id, hits=scored, range=abs(target.q - boat.q))
    for code, count in hits.items():
        if count:
            _suffer(battle.ships[code], count, table)


def _target(battle: Battle, table: Table, boat: Boat) -> Boat | None:
    wanted = table.orders[boat.id].target if boat.id in table.orders else ""
    found = {other.id: (far, other) for far, other in battle.enemies(boat) if far <= REACH}
    chosen = found.get(wanted) or battle.nearest(boat)
    return chosen[1] if chosen and chosen[0] <= REACH else None


def _suffer(boat: Boat, hits: int, table: Table) -> None:
    boat.taken += hits
    boat.left = max(0, boat.left - hits)
    table.tell("damage", "Y.7", boat.id, left=boat.left, steps=boat.steps)
    if not boat.left:
        boat.sunk = True
        table.tell("sunk", "Y.7", boat.id)


def strike(battle: Battle, table: Table) -> None:
    """Boats that give themselves up. Rule: Y.8."""
    beaten = [boat for boat in battle.ships.values() if boat.fights and 4 * boat.left <= boat.whole]
    for boat in beaten:
        near = battle.nearest(boat)
        if near is not None and near[0] <= STRIKING:
            boat.prize_of, boat.captor = near[1].side, near[1].id
            table.tell("captured", "Y.8", boat.id, captor=boat.captor, side=boat.prize_of)


def close(battle: Battle, table: Table) -> None:
    """Whether the battle is over. Rules: Y.3, Y.10."""
    if len({boat.side for boat in battle.ships.values() if boat.fights or boat.expected}) < len(battle.sides):
        battle.ended = "beaten"
    elif battle.turn >= battle.last_turn:
        battle.ended = "limit"


def after_battle(battle: Battle, table: Table) -> None:
    """The end is told. Rule: Y.10."""
    table.tell("ended", "Y.10", why=battle.ended)


SEQUENCE = Sequence(
    (
        Row(Step("come", ("Y.2",), "Boats come up"), arrive),
        Row(Step("move", ("Y.4", "Y.5"), "Movement"), move),
        Row(Step("fire", ("Y.6", "Y.7"), "Gunfire"), fire),
        Row(Step("strike", ("Y.8",), "Boats that strike"), strike),
        Row(Step("close", ("Y.3", "Y.10"), "End of the turn"), close),
    ),
    Row(Step("after", ("Y.10",), "After the battle"), after_battle),
)
STEPS = SEQUENCE.steps
