"""Soldiers in ships that are lost or taken: how many drown, who saves the others, and who is free again."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from campaign.rules.chart.types import Position
from campaign.rules.losses.soldiers import cast_up, drown, gained, marines_again, surrender
from campaign.rules.state.troops import Army, Troops
from campaign.rules.state.world import Chart
from tests.campaign.rules import builders as b
from tests.campaign.rules import shores as s


def carrying(soldiers: int = 90, **ship: Any) -> Chart:
    """An English ship of 300 men with so many soldiers, and two others."""
    ships = [b.ship("e1", "ENG", "e", **ship), b.ship("e2", "ENG", "e"), b.ship("e3", "ENG", "e")]
    aboard = {"e1": soldiers} if soldiers else {}
    return s.chart(
        s.made([b.fleet("e", "ENG", "a")], ships, troops=Troops(aboard=aboard, boats={"e1": 500, "e2": 600}))
    )


@pytest.mark.clause("G.LD1", "G.VP1")
@pytest.mark.parametrize(
    ("soldiers", "men", "saved", "rescuers", "kept"),
    [
        (90, 300, 150, ("e2", "e3"), 45), (90, 300, 1, ("e2",), 0), (90, 300, 4, ("e2",), 1), (90, 300, 400, ("e2",), 90),
        (90, 300, 150, (), 0), (90, 0, 0, ("e2",), 0), (0, 300, 150, ("e2",), 0),
    ],
)  # fmt: skip
def test_of_soldiers_in_a_ship_that_sinks_the_share_of_her_crew_is_saved(
    soldiers: int, men: int, saved: int, rescuers: tuple[str, ...], kept: int
) -> None:
    chart = carrying(soldiers, men=men)
    drown(chart, chart.state.ships["e1"], saved, rescuers, hour=7)
    assert chart.state.troops == Troops(aboard={"e2": kept} if kept else {}, boats={"e2": 600})
    lost = soldiers - kept
    assert [(event.hour, event.knows) for event in chart.state.events] == ([(7, ("ENG",))] if lost else [])
    assert s.told(chart, "soldiers_lost") == [
        {"ship": "e1", "side": "ENG", "men": lost, "taken": False, "marks": str(Fraction(lost, 1000)), "ships": ["e1"]}
        for _ in chart.state.events
    ]  # fmt: skip


@pytest.mark.clause("G.LD1", "T.C21")
@pytest.mark.parametrize(
    ("position", "ports", "armies", "prisoners", "told"),
    [
        (Position("a"), True, {("ENG", "home"): Army(90)}, {}, []),
        (Position("c"), True, {}, {("NLD", "theirs", "ENG"): 90}, [(90, True)]),
        (Position("a"), False, {}, {}, [(90, False)]),
    ],
)
def test_soldiers_of_a_wreck_are_an_army_prisoners_or_lost(
    position: Position, ports: bool, armies: Any, prisoners: Any, told: list[tuple[int, bool]]
) -> None:
    chart = carrying()
    if not ports:
        homeless = replace(chart.facts.sides["ENG"], nations=("Nowhere",))
        chart.facts = replace(chart.facts, sides={**chart.facts.sides, "ENG": homeless})
    cast_up(chart, chart.state.ships["e1"], position)
    assert chart.state.troops == Troops(armies=armies, boats={"e2": 600})
    assert chart.state.economy.prisoners == prisoners
    assert [(row["men"], row["taken"]) for row in s.told(chart, "soldiers_lost")] == told


@pytest.mark.clause("G.LD1", "G.PR1")
def test_a_ship_without_soldiers_gives_up_none() -> None:
    chart = carrying(1)
    ship = chart.state.ships["e1"]
    assert surrender(chart, ship) == 1 and surrender(chart, ship) == 0
    assert [(row["men"], row["taken"], row["marks"]) for row in s.told(chart, "soldiers_lost")] == [
        (1, True, "1/1000")
    ]
    cast_up(chart, ship, Position("a"))
    assert chart.state.troops == Troops(boats={"e2": 600})


@pytest.mark.clause("G.LD1")
@pytest.mark.parametrize(
    ("landings", "prize", "freed", "soldiers"),
    [
        ("on", False, 260, 10), ("on", False, 251, 1), ("on", False, 250, 0), ("on", False, 40, 0), ("on", True, 260, 0),
        ("off", False, 260, 0),
    ],
)  # fmt: skip
def test_of_her_own_people_who_are_free_again_those_beyond_her_complement_are_soldiers(
    landings: str, prize: bool, freed: int, soldiers: int
) -> None:
    chart = carrying(0, complement=250, prize=prize)
    chart.facts = replace(chart.facts, settings=replace(chart.facts.settings, landings=landings))
    marines_again(chart, "e1", freed)
    assert chart.state.troops.aboard == ({"e1": soldiers} if soldiers else {})
    assert chart.state.ships["e1"].men == 300 - soldiers


@pytest.mark.clause("T.O5h")
def test_ships_of_a_side_that_came_out_of_a_battle_with_more_men_have_saved_others() -> None:
    rows = [b.ship(f"e{n}", "ENG", "e", men=100) for n in range(7)] + [b.ship("d1", "NLD", "d", men=100)]
    chart = s.chart(s.made([b.fleet("e", "ENG", "a"), b.fleet("d", "NLD", "c")], rows))
    before = dict(chart.state.ships)
    changes: dict[str, dict[str, Any]] = {
        "e0": {"men": 101}, "e1": {"men": 100}, "e2": {"men": 130}, "e3": {"men": 130}, "e4": {"men": 150, "side": "NLD"},
        "e5": {"men": 150, "prize": True}, "e6": {"men": 99}, "d1": {"men": 150},
    }  # fmt: skip
    now = {code: replace(before[code], **change) for code, change in changes.items()}
    assert list(gained(before, now, "ENG").items()) == [("e2", 30), ("e3", 30), ("e0", 1)]
    assert gained(before, now, "NLD") == {"d1": 50}
