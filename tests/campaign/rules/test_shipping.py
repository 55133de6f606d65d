"""Raiders: neutrals stopped and searched, enemy merchantmen taken and sunk, and what their owner hears of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from battles.engine import registry
from battles.engine.core.at_sea import Trade, Vessel
from battles.engine.core.scenario import ShipFacts, Stance
from campaign.rules.chart.types import FleetOrder, Instructions, OnArrival, PlaceKind, Position
from campaign.rules.orders.orders import order_faults
from campaign.rules.shipping.raiders import raids_now, shipping_step
from campaign.rules.state.shipping import Haul
from campaign.rules.state.state import Contact, TurnState, state_hash
from campaign.rules.state.world import Chart
from campaign.rules.turn.own_facts import own_facts
from campaign.rules.turn.score import points_of
from campaign.rules.turn.turn import carried_over
from tests.campaign.rules import builders as b
from tests.campaign.rules.shores import chart, knows, told

RAIDER = {**b.CARD, "raider": True}
DAWN = 24
TRADE = Trade((Vessel("liner", 6, Fraction(3), 800), Vessel("tramp", 1, Fraction(2), 300)), 4, 6)


@pytest.fixture(autouse=True)
def with_trade(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The plain rule set knows liners and tramps."""
    monkeypatch.setattr(type(b.PLAIN.at_sea), "trade", TRADE)
    yield


def raider(at: str = "a", faces: tuple[int, ...] = (), *, hour: int = DAWN, prizes: str = "man", company: int = 1,
           card: Any = RAIDER, position: Position | None = None, **over: Any) -> Chart:  # fmt: skip
    """English raiders at A, 180 miles from the Dutch port, or at another place."""
    order = FleetOrder("e", (), Stance.AVOID, OnArrival.TRADE, Instructions(prizes=prizes))
    fleets = [
        replace(b.fleet(f"e{n}", "ENG", at, order=replace(order, fleet=f"e{n}")), position=position or Position(at))
        for n in range(company)
    ]  # fmt: skip
    ships = [b.ship(f"s{n}", "ENG", f"e{n}", card=card) for n in range(company)]
    return chart(b.facts(fleets, ships, **{"weather": b.weather(), **over}), faces, hour=hour)


@pytest.mark.clause("G.NC1", "P.N01", "P.N08")
@pytest.mark.parametrize(
    ("faces", "searched", "taken"),
    [((3,), 0, 0), ((4, 6, 5), 1, 0), ((4, 6, 6), 0, 1)],
)
def test_a_neutral_is_met_searched_and_a_prize_on_a_six(
    faces: tuple[int, ...], searched: int, taken: int
) -> None:
    played = raider(faces=faces)
    b.step(shipping_step, played)
    played.dice.finish()  # type: ignore[attr-defined]
    assert (len(told(played, "neutral_searched")), len(told(played, "shipping_taken"))) == (searched, taken)
    assert told(played, "shipping_lost") == []


@pytest.mark.clause("G.NC1", "P.K07", "P.S13", "G.PR4")
def test_a_prize_counts_at_once_and_pays_when_the_court_has_judged() -> None:
    """Sixty miles at eight knots are eight hours, and the court sits for fourteen days."""
    played = raider(faces=(4, 6, 6))
    b.step(shipping_step, played)
    assert played.state.hauls == (Haul("ENG", DAWN + 8 + 14 * 24, "liner", 800, "a"),)
    assert played.state.hauls[0].due % 24 == 8
    funds = played.state.economy.funds["ENG"]
    events = [(event.hour, event.kind, event.data) for event in played.state.events]
    points = points_of(events, {}, played.facts.settings)
    assert [(p.side, p.points, p.reason) for p in points] == [("ENG", 3, "shipping")]
    played.state.hour = DAWN + 15 * 24
    played.state.fleets["e0"] = replace(played.state.fleets["e0"], ended=True)
    b.step(shipping_step, played)
    assert played.state.economy.funds["ENG"] == funds + 800 and played.state.hauls == ()
    assert knows(played, "shipping_condemned") == [("ENG",)]


@pytest.mark.clause("G.NC2", "P.Y10")
@pytest.mark.parametrize(
    ("prizes", "face", "taken", "sunk", "hauls"),
    [
        ("man", 5, 1, False, 1),
        ("man", 4, 0, False, 0),
        ("burn", 5, 1, True, 0),
        ("release", 5, 0, False, 0),
    ],
)
def test_enemy_shipping_strikes_and_is_sent_in_sunk_or_released(
    prizes: str, face: int, taken: int, sunk: bool, hauls: int
) -> None:
    played = raider("c", (1, face, *((2,) * (face >= 5))), prizes=prizes)
    b.step(shipping_step, played)
    played.dice.finish()  # type: ignore[attr-defined]
    rows = told(played, "shipping_taken")
    assert [(row["owner"], row["vessel"], row["sunk"]) for row in rows] == [("NLD", "tramp", sunk)] * taken
    assert len(played.state.hauls) == hauls


@pytest.mark.clause("G.NC2", "G.IN1")
def test_the_owner_hears_what_was_lost_and_to_whom_but_not_to_which_fleet() -> None:
    played = raider("c", (1, 6, 6))
    b.step(shipping_step, played)
    (row,) = told(played, "shipping_lost")
    assert knows(played, "shipping_lost") == [("NLD",)] and knows(played, "shipping_taken") == [("ENG",)]
    assert "fleet" not in row and (row["attacker"], row["place"]) == ("ENG", "c")
    points = points_of([(0, "shipping_lost", row)], {}, played.facts.settings)
    assert [(p.side, p.points) for p in points] == [("NLD", -3)]


@pytest.mark.clause("G.NC2")
@pytest.mark.parametrize(("miles", "dice"), [(119, 1), (120, 2)])
def test_enemy_shipping_is_met_near_the_enemys_ports(miles: int, dice: int) -> None:
    """B lies 120 miles from the Dutch port."""
    played = raider("b", (1,) * dice, settings=b.settings(end_turn_on="none", trade_miles=miles))
    b.step(shipping_step, played)
    played.dice.finish()  # type: ignore[attr-defined]


@pytest.mark.clause("G.NC2")
def test_where_a_raider_has_struck_the_owners_shipping_keeps_to_port_for_a_week() -> None:
    """C lies 60 miles from B, A 120, home 180; neutrals are met as before."""
    warned = {"end_turn_on": "none", "trade_warned_days": 7}
    first = raider("c", (1, 6, 6), settings=b.settings(**warned))
    b.step(shipping_step, first)
    assert first.state.warned == {("NLD", "c"): DAWN + 7 * 24}
    for hour, at, dice in ((48, "b", 1), (DAWN + 7 * 24, "b", 2), (48, "c", 1)):
        after = raider(at, (1,) * dice, hour=hour, settings=b.settings(**warned))
        after.state.warned = dict(first.state.warned)
        b.step(shipping_step, after)
        after.dice.finish()  # type: ignore[attr-defined]
    stored = TurnState.from_dict(first.state.to_dict())
    assert stored.warned == first.state.warned


@pytest.mark.clause("G.NC2")
@pytest.mark.parametrize(
    ("warned", "kept"),
    [
        (("NLD", "b", DAWN + 1), True), (("NLD", "b", DAWN), False), (("NLD", "a", 999), False), (("ENG", "c", 999), False),
        (("NLD", "c", 999), True),
    ],
)  # fmt: skip
def test_only_shipping_of_its_own_side_near_the_place_is_warned_and_only_until_the_time_is_over(
    warned: tuple[str, str, int], kept: bool
) -> None:
    """C lies 60 miles from B and from the Dutch port, A 120."""
    played = raider("c", (1,) * (1 if kept else 2), settings=b.settings(end_turn_on="none", trade_miles=60))
    owner, place, until = warned
    played.state.warned = {(owner, place): until}
    b.step(shipping_step, played)
    played.dice.finish()  # type: ignore[attr-defined]


@pytest.mark.clause("G.NC2")
def test_an_anchorage_is_no_port_in_whose_waters_merchantmen_pass() -> None:
    """N, a Dutch anchorage, lies 60 miles from B, and the Dutch port 120."""
    played = raider("b", (1,), settings=b.settings(end_turn_on="none", trade_miles=119))
    places = dict(played.facts.theatre.places)
    places["n"] = replace(places["n"], owner="Dutch Republic")
    played.facts = replace(played.facts, theatre=replace(played.facts.theatre, places=places))
    b.step(shipping_step, played)
    played.dice.finish()  # type: ignore[attr-defined]


@pytest.mark.clause("G.NC1", "G.NC2")
@pytest.mark.parametrize(
    ("prizes", "ports", "at", "faces", "rows", "hauls"),
    [
        ("burn", True, "a", (4, 6, 6), [("", False)], 1), ("man", False, "a", (4, 6, 6), [], 0),
        ("man", False, "c", (1, 6, 6), [], 0), ("burn", False, "c", (1, 6, 6), [("NLD", True)], 0),
    ],
)  # fmt: skip
def test_a_neutral_is_never_sunk_and_a_side_without_a_port_has_nowhere_to_send_a_prize(
    prizes: str, ports: bool, at: str, faces: tuple[int, ...], rows: list[Any], hauls: int
) -> None:
    played = raider(at, faces, prizes=prizes)
    if not ports:
        homeless = replace(played.facts.sides["ENG"], nations=("Nowhere",))
        played.facts = replace(played.facts, sides={**played.facts.sides, "ENG": homeless})
    b.step(shipping_step, played)
    assert [(row["owner"], row["sunk"]) for row in told(played, "shipping_taken")] == rows
    assert len(told(played, "shipping_lost")) == sum(bool(owner) for owner, _ in rows)
    assert len(played.state.hauls) == hauls


@pytest.mark.clause("G.PR4")
def test_the_court_condemns_each_prize_on_its_day() -> None:
    played = raider("n")
    later = Haul("ENG", DAWN + 1, "tramp", 300, "c")
    played.state.hauls = (Haul("ENG", DAWN, "liner", 800, "a"), later)
    b.step(shipping_step, played)
    assert told(played, "shipping_condemned") == [
        {"side": "ENG", "place": "a", "vessel": "liner", "pounds": 800}
    ]
    assert played.state.hauls == (later,)


@pytest.mark.clause("G.NC1")
@pytest.mark.parametrize(
    ("changes", "raids"),
    [
        ({}, True), ({"order": FleetOrder("e0", (), Stance.AVOID, OnArrival.PATROL)}, False), ({"held_by": "b01"}, False),
        ({"order": FleetOrder("e0", ("b",), Stance.AVOID, OnArrival.TRADE)}, False),
    ],
)  # fmt: skip
def test_a_raider_raids_on_its_station_under_orders_for_it(changes: dict[str, Any], raids: bool) -> None:
    played = raider()
    assert raids_now(played, played.alter(played.state.fleets["e0"], **changes)) is raids
    played.state.contacts["x", "y"] = Contact("x", "y", 1_000, 0, since=0)
    assert raids_now(played, played.state.fleets["e0"]) is raids


@pytest.mark.clause("G.NC1")
@pytest.mark.parametrize(
    ("kind", "lane"), [("sea_area", True), ("strait", True), ("anchorage", False), ("shoal_coast", False)]
)
def test_merchantmen_pass_at_sea_and_in_straits(kind: str, lane: bool) -> None:
    played = raider()
    places = dict(played.facts.theatre.places)
    places["a"] = replace(places["a"], kind=PlaceKind(kind))
    played.facts = replace(played.facts, theatre=replace(played.facts.theatre, places=places))
    assert raids_now(played, played.state.fleets["e0"]) is lane


@pytest.mark.clause("G.NC1")
def test_a_prize_stops_no_one() -> None:
    played = raider()
    assert raids_now(played, played.state.fleets["e0"])
    played.state.ships["s0"] = replace(played.state.ships["s0"], prize=True)
    played.ships_changed()
    assert not raids_now(played, played.state.fleets["e0"])


@pytest.mark.clause("G.NC1")
@pytest.mark.parametrize(
    "why",
    [
        {"hour": DAWN + 1}, {"at": "n"}, {"at": "home"}, {"card": b.CARD}, {"weather": b.weather(visibility="fog")},
        {"weather": b.weather(strength="gale")},
    ],
)  # fmt: skip
def test_no_one_is_stopped_at_other_hours_off_the_lanes_or_in_fog_and_gale(why: Any) -> None:
    shipping_step(raider(**why))


@pytest.mark.clause("G.NC1")
def test_a_raider_in_contact_or_badly_hurt_stops_no_one() -> None:
    played = raider()
    played.state.contacts["x", "e0"] = Contact("x", "e0", 1_000, 0, since=0)
    b.step(shipping_step, played)
    hurt = raider()
    hurt.state.ships["s0"] = replace(hurt.state.ships["s0"], condition={"lost": 10})
    b.step(shipping_step, hurt)


@pytest.mark.clause("G.NC1")
def test_fleets_in_company_throw_once_and_a_fleet_on_a_passage_is_on_a_lane() -> None:
    for played in (raider(faces=(1,), company=2), raider(faces=(1,), position=Position("home", "a", 9_000))):
        b.step(shipping_step, played)
        played.dice.finish()  # type: ignore[attr-defined]


@pytest.mark.clause("G.NC1")
@pytest.mark.parametrize(
    ("route", "card", "fault"),
    [
        (("a",), RAIDER, []),
        (("a", "b", "n"), RAIDER, ["order/no-lane"]),
        (("a",), b.CARD, ["order/no-raider"]),
    ],
)
def test_each_error_in_an_order_to_raid_trade_is_reported(
    route: tuple[str, ...], card: Any, fault: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = b.facts([b.fleet("e", "ENG", "home")], [b.ship("e1", "ENG", "e", card=card)])
    order = FleetOrder("e", route, Stance.AVOID, OnArrival.TRADE)
    assert [row.code for row in order_faults(facts, order, "ENG")] == fault
    monkeypatch.setattr(type(b.PLAIN.at_sea), "trade", None)
    assert [row.code for row in order_faults(facts, order, "ENG")] == ["order/unknown-to-rules"]
    shipping_step(raider())


@pytest.mark.clause("G.NC1", "G.CL2", "G.IN1")
def test_prizes_on_their_way_are_saved_and_belong_to_their_own_side() -> None:
    played = raider()
    assert "hauls" not in played.state.to_dict()
    played.state.hauls = (Haul("ENG", 99, "liner", 800, "a"), Haul("NLD", 99, "tramp", 300, "c"))
    again = TurnState.from_dict(played.state.to_dict())
    assert again.hauls == played.state.hauls and state_hash(again) == state_hash(played.state)
    facts = replace(played.facts, **carried_over(played.facts, played.state))
    assert [row["side"] for row in own_facts(facts, "ENG").carried["hauls"]] == ["ENG"]


@pytest.mark.clause("P.N01", "P.N08", "P.S13", "P.K34", "P.N05")
def test_raiders_meet_what_these_rules_say() -> None:
    rules = registry.rule_set("barker")
    trade = rules.at_sea.trade
    assert trade is not None
    met = [next(v for v in trade.vessels if face >= v.least) for face in range(1, 7)]
    assert [v.name.split()[0] for v in met] == ["sailing", "sailing", "tramp", "tramp", "tramp", "liner"]
    assert [(v.points, v.pounds) for v in trade.vessels] == [(3, 8_000), (2, 3_000), (1, 1_000)]
    assert (trade.present_at, trade.contraband_at) == (4, 6)

    def stops(kind: str) -> bool:
        facts = ShipFacts(ship_type=kind, nation="Russia", built_by="Russia", year_built=1900)
        return rules.at_sea.stops_trade(rules.card(facts))

    assert [stops(kind) for kind in ("cruiser_1", "cruiser_3", "battleship", "destroyer", "transport")] == [
        True, True, False, False, False,
    ]  # fmt: skip
