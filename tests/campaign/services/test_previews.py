"""What a preview shows: every event but the small ones in order of time, where it stops, and who meets whom how often."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from battles.models import Battle
from campaign.models import Campaign, Theatre, Turn, UmpireAction
from campaign.rules.chart.types import ChartEvent, Position
from campaign.selectors.turn.facts import pure_theatre
from campaign.services.settings import releases
from campaign.services.turn import preview
from campaign.services.turn.preview import turn_preview
from campaign.services.turn.turns import turn_lock
from tests.support.answers import flawless
from tests.support.put_back import put_back

pytestmark = [pytest.mark.one_database, pytest.mark.clause("G.UM1")]


def locked(**settings: Any) -> Turn:
    """The turn of the small war, locked under these settings of the campaign."""
    Campaign.objects.update(settings={"end_turn_on": "none", **settings})
    turn = Turn.objects.select_related("campaign__book", "campaign__theatre").get()
    turn_lock(turn=turn)
    return Turn.objects.select_related("campaign__book", "campaign__theatre").get()


@pytest.mark.clause("G.CL2")
def test_an_exact_preview_shows_the_turns_events_in_order_of_time_without_weather_and_places_passed(
    turn: Turn, monkeypatch: pytest.MonkeyPatch
) -> None:
    umpire = turn.campaign.memberships.get(role="umpire").user
    ended: list[Any] = []
    monkeypatch.setattr(preview, "_refused", lambda state, names: ended.append(state) or ())
    found = flawless(turn_preview, turn=locked(), umpire=umpire)
    (state,) = ended
    small = [event for event in state.events if event.kind in ("weather", "passed")]
    assert small and len(found.lines) == len(state.events) - len(small)
    assert found.ends == f"It ends in the state {preview.rules.state_hash(state)}."
    hours = sorted(event.hour for event in state.events if event not in small)
    spoken = [preview.spoken(preview.chart_time(turn.campaign.start_date, hour)) for hour in hours]
    assert [when for when, _ in found.lines] == spoken


@pytest.mark.clause("G.BT4")
@pytest.mark.parametrize(
    ("settings", "stops"),
    [
        ({"battle_route": "table", "campaign_waits": "yes"}, True),
        ({"battle_route": "table", "campaign_waits": "no"}, False),
        ({"battle_route": "engine", "campaign_waits": "yes"}, False),
    ],
    ids=str,
)
def test_an_exact_preview_stops_only_at_a_battle_that_the_campaign_waits_for(
    turn: Turn, settings: dict[str, str], stops: bool
) -> None:
    umpire = turn.campaign.memberships.get(role="umpire").user
    turn = locked(**settings)
    found = flawless(turn_preview, turn=turn, umpire=umpire)
    assert found.exact and not Battle.objects.exists()
    assert (found.ends == "It stops there until players have fought its battles.") is stops
    assert found.ends.startswith("It ends in the state ") is not stops


def test_a_likely_preview_counts_in_how_many_of_five_tries_fleets_meet_the_most_frequent_first(
    turn: Turn, monkeypatch: pytest.MonkeyPatch
) -> None:
    umpire = turn.campaign.memberships.get(role="umpire").user
    tries = iter(
        [("A", "NLD-2"), ("ENG-1", "NLD-2"), ("ENG-1", "NLD-2"), ("ENG-1", "NLD-1"), ("ENG-1", "NLD-1")]
    )
    real = preview._played

    def played(*about: Any) -> Any:
        one, two = next(tries)
        state = real(*about)
        state.events = [event for event in state.events if event.kind != "battle"]
        data = {"fleets": {"ENG": [one], "NLD": [two, "X"]}}
        state.events += [ChartEvent(4, kind, "G.CO2", ("ENG",), data) for kind in ("battle", "met")]
        return state

    monkeypatch.setattr(preview, "_played", played)
    assert turn_preview(turn=turn, umpire=umpire).contacts == (
        ("ENG-1 against NLD-1 and X", 2), ("ENG-1 against NLD-2 and X", 2), ("A against NLD-2 and X", 1),
    )  # fmt: skip


def test_only_the_sides_without_players_are_ordered_by_the_automatic_admiral_in_a_preview(
    turn: Turn, monkeypatch: pytest.MonkeyPatch
) -> None:
    umpire = turn.campaign.memberships.get(role="umpire").user
    asked: list[str] = []
    monkeypatch.setattr(preview, "TRIES", 1)
    monkeypatch.setattr(preview, "admiral_orders", lambda known, told: asked.append(known.side) or {})
    for automatic in ([], ["England"], ["England", "Dutch Republic"]):
        with put_back():
            asked.clear()
            turn.campaign.sides.filter(name__in=automatic).update(automatic=True)
            turn_preview(turn=turn, umpire=umpire)
            assert sorted(asked) == sorted(
                {"England": "ENG", "Dutch Republic": "NLD"}[name] for name in automatic
            )


def test_a_likely_preview_shows_refusals_and_positions_of_its_first_try(
    turn: Turn, monkeypatch: pytest.MonkeyPatch
) -> None:
    umpire = turn.campaign.memberships.get(role="umpire").user
    real, tries = preview._played, iter(("First", "Second"))

    def played(*about: Any) -> Any:
        state, name = real(*about), next(tries)
        data = {"fleet": name, "faults": [["a/b", "G.MV2", "Too far."]]}
        state.events = [ChartEvent(0, kind, "G.MV3", ("ENG",), data) for kind in ("order_refused", "met")]
        fleets = [replace(fleet, name=name, ended=name == "Second") for fleet in state.fleets.values()]
        state.fleets = {fleet.code: fleet for fleet in fleets}
        return state

    monkeypatch.setattr(preview, "TRIES", 2)
    monkeypatch.setattr(preview, "_played", played)
    found = flawless(turn_preview, turn=turn, umpire=umpire)
    assert found.refused == (("First", "Too far. (G.MV2)"),)
    assert [name for name, _ in found.bound] == ["First", "First"]


@pytest.mark.django_db
def test_a_fleet_is_named_by_the_campaign_or_else_by_the_chart_or_else_by_its_code() -> None:
    fleets = {
        code: SimpleNamespace(code=code, name=name, ended=ended, position=Position("nore"))
        for code, name, ended in (
            ("C", "", False),
            ("B", "Chart's", False),
            ("A", "Gone", True),
            ("D", "x", False),
        )
    }
    facts: Any = SimpleNamespace(theatre=pure_theatre(Theatre.objects.get(code="narrow_seas_1666")))
    state: Any = SimpleNamespace(fleets=fleets)
    bound = preview._bound(facts, state, {"D": "Campaign's", "A": "Gone"})
    assert [name for name, _ in bound] == ["Chart's", "C", "Campaign's"]


@pytest.mark.clause("G.IN3")
def test_every_fact_that_the_umpire_may_release_has_its_words() -> None:
    assert releases.FIELDS == {
        "seen": "where it is now",
        "kind": "how many ships of which kinds",
        "name": "its name and its commander",
        "nation": "which flag it flies",
        "state": "how badly its hulls are damaged",
    }


@pytest.mark.parametrize(("lock", "said"), [(True, "as the turn will run"), (False, "with sample dice")])
def test_the_umpires_log_says_with_which_dice_a_turn_was_previewed(turn: Turn, lock: bool, said: str) -> None:
    umpire = turn.campaign.memberships.get(role="umpire").user
    found = flawless(turn_preview, turn=locked() if lock else turn, umpire=umpire)
    assert found.exact is lock
    act = UmpireAction.objects.get(action="previewed the turn")
    assert act.reason == said
