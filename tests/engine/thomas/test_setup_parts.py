"""What a scenario says once for a side, and what it says for a squadron; wind and hour one at a time. Rules: T.C2, T.S10, T.S24."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.parties import SquadronState, squadrons_of
from battles.engine.core.scenario import Doctrine, Stance
from battles.engine.rulesets.thomas import layout, setup, wind
from tests.engine.thomas.builders import battle, ship
from tests.engine.thomas.test_setup import begun, document, entry, scenario


def test_a_squadron_has_its_own_doctrine_else_that_of_its_side() -> None:
    doc = document()
    for side in doc["sides"]:
        side["doctrine"] = {"stance": "avoid"}
    doc["sides"][0]["squadrons"][0]["doctrine"] = {"stance": "hold"}
    own = begun(sides=doc["sides"])
    assert {code: one.doctrine.stance for code, one in own.squadrons.items()} == {
        "ENG-1": Stance.HOLD, "SPA-1": Stance.AVOID,
    }  # fmt: skip
    assert {one.doctrine.stance for one in own.sides.values()} == {Stance.AVOID}


def test_squadrons_that_all_have_a_doctrine_keep_it_whatever_their_side_has() -> None:
    doc = document()
    for side in doc["sides"]:
        side["squadrons"][0]["doctrine"] = {"stance": "hold"}
    made = squadrons_of(scenario(sides=doc["sides"]), SquadronState)
    assert {one.doctrine.stance for one in made.values()} == {Stance.HOLD}
    plain = squadrons_of(scenario(), SquadronState)
    assert {one.doctrine for one in plain.values()} == {Doctrine()}


@pytest.mark.clause("T.C2", "T.S11")
@pytest.mark.parametrize(
    ("chosen", "prevailing"), [(0, 0), (225, 22_500), (359, 35_900), ("none", None), (None, 27_000)]
)
def test_the_prevailing_wind_is_the_one_chosen_else_the_one_that_blows(
    chosen: int | str | None, prevailing: int | None
) -> None:
    assert setup._prevailing(chosen, 27_000) == prevailing


@pytest.mark.clause("T.S10")
@pytest.mark.parametrize(
    ("start", "options", "minute"),
    [
        ("1588-07-29T09:00", {}, 540), ("1588-07-29T23:59", {}, 1_439), ("1588-07-29T00:07", {}, 7),
        ("1588-07-29T09:00:30", {}, 540), ("1588-07-29T09:00", {"start_hour": 0}, 0), ("1588-07-29T09:00", {"start_hour": 17.25}, 1_035),
    ],
    ids=str,
)  # fmt: skip
def test_the_hour_is_the_switchs_else_the_scenarios(start: str, options: dict[str, Any], minute: int) -> None:
    assert begun(start=start, options=options).start == minute


@pytest.mark.clause("T.S24")
@pytest.mark.parametrize(
    ("start", "options", "nelson"),
    [
        ("1699-12-31T09:00", {}, False), ("1700-01-01T09:00", {}, True), ("1588-07-29T09:00", {"period": "nelson"}, True),
        ("1805-10-21T09:00", {"period": "armada"}, False), ("1805-10-21T09:00", {"nelson_rules": False}, False),
        ("1588-07-29T09:00", {"nelson_rules": True, "period": "armada"}, True),
    ],
    ids=str,
)  # fmt: skip
def test_rules_of_1700_hold_by_switch_else_by_period_else_by_date(
    start: str, options: dict[str, Any], nelson: bool
) -> None:
    assert begun(start=start, options=options).nelson is nelson


@pytest.mark.clause("T.C36", "T.O3")
def test_a_tower_draws_one_ship_and_nobody_herself() -> None:
    def towed(code: str, by: str) -> dict[str, Any]:
        condition = {"schema": 1, "flot": 30, "crew_halves": 60, "captive_halves": 0, "guard_halves": 0, "guard_from": "",
                     "batteries_lost": [], "masts_lost": 0, "thresholds_met": 0, "jury_minutes": 0, "jury_used": False,
                     "dishonoured": False, "captives_tried": False, "towed_by": by}  # fmt: skip
        return entry(code, condition=condition)

    made = begun(
        ships={
            "ENG": [
                towed("E1", ""),
                towed("E2", "E1"),
                towed("E3", "E1"),
                towed("E4", "E4"),
                towed("E5", "E9"),
            ],
            "SPA": [towed("S1", "")],
        }
    )
    assert {code: one.towed_by for code, one in made.ships.items() if one.towed_by} == {"E2": "E1"}
    assert {code: one.towing for code, one in made.ships.items() if one.towing} == {"E1": "E2"}


@pytest.mark.clause("T.S20")
@pytest.mark.parametrize(("towards", "heading"), [(180, 9_000), (90, 0), (0, 27_000), (225, 13_500)])
def test_a_ship_without_a_heading_lies_on_a_reach_on_the_port_tack(towards: int, heading: int) -> None:
    made = scenario(wind={"towards": towards, "strength": "moderate"})
    _, _, first = next(iter(made.ships()))
    assert layout.heading_of(first, made) == heading
    assert layout.heading_of(replace(first, heading=0), made) == 0
    assert layout.heading_of(replace(first, heading=1_234), made) == 1_234


@pytest.mark.clause("T.S20", "T.S21")
def test_of_ships_that_are_all_placed_those_on_top_of_each_other_or_ashore_are_named() -> None:
    coast = [[[50_000, 50_000], [60_000, 50_000], [50_000, 60_000]]]
    rows = {
        "ENG": [entry("E1", position=[0, 0]), entry("E2", position=[9_000, 0])],
        "SPA": [entry("S1", position=[100, 0]), entry("S2", position=[51_000, 51_000])],
    }
    found = list(setup.faults(scenario(ships=rows, options={"coast": coast})))
    assert [one.path for one in found] == [
        "sides[1].squadrons[0].ships[0].position", "sides[1].squadrons[0].ships[1].position",
    ]  # fmt: skip
    assert ["on top of Ship E1" in one.text for one in found] == [True, False]


@pytest.mark.clause("T.S8", "T.S20")
@pytest.mark.parametrize(
    ("over", "fields"),
    [
        ({"heading": -1}, ["heading"]), ({"heading": 0}, []), ({"heading": 35_999}, []), ({"heading": 36_000}, ["heading"]),
        ({"heading": 0, "condition": {"schema": 1}}, ["condition"]), ({"heading": 0, "condition": {"schema": 2}}, ["condition"]),
        ({"heading": -1, "condition": {"schema": 1}}, ["heading", "condition"]), ({}, []),
        ({"heading": 0, "facts": {"speed_knots": 0}, "condition": {"schema": 1}}, ["facts.speed_knots"]),
        ({"heading": 36_000, "facts": {"speed_knots": 0}}, ["facts.speed_knots", "heading"]),
        ({"facts": {"guns": None, "tons_burthen": None}}, ["facts"]),
    ],
    ids=str,
)  # fmt: skip
def test_heading_card_and_condition_of_one_ship_are_checked(over: dict[str, Any], fields: list[str]) -> None:
    over = dict(over)
    heading = over.pop("heading", None)
    made = scenario(ships={"ENG": [entry("E1", **over)], "SPA": [entry("S1")]})
    first = replace(next(row for _, _, row in made.ships()), heading=heading)
    assert [field for field, _ in setup._ship_faults(first, made)] == fields


@pytest.mark.clause("T.C36", "T.O3")
def test_every_ship_of_a_scenario_may_tow_or_be_towed() -> None:
    rows = {
        "ENG": [entry("E1", condition={"towed_by": "S1"})],
        "SPA": [entry("S1", condition={"towed_by": "E1"})],
    }
    made = battle(one := ship("E1"), other := ship("S1", x=9_000))
    setup._restore_tows(made, scenario(ships=rows))
    assert (one.towed_by, one.towing, other.towed_by, other.towing) == ("S1", "S1", "E1", "E1")


@pytest.mark.clause("T.S10", "T.C1")
@pytest.mark.parametrize(
    "start", ["", "1588-07-29", "1588-07-29Tnoon:07", "1588-07-29T12:xx", "1588-07-29T12", "soon"]
)
def test_an_hour_that_no_one_names_is_thrown(start: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wind, "throw_hour", lambda dice, *, campaign: 15 if campaign else 6)
    made: Any = SimpleNamespace(start=start)
    for campaign, minute in ((False, 360), (True, 900)):
        options: dict[str, object] = {"start_minute": None, "campaign": campaign}
        assert setup._start_minute(made, options, ScriptedDice(())) == minute
