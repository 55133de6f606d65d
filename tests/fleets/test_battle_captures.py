"""Crews, captures and ledgers after a battle: the cases at the edges."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from battles.engine.core.fates import Fate
from battles.engine.core.outcome import OfficerFate, Outcome, ShipOutcome
from fleets.models import Fleet, Officer, Prize, Ship, Squadron
from fleets.services.battle_results import Applied, outcome_apply
from fleets.services.service_records import sentence
from tests.fleets.test_battle_results import WHEN, Meeting, afloat, lost, taken
from tests.support.factories import (
    CARD,
    SOUND,
    FleetFactory,
    NationFactory,
    NavyFactory,
    OfficerFactory,
    squadron_of,
)

pytestmark = [pytest.mark.django_db, pytest.mark.clause("G.BT2", "G.BT3")]


@pytest.fixture
def meeting() -> Meeting:
    return Meeting()


def apply(meeting: Meeting, *entries: ShipOutcome, code: str = "B9", **more: Any) -> Applied:
    """Write the outcome of a battle in which only these ships were."""
    outcome = Outcome("kohler", turns=12, minutes=360, ended="limit", ships=entries, **more)
    return outcome_apply(book=meeting.book, outcome=outcome, battle_code=code, when=WHEN, turn="NS66/1")


def now(ship: Ship) -> Ship:
    return Ship.objects.get(pk=ship.pk)


def told(ship: Ship) -> list[str]:
    return [sentence(record) for record in ship.service_records.order_by("pk")]


@pytest.mark.clause("G.CR1")
@pytest.mark.parametrize(("men", "left"), [(34, 26), (35, 26), (200, 150), (0, 0)])
def test_a_crew_loses_its_share_halves_up(meeting: Meeting, men: int, left: int) -> None:
    ship = meeting.english[0]
    Ship.objects.filter(pk=ship.pk).update(men=men)

    apply(meeting, afloat(ship, hits=10))

    assert now(ship).men == left


@pytest.mark.clause("G.CR1")
def test_who_had_no_men_left_by_her_card_has_none(meeting: Meeting) -> None:
    ship = meeting.english[0]
    bare = {**SOUND, "hits_board": 20}
    Ship.objects.filter(pk=ship.pk).update(condition=bare, men=5)

    apply(meeting, replace(afloat(ship), condition=bare))

    assert now(ship).men == 0


@pytest.mark.clause("G.CR1", "G.PR1")
def test_heads_that_were_counted_stand_and_their_prize_crews_are_gone_already(meeting: Meeting) -> None:
    captor, prize = meeting.english[0], meeting.dutch[0]

    apply(
        meeting,
        afloat(captor, men=120),
        replace(taken(prize, captor), men=77),
        afloat(meeting.dutch[1], men=0),
    )

    assert [now(ship).men for ship in (captor, prize, meeting.dutch[1])] == [120, 40, 0]


@pytest.mark.clause("G.PR1")
@pytest.mark.parametrize(("men", "left"), [(39, 0), (40, 0), (41, 1)])
def test_a_ship_sends_away_no_more_men_than_she_has(meeting: Meeting, men: int, left: int) -> None:
    captor = meeting.english[0]
    Ship.objects.filter(pk=captor.pk).update(men=men)

    apply(meeting, afloat(captor), taken(meeting.dutch[0], captor, prize_crew=40))

    assert now(captor).men == left


def test_the_charts_count_of_heads_goes_before_the_cards(meeting: Meeting) -> None:
    meeting.apply(afloat(meeting.english[0], hits=10), men_after={meeting.english[0].code: 3})

    assert [now(ship).men for ship in meeting.english] == [3, 200, 200]


@pytest.mark.parametrize("fate", [Fate.SUNK, Fate.CAPTURED])
def test_a_captor_who_is_not_in_the_book_is_named(meeting: Meeting, fate: Fate) -> None:
    entry = replace(lost(meeting.english[0], fate), captor="FRA")

    with pytest.raises(ValueError, match=r"^B9: not in the book \w+: FRA$"):
        apply(meeting, entry, afloat(meeting.dutch[0]))


def test_a_battle_without_a_title_goes_by_its_code(meeting: Meeting) -> None:
    apply(meeting, afloat(meeting.english[0]))

    assert told(meeting.english[0]) == ["Fought in B9: 0 hits given, 0 hits taken."]


def test_who_was_lost_and_who_was_taken_is_told_in_the_order_of_codes(meeting: Meeting) -> None:
    first, second, third = meeting.dutch

    applied = apply(
        meeting, lost(third), lost(first), taken(second, meeting.english[0]), afloat(meeting.english[0])
    )

    assert applied == Applied(True, lost=(first.code, third.code), captured=(second.code,))
    assert apply(meeting, lost(first)) == Applied(False)


def test_a_battle_that_takes_no_flagship_leaves_flags_and_captains_alone(meeting: Meeting) -> None:
    Ship.objects.filter(pk=meeting.english[0].pk).update(captain="Harman")

    meeting.apply(lost(meeting.english[1]), taken(meeting.dutch[2], meeting.english[0]))

    assert list(Squadron.objects.order_by("pk").values_list("code", "flagship"))[:2] == [
        (meeting.red.code, meeting.english[0].pk),
        (meeting.van.code, meeting.dutch[0].pk),
    ]
    assert now(meeting.english[0]).captain == "Harman"
    assert not [word for ship in meeting.english + meeting.dutch for word in told(ship) if "flagship" in word]


@pytest.mark.clause("G.PR1")
def test_a_ship_that_is_taken_or_lost_has_no_captain_and_her_prize_sails_under_its_own_flag(
    meeting: Meeting,
) -> None:
    Ship.objects.update(captain="Somebody")

    meeting.apply(
        lost(meeting.english[1]),
        taken(meeting.dutch[2], meeting.english[0]),
        taken(meeting.dutch[1], meeting.english[2]),
    )

    assert [now(ship).captain for ship in meeting.english] == ["Somebody", "", "Somebody"]
    assert [now(ship).captain for ship in meeting.dutch] == ["Somebody", "", ""]
    prizes = Squadron.objects.get(name="Prizes")
    assert prizes.flagship == meeting.dutch[1]
    assert list(prizes.ships.order_by("order").values_list("code", "order")) == [
        (meeting.dutch[1].code, 0),
        (meeting.dutch[2].code, 1),
    ]


@pytest.mark.clause("G.PR3")
@pytest.mark.parametrize(("was_prize", "is_prize"), [(True, False), (False, True)])
def test_only_a_prize_is_her_old_sides_again(meeting: Meeting, was_prize: bool, is_prize: bool) -> None:
    ship, rescuer = meeting.english[1], meeting.dutch[1]
    Ship.objects.filter(pk=ship.pk).update(built_for=rescuer.navy, prize=was_prize)

    apply(meeting, afloat(rescuer), taken(now(ship), rescuer))

    assert now(ship).prize is is_prize
    if not is_prize:
        assert (now(ship).squadron, now(ship).order) == (meeting.van, rescuer.order + 1)
    assert told(ship)[-1].startswith("Retaken by ")


@pytest.mark.clause("G.PR3")
def test_a_prize_taken_from_her_captors_by_a_third_side_is_its_prize(meeting: Meeting) -> None:
    french = squadron_of(
        1, squadron={"fleet__navy": NavyFactory(book=meeting.book, nation=NationFactory(name="France"))}
    ).flagship
    assert french is not None
    Ship.objects.filter(pk=meeting.english[1].pk).update(built_for=meeting.dutch[0].navy, prize=True)

    apply(meeting, afloat(french), taken(now(meeting.english[1]), french))

    ship = now(meeting.english[1])
    assert (ship.navy.code, ship.prize, Prize.objects.get().taken_from.code) == ("FRA", True, "ENG")


def test_a_prize_of_nobody_in_the_battle_joins_the_first_fleet_of_her_captors(meeting: Meeting) -> None:
    english, ship = meeting.english[0].navy, meeting.dutch[1]
    FleetFactory(navy=english, code="AAA", ended=True)
    FleetFactory(navy=english, code="ZZZ")

    apply(meeting, replace(taken(ship, meeting.english[0]), captor_ship="GHOST"))

    assert Ship.objects.filter(squadron__code="ALB-PR").get() == ship
    assert Prize.objects.get().taken_by is None
    assert told(ship)[-1].startswith("Taken by the enemy for ")


@pytest.mark.parametrize("change", ["no fleet", "another side"])
def test_a_captor_without_a_fleet_of_the_captors_side_gives_the_prize_to_its_first(
    meeting: Meeting, change: str
) -> None:
    ship, by = meeting.dutch[1], meeting.english[2]
    first = FleetFactory(navy=by.navy, code="AAA")
    french = FleetFactory(
        navy=NavyFactory(book=meeting.book, nation=NationFactory(name="France")), code="BRE"
    )
    entry = taken(ship, by)
    if change == "no fleet":
        Ship.objects.filter(pk=by.pk).update(squadron=None)
    else:
        entry = replace(entry, captor="FRA")

    apply(meeting, afloat(by), entry)

    squadron = now(ship).squadron
    assert squadron is not None
    assert squadron.fleet == (first if change == "no fleet" else french)


@pytest.mark.clause("G.AF1")
def test_only_the_captain_himself_leaves_his_place_and_strangers_leave_none(meeting: Meeting) -> None:
    ship = meeting.english[0]
    Ship.objects.filter(pk=ship.pk).update(captain="Harman")
    for name in ("Harman", "Jordan"):
        OfficerFactory(navy=ship.navy, name=name, ship=ship)

    apply(
        meeting,
        afloat(ship),
        officers=(
            OfficerFate("Jordan", ship.code, "captured", "K.G11"),
            OfficerFate("Harman", "GHOST", "killed", "x"),
        ),
    )

    assert now(ship).captain == "Harman"
    assert list(Officer.objects.order_by("name").values_list("name", "status", "ship")) == [
        ("Harman", "serving", ship.pk),
        ("Jordan", "captured", None),
    ]


@pytest.mark.clause("G.AF1")
def test_a_wounded_captain_stays_in_his_ship(meeting: Meeting) -> None:
    ship = meeting.english[0]
    Ship.objects.filter(pk=ship.pk).update(captain="Harman")
    officer = OfficerFactory(navy=ship.navy, name="Harman", ship=ship)

    apply(meeting, afloat(ship), officers=(OfficerFate("Harman", ship.code, "wounded", "K.G11"),))

    officer.refresh_from_db()
    assert (officer.status, officer.ship, now(ship).captain) == ("wounded", ship, "Harman")


@pytest.mark.clause("G.SV1")
@pytest.mark.parametrize(
    ("before", "after", "told_of"),
    [(5, 5, ""), (5, 4, ""), (5, 6, "20 per cent"), (0, 29, "96 per cent"), (0, 1, "3 per cent")],
)
def test_new_damage_alone_is_told_in_whole_per_cents(
    meeting: Meeting, before: int, after: int, told_of: str
) -> None:
    ship = meeting.english[0]
    Ship.objects.filter(pk=ship.pk).update(
        card={**CARD, "hull_max": 30}, condition={**SOUND, "hits_struct": before}
    )

    apply(meeting, afloat(now(ship), hits=after))

    damage = [word for word in told(ship) if word.startswith("Damaged")]
    assert [told_of in word for word in damage] == [True] * bool(told_of)


@pytest.mark.clause("G.SV1")
def test_damage_is_told_of_a_prize_and_not_of_a_ship_that_is_gone(meeting: Meeting) -> None:
    captor, prize, gone = meeting.english[0], meeting.dutch[0], meeting.dutch[1]
    hurt = {**SOUND, "hits_struct": 10}

    apply(meeting, afloat(captor), replace(taken(prize, captor), condition=hurt), lost(gone))

    assert [word.split()[0] for word in told(prize)] == ["Fought", "Damaged", "Taken"]
    assert [word.split()[0] for word in told(gone)] == ["Fought", "Sunk"]
    assert [word.split()[0] for word in told(captor)] == ["Fought", "Took"]


@pytest.mark.clause("G.SV1")
def test_the_code_of_an_event_has_at_most_120_characters(meeting: Meeting) -> None:
    ship = meeting.english[0]
    name = "A" * 120
    OfficerFactory(navy=ship.navy, name=name, ship=ship)

    apply(meeting, afloat(ship), officers=(OfficerFate(name, ship.code, "wounded", "K.G11"),))

    event = ship.service_records.get(kind="officer").event
    assert event == f"battle/B9/officer/{name}"[:120]


def test_a_fleet_that_had_no_ship_in_the_battle_goes_on(meeting: Meeting) -> None:
    idle = FleetFactory(navy=meeting.english[0].navy)

    apply(meeting, *map(lost, meeting.dutch))

    assert dict(Fleet.objects.values_list("code", "ended")) == {"ALB": False, "RUY": True, idle.code: False}
