"""A throw-away site to walk over: a campaign that is played, a public one that is over, and battles of the other rule sets."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

from tests import bench_campaign

PLAYED, OVER = "narrow-seas-1666", "yellow-sea-1904"
# the theatre of each, and the rule set, "" for the one that its opening names
THEATRES = {PLAYED: ("narrow_seas_1666", ""), OVER: ("yellow_sea_1904", "barker")}
# of both campaigns; the first admiral has the first side
PEOPLE = ("umpire", "admiral", "enemy", "observer")
# a battle of each of the other rule sets, on its own board: the campaign's code, whose pages of a battle are walked
BOARDS = {"thomas": "board-thomas", "age_of_sail": "board-age-of-sail", "cordery": "yellow-sea-1904-2"}
STRANGER, ADMINISTRATOR = "stranger", "administrator"


def site_make(folder: Path, turns: int) -> None:
    """Sets Django up on the folder's database; plays both campaigns until so many turns of each are closed."""
    bench_campaign.site_at(folder)
    from django.contrib.auth import get_user_model
    from django.core.management import call_command

    from campaign.models import Campaign
    from tests.campaign.services.conftest import start as small_war

    users = get_user_model().objects
    if not users.exists():
        call_command("load_registers", stdout=StringIO())
        call_command("load_theatres", stdout=StringIO())
        for name in PEOPLE:
            users.create_user(name, f"{name}@club.example", is_staff=name == "umpire")
        users.create_superuser(ADMINISTRATOR, f"{ADMINISTRATOR}@club.example")
    for code, (theatre, rule_set) in THEATRES.items():
        if not Campaign.objects.filter(book__code=code).exists():
            _start(theatre, rule_set)
        _play(code, turns)
    for rule_set, code in BOARDS.items():
        if not Campaign.objects.filter(book__code=code).exists():
            if rule_set == "cordery":
                _start(THEATRES[OVER][0], rule_set)
            else:
                small_war(code, rule_set=rule_set)
        _play(code, 1)
    _publish()


def _start(theatre: str, rule_set: str) -> None:
    from django.contrib.auth import get_user_model

    from campaign.models import Membership, Theatre
    from campaign.services.orders.openings import opening_of
    from campaign.services.setup.demo import demo_start
    from fleets.selectors.registers import register_by_code

    umpire, admiral, enemy, observer = (get_user_model().objects.get(username=name) for name in PEOPLE)
    campaign = demo_start(
        theatre=Theatre.objects.get(code=theatre),
        register=register_by_code(opening_of(theatre)["register"]),
        umpire=umpire, seed="the walk", admirals=[admiral, enemy], rule_set=rule_set,
    )  # fmt: skip
    Membership.objects.create(campaign=campaign, user=observer, role=Membership.Role.OBSERVER)


def _play(code: str, turns: int) -> None:
    from campaign.models import Campaign, Turn
    from campaign.services.turn.playing import turn_play

    campaign = Campaign.objects.get(book__code=code)
    while campaign.turns.filter(phase=Turn.Phase.CLOSED).count() < turns:
        turn = campaign.turns.filter(phase=Turn.Phase.OPEN).first()
        if turn is None:
            return  # its rules have ended it
        print(f"Playing turn {turn.number} of {campaign.name} ...", flush=True)
        turn_play(turn=turn)


def _publish() -> None:
    """Both campaigns get their public pages; one is ended, and the front page shows it. Admirals take over from the automatic ones."""
    from django.contrib.auth import get_user_model

    from campaign.models import Campaign, PublicPage
    from campaign.services.settings.publicity import publicity_change
    from campaign.services.turn.ending import campaign_close

    umpire = get_user_model().objects.get(username="umpire")
    for code in THEATRES:
        campaign = Campaign.objects.get(book__code=code)
        campaign.sides.update(automatic=False)
        if code == OVER and campaign.status != Campaign.Status.CLOSED:
            campaign_close(campaign=campaign, umpire=umpire.get_username(), reason="Peace is made.")
        publicity_change(campaign=campaign, umpire=umpire, open_=True, score=True, delay=0, indexed=False)
    PublicPage.objects.filter(campaign__book__code=OVER).update(showcase=True)


@contextmanager
def served() -> Iterator[str]:
    """The site on a free port of this machine. Yields its address."""
    from pytest_django.live_server_helper import LiveServer

    server = LiveServer("127.0.0.1")
    try:
        yield server.url
    finally:
        server.stop()


@contextmanager
def worst_chart_shown() -> Iterator[None]:
    """Whoever opens a campaign's chart is shown the worst one known."""
    from tests.support.worst_chart import worst_chart

    chart: Any = worst_chart()
    with patch("campaign.views.campaign.chart_page", lambda *_args, **_more: chart):
        yield
