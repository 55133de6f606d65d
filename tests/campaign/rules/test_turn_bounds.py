"""A turn at its edges: what opens it, what it carries over, when it ends early; and what the chart tells and is asked."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from battles.engine.core.dice import ScriptedDice
from campaign.rules.chart.theatre import read_theatre
from campaign.rules.chart.types import (
    Battles,
    DayDone,
    FleetOrder,
    OnArrival,
    Position,
    Settings,
    ShipKind,
    TurnDone,
    TurnFacts,
)
from campaign.rules.state.clock import DAY
from campaign.rules.state.state import TurnState
from campaign.rules.state.world import Chart
from campaign.rules.turn import turn
from tests.campaign.rules import builders as b
from tests.campaign.rules.test_writeback import battle

HOUR = [
    ("weather", "G.WX1 G.WX2 G.WX3"), ("gale", "G.GF1 G.GF2 G.GF3"), ("calendar", "G.CA1 G.CA2 G.CA4 G.CA5"),
    ("company", "G.MV1 G.MV4 G.GF3 G.KT1 G.KT2 G.KT3"),
    ("prizes", "G.PR2 G.PR3 G.MV5"), ("prisoners", "G.PR5"), ("court", "G.PR3 G.PR4"), ("yards", "G.RP2"),
    ("men", "G.RP3 G.MV4"), ("upkeep", "G.RP1 G.RP4"), ("officers", "G.AF1"),
    ("landings", "G.LD1 G.LD2 G.LD3 G.LD4"),
    ("loading", "G.MN1"), ("shipping", "G.NC1 G.NC2"), ("objectives", "G.OB1 G.OB2 G.OB3"), ("contact", "G.CO1 G.CO2 G.CO6"),
    ("night", "G.CO3"), ("ports", "G.PT1 G.LD2 G.LD5"), ("torpedoes", "G.NT1"),
    ("battle", "G.CO2 G.CO4 G.CO7 G.BT6"), ("leaving", "G.RP2 G.RP3"),
    ("blockade", "G.BL1"), ("general chase", "G.CO2 G.MV5"), ("movement", "G.MV1 G.MV2 G.CO2"), ("watch", "G.OB1"),
    ("mines", "G.MN1 G.MN2 G.MN3"), ("running", "G.BL1"), ("shoals", "G.CH4 G.SV1"), ("neutral", "G.NE1"), ("convoys", "G.CV1"),
    ("sighting", "G.SI1 G.SI2 G.SI3 G.WX4 G.IG1 G.IG2"), ("coast", "G.SI4"),
]  # fmt: skip


@pytest.mark.clause("G.CL2")
def test_each_step_of_an_hour_is_published_with_the_clauses_that_it_plays() -> None:
    assert [(step.id, " ".join(step.clauses)) for step in turn.STEPS] == HOUR


def chart(*ships: Any, sea: Any = None, **over: Any) -> Chart:
    """England's e at a, the Dutch d at c."""
    rows = ships or (b.ship("e1", "ENG", "e"), b.ship("d1", "NLD", "d"))
    made = b.facts([b.fleet("e", "ENG", "a"), b.fleet("d", "NLD", "c")], list(rows), sea=sea, **over)
    state = turn.begin(made, {}, b.dice(made))
    state.events.clear()
    return Chart(made, state, ScriptedDice(()))


def report(hour: int, number: int = 1, side: str = "ENG", band: str = "1") -> dict[str, Any]:
    return {
        "side": side, "number": number, "hour": hour, "latitude": 0, "longitude": 0, "course": None, "band": band,
        "kinds": [], "observer": "e", "fleet": "d",
    }  # fmt: skip


@pytest.mark.clause("G.SI3")
def test_the_last_report_of_each_contact_is_remembered_for_ten_days() -> None:
    rows = [report(99), report(100, 2), report(200, 3), report(150, 3), report(200, 3, "NLD"), report(300, 2)]
    made = replace(chart().facts, carried={"reports": rows})
    state = turn.standing(made)
    state.hour = 100 + 10 * DAY
    found = [(row["side"], row["number"], row["hour"]) for row in turn.remembered(made, state)]
    assert found == [("ENG", 2, 300), ("ENG", 3, 150), ("NLD", 3, 200)]
    made = replace(made, carried={"reports": rows[:2]})
    assert [row["hour"] for row in turn.remembered(made, state)] == [100]


@pytest.mark.clause("G.CL2")
def test_a_turn_finds_a_fleet_as_it_was_left_and_free_where_nothing_was_carried_over() -> None:
    made = chart().facts
    fleet = turn.standing(made).fleets["e"]
    assert (fleet.off_until, fleet.still_until, fleet.under_way, fleet.rejoins) == (0, 0, False, "")
    left = {"off_until": 7, "still_until": 8, "under_way": True, "free_from": ["d"], "rejoins": "x", "home": "y",
            "homes": [["e1", "y"]], "path": []}  # fmt: skip
    for arrival, rejoins in ((OnArrival.JOIN, "x"), (OnArrival.ANCHOR, "")):
        order = FleetOrder("e", on_arrival=arrival)
        fleets = {**made.fleets, "e": replace(made.fleets["e"], order=order, free_until=9)}
        fleet = turn.standing(replace(made, fleets=fleets, carried={"fleets": {"e": left}})).fleets["e"]
        assert (fleet.off_until, fleet.still_until, fleet.free_until, fleet.free_from) == (7, 8, 9, ("d",))
        assert (fleet.under_way, fleet.rejoins, fleet.homes) == (True, rejoins, (("e1", "y"),))


@pytest.mark.clause("G.PR4", "G.CL2")
def test_a_side_receives_its_first_fund_once_and_records_of_lost_fleets_are_dropped() -> None:
    made = chart(settings=Settings(fund_start=77)).facts
    touch = {"observer": "e", "fleet": "d", "seen": True, "kinds": []}
    meet = {"seeker": "e", "quarry": "d", "range": 1, "bearing": 2, "since": 3}
    carried = {
        "economy": {"funds": {"ENG": 5}}, "touches": [touch, {**touch, "fleet": "x"}],
        "contacts": [meet, {**meet, "seeker": "x"}],
    }  # fmt: skip
    state = turn.standing(replace(made, carried=carried))
    assert state.economy.funds == {"ENG": 5, "NLD": 77}
    assert (list(state.touches), list(state.contacts)) == ([("e", "d")], [("e", "d")])


@pytest.mark.clause("G.CL2")
def test_a_fleet_without_ships_ends_as_the_turn_opens_and_known_weather_stays() -> None:
    made = b.facts(
        [b.fleet("e", "ENG", "a"), b.fleet("f", "ENG", "b")], [b.ship("e1", "ENG", "e")],
        weather=b.weather(wind=45, strength="strong"),
    )  # fmt: skip
    state = turn.begin(made, {}, b.dice(made))
    assert {code: fleet.ended for code, fleet in state.fleets.items()} == {"e": False, "f": True}
    assert (state.weather["sea"].wind_from, state.weather["sea"].strength.value) == (45, "strong")
    assert list(turn.carried_over(made, state)["carried"]["fleets"]) == ["e"]


def ended(made: TurnFacts, hour: int, *events: tuple[str, dict[str, Any]]) -> tuple[TurnState, Any]:
    """The state and the stop after an hour in which these things had happened."""
    state = turn.begin(made, {}, b.dice(made))
    state.hour = hour
    told = Chart(made, state, ScriptedDice(()))
    for kind, data in events:
        told.tell(kind, "G.CO2", "ENG", **data)
    return turn.advance(made, state, {}, b.dice(made))


BATTLE, WEAK, EQUAL = ("battle", {}), ("sighted", {"equal": False}), ("sighted", {"equal": True})


@pytest.mark.clause("G.CL3")
@pytest.mark.parametrize(
    ("wanted", "event", "early"),
    [
        ("battle", BATTLE, "battle"), ("battle", EQUAL, ""), ("first_sighting", EQUAL, "first_sighting"),
        ("first_sighting", WEAK, ""), ("first_sighting", BATTLE, ""), ("none", BATTLE, ""), ("none", EQUAL, ""),
    ],
)  # fmt: skip
def test_a_turn_ends_early_on_the_day_of_the_event_that_the_campaign_waits_for(
    wanted: str, event: tuple[str, dict[str, Any]], early: str
) -> None:
    made = replace(chart(settings=Settings(end_turn_on=wanted)).facts, days=3, weather=b.weather())
    state, stop = ended(made, 47, event)
    assert stop == (TurnDone(early) if early else DayDone(1))
    assert (state.hour, state.phase, state.early) == (48, "done" if early else "sailing", early)
    state, stop = ended(made, 71, event)
    assert (state.hour, stop) == (72, TurnDone(""))


@pytest.mark.clause("G.BT4", "G.CL2")
@pytest.mark.parametrize(
    ("told", "held", "refused"),
    [(False, (), True), (True, (), False), (False, ("b01",), False), (False, ("b02",), True)],
)
def test_a_turn_continues_to_its_next_stop_when_each_battle_has_its_outcome_or_is_held(
    told: bool, held: tuple[str, ...], refused: bool
) -> None:
    made, state, call = battle()
    outcomes = {call.code: b.outcome_of(call, ended="parted")} if told else {}
    stop = None
    try:
        _, stop = turn.advance(made, state, outcomes, b.dice(made), ongoing=held)
    except turn.OutcomeError:
        assert refused
    assert isinstance(stop, (Battles, DayDone)) is not refused


@pytest.mark.clause("G.IN2")
@pytest.mark.parametrize(
    ("knows", "data", "near"),
    [
        (("ENG",), {"fleet": "e"}, True),
        (("ENG", "ENG"), {"fleet": "e"}, True),
        (("ENG", "NLD"), {"fleet": "e"}, False),
        (("NLD",), {"fleet": "e"}, False),
        (("ENG",), {"fleet": "e", "place": "home"}, False),
        (("ENG",), {"fleet": "x"}, False),
        (("ENG",), {}, False),
    ],
)
def test_an_event_of_a_side_about_its_own_fleet_says_where_it_was(
    knows: tuple[str, ...], data: dict[str, Any], near: bool
) -> None:
    made = chart()
    made.state.hour = 3
    made.tell("arrived", "G.MV2", *knows, **data)
    made.tell("arrived", "G.MV2", *knows, hour=9, **data)
    first, second = made.state.events
    assert first.data == ({**data, "near": "a"} if near else data)
    assert (first.hour, second.hour, first.knows) == (3, 9, tuple(sorted(set(knows))))


@pytest.mark.clause("G.RP3", "G.MV1")
def test_a_ship_with_too_few_men_makes_no_way_and_a_prize_with_few_does() -> None:
    kinds = {kind: f"e{n}" for n, kind in enumerate(ShipKind)}
    ships = [b.ship(code, "ENG", "e", kind=kind, men=30) for kind, code in kinds.items()]
    made = chart(
        *ships, b.ship("e8", "ENG", "e", men=29), b.ship("e9", "ENG", "e", men=29, prize=True),
        settings=Settings(knots_line="4.25", knots_frigate="6", knots_merchant="3.5"),
    )  # fmt: skip
    hulls = {ship.code: hull for ship, hull in zip(made.ships_of("e"), made.hulls("e"), strict=True)}
    assert {kind.value: hulls[code].knots for kind, code in kinds.items()} == {
        "line": 4_250, "frigate": 6_000, "merchant": 3_500, "fire ship": 4_250, "small craft": 6_000,
    }  # fmt: skip
    assert (hulls["e8"].factor, hulls["e9"].factor, hulls["e0"].factor) == (0, 1, 1)
    assert (hulls["e8"].no_go, hulls["e8"].size) == (60, 40)
    assert made.value("e") == 40 * 6 and made.value("nobody") == Fraction(0)


@pytest.mark.clause("G.CH3", "G.MV4")
def test_the_nearest_friendly_port_belongs_to_the_nation_and_is_chosen_by_distance_then_code() -> None:
    doc = b.square_doc()
    rows = {row["id"]: row for row in doc["nodes"]}
    rows["b"]["owner"] = "England"
    rows["n"] |= {"kind": "port", "owner": "England"}
    made = chart(sea=read_theatre(doc))
    assert made.nearest_own_port(Position("c"), "ENG") == "n"
    assert made.nearest_own_port(Position("a"), "ENG") == "home"
    assert made.nearest_own_port(Position("b", "a", 31_000), "ENG") == "home"
    assert made.nearest_own_port(Position("b", "a", 29_000), "ENG") == "n"
    assert made.nearest_own_port(Position("n"), "NLD") == "theirs"
    assert made.closed == {"ENG": frozenset({"theirs"}), "NLD": frozenset({"home", "n"})}


@pytest.mark.clause("G.CO7")
def test_friends_are_of_one_side_or_allied_and_enemies_are_at_war() -> None:
    made = chart()
    e, d = made.state.fleets["e"], made.state.fleets["d"]
    assert made.at_war(e, d) and not made.at_war(e, e)
    assert made.friends(e, e) and not made.friends(e, d)
    made.facts = replace(made.facts, allied=made.facts.at_war, at_war=frozenset())
    assert made.friends(e, d) and not made.at_war(e, d)
    assert made.name_of(replace(e, name="Other")) == "Fleet e"
    assert made.name_of(replace(e, code="x", name="Van")) == "Van"
