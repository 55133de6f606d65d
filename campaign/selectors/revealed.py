"""Which secrets of a campaign may be read by its members. Every page asks here, and nothing else decides it. Rule: G.FA1.

A turn's secrets open together, some turns after it has closed: from them follow also the dice that the rules hide from a side, and
by then those are old news. What battles follow from stays sealed longer, as long as one of them may still be fought.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Exists, OuterRef

from battles.models import Battle
from campaign.models import Campaign, Contact, Turn
from campaign.rules.turn.snapshots import settings_from

_OVER = (Battle.Status.WRITTEN, Battle.Status.VOID)


@dataclass(frozen=True, slots=True)
class Revealed:
    """Numbers of the turns whose chart secret is open, and of those whose battle secret and seeds are. after: turns that it takes."""

    chart: frozenset[int]
    battles: frozenset[int]
    after: int


def revealed(campaign: Campaign) -> Revealed:
    """What is open now, in one query. A turn that is not closed keeps everything, in a campaign that is over too. Rule: G.FA1."""
    after, over = settings_from(campaign.settings).secrets_after, campaign.status == Campaign.Status.CLOSED
    # a campaign that is over writes nothing more, so a result that waits for its turn waits for ever
    done = (*_OVER, Battle.Status.FOUGHT) if over else _OVER
    here = Contact.objects.filter(turn=OuterRef("pk"), battle__isnull=False)
    closed = campaign.turns.filter(phase=Turn.Phase.CLOSED).annotate(
        hangs=Exists(here.exclude(battle__status__in=done))
    )
    rows = {row[0]: row[1:] for row in closed.values_list("number", "hangs", "chart_secret", "battle_secret")}
    last = max(rows, default=0)
    due = {number: row for number, row in rows.items() if over or last - number >= after}
    # an archive without secrets leaves those that were sealed behind
    chart = frozenset(number for number, (_, secret, _) in due.items() if secret)
    return Revealed(
        chart, frozenset(number for number in chart if not due[number][0] and due[number][2]), after
    )


def seed_is_open(campaign: Campaign, battle: Battle) -> bool:
    """Whether a battle's seed may be read. That of a battle that was set up again, or whose turn was rolled back, never is. Rule: G.FA1."""
    number = Contact.objects.filter(battle=battle).values_list("turn__number", flat=True).first()
    return number is not None and number in revealed(campaign).battles


def was_revealed(turn: Turn) -> bool:
    """Whether a turn's secrets have been open at any time, before a rollback too: its dice are known. Rule: G.UM3."""
    closed = Turn.every.filter(campaign=turn.campaign_id, phase=Turn.Phase.CLOSED)
    last = closed.order_by("-number").values_list("number", flat=True).first() or 0
    after = settings_from(turn.campaign.settings).secrets_after
    return turn.phase == Turn.Phase.CLOSED and last - turn.number >= after
