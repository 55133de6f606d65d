"""The pages of deadlines and absences: who reads what, what the umpire sets, what a player adds."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.auth import get_user_model

from campaign.models import Absence, Campaign, Membership, Notice, Turn, UmpireAction
from tests.support.people import DUTCH, ENGLISH, World, world
from tests.support.put_back import put_back

pytestmark = [pytest.mark.one_database, pytest.mark.clause("G.CL1", "G.IN4")]
NOW = datetime(2026, 8, 10, 12, 0, tzinfo=UTC)
CLOCK, AWAY, DESK = "/c/telltale/clock/", "/c/telltale/away/", "/c/telltale/desk/"
HOOK = "https://discord.example/api/webhooks/1/secretkey"
RHYTHM = {
    "act": "rhythm", "hours": "96", "weekdays": ["3", "6"], "at": "19:30", "zone": "Europe/Amsterdam", "run_when_ready": "on",
    "grace": "6", "silent": "3", "reason": "a vote",
}  # fmt: skip


@pytest.fixture
def told(db: Any) -> Any:
    """The tell-tale campaign at noon of a tenth of August, its turn due two days later."""
    with time_machine.travel(NOW, tick=False):
        made = world()
        Turn.objects.filter(pk=made.turn.pk).update(deadline=NOW + timedelta(days=2))
        Campaign.objects.update(webhook=HOOK)
        yield made


def shown(told: World, person: str, page: str = CLOCK) -> str:
    return " ".join(told.client(person).get(page).content.decode().split())


def test_everyone_reads_the_deadline_the_schedule_and_the_next_four_deadlines(told: World) -> None:
    for person in ("umpire", "english", "dutch", "observer"):
        page = shown(told, person)
        assert "Wed 12 Aug 2026, 12:00 UTC" in page
        assert "Orders close 72 hours after a turn opens." in page
        for day in ("Sat 15 Aug", "Tue 18 Aug", "Fri 21 Aug", "Mon 24 Aug"):
            assert f"{day} 2026, 12:00 UTC" in page
        assert "deadlines are put back by the length of the outage" in page


def test_only_the_umpire_can_set_it(told: World) -> None:
    page = shown(told, "umpire")
    assert "Save schedule" in page and "Posts go to <b>discord.example</b>" in page
    assert "secretkey" not in page, "the address of a webhook is a key, for a second umpire too"
    for person in ("english", "dutch", "observer"):
        page = shown(told, person)
        assert "Save schedule" not in page and HOOK not in page and "Webhook" not in page
        for act in ("rhythm", "move", "extend", "pause", "webhook"):
            assert told.client(person).post(CLOCK, {**RHYTHM, "act": act}).status_code == 404
    assert not UmpireAction.objects.exclude(action="ran the turn").exists()


ACTIONS: list[tuple[dict[str, Any], str]] = [
    (RHYTHM, "changed the schedule"),
    ({"act": "move", "day": "2026-08-14", "at": "20:00", "reason": "late"}, "moved the deadline"),
    ({"act": "extend", "hours": "5", "reason": "late"}, "extended the turn"),
    ({"act": "extend", "hours": "5", "for_good": "on", "reason": "late"}, "extended the turn"),
    ({"act": "pause", "reason": "rest"}, "paused the campaign"),
    ({"act": "webhook", "address": "", "remove": "on"}, "removed the campaign's webhook"),
    ({"act": "webhook", "address": f"{HOOK}2"}, "set the campaign's webhook"),
]


@pytest.mark.clause("G.UM1")
def test_an_action_is_done_and_logged(told: World) -> None:
    client = told.client("umpire")
    before = UmpireAction.objects.count()
    for fields, action in ACTIONS:
        with put_back():
            assert client.post(CLOCK, fields).status_code == 302, fields
            assert UmpireAction.objects.count() == before + 1, fields
            assert UmpireAction.objects.order_by("-pk")[0].action == action


def test_a_webhook_left_empty_stays_as_it_was_and_is_changed_or_removed_but_not_both(told: World) -> None:
    client = told.client("umpire")
    assert client.post(CLOCK, {"act": "webhook", "address": " "}).status_code == 302
    both = client.post(CLOCK, {"act": "webhook", "address": f"{HOOK}2", "remove": "on"})
    assert both.status_code == 422 and "not both" in both.content.decode()
    assert Campaign.objects.get(pk=told.campaign.pk).webhook == HOOK
    assert client.post(CLOCK, {"act": "webhook", "address": "", "remove": "on"}).status_code == 302
    assert "Nothing is posted" in shown(told, "umpire")


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({**RHYTHM, "zone": "Mars/Olympus"}, "is not a time zone"),
    ({**RHYTHM, "grace": "49"}, "less than or equal to 48"),
    ({**RHYTHM, "reason": ""}, "Enter a reason"),
    ({"act": "move", "day": "2026-08-10", "at": "20:00", "reason": "x"}, "12 hours from now"),
    ({"act": "move", "day": "nonsense", "at": "", "reason": "x"}, "Correct the errors below."),
    ({"act": "extend", "hours": "0", "reason": "x"}, "Correct the errors below."),
    ({"act": "webhook", "address": "http://10.0.0.1/x"}, "must begin with https"),
    ({"act": "pause", "reason": " "}, "Enter a reason"),
    ({"act": "resume"}, "is not paused"),
    ({"act": "sink"}, "Unknown action"),
]


def test_a_refusal_appears_on_the_page_and_nothing_is_changed(told: World) -> None:
    before = list(Campaign.objects.values()), list(Turn.objects.values("deadline"))
    client = told.client("umpire")
    for fields, said in REFUSED:
        answer = client.post(CLOCK, fields)
        assert answer.status_code == 422 and said in answer.content.decode(), fields
        assert before == (list(Campaign.objects.values()), list(Turn.objects.values("deadline"))), fields


def test_a_turn_in_its_grace_period_says_until_when(told: World) -> None:
    Campaign.objects.update(grace_hours=6)
    Turn.objects.filter(pk=told.turn.pk).update(deadline=NOW - timedelta(hours=1))
    for person, page in (("umpire", DESK), ("umpire", CLOCK), ("english", CLOCK)):
        words = shown(told, person, page)
        assert "grace period until <time" in words
        assert "Mon 10 Aug 2026, 17:00 UTC" in words
    assert "grace period until" in shown(told, "english", "/c/telltale/")


def test_the_page_opens_in_every_state_of_the_campaign(told: World) -> None:
    english, umpire = told.client("english"), told.client("umpire")
    for phase, status, said in (
        ("running", "active", "Orders are closed: the turn is running."),
        ("open", "paused", "postponed while the campaign is paused"),
        ("open", "closed", "The campaign is over"),
        ("failed", "failed", "Orders are closed"),
    ):
        Turn.objects.filter(pk=told.turn.pk).update(phase=phase)
        Campaign.objects.update(status=status, paused=NOW)
        assert said in " ".join(english.get(CLOCK).content.decode().split()), (phase, status)
        assert umpire.get(CLOCK).status_code == 200, (phase, status)


def test_the_page_shows_a_turn_without_a_deadline_and_a_campaign_without_a_turn(told: World) -> None:
    Turn.objects.update(deadline=None)
    assert "No deadline: the umpire closes orders." in shown(told, "english")
    told.campaign.turns.all().delete()
    assert "The first turn has not opened." in shown(told, "english")
    assert (
        told.client("umpire").post(CLOCK, {"act": "extend", "hours": "5", "reason": "x"}).status_code == 422
    )


def announce(told: World, person: str, **fields: str) -> Any:
    sent = {"first": "2026-08-12", "last": "2026-08-20", "stand_in": "", "note": f"note {person}", **fields}
    return told.client(person).post(AWAY, {"act": "keep", **sent})


def test_a_player_adds_changes_and_ends_an_absence(told: World) -> None:
    user = get_user_model().objects.create_user("monck", email="m@club.example")
    mate = Membership.objects.create(
        campaign=told.campaign, user=user, role="admiral", side=told.english.side
    )
    assert announce(told, "english", stand_in=str(mate.pk)).status_code == 302
    row = Absence.objects.get()
    assert (row.membership, row.stand_in, row.first) == (told.english, mate, date(2026, 8, 12))
    assert "Change your absence" in shown(told, "english", f"{AWAY}?change={row.pk}")
    assert announce(told, "english", absence=str(row.pk), last="2026-08-13").status_code == 302
    row.refresh_from_db()
    assert (row.last, row.stand_in) == (date(2026, 8, 13), None)
    assert told.client("english").post(AWAY, {"act": "end", "absence": str(row.pk)}).status_code == 302
    row.refresh_from_db()
    assert row.ended is not None
    assert told.client("english").post(AWAY, {"act": "end", "absence": str(row.pk)}).status_code == 404
    assert Notice.objects.filter(kind="word", recipient=told.umpire.user).count() == 3


@pytest.mark.clause("G.IN1")
def test_only_their_own_side_and_the_umpire_see_who_is_away(told: World) -> None:
    announce(told, "english", note=f"hiding {ENGLISH}")
    announce(told, "dutch", note=f"hiding {DUTCH}")
    mine, yours = Absence.objects.order_by("pk")
    for page in (CLOCK, AWAY):
        english, dutch, umpires = (shown(told, person, page) for person in ("english", "dutch", "umpire"))
        assert ENGLISH in english and DUTCH not in english
        assert DUTCH in dutch and ENGLISH not in dutch
        assert "dutch" not in english.lower()
        assert ENGLISH in umpires and DUTCH in umpires
    assert f"hiding {ENGLISH}" in shown(told, "umpire", DESK)
    assert "hiding" not in shown(told, "observer")
    assert told.client("english").get(f"{AWAY}?change={yours.pk}").status_code == 404
    for act in ("end", "keep"):
        assert told.client("english").post(AWAY, {"act": act, "absence": str(yours.pk)}).status_code == 404
    for row in (mine, yours):
        row.refresh_from_db()
        assert row.ended is None
    told_of = Notice.objects.filter(kind="word").values_list("recipient__username", flat=True)
    assert set(told_of) == {"umpire"}


def test_a_fellow_player_sees_an_absence_and_cannot_change_it(told: World) -> None:
    user = get_user_model().objects.create_user("monck", email="m@club.example")
    Membership.objects.create(campaign=told.campaign, user=user, role="admiral", side=told.english.side)
    announce(told, "english")
    told.stranger = user
    page = shown(told, "stranger", AWAY)
    assert "note english" in page and "Cancel absence" not in page
    assert told.client("stranger").get(f"{AWAY}?change={Absence.objects.get().pk}").status_code == 404


@pytest.mark.clause("G.UM1")
def test_the_umpire_adds_an_absence_for_a_player(told: World) -> None:
    assert announce(told, "umpire", whose=str(told.dutch.pk)).status_code == 302
    row = Absence.objects.get()
    assert (row.membership, row.by) == (told.dutch, "umpire")
    log = shown(told, "english", "/c/telltale/log/")
    assert "entered an absence for a player" in log and "dutch" not in log.lower()
    assert announce(told, "umpire", absence=str(row.pk), last="2026-08-13").status_code == 302
    wrong = announce(told, "umpire", whose=str(told.english.pk), stand_in=str(told.dutch.pk))
    assert wrong.status_code == 422 and "same side" in wrong.content.decode()


def test_an_impossible_absence_is_refused(told: World) -> None:
    for fields, said in (
        ({"last": "2026-08-11"}, "before the first"),
        ({"first": "2026-08-01", "last": "2026-08-02"}, "have passed"),
        ({"first": "x"}, "Enter a valid date"),
        ({"stand_in": "999"}, "valid choice"),
    ):
        answer = announce(told, "english", **fields)
        assert answer.status_code == 422 and said in answer.content.decode(), fields
        assert not Absence.objects.exists(), fields


def test_alarms_and_silent_players_appear_on_the_desk(told: World) -> None:
    assert "Needs attention" not in shown(told, "umpire", DESK)
    Turn.objects.filter(pk=told.turn.pk).update(deadline=NOW - timedelta(hours=1))
    Membership.objects.update(joined=None)
    Campaign.objects.update(silent_turns=1)
    page = shown(told, "umpire", DESK)
    assert "Needs attention" in page and "The turn is past its deadline" in page
    assert "Silent" in page and "1 turn<" in page


def test_the_pages_read_the_database_no_more_often_for_a_larger_campaign(
    told: World, django_assert_num_queries: Any
) -> None:
    for person, page, number in (("umpire", CLOCK, 8), ("english", CLOCK, 13), ("english", AWAY, 13)):
        client = told.client(person)
        client.get(page)
        with django_assert_num_queries(number):
            client.get(page)
        for side in (told.english, told.dutch):
            for k in range(4):
                day = date(2026, 9, 1) + timedelta(days=2 * k)
                Absence.objects.get_or_create(membership=side, first=day, last=day, by="x")
        with django_assert_num_queries(number):
            client.get(page)


def test_the_settings_page_links_to_it_for_commanders(told: World) -> None:
    assert AWAY in shown(told, "english", "/me/wishes")
    assert AWAY not in shown(told, "observer", "/me/wishes")
    Campaign.objects.update(status="closed")
    assert AWAY not in shown(told, "english", "/me/wishes")
