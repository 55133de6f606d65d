"""The umpire brings an event of the calendar forward, puts it off, or strikes it. Rules: G.CA1, G.UM1."""

from __future__ import annotations

from datetime import date

from django.db import transaction

from campaign.calendar import moment, spoken
from campaign.models import CalendarRow, Campaign, Turn
from campaign.rules.turn.snapshots import settings_from
from campaign.selectors.turn.coming import calendar_of
from campaign.services.umpire_log import Actor, UmpireRefused, act_log, reason_given


def calendar_move(
    *, campaign: Campaign, turn: Turn | None, umpire: Actor, code: str, day: str, reason: str
) -> CalendarRow:
    """Set the day of an event, also of one that was struck. No die is thrown for its day then. The log does not say which event.

    day: ISO date, from the day on which the open turn begins. Raises UmpireRefused.
    """
    row = _open_row(campaign, turn, code)
    reason = reason_given(reason)
    try:
        wanted = date.fromisoformat(day)
    except ValueError:
        raise UmpireRefused(f"{day!r} is not a date. Enter one such as {campaign.start_date}.") from None
    today = moment(campaign.start_date, 24 * campaign.calendar_day).date()
    if wanted < today:
        raise UmpireRefused(f"That day has passed. Choose {spoken(today.isoformat())} or later.")
    last = settings_from(campaign.settings).end_date
    if last and wanted > date.fromisoformat(last):
        raise UmpireRefused(f"The campaign ends on {spoken(last)}. Choose an earlier day.")
    with transaction.atomic():
        row.moved, row.struck = wanted.isoformat(), False
        row.save(update_fields=["moved", "struck"])
        _log(campaign, turn, umpire, "moved an event of the calendar", reason)
    return row


def calendar_strike(
    *, campaign: Campaign, turn: Turn | None, umpire: Actor, code: str, reason: str
) -> CalendarRow:
    """Strike an event, so that it does not happen unless it is given a day again. Raises UmpireRefused."""
    row = _open_row(campaign, turn, code)
    reason = reason_given(reason)
    if row.struck:
        raise UmpireRefused("This event has already been cancelled.")
    with transaction.atomic():
        row.struck = True
        row.save(update_fields=["struck"])
        _log(campaign, turn, umpire, "cancelled an event of the calendar", reason)
    return row


def _open_row(campaign: Campaign, turn: Turn | None, code: str) -> CalendarRow:
    """An event that can still be changed. Raises UmpireRefused."""
    if turn is None or turn.phase != Turn.Phase.OPEN:
        raise UmpireRefused("No turn is open for orders. Wait for the next turn to open.")
    row = campaign.calendar_rows.exclude(deed="").filter(code=code).first()
    if row is None:
        raise UmpireRefused("Event not found. Reload the page and try again.")
    if calendar_of(campaign).settled(row.code):
        raise UmpireRefused("This event has already been settled.")
    return row


def _log(campaign: Campaign, turn: Turn | None, umpire: Actor, action: str, reason: str) -> None:
    act_log(campaign=campaign, turn=turn, actor=umpire.get_username(), action=action, reason=reason)
