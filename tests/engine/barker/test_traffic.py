"""Neutrals hailed and searched, prizes, raiders disclosed, flags that shift, merchants' own moves, fishing fleets."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.core.scenario import ShipFacts
from battles.engine.rulesets.barker import (
    after,
    factors,
    fire,
    light,
    merchants,
    neutrals,
    raiders,
    record,
    searches,
    signals,
    slots,
)
from battles.engine.rulesets.barker.card import card
from battles.engine.rulesets.barker.kinds import KINDS
from battles.engine.rulesets.barker.play import Orders, Play
from battles.engine.rulesets.barker.state import Bank, Battle, Field, Marker, Status, Unit
from battles.engine.rulesets.barker.tables import FREE_MOVE, MOVE, SPELL_SECONDS, Mode, Phase, Type
from tests.engine.barker.builders import battle, play, told, unit
from tests.support.answers import unerring

Y = 100
WIDE = 200


def tramp(code: str = "B1", at: tuple[float, float] = (0, 0), kind: str = "TRAMP", **over: Any) -> Unit:
    return unit(code, at, kind=kind, **{"neutral": True, **over})


def sea(*units: Unit, **over: Any) -> Battle:
    return battle(*units, unit("A9", (0, 40_000)), unit("B9", (0, -90_000)), **over)


@unerring
def hail(made: Battle, ship: str = "A1", target: str = "B1") -> Play:
    table = play(made, orders={ship: Orders(hail=target)})
    after.play(made, table)
    return table


# --- challenges ---


@pytest.mark.clause("P.N05", "P.N06", "P.G03")
@pytest.mark.parametrize(("far", "stops"), [(4_000, True), (4_001, False)])
def test_a_warship_hails_as_far_as_its_lamp_reaches_and_a_genuine_neutral_stops(
    far: int, stops: bool
) -> None:
    made = sea(unit("A1", kind="C1"), tramp(at=(far + WIDE, 0)))
    table = hail(made)
    vessel = made.units["B1"]
    assert (vessel.stopped, vessel.challenged) == (stops, "A1" if stops else "")
    assert told(table, "hailed") == ([("A1", {"target": "B1"})] if stops else [])
    assert not told(table, "disclosed")


@pytest.mark.clause("P.N05")
@pytest.mark.parametrize(
    ("kind", "over", "may"),
    [
        ("C3", {}, True), ("TBD", {}, True), ("C3", {"damage": 2}, True), ("C3", {"crippled": True}, False), ("SUB", {}, False),
        ("TRANSPORT", {}, False), ("BATTERY", {}, False), ("RAIDER_L", {}, True), ("RAIDER_L", {"disguised": True}, False),
        ("C3", {"prize": True}, False),
    ],
)  # fmt: skip
def test_an_uncrippled_surface_warship_may_hail(kind: str, over: dict[str, Any], may: bool) -> None:
    made = sea(unit("A1", kind=kind, **over), tramp(at=(1_000, 0)))
    hail(made)
    assert made.units["B1"].stopped is may


@pytest.mark.clause("P.N05")
def test_only_the_side_in_its_spell_hails_and_no_one_hails_a_belligerent() -> None:
    made = sea(unit("A1"), tramp(at=(1_000, 0)), spell=1)
    hail(made)
    assert not made.units["B1"].stopped
    made = sea(unit("A1"), tramp(at=(1_000, 0)), mode=Mode.CRUISING)
    hail(made)
    assert made.units["B1"].stopped
    made = sea(unit("A1"), tramp(at=(1_000, 0), neutral=False))
    assert not told(hail(made), "hailed")


@pytest.mark.clause("P.N05", "P.G05")
def test_a_lamp_is_not_seen_through_fog_or_over_land() -> None:
    for over in (
        {"banks": [Bank("fog", 600 * Y, 0, 0, 9_000 * Y, 100 * Y, 0)]},
        {"land": frozenset({(1, 0), (1, -1)})},
    ):
        made = sea(unit("A1"), tramp(at=(1_200, 0)), **over)
        hail(made)
        assert not made.units["B1"].stopped


@pytest.mark.clause("P.N06")
@pytest.mark.parametrize(("far", "goes"), [(4_000, False), (4_001, True)])
def test_a_vessel_continues_when_its_challenger_is_out_of_lamp_range(far: int, goes: bool) -> None:
    made = sea(unit("A1"), tramp(at=(far + WIDE, 0), stopped=True, challenged="A1"))
    neutrals.move(made, play(made))
    vessel = made.units["B1"]
    assert vessel.stopped is not goes
    assert vessel.y == (400 * Y if goes else 0)
    made.units["A1"].status = Status.SUNK
    vessel.stopped, vessel.challenged = True, "A1"
    after.play(made, play(made))
    assert not vessel.stopped


# --- searches ---


@unerring
def boarded(*faces: int, gap: float = 0) -> tuple[Battle, Play]:
    """A1 has lain alongside the tramp B1 since its last spell, and searches it now."""
    made = sea(unit("A1", kind="C1"), tramp(at=(WIDE + gap, 0), stopped=True, challenged="A1", search_due=5))
    made.parties["A"].spells = 5
    table = play(made, *faces)
    searches.search(made, table)
    return made, table


@pytest.mark.clause("P.N08", "P.N09", "P.EX26")
@pytest.mark.parametrize("die", [1, 5, 6])
def test_a_6_finds_contraband_and_anything_else_lets_the_vessel_go_for_good(die: int) -> None:
    made, table = boarded(die)
    vessel = made.units["B1"]
    assert told(table, "searched") == [("A1", {"target": "B1", "prize": die == 6})]
    assert (vessel.stopped, vessel.challenged, vessel.searched) == (False, "", True)
    assert table.dice.throws[0].key == "P.N08/0/SEARCH/A1/B1"  # type: ignore[attr-defined]
    if die == 6:
        assert (vessel.neutral, vessel.side, vessel.prize_of, vessel.group, vessel.by) == (
            False,
            "A",
            "A",
            "merchants/A",
            "A1",
        )
        assert made.groups["merchants/A"].kind == "merchants"
    else:
        assert (vessel.neutral, vessel.side, vessel.prize_of) == (True, "B", "")
        assert not told(hail(made), "hailed")


@pytest.mark.clause("P.N08", "P.N07")
@pytest.mark.parametrize(("gap", "thrown"), [(20, True), (21, False)])
def test_contact_must_still_exist_when_the_search_is_thrown(gap: float, thrown: bool) -> None:
    made, table = boarded(*((1,) if thrown else ()), gap=gap)
    assert bool(told(table, "searched")) is thrown
    assert made.units["B1"].search_due == -1 and made.units["B1"].stopped is not thrown


@pytest.mark.clause("P.N05", "P.N07", "P.N08", "P.EX26")
def test_from_challenge_to_search_a_vessel_takes_three_spells_of_the_cruiser() -> None:
    ship, vessel = unit("A1", kind="C1"), tramp(at=(1_100 + WIDE, 0))
    made = sea(ship, vessel, spell=6)
    made.parties["A"].spells = 3
    table = play(made, 6, orders={"A1": Orders(hail="B1")})
    light.begin_spell(made, table)
    after.play(made, table)
    assert vessel.stopped and vessel.search_due == -1
    made.spell, ship.x = 8, 1_100 * Y
    light.begin_spell(made, table)
    searches.search(made, table)
    after.play(made, table)
    assert vessel.search_due == 6 and not told(table, "searched")
    made.spell = 9
    light.begin_spell(made, table)
    searches.search(made, table)
    after.play(made, table)
    made.spell = 10
    light.begin_spell(made, table)
    searches.search(made, table)
    assert told(table, "searched") and vessel.prize_of == "A"


# --- the neutrals' own moves ---


@unerring
def gone(kind: str, heading: float = 0, **over: Any) -> int:
    """How many yards a neutral has gone after a spell of the initiative side."""
    made = sea(tramp(kind=kind, heading=heading), **over)
    vessel = made.units["B1"]
    neutrals.move(made, play(made))
    assert vessel.h == heading * Y
    return (vessel.x + vessel.y) // Y


@pytest.mark.clause("P.N02", "P.N03", "P.Y04", "P.C07", "P.Y02")
def test_neutrals_hold_their_course_with_free_moves_in_the_spells_of_the_side_with_the_initiative() -> None:
    assert gone("LINER") == 800
    assert gone("LINER", 90) == 800
    assert gone("LINER", weather="rough") == 400
    assert gone("TRAMP") == gone("TRAMP", weather="rough") == 400
    assert gone("SAIL") == 400
    assert gone("LINER", spell=1) == 0
    assert gone("LINER", initiative="B") == 800
    assert gone("LINER", mode=Mode.CRUISING, phase=Phase.NIGHT) == 16_000
    assert gone("TRAMP", mode=Mode.CRUISING, phase=Phase.NIGHT) == 8_000


@pytest.mark.clause("P.N03", "P.R01")
def test_a_raider_in_disguise_moves_like_the_vessel_it_seems() -> None:
    for kind, yards in (("RAIDER_L", 800), ("RAIDER_T", 400), ("MINELAYER", 400)):
        made = sea(unit("B1", kind=kind, disguised=True, extra_free=yards == 800))
        neutrals.move(made, play(made))
        assert made.units["B1"].y == yards * Y
        made = sea(unit("B1", kind=kind))
        neutrals.move(made, play(made))
        assert made.units["B1"].y == 0


@pytest.mark.clause("P.N10", "P.M23", "P.A01", "P.M22")
def test_a_neutral_that_leaves_is_gone_and_one_that_must_move_grounds() -> None:
    made = sea(tramp(at=(0, 47_800)))
    neutrals.move(made, play(made))
    assert made.units["B1"].status is Status.RETREATED
    for kind, aground in (("LINER", True), ("TRAMP", False)):
        made = sea(tramp(kind=kind), shoal=frozenset({(0, 1), (-1, 1)}))
        neutrals.move(made, play(made))
        assert (made.units["B1"].aground, made.units["B1"].y) == (aground, 300 * Y if aground else 0)


@pytest.mark.clause("P.Y08", "P.W13", "P.W03")
@pytest.mark.parametrize(
    ("heading", "weather", "may"),
    [(45, "none", False), (89.98, "none", False), (89.99, "none", True), (90, "none", True), (0, "none", True), (359.9, "none", True),
     (225, "none", True), (225, "calm", False), (0.02, "none", False)],
)  # fmt: skip
def test_a_sailing_vessel_keeps_45_degrees_from_the_wind_and_lies_still_in_calm(
    heading: float, weather: str, may: bool
) -> None:
    vessel = tramp(kind="SAIL", heading=heading)
    made = sea(vessel, wind=4_500, weather=weather)
    assert merchants.may_steer(made, vessel, vessel.h) is may
    neutrals.move(made, play(made))
    assert (vessel.at != (0, 0)) is may
    steamer = tramp(kind="TRAMP", heading=heading)
    assert merchants.may_steer(made, steamer, steamer.h)


FLEETS = [
    (1, 0, 0, 0),
    (2, 0, 0, 0),
    (3, 0, 40_000, 0),
    (4, 0, 40_000, 0),
    (5, -17_070, 41_210, 31_500),
    (6, 17_070, 41_210, 4_500),
]


@pytest.mark.clause("P.Y09", "P.EX27")
@pytest.mark.parametrize(("die", "x", "y", "heading"), FLEETS)
def test_a_fishing_fleet_goes_where_its_die_says(die: int, x: int, y: int, heading: int) -> None:
    fleet = tramp(kind="FISH")
    made = sea(fleet, weather="calm")
    table = play(made, die)
    neutrals.move(made, table)
    # To 0.05 yd.
    assert abs(fleet.x - x) <= 5 and abs(fleet.y - y) <= 5 and fleet.h == heading
    assert table.dice.throws[0].key == "P.Y09/0/FISH/B1"  # type: ignore[attr-defined]


@pytest.mark.clause("P.Y09", "P.C07", "P.N03")
def test_a_fishing_fleet_goes_a_free_move_in_its_owners_spells_alone() -> None:
    fleet = tramp(kind="FISH")
    made = sea(fleet, mode=Mode.CRUISING, phase=Phase.NIGHT)
    merchants.fish(made, play(made, 3), fleet)
    assert fleet.y == 8_000 * Y
    made = sea(tramp(kind="FISH"), spell=1)
    neutrals.move(made, play(made))


# --- raiders ---


def raider(code: str = "B1", at: tuple[float, float] = (0, 0), kind: str = "RAIDER_L", **over: Any) -> Unit:
    return unit(code, at, kind=kind, **{"disguised": True, "contact": "n1", "group": "merchants/B", **over})


@pytest.mark.clause("P.R02", "P.R03", "P.F06")
@pytest.mark.parametrize(
    ("far", "kind", "over", "shown"),
    [
        (1_600, "TRAMP", {}, True), (1_601, "TRAMP", {}, False), (900, "TRANSPORT", {}, True), (900, "AMC", {}, True),
        (900, "AMC", {"acting": True}, False), (900, "BB", {}, False), (900, "TRAMP", {"neutral": True}, False),
        (900, "TRAMP", {"side": "B"}, False),
    ],
)  # fmt: skip
def test_a_disguise_falls_within_normal_range_of_an_enemy_merchant_ship(
    far: int, kind: str, over: dict[str, Any], shown: bool
) -> None:
    # Model to model: two ships on one course, abreast.
    made = sea(raider(), unit("A1", (far, 0), kind=kind, **over))
    table = play(made)
    after.play(made, table)
    assert made.units["B1"].disguised is not shown
    assert table.forced == ({"B1": "A1"} if shown else {})
    assert told(table, "disclosed") == ([("B1", {"type": "RAIDER_L"})] if shown else [])


@pytest.mark.clause("P.R02", "P.R03", "P.N05")
@pytest.mark.parametrize("code", ["n1", "B1"])
def test_a_challenge_discloses_a_raider_who_then_fires_on_the_challenger(code: str) -> None:
    made = sea(raider(at=(1_000, 0)), unit("A1", kind="C1"))
    table = play(made, 1, 6, orders={"A1": Orders(hail=code)})
    after.play(made, table)
    assert not made.units["B1"].disguised and not made.units["B1"].stopped and table.forced == {"B1": "A1"}
    fire.shoot(made, table)
    assert [(ship, data["target"]) for ship, data in told(table, "shot")] == [("B1", "A1")]


@pytest.mark.clause("P.R03", "P.I04", "P.S20", "P.R04")
def test_a_disclosed_raider_or_minelayer_is_a_group_of_its_own() -> None:
    for kind in ("RAIDER_L", "MINELAYER"):
        made = sea(raider(kind=kind), unit("A1", (900, 0), kind="TRAMP"))
        after.play(made, play(made))
        assert made.units["B1"].group == "B1"
        assert (made.groups["B1"].kind, made.groups["B1"].side) == ("single", "B")


@pytest.mark.clause("P.R03", "P.C02")
def test_a_disclosure_is_a_first_sight_and_the_spell_is_fought_out() -> None:
    made = sea(raider(), unit("A1", (900, 0), kind="TRAMP"), mode=Mode.CRUISING, contact=-1)
    table = play(made)
    light.begin_spell(made, table)
    assert made.mode is Mode.CRUISING
    after.play(made, table)
    assert (made.mode, table.combat, table.began) == (Mode.COMBAT, True, Mode.CRUISING)
    assert "B1" in made.parties["A"].contacts


@pytest.mark.clause("P.R02", "P.N05")
def test_a_raider_is_not_disclosed_by_its_own_side() -> None:
    made = sea(raider(at=(1_000, 0)), unit("B2"), spell=1)
    assert not told(hail(made, "B2", "n1"), "hailed")
    assert made.units["B1"].disguised


@pytest.mark.clause("P.R05", "P.S20")
def test_an_armed_merchant_cruiser_acts_when_it_chooses_or_fires() -> None:
    made = sea(unit("A1", kind="AMC", group="merchants/A"))
    table = play(made)
    for _ in range(2):
        raiders.act(made, table, made.units["A1"])
    assert made.units["A1"].acting and made.units["A1"].group == "A1"
    assert told(table, "disclosed") == [("A1", {"type": "AMC"})]
    other = unit("A2", kind="TRAMP")
    raiders.act(made, table, other)
    assert not other.acting


# --- flags ---


@unerring
def shifted(
    at: tuple[float, float] = (200, 0), heading: float = 0, *, flag: dict[str, Any] | None = None, **over: Any
) -> bool:
    """Whether the Flag of A1, crippled, goes to A2."""
    flotilla = over.pop("flotilla", False)
    spell = over.pop("spell", 0)
    made = battle(
        unit("A1", **{"crippled": True, **(flag or {})}),
        unit("A2", at, heading, **over),
        unit("B1", (0, 9_000)),
        spell=spell,
    )
    made.squadrons["A-1"].flotilla = flotilla
    made.squadrons["A-1"].character = 4
    table = play(made, orders={"A1": Orders(flag="A2")})
    after.play(made, table)
    squadron = made.squadrons["A-1"]
    moved = squadron.flagship == "A2"
    assert told(table, "flag") == ([("A1", {"squadron": "A-1", "to": "A2"})] if moved else [])
    assert squadron.character == 4 and not squadron.flag_lost
    return moved


@pytest.mark.clause("P.S18", "P.Z03")
@pytest.mark.parametrize(
    ("at", "heading", "may"),
    [
        ((200, 0), 0, True), ((-200, 0), 180, True), ((220, 0), 0, True), ((221, 0), 0, False), ((200, 20), 0, True), ((200, 21), 0, False),
        ((200, 0), 2, True), ((200, 0), 2.02, False), ((200, 0), 178, True), ((200, 0), 177.9, False), ((0, 400), 0, False),
        ((200, 0), 358, True),
        ((220.5, 0), 0, True),
        ((220.51, 0), 0, False),
        ((179.5, 0), 0, True),
        ((179.49, 0), 0, False),
        ((200, 20.5), 0, True),
        ((200, -20.51), 0, False),
        ((200, 0), 2.01, True),
    ],
)  # fmt: skip
def test_a_flag_shifts_to_a_mate_whose_side_lies_alongside(
    at: tuple[float, float], heading: float, may: bool
) -> None:
    assert shifted(at, heading) is may


@pytest.mark.clause("P.S18", "P.S17", "P.E11")
def test_a_flag_leaves_a_cripple_alone_for_a_squadron_mate_and_no_captain_d_shifts() -> None:
    assert not shifted(flag={"crippled": False, "damage": 2})
    assert not shifted(flag={"status": Status.SUNK})
    assert not shifted(status=Status.SUNK)
    assert not shifted(squadron="A-2", group="A-2")
    assert not shifted(flotilla=True)
    assert not shifted(spell=1)


# --- merchants ---


@pytest.mark.clause("P.Y05", "P.Y06", "P.Y07", "P.Y08", "P.M03", "P.M05", "P.R04")
@pytest.mark.parametrize(
    ("kind", "moves", "extra_free"),
    [("LINER", 3, True), ("TRANSPORT", 2, False), ("TRAMP", 1, False), ("SAIL", 1, False), ("FISH", 0, False), ("AMC", 3, True),
     ("RAIDER_L", 3, True), ("RAIDER_T", 2, False)],
)  # fmt: skip
def test_a_liner_moves_as_a_cruiser_a_transport_as_a_battleship_and_others_once(
    kind: str, moves: int, extra_free: bool
) -> None:
    row = KINDS[Type(kind)]
    assert (row.moves, row.extra_free) == (moves, extra_free)


@pytest.mark.clause("P.Y03", "P.I02", "P.I11")
def test_merchants_have_no_flag_and_so_are_never_out_of_touch() -> None:
    vessel = unit("A1", (90_000, 0), kind="TRANSPORT")
    assert signals.in_touch(sea(vessel), vessel)


@pytest.mark.clause("P.Y10")
@pytest.mark.parametrize(
    ("kind", "defence"), [("LINER", 2), ("TRANSPORT", 1), ("TRAMP", 1), ("FISH", 1), ("SAIL", 0)]
)
def test_merchants_are_unarmed_and_defend_themselves_by_their_size(kind: str, defence: int) -> None:
    vessel = unit("A1", kind=kind)
    assert factors.defender(vessel) == defence
    assert factors.attack_factors(vessel) is None


@pytest.mark.clause("P.Y01", "P.Y11", "P.N04", "P.F23", "P.R02")
def test_a_belligerent_merchant_is_a_target_from_the_start_and_a_neutral_or_a_disguised_vessel_never() -> (
    None
):
    gunner, merchant = unit("A1"), unit("B1", (2_000, 0), kind="TRAMP")
    made = sea(gunner, merchant)
    assert [shot.target for shot in slots.legal(made, gunner)] == ["B1"]
    for field in ("neutral", "disguised"):
        merchant.neutral, merchant.disguised = field == "neutral", field == "disguised"
        assert slots.legal(made, gunner) == []
        assert "B1" not in [one.id for one in made.enemies("A")]


# --- the two scales ---


@pytest.mark.clause("P.C04", "P.C05", "P.C06", "P.C07", "P.T09")
def test_the_sides_play_spells_in_turn_the_initiative_side_the_even_ones_and_each_mode_has_its_scale() -> (
    None
):
    assert [sea(initiative="B", spell=n).speller for n in range(4)] == ["B", "A", "B", "A"]
    assert (MOVE[Mode.COMBAT], FREE_MOVE[Mode.COMBAT], SPELL_SECONDS[Mode.COMBAT]) == (400 * Y, 400 * Y, 150)
    assert (MOVE[Mode.CRUISING], FREE_MOVE[Mode.CRUISING], SPELL_SECONDS[Mode.CRUISING]) == (
        4_000 * Y,
        8_000 * Y,
        900,
    )


@pytest.mark.clause("P.C09")
def test_a_fast_ship_makes_no_more_moves_than_a_slow_one_of_its_type() -> None:
    slow, fast = (
        card(
            ShipFacts(
                nation="A", built_by="A", ship_type="cruiser_2", year_built=1900, overrides={"knots": knots}
            )
        )
        for knots in (4, 12)
    )
    assert slow.knots != fast.knots
    assert (slow.moves, slow.extra_free) == (fast.moves, fast.extra_free)


@pytest.mark.clause("P.C08", "P.C02")
def test_at_contact_everything_keeps_its_place_and_size() -> None:
    bank, field = Bank("mist", 5, 6, 0, 700, 900, 0), Field("F", "B", [(1, 2)])
    made = sea(
        unit("A1"), unit("B1", (9_000, 0)), mode=Mode.CRUISING, contact=-1, banks=[bank], fields=[field]
    )
    before = record.to_dict(made)
    light.begin_spell(made, play(made))
    after_it = record.to_dict(made)
    assert made.mode is Mode.COMBAT
    for name in ("units", "banks", "fields", "table"):
        assert after_it[name] == before[name]
    assert (made.units["A1"].length, made.units["A1"].beam) == (400 * Y, 200 * Y)


@pytest.mark.clause("P.G13", "P.Z13")
def test_orders_received_and_markers_outlast_the_record() -> None:
    made = sea(unit("A1"))
    made.received["A-1"] = ("steer", "90")
    made.markers.append(Marker("A1", "A", 5, 6, "A1"))
    for again in (record.from_dict(record.to_dict(made)), record.copy(made)):
        assert (again.received, again.markers) == (made.received, made.markers)
        again.received["A-2"] = ()
    assert list(made.received) == ["A-1"]


@pytest.mark.clause("P.N06")
def test_a_vessel_that_lies_still_of_itself_is_not_set_going() -> None:
    made = sea(tramp(stopped=True))
    neutrals.move(made, play(made))
    after.play(made, play(made))
    assert made.units["B1"].stopped and made.units["B1"].at == (0, 0)


@pytest.mark.clause("P.N07", "P.N08")
def test_a_search_that_is_due_is_not_put_off() -> None:
    made = sea(unit("A1", kind="C1"), tramp(at=(WIDE, 0), stopped=True, challenged="A1", search_due=3))
    made.parties["A"].spells = 9
    after.play(made, play(made))
    assert made.units["B1"].search_due == 3
    made.units["B1"].search_due = -1
    after.play(made, play(made))
    assert made.units["B1"].search_due == 10


@pytest.mark.clause("P.N05", "P.N06")
def test_a_vessel_that_has_stopped_for_one_ship_is_not_stopped_by_another() -> None:
    made = sea(unit("A1", kind="C1"), unit("A2", (0, 900), kind="C1"), tramp(at=(1_000, 0)))
    hail(made)
    assert not told(hail(made, "A2"), "hailed")
    assert made.units["B1"].challenged == "A1"
