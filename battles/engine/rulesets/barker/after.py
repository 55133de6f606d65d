"""The step after the movement: flags that shift, disguises that fall, neutrals that are hailed.

Rules: P.S18, P.R02, P.R03, P.N05-P.N07, P.X06, P.U08.
"""

from __future__ import annotations

from battles.engine.core import plane
from battles.engine.core.plane import STRAIGHT, UNIT, angle
from battles.engine.rulesets.barker import mines, neutrals, raiders, searches, sight, submarines
from battles.engine.rulesets.barker.play import Play as Table
from battles.engine.rulesets.barker.state import BarkerSquadron, Battle, Unit
from battles.engine.rulesets.barker.tables import ANGLE_SLACK, BASE_WIDTH, CONTACT, LEVEL, SLACK, Mode


def play(battle: Battle, table: Table) -> None:
    """Mines lain on, fake markers, flag transfers, who is in sight now, disclosures and challenges, after the speller's movement.

    Rules: P.V15, P.X06, P.U08, P.S18, P.R02, P.R03, P.N05-P.N07.
    """
    mines.remain(battle, table, battle.speller)
    submarines.fakes(battle, table, battle.speller)
    for squadron in battle.squadrons.values():
        if squadron.side == battle.speller:
            _shift_flag(battle, table, squadron)
    if battle.mode is Mode.COMBAT:
        sight.refresh(battle, table)
    raiders.recognised(battle, table)
    _challenges(battle, table)
    for vessel in battle.on_table():
        neutrals.hold(battle, vessel)
        _come_alongside(battle, vessel)


# --- flags ---


def _shift_flag(battle: Battle, table: Table, squadron: BarkerSquadron) -> None:
    """Carry out an order to leave a flagship. Rule: P.S18."""
    flag = battle.units.get(squadron.flagship)
    order = table.ordered(flag.id) if flag is not None else None
    mate = battle.units.get(order.flag) if order is not None else None
    if flag is not None and mate is not None and may_shift(squadron, flag, mate):
        squadron.flagship = mate.id
        table.tell("flag", "P.S18", flag.id, squadron=squadron.id, to=mate.id)


def may_shift(squadron: BarkerSquadron, flag: Unit, mate: Unit) -> bool:
    """Whether a commander may leave his crippled flagship for a squadron mate that lies alongside; no Captain (D) may.

    Rules: P.S18, P.S17.
    """
    if squadron.flotilla or squadron.flag_lost or not flag.crippled or not (flag.on_table and mate.on_table):
        return False
    return mate.squadron == squadron.id and mate.id != flag.id and alongside(flag, mate)


def alongside(one: Unit, other: Unit) -> bool:
    """Whether two bases lie side by side, their side edges fully together. Rules: P.S18, P.Z03."""
    ahead, right = plane.frame(one, other.at)
    off = angle(one.h, other.h)
    return (
        abs(ahead) <= (CONTACT + SLACK) * UNIT
        and abs(abs(right) - BASE_WIDTH * UNIT) <= (CONTACT + SLACK) * UNIT
        and min(off, STRAIGHT - off) <= LEVEL + ANGLE_SLACK
    )


# --- neutrals ---


def _challenges(battle: Battle, table: Table) -> None:
    """Each ship of the speller may hail one vessel: a genuine neutral stops, one in disguise is disclosed. Rules: P.N05, P.N06, P.R02."""
    if not any(vessel.neutral or vessel.disguised for vessel in battle.units.values()):
        return
    for ship in list(battle.on_table(battle.speller)):
        order = table.ordered(ship.id)
        vessel = neutrals.named(battle, order.hail) if order is not None else None
        if vessel is None or not neutrals.may_hail(battle, ship, vessel):
            continue
        table.tell("hailed", "P.N05", ship.id, target=vessel.id)
        if vessel.disguised:
            raiders.disclose(battle, table, vessel, ship.id)
        else:
            vessel.stopped, vessel.challenged = True, ship.id


def _come_alongside(battle: Battle, vessel: Unit) -> None:
    """Boats of the challenger that lies alongside search the vessel in its next own spell. Rules: P.N07, P.N08."""
    challenger = battle.units.get(vessel.challenged)
    if challenger is not None and challenger.side == battle.speller and vessel.search_due < 0:
        if searches.alongside(challenger, vessel):
            vessel.search_due = battle.parties[challenger.side].spells + 1
