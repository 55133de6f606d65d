"""Battles that hold their fleets, and those for which a turn waits. Rules: G.BT4, G.BT5."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import Q

from battles.models import Battle, BattleOutcome
from campaign.models import Campaign, Contact, Turn
from campaign.rules.battle.ongoing import ongoing_code
from campaign.rules.turn.snapshots import settings_from

Status = Battle.Status
TO_BE_FOUGHT = (Status.READY, Status.FIGHTING)


def call_code(battle: Battle) -> str:
    """A battle's code in its turn, from its code in the book; that of a battle set up again after an edit is the first one's."""
    return battle.code.rsplit("-", 1)[1].partition("v")[0]


def ongoing_codes(campaign: Campaign) -> list[str]:
    """Codes of the battles that held fleets as the last turn ended."""
    return sorted(campaign.carried.get("held", {}))


def ongoing_battles(campaign: Campaign, codes: Iterable[str] | None = None) -> dict[str, Battle]:
    """The battles that hold fleets, by the code that the chart has for them; no query when there is none. Rule: G.BT4."""
    wanted = ongoing_codes(campaign) if codes is None else sorted(codes)
    if not wanted:
        return {}
    which = Q(pk=None)
    for code in wanted:
        number, _, call = code.removeprefix("T").partition("-")
        which |= Q(turn__number=int(number), code=call)
    rows = Contact.objects.filter(which, turn__campaign=campaign).select_related(
        "battle__roster", "battle__outcome", "battle__book", "turn"
    )
    rows = rows.defer("battle__roster__scenario", "battle__outcome__document")
    return {ongoing_code(row.turn.number, row.code): row.battle for row in rows if row.battle is not None}


def accepted_outcomes(campaign: Campaign) -> dict[str, dict[str, Any]]:
    """Outcomes that have been accepted of battles that still hold their fleets: inputs of the next turn. Rule: G.BT5."""
    battles = ongoing_battles(campaign)
    fought = {battle.pk: code for code, battle in battles.items() if battle.status == Status.FOUGHT}
    if not fought:
        return {}
    documents = dict(BattleOutcome.objects.filter(battle__in=fought).values_list("battle", "document"))
    return {code: documents[key] for key, code in fought.items()}


def campaign_waits(campaign: Campaign) -> bool:
    """Whether no turn opens until battles by orders and on the table are written. Rule: G.BT4."""
    return settings_from(campaign.settings).campaign_waits == "yes"


def unfought(turn: Turn) -> list[Battle]:
    """Battles of a turn's last stop that are still to be fought and hold no one yet."""
    battles = Battle.objects.filter(contacts__turn=turn, status__in=TO_BE_FOUGHT).order_by("code")
    return [battle for battle in battles if call_code(battle) not in turn.ongoing]


def waits_for(turn: Turn) -> list[Battle]:
    """Battles without whose outcome a turn does not go on; none when one has failed, for then the turn fails with it.

    Rules: G.BT4, G.CL2, G.UM2.
    """
    waits = campaign_waits(turn.campaign)
    waiting = [battle for battle in unfought(turn) if waits or battle.route == Battle.Route.ENGINE]
    failed = waiting and Battle.objects.filter(contacts__turn=turn, status=Status.FAILED).exists()
    return [] if failed else waiting
