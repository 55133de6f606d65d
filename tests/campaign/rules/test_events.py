"""The kinds of chart event: each is told under its name, and no other is."""

from __future__ import annotations

import pytest

from battles.engine.core.dice import ScriptedDice
from campaign.accounts import TELLERS
from campaign.rules.state.events import EVENT_KINDS
from campaign.rules.state.world import Chart
from campaign.rules.turn import turn
from tests.campaign.rules import builders as b


def test_the_chart_tells_every_kind_that_the_accounts_have_words_for_and_no_other() -> None:
    made = b.facts([b.fleet("e", "ENG", "a")])
    state = turn.begin(made, {}, b.dice(made))
    chart = Chart(made, state, ScriptedDice(()))
    state.events.clear()
    assert set(EVENT_KINDS) == set(TELLERS)
    for kind in TELLERS:
        chart.tell(kind, "G.0", "NLD", "ENG", "ENG")
    assert [event.kind for event in state.events] == list(TELLERS)
    assert {event.knows for event in state.events} == {("ENG", "NLD")}
    with pytest.raises(KeyError, match="'dinner' is not a kind of event"):
        chart.tell("dinner", "G.0")


@pytest.mark.clause("G.IN2")
def test_an_event_of_one_side_notes_the_place_it_is_near_and_one_of_both_does_not() -> None:
    made = b.facts([b.fleet("e", "ENG", "a", to="b", run=40_000)])
    state = turn.begin(made, {}, b.dice(made))
    state.events.clear()
    chart = Chart(made, state, ScriptedDice(()))
    chart.tell("sailed", "G.0", "ENG", fleet="e")
    chart.tell("sailed", "G.0", "ENG", fleet="e", place="c", hour=7)
    chart.tell("sailed", "G.0", "ENG", "NLD", fleet="e")
    chart.tell("sailed", "G.0", "NLD", fleet="e")
    chart.tell("sailed", "G.0", "ENG", fleet="x")
    assert [event.data.get("near") for event in state.events] == ["b", None, None, None, None]
    assert [event.hour for event in state.events] == [0, 7, 0, 0, 0]
