"""Facts of a war with objectives on the square sea, and what an admiral makes of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from campaign.rules.admiral.expectation import Expectation
from campaign.rules.admiral.judgement import Judgement
from campaign.rules.admiral.plan import AdmiralPlan, admiral_plan
from campaign.rules.admiral.tasks import Tasks
from campaign.rules.chart.objectives import FirstDay, Opening, Row
from campaign.rules.chart.types import FleetFacts, SightingReport, Theatre, TurnFacts
from campaign.rules.state.documents import report_doc
from campaign.rules.turn.knowledge import Knowledge, knowledge_of
from tests.campaign.rules import builders as b

ON = {"objectives": "on", "duties": "on", "landings": "on", "end_turn_on": "none", "end_date": "1666-07-31"}


def row(kind: str, side: str = "ENG", **over: Any) -> Row:
    """An objective of ten marks, paid once."""
    return Row.read(
        {"id": f"{side}_{kind}", "side": side, "kind": kind, "marks": 10, "words": f"Do {kind}.", **over}
    )


def seen(
    longitude: int, *, hour: int = 0, band: str = "2-4", number: int = 1, side: str = "ENG", **over: Any
) -> SightingReport:
    """A report of an enemy on the equator; longitude: hundredths of a degree."""
    report = SightingReport(side, number, hour, 0, longitude, None, band, (), "e", "d")
    return replace(report, **over)


def war(
    *aims: Row,
    english: int = 8,
    dutch: int = 4,
    at: str = "a",
    reports: Sequence[SightingReport] = (),
    fleets: Sequence[FleetFacts] = (),
    ships: Sequence[Any] = (),
    carried: dict[str, Any] | None = None,
    sea: Theatre | None = None,
    **settings: Any,
) -> TurnFacts:
    """England's fleet e with so many ships of forty points at a place, the Dutch d at theirs."""
    rows = [b.fleet("e", "ENG", at), b.fleet("d", "NLD", "theirs"), *fleets]
    made = [b.ship(f"e{n}", "ENG", "e") for n in range(english)]
    made += [b.ship(f"d{n}", "NLD", "d") for n in range(dutch)]
    made += ships
    opening = Opening(mark=10, ships={s.code: FirstDay(s.side, s.fleet, True, Fraction(40)) for s in made})
    return b.facts(
        rows,
        made,
        settings=b.settings(**{**ON, **settings}),
        objectives=tuple(aims),
        opening=opening,
        carried={"reports": [report_doc(r) for r in reports], **(carried or {})},
        sea=sea,
    )


def two(facts: TurnFacts, ships: int, at: str, **over: Any) -> TurnFacts:
    """The facts with a second English fleet s."""
    rows = {**facts.fleets, "s": b.fleet("s", "ENG", at, **over)}
    more = {f"s{n}": b.ship(f"s{n}", "ENG", "s") for n in range(ships)}
    return replace(facts, fleets=rows, ships={**facts.ships, **more})


def known(facts: TurnFacts, side: str = "ENG") -> Knowledge:
    return knowledge_of(facts, None, side)


def expectation(facts: TurnFacts, side: str = "ENG") -> Expectation:
    knowledge = known(facts, side)
    return Expectation(Judgement(knowledge, list(knowledge.fleets.values())))


def tasks(facts: TurnFacts, side: str = "ENG") -> Tasks:
    return Tasks(expectation(facts, side))


def plan(facts: TurnFacts, side: str = "ENG", **given: Any) -> AdmiralPlan:
    return admiral_plan(known(facts, side), **given)


def done(facts: TurnFacts, fleet: str = "e", **given: Any) -> tuple[str, str]:
    """What a fleet does, and where."""
    made = plan(facts, **given)
    decision = next(one for one in made.decisions if one.fleet == fleet)
    return decision.verb, decision.place
