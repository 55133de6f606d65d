"""What is handed to the automatic admiral ashore holds nothing of the other side. Rules: G.AA5, G.IN1."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Any

import pytest

from campaign.rules.chart.objectives import Row
from campaign.rules.chart.side_orders import SideOrder
from campaign.rules.chart.types import OfficerFacts, TurnFacts
from campaign.rules.state.economy import Economy, Job, PrizeCase, Stage
from campaign.rules.turn import quartermaster
from campaign.rules.turn.own_facts import own_facts
from tests.campaign.rules import builders as b

pytestmark = pytest.mark.clause("G.AA5", "G.IN1")

# stands in every name, code and figure of the Dutch that the English may not read
TELLTALE = "xq"
MONEY = 987_654


def secret() -> TurnFacts:
    """Two sides of which each has everything that a campaign can keep; what is Dutch has the telltale in it."""
    ours = b.ship("e1", "ENG", "e")
    prize = b.ship("p1", "ENG", "e", squadron="prizes", prize=True, men=30)
    theirs = b.ship(
        f"{TELLTALE}1", "NLD", f"{TELLTALE}f", name=f"{TELLTALE} ship", captain=f"{TELLTALE} captain"
    )
    made = b.facts(
        [b.fleet("e", "ENG", "home"), b.fleet(f"{TELLTALE}f", "NLD", "theirs")], [ours, prize, theirs]
    )
    economy = Economy()
    for side, code, port, fund in (("ENG", "e1", "home", 1_000), ("NLD", theirs.code, "theirs", MONEY)):
        economy.funds[side] = fund
        economy.earned[side] = (fund, fund)
        economy.jobs[code] = Job(code, side, port, "heavy", 0, 0, 91, 3, 0, berth=1)
        economy.prisoners[side, port, "ENG" if side == "NLD" else "NLD"] = fund
        economy.ashore[side, port] = fund
        economy.captives[code] = (side, fund)
        economy.stores[code] = economy.coal[code] = fund
        economy.orders[side] = SideOrder(side, queue=(code,))
    economy.prizes["p1"] = PrizeCase("p1", "ENG", "NLD", "e1", 0, 200, Stage.COURT, "home")
    economy.prizes[theirs.code] = PrizeCase(
        theirs.code, "NLD", "ENG", theirs.code, 0, 200, Stage.COURT, "theirs"
    )
    economy.mended = frozenset({"e1", theirs.code})
    carried: dict[str, Any] = {
        "economy": economy.doc(),
        "fleets": {"e": {"path": []}, f"{TELLTALE}f": {"path": [TELLTALE]}},
        "reports": [{"side": "NLD", "hour": 0, "number": 1, "fleet": TELLTALE}],
        "marks": {theirs.code: [TELLTALE]},
        "prizes": {theirs.code: [MONEY, "ENG"]},
        "guests": {f"{TELLTALE}f": 3},
        "duties": {
            "cargoes": {theirs.code: {"side": "NLD", "to": TELLTALE}},
            "interned": {theirs.code: {"side": "NLD"}},
        },
        "troops": {
            "armies": [["ENG", "home", 500, 0], ["NLD", "theirs", MONEY, 0]],
            "aboard": {theirs.code: MONEY},
            "boats": {theirs.code: MONEY},
        },
        "calendar": {"dated": {TELLTALE: 5}},
        "touches": [[f"{TELLTALE}f", "e"]],
        "met": {"NLD": [TELLTALE]},
        "aims": {"known": [TELLTALE]},
    }
    rows: list[dict[str, Any]] = [
        {"id": f"{TELLTALE}-secret", "side": "NLD", "public": False, "words": TELLTALE},
        {"id": "open", "side": "NLD", "words": "Open to all."},
        {"id": "own", "side": "ENG", "public": False, "words": "Ours."},
    ]
    aims = tuple(
        Row.read({"kind": "raid", "ports": ["home"], "marks": 5, "pay": "once", **row}) for row in rows
    )
    officers = {
        "ENG/A": OfficerFacts("A", "ENG", True, 1, ship="e1", status="serving"),
        "NLD/B": OfficerFacts(f"{TELLTALE} B", "NLD", True, 1, ship=theirs.code, status="serving"),
    }
    return replace(
        made, carried=carried, objectives=aims, officers=officers, accepted={f"{TELLTALE}b01": {"ship": TELLTALE}},
        side_orders={"ENG": SideOrder("ENG"), "NLD": SideOrder("NLD", queue=(theirs.code,))},
    )  # fmt: skip


def leaves(value: Any) -> Iterator[str]:
    """Everything that stands in a value, keys too, as text."""
    if hasattr(value, "__dataclass_fields__"):
        value = {name: getattr(value, name) for name in value.__dataclass_fields__}
    if isinstance(value, dict):
        for key, row in value.items():
            yield from leaves(key)
            yield from leaves(row)
    elif isinstance(value, (list, tuple, set, frozenset)):
        for row in value:
            yield from leaves(row)
    elif hasattr(value, "items"):
        yield from leaves(dict(value))
    else:
        yield str(value)


def test_nothing_of_the_other_side_appears_in_what_a_player_is_shown() -> None:
    facts = secret()
    assert any(TELLTALE in leaf for leaf in leaves(facts)) and str(MONEY) in set(leaves(facts))
    told = [leaf for leaf in leaves(own_facts(facts, "ENG")) if TELLTALE in leaf or leaf == str(MONEY)]
    assert told == []


def test_a_side_sees_everything_of_its_own() -> None:
    facts = secret()
    own = own_facts(facts, "ENG")
    assert (set(own.fleets), set(own.ships), set(own.officers)) == ({"e"}, {"e1", "p1"}, {"ENG/A"})
    economy, whole = Economy.read(own.carried["economy"]), Economy.read(facts.carried["economy"])
    assert economy.funds == {"ENG": 1_000} and economy.jobs == {"e1": whole.jobs["e1"]}
    assert economy.prizes == {"p1": whole.prizes["p1"]} and economy.orders == {"ENG": whole.orders["ENG"]}
    assert own.carried["troops"]["armies"] == [["ENG", "home", 500, 0]]
    assert [row.id for row in own.objectives] == ["open", "own"]
    assert (own.theatre, own.settings, own.sides) == (facts.theatre, facts.settings, facts.sides)


def test_the_admiral_ashore_is_given_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """The orders are the same whether the rest is there or not."""
    facts = secret()
    given: list[TurnFacts] = []

    def watched(whole: TurnFacts, side: str) -> TurnFacts:
        given.append(own_facts(whole, side))
        return given[-1]

    monkeypatch.setattr(quartermaster, "own_facts", watched)
    order = quartermaster.admiral_ashore(facts, "ENG")
    assert given and TELLTALE not in json.dumps(asdict(order), default=str)
    assert order == quartermaster.admiral_ashore(given[0], "ENG")
