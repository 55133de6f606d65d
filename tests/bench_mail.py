"""Benchmarks of the post: a turn told to 500 people, and their mails sent to a real mail server in another process.

Every fleet has its admiral, whose mail carries a template of his orders; the others of a side sail under them.

Run by itself (`python -m tests.bench_mail`) it is that server: it prints its port and takes mails until its standard input ends.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

from tests import bench_campaign

READERS = 500
QUEUE_BUDGET = 1.0  # seconds of processor time for all of them
SEND_BUDGET = READERS / 50  # seconds by the clock on the wall: fifty a second
REPEATS = 3


def queued() -> tuple[Callable[[], object], int, str]:
    """The report of a turn to every reader, rendered and in the outbox; each call another turn. 40 fleets, 200 ships, no battle."""
    campaign = _campaign(turns=REPEATS)
    from django.db import transaction

    from campaign.models import Notice
    from campaign.services.mail.notices import notices_for_closed_turn

    closed = iter(campaign.turns.filter(phase="closed").order_by("number"))
    following = campaign.turns.get(phase="open")

    def queue() -> None:
        before = Notice.objects.count()
        with transaction.atomic():
            notices_for_closed_turn(turn=next(closed), following=following)
        assert Notice.objects.count() - before >= READERS

    return queue, READERS, "reader"


def sent() -> tuple[Callable[[], object], int, str]:
    """Those mails through the tasks, one worker, to a mail server of its own process; each call all of them again."""
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.bench_mail"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    os.environ["EMAIL_URL"] = f"smtp://127.0.0.1:{int(server.stdout.readline())}"
    campaign = _campaign(turns=1)
    from campaign.models import Notice
    from campaign.notices.send import BATCH
    from campaign.services.mail.notices import notices_for_closed_turn
    from campaign.tasks import send_notices

    Notice.objects.all().delete()
    notices_for_closed_turn(
        turn=campaign.turns.get(phase="closed"), following=campaign.turns.get(phase="open")
    )
    ids = list(Notice.objects.filter(recipient__username__startswith="reader").values_list("pk", flat=True))

    def send() -> None:
        Notice.objects.update(status="waiting", attempts=0)
        for first in range(0, len(ids), BATCH):
            send_notices(ids[first : first + BATCH])
        assert Notice.objects.filter(status="sent").count() == len(ids) == READERS

    return send, READERS, "mail"


def _campaign(*, turns: int) -> Any:
    """A campaign whose first turns are over, told to its first two admirals; then the readers join, half on each side."""
    os.environ["REPLY_TO"] = "orders@bench.example"
    campaign = bench_campaign.campaign_of()
    from django.contrib.auth import get_user_model

    from campaign.models import Command, Membership
    from campaign.services.turn.playing import turn_play

    for _ in range(turns):
        turn_play(turn=campaign.turns.get(phase="open"))
    User = get_user_model()
    people = User.objects.bulk_create(
        User(username=f"reader-{n}", email=f"reader-{n}@bench.example") for n in range(READERS)
    )
    for n, side in enumerate(campaign.sides.all()):
        members = Membership.objects.bulk_create(
            Membership(campaign=campaign, user=user, side=side, role="admiral") for user in people[n::2]
        )
        fleets = side.navy.fleets.filter(command=None)
        Command.objects.bulk_create(
            Command(membership=m, fleet=f) for m, f in zip(members, fleets, strict=False)
        )
    return campaign


def serve() -> None:
    """Take mails and throw them away."""
    from tests.support.smtp import mail_server

    with mail_server() as server:
        print(server.port, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    serve()
