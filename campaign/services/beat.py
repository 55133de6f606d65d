"""One beat at a time: of all processes that would ask for sweeps, on however many machines, the one that holds the lease does so.

A lease lasts two rounds and is renewed each round. When its holder is gone, another takes over as soon as it has run out. All of it goes
by the database's clock, so the machines' own clocks do not matter.
"""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.db.models import Q
from django.db.models.functions import Now

from campaign.models import BeatLease


def beat_hold(*, holder: UUID, machine: str) -> bool:
    """Take the lease, or renew it. Returns whether `holder` has it. One conditional update, so two at once cannot both have it."""
    lease = timedelta(seconds=2 * settings.SWEEP_SECONDS)
    now = Now()
    # a lease that ends too late was taken before the database's clock was set back
    ended = Q(until__lt=now) | Q(until__gt=now + 2 * lease)
    mine = {"holder": holder, "machine": machine[:100], "until": now + lease}
    if BeatLease.objects.filter(Q(holder=holder) | ended, pk=1).update(**mine):
        return True
    row, _ = BeatLease.objects.get_or_create(pk=1, defaults=mine)
    return row.holder == holder


def beat_release(*, holder: UUID) -> None:
    """Give the lease up, so that another takes over at its next round."""
    BeatLease.objects.filter(pk=1, holder=holder).delete()
