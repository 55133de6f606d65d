"""An hour of a chase at its edges: who runs where, who waits, how the range changes, and where the seeker is after it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.scenario import Stance
from campaign.rules.chart.types import FleetFacts, FleetOrder, OnArrival, Position, ShipKind
from campaign.rules.contact.chase import best_flight, chases_of, movement_step, plans_of
from campaign.rules.contact.contact import contact_step
from campaign.rules.state.state import AGROUND, Contact, Touch, ZoneWeather
from campaign.rules.state.world import Chart
from campaign.rules.turn import turn
from tests.campaign.rules import builders as b
from tests.campaign.rules.test_shoals import shoals

SEEK, HOLD, AVOID = Stance.SEEK, Stance.HOLD, Stance.AVOID
HOUR = 5


def chart_of(
    *rows: FleetFacts, faces: tuple[int, ...] = (), wind: int = 0, strength: str = "moderate", slow: str = "",
) -> Chart:  # fmt: skip
    """Fleets of one ship each at the sixth hour; those named in slow are merchants."""
    ships = [
        b.ship(
            f"{f.code}1", f.side, f.code, kind=ShipKind.MERCHANT if f.code in slow.split() else ShipKind.LINE
        )
        for f in rows
    ]
    made = b.facts(list(rows), ships)
    state = turn.standing(made)
    state.hour = HOUR
    state.weather["sea"] = ZoneWeather.read(b.weather(wind, strength)["sea"])
    return Chart(made, state, ScriptedDice(faces))


def hunt(chart: Chart, seeker: str = "e", quarry: str = "d", *, seen: bool = True, **over: Any) -> None:
    """Let a fleet be after another; whether that one knows it is said by `seen`."""
    state = chart.state
    contact = replace(Contact(seeker, quarry, 8_000, 90, since=3), **over)
    state.contacts[seeker, quarry] = contact
    state.touches[seeker, quarry] = Touch(seeker, quarry, True, 1, contact.range, 4, "1", ("line",))
    state.touches[quarry, seeker] = Touch(quarry, seeker, seen, 1, contact.range, 4, "1", ("line",))


def move(chart: Chart) -> Chart:
    b.step(movement_step, chart)
    chart.dice.finish()  # type: ignore[attr-defined]
    return chart


def seeker(code: str = "e", at: str = "a", **over: Any) -> FleetFacts:
    row = b.fleet(code, "ENG", at, stance=SEEK, **over)
    return replace(
        row, order=replace(row.order, instructions=replace(row.order.instructions, greatest_odds="9"))
    )


def quarry(at: str = "a", to: str = "b", run: int = 9_000, stance: Stance = AVOID, *route: str) -> FleetFacts:
    return b.fleet("d", "NLD", at, *route, to=to, run=run, stance=stance)


def where(chart: Chart, code: str = "d") -> Position:
    return chart.state.fleets[code].position


def away(chart: Chart) -> int:
    return chart.state.contacts["e", "d"].range


@pytest.mark.clause("G.CO2", "G.CH2")
@pytest.mark.parametrize(
    ("run", "reached"),
    [(57_001, Position("b")), (57_000, Position("b")), (56_999, Position("a", "b", 59_999))],
)
def test_a_fleeing_fleet_reaches_the_end_of_its_passage_and_no_further(run: int, reached: Position) -> None:
    chart = chart_of(seeker(), quarry(run=run), slow="d")
    hunt(chart)
    begun = chart.point(where(chart))
    move(chart)
    assert where(chart) == reached
    assert chart.entered == ([] if reached.to else [("d", "b")])
    assert chart.tracks["d"] == [(0, begun), (1000, chart.point(reached))]
    assert chart.state.fleets["d"].under_way


@pytest.mark.clause("G.CO2")
def test_a_fleet_that_turns_back_on_its_passage_has_not_entered_its_destination() -> None:
    chart = chart_of(seeker(at="b"), quarry(), slow="e")
    hunt(chart, bearing=270)
    move(chart)
    assert where(chart) == Position("b", "a", 51_000 + 4_500)
    assert chart.entered == []


@pytest.mark.clause("G.CO2")
@pytest.mark.parametrize("at", [Position("b"), Position("a", "b", 9_000)])
def test_in_a_calm_a_fleeing_fleet_stays_and_no_die_is_thrown(at: Position) -> None:
    chart = chart_of(seeker(), quarry(), strength="still")
    chart.alter(chart.state.fleets["d"], position=at, under_way=True)
    hunt(chart)
    move(chart)
    assert where(chart) == at
    assert (chart.state.fleets["d"].under_way, chart.entered, away(chart)) == (False, [], 8_000)


@pytest.mark.clause("G.CO2")
def test_a_fleet_runs_only_from_the_nearest_of_several_pursuers() -> None:
    rows = [seeker("e"), seeker("f", "c"), seeker("g", "n"), b.fleet("y", "NLD", "home"), quarry("b", "", 0)]
    for near, ran in (("e", Position("b", "c", 4_500)), ("f", Position("b", "a", 4_500))):
        chart = chart_of(*rows, faces=(3, 3), wind=180)
        for code, bearing in (("e", 90), ("f", 270)):
            hunt(chart, code, bearing=bearing, range=3_000 if code == near else 9_000)
        hunt(chart, "g", "y", bearing=180, range=500)
        chart.dice = ScriptedDice((3, 3) * 2)
        b.step(movement_step, chart)
        assert where(chart) == ran


@pytest.mark.clause("G.CO2", "G.PT1")
@pytest.mark.parametrize(
    ("bearing", "open_to"),
    [(0, "n"), (90, "c"), (180, "c"), (270, "a"), (181, "a"), (179, "c"), (135, "c"), (225, "a")],
)
def test_open_passages_lie_within_ninety_degrees_of_the_line_from_the_seeker(
    bearing: int, open_to: str
) -> None:
    chart = chart_of(seeker(), quarry("b", "", 0), wind=180)
    flight = best_flight(chart, chart.state.fleets["d"], chart.state.fleets["e"], bearing)
    assert flight is not None and flight.position == Position("b", open_to)


@pytest.mark.clause("G.CO2", "G.PT1")
@pytest.mark.parametrize(
    ("at", "bearing", "open_to"), [("n", 90, "b"), ("n", 89, ""), ("n", 271, ""), ("a", 270, "")]
)
def test_a_fleet_is_cornered_where_every_passage_leads_back_or_to_an_enemys_port(
    at: str, bearing: int, open_to: str
) -> None:
    chart = chart_of(seeker(), quarry(at, "", 0))
    flight = best_flight(chart, chart.state.fleets["d"], chart.state.fleets["e"], bearing)
    assert (flight.position.to if flight else "") == open_to
    hunt(chart, bearing=bearing)
    chart.dice = ScriptedDice((3, 3) if open_to else ())
    b.step(movement_step, chart)
    assert (where(chart) == Position(at)) is not bool(open_to)


@pytest.mark.clause("G.CO2")
@pytest.mark.parametrize(
    ("wind", "bearing", "at", "enemy"),
    [
        (
            45,
            45,
            "b",
            1_575,
        ),  # he flees east, within ninety degrees of the wind, with the seeker to leeward of him
        (0, 60, "b", 3_150),  # a beam wind on his course, a seeker who lies only sixty degrees off it
        (359, 60, "b", 4_500),  # his course is off the wind by ninety-one degrees
        (0, 68, "b", 4_500),  # he is not to windward: beyond 67.5 degrees
    ],
)
def test_a_seeker_to_leeward_beats_up_only_while_the_quarry_keeps_the_wind(
    wind: int, bearing: int, at: str, enemy: int
) -> None:
    chart = chart_of(seeker(), b.fleet("d", "NLD", "a", to="b", run=9_000, stance=AVOID), wind=wind)
    flight = best_flight(chart, chart.state.fleets["d"], chart.state.fleets["e"], bearing)
    assert flight is not None and (flight.bearing, flight.enemy) == (90, enemy)


@pytest.mark.clause("G.CO2", "G.CO1")
@pytest.mark.parametrize(
    ("stance", "seen", "plan", "moved"),
    [
        (SEEK, True, "steer", 0),
        (AVOID, True, "flee", 4_500),
        (HOLD, True, "wait", 0),
        (HOLD, False, None, 4_500),
        (AVOID, False, None, 4_500),
    ],
)
def test_a_fleet_that_knows_it_is_chased_flees_or_waits_and_one_that_does_not_carries_on(
    stance: Stance, seen: bool, plan: str | None, moved: int
) -> None:
    chart = chart_of(seeker(), quarry("a", "b", 9_000, stance, "b"))
    fleet = chart.state.fleets["d"]
    told = replace(fleet.order.instructions, greatest_odds="9")
    chart.alter(fleet, order=replace(fleet.order, instructions=told))
    hunt(chart, seen=seen)
    chases, held = chases_of(chart)
    assert (plans_of(chart, chases).get("d"), held) == (plan, set())
    chart.dice = ScriptedDice((3, 3) if plan == "flee" else ())
    move(chart)
    assert where(chart) == Position("a", "b", 9_000 + moved)


@pytest.mark.clause("G.CO2", "G.CO3")
def test_a_contact_moves_no_one_before_its_hour_and_a_night_contact_holds_both() -> None:
    later = chart_of(seeker(), quarry("a", "b", 9_000, HOLD, "b"))
    hunt(later, not_before=HOUR + 1)
    assert chases_of(later) == ([], set())
    assert move(later).state.contacts["e", "d"].range == 8_000
    assert where(later) == Position("a", "b", 13_500)
    now = chart_of(seeker(), quarry("a", "b", 9_000, HOLD, "b"))
    hunt(now, not_before=HOUR)
    assert [contact.seeker for contact in chases_of(now)[0]] == ["e"]
    assert away(move(now)) == 3_500
    night = chart_of(seeker(), seeker("f", "c"), quarry("a", "b", 9_000, AVOID, "b"))
    hunt(night, night=True)
    hunt(night, "f", bearing=270)
    assert chases_of(night) == ([], {"e", "d"})
    move(night)
    assert {code: where(night, code) for code in "edf"} == {
        "e": Position("a"), "d": Position("a", "b", 9_000), "f": Position("c"),
    }  # fmt: skip
    assert {contact.range for contact in night.state.contacts.values()} == {8_000}


@pytest.mark.clause("G.CO2")
@pytest.mark.parametrize(
    ("bearing", "closes"),
    # with the wind in the north the seeker makes 4.5 knots on these bearings but the fourth; his enemy comes the other way
    [
        (240, 4_500 + 3_150),
        (239, 4_500 + 1_575),
        (260, 4_500 + 3_150),
        (261, 4_500 + 4_500),
        (0, 1_575 + 3_825),
    ],
)
def test_two_seekers_close_by_the_speed_of_each_on_its_own_bearing(bearing: int, closes: int) -> None:
    chart = chart_of(seeker(), replace(seeker("d"), side="NLD"))
    hunt(chart, bearing=bearing, range=11_000)
    assert away(move(chart)) == 11_000 - closes
    still = chart_of(seeker(), replace(seeker("d"), side="NLD"))
    hunt(still, bearing=90, range=11_000)
    still.alter(still.state.fleets["d"], off_until=HOUR + 1)
    assert away(move(still)) == 6_500


@pytest.mark.clause("G.CO2")
def test_a_held_seeker_does_not_close() -> None:
    chart = chart_of(seeker(), quarry(stance=HOLD))
    hunt(chart)
    chart.alter(chart.state.fleets["e"], still_until=HOUR + 1)
    assert away(move(chart)) == 8_000


@pytest.mark.clause("G.CO2", "G.SI1")
@pytest.mark.parametrize(
    ("bearing", "range_"),
    [(90, 8_000), (60, 8_747), (30, 8_000 + 2_250 - 1_575), (180, 8_000 - 3_825), (270, 8_000 - 9_000)],
)
def test_an_unaware_fleet_opens_the_range_by_what_its_course_leads_away(bearing: int, range_: int) -> None:
    chart = chart_of(seeker(), quarry("a", "b", 9_000, AVOID, "b"))
    hunt(chart, seen=False, bearing=bearing)
    assert away(move(chart)) == max(0, range_)
    lies = chart_of(seeker(), quarry("a", "b", 9_000, AVOID))
    hunt(lies, seen=False)
    assert away(move(lies)) == 3_500
    arrives = chart_of(seeker(), quarry("a", "b", 59_000, AVOID, "b"))
    hunt(arrives, seen=False)
    assert away(move(arrives)) == 3_500


@pytest.mark.clause("G.CO2", "G.SI1")
@pytest.mark.parametrize(("range_", "hidden"), [(16_500, 0), (16_501, 3)])
def test_hours_out_of_sight_count_beyond_the_range_of_sight_and_start_again_within_it(
    range_: int, hidden: int
) -> None:
    chart = chart_of(seeker(), quarry(stance=HOLD))
    hunt(chart, range=range_, hidden=2)
    assert move(chart).state.contacts["e", "d"].hidden == hidden


@pytest.mark.clause("G.CO2")
def test_the_seeker_follows_in_the_wake_by_the_range_and_no_further_back_than_the_passage() -> None:
    for run, follows in (
        (9_000, Position("a", "b", 5_500)),
        (3_501, Position("a", "b", 1)),
        (3_500, Position("a")),
    ):
        chart = chart_of(seeker(at="home"), quarry(run=run), faces=(3, 3))
        hunt(chart)
        assert where(move(chart), "e") == follows
        assert chart.state.fleets["e"].under_way
    near = chart_of(seeker(at="home"), quarry(run=100), faces=(3, 3))
    hunt(near)
    assert where(move(near), "e") == Position("a")
    for row in (quarry(stance=HOLD), quarry(run=58_000)):
        chart = chart_of(seeker(at="home"), row, slow="e")
        hunt(chart)
        assert where(move(chart), "e") == Position("home")


@pytest.mark.clause("G.CH4", "G.CO2")
def test_a_seeker_aground_stays_there_while_the_quarry_sails_away() -> None:
    for stance in (AVOID, HOLD):
        chart = chart_of(seeker(), quarry("a", "b", 9_000, stance, "b"))
        hunt(chart, seen=stance is AVOID)
        chart.state.mark("e1", AGROUND)
        b.step(movement_step, chart)
        assert (where(chart), away(chart)) == (Position("a", "b", 13_500), 12_500)
        assert (where(chart, "e"), chart.state.fleets["e"].under_way) == (Position("a"), False)


@pytest.mark.clause("G.CO2", "G.MV2")
def test_an_escort_sails_after_its_charge_whatever_its_code() -> None:
    escort = b.fleet("a", "ENG", "home", order=FleetOrder("a", on_arrival=OnArrival.ESCORT, target="m"))
    chart = move(chart_of(escort, b.fleet("m", "ENG", "home", "a")))
    assert where(chart, "a") == where(chart, "m") == Position("home", "a", 4_500)


@pytest.mark.clause("G.CH5", "G.CO2", "G.MV5")
@pytest.mark.parametrize(
    ("shoals_", "deep", "arrival", "goes_on"),
    [
        ("wait", True, OnArrival.SHELTER, False),
        ("dare", True, OnArrival.SHELTER, True),
        ("wait", False, OnArrival.SHELTER, True),
        ("wait", True, OnArrival.ANCHOR, True),
    ],
)
def test_a_chase_ends_at_a_shelter_unless_the_seeker_may_enter(
    shoals_: str, deep: bool, arrival: OnArrival, goes_on: bool
) -> None:
    hides = FleetOrder("d", stance=Stance.HOLD, on_arrival=arrival)
    bold = seeker()
    told = replace(bold.order.instructions, shoals=shoals_)
    rows = [
        replace(bold, order=replace(bold.order, instructions=told)),
        b.fleet("d", "NLD", "b", order=hides),
    ]
    ships = [
        b.ship("e1", "ENG", "e", card={**b.CARD, "deep": deep}),
        b.ship("d1", "NLD", "d", card={**b.CARD, "deep": False}),
    ]
    made = b.facts(rows, ships, sea=shoals())
    for known in (True, False):
        state = turn.standing(made)
        state.hour = HOUR
        state.weather["sea"] = ZoneWeather.read(b.weather(0)["sea"])
        chart = Chart(made, state, ScriptedDice(()))
        hunt(chart)
        if not known:
            state.contacts.clear()  # seen, and to be chased from this hour on
        b.step(contact_step, chart)
        assert (("e", "d") in state.contacts) is goes_on
        ended = [event.data["why"] for event in state.events if event.kind == "chase_ended"]
        assert ended == (["shelter"] if known and not goes_on else [])
