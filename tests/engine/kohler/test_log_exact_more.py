"""What the log says of moves, losses and refusals, with the clause of each; and who is fired, or burnt out, and who is not."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.core.errors import NotationError
from battles.engine.core.orders import LONGEST
from battles.engine.rulesets.kohler import closing, damage, notation, sailing, turn, wind
from battles.engine.rulesets.kohler.play import Orders
from battles.engine.rulesets.kohler.state import Status, WindForce
from battles.engine.rulesets.kohler.view import View
from tests.engine.kohler.builders import battle, events, play, ship
from tests.engine.kohler.test_log_exact import told


@pytest.mark.clause("K.M31", "K.M12")
@pytest.mark.parametrize(("orders", "clause", "drift"), [("A", "K.M31", False), ("", "K.M12", True)])
def test_a_move_and_a_drift_are_logged_under_their_own_rules(orders: str, clause: str, drift: bool) -> None:
    one = ship(facing=2)
    played = play(orders={"E1": orders})
    sailing.activate(battle(one), played, one)
    assert [(row[1], row[3]["drift"]) for row in told(played)] == [(clause, drift)]


@pytest.mark.clause("K.X6", "K.M12")
@pytest.mark.parametrize(
    ("over", "clause", "path"),
    [({"facing": 3}, "K.X6", 3), ({"facing": 0}, "K.M12", 2)],
    ids=["runs", "drifts"],
)
def test_the_run_and_drift_of_a_burning_fire_ship_are_logged_under_their_own_rules(
    over: dict[str, Any], clause: str, path: int
) -> None:
    one = ship(fired=True, **over)
    played = play()
    sailing.activate_fire_ship(battle(one), played, one)
    assert [(row[0], row[1], len(row[3]["path"])) for row in told(played)] == [("moved", clause, path)]


@pytest.mark.clause("K.D12", "K.F14")
@pytest.mark.parametrize(
    ("clause", "by"),
    [("K.F14", "gunfire"), ("K.C3", "fire"), ("K.X13", "burning"), ("K.G13", "aground"), ("K.D1", "gunfire")],
)
def test_a_ship_that_sinks_is_logged_with_the_cause(clause: str, by: str) -> None:
    one = ship(hits_struct=21, steps_lost=3, fires=[1], unchecked_steps=[3])
    played = play()
    assert damage.cross_off(battle(one), played, one, struct=4, clause=clause) == 1
    row = {"struct": 1, "board": 0, "left": 0, "steps": 4, "level": 3, "fire": 0}
    assert told(played) == [("damage", clause, "E1", row), ("sunk", "K.D12", "E1", {"by": by})]
    assert (one.cause, one.fires, one.unchecked_steps, one.status) == (by, [], [], Status.SINKING)


@pytest.mark.clause("K.C5", "K.X7")
def test_ships_that_blow_up_or_burn_out_are_logged_with_the_ships_they_light() -> None:
    one, near, burning = ship(), ship(id="E2"), ship(id="E3", pos=(3, 0), fired=True, hits_struct=21)
    sea, played = battle(one, near, burning), play()
    damage.explode(sea, played, one)
    damage.cross_off(sea, played, burning, struct=1, clause="K.X7")
    assert [(row[0], row[1], row[2]) for row in told(played)] == [
        ("exploded", "K.C5", "E1"),
        ("alight", "K.C5", "E2"),
        ("damage", "K.X7", "E3"),
        ("burnt_out", "K.X7", "E3"),
    ]
    assert (one.cause, burning.cause) == ("fire", "fire ship")


@pytest.mark.clause("K.B22", "K.B24", "K.B25")
@pytest.mark.parametrize(
    ("captor", "first"),
    [
        ("D1", ("captured", "K.B22", "E1", {"captor": "D1", "side": "DUT"})),
        ("E2", ("retaken", "K.B25", "E1", {"by": "E2"})),
    ],
)
def test_a_ship_taken_or_retaken_is_logged_and_recounted(captor: str, first: tuple[Any, ...]) -> None:
    one = ship(hits_board=5, hits_struct=7, steps_lost=2, prize_of="" if captor == "D1" else "DUT")
    sea, played = battle(one, ship(id="D1", side="DUT"), ship(id="E2")), play()
    damage.capture(sea, played, one, sea.ships[captor])
    row = {"left": 15, "steps": 1, "level": 2, "fire": 6}
    assert told(played) == [first, ("recounted", "K.B24", "E1", row)]


@pytest.mark.clause("K.X4", "K.G27")
def test_only_burning_fire_ships_on_the_board_are_spent_as_the_battle_ends() -> None:
    burning, gone = ship(fired=True), ship(id="E2", fired=True, status=Status.GONE)
    waiting = ship(id="E3", is_fireship=True, pos=(2, 0))
    played = play()
    closing.after_battle(battle(burning, gone, waiting), played, gale=False)
    assert [one.status for one in (burning, gone, waiting)] == [Status.BURNT, Status.GONE, Status.AFLOAT]
    assert [event.ship for event in events(played, "burnt_out")] == ["E1"]


class Incendiary:
    """A captain who wishes to fire these ships."""

    def __init__(self, *ships: str) -> None:
        self.ships = ships

    def fire_ships(self, view: View) -> tuple[str, ...]:
        return self.ships


@pytest.mark.clause("K.X4", "K.X1")
@pytest.mark.parametrize(
    ("ordered", "asked", "over", "fired"),
    [
        (None, ("E1",), {}, True),
        (Orders(tokens=()), ("E1",), {}, False),
        (Orders(fire_ship=True), (), {}, True),
        (None, ("D1", "X9"), {}, False),
        (None, (), {}, False),
        (None, ("E1",), {"prize_of": "ENG"}, False),
        (None, ("E1",), {"status": Status.SINKING}, False),
    ],
)
def test_a_fire_ship_is_fired_by_her_orders_or_without_any_by_her_own_captain(
    ordered: Orders | None, asked: tuple[str, ...], over: dict[str, Any], fired: bool
) -> None:
    one = ship(is_fireship=True, **over)
    sea = battle(one, ship(id="D1", side="DUT", pos=(5, 0), is_fireship=True))
    orders = {} if ordered is None else {"E1": ordered}
    captains: Any = {"ENG": Incendiary(*asked)}
    turn.declare_fire_ships(sea, play(orders=orders, captains=captains, views={"ENG": View(sea, "ENG")}))
    assert one.fired is fired and not sea.ships["D1"].fired


def refused(text: str) -> str:
    """What is wrong with a line of orders, "" when it is read."""
    try:
        notation.parse(text)
    except NotationError as error:
        return str(error)
    return ""


@pytest.mark.clause("K.M31")
def test_a_dash_alone_means_no_movement_and_beside_other_orders_it_is_refused() -> None:
    assert refused("-") == refused("A") == refused("- X") == refused("") == ""
    assert refused("- A") == refused("A -") == '"-" stands for no movement and must stand alone'
    assert refused("A" * LONGEST) != refused("A" * (LONGEST + 1))
    assert "characters" in refused("A" * (LONGEST + 1)) and "characters" not in refused("A" * LONGEST)


@pytest.mark.clause("K.M31", "K.G9", "K.0.7")
def test_only_her_own_side_knows_of_a_ship_still_to_come() -> None:
    sea = battle(ship(), ship(id="D1", side="DUT", status=Status.EXPECTED), ship(id="D2", side="DUT"))

    def code(side: str, of: str) -> str:
        return notation.faults(sea, side, of, Orders(tokens=()))[0].code

    assert code("ENG", "D1") == code("ENG", "X9") == "order/unknown-ship"
    assert (code("ENG", "D2"), code("DUT", "D1")) == ("order/not-your-ship", "order/not-here")


@pytest.mark.clause("K.G25")
@pytest.mark.parametrize(("north", "towards"), [(7, 45), (8, 90), (22, 90), (52, 90), (53, 135)])
def test_the_wind_returns_to_the_chart_to_the_nearest_45_degrees(north: int, towards: int) -> None:
    assert wind.chart_wind(battle(ship(), wind=1, north=north, strength=WindForce.LIGHT))[0] == towards
