"""From a result sheet to an accepted result, step by step, without a campaign around it."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.db.models import F
from django.utils import timezone

from battles.models import Battle, BattleOutcome, OutcomeAnswer
from battles.services.outcomes import (
    OutcomeRefused,
    battle_route,
    blank,
    outcome_accept,
    outcome_answer,
    outcome_change,
    outcome_draft,
    outcome_propose,
    outcome_reopen,
    unanswered,
)
from tests.support.factories import BookFactory
from tests.support.table import table_battle, whole_sheet

pytestmark = [pytest.mark.one_database, pytest.mark.django_db, pytest.mark.clause("G.BT2", "G.BT5")]

Status = BattleOutcome.Status


@pytest.fixture
def battle() -> Battle:
    return saved()


def saved(**fields: Any) -> Battle:
    """A battle on the table, with its roster, in the database."""
    made = table_battle(book=BookFactory(), **fields)
    made.save()
    made.roster.battle = made
    made.roster.save()
    return Battle.objects.get(pk=made.pk)


def propose(battle: Battle, **how: Any) -> BattleOutcome:
    """Propose a result of whose sheet everything has been entered."""
    whole_sheet(battle)
    return outcome_propose(battle=battle, **how)


def answer(battle: Battle, side: str, **changes: Any) -> BattleOutcome:
    """A side confirms what is proposed, unless something else is said."""
    version = BattleOutcome.objects.get(battle=battle).version
    return outcome_answer(
        **{"battle": battle, "side": side, "by": side, "confirm": True, "version": version, **changes}
    )


def in_status(battle: Battle, status: str) -> BattleOutcome:
    outcome = outcome_draft(battle=battle)
    BattleOutcome.objects.filter(pk=outcome.pk).update(status=status)
    return BattleOutcome.objects.get(pk=outcome.pk)


def standing(battle: Battle) -> tuple[str, str]:
    """The status of the result, and of the battle."""
    return BattleOutcome.objects.get(battle=battle).status, Battle.objects.get(pk=battle.pk).status


def test_a_sheet_is_started_once_for_the_roster_that_was_sent_in(battle: Battle) -> None:
    first, again = outcome_draft(battle=battle), outcome_draft(battle=battle)

    assert (first.pk, first.status, first.version) == (again.pk, "draft", 1)
    assert (first.document, first.roster_digest) == (blank(battle), battle.roster.digest)


def test_no_one_can_enter_a_result_for_a_battle_fought_by_computer() -> None:
    battle = saved(route=Battle.Route.ENGINE)

    for step in (outcome_draft, outcome_propose, outcome_change):
        more = {
            outcome_propose: {"by": "x", "side": ""},
            outcome_change: {"version": 1, "change": dict},
        }.get(step, {})
        with pytest.raises(OutcomeRefused, match="is fought by computer. You do not need to enter a result"):
            step(battle=battle, **more)
    assert not BattleOutcome.objects.exists()


@pytest.mark.parametrize(
    ("status", "said"),
    [
        ("void", "cannot take a result: its turn was rolled back or its fleets were changed"),
        ("written", "cannot take a result: its result has already been applied"),
        ("fought", "cannot take a result: its result has already been decided"),
        ("failed", "cannot take a result: it could not be fought"),
        ("fighting", "cannot take a result: it is being fought"),
    ],
)
def test_a_battle_that_is_over_takes_no_result(status: str, said: str) -> None:
    with pytest.raises(OutcomeRefused, match=f"This battle {said}"):
        outcome_draft(battle=saved(status=status))


def test_each_entry_makes_a_new_version_and_an_older_one_is_refused(battle: Battle) -> None:
    def later(document: dict[str, Any]) -> dict[str, Any]:
        return {**document, "minutes": document["minutes"] + 1}

    changed = outcome_change(battle=battle, version=1, change=later)
    assert (changed.version, changed.document["minutes"], changed.status) == (2, 901, "draft")
    for version in (1, 3):
        with pytest.raises(OutcomeRefused, match="Someone else has changed this result"):
            outcome_change(battle=battle, version=version, change=later)
    assert BattleOutcome.objects.get().document == changed.document


def change_or_refusal(battle: Battle, version: int, *parts: str, change: Any = dict) -> Any:
    """The sheet as it is then, or why nothing was changed."""
    try:
        return outcome_change(battle=battle, version=version, change=change, parts=parts, side="ENG").sheet
    except OutcomeRefused as refused:
        return str(refused)


def test_people_who_enter_other_parts_do_not_disturb_each_other(battle: Battle) -> None:
    refused = "Someone else has changed this result. It is shown here. Your changes were not saved."
    one, two = {"side": "ENG", "version": 2}, {"side": "ENG", "version": 3}

    assert change_or_refusal(battle, 1, "1") == {"1": one}
    assert change_or_refusal(battle, 1, "2") == {"1": one, "2": two}
    assert change_or_refusal(battle, 1, "1") == change_or_refusal(battle, 2, "1", "2") == refused
    assert change_or_refusal(battle, 4, "3") == refused, "no one has seen that version yet"
    assert change_or_refusal(battle, 2) == change_or_refusal(battle, 4) == refused
    assert change_or_refusal(battle, 0, "3") == {"1": one, "2": two, "3": {"side": "ENG", "version": 4}}
    assert change_or_refusal(battle, 2, "1")["1"]["version"] == 5
    assert set(change_or_refusal(battle, 5)) == {"1", "2", "3"}


@pytest.mark.parametrize(("others", "taken"), [(1, True), (4, True), (5, False)])
def test_an_entry_is_tried_five_times_while_others_enter_theirs(
    battle: Battle, others: int, taken: bool
) -> None:
    tries: list[int] = []

    def beside(document: dict[str, Any]) -> dict[str, Any]:
        tries.append(document["minutes"])
        if len(tries) <= others:
            BattleOutcome.objects.update(
                version=F("version") + 1, document={**document, "minutes": len(tries)}
            )
        return {**document, "turns": 3}

    found = change_or_refusal(battle, 1, "1", change=beside)

    assert len(tries) == min(others + 1, 5) and tries[1:] == list(range(1, len(tries)))
    assert (found == {"1": {"side": "ENG", "version": others + 2}}) is taken
    assert BattleOutcome.objects.get().document["turns"] == (3 if taken else 30)


@pytest.mark.parametrize(
    ("status", "taken"), [("draft", True), ("disputed", True), ("proposed", False), ("confirmed", False)]
)
def test_only_a_draft_or_disputed_result_can_be_changed_or_proposed(
    battle: Battle, status: str, taken: bool
) -> None:
    in_status(battle, status)
    if not taken:
        with pytest.raises(OutcomeRefused, match="Someone else has changed this result"):
            outcome_change(battle=battle, version=1, change=dict)
        with pytest.raises(OutcomeRefused, match="proposed or changed since you opened the page"):
            propose(battle=battle, by="Anna", side="")
        assert standing(battle) == (status, "ready")
        return
    assert outcome_change(battle=battle, version=1, change=dict).status == "draft"
    in_status(battle, status)
    assert propose(battle=battle, by="Anna", side="").status == "proposed"


def test_a_side_that_proposes_has_confirmed_but_an_umpire_who_proposes_has_not(battle: Battle) -> None:
    proposed = propose(battle=battle, by="Anna", side="ENG", version=1)

    assert (proposed.status, proposed.version, proposed.proposed_by, proposed.side) == (
        "proposed",
        2,
        "Anna",
        "ENG",
    )
    assert proposed.proposed is not None
    assert list(OutcomeAnswer.objects.values_list("side", "by", "answer", "version", "reason")) == [
        ("ENG", "Anna", "confirmed", 2, "")
    ]
    assert unanswered(proposed) == {"NLD"}
    outcome_reopen(battle=battle)
    again = propose(battle=battle, by="The umpire", side="")
    assert (again.version, again.side, unanswered(again)) == (3, "", {"ENG", "NLD"})
    assert OutcomeAnswer.objects.count() == 1


def test_a_sheet_that_has_changed_since_is_not_proposed(battle: Battle) -> None:
    outcome_draft(battle=battle)
    for version in (0, 2):
        with pytest.raises(OutcomeRefused, match="changed since you opened the page"):
            propose(battle=battle, by="Anna", side="ENG", version=version)
    assert standing(battle) == ("draft", "ready")
    assert not OutcomeAnswer.objects.exists()


@pytest.mark.parametrize(
    ("own_document", "own_digest", "taken"),
    [(True, True, True), (True, False, False), (False, True, True), (False, False, True)],
)
def test_a_result_is_proposed_only_for_the_ships_of_its_own_battle(
    battle: Battle, own_document: bool, own_digest: bool, taken: bool
) -> None:
    document = {**blank(battle), "minutes": 75} if own_document else None
    said = []
    try:
        propose(
            battle=battle,
            by="Anna",
            side="",
            document=document,
            roster_digest=battle.roster.digest if own_digest else "0" * 64,
        )
    except OutcomeRefused as refused:
        said = list(refused.faults)

    assert said == (
        [] if taken else ["This result was made for a different roster. Use the roster shown on this page."]
    )
    found = BattleOutcome.objects.filter(status="proposed").first()
    assert (found is not None) is taken
    if found is not None:
        assert (found.document, found.roster_digest) == (document or blank(battle), battle.roster.digest)


def test_a_sheet_with_errors_is_not_proposed(battle: Battle) -> None:
    outcome_change(battle=battle, version=1, change=lambda document: {**document, "minutes": 0, "turns": -1})
    with pytest.raises(OutcomeRefused) as refused:
        propose(battle=battle, by="Anna", side="")
    assert refused.value.faults == (
        "A battle lasts from 1 minute to 14 days. Correct the minutes.",
        "The number of battle turns must be a whole number.",
    )
    assert standing(battle) == ("draft", "ready")


def test_a_result_that_all_sides_have_confirmed_becomes_the_battles_result(battle: Battle) -> None:
    Battle.objects.update(error="an old one")
    propose(battle=battle, by="The umpire", side="")
    assert answer(battle, "ENG").status == "proposed"
    assert standing(battle) == ("proposed", "ready")
    assert answer(battle, "NLD").status == "confirmed"
    battle.refresh_from_db()
    assert (battle.status, battle.error, battle.fought is None) == ("fought", "", False)


def test_the_result_does_not_wait_for_sides_that_have_no_one_to_ask(battle: Battle) -> None:
    propose(battle=battle, by="The umpire", side="")
    assert answer(battle, "ENG", silent=["FRA"]).status == "proposed"
    outcome_reopen(battle=battle)
    propose(battle=battle, by="The umpire", side="")
    assert answer(battle, "ENG", silent=["NLD"]).status == "confirmed"


def test_a_dispute_needs_a_reason_and_goes_to_the_umpire(battle: Battle) -> None:
    propose(battle=battle, by="Anna", side="ENG")
    with pytest.raises(OutcomeRefused, match="Say what is wrong"):
        answer(battle, "NLD", confirm=False, reason="  ")
    assert answer(battle, "NLD", confirm=False, reason=" two hits ").status == "disputed"
    said = OutcomeAnswer.objects.get(side="NLD")
    assert (said.answer, said.reason) == ("disputed", "two hits")
    with pytest.raises(OutcomeRefused, match="no proposed result to answer"):
        answer(battle, "NLD")


def test_a_side_answers_once_and_only_the_version_it_has_seen(battle: Battle) -> None:
    proposed = propose(battle=battle, by="Anna", side="ENG")
    for version in (proposed.version - 1, proposed.version + 1):
        with pytest.raises(OutcomeRefused, match="changed since you opened the page"):
            answer(battle, "NLD", version=version)
    with pytest.raises(OutcomeRefused, match="has already answered"):
        answer(battle, "ENG", confirm=False, reason="on second thoughts")
    assert standing(battle) == ("proposed", "ready")


@pytest.mark.parametrize("status", ["", "draft", "disputed", "confirmed", "written"])
def test_only_a_proposed_result_can_be_answered(battle: Battle, status: str) -> None:
    if status:
        in_status(battle, status)
    with pytest.raises(OutcomeRefused, match="no proposed result to answer"):
        outcome_answer(battle=battle, side="ENG", by="Anna", confirm=True, version=1)
    assert not OutcomeAnswer.objects.exists()


@pytest.mark.parametrize(
    ("status", "taken"), [("draft", False), ("proposed", True), ("disputed", True), ("confirmed", False)]
)
def test_only_a_proposed_or_disputed_result_can_be_accepted_or_reopened(
    battle: Battle, status: str, taken: bool
) -> None:
    in_status(battle, status)
    if not taken:
        with pytest.raises(OutcomeRefused, match="no proposed result to enter again"):
            outcome_reopen(battle=battle)
        with pytest.raises(OutcomeRefused, match="no proposed result to accept"):
            outcome_accept(battle=battle)
        assert standing(battle) == (status, "ready")
        return
    outcome_reopen(battle=battle)
    assert standing(battle) == ("draft", "ready")
    in_status(battle, status)
    outcome_accept(battle=battle)
    assert standing(battle) == ("confirmed", "fought")


@pytest.mark.parametrize("change", [{"status": "void"}, {"route": "engine"}])
def test_a_battle_that_no_longer_takes_a_result_accepts_none(battle: Battle, change: dict[str, str]) -> None:
    in_status(battle, Status.PROPOSED)
    Battle.objects.filter(pk=battle.pk).update(**change)
    with pytest.raises(OutcomeRefused, match="cannot take a result"):
        outcome_accept(battle=battle)
    assert standing(battle) == ("proposed", change.get("status", "ready"))


@pytest.mark.clause("G.BT1", "G.UM2")
@pytest.mark.parametrize(
    ("fields", "taken"),
    [
        ({"status": "ready"}, True),
        ({"status": "failed", "attempts": 3, "error": "it broke", "lease_until": timezone.now()}, True),
        ({"status": "ready", "claim": uuid.UUID(int=7), "attempts": 2}, False),
        ({"status": "fighting"}, False),
        ({"status": "fought"}, False),
        ({"status": "void"}, False),
    ],
)
def test_the_route_of_a_battle_can_change_until_it_starts(fields: dict[str, Any], taken: bool) -> None:
    battle = saved(**fields)
    if not taken:
        with pytest.raises(OutcomeRefused, match="has begun. It is too late"):
            battle_route(battle=battle, route="engine")
        assert Battle.objects.get().route == "table"
        return
    battle_route(battle=battle, route="engine")
    assert (battle.route, battle.status, battle.attempts, battle.error, battle.lease_until) == (
        "engine",
        "ready",
        0,
        "",
        None,
    )


@pytest.mark.clause("G.BT1")
@pytest.mark.parametrize(("status", "taken"), [("draft", True), ("proposed", False), ("disputed", False)])
def test_a_battle_with_a_proposed_result_has_begun(battle: Battle, status: str, taken: bool) -> None:
    in_status(battle, status)
    if taken:
        battle_route(battle=battle, route="table")
        assert BattleOutcome.objects.count() == 1, "what was entered stays on the table"
        battle_route(battle=battle, route="engine")
        assert BattleOutcome.objects.count() == 0
    else:
        with pytest.raises(OutcomeRefused, match="has begun"):
            battle_route(battle=battle, route="engine")
        assert standing(battle) == (status, "ready")


@pytest.mark.clause("G.BT1")
@pytest.mark.parametrize("route", ["orders", "nowhere"])
def test_a_battle_is_sent_only_to_a_route_on_which_battles_can_be_fought(battle: Battle, route: str) -> None:
    with pytest.raises(OutcomeRefused, match="fought by computer or on the tabletop. Choose one"):
        battle_route(battle=battle, route=route)
    battle.refresh_from_db()
    assert battle.route == "table"
