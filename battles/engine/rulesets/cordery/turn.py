"""The sequence of play: one function a step, in order. Rules: C.P9, C.S1-C.S10."""

from __future__ import annotations

from battles.engine.core.sequence import Row, Sequence, Step
from battles.engine.rulesets.cordery import ending, firing, flotation, gunnery, layout, movement
from battles.engine.rulesets.cordery.play import WEAPONS, Play
from battles.engine.rulesets.cordery.state import Battle, Status


def play_turn(battle: Battle, play: Play) -> None:
    """Play one turn; in the turn in which the battle ends, its end as well. Raises ValueError when it is over. Rule: C.P9."""
    if battle.ended:
        raise ValueError("the battle is over")
    battle.turn += 1
    battle.first = ""
    for kept in (play.able, play.silent, play.shots, play.bridges, play.moved, play.fp_at_start):
        kept.clear()
    play.fired = False
    SEQUENCE.play(battle, play, battle.turn)


def arrive(battle: Battle, play: Play) -> None:
    """Squadrons whose turn has come enter. Rule: C.K36."""
    for code, squadron in battle.squadrons.items():
        if not squadron.arrives or squadron.arrives > battle.turn:
            continue
        squadron.arrives = 0
        for ship in layout.enter(battle, code):
            ship.status = Status.IN_PLAY
            play.tell("arrived", "C.K36", ship.id, x=ship.x, y=ship.y, h=ship.h)


def declare(battle: Battle, play: Play) -> None:
    """What fires this turn is noted, and all targets are declared. Rules: C.S2, C.S6."""
    play.fp_at_start = {ship.id: ship.fp for ship in battle.in_play()}
    firing.begin(battle, play)
    if battle.options["declare"] == "all":
        firing.declare(battle, play, WEAPONS)


def initiative(battle: Battle, play: Play) -> None:
    """Which side moves first: the higher die, thrown again when equal; a surprised side in the first turn. Rules: C.S7, C.K36."""
    surprised = [code for code in battle.sides if code in battle.surprised] if battle.turn == 1 else []
    if len(surprised) == 1:
        battle.first = surprised[0]
        play.tell("initiative", "C.K36", first=battle.first, dice=[])
        return
    dice: list[int] = []
    while len(dice) < 2 or dice[-1] == dice[-2]:
        dice += [
            play.dice.d6(clause="C.S7", subjects=(battle.turn, side, len(dice) // 2), reason="initiative")
            for side in battle.sides
        ]
    first, second = battle.sides
    battle.first = first if dice[-2] > dice[-1] else second
    play.tell("initiative", "C.S7", first=battle.first, dice=dice)


def move_first(battle: Battle, play: Play) -> None:
    """The side that won the throw moves. Rule: C.S8."""
    movement.move(battle, play, battle.first)


def move_second(battle: Battle, play: Play) -> None:
    """The other side moves, and the counters of the phase run down. Rules: C.S9, C.S10."""
    movement.move(battle, play, battle.other(battle.first))
    movement.tick(battle)


SEQUENCE = Sequence(
    (
        Row(Step("come", ("C.K36",), "Squadrons arrive"), arrive),
        Row(Step("fires", ("C.S1", "C.F2", "C.F3"), "Fires aboard"), flotation.throw_fires),
        Row(Step("declare", ("C.S2", "C.G7", "C.G8"), "Targets"), declare),
        Row(Step("main", ("C.S3", "C.G11", "C.H1"), "Main armament"), gunnery.main),
        Row(Step("secondary", ("C.S4", "C.G11", "C.H8"), "Secondary armament"), gunnery.secondary),
        Row(Step("torpedoes", ("C.S5", "C.T5"), "Torpedoes"), gunnery.torpedoes),
        Row(Step("settle", ("C.S6", "C.D2", "C.D6"), "Losses take effect"), flotation.settle),
        Row(Step("initiative", ("C.S7",), "Initiative"), initiative),
        Row(Step("first", ("C.S8", "C.M3", "C.R1"), "The first side moves"), move_first),
        Row(Step("second", ("C.S9", "C.M3", "C.R1"), "The second side moves"), move_second),
        Row(Step("end", ("C.S10", "C.V1"), "End of the turn"), ending.close),
    ),
    Row(Step("after", ("C.F5", "C.K24", "C.V2"), "After the battle"), ending.after_battle),
)
STEPS = SEQUENCE.steps
