"""What the ledgers of its ships record about a battle, once and for all."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from battles.engine.core.fates import Fate, Flag
from battles.engine.core.outcome import OfficerFate, Outcome, ShipOutcome
from fleets.models import Fleet, Officer, Prize, ServiceRecord, Ship, Squadron
from fleets.record_words import sentence
from fleets.services import chart_rows
from fleets.services.battle_records import FoughtBattle
from fleets.services.chart_rows import FleetNow, chart_rows_write
from tests.fleets.meeting import WHEN, Meeting, afloat, interned, lost, now_of, taken, words
from tests.support.factories import CARD, SOUND, FleetFactory, NavyFactory, OfficerFactory, squadron_of

pytestmark = [pytest.mark.django_db, pytest.mark.clause("G.BT2", "G.SV1")]


@pytest.fixture
def meeting() -> Meeting:
    return Meeting()


def _dump() -> list[Any]:
    """Everything that a battle may write, as plain values."""
    models = (Ship, Squadron, Fleet, Officer, Prize, ServiceRecord, Ship.history.model)
    return [list(model.objects.order_by("pk").values()) for model in models]


def test_a_service_record_includes_hits_and_damage(meeting: Meeting) -> None:
    ship, other = meeting.english[:2]

    entry = afloat(ship, hits=10, hits_given=1, flags=frozenset({Flag.WITHDREW}))
    meeting.write(battles=[meeting.fought(entry)])

    assert words(ship) == [
        "Fought in the fight off the Galloper: 1 hit given, 10 hits taken.",
        "Damaged in the fight off the Galloper: 50% of her hull gone, 2 steps of damage.",
    ]
    assert words(other) == ["Fought in the fight off the Galloper: 0 hits given, 0 hits taken."]
    record = ship.service_records.first()
    assert (record.battle, record.turn, record.when) == ("NS66-T1-B1", "NS66/1", WHEN)
    assert record.data["flags"] == ["withdrew"]


def test_a_rule_set_that_counts_no_steps_of_damage_reports_none() -> None:
    told = ServiceRecord(kind="damaged", data={"battle": "the fight off Ulsan", "percent": 15, "steps": 0})
    assert sentence(told) == "Damaged in the fight off Ulsan: 15% of her hull gone."


def apply(meeting: Meeting, *entries: ShipOutcome, officers: tuple[OfficerFate, ...] = ()) -> None:
    """Write a battle in which only these ships were."""
    outcome = Outcome("kohler", turns=12, minutes=360, ended="limit", ships=entries, officers=officers)
    meeting.write(battles=[FoughtBattle("B9", "B9", WHEN, outcome)])


@pytest.mark.parametrize(
    ("before", "after", "told_of"),
    [(5, 5, ""), (5, 4, ""), (5, 6, "20%"), (0, 29, "96%"), (0, 1, "3%")],
)
def test_new_damage_alone_is_given_in_whole_per_cent(
    meeting: Meeting, before: int, after: int, told_of: str
) -> None:
    ship = meeting.english[0]
    Ship.objects.filter(pk=ship.pk).update(
        card={**CARD, "hull_max": 30}, condition={**SOUND, "hits_struct": before}
    )

    apply(meeting, afloat(Ship.objects.get(pk=ship.pk), hits=after))

    damage = [word for word in words(ship) if word.startswith("Damaged")]
    assert [told_of in word for word in damage] == [True] * bool(told_of)


def test_damage_is_recorded_for_a_prize_and_not_for_a_lost_ship(meeting: Meeting) -> None:
    captor, prize, gone = meeting.english[0], meeting.dutch[0], meeting.dutch[1]
    hurt = {**SOUND, "hits_struct": 10}

    apply(meeting, afloat(captor), replace(taken(prize, captor), condition=hurt), lost(gone))

    assert [word.split()[0] for word in words(prize)] == ["Fought", "Damaged", "Taken"]
    assert [word.split()[0] for word in words(gone)] == ["Fought", "Sunk"]
    assert [word.split()[0] for word in words(captor)] == ["Fought", "Took"]


def test_the_code_of_an_event_has_up_to_120_characters(meeting: Meeting) -> None:
    ship = meeting.english[0]
    name = "A" * 120
    OfficerFactory(navy=ship.navy, name=name, ship=ship)

    apply(meeting, afloat(ship), officers=(OfficerFate(name, ship.code, "wounded", "K.G11"),))

    event = ship.service_records.get(kind="officer").event
    assert event == f"battle/B9/officer/{name}"[:120]


def test_a_ship_taken_by_no_one_in_the_battle_is_taken_by_the_enemy(meeting: Meeting) -> None:
    ship = meeting.dutch[1]

    apply(meeting, replace(taken(ship, meeting.english[0]), captor_ship="GHOST"))

    assert words(ship)[-1].startswith("Taken by the enemy for ")


def test_a_battle_that_costs_no_flagship_shifts_no_flag(meeting: Meeting) -> None:
    gone = meeting.english[1]
    meeting.lose(gone)

    meeting.write(battles=[meeting.fought(lost(gone))])

    assert not [word for ship in meeting.english for word in words(ship) if "flagship" in word]


def test_damage_is_recorded_under_the_battle_that_did_it(meeting: Meeting) -> None:
    ship = meeting.english[0]
    meeting.change(ship, condition={**ship.condition, "hits_struct": 10})
    meeting.write()

    meeting.write(battles=[meeting.fought(afloat(ship, hits=10))])

    assert words(ship) == ["Fought in the fight off the Galloper: 0 hits given, 10 hits taken."]


def test_a_capture_is_in_both_ledgers_under_the_side_of_the_time(meeting: Meeting) -> None:
    ship, captor = meeting.dutch[1], meeting.english[0]
    meeting.change(ship, navy="ENG", fleet="ALB", squadron="prizes", prize=True, men=40)

    meeting.write(battles=[meeting.fought(taken(ship, captor))])

    assert words(ship)[-1] == (
        f"Taken by {captor.name} for {captor.navy.name} in the fight off the Galloper, 100 prisoners in her."
    )
    assert words(captor)[-1] == f"Took {ship.name} in the fight off the Galloper, with 100 prisoners."
    assert set(ship.service_records.values_list("navy_code", flat=True)) == {"NLD"}


@pytest.mark.clause("G.PR3")
def test_a_ship_that_her_own_side_recaptures_is_retaken(meeting: Meeting) -> None:
    ship, rescuer = meeting.dutch[1], meeting.dutch[2]
    Ship.objects.filter(pk=ship.pk).update(navy=meeting.english[0].navy, prize=True)

    meeting.write(battles=[meeting.fought(taken(ship, rescuer))])

    assert words(ship)[-1].startswith(f"Retaken by {rescuer.name}")


@pytest.mark.clause("G.BT3")
@pytest.mark.parametrize("fate", [fate for fate in Fate if fate.lost])
def test_a_service_record_says_how_a_ship_was_lost(meeting: Meeting, fate: Fate) -> None:
    ship = meeting.english[1]
    meeting.lose(ship, fate)

    meeting.write(battles=[meeting.fought(lost(ship, fate))])

    assert words(ship)[1:] == [f"{fate.value.capitalize()} in the fight off the Galloper, 9 hits taken."]


def test_a_service_record_includes_an_internment(meeting: Meeting) -> None:
    ship = meeting.english[1]
    meeting.lose(ship, Fate.INTERNED)

    meeting.write(battles=[meeting.fought(interned(ship))])

    assert words(ship)[1:] == ["Interned after the fight off the Galloper."]


def test_the_flag_passes_when_the_flagship_is_lost(meeting: Meeting) -> None:
    flagship, heir = meeting.english[0], meeting.english[2]
    Ship.objects.filter(pk=heir.pk).update(facts={"guns": 80})
    meeting.lose(flagship)

    meeting.write(battles=[meeting.fought(lost(flagship))])

    meeting.red.refresh_from_db()
    assert meeting.red.flagship == heir
    assert words(heir)[-1] == f"Became flagship of {meeting.red.name}."


@pytest.mark.clause("G.AF1")
def test_officers_who_were_hit_are_in_the_ledger_of_their_ship(meeting: Meeting) -> None:
    ship = meeting.english[1]
    officers = (
        OfficerFate("Berkeley", ship.code, "killed", "K.G11"),
        OfficerFate("Myngs", ship.code, "unhurt", "K.G11"),
    )

    meeting.write(battles=[meeting.fought(officers=officers)])

    assert words(ship)[1:] == ["Berkeley killed in the fight off the Galloper."]


def test_a_second_call_changes_nothing(meeting: Meeting) -> None:
    prize, loss, hurt = meeting.dutch[1], meeting.english[1], meeting.dutch[0]
    battle = meeting.fought(taken(prize, meeting.english[0]), lost(loss), afloat(hurt, 5))
    meeting.change(prize, navy="ENG", fleet="ALB", squadron="prizes", prize=True)
    meeting.change(hurt, condition={**hurt.condition, "hits_struct": 5})
    meeting.lose(loss)
    meeting.write(battles=[battle])
    before = _dump()

    meeting.write(battles=[battle])

    assert _dump() == before


def test_work_that_fails_halfway_leaves_nothing_behind(
    meeting: Meeting, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = _dump()
    meeting.lose(meeting.english[0])

    def fail(_: Any) -> int:
        raise IntegrityError("the ledger is full")

    monkeypatch.setattr(chart_rows, "records_write_bulk", fail)
    with pytest.raises(IntegrityError), transaction.atomic():
        meeting.write(battles=[meeting.fought(lost(meeting.english[0]))])

    assert _dump() == before


def test_history_says_which_battle_changed_a_ship(meeting: Meeting) -> None:
    meeting.lose(meeting.english[0])

    meeting.write(battles=[meeting.fought(lost(meeting.english[0]))])

    newest = meeting.english[0].history.first()
    assert (newest.fate, newest.history_change_reason) == ("sunk", "battle NS66-T1-B1")
    assert meeting.english[0].history.filter(fate="sunk").count() == 1  # written once


def test_the_page_of_a_battle_with_many_ships_opens_quickly(django_assert_max_num_queries: Any) -> None:
    english = NavyFactory()
    dutch = NavyFactory(book=english.book, code="NLD")
    fleet, other = FleetFactory(navy=english), FleetFactory(navy=dutch)
    own = [s for _ in range(5) for s in squadron_of(8, squadron={"fleet": fleet}).ships.all()]
    enemy = [s for _ in range(5) for s in squadron_of(8, squadron={"fleet": other}).ships.all()]
    entries = [
        *(afloat(ship, hits=n % 7) for n, ship in enumerate(own)),
        *(taken(ship, own[0]) if n % 3 == 0 else lost(ship) for n, ship in enumerate(enemy)),
    ]
    outcome = Outcome("kohler", turns=1, minutes=30, ended="limit", ships=tuple(entries))
    fleets = [FleetNow(row.code, row.navy.code, row.name, False) for row in (fleet, other)]

    with django_assert_max_num_queries(25):
        chart_rows_write(
            book=english.book,
            ships=[now_of(ship) for ship in (*own, *enemy)],
            fleets=fleets,
            records=(),
            turn="T",
            when=WHEN,
            battles=[FoughtBattle("B1", "B1", WHEN, outcome)],
        )

    assert ServiceRecord.objects.filter(kind="fought").count() == 80
