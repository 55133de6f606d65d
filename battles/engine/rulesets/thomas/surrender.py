"""Steps P2f, P11d and P11e: worn crews, striking, going back on it, captives who rise. Rules: T.O5g, T.O6-T.O6b, T.O6l-T.O6n."""

from __future__ import annotations

from battles.engine.core import plane
from battles.engine.rulesets.thomas.play import Play
from battles.engine.rulesets.thomas.sailing import enough_hands
from battles.engine.rulesets.thomas.state import Battle, Ship
from battles.engine.rulesets.thomas.tables import FARTHEST, RISING_FROM, STRIKES_UP_TO


def change_minds(battle: Battle, play: Play) -> None:
    """Step P2f: a ship that struck otherwise than by boarding, and is not secured, may hoist her colours again. Rule: T.O6n."""
    for ship in battle.afloat():
        if not ship.struck or ship.struck_by_boarding or ship.secured:
            continue
        ordered = play.order(ship).dishonour
        asked = play.captain(ship)
        if ordered is None:
            ordered = asked is not None and asked.captain.dishonours(asked.view, ship.id)
        if ordered:
            ship.struck, ship.dishonoured = False, True
            ship.captor_side = ship.captor_ship = ship.detail = ""
            play.tell("changed_mind", "T.O6n", ship.id)


def worn_crews(battle: Battle, play: Play) -> None:
    """Step P11d: a crew down to a quarter breaks off; where she cannot, she strikes on 1-2. Rules: T.O5g, T.O6q."""
    if not battle.options["opt_crews"]:
        return
    for ship in list(battle.afloat()):
        if not ship.fighting or 2 * ship.crew_halves > ship.crew_max:
            continue
        if not ship.breaking_off:
            ship.breaking_off = True
            play.tell("breaking_off", "T.O5g", ship.id)
        if can_break_off(battle, ship):
            continue
        die = play.dice.d6(clause="T.O5g", subjects=(battle.move, ship.id), reason="worn crew")
        if die <= STRIKES_UP_TO:
            strike(battle, play, ship, clause="T.O5g", why="worn crew")


def can_break_off(battle: Battle, ship: Ship) -> bool:
    """Whether she will be able to sail next move, by herself or in tow. Rule: T.O5g."""
    if ship.grapples or ship.on_fire or ship.anchored or ship.in_irons:
        return False
    if ship.towed_by:
        return True
    if ship.adrift or ship.heave_to_next or ship.rescue_next:
        return False
    return ship.under_oars or (not ship.dismasted and enough_hands(battle, ship))


def strikes(battle: Battle, play: Play) -> None:
    """Step P11e: ships strike as the move ends; then captives under too thin a guard rise. Rules: T.O6, T.O6l, T.O6m."""
    if not battle.options["opt_surrender"]:
        return
    for ship in list(battle.afloat()):
        if ship.fighting and not ship.in_a_fight and _strikes(play, ship):
            if _accepted(battle, play, ship):
                strike(battle, play, ship, clause="T.O6", why="struck")
            else:
                play.tell("refused_surrender", "T.O6", ship.id)
    for ship in list(battle.afloat()):
        if is_thin(ship) and not ship.captives_tried:
            rise(battle, play, ship)


def _strikes(play: Play, ship: Ship) -> bool:
    ordered = play.order(ship).strike
    if ordered is not None:
        return ordered
    asked = play.captain(ship)
    return asked is not None and asked.captain.strikes(asked.view, ship.id)


def _accepted(battle: Battle, play: Play, ship: Ship) -> bool:
    """Only the surrender of a dishonoured ship may be refused. Rules: T.O6, T.O6n."""
    enemy = battle.enemy_of(ship.flag)
    if not ship.dishonoured or enemy not in play.captains:
        return True
    return play.captains[enemy].accepts(play.views[enemy], ship.id)


def strike(battle: Battle, play: Play, ship: Ship, *, clause: str, why: str) -> None:
    """Haul down her colours, and name who is to secure her: the captor's choice, else the nearest not engaged.

    Rules: T.O6, T.O6a, T.O6b, T.O6e.
    """
    ship.struck, ship.struck_move = True, battle.move
    ship.captor_side = battle.enemy_of(ship.flag)
    ship.detail = _detail(battle, play, ship)
    play.tell("struck", clause, ship.id, to=ship.captor_side, by=ship.detail, why=why)


def _detail(battle: Battle, play: Play, prize: Ship) -> str:
    captain = play.captains.get(prize.captor_side)
    if captain is not None:
        named = captain.detail(play.views[prize.captor_side], prize.id)
        if named in battle.ships and battle.ships[named].flag == prize.captor_side:
            return named
    ships = [
        one
        for one in battle.near(prize, FARTHEST)
        if one.flag == prize.captor_side and one.fighting and not one.grapples
    ]
    nearest = min(ships, key=lambda one: (plane.distance(one.position, prize.position), one.id), default=None)
    return nearest.id if nearest is not None else ""


def is_thin(prize: Ship) -> bool:
    """Whether a prize crew is less than a fifth of the captives. Rules: T.O6l, T.O5f."""
    return bool(prize.prize_of) and bool(prize.captives) and 5 * prize.prize_crew < prize.captives


def rise(battle: Battle, play: Play, ship: Ship, *, when: str = "") -> None:
    """Captives try once to retake the ship; on 4-6 they are her crew again and the prize crew their captives.

    In a prize that her captors brought with them they are the enemy's people: she goes over to him, as his prize.
    when: "after" once the battle is over. Rules: T.O6k, T.O6l, T.O6m, T.C14.
    """
    subjects = (battle.move, ship.id, when) if when else (battle.move, ship.id)
    die = play.dice.d6(clause="T.O6m", subjects=subjects, reason="captives rise")
    ship.captives_tried = True
    play.tell("rising", "T.O6m", ship.id, made=die >= RISING_FROM)
    if die < RISING_FROM:
        return
    ship.captive_halves, ship.guard_halves = ship.guard_halves, ship.captive_halves
    ship.guard_from = ship.captor_ship = ""
    ship.struck = ship.struck_by_boarding = False
    ship.dishonoured = True
    if ship.prize_of == ship.side:
        ship.prize_of = ship.captor_side = battle.enemy_of(ship.side)
    else:
        ship.crew_halves, ship.guard_halves = ship.guard_halves, 0
        ship.prize_of = ship.captor_side = ""
        ship.secured = False
    play.tell("retaken", "T.O6m", ship.id, by="", why="captives rose", side=ship.flag)
