"""Absences: stand-ins command and know, absent admirals hold up no one, and an absence ends automatically."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.auth import get_user_model

from campaign.models import (
    Absence,
    Campaign,
    Command,
    Heartbeat,
    Membership,
    Notice,
    Preferences,
    Turn,
    UmpireAction,
)
from campaign.selectors.people.absences import absences_ahead, absences_now, presence, stood_in_for
from campaign.selectors.people.access import stations_for
from campaign.selectors.people.commanding import acts_as_chief, may_command
from campaign.selectors.people.knowing import ken_of
from campaign.selectors.turn.facts import OrderColumns
from campaign.services.mail.reply_forms import reply_form
from campaign.services.orders.orders import OrderRefused, order_submit
from campaign.services.people.absences import (
    AbsenceRefused,
    absence_announce,
    absence_change,
    absence_end,
    days_spoken,
    sides_away_tell,
)
from campaign.services.sweep import sweep
from campaign.services.turn.readiness import ready_set

pytestmark = [pytest.mark.clause("G.IN4"), pytest.mark.one_database]
DAY = date(2026, 8, 10)
NOON = datetime(2026, 8, 10, 12, 0, tzinfo=UTC)
DEADLINE = datetime(2026, 8, 11, 6, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def noon(db: Any) -> Any:
    """The tenth of August, at noon; there is no outage before."""
    with time_machine.travel(NOON, tick=False):
        Heartbeat.objects.create(at=NOON)
        yield


@pytest.fixture
def mate(english: Membership) -> Membership:
    """A second English admiral, without a fleet of his own."""
    user = get_user_model().objects.create_user("monck", email="monck@club.example")
    return Membership.objects.create(campaign=english.campaign, user=user, role="admiral", side=english.side)


@pytest.fixture
def umpire(campaign: Campaign) -> Any:
    return campaign.memberships.get(role="umpire").user


def away(member: Membership, *, by: Any = None, days: int = 5, **more: Any) -> Absence:
    row, _ = absence_announce(
        membership=member, first=DAY, last=DAY + timedelta(days=days), by=by or member.user, **more
    )
    return row


def fleet_of(member: Membership) -> Any:
    return Command.objects.get(membership=member).fleet


def test_a_stand_in_commands_while_the_absence_lasts_and_no_longer(
    turn: Turn, english: Membership, mate: Membership, dutch: Membership
) -> None:
    fleet = fleet_of(english)
    assert not may_command(membership=mate, fleet=fleet) and not acts_as_chief(mate)
    away(english, stand_in=mate)
    assert may_command(membership=mate, fleet=fleet) and acts_as_chief(mate)
    assert not may_command(membership=mate, fleet=fleet_of(dutch))
    assert not may_command(membership=dutch, fleet=fleet)
    order = order_submit(turn=turn, membership=mate, fleet=fleet, order=OrderColumns())
    assert order.user == mate.user
    assert may_command(membership=english, fleet=fleet), "he may still give orders himself"
    with time_machine.travel(NOON + timedelta(days=6), tick=False):
        assert not may_command(membership=mate, fleet=fleet)
        with pytest.raises(OrderRefused, match="You do not command that fleet"):
            order_submit(turn=turn, membership=mate, fleet=fleet, order=OrderColumns())


def test_a_stand_in_replies_by_email_for_the_fleets_they_stand_in_for(
    turn: Turn, english: Membership, mate: Membership, settings: Any
) -> None:
    settings.REPLY_TO = "orders@club.example"
    assert reply_form(turn=turn, membership=mate) is None
    away(english, stand_in=mate)
    form = reply_form(turn=turn, membership=mate)
    assert form is not None and [row["name"] for row in form["fleets"]] == [fleet_of(english).name]


def test_when_admirals_know_only_their_own_ships_a_stand_in_knows_what_the_absent_one_knows(
    campaign: Campaign, english: Membership, mate: Membership, dutch: Membership
) -> None:
    Campaign.objects.update(settings={"knowledge": "by ship"})
    for member in (english, mate, dutch):
        member.campaign.refresh_from_db()
    fleet = fleet_of(english)
    before = ken_of(mate)
    assert before is not None and not before.fleets and not stations_for(mate).exists()
    away(english, stand_in=mate)
    ken = ken_of(mate)
    assert ken is not None and ken.fleets == {fleet.code} and ken.place == before.place
    assert [row.fleet for row in stations_for(mate)] == [fleet]
    assert may_command(membership=mate, fleet=fleet)
    with time_machine.travel(NOON + timedelta(days=6), tick=False):
        after = ken_of(mate)
        assert after is not None and not after.fleets and not may_command(membership=mate, fleet=fleet)


def test_no_one_stands_in_for_a_stand_in_or_while_away_themselves(
    english: Membership, mate: Membership
) -> None:
    third = Membership.objects.create(
        campaign=english.campaign, side=english.side, role="admiral",
        user=get_user_model().objects.create_user("ayscue", email="ayscue@club.example"),
    )  # fmt: skip
    away(english, stand_in=mate)
    row, doubts = absence_announce(
        membership=mate, first=DAY + timedelta(days=2), last=DAY + timedelta(days=3), by=mate.user, stand_in=third
    )  # fmt: skip
    assert ["was to stand in" in doubt for doubt in doubts] == [True]
    fleet = fleet_of(english)
    with time_machine.travel(NOON + timedelta(days=2), tick=False):
        assert not may_command(membership=mate, fleet=fleet)
        assert stood_in_for(third) == [mate] and not may_command(membership=third, fleet=fleet)
        assert presence(english.campaign).commander(english.pk) is None
    with time_machine.travel(NOON + timedelta(days=4), tick=False):
        assert may_command(membership=mate, fleet=fleet)
    absence_end(absence=row, by=mate.user)
    away(third, days=1)
    absence_end(absence=Absence.objects.get(membership=english), by=english.user)
    _, doubts = absence_announce(membership=english, first=DAY, last=DAY, by=english.user, stand_in=third)
    assert "is also away" in doubts[0]


def test_days_are_counted_in_the_absent_admirals_time_zone(english: Membership) -> None:
    Preferences.objects.create(user=english.user, time_zone="Pacific/Auckland")
    away(english)
    for when, there in (
        ("2026-08-09T11:59", True), ("2026-08-09T12:01", False), ("2026-08-15T11:59", False), ("2026-08-15T12:01", True),
    ):  # fmt: skip
        with time_machine.travel(datetime.fromisoformat(when).replace(tzinfo=UTC), tick=False):
            assert (absences_now() == []) is there, when


@pytest.fixture
def soon(turn: Turn) -> Turn:
    """The turn, due tomorrow, with nobody's own orders given."""
    Turn.objects.update(deadline=DEADLINE, opened=NOON - timedelta(days=3))
    turn.orders.update(source="standing")
    turn.refresh_from_db()
    return turn


def test_the_stand_in_is_reminded_and_the_absent_admiral_is_not(
    soon: Turn, english: Membership, mate: Membership, dutch: Membership
) -> None:
    away(english, stand_in=mate)
    away(dutch)
    sweep()
    sweep()
    (reminder,) = Notice.objects.filter(kind="reminder")
    assert reminder.recipient == mate.user
    for part in (reminder.text, reminder.html):
        assert fleet_of(english).name in part and "You stand in for" in part and "english" in part
        assert fleet_of(dutch).name not in part and "english@" not in part


def test_an_absent_side_does_not_hold_up_those_who_are_ready(
    turn: Turn, english: Membership, dutch: Membership
) -> None:
    away(dutch)
    ready_set(turn=turn, membership=english, ready=True)
    turn.refresh_from_db()
    assert turn.phase == "locked"


def test_a_turn_runs_when_the_admiral_it_waited_for_goes_away(
    turn: Turn, english: Membership, dutch: Membership
) -> None:
    ready_set(turn=turn, membership=english, ready=True)
    absence_announce(
        membership=dutch, first=DAY + timedelta(days=1), last=DAY + timedelta(days=9), by=dutch.user
    )
    sweep()
    turn.refresh_from_db()
    assert turn.phase == "open"
    with time_machine.travel(NOON + timedelta(days=1), tick=False):
        Heartbeat.objects.update(at=NOON + timedelta(days=1))
        sweep()
        sweep()
    turn.refresh_from_db()
    assert turn.phase == "locked"
    assert UmpireAction.objects.filter(action="ran the turn").count() == 1


def test_the_deadline_remains_when_everyone_is_absent(
    turn: Turn, english: Membership, mate: Membership, dutch: Membership
) -> None:
    for member in (english, mate, dutch):
        away(member)
    ready_set(turn=turn, membership=english, ready=True)
    ready_set(turn=turn, membership=dutch, ready=True)
    sweep()
    turn.refresh_from_db()
    assert turn.phase == "open"


def test_the_turn_waits_for_a_side_with_a_stand_in(
    turn: Turn, english: Membership, mate: Membership, dutch: Membership
) -> None:
    away(english, stand_in=mate)
    ready_set(turn=turn, membership=dutch, ready=True)
    turn.refresh_from_db()
    assert turn.phase == "open"
    ready_set(turn=turn, membership=mate, ready=True)
    turn.refresh_from_db()
    assert turn.phase == "locked"


def words(who: Any) -> list[Notice]:
    return list(Notice.objects.filter(kind="word", recipient=who).order_by("pk"))


def test_the_umpire_and_the_stand_in_are_notified_and_no_enemy_is(
    english: Membership, mate: Membership, dutch: Membership, umpire: Any
) -> None:
    row = away(english, stand_in=mate, note="in the Alps")
    (told,) = words(umpire)
    assert (
        "10 to 15 August 2026" in told.subject
        and "monck stands in" in told.text
        and "in the Alps" in told.text
    )
    assert len(words(mate.user)) == 1 and not words(english.user) and not words(dutch.user)
    assert not UmpireAction.objects.exists()
    absence_change(absence=row, first=DAY, last=DAY, by=english.user)
    assert "No one stands in" in words(mate.user)[-1].text
    absence_end(absence=row, by=english.user)
    assert len(words(umpire)) == 3 and not words(dutch.user)
    row.refresh_from_db()
    with pytest.raises(AbsenceRefused, match="has ended"):
        absence_end(absence=row, by=english.user)
    with pytest.raises(AbsenceRefused, match="has ended"):
        absence_change(absence=row, first=DAY, last=DAY, by=english.user)


@pytest.mark.clause("G.UM1")
def test_the_umpire_adds_an_absence_for_a_player_and_the_log_names_no_one(
    english: Membership, umpire: Any
) -> None:
    away(english, by=umpire)
    action = UmpireAction.objects.get()
    assert (action.action, action.reason) == ("entered an absence for a player", "")
    assert len(words(english.user)) == 1


def test_impossible_absences_are_refused_in_words(
    english: Membership, mate: Membership, dutch: Membership, umpire: Any
) -> None:
    away(english)
    observer = Membership(campaign=english.campaign, user=umpire, role="observer")
    for member, first, last, stand_in, why in (
        (english, DAY + timedelta(days=5), DAY + timedelta(days=9), None, "already entered"),
        (mate, DAY, DAY - timedelta(days=1), None, "before the first"),
        (mate, DAY - timedelta(days=9), DAY - timedelta(days=1), None, "have passed"),
        (mate, DAY, DAY + timedelta(days=366), None, "366 days"),
        (mate, DAY, DAY, mate, "Choose another admiral"),
        (mate, DAY, DAY, dutch, "same side"),
        (observer, DAY, DAY, None, "Turns wait only"),
    ):
        with pytest.raises(AbsenceRefused, match=why):
            absence_announce(membership=member, first=first, last=last, by=umpire, stand_in=stand_in)
    assert Absence.objects.count() == 1


def test_the_umpire_is_notified_when_a_turn_opens_for_which_a_side_has_no_one(
    turn: Turn, english: Membership, dutch: Membership, umpire: Any
) -> None:
    Turn.objects.update(deadline=NOON + timedelta(days=3))
    turn.refresh_from_db()
    assert sides_away_tell(turn=turn) == 0
    away(dutch, days=2)
    assert sides_away_tell(turn=turn) == 0, "back before it closes"
    absence_end(absence=Absence.objects.get(), by=dutch.user)
    away(dutch, days=3)
    before = len(words(umpire))
    assert sides_away_tell(turn=turn) == 1 and sides_away_tell(turn=turn) == 0
    (told,) = words(umpire)[before:]
    assert told.subject.endswith("no admiral of the Dutch Republic is present for turn 1")


def test_absences_that_are_over_or_ended_are_no_longer_shown(english: Membership) -> None:
    row = away(english)
    assert absences_ahead() == [row]
    with time_machine.travel(NOON + timedelta(days=6), tick=False):
        assert absences_ahead() == []
    absence_end(absence=row, by=english.user)
    assert absences_ahead() == []


def test_a_person_who_has_left_the_campaign_stands_in_for_no_one_and_is_not_away(
    english: Membership, mate: Membership
) -> None:
    away(english, stand_in=mate)
    Membership.every.filter(pk=mate.pk).update(left=NOON)
    assert presence(english.campaign).commander(english.pk) is None
    assert absences_now()[0].deputy is None
    Membership.every.filter(pk=mate.pk).update(left=None)
    Membership.every.filter(pk=english.pk).update(left=NOON)
    assert absences_now() == [] and absences_ahead() == [] and stood_in_for(mate) == []


@pytest.mark.parametrize(
    ("first", "last", "said"),
    [
        (date(2026, 8, 3), date(2026, 8, 3), "3 August 2026"),
        (date(2026, 8, 3), date(2026, 8, 14), "3 to 14 August 2026"),
        (date(2026, 8, 30), date(2026, 9, 2), "30 August to 2 September 2026"),
        (date(2026, 12, 30), date(2027, 1, 2), "30 December 2026 to 2 January 2027"),
    ],
)
def test_days_are_described_in_words(first: date, last: date, said: str) -> None:
    assert days_spoken(first, last) == said
