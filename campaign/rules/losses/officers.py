"""Named officers: who is hit in a battle, who is taken or drowns with a ship, and who follows. Rules: G.AF1, T.C21.

An officer is known by "side/name". The turn's facts have them as the turn opened; the state holds what has changed since.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from battles.engine.core.fates import Fate
from battles.engine.core.outcome import Outcome
from campaign.rules.chart.types import OfficerFacts, Position, TurnFacts
from campaign.rules.losses.castaways import landing
from campaign.rules.state.clock import DAY
from campaign.rules.state.economy import OfficerNow
from campaign.rules.state.state import ShipState
from campaign.rules.state.world import Chart

SERVING, WOUNDED, KILLED, CAPTURED = "serving", "wounded", "killed", "captured"
UNHURT, DROWNED = "unhurt", "drowned"
GONE_DOWN = frozenset({Fate.SUNK, Fate.BURNT, Fate.FOUNDERED, Fate.MISSING})
QUARTERS = 4


def officer_now(facts: TurnFacts, changed: Mapping[str, OfficerNow], key: str) -> OfficerNow:
    """An officer as they are now."""
    if key in changed:
        return changed[key]
    was = facts.officers[key]
    return OfficerNow(was.ship, was.status, was.flag_rank)


def _now(chart: Chart, key: str) -> OfficerNow:
    return officer_now(chart.facts, chart.state.economy.officers, key)


def _by_seniority(chart: Chart, side: str) -> Iterator[tuple[str, OfficerFacts, OfficerNow]]:
    """A side's officers, seniors first."""
    rows = [(row.seniority, row.name, key) for key, row in chart.facts.officers.items() if row.side == side]
    for _, _, key in sorted(rows):
        yield key, chart.facts.officers[key], _now(chart, key)


def officers_after_battle(
    chart: Chart, outcome: Outcome, before: Mapping[str, ShipState], end: int, *, battle: str
) -> None:
    """What a battle did to the officers in it: the set's own word first, a throw for those it says nothing of; told once each.

    before: ships as they went in. end: hour of the battle's end. battle: its code. Rule: G.AF1.
    """
    said = {(officer.ship, officer.name): officer for officer in outcome.officers}
    fought = {entry.ship for entry in outcome.ships}
    sides = {before[entry.ship].side for entry in outcome.ships}
    for key in sorted(chart.facts.officers):
        row, now = chart.facts.officers[key], _now(chart, key)
        if now.ship not in fought or before[now.ship].side != row.side or now.status != SERVING:
            continue
        word = said.pop((now.ship, row.name), None)
        if word is not None:
            luck = Luck(word.fate, word.clause, sides, battle=battle, said=True)
        else:
            luck = _thrown(chart, row.name, before[now.ship], end, battle)
        _befalls(chart, key, _with_the_ship(chart, key, luck, before[now.ship], end), end)
    for word in said.values():
        if word.fate != UNHURT:
            luck = Luck(word.fate, word.clause, sides, battle=battle, said=True)
            _tell_luck(chart, word.name, before[word.ship].side, word.ship, luck, end)
            _leaves(chart, word.ship, word.name, word.fate)


class Luck(NamedTuple):
    """An officer's luck. knows: sides that are told. face: the die, where one fell for it. said: whether the rule set has decided.

    hurt: whether they were wounded before they met their fate.
    """

    fate: str
    clause: str
    knows: Collection[str]
    face: int | None = None
    battle: str = ""
    said: bool = False
    hurt: bool = False


def _thrown(chart: Chart, name: str, before: ShipState, end: int, battle: str) -> Luck:
    """Killed, wounded or unhurt: a D6 against the quarters of hull lost in this battle, and one for how badly. Rule: G.AF1."""
    settings, card = chart.facts.settings, chart.facts.ships[before.code].card
    ship = chart.state.ships[before.code]
    luck = Luck(UNHURT, "G.AF1", {before.side}, battle=battle)
    lost = chart.at_sea.hull_fraction(card, ship.condition) - chart.at_sea.hull_fraction(
        card, before.condition
    )
    quarters = int(QUARTERS * lost)
    if quarters <= 0:
        return luck
    subjects = (end, before.code, name)
    face = chart.dice.d6(clause="G.AF1", subjects=(*subjects, "hit"), reason="officer hit")
    if face > quarters * settings.officer_at:
        return luck
    grave = chart.dice.d6(clause="G.AF1", subjects=(*subjects, "wound"), reason="how badly")
    return luck._replace(fate=KILLED if grave <= settings.officer_killed_at else WOUNDED, face=face)


def _with_the_ship(chart: Chart, key: str, luck: Luck, before: ShipState, end: int) -> Luck:
    """What the loss of a ship adds to an officer's luck: taken with her, drowned, or cast ashore. Rules: G.AF1, T.C21."""
    ship, side = chart.state.ships[before.code], chart.facts.officers[key].side
    if luck.fate in (KILLED, CAPTURED):
        return luck
    hurt = luck.fate == WOUNDED
    if ship.side != side:
        return luck._replace(fate=CAPTURED, knows={*luck.knows, ship.side}, hurt=hurt)
    if ship.fate is Fate.WRECKED:
        return _cast_away(chart, side, chart.state.fleets[before.fleet].position, luck)
    if luck.said:
        return luck
    if ship.fate is Fate.BLOWN_UP:
        return luck._replace(fate=KILLED)
    if ship.fate in GONE_DOWN and not _is_saved(chart, key, before.code, end):
        return luck._replace(fate=DROWNED)
    return luck


def _cast_away(chart: Chart, side: str, position: Position, luck: Luck) -> Luck:
    """On a hostile coast a prisoner. Rule: T.C21."""
    holder = landing(chart, side, position).holder
    if not holder:
        return luck
    return luck._replace(fate=CAPTURED, knows={*luck.knows, holder}, hurt=luck.fate == WOUNDED)


def _is_saved(chart: Chart, key: str, ship: str, end: int) -> bool:
    """A D6 for an officer of a ship that has gone down. Rule: G.AF1."""
    name = chart.facts.officers[key].name
    face = chart.dice.d6(clause="G.AF1", subjects=(end, ship, name, "saved"), reason="officer saved")
    return face >= chart.facts.settings.officer_saved_at


def officers_of_lost_ship(
    chart: Chart, ship: ShipState, position: Position, fate: Fate, *, hour: int | None, saved: bool
) -> None:
    """What becomes of the officers in a ship that is lost on the chart: where no one is saved, they drown too. Rules: G.AF1, T.C21."""
    when = chart.hour if hour is None else hour
    for key in sorted(chart.facts.officers):
        row, now = chart.facts.officers[key], _now(chart, key)
        if now.ship != ship.code or row.side != ship.side or now.status not in (SERVING, WOUNDED):
            continue
        luck = Luck(UNHURT, "G.AF1", {row.side})
        if fate is Fate.WRECKED:
            luck = _cast_away(chart, row.side, position, luck)
        elif not saved or not _is_saved(chart, key, ship.code, when):
            luck = luck._replace(fate=DROWNED)
        if luck.fate == UNHURT and now.status == WOUNDED:  # saved with the wounds they had
            chart.state.economy.officers[key] = replace(now, ship="")
            continue
        _befalls(chart, key, luck, when)


def officers_go_ashore(chart: Chart, ship: ShipState) -> None:
    """The named officers of a ship that is given up in port get away from her. Rules: G.AF1, G.LD4."""
    for key in sorted(chart.facts.officers):
        now = _now(chart, key)
        if now.ship == ship.code and now.status in (SERVING, WOUNDED):
            chart.state.economy.officers[key] = replace(now, ship="")


def _befalls(chart: Chart, key: str, luck: Luck, end: int) -> None:
    """Tell an officer's luck, and write it down. Rule: G.AF1."""
    row, ship = chart.facts.officers[key], _now(chart, key).ship
    if luck.fate != UNHURT:
        _tell_luck(chart, row.name, row.side, ship, luck, end)
        _leaves(chart, ship, row.name, luck.fate)
    _suffer(chart, key, luck.fate, end)


def _tell_luck(chart: Chart, name: str, side: str, ship: str, luck: Luck, end: int) -> None:
    more: dict[str, Any] = {"face": luck.face} if luck.face is not None else {}
    more |= {"battle": luck.battle} if luck.battle else {}
    more |= {"said": True} if luck.said else {}
    more |= {"hurt": True} if luck.hurt else {}
    chart.tell(
        "officer", luck.clause, *luck.knows, hour=end, name=name, ship=ship, fate=luck.fate, side=side, ships=[ship], **more
    )  # fmt: skip


def _leaves(chart: Chart, code: str, name: str, fate: str) -> None:
    """A captain who is dead or taken commands no more."""
    ship = chart.state.ships.get(code)
    if ship is not None and fate != WOUNDED and ship.captain == name:
        chart.state.ships[code] = replace(ship, captain="")


def _suffer(chart: Chart, key: str, fate: str, end: int) -> None:
    """Write down an officer's luck, and the place that it leaves empty. Rule: G.AF1."""
    economy, now, side = chart.state.economy, _now(chart, key), chart.facts.officers[key].side
    ship = chart.state.ships[now.ship]
    lost_her = ship.side != side or ship.fate is not Fate.AFLOAT
    if fate == WOUNDED:
        economy.officers[key] = replace(now, status=WOUNDED, ship="" if lost_her else now.ship)
        economy.wounds[key] = end + chart.facts.settings.wound_days * DAY
    elif fate in (KILLED, DROWNED, CAPTURED):
        economy.officers[key] = replace(now, status=CAPTURED if fate == CAPTURED else KILLED, ship="")
    elif lost_her:
        economy.officers[key] = replace(now, ship="")
    else:
        return
    if now.flag_rank:
        economy.vacant |= {code for code, row in chart.facts.squadrons.items() if row.flagship == now.ship}
    elif not lost_her and fate != WOUNDED:
        economy.vacant |= {now.ship}


def officer_step(chart: Chart) -> None:
    """At 06:00 the wounded come back, and empty places go to the next senior. Rule: G.AF1."""
    if chart.hour % DAY:
        return
    _heal(chart)
    _without_ship(chart)
    economy = chart.state.economy
    for code in sorted(economy.vacant & set(chart.facts.squadrons)):
        _hoist(chart, code)
    for code in sorted(economy.vacant - set(chart.facts.squadrons)):
        _command(chart, code)


def _heal(chart: Chart) -> None:
    economy = chart.state.economy
    for key in sorted(economy.wounds):
        if key in chart.facts.officers and economy.wounds[key] > chart.hour:
            continue
        del economy.wounds[key]
        if key in chart.facts.officers and _now(chart, key).status == WOUNDED:
            economy.officers[key] = replace(_now(chart, key), status=SERVING)
            _tell(chart, key, "officer_fit")


def _without_ship(chart: Chart) -> None:
    """Whose ship is gone waits ashore for another."""
    for key, row in chart.facts.officers.items():
        now = _now(chart, key)
        ship = chart.state.ships.get(now.ship)
        # one that is no longer on the chart was lost, sold or interned in an earlier turn
        if now.ship and (ship is None or ship.fate is not Fate.AFLOAT or ship.side != row.side):
            chart.state.economy.officers[key] = replace(now, ship="")


def _hoist(chart: Chart, squadron: str) -> None:
    """A squadron's flag goes to the next senior: a flag officer without a ship, else its senior captain, promoted. Rule: G.AF1."""
    flagship = chart.state.ships.get(chart.facts.squadrons[squadron].flagship)
    if (
        flagship is None
        or flagship.fate is not Fate.AFLOAT
        or flagship.prize
        or flagship.squadron != squadron
    ):
        return  # the squadron chooses another flagship when the turn closes
    economy, side = chart.state.economy, flagship.side
    officers = [row for row in _by_seniority(chart, side) if row[2].status == SERVING]
    economy.vacant -= {squadron}
    if any(now.flag_rank and now.ship == flagship.code for _, _, now in officers):
        return
    waiting = (key for key, _, now in officers if now.flag_rank and not now.ship)
    captains = (
        key for key, _, now in officers if not now.flag_rank and _squadron(chart, now.ship) == squadron
    )
    key = next(waiting, "") or next(captains, "")
    if not key:
        return
    now, name = _now(chart, key), chart.facts.officers[key].name
    left = chart.state.ships.get(now.ship)
    if left is not None and left.captain == name:
        chart.state.ships[left.code] = replace(left, captain="")
        economy.vacant |= {left.code}
    economy.officers[key] = OfficerNow(flagship.code, SERVING, True)
    _tell(chart, key, "officer_hoists", place=chart.facts.squadrons[squadron].name)


def _squadron(chart: Chart, ship: str) -> str:
    """The squadron of a ship on the chart, "" for one that is not."""
    row = chart.state.ships.get(ship)
    return row.squadron if row is not None else ""


def _command(chart: Chart, code: str) -> None:
    """A ship goes to the senior captain without one; with none her first lieutenant, whom no one names, has her. Rule: G.AF1."""
    economy, ship = chart.state.economy, chart.state.ships.get(code)
    if ship is None or not ship.fleet or ship.prize or ship.fate is not Fate.AFLOAT or ship.captain:
        economy.vacant -= {code}
        return
    for key, row, now in _by_seniority(chart, ship.side):
        if now.status == SERVING and not now.ship and not now.flag_rank:
            economy.officers[key] = replace(now, ship=code)
            economy.vacant -= {code}
            chart.state.ships[code] = replace(ship, captain=row.name)
            chart.ships_changed()
            _tell(chart, key, "officer_takes")
            return


def _tell(chart: Chart, key: str, kind: str, **more: Any) -> None:
    row, now = chart.facts.officers[key], _now(chart, key)
    chart.tell(
        kind, "G.AF1", row.side, name=row.name, side=row.side, ship=now.ship,
        ships=[now.ship] if now.ship else [], **more,
    )  # fmt: skip


def flag_officer(chart: Chart, squadron: str) -> str:
    """The serving flag officer in a squadron's flagship now, "" when there is none. Rule: G.AF1."""
    row = chart.facts.squadrons[squadron]
    if not chart.facts.officers:
        return row.officer
    ship = chart.state.ships.get(row.flagship)
    if ship is None:
        return ""
    for _, officer, now in _by_seniority(chart, ship.side):
        if now.ship == ship.code and now.flag_rank and now.status == SERVING:
            return officer.name
    return ""
