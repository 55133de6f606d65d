"""The page of campaign settings: read by all, changed by the umpire with a reason."""

import pytest
from django.urls import reverse

from campaign.models import Campaign, UmpireAction
from tests.support.people import World

pytestmark = [pytest.mark.one_database, pytest.mark.clause("G.UM1", "G.CL1")]
ADDRESS, CHANGE = (reverse(name, args=["telltale"]) for name in ("rules_in_force", "rules_change"))


def test_members_read_every_setting_and_can_change_none(told: World) -> None:
    shown = told.client("english").get(ADDRESS).content.decode()
    assert "Miles seen from the masthead in clear weather" in shown
    assert "England and the Dutch Republic: <b>war</b>" in shown.replace(
        "The Dutch Republic and England", "England and the Dutch Republic"
    )
    assert "<input" not in shown.split("Campaign settings</h1>")[1]
    assert "Save settings" not in shown


def test_the_umpire_changes_a_setting_and_everyone_sees_it_coming(told: World) -> None:
    umpire = told.client("umpire")
    response = umpire.post(CHANGE, {"see_clear": "9", "tie-ENG-NLD": "peace", "reason": "fog of war"})
    assert response.url == ADDRESS
    campaign = Campaign.objects.get(pk=told.campaign.pk)
    assert campaign.coming == {"settings": {"see_clear": 9}, "ties": [["ENG", "NLD", "peace"]]}
    shown = told.client("observer").get(ADDRESS).content.decode()
    assert "9 from the next turn" in shown
    assert "peace from the next turn" in shown
    log = told.client("dutch").get(reverse("log", args=["telltale"])).content.decode()
    assert "fog of war" in log and "12 → 9" in log


def test_refusals_come_back_with_what_was_typed(told: World) -> None:
    response = told.client("umpire").post(
        CHANGE, {"see_clear": "far", "knots_line": "x", "reason": "why not"}
    )
    shown = response.content.decode()
    assert response.status_code == 422
    assert shown.count("Nothing was changed.") == 1
    assert 'value="far" inputmode="numeric" aria-invalid="true"' in shown
    assert "Enter a number such as 4.5" in shown
    assert "why not</textarea>" in shown
    assert not UmpireAction.objects.filter(action="changed the settings").exists()


def test_a_change_without_a_reason_is_refused(told: World) -> None:
    response = told.client("umpire").post(CHANGE, {"see_clear": "9"})
    assert "Enter a reason" in response.content.decode()
    assert response.status_code == 422


def test_an_unchanged_form_says_so(told: World) -> None:
    response = told.client("umpire").post(CHANGE, {}, follow=True)
    assert "Nothing was changed." in response.content.decode()
