"""Reading the fleets: what is returned, and in how many queries."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine import registry
from fleets.selectors.cards import entry_cards, ship_card
from fleets.selectors.registers import register_entries, register_list, register_sides
from fleets.selectors.sheets import fleet_with_ships, ship_sheets, squadron_sheets
from fleets.selectors.ships import service_history
from tests.support.factories import (
    BookFactory,
    FleetFactory,
    NavyFactory,
    OfficerFactory,
    RegisterEntryFactory,
    RegisterFactory,
    ServiceRecordFactory,
    ShipFactory,
    SquadronFactory,
    squadron_of,
)

pytestmark = pytest.mark.django_db


def _fleet(ships: int = 3, **fleet: Any) -> Any:
    return squadron_of(ships, squadron={"fleet": FleetFactory(**fleet)}).fleet


def test_ship_sheets_hold_what_a_turn_needs_of_a_ship(django_assert_num_queries: Any) -> None:
    fleet = _fleet(20)

    with django_assert_num_queries(1):
        sheets = ship_sheets(fleet.navy.book)

    assert [sheet["code"] for sheet in sheets] == sorted(sheet["code"] for sheet in sheets)
    assert len(sheets) == 20
    assert (sheets[0]["side"], sheets[0]["fleet"]) == (fleet.navy.code, fleet.code)
    assert set(sheets[0]) >= {
        "card",
        "condition",
        "facts",
        "men",
        "complement",
        "captain",
        "prize",
        "squadron",
    }


@pytest.mark.parametrize("why", ["lost", "without a squadron", "of an ended fleet", "of another book"])
def test_only_ships_that_sail_are_on_the_sheets(why: str) -> None:
    fleet = _fleet(1)
    squadron = fleet.squadrons.get()
    if why == "lost":
        ShipFactory(squadron=squadron, fate="sunk")
    elif why == "without a squadron":
        ship = ShipFactory(squadron=squadron)
        ship.squadron = None
        ship.save()
    elif why == "of an ended fleet":
        squadron_of(2, squadron={"fleet": FleetFactory(navy=fleet.navy, ended=True)})
    else:
        squadron_of(2)

    assert len(ship_sheets(fleet.navy.book)) == 1
    assert len(squadron_sheets(fleet.navy.book)) == 1


def test_squadron_sheets_name_the_senior_serving_flag_officer(django_assert_num_queries: Any) -> None:
    fleet = _fleet(2)
    squadron = fleet.squadrons.get()
    flagship, other = squadron.flagship, squadron.ships.last()
    for name, changes in {
        "Wounded": {"status": "wounded", "seniority": 1},
        "Senior": {"seniority": 2},
        "Junior": {"seniority": 3},
        "Captain": {"seniority": 0, "flag_rank": False},
        "Elsewhere": {"seniority": 0, "ship": other},
    }.items():
        OfficerFactory(navy=fleet.navy, name=name, **{"flag_rank": True, "ship": flagship, **changes})

    with django_assert_num_queries(2):
        (sheet,) = squadron_sheets(fleet.navy.book)

    assert (sheet["flagship"], sheet["officer"], sheet["fleet"]) == (flagship.code, "Senior", fleet.code)


def test_squadrons_without_ships_are_not_on_the_sheets() -> None:
    SquadronFactory(fleet=_fleet(1))
    fleet = _fleet(1)
    SquadronFactory(fleet=fleet)

    assert len(squadron_sheets(fleet.navy.book)) == 1


def test_a_fleet_is_read_with_squadrons_and_ships_in_the_order_of_sailing(
    django_assert_num_queries: Any,
) -> None:
    fleet = FleetFactory()
    rear = squadron_of(5, squadron={"fleet": fleet, "order": 2})
    van = squadron_of(4, squadron={"fleet": fleet, "order": 1})
    SquadronFactory(fleet=fleet, order=3)
    ShipFactory(squadron=van, fate="sunk")

    with django_assert_num_queries(4):
        sheet = fleet_with_ships(fleet.pk)
        assert [squadron for squadron, _ in sheet.squadrons] == [van, rear]
        assert sheet.ships == 9
        assert [ship.order for ship in sheet.squadrons[0][1]] == [0, 1, 2, 3]
        assert [list(ship.officers.all()) for _, ships in sheet.squadrons for ship in ships] == [[]] * 9
        assert sheet.fleet.navy.nation.name == "England"


@pytest.mark.clause("G.SV1")
def test_a_service_record_leaves_out_void_entries(django_assert_num_queries: Any) -> None:
    ship = ShipFactory()
    for day in (3, 1, 2):
        ServiceRecordFactory(ship=ship, when=f"1666-06-0{day}T06:00")
    ServiceRecordFactory(ship=ship, void="rollback of turn 1")
    ServiceRecordFactory()

    with django_assert_num_queries(1):
        entries = service_history(ship)

    assert [entry.record.when[8:10] for entry in entries] == ["01", "02", "03"]
    assert all(entry.words.startswith("Mustered for England") for entry in entries)


def test_registers_are_listed_with_their_ships_and_sides(django_assert_num_queries: Any) -> None:
    register = RegisterFactory(year=1666)
    for side in ("English", "English", "Dutch"):
        RegisterEntryFactory(register=register, side=side)
    RegisterFactory(year=1588)

    with django_assert_num_queries(3):
        assert [(row.year, row.ships) for row in register_list()] == [(1588, 0), (1666, 3)]
        assert register_sides(register) == [("English", 2), ("Dutch", 1)]
        assert [entry.nation.name for entry in register_entries(register)] == ["England"] * 3


def test_a_card_is_shown_with_the_clause_of_each_figure() -> None:
    cards = {card.rule_set: card for card in entry_cards(RegisterEntryFactory(guns=52, tons_burthen=726))}

    assert set(cards) == set(registry.names())
    assert (dict(cards["kohler"].figures)["hull_max"], cards["kohler"].faults) == (22, "")
    assert "K.A1.1" in {note.clause for note in cards["kohler"].notes}
    assert (dict(cards["thomas"].figures)["flot_max"], cards["thomas"].faults) == (36, "")
    assert "T.S2" in {note.clause for note in cards["thomas"].notes}
    for card in cards.values():
        assert "schema" not in dict(card.figures)


def test_an_entry_without_a_card_says_why() -> None:
    cards = entry_cards(RegisterEntryFactory(overrides={name: {"grapeshot": 3} for name in registry.names()}))

    for card in cards:
        assert card.figures == ()
        assert "grapeshot" in card.faults


def test_a_ships_card_is_the_one_she_mustered_with() -> None:
    ship = ShipFactory(navy=NavyFactory(book=BookFactory(rule_set="kohler")))

    card = ship_card(ship)

    assert dict(card.figures)["hull_max"] == ship.card["hull_max"]
    assert card.notes
