"""What a mail about a battle that is not the engine's tells its reader: the scene, who is in it as far as he knows, what is wanted.

Of the enemy a mail names the side and no fleet, ship or number: more than that is on the battle's page, which shows each reader what
is his to see. Rules: G.BT1, G.BT2, G.BT4, G.BT5, G.IN1, G.IN4.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Q
from django.http import Http404

from battles.models import Battle, BattleOutcome
from campaign.models import Campaign, Contact, Membership
from campaign.rules.turn.snapshots import settings_from
from campaign.selectors.people.access import stations_for
from campaign.selectors.people.action import battle_for_member_or_404
from campaign.selectors.reports.letters import off
from campaign.selectors.turn.facts import pure_theatre
from campaign.selectors.turn.held import campaign_waits

Role = Membership.Role
# What a mail about a battle is for; `templates/emails/_battle.*` says it in words.
FIGHT, RENEWED, CONFIRM, ANEW, WAITED, DISPUTED = (
    "fight", "renewed", "confirm", "anew", "waited", "disputed",
)  # fmt: skip


def may_hear(membership: Membership, battle: Battle) -> bool:
    """Whether a member may be told of a battle: its page opens for him."""
    try:
        battle_for_member_or_404(membership, battle.code, whole=False)
    except Http404:
        return False
    return True


def battle_context(
    membership: Membership, battle: Battle, stage: str, *, reason: str = "", by: str = ""
) -> dict[str, Any]:
    """A battle as a mail tells one reader of it.

    stage: what the mail is for. reason: what a side or the umpire said. by: code of the side that proposed or disputed the result, ""
    for the umpire. `answer_by`: when silence counts as a yes, None where no clock runs.
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
    """The same of a battle whose contact, sides and last moment to answer are known; nothing of it need be kept."""
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
        "headline": _headline(battle, stage),
        "told": _told(battle, stage, names.get(by, "")),
        "wanted": _wanted(battle, stage, umpire=umpire),
        "otherwise": _otherwise(campaign, battle, stage, umpire=umpire),
        "answer_by": until if stage == CONFIRM else None,
        "button": _BUTTONS.get(stage, "Enter the result"),
    }


_BUTTONS = {CONFIRM: "Read and answer", WAITED: "Decide", DISPUTED: "Open the result"}


def _headline(battle: Battle, stage: str) -> str:
    """What the mail is about, in the words of a subject line."""
    title = battle.title
    if stage == CONFIRM:
        return f"{title}: your word on the result, please"
    if stage == WAITED:
        return f"the campaign still waits for {title}"
    return {
        FIGHT: f"{title} is to be fought {battle.get_route_display()}",
        RENEWED: f"{title} is set up again",
        ANEW: f"{title}: the result is to be entered again",
        DISPUTED: f"the result of {title} is disputed",
    }[stage]


def _told(battle: Battle, stage: str, by: str) -> str:
    """What has happened, in a sentence or two."""
    proposed = f"{by} has proposed a result." if by else "The umpire has proposed a result."
    return {
        FIGHT: f"The fleets have met, and the battle is fought {battle.get_route_display()}.",
        RENEWED: "The umpire has put a ship of it right, so the battle is void and begins anew with the new roster. What was "
        "entered for the old one is of no account.",
        CONFIRM: proposed,
        ANEW: "The umpire has sent the result back.",
        WAITED: "It has waited for this battle as long as its settings allow.",
        DISPUTED: f"{by or 'A side'} disputes the result that was proposed.",
    }[stage]


def _wanted(battle: Battle, stage: str, *, umpire: bool) -> str:
    """What the reader is to do."""
    if stage == DISPUTED:
        ruling = "Rule on it: take the result as it stands, or have it entered again."
        return (
            ruling
            if umpire
            else "Nothing now. The umpire rules, and you are told if a result has to be entered again."
        )
    if stage == WAITED:
        return "Let the campaign go on without the battle, have the engine fight it, or wait longer."
    if stage == CONFIRM:
        return "Read what the result would do to every ship, then confirm it or dispute it."
    if stage == ANEW:
        return "Enter what happened once more, and propose it. Either side may; the other confirms or disputes it."
    if battle.route == Battle.Route.ENGINE:
        return "Nothing: the engine fights it."
    return (
        "Fight it, with the ship cards as the ships are now, and enter the result. Either side may enter it; the other confirms "
        "or disputes it."
    )


def _otherwise(campaign: Campaign, battle: Battle, stage: str, *, umpire: bool) -> str:
    """What happens when the reader does nothing. Rules: G.BT4, G.BT5."""
    if stage == CONFIRM:
        return "If nobody disputes it by then, it counts as confirmed by all."
    if stage == DISPUTED:
        return "Until you rule the fleets in it are held." if umpire else ""
    if stage == WAITED:
        return "Until you do, the campaign waits on."
    if battle.route == Battle.Route.ENGINE:
        return ""
    if campaign_waits(campaign):
        days = settings_from(campaign.settings).battle_wait_days
        return f"There is no set day for it, but the campaign waits; after {days} day{'' if days == 1 else 's'} the umpire is asked."
    return "There is no set day for it. Until a result is accepted the fleets in it are held, and everybody else sails on."


def answer_by(campaign: Campaign, outcome: BattleOutcome | None) -> datetime | None:
    """When a proposed result counts as confirmed by those who have not answered. Rule: G.BT5."""
    if outcome is None or outcome.proposed is None:
        return None
    return outcome.proposed + timedelta(days=settings_from(campaign.settings).confirm_days)


def _where(campaign: Campaign, contact: Contact) -> str:
    """ "off the Galloper"."""
    places = pure_theatre(campaign.theatre).places
    return off(places[contact.place].name if contact.place in places else contact.place)


def _own(membership: Membership, contact: Contact, names: dict[str, str]) -> list[dict[str, Any]]:
    """The fleets in it that are the reader's to see, with their ships; for the umpire those of every side. Rule: G.IN4."""
    codes = [code for fleets in contact.fleets.values() for code in fleets]
    afloat = Q(fleet__squadrons__ships__fate="afloat")
    rows = stations_for(membership, ended=True).filter(fleet__code__in=codes)
    return [
        {"name": row.fleet.name, "ships": row.strength, "side": names.get(row.fleet.navy.code, "")}
        for row in rows.annotate(strength=Count("fleet__squadrons__ships", filter=afloat))
    ]
