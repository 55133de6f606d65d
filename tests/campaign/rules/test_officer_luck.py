"""Named officers after a battle and a loss: who is thrown for, what their side learns, and which place they leave empty."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.fates import Fate
from battles.engine.core.outcome import OfficerFate, Outcome, ShipOutcome
from campaign.rules.chart.types import OfficerFacts, Position
from campaign.rules.losses.officers import (
    flag_officer,
    officer_step,
    officers_after_battle,
    officers_of_lost_ship,
)
from campaign.rules.state.clock import DAY
from campaign.rules.state.economy import OfficerNow, officer_key
from campaign.rules.state.world import Chart
from campaign.rules.turn import turn
from tests.campaign.rules import builders as b

AT_A = Position("a")
SERVING, WOUNDED = "serving", "wounded"
Row = tuple[str, str, bool, str, str]


def man(name: str, ship: str, *, flag: bool = False, status: str = SERVING, side: str = "ENG") -> Row:
    return name, ship, flag, status, side


def chart(*rows: Row, at: Position = AT_A, ships: Mapping[str, Any] | None = None) -> Chart:
    """England's e with e0, the flagship of e-1, e1 and e2; the Dutch d1 lies elsewhere. rows: officers, seniors first."""
    sheets = [b.ship(f"e{n}", "ENG", "e", captain=f"Captain {n}") for n in range(3)]
    made = b.facts(
        [b.fleet("e", "ENG", at.at, to=at.to, run=at.run), b.fleet("d", "NLD", "theirs")],
        [*sheets, b.ship("d1", "NLD", "d")],
        officers={
            officer_key(side, name): OfficerFacts(name, side, flag, n, ship, status)
            for n, (name, ship, flag, status, side) in enumerate(rows)
        },
    )
    flag = {"e-1": replace(made.squadrons["e-1"], flagship="e0")}
    made = replace(made, squadrons={**made.squadrons, **flag})
    found = Chart(made, turn.standing(made), ScriptedDice(()))
    for code, changes in (ships or {}).items():
        found.state.ships[code] = replace(found.state.ships[code], **changes)
    return found


def fought(
    made: Chart,
    faces: Iterable[int] = (),
    *,
    lost: int = 0,
    said: tuple[OfficerFate, ...] = (),
    fate: Fate = Fate.AFLOAT,
    side: str = "ENG",
) -> Chart:
    """e0 comes out of a battle that ended in hour 5 with so much of twenty lost; the others were not in it."""
    before = dict(made.state.ships)
    made.state.ships["e0"] = replace(before["e0"], condition={"lost": lost}, side=side, fate=fate)
    outcome = Outcome("plain", 1, 30, "parted", (ShipOutcome("e0", "ENG", fate, {"lost": lost}),), said)
    with ScriptedDice(faces) as dice:
        made.dice = dice
        officers_after_battle(made, outcome, before, 5, battle="b1")
    return made


def status(made: Chart) -> dict[str, tuple[str, str]]:
    return {key.split("/")[1]: (now.status, now.ship) for key, now in made.state.economy.officers.items()}


def told(made: Chart, kind: str = "officer") -> list[dict[str, Any]]:
    return [dict(event.data) for event in made.state.events if event.kind == kind]


@pytest.mark.clause("G.AF1")
def test_only_officers_in_ships_of_their_own_side_that_fought_are_in_danger() -> None:
    made = chart(
        man("Cox", "e0"), man("Hurt", "e0", status=WOUNDED), man("Guest", "e0", side="NLD"), man("Gone", "e1"),
        ships={"e1": {"fate": Fate.SUNK}},
    )  # fmt: skip
    assert status(fought(made, (2, 3), lost=10)) == {"Cox": ("killed", "")}


@pytest.mark.clause("G.AF1")
@pytest.mark.parametrize(
    ("lost", "faces", "fate"),
    [(4, (), None), (5, (2,), None), (5, (1, 3), "killed"), (5, (1, 4), WOUNDED), (9, (2,), None),
     (10, (3,), None), (10, (2, 4), WOUNDED), (15, (3, 1), "killed"), (16, (4,), None), (20, (4, 3), "killed")],
)  # fmt: skip
def test_a_die_is_thrown_for_each_whole_quarter_of_hull_lost_in_this_battle(
    lost: int, faces: tuple[int, ...], fate: str | None
) -> None:
    made = fought(chart(man("Cox", "e0")), faces, lost=lost)
    assert [row["fate"] for row in told(made)] == ([fate] if fate else [])
    earlier = chart(man("Cox", "e0"), ships={"e0": {"condition": {"lost": 8}}})
    assert status(fought(earlier, (), lost=12)) == {}, "what she had lost before the battle does not count"


@pytest.mark.clause("G.AF1")
def test_an_officers_fate_given_by_the_rule_set_is_not_thrown_for_again() -> None:
    made = fought(chart(man("Cox", "e0")), (), lost=10, said=(OfficerFate("Cox", "e0", "killed", "K.G11"),))
    assert told(made) == [
        {"name": "Cox", "ship": "e0", "fate": "killed", "side": "ENG", "ships": ["e0"], "battle": "b1", "said": True}
    ]  # fmt: skip
    assert made.state.events[-1].hour == 5
    thrown = fought(chart(man("Cox", "e0")), (2, 6), lost=10)
    assert told(thrown) == [
        {"name": "Cox", "ship": "e0", "fate": WOUNDED, "side": "ENG", "ships": ["e0"], "battle": "b1", "face": 2}
    ]  # fmt: skip
    assert thrown.state.economy.wounds == {"ENG/Cox": 5 + 28 * DAY}


@pytest.mark.clause("G.AF1")
def test_an_unlisted_captain_is_reported_when_the_rule_set_says_that_they_were_hit() -> None:
    said = tuple(
        OfficerFate(name, ship, fate, "K.G11")
        for name, ship, fate in (("Captain 0", "e0", "killed"), ("Other", "e0", "unhurt"))
    )
    made = fought(chart(man("Gone", "e1")), said=said)
    assert [(row["name"], row["fate"], row.get("said")) for row in told(made)] == [
        ("Captain 0", "killed", True)
    ]
    assert made.state.ships["e0"].captain == ""
    hurt = fought(chart(man("Gone", "e1")), said=(OfficerFate("Captain 0", "e0", WOUNDED, "K.G11"),))
    assert hurt.state.ships["e0"].captain == "Captain 0"


@pytest.mark.clause("G.AF1")
@pytest.mark.parametrize("fate", [Fate.SUNK, Fate.BURNT, Fate.FOUNDERED, Fate.MISSING])
def test_an_officer_of_a_ship_that_has_gone_down_drowns_on_less_than_three(fate: Fate) -> None:
    assert status(fought(chart(man("Cox", "e0")), (2,), fate=fate)) == {"Cox": ("killed", "")}
    assert status(fought(chart(man("Cox", "e0")), (3,), fate=fate)) == {"Cox": (SERVING, "")}


@pytest.mark.clause("G.AF1", "T.C21")
@pytest.mark.parametrize("fate", [Fate.SCUTTLED, Fate.INTERNED, Fate.WRECKED])
def test_no_one_drowns_in_a_ship_that_did_not_go_down(fate: Fate) -> None:
    made = fought(chart(man("Cox", "e0", flag=True), at=Position("home", "a", 500)), (), fate=fate)
    assert (status(made), told(made)) == ({"Cox": (SERVING, "")}, [])
    assert made.state.economy.vacant == frozenset({"e-1"})


@pytest.mark.clause("G.AF1", "T.C21")
def test_an_officer_wrecked_on_an_enemys_coast_is_taken_and_the_wound_is_reported_too() -> None:
    there = Position("c", "theirs", 58_000)
    made = fought(chart(man("Cox", "e0"), at=there), fate=Fate.WRECKED)
    assert status(made) == {"Cox": ("captured", "")}
    assert ["hurt" in row for row in told(made)] == [False]
    assert made.state.events[-1].knows == ("ENG", "NLD")
    hurt = fought(chart(man("Cox", "e0"), at=there), (1, 6), lost=5, fate=Fate.WRECKED)
    assert [(row["fate"], row["hurt"]) for row in told(hurt)] == [("captured", True)]
    dead = fought(chart(man("Cox", "e0"), at=there), (1, 1), lost=5, fate=Fate.WRECKED)
    assert [(row["fate"], "hurt" in row) for row in told(dead)] == [("killed", False)]


@pytest.mark.clause("G.AF1")
def test_a_captured_ship_takes_her_unhurt_officers_along_and_both_sides_know() -> None:
    made = fought(chart(man("Cox", "e0")), side="NLD")
    (row,) = told(made)
    assert (row["fate"], "hurt" in row, made.state.events[-1].knows) == ("captured", False, ("ENG", "NLD"))


@pytest.mark.clause("G.AF1")
@pytest.mark.parametrize(
    ("flag", "faces", "lost", "fate", "vacant", "captain"),
    [
        (False, (1, 3), 5, Fate.AFLOAT, {"e0"}, ""),
        (False, (1, 4), 5, Fate.AFLOAT, set(), "Captain 0"),
        (False, (2,), 0, Fate.SUNK, set(), ""),
        (True, (1, 3), 5, Fate.AFLOAT, {"e-1"}, ""),
        (True, (1, 4), 5, Fate.AFLOAT, {"e-1"}, "Captain 0"),
        (True, (3,), 0, Fate.SUNK, {"e-1"}, "Captain 0"),
        (True, (2,), 5, Fate.AFLOAT, set(), "Captain 0"),
    ],
)
def test_an_officer_leaves_the_right_place_empty(
    flag: bool, faces: tuple[int, ...], lost: int, fate: Fate, vacant: set[str], captain: str
) -> None:
    made = fought(chart(man("Captain 0", "e0", flag=flag)), faces, lost=lost, fate=fate)
    assert made.state.economy.vacant == frozenset(vacant)
    assert made.state.ships["e0"].captain == captain


@pytest.mark.clause("G.AF1", "T.C21")
def test_a_ship_lost_on_the_chart_takes_only_her_own_sides_officers_in_the_hour_of_her_loss() -> None:
    made = chart(
        man("Cox", "e0", flag=True), man("Guest", "e0", side="NLD"), man("Else", "e1"), man("Dead", "e0", status="killed")
    )  # fmt: skip
    ship = made.state.ships["e0"]
    made.state.ships["e0"] = replace(ship, fleet="", fate=Fate.FOUNDERED)
    officers_of_lost_ship(made, ship, Position("a"), Fate.FOUNDERED, hour=9, saved=False)
    assert status(made) == {"Cox": ("killed", "")}
    assert [(event.hour, event.data["fate"]) for event in made.state.events] == [(9, "drowned")]
    assert made.state.economy.vacant == frozenset({"e-1"})
    assert told(made) == [{"name": "Cox", "ship": "e0", "fate": "drowned", "side": "ENG", "ships": ["e0"]}]


@pytest.mark.clause("G.AF1")
def test_a_flag_officer_saved_from_a_lost_ship_leaves_the_squadron_without_a_flag() -> None:
    made = chart(man("Cox", "e0", flag=True))
    made.dice = ScriptedDice((3,))
    ship = made.state.ships["e0"]
    made.state.ships["e0"] = replace(ship, fleet="", fate=Fate.FOUNDERED)
    officers_of_lost_ship(made, ship, Position("a"), Fate.FOUNDERED, hour=None, saved=True)
    assert (status(made), made.state.economy.vacant) == ({"Cox": (SERVING, "")}, frozenset({"e-1"}))


@pytest.mark.clause("G.AF1")
def test_an_officers_state_is_that_of_this_turn() -> None:
    made = chart(man("Rupert", "e0", flag=True))
    assert flag_officer(made, "e-1") == "Rupert"
    made.state.economy.officers["ENG/Rupert"] = OfficerNow("e0", "killed", True)
    assert flag_officer(made, "e-1") == ""


@pytest.mark.clause("G.AF1")
def test_a_captain_aboard_and_a_flag_officer_elsewhere_do_not_keep_a_flag_from_the_next_senior() -> None:
    made = chart(man("Sits", "e1", flag=True), man("Aboard", "e0"), man("Waits", "", flag=True))
    made.state.economy.vacant = frozenset({"e-1"})
    b.step(officer_step, made)
    assert status(made) == {"Waits": (SERVING, "e0")}
    none = chart(man("Sits", "e1", flag=True), man("Hurt", "e2", status=WOUNDED))
    none.state.economy.vacant = frozenset({"e-1"})
    b.step(officer_step, none)
    assert (status(none), none.state.economy.vacant) == ({}, frozenset())


@pytest.mark.clause("G.AF1")
def test_an_officer_who_leaves_a_ship_for_the_flag_without_being_her_captain_leaves_hers_there() -> None:
    made = chart(man("Guest", "e1"))
    made.state.economy.vacant = frozenset({"e-1"})
    b.step(officer_step, made)
    assert status(made) == {"Guest": (SERVING, "e0")}
    assert (made.state.ships["e1"].captain, made.state.economy.vacant) == ("Captain 1", frozenset())


@pytest.mark.clause("G.AF1")
def test_an_officer_who_recovers_ashore_is_reported_without_a_ship() -> None:
    made = chart(man("Ashore", "", status=WOUNDED), man("Aboard", "e1", status=WOUNDED))
    made.state.economy.wounds = {"ENG/Ashore": 0, "ENG/Aboard": 0}
    b.step(officer_step, made)
    rows = {row["name"]: (row["ship"], row["ships"]) for row in told(made, "officer_fit")}
    assert rows == {"Ashore": ("", []), "Aboard": ("e1", ["e1"])}


@pytest.mark.clause("G.AF1")
@pytest.mark.parametrize(
    ("changes", "ashore"),
    [
        ({}, False),
        ({"prize": True}, False),
        ({"side": "NLD"}, True),
        ({"fate": Fate.SUNK}, True),
        ({"fate": Fate.INTERNED}, True),
    ],
    ids=str,
)
def test_an_officer_whose_ship_is_gone_waits_ashore_at_six_and_no_one_else_moves(
    changes: dict[str, Any], ashore: bool
) -> None:
    made = chart(man("Cox", "e1"), man("Waits", ""), man("Sails", "e2"), ships={"e1": changes})
    b.step(officer_step, made)
    assert status(made) == ({"Cox": (SERVING, "")} if ashore else {})
