"""Ship cards derived from register entries. Rules: T.S1-T.S9, T.S26-T.S30, section 11, T.E36."""

from __future__ import annotations

import csv
import json
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from battles.engine.core.errors import SchemaError
from battles.engine.core.scenario import ShipFacts
from battles.engine.rulesets.thomas.card import Card, card, card_faults, explain
from battles.engine.rulesets.thomas.guns import Guns, Mount, batteries, grouping, laid_out, read
from battles.engine.rulesets.thomas.tables import Arc, Gun, Kind, Period

SHORT, MEDIUM, LONG = Gun.SHORT, Gun.MEDIUM, Gun.LONG
HALF = Fraction(1, 2)


def facts(nation: str = "England", **known: Any) -> ShipFacts:
    known.setdefault("built_by", nation)
    known["tags"] = tuple(known.get("tags", ()))
    return ShipFacts(nation=nation, **known)


def by_type(made: Card, place: Arc | None = None) -> tuple[Fraction, Fraction, Fraction]:
    return made.count(SHORT, place), made.count(MEDIUM, place), made.count(LONG, place)


SEVENTY_FOUR = facts(
    "Great Britain", guns=74, tons_burthen=1700, year_built=1795, gun_detail="28x32pdr;28x18pdr;18x9pdr"
)


@pytest.mark.clause("T.S2", "T.S4", "T.S4b", "T.S3", "T.S7", "T.S9", "T.S1")
def test_the_worked_seventy_four_comes_out_right() -> None:
    made = card(SEVENTY_FOUR)
    assert (made.kind, made.flot_max, made.crew_max) == (Kind.LINE, 85, 170)
    assert (made.speed, made.turn, made.masts, made.masts_to_dismast) == (6_000, 4_500, 3, 2)
    assert by_type(made, Arc.PORT) == by_type(made, Arc.STARBOARD) == (0, 0, 5)
    assert len(made.batteries) == 10
    assert made.length == pytest.approx(1_731, abs=1)
    assert made.estimated == {}


@pytest.mark.clause("T.S1")
def test_length_and_beam_can_be_those_of_the_draught() -> None:
    made = card(facts(guns=74, tons_burthen=1700, year_built=1795, overrides={"length": 1.7, "beam": 0.47}))
    assert (made.length, made.beam) == (1_700, 470)


@pytest.mark.clause("T.S4b", "T.S4e", "T.S3")
def test_the_worked_frigate_has_short_carronades() -> None:
    made = card(
        facts(guns=38, ship_type="frigate", tons_burthen=1000, year_built=1800,
              gun_detail="28x18pdr;8x32pdr_carr;2x9pdr")
    )  # fmt: skip
    assert (made.kind, made.flot_max, made.crew_max, made.speed, made.turn) == (
        Kind.FRIGATE,
        50,
        100,
        9_000,
        9_000,
    )
    assert by_type(made, Arc.PORT) == by_type(made, Arc.STARBOARD) == (1, 0, 2)


@pytest.mark.clause("T.S2")
@pytest.mark.parametrize(
    ("tons", "flot", "crew"),
    [(450, 23, 45), (875, 44, 88), (1000, 50, 100), (9, 1, 1), (1, 1, 1), (30, 2, 3)],
)
def test_flotation_and_crew_are_rounded_half_up_and_never_below_one(tons: int, flot: int, crew: int) -> None:
    made = card(facts(guns=4, tons_burthen=tons, year_built=1588, ship_type="galleon"))
    assert (made.flot_max, made.crew_max) == (flot, crew)


@pytest.mark.clause("T.S1")
@pytest.mark.parametrize(
    ("tons", "year", "length"), [(450, 1588, 996), (1700, 1800, 1_731), (1, 1588, 130), (1000, 1800, 1_450)]
)
def test_length_follows_the_cube_root_of_the_tons(tons: int, year: int, length: int) -> None:
    made = card(facts(guns=4, tons_burthen=tons, year_built=year))
    assert (made.length, made.beam) == (length, length // 4)


@pytest.mark.clause("T.S1", "T.O4", "T.S29", "T.O4k")
@pytest.mark.parametrize(
    ("ship_type", "figures", "ahead", "port"),
    [
        ("galleass", (800, 40, 80, 3_000, 5_000, 9_000, 1_600, 228), (0, 4, 0), (4, 2, 0)),
        ("galley", (200, 10, 20, 3_000, 6_000, 9_000, 1_400, 200), (1, 1, 0), (0, 0, 0)),
        ("auxiliary", (200, 10, 20, 5_000, 3_000, 4_500, 760, 190), (0, 0, 0), (0, 0, 2)),
        ("pinnace", (40, 2, 4, 7_500, 6_000, 13_500, 500, 125), (0, 0, HALF), (0, 0, 0)),
    ],
)
def test_oared_vessels_take_their_row_and_are_marked(
    ship_type: str, figures: tuple[int, ...], ahead: tuple[int, ...], port: tuple[int, ...]
) -> None:
    made = card(facts("Spain", ship_type=ship_type, year_served=1588))
    assert (
        made.tons, made.flot_max, made.crew_max, made.speed, made.oar_speed, made.oar_turn, made.length, made.beam
    ) == figures  # fmt: skip
    assert by_type(made, Arc.AHEAD) == ahead
    assert by_type(made, Arc.PORT) == by_type(made, Arc.STARBOARD) == port
    assert made.estimated["tons"] == made.estimated["flotation"] == made.estimated["batteries"] == "T.S29"
    assert not made.deep


@pytest.mark.clause("T.S5", "T.S4b")
def test_a_galley_carries_two_half_batteries_and_a_whole_one() -> None:
    made = card(facts("Spain", ship_type="galley", guns=5))
    assert sorted(made.batteries) == [
        Mount(MEDIUM, Arc.AHEAD),
        Mount(SHORT, Arc.AHEAD, half=True),
        Mount(SHORT, Arc.AHEAD, half=True),
    ]


@pytest.mark.clause("T.S4a", "T.S8")
@pytest.mark.parametrize(
    ("name", "nation", "year", "whole", "side", "figures"),
    [
        ("Hope", "England", 1559, (4, 4, 6), (2, 2, 3), (600, 30, 60, 5_000, 4_500)),
        ("Revenge", "England", 1577, (4, 0, 6), (2, 0, 3), (450, 23, 45, 8_000, 9_000)),
        ("White Bear", "England", 1564, (4, 8, 8), (2, 4, 4), (1000, 50, 100, 6_000, 4_500)),
        ("Prince Royal", "England", 1610, (2, 6, 12), (1, 3, 6), (1200, 60, 120, 6_000, 4_500)),
        ("James", "England", 1633, (2, 2, 12), (1, 1, 6), (875, 44, 88, 6_000, 4_500)),
        ("San Cristobal", "Spain", None, (6, 6, 2), (3, 3, 1), (700, 35, 70, 7_000, 4_500)),
        ("San Martin", "Portugal", None, (8, 8, 3), (4, 4, 1), (1000, 50, 100, 6_000, 4_500)),
    ],
)
def test_a_printed_ship_comes_out_as_printed(
    name: str,
    nation: str,
    year: int | None,
    whole: tuple[int, ...],
    side: tuple[int, ...],
    figures: tuple[int, ...],
) -> None:
    made = card(
        facts(nation, name=name, year_built=year, year_served=1588, ship_type="galleon", tons_burthen=1)
    )
    assert by_type(made) == whole
    assert by_type(made, Arc.PORT) == by_type(made, Arc.STARBOARD) == side
    assert (made.tons, made.flot_max, made.crew_max, made.speed, made.turn) == figures
    assert made.estimated.keys() <= {"guns"}


def test_a_later_ship_of_a_printed_name_has_her_own_card() -> None:
    made = card(facts("Great Britain", name="Revenge", year_built=1805, guns=74, tons_burthen=1954))
    assert made.flot_max == 98


@pytest.mark.clause("T.E36", "T.S26", "T.S27", "T.S28", "T.S29")
@pytest.mark.parametrize(
    ("entry", "side"),
    [
        (facts("Spain", guns=48, year_served=1588, tons_burthen=1000, ship_type="galleon"), (4, 4, 2)),
        (facts(guns=48, year_built=1559, tons_burthen=600, ship_type="galleon"), (2, 2, 3)),
        (facts(year_built=1565, tons_burthen=1000, ship_type="galleon"), (3, 3, 4)),
        (facts("Great Britain", guns=74, year_built=1795, tons_burthen=1700), (0, 0, 5)),
        (facts("France", guns=74, year_built=1795, tons_burthen=1700), (0, 0, 6)),
        (facts("France", guns=40, year_built=1795, ship_type="frigate"), (0, 0, 2)),
        (facts(year_served=1588, tons_burthen=200, ship_type="merchant"), (0, 0, HALF)),
    ],
    ids=["San Martin", "Hope", "White Bear", "British 74", "French 74", "French frigate", "merchantman"],
)
def test_ships_without_calibres_have_batteries(entry: ShipFacts, side: tuple[Any, ...]) -> None:
    made = card(entry)
    assert by_type(made, Arc.PORT) == by_type(made, Arc.STARBOARD) == side
    assert made.estimated["batteries"] == ("T.S26" if entry.guns is not None else "T.S27")


@pytest.mark.clause("T.E36", "T.S28", "T.S29", "T.S27")
def test_missing_tons_and_guns_are_estimated_and_marked() -> None:
    frigate = card(facts("France", guns=40, year_built=1795, ship_type="frigate"))
    assert frigate.tons == 1_040
    assert {frigate.estimated[name] for name in ("tons", "flotation", "crew", "length")} == {"T.S28"}
    bear = card(facts(year_built=1565, tons_burthen=1000, ship_type="galleon"))
    assert (bear.guns, bear.estimated["guns"]) == (67, "T.S27")
    assert card(facts(year_served=1588, tons_burthen=200, ship_type="merchant")).guns == 5


@pytest.mark.clause("T.S28")
@pytest.mark.parametrize(
    ("entry", "tons", "guns"),
    [
        (facts(guns=30, year_served=1588, ship_type="galleon"), 390, 30),
        (facts("Spain", guns=30, year_served=1588, ship_type="galleon"), 630, 30),
        (facts(guns=52, year_built=1650), 620, 52),
        (facts(guns=74, year_built=1795), 1_700, 74),
        (facts(guns=50, year_built=1795), 1_150, 50),
        (facts(guns=18, year_built=1795, ship_type="sloop"), 380, 18),
        (facts(crew=30, year_built=1588, ship_type="merchant"), 300, 8),
        (facts(guns=10, year_built=1588, ship_type="transport"), 400, 10),
        (facts(crew=150, year_built=1588, ship_type="galleon"), 300, 20),
        (facts(crew=220, year_built=1650), 480, 40),
        (facts(crew=600, year_built=1800), 1_730, 75),
    ],
)
def test_tons_are_estimated_from_guns_or_men(entry: ShipFacts, tons: int, guns: int) -> None:
    made = card(entry)
    assert (made.tons, made.guns) == (tons, guns)


@pytest.mark.clause("T.E36", "T.S30")
def test_a_completely_unknown_ship_has_no_card() -> None:
    nothing = facts(ship_type="fireship", year_served=1666)
    assert [text for _, text in card_faults(nothing)] == [
        "neither tons, guns nor men are known, so no card can be made (T.S30)"
    ]
    with pytest.raises(ValueError, match=r"T\.S30"):
        card(nothing)
    assert card(facts(ship_type="fireship", year_served=1666, overrides={"tons": 100})).flot_max == 5
    assert card(facts(ship_type="fireship", crew=30, year_served=1666)).tons == 300


@pytest.mark.clause("T.S2")
@pytest.mark.parametrize(("men", "crew"), [(None, 5), (60, 15), (4, 3), (800, 20)])
def test_merchantmen_are_thinly_manned(men: int | None, crew: int) -> None:
    made = card(facts(tons_burthen=200, guns=10, crew=men, year_built=1588, ship_type="merchant"))
    assert made.crew_max == crew


@pytest.mark.clause("T.S7", "T.S9")
@pytest.mark.parametrize(
    ("entry", "speed", "turn"),
    [
        (facts(guns=64, year_built=1780, tons_burthen=1400), 6_000, 4_500),
        (facts(guns=50, year_built=1780, tons_burthen=1000), 6_750, 4_500),
        (facts(guns=28, year_built=1780, tons_burthen=600, ship_type="frigate"), 9_000, 9_000),
        (facts(guns=18, year_built=1780, tons_burthen=400, ship_type="sloop"), 8_250, 9_000),
        (facts(guns=10, year_built=1780, tons_burthen=120, ship_type="cutter"), 9_000, 9_000),
        (facts(guns=8, year_built=1780, tons_burthen=300, ship_type="bomb"), 4_500, 4_500),
        (facts(guns=8, year_built=1780, tons_burthen=300, ship_type="merchant"), 4_500, 4_500),
        (facts(guns=30, year_built=1780, tons_burthen=800, ship_type="merchant", tags=("East Indiaman",)), 5_250, 4_500),
        (facts(guns=70, year_built=1660, tons_burthen=1100), 6_000, 4_500),
        (facts(guns=40, year_built=1559, tons_burthen=600, ship_type="great_ship"), 5_000, 4_500),
        (facts(guns=40, year_built=1577, tons_burthen=500, ship_type="galleon"), 8_000, 9_000),
        (facts(guns=40, year_built=1588, tons_burthen=900, ship_type="galleon"), 6_000, 4_500),
        (facts("Spain", guns=30, year_served=1588, tons_burthen=500, ship_type="galleon"), 7_000, 4_500),
        (facts("Spain", guns=30, year_served=1588, tons_burthen=500, ship_type="transport", tags=("hulk",)), 4_000, 4_500),
        (facts(guns=64, year_built=1780, tons_burthen=1400, speed_knots=9), 6_750, 4_500),
        (facts(guns=64, year_built=1780, tons_burthen=1400, overrides={"speed": 5.5, "turn": 60}), 5_500, 6_000),
    ],
)  # fmt: skip
def test_speed_and_turn_follow_the_type_unless_the_register_knows_better(
    entry: ShipFacts, speed: int, turn: int
) -> None:
    made = card(entry)
    assert (made.speed, made.turn) == (speed, turn)


@pytest.mark.clause("T.B5d")
def test_a_cutter_has_one_mast_and_is_dismasted_by_its_loss() -> None:
    cutter = card(facts(guns=10, year_built=1780, tons_burthen=120, ship_type="cutter"))
    brig = card(facts(guns=18, year_built=1780, tons_burthen=300, ship_type="brig"))
    assert (cutter.masts, cutter.masts_to_dismast, brig.masts, brig.masts_to_dismast) == (1, 1, 2, 2)


@pytest.mark.clause("T.C33")
@pytest.mark.parametrize(
    ("entry", "deep"),
    [
        (facts(guns=30, tons_burthen=400, year_built=1700), True),
        (facts(guns=29, tons_burthen=400, year_built=1700), False),
        (facts(guns=74, tons_burthen=400, year_built=1700, built_by="Dutch Republic"), False),
        (facts(guns=74, tons_burthen=400, year_built=1700, built_by="Sweden"), False),
        (facts("Spain", guns=50, ship_type="galleass"), False),
    ],
)
def test_some_ships_are_too_deep_for_shoals(entry: ShipFacts, deep: bool) -> None:
    assert card(entry).deep is deep


@pytest.mark.clause("T.S4", "T.S4c", "T.S4d", "T.S4e", "T.S3", "T.S24")
@pytest.mark.parametrize(
    ("calibre", "period", "guns", "made", "gun"),
    [
        ("whole cannon", Period.ARMADA, 1, 2, SHORT),
        ("cannon_perier", Period.ARMADA, 1, 1, SHORT),
        ("demi-cannon", Period.ARMADA, 1, 1, MEDIUM),
        ("culverin", Period.ARMADA, 2, 1, LONG),
        ("demi-culverin", Period.ARMADA, 4, 1, LONG),
        ("saker", Period.ARMADA, 7, 1, LONG),
        ("minion", Period.ARMADA, 9, 1, LONG),
        ("6pdr", Period.NELSON, 25, 1, LONG),
        ("9pdr", Period.NELSON, 18, 1, LONG),
        ("12pdr", Period.NELSON, 12, 1, LONG),
        ("18pdr", Period.NELSON, 9, 1, LONG),
        ("24-pdr", Period.NELSON, 6, 1, LONG),
        ("30pdr", Period.NELSON, 5, 1, LONG),
        ("36pdr", Period.NELSON, 4, 1, LONG),
        ("42pdr", Period.NELSON, 3, 1, LONG),
        ("8pdr", Period.NELSON, 19, 1, LONG),
        ("4pdr", Period.NELSON, 38, 1, LONG),
        ("400pdr", Period.NELSON, 1, 1, LONG),
        ("68pdr_carr", Period.NELSON, 2, 1, SHORT),
        ("32pdr_carr", Period.NELSON, 5, 1, SHORT),
        ("culverin", Period.NELSON, 9, 1, LONG),
        ("32pdr", Period.ARMADA, 1, 1, MEDIUM),
        ("18pdr", Period.ARMADA, 2, 1, LONG),
        ("42pdr", Period.ARMADA, 1, 2, SHORT),
    ],
)
def test_the_right_number_of_guns_makes_a_battery(
    calibre: str, period: Period, guns: int, made: int, gun: Gun
) -> None:
    assert grouping(calibre, period) == (guns, made, gun)


@pytest.mark.clause("T.S4c")
def test_smaller_pieces_do_not_count_and_unknown_ones_are_errors() -> None:
    assert grouping("falconet", Period.ARMADA) is None
    assert grouping("3pdr", Period.ARMADA) is None
    with pytest.raises(ValueError, match="no gun of the calibre “catapult”"):
        grouping("catapult", Period.ARMADA)


@pytest.mark.clause("T.S4b")
@pytest.mark.parametrize(
    ("guns", "whole", "halves"),
    [(4, 0, 0), (5, 0, 1), (14, 0, 1), (15, 1, 0), (29, 1, 0), (30, 2, 0), (20, 1, 0), (50, 3, 0)],
)
def test_fractions_of_a_battery_are_rounded(guns: int, whole: int, halves: int) -> None:
    made = batteries([Guns("12pdr", Fraction(guns * 12, 10))], Period.NELSON)
    port = [one for one in made if one.arc is Arc.PORT]
    assert (sum(not one.half for one in port), sum(one.half for one in port)) == (whole, halves)


@pytest.mark.clause("T.S4a", "T.S4b", "T.S3")
def test_chase_guns_keep_their_place_and_are_long() -> None:
    made = batteries(read("28x32pdr;14x9pdr@ahead; 9x9pdr@astern"), Period.NELSON)
    assert [one for one in made if one.arc is Arc.AHEAD] == [Mount(LONG, Arc.AHEAD)]
    assert [one for one in made if one.arc is Arc.ASTERN] == [Mount(LONG, Arc.ASTERN, half=True)]
    assert sum(one.arc is Arc.PORT for one in made) == 3


@pytest.mark.clause("T.S4a")
def test_an_odd_battery_is_placed_ahead() -> None:
    made = laid_out(Kind.GALLEON, {LONG: 6})
    assert Counter(one.arc for one in made) == {Arc.PORT: 1, Arc.STARBOARD: 1, Arc.AHEAD: 1}


@pytest.mark.clause("T.S4", "T.S7", "T.S8", "T.S4a")
def test_all_errors_in_an_entry_are_reported_at_once() -> None:
    wrong = facts(
        guns=40, tons_burthen=500, speed_knots=0, gun_detail="28x32pdr;2xballista",
        overrides={"speed": 0, "wings": 2, "batteries": {"port": {"long": 3}, "starboard": {"long": 2}}},
    )  # fmt: skip
    found = dict(card_faults(wrong))
    assert set(found) == {
        "speed_knots", "gun_detail", "overrides.speed", "overrides.wings", "overrides.batteries"
    }  # fmt: skip
    assert "ballista" in found["gun_detail"]
    assert dict(card_faults(facts(guns=4, gun_detail="many"))) == {
        "gun_detail": "guns not readable: many; written NUMBERxCALIBRE, as 28x32pdr or 4xdemi-cannon"
    }


@pytest.mark.clause("T.S8", "T.S29")
def test_every_figure_can_be_set_by_hand_and_is_then_not_an_estimate() -> None:
    made = card(
        facts(
            ship_type="galleon", crew=100, year_served=1588,
            overrides={
                "tons": 400, "guns": 32, "flotation": 21, "crew": 44, "speed": 7.5, "turn": 60, "masts": 1, "length": 1.1,
                "beam": 0.3, "deep": False, "batteries": {"port": {"long": 1.5}, "starboard": {"long": 1.5}},
            },
        )
    )  # fmt: skip
    assert (made.tons, made.guns, made.flot_max, made.crew_max) == (400, 32, 21, 44)
    assert (made.speed, made.turn, made.length, made.beam) == (7_500, 6_000, 1_100, 300)
    assert (made.masts, made.masts_to_dismast, made.deep) == (1, 1, False)
    assert by_type(made, Arc.PORT) == (0, 0, Fraction(3, 2))
    assert made.estimated == {}


def test_a_card_survives_json_and_another_schema_is_refused() -> None:
    made = card(facts("Spain", ship_type="galleass"))
    assert Card.from_dict(json.loads(json.dumps(made.to_dict()))) == made
    with pytest.raises(SchemaError, match="schema 9"):
        Card.from_dict({**made.to_dict(), "schema": 9})


def test_every_figure_of_a_card_is_explained() -> None:
    told = {name for name, _, _ in explain(SEVENTY_FOUR)}
    assert told >= {"kind", "flotation", "crew", "batteries", "speed", "turn", "length", "masts"}


REGISTERS = Path(__file__).resolve().parents[3] / "fleets" / "data" / "registers"


@pytest.mark.clause("T.S26", "T.S30")
def test_most_ships_of_1805_get_the_batteries_of_their_calibres_from_their_total() -> None:
    files = sorted(REGISTERS.glob("*1805*.csv"))
    if not files:
        pytest.fail(f"no register of 1805 under {REGISTERS}")
    off = []
    for row in csv.DictReader(files[0].read_text().splitlines()):
        if not row["gun_detail"]:
            continue
        known = facts(
            row["nation"], ship_type=row["ship_type"], guns=int(row["guns"]), tons_burthen=int(row["tons_burthen"] or 1700),
            year_built=int(row["year_built"]), gun_detail=row["gun_detail"],
        )  # fmt: skip
        listed = card(known).count(LONG)
        guessed = card(facts(known.nation, ship_type=known.ship_type, guns=known.guns, tons_burthen=known.tons_burthen,
                             year_built=known.year_built)).count(LONG)  # fmt: skip
        off.append(abs(guessed - listed))
    assert (len(off), sum(one == 0 for one in off)) == (39, 32)
    assert max(off) <= 2
