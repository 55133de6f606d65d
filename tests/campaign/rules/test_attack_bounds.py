"""Attacks on ports at their edges: who goes in and when, whom the guard hits, who fights there, and where the fleet lies after it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.fates import Fate
from battles.engine.core.scenario import Doctrine, Stance
from campaign.rules.battle.attack import attack_step
from campaign.rules.chart.theatre import read_theatre
from campaign.rules.chart.types import (
    FleetFacts,
    FleetOrder,
    Instructions,
    OnArrival,
    Position,
    ShipSheet,
    SideFacts,
    TurnFacts,
)
from campaign.rules.state.state import Contact, Touch
from campaign.rules.state.world import Chart
from campaign.rules.turn import turn
from tests.campaign.rules import builders as b

LENGTH = 60_000
OFF = Position("c", "theirs", LENGTH - 1_000)
DAY, NIGHT = 4, 14


def attacker(code: str = "e", **over: Any) -> FleetFacts:
    order = FleetOrder(code, ("theirs",), Stance.SEEK, OnArrival.ATTACK)
    return replace(b.fleet(code, "ENG", "c", order=order), **{"position": OFF, **over})


def friend(code: str) -> FleetFacts:
    return replace(b.fleet(code, "ENG", "c"), position=OFF)


def made(
    *fleets: FleetFacts,
    guard: int = 0,
    ships: list[ShipSheet] | None = None,
    longitude: float = 4.0,
    strength: str = "moderate",
) -> TurnFacts:
    doc = b.square_doc()
    next(node for node in doc["nodes"] if node["id"] == "theirs").update(guard=guard, longitude=longitude)
    return b.facts(list(fleets), ships, sea=read_theatre(doc), weather=b.weather(0, strength))


def chart_of(facts: TurnFacts, *faces: int, hour: int = DAY) -> Chart:
    state = turn.standing(facts)
    state.hour = hour
    return Chart(facts, state, ScriptedDice(faces))


def attacks(chart: Chart) -> Chart:
    b.step(attack_step, chart)
    chart.dice.finish()  # type: ignore[attr-defined]
    return chart


def told(chart: Chart, kind: str) -> list[Any]:
    return [event.data for event in chart.state.events if event.kind == kind]


def two(**over: Any) -> TurnFacts:
    """An attacker off the port, and a Dutch fleet in it."""
    return made(attacker(), b.fleet("d", "NLD", "theirs"), **over)


def still(chart: Chart, hour: int) -> None:
    chart.alter(chart.state.fleets["e"], still_until=hour)


def away(chart: Chart, hour: int) -> None:
    chart.alter(chart.state.fleets["e"], off_until=hour)


def contact(seeker: str, quarry: str) -> Callable[[Chart], None]:
    def meet(chart: Chart) -> None:
        chart.state.contacts[seeker, quarry] = Contact(seeker, quarry, 9_000, 0, 0, not_before=99)

    return meet


def short_of_it(chart: Chart) -> None:
    chart.alter(chart.state.fleets["e"], position=replace(OFF, run=OFF.run - 1))


def blockades(chart: Chart) -> None:
    fleet = chart.state.fleets["e"]
    chart.alter(fleet, order=replace(fleet.order, on_arrival=OnArrival.BLOCKADE))


@pytest.mark.clause("G.PT1", "G.CO3", "G.CL2")
@pytest.mark.parametrize(
    ("change", "goes"),
    [
        (lambda chart: still(chart, DAY), True),
        (lambda chart: still(chart, DAY + 1), False),
        (lambda chart: away(chart, DAY), True),
        (lambda chart: away(chart, DAY + 1), False),
        (contact("e", "x"), False),
        (contact("x", "e"), False),
        (contact("x", "y"), True),
        (short_of_it, False),
        (blockades, False),
    ],
    ids=["free", "held", "back", "away", "chases", "chased", "others chase", "too far", "blockades"],
)
def test_a_fleet_attacks_when_it_is_there_and_free_to(change: Callable[[Chart], None], goes: bool) -> None:
    chart = chart_of(two())
    change(chart)
    assert bool(told(attacks(chart), "port_attacked")) is goes


@pytest.mark.clause("G.PT1", "G.WX3")
@pytest.mark.parametrize(
    ("strength", "hour", "goes"),
    [
        ("strong", DAY, True),
        ("gale", DAY, False),
        ("strong", NIGHT, False),
        ("light", NIGHT - 1, True),
        ("still", DAY, False),
    ],
)
def test_a_fleet_attacks_by_day_and_neither_in_a_gale_nor_in_a_calm(
    strength: str, hour: int, goes: bool
) -> None:
    assert bool(told(attacks(chart_of(two(strength=strength), hour=hour)), "port_attacked")) is goes


@pytest.mark.clause("G.PT1", "G.ST2")
@pytest.mark.parametrize(
    ("wind", "strength", "full", "goes"),
    [
        (30, "moderate", 0, True),
        (31, "moderate", 0, False),
        (31, "moderate", 9_000, True),
        (0, "still", 9_000, True),
    ],
)
def test_a_fleet_goes_in_only_if_all_its_ships_can_lay_the_course_or_steam(
    wind: int, strength: str, full: int, goes: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The port lies to the east, the ships can lie 60 degrees off the wind."""
    chart = chart_of(replace(two(), weather=b.weather(wind, strength)))
    hulls = tuple(hull._replace(no_go=60, full=full) for hull in chart.hulls("e"))
    monkeypatch.setattr(chart, "hulls", lambda code: hulls)
    assert bool(told(attacks(chart), "port_attacked")) is goes


@pytest.mark.clause("G.PT1", "G.CO1")
@pytest.mark.parametrize(
    ("lost", "faces", "guard", "defenders", "beaten"),
    [(10, (), 0, 2, True), (10, (), 0, 1, False), (9, (), 0, 2, False), (9, (1, 1), 1, 2, True)],
)
def test_an_attack_is_given_up_when_its_captains_would_not_fight_any_more_after_the_guns_have_fired(
    lost: int, faces: tuple[int, ...], guard: int, defenders: int, beaten: bool
) -> None:
    ships = [b.ship(f"e{n}", "ENG", "e", condition={"lost": lost}) for n in range(2)]
    ships += [b.ship(f"d{n}", "NLD", "d") for n in range(defenders)]
    chart = attacks(chart_of(two(ships=ships, guard=guard), *faces))
    known = [
        (e.knows, e.data["fleet"], e.data["place"]) for e in chart.state.events if e.kind == "beaten_off"
    ]
    assert known == ([(("ENG",), "e", "theirs")] if beaten else [])
    assert chart.state.holdings.tried == ({("ENG", "theirs"): DAY} if beaten else {})
    assert bool(chart.state.calls) is not beaten
    assert chart.state.fleets["e"].order.on_arrival is OnArrival.BLOCKADE


@pytest.mark.clause("G.PT1", "G.LD5")
@pytest.mark.parametrize("over", [{"prize": True}, {"men": 0}])
def test_ships_in_the_port_that_cannot_fight_do_not_deter_an_attack(over: dict[str, Any]) -> None:
    ships = [b.ship(f"e{n}", "ENG", "e", condition={"lost": 10}) for n in range(2)]
    ships += [b.ship("d0", "NLD", "d"), b.ship("d1", "NLD", "d", **over)]
    chart = attacks(chart_of(two(ships=ships)))
    assert told(chart, "beaten_off") == [] and chart.state.calls


@pytest.mark.clause("G.PT1")
def test_a_fleet_of_prizes_or_wrecks_does_not_attack() -> None:
    for over in ({"prize": True}, {"condition": {"lost": 20}}):
        facts = two(ships=[b.ship("e1", "ENG", "e", **over), b.ship("d1", "NLD", "d")])
        assert told(attacks(chart_of(facts)), "port_attacked") == []


@pytest.mark.clause("G.PT1", "G.MV4")
def test_the_guard_fires_on_every_fleet_that_attacks_together_and_all_of_them_fight() -> None:
    facts = made(attacker(), friend("f"), b.fleet("d", "NLD", "theirs"), guard=2)
    chart = attacks(chart_of(facts, 3, 5))
    fired = [(row["fleet"], row["place"], row["guard"], row["hits"]) for row in told(chart, "guard_fired")]
    assert fired == [("e", "theirs", 2, [["e1", 6]]), ("f", "theirs", 2, [["f1", 10]])]
    (call,) = chart.state.calls
    assert call.fleets == {"ENG": ("e", "f"), "NLD": ("d",)}
    orders = {code: chart.state.fleets[code].order.on_arrival for code in "ef"}
    assert orders == {"e": OnArrival.BLOCKADE, "f": OnArrival.ANCHOR}


@pytest.mark.clause("G.PT1")
@pytest.mark.parametrize("guard", [1, 2])
def test_the_guard_fires_at_eight_ships_for_each_of_its_points_the_most_valuable_of_the_company(
    guard: int,
) -> None:
    ships = [b.ship(f"e{n:02d}", "ENG", "e", card={"hull": 20, "value": 40 + n}) for n in range(6)]
    ships += [b.ship(f"f{n:02d}", "ENG", "f", card={"hull": 20, "value": 20 + n}) for n in range(13)]
    ships += [b.ship("p", "ENG", "e", prize=True, card={"hull": 20, "value": 99}), b.ship("d1", "NLD", "d")]
    facts = made(attacker(), friend("f"), b.fleet("d", "NLD", "theirs"), guard=guard, ships=ships)
    chart = attacks(chart_of(facts, *[1] * (8 * guard)))
    hit = [code for row in told(chart, "guard_fired") for code, _ in row["hits"]]
    first = [f"e{n:02d}" for n in range(6)] + [f"f{n:02d}" for n in range(13 - (8 * guard - 6), 13)]
    assert sorted(hit) == first


@pytest.mark.clause("G.PT1")
def test_a_port_without_a_guard_does_not_fire() -> None:
    chart = attacks(chart_of(two(guard=0)))
    assert told(chart, "guard_fired") == []
    assert len(chart.state.calls) == 1


@pytest.mark.clause("G.PT1", "G.BT3")
def test_when_the_guard_sinks_the_leader_the_others_fight_on() -> None:
    ships = [b.ship("e1", "ENG", "e"), b.ship("f1", "ENG", "f"), b.ship("d1", "NLD", "d")]
    facts = made(attacker(), friend("f"), b.fleet("d", "NLD", "theirs"), guard=4, ships=ships)
    told = Instructions(doctrine=Doctrine(break_off=100))
    stays = replace(facts.fleets["f"], order=replace(facts.fleets["f"].order, instructions=told))
    chart = attacks(chart_of(replace(facts, fleets={**facts.fleets, "f": stays}), 5, 4))
    assert (chart.state.ships["e1"].fate, chart.state.ships["f1"].fate) == (Fate.SUNK, Fate.AFLOAT)
    assert chart.state.ships["f1"].condition == {"lost": 16}
    assert [call.fleets for call in chart.state.calls] == [{"ENG": ("f",), "NLD": ("d",)}]


@pytest.mark.clause("G.PT1")
def test_there_is_no_battle_without_attackers_able_to_fight_or_defenders() -> None:
    facts = made(attacker(), guard=1)
    assert attacks(chart_of(facts, 1)).state.calls == []
    facts = made(attacker(), b.fleet("d", "NLD", "theirs"), guard=4)
    lost = chart_of(facts, 5)
    assert attacks(lost).state.calls == []
    assert lost.state.fleets["e"].ended


@pytest.mark.clause("G.PT1")
def test_a_fleet_at_sea_off_the_chart_or_without_a_ship_does_not_defend_the_port() -> None:
    out = b.fleet("d", "NLD", "theirs", to="c", run=500)
    assert attacks(chart_of(made(attacker(), out))).state.calls == []
    empty = made(attacker(), b.fleet("d", "NLD", "theirs"), ships=[b.ship("e1", "ENG", "e")])
    assert attacks(chart_of(empty)).state.calls == []
    elsewhere = chart_of(two())
    elsewhere.alter(elsewhere.state.fleets["d"], off_until=DAY + 1)
    assert attacks(elsewhere).state.calls == []
    assert chart_of(two()).state.calls == []


def third_side(*allies: str, at_war: bool = True) -> TurnFacts:
    """A French fleet of two ships lies beside the Dutch one in the port that the English attack."""
    fleets = [attacker(), b.fleet("d", "NLD", "theirs"), b.fleet("x", "FRA", "theirs")]
    ships = [b.ship("e1", "ENG", "e"), b.ship("d1", "NLD", "d")]
    ships += [b.ship(f"x{n}", "FRA", "x") for n in range(2)]
    facts = made(*fleets, ships=ships)
    wars = {frozenset({"ENG", "NLD"}), frozenset({"ENG", "FRA"})} if at_war else {frozenset({"ENG", "NLD"})}
    return replace(
        facts,
        sides={**facts.sides, "FRA": SideFacts("FRA", "France", ("France",))},
        at_war=frozenset(wars),
        allied=frozenset({frozenset(allies)}) if allies else frozenset(),
    )


@pytest.mark.clause("G.CO7", "G.PT1")
@pytest.mark.parametrize(
    ("facts", "defend"),
    [
        (third_side(), {"FRA": ("x",)}),
        (third_side("FRA", "NLD"), {"FRA": ("x",), "NLD": ("d",)}),
        (third_side(at_war=False), {"NLD": ("d",)}),
    ],
    ids=["apart", "allied", "at peace"],
)
def test_the_greatest_enemy_defends_with_its_allies(
    facts: TurnFacts, defend: dict[str, tuple[str, ...]]
) -> None:
    (call,) = attacks(chart_of(facts)).state.calls
    assert call.fleets == {"ENG": ("e",), **defend}


@pytest.mark.clause("G.PT1", "G.PR3")
def test_the_greatest_attacker_takes_undefended_ships() -> None:
    ships = [b.ship(f"{code}{n}", "ENG", code) for code, count in (("e", 1), ("f", 2)) for n in range(count)]
    ships.append(b.ship("d1", "NLD", "d", prize=True))
    chart = attacks(chart_of(made(attacker(), friend("f"), b.fleet("d", "NLD", "theirs"), ships=ships)))
    assert (chart.state.ships["d1"].fleet, chart.state.ships["d1"].side) == ("f", "ENG")


@pytest.mark.clause("G.PT1", "G.BL1")
@pytest.mark.parametrize(("longitude", "short"), [(4.0, False), (3.1001, False), (3.1, True), (3.09, True)])
def test_after_the_attack_the_fleet_stays_six_miles_off_or_where_the_passage_begins(
    longitude: float, short: bool
) -> None:
    chart = chart_of(made(attacker(), longitude=longitude))
    length = chart.geometry.legs["c", "theirs"].length
    assert (length <= 6_000) is short
    chart.alter(chart.state.fleets["e"], position=Position("c", "theirs", length - 1_000))
    fleet = attacks(chart).state.fleets["e"]
    assert fleet.position == (Position("c") if short else Position("c", "theirs", length - 6_000))
    assert (fleet.order.on_arrival, fleet.order.target) == (OnArrival.BLOCKADE, "theirs")
    assert not fleet.under_way


@pytest.mark.clause("G.PT1", "G.BT6", "G.CL2")
def test_a_fleet_fighting_in_the_port_is_off_the_chart_for_the_hour_and_no_longer_in_contact() -> None:
    facts = made(
        attacker(),
        friend("f"),
        b.fleet("d", "NLD", "theirs"),
        b.fleet("g", "ENG", "a"),
        b.fleet("h", "NLD", "b"),
    )
    chart = chart_of(facts)
    chart.alter(chart.state.fleets["d"], still_until=DAY + 9)
    for key in (("f", "h"), ("h", "d"), ("g", "d"), ("g", "h")):
        contact(*key)(chart)
    attacks(chart)
    (call,) = chart.state.calls
    assert (call.code, call.hour, call.place) == ("b01", DAY, "theirs")
    assert set(chart.state.contacts) == {("g", "h")}
    off = {code: (now.off_until, now.still_until) for code, now in chart.state.fleets.items()}
    assert off == dict.fromkeys("efd", (DAY + 1, 0)) | {"g": (0, 0), "h": (0, 0)}
    (battle,) = told(chart, "battle")
    assert (battle["fleets"], battle["coming"]) == ({"ENG": ["e", "f"], "NLD": ["d"]}, [])


@pytest.mark.clause("G.PT1", "G.CO2")
@pytest.mark.parametrize(("wind", "gauge"), [(28, "NLD"), (280, "ENG")])
def test_the_fleet_to_windward_has_the_gauge_in_the_battle_in_the_port(wind: int, gauge: str) -> None:
    chart = chart_of(replace(two(), weather=b.weather(wind)))
    chart.state.touches["d", "e"] = Touch("d", "e", True)
    (call,) = attacks(chart).state.calls
    assert call.scenario["gauge"] == gauge
