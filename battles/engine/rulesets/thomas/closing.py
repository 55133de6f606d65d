"""After the last move: what is fought out, what becomes of ships and people, and the outcome. Rules: T.C12, T.C14-T.C23, T.C36."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from battles.engine.core import plane
from battles.engine.core.fates import Fate, Flag
from battles.engine.core.outcome import Outcome, ShipOutcome
from battles.engine.core.parties import officers_of
from battles.engine.core.sequence import Step
from battles.engine.rulesets.thomas import boarding, burning, condition, securing, surrender, wind
from battles.engine.rulesets.thomas.at_sea import half_up
from battles.engine.rulesets.thomas.play import Play
from battles.engine.rulesets.thomas.sailing import enough_hands, sailing_crew
from battles.engine.rulesets.thomas.state import Adrift, Battle, Rig, Ship, Status

RULE_SET = "thomas"
STEP = Step("P13", ("T.C36", "T.C12", "T.C17", "T.C19", "T.C20", "T.C21"), "After the battle")

KILLED_UP_TO, SAVED_FROM = 3, 3
_GONE_DOWN = frozenset({Fate.SUNK, Fate.FOUNDERED})
_FATES = {
    Status.SUNK: Fate.SUNK,
    Status.FOUNDERED: Fate.FOUNDERED,
    Status.BLOWN_UP: Fate.BLOWN_UP,
    Status.WRECKED: Fate.WRECKED,
    Status.BEACHED: Fate.WRECKED,
}


def after_battle(battle: Battle, play: Play) -> None:
    """What follows directly on the last move, in the published order.

    Boardings are fought out; fires burn to their end; ships that struck and were not secured fall to whoever is left in
    possession of the water; captives under too thin a guard rise; castaways and drowned are told. Then what does not outlive a
    battle is cleared. People of ships that went down were saved in the move itself (step P11g, T.C15); the strain of the sea
    and jury masts are the campaign's from here (T.C16, T.C18, see `at_sea`). Rule: T.C36.
    """
    boarding.fight_out(battle, play)
    burning.burn_out(battle, play)
    battle.held_field = _holder(battle)
    _unsecured(battle, play, battle.held_field)
    for ship in battle.ships.values():
        if _in_being(ship) and surrender.is_thin(ship) and not ship.captives_tried:
            surrender.rise(battle, play, ship, when="after")
    _castaways_and_drowned(battle, play)
    _officers_luck(battle, play)
    _clear(battle)
    play.tell("ended", "T.C23", "", why=battle.ended, held_field=battle.held_field)


def _in_being(ship: Ship) -> bool:
    """Whether she floats, here or away from the battle."""
    return ship.status in (Status.AFLOAT, Status.WITHDRAWN)


def _holder(battle: Battle) -> str:
    """The only side with a ship on the table that fights under her own colours and can sail, "" when there is no such side.

    A ship at anchor counts: she holds the water she lies in. Rule: T.C12.
    """
    sides = {ship.side for ship in battle.afloat() if ship.fighting and _able(battle, ship)}
    return sides.pop() if len(sides) == 1 else ""


def _able(battle: Battle, ship: Ship) -> bool:
    """Whether she can make way by sails or oars in some wind. Rules: T.B5d, T.O4h, T.O5."""
    rows = bool(battle.options["opt_oars"]) and ship.has_oars and not ship.three_quarters_damaged
    return rows or (not ship.dismasted and enough_hands(battle, ship))


def _unsecured(battle: Battle, play: Play, holder: str) -> None:
    """Ships that struck and were not secured: the side that holds the water sends men, else they are their own people's again.

    Without such a side, and where the side's own ships hold it, no one takes her; only the former dishonours her. Rule: T.C12.
    """
    for ship in list(battle.afloat()):
        if not ship.struck or ship.secured:
            continue
        captor = _captor(battle, ship, holder)
        if captor is not None:
            securing.secure(battle, play, ship, captor, -1, "after")
            continue
        ship.struck = ship.struck_by_boarding = False
        ship.captor_side = ship.captor_ship = ship.detail = ""
        ship.dishonoured = True
        play.tell("after", "T.C12", ship.id, what="rejoined", men=ship.crew_halves)


def _captor(battle: Battle, prize: Ship, holder: str) -> Ship | None:
    """Who secures her: a ship of the holder's with men enough to spare, the one named for it, the nearest. Rules: T.C12, T.O6e."""
    wanted = securing.men_wanted(prize)
    ships = [one for one in battle.of(holder) if one.fighting and _able(battle, one)] if holder else []
    return min(
        ships,
        key=lambda one: (
            -min(wanted, one.crew - sailing_crew(one)),
            one.id != prize.detail,
            plane.distance(one.position, prize.position),
            one.id,
        ),
        default=None,
    )


def _castaways_and_drowned(battle: Battle, play: Play) -> None:
    """People of wrecks are ashore where they lie; captives in a ship that went down are struck off. Rules: T.C20, T.C21, T.O6o."""
    for ship in battle.ships.values():
        if ship.status in (Status.WRECKED, Status.BEACHED):
            ashore = ship.crew_halves + ship.guard_halves + ship.captive_halves
            play.tell("after", "T.C21", ship.id, what="ashore", men=ashore)
        elif not _in_being(ship) and ship.status is not Status.EXPECTED:
            ship.captive_halves = 0


def _clear(battle: Battle) -> None:
    """Wipe what does not outlive a battle; tows stay. Rule: T.C36."""
    for one in list(battle.grapples):
        battle.unfasten(one)
    for ship in battle.ships.values():
        ship.in_irons = ship.anchored = ship.boats_out = ship.has_fired = ship.breaking_off = False
        ship.heave_to_next = ship.rescue_next = ship.cutting_cable = False
        ship.adrift, ship.tow_wait, ship.rig = Adrift.NONE, "", Rig.SAIL
        ship.gunners = 0


def outcome(battle: Battle) -> Outcome:
    """The result of a battle that is over, one entry for every ship. Raises ValueError while it goes on.

    Rules: T.C3, T.C10, T.C11, T.C23, T.C35, G.BT3.
    """
    if not battle.ended:
        raise ValueError(f"the battle {battle.title!r} is not over")
    towards, strength = wind.chart_wind(battle)
    return Outcome(
        rule_set=RULE_SET,
        turns=battle.move,
        minutes=battle.move * int(battle.options["minutes_per_move"]),
        ended=battle.ended,
        ships=tuple(
            _ship_outcome(battle, battle.ships[code])
            for squadron in battle.squadrons.values()
            for code in squadron.ships
        ),
        officers=officers_of(battle.squadrons, battle.officers),
        held_field=battle.held_field,
        wind={"towards": towards, "strength": strength.value},
    )


def fate_of(ship: Ship) -> Fate:
    """Her fate in the list that all sets share. Rule: G.BT3."""
    lost = _FATES.get(ship.status)
    if lost is not None:
        return lost
    return Fate.CAPTURED if ship.prize_of not in ("", ship.side) else Fate.AFLOAT


def _flags(battle: Battle, ship: Ship) -> frozenset[Flag]:
    if fate_of(ship) is not Fate.AFLOAT or ship.status is Status.EXPECTED:
        return frozenset()
    found = ((Flag.WITHDREW, ship.status is Status.WITHDRAWN), (Flag.DISABLED, not _able(battle, ship)))
    return frozenset(flag for flag, holds in found if holds)


def _ship_outcome(battle: Battle, ship: Ship) -> ShipOutcome:
    """What the campaign learns of one ship. Men are heads, of her own people and of the ship that sent the guard. Rule: T.C30.

    People whom she took up from an enemy are prisoners in her, and no longer part of her condition. Rules: T.O5h, T.C15.
    """
    fate = fate_of(ship)
    taken = fate is Fate.CAPTURED
    at_large = fate is Fate.AFLOAT and not ship.prize_of
    state = condition.of(ship)
    sender = battle.ships.get(ship.guard_from, ship)
    return ShipOutcome(
        ship=ship.id,
        side=ship.side,
        fate=fate,
        condition=replace(state, captive_halves=0).to_dict() if at_large else state.to_dict(),
        flags=_flags(battle, ship),
        captor=ship.prize_of if taken else "",
        captor_ship=ship.captor_ship if taken else "",
        prize_crew=heads(ship.guard_halves, sender) if taken else 0,
        prisoners=heads(ship.captive_halves, ship) if taken or at_large else 0,
        tried=ship.captives_tried,
        men=_own_people(ship, fate),
        hits_given=ship.hits_given,
        hits_taken=ship.hits_taken,
        position=None if ship.status is Status.EXPECTED else ship.position,
        cause=ship.cause,
    )


def _own_people(ship: Ship, fate: Fate) -> int | None:
    """Heads of her own people: of a wreck that had been taken, the captives. None where her condition tells. Rules: T.C21, T.C30."""
    if fate is Fate.WRECKED and ship.prize_of not in ("", ship.side):
        return heads(ship.captive_halves, ship)
    return None if ship.prize_of or fate.lost else heads(ship.crew_halves, ship)


def heads(halves: int, ship: Ship) -> int:
    """Heads of a guard or of captives, reckoned by the ship whose people they are, halves up. Rule: T.C30."""
    return half_up(Fraction(halves * ship.complement, 2 * ship.crew_max))


def _officers_luck(battle: Battle, play: Play) -> None:
    """What befell the named flag officers, squadron by squadron.

    With a ship blown up killed, with a taken one a prisoner; else hit by one face of a die for each quarter of her flotation
    lost, and of those hit half are killed; from a ship that has gone down the others are saved on 3 or more. Rules: G.AF1, T.C36.
    """
    for code, squadron in battle.squadrons.items():
        ship = battle.ships[squadron.flagship]
        if not squadron.officer or ship.status is Status.EXPECTED:
            continue
        fate = _fate_of_officer(battle, play, ship)
        battle.officers[code] = (ship.id, fate, "G.AF1")
        if fate != "unhurt":
            play.tell("officer", "G.AF1", ship.id, officer=squadron.officer, fate=fate)


def _fate_of_officer(battle: Battle, play: Play, ship: Ship) -> str:
    fate = fate_of(ship)
    if fate is Fate.BLOWN_UP:
        return "killed"
    luck = _hit_officer(battle, play, ship, fate)
    if luck != "killed" and fate in _GONE_DOWN:
        die = play.dice.d6(
            clause="G.AF1", subjects=(battle.move, ship.id, "saved"), reason="is the flag officer saved"
        )
        return luck if die >= SAVED_FROM else "killed"
    return luck


def _hit_officer(battle: Battle, play: Play, ship: Ship, fate: Fate) -> str:
    """Killed, wounded, taken or unhurt, by the quarters of flotation that his ship has lost. Rule: G.AF1."""
    quarters = 4 * ship.lost // ship.flot_max
    if quarters:
        die = play.dice.d6(clause="G.AF1", subjects=(battle.move, ship.id), reason="is the flag officer hit")
        if die <= quarters:
            again = play.dice.d6(
                clause="G.AF1", subjects=(battle.move, ship.id, "hit"), reason="killed or wounded"
            )
            if again <= KILLED_UP_TO:
                return "killed"
            return "captured" if fate is Fate.CAPTURED else "wounded"
    return "captured" if fate is Fate.CAPTURED else "unhurt"
