"""Back from the battle: ships, prizes, losses, officers, and what the fleets do next."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from battles.engine.core.fates import Fate
from battles.engine.core.scenario import Stance
from campaign.rules.battle.writeback import write_back
from campaign.rules.chart.types import BattleCall, Battles, Instructions, TurnFacts
from campaign.rules.state.state import TurnState
from campaign.rules.state.world import Chart
from campaign.rules.turn import turn
from campaign.rules.turn.turn import OutcomeError
from tests.campaign.rules import builders as b


def battle(
    *, english: Instructions | None = None, dutch: Instructions | None = None, hour: int = 0, ships: int = 2
) -> tuple[TurnFacts, TurnState, BattleCall]:
    """A turn at the stop of its first battle: two ships a side, within gunshot at daybreak."""
    rows = [
        b.fleet("e", "ENG", "a", stance=Stance.SEEK),
        b.fleet("d", "NLD", "a", to="b", run=900, stance=Stance.SEEK),
    ]
    orders = [english or Instructions(), dutch or Instructions()]
    rows = [replace(f, order=replace(f.order, instructions=i)) for f, i in zip(rows, orders, strict=True)]
    fighting = [b.ship(f"{c}{n}", s, c) for c, s in (("e", "ENG"), ("d", "NLD")) for n in range(1, ships + 1)]
    made = b.facts(rows, fighting, weather=b.weather(), days=2)
    state = turn.begin(made, {}, b.dice(made))
    state.hour = hour
    state, stop = turn.advance(made, state, {}, b.dice(made))
    assert isinstance(stop, Battles)
    return made, state, stop.calls[0]


def fought(
    made: TurnFacts, state: TurnState, call: BattleCall, change: Callable[[dict[str, Any]], None] | None = None,
    **fates: Any,
) -> TurnState:  # fmt: skip
    """The state at the next stop, after an outcome made by hand."""
    outcome = b.outcome_of(call, **fates)
    if change is not None:
        change(outcome)
    return turn.advance(made, state, {call.code: outcome}, b.dice(made))[0]


def told(state: TurnState, kind: str) -> list[Mapping[str, Any]]:
    return [event.data for event in state.events if event.kind == kind]


@pytest.mark.clause("G.BT3")
@pytest.mark.parametrize("fate", [fate for fate in Fate if fate not in (Fate.AFLOAT, Fate.CAPTURED)])
def test_a_ship_that_is_no_longer_afloat_leaves_her_fleet(fate: Fate) -> None:
    made, state, call = battle()
    after = fought(made, state, call, d1={"fate": fate.value, "cause": "magazine"})
    ship = after.ships["d1"]
    assert (ship.fate, ship.fleet, ship.men == 0) == (fate, "", fate.lost)
    (event,) = told(after, "lost")
    assert (event["ship"], event["fate"], event["cause"]) == ("d1", fate.value, "magazine")


@pytest.mark.clause("G.BT3")
def test_flags_and_condition_of_ships_afloat_are_kept() -> None:
    made, state, call = battle()
    after = fought(made, state, call, d1={"flags": ["withdrew", "disabled"], "condition": {"lost": 7}})
    assert after.ships["d1"].flags == ("disabled", "withdrew")
    assert after.ships["d1"].condition == {"lost": 7}


@pytest.mark.clause("G.BT3")
def test_men_are_the_number_before_times_the_share_that_the_rule_set_leaves() -> None:
    made, state, call = battle()
    after = fought(made, state, call, d1={"condition": {"lost": 7}})
    # The plain set leaves 300 x (1 - 7/40) = 247.5, that is 248 of 300.
    assert after.ships["d1"].men == 248
    state.ships["d1"] = replace(state.ships["d1"], men=100)
    assert fought(made, state, call, d1={"condition": {"lost": 7}}).ships["d1"].men == 83


@pytest.mark.clause("G.BT3")
def test_a_captured_ship_becomes_a_prize_in_her_captors_fleet() -> None:
    made, state, call = battle()
    taken = {"fate": "captured", "captor": "ENG", "captor_ship": "e2", "prize_crew": 40, "prisoners": 200}
    after = fought(made, state, call, d1=taken)
    ship = after.ships["d1"]
    assert (ship.side, ship.fleet, ship.squadron, ship.prize) == ("ENG", "e", "prizes", True)
    assert (ship.fate, ship.men, ship.captain) == (Fate.AFLOAT, 40, "")
    (event,) = told(after, "captured")
    assert (event["side"], event["captor"], event["captor_ship"]) == ("NLD", "ENG", "e2")


@pytest.mark.clause("G.BT3")
def test_a_prize_retaken_by_her_own_side_is_no_longer_a_prize() -> None:
    made, state, call = battle()
    taken = {"fate": "captured", "captor": "ENG", "captor_ship": "e2", "prize_crew": 40}
    first = fought(made, state, call, d1=taken)
    again = replace(made, ships={**made.ships, "d1": replace(made.ships["d1"], prize=True)})
    assert first.ships["d1"].prize
    first.phase, first.calls = "fighting", [call]
    back = {"fate": "captured", "captor": "NLD", "captor_ship": "d2", "prize_crew": 60}
    after = fought(again, first, call, d1=back)
    ship = after.ships["d1"]
    assert (ship.side, ship.fleet, ship.prize, ship.men) == ("NLD", "d", False, 60)
    assert told(after, "retaken")


@pytest.mark.clause("G.BT3")
def test_a_fleet_without_ships_is_ended() -> None:
    made, state, call = battle(ships=1)
    after = fought(made, state, call, d1={"fate": "sunk"})
    assert after.fleets["d"].ended
    assert told(after, "fleet_ended") == [{"fleet": "d", "near": "a"}]
    assert not after.contacts


@pytest.mark.clause("G.BT3")
def test_every_ship_that_enters_leaves() -> None:
    made, state, call = battle()

    def without(doc: dict[str, Any]) -> None: doc["ships"].pop()  # fmt: skip

    def twice(doc: dict[str, Any]) -> None: doc["ships"].append(doc["ships"][0])  # fmt: skip

    def stranger(doc: dict[str, Any]) -> None: doc["ships"][0]["ship"] = "x9"  # fmt: skip

    for change in (without, twice, stranger):
        with pytest.raises(OutcomeError, match="ships in are not ships out"):
            fought(made, state, call, change)
    assert set(fought(made, state, call).ships) == set(made.ships)


def test_a_battle_without_its_outcome_stops_the_chart() -> None:
    made, state, call = battle()
    with pytest.raises(OutcomeError, match="no outcome yet of b01"):
        turn.advance(made, state, {}, b.dice(made))


def test_a_dead_captain_leaves_his_ship() -> None:
    made, state, call = battle()

    def officers(doc: dict[str, Any]) -> None:
        doc["officers"] = [
            {"name": "Captain of d1", "ship": "d1", "fate": "killed", "clause": "K.G11"},
            {"name": "Captain of d2", "ship": "d2", "fate": "wounded", "clause": "K.G11"},
        ]

    after = fought(made, state, call, officers)
    assert (after.ships["d1"].captain, after.ships["d2"].captain) == ("", "Captain of d2")
    assert [row["fate"] for row in told(after, "officer")] == ["killed", "wounded"]


@pytest.mark.clause("G.CL2", "G.CO6")
@pytest.mark.parametrize(("minutes", "hours"), [(30, 1), (60, 1), (61, 2), (150, 3)])
def test_fleets_are_off_the_chart_for_the_hours_they_spent_fighting(minutes: int, hours: int) -> None:
    made, state, call = battle()
    part = fought(made, state, call, minutes=minutes)
    ended = next(e for e in part.events if e.kind == "battle_ended")
    assert ended.hour == call.hour + hours
    assert ended.knows == ("ENG", "NLD")


@pytest.mark.clause("G.CO6")
def test_if_both_renew_there_is_another_battle_after_an_hour() -> None:
    made, state, call = battle()
    after = fought(made, state, call, minutes=120)
    assert [call.hour for call in after.calls] == [call.hour + 3]
    assert told(after, "renewed")


@pytest.mark.clause("G.CO6")
def test_after_nightfall_a_renewed_battle_begins_at_six() -> None:
    made, state, call = battle(hour=11)
    after = fought(made, state, call, minutes=180)
    contact = after.contacts["e", "d"] if ("e", "d") in after.contacts else after.contacts["d", "e"]
    assert contact.night and not after.calls
    dawn, stop = turn.advance(made, after, {}, b.dice(made))
    assert isinstance(stop, Battles) and stop.calls[0].hour == 24
    assert dawn.calls[0].code == "b02"


@pytest.mark.clause("G.CO6")
def test_if_one_parts_it_is_chased_from_three_miles() -> None:
    made, state, call = battle(dutch=Instructions(after_battle="part"))
    chart = Chart(made, state.copy(), b.dice(made))
    write_back(chart, call, b.outcome_of(call, minutes=60))
    (contact,) = chart.state.contacts.values()
    assert (contact.seeker, contact.quarry, contact.parting) == ("e", "d", "d")
    assert (contact.range, contact.since, contact.not_before) == (3_000, call.hour + 1, call.hour + 1)


@pytest.mark.clause("G.CO6", "G.CO3")
def test_if_one_parts_at_night_it_throws_to_escape() -> None:
    made, state, call = battle(dutch=Instructions(after_battle="part"), hour=11)
    after = fought(made, state, call, minutes=120)
    (event,) = [e for e in after.events if e.kind == "night"]
    assert (event.hour, event.data["fleet"]) == (14, "d")
    assert after.contacts or [e for e in after.events if e.kind == "escaped"]


@pytest.mark.clause("G.CO6")
def test_if_both_part_there_is_no_battle_between_them_before_six() -> None:
    part = Instructions(after_battle="part")
    made, state, call = battle(english=part, dutch=part)
    after = fought(made, state, call, minutes=60)
    assert after.truces == {("d", "e"): 24}
    assert not after.calls and after.hour == 24


@pytest.mark.clause("G.CO6")
def test_a_fleet_damaged_up_to_its_limit_parts() -> None:
    made, state, call = battle()
    hurt = {"condition": {"lost": 10}}
    after = fought(made, state, call, minutes=60, d1=hurt, d2=hurt)
    assert not told(after, "renewed")
    light = {"condition": {"lost": 9}}
    assert told(fought(made, state, call, minutes=60, d1=light, d2=light), "renewed")


@pytest.mark.clause("G.CO6")
def test_a_side_that_can_no_longer_fight_is_left_alone() -> None:
    made, state, call = battle()
    wreck = {"condition": {"lost": 20}}
    after = fought(made, state, call, minutes=60, d1=wreck, d2=wreck)
    assert not told(after, "renewed") and not told(after, "parted")


@pytest.mark.clause("G.WX3")
def test_a_gale_that_ends_a_battle_blows_in_its_zone() -> None:
    made, state, call = battle()
    after = fought(made, state, call, ended="gale")
    (gale,) = [e for e in after.events if e.kind == "gale" and e.clause == "G.WX3"]
    (ended,) = [e.hour for e in after.events if e.kind == "battle_ended"]
    assert (gale.hour, gale.data["strength"]) == (ended, "gale")
    assert ended > call.hour + 1
    assert not [e for e in fought(made, state, call).events if e.clause == "G.WX3"]
