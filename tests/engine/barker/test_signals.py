"""Signals: how far they carry, who is in touch, what a wireless message loses and how orders are understood."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.core.scenario import Doctrine
from battles.engine.rulesets.barker import light, orders, signals
from battles.engine.rulesets.barker.captain.commander import Commander
from battles.engine.rulesets.barker.captain.plain import Plain
from battles.engine.rulesets.barker.signals import Means
from battles.engine.rulesets.barker.state import Bank, BarkerSquadron, Battle, Formation, Status
from battles.engine.rulesets.barker.tables import Mode, Phase
from battles.engine.rulesets.barker.view import View
from tests.engine.barker.builders import battle, play, told, unit
from tests.support.answers import unerring

Y = 100
WIDE = 200
DAY, NIGHT, DUSK = Phase.DAY, Phase.NIGHT, Phase.DUSK


def pair(yards: float, kind: str = "BB", **over: Any) -> Battle:
    """A1 of a kind, and A2 with so many yards of water between their bases."""
    sender = over.pop("sender", {})
    return battle(
        unit("A1", kind=kind, **sender),
        unit("A2", (yards + WIDE, 0), wt=True),
        unit("B1", (0, 90_000)),
        **over,
    )


@unerring
def reaches(yards: float, means: Means, kind: str = "BB", **over: Any) -> bool:
    made = pair(yards, kind, **over)
    return signals.carries(made, made.units["A1"], made.units["A2"], means)


RANGES = [
    (Means.HOIST, "BB", DAY, 20_000),
    (Means.HOIST, "C3", Phase.SUNRISE, 20_000),
    (Means.HOIST, "SC", Phase.SUNSET, 8_000),
    (Means.HOIST, "TBD", DAY, 8_000),
    (Means.SEARCHLIGHT, "C2", NIGHT, 20_000),
    (Means.SEARCHLIGHT, "TBD", DUSK, 8_000),
    (Means.LAMP, "BB", NIGHT, 4_000),
    (Means.LAMP, "TB", DAY, 4_000),
]


@pytest.mark.clause("P.G01", "P.G02", "P.G03")
@pytest.mark.parametrize(("means", "kind", "phase", "far"), RANGES)
def test_a_signal_carries_as_far_as_its_means_and_its_ship_allow(
    means: Means, kind: str, phase: Phase, far: int
) -> None:
    assert reaches(far, means, kind, phase=phase)
    assert not reaches(far + 1, means, kind, phase=phase)


@pytest.mark.clause("P.G01", "P.V13")
@pytest.mark.parametrize(
    ("means", "kind", "phase"),
    [
        (Means.HOIST, "BB", NIGHT),
        (Means.HOIST, "BB", DUSK),
        (Means.HOIST, "BB", Phase.DAWN),
        (Means.SEARCHLIGHT, "TB", NIGHT),
    ],
)
def test_no_one_reads_flags_in_the_dark_and_a_ship_without_a_searchlight_cannot_use_one(
    means: Means, kind: str, phase: Phase
) -> None:
    assert not reaches(100, means, kind, phase=phase)


@pytest.mark.clause("P.G05")
@pytest.mark.parametrize(
    ("means", "phase", "far"),
    [(Means.HOIST, DAY, 10_000), (Means.SEARCHLIGHT, NIGHT, 10_000), (Means.LAMP, NIGHT, 2_000)],
)
def test_mist_and_rain_halve_a_visual_signal_and_fog_stops_it(means: Means, phase: Phase, far: int) -> None:
    for kind in ("mist", "squall"):
        bank = Bank(kind, 900 * Y, 0, 0, 4_000 * Y, 400 * Y, 0)
        assert reaches(far, means, phase=phase, banks=[bank])
        assert not reaches(far + 1, means, phase=phase, banks=[bank])
    fog = Bank("fog", 150 * Y, 0, 0, 4_000 * Y, 40 * Y, 0)
    assert not reaches(100, means, phase=phase, banks=[fog])


@pytest.mark.clause("P.G04", "P.G05", "P.G07")
def test_wireless_reaches_65_miles_through_fog_and_over_land_between_sound_ships_from_1900() -> None:
    fog, land = Bank("fog", 900 * Y, 0, 0, 4_000 * Y, 400 * Y, 0), frozenset({(4, 0), (4, -1)})
    fitted: dict[str, Any] = {"sender": {"wt": True}}
    assert reaches(130_000, Means.WIRELESS, year=1900, banks=[fog], land=land, **fitted)
    assert not reaches(130_001, Means.WIRELESS, year=1900, **fitted)
    assert not reaches(9_000, Means.WIRELESS, year=1899, **fitted)
    assert not reaches(9_000, Means.WIRELESS, year=1904)
    assert not reaches(9_000, Means.WIRELESS, sender={"wt": True, "crippled": True})
    made = pair(9_000, sender={"wt": True})
    made.units["A2"].crippled = True
    assert not signals.carries(made, made.units["A1"], made.units["A2"], Means.WIRELESS)
    assert reaches(9_000, Means.HOIST, sender={"crippled": True})
    assert not reaches(9_000, Means.HOIST, land=land)


@unerring
def company(*ships: tuple[str, float, str], **over: Any) -> Battle:
    """Ships of one squadron, code, yards east and kind each; the first is the Flag."""
    return battle(
        *(unit(code, (x, 0), kind=kind, squadron="A-1", group="A-1") for code, x, kind in ships),
        unit("B1", (0, 200_000)),
        **over,
    )


@unerring
def touch(made: Battle, code: str) -> bool:
    return signals.in_touch(made, made.units[code])


@pytest.mark.clause("P.G10", "P.G11", "P.I11", "P.EX20")
def test_a_ship_is_in_touch_by_way_of_another_as_far_as_that_one_signals() -> None:
    # Bases lie across the line, 200 yd each: 18,000 and 15,000 yd of water.
    far: list[tuple[str, float, str]] = [("A1", 0, "BB"), ("A2", 18_200, "C2"), ("A3", 33_400, "BB")]
    assert touch(company(*far), "A2") and touch(company(*far), "A3")
    far[1] = ("A2", 18_200, "TBD")
    assert touch(company(*far), "A2") and not touch(company(*far), "A3")
    far[2] = ("A3", 18_200 + 8_200, "BB")
    assert touch(company(*far), "A3")
    far[2] = ("A3", 18_200 + 8_201, "BB")
    assert not touch(company(*far), "A3")


@pytest.mark.clause("P.G10", "P.G11", "P.EX20")
def test_by_night_ships_are_linked_by_lamp_and_not_by_wireless() -> None:
    assert touch(company(("A1", 0, "BB"), ("A2", 4_200, "BB"), ("A3", 8_400, "BB"), phase=NIGHT), "A3")
    made = company(("A1", 0, "BB"), ("A2", 4_200, "BB"), ("A3", 8_401, "BB"), phase=NIGHT)
    for one in made.units.values():
        one.wt = True
    assert touch(made, "A2") and not touch(made, "A3")
    made.units["A2"].light = "signal"
    assert touch(made, "A3")


@pytest.mark.clause("P.G10")
def test_ships_of_other_squadrons_repeat_but_merchants_and_the_enemy_do_not() -> None:
    for kind, squadron, side, seen in (
        ("C2", "A-2", "A", True),
        ("TRANSPORT", "", "A", False),
        ("C2", "B-1", "B", False),
    ):
        relay = unit(
            "A9",
            (18_200, 0),
            kind=kind,
            squadron=squadron,
            group=squadron or "A9",
            side=side,
            signal_miles=10,
        )
        made = battle(unit("A1"), unit("A2", (33_400, 0)), relay, unit("B1", (0, 200_000)))
        assert touch(made, "A2") is seen


@pytest.mark.clause("P.G11", "P.S34")
def test_a_ship_in_formation_with_the_flag_is_in_touch_even_in_fog_and_so_is_one_that_arrives() -> None:
    made = company(("A1", 0, "BB"), ("A2", 400, "BB"), banks=[Bank("fog", 0, 0, 0, 9_000 * Y, 9_000 * Y, 0)])
    assert not touch(made, "A2")
    made.formations = [Formation("ahead", ("A1", "A2"))]
    assert touch(made, "A2")
    made.formations = []
    made.units["A1"].outside = True
    assert touch(made, "A2")


@pytest.mark.clause("P.S19", "P.I11")
@pytest.mark.parametrize("status", [Status.SUNK, Status.RETREATED])
def test_a_squadron_is_out_of_touch_with_a_lost_flagship_but_one_that_never_had_a_flagship_is_in_touch(
    status: Status,
) -> None:
    made = company(("A1", 0, "BB"), ("A2", 500, "BB"))
    made.units["A1"].status = status
    assert not touch(made, "A2")
    alone = unit("A5", kind="TRANSPORT")
    assert signals.in_touch(battle(alone), alone)


@pytest.mark.clause("P.I11")
def test_touch_is_looked_for_once_a_spell() -> None:
    made = company(("A1", 0, "BB"), ("A2", 18_200, "C2"), ("A3", 33_400, "BB"))
    known: dict[str, frozenset[str]] = {}
    assert signals.in_touch(made, made.units["A3"], known)
    made.units["A2"].x = 90_000 * Y
    assert signals.in_touch(made, made.units["A3"], known)
    assert not touch(made, "A3")


@pytest.mark.clause("P.G06", "P.EX19", "P.Z06")
def test_a_wireless_word_is_lost_on_1_and_2() -> None:
    made = pair(9_000, sender={"wt": True})
    table = play(made, 3, 1, 6, 2, 4, 5)
    left = signals.send_wt(made, table, made.units["A1"], ("turn", "east", "at", "ten", "knots", "now"))
    assert left == ("turn", "", "at", "", "knots", "now")
    assert [throw.clause for throw in table.dice.throws] == ["P.G06"] * 6  # type: ignore[attr-defined]
    assert table.dice.throws[1].key == "P.G06/0/WORD/A1/1/1"  # type: ignore[attr-defined]


@pytest.mark.clause("P.G13", "P.EX19")
@pytest.mark.parametrize(
    ("before", "words", "now"),
    [
        (("steer", "90"), ("", "180"), ("steer", "90")),
        (("steer", "90", "2"), ("steer", "", "3"), ("steer", "90", "3")),
        (("fight", "90"), ("steer", ""), ("steer", "")),
        ((), ("steer", "45"), ("steer", "45")),
        (("steer", "90"), (), ("steer", "90")),
    ],
)
def test_an_order_that_loses_its_verb_is_void_and_one_that_loses_a_detail_keeps_the_earlier_one(
    before: tuple[str, ...], words: tuple[str, ...], now: tuple[str, ...]
) -> None:
    assert signals.taken(before, words) == now


@unerring
def said(mode: Mode, count: int, *, coded: bool, means: Means = Means.LAMP) -> str:
    made = pair(1_000, mode=mode, phase=NIGHT)
    return signals.send(made, play(made), made.units["A1"], means, ("word",) * count, coded=coded).fault


@pytest.mark.clause("P.G08")
@pytest.mark.parametrize(
    ("mode", "coded", "most"),
    [(Mode.COMBAT, False, 6), (Mode.COMBAT, True, 3), (Mode.CRUISING, True, 20), (Mode.CRUISING, False, 40)],
)
def test_morse_has_a_limit_of_words_in_a_spell(mode: Mode, coded: bool, most: int) -> None:
    assert said(mode, most, coded=coded) == ""
    assert said(mode, most + 1, coded=coded) == "signal/too-many-words"


@pytest.mark.clause("P.G01", "P.G08")
def test_a_ship_makes_one_hoist_a_spell_of_any_length_and_morse_adds_up() -> None:
    made = pair(1_000)
    table, ship = play(made), made.units["A1"]
    assert signals.send(made, table, ship, Means.HOIST, ("word",) * 30, coded=False).fault == ""
    assert (
        signals.send(made, table, ship, Means.HOIST, ("word",), coded=False).fault
        == "signal/one-hoist-a-spell"
    )
    ship.searchlight = False
    assert (
        signals.send(made, table, ship, Means.SEARCHLIGHT, ("word",), coded=False).fault == "signal/no-means"
    )
    assert signals.send(made, table, ship, Means.LAMP, ("word",) * 4, coded=False).fault == ""
    assert signals.send(made, table, ship, Means.LAMP, ("word",), coded=True).fault == ""
    assert (
        signals.send(made, table, ship, Means.LAMP, ("word",), coded=False).fault == "signal/too-many-words"
    )
    light.begin_spell(made, table)
    assert signals.send(made, table, ship, Means.HOIST, ("word",), coded=False).fault == ""
    assert signals.send(made, table, ship, Means.LAMP, ("word",) * 6, coded=False).fault == ""
    assert signals.send(made, table, ship, Means.WIRELESS, ("word",), coded=False).fault == "signal/no-means"


@pytest.mark.clause("P.G09")
def test_the_enemy_reads_a_signal_in_clear_and_knows_of_one_in_code() -> None:
    made = battle(unit("A1"), unit("A2", (9_000, 0)), unit("B1", (0, 9_000)), unit("B2", (0, 90_000)))
    table = play(made)
    sent = signals.send(made, table, made.units["A1"], Means.HOIST, ("come", "on"), coded=False)
    signals.send(made, table, made.units["A2"], Means.HOIST, ("come", "on"), coded=True)
    assert (sent.words, set(sent.friends), set(sent.enemies)) == (("come", "on"), {"A2"}, {"B1"})
    clear, code = (data for _, data in told(table, "signal"))
    assert (clear["read"], clear["seen"], code["read"], code["words"]) == (
        ["come", "on"],
        True,
        [],
        ["come", "on"],
    )


@pytest.mark.clause("P.G02", "P.G03", "P.V04", "P.C02")
@pytest.mark.parametrize(
    ("means", "far", "shows"), [(Means.SEARCHLIGHT, 20_000, "signal"), (Means.LAMP, 4_000, "")]
)
def test_a_light_by_night_that_an_enemy_sees_ends_the_cruising(means: Means, far: int, shows: str) -> None:
    for yards, mode in ((far, Mode.COMBAT), (far + 1, Mode.CRUISING)):
        made = battle(unit("A1"), unit("B1", (yards + WIDE, 0)), phase=NIGHT, mode=Mode.CRUISING, contact=-1)
        table = play(made)
        signals.send(made, table, made.units["A1"], means, ("word",), coded=True)
        assert (made.units["A1"].light, made.mode, table.combat) == (shows, mode, mode is Mode.COMBAT)


@pytest.mark.clause("P.G02")
def test_the_light_of_a_signal_is_out_with_the_spell_and_by_day_it_shows_nobody() -> None:
    made = pair(1_000, phase=NIGHT, opened=0)
    table = play(made)
    signals.send(made, table, made.units["A1"], Means.SEARCHLIGHT, ("word",), coded=True)
    assert made.units["A1"].light == "signal"
    light.begin_spell(made, table)
    assert made.units["A1"].light == ""
    made.phase = DAY
    signals.send(made, table, made.units["A1"], Means.SEARCHLIGHT, ("word",), coded=True)
    assert made.units["A1"].light == ""


def fleet(yards: float, **over: Any) -> Battle:
    made = battle(
        unit("A1", wt=True),
        unit("A2", (yards, 0), wt=True, squadron="A-2", group="A-2"),
        unit("B1", (0, 200_000)),
        **over,
    )
    assert isinstance(made.squadrons["A-2"], BarkerSquadron)
    return made


@pytest.mark.clause("P.G13", "P.K44", "P.K48")
def test_orders_between_squadrons_are_known_at_once_when_signals_are_free_and_signalled_when_they_are_played() -> (
    None
):
    wished = {"A-1": ("steer", "90"), "A-2": ("steer", "180")}
    made = fleet(90_000)
    assert signals.wishes(made, play(made), "A", wished) == wished
    made = fleet(9_000, options={"signals": "played"})
    table = play(made)
    assert signals.wishes(made, table, "A", wished) == wished
    assert signals.wishes(made, table, "A", wished) == wished
    assert [data["means"] for _, data in told(table, "signal")] == ["hoist"]


@pytest.mark.clause("P.G13", "P.G06", "P.G11")
def test_an_order_beyond_sight_goes_by_wireless_in_code_and_may_be_lost() -> None:
    made = fleet(90_000, options={"signals": "played"})
    made.received["A-2"] = ("steer", "45")
    table = play(made, 2, 6)
    assert signals.wishes(made, table, "A", {"A-2": ("steer", "180")}) == {"A-2": ("steer", "45")}
    assert told(table, "signal")[0][1]["means"] == "wireless" and told(table, "signal")[0][1]["coded"] is True
    made.units["A2"].wt = False
    assert signals.wishes(made, play(made), "A", {"A-2": ("steer", "180")}) == {"A-2": ("steer", "45")}
    del made.received["A-2"]
    assert signals.wishes(made, play(made), "A", {"A-2": ("steer", "180")}) == {}


class _Admiral(Commander):
    """Wants what he is told to want."""

    def wish(self, view: View) -> dict[str, tuple[str, ...]]:
        return {"A-1": ("withdraw",), "A-2": ("withdraw",)}


@pytest.mark.clause("P.G13", "P.K44")
def test_a_squadron_that_the_order_does_not_reach_continues_under_its_last_orders() -> None:
    for far, switch, heard in (
        (9_000, "played", "withdraw"),
        (90_000, "played", "attack"),
        (90_000, "free", None),
    ):
        made = fleet(far, options={"signals": switch})
        made.units["A2"].wt = False
        made.received["A-2"] = ("attack",)
        table = play(made)
        table.captains = {"A": _Admiral(Doctrine())}
        orders.give(made, table)
        words = table.views["A"].heard("A-2")
        assert (words[0] if words else None) == heard
        assert set(table.made) == {"A1", "A2"}


@pytest.mark.clause("P.G13")
def test_the_commander_sends_his_posture_to_every_squadron_and_the_plain_captain_nothing() -> None:
    made = fleet(9_000)
    view = play(made).views["A"]
    assert Commander(Doctrine()).wish(view) == {"A-1": ("attack",), "A-2": ("attack",)}
    assert Plain(Doctrine()).wish(view) == {}


@pytest.mark.clause("P.G01", "P.F21")
def test_a_station_signals_over_the_land_it_stands_on() -> None:
    made = battle(
        unit("A1", (250, 250), kind="INSTALLATION", signal_miles=10),
        unit("A2", (3_000, 250)),
        land=frozenset({(0, 0), (1, 0)}),
    )
    one, other = made.units["A1"], made.units["A2"]
    assert signals.carries(made, one, other, Means.HOIST) and signals.carries(made, other, one, Means.HOIST)
    made.land = made.land | {(4, 0)}
    assert not signals.carries(made, one, other, Means.HOIST)


@pytest.mark.clause("P.G13")
def test_an_admiral_who_is_gone_signals_nothing() -> None:
    made = fleet(9_000, options={"signals": "played"})
    made.units["A1"].status = Status.RETREATED
    table = play(made)
    assert signals.wishes(made, table, "A", {"A-2": ("steer", "180")}) == {}
    assert not told(table, "signal")


@pytest.mark.clause("P.G13", "P.S14")
@pytest.mark.parametrize(("there", "heard"), [(True, {"A-2": ("TURN",)}), (False, {})])
def test_a_squadron_without_a_flag_is_signalled_to_through_its_first_unit(
    there: bool, heard: dict[str, tuple[str, ...]]
) -> None:
    boat = unit(
        "A2",
        (0, -900),
        kind="TB",
        squadron="A-2",
        group="A-2",
        status=Status.IN_PLAY if there else Status.SUNK,
    )
    made = battle(unit("A1"), boat, unit("B1", (0, 9_000)))
    made.squadrons["A-2"].flagship = ""
    made.options["signals"] = "played"
    assert signals.wishes(made, play(made), "A", {"A-2": ("TURN",)}) == heard


@pytest.mark.clause("P.G10")
def test_a_neutral_vessel_neither_reads_nor_repeats_a_signal() -> None:
    neutral = unit("A2", (0, -900), kind="LINER", neutral=True)
    made = battle(unit("A1"), neutral, unit("B1", (0, 9_000)))
    assert signals.repeat(made, made.units["A1"], signals.usual(made, made.units["A1"])) == {"A1"}
