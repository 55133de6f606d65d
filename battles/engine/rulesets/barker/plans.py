"""Plans of movement: whether one is legal as things stand, and what it costs.

Rules: P.I07-P.I17, P.M02-P.M07, P.M12-P.M19, P.M22, P.M24, P.M25, P.L04-P.L06, P.L08, P.Y07, P.Y08, P.W13, P.K38, P.K48.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from battles.engine.core import plane
from battles.engine.core.bases import gap
from battles.engine.core.plane import Box
from battles.engine.rulesets.barker import land, merchants, nip, temper
from battles.engine.rulesets.barker.courses import Body, Pose, behind_front
from battles.engine.rulesets.barker.formations import ABREAST, AHEAD, able, astern, beside, pose
from battles.engine.rulesets.barker.movers import Mover
from battles.engine.rulesets.barker.play import Plan, Token
from battles.engine.rulesets.barker.state import Battle, Unit
from battles.engine.rulesets.barker.tables import (
    BASE_LENGTH,
    BASE_WIDTH,
    CONTACT,
    FREE_MOVE,
    MOVE,
    SLACK,
    Type,
)

# Types that move by one free move, if they like. Rules: P.M25, P.Y07, P.Y08.
OPTIONAL = frozenset({Type.SUB, Type.TRAMP, Type.SAIL})
COMPULSORY = Token("C")
# Rule: P.M07.
MOST_TURN = 9_000
# Why a sailing vessel may not go, without wind and with it. Rules: P.W13, P.Y08.
_WIND = {True: ("order/calm", "P.W13"), False: ("order/upwind", "P.Y08")}
# The least that a ship cut off short to join has to be near. Rule: P.M24.
_JOINED = CONTACT + SLACK


class Refused(Exception):
    """A plan that cannot be made. code: of the refusal; clause: that forbids it."""

    def __init__(self, code: str, clause: str) -> None:
        super().__init__(code)
        self.code, self.clause = code, clause


def has_compulsory(unit: Unit) -> bool:
    """Whether a unit that is not stopped must make a move each own spell. Rules: P.M04, P.M19, P.Y07-P.Y09, P.R06."""
    return not (unit.crippled or unit.ashore or moves_optionally(unit) or unit.type is Type.FISH)


def moves_optionally(unit: Unit) -> bool:
    """Whether it makes one free move or none. A minelayer keeps the moves of its hull. Rules: P.M25, P.Y07, P.Y08, P.R06."""
    return unit.type in OPTIONAL or (unit.type is Type.MINELAYER and unit.moves == 1)


def total(battle: Battle, mover: Mover) -> int:
    """Moves that these may make in a spell: the smallest total among them, a cripple's one. Rules: P.M03, P.M12, P.M19."""
    if mover.lead.crippled:
        return int(battle.options.get("cripple_moves", 1))
    return min(unit.moves for unit in mover.units)


def settled(unit: Unit, plan: Plan, *, stopped: bool) -> Plan:
    """A unit's plan with the compulsory move at its end where that is still due. Rules: P.M04, P.M17, P.M18, P.K47."""
    kinds = [token.kind for token in plan]
    due = has_compulsory(unit) and (not stopped or "R" in kinds)
    return (*plan, COMPULSORY) if due and "C" not in kinds and "S" not in kinds else plan


def cost(battle: Battle, mover: Mover, plan: Plan) -> int:
    """What a settled plan costs. Raises Refused for one that is not legal as things stand. Rules: P.I07-P.I17, P.K48."""
    points = _check_moves(battle, mover, plan, stopped=mover.lead.stopped)
    if any(token.kind == "R" for token in plan) and battle.parties[mover.lead.side].spells < 2:
        if any(unit.anchored for unit in mover.units):
            raise Refused("order/at-anchor", "P.K38")
    on_paper = (
        battle.land
        or battle.shoal
        or mover.character in temper.CHOOSY
        or mover.turn_off >= 0
        or mover.lead.type is Type.SAIL
        or any(token.cut >= 0 or token.kind == "T" for token in plan)
        or not battle.options.get("turn_price_extra", True)
    )
    if on_paper:
        return points + _run_through(battle, mover, plan)
    return points + nip.TURN * sum(token.turn != 0 for token in plan)


def choose(
    battle: Battle,
    mover: Mover,
    plans: Sequence[Plan],
    nips: int,
    passed: Callable[[Plan, Refused], None] | None = None,
) -> tuple[Plan, int]:
    """The first plan that is legal as things stand and that the points left pay in full, and its price; else what is compulsory.

    passed: told of every plan that is passed over. A torpedophobe turns off though nobody planned it. Rules: P.K48, P.I17, P.L04.
    """
    forced: tuple[Plan, int] | None = None
    if mover.turn_off >= 0:
        turning = settled(mover.lead, (Token("P", temper.away(mover)),), stopped=False)
        with suppress(Refused):
            forced = turning, cost(battle, mover, turning)
        if forced is None or forced[1] > nips:
            # He cannot comply.
            mover.turn_off, forced = -1, None
    for plan in plans:
        full = settled(mover.lead, plan, stopped=mover.lead.stopped)
        try:
            points = cost(battle, mover, full)
            if points > nips:
                raise Refused("order/too-dear", "P.I17")
            if forced is not None and not any(token.kind in "PT" for token in full):
                raise Refused("order/torpedo-boats", "P.L04")
        except Refused as refused:
            if passed is not None:
                passed(plan, refused)
            continue
        return full, points
    return forced or (settled(mover.lead, (), stopped=mover.lead.stopped), 0)


def least(battle: Battle, unit: Unit, plan: Plan) -> int:
    """The least that a unit's plan can cost however things stand, whether it lies stopped or not.

    Raises Refused for one that it can never make. Rule: P.K48.
    """
    stopped = any(token.kind == "R" for token in plan)
    points = _check_moves(
        battle, Mover("loose", [unit]), settled(unit, plan, stopped=stopped), stopped=stopped
    )
    return points + nip.TURN * sum(token.turn != 0 for token in plan if token.kind in "PTO")


def numbers(battle: Battle, mover: Mover, plan: Plan) -> list[int]:
    """The number of each paid move: the compulsory is the 1st, an extra free one the 2nd, paid ones take those left.

    Rules: P.I08, P.M19.
    """
    first = 2 + any(token.kind == "X" for token in plan)
    return [first + n for n, token in enumerate(token for token in plan if token.kind in "PT")]


def _check_moves(battle: Battle, mover: Mover, plan: Plan, *, stopped: bool) -> int:
    """The price of the moves, the stop and the restart; turns apart. Rules: P.I07-P.I14, P.M03-P.M07, P.M12, P.M17-P.M19, P.K38."""
    kinds = [token.kind for token in plan]
    points = 0
    if any(abs(token.turn) > MOST_TURN for token in plan if token.kind in "OPT"):
        raise Refused("order/turn-too-wide", "P.M07")
    if "R" in kinds:
        if not stopped or kinds.index("R") or kinds.count("R") > 1:
            raise Refused("order/no-restart", "P.M18")
        points += nip.RESTART
    elif stopped and kinds:
        raise Refused("order/stopped", "P.M18")
    if "S" in kinds:
        if kinds.index("S") != len(kinds) - 1:
            raise Refused("order/after-stop", "P.M17")
        points += nip.STOP
    _check_kinds(battle, mover, kinds)
    for kind in kinds:
        if kind == "X":
            points += max(_price(battle, mover, unit, 2, extra=True) for unit in mover.units)
    for number in numbers(battle, mover, plan):
        points += max(_price(battle, mover, unit, number) for unit in mover.units)
    return points


def _check_kinds(battle: Battle, mover: Mover, kinds: Sequence[str]) -> None:
    """Whether the moves are such as these units may make, and not too many.

    Rules: P.M03, P.M04, P.M05, P.M06, P.M12, P.M19, P.M20, P.M25.
    """
    lead = mover.lead
    if kinds.count("C") > 1 or ("C" in kinds and not has_compulsory(lead)):
        raise Refused("order/no-compulsory", "P.M19" if lead.crippled else "P.M04")
    if "X" in kinds and (
        kinds.count("X") > 1 or lead.crippled or not all(unit.extra_free for unit in mover.units)
    ):
        raise Refused("order/no-extra-free", "P.M05")
    if moves_optionally(lead):
        if any(kind not in "OSRDU" for kind in kinds) or kinds.count("O") > 1:
            raise Refused("order/one-free-move", "P.M25")
    elif set("ODU") & set(kinds):
        raise Refused("order/no-such-move", "P.M25")
    made = sum(kind in "CXPT" for kind in kinds)
    # A stop takes the place of the compulsory move, whose number nobody else gets.
    if "S" in kinds and "C" not in kinds and has_compulsory(lead):
        made += 1
    if made > total(battle, mover) and not moves_optionally(lead):
        raise Refused("order/too-many-moves", "P.M19" if lead.crippled else "P.M03")
    if not battle.options.get("free_move_order", True):
        order = [kind for kind in kinds if kind in "CXPT"]
        if order != sorted(order, key=lambda kind: "CXPT".index(kind) if kind != "T" else 2):
            raise Refused("order/compulsory-first", "P.M06")


def _price(battle: Battle, mover: Mover, unit: Unit, number: int, *, extra: bool = False) -> int:
    """Rules: P.I09-P.I12, P.I14, P.M19."""
    return nip.price(
        number, unit.type, extra_free=extra, rough=battle.rough, obsolete=unit.obsolete, flag_lost=mover.out_of_touch
    )  # fmt: skip


def _run_through(battle: Battle, mover: Mover, plan: Plan) -> int:
    """The price of the turns, found by going through the plan on paper; what the shore, the wind or a commander forbids is refused.

    Rules: P.I13, P.I16, P.M07, P.M15, P.M16, P.M22, P.M24, P.L04-P.L06, P.Y08, P.W13.
    """
    points, body, paid = 0, mover.body(), 0
    last = max((n for n, token in enumerate(plan) if token.kind in "PT"), default=-1)
    shore = bool(battle.land or battle.shoal)
    extra = battle.options.get("turn_price_extra", True)
    for n, token in enumerate(plan):
        if token.kind not in "CXPTO":
            continue
        if token.kind in "PT":
            paid += 1
            if paid == 1 and mover.turn_off >= 0 and not temper.turns_off(mover, token.turn):
                raise Refused("order/torpedo-boats", "P.L04")
        before = list(body.poses)
        if token.turn:
            together = token.kind == "T" or body.kind == "loose"
            charges = len(body.poses) if together else 1
            turning = range(len(body.poses)) if together else [_turning(body, token.turn)]
            if token.kind == "T":
                body.turn_together(token.turn)
            elif body.kind == "loose" and len(body.poses) > 1:
                raise Refused("order/no-formation", "P.M15")
            else:
                body.turn(token.turn)
            points += nip.TURN * charges if extra or token.kind == "T" else 0
        if token.cut >= 0 and n != last:
            raise Refused("order/cut-short", "P.M24")
        length = length_of(battle, token)
        if mover.lead.type is Type.SAIL:
            if not merchants.may_steer(battle, mover.lead, body.poses[0][2]):
                raise Refused(*_WIND[battle.weather == "calm"])
        ways = body.advance(length)
        if shore and token.kind != "C":
            # A line ahead goes where its leader has been.
            for way in ways[:1] if body.kind == AHEAD else ways:
                for at, heading, long in way:
                    if land.first_touch(battle, _box(behind_front(at, heading)), long) is not None:
                        raise Refused("order/aground", "P.M22")
        if token.turn and mover.character in temper.CHOOSY:
            points += sum(temper.disliked(battle, mover, before[m], body.poses[m]) for m in turning)
        if token.kind == "T":
            body, _ = formed_anew(body)
    if last >= 0 and plan[last].cut >= 0 and not _joins(battle, mover, body):
        raise Refused("order/cut-short", "P.M24")
    return points


def length_of(battle: Battle, token: Token) -> int:
    """How far a move goes. Rules: P.M02, P.C07, P.M24."""
    if token.kind in "CXO":
        return FREE_MOVE[battle.mode]
    long = MOVE[battle.mode]
    return min(token.cut, long) if token.cut >= 0 else long


def _turning(body: Body, turn: int) -> int:
    """By whom a turn in succession or a wheel is measured: the leader, the innermost. Rule: P.L08."""
    return len(body.poses) - 1 if body.kind == ABREAST and turn > 0 else 0


def formed_anew(body: Body) -> tuple[Body, list[int]]:
    """After a turn together: the body as the formation that the bases make now, and the old place of each.

    Rules: P.M15, P.M09, P.M10.
    """
    kind, order = formed(body.poses)
    return (body, order) if kind == "loose" else (Body(kind, [body.poses[n] for n in order]), order)


def formed(poses: Sequence[Pose]) -> tuple[str, list[int]]:
    """Whether poses make a line ahead or abreast, and in what order, van or leftmost first; "loose" when neither. Rules: P.M09, P.M10."""
    if len(poses) < 2:
        return "loose", list(range(len(poses)))
    course = poses[0][2]
    sin, cos = plane.unit(course)
    along = sorted(range(len(poses)), key=lambda n: (-(poses[n][0] * sin + poses[n][1] * cos), n))
    if all(astern(poses[a], poses[b]) for a, b in zip(along, along[1:], strict=False)):
        return AHEAD, along
    across = sorted(range(len(poses)), key=lambda n: (poses[n][0] * cos - poses[n][1] * sin, n))
    if all(beside(poses[a], poses[b]) for a, b in zip(across, across[1:], strict=False)):
        return ABREAST, across
    return "loose", list(range(len(poses)))


def _box(at: Pose) -> Box:
    return Box(*at, BASE_LENGTH, BASE_WIDTH)


def _joins(battle: Battle, mover: Mover, body: Body) -> bool:
    """Whether the body comes into contact with a squadron mate, or alongside a vessel that has been stopped. Rules: P.M24, P.N07."""
    own = {unit.id for unit in mover.units}
    for unit in battle.units.values():
        if unit.id in own or not unit.under_way:
            continue
        there = pose(unit)
        if unit.squadron == mover.lead.squadron and able(unit):
            for at in body.poses:
                if astern(there, at) or astern(at, there) or beside(there, at) or beside(at, there):
                    return True
        if unit.neutral and unit.challenged in own:
            if any(gap(_box(at), unit) <= _JOINED for at in body.poses):
                return True
    return False
