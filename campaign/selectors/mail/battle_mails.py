"""What an email says about a battle that the computer does not fight: where it is, who is in it as far as the reader knows, what to do.

Of the enemy an email names only the side: no fleet, ship or number. The battle's page, which shows each reader what they may see,
says more. Rules: G.BT1, G.BT2, G.BT4, G.BT5, G.IN1, G.IN4.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Q
from django.http import Http404

from battles.models import Battle, BattleOutcome
from campaign.accounts import opening, with_article
from campaign.accounts.words import scene
from campaign.models import Campaign, Contact, Membership
from campaign.rules.turn.snapshots import settings_from
from campaign.selectors.people.access import stations_for
from campaign.selectors.people.action import battle_for_member_or_404
from campaign.selectors.turn.facts import pure_theatre
from campaign.selectors.turn.ongoing import campaign_waits

Role = Membership.Role
# What an email about a battle is for; `templates/emails/_battle.*` puts it into words.
FIGHT, RENEWED, CONFIRM, ANEW, WAITED, DISPUTED = (
    "fight", "renewed", "confirm", "anew", "waited", "disputed",
)  # fmt: skip


def may_hear(membership: Membership, battle: Battle) -> bool:
    """Whether a member may hear of a battle: its page opens for them."""
    try:
        battle_for_member_or_404(membership, battle.code, whole=False)
    except Http404:
        return False
    return True


def battle_context(
    membership: Membership, battle: Battle, stage: str, *, reason: str = "", by: str = ""
) -> dict[str, Any]:
    """A battle as an email describes it to one reader.

    stage: what the email is for. reason: what a side or the umpire said. by: code of the side that proposed or disputed the result, ""
    for the umpire. `answer_by`: when silence counts as a yes, None where there is no deadline.
    """
    contact = Contact.objects.get(battle=battle)
    outcome = BattleOutcome.objects.filter(battle=battle).first()
    until = answer_by(membership.campaign, outcome)
    return context_of(
        membership, battle, contact, battle.roster.navies, stage, reason=reason, by=by, until=until
    )


def context_of(
    membership: Membership, battle: Battle, contact: Contact, sides: Iterable[str], stage: str, *, reason: str, by: str,
    until: datetime | None,
) -> dict[str, Any]:  # fmt: skip
    """The same for a battle whose contact, sides and last moment to answer are known; none of it need be saved."""
    campaign = membership.campaign
    umpire = membership.role == Role.UMPIRE
    names = dict(campaign.sides.values_list("navy__code", "name"))
    side = membership.side.code if membership.side is not None else ""
    return {
        "stage": stage,
        "battle": battle,
        "side": membership.side,
        "where": _where(campaign, contact),
        "own": _own(membership, contact, names),
        "others": [] if umpire else [names.get(code, code) for code in sides if code != side],
        "reason": reason.strip(),
        "headline": _headline(battle, _where(campaign, contact), stage),
        "told": _told(battle, stage, opening(with_article(names.get(by, "")))),
        "wanted": _wanted(battle, stage, umpire=umpire),
        "otherwise": _otherwise(campaign, battle, stage, umpire=umpire),
        "answer_by": until if stage == CONFIRM else None,
        "button": _BUTTONS.get(stage, "Enter the result"),
    }


_BUTTONS = {CONFIRM: "Check the result", WAITED: "Open the battle", DISPUTED: "Open the result"}


def _headline(battle: Battle, where: str, stage: str) -> str:
    """What the email is about, in the words of a subject line."""
    name = f"the battle {where}".strip()
    if stage == CONFIRM:
        return f"confirm or dispute the result of {name}"
    if stage == WAITED:
        return f"the campaign is still waiting for {name}"
    return {
        FIGHT: f"{name} is to be fought {battle.get_route_display()}",
        RENEWED: f"{name} has been set up again",
        ANEW: f"enter the result of {name} again",
        DISPUTED: f"the result of {name} is disputed",
    }[stage]


def _told(battle: Battle, stage: str, by: str) -> str:
    """What has happened, in a sentence or two."""
    proposed = f"{by} has proposed a result." if by else "The umpire has proposed a result."
    return {
        FIGHT: f"The fleets have met. The battle is to be fought {battle.get_route_display()}.",
        RENEWED: "The umpire has corrected a ship in this battle. The battle starts again with the new roster, and any result "
        "entered for the old one is void.",
        CONFIRM: proposed,
        ANEW: "The umpire has asked for a new result.",
        WAITED: "The campaign has waited for this battle for as long as its settings allow.",
        DISPUTED: f"{by or 'A side'} disputes the proposed result.",
    }[stage]


def _wanted(battle: Battle, stage: str, *, umpire: bool) -> str:
    """What the reader should do."""
    if stage == DISPUTED:
        ruling = "Rule on it: accept the result, or ask for a new one."
        return (
            ruling
            if umpire
            else "Nothing for now. The umpire will rule. We will email you if a new result is needed."
        )
    if stage == WAITED:
        return "Continue the campaign without the battle, have it fought by computer, or wait longer."
    if stage == CONFIRM:
        return "Check what the result does to each ship. Then confirm or dispute it."
    if stage == ANEW:
        return "Enter the result again and propose it. Either side may do so. The other side then confirms or disputes it."
    if battle.route == Battle.Route.ENGINE:
        return "Nothing. The computer fights it."
    return (
        "Fight it with the current ship cards, then enter the result. Either side may enter it. The other side then confirms or "
        "disputes it."
    )


def _otherwise(campaign: Campaign, battle: Battle, stage: str, *, umpire: bool) -> str:
    """What happens when the reader does nothing. Rules: G.BT4, G.BT5."""
    if stage == CONFIRM:
        return "If no one disputes it by then, it is confirmed."
    if stage == DISPUTED:
        return "Its fleets are held until you rule." if umpire else ""
    if stage == WAITED:
        return "The campaign will wait until you decide."
    if battle.route == Battle.Route.ENGINE:
        return ""
    if campaign_waits(campaign):
        days = settings_from(campaign.settings).battle_wait_days
        return f"There is no deadline, but the campaign waits. After {days} day{'' if days == 1 else 's'} the umpire decides."
    return "There is no deadline. Its fleets are held until a result is accepted. All other fleets sail on."


def answer_by(campaign: Campaign, outcome: BattleOutcome | None) -> datetime | None:
    """When a proposed result counts as confirmed by those who have not answered. Rule: G.BT5."""
    if outcome is None or outcome.proposed is None:
        return None
    return outcome.proposed + timedelta(days=settings_from(campaign.settings).confirm_days)


def _where(campaign: Campaign, contact: Contact) -> str:
    """ "off the Galloper"."""
    places = pure_theatre(campaign.theatre).places
    return scene(places[contact.place].name if contact.place in places else contact.place)


def _own(membership: Membership, contact: Contact, names: dict[str, str]) -> list[dict[str, Any]]:
    """The fleets in it that the reader may see, with their ships; for the umpire those of every side. Rule: G.IN4."""
    codes = [code for fleets in contact.fleets.values() for code in fleets]
    afloat = Q(fleet__squadrons__ships__fate="afloat")
    rows = stations_for(membership, ended=True).filter(fleet__code__in=codes)
    return [
        {"name": row.fleet.name, "ships": row.strength, "side": names.get(row.fleet.navy.code, "")}
        for row in rows.annotate(strength=Count("fleet__squadrons__ships", filter=afloat))
    ]
