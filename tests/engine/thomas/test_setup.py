"""From a scenario to a battle. Rules: T.S8, T.S10-T.S14, T.S20-T.S25, T.S2a, T.C1, T.C2."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.core import plane
from battles.engine.core.dice import Dice, ScriptedDice
from battles.engine.core.log import Log
from battles.engine.core.scenario import Scenario, read_scenario
from battles.engine.rulesets.thomas import condition as condition_
from battles.engine.rulesets.thomas import layout, setup
from battles.engine.rulesets.thomas.card import card
from battles.engine.rulesets.thomas.options import OPTIONS, option_faults, with_defaults
from battles.engine.rulesets.thomas.play import Play
from battles.engine.rulesets.thomas.state import Battle, Status
from battles.engine.rulesets.thomas.tables import WindForce


def entry(code: str, **over: Any) -> dict[str, Any]:
    facts = {"nation": "England", "ship_type": "galleon", "guns": 30, "tons_burthen": 600}
    return {"id": code, "name": f"Ship {code}", "facts": {**facts, **over.pop("facts", {})}, **over}


def document(**over: Any) -> dict[str, Any]:
    ships = over.pop("ships", None) or {"ENG": [entry("E1"), entry("E2"), entry("E10")], "SPA": [entry("S1")]}
    return {
        "schema": 1,
        "rule_set": "thomas",
        "title": "Test",
        "code": "t",
        "start": "1588-07-29T09:00",
        "wind": {"towards": 180, "strength": "moderate"},
        "gauge": "ENG",
        "sides": [
            {
                "id": code,
                "name": code,
                "nation": code,
                "squadrons": [{"id": f"{code}-1", "name": code, "flagship": rows[0]["id"], "ships": rows}],
            }
            for code, rows in ships.items()
        ],
        **over,
    }


def scenario(**over: Any) -> Scenario:
    return read_scenario(document(**over))


def begun(dice: Dice | None = None, **over: Any) -> Battle:
    made = scenario(**over)
    assert list(setup.faults(made)) == []
    return setup.begin(made, dice or ScriptedDice([]))


@pytest.mark.clause("T.S10", "T.C1", "T.C2", "T.S11", "T.C34")
def test_hour_and_wind_come_from_the_scenario() -> None:
    made = begun()
    assert (made.start, made.wind_from, made.prevailing, made.strength) == (540, 0, 0, WindForce.MEDIUM)
    assert begun(options={"start_hour": 12.5}).start == 750
    other = begun(options={"prevailing": 225}, wind={"towards": 90, "strength": "light"})
    assert (other.wind_from, other.prevailing, other.strength) == (27_000, 22_500, WindForce.LIGHT)
    assert begun(options={"prevailing": "none"}).prevailing is None


@pytest.mark.clause("T.S10", "T.C1", "T.S11", "T.S11a")
def test_without_them_they_are_thrown() -> None:
    made = begun(ScriptedDice([6, 2, 4]), start="1588-07-29", options={"wind_start": "thrown"})
    assert (made.start, made.wind_from) == (540, 27_000)
    late = begun(ScriptedDice([6]), start="1588-07-29", options={"campaign": True})
    assert late.start == 21 * 60


@pytest.mark.clause("T.S20")
def test_fleets_lie_in_line_ahead_24_inches_apart_the_weather_fleet_to_windward() -> None:
    made = begun()
    line = [made.ships[code] for code in ("E1", "E2", "E10")]
    assert {one.heading for one in made.ships.values()} == {9_000}
    assert {one.y for one in line} == {12_000}
    assert line[0].x > line[1].x > line[2].x
    nearest = min(plane.distance(one.position, made.ships["S1"].position) for one in line)
    assert nearest == 24_000
    assert made.ships["S1"].y == -12_000


@pytest.mark.clause("T.S20")
@pytest.mark.parametrize(
    ("strength", "stance", "campaign", "inches"),
    [("moderate", "hold", False, 24), ("strong", "hold", False, 24), ("strong", "hold", True, 16), ("light", "hold", True, 8),
     ("still", "hold", False, 8), ("moderate", "avoid", True, 12), ("moderate", "avoid", False, 12), ("light", "avoid", False, 8)],
)  # fmt: skip
def test_lines_lie_nearer_in_a_campaign_in_light_airs_and_where_one_side_was_overhauled(
    strength: str, stance: str, campaign: bool, inches: int
) -> None:
    doc = document(wind={"towards": 180, "strength": strength}, options={"campaign": campaign})
    doc["sides"][0]["doctrine"] = {"stance": stance}
    made = setup.begin(read_scenario(doc), ScriptedDice([]))
    assert made.ships["E1"].y - made.ships["S1"].y == inches * 1_000


@pytest.mark.clause("T.S20")
def test_the_windward_side_is_thrown_for_when_unstated_but_the_surprised_side_does_not_throw() -> None:
    dice = ScriptedDice([1, 1, 1, 1, 2, 3, 6, 6])
    thrown = begun(dice, gauge="")
    dice.finish()
    assert thrown.ships["S1"].y > thrown.ships["E1"].y
    surprised = begun(gauge="", surprised=["ENG"])
    assert surprised.ships["S1"].y > surprised.ships["E1"].y


@pytest.mark.clause("T.B3c")
def test_ships_are_in_the_order_of_their_codes() -> None:
    assert list(begun().ships) == ["E1", "E10", "E2", "S1"]


@pytest.mark.clause("T.S20", "T.S22")
def test_ships_lie_where_the_scenario_puts_them() -> None:
    ships = {
        "ENG": [entry("E1", position=[1_000, 2_000], heading=4_500)],
        "SPA": [entry("S1", position=[9_000, 0], facts={"tags": ["anchored"]})],
    }
    made = begun(ships=ships)
    assert (made.ships["E1"].position, made.ships["E1"].heading) == ((1_000, 2_000), 4_500)
    assert (made.ships["S1"].heading, made.ships["S1"].anchored) == (9_000, True)
    assert made.near(made.ships["E1"], 9_000) == [made.ships["S1"]]


@pytest.mark.clause("T.S21", "T.S20")
def test_a_position_ashore_is_replaced_by_open_water() -> None:
    coast = [[[-3_000, 9_000], [3_000, 9_000], [3_000, 15_000], [-3_000, 15_000]]]
    made = begun(options={"coast": coast})
    assert len(made.land) == 1
    assert all(not (-3_000 < one.x < 3_000 and 9_000 < one.y < 15_000) for one in made.ships.values())


@pytest.mark.clause("T.C10", "T.S8", "T.O2b", "T.C30")
def test_old_damage_is_brought_into_the_battle() -> None:
    whole = condition_.sound(card(scenario().sides[0].squadrons[0].ships[0].facts))
    old = {
        **whole.to_dict(),
        "flot": 20,
        "crew_halves": 75,
        "batteries_lost": [1],
        "masts_lost": 1,
        "jury_minutes": 200,
    }
    made = begun(ships={"ENG": [entry("E1", condition=old)], "SPA": [entry("S1")]})
    one = made.ships["E1"]
    assert (one.flot, one.lost, one.crew, one.masts_lost, one.jury_count, one.jury_since) == (
        20,
        10,
        37,
        1,
        2,
        0,
    )
    assert [n for n, battery in enumerate(one.batteries) if battery.lost] == [1]
    assert {**condition_.of(one).to_dict(), "jury_minutes": 200} == old
    recruits = begun(
        ships={"ENG": [entry("E1", condition=old, complement=300, men=100)], "SPA": [entry("S1")]}
    )
    assert recruits.ships["E1"].crew_halves == 40


@pytest.mark.clause("T.S2a", "T.S2")
def test_crew_may_be_reduced_to_flotation_and_is_returned_as_it_was() -> None:
    made = begun(options={"crew_equals_flotation": True})
    one = made.ships["E1"]
    assert (one.flot_max, one.crew_max, one.crew) == (30, 30, 30)
    assert condition_.of(one).crew_halves == 120
    one.crew_halves = 30
    assert condition_.of(one).crew_halves == 60


@pytest.mark.clause("T.O6h", "T.C11")
def test_a_prize_sails_under_her_captors_colours() -> None:
    whole = condition_.sound(card(scenario().sides[0].squadrons[0].ships[0].facts))
    old = {**whole.to_dict(), "crew_halves": 0, "captive_halves": 80, "guard_halves": 30, "guard_from": "E2"}
    made = begun(ships={"ENG": [entry("E1", prize=True, condition=old), entry("E2")], "SPA": [entry("S1")]})
    one = made.ships["E1"]
    assert (one.flag, one.hands, one.captives, one.secured, one.fighting) == ("ENG", 15, 40, True, False)


@pytest.mark.clause("T.S24", "T.S25")
@pytest.mark.parametrize(
    ("start", "options", "nelson"),
    [
        ("1588-07-29T09:00", {}, False), ("1805-10-21T12:00", {}, True), ("1805-10-21T12:00", {"period": "armada"}, False),
        ("1588-07-29T09:00", {"nelson_rules": True}, True), ("1700-01-01T09:00", {}, True),
    ],
)  # fmt: skip
def test_the_year_decides_whether_the_nelson_rules_apply(
    start: str, options: dict[str, Any], nelson: bool
) -> None:
    made = begun(start=start, options=options)
    assert made.nelson is nelson
    assert made.options["opt_surrender"] is True


@pytest.mark.clause("T.S25", "T.S14", "T.S15", "T.S17")
def test_options_begin_as_the_rules_say() -> None:
    chosen = with_defaults({})
    assert (chosen["minutes_per_move"], chosen["fan_half_angle"], chosen["drift_move"]) == (90, 1_500, 1_000)
    assert all(chosen[name] for name in OPTIONS if name.startswith("opt_"))
    assert with_defaults({"hours_per_move": 0.5})["minutes_per_move"] == 30
    wrong = {"hours_per_move": 0, "wings": 1, "six_side": "left", "coast": [[[0, 0]]], "opt_boats": "yes"}
    assert {name for name, _ in option_faults(wrong)} == set(wrong)


@pytest.mark.clause("T.S30", "T.S4", "T.S7", "T.S20", "T.S21", "T.S23")
def test_all_errors_in_a_scenario_are_reported_with_their_place() -> None:
    ships = {
        "ENG": [
            entry("E1", position=[0, 0]),
            entry("E2", position=[100, 0]),
            entry("E3", position=[20_000, 0]),
            entry("E4", facts={"gun_detail": "3xballista", "speed_knots": 0}),
            entry("E5", facts={"guns": None, "tons_burthen": None}),
            entry("E6", condition={"schema": 1}),
        ],
        "SPA": [entry("S1")],
        "DUT": [entry("D1")],
    }
    coast = [[[19_000, -1_000], [21_000, -1_000], [20_000, 3_000]]]
    found = {
        fault.path: fault.text
        for fault in setup.faults(scenario(ships=ships, options={"coast": coast}, land=[[5, 5]]))
    }
    here = "sides[0].squadrons[0].ships"
    assert set(found) == {
        "sides", "land", f"{here}[1].position", f"{here}[2].position", f"{here}[3].facts.gun_detail",
        f"{here}[3].facts.speed_knots", f"{here}[4].facts", f"{here}[5].condition",
    }  # fmt: skip
    assert found[f"{here}[4].facts"].startswith("Ship E5: neither tons, guns nor men")
    assert "on top of Ship E1" in found[f"{here}[1].position"]
    assert "ashore" in found[f"{here}[2].position"]


@pytest.mark.clause("T.S20")
def test_reinforcements_arrive_in_line_from_their_bearing() -> None:
    doc = document()
    doc["sides"][1]["squadrons"].append(
        {
            "id": "SPA-2",
            "name": "Late",
            "flagship": "S2",
            "ships": [entry("S2"), entry("S3")],
            "arrives": 2,
            "edge": 90,
        }
    )
    made = setup.begin(read_scenario(doc), ScriptedDice([]))
    played = Play(dice=ScriptedDice([]), log=Log())
    made.move = 1
    layout.arrivals(made, played)
    assert made.ships["S2"].status is Status.EXPECTED
    made.move = 2
    layout.arrivals(made, played)
    van, rear = made.ships["S2"], made.ships["S3"]
    assert (van.status, van.heading) == (Status.AFLOAT, 27_000)
    assert rear.x > van.x > 24_000
    layout.arrivals(made, played)
    assert len(made.near(van, 3_000)) == 1


def test_the_opening_is_reported() -> None:
    log = Log()
    setup.begin(scenario(), ScriptedDice([]), log)
    told = log.take()
    assert [event.kind for event in told] == ["opened", "placed", "placed", "placed", "placed"]
    assert told[0].data["minute"] == 540


@pytest.mark.clause("T.C30", "T.C11")
def test_a_ship_no_longer_a_prize_has_neither_guard_nor_captives() -> None:
    was = {"guard_halves": 20, "captive_halves": 40, "crew_halves": 0, "guard_from": "E9"}
    old = {**condition_.sound(card(scenario().sides[0].squadrons[0].ships[0].facts)).to_dict(), **was}
    for prize, halves in ((True, (0, 20, 40)), (False, (20, 0, 0))):
        ships = {"ENG": [entry("E1", condition=old, prize=prize), entry("E2")], "SPA": [entry("S1")]}
        one = begun(ships=ships).ships["E1"]
        assert (one.crew_halves, one.guard_halves, one.captive_halves) == halves
