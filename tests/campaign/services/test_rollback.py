"""A campaign is rolled back: nothing is deleted, later rows are void, and with the same dice it ends the same."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from battles.models import Battle
from battles.services.fighting import battle_fight
from battles.services.outcomes import OutcomeRefused, outcome_draft
from campaign.models import (
    Campaign,
    Contact,
    Notice,
    Report,
    Sighting,
    Station,
    Turn,
    TurnSummary,
    UmpireAction,
)
from campaign.notices.send import notice_resend, notice_send
from campaign.rules.state.setting_values import AS_BEFORE
from campaign.selectors.revealed import revealed
from campaign.services.battle import battles
from campaign.services.sweep import sweep
from campaign.services.turn.rollback import rollback
from campaign.services.turn.turns import turn_lock, turn_run
from campaign.services.turn.verify import Verdict, campaign_verify
from campaign.services.umpire_log import UmpireRefused
from fleets.models import Fleet, Officer, Prize, ServiceRecord, Ship, Squadron
from tests.campaign.services.conftest import start, unattended
from tests.campaign.services.test_turns import rows_agree, storm
from tests.support.table import whole_sheet
from tests.support.turns import turn_closes


def umpire(campaign: Campaign) -> Any:
    return campaign.memberships.get(role="umpire").user


def played(campaign: Campaign, turns: int) -> list[Turn]:
    return [turn_closes(campaign.turns.get(number=n)) for n in range(1, turns + 1)]


def picture(campaign: Campaign) -> dict[str, Any]:
    """The rows that a rollback puts back, void ones left out."""
    book = campaign.book
    campaign.refresh_from_db()
    return {
        "campaign": (campaign.calendar_day, campaign.weather, campaign.carried),
        "ships": list(
            Ship.objects.filter(book=book).order_by("code").values_list(
                "code", "navy__code", "squadron__code", "condition", "men", "captain", "prize", "fate", "order"
            )
        ),
        "fleets": list(Fleet.objects.filter(navy__book=book, ended=False).order_by("code").values_list("code", "name")),
        "squadrons": list(
            Squadron.objects.filter(fleet__navy__book=book, ships__isnull=False).distinct().order_by("code").values_list(
                "code", "fleet__code", "flagship__code"
            )
        ),
        "officers": list(Officer.objects.filter(navy__book=book).order_by("pk").values_list("name", "status", "ship__code")),
        "prizes": list(Prize.objects.filter(ship__book=book, void="").order_by("pk").values_list("ship__code", "status")),
        "stations": list(
            Station.objects.filter(fleet__navy__book=book, fleet__ended=False).order_by("fleet__code").values_list(
                "fleet__code", "at", "to", "run", "held_by"
            )
        ),
        "records": list(ServiceRecord.objects.filter(ship__book=book, void="").order_by("pk").values_list("event", flat=True)),
    }  # fmt: skip


@pytest.mark.clause("G.UM3")
def test_a_rollback_restores_the_start_of_the_turn_and_deletes_nothing(campaign: Campaign) -> None:
    before = picture(campaign)
    first = campaign.turns.get()
    orders = list(first.orders.order_by("fleet").values_list("fleet", "route", "stance"))
    unattended(campaign)
    played(campaign, 2)
    counts = [m.objects.count() for m in (ServiceRecord, Prize, Battle, Ship, Fleet)]
    rows, kept = [m.every.count() for m in (Sighting, Report, Contact)], TurnSummary.objects.count()
    new = rollback(campaign=campaign, number=1, umpire=umpire(campaign), reason="a wrong order was entered")
    assert picture(campaign) == before
    assert [m.objects.count() for m in (ServiceRecord, Prize, Battle, Ship, Fleet)] == counts
    assert [m.every.count() for m in (Sighting, Report, Contact)] == rows
    assert not Sighting.objects.exists() and not Report.objects.exists() and not Contact.objects.exists()
    assert kept == 6 and not TurnSummary.objects.exists()
    assert set(Battle.objects.values_list("status", flat=True)) == {"void"}
    assert (new.number, new.run, new.phase) == (1, 2, "open")
    assert list(new.orders.order_by("fleet").values_list("fleet", "route", "stance")) == orders
    assert list(campaign.turns.all()) == [new]
    assert new.chart_hash != first.chart_hash and new.battle_secret != first.battle_secret
    action = UmpireAction.objects.get(action="rolled back")
    assert action.reason == "a wrong order was entered"
    assert set(Turn.every.exclude(pk=new.pk).values_list("void", flat=True)) == {f"rollback {action.pk}"}


@pytest.mark.one_database
@pytest.mark.clause("G.UM3", "G.FA1")
def test_replaying_with_new_dice_gives_another_story_with_its_own_codes(closed: Turn) -> None:
    campaign = unattended(closed.campaign)
    rollback(campaign=campaign, number=1, umpire=umpire(campaign), reason="again")
    second = turn_closes(campaign.turns.get(number=1))
    assert second.state_hash != closed.state_hash
    codes = list(Battle.objects.exclude(status="void").values_list("code", flat=True))
    assert codes and all(code.startswith("DEMO-T1r2-b") for code in codes)
    rows_agree(second)
    assert {f.verdict for f in campaign_verify(campaign=campaign)} == {Verdict.AGREES}
    links = {
        e["battle"]
        for r in [second.reports.get(side=None)]
        for e in [x[4] for x in r.events]
        if "battle" in e
    }
    assert {second.battle_code(code) for code in links} == set(codes)


@pytest.mark.one_database
@pytest.mark.clause("G.UM3", "G.FA1")
def test_three_turns_rolled_back_and_run_again_with_the_same_dice_end_the_same(db: Any) -> None:
    campaign = unattended(start(demo_seed="d"))
    storm(campaign, 12)
    campaign.turn_days = 2
    campaign.save()
    before = played(campaign, 3)
    later = picture(campaign)
    rollback(campaign=campaign, number=1, umpire=umpire(campaign), reason="a fault is mended", same_dice=True)
    for number in range(1, 4):
        assert campaign.turns.get(number=number).phase == "locked"
        turn_closes(campaign.turns.get(number=number))
    after = [campaign.turns.get(number=number) for number in range(1, 4)]
    assert [turn.state_hash for turn in after] == [turn.state_hash for turn in before]
    assert [turn.run for turn in after] == [2] * 3
    for turn in after[-1:]:
        rows_agree(turn)
    again = picture(campaign)
    for name in ("campaign", "ships", "fleets", "officers", "stations"):
        assert again[name] == later[name], name
    assert campaign.turns.get(number=4).phase == "open"
    assert campaign.turns.get(number=4).repeats is None
    assert not [f for f in campaign_verify(campaign=campaign) if f.verdict == Verdict.DIFFERS]


@pytest.mark.one_database
@pytest.mark.clause("G.UM3")
def test_players_get_one_notice_that_names_the_withdrawn_email(closed: Turn, client: Any) -> None:
    campaign = closed.campaign
    turn_closes(campaign.turns.get(number=2))
    english = campaign.memberships.get(side__name="England").user
    for notice in Notice.objects.filter(event__endswith="T1-report"):
        notice_send(notice_id=notice.pk)
    rollback(campaign=campaign, number=1, umpire=umpire(campaign), reason="the wrong wind")
    (word,) = Notice.objects.filter(recipient=english, kind="word")
    subject = Notice.objects.get(recipient=english, event__endswith="T1-report").subject
    assert subject in word.text and "the wrong wind" in word.text
    waiting = Notice.objects.get(recipient=english, event__endswith="T2-report")
    assert waiting.void and waiting.status == "waiting"
    assert notice_send(notice_id=waiting.pk) is False
    assert waiting.pk not in sweep().notices
    assert notice_resend(notice=waiting, umpire=umpire(campaign)) is False
    client.force_login(english)
    shown = client.get(f"/c/{campaign.code}/mail/").content.decode()
    assert "Withdrawn: turn rolled back" in shown
    turn_closes(campaign.turns.get(number=1))
    assert Notice.objects.filter(recipient=english, kind="turn_report", void="").count() == 1


@pytest.mark.clause("G.UM3")
def test_a_rollback_past_a_closed_campaign_or_without_a_reason_or_to_no_turn_is_refused(
    closed: Turn,
) -> None:
    campaign = closed.campaign
    before = picture(campaign)
    who = umpire(campaign)
    for number, reason, said in (
        (1, " ", "Enter a reason"),
        (7, "x", "no turn 7"),
        (2, "x", "are still open"),
    ):
        with pytest.raises(UmpireRefused, match=said):
            rollback(campaign=campaign, number=number, umpire=who, reason=reason)
    Campaign.objects.update(status="closed")
    with pytest.raises(UmpireRefused, match="can no longer be rolled back"):
        rollback(campaign=campaign, number=1, umpire=who, reason="x")
    assert picture(campaign) == before
    assert not UmpireAction.objects.filter(action__startswith="rolled").exists()


@pytest.mark.clause("G.UM3")
def test_a_battle_that_becomes_void_while_it_is_computed_writes_nothing(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    from battles.services import fighting

    turn = campaign.turns.get()
    turn_lock(turn=turn)
    turn_run(turn_id=turn.pk)
    battle = Battle.objects.get()
    real = fighting.play_battle

    def meanwhile(*args: Any, **kwargs: Any) -> Any:
        rollback(campaign=campaign, number=1, umpire=umpire(campaign), reason="stop")
        return real(*args, **kwargs)

    monkeypatch.setattr(fighting, "play_battle", meanwhile)
    assert battle_fight(battle_id=battle.pk) is False
    battle.refresh_from_db()
    assert battle.status == "void" and not hasattr(battle, "outcome")
    assert turn_run(turn_id=turn.pk) == "void"


@pytest.mark.clause("G.UM3", "G.BT4", "G.BT5")
def test_battles_spawned_since_are_void_and_accepted_results_of_older_ones_are_kept(db: Any) -> None:
    campaign = start()
    campaign.settings = {"battle_route": "table", **AS_BEFORE}
    campaign.save()
    played(campaign, 1)
    battle = Battle.objects.get()
    english, dutch = (campaign.memberships.get(side__name=side) for side in ("England", "Dutch Republic"))
    whole_sheet(battle)
    proposed = battles.result_propose(battle=battle, membership=english)
    battles.result_answer(battle=battle, membership=dutch, confirm=True, version=proposed.version)
    unattended(campaign)
    second = turn_closes(campaign.turns.get(number=2))
    assert Battle.objects.get(pk=battle.pk).status == "written"
    open_since = Battle.objects.exclude(pk=battle.pk).get()
    rollback(campaign=campaign, number=2, umpire=umpire(campaign), reason="once more")
    battle.refresh_from_db()
    assert (battle.status, battle.outcome.status) == ("fought", "confirmed")
    assert set(Station.objects.values_list("held_by", flat=True)) == {"T1-b01"}
    open_since.refresh_from_db()
    with pytest.raises(OutcomeRefused, match="its turn was rolled back"):
        outcome_draft(battle=open_since)
    again = turn_closes(campaign.turns.get(number=2))
    assert again.snapshot["accepted"] == second.snapshot["accepted"]
    assert Battle.objects.get(pk=battle.pk).outcome.written_in == again.reference
    fought = ServiceRecord.objects.filter(battle=battle.code, kind="fought")
    assert (fought.count(), fought.filter(void="").count()) == (14, 7)


@pytest.mark.clause("G.UM3", "G.FA1")
def test_dice_that_have_been_revealed_are_not_thrown_again(campaign: Campaign) -> None:
    unattended(campaign)
    campaign.settings = {"secrets_after": 1}
    campaign.save()
    played(campaign, 2)
    who = umpire(campaign)
    assert revealed(campaign).chart == {1}
    with pytest.raises(
        UmpireRefused, match="The secrets of turn 1 have already been published, so its dice are known"
    ):
        rollback(campaign=campaign, number=1, umpire=who, reason="a fault is mended", same_dice=True)
    rollback(campaign=campaign, number=2, umpire=who, reason="a fault is mended", same_dice=True)
    assert campaign.turns.get(number=2).repeats is not None
    assert revealed(campaign).chart == set(), "turn 1 is the last that is closed"
    with pytest.raises(UmpireRefused, match="The secrets of turn 1 have already been published"):
        rollback(campaign=campaign, number=1, umpire=who, reason="a fault is mended", same_dice=True)
    old = campaign.turns.get(number=1).chart_secret
    rollback(campaign=campaign, number=1, umpire=who, reason="with new dice")
    assert campaign.turns.get(number=1).chart_secret != old


@pytest.mark.clause("G.UM3", "G.UM2")
def test_a_failed_turn_can_be_rolled_back_and_the_campaign_continues(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    from campaign.services.turn import turns

    turn = campaign.turns.get()
    turn_lock(turn=turn)
    with monkeypatch.context() as broken:
        broken.setattr(turns.rules, "begin", lambda *_: 1 / 0)
        for _ in range(3):
            turn_run(turn_id=turn.pk)
    campaign.refresh_from_db()
    assert campaign.status == "failed"
    unattended(campaign)
    Turn.every.update(locked=timezone.now() - timedelta(minutes=1))
    rollback(campaign=campaign, number=1, umpire=umpire(campaign), reason="mended", same_dice=True)
    turn_closes(campaign.turns.get(number=1))
