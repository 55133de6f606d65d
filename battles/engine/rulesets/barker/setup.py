"""From a scenario to a battle: bases, squadrons, groups, the hour, wind and weather, and everyone in place. Rules: P.Z05, P.K36, P.K42."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from battles.engine.core.dice import Dice
from battles.engine.core.log import Log
from battles.engine.core.parties import sides_of
from battles.engine.core.scenario import Scenario, Strength
from battles.engine.rulesets.barker import (
    characters,
    clock,
    formations,
    layout,
    light,
    minefields,
    modes,
    sight,
    table_setup,
    units,
    weather_dice,
)
from battles.engine.rulesets.barker.kinds import KINDS
from battles.engine.rulesets.barker.layout import Field, Pose
from battles.engine.rulesets.barker.options import with_defaults
from battles.engine.rulesets.barker.pairs import Base, bases
from battles.engine.rulesets.barker.play import Play
from battles.engine.rulesets.barker.state import Battle, Party, Status, Unit
from battles.engine.rulesets.barker.tables import (
    LAST_TURN,
    Mode,
    Phase,
    Type,
)


def begin(scenario: Scenario, dice: Dice, log: Log | None = None) -> Battle:
    """The battle before its first turn. Expects a scenario without faults. Rules: P.Z05, P.K42, P.C01."""
    options = with_defaults(scenario.options)
    there = bases(scenario)
    year = year_of(scenario)
    assert year is not None
    own = _units(there, year, options)
    hulls = {hull.id: hull for base in there for hull in units.hulls(base, own[base.first.ship.id], options)}
    squadrons = units.squadrons(scenario, hulls)
    battle = Battle(
        title=scenario.title,
        year=year,
        turn=0,
        last_turn=scenario.turn_limit or LAST_TURN,
        towards=scenario.wind_towards,
        strength=scenario.strength.value,
        sides=sides_of(scenario),
        squadrons=squadrons,
        units=own,
        ships={ship.id: hulls[ship.id] for _, _, ship in scenario.ships()},
        groups=units.groups(own.values(), squadrons),
        parties={side.id: Party(side.id, 0) for side in scenario.sides},
        options=options,
        table=(0, 0, 0, 0),
        initiative="",
        opened=0,
        sunrise=clock.seconds(options["sunrise"]),
        sunset=(clock.seconds(options["nightfall"]) - 2 * clock.HALF) % clock.DAY,
        wind=0,
        weather="none",
        haze=options["sky"] == "haze",
        allotted=60 * options["allotted_min"],
        by_night=options["by_night"],
        surprised=scenario.surprised,
        fields=minefields.fields(options),
        land=frozenset(scenario.land),
        shoal=frozenset(scenario.shoal),
    )
    for party in battle.parties.values():
        mine = [unit for unit in own.values() if unit.side == party.id]
        party.opening2 = sum(unit.sp2 for unit in mine)
        party.cinc = _commander_in_chief(battle, party.id)
    characters.appoint(battle, dice, log)
    battle.initiative = _initiative(scenario, dice)
    if options["setup"] == "table":
        table_setup.lay(battle, scenario, dice, log)
    else:
        _hour(battle, scenario, dice)
        _weather(battle)
        _place(battle, scenario, there)
    _tell(battle, log)
    # Who is in sight from the first is known from the first. Rule: P.C01.
    sight.refresh(battle, Play(dice=dice, log=log))
    return battle


def _units(there: Sequence[Base], year: int, options: Mapping[str, Any]) -> dict[str, Unit]:
    found: dict[str, Unit] = {}
    disguised = 0
    for base in there:
        made = units.unit(base, year, options, disguised + 1)
        disguised += made.disguised
        found[made.id] = made
    return found


def year_of(scenario: Scenario) -> int | None:
    """The year of the battle: of its start, else of the switch; None when neither says. Rules: P.Z08, P.K42."""
    if scenario.start:
        return int(scenario.start[:4])
    year = scenario.options.get("year")
    return None if year is None else int(year)


def _commander_in_chief(battle: Battle, side: str) -> str:
    """The squadron whose Flag is senior: most SP, then by id. Rule: P.S15."""
    own = [row for row in battle.squadrons.values() if row.side == side and row.flagship and not row.flotilla]
    own = own or [row for row in battle.squadrons.values() if row.side == side and row.flagship]
    own.sort(key=lambda row: (-sum(unit.sp2 for unit in characters.members(battle, row)), row.id))
    return own[0].id if own else ""


def _initiative(scenario: Scenario, dice: Dice) -> str:
    """Who is not surprised where one is; else the higher of two dice, thrown again on a tie. Rules: P.S23, P.K42, P.Z05."""
    first, second = (side.id for side in scenario.sides)
    caught = [code in scenario.surprised for code in (first, second)]
    if any(caught) and not all(caught):
        return second if caught[0] else first
    throw = 0
    while True:
        one, other = (
            dice.d6(clause="P.S23", subjects=(throw, "INIT", code), reason="initiative")
            for code in (first, second)
        )
        if one != other:
            return first if one > other else second
        throw += 1


def _hour(battle: Battle, scenario: Scenario, dice: Dice) -> None:
    """The clock from the scenario's start, else from a TIME throw. Rules: P.T12, P.K42, P.T01."""
    if scenario.start:
        battle.opened = clock.seconds(scenario.start[11:16])
    else:
        table_setup.throw_time(battle, scenario, dice)
    battle.phase = clock.phase_at(battle, 0)


def _weather(battle: Battle) -> None:
    """The chart's wind as a corner and a weather. Rules: P.K27, P.W14."""
    battle.weather = weather_dice.weather(Strength(battle.strength), battle.options["sky"])


def _place(battle: Battle, scenario: Scenario, there: Sequence[Base]) -> None:
    poses, field, gap = places(scenario, there, battle.initiative, battle.phase, battle.options)
    battle.table = layout.table(scenario, field.axis, battle.options["table_mm"], poses)
    battle.wind = weather_dice.axis(weather_dice.corner(battle.towards), battle.table)
    for code, pose in poses.items():
        unit = battle.units[code]
        unit.x, unit.y, unit.h = pose
        unit.status = Status.IN_PLAY
    for party in battle.parties.values():
        party.edge = field.edge(party.id)
    anchored = [unit for unit in battle.units.values() if unit.anchored and unit.status is Status.IN_PLAY]
    if battle.options["guard"] and anchored:
        side = anchored[0].side
        if not battle.land:
            battle.land = layout.shore(field.edge(side), gap)
        _port(battle, side, [Pose(unit.x, unit.y, unit.h) for unit in anchored if unit.side == side])
    for party in battle.parties.values():
        party.roads = _middle([unit for unit in anchored if unit.side == party.id])
    formations.gather(battle)
    # Battle is joined at sight: on the chart by the range of contact, in places of a scenario by who sees whom. Rules: P.K04, P.C01.
    sight.refresh(battle)
    # Who comes in upon ships at anchor knows where they lie. Rule: P.K38.
    if anchored or modes.in_contact(battle) or (scenario.gap is None and not scenario.fixed_positions):
        battle.mode, battle.contact, battle.opened_cruising = Mode.COMBAT, 0, False
    for party in battle.parties.values():
        party.contacts, party.remembered = (), {}
    if battle.weather == "fog":
        battle.banks.append(light.rolling(battle, "fog", 0))


def _middle(units: Sequence[Unit]) -> tuple[int, ...]:
    """The middle of some units' places, () of none."""
    if not units:
        return ()
    return sum(unit.x for unit in units) // len(units), sum(unit.y for unit in units) // len(units)


def places(
    scenario: Scenario, there: Sequence[Base], initiative: str, phase: Phase, options: Mapping[str, Any]
) -> tuple[dict[str, Pose], Field, int]:
    """Where every base lies that is there from the start, the long axis, and the opening range. Rules: P.K04, P.K42."""
    found = layout.given(there)
    sides = {base.first.ship.id: base.first.side.id for base in there}
    gap = layout.start_range(scenario, phase, options["contact_yd"])
    own = {code: pose for code, pose in found.items() if pose is not None}
    field = layout.field_of(scenario, initiative)
    if len({sides[code] for code in own}) == len(scenario.sides):
        field = layout.placed_field(own, sides)
    laid = layout.columns(there, field, gap) if len(own) < len(found) else {}
    return {code: pose if pose is not None else laid[code] for code, pose in found.items()}, field, gap


def _port(battle: Battle, side: str, anchored: Sequence[Pose]) -> None:
    """The guns of a port and its searchlight posts, as units of the side. Rules: P.S21, P.K38, P.F21."""
    count = {True: 0, False: 0}
    for battery, pose in layout.port(battle.options["guard"], anchored, battle.land):
        count[battery] += 1
        kind = Type.BATTERY if battery else Type.INSTALLATION
        name = f"{'Battery' if battery else 'Searchlight post'} {count[battery]}"
        row = KINDS[kind]
        battle.units[name] = Unit(
            id=name, name=name, side=side, squadron="", group="", nation=battle.sides[side].nation, type=kind, hulls=(),
            sp2=2 * battle.options["sp_table"][kind.value] if kind.value in battle.options["sp_table"] else row.sp2,
            moves=0, extra_free=False, obsolete=False, signal_miles=row.signal_miles, rank=0, wt=False, searchlight=True,
            deep=False, x=pose.x, y=pose.y, h=pose.h, face=pose.h, status=Status.IN_PLAY,
        )  # fmt: skip


def _tell(battle: Battle, log: Log | None) -> None:
    if log is None:
        return
    banks = [[bank.kind, bank.x, bank.y, bank.h, bank.length, bank.beam] for bank in battle.banks]
    log.add(
        "opened", "P.K42", year=battle.year, mode=battle.mode.value, phase=battle.phase.value, wind=battle.wind,
        weather=battle.weather, table=list(battle.table), banks=banks, initiative=battle.initiative,
    )  # fmt: skip
    for unit in battle.units.values():
        if unit.status is Status.IN_PLAY:
            pair = unit.hulls[1] if len(unit.hulls) > 1 else ""
            steps = unit.damage + 3 * unit.crippled
            log.add(
                "placed", "P.K42", unit.id, x=unit.x, y=unit.y, h=unit.h, type=unit.type.value, steps=steps,
                stopped=unit.stopped, pair=pair, side=unit.side, contact=unit.contact,
            )  # fmt: skip
