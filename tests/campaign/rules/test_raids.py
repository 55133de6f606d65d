"""Raids: the throw and what is added to it, what is burnt or towed off, the yard, marks, and what goes wrong."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from battles.engine.core.fates import Fate
from campaign.rules.ashore.yards import ready_hours, yard_step
from campaign.rules.chart.types import Battles, OnArrival, Position, ShipKind, ShipSheet
from campaign.rules.landing.assaults import port_step
from campaign.rules.landing.raids import HALF, WHOLE, prey, raid, shallow_bonus, was_warned
from campaign.rules.losses.castaways import people
from campaign.rules.state.duties import Cargo
from campaign.rules.state.economy import Job
from campaign.rules.state.holdings import Assault, Holdings, Raid
from campaign.rules.state.world import Chart
from campaign.rules.turn.turn import advance, begin
from tests.campaign.rules import builders as b
from tests.campaign.rules import shores as s

SHALLOW = {"hull": 400, "value": 40, "deep": False}
DEEP = {"hull": 400, "value": 40}
GONE_IN = Assault("theirs", 0, "e", ("e",), raid=True)


def idle(code: str, value: int, fleet: str = "d") -> ShipSheet:
    """A Dutch ship of so much worth without the men to sail her."""
    return b.ship(code, "NLD", fleet, men=10, card={"hull": 20, "value": value})


def off_port(
    *ships: ShipSheet,
    faces: tuple[int, ...] = (),
    raiders: int = 1,
    guard: int = 0,
    hour: int = 0,
    **over: Any,
) -> Chart:
    """English deep ships off the Dutch port with the order to raid it, and what lies there."""
    rows = [b.ship(f"e{n}", "ENG", "e", card=DEEP) for n in range(raiders)]
    fleets = [
        b.fleet("e", "ENG", "c", order=s.order("e", "raid", "theirs"), position=s.OFF),
        *(b.fleet(code, "NLD", "theirs") for code in sorted({ship.fleet for ship in ships})),
    ]
    over.setdefault("theirs", {"recruits_per_week": 0})
    return s.chart(s.made(fleets, [*rows, *ships], guard=guard, **over), faces, hour)


@pytest.mark.clause("G.LD5")
@pytest.mark.parametrize(
    ("faces", "result", "burnt", "idle_days", "marks"),
    [
        ((1, 5), "none", 0, 0, "0"), ((1, 6, 3, 4), "half", 1, 14, "1"), ((2, 6, 3, 4), "half", 1, 14, "1"),
        ((3, 6, 3, 4), "whole", 3, 28, "3"), ((5, 6, 1, 1), "whole", 1, 7, "3"), ((2, 6, 1, 1), "half", 0, 3, "1"),
    ],
)  # fmt: skip
def test_the_table_of_a_raid(
    faces: tuple[int, ...], result: str, burnt: int, idle_days: int, marks: str
) -> None:
    chart = off_port(*(idle(f"d{n}", 10 + n) for n in range(4)), faces=faces)
    b.step(port_step, chart)
    (told,) = s.told(chart, "raided")
    assert (told["result"], told["number"], told["marks"]) == (result, burnt, marks)
    gone = [code for code, ship in chart.state.ships.items() if ship.fate is Fate.BURNT]
    assert gone == [f"d{n}" for n in range(4)][4 - burnt :]  # the most valuable first
    assert chart.state.holdings.idle.get("theirs", 0) == idle_days
    assert chart.state.holdings.raids == ((Raid("ENG", "theirs", 0, result == "whole"),) if burnt else ())


@pytest.mark.clause("G.LD5", "G.PR1")
def test_on_twelve_or_more_the_most_valuable_ship_is_taken_in_place_of_burnt() -> None:
    chart = off_port(idle("d1", 10), idle("d2", 80), faces=(6, 6, 2, 1))
    everyone = people(chart.state)
    b.step(port_step, chart)
    prize = chart.state.ships["d2"]
    assert (prize.side, prize.prize, prize.fleet) == ("ENG", True, "e")
    assert chart.state.ships["d1"].fate is Fate.BURNT
    assert s.told(chart, "raided")[0]["towed"] == "d2"
    assert [row["towed"] for row in s.told(chart, "raid_suffered")] == ["d2"]
    assert people(chart.state) == everyone


@pytest.mark.clause("G.LD5")
@pytest.mark.parametrize(("ships", "bonus"), [(3, 0), (4, 1), (7, 1), (8, 2), (12, 3), (40, 3)])
def test_one_is_added_for_every_four_ships_that_are_not_deep_and_at_most_three(
    ships: int, bonus: int
) -> None:
    rows = [b.ship(f"e{n:02d}", "ENG", "e", card=SHALLOW) for n in range(ships)]
    rows += [b.ship(f"f{n}", "ENG", "e", card=DEEP) for n in range(8)]
    rows += [b.ship(f"p{n}", "ENG", "e", card=SHALLOW, prize=True) for n in range(8)]
    chart = s.chart(s.made([b.fleet("e", "ENG", "c")], rows))
    assert shallow_bonus(chart, [chart.state.fleets["e"]]) == bonus


@pytest.mark.clause("G.LD5")
def test_a_fire_ship_adds_one_and_is_expended() -> None:
    rows = [b.ship("e0", "ENG", "e"), b.ship("e1", "ENG", "e", kind=ShipKind.FIRE_SHIP, men=20)]
    fleet = b.fleet("e", "ENG", "c", order=s.order("e", "raid", "theirs"), position=s.OFF)
    chart = s.chart(s.made([fleet], rows, guard=0), (2, 4, 1, 1))
    everyone = people(chart.state)
    b.step(port_step, chart)
    assert (s.told(chart, "raided")[0]["bonus"], s.told(chart, "raided")[0]["result"]) == (1, "half")
    assert chart.state.ships["e1"].fate is Fate.BURNT and chart.state.ships["e0"].men == 320
    assert people(chart.state) == everyone


@pytest.mark.clause("G.LD5", "G.PT1")
@pytest.mark.parametrize(("guard", "bonus"), [(1, -1), (3, -3)])
def test_the_guard_is_taken_off_and_fires_once_more_when_the_raid_fails(guard: int, bonus: int) -> None:
    chart = off_port(guard=guard, faces=(2, 1, 1, 5))
    b.step(port_step, chart)
    assert s.told(chart, "raided")[0]["bonus"] == bonus
    assert [(e.clause, e.data["hits"]) for e in chart.state.events if e.kind == "guard_fired"] == [
        ("G.PT1", [["e0", 2 * guard]]), ("G.LD5", [["e0", 5 * guard]]),
    ]  # fmt: skip
    assert not chart.state.holdings.raids


@pytest.mark.clause("G.LD5")
@pytest.mark.parametrize(
    ("hour", "side", "fleet", "warned"),
    [
        (54, "NLD", "e", True), (55, "NLD", "e", False), (12, "NLD", "e", True), (11, "NLD", "e", False),
        (30, "ENG", "e", False), (30, "NLD", "x", False),
    ],
)  # fmt: skip
def test_the_owner_is_warned_by_touch_six_hours_before_the_attack(
    hour: int, side: str, fleet: str, warned: bool
) -> None:
    row = {
        "side": side, "number": 1, "hour": hour, "latitude": 0, "longitude": 0, "course": None, "band": "1", "kinds": [],
        "observer": "d", "fleet": fleet,
    }  # fmt: skip
    chart = off_port(carried={"reports": [row]})
    assert was_warned(chart, Assault("theirs", 60, "e", ("e",), raid=True)) is warned


@pytest.mark.clause("G.LD5")
def test_a_warning_takes_one_from_the_throw() -> None:
    row = {
        "side": "NLD", "number": 1, "hour": 0, "latitude": 0, "longitude": 0, "course": None, "band": "1", "kinds": [],
        "observer": "d", "fleet": "e",
    }  # fmt: skip
    chart = off_port(carried={"reports": [row]}, hour=6, faces=(1, 1))
    raid(chart, Assault("theirs", 6, "e", ("e",), raid=True), [chart.state.fleets["e"]])
    assert s.told(chart, "raided")[0]["bonus"] == -1


@pytest.mark.clause("G.LD5", "G.RP2", "G.CV1")
def test_ships_in_a_yard_without_men_or_waiting_for_their_day_are_its_prey() -> None:
    ships = [
        b.ship("d1", "NLD", "d"), idle("d2", 50), b.ship("d3", "NLD", "f"), b.ship("d4", "NLD", "g"),
        b.ship("d5", "NLD", "h", men=5),
    ]  # fmt: skip
    chart = off_port(*ships)
    state = chart.state
    state.economy.jobs["d1"] = Job("d1", "NLD", "theirs", "heavy", 0, 0, 91, 3, 0, berth=1)
    state.duties.cargoes["d3"] = Cargo(10, "n", "NLD")
    chart.alter(state.fleets["f"], off_until=48)
    chart.alter(state.fleets["h"], position=Position("c"))
    assert [ship.code for ship in prey(chart, state.fleets["e"], "theirs")] == ["d2", "d1", "d3"]


@pytest.mark.clause("G.LD5", "G.RP2")
def test_the_yard_stands_still_for_its_yard_days() -> None:
    fleet = b.fleet("d", "NLD", "theirs")
    made = s.made(
        [fleet], [b.ship("d1", "NLD", "d", condition={"lost": 16})], holdings=Holdings(idle={"theirs": 10})
    )
    chart = s.chart(made)
    chart.state.economy.jobs["d1"] = Job("d1", "NLD", "theirs", "heavy", 0, 0, 91, 3, 0, berth=1)
    chart.state.economy.orders["NLD"] = chart.state.economy.order("NLD").__class__("NLD", queue=("d1",))
    assert ready_hours(chart, ["d1"])["d1"] == 24 * 15  # 91 and 10, 7 a day
    done = []
    for _ in range(3):
        b.step(yard_step, chart)
        done.append(chart.state.economy.jobs["d1"].done)
    assert done == [0, 4, 11]
    assert not chart.state.holdings.idle


@pytest.mark.clause("G.LD5", "G.PT1")
def test_what_lies_there_under_a_flag_is_fought_first_and_ships_without_men_are_kept_out_of_it() -> None:
    made_chart = off_port(b.ship("d1", "NLD", "d", card=DEEP), idle("d2", 50))
    made = made_chart.facts
    state = begin(made, {}, b.dice(made))
    state, stop = advance(made, state, {}, b.dice(made))
    assert isinstance(stop, Battles)
    (call,) = stop.calls
    dutch = next(side for side in call.scenario["sides"] if side["id"] == "NLD")
    assert [ship["id"] for row in dutch["squadrons"] for ship in row["ships"]] == ["d1"]
    assert state.ships["d2"].fleet != "d" and state.holdings.assaults == (GONE_IN,)
    assert not s.told(state, "raided")


@pytest.mark.clause("G.LD5")
@pytest.mark.parametrize("beaten", [True, False])
def test_the_raid_is_thrown_for_after_the_battle_if_no_hostile_ship_can_fight(beaten: bool) -> None:
    made = off_port(b.ship("d1", "NLD", "d", card=DEEP), idle("d2", 50)).facts
    fates = {"d1": {"fate": "sunk", "condition": {"lost": 400}}} if beaten else {}
    state, _ = b.play(made, fought=lambda call: b.outcome_of(call, minutes=240, **fates), reload=True)
    assert len(s.told(state, "raided")) == beaten
    assert [row["raid"] for row in s.told(state, "assault_failed")] == ([] if beaten else [True])
    assert [event.hour for event in state.events if event.kind == "raided"] == ([4] if beaten else [])
    assert not state.holdings.assaults
    assert state.fleets["e"].order.on_arrival is OnArrival.BLOCKADE


@pytest.mark.clause("G.LD5")
def test_a_raid_on_a_battle_that_takes_weeks_waits_for_its_end() -> None:
    made = off_port(b.ship("d1", "NLD", "d", card=DEEP)).facts
    state = begin(made, {}, b.dice(made))
    state, stop = advance(made, state, {}, b.dice(made))
    assert isinstance(stop, Battles)
    state, _ = advance(made, state, {}, b.dice(made), ongoing=[call.code for call in stop.calls])
    assert state.holdings.assaults == (GONE_IN,)
    assert not s.told(state, "raided") and not s.told(state, "assault_failed")


@pytest.mark.clause("G.LD5", "G.PT1")
@pytest.mark.parametrize("other", ["raid", "attack"])
def test_two_fleets_of_one_company_make_one_raid_and_the_guards_dice_are_thrown_once(other: str) -> None:
    fleets = [
        b.fleet(code, "ENG", "c", order=s.order(code, arrival, "theirs"), position=s.OFF)
        for code, arrival in (("e", "raid"), ("f", other))
    ]
    ships = [b.ship(code, "ENG", code[0], card=DEEP) for code in ("e1", "f1")]
    state, _ = b.play(s.made(fleets, ships, guard=2, days=2), reload=True)
    assert len(s.told(state, "raided")) == 1
    assert len(s.told(state, "port_attacked")) == 1
    assert {state.fleets[code].order.on_arrival for code in "ef"} == {OnArrival.BLOCKADE}


@pytest.mark.clause("G.PT1")
def test_two_fleets_of_one_company_make_one_attack() -> None:
    fleets = [
        b.fleet(code, "ENG", "c", order=s.order(code, "attack", "theirs"), position=s.OFF) for code in "ef"
    ]
    ships = [b.ship(code, "ENG", code[0], card=DEEP) for code in ("e1", "f1")]
    made = s.made(fleets, ships, guard=2, changed={"landings": "off"})
    state, _ = b.play(made, reload=True)
    assert len(s.told(state, "port_attacked")) == 1
    assert len(s.told(state, "guard_fired")) == 2


@pytest.mark.clause("G.LD5", "G.LD2")
def test_a_fleet_of_boats_alone_may_raid_and_nothing_comes_of_it_but_the_throw() -> None:
    fleet = b.fleet("e", "ENG", "c", order=s.order("e", "raid", "theirs"), position=s.OFF)
    chart = s.chart(s.made([fleet], [s.transport("e1")], guard=0), (6, 6, 6, 6))
    b.step(port_step, chart)
    assert s.told(chart, "raided")[0]["number"] == 0


@pytest.mark.clause("G.LD5", "G.PT1")
def test_a_raider_whom_the_guard_sinks_raids_no_more() -> None:
    fleet = b.fleet("e", "ENG", "c", order=s.order("e", "raid", "theirs"), position=s.OFF)
    weak = b.ship("e1", "ENG", "e", card={"hull": 2, "value": 1})
    state, _ = b.play(s.made([fleet], [weak], guard=4))
    assert state.fleets["e"].ended and not s.told(state, "raided") and not state.holdings.assaults


@pytest.mark.clause("G.LD5", "G.IN1")
def test_the_owner_does_not_learn_which_fleet_it_was() -> None:
    chart = off_port(idle("d1", 10), faces=(5, 5, 1, 1))
    b.step(port_step, chart)
    assert s.knows(chart, "raided") == [("ENG",)] and s.knows(chart, "raid_suffered") == [("NLD",)]
    assert s.told(chart, "raid_suffered") == [
        {"place": "theirs", "attacker": "ENG", "result": "whole", "ships": ["d1"], "days": 7, "towed": ""}
    ]


def chances(bonus: int) -> tuple[Fraction, Fraction]:
    """How likely a raid is half, and whole."""
    sums = [one + other + bonus for one, other in product(range(1, 7), repeat=2)]
    half, whole = sum(HALF <= n < WHOLE for n in sums), sum(n >= WHOLE for n in sums)
    return Fraction(half, 36), Fraction(whole, 36)


@pytest.mark.clause("G.LD5")
def test_the_medway() -> None:
    """Twelve shallow ships +3, a fire ship +1, Chatham's guard -2, a warning -1: +1; whole 15/36, half 11/36."""
    rows = [b.ship(f"e{n:02d}", "ENG", "e", card={**SHALLOW, "hull": 900}) for n in range(11)]
    rows.append(b.ship("e99", "ENG", "e", kind=ShipKind.FIRE_SHIP, card={**SHALLOW, "hull": 900}))
    fleet = b.fleet("e", "ENG", "c", order=s.order("e", "raid", "theirs"), position=s.OFF)
    report = {
        "side": "NLD", "number": 1, "hour": 0, "latitude": 0, "longitude": 0, "course": None, "band": "1", "kinds": [],
        "observer": "d", "fleet": "e",
    }  # fmt: skip
    chart = s.chart(
        s.made([fleet], rows, guard=2, carried={"reports": [report]}), (1,) * 12 + (1, 1) + (1,) * 11, hour=6
    )
    b.step(port_step, chart)
    bonus = s.told(chart, "raided")[0]["bonus"]
    assert bonus == 1
    assert chances(bonus) == (Fraction(11, 36), Fraction(15, 36))
