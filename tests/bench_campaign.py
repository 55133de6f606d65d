"""Benchmarks of the chart: a campaign day of many fleets, the pure rules alone and with rows on a SQLite file."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

FLEETS, SHIPS = 40, 200
GREAT_FLEETS, GREAT_SHIPS, GREAT_DAYS = 24, 500, 30
# What a month of 500 ships without a battle may cost, seconds of processor time.
MONTH_BUDGET = 3.0


def day_with_rows() -> tuple[Callable[[], object], int, str]:
    """A turn of one day, from locking to its reports in the outbox, 40 fleets at sea and 200 ships, no battle; each call the next day."""
    campaign = campaign_of()
    from campaign.models import Turn
    from campaign.services.turn.playing import turn_play

    return lambda: turn_play(turn=campaign.turns.get(phase=Turn.Phase.OPEN)), SHIPS, "ship"


def month_with_rows() -> tuple[Callable[[], object], int, str]:
    """Three turns of ten days, 12 fleets a side and 500 ships, no battle, with rows; each call the next thirty days."""
    campaign = campaign_of(GREAT_FLEETS, GREAT_SHIPS, turn_days=GREAT_DAYS // 3)
    from campaign.models import Turn
    from campaign.services.turn.playing import turn_play

    def month() -> None:
        for _ in range(3):
            turn_play(turn=campaign.turns.get(phase=Turn.Phase.OPEN))

    return month, GREAT_DAYS, "day"


def day_of_rules() -> tuple[Callable[[], object], int, str]:
    """The same day by the pure rules alone."""
    campaign = campaign_of()
    from battles.engine.core.dice import KeyedDice
    from campaign.rules.turn import turn as rules
    from campaign.selectors.turn.facts import turn_facts

    facts, orders = turn_facts(campaign.turns.get())

    def day() -> None:
        state = rules.begin(facts, orders, KeyedDice(b"bench"))
        _, stop = rules.advance(facts, state, {}, KeyedDice(b"bench"))
        assert type(stop).__name__ == "TurnDone", stop

    return day, SHIPS, "ship"


def site_at(folder: Path | None = None) -> None:
    """Set Django up on a database below a folder, a new one if none is named."""
    os.environ["VAR_DIR"] = str(folder or tempfile.mkdtemp(prefix="bench-"))
    os.environ["DJANGO_SETTINGS_MODULE"] = "deploy.settings.dev"
    os.environ["LOG_LEVEL"] = "ERROR"
    os.environ["DEBUG"] = "0"
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)


def campaign_of(
    fleets: int = FLEETS, ships: int = SHIPS, turn_days: int = 1, folder: Path | None = None
) -> Any:
    """A campaign in a database of its own: fleets patrol on their own side of the sea, as many ships in each as go round."""
    site_at(folder)
    from django.contrib.auth import get_user_model

    from campaign.models import Order, Station
    from campaign.services.setup.setup import campaign_start, shipped_theatres, theatre_load
    from campaign.services.setup.sides import SideStart
    from fleets.services.muster import navy_muster

    path = next(path for path in shipped_theatres() if path.stem == "narrow_seas_1666")
    register = _register(-(-ships // fleets))
    campaign = campaign_start(
        name="Bench", code="bench", theatre=theatre_load(document=json.loads(path.read_text())), rule_set="kohler",
        umpire=get_user_model().objects.create_user("umpire"), turn_days=turn_days, demo_seed="bench",
        sides=[SideStart(s, register, s, players=[_player(f"{s[0]}@bench.example")]) for s in ("England", "Dutch Republic")],
    )  # fmt: skip
    routes = {"England": ("isle_of_wight", "off_portland"), "Dutch Republic": ("heligoland", "jutland_bank")}
    turn = campaign.turns.get()
    for side in campaign.sides.select_related("navy"):
        entries = list(register.entries.filter(side=side.name))
        at, to = routes[side.name]
        for n in range(1, fleets // 2):
            navy_muster(
                navy=side.navy, entries=entries, fleet_code=f"{side.code}{n + 1}", fleet_name=f"{side.name} {n + 1}",
                rule_set="kohler",
            )  # fmt: skip
        for fleet in side.navy.fleets.all():
            Station.objects.update_or_create(fleet=fleet, defaults={"at": at})
            Order.objects.create(turn=turn, fleet=fleet, route=[to], on_arrival="patrol", stance="hold")
    return campaign


def _player(address: str) -> Any:
    from django.contrib.auth import get_user_model

    return get_user_model().objects.create_user(address, address)


def _register(ships: int) -> Any:
    from fleets.models import Nation, Register, RegisterEntry

    register = Register.objects.create(code="bench", title="Bench")
    for side in ("England", "Dutch Republic"):
        nation, _ = Nation.objects.get_or_create(name=side)
        RegisterEntry.objects.bulk_create(
            RegisterEntry(
                register=register, line=n, name=f"{side} {n}", nation=nation, side=side, ship_type="ship_of_line",
                guns=40 + n % 40, squadron="One",
            )
            for n in range(ships)
        )  # fmt: skip
    return register
