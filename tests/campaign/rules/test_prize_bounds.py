"""Prizes at sea at the edges: who is sent in, under what name and with which escort, and what is left of a hold."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.fates import Fate
from campaign.rules.chart.types import FleetOrder, Instructions, ShipKind
from campaign.rules.prizes.prizes import dispose, prize_step, seize
from campaign.rules.state.state import PrizeHold
from campaign.rules.state.world import Chart
from campaign.rules.turn import turn
from tests.campaign.rules import builders as b


def at_six(*ships: Any, at: str = "b", to: str = "home", hour: int = 24, **instructions: str) -> Chart:
    """The English fleet e at six in the morning after its prizes were looked to."""
    order = FleetOrder("e", ("a",), instructions=Instructions(cripples_to=to, **instructions))
    fleets = [b.fleet("e", "ENG", at, order=order), b.fleet("d", "NLD", "theirs")]
    made = b.facts(fleets, [*ships, b.ship("d1", "NLD", "d")], weather=b.weather())
    state = turn.standing(made)
    state.hour = hour
    chart = Chart(made, state, ScriptedDice(()))
    b.step(prize_step, chart)
    return chart


def sound(code: str, **over: Any) -> Any:
    return b.ship(code, "ENG", "e", **over)


def hurt(code: str, lost: int = 10, **over: Any) -> Any:
    return sound(code, condition={"lost": lost}, **over)


def sent(chart: Chart) -> list[str]:
    """Ships that were sent in."""
    return sorted(ship.code for ship in chart.state.ships.values() if ship.fleet == "ENG-p1-1")


@pytest.mark.clause("G.MV5")
@pytest.mark.parametrize(("lost", "goes"), [(499, []), (500, ["e2"]), (501, ["e2"]), (1000, [])])
def test_a_ship_is_crippled_at_half_her_hull_and_one_that_cannot_sail_is_not_sent(
    lost: int, goes: list[str]
) -> None:
    card = {"hull": 1000, "value": 40}
    assert sent(at_six(sound("e1"), hurt("e2", lost, card=card))) == goes


@pytest.mark.clause("G.MV5", "G.PR3")
@pytest.mark.parametrize(
    ("at", "to", "goes"),
    [("b", "home", True), ("b", "theirs", False), ("b", "b", False), ("home", "a", False), ("a", "b", True)],
)
def test_no_ship_is_sent_to_an_enemys_port_or_to_the_fleets_own_place_or_out_of_a_port(
    at: str, to: str, goes: bool
) -> None:
    assert bool(sent(at_six(sound("e1"), hurt("e2"), at=at, to=to))) is goes


@pytest.mark.clause("G.MV5")
def test_a_fleet_made_up_only_of_crippled_ships_stays_together() -> None:
    chart = at_six(hurt("e1"), hurt("e2"))
    assert sent(chart) == [] and len(chart.ships_of("e")) == 2


@pytest.mark.clause("G.MV5", "G.MV4")
def test_one_ship_sent_in_keeps_her_name_as_a_squadron_and_several_form_a_group() -> None:
    one = at_six(sound("e1"), hurt("e2", squadron="rear"))
    fleet = one.state.fleets["ENG-p1-1"]
    assert (fleet.name, fleet.home, fleet.homes, fleet.rejoins) == ("Ship e2", "", (), "")
    assert one.state.ships["e2"].squadron == "ENG-p1-1"
    two = at_six(sound("e1"), hurt("e2", squadron="rear"), hurt("e3", squadron="rear"))
    assert two.state.fleets["ENG-p1-1"].name == "Prizes and cripples of Fleet e"
    assert {two.state.ships[code].squadron for code in ("e2", "e3")} == {"rear"}
    (event,) = [event for event in two.state.events if event.kind == "sent_in"]
    assert (event.data["place"], event.data["ships"]) == ("home", ["e2", "e3"])


@pytest.mark.clause("G.MV5")
def test_the_least_sound_frigate_that_is_not_a_prize_escorts_them_in_where_ordered() -> None:
    def card(value: int) -> dict[str, int]:
        return {"hull": 20, "value": value}

    frigate = ShipKind.FRIGATE
    ships = [
        hurt("e2"), sound("e1", card=card(5)), sound("f1", kind=frigate, card=card(30)),
        sound("f2", kind=frigate, card=card(20)), hurt("f3", kind=frigate, card=card(10)),
        hurt("f4", 20, kind=frigate, card=card(1), prize=True),
    ]  # fmt: skip
    assert sent(at_six(*ships, prize_escort="frigate")) == ["e2", "f2", "f3"]
    assert sent(at_six(*ships, prize_escort="none")) == ["e2", "f3"]
    assert sent(at_six(sound("e1"), hurt("e2"), prize_escort="frigate")) == ["e2"]


@pytest.mark.clause("G.PR1", "G.PR2")
def test_a_ship_no_longer_a_prize_or_gone_holds_no_one_after_six() -> None:
    order = FleetOrder("e", instructions=Instructions())
    rows = [sound("p", prize=True, men=100), sound("e1"), sound("e2", prize=True)]
    made = b.facts([b.fleet("e", "ENG", "b", order=order)], rows, weather=b.weather())
    state = turn.standing(made)
    state.hour = 24
    state.ships["e2"] = replace(state.ships["e2"], fleet="", fate=Fate.SUNK)
    state.prizes.update({code: PrizeHold(50, "NLD") for code in ("p", "e1", "e2", "x9")})
    prize_step(Chart(made, state, ScriptedDice(())))
    assert state.prizes == {"p": PrizeHold(50, "NLD")}


@pytest.mark.clause("G.MV5")
def test_only_prizes_are_burnt_or_released() -> None:
    chart = at_six(sound("e1"), sound("p", prize=True, men=10), prizes="burn", to="")
    chart.state.prizes["e1"] = PrizeHold(3, "NLD")
    dispose(chart, ["e1"], 9)
    assert chart.state.ships["e1"].fate is Fate.AFLOAT and chart.state.events == []


@pytest.mark.clause("G.PR2")
@pytest.mark.parametrize(("face", "side"), [(3, "ENG"), (4, "NLD")])
def test_a_rising_changes_her_side_only_if_it_succeeds(face: int, side: str) -> None:
    rows = [sound("p", prize=True, men=10), sound("e1")]
    made = b.facts([b.fleet("e", "ENG", "b"), b.fleet("d", "NLD", "theirs")], rows, weather=b.weather())
    state = turn.standing(made)
    state.hour = 24
    state.prizes["p"] = PrizeHold(51, "NLD")
    prize_step(Chart(made, state, ScriptedDice((face,))))
    assert state.ships["p"].side == side


def seized(nation: str, *mine: Any) -> Chart:
    """e takes a prize of forty hands and no captives that the Dutch had, without a fight."""
    prize = b.ship("p", "NLD", "d", prize=True, men=40, facts={"nation": nation})
    fleets = [b.fleet("e", "ENG", "b"), b.fleet("d", "NLD", "b")]
    made = b.facts(fleets, [sound("e1", men=60), *mine, prize], weather=b.weather())
    chart = Chart(made, turn.standing(made), ScriptedDice(()))
    seize(chart, chart.state.fleets["e"], [chart.state.fleets["d"]])
    return chart


@pytest.mark.clause("G.PR3")
def test_salvage_is_for_a_ship_back_with_her_old_side_and_a_prize_mans_no_other() -> None:
    again = seized("England", sound("q", prize=True, men=200))
    assert (again.state.ships["p"].men, again.state.ships["e1"].men, again.state.ships["q"].men) == (
        30,
        30,
        200,
    )
    assert [event.kind for event in again.state.events if event.kind != "fleet_ended"] == [
        "retaken",
        "salvage",
    ]
    other = seized("France", sound("q", prize=True, men=200))
    assert [event.kind for event in other.state.events if event.kind != "fleet_ended"] == ["captured"]
    assert (other.state.prizes["p"].prisoners, other.state.economy.captives) == (40, {})


@pytest.mark.clause("G.PR3", "G.PR5")
def test_prizes_taken_twice_keep_their_first_crew_as_captives() -> None:
    prize = b.ship("p", "NLD", "d", prize=True, men=40, facts={"nation": "France"})
    made = b.facts(
        [b.fleet("e", "ENG", "b"), b.fleet("d", "NLD", "b")],
        [b.ship("e1", "ENG", "e", men=60), prize],
        weather=b.weather(),
    )
    chart = Chart(made, turn.standing(made), ScriptedDice(()))
    chart.state.prizes["p"] = PrizeHold(25, "FRA")
    seize(chart, chart.state.fleets["e"], [chart.state.fleets["d"]])
    assert chart.state.prizes["p"] == PrizeHold(40, "NLD")
    assert chart.state.economy.captives == {"p": ("FRA", 25)}
    assert chart.state.ships["e1"].men == 30
