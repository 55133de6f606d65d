"""What everyone may know: the events that gazettes print, of turns that are old enough to be published. Rules: G.IN1, G.EN1.

Observers and strangers read no side's reports. They read what has become of ships and ports, as late as the umpire has set, and never
where a fleet is, what was sighted, what was ordered or what a side is secretly after. When the campaign is over, nothing is left out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from battles.selectors import FOUGHT
from campaign.calendar import chart_time, spoken
from campaign.models import Campaign, Contact, Objective, PublicPage, Turn
from campaign.selectors.revealed import revealed

Event = list[Any]
PUBLIC = frozenset({
    "battle", "battle_ended", "captured", "retaken", "lost", "officer", "gale", "convoy_delivered", "port_taken", "raided", "raid_suffered",
    "shipping_taken", "shipping_lost", "prize_sold", "hostility", "peace",
})  # fmt: skip
OBJECTIVES = frozenset({"objective_achieved", "objective_paid"})


def terms_of(campaign: Campaign) -> PublicPage:
    """How much of a campaign everyone may know, as its umpire has set it, or the usual."""
    return PublicPage.objects.filter(campaign=campaign).first() or PublicPage(campaign=campaign)


def last_told(campaign: Campaign, terms: PublicPage) -> int:
    """The number of the newest turn that is published, 0 for none: the delay ago, the last one when the campaign is over."""
    closed = (
        campaign.turns.filter(phase=Turn.Phase.CLOSED).order_by("-number").values_list("number", flat=True)
    )
    last = closed.first() or 0
    return last if campaign.status == Campaign.Status.CLOSED else max(0, last - terms.delay)


def public_objectives(campaign: Campaign) -> frozenset[str]:
    """Codes of the objectives that everyone may read."""
    rows = Objective.objects.filter(campaign=campaign).exclude(document__public=False)
    return frozenset(rows.values_list("code", flat=True))


def told_events(events: Iterable[Event], objectives: Collection[str]) -> list[Event]:
    """Those among events that everyone may know. objectives: codes of those that everyone may read."""
    return [
        event
        for event in events
        if event[1] in PUBLIC or (event[1] in OBJECTIVES and event[4].get("objective") in objectives)
    ]


@dataclass(frozen=True, slots=True)
class PublicBattle:
    """A battle that everyone may read. when: in words."""

    code: str
    title: str
    when: str
    turn: int


def open_battles(campaign: Campaign) -> list[PublicBattle]:
    """Battles whose seeds are open and which have a log to read, newest first. Rule: G.FA1."""
    rows = Contact.objects.filter(
        turn__campaign=campaign,
        turn__number__in=revealed(campaign).battles,
        battle__status__in=FOUGHT,
        battle__outcome__isnull=False,
        battle__log__isnull=False,
    )
    found = rows.order_by("-turn__number", "-hour", "code").values_list(
        "battle__code", "battle__title", "hour", "turn__number"
    )
    return [
        PublicBattle(code, title, spoken(chart_time(campaign.start_date, hour)), number)
        for code, title, hour, number in found
    ]
