"""Who is notified of a battle fought on the tabletop or by orders, and when. Called in the transaction that made it true.

Rules: G.BT1, G.BT2, G.BT4, G.BT5.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from battles.models import Battle, BattleOutcome
from campaign.models import Campaign, Membership
from campaign.notices import kinds
from campaign.notices.write import Reader, notices_write
from campaign.selectors.mail import battle_mails as mails
from campaign.selectors.mail.mails import Contexts

Role = Membership.Role


def battle_awaits_fighting(*, campaign: Campaign, battle: Battle, event: str = "") -> int:
    """Ask the sides to fight a battle and to enter its result. Returns how many emails were written. Rules: G.BT1, G.BT4.

    event: given when the way it is fought has changed. No one is asked to fight a battle that the computer fights.
    """
    if battle.route == Battle.Route.ENGINE:
        return 0
    event = event or f"{battle.code}-awaits"
    return _tell(campaign, battle, mails.FIGHT, event, sides=battle.roster.navies)


def battle_awaits_again(*, campaign: Campaign, battle: Battle) -> int:
    """Tell the sides that a battle was set up again with another roster. Rule: G.BT4."""
    return _tell(campaign, battle, mails.RENEWED, f"{battle.code}-renewed", sides=battle.roster.navies)


def result_awaits_answer(*, campaign: Campaign, outcome: BattleOutcome, sides: Collection[str]) -> int:
    """Ask sides to confirm or dispute a proposed result. Rule: G.BT5."""
    battle = outcome.battle
    event = f"{battle.code}-v{outcome.version}-proposed"
    return _tell(campaign, battle, mails.CONFIRM, event, sides=sides, by=outcome.side)


def result_awaits_anew(*, campaign: Campaign, outcome: BattleOutcome, reason: str) -> int:
    """Tell the sides that the umpire wants a new result. Rule: G.BT5."""
    battle = outcome.battle
    event = f"{battle.code}-v{outcome.version}-anew"
    return _tell(campaign, battle, mails.ANEW, event, sides=battle.roster.navies, reason=reason)


def battle_awaits_umpire(*, campaign: Campaign, battle: Battle) -> int:
    """Ask the umpires what to do about a battle for which the campaign has waited too long. Rule: G.BT4."""
    return _tell(campaign, battle, mails.WAITED, f"{battle.code}-waited", sides=(), umpires=True)


def result_disputed(*, campaign: Campaign, outcome: BattleOutcome, side: str, reason: str) -> int:
    """Tell the umpires that they have to rule, and the other sides why the result does not count. Rule: G.BT5."""
    battle = outcome.battle
    return _tell(
        campaign, battle, mails.DISPUTED, f"{battle.code}-v{outcome.version}-disputed",
        sides=[code for code in battle.roster.navies if code != side], umpires=True, reason=reason, by=side,
    )  # fmt: skip


def _tell(
    campaign: Campaign, battle: Battle, stage: str, event: str, *, sides: Collection[str], umpires: bool = False,
    **said: Any,
) -> int:  # fmt: skip
    """One email each to the admirals of some sides who know of the battle, and to the umpires."""
    told = set(campaign.notices.filter(event=event).values_list("recipient_id", flat=True))
    contexts, readers = Contexts(), []
    for member in campaign.memberships.select_related("user", "side__navy").exclude(role=Role.OBSERVER):
        wanted = umpires if member.side is None else member.side.code in sides
        if not wanted or member.user_id in told:
            continue
        if mails.may_hear(member, battle):
            context = contexts.of(member, lambda one, ken: mails.battle_context(one, battle, stage, **said))
            readers.append(Reader(member.user, context))
    kind = kinds.RESULT_DISPUTED if stage == mails.DISPUTED else kinds.BATTLE_AWAITS
    written = notices_write(campaign=campaign, kind=kind, event=event, readers=readers)
    return sum(notice is not None for notice in written)
