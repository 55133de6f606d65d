"""A navy musters: what a campaign's ships, squadrons and officers are made of."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ValidationError

from battles.engine.core.errors import UnknownRuleSet
from battles.engine.core.scenario import ShipFacts
from battles.engine.registry import rule_set
from fleets.facts import facts_document, facts_from
from fleets.models import Fleet, Navy, Officer, RegisterEntry, ServiceRecord, Ship, Squadron
from fleets.services.books import book_create, navy_create
from fleets.services.registers import DATA, register_import
from fleets.services.ships import navy_muster
from tests.support.factories import BookFactory, NavyFactory, RegisterEntryFactory, RegisterFactory

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def _muster(navy: Navy | None = None, entries: Any = None, **changes: Any) -> Fleet:
    return navy_muster(
        navy=navy or NavyFactory(),
        entries=[RegisterEntryFactory()] if entries is None else entries,
        **{
            "fleet_code": "ALB",
            "fleet_name": "Albemarle's fleet",
            "rule_set": "kohler",
            "when": "1666-05-30T06:00",
            **changes,
        },
    )


def _of_1666(side: str) -> list[RegisterEntry]:
    path = DATA / "registers" / "1666_four_days_battle.csv"
    register = register_import(path=path, original=True, year=1666).register
    return list(register.entries.filter(side=side))


def test_a_ship_gets_a_short_code_her_card_sound_condition_and_all_her_men() -> None:
    entry = RegisterEntryFactory(name="Tiger", crew=None, guns=52, tons_burthen=726, year_built=1650)
    _muster(entries=[entry])

    ship = Ship.objects.get()

    assert (ship.code, ship.name, ship.entry, ship.fate) == ("ENG001", "Tiger", entry, "afloat")
    assert ship.card["hull_max"] == 22
    assert (ship.condition["hits_struct"], ship.condition["hits_board"]) == (0, 0)
    assert ship.facts["tons_burthen"] == 726
    assert ship.navy == ship.built_for


@pytest.mark.clause("G.CR1")
def test_men_come_from_the_register_or_else_are_estimated() -> None:
    known = RegisterEntryFactory(crew=310)
    unknown = RegisterEntryFactory(crew=None, guns=52, year_built=1650)
    _muster(entries=[known, unknown])

    first, second = Ship.objects.order_by("code")

    assert (first.complement, first.men, first.complement_estimated) == (310, 310, False)
    assert (second.complement, second.men, second.complement_estimated) == (286, 286, True)


@pytest.mark.clause("G.CR1")
def test_a_prize_of_unknown_launch_is_manned_like_ships_of_her_registers_year() -> None:
    entry = RegisterEntryFactory(register=RegisterFactory(year=1805), guns=50, year_built=None)
    _muster(entries=[entry])

    assert Ship.objects.get().complement == 400


def test_card_fields_and_builder_of_the_register_reach_the_card() -> None:
    plain = RegisterEntryFactory()
    changed = RegisterEntryFactory(
        extra={"built_by": "Dutch Republic", "tags": ["frigate-built"]}, overrides={"kohler": {"hull": 22}}
    )
    _muster(entries=[plain, changed])

    first, second = Ship.objects.order_by("code")

    assert second.card["hull_max"] == 22 != first.card["hull_max"]
    assert (second.facts["built_by"], second.facts["tags"]) == ("Dutch Republic", ["frigate-built"])


@pytest.mark.clause("T.S24", "T.S26")
def test_name_and_year_are_included_so_that_a_card_is_the_same_in_every_battle() -> None:
    book = BookFactory(rule_set="thomas")
    printed = RegisterEntryFactory(
        name="Hope", register=RegisterFactory(year=1588), guns=48, tons_burthen=600, year_built=None,
        ship_type="galleon", nation=RegisterEntryFactory().nation,
    )  # fmt: skip
    undated = RegisterEntryFactory(register=RegisterFactory(year=None), guns=74, year_built=None)
    _muster(NavyFactory(book=book), [printed, undated], rule_set="thomas", when="1805-10-21T06:00")

    first, second = Ship.objects.order_by("code")

    assert (first.facts["name"], first.facts["year_served"], second.facts["year_served"]) == (
        "Hope",
        1588,
        1805,
    )
    assert (first.card["flot_max"], first.card["year"]) == (30, 1588)
    assert second.card["year"] == 1805
    rules = rule_set("thomas")
    for ship in (first, second):
        assert rules.card(facts_from(ship.facts)) == ship.card


def test_facts_survive_their_document() -> None:
    facts = ShipFacts(
        "England", "England", guns=50, speed_knots=18.5, tags=("frigate-built",), overrides={"hull": 3}
    )

    assert facts_from(facts_document(facts)) == facts


def test_codes_continue_where_the_last_muster_ended() -> None:
    navy = NavyFactory()
    _muster(navy, [RegisterEntryFactory(), RegisterEntryFactory()])
    _muster(navy, [RegisterEntryFactory()], fleet_code="RUP")

    assert list(Ship.objects.order_by("code").values_list("code", flat=True)) == [
        "ENG001",
        "ENG002",
        "ENG003",
    ]


def test_all_the_english_of_1666_muster_in_divisions_under_their_flags() -> None:
    fleet = _muster(entries=_of_1666("English"))

    squadrons = list(Squadron.objects.filter(fleet=fleet).select_related("flagship"))

    assert Ship.objects.count() == 78
    assert [squadron.order for squadron in squadrons] == list(range(1, 12))
    assert all(squadron.flagship and squadron.flagship.squadron_id == squadron.pk for squadron in squadrons)
    assert all(squadron.ships.count() <= 10 for squadron in squadrons)
    assert squadrons[0].flagship is not None and squadrons[0].flagship.name == "Royal Prince"
    assert all(squadron.ships.order_by("order").first() == squadron.flagship for squadron in squadrons)


def test_the_fleet_is_commanded_by_its_senior_flag_officer_unless_another_is_named() -> None:
    entries = _of_1666("Dutch")

    assert _muster(entries=entries).commander == "Lt-Adm Michiel de Ruyter"
    assert (
        _muster(entries=entries, fleet_code="OTHER", commander="Cornelis Tromp").commander == "Cornelis Tromp"
    )


def test_flag_officer_and_captain_are_distinguished() -> None:
    flag = RegisterEntryFactory(role="flagship", commander="Vice-Adm Nelson; Capt Hardy")
    lone_flag = RegisterEntryFactory(role="rear_flag", commander="Rear-Adm Harman")
    private = RegisterEntryFactory(commander="Capt Harvey")
    _muster(entries=[private, lone_flag, flag])

    officers = Officer.objects.order_by("seniority").values_list("name", "flag_rank", "ship__entry")

    assert list(officers) == [
        ("Vice-Adm Nelson", True, flag.pk),
        ("Rear-Adm Harman", True, lone_flag.pk),
        ("Capt Harvey", False, private.pk),
        ("Capt Hardy", False, flag.pk),
    ]
    assert [ship.captain for ship in Ship.objects.order_by("code")] == ["Capt Harvey", "", "Capt Hardy"]


def test_two_captains_of_one_name_are_distinguished_by_their_ships() -> None:
    entries = [RegisterEntryFactory(name=name, commander="Capt Evertsen") for name in ("Zeeland", "Veere")]
    _muster(entries=entries)

    assert {officer.name for officer in Officer.objects.all()} == {"Capt Evertsen", "Capt Evertsen (Veere)"}
    assert set(Ship.objects.values_list("captain", flat=True)) == {"Capt Evertsen", "Capt Evertsen (Veere)"}


@pytest.mark.clause("G.SV1")
def test_a_service_record_begins_with_the_ship_joining_the_campaign() -> None:
    _muster(entries=[RegisterEntryFactory(), RegisterEntryFactory()])

    assert (
        list(ServiceRecord.objects.values_list("kind", "event", "when", "navy_code"))
        == [("mustered", "mustered", "1666-05-30T06:00", "ENG")] * 2
    )


def test_mustering_keeps_the_history_of_edits() -> None:
    _muster()

    assert Ship.objects.get().history.count() == 1


def test_all_ships_without_a_possible_card_are_named_and_nothing_is_saved() -> None:
    bad = [RegisterEntryFactory(name=name, overrides={"kohler": {"hull": -1}}) for name in ("Tiger", "Lion")]

    with pytest.raises(ValidationError) as caught:
        _muster(entries=[*bad, RegisterEntryFactory()])

    assert [message.split(":")[0] for message in caught.value.messages] == ["Tiger", "Lion"]
    assert not Fleet.objects.exists()


def test_a_fleets_code_is_unique_in_the_whole_book() -> None:
    book = BookFactory()
    _muster(NavyFactory(book=book))

    with pytest.raises(ValidationError, match="ALB"):
        _muster(NavyFactory(book=book, code="NLD"))


def test_an_empty_fleet_is_refused() -> None:
    with pytest.raises(ValidationError, match="at least one ship"):
        _muster(entries=[])


def test_an_unknown_rule_set_is_named_with_the_known_ones() -> None:
    with pytest.raises(UnknownRuleSet, match="kohler"):
        _muster(rule_set="checkers")


def test_a_hundred_and_sixty_ships_muster_in_few_queries(
    django_assert_max_num_queries: Any,
) -> None:
    register = RegisterFactory()
    nation = RegisterEntryFactory(register=register).nation
    rows = [
        RegisterEntry(
            register=register, name=f"Sail {n}", nation=nation, side="English", squadron=f"Squadron {n % 5}",
            ship_type="ship_of_line", guns=40 + n % 40, commander=f"Capt {n}", line=n,
        )
        for n in range(160)
    ]  # fmt: skip
    RegisterEntry.objects.bulk_create(rows)
    navy = NavyFactory()

    with django_assert_max_num_queries(40):
        _muster(navy, RegisterEntry.objects.filter(name__startswith="Sail "))

    assert Ship.objects.count() == 160


def test_a_navy_is_entered_under_the_name_of_its_nation() -> None:
    book = book_create(code="NS66", rule_set="kohler", engine_version=1)

    def entered(nation: str, code: str) -> str:
        try:
            navy = navy_create(book=book, nation=nation, code=code, name="A navy", colours="blue")
        except ValidationError as refused:
            return refused.messages[0]
        assert navy.book == book
        return navy.nation.name

    assert entered("dutch republic", "NLD") == "Dutch Republic"
    assert entered("Ruritania", "RUR") == "'Ruritania' is not a known nation. Add it in the admin first."
    with pytest.raises(ValidationError):
        book_create(code="NS66", rule_set="kohler", engine_version=1)
