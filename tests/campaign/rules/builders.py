"""Builders of facts for the chart's tests: a small square sea, the Narrow Seas of 1666, a plain rule set, outcomes made by hand."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from battles.engine.core.at_sea import AtSea, Trade, Work
from battles.engine.core.dice import DiceError, KeyedDice
from battles.engine.core.ruleset import GUNSHOT, RuleSet
from battles.engine.core.scenario import Stance, Strength
from campaign.rules.chart.theatre import read_theatre
from campaign.rules.chart.types import (
    Battles,
    FleetFacts,
    FleetOrder,
    Position,
    Settings,
    ShipKind,
    ShipSheet,
    SideFacts,
    SquadronFacts,
    Stop,
    Theatre,
    TurnDone,
    TurnFacts,
    Visibility,
)
from campaign.rules.state.setting_values import AS_BEFORE
from campaign.rules.state.state import TurnState, ZoneWeather
from campaign.rules.state.world import Chart
from campaign.rules.turn import turn

THEATRES = Path(__file__).resolve().parents[3] / "campaign" / "data" / "theatres"
SECRET = b"chart secret of the tests"


class PlainAtSea:
    """Answers from a card {"hull", "value"} and a condition {"lost"}: speed falls at half the hull, none is left at the whole.

    guns: per cent of its value that a ship's guns leave it, 100 where a condition does not say.
    """

    def sound(self, card: Mapping[str, Any]) -> dict[str, Any]:
        return {"lost": 0}

    def hull_fraction(self, card: Mapping[str, Any], condition: Mapping[str, Any]) -> Fraction:
        return Fraction(condition.get("lost", 0), card["hull"])

    def afloat(self, card: Mapping[str, Any], condition: Mapping[str, Any]) -> bool:
        return self.hull_fraction(card, condition) < 1

    def steps_lost(self, card: Mapping[str, Any], condition: Mapping[str, Any]) -> int:
        return int(4 * self.hull_fraction(card, condition))

    would_leave = AtSea.would_leave

    def deep(self, card: Mapping[str, Any]) -> bool:
        return bool(card.get("deep", True))

    def watch_at_sea(
        self,
        card: Mapping[str, Any],
        condition: Mapping[str, Any],
        strength: Strength,
        dice: Any,
        ship: str,
    ) -> dict[str, Any]:
        strain = card.get("strain", 0) if strength in (Strength.STRONG, Strength.GALE) else 0
        return {**condition, "lost": condition.get("lost", 0) + strain}

    port_batteries = lays_mines = stays_aground = strikes_by_night = False

    def mines(self, card: Mapping[str, Any]) -> int:
        return int(card.get("mines", 0))

    def mines_aboard(self, card: Mapping[str, Any]) -> int:
        return int(card.get("aboard", 0))

    def sweeps(self, card: Mapping[str, Any], year: int) -> bool:
        return bool(card.get("sweeps", False)) and year >= 1666

    def mined(
        self, card: Mapping[str, Any], condition: Mapping[str, Any], attack: int, defence: int
    ) -> dict[str, Any]:
        """The attack's lead over the defence in fifths of the hull."""
        lead = max(0, attack - defence) * card["hull"] // 5
        return {**condition, "lost": min(card["hull"], condition.get("lost", 0) + lead)}

    trade: Trade | None = None

    def stops_trade(self, card: Mapping[str, Any]) -> bool:
        return bool(card.get("raider", False))

    def torpedo_craft(self, card: Mapping[str, Any]) -> bool:
        return bool(card.get("torpedoes", False))

    def steam(self, card: Mapping[str, Any]) -> bool:
        return bool(card.get("steam", False))

    def hit(self, card: Mapping[str, Any], condition: Mapping[str, Any], hits: int) -> dict[str, Any]:
        return {**condition, "lost": min(card["hull"], condition.get("lost", 0) + hits)}

    def mast_lost(self, card: Mapping[str, Any], condition: Mapping[str, Any]) -> dict[str, Any]:
        return {**condition, "masts": condition.get("masts", 0) + 1}

    def at_anchor(self, scenario: Mapping[str, Any], side: str) -> dict[str, Any]:
        return {**scenario, "options": {**scenario["options"], "at_anchor": side}}

    def sea_speed(self, card: Mapping[str, Any], condition: Mapping[str, Any]) -> Fraction:
        lost = self.hull_fraction(card, condition)
        if lost >= 1:
            return Fraction(0)
        return Fraction(1) if lost < Fraction(1, 2) else Fraction(2, 3)

    def no_go(self, card: Mapping[str, Any], condition: Mapping[str, Any]) -> int:
        return 90 if self.hull_fraction(card, condition) >= Fraction(3, 4) else 60

    def men(self, card: Mapping[str, Any], condition: Mapping[str, Any], complement: int) -> int:
        return int(complement * (1 - self.hull_fraction(card, condition) / 2) + Fraction(1, 2))

    def can_sail(self, card: Mapping[str, Any], men: int, complement: int) -> bool:
        return 10 * men >= complement

    def work(self, card: Mapping[str, Any], condition: Mapping[str, Any]) -> Work:
        lost = self.hull_fraction(card, condition)
        names = ("none", "light", "medium", "heavy", "worse")
        hull = "none" if not lost else names[min(4, max(1, -(-4 * lost.numerator // lost.denominator)))]
        return Work(hull, condition.get("masts", 0), condition.get("batteries", 0))

    def mend(
        self, card: Mapping[str, Any], condition: Mapping[str, Any], *, done: str, men: int, complement: int
    ) -> dict[str, Any]:
        if done == "hull":
            return {**condition, "lost": 0}
        if done in ("mast", "battery"):
            name = {"mast": "masts", "battery": "batteries"}[done]
            return {**condition, name: condition.get(name, 0) - 1}
        return dict(condition)

    def pounds(self, card: Mapping[str, Any], condition: Mapping[str, Any]) -> int:
        return int(100 * self.value(card, condition))

    def commissioned(
        self, card: Mapping[str, Any], condition: Mapping[str, Any], *, men: int, complement: int
    ) -> dict[str, Any]:
        return dict(condition)

    def carpenters(self, card: Mapping[str, Any], condition: Mapping[str, Any]) -> dict[str, Any]:
        if not card.get("carpenters"):
            return dict(condition)
        return {**condition, "lost": condition.get("lost", 0) - condition.get("lost", 0) // 10}

    def jury_mast(self, card: Mapping[str, Any], condition: Mapping[str, Any]) -> dict[str, Any]:
        return {**condition, "masts": condition["masts"] - 1} if condition.get("masts") else dict(condition)

    def value(self, card: Mapping[str, Any], condition: Mapping[str, Any]) -> Fraction:
        return (
            card["value"]
            * (1 - self.hull_fraction(card, condition))
            * Fraction(condition.get("guns", 100), 100)
        )

    def whole_value(self, card: Mapping[str, Any]) -> Fraction:
        return Fraction(card["value"])


def plain_rules(**over: Any) -> SimpleNamespace:
    """What the chart asks of a rule set that has nothing of its own to say."""
    known: dict[str, Any] = {
        "name": "plain", "at_sea": PlainAtSea(), "turn_limit": 30, "wishes": RuleSet.wishes,
        "minutes_a_turn": lambda options: 30, "meets_at": lambda visibility: GUNSHOT, "guns_reach": lambda year: GUNSHOT,
        "by_night": lambda options: False, "hour_in": lambda sunrise, nightfall, visibility: {}, "port_in": lambda guard: {},
        "mines_in": lambda towards, sown, unsown: {"mines": [towards, dict(sown), dict(unsown)]},
    }  # fmt: skip
    return SimpleNamespace(**known | over)


PLAIN = plain_rules()
CARD = {"hull": 20, "value": 40}


def ship(code: str, side: str, fleet: str, **over: Any) -> ShipSheet:
    """A sound ship of the line with 300 men."""
    facts = {"nation": {"ENG": "England", "NLD": "Dutch Republic"}.get(side, side), "guns": 60}
    sheet = ShipSheet(
        code=code,
        name=f"Ship {code}",
        side=side,
        fleet=fleet,
        squadron=f"{fleet}-1",
        kind=ShipKind.LINE,
        card=CARD,
        condition={"lost": 0},
        facts=facts,
        complement=300,
        men=300,
        captain=f"Captain of {code}",
    )
    return replace(sheet, **over)


def fleet(
    code: str,
    side: str,
    at: str,
    *route: str,
    stance: Stance = Stance.HOLD,
    to: str = "",
    run: int = 0,
    **over: Any,
) -> FleetFacts:
    """A fleet under a standing order."""
    order = FleetOrder(code, route, stance)
    return replace(FleetFacts(code, f"Fleet {code}", side, Position(at, to, run), order), **over)


def month(prevailing: str = "W", usual: str = "moderate", haze: int = 0, fog: int = 0) -> dict[str, Any]:
    return {"prevailing": prevailing, "usual": usual, "haze_pct": haze, "fog_pct": fog}


def square_doc(**zone: Any) -> dict[str, Any]:
    """Five places on the equator and one to the north: home - a - b - c - theirs along 0 N, sixty miles each; n is north of b."""
    row = {"zone": "sea", "kind": "sea_area"}
    nodes = [
        {"id": "a", "name": "A", "latitude": 0.0, "longitude": 1.0, **row},
        {"id": "b", "name": "B", "latitude": 0.0, "longitude": 2.0, **row},
        {"id": "c", "name": "C", "latitude": 0.0, "longitude": 3.0, **row},
        {"id": "n", "name": "N", "latitude": 1.0, "longitude": 2.0, **row, "kind": "anchorage"},
    ]
    port = {"zone": "sea", "kind": "port", "dockyard_capacity": 3, "berths": 8}
    nodes.append(
        {"id": "home", "name": "Home", "latitude": 0.0, "longitude": 0.0, "owner": "England", **port}
    )
    nodes.append(
        {
            "id": "theirs",
            "name": "Theirs",
            "latitude": 0.0,
            "longitude": 4.0,
            "owner": "Dutch Republic",
            **port,
        }
    )
    months = {str(number): month(**zone) for number in range(1, 13)}
    return {
        "theatre": "square",
        "title": "A square sea",
        "nodes": nodes,
        "edges": [["home", "a"], ["a", "b"], ["b", "c"], ["c", "theirs"], ["b", "n"]],
        "weather_zones": [{"id": "sea", "name": "The sea", "months": months}],
        "daylight": {str(number): [5, 19] for number in range(1, 13)},
    }


@cache
def theatre(name: str) -> Theatre:
    """One of the theatres that come with the campaign."""
    return read_theatre(json.loads((THEATRES / f"{name}.json").read_text()))


def settings(**changed: Any) -> Settings:
    """Settings as by the first part of the rules: without flight before a battle, and fleets renew one unless told otherwise."""
    return Settings(**{**AS_BEFORE, "coast_miles": 0, "trade_warned_days": 0, **changed})


def facts(
    fleets: list[FleetFacts], ships: list[ShipSheet] | None = None, *, sea: Theatre | None = None, **over: Any
) -> TurnFacts:
    """Facts of a turn of one day between England and the Dutch Republic on the square sea; one ship a fleet unless given."""
    rows = ships if ships is not None else [ship(f"{f.code}1", f.side, f.code) for f in fleets]
    squadrons = {row.squadron: row for row in rows}
    made = TurnFacts(
        campaign="trial",
        turn=1,
        rule_set="plain",
        start_date="1666-06-01",
        first_hour=0,
        days=1,
        theatre=sea or read_theatre(square_doc()),
        settings=settings(end_turn_on="none"),
        sides={
            "ENG": SideFacts("ENG", "England", ("England",)),
            "NLD": SideFacts("NLD", "Dutch Republic", ("Dutch Republic",)),
        },
        at_war=frozenset({frozenset({"ENG", "NLD"})}),
        fleets={f.code: f for f in fleets},
        squadrons={
            code: SquadronFacts(code, f"Squadron {code}", row.fleet, row.code)
            for code, row in squadrons.items()
        },
        ships={row.code: row for row in rows},
    )
    return replace(made, **over)


def weather(wind: int = 270, strength: str = "moderate", visibility: str = "clear") -> dict[str, Any]:
    """Weather of the square sea, as a turn takes it over."""
    return {"sea": ZoneWeather(wind, Strength(strength), Visibility(visibility)).doc()}


def dice(made: TurnFacts) -> KeyedDice:
    """The chart's dice, made anew for a call."""
    return KeyedDice(SECRET, prefix=f"{made.campaign}/{made.turn}")


def outcome_of(
    call: Any, *, minutes: int = 120, ended: str = "parted", **fates: Mapping[str, Any]
) -> dict[str, Any]:
    """An outcome of a battle made by hand: every ship afloat and unhurt unless named in `fates`."""
    ships = [
        {
            "ship": row["id"], "side": side["id"], "fate": "afloat", "flags": [], "captor": "",
            "captor_ship": "", "prize_crew": 0, "prisoners": 0, "hits_given": 0, "hits_taken": 0,
            "position": None, "cause": "", "condition": row["condition"], **fates.get(row["id"], {}),
        }
        for side in call.scenario["sides"]
        for squadron in side["squadrons"]
        for row in squadron["ships"]
    ]  # fmt: skip
    return {
        "schema": 1, "rule_set": "plain", "turns": minutes // 30, "minutes": minutes, "ended": ended,
        "held_field": "", "wind": {}, "ships": ships, "officers": [],
    }  # fmt: skip


def play(
    made: TurnFacts,
    orders: Mapping[str, FleetOrder] | None = None,
    *,
    fought: Any = outcome_of,
    reload: bool = False,
) -> tuple[TurnState, list[Stop]]:
    """A whole turn, battles fought by a function of their call. reload: store and read the state back at every stop.

    A turn always comes to its end, so an error inside it fails the test as a wrong result does.
    """
    try:
        return _played(made, orders or {}, fought, reload)
    except Exception as why:
        pytest.fail(f"the turn does not come to its end: {why!r}")


def _played(
    made: TurnFacts, orders: Mapping[str, FleetOrder], fought: Any, reload: bool
) -> tuple[TurnState, list[Stop]]:
    state = turn.begin(made, orders, dice(made))
    stops: list[Stop] = []
    outcomes: dict[str, Any] = {}
    while True:
        if reload:
            state = TurnState.from_dict(json.loads(json.dumps(state.to_dict())))
        state, stop = turn.advance(made, state, outcomes, dice(made))
        stops.append(stop)
        if isinstance(stop, TurnDone):
            return state, stops
        outcomes = {call.code: fought(call) for call in stop.calls} if isinstance(stop, Battles) else {}


def step(act: Callable[[Chart], Any], chart: Chart) -> None:
    """One step of an hour, which always comes to its end: an error inside it fails the test as a wrong result does.

    Scripted dice tell of a throw that is not theirs by their own error.
    """
    try:
        act(chart)
    except DiceError:
        raise
    except Exception as why:
        pytest.fail(f"{act.__name__} does not come to its end: {why!r}")


def next_facts(made: TurnFacts, state: TurnState) -> TurnFacts:
    """The facts of the turn after this one, as the campaign makes them from a finished state."""
    fleets = {
        code: replace(
            made.fleets.get(code) or FleetFacts(code, now.name, now.side, now.position, now.order),
            position=now.position,
            order=now.order,
            free_until=now.free_until,
        )
        for code, now in state.fleets.items()
        if not now.ended
    }
    ships = {
        code: replace(
            made.ships[code],
            side=now.side,
            fleet=now.fleet,
            squadron=now.squadron,
            condition=now.condition,
            men=now.men,
            captain=now.captain,
            order=now.order,
            prize=now.prize,
        )
        for code, now in state.ships.items()
        if now.fleet
    }
    over = turn.carried_over(made, state)
    return replace(made, turn=made.turn + 1, first_hour=state.hour, fleets=fleets, ships=ships, **over)
