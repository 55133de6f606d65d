"""A campaign's ship changed by its umpire: corrected by hand, or updated from the register, each with a reason.

The reason appears in the ship's history and, as a correction, in its service record, which its own side reads. The umpire's log,
which everyone reads, says only that a ship of that side was corrected. Rules: G.SV1, G.UM1, G.IN1.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction

from battles.engine.core.crews import complement
from battles.engine.core.scenario import ShipFacts
from fleets.facts import facts_document, facts_from, facts_of
from fleets.keeping import keeper
from fleets.models import ServiceRecord, Ship
from fleets.pins import rule_set_of_book
from fleets.selectors.cards import scenario_faults
from fleets.services.import_plans import Change, differences, shown
from fleets.services.service_records import record_write

AMENDED = ("name", "captain", "complement", "men", "condition")
# What identifies the ship stays; the rest of its facts can be updated from the register.
RETAKEN = tuple(name for name in ShipFacts.__dataclass_fields__ if name not in ("name", "year_served"))


def ship_amend(
    *, ship: Ship, values: Mapping[str, Any], reason: str, user: Any, void_battle: bool = False
) -> ServiceRecord | None:
    """Correct a ship. values: some of AMENDED. Returns the correction in its record, None when nothing changes.

    void_battle: whether a battle that holds the ship is to be void and set up again. Raises ValidationError with every error: no
    reason, more men than the complement, a condition that its rules do not know, a battle that holds the ship, or a turn that is
    running. Rules: G.SV1, G.UM1, G.BT4.
    """
    before = {name: getattr(ship, name) for name in AMENDED}
    after = {**before, **{name: value for name, value in values.items() if name in AMENDED}}
    changes = differences(before, after)
    if not changes:
        return None
    held = held_fault(ship, void_battle=void_battle)
    faults = [*_reason_faults(reason), *amend_faults(ship, after), *([held] if held else [])]
    if faults:
        raise ValidationError(faults)
    if after["name"] != before["name"]:
        ship.former_names = [*ship.former_names, before["name"]]
    for name, value in after.items():
        setattr(ship, name, value)
    return _write(ship, changes, reason, user)


def held_fault(ship: Ship, *, void_battle: bool) -> str:
    """Why a ship cannot be corrected because of a battle that holds it, "" when none does or it is to be void. Rule: G.BT4."""
    held = keeper().held_by(ship.book, ship.code)
    if held is None or (void_battle and not held.fighting):
        return ""
    if held.fighting:
        return f"{held.title} is being fought with this ship. Correct it when the battle is over."
    return (
        f"{held.title} holds this ship. Wait for its result, or tick “Void the battle and set it up again”."
    )


def amend_faults(ship: Ship, values: Mapping[str, Any]) -> list[str]:
    """What is wrong with a ship's values, a sentence each."""
    faults = []
    if not str(values["name"]).strip():
        faults.append("Enter a name.")
    if values["men"] > values["complement"] and (values["men"], values["complement"]) != (
        ship.men,
        ship.complement,
    ):
        faults.append(f"The crew of {values['men']} exceeds the complement of {values['complement']}.")
    return [*faults, *_condition_faults(ship, values["condition"], values["complement"])]


def _condition_faults(ship: Ship, condition: Any, heads: int) -> list[str]:
    """What is wrong with a condition that a user typed: by its names, their kinds, and then by the ship's rules."""
    rules = rule_set_of_book(ship.book)
    sound = rules.at_sea.sound(ship.card)
    if not isinstance(condition, dict) or set(condition) != set(sound):
        return [f"The condition must have exactly these fields: {', '.join(sorted(sound))}."]
    kinds = [
        f"{name} in the condition is {json.dumps(condition[name])}. It must be {_KINDS.get(type(value), 'something else')}."
        for name, value in sound.items()
        if type(condition[name]) is not type(value)
    ]
    if kinds:
        return kinds
    try:
        lost = rules.at_sea.hull_fraction(ship.card, condition)
        rules.at_sea.men(ship.card, condition, heads)
        told = scenario_faults(ship.name, facts_from(ship.facts), rules.name, condition)
    except Exception:  # a rule set may meet anything in a document that a person typed
        return [f"{rules.title} cannot read this condition. Compare it with another ship's."]
    if not 0 <= lost < 1:
        return ["A ship in this condition would not be afloat."]
    return [told] if told else []


_KINDS = {
    bool: "true or false",
    int: "a whole number",
    str: "text",
    list: "a list",
    dict: "names and values",
}


@dataclass(frozen=True, slots=True)
class Retake:
    """A fact in which the ship and the register differ. name: its column; the ship's value, and the register's now."""

    name: str
    own: str
    register: str


def retake_choices(ship: Ship) -> list[Retake]:
    """Facts in which a ship differs from the register as it is now; none when its entry is gone."""
    if ship.entry is None:
        return []
    own, new = _both(ship)
    return [
        Retake(change.column, change.old, change.new)
        for change in differences(own, new)
    ]  # fmt: skip


def _both(ship: Ship) -> tuple[dict[str, Any], dict[str, Any]]:
    """The ship's facts and the register's, column by column."""
    assert ship.entry is not None
    own = asdict(facts_from(ship.facts))
    new = asdict(facts_of(ship.entry, rule_set=ship.book.rule_set))
    return tuple({name: facts[name] for name in RETAKEN} for facts in (own, new))  # type: ignore[return-value]


def ship_retake(*, ship: Ship, columns: Collection[str], reason: str, user: Any) -> ServiceRecord | None:
    """Update chosen facts from the register: the card is derived again, a full crew stays full.

    Returns the correction in its record, None when nothing changes. Raises ValidationError without a reason, when the entry is
    gone, no card can be made, a turn is running, or the card would change while the ship is damaged: damage to one card
    cannot be carried over to another. Rules: G.SV1, G.UM1, G.CR1.
    """
    if ship.entry is None:
        raise ValidationError("This ship's register entry no longer exists.")
    own, new = _both(ship)
    taken = {name: value for name, value in new.items() if name in columns}
    changes = differences(own, {**own, **taken})
    if not changes:
        return None
    faults = _reason_faults(reason)
    rules = rule_set_of_book(ship.book)
    facts = ShipFacts(**{**asdict(facts_from(ship.facts)), **taken})
    try:
        card = rules.card(facts)
    except ValueError as error:
        raise ValidationError([*faults, f"No card can be made from these facts: {error}."]) from None
    if card != ship.card and ship.condition != rules.at_sea.sound(ship.card):
        faults.append(
            "The ship is damaged, and these facts would change its card. Update it when it is repaired."
        )
    if faults:
        raise ValidationError(faults)
    if card != ship.card:
        ship.card, ship.condition = card, rules.at_sea.sound(card)
    ship.facts = facts_document(facts)
    ship.ship_type = facts.ship_type
    changes += _manned(ship, facts)
    return _write(ship, changes, reason, user)


def _manned(ship: Ship, facts: ShipFacts) -> tuple[Change, ...]:
    """The ship's complement by the new facts. Rule: G.CR1."""
    assert ship.entry is not None
    heads, estimated = complement(facts, year=ship.entry.register.year)
    if heads == ship.complement:
        return ()
    before = {"complement": ship.complement, "men": ship.men}
    ship.men = heads if ship.men == ship.complement else min(ship.men, heads)
    ship.complement, ship.complement_estimated = heads, estimated
    return differences(before, {"complement": ship.complement, "men": ship.men})


def _reason_faults(reason: str) -> list[str]:
    return [] if reason.strip() else ["Enter a reason. It appears in the ship's service record."]


def _write(ship: Ship, changes: tuple[Change, ...], reason: str, user: Any) -> ServiceRecord:
    """Ship, history, service record and the umpire's log in one transaction."""
    reason = reason.strip()
    with transaction.atomic():
        when = keeper().chart_time(ship.book)
        ship._change_reason = reason  # type: ignore[attr-defined]
        ship._history_user = user  # type: ignore[attr-defined]
        ship.save()
        number = ship.service_records.filter(kind="amended").count() + 1
        record = record_write(
            ship=ship,
            when=when,
            kind="amended",
            data={"changes": "; ".join(map(_told, changes)), "reason": reason, "by": user.get_username()},
            event=f"amended/{number}",
        )
        keeper().note(ship.book, user, "corrected a ship", f"a ship of {ship.navy.name}", ships=[ship.code])
    return record


def _told(change: Change) -> str:
    what = change.column.replace("_", " ")
    return f"{what} {shown(change.new) or 'none'}, previously {shown(change.old) or 'none'}"
