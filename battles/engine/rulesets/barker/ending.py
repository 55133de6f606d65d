"""The end of a spell, when a battle is over, and what follows it. Rules: P.O01-P.O07, P.T09, P.K06, P.K08-P.K10, P.K29, P.K32."""

from __future__ import annotations

from collections.abc import Iterator

from battles.engine.core.scenario import Stance
from battles.engine.rulesets.barker import arcs, clock, coming, modes, sight
from battles.engine.rulesets.barker.options import NO_CONTACT_HOURS
from battles.engine.rulesets.barker.play import Play
from battles.engine.rulesets.barker.state import Battle, Status, Unit
from battles.engine.rulesets.barker.tables import (
    MERCHANTS,
    SPELL_SECONDS,
    TURN_SECONDS,
    YARD,
    Mode,
    Type,
)

# Cruising spells of the withdrawing side unseen after which it has got away. Rule: P.K09.
LOST_AFTER = 4
# An enemy so near takes who would else be scuttled. Rule: P.K16.
TAKES = 1_600 * YARD
# SALVAGE: lost at most, still fast at most; taken off the owner's die when nobody holds the field. Rule: P.K08.
LOST, FAST, ALONE = 2, 4, 1
# Causes in the common words. Rule: P.K50.
ENDED = {
    "annihilation": "beaten",
    "retreat": "parted",
    "contact_lost": "parted",
    "time": "limit",
    "nightfall": "nightfall",
}
CAPTURED = "captured"


def close(battle: Battle, play: Play) -> None:
    """Modes revert, the end is tested, the clock goes on, the other side's spell is next. Rules: P.C10, P.O06, P.T09."""
    seconds = SPELL_SECONDS[play.began] * (1 if battle.options["clock_overlap"] else 2)
    modes.revert(battle, play)
    battle.clock += seconds
    _turn_back(battle, play)
    cause, winner = _cause(battle)
    battle.spell += 1
    if cause:
        battle.cause, battle.winner, battle.ended = cause, winner, ENDED[cause]
        battle.lost2 = {side: lost2(battle, side) for side in battle.sides}


def _cause(battle: Battle) -> tuple[str, str]:
    """Why the battle is over and who has won it, "" for nobody; no cause while it goes on. Rules: P.O01-P.O06, P.K09, P.K44."""
    gone = [side for side in battle.sides if not any(_keeps_alive(battle, side))]
    if gone:
        left = any(
            _got_away(unit) for unit in battle.units.values() if unit.side in gone and _counts(battle, unit)
        )
        winner = battle.other(gone[0]) if len(gone) == 1 else by_points(battle)
        return ("retreat" if left else "annihilation"), winner
    if battle.mode is Mode.CRUISING and battle.contact >= 0 and battle.cruising_unseen >= LOST_AFTER:
        away = [side for side in battle.sides if withdraws(battle, side)]
        if away:
            return "contact_lost", battle.other(away[0]) if len(away) == 1 else ""
    if not battle.by_night and battle.clock >= clock.to_nightfall(battle):
        return "nightfall", by_points(battle)
    if _time_is_up(battle):
        return "time", by_points(battle)
    return "", ""


def _keeps_alive(battle: Battle, side: str) -> Iterator[Unit]:
    """Units that keep a side in the battle: on the table, submerged, or still to come. Rules: P.O01, P.S34."""
    for unit in battle.units.values():
        if unit.side == side and unit.status in (Status.IN_PLAY, Status.EXPECTED) and _counts(battle, unit):
            yield unit


def _counts(battle: Battle, unit: Unit) -> bool:
    """Whether a unit is one of the ships a side lives by: warships, and merchants that are what the battle is about. Rule: P.O01."""
    if unit.neutral or unit.ashore or unit.prize_of:
        return False
    if unit.warship:
        return True
    protected = battle.sides[unit.side].doctrine.protect
    no_warship = not any(one.warship for one in battle.units.values() if one.side == unit.side)
    return no_warship or any(code in protected for code in unit.hulls)


def _got_away(unit: Unit) -> bool:
    return unit.status in (Status.RETREATED, Status.TURNED_BACK)


def _time_is_up(battle: Battle) -> bool:
    """Allotted time from the contact, a day without one, or the last turn of the campaign. Rules: P.O05, P.K40."""
    since = battle.clock - battle.contact if battle.contact >= 0 else -1
    if since >= battle.allotted or (battle.contact < 0 and battle.clock >= NO_CONTACT_HOURS * clock.HOUR):
        return True
    return battle.spell % 2 == 1 and battle.clock >= TURN_SECONDS * battle.last_turn


def _turn_back(battle: Battle, play: Play) -> None:
    """When nothing else of a side is left, those not due in its next spell give the voyage up. Rules: P.O01, P.K43."""
    for side in battle.sides:
        if all(unit.status is Status.EXPECTED for unit in _keeps_alive(battle, side)):
            # The speller's next spell begins after the other side's.
            wait = SPELL_SECONDS[battle.mode] if side == battle.speller else 0
            for squadron in battle.squadrons.values():
                if squadron.side == side and not coming.is_due(battle, squadron, battle.clock + wait):
                    for unit in coming.units_of(battle, squadron):
                        if unit.status is Status.EXPECTED:
                            unit.status = Status.TURNED_BACK
                            play.tell("turned_back", "P.K43", unit.id)


def withdraws(battle: Battle, side: str) -> bool:
    """Whether a side's posture is to withdraw: by its instructions, or for what it has lost. Rules: P.K09, P.K49."""
    doctrine, party = battle.sides[side].doctrine, battle.parties[side]
    return doctrine.stance is Stance.AVOID or 100 * lost2(battle, side) >= doctrine.break_off * max(
        1, party.opening2
    )


def lost2(battle: Battle, side: str) -> int:
    """Twice the SP of what a side has had sunk or destroyed. Rules: P.O02, P.O03, P.O08."""
    return sum(
        unit.sp2
        for unit in battle.units.values()
        if unit.side == side and unit.status is Status.SUNK and not unit.neutral and not unit.prize_of
    )


def by_points(battle: Battle) -> str:
    """The side that has suffered less, "" when both have suffered alike. Rules: P.O02, P.O04."""
    first, second = battle.sides
    a, b = lost2(battle, first), lost2(battle, second)
    return "" if a == b else first if a < b else second


def points2(battle: Battle, side: str) -> int:
    """Twice the campaign points of a side: what the enemy has lost, and prizes brought off, less its own losses and neutrals it has sunk.

    A cripple left behind counts as lost. Rules: P.K06, P.K07, P.K11.
    """
    total = 0
    for unit in battle.units.values():
        lost = unit.status in _LOST
        if unit.prize_of:
            if unit.prize_of == side and not unit.prize and _brought_off(battle, unit, side):
                total += unit.sp2
        elif unit.neutral:
            by = battle.units.get(unit.by)
            if lost and by is not None and by.side == side:
                total -= unit.sp2
        elif lost:
            total += -unit.sp2 if unit.side == side else unit.sp2
    return total


_LOST = (Status.SUNK, Status.CAPTURED, Status.SCUTTLED, Status.WRECKED)


def _brought_off(battle: Battle, prize: Unit, side: str) -> bool:
    """Whether a contraband prize left by its captor's edge, or he holds the field on which it lies. Rule: P.K07."""
    if prize.status is Status.RETREATED:
        return prize.edge == battle.parties[side].edge
    return prize.status is Status.IN_PLAY and battle.held == side


# --- after the battle ---


def after_battle(battle: Battle, play: Play) -> None:
    """Who holds the field; cripples, grounded ships and merchants left behind; what lasted a battle is over. Rules: P.K29, P.K12."""
    for unit in battle.units.values():
        if unit.status is Status.EXPECTED:
            unit.status = Status.TURNED_BACK
            play.tell("turned_back", "P.O01", unit.id)
    battle.held = _field_held(battle)
    units = sorted((unit for unit in battle.units.values() if unit.under_way), key=lambda unit: unit.id)
    for unit in units:
        _cripple(battle, play, unit)
    for unit in units:
        if unit.aground and unit.status is Status.IN_PLAY:
            _salvage(battle, play, unit)
    for unit in units:
        _merchant(battle, play, unit)
    for code, squadron in battle.squadrons.items():
        flag = battle.units.get(squadron.flagship)
        if flag is not None and flag.status is Status.CAPTURED:
            battle.luck.setdefault(code, (flag.hulls[0], CAPTURED, "P.K50"))
        if code in battle.luck:
            ship, fate, clause = battle.luck[code]
            play.tell("officer", clause, ship, officer=squadron.officer, fate=fate)
    for unit in battle.units.values():
        unit.submerged = unit.fired = unit.stopped = unit.outside = False
        unit.light = unit.challenged = ""
    battle.tallies, battle.markers = {}, []
    play.tell(
        "ended",
        "P.O07",
        why=battle.ended,
        cause=battle.cause,
        winner=battle.winner,
        lost=dict(battle.lost2),
        points={side: points2(battle, side) for side in battle.sides},
        held=battle.held,
    )


def _field_held(battle: Battle) -> str:
    """The winner; in a draw the side with an uncrippled ship on the table, if it is the only one. Rule: P.K10."""
    if battle.winner:
        return battle.winner
    there = [side for side in battle.sides if any(_able(battle, side))]
    return there[0] if len(there) == 1 else ""


def _able(battle: Battle, side: str) -> Iterator[Unit]:
    """Uncrippled warships of a side on the table, submarines included."""
    for unit in battle.units.values():
        if unit.side == side and unit.under_way and unit.warship and not unit.crippled and not unit.neutral:
            yield unit


def _takers(battle: Battle, unit: Unit) -> list[Unit]:
    """Uncrippled surface warships of the enemy, nearest first, ties by id. Rules: P.K06, P.K16, P.K32."""
    found = [one for one in _able(battle, battle.other(unit.side)) if one.type is not Type.SUB]
    found.sort(key=lambda one: ((one.x - unit.x) ** 2 + (one.y - unit.y) ** 2, one.id))
    return found


def _deserted(battle: Battle, unit: Unit) -> bool:
    """Whether no able friend is there and an able enemy has it in sight. Rules: P.K06, P.K32."""
    if unit.neutral or unit.ashore or not unit.on_table or any(_able(battle, unit.side)):
        return False
    return any(sight.visible(battle, enemy, unit) for enemy in _able(battle, battle.other(unit.side)))


def _cripple(battle: Battle, play: Play, unit: Unit) -> None:
    """A cripple left alone with the enemy is taken by one who is near, and scuttled else. Rules: P.K06, P.K16."""
    if not unit.crippled or unit.aground or not unit.warship or not _deserted(battle, unit):
        return
    takers = _takers(battle, unit)
    if takers and arcs.range_between(takers[0], unit) <= TAKES:
        _capture(play, unit, takers[0], "P.K06")
    else:
        unit.status, unit.fate = Status.SCUTTLED, "scuttled"
        play.tell("scuttled", "P.K06", unit.id)


def _salvage(battle: Battle, play: Play, unit: Unit) -> None:
    """A grounded ship is lost, still fast or afloat again, by a die of who holds the field; an enemy afloat is his. Rule: P.K08."""
    roller = battle.held or unit.side
    die = play.dice.d6(clause="P.K08", subjects=(battle.spell, "SALVAGE", unit.id), reason="salvage")
    score = die - (0 if battle.held else ALONE)
    takers = _takers(battle, unit)
    play.tell(
        "salvage",
        "P.K08",
        unit.id,
        die=die,
        result="lost" if score <= LOST else "fast" if score <= FAST else "afloat",
    )
    if score <= LOST:
        unit.status, unit.fate = Status.WRECKED, "wrecked"
    elif score > FAST:
        unit.aground = False
        if roller != unit.side and takers:
            _capture(play, unit, takers[0], "P.K08")


def _merchant(battle: Battle, play: Play, unit: Unit) -> None:
    """Merchants, transports and prizes left alone under an enemy's guns heave to. Rule: P.K32."""
    if (
        unit.status is not Status.IN_PLAY
        or not (unit.type in MERCHANTS or unit.prize)
        or not _deserted(battle, unit)
    ):
        return
    takers = _takers(battle, unit)
    if takers:
        _capture(play, unit, takers[0], "P.K32")


def _capture(play: Play, unit: Unit, by: Unit, clause: str) -> None:
    unit.status, unit.fate, unit.by = Status.CAPTURED, CAPTURED, by.id
    play.tell("captured", clause, unit.id, side=by.side, by=by.id)
