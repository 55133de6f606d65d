"""What happened on the chart between battles, written into ships, fleets and their ledgers. Called in the turn's one transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from battles.engine.core.fates import Fate
from campaign.accounts import listed
from campaign.accounts.words import as_goal
from campaign.calendar import chart_time
from campaign.models import Command, Station, Turn
from campaign.rules.chart import types as t
from campaign.rules.turn.turn import TurnState
from campaign.services.turn.economy import ashore_records, economy_write, officers_tell
from fleets.services.battle_records import FoughtBattle
from fleets.services.chart_rows import FleetNow, SeaRecord, ShipNow, chart_rows_write
from fleets.services.reinforcements import reinforcement_write

_LOSSES = frozenset({"foundered", "wrecked", "sunk"})
# Ledger entries by kind of event: the kind of entry, and which data of the event it tells.
_ENTRIES = {
    "parted_company": ("parted", ("parent", "miles")), "left_behind": ("left_behind", ("parent", "place")),
    "left_astern": ("left_behind", ("parent", "place")), "detached": ("detached", ("parent", "place")),
    "aground": ("aground", ("place",)), "refloated": ("refloated", ("place",)), "sent_in": ("sent_in", ("place",)),
    "burnt_at_sea": ("burnt", ("place",)), "let_go": ("let_go", ()), "transferred": ("transferred", ("fleet",)),
    "convoy_delivered": ("delivered", ("place",)), "interned": ("interned_in_port", ("place",)), "rejoined": ("rejoined", ("fleet",)),
}  # fmt: skip


def sea_write(
    *, turn: Turn, facts: t.TurnFacts, state: TurnState, battles: Sequence[FoughtBattle] = ()
) -> None:
    """Make the rows say of every ship, prize and fleet what the state says, after each stop of a turn: once, in this one place.

    battles: those that the state has taken up since the last stop. Rules: G.BT2, G.GF1, G.GF3, G.SV1.
    """
    ships = [
        ShipNow(
            code=ship.code,
            navy=ship.side,
            fleet=ship.fleet,
            squadron=ship.squadron,
            order=ship.order,
            condition=ship.condition,
            men=ship.men,
            captain=ship.captain,
            prize=ship.prize,
            fate=ship.fate.value,
        )
        for ship in state.ships.values()
    ]
    come = _reinforcements_write(turn, facts, state)
    fleets = [FleetNow(f.code, f.side, f.name or f.code, f.ended) for f in state.fleets.values()]
    new = chart_rows_write(
        book=turn.campaign.book,
        ships=ships,
        fleets=sorted(fleets, key=lambda fleet: fleet.code),
        when=chart_time(facts.start_date, state.hour),
        records=[
            *_records(facts, state, turn.reference),
            *ashore_records(facts, state, turn.reference),
        ],
        turn=turn.reference,
        battles=battles,
    )
    if new or come:
        _stations_make(turn, state, {**new, **come})
    taken_in = {
        entry.ship: battle.code
        for battle in battles
        for entry in battle.outcome.ships
        if entry.fate is Fate.CAPTURED
    }
    economy_write(campaign=turn.campaign, facts=facts, state=state, taken_in=taken_in)
    officers_tell(campaign=turn.campaign, facts=facts, state=state, turn=turn.reference)


def _reinforcements_write(turn: Turn, facts: t.TurnFacts, state: TurnState) -> dict[str, int]:
    """Muster the ships that the calendar has brought in this turn. Returns the keys of their fleets by code. Rules: G.CA2, G.SV1."""
    done = state.calendar.done
    come = [event.id for event in facts.calendar if event.id in done and event.brings.ships]
    if not come:
        return {}
    made = {}
    for row in turn.campaign.calendar_rows.filter(code__in=come).select_related("side__navy"):
        assert row.side is not None  # who brings ships is somebody's
        fleet = reinforcement_write(
            book=turn.campaign.book, navy_code=row.side.code, sheets=row.sheets, turn=turn.reference,
            when=chart_time(facts.start_date, done[row.code]),
        )  # fmt: skip
        if fleet is not None:
            made[fleet.code] = fleet.pk
    return made


def _entry_of(event: t.ChartEvent) -> tuple[str, tuple[str, ...]] | None:
    """The kind of ledger entry that an event makes, and which of its data the entry tells; None for none."""
    data = event.data
    if event.kind in ("captured", "retaken") and data.get("place"):
        return f"{event.kind}_in_harbour", ("place", "captor")
    if event.kind in ("captured", "retaken") and "battle" not in data:
        return "saved" if event.kind == "retaken" else "seized", ("captor_ship", "captor")
    if event.kind == "lost" and "battle" not in data and data["fate"] in _LOSSES:
        return data["fate"], ("cause", "place")
    if event.kind == "lost" and "battle" not in data and data["fate"] == "burnt":
        return "burnt_in_harbour", ("place",)
    if event.kind == "rose":
        return "rose" if data["won"] else "uprising", ("captor",)
    return _ENTRIES.get(event.kind)


def _records(facts: t.TurnFacts, state: TurnState, turn: str) -> Iterator[SeaRecord]:
    """Entries for the ledgers, from the chart's events that no battle caused. Rule: G.SV1."""
    names = {code: fleet.name for code, fleet in facts.fleets.items()}
    names |= {code: fleet.name for code, fleet in state.fleets.items() if fleet.name}
    tellers: dict[str, tuple[str, Callable[[Any], Any]]] = {
        "place": ("place", lambda code: as_goal(facts.theatre.places[code].name)),
        "fleet": ("fleet", names.__getitem__),
        "parent": ("fleet", names.__getitem__),
        "captor": ("navy", lambda code: facts.sides[code].name),
        "captor_ship": ("captor", lambda code: facts.ships[code].name),
    }
    for event in state.events:
        data, entry = event.data, _entry_of(event)
        if entry is None:
            yield from _castaways(facts, event, turn)
            continue
        kind, fields = entry
        told = {}
        for field in fields:
            name, tell = tellers.get(field, (field, lambda value: value))
            told[name] = tell(data[field])
        for ship in [data["ship"]] if event.kind == "lost" else data["ships"]:
            yield SeaRecord(
                ship=ship,
                navy=data.get("side") or event.knows[0],
                when=chart_time(facts.start_date, event.hour),
                kind=kind,
                event=f"sea/{turn}/{event.hour}/{kind}",
                data=told,
            )


def _castaways(facts: t.TurnFacts, event: t.ChartEvent, turn: str) -> Iterator[SeaRecord]:
    """Entries for a ship that is lost, and for those that saved her people. Rules: T.C21, T.C37, G.SV1."""
    data, rows = event.data, list[tuple[str, str, dict[str, Any]]]()
    if event.kind == "taken_up":
        lost, by = facts.ships[data["ship"]].name, data["by"]
        others = listed([facts.ships[code].name for code, _ in by])
        rows.append((data["ship"], "people_saved", {"men": data["men"], "others": others}))
        rows += [(code, "took_up", {"men": men, "lost": lost}) for code, men in by]
    elif event.kind == "castaways":
        place, navy = as_goal(facts.theatre.places[data["place"]].name), facts.sides[data["people"]].name
        told = {"men": data["men"], "navy": navy, "place": place}
        if data["captor"]:
            rows.append(
                (data["ship"], "castaways_taken", {**told, "captor": facts.sides[data["captor"]].name})
            )
        else:
            rows.append((data["ship"], "castaways", told))
    for ship, kind, told in rows:
        yield SeaRecord(
            ship=ship,
            navy=data["side"],
            when=chart_time(facts.start_date, event.hour),
            kind=kind,
            event=f"sea/{turn}/{event.hour}/{kind}/{data['ship']}/{data.get('people', '')}",
            data=told,
        )


def _stations_make(turn: Turn, state: TurnState, new: dict[str, int]) -> None:
    """Put fleets that the chart has made on it, under the admiral of the fleet they come from, else the first. Rules: G.GF3, G.IN4.

    The first is who commands the side's first fleet; where it had none yet, its commander-in-chief.
    """
    rows = Command.objects.filter(fleet__navy__book=turn.campaign.book).select_related("fleet__navy")
    commands: dict[str, int] = {}
    sides: dict[str, int] = {}
    for command in rows.order_by("fleet__code"):
        commands[command.fleet.code] = command.membership_id
        sides.setdefault(command.fleet.navy.code, command.membership_id)
    chiefs = turn.campaign.memberships.filter(side__isnull=False).order_by("chief", "-pk")
    sides = {**dict(chiefs.values_list("side__navy__code", "pk")), **sides}
    parents = {e.data["fleet"]: e.data["parent"] for e in state.events if "parent" in e.data}
    stations, given = [], []
    for code, key in new.items():
        fleet = state.fleets[code]
        here = fleet.position
        stations.append(Station(fleet_id=key, at=here.at, to=here.to, run=here.run, since=state.hour))
        admiral = commands.get(parents.get(code, "")) or sides.get(fleet.side)
        if admiral is not None:
            commands[code] = admiral
            given.append(Command(fleet_id=key, membership_id=admiral))
    # a fleet that a rollback had ended has both already
    Station.objects.bulk_create(
        stations, update_conflicts=True, unique_fields=["fleet"], update_fields=["at", "to", "run", "since"]
    )
    Command.objects.bulk_create(
        given, update_conflicts=True, unique_fields=["fleet"], update_fields=["membership"]
    )
