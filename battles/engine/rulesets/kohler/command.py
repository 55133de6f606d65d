"""Phase 2: the squadrons' initiative, who is in command, in what order the groups act; and new flagships at the turn's end.

Rules: K.I1-K.I17.
"""

from __future__ import annotations

from collections.abc import Iterable

from battles.engine.core.hexes import STEPS, distance
from battles.engine.rulesets.kohler.play import Play
from battles.engine.rulesets.kohler.state import Battle, Group, Ship, SquadronState, Status

RADIUS = 4
_SELF_AND_NEXT = ((0, 0), *STEPS)


def throw_initiative(battle: Battle, play: Play) -> None:
    """Steps 2a and 2b: one die a squadron with a ship to act, its flag officer's bonus, the penalty of a lost flag.

    A value that the scenario sets is taken instead of the die. Rules: K.I1, K.I2, K.I3, K.I5.
    """
    fixed = battle.options.get("initiative") or {}
    acting = {squadron_of(battle, ship).id for ship in _actors(battle)}
    for squadron in battle.squadrons.values():
        if squadron.id not in acting:
            continue
        if squadron.id in fixed:
            die, squadron.init = 0, fixed[squadron.id]
            bonus = penalty = 0
        else:
            die = play.dice.d6(clause="K.I1", subjects=(battle.turn, squadron.id), reason="initiative")
            bonus, penalty = squadron.flag_bonus, flag_penalty(battle, squadron)
            squadron.init = die + bonus - penalty
        if play.log is not None:
            play.log.add(
                "initiative",
                "K.I1",
                squadron.flagship,
                squadron=squadron.id,
                die=die,
                bonus=bonus,
                penalty=penalty,
                value=squadron.init,
            )


def flag_penalty(battle: Battle, squadron: SquadronState) -> int:
    """1 when the flag officer is out of action or his flagship cannot be seen, else 0; never more. Rules: K.I3, K.I4, K.I10."""
    flagship = battle.ships[squadron.flagship]
    if squadron.flag_lost or not flagship.flag_officer_ok or not _leads(flagship, squadron):
        return 1
    if battle.visibility is None:
        return 0
    others = [one for one in _members(battle, squadron) if one is not flagship]
    seen = not others or any(distance(one.pos, flagship.pos) <= battle.visibility for one in others)
    return 0 if seen else 1


def settle_command(battle: Battle, play: Play) -> None:
    """Step 2c: which ships are in command, for the whole turn; those that have sailed out of it are logged.

    Rules: K.I8, K.I9, K.I12, K.I13, K.I16.
    """
    before = [ship for ship in battle.ships.values() if ship.in_command]
    for ship in before:
        ship.in_command = False
    for squadron in battle.squadrons.values():
        for ship in in_command(battle, squadron):
            ship.in_command = True
    if play.log is not None:
        for ship in before:
            if not ship.in_command and _leads(ship, battle.squadrons[ship.squadron]):
                play.log.add("straggler", "K.I13", ship.id)


def in_command(battle: Battle, squadron: SquadronState) -> list[Ship]:
    """The ships of a squadron that its flag reaches: within four hexes, or joined to such a ship by a chain of neighbours.

    Prizes, sinking ships and fired fire ships neither obey nor pass orders on. Rules: K.I8, K.I9, K.I16.
    """
    flagship = battle.ships[squadron.flagship]
    if not _leads(flagship, squadron):
        return []
    q, r = flagship.pos
    reached: list[Ship] = []
    beyond: set[str] = set()
    for ship in _members(battle, squadron):
        dq, dr = ship.pos[0] - q, ship.pos[1] - r
        if -RADIUS <= dq <= RADIUS and -RADIUS <= dr <= RADIUS and -RADIUS <= dq + dr <= RADIUS:
            reached.append(ship)
        else:
            beyond.add(ship.id)
    if not beyond:
        return reached
    at = battle.at
    for link in reached:
        q, r = link.pos
        for dq, dr in _SELF_AND_NEXT:
            for other in at.get((q + dq, r + dr), ()):
                if other.id in beyond:
                    beyond.discard(other.id)
                    reached.append(other)
    return reached


def order_groups(battle: Battle, play: Play) -> None:
    """Step 2d: the groups in ascending initiative, draws to the side that wins them, else list order.

    Out-of-command ships and prizes are a group of their own, one lower. Rules: K.I5, K.I6, K.I7, K.I11, K.I14, K.I16, K.I17.
    """
    inside: dict[str, list[str]] = {code: [] for code in battle.squadrons}
    outside: dict[str, list[str]] = {code: [] for code in battle.squadrons}
    for ship in _actors(battle):
        squadron = squadron_of(battle, ship)
        ship.group_init = squadron.init - (0 if ship.in_command else 1)
        (inside if ship.in_command else outside)[squadron.id].append(ship.id)
    groups = []
    for code, squadron in battle.squadrons.items():
        for ships, there in ((inside[code], True), (outside[code], False)):
            if ships:
                groups.append(Group(code, squadron.init - (0 if there else 1), there, tuple(ships)))
    groups.sort(
        key=lambda group: (
            group.init,
            battle.sides[battle.squadrons[group.squadron].side].wins_ties,
        )
    )
    battle.groups = groups
    if play.log is not None:
        rows = [[group.squadron, group.init, group.in_command, list(group.ships)] for group in groups]
        play.log.add("groups", "K.I5", groups=rows)


def squadron_of(battle: Battle, ship: Ship) -> SquadronState:
    """The squadron a ship acts with: a prize with her captor's, all others with their own. Rule: K.I16."""
    own = battle.squadrons[ship.squadron]
    if not ship.prize_of or own.side == ship.prize_of:
        return own
    captor = battle.ships.get(ship.captor_ship)
    if captor is not None and battle.squadrons[captor.squadron].side == ship.prize_of:
        return battle.squadrons[captor.squadron]
    return next(one for one in battle.squadrons.values() if one.side == ship.prize_of)


def name_flagships(battle: Battle, play: Play) -> None:
    """Step 5f: a squadron that has lost its flagship follows its strongest ship left, without a flag officer.

    Most guns first, then list order; the loss of the flag stays for the rest of the battle. Rule: K.I10.
    """
    for squadron in battle.squadrons.values():
        lost = battle.ships[squadron.flagship]
        if _leads(lost, squadron) or lost.status is Status.EXPECTED:
            continue
        squadron.flag_lost = True
        heirs = [battle.ships[code] for code in squadron.ships if _leads(battle.ships[code], squadron)]
        if not heirs:
            continue
        heir = max(heirs, key=lambda ship: ship.guns)
        lost.is_flagship, heir.is_flagship = False, True
        squadron.flagship = heir.id
        if play.log is not None:
            play.log.add("new_flagship", "K.I10", heir.id, squadron=squadron.id)


def _actors(battle: Battle) -> Iterable[Ship]:
    """Ships that act with a group: afloat, prizes among them, fired fire ships not. Rules: K.I15, K.I16."""
    return [ship for ship in battle.ships.values() if ship.afloat and not ship.fired]


def _leads(ship: Ship, squadron: SquadronState) -> bool:
    """Whether a ship can carry or pass on the orders of her squadron. Rules: K.I9, K.I10."""
    return ship.afloat and not ship.fired and not ship.prize_of and ship.side == squadron.side


def _members(battle: Battle, squadron: SquadronState) -> list[Ship]:
    """Ships of the squadron that still sail under its flag. Rule: K.I9."""
    return [ship for code in squadron.ships if _leads(ship := battle.ships[code], squadron)]
