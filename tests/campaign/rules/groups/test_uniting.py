"""How the ships of one fleet come into another: their squadrons, who followed them, and what a group remembers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from battles.engine.core.dice import ScriptedDice
from campaign.rules.chart.types import FleetOrder
from campaign.rules.groups.uniting import join, squadron_now
from campaign.rules.state.world import Chart
from campaign.rules.turn.turn import standing
from tests.campaign.rules import builders as b

pytestmark = pytest.mark.clause("G.MV4")


def chart_of(*, target: str = "", **ship: bool) -> Chart:
    """Fleets e, f and g of one ship each at a, and x that follows g."""
    fleets = [b.fleet(code, "ENG", "a") for code in ("e", "f", "g")]
    fleets.append(b.fleet("x", "ENG", "a", order=FleetOrder("x", target=target)))
    ships = [b.ship(f"{code}1", "ENG", code, squadron=f"{code}-1", men=30) for code in ("e", "f", "x")]
    ships.append(b.ship("g1", "ENG", "g", squadron="g-1", men=30, **ship))
    made = b.facts(fleets, ships)
    return Chart(made, standing(made), ScriptedDice(()))


def joined(chart: Chart, one: str = "g", other: str = "e") -> str:
    """The squadron of g1 after a fleet has joined another."""
    join(chart, chart.state.fleets[one], chart.state.fleets[other])
    assert chart.state.fleets[one].ended and not chart.state.fleets[other].ended
    assert chart.state.ships[f"{one}1"].fleet == other
    return chart.state.ships[f"{one}1"].squadron


@pytest.mark.clause("G.GF3", "G.KT1")
@pytest.mark.parametrize(
    ("rejoins", "home", "homes", "prize", "squadron"),
    [
        ("e", "", (("g1", "e-1"),), False, "e-1"), ("e", "e-1", (), False, "e-1"), ("f", "", (("g1", "e-1"),), False, "g-1"),
        ("e", "", (("g1", "e-1"),), True, "g-1"), ("e", "", (), False, "g-1"), ("", "", (), False, "g-1"),
    ],
)  # fmt: skip
def test_a_ship_that_comes_back_takes_its_old_place(
    rejoins: str, home: str, homes: tuple[tuple[str, str], ...], prize: bool, squadron: str
) -> None:
    chart = chart_of(prize=prize)
    chart.alter(chart.state.fleets["g"], rejoins=rejoins, home=home, homes=homes)
    assert joined(chart) == squadron


@pytest.mark.clause("G.KT3")
def test_a_ship_that_comes_back_to_a_squadron_that_was_broken_up_takes_a_place_in_the_new_one() -> None:
    chart = chart_of()
    chart.alter(chart.state.fleets["g"], rejoins="e", homes=(("g1", "old"),))
    chart.state.mustered |= {"old": "older", "older": "e-1"}
    assert squadron_now(chart, "old", "e") == "e-1" and squadron_now(chart, "f-1", "f") == "f-1"
    assert joined(chart) == "e-1"
    chart.state.mustered |= {"one": "two", "two": "one"}
    assert squadron_now(chart, "one", "e") in ("one", "two")


@pytest.mark.parametrize(("rejoins", "now"), [("g", "e"), ("f", "f"), ("", "")])
def test_a_ship_that_was_to_rejoin_a_fleet_follows_it_into_the_one_that_it_has_joined(
    rejoins: str, now: str
) -> None:
    chart = chart_of()
    chart.alter(chart.state.fleets["x"], rejoins=rejoins)
    joined(chart)
    assert chart.state.fleets["x"].rejoins == now


@pytest.mark.parametrize(("target", "now"), [("g", "e"), ("f", "f"), ("", "")])
def test_a_fleet_that_escorted_one_that_has_joined_another_escorts_the_other(target: str, now: str) -> None:
    chart = chart_of(target=target)
    joined(chart)
    assert chart.state.fleets["x"].order.target == now
    own = chart_of()
    own.alter(own.state.fleets["e"], order=FleetOrder("e", target="g"))
    joined(own)
    assert own.state.fleets["e"].order.target == "g"  # no fleet escorts itself


@pytest.mark.clause("G.KT1")
@pytest.mark.parametrize(
    ("group", "other", "homes"),
    [
        ("stragglers", "f", {"e1": "f-1", "g1": "f-1"}),
        ("stragglers", "x", {"e1": "f-1"}),
        ("", "f", {"e1": "f-1"}),
    ],
)
def test_a_group_remembers_the_homes_of_those_whom_it_takes_in(
    group: str, other: str, homes: dict[str, str]
) -> None:
    chart = chart_of()
    chart.alter(chart.state.fleets["g"], group=group, rejoins="f", homes=(("g1", "f-1"),))
    chart.alter(chart.state.fleets["e"], group="stragglers", rejoins=other, homes=(("e1", "f-1"),))
    joined(chart)
    assert dict(chart.state.fleets["e"].homes) == homes


def test_the_side_reads_which_ships_have_rejoined() -> None:
    chart = chart_of()
    ships = chart.state.ships
    ships["f1"] = replace(ships["f1"], fleet="g")
    chart.ships_changed()
    join(chart, chart.state.fleets["g"], chart.state.fleets["e"])
    (told,) = chart.state.events
    assert (told.kind, told.knows) == ("rejoined", ("ENG",))
    assert (told.data["fleet"], told.data["parted"], told.data["ships"]) == ("e", "g", ["f1", "g1"])
    assert [ship.code for ship in chart.ships_of("e")] == ["e1", "f1", "g1"]
