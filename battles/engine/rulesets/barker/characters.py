"""What sort of man leads a squadron: thrown once, carried while he keeps his flagship. Rules: P.L01, P.L02, P.L09, P.K13, P.K31."""

from __future__ import annotations

from battles.engine.core.dice import Dice
from battles.engine.core.log import Log
from battles.engine.rulesets.barker.condition import Condition
from battles.engine.rulesets.barker.state import BarkerSquadron, Battle, Hull, Status, Unit
from battles.engine.rulesets.barker.tables import CRUISERS, Type

GUNNERY = 1


def appoint(battle: Battle, dice: Dice, log: Log | None) -> None:
    """Carry the character of each commander still in his flagship, throw it for the others; a gunnery fanatic names his partner.

    None for a Captain (D), and none at all without the switch. Rules: P.L01, P.L02, P.K31, P.K44.
    """
    if not battle.options["characters"]:
        return
    for squadron in battle.squadrons.values():
        if not squadron.flagship or squadron.flotilla:
            continue
        kept = _kept(battle, squadron)
        if kept is not None:
            squadron.character, squadron.partner = kept
        else:
            squadron.character = dice.d6(
                clause="P.L01", subjects=(0, "CHARACTER", squadron.id), reason="character of the commander"
            )
            squadron.partner = partner(battle, squadron) if squadron.character == GUNNERY else ""
        if log is not None:
            log.add(
                "commander", "P.L01", squadron.flagship, squadron=squadron.id, character=squadron.character, partner=squadron.partner
            )  # fmt: skip


def _kept(battle: Battle, squadron: BarkerSquadron) -> tuple[int, str] | None:
    """Character and partner that the flagship remembers of the officer who now leads the squadron in it. Rule: P.K31."""
    flag = flag_hull(battle, squadron)
    if flag is None or not squadron.officer:
        return None
    then = Condition.from_dict(flag.entered)
    if then.officer != squadron.officer or not then.character:
        return None
    mates = {unit.id for unit in members(battle, squadron)}
    return then.character, then.partner if then.partner in mates else ""


def flag_hull(battle: Battle, squadron: BarkerSquadron) -> Hull | None:
    """The hull in which a squadron's commander has his flag, None when there is no such commander."""
    unit = battle.units.get(squadron.flagship)
    return battle.ships.get(unit.hulls[0]) if unit is not None else None


def members(battle: Battle, squadron: BarkerSquadron) -> list[Unit]:
    """The units of a squadron, van first; a pair once."""
    return list(dict.fromkeys(battle.ships[code].unit for code in squadron.ships))


def partner(battle: Battle, squadron: BarkerSquadron) -> str:
    """The squadron mate that a gunnery fanatic names: most SP, then least damaged, then by id; "" when he is alone. Rule: P.L02."""
    mates = [
        unit
        for unit in members(battle, squadron)
        if unit.id != squadron.flagship and unit.type in CRUISERS | {Type.BB} and not unit.prize
    ]
    mates.sort(key=lambda unit: (-unit.sp2, unit.damage + 3 * unit.crippled, unit.id))
    return mates[0].id if mates else ""


def remembered(battle: Battle, hull: Hull) -> tuple[int, str, str]:
    """Character, officer and partner that a hull carries away from a battle: its squadron's when his flag is in it still. Rule: P.K31."""
    squadron = battle.squadrons.get(hull.unit.squadron)
    lost = hull.unit.status not in (Status.IN_PLAY, Status.RETREATED, Status.EXPECTED, Status.TURNED_BACK)
    if squadron is None or lost or not squadron.character or flag_hull(battle, squadron) is not hull:
        return 0, "", ""
    return squadron.character, squadron.officer, squadron.partner
