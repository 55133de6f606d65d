"""The kinds of notification. Each has three templates under `templates/emails/`: <kind>-subject.txt, <kind>-body.txt, <kind>-body.html."""

from __future__ import annotations

from typing import NamedTuple


class Kind(NamedTuple):
    """A kind of notification: its template stem, and when it is written. always: it cannot be turned off or put off."""

    stem: str
    when: str
    always: bool = False


TURN_OPENED = Kind("turn_opened", "a turn has opened, and there is nothing to report yet")
TURN_REPORT = Kind("turn_report", "a turn has been run: what your side learned, and the next deadline")
INVITATION = Kind("invitation", "you have been given a role in a campaign", always=True)
UMPIRE_REPORT = Kind("umpire_report", "a turn has been run: everything that happened (umpires only)")
CAMPAIGN_OVER = Kind("campaign_over", "a campaign has ended: why, and the final score")
BATTLE_AWAITS = Kind(
    "battle_awaits",
    "a battle needs you, either to fight it on the tabletop or to confirm its result",
)
RESULT_DISPUTED = Kind(
    "result_disputed", "a side has disputed the result of a battle, and the umpire must rule"
)
PAUSED = Kind("paused", "the umpire has paused or resumed the campaign")
WORK_FAILED = Kind(
    "work_failed", "a turn or battle could not be run: why, and what the umpire can do", always=True
)
WORD = Kind("word", "something else has happened, such as an outage or a rollback")
ORDERS_TAKEN = Kind(
    "orders_taken", "you sent orders by email: what was accepted and what was refused, line by line"
)

REMINDER = Kind("reminder", "orders close soon, and some of your fleets have none for this turn")
DEADLINE = Kind("deadline", "the deadline of a turn has moved")
DIGEST = Kind("digest", "once a day: the notifications you chose to receive in one email", always=True)

UMPIRE_DIGEST = Kind(
    "umpire_digest",
    "every morning: missing orders, absences, silent players, and anything held or failed (umpires only)",
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
