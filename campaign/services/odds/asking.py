"""A member asks for odds, and stops them. Rule: G.IN1."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Sum
from django.utils import timezone

from battles.engine.core.errors import ScenarioFaults
from battles.engine.odds import Question, Tally
from battles.services.fighting import digest
from campaign.models import Membership, OddsRun, Turn
from campaign.publishing import FIGHT_ODDS, FIGHT_ODDS_FIRST, publish
from campaign.selectors.odds.asked import Asked
from campaign.services.odds.chunks import FIRST_SHIPS, chunks_plan, enough, first_size
from fleets.pins import version_of_book

State = OddsRun.State
AN_HOUR = timedelta(hours=1)
# Percentage points either way to which chances can be wanted.
PRECISIONS = {10: "±10 percentage points: quick", 5: "±5 percentage points", 3: "±3 percentage points: slow"}
USUAL = 5
MOST_RUNS = 1100  # enough for the finest, whatever comes out
MOST_SHIPS = 300


class OddsRefused(Exception):
    """Odds that cannot be worked out now; the text says why."""


def odds_ask(*, membership: Membership, turn: Turn, asked: Asked, within: int = USUAL) -> OddsRun:
    """Have odds worked out for a member, in the place of those that they asked for before.

    What has been counted of the same question stays, and only what is missing is fought. Raises OddsRefused.
    """
    question, now = _read(asked), timezone.now()
    # other rules, other odds
    mark = digest([asked.question, version_of_book(membership.campaign.book).fingerprint])
    with transaction.atomic():
        old = OddsRun.objects.select_for_update().filter(membership=membership).first()
        fresh = old is None or old.digest != mark or old.state == State.FAILED
        values: dict[str, Any] = {
            "turn": turn.number, "title": asked.title, "about": dict(asked.about), "state": State.COUNTING, "error": "",
            "within": within if within in PRECISIONS else USUAL, "most": MOST_RUNS, "finished": None,
            "version": 0 if old is None else old.version + 1, **_bounds(membership, old, now),
        }  # fmt: skip
        if fresh:
            values |= {
                "question": dict(asked.question), "digest": mark, "truth": asked.truth, "counts": {},
                "runs": 0, "spent": 0, "planned": 0, "created": now,
            }  # fmt: skip
        run, _ = OddsRun.objects.update_or_create(membership=membership, defaults=values)
        run.chunks.all().delete()
        if enough(run, Tally.from_dict(run.counts)):
            OddsRun.objects.filter(pk=run.pk).update(state=State.DONE, finished=now)
            return run
        chunks = chunks_plan(run, size=first_size(question))
        for chunk in chunks:
            publish(FIGHT_ODDS, chunk)
        # whoever is free first gives the first answer: an idle worker of turns, or one that is started for odds
        if question.size <= FIRST_SHIPS:
            publish(FIGHT_ODDS_FIRST, chunks[0])
    return run


def odds_stop(*, membership: Membership) -> bool:
    """Stop a member's odds; what has been counted stays. Returns False when there is nothing to stop, which is fine."""
    with transaction.atomic():
        found = OddsRun.objects.filter(membership=membership, state=State.COUNTING)
        stopped = found.update(state=State.STOPPED, finished=timezone.now())
        if stopped:
            membership.odds.chunks.all().delete()
    return bool(stopped)


def _read(asked: Asked) -> Question:
    """The question as the engine reads it. Raises OddsRefused."""
    try:
        question = Question.read(asked.question)
    except ScenarioFaults as error:
        raise OddsRefused(f"This battle cannot be fought: {'; '.join(map(str, error.faults))}") from error
    if question.size > MOST_SHIPS:
        raise OddsRefused(
            f"{question.size} ships are too many to work out odds for. The limit is {MOST_SHIPS}."
        )
    return question


def _bounds(membership: Membership, old: OddsRun | None, now: datetime) -> dict[str, Any]:
    """How often this member has asked, with this time. Raises OddsRefused when the person has asked too often in all their campaigns."""
    rows = OddsRun.objects.filter(membership__user=membership.user, asking_since__gt=now - AN_HOUR)
    asked = rows.aggregate(all=Sum("asked"))["all"] or 0
    if asked >= settings.ODDS_PER_HOUR:
        raise OddsRefused(
            f"You have asked for odds {asked} times within an hour. Wait a while before you ask again."
        )
    if old is None or old.asking_since <= now - AN_HOUR:
        return {"asked": 1, "asking_since": now}
    return {"asked": old.asked + 1}
