"""Fleets in company at their edges: who joins whom, who leaves whom, who keeps company, and what a convoy delivers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.fates import Fate
from campaign.rules.chart.theatre import read_theatre
from campaign.rules.chart.types import (
    FleetFacts,
    FleetOrder,
    OnArrival,
    Part,
    Position,
    ShipKind,
    ShipSheet,
    Theatre,
)
from campaign.rules.sailing.convoys import convoy_step
from campaign.rules.sailing.escort import follow
from campaign.rules.state.duties import Cargo
from campaign.rules.state.economy import Job
from campaign.rules.state.state import Contact, ZoneWeather
from campaign.rules.state.world import Chart
from campaign.rules.turn import turn
from campaign.rules.turn.joining import company_step, join
from tests.campaign.rules import builders as b


def chart_of(
    *fleets: FleetFacts, ships: list[ShipSheet] | None = None, hour: int = 24, sea: Theatre | None = None
) -> Chart:
    made = b.facts(list(fleets), ships, sea=sea)
    state = turn.standing(made)
    state.hour = hour
    state.weather["sea"] = ZoneWeather.read(b.weather(0)["sea"])
    return Chart(made, state, ScriptedDice(()))


def joiner(code: str, at: str = "a", **over: Any) -> FleetFacts:
    return b.fleet(code, "ENG", at, order=FleetOrder(code, on_arrival=OnArrival.JOIN), **over)


def left(chart: Chart) -> list[str]:
    """The fleets that are still there after 06:00."""
    b.step(company_step, chart)
    return [fleet.code for fleet in chart.fleets()]


@pytest.mark.clause("G.MV4", "G.CL2", "G.BT4")
def test_a_fleet_off_the_chart_or_held_joins_no_one_and_no_one_joins_it() -> None:
    assert left(chart_of(joiner("e"), b.fleet("f", "ENG", "a"))) == ["f"]
    for code in "ef":
        for over in ({"off_until": 25}, {"held_by": "T1-b01"}):
            chart = chart_of(joiner("e"), b.fleet("f", "ENG", "a"))
            chart.alter(chart.state.fleets[code], **over)  # type: ignore[arg-type]
            assert left(chart) == ["e", "f"]
    chart = chart_of(joiner("e"), b.fleet("f", "ENG", "a"))
    chart.alter(chart.state.fleets["e"], off_until=24)
    assert left(chart) == ["f"]


@pytest.mark.clause("G.MV4")
def test_a_fleet_joins_one_of_its_own_side_and_not_an_ally() -> None:
    chart = chart_of(joiner("e"), b.fleet("d", "NLD", "a"))
    chart.facts = replace(chart.facts, at_war=frozenset(), allied=frozenset({frozenset({"ENG", "NLD"})}))
    assert left(chart) == ["d", "e"]


def two_ports() -> Theatre:
    """The square sea, a an English port two miles from home."""
    doc = b.square_doc()
    row = next(node for node in doc["nodes"] if node["id"] == "a")
    row.update(kind="port", owner="England", longitude=0.03, dockyard_capacity=3, berths=2)
    return read_theatre(doc)


@pytest.mark.clause("G.RP2", "G.MV4")
@pytest.mark.parametrize(
    ("at", "moored", "joins"), [("home", True, True), ("a", True, False), ("a", False, True)]
)
def test_a_fleet_with_a_ship_in_a_yard_joins_only_one_that_lies_in_the_same_port(
    at: str, moored: bool, joins: bool
) -> None:
    chart = chart_of(joiner("e", "home"), b.fleet("f", "ENG", at), sea=two_ports())
    if moored:
        chart.state.economy.jobs["e1"] = Job("e1", "ENG", "home", "light", 0, 0, 14, 1, 0)
    assert (left(chart) == ["f"]) is joins


@pytest.mark.clause("G.MV4")
@pytest.mark.parametrize(
    ("rejoins", "home", "squadron"), [("f", "van", "van"), ("g", "van", "e-1"), ("f", "", "old")]
)
def test_a_ship_takes_her_old_place_only_in_the_fleet_that_she_left(
    rejoins: str, home: str, squadron: str
) -> None:
    ships = [
        b.ship("e1", "ENG", "e"),
        b.ship("p", "ENG", "e", squadron="prizes", prize=True),
        b.ship("f1", "ENG", "f"),
    ]
    chart = chart_of(joiner("e"), b.fleet("f", "ENG", "a"), b.fleet("g", "ENG", "c"), ships=ships)
    chart.alter(chart.state.fleets["e"], rejoins=rejoins, home=home, homes=(("e1", "old"),))
    assert left(chart) == ["f", "g"]
    assert (chart.state.ships["e1"].fleet, chart.state.ships["e1"].squadron) == ("f", squadron)
    assert chart.state.ships["p"].squadron == "prizes"


@pytest.mark.clause("G.MV4", "G.MV2")
def test_a_fleet_that_followed_or_escorted_one_that_has_joined_another_follows_the_new_one() -> None:
    rows = [b.fleet(code, "ENG", "a") for code in "efghk"]
    chart = chart_of(*rows)
    chart.alter(chart.state.fleets["g"], rejoins="e")
    for code, target in (("h", "e"), ("f", "e"), ("k", "g")):
        fleet = chart.state.fleets[code]
        chart.alter(fleet, order=replace(fleet.order, target=target))
    join(chart, chart.state.fleets["e"], chart.state.fleets["f"])
    fleets = chart.state.fleets
    assert {code: fleets[code].rejoins for code in "fghk"} == {"f": "", "g": "f", "h": "", "k": ""}
    assert {code: fleets[code].order.target for code in "fghk"} == {"f": "e", "g": "", "h": "f", "k": "g"}
    assert fleets["e"].ended
    assert [(event.kind, event.data["fleet"], event.data["parted"]) for event in chart.state.events] == [
        ("rejoined", "f", "e")
    ]


@pytest.mark.clause("G.GF3")
@pytest.mark.parametrize(("parent", "rejoins"), [("f", "f"), ("x", ""), ("d", ""), ("g", "")])
def test_a_ship_that_left_a_fleet_now_gone_or_taken_stops_looking_for_it(parent: str, rejoins: str) -> None:
    chart = chart_of(
        b.fleet("e", "ENG", "a"), b.fleet("f", "ENG", "c"), b.fleet("g", "ENG", "c"), b.fleet("d", "NLD", "c")
    )
    chart.alter(chart.state.fleets["g"], ended=True)
    chart.alter(chart.state.fleets["e"], rejoins=parent, home="van")
    b.step(company_step, chart)
    assert (chart.state.fleets["e"].rejoins, chart.state.fleets["e"].home) == (
        rejoins,
        "van" if rejoins else "",
    )


def with_parts(*parts: Part, ships: list[ShipSheet] | None = None, other: str = "a") -> Chart:
    """A fleet of the van's three ships and the rear's two at a, and one of two squadrons."""
    rows = [b.ship(f"e{n}", "ENG", "e", squadron="van" if n < 3 else "rear", order=n) for n in range(5)]
    rows += [b.ship(f"f{n}", "ENG", "f", squadron=f"f-{n}", order=n) for n in range(2)]
    fleets = [b.fleet("e", "ENG", "a", order=FleetOrder("e", parts=parts)), b.fleet("f", "ENG", other)]
    return chart_of(
        *fleets,
        b.fleet("d", "NLD", "c"),
        ships=ships if ships is not None else [*rows, b.ship("d1", "NLD", "d")],
    )


@pytest.mark.clause("G.MV4")
def test_a_ship_given_to_a_fleet_joins_its_leading_squadron_and_a_whole_squadron_stays_together() -> None:
    chart = with_parts(Part(("e1", "e3", "e4"), to="f"))
    b.step(company_step, chart)
    squadrons = {code: chart.state.ships[code].squadron for code in ("e0", "e1", "e3", "e4")}
    assert squadrons == {"e0": "van", "e1": "f-0", "e3": "rear", "e4": "rear"}
    assert [event.kind for event in chart.state.events] == ["transferred"]


@pytest.mark.clause("G.MV4", "G.PR1")
def test_prizes_are_transferred_as_prizes_and_cannot_form_a_fleet_of_their_own() -> None:
    ships = [b.ship("e0", "ENG", "e", squadron="van"), b.ship("e1", "ENG", "e", squadron="van")]
    ships += [b.ship(f"p{n}", "ENG", "e", squadron="prizes", prize=True) for n in range(2)]
    ships += [b.ship("f0", "ENG", "f"), b.ship("d1", "NLD", "d")]
    given = with_parts(Part(("e1", "p1"), to="f"), ships=ships)
    b.step(company_step, given)
    assert {ship.code for ship in given.ships_of("f")} == {"f0", "e1", "p1"}
    assert given.state.ships["p1"].squadron == "prizes"
    for codes in (("e0", "e1"), ("e0", "e1", "p0"), ("x",)):
        whole = with_parts(Part(codes, name="All"), ships=ships)
        b.step(company_step, whole)
        assert whole.state.events == []
        assert len(whole.ships_of("e")) == 4


@pytest.mark.clause("G.MV4", "G.MV3")
def test_ships_are_not_given_to_a_fleet_out_of_company_in_contact_or_without_a_ship() -> None:
    part = Part(("e1",), to="f")
    far = with_parts(part, other="c")
    met = with_parts(part)
    met.state.contacts["d", "f"] = Contact("d", "f", 9_000, 0, since=20)
    empty = with_parts(part, ships=[b.ship("e0", "ENG", "e"), b.ship("e1", "ENG", "e")])
    theirs = with_parts(Part(("e1",), to="d"))
    theirs.alter(theirs.state.fleets["d"], position=Position("a"))
    unknown = with_parts(Part(("e1",), to="x"))
    for chart in (far, met, empty, theirs, unknown):
        b.step(company_step, chart)
        assert chart.state.ships["e1"].fleet == "e"
        assert [(event.kind, event.knows) for event in chart.state.events] == [("order_refused", ("ENG",))]


def escorted(at: Position, **charge: Any) -> Chart:
    """A fleet w at a position keeps company with merchants at b; the step is still to be played."""
    escort = b.fleet("w", "ENG", "a", order=FleetOrder("w", on_arrival=OnArrival.ESCORT, target="m"))
    ships = [
        b.ship("w1", "ENG", "w"),
        b.ship("m1", "ENG", "m", kind=ShipKind.MERCHANT),
        b.ship("d1", "NLD", "d"),
    ]
    chart = chart_of(escort, b.fleet("m", "ENG", "b"), b.fleet("d", "NLD", "b"), ships=ships)
    chart.alter(chart.state.fleets["w"], position=at, under_way=True)
    chart.alter(chart.state.fleets["m"], **charge)
    follow(chart, chart.state.fleets["w"])
    return chart


@pytest.mark.clause("G.MV2", "G.MV4")
@pytest.mark.parametrize(
    ("at", "after"),
    [
        (Position("b"), Position("b")),
        (Position("a", "b", 55_500), Position("b")),
        (Position("a", "b", 55_499), Position("a", "b", 59_999)),
        (Position("a"), Position("a", "b", 4_500)),
        (Position("b", "c", 9_000), Position("c", "b", 55_500)),
    ],
)
def test_an_escort_joins_its_charge_within_the_hour_or_sails_after_it(at: Position, after: Position) -> None:
    chart = escorted(at)
    fleet = chart.state.fleets["w"]
    assert (fleet.position, fleet.order.route, fleet.under_way) == (after, (), at != Position("b"))
    up = after == Position("b") != at
    assert chart.entered == ([("w", "b")] if up else [])
    here, there = chart.point(at), chart.point(after)
    assert chart.tracks["w"] == ([(0, here)] if at == after else [(0, here), (1000, there)])


@pytest.mark.clause("G.MV2")
def test_an_escort_that_joins_its_charge_at_sea_has_entered_no_place() -> None:
    chart = escorted(Position("a", "b", 30_000), position=Position("a", "b", 33_000))
    assert chart.state.fleets["w"].position == Position("a", "b", 33_000)
    assert chart.entered == []


@pytest.mark.clause("G.MV2")
@pytest.mark.parametrize("gone", [{"ended": True}, {"side": "NLD"}, {"off_until": 25}, {"held_by": "T1-b01"}])
def test_an_escort_heaves_to_when_its_charge_is_gone_or_off_the_chart(gone: dict[str, Any]) -> None:
    at = Position("a", "b", 30_000)
    chart = escorted(at, **gone)
    assert (chart.state.fleets["w"].position, chart.state.fleets["w"].under_way) == (at, False)
    assert chart.tracks["w"] == [(0, chart.point(at))]


def trading(at: str = "b", to: str = "", **ship: Any) -> Chart:
    """Three merchants with cargoes, two of them for b."""
    chart = chart_of(b.fleet("m", "ENG", "a"), ships=[b.ship(f"m{n}", "ENG", "m") for n in range(3)])
    chart.alter(chart.state.fleets["m"], position=Position(at, to))
    for n, bound in enumerate("bbc"):
        chart.state.duties.cargoes[f"m{n}"] = Cargo(10 + n, bound, "ENG")
    chart.state.ships["m1"] = replace(chart.state.ships["m1"], **ship)
    chart.ships_changed()
    b.step(convoy_step, chart)
    return chart


@pytest.mark.clause("G.CV1", "G.VP1")
@pytest.mark.parametrize(
    ("ship", "paid", "still"),
    [
        ({}, [(["m0", "m1"], 21)], ["m2"]),
        ({"side": "NLD"}, [(["m0"], 10)], ["m1", "m2"]),
        ({"prize": True}, [(["m0"], 10)], ["m1", "m2"]),
        ({"fleet": "", "fate": Fate.INTERNED}, [(["m0"], 10)], ["m1", "m2"]),
        ({"fleet": "", "fate": Fate.SUNK}, [(["m0"], 10)], ["m2"]),
    ],
    ids=["all", "taken", "prize", "interned", "sunk"],
)
def test_cargo_at_its_destination_under_its_own_colours_is_paid_for_and_lost_cargo_is_removed(
    ship: dict[str, Any], paid: list[Any], still: list[str]
) -> None:
    chart = trading(**ship)
    assert [(event.data["ships"], event.data["value"]) for event in chart.state.events] == paid
    assert sorted(chart.state.duties.cargoes) == still


@pytest.mark.clause("G.CV1", "G.BT4")
def test_a_cargo_is_not_delivered_on_the_way_or_from_a_battle_or_by_a_missing_ship() -> None:
    assert trading("b", "c").state.events == []
    assert trading("a").state.events == []
    fought = chart_of(b.fleet("m", "ENG", "b"))
    fought.state.duties.cargoes.update(m1=Cargo(10, "b", "ENG"), x9=Cargo(5, "b", "ENG"))
    fought.alter(fought.state.fleets["m"], off_until=25)
    b.step(convoy_step, fought)
    assert fought.state.events == []
    assert list(fought.state.duties.cargoes) == ["m1"]


@pytest.mark.clause("G.MV1", "G.MV5")
@pytest.mark.parametrize(
    ("route", "told", "leaves"), [(("b",), "leave", True), ((), "leave", False), (("b",), "wait", False)]
)
def test_only_a_fleet_ordered_to_and_under_way_leaves_behind_ships_that_no_one_can_tow(
    route: tuple[str, ...], told: str, leaves: bool
) -> None:
    wreck = b.ship("e0", "ENG", "e", card={"hull": 20, "value": 400}, condition={"lost": 20})
    row = b.fleet("e", "ENG", "a", *route)
    row = replace(row, order=replace(row.order, instructions=replace(row.order.instructions, disabled=told)))
    chart = chart_of(row, ships=[wreck, b.ship("e1", "ENG", "e")])
    assert left(chart) == (["ENG-p1-1", "e"] if leaves else ["e"])
