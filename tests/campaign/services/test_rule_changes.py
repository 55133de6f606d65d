"""The umpire changes campaign settings: all errors reported, all changes logged, effective from the next turn."""

from typing import Any

import pytest

from campaign.models import Campaign, Station, Turn, UmpireAction
from campaign.selectors.turn.facts import turn_facts
from campaign.services.settings.rule_changes import RulesRefused, rules_change, settings_now, ties_now
from campaign.services.turn.playing import turn_play
from tests.campaign.services.conftest import unattended
from tests.support.answers import answer_of, flawless

pytestmark = pytest.mark.clause("G.UM1")
PAIR = ("ENG", "NLD")


def change(campaign: Campaign, reason: str = "the club asked", ties: Any = None, **typed: str) -> list[str]:
    """Change settings as the umpire."""
    umpire = campaign.memberships.get(role="umpire").user
    return flawless(
        rules_change, campaign=campaign, umpire=umpire, typed=typed, ties=ties or {}, reason=reason
    )


def uneventful(campaign: Campaign) -> None:
    """The fleets lie far from one another, and only the umpire is told of a turn."""
    for code, place in (("ENG", "torbay"), ("NLD", "delfzijl")):
        Station.objects.filter(fleet__navy__book=campaign.book, fleet__navy__code=code).update(at=place)
    unattended(campaign)


def test_a_change_applies_from_the_next_turn_that_opens(campaign: Campaign, turn: Turn) -> None:
    told = change(campaign, see_clear="9", turn_days="2")
    assert told == ["miles seen from the masthead in clear weather: 12 → 9", "days in a turn: 1 → 2"]
    assert turn_facts(turn)[0].settings.see_clear == 12
    uneventful(campaign)
    turn_play(turn=turn)
    following = Turn.objects.select_related("campaign__book", "campaign__theatre").get(number=2)
    assert turn_facts(following)[0].settings.see_clear == 9
    assert following.days == 2
    campaign.refresh_from_db()
    assert (campaign.settings, campaign.coming, campaign.turn_days) == ({"see_clear": 9}, {}, 2)


def test_everyone_can_read_what_was_changed_and_why(campaign: Campaign) -> None:
    assert answer_of(change, campaign, see_clear="9") == ""
    action = UmpireAction.objects.get(campaign=campaign)
    assert (action.actor, action.action, action.turn) == ("umpire", "changed the settings", "small/1")
    assert action.reason == "the club asked (miles seen from the masthead in clear weather: 12 → 9)"


def test_every_error_is_reported_and_nothing_is_changed(campaign: Campaign) -> None:
    with pytest.raises(RulesRefused) as refused:
        change(campaign, see_clear="x", turn_days="40", luck="6", ties={("ENG", "FRA"): "war"})
    assert [fault.path for fault in refused.value.faults] == ["see_clear", "turn_days", "luck", "ENG-FRA"]
    assert answer_of(change, campaign, ties={PAIR: "friendship"}) == "ENG-NLD: Choose war, peace or alliance."
    with pytest.raises(RulesRefused) as silent:
        change(campaign, reason=" ", see_clear="9")
    assert [fault.path for fault in silent.value.faults] == ["reason"]
    campaign.refresh_from_db()
    assert campaign.coming == {}
    assert not UmpireAction.objects.exists()


def test_a_setting_that_is_set_back_no_longer_counts_as_a_change(campaign: Campaign) -> None:
    assert answer_of(change, campaign, reason="", see_clear="12", ties={PAIR: "war"}) == ""
    assert change(campaign, reason="", see_clear="12", ties={PAIR: "war"}) == []
    change(campaign, see_clear="9")
    assert change(campaign, see_clear="12") == ["miles seen from the masthead in clear weather: 9 → 12"]
    campaign.refresh_from_db()
    assert campaign.coming["settings"] == {}


@pytest.mark.one_database
@pytest.mark.clause("G.CO7")
def test_peace_and_alliance_are_made_and_apply_from_the_next_turn(campaign: Campaign, turn: Turn) -> None:
    uneventful(campaign)
    assert ties_now(campaign) == {PAIR: "war"}
    for tie, war, allied in (("peace", [], []), ("alliance", [], [list(PAIR)]), ("war", [list(PAIR)], [])):
        assert answer_of(change, campaign, ties={PAIR: tie}) == ""
        turn_play(turn=campaign.turns.select_related("campaign__book", "campaign__theatre").last())
        campaign.refresh_from_db()
        assert (campaign.hostility, campaign.alliances) == (war, allied)
    facts, _ = turn_facts(turn)
    assert facts.at_war == frozenset({frozenset(PAIR)})


def test_settings_set_back_to_the_usual_no_longer_count_as_changed(campaign: Campaign, turn: Turn) -> None:
    campaign.settings = {"see_clear": 9}
    campaign.save()
    change(campaign, see_clear="12")
    uneventful(campaign)
    turn_play(turn=turn)
    campaign.refresh_from_db()
    assert campaign.settings == {}
    assert settings_now(campaign)["see_clear"] == 12
