"""A preview of a turn; nothing is written except that someone previewed it. Rules: G.UM1, G.CL2.

Before the orders are locked, sample dice are thrown a few times to show what is refused, where fleets are bound and who is
likely to meet. After locking the same functions that will run the turn are run, with its own dice, battles of the engine included.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from battles.engine.core.outcome import Outcome
from battles.engine.core.scenario import read_scenario
from battles.engine.pinned.archives import RulesMissing
from battles.engine.pinned.rules import Use
from battles.engine.play import play_battle
from battles.failures import Unreadable
from battles.models import Battle
from battles.services.fighting import battle_seed
from campaign.accounts import sentence
from campaign.calendar import chart_time, spoken
from campaign.models import Turn
from campaign.pinned.use import keyed, rules_of
from campaign.rules.admiral import admiral_orders
from campaign.rules.chart import types as t
from campaign.rules.state.documents import event_doc
from campaign.rules.turn import turn as rules
from campaign.rules.turn.knowledge import knowledge_of
from campaign.selectors.reports.reports import all_names
from campaign.selectors.sea.places import place_in_words
from campaign.selectors.turn.facts import pure_theatre, told_instructions, turn_facts
from campaign.selectors.turn.stored import facts_of
from campaign.services.turn.turn_results import refusal
from campaign.services.umpire_log import Actor, UmpireRefused, act_log

Phase = Turn.Phase
TRIES = 5
SMALL = frozenset({"weather", "passed"})


@dataclass(frozen=True, slots=True)
class Preview:
    """What a preview shows. exact: with the turn's own dice. refused: (fleet, reasons). bound: (fleet, where it may be).

    contacts: (which fleets, how many of TRIES). lines: (chart time, sentence), of an exact preview only. ends: where it stops, or the
    hash it ends in.
    """

    exact: bool
    refused: tuple[tuple[str, str], ...]
    bound: tuple[tuple[str, str], ...]
    contacts: tuple[tuple[str, int], ...] = ()
    lines: tuple[tuple[str, str], ...] = ()
    ends: str = ""


def turn_preview(*, turn: Turn, umpire: Actor) -> Preview:
    """Preview an open turn, or one that is locked and not begun. Raises UmpireRefused for any other. Rule: G.UM1."""
    try:
        found = _found(turn)
    except RulesMissing as missing:
        raise UmpireRefused(str(missing)) from missing
    if found is None:
        raise UmpireRefused(
            f"Turn {turn.number} is {turn.get_phase_display().lower()}, so it cannot be previewed."
        )
    act_log(
        campaign=turn.campaign, actor=umpire.get_username(), turn=turn, action="previewed the turn",
        reason="as the turn will run" if found.exact else "with sample dice",
    )  # fmt: skip
    return found


def _found(turn: Turn) -> Preview | None:
    if turn.phase == Phase.OPEN:
        return _likely(turn)
    if turn.phase in (Phase.LOCKED, Phase.HELD) and not turn.has_begun and turn.snapshot is not None:
        return _exact(turn)
    return None


def _likely(turn: Turn) -> Preview:
    """Orders as they stand now, the automatic admirals' among them, under dice that will never be thrown."""
    use, (facts, orders) = rules_of(turn), turn_facts(turn)
    for side in turn.campaign.sides.filter(automatic=True).select_related("navy"):
        told = told_instructions(turn, side)
        orders |= use(admiral_orders)(use(knowledge_of)(facts, None, side.code), told)
    met: Counter[str] = Counter()
    states = []
    for _ in range(TRIES):
        state = _played(use, facts, orders, secrets.token_hex(32))
        states.append(state)
        names = _names(turn, facts, state)
        met.update({_who(e.data, names) for e in state.events if e.kind == "battle"})
    names = _names(turn, facts, states[0])
    contacts = sorted(met.items(), key=lambda row: (-row[1], row[0]))
    return Preview(False, _refused(states[0], names), _bound(facts, states[0], names), tuple(contacts))


def _played(use: Use, facts: t.TurnFacts, orders: Mapping[str, t.FleetOrder], secret: str) -> rules.TurnState:
    """A whole turn in which every battle holds its fleets, so that none has to be fought."""
    prefix = f"{facts.campaign}/{facts.turn}"
    state = use(rules.begin)(facts, orders, keyed(use, secret, prefix))
    while True:
        ongoing = [call.code for call in state.calls]
        state, stop = use(rules.advance)(facts, state, {}, keyed(use, secret, prefix), ongoing=ongoing)
        if isinstance(stop, t.TurnDone):
            return state


def _exact(turn: Turn) -> Preview:
    """The turn as it will run: its facts, its dice, its battles."""
    try:
        facts, orders = facts_of(turn, pure_theatre(turn.campaign.theatre))
    except Unreadable as error:
        raise UmpireRefused(str(error)) from error
    use, prefix = rules_of(turn), f"{facts.campaign}/{facts.turn}"
    state = use(rules.begin)(facts, orders, keyed(use, turn.chart_secret, prefix))
    outcomes: dict[str, Mapping[str, Any]] = {}
    ongoing: list[str] = []
    ends = ""
    while not ends:
        dice = keyed(use, turn.chart_secret, prefix)
        state, stop = use(rules.advance)(facts, state, outcomes, dice, ongoing=ongoing)
        if isinstance(stop, t.TurnDone):
            ends = f"It ends in the state {use(rules.state_hash)(state)}."
        elif isinstance(stop, t.Battles):
            if facts.settings.battle_route == Battle.Route.ENGINE:
                outcomes = {call.code: _fought(turn, call) for call in stop.calls}
            elif facts.settings.campaign_waits == "yes":
                ends = "It stops there until players have fought its battles."
            else:
                ongoing += [call.code for call in stop.calls]
    names = _names(turn, facts, state)
    lines = tuple(
        (spoken(chart_time(facts.start_date, event.hour)), sentence(event_doc(event), names))
        for event in sorted(state.events, key=lambda event: event.hour)
        if event.kind not in SMALL
    )
    return Preview(True, _refused(state, names), _bound(facts, state, names), lines=lines, ends=ends)


def _names(turn: Turn, facts: t.TurnFacts, state: rules.TurnState) -> dict[str, str]:
    """Names by code of everything, what has come or been made in the turn too."""
    names = all_names(turn.campaign)
    names |= {code: fleet.name for code, fleet in state.fleets.items() if fleet.name}
    return names | {ship.code: ship.name for event in facts.calendar for ship in event.brings.ships}


def _fought(turn: Turn, call: t.BattleCall) -> Mapping[str, Any]:
    seed = battle_seed(secret=turn.battle_secret, code=turn.seed_code(call.code))
    use = rules_of(turn)
    scenario = use(read_scenario)(call.scenario)
    played = use(play_battle)(scenario, bytes.fromhex(seed), log=False)
    return use(Outcome.to_dict)(played.outcome)


def _refused(state: rules.TurnState, names: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    rows = (event.data for event in state.events if event.kind == "order_refused")
    return tuple((names.get(data["fleet"], data["fleet"]), refusal(data)) for data in rows)


def _bound(
    facts: t.TurnFacts, state: rules.TurnState, names: Mapping[str, str]
) -> tuple[tuple[str, str], ...]:
    alive = (state.fleets[code] for code in sorted(state.fleets) if not state.fleets[code].ended)
    return tuple(
        (names.get(fleet.code) or fleet.name or fleet.code, place_in_words(facts.theatre, fleet.position))
        for fleet in alive
    )


def _who(data: Mapping[str, Any], names: Mapping[str, str]) -> str:
    groups = [" and ".join(names.get(code, code) for code in codes) for codes in data["fleets"].values()]
    return " against ".join(groups)
