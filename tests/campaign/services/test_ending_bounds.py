"""When a campaign is over and when it goes on: the day before its last, a point short, and days of the calendar that still can be set."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth import get_user_model

from campaign.models import CalendarRow, Campaign
from campaign.services.desk.calendar import calendar_move, calendar_strike
from campaign.services.turn import ending
from campaign.services.turn.ending import reason_to_end

pytestmark = pytest.mark.one_database


@pytest.mark.clause("G.EN1")
def test_a_campaign_continues_until_its_last_day(campaign: Campaign) -> None:
    campaign.settings = {"end_date": "1666-06-30"}
    said = []
    for day in (0, 30, 31):
        campaign.calendar_day = day
        said.append(reason_to_end(campaign))
    assert said == ["", "", "The campaign has reached its last day, 30 June 1666."]
    campaign.settings = {}
    assert reason_to_end(campaign) == ""


@pytest.mark.clause("G.EN1", "G.OB3")
@pytest.mark.parametrize(
    ("england", "dutch", "least", "said"),
    [
        (10, 4, 10, "England has won with 10 points or more."),
        (10, 4, 11, ""),
        (4, 12, 10, "The Dutch Republic has won with 10 points or more."),
        (12, 12, 10, ""),
        (12, 4, 0, ""),
    ],
)
def test_a_side_has_won_that_has_the_points_and_more_than_any_other(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch, england: int, dutch: int, least: int, said: str
) -> None:
    sums = {"ENG": Fraction(england), "NLD": Fraction(dutch)}
    monkeypatch.setattr(ending, "point_sums", lambda campaign: sums)
    for objectives in ("on", "off"):
        campaign.settings = {"end_points": least, "objectives": objectives}
        assert reason_to_end(campaign) == said
    campaign.alliances = [["ENG", "NLD"]]
    assert reason_to_end(campaign) == said, "without objectives allies score for themselves"


@pytest.mark.clause("G.EN1", "G.OB3")
@pytest.mark.parametrize("least", [0, 10, 12, 13])
def test_allies_win_with_their_points_together(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch, least: int
) -> None:
    monkeypatch.setattr(ending, "point_sums", lambda campaign: {"ENG": Fraction(4), "NLD": Fraction(8)})
    campaign.alliances = [["ENG", "NLD"]]
    campaign.settings = {"end_points": least, "objectives": "on"}

    assert reason_to_end(campaign) == (
        f"England and the Dutch Republic have won with {least} points or more." if least in (10, 12) else ""
    )


@pytest.mark.clause("G.CA1", "G.UM1")
def test_an_event_can_be_given_any_day_from_today_to_the_last(campaign: Campaign) -> None:
    CalendarRow.objects.create(
        campaign=campaign, code="oak", kind="arrive", deed="arrive", first="1666-06-20", last="1666-06-20",
        chance=1, known=[], announced=False, do={}, text="Ships come.", note="", sheets={},
    )  # fmt: skip
    CalendarRow.objects.create(
        campaign=campaign, code="news", kind="politics", deed="", first="1666-06-20", last="1666-06-20",
        chance=1, known=[], announced=False, do={}, text="News.", note="", sheets={},
    )  # fmt: skip
    campaign.settings, campaign.calendar_day = {"end_date": "1666-07-31"}, 3
    common: Any = {
        "campaign": campaign, "turn": campaign.turns.get(), "umpire": get_user_model().objects.get(username="umpire"),
        "reason": "a test",
    }  # fmt: skip

    def refused(day: str, code: str = "oak") -> str:
        try:
            moved = calendar_move(code=code, day=day, **common)
        except Exception as refusal:
            return str(refusal)
        assert (moved.moved, moved.struck) == (day, False)
        return ""

    assert [refused(day) for day in ("1666-06-01", "1666-06-02", "1666-07-31", "1666-08-01")] == [
        "That day has passed. Choose 2 June 1666 or later.", "", "", "The campaign ends on 31 July 1666. Choose an earlier day.",
    ]  # fmt: skip
    assert refused("1666-06-05", "news") == "Event not found. Reload the page and try again."
    campaign.settings = {}
    assert refused("1667-01-01") == ""
    assert calendar_strike(code="oak", **common).struck
    assert refused("1666-06-09") == ""


@pytest.mark.clause("G.OB3")
def test_a_decisive_objective_is_announced_with_the_full_name_of_its_side(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = campaign.sides.get(name="Dutch Republic").code
    row = SimpleNamespace(side=code, words="Lie off the Thames.")
    monkeypatch.setattr(ending, "_deciding", lambda campaign, settings: [row])
    assert (
        reason_to_end(campaign) == "The Dutch Republic has achieved a decisive objective: Lie off the Thames."
    )
