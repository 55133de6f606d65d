"""A schedule at its bounds and in words; and deadlines that are just far enough away."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
import time_machine

from campaign.models import Campaign, Turn
from campaign.services.desk import umpire as acts
from campaign.services.settings.clock import closing_words, rhythm_change, rhythm_words
from tests.support.answers import answer_of
from tests.support.put_back import put_back

pytestmark = [pytest.mark.one_database, pytest.mark.clause("G.CL1", "G.UM1")]
NOW = datetime(2026, 10, 20, 12, 0, tzinfo=UTC)
RHYTHM: dict[str, Any] = {
    "hours": 71, "weekdays": (), "at": time(20), "zone": "UTC", "run_when_ready": True, "grace": 0, "silent": 2, "reason": "a vote",
}  # fmt: skip


def said(act: Any, **asked: Any) -> str:
    """Why an act is refused, "" when it is done; it is taken back."""
    with put_back():
        return answer_of(act, **asked)


HOURS = "A turn can be open for 1 to 2160 hours."
GRACE = "The grace period can be 0 to 48 hours."
SILENT = "Enter 0 to 20 turns without orders. 0 means never."
WEEKDAYS = "Choose weekdays from 0 (Monday) to 6 (Sunday)."
BOUNDS: list[tuple[dict[str, Any], str]] = [
    ({"hours": 0}, HOURS), ({"hours": 1}, ""), ({"hours": 2160}, ""), ({"hours": 2161}, HOURS),
    ({"grace": -1}, GRACE), ({"grace": 48}, ""), ({"grace": 49}, GRACE),
    ({"silent": -1}, SILENT), ({"silent": 0}, ""), ({"silent": 20}, ""), ({"silent": 21}, SILENT),
    ({"weekdays": (0,)}, ""), ({"weekdays": (0, 6)}, ""),
    ({"weekdays": (7,)}, WEEKDAYS), ({"weekdays": (-1,)}, WEEKDAYS), ({"weekdays": (1, 7)}, WEEKDAYS),
    ({"reason": " "}, "Enter a reason"), ({"zone": "Utopia/Somewhere"}, "Utopia/Somewhere is not a time zone."),
]  # fmt: skip


def test_a_schedule_has_limits(campaign: Campaign) -> None:
    who = campaign.memberships.get(role="umpire").user
    for changes, why in BOUNDS:
        told = said(rhythm_change, campaign=campaign, umpire=who, **{**RHYTHM, **changes})
        assert told[: len(why)] == why and bool(told) == bool(why), changes


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"deadline_hours": 1}, "Orders close 1 hour after a turn opens."),
        ({"deadline_hours": 72}, "Orders close 72 hours after a turn opens."),
        ({"deadline_days": [0]}, "Orders close on the next Monday at 20:00, UTC time."),
        ({"deadline_days": [1, 6]}, "Orders close on the next Tuesday or Sunday at 20:00, UTC time."),
        (
            {"deadline_days": [1, 3, 6]},
            "Orders close on the next Tuesday, Thursday or Sunday at 20:00, UTC time.",
        ),
    ],
)
def test_a_schedule_says_when_orders_close(row: dict[str, Any], words: str) -> None:
    campaign: Any = SimpleNamespace(
        **{"deadline_days": [], "deadline_hours": 72, "deadline_at": time(20), "time_zone": "UTC", **row}
    )
    assert closing_words(campaign) == words


@pytest.mark.parametrize(
    ("grace", "silent", "ready", "words"),
    [
        (0, 0, False, ["A turn runs at its deadline, even if every side is ready earlier.",
          "There is no grace period after the deadline.", "We do not notify the umpire about silent players."]),
        (1, 1, True, ["A turn runs before its deadline when every side is ready.",
          "After the deadline, a turn waits up to 1 hour for late orders.",
          "We notify the umpire when an admiral gives no orders for 1 turn."]),
        (2, 3, True, ["A turn runs before its deadline when every side is ready.",
          "After the deadline, a turn waits up to 2 hours for late orders.",
          "We notify the umpire when an admiral gives no orders for 3 turns."]),
    ],
)  # fmt: skip
def test_a_schedule_says_what_else_it_is(grace: int, silent: int, ready: bool, words: list[str]) -> None:
    campaign: Any = SimpleNamespace(
        deadline_days=[], deadline_hours=72, grace_hours=grace, silent_turns=silent, run_when_ready=ready
    )
    assert rhythm_words(campaign)[1:] == words


def test_deadlines_move_within_limits(turn: Turn) -> None:
    who = turn.campaign.memberships.get(role="umpire").user
    Campaign.objects.update(time_zone="UTC")
    Turn.objects.update(deadline=NOW + timedelta(days=3))
    turn.refresh_from_db()
    turn.campaign.refresh_from_db()
    extended = "A turn can be extended by 1 to 2160 hours."
    with time_machine.travel(NOW, tick=False):
        for hours, why in ((0, extended), (1, ""), (2160, ""), (2161, extended)):
            assert said(acts.turn_extend, turn=turn, umpire=who, hours=hours, reason="x") == why
        for away, why in (
            (timedelta(hours=11, minutes=59), "A deadline can be brought forward only to 12 hours from now or later."),
            (timedelta(hours=12), ""), (timedelta(days=90), ""), (timedelta(days=90, minutes=1), "A deadline can be up to 90 days ahead."),
            (timedelta(0), "That time is in the past. Choose a later one."), (timedelta(days=3), "That is already the deadline."),
        ):  # fmt: skip
            due = NOW + away
            told = said(
                acts.turn_deadline_set, turn=turn, umpire=who, day=due.date(), at=due.time(), reason="x"
            )
            assert told == why, away
        Turn.objects.update(deadline=NOW - timedelta(hours=5))
        turn.refresh_from_db()
        past = "The new deadline would be in the past. Add more hours."
        for hours, why in ((4, past), (5, past), (6, "")):
            assert said(acts.turn_extend, turn=turn, umpire=who, hours=hours, reason="x") == why
        # late already: later than it was, though soon
        soon = NOW + timedelta(hours=1)
        assert (
            said(acts.turn_deadline_set, turn=turn, umpire=who, day=soon.date(), at=soon.time(), reason="x")
            == ""
        )
