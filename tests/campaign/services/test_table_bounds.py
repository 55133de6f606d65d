"""Battles that people fight, at their limits: who may act, how long silence lasts, when a campaign is released."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine

from battles.models import Battle, BattleOutcome
from battles.services import outcomes
from battles.services.outcomes import OutcomeRefused
from campaign.models import Contact, Membership, Notice, Turn, UmpireAction
from campaign.rules.chart.types import FleetOrder, OnArrival
from campaign.services.battle import battles
from campaign.services.turn.turn_results import _source, refusal
from campaign.services.umpire_log import UmpireRefused
from tests.support.factories import MembershipFactory, SideFactory
from tests.support.people import World, world
from tests.support.put_back import put_back

pytestmark = pytest.mark.one_database

NOW = datetime(2026, 7, 1, 12, tzinfo=UTC)
DAY, TICK = timedelta(days=1), timedelta(microseconds=1)


@pytest.fixture
def told(db: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A campaign whose turn 1 has a battle of both sides on the tabletop; what is accepted is only noted."""
    with time_machine.travel(NOW, tick=False):
        made = world()
        Contact.objects.exclude(code="b01").delete()
        Battle.objects.exclude(code__endswith="-b01").delete()
        Battle.objects.update(route="table", status="ready")
        yield made


def battle(told: World) -> Battle:
    return Battle.objects.select_related("roster").get()


def refused(act: Any, **more: Any) -> str:
    """Why an act is refused, "" when it is done; an error of the program is no refusal, and is told with its class."""
    try:
        act(**more)
    except (OutcomeRefused, UmpireRefused) as why:
        return str(why)
    except Exception as error:
        return repr(error)
    return ""


@pytest.mark.clause("G.BT5")
def test_only_those_who_fought_and_the_umpire_handle_a_result(
    told: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, str]] = []

    def noted(*, battle: Battle, by: str, side: str, **_: Any) -> Any:
        asked.append((by, side))
        raise OutcomeRefused("stop here")

    monkeypatch.setattr(outcomes, "outcome_propose", noted)
    france = MembershipFactory(side=SideFactory(campaign=told.campaign, nation="France"))
    for member, said in (
        (told.english, "stop here"), (told.dutch, "stop here"), (told.umpire, "stop here"),
        (told.observer, "Only the sides that fought this battle"), (france, "Only the sides that fought this battle"),
    ):  # fmt: skip
        assert refused(battles.result_propose, battle=battle(told), membership=member).startswith(said), (
            member
        )
    assert asked == [("english", "ENG"), ("dutch", "NLD"), ("umpire", "")]
    answer = {"battle": battle(told), "membership": told.umpire, "confirm": True, "version": 1}
    assert refused(battles.result_answer, **answer).startswith(
        "Only the sides that fought can confirm or dispute"
    )


@pytest.mark.clause("G.BT5")
def test_sides_without_an_admiral_are_not_asked(told: World) -> None:
    assert battles.silent_sides(told.campaign) == set()
    SideFactory(campaign=told.campaign, nation="France")
    assert battles.silent_sides(told.campaign) == {"FRA"}
    Membership.objects.filter(pk=told.dutch.pk).update(left=NOW)
    assert battles.silent_sides(told.campaign) == {"FRA", "NLD"}


@pytest.mark.clause("G.BT5")
def test_an_undisputed_result_is_accepted_when_its_days_are_over(
    told: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    accepted: list[str] = []
    monkeypatch.setattr(outcomes, "outcome_accept", lambda *, battle: accepted.append(battle.code))
    row = BattleOutcome.objects.create(
        battle=battle(told), document={}, roster_digest="x", state_hash="", status="proposed"
    )
    told.campaign.settings = {"confirm_days": 2}
    told.campaign.save()
    for proposed, status, paused, done in (
        (NOW - 2 * DAY + TICK, "proposed", False, 0), (NOW - 2 * DAY, "proposed", False, 1), (NOW - 9 * DAY, "proposed", False, 1),
        (None, "proposed", False, 0), (NOW - 9 * DAY, "disputed", False, 0), (NOW - 9 * DAY, "proposed", True, 0),
    ):  # fmt: skip
        accepted.clear()
        BattleOutcome.objects.filter(pk=row.pk).update(proposed=proposed, status=status)
        type(told.campaign).objects.update(status="paused" if paused else "active")
        before = UmpireAction.objects.count()
        assert battles.results_lapse() == len(accepted) == done, (proposed, status)
        assert UmpireAction.objects.count() == before + done


@pytest.mark.clause("G.BT4")
def test_umpires_are_asked_once_about_a_battle_a_campaign_has_waited_for_too_long(told: World) -> None:
    def asked(settings: Any, ago: timedelta, **changes: Any) -> int:
        with put_back():
            told.campaign.settings = settings
            told.campaign.save()
            Battle.objects.update(**{"spawned": NOW - ago, **changes})
            count = battles.waiting_told()
            assert battles.waiting_told() == 0, "once"
            assert Notice.objects.filter(event__endswith="-waited").count() == count
        return count

    waits = {"campaign_waits": "yes", "battle_wait_days": 5}
    assert asked(waits, 5 * DAY) == asked(waits, 6 * DAY) == 1
    assert asked(waits, 5 * DAY - TICK) == asked({"battle_wait_days": 5}, 9 * DAY) == 0
    assert asked(waits, 9 * DAY, status="fought") == asked(waits, 9 * DAY, route="engine") == 0
    assert asked(waits, 9 * DAY, route="orders") == 1
    Turn.objects.filter(pk=told.closed.pk).update(ongoing=["b01"])
    assert asked(waits, 9 * DAY) == 0


@pytest.mark.clause("G.BT4", "G.UM1")
def test_a_campaign_can_be_released_only_while_it_waits_for_that_battle(told: World) -> None:
    who, waiting = told.umpire.user, {"phase": "fighting", "ongoing": [], "claim": None}
    for turn, changes, good in (
        (waiting, {}, True), ({**waiting, "phase": "running"}, {}, False), ({**waiting, "ongoing": ["b01"]}, {}, False),
        (waiting, {"route": "engine"}, False), (waiting, {"status": "fought"}, False), (waiting, {"route": "orders"}, True),
        ({**waiting, "ongoing": ["b07"]}, {}, True),
    ):  # fmt: skip
        with put_back():
            Turn.objects.filter(pk=told.turn.pk).delete()
            Turn.objects.filter(pk=told.closed.pk).update(**turn)
            Battle.objects.update(**changes)
            row = battle(told)
            said = refused(battles.battle_let_go, battle=row, umpire=who, reason="no club night")
            assert said == ("" if good else "No turn is waiting for this battle."), (turn, changes)
            ongoing = Turn.objects.get(pk=told.closed.pk).ongoing
            assert ongoing == ([*turn["ongoing"], "b01"] if good else turn["ongoing"])
    assert "Enter a reason" in refused(battles.battle_let_go, battle=battle(told), umpire=who, reason=" ")
    assert Contact.objects.filter(battle=battle(told)).count() == 1


# --- what a turn leaves -----------------------------------------------------------------------------------------


@pytest.mark.clause("G.MV2")
@pytest.mark.parametrize(
    ("route", "arrival", "given", "source"),
    [
        ((), OnArrival.ANCHOR, None, "standing"),
        (("swin",), OnArrival.ANCHOR, None, "standing"),
        ((), OnArrival.ANCHOR, [], "opening"),
        (("swin",), OnArrival.ANCHOR, ["nore", "swin"], "opening"),
        ((), OnArrival.ANCHOR, ["swin"], "standing"),
        ((), OnArrival.PATROL, ["swin"], "opening"),
    ],
)
def test_a_fleet_sails_under_the_orders_of_the_opening_until_they_are_carried_out(
    route: tuple[str, ...], arrival: OnArrival, given: list[str] | None, source: str
) -> None:
    assert _source(FleetOrder("F", route=route, on_arrival=arrival), given) == source


@pytest.mark.clause("G.MV3")
def test_a_refusal_gives_every_reason_with_its_clause() -> None:
    data = {"faults": [["a/b", "G.MV2", "Too far."], ["c/d", "G.IN4", "Not yours."]]}
    assert refusal(data) == "Too far. (G.MV2) Not yours. (G.IN4)"
