"""What each check of a proof compares, and what it says; battles are not fought here."""

from __future__ import annotations

import hashlib
from types import SimpleNamespace
from typing import Any

import pytest

from battles.engine.core.log import DIE
from battles.engine.fingerprint import rules_hash
from battles.services.fighting import battle_seed, digest
from campaign.rules.turn.fingerprint import rules_hash as chart_rules_hash
from campaign.services.turn import verify
from campaign.services.turn.verify import Finding, Verdict, battle_verify, turn_verify

pytestmark = pytest.mark.clause("G.FA1", "G.BT2")
SECRET = "ab" * 32
SCENARIO = {"title": "A battle"}
AGREES, DIFFERS, UNTRIED = Verdict.AGREES, Verdict.DIFFERS, Verdict.UNTRIED


def turn_of(**changes: Any) -> Any:
    return SimpleNamespace(
        battle_secret=SECRET, repeats=None, seed_code=lambda call: f"first/{call}", **changes
    )


def battle_of(code: str = "W-T1-b01", seed_code: str | None = None, **changes: Any) -> Any:
    """A battle by computer that agrees in everything, under rules that are no longer installed. events: kinds of its log."""
    seed = battle_seed(secret=SECRET, code=seed_code or code)
    row: dict[str, Any] = {
        "code": code, "seed": seed, "seed_hash": hashlib.sha256(bytes.fromhex(seed)).hexdigest(),
        "roster": SimpleNamespace(scenario=SCENARIO, digest=digest(SCENARIO)),
        "outcome": SimpleNamespace(roster_digest=digest(SCENARIO), document={"a": [1]}, state_hash="s"),
        "route": "engine", "get_route_display": lambda: "on the tabletop", "rule_set": "kohler", "rules_hash": "old",
        "engine_version": 1,
    }  # fmt: skip
    return SimpleNamespace(**{**row, **changes})


def log_of(*events: tuple[str, Any], count: int | None = None) -> Any:
    rows = [[n, 0, kind, "", "", data] for n, (kind, data) in enumerate(events)]
    return SimpleNamespace(events=lambda: rows, count=len(rows) if count is None else count)


def proof(battle: Any, turn: Any = None) -> list[Finding]:
    """What is found about a battle; an error is a finding too."""
    try:
        return list(battle_verify(battle=battle, turn=turn or turn_of()))
    except Exception as error:
        return [Finding("error", DIFFERS, repr(error))] * 9


def verdicts(battle: Any, turn: Any = None) -> list[Verdict]:
    return [found.verdict for found in proof(battle, turn)]


def test_the_dice_of_a_battle_agree_with_the_turns_secret_and_the_published_fingerprint() -> None:
    def first(battle: Any, turn: Any = None) -> Finding:
        return proof(battle, turn)[0]

    follows = "the seed follows from the turn's secret and has the hash that was published"
    good = first(battle_of())
    assert good == Finding("battle W-T1-b01", AGREES, follows)
    other = "cd" * 32
    its_hash = hashlib.sha256(bytes.fromhex(other)).hexdigest()
    wrong = "the seed is not the one that was published"
    for changes in ({"seed_hash": "x"}, {"seed": other}, {"seed": other, "seed_hash": its_hash}):
        assert first(battle_of(**changes))[1:] == (DIFFERS, wrong)
    alone = battle_of("W-T1-b01v2", seed=other, seed_hash=its_hash)
    assert first(alone).verdict == AGREES and "with its own seed" in first(alone).text
    assert first(battle_of("W-T1-b01v2", seed=other)).verdict == DIFFERS
    assert first(battle_of("v-T1-b01", seed=other, seed_hash=its_hash)).verdict == DIFFERS
    rerun = turn_of()
    rerun.repeats = "the turn before"
    assert first(battle_of(seed_code="first/b01"), rerun).verdict == AGREES
    assert first(battle_of(), rerun).verdict == DIFFERS
    assert first(battle_of(seed_code="first/b01")).verdict == DIFFERS


def test_an_outcome_belongs_to_the_roster_that_was_sent_in() -> None:
    mine = digest(SCENARIO)
    for scenario, kept, told, verdict in (
        (SCENARIO, mine, mine, AGREES), ({}, mine, mine, DIFFERS), (SCENARIO, "x", mine, DIFFERS),
        (SCENARIO, mine, "x", DIFFERS), ({}, digest({}), mine, DIFFERS),
    ):  # fmt: skip
        roster = SimpleNamespace(scenario=scenario, digest=kept)
        assert verdicts(battle_of(roster=roster, outcome=SimpleNamespace(roster_digest=told)))[1] == verdict


def test_a_check_that_cannot_run_says_why() -> None:
    texts = [found.text for found in proof(battle_of(route="table"))]
    assert len(texts) == 3 and texts[2].startswith("fought on the tabletop: its result was accepted")
    found = proof(battle_of())
    assert [row.verdict for row in found] == [AGREES, AGREES, UNTRIED, UNTRIED]
    assert found[2].text == "no log was kept, so there are no dice to throw again"
    assert found[3].text.startswith(
        "it was not fought again. Version 1 of the rules “Kohler, 1666” is not installed"
    )
    assert str(found[3]).startswith("not tried  battle W-T1-b01: it was not fought")
    assert (
        str(Finding("a", AGREES, "b")) == "ok  a: b" and str(Finding("a", DIFFERS, "b")) == "DIFFERENT  a: b"
    )


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ([], "all 3 dice of the log are those of the seed"),
        (["a"], "a"),
        (["a", "b", "c"], "a; b; c"),
        (["a", "b", "c", "d"], "a; b; c; and 1 more"),
        (["a", "b", "c", "d", "e"], "a; b; c; and 2 more"),
    ],
)
def test_up_to_three_differing_dice_are_named(
    monkeypatch: pytest.MonkeyPatch, wrong: list[str], said: str
) -> None:
    monkeypatch.setattr(verify, "verify", lambda events, seed: iter(wrong))
    log = log_of((DIE, {"faces": [1, 2]}), ("moved", {"faces": [5, 5]}), (DIE, {"faces": [6]}))
    found = proof(battle_of(log=log))[2]
    assert (found.verdict, found.text) == (DIFFERS if wrong else AGREES, said)


@pytest.mark.parametrize("count", [0, 1, 2])
def test_a_log_still_has_all_its_events(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    monkeypatch.setattr(verify, "verify", lambda events, seed: iter(()))
    found = proof(battle_of(log=log_of(("moved", {}), count=count)))[2]
    assert found.verdict == (AGREES if count == 1 else DIFFERS)
    assert found.text == (
        "all 0 dice of the log are those of the seed"
        if count == 1
        else f"the log has 1 events and had {count}"
    )


def test_a_battle_is_replayed_under_the_rules_of_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = log_of(("moved", {})).events()
    event = SimpleNamespace(to_list=lambda: tuple(rows[0]))
    played = SimpleNamespace(
        outcome=SimpleNamespace(to_dict=lambda: {"a": (1,)}), state={"s": 1}, events=[event]
    )
    monkeypatch.setattr(verify, "read_scenario", lambda scenario: scenario)
    monkeypatch.setattr(verify, "play_battle", lambda scenario, seed, log: played)
    monkeypatch.setattr(verify.Outcome, "to_dict", lambda outcome: outcome.to_dict())
    monkeypatch.setattr(verify.Event, "to_list", lambda event: event.to_list())
    now = {"rules_hash": rules_hash("kohler")}

    def outcome(**changes: Any) -> Any:
        good = {"roster_digest": digest(SCENARIO), "document": {"a": [1]}, "state_hash": digest({"s": 1})}
        return SimpleNamespace(**{**good, **changes})

    for told, log, differs in (
        ({}, log_of(("moved", {})), []), ({"document": {"a": [2]}}, log_of(("moved", {})), ["its outcome differs"]),
        ({"state_hash": "x"}, log_of(("moved", {})), ["ends in a different state"]),
        ({}, log_of(("turned", {})), ["its log differs"]),
    ):  # fmt: skip
        found = proof(battle_of(**now, outcome=outcome(**told), log=log))
        assert len(found) == 6
        wrong = [row.text for row in found if row.verdict == DIFFERS]
        assert len(wrong) == len(differs) and all(
            words in text for words, text in zip(differs, wrong, strict=True)
        )
    assert len(verdicts(battle_of(**now, outcome=outcome()))) == 5, "without a log there is none to compare"


@pytest.mark.clause("G.CL2")
def test_a_turn_is_proved_by_its_secret_and_by_being_replayed(monkeypatch: pytest.MonkeyPatch) -> None:
    good = {
        "number": 4, "chart_secret": SECRET, "chart_hash": hashlib.sha256(bytes.fromhex(SECRET)).hexdigest(),
        "rules_hash": chart_rules_hash("kohler"), "state_hash": "same", "snapshot": {},
        "campaign": SimpleNamespace(book=SimpleNamespace(rule_set="kohler", rules_hash=""), chart_rules=""),
    }  # fmt: skip
    strangers: list[str] = []
    monkeypatch.setattr(verify, "turn_replay", lambda turn: ("state", strangers))
    monkeypatch.setattr(verify.rules, "state_hash", lambda state: "same")

    def found(**changes: Any) -> list[tuple[Verdict, str]]:
        turn: Any = SimpleNamespace(**{**good, **changes})
        return [(row.verdict, row.text) for row in turn_verify(turn=turn)]

    assert [verdict for verdict, _ in found()] == [AGREES, AGREES]
    assert [verdict for verdict, _ in found(chart_hash="x")] == [DIFFERS, AGREES]
    assert found(state_hash="x")[1] == (DIFFERS, "played again, it ends in a different state")
    assert found(rules_hash="old")[1][0] == UNTRIED and len(found(rules_hash="old")) == 2
    strangers.append("b02")
    assert found()[1:] == [
        (DIFFERS, "played again, it sends a different roster into the battle b02"),
        (AGREES, "played again, it ends in the same state same"),
    ]
    monkeypatch.undo()
    assert found(snapshot=None)[1] == (
        DIFFERS, "it cannot be played again: the facts it began with were not kept",
    )  # fmt: skip
