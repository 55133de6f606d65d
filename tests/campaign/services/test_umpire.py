"""What an umpire does to turns and to the campaign, each action with its reason in the log; outages; isolated failures."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone

from battles.models import Battle
from battles.services import fighting
from battles.services.fighting import battle_fight
from campaign.models import Campaign, Heartbeat, Notice, Order, Turn, UmpireAction
from campaign.services.battle import battles
from campaign.services.desk import umpire as acts
from campaign.services.desk.outages import outages_meet
from campaign.services.sweep import sweep
from campaign.services.turn.preview import turn_preview
from campaign.services.turn.turns import battles_of, turn_lock, turn_run
from campaign.services.umpire_log import UmpireRefused
from tests.campaign.services.conftest import start, unattended
from tests.support.answers import flawless
from tests.support.turns import turn_closes

pytestmark = pytest.mark.clause("G.UM1")
Phase = Turn.Phase


@pytest.fixture
def who(campaign: Campaign) -> Any:
    return campaign.memberships.get(role="umpire").user


def overdue(turn: Turn, **ago: float) -> None:
    Turn.objects.filter(pk=turn.pk).update(deadline=timezone.now() - timedelta(**(ago or {"seconds": 1})))


def fresh(turn: Turn) -> Turn:
    turn.refresh_from_db()
    return turn


def test_a_held_turn_takes_orders_and_is_not_run_at_its_deadline(turn: Turn, who: Any) -> None:
    acts.turn_hold(turn=turn, umpire=who, reason="the Dutch are on holiday")
    overdue(turn)
    assert sweep().turns == []
    assert fresh(turn).phase == Phase.OPEN
    with pytest.raises(UmpireRefused, match="already held"):
        acts.turn_hold(turn=turn, umpire=who, reason="again")
    acts.turn_release(turn=turn, umpire=who)
    assert sweep().turns == [turn.pk]
    assert list(UmpireAction.objects.order_by("pk").values_list("action", "reason")) == [
        ("held the turn", "the Dutch are on holiday"), ("released the turn", ""),
    ]  # fmt: skip


def test_a_turn_closed_without_running_waits_until_it_is_released(turn: Turn, who: Any) -> None:
    acts.turn_close(turn=turn, umpire=who)
    assert fresh(turn).phase == Phase.HELD and turn.snapshot is not None
    assert sweep().turns == [] and turn_run(turn_id=turn.pk) == Phase.HELD
    with pytest.raises(UmpireRefused, match="not open"):
        acts.turn_close(turn=turn, umpire=who)
    acts.turn_release(turn=turn, umpire=who)
    unattended(turn.campaign)
    turn_closes(turn)


def test_a_turn_is_extended_once_or_permanently(turn: Turn, who: Any) -> None:
    before = turn.deadline
    acts.turn_extend(turn=turn, umpire=who, hours=5, reason="a storm")
    assert fresh(turn).deadline - before == timedelta(hours=5)
    assert Campaign.objects.get().deadline_hours == 72
    acts.turn_extend(turn=turn, umpire=who, hours=24, reason="longer turns", for_good=True)
    assert fresh(turn).deadline - before == timedelta(hours=29)
    assert Campaign.objects.get().deadline_hours == 96
    for hours, reason in ((0, "x"), (9999, "x"), (5, "")):
        with pytest.raises(UmpireRefused):
            acts.turn_extend(turn=turn, umpire=who, hours=hours, reason=reason)
    turn_lock(turn=turn)
    with pytest.raises(UmpireRefused, match="open for orders"):
        acts.turn_extend(turn=turn, umpire=who, hours=1, reason="x")


def test_a_paused_campaign_stops_and_its_deadlines_move_by_as_long(turn: Turn, who: Any) -> None:
    campaign, before = turn.campaign, turn.deadline
    acts.campaign_pause(campaign=campaign, umpire=who, reason="Christmas")
    Campaign.objects.update(paused=timezone.now() - timedelta(days=7))
    overdue(turn, days=4)
    assert sweep().turns == [] and fresh(turn).phase == Phase.OPEN
    Turn.objects.update(deadline=before)
    with pytest.raises(UmpireRefused, match="Resume it first"):
        acts.turn_run_early(turn=turn, umpire=who)
    with pytest.raises(UmpireRefused, match="Only an active campaign"):
        acts.campaign_pause(campaign=Campaign.objects.get(), umpire=who, reason="again")
    acts.campaign_resume(campaign=campaign, umpire=who)
    assert timedelta(days=7) <= fresh(turn).deadline - before < timedelta(days=7, minutes=1)
    with pytest.raises(UmpireRefused, match="is not paused"):
        acts.campaign_resume(campaign=campaign, umpire=who)
    acts.turn_run_early(turn=turn, umpire=who)
    unattended(turn.campaign)
    turn_closes(turn)


def test_a_running_turn_stops_when_the_campaign_is_paused_and_continues_afterwards(
    turn: Turn, who: Any
) -> None:
    turn_lock(turn=turn)
    acts.campaign_pause(campaign=turn.campaign, umpire=who, reason="wait")
    assert turn_run(turn_id=turn.pk) == Phase.LOCKED
    acts.campaign_resume(campaign=turn.campaign, umpire=who)
    unattended(turn.campaign)
    turn_closes(turn)


def everything() -> list[Any]:
    rows = [list(model.objects.order_by("pk").values()) for model in (Turn, Order, Battle, Notice)]
    return [*rows, list(Campaign.objects.values())]


def test_a_preview_before_locking_throws_sample_dice_and_writes_nothing(turn: Turn, who: Any) -> None:
    Order.objects.filter(fleet__navy__code="NLD").update(route=["amsterdam", "nowhere"])
    before = everything()
    found = flawless(turn_preview, turn=turn, umpire=who)
    assert everything() == before
    assert not found.exact
    assert any("nowhere" in why for _, why in found.refused) or found.refused
    assert len(found.bound) == 2
    row = UmpireAction.objects.get()
    assert (row.action, row.reason) == ("previewed the turn", "with sample dice")
    again = Order.objects.filter(fleet__navy__code="NLD")
    again.update(route=[])
    (row,) = turn_preview(turn=turn, umpire=who).contacts
    assert row[1] == 5 and " against " in row[0]


@pytest.mark.one_database
@pytest.mark.clause("G.CL2", "G.UM1")
def test_after_locking_the_preview_shows_what_the_run_will_do(turn: Turn, who: Any) -> None:
    acts.turn_close(turn=turn, umpire=who)
    before = everything()
    found = flawless(turn_preview, turn=fresh(turn), umpire=who)
    assert everything() == before
    acts.turn_release(turn=turn, umpire=who)
    unattended(turn.campaign)
    turn_closes(turn)
    assert found.exact and turn.state_hash in found.ends
    told = UmpireAction.objects.get(action="previewed the turn")
    assert told.reason == "as the turn will run"
    with pytest.raises(UmpireRefused, match="cannot be previewed"):
        turn_preview(turn=turn, umpire=who)


def told(*arguments: str) -> str:
    out = StringIO()
    call_command("turn", "small", *arguments, stdout=out)
    return out.getvalue()


@pytest.mark.one_database
@pytest.mark.clause("G.UM1", "G.UM3")
def test_the_terminal_does_what_the_desk_does(turn: Turn) -> None:
    assert "open" in told().lower()
    assert ", held" in told("--hold", "--reason", "wait", "--by", "Rupert")
    assert UmpireAction.objects.get().actor == "Rupert"
    told("--release")
    told("--extend", "3", "--reason", "more")
    told("--pause", "--reason", "x")
    told("--resume")
    assert "With sample dice" in told("--preview")
    with pytest.raises(CommandError, match="Enter a reason"):
        told("--hold")
    assert ": held" in told("--close")
    assert "As the turn will run" in told("--preview")
    assert "Turn 1" in told("--run")
    assert "turn 1 is open again" in told("--rollback", "1", "--reason", "once more")
    with pytest.raises(CommandError, match="no turn 9"):
        told("--rollback", "9", "--reason", "x")


@pytest.mark.clause("G.UM2")
@pytest.mark.parametrize(
    ("wish", "locked", "held"), [("shift", False, False), ("hold", False, True), ("run", True, False)]
)
def test_after_an_outage_turns_are_shifted_held_or_run_and_the_umpire_is_notified(
    turn: Turn, wish: str, locked: bool, held: bool
) -> None:
    Campaign.objects.update(settings={"after_outage": wish})
    sweep()
    Heartbeat.objects.update(at=timezone.now() - timedelta(hours=30))
    overdue(turn, hours=20)
    before = fresh(turn).deadline
    sweep()
    assert (fresh(turn).phase == Phase.LOCKED, turn.hold) == (locked, held)
    if wish == "shift":
        assert timedelta(hours=30) <= turn.deadline - before < timedelta(hours=30, minutes=1)
    (word,) = Notice.objects.filter(kind="word")
    assert word.recipient.username == "umpire" and "30 hours" in word.subject
    assert UmpireAction.objects.get().actor == "the site"
    sweep()
    assert UmpireAction.objects.count() == 1


@pytest.mark.clause("G.UM2")
@pytest.mark.parametrize(
    ("still", "late"), [(11.9, 11), (30, 2), (0, 30)], ids=["within the grace", "just due", "no gap"]
)
def test_a_gap_that_is_not_an_outage_runs_as_usual(turn: Turn, still: float, late: float) -> None:
    sweep()
    Heartbeat.objects.update(at=timezone.now() - timedelta(hours=still))
    overdue(turn, hours=late)
    sweep()
    assert fresh(turn).phase == Phase.LOCKED
    assert not Notice.objects.filter(kind="word").exists()


@pytest.mark.clause("G.UM2")
def test_two_first_checks_at_the_same_time_leave_one_sign_of_life(
    db: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as both:
        both.setattr(Heartbeat.objects, "order_by", lambda *_: Heartbeat.objects.none())
        assert [outages_meet() for _ in "ab"] == [0, 0]
    assert Heartbeat.objects.count() == 1


@pytest.mark.clause("G.UM2", "G.BT1")
def test_a_battle_that_fails_three_times_is_sent_to_the_tabletop_and_no_other_campaign_stops(
    turn: Turn, who: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = start("other").turns.get()
    turn_lock(turn=turn)
    turn_run(turn_id=turn.pk)
    with monkeypatch.context() as broken:
        broken.setattr(fighting, "play_battle", lambda *_, **__: 1 / 0)
        for _ in range(3):
            battle_fight(battle_id=battles_of(turn.pk).get().pk)
    battle = battles_of(turn.pk).get()
    assert battle.status == "failed" and "ZeroDivisionError in battles/services/fighting.py" in battle.error
    turn_run(turn_id=turn.pk)
    assert fresh(turn).phase == Phase.FAILED
    assert turn.error.startswith(
        f"The battle “{battle.title}” could not be fought. It stopped because of an unexpected error"
    )
    turn_closes(unattended(other.campaign).turns.get())
    battles.route_change(battle=battle, umpire=who, route="table", reason="the engine cannot")
    assert Campaign.objects.get(pk=turn.campaign_id).status == "active"
    assert turn_run(turn_id=turn.pk) == Phase.CLOSED
    assert fresh(turn).ongoing == ["b01"]
