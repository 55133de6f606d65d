"""How the wind opens, changes and heads ships. Rules: T.S10-T.S12, T.B1, T.B8, T.C34, T.E1-T.E3, T.E7, T.E28."""

from __future__ import annotations

import pytest

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.scenario import Strength
from battles.engine.rulesets.thomas import wind
from battles.engine.rulesets.thomas.state import Adrift, Rig
from battles.engine.rulesets.thomas.tables import Kind, WindForce
from tests.engine.thomas.builders import battle, done, events, play, revenge, ship

CALM, LIGHT, MEDIUM, STRONG = WindForce.CALM, WindForce.LIGHT, WindForce.MEDIUM, WindForce.STRONG


@pytest.mark.clause("T.E1", "T.B1", "T.B1a", "T.B1b", "T.B1d", "T.B1f")
def test_both_direction_and_strength_may_change_in_one_turn() -> None:
    made, played = battle(wind_from=27_000), play(6, 6, 2, 5)
    wind.change(made, played)
    done(played)
    assert (made.wind_from, made.strength) == (22_500, STRONG)
    assert events(played, "wind")[0].data == {"from": 22_500, "was": 27_000, "strength": 3, "strength_was": 2}


@pytest.mark.clause("T.B1")
@pytest.mark.parametrize("red", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("black", [1, 2, 3, 4, 5])
def test_without_a_six_the_wind_stays(red: int, black: int) -> None:
    made, played = battle(wind_from=4_500), play(red, black)
    wind.change(made, played)
    done(played)
    assert (made.wind_from, made.strength, events(played, "wind")) == (4_500, MEDIUM, [])


@pytest.mark.clause("T.E2", "T.B1c", "T.B1d")
@pytest.mark.parametrize(
    ("current", "face", "after"),
    [(18_000, 6, 22_500), (18_000, 5, 18_000), (9_000, 5, 13_500), (9_000, 3, 4_500), (0, 6, 0)],
)
def test_the_worked_shifts_come_out_right(current: int, face: int, after: int) -> None:
    made, played = battle(wind_from=current, prevailing=0), play(6, 3, face)
    wind.change(made, played)
    done(played)
    assert made.wind_from == after


@pytest.mark.clause("T.B1b", "T.B1c", "T.B1d", "T.B1e", "T.B1a")
@pytest.mark.parametrize(
    ("current", "prevailing", "shifts"),
    [
        (0, 0, (-45, -45, 45, 45, 0, 0)),
        (90, 0, (45, 45, -45, -45, 45, -45)),
        (270, 0, (-45, -45, 45, 45, -45, 45)),
        (180, 0, (0, 0, 45, 45, 0, 45)),
        (90, None, (-45, -45, 45, 45, 0, 0)),
        (10, 190, (0, 0, 45, 45, 0, 45)),
    ],
)
def test_the_whole_table_of_shifts_is_right(
    current: int, prevailing: int | None, shifts: tuple[int, ...]
) -> None:
    due = None if prevailing is None else prevailing * 100
    found = [wind.shift_by(current * 100, due, face) // 100 for face in range(1, 7)]
    assert tuple(found) == shifts
    literal = [wind.shift_by(current * 100, due, face, literal=True) // 100 for face in range(1, 7)]
    assert literal == [0 if face in (2, 4) else shift for face, shift in enumerate(shifts, 1)]


@pytest.mark.clause("T.B1f", "T.B1a")
@pytest.mark.parametrize(
    ("strength", "face", "table", "after"),
    [
        (MEDIUM, 3, "bands", LIGHT), (MEDIUM, 4, "bands", STRONG), (STRONG, 6, "bands", STRONG), (LIGHT, 1, "bands", CALM),
        (MEDIUM, 3, "literal", MEDIUM), (MEDIUM, 1, "literal", LIGHT), (MEDIUM, 4, "literal", STRONG),
        (MEDIUM, 6, "literal", MEDIUM),
    ],
)  # fmt: skip
def test_strength_changes_by_one_step(strength: WindForce, face: int, table: str, after: WindForce) -> None:
    made, played = battle(strength=strength, options={"wind_table": table}), play(1, 6, face)
    wind.change(made, played)
    done(played)
    assert made.strength is after


@pytest.mark.clause("T.E3", "T.B1g")
def test_a_calm_freshens_without_a_second_die_and_its_direction_still_shifts() -> None:
    made, played = battle(strength=CALM), play(6, 4, 1)
    wind.change(made, played)
    done(played)
    assert (made.wind_from, made.strength) == (31_500, LIGHT)
    made, played = battle(strength=CALM), play(6, 3, 1)
    wind.change(made, played)
    assert (made.wind_from, made.strength) == (31_500, CALM)


@pytest.mark.clause("T.B1h")
def test_calm_and_quiet_turns_are_counted() -> None:
    made = battle(strength=LIGHT)
    counts = []
    for faces in ((1, 1), (1, 6, 1), (1, 1), (1, 4), (1, 6, 4)):
        wind.change(made, play(*faces))
        counts.append((made.strength, made.spell_calm, made.spell_quiet))
    assert counts == [(LIGHT, 0, 1), (CALM, 1, 2), (CALM, 2, 3), (LIGHT, 0, 4), (MEDIUM, 0, 0)]


@pytest.mark.clause("T.E7", "T.B8", "T.B8a")
@pytest.mark.parametrize(("die", "heading", "irons"), [(3, 27_000, False), (2, 31_500, True)])
def test_a_ship_that_is_headed_falls_off_or_lies_in_irons(die: int, heading: int, irons: bool) -> None:
    one = ship(heading=31_500)
    made, played = battle(one, wind_from=31_500), play(die)
    wind.head(made, played, 0)
    done(played)
    assert (one.heading, one.in_irons) == (heading, irons)


@pytest.mark.clause("T.B8a")
def test_she_falls_off_on_the_tack_she_was_on_even_beyond_her_allowance() -> None:
    one = ship(heading=4_500, masts_lost=1, turn=1_000)
    made, played = battle(one, wind_from=0), play(6)
    wind.head(made, played, 33_000)
    assert one.heading == 9_000
    other = ship(heading=4_500)
    wind.head(battle(other, wind_from=4_000), play(6), 9_500)
    assert other.heading == (4_000 - 4_500) % 36_000


@pytest.mark.clause("T.B8b")
@pytest.mark.parametrize(
    "change",
    [
        {"masts_lost": 2}, {"anchored": True}, {"struck": True}, {"on_fire": True}, {"adrift": Adrift.HOVE_TO},
        {"in_irons": True}, {"towed_by": "E9"}, {"kind": Kind.GALLEY, "oar_speed": 6_000, "rig": Rig.OARS},
        {"heave_to_next": True},
    ],
    ids=str,
)  # fmt: skip
def test_ships_not_under_sail_are_not_headed(change: dict[str, object]) -> None:
    one = ship(heading=31_500, **change)
    wind.head(battle(one, wind_from=31_500), play(), 0)
    assert one.heading == 31_500


@pytest.mark.clause("T.B8b", "T.B2g")
def test_a_shift_that_did_not_bring_the_wind_nearer_heads_no_one() -> None:
    one = ship(heading=3_000)
    wind.head(battle(one, wind_from=0), play(), 1_500)
    assert not one.in_irons
    wind.head(battle(one, wind_from=0, strength=CALM), play(), 12_000)
    assert not one.in_irons


@pytest.mark.clause("T.B7b")
@pytest.mark.parametrize(("faces", "free"), [((6, 1, 3), True), ((1, 1), False)])
def test_a_shift_that_makes_the_heading_legal_ends_irons_at_once(faces: tuple[int, ...], free: bool) -> None:
    one = ship(heading=0, in_irons=True)
    made = battle(one, wind_from=0)
    wind.change(made, play(*faces))
    assert one.in_irons is not free


@pytest.mark.clause("T.B7b")
def test_a_calm_ends_irons() -> None:
    one = ship(heading=0, in_irons=True)
    made = battle(one, wind_from=0, strength=LIGHT)
    wind.change(made, play(1, 6, 2))
    assert (made.strength, one.in_irons) == (CALM, False)


@pytest.mark.clause("T.E28", "T.S10", "T.C1", "T.S11", "T.S11a", "T.S12", "T.S14")
def test_hour_and_wind_at_the_start_are_thrown() -> None:
    with ScriptedDice([3]) as dice:
        assert wind.throw_hour(dice, campaign=False) == 12
    with ScriptedDice([6, 6, 1]) as dice:
        assert wind.throw_hour(dice, campaign=False) == 6
    with ScriptedDice([6]) as dice:
        assert wind.throw_hour(dice, campaign=True) == 21
    with ScriptedDice([5, 6, 4]) as dice:
        assert wind.throw_opening(dice, variable=False) == (27_000, 27_000, MEDIUM)
    with ScriptedDice([5, 5, 6, 2]) as dice:
        assert wind.throw_opening(dice, variable=True) == (9_000, None, CALM)
    with ScriptedDice([5, 3]) as dice:
        assert wind.throw_opening(dice, variable=True) == (18_000, None, MEDIUM)


@pytest.mark.clause("T.C34")
def test_the_charts_wind_is_handed_over_unchanged_both_ways() -> None:
    for chart, own in (
        (Strength.STILL, CALM), (Strength.LIGHT, LIGHT), (Strength.MODERATE, MEDIUM),
        (Strength.STRONG, STRONG),
    ):  # fmt: skip
        told = wind.weather_in(200, chart)
        assert told == {"wind_from": 2_000, "strength": int(own)}
        made = battle(revenge(), wind_from=told["wind_from"], strength=own)
        assert wind.chart_wind(made) == (200, chart)
    assert wind.from_chart(0, Strength.GALE) == (18_000, STRONG)


@pytest.mark.clause("T.B8", "T.B1")
def test_a_shift_heads_ships_in_the_same_step_and_a_steady_wind_heads_no_one() -> None:
    one = ship("E1", heading=4_500)
    made, played = battle(one), play(5, 1)
    wind.change(made, played)
    done(played)
    assert not one.in_irons and events(played, "headed") == []
    played = play(6, 1, 3, 2)
    wind.change(made, played)
    done(played)
    assert made.wind_from == 4_500
    assert one.in_irons and [event.ship for event in events(played, "headed")] == ["E1"]


@pytest.mark.clause("T.S10", "T.S11", "T.S12")
@pytest.mark.parametrize(
    ("die", "hour", "bearing"), [(1, 6, 0), (2, 9, 9_000), (3, 12, 18_000), (4, 15, 27_000)]
)
def test_one_die_gives_the_hour_and_one_the_bearing_that_blows_and_prevails(
    die: int, hour: int, bearing: int
) -> None:
    assert wind.throw_hour(ScriptedDice([die]), campaign=False) == hour
    for variable in (False, True):
        assert wind.throw_opening(ScriptedDice([die]), variable=variable) == (bearing, bearing, MEDIUM)


@pytest.mark.parametrize(
    ("heading", "starboard"),
    [
        (0, True),
        (1, False),
        (35_999, True),
        (18_000, True),
        (17_999, False),
        (18_001, True),
        (9_000, False),
        (27_000, True),
    ],
)
def test_the_tack_is_the_side_on_which_the_wind_lies_and_starboard_before_the_wind(
    heading: int, starboard: bool
) -> None:
    assert battle(ship("E1"), wind_from=0).on_starboard_tack(heading) is starboard
