"""Odds: what is asked tells nothing of the enemy, and every chunk of battles counts once, whoever dies of it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
import time_machine
from django.conf import LazySettings
from django.utils import timezone

from battles import leases
from battles.engine.odds import Losses, Question, Tally, fought
from campaign.models import OddsChunk, OddsRun, Order, Sighting, Station
from campaign.selectors.odds.asked import Asked, asked_of_contact, asked_of_fleets, bounds_of
from campaign.selectors.odds.meetings import meetings_of
from campaign.services.odds import chunks
from campaign.services.odds.asking import PRECISIONS, OddsRefused, odds_ask, odds_stop
from campaign.services.odds.chunks import _next_size, chunk_fight, chunks_plan, enough, first_size, odds_due
from campaign.tasks import fight_odds, sweep
from fleets.models import Ship
from tests.support.answers import flawless
from tests.support.factories import RegisterEntryFactory, RegisterFactory, ShipFactory
from tests.support.people import DUTCH, ENGLISH, World, world
from tests.support.put_back import put_back

pytestmark = pytest.mark.django_db
State = OddsRun.State
NOW = datetime(2026, 7, 1, 12, tzinfo=UTC)
HOUR, TICK = timedelta(hours=1), timedelta(microseconds=1)


@pytest.fixture
def told(settings: LazySettings) -> World:
    """The campaign with a register from which the English ships come; two workers share a question."""
    settings.ODDS_LANES = 2
    made = world()
    register = RegisterFactory(code="both")
    for n, (nation, side) in enumerate([("England", "English")] * 3 + [("Dutch Republic", "Dutch")] * 12):
        RegisterEntryFactory(register=register, nation__name=nation, side=side, guns=40 + n)
    Ship.objects.filter(navy__code="ENG").update(entry=register.entries.first())
    Sighting.objects.filter(side=made.english.side).update(band="2-4")
    return made


def lots(asked: Question, first: int, runs: int) -> Tally:
    """Counts of battles that are not fought: who wins is decided by the seed."""
    tally = Tally(runs=runs, sides={side.id: Losses() for side in asked.scenario.sides})
    for seed in range(first, first + runs):
        tally.held["ENG" if seed % 3 else "NLD"] += 1
        tally.winners["ENG" if seed % 2 else "NLD"] += 1
        tally.sides["ENG"].gone.note(seed % 4)
    return tally


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lots are drawn instead of battles fought."""
    monkeypatch.setattr(chunks, "fought", lots)


def contact(told: World) -> Sighting:
    return Sighting.objects.get(side=told.english.side)


def question(told: World) -> Asked:
    """What the English admiral asks about the contact that their fleet has sighted."""
    station = Station.objects.select_related("fleet__navy").get(fleet=told.english_fleet)
    found = asked_of_contact(told.english, told.turn, station, contact(told))
    assert found is not None
    return found


def ask(told: World, within: int = 10) -> OddsRun:
    return flawless(odds_ask, membership=told.english, turn=told.turn, asked=question(told), within=within)


def fight_all(run: OddsRun) -> OddsRun:
    """Fight one chunk after the other until the question is answered."""
    while (chunk := OddsChunk.objects.filter(run=run).open().first()) is not None:
        chunk_fight(chunk_id=chunk.pk)
    run.refresh_from_db()
    return run


@pytest.mark.clause("G.IN1", "G.SI2")
@pytest.mark.one_database
def test_two_enemies_behind_the_same_report_give_the_same_odds(told: World) -> None:
    before = question(told)
    enemy = Ship.objects.filter(navy__code="NLD")
    enemy.filter(code__endswith="0").delete()
    for ship in enemy:
        ship.condition = {**ship.condition, "hits_struct": 15}
        ship.facts = {**ship.facts, "guns": 90}
        ship.men = 20
        ship.name = f"New {ship.name}"
        ship.save()
    ShipFactory.create_batch(4, squadron=told.dutch_fleet.squadrons.first(), men=999)
    Order.objects.filter(fleet=told.dutch_fleet).update(
        stance="avoid", instructions={"doctrine": {"break_off": 10}}
    )
    Station.objects.filter(fleet=told.dutch_fleet).update(at="texel", to="", run=0, held_by="b01")
    told.campaign.carried = {**told.campaign.carried, "marks": {f"{DUTCH}-00": ["aground"]}}
    told.campaign.save()
    after = question(told)

    assert after == before
    one, other = (Question.read(asked.question) for asked in (before, after))
    assert fought(one, 0, 2).to_dict() == fought(other, 0, 2).to_dict()
    assert DUTCH not in repr(before)
    assert ENGLISH in repr(before.question)


@pytest.mark.clause("G.SI2")
@pytest.mark.one_database
def test_the_enemy_is_drawn_from_the_register_within_the_band_reported(told: World) -> None:
    Sighting.objects.filter(side=told.english.side).update(band="10-19")
    asked = Question.read(question(told).question)
    sides = {seed: {side.id: list(side.ships()) for side in asked.battle(seed).sides} for seed in range(40)}

    assert {len(row["NLD"]) for row in sides.values()} == set(range(10, 20))
    assert {ship.facts.nation for row in sides.values() for ship in row["NLD"]} == {"Dutch Republic"}
    assert all(len({ship.id for ship in row["NLD"]}) == len(row["NLD"]) for row in sides.values())
    own = [f"{ENGLISH}-{n}" for n in ("00", "01", "02", "10", "11", "12")]
    assert all([ship.id for ship in row["ENG"]] == own for row in sides.values())


@pytest.mark.parametrize(
    ("band", "bounds"), [("1", (1, 1)), ("2-4", (2, 4)), ("20-39", (20, 39)), ("40+", (40, 80))]
)
def test_a_band_is_read_as_its_bounds(band: str, bounds: tuple[int, int]) -> None:
    assert bounds_of(band) == bounds


@pytest.mark.one_database
def test_without_a_register_ones_own_ships_stand_for_the_enemys(told: World) -> None:
    Ship.objects.filter(navy__code="ENG").update(entry=None)
    enemy = next(side for side in question(told).question["scenario"]["sides"] if side["id"] == "NLD")
    assert len(enemy["squadrons"][0]["ships"]) == 6
    assert enemy["squadrons"][0]["ships"][0]["facts"]["nation"] == "England"


@pytest.mark.one_database
def test_kinds_that_nothing_is_known_of_cannot_be_asked_about(told: World) -> None:
    Sighting.objects.filter(side=told.english.side).update(kinds=["merchant"])
    station = Station.objects.select_related("fleet__navy").get(fleet=told.english_fleet)
    assert asked_of_contact(told.english, told.turn, station, contact(told)) is None


@pytest.mark.one_database
def test_the_umpires_question_has_both_fleets_as_they_are(told: World) -> None:
    asked = asked_of_fleets(told.turn, f"{ENGLISH}-f", f"{DUTCH}-f")
    assert asked is not None
    assert asked.truth
    ships = {ship.id for _, ship in Question.read(asked.question).known()}
    assert {f"{ENGLISH}-00", f"{DUTCH}-12"} <= ships
    assert asked_of_fleets(told.turn, f"{ENGLISH}-f", f"{ENGLISH}-f") is None
    assert asked_of_fleets(told.turn, f"{ENGLISH}-f", "no-such") is None


@pytest.mark.one_database
def test_only_contacts_within_reach_are_offered(told: World) -> None:
    station = Station.objects.select_related("fleet__navy").get(fleet=told.english_fleet)
    (met,) = meetings_of(told.english, told.turn, station)
    assert (met.number, met.hours) == (1, 12)
    Sighting.objects.filter(side=told.english.side).update(latitude=2000)
    assert meetings_of(told.english, told.turn, station) == []


@pytest.mark.one_database
def test_a_chunk_fights_the_battles_of_its_seeds(told: World) -> None:
    run = ask(told)
    _, second = run.chunks.all()
    OddsChunk.objects.filter(pk=second.pk).update(size=2)
    chunk_fight(chunk_id=second.pk)
    run.refresh_from_db()
    assert run.counts == fought(Question.read(run.question), second.first, 2).to_dict()


def test_a_question_is_answered_by_chunks_until_it_is_known_well_enough(quick: None, told: World) -> None:
    run = ask(told)
    first = list(run.chunks.values_list("first", "size"))
    assert first == [(0, first[0][1]), (first[0][1], first[0][1])], "a small one for each worker"
    following = chunk_fight(chunk_id=run.chunks.get(first=0).pk)
    run.refresh_from_db()
    assert (run.state, run.runs) == (State.COUNTING, first[0][1])
    assert len(following) == 1
    fight_all(run)
    assert run.state == State.DONE
    assert run.finished is not None
    assert 100 * Tally.from_dict(run.counts).within <= run.within == 10
    assert run.runs < run.most
    assert not run.chunks.exists()


@pytest.mark.one_database
def test_the_first_chunk_is_offered_to_the_workers_of_turns_too_unless_it_is_long(
    told: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    handed: list[tuple[Any, ...]] = []
    monkeypatch.setattr("campaign.services.odds.asking.publish", lambda *work: handed.append(work))
    first, second = ask(told).chunks.values_list("pk", flat=True)
    odds, at_once = "campaign.tasks.fight_odds", "campaign.tasks.fight_odds_first"
    assert handed == [(odds, first), (odds, second), (at_once, first)]
    handed.clear()
    Sighting.objects.filter(side=told.english.side).update(band="40+")
    for most, tasks in ((85, [odds, odds]), (86, [odds, odds, at_once])):
        handed.clear()
        monkeypatch.setattr("campaign.services.odds.asking.FIRST_SHIPS", most)
        ask(told)
        assert [task for task, _ in handed] == tasks, "a turn waits for no large battle"


def test_a_chunk_that_is_delivered_twice_counts_once(quick: None, told: World) -> None:
    run = ask(told)
    chunk = run.chunks.get(first=0)
    assert chunk_fight(chunk_id=chunk.pk)
    run.refresh_from_db()
    once = run.counts
    assert chunk_fight(chunk_id=chunk.pk) == []
    fight_odds(chunk.pk)
    run.refresh_from_db()
    assert run.counts == once
    assert run.counts == lots(Question.read(run.question), 0, chunk.size).to_dict()


def test_the_chunk_of_a_dead_worker_is_found_and_fought_by_another(
    quick: None, told: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = ask(told)
    chunk = run.chunks.get(first=0)
    leases.take(OddsChunk.objects.filter(pk=chunk.pk))
    assert chunk_fight(chunk_id=chunk.pk) == [], "someone has it"
    assert chunk.pk not in odds_due()
    OddsChunk.objects.filter(pk=chunk.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert odds_due() == [row.pk for row in run.chunks.all()]
    handed: list[tuple[Any, ...]] = []
    monkeypatch.setattr("campaign.tasks.hand_on", lambda task, *args: handed.append((task, *args)))
    sweep()
    assert ("campaign.tasks.fight_odds", chunk.pk) in handed
    chunk_fight(chunk_id=chunk.pk)
    run.refresh_from_db()
    assert run.runs == chunk.size


def test_a_worker_that_was_too_slow_adds_nothing(
    quick: None, told: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = ask(told)
    chunk = run.chunks.get(first=0)

    def slow(*args: Any) -> Tally:
        OddsChunk.objects.filter(pk=chunk.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
        monkeypatch.setattr(chunks, "fought", lots)
        chunk_fight(chunk_id=chunk.pk)
        return lots(*args)

    monkeypatch.setattr(chunks, "fought", slow)
    assert chunk_fight(chunk_id=chunk.pk) == []
    run.refresh_from_db()
    assert run.runs == chunk.size


def test_counts_that_come_in_at_the_same_time_are_all_kept(
    quick: None, told: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = ask(told)
    first, second = run.chunks.all()
    whole = Tally.from_dict

    def meanwhile(doc: Any) -> Tally:
        monkeypatch.setattr(Tally, "from_dict", whole)
        chunk_fight(chunk_id=second.pk)
        return whole(doc)

    monkeypatch.setattr(Tally, "from_dict", meanwhile)
    chunk_fight(chunk_id=first.pk)
    run.refresh_from_db()
    assert run.runs == first.size + second.size
    firsts = list(OddsChunk.objects.filter(run=run).values_list("first", flat=True))
    assert len(set(firsts)) == len(firsts)


def test_stopping_keeps_what_was_counted_and_a_chunk_in_hand_adds_nothing(
    quick: None, told: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = ask(told)
    first, second = run.chunks.all()
    chunk_fight(chunk_id=first.pk)

    def stopped(*args: Any) -> Tally:
        assert odds_stop(membership=told.english)
        return lots(*args)

    monkeypatch.setattr(chunks, "fought", stopped)
    assert chunk_fight(chunk_id=second.pk) == []
    run.refresh_from_db()
    assert (run.state, run.runs) == (State.STOPPED, first.size)
    assert not run.chunks.exists()
    assert not odds_stop(membership=told.english)
    assert odds_due() == []


def test_a_new_question_takes_the_place_of_the_old_one(quick: None, told: World) -> None:
    old = ask(told)
    late = old.chunks.first()
    assert late is not None
    Sighting.objects.filter(side=told.english.side).update(band="1")
    new = ask(told)
    assert OddsRun.objects.get().pk == new.pk
    chunk_fight(chunk_id=late.pk)
    new.refresh_from_db()
    assert new.runs == 0
    assert "a single sail" in new.title


def test_the_same_question_keeps_its_battles_and_fights_only_more(quick: None, told: World) -> None:
    run = fight_all(ask(told))
    runs, counts = run.runs, run.counts
    again = ask(told)
    assert (again.state, again.runs, again.counts) == (
        State.DONE,
        runs,
        counts,
    ) or OddsRun.objects.get().state == State.DONE
    finer = ask(told, within=5)
    assert (finer.runs, finer.state) == (runs, State.COUNTING)
    assert min(finer.chunks.values_list("first", flat=True)) >= runs


@pytest.mark.parametrize("spent", [True, False])
def test_a_question_ends_at_its_limit_of_battles_and_of_time(
    quick: None, told: World, settings: LazySettings, *, spent: bool
) -> None:
    run = ask(told, within=3)
    if spent:
        settings.ODDS_SECONDS = 0
    else:
        OddsRun.objects.update(most=20)
    fight_all(run)
    assert run.state == State.DONE
    assert run.runs == (12 if spent else 24)


def test_battles_that_fail_three_times_end_the_question_with_the_reason(
    quick: None, told: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = ask(told)
    chunk, other = run.chunks.all()
    chunk_fight(chunk_id=other.pk)

    def fails(*_: Any) -> Tally:
        raise ArithmeticError("zero")

    monkeypatch.setattr(chunks, "fought", fails)
    for attempt in range(1, leases.MAX_ATTEMPTS + 1):
        chunk_fight(chunk_id=chunk.pk)
        run.refresh_from_db()
        assert (run.state == State.FAILED) is (attempt == leases.MAX_ATTEMPTS)
    assert "ArithmeticError" in run.error
    assert not run.chunks.exists() and run.runs == other.size
    again = ask(told)
    assert (again.state, again.runs, again.spent, again.counts) == (State.COUNTING, 0, 0, {}), (
        "from the beginning"
    )
    assert [row.first for row in again.chunks.all()] == [0, other.first]


def test_a_chunk_that_kills_its_workers_is_given_up(quick: None, told: World) -> None:
    run = ask(told)
    chunk = run.chunks.get(first=0)
    OddsChunk.objects.filter(pk=chunk.pk).update(attempts=leases.MAX_ATTEMPTS)
    chunk_fight(chunk_id=chunk.pk)
    run.refresh_from_db()
    assert run.state == State.FAILED
    assert "3 times" in run.error


def test_one_person_asks_so_often_within_an_hour(told: World, settings: LazySettings) -> None:
    settings.ODDS_PER_HOUR = 2
    ask(told)
    ask(told)
    with pytest.raises(OddsRefused, match="2 times within an hour"):
        ask(told)
    OddsRun.objects.update(asking_since=timezone.now() - timedelta(hours=2))
    assert ask(told).asked == 1


def test_how_often_someone_has_asked_is_forgotten_after_an_hour(told: World, settings: LazySettings) -> None:
    settings.ODDS_PER_HOUR = 1

    def asked() -> int | str:
        try:
            return ask(told).asked
        except Exception as why:
            return str(why)

    wait = "You have asked for odds 1 times within an hour. Wait a while before you ask again."
    for after, said in ((0 * HOUR, 1), (HOUR - TICK, wait), (HOUR, 1), (2 * HOUR - TICK, wait)):
        with time_machine.travel(NOW + after, tick=False):
            assert asked() == said, after
    settings.ODDS_PER_HOUR = 3
    with time_machine.travel(NOW + HOUR, tick=False):
        assert (asked(), asked()) == (2, 3)
        assert OddsRun.objects.get().version == 3, "every question has its number"


def test_a_battle_of_up_to_300_ships_can_be_asked_about(told: World) -> None:
    asked = question(told)
    for most, said in ((294, ""), (295, "301 ships are too many to work out odds for. The limit is 300.")):
        asked.question["guess"]["most"] = most
        try:
            odds_ask(membership=told.english, turn=told.turn, asked=asked)
        except Exception as why:
            assert str(why) == said
        else:
            assert not said


def test_chances_are_wanted_to_10_5_or_3_points_and_otherwise_to_5(told: World) -> None:
    assert PRECISIONS == {
        10: "±10 percentage points: quick",
        5: "±5 percentage points",
        3: "±3 percentage points: slow",
    }
    assert {within: ask(told, within).within for within in (10, 5, 3, 9, 4, 2)} == {
        10: 10,
        5: 5,
        3: 3,
        9: 5,
        4: 5,
        2: 5,
    }
    usual = odds_ask(membership=told.english, turn=told.turn, asked=question(told))
    assert (usual.within, usual.most) == (5, 1100)


def test_a_first_chunk_has_120_ships_and_one_battle_at_least() -> None:
    sizes = {ships: first_size(SimpleNamespace(size=ships)) for ships in (1, 2, 60, 61, 120, 121, 300)}
    assert sizes == {1: 120, 2: 60, 60: 2, 61: 1, 120: 1, 121: 1, 300: 1}


def test_a_later_chunk_takes_two_seconds_and_has_up_to_60_battles() -> None:
    for spent, runs, size in (
        (0, 0, 60), (0, 5, 60), (99, 3, 60), (102, 3, 58), (667, 1, 2), (1000, 1, 2), (1001, 1, 1), (1999, 2, 2),
        (2000, 1, 1), (2001, 1, 1), (9000, 0, 1),
    ):  # fmt: skip
        assert _next_size(SimpleNamespace(spent=spent, runs=runs)) == size, (spent, runs)


def test_30_battles_are_enough_if_they_agree_and_so_is_the_limit_of_battles_or_of_time(
    settings: LazySettings,
) -> None:
    settings.ODDS_SECONDS = 7
    run = {"most": 100, "spent": 0, "within": 10}
    for changes, runs, within, so in (
        ({}, 29, 0.01, False), ({}, 30, 0.1, True), ({}, 30, 0.101, False), ({}, 99, 0.5, False), ({}, 100, 0.5, True),
        ({"spent": 6999}, 29, 0.5, False), ({"spent": 7000}, 29, 0.5, True), ({"within": 51}, 30, 0.5, True),
    ):  # fmt: skip
        counted = SimpleNamespace(runs=runs, within=within)
        assert enough(SimpleNamespace(**{**run, **changes}), counted) is so, (changes, runs, within)


def test_there_is_one_chunk_for_each_worker_until_the_battles_are_shared_out(
    told: World, settings: LazySettings
) -> None:
    run = ask(told)
    run.chunks.all().delete()

    def planned(lanes: int, most: int) -> list[tuple[int, int]]:
        """Chunks of 10 that are new, of a question of which 5 battles have been fought."""
        settings.ODDS_LANES = lanes
        run.most, run.runs, run.planned = most, 5, 5
        return list(
            run.chunks.filter(pk__in=chunks_plan(run, size=10)).order_by("first").values_list("first", "size")
        )

    for lanes, most, shared in (
        (2, 100, [(5, 10), (15, 10)]), (3, 33, [(5, 10), (15, 10), (25, 8)]), (3, 25, [(5, 10), (15, 10)]), (1, 6, [(5, 1)]),
        (1, 5, []), (0, 100, []),
    ):  # fmt: skip
        with put_back():
            assert planned(lanes, most) == shared, (lanes, most)
            assert OddsRun.objects.get().planned == 5 + sum(size for _, size in shared)
    OddsChunk.objects.create(run=run, first=0, size=20)
    for lanes, most, count in ((1, 100, 0), (2, 100, 1), (2, 25, 0), (2, 26, 1)):
        with put_back():
            assert len(planned(lanes, most)) == count, (lanes, most)


def test_a_chunk_adds_its_time_and_one_to_the_version(
    quick: None, told: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = ask(told)
    clock = iter((10.0, 12.5))
    monkeypatch.setattr(chunks, "monotonic", lambda: next(clock))
    chunk_fight(chunk_id=run.chunks.get(first=0).pk)
    run.refresh_from_db()
    assert (run.spent, run.version) == (2500, 1)


def test_a_chunk_of_a_question_that_has_been_stopped_is_not_fought(
    told: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = ask(told)
    monkeypatch.setattr(chunks, "fought", lambda *_: pytest.fail("it was fought"))
    OddsRun.objects.update(state=State.STOPPED)
    chunk = run.chunks.get(first=0)
    assert chunk_fight(chunk_id=chunk.pk) == []
    assert chunk in OddsChunk.objects.open()


def test_answers_are_forgotten_after_a_week_and_100_chunks_are_handed_on_at_once(
    quick: None, told: World
) -> None:
    run = ask(told)
    OddsChunk.objects.bulk_create(OddsChunk(run=run, first=n, size=1) for n in range(1000, 1101))
    with time_machine.travel(NOW, tick=False):
        for ago, kept in (
            (timedelta(days=7) - TICK, True),
            (timedelta(days=7), True),
            (timedelta(days=7) + TICK, False),
        ):
            OddsRun.objects.update(finished=NOW - ago)
            assert len(odds_due()) == (100 if kept else 0), ago
            assert OddsRun.objects.exists() is kept
