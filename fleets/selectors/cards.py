"""Cards: a ship in the terms of a rule set, with how each figure was derived."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.text import capfirst

from battles.engine import registry
from battles.engine.core.scenario import Scenario, ScenarioShip, ShipFacts, Side
from battles.engine.core.scenario import Squadron as BattleSquadron
from fleets.facts import facts_from, facts_of
from fleets.figure_words import figure_words
from fleets.models import (
    RegisterEntry,
    Ship,
)


@dataclass(frozen=True, slots=True)
class CardNote:
    """How a figure of a card was derived: field, clause, sentence."""

    field: str
    clause: str
    sentence: str

    @property
    def label(self) -> str:
        """The field as a page names it, without a unit: the sentence beside it has one."""
        return str(capfirst(figure_words(self.field).partition(" (")[0]))


@dataclass(frozen=True, slots=True)
class ShownCard:
    """A ship's card in the terms of a rule set. notes: how its figures were derived.

    faults: why there is none, or why a battle would refuse the ship. by_hand: figures that the register sets, as it sets them.
    derived: figures of the card that would differ without them, as the rules derive them.
    """

    rule_set: str
    title: str
    figures: tuple[tuple[str, Any], ...] = ()
    notes: tuple[CardNote, ...] = ()
    faults: str = ""
    by_hand: tuple[tuple[str, Any], ...] = ()
    derived: tuple[tuple[str, Any], ...] = ()

    @property
    def lines(self) -> list[tuple[str, Any, Any]]:
        """Figures line by line: name, value, and what the rules derive where the register sets a different one (else None)."""
        other = dict(self.derived)
        return [(name, value, other.get(name)) for name, value in self.figures]

    @property
    def document(self) -> dict[str, Any]:
        """The figures by name, for the template that draws the card."""
        return dict(self.figures)

    @property
    def templates(self) -> tuple[str, str]:
        """What draws the card: the template of the rule set, else one that lists the figures."""
        return f"fleets/cards/{self.rule_set}.html", "fleets/cards/figures.html"

    @property
    def listed(self) -> list[tuple[str, Any]]:
        """The figures that are single values, named as a page names them."""
        rows = ((CardNote(name, "", "").label, value) for name, value in self.figures)
        return [(label, value) for label, value in rows if isinstance(value, int | str)]


def entry_cards(entry: RegisterEntry) -> list[ShownCard]:
    """The card that each installed rule set makes of a register entry, with the reason where a set can make none."""
    return [_entry_card(entry, name) for name in registry.names()]


def _entry_card(entry: RegisterEntry, rule_set: str) -> ShownCard:
    rules = registry.rule_set(rule_set)
    facts = facts_of(entry, rule_set=rule_set)
    by_hand = tuple(sorted(facts.overrides.items()))
    try:
        card, notes = rules.card(facts), rules.explain(facts)
    except ValueError as error:
        return ShownCard(rule_set, rules.title, faults=str(error), by_hand=by_hand)
    figures = _figures(card)
    plain = dict(_figures(rules.card(replace(facts, overrides={})))) if by_hand else dict(figures)
    derived = tuple((name, plain[name]) for name, value in figures if plain.get(name, value) != value)
    told = tuple(CardNote(*note) for note in notes)
    return ShownCard(
        rule_set, rules.title, figures, told, scenario_faults(entry.name, facts, rule_set), by_hand, derived
    )


def scenario_faults(
    name: str, facts: ShipFacts, rule_set: str, condition: Mapping[str, Any] | None = None
) -> str:
    """Why a battle under a rule set would refuse a ship, "" when it would not: asked of the set, with the ship against its double.

    condition: as it is, None for a sound ship.
    """
    sides = tuple(
        Side(
            id=code,
            name=code,
            nation=facts.nation,
            squadrons=(
                BattleSquadron(code, code, f"{code}1", (ScenarioShip(f"{code}1", name, facts, condition),)),
            ),
        )
        for code in ("A", "B")
    )
    found = registry.rule_set(rule_set).scenario_faults(Scenario(rule_set, "Alone", "ALONE", sides))
    return "; ".join(fault.text for fault in found if fault.path.startswith("sides[0].squadrons[0].ships[0]"))


def override_fields(rule_set: str) -> Mapping[str, str]:
    """Figures that a register may set by hand for a rule set, each with its allowed values in words."""
    return registry.rule_set(rule_set).override_fields


def ship_card(ship: Ship) -> ShownCard:
    """A campaign ship's card as it was made at muster, with how its figures were derived."""
    rules = registry.rule_set(ship.book.rule_set)
    try:
        notes = tuple(CardNote(*note) for note in rules.explain(facts_from(ship.facts)))
    except (ValueError, TypeError) as error:
        return ShownCard(rules.name, rules.title, _figures(ship.card), faults=str(error))
    return ShownCard(rules.name, rules.title, _figures(ship.card), notes)


def _figures(card: dict[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple((name, value) for name, value in card.items() if name != "schema")
