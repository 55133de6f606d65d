"""Back from the battle at the edges: hours, captures without a captor at hand, prize crews, and who meets whom again."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest

from battles.engine.core.dice import ScriptedDice
from campaign.rules.battle.writeback import men_left, write_back
from campaign.rules.chart.types import BattleCall, Instructions, Position, SideFacts, TurnFacts
from campaign.rules.state.state import RETAKEN, PrizeHold
from campaign.rules.state.world import Chart
from tests.campaign.rules import builders as b
from tests.campaign.rules.test_writeback import battle
from tests.support.answers import result_of

PART = Instructions(after_battle="part")


def chart_of(fleets: tuple[TurnFacts, Any, BattleCall], **ships: dict[str, Any]) -> tuple[Chart, BattleCall]:
    """The chart while a battle is fought, ships changed beforehand; cards by `card`."""
    made, state, call = fleets
    sheets, state = dict(made.ships), state.copy()
    for code, changes in ships.items():
        sheet = {key: value for key, value in changes.items() if key in ("card", "facts")}
        sheets[code] = replace(sheets[code], **sheet)
        rest = {key: value for key, value in changes.items() if key not in sheet}
        state.ships[code] = replace(state.ships[code], **rest)
    state.events.clear()
    chart = Chart(replace(made, ships=sheets), state, ScriptedDice(()))
    return chart, call


def written(
    fleets: tuple[TurnFacts, Any, BattleCall],
    before: dict[str, dict[str, Any]] | None = None,
    *,
    minutes: int = 60,
    not_before: int = 0,
    **fates: dict[str, Any],
) -> Chart:
    chart, call = chart_of(fleets, **(before or {}))
    write_back(chart, call, b.outcome_of(call, minutes=minutes, **fates), not_before=not_before)
    return chart


def kinds(chart: Chart) -> list[str]:
    return [event.kind for event in chart.state.events]


def taken(captor: str = "ENG", by: str = "e1", crew: int = 0, prisoners: int = 0) -> dict[str, Any]:
    return {
        "fate": "captured",
        "captor": captor,
        "captor_ship": by,
        "prize_crew": crew,
        "prisoners": prisoners,
    }


@pytest.mark.clause("G.CL2", "G.CO6", "G.BT4")
@pytest.mark.parametrize(
    ("minutes", "not_before", "hours"), [(0, 0, 1), (60, 0, 1), (61, 0, 2), (60, 9, 8), (60, 1, 1)]
)
def test_a_battle_takes_at_least_one_whole_hour_and_a_held_one_ends_no_earlier_than_now(
    minutes: int, not_before: int, hours: int
) -> None:
    fleets = battle()
    chart = written(fleets, minutes=minutes, not_before=not_before)
    assert fleets[2].hour == 1
    assert {fleet.off_until for fleet in chart.state.fleets.values()} == {1 + hours}
    (ended,) = [event for event in chart.state.events if event.kind == "battle_ended"]
    assert (ended.hour, ended.data["minutes"]) == (1 + hours, minutes)


@pytest.mark.clause("G.BT3")
def test_a_ship_held_by_her_own_side_at_the_end_was_not_taken() -> None:
    chart = written(battle(), d1=taken("NLD", "d2"))
    ship = chart.state.ships["d1"]
    assert (ship.side, ship.fleet, ship.prize, ship.men) == ("NLD", "d", False, 300)
    assert "captured" not in kinds(chart) and chart.state.economy.prizes == {}


@pytest.mark.clause("G.BT3")
def test_men_are_calculated_from_her_number_before_the_battle() -> None:
    before = {"d1": {"condition": {"lost": 10}, "men": 225}}
    assert written(battle(), before, d1={"condition": {"lost": 10}}).state.ships["d1"].men == 225
    assert written(battle(), before, d1={"condition": {"lost": 20}}).state.ships["d1"].men == 150


@pytest.mark.clause("G.BT3", "G.PR1")
def test_a_capture_without_a_named_captor_joins_the_first_fleet_of_its_side_there() -> None:
    made, state, call = battle()
    state = state.copy()
    state.fleets["a0"] = replace(state.fleets["e"], code="a0", ended=True)
    state.fleets["c0"] = replace(state.fleets["d"], code="c0")
    state.fleets["f0"] = replace(state.fleets["e"], code="f0")
    chart = written((made, state, call), d1=taken("ENG", ""))
    ship = chart.state.ships["d1"]
    assert (ship.side, ship.fleet, ship.squadron, ship.order, ship.prize) == ("ENG", "e", "prizes", 0, True)
    assert chart.state.economy.captives == {}


@pytest.mark.clause("G.BT3", "G.CO7")
def test_a_capture_by_an_ally_is_the_allys_prize() -> None:
    made, state, call = battle()
    sides = {**made.sides, "FRA": SideFacts("FRA", "France", ("France",))}
    state = state.copy()
    state.fleets["g"] = replace(state.fleets["e"], code="g", side="FRA")
    state.ships["e2"] = replace(state.ships["e2"], side="FRA", fleet="g")
    chart = written((replace(made, sides=sides), state, call), d1=taken("ENG", "e2", crew=5))
    ship = chart.state.ships["d1"]
    assert (ship.side, ship.fleet, ship.men, ship.prize) == ("FRA", "g", 5, True)


@pytest.mark.clause("G.PR1", "G.PR3")
@pytest.mark.parametrize(
    ("nation", "prize", "again"),
    [("England", True, True), ("England", False, False), ("France", True, False), ("France", False, False)],
)
def test_only_a_prize_of_the_same_nation_is_retaken(nation: str, prize: bool, again: bool) -> None:
    before = {
        "d1": {"prize": prize, "men": 40, "facts": {"nation": nation}},
        "e1": {"squadron": "e-1", "order": 7},
    }
    chart = written(battle(), before, d1={**taken(crew=20, prisoners=15), "men": 30})
    ship, state = chart.state.ships["d1"], chart.state
    assert (ship.prize, ship.squadron, ship.order) == ((False, "e-1", 7) if again else (True, "prizes", 0))
    assert (ship.men, state.ships["e1"].men) == (20, 280)
    assert state.marked("d1", RETAKEN) is again
    assert ("salvage" in kinds(chart), "retaken" in kinds(chart), "captured" in kinds(chart)) == (
        again, again, not again,
    )  # fmt: skip
    assert list(state.economy.prizes) == ([] if again else ["d1"])
    held = {} if again else {"d1": PrizeHold(30 if prize else 15, "NLD")}
    assert state.prizes == held
    assert state.economy.captives == ({"d1": ("NLD", 30)} if again else {})


@pytest.mark.clause("G.PR3")
@pytest.mark.parametrize("captor", ["", "e2"])
def test_a_ship_retaken_by_a_prize_or_by_no_known_ship_sails_in_the_fleet_and_not_among_its_prizes(
    captor: str,
) -> None:
    before = {
        "d1": {"prize": True, "facts": {"nation": "England"}},
        "e2": {"prize": True, "squadron": "prizes", "order": 3},
    }
    ship = written(battle(), before, d1=taken("ENG", captor)).state.ships["d1"]
    assert (ship.fleet, ship.squadron, ship.prize) == ("e", "e", False)


@pytest.mark.clause("G.PR1", "G.PR3", "G.CR1")
def test_the_captors_men_held_in_a_ship_are_freed_and_those_of_others_stay_captives() -> None:
    made, state, call = battle()
    state = state.copy()
    state.economy.captives["d1"] = ("ENG", 12)
    chart = written((made, state, call), d1=taken(crew=20))
    assert (chart.state.ships["d1"].men, chart.state.economy.captives) == (32, {})
    state = battle()[1].copy()
    state.economy.captives["d1"] = ("FRA", 12)
    chart = written((made, state, call), d1=taken(crew=20))
    assert (chart.state.ships["d1"].men, chart.state.economy.captives) == (20, {"d1": ("FRA", 12)})


@pytest.mark.clause("G.PR1")
def test_a_prize_whose_captor_is_lost_or_taken_is_manned_by_another_ship_or_not_at_all() -> None:
    chart = written(battle(), d1=taken(by="e2", crew=50), e2=taken("NLD", "d2", crew=10))
    men = {code: ship.men for code, ship in chart.state.ships.items()}
    assert men == {"e1": 250, "d1": 50, "e2": 10, "d2": 290}
    alone = written(battle(ships=1), d1=taken(by="e1", crew=50), e1={"fate": "sunk"})
    assert (alone.state.ships["d1"].men, alone.state.ships["d1"].fleet) == (0, "e")


@pytest.mark.clause("G.CO6")
@pytest.mark.parametrize(
    ("english", "dutch", "seeker", "quarry", "parting"),
    [
        (PART, Instructions(), "d", "e", "e"),
        (Instructions(), PART, "e", "d", "d"),
        (Instructions(), Instructions(), "e", "d", ""),
    ],
)
def test_a_fleet_that_breaks_off_is_chased_from_three_miles_to_leeward_or_else_fought_an_hour_later(
    english: Instructions, dutch: Instructions, seeker: str, quarry: str, parting: str
) -> None:
    fleets = battle(english=english, dutch=dutch)
    chart = written(fleets)
    end = fleets[2].hour + 1
    (contact,) = chart.state.contacts.values()
    assert (contact.seeker, contact.quarry, contact.parting) == (seeker, quarry, parting)
    assert (contact.range, contact.bearing) == (3_000 if parting else 1_000, 90)
    assert (contact.since, contact.not_before) == (end, end if parting else end + 1)
    assert contact.after_battle
    assert ("renewed" in kinds(chart)) is (not parting) and "parted" not in kinds(chart)
    night = written(fleets, not_before=16)
    assert {contact.not_before for contact in night.state.contacts.values()} == {16}


@pytest.mark.clause("G.CO6")
@pytest.mark.parametrize(("end", "until"), [(22, 24), (23, 24), (24, 48), (25, 48)])
def test_if_both_part_they_are_at_peace_until_the_next_dawn(end: int, until: int) -> None:
    chart = written(battle(english=PART, dutch=PART), not_before=end)
    assert chart.state.truces == {("d", "e"): until}
    (event,) = [event for event in chart.state.events if event.kind == "parted"]
    assert (event.hour, event.knows, event.data["fleets"]) == (end, ("ENG", "NLD"), ["e", "d"])
    assert chart.state.contacts == {}


@pytest.mark.clause("G.CO6", "G.PT1")
def test_a_fleet_in_a_port_is_not_followed_and_no_one_hears_of_a_parting() -> None:
    made, state, call = battle()
    state = state.copy()
    state.fleets["d"] = replace(state.fleets["d"], position=Position("theirs"))
    chart = written((made, state, call))
    assert list(chart.state.truces) == [("d", "e")]
    assert not {"parted", "renewed"} & set(kinds(chart)) and chart.state.contacts == {}


@pytest.mark.clause("G.CO6", "G.MV5")
@pytest.mark.parametrize(
    ("lost", "bears", "parts"),
    [
        ((497, 497), 50, False),
        ((500, 500), 50, True),
        ((0, 1000), 50, True),
        ((990, 990), 99, True),
        ((989, 990), 99, False),
        ((999, 999), 100, False),
        ((0, 0), 0, True),
    ],
)
def test_a_fleet_breaks_off_at_the_loss_of_hull_in_its_instructions(
    lost: tuple[int, int], bears: int, parts: bool
) -> None:
    told = Instructions(doctrine=replace(Instructions().doctrine, break_off=bears))
    card = {"card": {"hull": 1000, "value": 40}}
    fates = {f"d{n}": {"condition": {"lost": points}} for n, points in enumerate(lost, 1)}
    chart = written(battle(dutch=told), {"d1": card, "d2": card}, **fates)
    assert {contact.parting for contact in chart.state.contacts.values()} == {"d" if parts else ""}


@pytest.mark.clause("G.CO6", "G.MV5")
@pytest.mark.parametrize(("hurt", "parts"), [(9, False), (10, True)])
@pytest.mark.parametrize("gone", ["sunk", "taken"])
def test_a_lost_ship_counts_as_a_whole_hull_and_prizes_do_not_count(
    gone: str, hurt: int, parts: bool
) -> None:
    fate = {"sunk": {"fate": "sunk"}, "taken": taken()}[gone]
    chart = written(
        battle(ships=4),
        {"d4": {"prize": True, "condition": {"lost": 20}}},
        d1=fate, d2={"condition": {"lost": hurt}}, d4={"condition": {"lost": 20}},
    )  # fmt: skip
    assert {contact.parting for contact in chart.state.contacts.values()} == {"d" if parts else ""}


@pytest.mark.clause("G.MV5")
def test_the_loss_of_a_fleet_is_the_mean_of_its_ships_that_are_not_prizes() -> None:
    chart, _ = chart_of(
        battle(ships=3), e1={"condition": {"lost": 5}}, e2={"condition": {"lost": 20}, "prize": True}
    )
    assert chart.hull_lost("e") == Fraction(1, 8)
    assert chart.hull_lost("nobody") == 0


@pytest.mark.clause("G.WX3")
def test_a_gale_that_ends_a_battle_comes_to_its_place_when_the_fleets_are_back() -> None:
    chart, call = chart_of(battle())
    write_back(chart, call, b.outcome_of(call, minutes=60, ended="gale"))
    assert chart.state.storms == ((call.hour + 1, "sea"),)
    assert written(battle()).state.storms == ()


@pytest.mark.clause("G.PR1")
@pytest.mark.parametrize(
    ("before", "fate", "men"),
    [
        ({}, {}, {"e1": 250, "e2": 300}),
        ({}, {"fate": "interned"}, {"e1": 300, "e2": 250}),
        ({}, {"fate": "scuttled"}, {"e1": 0, "e2": 250}),
        ({"prize": True}, {}, {"e1": 300, "e2": 250}),
    ],
    ids=["afloat", "interned", "scuttled", "prize"],
)
def test_a_ship_that_is_a_prize_or_sunk_sends_no_prize_crew(
    before: dict[str, Any], fate: dict[str, Any], men: dict[str, int]
) -> None:
    chart = written(battle(), {"e1": before}, d1=taken(by="e1", crew=50), e1=fate)
    assert {code: chart.state.ships[code].men for code in men} == men
    assert chart.state.ships["d1"].men == 50


@pytest.mark.clause("G.PR1", "G.PR3")
def test_a_ship_that_is_retaken_is_not_manned_from_her_own_freed_people() -> None:
    made, state, call = battle()
    state = state.copy()
    state.economy.captives["d1"] = ("ENG", 400)
    before = {"d1": {"prize": True, "men": 40, "facts": {"nation": "England"}}}
    chart = written((made, state, call), before, d1=taken(by="", crew=50), e1={"fate": "sunk"})
    ships = chart.state.ships
    assert (ships["d1"].side, ships["d1"].prize, ships["e2"].men, ships["d1"].men) == ("ENG", False, 250, 450)


@pytest.mark.clause("G.CR1", "G.BT2")
@pytest.mark.parametrize(
    ("told", "men", "then", "now", "left"),
    [
        (7, 300, 100, 50, 7), (0, 300, 100, 50, 0), (None, 300, 100, 50, 150), (None, 300, 100, 100, 300), (None, 300, 0, 0, 0),
        (None, 3, 2, 1, 2), (None, 5, 4, 1, 1), (None, 7, 4, 1, 2), (None, 300, 1, 0, 0),
    ],
)  # fmt: skip
@pytest.mark.parametrize("condition", [{}, {"lost": 3}])
def test_men_left_are_those_of_the_set_or_in_the_proportion_of_before_and_after(
    told: int | None, men: int, then: int, now: int, left: int, condition: dict[str, Any]
) -> None:
    asked = []

    def by_condition(_: Any, state: Any, complement: int) -> int:
        asked.append((state, complement))
        return now if state == "now" else then

    sea = SimpleNamespace(men=by_condition, sound=lambda card: {"sound": card["hull"]})
    sheet, ship = (
        SimpleNamespace(card={"hull": 9}, complement=11),
        SimpleNamespace(men=men, condition=condition),
    )
    chart: Any = SimpleNamespace(at_sea=sea)
    entry: Any = SimpleNamespace(men=told, condition="now")
    assert result_of(men_left, chart, sheet, ship, entry) == left
    assert asked == ([] if told is not None else [(condition or {"sound": 9}, 11), ("now", 11)])
