"""The scenarios that come with the project: built from the register, playable as they are, and true to their descriptions."""

from __future__ import annotations

import json
from typing import Any

import pytest

from battles.data.scenarios import build
from battles.data.scenarios.build import kohler_1666, rows
from battles.engine.cli import load
from battles.engine.core.scenario import Scenario, Stance, Strength
from battles.engine.registry import rule_set
from tests import study_scenarios
from tests.study_scenarios import FILES, names

NAMES = names()
THOMAS = names("thomas")


def shipped(name: str, rules: str = "kohler") -> Scenario:
    return load(build.files(rules) / f"{name}.json")


def ship_names(scenario: Scenario, side: str) -> set[str]:
    return {ship.name for own, _, ship in scenario.ships() if own.id == side}


def test_building_again_gives_the_same_files_and_no_others_are_there() -> None:
    for rule_set_name, number in (("kohler", 8), ("thomas", 5)):
        made = build.built(rule_set_name)
        folder = build.files(rule_set_name)
        assert made == {file.name: file.read_text(encoding="utf-8") for file in folder.glob("*.json")}
        assert len(made) == number


@pytest.mark.parametrize(
    ("rule_set_name", "name"), [("kohler", n) for n in NAMES] + [("thomas", n) for n in THOMAS]
)
def test_a_shipped_scenario_has_no_errors_a_description_and_squadrons_of_the_advised_size(
    rule_set_name: str, name: str
) -> None:
    scenario = shipped(name, rule_set_name)
    rules: Any = rule_set(scenario.rule_set)
    assert rules.scenario_faults(scenario) == ()
    assert scenario.note.endswith(".")
    assert len({ship.name for _, _, ship in scenario.ships()}) == sum(1 for _ in scenario.ships())
    assert all(len(squadron.ships) <= 10 for side in scenario.sides for squadron in side.squadrons)


def test_codes_are_unique_and_so_are_dice_keys() -> None:
    codes = [shipped(name).code for name in NAMES] + [shipped(name, "thomas").code for name in THOMAS]
    assert len(set(codes)) == len(codes)


def test_ships_that_were_lost_or_sent_home_are_missing_on_the_days_after() -> None:
    days = [shipped(f"four_days_{day}") for day in (1, 2, 3, 4)]
    assert {"Swiftsure", "Loyal George", "Seven Oaks"} <= ship_names(days[0], "E")
    assert not {"Swiftsure", "Loyal George", "Seven Oaks", "Henry"} & ship_names(days[1], "E")
    assert {"Hof van Zeeland", "Duivenvoorde"} == ship_names(days[0], "D") - ship_names(days[1], "D") - {
        "Liefde", "Hollandia", "Gelderland", "Asperen", "Deventer", "Reigersbergen"
    }  # fmt: skip
    assert "Royal Prince" in ship_names(days[2], "E") and "Royal Prince" not in ship_names(days[3], "E")
    known = {row["name"] for row in kohler_1666.register()}
    days_file = json.loads((FILES.parent / "days.json").read_text(encoding="utf-8"))
    for when in days_file["left"].values():
        assert {name for rows in when.values() for name in rows} <= known


def test_all_ships_of_the_register_except_prince_ruperts_fight_on_the_first_day() -> None:
    first = shipped("four_days_1")
    counts = {side.id: sum(1 for _ in side.ships()) for side in first.sides}
    ships = kohler_1666.register()
    assert counts["D"] == sum(row["side"] == "Dutch" for row in ships) == 85
    assert counts["E"] == sum(row["side"] == "English" and "Rupert" not in row["squadron"] for row in ships)
    assert first.gauge == "E" and first.strength is Strength.STRONG


def test_tromp_and_the_frisian_admiral_fly_their_flags_in_other_ships_after_the_first_day() -> None:
    flags = {
        next(one.name for one in squadron.ships if one.id == squadron.flagship): squadron.flag_officer
        for squadron in shipped("four_days_2").sides[1].squadrons
    }
    assert flags["Provincie van Utrecht"] == "Lt-Adm Cornelis Tromp"
    assert flags["Groot Frisia"].startswith("Lt-Adm Tjerk Hiddes")
    assert "Walcheren" not in flags


def test_prince_rupert_arrives_from_the_west_on_the_third_day_and_is_there_on_the_fourth() -> None:
    third = shipped("four_days_3").sides[0]
    late = [squadron for squadron in third.squadrons if squadron.arrives]
    assert {ship.name for squadron in late for ship in squadron.ships} == {
        row["name"] for row in kohler_1666.register() if "Rupert" in row["squadron"]
    }
    assert {(one.arrives, one.edge) for one in late} == {(11, 270)}
    assert third.doctrine.stance is Stance.AVOID
    assert "Royal James" in ship_names(shipped("four_days_4"), "E")


def test_a_hundred_lie_on_each_side_and_sister_ships_are_marked() -> None:
    line = shipped("gabbard_100")
    assert [sum(1 for _ in side.ships()) for side in line.sides] == [100, 100]
    made_up = [ship.name for _, _, ship in line.ships() if ship.name.endswith(" (2)")]
    real = {row["name"] for row in kohler_1666.register()}
    assert made_up and all(name.removesuffix(" (2)") in real for name in made_up)


def test_the_escort_must_cover_every_merchant() -> None:
    dutch = shipped("convoy").sides[1]
    escort = next(squadron for squadron in dutch.squadrons if squadron.name == "Escort")
    merchants = {ship.id for ship in dutch.ships() if ship.facts.ship_type == "merchant"}
    assert len(merchants) == 24
    assert escort.doctrine is not None and set(escort.doctrine.protect) == merchants


@pytest.mark.parametrize("name", ["single_ships", "fire_ships_at_anchor", "convoy", "four_days_3"])
def test_a_shipped_scenario_is_fought_to_its_end(name: str) -> None:
    results = study_scenarios.fight(shipped(name), runs=1)
    assert 1 <= results.turns[0] <= (shipped(name).turn_limit or 30)
    assert sum(results.ended.values()) == 1


def test_trafalgar_has_every_ship_of_the_register_in_her_place() -> None:
    scenario = shipped("trafalgar", "thomas")
    counts = {side.id: sum(1 for _ in side.ships()) for side in scenario.sides}
    assert counts == {"B": 33, "C": 40}
    line = [ship for _, _, ship in scenario.ships() if ship.facts.ship_type == "ship_of_line"]
    assert len(line) == 60
    names = {ship.name.removesuffix(" (French)") for _, _, ship in scenario.ships()}
    assert names == {row["name"] for row in rows.trafalgar()}
    places = {ship.name: ship.position for _, _, ship in scenario.ships()}
    # Nelson comes down on the Bucentaure, Collingwood on the Santa Ana, from windward, and the van of the enemy is to the north.
    for leader, mark in (("Victory", "Bucentaure"), ("Royal Sovereign", "Santa Ana"), ("Victory", "Neptuno")):
        assert places[leader][0] < places[mark][0]  # type: ignore[index]
    for leader, mark in (("Victory", "Bucentaure"), ("Royal Sovereign", "Santa Ana")):
        assert abs(places[leader][1] - places[mark][1]) < 4_000  # type: ignore[index]
    assert places["Neptuno"][1] > places["Principe de Asturias"][1]  # type: ignore[index]


def test_ships_of_one_name_in_both_fleets_are_distinguished() -> None:
    combined = ship_names(shipped("trafalgar", "thomas"), "C")
    assert {"Swiftsure (French)", "Neptune (French)", "Achille (French)"} <= combined
    assert {"Swiftsure", "Neptune", "Achille"} <= ship_names(shipped("trafalgar", "thomas"), "B")


def test_schooners_cutters_and_brigs_are_tagged_so_that_their_masts_are_right() -> None:
    tags = {ship.name: ship.facts.tags for _, _, ship in shipped("trafalgar", "thomas").ships()}
    assert (tags["Pickle"], tags["Entreprenante"], tags["Argus"]) == (("schooner",), ("cutter",), ("brig",))


def test_the_banks_are_to_leeward_at_gravelines_and_the_english_to_windward() -> None:
    scenario = shipped("gravelines", "thomas")
    assert scenario.options["coast"] and scenario.wind_towards == 45
    english, spanish = (
        [ship.position[0] + ship.position[1] for ship in side.ships() if ship.position]
        for side in scenario.sides
    )
    assert max(english) < min(spanish)


def test_the_light_airs_scenarios_have_vessels_with_oars() -> None:
    for name, kind in (("isle_of_wight", "galleass"), ("galleys", "galley")):
        scenario = shipped(name, "thomas")
        assert scenario.strength is Strength.LIGHT
        assert sum(ship.facts.ship_type == kind for _, _, ship in scenario.ships()) >= 3


@pytest.mark.parametrize("name", ["frigate_duel", "galleys", "isle_of_wight", "gravelines", "trafalgar"])
def test_a_scenario_of_thomas_is_fought_to_its_end_with_every_ship_counted(name: str) -> None:
    scenario = shipped(name, "thomas")
    results = study_scenarios.fight(scenario, runs=1)
    assert 1 <= results.turns[0] <= (scenario.turn_limit or 60)
    assert sum(results.ended.values()) == 1
