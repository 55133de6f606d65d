"""Groups: what parts from a fleet sails by itself, where its side's standing orders send it. Rules: G.KT1, G.KT2, G.AA5."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.scenario import Stance, Strength
from campaign.rules.chart.side_orders import GroupOrders, SideOrder, side_order_doc, side_order_from
from campaign.rules.chart.types import (
    FleetOrder,
    Instructions,
    OnArrival,
    Position,
    ShipSheet,
    SightingReport,
    TurnFacts,
    Visibility,
)
from campaign.rules.groups import courses
from campaign.rules.groups.courses import best_yard, group_step, prize_port, set_course, watched_ports
from campaign.rules.groups.kinds import lamed, sails_by_itself
from campaign.rules.losses.gales import gale_step
from campaign.rules.orders.orders import order_faults
from campaign.rules.prizes.prizes import prize_step
from campaign.rules.sailing.parting import leave_behind
from campaign.rules.state.economy import Job
from campaign.rules.state.state import Contact, PrizeHold, TurnState, ZoneWeather
from campaign.rules.state.world import Chart
from campaign.rules.turn import joining, turn
from tests.campaign.rules import builders as b

DUTCH = {"nation": "Dutch Republic", "guns": 60}
GALE = ZoneWeather(270, Strength.GALE, Visibility.CLEAR)
FAIR = ZoneWeather(270, Strength.MODERATE, Visibility.CLEAR)


def two_yards() -> dict[str, Any]:
    """The square sea with a second English port, of class 1, next to a, and a third of class 3 far away beyond home."""
    doc = b.square_doc()
    port = {"zone": "sea", "kind": "port", "owner": "England", "berths": 2}
    doc["nodes"] += [
        {"id": "near", "name": "Near", "latitude": 0.1, "longitude": 1.0, "dockyard_capacity": 1, **port},
        {"id": "far", "name": "Far", "latitude": 0.0, "longitude": -3.0, "dockyard_capacity": 3, **port},
    ]
    doc["edges"] += [["a", "near"], ["home", "far"]]
    return doc


def made(
    ships: Sequence[ShipSheet], *, at: str = "a", groups: GroupOrders | None = None, **instructions: Any
) -> TurnFacts:
    """England's fleet e on her way to b, and its ships; groups are on."""
    order = FleetOrder("e", ("b",), instructions=Instructions(**instructions))
    return b.facts(
        [b.fleet("e", "ENG", at, order=order)],
        list(ships),
        sea=b.read_theatre(two_yards()),
        settings=b.settings(fragments="one group", end_turn_on="none"),
        side_orders={"ENG": SideOrder("ENG", groups=groups or GroupOrders())},
    )


def chart_of(
    facts: TurnFacts, faces: Iterable[int] = (), *, hour: int = 24, weather: ZoneWeather = FAIR
) -> Chart:
    state = turn.standing(facts)
    state.weather["sea"] = weather
    state.hour = hour
    state.economy.orders = dict(facts.side_orders)
    return Chart(facts, state, ScriptedDice(faces))


def hull(lost: int, **over: Any) -> dict[str, Any]:
    return {"condition": {"lost": lost, **over}}


def row(code: str, squadron: str = "e-1", **over: Any) -> ShipSheet:
    return b.ship(code, "ENG", "e", squadron=squadron, **over)


def groups_of(chart: Chart) -> dict[str, tuple[str, list[str]]]:
    """Name by kind and ships of each group, by its code."""
    return {
        fleet.code: (fleet.group, [ship.code for ship in chart.ships_of(fleet.code)])
        for fleet in chart.fleets()
        if fleet.group
    }


@pytest.mark.clause("G.KT1", "G.GF3")
def test_what_a_gale_parts_from_a_fleet_is_one_group_of_stragglers_and_one_of_cripples() -> None:
    ships = [row(f"a{n}") for n in range(5)]
    ships += [row(f"s{n}", "e-2") for n in range(3)] + [row("h1", **hull(4)), row("h2", **hull(15))]
    # the D8 of the two damaged ships, the squadron's D6, theirs, and two times three for the miles
    chart = chart_of(made(ships), (8, 8, 1, 1, 1, 1, 1, 1, 1, 1, 1), weather=GALE, hour=1)
    b.step(gale_step, chart)
    chart.dice.finish()  # type: ignore[attr-defined]
    assert groups_of(chart) == {
        "ENG-p1-1": ("stragglers", ["h1", "s0", "s1", "s2"]),
        "ENG-p1-2": ("cripples", ["h2"]),
    }
    names = [chart.state.fleets[f"ENG-p1-{n}"].name for n in (1, 2)]
    assert names == ["Stragglers of Fleet e", "Ship h2"]
    told = [event for event in chart.state.events if event.kind == "parted_company"]
    assert [event.data["miles"] for event in told] == [3, 3]


@pytest.mark.clause("G.KT1")
def test_the_last_ship_of_a_fleet_does_not_part_from_itself() -> None:
    ships = [row("h1", **hull(4)), row("h2", **hull(4))]
    chart = chart_of(made(ships), (8, 8, 1, 1, 1, 1, 1), weather=GALE, hour=1)
    b.step(gale_step, chart)
    chart.dice.finish()  # type: ignore[attr-defined]
    assert [[s.code for s in chart.ships_of(f.code)] for f in chart.fleets()] == [["h1"], ["h2"]]


@pytest.mark.clause("G.KT1")
def test_cripples_on_their_way_home_keep_together_in_a_gale() -> None:
    chart = chart_of(made([row("h1", **hull(4)), row("h2", **hull(4))]), (8, 8, 1, 1), weather=GALE, hour=1)
    chart.alter(chart.state.fleets["e"], group="cripples")
    b.step(gale_step, chart)
    assert len(chart.fleets()) == 1


@pytest.mark.clause("G.KT1")
@pytest.mark.parametrize(
    ("condition", "knots", "cripple"),
    [
        ({"lost": 10}, 1_000, True),  # half the hull, as the setting has it
        ({"lost": 9}, 1_000, False),
        ({"lost": 0, "masts": 1}, 1_000, True),
        ({"lost": 0}, 9_001, True),  # 4.5 knots, of a fleet that makes more than twice as much
        ({"lost": 0}, 9_000, False),
    ],
)
def test_a_cripple_has_lost_half_its_hull_or_a_mast_or_half_its_fleets_speed(
    condition: dict[str, int], knots: int, cripple: bool
) -> None:
    chart = chart_of(made([row("e1", condition=condition)]))
    (ship,), (hull_,) = chart.ships_of("e"), chart.hulls("e")
    assert lamed(chart, ship, hull_, knots) is cripple


@pytest.mark.clause("G.KT1", "G.MV1")
@pytest.mark.parametrize(("fragments", "group"), [("one group", "cripples"), ("as thrown", "")])
def test_what_no_one_can_tow_is_left_behind_as_cripples(fragments: str, group: str) -> None:
    wrecks = [row(f"w{n}", card={"hull": 20, "value": 900}, **hull(20)) for n in range(2)]
    facts = made([row("e1"), *wrecks])
    facts = replace(facts, settings=b.settings(fragments=fragments))
    chart = chart_of(facts)
    left = leave_behind(chart, chart.state.fleets["e"])
    assert left is not None
    assert chart.state.fleets[left.code].group == group


@pytest.mark.clause("G.KT2", "G.PR3", "G.MV5")
def test_after_six_prizes_go_to_the_nearest_port_and_cripples_to_their_yard_as_a_group_each() -> None:
    prizes = [row(f"p{n}", prize=True, men=30, facts=DUTCH) for n in range(2)]
    hurt = [row(f"h{n}", **hull(12)) for n in range(2)]
    chart = chart_of(made([row("e1"), row("e2"), *prizes, *hurt]))
    for code in ("p0", "p1"):
        chart.state.prizes[code] = PrizeHold(100, "NLD")
    b.step(prize_step, chart)
    assert groups_of(chart) == {
        "ENG-p1-1": ("prizes", ["p0", "p1"]),
        "ENG-p1-2": ("cripples", ["h0", "h1"]),
    }
    prizes_, cripples = (chart.state.fleets[f"ENG-p1-{n}"] for n in (1, 2))
    assert (prizes_.name, prizes_.order.route) == ("Prizes of Fleet e", ("near",))
    assert (cripples.name, cripples.order.route) == ("Cripples of Fleet e", ("home",))
    assert cripples.order.stance is Stance.AVOID
    sent = [event.data["place"] for event in chart.state.events if event.kind == "sent_in"]
    assert sent == ["near", "home"]


@pytest.mark.clause("G.KT2")
@pytest.mark.parametrize(
    ("groups", "told", "route"),
    [
        (GroupOrders(), {}, ("home",)),
        (GroupOrders(cripples="port"), {}, ("near",)),
        (GroupOrders(), {"cripples_to": "near"}, ("near",)),
        (GroupOrders(cripples="fleet"), {}, None),
        (GroupOrders(cripples="fleet"), {"cripples_to": "far"}, ("home", "far")),
    ],
)
def test_a_fleets_own_instructions_go_before_the_sides_orders_for_cripples(
    groups: GroupOrders, told: dict[str, str], route: tuple[str, ...] | None
) -> None:
    chart = chart_of(made([row("e1"), row("h1", **hull(12))], groups=groups, **told))
    b.step(prize_step, chart)
    sent = chart.state.fleets.get("ENG-p1-1")
    assert (sent.order.route if sent else None) == route


@pytest.mark.clause("G.KT2")
@pytest.mark.parametrize(("hurt", "escorted"), [(2, False), (3, True)])
def test_a_frigate_sees_three_cripples_home(hurt: int, escorted: bool) -> None:
    frigate = row("f1", kind=b.ShipKind.FRIGATE)
    ships = [row("e1"), frigate, *(row(f"h{n}", **hull(12)) for n in range(hurt))]
    chart = chart_of(made(ships, groups=GroupOrders(escort="frigate")))
    b.step(prize_step, chart)
    assert ("f1" in groups_of(chart)["ENG-p1-1"][1]) is escorted


@pytest.mark.clause("G.KT2")
@pytest.mark.parametrize(("under", "burnt"), [(4_001, True), (4_000, False), (0, False)])
def test_prizes_worth_less_than_the_sum_are_burnt(under: int, burnt: bool) -> None:
    prize = row("p1", prize=True, men=30, facts=DUTCH)  # 40 points, 100 pounds each
    chart = chart_of(made([row("e1"), prize], groups=GroupOrders(burn_under=under)))
    chart.state.prizes["p1"] = PrizeHold(100, "NLD")
    b.step(prize_step, chart)
    assert any(event.kind == "burnt_at_sea" for event in chart.state.events) is burnt


def seen(hour: int, longitude: int, latitude: int = 0, side: str = "ENG") -> SightingReport:
    return SightingReport(side, 1, hour, latitude, longitude, None, "1", (), "e", "d")


@pytest.mark.clause("G.KT2")
@pytest.mark.parametrize(
    ("report", "watched"),
    [
        (seen(52, 100, 26), True),  # ten miles from the town, 48 hours ago
        (seen(51, 100, 26), False),
        (seen(52, 100, 27), False),
        (seen(52, 100, 26, "NLD"), False),
    ],
)
def test_a_port_is_watched_for_two_days_when_an_enemy_was_seen_within_ten_miles(
    report: SightingReport, watched: bool
) -> None:
    chart = at_c()
    chart.state.reports.append(report)
    assert watched_ports(chart, "ENG", ["home", "near"]) == (frozenset({"near"}) if watched else frozenset())


def at_c(groups: GroupOrders | None = None) -> Chart:
    """The fleet e at c, from where near is 126 miles off, home 180, and far 360."""
    chart = chart_of(made([row("e1")], groups=groups), hour=100)
    chart.alter(chart.state.fleets["e"], position=Position("c"))
    return chart


@pytest.mark.clause("G.KT2")
def test_prizes_go_to_the_named_port_and_to_a_watched_one_if_all_are() -> None:
    chart = at_c(GroupOrders(prize_port="far"))
    assert prize_port(chart, chart.state.fleets["e"]) == "far"
    chart = at_c()
    chart.state.reports += [seen(99, 100, 10), seen(99, 0), seen(99, -300)]
    assert prize_port(chart, chart.state.fleets["e"]) == "near"


@pytest.mark.clause("G.KT2")
@pytest.mark.parametrize(
    ("farther", "port"), [(Fraction(3, 7), "home"), (Fraction(42, 100), "near"), (Fraction(1, 8), "near")]
)
def test_no_prize_goes_more_than_an_eighth_farther_to_keep_clear_of_a_watched_port(
    monkeypatch: pytest.MonkeyPatch, farther: Fraction, port: str
) -> None:
    """The quiet port is 180 miles off, three sevenths farther than the nearest one."""
    chart = at_c()
    chart.state.reports += [seen(99, 100, 10)]
    assert Fraction(1, 8) == courses.FARTHER
    monkeypatch.setattr(courses, "FARTHER", farther)
    assert prize_port(chart, chart.state.fleets["e"]) == port


@pytest.mark.clause("G.AA5")
def test_the_best_yard_has_the_fewest_days_of_sailing_queue_and_work() -> None:
    chart = chart_of(made([row("h1", **hull(12))]))
    ships = chart.ships_of("e")
    # heavy work wants class 3: home is 60 miles away, far 240
    assert best_yard(chart, Position("a"), "ENG", ships) == "home"
    # 8 berths: a queue of 8 x 91 yard-days is 13 days; far is 180 miles, not two days, farther
    for n in range(8):
        chart.state.economy.jobs[f"j{n}"] = Job(f"j{n}", "ENG", "home", "heavy", 0, 0, 91, 3, 0, berth=n + 1)
    assert best_yard(chart, Position("a"), "ENG", ships) == "far"
    light = chart_of(made([row("h1", **hull(4))]))
    assert best_yard(light, Position("a"), "ENG", light.ships_of("e")) == "near"


def with_group(
    kind: str, at: str, *, parent: str = "e", groups: GroupOrders | None = None, **ship: Any
) -> Chart:
    """The fleet e at a, bound for b, and a group g of one ship elsewhere that parted from it."""
    facts = made([row("e1"), row("e2")], groups=groups)
    facts = replace(
        facts,
        fleets={**facts.fleets, "g": b.fleet("g", "ENG", at)},
        ships={**facts.ships, "g1": b.ship("g1", "ENG", "g", squadron="g", **ship)},
    )
    chart = chart_of(facts)
    chart.alter(chart.state.fleets["g"], group=kind, rejoins=parent, homes=(("g1", "e-1"),))
    return chart


@pytest.mark.clause("G.KT2")
@pytest.mark.parametrize(
    ("groups", "route", "arrival"),
    [
        (GroupOrders(), ("b",), OnArrival.JOIN),
        (GroupOrders(stragglers="port"), ("b", "a", "near"), OnArrival.ANCHOR),
        (GroupOrders(stragglers="wait"), (), OnArrival.JOIN),
    ],
)
def test_stragglers_rejoin_at_the_rendezvous_or_do_as_they_are_told(
    groups: GroupOrders, route: tuple[str, ...], arrival: OnArrival
) -> None:
    chart = with_group("stragglers", "n", groups=groups)
    now = set_course(chart, chart.state.fleets["g"])
    assert (now.order.route, now.order.on_arrival, now.order.stance) == (route, arrival, Stance.AVOID)


@pytest.mark.clause("G.KT1", "G.MV4")
def test_stragglers_in_company_take_their_old_places() -> None:
    chart = with_group("stragglers", "a")
    set_course(chart, chart.state.fleets["g"])
    joining.company_step(chart)
    assert [(s.code, s.squadron) for s in chart.ships_of("e")] == [
        ("e1", "e-1"),
        ("e2", "e-1"),
        ("g1", "e-1"),
    ]


@pytest.mark.clause("G.KT2")
@pytest.mark.parametrize(
    ("kind", "ship", "now"),
    [
        ("cripples", hull(0), "stragglers"),
        ("cripples", hull(10), "cripples"),
        ("cripples", hull(0, masts=1), "cripples"),
        ("prizes", {}, "stragglers"),
        ("prizes", {"prize": True}, "prizes"),
    ],
)
def test_cripples_that_are_whole_again_and_prizes_bought_in_look_for_their_fleet(
    kind: str, ship: dict[str, Any], now: str
) -> None:
    chart = with_group(kind, "home", **ship)
    b.step(group_step, chart)
    assert chart.state.fleets["g"].group == now
    assert chart.state.fleets["g"].order.route == (("a", "b") if now == "stragglers" else ())


@pytest.mark.clause("G.KT2")
def test_stragglers_without_a_fleet_to_rejoin_are_a_fleet_like_any_other_once_in_port() -> None:
    chart = with_group("stragglers", "home", parent="")
    b.step(group_step, chart)
    assert chart.state.fleets["g"].group == ""


def two_groups(**other: Any) -> Chart:
    """Two groups of stragglers of e at n, the second altered."""
    chart = with_group("stragglers", "n")
    facts = chart.facts
    facts = replace(
        facts,
        fleets={**facts.fleets, "k": b.fleet("k", "ENG", "n")},
        ships={
            **facts.ships,
            "k1": b.ship("k1", "ENG", "k", squadron="k"),
            "k2": b.ship("k2", "ENG", "k", squadron="k"),
        },
    )
    chart = chart_of(facts, hour=25)
    for code in ("g", "k"):
        chart.alter(chart.state.fleets[code], group="stragglers", rejoins="e")
    chart.alter(chart.state.fleets["g"], homes=(("g1", "e-1"),))
    chart.alter(chart.state.fleets["k"], **{"homes": (("k1", "e-1"), ("k2", "e-1")), **other})
    return chart


@pytest.mark.clause("G.KT1")
def test_groups_of_a_kind_for_one_place_unite_in_the_hour_in_which_they_meet() -> None:
    chart = two_groups()
    b.step(group_step, chart)
    assert groups_of(chart) == {"k": ("stragglers", ["g1", "k1", "k2"])}
    assert dict(chart.state.fleets["k"].homes) == {"g1": "e-1", "k1": "e-1", "k2": "e-1"}


@pytest.mark.clause("G.KT1", "G.KT2")
@pytest.mark.parametrize(
    "other",
    [
        {"group": "cripples"},
        {"rejoins": "x"},
        {"position": Position("b")},
        {"order": FleetOrder("k", ("b",))},
    ],
)
def test_groups_of_other_kinds_or_for_other_places_do_not(other: dict[str, Any]) -> None:
    chart = two_groups(**other)
    b.step(group_step, chart)
    assert len(groups_of(chart)) == 2


@pytest.mark.clause("G.KT1")
def test_cripples_of_two_fleets_unite_where_stragglers_do_not() -> None:
    for kind, left in (("cripples", 1), ("stragglers", 2)):
        chart = two_groups(rejoins="x")
        for code in ("g", "k"):
            chart.alter(chart.state.fleets[code], group=kind)
        b.step(group_step, chart)
        assert sum(not chart.state.fleets[code].ended for code in ("g", "k")) == left


@pytest.mark.clause("G.KT1", "G.KT2")
def test_a_group_in_contact_or_in_hand_does_not_unite() -> None:
    chart = two_groups()
    chart.state.contacts["x", "k"] = Contact("x", "k", 1_000, 0, since=24)
    b.step(group_step, chart)
    assert len(groups_of(chart)) == 2
    chart = two_groups()
    chart.state.economy.orders["ENG"] = SideOrder("ENG", in_hand=("k",))
    b.step(group_step, chart)
    assert len(groups_of(chart)) == 2


@pytest.mark.clause("G.KT2")
def test_a_group_in_hand_keeps_its_own_orders_until_it_is_released() -> None:
    chart = with_group("stragglers", "n")
    chart.alter(chart.state.fleets["g"], order=FleetOrder("g", ("b", "c")))
    chart.state.economy.orders["ENG"] = SideOrder("ENG", in_hand=("g",))
    assert not sails_by_itself(chart, chart.state.fleets["g"])
    b.step(group_step, chart)
    assert chart.state.fleets["g"].order.route == ("b", "c")
    chart.state.economy.orders["ENG"] = SideOrder("ENG")
    b.step(group_step, chart)
    assert chart.state.fleets["g"].order.route == ("b",)


@pytest.mark.clause("G.KT2", "G.MV3")
@pytest.mark.parametrize(
    ("given", "carried", "refused"),
    [
        (None, (), True),
        (SideOrder("ENG", in_hand=("g",)), (), False),
        (None, ("g",), False),
        (SideOrder("ENG"), ("g",), True),
    ],
)
def test_a_group_takes_orders_only_in_hand(
    given: SideOrder | None, carried: tuple[str, ...], refused: bool
) -> None:
    facts = b.facts([b.fleet("g", "ENG", "a")])
    orders = [side_order_doc(SideOrder("ENG", in_hand=carried))]
    facts = replace(
        facts,
        carried={"fleets": {"g": {"group": "stragglers"}}, "economy": {"orders": orders}},
        side_orders={"ENG": given} if given else {},
    )
    faults = order_faults(facts, FleetOrder("g", ("b",)), "ENG")
    assert [fault.code for fault in faults] == (["order/group"] if refused else [])
    assert not order_faults(facts, FleetOrder("g", ("b",)), "ENG", standing=True)


@pytest.mark.clause("G.KT2", "G.CL2")
def test_groups_and_their_orders_go_on_from_turn_to_turn() -> None:
    chart = with_group("stragglers", "n")
    chart.state.mustered["old"] = "new"
    again = TurnState.from_dict(chart.state.to_dict())
    assert (again.fleets["g"].group, again.mustered) == ("stragglers", {"old": "new"})
    carried = turn.carried_over(chart.facts, chart.state)["carried"]
    assert carried["fleets"]["g"]["group"] == "stragglers"
    order = SideOrder(
        "ENG", groups=GroupOrders("port", "fleet", "far", 9, "frigate"), in_hand=("g",), musters=("e",)
    )
    assert side_order_from(side_order_doc(order)) == order
