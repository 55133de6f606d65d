"""An edit of a ship that a battle holds: the battle is void, and set up again with her as she is now. Rule: G.BT4."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from copy import deepcopy
from typing import Any

from django.db import transaction

from battles.models import Battle
from battles.services.fighting import battle_spawn
from campaign.models import Campaign, Contact
from campaign.models.campaigns import new_secret
from campaign.selectors.turn.ongoing import ongoing_battles
from campaign.services.mail.battle_notices import battle_awaits_again

_CHANGED = ("name", "captain", "complement", "men", "condition")


def ongoing_battles_renew(*, campaign: Campaign, ships: Collection[str]) -> list[Battle]:
    """Void every open battle that holds one of these ships, and set it up again under a code of its own. Rule: G.BT4.

    What was entered or proposed for the old roster goes with it. Its seed is its own: the turn's battle secret may have been open when
    a rollback took this battle up again (G.FA1). Returns the new battles.
    """
    renewed = []
    with transaction.atomic():
        for battle in ongoing_battles(campaign).values():
            there = ships_in(battle) & set(ships)
            if there and battle.status in (Battle.Status.READY, Battle.Status.FOUGHT, Battle.Status.FAILED):
                renewed.append(_renew(campaign, battle))
    return renewed


def ships_in(battle: Battle) -> set[str]:
    """Codes of the ships that a battle's roster has."""
    return {row["id"] for row in _rows(battle.roster.scenario)}


def _rows(scenario: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for side in scenario["sides"]:
        for squadron in side["squadrons"]:
            yield from squadron["ships"]


def _renew(campaign: Campaign, old: Battle) -> Battle:
    scenario = deepcopy(old.roster.scenario)
    codes = [row["id"] for row in _rows(scenario)]
    now = {
        row["code"]: row
        for row in campaign.book.ships.filter(code__in=codes).values("code", "facts", *_CHANGED)
    }
    for row in _rows(scenario):
        row |= {name: now[row["id"]][name] for name in (*_CHANGED, "facts")}
    contact = Contact.objects.get(battle=old)
    stem, _, number = old.code.partition("v")
    code = f"{stem}v{int(number or 1) + 1}"
    # a worker that is fighting it loses its hold of it, and writes nothing
    Battle.objects.filter(pk=old.pk).update(status=Battle.Status.VOID, claim=None, lease_until=None)
    new = battle_spawn(
        book=campaign.book, code=code, reference=old.reference, when=old.when, place=old.place, scenario=scenario,
        secret=new_secret(), navies=old.roster.navies, route=old.route,
    )  # fmt: skip
    Contact.objects.filter(pk=contact.pk).update(battle=new)
    battle_awaits_again(campaign=campaign, battle=new)
    return new
