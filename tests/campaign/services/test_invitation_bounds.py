"""Invitations at their limits: how many days, how many links, how long between emails, and who gets which role."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.utils import timezone

from campaign.models import Campaign, Invitation, Membership, Notice, UmpireAction
from campaign.services.setup.invitations import (
    InvitationRefused,
    invitation_accept,
    invitation_again,
    invitation_by_token,
    invitation_check,
    invitation_decline,
    invitation_mail,
    invitation_make,
    invitation_unsent,
    invitation_withdraw,
)
from tests.support.answers import answer_of, flawless
from tests.support.factories import CommandFactory, FleetFactory, SideFactory, StationFactory, UserFactory

pytestmark = pytest.mark.one_database

NOW = datetime(2026, 7, 1, 12, tzinfo=UTC)
TICK = timedelta(microseconds=1)


@pytest.fixture
def umpire(campaign: Campaign) -> Any:
    return campaign.memberships.get(role="umpire").user


@pytest.fixture
def england(campaign: Campaign) -> Any:
    return campaign.sides.select_related("navy").get(name="England")


def make(campaign: Campaign, umpire: Any, **changes: Any) -> Invitation:
    """An invitation to observe, or to what is said."""
    return flawless(invitation_make, campaign=campaign, umpire=umpire, **{"role": "observer", **changes})[0]


@pytest.mark.clause("G.IN4")
def test_only_an_admiral_is_invited_to_a_side_and_it_belongs_to_the_campaign(
    campaign: Campaign, umpire: Any, england: Any
) -> None:
    def offer(**changes: Any) -> str:
        return answer_of(make, campaign=campaign, umpire=umpire, **changes)

    part = "Choose a role: umpire, observer, or admiral of a side."
    for changes in (
        {"role": "cook"}, {"role": "admiral"}, {"role": "observer", "side": england}, {"role": "umpire", "side": england},
        {"role": "cook", "side": england},
    ):  # fmt: skip
        assert offer(**changes) == part, changes
    assert offer(role="admiral", side=SideFactory()) == "That side is not in this campaign. Choose another."
    assert offer(role="admiral", side=england, chief=True).startswith("England has a commander-in-chief.")
    assert (
        offer(role="admiral", side=england)
        == offer(role="umpire")
        == offer(role="observer", chief=True)
        == ""
    )
    assert list(campaign.invitations.order_by("pk").values_list("role", "chief")) == [
        *(("admiral", False), ("umpire", False), ("observer", False))
    ]
    england.memberships.update(chief=False)
    assert make(campaign, umpire, role="admiral", side=england, chief=True).chief
    assert set(UmpireAction.objects.values_list("action", flat=True)) == {"invited someone"}


@pytest.mark.parametrize(("days", "good"), [(0, False), (1, True), (60, True), (61, False)])
def test_an_invitation_lasts_1_to_60_days(campaign: Campaign, umpire: Any, days: int, good: bool) -> None:
    with time_machine.travel(NOW, tick=False):
        said = answer_of(make, campaign=campaign, umpire=umpire, days=days)
        assert said == ("" if good else "An invitation can last 1 to 60 days. Change the number of days.")
        assert [row.expires for row in campaign.invitations.all()] == [NOW + timedelta(days=days)] * good


def test_an_invitation_lasts_14_days_by_default_and_names_are_cut(campaign: Campaign, umpire: Any) -> None:
    with time_machine.travel(NOW, tick=False):
        made = make(campaign, umpire, whom=f" {'x' * 100} ")
        assert (made.expires, made.mailed, made.whom) == (NOW + timedelta(days=14), None, "x" * 80)
        assert make(campaign, umpire, address="monck@club.example").mailed == NOW


@pytest.mark.parametrize(("open_", "full"), [(199, False), (200, True), (201, True)])
def test_a_campaign_has_up_to_200_open_invitations(
    campaign: Campaign, umpire: Any, open_: int, full: bool
) -> None:
    Invitation.objects.bulk_create(
        Invitation(campaign=campaign, role="observer", token_hash=f"{n}", made_by="u", expires=timezone.now(),
                   withdrawn=NOW if n == 999 else None)
        for n in (*range(open_), 999)
    )  # fmt: skip
    said = answer_of(make, campaign=campaign, umpire=umpire)
    assert (said == "You have 200 open invitations, which is the limit. Withdraw some.") is full


def test_an_address_is_invited_again_after_expiry_and_links_without_one_can_be_many(
    campaign: Campaign, umpire: Any
) -> None:
    with time_machine.travel(NOW, tick=False) as clock:
        make(campaign, umpire)
        make(campaign, umpire)
        make(campaign, umpire, address="monck@club.example", days=1)
        make(campaign, umpire, address="tromp@club.example", days=1)
        again = {"campaign": campaign, "umpire": umpire, "address": "Monck@club.example"}
        clock.move_to(NOW + timedelta(days=1) - TICK)
        assert answer_of(make, **again).startswith("Monck@club.example already has an invitation.")
        clock.move_to(NOW + timedelta(days=1))
        assert answer_of(make, **again) == ""


@pytest.mark.clause("G.EN1")
def test_no_one_joins_a_campaign_that_is_over(campaign: Campaign, umpire: Any) -> None:
    made = make(campaign, umpire, address="monck@club.example")
    Invitation.objects.update(mailed=None)
    Campaign.objects.update(status="closed")
    row = Invitation.objects.get(pk=made.pk)
    over = "A small war is over. No one can join it."
    assert answer_of(make, campaign=row.campaign, umpire=umpire) == over
    assert answer_of(invitation_again, invitation=row, umpire=umpire) == over
    with pytest.raises(InvitationRefused, match="No one can join it") as no:
        invitation_check(invitation=row)
    assert no.value.gone


# --- sent again, withdrawn ---------------------------------------------------------------------------------


def test_a_link_is_emailed_again_24_hours_later_and_lasts_as_long_as_at_first(
    campaign: Campaign, umpire: Any
) -> None:
    wait = "This invitation was sent less than a day ago. Try again tomorrow."
    with time_machine.travel(NOW, tick=False) as clock:
        made = make(campaign, umpire, address="monck@club.example", days=5)
        for ago, said in ((timedelta(0), wait), (timedelta(days=1) - TICK, wait), (timedelta(days=1), "")):
            clock.move_to(NOW + ago)
            row = Invitation.objects.get(pk=made.pk)
            assert answer_of(invitation_again, invitation=row, umpire=umpire) == said, ago
        row.refresh_from_db()
        day = timedelta(days=1)
        assert (row.mailed, row.expires) == (NOW + day, NOW + 6 * day)
        Invitation.objects.update(made=NOW - day)
        row.refresh_from_db()
        clock.move_to(NOW + 3 * day)
        assert answer_of(invitation_again, invitation=row, umpire=umpire) == ""
        assert row.expires == NOW + 8 * day, "as long as since it was mailed, not since it was made"
        invitation_unsent(invitation=row)
        assert (row.mailed, Invitation.objects.get(pk=row.pk).mailed) == (None, None)
        Invitation.objects.update(made=NOW)
        row.refresh_from_db()
        clock.move_to(NOW + 4 * day)
        assert answer_of(invitation_again, invitation=row, umpire=umpire) == "", "no mail of today went out"
        assert row.expires == NOW + 12 * day
        clock.move_to(NOW + 5 * day)
        _, link = invitation_again(invitation=row, umpire=umpire)
        assert len(link.rstrip("/").rpartition("/")[2]) == 192 // 6, "192 random bits, 6 in a letter"
    assert UmpireAction.objects.filter(action="sent an invitation again").count() == 4


def test_a_link_that_was_handed_over_is_not_emailed_again_and_is_withdrawn_once(
    campaign: Campaign, umpire: Any
) -> None:
    made, link = invitation_make(campaign=campaign, umpire=umpire, role="observer")
    said = answer_of(invitation_again, invitation=made, umpire=umpire)
    assert said == "This invitation has no address. Withdraw it and create another."
    token = link.rstrip("/").rpartition("/")[2]
    assert len(token) == 192 // 6, "192 random bits, 6 in a letter"
    found = invitation_by_token(token)
    assert found == made and invitation_by_token("made up") is None
    invitation_withdraw(invitation=made, umpire=umpire)
    twice = answer_of(invitation_withdraw, invitation=made, umpire=umpire)
    assert twice == "That invitation has already been answered or withdrawn."


def test_an_email_names_its_umpire_without_an_address(campaign: Campaign, umpire: Any) -> None:
    umpire.username = "ursula@secret.example"
    made, link = invitation_make(
        campaign=campaign, umpire=umpire, role="observer", address="monck@club.example"
    )
    assert invitation_mail(invitation=made, link=link) is True
    (sent,) = mail.outbox
    assert "ursula" in sent.body and "secret" not in sent.body and link in sent.body


# --- taken, declined ----------------------------------------------------------------------------------------

GONE = [
    ({"accepted": NOW}, "This invitation has already been accepted. Ask umpire for a new one."),
    ({"declined": NOW}, "This invitation has been declined. Ask umpire for a new one."),
    ({"withdrawn": NOW}, "This invitation has been withdrawn. Ask umpire for a new one."),
    ({"expires": NOW}, "This invitation has expired. Ask umpire for a new one."),
    ({"expires": NOW - TICK}, "This invitation has expired. Ask umpire for a new one."),
    ({"expires": NOW + TICK}, ""),
]  # fmt: skip


def test_a_link_that_can_no_longer_be_used_says_why(
    campaign: Campaign, umpire: Any, english: Membership
) -> None:
    own = answer_of(invitation_check, invitation=make(campaign, umpire), user=umpire)
    assert own == "You have already joined A small war: you are an umpire."
    for user in (None, UserFactory()):
        assert answer_of(invitation_check, invitation=make(campaign, umpire), user=user) == ""
    with time_machine.travel(NOW, tick=False):
        for changes, said in GONE:
            made = make(campaign, umpire)
            Invitation.objects.filter(pk=made.pk).update(**changes)
            row = Invitation.objects.get(pk=made.pk)
            for user in (None, umpire if not said else UserFactory()):
                try:
                    invitation_check(invitation=row, user=user)
                    found, gone = "", True
                except InvitationRefused as no:
                    found, gone = str(no), no.gone
                if user == umpire:
                    assert found == "You have already joined A small war: you are an umpire."
                    assert not gone, "somebody else can take it"
                else:
                    assert (found, gone) == (said, True), changes
    with pytest.raises(InvitationRefused, match="you are commander-in-chief of England"):
        invitation_accept(invitation=row, user=english.user)


def joined(row: Invitation, **user: Any) -> Membership:
    return flawless(invitation_accept, invitation=Invitation.objects.get(pk=row.pk), user=UserFactory(**user))


@pytest.mark.clause("G.IN4")
def test_each_new_member_has_the_role_offered_and_the_umpire_is_notified(
    campaign: Campaign, umpire: Any, england: Any, settings: Any
) -> None:
    settings.CAMPAIGN_STARTERS = "everybody"
    idle = FleetFactory(navy=england.navy, code="IDLE")
    StationFactory(fleet=idle, at="nore")
    admiral = joined(make(campaign, umpire, role="admiral", side=england), username="monck")
    assert (admiral.role, admiral.side, admiral.chief, admiral.commands.count()) == (
        "admiral",
        england,
        False,
        0,
    )
    assert Notice.objects.filter(recipient=admiral.user, kind="turn_opened").count() == 1
    for role in ("observer", "umpire"):
        assert answer_of(joined, make(campaign, umpire, role=role), username=f"new {role}") == ""
        member = campaign.memberships.get(user__username=f"new {role}")
        assert (member.role, member.side, member.chief) == (role, None, False)
        assert not Notice.objects.filter(recipient=member.user, kind="turn_opened").exists()
        groups = set(member.user.groups.values_list("name", flat=True))
        assert groups <= {"Umpires"} and (role == "umpire" or not groups)
    told = Notice.objects.filter(recipient=umpire, event__contains="-joined-").order_by("pk")
    assert [
        row.text.partition("has accepted your invitation and is now ")[2].partition(".")[0] for row in told
    ] == [*("an admiral of England", "an observer", "an umpire")]
    log = UmpireAction.objects.filter(action="joined the campaign").order_by("pk")
    assert [row.reason for row in log] == [
        f"{part}, invited by umpire." for part in ("an admiral of England", "an observer", "an umpire")
    ]


@pytest.mark.clause("G.IN4")
def test_an_invited_commander_in_chief_becomes_an_admiral_where_there_is_one_already(
    campaign: Campaign, umpire: Any, england: Any
) -> None:
    StationFactory(fleet=FleetFactory(navy=england.navy, code="IDLE"), at="nore")
    england.memberships.update(chief=False)
    one, two = (make(campaign, umpire, role="admiral", side=england, chief=True) for _ in range(2))
    private = joined(make(campaign, umpire, role="admiral", side=england))
    assert not private.chief, "he was not invited to be"
    first, second = joined(one, username="monck"), joined(two, username="rupert")
    assert (first.chief, second.chief) == (True, False)
    assert first.commands.get().fleet.code == "IDLE" and not second.commands.exists()


@pytest.mark.clause("G.IN4")
def test_the_automatic_admiral_hands_a_side_over_to_its_first_player_and_says_so(
    campaign: Campaign, umpire: Any, england: Any
) -> None:
    said = "The automatic admiral has handed over the side."
    for automatic in (False, True):
        type(england).objects.filter(pk=england.pk).update(automatic=automatic)
        member = joined(make(campaign, umpire, role="admiral", side=england))
        england.refresh_from_db()
        assert not england.automatic
        told = Notice.objects.get(recipient=umpire, event=f"small-joined-{member.pk}")
        log = UmpireAction.objects.filter(action="joined the campaign").order_by("-pk")[0]
        assert (said in told.text) is (said in log.reason) is automatic


def test_one_link_is_used_once_even_if_two_people_have_it_open(campaign: Campaign, umpire: Any) -> None:
    row = make(campaign, umpire)
    open_ = Invitation.objects.get(pk=row.pk)
    joined(row)
    for act in (lambda: invitation_accept(invitation=open_, user=UserFactory()), lambda: invitation_decline(invitation=open_)):  # fmt: skip
        with pytest.raises(InvitationRefused) as no:
            act()
        assert no.value.gone


@pytest.mark.parametrize(
    ("changes", "who"),
    [
        ({"whom": "Monck", "address": "m@club.example"}, "Monck"),
        ({"address": "m@club.example"}, "m@club.example"),
        ({}, "Someone"),
    ],
)
def test_the_umpire_learns_who_has_declined(campaign: Campaign, umpire: Any, changes: Any, who: str) -> None:
    invitation_decline(invitation=make(campaign, umpire, **changes))
    told = Notice.objects.get(recipient=umpire, event__contains="-declined-")
    assert f"{who} has declined your invitation to be an observer." in told.text


def test_only_players_in_the_umpires_own_campaigns_are_not_strangers(
    campaign: Campaign, umpire: Any, english: Membership, settings: Any
) -> None:
    settings.INVITATIONS_PER_DAY = 0
    assert CommandFactory(membership=english).membership == english
    stranger = answer_of(make, campaign=campaign, umpire=umpire, address="nobody@club.example")
    assert stranger.startswith("You have sent 0 invitations in 24 hours, and the limit is 0.")
    assert answer_of(make, campaign=campaign, umpire=umpire, address=english.user.email.upper()) == ""
    Invitation.objects.all().delete()
    other = UserFactory()
    assert "0 invitations" in answer_of(make, campaign=campaign, umpire=other, address=english.user.email)
