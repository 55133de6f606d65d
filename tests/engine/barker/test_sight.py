"""Light, weather and sight: limits on both sides, banks on the move, contacts, and the change from cruising to combat."""

from __future__ import annotations

import random
from typing import Any

import pytest

from battles.engine.core import bases
from battles.engine.rulesets.barker import light, modes, sight
from battles.engine.rulesets.barker.lines import Lines
from battles.engine.rulesets.barker.state import Bank, Battle, Status, Unit
from battles.engine.rulesets.barker.tables import Mode, Phase, Type
from tests.engine.barker.builders import battle, play, told, unit
from tests.support.answers import unerring

Y = 100
# Bases abreast: their nearest points lie 200 yd nearer than their middles.
WIDE = 200


@unerring
def sees(yards: float, *, kind: str = "BB", **over: Any) -> bool:
    """Whether A1 sees B1 when so many yards of water lie between their bases."""
    target = unit("B1", (yards + WIDE, 0), kind=kind, **over.pop("target", {}))
    made = battle(unit("A1"), target, **over)
    return sight.visible(made, made.units["A1"], target)


@pytest.mark.clause("P.V02", "P.V03", "P.V04", "P.V05", "P.V07", "P.V12", "P.V01", "P.EX18")
@pytest.mark.parametrize(
    ("far", "over"),
    [
        (32_000, {"phase": Phase.DAY}),
        (32_000, {"phase": Phase.SUNRISE}),
        (32_000, {"phase": Phase.SUNSET}),
        (12_000, {"haze": True}),
        (4_000, {"phase": Phase.DAWN}),
        (4_000, {"phase": Phase.DUSK, "haze": True}),
        (1_000, {"phase": Phase.NIGHT}),
        (4_000, {"phase": Phase.NIGHT, "target": {"crippled": True}}),
        (1_000, {"phase": Phase.NIGHT, "target": {"damage": 2}}),
        (4_000, {"phase": Phase.NIGHT, "target": {"light": "signal"}}),
        (16_000, {"kind": "SUB"}),
        (2_000, {"kind": "SUB", "phase": Phase.DUSK}),
        (500, {"kind": "SUB", "phase": Phase.NIGHT}),
        (6_000, {"kind": "SUB", "haze": True}),
    ],
)
def test_a_unit_is_seen_as_far_as_the_light_allows_and_no_farther(far: int, over: dict[str, Any]) -> None:
    assert sees(far, **dict(over))
    assert not sees(far + 1, **dict(over))


@pytest.mark.clause("P.F17", "P.V03", "P.V07")
@pytest.mark.parametrize(
    ("far", "kind", "haze", "seen"),
    [
        (6_000, "SUB", True, True),
        (6_001, "SUB", True, False),
        (6_001, "SUB", False, True),
        (7_000, "BB", True, True),
    ],
)
def test_guns_cannot_be_laid_on_a_submarine_that_haze_hides(
    far: int, kind: str, haze: bool, seen: bool
) -> None:
    made = battle(unit("A1"), unit("B1", (far + WIDE, 0), kind=kind), year=1905, haze=haze)
    assert Lines(made).seen(made.units["A1"], made.units["B1"]) is seen


@pytest.mark.clause("P.V04", "P.V14")
def test_a_searchlight_shows_its_target_and_its_user_at_two_miles() -> None:
    made = battle(unit("A1", light="B1"), unit("B1", (4_200, 0)), unit("A2", (0, 900)), phase=Phase.NIGHT)
    one, two, other = (made.units[code] for code in ("A1", "B1", "A2"))
    assert (
        sight.visible(made, one, two)
        and sight.visible(made, two, one)
        and sight.visible(made, other, two) is False
    )
    two.x -= 300 * Y
    assert sight.visible(made, other, two)
    assert not sight.visible(made, two, other)


@pytest.mark.clause("P.V03", "P.V06", "P.V09", "P.W12", "P.EX18")
@pytest.mark.parametrize(
    ("kind", "phase", "far"),
    [
        ("squall", Phase.DAY, 12_000),
        ("mist", Phase.SUNSET, 12_000),
        ("squall", Phase.DUSK, 4_000),
        ("mist", Phase.NIGHT, 1_000),
        ("fog", Phase.DAY, 200),
        ("fog", Phase.NIGHT, 200),
    ],
)
def test_a_bank_on_the_line_caps_sight(kind: str, phase: Phase, far: int) -> None:
    bank = Bank(kind, 150 * Y, 0, 0, 2_000 * Y, 40 * Y, 0)
    assert sees(far, phase=phase, banks=[bank])
    assert not sees(far + 1, phase=phase, banks=[bank])


@pytest.mark.clause("P.V07", "P.V03", "P.V06")
@pytest.mark.parametrize(
    ("kind", "phase", "far"),
    [("squall", Phase.DAY, 6_000), ("fog", Phase.DAY, 100), ("fog", Phase.NIGHT, 100)],
)
def test_a_surfaced_submarine_is_seen_half_as_far_through_a_bank_too(
    kind: str, phase: Phase, far: int
) -> None:
    bank = Bank(kind, 130 * Y, 0, 0, 2_000 * Y, 40 * Y, 0)
    assert sees(far, kind="SUB", phase=phase, banks=[bank])
    assert not sees(far + 1, kind="SUB", phase=phase, banks=[bank])
    made = battle(unit("A1"), unit("B1", (far + WIDE, 0), kind="SUB"), phase=phase, banks=[bank])
    assert sight.limit(made, made.units["A1"], made.units["B1"]) == far * Y


@pytest.mark.clause("P.W12", "P.Z03")
def test_a_bank_that_the_line_only_grazes_does_not_count() -> None:
    made = battle(unit("A1"), unit("B1", (20_000, 0)))
    for north, counts in ((1_306, False), (1_303, True)):
        # The line between the nearest corners lies 200 yd north or south of the middle at most.
        for heading, length, beam in ((9_000, 2_000, 2_200), (0, 2_200, 2_000)):
            made.banks = [Bank("squall", 10_000 * Y, north * Y, heading, length * Y, beam * Y, 0)]
            crossed = sight.crossing(made, (0, 208 * Y), (20_000 * Y, 208 * Y))
            assert (crossed == {"squall"}) is counts


@pytest.mark.clause("P.V10")
def test_land_hides_a_ship_but_shoals_and_other_ships_do_not() -> None:
    cells = frozenset({(4, -1), (4, 0)})
    made = battle(unit("A1"), unit("B1", (6_000, 0)), unit("B2", (3_000, 0)), land=cells)
    assert not sight.visible(made, made.units["A1"], made.units["B1"])
    made.land, made.shoal = frozenset(), cells
    assert sight.visible(made, made.units["A1"], made.units["B1"])


@pytest.mark.clause("P.V15", "P.U03", "P.N04")
def test_contacts_are_the_enemies_in_sight_of_any_ship_of_the_side() -> None:
    made = battle(
        unit("A1"), unit("A2", (30_000, 0)), unit("B1", (50_000, 0)), unit("B2", (90_000, 0)),
        unit("B3", (5_000, 0), kind="SUB", submerged=True), unit("B4", (5_000, 9), kind="TRAMP", neutral=True),
        unit("B5", (5_000, 50), kind="RAIDER_T", disguised=True),
    )  # fmt: skip
    sight.refresh(made)
    assert made.parties["A"].contacts == ("B1",)
    assert made.parties["B"].contacts == ("A2",)
    seen = made.parties["A"].remembered["B1"]
    assert (seen.x, seen.y, seen.h, seen.type, seen.spell) == (50_000 * Y, 0, 0, Type.BB, 0)


@pytest.mark.clause("P.K45", "P.R05")
def test_a_ship_that_comes_in_sight_or_is_lost_from_it_is_reported_once_to_the_side_that_sees_it() -> None:
    made = battle(unit("A1"), unit("B1", (3_000, 0), kind="AMC"))
    table = play(made)
    sight.refresh(made, table)
    sight.refresh(made, table)
    made.units["B1"].x = 90_000 * Y
    sight.refresh(made, table)
    assert table.log is not None
    changes = [
        (event.kind, event.ship, event.data["side"], event.data.get("type"))
        for event in table.log.events
        if event.kind in ("sighted", "lost_sight")
    ]
    assert changes == [
        ("sighted", "B1", "A", "LINER"),
        ("sighted", "A1", "B", "BB"),
        ("lost_sight", "B1", "A", None),
        ("lost_sight", "A1", "B", None),
    ]
    assert made.parties["A"].remembered["B1"].x == 3_000 * Y


@pytest.mark.clause("P.T10", "P.C02", "P.C01")
def test_a_sighting_at_the_beginning_of_a_spell_makes_it_a_combat_spell() -> None:
    made = battle(unit("A1"), unit("B1", (3_000, 0)), mode=Mode.CRUISING, contact=-1, clock=900)
    table = play(made)
    light.begin_spell(made, table)
    assert (made.mode, table.began, table.combat, made.contact) == (Mode.COMBAT, Mode.COMBAT, True, 900)


@pytest.mark.clause("P.C02", "P.O05", "P.K09")
def test_a_second_contact_counts_again_but_the_time_allotted_runs_from_the_first() -> None:
    made = battle(
        unit("A1"),
        unit("B1", (3_000, 0)),
        mode=Mode.CRUISING,
        contact=0,
        clock=900,
        unseen=5,
        cruising_unseen=3,
    )
    assert not modes.change(made, play(made))
    sight.refresh(made)
    assert modes.change(made, play(made)) and not modes.change(made, play(made))
    assert (made.contact, made.unseen, made.cruising_unseen) == (0, 0, 0)


@pytest.mark.clause("P.C03")
def test_a_sighting_in_mid_move_ends_the_movement_and_is_fought_but_the_clock_goes_as_it_began() -> None:
    made = battle(unit("A1"), unit("B1", (90_000, 0)), mode=Mode.CRUISING, contact=-1)
    table = play(made)
    light.begin_spell(made, table)
    assert not modes.under_way(made, table)
    made.units["B1"].x = 9_000 * Y
    assert modes.under_way(made, table)
    assert (table.frozen, table.combat, table.began, made.mode) == (True, True, Mode.CRUISING, Mode.COMBAT)


@pytest.mark.clause("P.C10")
def test_twelve_combat_spells_without_a_sighting_and_both_sides_cruise_again() -> None:
    made = battle(unit("A1"), unit("B1", (90_000, 0)))
    made.options["revert_after_spells"] = 12
    for _ in range(11):
        modes.revert(made, play(made))
    assert made.mode is Mode.COMBAT
    made.parties["A"].contacts = ("B1",)
    modes.revert(made, play(made))
    made.parties["A"].contacts = ()
    found = []
    for _ in range(12):
        found.append(made.mode)
        modes.revert(made, play(made))
    assert [*found, made.mode] == [Mode.COMBAT] * 12 + [Mode.CRUISING]
    modes.revert(made, play(made))
    assert made.cruising_unseen == 1


@pytest.mark.clause("P.W07", "P.W10", "P.W11", "P.W03", "P.EX3")
def test_a_squall_starts_on_the_upwind_corner_and_drifts_along_the_diagonal() -> None:
    made = battle(unit("A1"), unit("B1", (100, 0)), table=(-3_000 * Y, -4_800 * Y, 3_000 * Y, 4_800 * Y))
    made.opened_cruising = False
    # From the north-west corner, whose bearing from the middle is 328.00 degrees.
    made.wind = 32_799
    made.spell = 4
    made.banks = [light.rolling(made, "squall", 5)]
    (bank,) = made.banks
    assert (bank.length, bank.beam) == (1_200 * Y, 2_400 * Y)
    light.drift(made, play(made))
    for spell in (5, 6, 7):
        made.spell = spell
        light.drift(made, play(made))
    middle = bases.front(bank)
    assert abs(middle[0] + 1_728 * Y) < Y and abs(middle[1] - 2_765 * Y) < Y


@pytest.mark.clause("P.W06", "P.W11")
def test_fog_moves_one_base_length_a_spell_and_goes_when_its_trailing_edge_has_passed_the_corner() -> None:
    made = battle(unit("A1"), unit("B1", (100, 0)), table=(-1_000 * Y, -1_000 * Y, 1_000 * Y, 1_000 * Y))
    made.opened_cruising, made.wind = False, 4_500
    made.banks = [light.rolling(made, "fog", 0)]
    # Along the diagonal of 2,828 yd and its own length of 1,200: gone after 4,028 yd, in the eleventh move of 400.
    for _ in range(10):
        light.drift(made, play(made))
    assert len(made.banks) == 1
    light.drift(made, play(made))
    assert made.banks == []


@pytest.mark.clause("P.W10", "P.W11")
def test_banks_are_ten_times_as_large_and_as_fast_where_the_battle_opened_cruising() -> None:
    made = battle(unit("A1"), unit("B1", (100, 0)), mode=Mode.CRUISING)
    made.opened_cruising = True
    assert light.size(made) == (12_000 * Y, 24_000 * Y)
    made.wind = 0
    made.banks = [Bank("squall", 0, 0, 18_000, 100, 100, 2)]
    light.drift(made, play(made))
    assert made.banks[0].y == -8_000 * Y


@pytest.mark.clause("P.W05", "P.W04")
def test_mist_stands_still() -> None:
    made = battle(unit("A1"), unit("B1", (100, 0)))
    made.banks = [Bank("mist", 5, 7, 0, 100, 100, 0)]
    light.drift(made, play(made))
    assert (made.banks[0].x, made.banks[0].y) == (5, 7)


@pytest.mark.clause("P.W12", "P.V01", "P.V06")
@pytest.mark.parametrize("seed", range(12))
def test_the_quick_search_finds_every_ship_that_is_in_sight(seed: int) -> None:
    rng = random.Random(seed)
    phase = rng.choice([Phase.DAY, Phase.NIGHT, Phase.DUSK])
    wide = 20_000 if phase is Phase.DAY else 3_000
    units = [
        unit(
            f"{side}{n}",
            (rng.randint(-wide, wide), rng.randint(-wide, wide)),
            rng.randint(0, 359),
            rng.choice(["BB", "TBD", "SUB"]),
        )
        for side in "AB"
        for n in range(6)
    ]
    banks = [
        Bank(
            kind,
            rng.randint(-wide, wide) * Y,
            rng.randint(-wide, wide) * Y,
            rng.randint(0, 35_999),
            rng.randint(300, 9_000) * Y,
            2_400 * Y,
            1,
        )
        for kind in ("fog", "squall")
    ]
    made = battle(*units, phase=phase, banks=banks)
    units[0].light = "B1"
    for side, others in (("A", "B"), ("B", "A")):
        seen = [one.id for one in sight.seen_by_side(made, side)]
        watch = list(made.on_table(side))
        assert seen == [
            one.id for one in made.on_table(others) if any(_plainly(made, by, one) for by in watch)
        ]


def _plainly(made: Battle, by: Unit, one: Unit) -> bool:
    """Sight as the book has it, without any short cut."""
    kinds = sight.crossing(made, *bases.nearest_points(by, one))
    far = 32_000 if made.phase is Phase.DAY else 4_000
    if made.phase is Phase.NIGHT and not (
        one.light or any(lamp.light == one.id for lamp in made.units.values())
    ):
        far = 1_000
    if kinds and made.phase is Phase.DAY:
        far = min(far, 12_000)
    if "fog" in kinds:
        far = 200
    if one.type is Type.SUB:
        far //= 2
    return bases.gap(by, one) <= far * Y + 50


@pytest.mark.clause("P.A05", "P.W12")
def test_a_base_is_in_fog_when_any_part_of_it_is_and_in_no_other_bank() -> None:
    made = battle(unit("A1"))
    for kind, east, inside in (
        ("fog", 0, True),
        ("fog", 190, True),
        ("fog", 200, False),
        ("squall", 0, False),
    ):
        made.banks = [Bank(kind, east * Y, 0, 0, 200 * Y, 200 * Y, 1)]
        assert sight.in_fog(made, made.units["A1"]) is inside


@pytest.mark.clause("P.K45", "P.R05")
def test_a_sunken_ship_is_not_lost_to_sight_and_a_merchant_cruiser_shows_what_it_is_once_it_acts() -> None:
    made = battle(unit("A1"), unit("B1", (3_000, 0), kind="AMC", acting=True), unit("B2", (3_000, 900)))
    table = play(made)
    sight.refresh(made, table)
    assert made.parties["A"].remembered["B1"].type is Type.AMC
    made.units["B2"].status = Status.SUNK
    sight.refresh(made, table)
    assert made.parties["A"].contacts == ("B1",)
    assert told(table, "lost_sight") == []


@pytest.mark.clause("P.V10", "P.F21")
def test_the_land_an_installation_stands_on_hides_neither_it_nor_what_it_sees() -> None:
    made = battle(
        unit("A1", (250, 250), kind="BATTERY"), unit("B1", (3_000, 250)), land=frozenset({(0, 0), (1, 0)})
    )
    guns, ship = made.units["A1"], made.units["B1"]
    assert sight.visible(made, guns, ship) and sight.visible(made, ship, guns)
    made.land = made.land | {(4, 0)}
    assert not sight.visible(made, guns, ship)


@pytest.mark.clause("P.V02", "P.V09")
def test_the_limit_between_two_ships_is_that_of_the_light_unless_a_bank_lies_between_them() -> None:
    made = battle(unit("A1"), unit("B1", (9_000, 0)))
    one, other = made.units["A1"], made.units["B1"]
    assert sight.limit(made, one, other) == 32_000 * Y
    for north, far in ((0, 200), (9_000, 32_000)):
        made.banks = [Bank("fog", 4_000 * Y, north * Y, 0, 1_200 * Y, 2_400 * Y, 1)]
        assert sight.limit(made, one, other) == far * Y


@pytest.mark.clause("P.T10", "P.T05")
def test_the_log_names_each_phase_of_a_spell_as_it_begins() -> None:
    made = battle(unit("A1"), opened=64_800 - 150)
    table = play(made)
    light.begin_spell(made, table)
    assert (made.phase, told(table, "phase")) == (Phase.DAY, [])
    made.clock = 150
    light.begin_spell(made, table)
    assert (made.phase, told(table, "phase")) == (Phase.SUNSET, [("", {"phase": "sunset"})])


@pytest.mark.clause("P.W11")
def test_the_log_tells_where_banks_of_fog_have_moved() -> None:
    made = battle(unit("A1"))
    for kind, places in (("mist", []), ("fog", [[["fog", -28_284, -28_284, 22_500, 100, 100]]])):
        made.banks, table = [Bank(kind, 0, 0, 22_500, 100, 100, 1)], play(made)
        light.drift(made, table)
        assert [data["banks"] for _, data in told(table, "banks")] == places
