"""The address of a webhook is a key to someone's channel: an umpire and an administrator read only its host."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaign.models import Campaign, Membership, Notice, Preferences
from campaign.services.roles import umpire_admit
from tests.support.factories import MembershipFactory, NoticeFactory, UserFactory
from tests.support.people import World

pytestmark = [pytest.mark.one_database, pytest.mark.clause("G.IN1")]
CODE = "telltale"
HOOK = "https://discord.example/api/webhooks/123/zqhooksecret?wait=zqhookquery"
OWN = "https://chat.example/zqhookcampaign"


@pytest.fixture
def posts(told: World) -> list[Notice]:
    """A failed post to the Dutch admiral's webhook and one to the campaign's, whose errors tell their addresses; a co-umpire."""
    Preferences.objects.create(user=told.dutch.user, webhook=HOOK)
    Campaign.objects.filter(pk=told.campaign.pk).update(webhook=OWN)
    MembershipFactory(campaign=told.campaign, side=None, role="umpire", user=UserFactory(username="second"))
    umpire_admit(user=told.umpire.user)
    failed: dict[str, Any] = {"campaign": told.campaign, "status": "failed", "subject": "A turn has been run"}
    path = HOOK.partition("discord.example")[2]
    return [
        NoticeFactory(
            recipient=told.dutch.user, channel="webhook", address=HOOK, event="one", **failed,
            error=f"WebhookFailed: {HOOK} did not take it: HTTPSConnectionPool: Max retries exceeded with url: {path}",
        ),
        NoticeFactory(recipient=None, channel="campaign", address=OWN, event="two", **failed, error=f"no {OWN}"),
    ]  # fmt: skip


def test_an_umpire_sees_only_the_site_to_which_a_webhook_leads(told: World, posts: list[Notice]) -> None:
    second = Membership.objects.get(user__username="second").user
    for user in (told.umpire.user, second):
        client = Client()
        client.force_login(user)
        for name in ("mailbox", "people", "clock", "desk", "log", "mail_kinds", "campaign"):
            page = client.get(reverse(name, args=[CODE])).content.decode()
            assert "zqhook" not in page, name
            if name == "mailbox":
                assert "discord.example" in page and "chat.example" in page
        for post in posts:
            page = client.get(reverse("notice", args=[CODE, post.pk])).content.decode()
            assert "zqhook" not in page and post.where in page
            assert "did not take it" in page or f"no {post.where}" in page


@pytest.mark.parametrize("who", ["umpire", "administrator"])
def test_an_administration_page_shows_only_the_site_to_which_a_webhook_leads(
    told: World, posts: list[Notice], who: str
) -> None:
    client = told.client("umpire")
    if who == "administrator":
        client.force_login(UserFactory(username="keeper", is_staff=True, is_superuser=True))
    addresses = [reverse("admin:campaign_notice_changelist")]
    addresses += [reverse("admin:campaign_notice_change", args=[post.pk]) for post in posts]
    addresses.append(reverse("admin:campaign_campaign_change", args=[told.campaign.pk]))
    for address in addresses:
        answer = client.get(address)
        assert answer.status_code == 200 and "zqhook" not in answer.content.decode(), address
    assert "discord.example" in client.get(addresses[1]).content.decode()


def test_no_search_of_unsent_messages_reveals_a_webhook(told: World, posts: list[Notice]) -> None:
    client, address = told.client("umpire"), reverse("admin:campaign_notice_changelist")
    for tried in ("zqhooksecret", "zzwrong"):
        assert "A turn has been run" not in client.get(address, {"q": tried}).content.decode()
    assert "A turn has been run" in client.get(address, {"q": "turn"}).content.decode()


def test_its_owner_reads_and_changes_it(told: World, posts: list[Notice]) -> None:
    assert "zqhooksecret" in told.client("dutch").get(reverse("wishes")).content.decode()


@pytest.mark.parametrize(
    ("address", "where"),
    [("https://[::1/x", ""), ("nonsense", ""), ("https://Hooks.example:8443/a", "hooks.example")],
)
def test_an_unreadable_address_is_not_revealed_either(address: str, where: str) -> None:
    notice = Notice(channel="webhook", address=address, error=f"bad {address}")
    assert (notice.where, notice.trouble.startswith(f"bad {where}")) == (where, True)
