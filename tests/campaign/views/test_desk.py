"""The umpire's desk: everything on one page, each action with a reason, refusals with a sentence."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from campaign.models import Campaign, Turn, UmpireAction
from tests.campaign.services.conftest import first_turn_played, start
from tests.campaign.views.test_results import browser, on_the_table
from tests.support.people import World
from tests.support.put_back import put_back

pytestmark = [pytest.mark.clause("G.UM1"), pytest.mark.one_database]


@pytest.fixture
def campaign(db: Any) -> Campaign:
    return start("desk")


@pytest.fixture
def umpire(campaign: Campaign, client: Any) -> Any:
    client.force_login(campaign.memberships.get(role="umpire").user)
    return client


@pytest.fixture
def played(db: Any) -> Campaign:
    """The same campaign with its first turn over."""
    return first_turn_played("desk")


PAGE = "/c/desk/desk/"
OPEN = "1-open"  # what the question about an open turn 1 is answered with


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


def test_an_action_is_done_and_logged(umpire: Any) -> None:
    for fields, action in (
        ({"act": "hold", "reason": "wait"}, "held the turn"),
        ({"act": "close", "sure": OPEN}, "closed the turn for orders"),
        ({"act": "run", "sure": OPEN}, "ran the turn"),
        ({"act": "extend", "hours": "5", "reason": "late"}, "extended the turn"),
        ({"act": "pause", "reason": "rest"}, "paused the campaign"),
    ):
        with put_back():
            assert umpire.post(PAGE, fields).status_code == 302, fields
            assert UmpireAction.objects.get().action == action
            assert action in umpire.get("/c/desk/log/").content.decode()


def test_a_refusal_appears_on_the_page_and_nothing_is_changed(umpire: Any) -> None:
    for fields, said in (
        ({"act": "hold", "reason": "  "}, "Enter a reason"),
        ({"act": "extend", "hours": "x", "reason": "late"}, "1 to 2160 hours"),
        ({"act": "resume"}, "is not paused"),
        ({"act": "sink"}, "Unknown action"),
        ({"act": "release"}, "is not held"),
        ({"act": "retry"}, "has not failed"),
        ({"act": "rollback", "turn": "1", "reason": "x"}, "are still open"),
        ({"act": "rollback", "turn": "9999999", "reason": "x"}, "no turn 0"),
    ):
        refused = umpire.post(PAGE, fields)
        assert refused.status_code == 422, fields
        assert said in refused.content.decode()
        assert not UmpireAction.objects.exists(), fields
        assert Turn.objects.get().phase == "open", fields


def test_a_preview_is_shown_on_the_desk(umpire: Any) -> None:
    shown = umpire.post(PAGE, {"act": "preview"}).content.decode()
    assert "with sample dice" in shown and "in 5 of 5 runs" in shown
    umpire.post(PAGE, {"act": "close", "sure": OPEN})
    shown = umpire.post(PAGE, {"act": "preview"}).content.decode()
    assert "How the turn will run" in shown and "It ends in the state" in shown


@pytest.mark.clause("G.UM3")
def test_the_desk_rolls_a_turn_back(played: Campaign) -> None:
    umpire = browser(played, "umpire")
    assert "Roll back to the start of a turn" in umpire.get(PAGE).content.decode()
    sent = {"act": "rollback", "turn": "1", "reason": "a mistake"}
    question = umpire.post(PAGE, sent).content.decode()
    assert "Turns 1 and 2 become void" in question and "These battles become void: " in question
    assert played.turns.first().run == 1
    assert umpire.post(PAGE, {**sent, "sure": "2-open"}).status_code == 302
    assert played.turns.get().run == 2
    assert "a mistake" in umpire.get("/c/desk/log/").content.decode()


@pytest.mark.clause("G.IN1")
def test_everyone_reads_in_the_log_that_someone_looked_but_not_what_they_saw(told: World) -> None:
    told.client("umpire").post(reverse("desk", args=["telltale"]), {"act": "preview"})
    shown = told.client("english").get(reverse("log", args=["telltale"])).content.decode()
    assert "previewed the turn" in shown and "xqduch" not in shown


def test_the_umpires_desk_reads_the_database_no_more_often_for_many_battles_than_for_one(
    db: Any, django_assert_max_num_queries: Any
) -> None:
    umpire = browser(on_the_table(), "umpire")
    with django_assert_max_num_queries(36):
        shown = umpire.get("/c/table/desk/").content.decode()
    assert "on the tabletop" in shown and "To be fought." in shown


def test_a_person_is_asked_before_an_act_that_cannot_be_undone(campaign: Campaign, umpire: Any) -> None:
    for fields, title in (
        ({"act": "run"}, "Run turn 1 now?"),
        ({"act": "close"}, "Close orders for turn 1?"),
        ({"act": "run", "sure": "1-held", "reason": "hurry"}, "Run turn 1 now?"),
    ):
        asked = umpire.post(PAGE, fields).content.decode()

        assert title in asked and "no orders yet" in asked.replace(
            "orders given, but not marked ready", "no orders yet"
        )
        assert f'value="{fields["act"]}"' in asked and f'value="{fields.get("reason", "")}"' in asked
        assert 'name="sure" value="1-open"' in asked
        assert campaign.turns.get().phase == "open" and not UmpireAction.objects.exists()


def test_the_end_of_a_campaign_is_asked_about_first(campaign: Campaign, umpire: Any) -> None:
    address = reverse("campaign_close", args=["desk"])
    assert "End The" in umpire.post(address, {"reason": "done"}).content.decode().replace(
        campaign.name, "The"
    )
    campaign.refresh_from_db()
    assert campaign.status == "active"
    umpire.post(address, {"reason": "done", "sure": "1"})
    campaign.refresh_from_db()
    assert campaign.status == "closed"


def test_the_desk_follows_a_turn_from_day_to_day(campaign: Campaign, umpire: Any) -> None:
    address = reverse("desk_status", args=["desk"])
    rows = Turn.objects.filter(campaign=campaign)
    assert "hx-get" not in umpire.get(address).content.decode()

    rows.update(phase="running")
    begun = umpire.get(address)
    assert "not begun" in begun.content.decode() and "?was=turn" in begun.content.decode()
    assert umpire.get(address, headers={"If-None-Match": begun["ETag"]}).status_code == 304
    rows.update(reached=30)
    later = umpire.get(address, headers={"If-None-Match": begun["ETag"]})
    assert "day 1 of 1, at 12:00 on 31 May 1666" in later.content.decode()


def test_the_desk_follows_a_turn_that_is_over_to_its_last_email(played: Campaign) -> None:
    turn = played.turns.get(number=1)
    assert turn.reached == 24 * turn.days_run, "each day is noted as it is played"
    address, umpire = reverse("desk_status", args=["desk"]), browser(played, "umpire")
    over = umpire.get(address + "?was=turn", headers={"HX-Request": "true"})
    assert over["HX-Refresh"] == "true"
    shown = over.content.decode()
    waiting = played.notices.filter(event="desk-T1-report").count()
    assert waiting and f"0 of {waiting} email" in shown and "?was=emails" in shown
    played.notices.filter(event="desk-T1-report").update(status="sent")
    done = umpire.get(address + "?was=emails", headers={"HX-Request": "true"})
    assert f"{waiting} of {waiting} email" in done.content.decode()
    assert "hx-get" not in done.content.decode() and "HX-Refresh" not in done.headers


def test_first_steps_are_done_by_doing_them_and_can_be_hidden(campaign: Campaign, umpire: Any) -> None:
    from campaign.selectors.desk.first_steps import first_steps

    steps = {step.words: step.done for step in first_steps(campaign)}
    assert not steps["Preview the turn"] and not steps["Run the first turn"]
    umpire.post(PAGE, {"act": "preview"})
    assert {step.words: step.done for step in first_steps(campaign)}["Preview the turn"]
    assert "First steps" in umpire.get(PAGE).content.decode()
    umpire.post(reverse("steps_hide", args=["desk"]))
    shown = umpire.get(PAGE).content.decode()
    assert "First steps" not in shown and "Show first steps" in shown
    umpire.post(reverse("steps_hide", args=["desk"]), {"show": "1"})
    assert "First steps" in umpire.get(PAGE).content.decode()
