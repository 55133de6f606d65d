"""Objectives in play: asked at every 06:00, paid, achieved, and settled at the end. Rules: G.OB1, G.OB2, G.OB3."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Any

from battles.engine.core.dice import ScriptedDice
from campaign.rules.aims.bodies import bodies, fighters
from campaign.rules.aims.holding import (
    View,
    came_in,
    first_hour,
    holds,
    last_hour,
    marks_at_end,
    readers,
)
from campaign.rules.chart.objectives import LINE, AimKind, Pay, Row
from campaign.rules.chart.types import ChartEvent, OnArrival, Settings, TurnFacts
from campaign.rules.sailing.ports import lies_off
from campaign.rules.state.aims import NEVER, Aims, Tally, Watch
from campaign.rules.state.clock import DAY
from campaign.rules.state.state import TurnState
from campaign.rules.state.world import Chart

# What a side learns of an enemy's ships it learns ship by ship, in its table of points, and not at a certain hour. Rule: G.OB4.
_BY_POINTS = (AimKind.DESTROY, AimKind.KEEP)


def objective_step(chart: Chart) -> None:
    """Look at closed ports each hour, and ask every objective at 06:00. Rules: G.OB1, G.OB2."""
    if chart.facts.settings.objectives != "on":
        return
    closing = [row for row in chart.facts.objectives if row.kind is AimKind.CLOSE]
    for row in closing:
        _look(chart, row)
    if chart.hour % DAY == 0:
        _morning(chart, ending=False)
        for row in closing:
            chart.state.aims.watches[row.id] = Watch()


def settle(facts: TurnFacts, state: TurnState) -> tuple[list[ChartEvent], Aims]:
    """What the last morning of a campaign brings, and what is paid at the end, in the state that its last turn left.

    Returns the events and where every objective stands then; the state is left as it was. Rules: G.OB1, G.OB2.
    """
    last = state.copy()
    if facts.settings.objectives == "on" and facts.objectives:
        chart = Chart(facts, last, ScriptedDice(()))
        for row in facts.objectives:
            if row.kind is AimKind.CLOSE:
                _look(chart, row)
        _morning(chart, ending=True)
    return last.events[len(state.events) :], last.aims


def _morning(chart: Chart, *, ending: bool) -> None:
    """Ask every row, denials after all others, for what was so and for what each side knows. ending: the campaign ends now."""
    facts, aims = chart.facts, chart.state.aims
    real = bodies(chart)
    views = {reader: View(chart, real, reader) for reader in ("", *sorted(facts.sides))}
    for row in sorted(facts.objectives, key=lambda row: row.kind is AimKind.DENY):
        first, last = first_hour(row, facts), last_hour(row, facts)
        if chart.hour < first:
            continue
        over = last is not None and chart.hour > last
        if row.at_end:
            before = aims.tallies.get(row.id, Tally())
            if not before.asked and (ending or (last is not None and chart.hour >= last)):
                aims.tallies[row.id] = _asked_once(chart, views[""], row, before)
            continue
        if over:
            continue
        aims.tallies[row.id] = _paid(
            chart, row, _counted(views[""], row, aims.tallies.get(row.id, Tally()), chart.hour)
        )
        for reader in readers(facts, row):
            if row.kind not in _BY_POINTS:
                told = aims.known.get((row.id, reader), Tally())
                aims.known[row.id, reader] = _counted(views[reader], row, told, chart.hour)


def _counted(view: View, row: Row, tally: Tally, hour: int) -> Tally:
    """A tally after one more morning. Rule: G.OB1."""
    if row.what == LINE:
        tally = replace(tally, ships=came_in(view, row, tally))
    now = holds(view, row, tally)
    if not now:
        kept = tally.held if tally.achieved != NEVER or not row.running else 0
        return replace(tally, now=False, held=kept)
    tally = replace(tally, now=True, held=tally.held + 1, mornings=tally.mornings + 1)
    if tally.achieved == NEVER and tally.held >= row.days:
        return replace(tally, achieved=hour)
    return tally


def _paid(chart: Chart, row: Row, tally: Tally) -> Tally:
    """Pay what a row has earned this morning, and tell of it. Rules: G.OB2, G.OB3."""
    marks = 0
    if row.pay is Pay.DAILY and tally.now and tally.mornings % row.every == 0:
        marks = min(row.marks, row.most - tally.paid) if row.most else row.marks
    elif row.pay is Pay.ONCE and tally.achieved == chart.hour:
        marks = row.marks
    if tally.achieved == chart.hour:
        _tell(chart, "objective_achieved", "G.OB3" if row.decisive else "G.OB1", row, marks)
    elif marks:
        _tell(chart, "objective_paid", "G.OB2", row, marks)
    return replace(tally, paid=tally.paid + marks)


def _asked_once(chart: Chart, view: View, row: Row, tally: Tally) -> Tally:
    """A row that is paid at the end, asked on its last day. Rules: G.OB1, G.OB2."""
    if not holds(view, row, tally):
        return replace(tally, asked=True)
    marks = marks_at_end(chart, row)
    _tell(chart, "objective_achieved", "G.OB2", row, marks)
    return replace(tally, asked=True, now=True, held=1, mornings=1, achieved=chart.hour, paid=marks)


def _tell(chart: Chart, kind: str, clause: str, row: Row, marks: int) -> None:
    """To every side that may read the row; a decisive one that ends nothing is told to all. Rules: G.OB3, G.OB4."""
    facts, data = chart.facts, _data(row, marks)
    decides = facts.settings.decisive if row.decisive and kind == "objective_achieved" else ""
    if decides:
        data |= {"decides": decides}
    knows = sorted(facts.sides) if decides == "tells" else readers(facts, row)
    chart.tell(kind, clause, *knows, **data)


def _data(row: Row, marks: int) -> dict[str, Any]:
    return {"objective": row.id, "side": row.side, "marks": marks, "words": row.words}


def decided_by(
    rows: Iterable[Row], aims: Aims, settings: Settings, hour: int, held: Collection[str]
) -> list[Row]:
    """Decisive objectives that end the campaign at a 06:00, by `hour` of it. held: sides of which a battle holds a fleet. Rule: G.OB3."""
    if settings.objectives != "on" or settings.decisive != "ends":
        return []
    return [
        row
        for row in rows
        if row.decisive and row.side not in held and NEVER < aims.tallies.get(row.id, Tally()).achieved < hour
    ]


def deciding(chart: Chart) -> list[Row]:
    """Decisive objectives that end the campaign now. Rule: G.OB3."""
    held = {fleet.side for fleet in chart.fleets() if fleet.held_by}
    facts, state = chart.facts, chart.state
    return decided_by(facts.objectives, state.aims, facts.settings, state.hour, held)


def _look(chart: Chart, row: Row) -> None:
    """Whether a fighting ship of the side lies off the port in this hour; who is there is remembered for `watch_step`. Rule: G.OB1."""
    watch = chart.state.aims.watches.get(row.id, Watch())
    watching = any(
        fleet.side == row.side
        and fleet.order.on_arrival is OnArrival.BLOCKADE
        and lies_off(chart, fleet) == row.port
        and bool(fighters(chart, fleet))
        for fleet in chart.fleets()
    )
    chart.state.aims.watches[row.id] = replace(watch, hours=watch.hours + 1 if watching else 0)
    chart.inside[row.id] = _inside(chart, row)


def watch_step(chart: Chart) -> None:
    """Notice who went into a closed port, or out of it, in this hour. Rule: G.OB1."""
    watches = chart.state.aims.watches
    for row in chart.facts.objectives:
        before = chart.inside.pop(row.id, None)
        if before is None:
            continue
        now = _inside(chart, row)
        moved = {before.get(ship) or now[ship] for ship in before.keys() ^ now.keys()}
        if moved:
            seen = any(
                touch.fleet in moved and touch.seen and chart.state.fleets[touch.observer].side == row.side
                for touch in chart.state.touches.values()
            )
            old = watches[row.id]
            watches[row.id] = replace(old, broken=True, noticed=old.noticed or seen)


def _inside(chart: Chart, row: Row) -> dict[str, str]:
    """Hostile fighting ships in a port, with their fleets."""
    return {
        ship.code: fleet.code
        for fleet in chart.fleets()
        if frozenset((fleet.side, row.side)) in chart.facts.at_war
        and not fleet.position.to
        and fleet.position.at == row.port
        for ship in fighters(chart, fleet)
    }
