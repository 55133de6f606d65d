"""What a battle does to ships, officers, prizes and the ledger, once and for all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from battles.engine.core.fates import Fate, Flag
from battles.engine.core.outcome import OfficerFate, Outcome, ShipOutcome
from fleets.models import Book, Fleet, Officer, Prize, ServiceRecord, Ship, Squadron
from fleets.services import battle_results
from fleets.services.battle_results import Applied, outcome_apply
from fleets.services.service_records import sentence
from tests.support.factories import (
    SOUND,
    FleetFactory,
    NationFactory,
    NavyFactory,
    OfficerFactory,
    squadron_of,
)

pytestmark = [pytest.mark.django_db, pytest.mark.clause("G.BT2", "G.BT3")]

WHEN = "1666-06-01T18:00"


class Meeting:
    """Three English ships of the Red against three Dutch of the Van, each squadron alone in its fleet."""

    def __init__(self) -> None:
        english = NavyFactory()
        dutch = NavyFactory(book=english.book, nation=NationFactory(name="Dutch Republic", code="NLD"))
        self.book: Book = english.book
        self.red: Squadron = squadron_of(3, squadron={"fleet": FleetFactory(navy=english, code="ALB")})
        self.van: Squadron = squadron_of(3, squadron={"fleet": FleetFactory(navy=dutch, code="RUY")})
        self.english = list(self.red.ships.order_by("order"))
        self.dutch = list(self.van.ships.order_by("order"))

    def apply(
        self,
        *changed: ShipOutcome,
        officers: tuple[OfficerFate, ...] = (),
        code: str = "NS66-T1-B1",
        men_after: Mapping[str, int] | None = None,
    ) -> Applied:
        """Write an outcome in which all other ships are afloat and unhurt."""
        told = {entry.ship: entry for entry in changed}
        ships = tuple(told.get(ship.code) or afloat(ship) for ship in [*self.english, *self.dutch])
        outcome = Outcome("kohler", turns=12, minutes=360, ended="limit", ships=ships, officers=officers)
        return outcome_apply(
            book=self.book,
            outcome=outcome,
            battle_code=code,
            when=WHEN,
            turn="NS66/1",
            men_after=men_after,
            title="the fight off the Galloper",
        )


def afloat(ship: Ship, hits: int = 0, **changes: Any) -> ShipOutcome:
    return _entry(ship, Fate.AFLOAT, condition={**SOUND, "hits_struct": hits}, hits_taken=hits, **changes)


def taken(ship: Ship, by: Ship, *, prize_crew: int = 40, prisoners: int = 100) -> ShipOutcome:
    return _entry(
        ship,
        Fate.CAPTURED,
        captor=by.navy.code,
        captor_ship=by.code,
        prize_crew=prize_crew,
        prisoners=prisoners,
    )


def lost(ship: Ship, fate: Fate = Fate.SUNK) -> ShipOutcome:
    return _entry(ship, fate, condition={**SOUND, "hits_struct": 20}, hits_taken=9)


def _entry(ship: Ship, fate: Fate, **fields: Any) -> ShipOutcome:
    return ShipOutcome(ship=ship.code, side=ship.navy.code, fate=fate, **{"condition": dict(SOUND), **fields})


@pytest.fixture
def meeting() -> Meeting:
    return Meeting()


def _words(ship: Ship) -> list[str]:
    return [sentence(record) for record in ship.service_records.order_by("pk")]


def _dump() -> list[Any]:
    """Everything that a battle may write, as plain values."""
    models = (Ship, Squadron, Fleet, Officer, Prize, ServiceRecord, Ship.history.model)
    return [list(model.objects.order_by("pk").values()) for model in models]


def test_a_ship_afloat_keeps_her_new_condition_and_the_men_it_leaves_her(meeting: Meeting) -> None:
    ship = meeting.english[0]

    meeting.apply(afloat(ship, hits=10, hits_given=4))

    ship.refresh_from_db()
    assert ship.condition["hits_struct"] == 10
    assert (ship.men, ship.fate, ship.squadron) == (150, "afloat", meeting.red)


@pytest.mark.clause("G.CR1")
def test_a_crew_that_was_short_before_loses_in_proportion_halves_up(meeting: Meeting) -> None:
    ship = meeting.english[0]
    Ship.objects.filter(pk=ship.pk).update(men=33)

    meeting.apply(afloat(ship, hits=10))

    ship.refresh_from_db()
    assert ship.men == 25  # 33 x 150/200 = 24.75


@pytest.mark.clause("G.SV1")
def test_the_ledger_tells_hits_and_damage(meeting: Meeting) -> None:
    ship, other = meeting.english[:2]

    meeting.apply(afloat(ship, hits=10, hits_given=1, flags=frozenset({Flag.WITHDREW})))

    assert _words(ship) == [
        "Fought in the fight off the Galloper: 1 hit given, 10 hits taken.",
        "Damaged in the fight off the Galloper: 50 per cent of her hull gone, 2 steps of damage.",
    ]
    assert _words(other) == ["Fought in the fight off the Galloper: 0 hits given, 0 hits taken."]
    record = ship.service_records.first()
    assert (record.battle, record.turn, record.when) == ("NS66-T1-B1", "NS66/1", WHEN)
    assert record.data["flags"] == ["withdrew"]


@pytest.mark.clause("G.PR1")
def test_a_captured_ship_becomes_a_prize_of_her_captors_navy(meeting: Meeting) -> None:
    ship, captor = meeting.dutch[1], meeting.english[0]

    applied = meeting.apply(taken(ship, captor))

    ship.refresh_from_db()
    captor.refresh_from_db()
    prize = Prize.objects.get()
    assert applied.captured == (ship.code,)
    assert (ship.navy.code, ship.built_for.code, ship.prize, ship.fate) == ("ENG", "NLD", True, "afloat")
    assert (ship.men, captor.men) == (40, 160)
    assert ship.squadron is not None
    assert (ship.squadron.name, ship.squadron.code, ship.squadron.fleet.code) == ("Prizes", "ALB-PR", "ALB")
    assert (prize.captor.code, prize.taken_from.code, prize.taken_by) == ("ENG", "NLD", captor)
    assert (prize.prize_crew, prize.prisoners, prize.status, prize.when) == (40, 100, "sailing", WHEN)


@pytest.mark.clause("G.SV1")
def test_a_capture_stands_in_both_ledgers_and_under_the_side_of_the_time(meeting: Meeting) -> None:
    ship, captor = meeting.dutch[1], meeting.english[0]

    meeting.apply(taken(ship, captor))

    assert _words(ship)[-1] == (
        f"Taken by {captor.name} for {captor.navy.name} in the fight off the Galloper, 100 prisoners in her."
    )
    assert _words(captor)[-1] == f"Took {ship.name} in the fight off the Galloper, with 100 prisoners."
    assert set(ship.service_records.values_list("navy_code", flat=True)) == {"NLD"}


def test_prizes_of_two_battles_sail_in_one_squadron(meeting: Meeting) -> None:
    meeting.apply(taken(meeting.dutch[1], meeting.english[0]))
    meeting.dutch.pop(1)
    meeting.apply(taken(meeting.dutch[1], meeting.english[1]), code="NS66-T1-B2")

    squadron = Squadron.objects.get(code="ALB-PR")
    assert [ship.order for ship in squadron.ships.order_by("order")] == [0, 1]


@pytest.mark.clause("G.PR3")
def test_a_ship_retaken_from_her_captors_is_her_own_sides_again(meeting: Meeting) -> None:
    ship, captor, rescuer = meeting.dutch[1], meeting.english[0], meeting.dutch[2]
    meeting.apply(taken(ship, captor))
    ship = Ship.objects.get(pk=ship.pk)

    meeting.dutch[1] = ship
    meeting.apply(taken(ship, rescuer), code="NS66-T1-B2")

    ship.refresh_from_db()
    assert (ship.navy.code, ship.prize, ship.squadron) == ("NLD", False, meeting.van)
    assert list(Prize.objects.values_list("status", flat=True)) == ["retaken", "sailing"]
    assert _words(ship)[-1].startswith(f"Retaken by {rescuer.name}")


def test_a_prize_that_is_lost_is_a_lost_prize(meeting: Meeting) -> None:
    ship = meeting.dutch[1]
    meeting.apply(taken(ship, meeting.english[0]))
    ship = meeting.dutch[1] = Ship.objects.get(pk=ship.pk)

    meeting.apply(lost(ship, Fate.FOUNDERED), code="NS66-T1-B2")

    assert Prize.objects.get().status == "lost"


@pytest.mark.parametrize("fate", [fate for fate in Fate if fate.lost])
def test_a_lost_ship_sails_no_more(meeting: Meeting, fate: Fate) -> None:
    ship = meeting.english[1]

    applied = meeting.apply(lost(ship, fate))

    ship.refresh_from_db()
    assert applied.lost == (ship.code,)
    assert (ship.fate, ship.men, ship.squadron, ship.captain) == (fate.value, 0, None, "")
    assert _words(ship)[-1] == f"{fate.value.capitalize()} in the fight off the Galloper, 9 hits taken."


def test_an_interned_ship_leaves_the_fleet(meeting: Meeting) -> None:
    ship = meeting.english[1]

    meeting.apply(_entry(ship, Fate.INTERNED))

    ship.refresh_from_db()
    assert (ship.fate, ship.squadron) == ("interned", None)
    assert _words(ship)[-1] == "Interned after the fight off the Galloper."


def test_the_flag_passes_when_the_flagship_is_lost(meeting: Meeting) -> None:
    flagship, heir = meeting.english[0], meeting.english[2]
    Ship.objects.filter(pk=heir.pk).update(facts={"guns": 80})

    meeting.apply(lost(flagship))

    meeting.red.refresh_from_db()
    assert meeting.red.flagship == heir
    assert _words(heir)[-1] == f"Became flagship of {meeting.red.name}."


def test_a_fleet_without_ships_has_ended_and_the_others_have_not(meeting: Meeting) -> None:
    first, second, third = meeting.dutch

    meeting.apply(lost(first), lost(second), taken(third, meeting.english[0]))

    assert dict(Fleet.objects.values_list("code", "ended")) == {"ALB": False, "RUY": True}
    meeting.van.refresh_from_db()
    assert meeting.van.flagship is None


@pytest.mark.clause("G.AF1")
def test_officers_meet_their_fates(meeting: Meeting) -> None:
    flagship, second, third = meeting.english
    names = ["Ayscue", "Berkeley", "Myngs", "Holmes"]
    for name, ship in zip(names, [flagship, second, second, third], strict=True):
        OfficerFactory(navy=flagship.navy, name=name, ship=ship)
    Ship.objects.filter(pk=second.pk).update(captain="Berkeley")

    meeting.apply(
        officers=(
            OfficerFate("Ayscue", flagship.code, "wounded", "K.G11"),
            OfficerFate("Berkeley", second.code, "killed", "K.G11"),
            OfficerFate("Myngs", second.code, "unhurt", "K.G11"),
            OfficerFate("Nobody", third.code, "killed", "K.G11"),
        )
    )

    second.refresh_from_db()
    assert list(Officer.objects.order_by("name").values_list("name", "status", "ship")) == [
        ("Ayscue", "wounded", flagship.pk),
        ("Berkeley", "killed", None),
        ("Holmes", "serving", third.pk),
        ("Myngs", "serving", second.pk),
    ]
    assert second.captain == ""
    assert _words(second)[-1] == "Berkeley killed in the fight off the Galloper."


@pytest.mark.clause("G.CR1")
def test_everybody_left_in_a_captured_ship_is_a_prisoner(meeting: Meeting) -> None:
    ship = meeting.dutch[1]
    OfficerFactory(navy=ship.navy, name="Swers", ship=ship)
    OfficerFactory(navy=ship.navy, name="Van Nes", ship=ship)

    meeting.apply(
        taken(ship, meeting.english[0]), officers=(OfficerFate("Van Nes", ship.code, "killed", "K.G11"),)
    )

    assert dict(Officer.objects.values_list("name", "status")) == {"Swers": "captured", "Van Nes": "killed"}


def test_officers_of_a_lost_ship_wait_for_another(meeting: Meeting) -> None:
    ship = meeting.english[1]
    officer = OfficerFactory(navy=ship.navy, ship=ship)

    meeting.apply(lost(ship))

    officer.refresh_from_db()
    assert (officer.ship, officer.status) == (None, "serving")


def test_men_reckoned_by_the_chart_stand_as_they_are(meeting: Meeting) -> None:
    ship, captor = meeting.dutch[1], meeting.english[0]

    meeting.apply(taken(ship, captor), men_after={ship.code: 41, captor.code: 199, "SOMEBODY": 3})

    assert [Ship.objects.get(pk=row.pk).men for row in (ship, captor)] == [41, 199]


def test_a_second_call_changes_nothing(meeting: Meeting) -> None:
    entries = (
        taken(meeting.dutch[1], meeting.english[0]),
        lost(meeting.english[1]),
        afloat(meeting.dutch[0], 5),
    )
    first = meeting.apply(*entries)
    before = _dump()

    second = meeting.apply(*entries)

    assert (first.new, second.new) == (True, False)
    assert _dump() == before


def test_a_call_that_fails_half_way_leaves_nothing_behind(
    meeting: Meeting, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = _dump()

    def fail(_: Any) -> int:
        raise IntegrityError("the ledger is full")

    monkeypatch.setattr(battle_results, "records_write_bulk", fail)
    with pytest.raises(IntegrityError), transaction.atomic():
        meeting.apply(lost(meeting.english[0]), taken(meeting.dutch[0], meeting.english[1]))

    assert _dump() == before


def test_a_ship_that_is_not_in_the_book_is_named(meeting: Meeting) -> None:
    stranger = squadron_of(1).flagship
    assert stranger is not None
    meeting.english.append(stranger)

    with pytest.raises(ValueError, match=stranger.code):
        meeting.apply()

    assert not ServiceRecord.objects.exists()


def test_history_tells_which_battle_changed_a_ship(meeting: Meeting) -> None:
    meeting.apply(lost(meeting.english[0]))

    newest = meeting.english[0].history.first()
    assert (newest.fate, newest.history_change_reason) == ("sunk", "battle NS66-T1-B1")


def test_a_battle_of_many_ships_takes_a_few_queries(django_assert_max_num_queries: Any) -> None:
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

    with django_assert_max_num_queries(40):
        outcome_apply(book=english.book, outcome=outcome, battle_code="B1", when=WHEN, turn="T")

    assert Ship.objects.filter(navy=english).count() == 54
