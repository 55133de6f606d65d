"""The printed tables, row by row, as the rules use them. Rules: TS-2 to TS-5, TS-9, TS-10, TS-12, T.S24, T.S26, T.C33."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from battles.engine.core.dice import ScriptedDice
from battles.engine.rulesets.thomas import boarding, burning, damage, masts, melee, wind
from battles.engine.rulesets.thomas.card import card, card_faults
from battles.engine.rulesets.thomas.gaps import period
from battles.engine.rulesets.thomas.guns import faults, grouping, laid_out, of_total, read
from battles.engine.rulesets.thomas.play import Orders
from battles.engine.rulesets.thomas.sailing import turns
from battles.engine.rulesets.thomas.state import Rig
from battles.engine.rulesets.thomas.tables import (
    OARED_ROWS,
    Arc,
    Gun,
    Kind,
    Period,
    is_english,
    is_shallow_yard,
    is_southern,
    nelson_grouping,
)
from tests.engine.thomas.builders import batteries, battle, done, events, play, revenge, ship
from tests.engine.thomas.test_card import by_type, facts

PRINTED = {6: 25, 9: 18, 12: 12, 18: 9, 24: 6, 28: 5, 30: 5, 32: 5, 36: 4, 40: 3, 42: 3}


@pytest.mark.clause("T.S4", "T.S4d")
@pytest.mark.parametrize("pounds", range(1, 71))
def test_every_calibre_from_1700_follows_the_table_or_else_150_pounds_of_shot(pounds: int) -> None:
    by_weight = int(Fraction(150, pounds) + Fraction(1, 2))
    assert nelson_grouping(pounds) == PRINTED.get(pounds, by_weight)


@pytest.mark.clause("T.S4d")
@pytest.mark.parametrize(("pounds", "guns"), [(100, 2), (101, 1), (300, 1), (301, 1), (1_000, 1)])
def test_a_battery_is_never_less_than_a_gun(pounds: int, guns: int) -> None:
    assert nelson_grouping(pounds) == guns


@pytest.mark.clause("T.S4")
@pytest.mark.parametrize(
    ("pounds", "same_as"),
    [
        (42, "cannon"), (40, "cannon"), (39, "demicannon"), (24, "demicannon"), (23, "culverin"), (14, "culverin"),
        (13, "demiculverin"), (8, "demiculverin"), (7, "saker"), (5, "saker"), (4, "minion"), (3, ""), (1, ""),
    ],
)  # fmt: skip
def test_before_1700_a_pounder_is_the_older_gun_of_that_shot(pounds: int, same_as: str) -> None:
    older = grouping(same_as, Period.ARMADA) if same_as else None
    assert grouping(f"{pounds}pdr", Period.ARMADA) == older


@pytest.mark.clause("T.S4")
@pytest.mark.parametrize(
    ("name", "guns"),
    [
        ("cannon", 3),
        ("demi-cannon", 5),
        ("culverin", 9),
        ("demi culverin", 18),
        ("saker", 25),
        ("minion", 38),
    ],
)
def test_from_1700_the_older_names_mean_the_pounders_beside_them_and_are_long(name: str, guns: int) -> None:
    assert grouping(name, Period.NELSON) == (guns, 1, Gun.LONG)


@pytest.mark.clause("T.S4", "T.S4c")
def test_pieces_too_small_to_count_and_other_names_of_large_ones_are_recognised() -> None:
    small = ("falcon", "falconet", "fowler", "base", "robinet", "port piece", "swivel", "verso", "esmeril")
    assert [grouping(name, of) for name in small for of in Period] == [None] * 18
    assert grouping("stone gun", Period.ARMADA) == grouping("perier", Period.ARMADA) == (1, 1, Gun.SHORT)
    for unknown, of in (("perier", Period.NELSON), ("0pdr", Period.NELSON), ("0pdr", Period.ARMADA)):
        with pytest.raises(ValueError, match="no gun of the calibre"):
            grouping(unknown, of)


@pytest.mark.clause("T.S24")
@pytest.mark.parametrize(("year", "due"), [(1699, Period.ARMADA), (1700, Period.NELSON)])
def test_the_table_of_guns_changes_with_the_year_1700(year: int, due: Period) -> None:
    assert period(year) is due


@pytest.mark.clause("T.S2", "T.S9")
@pytest.mark.parametrize(
    ("kind", "row"),
    [
        (Kind.GALLEASSE, (800, 40, 80, 3_000, 4_500, 5_000, 9_000)),
        (Kind.GALLEY, (200, 10, 20, 3_000, 4_500, 6_000, 9_000)),
        (Kind.AUXILIARY, (200, 10, 20, 5_000, 4_500, 3_000, 4_500)),
        (Kind.PINNACE, (40, 2, 4, 7_500, 9_000, 6_000, 13_500)),
    ],
)
def test_rows_of_oared_vessels_agree_with_the_cards_made_of_them(kind: Kind, row: tuple[int, ...]) -> None:
    made = card(facts("Spain", ship_type=kind.value, year_served=1588))
    own = (made.tons, made.flot_max, made.crew_max, made.speed, made.turn, made.oar_speed, made.oar_turn)
    printed = OARED_ROWS[kind]
    assert own == row
    assert (printed.flot, printed.crew) == row[1:3]


SOUTHERN = (
    "Spain Spanish Portugal Portuguese Italy Italian Ragusa Ragusan Venice Venetian Genoa Genoese Naples Neapolitan Tuscany"
    " Florence Savoy Malta Papal_States Ottoman_Empire Turkey Turkish Barbary Algiers Tunis Tripoli Sicily Morocco"
)
SHALLOW = (
    "Dutch Dutch_Republic Netherlands Holland United_Provinces Denmark Danish Denmark-Norway Sweden Swedish Hanse Hamburg"
    " Bremen Lubeck Danzig Brandenburg Prussia Poland Polish Russia Russian"
)


def named(words: str) -> list[str]:
    return [word.replace("_", " ") for word in words.split()]


@pytest.mark.clause("T.S26")
def test_mediterranean_and_iberian_flags_are_southern_and_every_other_is_northern() -> None:
    assert [nation for nation in named(SOUTHERN) if not is_southern(nation)] == []
    assert not any(
        map(is_southern, ("England", "France", "Dutch Republic", "Scotland", "Sweden", "", "Atlantis"))
    )


@pytest.mark.clause("T.S26")
def test_the_english_have_five_names() -> None:
    assert all(map(is_english, ("English", "England", "British", "Britain", "Great Britain")))
    assert not any(map(is_english, ("Scotland", "France", "Spain", "")))


@pytest.mark.clause("T.C33")
def test_dutch_and_baltic_yards_build_for_shoals() -> None:
    assert [nation for nation in named(SHALLOW) if not is_shallow_yard(nation)] == []
    assert not any(map(is_shallow_yard, ("England", "France", "Spain", "")))


@pytest.mark.clause("T.S26")
@pytest.mark.parametrize(
    ("nation", "heavy"),
    [("France", "36pdr"), ("French", "36pdr"), ("Spain", "36pdr"), ("Spanish", "36pdr"), ("Great Britain", "32pdr"),
     ("Dutch Republic", "32pdr")],
)  # fmt: skip
def test_french_and_spanish_ships_of_the_line_carry_36_pounders(nation: str, heavy: str) -> None:
    def first(total: int) -> str:
        return of_total(total, kind=Kind.LINE, merchant=False, nation=nation, year=1800, tons=1_700)[
            0
        ].calibre

    assert (first(64), first(65)) == ("24pdr", heavy)


@pytest.mark.clause("T.S10", "T.C1")
def test_a_battle_begins_at_the_hours_in_the_table() -> None:
    hours = []
    for face in range(1, 7):
        with ScriptedDice([face]) as dice:
            hours.append(wind.throw_hour(dice, campaign=True))
    assert hours == [6, 9, 12, 15, 18, 21]


@pytest.mark.clause("T.S11")
def test_the_prevailing_wind_has_tabled_bearings() -> None:
    found = []
    for face in range(1, 5):
        with ScriptedDice([face]) as dice:
            found.append(wind.throw_opening(dice, variable=False).wind_from)
    assert found == [0, 9_000, 18_000, 27_000]


@pytest.mark.clause("T.B12d", "T.B12e")
@pytest.mark.parametrize("face", range(1, 7))
def test_a_die_of_boarders_kills_as_in_the_table(face: int) -> None:
    one, other = ship("E1", crew_halves=10), revenge("S1", x=250, crew_halves=18)
    played = play(face, face, face, face, 4)
    melee.round_of(battle(one, other), played, [one], [other])
    first, second = max(0, face - 2), max(0, face - 3)
    killed = [event.data["killed"] for event in events(played, "round")]
    assert killed[0] == [first, second]
    assert killed[1:] in ([], [[second, first]])


@pytest.mark.clause("T.B12b", "T.B12k")
@pytest.mark.parametrize("face", range(1, 7))
def test_grapples_hold_and_are_cut_on_four_to_six(face: int) -> None:
    one, other = (
        ship("E1", heading=9_000, crew_halves=10),
        revenge("S1", y=250, heading=9_000, crew_halves=10),
    )
    # A tie of one die each, and a 2 of morale: the boarders are beaten off, and their grapples are not cut.
    grapple = play(face, *((1, 1, 1, 1, 2) if face >= 4 else ()),
                   orders={"E1": Orders(board=("S1",)), "S1": Orders(cut=False)})  # fmt: skip
    one.tons = 100
    made = battle(one, other)
    boarding.first_boards(made, grapple)
    done(grapple)
    assert one.grappled is (face >= 4)
    for link in list(made.grapples):
        made.unfasten(link)
    made.fasten(one, other)
    cut = play(face, orders={"E1": Orders(alongside="cut")})
    boarding.first_fights(made, cut)
    done(cut)
    assert one.grappled is (face < 4)


@pytest.mark.clause("T.B5")
@pytest.mark.parametrize("face", range(1, 7))
def test_a_mast_falls_on_one_to_three(face: int) -> None:
    one = ship(thresholds_met=1, thresholds_due=1)
    masts.fall(battle(one), play(face))
    assert (one.masts_lost, one.thresholds_due) == (int(face <= 3), 0)


@pytest.mark.clause("T.N3")
@pytest.mark.parametrize("face", range(1, 7))
def test_a_fire_is_put_out_on_five_and_six(face: int) -> None:
    one = ship(on_fire=True)
    burning.put_out(battle(one), play(face))
    assert one.on_fire is (face < 5)


@pytest.mark.clause("T.N2c")
@pytest.mark.parametrize(
    ("x", "y", "alight"), [(3_000, 0, True), (3_001, 0, False), (1_800, 2_400, True), (1_801, 2_400, False)]
)
def test_a_blast_reaches_three_inches(x: int, y: int, alight: bool) -> None:
    one, other = ship("E1"), ship("S1", x=x, y=y)
    burning.blow_up(battle(one, other), play(), one)
    assert other.on_fire is alight


@pytest.mark.clause("T.B11a")
@pytest.mark.parametrize(("x", "used"), [(16_000, {Arc.STARBOARD}), (16_001, set())])
def test_a_group_is_in_use_while_it_covers_an_enemy_within_the_reach_of_any_gun(
    x: int, used: set[Arc]
) -> None:
    one = ship("E1", batteries=batteries(1, 0, 0))
    assert damage.groups_in_use(battle(one, revenge("S1", x=x)), one) == used


@pytest.mark.clause("T.O4a", "T.O4")
@pytest.mark.parametrize(
    ("kind", "rows", "once"),
    [
        (Kind.GALLEASSE, True, True), (Kind.GALLEY, True, True), (Kind.AUXILIARY, True, False), (Kind.PINNACE, True, False),
        (Kind.GALLEON, False, False), (Kind.FRIGATE, False, False),
    ],
)  # fmt: skip
def test_some_vessels_have_oars_and_some_turn_only_once_under_sail(
    kind: Kind, rows: bool, once: bool
) -> None:
    one = ship(kind=kind, oar_speed=1, oar_turn=9_000)
    assert one.has_oars is rows
    assert turns(battle(one), one) == (4_500, 1 if once else 2)
    one.rig = Rig.OARS
    assert turns(battle(one), one) == (9_000, 2)
    one.oar_speed = 0
    assert not one.has_oars


@pytest.mark.clause("T.S4a", "T.O4k")
@pytest.mark.parametrize(
    ("kind", "gun", "halves", "ahead", "side"),
    [
        (Kind.GALLEON, Gun.LONG, 7, "1.5", "1"), (Kind.GALLEON, Gun.LONG, 8, "0", "2"), (Kind.GALLEON, Gun.LONG, 1, "0.5", "0"),
        (Kind.GALLEY, Gun.LONG, 8, "4", "0"), (Kind.GALLEY, Gun.SHORT, 4, "2", "0"), (Kind.PINNACE, Gun.SHORT, 5, "2.5", "0"),
        (Kind.GALLEASSE, Gun.MEDIUM, 16, "4", "2"), (Kind.GALLEASSE, Gun.MEDIUM, 8, "2", "1"),
        (Kind.GALLEASSE, Gun.MEDIUM, 12, "4", "1"), (Kind.GALLEASSE, Gun.MEDIUM, 14, "5", "1"),
        (Kind.GALLEASSE, Gun.SHORT, 16, "0", "4"), (Kind.GALLEON, Gun.MEDIUM, 16, "0", "4"),
    ],
)  # fmt: skip
def test_a_total_is_laid_out_by_type_of_ship(
    kind: Kind, gun: Gun, halves: int, ahead: str, side: str
) -> None:
    def sum_of(place: Arc) -> Any:
        return sum(Fraction(1, 2) if one.half else 1 for one in made if one.arc is place)

    made = laid_out(kind, {gun: halves})
    assert {one.gun for one in made} == {gun}
    assert sum_of(Arc.AHEAD) == Fraction(ahead)
    assert sum_of(Arc.PORT) == sum_of(Arc.STARBOARD) == Fraction(side)
    assert sum_of(Arc.ASTERN) == 0
    order = [Arc.PORT, Arc.STARBOARD, Arc.AHEAD]
    assert [one.arc for one in made] == sorted((one.arc for one in made), key=order.index)


@pytest.mark.clause("T.S5", "T.O4k")
def test_the_short_guns_of_a_galley_are_halves() -> None:
    assert [one.half for one in laid_out(Kind.GALLEY, {Gun.SHORT: 3})] == [True] * 3
    assert [one.half for one in laid_out(Kind.GALLEY, {Gun.LONG: 3})] == [False, True]
    assert by_type(card(facts("Spain", ship_type="galleass", year_served=1588))) == (8, 8, 0)


@pytest.mark.clause("T.S4", "T.S4c")
@pytest.mark.parametrize("of", list(Period))
def test_every_gun_of_the_registers_is_known_by_name(of: Period) -> None:
    pounders = ["1pdr", "9 pdr", "32-pounder", "42lb", "68pdr_carr"]
    assert [name for name in pounders if list(faults(read(f"2x{name}"), of))] == []
    small = "falcon falconet fowler base robinet port-piece swivel verso esmeril"
    great = "cannon whole-cannon demi-cannon culverin demi-culverin saker minion"
    older = " perier cannon-perier stone-gun" if of is Period.ARMADA else ""
    named = f"{small} {great}{older}".split()
    assert [name for name in named if list(faults(read(f"2x{name}"), of))] == []
    (told,) = faults(read("2xmusket;2x0pdr"), of)
    assert "“musket” or “0pdr”" in told


@pytest.mark.clause("T.S4")
@pytest.mark.parametrize(
    ("detail", "wrong"),
    [("28x32pdr", 0), ("28 x 32pdr ; 2x9pdr@ahead;", 0), ("", 0), ("many", 1), ("x32pdr", 1), ("2x9pdr@aloft", 1), ("2xmusket", 1)],
)  # fmt: skip
def test_a_list_of_guns_that_can_be_read_is_not_an_error(detail: str, wrong: int) -> None:
    assert len(card_faults(facts(guns=30, gun_detail=detail))) == wrong
