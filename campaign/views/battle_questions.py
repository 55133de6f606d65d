"""What is asked before acts on a battle and its result that cannot be undone. Rules: G.BT1, G.BT2, G.BT4, G.BT5."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from battles.models import Battle, BattleOutcome, OutcomeAnswer
from battles.services.outcomes import HEAD, not_entered, unanswered
from campaign.views.confirming import Question

_APPLIED = "The result is applied to the ships and their records, and no one can change it afterwards."
_ROLLBACK = "Only a rollback of the turn undoes it."
_OPEN = (BattleOutcome.Status.PROPOSED, BattleOutcome.Status.DISPUTED)


def result_question(
    act: str, battle: Battle, *, sides: Mapping[str, str], side: str, silent: Collection[str], route: str
) -> Question | None:
    """What is asked before an act of the result page. None for what can be undone, and for what will be refused anyway.

    sides: names by code. side: the reader's, "" for the umpire. silent: sides without a player. route: as chosen.
    """
    outcome = BattleOutcome.objects.filter(battle=battle).first()
    if act in ("accept", "reopen", "confirm"):
        if outcome is None or outcome.status not in _OPEN:
            return None
        if act == "confirm":
            return _confirm(battle, outcome, sides, side)
        return (_accept if act == "accept" else _reopen)(battle, outcome, sides)
    if act == "route":
        return _route(battle, outcome, route)
    if act == "propose":
        return _propose(battle, outcome, {*battle.roster.navies} - {*silent, side})
    if act == "let_go":
        return _ask(
            battle,
            "Continue the campaign without this battle?",
            "The turn runs on at once. The fleets in this battle are held until it has a result.",
            _ROLLBACK,
            button="Continue the campaign",
        )
    if act == "discard":
        return _ask(
            battle,
            "Discard what you have typed?",
            "Everything that you typed on this page and did not enter is deleted. What has been entered stays.",
            button="Discard draft",
            reason="",
        )
    return None


def result_stamp(battle: Battle) -> str:
    """What such a question is about: an answer that comes after the battle or its result has changed is asked again."""
    outcome = BattleOutcome.objects.filter(battle=battle).first()
    about = f"{outcome.version}-{outcome.status}" if outcome is not None else "0"
    return f"{battle.route}-{battle.status}-{about}"


def paper_question(act: str, battle: Battle) -> Question | None:
    """What is asked before an account or a photograph is removed."""
    if act not in ("strike", "remove"):
        return None
    what = "account" if act == "strike" else "photograph"
    return Question(
        title=f"Remove this {what}?",
        lines=(f"The {what} is deleted and cannot be restored.",),
        button=f"Remove {what}",
        back="battle",
        back_args=(battle.code,),
        reason="",
    )


def _ask(battle: Battle, title: str, *lines: str, button: str, reason: str = "must") -> Question:
    return Question(
        title=title,
        lines=lines,
        button=button,
        back="battle_result",
        back_args=(battle.code,),
        reason=reason,
    )


def _confirm(battle: Battle, outcome: BattleOutcome, sides: Mapping[str, str], side: str) -> Question | None:
    left = unanswered(outcome)
    if outcome.status != BattleOutcome.Status.PROPOSED or side not in left:
        return None
    others = [f"{sides.get(code, code)} has not answered yet." for code in sorted(left - {side})]
    return _ask(
        battle,
        "Confirm this result?",
        *(others or [_APPLIED]),
        "Your side answers a result once. You cannot dispute it afterwards.",
        button="Confirm result",
        reason="",
    )


def _propose(battle: Battle, outcome: BattleOutcome | None, others: Collection[str]) -> Question | None:
    """A result that no one else can answer is accepted as soon as it is proposed."""
    if outcome is None or others or not_entered(outcome)[HEAD not in outcome.sheet :]:
        return None
    return _ask(
        battle,
        "Propose this result?",
        "No other side has a player to answer it, so it is accepted at once.",
        _APPLIED,
        button="Propose this result",
        reason="",
    )


def _accept(battle: Battle, outcome: BattleOutcome, sides: Mapping[str, str]) -> Question:
    disputes = outcome.answers.filter(version=outcome.version, answer=OutcomeAnswer.Answer.DISPUTED)
    said = [f"{sides.get(row.side, row.side)} disputes it: {row.reason}" for row in disputes]
    waiting = [f"{sides.get(code, code)} has not answered yet." for code in sorted(unanswered(outcome))]
    return _ask(battle, "Accept this result?", *said, *waiting, _APPLIED, _ROLLBACK, button="Accept result")


def _reopen(battle: Battle, outcome: BattleOutcome, sides: Mapping[str, str]) -> Question:
    given = [
        f"{sides.get(row.side, row.side)} has {row.answer} it. This answer no longer counts."
        for row in outcome.answers.filter(version=outcome.version)
    ]
    return _ask(
        battle,
        "Ask for a new result?",
        *given,
        "What was entered stays on the result sheet, and both sides can change it. They get an email with your reason.",
        button="Ask for a new result",
    )


def _route(battle: Battle, outcome: BattleOutcome | None, route: str) -> Question | None:
    begun = outcome is not None and outcome.status != BattleOutcome.Status.DRAFT
    waits = battle.status in (Battle.Status.READY, Battle.Status.FAILED)
    words = dict(Battle.Route.offered()).get(route)
    if begun or not waits or words is None:
        return None
    if route != Battle.Route.ENGINE:
        effects = [
            "The fleets are held until the sides have entered and confirmed a result. They get an email."
        ]
    else:
        effects = ["It is fought at once, and then it cannot be fought on the tabletop."]
        if outcome is not None and outcome.sheet:
            effects.append("What has been entered on its result sheet is deleted.")
    return _ask(battle, f"Fight this battle {words}?", *effects, button=f"Fight {words}")
