"""What a side has ashore, as a turn leaves it: funds, yards, prizes, prisoners, men, stores, officers. Every value is immutable.

Pounds and men are whole numbers, work is in yard-days, hours are the chart's. Rules: G.PR1-G.PR5, G.RP1-G.RP4, G.AF1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any

from campaign.rules.chart.side_orders import SideOrder, side_order_doc, side_order_from

NO_BERTH = -1
AFLOAT = 0
SHARERS = ("captains", "flag officers", "lieutenants", "warrant officers", "petty officers", "seamen")
EIGHTHS = (2, 1, 1, 1, 1, 2)


class Stage(StrEnum):
    """How far a prize has come. Rules: G.PR1, G.PR3, G.PR4."""

    SAILING = "sailing"
    COURT = "court"
    CONDEMNED = "condemned"
    BOUGHT = "bought"
    SOLD = "sold"
    HULKED = "hulked"
    BURNT = "burnt"
    EXCHANGED = "exchanged"
    RETAKEN = "retaken"
    LOST = "lost"


OPEN_STAGES = frozenset({Stage.SAILING, Stage.COURT, Stage.CONDEMNED})


@dataclass(frozen=True, slots=True)
class Job:
    """A ship in the hands of a yard. done, total: yard-days. berth: its number, 0 for work afloat, -1 while she waits for one.

    hull: the class of work; needs: least class of yard for it. began: hour of committing; ready: hour at which she is expected to
    be whole if nothing changes, 0 when no one can say. Rule: G.RP2.
    """

    ship: str
    side: str
    port: str
    hull: str
    masts: int
    batteries: int
    total: int
    needs: int
    began: int
    done: int = 0
    berth: int = NO_BERTH
    ready: int = 0


@dataclass(frozen=True, slots=True)
class PrizeCase:
    """A prize on her way through port and court.

    captor, taken_from: sides; taken_by: ship; hour: of the capture; aboard: men aboard her at the start of the action. port: where
    she lies, court: yard-days before the court. value, head_money: pounds, as condemned. Rules: G.PR1, G.PR4.
    """

    ship: str
    captor: str
    taken_from: str
    taken_by: str
    hour: int
    aboard: int
    stage: Stage = Stage.SAILING
    port: str = ""
    court: int = 0
    value: int = 0
    head_money: int = 0


@dataclass(frozen=True, slots=True)
class OfficerNow:
    """An officer as this turn has changed him. ship: code, "" ashore. status: serving, wounded, killed or captured. Rule: G.AF1."""

    ship: str
    status: str
    flag_rank: bool


def officer_key(side: str, name: str) -> str:
    """What an officer is known by in facts and state."""
    return f"{side}/{name}"


@dataclass(slots=True)
class Economy:
    """Everything ashore, by codes.

    funds: pounds by side. earned: prize money paid out by side, one sum a class of SHARERS. jobs, prizes: by ship. prisoners: men by
    (holder, port, side they belong to). ashore: own men without a ship by (side, port). captives: prisoners aboard a ship that is no
    prize, as (side, men). levied: sevenths of a man that a port still owes. mended: ships whose carpenters have done what they can
    on this cruise. stores: days of provisions left. coal: hours of it left in steamers. names: ships renamed in
    this turn. orders: what is left of each side's orders. officers: changed in this turn, by "side/name"; wounds: hour until which
    one is unfit; vacant: squadrons that have lost their flag officer.
    """

    funds: dict[str, int] = field(default_factory=dict)
    earned: dict[str, tuple[int, ...]] = field(default_factory=dict)
    jobs: dict[str, Job] = field(default_factory=dict)
    prizes: dict[str, PrizeCase] = field(default_factory=dict)
    prisoners: dict[tuple[str, str, str], int] = field(default_factory=dict)
    ashore: dict[tuple[str, str], int] = field(default_factory=dict)
    captives: dict[str, tuple[str, int]] = field(default_factory=dict)
    levied: dict[str, int] = field(default_factory=dict)
    mended: frozenset[str] = frozenset()
    stores: dict[str, int] = field(default_factory=dict)
    coal: dict[str, int] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    orders: dict[str, SideOrder] = field(default_factory=dict)
    officers: dict[str, OfficerNow] = field(default_factory=dict)
    wounds: dict[str, int] = field(default_factory=dict)
    vacant: frozenset[str] = frozenset()

    def copy(self) -> Economy:
        """One that can be changed without touching this."""
        return replace(
            self,
            funds=dict(self.funds),
            earned=dict(self.earned),
            jobs=dict(self.jobs),
            prizes=dict(self.prizes),
            prisoners=dict(self.prisoners),
            ashore=dict(self.ashore),
            captives=dict(self.captives),
            levied=dict(self.levied),
            stores=dict(self.stores),
            coal=dict(self.coal),
            names=dict(self.names),
            orders=dict(self.orders),
            officers=dict(self.officers),
            wounds=dict(self.wounds),
        )

    def opened(self) -> Economy:
        """As a new turn finds it: names and officers are in the turn's facts, and are no longer news."""
        return replace(self, names={}, officers={})

    def order(self, side: str) -> SideOrder:
        """What is left of a side's orders; nothing when it never gave any."""
        return self.orders.get(side) or SideOrder(side)

    def hold(self, holder: str, port: str, of: str, men: int) -> None:
        """Add prisoners to those held at a port; a negative number takes away, and no more than there are is never asked."""
        _add(self.prisoners, (holder, port, of), men)

    def land(self, side: str, port: str, men: int) -> None:
        """Add men of a side ashore at a port, or take some away."""
        _add(self.ashore, (side, port), men)

    def held(self, holder: str, of: str) -> int:
        """How many people of a side another holds, at all its ports."""
        return sum(men for (who, _, whose), men in self.prisoners.items() if (who, whose) == (holder, of))

    def pay(self, side: str, pounds: int) -> None:
        """Pay into a side's prize fund, or out of it. Rule: G.PR4."""
        self.funds[side] = self.funds.get(side, 0) + pounds

    def doc(self) -> dict[str, Any]:
        """As a JSON document, in the order of codes."""
        return {
            "funds": dict(sorted(self.funds.items())),
            "earned": {side: list(self.earned[side]) for side in sorted(self.earned)},
            "jobs": [asdict(self.jobs[ship]) for ship in sorted(self.jobs)],
            "prizes": [
                {**asdict(self.prizes[ship]), "stage": self.prizes[ship].stage.value}
                for ship in sorted(self.prizes)
            ],
            "prisoners": [[*key, self.prisoners[key]] for key in sorted(self.prisoners)],
            "ashore": [[*key, self.ashore[key]] for key in sorted(self.ashore)],
            "captives": {ship: list(self.captives[ship]) for ship in sorted(self.captives)},
            "levied": dict(sorted(self.levied.items())),
            "mended": sorted(self.mended),
            "stores": dict(sorted(self.stores.items())),
            "coal": dict(sorted(self.coal.items())),
            "names": dict(sorted(self.names.items())),
            "orders": [side_order_doc(self.orders[side]) for side in sorted(self.orders)],
            "officers": {key: asdict(self.officers[key]) for key in sorted(self.officers)},
            "wounds": dict(sorted(self.wounds.items())),
            "vacant": sorted(self.vacant),
        }

    @classmethod
    def read(cls, doc: Mapping[str, Any]) -> Economy:
        """Read back what `doc` wrote; an empty document is an economy in which nothing has happened yet."""
        jobs = [Job(**row) for row in doc.get("jobs", ())]
        prizes = [PrizeCase(**{**row, "stage": Stage(row["stage"])}) for row in doc.get("prizes", ())]
        orders = [side_order_from(row) for row in doc.get("orders", ())]
        return cls(
            funds=dict(doc.get("funds", {})),
            earned={side: tuple(sums) for side, sums in doc.get("earned", {}).items()},
            jobs={job.ship: job for job in jobs},
            prizes={case.ship: case for case in prizes},
            prisoners={(holder, port, of): men for holder, port, of, men in doc.get("prisoners", ())},
            ashore={(side, port): men for side, port, men in doc.get("ashore", ())},
            captives={ship: (of, men) for ship, (of, men) in doc.get("captives", {}).items()},
            levied=dict(doc.get("levied", {})),
            mended=frozenset(doc.get("mended", ())),
            stores=dict(doc.get("stores", {})),
            coal=dict(doc.get("coal", {})),
            names=dict(doc.get("names", {})),
            orders={order.side: order for order in orders},
            officers={key: OfficerNow(**row) for key, row in doc.get("officers", {}).items()},
            wounds=dict(doc.get("wounds", {})),
            vacant=frozenset(doc.get("vacant", ())),
        )


def _add(table: dict[Any, int], key: Any, men: int) -> None:
    left = table.get(key, 0) + men
    if left:
        table[key] = left
    else:
        table.pop(key, None)
