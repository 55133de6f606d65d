"""What a card says where the register is silent, threshold by threshold. Rules: section 11, T.S1, T.S2, T.S7, T.S9, T.S24-T.S30."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from battles.engine.core.scenario import ShipFacts
from battles.engine.rulesets.thomas.card import batteries_text, card, card_faults, explain
from battles.engine.rulesets.thomas.guns import Guns, Mount, batteries, by_tons, of_total, race_built, read
from battles.engine.rulesets.thomas.handling import oars
from battles.engine.rulesets.thomas.tables import Arc, Gun, Kind, Period
from tests.engine.thomas.test_card import facts

SHORT, MEDIUM, LONG = Gun.SHORT, Gun.MEDIUM, Gun.LONG


def of(**known: Any) -> ShipFacts:
    return facts(**{"tons_burthen": 600, "guns": 40, "year_built": 1780, **known})


@pytest.mark.clause("T.S8", "T.N4", "T.N4a", "T.N4b")
@pytest.mark.parametrize(
    ("known", "kind"),
    [
        ({"guns": 64}, Kind.LINE), ({"guns": 63}, Kind.FIFTY), ({"guns": 50}, Kind.FIFTY), ({"guns": 49}, Kind.FRIGATE),
        ({"guns": 20}, Kind.FRIGATE), ({"guns": 19}, Kind.SMALL), ({"guns": 64, "year_built": 1600}, Kind.LINE),
        ({"guns": 64, "year_built": 1599}, Kind.GALLEON), ({"ship_type": "merchant"}, Kind.MERCHANT),
        ({"ship_type": "transport"}, Kind.MERCHANT), ({"ship_type": "great_ship"}, Kind.GALLEON),
        ({"ship_type": "great ship"}, Kind.GALLEON), ({"ship_type": "Great-Ship"}, Kind.GALLEON),
        ({"ship_type": "carrack"}, Kind.GALLEON), ({"ship_type": "galleon"}, Kind.GALLEON),
        ({"ship_type": "galleass"}, Kind.GALLEASSE), ({"ship_type": "galleasse"}, Kind.GALLEASSE),
        ({"ship_type": "galley"}, Kind.GALLEY), ({"ship_type": "pinnace"}, Kind.PINNACE),
        ({"ship_type": "auxiliary"}, Kind.AUXILIARY), ({"tags": ("auxiliary oars",)}, Kind.AUXILIARY),
        ({"tags": ("galley",)}, Kind.GALLEY), ({"ship_type": "hulk"}, Kind.SMALL), ({"ship_type": "fireship"}, Kind.SMALL),
        ({"ship_type": "storeship"}, Kind.SMALL), *(
            ({"ship_type": name}, Kind.SMALL)
            for name in ("sloop", "brig", "corvette", "cutter", "schooner", "lugger", "yacht", "bomb")
        ),
    ],
    ids=str,
)  # fmt: skip
def test_her_sort_follows_her_type_or_else_her_rated_guns(known: dict[str, Any], kind: Kind) -> None:
    assert card(of(**known)).kind is kind


@pytest.mark.clause("T.S27", "T.S8")
@pytest.mark.parametrize(
    ("ship_type", "tons", "guns", "kind"),
    [("ship_of_line", 1_702, 74, Kind.LINE), ("frigate", 1_000, 38, Kind.FRIGATE), ("schooner", 210, 10, Kind.SMALL),
     ("ship_of_line", 1_000, 43, Kind.FRIGATE), ("ship_of_line", 1_200, 52, Kind.FIFTY), ("other", 210, 10, Kind.SMALL)],
)  # fmt: skip
def test_guns_are_guessed_by_her_type_and_then_rate_her(
    ship_type: str, tons: int, guns: int, kind: Kind
) -> None:
    made = card(of(ship_type=ship_type, tons_burthen=tons, guns=None))
    assert (made.guns, made.kind, made.estimated["guns"], made.estimated["batteries"]) == (
        guns, kind, "T.S27", "T.S27"
    )  # fmt: skip


@pytest.mark.clause("T.S27")
@pytest.mark.parametrize(
    ("tons", "kind", "merchant", "year", "guns"),
    [
        (607, Kind.GALLEON, False, 1699, 40), (608, Kind.GALLEON, False, 1699, 41), (157, Kind.SMALL, False, 1700, 7),
        (158, Kind.SMALL, False, 1700, 8), (103, Kind.LINE, False, 1700, 4), (104, Kind.LINE, False, 1700, 5),
        (103, Kind.FIFTY, False, 1700, 4), (104, Kind.FIFTY, False, 1700, 5), (116, Kind.FRIGATE, False, 1700, 4),
        (117, Kind.FRIGATE, False, 1700, 5), (59, Kind.MERCHANT, True, 1588, 1), (60, Kind.MERCHANT, True, 1800, 2),
        (19, Kind.MERCHANT, True, 1800, 0), (20, Kind.MERCHANT, True, 1800, 1),
    ],
)  # fmt: skip
def test_tons_per_gun_are_rounded_half_up(
    tons: int, kind: Kind, merchant: bool, year: int, guns: int
) -> None:
    assert by_tons(tons, kind=kind, merchant=merchant, year=year) == guns


@pytest.mark.clause("T.S28")
@pytest.mark.parametrize(
    ("known", "tons"),
    [
        ({"guns": 10, "year_built": 1599}, 130), ({"guns": 10, "year_built": 1600}, 120), ({"guns": 10, "year_built": 1699}, 120),
        ({"guns": 10, "year_built": 1700}, 210), ({"guns": 20, "year_built": 1700}, 520), ({"guns": 50, "year_built": 1700}, 1_150),
        ({"guns": 64, "year_built": 1700}, 1_470), ({"nation": "Venice", "guns": 10, "year_built": 1599}, 210),
        ({"nation": "Venice", "guns": 10, "year_built": 1600}, 120), ({"guns": 10, "ship_type": "merchant"}, 400),
        ({"guns": 10, "ship_type": "merchant", "crew": 33}, 330), ({"guns": 10, "ship_type": "hulk"}, 400),
        ({"guns": 10, "ship_type": "storeship"}, 400), ({"guns": 10, "ship_type": "transport"}, 400),
        ({"guns": 1, "ship_type": "fireship", "crew": 0}, 10), ({"guns": 5, "year_built": 1590}, 70),
        ({"guns": 1, "ship_type": "merchant", "crew": 1}, 10),
    ],
    ids=str,
)  # fmt: skip
def test_tons_come_from_guns_or_a_merchantmans_men_to_the_nearest_ten(
    known: dict[str, Any], tons: int
) -> None:
    made = card(of(tons_burthen=None, **known))
    assert made.tons == tons
    assert {made.estimated[name] for name in ("tons", "flotation", "crew", "length")} == {"T.S28"}
    assert "guns" not in made.estimated


@pytest.mark.clause("T.S28", "T.S27")
@pytest.mark.parametrize(
    ("known", "tons", "guns"),
    [
        ({"crew": 150, "year_built": 1599}, 300, 20), ({"crew": 1, "year_built": 1599}, 2, 0),
        ({"crew": 55, "year_built": 1600}, 120, 10), ({"crew": 57, "year_built": 1699}, 120, 10),
        ({"crew": 58, "year_built": 1699}, 130, 11), ({"crew": 83, "year_built": 1700}, 210, 10),
        ({"crew": 84, "year_built": 1700}, 230, 11), ({"crew": 1, "year_built": 1700}, 20, 1),
        ({"crew": 160, "year_built": 1700}, 520, 20), ({"crew": 120, "ship_type": "merchant"}, 1_200, 30),
    ],
    ids=str,
)  # fmt: skip
def test_a_ship_of_which_only_the_men_are_known_gets_tons_and_guns(
    known: dict[str, Any], tons: int, guns: int
) -> None:
    made = card(of(**{"tons_burthen": None, "guns": None, **known}))
    assert (made.tons, made.guns) == (tons, guns)
    by_age = known.get("year_built", 1780) >= 1600 and "ship_type" not in known
    assert made.estimated["guns"] == ("T.S28" if by_age else "T.S27")
    assert made.estimated["tons"] == "T.S28"


@pytest.mark.clause("T.S28", "T.S30")
def test_a_ship_known_by_a_figure_set_by_hand_alone_counts_as_having_no_men() -> None:
    made = card_faults(bare := facts(year_built=1588, overrides={"guns": 0})) or card(bare)
    assert (getattr(made, "tons", made), getattr(made, "guns", made)) == (1, 0)
    trader = card(facts(year_built=1588, ship_type="merchant", overrides={"guns": 0}))
    assert (trader.tons, trader.guns) == (10, 0), "nothing is known of her men either"


@pytest.mark.clause("T.S30")
@pytest.mark.parametrize(
    ("known", "enough"),
    [
        ({}, False), ({"guns": 0, "crew": 0, "tons_burthen": 0}, False), ({"guns": 1}, True), ({"crew": 1}, True),
        ({"tons_burthen": 1}, True), ({"gun_detail": "2x9pdr"}, True), ({"overrides": {"tons": 5}}, True),
        ({"overrides": {"guns": 5}}, True), ({"overrides": {"crew": 5}}, False), ({"ship_type": "galley"}, True),
        ({"name": "Hope", "year_built": 1559}, True),
    ],
    ids=str,
)  # fmt: skip
def test_some_facts_are_enough_to_make_a_card(known: dict[str, Any], enough: bool) -> None:
    assert (card_faults(facts(year_served=1580, **known)) == ()) is enough


@pytest.mark.clause("T.S24")
@pytest.mark.parametrize(
    ("known", "year"),
    [
        ({"year_built": 1650, "year_served": 1666}, 1650), ({"year_served": 1666}, 1666), ({}, 1800),
        ({"ship_type": "galleon"}, 1588), ({"ship_type": "galleasse"}, 1588), ({"ship_type": "galley"}, 1588),
        ({"ship_type": "pinnace"}, 1588), ({"ship_type": "auxiliary"}, 1588), ({"ship_type": "carrack"}, 1588),
        ({"ship_type": "merchant"}, 1800), ({"ship_type": "frigate"}, 1800),
    ],
    ids=str,
)  # fmt: skip
def test_her_own_year_counts_or_that_of_the_best_known_war_of_her_type(
    known: dict[str, Any], year: int
) -> None:
    assert card(facts(guns=10, tons_burthen=100, **known)).year == year


@pytest.mark.clause("T.S8")
@pytest.mark.parametrize(
    ("name", "nation", "built", "met", "printed"),
    [
        ("Hope", "England", 1554, None, True), ("Hope", "England", 1553, None, False), ("hope", "Great Britain", 1564, None, True),
        ("Hope", "England", 1565, None, False), ("Hope", "Spain", 1559, None, False), ("Hope", "England", None, 1559, True),
        ("Hope", "England", None, 1558, False), ("Hope", "England", None, 1619, True), ("Hope", "England", None, 1620, False),
        ("Hope", "England", None, None, False), ("San Martin", "Portuguese", 1588, None, True),
        ("San Martin", "Spanish", 1588, None, True), ("San Martin", "Spain", 1593, None, True),
        ("San Martin", "Portugal", 1594, None, False), ("San Martin", "England", 1588, None, False),
        ("Revenge", "English", 1572, None, True), ("Revenge", "English", 1583, None, False),
        ("White Bear", "English", 1570, None, True), ("White Bear", "English", 1559, None, False),
        ("Prince Royal", "English", 1615, None, True), ("Prince Royal", "English", 1604, None, False),
        ("James", "English", 1638, None, True), ("James", "English", 1627, None, False),
        ("San Cristobal", "Portugal", 1593, None, True), ("San Cristobal", "Portugal", 1582, None, False),
        ("Victory", "England", 1588, None, False),
    ],
)  # fmt: skip
def test_a_printed_ship_is_found_by_name_flag_and_time(
    name: str, nation: str, built: int | None, met: int | None, printed: bool
) -> None:
    made = card(facts(nation, name=name, year_built=built, year_served=met, guns=10, tons_burthen=40))
    assert (made.tons != 40) is printed
    assert ("batteries" in made.estimated) is not printed


@pytest.mark.clause("T.S7", "T.S9", "T.S1", "T.S26")
@pytest.mark.parametrize(
    ("known", "speed", "turn"),
    [
        ({"ship_type": "carrack"}, 4_000, 4_500), ({"tags": ("hulk",)}, 4_000, 4_500), ({"ship_type": "merchant"}, 4_500, 4_500),
        ({"ship_type": "merchant", "tags": ("indiaman",)}, 5_250, 4_500),
        ({"ship_type": "merchant", "tags": ("east-indiaman",)}, 5_250, 4_500),
        ({"ship_type": "bomb"}, 4_500, 4_500), ({"ship_type": "fireship"}, 4_500, 4_500), ({"ship_type": "storeship"}, 4_500, 4_500),
        ({"ship_type": "cutter"}, 9_000, 9_000), ({"ship_type": "schooner"}, 9_000, 9_000), ({"ship_type": "lugger"}, 9_000, 9_000),
        ({"ship_type": "sloop"}, 8_250, 9_000), ({"ship_type": "brig"}, 8_250, 9_000), ({"ship_type": "corvette"}, 8_250, 9_000),
        ({"ship_type": "yacht"}, 8_250, 9_000), ({"guns": 64, "year_built": 1700}, 6_000, 4_500),
        ({"guns": 63, "year_built": 1700}, 6_750, 4_500), ({"guns": 49, "year_built": 1700}, 9_000, 9_000),
        ({"guns": 19, "year_built": 1700}, 8_250, 9_000), ({"ship_type": "galleon", "year_built": 1700}, 7_000, 4_500),
        ({"guns": 30, "year_built": 1699}, 6_000, 4_500), ({"guns": 30, "year_built": 1600}, 6_000, 4_500),
        ({"year_built": 1599, "tons_burthen": 500}, 8_000, 9_000), ({"year_built": 1599, "tons_burthen": 501}, 7_000, 4_500),
        ({"year_built": 1570, "tons_burthen": 500}, 8_000, 9_000), ({"year_built": 1569, "tons_burthen": 500}, 7_000, 4_500),
        ({"ship_type": "great_ship", "year_built": 1569, "tons_burthen": 900}, 5_000, 4_500),
        ({"ship_type": "great_ship", "year_built": 1570, "tons_burthen": 900}, 6_000, 4_500),
        ({"nation": "Spain", "year_built": 1588, "tons_burthen": 500}, 7_000, 4_500),
        ({"year_built": 1588, "tons_burthen": 800}, 7_000, 4_500), ({"year_built": 1588, "tons_burthen": 801}, 6_000, 4_500),
        ({"speed_knots": 0.0001}, 1, 9_000), ({"speed_knots": 7.5}, 5_625, 9_000), ({"speed_knots": 0.002}, 2, 9_000),
    ],
    ids=str,
)  # fmt: skip
def test_every_type_and_time_has_its_speed_and_turn(known: dict[str, Any], speed: int, turn: int) -> None:
    made = card(of(**known))
    assert (made.speed, made.turn) == (speed, turn)


@pytest.mark.clause("T.S26")
@pytest.mark.parametrize(
    ("nation", "kind", "year", "tons", "race"),
    [
        ("England", Kind.GALLEON, 1570, 500, True), ("England", Kind.GALLEON, 1569, 500, False),
        ("England", Kind.GALLEON, 1599, 500, True), ("England", Kind.GALLEON, 1600, 500, False),
        ("England", Kind.GALLEON, 1588, 501, False), ("Spain", Kind.GALLEON, 1588, 400, False),
        ("England", Kind.MERCHANT, 1588, 400, False),
    ],
)  # fmt: skip
def test_english_galleons_of_the_new_build_are_recognised(
    nation: str, kind: Kind, year: int, tons: int, race: bool
) -> None:
    assert race_built(nation, kind, year, tons) is race


def shares(
    total: int, year: int, nation: str = "England", kind: Kind = Kind.GALLEON, **over: Any
) -> dict[str, Fraction]:
    told = {"merchant": False, "tons": 900, **over}
    return {
        one.calibre: one.number / total
        for one in of_total(total, kind=kind, nation=nation, year=year, **told)
    }


def parts(**named: str) -> dict[str, Fraction]:
    return {name.removeprefix("_"): Fraction(value) for name, value in named.items()}


NORTH = parts(perier="1/12", demicannon="1/12", culverin="1/6", demiculverin="1/6")
SOUTH = parts(perier="1/6", demicannon="1/6", demiculverin="1/4")
RACE = parts(perier="1/12", saker="1/12", culverin="1/6", demiculverin="1/6")
RATED = parts(perier="1/20", demicannon="1/10", culverin="1/5", demiculverin="1/5", saker="9/20")


@pytest.mark.clause("T.S26")
def test_a_total_of_batteries_is_made_from_the_guns() -> None:
    assert shares(48, 1599) == NORTH
    assert shares(48, 1599, "Spain") == SOUTH
    assert shares(48, 1588, tons=500) == RACE
    assert shares(48, 1600) == shares(48, 1699, "Spain", Kind.LINE) == RATED
    assert (
        shares(64, 1700, kind=Kind.LINE)
        == shares(50, 1700, kind=Kind.FIFTY)
        == parts(_24pdr="2/5", _18pdr="3/5")
    )
    assert shares(65, 1700, kind=Kind.LINE) == parts(_32pdr="2/5", _18pdr="3/5")
    assert shares(65, 1700, "France", Kind.LINE) == parts(_36pdr="2/5", _18pdr="3/5")
    assert shares(36, 1700, kind=Kind.FRIGATE) == parts(_18pdr="1")
    assert shares(35, 1700, kind=Kind.FRIGATE) == parts(_12pdr="1")
    assert shares(20, 1700, kind=Kind.SMALL) == parts(_9pdr="1")
    assert shares(19, 1700, kind=Kind.SMALL) == parts(_6pdr="1")
    for kind in (Kind.LINE, Kind.FIFTY, Kind.FRIGATE):
        assert shares(64, 1700, kind=kind, merchant=True) == parts(_9pdr="1")


@pytest.mark.clause("T.S4a", "T.S4b")
def test_guns_are_read_with_their_positions_and_spaces() -> None:
    assert read("28x32pdr; 2 x 9pdr @ Ahead ;4XDemi-Cannon@broadside;;1x68pdr_carr@astern") == (
        Guns("32pdr", Fraction(28)), Guns("9pdr", Fraction(2), "ahead"), Guns("demi-cannon", Fraction(4)),
        Guns("68pdr_carr", Fraction(1), "astern"),
    )  # fmt: skip
    with pytest.raises(ValueError, match=r"guns not readable: x9pdr, 4-9pdr; written"):
        read("28x32pdr; x9pdr;4-9pdr")


@pytest.mark.clause("T.S4b")
@pytest.mark.parametrize(
    ("guns", "mounts"),
    [
        ("1/4", [True]),
        ("6/25", []),
        ("74/100", [True]),
        ("3/4", [False]),
        ("149/100", [False]),
        ("3/2", [False, False]),
    ],
)
def test_a_share_of_a_battery_becomes_nothing_or_a_half_or_whole_batteries(
    guns: str, mounts: list[bool]
) -> None:
    made = batteries([Guns("perier", Fraction(guns), "ahead")], Period.ARMADA)
    assert made == tuple(Mount(SHORT, Arc.AHEAD, half=half) for half in mounts)


@pytest.mark.clause("T.S4b", "T.S4a")
def test_shares_of_one_type_are_added_across_the_calibres_and_rounded_once() -> None:
    made = batteries(
        read("2xculverin;2xdemi-culverin;1xfalconet;2xwhole cannon;1xsaker@astern"), Period.ARMADA
    )
    side = {place: [(one.gun, one.half) for one in made if one.arc is place] for place in Arc}
    assert side[Arc.PORT] == side[Arc.STARBOARD] == [(SHORT, False), (SHORT, False), (LONG, False)]
    assert side[Arc.AHEAD] == side[Arc.ASTERN] == []
    assert [one.arc for one in made] == [Arc.PORT] * 3 + [Arc.STARBOARD] * 3


@pytest.mark.clause("T.S5")
def test_batteries_are_listed_group_by_group() -> None:
    mounts = (
        Mount(LONG, Arc.PORT), Mount(LONG, Arc.PORT), Mount(LONG, Arc.PORT, half=True), Mount(SHORT, Arc.AHEAD, half=True),
        Mount(MEDIUM, Arc.ASTERN),
    )  # fmt: skip
    assert batteries_text(mounts) == "port 2½ long, ahead ½ short, astern 1 medium."
    assert batteries_text(()) == "No batteries."


@pytest.mark.clause("T.S1")
@pytest.mark.parametrize(
    ("known", "length", "beam"),
    [
        ({"tons_burthen": 1_000, "year_built": 1699}, 1_300, 325), ({"tons_burthen": 1_000, "year_built": 1700}, 1_450, 362),
        ({"tons_burthen": 8, "year_built": 1699}, 260, 65), ({"tons_burthen": 2, "year_built": 1588}, 164, 41),
        ({"tons_burthen": 100, "year_built": 1800}, 673, 168), ({"tons_burthen": 729, "year_built": 1800}, 1_305, 326),
        ({"ship_type": "galley"}, 1_400, 200), ({"ship_type": "galleasse"}, 1_600, 228), ({"ship_type": "pinnace"}, 500, 125),
    ],
    ids=str,
)  # fmt: skip
def test_the_models_length_follows_the_cube_root_of_her_tons_or_her_type(
    known: dict[str, Any], length: int, beam: int
) -> None:
    made = card(of(**known))
    assert (made.length, made.beam) == (length, beam)


@pytest.mark.clause("T.B5d")
@pytest.mark.parametrize(
    ("word", "masts"),
    [("cutter", 1), ("sloop rigged", 1), ("one mast", 1), ("brig", 2), ("schooner", 2), ("ketch", 2), ("bomb", 2), ("lugger", 2),
     ("snow", 2), ("two-masts", 2), ("sloop", 3), ("ship", 3)],
)  # fmt: skip
def test_a_rig_has_its_masts(word: str, masts: int) -> None:
    made = card(of(tags=(word,)))
    assert (made.masts, made.masts_to_dismast) == (masts, min(masts, 2))


@pytest.mark.clause("T.S2")
@pytest.mark.parametrize(
    ("tons", "men", "crew"),
    [
        (200, 12, 3), (200, 13, 3), (200, 14, 4), (200, 17, 4), (200, 18, 5), (201, 4, 4), (200, 79, 20), (200, 200, 20),
        (10, 40, 1), (30, 40, 3), (200, None, 5), (219, None, 5), (220, None, 6), (100, None, 3), (60, None, 2), (101, None, 3),
    ],
)  # fmt: skip
def test_a_merchantman_has_her_crew(tons: int, men: int | None, crew: int) -> None:
    assert card(of(ship_type="merchant", tons_burthen=tons, crew=men)).crew_max == crew


@pytest.mark.clause("T.S29")
@pytest.mark.parametrize(
    ("known", "marked"),
    [
        ({}, {"batteries": "T.S26"}), ({"gun_detail": "40x9pdr"}, {}),
        ({"guns": None}, {"guns": "T.S27", "batteries": "T.S27"}), ({"guns": None, "gun_detail": "40x9pdr"}, {}),
        ({"ship_type": "galley"}, {"batteries": "T.S29"}), ({"ship_type": "galley", "gun_detail": "2x9pdr@ahead"}, {}),
        ({"ship_type": "galley", "tons_burthen": None},
         {"tons": "T.S29", "flotation": "T.S29", "crew": "T.S29", "length": "T.S29", "batteries": "T.S29"}),
        ({"name": "Hope", "year_built": 1559}, {}),
        ({"overrides": {"tons": 500, "batteries": {"long": 2}}, "tons_burthen": None}, {}),
    ],
    ids=str,
)  # fmt: skip
def test_estimated_figures_are_marked(known: dict[str, Any], marked: dict[str, str]) -> None:
    assert card(of(**known)).estimated == marked


@pytest.mark.clause("T.S29", "T.S4")
def test_guns_listed_for_a_printed_type_are_hers_and_those_of_a_printed_ship_are_not() -> None:
    galley = card(of(ship_type="galley", gun_detail="9x12pdr@ahead", guns=None))
    assert (galley.batteries, galley.guns) == ((Mount(LONG, Arc.AHEAD),), 9)
    hope = of(name="Hope", year_built=1559, gun_detail="40x6pdr")
    assert card(hope).count(SHORT) == 4


@pytest.mark.clause("T.S29")
def test_an_explanation_names_the_clause_of_every_figure() -> None:
    told = {(name, clause): text for name, clause, text in explain(of(guns=None, year_built=1700))}
    assert told == {
        ("kind", "T.S8"): "Frigate of 1700, nelson period.",
        ("guns", "T.S27"): "Guns not known: 26 for 600 tons.",
        ("flotation", "T.S2"): "600 tons, 1 point per 20: 30.",
        ("crew", "T.S2"): "600 tons, 1 point per 10: 60.",
        ("batteries", "T.S26"): "port 1 long, starboard 1 long.",
        ("speed", "T.S7"): "Frigate: 9 inches.",
        ("turn", "T.S9"): "90 degrees.",
        ("length", "T.S1"): "Length 1.223, beam 0.305 inches.",
        ("masts", "T.B5d"): "3 masts, dismasted by the loss of 2.",
    }
    notes = explain(of(year_built=1559, name="Hope"))
    assert ("flotation", "TS-1", "As printed: 30.") in notes
    assert ("crew", "TS-1", "As printed: 60.") in notes
    assert [clause for name, clause, _ in notes if name == "batteries"] == ["TS-1"]
    assert [clause for name, clause, _ in explain(of(ship_type="galley")) if name == "batteries"] == ["T.S29"]
    assert [clause for name, clause, _ in explain(of(gun_detail="2x9pdr")) if name == "batteries"] == ["T.S4"]


@pytest.mark.clause("T.S7", "T.S4", "T.C33")
def test_a_figure_below_zero_is_an_error_but_zero_is_not() -> None:
    assert [field for field, _ in card_faults(of(speed_knots=-1, guns=-1))] == ["speed_knots", "guns"]
    assert card_faults(of(speed_knots=0.1, guns=0)) == ()
    assert [card(of(guns=guns)).deep for guns in (29, 30)] == [False, True]
    assert not card(of(ship_type="galleasse", guns=50)).deep
    assert not card(of(built_by="Dutch Republic")).deep


@pytest.mark.clause("TS-1", "TS-2", "T.S2")
@pytest.mark.parametrize(
    ("known", "flotation", "crew"),
    [
        (facts("England", name="Hope", ship_type="galleon", year_built=1559), ("TS-1", "As printed: 30."), ("TS-1", "As printed: 60.")),
        (facts("England", name="James", year_built=1633), ("TS-1", "As printed: 44."), ("TS-1", "As printed: 88.")),
        (facts("Portugal", name="San Martin", year_built=1588), ("TS-1", "As printed: 50."), ("TS-1", "As printed: 100.")),
        (
            facts("Spain", ship_type="galley", year_built=1588),
            ("T.S2", "200 tons, 1 point per 20: 10."), ("T.S2", "200 tons, 1 point per 10: 20."),
        ),
        (
            facts("England", ship_type="galleon", tons_burthen=610, guns=30, year_built=1588),
            ("T.S2", "610 tons, 1 point per 20: 31."), ("T.S2", "610 tons, 1 point per 10: 61."),
        ),
    ],
    ids=["Hope", "James", "San Martin", "galley", "galleon"],
)  # fmt: skip
def test_printed_ships_have_printed_points_and_all_others_points_by_their_tons(
    known: ShipFacts, flotation: tuple[str, str], crew: tuple[str, str]
) -> None:
    told = {name: (clause, text) for name, clause, text in explain(known)}
    assert (told["flotation"], told["crew"]) == (flotation, crew)


@pytest.mark.clause("TS-1", "T.S1")
@pytest.mark.parametrize(
    ("name", "year"),
    [("Hope", 1559), ("Revenge", 1577), ("White Bear", 1565), ("Prince Royal", 1610), ("James", 1633)],
)
def test_a_ship_has_the_printed_figures_of_her_name_if_she_was_launched_within_five_years(
    name: str, year: int
) -> None:
    for built, printed in ((year - 6, False), (year - 5, True), (year + 5, True), (year + 6, False)):
        notes = explain(
            facts("England", name=name, ship_type="galleon", tons_burthen=600, guns=40, year_built=built)
        )
        assert any(text.startswith("As printed") for _, _, text in notes) is printed, built


@pytest.mark.clause("TS-2")
def test_only_ships_of_an_oared_kind_have_oars() -> None:
    assert {
        kind: oars(kind) for kind in (Kind.LINE, Kind.FIFTY, Kind.FRIGATE, Kind.MERCHANT)
    } == dict.fromkeys((Kind.LINE, Kind.FIFTY, Kind.FRIGATE, Kind.MERCHANT), (0, 0))
    assert min(oars(Kind.GALLEY)) > 0


@pytest.mark.clause("T.S8", "T.S27", "T.S29")
@pytest.mark.parametrize("known", [{"guns": None}, {"guns": 40}, {"guns": 40, "tags": ("guns estimated",)}])
def test_what_kind_of_ship_she_is_stands_first(known: dict[str, Any]) -> None:
    assert explain(of(**known))[0][0] == "kind"
