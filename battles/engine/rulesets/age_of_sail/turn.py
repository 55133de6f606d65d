"""One round, step by step: the first side's turn, the second side's, the wind, and whether the battle is over. Rules: A.S1-A.S13, A.P9."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from battles.engine.core.sequence import Played, Row, Sequence, Step
from battles.engine.rulesets.age_of_sail import (
    boarding,
    burning,
    closing,
    gunnery,
    hazards,
    layout,
    movement,
    wind,
)
from battles.engine.rulesets.age_of_sail.play import Play
from battles.engine.rulesets.age_of_sail.state import Battle, Ship
from battles.engine.rulesets.age_of_sail.tables import SIDES


def begin_turn(battle: Battle, play: Play, side: str) -> None:
    """A player turn begins: what holds for one turn only is cleared, and the admiral decides. Rules: A.P9, A.F4, A.R2, A.B12, A.Q11."""
    battle.active = side
    play.fought.clear()
    for ship in battle.in_play():
        ship.parted.clear()
        if ship.owner == side:
            ship.fired_port = ship.fired_stbd = ship.boarded = ship.repairing = ship.moved = False
            ship.crew_fired = 0
    captain = play.captain(side)
    if captain is not None:
        view = play.view(side)
        if side not in battle.withdrawing and captain.withdraws(view):
            battle.withdrawing.append(side)
            play.tell("withdraws", "A.M20", side=side)
        battle.parting = [code for code in battle.parting if code != side]
        if captain.agrees_to_part(view):
            battle.parting.append(side)
    for ship in battle.of(side):
        order = play.order(ship)
        if order.masts is not None:
            ship.prefer = order.masts
        if order.withdraw is not None:
            ship.withdrawing = order.withdraw
        elif not ship.withdrawing and captain is not None:
            ship.withdrawing = captain.leaves(play.view(side), ship)


def combat(battle: Battle, play: Play) -> None:
    """Late volleys and renewed fights of the active player, ship by ship. Rules: A.S10, A.F5, A.F6, A.B6, A.B9."""
    for ship in battle.of(battle.active):
        if ship.acts and not _fights_on(battle, play, ship):
            _late_volleys(battle, play, ship)


def _fights_on(battle: Battle, play: Play, ship: Ship) -> bool:
    """Whether a ship fights an entangled enemy again instead of firing. Rules: A.B6, A.B7, A.B9."""
    foes = boarding.foes(battle, ship)
    if not foes or ship.id in play.fought or ship.repairing or ship.fired_port or ship.fired_stbd:
        return False
    ordered, captain = play.order(ship).board, play.captain(ship.owner)
    chosen = ordered
    if chosen is None:
        chosen = captain.fights_on(play.view(ship.owner), ship, foes) if captain is not None else ""
    foe = next((one for one in foes if one.id == chosen), None)
    if foe is None:
        return False
    boarding.fight(battle, play, ship, foe, battle.turn)
    return True


def _late_volleys(battle: Battle, play: Play, ship: Ship) -> None:
    """What is not yet fired, from where she lies now. Rules: A.F5, A.P8."""
    ordered = play.order(ship).shots
    shots = {shot.side: shot for shot in ordered.values() if shot.target}
    captain = play.captain(ship.owner)
    if captain is not None and any(ship.volley(side) for side in SIDES if side not in ordered):
        for shot in captain.shots(play.view(ship.owner), ship, [(ship.x, ship.y, ship.h)]):
            if shot.side not in ordered:
                shots[shot.side] = shot
    for side in SIDES:
        if side in shots:
            gunnery.fire(battle, play, ship, shots[side])


def _of(which: str, played: Played) -> Played:
    """A stage of the first or the second player."""

    def stage(battle: Battle, play: Play) -> None:
        battle.active = getattr(battle, which)
        played(battle, play)

    return stage


def _begins(which: str) -> Callable[[Battle, Play], None]:
    def begin(battle: Battle, play: Play) -> None:
        begin_turn(battle, play, getattr(battle, which))
        burning.fires(battle, play)

    return begin


def _player_turn(which: str, number: int) -> Iterator[Row]:
    """The stages of one player turn. Rules: A.S4-A.S11."""
    name = which.title()
    stages: tuple[tuple[str, tuple[str, ...], str, Played], ...] = (
        ("S5", ("A.S5", "A.B11"), "parts entangled ships", boarding.separate),
        ("S6", ("A.S6", "A.T7", "A.T2"), "refloats and weighs", _float),
        ("S7", ("A.S7", "A.D12"), "wrecks in high seas", hazards.high_seas),
        ("S8", ("A.S8", "A.R1"), "raises masts", hazards.repair),
        ("S9", ("A.S9", "A.M9", "A.L1", "A.F5", "A.B3"), "moves and fires", movement.move_side),
        ("S10", ("A.S10", "A.B9"), "late volleys and fights", combat),
    )
    yield Row(Step(f"{number}-S4", ("A.S4", "A.X3", "A.X4"), f"{name} side: ships on fire"), _begins(which))
    for code, clauses, what, played in stages:
        yield Row(Step(f"{number}-{code}", clauses, f"{name} side: {what}"), _of(which, played))


def _float(battle: Battle, play: Play) -> None:
    hazards.refloat(battle, play)
    hazards.weigh(battle, play)


SEQUENCE = Sequence(
    (
        Row(Step("G37", ("A.G37",), "Squadrons arrive"), layout.arrivals),
        *_player_turn("first", 1),
        *_player_turn("second", 2),
        Row(Step("S12", ("A.S12", "A.W5", "A.W6"), "The wind"), wind.change),
        Row(Step("V1", ("A.M20", "A.V1"), "Ships leave; check for the end of the battle"), closing.close),
    ),
    Row(Step("G24", ("A.G24", "A.X11", "A.G6"), "After the battle"), closing.after_battle),
)
STEPS: tuple[Step, ...] = SEQUENCE.steps


def play_round(battle: Battle, play: Play) -> None:
    """Play one whole round, and what follows the battle when it was the last. Raises ValueError when it is over already. Rule: A.P9."""
    if battle.ended:
        raise ValueError("the battle is over")
    battle.turn += 1
    SEQUENCE.play(battle, play, battle.turn)
