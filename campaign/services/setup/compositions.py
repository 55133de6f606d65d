"""Composed fleets held against a theatre: where they may lie, and what a campaign begins with. Rules: G.CH3, G.CO7."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

from battles.engine.core.errors import Fault
from campaign.rules.chart import types as t
from campaign.services.orders.openings import FleetStart
from fleets.compositions import Plan, divisions_of, faults, plan_of
from fleets.services.compositions import composition_of, entries_of

if TYPE_CHECKING:
    from fleets.models import Register

_LIES_IN = (t.PlaceKind.PORT, t.PlaceKind.ANCHORAGE)


def place_faults(plan: Plan, theatre: t.Theatre, nations: Collection[str] | None = None) -> Iterator[Fault]:
    """What is wrong with the places of fleets. nations: in whose ports they may lie, None while the side of the theatre is not known."""
    for n, fleet in enumerate(plan.fleets):
        path, name = f"fleets[{n}].place", fleet.name or f"Fleet {n + 1}"
        place = theatre.places.get(fleet.place)
        if not fleet.place:
            yield Fault(path, f"{name} lies nowhere. Choose a place for it.")
        elif place is None:
            yield Fault(
                path,
                f"{name} lies at {fleet.place}, which is not on the chart of {theatre.title}. Choose another place.",
            )
        elif nations is not None and place.kind in _LIES_IN and place.owner and place.owner not in nations:
            yield Fault(
                path,
                f"{name} cannot begin in {place.name}, which belongs to {place.owner}. Choose another place.",
            )


def composition_faults(
    register: Register, side: str, theatre: t.Theatre, nations: Collection[str] | None = None
) -> list[Fault]:
    """Everything for which a campaign cannot begin with what has been composed; nothing for a side that was not."""
    found = composition_of(register, side, theatre.code)
    if found is None:
        return []
    plan = plan_of(found.document)
    known = {entry.name for entry in entries_of(register, side)}
    return [*faults(plan, known), *place_faults(plan, theatre, nations)]


def composed_fleets(register: Register, side: str, theatre: str, code: str) -> list[FleetStart] | None:
    """The fleets of a side as they were composed; None where they were not. code: of its nation, with which fleet codes begin."""
    found = composition_of(register, side, theatre)
    if found is None:
        return None
    entries: dict[str, Any] = {entry.name: entry for entry in entries_of(register, side)}
    starts = []
    for number, fleet in enumerate(plan_of(found.document).fleets, start=1):
        names, divisions = divisions_of(fleet)
        starts.append(
            FleetStart(
                f"{code}{number}", fleet.name, fleet.commander, fleet.place, [entries[name] for name in names], divisions=divisions
            )
        )  # fmt: skip
    return starts


def fleets_words(register: Register, side: str, theatre: t.Theatre, *, written: bool) -> dict[str, Any]:
    """What a side begins as, for the page that starts a campaign. written: whether an opening of the theatre knows its fleets."""
    if written:
        return {"words": "It begins as in history.", "composes": False, "missing": []}
    found = composition_of(register, side, theatre.code)
    if found is None:
        words = "Not composed yet: all ships begin as one fleet, in the greatest port of the side."
        return {"words": words, "composes": True, "missing": []}
    plan = plan_of(found.document)
    fleets = ", ".join(fleet.name for fleet in plan.fleets)
    return {
        "words": f"{len(plan.fleets)} composed fleet{'' if len(plan.fleets) == 1 else 's'}: {fleets}.",
        "composes": True,
        "missing": [fault.text for fault in composition_faults(register, side, theatre)],
    }
