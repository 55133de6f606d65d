"""Opening positions: every ship of the register in one fleet, every fleet in a place of the chart, under orders it can sail."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from campaign.services.openings import DATA, opening_of, planned_fleets
from fleets.models import RegisterEntry

OPENINGS = sorted(path.stem for path in (DATA / "openings").glob("*.json"))


def entries(opening: dict[str, Any], register_side: str) -> list[RegisterEntry]:
    rows = RegisterEntry.objects.filter(register__code=opening["register"], side=register_side)
    return list(rows.order_by("line"))


def fleets(theatre: str) -> Iterator[Any]:
    """All fleets of an opening as they would be mustered, side by side."""
    opening = opening_of(theatre)
    for side, plan in opening["sides"].items():
        rows = entries(opening, plan["register_side"])
        found = planned_fleets(
            theatre=theatre,
            side=side,
            register=opening["register"],
            register_side=plan["register_side"],
            entries=rows,
        )
        assert found is not None
        yield rows, found


@pytest.fixture
def registers(db: Any) -> None:
    call_command("load_registers", verbosity=0, stdout=StringIO())


def test_the_narrow_seas_the_channel_and_the_atlantic_have_openings() -> None:
    assert OPENINGS == ["atlantic_1805", "channel_1588", "narrow_seas_1666"]


@pytest.mark.clause("G.CH3")
@pytest.mark.parametrize("theatre", OPENINGS)
def test_every_ship_of_the_register_is_in_one_fleet(registers: None, theatre: str) -> None:
    for rows, found in fleets(theatre):
        mustered = Counter(entry.name for fleet in found for entry in fleet.entries)
        assert mustered == Counter(entry.name for entry in rows)


@pytest.mark.parametrize("theatre", OPENINGS)
def test_fleets_lie_in_places_of_their_theatre_and_their_codes_are_their_own(theatre: str) -> None:
    opening = opening_of(theatre)
    document = json.loads((DATA / "theatres" / f"{theatre}.json").read_text())
    places = {node["id"] for node in document["nodes"]}
    planned = [fleet for plan in opening["sides"].values() for fleet in plan["fleets"]]
    assert {fleet["place"] for fleet in planned} <= places
    codes = [fleet["code"] for fleet in planned]
    assert len(set(codes)) == len(codes)
    assert set(opening["sides"]) <= {row["name"] for row in document["sides"]}


def test_an_opening_names_its_squadrons_and_says_who_was_aboard_that_day(registers: None) -> None:
    toulon = {fleet.code: fleet for _, found in fleets("atlantic_1805") for fleet in found}
    gravina = toulon["GRA"].entries[0]
    assert (gravina.name, gravina.squadron, gravina.role) == ("Argonauta", "Cadiz Squadron", "flagship")
    assert gravina.commander.startswith("Adm Federico Gravina")
    assert toulon["VIL"].entries[0].name == "Bucentaure"
    stored = RegisterEntry.objects.get(register__code="1805_trafalgar", name="Argonauta")
    assert stored.role == "private"
    assert stored.squadron == "Squadron of Observation (Gravina)"


def test_other_ships_than_the_openings_have_no_opening(registers: None) -> None:
    given = {"side": "England", "register_side": "English", "entries": []}
    assert planned_fleets(theatre="channel_1588", register="1666_four_days_battle", **given) is None
    assert planned_fleets(theatre="caribbean", register="1588_armada", **given) is None
