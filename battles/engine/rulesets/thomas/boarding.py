"""Steps P5a, P5c and their like in P6: grapples, boarding fights, cutting loose, capture. Rules: T.B12-T.B12q, T.O6j."""

from __future__ import annotations

from battles.engine.rulesets.thomas import melee, movement
from battles.engine.rulesets.thomas.contact import alongside
from battles.engine.rulesets.thomas.melee import Result
from battles.engine.rulesets.thomas.play import Play
from battles.engine.rulesets.thomas.sailing import enough_hands
from battles.engine.rulesets.thomas.state import Battle, Grapple, Ship
from battles.engine.rulesets.thomas.tables import CUTS_FROM, GRAPPLES_FROM

BOARD, CUT = "board", "cut"


def first_fights(battle: Battle, play: Play) -> None:
    """Step P5a: fights going on have their round; the first side, fast but not fighting, boards, cuts or holds. Rule: T.B12l."""
    battle.moving = battle.first
    _part_friends(battle)
    for one in list(battle.grapples):
        if one in battle.grapples and one.attacker and one.fought < battle.move:
            _fight(battle, play, one)
    _idle(battle, play, battle.first)


def second_fights(battle: Battle, play: Play) -> None:
    """Step P6a: the second side, if still fast, has the same choice; no round is fought twice. Rule: T.B12l."""
    battle.moving = battle.second
    _idle(battle, play, battle.second)


def first_boards(battle: Battle, play: Play) -> None:
    """Step P5c: ships of the first side in contact try to grapple; those who do fight at once. Rules: T.B12, T.B12b."""
    _boards(battle, play, battle.first)


def second_boards(battle: Battle, play: Play) -> None:
    """Step P6c: the same for the second side. Rules: T.B12, T.B12b."""
    _boards(battle, play, battle.second)


def fight_out(battle: Battle, play: Play) -> None:
    """After the last move: fights that go on have round after round until someone gives way; no one parts by choice. Rule: T.C19."""
    _part_friends(battle)
    while any(one.attacker for one in battle.grapples):
        fought: list[Grapple] = []
        for one in list(battle.grapples):
            if one in battle.grapples and one.attacker and one not in fought:
                fought += _fight(battle, play, one, to_the_end=True)


def _part_friends(battle: Battle) -> None:
    """Ships of one flag have nothing to fight over: one of them changed hands while they were fast. Rules: T.B12, T.O6m."""
    for one in list(battle.grapples):
        if battle.ships[one.a].flag == battle.ships[one.b].flag:
            battle.unfasten(one)


def _idle(battle: Battle, play: Play, side: str) -> None:
    """Ships of a side that are fast to an enemy with no fight going on. Rules: T.B12l, T.B12k."""
    for ship in list(battle.of(side)):
        for one in list(ship.grapples):
            other = battle.ships[one.other(ship.id)]
            free = one in battle.grapples and not one.attacker and one.fought < battle.move
            if not free or other.flag == side or ship.struck or other.struck:
                continue
            way = _way(play, ship, other)
            if way == BOARD and _may_board(battle, ship):
                one.attacker = ship.id
                _fight(battle, play, one)
            elif way == CUT:
                _cut(battle, play, ship, one)


def _way(play: Play, ship: Ship, other: Ship) -> str:
    ordered = play.order(ship).alongside
    if ordered is not None:
        return ordered
    asked = play.captain(ship)
    return "hold" if asked is None else asked.captain.alongside(asked.view, ship.id, other.id)


def _may_board(battle: Battle, ship: Ship) -> bool:
    """Whether she may grapple or board: not struck, no prize, not afire, with men enough to sail. Rules: T.B12b, T.O6i."""
    return ship.fighting and not ship.on_fire and enough_hands(battle, ship) and ship.hands > 0


def _boards(battle: Battle, play: Play, side: str) -> None:
    """All throws for grapples of a side, then the new fights. Rules: T.B12a, T.B12b, T.N4."""
    made: list[Grapple] = []
    for ship in list(battle.of(side)):
        if ship.grapple_tried or not _may_board(battle, ship):
            continue
        target = _prey(battle, play, ship)
        if target is None:
            continue
        ship.grapple_tried = ship.has_fired = True
        die = play.dice.d6(clause="T.B12b", subjects=(battle.move, ship.id), reason=f"grapples {target.id}")
        play.tell("grapple", "T.B12b", ship.id, target=target.id, made=die >= GRAPPLES_FROM)
        if die >= GRAPPLES_FROM:
            one = battle.fasten(ship, target)
            one.attacker = ship.id
            made.append(one)
            _rise_beside(battle, play, ship, target)
    for one in made:
        if one in battle.grapples and one.attacker and one.fought < battle.move:
            _fight(battle, play, one)


def _prey(battle: Battle, play: Play, ship: Ship) -> Ship | None:
    """Whom of those in contact she tries to grapple. Rules: T.B12a, T.B12b."""
    enemies = {
        other.id: other
        for other in alongside(battle, ship)
        if other.flag != ship.flag
        and (other.secured or not other.struck)
        and ship.grapple_with(other.id) is None
    }
    if not enemies:
        return None
    ordered = play.order(ship).board
    if ordered is not None:
        return next((enemies[code] for code in ordered if code in enemies), None)
    asked = play.captain(ship)
    return None if asked is None else enemies.get(asked.captain.boards(asked.view, ship.id, tuple(enemies)))


def parties(battle: Battle, one: Grapple) -> tuple[list[Ship], list[Ship]]:
    """Attackers and defenders of the fight that a grapple belongs to: all who are linked to it by fights.

    The side that boarded first attacks. The ships of this grapple come first, the others in ascending order. Rule: T.B12n.
    """
    links = [one]
    codes = {one.a, one.b}
    grown = True
    while grown:
        more = [
            other
            for other in battle.grapples
            if other.attacker and other not in links and (other.a in codes or other.b in codes)
        ]
        links += more
        codes |= {code for other in more for code in (other.a, other.b)}
        grown = bool(more)
    first = min(links, key=lambda link: (link.formed, battle.grapples.index(link)))
    side = battle.ships[first.attacker].flag
    head = {one.a, one.b}
    ordered = sorted(codes, key=lambda code: (code not in head, code))
    ships = [battle.ships[code] for code in ordered]
    return [ship for ship in ships if ship.flag == side], [ship for ship in ships if ship.flag != side]


def _fight(battle: Battle, play: Play, one: Grapple, *, to_the_end: bool = False) -> list[Grapple]:
    """One round of the fight that a grapple belongs to, and what comes of it; returns the grapples it was fought over.

    to_the_end: after the battle, with every man, and no one parts by choice. Rules: T.B12d-T.B12l, T.B12n, T.C19.
    """
    attackers, defenders = parties(battle, one)
    links = _links(battle, attackers, defenders)
    for ship in (*attackers, *defenders):
        ship.gunners = 0 if to_the_end else _gunners(battle, play, ship)
    for link in links:
        link.fought = battle.move
    result = melee.round_of(battle, play, attackers, defenders)
    if result is Result.DEFENDER:
        for link in links:
            link.attacker = ""
        for ship in defenders:
            capture(battle, play, ship, attackers)
    elif result is Result.ATTACKER or (not to_the_end and _withdraw(play, attackers, defenders)):
        for link in links:
            link.attacker = ""
        if not to_the_end:
            for link in links:
                _repelled(battle, play, link, defenders)
    for ship in (*attackers, *defenders):
        if not ship.in_a_fight:
            ship.gunners = 0
    return links


def _links(battle: Battle, attackers: list[Ship], defenders: list[Ship]) -> list[Grapple]:
    here, there = {ship.id for ship in attackers}, {ship.id for ship in defenders}
    return [
        one
        for one in battle.grapples
        if (one.a in here and one.b in there) or (one.b in here and one.a in there)
    ]


def _gunners(battle: Battle, play: Play, ship: Ship) -> int:
    """Men kept at the guns in this round, at most one for each battery left. Rules: T.O5c, T.O6i."""
    if not battle.options["opt_crews"] or ship.prize_of:
        return 0
    ordered = play.order(ship).gunners
    asked = play.captain(ship)
    if ordered is None:
        ordered = 0 if asked is None else asked.captain.gunners(asked.view, ship.id)
    return max(0, min(ordered, len(ship.standing()), ship.hands))


def _withdraw(play: Play, attackers: list[Ship], defenders: list[Ship]) -> bool:
    """Whether the boarders break off a fight that would go on; without a captain, when outnumbered over three to two.

    Rule: T.B12j and section 12.
    """
    leader, enemy = attackers[0], defenders[0]
    ordered = play.order(leader).withdraw
    if ordered is None:
        asked = play.captain(leader)
        if asked is not None:
            ordered = asked.captain.withdraws(asked.view, leader.id, enemy.id)
        else:
            ordered = 2 * melee.strength(defenders) > 3 * melee.strength(attackers)
    if ordered:
        play.tell("withdrew_boarders", "T.B12j", leader.id, target=enemy.id)
    return ordered


def _repelled(battle: Battle, play: Play, link: Grapple, defenders: list[Ship]) -> None:
    """A defender who has repelled boarders may throw at once to cut their grapples. Rule: T.B12k."""
    ship = next(one for one in defenders if one.id in (link.a, link.b))
    other = battle.ships[link.other(ship.id)]
    ordered = play.order(ship).cut
    if ordered is None:
        asked = play.captain(ship)
        ordered = asked is None or asked.captain.cuts(asked.view, ship.id, other.id)
    if ordered:
        _cut(battle, play, ship, link)


def _cut(battle: Battle, play: Play, ship: Ship, link: Grapple) -> None:
    """Throw to cut the grapples, once a move; a ship whose own step is past moves now, if she has not moved.

    Rules: T.B12k, T.B12l.
    """
    other = battle.ships[link.other(ship.id)]
    if link.loosed == battle.move:
        return
    link.loosed = battle.move
    again = play.again("cut", ship.id, other.id)
    subjects = (battle.move, ship.id, other.id, again) if again else (battle.move, ship.id, other.id)
    die = play.dice.d6(clause="T.B12k", subjects=subjects, reason="cuts the grapples")
    play.tell("cut", "T.B12k", ship.id, target=other.id, made=die >= CUTS_FROM)
    if die < CUTS_FROM:
        return
    battle.unfasten(link)
    play.tell("loose", "T.B12k", ship.id, target=other.id, why="cut")
    for one in (ship, other):
        if battle.stepped(one):
            movement.move(battle, play, one)


def capture(battle: Battle, play: Play, ship: Ship, captors: list[Ship]) -> None:
    """A ship taken by boarding has struck to the attacker; without rules of surrender she changes sides and drifts.

    Rules: T.B12i, T.B12p, T.O6, T.O6c.
    """
    captor = max(
        (one for one in captors if one.grapple_with(ship.id)),
        key=lambda one: melee.fighters(one),
        default=captors[0],
    )
    play.tell("struck", "T.B12p", ship.id, to=captor.flag, by=captor.id, why="boarded")
    ship.captor_side, ship.captor_ship = captor.flag, captor.id
    if battle.options["opt_surrender"]:
        ship.struck = ship.struck_by_boarding = True
        ship.struck_move = battle.move
        ship.secured = False
        return
    ship.prize_of = "" if captor.flag == ship.side else captor.flag
    ship.secured = bool(ship.prize_of)
    if ship.prize_of:
        ship.captive_halves, ship.crew_halves = ship.captive_halves + ship.crew_halves, 0
    else:
        ship.crew_halves, ship.captive_halves = ship.captive_halves, 0
    ship.guard_halves = 0
    for link in list(ship.grapples):
        battle.unfasten(link)


def _rise_beside(battle: Battle, play: Play, boarder: Ship, enemy: Ship) -> None:
    """Crews the enemy took by boarding and has not secured may dishonour themselves and fight beside a friend who grapples in.

    By default where together they outnumber the captors. Rule: T.O6j.
    """
    for link in enemy.grapples:
        taken = battle.ships[link.other(enemy.id)]
        if not (
            taken.struck_by_boarding and not taken.secured and taken.struck and taken.flag == boarder.flag
        ):
            continue
        ordered = play.order(taken).join
        asked = play.captain(taken)
        if ordered is None and asked is not None:
            ordered = asked.captain.joins(asked.view, taken.id)
        if ordered is None:
            ordered = taken.hands + boarder.hands > enemy.hands
        if ordered:
            taken.struck = taken.struck_by_boarding = False
            taken.dishonoured = True
            taken.captor_side = taken.captor_ship = ""
            link.attacker = taken.id
            play.tell("joined", "T.O6j", taken.id, beside=boarder.id)
