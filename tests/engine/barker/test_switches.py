"""Readings of ours that a scenario may switch off or set otherwise. Rule: P.K44."""

from __future__ import annotations

import pytest

from battles.engine.rulesets.barker import light, signals, slots
from battles.engine.rulesets.barker.arcs import Band
from battles.engine.rulesets.barker.lines import Lines
from battles.engine.rulesets.barker.signals import Means
from tests.engine.barker.builders import battle, play, told, unit


@pytest.mark.clause("P.K44", "P.F19")
@pytest.mark.parametrize("switch", [True, False])
def test_ships_in_the_way_may_be_shot_through(switch: bool) -> None:
    made = battle(unit("A1"), unit("A2", (0, 1_000)), unit("B1", (0, 2_000)))
    made.options["ships_block_fire"] = switch
    assert Lines(made).open(made.units["A1"], made.units["B1"], Band.LONG) is not switch


@pytest.mark.clause("P.K44", "P.F14")
@pytest.mark.parametrize("switch", [True, False])
def test_the_guns_of_an_end_may_be_blind_to_torpedo_craft_close_by(switch: bool) -> None:
    made = battle(unit("A1"), unit("B1", (0, 700), kind="TBD"), unit("B2", (2_000, 6_000), kind="TBD"))
    made.options["end_on_vs_torpedo_craft"] = switch
    assert [shot.slot for shot in slots.legal(made, made.units["A1"])] == (["ahead"] if switch else [])


@pytest.mark.clause("P.K44", "P.W10")
@pytest.mark.parametrize(
    ("bases", "cruising", "wanted"),
    [
        ([6, 3], False, (120_000, 240_000)),
        ([6, 3], True, (1_200_000, 2_400_000)),
        ([4, 5], False, (200_000, 160_000)),
    ],
)
def test_banks_may_be_of_another_size(bases: list[int], cruising: bool, wanted: tuple[int, int]) -> None:
    made = battle(unit("A1"), opened_cruising=cruising)
    made.options["bank_size_bases"] = bases
    assert light.size(made) == wanted


@pytest.mark.clause("P.K44", "P.G03")
@pytest.mark.parametrize("yards", [4_000, 2_000])
def test_lamps_may_carry_less_far(yards: int) -> None:
    made = battle(unit("A1"))
    made.options["lamp_range_yd"] = yards
    assert signals.reach(made, made.units["A1"], Means.LAMP) == yards * 100


@pytest.mark.clause("P.K44", "P.G11")
@pytest.mark.parametrize("switch", [True, False])
def test_wireless_may_count_as_touch(switch: bool) -> None:
    made = battle(unit("A1", wt=True), unit("A2", (0, 40_000), wt=True))
    made.options["wt_counts_as_touch"] = switch
    assert signals.in_touch(made, made.units["A2"]) is switch


@pytest.mark.clause("P.K03", "P.K44")
@pytest.mark.parametrize(
    ("nation", "shared", "coded"), [("A", False, True), ("X", False, False), ("X", True, True)]
)
def test_allies_signal_in_clear_without_a_shared_code(nation: str, shared: bool, coded: bool) -> None:
    flag = unit("A1", wt=True)
    ally = unit("A2", (0, 60_000), wt=True, squadron="A-2", group="A-2", nation=nation)
    made = battle(flag, ally)
    made.options.update(shared_code=shared, signals="played")
    table = play(made, 6)
    signals.wishes(made, table, "A", {"A-2": ("TURN",)})
    assert [data["coded"] for _, data in told(table, "signal")] == [coded]
