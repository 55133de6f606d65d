"""The movement step: who moves in what order, which plan each takes, and how it is carried out.

Rules: P.M01, P.M11-P.M19, P.I05, P.I11, P.I14, P.I15, P.I17, P.K47, P.K48, P.L04, P.L10, P.N03.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from battles.engine.rulesets.barker import (
    formations,
    merchants,
    mines,
    neutrals,
    notation,
    passage,
    plans,
    signals,
    submarines,
    temper,
)
from battles.engine.rulesets.barker.courses import Body
from battles.engine.rulesets.barker.movers import Mover
from battles.engine.rulesets.barker.plans import Refused
from battles.engine.rulesets.barker.play import Orders, Plan, Play
from battles.engine.rulesets.barker.state import Battle, Formation, Status, Unit
from battles.engine.rulesets.barker.tables import Type

# In this order groups move unless their owner says otherwise; flotillas last. Rules: P.M01, P.AA21.
_ORDER = {"squadron": 0, "single": 1, "submarines": 2, "merchants": 3, "flotilla": 4}
# Behind all who have a place in the queue for the die. Rule: P.K47.
_UNQUEUED = 1_000


def move(battle: Battle, play: Play) -> None:
    """All units of the speller move, and in the initiative side's spells neutrals too. Rules: P.M01, P.N03."""
    side = battle.speller
    play.sea = None
    play.lying = mines.lying(battle, side)
    formations.gather(battle)
    own = movers(battle, play, side)
    battle.formations = [one for one in battle.formations if battle.units[one.members[0]].side != side]
    for mover in own:
        battle.formations += go(battle, play, mover)
    neutrals.move(battle, play)
    for code in list(play.paths):
        passage.tell_way(play, battle.units[code])
    play.sea = None
    formations.gather(battle)


def movers(battle: Battle, play: Play, side: str) -> list[Mover]:
    """Who moves as one in a spell of a side, in the order in which they move. Rules: P.M01, P.M11, P.K47, P.K48."""
    found: list[Mover] = []
    placed: set[str] = set()
    for one in battle.formations:
        if battle.units[one.members[0]].side == side:
            placed.update(one.members)
            found += split(battle, play, one)
    for unit in battle.units.values():
        if unit.side == side and unit.id not in placed and _is_moved(unit):
            found.append(Mover("loose", [unit], orders=play.ordered(unit.id)))
    place = {code: n for n, code in enumerate(battle.units)}
    group_place = {code: n for n, code in enumerate(battle.groups)}

    def turn(mover: Mover) -> tuple[int, int, int, int]:
        lead = mover.lead
        group = battle.groups.get(lead.group)
        pay = mover.orders.pay if mover.orders is not None else 0
        kind = _ORDER[group.kind] if group is not None else 1
        return kind, group_place.get(lead.group, 0), pay or _UNQUEUED, place[lead.id]

    found.sort(key=turn)
    for mover in found:
        squadron = battle.squadrons.get(mover.lead.squadron)
        mover.character = squadron.character if squadron is not None else 0
        mover.out_of_touch = not all(
            signals.in_touch(battle, unit, play.touch) for unit in mover.units if unit.group == unit.squadron
        )
        mover.turn_off = temper.turn_off(battle, mover)
    return found


def _is_moved(unit: Unit) -> bool:
    """Neutral and disguised vessels hold their own course, and what is fast does not move. Rules: P.N03, P.R01, P.A02."""
    if unit.status is not Status.IN_PLAY or unit.ashore or unit.neutral or unit.disguised or unit.aground:
        return False
    return unit.type is Type.SUB or not unit.submerged


def split(battle: Battle, play: Play, one: Formation) -> Iterator[Mover]:
    """A formation by its orders: who is addressed by herself leaves it, with those that she is told to take along. Rule: P.K47."""
    size = len(one.members)
    calls = [n for n in range(1, size) if _is_called(play.ordered(one.members[n]))] + [size]
    start = 0
    while start < size:
        next_call = next(n for n in calls if n > start)
        order = play.ordered(one.members[start])
        called = start == 0 or start in calls
        end = start + 1 if called and start else next_call
        if called and order is not None and order.with_ is not None:
            end = start + 1
            while end < next_call and one.members[end] in order.with_:
                end += 1
        yield _mover(battle, play, one, start, end)
        start = end


def _is_called(order: Orders | None) -> bool:
    """Whether an order is one by which a member of a formation leaves it; words alone do not part her from it. Rule: P.K47."""
    return order is not None and (bool(order.plans) or order.with_ is not None)


def _mover(battle: Battle, play: Play, one: Formation, start: int, end: int) -> Mover:
    part = one if end - start == len(one.members) else formations.part(battle, one, start, end)
    units = [battle.units[code] for code in part.members]
    kind = part.kind if len(units) > 1 else "loose"
    return Mover(kind, units, list(part.track), play.ordered(part.members[0]))


def go(battle: Battle, play: Play, mover: Mover) -> list[Formation]:
    """One formation or ship makes her move; returns what is in formation afterwards. Rules: P.I14, P.I15, P.I17, P.K48."""
    lead = mover.lead
    if play.frozen or not _is_moved(lead):
        return _formations(battle, mover, mover.body(), [True] * len(mover.units))
    if lead.type is Type.SUB:
        submarines.move(battle, play, lead, mover.orders)
        return []
    if lead.type is Type.FISH:
        merchants.fish(battle, play, lead)
        return []
    group = battle.groups.get(lead.group)
    left = group.left if group is not None else 0

    def passed(plan: Plan, refused: Refused) -> None:
        play.tell("refused", refused.clause, lead.id, token=notation.plan_text(plan), code=refused.code)

    wished = mover.orders.plans if mover.orders is not None else ()
    # What a captain weighed and could not pay is nobody's news.
    plan, points = plans.choose(battle, mover, wished, left, passed if lead.id in play.orders else None)
    if group is not None:
        group.left -= points
    return _carry_out(battle, play, mover, plan)


def _carry_out(battle: Battle, play: Play, mover: Mover, plan: Plan) -> list[Formation]:
    """A plan is carried out whole; who falls out on the way is left behind. Rules: P.K48, P.M06, P.M12-P.M18, P.A03."""
    body = mover.body()
    units: list[Unit | None] = list(mover.units)
    for token in plan:
        there = [unit for unit in units if unit is not None]
        if play.frozen or not there:
            break
        text = notation.token_text(token)
        for unit in there:
            unit.made = (*unit.made, text)
        if token.kind in "RS":
            for unit in there:
                unit.stopped, unit.anchored = token.kind == "S", False
                clause = "P.M17" if unit.stopped else "P.M18"
                play.tell("stopped" if unit.stopped else "restarted", clause, unit.id)
            continue
        if token.kind == "T":
            body.turn_together(token.turn)
        elif token.turn:
            body.turn(token.turn)
        length = plans.length_of(battle, token)
        passage.run(battle, play, body, units, length, compulsory=token.kind == "C")
        if token.kind == "T":
            body, order = plans.formed_anew(body)
            mover.units, units = [mover.units[n] for n in order], [units[n] for n in order]
    for unit in mover.units:
        passage.tell_way(play, unit)
    return _formations(battle, mover, body, [unit is not None for unit in units])


def _formations(battle: Battle, mover: Mover, body: Body, keep: Sequence[bool]) -> list[Formation]:
    """What stays together of those who moved as one. Rules: P.M11, P.M13, P.M15."""
    if body.kind == "loose" or len(keep) < 2:
        return []
    one = Formation(body.kind, tuple(unit.id for unit in mover.units), body.track())
    return list(formations.parts(battle, one, keep, body.head))
