"""Which ships leave a fleet, under what name and in what squadron; positions off a port; what is left of standing orders."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.scenario import Stance
from campaign.rules.chart.types import FleetOrder, Instructions, OnArrival, Part, Position, Settings
from campaign.rules.orders.standing_orders import order_left
from campaign.rules.sailing.parting import (
    group_name,
    leave_behind,
    make_for_rendezvous,
    new_code,
    part,
    rendezvous,
)
from campaign.rules.sailing.ports import lies_off, standing_off
from campaign.rules.state.state import FleetState
from campaign.rules.state.world import Chart
from campaign.rules.turn import turn
from tests.campaign.rules import builders as b

VAN, REAR = "e-van", "e-rear"


def chart(*over: dict[str, Any], at: Position | None = None, **fleet: Any) -> Chart:
    """England's e at a with e1 and e2 in the van, e3 in the rear and the prize e4; over: what is other of each in turn."""
    rows = [{"squadron": VAN}, {"squadron": VAN}, {"squadron": REAR}, {"squadron": "prizes", "prize": True}]
    changes = [*over, *({} for _ in rows)]
    ships = [b.ship(f"e{n}", "ENG", "e", **{**row, **changes[n - 1]}) for n, row in enumerate(rows, 1)]
    fleets = [b.fleet("e", "ENG", "a"), b.fleet("d", "NLD", "theirs")]
    made = b.facts(fleets, [*ships, b.ship("d1", "NLD", "d")], settings=Settings(blockade_miles=6))
    state = turn.standing(made)
    found = Chart(made, state, ScriptedDice(()))
    found.alter(state.fleets["e"], **({"position": at} if at else {}), **fleet)
    return found


def parted(made: Chart, *codes: str, home: str = "") -> FleetState:
    ships = [made.state.ships[code] for code in codes]
    return part(made, made.state.fleets["e"], ships, name="Gone", home=home)


def squadrons(made: Chart, fleet: str) -> dict[str, str]:
    return {ship.code: ship.squadron for ship in made.ships_of(fleet)}


@pytest.mark.clause("G.MV4", "G.GF3")
def test_ships_that_part_from_their_squadron_form_their_own_until_they_return() -> None:
    made = chart(under_way=True, path=("a", "b"), still_until=9, free_until=9, free_from=("d",))
    gone = parted(made, "e1", "e3", "e4")
    assert gone.code == "ENG-p1-1" and gone.homes == (("e1", VAN),) and gone.home == ""
    assert squadrons(made, gone.code) == {"e1": gone.code, "e3": REAR, "e4": "prizes"}
    assert squadrons(made, "e") == {"e2": VAN}
    assert (gone.rejoins, gone.name, gone.position, gone.path, gone.under_way) == (
        "e", "Gone", Position("a"), (), False,
    )  # fmt: skip
    assert (gone.still_until, gone.free_until, gone.free_from) == (0, 0, ())
    assert (gone.order.stance, gone.order.on_arrival) == (Stance.AVOID, OnArrival.JOIN)
    assert new_code(made, "ENG") == "ENG-p1-2" and new_code(made, "NLD") == "NLD-p1-1"


@pytest.mark.clause("G.MV4", "G.PR1")
def test_no_squadron_looks_for_a_prize_that_parts_from_other_prizes() -> None:
    made = chart({}, {}, {"squadron": "prizes", "prize": True})
    gone = parted(made, "e1", "e4")
    assert gone.homes == (("e1", VAN),)
    assert squadrons(made, gone.code) == {"e1": gone.code, "e4": "prizes"}


@pytest.mark.clause("G.MV4", "G.GF3")
@pytest.mark.parametrize(
    ("code", "home", "squadron"),
    [("e3", REAR, "ENG-p1-1"), ("e1", VAN, "ENG-p1-1"), ("e4", "prizes", "prizes")],
)
def test_a_ship_that_parts_alone_is_a_squadron_of_her_own_unless_a_prize(
    code: str, home: str, squadron: str
) -> None:
    made = chart()
    gone = parted(made, code, home=home)
    assert (gone.home, gone.homes) == (home, ())
    assert squadrons(made, gone.code) == {code: squadron}


# Dismasted, and too great for any of the others to tow.
HULK = {"condition": {"lost": 20}, "card": {"hull": 20, "value": 100}}


@pytest.mark.clause("G.MV1", "T.C8")
@pytest.mark.parametrize(
    ("over", "at", "left", "name", "home"),
    [
        ((), "a", [], "", ""),
        ((HULK,), "home", [], "", ""),
        ((HULK, HULK, HULK, HULK), "a", [], "", ""),
        ((HULK, {}, HULK), "a", ["e1", "e3"], "Cripples of Fleet e", ""),
        ((HULK,), "a", ["e1"], "Ship e1", VAN),
    ],
)
def test_ships_that_no_one_can_tow_are_left_behind_at_sea(
    over: tuple[dict[str, Any], ...], at: str, left: list[str], name: str, home: str
) -> None:
    made = chart(*over, at=Position(at))
    gone = leave_behind(made, made.state.fleets["e"])
    assert (gone is not None) is bool(left)
    if gone is not None:
        assert (gone.name, gone.home, list(squadrons(made, gone.code))) == (name, home, left)
    assert len(made.ships_of("e")) == 4 - len(left)
    assert [sorted(event.data["ships"]) for event in made.state.events] == ([left] if left else [])


@pytest.mark.clause("G.MV5", "G.GF3")
def test_the_rendezvous_is_the_one_named_unless_hostile_and_otherwise_the_end_of_the_route_or_the_nearest_place() -> (
    None
):
    for named, route, at, place in (
        ("n", ("b", "c"), Position("a"), "n"),
        ("theirs", ("b", "c"), Position("a"), "c"),
        ("", ("b", "c"), Position("a"), "c"),
        ("", (), Position("a", "b", 31_000), "b"),
        ("", (), Position("a", "b", 29_000), "a"),
    ):
        order = FleetOrder("e", route, instructions=Instructions(rendezvous=named))
        made = chart(at=at, order=order)
        assert rendezvous(made, made.state.fleets["e"]) == place
    made = chart(order=FleetOrder("e", ("b", "c")))
    gone = make_for_rendezvous(made, parted(made, "e3"), made.state.fleets["e"])
    assert (gone.order.route, gone.path) == (("b", "c"), ())


def test_a_group_whose_name_is_taken_is_called_the_second() -> None:
    assert group_name("Cripples", "F", {"Cripples of F"}) == "Cripples of F (2)"
    assert group_name("Prizes", "Fleet of England", set()) == "Prizes of the Fleet of England"
    assert (
        group_name("Cripples", "Prizes of the Fleet of England", set()) == "Cripples of the Fleet of England"
    )


def test_a_groups_name_has_up_to_74_letters_before_its_number() -> None:
    name = group_name("Aground", "x" * 80, set())
    assert len(name) == 74 and name.startswith("Aground of xxx")
    assert group_name("Aground", "x" * 63, set()) == f"Aground of {'x' * 63}"
    taken = {"Cripples of F", *(f"Cripples of F ({n})" for n in range(2, 6))}
    assert group_name("Cripples", "F", taken) == "Cripples of F (6)"


@pytest.mark.clause("G.BL1", "G.PT1")
@pytest.mark.parametrize(
    ("arrival", "route", "position", "off", "port"),
    [
        (OnArrival.BLOCKADE, ("theirs",), Position("c", "theirs", 54_000), 6_000, "theirs"),
        (OnArrival.BLOCKADE, ("theirs",), Position("c", "theirs", 53_999), 6_000, ""),
        (OnArrival.ATTACK, ("theirs",), Position("c", "theirs", 59_000), 1_000, "theirs"),
        (OnArrival.ATTACK, ("theirs",), Position("c", "theirs", 58_999), 1_000, ""),
        (OnArrival.ANCHOR, ("theirs",), Position("c", "theirs", 60_000), 0, ""),
        (OnArrival.BLOCKADE, ("c", "theirs"), Position("b", "c", 59_000), 0, ""),
        (OnArrival.BLOCKADE, ("home",), Position("a", "home", 59_000), 0, ""),
        (OnArrival.BLOCKADE, ("theirs",), Position("c"), 6_000, ""),
        (OnArrival.BLOCKADE, ("theirs",), Position("c", "b", 59_000), 6_000, ""),
        (OnArrival.BLOCKADE, ("theirs",), Position("a"), 6_000, ""),
        (OnArrival.BLOCKADE, (), Position("theirs"), 0, ""),
    ],
)
def test_a_blockader_lies_six_miles_off_its_port_and_an_attacker_one(
    arrival: OnArrival, route: tuple[str, ...], position: Position, off: int, port: str
) -> None:
    made = chart(at=position, order=FleetOrder("e", route, on_arrival=arrival))
    fleet = made.state.fleets["e"]
    assert lies_off(made, fleet) == port
    assert standing_off(made, fleet, route[-1] if route else "theirs") == off


def standing(*parts: Part, route: tuple[str, ...] = (), at: Position | None = None) -> Any:
    """What is left of orders of a fleet of e0 to e4 at a, of which e4 is a prize."""
    ships = [b.ship(f"e{n}", "ENG", "e", prize=n == 4) for n in range(5)]
    own = replace(b.fleet("e", "ENG", "a"), **({"position": at} if at else {}))
    return order_left(b.facts([own], ships), FleetOrder("e", route, parts=parts))


@pytest.mark.clause("G.MV4")
def test_detachments_that_together_leave_no_one_to_fight_lose_the_last_of_them() -> None:
    first, second = Part(("e0", "e1"), name="One"), Part(("e2", "e3"), name="Two")
    third = Part(("e2",), name="Three")
    left = standing(first, second)
    assert left.order.parts == (first,)
    assert [(row.part, row.ships, row.why) for row in left.fallen] == [
        (second, (), "Fleet e would have no ship left that can fight.")
    ]
    assert standing(first, third).order.parts == (first, third) and standing(first, third).fallen == ()
    assert standing(first, second, third).order.parts == (first, third)
    prize = Part(("e4",), name="Prize")
    assert standing(prize).order.parts == (prize,)


@pytest.mark.clause("G.MV2")
def test_a_route_that_can_be_sailed_is_left_alone_and_another_begins_with_the_way_back() -> None:
    between = Position("a", "b", 50_000)
    for route, at, led, then in (
        ((), between, False, ()),
        (("b", "c"), between, False, ("b", "c")),
        (("c",), between, True, ("b", "c")),
        (("home",), between, True, ("a", "home")),
        (("n",), Position("a"), True, ("b", "n")),
    ):
        left = standing(route=route, at=at)
        assert (left.order.route, left.led_back) == (then, led)
        parts = standing(Part(("e0",), name="One", route=route), at=at).order.parts
        assert [row.route for row in parts] == [then]
    unknown = order_left(b.facts([b.fleet("e", "ENG", "a")]), FleetOrder("x", ("moon",)))
    assert (unknown.order.route, unknown.fallen, unknown.led_back) == (("moon",), (), False)
