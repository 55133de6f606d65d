"""Units, hulls, squadrons and groups from the bases of a scenario. Rules: P.S14-P.S20, P.K25, P.K32, P.K36, P.K38."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from battles.engine.core.crews import complement
from battles.engine.core.parties import squadrons_of
from battles.engine.core.scenario import Scenario
from battles.engine.rulesets.barker.card import Card
from battles.engine.rulesets.barker.kinds import KINDS
from battles.engine.rulesets.barker.layout import is_anchored, is_flotilla
from battles.engine.rulesets.barker.pairs import Base, Member
from battles.engine.rulesets.barker.state import BarkerSquadron, Group, Hull, Status, Unit
from battles.engine.rulesets.barker.tables import BOATS, CRUISERS, MERCHANTS, Type

Options = Mapping[str, Any]
_DISGUISED = frozenset({Type.RAIDER_L, Type.RAIDER_T, Type.MINELAYER})


def unit(base: Base, year: int, options: Options, number: int) -> Unit:
    """A base as it comes to the battle, not yet in place. number: for the contact number of a disguised one."""
    first, prize = base.first, base.first.ship.prize
    card, row, now = first.card, KINDS[base.type], base.worse
    disguised = base.type in _DISGUISED and not prize
    side = first.side.id
    moves = row.moves if base.type is not first.card.kind else card.moves
    if base.type is Type.C3:
        moves = options["moves_c3"]
    if prize:
        moves = KINDS[Type.TRANSPORT].moves
    return Unit(
        id=first.ship.id,
        name=" and ".join(member.ship.name for member in base.members),
        side=side,
        squadron="" if prize else first.squadron.id,
        group=_group(base, side),
        nation=first.ship.facts.nation,
        type=base.type,
        hulls=tuple(member.ship.id for member in base.members),
        sp2=0 if prize else sum(own_sp2(member.card, options) for member in base.members),
        moves=moves,
        extra_free=card.extra_free and not prize,
        obsolete=card.obsolete or base.type is Type.TB,
        signal_miles=row.signal_miles,
        rank=row.rank,
        wt=0 < card.wt_from <= year and base.type is card.kind,
        searchlight=row.searchlight if base.type is not card.kind else card.searchlight,
        deep=card.deep,
        damage=now.damage,
        crippled=now.crippled,
        came_damage=now.damage,
        came_crippled=now.crippled,
        disguised=disguised,
        contact=f"Vessel {number}" if disguised else "",
        prize=prize,
        prize_of=side if prize else "",
        anchored=is_anchored(base),
        stopped=is_anchored(base),
        status=Status.EXPECTED,
    )


def own_sp2(card: Card, options: Options) -> int:
    """Twice the SP of one hull, by the scenario's own table where it has one. Rules: P.S13, P.K25."""
    points = options["sp_table"].get(card.type)
    if points is None:
        return card.sp2
    return int(points) if card.obsolete or card.kind in BOATS else 2 * int(points)


def _group(base: Base, side: str) -> str:
    """Whose die it uses; an armed merchant cruiser is with the merchants until it acts. Rules: P.S20, P.I02-P.I04, P.K32."""
    if base.first.ship.prize or base.type in MERCHANTS or base.type is Type.AMC:
        return f"merchants/{side}"
    if base.type is Type.SUB:
        return f"submarines/{side}"
    return base.first.ship.id if base.type in _DISGUISED else base.first.squadron.id


def hulls(base: Base, made: Unit, options: Options) -> Iterator[Hull]:
    """The ships on a base."""
    for member in base.members:
        yield _hull(member, made, options)


def _hull(member: Member, made: Unit, options: Options) -> Hull:
    ship = member.ship
    whole = (
        ship.complement
        if ship.complement is not None
        else complement(ship.facts, year=ship.facts.year_served)[0]
    )
    return Hull(
        id=ship.id,
        name=ship.name,
        side=member.side.id,
        squadron=member.squadron.id,
        unit=made,
        entered=member.condition.to_dict(),
        own_sp2=0 if ship.prize else own_sp2(member.card, options),
        complement=whole,
        men=ship.men if ship.men is not None else whole,
        captain=ship.captain,
    )


def squadrons(scenario: Scenario, ships: Mapping[str, Hull]) -> dict[str, BarkerSquadron]:
    """Squadrons and flotillas, each with its Flag or Captain (D) where it has one who fights. Rules: P.S14, P.S16, P.S17, P.K36."""
    found = squadrons_of(scenario, BarkerSquadron)
    for side in scenario.sides:
        for row in side.squadrons:
            made = found[row.id]
            made.flotilla = is_flotilla(row)
            own = [unit for unit in dict.fromkeys(ships[code].unit for code in made.ships) if not unit.prize]
            made.flagship = _flag(made, own, ships[row.flagship].unit)
    return found


def _flag(squadron: BarkerSquadron, own: Sequence[Unit], wished: Unit) -> str:
    """Captain (D) has his flag in the scout; a Flag is where the scenario puts it, if that is a ship that leads. Rules: P.S14, P.S17."""
    if squadron.flotilla:
        scout = next((unit for unit in own if unit.type is Type.SC), None)
        return (scout or (wished if wished in own else own[0])).id
    leads = [unit for unit in own if unit.type in CRUISERS | {Type.BB, Type.SC}]
    return wished.id if wished in leads else leads[0].id if leads else ""


def groups(units: Iterable[Unit], squadrons: Mapping[str, BarkerSquadron]) -> dict[str, Group]:
    """Who throws which NIP die, squadrons in list order, then merchants, submarines and single ships. Rules: P.S20, P.Z06."""
    rows = list(units)
    found = {
        code: Group(code, row.side, "flotilla" if row.flotilla else "squadron")
        for code, row in squadrons.items()
        if any(unit.group == code for unit in rows)
    }
    for kind in ("merchants", "submarines"):
        for unit in rows:
            if unit.group == f"{kind}/{unit.side}":
                found.setdefault(unit.group, Group(unit.group, unit.side, kind))
    for unit in rows:
        if unit.type in _DISGUISED | {Type.AMC} and not unit.prize:
            found.setdefault(unit.id, Group(unit.id, unit.side, "single"))
    return found
