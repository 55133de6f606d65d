"""Ships, squadrons and flags of a campaign: mustered, and moved about by their admirals. Every change is in the ledger."""

from __future__ import annotations

from collections.abc import Iterable

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max

from battles.engine.core.fates import Fate
from fleets.models import Ship, Squadron
from fleets.services.muster import navy_muster
from fleets.services.service_records import record_write

__all__ = ["navy_muster", "ship_assign", "squadron_flagship_set", "successor"]


def squadron_flagship_set(*, squadron: Squadron, ship: Ship, when: str) -> Squadron:
    """Shift the flag of a squadron to another of its ships. Nothing happens when it already flies there.

    when: chart time, as text. Raises ValidationError for a ship of another squadron, a prize, or one that is lost.
    """
    if ship.squadron_id != squadron.pk:
        raise ValidationError(f"{ship.name} does not sail with {squadron.name}.")
    _refuse_unfit(ship)
    if squadron.flagship_id == ship.pk:
        return squadron
    with transaction.atomic():
        squadron.flagship = ship
        squadron.save(update_fields=["flagship"])
        _write(ship, "flagship", when, {"squadron": squadron.name})
    return squadron


def ship_assign(*, ship: Ship, squadron: Squadron, when: str, in_company: bool = False) -> Ship:
    """Move a ship to another squadron of its navy, behind the last ship there. A flag that it leaves passes to the next ship.

    when: chart time, as text. in_company: whether the two fleets lie at the same place, which only the chart knows; without it
    the ship stays in its fleet. Nothing happens when it is there already. Raises ValidationError for a lost ship, another
    navy's squadron, or a fleet elsewhere. Rule: G.MV4.
    """
    if ship.squadron_id == squadron.pk:
        return ship
    if ship.fate != Fate.AFLOAT.value:
        raise ValidationError(f"{ship.name} is {ship.fate} and can no longer sail.")
    old = Squadron.objects.filter(ships=ship).first()
    if squadron.fleet.navy_id != ship.navy_id:
        raise ValidationError(f"{squadron.name} belongs to another navy.")
    if (old is None or old.fleet_id != squadron.fleet_id) and not in_company:
        raise ValidationError(f"{squadron.fleet.name} is not in company with {ship.name}.")
    with transaction.atomic():
        last = squadron.ships.aggregate(last=Max("order"))["last"]
        ship.squadron = squadron
        ship.order = 0 if last is None else last + 1
        ship.save(update_fields=["squadron", "order"])
        _write(ship, "assigned", when, {"squadron": squadron.name, "fleet": squadron.fleet.name})
        for body in (old, squadron):
            if body is not None:
                _hoist(body, when)
    return ship


def successor(ships: Iterable[Ship]) -> Ship | None:
    """Who takes over a flag: the ship with most guns, then the first in the order of sailing; prizes are passed over."""
    fit = [ship for ship in ships if not ship.prize and ship.fate == Fate.AFLOAT.value]
    return min(fit, key=lambda ship: (-(ship.facts.get("guns") or 0), ship.order, ship.code), default=None)


def _hoist(squadron: Squadron, when: str) -> None:
    """Give a squadron a flagship of its own ships when it has none."""
    ships = list(squadron.ships.select_related("navy"))
    if any(ship.pk == squadron.flagship_id for ship in ships):
        return
    squadron.flagship = successor(ships)
    squadron.save(update_fields=["flagship"])
    if squadron.flagship is not None:
        _write(squadron.flagship, "flagship", when, {"squadron": squadron.name})


def _refuse_unfit(ship: Ship) -> None:
    if ship.fate != Fate.AFLOAT.value:
        raise ValidationError(f"{ship.name} is {ship.fate} and can no longer sail.")
    if ship.prize:
        raise ValidationError(f"{ship.name} is a prize and cannot fly a flag.")


def _write(ship: Ship, kind: str, when: str, data: dict[str, str]) -> None:
    number = ship.service_records.filter(kind=kind).count() + 1
    record_write(ship=ship, when=when, kind=kind, data=data, event=f"{kind}/{number}")
