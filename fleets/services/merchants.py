"""Merchants of a convoy: ships that no register lists, made from a size and a list of names. Rules: G.CV1, G.CR1, G.SV1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from simple_history.utils import bulk_create_with_history

from battles.engine.core.crews import complement
from battles.engine.core.scenario import ShipFacts
from fleets.facts import facts_document
from fleets.models import Fleet, Navy, Ship, ShipType, Squadron
from fleets.pins import rule_set_of_book
from fleets.services.muster import mustered_records, next_number, ship_code
from fleets.services.service_records import records_write_bulk


def merchants_muster(
    *,
    navy: Navy,
    fleet_code: str,
    fleet_name: str,
    names: Sequence[str],
    guns: int,
    tons: int,
    year: int,
    when: str = "",
    overrides: Mapping[str, Any] | None = None,
) -> Fleet:
    """Make a fleet of merchants of one size. year: in which they serve. when: chart time, as text. overrides: figures of their cards.

    Raises ValidationError for a code that is taken, no names, or a size of which the rule set makes no card; UnknownRuleSet.
    """
    rules = rule_set_of_book(navy.book)
    if not names:
        raise ValidationError("A convoy needs at least one ship.")
    if Fleet.objects.filter(navy__book_id=navy.book_id, code=fleet_code).exists():
        raise ValidationError(f"This campaign already has a fleet {fleet_code}.")
    flag = navy.nation.name
    first = next_number(navy)
    ships = []
    for number, name in enumerate(names, start=first):
        facts = ShipFacts(
            nation=flag, built_by=flag, ship_type=ShipType.MERCHANT.value, guns=guns, tons_burthen=tons, name=name,
            year_served=year, overrides=overrides or {},
        )  # fmt: skip
        try:
            card = rules.card(facts)
        except ValueError as error:
            raise ValidationError(f"{name}: {error}") from error
        men, estimated = complement(facts, year=year)
        ships.append(
            Ship(
                book_id=navy.book_id, navy=navy, built_for=navy, code=ship_code(navy, number), name=name[:80],
                ship_type=ShipType.MERCHANT.value, facts=facts_document(facts), card=card,
                condition=rules.at_sea.sound(card), complement=men, complement_estimated=estimated, men=men,
                order=number - first,
            )
        )  # fmt: skip
    with transaction.atomic():
        fleet = Fleet.objects.create(navy=navy, code=fleet_code, name=fleet_name[:80])
        squadron = Squadron.objects.create(fleet=fleet, code=f"{fleet_code}-1", name=fleet_name[:80], order=1)
        for ship in ships:
            ship.squadron = squadron
        made = bulk_create_with_history(ships, Ship, batch_size=500)
        squadron.flagship = made[0]
        squadron.save(update_fields=["flagship"])
        records_write_bulk(mustered_records(navy, made, when))
    return fleet
