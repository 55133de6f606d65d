"""What the fleets ask about a book's campaign: whose umpire someone is, what time it is on the chart, the umpire's log."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction

from battles.models import Battle
from campaign.models import Campaign, Membership, Turn, UmpireAction
from campaign.selectors.turn.ongoing import ongoing_battles
from campaign.services.battle.renewals import ongoing_battles_renew, ships_in
from campaign.services.turn.turns import turn_opens_at
from fleets.keeping import Held

if TYPE_CHECKING:
    from fleets.models import Book


_OVER = (Battle.Status.WRITTEN, Battle.Status.VOID)


class CampaignKeeper:
    """Answers for every book that a campaign keeps. Rules: G.IN1, G.UM1."""

    def books(self, user: User) -> Iterable[int]:
        """Keys of the books of the campaigns whose umpire a user is."""
        umpired = Membership.objects.filter(user=user, role=Membership.Role.UMPIRE)
        return umpired.values_list("campaign__book_id", flat=True)

    def chart_time(self, book: Book) -> str:
        """When the open turn begins; within a transaction the turn stays open until that ends.

        Raises ValidationError while a turn is being run: its ships are in the hands of the rules.
        """
        turns = Turn.objects.select_related("campaign")
        if transaction.get_connection().in_atomic_block:
            turns = turns.select_for_update(of=("self",))
        turn = turns.filter(campaign__book_id=book.pk).order_by("-number").first()
        if turn is None:
            return ""
        if turn.phase != Turn.Phase.OPEN:
            raise ValidationError(
                f"turn {turn.number} is not open for orders. You can edit ships only while a turn is open"
            )
        return turn_opens_at(turn)

    def held_by(self, book: Book, ship: str) -> Held | None:
        """The battle that holds a ship between turns, None when none does. Rule: G.BT4."""
        campaign = Campaign.objects.filter(book_id=book.pk).first()
        if campaign is None:
            return None
        for battle in ongoing_battles(campaign).values():
            if battle.status in _OVER or ship not in ships_in(battle):
                continue
            return Held(battle.title, battle.status == Battle.Status.FIGHTING)
        return None

    def note(self, book: Book, user: User, action: str, reason: str, *, ships: Collection[str] = ()) -> None:
        """A line in the umpire's log of the book's campaign; a battle that holds one of the ships is set up again. Rule: G.BT4."""
        campaign = Campaign.objects.filter(book_id=book.pk).first()
        if campaign is not None:
            UmpireAction.objects.create(
                campaign=campaign,
                actor=user.get_username(),
                action=action,
                reason=reason,
                touched=list(ships),
            )
            ongoing_battles_renew(campaign=campaign, ships=ships)
