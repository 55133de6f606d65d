"""The migrations of people: existing umpires get access to the admin, and emailed invitations stay emailed."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps
from django.contrib.auth.models import Group
from django.utils import timezone

from campaign.models import Invitation
from tests.support.factories import MembershipFactory, SideFactory

pytestmark = pytest.mark.django_db


def test_umpires_of_running_campaigns_get_access_and_admirals_do_not() -> None:
    migration = import_module("campaign.migrations.0050_roles")
    side = SideFactory()
    umpire = MembershipFactory(campaign=side.campaign, side=None, role="umpire").user
    admiral = MembershipFactory(campaign=side.campaign, side=side).user
    migration.drop_roles(apps, None)
    assert not Group.objects.exists()

    migration.make_roles(apps, None)

    umpire.refresh_from_db()
    admiral.refresh_from_db()
    assert umpire.is_staff and umpire.groups.get().name == "Umpires"
    assert not admiral.is_staff and not admiral.groups.exists()


def test_emailed_invitations_keep_their_day() -> None:
    migration = import_module("campaign.migrations.0115_people")
    campaign = SideFactory().campaign
    offer = {"campaign": campaign, "role": "observer", "made_by": "umpire", "expires": timezone.now()}
    mailed = Invitation.objects.create(**offer, token_hash="a", address="rupert@club.example")
    handed = Invitation.objects.create(**offer, token_hash="b")
    migration.mails_dated(apps, None)
    mailed.refresh_from_db()
    handed.refresh_from_db()
    assert (mailed.mailed, handed.mailed) == (mailed.made, None)
