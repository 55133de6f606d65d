"""What a side knows, how its news travels, and how it tries out a route: at their edges."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from battles.engine.core.dice import ScriptedDice
from campaign.rules.chart.dispatches import Post, codes_in, headquarters, landfalls, travel_hours
from campaign.rules.chart.theatre import read_theatre
from campaign.rules.chart.types import (
    ChartEvent,
    FleetOrder,
    Position,
    Settings,
    ShipKind,
    SightingReport,
    Theatre,
    TurnFacts,
)
from campaign.rules.state.documents import report_doc
from campaign.rules.state.duties import Cargo
from campaign.rules.state.state import TurnState
from campaign.rules.state.world import Chart
from campaign.rules.turn import turn
from campaign.rules.turn.forecast import Stage, passage, weather_known
from campaign.rules.turn.knowledge import OwnFleet, events_for, knowledge_of
from tests.campaign.rules import builders as b

SEA = read_theatre(b.square_doc())
ENGLAND = ("England",)


def made(**over: Any) -> TurnFacts:
    """An English fleet of three ships between a and b, and a Dutch one in port."""
    ships = [b.ship(f"e{n}", "ENG", "e", men=300 - n) for n in range(3)] + [b.ship("d1", "NLD", "d")]
    ships[1] = replace(ships[1], condition={"lost": 10}, captain="Holmes")
    ships[2] = replace(ships[2], prize=True, squadron="prizes")
    fleets = [b.fleet("e", "ENG", "a", "b", to="b", run=15_000), b.fleet("d", "NLD", "theirs")]
    return b.facts(fleets, ships, weather=b.weather(225), **over)


def begun(facts: TurnFacts) -> TurnState:
    return turn.begin(facts, {}, b.dice(facts))


def report(number: int, hour: int, side: str = "ENG") -> SightingReport:
    return SightingReport(side, number, hour, 10, 120, None, "1", (), "e", "d")


@pytest.mark.clause("G.IN1", "G.SI3")
def test_a_side_has_the_last_report_of_each_contact_newest_first_without_the_fleets_name() -> None:
    facts = made(
        carried={"reports": [report_doc(row) for row in (report(1, 2), report(2, 3), report(9, 3, "NLD"))]}
    )
    state = begun(facts)
    state.hour = 8
    state.reports += [report(1, 5), report(3, 5), report(4, 9), report(8, 6, "NLD")]
    known = knowledge_of(facts, state, "ENG").reports
    assert [(row.report.number, row.report.hour, row.age) for row in known] == [
        (4, 9, 0),
        (3, 5, 3),
        (1, 5, 3),
        (2, 3, 5),
    ]
    assert {row.report.fleet for row in known} == {""}


@pytest.mark.clause("G.IN1")
def test_a_side_knows_its_own_fleets_and_ships_exactly_and_nothing_about_the_others() -> None:
    facts = made()
    state = begun(facts)
    known = knowledge_of(facts, state, "ENG")
    assert (set(known.fleets), set(known.ships)) == ({"e"}, {"e0", "e1", "e2"})
    fleet = known.fleets["e"]
    assert (fleet.latitude, fleet.longitude, fleet.course, fleet.sail) == (0, 125, None, 3)
    assert (fleet.value, fleet.hull_lost, fleet.merchants) == (60, Fraction(1, 4), False)
    assert fleet.weather == state.weather["sea"]
    ship = known.ships["e1"]
    assert (ship.men, ship.complement, ship.captain, ship.prize, ship.hull_lost) == (
        299,
        300,
        "Holmes",
        False,
        Fraction(1, 2),
    )
    assert (known.own_ports, known.enemy_ports, known.worth) == (
        frozenset({"home"}),
        frozenset({"theirs"}),
        40,
    )
    state.fleets["e"] = replace(state.fleets["e"], position=Position("n", "b", 15_000))
    north = knowledge_of(facts, state, "ENG").fleets["e"]
    assert (north.latitude, north.longitude) == (75, 200)
    state.fleets["e"] = replace(state.fleets["e"], position=Position("a", "b", 15_000))
    sailing = state.fleets["e"]
    state.fleets["e"] = replace(sailing, under_way=True)
    assert knowledge_of(facts, state, "ENG").fleets["e"].course == 90


@pytest.mark.clause("G.IN1")
def test_before_the_turn_begins_a_side_knows_the_present_and_a_fleet_without_ships_does_not_count() -> None:
    facts = replace(made(), weather={})
    facts = replace(facts, fleets={**facts.fleets, "f": b.fleet("f", "ENG", "home")})
    known = knowledge_of(facts, None, "ENG")
    assert set(known.fleets) == {"e"}
    assert (known.fleets["e"].position, known.fleets["e"].weather, known.hour) == (
        Position("a", "b", 15_000),
        None,
        0,
    )
    assert known.fleets["e"].needs == 2
    assert set(knowledge_of(facts, None, "NLD").fleets) == {"d"}


def fleet_of(facts: TurnFacts, **cargoes: Cargo) -> OwnFleet:
    state = begun(facts)
    state.duties.cargoes.update(cargoes)
    return knowledge_of(facts, state, "ENG").fleets["e"]


@pytest.mark.clause("G.CV1")
@pytest.mark.parametrize(
    ("cargoes", "bound"),
    [
        ({"e0": "b", "e1": "c"}, "b"),
        ({"e0": "b"}, ""),
        ({"e0": "b", "e2": "b"}, ""),
        ({"e0": "b", "x": "b"}, ""),
    ],
)
def test_a_fleet_is_bound_for_where_most_of_its_ships_carry_their_cargoes(
    cargoes: dict[str, str], bound: str
) -> None:
    assert (
        fleet_of(made(), **{code: Cargo(1, place, "ENG") for code, place in cargoes.items()}).bound_for
        == bound
    )
    taken = {code: Cargo(1, place, "NLD") for code, place in cargoes.items()}
    assert fleet_of(made(), **taken).bound_for == ""


@pytest.mark.clause("G.CV1")
def test_half_of_the_ships_are_not_most_and_a_fleet_of_merchants_alone_is_a_merchant_fleet() -> None:
    facts = made()
    ships = {code: ship for code, ship in facts.ships.items() if code != "e2"}
    assert fleet_of(replace(facts, ships=ships), e0=Cargo(1, "b", "ENG")).bound_for == ""
    traders = {code: replace(ship, kind=ShipKind.MERCHANT) for code, ship in facts.ships.items()}
    assert fleet_of(replace(facts, ships=traders)).merchants
    mixed = {**traders, "e0": facts.ships["e0"]}
    assert not fleet_of(replace(facts, ships=mixed)).merchants


@pytest.mark.clause("G.IN1", "G.SI3")
def test_a_side_hears_of_an_event_without_the_names_of_other_fleets_or_who_else_knows() -> None:
    facts = made()
    state = begun(facts)
    state.events.clear()
    chart = Chart(facts, state, ScriptedDice(()))
    data = {
        "fleet": "d", "fleets": ["e", "d"], "rows": [["d", 3], ["e", 4], [], [5, "d"]], "by": {"d": 1, "e": 2},
        "deep": {"who": ["d", ("d", 1), ("e", "d")]}, "number": 7, "name": "Fleet d", "none": None,
    }  # fmt: skip
    state.events.append(ChartEvent(0, "battle", "G.CO2", ("ENG", "NLD"), {"place": "a", **data}))
    chart.tell("sailed", "G.MV2", "NLD", fleet="d", place="theirs")
    (event,) = events_for(state, "ENG")
    assert event == [
        0, "battle", "G.CO2", [],
        {
            "fleet": "", "fleets": ["e"], "rows": [["e", 4], [], [5]], "by": {"e": 2}, "deep": {"who": [["e"]]},
            "number": 7, "name": "Fleet d", "none": None, "place": "a",
        },
    ]  # fmt: skip
    assert [row[4]["fleet"] for row in events_for(state, "NLD")] == ["d", "d"]


@pytest.mark.clause("G.RP2")
def test_a_fleet_needs_the_yard_that_its_worst_ship_needs() -> None:
    facts = made()
    sound = {code: replace(ship, condition={"lost": 0}) for code, ship in facts.ships.items()}
    assert [fleet_of(replace(facts, ships=rows)).needs for rows in (sound, facts.ships)] == [0, 2]


def ports(*rows: tuple[str, int, int]) -> Theatre:
    """Ports of England with their yards and berths, beside those of the square sea."""
    doc = b.square_doc()
    for n, (code, yard, berths) in enumerate(rows):
        place = {
            "id": code,
            "name": code,
            "zone": "sea",
            "kind": "port",
            "owner": "England",
            "latitude": 2.0 + n,
        }
        doc["nodes"].append({**place, "longitude": 2.0, "dockyard_capacity": yard, "berths": berths})
        doc["edges"].append([code, "n"])
    return read_theatre(doc)


@pytest.mark.clause("G.IN2")
@pytest.mark.parametrize(
    ("rows", "base"),
    [
        ((("x", 2, 99),), "home"),
        ((("x", 3, 7),), "home"),
        ((("x", 3, 9), ("y", 2, 20)), "x"),
        ((("a1", 3, 8), ("z", 3, 8)), "a1"),
        ((("z", 3, 8),), "home"),
    ],
)
def test_headquarters_are_at_the_greatest_yard_then_at_the_one_with_most_berths(
    rows: tuple[tuple[str, int, int], ...], base: str
) -> None:
    assert headquarters(ports(*rows), ENGLAND) == base


@pytest.mark.clause("G.IN2")
@pytest.mark.parametrize(
    ("end", "miles", "hours"),
    [("a", 60, 24), ("a", 61, 24), ("a", 59, 25), ("b", 60, 48), ("home", 60, 0), ("b", 0, 0)],
)
def test_a_dispatch_takes_whole_hours_rounded_up_and_none_at_no_speed(
    end: str, miles: int, hours: int
) -> None:
    assert travel_hours(SEA, "home", end, Settings(dispatch_miles=miles)) == hours


@pytest.mark.clause("G.IN2", "G.IN4")
def test_news_without_a_place_or_without_headquarters_is_known_at_once() -> None:
    settings = Settings(dispatch_miles=60)
    based, homeless = Post(SEA, settings, "home", ((40, "E"),)), Post(SEA, settings, "", ((60, "E"),))
    assert (based.at_base(50, "b", frozenset({"E"})), based.at_base(40, "b", frozenset({"E"}))) == (98, 40)
    assert (homeless.at_base(50, "b", frozenset({"E"})), homeless.at_place(50, "b")) == (50, 50)
    assert (based.at_base(50, "", frozenset({"E"})), based.at_place(50, "")) == (50, 50)
    assert (based.at_place(50, "b"), based.at_place(50, "home")) == (98, 50)


@pytest.mark.clause("G.IN2")
def test_a_landfall_is_an_arrival_in_a_friendly_port() -> None:
    rows = [
        (3, "arrived", "home"),
        (4, "arrived", "theirs"),
        (5, "arrived", "n"),
        (6, "passed", "home"),
        (7, "arrived", "nowhere"),
    ]
    events = [(hour, kind, {"fleet": "e", "place": place}) for hour, kind, place in rows]
    assert landfalls(events, SEA, ENGLAND) == ((3, "e"),)


def test_codes_are_found_in_texts_rows_and_fields_and_numbers_are_not_codes() -> None:
    assert list(codes_in("e")) == ["e"]
    assert list(codes_in(("e", 1, ["d", None]))) == ["e", "d"]
    assert list(codes_in({"a": "x", "b": {"c": "y"}, "n": 3})) == ["x", "y"]
    assert list(codes_in(7)) == []


def seasons() -> Theatre:
    """The square sea, where it blows from the north in June alone and from nowhere in particular in July."""
    doc = b.square_doc()
    months = doc["weather_zones"][0]["months"]
    months["6"], months["7"] = b.month("N", "strong"), b.month("none", "light")
    return read_theatre(doc)


@pytest.mark.clause("G.WX1", "G.IN1")
@pytest.mark.parametrize(
    ("date", "wind", "strength"),
    [("1666-05-20", 270, "moderate"), ("1666-06-20", 0, "strong"), ("1666-07-20", 0, "light")],
)
def test_a_side_without_a_fleet_in_a_zone_expects_the_months_usual_weather(
    date: str, wind: int, strength: str
) -> None:
    facts = replace(
        b.facts([b.fleet("d", "NLD", "a")], sea=seasons(), weather=b.weather(90, "gale")), start_date=date
    )
    (usual,) = weather_known(facts, "ENG").values()
    assert (usual.wind_from, usual.strength.value, usual.visibility.value) == (wind, strength, "clear")
    (known,) = weather_known(facts, "NLD").values()
    assert (known.wind_from, known.strength.value) == (90, "gale")
    (first,) = weather_known(replace(facts, weather={}), "NLD").values()
    assert first == usual


@pytest.mark.clause("G.MV1", "G.MV2")
def test_a_place_is_reached_by_the_end_of_the_hour_in_which_the_fleet_comes_to_it() -> None:
    facts = b.facts([b.fleet("e", "ENG", "home")], weather=b.weather(0), days=1)
    tried = passage(facts, FleetOrder("e", ("home", "a", "b")))
    assert tried.stages == (Stage("a", 14, True), Stage("b", 27, False))
    edge = passage(
        replace(facts, fleets={"e": b.fleet("e", "ENG", "home", to="a", run=16_500)}),
        FleetOrder("e", ("a", "b")),
    )
    assert edge.stages == (Stage("a", 10, True), Stage("b", 23, True))
    late = passage(
        replace(facts, fleets={"e": b.fleet("e", "ENG", "home", to="a", run=12_000)}),
        FleetOrder("e", ("a", "b")),
    )
    assert late.stages == (Stage("a", 11, True), Stage("b", 24, True))
    over = passage(
        replace(facts, fleets={"e": b.fleet("e", "ENG", "home", to="a", run=11_999)}),
        FleetOrder("e", ("a", "b")),
    )
    assert over.stages == (Stage("a", 11, True), Stage("b", 25, False))


@pytest.mark.clause("G.MV1")
@pytest.mark.parametrize(("run", "arrives"), [(50_400, True), (20_000, False)])
def test_a_route_is_tried_for_four_weeks_and_no_longer(run: int, arrives: bool) -> None:
    facts = b.facts([b.fleet("e", "ENG", "a", to="b", run=run)], weather=b.weather(0, "light"))
    tried = passage(facts, FleetOrder("e", ("b", *("a", "b") * 10)))
    assert tried.arrives is arrives
    assert len(tried.stages) == (21 if arrives else 20)
