"""How a battle opens, where ships lie, how the wind shifts, what is left at the end. Rules: T.S10-T.S24, T.B1, T.B8, T.C12, T.C36."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.errors import Fault
from battles.engine.core.fates import Fate, Flag
from battles.engine.core.plane import Box
from battles.engine.core.scenario import read_scenario
from battles.engine.rulesets.thomas import closing, layout, setup, wind
from battles.engine.rulesets.thomas.rules import RULES
from battles.engine.rulesets.thomas.state import Adrift, Battle, Rig, Status
from battles.engine.rulesets.thomas.tables import Kind, WindForce
from tests.engine.thomas.builders import battle, done, events, play, revenge, ship
from tests.engine.thomas.test_closing import ended, settled
from tests.engine.thomas.test_setup import begun, document, entry, scenario

CALM, LIGHT, MEDIUM, STRONG = WindForce.CALM, WindForce.LIGHT, WindForce.MEDIUM, WindForce.STRONG


@pytest.mark.clause("T.B1a", "T.B1b", "T.B1c", "T.B1d", "T.B1e")
@pytest.mark.parametrize(
    ("wind_from", "prevailing", "shifts"),
    [
        (0, 0, (-1, -1, 1, 1, 0, 0)), (9_000, None, (-1, -1, 1, 1, 0, 0)), (18_000, 0, (0, 0, 1, 1, 0, 1)),
        (4_500, 0, (1, 1, -1, -1, 1, -1)),
        (31_500, 0, (-1, -1, 1, 1, -1, 1)), (13_500, 0, (1, 1, -1, -1, 1, -1)), (22_500, 0, (-1, -1, 1, 1, -1, 1)),
        (9_000, 27_000, (0, 0, 1, 1, 0, 1)),
    ],
)  # fmt: skip
def test_the_table_of_shifts_and_its_literal_reading_agree(
    wind_from: int, prevailing: int | None, shifts: tuple[int, ...]
) -> None:
    found = [wind.shift_by(wind_from, prevailing, face) for face in range(1, 7)]
    assert found == [4_500 * by for by in shifts]
    literal = [wind.shift_by(wind_from, prevailing, face, literal=True) for face in range(1, 7)]
    assert literal == [0 if face in (2, 4) else 4_500 * by for face, by in enumerate(shifts, 1)]


@pytest.mark.clause("T.B1", "T.B1f", "T.B1g", "T.B1a")
@pytest.mark.parametrize(
    ("strength", "table", "black", "second", "after"),
    [
        (CALM, "bands", 3, None, CALM), (CALM, "bands", 4, None, LIGHT), (CALM, "bands", 6, None, LIGHT),
        (LIGHT, "bands", 5, None, LIGHT), (LIGHT, "bands", 6, 3, CALM),
        (LIGHT, "bands", 6, 4, MEDIUM), (MEDIUM, "bands", 6, 1, LIGHT), (MEDIUM, "bands", 6, 6, STRONG),
        (STRONG, "bands", 6, 4, STRONG), (STRONG, "bands", 6, 3, MEDIUM),
        (MEDIUM, "literal", 6, 1, LIGHT), (MEDIUM, "literal", 6, 2, MEDIUM), (MEDIUM, "literal", 6, 3, MEDIUM),
        (MEDIUM, "literal", 6, 4, STRONG),
        (MEDIUM, "literal", 6, 5, MEDIUM), (MEDIUM, "literal", 6, 6, MEDIUM),
    ],
)  # fmt: skip
def test_wind_strength_changes_as_in_the_table(
    strength: WindForce, table: str, black: int, second: int | None, after: WindForce
) -> None:
    made = battle(ship(masts_lost=2), strength=strength, options={"wind_table": table})
    played = play(1, black, *(() if second is None else (second,)))
    wind.change(made, played)
    done(played)
    assert made.strength is after
    told = [event.data for event in events(played, "wind")]
    assert told == (
        []
        if after is strength
        else [{"from": 0, "was": 0, "strength": int(after), "strength_was": int(strength)}]
    )
    assert (made.spell_calm, made.spell_quiet) == (int(after is CALM), int(after <= LIGHT))


@pytest.mark.clause("T.B8", "T.B8a", "T.B8b")
@pytest.mark.parametrize(
    ("heading", "masts_lost", "was", "now", "after"),
    [
        # she lay well and is headed by 45 degrees, on either tack; just on the limit nobody throws
        (31_500, 0, 0, 31_500, 27_000), (4_500, 0, 0, 4_500, 9_000), (9_000, 0, 0, 4_500, None), (8_999, 0, 0, 4_500, 9_000),
        (9_001, 0, 0, 4_500, None),
        (4_400, 0, 0, 31_500, None), (9_000, 1, 0, 4_500, 13_500), (13_500, 1, 0, 4_500, None), (26_999, 1, 0, 31_500, 22_500),
    ],
)  # fmt: skip
def test_a_shift_heads_some_ships_and_decides_how_far_they_fall_off(
    heading: int, masts_lost: int, was: int, now: int, after: int | None
) -> None:
    one = ship(heading=heading, masts_lost=masts_lost)
    made = battle(one, wind_from=now)
    played = play(*(() if after is None else (3,)))
    wind.head(made, played, was)
    done(played)
    assert (one.heading, one.in_irons) == (heading if after is None else after, False)
    if after is not None:
        lies = ship(heading=heading, masts_lost=masts_lost)
        wind.head(battle(lies, wind_from=now, move=3), play(2), was)
        assert (lies.heading, lies.in_irons, lies.irons_since) == (heading, True, 3)
        towed = ship(heading=heading, masts_lost=masts_lost, towed_by="E2")
        wind.head(battle(towed, wind_from=now), play(), was)


@pytest.mark.clause("T.B1", "G.FA1")
def test_every_throw_of_the_opening_and_of_the_wind_has_its_own_dice() -> None:
    dice = ScriptedDice([6, 6, 1, 5, 5, 6, 2])
    assert wind.throw_hour(dice, campaign=False) == 6
    wind.throw_opening(dice, variable=True)
    assert [one.key for one in dice.throws] == [
        *(f"T.S10/0/{n}" for n in range(3)),
        *(f"T.S11/0/{n}" for n in range(4)),
    ]
    tied = begun(dice := ScriptedDice([1, 1, 1, 1, 6, 6, 1, 1]), gauge="")
    assert tied.ships["E1"].y > tied.ships["S1"].y
    assert [one.key for one in dice.throws] == [
        "T.S20/0/ENG/0",
        "T.S20/0/SPA/0",
        "T.S20/0/ENG/1",
        "T.S20/0/SPA/1",
    ]


@pytest.mark.clause("T.S20")
def test_a_line_ahead_leaves_half_an_inch_between_ships_and_an_inch_and_a_half_between_squadrons() -> None:
    doc = document(
        ships={"ENG": [entry("E1"), entry("E2", facts={"tons_burthen": 100})], "SPA": [entry("S1")]}
    )
    doc["sides"][0]["squadrons"].append(
        {"id": "ENG-2", "name": "Rear", "flagship": "E3", "ships": [entry("E3")]}
    )
    made = setup.begin(read_scenario(doc), ScriptedDice([]))
    one, two, three = (made.ships[code] for code in ("E1", "E2", "E3"))
    assert one.x - two.x == (one.length + two.length) // 2 + 500
    assert two.x - three.x == (two.length + three.length) // 2 + 1_500
    assert abs(one.x + three.x) <= 1
    assert {each.y for each in (one, two, three)} == {12_000}
    assert made.ships["S1"].position == (0, -12_000)
    near = setup.begin(read_scenario({**doc, "gap": 6_001}), ScriptedDice([]))
    assert near.ships["E1"].y - near.ships["S1"].y in (6_000, 6_001)


@pytest.mark.clause("T.S20")
@pytest.mark.parametrize(
    ("english", "spanish", "more", "apart"),
    [
        ("avoid", "seek", {}, 12_000),
        ("hold", "avoid", {}, 12_000),
        ("hold", "seek", {}, 24_000),
        ("avoid", "avoid", {}, 24_000),
        ("seek", "avoid", {"gap": 20_000}, 20_000),
    ],
)
def test_a_side_that_has_been_overhauled_begins_within_the_reach_of_long_guns(
    english: str, spanish: str, more: dict[str, Any], apart: int
) -> None:
    doc = document(ships={"ENG": [entry("E1")], "SPA": [entry("S1")]}, **more)
    for side, stance in zip(doc["sides"], (english, spanish), strict=True):
        side["doctrine"] = {"stance": stance}
    made = setup.begin(read_scenario(doc), ScriptedDice([]))
    assert made.ships["E1"].y - made.ships["S1"].y == apart


@pytest.mark.clause("T.S20", "T.S21")
@pytest.mark.parametrize(
    ("other", "due"),
    [
        (None, (0, 0)),
        ((0, 374), (0, 600)),
        ((0, 375), (0, 600)),
        ((0, 376), (0, 0)),
        ((1_125, 0), (-520, 300)),
        ((1_126, 0), (0, 0)),
        ((0, 0), (0, 600)),
    ],
)
def test_a_position_already_taken_is_replaced_by_the_nearest_free_one(
    other: tuple[int, int] | None, due: tuple[int, int]
) -> None:
    one = ship("E1", x=90_000)
    there = [] if other is None else [ship("S1", *other, heading=9_000)]
    found = layout.clear_water(battle(one, *there), one, (0, 0), 9_000)
    assert layout._taken(battle(*there or [ship("S9", x=9_000)]), Box(*found, 9_000, 1_000, 250)) is False
    if due in ((0, 0),):
        assert found == due
    else:
        assert found != (0, 0)
        assert (found[0] ** 2 + found[1] ** 2) ** 0.5 == pytest.approx(600, abs=1)


@pytest.mark.clause("T.S20")
def test_a_lack_of_open_water_is_reported() -> None:
    everywhere = ((-900_000, -900_000), (900_000, -900_000), (900_000, 900_000), (-900_000, 900_000))
    one = ship("E1")
    with pytest.raises(ValueError, match=r"no open water for Ship E1 near \[0, 0\]"):
        layout.clear_water(battle(one, land=(everywhere,)), one, (0, 0), 0)


@pytest.mark.clause("T.S20", "T.B2c")
@pytest.mark.parametrize(
    ("bearing", "heading"),
    [(0, 18_000), (9_000, 27_000), (18_000, 9_000), (13_500, 27_000), (22_500, 9_000), (27_000, 9_000)],
)
def test_reinforcements_arrive_no_nearer_the_wind_than_a_reach(bearing: int, heading: int) -> None:
    assert layout._inward(battle(ship()), bearing) == heading


@pytest.mark.clause("T.S20")
@pytest.mark.parametrize(
    ("arrives", "move", "here"), [(2, 1, False), (2, 2, True), (2, 3, True), (0, 5, False)]
)
def test_reinforcements_arrive_24_inches_from_the_farthest_ship(arrives: int, move: int, here: bool) -> None:
    made = battle(ship("E1", x=-4_000), ship("E2", x=6_000), revenge("S1", status=Status.EXPECTED), move=move)
    made.squadrons["SPA-1"].arrives = arrives
    made.squadrons["SPA-1"].edge = 0
    played = play()
    layout.arrivals(made, played)
    one = made.ships["S1"]
    assert (one.status is Status.AFLOAT) is here
    if here:
        assert (one.position, one.heading) == ((1_000, 29_000), 18_000)
        assert events(played, "arrived")[0].data == {"x": 1_000, "y": 29_000, "h": 18_000}
    upwind = battle(revenge("S1", status=Status.EXPECTED), move=move, wind_from=9_000)
    upwind.squadrons["SPA-1"].arrives = 1
    layout.arrivals(upwind, play())
    assert upwind.ships["S1"].position == (0, 0)
    assert upwind.ships["S1"].heading == 27_000


def test_the_opening_reports_every_ship_in_her_state() -> None:
    made = battle(ship("E1", x=1, y=2, heading=3, masts_lost=1, flot=22), start=600, strength=LIGHT)
    played = play()
    layout.tell(made, played)
    (opened,) = events(played, "opened")
    assert opened.data == {
        "minute": 600,
        "minutes": 90,
        "wind_from": 0,
        "prevailing": 0,
        "strength": 1,
        "nelson": False,
        "land": [],
    }
    (placed,) = events(played, "placed")
    told = {
        name: placed.data[name]
        for name in ("x", "y", "h", "masts", "quarters", "flot", "flot_max", "crew", "crew_max")
    }
    assert told == {
        "x": 1,
        "y": 2,
        "h": 3,
        "masts": 2,
        "quarters": 1,
        "flot": 22,
        "flot_max": 30,
        "crew": 120,
        "crew_max": 60,
    }


@pytest.mark.clause("T.S10", "T.C1", "T.S24", "T.C2")
@pytest.mark.parametrize(
    ("over", "minute"),
    [({"start": "1588-07-29T09:05"}, 545), ({"start": "1588-07-29T00:00"}, 0), ({"start": "1588-07-29T23:59"}, 1_439),
     ({"options": {"start_hour": 0}}, 0),
     ({"options": {"start_hour": 7.25}}, 435)],
    ids=str,
)  # fmt: skip
def test_a_battle_begins_at_the_right_minute(over: dict[str, Any], minute: int) -> None:
    assert begun(**over).start == minute


@pytest.mark.clause("T.S24")
@pytest.mark.parametrize(
    ("start", "built", "options", "nelson"),
    [
        ("1699-01-01T09:00", 1750, {}, False), ("1700-01-01T09:00", 1600, {}, True), ("", 1699, {"start_hour": 9}, False),
        ("", 1700, {"start_hour": 9}, True),
        ("1588-01-01T09:00", 1580, {"period": "nelson"}, True), ("1805-01-01T09:00", 1800, {"nelson_rules": False}, False),
        ("1805-01-01T09:00", 1800, {"nelson_rules": False, "period": "nelson"}, False),
        ("1588-01-01T09:00", 1580, {"nelson_rules": True, "period": "armada"}, True),
    ],
)  # fmt: skip
def test_switch_period_year_and_ships_decide_in_this_order_whether_nelsons_rules_apply(
    start: str, built: int, options: dict[str, Any], nelson: bool
) -> None:
    ships = {
        side: [entry(code, facts={"year_built": built})] for side, code in (("ENG", "E1"), ("SPA", "S1"))
    }
    doc = {**document(ships=ships), "options": options}
    doc["start"] = start
    if not start:
        doc.pop("start")
    assert setup._nelson(read_scenario(doc)) is nelson


def told(**over: Any) -> list[Fault]:
    return list(setup.faults(scenario(**over)))


def at(code: str, *position: int, **over: Any) -> dict[str, Any]:
    return entry(code, position=list(position), **over)


@pytest.mark.clause("T.S20", "T.S21", "T.S23", "T.S16")
def test_ships_may_be_placed_only_in_some_positions() -> None:
    clear = {
        "ENG": [at("E1", 0, 0, heading=0), at("E2", 300, 0, heading=0)],
        "SPA": [at("S1", 0, 9_000, heading=35_999)],
    }
    assert told(ships=clear) == []
    on_top = {"ENG": [at("E1", 0, 0, heading=0), at("E2", 100, 0, heading=0)], "SPA": [at("S1", 0, 9_000)]}
    assert [(fault.path, fault.text) for fault in told(ships=on_top)] == [
        ("sides[0].squadrons[0].ships[1].position", "Ship E2 lies on top of Ship E1 at [100, 0]")
    ]
    coast = [[[-100, 8_000], [100, 8_000], [0, 9_400]]]
    assert [fault.text for fault in told(ships=clear, options={"coast": coast})] == [
        "Ship S1 lies ashore at [0, 9000]"
    ]


@pytest.mark.clause("T.S20", "T.S23")
def test_each_side_has_a_squadron_from_the_start() -> None:
    doc = document()
    for side in doc["sides"]:
        side["squadrons"][0]["arrives"] = 1
    assert [fault.path for fault in setup.faults(read_scenario(doc))] == [
        "sides[0].squadrons",
        "sides[1].squadrons",
    ]
    doc["sides"][0]["squadrons"][0]["arrives"] = 0
    assert [fault.path for fault in setup.faults(read_scenario(doc))] == ["sides[1].squadrons"]


@pytest.mark.clause("T.C36", "T.O3")
@pytest.mark.parametrize(
    ("rows", "tows"),
    [
        ({"E1": "E2"}, {"E1": "E2"}),
        ({"E1": "E1"}, {}),
        ({"E1": "X"}, {}),
        ({"E1": "E2", "E3": "E2"}, {"E1": "E2"}),
        ({}, {}),
    ],
    ids=str,
)
def test_ships_that_arrived_in_tow_are_still_in_tow_of_ships_present(
    rows: dict[str, str], tows: dict[str, str]
) -> None:
    ships = [ship("E1"), ship("E2", x=3_000), ship("E3", x=6_000)]
    made = battle(*ships)
    towed = {
        "ENG": [entry(one.id, condition={"towed_by": rows.get(one.id, "")}) for one in ships],
        "SPA": [entry("S1")],
    }
    setup._restore_tows(made, scenario(ships=towed))
    assert {one.id: one.towed_by for one in ships if one.towed_by} == tows
    assert {one.towing: one.id for one in ships if one.towing} == tows


@pytest.mark.clause("T.C12", "T.O4h", "T.B5d", "T.O5")
@pytest.mark.parametrize(
    ("change", "holds"),
    [({}, True), ({"masts_lost": 1}, True), ({"masts_lost": 2}, False), ({"crew_halves": 11}, False), ({"anchored": True}, True),
     ({"struck": True}, False),
     ({"masts_lost": 2, "kind": Kind.GALLEY, "oar_speed": 1}, True),
     ({"masts_lost": 2, "kind": Kind.GALLEY, "oar_speed": 1, "flot": 7}, False),
     ({"status": Status.WITHDRAWN}, False), ({"prize_of": "ENG", "side": "SPA", "secured": True}, False)],
    ids=str,
)  # fmt: skip
def test_the_right_side_is_left_in_possession_of_the_water(change: dict[str, Any], holds: bool) -> None:
    one = ship("E1", **change)
    assert closing._holder(battle(one)) == ("ENG" if holds else "")
    assert closing._holder(battle(one, revenge("S1", x=9_000))) == ("" if holds else "SPA")
    rowed = battle(one, options={"opt_oars": False})
    assert closing._able(rowed, one) is (one.masts_lost < 2 and one.crew >= 6 and not one.prize_of)


@pytest.mark.clause("T.C12", "T.O6e")
def test_the_captor_afterwards_is_the_ship_with_most_to_spare_then_the_one_named_then_the_nearest() -> None:
    def chosen(prize: dict[str, Any], *ships: dict[str, Any]) -> str:
        made = battle(
            *(ship(f"E{n}", **row) for n, row in enumerate(ships, 1)),
            revenge("S1", struck=True, captor_side="ENG", **prize),
        )
        found = closing._captor(made, made.ships["S1"], "ENG")
        return found.id if found else ""

    assert chosen({}, {"x": 9_000}, {"x": 3_000}) == "E2"
    assert chosen({"detail": "E1"}, {"x": 9_000}, {"x": 3_000}) == "E1"
    assert chosen({}, {"x": 9_000}, {"x": 3_000, "crew_halves": 38}) == "E1"
    assert chosen({}, {"x": 9_000}, {"x": 3_000, "crew_halves": 40}) == "E2"
    assert chosen({"detail": "E2"}, {"x": 9_000}, {"x": 3_000, "masts_lost": 2}) == "E1"
    assert chosen({}, {"struck": True}) == ""
    made = battle(ship("E1"), revenge("S1", struck=True))
    assert closing._captor(made, made.ships["S1"], "") is None


@pytest.mark.clause("T.C36", "T.C14")
@pytest.mark.parametrize(
    ("status", "tried", "rises"),
    [
        (Status.AFLOAT, False, True),
        (Status.WITHDRAWN, False, True),
        (Status.SUNK, False, False),
        (Status.AFLOAT, True, False),
    ],
)
def test_captives_rise_after_a_battle_only_in_ships_afloat_and_only_once(
    status: Status, tried: bool, rises: bool
) -> None:
    prize = revenge(
        "S1",
        x=9_000,
        prize_of="ENG",
        secured=True,
        status=status,
        captives_tried=tried,
        crew_halves=0,
        captive_halves=80,
        guard_halves=4,
    )
    settled(ended(ship("E1"), prize, revenge("S2", x=30_000)), *((3,) if rises else ()))
    assert prize.captives_tried is (tried or rises)


@pytest.mark.clause("T.C36")
def test_no_battle_mark_outlives_the_battle() -> None:
    over = dict.fromkeys(
        (
            "in_irons",
            "anchored",
            "boats_out",
            "has_fired",
            "breaking_off",
            "heave_to_next",
            "rescue_next",
            "cutting_cable",
        ),
        True,
    )
    one = ship("E1", adrift=Adrift.TOW_WAIT, tow_wait="E2", rig=Rig.TO_SAIL, gunners=3, **over)
    made = ended(one, ship("E2", x=3_000), revenge("S1", x=9_000))
    made.fasten(one, made.ships["S1"])
    closing._clear(made)
    assert [name for name in over if getattr(one, name)] == []
    assert (one.adrift, one.tow_wait, one.rig, one.gunners, one.grapples, made.grapples) == (
        Adrift.NONE,
        "",
        Rig.SAIL,
        0,
        [],
        [],
    )


@pytest.mark.clause("G.BT3", "T.C23")
@pytest.mark.parametrize(
    ("change", "fate", "flags"),
    [
        ({}, Fate.AFLOAT, set()), ({"status": Status.SUNK}, Fate.SUNK, set()), ({"status": Status.FOUNDERED}, Fate.FOUNDERED, set()),
        ({"status": Status.BLOWN_UP}, Fate.BLOWN_UP, set()), ({"status": Status.WRECKED}, Fate.WRECKED, set()),
        ({"status": Status.BEACHED}, Fate.WRECKED, set()),
        ({"status": Status.WITHDRAWN}, Fate.AFLOAT, {Flag.WITHDREW}), ({"masts_lost": 2}, Fate.AFLOAT, {Flag.DISABLED}),
        ({"masts_lost": 2, "status": Status.WITHDRAWN}, Fate.AFLOAT, {Flag.DISABLED, Flag.WITHDREW}),
        ({"prize_of": "SPA"}, Fate.CAPTURED, set()),
        ({"prize_of": "ENG", "guard_halves": 40}, Fate.AFLOAT, set()), ({"status": Status.EXPECTED, "masts_lost": 2}, Fate.AFLOAT, set()),
    ],

)  # fmt: skip
def test_every_ship_gets_her_fate_and_flag(change: dict[str, Any], fate: Fate, flags: set[Flag]) -> None:
    one = ship("E1", **change)
    assert closing.fate_of(one) is fate
    assert closing._flags(battle(one), one) == flags


@pytest.mark.clause("G.AF1", "T.C36")
@pytest.mark.parametrize(
    ("change", "faces", "fate"),
    [({"flot": 23}, (), "unhurt"), ({"flot": 22}, (1, 3), "killed"), ({"flot": 22}, (1, 4), "wounded"),
     ({"flot": 22}, (2,), "unhurt"), ({"flot": 7}, (3, 4), "wounded"), ({"flot": 7}, (4,), "unhurt"),
     ({"flot": 0, "status": Status.SUNK}, (4, 4, 3), "wounded"), ({"flot": 0, "status": Status.SUNK}, (4, 4, 2), "killed"),
     ({"flot": 0, "status": Status.SUNK}, (4, 3), "killed"),
     ({"status": Status.FOUNDERED}, (3,), "unhurt"), ({"status": Status.FOUNDERED}, (2,), "killed")],
    ids=str,
)  # fmt: skip
def test_a_flag_officers_luck_is_thrown(change: dict[str, Any], faces: tuple[int, ...], fate: str) -> None:
    one = ship("E1", **change)
    made, played = battle(one, revenge("S1", x=9_000)), play(*faces)
    assert closing._fate_of_officer(made, played, one) == fate
    done(played)


def test_a_rule_set_reads_back_its_battles_and_says_when_they_are_over() -> None:
    made: Battle = battle(ship("E1"), revenge("S1"))
    assert not RULES.over(made)
    made.ended = "limit"
    assert RULES.over(made)
    assert RULES.minutes_a_turn({}) == 90
    assert RULES.turn_limit == 60
