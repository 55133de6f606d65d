"""The commander, who plays by default: lines, ranges, torpedo craft in hand, cripples covered. Rules: AA01-AA28."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from battles.engine.core import plane
from battles.engine.core.plane import Point
from battles.engine.core.scenario import Doctrine, Stance
from battles.engine.rulesets.barker import arcs
from battles.engine.rulesets.barker.captain import (
    errands,
    flotillas,
    guns,
    line,
    odds,
    others,
    posture,
    words,
)
from battles.engine.rulesets.barker.captain.line import Wish
from battles.engine.rulesets.barker.captain.posture import Posture
from battles.engine.rulesets.barker.captain.scene import Scene, of
from battles.engine.rulesets.barker.play import Orders
from battles.engine.rulesets.barker.state import Unit
from battles.engine.rulesets.barker.tables import BOATS, CRUISERS, MERCHANTS, YARD, Phase, Type
from battles.engine.rulesets.barker.view import View

# Wished ranges in yards to the enemy's nearest heavy ship, by posture, and by what the instructions ask. Rules: AA03, P.K49.
RANGES = {Posture.ATTACK: 2_800, Posture.EVEN: 3_200, Posture.EDGE_HOME: 4_400, Posture.WITHDRAW: 9_000}
CLOSE, LONG = 1_400, 4_200
# Dark ships are seen no farther. Rule: P.V05.
BY_NIGHT = 1_000
# In the dark heavy ships leave the field to the torpedo craft, unless they are told to fight close. Rule: AA03.
STANDS_OFF = 6_000
# Who is outmatched keeps so many yards out of the reach of guns. Rules: AA03, AA27.
_MARGIN = 1_600
# Who holds stirs for an enemy so many yards beyond the reach of guns, and does not chase. Rule: P.K49.
_HOLDS = 8_000
# EXTREME is held so many yards inside its limit.
_INSIDE = 700
# Wished ranges beyond this are EXTREME, where many a ship is hit and cannot answer.
LONGEST_ANSWER = arcs.LONG // YARD
# Ships so near one another fight together.
_TOGETHER = 6_000 * YARD
# Weights of what is dealt and suffered, in hundredths. Rule: AA02.
_WEIGHTS = {
    Posture.ATTACK: (115, 90), Posture.EVEN: (100, 100), Posture.EDGE_HOME: (90, 110), Posture.WITHDRAW: (60, 120),
}  # fmt: skip
_REJOIN = 4_000
_SCOUTS = frozenset({Type.C2, Type.C3, Type.SC})
_LIGHT = frozenset({Type.C2, Type.C3, Type.SC, Type.AMC, Type.RAIDER_L, Type.RAIDER_T})


class Commander:
    """The captain that plays by default."""

    name = "commander"

    def __init__(self, doctrine: Doctrine) -> None:
        self.doctrine = doctrine

    def orders(self, view: View, given: Mapping[str, Orders]) -> Mapping[str, Orders]:
        """Plans for every formation and ship of his that has none. Rules: AA02-AA07, AA10-AA14, AA18, AA22-AA25."""
        given = moved_by_players(given)
        scene = Scene(view)
        stands = posture.of(view)
        found: dict[str, Orders] = {}
        bodies = list(_bodies(view, given))
        found.update(others.cripples(scene, [members[0] for members, _ in bodies if members[0].crippled]))
        lines = [body for body in bodies if not body[0][0].crippled]
        for members, kind in lines:
            leader = members[0]
            if leader.aground or leader.ashore or leader.submerged or leader.neutral or leader.disguised:
                continue
            if _lies_at_anchor(view, leader):
                found[leader.id] = Orders(plans=((),))
                continue
            if leader.type is Type.SUB or leader.type in MERCHANTS or leader.prize:
                found.update(others.of_train(scene, leader))
                continue
            group = view.group(leader)
            nips = group.nip if group is not None else 1
            if all(unit.type in BOATS for unit in members):
                wish = flotillas.wish(scene, members, _told(view, leader, stands))
            else:
                wish = _wish(scene, members, _told(view, leader, stands), lines)
            plans = line.plans(scene, members, kind, wish, nips)
            found[leader.id] = Orders(plans=plans, pay=2 if len(members) > 1 else 3)
            line.announce(scene, members, plans[0])
        found.update(others.boats_below(scene))
        return {code: order for code, order in words.added(view, found).items() if code not in given}

    def wish(self, view: View) -> Mapping[str, Sequence[str]]:
        """His posture, to every squadron. Rules: P.G13, AA02."""
        word = posture.of(view).name.lower()
        return {squadron.id: (word,) for squadron in view.squadrons()}

    def targets(self, view: View, unit: Unit, legal: Sequence[tuple[str, str]]) -> Sequence[tuple[str, str]]:
        """Rules: AA08, AA09, AA11."""
        return guns.choose(view, unit, legal, hold=not flotillas.desperate(view, unit))

    def lights(self, view: View) -> Mapping[str, str]:
        """Rule: AA15."""
        return guns.lights(view)

    def squadrons(self, view: View, waiting: Sequence[str]) -> str:
        """Rule: AA08."""
        return guns.squadron(view, waiting)


def moved_by_players(given: Mapping[str, Orders]) -> Mapping[str, Orders]:
    """Those of some orders that leave no movement to a captain. Rule: P.K47."""
    return {code: order for code, order in given.items() if order.plans or order.with_ is not None}


Body = tuple[list[Unit], str]


def _bodies(view: View, given: Mapping[str, Orders]) -> Iterator[Body]:
    """His formations and then his ships in none, leaders that players command left out."""
    units = {unit.id: unit for unit in view.own()}
    formed: set[str] = set()
    for formation in view.formations():
        members = [units[code] for code in formation.members if code in units and code not in given]
        if members and formation.members[0] not in given:
            formed.update(unit.id for unit in members)
            yield members, formation.kind if len(members) > 1 else ""
    for unit in units.values():
        if unit.id not in formed and unit.id not in given:
            yield [unit], ""


def _told(view: View, leader: Unit, stands: Posture) -> Posture:
    """The posture of a squadron: what its own instructions say, else the admiral's, or what it last heard of it where signals are played.

    Rules: P.K49, P.G13.
    """
    if view.doctrine_of(leader).stance is Stance.AVOID:
        return Posture.WITHDRAW
    heard = view.heard(leader.squadron)
    return Posture[heard[0].upper()] if heard else stands


def _wish(scene: Scene, members: Sequence[Unit], stands: Posture, lines: Sequence[Body]) -> Wish:
    """What a body of ships with guns is to do. Rules: AA02, AA03, AA05, AA22, AA26, AA27."""
    view = scene.view
    deal, take = _WEIGHTS[stands]
    among = scene.heavy()
    leader = members[0]
    goal, station = None, 0
    if stands is Posture.WITHDRAW:
        goal = scene.refuge(leader)
    elif view.doctrine_of(leader).stance is Stance.HOLD and not scene.near(of(leader), _HOLDS):
        among = []
    elif not among:
        goal, station = _search(scene, members, lines)
    else:
        goal, station = _mates(members, lines)
        errand = _errand(scene, members, stands, lines) if goal is None else None
        if errand is not None:
            goal, station = errand
    wanted, care = _range(scene, members, stands, among)
    return Wish(
        wanted,
        tuple(among),
        goal,
        deal,
        take,
        leave=stands is Posture.WITHDRAW,
        station=station,
        range_weight=care,
        engage=care == 100 and stands >= Posture.EVEN,
        share=_share(scene, members),
    )


def _lies_at_anchor(view: View, unit: Unit) -> bool:
    """Whether ships stay at anchor: in the dark, and as long as no heavy ship of the enemy is in sight. Rule: AA27."""
    if not unit.anchored:
        return False
    heavy = any(foe.type is Type.BB or foe.type in CRUISERS for foe in view.foes())
    return view.phase is Phase.NIGHT or not heavy


def _search(scene: Scene, members: Sequence[Unit], lines: Sequence[Body]) -> errands.Errand:
    """Where a body goes with no enemy in sight: scouts ahead while cruising, others to where he is looked for. Rule: AA22."""
    view = scene.view
    if not scene.combat:
        scouts = [body[0] for body, _ in lines if all(unit.type in _SCOUTS for unit in body)]
        ahead = errands.scouting(view, members, scouts)
        if ahead is not None:
            return ahead
    return others.search(view, members[0]), 0


def _errand(
    scene: Scene, members: Sequence[Unit], stands: Posture, lines: Sequence[Body]
) -> errands.Errand | None:
    """What a body has to do besides fighting at its range: cover ships, keep company. Rules: AA13, P.K49."""
    view = scene.view
    told_off = errands.guards_by_cruisers([body for body, _ in lines])
    if told_off is members[0]:
        found = errands.guard(scene, members)
        if found is not None:
            return found
    if stands >= Posture.EVEN and not _light(members):
        return errands.cover(scene, members) or errands.company(view, members)
    return None


def _light(members: Sequence[Unit]) -> bool:
    return 2 * sum(unit.type in _LIGHT for unit in members) > len(members)


def _range(scene: Scene, members: Sequence[Unit], stands: Posture, among: Sequence[int]) -> tuple[int, int]:
    """The range that a body wishes, and how much it cares, in hundredths. Rules: AA03, AA27, P.K49."""
    view = scene.view
    if stands is Posture.WITHDRAW:
        return RANGES[stands], 0
    if among and _outmatched(scene, members, among):
        return arcs.reach(view.year) // YARD + _MARGIN, 300
    fight_at = view.doctrine_of(members[0]).fight_at
    if any(unit in errands.wards(view) for unit in members):
        return arcs.reach(view.year) // YARD + _MARGIN, 300
    if view.phase is Phase.NIGHT:
        return (BY_NIGHT, 100) if fight_at == "close" else (STANDS_OFF, 300)
    if fight_at == "close":
        return CLOSE, 100
    if fight_at == "long":
        return LONG, 100
    best = _best(scene, members, stands, among)
    if best > LONGEST_ANSWER and not _answers(scene, members, among):
        return arcs.reach(view.year) // YARD + _MARGIN, 300
    return best, 100


def _best(scene: Scene, members: Sequence[Unit], stands: Posture, among: Sequence[int]) -> int:
    """The range at which broadsides deal most more than they take, LONG when it is all the same. Rule: AA03."""
    deal, take = _WEIGHTS[stands]
    mates = [unit for unit in scene.guns if plane.within(unit.at, members[0].at, _TOGETHER)] or list(members)
    if not among:
        return RANGES[stands]
    rows = [scene.values(unit)[n] for unit in mates for n in among]
    ours, theirs = len(mates), len(among)
    best, found = None, 0
    for band, yards in ((2, RANGES[stands]), (3, arcs.reach(scene.view.year) // YARD - _INSIDE), (1, CLOSE)):
        dealt = sum(row.mine.full[band] for row in rows) // theirs
        taken = sum(row.his.full[band] for row in rows) // ours
        if best is None or dealt * deal - taken * take > best:
            best, found = dealt * deal - taken * take, yards
    return found


def _answers(scene: Scene, members: Sequence[Unit], among: Sequence[int]) -> bool:
    """Whether a body's own shots are worth half of what they draw at EXTREME. Rule: AA03."""
    rows = [scene.values(unit)[n] for unit in members for n in among]
    return 2 * sum(row.mine.full[3] for row in rows) >= sum(row.his.full[3] for row in rows)


def _outmatched(scene: Scene, members: Sequence[Unit], among: Sequence[int]) -> bool:
    """Whether a body would have to fight the enemy's nearest ships without help enough: light ships before battleships, or too few.

    Rules: AA03, AA27.
    """
    leader = members[0]
    foe = min((scene.foes[n] for n in among), key=lambda one: (plane.distance(one.at, leader.at), one.id))
    theirs = [scene.foes[n] for n in among if plane.within(scene.foes[n].at, foe.at, _TOGETHER)]
    mates = [
        unit
        for unit in scene.own
        if not unit.torpedo_craft and unit.warship and plane.within(unit.at, leader.at, _TOGETHER)
    ]
    light = _light(members)
    if (
        light
        and any(one.type is Type.BB for one in theirs)
        and any(unit.type is Type.BB for unit in scene.own)
    ):
        return True
    own = sum(odds.strength(unit) for unit in (mates if not light else members))
    return 5 * own < 3 * sum(odds.strength(one) for one in theirs) and len(mates) < len(scene.guns)


def _share(scene: Scene, members: Sequence[Unit]) -> int:
    """Which part of the enemy's fire a body has to reckon with, in hundredths: he fires each shot once."""
    guns = sum(unit.type is Type.BB or unit.type in CRUISERS for unit in scene.own)
    return min(100, 150 * len(members) // max(1, guns))


def _mates(members: Sequence[Unit], lines: Sequence[Body]) -> tuple[Point | None, int]:
    """A ship alone makes for the rear of her squadron's longest line, if that is near. Rule: AA21, close a gap, rejoin."""
    leader = members[0]
    mates = [
        body
        for body, _ in lines
        if body[0].squadron == leader.squadron and body is not members and len(body) > len(members)
    ]
    if not mates or len(members) > 2:
        return None, 0
    rear = max(mates, key=len)[-1]
    if not plane.within(leader.at, rear.at, _REJOIN * YARD):
        return None, 0
    return plane.advance(rear.at, rear.h, -400 * YARD), 400
