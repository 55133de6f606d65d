"""Groups at their bounds: which port is nearest, what a yard costs in days, and which group takes in which."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from campaign.rules.chart.side_orders import GroupOrders, SideOrder
from campaign.rules.chart.types import FleetOrder, Instructions, OnArrival, Position
from campaign.rules.groups.courses import (
    _sailing_days,
    _yard_days,
    best_yard,
    cripples_port,
    group_step,
    set_course,
)
from campaign.rules.groups.kinds import badly_hurt, changed_kind, group_in_facts, in_groups, sorted_out
from campaign.rules.state.economy import AFLOAT, Job
from tests.campaign.rules import builders as b
from tests.campaign.rules.groups.test_groups import (
    chart_of,
    groups_of,
    hull,
    made,
    row,
    two_groups,
    with_group,
)


@pytest.mark.clause("G.AA5")
def test_days_of_sailing_are_those_of_the_slowest_ship_and_at_least_two_knots() -> None:
    chart = chart_of(made([row("e1"), row("h1", **hull(12))]))
    both = chart.ships_of("e")
    # by cruising speed: the damaged ship makes two thirds of the other's
    sound = _sailing_days(chart, "a", "home", both[:1], frozenset())
    assert _sailing_days(chart, "a", "home", both, frozenset()) == sound * Fraction(3, 2)
    assert _sailing_days(chart, "a", "home", both[1:], frozenset()) == sound * Fraction(3, 2)
    length = chart.geometry.distance("a", "home", frozenset())
    assert _sailing_days(chart, "a", "home", [], frozenset()) == Fraction(length, 2_000 * 24)
    wreck = chart_of(made([row("w1", **hull(20))]))
    assert _sailing_days(wreck, "a", "home", wreck.ships_of("e"), frozenset()) == Fraction(length, 2_000 * 24)


@pytest.mark.clause("G.AA5")
def test_days_in_a_yard_are_the_queue_and_the_work_shared_by_its_berths_or_the_longest_work() -> None:
    chart = chart_of(made([row("h1", **hull(12)), row("h2", **hull(4)), row("e1")]))
    h1, h2, e1 = (next(s for s in chart.ships_of("e") if s.code == code) for code in ("h1", "h2", "e1"))
    rate = chart.facts.settings.yard_days
    home, near = chart.facts.theatre.places["home"].berths, chart.facts.theatre.places["near"].berths
    heavy = _yard_days(chart, "ENG", "home", [h1]) * rate
    light = _yard_days(chart, "ENG", "home", [h2]) * rate
    assert heavy > light > 0 == _yard_days(chart, "ENG", "home", [e1])
    assert near == 2 and home > 2
    # one berth each: the longest decides until there are more ships than berths
    assert _yard_days(chart, "ENG", "near", [h1, h2]) * rate == heavy
    assert _yard_days(chart, "ENG", "near", [h1, h1, h1]) * rate == Fraction(3 * heavy, 2)
    jobs = chart.state.economy.jobs
    jobs["j1"] = Job("j1", "ENG", "near", "heavy", 0, 0, 60, 3, 0, berth=1, done=10)
    assert _yard_days(chart, "ENG", "near", [h2]) * rate == light + 25
    jobs["j2"] = Job("j2", "ENG", "near", "heavy", 0, 0, 60, 3, 0, berth=AFLOAT)
    jobs["j3"] = Job("j3", "NLD", "near", "heavy", 0, 0, 60, 3, 0, berth=2)
    jobs["j4"] = Job("j4", "ENG", "home", "heavy", 0, 0, 60, 3, 0, berth=2)
    assert _yard_days(chart, "ENG", "near", [h2]) * rate == light + 25


@pytest.mark.clause("G.AA5")
def test_where_no_yard_is_fit_the_highest_class_is_looked_for() -> None:
    chart = chart_of(made([row("h1", **hull(12))]))
    places = chart.facts.theatre.places
    ships = chart.ships_of("e")

    def best(**classes: int) -> str:
        now = {code: replace(place, dockyard=classes.get(code, 0)) for code, place in places.items()}
        chart.facts = replace(chart.facts, theatre=replace(chart.facts.theatre, places=now))
        return best_yard(chart, Position("a"), "ENG", ships)

    assert best(home=3, near=3) == "near" and best(home=3, near=2) == "home"
    assert best(home=2, near=1) == "home" and best(home=1, near=1) == "near"
    assert best(theirs=3) == "near" and best(theirs=3, far=1) == "far"
    assert best_yard(chart, Position("a"), "ENG", []) == "far"


@pytest.mark.clause("G.KT2", "G.MV5")
def test_cripples_go_where_their_fleet_says_unless_the_port_is_closed_to_them() -> None:
    for named, groups, port in (
        ("near", GroupOrders(), "near"), ("theirs", GroupOrders(), "home"), ("theirs", GroupOrders(cripples="port"), "near"),
        ("", GroupOrders(cripples="port"), "near"), ("far", GroupOrders(cripples="port"), "far"),
    ):  # fmt: skip
        chart = chart_of(made([row("h1", **hull(12))], groups=groups, cripples_to=named))
        assert cripples_port(chart, chart.state.fleets["e"], chart.ships_of("e")) == port


@pytest.mark.clause("G.KT2", "G.MV5")
@pytest.mark.parametrize("gone", [{"ended": True}, {"side": "NLD"}, None])
def test_stragglers_whose_fleet_is_gone_make_for_the_nearest_port(gone: dict[str, Any] | None) -> None:
    chart = with_group("stragglers", "n", parent="e" if gone else "x")
    if gone:
        chart.alter(chart.state.fleets["e"], **gone)
    now = set_course(chart, chart.state.fleets["g"])
    assert (now.order.route[-1], now.order.on_arrival) == ("near", OnArrival.JOIN)


@pytest.mark.clause("G.KT2")
def test_a_group_keeps_its_way_while_it_leads_where_it_is_to_go() -> None:
    chart = with_group("stragglers", "n")
    kept = FleetOrder("g", ("a", "b"), on_arrival=OnArrival.JOIN)
    group = chart.alter(chart.state.fleets["g"], order=kept, path=("a",))
    assert set_course(chart, group) is group
    other = chart.alter(group, order=replace(kept, on_arrival=OnArrival.ANCHOR))
    assert set_course(chart, other).order.route == ("b",)
    turned = chart.alter(group, order=replace(kept, route=("b", "a")))
    assert set_course(chart, turned).order.route == ("b",)


@pytest.mark.clause("G.KT1")
def test_the_smaller_group_joins_the_greater_and_of_equal_ones_the_first_joins_the_second() -> None:
    chart = two_groups()
    chart.alter(chart.state.fleets["g"], held_by="T1-b01")
    b.step(group_step, chart)
    assert len(groups_of(chart)) == 2
    chart = two_groups()
    ships = chart.state.ships
    ships["k2"] = replace(ships["k2"], fleet="e")
    chart.ships_changed()
    b.step(group_step, chart)
    assert groups_of(chart) == {"k": ("stragglers", ["g1", "k1"])}


@pytest.mark.clause("G.KT2")
def test_courses_are_set_at_six_in_the_morning_alone_and_not_in_contact() -> None:
    for hour, route in ((24, ("b",)), (25, ()), (30, ()), (48, ("b",))):
        chart = with_group("stragglers", "n")
        chart.state.hour = hour
        b.step(group_step, chart)
        assert chart.state.fleets["g"].order.route == route, hour


@pytest.mark.clause("G.KT1")
def test_what_leaves_is_sorted_by_what_the_rest_of_the_fleet_makes() -> None:
    chart = chart_of(made([row("e1"), row("e2"), row("h1", **hull(9)), row("p1", prize=True, men=30)]))
    ships = {ship.code: ship for ship in chart.ships_of("e")}
    fleet = chart.state.fleets["e"]
    gone = [ships["e2"], ships["h1"], ships["p1"]]
    found = [(kind, [s.code for s in rows]) for kind, rows in sorted_out(chart, fleet, gone)]
    assert found == [("stragglers", ["e2", "h1"]), ("cripples", ["p1"])]
    assert sorted_out(chart, fleet, []) == []
    assert [kind for kind, _ in sorted_out(chart, fleet, [ships["p1"]])] == ["cripples"]
    everyone = sorted_out(chart, fleet, list(ships.values()))
    assert [(kind, len(rows)) for kind, rows in everyone] == [("stragglers", 3), ("cripples", 1)]


@pytest.mark.clause("G.KT1", "G.MV5")
def test_the_setting_says_how_much_of_a_hull_makes_a_cripple() -> None:
    for percent, lost, hurt in ((50, 10, True), (50, 9, False), (55, 10, False), (45, 9, True)):
        facts = made([row("e1", **hull(lost))])
        facts = replace(facts, settings=replace(facts.settings, cripple_percent=percent))
        chart = chart_of(facts)
        assert badly_hurt(chart, chart.state.ships["e1"]) is hurt
    chart = chart_of(made([row("e1")]))
    assert in_groups(chart)


@pytest.mark.clause("G.KT2")
@pytest.mark.parametrize(
    ("guns", "lost", "hurt"), [(50, 0, True), (51, 0, False), (60, 4, True), (60, 3, False)]
)
def test_a_ship_that_has_lost_half_of_its_value_is_a_cripple(guns: int, lost: int, hurt: bool) -> None:
    """Of a hull of twenty a fifth is four: with 60 per cent left by its guns it is worth 48."""
    chart = chart_of(made([row("e1", **hull(lost, guns=guns))]))
    assert badly_hurt(chart, chart.state.ships["e1"]) is hurt
    chart.facts = replace(chart.facts, settings=b.settings(fragments="as thrown"))
    assert not in_groups(chart)


@pytest.mark.clause("G.KT2")
def test_ships_in_a_yard_keep_their_group_what_it_is() -> None:
    chart = with_group("cripples", "home")
    chart.state.economy.jobs["g1"] = Job("g1", "ENG", "home", "light", 0, 0, 7, 1, 0, berth=1)
    assert changed_kind(chart, chart.state.fleets["g"]) == "cripples"
    del chart.state.economy.jobs["g1"]
    assert changed_kind(chart, chart.state.fleets["g"]) == "stragglers"
    prize = with_group("cripples", "home", prize=True, men=30)
    assert changed_kind(prize, prize.state.fleets["g"]) == "cripples"
    wreck = with_group("cripples", "home", **hull(20))
    assert changed_kind(wreck, wreck.state.fleets["g"]) == "cripples"


@pytest.mark.clause("G.KT2")
@pytest.mark.parametrize(
    ("group", "given", "carried", "by_itself"),
    [
        ("", None, (), False), ("prizes", None, (), True), ("prizes", SideOrder("ENG"), ("g",), True),
        ("prizes", SideOrder("ENG", in_hand=("g",)), (), False), ("prizes", None, ("g",), False), ("prizes", None, ("h",), True),
    ],
)  # fmt: skip
def test_a_turn_opens_with_groups_that_no_one_has_in_hand(
    group: str, given: SideOrder | None, carried: tuple[str, ...], by_itself: bool
) -> None:
    facts = b.facts([b.fleet("g", "ENG", "a"), b.fleet("h", "NLD", "c")])
    orders = [{"side": "NLD", "in_hand": ["g"]}, {"side": "ENG", "in_hand": list(carried)}]
    facts = replace(
        facts, side_orders={"ENG": given} if given else {},
        carried={"fleets": {"g": {"group": group}}, "economy": {"orders": orders}},
    )  # fmt: skip
    assert group_in_facts(facts, "g") is by_itself
    assert group_in_facts(facts, "h") is False
    assert group_in_facts(replace(facts, carried={}), "g") is False


@pytest.mark.clause("G.KT2")
def test_a_group_of_prizes_makes_for_the_nearest_port_to_anchor_there() -> None:
    chart = with_group("prizes", "n", prize=True, men=30)
    b.step(group_step, chart)
    order = chart.state.fleets["g"].order
    assert (order.route[-1], order.on_arrival) == ("near", OnArrival.ANCHOR)


@pytest.mark.clause("G.KT2", "G.MV5")
@pytest.mark.parametrize(
    ("at", "route", "goal"),
    [("a", ("b", "c", "theirs"), "c"), ("c", ("theirs",), "c"), ("a", ("b", "c"), "c")],
)
def test_stragglers_wait_beside_a_rendezvous_that_is_closed_to_them(
    at: str, route: tuple[str, ...], goal: str
) -> None:
    chart = with_group("stragglers", "n")
    parent = chart.state.fleets["e"]
    order = replace(parent.order, route=route, instructions=Instructions(rendezvous=route[-1]))
    chart.alter(parent, position=Position(at), order=order)
    now = set_course(chart, chart.state.fleets["g"])
    assert (now.order.route[-1], now.order.on_arrival) == (goal, OnArrival.JOIN)


@pytest.mark.clause("G.AA5")
@pytest.mark.parametrize(("berths", "days"), [(2, 30), (1, 60), (0, 60)])
def test_a_yard_has_at_least_one_berth(berths: int, days: int) -> None:
    chart = chart_of(made([row("e1")]))
    places = {**chart.facts.theatre.places}
    places["near"] = replace(places["near"], berths=berths)
    chart.facts = replace(chart.facts, theatre=replace(chart.facts.theatre, places=places))
    chart.state.economy.jobs["j"] = Job("j", "ENG", "near", "heavy", 0, 0, 60, 3, 0, berth=1)
    rate = chart.facts.settings.yard_days
    assert _yard_days(chart, "ENG", "near", chart.ships_of("e")) * rate == days


@pytest.mark.clause("G.KT2")
def test_a_group_that_waits_where_it_lies_keeps_its_orders_and_one_on_a_passage_does_not() -> None:
    chart = with_group("stragglers", "n", groups=GroupOrders(stragglers="wait"))
    group = chart.alter(
        chart.state.fleets["g"], order=FleetOrder("g", on_arrival=OnArrival.JOIN), path=("x",)
    )
    assert set_course(chart, group) is group
    under_way = chart.alter(group, position=Position("n", "b", 1_000))
    assert set_course(chart, under_way).path == ()


@pytest.mark.clause("G.AA5")
def test_a_yard_of_one_yard_day_a_day_takes_as_many_days_as_there_is_work() -> None:
    chart = chart_of(made([row("h1", **hull(12))]))
    chart.facts = replace(chart.facts, settings=replace(chart.facts.settings, yard_days=1))
    assert _yard_days(chart, "ENG", "home", chart.ships_of("e")) == chart.facts.settings.work_heavy
    assert _yard_days(chart, "ENG", "home", []) == 0
