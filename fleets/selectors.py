"""Reading the fleets room: a fixed number of queries each, however many ships there are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Count, F, Prefetch, Q, QuerySet

from battles.engine import registry
from battles.engine.core.fates import Fate
from battles.engine.core.scenario import Scenario, ScenarioShip, ShipFacts, Side
from battles.engine.core.scenario import Squadron as BattleSquadron
from fleets.facts import facts_from, facts_of
from fleets.models import (
    Book,
    Fleet,
    Navy,
    Officer,
    OfficerRecord,
    Prize,
    Register,
    RegisterEntry,
    RepairJob,
    ServiceRecord,
    Ship,
    ShipType,
    Squadron,
)
from fleets.record_words import officer_sentence, sentence


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """An entry of a ship's ledger with its words. corrected_by: the entry that corrects it, "" for one that stands."""

    record: ServiceRecord
    words: str
    corrected_by: str = ""


@dataclass(frozen=True, slots=True)
class CardNote:
    """How a figure of a card came about: field, clause, sentence."""

    field: str
    clause: str
    sentence: str

    @property
    def label(self) -> str:
        """The field as a page names it."""
        return self.field.removeprefix("n_").replace("_", " ").capitalize()


@dataclass(frozen=True, slots=True)
class ShownCard:
    """A ship's card in the terms of a rule set. notes: how its figures came about.

    faults: why there is none, or why a battle would refuse her. by_hand: figures that the register sets, as it sets them.
    derived: figures of the card that would be others without them, as the rules derive them.
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
        """Figures line by line: name, value, and what the rules derive where the register sets another (else None)."""
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


@dataclass(frozen=True, slots=True)
class FleetSheet:
    """A fleet with its squadrons that have ships, van first, each with her ships in the order of sailing."""

    fleet: Fleet
    squadrons: tuple[tuple[Squadron, tuple[Ship, ...]], ...]

    @property
    def ships(self) -> int:
        """How many sail in her."""
        return sum(len(ships) for _, ships in self.squadrons)


def ship_sheets(book: Book) -> list[dict[str, Any]]:
    """Every ship of a book that sails, in the order of codes, as plain values for a turn's facts. One query."""
    rows = book.ships.filter(
        fate=Fate.AFLOAT.value, squadron__isnull=False, squadron__fleet__ended=False
    ).select_related("navy", "squadron__fleet")
    return [_sheet(ship) for ship in rows.order_by("code")]


def _sheet(ship: Ship) -> dict[str, Any]:
    squadron = ship.squadron
    assert squadron is not None
    return {
        "code": ship.code,
        "name": ship.name,
        "side": ship.navy.code,
        "fleet": squadron.fleet.code,
        "squadron": squadron.code,
        "ship_type": ship.ship_type,
        "card": ship.card,
        "condition": ship.condition,
        "facts": ship.facts,
        "complement": ship.complement,
        "men": ship.men,
        "captain": ship.captain,
        "order": ship.order,
        "prize": ship.prize,
    }


def squadron_sheets(book: Book) -> list[dict[str, Any]]:
    """Every squadron of a book that has ships, in the order of codes, with its serving flag officer. Two queries."""
    rows = (
        Squadron.objects.filter(fleet__navy__book=book, fleet__ended=False, ships__fate=Fate.AFLOAT.value)
        .select_related("fleet", "flagship")
        .distinct()
    )
    officers: dict[int, str] = {}
    serving = Officer.objects.filter(
        navy__book=book, flag_rank=True, status=Officer.Status.SERVING, ship__isnull=False
    )
    for ship_id, name in serving.order_by("seniority", "name").values_list("ship_id", "name"):
        officers.setdefault(ship_id or 0, name)
    return [
        {
            "code": squadron.code,
            "name": squadron.name,
            "fleet": squadron.fleet.code,
            "flagship": squadron.flagship.code if squadron.flagship else "",
            "officer": officers.get(squadron.flagship_id or 0, ""),
            "order": squadron.order,
        }
        for squadron in rows.order_by("code")
    ]


@dataclass(frozen=True, slots=True)
class OfficerLife:
    """An officer with the entries of his record, oldest first, as (chart time, sentence)."""

    officer: Officer
    entries: tuple[tuple[str, str], ...]


def officers_aboard(ship: Ship) -> list[OfficerLife]:
    """The officers in a ship, flags first, each with his record. Two queries. Rules: G.AF1, G.SV1."""
    records = OfficerRecord.objects.filter(void="").order_by("when", "pk")
    rows = ship.officers.prefetch_related(Prefetch("records", queryset=records))
    return [
        OfficerLife(row, tuple((record.when, officer_sentence(record)) for record in row.records.all()))
        for row in rows.order_by("-flag_rank", "seniority", "name")
    ]


def estimated_complements(book: Book) -> frozenset[str]:
    """Codes of the ships whose complement no register gives. One query. Rule: G.CR1."""
    return frozenset(book.ships.filter(complement_estimated=True).values_list("code", flat=True))


def repair_job_of(ship: Ship) -> RepairJob | None:
    """A ship's entry in the books of a yard, None when she has none. One query. Rule: G.RP2."""
    return RepairJob.objects.filter(ship=ship).first()


def prizes_closed(navy: Navy) -> list[Prize]:
    """Prizes of a navy that have been disposed of, newest first, with ships and who took them. One query. Rule: G.PR4."""
    sailing = (Prize.Status.SAILING, Prize.Status.IN_PORT, Prize.Status.CONDEMNED)
    rows = Prize.objects.filter(captor=navy, void="").exclude(status__in=sailing)
    return list(rows.select_related("ship", "taken_by").order_by("-when", "-pk"))


def ships_lost_to_enemies(navy: Navy, codes: Iterable[str]) -> list[tuple[str, str]]:
    """Code and name, as her own side knew it, of ships that were taken from a navy. One query. Rule: G.IN1.

    A name that her captor gave her is his affair: her first name is told.
    """
    rows = navy.book.ships.filter(code__in=list(codes)).order_by("name")
    return [(ship.code, (ship.former_names or [ship.name])[0]) for ship in rows]


def officer_sheets(book: Book) -> list[dict[str, Any]]:
    """Every named officer of a book as plain values for a turn's facts. One query. Rule: G.AF1."""
    rows = Officer.objects.filter(navy__book=book).order_by("navy__code", "name")
    columns = ("name", "navy__code", "flag_rank", "seniority", "ship__code", "status")
    return [
        {
            "name": name,
            "side": side,
            "flag_rank": flag,
            "seniority": seniority,
            "ship": ship or "",
            "status": status,
        }
        for name, side, flag, seniority, ship, status in rows.values_list(*columns)
    ]


def service_history(ship: Ship) -> list[HistoryEntry]:
    """A ship's ledger, oldest first; an entry that was corrected stays and says so. One query. Rule: G.SV1."""
    records = list(ship.service_records.filter(void=""))
    corrected = {record.corrects_id: record.event for record in records if record.corrects_id}
    return [HistoryEntry(record, sentence(record), corrected.get(record.pk, "")) for record in records]


@dataclass(frozen=True, slots=True)
class FactRow:
    """A fact about a ship as a page lists it. value: "" where it is not established."""

    label: str
    value: str


FACTS = (
    ("built_by", "Built by", ""),
    ("year_built", "Launched", ""),
    ("rate", "Rate", ""),
    ("guns", "Guns", ""),
    ("gun_detail", "Armament", ""),
    ("broadside_lb", "Weight of broadside", " lb"),
    ("tons_burthen", "Burthen", " tons"),
    ("displacement_tons", "Displacement", " tons"),
    ("crew", "Crew", " men"),
    ("speed_knots", "Speed", " knots"),
)


def fact_rows(facts: ShipFacts) -> list[FactRow]:
    """Register facts line by line, those that nobody knows among them."""
    values = ((label, getattr(facts, name), unit) for name, label, unit in FACTS)
    return [
        FactRow(label, f"{value}{unit}" if value not in (None, "") else "") for label, value, unit in values
    ]


def ship_facts(ship: Ship) -> list[FactRow]:
    """The facts of a campaign's ship as they were at muster."""
    return fact_rows(facts_from(ship.facts))


def ship_of_book(book: Book, code: str) -> Ship | None:
    """A ship for her page, with squadron, fleet, navies, register entry, officers and captures; None where there is none."""
    return (
        Ship.objects.select_related(
            "book", "navy__nation", "built_for", "squadron__fleet", "squadron__flagship", "entry__register"
        )
        .prefetch_related("prizes__captor", "prizes__taken_from", "prizes__taken_by")
        .filter(book=book, code=code)
        .first()
    )


def ship_navies(book: Book) -> dict[str, int]:
    """The navy (its key) that every ship of a book sails for now, by code. One query."""
    return dict(book.ships.values_list("code", "navy_id"))


def register_entry_of(code: str, entry_id: int) -> RegisterEntry:
    """One entry of a register. Raises RegisterEntry.DoesNotExist."""
    return RegisterEntry.objects.select_related("register", "nation").get(register__code=code, pk=entry_id)


def fleet_with_ships(fleet_id: int) -> FleetSheet:
    """A fleet for its page, in four queries. Raises Fleet.DoesNotExist."""
    afloat = (
        Ship.objects.filter(fate=Fate.AFLOAT.value).prefetch_related("officers").order_by("order", "code")
    )
    squadrons = Squadron.objects.select_related("flagship").prefetch_related(
        Prefetch("ships", queryset=afloat)
    )
    fleet = (
        Fleet.objects.select_related("navy__nation", "navy__book")
        .prefetch_related(Prefetch("squadrons", queryset=squadrons.order_by("order", "code")))
        .get(pk=fleet_id)
    )
    bodies = ((squadron, tuple(squadron.ships.all())) for squadron in fleet.squadrons.all())
    return FleetSheet(fleet, tuple((squadron, ships) for squadron, ships in bodies if ships))


def register_list() -> QuerySet[Register]:
    """All registers with `ships`, how many entries each has. One query."""
    return Register.objects.annotate(ships=Count("entries")).order_by("year", "code")


def register_sides(register: Register) -> list[tuple[str, int]]:
    """Sides of a register with the number of their ships, as the register lists them. One query."""
    found: dict[str, int] = {}
    for side in register.entries.order_by("line").values_list("side", flat=True):
        found[side] = found.get(side, 0) + 1
    return list(found.items())


@dataclass(frozen=True, slots=True)
class RegisterSearch:
    """What a reader asks of a register. sort: one of SORTS, with "-" before it for the reverse."""

    words: str = ""
    side: str = ""
    ship_type: str = ""
    sort: str = ""


SORTS = ("name", "side", "ship_type", "guns", "tons_burthen", "year_built", "crew")


def register_search(register: Register, search: RegisterSearch) -> QuerySet[RegisterEntry]:
    """A register's entries that fit, in the order asked for; what is not established comes last either way."""
    found = register_entries(register)
    for word in search.words.split():
        found = found.filter(
            Q(name__icontains=word) | Q(commander__icontains=word) | Q(squadron__icontains=word)
        )
    if search.side:
        found = found.filter(side=search.side)
    if search.ship_type:
        found = found.filter(ship_type=search.ship_type)
    name = search.sort.removeprefix("-")
    if name not in SORTS:
        return found
    key = F(name).desc(nulls_last=True) if search.sort.startswith("-") else F(name).asc(nulls_last=True)
    return found.order_by(key, "line", "name")


def register_types(register: Register) -> list[tuple[str, str]]:
    """Types of ship that a register has, with their words. One query."""
    there = set(register.entries.order_by().values_list("ship_type", flat=True).distinct())
    return [(value, label) for value, label in ShipType.choices if value in there]


def register_entries(register: Register) -> QuerySet[RegisterEntry]:
    """A register's entries as listed, with their nations. One query."""
    return register.entries.select_related("nation").order_by("line", "name")


def entry_cards(entry: RegisterEntry) -> list[ShownCard]:
    """The card that each installed rule set makes of a register entry, with the reason where one can make none."""
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
    """Why a battle under a rule set would refuse a ship, "" when it would not: asked of the set, with her alone against her like.

    condition: as she is, None for a sound ship.
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
    """Figures that a register may set by hand for a rule set, each with what will do for it, in words."""
    return registry.rule_set(rule_set).override_fields


def ship_card(ship: Ship) -> ShownCard:
    """A campaign ship's card as it was made at muster, with how its figures came about."""
    rules = registry.rule_set(ship.book.rule_set)
    try:
        notes = tuple(CardNote(*note) for note in rules.explain(facts_from(ship.facts)))
    except (ValueError, TypeError) as error:
        return ShownCard(rules.name, rules.title, _figures(ship.card), faults=str(error))
    return ShownCard(rules.name, rules.title, _figures(ship.card), notes)


def _figures(card: dict[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple((name, value) for name, value in card.items() if name != "schema")


def register_by_code(code: str) -> Register:
    """A register by its code. Raises Register.DoesNotExist."""
    return Register.objects.get(code=code)
