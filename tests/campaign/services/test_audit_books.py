"""What an audit reports and what it accepts: each check just inside and just outside its limit."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import timezone

from battles.models import Battle
from campaign.models import CalendarRow, Campaign, Contact, Station, Turn, UmpireAction
from campaign.services.desk.audit import campaign_audit, turns_in_order
from fleets.models import Prize, Ship
from tests.campaign.services.conftest import unattended
from tests.support.factories import (
    BattleFactory,
    BattleOutcomeFactory,
    FleetFactory,
    PrizeFactory,
    RepairJobFactory,
    ServiceRecordFactory,
    SquadronFactory,
)
from tests.support.put_back import put_back
from tests.support.turns import turn_change, turn_closes

pytestmark = pytest.mark.one_database

Tamper = Callable[[Campaign], Any]
JOB = {
    "side": "ENG", "port": "chatham", "hull": "light", "masts": 0, "batteries": 0, "total": 9, "needs": 1, "began": 0,
}  # fmt: skip
CASE = {"captor": "ENG", "taken_from": "NLD", "taken_by": "", "hour": 0, "aboard": 90}


def faults_after(campaign: Campaign, tamper: Tamper) -> list[str]:
    """What an audit says after a change, which is taken back again."""
    with put_back():
        tamper(campaign)
        campaign.refresh_from_db()
        try:
            found = list(campaign_audit(campaign=campaign))
        except Exception as error:
            found = [repr(error)]
    campaign.refresh_from_db()
    return found


def ships(campaign: Campaign, side: str = "ENG") -> list[Ship]:
    return list(campaign.book.ships.filter(navy__code=side).order_by("code"))


def change(campaign: Campaign, *, which: int = 0, **changes: Any) -> str:
    """Change a row of an English ship; returns her code."""
    ship = ships(campaign)[which]
    Ship.objects.filter(pk=ship.pk).update(**changes)
    return ship.code


def carry(campaign: Campaign, **carried: Any) -> None:
    Campaign.objects.filter(pk=campaign.pk).update(carried={**campaign.carried, **carried})


def check(campaign: Campaign, cases: Iterable[tuple[Tamper, list[str]]]) -> None:
    for number, (tamper, said) in enumerate(cases):
        assert faults_after(campaign, tamper) == said, number


def without_fleet(campaign: Campaign, **economy: Any) -> None:
    """The first English ship lies somewhere without a fleet; the economy has rows of her."""
    code = change(campaign, squadron=None)
    carry(campaign, economy={key: [{"ship": code, **row}] for key, row in economy.items()})


def interned(campaign: Campaign) -> None:
    carry(campaign, duties={"interned": {change(campaign, squadron=None): {}}})


@pytest.mark.clause("G.BT3", "G.SV1")
def test_a_ship_without_a_fleet_is_in_a_yard_before_a_court_in_a_neutral_port_or_sold(
    campaign: Campaign,
) -> None:
    ship = ships(campaign)[0]
    adrift = [f"{ship.code} {ship.name}: it is afloat but belongs to no fleet."]
    check(campaign, [
        (lambda c: None, []),
        (without_fleet, adrift),
        (lambda c: without_fleet(c, jobs=JOB), []),
        (interned, []),
        *(
            (lambda c, stage=stage: without_fleet(c, prizes={**CASE, "stage": stage}), said)
            for stage, said in (
                ("sailing", []), ("court", []), ("condemned", []), ("sold", []), ("hulked", []),
                ("bought", adrift), ("burnt", adrift), ("retaken", adrift), ("lost", adrift),
            )
        ),
        (lambda c: change(c, squadron=None, fate="sunk"), []),
        (lambda c: change(c, fate="burnt"), [f"{ship.code} {ship.name}: it is burnt but sails with {ship.squadron.fleet.code}."]),
    ])  # fmt: skip


def _of_the_enemy(campaign: Campaign) -> None:
    change(campaign, navy=campaign.sides.get(navy__code="NLD").navy)


def _of_the_enemy_ashore(campaign: Campaign) -> None:
    without_fleet(campaign, jobs=JOB)
    _of_the_enemy(campaign)


def _with_the_dead(campaign: Campaign, *, ended: bool) -> None:
    fleet = FleetFactory(navy=ships(campaign)[0].navy, code="DEAD", ended=ended)
    Station.objects.create(fleet=fleet, at="nore")
    change(campaign, squadron=SquadronFactory(fleet=fleet))


@pytest.mark.clause("G.CH2")
def test_a_ship_sails_with_a_living_fleet_of_her_own_side(campaign: Campaign) -> None:
    ship = ships(campaign)[0]
    her = f"{ship.code} {ship.name}"
    check(campaign, [
        (_of_the_enemy, [f"{her}: it belongs to NLD but sails with {ship.squadron.fleet.code} of ENG."]),
        (_of_the_enemy_ashore, []),
        (lambda c: _with_the_dead(c, ended=False), []),
        (lambda c: _with_the_dead(c, ended=True), [f"{her}: it sails with DEAD, which no longer exists."]),
    ])  # fmt: skip


def _captured(campaign: Campaign, captor: str, times: int = 1, **row: Any) -> None:
    navies = {side.navy.code: side.navy for side in campaign.sides.select_related("navy")}
    change(campaign, prize=True)
    for _ in range(times):
        PrizeFactory(ship=ships(campaign)[0], captor=navies[captor], taken_from=navies["NLD"], **row)


@pytest.mark.clause("G.PR1", "G.PR3")
def test_a_prize_afloat_is_entered_once_for_the_side_that_has_her(campaign: Campaign) -> None:
    ship = ships(campaign)[0]
    her = f"{ship.code} {ship.name}"
    nobodys = [f"{her}: it is a prize with no captor entered."]
    check(campaign, [
        (lambda c: _captured(c, "ENG"), []),
        (lambda c: _captured(c, "NLD"), [f"{her}: a prize of NLD in the books, but ENG has it."]),
        (lambda c: _captured(c, "ENG", 3), [f"{ship.code}: entered as a prize 3 times."]),
        (lambda c: _captured(c, "ENG", status=Prize.Status.SOLD), nobodys),
        (lambda c: change(c, prize=True), nobodys),
        (lambda c: change(c, prize=True, fate="sunk", squadron=None), []),
    ])  # fmt: skip


def _berths(campaign: Campaign, *berths: int) -> None:
    codes = [ship.code for ship in ships(campaign)]
    jobs = [{"ship": code, **JOB, "berth": berth} for code, berth in zip(codes, berths, strict=False)]
    carry(campaign, economy={"jobs": jobs})


def _elsewhere(campaign: Campaign, **other: Any) -> None:
    first, second, *_ = ships(campaign)
    rows = [{"ship": first.code, **JOB, "berth": 1}, {"ship": second.code, **JOB, "berth": 1, **other}]
    carry(campaign, economy={"jobs": rows})


@pytest.mark.clause("G.RP2")
def test_a_berth_holds_one_ship_and_any_number_wait_or_lie_afloat(campaign: Campaign) -> None:
    check(campaign, [
        (lambda c: _berths(c, 1, 2, 3), []),
        (lambda c: _berths(c, 1, 1), ["chatham: berth 1 of ENG holds 2 ships."]),
        (lambda c: _berths(c, 2, 2, 2), ["chatham: berth 2 of ENG holds 3 ships."]),
        (lambda c: _berths(c, 0, 0), []),
        (lambda c: _berths(c, -1, -1), []),
        (lambda c: _elsewhere(c, port="harwich"), []),
        (lambda c: [RepairJobFactory(ship=ship, berth=berth) for ship, berth in zip(ships(c), (1, 2), strict=False)], []),
    ])  # fmt: skip


def _kept(campaign: Campaign, **changes: Any) -> None:
    code = change(campaign, which=0, **changes) if changes else ships(campaign)[0].code
    carry(campaign, prizes={code: {"prisoners": 12, "taken_from": "NLD"}})


@pytest.mark.clause("G.PR1", "G.PR5")
def test_prisoners_are_kept_in_prizes_and_no_number_of_men_is_negative(campaign: Campaign) -> None:
    code = ships(campaign)[0].code
    wrong = [f"{code}: 12 prisoners are aboard, but it is not a prize."]

    def prize(campaign: Campaign) -> None:
        _captured(campaign, "ENG")
        _kept(campaign)

    check(campaign, [
        (prize, []),
        (_kept, wrong),
        (lambda c: _kept(c, fate="sunk", squadron=None), []),
        (lambda c: _kept(c, fate="sunk", squadron=None, prize=True), []),
        (lambda c: carry(c, prizes={"NONE": {"prisoners": 12}}), ["NONE: 12 prisoners are aboard, but it is not a prize."]),
        (lambda c: carry(c, economy={"prisoners": [["ENG", "chatham", "NLD", 0]], "ashore": [["ENG", "chatham", 0]]}), []),
        (lambda c: carry(c, economy={"prisoners": [["ENG", "chatham", "NLD", -1]], "ashore": [["ENG", "nore", -2]]}),
         ["ENG chatham NLD: -1 men.", "ENG nore: -2 men."]),
    ])  # fmt: skip


def _soldiers(campaign: Campaign, *, aboard: int = 0, army: int | None = None, **ship: Any) -> None:
    """aboard: in the first English ship, which is changed. army: in Dover."""
    code = change(campaign, **ship) if ship else ships(campaign)[0].code
    armies = [] if army is None else [["ENG", "dover", army, 0]]
    carry(campaign, troops={"aboard": {code: aboard} if aboard else {}, "armies": armies})


def _port(campaign: Campaign, port: str, owner: str, first: str, ashore: int | None = None) -> None:
    landed = [] if ashore is None else [["NLD", port, ashore]]
    carry(campaign, holdings={"owners": {port: owner}, "first": {port: first}, "ashore": landed})


@pytest.mark.clause("G.LD1", "G.LD2", "G.LD4")
def test_ports_and_soldiers_are_held_by_those_who_can_hold_them(campaign: Campaign) -> None:
    code = ships(campaign)[0].code
    nowhere = [f"{code}: 40 soldiers are aboard, but it is not a ship of war or a transport afloat."]

    def in_a_prize(campaign: Campaign) -> None:
        _captured(campaign, "ENG")
        _soldiers(campaign, aboard=40)

    check(campaign, [
        (lambda c: _soldiers(c, aboard=40), []),
        (lambda c: _soldiers(c, aboard=40, fate="interned", squadron=None), []),
        (lambda c: _soldiers(c, aboard=40, fate="sunk", squadron=None), nowhere),
        (in_a_prize, nowhere),
        (lambda c: _soldiers(c, army=1), []),
        (lambda c: _soldiers(c, army=0), ["ENG dover: 0 soldiers ashore cannot be."]),
        (lambda c: _port(c, "dover", "Dutch Republic", "England", ashore=1), []),
        (lambda c: _port(c, "dover", "Dutch Republic", "England", ashore=0), ["NLD dover: 0 soldiers ashore cannot be."]),
        (lambda c: _port(c, "ostend", "Spain", "Spain"), []),
        (lambda c: _port(c, "ostend", "France", "Spain"), ["ostend: it is held by France, which belongs to no side in this campaign."]),
        (lambda c: _port(c, "atlantis", "England", ""), ["atlantis: it was taken, but it is not a port on this chart."]),
    ])  # fmt: skip


@pytest.mark.clause("G.CA2", "G.UM3")
def test_a_ship_that_is_still_to_come_has_no_fleet_unless_it_sails_all_the_same(campaign: Campaign) -> None:
    ship = ships(campaign)[0]

    def to_come(campaign: Campaign, **changes: Any) -> None:
        change(campaign, **changes)
        sheets = {"ships": [{"code": ship.code}], "officers": []}
        CalendarRow.objects.create(campaign=campaign, code="late", deed="arrive", sheets=sheets)

    fleet = ship.squadron.fleet.code
    check(campaign, [
        (lambda c: to_come(c, squadron=None), []),
        (lambda c: (to_come(c, squadron=None), CalendarRow.objects.filter(code="late").delete()),
         [f"{ship.code} {ship.name}: it is afloat but belongs to no fleet."]),
        (to_come, []),
        (lambda c: to_come(c, fate="sunk"), [f"{ship.code} {ship.name}: it is sunk but sails with {fleet}."]),
    ])  # fmt: skip


def fought(campaign: Campaign, battle_is: str, *, entries: Iterable[int] = (), **outcome: Any) -> None:
    """A battle of the first two English ships. entries: which of them have an entry of it, by number."""
    battle = BattleFactory(book=campaign.book, code="T1-b01", status=battle_is)
    own = ships(campaign)
    if outcome:
        row = {
            "document": {"ships": [{"ship": ship.code} for ship in own[:2]]},
            "written_in": "W/1",
            "status": "written",
        }
        BattleOutcomeFactory(battle=battle, **{**row, **outcome})
    for n, which in enumerate(entries):
        ServiceRecordFactory(ship=own[which], kind="fought", battle="T1-b01", event=f"fought/{n}", data={})


@pytest.mark.clause("G.BT2")
def test_an_applied_battle_appears_once_in_the_ledger_of_every_ship_that_fought_and_no_other_does(
    campaign: Campaign,
) -> None:
    a, b, c = (ship.code for ship in ships(campaign)[:3])
    unsaid = ["T1-b01: it is applied, but its result does not say by which turn."]
    written = {"written_in": "W/1"}
    shown = Battle(status="fought").get_status_display()
    check(campaign, [
        (lambda x: fought(x, "written", entries=(0, 1), **written), []),
        (lambda x: fought(x, "written", entries=(0,), **written), [f"T1-b01: {b} has no entry of it."]),
        (lambda x: fought(x, "written", entries=(0, 1, 2), **written), [f"T1-b01: {c} has an entry and was not there."]),
        (lambda x: fought(x, "written", entries=(0, 0, 1), **written), [f"T1-b01: {a} has 2 entries of it."]),
        (lambda x: fought(x, "written"), unsaid),
        (lambda x: fought(x, "written", written_in=""), unsaid),
        (lambda x: fought(x, "written", status="accepted"), unsaid),
        (lambda x: fought(x, "fought", **written), []),
        (lambda x: fought(x, "fought", entries=(0, 1), **written), [f"T1-b01: it is {shown} but appears in 2 service records."]),
    ])  # fmt: skip


def _held(
    campaign: Campaign, *, row: str = "", chart: bool = True, status: str = "", ended: bool = False
) -> None:
    """row: what holds the English fleet in its row. chart: the chart has it held by T1-b01. status: of that battle, "" for none."""
    fleet = ships(campaign)[0].squadron.fleet
    Station.objects.filter(fleet=fleet).update(held_by=row)
    if chart:
        carry(campaign, held={"T1-b01": {"fleets": {"ENG": [fleet.code]}}})
    if status:
        battle = BattleFactory(book=campaign.book, code=f"{campaign.book.code}-T1-b01", status=status)
        Contact.objects.create(
            turn=campaign.turns.get(number=1), code="b01", hour=4, place="x", battle=battle
        )
    if ended:
        dead = FleetFactory(navy=fleet.navy, code="DEAD", ended=True)
        Station.objects.create(fleet=dead, at="nore", held_by="T1-b09")


@pytest.mark.clause("G.BT4")
def test_a_fleet_is_held_by_an_open_battle_in_its_records_and_on_the_chart(campaign: Campaign) -> None:
    fleet = ships(campaign)[0].squadron.fleet.code
    closed = ["T1-b01: it holds fleets, but the battle is not open."]
    loose = [f"{fleet}: held by nothing in the rows, by T1-b01 on the chart."]
    stuck = [f"{fleet}: held by T1-b01 in the rows, by nothing on the chart."]
    other = [f"{fleet}: held by T1-b02 in the rows, by T1-b01 on the chart."]
    check(campaign, [
        (lambda c: _held(c, row="T1-b01", status="ready"), []),
        (lambda c: _held(c, row="T1-b01", status="fought"), []),
        (lambda c: _held(c, row="T1-b01", status="ready", ended=True), []),
        (lambda c: _held(c, row="T1-b01", status="void"), closed),
        (lambda c: _held(c, row="T1-b01"), closed),
        (lambda c: _held(c, status="ready"), loose),
        (lambda c: _held(c, row="T1-b01", chart=False), stuck),
        (lambda c: _held(c, row="T1-b02", status="ready"), other),
    ])  # fmt: skip


# --- a turn that is over ----------------------------------------------------------------------------------


@pytest.fixture
def peaceful(campaign: Campaign) -> Campaign:
    """The first turn has been played, and nobody met anybody."""
    for n, station in enumerate(
        Station.objects.filter(fleet__navy__book=campaign.book).order_by("fleet__code")
    ):
        station.at = ("torbay", "texel")[n]
        station.save()
    campaign.turns.get().orders.update(stance="hold")
    unattended(campaign)
    turn_closes(campaign.turns.get())
    assert not Battle.objects.exists()
    campaign.refresh_from_db()
    return campaign


def _men(campaign: Campaign, more: int, recruits: int = 0) -> None:
    """More men at the end of the turn than at its beginning, in the state and in the row."""
    turn = campaign.turns.get(number=1)
    row = turn.state["ships"][0]
    row["men"] += more
    Ship.objects.filter(book=campaign.book, code=row["code"]).update(men=row["men"])
    if recruits:
        turn.state["events"].append([5, "recruited", "G.CR1", ["ENG"], {"men": recruits, "place": "chatham"}])
    turn_change(turn, state=turn.state)


def _edit(campaign: Campaign, code: str, **when: Any) -> None:
    action = UmpireAction.objects.create(campaign=campaign, actor="u", action="edited a ship", touched=[code])
    for key, at in when.items():
        UmpireAction.objects.filter(pk=action.pk).update(**{key: at})


def _edited(campaign: Campaign, ago: timedelta, *, forgotten: bool = False) -> None:
    code = change(campaign, men=7)
    closed = campaign.turns.get(number=1).closed
    _edit(campaign, code, at=closed - ago)
    if forgotten:
        campaign.turns.filter(number=1).update(closed=None)


@pytest.mark.clause("G.CR1", "G.CL2", "G.SV1", "G.UM1")
def test_after_a_turn_the_records_agree_with_the_chart_about_every_ship(peaceful: Campaign) -> None:
    ship = ships(peaceful)[0]
    her, turn = f"{ship.code} {ship.name}", peaceful.turns.get(number=1)
    everybody = sum(Ship.objects.filter(book=peaceful.book).values_list("men", flat=True))
    squadron = SquadronFactory(fleet=FleetFactory(navy=ship.navy, code="OTHER"))
    Station.objects.create(fleet=squadron.fleet, at="nore")
    fleet = ship.squadron.fleet.code
    men = f"{her}: men is 7 in the books and {ship.men} on the chart."
    second = timedelta(microseconds=1)
    check(peaceful, [
        (lambda c: None, []),
        (lambda c: _men(c, -1), []),
        (lambda c: _men(c, 1), [f"turn 1: {everybody + 1} men at its end, from {everybody} and 0 recruits."]),
        (lambda c: _men(c, 5, 5), []),
        (lambda c: _men(c, 6, 5), [f"turn 1: {everybody + 6} men at its end, from {everybody} and 5 recruits."]),
        (lambda c: c.turns.filter(number=1).update(records_hash=""), []),
        (lambda c: c.turns.filter(number=1).update(records_hash="ab"), ["turn 1: the ledger entries are not those that it wrote."]),
        (lambda c: change(c, men=7), [men]),
        (lambda c: change(c, squadron=squadron), [f"{her}: fleet is 'OTHER' in the books and '{fleet}' on the chart."]),
        (lambda c: change(c, fate="sunk", squadron=None, men=7), [f"{her}: fate is 'sunk' in the books and 'afloat' on the chart."]),
        (lambda c: _captured(c, "ENG"), [f"{her}: prize is True in the books and False on the chart."]),
        (lambda c: change(c, code="ZZZ9"), [f"{ship.code}: it is on the chart but not in the books."]),
        (lambda c: _edited(c, timedelta(0)), []),
        (lambda c: _edited(c, -second), []),
        (lambda c: _edited(c, second), [men]),
        (lambda c: _edited(c, second, forgotten=True), []),
        (lambda c: (change(c, men=7), _edit(c, "another")), [men]),
        (lambda c: (change(c, men=7), turn_change(c.turns.get(number=2), state={"schema": 1})), []),
        (lambda c: (change(c, men=7), turn_change(c.turns.get(number=1), state=None)), []),
    ])  # fmt: skip
    assert turn.closed <= timezone.now()


# --- turns in their order ---------------------------------------------------------------------------------


def rows(*turns: tuple[int, str, int, int]) -> list[Any]:
    return [
        SimpleNamespace(number=n, phase=phase, first_day=day, days_run=run) for n, phase, day, run in turns
    ]


@pytest.mark.clause("G.CL2", "G.CL3")
@pytest.mark.parametrize(
    ("turns", "over", "said"),
    [
        ([], True, []),
        ([], False, ["no turn is open, and the campaign is not over."]),
        ([(1, "open", 0, 0)], False, []),
        ([(1, "open", 0, 0)], True, []),
        ([(1, "closed", 0, 3)], True, []),
        ([(1, "closed", 0, 3)], False, ["no turn is open, and the campaign is not over."]),
        ([(2, "open", 0, 0)], False, ["the first turn is turn 2."]),
        ([(1, "closed", 0, 3), (2, "open", 3, 0)], False, []),
        ([(1, "closed", 0, 3), (2, "open", 2, 0)], False, ["turn 2 begins with day 3, which turn 1 has already played."]),
        ([(1, "closed", 0, 3), (2, "open", 4, 0)], False, ["turn 2 begins with day 5, and no turn has played day 4."]),
        ([(1, "closed", 0, 3), (3, "open", 3, 0)], False, ["turn 3 follows turn 1: the numbers have a gap."]),
        ([(1, "failed", 0, 3), (2, "closed", 3, 3)], False, ["turn 2 was opened before turn 1 was closed."]),
        ([(1, "closed", 0, 3), (2, "closed", 3, 1), (3, "open", 4, 0)], False, []),
    ],
)  # fmt: skip
def test_turns_follow_each_other_without_a_gap_in_numbers_or_days(
    turns: list[Any], over: bool, said: list[str]
) -> None:
    assert list(turns_in_order(rows(*turns), over=over)) == said


@pytest.mark.clause("G.EN1")
def test_a_finished_campaign_has_no_open_turn_and_needs_none(campaign: Campaign) -> None:
    def over(campaign: Campaign, status: str) -> None:
        campaign.turns.update(phase=Turn.Phase.CLOSED)
        Campaign.objects.filter(pk=campaign.pk).update(status=status)

    check(campaign, [
        (lambda c: over(c, "closed"), []),
        (lambda c: over(c, "paused"), ["no turn is open, and the campaign is not over."]),
    ])  # fmt: skip
