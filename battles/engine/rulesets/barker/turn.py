"""The sequence of play: a pair of spells a turn, eight steps each. Rules: P.C04, P.C05, P.K40."""

from __future__ import annotations

from battles.engine.core.sequence import Row, Sequence, Step
from battles.engine.rulesets.barker import after, ending, fire, light, movement, nip, orders, searches
from battles.engine.rulesets.barker.play import Play
from battles.engine.rulesets.barker.state import Battle
from battles.engine.rulesets.barker.tables import TURN_SECONDS


def play_turn(battle: Battle, play: Play) -> None:
    """Play a pair of spells; when the battle ends, its end as well. Raises ValueError when it is over. Rules: P.C04, P.K40."""
    if battle.ended:
        raise ValueError("the battle is over")
    number = battle.turn + 1
    for _ in battle.sides:
        if not battle.ended:
            SEQUENCE.play(battle, play, number)
    battle.turn = turn(battle.clock, battle.last_turn)


def turn(clock: int, limit: int) -> int:
    """The turn of the campaign that the clock has reached: five minutes each, never over the limit. Rule: P.K40."""
    return min(-(-clock // TURN_SECONDS), limit)


SEQUENCE = Sequence(
    (
        Row(Step("light", ("P.T10", "P.W11", "P.V01"), "Light and weather"), light.begin_spell),
        Row(Step("searches", ("P.N08",), "Searches of stopped vessels"), searches.search),
        Row(Step("nip", ("P.I01", "P.W05", "P.W07"), "Initiative points"), nip.throw),
        Row(Step("signals", ("P.G01", "P.G11", "P.R05"), "Signals and orders"), orders.give),
        Row(Step("move", ("P.M01", "P.I07", "P.X06", "P.A01"), "Movement"), movement.move),
        Row(Step("after", ("P.S18", "P.R03", "P.N05"), "After the movement"), after.play),
        Row(Step("fire", ("P.F01", "P.F02", "P.V14"), "Shooting"), fire.shoot),
        Row(Step("end", ("P.C10", "P.O06", "P.T09"), "End of the spell"), ending.close),
    ),
    Row(Step("over", ("P.K29",), "After the battle"), ending.after_battle),
)
STEPS = SEQUENCE.steps
