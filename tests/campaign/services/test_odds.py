"""Odds: what is asked tells nothing of the enemy, and every chunk of battles counts once, whoever dies of it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.utils import timezone

from battles import leases
from battles.engine.odds import Losses, Question, Tally, fought
from campaign.models import OddsChunk, OddsRun, Order, Sighting, Station
from campaign.selectors.odds.asked import Asked, asked_of_contact, asked_of_fleets, bounds_of
from campaign.selectors.odds.meetings import meetings_of
from campaign.services.odds import chunks
from campaign.services.odds.asking import OddsRefused, odds_ask, odds_stop
from campaign.services.odds.chunks import chunk_fight, odds_due
from campaign.tasks import fight_odds, sweep
from fleets.models import Ship
from tests.support.factories import RegisterEntryFactory, RegisterFactory, ShipFactory
from tests.support.people import DUTCH, ENGLISH, World, world

pytestmark = pytest.mark.django_db
State = OddsRun.State


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
    return odds_ask(membership=told.english, turn=told.turn, asked=question(told), within=within)


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
    monkeypatch.setattr("campaign.services.odds.asking.FIRST_SHIPS", 80)
    ask(told)
    assert [task for task, _ in handed] == [odds, odds], "a turn waits for no large battle"


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
    chunk = run.chunks.get(first=0)

    def fails(*_: Any) -> Tally:
        raise ArithmeticError("zero")

    monkeypatch.setattr(chunks, "fought", fails)
    for _ in range(leases.MAX_ATTEMPTS):
        chunk_fight(chunk_id=chunk.pk)
    run.refresh_from_db()
    assert run.state == State.FAILED
    assert "ArithmeticError" in run.error
    assert not run.chunks.exists()
    assert ask(told).state == State.COUNTING, "and it can be asked again"


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


def test_a_battle_of_too_many_ships_is_refused(told: World) -> None:
    asked = question(told)
    asked.question["guess"]["most"] = 400
    with pytest.raises(OddsRefused, match="406 ships are too many"):
        odds_ask(membership=told.english, turn=told.turn, asked=asked)


def test_old_answers_are_forgotten(quick: None, told: World) -> None:
    fight_all(ask(told))
    odds_due()
    assert OddsRun.objects.exists()
    OddsRun.objects.update(finished=timezone.now() - timedelta(days=8))
    odds_due()
    assert not OddsRun.objects.exists()
