"""Flags shift and ships change their squadrons."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError

from fleets.models import Book, ServiceRecord
from fleets.services.ships import ship_assign, squadron_flagship_set, successor
from tests.support.factories import FleetFactory, NavyFactory, ShipFactory, SquadronFactory, squadron_of

pytestmark = pytest.mark.django_db

WHEN = "1666-06-01T06:00"


def _kinds(ship: object) -> list[str]:
    return list(ServiceRecord.objects.filter(ship=ship).order_by("pk").values_list("kind", flat=True))


def test_the_flag_shifts_and_the_ledger_says_so() -> None:
    squadron = squadron_of(3)
    ship = squadron.ships.last()

    squadron_flagship_set(squadron=squadron, ship=ship, when=WHEN)

    squadron.refresh_from_db()
    assert squadron.flagship == ship
    assert _kinds(ship) == ["flagship"]


def test_a_flag_that_is_already_flying_leaves_no_entry() -> None:
    squadron = squadron_of(2)

    squadron_flagship_set(squadron=squadron, ship=squadron.flagship, when=WHEN)

    assert not ServiceRecord.objects.exists()


@pytest.mark.parametrize(("changes", "reason"), [({"prize": True}, "prize"), ({"fate": "sunk"}, "sunk")])
def test_a_prize_or_a_lost_ship_flies_no_flag(changes: dict[str, object], reason: str) -> None:
    squadron = squadron_of(2)
    ship = ShipFactory(squadron=squadron, **changes)

    with pytest.raises(ValidationError, match=reason):
        squadron_flagship_set(squadron=squadron, ship=ship, when=WHEN)


def test_a_ship_of_another_squadron_flies_no_flag_here() -> None:
    with pytest.raises(ValidationError, match="does not sail with"):
        squadron_flagship_set(squadron=squadron_of(2), ship=ShipFactory(), when=WHEN)


def test_a_ship_joins_the_end_of_another_squadron_of_her_fleet() -> None:
    fleet = FleetFactory()
    red, blue = squadron_of(3, squadron={"fleet": fleet}), squadron_of(2, squadron={"fleet": fleet})
    ship = red.ships.last()

    ship_assign(ship=ship, squadron=blue, when=WHEN)

    assert list(blue.ships.order_by("order"))[-1] == ship
    assert _kinds(ship) == ["assigned"]
    assert ship.history.first().squadron_id == blue.pk


def test_the_flag_passes_when_the_flagship_leaves() -> None:
    fleet = FleetFactory()
    red, blue = squadron_of(3, squadron={"fleet": fleet}), squadron_of(2, squadron={"fleet": fleet})
    strongest = ShipFactory(squadron=red, facts={"guns": 90})
    flagship = red.flagship

    ship_assign(ship=flagship, squadron=blue, when=WHEN)

    red.refresh_from_db()
    blue.refresh_from_db()
    assert red.flagship == strongest
    assert blue.flagship != flagship
    assert _kinds(strongest) == ["flagship"]


def test_the_last_ship_leaves_a_squadron_without_a_flag() -> None:
    fleet = FleetFactory()
    red, empty = squadron_of(1, squadron={"fleet": fleet}), SquadronFactory(fleet=fleet)
    ship = red.flagship

    ship_assign(ship=ship, squadron=empty, when=WHEN)

    red.refresh_from_db()
    empty.refresh_from_db()
    assert (red.flagship, empty.flagship) == (None, ship)


def test_a_ship_that_moves_there_and_back_has_three_entries() -> None:
    fleet = FleetFactory()
    red, blue = squadron_of(2, squadron={"fleet": fleet}), squadron_of(2, squadron={"fleet": fleet})
    ship = red.ships.last()

    for squadron in (blue, red, blue, blue):
        ship_assign(ship=ship, squadron=squadron, when=WHEN)

    assert _kinds(ship) == ["assigned"] * 3


@pytest.mark.clause("G.MV4")
def test_another_fleet_is_joined_only_in_company() -> None:
    navy = NavyFactory()
    here, there = (squadron_of(2, squadron={"fleet": FleetFactory(navy=navy)}) for _ in range(2))
    ship = here.ships.last()

    with pytest.raises(ValidationError, match="not in company"):
        ship_assign(ship=ship, squadron=there, when=WHEN)
    ship_assign(ship=ship, squadron=there, when=WHEN, in_company=True)

    assert ship.squadron == there


def test_no_one_joins_another_navy_and_a_lost_ship_joins_no_one() -> None:
    lost = ShipFactory(fate="sunk")

    with pytest.raises(ValidationError, match="another navy"):
        ship_assign(ship=ShipFactory(), squadron=squadron_of(1), when=WHEN, in_company=True)
    with pytest.raises(ValidationError, match="can no longer sail"):
        ship_assign(ship=lost, squadron=squadron_of(1), when=WHEN)


def test_the_successor_has_most_guns_and_is_not_a_prize() -> None:
    first, strong = ShipFactory(), ShipFactory(facts={"guns": 70})
    prize = ShipFactory(facts={"guns": 100}, prize=True)

    assert successor([first, strong, prize]) == strong
    assert successor([prize]) is None


@pytest.mark.one_database
@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("narrow-seas-1666", "Narrow Seas 1666"), ("yellow-sea-1904-2", "Yellow Sea 1904 (2)"), ("armada", "Armada"), ("ns66", "Ns66"),
        ("bay-of-biscay-1805", "Bay of Biscay 1805"),
        ("12", "12"),
    ],
)  # fmt: skip
def test_the_books_of_a_campaign_are_called_by_its_code_in_words(code: str, name: str) -> None:
    assert str(Book(code=code)) == name
