"""Two admirals against each other on a real theatre, battles by a square law: weeks of war in less than a second."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from typing import Any

from battles.engine.core.dice import KeyedDice
from campaign.rules.chart.types import Battles, FleetFacts, FleetOrder, ShipKind, TurnDone, TurnFacts
from campaign.rules.orders.orders import order_faults
from campaign.rules.state.duties import Cargo, Duties
from campaign.rules.state.state import TurnState
from campaign.rules.turn import turn
from campaign.rules.turn.knowledge import Knowledge, knowledge_of
from campaign.rules.turn.score import points_of, totals
from tests.campaign.rules import builders as b

Admiral = Callable[[Knowledge], dict[str, FleetOrder]]
TURNS, DAYS = 6, 3


def strengths(weaker: str = "") -> TurnFacts:
    """Each side a great fleet, a detached squadron, two scouts and a convoy. weaker: side that has two thirds of the other's ships."""
    rows = [
        ("ENG", "albemarle", "nore", 12), ("ENG", "rupert", "isle_of_wight", 6), ("ENG", "look", "downs", 2),
        ("NLD", "ruyter", "schooneveld", 13), ("NLD", "evertsen", "vlie", 5), ("NLD", "jacht", "goeree", 2),
        ("ENG", "coal", "tyne", 4), ("NLD", "hout", "naze", 4),
    ]  # fmt: skip
    kinds = {
        "look": ShipKind.FRIGATE,
        "jacht": ShipKind.FRIGATE,
        "coal": ShipKind.MERCHANT,
        "hout": ShipKind.MERCHANT,
    }
    goals = {"coal": "thames", "hout": "texel"}
    fleets: list[FleetFacts] = []
    ships, cargoes = [], {}
    third = {"albemarle": 8, "rupert": 4, "ruyter": 8, "evertsen": 4}
    for side, code, at, number in rows:
        kind = kinds.get(code, ShipKind.LINE)
        fleets.append(b.fleet(code, side, at, scout=kind is ShipKind.FRIGATE))
        value = {ShipKind.LINE: 40, ShipKind.FRIGATE: 20, ShipKind.MERCHANT: 10}[kind]
        for n in range(third.get(code, number) if side == weaker else number):
            name = f"{code}{n:02d}"
            men = 40 if kind is ShipKind.MERCHANT else 6 * value
            sheet = b.ship(name, side, code, kind=kind, card={"hull": 20, "value": value}, men=men)
            ships.append(replace(sheet, complement=men))
            if code in goals:
                cargoes[name] = Cargo(15, goals[code], side)
    carried = {"duties": Duties(cargoes=cargoes).doc()}
    return b.facts(
        fleets, ships, sea=b.theatre("narrow_seas_1666"), start_date="1666-05-30", days=DAYS, carried=carried
    )


def square_law(call: Any, seed: str) -> dict[str, Any]:
    """What becomes of the ships: each side's hulls go by the other's strength to its own, the worst hurt are taken."""
    sides = {
        side["id"]: [s for q in side["squadrons"] for s in q["ships"]] for side in call.scenario["sides"]
    }
    strength = {code: sum((_worth(s) for s in ships), Fraction(0)) for code, ships in sides.items()}
    fates: dict[str, dict[str, Any]] = {}
    for code, ships in sides.items():
        (other,) = set(sides) - {code}
        ratio = (strength[other] + 1) / (strength[code] + 1)
        taker = max(
            (s for s in sides[other] if not s["prize"]), key=lambda s: (_worth(s), s["id"]), default=None
        )
        for ship in ships:
            luck = Fraction(sha256(f"{seed}/{call.code}/{ship['id']}".encode()).digest()[0], 255)
            lost = min(20, ship["condition"]["lost"] + int(12 * luck * min(ratio, 3)))
            entry: dict[str, Any] = {"condition": {"lost": lost}}
            if (lost >= 18 or (ship["prize"] and ratio > 1)) and taker is not None and ratio > Fraction(4, 5):
                entry |= {
                    "fate": "captured", "captor": other, "captor_ship": taker["id"], "prize_crew": 10, "prisoners": 40,
                    "condition": {"lost": min(lost, 19)},
                }  # fmt: skip
            fates[ship["id"]] = entry
    return b.outcome_of(call, minutes=300, **fates)


def _worth(ship: Mapping[str, Any]) -> Fraction:
    """Strength of a ship in a battle by her full complement and her hull; a prize has none."""
    if ship["prize"]:
        return Fraction(0)
    return ship["complement"] * (1 - Fraction(ship["condition"]["lost"], 20))


def war(made: TurnFacts, admirals: Mapping[str, Admiral], seed: str) -> dict[str, Fraction]:
    """Points of each side in the end. Rule: G.VP1."""
    events: list[tuple[int, str, Mapping[str, Any]]] = []
    worth = {code: Fraction(sheet.card["value"]) for code, sheet in made.ships.items()}
    for _ in range(TURNS):
        orders: dict[str, FleetOrder] = {}
        for side in sorted(admirals):
            given = admirals[side](knowledge_of(made, None, side))
            assert all(order_faults(made, order, side) == () for order in given.values()), given
            orders |= given
        state = _turn(made, orders, seed)
        events += [(e.hour, e.kind, {**e.data, **_named(e.data, made.turn)}) for e in state.events]
        made = replace(b.next_facts(_known(made, state), state), days=DAYS)
    return totals(points_of(events, worth, made.settings))


def _named(data: Mapping[str, Any], number: int) -> dict[str, str]:
    return {"battle": f"{number}/{data['battle']}"} if "battle" in data else {}


def _known(made: TurnFacts, state: TurnState) -> TurnFacts:
    """Facts that still have the sheets of all ships, lost ones too."""
    return replace(made, ships={code: made.ships[code] for code in state.ships})


def _turn(made: TurnFacts, orders: Mapping[str, FleetOrder], seed: str) -> TurnState:
    def dice() -> KeyedDice:
        return KeyedDice(seed.encode(), prefix=f"{made.campaign}/{made.turn}")

    state = turn.begin(made, orders, dice())
    outcomes: dict[str, Any] = {}
    while True:
        state, stop = turn.advance(made, state, outcomes, dice())
        if isinstance(stop, TurnDone):
            return state
        outcomes = (
            {call.code: square_law(call, f"{seed}/{made.turn}") for call in stop.calls}
            if isinstance(stop, Battles)
            else {}
        )
