"""Who may use the admin, and for what: three groups, made by a migration. An admiral is in none of them.

Register editors keep the registers and see no campaign. Umpires see and correct what belongs to the campaigns that they umpire,
and nothing of any other, not even of one in which they sail themselves. Site administrators see everything and give out the
roles. A fourth group, campaign starters, may start campaigns where not everyone may, and opens nothing in the admin by itself.
Rules: G.IN1, G.UM1.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib.auth.models import Group, Permission, User

from campaign.models import Membership
from campaign.selectors.people.access import may_start_campaigns

REGISTER_EDITORS = "Register editors"
UMPIRES = "Umpires"
SITE_ADMINISTRATORS = "Site administrators"
CAMPAIGN_STARTERS = "Campaign starters"

_LOOK = ("view",)
_EDIT = ("view", "add", "change", "delete")
_FLEETS_SEEN = (
    "book", "navy", "fleet", "squadron", "officer", "servicerecord", "officerrecord", "prize", "prizefund", "prisonersheld",
    "menashore", "repairjob", "register", "registerentry",
)  # fmt: skip
_CAMPAIGN_SEEN = (
    "side", "membership", "command", "station", "order", "sideorder", "ready", "weatherwatch", "sighting", "contact", "report",
    "notice", "receivedmail", "umpireaction", "objective",
    "calendarrow",
)  # fmt: skip
_BATTLES_SEEN = ("battle", "roster", "battleoutcome", "battlelog")


def _codes(app: str, models: Iterable[str], acts: Iterable[str]) -> set[tuple[str, str]]:
    return {(app, f"{act}_{model}") for model in models for act in acts}


def permissions_of(role: str) -> set[tuple[str, str]]:
    """Permissions of a role as (app, codename). Site administrators have those of the three rooms besides, whichever there are."""
    if role == REGISTER_EDITORS:
        return (
            _codes("fleets", ("register", "registerentry"), _EDIT)
            | _codes("fleets", ("nation",), ("view", "add", "change"))
            | _codes("fleets", ("importbatch",), _LOOK)
        )
    if role == CAMPAIGN_STARTERS:
        return _codes("campaign", ("campaign",), ("add",))
    if role == UMPIRES:
        return (
            _codes("fleets", _FLEETS_SEEN, _LOOK)
            | _codes("fleets", ("ship",), ("view", "change"))
            | _codes("campaign", ("campaign", "turn"), ("view", "change"))
            | _codes("campaign", _CAMPAIGN_SEEN, _LOOK)
            | _codes("battles", _BATTLES_SEEN, _LOOK)
        )
    return _codes("auth", ("user",), ("view", "add", "change")) | _codes("auth", ("group",), _LOOK)


def roles_make(group: Any = Group, permission: Any = Permission) -> None:
    """Make the groups, or give them their permissions again. group, permission: the models, as a migration has them."""
    there = {
        (row.content_type.app_label, row.codename): row
        for row in permission.objects.select_related("content_type")
    }
    rooms = {key for key in there if key[0] in ("fleets", "battles", "campaign")}
    for role in (REGISTER_EDITORS, UMPIRES, SITE_ADMINISTRATORS, CAMPAIGN_STARTERS):
        wanted = permissions_of(role) | (rooms if role == SITE_ADMINISTRATORS else set())
        made, _ = group.objects.get_or_create(name=role)
        made.permissions.set([there[key] for key in wanted if key in there])


def umpire_admit(*, user: User) -> None:
    """Let an umpire into the admin, where they see their own campaigns, if they are one of those who may start campaigns here.

    Anybody can be invited to be an umpire, by any umpire; who is staff of the site is for the site's administrators to say.
    """
    if not may_start_campaigns(user):
        return
    group = Group.objects.filter(name=UMPIRES).first()
    if group is None:
        return
    user.groups.add(group)
    if not user.is_staff:
        user.is_staff = True
        user.save(update_fields=["is_staff"])


def umpire_dismiss(*, user: User) -> None:
    """Remove someone who no longer umpires any campaign from the admin's umpires; their other roles stay."""
    if Membership.objects.filter(user=user, role=Membership.Role.UMPIRE).exists():
        return
    user.groups.remove(*Group.objects.filter(name=UMPIRES))
    if user.is_superuser or user.groups.exists() or user.user_permissions.exists():
        return
    if user.is_staff:
        user.is_staff = False
        user.save(update_fields=["is_staff"])
