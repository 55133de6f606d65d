"""The rule set: cards, the chart's questions, the opening and the end. Rules: Y.1, Y.2, Y.9, Y.10."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from battles.engine.core import at_sea
from battles.engine.core.at_sea import Mark
from battles.engine.core.crews import complement, prize_crew
from battles.engine.core.dice import Dice
from battles.engine.core.errors import Fault
from battles.engine.core.fates import Fate
from battles.engine.core.log import Log
from battles.engine.core.outcome import Outcome, ShipOutcome
from battles.engine.core.parties import (
    SquadronState,
    absence_faults,
    entries,
    officers_of,
    sides_of,
    squadrons_of,
)
from battles.engine.core.ruleset import RuleSet
from battles.engine.core.scenario import Scenario, ShipFacts, Strength
from tests.support.tiny_set import state, turn
from tests.support.tiny_set.captain import Straight, View
from tests.support.tiny_set.events import KINDS, LogView
from tests.support.tiny_set.orders import CLAUSES, parse
from tests.support.tiny_set.state import Battle, Boat

GAP, FEWEST, MOST = 8, 2, 12
Doc = Mapping[str, Any]


class AtSea(at_sea.AtSea):
    """The chart's questions: points lost, and the defaults for all the rest. Rule: Y.1."""

    def sound(self, card: Doc) -> dict[str, Any]:
        """Nothing lost."""
        return {"schema": 1, "lost": 0}

    def hull_fraction(self, card: Doc, condition: Doc) -> Fraction:
        """Points lost of all."""
        return Fraction(condition["lost"], card["points"])

    def whole_value(self, card: Doc) -> Fraction:
        """Her points."""
        return Fraction(card["points"])

    def steam(self, card: Doc) -> bool:
        """Every boat but one that her register calls a sailing boat. Rule: Y.1."""
        return bool(card["steam"])

    def hit(self, card: Doc, condition: Doc, hits: int) -> dict[str, Any]:
        """Points more are lost."""
        return {**condition, "lost": min(card["points"], condition["lost"] + hits)}

    def marks(self, card: Doc, condition: Doc) -> tuple[Mark, ...]:
        """The points lost."""
        return (Mark("lost", "Points lost", condition["lost"], 0, card["points"] - 1, "Y.7"),)

    def with_marks(self, card: Doc, condition: Doc, values: Mapping[str, int]) -> dict[str, Any]:
        """Points lost as on the card."""
        return {**condition, **values}


class TwoRows(RuleSet[Battle]):
    """Ten clauses."""

    name = "tiny"
    title = "Two rows, 1862"
    schema = state.SCHEMA
    steps = turn.STEPS
    turn_limit = turn.TURNS
    at_sea = AtSea()
    captains = {"plain": Straight, "commander": Straight}
    wishes = frozenset({"stance", "fight_at", "chase", "board", "break_off", "protect"})
    kinds = KINDS
    clauses = CLAUSES
    view = View
    log_view = LogView

    parse = staticmethod(parse)
    play_turn = staticmethod(turn.play_turn)
    to_dict = staticmethod(state.to_dict)
    from_dict = staticmethod(state.from_dict)

    def card(self, facts: ShipFacts) -> dict[str, Any]:
        """Points by guns. Rule: Y.1."""
        points = max(FEWEST, min(MOST, facts.guns or 0))
        return {"schema": 1, "points": points, "steam": "sail" not in facts.tags}

    def explain(self, facts: ShipFacts) -> tuple[tuple[str, str, str], ...]:
        """How the points came about."""
        return (("points", "Y.1", "One point for each gun."),)

    def setup_faults(self, scenario: Scenario) -> Iterator[Fault]:
        """Conditions that are none, and sides that are not there. Rules: Y.1, Y.2."""
        yield from absence_faults(scenario)
        for path, ship in entries(scenario):
            lost = (ship.condition or {"lost": 0}).get("lost")
            most = self.card(ship.facts)["points"] - 1
            if lost is None or not 0 <= lost <= most:
                yield Fault(
                    f"{path}.condition", f"not a condition of this set; points lost may be 0 to {most}"
                )

    def place(self, scenario: Scenario, dice: Dice, log: Log | None) -> Battle:
        """Two rows, or where the scenario puts a boat. Rule: Y.2."""
        ships = {}
        for n, side in enumerate(scenario.sides):
            rows = [(squadron, ship) for squadron in side.squadrons for ship in squadron.ships]
            for r, (squadron, ship) in enumerate(rows):
                whole = self.card(ship.facts)["points"]
                q, row = ship.position or (n * (scenario.gap or GAP), r)
                ships[ship.id] = Boat(
                    id=ship.id, name=ship.name, side=side.id, whole=whole,
                    left=whole - (ship.condition or {"lost": 0})["lost"],
                    complement=ship.complement or complement(ship.facts)[0], q=q, r=row, heading=4 if n else 1,
                    arrives=squadron.arrives, prize_of=side.id if ship.prize else "",
                )  # fmt: skip
                boat = ships[ship.id]
                if log is not None and not boat.arrives:
                    log.add(
                        "placed", "Y.2", boat.id, q=q, r=row, f=boat.heading, left=boat.left, steps=boat.steps
                    )
        return Battle(
            turn=0, last_turn=scenario.turn_limit or turn.TURNS, towards=scenario.wind_towards,
            strength=scenario.strength.value, sides=sides_of(scenario),
            squadrons=squadrons_of(scenario, SquadronState), ships=ships,
        )  # fmt: skip

    def turns_played(self, state: Battle) -> int:
        """How many turns are over."""
        return state.turn

    def result(self, state: Battle) -> Outcome:
        """What became of everybody. Rules: Y.7, Y.8, Y.10."""
        luck = {
            code: (row.flagship, _luck(state.ships[row.flagship]), "Y.10")
            for code, row in state.squadrons.items()
        }
        holding = {boat.side for boat in state.ships.values() if boat.fights}
        return Outcome(
            rule_set=self.name, turns=state.turn, minutes=state.turn * self.minutes, ended=state.ended,
            ships=tuple(map(_fate, state.ships.values())), officers=officers_of(state.squadrons, luck),
            held_field=holding.pop() if len(holding) == 1 else "",
            wind={"towards": state.towards, "strength": state.strength},
        )  # fmt: skip

    def seen_by(self, state: Battle, side: str) -> dict[str, Any]:
        """Every boat that is there, with the points of one's own."""
        boats = []
        for boat in state.ships.values():
            if boat.side == side or not boat.expected:
                row = {
                    "id": boat.id,
                    "name": boat.name,
                    "side": boat.side,
                    "heading": boat.heading,
                    "at": [boat.q, boat.r],
                }
                boats.append(
                    {**row, "steps": boat.steps, **({"left": boat.left} if boat.flag == side else {})}
                )
        officers = [row.officer for row in state.squadrons.values() if row.side == side]
        return {"schema": 1, "turn": state.turn, "ships": boats, "officers": officers}

    def weather_out(self, state: Battle) -> tuple[int, Strength]:
        """The wind as it was. Rule: Y.9."""
        return state.towards, Strength(state.strength)


def _luck(boat: Boat) -> str:
    return "killed" if boat.sunk else "captured" if boat.prize_of not in ("", boat.side) else "unhurt"


def _fate(boat: Boat) -> ShipOutcome:
    taken = boat.prize_of not in ("", boat.side)
    men = boat.complement // 2
    return ShipOutcome(
        ship=boat.id, side=boat.side, fate=Fate.SUNK if boat.sunk else Fate.CAPTURED if taken else Fate.AFLOAT,
        condition={"schema": 1, "lost": boat.whole - boat.left}, captor=boat.prize_of if taken else "",
        captor_ship=boat.captor, prize_crew=prize_crew(men, boat.complement) if taken else 0,
        prisoners=men if taken else 0, hits_given=boat.given, hits_taken=boat.taken,
        position=None if boat.expected else (boat.q, boat.r),
    )  # fmt: skip


RULES = TwoRows()
