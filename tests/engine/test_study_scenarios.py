"""The table of what the shipped scenarios come to: how ships are counted, and how it is written."""

from __future__ import annotations

import pytest

from battles.data.scenarios.build import files
from battles.engine.cli import load
from battles.engine.core.dice import FastDice
from battles.engine.core.fates import Fate, Flag
from battles.engine.core.outcome import Outcome, ShipOutcome
from battles.engine.registry import rule_set
from tests import study, study_scenarios
from tests.study_scenarios import Results, end_of, medians, table, thomas_end_of, with_and_without

AT = {"A1": (0, 0), "A2": (0, 13), "B1": (0, 5)}


def entry(code: str, fate: Fate = Fate.AFLOAT, cause: str = "") -> ShipOutcome:
    return ShipOutcome(code, code[0], fate, {}, position=AT.get(code), cause=cause)


def outcome(*ships: ShipOutcome, turns: int = 5) -> Outcome:
    return Outcome("kohler", turns, 30 * turns, "parted", ships)


def test_ships_are_counted_by_how_they_were_lost() -> None:
    none = outcome()
    assert end_of(entry("A1", Fate.CAPTURED), none) == "taken"
    assert end_of(entry("A1", Fate.BLOWN_UP, "fire"), none) == "blown up"
    assert end_of(entry("A1", Fate.SUNK, "fire"), none) == "burnt"
    assert end_of(entry("A1", Fate.SUNK, "gunfire"), none) == "sunk"
    assert end_of(entry("A1", Fate.BURNT, "fire ship"), none) == "expended"


@pytest.mark.clause("K.G9")
def test_a_ship_has_fled_when_all_enemies_afloat_are_more_than_twelve_hexes_off_and_some_exist() -> None:
    near, far, enemy = entry("A1"), entry("A2"), entry("B1")
    assert end_of(far, outcome(near, far, enemy)) == ""
    far_off = ShipOutcome("A3", "A", Fate.AFLOAT, {}, position=(0, 18))
    assert end_of(far_off, outcome(near, far_off, enemy)) == "fled"
    assert end_of(near, outcome(near, far_off, enemy)) == ""
    assert end_of(near, outcome(near, entry("B1", Fate.SUNK))) == ""
    assert end_of(ShipOutcome("A4", "A", Fate.AFLOAT, {}), outcome(near)) == ""


def test_the_table_has_mean_and_range_of_every_count_and_one_row_per_side() -> None:
    results = Results("A meeting", {"A": ("France", 2), "B": ("Spain", 1)})
    results.add(outcome(entry("A1", Fate.SUNK), entry("A2"), entry("B1"), turns=4))
    results.add(outcome(entry("A1", Fate.SUNK), entry("A2", Fate.SUNK), entry("B1"), turns=9))
    lines = list(table([results]))
    assert lines[2] == "| A meeting | France | 2 | 6.5 (4-9) | 1.5 (1-2) | - | - | - | - | - |"
    assert lines[3].startswith("|  | Spain | 1 |  | - |")
    assert [line.count("|") for line in lines] == [11] * 4


def test_the_study_of_scenarios_is_chosen_by_name_and_gives_seeds_and_version(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["study", "--scenarios", "single_ships", "--runs", "2"])
    study.main()
    told = capsys.readouterr().out
    assert told.startswith("Seeds 1-2, version ")
    assert "A single-ship action" in told and "Gabbard" not in told


def test_ships_of_thomas_are_counted_by_their_fate_and_escape_beyond_thirty_two_inches() -> None:
    def ship(code: str, x: int, fate: Fate = Fate.AFLOAT, **more: object) -> ShipOutcome:
        return ShipOutcome(code, code[0], fate, {}, position=(x, 0), **more)  # type: ignore[arg-type]

    near, far, enemy = ship("A1", 32_000), ship("A2", 32_001), ship("B1", 0)
    gone, sunk = ship("A3", 5, flags=frozenset({Flag.WITHDREW})), ship("A4", 5, Fate.SUNK)
    met = Outcome("thomas", 5, 150, "limit", (near, far, enemy, gone, sunk))
    ends = [thomas_end_of(one, met) for one in met.ships]
    assert ends == ["", "escaped", "", "escaped", "sunk"]
    assert thomas_end_of(ship("A5", 5, Fate.CAPTURED), met) == "taken"


def test_a_ship_missing_from_the_count_stops_the_study(monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = load(files("thomas") / "frigate_duel.json")
    short = Outcome("thomas", 5, 150, "limit", (entry("B01"),))
    monkeypatch.setattr(study_scenarios, "play_for_odds", lambda *_: short)
    with pytest.raises(ValueError, match="2 ships began, 1 ended"):
        study_scenarios.fight(scenario, runs=1)


def test_the_study_of_a_rule_set_is_chosen_by_its_name(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["study", "--rules", "thomas", "--sizes", "1", "--runs", "2"])
    study.main()
    told = capsys.readouterr().out
    assert "plain           1        2" in told and "gap" not in told
    monkeypatch.setattr(
        "sys.argv", ["study", "--rules", "thomas", "--scenarios", "frigate_duel", "--runs", "1"]
    )
    study.main()
    told = capsys.readouterr().out
    assert "| A frigate duel | Great Britain | 1 |" in told and "| moves | taken |" in told


def test_a_scenario_with_handicaps_is_fought_without_them_too_and_medians_stand_below() -> None:
    galleys, duel = (load(files("thomas") / f"{name}.json") for name in ("galleys", "frigate_duel"))
    assert [(one.title, len(one.handicaps)) for one in with_and_without(galleys)] == [
        (galleys.title, 1),
        (f"{galleys.title}, without handicaps", 0),
    ]
    assert list(with_and_without(duel)) == [duel]


def test_the_median_counts_ships_taken_and_all_that_do_not_come_home() -> None:
    results = Results("Meeting", {"A": ("Red", 2), "B": ("Blue", 1)}, rules="kohler")
    for lost in ((Fate.CAPTURED, Fate.SUNK), (Fate.CAPTURED, Fate.CAPTURED), (Fate.AFLOAT, Fate.SUNK)):
        results.add(outcome(entry("A1", lost[0]), entry("A2", lost[1], "gunfire"), entry("B1")))
    assert list(medians(results)) == [
        "Meeting, Red: median 1 taken, 2 gone",
        "Meeting, Blue: median 0 taken, 0 gone",
    ]


def test_where_a_set_says_who_left_points_and_the_field_have_columns() -> None:
    results = Results("A duel", {"A": ("Japan", 1), "B": ("Russia", 1)}, rules="cordery")
    fled = ShipOutcome("A1", "A", Fate.AFLOAT, {}, flags=frozenset({Flag.WITHDREW}), hits_taken=7)
    for fate, held in ((Fate.BLOWN_UP, "A"), (Fate.SUNK, "A"), (Fate.AFLOAT, "")):
        ships = (fled, ShipOutcome("B1", "B", fate, {}, hits_taken=12))
        results.add(Outcome("cordery", 5, 25, "parted", ships, held_field=held))
    assert list(table([results]))[::2] == [
        "| scenario | side | ships | turns | sunk | blown up | left | FP lost | field |",
        "| A duel | Japan | 1 | 5.0 (5-5) | - | - | 1.0 (1-1) | 7.0 (7-7) | 2 |",
    ]
    assert list(table([results]))[3].endswith("| 0.3 (0-1) | 0.3 (0-1) | - | 12.0 (12-12) | 0 |")
    assert list(medians(results)) == [
        "A duel, Japan: median 0 taken, 0 gone",
        "A duel, Russia: median 0 taken, 1 gone",
    ]


def test_where_a_set_names_the_winner_the_study_of_captains_goes_by_it() -> None:
    score = study.study(size=2, runs=6, rules="cordery")
    won = [
        study.battle(number, size=2, captain="commander", against="plain", rules="cordery").won
        for number in range(6)
    ]
    assert (score.battles, score.won) == (6, sum(won))
    for number in (0, 1):
        names = ("commander", "plain") if number == 0 else ("plain", "commander")
        scenario = study.GROUNDS["cordery"].mirrored(2, pick=0, captains=names)
        rules = rule_set("cordery")
        held = rules.outcome(rules.play(scenario, FastDice(number))).held_field
        assert won[number] == (held == ("A", "B")[number])
