"""Tasks of the automatic admiral, how they are shared out, and how far he commits himself. Rules: G.AA1, G.AA2, G.AA4."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from battles.engine.core.scenario import Stance
from campaign.rules.admiral.tasks import Verb
from campaign.rules.chart.objectives import Row
from campaign.rules.chart.types import FleetOrder, Instructions, OnArrival, TurnFacts
from campaign.rules.orders.orders import order_faults
from tests.campaign.rules import builders as b
from tests.campaign.rules.admiral.builders import done, plan, row, seen, tasks, two, war


def verbs(*aims: Row, **over: Any) -> list[tuple[Verb, str]]:
    return [(task.verb, task.place) for task in tasks(war(*aims, **over)).all()]


AT_C = (seen(300),)


@pytest.mark.clause("G.AA1")
@pytest.mark.parametrize(
    ("aim", "found"),
    [
        (row("bring", what="line", number=4, to=["b"]), [(Verb.GO, "b")]),
        (row("gather", at=["b"], least_line=3), [(Verb.GO, "b")]),
        (row("close", port="theirs"), [(Verb.BLOCKADE, "theirs")]),
        (row("sea", places=["b"], least_marks=2), [(Verb.HOLD, "b")]),
        (row("destroy", group="all", left=50), [(Verb.SEEK, "c")]),
        (row("raid", ports=["theirs"]), [(Verb.RAID, "theirs")]),
        (row("keep", group="all", left=50), []),
        (row("land", men=1_000, at=["theirs"]), []),  # there is no army
        (row("gather", "NLD", at=["b"], least_line=3), [(Verb.SEEK, "c")]),
        (row("sea", "NLD", places=["b"], least_marks=2), [(Verb.HOLD, "b")]),
        (row("keep", "NLD", group="all", left=50), [(Verb.SEEK, "c")]),
        (row("destroy", "NLD", group="all", left=50), []),
        (row("raid", "NLD", ports=["home"]), []),  # no enemy is expected there
        (row("close", "NLD", port="home"), []),
    ],
)
def test_each_kind_of_objective_becomes_its_tasks(aim: Row, found: list[tuple[Verb, str]]) -> None:
    assert verbs(aim, english=4, reports=AT_C) == found


@pytest.mark.clause("G.AA1")
def test_a_contact_off_its_own_port_is_watched_there_and_a_port_in_danger_is_covered() -> None:
    assert verbs(row("destroy", group="all", left=50), reports=[seen(395)]) == [(Verb.BLOCKADE, "theirs")]
    near_home = [seen(5)]
    assert verbs(row("raid", "NLD", ports=["home"]), reports=near_home) == [(Verb.COVER, "home")]
    assert (Verb.SEEK, "home") not in verbs(row("close", "NLD", port="theirs"), reports=near_home)


@pytest.mark.clause("G.AA1")
def test_a_denial_is_a_task_against_the_objective_that_it_names() -> None:
    deny = row("deny", objective="NLD_sea", pay="end")
    other = row("sea", "NLD", places=["b"], least_marks=2)
    assert verbs(deny, other) == [(Verb.HOLD, "b")]


@pytest.mark.clause("G.AA1")
def test_nothing_is_done_for_what_is_achieved_or_over() -> None:
    aim = row("sea", places=["b"], least_marks=2, by="1666-06-02")
    assert verbs(aim)
    late = replace(war(aim), first_hour=48)
    assert not tasks(late).all()


@pytest.mark.clause("G.AA1")
def test_a_port_is_raided_only_while_the_enemys_fleet_is_known_to_be_elsewhere_and_not_day_after_day() -> (
    None
):
    aim = row("raid", ports=["theirs"])
    assert verbs(aim, english=4) == []  # nobody knows where the enemy is
    assert verbs(aim, english=4, reports=[seen(200, hour=-49)]) == []
    for hours, raided in ((719, []), (720, [(Verb.RAID, "theirs")])):
        carried = {"holdings": {"tried": [["ENG", "theirs", -hours]]}}
        assert verbs(aim, english=4, reports=AT_C, carried=carried) == raided


@pytest.mark.clause("G.AA2")
def test_a_task_needs_a_fifth_more_than_is_expected_and_a_twentieth_of_the_sides_own_at_least() -> None:
    (hold,) = tasks(war(row("sea", places=["c"], least_marks=2), reports=AT_C)).all()
    assert hold.need == Fraction(6, 5) * 120
    (free,) = tasks(war(row("sea", places=["b"], least_marks=2))).all()
    assert free.need == Fraction(1, 20) * 8 * 40


@pytest.mark.clause("G.AA2")
@pytest.mark.parametrize(
    ("over", "marks"),
    [
        ({}, 10),
        ({"decisive": True}, 20),
        ({"decisive": True, "side": "NLD"}, 20),
        ({"pay": "daily", "most": 30}, 30),
    ],
)
def test_a_rank_is_made_of_its_marks_of_a_decisive_row_twice(over: dict[str, Any], marks: int) -> None:
    side = over.pop("side", "ENG")
    (task,) = tasks(war(row("sea", side, places=["b"], least_marks=2, **over))).all()
    assert task.marks == marks


def held(aim: Row, mornings: int, *, now: bool = True) -> dict[str, Any]:
    tally = {
        "held": mornings, "mornings": mornings, "now": now, "achieved": -1, "paid": 0, "asked": False, "ships": [],
    }  # fmt: skip
    return {"aims": {"known": [[aim.id, "ENG", tally]]}}


@pytest.mark.clause("G.AA2")
@pytest.mark.parametrize(
    ("mornings", "now", "days", "marks"),
    [(0, True, 1, 20), (1, True, 1, 60), (1, False, 1, 20), (0, True, 2, 60)],
)
def test_an_enemys_decisive_row_counts_six_times_when_it_wants_three_mornings_as_the_turn_ends(
    mornings: int, now: bool, days: int, marks: int
) -> None:
    aim = row("sea", "NLD", places=["b"], least_marks=2, days=5, running=True, decisive=True)
    (task,) = tasks(replace(war(aim, carried=held(aim, mornings, now=now)), days=days)).all()
    assert (task.marks, task.near) == (marks, marks == 60)


@pytest.mark.clause("G.AA2")
def test_the_best_task_is_taken_and_one_beyond_the_fleets_strength_is_passed_over() -> None:
    hold, seek = (
        row("sea", places=["n"], least_marks=2, marks=1),
        row("destroy", group="all", left=50, marks=40),
    )
    assert done(war(hold, seek, at="b", reports=[seen(300, band="2-4")])) == ("seek", "c")
    assert done(war(hold, seek, at="b", reports=[seen(300, band="5-9")])) == (
        "hold",
        "n",
    )  # 280 x 1.2 is more than 320


@pytest.mark.clause("G.AA2", "G.AA4")
def test_great_odds_that_a_fleet_was_given_take_the_place_of_the_admirals_own() -> None:
    facts = war(row("destroy", group="all", left=50), at="b", reports=[seen(300, band="10-19")])
    assert done(facts)[0] == "in being"
    bold = {"e": Instructions(greatest_odds="4")}
    assert done(facts, instructions=bold) == ("seek", "c")
    order = plan(facts, instructions=bold).orders["e"]
    assert (order.stance, order.instructions.greatest_odds) == (Stance.SEEK, "4")
    assert done(facts, instructions={"e": Instructions(greatest_odds="1.8")})[0] == "in being"  # 580 : 320


@pytest.mark.clause("G.AA4")
@pytest.mark.parametrize(
    ("over", "greatest"), [({}, "1"), ({"decisive": True}, "1"), ({"side": "NLD", "decisive": True}, "1.5")]
)
def test_the_odds_that_he_accepts_stand_in_the_orders(over: dict[str, Any], greatest: str) -> None:
    side = over.pop("side", "ENG")
    order = plan(war(row("sea", side, places=["b"], least_marks=2, **over))).orders["e"]
    assert order.instructions.greatest_odds == greatest


@pytest.mark.clause("G.AA2", "G.AA4")
@pytest.mark.parametrize(("marks", "greatest"), [(10, "1.5"), (11, "1")])
def test_a_contact_sought_for_both_sides_decisive_rows_is_sought_at_the_odds_of_the_enemys(
    marks: int, greatest: str
) -> None:
    own = row("destroy", group="all", left=50, decisive=True, marks=marks)
    theirs = row("gather", "NLD", at=["b"], least_line=3, decisive=True)
    order = plan(war(own, theirs, at="b", reports=AT_C)).orders["e"]
    assert (order.stance, order.instructions.greatest_odds) == (Stance.SEEK, greatest)


@pytest.mark.clause("G.AA2")
def test_a_side_worth_less_than_half_of_what_it_knows_of_keeps_to_what_is_decisive() -> None:
    crowd = [seen(300, band="20-39")]
    assert done(war(row("sea", places=["n"], least_marks=2), reports=crowd))[0] == "in being"
    against = row("sea", "NLD", places=["n"], least_marks=2, decisive=True)
    assert done(war(against, reports=crowd)) == ("hold", "n")


@pytest.mark.clause("G.AA2")
@pytest.mark.parametrize(("contact", "verb"), [((), "under orders"), (AT_C, "seek")])
def test_a_fleet_keeps_the_orders_of_the_opening_unless_an_enemy_is_there_for_a_decisive_row(
    contact: Any, verb: str
) -> None:
    aim = row("gather", "NLD", at=["b"], least_line=3, decisive=True)
    bound = {"e": FleetOrder("e", ("home",))}
    facts = war(aim, at="b", reports=contact)
    assert done(facts, bound=bound)[0] == verb
    if verb == "under orders":
        assert plan(facts, bound=bound).orders["e"] == bound["e"]


@pytest.mark.clause("G.AA2")
def test_a_lesser_fleet_keeps_with_the_greater_one() -> None:
    facts = two(war(row("destroy", group="all", left=50), row("sea", places=["n"], least_marks=1)), 3, "b")
    assert done(facts)[0] == "seek"
    assert done(facts, "s")[0] == "join"
    assert plan(facts).orders["s"].on_arrival is OnArrival.JOIN


@pytest.mark.clause("G.AA2")
@pytest.mark.parametrize(("reserve", "kept"), [(20, True), (0, False)])
def test_a_fifth_stays_in_a_great_port_of_its_own(reserve: int, kept: bool) -> None:
    aims = (row("close", port="theirs"), row("destroy", group="all", left=50, marks=30))
    facts = two(war(*aims, reports=AT_C, reserve_percent=reserve), 2, "home")
    assert done(facts, "s")[0] == ("reserve" if kept else "join")


@pytest.mark.clause("G.AA4")
def test_on_worse_odds_he_keeps_away_in_the_nearest_port_with_a_yard() -> None:
    # what is expected has grown beyond what he accepts against a decisive row, 1.5
    aim = row("sea", "NLD", places=["b"], least_marks=2, decisive=True)
    facts = war(aim, english=8, at="a", reports=[seen(200, band="5-9"), seen(230, number=2, band="20-39")])
    bold = {"e": Instructions(greatest_odds="5")}
    assert done(facts, instructions=bold)[0] == "hold"
    made = plan(facts)
    assert made.orders["e"].stance in (Stance.AVOID, Stance.HOLD)
    assert next(one.verb for one in made.decisions) in ("in being", "avoid")


@pytest.mark.clause("G.AA6")
@pytest.mark.parametrize(("met", "break_off"), [(0, 60), (8, 20)])
def test_against_double_strength_that_he_has_met_he_breaks_off_early(met: int, break_off: int) -> None:
    ships = [b.ship(f"x{n}", "NLD", "d") for n in range(met)]
    doctrine = replace(Instructions().doctrine, break_off=60)
    told = {"e": Instructions(greatest_odds="5", doctrine=doctrine, after_battle="renew")}
    facts = war(
        row("gather", "NLD", at=["b"], least_line=3, decisive=True),
        at="b",
        ships=ships,
        reports=[seen(300, band="20-39")],
        carried={"met": {"ENG": [ship.code for ship in ships]}},
    )
    order = plan(facts, instructions=told).orders["e"]
    assert order.instructions.doctrine.break_off == break_off
    assert order.instructions.after_battle == ("auto" if met else "renew")


@pytest.mark.clause("G.AA1", "G.AA6")
def test_each_order_has_its_sentence_and_an_admiral_without_duties_has_none() -> None:
    facts = war(row("sea", places=["b"], least_marks=2))
    made = plan(facts)
    assert [one.doc() for one in made.decisions] == [
        {
            "fleet": "e",
            "verb": "hold",
            "place": "b",
            "aim": "ENG_sea",
            "contact": 0,
            "why": "Do sea.",
            "worth": 320,
        }
    ]
    assert plan(replace(facts, settings=b.settings(duties="off", objectives="on"))).decisions == ()


@pytest.mark.clause("G.AA3")
def test_the_gate_at_which_a_fleet_waits_is_remembered() -> None:
    goal = row("gather", "NLD", at=["a"], least_line=1)
    made = plan(war(goal, at="home", reports=[seen(300, hour=-20)]))
    (wait,) = made.decisions
    assert (wait.verb, wait.place, wait.contact) == ("wait", "a", 1)
    # three days later the contact may have passed it, but who waits there waits on
    late = war(goal, at="a", reports=[seen(300, hour=-44)])
    assert done(late, last=made.decisions) == ("wait", "a")


WEST = row("gather", at=["n"], least_line=2, marks=10)
EAST = row("bring", what="line", number=4, to=["c"], marks=40)
AT_SEA = {"fleets": [], "english": 8, "at": "b"}


@pytest.mark.clause("G.AA2")
def test_a_fleet_at_sea_for_one_objective_of_its_side_is_not_turned_round_for_another() -> None:
    assert done(war(WEST, EAST, at="b")) == ("go", "c")
    before = plan(war(WEST, at="b")).decisions
    assert done(war(WEST, EAST, at="b"), last=before) == ("go", "n")
    # in port it is free to choose, and so it is when what it sailed for can no longer be done
    assert done(war(WEST, EAST, at="home", reports=[seen(300, band="1")]), last=before) == ("go", "c")
    over = replace(WEST, by="1666-06-01")
    assert done(replace(war(over, EAST, at="b"), first_hour=48), last=before) == ("go", "c")


@pytest.mark.clause("G.AA2")
def test_an_enemy_turns_a_fleet_from_its_course() -> None:
    before = plan(war(WEST, at="b")).decisions
    against = row("sea", "NLD", places=["b"], least_marks=2, marks=40, decisive=True)
    assert done(war(WEST, against, at="b"), last=before) == ("hold", "b")


ALONE = row("gather", "NLD", at=["b"], least_line=6, alone=True, decisive=True, marks=80)


@pytest.mark.clause("G.AA1", "G.AA2")
def test_an_enemy_in_a_port_within_a_days_sail_is_guarded_against_too() -> None:
    def guards(place: str) -> bool:
        found = tasks(war(replace(ALONE, at=(place,)), reports=[seen(399, band="5-9")])).all()
        return (Verb.HOLD, place) in [(task.verb, task.place) for task in found]

    # 60 miles from his port, and 120
    assert guards("c") and not guards("b")


@pytest.mark.clause("G.AA1", "G.AA2")
@pytest.mark.parametrize(
    ("seen_at", "band", "guarded"),
    [
        (300, "5-9", True),
        (300, "2-4", True),
        (300, "1", False),
        (399, "5-9", False),
    ],  # a single ship; one in a port far off
)
def test_half_of_an_enemy_at_sea_is_kept_where_it_means_to_be_alone(
    seen_at: int, band: str, guarded: bool
) -> None:
    found = tasks(war(ALONE, reports=[seen(seen_at, band=band)])).all()
    assert ((Verb.HOLD, "b") in [(task.verb, task.place) for task in found]) is guarded
    if guarded:
        seek, hold = found
        assert (seek.verb, hold.verb, hold.guards) == (Verb.SEEK, Verb.HOLD, True)
        assert hold.rank == Fraction(9, 10) * seek.rank
        assert hold.need == seek.need / 2


@pytest.mark.clause("G.AA2")
def test_the_reserve_guards_and_a_fleet_too_weak_to_seek_holds_the_place() -> None:
    held_back = {"at": "home", "reserve_percent": 100}
    assert done(war(row("destroy", group="all", left=50), reports=AT_C, **held_back)) == ("reserve", "")
    assert done(war(ALONE, english=4, reports=[seen(300, band="5-9")], **held_back)) == ("hold", "b")


def watching(**over: Any) -> TurnFacts:
    """England's e on its station off theirs, where the opening put it, and an enemy there."""
    facts = war(row("keep", group="all", left=50), reports=[seen(395)], **over)
    order = FleetOrder("e", ("theirs",), Stance.HOLD, OnArrival.BLOCKADE, target="theirs")
    fleets = {**facts.fleets, "e": replace(facts.fleets["e"], order=order)}
    return replace(facts, fleets=fleets)


@pytest.mark.clause("G.AA2")
def test_a_blockader_that_was_called_away_goes_back_to_its_station() -> None:
    facts = watching(at="c")
    under_orders = plan(facts, bound={"e": facts.fleets["e"].order})
    assert [(d.verb, d.station) for d in under_orders.decisions] == [("under orders", "theirs")]
    back = plan(watching(at="b"), last=under_orders.decisions)
    assert [(d.verb, d.place, d.station) for d in back.decisions] == [("station", "theirs", "theirs")]
    order = back.orders["e"]
    assert (order.route, order.on_arrival, order.target) == (("c", "theirs"), OnArrival.BLOCKADE, "")
    # not to where a stronger enemy lies
    few = [replace(decision, worth=0) for decision in under_orders.decisions]
    assert done(watching(at="b", english=2), last=few)[0] == "in being"


@pytest.mark.clause("G.BL1", "G.AA6")
def test_a_fleet_that_lies_at_the_port_it_blockades_is_told_which() -> None:
    facts = war(row("close", port="theirs"), at="theirs")
    order = plan(facts).orders["e"]
    assert (order.route, order.on_arrival, order.target) == ((), OnArrival.BLOCKADE, "theirs")
    assert not order_faults(facts, order)


@pytest.mark.clause("G.AA2")
def test_a_port_that_a_blockader_of_the_opening_watches_needs_no_second_one() -> None:
    close = row("close", port="theirs")
    second = b.fleet("f", "ENG", "a")
    facts = war(close, at="c", fleets=[second], ships=[b.ship(f"f{n}", "ENG", "f") for n in range(8)])
    for route, verb in ((("b", "n"), "blockade"), (("theirs",), "in being")):
        arrival = OnArrival.BLOCKADE if verb == "in being" else OnArrival.PATROL
        order = FleetOrder("e", route, Stance.HOLD, arrival, target=route[-1])
        fleets = {**facts.fleets, "e": replace(facts.fleets["e"], order=order)}
        assert done(replace(facts, fleets=fleets), "f", bound={"e": order})[0] == verb


@pytest.mark.clause("G.AA1")
@pytest.mark.parametrize(("first", "works"), [("1666-06-15", True), ("1666-06-16", False)])
def test_an_objective_is_worked_for_from_two_weeks_before_its_first_day(first: str, works: bool) -> None:
    aim = row("bring", what="line", number=2, to=["c"], **{"from": first})
    assert (done(war(aim)) == ("go", "c")) is works


@pytest.mark.clause("G.AA4")
@pytest.mark.parametrize(
    ("reports", "hour", "verb"),
    [([], 0, "in being"), ([], 167, "in being"), ([], 168, "go"), ([seen(300, band="1")], 0, "go")],
)
def test_a_fleet_in_port_waits_a_week_for_news_before_it_sails_for_what_its_side_wants(
    reports: list[Any], hour: int, verb: str
) -> None:
    facts = replace(
        war(row("bring", what="line", number=2, to=["c"]), at="home", reports=reports), first_hour=hour
    )
    assert done(facts)[0] == verb


@pytest.mark.clause("G.AA4")
@pytest.mark.parametrize(("band", "verb"), [("20-39", "in being"), ("1", "go")])
def test_a_fleet_stays_in_a_port_off_which_a_stronger_enemy_lies(band: str, verb: str) -> None:
    """Six miles off the port: too far from the next place to count as on the way."""
    facts = war(row("bring", what="line", number=2, to=["n"]), at="home", reports=[seen(10, band=band)])
    assert done(facts)[0] == verb


@pytest.mark.clause("G.AA2", "G.AA4")
@pytest.mark.parametrize(
    ("english", "decisive", "verb"), [(10, True, "seek"), (9, True, "in being"), (10, False, "in being")]
)
def test_against_a_decisive_objective_all_go_who_are_two_to_three_of_the_enemy(
    english: int, decisive: bool, verb: str
) -> None:
    """A band of ten to nineteen counts as 14 and a half ships: three to two of ten."""
    aim = row("gather", "NLD", least_line=2, at=["c"], decisive=decisive)
    assert done(war(aim, english=english, reports=[seen(210, band="10-19")]))[0] == verb


@pytest.mark.clause("G.AA2")
def test_contacts_that_weigh_alike_are_met_by_how_near_they_are_to_what_their_side_wants() -> None:
    aim = row("gather", "NLD", least_line=2, at=["c"], decisive=True)
    reports = [seen(0, number=1), seen(300, number=2)]
    assert [task.contact for task in tasks(war(aim, reports=reports)).all() if task.contact] == [2, 1]


@pytest.mark.clause("G.AA1", "G.AA2")
@pytest.mark.parametrize(
    ("kept", "marks", "group", "verb"),
    [(20, 10, ["e"], "in being"), (10, 10, ["e"], "wait"), (20, 30, ["e"], "wait"), (20, 10, ["x"], "wait"),
     (20, 10, "all", "wait")],
)  # fmt: skip
def test_a_fleet_that_is_to_be_kept_does_not_leave_port_for_what_pays_less(
    kept: int, marks: int, group: Any, verb: str
) -> None:
    against = row("gather", "NLD", at=["b"], least_line=3, marks=marks)
    keep = row("keep", group=group, left=50, marks=kept, pay="end")
    assert done(war(against, keep, at="home", reports=AT_C))[0] == verb
    assert done(war(against, keep, at="a", reports=AT_C))[0] != "in being"


@pytest.mark.clause("G.AA2", "G.LD1")
@pytest.mark.parametrize(("order", "verb"), [((), "cover"), (("a",), "under orders")])
def test_a_fleet_that_only_lies_ready_covers_a_landing_and_one_on_its_beat_does_not(
    order: tuple[str, ...], verb: str
) -> None:
    beat = FleetOrder("e", order, on_arrival=OnArrival.PATROL)
    facts = war(
        row("land", men=1_000, at=["n"]), at="home", carried={"troops": {"armies": [["ENG", "home", 2_000, 0]]}},
    )  # fmt: skip
    facts = replace(facts, fleets={**facts.fleets, "e": replace(facts.fleets["e"], order=beat)})
    assert done(facts, bound={"e": beat})[0] == verb


def two_fleets(where: str, *, enemies: str = "10-19", **over: Any) -> TurnFacts:
    """England's e at a and f with nine ships at a place; the Dutch at c are to be kept from holding it."""
    aim = row("sea", "NLD", places=["c"], least_marks=2, marks=40)
    second = b.fleet("f", "ENG", where)
    ships = [b.ship(f"f{n}", "ENG", "f") for n in range(9)]
    return war(aim, at="a", fleets=[second], ships=ships, reports=[seen(300, band=enemies)], **over)


@pytest.mark.clause("G.AA4")
def test_fleets_that_are_strong_enough_only_together_meet_before_they_go() -> None:
    """Eighteen against fourteen and a half: they meet where enough of them can be at the enemy soonest."""
    apart = two_fleets("home", english=9)
    assert done(apart, "e")[0] == done(apart, "f")[0] == "gather"
    assert done(apart, "e") == done(apart, "f")
    made = plan(apart).orders
    arrivals = {made[code].on_arrival for code in "ef"}
    assert arrivals == {OnArrival.ANCHOR, OnArrival.JOIN}
    assert {made[code].stance for code in "ef"} == {Stance.AVOID}
    together = two_fleets("a", english=9)
    assert {done(together, code)[0] for code in "ef"} <= {"hold", "join"}
    # one alone is enough, and both together are not
    assert done(two_fleets("home", english=9, enemies="5-9"), "e")[0] != "gather"
    assert done(two_fleets("home", english=4, enemies="20-39"), "e")[0] != "gather"


@pytest.mark.clause("G.AA4")
def test_no_one_waits_for_others_against_an_objective_that_is_all_but_achieved() -> None:
    aim = row("sea", "NLD", places=["c"], least_marks=2, days=5, running=True, decisive=True)
    second, ships = b.fleet("f", "ENG", "home"), [b.ship(f"f{n}", "ENG", "f") for n in range(9)]
    given = {
        "at": "a",
        "english": 9,
        "fleets": [second],
        "ships": ships,
        "reports": [seen(300, band="10-19")],
    }
    assert done(war(aim, **given), "e")[0] == "gather"
    assert done(war(aim, carried=held(aim, 2), **given), "e")[0] != "gather"


@pytest.mark.clause("G.AA1", "G.LD5")
@pytest.mark.parametrize(
    ("boats", "guard", "raids"), [(8, 2, True), (7, 2, False), (4, 1, True), (3, 0, True)]
)
def test_a_port_is_raided_by_fleets_whose_small_ships_make_up_for_its_guns(
    boats: int, guard: int, raids: bool
) -> None:
    deep = {**b.CARD, "deep": True}
    small = [b.ship(f"s{n}", "ENG", "e", card={**deep, "deep": False}) for n in range(boats)]
    far = [seen(200, band="5-9", latitude=100)]
    facts = war(
        row("raid", ports=["theirs"]), english=1, ships=small, reports=far, at="home", reserve_percent=0
    )
    places = dict(facts.theatre.places)
    places["theirs"] = replace(places["theirs"], guard=guard)
    made = replace(facts, theatre=replace(facts.theatre, places=places))
    assert (done(made)[0] in ("raid", "avoid")) is raids
