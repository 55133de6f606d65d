"""Emails about battles on the tabletop: who is asked for what, by when, and what they may not learn."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import timezone

from battles.models import Battle, BattleOutcome
from campaign.models import Campaign, Membership, Notice, Preferences
from campaign.services.battle import battles
from campaign.services.desk import umpire
from campaign.services.mail import notices
from campaign.services.mail.battle_notices import (
    battle_awaits_fighting,
    battle_awaits_umpire,
    result_awaits_anew,
    result_awaits_answer,
)
from fleets.services.ship_edits import ship_amend
from tests.campaign.services.conftest import start
from tests.support.people import DUTCH, ENGLISH, World, world
from tests.support.table import whole_sheet
from tests.support.turns import turn_closes

pytestmark = pytest.mark.one_database

PROPOSED = datetime(2026, 7, 1, 19, 0, tzinfo=UTC)


@pytest.fixture
def told(db: Any, settings: Any) -> World:
    """The tell-tale campaign, whose battle of turn 1 is to be fought on the table."""
    settings.SITE_URL = "https://gage.club.example"
    made = world()
    Battle.objects.filter(code="telltale-T1-b01").update(
        route="table", status="ready", title="Battle off the Galloper"
    )
    return made


@pytest.fixture
def battle(told: World) -> Battle:
    return Battle.objects.get(code="telltale-T1-b01")


def mails(kind: str = "battle_awaits") -> dict[str, Notice]:
    """The mails of a kind by user name."""
    return {n.recipient.username: n for n in Notice.objects.filter(kind=kind).select_related("recipient")}


@pytest.mark.clause("G.BT1", "G.BT4", "G.IN1")
def test_both_sides_are_asked_to_fight_and_neither_learns_of_the_others_ships(
    told: World, battle: Battle
) -> None:
    assert battle_awaits_fighting(campaign=told.campaign, battle=battle) == 2
    assert battle_awaits_fighting(campaign=told.campaign, battle=battle) == 0

    sent = mails()
    assert set(sent) == {"english", "dutch"}
    for name, own, other, enemy in (
        ("english", ENGLISH, DUTCH, "Dutch Republic"),
        ("dutch", DUTCH, ENGLISH, "England"),
    ):
        mail = sent[name]
        assert "is to be fought on the tabletop" in mail.subject
        for part in (mail.text, mail.html):
            assert f"Fleet {own}" in part and enemy in part and other not in part
            assert "/c/telltale/battles/telltale-T1-b01/result/" in part
            assert "There is no deadline" in part
        assert f"Against you: {enemy}" in mail.text


@pytest.mark.clause("G.BT1")
def test_no_one_is_asked_to_fight_a_battle_that_the_computer_fights(told: World, battle: Battle) -> None:
    battle.route = "engine"
    assert battle_awaits_fighting(campaign=told.campaign, battle=battle) == 0
    assert not Notice.objects.exists()


@pytest.mark.clause("G.IN4")
def test_an_admiral_who_has_not_heard_of_a_battle_is_not_notified(told: World, battle: Battle) -> None:
    Campaign.objects.update(settings={"knowledge": "by ship", "news": "by ship"})
    told.campaign.refresh_from_db()
    far = Membership.objects.get(pk=told.english.pk)
    far.commands.all().delete()
    Membership.objects.filter(pk=far.pk).update(chief=False)
    told.campaign.turns.get(number=1).reports.all().delete()

    assert battle_awaits_fighting(campaign=told.campaign, battle=battle) == 1
    assert set(mails()) == {"dutch"}


@pytest.mark.clause("G.BT4")
def test_a_waiting_campaign_says_how_long_it_has_waited(told: World, battle: Battle) -> None:
    Campaign.objects.update(settings={"campaign_waits": "yes", "battle_wait_days": 1})
    told.campaign.refresh_from_db()

    battle_awaits_fighting(campaign=told.campaign, battle=battle)
    assert "the campaign waits. After 1 day the umpire decides." in mails()["dutch"].text

    Notice.objects.all().delete()
    battle_awaits_umpire(campaign=told.campaign, battle=battle)
    (name,) = mails()
    asked = mails()["umpire"]
    assert name == "umpire" and "still waiting for the battle off the Galloper" in asked.subject
    assert (
        f"England: Fleet {ENGLISH}, 6 ships" in asked.text
        and f"Dutch Republic: Fleet {DUTCH}, 6 ships" in asked.text
    )


@pytest.mark.clause("G.BT5")
def test_a_side_that_has_not_answered_learns_the_deadline_and_what_silence_means(
    told: World, battle: Battle
) -> None:
    Campaign.objects.update(settings={"confirm_days": 2})
    outcome = BattleOutcome.objects.create(
        battle=battle, document={}, side="ENG", proposed=PROPOSED, version=3
    )
    told.campaign.refresh_from_db()

    assert result_awaits_answer(campaign=told.campaign, outcome=outcome, sides=["NLD"]) == 1
    mail = mails()["dutch"]
    assert mail.event == "telltale-T1-b01-v3-proposed"
    assert "England has proposed a result." in mail.text
    assert (
        "Answer by Fri 3 Jul 2026, 19:00 UTC.\nIf no one disputes it by then, it is confirmed." in mail.text
    )


@pytest.mark.clause("G.BT5")
def test_a_result_sent_back_is_requested_again_with_the_umpires_reason(told: World, battle: Battle) -> None:
    outcome = BattleOutcome.objects.create(battle=battle, document={}, status="draft", version=3)

    assert result_awaits_anew(campaign=told.campaign, outcome=outcome, reason="Count the hits again.") == 2
    assert "“Count the hits again.”" in mails()["english"].text


@pytest.mark.clause("G.BT1", "G.BT2", "G.BT4", "G.BT5")
def test_a_real_battle_on_the_tabletop_sends_an_email_at_every_step(db: Any) -> None:
    campaign = start()
    campaign.settings = {"battle_route": "table", "end_turn_on": "none"}
    campaign.save()
    turn_closes(campaign.turns.get())
    battle = Battle.objects.get()
    english, dutch = (campaign.memberships.get(side__name=name) for name in ("England", "Dutch Republic"))
    chief = campaign.memberships.get(role="umpire").user

    whole_sheet(battle)

    outcome = battles.result_propose(battle=battle, membership=english)
    battles.result_answer(
        battle=battle, membership=dutch, confirm=False, version=outcome.version, reason="Gouda was hit twice"
    )
    battles.result_rule(battle=battle, umpire=chief, accept=False, reason="again")
    ship = campaign.book.ships.get(code="ENG002")
    ship_amend(ship=ship, values={"men": ship.men - 1}, reason="miscounted", user=chief, void_battle=True)
    renewed = Battle.objects.exclude(pk=battle.pk).get()
    for route in ("engine", "table"):
        battles.route_change(battle=renewed, umpire=chief, route=route, reason="the table is free after all")

    told = {
        (n.kind, n.recipient_id, n.event.removeprefix(battle.code)[:9])
        for n in Notice.objects.filter(kind__in=("battle_awaits", "result_disputed"))
    }
    both = (english.user_id, dutch.user_id)
    assert {("battle_awaits", user, "-awaits") for user in both} <= told
    assert ("battle_awaits", dutch.user_id, f"-v{outcome.version}-propo") in told
    assert {
        ("result_disputed", user, f"-v{outcome.version}-dispu") for user in (english.user_id, chief.pk)
    } <= told
    assert {("battle_awaits", user, f"-v{outcome.version}-anew") for user in both} <= told
    assert {("battle_awaits", user, "v2-renewe") for user in both} <= told
    assert {("battle_awaits", user, "v2-table-") for user in both} <= told
    assert len(told) == 11


@pytest.mark.clause("G.UM1")
def test_everyone_is_notified_of_a_pause_and_of_its_end_with_the_new_deadline(told: World) -> None:
    told.turn.deadline = timezone.now() + timedelta(days=2)
    told.turn.save()
    english = Membership.objects.get(user__username="english").user
    umpire.campaign_pause(campaign=told.campaign, umpire=told.umpire.user, reason="Easter")
    assert set(mails("paused")) == {"umpire", "english", "dutch", "observer"}
    assert "no deadline will pass" in mails("paused")["observer"].text
    Notice.objects.all().delete()
    Preferences.objects.create(user=english, kinds={"paused": "off"})
    Campaign.objects.update(paused=timezone.now() - timedelta(days=5))
    umpire.campaign_resume(campaign=told.campaign, umpire=told.umpire.user, reason="Easter is over")
    again = mails("paused")["dutch"]
    told.turn.refresh_from_db()
    assert again.subject == "Tell-tale war has resumed"
    assert "Easter is over" in again.text and f"{told.turn.deadline:%H:%M} UTC" in again.text
    # one mail says it, and moves the entry in the calendars; who wants none of pauses is told of the deadline
    assert "BEGIN:VEVENT" in again.calendar and not mails("paused")["observer"].calendar
    assert set(mails("deadline")) == {"english"}


@pytest.mark.clause("G.UM1")
def test_only_people_who_have_an_account_still_count_as_emailed(
    told: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [SimpleNamespace(recipient_id=None), SimpleNamespace(recipient_id=7)]
    monkeypatch.setattr(notices, "notices_write", lambda **about: rows)
    assert notices.notices_of_resume(campaign=told.campaign, reason="") == {7}
    rows.insert(0, None)
    assert notices.notices_of_resume(campaign=told.campaign, reason="") == {7}
