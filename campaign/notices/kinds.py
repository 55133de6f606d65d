"""The kinds of notice. Each has three templates under `templates/emails/`: <kind>-subject.txt, <kind>-body.txt, <kind>-body.html."""

from __future__ import annotations

from typing import NamedTuple


class Kind(NamedTuple):
    """A kind of notice: its template stem, and when it is written. always: nobody can turn it off or put it off."""

    stem: str
    when: str
    always: bool = False


TURN_OPENED = Kind("turn_opened", "a turn opens for orders, with nothing to report yet")
TURN_REPORT = Kind("turn_report", "a turn has been run: what the side may know of it, and the next deadline")
INVITATION = Kind("invitation", "somebody is given a part in a campaign", always=True)
UMPIRE_REPORT = Kind("umpire_report", "a turn has been run: everything that happened, for the umpire")
CAMPAIGN_OVER = Kind("campaign_over", "a campaign has ended: why, and the final table")
BATTLE_AWAITS = Kind(
    "battle_awaits",
    "a battle waits for the reader: to be fought on the table, or for their word on its result",
)
RESULT_DISPUTED = Kind(
    "result_disputed", "a side disputes the result of a battle, and the umpire has to rule"
)
PAUSED = Kind("paused", "the umpire has stopped the campaign's clock, or lets it go on")
WORK_FAILED = Kind(
    "work_failed", "a turn or a battle could not be run: why, and what the umpire can do", always=True
)
WORD = Kind("word", "something has happened that somebody has to know: an outage, a rollback")
ORDERS_TAKEN = Kind(
    "orders_taken", "orders have come by mail: what was taken and what was refused, line by line"
)

REMINDER = Kind("reminder", "orders close soon, and fleets of the reader's have none for this turn")
DEADLINE = Kind("deadline", "orders for a turn close at another time than was told")
DIGEST = Kind("digest", "once a day: what the reader wished to be told of in one mail", always=True)

UMPIRE_DIGEST = Kind(
    "umpire_digest",
    "every morning, for the umpire: who lacks orders, who is away or silent, what is held, what failed",
)

KINDS = (
    TURN_OPENED,
    TURN_REPORT,
    INVITATION,
    UMPIRE_REPORT,
    CAMPAIGN_OVER,
    BATTLE_AWAITS,
    RESULT_DISPUTED,
    PAUSED,
    WORK_FAILED,
    WORD,
    REMINDER,
    DEADLINE,
    DIGEST,
    UMPIRE_DIGEST,
    ORDERS_TAKEN,
)

# Kinds that may be answered with orders.
ANSWERED = frozenset(kind.stem for kind in (TURN_OPENED, TURN_REPORT, ORDERS_TAKEN))
