"""Groups of prizes and cripples that a fleet sends in: when it keeps them, and who goes along."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.rules.chart.side_orders import GroupOrders
from campaign.rules.chart.types import ShipKind, ShipSheet
from campaign.rules.prizes.prizes import prize_step
from campaign.rules.state.state import PrizeHold
from tests.campaign.rules.groups.test_groups import DUTCH, chart_of, groups_of, hull, made, row

FRIGATE = ShipKind.FRIGATE


def prize(code: str, **over: Any) -> ShipSheet:
    return row(code, prize=True, men=30, facts=DUTCH, **over)


def sent(
    *ships: ShipSheet, groups: GroupOrders | None = None, at: str = "a", **told: Any
) -> dict[str, list[str]]:
    """The ships of each group that the fleet e has sent in at 06:00, by its kind."""
    chart = chart_of(made(ships, at=at, groups=groups, **told))
    for ship in ships:
        if ship.prize:
            chart.state.prizes[ship.code] = PrizeHold(100, "NLD")
    prize_step(chart)
    told_of = [sorted(event.data["ships"]) for event in chart.state.events if event.kind == "sent_in"]
    found = {kind: sorted(codes) for kind, codes in groups_of(chart).values()}
    assert told_of == list(found.values())
    return found


@pytest.mark.clause("G.KT2", "G.MV5")
def test_a_fleet_sends_in_no_ships_when_it_would_have_none_left_that_can_fight() -> None:
    assert sent(row("h1", **hull(12)), row("h2", **hull(12))) == {}
    # the prizes leave first, and then no one would stay with whom the cripples left
    assert sent(row("h1", **hull(12)), prize("p1")) == {"prizes": ["p1"]}
    assert sent(prize("p1"), prize("p2")) == {}
    assert sent(row("e1"), row("h1", **hull(12)), prize("p1", **hull(20))) == {"cripples": ["h1"]}


@pytest.mark.clause("G.KT2", "G.MV5")
def test_a_fleet_at_the_port_keeps_the_ships_that_would_go_there() -> None:
    assert sent(row("e1"), row("h1", **hull(12)), cripples_to="a") == {}
    assert sent(row("e1"), row("h1", **hull(12)), prize("p1"), cripples_to="b") == {
        "prizes": ["p1"],
        "cripples": ["h1"],
    }


@pytest.mark.clause("G.KT2", "G.MV5")
@pytest.mark.parametrize(
    ("sound", "groups", "told", "escorted"),
    [
        (("e1",), GroupOrders(escort="frigate"), {}, True), (("e1",), GroupOrders(), {"prize_escort": "frigate"}, True),
        (("e1",), GroupOrders(), {}, False), ((), GroupOrders(escort="frigate"), {}, False),
    ],
)  # fmt: skip
def test_a_frigate_goes_along_where_ordered_and_unless_it_is_the_last_ship_that_stays(
    sound: tuple[str, ...], groups: GroupOrders, told: dict[str, str], escorted: bool
) -> None:
    ships = [*(row(code) for code in sound), row("f1", kind=FRIGATE), *(prize(f"p{n}") for n in range(3))]
    assert sent(*ships, groups=groups, **told) == {"prizes": ["f1"] * escorted + ["p0", "p1", "p2"]}


@pytest.mark.clause("G.KT2")
@pytest.mark.parametrize("kind", ["cripples", "prizes"])
def test_a_group_on_its_way_home_sends_no_one_in(kind: str) -> None:
    chart = chart_of(made([row("e1"), row("h1", **hull(12))]))
    chart.alter(chart.state.fleets["e"], group=kind)
    prize_step(chart)
    assert list(groups_of(chart)) == ["e"]
    chart.alter(chart.state.fleets["e"], group="stragglers")
    prize_step(chart)
    assert list(groups_of(chart)) == ["ENG-p1-1", "e"]
