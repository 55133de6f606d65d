"""`manage.py showcase`: finished campaigns for the front page."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from campaign.models import Campaign, PublicPage

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]


def test_a_demo_is_played_ended_opened_and_shown_and_can_be_taken_down() -> None:
    said = StringIO()
    call_command("showcase", demo="yellow_sea_1904", turns=1, stdout=said)
    page = PublicPage.objects.select_related("campaign__book").get()
    assert (page.open, page.showcase, page.campaign.status) == (True, True, Campaign.Status.CLOSED)
    assert f"shows {page.campaign.name}" in said.getvalue()
    address = f"/public/{page.campaign.code}/"
    assert address in Client().get("/").content.decode()
    shown = Client().get(address).content.decode()
    assert "Kwampo" in shown and "Official Messenger" in shown and "every side" in shown
    assert "site administrator" not in shown
    call_command("showcase", page.campaign.code, off=True, stdout=said)
    assert address not in Client().get("/").content.decode()


@pytest.mark.parametrize(
    ("args", "options", "words"),
    [
        (["nowhere"], {}, "no campaign 'nowhere'"),
        ([], {}, "name a campaign, or a theatre"),
        (["one"], {"demo": "caribbean"}, "name a campaign, or a theatre"),
    ],
)
def test_a_campaign_that_cannot_be_shown_is_refused_in_a_line(
    args: list[str], options: dict[str, str], words: str
) -> None:
    with pytest.raises(CommandError, match=words):
        call_command("showcase", *args, **options)
