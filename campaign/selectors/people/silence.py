"""Who has been silent, and for how many turns running. For the umpire alone. Rules: G.MV2, G.UM1.

A turn counts when it is closed, they commanded something, gave no order (standing orders are none), and their side was not marked
ready. One on whose days he was away is passed over, and so is one that a rollback has taken back.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from campaign.models import Campaign, Membership, Order, Ready, SideOrder, Station, Turn
from campaign.selectors.people.absences import spans_of

LOOKED_AT = 40  # turns: no one is silent for longer and still waited for
GIVEN = ("web", "mail", "cli")


@dataclass(frozen=True, slots=True)
class Silence:
    """An admiral's silence: turns that count, oldest first."""

    member: Membership
    turns: tuple[Turn, ...]

    @property
    def count(self) -> int:
        """For how many turns."""
        return len(self.turns)


def silences(campaign: Campaign) -> list[Silence]:
    """Everyone who has been silent in the last closed turn that counted for them, the longest first. A fixed number of queries."""
    closed = campaign.turns.filter(phase=Turn.Phase.CLOSED).order_by("-number")
    turns = list(closed.only("number", "run", "opened", "locked", "deadline", "campaign")[:LOOKED_AT])
    people = list(_commanding(campaign)) if turns else []
    if not people:
        return []
    keys = [turn.pk for turn in turns]
    spoke: set[tuple[int, int | None]] = set()
    for model in (Order, SideOrder):
        spoke |= set(model.objects.filter(turn__in=keys, source__in=GIVEN).values_list("turn", "user"))
    ready = set(Ready.objects.filter(turn__in=keys).values_list("turn", "side"))
    spans = spans_of([member.pk for member in people])
    found = []
    for member in people:
        silent: list[Turn] = []
        for turn in turns:
            if member.joined is not None and turn.opened < member.joined:
                break
            if (turn.pk, member.user_id) in spoke or (turn.pk, member.side_id) in ready:
                break
            if not any(_touches(span, turn) for span in spans.get(member.pk, ())):
                silent.append(turn)
        if silent:
            found.append(Silence(member, tuple(reversed(silent))))
    return sorted(found, key=lambda row: (-row.count, str(row.member.user)))


def silent_now(campaign: Campaign) -> list[Silence]:
    """Those who have been silent for as many turns as the campaign's rule says, or more; no one where it is 0."""
    least = campaign.silent_turns
    return [row for row in silences(campaign) if row.count >= least] if least else []


def _commanding(campaign: Campaign) -> list[Membership]:
    """Admirals who have a fleet to command: their own, or their side's as commander-in-chief."""
    members = campaign.memberships.filter(role=Membership.Role.ADMIRAL, side__automatic=False)
    afloat = Station.objects.filter(fleet__navy__book=campaign.book_id, fleet__ended=False)
    rows = list(afloat.values_list("fleet__navy", "fleet__command__membership"))
    navies, own = {row[0] for row in rows}, {row[1] for row in rows}
    return [
        member
        for member in members.select_related("user", "side__navy")
        if member.side is not None and (member.pk in own or (member.chief and member.side.navy_id in navies))
    ]


def _touches(span: tuple[object, object], turn: Turn) -> bool:
    """Whether someone was away on a day on which a turn took orders."""
    first, last = span
    end: datetime = turn.locked or turn.deadline or timezone.now()
    return first <= end.date() and turn.opened.date() <= last  # type: ignore[operator]
