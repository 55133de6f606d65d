"""From a scenario to ships on the sea: where they lie, what they bring, who comes later, what is refused. Rules: A.S1-A.S3, A.G36-A.G38."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import cos, radians, sin
from typing import Any

import pytest

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.log import Log
from battles.engine.core.scenario import read_scenario
from battles.engine.rulesets.age_of_sail import layout, sailing
from battles.engine.rulesets.age_of_sail.rules import RULES
from battles.engine.rulesets.age_of_sail.state import Anchor, Battle, Status
from tests.engine.age_of_sail.builders import E, at, battle, begun, document, finished, kinds, ship, table
from tests.support.answers import flawless, unerring


@unerring
def changed(
    ships: dict[str, dict[str, Any]] | None = None,
    squadrons: dict[str, dict[str, Any]] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """The document with something changed in some of its ships and squadrons."""
    doc = document(**more)
    for side in doc["sides"]:
        for squadron in side["squadrons"]:
            squadron.update((squadrons or {}).get(squadron["id"], {}))
            for one in squadron["ships"]:
                over = dict((ships or {}).get(one["id"], {}))
                one["facts"] = {**one["facts"], **over.pop("facts", {})}
                one.update(over)
    return doc


@unerring
def made(*args: Any, **more: Any) -> Battle:
    with ScriptedDice([]) as none:
        return RULES.begin(read_scenario(changed(*args, **more)), none)


@unerring
def faulty(doc: dict[str, Any]) -> list[str]:
    return [fault.path for fault in RULES.scenario_faults(read_scenario(doc))]


@pytest.mark.clause("A.S2", "A.W2")
@pytest.mark.parametrize("towards", range(0, 360, 45))
def test_the_lines_lie_across_the_wind_whatever_it_is(towards: int) -> None:
    opened = begun(wind={"towards": towards, "strength": "light"})
    assert (opened.wind_from, opened.wind) == (((towards + 180) // 45) % 8, 3)
    eye = radians(towards + 180)
    course = eye + radians(90)
    for code, up, back in (("E1", 30, 0), ("E2", 30, 5), ("E3", 30, 15), ("D1", 0, 0), ("D2", 0, 5)):
        one = opened.ships[code]
        assert one.x == pytest.approx(1_000 * (up * sin(eye) - back * sin(course)), abs=40)
        assert one.y == pytest.approx(1_000 * (up * cos(eye) - back * cos(course)), abs=40)
        assert one.h == ((towards + 270) % 360) / 22.5
    if towards % 90 == 0:
        assert {one.x % 1_000 + one.y % 1_000 for one in opened.ships.values()} == {0}


@pytest.mark.clause("A.S2", "A.G37")
@pytest.mark.parametrize(
    ("more", "windward"),
    [
        ({}, "E"), ({"gauge": "E"}, "E"), ({"gauge": "D"}, "D"), ({"surprised": ["E"]}, "D"), ({"surprised": ["D"]}, "E"),
        ({"surprised": ["E"], "gauge": "E"}, "D"), ({"surprised": ["E", "D"], "gauge": "D"}, "D"), ({"surprised": ["E", "D"]}, "E"),
    ],
)  # fmt: skip
def test_the_windward_side_is_by_gauge_but_a_surprised_side_lies_to_leeward(
    more: dict[str, Any], windward: str
) -> None:
    opened = begun(**more)
    assert [opened.ships[code].y for code in ("E1", "D1")] == (
        [30_000, 0] if windward == "E" else [0, 30_000]
    )


@pytest.mark.clause("A.S3", "A.G37", "A.G38")
@pytest.mark.parametrize(
    ("options", "surprised", "faces", "first", "told"),
    [
        ({}, [], [2, 1], "E", 2), ({}, [], [1, 2], "D", 2), ({}, [], [6, 6, 1, 1, 5, 6], "D", 6), ({}, ["E"], [], "D", 0),
        ({}, ["D"], [], "E", 0), ({}, ["E", "D"], [3, 1], "E", 2), ({"first_mover": "D"}, [], [], "D", 0),
        ({"first_mover": "E"}, ["E"], [], "E", 0),
    ],
)  # fmt: skip
def test_the_first_mover_is_thrown_for_unless_it_is_settled(
    options: dict[str, Any], surprised: list[str], faces: list[int], first: str, told: int
) -> None:
    log = Log()
    with ScriptedDice(faces, log=log) as dice:
        opened = RULES.begin(read_scenario(document(options=options, surprised=surprised)), dice, log)
    assert opened.first == first and opened.second != first
    assert len(dice.throws) == told and len({throw.key for throw in dice.throws}) == told
    assert [throw.key.split("/")[-2:] for throw in dice.throws][:2] == [["1", "E"], ["1", "D"]][:told]
    events = log.take()
    assert kinds(events) == ["opened", *["placed"] * 5, "first"]
    assert events[0].data["edges"] is None and (events[0].data["land"], events[0].data["shoals"]) == ([], [])


@pytest.mark.clause("A.S1", "A.G37", "A.T4", "A.T9")
def test_the_opening_tells_wind_shores_shoals_and_edges() -> None:
    log = Log()
    shape = [[90_000, 0], [99_000, 0], [99_000, 9_000]]
    options = {"first_mover": "E", "coast": [shape], "shoals": [shape, shape]}
    RULES.begin(
        read_scenario(document(options=options, edges=[-99_000, -9_000, 99_000, 99_000])),
        ScriptedDice([]),
        log,
    )
    opened = log.take()[0]
    assert opened.data == {
        "wind_from": 0, "strength": 4, "land": [shape], "shoals": [shape, shape], "edges": [-99_000, -9_000, 99_000, 99_000],
    }  # fmt: skip


@pytest.mark.clause("A.G37", "A.P3", "A.P2")
@pytest.mark.parametrize(
    ("heading", "h"),
    [(0, 0), (1_124, 0), (1_125, 1), (3_374, 1), (3_375, 2), (9_000, 4), (33_750, 15), (34_874, 15), (34_875, 0), (35_999, 0)],
)  # fmt: skip
def test_a_heading_becomes_the_nearest_of_sixteen_halves_clockwise(heading: int, h: int) -> None:
    opened = made({"E2": {"heading": heading}, "D2": {"position": [40_000, -3]}})
    assert at(opened.ships["E2"]) == (-5_000, 30_000, h)
    assert at(opened.ships["D2"]) == (40_000, -3, E)


@pytest.mark.clause("A.G37", "A.P3")
def test_where_every_ship_has_her_place_and_heading_no_line_is_laid() -> None:
    places = {
        code: {"position": [9_000 * n, 7 * n], "heading": 2_250 * n}
        for n, code in enumerate(("E1", "E2", "E3", "D1", "D2"))
    }
    opened = made(places)
    assert [at(one) for one in opened.ships.values()] == [(9_000 * n, 7 * n, n) for n in range(5)]


@pytest.mark.clause("A.V1", "A.G34", "A.G37")
@pytest.mark.parametrize(
    ("limit", "last", "rounds", "night"),
    [(None, None, 30, False), (29, None, 29, True), (30, None, 30, False), (31, None, 31, False), (9, 8, 9, False),
     (7, 8, 7, True), (None, 500, 500, False)],
)  # fmt: skip
def test_the_scenarios_limit_goes_before_the_sets_and_is_nightfall_where_it_came_first(
    limit: int | None, last: int | None, rounds: int, night: bool
) -> None:
    more = {"turn_limit": limit} if limit else {}
    opened = begun(options={"first_mover": "E", **({"last_round": last} if last else {})}, **more)
    assert (opened.last_turn, opened.nightfall, opened.turn) == (rounds, night, 0)
    assert opened.history == [(0, 4)]


@pytest.mark.clause("A.G32", "A.G36", "A.L1", "A.C12", "A.L5", "A.G37")
def test_what_a_ship_is_when_the_battle_opens() -> None:
    opened = made(
        {
            "E1": {"facts": {"tags": ["anchored"]}, "complement": 640}, "E2": {"prize": True, "facts": {"ship_type": "privateer"}},
            "E3": {"facts": {"ship_type": "pirate", "guns": 20, "crew": 77}}, "D1": {"facts": {"ship_type": "frigate", "crew": 55}},
        },
        {"D-0": {"flagship": "D2"}},
    )  # fmt: skip
    one, two, three, foe, flag = opened.ships.values()
    assert (one.anchor, one.moored, one.complement, one.manned) == (Anchor.DOWN, True, 640, None)
    assert (two.anchor, two.moored, two.manned, two.cls) == (Anchor.UP, False, 0, "light")
    assert [(row.pirate, row.boards) for row in (one, two, three)] == [
        (False, False),
        (False, True),
        (True, True),
    ]
    assert [row.flagship for row in (foe, flag)] == [False, True]
    assert (three.complement, foe.complement, foe.start, foe.number) == (77, 55, (2, 2, 3, 3), 3)
    assert [row.ships for row in opened.lines] == [["D1", "D2"]], "a ship at anchor keeps no line"
    free = made(
        {"E2": {"facts": {"ship_type": "privateer"}}},
        options={"first_mover": "E", "privateers_as_pirates": True},
    )
    assert free.ships["E2"].pirate and not free.ships["E1"].pirate
    assert opened.near((0, 0), 0) == [foe]


@pytest.mark.clause("A.C14", "A.C6", "A.C10")
def test_the_scenarios_year_is_the_year_a_ship_is_met_in_unless_her_own_is_known() -> None:
    facts = {"ship_type": "galleon", "guns": 45, "year_built": None}
    for start, own, cls in (
        ("1650-05-01", None, "line"),
        ("1670-05-01", None, "light"),
        ("", None, "light"),
        ("1670-05-01", 1650, "line"),
    ):
        doc = changed({"E1": {"facts": {**facts, "year_served": own}}}, **({"start": start} if start else {}))
        for one in doc["sides"][0]["squadrons"][0]["ships"]:
            one["facts"] = {name: value for name, value in one["facts"].items() if value is not None}
        with ScriptedDice([]) as none:
            assert RULES.begin(read_scenario(doc), none).ships["E1"].cls == cls


@pytest.mark.clause("A.G26", "A.G36")
@pytest.mark.parametrize(
    ("now", "rig", "start", "sent"),
    [
        ({"masts": [0, 1, 2]}, [-2, 1, 2], (3, 3, 3, 2), (0, 0)), ({"hull": 1}, [2, 2, 2], (3, 3, 1, 3), (0, 0)),
        ({"decks_port": 2, "sent_port": 1}, [2, 2, 2], (2, 3, 3, 3), (1, 0)),
        ({"decks_stbd": 0, "sent_stbd": 2}, [2, 2, 2], (3, 0, 3, 3), (0, 2)),
    ],
)  # fmt: skip
def test_a_ship_enters_with_what_she_has_left(
    now: dict[str, Any], rig: list[int], start: tuple[int, ...], sent: tuple[int, int]
) -> None:
    whole = {"schema": 1, "decks_port": 3, "decks_stbd": 3, "hull": 3, "masts": [2, 2, 2], "rest": 4}
    one = made({"E1": {"condition": {**whole, **now}}}).ships["E1"]
    assert (one.rig, one.start, (one.sent_port, one.sent_stbd), one.rest) == (rig, start, sent, 4)
    assert (one.port, one.stbd, one.units) == start[:3]
    assert (one.decks, one.hull, one.boxes_lost) == (3, 3, 0)


@pytest.mark.clause("A.G37", "A.P1")
def test_a_heading_beyond_the_circle_and_an_impossible_condition_are_errors() -> None:
    path = "sides[0].squadrons[0].ships[0]"
    for heading, bad in ((-1, True), (0, False), (35_999, False), (36_000, True)):
        scenario = read_scenario(changed())
        (side, other), (squadron, second) = scenario.sides, scenario.sides[0].squadrons
        first = replace(squadron.ships[0], heading=heading)
        squadron = replace(squadron, ships=(first, *squadron.ships[1:]))
        wrong = replace(scenario, sides=(replace(side, squadrons=(squadron, second)), other))
        found = [fault.path for fault in RULES.scenario_faults(wrong)]
        assert found == ([f"{path}.heading"] if bad else []), heading
    whole = {"schema": 1, "decks_port": 3, "decks_stbd": 3, "hull": 3, "masts": [2, 2, 2]}
    for change in (
        {"schema": 2}, {"masts": [2, 2]}, {"masts": [2, 2, 3]}, {"masts": None}, {"decks_port": 4}, {"decks_stbd": -1}, {"hull": 4},
        {"rest": 7}, {"gone": True}, {"gone": 0}, {"sent_port": 1}, {"decks_stbd": 2, "sent_stbd": 2}, {"sent_port": "1"}, {"oars": 1},
        {"decks_port": 1, "sent_port": 4}, {"rest": -1}, {"hull": True},
    ):  # fmt: skip
        assert set(faulty(changed({"E1": {"condition": {**whole, **change}}}))) == {f"{path}.condition"}, (
            change
        )
    for right in (
        {},
        {"hull": 0},
        {"rest": 6},
        {"gone": False},
        {"decks_port": 0, "sent_port": 3},
        {"masts": [0, 0, 0]},
    ):
        assert faulty(changed({"E1": {"condition": {**whole, **right}}})) == [], right
    assert faulty(changed({"E1": {"condition": {"schema": 1}}})) == [f"{path}.condition"]


@pytest.mark.clause("A.B1", "A.P6", "A.G37", "A.T9")
def test_a_place_beyond_the_limit_is_an_error_and_one_at_the_limit_is_not() -> None:
    path = "sides[0].squadrons[0].ships[0].position"
    for x, y, bad in (
        (997, 60_000, True),
        (998, 60_000, False),
        (0, 60_997, True),
        (-998, 60_000, False),
        (-704, 60_704, True),
    ):
        doc = changed({"E1": {"position": [0, 60_000]}, "D2": {"position": [x, y]}})
        assert faulty(doc) == (["sides[1].squadrons[0].ships[1].position"] if bad else []), (x, y)
    for edges, bad in (
        ([-15_000, 0, 0, 30_000], 0), ([-14_999, 0, 0, 30_000], 1), ([-15_000, 1, 0, 30_000], 2), ([-15_000, 0, -1, 30_000], 2),
        ([-15_000, 0, 0, 29_999], 3),
    ):  # fmt: skip
        assert len(faulty(document(edges=edges))) == bad, edges
    shape = [[-4_000, 26_000], [4_000, 26_000], [4_000, 31_000], [-4_000, 31_000]]
    assert faulty(document(options={"coast": [shape]})) == [path]
    assert faulty(document(options={"coast": [[[90_000, 0], [91_000, 0], [91_000, 1_000]], shape]})) == [path]
    # where a card is missing no places are looked at
    doc = changed({"E1": {"facts": {"ship_type": "scout"}}}, options={"coast": [shape]})
    assert faulty(doc) == ["sides[0].squadrons[0].ships[0].facts.ship_type"]
    assert faulty(document(options={"coast": [[[0]]]})) == ["options.coast"]
    assert faulty(document(options={"coast": [[0]]})) == ["options.coast"]
    assert faulty(document(land=[[0, 0]], shoal=[[1, 1]])) == ["land", "shoal"]


@pytest.mark.clause("A.P1", "A.G37", "A.S3")
def test_two_sides_are_needed_one_squadron_of_each_from_the_start_and_a_first_mover_among_them() -> None:
    doc = document()
    one = {**doc["sides"][0]["squadrons"][0]["ships"][0], "id": "X1", "name": "X1"}
    third = {
        "id": "X",
        "name": "X",
        "nation": "France",
        "squadrons": [{"id": "X-0", "name": "X", "flagship": "X1", "ships": [one]}],
    }
    assert faulty({**doc, "sides": [*doc["sides"], third]}) == ["sides"]
    assert faulty(changed(None, {"D-0": {"arrives": 2}})) == ["sides[1].squadrons"]
    assert faulty(document(options={"first_mover": "X"})) == ["options.first_mover"]
    assert (
        faulty(document(options={"first_mover": None}))
        == faulty(document(options={"first_mover": "D"}))
        == []
    )


@pytest.mark.clause("A.G37", "A.S2")
def test_a_squadron_still_to_come_takes_no_place_in_the_opening() -> None:
    opened = made(None, {"E-0": {"arrives": 3, "edge": 90}})
    assert [opened.ships[code].status for code in ("E1", "E2", "E3")] == [
        Status.EXPECTED,
        Status.EXPECTED,
        Status.AFLOAT,
    ]
    assert at(opened.ships["E3"]) == (0, 30_000, E)
    assert (opened.squadrons["E-0"].arrives, opened.squadrons["E-0"].edge) == (3, 90)


@pytest.mark.clause("A.G37")
def test_late_ships_that_find_no_one_enter_20_cm_from_the_middle_of_the_board() -> None:
    due = battle(ship("E1", 500, 500, status=Status.EXPECTED), ship("D1", 9, 9, status=Status.WITHDRAWN))
    due.squadrons["E-1"].arrives, due.squadrons["E-1"].edge, due.turn = 2, 90, 3
    layout.arrivals(due, table(due))
    assert at(due.ships["E1"]) == (20_000, 0, 12)


@pytest.mark.clause("A.G38", "A.T9")
@pytest.mark.parametrize(
    ("options", "path"),
    [
        ({"no_sail": 22.0}, "options.no_sail"), ({"no_sail": True}, "options.no_sail"), ({"no_sail": 23}, "options.no_sail"),
        ({"coast": [[5, [0, 0], [9, 9]]]}, "options.coast"), ({"coast": [[[1], [0, 0], [9, 9]]]}, "options.coast"),
        ({"coast": [7]}, "options.coast"),
    ],
)  # fmt: skip
def test_an_angle_or_a_coast_of_the_wrong_kind_is_named(options: dict[str, Any], path: str) -> None:
    assert flawless(faulty, document(options=options)) == [path]


@pytest.mark.clause("A.G37", "A.L2")
@pytest.mark.parametrize(
    ("edge", "wind_from", "place", "h"),
    [
        (0, 4, (5_000, 31_000), 10), (180, 0, (5_000, -20_000), 2), (90, 0, (30_000, 5_500), 12), (270, 0, (-20_000, 5_500), 4),
        (None, 2, (30_000, 5_500), 12), (None, 6, (-20_000, 5_500), 4),
        (90, 6, (30_000, 5_500), 14), (101, 0, None, 12), (102, 0, None, 13),
    ],
)  # fmt: skip
def test_late_ships_enter_20_cm_outside_the_outermost_and_head_for_the_middle(
    edge: int | None, wind_from: int, place: tuple[int, int] | None, h: int
) -> None:
    own = [
        ship("E1", 0, 0, E),
        ship("E2", 500, 500, status=Status.EXPECTED),
        ship("E3", 500, 500, status=Status.EXPECTED),
    ]
    for one in own[1:]:
        one.squadron = "E-2"
    due = battle(*own, ship("D1", 10, 11, E), wind_from=wind_from)
    due.squadrons["E-2"] = due.squadrons["E-1"].__class__(
        "E-2", "Late", "E", ("E2", "E3"), "E2", arrives=2, edge=edge
    )
    due.turn = 1
    by = table(due)
    layout.arrivals(due, by)
    assert finished(by) == [] and due.ships["E2"].expected
    due.turn = 3
    layout.arrivals(due, by)
    two, three = due.ships["E2"], due.ships["E3"]
    assert finished(by) == ["arrived"] * 2 and two.afloat and two.h == h
    if place is not None:
        # the middle is (5, 5.5); the outermost ship on the bearing lies this far out, and 20 cm more
        assert (two.x, two.y) == place
    assert (round((two.x - three.x) / 5_000, 2), round((two.y - three.y) / 5_000, 2)) == (
        round(sin(radians(22.5 * h)), 2),
        round(cos(radians(22.5 * h)), 2),
    )
    assert [row.ships for row in due.lines] == [["E2", "E3"]] and two in due.near(two.position, 0)
    layout.arrivals(due, by)
    assert finished(by) == [], "they come once"


@pytest.mark.clause("A.G37")
def test_late_ships_that_find_no_one_come_in_20_cm_from_where_the_battle_began() -> None:
    due = battle(ship("E1", 7, 7, status=Status.EXPECTED), ship("D1", 9, 9, status=Status.SUNK), wind_from=4)
    due.squadrons["E-1"].edge = 90
    layout.arrivals(due, table(due))
    assert at(due.ships["E1"]) == (20_000, 0, 12)


@pytest.mark.clause("A.G37", "A.M4")
def test_the_nearest_heading_that_sails_is_to_starboard_of_two() -> None:
    for h, no_sail in product(range(16), (45, 22)):
        sails = sailing.sails(6, 4, 2, no_sail)
        then = {45: {4: 6, 3: 2, 5: 6}, 22: {4: 5}}[no_sail].get(h, h)
        assert sailing.falling_off(h, sails) == then
