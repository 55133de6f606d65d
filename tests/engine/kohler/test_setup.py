"""From a scenario to ships in place: cards, old damage, lines, disorder, reinforcements, and what is refused."""

from __future__ import annotations

import pytest

from battles.engine.core.dice import KeyedDice, ScriptedDice
from battles.engine.core.hexes import Hex, distance, step
from battles.engine.core.log import Log
from battles.engine.core.scenario import Stance, read_scenario
from battles.engine.rulesets.kohler import layout, setup
from battles.engine.rulesets.kohler.state import Battle, Status
from tests.engine.kohler.builders import battle, play, ship
from tests.engine.kohler.scenarios import document, entry, scenario


def begun(*faces: int, log: Log | None = None, **over: object) -> Battle:
    """A battle set up with just these dice."""
    with ScriptedDice(faces, log=log) as dice:
        return setup.begin(scenario(**over), dice, log)


@pytest.mark.clause("K.S7", "K.S6")
def test_each_fleet_starts_in_line_ahead_on_the_port_tack_reach_ten_hexes_apart_along_the_wind():
    sea = begun(english=7, dutch=5)
    english = [one for one in sea.ships.values() if one.side == "ENG"]
    dutch = [one for one in sea.ships.values() if one.side == "DUT"]
    assert {sea.rel(one.facing) for one in sea.ships.values()} == {2}
    for line in (english, dutch):
        for ahead, astern in zip(line, line[1:], strict=False):
            assert step(astern.pos, astern.facing) == ahead.pos
    assert step(english[3].pos, sea.wind, 10) == dutch[2].pos
    assert all(distance(a.pos, b.pos) >= 10 for a in english for b in dutch)


@pytest.mark.clause("K.S7")
@pytest.mark.parametrize(
    ("english", "dutch", "more", "apart"),
    [
        ("avoid", "seek", {}, 4),
        ("hold", "avoid", {}, 4),
        ("hold", "seek", {}, 10),
        ("avoid", "avoid", {}, 10),
        ("seek", "avoid", {"gap": 7}, 7),
    ],
)
def test_a_side_that_has_been_overhauled_begins_at_long_range(
    english: str, dutch: str, more: dict[str, int], apart: int
):
    doc = document(english=1, dutch=1, **more)
    for side, stance in zip(doc["sides"], (english, dutch), strict=True):
        side["doctrine"] = {"stance": stance}
    with ScriptedDice([]) as dice:
        sea = setup.begin(read_scenario(doc), dice)
    assert sea.ships["D1"].pos == step(sea.ships["E1"].pos, sea.wind, apart)


@pytest.mark.clause("K.S7")
def test_three_empty_hexes_lie_between_squadrons():
    assert layout.stations([2, 3, 1]) == [0, 1, 5, 6, 7, 11]


@pytest.mark.clause("K.S7")
@pytest.mark.parametrize(("die", "windward"), [(1, "ENG"), (3, "ENG"), (4, "DUT"), (6, "DUT")])
def test_a_die_settles_the_weather_gauge_when_the_scenario_does_not(die: int, windward: str):
    sea = begun(die, gauge="", gap=6)
    first = next(one for one in sea.ships.values() if one.side == windward)
    other = next(one for one in sea.ships.values() if one.side != windward)
    assert other.pos == step(first.pos, sea.wind, 6)


@pytest.mark.clause("G.SI1")
def test_a_surprised_side_leaves_the_gauge_to_the_other():
    sea = begun(gauge="", surprised=["ENG"])
    assert sea.ships["E1"].pos == step(sea.ships["D1"].pos, sea.wind, 10)


@pytest.mark.clause("K.S9", "K.S6")
def test_a_position_on_land_is_replaced_by_the_nearest_open_water():
    free = begun()
    ashore = free.ships["E3"].pos
    sea = begun(land=[list(ashore)])
    assert sea.ships["E3"].pos != ashore and distance(sea.ships["E3"].pos, ashore) <= 6
    assert len({one.pos for one in sea.ships.values()}) == 12


@pytest.mark.clause("K.S1", "K.S5", "K.I6", "K.I7", "K.A2.1", "K.W1")
def test_the_scenario_gives_sides_and_squadrons_and_wind():
    sea = begun(wind={"towards": 225, "strength": "light"})
    assert (sea.wind, sea.north, sea.wind_prev, sea.strength.name) == (4, 345, None, "LIGHT")
    assert {code: side.wins_ties for code, side in sea.sides.items()} == {"ENG": False, "DUT": True}
    assert [one.id for one in sea.ships.values() if one.is_flagship] == ["E4", "D4"]
    assert begun().strength.name == "NORMAL"


@pytest.mark.clause("K.I6")
def test_without_dutch_ships_the_flagged_or_second_listed_side_wins_draws():
    doc = document()
    doc["sides"][1]["nation"] = "France"
    with ScriptedDice(()) as dice:
        assert setup.begin(read_scenario(doc), dice).sides["DUT"].wins_ties
    doc["sides"][0]["wins_ties"] = True
    with ScriptedDice(()) as dice:
        states = setup.begin(read_scenario(doc), dice).sides
    assert states["ENG"].wins_ties and not states["DUT"].wins_ties


@pytest.mark.clause("K.W1")
def test_a_random_wind_takes_one_die():
    assert begun(5, options={"disorder": False, "wind_start": "random"}).wind == 4


@pytest.mark.clause("K.G8", "K.S2")
def test_old_damage_is_crossed_off_with_its_steps_and_no_checks():
    doc = document()
    row = doc["sides"][0]["squadrons"][0]["ships"][0]
    row["condition"] = {"schema": 1, "hits_struct": 7, "hits_board": 4, "flag_officer_ok": True}
    with ScriptedDice(()) as dice:
        sea = setup.begin(read_scenario(doc), dice)
    hurt = sea.ships["E1"]
    assert (hurt.hull_max, hurt.hull_left, hurt.steps_lost, hurt.unchecked_steps) == (22, 11, 2, [])
    assert (hurt.complement, sea.ships["E2"].hull_left) == (286, 22)


@pytest.mark.clause("K.S4")
def test_a_squadron_outside_four_to_ten_ships_is_noted_and_sails():
    log = Log()
    begun(log=log, english=3, dutch=10)
    assert [event.data["ships"] for event in log.events if event.kind == "warned"] == [3]
    assert len([event for event in log.events if event.kind == "placed"]) == 13


@pytest.mark.clause("K.S6", "K.S8")
def test_fixed_positions_are_kept_without_disorder():
    doc = document(english=1, dutch=1, fixed_positions=True, options={})
    doc["sides"][0]["squadrons"][0]["ships"] = [entry("E1", position=[3, 4], heading=1)]
    doc["sides"][1]["squadrons"][0]["ships"] = [entry("D1", "Dutch Republic", position=[5, 4])]
    with ScriptedDice(()) as dice:
        sea = setup.begin(read_scenario(doc), dice)
    assert (sea.ships["E1"].pos, sea.ships["E1"].facing) == ((3, 4), 1)
    assert sea.rel(sea.ships["D1"].facing) == 2
    assert sea.at == {(3, 4): [sea.ships["E1"]], (5, 4): [sea.ships["D1"]]}


@pytest.mark.clause("K.S8", "K.A2.12")
def test_disorder_is_on_unless_the_scenario_says_otherwise_and_throws_two_dice_a_ship():
    log = Log()
    setup.begin(scenario(options={}), KeyedDice(b"seed", log=log), log)
    thrown = [event for event in log.events if event.kind == "die" and event.clause == "K.A2.12"]
    assert len(thrown) == 12 and all(len(event.data["faces"]) == 2 for event in thrown)


def disordered(*faces: int, friend: Hex | None = None, **over: object) -> Hex:
    """Where a ship at (0, 0) lies after these dice; a friend given has thrown before her and stayed."""
    ships = [ship(id="E1")] if friend is None else [ship(id="E0", pos=friend), ship(id="E1")]
    sea = battle(*ships, **over)
    with ScriptedDice(faces) as dice:
        layout.disorder(sea, dice, None)
    assert sea.ships["E1"] in sea.at[sea.ships["E1"].pos]
    return sea.ships["E1"].pos


@pytest.mark.clause("K.E26", "K.A2.12")
def test_dice_of_disorder_displace_by_wind_and_distance():
    assert disordered(4, 2) == (-1, 1)
    assert disordered(6, 1) == (0, 2)
    assert disordered(2, 5) == (0, 0)


@pytest.mark.clause("K.E26", "K.A2.14")
def test_a_ship_thrown_onto_a_friend_moves_on_from_there():
    assert disordered(1, 1, 6, 1, 3, friend=(0, 2)) == (-2, 2)


@pytest.mark.clause("K.A2.14")
def test_a_ship_left_on_a_hex_taken_since_then_gives_way_one_hex():
    sea = battle(ship(id="E0", pos=(0, -1)), ship(id="E1"))
    with ScriptedDice((3, 1, 2, 2)) as dice:
        layout.disorder(sea, dice, None)
    assert (sea.ships["E0"].pos, sea.ships["E1"].pos) == ((0, 0), (-1, 1))


@pytest.mark.clause("K.A2.14")
def test_land_or_an_enemy_in_the_way_restarts_the_throw_from_her_own_hex():
    assert disordered(6, 1, 2, land=frozenset({(0, 2)})) == (-2, 2)
    sea = battle(ship(id="D1", side="DUT", pos=(0, 1)), ship(id="E1"))
    with ScriptedDice((1, 1, 3, 1, 4)) as dice:
        layout.disorder(sea, dice, None)
    assert sea.ships["E1"].pos == (0, -1)


@pytest.mark.clause("K.A2.13")
def test_the_english_bonus_steadies_english_ships_alone():
    options = {"english_disorder_bonus": True}
    assert disordered(3, 1, options=options) == (0, 0)
    sea = battle(ship(id="D1", side="DUT"), options=options)
    with ScriptedDice((3, 1)) as dice:
        layout.disorder(sea, dice, None)
    assert sea.ships["D1"].pos == (0, 1)


@pytest.mark.clause("K.G9", "K.S7", "K.G25")
def test_a_reinforcement_arrives_on_its_turn_from_its_edge_in_line():
    doc = document()
    late = {"id": "late", "name": "Rupert", "flagship": "R1", "arrives": 4, "edge": 270}
    late["ships"] = [entry("R1"), entry("R2"), entry("R3")]
    doc["sides"][0]["squadrons"].append(late)
    with ScriptedDice(()) as dice:
        sea = setup.begin(read_scenario(doc), dice)
    expected = [sea.ships[code] for code in ("R1", "R2", "R3")]
    assert {one.status for one in expected} == {Status.EXPECTED}
    assert not any(one in here for here in sea.at.values() for one in expected)
    sea.turn = 3
    layout.arrivals(sea, play())
    assert expected[0].status is Status.EXPECTED
    sea.turn = 4
    layout.arrivals(sea, play())
    assert {one.status for one in expected} == {Status.AFLOAT}
    others = [one for one in sea.ships.values() if one not in expected]
    assert all(distance(one.pos, other.pos) > 12 for one in expected for other in others)
    assert max(one.pos[0] for one in expected) < min(other.pos[0] for other in others)
    assert all(sea.rel(one.facing) != 0 for one in expected)
    assert distance(expected[0].pos, expected[2].pos) == 2


@pytest.mark.clause("K.G9", "K.S7")
def test_squadrons_that_arrive_together_follow_each_other_towards_the_middle_of_a_long_line():
    doc = document(english=40, dutch=40)
    for n in (1, 2):
        ships = [entry(f"R{n}{k}") for k in (1, 2, 3)]
        late = {"id": f"late{n}", "name": f"Late {n}", "flagship": f"R{n}1", "arrives": 1, "ships": ships}
        doc["sides"][0]["squadrons"].append({**late, "edge": 0})
    sea = setup.begin(read_scenario(doc), KeyedDice(b"late"))
    there = [one.pos for one in sea.ships.values() if one.status is Status.AFLOAT]
    sea.turn = 1
    layout.arrivals(sea, play())
    van, second = sea.ships["R11"], sea.ships["R21"]
    assert min(distance(van.pos, cell) for cell in there) == layout.ARRIVAL
    assert max(distance(van.pos, cell) for cell in there) > 30
    assert distance(sea.ships["R13"].pos, second.pos) == 1 + layout.BETWEEN_SQUADRONS
    assert distance(van.pos, second.pos) == 3 + layout.BETWEEN_SQUADRONS


def faults_of(**over: object) -> dict[str, str]:
    """Path and sentence of all that this set finds wrong with a scenario."""
    return {fault.path: fault.text for fault in setup.faults(scenario(**over))}


@pytest.mark.clause("K.S8", "K.W8", "K.G9")
def test_all_unknown_options_and_wrong_settings_are_named_with_the_known_ones():
    found = faults_of(
        options={"weathr": True, "wind_mode": "calm", "last_turn": 0, "initiative": {"nobody": 3}}
    )
    assert set(found) == {
        "options.weathr",
        "options.wind_mode",
        "options.last_turn",
        "options.initiative.nobody",
    }
    assert "wind_mode" in found["options.weathr"] and "scripted" in found["options.wind_mode"]


@pytest.mark.clause("K.S9", "K.S6")
def test_a_sea_without_room_is_refused_and_a_narrow_one_still_holds_everyone():
    assert set(faults_of(edges=[5, 0, -5, 9])) == {"edges"}
    assert "24 are needed" in faults_of(edges=[0, 0, 4, 3])["edges"]
    sea = begun(edges=[0, 0, 5, 3])
    assert len({one.pos for one in sea.ships.values()}) == 12
    assert all(0 <= one.pos[0] <= 5 and 0 <= one.pos[1] <= 3 for one in sea.ships.values())
    doc = document(edges=[-9, -9, 9, 9])
    doc["sides"][0]["squadrons"][0]["ships"][1]["position"] = [10, 0]
    assert [fault.path for fault in setup.faults(read_scenario(doc))] == [
        "sides[0].squadrons[0].ships[1].position"
    ]


@pytest.mark.clause("K.S6", "K.0.1")
def test_the_nearest_clear_hex_is_looked_for_ring_by_ring():
    sea = battle(ship(id="E1"))
    assert layout.clear_hex(sea, ship(id="E2"), (0, 0)) == (0, -1)
    for radius in (1, 2, 5):
        ring = list(layout._ring((3, -2), radius))
        assert len(set(ring)) == len(ring) == 6 * radius
        assert {distance(cell, (3, -2)) for cell in ring} == {radius}


@pytest.mark.clause("G.WX3")
def test_no_battle_begins_in_a_gale():
    assert set(faults_of(wind={"strength": "gale"})) == {"wind.strength"}


@pytest.mark.clause("K.G8", "K.S10", "K.0.2")
def test_unplayable_ships_are_named_one_by_one():
    doc = document()
    ships = doc["sides"][0]["squadrons"][0]["ships"]
    ships[0]["condition"] = {"schema": 1, "hits_struct": 22, "hits_board": 0, "flag_officer_ok": True}
    ships[1]["condition"] = {"schema": 9}
    ships[2]["heading"] = 90
    ships[3]["facts"]["overrides"] = {"speed": 4}
    found = {fault.path for fault in setup.faults(read_scenario(doc))}
    path = "sides[0].squadrons[0].ships"
    assert found == {
        f"{path}[0].condition",
        f"{path}[1].condition",
        f"{path}[2].heading",
        f"{path}[3].facts.overrides",
    }


@pytest.mark.clause("K.G9")
def test_a_side_with_no_ship_present_yet_is_refused():
    doc = document()
    doc["sides"][0]["squadrons"][0]["arrives"] = 3
    assert [fault.path for fault in setup.faults(read_scenario(doc))] == ["sides[0].squadrons"]


@pytest.mark.parametrize(("own", "due"), [("hold", Stance.HOLD), (None, Stance.AVOID)])
def test_a_squadron_has_its_own_doctrine_else_that_of_its_side(own: str | None, due: Stance):
    doc = document()
    for side in doc["sides"]:
        side["doctrine"] = {"stance": "avoid"}
        if own is not None:
            side["squadrons"][0]["doctrine"] = {"stance": own}
    sea = setup.begin(read_scenario(doc), ScriptedDice([]), None)
    assert {one.doctrine.stance for one in sea.squadrons.values()} == {due}
    assert {one.doctrine.stance for one in sea.sides.values()} == {Stance.AVOID}


def test_ships_of_which_the_scenario_says_everything_are_as_it_says():
    doc = document(english=2, dutch=1)
    rows = [row for side in doc["sides"] for squadron in side["squadrons"] for row in squadron["ships"]]
    condition = {"schema": 1, "hits_struct": 5, "hits_board": 2, "flag_officer_ok": False}
    for n, row in enumerate(rows):
        row |= {"position": [5 * n, 1], "heading": n, "complement": 150 + n, "condition": condition}
    sea = setup.begin(read_scenario(doc), ScriptedDice([]), None)
    assert [(one.pos, one.facing, one.complement) for one in sea.ships.values()] == [
        ((0, 1), 0, 150), ((5, 1), 1, 151), ((10, 1), 2, 152),
    ]  # fmt: skip
    for one in sea.ships.values():
        assert (one.hits_struct, one.hits_board, one.board_before, one.flag_officer_ok) == (5, 2, 2, False)
        assert one.steps_lost == sum(limit <= 7 for limit in one.thresholds)


def test_of_ships_without_a_heading_each_lies_on_a_reach_on_the_port_tack():
    doc = document(english=1, dutch=1)
    for n, side in enumerate(doc["sides"]):
        side["squadrons"][0]["ships"][0]["position"] = [5 * n, 1]
    sea = setup.begin(read_scenario(doc), ScriptedDice([]), None)
    assert {sea.rel(one.facing) for one in sea.ships.values()} == {2}
