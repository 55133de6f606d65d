"""The books match what the chart has ashore exactly, and unchanged rows are left alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from fleets.models import MenAshore, Officer, OfficerRecord, PrisonersHeld, Prize, PrizeFund, RepairJob, Ship
from fleets.services.ashore import (
    AshoreNow,
    JobNow,
    OfficerEntry,
    OfficerNow,
    PrizeNow,
    ashore_apply,
    officer_records_write,
)
from tests.fleets.meeting import Meeting
from tests.support.factories import (
    NavyFactory,
    OfficerFactory,
    OfficerRecordFactory,
    PrisonersHeldFactory,
    PrizeFactory,
    PrizeFundFactory,
)

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]

WHEN = "1666-06-02T06:00"


@pytest.fixture
def meeting() -> Meeting:
    return Meeting()


def job(ship: Ship, **changes: Any) -> JobNow:
    made = JobNow(
        ship.code, ship.navy.code, "chatham", 1, "medium", masts=2, batteries=3, needs=4, total=49, done=7,
        began=WHEN, ready="1666-07-01T06:00",
    )  # fmt: skip
    return replace(made, **changes)


@pytest.mark.clause("G.RP2")
def test_the_books_of_the_yards_agree_with_the_chart(meeting: Meeting) -> None:
    first, second, third = meeting.english
    jobs = [job(second, berth=None, ready=""), job(first)]
    ashore_apply(book=meeting.book, now=AshoreNow(jobs=jobs))

    row = RepairJob.objects.get(ship=first)
    assert (row.navy, row.place, row.berth, row.hull) == (first.navy, "chatham", 1, "medium")
    assert (row.masts, row.batteries, row.needs, row.total, row.done) == (2, 3, 4, 49, 7)
    assert (row.began, row.ready) == (WHEN, "1666-07-01T06:00")
    assert RepairJob.objects.get(ship=second).berth is None
    kept = set(RepairJob.objects.values_list("pk", flat=True))
    ashore_apply(book=meeting.book, now=AshoreNow(jobs=jobs[::-1]))
    assert set(RepairJob.objects.values_list("pk", flat=True)) == kept, (
        "the order in which they are told is nothing"
    )
    ashore_apply(book=meeting.book, now=AshoreNow(jobs=[job(first, done=8), job(third, berth=2)]))
    assert list(RepairJob.objects.order_by("berth").values_list("ship", "done")) == [
        (first.pk, 8),
        (third.pk, 7),
    ]
    ashore_apply(book=meeting.book, now=AshoreNow())
    assert not RepairJob.objects.exists()


@pytest.mark.clause("G.PR4")
def test_prize_funds_are_opened_and_kept(meeting: Meeting) -> None:
    english = meeting.english[0].navy
    PrizeFundFactory(navy=english, pounds=1000, earned=[1, 2])

    ashore_apply(book=meeting.book, now=AshoreNow(funds={"ENG": (1000, (1, 3)), "NLD": (50, (4,))}))

    def funds() -> list[Any]:
        return list(PrizeFund.objects.order_by("navy__code").values_list("navy__code", "pounds", "earned"))

    assert funds() == [("ENG", 1000, [1, 3]), ("NLD", 50, [4])]
    ashore_apply(book=meeting.book, now=AshoreNow(funds={"NLD": (0, (4,))}))
    assert funds() == [("ENG", 1000, [1, 3]), ("NLD", 0, [4])], "a fund of which nothing is said stays"


@pytest.mark.clause("G.PR5")
def test_prisoners_and_men_ashore_are_rewritten_only_when_they_differ(meeting: Meeting) -> None:
    english, dutch = meeting.english[0].navy, meeting.dutch[0].navy
    elsewhere = PrisonersHeldFactory(holder=NavyFactory(), of=NavyFactory(), men=5)
    held = [("ENG", "dover", "NLD", 90), ("NLD", "texel", "ENG", 12)]
    ashore = [("NLD", "texel", 30), ("ENG", "dover", 20)]
    said = AshoreNow(prisoners=held, ashore=ashore)
    ashore_apply(book=meeting.book, now=said)

    def rows() -> list[Any]:
        mine = PrisonersHeld.objects.exclude(pk=elsewhere.pk)
        return [
            sorted(mine.values_list("holder", "place", "of", "men")),
            sorted(MenAshore.objects.values_list("navy", "place", "men")),
        ]

    def keys() -> list[set[int]]:
        return [set(model.objects.values_list("pk", flat=True)) for model in (PrisonersHeld, MenAshore)]

    assert rows() == [
        sorted([(english.pk, "dover", dutch.pk, 90), (dutch.pk, "texel", english.pk, 12)]),
        sorted([(english.pk, "dover", 20), (dutch.pk, "texel", 30)]),
    ]
    before = keys()
    ashore_apply(book=meeting.book, now=replace(said, prisoners=held[::-1]))
    assert keys() == before
    ashore_apply(book=meeting.book, now=AshoreNow(prisoners=[("ENG", "dover", "NLD", 91)], ashore=ashore))
    assert rows()[0] == [(english.pk, "dover", dutch.pk, 91)]
    assert keys()[1] == before[1]
    ashore_apply(book=meeting.book, now=AshoreNow())
    assert rows() == [[], []]
    assert PrisonersHeld.objects.get() == elsewhere, "another book's prisoners are not touched"


def capture(ship: Ship, **changes: Any) -> PrizeNow:
    """What the chart says of a ship that the English have taken in an earlier turn."""
    stands = PrizeNow(
        ship=ship.code, captor="ENG", taken_from="NLD", taken_by="", when=WHEN, fresh=False, battle="b01", crew=40,
        status="sailing", port="", court=0, aboard=0, value=0, head_money=0, prisoners=None,
    )  # fmt: skip
    return replace(stands, **changes)


@pytest.mark.clause("G.PR4")
def test_the_last_capture_of_a_ship_is_brought_up_to_date(meeting: Meeting) -> None:
    ship, other = meeting.dutch[:2]
    english, dutch = meeting.english[0].navy, ship.navy
    makes = {"captor": english, "taken_from": dutch, "status": "sailing", "prisoners": 90}
    later = PrizeFactory(ship=ship, when="1666-06-03T06:00", **makes)
    older = PrizeFactory(ship=ship, when="1666-06-02T06:00", **{**makes, "status": "sold"})
    void = PrizeFactory(ship=ship, when="1666-06-04T06:00", void="R1", **makes)
    third = PrizeFactory(ship=other, when="1666-06-04T06:00", **makes)
    figures = {"status": "condemned", "port": "dover", "court": 1, "aboard": 2, "value": 3, "head_money": 4}

    prizes = [
        capture(ship, **figures),
        capture(other, **figures, prisoners=0),
        capture(meeting.dutch[2], **figures),
    ]
    ashore_apply(book=meeting.book, now=AshoreNow(prizes=prizes))

    def told(row: Prize) -> tuple[Any, ...]:
        row.refresh_from_db()
        return row.status, row.port, row.court, row.aboard, row.value, row.head_money, row.prisoners

    assert told(later) == ("condemned", "dover", 1, 2, 3, 4, 90)
    assert told(third) == ("condemned", "dover", 1, 2, 3, 4, 0)
    assert (told(older)[0], told(void)[0]) == ("sold", "sailing")
    assert Prize.objects.count() == 4, (
        "what was taken in an earlier turn and is not in the books is not made up"
    )


@pytest.mark.clause("G.PR4")
@pytest.mark.parametrize(
    "change",
    [
        {"status": "sold"}, {"port": "dover"}, {"court": 5}, {"aboard": 6}, {"value": 7}, {"head_money": 8},
        {"prisoners": 9}, {"prisoners": 0},
    ],
    ids=str,
)  # fmt: skip
def test_every_figure_of_a_capture_is_brought_up_to_date(meeting: Meeting, change: dict[str, Any]) -> None:
    ship, captor = meeting.dutch[0], meeting.english[0].navy
    row = PrizeFactory(ship=ship, captor=captor, taken_from=ship.navy, prisoners=90)
    stands = {
        "status": "sailing",
        "port": "",
        "court": 0,
        "aboard": 0,
        "value": 0,
        "head_money": 0,
        "prisoners": 90,
    }

    ashore_apply(book=meeting.book, now=AshoreNow(prizes=[capture(ship, **change)]))

    row.refresh_from_db()
    assert {name: getattr(row, name) for name in stands} == {**stands, **change}


@pytest.mark.clause("G.PR4", "G.SV1")
def test_a_name_that_she_gets_back_is_not_one_of_her_former_names(meeting: Meeting) -> None:
    ship = meeting.dutch[0]
    Ship.objects.filter(pk=ship.pk).update(name="Black Bull", former_names=["Wapen", "Guinea", "Marmaduke"])

    ashore_apply(book=meeting.book, now=AshoreNow(names={ship.code: "Guinea"}))

    ship.refresh_from_db()
    assert (ship.name, ship.former_names) == ("Guinea", ["Wapen"])


@pytest.mark.clause("G.AF1")
@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"ship": 1}, (1, "serving", False)),
        ({"ship": None}, (None, "serving", False)),
        ({"status": "wounded"}, (0, "wounded", False)),
        ({"flag_rank": True}, (0, "serving", True)),
        ({}, (0, "serving", False)),
        ({"name": "Nobody", "status": "killed"}, (0, "serving", False)),
        ({"navy": "NLD", "status": "killed"}, (0, "serving", False)),
    ],
)
def test_an_officers_place_and_state_agree_with_the_chart(
    meeting: Meeting, change: dict[str, Any], expected: tuple[Any, ...]
) -> None:
    OfficerFactory(navy=meeting.english[0].navy, name="Harman", ship=meeting.english[0])
    berth = change.get("ship", 0)
    code = "" if berth is None else meeting.english[berth].code
    said = OfficerNow(
        **{"navy": "ENG", "name": "Harman", "status": "serving", "flag_rank": False, **change, "ship": code}
    )

    ashore_apply(book=meeting.book, now=AshoreNow(officers=[said]))

    rows = {row.name: (row.ship, row.status, row.flag_rank) for row in Officer.objects.select_related("ship")}
    place, status, flag = expected
    assert rows == {"Harman": (None if place is None else meeting.english[place], status, flag)}


@pytest.mark.clause("G.AF1")
def test_an_officer_ashore_goes_aboard_and_another_stays(meeting: Meeting) -> None:
    navy, ship = meeting.english[0].navy, meeting.english[1]
    for name in ("Harman", "Jordan"):
        OfficerFactory(navy=navy, name=name, status="wounded")

    said = [
        OfficerNow("ENG", "Harman", ship.code, "serving", False),
        OfficerNow("ENG", "Jordan", "", "wounded", False),
    ]
    ashore_apply(book=meeting.book, now=AshoreNow(officers=said))

    assert list(Officer.objects.order_by("name").values_list("name", "ship", "status")) == [
        ("Harman", ship.pk, "serving"),
        ("Jordan", None, "wounded"),
    ]


@pytest.mark.clause("G.PR4", "G.SV1")
def test_a_ship_keeps_the_names_she_had_and_drops_them_when_she_gets_one_back(meeting: Meeting) -> None:
    ship, other = meeting.dutch[:2]
    first = ship.name
    history = Ship.history.count()

    def name(word: str) -> list[str]:
        ashore_apply(book=meeting.book, now=AshoreNow(names={ship.code: word, other.code: other.name}))
        ship.refresh_from_db()
        assert ship.name == word
        return ship.former_names

    assert name(first) == []
    assert Ship.history.count() == history, "a name that she has already is no renaming"
    assert name("Guinea") == [first]
    assert name("Marmaduke") == [first, "Guinea"]
    assert name("Black Bull") == [first, "Guinea", "Marmaduke"]
    assert name("Guinea") == [first]
    assert name(first) == []
    assert Ship.history.count() == history + 5
    assert ship.history.first().history_change_reason == "renamed"


@pytest.mark.clause("G.AF1", "G.SV1")
def test_an_officers_record_has_every_event_once(meeting: Meeting) -> None:
    officer = OfficerFactory(navy=meeting.english[0].navy, name="Harman")
    OfficerRecordFactory(officer=officer, event="void", void="R1")
    OfficerRecordFactory(officer=officer, event="there")
    made = OfficerEntry("ENG", "Harman", WHEN, "command", "new", {"ship": "Antelope"})
    entries = [
        made,
        replace(made, event="void"),
        replace(made, event="there"),
        replace(made, name="Nobody"),
        replace(made, navy="NLD"),
    ]

    assert officer_records_write(book=meeting.book, entries=entries, turn="T1") == 2
    assert officer_records_write(book=meeting.book, entries=entries, turn="T2") == 0
    assert officer_records_write(book=meeting.book, entries=[], turn="T2") == 0
    assert list(
        OfficerRecord.objects.filter(turn="T1").order_by("event").values_list("event", "when", "kind", "data")
    ) == [
        ("new", WHEN, "command", {"ship": "Antelope"}),
        ("void", WHEN, "command", {"ship": "Antelope"}),
    ]


@pytest.mark.clause("G.AF1", "G.SV1")
def test_events_concerning_an_officer_appear_in_their_record_under_the_turn(meeting: Meeting) -> None:
    officer = OfficerFactory(navy=meeting.english[0].navy, name="Harman")
    told = [
        OfficerEntry("ENG", "Harman", WHEN, kind, kind, {"ship": "Antelope"})
        for kind in ("wounded", "drowned")
    ]

    assert officer_records_write(book=meeting.book, entries=told, turn="T1") == 2

    assert list(officer.records.values_list("turn", "event", "kind").order_by("pk")) == [
        ("T1", "wounded", "wounded"),
        ("T1", "drowned", "drowned"),
    ]


@pytest.mark.clause("G.SV1")
def test_an_entry_that_could_not_be_read_later_is_refused(meeting: Meeting) -> None:
    OfficerFactory(navy=meeting.english[0].navy, name="Harman")
    good = OfficerEntry("ENG", "Harman", WHEN, "command", "new", {"ship": "Antelope"})

    with pytest.raises(ValueError, match="no kind of officer's record 'promoted'; known are command, "):
        officer_records_write(book=meeting.book, entries=[good, replace(good, kind="promoted")], turn="T1")
    with pytest.raises(KeyError, match="squadron"):
        officer_records_write(book=meeting.book, entries=[good, replace(good, kind="flag")], turn="T1")
    assert not OfficerRecord.objects.exists()
