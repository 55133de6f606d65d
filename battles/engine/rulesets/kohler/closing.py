"""The end of a battle: what is fought out, what becomes of ships and flag officers, and the outcome. Rules: K.G4-K.G6, K.G27."""

from __future__ import annotations

from battles.engine.core.crews import prize_crew
from battles.engine.core.fates import Fate, Flag
from battles.engine.core.outcome import Outcome, ShipOutcome
from battles.engine.core.parties import officers_of
from battles.engine.rulesets.kohler import boarding, condition, criticals, ending, wind
from battles.engine.rulesets.kohler.at_sea import men_left
from battles.engine.rulesets.kohler.card import Card
from battles.engine.rulesets.kohler.damage import burn_out
from battles.engine.rulesets.kohler.play import Play
from battles.engine.rulesets.kohler.state import Battle, Helm, Ship, Status

RULE_SET = "kohler"
MINUTES_A_TURN = 30


def after_battle(battle: Battle, play: Play, gale: bool) -> None:
    """What follows directly on the last turn, in the published order.

    A gale parts all ships without dice; else boardings are fought out first. Then fires burn to their end and fired fire ships
    are expended, disabled ships are taken unless it blows a gale, and flag officers learn their fate. Marks of the battle that
    do not outlive it are wiped. The gale's own throw is the campaign's. Rules: K.G27, K.G4, K.G5, K.G11.
    """
    if gale:
        for lock in list(battle.locks):
            battle.unlock(lock)
    else:
        boarding.fight_out(battle, play)
    criticals.burn_to_the_end(battle, play)
    for ship in battle.ships.values():
        if ship.fired and ship.afloat:
            burn_out(battle, play, ship)
    if not gale:
        ending.take_disabled(battle, play)
    settle_officers(battle, play)
    _wipe(battle)


def settle_officers(battle: Battle, play: Play) -> None:
    """Throw for flag officers who were hit, then for those whose ship sank under them; ships in list order.

    Hit: 1-3 killed, 4-6 wounded. From a sinking ship saved on 3 or more. With an exploded ship killed, with a taken one a
    prisoner. Rule: K.G11.
    """
    waiting = {code: squadron for squadron, (code, _, _) in battle.officers.items()}
    for code in battle.ships:
        squadron = waiting.get(code)
        if squadron is None:
            continue
        what = battle.officers[squadron][1]
        fate = _fate(battle, play, code, what)
        battle.officers[squadron] = (code, fate, "K.G11")
        if play.log is not None:
            play.log.add("officer", "K.G11", code, officer=battle.squadrons[squadron].officer, fate=fate)


def _fate(battle: Battle, play: Play, ship: str, what: str) -> str:
    """An officer's fate from what befell him: see `damage` for the words. Rule: K.G11."""
    fate, _, lost = what.partition(" ")
    if fate == "sunk":
        fate, lost = "unhurt", "sunk"
    elif fate == "hit":
        die = play.dice.d6(clause="K.G11", subjects=(battle.turn, ship, "hit"), reason="flag officer hit")
        fate = "killed" if die <= 3 else "wounded"
    if lost == "captured" and fate != "killed":
        fate = "captured"
    if lost == "sunk" and fate != "killed":
        die = play.dice.d6(
            clause="K.G11", subjects=(battle.turn, ship, "sinking"), reason="flag officer saved"
        )
        fate = fate if die >= 3 else "killed"
    return fate


def _wipe(battle: Battle) -> None:
    """Clear what does not outlive the battle. Rule: K.G27."""
    for lock in list(battle.locks):
        battle.unlock(lock)
    for ship in battle.ships.values():
        ship.helm = Helm.SOUND
        ship.gun_timers.clear()
        ship.unchecked_steps.clear()
        ship.placement.clear()
        ship.stacked = ship.fired = False
        ship.in_irons_last_turn = ship.caught_in_irons = False


def outcome(battle: Battle) -> Outcome:
    """The result of a battle that is over, one entry for every ship. Raises ValueError while it goes on.

    Rules: K.G6, K.G7, K.G26, G.BT3.
    """
    if not battle.ended:
        raise ValueError(f"the battle {battle.title!r} is not over")
    towards, strength = wind.chart_wind(battle)
    return Outcome(
        rule_set=RULE_SET,
        turns=battle.turn,
        minutes=battle.turn * MINUTES_A_TURN,
        ended=battle.ended,
        ships=tuple(_ship_outcome(ship) for ship in battle.ships.values()),
        officers=officers_of(battle.squadrons, battle.officers),
        held_field=_held_field(battle),
        wind={"towards": towards, "strength": strength.value},
    )


_FATES = {
    Status.SINKING: Fate.SUNK,
    Status.EXPLODED: Fate.BLOWN_UP,
    Status.BURNT: Fate.BURNT,
    Status.WRECKED: Fate.WRECKED,
}


def is_taken(ship: Ship) -> bool:
    """Whether she is in enemy hands; a ship taken back is not. Rules: K.B24, K.B25."""
    return bool(ship.prize_of) and ship.prize_of != ship.side


def fate_of(ship: Ship) -> Fate:
    """Her fate in the list that all sets share. Rule: G.BT3."""
    lost = _FATES.get(ship.status)
    if lost is not None:
        return lost
    return Fate.CAPTURED if is_taken(ship) else Fate.AFLOAT


def _flags(ship: Ship) -> frozenset[Flag]:
    if fate_of(ship) is not Fate.AFLOAT or ship.status is Status.EXPECTED:
        return frozenset()
    found = (
        (Flag.WITHDREW, ship.status is Status.GONE),
        (Flag.AGROUND, ship.aground),
        (Flag.DISABLED, ship.disabled),
    )
    return frozenset(flag for flag, holds in found if holds)


def _ship_outcome(ship: Ship) -> ShipOutcome:
    fate = fate_of(ship)
    # A flag officer out of action is relieved after the battle (G.AF1): the next one is fit.
    state = condition.Condition(ship.hits_struct, ship.hits_board)
    taken = fate is Fate.CAPTURED
    prisoners = men_left(_card(ship), state, ship.complement) if taken else 0
    return ShipOutcome(
        ship=ship.id,
        side=ship.side,
        fate=fate,
        condition=state.to_dict(),
        flags=_flags(ship),
        captor=ship.prize_of if taken else "",
        captor_ship=ship.captor_ship if taken else "",
        prize_crew=prize_crew(prisoners, ship.complement) if taken else 0,
        prisoners=prisoners,
        hits_given=ship.hits_given,
        hits_taken=ship.hits_taken,
        position=None if ship.status is Status.EXPECTED else ship.pos,
        cause="retaken"
        if fate is Fate.AFLOAT and ship.captor_ship and ship.prize_of == ship.side
        else ship.cause,
    )


def _card(ship: Ship) -> Card:
    return Card(
        guns=ship.guns, band=ship.band, hull_max=ship.hull_max, n_steps=ship.n_steps, thresholds=ship.thresholds,
        fire_track=ship.fire_track, fast=ship.fast, handy=ship.handy, unhandy=ship.unhandy, merchant=ship.merchant,
        small=ship.small, is_fireship=ship.is_fireship, deep=ship.deep,
    )  # fmt: skip


def _held_field(battle: Battle) -> str:
    """The only side with a ship left on the board that can make sail under her own colours, "" when there is no such side."""
    sides = {
        ship.side
        for ship in battle.ships.values()
        if ship.afloat and not ship.prize_of and not ship.disabled and not ship.aground
    }
    return sides.pop() if len(sides) == 1 else ""
