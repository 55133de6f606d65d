"""What one side may know of a battle, as a JSON document: the only thing its player's page is made of. Rules: P.K45, G.IN1."""

from __future__ import annotations

from typing import Any

from battles.engine.rulesets.barker.sight import shown_type, visible
from battles.engine.rulesets.barker.state import Battle, Sighting, Status, Unit

SCHEMA = 1
_GONE = (Status.SUNK, Status.CAPTURED, Status.SCUTTLED, Status.WRECKED)


def seen_by(battle: Battle, side: str) -> dict[str, Any]:
    """What a side may know. Places in hundredths of a yard, headings in hundredths of a degree. Raises KeyError for no side."""
    party = battle.parties[side]
    contacts = [battle.units[code] for code in party.contacts if _contact(battle.units[code])]
    in_sight = {unit.id for unit in contacts}
    return {
        "schema": SCHEMA, "side": side, "turn": battle.turn, "last_turn": battle.last_turn, "ended": battle.ended,
        "clock": battle.clock, "spell": battle.spell, "mode": battle.mode.value, "phase": battle.phase.value,
        "wind": battle.wind, "weather": battle.weather, "haze": battle.haze, "table": list(battle.table),
        "land": sorted(map(list, battle.land)), "shoal": sorted(map(list, battle.shoal)),
        "banks": [[bank.kind, bank.x, bank.y, bank.h, bank.length, bank.beam] for bank in battle.banks],
        "edge": party.edge, "initiative": battle.initiative,
        "sides": [{"id": row.id, "name": row.name, "nation": row.nation} for row in battle.sides.values()],
        "stance": battle.sides[side].doctrine.stance.value,
        "squadrons": [
            {
                "id": row.id, "name": row.name, "flagship": row.flagship, "officer": row.officer, "arrives": row.arrives,
                "character": row.character, "partner": row.partner, "flag_lost": row.flag_lost,
            }
            for row in battle.squadrons.values()
            if row.side == side
        ],
        "groups": [{"id": row.id, "nip": row.nip, "left": row.left} for row in battle.groups.values() if row.side == side],
        "own": [_own(battle, unit) for unit in battle.units.values() if unit.side == side],
        "seen": [_seen(battle, unit) for unit in contacts],
        "neutral": [_vessel(unit) for unit in battle.on_table() if _looks_neutral(unit, side) and _in_view(battle, side, unit)],
        "lost_sight": [
            _remembered(battle, row)
            for code, row in party.remembered.items()
            if code not in in_sight and battle.units[code].status not in _GONE
        ],
        "gone": [
            {"id": unit.id, "name": unit.name, "side": unit.side, "status": unit.status.value}
            for unit in battle.units.values()
            if unit.side != side and unit.id in party.remembered and unit.status in _GONE
        ],
        "mines": [
            {"id": row.id, "sections": [list(at) for at in row.sections], "carrier": row.carrier, "unlaid": row.unlaid}
            for row in battle.fields
            if row.side == side
        ],
        "mines_seen": sorted(list(at) for row in battle.fields if row.side != side and side in row.known for at in row.sections),
        "markers": [
            {"n": n, "side": row.side, "x": row.x, "y": row.y} | ({"real": row.real} if row.side == side else {})
            for n, row in enumerate(battle.markers)
        ],
    }  # fmt: skip


def _contact(unit: Unit) -> bool:
    return unit.on_table and not unit.neutral and not unit.disguised


def _looks_neutral(unit: Unit, side: str) -> bool:
    return unit.neutral or (unit.disguised and unit.side != side)


def _in_view(battle: Battle, side: str, vessel: Unit) -> bool:
    """Whether any ship of a side sees a vessel that is nobody's enemy to it."""
    return any(visible(battle, one, vessel) for one in battle.on_table(side))


def _formation(battle: Battle, unit: Unit) -> list[str]:
    return next((list(row.members) for row in battle.formations if unit.id in row.members), [])


def _seen(battle: Battle, unit: Unit) -> dict[str, Any]:
    """What a spyglass shows of a ship. Rule: P.K45."""
    group = battle.groups.get(unit.group)
    squadron = battle.squadrons.get(unit.squadron)
    return {
        "id": unit.id, "name": unit.name, "side": unit.side, "type": shown_type(unit).value, "x": unit.x, "y": unit.y,
        "heading": unit.h, "formation": _formation(battle, unit), "damage": unit.damage, "crippled": unit.crippled,
        "obsolete": unit.obsolete, "flag": squadron is not None and squadron.flagship == unit.id, "light": unit.light,
        "stopped": unit.stopped, "aground": unit.aground, "nip": group.nip if group is not None else 0,
        "pair": list(unit.hulls[1:]),
    }  # fmt: skip


def _own(battle: Battle, unit: Unit) -> dict[str, Any]:
    return {
        **_seen(battle, unit), "type": unit.type.value, "squadron": unit.squadron, "group": unit.group,
        "status": unit.status.value, "moves": unit.moves, "submerged": unit.submerged, "earliest": unit.earliest,
        "disguised": unit.disguised, "acting": unit.acting, "fired": unit.fired, "prize": unit.prize, "outside": unit.outside,
        "captains": [battle.ships[code].captain for code in unit.hulls],
    }  # fmt: skip


def _vessel(unit: Unit) -> dict[str, Any]:
    """A neutral, or who passes for one: by its contact number, never by its name. Rules: P.R01, P.K45."""
    return {
        "contact": unit.contact, "type": neutral_type(unit), "x": unit.x, "y": unit.y, "heading": unit.h, "stopped": unit.stopped,
    }  # fmt: skip


def neutral_type(unit: Unit) -> str:
    """What a neutral or disguised vessel looks like: a liner or a tramp by its hull. Rule: P.R01."""
    if not unit.disguised:
        return unit.type.value
    return "LINER" if unit.extra_free else "TRAMP"


def _remembered(battle: Battle, row: Sighting) -> dict[str, Any]:
    unit = battle.units[row.unit]
    return {
        "id": unit.id, "name": unit.name, "side": unit.side, "type": row.type.value, "x": row.x, "y": row.y, "heading": row.h,
        "damage": row.damage, "crippled": row.crippled, "spell": row.spell,
    }  # fmt: skip
