"""Objectives in play: when each kind holds, mornings, payment, the end, and decisive ones."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.fates import Fate
from campaign.rules.aims.objectives import decided_by, objective_step, settle, watch_step
from campaign.rules.chart.theatre import geometry
from campaign.rules.chart.types import OnArrival, Position, ShipKind, SightingReport, TurnFacts
from campaign.rules.state.aims import NEVER, Aims, Tally, Watch
from campaign.rules.state.duties import Cargo, Convoy, Duties, Interned
from campaign.rules.state.holdings import Raid
from campaign.rules.state.state import Touch, TurnState
from campaign.rules.state.world import Chart
from campaign.rules.turn.turn import standing
from tests.campaign.rules.aims.builders import aimed, morning, row, told
from tests.campaign.rules.builders import fleet, next_facts, play, ship


def holds(made: TurnFacts, state: TurnState | None = None, *, day: int = 0) -> bool:
    """Whether the objective `aim` holds at 06:00 of a day."""
    return morning(made, state, day=day).aims.tallies["aim"].now


def ships(code: str, side: str, number: int, **over: Any) -> list[Any]:
    return [ship(f"{code}{n}", side, code, **over) for n in range(number)]


# --- at a place, bodies ------------------------------------------------------------------------------------------


@pytest.mark.clause("G.OB1")
@pytest.mark.parametrize(("miles", "there"), [(0, True), (10, True), (11, False), (-11, False), (-10, True)])
def test_a_fleet_is_at_a_place_within_ten_miles_along_its_passage(miles: int, there: bool) -> None:
    aim = row("gather", least_line=1, at=["a", "b"])
    leg = geometry(aimed([]).theatre).legs["a", "b"].length
    run = 1_000 * miles if miles >= 0 else leg + 1_000 * miles
    assert holds(aimed([fleet("E", "ENG", "a", to="b", run=run)], aim)) is there


@pytest.mark.clause("G.OB1")
def test_the_setting_says_how_near_a_place_is() -> None:
    made = aimed(
        [fleet("E", "ENG", "a", to="b", run=10_500)],
        row("gather", least_line=1, at=["a"]),
        rules={"at_miles": 11},
    )
    assert holds(made)


@pytest.mark.clause("G.OB1")
def test_a_fleet_that_a_battle_holds_counts_where_it_is_held() -> None:
    made = aimed([fleet("E", "ENG", "a", held_by="T1-b01")], row("gather", least_line=1, at=["a"]))
    assert holds(made)


@pytest.mark.clause("G.OB1")
def test_a_body_is_what_lies_within_three_miles_of_another_part_of_it() -> None:
    aim = row("gather", least_line=3, at=["a"])
    chain = [
        fleet("E1", "ENG", "a"),
        fleet("E2", "ENG", "a", to="b", run=3_000),
        fleet("E3", "ENG", "a", to="b", run=6_000),
    ]
    assert holds(aimed(chain, aim))
    gap = [*chain[:2], fleet("E3", "ENG", "a", to="b", run=6_001)]
    assert not holds(aimed(gap, aim))


@pytest.mark.clause("G.OB1")
def test_fleets_in_port_and_fleets_at_sea_never_make_one_body() -> None:
    aim = row("gather", least_line=2, at=["home"])
    assert holds(aimed([fleet("E1", "ENG", "home"), fleet("E2", "ENG", "home")], aim))
    assert not holds(aimed([fleet("E1", "ENG", "home"), fleet("E2", "ENG", "home", to="a", run=500)], aim))


@pytest.mark.clause("G.OB1")
def test_allies_are_in_one_body_and_may_be_asked_for() -> None:
    fleets = [fleet("E", "ENG", "a"), fleet("F", "FRA", "a")]
    sides = {
        **aimed(fleets).sides,
        "FRA": replace(aimed(fleets).sides["ENG"], code="FRA", nations=("France",)),
    }
    allied = frozenset({frozenset({"ENG", "FRA"})})
    asks = row("gather", least_line=2, at=["a"], **{"with": "FRA"})
    assert holds(aimed(fleets, asks, sides=sides, allied=allied))
    assert not holds(aimed(fleets, asks, sides=sides))
    alone = [fleet("E", "ENG", "a"), fleet("E2", "ENG", "a")]
    assert not holds(aimed(alone, asks, sides=sides, allied=allied))
    assert holds(aimed(alone, row("gather", least_line=2, at=["a"]), sides=sides, allied=allied))


@pytest.mark.clause("G.OB1")
def test_only_fighting_ships_count_and_of_the_line_only_the_line() -> None:
    aim = row("gather", least_line=2, at=["a"])
    two = [fleet("E", "ENG", "a")]
    assert holds(aimed(two, aim, ships=ships("E", "ENG", 2)))
    assert not holds(
        aimed(two, aim, ships=[*ships("E", "ENG", 1), ship("EF", "ENG", "E", kind=ShipKind.FRIGATE)])
    )
    assert not holds(aimed(two, aim, ships=[*ships("E", "ENG", 1), ship("EP", "ENG", "E", prize=True)]))
    made = aimed(two, aim, ships=ships("E", "ENG", 2))
    state = standing(made)
    state.duties = Duties(convoys={"C": Convoy(("E1",))})
    assert not holds(made, state)
    state.duties = Duties(cargoes={"E1": Cargo(5, "home", "ENG")})
    assert not holds(made, state)


@pytest.mark.clause("G.OB1")
@pytest.mark.parametrize(("there", "so"), [(5, False), (6, True)])
def test_an_objective_may_ask_for_a_share_of_the_opening_strength_of_a_body_of_ships(
    there: int, so: bool
) -> None:
    # damaged ships count whole
    rows = [*ships("E", "ENG", there, condition={"lost": 10}), *ships("X", "ENG", 10 - there)]
    made = aimed(
        [fleet("E", "ENG", "a"), fleet("X", "ENG", "c")],
        row("gather", least_percent=60, at=["a"]),
        ships=rows,
    )
    assert holds(made) is so


# --- the other kinds ---------------------------------------------------------------------------------------------


@pytest.mark.clause("G.OB1")
def test_the_sea_is_held_by_value_where_no_enemy_body_has_half_as_much() -> None:
    # four ships of 40 at b; a mark is 8 points, so 20 marks are 160
    aim = row("sea", least_marks=20, places=["b", "c"])
    own = ships("E", "ENG", 4)

    def so(*foes: Any, mark: int = 8, lost: int = 0) -> bool:
        hurt = [replace(own[0], condition={"lost": lost}), *own[1:]]
        fleets = [fleet("E", "ENG", "b"), *(fleet(code, "NLD", at) for code, at, _ in foes)]
        rows = [*hurt, *(one for code, _, number in foes for one in ships(code, "NLD", number))]
        return holds(aimed(fleets, aim, ships=rows, mark=mark))

    assert so()
    assert not so(mark=9)
    assert not so(lost=1)  # present values
    assert so(("D", "c", 1)) and not so(("D", "c", 2))
    assert so(("D", "c", 1), ("D2", "b", 1))  # two bodies, neither of them half as strong
    assert not so(("D", "c", 1), ("D2", "c", 1))  # one body
    assert so(("D", "n", 9))


@pytest.mark.clause("G.OB1")
def test_the_sea_is_not_held_by_pieces_at_several_places() -> None:
    aim = row("sea", least_marks=2, places=["b", "c"])
    assert not holds(aimed([fleet("E1", "ENG", "b"), fleet("E2", "ENG", "c")], aim, mark=40))
    assert holds(aimed([fleet("E1", "ENG", "b"), fleet("E2", "ENG", "b")], aim, mark=40))


@pytest.mark.clause("G.OB1")
def test_men_ashore_at_all_places_count_together_and_only_the_sides_own() -> None:
    made = aimed([fleet("E", "ENG", "a")], row("land", men=10_000, at=["b", "n"]))
    state = standing(made)
    state.holdings.ashore = {
        ("ENG", "b"): 4_000,
        ("ENG", "n"): 5_999,
        ("ENG", "c"): 9_000,
        ("NLD", "b"): 9_000,
    }
    assert not holds(made, state)
    state.holdings.ashore["ENG", "n"] = 6_000
    assert holds(made, state)


@pytest.mark.clause("G.OB1")
@pytest.mark.parametrize(("lost", "destroyed", "kept"), [(4, False, True), (5, True, True), (6, True, False)])
def test_groups_are_weighed_by_what_is_left_of_them(lost: int, destroyed: bool, kept: bool) -> None:
    fleets = [fleet("E", "ENG", "a"), fleet("D", "NLD", "c")]
    rows = [*ships("E", "ENG", 10), *ships("D", "NLD", 10, condition={"lost": 19})]
    for aim, so in (
        (row("destroy", group="all", left=50), destroyed),
        (row("destroy", group=["D"], left=50), destroyed),
        (row("destroy", group="line", left=50), destroyed),
        (row("keep", side="NLD", group="all", left=50), kept),
    ):
        made = aimed(fleets, aim, ships=rows)
        state = standing(made)
        for n in range(lost):
            gone = (
                {"fate": Fate.SUNK},
                {"side": "ENG", "prize": True},
                {"fate": Fate.BURNT, "fleet": ""},
            )[n % 3]
            state.ships[f"D{n}"] = replace(state.ships[f"D{n}"], **gone)
        assert holds(made, state) is so


@pytest.mark.clause("G.OB1")
def test_a_group_is_the_ships_of_the_first_day_wherever_they_serve_and_no_others() -> None:
    aim = row("destroy", group=["D"], left=50)
    made = aimed(
        [fleet("D", "NLD", "c"), fleet("D2", "NLD", "b")],
        aim,
        ships=[*ships("D", "NLD", 2), *ships("D2", "NLD", 4)],
    )
    state = standing(made)
    state.ships["D0"] = replace(state.ships["D0"], fleet="D2", fate=Fate.SUNK)
    assert holds(made, state)
    state = standing(made)
    for n in range(4):
        state.ships[f"D2{n}"] = replace(state.ships[f"D2{n}"], fate=Fate.SUNK)
    assert not holds(made, state)
    # a ship that the turn's facts no longer have was lost in an earlier turn
    del state.ships["D1"]
    assert holds(made, state)


@pytest.mark.clause("G.OB1")
def test_an_interned_ship_is_still_the_enemys_to_destroy_but_is_not_kept() -> None:
    rows = ships("D", "NLD", 2)
    for aim, so in (
        (row("destroy", group="all", left=50), False),
        (row("keep", side="NLD", group="all", left=51), False),
    ):
        made = aimed([fleet("D", "NLD", "c")], aim, ships=rows)
        state = standing(made)
        del state.ships["D0"]
        state.duties.interned["D0"] = Interned("n", 0, "NLD")
        assert holds(made, state) is so


@pytest.mark.clause("G.OB1")
def test_a_raid_counts_whole_or_half_from_the_first_day_of_the_objective() -> None:
    aim = row("raid", ports=["theirs"], **{"from": "1666-06-02"})
    made = aimed([fleet("E", "ENG", "a")], aim)
    for raid, so in (
        (Raid("ENG", "theirs", 24, whole=False), True), (Raid("ENG", "theirs", 23, whole=True), False),
        (Raid("NLD", "theirs", 30, whole=True), False), (Raid("ENG", "home", 30, whole=True), False),
    ):  # fmt: skip
        state = standing(made)
        state.holdings.raids = (raid,)
        assert holds(made, state, day=2) is so


@pytest.mark.clause("G.OB1")
def test_ships_of_the_line_are_brought_one_after_the_other_and_each_counts_once() -> None:
    aim = row("bring", what="line", number=3, to=["b", "n"], **{"from": "1666-06-02"})
    made = aimed([fleet("E", "ENG", "b")], aim, ships=ships("E", "ENG", 2))
    state = morning(made)
    assert "aim" not in state.aims.tallies
    assert not holds(made, state, day=1) and not holds(made, state, day=2)
    assert state.aims.tallies["aim"].ships == ("E0", "E1")
    third = ship("G0", "ENG", "G")
    later = aimed([fleet("G", "ENG", "n")], aim, ships=[third])
    after = standing(later)
    after.aims = state.aims
    assert holds(later, after, day=3)
    assert told(after) == [(72, "achieved", 10)]


# --- convoys -----------------------------------------------------------------------------------------------------


def convoyed(delivered: int, aim: Any) -> tuple[TurnFacts, TurnState]:
    """A convoy of 50 points of which so many have arrived."""
    made = aimed([fleet("E", "ENG", "a")], aim)
    state = standing(made)
    state.duties = Duties(convoys={"C": Convoy(("E1",), 50, delivered)})
    return made, state


@pytest.mark.clause("G.OB1")
@pytest.mark.parametrize(("delivered", "so"), [(29, False), (30, True)])
def test_a_convoy_is_brought_when_its_share_of_the_cargo_is_delivered(delivered: int, so: bool) -> None:
    assert holds(*convoyed(delivered, row("bring", what="C", to=["home"], share=60))) is so


@pytest.mark.clause("G.OB4")
def test_the_enemy_does_not_know_how_much_of_a_cargo_has_arrived() -> None:
    made, state = convoyed(30, row("bring", what="C", to=["home"], share=60, days=2))
    known = morning(made, state).aims.known
    assert known["aim", "ENG"].now and not known["aim", "NLD"].now


@pytest.mark.clause("G.OB4")
def test_an_enemy_believes_a_port_closed_that_it_knows_a_blockader_to_lie_off() -> None:
    made = aimed([off("E"), fleet("D", "NLD", "theirs")], row("close", port="theirs"))
    state = standing(made)
    assert not morning(made, state).aims.known["aim", "NLD"].now
    state.reports = [report(1, 0, "1", longitude=390)]
    assert morning(made, state).aims.known["aim", "NLD"].now


@pytest.mark.clause("G.OB4")
def test_an_enemys_ships_of_the_line_are_counted_by_the_reports_of_where_they_are_brought() -> None:
    made = aimed(
        [fleet("E", "ENG", "c"), fleet("D", "NLD", "home")], row("bring", what="line", number=3, to=["c"])
    )
    state = standing(made)
    state.reports = [report(1, 0, "1")]
    assert not morning(made, state).aims.known["aim", "NLD"].now
    state.reports = [report(1, 0, "2-4")]
    assert morning(made, state).aims.known["aim", "NLD"].now


@pytest.mark.clause("G.OB2")
@pytest.mark.parametrize(("delivered", "marks"), [(29, 0), (30, 6), (34, 6), (35, 7), (50, 10)])
def test_a_share_pays_by_the_cargo_rounded_down_and_nothing_under_its_least(
    delivered: int, marks: int
) -> None:
    made, state = convoyed(delivered, row("bring", what="C", to=["home"], share=60, pay="share"))
    events, aims = settle(made, state)
    assert [event.data["marks"] for event in events] == ([marks] if marks else [])
    assert aims.tallies["aim"].paid == marks


@pytest.mark.clause("G.OB1", "G.CV1")
def test_cargo_counts_for_its_convoy_whichever_fleet_the_ships_came_with() -> None:
    fleets = [fleet("C", "ENG", "home"), fleet("E", "ENG", "home")]
    made = aimed(
        fleets,
        row("bring", what="C", to=["home"], share=60),
        ships=[ship("C1", "ENG", "C"), ship("C2", "ENG", "E"), ship("C3", "ENG", "C", prize=True)],
    )
    duties = Duties(
        cargoes={code: Cargo(10, "home", "ENG") for code in ("C1", "C2", "C3")},
        convoys={"C": Convoy(("C1", "C2", "C3"), 30)},
    )
    carried = {"duties": json.loads(json.dumps(duties.doc()))}
    state, _ = play(replace(made, carried=carried, days=2), reload=True)
    assert state.duties.convoys["C"] == Convoy(("C1", "C2", "C3"), 30, 20)
    assert told(state) == [(24, "achieved", 10)]


# --- closed ports ------------------------------------------------------------------------------------------------


def off(code: str, **over: Any) -> Any:
    """A fleet six miles off `theirs`, on its station."""
    made = fleet(code, "ENG", "c", "theirs", to="theirs", run=54_040, **over)
    return replace(made, order=replace(made.order, on_arrival=OnArrival.BLOCKADE, target="theirs"))


@pytest.mark.clause("G.OB1", "G.BL1")
def test_a_port_is_closed_after_a_day_on_which_a_ship_lay_off_it_in_every_hour() -> None:
    made = aimed([off("E")], row("close", port="theirs"), days=3)
    state, _ = play(made, reload=True)
    assert told(state) == [(24, "achieved", 10)]
    # the first morning knows of no day before it
    assert state.aims.tallies["aim"].mornings == 2


@pytest.mark.clause("G.OB1")
def test_the_last_look_at_a_closed_port_is_taken_at_the_end() -> None:
    made = aimed([off("E")], row("close", port="theirs"), row("gather", id="x", least_line=9, at=["c"]))
    state = standing(made)
    state.hour = 24
    state.aims.watches["aim"] = Watch(hours=23)
    events, aims = settle(made, state)
    assert [event.data["objective"] for event in events] == ["aim"]
    assert "x" not in aims.watches and state.aims.watches["aim"].hours == 23


@pytest.mark.clause("G.OB1")
def test_an_hour_without_a_ship_off_the_port_breaks_the_day() -> None:
    made = aimed([off("E")], row("close", port="theirs"))
    state = standing(made)
    state.aims.watches["aim"] = Watch(hours=22)
    assert not holds(made, state, day=1)
    state.aims.watches["aim"] = Watch(hours=23)
    assert holds(made, state, day=2)
    state.aims.watches["aim"] = Watch(hours=23, broken=True, noticed=True)
    assert not holds(made, state, day=3)
    merchant = aimed([off("E")], row("close", port="theirs"), ships=[ship("E1", "ENG", "E", prize=True)])
    state = standing(merchant)
    state.aims.watches["aim"] = Watch(hours=23)
    assert not holds(merchant, state, day=1)


@pytest.mark.clause("G.OB1")
@pytest.mark.parametrize("out", [True, False])
def test_an_enemy_that_goes_in_or_out_breaks_the_day(out: bool) -> None:
    enemy = (
        fleet("D", "NLD", "theirs", "c") if out else fleet("D", "NLD", "c", "theirs", to="theirs", run=50_000)
    )
    made = aimed([off("E"), enemy], row("close", port="theirs"), days=2, weather={}, rules={"see_at_day": 7})
    state, _ = play(made)
    assert state.aims.tallies["aim"].mornings == 0
    assert state.aims.watches["aim"].hours == 23


@pytest.mark.clause("G.OB1", "G.OB4")
def test_a_side_that_did_not_see_the_enemy_go_in_believes_the_port_closed() -> None:
    made = aimed([off("E")], row("close", port="theirs"))
    state = standing(made)
    state.aims.watches["aim"] = Watch(hours=23, broken=True)
    assert not holds(made, state, day=1)
    assert state.aims.known["aim", "ENG"].now and not state.aims.known["aim", "NLD"].now


# --- mornings ----------------------------------------------------------------------------------------------------


def through(made: TurnFacts, *days: bool, first: int = 0) -> TurnState:
    """Mornings on which England's fleet lies at `a`, or does not."""
    state = standing(made)
    for day, there in enumerate(days, start=first):
        at = replace(state.fleets["E"].position, at="a" if there else "c")
        state.fleets["E"] = replace(state.fleets["E"], position=at)
        morning(made, state, day=day)
    return state


@pytest.mark.clause("G.OB1")
def test_mornings_count_together_unless_they_must_run() -> None:
    lies = [fleet("E", "ENG", "a")]
    days = (True, True, False, True)
    apart = through(aimed(lies, row("gather", least_line=1, at=["a"], days=3)), *days)
    assert told(apart) == [(72, "achieved", 10)]
    running = aimed(lies, row("gather", least_line=1, at=["a"], days=3, running=True))
    assert told(through(running, *days)) == []
    assert through(running, *days).aims.tallies["aim"].held == 1
    assert told(through(running, *days, True, True)) == [(120, "achieved", 10)]


@pytest.mark.clause("G.OB1")
def test_what_is_achieved_stays_so_and_is_paid_once() -> None:
    state = through(
        aimed([fleet("E", "ENG", "a")], row("gather", least_line=1, at=["a"])), True, False, True, True
    )
    assert told(state) == [(0, "achieved", 10)]
    assert "decides" not in state.events[0].data
    tally = state.aims.tallies["aim"]
    assert (tally.achieved, tally.paid, tally.mornings) == (0, 10, 3)


@pytest.mark.clause("G.OB1")
def test_an_objective_counts_from_its_first_day_to_its_last() -> None:
    aim = row("gather", least_line=1, at=["a"], days=9, **{"from": "1666-06-02", "by": "1666-06-04"})
    state = through(aimed([fleet("E", "ENG", "a")], aim), *(True,) * 6)
    assert state.aims.tallies["aim"].mornings == 3


@pytest.mark.clause("G.OB2")
def test_daily_marks_come_every_so_many_mornings_up_to_their_most() -> None:
    lies = [fleet("E", "ENG", "a")]
    daily = row("gather", least_line=1, at=["a"], marks=2, pay="daily", most=5)
    state = through(aimed(lies, daily), True, False, True, True, True)
    assert told(state) == [(0, "achieved", 2), (48, "paid", 2), (72, "paid", 1)]
    grave = through(aimed(lies, replace(daily, decisive=True), rules={"decisive": "tells"}), True, True)
    assert [event.data.get("decides") for event in grave.events] == ["tells", None]
    seldom = row("gather", least_line=1, at=["a"], marks=1, pay="daily", every=3)
    state = through(aimed(lies, seldom), *(True,) * 4, False, True, True)
    assert told(state) == [(0, "achieved", 0), (48, "paid", 1), (144, "paid", 1)]


@pytest.mark.clause("G.OB1", "G.OB2")
def test_what_is_paid_at_the_end_is_asked_once_on_its_last_day_or_at_the_end() -> None:
    lies = [fleet("E", "ENG", "a")]
    by = row("gather", least_line=1, at=["a"], pay="end", by="1666-06-02")
    assert told(through(aimed(lies, by), True, True, True)) == [(24, "achieved", 10)]
    late = through(aimed(lies, by), True, False, True)
    assert told(late) == [] and late.aims.tallies["aim"].asked
    never = aimed(lies, row("gather", least_line=1, at=["a"], pay="end"))
    state = through(never, True, True)
    assert told(state) == []
    events, aims = settle(never, state)
    assert [(event.kind, event.data["marks"]) for event in events] == [("objective_achieved", 10)]
    assert aims.tallies["aim"] == Tally(1, 1, True, 24, 10, True) and state.aims.tallies == {}
    late_end, _ = settle(aimed(lies, by), through(aimed(lies, by), True, True))
    assert late_end == []


@pytest.mark.clause("G.OB1", "G.OB2")
def test_ports_owned_at_the_end_pay_together_or_each() -> None:
    lies = [fleet("E", "ENG", "a")]
    both = aimed(lies, row("own", ports=["home", "theirs"], pay="end"))
    each = aimed(lies, row("own", ports=["home", "theirs"], pay="end", each=True))

    def paid(made: TurnFacts, *owners: str) -> list[int]:
        state = standing(made)
        state.holdings.owners = dict(zip(("home", "theirs"), owners, strict=True))
        return [event.data["marks"] for event in settle(made, state)[0]]

    assert paid(both, "England", "England") == [10] and paid(both, "England", "Dutch Republic") == []
    assert paid(each, "England", "England") == [20] and paid(each, "England", "Dutch Republic") == [10]
    assert paid(each, "Dutch Republic", "Dutch Republic") == []


@pytest.mark.clause("G.OB1")
def test_a_denial_holds_unless_the_enemy_has_achieved_the_objective_even_on_the_last_morning() -> None:
    aim = row("gather", least_line=1, at=["a"], days=2)
    deny = row("deny", id="no", side="NLD", objective="aim", pay="end")
    made = aimed([fleet("E", "ENG", "a")], deny, aim)
    state = morning(made)
    late = replace(state, hour=24)
    assert [(event.data["objective"], event.data["side"]) for event in settle(made, late)[0]] == [
        ("aim", "ENG")
    ]
    state.fleets["E"] = replace(state.fleets["E"], position=replace(state.fleets["E"].position, at="c"))
    assert [(event.data["objective"], event.data["side"]) for event in settle(made, late)[0]] == [
        ("no", "NLD")
    ]


@pytest.mark.clause("G.OB1")
def test_a_campaign_without_the_switch_asks_nothing() -> None:
    made = aimed([fleet("E", "ENG", "a")], row("gather", least_line=1, at=["a"]), rules={"objectives": "off"})
    assert morning(made).aims == Aims()
    assert settle(made, standing(made)) == ([], Aims())


@pytest.mark.clause("G.OB1")
def test_objectives_are_asked_at_six_in_the_morning_alone() -> None:
    made = aimed([fleet("E", "ENG", "a")], row("gather", least_line=1, at=["a"]), days=3)
    state, _ = play(made, reload=True)
    assert state.aims.tallies["aim"].mornings == 3
    after, _ = play(next_facts(replace(made, days=2), state))
    assert after.aims.tallies["aim"].mornings == 5
    assert told(after) == []


# --- who knows ---------------------------------------------------------------------------------------------------


def report(number: int, hour: int, band: str, *kinds: str, longitude: int = 300) -> SightingReport:
    return SightingReport("NLD", number, hour, 0, longitude, None, band, kinds, "D", "E")


@pytest.mark.clause("G.OB4")
def test_a_side_reckons_the_enemys_objective_by_its_reports_of_the_last_day() -> None:
    aim = row("gather", least_line=3, at=["c"])
    made = aimed([fleet("E", "ENG", "c"), fleet("D", "NLD", "home")], aim)

    def known(*reports: SightingReport) -> bool:
        state = standing(made)
        state.reports = list(reports)
        return morning(made, state, day=2).aims.known["aim", "NLD"].now

    assert not known()
    assert known(report(1, 24, "2-4")) and not known(report(1, 23, "2-4"))
    assert not known(report(1, 40, "1"))
    assert not known(report(1, 40, "2-4", "frigate")) and known(report(1, 40, "2-4", "line"))
    # the last report of a contact is the one that counts
    assert not known(report(1, 30, "2-4"), report(1, 40, "2-4", longitude=200))
    assert known(report(1, 40, "2-4", longitude=316)) and not known(report(1, 40, "2-4", longitude=317))


@pytest.mark.clause("G.OB4")
def test_a_side_judges_its_own_objective_at_sea_by_its_ships_and_its_reports_of_the_enemy() -> None:
    aim = row("sea", side="NLD", least_marks=1, places=["c"])
    made = aimed([fleet("D", "NLD", "c"), fleet("E", "ENG", "c")], aim, mark=40)
    state = morning(made)
    assert not state.aims.tallies["aim"].now and state.aims.known["aim", "NLD"].now
    state.reports = [report(1, 0, "2-4", "merchant")]
    assert morning(made, state).aims.known["aim", "NLD"].now
    state.reports = [report(1, 0, "2-4")]
    assert not morning(made, state).aims.known["aim", "NLD"].now


@pytest.mark.clause("G.OB4", "G.IN1")
def test_a_secret_objective_is_told_to_its_side_alone() -> None:
    lies = [fleet("E", "ENG", "a"), fleet("D", "NLD", "c")]
    for public, knows in ((True, ("ENG", "NLD")), (False, ("ENG",))):
        state = morning(aimed(lies, row("gather", least_line=1, at=["a"], public=public)))
        assert [event.knows for event in state.events] == [knows]
        assert {side for _, side in state.aims.known} == set(knows)


@pytest.mark.clause("G.OB4", "G.LD3")
def test_a_third_side_knows_men_ashore_in_bands() -> None:
    made = aimed([fleet("E", "ENG", "a")], row("land", men=3_500, at=["b"]))
    sides = {**made.sides, "FRA": replace(made.sides["ENG"], code="FRA", nations=("France",))}
    made = replace(made, sides=sides)
    state = standing(made)
    state.holdings.ashore["ENG", "b"] = 2_600
    aims = morning(made, state).aims
    # six times 500 men are told as five to nine, and those as seven
    more = replace(made, objectives=(row("land", men=3_501, at=["b"]),))
    again = standing(more)
    again.holdings.ashore["ENG", "b"] = 2_600
    assert not morning(more, again).aims.known["aim", "FRA"].now
    assert aims.known["aim", "FRA"].now and not aims.known["aim", "ENG"].now and not aims.tallies["aim"].now


# --- decisive ones -----------------------------------------------------------------------------------------------


@pytest.mark.clause("G.OB3", "G.CL3")
@pytest.mark.parametrize(("setting", "days"), [("ends", 1), ("tells", 4), ("asks", 4)])
def test_a_decisive_objective_ends_the_turn_at_the_next_six_in_the_morning(setting: str, days: int) -> None:
    aim = row("gather", least_line=1, at=["a"], decisive=True)
    made = aimed([fleet("E", "ENG", "a")], aim, days=4, rules={"decisive": setting})
    state, _ = play(made, reload=True)
    assert state.hour == 24 * days
    assert state.early == ("objective" if days == 1 else "")
    assert [event.data["decides"] for event in state.events if event.kind == "objective_achieved"] == [
        setting
    ]


def test_what_is_known_of_one_row_is_forgotten_and_of_the_others_kept() -> None:
    tally, watch = Tally(1), Watch(2)
    both = Aims(
        {"aim": tally, "port": tally},
        {("aim", "ENG"): tally, ("port", "ENG"): tally},
        {"aim": watch, "port": watch},
    )
    assert both.without("aim") == Aims({"port": tally}, {("port", "ENG"): tally}, {"port": watch})


@pytest.mark.clause("G.OB3")
def test_the_end_waits_while_a_battle_holds_a_fleet_of_that_side() -> None:
    aim = row("gather", least_line=1, at=["a"], decisive=True)
    made = aimed([fleet("E", "ENG", "a")], aim, rules={"decisive": "ends"})
    aims = Aims({"aim": Tally(1, 1, True, achieved=24)})
    assert decided_by([aim], aims, made.settings, 48, ()) == [aim]
    assert decided_by([aim], aims, made.settings, 48, ("NLD",)) == [aim]
    assert decided_by([aim], aims, made.settings, 48, ("ENG",)) == []
    assert decided_by([aim], aims, made.settings, 24, ()) == []
    assert decided_by([aim], Aims({"aim": Tally(achieved=NEVER)}), made.settings, 48, ()) == []
    assert decided_by([replace(aim, decisive=False)], aims, made.settings, 48, ()) == []
    held = aimed([fleet("E", "ENG", "a", held_by="T1-b01")], aim, days=3, rules={"decisive": "ends"})
    assert play(held)[0].early == ""


@pytest.mark.clause("G.OB3")
def test_a_secret_decisive_objective_is_made_known_to_all_when_play_continues() -> None:
    lies = [fleet("E", "ENG", "a"), fleet("D", "NLD", "c")]
    aim = row("gather", least_line=1, at=["a"], decisive=True, public=False)
    for setting, knows in (("tells", ("ENG", "NLD")), ("ends", ("ENG",)), ("asks", ("ENG",))):
        state = morning(aimed(lies, aim, rules={"decisive": setting}))
        assert [event.knows for event in state.events] == [knows]


# --- stored ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("G.OB1", "G.UM3")
def test_progress_on_objectives_is_read_back_as_it_was_saved() -> None:
    aims = Aims(
        {"aim": Tally(2, 3, True, 48, 10, True, ("E1",))},
        {("aim", "NLD"): Tally(1)},
        {"shut": Watch(5, True, True)},
    )
    assert Aims.read(json.loads(json.dumps(aims.doc()))) == aims
    assert Aims().doc() == {} and Aims.read({}) == Aims()
    copy = aims.copy()
    copy.tallies.clear(), copy.known.clear(), copy.watches.clear()
    assert aims.tallies and aims.known and aims.watches
    duties = Duties(convoys={"C": Convoy(("E1",), 50, 20)})
    assert Duties.read(json.loads(json.dumps(duties.doc()))) == duties


@pytest.mark.clause("G.OB1")
def test_a_closed_port_is_looked_at_each_hour() -> None:
    made = aimed([off("E")], row("close", port="theirs"))
    state = standing(made)
    state.hour = 5
    objective_step(Chart(made, state, ScriptedDice(())))
    assert state.aims.watches["aim"] == Watch(hours=1)
    assert state.aims.tallies == {}
    state.aims.watches["aim"] = Watch(hours=9, broken=True)
    away = aimed([fleet("E", "ENG", "c")], row("close", port="theirs"))
    gone = standing(away)
    gone.hour, gone.aims = 5, state.aims
    objective_step(Chart(away, gone, ScriptedDice(())))
    assert gone.aims.watches["aim"] == Watch(hours=0, broken=True)


@pytest.mark.clause("G.OB1", "G.OB4")
@pytest.mark.parametrize(
    ("touch", "before", "noticed"),
    [
        (Touch("E", "D", seen=True), False, True),
        (Touch("E", "D", seen=False), False, False),
        (Touch("E", "X", seen=True), False, False),
        (Touch("X", "D", seen=True), False, False),
        (Touch("E", "D", seen=False), True, True),
    ],
)
def test_a_side_notices_who_goes_in_or_out_where_it_has_touch(
    touch: Touch, before: bool, noticed: bool
) -> None:
    made = aimed([off("E"), fleet("D", "NLD", "theirs"), fleet("X", "NLD", "c")], row("close", port="theirs"))
    state = standing(made)
    state.hour, state.aims.watches["aim"] = 5, Watch(hours=3, noticed=before)
    chart = Chart(made, state, ScriptedDice(()))
    objective_step(chart)
    watch_step(chart)
    assert state.aims.watches["aim"] == Watch(4, False, before)
    objective_step(chart)
    state.touches[touch.observer, touch.fleet] = touch
    chart.alter(state.fleets["D"], position=Position("theirs", "c", 500))
    watch_step(chart)
    assert state.aims.watches["aim"] == Watch(5, True, noticed)
