"""Luck: throws against expectation, with the spread, and no one reads secret dice."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from battles.luck import add_throw, merged
from battles.models import BattleLog
from campaign.models import Turn
from campaign.selectors.reports.luck import face_row, luck_for, luck_row
from tests.support.fought import Fought, fought

pytestmark = pytest.mark.clause("G.FA2")


@pytest.mark.parametrize(
    ("faces", "mean", "z", "words"),
    [
        ({1: 10, 2: 10, 3: 10, 4: 10, 5: 10, 6: 10}, 3.5, 0.0, "as expected"),
        ({6: 29}, 6.0, 7.9, "too few dice to say"),
        ({3: 50, 4: 50, 6: 10}, 3.73, 1.4, "a little high, as often happens"),
        ({1: 20, 3: 20, 4: 20, 5: 10}, 3.0, -2.4, "low, which happens 1 time in 20"),
        ({6: 60}, 6.0, 11.3, "high, which happens 1 time in 1,000"),
    ],
)
def test_the_mean_is_compared_with_what_that_many_dice_should_give(
    faces: dict[int, int], mean: float, z: float, words: str
) -> None:
    row = luck_row("K.F8", "England", "D6", faces)
    assert (row.mean, row.z, row.words) == (mean, z, words)
    assert row.expected == 3.5 and row.count == sum(faces.values())


def test_faces_are_compared_by_chi_square() -> None:
    even = face_row("England", "D6", dict.fromkeys(range(1, 7), 100))
    assert even.words.startswith("fair") and even.faces[0] == (1, 100, 100.0)
    loaded = face_row("England", "D6", {1: 60, 2: 100, 3: 100, 4: 100, 5: 100, 6: 140})
    assert loaded.words == "very uneven, which happens 1 time in 100"
    average = face_row("England", "DAve", {2: 17, 3: 33, 4: 34, 5: 16})
    assert average.words.startswith("fair") and [face for face, _, _ in average.faces] == [2, 3, 4, 5]


def test_a_throw_counts_for_the_first_owner_that_it_names() -> None:
    count: dict[str, Any] = {}
    owners = {"E1": "ENG", "D1": "NLD"}
    add_throw(count, clause="K.F8", key="c/1/K.F8/3/E1/D1", die="D6", faces=(4, 4), owners=owners)
    add_throw(count, clause="G.WX2", key="c/1/G.WX2/8/south", die="D6", faces=(1,), owners=owners)
    assert count == {"K.F8": {"ENG": {"D6": {"4": 2}}}, "G.WX2": {"": {"D6": {"1": 1}}}}
    assert merged(count, count)["K.F8"]["ENG"]["D6"]["4"] == 4


@pytest.fixture
def told(db: Any) -> Fought:
    return fought()


@pytest.mark.one_database
@pytest.mark.clause("G.FA2", "G.IN1")
def test_a_side_reads_its_own_chart_dice_and_battles_and_the_umpire_reads_all(told: Fought) -> None:
    campaign = told.campaign
    turn = campaign.turns.get(number=1)
    assert turn.luck
    Turn.objects.filter(pk=turn.pk).update(
        luck={**turn.luck, "G.GF1": {"ENG": {"D8": {"1": 3}}, "NLD": {"D8": {"8": 4}}}}
    )
    members = {row.user.username.split("@")[0]: row for row in campaign.memberships.all()}
    sealed = luck_for(campaign, members["english"])
    assert sealed.turns == 0 and not any(row.clause.startswith("G.") for row in sealed.rows)
    assert any(row.clause.startswith("K.") for row in sealed.rows)
    campaign.settings = {"secrets_after": 0}
    english, umpire = (luck_for(campaign, members[name]) for name in ("english", "umpire"))
    gale = {
        name: {row.side for row in luck.rows if row.clause == "G.GF1"}
        for name, luck in (("e", english), ("u", umpire))
    }
    assert gale == {"e": {"England"}, "u": {"England", "Dutch Republic"}}
    assert any(row.clause.startswith("K.") for row in english.rows)
    assert (english.turns, english.battles) == (1, BattleLog.objects.filter(battle__status="written").count())
    french = luck_for(campaign, members["french"])
    assert french.battles == 0 and not any(row.clause.startswith("K.") for row in french.rows)
    assert luck_for(campaign, members["observer"]).rows == ()
    campaign.status = "closed"
    assert luck_for(campaign, members["observer"]).rows == umpire.rows


@pytest.mark.clause("G.FA2", "G.FA1")
def test_dice_of_an_open_turn_are_never_counted(told: Fought) -> None:
    before = luck_for(told.campaign, told.campaign.memberships.get(role="umpire"))
    Turn.objects.filter(number=2).update(luck={"G.CO3": {"ENG": {"D6": {"6": 50}}}}, phase="fighting")
    assert luck_for(told.campaign, told.campaign.memberships.get(role="umpire")) == before


def test_the_page_opens_for_members_and_says_what_the_dice_say(told: Fought) -> None:
    page = reverse("luck", args=[told.campaign.code])
    shown = told.client("english").get(page).content.decode()
    assert "By clause" in shown and "Expected" in shown
    assert "when the campaign is over" in told.client("observer").get(page).content.decode()
    assert told.client("stranger").get(page).status_code == 404
