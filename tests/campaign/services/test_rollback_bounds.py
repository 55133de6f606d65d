"""What is rolled back and what is not, on a turn that was locked and not yet run; and links that change an address."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail

from battles.models import Battle
from campaign.models import Campaign, Contact, Membership, Notice, Preferences, Turn
from campaign.services.desk import umpire_digest
from campaign.services.desk.umpire_digest import umpire_digests_write
from campaign.services.people.own_account import AccountRefused, address_ask, address_confirm, address_read
from campaign.services.turn import rollback as rollback_module
from campaign.services.turn.economy import economy_restore
from campaign.services.turn.rollback import rollback
from campaign.services.turn.turns import turn_lock
from fleets.models import PrizeFund
from tests.support.factories import BattleFactory, BattleOutcomeFactory, NoticeFactory, UserFactory
from tests.support.people import World, world
from tests.support.put_back import put_back
from tests.support.turns import turn_change

NOW = datetime(2026, 7, 1, 12, tzinfo=UTC)
MINUTE, DAY, TICK = timedelta(minutes=1), timedelta(days=1), timedelta(microseconds=1)


@pytest.fixture
def locked(campaign: Campaign, turn: Turn) -> Turn:
    """The first turn, locked and not begun."""
    turn_lock(turn=turn)
    return turn


def back(campaign: Campaign, number: int = 1, **more: Any) -> Turn | str:
    """The turn that is opened anew, or why there is none."""
    who = campaign.memberships.get(role="umpire").user
    try:
        return rollback(campaign=campaign, number=number, umpire=who, reason="a slip", **more)
    except Exception as refused:
        return str(refused)


@pytest.mark.clause("G.UM3")
def test_a_rollback_goes_to_a_turn_that_was_locked_in_a_running_campaign(
    campaign: Campaign, locked: Turn
) -> None:
    none = "Orders for turn 1 are still open, so there is nothing to roll back."
    for number in (0, 2):
        assert back(campaign, number) == f"There is no turn {number} to roll back to."
    for changes in ({"locked": None}, {"snapshot": None}, {"books": None}):
        with put_back():
            turn_change(locked, **changes)
            assert back(campaign) == none, changes
    with put_back():
        Campaign.objects.update(status="closed")
        assert back(campaign) == "A small war is over and can no longer be rolled back."
    for before, after in (("failed", "active"), ("paused", "paused"), ("active", "active")):
        with put_back():
            Campaign.objects.update(status=before)
            turn = back(campaign)
            assert isinstance(turn, Turn) and (turn.run, turn.phase, turn.repeats) == (2, "open", None)
            assert Campaign.objects.get(pk=campaign.pk).status == after
    turn = back(campaign, same_dice=True)
    assert isinstance(turn, Turn) and (turn.phase, turn.repeats, turn.chart_secret) == (
        "locked",
        locked,
        locked.chart_secret,
    )
    assert Turn.every.get(pk=locked.pk).void.startswith("rollback ")


@pytest.mark.clause("G.UM3", "G.FA1")
def test_dice_whose_secrets_an_import_left_behind_are_not_thrown_again(
    campaign: Campaign, locked: Turn
) -> None:
    Turn.objects.create(
        campaign=campaign, number=2, first_day=1, days=1, chart_hash="x", phase="closed", chart_secret="", battle_secret="ab"
    )  # fmt: skip
    own = Turn.objects.get(pk=locked.pk)
    for chart, battles, lost in (
        (own.chart_secret, own.battle_secret, 2), ("", own.battle_secret, 1), (own.chart_secret, "", 1),
    ):  # fmt: skip
        with put_back():
            Turn.objects.filter(pk=own.pk).update(chart_secret=chart, battle_secret=battles)
            assert back(campaign, same_dice=True) == (
                f"This campaign was imported without the secrets of turn {lost}. Roll back with new dice."
            )
            assert isinstance(back(campaign), Turn)


@pytest.mark.clause("G.UM3")
def test_what_lies_ashore_is_restored_from_a_turn_that_was_locked(campaign: Campaign, locked: Turn) -> None:
    def restored() -> str:
        try:
            economy_restore(campaign=campaign, turn=Turn.objects.get(pk=locked.pk))
        except ValueError as error:
            return str(error)
        return ""

    assert restored() == ""
    before = set(PrizeFund.objects.values_list("navy", "pounds"))
    PrizeFund.objects.update(pounds=7)
    assert restored() == ""
    assert set(PrizeFund.objects.values_list("navy", "pounds")) == before
    turn_change(locked, snapshot=None)
    assert restored() == f"{locked} was never locked"


@pytest.mark.clause("G.UM3")
def test_later_emails_are_withdrawn_except_those_about_roles_and_deadlines(
    campaign: Campaign, locked: Turn, english: Membership
) -> None:
    since = Turn.objects.get(pk=locked.pk).locked
    assert since is not None
    rows = {}
    for name, kind, status, written in (
        ("sent", "turn_report", "sent", since), ("waits", "turn_report", "waiting", since), ("invited", "invitation", "sent", since),
        ("paused", "paused", "sent", since), ("before", "turn_report", "sent", since - TICK),
    ):  # fmt: skip
        rows[name] = NoticeFactory(
            campaign=campaign,
            recipient=english.user,
            kind=kind,
            status=status,
            subject=f"Subject {name}",
            sent=since,
        )
        Notice.objects.filter(pk=rows[name].pk).update(written=written)
    for same_dice, words in (
        (False, "We have drawn new dice"),
        (True, "We will use the same dice and orders"),
    ):
        with put_back():
            back(campaign, same_dice=same_dice)
            void = {name for name, row in rows.items() if Notice.objects.get(pk=row.pk).void}
            assert void == {"sent", "waits"}
            told = Notice.objects.get(recipient=english.user, kind="word", void="").text
            assert words in told and "we emailed to you are withdrawn" in told
            assert "“Subject sent”" in told and "Subject waits" not in told and "Subject before" not in told
    Notice.objects.filter(pk=rows["sent"].pk).delete()
    Notice.objects.filter(pk=rows["waits"].pk).update(status="waiting")
    Notice.objects.filter(status="sent").exclude(kind__in=("invitation", "paused")).update(
        written=since - DAY
    )
    back(campaign)
    assert (
        "we emailed to you are withdrawn"
        not in Notice.objects.get(recipient=english.user, kind="word", void="").text
    )


@pytest.mark.clause("G.BT5", "G.UM3")
def test_battles_of_the_turn_are_void_and_an_older_battles_applied_result_is_applied_again(
    campaign: Campaign, turn: Turn
) -> None:
    older = BattleFactory(book=campaign.book, code="small-T0-b01", status="fought")
    BattleOutcomeFactory(battle=older, status="confirmed")
    earlier = Turn.objects.create(
        campaign=campaign, number=0, first_day=0, days=1, chart_hash="x", phase="closed"
    )
    Contact.objects.create(turn=earlier, code="b01", hour=1, place="x", battle=older)
    campaign.carried = {**campaign.carried, "held": {"T0-b01": {"fleets": {}, "ships": []}}}
    Campaign.objects.filter(pk=campaign.pk).update(carried=campaign.carried)
    turn_change(turn, locked=NOW, snapshot={}, books={})
    rollback_module._reopen_held(Campaign.objects.get(pk=campaign.pk), turn)
    assert Battle.objects.get(pk=older.pk).status == "fought", "it was not written"
    Battle.objects.filter(pk=older.pk).update(status="written")
    older.outcome.status, older.outcome.written_in = "written", "W/1"
    older.outcome.save()
    rollback_module._reopen_held(Campaign.objects.get(pk=campaign.pk), turn)
    again = Battle.objects.select_related("outcome").get(pk=older.pk)
    assert (again.status, again.outcome.status, again.outcome.written_in) == ("fought", "confirmed", "")


# --- an umpire's morning ----------------------------------------------------------------------------------------


@pytest.fixture
def told(db: Any, monkeypatch: pytest.MonkeyPatch) -> World:
    made = world()
    Membership.objects.update(joined=NOW - 9 * DAY)
    return made


@pytest.mark.clause("G.UM1")
def test_an_umpires_digest_comes_in_the_morning_once_a_day(
    told: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[Any] = []
    monkeypatch.setattr(
        umpire_digest,
        "morning_of",
        lambda campaign, now: type("Told", (), {"anything": True, "turn": None})(),
    )
    monkeypatch.setattr(umpire_digest, "notice_write", lambda **row: written.append(row["event"]) or row)
    seven = datetime(2026, 7, 2, 7, tzinfo=UTC)
    yesterday, today = seven.date() - DAY, seven.date()
    for digested, now, day in (
        (None, seven - TICK, yesterday), (None, seven, today), (yesterday, seven - TICK, None), (yesterday, seven, today),
        (today, seven, None), (today, seven + DAY - TICK, None), (today, seven + DAY, today + DAY),
        (yesterday - DAY, seven - TICK, yesterday),
    ):  # fmt: skip
        with put_back():
            written.clear()
            Membership.objects.filter(pk=told.umpire.pk).update(digested=digested)
            assert umpire_digests_write(now) == (day is not None), (digested, now)
            assert written == ([f"telltale-umpire-digest-{day:%Y%m%d}"] if day else [])
            assert Membership.objects.get(pk=told.umpire.pk).digested == (day or digested)
    for joined, count in ((seven, 0), (seven - TICK, 1), (None, 1)):
        with put_back():
            Membership.objects.filter(pk=told.umpire.pk).update(joined=joined)
            assert umpire_digests_write(seven) == count, joined
    Preferences.objects.create(user=told.umpire.user, time_zone="Europe/Amsterdam")
    written.clear()
    assert umpire_digests_write(seven - 2 * timedelta(hours=1)) == 1 and written == [
        f"telltale-umpire-digest-{today:%Y%m%d}"
    ]


# --- another address --------------------------------------------------------------------------------------------


def link_in(to: str) -> str:
    body = next(sent.body for sent in reversed(mail.outbox) if sent.to == [to])
    found = re.search(r"/address/([^/\s]+)/?", body)
    assert found is not None, body
    return found[1]


def refused(act: Any, **more: Any) -> str:
    try:
        act(**more)
    except AccountRefused as why:
        return str(why)
    return ""


def test_a_change_of_address_is_requested_once_in_five_minutes_and_its_link_lasts_two_days(db: Any) -> None:
    user = UserFactory(username="monck", email="old@club.example")
    UserFactory(email="taken@club.example")
    soon = "You asked for a change less than 5 minutes ago. Try again in a few minutes."
    with time_machine.travel(NOW, tick=False) as clock:
        assert (
            refused(address_ask, user=user, address="OLD@club.example")
            == "You already use that address. Enter a different one."
        )
        assert refused(address_ask, user=user, address="new@club.example") == ""
        assert {sent.to[0] for sent in mail.outbox} == {"new@club.example", "old@club.example"}
        for after, said in ((5 * MINUTE - TICK, soon), (5 * MINUTE, "")):
            clock.move_to(NOW + after)
            assert refused(address_ask, user=user, address="taken@club.example") == said, after
        token = link_in("new@club.example")
        assert refused(address_read, user=UserFactory(), token=token).startswith(
            "This link belongs to another account"
        )
        assert refused(address_read, user=user, token=token[:-3]) != ""
        for after, good in ((2 * DAY - MINUTE, True), (2 * DAY + MINUTE, False)):
            clock.move_to(NOW + after)
            assert (refused(address_read, user=user, token=token) == "") is good
        clock.move_to(NOW + DAY)
        row = NoticeFactory(recipient=user, status="waiting", address="old@club.example")
        assert address_confirm(user=user, token=token) == user.email == "new@club.example"
        assert Notice.objects.get(pk=row.pk).address == "new@club.example"
        assert mail.outbox[-1].to == ["old@club.example"], "the old one is told"
        assert refused(address_confirm, user=user, token=token).startswith("This link has been used")


def test_a_person_without_an_address_is_emailed_only_at_the_new_one(db: Any) -> None:
    user = UserFactory(username="mute", email="")
    assert refused(address_ask, user=user, address="new@club.example") == ""
    assert [sent.to for sent in mail.outbox] == [["new@club.example"]]
    assert address_confirm(user=user, token=link_in("new@club.example")) == "new@club.example"
    assert len(mail.outbox) == 1
