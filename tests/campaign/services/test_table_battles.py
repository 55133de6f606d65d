"""Battles on the tabletop: they hold their fleets while they last, and results are proposed, confirmed or disputed, and applied once."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from battles.models import Battle, BattleOutcome
from battles.services import outcomes
from battles.services.fighting import battle_fight, battle_seed
from battles.services.outcomes import OutcomeRefused, outcome_change, outcome_draft
from campaign.models import Campaign, Membership, Notice, Station, Turn, UmpireAction
from campaign.selectors.turn.ongoing import ongoing_battles
from campaign.services.battle import battles
from campaign.services.battle.renewals import ongoing_battles_renew
from campaign.services.desk.audit import campaign_audit
from campaign.services.sweep import sweep
from campaign.services.turn.playing import TurnFailed, turn_play
from campaign.services.turn.turns import turn_lock, turn_run
from campaign.services.turn.verify import Verdict, campaign_verify
from fleets.models import ServiceRecord, Ship
from fleets.services.ship_edits import ship_amend
from tests.campaign.services.conftest import start, unattended
from tests.campaign.services.test_turns import rows_agree
from tests.support.answers import flawless
from tests.support.put_back import put_back
from tests.support.remembered import remembered
from tests.support.table import whole_sheet
from tests.support.turns import turn_closes

Status = Battle.Status


@pytest.fixture
def table(db: Any) -> Campaign:
    """A small war fought on the table; its first turn is over, and its battle is not."""
    return on_the_table()


@remembered
def on_the_table() -> Campaign:
    campaign = start()
    campaign.settings = {"battle_route": "table", "end_turn_on": "none"}
    campaign.save()
    turn_closes(campaign.turns.get())
    campaign.refresh_from_db()
    return campaign


@pytest.fixture
def second(db: Any) -> Campaign:
    """The same, and its second turn is over too."""
    return on_the_table_still()


@remembered
def on_the_table_still() -> Campaign:
    campaign = on_the_table()
    turn_closes(campaign.turns.get(number=2))
    campaign.refresh_from_db()
    return campaign


@pytest.fixture
def battle(table: Campaign) -> Battle:
    return Battle.objects.get(book=table.book)


def member(campaign: Campaign, side: str) -> Membership:
    return campaign.memberships.get(side__name=side)


def umpire(campaign: Campaign) -> Membership:
    return campaign.memberships.get(role="umpire")


def hurt(battle: Battle, ship: str, **line: Any) -> BattleOutcome:
    """Enter something for a ship on the result sheet."""

    def change(document: dict[str, Any]) -> dict[str, Any]:
        rows = [{**row, **line} if row["ship"] == ship else row for row in document["ships"]]
        return {**document, "ships": rows, "minutes": 240}

    return flawless(
        outcome_change, battle=battle, version=outcome_draft(battle=battle).version, change=change
    )


def settle(campaign: Campaign, battle: Battle) -> None:
    """The English propose what is on the sheet, the Dutch confirm."""
    whole_sheet(battle)
    proposed = battles.result_propose(battle=battle, membership=member(campaign, "England"))
    battles.result_answer(
        battle=battle, membership=member(campaign, "Dutch Republic"), confirm=True, version=proposed.version
    )


@pytest.mark.clause("G.BT1", "G.BT4")
def test_the_campaign_continues_while_the_battle_holds_its_fleets(db: Any) -> None:
    with put_back():
        table, battle = on_the_table(), Battle.objects.get()
        assert (battle.route, battle.status) == ("table", Status.READY)
        assert set(Station.objects.values_list("held_by", flat=True)) == {"T1-b01"}
        assert ongoing_battles(table)["T1-b01"] == battle
    following = on_the_table_still().turns.get(number=2)
    assert following.phase == Turn.Phase.CLOSED
    assert set(Station.objects.values_list("held_by", flat=True)) == {"T1-b01"}
    assert not sweep().battles


@pytest.mark.clause("G.FA1", "G.BT1", "G.BT4")
def test_the_dice_of_a_battle_that_outlives_its_turn_are_sealed_until_it_is_applied(
    table: Campaign, battle: Battle, client: Any
) -> None:
    Campaign.objects.update(settings={**table.settings, "secrets_after": 0})
    turn_closes(unattended(table).turns.get(number=2))
    first, second = table.turns.get(number=1), table.turns.get(number=2)
    client.force_login(umpire(table).user)
    page = f"/c/{table.code}/fairness/"

    def shown() -> list[str]:
        text = client.get(page).content.decode()
        return [one for one in (first.chart_secret, first.battle_secret, battle.seed) if one in text]

    assert second.battle_secret in client.get(page).content.decode(), "nothing hangs on the second turn"
    assert shown() == [first.chart_secret]
    battles.route_change(battle=battle, umpire=umpire(table).user, route="engine", reason="no table free")
    assert shown() == [first.chart_secret]
    assert battle_fight(battle_id=battle.pk)
    assert shown() == [first.chart_secret], "fought, and not in the books yet"
    turn_closes(table.turns.get(number=3))
    assert Battle.objects.get(pk=battle.pk).status == Status.WRITTEN
    assert shown() == [first.chart_secret, first.battle_secret, battle.seed]


@pytest.mark.clause("G.BT2", "G.BT4", "G.BT5")
def test_an_accepted_result_is_applied_once_in_the_next_turn_and_the_fleets_come_back(
    second: Campaign,
) -> None:
    table, battle = second, Battle.objects.get()
    hurt(battle, "NLD003", fate="sunk", cause="gunfire")
    settle(table, battle)
    battle.refresh_from_db()
    assert battle.status == Status.FOUGHT
    third = table.turns.get(number=3)
    turn_closes(third)
    battle.refresh_from_db()
    assert (battle.status, battle.outcome.written_in) == (Status.WRITTEN, third.reference)
    assert third.snapshot["accepted"] == {"T1-b01": battle.outcome.document}
    assert Ship.objects.get(code="NLD003").fate == "sunk"
    state = rows_agree(third)
    assert "T1-b01" not in state.ongoing
    assert "T1-b01" not in set(Station.objects.values_list("held_by", flat=True))
    assert ServiceRecord.objects.filter(kind="fought", battle=battle.code).count() == 7
    found = list(campaign_verify(campaign=table))
    assert {finding.verdict for finding in found} == {Verdict.AGREES, Verdict.UNTRIED}
    with pytest.raises(OutcomeRefused, match="settled already"):
        battles.result_answer(battle=battle, membership=member(table, "England"), confirm=True, version=2)


@pytest.mark.clause("G.BT2", "G.BT5")
def test_each_side_confirms_a_result_once_and_only_as_it_was_seen(table: Campaign, battle: Battle) -> None:
    whole_sheet(battle)
    proposed = battles.result_propose(battle=battle, membership=umpire(table))
    english, dutch = member(table, "England"), member(table, "Dutch Republic")
    assert (
        Notice.objects.filter(
            kind="battle_awaits", event__contains="-v", recipient__in=[english.user, dutch.user]
        ).count()
        == 2
    )
    with pytest.raises(OutcomeRefused, match="changed since you opened the page"):
        battles.result_answer(battle=battle, membership=english, confirm=True, version=proposed.version - 1)
    battles.result_answer(battle=battle, membership=english, confirm=True, version=proposed.version)
    with pytest.raises(OutcomeRefused, match="has already answered"):
        battles.result_answer(battle=battle, membership=english, confirm=True, version=proposed.version)
    with pytest.raises(OutcomeRefused, match="As umpire, accept it"):
        battles.result_answer(battle=battle, membership=umpire(table), confirm=True, version=proposed.version)
    battle.refresh_from_db()
    assert battle.status == Status.READY
    battles.result_answer(battle=battle, membership=dutch, confirm=True, version=proposed.version)
    battle.refresh_from_db()
    assert battle.status == Status.FOUGHT


@pytest.mark.clause("G.BT5")
def test_the_umpire_settles_a_dispute_by_accepting_the_result_or_asking_for_a_new_one(
    table: Campaign, battle: Battle
) -> None:
    whole_sheet(battle)
    proposed = battles.result_propose(battle=battle, membership=member(table, "England"))
    dutch = member(table, "Dutch Republic")
    with pytest.raises(OutcomeRefused, match="Say what is wrong"):
        battles.result_answer(battle=battle, membership=dutch, confirm=False, version=proposed.version)
    battles.result_answer(
        battle=battle, membership=dutch, confirm=False, version=proposed.version, reason="Gouda was hit twice"
    )
    assert (
        "Gouda was hit twice" in Notice.objects.get(recipient=umpire(table).user, kind="result_disputed").text
    )
    battles.result_rule(battle=battle, umpire=umpire(table).user, accept=False, reason="enter it again")
    hurt(
        battle, "NLD002", condition={"schema": 1, "hits_struct": 2, "hits_board": 0, "flag_officer_ok": True}
    )
    whole_sheet(battle)
    again = battles.result_propose(battle=battle, membership=member(table, "England"))
    battles.result_answer(
        battle=battle, membership=dutch, confirm=False, version=again.version, reason="still not"
    )
    battles.result_rule(battle=battle, umpire=umpire(table).user, accept=True, reason="two hits it was")
    battle.refresh_from_db()
    assert battle.status == Status.FOUGHT
    logged = UmpireAction.objects.filter(action__contains="result").order_by("pk")
    assert list(logged.values_list("action", flat=True)) == [
        "asked for a new result of a battle", "accepted a battle's result",
    ]  # fmt: skip


@pytest.mark.clause("G.BT5")
def test_silence_for_three_days_is_consent_and_a_dispute_is_not(table: Campaign, battle: Battle) -> None:
    whole_sheet(battle)
    battles.result_propose(battle=battle, membership=member(table, "England"))
    found = BattleOutcome.objects.filter(battle=battle)
    found.update(proposed=timezone.now() - timedelta(days=2, hours=23))
    sweep()
    assert found.get().status == "proposed"
    found.update(proposed=timezone.now() - timedelta(days=3, seconds=1))
    sweep()
    assert found.get().status == "confirmed"
    assert UmpireAction.objects.get(actor="the site").action == "accepted a battle's result"


def bad(battle: Battle) -> dict[str, tuple[Any, str]]:
    """Documents that are no result of this battle, and what is said of each."""
    good = outcomes.blank(battle)

    def with_ship(**line: Any) -> dict[str, Any]:
        return {**good, "ships": [{**good["ships"][0], **line}, *good["ships"][1:]]}

    return {
        "no document": (["x"], "not a valid result document"),
        "another set": ({**good, "rule_set": "thomas"}, "the battle uses 'kohler'"),
        "a ship less": ({**good, "ships": good["ships"][1:]}, "The ships do not match the roster"),
        "a ship twice": ({**good, "ships": [*good["ships"], good["ships"][0]]}, "The ships do not match the roster"),
        "men from nowhere": (with_ship(men=100_000), "more men are left than"),
        "struck": (with_ship(flags=["struck"]), "Enter it as captured"),
        "no captor": (with_ship(fate="captured"), "needs a captor"),
        "own captor": (with_ship(fate="captured", captor="ENG", captor_ship="ENG002"), "own side"),
        "captor of another side": (with_ship(fate="captured", captor="NLD", captor_ship="ENG002"), "needs a captor"),
        "too many hands": (
            with_ship(fate="captured", captor="NLD", captor_ship="NLD001", prize_crew=100_000), "cannot send away"),
        "too many prisoners": (
            with_ship(fate="captured", captor="NLD", captor_ship="NLD001", prisoners=100_000), "more prisoners"),
        "afloat without a hull": (
            with_ship(condition={"schema": 1, "hits_struct": 40, "hits_board": 0, "flag_officer_ok": True}), "condition is not valid"),
        "another schema": (with_ship(condition={"schema": 9}), "condition is not valid"),
        "forever": ({**good, "minutes": 10**9}, "from 1 minute to 14 days"),
        "a float": ({**good, "minutes": 10.5}, "from 1 minute to 14 days"),
        "field": ({**good, "held_field": "FRA"}, "held by one of the sides"),
    }  # fmt: skip


@pytest.mark.clause("G.BT2", "G.BT3")
def test_a_file_that_is_not_the_result_of_this_battle_is_refused_with_a_reason(
    table: Campaign, battle: Battle
) -> None:
    for name, (document, said) in bad(battle).items():
        with pytest.raises(OutcomeRefused, match=said):
            battles.result_propose(
                battle=battle, membership=umpire(table), document=document, roster_digest=battle.roster.digest
            )
        assert not BattleOutcome.objects.exclude(status="draft").exists(), name
    with pytest.raises(OutcomeRefused, match="different roster"):
        battles.result_propose(
            battle=battle, membership=umpire(table), document=outcomes.blank(battle), roster_digest="0" * 64
        )


def test_two_people_who_enter_at_once_do_not_overwrite_each_other(table: Campaign, battle: Battle) -> None:
    version = outcome_draft(battle=battle).version
    outcome_change(battle=battle, version=version, change=lambda document: {**document, "minutes": 60})
    with pytest.raises(OutcomeRefused, match="Someone else has changed this result"):
        outcome_change(battle=battle, version=version, change=lambda document: {**document, "minutes": 90})
    assert outcome_draft(battle=battle).document["minutes"] == 60


@pytest.mark.clause("G.BT1")
def test_the_umpire_lets_the_computer_fight_a_held_battle_until_it_has_begun(
    table: Campaign, battle: Battle
) -> None:
    battles.route_change(battle=battle, umpire=umpire(table).user, route="engine", reason="nobody has time")
    assert sweep().battles == [battle.pk]
    battle_fight(battle_id=battle.pk)
    second = turn_closes(unattended(table).turns.get(number=2))
    battle.refresh_from_db()
    assert battle.status == Status.WRITTEN
    assert rows_agree(second)
    with pytest.raises(OutcomeRefused, match="has begun"):
        battles.route_change(battle=battle, umpire=umpire(table).user, route="table", reason="again")
    assert {f.verdict for f in campaign_verify(campaign=table)} == {Verdict.AGREES}


@pytest.mark.clause("G.BT4")
def test_a_waiting_campaign_opens_no_turn_before_the_battle_is_applied(db: Any) -> None:
    campaign = start()
    campaign.settings = {"battle_route": "table", "campaign_waits": "yes"}
    campaign.save()
    turn = campaign.turns.get()
    with pytest.raises(TurnFailed, match="waits for"):
        turn_play(turn=turn)
    battle = Battle.objects.get()
    assert sweep().turns == []
    settle(campaign, battle)
    assert sweep().turns == [turn.pk]
    while turn_run(turn_id=turn.pk) != "closed":
        for again in Battle.objects.filter(status=Status.READY):
            settle(campaign, again)
    assert campaign.turns.count() == 2
    assert not campaign.turns.get(number=1).ongoing
    assert not [f for f in campaign_verify(campaign=campaign) if f.verdict == Verdict.DIFFERS]


@pytest.mark.clause("G.BT4")
def test_after_its_days_of_waiting_the_umpire_is_asked_and_lets_the_campaign_continue(db: Any) -> None:
    campaign = start()
    campaign.settings = {"battle_route": "table", "campaign_waits": "yes", "battle_wait_days": 5}
    campaign.save()
    turn = campaign.turns.get()
    turn_lock(turn=turn)
    turn_run(turn_id=turn.pk)
    sweep()
    assert not Notice.objects.filter(event__endswith="-waited").exists()
    Battle.objects.update(spawned=timezone.now() - timedelta(days=5, seconds=1))
    sweep()
    sweep()
    assert Notice.objects.get(event__endswith="-waited").recipient == umpire(campaign).user
    battle = Battle.objects.get()
    battles.battle_let_go(battle=battle, umpire=umpire(campaign).user, reason="no club night this month")
    assert turn_run(turn_id=turn.pk) == "closed"
    assert set(Station.objects.values_list("held_by", flat=True)) == {"T1-b01"}


@pytest.mark.clause("G.BT4", "G.UM1")
def test_an_edit_of_a_held_ship_voids_the_battle_and_sets_it_up_again(
    table: Campaign, battle: Battle
) -> None:
    ship = Ship.objects.get(code="ENG002")
    whole_sheet(battle)
    battles.result_propose(battle=battle, membership=member(table, "England"))
    condition = {"schema": 1, "hits_struct": 4, "hits_board": 0, "flag_officer_ok": True}
    ship_amend(
        ship=ship,
        values={"condition": condition, "men": 100},
        reason="a slip of the pen",
        user=umpire(table).user,
        void_battle=True,
    )
    battle.refresh_from_db()
    assert battle.status == Status.VOID
    new = ongoing_battles(table)["T1-b01"]
    assert (new.code, new.route, new.status) == (f"{battle.code}v2", "table", Status.READY)
    assert new.roster.digest != battle.roster.digest and new.seed_hash != battle.seed_hash
    secret = table.turns.get(number=1).battle_secret
    assert new.seed != battle_seed(secret=secret, code=new.code), "it may have been open before a rollback"
    line = next(row for row in outcomes.blank(new)["ships"] if row["ship"] == "ENG002")
    assert line["condition"] == condition
    with pytest.raises(OutcomeRefused, match="answer|rolled back"):
        battles.result_propose(battle=battle, membership=member(table, "England"))
    with pytest.raises(OutcomeRefused, match="different roster"):
        battles.result_propose(
            battle=new,
            membership=umpire(table),
            document=outcomes.blank(new),
            roster_digest=battle.roster.digest,
        )
    assert Notice.objects.filter(event=f"{new.code}-renewed").count() == 2
    assert list(campaign_audit(campaign=table)) == []
    settle(table, new)
    second = turn_closes(unattended(table).turns.get(number=2))
    assert Battle.objects.get(pk=new.pk).status == Status.WRITTEN
    assert rows_agree(second)
    assert not [f for f in campaign_verify(campaign=table) if f.verdict == Verdict.DIFFERS]
    assert list(campaign_audit(campaign=Campaign.objects.get())) == []


@pytest.mark.clause("G.BT4", "G.UM1")
def test_a_renewed_battle_has_the_ships_as_they_are_now_and_the_next_number(
    table: Campaign, battle: Battle
) -> None:
    now = {
        "name": "Hopewell", "captain": "Capt Else", "complement": 211, "men": 99,
        "condition": {"schema": 1, "hits_struct": 3, "hits_board": 1, "flag_officer_ok": True},
    }  # fmt: skip
    assert ongoing_battles_renew(campaign=table, ships=["XXX001"]) == []
    assert ongoing_battles_renew(campaign=table, ships=[]) == []
    Ship.objects.filter(book=table.book, code="ENG002").update(**now)
    for number in (2, 3):
        (new,) = ongoing_battles_renew(campaign=table, ships=["ENG002", "XXX001"])
        assert new.code == f"{battle.code}v{number}"
    rows = {
        row["id"]: row
        for side in new.roster.scenario["sides"]
        for squadron in side["squadrons"]
        for row in squadron["ships"]
    }
    assert {name: rows["ENG002"][name] for name in now} == now
    assert set(Battle.objects.exclude(pk=new.pk).values_list("status", "claim")) == {("void", None)}


@pytest.mark.clause("G.BT4")
@pytest.mark.parametrize(("status", "renewed"), [("ready", 1), ("fought", 1), ("failed", 1), ("fighting", 0)])
def test_a_battle_that_is_being_fought_is_not_renewed(
    table: Campaign, battle: Battle, status: str, renewed: int
) -> None:
    Battle.objects.filter(pk=battle.pk).update(status=status)
    assert len(ongoing_battles_renew(campaign=table, ships=["ENG002"])) == renewed
