"""Prizes at sea: their crews rise, an enemy meets them, their captor sends them in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, replace

import pytest

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.scenario import Stance
from campaign.rules.battle.scenario import battle_step
from campaign.rules.chart.types import FleetOrder, Instructions, Position, TurnFacts
from campaign.rules.contact.contact import contact_step
from campaign.rules.prizes.prizes import prize_step
from campaign.rules.state.state import RETAKEN, Contact, PrizeHold, Touch, TurnState
from campaign.rules.state.world import Chart
from campaign.rules.turn import turn
from tests.campaign.rules import builders as b

DUTCH = {"nation": "Dutch Republic", "guns": 60}


def with_prize(*, guard: int = 30, at: str = "b", **instructions: str) -> TurnFacts:
    """An English fleet of two with a Dutch prize."""
    ships = [b.ship(f"e{n}", "ENG", "e", squadron="e-1") for n in (1, 2)]
    ships.append(b.ship("p", "ENG", "e", prize=True, men=guard, facts=DUTCH))
    order = FleetOrder("e", ("a",), instructions=Instructions(**instructions))
    return b.facts([b.fleet("e", "ENG", at, order=order)], ships)


def at_six(made: TurnFacts, prisoners: int, faces: Iterable[int] = (), *, hour: int = 24) -> Chart:
    state = turn.standing(made)
    state.weather = turn.begin(made, {}, b.dice(made)).weather
    state.hour = hour
    state.prizes["p"] = PrizeHold(prisoners, "NLD")
    with ScriptedDice(faces) as dice:
        chart = Chart(made, state, dice)
        b.step(prize_step, chart)
    return chart


@pytest.mark.clause("G.PR2", "T.C14")
@pytest.mark.parametrize(("prisoners", "thrown"), [(150, False), (151, True)])
def test_prisoners_rise_when_the_guard_is_under_a_fifth_of_them(prisoners: int, thrown: bool) -> None:
    chart = at_six(with_prize(), prisoners, (3,) if thrown else ())
    assert chart.state.prizes["p"].tried is thrown
    assert chart.state.ships["p"].side == "ENG"


@pytest.mark.clause("G.PR2")
def test_on_a_four_she_returns_to_her_old_side_where_she_is() -> None:
    chart = at_six(with_prize(), 200, (4,))
    ship, fleet = chart.state.ships["p"], chart.state.fleets["NLD-p1-1"]
    assert (ship.side, ship.fleet, ship.prize, ship.men) == ("NLD", "NLD-p1-1", False, 200)
    assert (fleet.position, fleet.order.route, fleet.order.stance) == (
        Position("b"),
        ("c", "theirs"),
        Stance.AVOID,
    )
    assert chart.state.prizes == {}
    assert chart.state.marked("p", RETAKEN)
    told = chart.state.events[-1]
    assert (told.kind, told.knows, told.data["won"]) == ("rose", ("ENG", "NLD"), True)


@pytest.mark.clause("G.PR2", "G.IN1")
def test_they_try_once_and_only_at_sea_and_their_own_side_hears_of_no_failure() -> None:
    chart = at_six(with_prize(), 200, (3,))
    assert chart.state.events[-1].knows == ("ENG",)
    chart.state.hour = 48
    b.step(prize_step, chart)
    assert not at_six(with_prize(at="home"), 200).state.prizes["p"].tried
    assert not any(at_six(with_prize(), 200, hour=hour).state.prizes["p"].tried for hour in range(25, 48))


@pytest.mark.clause("G.PR1", "G.PR2")
def test_a_capture_brings_its_prisoners_onto_the_chart_and_they_are_saved_with_the_turn() -> None:
    bold = FleetOrder("e", stance=Stance.SEEK, instructions=Instructions(greatest_odds="9"))
    rows = [b.fleet("e", "ENG", "a", order=bold), b.fleet("d", "NLD", "a", to="b", run=900)]
    ships = [b.ship("e1", "ENG", "e"), b.ship("d1", "NLD", "d"), b.ship("d2", "NLD", "d")]
    made = b.facts(rows, ships, weather=b.weather())
    taken = {
        "fate": "captured", "captor": "ENG", "captor_ship": "e1", "prize_crew": 20, "prisoners": 90,
    }  # fmt: skip
    state, _ = b.play(
        made, fought=lambda call: b.outcome_of(call, **({"d1": taken} if call.hour < 5 else {}))
    )
    assert state.prizes == {"d1": PrizeHold(90, "NLD")}
    assert TurnState.from_dict(state.to_dict()).prizes == state.prizes
    later = b.next_facts(made, state)
    assert turn.begin(later, {}, b.dice(later)).prizes == state.prizes


def met(nation: str, *, escort: bool = False) -> Chart:
    """A Dutch seeker meets an English fleet of prizes at gunshot."""
    dutch = FleetOrder("d", stance=Stance.SEEK, instructions=Instructions(greatest_odds="99"))
    fleets = [b.fleet("e", "ENG", "b"), b.fleet("d", "NLD", "b", order=dutch)]
    ships = [b.ship("p", "ENG", "e", prize=True, men=30, facts={"nation": nation, "guns": 60})]
    ships += [b.ship("d1", "NLD", "d"), b.ship("d2", "NLD", "d", men=200)]
    if escort:
        ships.append(b.ship("e1", "ENG", "e"))
    made = b.facts(fleets, ships, weather=b.weather())
    state = turn.standing(made)
    state.hour = 4
    state.prizes["p"] = PrizeHold(100, "NLD")
    state.touches["d", "e"] = Touch("d", "e", True, 1, 500, 0, "1", ("line",))
    chart = Chart(made, state, ScriptedDice(()))
    b.step(contact_step, chart)
    b.step(battle_step, chart)
    return chart


@pytest.mark.clause("G.PR3")
def test_a_prize_met_by_her_old_side_is_retaken_without_a_battle() -> None:
    chart = met("Dutch Republic")
    ship = chart.state.ships["p"]
    assert not chart.state.calls
    assert (ship.side, ship.fleet, ship.squadron, ship.prize, ship.men) == ("NLD", "d", "d-1", False, 130)
    assert chart.state.ships["d1"].men == 270
    assert chart.state.economy.captives["p"] == ("ENG", 30)
    assert chart.state.marked("p", RETAKEN)
    assert chart.state.fleets["e"].ended
    told = next(event for event in chart.state.events if event.kind == "retaken")
    assert (told.clause, told.knows) == ("G.PR3", ("ENG", "NLD"))


@pytest.mark.clause("G.PR3")
def test_one_of_another_nation_becomes_a_prize_again_with_the_old_crew_as_prisoners() -> None:
    chart = met("England")
    ship = chart.state.ships["p"]
    assert (ship.side, ship.prize) == ("NLD", True)
    assert chart.state.prizes["p"] == PrizeHold(30, "ENG")


@pytest.mark.clause("G.PR1", "G.PR3")
def test_a_prize_with_an_escort_is_fought_for() -> None:
    chart = met("Dutch Republic", escort=True)
    assert len(chart.state.calls) == 1
    assert chart.state.ships["p"].side == "ENG"


@pytest.mark.clause("G.PR3", "G.MV5")
def test_prizes_and_crippled_ships_are_sent_to_the_port_named_in_the_instructions() -> None:
    made = with_prize(cripples_to="home")
    ships = {**made.ships, "e2": replace(made.ships["e2"], condition={"lost": 10})}
    chart = at_six(replace(made, ships=ships), 0)
    sent = chart.state.fleets["ENG-p1-1"]
    assert {ship.code for ship in chart.ships_of(sent.code)} == {"p", "e2"}
    assert (sent.order.route, sent.order.stance, sent.rejoins) == (("a", "home"), Stance.AVOID, "")
    assert [ship.code for ship in chart.ships_of("e")] == ["e1"]
    assert chart.state.events[-1].kind == "sent_in"
    assert list(at_six(with_prize(), 0).state.fleets) == ["e"]


def after_a_battle(hour: int, **contact: object) -> TurnFacts:
    """The fleet with the prize comes back from a battle at an hour; a contact goes on after it, when there is one."""
    made = with_prize(cripples_to="home")
    rows = {**made.fleets, "d": b.fleet("d", "NLD", "b", stance=Stance.SEEK)}
    ships = {**made.ships, "d1": b.ship("d1", "NLD", "d")}
    meeting = asdict(
        Contact(**{"seeker": "d", "quarry": "e", "range": 1_000, "bearing": 0, "since": hour, **contact})
    )  # type: ignore[arg-type]
    carried = {
        "fleets": {"e": {"off_until": hour}},
        "contacts": [{**meeting, "after_battle": True}] if contact else [],
    }
    return replace(made, fleets=rows, ships=ships, carried=carried)


@pytest.mark.clause("G.MV4", "G.MV5", "G.PR3")
@pytest.mark.parametrize(
    ("contact", "hours"),
    [
        ({}, [9, 24]),  # nobody is near: in the hour of her return, else at the next 06:00
        ({"parting": ""}, [9]),  # both renew: the cripples go home before that
        ({"parting": "e"}, []),  # chased
        ({"seeker": "e", "quarry": "d", "parting": "d"}, [9]),  # chasing
    ],
)
def test_at_the_end_of_a_battle_prizes_are_sent_in_at_once_unless_the_fleet_is_chased(
    contact: dict[str, object], hours: list[int]
) -> None:
    made = after_a_battle(9, **contact)
    assert [hour for hour in range(8, 26) if "ENG-p1-1" in at_six(made, 0, hour=hour).state.fleets] == hours


@pytest.mark.clause("G.MV4")
def test_a_chase_that_no_one_means_to_give_does_not_keep_prizes_with_the_fleet() -> None:
    made = after_a_battle(9, parting="e")
    hunter = replace(made.fleets["d"].order, stance=Stance.AVOID)
    made = replace(made, fleets={**made.fleets, "d": replace(made.fleets["d"], order=hunter)})
    assert "ENG-p1-1" in at_six(made, 0, hour=9).state.fleets
