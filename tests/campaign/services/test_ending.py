"""How a campaign ends, and what everyone may read then."""

from typing import Any

import pytest

from campaign.models import Campaign, Membership, Notice, Turn, UmpireAction
from campaign.selectors.reports.chronicle import chronicle, chronicle_lines, whole_chronicle
from campaign.selectors.reports.score import point_sums, standings
from campaign.services.sweep import sweep
from campaign.services.turn.ending import EndRefused, campaign_close
from tests.campaign.services.conftest import first_turn_played, start
from tests.support.put_back import put_back
from tests.support.turns import turn_closes

Status = Campaign.Status


def play(campaign: Campaign) -> None:
    """Play the open turn."""
    turn_closes(campaign.turns.get(phase=Turn.Phase.OPEN))
    campaign.refresh_from_db()


@pytest.mark.clause("G.EN1")
def test_a_campaign_ends_on_its_date_and_opens_no_other_turn(campaign: Campaign) -> None:
    campaign.settings = {"end_date": "1666-06-01"}
    campaign.save()
    play(campaign)
    assert campaign.status == Status.ACTIVE
    play(campaign)
    assert campaign.status == Status.CLOSED
    assert not campaign.turns.exclude(phase=Turn.Phase.CLOSED).exists()
    told = UmpireAction.objects.get(campaign=campaign, action="ended the campaign")
    assert told.reason.startswith("The campaign has reached its last day, 1 June 1666. ")
    assert told.reason.endswith((" each.", "a draw.", "in marks.", "behind."))
    assert Notice.objects.filter(kind="campaign_over").count() == campaign.memberships.count()


@pytest.mark.one_database
@pytest.mark.clause("G.EN1")
def test_the_last_report_says_that_the_campaign_is_over_and_asks_for_no_orders(campaign: Campaign) -> None:
    campaign.settings = {"end_date": "1666-05-31"}
    campaign.save()
    play(campaign)
    for notice in Notice.objects.filter(kind="turn_report"):
        assert "The campaign is over." in notice.text
        assert "Orders for" not in notice.text
        assert "Orders for" not in notice.html


@pytest.mark.clause("G.EN1", "G.VP1")
def test_a_campaign_ends_at_a_score(campaign: Campaign) -> None:
    campaign.settings = {"end_points": 1}
    campaign.save()
    play(campaign)
    best = max(point_sums(campaign).values())
    assert best >= 1, "the small war's first battle takes or sinks a ship"
    assert campaign.status == Status.CLOSED


@pytest.mark.clause("G.EN1", "G.UM1")
def test_the_umpire_closes_it_with_a_reason_and_the_schedule_leaves_it_alone(campaign: Campaign) -> None:
    with pytest.raises(EndRefused, match="Enter a reason"):
        campaign_close(campaign=campaign, umpire="umpire", reason=" ")
    campaign_close(campaign=campaign, umpire="umpire", reason="peace at Breda")
    assert UmpireAction.objects.get(campaign=campaign).reason == "peace at Breda"
    campaign.turns.update(deadline="2000-01-01T00:00:00Z")
    sweep()
    assert campaign.turns.get().phase == Turn.Phase.OPEN
    with pytest.raises(EndRefused, match="already over"):
        campaign_close(campaign=campaign, umpire="umpire", reason="again")


@pytest.mark.clause("G.EN1", "G.UM1")
def test_no_campaign_is_closed_while_a_turn_runs(campaign: Campaign) -> None:
    campaign.turns.update(phase=Turn.Phase.FIGHTING)
    with pytest.raises(EndRefused, match="A turn is running"):
        campaign_close(campaign=campaign, umpire="umpire", reason="peace")
    campaign.refresh_from_db()
    assert campaign.status == Status.ACTIVE


@pytest.mark.one_database
@pytest.mark.clause("G.VP1", "G.EN1", "G.IN1")
def test_score_and_chronicle_are_complete_for_everyone_when_it_is_over(
    db: Any,
) -> None:
    campaign = first_turn_played()
    english = campaign.memberships.get(side__name="England")
    observer = Membership(campaign=campaign, role="observer", user=english.user)
    before = standings(campaign, observer)  # the gazettes of the first turn are not published yet
    assert (before.told, [(row.total, row.rows) for row in before.sides]) == (0, [(0, ()), (0, ())])
    assert list(chronicle(campaign, observer).chapters) == []
    mine = standings(campaign, english)
    assert not mine.whole
    assert [row.own for row in mine.sides] == [True, False]
    campaign_close(campaign=campaign, umpire="umpire", reason="peace")
    table = standings(campaign, observer)
    assert table.whole
    assert {row.code: row.total for row in table.sides} == {
        code: round(points) for code, points in point_sums(campaign).items()
    }
    assert chronicle_lines(chronicle(campaign, observer)) == chronicle_lines(whole_chronicle(campaign))


@pytest.mark.one_database
@pytest.mark.clause("G.EN1")
def test_the_chronicle_describes_the_battle_with_its_losses_by_name(db: Any) -> None:
    with put_back():
        assert chronicle_lines(whole_chronicle(start())) == ["There is nothing to tell yet."]
    campaign = first_turn_played()
    told = " ".join(" ".join(chronicle_lines(whole_chronicle(campaign))).split())
    assert told.startswith("1. THE BATTLE WEST OF THE HINDER BANKS, 30 May 1666")
    assert "Battle west of the Hinder Banks, 30 May. England and the Dutch Republic fight for " in told
    lost = [
        row
        for side in standings(campaign, campaign.memberships.get(role="umpire")).sides
        for row in side.rows
    ]
    for row in lost:
        assert row.words.split(" ")[0] in told
    assert " in all." in told
