"""Silent players: standing orders cover them, and after some turns the umpire is told, once per silence. Rules: G.MV2, G.UM1."""

from __future__ import annotations

from campaign.models import Campaign
from campaign.selectors.people.people import name_of
from campaign.selectors.people.silence import Silence, silent_now
from campaign.services.mail.notices import word_to_umpires


def silence_tell(*, campaign: Campaign) -> int:
    """Tell the umpires of everyone who has now been silent for as many turns as the campaign says. Returns how many emails.

    Call it in the transaction that closes a turn. Twice is harmless: a silence is reported once, however long it grows.
    """
    return sum(_tell(campaign, row) for row in silent_now(campaign))


def _tell(campaign: Campaign, row: Silence) -> int:
    began = f"{campaign.code}-silent-{row.member.pk}-T{row.turns[0].name}"
    if campaign.notices.filter(event__startswith=f"{began}-", void="").exists():
        return 0
    # the event names the turn that made it so many: rolled back and played again, it is another turn
    last = row.turns[-1]
    whom = name_of(row.member.user)
    return word_to_umpires(
        campaign=campaign,
        event=f"{began}-{last.name}",
        title=f"{whom} has been silent for {row.count} turn{'' if row.count == 1 else 's'}",
        text=f"{whom} ({row.member.side}) has given no orders since turn {row.turns[0].number}, and their side was not marked ready. "
        "Their fleets follow standing orders.\nWrite to them, or assign their fleets to another admiral.",
        page="desk",
    )  # fmt: skip
