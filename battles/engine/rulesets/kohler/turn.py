"""The published sequence of play: one function a step, in order. Rules: K.T1, K.T2, K.T3."""

from __future__ import annotations

from collections import abc

from battles.engine.core.sequence import Row, Sequence, Step
from battles.engine.rulesets.kohler import (
    boarding,
    closing,
    command,
    contact,
    criticals,
    ending,
    gunnery,
    layout,
    lots,
    sailing,
    wind,
)
from battles.engine.rulesets.kohler.play import Play
from battles.engine.rulesets.kohler.state import (
    Battle,
    Status,
    WindForce,
)


def play_turn(battle: Battle, play: Play) -> None:
    """Play one whole turn; in the turn in which the battle ends, its end as well.

    A gale breaks the turn off in phase 1. Raises ValueError when the battle is over already. Rules: K.T1, K.A2.8, K.G27.
    """
    if battle.ended:
        raise ValueError("the battle is over")
    battle.turn += 1
    play.wind_dice = (0, 0)
    for ship in battle.ships.values():
        ship.moved_hexes = ship.turns_made = 0
        ship.acted = ship.grapple_tried = False
    SEQUENCE.play(battle, play, battle.turn)


def after_battle(battle: Battle, play: Play) -> None:
    """Why the battle is over, and what follows. Rules: K.A2.8, K.G9, K.G27."""
    gale = battle.ended == "gale"
    if play.log is not None:
        play.log.add("ended", "K.A2.8" if gale else "K.G9", why=battle.ended)
    closing.after_battle(battle, play, gale=gale)


def drift_all(battle: Battle, play: Play) -> None:
    """Step 1d: in a strong wind everyone is carried down wind. Rules: K.A2.7, K.M29."""
    if battle.strength is WindForce.STRONG:
        lots.universal_drift(battle, play)


def declare_fire_ships(battle: Battle, play: Play) -> None:
    """Step 1e: fire ships are fired, by order or by the captain of ships without orders; there is no way back.

    One lashed alongside an enemy, or tangled with a friend, has struck that ship at once. Rules: K.X1, K.X4, K.X16.
    """
    declared = {code for code, orders in play.orders.items() if orders.fire_ship}
    for side, captain in play.captains.items():
        mine = (code for code in captain.fire_ships(play.views[side]) if code not in play.orders)
        declared |= {code for code in mine if code in battle.ships and battle.ships[code].flag == side}
    for ship in battle.ships.values() if declared else ():
        if ship.id not in declared or not ship.afloat or ship.fired:
            continue
        if ship.is_fireship and not ship.prize_of:
            contact.fire_the_ship(battle, play, ship)
        elif play.log is not None:
            play.log.add("refused", "K.X4", ship.id, token="X", code="no-fire-ship")


def order_of_groups(battle: Battle, play: Play) -> None:
    """Step 2d: the order of activation; then, wind and order known, captains make their plans. Rules: K.I5, K.T1."""
    command.order_groups(battle, play)
    for side, captain in play.captains.items():
        captain.begin_turn(play.views[side])


def sail_fire_ships(battle: Battle, play: Play) -> None:
    """Step 3a: fired fire ships run before everyone else, those of the side that loses draws first. Rules: K.X5, K.I15."""
    burning = [ship for ship in battle.ships.values() if ship.fired and ship.afloat]
    if burning:
        burning.sort(key=lambda ship: battle.sides[ship.side].wins_ties)
        for ship in burning:
            if ship.afloat:
                sailing.activate_fire_ship(battle, play, ship)


def sail_groups(battle: Battle, play: Play) -> None:
    """Step 3b: the groups in turn, each ship finishing before the next begins. Rules: K.T2, K.I5, K.I17."""
    for group in battle.groups:
        for code in _owners_order(battle, play, group.squadron, group.ships):
            ship = battle.ships[code]
            if ship.afloat and not ship.fired:
                sailing.activate(battle, play, ship)


def _owners_order(battle: Battle, play: Play, squadron: str, ships: tuple[str, ...]) -> abc.Sequence[str]:
    """The order the owner wishes, list order when he has no wish or names other ships. Rule: K.I17."""
    side = battle.squadrons[squadron].side
    captain = play.captains.get(side)
    if captain is None or len(ships) == 1:
        return ships
    wished = captain.ship_order(play.views[side], squadron, ships)
    return wished if len(wished) == len(ships) and set(wished) == set(ships) else ships


def close_turn(battle: Battle, play: Play) -> None:
    """Step 5f: new flagships, whether the battle is over, and who ends the turn in irons. Rules: K.I10, K.G9, K.M14."""
    command.name_flagships(battle, play)
    ending.test(battle, play)
    for ship in battle.ships.values():
        if ship.status is Status.AFLOAT:
            ship.in_irons_last_turn = battle.rel(ship.facing) == 0
            ship.caught_in_irons = False


SEQUENCE = Sequence(
    (
        Row(Step("1a", ("K.W2", "K.W3", "K.W4", "K.W5"), "The wind's direction"), wind.shift),
        Row(Step("1b", ("K.A2.2", "K.A2.8"), "The wind's strength, and gales"), wind.freshen),
        Row(Step("1c", ("K.M14",), "Ships that the wind catches in irons"), wind.catch_in_irons),
        Row(Step("1d", ("K.A2.7",), "All ships drift in a strong wind"), drift_all),
        Row(Step("1e", ("K.X4",), "Fire ships are set alight"), declare_fire_ships),
        Row(Step("1f", ("K.G9",), "Reinforcements arrive"), layout.arrivals),
        Row(
            Step("2ab", ("K.I1", "K.I2", "K.I3"), "Initiative of the squadrons"),
            command.throw_initiative,
        ),
        Row(Step("2c", ("K.I8", "K.I9"), "Ships in and out of command"), command.settle_command),
        Row(
            Step("2d", ("K.I5", "K.I6", "K.I7", "K.I11"), "Order of the groups"),
            order_of_groups,
        ),
        Row(Step("3a", ("K.X5",), "Movement of burning fire ships"), sail_fire_ships),
        Row(Step("3b", ("K.M8", "K.B1"), "Movement of the groups"), sail_groups),
        Row(Step("4a", ("K.F1", "K.F16"), "Gunfire"), gunnery.fire_phase),
        Row(Step("4b", ("K.B15", "K.B26"), "Boarding and parting"), boarding.rounds),
        Row(Step("5a", ("K.C7",), "Gun decks are cleared"), criticals.recover),
        Row(
            Step("5b-5d", ("K.C1", "K.C2"), "Critical hits and fires"),
            criticals.check_and_burn,
        ),
        Row(Step("5e", ("K.X7",), "Fire ships burn"), criticals.burn_fire_ships),
        Row(Step("5f", ("K.I10", "K.G9"), "New flagships; check for the end of the battle"), close_turn),
    ),
    Row(
        Step("after", ("K.G4", "K.G5", "K.G10", "K.G11", "K.G12", "K.G27"), "After the battle"), after_battle
    ),
)

STEPS: tuple[Step, ...] = SEQUENCE.steps
