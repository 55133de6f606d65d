"""The proof of a campaign: every die thrown again, every battle fought again, every turn played again, and all of it compared.

Nothing is written. Rules: G.FA1, G.CL2, G.BT2.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from battles.engine.core.log import DIE, Event
from battles.engine.core.outcome import Outcome
from battles.engine.core.scenario import read_scenario
from battles.engine.core.wordless import wordless
from battles.engine.pinned.archives import RulesMissing
from battles.engine.pinned.rules import Use
from battles.engine.play import play_battle, verify
from battles.models import Battle
from battles.pins import rules_of_battle
from battles.services.fighting import battle_seed, digest
from campaign.models import Campaign, Turn
from campaign.pinned.use import keyed, rules_of
from campaign.rules.chart import types as t
from campaign.rules.turn import turn as rules
from campaign.rules.turn.snapshots import facts_from_dict
from campaign.selectors.turn.facts import pure_theatre
from campaign.selectors.turn.ongoing import call_code
from campaign.services.turn.turns import battles_of

LEFT_BEHIND = "was sealed when the campaign was exported without secrets, so it was not checked"
MOST_NAMED = 3  # differences of one kind that are named; the rest is counted


class Verdict(StrEnum):
    """What came of a check. UNTRIED: it cannot be made here, and why; no difference."""

    AGREES = "agrees"
    DIFFERS = "differs"
    UNTRIED = "untried"


class Finding(NamedTuple):
    """One check. subject: the turn or battle; text: a sentence."""

    subject: str
    verdict: Verdict
    text: str

    def __str__(self) -> str:
        mark = {Verdict.AGREES: "ok", Verdict.DIFFERS: "DIFFERENT", Verdict.UNTRIED: "not tried"}[
            self.verdict
        ]
        return f"{mark}  {self.subject}: {self.text}"


def campaign_verify(*, campaign: Campaign) -> Iterator[Finding]:
    """Check the theatre of a campaign, every closed turn and every written battle, in order. Rule: G.FA1."""
    if campaign.theatre_hash not in ("", digest(campaign.theatre.document)):
        yield Finding("theatre", Verdict.DIFFERS, "it is not the one that the campaign began with")
    turns = campaign.turns.select_related("campaign__book", "campaign__theatre").order_by("number")
    for turn in turns.iterator(chunk_size=1):
        battles = battles_of(turn.pk).filter(status=Battle.Status.WRITTEN)
        for battle in battles.select_related("roster", "outcome", "log", "book"):
            yield from battle_verify(battle=battle, turn=turn)
        if turn.phase == Turn.Phase.CLOSED:
            yield from turn_verify(turn=turn)


def battle_verify(*, battle: Battle, turn: Turn) -> Iterator[Finding]:
    """Check a written battle: its seed, its roster, each die of its log, and the same battle fought again. Rules: G.FA1, G.BT2."""
    subject = f"battle {battle.code}"
    if not battle.seed:
        yield Finding(subject, Verdict.UNTRIED, f"its seed {LEFT_BEHIND}")
        return
    seed = bytes.fromhex(battle.seed)
    follows = "the seed follows from the turn's secret and has the hash that was published"
    if "v" in battle.code.rsplit("-", 1)[1]:
        follows = "the battle was set up again with its own seed, which has the hash that was published"
    elif not turn.battle_secret:
        follows = "the seed has the hash that was published"
    elif battle.seed != battle_seed(secret=turn.battle_secret, code=_seed_code(battle, turn)):
        follows = ""
    yield _compared(
        subject,
        bool(follows) and hashlib.sha256(seed).hexdigest() == battle.seed_hash,
        follows,
        "the seed is not the one that was published",
    )
    yield _compared(
        subject,
        digest(battle.roster.scenario) == battle.roster.digest == battle.outcome.roster_digest,
        "the outcome belongs to the roster that was sent in",
        "the roster is not the one that was sent in",
    )
    if battle.route != Battle.Route.ENGINE:
        yield Finding(
            subject,
            Verdict.UNTRIED,
            f"fought {battle.get_route_display()}: its result was accepted and is used as it is",
        )
        return
    if not hasattr(battle, "log"):
        yield Finding(subject, Verdict.UNTRIED, "no log was kept, so there are no dice to throw again")
    else:
        yield _dice(subject, battle, seed)
    try:
        use = rules_of_battle(battle)
    except RulesMissing as missing:
        yield Finding(subject, Verdict.UNTRIED, f"it was not fought again. {missing}")
        return
    yield from _fought_again(subject, battle, seed, use)


def _seed_code(battle: Battle, turn: Turn) -> str:
    """What the seed was drawn from: the code, or that of the battle whose dice a rerun throws again. Rules: G.FA1, G.UM3."""
    return battle.code if turn.repeats is None else turn.seed_code(battle.code.rsplit("-", 1)[1])


def _dice(subject: str, battle: Battle, seed: bytes) -> Finding:
    events = [Event.from_list(row) for row in battle.log.events()]
    wrong = list(verify(events, seed))
    if len(events) != battle.log.count:
        wrong.append(f"the log has {len(events)} events and had {battle.log.count}")
    if wrong:
        more = f"; and {len(wrong) - MOST_NAMED} more" if len(wrong) > MOST_NAMED else ""
        return Finding(subject, Verdict.DIFFERS, "; ".join(wrong[:MOST_NAMED]) + more)
    thrown = sum(len(event.data["faces"]) for event in events if event.kind == DIE)
    return Finding(subject, Verdict.AGREES, f"all {thrown} dice of the log are those of the seed")


def _fought_again(subject: str, battle: Battle, seed: bytes, use: Use) -> Iterator[Finding]:
    played = use(play_battle)(use(read_scenario)(battle.roster.scenario), seed, log=True)
    stored = battle.outcome
    yield _compared(
        subject,
        _plain(use(Outcome.to_dict)(played.outcome)) == _plain(stored.document),
        "fought again, it has the same outcome",
        "fought again, its outcome differs from the one that was applied",
    )
    yield _compared(
        subject,
        digest(played.state) == stored.state_hash,
        f"fought again, it ends in the same state {stored.state_hash[:12]}",
        "fought again, it ends in a different state",
    )
    if hasattr(battle, "log"):
        yield _compared(
            subject,
            _plain([use(Event.to_list)(event) for event in played.events]) == _plain(battle.log.events()),
            "fought again, it writes the same log",
            "fought again, its log differs from the one that is stored",
        )


def turn_verify(*, turn: Turn) -> Iterator[Finding]:
    """Check a closed turn: its secret against the published hash, and the turn played again from its facts. Rules: G.FA1, G.CL2."""
    subject = f"turn {turn.number}"
    if not turn.chart_secret:
        yield Finding(subject, Verdict.UNTRIED, f"its secret {LEFT_BEHIND}")
        return
    yield _compared(
        subject,
        hashlib.sha256(bytes.fromhex(turn.chart_secret)).hexdigest() == turn.chart_hash,
        "the chart secret has the hash that was published",
        "the chart secret is not the one whose hash was published",
    )
    try:
        use = rules_of(turn)
        state, strangers = turn_replay(turn=turn)
    except RulesMissing as missing:
        yield Finding(subject, Verdict.UNTRIED, f"it was not played again. {missing}")
        return
    except (LookupError, ValueError, TypeError) as error:
        yield Finding(subject, Verdict.DIFFERS, f"it cannot be played again: {error}")
        return
    for code in strangers:
        yield Finding(
            subject, Verdict.DIFFERS, f"played again, it sends a different roster into the battle {code}"
        )
    yield _compared(
        subject,
        use(rules.state_hash)(state) == turn.state_hash,
        f"played again, it ends in the same state {turn.state_hash[:12]}",
        "played again, it ends in a different state",
    )


def turn_replay(*, turn: Turn) -> tuple[rules.TurnState, list[str]]:
    """Play a turn from its stored facts, secret and accepted outcomes; nothing is written.

    Ongoing battles keep their fleets as they did. Returns the final state, and the codes of battles whose roster is not
    the one that this turn sends in. Raises OutcomeError where an outcome is missing or does not fit, SchemaError for facts that
    cannot be read. Rules: G.BT4, G.CL2.
    """
    if turn.snapshot is None:
        raise ValueError("the facts it began with were not kept")
    fought = battles_of(turn.pk).filter(status=Battle.Status.WRITTEN).select_related("roster", "outcome")
    battles = {call_code(battle): battle for battle in fought}
    stops = list(turn_stops(turn=turn, battles=battles))
    strangers = [
        call.code
        for _, stop in stops
        if isinstance(stop, t.Battles)
        for call in stop.calls
        if call.code in battles
        and "v" not in battles[call.code].code.rsplit("-", 1)[1]  # set up again after an edit
        and digest(call.scenario) != battles[call.code].roster.digest
    ]
    return stops[-1][0], strangers


def turn_stops(*, turn: Turn, battles: Mapping[str, Battle]) -> Iterator[tuple[rules.TurnState, t.Stop]]:
    """The stops of a turn played again: each state, and what stopped it there. battles: those that were fought, by their calls.

    Raises as `turn_replay` does, and RulesMissing when its rules are not installed. Rules: G.BT4, G.CL2.
    """
    use = rules_of(turn)
    facts, orders = use(facts_from_dict)(turn.snapshot or {}, pure_theatre(turn.campaign.theatre))
    prefix = f"{facts.campaign}/{facts.turn}"
    documents = {
        code: battle.outcome.document for code, battle in battles.items() if code not in turn.ongoing
    }
    state = use(rules.begin)(facts, orders, keyed(use, turn.chart_secret, prefix))
    stop: t.Stop | None = None
    while not isinstance(stop, t.TurnDone):
        dice = keyed(use, turn.chart_secret, prefix)
        state, stop = use(rules.advance)(facts, state, documents, dice, ongoing=turn.ongoing)
        yield state, stop


def _compared(subject: str, agrees: bool, well: str, ill: str) -> Finding:  # noqa: FBT001 - what was compared
    return Finding(subject, Verdict.AGREES if agrees else Verdict.DIFFERS, well if agrees else ill)


def _plain(document: Any) -> Any:
    """As it looks once it has been stored, tuples as lists and keys as text, without its words, which may be worded better since."""
    return wordless(json.loads(json.dumps(document)))
