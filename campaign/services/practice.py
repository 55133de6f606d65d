"""A practice campaign: started with one button, run only by its umpire, and thrown away with all its rows. Never a real campaign."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from django.apps import apps
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Model, QuerySet

from battles.engine.core.errors import Fault
from campaign.models import Campaign, Theatre
from campaign.services.archive.tables import LEFT_OUT, TABLES
from campaign.services.orders.openings import opening_of
from campaign.services.roles import umpire_dismiss
from campaign.services.setup.faults import free_campaign_code
from campaign.services.setup.refusals import SetupRefused
from campaign.services.setup.setup import TURN_DAYS, campaign_start
from campaign.services.setup.sides import SideStart
from fleets.selectors.registers import register_list

if TYPE_CHECKING:
    from fleets.models import Register

FIRST = "narrow_seas_1666"  # the smallest chart with the best known war; any other that is loaded will do
# What hangs on a campaign and is in no archive, by the lookup to its key.
BESIDE = {
    "campaign.TurnDocument": "turn__campaign",
    "campaign.TurnSummary": "turn__campaign",
    "campaign.OddsChunk": "run__membership__campaign",
    "campaign.OddsRun": "membership__campaign",
    "campaign.ResultDraft": "membership__campaign",
    "campaign.PublicPage": "campaign",
    "campaign.Notice": "campaign",
    "campaign.ChartPicture": "campaign",
    "campaign.ReceivedMail": "turn__campaign",
    "campaign.SetAsideMail": "membership__campaign",
    "campaign.Invitation": "campaign",
    "campaign.OrderDraft": "turn__campaign",
}


class NotForPractice(ValueError):
    """A campaign that is played in earnest, and is never deleted."""


def practice_of(user: User) -> Campaign | None:
    """The practice campaign of a person, None when they have none."""
    return Campaign.objects.filter(practice=True, memberships__user=user, memberships__role="umpire").first()


def practice_start(*, user: User) -> Campaign:
    """Start a practice campaign, or find the one that this person has. Both sides are led by automatic admirals.

    No deadline runs its turns: the sweep leaves it alone. Raises SetupRefused when no theatre with an opening and its register is loaded.
    """
    found = practice_of(user)
    if found is not None:
        return found
    theatre, plan, register = _chosen()
    sides = [
        SideStart(side, register, row["register_side"], automatic=True) for side, row in plan["sides"].items()
    ]
    with transaction.atomic():
        campaign = campaign_start(
            name=f"Practice: {plan.get('title', theatre.title)}"[:120],
            code=_free_code(user),
            theatre=theatre,
            rule_set=plan["rule_set"],
            turn_days=plan.get("turn_days", TURN_DAYS),
            umpire=user,
            sides=sides,
        )
        campaign.practice = True
        campaign.save(update_fields=["practice"])
        campaign.turns.update(deadline=None)
    return campaign


def _chosen() -> tuple[Theatre, dict[str, Any], Register]:
    registers = {register.code: register for register in register_list()}
    theatres = sorted(Theatre.objects.offered(), key=lambda theatre: (theatre.code != FIRST, theatre.code))
    for theatre in theatres:
        plan = opening_of(theatre.code)
        if plan.get("register") in registers:
            return theatre, plan, registers[plan["register"]]
    raise SetupRefused(
        [
            Fault(
                "theatre",
                "No theatre with its ships is loaded. The site administrator can load them with “make setup”.",
            )
        ]
    )


def _free_code(user: User) -> str:
    stem = re.sub(r"[^a-z0-9]+", "-", f"practice-{user.get_username().lower()}").strip("-")[:16].strip("-")
    return free_campaign_code(stem)


def practice_delete(*, campaign: Campaign, user: User) -> int:
    """Delete a practice campaign with every row that hangs on it. Returns how many rows. Raises NotForPractice for any other.

    A worker that has one of its turns, battles or emails in hand loses its hold of it and writes nothing.
    """
    with transaction.atomic():
        row = Campaign.objects.select_for_update(of=("self",)).filter(pk=campaign.pk, practice=True).first()
        if row is None:
            raise NotForPractice(f"{campaign.name} is not a practice campaign, so it cannot be deleted.")
        members = list(User.objects.filter(memberships__campaign=row).distinct())
        deleted = sum(_gone(rows) for rows in _rows_of(row.pk))
    for member in members:
        umpire_dismiss(user=member)
    return deleted


def _rows_of(campaign: int) -> list[QuerySet[Model]]:
    """Every row of a campaign, those first on which nothing else hangs. Void rows and former members too."""
    assert BESIDE.keys() <= LEFT_OUT
    beside = [
        apps.get_model(label)._base_manager.filter(**{path: campaign}).order_by()
        for label, path in BESIDE.items()
    ]
    keys = [
        (table.model, list(table.rows(campaign).order_by().values_list("pk", flat=True)))
        for table in reversed(TABLES)
    ]
    return [
        *beside,
        *(
            model._base_manager.filter(pk__in=pks[n : n + 500])
            for model, pks in keys
            for n in range(0, len(pks), 500)
        ),
    ]


def _gone(rows: QuerySet[Model]) -> int:
    """Delete rows as they are: entries of ledgers, which no one may delete otherwise, go with their campaign."""
    return rows._raw_delete(rows.db)  # type: ignore[attr-defined,no-any-return]
