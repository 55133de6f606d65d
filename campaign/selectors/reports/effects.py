"""What a result would do once it is written: reckoned by the same write-back, on a copy, and thrown away. Rule: G.BT2."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from battles.engine.pinned.rules import Use
from battles.models import Battle
from battles.pins import rule_set_of
from battles.roster import Entered, entered
from campaign.accounts import sentence, with_article
from campaign.accounts.words import zone_name
from campaign.models import Campaign, Contact, Turn
from campaign.pinned.use import keyed, rules_of
from campaign.rules.battle.ongoing import ongoing_code
from campaign.rules.battle.writeback import OutcomeError, write_back
from campaign.rules.chart import types as t
from campaign.rules.state.documents import event_doc
from campaign.rules.state.events import EVENT_KINDS
from campaign.rules.state.state import ShipState
from campaign.rules.state.world import Chart
from campaign.rules.turn import turn as rules
from campaign.rules.turn.knowledge import events_for
from campaign.rules.turn.snapshots import facts_from_dict
from campaign.selectors.reports.reports import all_names
from campaign.selectors.turn.facts import pure_theatre, turn_facts
from campaign.selectors.turn.ongoing import call_code

A_GALE = "A gale begins in the {} zone when the battle ends. Every ship at sea there must ride it out."


@dataclass(frozen=True, slots=True)
class Effect:
    """What a result does to one ship. word: "" when nothing. hull: % left before and after; men: aboard before and after.

    hull and men are None for a ship of which the reader knows only what the table showed. marks: figures of its card that change, before
    and after.
    """

    code: str
    name: str
    word: str
    hull_before: int | None = None
    hull: int | None = None
    men_before: int | None = None
    men: int | None = None
    marks: tuple[tuple[str, int, int], ...] = ()

    @property
    def changed(self) -> bool:
        """Whether anything happens to it, as far as the reader knows."""
        same = (self.hull, self.men) == (self.hull_before, self.men_before)
        return bool(self.word or self.marks) or not same


@dataclass(frozen=True, slots=True)
class SideEffects:
    """What a result does to the ships of a side. known: the reader reads them in full."""

    code: str
    name: str
    ships: tuple[Effect, ...]
    known: bool

    @property
    def changed(self) -> tuple[Effect, ...]:
        """Ships to which something happens."""
        return tuple(ship for ship in self.ships if ship.changed)

    @property
    def same(self) -> tuple[str, ...]:
        """Names of the others."""
        return tuple(ship.name for ship in self.ships if not ship.changed)


@dataclass(frozen=True, slots=True)
class Effects:
    """What a result would do. sides: the reader's own first. told: what the reports will say. faults: why it cannot be."""

    sides: tuple[SideEffects, ...]
    told: tuple[str, ...]
    fault: str = ""


def projected(
    campaign: Campaign, battle: Battle, document: Mapping[str, Any], side: str | None = None
) -> Effects:
    """The effects of a document on every ship of a battle that is not written yet, as its outcome.

    side: code of the reader's side, None for the umpire. A side reads its own ships in full, its enemy's as the table showed them, and
    what its own reports will say. Rules: G.BT2, G.BT4, G.IN1.
    """
    use, chart, call = _at_the_return(campaign, battle)
    ships = entered(battle)
    before = dict(chart.state.ships)
    told, storms = len(_events(use, chart, side)), chart.state.storms
    try:
        use(write_back)(chart, call, document, not_before=chart.hour)
    except (OutcomeError, LookupError, ValueError) as error:
        return Effects((), (), str(error))
    names = all_names(campaign)
    sides = dict(campaign.sides.values_list("navy__code", "name"))
    at_sea = rule_set_of(battle).at_sea
    rows: dict[str, list[Effect]] = {}
    for code, ship in ships.items():
        if code in before:
            effect = _effect(ship, before[code], chart.state.ships[code], at_sea, sides)
            if side not in (None, ship.side):
                effect = Effect(effect.code, effect.name, effect.word)
            rows.setdefault(ship.side, []).append(effect)
    return Effects(
        tuple(
            SideEffects(code, sides.get(code, code), tuple(found), side in (None, code))
            for code, found in sorted(rows.items(), key=lambda row: (row[0] != side, row[0]))
        ),
        (
            *(
                sentence(event, names)
                for event in _events(use, chart, side)[told:]
                if EVENT_KINDS[event[1]].of_result
            ),
            *(A_GALE.format(zone_name(zone)) for _, zone in sorted({*chart.state.storms} - {*storms})),
        ),
    )


def _events(use: Use, chart: Chart, side: str | None) -> list[Any]:
    """The events of the turn that reports tell to a side, all for the umpire."""
    if side is None:
        return [use(event_doc)(event) for event in chart.state.events]
    return list(use(events_for)(chart.state, side))


def _effect(ship: Entered, was: ShipState, now: ShipState, at_sea: Any, sides: Mapping[str, str]) -> Effect:
    before = at_sea.hull_fraction(ship.card, was.condition or ship.condition)
    after = at_sea.hull_fraction(ship.card, now.condition)
    word = "" if now.fate.value == "afloat" else now.fate.value
    if now.side != was.side:
        word = (
            f"a prize of {with_article(sides.get(now.side, now.side))}"
            if now.prize
            else f"{sides.get(now.side, now.side)} again"
        )
    elif now.flags:
        word = ", ".join(now.flags)
    return Effect(
        ship.code,
        ship.name,
        word,
        100 - round(before * 100),
        max(0, 100 - round(after * 100)),
        was.men,
        now.men,
        tuple(
            (mark.label, old.value, mark.value)
            for old, mark in zip(
                at_sea.marks(ship.card, was.condition or ship.condition),
                at_sea.marks(ship.card, now.condition),
                strict=True,
            )
            if old.value != mark.value
        ),
    )


def _at_the_return(campaign: Campaign, battle: Battle) -> tuple[Use, Chart, t.BattleCall]:
    """The rules, the chart by them, and the call to be written back: of a turn that waits, or of a battle that holds its fleets."""
    contact = Contact.objects.select_related("turn").get(battle=battle)
    turn = contact.turn
    waits = turn.phase == Turn.Phase.FIGHTING and call_code(battle) not in turn.ongoing
    snapshot, stored = turn.snapshot, turn.state
    if waits and snapshot is not None and stored is not None:
        use = rules_of(turn)
        facts, _ = use(facts_from_dict)(snapshot, pure_theatre(campaign.theatre))
        state = use(rules.TurnState.from_dict)(stored)
        call = next(call for call in state.calls if call.code == contact.code)
        return use, use(Chart)(facts, state, keyed(use, secrets.token_hex(32), "")), call
    newest = campaign.turns.order_by("-number").first()
    assert newest is not None
    facts, _ = turn_facts(newest)
    facts = replace(facts, accepted={})
    use = rules_of(newest)
    state = use(rules.standing)(facts)
    call = state.ongoing[ongoing_code(turn.number, contact.code)]
    for fleet in (fleet for codes in call.fleets.values() for fleet in codes):
        state.fleets[fleet] = replace(state.fleets[fleet], held_by="")
    return use, use(Chart)(facts, state, keyed(use, secrets.token_hex(32), "")), call
