"""Consent: an address that someone names is invited, and has no role in a campaign before its owner accepts."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.auth import get_user_model
from django.core import mail

from campaign.models import Campaign, Invitation, Membership, Notice, Turn, UmpireAction
from campaign.notices.mail_away import outage_over
from campaign.services.orders.admirals import automatic_orders_write
from campaign.services.setup.invitations import (
    InvitationRefused,
    invitation_accept,
    invitation_again,
    invitation_by_token,
    invitation_decline,
    invitation_mail,
    invitation_make,
    invitation_withdraw,
)
from campaign.services.setup.setup import (
    SetupRefused,
    campaign_start,
    shipped_theatres,
    theatre_load,
)
from campaign.services.setup.sides import SideStart
from campaign.services.turn.readiness import ready_set
from campaign.services.umpire_log import UmpireRefused
from fleets.models import Register
from tests.campaign.services.conftest import small_register
from tests.support.answers import flawless
from tests.support.factories import MembershipFactory, UserFactory
from tests.support.put_back import put_back

pytestmark = pytest.mark.django_db
START = datetime(2026, 7, 1, 12, tzinfo=UTC)


@pytest.fixture
def umpire() -> Any:
    """Somebody with an account."""
    return UserFactory(username="ursula")


def begun(
    umpire: Any, english: list[str], dutch: list[str], code: str = "war", name: str = "A war"
) -> Campaign:
    """A campaign to which these addresses are invited."""
    register = Register.objects.filter(code="small").first() or small_register()
    path = next(path for path in shipped_theatres() if path.stem == "narrow_seas_1666")
    return flawless(campaign_start,
        name=name, code=code, theatre=theatre_load(document=json.loads(path.read_text())), rule_set="kohler", umpire=umpire,
        sides=[SideStart("England", register, "English", english), SideStart("Dutch Republic", register, "Dutch", dutch)],
    )  # fmt: skip


def invitation_of(address: str) -> Invitation:
    """The invitation that the newest mail to an address leads to."""
    body = next(sent.body for sent in reversed(mail.outbox) if sent.to == [address])
    found = re.search(r"/join/(\S+)", body)
    assert found is not None
    invitation = invitation_by_token(found[1])
    assert invitation is not None
    return invitation


def test_people_named_when_a_campaign_starts_are_only_invited(umpire: Any) -> None:
    known = UserFactory(username="monck", email="monck@club.example")
    people = get_user_model().objects.count()
    campaign = begun(umpire, ["Monck@club.example", "rupert@club.example"], ["tromp@club.example"])
    assert [row.user for row in campaign.memberships.all()] == [umpire]
    assert not Membership.objects.filter(user=known).exists()
    assert get_user_model().objects.count() == people, "no account is made for a stranger"
    assert not Notice.objects.exists(), "and nobody is told of the turn"
    assert {row.address: (str(row.side), row.chief) for row in campaign.invitations.all()} == {
        "Monck@club.example": ("England", True),
        "rupert@club.example": ("England", False),
        "tromp@club.example": ("Dutch Republic", True),
    }
    assert sorted(sent.to[0] for sent in mail.outbox) == [
        *("Monck@club.example", "rupert@club.example", "tromp@club.example")
    ]
    assert all(row.mailed is not None for row in campaign.invitations.all())


@pytest.mark.clause("G.IN4")
def test_the_automatic_admiral_commands_until_the_first_admiral_accepts(umpire: Any) -> None:
    campaign = begun(umpire, ["monck@club.example"], ["tromp@club.example"])
    turn = campaign.turns.get()
    assert {side.automatic for side in campaign.sides.all()} == {True}
    assert automatic_orders_write(turn=turn) == 2
    monck = UserFactory(username="monck", email="monck@club.example")
    member = invitation_accept(invitation=invitation_of("monck@club.example"), user=monck)
    assert member.chief and member.commands.count() == 1
    assert {side.name: side.automatic for side in campaign.sides.all()} == {
        "England": False,
        "Dutch Republic": True,
    }
    told = Notice.objects.get(recipient=monck)
    assert told.kind == "turn_opened", "who joins is told of the turn that is open"
    assert "Turn 1" in told.text


def test_a_player_who_joins_in_a_later_turn_is_told_about_that_one(umpire: Any) -> None:
    campaign = begun(umpire, ["monck@club.example"], [])
    Turn.objects.filter(campaign=campaign).update(number=4)
    invitation_accept(invitation=invitation_of("monck@club.example"), user=UserFactory(username="monck"))
    assert "Turn 4" in Notice.objects.get(recipient__username="monck").text


@pytest.mark.clause("G.CL1")
def test_a_turn_is_not_run_early_while_an_invited_admiral_may_still_join(umpire: Any) -> None:
    with time_machine.travel(START, tick=False) as clock:
        campaign = begun(umpire, ["monck@club.example"], ["tromp@club.example"])
        invitation_accept(invitation=invitation_of("monck@club.example"), user=UserFactory(username="monck"))
        turn = campaign.turns.select_related("campaign__book").get()
        monck = campaign.memberships.select_related("user", "side__navy").get(user__username="monck")
        for answer in ("none", "declines", "withdrawn", "expires"):
            with put_back():
                if answer == "expires":
                    clock.move_to(START + timedelta(days=15))
                ready_set(turn=turn, membership=monck, ready=True)
                if answer == "declines":
                    invitation_decline(invitation=invitation_of("tromp@club.example"))
                if answer == "withdrawn":
                    invitation_withdraw(invitation=invitation_of("tromp@club.example"), umpire=umpire)
                assert campaign.turns.get().phase == ("open" if answer == "none" else "locked"), answer
            turn.refresh_from_db()


def test_an_invitation_that_is_declined_can_neither_be_accepted_nor_sent_again(umpire: Any) -> None:
    campaign = begun(umpire, ["monck@club.example"], [])
    invitation = invitation_of("monck@club.example")
    stale = Invitation.objects.get(pk=invitation.pk)
    invitation_decline(invitation=invitation)
    for row in (stale, invitation_of("monck@club.example")):
        with pytest.raises(InvitationRefused):
            invitation_accept(invitation=row, user=UserFactory())
        with pytest.raises(InvitationRefused):
            invitation_decline(invitation=row)
    Invitation.objects.update(mailed=None)
    with pytest.raises(UmpireRefused, match="answered or withdrawn"):
        invitation_again(invitation=Invitation.objects.get(), umpire=umpire)
    assert campaign.memberships.count() == 1
    told = Notice.objects.get(recipient=umpire)
    assert "monck@club.example has declined your invitation to be commander-in-chief of England" in told.text
    assert not UmpireAction.objects.filter(reason__contains="monck").exists(), "the log names nobody"


def test_an_invitation_sent_again_has_a_new_link_and_the_old_one_is_worthless(umpire: Any) -> None:
    with time_machine.travel(START, tick=False) as clock:
        begun(umpire, ["monck@club.example"], [])
        old = re.search(r"/join/(\S+)", mail.outbox[0].body)[1]  # type: ignore[index]
        clock.move_to(START + timedelta(hours=23))
        with pytest.raises(UmpireRefused, match="less than a day ago"):
            invitation_again(invitation=Invitation.objects.get(), umpire=umpire)
        clock.move_to(START + timedelta(days=20))
        again, link = invitation_again(invitation=Invitation.objects.get(), umpire=umpire)
        assert invitation_mail(invitation=again, link=link)
        assert invitation_by_token(old) is None
        assert invitation_of("monck@club.example").expires == START + timedelta(days=34)
        invitation_accept(invitation=invitation_of("monck@club.example"), user=UserFactory())


def test_an_unavailable_mail_server_costs_an_umpire_only_a_click(umpire: Any, settings: Any) -> None:
    good = settings.EMAIL_BACKEND
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    settings.INVITATIONS_PER_DAY = 1
    campaign = begun(umpire, ["monck@club.example"], [])
    assert campaign.invitations.get().mailed is None
    settings.EMAIL_BACKEND = good
    outage_over()
    again, link = invitation_again(invitation=campaign.invitations.get(), umpire=umpire)
    assert invitation_mail(invitation=again, link=link)
    assert invitation_of("monck@club.example").mailed is not None


# --- how many --------------------------------------------------------------------------------------------


def invited(campaign: Campaign, umpire: Any, address: str) -> Invitation:
    """One more observer."""
    return flawless(invitation_make, campaign=campaign, umpire=umpire, role="observer", address=address)[0]


@pytest.mark.parametrize("known", [True, False])
def test_a_person_can_email_a_limited_number_of_invitations_a_day_to_known_or_unknown_addresses(
    umpire: Any, settings: Any, known: bool
) -> None:
    settings.INVITATIONS_PER_DAY = 3
    if known:
        UserFactory(username="five", email="a5@club.example")
    with time_machine.travel(START, tick=False) as clock:
        campaign = begun(umpire, ["a1@club.example"], ["a2@club.example"])
        other = begun(umpire, [], [], code="second")
        invited(other, umpire, "a3@club.example")
        with pytest.raises(UmpireRefused, match="the limit is 3"):
            invited(campaign, umpire, "a5@club.example")
        with pytest.raises(SetupRefused, match="the limit is 3"):
            begun(umpire, ["a5@club.example"], [], code="third")
        assert not Campaign.objects.filter(book__code="third").exists(), "nothing is half saved"
        assert Invitation.objects.count() == 3
        invitation_make(campaign=campaign, umpire=umpire, role="observer")  # a link to hand over is no mail
        invited(campaign, UserFactory(username="other umpire"), "a5@club.example")
        clock.move_to(START + timedelta(days=1, seconds=1))
        invited(other, umpire, "a5@club.example")


def test_players_in_the_umpires_campaigns_do_not_count(umpire: Any, settings: Any) -> None:
    settings.INVITATIONS_PER_DAY = 1
    first = begun(umpire, [], [])
    for n in range(3):
        user = UserFactory(username=f"player{n}", email=f"Player{n}@club.example")
        MembershipFactory(campaign=first, side=None, role="observer", user=user)
    begun(umpire, ["player0@club.example", "player1@club.example"], ["player2@club.example"], code="second")
    invited(first, umpire, "stranger@club.example")
    with pytest.raises(UmpireRefused):
        invited(first, umpire, "stranger2@club.example")


def test_an_address_is_not_invited_twice_while_it_may_still_accept(umpire: Any) -> None:
    campaign = begun(umpire, ["monck@club.example"], [])
    with pytest.raises(UmpireRefused, match="already has an invitation"):
        invited(campaign, umpire, "MONCK@club.example")
    invitation_withdraw(invitation=invitation_of("monck@club.example"), umpire=umpire)
    invited(campaign, umpire, "monck@club.example")


def test_umpires_do_not_invite_themselves(umpire: Any) -> None:
    with pytest.raises(SetupRefused, match="your own address"):
        begun(umpire, [umpire.email.upper()], [])


def test_an_email_to_a_stranger_contains_nothing_its_umpire_can_advertise_with() -> None:
    umpire = UserFactory(username="buy.example.com")
    name = "Win a prize at https://evil.example/login?x=1 or write to me@evil.example\nSubject: " + "x" * 40
    begun(umpire, ["monck@club.example"], [], name=name[:120])
    (sent,) = mail.outbox
    assert sent.subject == "Weather Gage: your invitation to a campaign"
    title = next(line for line in sent.body.splitlines() if line.startswith("Campaign: "))
    assert len(title) <= len("Campaign: ") + 60
    assert "Win a prize at" in title
    assert "evil.example" not in sent.body and "example.com" not in sent.body
    assert sent.body.count("://") == 1, "our own link and no other"
