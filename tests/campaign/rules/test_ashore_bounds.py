"""Prizes, prisoners, recruits, officers and points at their limits: whose, how many, to whom, and what does not change."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.fates import Fate
from campaign.rules.ashore.recruits import men_step
from campaign.rules.chart.side_orders import MenMove, PrizeAct, PrizeChoice, SideOrder
from campaign.rules.chart.theatre import read_theatre
from campaign.rules.chart.types import OfficerFacts, Position, Settings
from campaign.rules.losses.officers import flag_officer, officer_step, officers_of_lost_ship
from campaign.rules.prizes.prisoners import prisoner_step
from campaign.rules.prizes.prize_court import court_step, greatest_port, shares
from campaign.rules.state.clock import DAY
from campaign.rules.state.economy import OfficerNow, PrizeCase, Stage, officer_key
from campaign.rules.state.state import Contact, PrizeHold
from campaign.rules.state.world import Chart
from campaign.rules.turn import turn
from campaign.rules.turn.score import Point, decided, points_of, port_points
from tests.campaign.rules import builders as b


def chart(ships: list[Any] | None = None, faces: Iterable[int] = (), **over: Any) -> Chart:
    """England's fleet e at home with e1 and e2 and f at a with f1; the Dutch d at theirs. Home recruits seventy a week."""
    doc = b.square_doc()
    doc["nodes"][4]["recruits_per_week"] = over.pop("recruits", 70)
    rows = [b.ship("e1", "ENG", "e"), b.ship("e2", "ENG", "e"), b.ship("f1", "ENG", "f")]
    fleets = [b.fleet("e", "ENG", "home"), b.fleet("f", "ENG", "a"), b.fleet("d", "NLD", "theirs")]
    made = b.facts(fleets, [*(ships or rows), b.ship("d1", "NLD", "d")], sea=read_theatre(doc), **over)
    state = turn.begin(made, {}, b.dice(made))
    state.events.clear()
    return Chart(made, state, ScriptedDice(faces))


def events(of: Chart, kind: str) -> list[dict[str, Any]]:
    return [dict(event.data) for event in of.state.events if event.kind == kind]


def crews(of: Chart) -> dict[str, int]:
    return {code: ship.men for code, ship in sorted(of.state.ships.items()) if ship.side == "ENG"}


def with_men(**men: int) -> list[Any]:
    return [b.ship(code, "ENG", code[0], men=count) for code, count in men.items()]


@pytest.mark.clause("G.RP3")
def test_no_one_enlists_twice_in_a_day_or_beyond_the_complement_or_at_sea() -> None:
    made = chart(with_men(e1=299, e2=300, f1=200))
    b.step(men_step, made)
    assert crews(made) == {"e1": 300, "e2": 300, "f1": 200}
    (row,) = events(made, "recruited")
    assert (row["men"], row["joined"], row["bought"], row["ships"]) == (1, 0, 0, ["e1"])
    made.state.hour = 1
    made.state.ships["e1"] = replace(made.state.ships["e1"], men=200)
    b.step(men_step, made)
    assert crews(made)["e1"] == 200


@pytest.mark.clause("G.RP3")
def test_a_fractional_levy_is_carried_over_in_sevenths() -> None:
    made = chart(with_men(e1=100, e2=300), recruits=10, settings=Settings(yard_days=1))
    found = []
    for _ in range(8):
        b.step(men_step, made)
        found.append((crews(made)["e1"], made.state.economy.levied["home"]))
        made.state.hour += DAY
    assert found == [(101, 3), (102, 6), (104, 2), (105, 5), (107, 1), (108, 4), (110, 0), (111, 3)]


@pytest.mark.clause("G.RP3", "G.PR4")
@pytest.mark.parametrize(
    ("bounty", "fund", "pounds", "bought"),
    [(70, 1000, 3, 70), (71, 1000, 3, 70), (69, 1000, 3, 69), (70, 209, 3, 69), (70, 210, 3, 70), (70, 2, 3, 0),
     (70, -5, 3, 0), (70, 0, 0, 70)],
)  # fmt: skip
def test_the_bounty_buys_as_many_as_the_levy_the_order_and_the_fund_allow(
    bounty: int, fund: int, pounds: int, bought: int
) -> None:
    made = chart(with_men(e1=10, e2=300), settings=Settings(bounty_pounds=pounds))
    made.state.economy.orders["ENG"] = SideOrder("ENG", bounty={"home": bounty})
    made.state.economy.funds["ENG"] = fund
    b.step(men_step, made)
    assert crews(made)["e1"] == 10 + 70 + bought
    assert made.state.economy.funds["ENG"] == fund - pounds * bought
    left = bounty - bought
    assert made.state.economy.order("ENG").bounty == ({"home": left} if left else {})
    assert events(made, "recruited")[0]["bought"] == bought


@pytest.mark.clause("G.RP3")
def test_prizes_take_no_recruits_and_ships_are_manned_in_the_order_named() -> None:
    rows = [b.ship(f"e{n}", "ENG", "e", men=200) for n in (1, 2, 3)]
    rows.append(b.ship("p", "ENG", "e", prize=True, men=10))
    made = chart(rows, recruits=150)
    made.state.economy.orders["ENG"] = SideOrder("ENG", recruits=("e3", "e2"))
    b.step(men_step, made)
    assert crews(made) == {"e1": 200, "e2": 250, "e3": 300, "p": 10}


@pytest.mark.clause("G.RP3", "G.MV4")
@pytest.mark.parametrize(
    ("taker", "men", "engaged", "away", "moved", "waits"),
    [(200, 50, False, False, 50, False), (200, 1, False, False, 1, False),
     (290, 50, False, False, 10, False), (300, 50, False, False, 0, False),
     (0, 400, False, False, 300, False), (200, 50, True, False, 0, True), (200, 50, False, True, 0, True)],
)  # fmt: skip
def test_men_move_while_there_are_men_and_room_unless_in_contact_or_in_a_battle(
    taker: int, men: int, engaged: bool, away: bool, moved: int, waits: bool
) -> None:
    made = chart(with_men(e1=300, e2=taker), recruits=0)
    made.state.economy.orders["ENG"] = SideOrder("ENG", moves=(MenMove("e1", "e2", men),))
    if engaged:
        made.state.contacts["d", "e"] = Contact("d", "e", 5000, 90, since=0)
    if away:
        made.alter(made.state.fleets["e"], off_until=1)
    b.step(men_step, made)
    assert crews(made) == {"e1": 300 - moved, "e2": taker + moved}
    assert bool(made.state.economy.order("ENG").moves) is waits
    assert [row["men"] for row in events(made, "men_moved")] == ([moved] if moved else [])


@pytest.mark.clause("G.RP3")
@pytest.mark.parametrize("which", ["lost", "prize", "theirs"])
def test_a_move_that_can_never_be_made_is_cancelled(which: str) -> None:
    made = chart(with_men(e1=300, e2=200), recruits=0)
    other = {"lost": {"fleet": "", "fate": Fate.SUNK}, "prize": {"prize": True}, "theirs": {"side": "NLD"}}
    made.state.ships["e2"] = replace(made.state.ships["e2"], **other[which])  # type: ignore[arg-type]
    for move in (
        MenMove("e1", "e2", 5),
        MenMove("e2", "e1", 5),
        MenMove("e1", "x9", 5),
        MenMove("x9", "e1", 5),
    ):
        made.state.economy.orders["ENG"] = SideOrder("ENG", moves=(move,))
        b.step(men_step, made)
        assert made.state.economy.order("ENG").moves == ()
    assert made.state.ships["e1"].men == 300


@pytest.mark.clause("G.PR5", "G.CR1")
def test_captives_of_any_kind_are_landed_in_a_friendly_port_and_stay_aboard_elsewhere() -> None:
    rows = [b.ship("e1", "ENG", "e"), b.ship("p", "ENG", "e", prize=True), b.ship("f1", "ENG", "f")]
    made = chart(rows)
    made.state.prizes["p"] = PrizeHold(1, "NLD")
    made.state.economy.captives.update(
        {"p": ("FRA", 1), "e1": ("NLD", 7), "f1": ("NLD", 9), "x9": ("NLD", 2)}
    )
    b.step(prisoner_step, made)
    assert made.state.economy.prisoners == {("ENG", "home", "NLD"): 8, ("ENG", "home", "FRA"): 1}
    assert made.state.economy.captives == {"f1": ("NLD", 9)}
    assert made.state.prizes["p"].prisoners == 0
    assert [(row["ship"], row["captor"], row["men"]) for row in events(made, "prisoners_landed")] == [
        ("e1", "NLD", 7), ("p", "NLD", 1), ("p", "FRA", 1),
    ]  # fmt: skip
    made.state.economy.captives["f1"] = ("NLD", 9)
    made.state.ships["f1"] = replace(made.state.ships["f1"], fate=Fate.SUNK, fleet="")
    b.step(prisoner_step, made)
    assert made.state.economy.captives == {}, "who was aboard a ship that is lost is nobody's captive"
    made.state.hour = 5
    made.state.prizes["p"] = PrizeHold(3, "NLD")
    b.step(prisoner_step, made)
    assert made.state.prizes["p"].prisoners == 3


@pytest.mark.clause("G.PR5")
@pytest.mark.parametrize(
    ("english", "dutch", "pounds", "funds", "men"),
    [(1, 1, 1, (10, 10), 1), (5, 4, 1, (10, 10), 4), (9, 9, 1, (10, 10), 9), (9, 9, 2, (10, 9), 4), (9, 9, 1, (0, 10), 0),
     (9, 9, 1, (10, -3), 0), (9, 9, 0, (0, 0), 9), (9, 0, 1, (10, 10), 0)],
)  # fmt: skip
def test_an_exchange_is_limited_by_both_offers_and_both_funds(
    english: int, dutch: int, pounds: int, funds: tuple[int, int], men: int
) -> None:
    made = chart(settings=Settings(exchange_pounds=pounds))
    economy = made.state.economy
    for key, held in {
        ("ENG", "home", "NLD"): 3, ("ENG", "theirs", "NLD"): 20, ("NLD", "theirs", "ENG"): 20,
        ("ENG", "home", "FRA"): 5, ("FRA", "brest", "NLD"): 6,
    }.items():  # fmt: skip
        economy.hold(*key, held)
    economy.orders["ENG"] = SideOrder("ENG", exchange={"NLD": english})
    economy.orders["NLD"] = SideOrder("NLD", exchange={"ENG": dutch})
    economy.funds["ENG"], economy.funds["NLD"] = funds
    b.step(prisoner_step, made)
    assert (economy.held("ENG", "NLD"), economy.held("NLD", "ENG")) == (23 - men, 20 - men)
    assert (economy.held("ENG", "FRA"), economy.held("FRA", "NLD")) == (5, 6)
    assert economy.prisoners.get(("ENG", "home", "NLD"), 0) == max(0, 3 - men)
    assert (economy.funds["ENG"], economy.funds["NLD"]) == tuple(fund - pounds * men for fund in funds)
    assert [row["men"] for row in events(made, "exchanged")] == ([men] if men else [])
    left = english - men
    assert economy.order("ENG").exchange == ({"NLD": left} if left else {})


def prize(
    stage: Stage = Stage.CONDEMNED, *, act: PrizeAct | None = None, name: str = "", **over: Any
) -> Chart:
    """A Dutch prize in the English fleet at home, before the court of home, worth 4001 pounds."""
    rows = [b.ship("e1", "ENG", "e", order=3), b.ship("e2", "ENG", "e", order=1)]
    rows.append(b.ship("p", "ENG", "e", squadron="prizes", prize=True, men=30))
    made = chart(rows, **over)
    economy = made.state.economy
    port = "" if stage is Stage.SAILING else "home"
    value = 4001 if stage is Stage.CONDEMNED else 0
    economy.prizes["p"] = PrizeCase("p", "ENG", "NLD", "e1", 0, 200, stage, port, value=value, head_money=7)
    made.state.prizes["p"] = PrizeHold(0, "NLD")
    economy.funds.update(ENG=10_000, NLD=10_000)
    if act is not None:
        economy.orders["ENG"] = SideOrder("ENG", choices=(PrizeChoice("p", act, name),))
    return made


@pytest.mark.clause("G.PR4")
def test_the_court_begins_the_next_morning_says_when_it_ends_and_keeps_its_days() -> None:
    made = prize(Stage.SAILING, settings=Settings(court_days=15, yard_days=7))
    b.step(court_step, made)
    (row,) = events(made, "prize_in_port")
    assert (row["ready"], row["days"]) == (3 * DAY, 3)
    stages = []
    for _ in range(3):
        made.state.hour += DAY
        b.step(court_step, made)
        stages.append((made.state.economy.prizes["p"].stage, made.state.economy.prizes["p"].court))
    assert stages == [(Stage.COURT, 7), (Stage.COURT, 14), (Stage.CONDEMNED, 21)]
    exact = prize(Stage.COURT, settings=Settings(court_days=7, yard_days=7))
    b.step(court_step, exact)
    case = exact.state.economy.prizes["p"]
    assert (case.stage, case.value, case.head_money) == (Stage.CONDEMNED, 4000, 5 * 200)


@pytest.mark.clause("G.PR4")
def test_a_prize_that_puts_to_sea_begins_again_before_another_court() -> None:
    made = prize(Stage.COURT)
    made.alter(made.state.fleets["e"], position=Position("home", "a", 5))
    b.step(court_step, made)
    case = made.state.economy.prizes["p"]
    assert (case.stage, case.port, case.court) == (Stage.SAILING, "", 0)


@pytest.mark.clause("G.PR4")
@pytest.mark.parametrize(
    ("changes", "stage"),
    [({"fate": Fate.BURNT, "fleet": ""}, Stage.BURNT), ({"fate": Fate.SUNK, "fleet": ""}, Stage.LOST),
     ({"side": "NLD"}, Stage.LOST), ({"fleet": ""}, Stage.LOST)],
)  # fmt: skip
def test_a_lost_prize_is_no_longer_before_the_court(changes: dict[str, Any], stage: Stage) -> None:
    made = prize(Stage.COURT)
    made.state.ships["p"] = replace(made.state.ships["p"], **changes)
    b.step(court_step, made)
    assert made.state.economy.prizes["p"].stage is stage


@pytest.mark.clause("G.PR4")
@pytest.mark.parametrize(
    ("act", "fund", "earned"),
    [
        (PrizeAct.BUY, 5999, 4008),
        (PrizeAct.SELL, 14001, 4008),
        (PrizeAct.HULK, 11000, 0),
        (PrizeAct.BURN, 10000, 0),
    ],
)
def test_a_prize_brings_or_costs_the_fund_and_her_captors_the_right_sums(
    act: PrizeAct, fund: int, earned: int
) -> None:
    made = prize(act=act)
    b.step(court_step, made)
    economy = made.state.economy
    assert economy.funds["ENG"] == fund
    assert sum(economy.earned.get("ENG", ())) == earned
    assert made.state.ships["p"].prize is False
    kind = {PrizeAct.BUY: "prize_bought", PrizeAct.SELL: "prize_sold", PrizeAct.HULK: "prize_hulked",
            PrizeAct.BURN: "burnt_in_port"}[act]  # fmt: skip
    pounds = {PrizeAct.BUY: 4001, PrizeAct.SELL: 4001, PrizeAct.HULK: 1000, PrizeAct.BURN: 0}[act]
    assert [row["pounds"] for row in events(made, kind)] == [pounds]
    b.step(court_step, made)
    assert economy.funds["ENG"] == fund
    assert ("p" in economy.vacant) is (act is PrizeAct.BUY)


@pytest.mark.clause("G.PR4")
def test_a_ship_bought_in_is_last_in_the_leading_squadron_of_her_fleet() -> None:
    made = prize(act=PrizeAct.BUY)
    b.step(court_step, made)
    ship = made.state.ships["p"]
    assert (ship.squadron, ship.order, ship.captain) == ("e-1", 4, "")
    (row,) = events(made, "prize_bought")
    assert (row["name"], row["former"], made.state.economy.names) == ("Ship p", "Ship p", {})
    named = prize(act=PrizeAct.BUY, name="Guelder")
    b.step(court_step, named)
    (row,) = events(named, "prize_bought")
    assert (row["name"], row["former"], named.state.economy.names) == ("Guelder", "Ship p", {"p": "Guelder"})
    same = prize(act=PrizeAct.BUY, name="Ship p")
    b.step(court_step, same)
    assert same.state.economy.names == {}
    alone = prize(act=PrizeAct.BUY)
    for code in ("e1", "e2"):
        alone.state.ships[code] = replace(alone.state.ships[code], fleet="f")
    alone.ships_changed()
    b.step(court_step, alone)
    assert (alone.state.ships["p"].squadron, alone.state.ships["p"].order) == ("e", 0)


@pytest.mark.clause("G.PR4")
@pytest.mark.parametrize(
    ("offers", "fund", "done"), [(True, 4001, True), (True, 4000, False), (False, 9000, False)]
)
def test_a_prize_is_returned_only_to_a_side_that_offers_and_can_pay(
    offers: bool, fund: int, done: bool
) -> None:
    made = prize(act=PrizeAct.EXCHANGE)
    economy = made.state.economy
    economy.funds["NLD"] = fund
    economy.orders["NLD"] = SideOrder("NLD", ransom=("p", "q") if offers else ("q",))
    b.step(court_step, made)
    assert (economy.prizes["p"].stage is Stage.EXCHANGED) is done
    assert economy.funds == ({"ENG": 14001, "NLD": fund - 4001} if done else {"ENG": 10_000, "NLD": fund})
    if done:
        assert economy.order("NLD").ransom == ("q",)
        ship = made.state.ships["p"]
        assert (ship.side, ship.men, ship.order, made.state.fleets[ship.fleet].position.at) == (
            "NLD",
            0,
            0,
            "theirs",
        )


@pytest.mark.clause("G.PR4")
def test_the_main_port_of_a_side_has_the_best_yard_and_then_the_most_berths() -> None:
    def ports(*rows: tuple[str, int, int]) -> Chart:
        doc = b.square_doc()
        doc["nodes"] = [node for node in doc["nodes"] if node["id"] != "home"]
        doc["edges"] = [edge for edge in doc["edges"] if "home" not in edge]
        for n, (code, yard, berths) in enumerate(rows):
            doc["nodes"].append(
                {"id": code, "name": code, "latitude": 1.0, "longitude": 1 + n / 10, "zone": "sea", "kind": "port",
                 "owner": "England", "dockyard_capacity": yard, "berths": berths}
            )  # fmt: skip
            doc["edges"].append(["a", code])
        made = b.facts([b.fleet("e", "ENG", "a")], sea=read_theatre(doc))
        return Chart(made, turn.begin(made, {}, b.dice(made)), ScriptedDice(()))

    assert greatest_port(ports(("p", 1, 9), ("q", 2, 1)), "ENG") == "q"
    assert greatest_port(ports(("p", 2, 1), ("q", 2, 3)), "ENG") == "q"
    assert greatest_port(ports(("q", 2, 3), ("p", 2, 3)), "ENG") == "p"
    assert greatest_port(ports(), "ENG") == ""


@pytest.mark.clause("G.PR4")
@pytest.mark.parametrize(
    ("pounds", "parts"),
    [(8, (2, 1, 1, 1, 1, 2)), (15, (3, 1, 1, 1, 1, 8)), (0, (0,) * 6), (800, (200, 100, 100, 100, 100, 200))],
)
def test_the_eighths_of_the_act_go_by_class(pounds: int, parts: tuple[int, ...]) -> None:
    assert shares(pounds) == parts


def admiralty(*rows: tuple[str, str, bool, str], faces: Iterable[int] = (), **ships: dict[str, Any]) -> Chart:
    """Officers by seniority (name, ship, flag, status); e1 is the flagship of e-1. ships: what is changed of e1, e2 and f1."""
    made = [
        OfficerFacts(name, "ENG", flag, n, ship, status) for n, (name, ship, flag, status) in enumerate(rows)
    ]
    found = chart(officers={officer_key("ENG", row.name): row for row in made}, faces=faces)
    squadrons = {**found.facts.squadrons, "e-1": replace(found.facts.squadrons["e-1"], flagship="e1")}
    found.facts = replace(found.facts, squadrons=squadrons)
    for code, changes in ships.items():
        found.state.ships[code] = replace(found.state.ships[code], **changes)
    found.ships_changed()
    return found


SERVING = "serving"


def where(of: Chart) -> dict[str, tuple[str, str, bool]]:
    return {
        key.split("/")[1]: (now.ship, now.status, now.flag_rank)
        for key, now in of.state.economy.officers.items()
    }


@pytest.mark.clause("G.AF1")
def test_a_flag_goes_to_a_flag_officer_without_a_ship_before_any_captain() -> None:
    made = admiralty(
        ("Hurt", "", True, "wounded"), ("Cox", "e2", False, SERVING), ("Holmes", "", True, SERVING),
        ("Smith", "", True, SERVING),
    )  # fmt: skip
    made.state.economy.vacant = frozenset({"e-1"})
    b.step(officer_step, made)
    assert where(made) == {"Holmes": ("e1", SERVING, True)}
    assert made.state.economy.vacant == frozenset()
    (row,) = events(made, "officer_hoists")
    assert (row["name"], row["place"], row["ship"], row["ships"]) == ("Holmes", "Squadron e-1", "e1", ["e1"])
    assert flag_officer(made, "e-1") == "Holmes"


@pytest.mark.clause("G.AF1")
def test_a_flying_flag_is_not_hoisted_again_and_a_flag_with_no_candidate_is_left() -> None:
    made = admiralty(("Rupert", "e1", True, SERVING), ("Holmes", "", True, SERVING))
    made.state.economy.vacant = frozenset({"e-1"})
    b.step(officer_step, made)
    assert (where(made), made.state.economy.vacant) == ({}, frozenset())
    nobody = admiralty(("Cox", "f1", False, SERVING), ("Old", "", True, "killed"))
    nobody.state.economy.vacant = frozenset({"e-1"})
    b.step(officer_step, nobody)
    assert (where(nobody), nobody.state.economy.vacant, flag_officer(nobody, "e-1")) == ({}, frozenset(), "")


@pytest.mark.clause("G.AF1")
@pytest.mark.parametrize(
    "changes",
    [{"fate": Fate.SUNK, "fleet": ""}, {"prize": True}, {"squadron": "f-1"}],
    ids=["lost", "prize", "moved"],
)
def test_a_flag_waits_for_the_turns_end_when_the_flagship_is_apart_from_her_squadron(
    changes: dict[str, Any],
) -> None:
    made = admiralty(("Holmes", "", True, SERVING), e1=changes)
    made.state.economy.vacant = frozenset({"e-1"})
    b.step(officer_step, made)
    assert (where(made), made.state.economy.vacant) == ({}, frozenset({"e-1"}))


@pytest.mark.clause("G.AF1")
def test_a_captain_who_hoists_the_flag_leaves_the_ship_to_the_next() -> None:
    made = admiralty(
        ("Cox", "e2", False, SERVING),
        ("Lane", "", False, SERVING),
        e2={"captain": "Cox"},
        e1={"captain": "Poole"},
    )
    made.state.economy.vacant = frozenset({"e-1"})
    b.step(officer_step, made)
    assert where(made) == {"Cox": ("e1", SERVING, True), "Lane": ("e2", SERVING, False)}
    assert (made.state.ships["e2"].captain, made.state.ships["e1"].captain) == ("Lane", "Poole")
    assert made.state.economy.vacant == frozenset()


@pytest.mark.clause("G.AF1")
def test_a_ship_without_a_captain_waits_for_one_and_one_that_needs_none_stops_waiting() -> None:
    made = admiralty(("Flag", "", True, SERVING), ("Hurt", "", False, "wounded"), ("Busy", "e2", False, SERVING),
                     e1={"captain": ""})  # fmt: skip
    made.state.economy.vacant = frozenset({"e1", "x9"})
    b.step(officer_step, made)
    assert (made.state.economy.vacant, made.state.ships["e1"].captain) == (frozenset({"e1"}), "")
    for changes in ({"prize": True}, {"fleet": ""}, {"captain": "Cox"}, {"fate": Fate.SUNK}):
        named = admiralty(("Lane", "", False, SERVING), e1={"captain": "", **changes})
        named.state.economy.vacant = frozenset({"e1"})
        b.step(officer_step, named)
        assert (named.state.economy.vacant, where(named)) == (frozenset(), {})
    made.state.hour = 5
    made.state.economy.vacant = frozenset({"x9"})
    b.step(officer_step, made)
    assert made.state.economy.vacant == frozenset({"x9"})


@pytest.mark.clause("G.AF1")
def test_wounded_officers_are_fit_at_their_hour_and_those_whose_ship_is_gone_are_ashore() -> None:
    made = admiralty(
        ("Cox", "e1", False, "wounded"), ("Lane", "e2", False, SERVING), ("Poole", "f1", False, SERVING),
        ("Moon", "x9", False, SERVING), ("Holmes", "d1", True, SERVING),
        e2={"fate": Fate.SUNK, "fleet": ""},
    )  # fmt: skip
    made.state.economy.wounds = {"ENG/Cox": DAY, "ENG/Gone": 99 * DAY}
    b.step(officer_step, made)
    assert made.state.economy.wounds == {"ENG/Cox": DAY}
    assert where(made) == {name: ("", SERVING, name == "Holmes") for name in ("Lane", "Moon", "Holmes")}
    made.state.hour = DAY
    b.step(officer_step, made)
    assert made.state.economy.wounds == {}
    assert where(made)["Cox"] == ("e1", SERVING, False)
    assert [row["name"] for row in events(made, "officer_fit")] == ["Cox"]
    made.state.economy.wounds = {"ENG/Lane": 0}
    made.state.economy.officers["ENG/Lane"] = OfficerNow("", "killed", False)
    b.step(officer_step, made)
    assert where(made)["Lane"][1] == "killed"


@pytest.mark.clause("G.AF1", "T.C21")
@pytest.mark.parametrize(
    ("status", "faces", "saved", "fate", "now"),
    [
        (SERVING, (3,), True, Fate.FOUNDERED, ("", SERVING)),
        (SERVING, (2,), True, Fate.FOUNDERED, ("", "killed")),
        ("wounded", (3,), True, Fate.FOUNDERED, ("", "wounded")),
        ("wounded", (2,), True, Fate.FOUNDERED, ("", "killed")),
        (SERVING, (), False, Fate.FOUNDERED, ("", "killed")),
        (SERVING, (), True, Fate.WRECKED, ("", SERVING)),
        ("killed", (), True, Fate.FOUNDERED, None),
    ],
)
def test_officers_of_a_ship_lost_on_the_chart_meet_her_fate(
    status: str, faces: tuple[int, ...], saved: bool, fate: Fate, now: tuple[str, str] | None
) -> None:
    made = admiralty(("Cox", "e1", False, status), ("Lane", "e2", False, SERVING), faces=faces)
    ship = made.state.ships["e1"]
    made.state.ships["e1"] = replace(ship, fleet="", fate=fate)
    officers_of_lost_ship(made, ship, Position("a"), fate, hour=None, saved=saved)
    found = {name: row[:2] for name, row in where(made).items()}
    assert found == ({"Cox": now} if now else {})


@pytest.mark.clause("G.AF1")
def test_a_squadrons_officer_is_the_serving_flag_officer_in_its_flagship() -> None:
    assert flag_officer(chart(), "e-1") == ""
    named = chart()
    row = replace(named.facts.squadrons["e-1"], officer="Monck")
    named.facts = replace(named.facts, squadrons={**named.facts.squadrons, "e-1": row})
    assert flag_officer(named, "e-1") == "Monck"
    made = admiralty(
        ("Hurt", "e1", True, "wounded"), ("Cox", "e1", False, SERVING), ("Else", "e2", True, SERVING),
        ("Rupert", "e1", True, SERVING),
    )  # fmt: skip
    assert flag_officer(made, "e-1") == "Rupert"
    del made.state.ships["e1"]
    assert flag_officer(made, "e-1") == ""


@pytest.mark.clause("G.VP1")
@pytest.mark.parametrize("kind", ["captured", "retaken", "let_go"])
def test_a_ship_that_changes_hands_moves_her_value_and_one_of_unknown_worth_moves_none(kind: str) -> None:
    for ship, value in (("D1", Fraction(7)), ("X9", Fraction(0))):
        row = (9, kind, {"battle": "b01", "ship": ship, "side": "NLD", "captor": "ENG"})
        assert list(points_of([row], {"D1": Fraction(7)}, Settings())) == [
            Point("ENG", value, "taken", ship, 9, "b01"),
            Point("NLD", -value, "lost to the enemy", ship, 9, "b01"),
        ]


@pytest.mark.clause("G.VP1")
def test_a_loss_counts_only_for_the_sides_in_its_battle() -> None:
    rows: list[tuple[int, str, dict[str, Any]]] = [
        (5, "battle", {"battle": "b01", "fleets": {"ENG": [], "NLD": []}}),
        (6, "lost", {"battle": "b02", "ship": "D1", "side": "NLD"}),
        (7, "lost", {"battle": "b01", "ship": "X9", "side": "NLD"}),
        (8, "sighted", {"ship": "D1", "side": "NLD"}),
    ]
    assert list(points_of(rows, {"D1": Fraction(7)}, Settings())) == [
        Point("NLD", Fraction(-7), "lost", "D1", 6, "b02"),
        Point("NLD", Fraction(0), "lost", "X9", 7, "b01"),
        Point("ENG", Fraction(0), "destroyed", "X9", 7, "b01"),
    ]
    assert [(p.subject, p.hour, p.battle) for p in port_points({"ENG": 1}, 5, Settings(port_points=2))] == [
        ("", 5, "")
    ]
    assert list(port_points({"ENG": 0}, 5, Settings(port_points=2))) == []


@pytest.mark.clause("G.EN1")
def test_a_side_wins_with_exactly_the_points_and_only_alone() -> None:
    at = Settings(end_points=100)
    assert decided({"ENG": Fraction(100), "NLD": Fraction(99)}, at) == "ENG"
    assert decided({"ENG": Fraction(1999, 20), "NLD": Fraction(0)}, at) == ""
    assert decided({"ENG": Fraction(100), "NLD": Fraction(100)}, at) == ""
    assert decided({"ENG": Fraction(5), "NLD": Fraction(1)}, Settings(end_points=1)) == "ENG"


@pytest.mark.clause("G.PR4", "G.CL2")
@pytest.mark.parametrize("stage", [Stage.SAILING, Stage.COURT, Stage.CONDEMNED])
def test_the_court_does_not_sit_on_a_prize_of_a_fleet_that_is_in_a_battle_or_held(stage: Stage) -> None:
    for over, kept in (({"off_until": 1}, True), ({"held_by": "b1"}, stage is Stage.SAILING)):
        made = prize(stage, act=PrizeAct.SELL)
        before = made.state.economy.prizes["p"]
        made.alter(made.state.fleets["e"], **over)  # type: ignore[arg-type]
        b.step(court_step, made)
        assert (made.state.economy.prizes["p"] == before) is kept
        assert made.state.economy.funds["ENG"] == 10_000


@pytest.mark.clause("G.PR4")
def test_a_prize_is_not_returned_to_a_side_without_a_port() -> None:
    made = prize(act=PrizeAct.EXCHANGE)
    made.state.economy.orders["NLD"] = SideOrder("NLD", ransom=("p",))
    homeless = replace(made.facts.sides["NLD"], nations=("Nowhere",))
    made.facts = replace(made.facts, sides={**made.facts.sides, "NLD": homeless})
    b.step(court_step, made)
    assert made.state.economy.prizes["p"].stage is Stage.CONDEMNED
    assert made.state.economy.funds == {"ENG": 10_000, "NLD": 10_000}
    assert made.state.ships["p"].side == "ENG"


@pytest.mark.clause("G.RP3", "G.IN1")
def test_each_side_mans_and_pays_for_its_own_ships_alone() -> None:
    made = chart(with_men(e1=200, e2=300))
    made.state.ships["d1"] = replace(made.state.ships["d1"], men=200)
    made.state.economy.ashore = {("ENG", "home"): 7, ("NLD", "theirs"): 9, ("ENG", "theirs"): 50}
    b.step(men_step, made)
    rows = [(row["side"], row["place"], row["ships"], row["joined"]) for row in events(made, "recruited")]
    assert rows == [("ENG", "home", ["e1"], 7), ("NLD", "theirs", ["d1"], 9)]
    assert made.state.economy.ashore.get(("ENG", "theirs")) == 50


@pytest.mark.clause("G.RP3", "G.MV4")
@pytest.mark.parametrize(("at", "moved"), [("home", True), ("a", False), ("theirs", False)])
def test_men_move_between_fleets_in_company_and_wait_where_these_are_apart(at: str, moved: bool) -> None:
    made = chart([*with_men(e1=300, e2=300), b.ship("f1", "ENG", "f", men=200)], recruits=0)
    made.alter(made.state.fleets["f"], position=Position(at))
    made.state.economy.orders["ENG"] = SideOrder("ENG", moves=(MenMove("e1", "f1", 30),))
    b.step(men_step, made)
    assert bool(made.state.economy.order("ENG").moves) is not moved
    assert made.state.ships["f1"].men == (230 if moved else 200)
