"""Which secret is open when: nothing from which dice still follow, nothing that is news, and everything in the end."""

from __future__ import annotations

from typing import Any

import pytest

from battles.models import Battle
from campaign.models import Campaign, Contact, Turn
from campaign.selectors.revealed import revealed, seed_is_open, was_revealed
from campaign.services.turn.turns import turn_retry
from tests.support.factories import BattleFactory, CampaignFactory, ContactFactory, TurnFactory

pytestmark = [pytest.mark.django_db, pytest.mark.clause("G.FA1"), pytest.mark.one_database]


def campaign_of(turns: int, **settings: Any) -> Campaign:
    """A campaign with so many closed turns, and one that is open."""
    campaign: Campaign = CampaignFactory(settings=settings)
    for number in range(1, turns + 1):
        TurnFactory(campaign=campaign, number=number, phase="closed")
    TurnFactory(campaign=campaign, number=turns + 1)
    return campaign


def battle_in(campaign: Campaign, number: int, status: str) -> Battle:
    battle: Battle = BattleFactory(book=campaign.book, status=status)
    ContactFactory(turn=campaign.turns.get(number=number), battle=battle)
    return battle


def test_a_turns_secrets_open_when_a_set_number_of_later_turns_has_closed() -> None:
    assert revealed(campaign_of(12)).chart == {1, 2}
    assert revealed(campaign_of(10)).chart == set()
    assert revealed(campaign_of(3, secrets_after=1)).chart == {1, 2}
    assert revealed(campaign_of(3, secrets_after=0)).chart == {1, 2, 3}
    assert revealed(CampaignFactory()).chart == set()


def test_every_secret_of_closed_turns_opens_when_the_campaign_is_over() -> None:
    campaign = campaign_of(3)
    campaign.status = "closed"

    assert revealed(campaign).chart == revealed(campaign).battles == {1, 2, 3}


@pytest.mark.parametrize("status", Battle.Status.values)
@pytest.mark.parametrize("over", [False, True], ids=["going on", "over"])
def test_the_battle_secret_waits_for_every_battle_that_may_be_fought(status: str, over: bool) -> None:  # noqa: FBT001
    campaign = campaign_of(3, secrets_after=0)
    campaign.status = "closed" if over else "active"
    written, other = battle_in(campaign, 2, "written"), battle_in(campaign, 2, status)
    done = status in ("written", "void") or (over and status == "fought")

    assert revealed(campaign).chart == {1, 2, 3}
    assert revealed(campaign).battles == ({1, 2, 3} if done else {1, 3})
    assert seed_is_open(campaign, written) is seed_is_open(campaign, other) is done


def test_a_battle_outside_a_turn_keeps_its_dice() -> None:
    campaign = campaign_of(1, secrets_after=0)
    replaced = battle_in(campaign, 1, "void")
    assert seed_is_open(campaign, replaced)
    Contact.objects.update(battle=BattleFactory(book=campaign.book, status="written"))

    assert not seed_is_open(campaign, replaced)


def test_a_rolled_back_turn_opens_nothing_yet_its_past_is_known() -> None:
    campaign = campaign_of(3, secrets_after=2)
    battle = battle_in(campaign, 1, "written")
    first, second = campaign.turns.get(number=1), campaign.turns.get(number=2)
    assert (was_revealed(first), was_revealed(second), seed_is_open(campaign, battle)) == (True, False, True)
    Turn.every.filter(campaign=campaign, number__gte=2).update(void="rollback 1")
    assert revealed(campaign).chart == set()
    assert was_revealed(first), "whoever read it before the rollback knows it"
    Turn.every.filter(campaign=campaign).update(void="rollback 2")

    assert not seed_is_open(campaign, battle)


def test_open_secrets_are_found_at_once(django_assert_num_queries: Any) -> None:
    campaign = campaign_of(4, secrets_after=0)
    for number in (1, 2, 3):
        battle_in(campaign, number, "written")
    with django_assert_num_queries(1):
        assert revealed(campaign).battles == {1, 2, 3, 4}


def test_a_failed_turn_of_a_finished_campaign_is_not_retried() -> None:
    campaign = campaign_of(1)
    Turn.objects.filter(campaign=campaign, number=2).update(phase="failed")
    Campaign.objects.filter(pk=campaign.pk).update(status="closed")

    assert not turn_retry(turn=campaign.turns.get(number=2)), "what is open now would be played on with"
    campaign.refresh_from_db()
    assert campaign.status == "closed"
