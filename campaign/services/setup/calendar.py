"""A campaign's calendar, made from its theatre and its opening when it begins. Rules: G.CA1, G.CA2, G.CA4, G.CA5."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError

from battles.engine.core.errors import Fault
from campaign.calendar import chart_time
from campaign.models import CalendarRow, Campaign, Side, Station
from campaign.rules.calendar.rows import CalendarFaults, Known, PlannedRow, read_calendar, taking_part
from campaign.selectors.turn.facts import pure_theatre
from campaign.services.orders.openings import entries_change, with_figures
from campaign.services.setup.refusals import SetupRefused
from fleets.services.reinforcements import CARRIERS, MERCHANT, TYPES, made_entries, reinforcement_sheets

if TYPE_CHECKING:
    from fleets.models import Register


def calendar_make(
    *, campaign: Campaign, opening: Mapping[str, Any], registers: Mapping[str, tuple[Register, str]]
) -> None:
    """Make the calendar's rows, with the sheets of ships that come later. Raises SetupRefused with every fault and its path.

    Called when the fleets of the first day are there. opening: {} for a campaign with other ships. registers: of each side, by its
    name, with the side's name in it. Rules: G.CA1, G.CA2.
    """
    sides = {side.name: side for side in campaign.sides.select_related("navy__nation")}
    document = campaign.theatre.document
    others = [row["name"] for row in document["sides"]]
    own = taking_part(opening.get("calendar", ()), sides, others)
    # a row of the opening stands for the theatre's of the same id
    ids = {row.get("id") for _, row in own}
    theatres = taking_part(document.get("calendar", ()), sides, others)
    parts = {
        "theatre.calendar": [(n, row) for n, row in theatres if row.get("id") not in ids or "id" not in row],
        "calendar": own,
    }
    try:
        planned = read_calendar(parts, _known(campaign, opening, sides, registers))
    except CalendarFaults as refusal:
        raise SetupRefused(refusal.faults) from refusal
    by_code = {side.code: side for side in sides.values()}
    rows, faults = [], []
    taken: dict[str, set[str]] = {
        code: set(side.navy.officers.values_list("name", flat=True)) for code, side in by_code.items()
    }
    for row in planned:
        side = by_code.get(row.side)
        sheets: dict[str, Any] = {}
        try:
            if side is not None:
                sheets = _sheets(campaign, opening, side, row, registers[side.name], taken[side.code])
        except ValidationError as error:
            faults += [Fault(f"calendar.{row.id}.do", text) for text in error.messages]
        taken.setdefault(row.side, set()).update(who["name"] for who in sheets.get("officers", ()))
        rows.append(_row(campaign, side, row, sheets))
    if faults:
        raise SetupRefused(faults)
    CalendarRow.objects.bulk_create(rows)


def _row(campaign: Campaign, side: Side | None, row: PlannedRow, sheets: dict[str, Any]) -> CalendarRow:
    return CalendarRow(
        campaign=campaign, code=row.id, kind=row.kind, deed=row.deed, side=side, first=row.first, last=row.last,
        chance=row.chance, known=list(row.known), announced=row.announced, do=dict(row.do), text=row.text, note=row.note,
        sheets=sheets,
    )  # fmt: skip


def _known(
    campaign: Campaign,
    opening: Mapping[str, Any],
    sides: Mapping[str, Side],
    registers: Mapping[str, tuple[Register, str]],
) -> Known:
    """What the calendar may name: the chart, the sides with their registers, and the fleets of the first day."""
    theatre = pure_theatre(campaign.theatre)
    ships = campaign.book.ships.filter(squadron__isnull=False)
    mustered: dict[str, set[str]] = {}
    for code, name in ships.exclude(entry=None).values_list("navy__code", "entry__name"):
        mustered.setdefault(code, set()).add(name)
    stations = Station.objects.filter(fleet__navy__book=campaign.book)
    return Known(
        places=theatre.places,
        passages=frozenset(map(frozenset, theatre.passages)),
        sides={name: side.code for name, side in sides.items()},
        at_war=frozenset(frozenset(pair) for pair in campaign.hostility),
        register={
            sides[name].code: frozenset(
                register.entries.filter(side=part).values_list("name", flat=True)
            )
            for name, (register, part) in registers.items()
        },
        mustered=mustered,
        fleets={
            code: (navy, place)
            for code, navy, place in stations.values_list("fleet__code", "fleet__navy__code", "at")
        },
        carriers=frozenset(ships.filter(ship_type__in=CARRIERS).values_list("navy__code", flat=True)),
        types=TYPES,
        start=campaign.start_date,
        last_day=opening.get("last_day", ""),
    )  # fmt: skip


def _sheets(
    campaign: Campaign,
    opening: Mapping[str, Any],
    side: Side,
    row: PlannedRow,
    register: tuple[Register, str],
    officers: Iterable[str],
) -> dict[str, Any]:
    """The fleet that a row brings, as sheets; {} for none. Raises ValidationError. Rule: G.CA2."""
    do = row.do
    if row.deed == "arrive":
        code, name, commander = do["fleet"], do["name"], do.get("commander", "")
        entries = _of_register(register, do) if "ships" in do else _made(side, name, do["made"])
    elif row.deed == "convoy":
        code, name, commander = do["code"], do["name"], ""
        like = {"class": MERCHANT, "guns": do["guns"], "tons": do["tons"]}
        ships = do["ships"] if isinstance(do["ships"], list) else _numbered(name, do["ships"])
        entries = made_entries(navy=side.navy, like=like, names=ships)
    elif row.deed == "army" and "boats" in do:
        boats = do["boats"]
        code, name, commander = boats["fleet"], boats["name"], ""
        entries = _made(side, name, [boats])
    else:
        return {}
    return reinforcement_sheets(
        navy=side.navy, entries=with_figures(entries, opening.get("overrides", {})), fleet_code=code, fleet_name=name,
        rule_set=campaign.book.rule_set, commander=commander, when=chart_time(campaign.start_date, 0), officers=officers,
    )  # fmt: skip


def _of_register(register: tuple[Register, str], do: Mapping[str, Any]) -> list[Any]:
    """Entries of a register in the order in which a row names them, as it changes them."""
    book, side = register
    by_name = {entry.name: entry for entry in book.entries.filter(side=side, name__in=do["ships"])}
    entries_change(by_name, do.get("entries", {}))
    return [by_name[name] for name in do["ships"]]


def _made(side: Side, name: str, made: Sequence[Mapping[str, Any]]) -> list[Any]:
    """Ships that no register lists, named as the row says, or numbered."""
    numbers = iter(_numbered(name, sum(row["count"] for row in made)))
    entries = []
    for row in made:
        drawn = [next(numbers) for _ in range(row["count"])]
        entries += made_entries(navy=side.navy, like=row["like"], names=row.get("names", drawn))
    return entries


def _numbered(fleet: str, count: int) -> list[str]:
    """Names of ships that have none of their own: the fleet's, with a number."""
    return [f"{fleet}, no. {number}" for number in range(1, count + 1)]
