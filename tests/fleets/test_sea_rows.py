"""Rows follow the chart in every column, and nothing else is touched."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from battles.engine.core.fates import Fate
from fleets.models import Fleet, Ship, Squadron
from fleets.services.chart_rows import FleetNow, SeaRecord, ships_release
from tests.fleets.meeting import WHEN, Meeting, words
from tests.support.factories import FleetFactory, ShipFactory, SquadronFactory

pytestmark = [pytest.mark.one_database, pytest.mark.django_db, pytest.mark.clause("G.SV1")]


@pytest.fixture
def sea() -> Meeting:
    return Meeting()


def now(ship: Ship) -> Ship:
    return Ship.objects.get(pk=ship.pk)


def flags() -> dict[str, int | None]:
    return dict(Squadron.objects.values_list("code", "flagship"))


@pytest.mark.parametrize(
    "change",
    [{"men": 199}, {"captain": "Harman"}, {"condition": {"schema": 1, "hits_struct": 1}}, {"prize": True}],
    ids=lambda change: next(iter(change)),
)
def test_a_difference_in_any_fact_is_written_for_that_ship_alone(
    sea: Meeting, change: dict[str, Any]
) -> None:
    ship = sea.english[1]
    others = Ship.history.exclude(id=ship.pk).count()
    sea.change(ship, **change)

    sea.write()

    assert {name: getattr(now(ship), name) for name in change} == change
    newest = ship.history.first()
    assert (newest.history_type, newest.history_change_reason) == ("~", "at sea, NS66/1")
    assert Ship.history.exclude(id=ship.pk).count() == others


def test_a_ship_moves_to_another_squadron_of_her_fleet_and_the_flag_passes(sea: Meeting) -> None:
    other = SquadronFactory(fleet=sea.red.fleet, code="ALB-S9")
    flag, second, third = sea.english
    Ship.objects.filter(pk=third.pk).update(facts={"guns": 90})
    sea.change(flag, squadron="ALB-S9")

    sea.write()

    assert now(flag).squadron == other
    assert flags() == {sea.red.code: third.pk, "ALB-S9": flag.pk, sea.van.code: sea.dutch[0].pk}


@pytest.mark.clause("G.GF3")
def test_a_squadron_moves_to_another_fleet_with_all_its_ships_and_its_flag(sea: Meeting) -> None:
    other = FleetFactory(navy=sea.english[0].navy, code="OTH")
    for ship in sea.english:
        sea.change(ship, fleet="OTH")

    sea.write()

    assert list(Squadron.objects.values_list("code", "fleet__code", "flagship")) == [
        (sea.red.code, "OTH", sea.english[0].pk),
        (sea.van.code, "RUY", sea.dutch[0].pk),
    ]
    assert other.squadrons.get().ships.count() == 3


def test_a_flag_whose_ship_stays_is_not_shifted(sea: Meeting) -> None:
    Ship.objects.filter(pk=sea.english[1].pk).update(facts={"guns": 90})
    sea.change(sea.english[0], men=150)
    sea.change(sea.english[2], fate=Fate.SUNK.value, fleet="", squadron="")

    sea.write()

    assert flags()[sea.red.code] == sea.english[0].pk
    assert (now(sea.english[2]).squadron, now(sea.english[1]).squadron) == (None, sea.red)


def test_a_lost_ship_never_flies_a_flag(sea: Meeting) -> None:
    Ship.objects.filter(pk=sea.english[1].pk).update(facts={"guns": 90}, fate="sunk")
    sea.now.pop(sea.english[1].code)
    sea.change(sea.english[0], fate=Fate.SUNK.value, fleet="", squadron="")

    sea.write()

    assert flags()[sea.red.code] == sea.english[2].pk
    (passed,) = sea.english[2].service_records.all()
    assert (passed.kind, passed.event) == ("flagship", f"flag/NS66/1/{WHEN}/{sea.red.code}")


def test_news_of_a_ship_already_gone_changes_nothing(sea: Meeting) -> None:
    ship = sea.english[1]
    Ship.objects.filter(pk=ship.pk).update(fate="sunk", men=0)
    sea.change(ship, fate=Fate.SUNK.value, men=5, fleet="", squadron="", navy="NLD", captain="Nobody")

    sea.write()

    assert (now(ship).men, now(ship).navy, now(ship).captain) == (0, ship.navy, "")


def test_a_ship_that_is_lost_loses_her_captain_whatever_the_chart_says(sea: Meeting) -> None:
    ship, other = sea.english[1:]
    Ship.objects.filter(pk__in=[ship.pk, other.pk]).update(captain="Harman")
    sea.change(other, captain="Harman", men=12)
    sea.change(ship, fate=Fate.WRECKED.value, captain="Harman", fleet="", squadron="")

    sea.write()

    assert (now(ship).captain, now(other).captain) == ("", "Harman")


@pytest.mark.clause("G.PR3")
def test_a_prize_that_stays_with_her_captors_is_not_a_new_capture_and_keeps_her_place(sea: Meeting) -> None:
    ship = sea.english[1]
    prizes = SquadronFactory(fleet=sea.red.fleet, code="ALB-PR")
    Ship.objects.filter(pk=ship.pk).update(prize=True, squadron=prizes, built_for=sea.dutch[0].navy)
    history = Ship.history.count()
    sea.change(ship, prize=True, squadron="whatever")

    sea.write()
    assert Ship.history.count() == history, "where prizes sail is not the chart's to say"
    sea.change(ship, men=30)
    sea.write()

    assert (now(ship).men, now(ship).squadron) == (30, prizes)


@pytest.mark.clause("G.PR1")
def test_prizes_taken_at_sea_get_their_own_squadron_and_a_detachment_one_named_after_it(
    sea: Meeting,
) -> None:
    sea.fleet("ENG-p1", "ENG", "Detached")
    sea.change(sea.dutch[1], navy="ENG", fleet="ALB", squadron="", prize=True)
    sea.change(sea.english[1], fleet="ENG-p1", squadron="ENG-p1-1")

    sea.write()

    prizes, alone = Squadron.objects.get(code="ALB-PR"), Squadron.objects.get(code="ENG-p1-1")
    assert (prizes.name, prizes.fleet, prizes.flagship) == ("Prizes", sea.red.fleet, None)
    assert (alone.name, alone.order, alone.flagship) == ("Detached", 1, sea.english[1])
    assert (prizes.order, alone.order) == (90, 1)
    assert words(sea.english[1]) == [], "a new squadron's first flag has not passed from anyone"


def test_fleets_are_made_ended_and_made_again_with_names_of_up_to_80_letters(sea: Meeting) -> None:
    long = "N" * 81
    FleetFactory(navy=sea.english[0].navy, code="OLD", name="Old", ended=True)
    FleetFactory(navy=sea.english[0].navy, code="GONE", name="Gone", ended=True)
    sea.fleets = {
        "OLD": FleetNow("OLD", "ENG", long, False),
        "GONE": FleetNow("GONE", "ENG", "Renamed", True),
        "NEW": FleetNow("NEW", "NLD", long, False),
        "STILL": FleetNow("STILL", "NLD", "Stillborn", True),
        "RUY": FleetNow("RUY", "NLD", "Renamed", True),
        "ALB": FleetNow("ALB", "ENG", "Renamed", False),
    }
    names = dict(Fleet.objects.values_list("code", "name"))

    made = sea.write()

    rows = {row.code: row for row in Fleet.objects.all()}
    assert {code: (row.name, row.ended) for code, row in rows.items()} == {
        "OLD": ("N" * 80, False),
        "GONE": ("Gone", True),
        "NEW": ("N" * 80, False),
        "STILL": ("Stillborn", True),
        "RUY": (names["RUY"], True),
        "ALB": (names["ALB"], False),
    }
    assert made == {code: rows[code].pk for code in ("OLD", "NEW", "STILL")}
    assert (rows["NEW"].navy.code, rows["OLD"].navy.code) == ("NLD", "ENG")


def test_the_code_of_a_written_event_has_up_to_120_characters(sea: Meeting) -> None:
    ship = sea.english[0]

    sea.write(SeaRecord(ship.code, "NLD", WHEN, "let_go", "e" * 121))

    record = ship.service_records.get()
    assert (record.event, record.navy_code, record.turn) == ("e" * 120, "NLD", "NS66/1")


@pytest.mark.clause("G.NE1")
def test_released_ships_form_a_fleet_under_the_strongest_of_them(sea: Meeting) -> None:
    first, second = (
        ShipFactory(
            squadron=None, navy=sea.english[0].navy, book=sea.book, fate="interned", facts={"guns": guns}
        )
        for guns in (40, 60)
    )
    kept = ShipFactory(squadron=None, navy=first.navy, book=sea.book, fate="interned")

    fleet = ships_release(
        book=sea.book,
        navy_code="ENG",
        code="ENG-r1",
        ships=[first.code, second.code],
        place="P" * 80,
        when=WHEN,
        turn="T" * 120,
    )

    squadron = fleet.squadrons.get()
    assert fleet.name == squadron.name == ("Ships released at " + "P" * 80)[:80]
    assert (squadron.code, squadron.order, squadron.flagship) == ("ENG-r1", 1, second)
    assert [(now(ship).fate, now(ship).squadron) for ship in (first, second, kept)] == [
        ("afloat", squadron),
        ("afloat", squadron),
        ("interned", None),
    ]
    record = first.service_records.get()
    assert (record.event, record.navy_code) == (f"released/{'T' * 120}"[:120], "ENG")
    assert words(first) == [f"Released at {'P' * 80}."]
    assert first.history.first().history_change_reason == f"released, {'T' * 120}"


@pytest.mark.clause("G.NE1")
def test_only_an_interned_ship_is_released(sea: Meeting) -> None:
    fleets = Fleet.objects.count()
    with pytest.raises(KeyError, match=sea.english[0].code):
        ships_release(
            book=sea.book,
            navy_code="ENG",
            code="R",
            ships=[sea.english[0].code],
            place="x",
            when=WHEN,
            turn="t",
        )
    assert Fleet.objects.count() == fleets


def test_a_ship_between_fleets_has_no_squadron_and_her_old_one_gets_another_flag(sea: Meeting) -> None:
    sea.change(sea.english[0], fleet="", squadron="")

    sea.write()

    assert now(sea.english[0]).squadron is None
    assert flags()[sea.red.code] == sea.english[1].pk
    sea.now[sea.english[0].code] = replace(sea.now[sea.english[0].code], fleet="")
    history = Ship.history.count()
    sea.write()
    assert Ship.history.count() == history
