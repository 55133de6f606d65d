"""What one side may know of a battle, as a JSON document: the only thing its player's page is made of. Rules: T.S18, G.IN1.

Own ships and prizes are shown whole. Of the others are shown who they are and what may be seen from afar: where they lie and head,
the colours they fly, masts, fires, whole quarters of damage, men who fell in boarding fights. Never shown: flotation, men, batteries,
nor who is expected. The ranges handed out are judged by eye, to the inch and ten degrees.
"""

from __future__ import annotations

from typing import Any

from battles.engine.rulesets.thomas.state import Battle, Ship, SquadronState, Status
from battles.engine.rulesets.thomas.tables import DEGREE, INCH
from battles.engine.rulesets.thomas.view import Seen, View

SCHEMA = 1
_LOOK, _MOST = 32_000, 8


def seen_by(battle: Battle, side: str) -> dict[str, Any]:
    """What a side may know. Lengths in thousandths of an inch, headings in hundredths of a degree. Raises KeyError for no side.

    Rules: T.S18, G.IN1.
    """
    view = View(battle, side)
    doctrine = battle.sides[side].doctrine
    others = [ship for ship in battle.ships.values() if ship.flag != side]
    return {
        "schema": SCHEMA,
        "side": side,
        "title": battle.title,
        "move": battle.move,
        "last_move": battle.last_move,
        "minute": battle.minute,
        "minutes_a_move": int(battle.options["minutes_per_move"]),
        "ended": battle.ended,
        "wind_from": battle.wind_from,
        "strength": int(battle.strength),
        "nelson": battle.nelson,
        "land": [[list(point) for point in land] for land in battle.land],
        "sides": [{"id": s.id, "name": s.name, "nation": s.nation} for s in battle.sides.values()],
        "stance": doctrine.stance.value,
        "squadrons": [_squadron(one) for one in view.squadrons],
        "own": [_own(view, ship) for ship in battle.ships.values() if ship.flag == side],
        "seen": [_seen(ship, Seen(ship)) for ship in others if ship.afloat],
        "gone": [
            {"id": ship.id, "name": ship.name, "side": ship.flag, "status": ship.status.value}
            for ship in others
            if not ship.afloat and ship.status is not Status.EXPECTED
        ],
    }


def _squadron(squadron: SquadronState) -> dict[str, Any]:
    return {
        "id": squadron.id, "name": squadron.name, "ships": list(squadron.ships), "flagship": squadron.flagship,
        "officer": squadron.officer, "arrives": squadron.arrives,
    }  # fmt: skip


def _seen(ship: Ship, seen: Seen) -> dict[str, Any]:
    return {
        "id": seen.id, "name": ship.name, "nation": ship.nation, "side": seen.flag, "came_with": ship.side,
        "squadron": ship.squadron, "kind": seen.kind.value, "rated": seen.guns, "length": ship.length, "beam": ship.beam,
        "x": ship.x, "y": ship.y, "heading": ship.heading, "masts": ship.masts - ship.masts_lost,
        "dismasted": seen.dismasted, "quarters_lost": seen.quarters_lost, "alight": seen.on_fire, "struck": seen.struck,
        "secured": seen.secured, "prize": seen.prize, "dishonoured": seen.dishonoured, "anchored": seen.anchored,
        "rowing": seen.rowing, "boats_out": ship.boats_out, "has_fired": seen.has_fired, "flagship": ship.is_flagship,
        "grappled_to": list(seen.grappled_to), "fallen": seen.fallen, "towing": ship.towing,
    }  # fmt: skip


def _own(view: View, ship: Ship) -> dict[str, Any]:
    return {
        "id": ship.id, "name": ship.name, "nation": ship.nation, "side": ship.flag, "came_with": ship.side,
        "squadron": ship.squadron, "captain": ship.captain, "flagship": ship.is_flagship, "status": ship.status.value,
        "kind": ship.kind.value, "year": ship.year, "tons": ship.tons, "guns": ship.guns, "length": ship.length,
        "beam": ship.beam, "speed": ship.speed, "turn": ship.turn, "oar_speed": ship.oar_speed, "oar_turn": ship.oar_turn,
        "flot_max": ship.flot_max, "flot": ship.flot, "crew_max": ship.crew_max, "crew_halves": ship.crew_halves,
        "captive_halves": ship.captive_halves, "guard_halves": ship.guard_halves,
        "batteries": [[one.gun.value, one.arc.value, one.half, one.lost] for one in ship.batteries],
        "masts": ship.masts, "masts_lost": ship.masts_lost, "masts_to_dismast": ship.masts_to_dismast,
        "dismasted": ship.dismasted, "jury_count": ship.jury_count, "jury_used": ship.jury_used,
        "alight": ship.on_fire, "fire_fails": ship.fire_fails, "dishonoured": ship.dishonoured, "prize_of": ship.prize_of,
        "struck": ship.struck, "secured": ship.secured, "x": ship.x, "y": ship.y, "heading": ship.heading,
        "adrift": ship.adrift.value, "mode": ship.rig.value, "in_irons": ship.in_irons, "anchored": ship.anchored,
        "boats_out": ship.boats_out, "towing": ship.towing, "towed_by": ship.towed_by, "tow_wait": ship.tow_wait,
        "grappled_to": [one.other(ship.id) for one in ship.grapples], "fighting": ship.in_a_fight, "gunners": ship.gunners,
        "breaking_off": ship.breaking_off, "cause": ship.cause, "sights": _sights(view, ship),
    }  # fmt: skip


def _sights(view: View, ship: Ship) -> list[list[Any]]:
    """The nearest ships under other colours: [id, inches, degrees], by eye. Rule: T.S18."""
    if not ship.afloat:
        return []
    looked = [(view.look(ship.id, one.id), one.id) for one in view.near(ship.id, _LOOK)]
    looked.sort()
    return [[code, sight.distance // INCH, sight.bearing // DEGREE] for sight, code in looked[:_MOST]]
