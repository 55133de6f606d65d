"""Guards that hold only in rare company: ships that strand, straggle, drift in groups or are driven on by their helm."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.core.dice import KeyedDice
from battles.engine.core.log import Log
from battles.engine.core.scenario import ShipFacts
from battles.engine.rulesets.kohler import (
    arcs,
    closing,
    command,
    criticals,
    damage,
    gunnery,
    lots,
    notation,
    passage,
    sailing,
    setup,
    state,
    tables,
    wind,
)
from battles.engine.rulesets.kohler import card as card_module
from battles.engine.rulesets.kohler.card import card
from battles.engine.rulesets.kohler.options import OPTIONS, option_faults
from battles.engine.rulesets.kohler.state import Helm, LockKind, Status, WindForce
from tests.engine.kohler.builders import battle, events, play, ship
from tests.engine.kohler.scenarios import scenario
from tests.engine.kohler.test_log_exact import keys, told


@pytest.mark.clause("K.G13", "K.M32")
@pytest.mark.parametrize(
    ("over", "sea", "kind", "clause", "status"),
    [
        ({}, {"land": frozenset({(0, 1)})}, "wrecked", "K.G13", Status.WRECKED),
        ({"deep": True}, {"shoal": frozenset({(0, 1)})}, "aground", "K.G13", Status.AFLOAT),
    ],
    ids=["land", "shoal"],
)
def test_a_ship_that_drifts_ashore_is_logged_with_her_hex(
    over: dict[str, Any], sea: dict[str, Any], kind: str, clause: str, status: Status
) -> None:
    one = ship(facing=0, **over)
    played = play(orders={"E1": ""})
    sailing.activate(battle(one, **sea), played, one)
    assert (kind, clause, "E1", {"q": 0, "r": 1}) in told(played)
    assert (one.status, one.aground) == (status, kind == "aground")


@pytest.mark.clause("K.M26")
def test_a_pair_that_cuts_itself_clear_is_logged_and_one_that_fails_is_not() -> None:
    for face, rows in ((4, [("freed", "K.M26", "E1", {"target": "E2", "kind": "tangle"})]), (3, [])):
        one, friend = ship(), ship(id="E2")
        sea = battle(one, friend)
        sea.hold(LockKind.TANGLE, one, friend)
        sea.turn = 2
        played = play(face)
        lots.part(sea, played, one)
        assert told(played) == rows
        assert keys(played) == ["/K.M26/2/E1/E2"]


@pytest.mark.clause("K.G11")
def test_the_fate_of_every_flag_officer_is_logged() -> None:
    one = ship()
    sea = battle(one)
    sea.squadrons["ENG-1"].officer = "Monck"
    damage.strike_flag_officer(sea, play(), one)
    played = play(3)
    closing.settle_officers(sea, played)
    assert told(played) == [("officer", "K.G11", "E1", {"officer": "Monck", "fate": "killed"})]


@pytest.mark.clause("K.I1")
def test_no_die_is_thrown_when_the_scenario_sets_every_initiative() -> None:
    sea = battle(
        ship(),
        ship(id="D1", side="DUT", pos=(9, 0)),
        options={"initiative": {"ENG-1": 5, "DUT-1": 2}},
    )
    played = play()
    command.throw_initiative(sea, played)
    assert {code: one.init for code, one in sea.squadrons.items()} == {"ENG-1": 5, "DUT-1": 2}


@pytest.mark.clause("K.I13", "K.I16")
@pytest.mark.parametrize(
    ("change", "straggles"),
    [
        ({"pos": (9, 0)}, True),
        ({"prize_of": "DUT"}, False),
        ({"status": Status.SINKING}, False),
        ({"status": Status.GONE}, False),
        ({"fired": True}, False),
    ],
    ids=str,
)
def test_only_a_ship_that_still_obeys_straggles(change: dict[str, Any], straggles: bool) -> None:
    other, change = ship(id="E2", pos=(1, 0)), dict(change)
    sea = battle(ship(), other)
    command.settle_command(sea, play())
    assert other.in_command
    sea.move(other, change.pop("pos", other.pos))
    for name, value in change.items():
        setattr(other, name, value)
    played = play()
    command.settle_command(sea, played)
    assert not other.in_command
    assert told(played) == ([("straggler", "K.I13", "E2", {})] if straggles else [])


@pytest.mark.clause("K.S7")
def test_the_weather_gauge_has_its_own_die() -> None:
    played = play(3)
    setup._to_windward(scenario(gauge=""), played.dice)
    assert keys(played) == ["/K.S7/0"]


@pytest.mark.clause("K.M27", "K.A2.4")
@pytest.mark.parametrize("facing", range(6))
@pytest.mark.parametrize("free", range(6))
def test_in_still_air_a_ship_beside_a_friend_is_towed_to_the_first_free_hex_clockwise_from_ahead(
    facing: int, free: int
) -> None:
    around = [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)]
    one, friend = ship(facing=facing), ship(id="E2")
    taken = [
        ship(id=f"F{turn}", pos=around[(facing + turn) % 6]) for turn in range(6) if turn < free
    ]  # every hex before the free one holds another friend
    sailing.activate(battle(one, friend, *taken, strength=WindForce.STILL), play(orders={"E1": ""}), one)
    assert one.pos == around[(facing + free) % 6]


@pytest.mark.clause("K.X6")
@pytest.mark.parametrize("change", [{"acted": True}, {"fired": False}, {"status": Status.SINKING}], ids=str)
def test_only_a_burning_fire_ship_that_has_not_acted_runs_on(change: dict[str, Any]) -> None:
    one = ship(**{"fired": True, "facing": 3, "helm": Helm.PORT, **change})
    played = play()
    sailing.activate_fire_ship(battle(one), played, one)
    assert (one.pos, one.helm, one.acted, told(played)) == ((0, 0), Helm.PORT, "acted" in change, [])


@pytest.mark.clause("K.M28", "K.B12")
def test_a_drifting_group_comes_upon_strangers_afloat_and_not_upon_itself() -> None:
    one, enemy = ship(), ship(id="D1", side="DUT")
    there = ship(id="D2", side="DUT", pos=(0, 1))
    wreck = ship(id="D3", side="DUT", pos=(0, 1), status=Status.SINKING)
    sea = battle(one, enemy, there, wreck)
    sea.hold(LockKind.GRAPPLE, one, enemy)
    sea.turn = 2
    lots.drift_lot(sea, play(), one)
    assert one.pos == enemy.pos == (0, 1)
    assert {code: held.placement for code, held in sea.ships.items()} == {
        "E1": {"D2": ""}, "D1": {}, "D2": {}, "D3": {},
    }  # fmt: skip


@pytest.mark.clause("K.M21", "K.M31")
@pytest.mark.parametrize(
    ("orders", "end"),
    [
        ("", ((0, 1), 3)),
        ("A", ((0, 1), 3)),
        ("A P", ((0, 1), 2)),
        ("P", ((0, 1), 2)),
        ("A A", ((0, 2), 3)),
        ("P A", ((1, 1), 2)),
        ("A P A", ((1, 1), 2)),
    ],
    ids=repr,
)
def test_the_hex_that_a_helm_hit_forces_counts_as_the_first_ordered_one(
    orders: str, end: tuple[tuple[int, int], int]
) -> None:
    one = ship(facing=2, helm=Helm.STARBOARD)
    played = play(orders={"E1": orders})
    sailing.activate(battle(one), played, one)
    assert (one.pos, one.facing) == end
    assert not events(played, "refused")


@pytest.mark.clause("K.W8")
def test_the_wind_of_turns_1_to_500_and_of_bearings_0_to_359_may_be_scripted() -> None:
    allowed = OPTIONS["wind_script"].allows
    for row, good in (
        ({"turn": 1}, True), ({"turn": 0}, False), ({"turn": 500}, True), ({"turn": 501}, False),
        ({"turn": 1, "towards": 0}, True), ({"turn": 1, "towards": -1}, False),
        ({"turn": 1, "towards": 359}, True), ({"turn": 1, "towards": 360}, False),
    ):  # fmt: skip
        assert allowed([row]) is good, row


@pytest.mark.clause("K.G9", "K.I4", "K.S9", "K.I1")
@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("last_turn", (0, 501)), ("visibility", (0, 100)), ("at_anchor", ({"a": 0}, {"a": 501})),
        ("initiative", ({"a": -10}, {"a": 21})),
    ],
)  # fmt: skip
def test_an_option_refuses_what_is_just_beyond_its_limits(name: str, wrong: tuple[Any, ...]) -> None:
    for value in wrong:
        assert len(list(option_faults({name: value}))) == 1, value


@pytest.mark.clause("K.A1.3")
def test_the_tables_begin_where_the_book_begins() -> None:
    assert list(tables.T6) == [100, 90, 80, 70, 60, 50, 40, 30, 20]
    assert list(tables.T1) == sorted(tables.T1)


@pytest.mark.clause("K.A1.12")
@pytest.mark.parametrize(("fast", "handy", "unhandy"), [(True, False, True), (False, True, False)])
def test_the_register_may_set_every_quality(fast: bool, handy: bool, unhandy: bool) -> None:
    facts = ShipFacts(
        nation="England", built_by="England", guns=52, tons_burthen=740, broadside_lb=400,
        overrides={"fast": fast, "handy": handy, "unhandy": unhandy},
    )  # fmt: skip
    made = card(facts)
    assert (made.fast, made.handy, made.unhandy) == (fast, handy, unhandy)


@pytest.mark.clause("K.C3", "K.C2")
@pytest.mark.parametrize(
    ("faces", "left"),
    [
        ((5, 3, 3), [2, 3]), ((3, 5, 3), [1, 3]), ((3, 3, 5), [1, 2]), ((5, 5, 3), [3]), ((5, 3, 5), [2]),
        ((3, 5, 5), [1]), ((5, 5, 5), []),
    ],
    ids=str,
)  # fmt: skip
def test_fires_are_rolled_for_from_the_oldest_and_those_that_go_out_are_the_ones_rolled_for(
    faces: tuple[int, ...], left: list[int]
) -> None:
    one = ship(fires=[1, 2, 3])
    played = play(*faces)
    criticals.check_and_burn(battle(one, turn=3), played)
    assert (one.fires, one.hits_struct) == (left, len(left))


@pytest.mark.clause("K.C5", "K.C2")
def test_a_fire_from_a_ship_that_blows_up_is_rolled_for_once_after_the_older_ones() -> None:
    one, near = ship(fires=[1]), ship(id="E2", fires=[2])
    played = play(2, 5, 3)
    criticals.check_and_burn(battle(one, near, turn=3), played)
    assert keys(played) == ["/K.C3/3/E1/1", "/K.C3/3/E2/1", "/K.C3/3/E2/2"]
    assert (near.fires, near.hits_struct) == ([3], 1)


@pytest.mark.clause("K.M31", "K.B1", "K.B26")
def test_every_word_of_orders_has_its_meaning() -> None:
    assert notation._WISHES == {
        "board": ("intents", True), "avoid": ("intents", False), "part": ("part", True), "keep": ("part", False),
    }  # fmt: skip
    assert {"A", "P", "S", "TP", "TS", "X", "W0", "W1", "W2", "W3", "W4", "W5"} == notation._SIMPLE
    assert passage._TURNS == {"P": -1, "S": 1, "TP": -1, "TS": 1}
    assert {mode.name: code for mode, code in passage._STUCK.items()} == {
        "HELD": "irons", "ADRIFT": "disabled", "OARS": "still", "AGROUND": "aground", "ANCHORED": "anchored",
    }  # fmt: skip


@pytest.mark.clause("K.C1", "K.C8", "K.D12", "K.B12", "K.M2", "K.G25", "K.M16")
def test_every_small_table_is_as_printed() -> None:
    fire, none, guns = "fire", "none", "guns"
    assert {4: fire, 5: fire, 6: none, 7: none, 8: guns, 9: "helm", 10: "flag"} == criticals._T5
    assert {die: helm.name for die, helm in criticals._HELM.items()} == {
        2: "PORT", 3: "NO_TURN", 4: "NO_TURN", 5: "STARBOARD",
    }  # fmt: skip
    assert damage._CAUSES == {
        "K.F": "gunfire", "K.C": "fire", "K.X": "burning", "K.G": "aground", "K.D": "gunfire",
    }  # fmt: skip
    port, starboard = "port", "starboard"
    assert (starboard, starboard, port, port, port, starboard) == arcs._ATTACKER_TO_PORT
    assert {1: starboard, 2: starboard, 4: port, 5: port} == gunnery._LEE
    assert {chart.value: own.name for chart, own in wind._FROM_CHART.items()} == {
        "still": "STILL", "light": "LIGHT", "moderate": "NORMAL", "strong": "STRONG", "gale": "GALE",
    }  # fmt: skip
    assert {status.name: fate.value for status, fate in closing._FATES.items()} == {
        "SINKING": "sunk", "EXPLODED": "blown up", "BURNT": "burnt", "WRECKED": "wrecked",
    }  # fmt: skip
    assert state._QUALITIES_LOST == {2: 1, 3: 2, 4: 2}
    assert (passage._BASE, passage._CRIPPLED) == ((0, 1, 3, 2, 3, 1), (0, 0, 1, 1, 1, 0))


@pytest.mark.clause("K.S10", "K.A1.12")
def test_the_register_sets_by_hand_only_hull_fire_and_three_qualities() -> None:
    assert list(card_module.OVERRIDES) == ["hull", "fire", "fast", "handy", "unhandy", "period"]
    assert {
        "guns": {"K.A1.15", "K.X2"}, "hull": {"K.A1.5", "K.A1.6"}, "fire": {"K.A1.3"},
    } == card_module._ESTIMATES  # fmt: skip


@pytest.mark.clause("K.W1", "K.S7", "K.A2.12", "K.A2.14")
@pytest.mark.parametrize("seed", [b"one", b"two"])
def test_dice_thrown_before_the_battle_are_of_turn_0_and_those_thrown_again_are_counted_from_1(
    seed: bytes,
) -> None:
    log = Log()
    dice = KeyedDice(seed, log=log)
    options = {"disorder": True, "wind_start": "random"}
    setup.begin(scenario(options=options, gauge="", gap=1), dice, log)
    thrown: dict[tuple[str, str], list[str]] = {}
    for event in log.events:
        if event.kind == "die":
            _, clause, turn, *about = str(event.data["key"]).split("/")
            assert turn == "0"
            thrown.setdefault((clause, about[0] if about else ""), []).append("/".join(about[1:]))
    ships = [f"{side}{n}" for side in "ED" for n in range(1, 7)]
    once = [("K.W1", ""), ("K.S7", ""), *(("K.A2.12", ship) for ship in ships)]
    assert all(thrown.pop(row) == [""] for row in once)
    assert thrown and {clause for clause, _ in thrown} == {"K.A2.14"}
    assert all(rows == [str(n) for n in range(1, len(rows) + 1)] for rows in thrown.values())
