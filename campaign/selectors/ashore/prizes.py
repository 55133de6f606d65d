"""The prizes of a side by stage, its fund and shares, its prisoners, and the ships that it has lost. Rules: G.PR1-G.PR5."""

from __future__ import annotations

from dataclasses import dataclass

from campaign.accounts.words import near
from campaign.rules.ashore.side_faults import may_ransom
from campaign.rules.ashore.yards import port_of
from campaign.rules.chart.side_orders import PrizeAct
from campaign.rules.state.clock import DAY
from campaign.rules.state.economy import OPEN_STAGES, SHARERS, PrizeCase, Stage
from campaign.selectors.ashore.ashore import Shore
from fleets.selectors.ships import prizes_closed, ships_lost_to_enemies

ACTS = (
    ("", "decide later"),
    (PrizeAct.BUY.value, "buy into service"),
    (PrizeAct.SELL.value, "sell"),
    (PrizeAct.HULK.value, "convert to a hulk"),
    (PrizeAct.BURN.value, "burn"),
    (PrizeAct.EXCHANGE.value, "return to its owner for its value"),
)


@dataclass(frozen=True, slots=True)
class PrizeRow:
    """A prize. pounds: her value, as condemned or as she is now. percent: of the court's days. date: of condemning, as expected.

    act, name: what is ordered. affordable: whether the fund reaches for her.
    """

    code: str
    name: str
    taken_by: str
    date_taken: str
    where: str
    crew: int
    prisoners: int
    pounds: int
    head_money: int
    percent: int = 0
    date: str = ""
    act: str = ""
    new_name: str = ""
    affordable: bool = True


@dataclass(frozen=True, slots=True)
class StageRow:
    """A stage of the pipeline with its prizes."""

    title: str
    words: str
    prizes: tuple[PrizeRow, ...]


@dataclass(frozen=True, slots=True)
class PrisonRow:
    """Prisoners at a port."""

    place: str
    of: str
    men: int


@dataclass(frozen=True, slots=True)
class ExchangeRow:
    """Another side with which prisoners can be exchanged. held: its people in our hands; wanted: own people asked for."""

    code: str
    name: str
    held: int
    wanted: int


@dataclass(frozen=True, slots=True)
class PrizesPage:
    """Everything on the page. shares: prize money earned by class. closed: rows of prizes that are disposed of. lost: own ships taken."""

    fund: int
    earned: int
    shares: tuple[tuple[str, int], ...]
    stages: tuple[StageRow, ...]
    closed: tuple[object, ...]
    prisons: tuple[PrisonRow, ...]
    exchanges: tuple[ExchangeRow, ...]
    lost: tuple[tuple[str, str, bool], ...]
    exchange_pounds: int


def prizes_page(shore: Shore) -> PrizesPage:
    """The prizes and prisoners of a side for one reader. Rules: G.PR4, G.PR5, G.IN1."""
    economy, side = shore.economy, shore.side.code
    earned = economy.earned.get(side, (0,) * len(SHARERS))
    stages = _stages(shore)
    # the books may be further than the chart, which a turn that waits for a battle has not moved on yet
    pending = {(row.code, row.date_taken) for stage in stages for row in stage.prizes}
    return PrizesPage(
        fund=economy.funds.get(side, 0),
        earned=sum(earned),
        shares=tuple(zip(SHARERS, earned, strict=True)),
        stages=stages,
        closed=tuple(
            row for row in prizes_closed(shore.side.navy) if (row.ship.code, row.when) not in pending
        ),
        prisons=tuple(
            PrisonRow(shore.place(port), _side_name(shore, of), men)
            for (holder, port, of), men in sorted(economy.prisoners.items())
            if holder == side
        ),
        exchanges=tuple(
            ExchangeRow(code, row.name, economy.held(side, code), shore.order.exchange.get(code, 0))
            for code, row in sorted(shore.chart.facts.sides.items())
            if code != side
        ),
        lost=_lost(shore),
        exchange_pounds=shore.chart.facts.settings.exchange_pounds,
    )


def _side_name(shore: Shore, code: str) -> str:
    row = shore.chart.facts.sides.get(code)
    return row.name if row is not None else "the enemy"


def _stages(shore: Shore) -> tuple[StageRow, ...]:
    by_stage: dict[Stage, list[PrizeRow]] = {}
    for code, case in sorted(shore.economy.prizes.items()):
        ship = shore.chart.state.ships.get(code)
        if case.captor != shore.side.code or case.stage not in OPEN_STAGES or ship is None:
            continue
        if ship.side == shore.side.code and shore.sees(ship):
            by_stage.setdefault(case.stage, []).append(_prize(shore, case))
    titles = {
        Stage.SAILING: ("At sea", "manned and bound for one of our ports; the enemy can still retake them"),
        Stage.COURT: ("Before the prize court", "in port until condemned"),
        Stage.CONDEMNED: ("Condemned", "choose what to do with each"),
    }
    return tuple(
        StageRow(title, words, tuple(by_stage.get(stage, ()))) for stage, (title, words) in titles.items()
    )


def _prize(shore: Shore, case: PrizeCase) -> PrizeRow:
    chart, settings = shore.chart, shore.chart.facts.settings
    ship, played = chart.state.ships[case.ship], shore.played
    hold, choice = chart.state.prizes.get(case.ship), shore.order.choice(case.ship)
    condemned = case.stage is Stage.CONDEMNED
    pounds = case.value
    if not condemned:
        card, hull = played.facts.ships[case.ship].card, played.state.ships[case.ship].condition
        pounds = played.at_sea.pounds(card, hull)
    left = max(0, settings.court_days - case.court)
    port = shore.rules(port_of)(ship)
    fleet = chart.state.fleets[ship.fleet]
    where = (
        shore.place(port)
        if port
        else f"with {chart.name_of(fleet)}, {near(shore.place(chart.geometry.nearest(fleet.position)))}"
    )
    return PrizeRow(
        code=case.ship,
        name=shore.name(case.ship),
        taken_by=shore.name(case.taken_by) if case.taken_by in shore.chart.facts.ships else "",
        date_taken=shore.date(case.hour),
        where=where,
        crew=ship.men,
        prisoners=hold.prisoners if hold is not None else 0,
        pounds=pounds,
        head_money=case.head_money if condemned else settings.head_money * case.aboard,
        percent=min(100, 100 * case.court // settings.court_days) if settings.court_days else 100,
        date=shore.date(chart.hour + DAY * (-(-left // settings.yard_days)))
        if case.stage is Stage.COURT
        else "",
        act=choice.act.value if choice is not None else "",
        new_name=choice.name if choice is not None else "",
        affordable=pounds <= shore.economy.funds.get(shore.side.code, 0),
    )


def _lost(shore: Shore) -> tuple[tuple[str, str, bool], ...]:
    """Own ships in enemies' hands as far as their own side knows, with whether it offers for them. Rules: G.PR4, G.IN1."""
    codes = [
        code for code, case in shore.economy.prizes.items() if shore.use(may_ransom)(case, shore.side.code)
    ]
    names = ships_lost_to_enemies(shore.side.navy, codes)
    return tuple((code, name, code in shore.order.ransom) for code, name in names)
