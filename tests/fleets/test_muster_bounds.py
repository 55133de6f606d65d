"""Who commands what, in which order and under which names, when ships muster and when they shift."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ValidationError

from fleets.divisions import Division
from fleets.models import Fleet, Officer, RegisterEntry, ServiceRecord, Ship, Squadron
from fleets.services.merchants import merchants_muster
from fleets.services.muster import card_faults, navy_muster, next_number
from fleets.services.reinforcements import made_entries
from fleets.services.ships import ship_assign, squadron_flagship_set, successor
from tests.support.answers import flawless
from tests.support.factories import (
    FleetFactory,
    NationFactory,
    NavyFactory,
    OfficerFactory,
    RegisterEntryFactory,
    RegisterFactory,
    ShipFactory,
    SquadronFactory,
    squadron_of,
)

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]

WHEN = "1666-06-01T06:00"


def muster(*entries: RegisterEntry, navy: Any = None, **changes: Any) -> Fleet:
    given = {"fleet_code": "ALB", "fleet_name": "Albemarle", "rule_set": "kohler", "when": WHEN, **changes}
    return flawless(navy_muster, navy=navy or NavyFactory(), entries=entries, **given)


def officers() -> list[tuple[Any, ...]]:
    return list(Officer.objects.order_by("seniority").values_list("name", "flag_rank", "seniority"))


def test_flag_officers_rank_by_their_flags_and_then_as_the_register_has_them() -> None:
    roles = ["private", "rear_flag", "vice_flag", "flagship", "vice_flag"]
    entries = [RegisterEntryFactory(role=role, commander=f"Officer {n}") for n, role in enumerate(roles)]

    fleet = muster(*entries)

    assert officers() == [
        ("Officer 3", True, 1),
        ("Officer 2", True, 2),
        ("Officer 4", True, 3),
        ("Officer 1", True, 4),
        ("Officer 0", False, 5),
    ]
    assert fleet.commander == "Officer 3"


def test_seniority_continues_where_the_last_muster_ended_and_captains_alone_command_no_fleet() -> None:
    navy = NavyFactory()
    for name in ("One", "Two"):
        OfficerFactory(navy=navy, name=name, seniority=0)

    fleet = muster(RegisterEntryFactory(commander="Three"), navy=navy)

    assert officers()[-1] == ("Three", False, 3)
    assert fleet.commander == ""


@pytest.mark.parametrize(
    ("role", "commander", "flags", "captain"),
    [
        ("private", "Adam; Baker", [], "Baker"),
        ("private", "", [], ""),
        ("flagship", "Adam", ["Adam"], ""),
        ("flagship", "Adam; Baker", ["Adam"], "Baker"),
        ("flagship", "Adam; ; Baker;Cook ", ["Adam", "Baker"], "Cook"),
        ("flagship", " ", [], ""),
        ("private", "x" * 121, [], "x" * 120),
    ],
)
def test_the_last_of_several_names_is_the_captains(
    role: str, commander: str, flags: list[str], captain: str
) -> None:
    muster(RegisterEntryFactory(role=role, commander=commander))

    assert Ship.objects.get().captain == captain
    assert list(Officer.objects.filter(flag_rank=True).values_list("name", flat=True)) == flags
    assert ServiceRecord.objects.get().data["captain"] == captain


def test_a_namesake_with_a_long_name_is_cut_to_make_room_for_the_ship() -> None:
    name = "N" * 120
    muster(
        RegisterEntryFactory(name="Tiger", commander=name), RegisterEntryFactory(name="Lion", commander=name)
    )

    assert officers()[1][0] == "N" * (110 - len("Lion")) + " (Lion)"
    assert Ship.objects.get(name="Lion").captain == officers()[1][0]


def test_squadrons_are_named_with_up_to_60_letters_and_numbered_from_one() -> None:
    long = RegisterEntryFactory(squadron="S" * 61, commander="A")
    plain = RegisterEntryFactory(register=long.register, squadron="", commander="B")
    fleet = muster(long, plain)

    assert list(Squadron.objects.order_by("order").values_list("name", "order")) == [
        ("S" * 60, 1),
        ("Albemarle", 2),
    ]
    assert {squadron.fleet for squadron in Squadron.objects.all()} == {fleet}
    assert list(Ship.objects.order_by("code").values_list("order", flat=True)) == [0, 0]


@pytest.mark.parametrize(
    ("register_year", "when", "year"),
    [(1588, WHEN, 1588), (None, WHEN, 1666), (None, "", None), (None, "May 1666", None)],
)
def test_a_ship_serves_in_the_year_of_her_register_or_else_of_the_muster(
    register_year: int | None, when: str, year: int | None
) -> None:
    muster(RegisterEntryFactory(register=RegisterFactory(year=register_year)), when=when)

    assert Ship.objects.get().facts["year_served"] == year


def test_a_number_is_never_reused() -> None:
    navy, other = NavyFactory(), NavyFactory(code="NLD")
    assert next_number(navy) == 1
    for code in ("ENG009", "ENG010", "FLAGSHIP"):
        ShipFactory(squadron=None, navy=navy, book=navy.book, code=code)
    ShipFactory(squadron=None, navy=other, built_for=navy, book=navy.book, code="ENG011")
    ShipFactory(squadron=None, navy=navy, built_for=other, book=navy.book, code="NLD099")

    assert next_number(navy) == 12
    muster(RegisterEntryFactory(), navy=navy)
    assert Ship.objects.latest("pk").code == "ENG012"


def convoy(navy: Any = None, **changes: Any) -> Fleet:
    given = {
        "fleet_code": "C1", "fleet_name": "Smyrna", "names": ["Hope", "Faith"], "guns": 10, "tons": 300, "year": 1666,
        "when": WHEN,
    }  # fmt: skip
    return flawless(merchants_muster, navy=navy or NavyFactory(), **{**given, **changes})


@pytest.mark.clause("G.CV1", "G.CR1")
def test_a_convoy_is_merchants_of_one_size_in_one_squadron() -> None:
    navy = NavyFactory()
    ShipFactory(squadron=None, navy=navy, book=navy.book, code="ENG004")
    fleet = convoy(navy, names=["Hope", "F" * 81, "Charity"])

    squadron = fleet.squadrons.get()
    ships = list(squadron.ships.order_by("order"))
    assert [(ship.code, ship.name, ship.order) for ship in ships] == [
        ("ENG005", "Hope", 0),
        ("ENG006", "F" * 80, 1),
        ("ENG007", "Charity", 2),
    ]
    assert (squadron.code, squadron.name, squadron.order, squadron.flagship) == (
        "C1-1",
        "Smyrna",
        1,
        ships[0],
    )
    assert {(ship.ship_type, ship.facts["guns"], ship.facts["tons_burthen"]) for ship in ships} == {
        ("merchant", 10, 300)
    }
    assert {ship.facts["year_served"] for ship in ships} == {1666}
    assert all(ship.men == ship.complement > 0 and ship.complement_estimated for ship in ships)
    assert ships[0].condition["hits_struct"] == 0
    assert {(row.kind, row.when, row.data["squadron"]) for row in ServiceRecord.objects.all()} == {
        ("mustered", WHEN, "Smyrna")
    }


@pytest.mark.clause("G.CV1")
def test_an_impossible_convoy_is_refused() -> None:
    navy = NavyFactory()
    FleetFactory(navy=NavyFactory(book=navy.book, code="NLD"), code="C1")
    FleetFactory(code="C2")
    with pytest.raises(ValidationError, match="at least one ship"):
        convoy(navy, names=[])
    with pytest.raises(ValidationError, match="This campaign already has a fleet C1."):
        convoy(navy)
    assert convoy(navy, fleet_code="C2", fleet_name="F" * 81).name == "F" * 80
    assert Squadron.objects.get().name == "F" * 80


def test_the_successor_has_most_guns_then_sails_first_then_has_the_first_code() -> None:
    squadron = SquadronFactory()

    def ship(code: str, order: int, **changes: Any) -> Ship:
        made: Ship = ShipFactory.build(
            squadron=None, navy=squadron.fleet.navy, code=code, order=order, **changes
        )
        return made

    unknown, none = ship("A", 0, facts={}), ship("B", 1, facts={"guns": 0})
    weak, late, first = ship("C", 2, facts={"guns": 1}), ship("E", 4), ship("D", 3)
    tied, lost, prize = ship("F", 3), ship("G", 0, facts={"guns": 90}, fate="sunk"), ship("H", 0, prize=True)

    ships = [prize, lost, unknown, none, weak, late, tied, first]
    expected = [first, tied, late, weak, unknown, none]
    while expected:
        assert successor(ships) is expected[0]
        ships.remove(expected.pop(0))
    assert successor(ships) is None


def records(ship: Ship) -> list[tuple[str, str]]:
    return list(ship.service_records.order_by("pk").values_list("kind", "event"))


@pytest.mark.clause("G.MV4")
def test_a_ship_sails_behind_the_last_of_her_new_squadron(  # the order has gaps after losses
) -> None:
    fleet = FleetFactory()
    red, empty = squadron_of(2, squadron={"fleet": fleet}), SquadronFactory(fleet=fleet)
    blue = squadron_of(2, squadron={"fleet": fleet})
    last = blue.ships.last()
    last.order = 7
    last.save()
    ship = red.ships.get(order=1)

    assert ship_assign(ship=ship, squadron=blue, when=WHEN).order == 8
    assert ship_assign(ship=ship, squadron=empty, when=WHEN).order == 0
    assert ship_assign(ship=ship, squadron=empty, when=WHEN).order == 0
    assert records(ship) == [
        ("assigned", "assigned/1"),
        ("assigned", "assigned/2"),
        ("flagship", "flagship/1"),
    ]
    ship_assign(ship=ship, squadron=blue, when=WHEN)
    empty.refresh_from_db()
    assert empty.flagship is None
    ship_assign(ship=ship, squadron=empty, when=WHEN)
    assert records(ship)[-1] == ("flagship", "flagship/2")


@pytest.mark.clause("G.MV4")
def test_a_ship_of_no_fleet_joins_one_only_in_company() -> None:
    squadron = squadron_of(1)
    ship = ShipFactory(squadron=None, navy=squadron.fleet.navy, book=squadron.fleet.navy.book)

    with pytest.raises(ValidationError, match="is not in company with"):
        ship_assign(ship=ship, squadron=squadron, when=WHEN)
    assert ship_assign(ship=ship, squadron=squadron, when=WHEN, in_company=True).squadron == squadron
    squadron.refresh_from_db()
    assert squadron.flagship != ship, "the flag that flies stays where it is"


def test_a_prize_or_a_wreck_is_refused_the_flag_even_when_she_flies_it() -> None:
    squadron = squadron_of(2)
    for change, said in (
        ({"prize": True}, "is a prize and cannot"),
        ({"fate": "burnt"}, "is burnt and can no longer sail"),
    ):
        Ship.objects.filter(pk=squadron.flagship.pk).update(**{"prize": False, "fate": "afloat", **change})
        with pytest.raises(ValidationError, match=said):
            squadron_flagship_set(
                squadron=squadron, ship=Ship.objects.get(pk=squadron.flagship.pk), when=WHEN
            )


@pytest.mark.clause("G.CV1")
def test_a_convoys_cards_take_the_figures_that_they_are_given() -> None:
    plain, given = convoy(), convoy(overrides={"handy": True})
    handy = [
        {ship.card["handy"] for ship in Ship.objects.filter(squadron__fleet=made)} for made in (plain, given)
    ]
    assert handy == [{False}, {True}]


def test_squadrons_composed_by_hand_are_named_with_up_to_80_letters() -> None:
    divisions = [Division("S" * 81, 1, (1, 0))]

    muster(RegisterEntryFactory(name="Lion"), RegisterEntryFactory(name="Tiger"), divisions=divisions)

    squadron = Squadron.objects.get()
    assert (squadron.name, squadron.flagship.name) == ("S" * 80, "Tiger")
    assert list(squadron.ships.order_by("order").values_list("name", "order")) == [("Tiger", 0), ("Lion", 1)]


def test_ships_of_no_register_have_their_figures_and_names_of_up_to_80_letters() -> None:
    navy = NavyFactory()
    like = {"class": "merchant", "guns": 8, "tons": 200, "men": 30, "displacement": 300, "speed": 9}

    known, unknown = (
        made_entries(navy=navy, like=figures, names=["N" * 81], figures={"kohler": {"hull": 3}})[0]
        for figures in (like, {"class": "transport"})
    )

    assert (known.name, known.nation, known.ship_type) == ("N" * 80, navy.nation, "merchant")
    assert (known.guns, known.tons_burthen, known.crew, known.overrides) == (
        8,
        200,
        30,
        {"kohler": {"hull": 3}},
    )
    assert (known.displacement_tons, known.speed_knots) == (300, 9)
    assert (unknown.ship_type, unknown.guns, unknown.crew) == ("transport", None, None)
    assert made_entries(navy=navy, like=like, names=["Hope"])[0].overrides == {}


@pytest.mark.parametrize(
    ("when", "plays"), [("1894-09-17", True), ("1805-10-21", False), ("that autumn", True)]
)
def test_a_ship_of_unknown_age_is_judged_by_the_year_of_her_muster_if_that_is_known(
    when: str, plays: bool
) -> None:
    entry = RegisterEntryFactory.build(
        register=None, nation=NationFactory(), ship_type="battleship", year_built=None
    )
    assert (card_faults(entries=[entry], rule_set="cordery", when=when) == []) is plays
