"""Ships that a battle leaves aground: where they lie, what floats them off, and what a gale does to them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from battles.engine.core.fates import Fate
from campaign.rules.battle.scenario import battle_step
from campaign.rules.battle.writeback import write_back
from campaign.rules.chart.types import BattleCall, Position, TurnFacts
from campaign.rules.losses.tides import shoal_step
from campaign.rules.state.state import AGROUND, TurnState
from campaign.rules.state.world import Chart
from campaign.rules.turn import turn
from tests.campaign.rules import builders as b
from tests.campaign.rules.shores import chart, told
from tests.campaign.rules.test_scenario_bounds import chart as meeting
from tests.campaign.rules.test_scenario_bounds import contact
from tests.campaign.rules.test_writeback import battle

FAST = {"flags": ["aground"], "condition": {"lost": 12}}
MIDNIGHT = 18


@pytest.fixture(autouse=True)
def stays(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The plain rule set hands ships over aground."""
    monkeypatch.setattr(type(b.PLAIN.at_sea), "stays_aground", True)
    yield


def after(**fates: Any) -> tuple[TurnFacts, TurnState, BattleCall]:
    """The state directly after a battle, in which no tide has come yet."""
    made, state, call = battle()
    state = state.copy()
    write_back(Chart(made, state, b.dice(made)), call, b.outcome_of(call, **fates))
    return made, state, call


@pytest.mark.clause("G.SV1", "P.K08")
def test_a_ship_still_fast_stays_where_the_battle_was_apart_from_its_fleet() -> None:
    _, state, _ = after(d1=FAST)
    stranded = state.fleets[state.ships["d1"].fleet]
    assert stranded.code != "d" and state.ships["d2"].fleet == "d"
    assert (stranded.position, stranded.rejoins) == (Position("a"), "d")
    assert state.marked("d1", AGROUND) and not state.marked("d2", AGROUND)
    (row,) = told(state, "aground")
    assert (row["fleet"], row["parent"], row["ships"]) == (stranded.code, "d", ["d1"])


@pytest.mark.clause("G.SV1")
def test_a_fleet_all_of_which_is_fast_keeps_its_name() -> None:
    _, state, _ = after(d1=FAST, d2=FAST)
    assert {state.ships[code].fleet for code in ("d1", "d2")} == {"d"}
    assert state.marked("d1", AGROUND) and state.marked("d2", AGROUND)


@pytest.mark.clause("G.SV1")
def test_other_rule_sets_and_ships_that_are_lost_leave_none_aground(monkeypatch: pytest.MonkeyPatch) -> None:
    _, state, _ = after(d1={**FAST, "fate": "wrecked"})
    assert not state.marks
    monkeypatch.setattr(type(b.PLAIN.at_sea), "stays_aground", False)
    _, state, _ = after(d1=FAST)
    assert not state.marks and state.ships["d1"].fleet == "d"


def at_midnight(face: int, strength: str) -> Chart:
    played = chart(
        b.facts([b.fleet("d", "NLD", "n")], weather=b.weather(strength=strength)), (face,), hour=MIDNIGHT
    )
    played.state.mark("d1", AGROUND)
    b.step(shoal_step, played)
    return played


@pytest.mark.clause("G.SV1", "G.CH4", "P.K08")
@pytest.mark.parametrize(
    ("face", "strength", "fate", "fast"),
    [
        (2, "gale", Fate.WRECKED, False), (3, "gale", Fate.AFLOAT, True), (2, "strong", Fate.AFLOAT, True),
        (5, "gale", Fate.AFLOAT, False), (4, "still", Fate.AFLOAT, True), (5, "still", Fate.AFLOAT, False),
    ],
)  # fmt: skip
def test_the_tide_floats_it_off_and_a_gale_may_break_it_up(
    face: int, strength: str, fate: Fate, fast: bool
) -> None:
    played = at_midnight(face, strength)
    assert played.state.ships["d1"].fate is fate
    assert played.state.marked("d1", AGROUND) is fast


@pytest.mark.clause("G.CH4")
def test_under_other_rule_sets_a_gale_breaks_no_ship_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(b.PLAIN.at_sea), "stays_aground", False)
    assert at_midnight(1, "gale").state.ships["d1"].fate is Fate.AFLOAT


@pytest.mark.clause("G.SV1")
@pytest.mark.parametrize("fast", [True, False])
def test_enemies_fight_ships_aground_at_anchor(fast: bool) -> None:
    made = meeting()
    if fast:
        for ship in made.ships_of("d"):
            made.state.mark(ship.code, AGROUND)
    made.state.contacts["e", "d"] = contact()
    b.step(battle_step, made)
    (call,) = made.state.calls
    assert (call.scenario["options"].get("at_anchor") == "NLD") is fast


@pytest.mark.clause("G.SV1")
def test_ships_aground_are_remembered_from_turn_to_turn() -> None:
    made, state, _ = after(d1=FAST)
    assert turn.carried_over(made, state)["carried"]["marks"] == {"d1": [AGROUND]}
