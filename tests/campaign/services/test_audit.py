"""The books of a live campaign are in order, and every error introduced into them is found and named."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import transaction

from battles.models import Battle, BattleOutcome
from campaign.models import Campaign, Report, Station, Turn, TurnSummary, UmpireAction
from campaign.services.desk.audit import campaign_audit, turns_in_order
from fleets.models import ServiceRecord, Ship
from fleets.models.ships import AppendOnlyQuerySet
from tests.campaign.services.conftest import first_turn_played
from tests.support.factories import FleetFactory, NavyFactory, PrizeFactory, ShipFactory, SquadronFactory
from tests.support.turns import turn_change

Tamper = Callable[[Campaign], Any]


@pytest.fixture
def played(db: Any) -> Campaign:
    return first_turn_played()


def _ship(campaign: Campaign) -> Any:
    return Ship.objects.filter(book=campaign.book, fate="afloat", prize=False).order_by("code")


def _one(campaign: Campaign, **changes: Any) -> None:
    Ship.objects.filter(pk=_ship(campaign).first().pk).update(**changes)


def _raw_records(campaign: Campaign) -> Any:
    """The ledger as somebody changes it who goes round the program."""
    rows = ServiceRecord.objects.filter(ship__book=campaign.book, kind="fought")
    rows.__class__ = AppendOnlyQuerySet.__mro__[1]
    return rows


def _a_stranger(campaign: Campaign) -> None:
    ShipFactory(squadron=_ship(campaign).first().squadron, code="X1", name="Stranger")


def _another_navy(campaign: Campaign) -> None:
    _one(campaign, navy=NavyFactory(book=campaign.book, code="ZZZ"))


def _a_dead_fleet(campaign: Campaign) -> None:
    fleet = FleetFactory(navy=_ship(campaign).first().navy, ended=True)
    _one(campaign, squadron=SquadronFactory(fleet=fleet))


def _a_prize_twice(campaign: Campaign) -> None:
    ship = _ship(campaign).first()
    for _ in range(2):
        PrizeFactory(ship=ship, captor=ship.navy, taken_from=ship.navy)


def _a_battle_again(campaign: Campaign) -> None:
    Battle.objects.update(status="void")


def _men_from_nowhere(campaign: Campaign) -> None:
    turn = campaign.turns.get(number=1)
    turn.state["ships"][0]["men"] += 1000
    turn_change(turn, state=turn.state)


def _an_entry_less(campaign: Campaign) -> None:
    entry = _raw_records(campaign).first()
    _raw_records(campaign).filter(pk=entry.pk).delete()


def _an_entry_changed(campaign: Campaign) -> None:
    entry = _raw_records(campaign).first()
    _raw_records(campaign).filter(pk=entry.pk).update(data={**entry.data, "hits_given": 99})


def _a_day_again(campaign: Campaign) -> None:
    campaign.turns.filter(number=2).update(first_day=0)


def _a_gap(campaign: Campaign) -> None:
    campaign.turns.filter(number=2).update(number=5)


def _a_state_of_no_shape(campaign: Campaign) -> None:
    turn_change(campaign.turns.get(number=1), state={"schema": 1})


def _holdings(campaign: Campaign, **rows: Any) -> None:
    campaign.carried = {**campaign.carried, "holdings": {**campaign.carried.get("holdings", {}), **rows}}
    campaign.save()


def _troops(campaign: Campaign, **rows: Any) -> None:
    campaign.carried = {**campaign.carried, "troops": {**campaign.carried.get("troops", {}), **rows}}
    campaign.save()


class _PutBackError(Exception):
    """Takes back what a tamper did."""


TAMPERS: list[tuple[Tamper, str]] = [
    (_a_stranger, "X1 Stranger: it is in the books but was never mustered."),
    (lambda c: _one(c, squadron=None), "it is afloat but belongs to no fleet"),
    (lambda c: _one(c, fate="sunk"), "it is sunk but sails with"),
    (_another_navy, "which is not a side in this campaign"),
    (_a_dead_fleet, "which no longer exists"),
    (lambda c: Station.objects.filter(fleet__navy__code="ENG").delete(), "no place on the chart"),
    (lambda c: _one(c, prize=True), "with no captor entered"),
    (_a_prize_twice, "entered as a prize 2 times"),
    (_men_from_nowhere, "men at its end, from"),
    (_a_battle_again, "it is void but appears in"),
    (lambda c: BattleOutcome.objects.update(written_in=""), "does not say by which turn"),
    (_an_entry_less, "has no entry of it"),
    (_an_entry_changed, "the ledger entries are not those that it wrote"),
    (
        lambda c: Station.objects.update(held_by="T9-b09"),
        "held by T9-b09 in the rows, by nothing on the chart",
    ),
    (lambda c: _one(c, men=7), "men is 7 in the books and"),
    (lambda c: _one(c, condition={"schema": 1}), "condition is"),
    (_a_day_again, "turn 2 begins with day 1, which turn 1 has already played."),
    (
        lambda c: c.turns.filter(number=2).update(first_day=4),
        "turn 2 begins with day 5, and no turn has played day 2.",
    ),
    (_a_gap, "turn 5 follows turn 1: the numbers have a gap."),
    (lambda c: c.turns.filter(number=2).delete(), "no turn is open, and the campaign is not over."),
    (lambda c: c.turns.filter(number=1).delete(), "the first turn is turn 2."),
    (
        lambda c: _holdings(c, owners={"swin": "England"}, first={"swin": ""}),
        "swin: it was taken, but it is not a port on this chart.",
    ),
    (
        lambda c: _holdings(c, owners={"dover": "Utopia"}, first={"dover": "England"}),
        "dover: it is held by Utopia, which belongs to no side in this campaign.",
    ),
    (
        lambda c: _holdings(c, owners={"dover": "Dutch Republic"}, first={"dover": "France"}),
        "dover: the owner it had at first is not the one on the chart.",
    ),
    (
        lambda c: _holdings(c, owners={"dover": "Dutch Republic"}, first={"dover": "England"}),
        "dover: held by Dutch Republic in the books, by its first owner on the chart.",
    ),
    (lambda c: _troops(c, aboard={"X9": 40}), "X9: 40 soldiers are aboard, but it is not"),
    (lambda c: _troops(c, armies=[["ENG", "nowhere", 9, 0]]), "ENG nowhere: 9 soldiers ashore cannot be."),
    (lambda c: _holdings(c, ashore=[["XXX", "dover", 9]]), "XXX dover: 9 soldiers ashore cannot be."),
    (
        lambda c: TurnSummary.objects.filter(side=None).delete(),
        "turn 1: the summary for the umpire is missing.",
    ),
    (
        lambda c: TurnSummary.objects.filter(side__navy__code="ENG").update(events=[]),
        "turn 1: the summary for England is not that of its report.",
    ),
    (lambda c: Report.objects.filter(side=None).delete(), "a summary of turn 1 belongs to no report."),
    (_a_state_of_no_shape, "The stored state of turn 1 cannot be read: it has no “fleets”."),
]


@pytest.mark.clause("G.BT2", "G.BT3", "G.BT4", "G.CL2", "G.LD1", "G.LD4", "G.PR1", "G.SV1")
def test_every_inconsistency_is_found_and_named(played: Campaign) -> None:
    assert list(campaign_audit(campaign=played)) == []
    for tamper, said in TAMPERS:
        with contextlib.suppress(_PutBackError), transaction.atomic():
            tamper(played)
            faults = list(campaign_audit(campaign=played))
            assert any(said in fault for fault in faults), (said, faults)
            raise _PutBackError
        played.refresh_from_db()
    assert list(campaign_audit(campaign=played)) == []


@pytest.mark.clause("G.CL2", "G.UM3")
def test_two_turns_open_at_once_are_found_wherever_they_come_from() -> None:
    first, second, third = (
        Turn(number=number, phase=phase, first_day=day, days_run=days)
        for number, phase, day, days in ((1, "closed", 0, 3), (2, "running", 3, 0), (3, "open", 3, 0))
    )
    assert list(turns_in_order([first, second], over=False)) == []
    assert list(turns_in_order([first, second, third], over=False)) == [
        "turns 2 and 3 are open at once.",
        "turn 3 was opened before turn 2 was closed.",
    ]
    assert list(turns_in_order([first], over=True)) == []


@pytest.mark.clause("G.UM1")
def test_later_edits_by_the_umpire_are_not_errors(played: Campaign) -> None:
    ship = _ship(played).first()
    _one(played, men=7)
    assert len(list(campaign_audit(campaign=played))) == 1
    UmpireAction.objects.create(campaign=played, actor="umpire", action="edited a ship", touched=[ship.code])
    assert list(campaign_audit(campaign=played)) == []


def test_the_command_reports_it_and_ends_with_a_status(played: Campaign) -> None:
    out = StringIO()
    call_command("audit", "small", stdout=out)
    assert out.getvalue() == "A small war: no errors found\n"
    _one(played, men=9999)
    with pytest.raises(CommandError, match="1 error found") as failed:
        call_command("audit", "small", stdout=out)
    assert failed.value.returncode == 1
    with pytest.raises(CommandError, match="no campaign 'none'; available: small") as missing:
        call_command("audit", "none")
    assert missing.value.returncode == 2


def test_an_audit_takes_as_many_queries_for_many_ships_as_for_few(
    played: Campaign, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(25):
        list(campaign_audit(campaign=played))
