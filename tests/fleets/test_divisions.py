"""How ships fall into squadrons and divisions, and in which order they sail."""

from __future__ import annotations

import csv

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fleets.divisions import LEAST, MOST, Mustered, codes, divided, sizes_of
from fleets.services.registers import DATA

_SQUADRONS = ["Red (Monck)", "White, Van", "Main fleet (Monck)", "Second Squadron (Evertsen)", "Reserve"]
_ROLES = ["private"] * 6 + ["flagship", "vice_flag", "rear_flag"]


@st.composite
def _musters(draw: st.DrawFn) -> list[Mustered]:
    count = draw(st.integers(1, 90))
    squadrons = draw(st.lists(st.sampled_from(_SQUADRONS), min_size=1, max_size=3, unique=True))
    return [
        Mustered(
            key=key,
            squadron=draw(st.sampled_from(squadrons)),
            division=draw(st.sampled_from(["", "Zeeland", "Maze"])),
            role=draw(st.sampled_from(_ROLES)),
            guns=draw(st.integers(0, 100)),
        )
        for key in range(count)
    ]


@settings(max_examples=30)
@given(_musters())
def test_every_ship_sails_in_exactly_one_division(ships: list[Mustered]) -> None:
    sailing = [key for division in divided(ships) for key in division.ships]

    assert sorted(sailing) == [ship.key for ship in ships]


@settings(max_examples=30)
@given(_musters())
def test_every_division_has_its_flagship_at_the_head(ships: list[Mustered]) -> None:
    assert all(division.ships[0] == division.flagship for division in divided(ships))


@settings(max_examples=30)
@given(_musters())
def test_a_flag_officer_leads_before_a_private_ship(ships: list[Mustered]) -> None:
    roles = {ship.key: (ship.squadron, ship.role) for ship in ships}
    led: dict[str, list[str]] = {}
    for division in divided(ships):
        squadron, role = roles[division.flagship]
        led.setdefault(squadron, []).append(role)
    for squadron, leaders in led.items():
        flags = sum(s == squadron and role != "private" for s, role in roles.values())
        assert sum(role != "private" for role in leaders) == min(flags, len(leaders))


@given(st.integers(1, 400), st.integers(0, 12))
def test_divisions_of_a_large_squadron_have_six_to_ten_ships(ships: int, flags: int) -> None:
    sizes = sizes_of(ships, flags=flags)

    assert sum(sizes) == ships
    if ships <= MOST:
        assert sizes == (ships,)
    elif ships == 11:
        assert sizes == (6, 5)
    else:
        assert all(LEAST <= size <= MOST for size in sizes)


@pytest.mark.parametrize(
    ("ships", "flags", "sizes"),
    [(53, 0, (9, 9, 9, 9, 9, 8)), (27, 5, (7, 7, 7, 6)), (33, 4, (9, 8, 8, 8)), (12, 3, (6, 6))],
)
def test_there_are_as_many_divisions_as_flags_where_the_sizes_allow_it(
    ships: int, flags: int, sizes: tuple[int, ...]
) -> None:
    assert sizes_of(ships, flags=flags) == sizes


def _of_1666(side: str) -> tuple[list[dict[str, str]], list[Mustered]]:
    with (DATA / "registers" / "1666_four_days_battle.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["side"] == side]
    return rows, [
        Mustered(n, row["squadron"], row["division"], row["role"], int(row["guns"] or 0))
        for n, row in enumerate(rows)
    ]


def test_the_english_of_1666_sail_white_red_and_blue_with_the_main_fleet_behind_its_admiral() -> None:
    _, ships = _of_1666("English")

    order = list(dict.fromkeys(division.name.split(",")[0] for division in divided(ships)))

    assert order == [
        "White (Ayscue)",
        "Red (Albemarle)",
        "Main fleet (Albemarle)",
        "Blue (Teddeman)",
        "Detached squadron (Rupert)",
    ]


def test_the_dutch_of_1666_sail_with_de_ruyter_in_the_centre_under_their_own_flags() -> None:
    rows, ships = _of_1666("Dutch")
    made = divided(ships)

    assert [division.name.split(" (")[0] for division in made[::4]] == [
        "Second Squadron",
        "First Squadron",
        "Third Squadron",
    ]
    assert [rows[division.flagship]["name"] for division in made[4:8]] == [
        "Eendracht",
        "Spiegel",
        "Zeven Provincien",
        "Ridderschap van Holland",
    ]
    assert all(rows[division.flagship]["role"] != "private" for division in made)


def test_ships_sail_under_the_flag_of_their_own_admiralty_while_there_is_room() -> None:
    ships = [
        Mustered(0, "Third", "Amsterdam", "flagship", 80),
        Mustered(1, "Third", "Zeeland", "rear_flag", 70),
        *(Mustered(n, "Third", "Zeeland" if n % 2 else "Amsterdam", guns=50) for n in range(2, 12)),
    ]

    first, second = divided(ships)

    assert set(first.ships) == {0, 2, 4, 6, 8, 10}
    assert set(second.ships) == {1, 3, 5, 7, 9, 11}


def test_codes_of_squadrons_carry_their_fleets_code() -> None:
    assert codes("ALB", 2) == ["ALB-S1", "ALB-S2"]
