"""Guns of 1588 that an opening estimates: by class and tons, marked wherever they are shown, and not in the register."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction

from battles.engine.core.scenario import GUNS_ESTIMATED
from battles.engine.registry import rule_set
from campaign.services.orders.openings import DATA, FleetStart, opening_of, planned_fleets
from fleets.facts import facts_of
from fleets.models import RegisterEntry, Ship
from fleets.selectors.ships import fact_rows
from tests.support.answers import flawless
from tests.support.factories import UserFactory
from tests.support.registers import shipped_registers

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

TONS_A_GUN = {"galleon": 15, "merchant": 18, "pinnace": 10, "transport": 40}
OPENING = "channel_1588"


@pytest.fixture(scope="module")
def registers(django_db_setup: Any, django_db_blocker: Any) -> Iterator[None]:
    """The shipped registers, loaded once for this module and taken back after it."""
    with django_db_blocker.unblock(), transaction.atomic():
        shipped_registers()
        yield
        transaction.set_rollback(True)


def english() -> list[RegisterEntry]:
    rows = RegisterEntry.objects.filter(register__code="1588_armada", side="English")
    return list(rows.select_related("nation", "register").order_by("line"))


def mustered() -> list[RegisterEntry]:
    found: list[FleetStart] | None = planned_fleets(
        opening=OPENING, side="England", register="1588_armada", register_side="English", entries=english()
    )
    assert found is not None
    return [entry for fleet in found for entry in fleet.entries]


def without_handicap() -> list[RegisterEntry]:
    """The same with all the guns that the opening estimates, of which Thomas's handicap leaves three quarters."""
    found = mustered()
    for entry in found:
        entry.overrides = {}
    return found


def test_every_english_ship_without_guns_but_the_galley_has_them_by_class_and_tons(registers: None) -> None:
    known = {entry.name for entry in english() if entry.guns is not None}
    estimated = [entry for entry in mustered() if entry.name not in known]
    assert (len(known), len(estimated)) == (12, 73)
    for entry in estimated:
        if entry.ship_type == "galley":
            assert entry.guns is None
            continue
        each = TONS_A_GUN[entry.ship_type]
        assert entry.guns == max(2, (2 * entry.tons_burthen + each) // (2 * each)), entry.name
    guns = {entry.name: entry.guns for entry in estimated}
    named = ("Victory", "Galleon Leicester", "Hercules", "Primrose", "Disdain")
    assert [guns[name] for name in named] == [53, 22, 17, 11, 8]


def test_the_register_stays_as_it_is(registers: None) -> None:
    mustered()
    stored = RegisterEntry.objects.get(register__code="1588_armada", name="Hercules")
    assert stored.guns is None
    assert GUNS_ESTIMATED not in (stored.extra or {}).get("tags", ())


@pytest.mark.clause("T.S26", "T.S29")
def test_england_has_the_batteries_that_were_reckoned_for_the_opening(registers: None) -> None:
    thomas = rule_set("thomas")

    def halves(entries: list[RegisterEntry]) -> Counter[str]:
        found: Counter[str] = Counter()
        for entry in entries:
            for gun, _, half in thomas.card(facts_of(entry, rule_set="thomas"))["batteries"]:
                found[gun] += 1 if half else 2
        return found

    assert halves(english()) == {"long": 327, "medium": 126, "short": 168}
    assert halves(without_handicap()) == {"long": 353, "medium": 196, "short": 238}


@pytest.mark.parametrize("name", ["thomas", "kohler"])
def test_an_estimate_is_marked_on_the_card_and_among_the_facts_and_a_known_figure_is_not(
    registers: None, name: str
) -> None:
    by_name = {entry.name: entry for entry in without_handicap()}
    for ship, marked in (("Hercules", True), ("Revenge", False)):
        facts = facts_of(by_name[ship], rule_set=name)
        assert ("guns" in rule_set(name).card(facts)["estimated"]) is marked
        guns = next(row.value for row in fact_rows(facts) if row.label == "Guns")
        assert guns == ("17 (est.)" if marked else "46")
        assert Ship(facts={"tags": list(facts.tags)}).guns_estimated is marked


def test_pages_of_fleet_and_orders_mark_an_estimate(registers: None, client: Any) -> None:
    from campaign.services.setup.demo import demo_start
    from campaign.services.setup.setup import theatre_load
    from fleets.models import Register

    document = json.loads((DATA / "theatres" / f"{OPENING}.json").read_text())
    umpire = UserFactory(username="umpire of the estimates")
    campaign = flawless(demo_start,
        theatre=theatre_load(document=document), register=Register.objects.get(code=opening_of(OPENING)["register"]),
        umpire=umpire, seed="guns", rule_set="thomas",
    )  # fmt: skip
    client.force_login(umpire)
    shown = " ".join(client.get(f"/c/{campaign.code}/fleets/HOW/").content.decode().split())
    assert "17 guns (estimated)" in shown
    assert "46 guns" in shown and "46 guns (" not in shown
