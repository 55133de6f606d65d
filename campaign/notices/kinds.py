"""The kinds of notice. Each has three templates under `templates/emails/`: <kind>-subject.txt, <kind>-body.txt, <kind>-body.html."""

from __future__ import annotations

from typing import NamedTuple


class Kind(NamedTuple):
    """A kind of notice: its template stem, and when it is written."""

    stem: str
    when: str


TURN_OPENED = Kind("turn_opened", "a turn opens for orders, with nothing to report yet")
TURN_REPORT = Kind("turn_report", "a turn has been run: what the side may know of it, and the next deadline")
INVITATION = Kind("invitation", "somebody is given a part in a campaign")
UMPIRE_REPORT = Kind("umpire_report", "a turn has been run: everything that happened, for the umpire")
CAMPAIGN_OVER = Kind("campaign_over", "a campaign has ended: why, and the final table")
WORD = Kind(
    "word", "something has happened that somebody has to know or to answer: a result, an outage, a rollback"
)
ORDERS_TAKEN = Kind(
    "orders_taken", "orders have come by mail: what was taken and what was refused, line by line"
)

KINDS = (TURN_OPENED, TURN_REPORT, INVITATION, UMPIRE_REPORT, CAMPAIGN_OVER, WORD, ORDERS_TAKEN)

# Kinds that may be answered with orders.
ANSWERED = frozenset(kind.stem for kind in (TURN_OPENED, TURN_REPORT, ORDERS_TAKEN))
