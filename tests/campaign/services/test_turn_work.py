"""Work on a turn: exactly one turn is open; impossible work is abandoned with a sentence, and its umpire is notified."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from battles import leases
from battles.models import Battle, Roster
from battles.services import fighting
from battles.services.fighting import battle_fight
from campaign.models import Campaign, Notice, Turn
from campaign.selectors.desk.alarms import alarms_of, stalls
from campaign.selectors.desk.umpires_desk import desk_of
from campaign.services.desk import desk
from campaign.services.desk.umpire import campaign_pause, campaign_resume
from campaign.services.sweep import sweep
from campaign.services.turn import turns
from campaign.services.turn.preview import turn_preview
from campaign.services.turn.turns import TurnRefused, battles_of, turn_lock, turn_open, turn_run
from campaign.services.umpire_log import UmpireRefused
from tests.campaign.services.conftest import start, unattended
from tests.support.turns import turn_change, turn_closes

pytestmark = pytest.mark.clause("G.UM2")
Phase = Turn.Phase


def fresh(turn: Turn) -> Turn:
    turn.refresh_from_db()
    return turn


def worker_dies(turn: Turn) -> None:
    """Somebody takes the turn up and is not heard of again."""
    assert leases.take(Turn.objects.filter(pk=turn.pk), phase=Phase.RUNNING) is not None
    Turn.objects.filter(pk=turn.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


def test_a_turn_that_kills_its_workers_is_abandoned_alone_and_its_umpire_is_notified(turn: Turn) -> None:
    other = start("other").turns.get()
    turn_lock(turn=turn)
    for _ in range(3):
        assert sweep().turns == [turn.pk]
        worker_dies(turn)
    assert sweep().turns == [turn.pk]
    assert turn_run(turn_id=turn.pk) == turn_run(turn_id=turn.pk) == Phase.FAILED
    why = "Turn 1 was started 3 times, and each time the program stopped before it was done."
    assert (fresh(turn).error, turn.claim) == (why, None)
    assert Campaign.objects.get(pk=turn.campaign_id).status == Campaign.Status.FAILED
    (mail,) = Notice.objects.filter(kind="work_failed")
    assert mail.recipient is not None and mail.recipient.username == "umpire"
    assert mail.subject == "A small war: turn 1 could not be run"
    assert why in mail.text and why in mail.html and "/c/small/desk/" in mail.text
    assert [alarm.text for alarm in alarms_of(turn.campaign)] == ["The turn could not be run."]
    assert sweep().turns == []
    turn_closes(unattended(other.campaign).turns.get())


def test_a_turn_retried_by_its_umpire_has_all_its_attempts_again(
    turn: Turn, django_capture_on_commit_callbacks: Any
) -> None:
    umpire = turn.campaign.memberships.get(role="umpire").user
    turn_lock(turn=turn)
    for _ in range(3):
        worker_dies(turn)
    turn_run(turn_id=turn.pk)
    assert desk.turn_start_again(turn=turn, umpire=umpire, reason="more memory")
    assert (fresh(turn).phase, turn.attempts, turn.error) == (Phase.LOCKED, 0, "")
    unattended(turn.campaign)
    turn_closes(turn)


def test_a_battle_that_cannot_be_computed_fails_and_its_turn_says_so_at_once(turn: Turn) -> None:
    turn_lock(turn=turn)
    turn_run(turn_id=turn.pk)
    battle = battles_of(turn.pk).get()
    for _ in range(3):
        assert sweep().battles == [battle.pk]
        assert leases.take(Battle.objects.filter(pk=battle.pk), status=Battle.Status.FIGHTING) is not None
        Battle.objects.filter(pk=battle.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert stalls(turn.campaign).battles == 0
    assert battle_fight(battle_id=battle.pk) is False
    battle.refresh_from_db()
    assert (battle.status, battle.attempts) == (Battle.Status.FAILED, 4)
    why = "It was started 3 times, and each time the program stopped before it was done."
    assert battle.error == why
    assert stalls(turn.campaign).battles == 1 and sweep().battles == []
    (row,) = desk_of(turn.campaign, turn).battles
    assert (row.words, row.urgent) == (f"it could not be fought. {why[:-1]}", True)
    assert sweep().turns == [turn.pk]
    turn_run(turn_id=turn.pk)
    assert (fresh(turn).phase, turn.error) == (
        Phase.FAILED,
        f"The battle “{battle.title}” could not be fought. {why}",
    )
    assert turn.error in Notice.objects.get(kind="work_failed").text
    assert turns.turn_retry(turn=turn)
    unattended(turn.campaign)
    turn_closes(turn)


def test_a_turn_stops_at_its_battles_and_closes_in_the_run_after_the_last(turn: Turn) -> None:
    unattended(turn.campaign)
    turn_lock(turn=turn)
    runs: list[tuple[str, str, int, Any]] = []
    while len(runs) < 5 and (not runs or runs[-1][0] == Phase.FIGHTING):
        phase = turn_run(turn_id=turn.pk)
        runs.append((phase, fresh(turn).error, turn.attempts, turn.claim))
        for battle in battles_of(turn.pk).filter(status=Battle.Status.READY):
            assert battle_fight(battle_id=battle.pk) is True
    assert set(runs[:-1]) == {(Phase.FIGHTING, "", 0, None)}
    assert runs[-1] == (Phase.CLOSED, "", 0, None)
    assert turn.campaign.turns.get(number=2).phase == Phase.OPEN


def test_a_turn_does_not_wait_for_other_battles_when_one_has_failed(turn: Turn) -> None:
    turn_lock(turn=turn)
    turn_run(turn_id=turn.pk)
    battle = battles_of(turn.pk).get()
    first = battle.contacts.get()
    again = Battle.objects.get(pk=battle.pk)
    again.pk, again.code, again.status = None, f"{battle.code[:-1]}2", Battle.Status.FAILED
    again.save()
    first.pk, first.code, first.battle = None, "b02", again
    first.save()
    assert turn_run(turn_id=turn.pk) == Phase.FAILED
    assert battles_of(turn.pk).get(pk=battle.pk).status == Battle.Status.READY


def test_a_fight_is_kept_alive_while_it_is_computed(turn: Turn, monkeypatch: pytest.MonkeyPatch) -> None:
    turn_lock(turn=turn)
    kept: list[str] = []
    real = leases.kept

    def noted(row: Any, token: Any, **kwargs: Any) -> Any:
        kept.append(type(row).__name__)
        return real(row, token, **kwargs)

    monkeypatch.setattr(leases, "kept", noted)
    turn_run(turn_id=turn.pk)
    battle_fight(battle_id=battles_of(turn.pk).get().pk)
    assert kept == ["Turn", "Battle"]


def test_a_turn_whose_campaign_is_paused_as_it_is_claimed_is_given_back_untried(
    turn: Turn, monkeypatch: pytest.MonkeyPatch
) -> None:
    umpire = turn.campaign.memberships.get(role="umpire").user
    turn_lock(turn=turn)
    real = leases.take

    def late(rows: Any, **changes: Any) -> Any:
        token = real(rows, **changes)
        campaign_pause(campaign=turn.campaign, umpire=umpire, reason="just now")
        return token

    with monkeypatch.context() as racing:
        racing.setattr(leases, "take", late)
        assert turn_run(turn_id=turn.pk) == Phase.LOCKED
    assert (fresh(turn).claim, turn.lease_until, turn.attempts, turn.state) == (None, None, 0, None)
    campaign_resume(campaign=turn.campaign, umpire=umpire)
    unattended(turn.campaign)
    turn_closes(turn)


@pytest.mark.parametrize("phase", [Phase.CLOSED, Phase.OPEN, Phase.HELD, "void"])
def test_a_turn_that_must_not_be_worked_on_after_the_claim_is_left_alone(
    turn: Turn, monkeypatch: pytest.MonkeyPatch, phase: str
) -> None:
    turn_lock(turn=turn)
    real = leases.take
    changes = {"void": "rollback 1"} if phase == "void" else {"phase": phase}

    def late(rows: Any, **others: Any) -> Any:
        token = real(rows, **others)
        Turn.every.filter(pk=turn.pk).update(**changes)
        return token

    with monkeypatch.context() as racing:
        racing.setattr(leases, "take", late)
        assert turn_run(turn_id=turn.pk) == phase
    row = Turn.every.get(pk=turn.pk)
    assert row.state is None and row.error == "" and turn.campaign.turns.count() == (phase != "void")


def test_a_preview_of_a_turn_that_cannot_be_read_is_refused_with_a_reason(turn: Turn) -> None:
    umpire = turn.campaign.memberships.get(role="umpire").user
    turn_lock(turn=turn)
    turn_change(turn, snapshot={"schema": 1})
    with pytest.raises(UmpireRefused, match="The stored facts of turn 1 cannot be read"):
        turn_preview(turn=fresh(turn), umpire=umpire)


@pytest.mark.one_database
@pytest.mark.parametrize(
    ("column", "document", "said"),
    [
        ("state", {"schema": 1}, "The stored state of turn 1 cannot be read: it has no “fleets”."),
        ("state", [1], "The stored state of turn 1 cannot be read: its structure is not what is expected."),
        ("state", {"schema": 99}, "The stored state of turn 1 cannot be read: a turn of schema 99; this version reads "),
        ("snapshot", {"schema": 1}, "The stored facts of turn 1 cannot be read: it has no “theatre”."),
    ],
)  # fmt: skip
def test_a_damaged_record_is_reported_in_a_sentence(
    turn: Turn, column: str, document: Any, said: str
) -> None:
    turn_lock(turn=turn)
    turn_change(turn, **{column: document})
    for _ in range(3):
        turn_run(turn_id=turn.pk)
    assert fresh(turn).phase == Phase.FAILED and turn.error.startswith(said)
    assert Notice.objects.filter(kind="work_failed").count() == 1


def test_a_damaged_list_of_ships_is_reported_in_a_sentence(turn: Turn) -> None:
    turn_lock(turn=turn)
    turn_run(turn_id=turn.pk)
    battle = battles_of(turn.pk).get()
    Roster.objects.filter(battle=battle).update(scenario=[])
    battle_fight(battle_id=battle.pk)
    battle.refresh_from_db()
    assert battle.error.startswith("Its stored roster cannot be read: ")


def test_the_database_allows_one_turn_at_a_time(turn: Turn) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Turn.objects.create(campaign=turn.campaign, number=2, first_day=1, days=1, chart_hash="x")
    Turn.objects.create(
        campaign=turn.campaign, number=2, first_day=1, days=1, chart_hash="x", void="rollback 1"
    )
    Turn.objects.create(
        campaign=turn.campaign, number=2, first_day=1, days=1, chart_hash="x", run=2, phase="closed"
    )


def test_a_turn_is_opened_only_by_the_one_before_it(turn: Turn) -> None:
    campaign = unattended(turn.campaign)
    assert turn_open(campaign=campaign) == turn
    with pytest.raises(TurnRefused, match="Turn 2 cannot be opened: turn 1 is not closed"):
        turn_open(campaign=campaign, follows=turn)
    for number in (1, 2):
        turn_closes(campaign.turns.get(number=number))
    campaign.refresh_from_db()
    first, second, third = campaign.turns.order_by("number")
    assert turn_open(campaign=campaign, follows=first) == second
    assert turn_open(campaign=campaign, follows=second) == third
    Turn.objects.filter(pk=third.pk).delete()
    with pytest.raises(TurnRefused, match="Turn 5 cannot be opened: the last turn is turn 2"):
        turn_open(campaign=campaign, follows=Turn(number=4))
    assert turn_open(campaign=campaign, follows=second).first_day == 2


def test_a_failure_before_the_third_is_recorded_and_notifies_no_one(
    turn: Turn, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn_lock(turn=turn)
    turn_run(turn_id=turn.pk)
    battle = battles_of(turn.pk).get()
    monkeypatch.setattr(fighting, "play_battle", lambda *_, **__: {}["ENG-12"])
    battle_fight(battle_id=battle.pk)
    battle.refresh_from_db()
    assert battle.status == Battle.Status.READY and "ENG-12" not in battle.error
    assert "KeyError in battles/services/fighting.py, line " in battle.error
    assert not Notice.objects.filter(kind="work_failed").exists()
