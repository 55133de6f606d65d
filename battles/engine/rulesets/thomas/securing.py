"""Steps P5d, P6d and P11f: prizes secured alongside, by boats, or by the ship that boarded them. Rules: T.O6c-T.O6h, T.C13."""

from __future__ import annotations

from battles.engine.core import plane
from battles.engine.rulesets.thomas.contact import alongside
from battles.engine.rulesets.thomas.play import Play
from battles.engine.rulesets.thomas.sailing import sailing_crew
from battles.engine.rulesets.thomas.state import Battle, Ship
from battles.engine.rulesets.thomas.tables import RESCUE_REACH

BOATS_SHARE = 5


def first_secures(battle: Battle, play: Play) -> None:
    """Step P5d: ships of the first side secure prizes within reach. Rules: T.O6d, T.O6f."""
    _secures(battle, play, battle.first)


def second_secures(battle: Battle, play: Play) -> None:
    """Step P6d: ships of the second side do. Rules: T.O6d, T.O6f."""
    _secures(battle, play, battle.second)


def _secures(battle: Battle, play: Play, side: str) -> None:
    if not battle.options["opt_surrender"]:
        return
    for ship in list(battle.of(side)):
        if not ship.fighting or ship.in_a_fight:
            continue
        within = within_reach(battle, ship)
        if within:
            for prize, men in _chosen(play, ship, within):
                secure(battle, play, prize, ship, men, within[prize.id][1])


def within_reach(battle: Battle, ship: Ship) -> dict[str, tuple[Ship, str]]:
    """Prizes a ship could secure now, by id, and how: alongside, or by boats. Rules: T.O6c, T.O6d, T.O6f."""
    touching = {one.id for one in alongside(battle, ship)}
    found: dict[str, tuple[Ship, str]] = {}
    for one in battle.near(ship, max(RESCUE_REACH, 4_000)):
        if not one.struck or one.secured or one.captor_side != ship.flag or _held(battle, one):
            continue
        if one.id in touching:
            found[one.id] = one, "alongside"
        elif (
            plane.within(one.position, ship.position, RESCUE_REACH)
            and 2 * ship.lost < ship.flot_max
            and not one.boats_sent
        ):
            found[one.id] = one, "boats"
    return found


def _held(battle: Battle, prize: Ship) -> bool:
    """Whether a captor stays grappled to a ship taken by boarding, and will secure her so. Rule: T.O6c."""
    return prize.struck_by_boarding and captor_alongside(battle, prize) is not None


def captor_alongside(battle: Battle, prize: Ship) -> Ship | None:
    """The ship that boarded her if still fast, else another of her captor's side that is. Rule: T.O6c."""
    fast = [battle.ships[one.other(prize.id)] for one in prize.grapples]
    mine = [one for one in fast if one.flag == prize.captor_side and one.fighting]
    return next((one for one in mine if one.id == prize.captor_ship), mine[0] if mine else None)


def _chosen(play: Play, ship: Ship, within: dict[str, tuple[Ship, str]]) -> list[tuple[Ship, int]]:
    """Prizes to secure with the men for each: by order, by the captain, else every one with men enough."""
    ordered = play.order(ship).secure
    asked = play.captain(ship)
    if ordered is None and asked is not None:
        ordered = asked.captain.secures(asked.view, ship.id, tuple(within))
    if ordered is None:
        ordered = dict.fromkeys(within, -1)
    return [(within[code][0], men) for code, men in ordered.items() if code in within]


def men_wanted(prize: Ship) -> int:
    """Men it takes to guard her people and sail her: a fifth of them and a hundredth of her tons, up. Rule: T.O6h."""
    return -(-(20 * prize.crew + prize.tons) // 100)


def secure(battle: Battle, play: Play, prize: Ship, by: Ship, men: int, way: str) -> None:
    """Put a prize crew aboard a ship that struck; one taken back by her own side has her people again.

    men: -1 for as many as she wants, never taking the sender below her sailing crew. Boats carry a fifth of the crew.
    Rules: T.O6d, T.O6f, T.O6g, T.O6h, T.O6i, T.C13.
    """
    most = by.crew // BOATS_SHARE if way == "boats" else by.crew
    if men < 0:
        men = max(0, min(men_wanted(prize), by.crew - sailing_crew(by)))
    men = min(men, most)
    prize.boats_sent |= way == "boats"
    by.crew_halves -= 2 * men
    prize.struck = prize.struck_by_boarding = False
    prize.captives_tried = False
    if by.flag in (prize.flag, prize.side):
        _bring_back(prize, by, 2 * men)
        play.tell("retaken", "T.O6i", prize.id, by=by.id, why=way, side=by.flag)
    else:
        _put_aboard(prize, by, 2 * men)
        play.tell("secured", "T.O6g", prize.id, by=by.id, men=2 * men, captives=prize.captive_halves, way=way)
    for one in list(prize.grapples):
        if battle.ships[one.other(prize.id)].flag == prize.flag:
            battle.unfasten(one)


def _bring_back(prize: Ship, by: Ship, halves: int) -> None:
    """Men join those who had her: her prize crew if the enemy never held her, else her own people, his guard now captives."""
    prize.captor_side = prize.captor_ship = ""
    if by.flag == prize.flag and prize.prize_of:
        prize.guard_halves, prize.secured = prize.guard_halves + halves, True
        return
    if prize.prize_of:
        prize.crew_halves, prize.captive_halves = prize.captive_halves, prize.guard_halves
    prize.crew_halves += halves
    prize.guard_halves, prize.prize_of, prize.guard_from, prize.secured = 0, "", "", False


def _put_aboard(prize: Ship, by: Ship, halves: int) -> None:
    """Her people are captives, friends among her captives are free and join the prize crew. Rules: T.O6g, T.O6i.

    A prize that her captors had with them from the start is lost to those under whose colours she came, guard and all.
    """
    guard = prize.guard_halves
    prize.guard_halves = halves + prize.captive_halves
    prize.captive_halves, prize.crew_halves = prize.crew_halves + guard, 0
    prize.prize_of, prize.guard_from, prize.secured = by.flag, by.id, True
    prize.captor_side, prize.captor_ship = by.flag, by.id


def boarded_prizes(battle: Battle, play: Play) -> None:
    """Step P11f: a captor that stayed grappled through the move after the surrender secures her prize. Rule: T.O6c."""
    for prize in list(battle.afloat()):
        if not prize.struck_by_boarding or prize.secured or battle.move <= prize.struck_move:
            continue
        captor = captor_alongside(battle, prize)
        if captor is not None:
            secure(battle, play, prize, captor, -1, "boarding")
