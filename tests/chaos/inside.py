"""What chaos does inside an installation, in a process of its own that is never killed: `python -m tests.chaos.inside COMMAND`.

make: the demo campaign of 1666. clock: lets turns fall due, one after another, does what an umpire would about work that was given
up, and writes what it sees into a file. books: all that has to be the same however often parts were killed, as JSON.
desk: what the umpire's desk says. later: makes so many hours pass for mail that waits. many: a number of campaigns and one whose fleets
are nowhere, all due. states: how far they have come. sound: what is wrong in them.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import django

SEED = "chaos"
CODE = "chaos"
SOON = "caribbean"  # a theatre whose turns are soon run
# Written as the clock on the wall has it, or because something was killed: no two runs have the same.
BY_THE_WALL = ("reminder", "digest", "umpire_digest", "work_failed")
GAZE = 0.05  # seconds between two looks at the database


def make(arguments: Sequence[str]) -> None:
    """The campaign, of 1666 or in a theatre of that name, with an umpire and an admiral a side who get mail.

    The automatic admiral orders, and no objective ends it early.
    """
    from django.contrib.auth import get_user_model
    from django.core.management import call_command

    from campaign.services.orders.openings import opening_of
    from campaign.services.setup.demo import demo_start
    from campaign.services.setup.setup import shipped_theatres, theatre_load
    from fleets.selectors.registers import register_by_code

    (theatre,) = arguments or ("narrow_seas_1666",)
    call_command("load_registers", verbosity=0)
    path = next(path for path in shipped_theatres() if path.stem == theatre)
    people = get_user_model().objects
    umpire = people.create_user("umpire", "umpire@club.example")
    admirals = [people.create_user(name, f"{name}@club.example") for name in ("english", "dutch")]
    campaign = demo_start(
        theatre=theatre_load(document=json.loads(path.read_text())),
        register=register_by_code(opening_of(theatre)["register"]),
        umpire=umpire,
        seed=SEED,
        code=CODE,
        admirals=admirals,
    )
    campaign.settings = {**campaign.settings, "objectives": "off"}
    campaign.save(update_fields=["settings"])


def clock(arguments: Sequence[str]) -> None:
    """Until all turns are closed and all mail is out. arguments: how many turns, the file that allows them, the file to write.

    What it writes: closed turns, whether anything is claimed, for how many seconds no work was in hand or waited, the most turns ever seen
    open, and works given up and tried again.
    """
    from django.db import DatabaseError, close_old_connections

    turns, allowed, seen = int(arguments[0]), Path(arguments[1]), Path(arguments[2])
    state: dict[str, Any] = {
        "closed": 0, "busy": False, "calm": 0.0, "most_open": 0, "again": 0, "done": False
    }  # fmt: skip
    worked = time.monotonic()
    while not state["done"]:
        close_old_connections()
        try:
            if _look(state, turns, int(allowed.read_text() or 0)):
                worked = time.monotonic()
        except DatabaseError as error:  # busy, or on its way back
            print(error, flush=True)
            worked = time.monotonic()
        state["calm"] = time.monotonic() - worked
        aside = seen.with_suffix(".new")
        aside.write_text(json.dumps(state))
        aside.replace(seen)
        time.sleep(GAZE)


def _look(state: dict[str, Any], turns: int, allowed: int) -> bool:
    """Takes a look at the work, and lets a turn fall due. Returns whether any is in hand or waits."""
    from django.db.models import Q
    from django.utils import timezone

    from battles.models import Battle
    from campaign.models import Notice, Turn

    now = timezone.now()
    phases = dict(Turn.objects.values_list("number", "phase"))
    unfinished = [number for number, phase in phases.items() if phase != Turn.Phase.CLOSED]
    state["closed"] = sum(phase == Turn.Phase.CLOSED for phase in phases.values())
    state["most_open"] = max(state["most_open"], len(unfinished))
    held = Q(claim__isnull=False, lease_until__gte=now)
    state["busy"] = any(model.objects.filter(held).exists() for model in (Turn, Battle, Notice))
    Turn.objects.filter(phase=Turn.Phase.OPEN, number__lte=allowed).exclude(deadline__lte=now).update(
        deadline=now
    )
    state["again"] += _try_again()
    unsent = Notice.objects.exclude(status=Notice.Status.SENT).exclude(kind__in=BY_THE_WALL).exists()
    at_work = unsent or state["busy"] or state["closed"] < min(allowed, turns)
    state["done"] = state["closed"] >= turns and not at_work
    return at_work


def _try_again() -> int:
    """What the umpire does about battles and turns that were given up. Returns how many."""
    from django.contrib.auth import get_user_model

    from campaign.models import Turn
    from campaign.services.desk.desk import turn_start_again

    umpire = get_user_model().objects.get(username="umpire")
    failed = Turn.objects.filter(phase=Turn.Phase.FAILED).select_related("campaign__book")
    return sum(turn_start_again(turn=turn, umpire=umpire, reason="Parts were killed.") for turn in failed)


def books(arguments: Sequence[str]) -> None:
    """Prints the comparison's facts. With the number of a turn, that one alone is verified, and none with 0."""
    from campaign.models import Campaign, Notice, Turn
    from campaign.services.desk.audit import campaign_audit
    from campaign.services.turn.turns import battles_of
    from campaign.services.turn.verify import Verdict, battle_verify, campaign_verify, turn_verify
    from fleets.models import Prize, ServiceRecord, Ship

    campaign = Campaign.objects.select_related("book", "theatre").get()
    ships = Ship.objects.values_list("code", "navy__code", "fate", "men", "prize", "condition")
    records = ServiceRecord.objects.values_list("ship__code", "when", "kind", "event", "data")
    notices = Notice.objects.exclude(kind__in=BY_THE_WALL)
    closed = Turn.objects.filter(phase=Turn.Phase.CLOSED)
    findings = [] if arguments else list(campaign_verify(campaign=campaign))
    for turn in closed.filter(number__in=arguments):
        findings += turn_verify(turn=turn)
        findings += [row for battle in battles_of(turn.pk) for row in battle_verify(battle=battle, turn=turn)]
    facts: Mapping[str, Any] = {
        "state hashes": [list(row) for row in closed.order_by("number").values_list("number", "state_hash")],
        "ships": sorted(map(_line, ships)),
        "prizes": sorted(map(_line, Prize.objects.values_list("ship__code", "battle", "status", "value"))),
        "service records": sorted(map(_line, records)),
        "emails": sorted(map(_line, notices.values_list("event", "kind", "channel", "address", "subject"))),
        "tried twice": sorted(map(str, Notice.objects.filter(attempts__gt=1).values_list("pk", flat=True))),
        "errors in the books": list(map(str, campaign_audit(campaign=campaign))),
        "checks that differ": [str(found) for found in findings if found.verdict == Verdict.DIFFERS],
    }
    json.dump(facts, sys.stdout)


def desk(arguments: Sequence[str]) -> None:
    """Prints the sentences on the umpire's desk."""
    from campaign.models import Campaign
    from campaign.selectors.desk.alarms import alarms_of

    for campaign in Campaign.objects.filter(book__code=arguments[0] if arguments else CODE):
        print(*(alarm.text for alarm in alarms_of(campaign)))


def later(arguments: Sequence[str]) -> None:
    """Lets the given hours pass for mail that waits and for the outage of its server: what was at noon was so many hours earlier."""
    from datetime import timedelta

    from django.db.models import F

    from campaign.models import MailOutage, Notice

    gap = timedelta(hours=int(arguments[0]))
    waiting = Notice.objects.exclude(status=Notice.Status.SENT)
    waiting.update(written=F("written") - gap, retry_after=F("retry_after") - gap)
    MailOutage.objects.update(since=F("since") - gap, until=F("until") - gap)


def many(arguments: Sequence[str]) -> None:
    """Starts so many campaigns, and one whose state is none; all are due at once."""
    from datetime import timedelta

    from django.contrib.auth import get_user_model
    from django.core.management import call_command
    from django.utils import timezone

    from campaign.models import Station, Turn
    from campaign.services.orders.openings import opening_of
    from campaign.services.setup.demo import demo_start
    from campaign.services.setup.setup import shipped_theatres, theatre_load
    from fleets.selectors.registers import register_by_code

    call_command("load_registers", verbosity=0)
    path = next(path for path in shipped_theatres() if path.stem == SOON)
    theatre = theatre_load(document=json.loads(path.read_text()))
    register = register_by_code(opening_of(SOON)["register"])
    umpire = get_user_model().objects.create_user("umpire", "umpire@club.example")
    for code in ("poison", *(f"healthy-{number}" for number in range(int(arguments[0])))):
        demo_start(theatre=theatre, register=register, umpire=umpire, seed=SEED, code=code)
    Station.objects.filter(fleet__navy__book__code="poison").update(at="nowhere")
    Turn.objects.update(deadline=timezone.now() - timedelta(minutes=11))  # the desk speaks of it after 10


def states(arguments: Sequence[str]) -> None:
    """Prints, as JSON, the phase of each campaign's first turn by its code."""
    from campaign.models import Turn

    rows = Turn.objects.filter(number=1).values_list("campaign__book__code", "phase")
    json.dump(dict(rows), sys.stdout)


def sound(arguments: Sequence[str]) -> None:
    """Prints what is wrong in any campaign but the poisoned one, and what of it does not come out again."""
    from campaign.models import Campaign
    from campaign.services.desk.audit import campaign_audit
    from campaign.services.turn.verify import Verdict, campaign_verify

    for campaign in Campaign.objects.select_related("book", "theatre").exclude(book__code="poison"):
        wrong = [row for row in campaign_verify(campaign=campaign) if row.verdict == Verdict.DIFFERS]
        for line in (*campaign_audit(campaign=campaign), *wrong):
            print(campaign.book.code, line)


def _line(row: Sequence[Any]) -> str:
    return json.dumps(row, sort_keys=True, default=str)


if __name__ == "__main__":
    django.setup()
    commands = (make, clock, books, desk, later, many, states, sound)
    {command.__name__: command for command in commands}[sys.argv[1]](sys.argv[2:])
