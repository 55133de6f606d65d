"""A campaign is proved from its seeds, and any later change to a row is detected."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import pytest

from battles.engine.core.log import DIE
from battles.models import Battle, BattleLog
from battles.services.fighting import digest
from campaign.models import Campaign, Turn
from campaign.services.turn.verify import Verdict, campaign_verify
from tests.campaign.services.conftest import first_turn_played
from tests.support.turns import turn_change

Tamper = Callable[[Turn, Battle], None]


@pytest.fixture
def played(db: Any) -> Campaign:
    """A small war whose first turn is over, with a battle in it, and whose second is open."""
    return first_turn_played()


def _differences(campaign: Campaign) -> list[str]:
    return [str(found) for found in campaign_verify(campaign=campaign) if found.verdict == Verdict.DIFFERS]


@pytest.mark.clause("G.FA1", "G.CL2")
def test_an_untouched_campaign_agrees_in_every_check(played: Campaign) -> None:
    before = list(Turn.objects.values()), list(Battle.objects.values())

    findings = list(campaign_verify(campaign=played))

    assert {found.verdict for found in findings} == {Verdict.AGREES}
    assert {found.subject for found in findings} == {
        "turn 1", *(f"battle {battle.code}" for battle in Battle.objects.all()),
    }  # fmt: skip
    assert any("dice of the log are those of the seed" in found.text for found in findings)
    assert (list(Turn.objects.values()), list(Battle.objects.values())) == before, "nothing is written"


def _first_die(battle: Battle) -> list[list[Any]]:
    events = battle.log.events()
    die = next(event for event in events if event[2] == DIE)
    die[5]["faces"][0] = die[5]["faces"][0] % 6 + 1
    return events


def _a_die(turn: Turn, battle: Battle) -> None:
    BattleLog.objects.filter(battle=battle).update(packed=BattleLog.pack(_first_die(battle)))


def _an_event_less(turn: Turn, battle: Battle) -> None:
    events = battle.log.events()
    events.remove(next(event for event in events if event[2] != DIE))
    BattleLog.objects.filter(battle=battle).update(packed=BattleLog.pack(events))


def _a_die_thrown_twice(turn: Turn, battle: Battle) -> None:
    events = battle.log.events()
    events.append(next(event for event in events if event[2] == DIE))
    BattleLog.objects.filter(battle=battle).update(packed=BattleLog.pack(events), count=len(events))


def _an_outcome(turn: Turn, battle: Battle) -> None:
    battle.outcome.document["minutes"] += 30
    battle.outcome.save()


def _a_ships_men(turn: Turn, battle: Battle) -> None:
    battle.outcome.document["ships"][0]["crew_lost"] = 0
    battle.outcome.document["ships"][0]["condition"] = battle.roster.scenario["sides"][0]["squadrons"][0][
        "ships"
    ][0]["condition"]
    battle.outcome.save()


def _a_battles_end(turn: Turn, battle: Battle) -> None:
    battle.outcome.state_hash = "0" * 64
    battle.outcome.save()


def _a_roster(turn: Turn, battle: Battle) -> None:
    battle.roster.scenario["title"] = "Another battle"
    battle.roster.save()


def _a_roster_and_its_digest(turn: Turn, battle: Battle) -> None:
    """As somebody would who knows how it is done: the roster, its digest, and the outcome's."""
    battle.roster.scenario["title"] = "Another battle"
    battle.roster.digest = digest(battle.roster.scenario)
    battle.roster.save()
    battle.outcome.roster_digest = battle.roster.digest
    battle.outcome.save()


def _a_seed(turn: Turn, battle: Battle) -> None:
    Battle.objects.filter(pk=battle.pk).update(seed="ab" * 32)


def _a_seed_and_its_hash(turn: Turn, battle: Battle) -> None:
    seed = "ab" * 32
    Battle.objects.filter(pk=battle.pk).update(
        seed=seed, seed_hash=hashlib.sha256(bytes.fromhex(seed)).hexdigest()
    )


def _a_chart_secret(turn: Turn, battle: Battle) -> None:
    Turn.objects.filter(pk=turn.pk).update(chart_secret="cd" * 32)


def _a_turns_end(turn: Turn, battle: Battle) -> None:
    Turn.objects.filter(pk=turn.pk).update(state_hash="0" * 64)


def _a_turns_facts(turn: Turn, battle: Battle) -> None:
    for fleet in turn.snapshot["fleets"]:
        fleet["position"]["at"] = "dogger_bank"
    turn_change(turn, snapshot=turn.snapshot)


def _a_lost_outcome(turn: Turn, battle: Battle) -> None:
    Battle.objects.filter(pk=battle.pk).update(status="void")


@pytest.mark.one_database
@pytest.mark.clause("G.FA1", "G.BT2", "G.CL2")
@pytest.mark.parametrize(
    ("tamper", "found"),
    [
        (_a_die, "the seed gives"),
        (_an_event_less, "events and had"),
        (_a_die_thrown_twice, "thrown a second time"),
        (_an_outcome, "its outcome differs"),
        (_a_ships_men, "its outcome differs"),
        (_a_battles_end, "ends in a different state"),
        (_a_roster, "not the one that was sent in"),
        (_a_roster_and_its_digest, "sends a different roster into the battle"),
        (_a_seed, "the seed is not the one that was published"),
        (_a_seed_and_its_hash, "the seed is not the one that was published"),
        (_a_chart_secret, "not the one whose hash was published"),
        (_a_turns_end, "turn 1: played again, it ends in a different state"),
        (_a_turns_facts, "turn 1: "),
        (_a_lost_outcome, "it cannot be played again: no outcome yet"),
    ],
)
def test_any_tampering_is_detected(played: Campaign, tamper: Tamper, found: str) -> None:
    turn = played.turns.get(number=1)
    battle = Battle.objects.select_related("roster", "outcome", "log").order_by("code").first()
    tamper(turn, battle)

    differences = _differences(played)

    assert any(found in line for line in differences), differences


def test_another_theatre_than_the_campaigns_is_named(played: Campaign) -> None:
    theatre = played.theatre
    theatre.document["note"] = "surveyed again"
    theatre.save()

    assert _differences(played) == ["DIFFERENT  theatre: it is not the one that the campaign began with"]


def test_a_battle_fought_under_other_rules_is_reported_as_not_replayed(
    played: Campaign,
) -> None:
    Battle.objects.update(rules_hash="f" * 64, engine_version=1)

    findings = list(campaign_verify(campaign=played))

    assert {found.verdict for found in findings} == {Verdict.AGREES, Verdict.UNTRIED}
    assert any("not fought again" in f.text for f in findings if f.verdict == Verdict.UNTRIED)
    assert any("dice of the log" in f.text for f in findings), "its dice need no rules"


def test_a_turn_played_under_other_campaign_rules_is_reported_as_not_replayed(
    played: Campaign,
) -> None:
    assert {len(turn.rules_hash) for turn in played.turns.filter(phase="closed")} == {64}
    _a_turns_end(played.turns.get(number=1), Battle.objects.first())
    Turn.objects.filter(number=1).update(rules_hash="f" * 64)

    assert not _differences(played)
    findings = list(campaign_verify(campaign=played))
    assert [str(f) for f in findings if f.verdict == Verdict.UNTRIED] == [
        "not tried  turn 1: it was not played again. Turn 1 was played under rules (ffffffffffff) that this site has never had. "
        "Update the site to the release that has them."
    ]
    assert any("chart secret has the hash" in f.text for f in findings), "its secret needs no rules"


def test_an_unfinished_turn_is_not_examined(played: Campaign) -> None:
    Turn.objects.filter(number=2).delete()  # one turn at most is not closed
    Turn.objects.filter(number=1).update(phase="reporting")

    assert {found.subject.split()[0] for found in campaign_verify(campaign=played)} == {"battle"}
