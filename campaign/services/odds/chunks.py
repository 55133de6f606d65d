"""The battles of odds, fought in chunks by any worker: each counts once, however often it is delivered and whoever dies of it.

What a chunk fights is decided by its row alone. It is held by a lease; when its battles are fought, one transaction marks it as done and
adds its counts to the question, both by conditional updates. A chunk that is done, stopped or of a question that has been replaced
adds nothing.
"""

from __future__ import annotations

import logging
import uuid
from datetime import timedelta
from functools import lru_cache
from time import monotonic
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from battles import failures, leases
from battles.engine.odds import Question, Tally, fought
from battles.engine.pinned.rules import rules_of_set
from campaign.models import OddsChunk, OddsRun
from fleets.pins import version_of_book

logger = logging.getLogger(__name__)

State = OddsRun.State
FIRST_SHIPS = 120  # that fight in the first chunk, so that it takes about half a second
CHUNK_MILLISECONDS = 2000  # of a later one: short enough that an answer sharpens while someone watches
LARGEST = 60
LEAST_RUNS = 30  # fewer prove nothing, however much they agree
KEPT = timedelta(days=7)


def first_size(question: Question) -> int:
    """Runs in a chunk before anything has been measured."""
    return max(1, FIRST_SHIPS // max(1, question.size))


def enough(run: OddsRun, counted: Tally) -> bool:
    """Whether a question needs no more battles: it is answered as closely as wanted, or has had its share of them and of time."""
    if counted.runs >= run.most or run.spent >= 1000 * settings.ODDS_SECONDS:
        return True
    return counted.runs >= LEAST_RUNS and 100 * counted.within <= run.within


def chunks_plan(run: OddsRun, *, size: int) -> list[int]:
    """Make chunks until there is one for every lane. Returns the keys of the new ones.

    Call it in the transaction that has changed the question's row, which lets no one else plan at the same time.
    """
    open_ = list(run.chunks.open().values_list("size", flat=True))
    left = run.most - run.runs - sum(open_)
    made: list[OddsChunk] = []
    first = run.planned
    while len(open_) + len(made) < settings.ODDS_LANES and left > 0:
        chunk = OddsChunk(run=run, first=first, size=min(size, left))
        made.append(chunk)
        first, left = first + chunk.size, left - chunk.size
    OddsRun.objects.filter(pk=run.pk).update(planned=first)
    return [row.pk for row in OddsChunk.objects.bulk_create(made)]


def chunk_fight(*, chunk_id: int) -> list[int]:
    """Fight a chunk and add its counts to its question. Returns the keys of the chunks that follow.

    Nothing happens when it is done, when another worker has it, or when its question has been stopped or replaced: all are fine.
    """
    token, spent = leases.take_or_give_up(OddsChunk.objects.open().filter(pk=chunk_id))
    if token is None:
        return []
    chunk = (
        OddsChunk.objects.select_related("run__membership__campaign__book")
        .defer("run__question")
        .filter(pk=chunk_id)
        .first()
    )
    if chunk is None or chunk.run.state != State.COUNTING:
        return []
    try:
        if spent:
            _give_up(chunk, token, failures.died("It", leases.MAX_ATTEMPTS, chunk.error))
            return []
        began = monotonic()
        with leases.kept(chunk, token):
            with failures.reading("The question"):
                question = _question(chunk.run.digest)
            use = rules_of_set(version_of_book(chunk.run.membership.campaign.book))
            counted = use(fought)(question, chunk.first, chunk.size)
        return _counted(chunk, token, counted, round(1000 * (monotonic() - began)))
    except (leases.LeaseLost, OddsRun.DoesNotExist):
        logger.info("%s: dropped, it is another worker's or is no longer wanted", chunk)
    except Exception as error:
        _note_failure(chunk, token, error)
    return []


@lru_cache(maxsize=4)
def _question(digest: str) -> Question:
    """A stored question, read and checked once a process for all its chunks. Raises OddsRun.DoesNotExist, and what reading raises."""
    rows = OddsRun.objects.filter(digest=digest).values_list("question", flat=True)
    document = rows.first()
    if document is None:
        raise OddsRun.DoesNotExist("the question has been replaced")
    return Question.read(document)


def _counted(chunk: OddsChunk, token: uuid.UUID, counted: Tally, milliseconds: int) -> list[int]:
    """Write down what a chunk has counted, once. Raises LeaseLost."""
    with transaction.atomic():
        leases.finish(chunk, token, done=True)
        while True:
            run = OddsRun.objects.defer("question").get(pk=chunk.run_id)
            total = Tally.from_dict(run.counts)
            total.add(counted)
            run.spent += milliseconds
            over = enough(run, total)
            changes: dict[str, Any] = {
                "counts": total.to_dict(), "runs": total.runs, "spent": run.spent, "version": run.version + 1,
            }  # fmt: skip
            if over:
                changes |= {"state": State.DONE, "finished": timezone.now()}
            row = OddsRun.objects.filter(pk=run.pk, state=State.COUNTING, version=run.version)
            if row.update(**changes):
                break
            if not OddsRun.objects.filter(pk=run.pk, state=State.COUNTING).exists():
                return []
        if over:
            run.chunks.all().delete()
            return []
        run.runs = total.runs
        return chunks_plan(run, size=_next_size(run))


def _next_size(run: OddsRun) -> int:
    """Runs in the next chunk, by how long they have taken so far."""
    each = max(1, run.spent // max(1, run.runs))
    return max(1, min(LARGEST, CHUNK_MILLISECONDS // each))


def _note_failure(chunk: OddsChunk, token: uuid.UUID, error: Exception) -> None:
    logger.error("%s could not be fought", chunk, exc_info=error)
    words = failures.in_words(error, "It")
    try:
        if chunk.attempts >= leases.MAX_ATTEMPTS:
            _give_up(chunk, token, words)
        else:
            leases.finish(chunk, token, error=words)
    except leases.LeaseLost:
        logger.info("%s: failed after its lease had run out", chunk)


def _give_up(chunk: OddsChunk, token: uuid.UUID, words: str) -> None:
    """End the question with what has been counted so far, and say why. Raises LeaseLost."""
    with transaction.atomic():
        leases.finish(chunk, token, error=words)
        row = OddsRun.objects.filter(pk=chunk.run_id, state=State.COUNTING)
        row.update(state=State.FAILED, error=words, finished=timezone.now())
        OddsChunk.objects.filter(run=chunk.run_id).delete()


def odds_due() -> list[int]:
    """Keys of chunks that no one works on: their message was lost, or their worker died. Old questions are forgotten."""
    now = timezone.now()
    OddsRun.objects.filter(finished__lt=now - KEPT).delete()
    waiting = OddsChunk.objects.open().filter(run__state=State.COUNTING)
    return list(waiting.filter(leases.free(now)).order_by("pk").values_list("pk", flat=True)[:100])
