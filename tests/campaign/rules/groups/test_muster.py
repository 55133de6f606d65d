"""The muster: small squadrons are broken up among the others of their fleet, and who comes back finds the new one. Rule: G.KT3."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from battles.engine.core.dice import ScriptedDice
from campaign.rules.chart.side_orders import SideOrder
from campaign.rules.chart.types import (
    FleetOrder,
    OfficerFacts,
    OnArrival,
    ShipKind,
    ShipSheet,
    SquadronFacts,
)
from campaign.rules.groups.uniting import squadron_now
from campaign.rules.state.state import Contact
from campaign.rules.state.world import Chart
from campaign.rules.turn import joining, turn
from campaign.rules.turn.muster import muster_step, rejoined
from tests.campaign.rules import builders as b

RED, WHITE, BLUE = "e-red", "e-white", "e-blue"


def ships(**counts: int) -> list[ShipSheet]:
    return [
        b.ship(f"{name}{n}", "ENG", "e", squadron=f"e-{name}", order=n)
        for name, count in counts.items()
        for n in range(count)
    ]


def chart_of(
    rows: list[ShipSheet], *, at: str = "home", hour: int = 48, muster: str = "auto", **over: Any
) -> Chart:
    facts = b.facts([b.fleet("e", "ENG", at)], rows, settings=b.settings(muster=muster))
    order = {RED: 0, WHITE: 1, BLUE: 2}
    squadrons = {code: replace(row, order=order.get(code, 9)) for code, row in facts.squadrons.items()}
    facts = replace(facts, **{"squadrons": squadrons, **over})
    state = turn.standing(facts)
    state.weather = turn.begin(facts, {}, b.dice(facts)).weather
    state.hour = hour
    return Chart(facts, state, ScriptedDice(()))


def squadrons(chart: Chart) -> dict[str, int]:
    found: dict[str, int] = {}
    for ship in chart.ships_of("e"):
        found[ship.squadron] = found.get(ship.squadron, 0) + 1
    return found


@pytest.mark.clause("G.KT3")
def test_a_squadron_of_two_goes_into_the_smallest_of_its_kind_and_one_of_three_stays() -> None:
    chart = chart_of(ships(red=5, white=4, blue=2))
    b.step(muster_step, chart)
    assert squadrons(chart) == {RED: 5, WHITE: 6}
    (told,) = [event for event in chart.state.events if event.kind == "mustered"]
    assert (told.data["squadrons"], told.data["ships"], told.knows) == (1, ["blue0", "blue1"], ("ENG",))
    chart = chart_of(ships(red=5, white=4, blue=3))
    b.step(muster_step, chart)
    assert squadrons(chart) == {RED: 5, WHITE: 4, BLUE: 3}


@pytest.mark.clause("G.KT3")
@pytest.mark.parametrize(
    ("small", "other", "into"),
    [
        (ShipKind.FRIGATE, ShipKind.FRIGATE, WHITE),
        (ShipKind.FRIGATE, ShipKind.LINE, RED),
        (ShipKind.FIRE_SHIP, ShipKind.SMALL, WHITE),  # both are "other"
        (ShipKind.LINE, ShipKind.FRIGATE, RED),
    ],
)
def test_without_a_squadron_of_its_kind_it_goes_into_the_leading_one(
    small: ShipKind, other: ShipKind, into: str
) -> None:
    kinds = {"white": other, "blue": small}
    rows = [
        replace(row, kind=kinds.get(row.squadron.removeprefix("e-"), ShipKind.LINE))
        for row in ships(red=9, white=6, blue=1)
    ]
    chart = chart_of(rows)
    b.step(muster_step, chart)
    assert chart.state.ships["blue0"].squadron == into


@pytest.mark.clause("G.KT3")
@pytest.mark.parametrize(
    ("aboard", "status", "stays"),
    [
        ("blue0", "serving", True),
        ("red0", "serving", False),
        ("blue0", "wounded", False),
        ("", "serving", False),
    ],
)
def test_a_squadron_whose_flag_officer_is_alive_and_aboard_stays(
    aboard: str, status: str, stays: bool
) -> None:
    chart = chart_of(ships(red=5, blue=1))
    flag = SquadronFacts(BLUE, "Blue", "e", "blue0", officer="Teddeman", order=2)
    officer = OfficerFacts("Teddeman", "ENG", True, 1, aboard, status)
    chart = chart_of(
        ships(red=5, blue=1),
        squadrons={**chart.facts.squadrons, BLUE: flag},
        officers={"ENG/Teddeman": officer},
    )
    b.step(muster_step, chart)
    assert (BLUE in squadrons(chart)) is stays


@pytest.mark.clause("G.KT3")
@pytest.mark.parametrize(
    ("over", "mustered"),
    [
        ({}, True),
        ({"at": "a"}, False),
        ({"at": "theirs"}, False),
        ({"hour": 49}, False),
        ({"muster": "never"}, False),
        ({"muster": "ask"}, False),
    ],
)
def test_it_musters_at_six_in_a_port_of_its_own(over: dict[str, Any], mustered: bool) -> None:
    chart = chart_of(ships(red=5, blue=1), **over)
    b.step(muster_step, chart)
    assert (len(squadrons(chart)) == 1) is mustered


@pytest.mark.clause("G.KT3")
@pytest.mark.parametrize(("back", "mustered"), [(24, True), (25, False), (0, True)])
def test_it_musters_only_a_day_after_its_last_battle(back: int, mustered: bool) -> None:
    chart = chart_of(ships(red=5, blue=1))
    chart.alter(chart.state.fleets["e"], off_until=back)
    b.step(muster_step, chart)
    assert (len(squadrons(chart)) == 1) is mustered


@pytest.mark.clause("G.KT3")
def test_a_fleet_in_contact_or_alone_in_its_squadron_or_a_group_is_not_mustered() -> None:
    chart = chart_of(ships(red=5, blue=1))
    chart.state.contacts["x", "e"] = Contact("x", "e", 1_000, 0, since=24)
    b.step(muster_step, chart)
    assert len(squadrons(chart)) == 2
    chart = chart_of(ships(red=5, blue=1))
    chart.alter(chart.state.fleets["e"], group="cripples")
    b.step(muster_step, chart)
    assert len(squadrons(chart)) == 2
    chart = chart_of(ships(blue=1))
    b.step(muster_step, chart)
    assert squadrons(chart) == {BLUE: 1}


@pytest.mark.clause("G.KT3")
def test_many_small_squadrons_fill_each_other_up() -> None:
    chart = chart_of(ships(red=1, white=1, blue=1, grey=1))
    b.step(muster_step, chart)
    # the smallest first, by code: blue into grey, both into red, which has three then, and white into red
    assert squadrons(chart) == {RED: 4}
    assert chart.state.mustered == {BLUE: "e-grey", "e-grey": RED, WHITE: RED}
    (told,) = [event.data for event in chart.state.events if event.kind == "mustered"]
    assert (told["squadrons"], told["ships"]) == (3, ["blue0", "grey0", "white0"])


@pytest.mark.clause("G.KT3")
@pytest.mark.parametrize(("blue", "asked"), [(2, [1]), (3, []), (4, [])])
def test_a_squadron_of_three_is_not_asked_about(blue: int, asked: list[int]) -> None:
    chart = chart_of(ships(red=5, blue=blue), muster="ask")
    b.step(muster_step, chart)
    told = [event.data["squadrons"] for event in chart.state.events if event.kind == "muster_due"]
    assert told == asked


@pytest.mark.clause("G.KT3")
def test_an_admiral_who_wants_to_be_asked_hears_once_of_a_muster_and_the_order_is_dropped_when_done() -> None:
    chart = chart_of(ships(red=5, blue=1), muster="ask")
    b.step(muster_step, chart)
    chart.state.hour = 72
    b.step(muster_step, chart)
    told = [event for event in chart.state.events if event.kind == "muster_due"]
    assert [event.data["squadrons"] for event in told] == [1]
    chart.state.economy.orders["ENG"] = SideOrder("ENG", musters=("e", "f"))
    b.step(muster_step, chart)
    assert squadrons(chart) == {RED: 6}
    assert chart.state.economy.order("ENG").musters == ("f",)


@pytest.mark.clause("G.KT3")
def test_ships_that_come_back_later_join_the_squadron_that_took_the_rest() -> None:
    chart = chart_of(ships(red=5, white=4, blue=2))
    b.step(muster_step, chart)
    assert squadron_now(chart, BLUE, "e") == WHITE
    assert squadron_now(chart, RED, "e") == RED
    assert squadron_now(chart, "unknown", "e") == "unknown"
    chart.state.mustered.update({WHITE: BLUE, BLUE: WHITE})
    assert squadron_now(chart, "gone", "e") == "gone"


@pytest.mark.clause("G.KT3", "G.MV4")
def test_when_a_group_has_rejoined_its_fleet_squadrons_are_filled_up_at_sea_too() -> None:
    rows = [*ships(red=5, white=1), b.ship("g0", "ENG", "g", squadron="g")]
    facts = b.facts(
        [
            b.fleet("e", "ENG", "a"),
            b.fleet("g", "ENG", "a", order=FleetOrder("g", on_arrival=OnArrival.JOIN)),
        ],
        rows,
        settings=b.settings(muster="auto", fragments="one group"),
    )
    state = turn.standing(facts)
    state.weather = turn.begin(facts, {}, b.dice(facts)).weather
    state.hour = 24
    chart = Chart(facts, state, ScriptedDice(()))
    chart.alter(state.fleets["g"], group="stragglers", rejoins="e", homes=(("g0", BLUE),))
    joining.company_step(chart)
    assert squadrons(chart) == {RED: 7}


@pytest.mark.clause("G.KT3")
@pytest.mark.parametrize(
    ("setting", "group", "mustered"),
    [("auto", "", True), ("auto", "stragglers", False), ("ask", "", False), ("never", "", False)],
)
def test_only_a_fleet_that_fills_up_by_itself_does_so_when_a_group_is_back(
    setting: str, group: str, mustered: bool
) -> None:
    chart = chart_of(ships(red=5, blue=1), at="a", muster=setting)
    rejoined(chart, chart.alter(chart.state.fleets["e"], group=group))
    assert (len(squadrons(chart)) == 1) is mustered
