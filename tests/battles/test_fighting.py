"""A battle is spawned once, tried three times, and written once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from battles import leases
from battles.engine.core.outcome import Outcome
from battles.models import Battle, BattleOutcome, Roster
from battles.services import fighting
from battles.services.fighting import (
    battle_fight,
    battle_seed,
    battle_spawn,
    battle_take_up,
    canonical_json,
    digest,
)
from fleets.services.battle_records import FoughtBattle
from tests.fleets.meeting import Meeting, afloat, taken
from tests.support.factories import SECRET, BattleFactory, BattleOutcomeFactory, BookFactory, RosterFactory
from tests.support.table import scenario

pytestmark = [pytest.mark.django_db, pytest.mark.clause("G.UM2")]


@pytest.fixture(autouse=True)
def no_renewals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fights end at once here, so that nobody renews a lease over a connection of his own."""

    @contextmanager
    def kept(*_: Any, **__: Any) -> Iterator[None]:
        yield

    monkeypatch.setattr(leases, "kept", kept)


def test_a_record_has_the_same_fingerprint_in_whatever_order_it_is_written() -> None:
    one, other = {"b": 1, "a": ["é"]}, {"a": ["é"], "b": 1}

    assert canonical_json(one) == canonical_json(other) == '{"a":["é"],"b":1}'.encode()
    assert digest(one) == digest(other) == hashlib.sha256(canonical_json(one)).hexdigest()
    assert digest({"b": 1, "a": ["e"]}) != digest(one)


@pytest.mark.clause("G.BT1", "G.BT6", "G.FA1")
def test_a_battle_is_created_once_with_all_its_ships_and_sealed_dice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fighting, "read_scenario", lambda document: None)
    book, sent = BookFactory(), scenario(rule_set="kohler", title="Off the Galloper")

    def spawn(**changes: Any) -> Battle:
        return battle_spawn(
            **{
                "book": book, "code": "T1-b01", "reference": "T1-b01", "when": "1666-06-01T12:00", "place": "Galloper",
                "scenario": sent, "secret": SECRET, "navies": ["ENG", "NLD"], **changes,
            }
        )  # fmt: skip

    battle = spawn()
    assert spawn(place="elsewhere").pk == battle.pk
    roster = Roster.objects.get()
    assert (roster.ships, roster.navies, roster.digest) == (4, ["ENG", "NLD"], digest(sent))
    assert (battle.place, battle.route, battle.status, battle.title) == (
        "Galloper",
        "engine",
        "ready",
        "Off the Galloper",
    )
    assert battle.seed == battle_seed(secret=SECRET, code="T1-b01")
    assert battle.seed_hash == hashlib.sha256(bytes.fromhex(battle.seed)).hexdigest()
    again = spawn(code="T1-b01v2", seed_code="T1-b01/again", route="table")
    assert again.seed == battle_seed(secret=SECRET, code="T1-b01/again") != battle.seed
    assert (again.route, Roster.objects.count()) == ("table", 2)


def waiting(**fields: Any) -> Battle:
    """A battle whose roster nobody can read."""
    battle: Battle = RosterFactory(battle=BattleFactory(**fields)).battle
    return battle


@pytest.mark.parametrize(
    "fields",
    [
        {"status": "fought"},
        {"status": "void"},
        {"status": "failed"},
        {"status": "written"},
        {"route": "table"},
    ],
)
def test_only_a_battle_that_waits_for_the_computer_is_begun(fields: dict[str, Any]) -> None:
    battle = waiting(**fields)

    assert battle_fight(battle_id=battle.pk) is False

    battle.refresh_from_db()
    assert (battle.attempts, battle.error) == (0, "")


def test_a_battle_that_fails_is_tried_three_times() -> None:
    battle = waiting()
    told = []
    for _ in range(4):
        assert battle_fight(battle_id=battle.pk) is False
        battle.refresh_from_db()
        told.append((battle.status, battle.attempts, battle.claim, battle.lease_until))
    assert told == [
        ("ready", 1, None, None),
        ("ready", 2, None, None),
        ("failed", 3, None, None),
        ("failed", 3, None, None),
    ]
    assert battle.error
    assert not BattleOutcome.objects.exists()


@pytest.mark.parametrize(("attempts", "status"), [(1, "ready"), (2, "failed"), (3, "failed")])
def test_a_battle_that_stops_the_program_is_abandoned_after_the_third_try(attempts: int, status: str) -> None:
    past = timezone.now() - timedelta(seconds=1)
    battle = waiting(status="fighting", attempts=attempts, lease_until=past, error="it broke")
    Battle.objects.update(claim="7" * 32)

    assert battle_fight(battle_id=battle.pk) is False

    battle.refresh_from_db()
    assert (battle.status, battle.claim) == (status, None)
    died = "It was started 3 times, and each time the program stopped" in battle.error
    assert died is (attempts == 3)
    assert not died or battle.error.endswith("The last error: it broke")


@pytest.fixture
def fought() -> tuple[Meeting, Battle]:
    """A battle in which a Dutch ship was taken, fought and not written."""
    meeting = Meeting()
    entries = (afloat(meeting.english[0], 10), taken(meeting.dutch[0], meeting.english[0]))
    outcome = Outcome("kohler", turns=12, minutes=360, ended="limit", ships=entries)
    battle = BattleFactory(book=meeting.book, code="B1", title="Off the Galloper", status="fought")
    RosterFactory(battle=battle)
    BattleOutcomeFactory(battle=battle, document=outcome.to_dict(), status="confirmed")
    return meeting, Battle.objects.get(pk=battle.pk)


def write(battle: Battle) -> FoughtBattle:
    return battle_take_up(battle=battle, turn="T1", when="1666-06-01T18:00")


@pytest.mark.clause("G.BT2")
def test_a_fought_battle_is_claimed_once(fought: tuple[Meeting, Battle]) -> None:
    _, battle = fought

    taken_up = write(battle)

    assert [entry.fate for entry in taken_up.outcome.ships] == ["afloat", "captured"]
    assert (taken_up.code, taken_up.title) == (battle.code, "the battle “Off the Galloper”")
    assert taken_up.when == "1666-06-01T18:00"
    stored = BattleOutcome.objects.get()
    assert (stored.status, stored.written_in, stored.written is None) == ("written", "T1", False)
    assert battle.status == Battle.objects.get().status == "written"
    with pytest.raises(ValueError, match="only a fought battle is written back"):
        write(Battle.objects.get())


@pytest.mark.clause("G.BT2")
def test_a_battle_that_was_not_fought_or_was_fought_by_others_is_not_written(
    fought: tuple[Meeting, Battle],
) -> None:
    _, battle = fought
    for status in ("ready", "fighting", "void", "failed"):
        battle.status = status
        with pytest.raises(ValueError, match="only a fought battle is written back"):
            write(battle)
    battle.status = "fought"
    battle.roster.digest = "0" * 64
    with pytest.raises(ValueError, match="B1: this outcome belongs to another roster"):
        write(battle)
    assert BattleOutcome.objects.get().written is None
