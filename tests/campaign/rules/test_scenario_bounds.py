"""From the chart to the battle at the edges: which contacts become battles, who joins, the gauge, the time, the squadrons' names."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.scenario import Stance
from campaign.rules.battle.scenario import battle_call, battle_step, gauge_side, turn_limit
from campaign.rules.chart.types import FleetOrder, Instructions, Position, SideFacts, SquadronFacts
from campaign.rules.state.state import Contact, Touch
from campaign.rules.state.world import Chart
from campaign.rules.turn import turn
from tests.campaign.rules import builders as b

NOON = 6


def chart(*ships: Any, hour: int = NOON, strength: str = "moderate", **fleets: dict[str, Any]) -> Chart:
    """England's e at a and the Dutch d a mile east of it, the English f and the French g far off at n, all in sight of d."""
    rows = [
        b.fleet("e", "ENG", "a", stance=Stance.SEEK), b.fleet("d", "NLD", "a", to="b", run=1_000),
        b.fleet("f", "ENG", "c"), b.fleet("g", "FRA", "c"),
    ]  # fmt: skip
    sheets = ships or tuple(b.ship(f"{row.code}1", row.side, row.code) for row in rows)
    made = b.facts(rows, list(sheets), weather=b.weather(strength=strength))
    sides = {**made.sides, "FRA": SideFacts("FRA", "France", ("France",))}
    war = frozenset({frozenset({"ENG", "NLD"}), frozenset({"FRA", "NLD"})})
    made = replace(made, sides=sides, at_war=war)
    state = turn.begin(made, {}, b.dice(made))
    state.events.clear()
    state.hour = hour
    state.touches = {("e", "d"): Touch("e", "d", True, 1, 1_000, 0, "1", ("line",)),
                     ("d", "e"): Touch("d", "e", True, 1, 1_000, 0, "1", ("line",))}  # fmt: skip
    for code, changes in fleets.items():
        state.fleets[code] = replace(state.fleets[code], **changes)
    return Chart(made, state, ScriptedDice(()))


def contact(seeker: str = "e", quarry: str = "d", **over: Any) -> Contact:
    return Contact(**{"seeker": seeker, "quarry": quarry, "range": 1_000, "bearing": 90, "since": 0, **over})


def battles(made: Chart, *contacts: Contact) -> list[dict[str, tuple[str, ...]]]:
    """The fleets of each battle that begins in the hour."""
    made.state.contacts = {(row.seeker, row.quarry): row for row in contacts}
    b.step(battle_step, made)
    return [dict(call.fleets) for call in made.state.calls]


TWO = [{"ENG": ("e",), "NLD": ("d",)}]


@pytest.mark.clause("G.CO2", "G.CO7")
@pytest.mark.parametrize(
    ("over", "begins"),
    [
        ({}, True),
        ({"range": 1_001}, False),
        ({"not_before": NOON}, True),
        ({"not_before": NOON + 1}, False),
        ({"night": True}, False),
    ],
)
def test_a_battle_begins_at_gunshot_from_its_hour_and_not_in_a_meeting_at_night(
    over: dict[str, Any], begins: bool
) -> None:
    assert battles(chart(), contact(**over)) == (TWO if begins else [])


@pytest.mark.clause("G.CO2", "G.WX3", "G.CO6", "G.CO3")
def test_no_battle_begins_at_night_in_a_gale_in_a_truce_or_against_the_seekers_will() -> None:
    assert battles(chart(hour=14), contact()) == []
    assert battles(chart(hour=13), contact()) == []
    assert battles(chart(hour=12), contact()) == TWO
    assert battles(chart(strength="gale"), contact()) == []
    at_truce = chart()
    at_truce.state.truces["d", "e"] = 24
    assert battles(at_truce, contact()) == []
    assert battles(chart(e={"order": FleetOrder("e", stance=Stance.AVOID)}), contact()) == []


@pytest.mark.clause("G.CO7", "G.CL2")
@pytest.mark.parametrize(
    ("other", "fleet", "joins"),
    [
        ({"range": 3_000}, {}, True),
        ({"range": 3_001}, {}, False),
        ({"quarry": "x"}, {}, False),
        ({}, {"off_until": NOON + 1}, False),
        ({"seeker": "g"}, {}, False),
    ],
)
def test_another_friendly_fleet_chasing_the_same_quarry_joins_within_three_miles(
    other: dict[str, Any], fleet: dict[str, Any], joins: bool
) -> None:
    made = chart(f={**fleet, "order": FleetOrder("f", stance=Stance.HOLD)})
    if other.get("quarry"):
        made.state.fleets["x"] = replace(made.state.fleets["d"], code="x", position=Position("c"))
    found = battles(made, contact(), contact(**{"seeker": "f", **other}))
    assert found[0]["ENG"] == (("e", "f") if joins else ("e",))
    assert (sorted(found[0]), found[0]["NLD"]) == (["ENG", "NLD"], ("d",))
    assert ((other.get("seeker", "f"), other.get("quarry", "d")) in made.state.contacts) is (
        "quarry" in other
    )


@pytest.mark.clause("G.CL2", "G.CO7")
def test_fleets_that_fight_leave_the_chart_for_the_hour_at_the_quarrys_position() -> None:
    made = chart(e={"still_until": 0}, d={"still_until": 99})
    assert battles(made, contact()) == TWO
    for code in ("e", "d"):
        fleet = made.state.fleets[code]
        assert (fleet.position, fleet.off_until, fleet.still_until) == (
            Position("a", "b", 1_000),
            NOON + 1,
            0,
        )
    assert made.state.fleets["f"].off_until == 0
    assert (made.state.battles, made.state.calls[0].code, made.state.calls[0].hour) == (1, "b01", NOON)
    (event,) = [event for event in made.state.events if event.kind == "battle"]
    assert (event.knows, event.data["coming"], event.data["surprised"]) == (("ENG", "NLD"), [], [])


@pytest.mark.clause("G.CO2")
@pytest.mark.parametrize(
    ("bearing", "side"),
    [
        (270, "NLD"),
        (181, "NLD"),
        (359, "NLD"),
        (0, "ENG"),
        (1, "ENG"),
        (90, "ENG"),
        (179, "ENG"),
        (180, "ENG"),
    ],
)
def test_the_quarry_has_the_gauge_only_where_it_lies_before_the_beam_of_the_wind(
    bearing: int, side: str
) -> None:
    assert gauge_side(chart(), contact(bearing=bearing)) == side


@pytest.mark.clause("G.CO6", "G.CO4")
def test_a_battle_has_at_least_one_turn_before_nightfall() -> None:
    made = chart(hour=13)
    groups = [[made.state.fleets["e"]], [made.state.fleets["d"]]]
    assert turn_limit(made, groups) == 2
    for minutes, turns in ((60, 1), (61, 1), (120, 1), (59, 1), (20, 3), (1, 30)):
        made.rules = b.plain_rules(minutes_a_turn=lambda options, n=minutes: n)  # type: ignore[assignment]
        assert turn_limit(made, groups) == turns


@pytest.mark.clause("G.CO4")
@pytest.mark.parametrize(
    ("over", "anchored"),
    [
        ({"position": Position("n")}, True),
        ({"position": Position("home")}, True),
        ({"position": Position("a")}, False),
        ({"position": Position("n", "b", 10)}, False),
        ({"position": Position("n"), "under_way": True}, False),
        ({"position": Position("n"), "order": FleetOrder("d", ("b",))}, False),
    ],
)
def test_a_side_is_at_anchor_when_all_its_fleets_lie_still_in_a_roadstead_or_a_port(
    over: dict[str, Any], anchored: bool
) -> None:
    made = chart(d=over, f={"position": Position("n")}, hour=13)
    e, d, f = (made.state.fleets[code] for code in "edf")
    assert turn_limit(made, [[e], [d]]) == turn_limit(made, [[d], [e]]) == (30 if anchored else 2)
    assert turn_limit(made, [[e], [f, d]]) == (30 if anchored else 2)


def call(made: Chart, attackers: str = "e", **over: Any) -> dict[str, Any]:
    state = made.state
    row = contact(**over)
    found = battle_call(made, "b01", row, [state.fleets[c] for c in attackers], [state.fleets["d"]])
    return dict(found.scenario)


@pytest.mark.clause("G.BT6")
def test_prizes_of_both_sides_sail_in_squadrons_of_two_codes() -> None:
    """Even where a ship that is no prize has been left among them, so that the books know a squadron of that code."""
    sheets = [b.ship("e1", "ENG", "e"), b.ship("e2", "ENG", "e", squadron="prizes")]
    sheets += [b.ship("d1", "NLD", "d"), b.ship("d2", "NLD", "d", squadron="prizes")]
    made = chart(*sheets)
    assert "prizes" in made.facts.squadrons
    codes = [[row["id"] for row in side["squadrons"]] for side in call(made)["sides"]]
    assert [side[1] for side in codes] == ["e-prizes", "d-prizes"]


@pytest.mark.clause("G.BT6", "G.MV5")
def test_a_side_fights_under_the_instructions_of_its_greatest_fleet_or_of_the_last_by_code() -> None:
    def told(code: str, fight_at: str) -> dict[str, Any]:
        instructions = Instructions(doctrine=replace(Instructions().doctrine, fight_at=fight_at))
        return {"order": FleetOrder(code, instructions=instructions)}

    sheets = [b.ship("e1", "ENG", "e"), b.ship("f1", "ENG", "f"), b.ship("d1", "NLD", "d")]
    alike = call(chart(*sheets, e=told("e", "close"), f=told("f", "long")), "ef")
    assert alike["sides"][0]["doctrine"]["fight_at"] == "long"
    more = call(chart(*sheets, b.ship("e2", "ENG", "e"), e=told("e", "close"), f=told("f", "long")), "ef")
    assert more["sides"][0]["doctrine"]["fight_at"] == "close"


@pytest.mark.clause("G.BT6")
@pytest.mark.parametrize(
    ("squadron", "fleet", "code", "name"),
    [
        ("", "", "e-single ships", "Single ships"),
        ("rest", "", "e-rest", "Rest"),
        ("", "Howard's ships", "e-single ships", "Howard's ships"),
    ],
)
def test_ships_of_no_known_squadron_are_named_after_their_fleet_or_kind(
    squadron: str, fleet: str, code: str, name: str
) -> None:
    made = chart(e={"name": fleet})
    made.state.ships["e1"] = replace(made.state.ships["e1"], squadron=squadron, condition={})
    made.ships_changed()
    (row,) = call(made)["sides"][0]["squadrons"]
    assert (row["id"], row["name"], row["flagship"]) == (code, name, "e1")
    assert "flag_officer" not in row
    assert row["ships"][0]["condition"] is None


@pytest.mark.clause("G.BT6")
def test_a_flag_officer_is_named_in_the_flagships_squadron_where_there_is_one() -> None:
    made = chart()
    squadrons = {"e-1": SquadronFacts("e-1", "Red", "e", "e1", "Monck"), "d-1": made.facts.squadrons["d-1"]}
    made.facts = replace(made.facts, squadrons=squadrons)
    england, holland = call(made)["sides"]
    assert england["squadrons"][0]["flag_officer"] == "Monck"
    assert "flag_officer" not in holland["squadrons"][0]


@pytest.mark.clause("G.SI1", "G.BT6")
@pytest.mark.parametrize(("aware", "surprised", "gauge"), [(True, [], "NLD"), (False, ["NLD"], "ENG")])
def test_a_surprised_fleet_does_not_have_the_weather_gauge_and_after_a_battle_no_one_has_it(
    aware: bool, surprised: list[str], gauge: str
) -> None:
    made = chart()
    if not aware:
        del made.state.touches["d", "e"]
    found = call(made, bearing=270)
    assert (found["surprised"], found["gauge"]) == (surprised, gauge)
    assert found["wind"] == {"towards": 90, "strength": "moderate"}
    assert call(made, bearing=270, after_battle=True)["surprised"] == []


@pytest.mark.clause("G.CO7", "G.BT6")
@pytest.mark.parametrize(("at", "empty"), [("a", "f"), ("a", "x")])
def test_a_fleet_in_company_without_ships_takes_no_part_in_a_battle(at: str, empty: str) -> None:
    side = {"f": "ENG", "x": "NLD"}[empty]
    made = chart(b.ship("e1", "ENG", "e"), b.ship("d1", "NLD", "d"), b.ship("g1", "FRA", "g"))
    fleet = replace(
        made.state.fleets["d" if side == "NLD" else "f"], code=empty, position=Position(at), ended=False
    )
    made.state.fleets[empty] = fleet
    assert battles(made, contact()) == TWO
    assert made.state.fleets[empty].off_until == 0
