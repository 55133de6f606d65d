"""Phase 5: swept gun decks recover, steps lost are checked, fires burn, fire ships burn down. Rules: K.C, K.X7."""

from __future__ import annotations

from collections.abc import Sequence

from battles.engine.core.dice import Die, Subject
from battles.engine.rulesets.kohler.damage import catch_fire, cross_off, explode, strike_flag_officer
from battles.engine.rulesets.kohler.play import Play
from battles.engine.rulesets.kohler.state import Battle, Helm, Ship


def recover(battle: Battle, play: Play) -> None:
    """Step 5a: a turn off every swept gun deck; those at nought fire again from next turn. Rules: K.C7, K.C10."""
    for ship in battle.ships.values():
        if ship.gun_timers:
            ship.gun_timers[:] = [turns - 1 for turns in ship.gun_timers if turns > 1]


def check_and_burn(battle: Battle, play: Play) -> None:
    """Steps 5b to 5d: checks for steps lost, a roll for every fire, and again for whatever is new until nothing is.

    Rules: K.C1, K.C2, K.C3, K.C4, K.D11.
    """
    _check_all(battle, play, (battle.turn,))
    _burn_all(battle, play, (battle.turn,))


def burn_to_the_end(battle: Battle, play: Play) -> None:
    """Roll out every fire still alight as the battle ends, until out, blown up or sunk. Rules: K.G5, K.C3, K.C4."""
    burnt = 0
    _check_all(battle, play, (battle.turn, "after"))
    while any(ship.fires for ship in battle.ships.values() if _burns(ship)):
        burnt += 1
        _burn_all(battle, play, (battle.turn, "after", burnt))


def burn_fire_ships(battle: Battle, play: Play) -> None:
    """Step 5e: every fired fire ship burns a point down; at none left she is gone. Rule: K.X7."""
    for ship in battle.ships.values():
        if ship.fired and ship.afloat:
            cross_off(battle, play, ship, struct=1, clause="K.X7")


def _burns(ship: Ship) -> bool:
    """Whether fires aboard are rolled for: afloat, and not a fired fire ship, which burns by K.X7."""
    return ship.afloat and not ship.fired


def _check_all(battle: Battle, play: Play, key: tuple[Subject, ...]) -> dict[str, int]:
    """Critical checks for all steps noted, ships in list order, lowest step first. Returns fires lit, by ship id. Rule: K.C1."""
    lit: dict[str, int] = {}
    for ship in battle.ships.values():
        if not ship.unchecked_steps:
            continue
        steps = sorted(ship.unchecked_steps)
        ship.unchecked_steps.clear()
        if not _burns(ship) or ship.prize_of:
            continue
        for step in steps:
            if _check(battle, play, ship, (*key, ship.id, step)):
                lit[ship.id] = lit.get(ship.id, 0) + 1
    return lit


def _check(battle: Battle, play: Play, ship: Ship, key: tuple[Subject, ...]) -> bool:
    """One critical check (T5); whether it lit a fire. Rules: K.C1, K.C3, K.C6, K.C7, K.C8, K.C9."""
    score = sum(play.dice.throw(Die.AVERAGE, 2, clause="K.C1", subjects=key, reason="critical check"))
    result = _T5[score]
    if play.log is not None:
        play.log.add("critical", "K.C1", ship.id, score=score, result=result)
    if result == "fire":
        catch_fire(battle, play, ship, clause="K.C3")
    elif result == "guns":
        turns = play.dice.average(clause="K.C7", subjects=key, reason="turns with a swept gun deck")
        ship.gun_timers.append(turns)
        if play.log is not None:
            play.log.add("guns_out", "K.C7", ship.id, turns=turns)
    elif result == "helm":
        ship.helm = _HELM[play.dice.average(clause="K.C8", subjects=key, reason="helm hit")]
    elif result == "flag":
        strike_flag_officer(battle, play, ship)
    return result == "fire"


_T5 = {4: "fire", 5: "fire", 6: "none", 7: "none", 8: "guns", 9: "helm", 10: "flag"}
_HELM = {2: Helm.PORT, 3: Helm.NO_TURN, 4: Helm.NO_TURN, 5: Helm.STARBOARD}


def _burn_all(battle: Battle, play: Play, key: tuple[Subject, ...]) -> None:
    """Roll for all fires aboard all ships; new fires and checks of the burning follow until nothing is new. Rule: K.C2."""
    thrown: dict[str, int] = {}
    due = {ship.id: len(ship.fires) for ship in battle.ships.values() if ship.fires}
    again = 0
    while due:
        # A ship set alight by a neighbour's end rolls for that fire in the next round, never twice in one.
        fresh: dict[str, int] = {}
        for code, count in _in_list_order(battle, due):
            ship = battle.ships[code]
            first = len(ship.fires) - count - fresh.get(code, 0)
            for caught in _burn(battle, play, ship, first, count, key, thrown):
                fresh[caught] = fresh.get(caught, 0) + 1
        again += 1
        for code, count in _check_all(battle, play, (*key, "burning", again)).items():
            fresh[code] = fresh.get(code, 0) + count
        due = fresh


def _in_list_order(battle: Battle, due: dict[str, int]) -> Sequence[tuple[str, int]]:
    return list(due.items()) if len(due) < 2 else [(code, due[code]) for code in battle.ships if code in due]


def _burn(
    battle: Battle,
    play: Play,
    ship: Ship,
    first: int,
    count: int,
    key: tuple[Subject, ...],
    thrown: dict[str, int],
) -> list[str]:
    """Roll for `count` fires of a ship from place `first`, oldest first; returns ids of ships that caught fire from her end.

    DAve: 2 blows her up, 3 or 4 burns on and costs a hull point, 5 is out. Nothing else passes a fire to another ship, fire ships
    apart. Rules: K.C3, K.C4, K.C5, K.C11.
    """
    place = first
    for _ in range(count):
        if not _burns(ship):
            break
        thrown[ship.id] = thrown.get(ship.id, 0) + 1
        die = play.dice.average(
            clause="K.C3", subjects=(*key, ship.id, thrown[ship.id]), reason="fire aboard"
        )
        if die == 2:
            return [one.id for one in explode(battle, play, ship)]
        if die == 5:
            del ship.fires[place]
            if play.log is not None:
                play.log.add("fire_out", "K.C3", ship.id, fires=len(ship.fires))
            continue
        place += 1
        if play.log is not None:
            play.log.add("burns", "K.C3", ship.id, fires=len(ship.fires))
        cross_off(battle, play, ship, struct=1, clause="K.C3")
    return []
