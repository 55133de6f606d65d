"""Stances, odds, contacts, chases and what the night does to them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.scenario import Stance
from campaign.rules.battle.scenario import battle_step, gauge_side
from campaign.rules.chart.types import FleetFacts, Instructions, Position, Settings, ShipKind, TurnFacts
from campaign.rules.contact.chase import best_flight, movement_step
from campaign.rules.contact.contact import contact_step, odds
from campaign.rules.contact.night import night_step
from campaign.rules.state.state import Contact, FleetState, ShipState, Touch, TurnState
from campaign.rules.state.world import Chart
from campaign.rules.turn import turn
from tests.campaign.rules import builders as b

SEEK, HOLD, AVOID = Stance.SEEK, Stance.HOLD, Stance.AVOID
STEPS = (contact_step, night_step, battle_step, movement_step)


def meeting(
    e: Stance, d: Stance, *, miles: int = 6, wind: int = 0, strength: str = "moderate", **over: Any
) -> TurnFacts:
    """An English fleet at a and a Dutch one east of it on the way to b."""
    fleets: list[FleetFacts] = [
        b.fleet("e", "ENG", "a", stance=e),
        b.fleet("d", "NLD", "a", to="b", run=miles * 1000, stance=d),
    ]
    return b.facts(fleets, weather=b.weather(wind, strength), **over)


def in_touch(made: TurnFacts, *observers: str, miles: int = 6, hour: int = 4, **over: Any) -> TurnState:
    """The opening state with touch of the observers on each other's fleet."""
    state = turn.begin(made, {}, b.dice(made))
    state.hour = hour
    for observer in observers:
        other = "d" if observer == "e" else "e"
        touch = Touch(observer, other, True, 1, miles * 1000, 0, "1", ("line",))
        state.touches[observer, other] = replace(touch, **over)
    return state


def hours(made: TurnFacts, state: TurnState, count: int = 1, faces: Iterable[int] = ()) -> TurnState:
    """Play contact, night, battle and movement for some hours, without weather or look-outs."""
    state = state.copy()
    with ScriptedDice(faces) as dice:
        chart = Chart(made, state, dice)
        for _ in range(count):
            for step in STEPS:
                step(chart)
            state.hour += 1
    return state


@pytest.mark.clause("G.CO1")
@pytest.mark.parametrize(
    ("e", "d", "seen_by", "contact"),
    [
        (SEEK, HOLD, "ed", ("e", "d")),
        (SEEK, AVOID, "ed", ("e", "d")),
        (SEEK, SEEK, "ed", ("d", "e")),
        (HOLD, SEEK, "ed", ("d", "e")),
        (HOLD, HOLD, "ed", None),
        (AVOID, AVOID, "ed", None),
        (HOLD, AVOID, "ed", None),
        (SEEK, HOLD, "d", None),
        (SEEK, HOLD, "e", ("e", "d")),
    ],
)
def test_contact_is_made_by_fleets_that_see_and_seek(
    e: Stance, d: Stance, seen_by: str, contact: tuple[str, str] | None
) -> None:
    made = meeting(e, d)
    chased = (e, d) == (SEEK, AVOID)
    state = hours(made, in_touch(made, *seen_by), 1, (3, 3) if chased else ())
    assert list(state.contacts) == ([contact] if contact else [])


@pytest.mark.clause("G.CO1")
def test_odds_use_the_middle_of_the_band_and_the_mean_value_of_own_ships_of_the_kinds_seen() -> None:
    ships = [b.ship(f"e{n}", "ENG", "e", card={"hull": 20, "value": 40}) for n in range(4)]
    ships += [b.ship("ef", "ENG", "e", kind=ShipKind.FRIGATE, card={"hull": 20, "value": 10})]
    ships += [b.ship("d1", "NLD", "d")]
    made = replace(meeting(SEEK, HOLD), ships={ship.code: ship for ship in ships})
    state = turn.begin(made, {}, b.dice(made))
    chart = Chart(made, state, b.dice(made))
    e = state.fleets["e"]
    own = Fraction(170)
    assert odds(chart, e, Touch("e", "d", band="2-4", kinds=("line",))) == 3 * 40 / own
    assert odds(chart, e, Touch("e", "d", band="10-19", kinds=("frigate",))) == Fraction(29, 2) * 10 / own
    assert odds(chart, e, Touch("e", "d", band="40+")) == 60 * Fraction(34) / own


@pytest.mark.clause("G.CO1")
def test_a_seeker_leaves_alone_an_enemy_beyond_its_greatest_odds() -> None:
    made = meeting(SEEK, HOLD)
    assert hours(made, in_touch(made, "e", band="1")).contacts
    assert not hours(made, in_touch(made, "e", band="2-4")).contacts
    bold = replace(made.fleets["e"].order, instructions=Instructions(greatest_odds="3"))
    braver = replace(made, fleets={**made.fleets, "e": replace(made.fleets["e"], order=bold)})
    assert hours(braver, in_touch(braver, "e", band="2-4")).contacts


@pytest.mark.clause("G.CO1")
def test_a_damaged_fleet_counts_its_present_value() -> None:
    made = meeting(SEEK, HOLD)
    hurt = {**made.ships, "e1": replace(made.ships["e1"], condition={"lost": 10})}
    weak = replace(made, ships=hurt)
    assert not hours(weak, in_touch(weak, "e", band="1")).contacts


def ranges(made: TurnFacts, state: TurnState, count: int, faces: Iterable[int] = ()) -> int:
    (contact,) = hours(made, state, count, faces).contacts.values()
    return contact.range


@pytest.mark.clause("G.CO2")
def test_a_seeker_closes_on_a_holding_fleet_at_its_own_speed() -> None:
    made = meeting(SEEK, HOLD)  # wind in the north, course east: reaching, 4.5 knots
    assert ranges(made, in_touch(made, "e", "d", miles=12), 1) == 7_500


@pytest.mark.clause("G.CO2")
def test_two_seekers_close_at_both_their_speeds() -> None:
    made = meeting(SEEK, SEEK)
    assert ranges(made, in_touch(made, "e", "d", miles=12), 1) == 3_000
    to_windward = meeting(SEEK, SEEK, wind=90)  # the Dutch run down at 0.85, the English beat up at 0.35
    assert ranges(to_windward, in_touch(to_windward, "e", "d", miles=12), 1) == 12_000 - 3_825 - 1_575


@pytest.mark.clause("G.CO2", "G.SI1")
def test_a_fleet_that_has_not_seen_the_other_carries_on_along_its_route() -> None:
    made = meeting(SEEK, AVOID)
    order = replace(made.fleets["d"].order, route=("b",))
    made = replace(made, fleets={**made.fleets, "d": replace(made.fleets["d"], order=order)})
    state = hours(made, in_touch(made, "e", miles=10), 1)
    assert state.fleets["d"].position == Position("a", "b", 10_500)
    (contact,) = state.contacts.values()
    assert contact.range == 10_000  # it sails straight away from the seeker at his own speed


@pytest.mark.clause("G.CO2")
def test_an_avoider_takes_the_passage_that_opens_the_range_most() -> None:
    fast = {"e1": b.ship("e1", "ENG", "e"), "d1": b.ship("d1", "NLD", "d", kind=ShipKind.FRIGATE)}
    made = replace(meeting(SEEK, AVOID), ships=fast)
    state = hours(made, in_touch(made, "e", "d", miles=10), 2)
    (contact,) = state.contacts.values()
    assert contact.range == 13_000
    assert state.fleets["d"].position == Position("a", "b", 18_000)
    assert state.fleets["e"].position == Position("a", "b", 5_000)  # in his wake


@pytest.mark.clause("G.CO2")
def test_an_avoider_at_a_crossing_takes_the_way_on_which_it_is_faster() -> None:
    fleets = [b.fleet("e", "ENG", "a", stance=SEEK), b.fleet("d", "NLD", "b", stance=AVOID)]
    ships = [b.ship("e1", "ENG", "e", condition={"lost": 15}), b.ship("d1", "NLD", "d")]
    made = b.facts(fleets, ships, weather=b.weather(wind=0))
    state = turn.begin(made, {}, b.dice(made))
    chart = Chart(made, state, b.dice(made))
    flight = best_flight(chart, state.fleets["d"], state.fleets["e"], 90)
    assert flight is not None
    # North lies within 90 degrees of the wind's eye, where the lame seeker makes nothing at all.
    assert (flight.position.to, flight.opens) == ("n", 1_575)
    # Seen from the south he is to windward: on either way she would have to beat up to him, and east he is faster.
    astern = best_flight(chart, state.fleets["d"], state.fleets["e"], 0)
    assert astern is not None and (astern.position.to, astern.opens) == ("c", 4_500)


@pytest.mark.clause("G.CO2")
@pytest.mark.parametrize(("faces", "change"), [((4, 2), -1000), ((2, 4), 1000), ((3, 3), 0)])
def test_at_equal_speeds_the_dice_gain_a_mile(faces: tuple[int, int], change: int) -> None:
    made = meeting(SEEK, AVOID)
    assert ranges(made, in_touch(made, "e", "d", miles=8), 1, faces) == 8_000 + change


@pytest.mark.clause("G.CO2")
def test_a_seeker_to_leeward_only_beats_up_to_one_that_keeps_the_wind() -> None:
    fleets = [b.fleet("e", "ENG", "b", stance=SEEK), b.fleet("d", "NLD", "n", stance=AVOID)]
    made = b.facts(fleets, weather=b.weather(wind=45))
    state = turn.begin(made, {}, b.dice(made))
    chart = Chart(made, state, b.dice(made))
    windward = Position("b", "n", 3_000)
    chart.alter(state.fleets["d"], position=windward)
    flight = best_flight(chart, state.fleets["d"], state.fleets["e"], 45)
    assert flight is not None and flight.enemy == 1_575


@pytest.mark.clause("G.CO2")
def test_an_avoider_in_a_dead_end_is_caught() -> None:
    fleets = [
        b.fleet("e", "ENG", "b", to="n", run=50_000, stance=SEEK),
        b.fleet("d", "NLD", "n", stance=AVOID),
    ]
    made = b.facts(fleets, weather=b.weather(wind=270))
    state = hours(made, in_touch(made, "e", "d", miles=10, hour=4), 2)
    assert not state.calls
    assert next(iter(state.contacts.values())).range == 1_000
    assert [call.code for call in hours(made, state, 1).calls] == ["b01"]


@pytest.mark.clause("G.CO2")
def test_a_chase_ends_in_a_port() -> None:
    fleets = [
        b.fleet("e", "ENG", "theirs", to="c", run=6_000, stance=SEEK),
        b.fleet("d", "NLD", "theirs", to="c", run=4_000, stance=AVOID),
    ]
    made = b.facts(fleets, weather=b.weather(wind=0))
    start = in_touch(made, "e", "d", miles=2)
    state = hours(made, start, 1, (3, 3))
    assert state.fleets["d"].position == Position("theirs")
    ended = hours(made, state, 1)
    assert not ended.contacts and not ended.calls
    assert [e.data["why"] for e in ended.events if e.kind == "chase_ended"] == ["in port"]


@pytest.mark.clause("G.CO2", "G.SI1")
def test_a_chase_ends_after_two_hours_out_of_sight() -> None:
    fast = {"e1": b.ship("e1", "ENG", "e"), "d1": b.ship("d1", "NLD", "d", kind=ShipKind.FRIGATE)}
    made = replace(meeting(SEEK, AVOID), ships=fast)
    start = in_touch(made, "e", "d", miles=11)
    assert hours(made, start, 2).contacts
    ended = hours(made, start, 3)
    assert not ended.contacts
    assert [e.data["why"] for e in ended.events if e.kind == "chase_ended"] == ["out of sight"]


@pytest.mark.clause("G.CO2")
def test_a_seeker_gives_up_after_its_ordered_hours() -> None:
    made = meeting(SEEK, AVOID)
    order = replace(made.fleets["e"].order, instructions=Instructions(chase_hours=2))
    made = replace(made, fleets={**made.fleets, "e": replace(made.fleets["e"], order=order)})
    start = in_touch(made, "e", "d", miles=8)
    assert hours(made, start, 2, (3,) * 4).contacts
    ended = hours(made, start, 4, (3,) * 4)
    assert not ended.contacts and ended.touches["e", "d"].let_go


@pytest.mark.clause("G.CO2")
@pytest.mark.parametrize(
    ("bearing", "wind", "side"),
    [(90, 90, "NLD"), (90, 23, "NLD"), (90, 270, "ENG"), (90, 0, "ENG"), (90, 180, "ENG")],
)
def test_the_gauge_belongs_to_the_fleet_nearer_the_winds_eye(bearing: int, wind: int, side: str) -> None:
    made = meeting(SEEK, HOLD, wind=wind)
    state = turn.begin(made, {}, b.dice(made))
    chart = Chart(made, state, b.dice(made))
    assert gauge_side(chart, Contact("e", "d", 1000, bearing, 0)) == side


@pytest.mark.clause("G.CO2")
def test_at_a_mile_before_nightfall_there_is_a_battle_and_the_fleets_leave_the_chart() -> None:
    made = meeting(SEEK, HOLD)
    near, far = in_touch(made, "e", "d", miles=1), in_touch(made, "e", "d", miles=1, approach=1_001)
    assert len(hours(made, near).calls) == 1
    assert not hours(made, far).calls
    fought = hours(made, near)
    assert {f.off_until for f in fought.fleets.values()} == {5}
    assert fought.fleets["e"].position == fought.fleets["d"].position == made.fleets["d"].position
    assert not fought.contacts


@pytest.mark.clause("G.CO2", "G.CL1")
@pytest.mark.parametrize(("hour", "battles"), [(12, 1), (14, 0), (22, 0), (23, 1)])
def test_no_battle_begins_between_nightfall_and_sunrise(hour: int, battles: int) -> None:
    made = meeting(
        SEEK, HOLD
    )  # the sun rises at 5 and sets at 19: night falls at 20:00, hour 14 of the chart
    escape = () if battles else (1,)
    assert len(hours(made, in_touch(made, "e", "d", miles=1, hour=hour), 1, escape).calls) == battles


@pytest.mark.clause("G.WX3")
def test_no_battle_begins_in_a_gale_and_contact_is_lost_unless_both_stay() -> None:
    made = meeting(SEEK, HOLD, strength="gale")
    both_stay = in_touch(made, "e", "d", miles=1)
    state = hours(made, both_stay)
    assert state.contacts and not state.calls
    moving = replace(state.fleets["d"], under_way=True)
    state.fleets["d"] = moving
    lost = hours(made, state)
    assert not lost.contacts and not lost.calls and not lost.touches


@pytest.mark.clause("G.CO7")
def test_fleets_of_a_side_in_company_fight_as_one_with_their_allies() -> None:
    fleets = [
        b.fleet("e", "ENG", "a", stance=SEEK),
        b.fleet("f", "ENG", "a", to="b", run=3_000),
        b.fleet("g", "ENG", "a", to="b", run=3_001),
        b.fleet("x", "FRA", "a", to="b", run=2_000),
        b.fleet("d", "NLD", "a", to="home", run=1_000),
    ]
    made = b.facts(fleets, weather=b.weather(), settings=Settings(guns_heard=0))
    sides = {**made.sides, "FRA": replace(made.sides["ENG"], code="FRA", name="France", nations=("France",))}
    made = replace(made, sides=sides)
    alone = hours(made, in_touch(made, "e", "d", miles=1)).calls[0]
    assert alone.fleets == {"ENG": ("e", "f"), "NLD": ("d",)}
    allies = replace(made, allied=frozenset({frozenset({"ENG", "FRA"})}))
    joined = hours(allies, in_touch(allies, "e", "d", miles=1)).calls[0]
    assert joined.fleets == {"ENG": ("e", "f"), "FRA": ("x",), "NLD": ("d",)}
    assert [side["id"] for side in joined.scenario["sides"]] == ["ENG", "NLD"]


def at_night(made: TurnFacts, *, hour: int = 14, **over: Any) -> TurnState:
    """A chase three miles apart when night falls."""
    state = in_touch(made, "e", "d", miles=3, hour=hour)
    contact = Contact("e", "d", 3_000, 90, since=hour - 2, not_before=hour - 2)
    state.contacts["e", "d"] = replace(contact, **over)
    return state


@pytest.mark.clause("G.CO3", "T.C6", "T.C7", "T.E29")
def test_a_fleet_that_wants_to_escape_does_so_on_five_and_six() -> None:
    made = meeting(SEEK, AVOID)
    order = replace(made.fleets["d"].order, route=("b",))
    made = replace(made, fleets={**made.fleets, "d": replace(made.fleets["d"], order=order)})
    for face in (5, 6):
        state = hours(made, at_night(made), 1, (face,))
        d, e = state.fleets["d"], state.fleets["e"]
        assert (d.free_until, d.free_from) == (26, ("e",))
        assert e.still_until == 26
        assert not state.contacts and not state.touches
        assert d.position == Position("a", "b", 10_500)
        later = hours(made, state, 8)
        assert later.fleets["e"].position == made.fleets["e"].position
        assert later.fleets["d"].position.run > 40_000


@pytest.mark.clause("G.CO3", "T.C9", "T.E29")
@pytest.mark.parametrize("face", [1, 4])
def test_a_fleet_that_does_not_escape_is_at_gunshot_at_six_in_the_morning(face: int) -> None:
    made = meeting(SEEK, AVOID)
    state = hours(made, at_night(made), 1, (face,))
    contact = state.contacts["e", "d"]
    assert contact.night and not state.calls
    still = hours(made, state, 9)
    assert [f.position for f in still.fleets.values()] == [f.position for f in state.fleets.values()]
    assert not still.calls
    assert [call.hour for call in hours(made, still).calls] == [24]


@pytest.mark.clause("G.CO3")
def test_there_is_no_battle_at_dawn_when_the_other_no_longer_wants_it() -> None:
    made = meeting(SEEK, AVOID)
    state = hours(made, at_night(made), 10, (1,))
    changed = replace(state.fleets["e"].order, stance=HOLD)
    state.fleets["e"] = replace(state.fleets["e"], order=changed)
    assert not hours(made, state).calls


@pytest.mark.clause("G.CO3", "T.C6")
def test_no_die_is_thrown_if_both_want_to_escape() -> None:
    made = meeting(HOLD, AVOID)
    state = hours(made, at_night(made), 1, ())
    told = [(event.knows, event.data["fleets"]) for event in state.events if event.kind == "parted"]
    assert told == [(("ENG",), ["e"]), (("NLD",), ["d"])]
    assert state.truces == {("d", "e"): 24}
    assert not state.contacts


@pytest.mark.clause("G.CO3")
def test_a_holding_fleet_leaves_at_nightfall_only_if_ordered() -> None:
    for told, faces in (("part", (1,)), ("stay", ())):
        made = meeting(SEEK, HOLD)
        order = replace(made.fleets["d"].order, instructions=Instructions(at_nightfall=told))
        made = replace(made, fleets={**made.fleets, "d": replace(made.fleets["d"], order=order)})
        assert hours(made, at_night(made), 1, faces).contacts["e", "d"].night


@pytest.mark.clause("G.CO3")
def test_a_fleet_that_has_seen_no_one_does_not_try_to_escape() -> None:
    made = meeting(SEEK, AVOID)
    start = at_night(made)
    del start.touches["d", "e"]
    assert hours(made, start, 1, ()).contacts["e", "d"].night


@pytest.mark.clause("G.CO3")
def test_the_escape_can_be_switched_off() -> None:
    made = meeting(SEEK, AVOID)
    made = replace(made, settings=replace(made.settings, escape_at=7))
    assert hours(made, at_night(made), 1, (6,)).contacts["e", "d"].night


@pytest.mark.clause("G.CO3", "G.SI1")
def test_the_pursuers_do_not_sight_a_fleet_that_has_escaped_but_others_may() -> None:
    fleets = [
        b.fleet("d", "NLD", "a", to="b", run=3_000, free_until=20),
        b.fleet("e", "ENG", "a"),
        b.fleet("f", "ENG", "a"),
    ]
    made = b.facts(fleets, weather=b.weather(), carried={"fleets": {"d": {"free_from": ["e"]}}})
    state, _ = b.play(made)
    assert state.reports[0].observer == "d" or state.reports[0].observer == "f"
    early = {report.observer for report in state.reports if report.hour <= 4}
    assert early == {"d", "f"}


def test_states_are_values() -> None:
    with pytest.raises(AttributeError):
        replace_in_place(FleetState("e", "ENG", Position("a"), meeting(HOLD, HOLD).fleets["e"].order))
    with pytest.raises(AttributeError):
        replace_in_place(ShipState("e1", "ENG", "e", "s", {}, 1, "", 0))


def replace_in_place(value: Any) -> None:
    value.side = "NLD"
