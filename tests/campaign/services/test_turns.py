"""A turn from open to closed, and everything that can happen to the worker on the way."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.utils import timezone

from battles import leases
from battles.engine.core.dice import KeyedDice, ScriptedDice
from battles.engine.core.scenario import Strength
from battles.models import Battle, BattleOutcome
from battles.services import fighting
from battles.services.fighting import battle_fight
from battles.tasks import fight
from campaign import tasks
from campaign.models import Campaign, Command, Notice, Report, Turn, WeatherWatch
from campaign.notices.send import notice_send
from campaign.rules.chart.types import Visibility
from campaign.rules.sailing.weather import weather_step
from campaign.rules.state.state import ZoneWeather
from campaign.rules.state.world import Chart
from campaign.rules.turn import turn as rules
from campaign.rules.turn.snapshots import facts_from_dict
from campaign.rules.turn.turn import TurnState
from campaign.selectors.turn.facts import pure_theatre, turn_facts
from campaign.services.sweep import sweep
from campaign.services.turn import turn_results, turns
from campaign.services.turn.chart_results import sea_write
from campaign.services.turn.playing import TurnFailed, turn_play
from campaign.services.turn.turns import battles_of, turn_lock, turn_open, turn_retry, turn_run
from fleets.models import Fleet, Officer, ServiceRecord, Ship, Squadron
from tests.campaign.services.conftest import fair_turn_played, first_turn_played, start, unattended
from tests.support.put_back import put_back
from tests.support.turns import turn_closes

Phase = Turn.Phase


def run_to_battle(turn: Turn) -> Battle:
    """Lock a turn and run it to its first battle."""
    turn_lock(turn=turn)
    assert turn_run(turn_id=turn.pk) == Phase.FIGHTING
    return battles_of(turn.pk).get()


@pytest.mark.clause("G.CL1", "G.CL2", "G.BT3", "G.BT6")
def test_a_turn_is_played_to_its_end_and_its_battle_written_back(closed: Turn) -> None:
    battle = battles_of(closed.pk).first()
    assert closed.phase == Phase.CLOSED
    assert battle.status == Battle.Status.WRITTEN
    fought = {ship["ship"] for ship in battle.outcome.document["ships"]}
    assert len(fought) == 7
    told = ServiceRecord.objects.filter(battle=battle.code, kind="fought").values_list(
        "ship__code", flat=True
    )
    assert set(told) == fought


@pytest.mark.clause("G.CL2", "G.BT3")
def test_the_records_agree_with_the_chart_about_every_ship(closed: Turn) -> None:
    rows_agree(closed)


def rows_agree(turn: Turn) -> TurnState:
    """Every ship's row says what the state of a finished turn says of her."""
    state = TurnState.from_dict(turn.state)
    ships = {ship.code: ship for ship in turn.campaign.book.ships.select_related("navy", "squadron__fleet")}
    assert set(state.ships) == {
        code for code, row in ships.items() if (row.fate == "afloat" and row.squadron) or code in state.ships
    }
    for code, ship in state.ships.items():
        row = ships[code]
        assert (row.navy.code, row.prize, row.fate == "afloat") == (ship.side, ship.prize, not ship.fate.lost)
        if row.fate == "afloat":
            assert (row.condition, row.men) == (ship.condition, ship.men), code
            assert (row.squadron.fleet.code if row.squadron else "") == ship.fleet
            assert ship.prize or (row.squadron.code if row.squadron else "") == ship.squadron
            assert row.captain == ship.captain
        else:
            assert (row.squadron, row.captain) == (None, "")
    alive = {code for code, fleet in state.fleets.items() if not fleet.ended}
    rows = Fleet.objects.filter(navy__book=turn.campaign.book, ended=False)
    assert set(rows.values_list("code", flat=True)) == alive
    for fleet in rows.select_related("station"):
        now = state.fleets[fleet.code].position
        assert (fleet.station.at, fleet.station.to, fleet.station.run) == (now.at, now.to, now.run)
    return state


def storm(campaign: Campaign, left: int) -> Turn:
    """The first turn of a small war in a gale: all ships but one a side have so much hull left, and whoever is damaged parts company."""
    theatre = pure_theatre(campaign.theatre)
    gale = {"wind_from": 270, "strength": "gale", "visibility": "clear"}
    campaign.weather = dict.fromkeys(theatre.zones, gale)
    campaign.settings = {"part_at": 6}
    campaign.save()
    for number, ship in enumerate(campaign.book.ships.order_by("code")):
        hull = ship.card["hull_max"]
        ship.condition = {**ship.condition, "hits_struct": 0 if number in (0, 4) else hull - left}
        ship.save()
    return campaign.turns.get()


@pytest.mark.clause("G.WX2", "G.WX3")
def test_a_gale_caused_by_a_battle_appears_in_the_weather_record_in_place_of_the_throw(turn: Turn) -> None:
    facts, orders = turn_facts(turn)
    zone = min(facts.theatre.zones)
    state = rules.begin(facts, orders, KeyedDice(b"weather"))
    state.storms, state.hour = ((4, zone),), 4
    # the throw of the watch makes it light: another entry for the same hour
    state.weather[zone] = ZoneWeather(0, Strength.STILL, Visibility.FOG)
    with ScriptedDice([6, 6, 6] * len(facts.theatre.zones)) as dice:
        weather_step(Chart(facts, state, dice))
    told = [
        event.data["strength"] for event in state.events if event.hour == 4 and event.data["zone"] == zone
    ]
    assert told == ["light", "gale"]
    for _ in range(2):
        turn_results.state_write(turn=turn, facts=facts, state=state)
    row = WeatherWatch.objects.get(turn=turn, hour=4, zone=zone)
    assert (row.strength, row.visibility) == ("gale", "clear")


@pytest.mark.one_database
@pytest.mark.clause("G.GF1", "G.GF3", "G.SV1")
@pytest.mark.parametrize("seed", ["d", "f"])
def test_ships_that_founder_or_part_in_a_gale_appear_in_their_records(db: Any, seed: str) -> None:
    campaign = start(demo_seed=seed)
    turn = turn_closes(storm(campaign, 2))
    state = rows_agree(turn)
    at_sea = [event for event in state.events if "battle" not in event.data]
    told = {kind: [e for e in at_sea if e.kind == kind] for kind in ("lost", "parted_company")}
    assert told["lost"] and told["parted_company"]
    records = ServiceRecord.objects.filter(ship__book=campaign.book, turn="DEMO/1", battle="")
    assert set(records.filter(kind="foundered").values_list("ship__code", flat=True)) == {
        e.data["ship"] for e in told["lost"]
    }
    parted = {ship for e in told["parted_company"] for ship in e.data["ships"]}
    assert set(records.filter(kind="parted").values_list("ship__code", flat=True)) == parted
    new = Fleet.objects.filter(navy__book=campaign.book, code__contains="-p1-", ended=False)
    assert new.exists()
    following = campaign.turns.get(number=2)
    for fleet in new:
        order = following.orders.get(fleet=fleet)
        assert (order.stance, order.source) == ("avoid", "standing")
        assert Command.objects.filter(fleet=fleet).exists()
    gone = Ship.objects.filter(book=campaign.book, fate="foundered")
    assert not Officer.objects.filter(ship__in=gone).exists()
    assert not Squadron.objects.filter(flagship__in=gone).exists()
    count = ServiceRecord.objects.count()
    facts, _ = facts_from_dict(turn.snapshot, pure_theatre(campaign.theatre))
    sea_write(turn=turn, facts=facts, state=state)
    assert ServiceRecord.objects.count() == count


@pytest.mark.one_database
@pytest.mark.clause("G.GF3", "G.PR3", "G.CL2")
@pytest.mark.parametrize("seed", ["d", "f"])
def test_a_storm_continues_from_turn_to_turn_and_the_records_agree_at_the_end_of_each(
    db: Any, seed: str
) -> None:
    campaign = start(demo_seed=seed)
    storm(campaign, 12)
    for number in range(1, 4):
        turn = turn_closes(campaign.turns.get(number=number))
        rows_agree(turn)
    assert ServiceRecord.objects.filter(ship__book=campaign.book, kind="parted").exists()


@pytest.mark.one_database
@pytest.mark.clause("G.FA1")
def test_the_same_dice_end_in_the_same_position_and_other_dice_in_another(db: Any) -> None:
    with put_back():
        known = first_turn_played().turns.get(number=1).state_hash
    same, other = (
        turn_closes(unattended(start(code, demo_seed=seed)).turns.get()).state_hash
        for code, seed in (("two", "a test"), ("three", "b"))
    )
    assert known == same != other


@pytest.mark.one_database
@pytest.mark.clause("G.FA1")
def test_a_real_campaign_draws_new_secrets_and_shows_only_their_fingerprint(db: Any) -> None:
    first, second = (start(code, demo_seed="").turns.get() for code in ("one", "two"))
    assert first.chart_secret != second.chart_secret != second.battle_secret
    assert len(bytes.fromhex(first.chart_secret)) == 32
    assert first.chart_hash != first.chart_secret


def test_finished_work_is_not_done_again(turn: Turn) -> None:
    battle = run_to_battle(turn)
    assert battle_fight(battle_id=battle.pk) is True
    assert battle_fight(battle_id=battle.pk) is False
    assert BattleOutcome.objects.filter(battle=battle).count() == 1
    turn_closes(turn)
    records, notices = ServiceRecord.objects.count(), Notice.objects.count()
    for _ in range(2):
        assert turn_run(turn_id=turn.pk) == Phase.CLOSED
        fight(battle.pk)
    assert (ServiceRecord.objects.count(), Notice.objects.count()) == (records, notices)
    assert turn.campaign.turns.count() == 2


def test_a_battle_whose_worker_died_is_fought_by_another_to_the_same_end(db: Any) -> None:
    with put_back():
        known = BattleOutcome.objects.get(battle__book=first_turn_played().book).document
    battle = run_to_battle(start().turns.get())
    waiting = Battle.objects.filter(pk=battle.pk)
    assert leases.take(waiting, status=Battle.Status.FIGHTING) is not None  # a worker takes it, and dies
    assert battle_fight(battle_id=battle.pk) is False
    assert sweep().battles == []
    waiting.update(lease_until=timezone.now() - timedelta(seconds=1))
    assert sweep().battles == [battle.pk]
    assert battle_fight(battle_id=battle.pk) is True
    assert Battle.objects.get(pk=battle.pk).outcome.document == known


def test_a_worker_slowed_past_its_lease_writes_nothing(turn: Turn, monkeypatch: pytest.MonkeyPatch) -> None:
    battle = run_to_battle(turn)
    real = fighting.play_battle

    def slow(*args: Any, **kwargs: Any) -> Any:
        Battle.objects.filter(pk=battle.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
        return real(*args, **kwargs)

    monkeypatch.setattr(fighting, "play_battle", slow)
    assert battle_fight(battle_id=battle.pk) is False
    assert not BattleOutcome.objects.filter(battle=battle).exists()
    monkeypatch.setattr(fighting, "play_battle", real)
    assert battle_fight(battle_id=battle.pk) is True


def test_a_worker_that_dies_while_writing_a_turn_leaves_nothing_half_written(
    db: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with put_back():
        known = first_turn_played().turns.get(number=1).state_hash
    turn = start().turns.select_related("campaign__book", "campaign__theatre").get()
    real = turn_results.state_write

    def dies(**kwargs: Any) -> None:
        real(**kwargs)
        raise MemoryError("the machine went away")

    battle_fight(battle_id=run_to_battle(turn).pk)
    monkeypatch.setattr(turn_results, "state_write", dies)
    while turn_run(turn_id=turn.pk) == Phase.FIGHTING:
        waiting = battles_of(turn.pk).filter(status=Battle.Status.READY)
        if not waiting:
            break
        for battle in waiting:
            battle_fight(battle_id=battle.pk)
    turn.refresh_from_db()
    assert turn.phase == Phase.RUNNING
    assert "MemoryError" in turn.error
    assert not Report.objects.filter(turn=turn).exists()
    monkeypatch.setattr(turn_results, "state_write", real)
    unattended(turn.campaign)
    turn_closes(turn)
    assert turn.state_hash == known


@pytest.mark.clause("G.CL2")
def test_a_turn_past_its_lease_writes_nothing(turn: Turn, monkeypatch: pytest.MonkeyPatch) -> None:
    turn_lock(turn=turn)
    real = turns.rules.advance

    def slow(*args: Any, **kwargs: Any) -> Any:
        Turn.objects.filter(pk=turn.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
        return real(*args, **kwargs)

    monkeypatch.setattr(turns.rules, "advance", slow)
    turn_run(turn_id=turn.pk)
    turn.refresh_from_db()
    assert turn.state is None
    assert not Battle.objects.exists()
    assert sweep().turns == [turn.pk]


def test_the_third_failure_sets_this_campaign_aside_and_no_other(
    turn: Turn, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = start("other").turns.get()
    turn_lock(turn=turn)
    real = turns.rules.begin

    def broken(facts: Any, *args: Any) -> Any:
        raise RuntimeError("a fault of the program")

    monkeypatch.setattr(turns.rules, "begin", broken)
    for _ in range(3):
        turn_run(turn_id=turn.pk)
    turn.refresh_from_db()
    assert turn.phase == Phase.FAILED and turn.error.startswith(
        "Turn 1 stopped because of an unexpected error (RuntimeError in campaign/services/turn/turns.py, line "
    )
    assert (
        "a fault of the program" not in turn.error
    )  # an exception's own words may hold what a side does not know
    assert Campaign.objects.get(pk=turn.campaign_id).status == Campaign.Status.FAILED
    assert sweep().turns == []
    with pytest.raises(TurnFailed, match="an unexpected error"):
        turn_play(turn=turn)
    monkeypatch.setattr(turns.rules, "begin", real)
    unattended(other.campaign)
    assert turn_play(turn=other).phase == Phase.CLOSED
    unattended(turn.campaign)
    assert turn_retry(turn=turn)
    turn_closes(turn)


def test_a_deadline_that_has_passed_locks_the_turn_automatically(turn: Turn) -> None:
    assert sweep().turns == []
    Turn.objects.filter(pk=turn.pk).update(deadline=timezone.now() - timedelta(seconds=1))
    assert sweep().turns == [turn.pk]
    turn.refresh_from_db()
    assert turn.phase == Phase.LOCKED


@pytest.mark.one_database
@pytest.mark.clause("G.MV2")
def test_standing_orders_carry_over_into_the_next_turn(turn: Turn) -> None:
    unattended(turn.campaign)
    turn.orders.update(stance="avoid", route=["galloper", "sole_bay", "off_lowestoft", "yarmouth"])
    turn_closes(turn)
    following = turn.campaign.turns.get(number=2)
    state = TurnState.from_dict(turn.state)
    for order in following.orders.select_related("fleet"):
        left = state.fleets[order.fleet.code].order
        assert (order.source, order.stance, tuple(order.route)) == ("standing", "avoid", left.route)
        assert len(order.route) < 4


@pytest.mark.clause("G.CL2", "G.UM3")
def test_a_running_turn_uses_the_facts_at_its_start_and_not_later_changes(turn: Turn) -> None:
    battle_fight(battle_id=run_to_battle(turn).pk)
    turn.refresh_from_db()
    before = turn.snapshot
    unattended(turn.campaign)
    turn_closes(turn)
    assert turn.snapshot == before
    facts, _ = turn_facts(turn.campaign.turns.get(number=2))
    assert facts.first_hour == 24


def test_opening_a_turn_twice_gives_one_turn(closed: Turn) -> None:
    campaign = closed.campaign
    following = campaign.turns.get(number=2)
    Turn.objects.filter(pk=following.pk).delete()
    assert turn_open(campaign=campaign, follows=closed).number == 2
    assert turn_open(campaign=campaign, follows=closed).number == 2
    assert campaign.turns.count() == 2


def test_only_automatic_sides_get_the_admirals_orders(db: Any) -> None:
    campaign = start(automatic=True)
    campaign.sides.filter(name="England").update(automatic=False)
    turn = campaign.turns.get()
    turn_lock(turn=turn)
    sources = dict(turn.orders.values_list("fleet__navy__code", "source"))
    assert sources == {"ENG": "web", "NLD": "admiral"}


def test_every_task_run_twice_notifies_once(
    turn: Turn, django_capture_on_commit_callbacks: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting: list[tuple[Any, int]] = [(tasks.run_turn, turn.pk)]
    for task in (tasks.run_turn, tasks.send_notices, fight):
        monkeypatch.setattr(task, "delay", lambda pk, task=task: waiting.append((task, pk)))
    turn_lock(turn=turn)
    while waiting:
        task, pk = waiting.pop(0)
        task(pk)
        task(pk)
    turn.refresh_from_db()
    assert turn.phase == Phase.CLOSED
    report = [m for m in mail.outbox if m.extra_headers["Message-ID"]]
    assert len({m.extra_headers["Message-ID"] for m in report}) == len(mail.outbox)
    assert Notice.objects.exclude(status=Notice.Status.SENT).count() == 0


def test_the_sweep_recovers_a_lost_broker_message(turn: Turn) -> None:
    unattended(turn.campaign)
    turn_lock(turn=turn)
    for _ in range(20):
        found = sweep()
        if not (found.turns or found.battles):
            break
        for pk in found.turns:
            turn_run(turn_id=pk)
        for pk in found.battles:
            battle_fight(battle_id=pk)
    turn.refresh_from_db()
    assert turn.phase == Phase.CLOSED


def test_a_mail_server_that_refuses_fails_no_turn_and_is_retried_later(
    closed: Turn, monkeypatch: pytest.MonkeyPatch
) -> None:
    notice = Notice.objects.filter(kind="turn_report").first()

    def refuses(self: Any, *args: Any) -> int:
        raise ConnectionRefusedError("no mail server there")

    monkeypatch.setattr("django.core.mail.EmailMultiAlternatives.send", refuses)
    assert notice_send(notice_id=notice.pk) is False
    notice.refresh_from_db()
    assert (notice.status, "no mail server there" in notice.error) == (Notice.Status.WAITING, True)
    assert notice.pk not in sweep().notices
    assert notice_send(notice_id=notice.pk) is False
    Notice.objects.filter(pk=notice.pk).update(retry_after=timezone.now() - timedelta(seconds=1))
    assert notice.pk in sweep().notices


@pytest.mark.one_database
@pytest.mark.parametrize("begun", [first_turn_played, fair_turn_played], ids=["a demo", "no demo"])
def test_the_reports_of_a_turn_link_to_existing_battles(
    db: Any, client: Any, begun: Callable[[], Campaign]
) -> None:
    campaign = begun()
    turn = campaign.turns.get(number=1)
    client.force_login(campaign.memberships.get(side__name="England").user)
    page = client.get(f"/c/{campaign.code}/turns/{turn.number}/").content.decode()
    links = set(re.findall(r'href="(/c/[^"]+/battles/[^"]+)"', page))
    assert links
    assert {client.get(link).status_code for link in links} == {200}


@pytest.mark.clause("G.CL3")
def test_a_turn_ended_early_by_a_battle_reopens_its_orders_for_the_remaining_days(turn: Turn) -> None:
    unattended(turn.campaign)
    Turn.objects.filter(pk=turn.pk).update(days=3)
    turn.refresh_from_db()
    turn_closes(turn)
    following = turn.campaign.turns.get(number=2)
    assert turn.days_run == 1
    assert (following.first_day, following.days) == (1, 2)
    Turn.objects.filter(pk=following.pk).update(days=1)
    turn_closes(turn.campaign.turns.get(number=2))
    assert turn.campaign.turns.get(number=3).days == turn.campaign.turn_days
