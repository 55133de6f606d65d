"""A navy musters: ships, squadrons and officers of a campaign are made from register entries."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, NamedTuple

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import prefetch_related_objects
from simple_history.utils import bulk_create_with_history

from battles.engine import registry
from battles.engine.core.crews import complement
from battles.engine.core.ruleset import RuleSet
from battles.engine.core.scenario import ShipFacts
from fleets.divisions import Division, Mustered, codes, divided
from fleets.facts import facts_document, facts_of
from fleets.models import Fleet, Navy, Officer, RegisterEntry, Role, Ship, Squadron
from fleets.services.service_records import NewRecord, records_write_bulk

_RANKS = {Role.FLAGSHIP.value: 0, Role.VICE_FLAG.value: 1, Role.REAR_FLAG.value: 2}

_SQUADRON = 60  # leaves room for ", 10th division" in a squadron's name


class _Aboard(NamedTuple):
    """Who commands a ship by its register entry: flag officers, and its captain or ""."""

    flag_officers: tuple[str, ...]
    captain: str


@dataclass(frozen=True, slots=True)
class Muster:
    """A fleet as it will muster, not saved: each squadron with the ship that flies its flag."""

    fleet: Fleet
    squadrons: list[Squadron]
    flagships: list[Ship]
    ships: list[Ship]
    officers: list[Officer]


def navy_muster(
    *,
    navy: Navy,
    entries: Iterable[RegisterEntry],
    fleet_code: str,
    fleet_name: str,
    rule_set: str,
    commander: str = "",
    when: str = "",
    divisions: Sequence[Division] | None = None,
) -> Fleet:
    """Make a fleet of a navy from register entries: ships with card, sound condition and men, squadrons, officers, records.

    fleet_code: free in the book, up to 20 characters. rule_set: whose cards. commander: the fleet's; default its senior flag
    officer. when: chart time of the muster, as text. divisions: squadrons of entries by their places in the list, None for those of
    the register. Raises ValidationError naming every ship of which the rule set can make no
    card, an empty list, or a code that is taken; UnknownRuleSet. Nothing is saved then. Rules: G.CR1, G.SV1.
    """
    if Fleet.objects.filter(navy__book_id=navy.book_id, code=fleet_code).exists():
        raise ValidationError(f"This campaign already has a fleet {fleet_code}.")
    first = next_number(navy)
    made = muster_plan(
        navy=navy, entries=entries, fleet_code=fleet_code, fleet_name=fleet_name, rule_set=rule_set,
        commander=commander, when=when, ship_codes=(ship_code(navy, number) for number in count(first)),
        officers=navy.officers.values_list("name", flat=True), divisions=divisions,
    )  # fmt: skip
    return muster_write(made, when=when)


def muster_write(made: Muster, *, when: str, turn: str = "") -> Fleet:
    """Save a fleet with all that belongs to it, and the first entries of its ships' ledgers. turn: in which it came, "" at the start."""
    with transaction.atomic():
        made.fleet.save()
        Squadron.objects.bulk_create(made.squadrons)
        bulk_create_with_history(made.ships, Ship, batch_size=500)
        for squadron, flagship in zip(made.squadrons, made.flagships, strict=True):
            squadron.flagship = flagship
        Squadron.objects.bulk_update(made.squadrons, ["flagship"])
        Officer.objects.bulk_create(made.officers)
        records_write_bulk(mustered_records(made.fleet.navy, made.ships, when, turn))
    return made.fleet


def muster_plan(
    *,
    navy: Navy,
    entries: Iterable[RegisterEntry],
    fleet_code: str,
    fleet_name: str,
    rule_set: str,
    ship_codes: Iterable[str],
    officers: Iterable[str],
    commander: str = "",
    when: str = "",
    divisions: Sequence[Division] | None = None,
) -> Muster:
    """What `navy_muster` makes, without saving it. Entries need not be stored: a ship of no register has one that is made up.

    ship_codes: for its ships, in order. officers: names that the navy's officers have already. Raises ValidationError as that does,
    but for a code that is taken; UnknownRuleSet.
    """
    rules = registry.rule_set(rule_set)
    rows = list(entries)
    prefetch_related_objects([row for row in rows if row.pk], "nation", "register")
    if not rows:
        raise ValidationError("A fleet needs at least one ship.")
    drafts = _drafts(navy, rows, rules, _year(when), ship_codes)
    if divisions is None:
        divisions = divided(
            [
                Mustered(key, (row.squadron or fleet_name)[:_SQUADRON], row.division, row.role, row.guns or 0)
                for key, row in enumerate(rows)
            ]
        )
    people = _officers(navy, rows, drafts, set(officers))
    senior = next((officer.name for officer in people if officer.flag_rank), "")
    fleet = Fleet(navy=navy, code=fleet_code, name=fleet_name, commander=commander or senior)
    squadrons = _squadrons(fleet, divisions)
    _place(drafts, divisions, squadrons)
    return Muster(fleet, squadrons, [drafts[division.flagship] for division in divisions], drafts, people)


def _drafts(
    navy: Navy,
    rows: Sequence[RegisterEntry],
    rules: RuleSet[Any],
    year: int | None,
    ship_codes: Iterable[str],
) -> list[Ship]:
    """The ships, not saved. year: of the muster, for a register that has none: a card must not change with the battle's date."""
    drafts, faults = [], []
    for entry, code in zip(rows, ship_codes, strict=False):
        facts = _facts(entry, rules, year)
        try:
            card = rules.card(facts)
        except ValueError as error:
            faults.append(f"{entry.name}: {error}")
            continue
        men, estimated = complement(facts, year=facts.year_served)
        drafts.append(
            Ship(
                book_id=navy.book_id,
                navy=navy,
                built_for=navy,
                entry=entry if entry.pk else None,
                code=code,
                name=entry.name,
                ship_type=entry.ship_type,
                facts=facts_document(facts),
                card=card,
                condition=rules.at_sea.sound(card),
                complement=men,
                complement_estimated=estimated,
                men=men,
                captain=_aboard(entry).captain,
            )
        )
    if faults:
        raise ValidationError(faults)
    return drafts


def _facts(entry: RegisterEntry, rules: RuleSet[Any], year: int | None) -> ShipFacts:
    facts = facts_of(entry, rule_set=rules.name)
    return facts if facts.year_served is not None else replace(facts, year_served=year)


def card_faults(*, entries: Iterable[RegisterEntry], rule_set: str, when: str) -> list[str]:
    """A sentence for each ship of which a rule set can make no card, as its muster would refuse it. when: the muster's day, as text."""
    rules, year = registry.rule_set(rule_set), _year(when)
    found = []
    for entry in entries:
        try:
            rules.card(_facts(entry, rules, year))
        except ValueError as error:
            found.append(f"{entry.name}: {error}")
    return found


def _year(when: str) -> int | None:
    """The year of a chart time; None when it begins with none."""
    year = when[:4]
    return int(year) if year.isdigit() else None


def next_number(navy: Navy) -> int:
    """Ships are numbered in the order of mustering; a number is never used again."""
    taken = navy.ships_built.values_list("code", flat=True)
    numbers = [int(found.group()) for code in taken if (found := re.search(r"\d+$", code))]
    return max(numbers, default=0) + 1


def ship_code(navy: Navy, number: int) -> str:
    """The code of a navy's ship by its number: it never changes."""
    return f"{navy.code}{number:03d}"


def _squadrons(fleet: Fleet, divisions: Sequence[Division]) -> list[Squadron]:
    return [
        Squadron(fleet=fleet, code=code, name=division.name[:80], order=order)
        for order, (code, division) in enumerate(
            zip(codes(fleet.code, len(divisions)), divisions, strict=True), start=1
        )
    ]


def _place(ships: Sequence[Ship], divisions: Sequence[Division], squadrons: Sequence[Squadron]) -> None:
    for division, squadron in zip(divisions, squadrons, strict=True):
        for order, key in enumerate(division.ships):
            ships[key].squadron = squadron
            ships[key].order = order


def _aboard(entry: RegisterEntry) -> _Aboard:
    """The register names the flag officer first, then the captain; a flag officer named alone is not its captain."""
    names = [name.strip()[:120] for name in entry.commander.split(";") if name.strip()]
    if entry.role not in _RANKS:
        return _Aboard((), names[-1] if names else "")
    if len(names) < 2:
        return _Aboard(tuple(names), "")
    return _Aboard(tuple(names[:-1]), names[-1])


def _officers(
    navy: Navy, rows: Sequence[RegisterEntry], ships: Sequence[Ship], taken: set[str]
) -> list[Officer]:
    """The officers by seniority, not saved, flags by rank first. Namesakes of a navy are told apart by their ships.

    taken: names of those that it has.
    """
    people: list[tuple[int, str, Ship]] = []
    for entry, ship in zip(rows, ships, strict=True):
        flags, captain = _aboard(entry)
        people += [(_RANKS[entry.role], name, ship) for name in flags]
        if captain:
            people.append((len(_RANKS), captain, ship))
    people.sort(key=lambda person: person[0])
    first = len(taken) + 1
    officers = []
    for seniority, (rank, name, ship) in enumerate(people, start=first):
        if name in taken:
            name = f"{name[: 110 - len(ship.name)]} ({ship.name})"
        taken.add(name)
        flag = rank < len(_RANKS)
        if not flag:
            ship.captain = name
        officers.append(Officer(navy=navy, name=name, flag_rank=flag, seniority=seniority, ship=ship))
    return officers


def mustered_records(navy: Navy, ships: Sequence[Ship], when: str, turn: str = "") -> list[NewRecord]:
    """The first entries of ships' ledgers. when: chart time, as text. turn: in which they mustered, "" before the first."""
    return [
        NewRecord(
            ship=ship,
            when=when,
            kind="mustered",
            event="mustered",
            data={
                "navy": navy.name,
                "squadron": ship.squadron.name if ship.squadron else "",
                "men": ship.men,
                "complement": ship.complement,
                "captain": ship.captain,
            },
            turn=turn,
            navy_code=navy.code,
        )
        for ship in ships
    ]
