"""The runs themselves: one after the other, or over several processes, with the counts so far after each part."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Generator, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from functools import partial
from itertools import repeat
from typing import Any

from battles.engine.core.at_sea import AtSea
from battles.engine.core.crews import complement
from battles.engine.core.fates import Fate
from battles.engine.core.outcome import Outcome, ShipOutcome
from battles.engine.core.scenario import Scenario, ScenarioShip
from battles.engine.odds.figures import Spread
from battles.engine.odds.question import Question
from battles.engine.odds.tally import Losses, Tally
from battles.engine.odds.values import cards_of, winner
from battles.engine.play import play_for_odds
from battles.engine.registry import rule_set

# Ships in the first part, so that it is over in about a second; later ones are up to so many times as large.
FIRST_SHIPS = 160
GROWTH = (1, 1, 2, 2, 4, 4, 8)

Cards = Mapping[str, Mapping[str, Any]]


def count(question: Question, *, runs: int, workers: int = 1, seed: int = 1) -> Tally:
    """Fight the battle so many times, seeds counting up from `seed`, and count. The result does not depend on `workers`."""
    total = Tally()
    for total in counting(question, runs=runs, workers=workers, seed=seed):  # noqa: B007 - the last one
        pass
    return total


def counting(
    question: Question, *, runs: int, workers: int = 1, seed: int = 1
) -> Generator[Tally, None, None]:
    """The counts so far after each part of so many runs, the first after a few; the same object each time.

    Whoever has enough may stop: what has not been begun is not fought then. The parts do not depend on `workers`.
    """
    total, work = Tally(), list(parts(question, runs=runs, seed=seed))
    if workers == 1:
        for first, many in work:
            total.add(fought(question, first, many))
            yield total
        return
    with ProcessPoolExecutor(max_workers=workers, initializer=_deaf) as pool:
        for part in pool.map(partial(_part, question), work):
            total.add(part)
            yield total


def parts(question: Question, *, runs: int, seed: int = 1) -> Iterator[tuple[int, int]]:
    """The parts in which so many runs are fought, as (first seed, number): small ones first."""
    unit = max(1, FIRST_SHIPS // max(1, question.size))
    growth = iter((*GROWTH, *repeat(GROWTH[-1], runs)))
    done = 0
    while done < runs:
        many = min(unit * next(growth), runs - done)
        yield seed + done, many
        done += many


def _deaf() -> None:
    """Ctrl-C is for the process that counts: those that fight for it finish their part."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _part(question: Question, part: tuple[int, int]) -> Tally:
    return fought(question, *part)


def fought(question: Question, first: int, runs: int) -> Tally:
    """The counts of some runs, one for each seed from `first` on."""
    tally = Tally(fates={ship.id: Counter() for _, ship in question.known()})
    kinds = {
        side.id: tuple(dict.fromkeys(ship.facts.ship_type for ship in side.ships()))
        for side in question.scenario.sides
    }
    cards: Cards = {}
    for seed in range(first, first + runs):
        battle = question.battle(seed)
        if not cards or question.guess is not None:
            cards = cards_of(battle)
        _note(tally, question, kinds, battle, cards, play_for_odds(battle, seed))
    return tally


def _note(
    tally: Tally,
    question: Question,
    kinds: Mapping[str, tuple[str, ...]],
    battle: Scenario,
    cards: Cards,
    outcome: Outcome,
) -> None:
    """Take in the outcome of a run."""
    at_sea = rule_set(battle.rule_set).at_sea
    tally.runs += 1
    tally.turns += outcome.turns
    tally.winners[winner(outcome, {ship: at_sea.whole_value(card) for ship, card in cards.items()})] += 1
    tally.held[outcome.held_field] += 1
    ends = {entry.ship: entry for entry in outcome.ships}
    for entry in outcome.ships:
        if entry.ship in tally.fates:
            tally.fates[entry.ship][entry.fate] += 1
    for side in battle.sides:
        losses = tally.sides.setdefault(side.id, Losses())
        own = [(ship, ends[ship.id]) for ship in side.ships()]
        for kind in kinds[side.id]:
            alike = [entry.fate for ship, entry in own if ship.facts.ship_type == kind]
            taken = sum(fate is Fate.CAPTURED for fate in alike)
            gone = sum(fate is not Fate.AFLOAT for fate in alike)
            for found, number in (
                (losses.sent, len(alike)),
                (losses.taken, taken),
                (losses.sunk, gone - taken),
            ):
                found.setdefault(kind, Spread()).note(number)
        losses.gone.note(sum(entry.fate is not Fate.AFLOAT for _, entry in own))
        losses.men.note(sum(_men_lost(at_sea, cards[ship.id], ship, entry) for ship, entry in own))
        if question.rates is not None:
            losses.days.note(sum(_days(question, at_sea, cards[ship.id], ship, entry) for ship, entry in own))


def _men_lost(at_sea: AtSea, card: Mapping[str, Any], ship: ScenarioShip, entry: ShipOutcome) -> int:
    """Men that a ship's side has fewer in her: all of them when she is lost or taken. Rules: G.BT3, G.CR1."""
    whole = ship.complement if ship.complement is not None else complement(ship.facts)[0]
    before = ship.men if ship.men is not None else whole
    if ship.prize or entry.fate is not Fate.AFLOAT:
        return before
    if entry.men is not None:
        return max(0, before - entry.men)
    then = at_sea.men(card, ship.condition or at_sea.sound(card), whole)
    now = at_sea.men(card, entry.condition, whole)
    left = int(Fraction(before * now, then) + Fraction(1, 2)) if then else 0
    return max(0, before - left)


def _days(
    question: Question, at_sea: AtSea, card: Mapping[str, Any], ship: ScenarioShip, entry: ShipOutcome
) -> int:
    """Days in a yard that a ship needs after a battle beyond those that she needed before; 0 for one that is gone. Rule: G.RP2."""
    rates = question.rates
    if rates is None or entry.fate is not Fate.AFLOAT:
        return 0
    before = rates.days(at_sea.work(card, ship.condition or at_sea.sound(card)))
    return max(0, rates.days(at_sea.work(card, entry.condition)) - before)
