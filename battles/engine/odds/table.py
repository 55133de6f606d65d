"""Counts as lines of text for the command line."""

from __future__ import annotations

from collections.abc import Iterator

from battles.engine.core.fates import Fate
from battles.engine.core.scenario import Scenario
from battles.engine.odds.figures import NEITHER, Spread, interval
from battles.engine.odds.tally import Losses, Tally


def table(scenario: Scenario, tally: Tally) -> Iterator[str]:
    """The counts as lines: every row of wins and of fates adds up to the number of runs."""
    yield f"{scenario.title}: {tally.runs} runs, {tally.turns / tally.runs:.1f} turns on average"
    yield ""
    yield f"{'side':24} {'wins':>6}  95% range          holds the field"
    for side in scenario.sides:
        yield _chances(side.name, side.id, tally)
    yield _chances("drawn", NEITHER, tally)
    yield ""
    yield f"{'per battle':24} {'lost or taken':>14}  95% range          4 in 5 battles    {'men':>7}"
    for side in scenario.sides:
        losses = tally.sides.get(side.id, Losses())
        low, high = losses.gone.interval()
        fewest, most = losses.gone.middle()
        yield (
            f"{side.name[:24]:24} {losses.gone.mean:14.2f}  {f'{low:.2f} to {high:.2f}':17}  "
            f"{f'{fewest} to {most}':16}  {losses.men.mean:7.0f}"
        )
    yield ""
    yield from _types(scenario, tally)
    yield from _ships(scenario, tally)


def _chances(name: str, side: str, tally: Tally) -> str:
    wins, held = tally.winners[side], tally.held[side]
    return f"{name[:24]:24} {wins:6}  {_span(wins, tally.runs)}  {held:6}  {_span(held, tally.runs)}"


def _types(scenario: Scenario, tally: Tally) -> Iterator[str]:
    """Ships lost and taken by type, where a side has more than one type."""
    if all(len(losses.sent) < 2 for losses in tally.sides.values()):
        return
    yield f"{'type':24} {'sent':>8} {'lost':>8} {'taken':>8}"
    for side in scenario.sides:
        losses = tally.sides.get(side.id, Losses())
        for kind, sent in losses.sent.items():
            lost, taken = losses.sunk.get(kind, Spread()), losses.taken.get(kind, Spread())
            name = f"{kind.replace('_', ' ')} ({side.id})"
            yield f"{name[:24]:24} {sent.mean:8.2f} {lost.mean:8.2f} {taken.mean:8.2f}"
    yield ""


def _ships(scenario: Scenario, tally: Tally) -> Iterator[str]:
    known = [fate for fate in Fate if any(fates[fate] for fates in tally.fates.values())]
    yield f"{'ship':24} {' '.join(f'{fate.value:>10}' for fate in known)}  afloat, 95% range"
    for side, _, ship in scenario.ships():
        fates = tally.fates[ship.id]
        counts = " ".join(f"{fates[fate]:10}" for fate in known)
        yield f"{f'{ship.name} ({side.id})'[:24]:24} {counts}  {_span(fates[Fate.AFLOAT], tally.runs)}"


def _span(hits: int, runs: int) -> str:
    low, high = interval(hits, runs)
    return f"{100 * low:5.1f} to {100 * high:5.1f}%"
