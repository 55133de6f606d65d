"""What a ship may do in this wind: who is under sail, who drifts, how near the wind, how far, how sharp. Table TS-8.

Rules: T.B2-T.B2f, T.B4c, T.B6f, T.B7a, T.O4a-T.O4d, T.O4h, T.O5, T.O6h.
"""

from __future__ import annotations

from battles.engine.core.plane import turned
from battles.engine.rulesets.thomas.state import Adrift, Battle, Rig, Ship
from battles.engine.rulesets.thomas.tables import CALM_TURN, LIGHT_AIRS, SLAVES_ROW, Kind, WindForce

LIMIT, LIMIT_CRIPPLED = 4_500, 9_000


def wind_limit(battle: Battle, ship: Ship) -> int:
    """Least angle off the wind at which she may sail, 0 when there is none, hundredths of a degree.

    Rules: T.B2b, T.B2c, T.B2d, T.B7, T.B7a, T.O4c.
    """
    if ship.under_oars or battle.strength is WindForce.CALM:
        return 0
    if battle.strength is WindForce.LIGHT:
        return 0 if ship.masts_lost else LIMIT_CRIPPLED
    return LIMIT_CRIPPLED if ship.masts_lost else LIMIT


def falls_off(battle: Battle, limit: int, *, starboard: bool) -> int:
    """The heading exactly on the limit, on the tack with the wind to starboard or to port. Rule: T.B8a."""
    return turned(battle.wind_from, -limit if starboard else limit)


def enough_hands(battle: Battle, ship: Ship) -> bool:
    """Whether there are men to sail her: a hundredth of the tons, in a prize a fifth of the captives more.

    Exact, in the least common measure of both fractions. Rules: T.O5, T.O5f, T.O6h.
    """
    if not battle.options["opt_crews"]:
        return True
    if ship.prize_of:
        return (
            bool(battle.options["opt_surrender"]) and 100 * ship.prize_crew >= 20 * ship.captives + ship.tons
        )
    return 100 * ship.crew >= ship.tons


def sailing_crew(ship: Ship) -> int:
    """Men whom a ship under sail holds back from her guns. Rule: T.O5a."""
    return -(-ship.tons // 100)


def can_use_oars(battle: Battle, ship: Ship) -> bool:
    """Whether oars are of use: never from three quarters damaged or in a strong wind, in medium for galleasses only.

    Rules: T.O4b, T.O4h, T.S25.
    """
    if not battle.options["opt_oars"] or not ship.has_oars or ship.three_quarters_damaged:
        return False
    if battle.strength is WindForce.STRONG:
        return False
    return battle.strength is not WindForce.MEDIUM or ship.kind is Kind.GALLEASSE


def oar_reach(battle: Battle, ship: Ship) -> int:
    """How far she may row this move: halved in medium, halved from half damage. Rules: T.O4b, T.O4h."""
    if not can_use_oars(battle, ship):
        return 0
    reach = ship.oar_speed
    if battle.strength is WindForce.MEDIUM:
        reach //= 2
    return reach // 2 if ship.half_damaged else reach


def sail_reach(battle: Battle, ship: Ship) -> tuple[int, int]:
    """Least and greatest distance under sail this move. Rules: T.B2a, T.B2b, T.B2c, T.B2d, T.B2f."""
    if ship.dismasted or battle.strength is WindForce.CALM:
        return 0, 0
    if battle.strength is WindForce.LIGHT:
        return 0, 0 if ship.masts_lost else LIGHT_AIRS
    most = ship.speed // 2 if ship.masts_lost else ship.speed
    if battle.strength is WindForce.STRONG:
        most *= 2
    return min(battle.drift, most), most


def turns(battle: Battle, ship: Ship) -> tuple[int, int]:
    """How sharp her turn is, and how many turns she has this move. Rules: T.B2a, T.B2b, T.B4, T.O4a, T.O4d, T.S9."""
    if ship.under_oars:
        return ship.oar_turn, 2
    if ship.dismasted:
        return 0, 0
    if battle.strength is WindForce.CALM:
        return (0, 0) if battle.spell_calm <= 1 else (CALM_TURN, 1)
    if battle.strength is WindForce.LIGHT and ship.masts_lost:
        return min(CALM_TURN, ship.turn), 1
    return ship.turn, 1 if ship.kind in SLAVES_ROW else 2


def boats_may_pull(battle: Battle, ship: Ship) -> bool:
    """Whether boats may tow her this move: after the first move of a quiet spell, at most half damaged, no oars of her own.

    Rules: T.O1, T.O1c, T.B2a.
    """
    return bool(
        battle.options["opt_boats"]
        and battle.spell_quiet >= 2
        and battle.strength <= WindForce.LIGHT
        and battle.spell_calm != 1
        and 2 * ship.lost <= ship.flot_max
        and not ship.grapples
        and not ship.on_fire
        and not ship.anchored
        and not ship.has_oars
        and not ship.adrift
        and not ship.towing
        and not ship.towed_by
        and (ship.secured or not ship.struck)
    )


def tow_reach(battle: Battle, tower: Ship, tow: Ship) -> tuple[int, int]:
    """Least and greatest distance of a pair: half the listed speed of the heavier, doubled in a strong wind.

    Never above what the tower could do alone. Rules: T.O3b, T.O3f.
    """
    heavier = tower if tower.tons > tow.tons else tow
    most = heavier.speed // 2 * (2 if battle.strength is WindForce.STRONG else 1)
    least, own = (0, oar_reach(battle, tower)) if tower.under_oars else sail_reach(battle, tower)
    most = min(most, own)
    return min(least, most), most


def tow_turns(battle: Battle, tower: Ship, tow: Ship) -> tuple[int, int]:
    """How sharp a pair turns, and how often: the smaller of the two allowances. Rule: T.O3f."""
    sharp, number = turns(battle, tower)
    return min(sharp, tow.turn), number


def drifts(battle: Battle, ship: Ship) -> bool:
    """Whether she is carried down wind this move, whether or not there is wind enough.

    Rules: T.B6f, T.B6d, T.B6e, T.B12m, T.N3, T.O3d, T.O4e, T.O5, T.O6a.
    """
    if not ship.afloat or ship.anchored or ship.run_into:
        return False
    if ship.grapples:
        return fighting_body(battle, ship)
    if ship.towed_by:
        return False
    if ship.silent or ship.in_irons or ship.drifts_now or ship.adrift or (ship.struck and not ship.secured):
        return True
    if ship.rig is Rig.TO_OARS:
        return True
    if ship.under_oars:
        return False
    return ship.dismasted or not enough_hands(battle, ship)


def fighting_body(battle: Battle, ship: Ship) -> bool:
    """Whether she, or a ship she is fast to by whatever links, is in a boarding fight. Rules: T.B12m, T.B12n."""
    return any(one.in_a_fight for one in body(battle, ship))


def body(battle: Battle, ship: Ship) -> list[Ship]:
    """She and all ships she is fast to by whatever links, in ascending order. Rule: T.B12m."""
    found, left = {ship.id: ship}, [ship]
    while left:
        here = left.pop()
        for one in here.grapples:
            other = battle.ships[one.other(here.id)]
            if other.id not in found:
                found[other.id] = other
                left.append(other)
    return [found[code] for code in sorted(found)]


def sails(battle: Battle, ship: Ship) -> bool:
    """Whether she may make sail this move: a ship set alight since the throws for fires still does. Rules: T.B4c, T.N3c."""
    return (
        ship.afloat
        and not ship.anchored
        and not ship.grapples
        and not ship.under_oars
        and not ship.run_into
        and ship.adrift is Adrift.NONE
        and not drifts(battle, ship)
    )


def under_sail(battle: Battle, ship: Ship) -> bool:
    """Whether a shift of the wind finds her under sail. Rules: T.B8, T.B8b."""
    return sails(battle, ship) and not ship.on_fire and not ship.heave_to_next and not ship.rescue_next
