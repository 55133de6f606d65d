"""Absences at their limits: first and last days, who hears of one, and which sides have no one for a turn."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
import time_machine

from campaign.models import Absence, Campaign, Heartbeat, Membership, Notice, Preferences, Turn, UmpireAction
from campaign.services.people.absences import (
    absence_announce,
    absence_change,
    absence_end,
    sides_away_tell,
)
from tests.support.answers import answer_of, flawless
from tests.support.factories import MembershipFactory, UserFactory

pytestmark = [pytest.mark.one_database, pytest.mark.clause("G.IN4", "G.UM1")]
DAY = date(2026, 8, 10)
NOON = datetime(2026, 8, 10, 12, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def noon(db: Any) -> Any:
    """The tenth of August, at noon."""
    with time_machine.travel(NOON, tick=False) as clock:
        Heartbeat.objects.create(at=NOON)
        yield clock


@pytest.fixture
def mate(english: Membership) -> Membership:
    """A second English admiral."""
    return MembershipFactory(side=english.side, campaign=english.campaign, user=UserFactory(username="monck"))


@pytest.fixture
def umpire(campaign: Campaign) -> Any:
    return campaign.memberships.get(role="umpire").user


def days(first: int, last: int) -> dict[str, date]:
    """So many days after the tenth."""
    return {"first": DAY + timedelta(days=first), "last": DAY + timedelta(days=last)}


def away(member: Membership, first: int, last: int, **more: Any) -> tuple[Absence, list[str]]:
    return flawless(
        absence_announce, membership=member, by=more.pop("by", member.user), **days(first, last), **more
    )


def heard(user: Any) -> list[str]:
    return [row.text for row in Notice.objects.filter(recipient=user, kind="word").order_by("pk")]


def test_an_absence_ends_today_or_later_and_has_up_to_366_days(english: Membership) -> None:
    past, early, long = (
        "Those days have passed. Choose later ones.",
        "The last day is before the first. Change one of them.",
        "An absence can last up to 366 days. For longer, ask the umpire to reassign the fleets.",
    )
    for first, last, said in (
        (-5, -1, past), (-5, 0, ""), (0, 0, ""), (1, 0, early), (0, 365, ""), (0, 366, long),
    ):  # fmt: skip
        assert answer_of(away, english, first, last) == said, (first, last)
        Absence.objects.all().delete()


def test_two_absences_of_one_admiral_have_no_day_in_common(english: Membership, mate: Membership) -> None:
    row, _ = away(english, 5, 8)
    there = "These days overlap an absence already entered (15 to 18 August 2026). Change that one."
    for first, last, said in (
        (2, 4, ""),
        (9, 12, ""),
        (3, 5, there),
        (8, 9, there),
        (6, 7, there),
        (4, 9, there),
    ):
        assert answer_of(away, english, first, last) == said, (first, last)
        Absence.objects.exclude(pk=row.pk).delete()
    assert answer_of(away, mate, 5, 8) == "", "another's days are his own"
    absence_change(absence=row, by=english.user, **days(6, 9))
    other, _ = away(english, 10, 12)
    between = "These days overlap an absence already entered (20 to 22 August 2026). Change that one."
    assert answer_of(absence_change, absence=row, by=english.user, **days(6, 10)) == between
    absence_end(absence=other, by=english.user)
    assert answer_of(absence_change, absence=row, by=english.user, **days(6, 10)) == ""


def test_only_some_people_may_stand_in(english: Membership, mate: Membership, dutch: Membership) -> None:
    observer = MembershipFactory(campaign=english.campaign, side=None, role="observer")
    same = "Only an admiral of the same side can stand in. Choose another."
    for who, said in (
        (english, "Choose another admiral as stand-in."),
        (dutch, same),
        (observer, same),
        (mate, ""),
    ):
        assert answer_of(away, english, 0, 1, stand_in=who) == said
    assert answer_of(away, observer, 0, 1).startswith("Turns wait only for admirals")


def test_an_absence_that_is_over_can_be_neither_changed_nor_ended(english: Membership, noon: Any) -> None:
    row, _ = away(english, 0, 2)
    noon.move_to(NOON + timedelta(days=2))
    assert answer_of(absence_change, absence=row, by=english.user, **days(0, 3)) == ""
    noon.move_to(NOON + timedelta(days=4))
    for act in (
        lambda: answer_of(absence_end, absence=row, by=english.user),
        lambda: answer_of(absence_change, absence=row, by=english.user, **days(0, 9)),
    ):
        assert act() == "That absence has ended."
    again, _ = away(english, 4, 6)
    stale = Absence.objects.get(pk=again.pk)
    assert answer_of(absence_end, absence=again, by=english.user) == ""
    for late in (again, stale):
        assert answer_of(absence_end, absence=late, by=english.user) == "That absence has ended."
    assert again.ended == NOON + timedelta(days=4)


def test_an_absence_is_emailed_to_umpires_stand_ins_and_the_absent_admiral_if_another_entered_it(
    english: Membership, mate: Membership, dutch: Membership, umpire: Any
) -> None:
    name = "english"
    row, _ = away(english, 0, 2, stand_in=mate, note=f"  {'x' * 205} ")
    assert row.note == "x" * 200
    text = (
        f"{name} (England) is away: 10 to 12 August 2026.\nmonck stands in for them.\nTheir note: {'x' * 200}"
    )
    for user, count in ((umpire, 1), (mate.user, 1), (english.user, 0), (dutch.user, 0)):
        assert [text.splitlines()[0] in one for one in heard(user)] == [True] * count
    assert text.splitlines()[1] in heard(umpire)[0] and text.splitlines()[2] in heard(umpire)[0]
    assert not UmpireAction.objects.exists()
    row, _ = absence_change(absence=row, by=umpire, note="n" * 300, **days(0, 3))
    assert (row.stand_in, row.note) == (None, "n" * 200)
    for user, count in ((umpire, 2), (mate.user, 2), (english.user, 1), (dutch.user, 0)):
        assert len(heard(user)) == count, "who stood in until now hears of it too"
    assert "No one stands in for them." in heard(mate.user)[1] and "is now away" in heard(mate.user)[1]
    absence_change(absence=row, by=english.user, **days(0, 4))
    assert "Their note" not in heard(umpire)[2] and len(heard(mate.user)) == 2
    absence_end(absence=row, by=umpire)
    assert "Their absence (10 to 14 August 2026) has ended" in heard(english.user)[1]
    actions = list(UmpireAction.objects.order_by("pk").values_list("action", flat=True))
    assert actions == ["changed a player's absence", "ended a player's absence"]


def test_an_admiral_who_adds_an_absence_learns_of_days_without_a_commander(
    english: Membership, mate: Membership
) -> None:
    Absence.objects.create(membership=mate, by="x", **days(5, 8))
    for first, last, doubts in ((1, 4, 0), (1, 5, 1), (8, 9, 1), (9, 12, 0)):
        row, said = away(english, first, last, stand_in=mate)
        assert (
            said
            == ["monck is also away (15 to 18 August 2026). On those days no one stands in for english."]
            * doubts
        ), (first, last)
        row.delete()
    Absence.objects.all().delete()
    Absence.objects.create(membership=english, stand_in=mate, by="x", **days(5, 8))
    for first, last, doubts in ((1, 4, 0), (1, 5, 1), (8, 9, 1), (9, 12, 0)):
        row, said = away(mate, first, last)
        assert (
            said
            == [
                "monck was to stand in for english (15 to 18 August 2026). While both are away, no one commands those fleets."
            ]
            * doubts
        ), (first, last)
        row.delete()


@pytest.mark.clause("G.CL1")
def test_the_umpire_learns_of_a_side_whose_admirals_are_all_away_from_opening_to_deadline(
    turn: Turn, english: Membership, mate: Membership, dutch: Membership, umpire: Any
) -> None:
    Preferences.objects.create(user=dutch.user, time_zone="Pacific/Auckland")  # there the eleventh has begun
    Turn.objects.update(opened=NOON + timedelta(hours=1), deadline=NOON + timedelta(days=3, hours=1))
    turn.refresh_from_db()

    def told(*absences: tuple[Membership, int, int]) -> list[str]:
        Absence.objects.all().delete()
        Notice.objects.all().delete()
        for member, first, last in absences:
            Absence.objects.create(membership=member, by="x", **days(first, last))
        count = sides_away_tell(turn=turn)
        found = heard(umpire)
        assert count == len(found)
        return [line for text in found for line in text.splitlines() if "until it closes" in line]

    assert told() == [] == told((english, 0, 3)), "monck is there"
    (line,) = told((english, 0, 3), (mate, 0, 3))
    assert " are away until it closes, and no one stands in." in line
    for first, last, whole in ((0, 3, False), (1, 4, True), (2, 4, False), (1, 3, False), (0, 9, True)):
        found = told((dutch, first, last))
        assert bool(found) is whole, (first, last)
        assert all("dutch is away until it closes" in line for line in found)
    type(dutch.side).objects.filter(pk=dutch.side_id).update(automatic=True)
    assert told((dutch, 0, 9)) == []
    Turn.objects.update(deadline=None)
    turn.refresh_from_db()
    Absence.objects.all().delete()
    for member in (english, mate):
        Absence.objects.create(membership=member, by="x", **days(0, 0))
    before = len(heard(umpire))
    assert answer_of(sides_away_tell, turn=turn) == ""
    assert len(heard(umpire)) == before + 1, "without a deadline the day of its opening counts"
