"""Ships that leave their fleet by order: detached, given to others, and brought back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from battles.engine.core.scenario import Stance
from campaign.rules.chart.types import FleetOrder, Instructions, OnArrival, Part, TurnFacts
from campaign.rules.orders.orders import order_faults
from campaign.rules.state.documents import order_doc, order_from
from campaign.rules.state.world import Chart
from campaign.rules.turn import turn
from campaign.rules.turn.joining import company_step
from tests.campaign.rules import builders as b

CRUISERS = Part(("e1", "e2"), name="Cruisers", route=("b",), stance=Stance.HOLD, on_arrival=OnArrival.PATROL)


def made(*others: str) -> TurnFacts:
    """A fleet of five ships in two squadrons at a, and fleets of one ship that lie there too."""
    ships = [b.ship(f"e{n}", "ENG", "e", squadron="van" if n < 3 else "rear", order=n) for n in range(5)]
    ships += [b.ship(f"{code}1", "ENG", code) for code in others] + [b.ship("d1", "NLD", "d")]
    fleets = [b.fleet(code, "ENG", "a") for code in ("e", *others)]
    return b.facts([*fleets, b.fleet("d", "NLD", "theirs")], ships, weather=b.weather(wind=0))


def codes(order: FleetOrder, *others: str) -> list[str]:
    return [fault.code for fault in order_faults(made(*others), order, "ENG")]


@pytest.mark.clause("G.MV4")
def test_detached_ships_sail_under_their_own_orders_and_the_parent_fleets_instructions() -> None:
    order = FleetOrder("e", instructions=Instructions(rendezvous="n"), parts=(CRUISERS,))
    state, _ = b.play(made(), {"e": order}, reload=True)
    new = state.fleets["ENG-p1-1"]
    assert (new.name, new.order.stance, new.order.instructions.rendezvous) == ("Cruisers", Stance.HOLD, "n")
    assert {s.code for s in state.ships.values() if s.fleet == new.code} == {"e1", "e2"}
    assert {state.ships[code].squadron for code in ("e1", "e2")} == {"ENG-p1-1"}
    assert new.position != state.fleets["e"].position
    assert state.fleets["e"].order.parts == ()
    (event,) = [e for e in state.events if e.kind == "detached"]
    assert (event.hour, event.knows, event.data["parent"]) == (0, ("ENG",), "e")


@pytest.mark.clause("G.MV4")
def test_ships_leave_and_come_back_only_at_six() -> None:
    order = FleetOrder("e", parts=(CRUISERS,))
    facts = made("f")
    joining = replace(facts.fleets["f"].order, on_arrival=OnArrival.JOIN)
    state = turn.begin(facts, {}, b.dice(facts))
    left, joined = [], []
    for hour in range(1, 49):
        now = state.copy()
        now.hour = hour
        now.fleets["e"] = replace(now.fleets["e"], order=order)
        now.fleets["f"] = replace(now.fleets["f"], order=joining)
        company_step(Chart(facts, now, b.dice(facts)))
        left += [hour] if "ENG-p1-1" in now.fleets else []
        joined += [hour] if now.fleets["f"].ended else []
    assert (left, joined) == ([24, 48], [24, 48])


@pytest.mark.clause("G.MV4")
def test_a_whole_squadron_that_leaves_stays_one() -> None:
    order = FleetOrder("e", parts=(Part(("e3", "e4"), name="Rear"),))
    state, _ = b.play(made(), {"e": order})
    assert {state.ships[code].squadron for code in ("e3", "e4")} == {"rear"}


@pytest.mark.clause("G.MV4")
def test_ships_transfer_to_a_fleet_in_company() -> None:
    order = FleetOrder("e", parts=(Part(("e0",), to="f"),))
    state, _ = b.play(made("f"), {"e": order})
    assert (state.ships["e0"].fleet, state.ships["e0"].squadron) == ("f", "f-1")
    assert [e.data["ships"] for e in state.events if e.kind == "transferred"] == [["e0"]]


@pytest.mark.clause("G.MV4", "G.MV3")
@pytest.mark.parametrize(
    ("parts", "wrong"),
    [
        ((Part((), name="None"),), ["order/no-ships"]),
        ((Part(("d1",), name="Theirs"),), ["order/not-in-fleet"]),
        ((Part(("e1", "e1"), name="Twice"),), ["order/not-in-fleet"]),
        ((CRUISERS, Part(("e2",), name="Again")), ["order/ship-twice"]),
        ((Part(("e1",)),), ["order/no-name"]),
        ((Part(("e1",), name="x" * 81),), ["order/no-name"]),
        ((Part(("e1",), name="Far", route=("c",)),), ["order/places-do-not-join"]),
        ((Part(("e1",), to="d"),), ["order/no-such-fleet"]),
        ((Part(("e1",), to="e"),), ["order/no-such-fleet"]),
        (
            (Part(("e1",), name="Guard", on_arrival=OnArrival.ESCORT, target="d"),),
            ["order/no-charge"],
        ),
        ((Part(("e1",), name="B", route=("b",), on_arrival=OnArrival.BLOCKADE),), ["order/no-enemy-port"]),
        ((Part(tuple(f"e{n}" for n in range(5)), name="All"),), ["order/whole-fleet"]),
    ],
)
def test_every_error_in_a_detachment_is_reported(parts: tuple[Part, ...], wrong: list[str]) -> None:
    assert codes(FleetOrder("e", parts=parts)) == wrong


@pytest.mark.clause("G.MV4")
def test_ships_can_be_given_only_in_company() -> None:
    facts = made("f")
    away = replace(facts, fleets={**facts.fleets, "f": b.fleet("f", "ENG", "b")})
    order = FleetOrder("e", parts=(Part(("e0",), to="f"),))
    assert order_faults(facts, order, "ENG") == ()
    assert [fault.code for fault in order_faults(away, order, "ENG")] == ["order/not-in-company"]


@pytest.mark.clause("G.MV4", "G.MV3")
def test_a_receiver_that_is_gone_at_six_refuses_only_the_transfer() -> None:
    facts = made("f")
    order = FleetOrder("e", parts=(Part(("e0",), to="f"), CRUISERS))
    standing = replace(facts.fleets["e"], order=order)
    away = replace(facts, fleets={**facts.fleets, "e": standing, "f": b.fleet("f", "ENG", "b")})
    state, _ = b.play(away)
    assert state.ships["e0"].fleet == "e"
    assert [e.data["fleet"] for e in state.events if e.kind == "order_refused"] == ["e"]
    assert state.ships["e1"].fleet == "ENG-p1-1"


def test_a_detachment_may_keep_company_with_the_fleet_that_it_leaves() -> None:
    guard = Part(("e1",), name="Guard", on_arrival=OnArrival.ESCORT, target="e")
    order = FleetOrder("e", route=("b",), parts=(guard,))
    assert codes(order) == []
    state, _ = b.play(made(), {"e": order})
    assert state.fleets["ENG-p1-1"].position == state.fleets["e"].position


def test_orders_with_detachments_are_read_back_as_written() -> None:
    order = FleetOrder("e", ("b",), target="x", parts=(CRUISERS, Part(("e0",), to="f")))
    assert order_from(order_doc(order)) == order


def split(ships: Sequence[str]) -> TurnFacts:
    """Ships of one squadron can neither sail nor be towed, and are to be left behind."""
    facts = made()
    rows = {
        code: replace(sheet, card={"hull": 20, "value": 400}, condition={"lost": 20})
        if code in ships
        else sheet
        for code, sheet in facts.ships.items()
    }
    order = FleetOrder("e", ("b",), instructions=Instructions(disabled="leave"))
    return replace(facts, ships=rows, fleets={**facts.fleets, "e": replace(facts.fleets["e"], order=order)})


@pytest.mark.clause("G.MV1", "G.MV4")
def test_two_ships_left_behind_leave_their_squadron_to_the_others_and_return_to_it() -> None:
    state, _ = b.play(split(["e1", "e2"]), reload=True)
    left = state.fleets["ENG-p1-1"]
    assert {state.ships[code].squadron for code in ("e1", "e2")} == {left.code}
    assert state.ships["e0"].squadron == "van"
    later = b.next_facts(split(["e1", "e2"]), state)
    mended = {code: replace(ship, condition={"lost": 0}) for code, ship in later.ships.items()}
    here = replace(later.fleets["e"], position=left.position, order=FleetOrder("e"))
    together = replace(later, ships=mended, fleets={**later.fleets, "e": here})
    state, _ = b.play(together, reload=True)
    assert {state.ships[f"e{n}"].squadron for n in range(3)} == {"van"}
    assert {state.ships[f"e{n}"].fleet for n in range(5)} == {"e"}
