"""The umpire's desk: everything on one page, each action with a reason, refusals with a sentence."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from campaign.models import Campaign, Turn, UmpireAction
from campaign.services.turn.playing import turn_play
from tests.campaign.services.conftest import start
from tests.support.people import World

pytestmark = [pytest.mark.clause("G.UM1"), pytest.mark.one_database]


@pytest.fixture
def campaign(db: Any) -> Campaign:
    return start("desk")


@pytest.fixture
def umpire(campaign: Campaign, client: Any) -> Any:
    client.force_login(campaign.memberships.get(role="umpire").user)
    return client


PAGE = "/c/desk/desk/"


def test_the_desk_shows_who_is_ready_and_offers_what_can_be_done(campaign: Campaign, umpire: Any) -> None:
    shown = umpire.get(PAGE).content.decode()
    for words in (
        "England",
        "Dutch Republic",
        "orders given, not ready",
        "Preview turn",
        "Run turn now",
        "Hold turn",
        "Pause campaign",
    ):
        assert words in shown
    assert "Roll back" not in shown
    turn_play(turn=campaign.turns.get())
    shown = umpire.get(PAGE).content.decode()
    assert "Roll back to the start of a turn" in shown


@pytest.mark.parametrize(
    ("fields", "action"),
    [
        ({"act": "hold", "reason": "wait"}, "held the turn"),
        ({"act": "close"}, "closed the turn for orders"),
        ({"act": "run"}, "ran the turn"),
        ({"act": "extend", "hours": "5", "reason": "late"}, "extended the turn"),
        ({"act": "pause", "reason": "rest"}, "paused the campaign"),
    ],
)
def test_an_action_is_done_and_logged(umpire: Any, fields: dict[str, str], action: str) -> None:
    assert umpire.post(PAGE, fields).status_code == 302
    assert UmpireAction.objects.get().action == action
    assert action in umpire.get("/c/desk/log/").content.decode()


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"act": "hold", "reason": "  "}, "Enter a reason"),
        ({"act": "extend", "hours": "x", "reason": "late"}, "1 to 2160 hours"),
        ({"act": "resume"}, "is not paused"),
        ({"act": "sink"}, "Unknown action"),
        ({"act": "release"}, "is not held"),
        ({"act": "retry"}, "has not failed"),
        ({"act": "rollback", "turn": "1", "reason": "x"}, "are still open"),
        ({"act": "rollback", "turn": "9999999", "reason": "x"}, "no turn 0"),
    ],
)
def test_a_refusal_appears_on_the_page_and_nothing_is_changed(
    umpire: Any, fields: dict[str, str], said: str
) -> None:
    refused = umpire.post(PAGE, fields)
    assert refused.status_code == 422
    assert said in refused.content.decode()
    assert not UmpireAction.objects.exists()
    assert Turn.objects.get().phase == "open"


def test_a_preview_is_shown_on_the_desk(umpire: Any) -> None:
    shown = umpire.post(PAGE, {"act": "preview"}).content.decode()
    assert "with sample dice" in shown and "in 5 of 5 runs" in shown
    umpire.post(PAGE, {"act": "close"})
    shown = umpire.post(PAGE, {"act": "preview"}).content.decode()
    assert "How the turn will run" in shown and "It ends in the state" in shown


@pytest.mark.clause("G.UM3")
def test_the_desk_rolls_a_turn_back(campaign: Campaign, umpire: Any) -> None:
    turn_play(turn=campaign.turns.get())
    assert umpire.post(PAGE, {"act": "rollback", "turn": "1", "reason": "a mistake"}).status_code == 302
    assert campaign.turns.get().run == 2
    assert "a mistake" in umpire.get("/c/desk/log/").content.decode()


@pytest.mark.clause("G.IN1")
def test_everyone_reads_in_the_log_that_someone_looked_but_not_what_they_saw(told: World) -> None:
    told.client("umpire").post(reverse("desk", args=["telltale"]), {"act": "preview"})
    shown = told.client("english").get(reverse("log", args=["telltale"])).content.decode()
    assert "previewed the turn" in shown and "xqduch" not in shown


def test_the_desk_takes_as_many_queries_for_many_battles_as_for_one(
    campaign: Campaign, umpire: Any, django_assert_max_num_queries: Any
) -> None:
    campaign.settings = {"battle_route": "table"}
    campaign.save()
    turn_play(turn=campaign.turns.get())
    with django_assert_max_num_queries(32):
        shown = umpire.get(PAGE).content.decode()
    assert "on the tabletop" in shown and "To be fought." in shown
