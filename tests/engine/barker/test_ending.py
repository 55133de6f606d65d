"""When a battle is over, who has won, and what follows it. Rules: P.O01-P.O08, P.K05-P.K16, P.K28, P.K29, P.K32, P.K36, P.K40, P.K50."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.core.fates import Fate, Flag
from battles.engine.core.scenario import Doctrine, Stance
from battles.engine.rulesets.barker import closing, ending, turn
from battles.engine.rulesets.barker.condition import Condition
from battles.engine.rulesets.barker.play import Play
from battles.engine.rulesets.barker.state import Battle, Status, Unit
from battles.engine.rulesets.barker.tables import Mode
from tests.engine.barker.builders import battle, play, told, unit
from tests.support.answers import flawless, unerring

FAR = (0, 9_000)


def two(*more: Unit, **over: Any) -> Battle:
    return battle(unit("A1"), unit("B1", FAR, 180), *more, **over)


@unerring
def closed(made: Battle, *, began: Mode | None = None) -> Play:
    """The end of a spell."""
    table = play(made)
    table.began = began or made.mode
    flawless(ending.close, made, table)
    return table


@unerring
def finished(made: Battle, *faces: int) -> Play:
    """What follows a battle."""
    made.ended = made.ended or "limit"
    made.cause = made.cause or "time"
    table = play(made, *faces)
    flawless(ending.after_battle, made, table)
    return table


def sunk(made: Battle, *codes: str, how: str = "fire") -> None:
    for code in codes:
        made.units[code].status, made.units[code].fate = Status.SUNK, how


@unerring
def result(made: Battle) -> tuple[str, str, str]:
    return made.cause, made.ended, made.winner


# --- the clock ---


@pytest.mark.clause("P.T09", "P.C04", "P.C05", "P.EX34")
@pytest.mark.parametrize(
    ("mode", "began", "overlap", "seconds"),
    [
        (Mode.COMBAT, Mode.COMBAT, True, 150), (Mode.CRUISING, Mode.CRUISING, True, 900), (Mode.COMBAT, Mode.CRUISING, True, 900),
        (Mode.COMBAT, Mode.COMBAT, False, 300),
    ],
)  # fmt: skip
def test_a_spell_takes_half_its_length_by_the_mode_in_which_it_began(
    mode: Mode, began: Mode, overlap: bool, seconds: int
) -> None:
    made = two(mode=mode)
    made.options["clock_overlap"] = overlap
    assert made.speller == "A"
    closed(made, began=began)
    assert (made.clock, made.spell, made.speller, made.ended) == (seconds, 1, "B", "")


@pytest.mark.clause("P.K40", "P.EX34")
@pytest.mark.parametrize(
    ("clock", "limit", "wanted"),
    [
        (1_500, 288, 5),
        (1_800, 288, 6),
        (1_050, 288, 4),
        (5_100, 288, 17),
        (1_800, 4, 4),
        (0, 288, 0),
        (300, 288, 1),
        (301, 288, 2),
    ],
)
def test_a_turn_is_five_minutes_of_the_clock(clock: int, limit: int, wanted: int) -> None:
    assert turn.turn(clock, limit) == wanted


# --- the end ---


@pytest.mark.clause("P.O01", "P.O07", "P.K50")
def test_a_side_with_nothing_left_has_lost_at_once() -> None:
    made = two(unit("A2", (0, -400)))
    sunk(made, "A1")
    closed(made)
    assert made.ended == ""
    sunk(made, "A2")
    made.units["A2"].status = Status.RETREATED
    closed(made)
    assert result(made) == ("retreat", "parted", "B") and made.lost2 == {"A": 24, "B": 0}


@pytest.mark.clause("P.O01", "P.EX29")
def test_a_side_with_only_sunk_ships_is_annihilated_whatever_the_points() -> None:
    made = two(unit("B2", (500, 9_000), 180), unit("B3", (900, 9_000), 180))
    sunk(made, "A1", "B2", "B3")
    closed(made)
    assert result(made) == ("annihilation", "beaten", "B")


@pytest.mark.clause("P.O01", "P.F37")
@pytest.mark.parametrize(
    ("kind", "more", "alive"),
    [
        ("TRANSPORT", {}, False), ("BATTERY", {}, False), ("TB", {}, True),
        ("AMC", {}, True), ("BB", {"prize": True, "prize_of": "A"}, False),
        ("SUB", {"submerged": True}, True), ("C1", {"crippled": True, "aground": True}, True), ("RAIDER_T", {"disguised": True}, True),
        ("MINELAYER", {}, False), ("BB", {"outside": True}, True),
    ],
)  # fmt: skip
def test_what_keeps_a_side_in_the_battle(kind: str, more: dict[str, Any], alive: bool) -> None:
    made = two(unit("A2", (900, 0), kind=kind, **more))
    sunk(made, "A1")
    closed(made)
    assert bool(made.ended) is not alive


@pytest.mark.clause("P.O01")
def test_merchants_keep_a_side_alive_when_they_are_what_it_fights_for() -> None:
    made = two(unit("A2", (900, 0), kind="TRANSPORT"))
    made.sides["A"].doctrine = Doctrine(protect=("A2",))
    sunk(made, "A1")
    closed(made)
    assert made.ended == ""
    alone = battle(unit("A2", (900, 0), kind="TRANSPORT"), unit("B1", FAR))
    closed(alone)
    assert alone.ended == ""


@pytest.mark.clause("P.O04")
@pytest.mark.parametrize(("third", "winner"), [("", ""), ("A2", "B"), ("B2", "A")])
def test_two_sides_lost_in_the_same_spell_compare_their_losses(third: str, winner: str) -> None:
    made = two(unit("A2", (900, 0), kind="C1"), unit("B2", (900, 9_000), kind="C1"))
    sunk(made, "A1", "B1", *filter(None, [third]))
    for code in {"A2", "B2"} - {third}:
        made.units[code].status = Status.RETREATED
    closed(made)
    assert result(made) == ("retreat", "parted", winner)


@pytest.mark.clause("P.O02", "P.O03", "P.O04", "P.O08", "P.EX29")
@pytest.mark.parametrize(
    ("a", "b", "winner"),
    [
        ([("C1", 16), ("TBD", 4)], [("BB", 12), ("BATTERY", 12)], "A"), ([("BB", 24)], [("BB", 12), ("BATTERY", 12)], ""),
        ([("BB", 24)], [("C1", 16)], "B"), ([], [], ""), ([("TB", 1)], [], "B"),
    ],
)  # fmt: skip
def test_when_time_is_up_the_side_that_has_suffered_more_has_lost(
    a: list[tuple[str, int]], b: list[tuple[str, int]], winner: str
) -> None:
    lost = [
        unit(f"{side}{n + 2}", kind=kind, sp2=sp2)
        for side, rows in (("A", a), ("B", b))
        for n, (kind, sp2) in enumerate(rows)
    ]
    cripple, gone = unit("A9", crippled=True, aground=True), unit("A8")
    neutral = unit("A7", kind="TRAMP", neutral=True)
    made = two(*lost, cripple, gone, neutral, clock=14_250, contact=0)
    sunk(made, *(one.id for one in lost), "A7")
    gone.status = Status.RETREATED
    closed(made)
    assert result(made) == ("time", "limit", winner)
    assert made.lost2 == {"A": sum(sp2 for _, sp2 in a), "B": sum(sp2 for _, sp2 in b)}


@pytest.mark.clause("P.O05", "P.O06")
@pytest.mark.parametrize(
    ("contact", "clock", "over"),
    [
        (0, 14_249, False),
        (0, 14_250, True),
        (300, 14_549, False),
        (300, 14_550, True),
        (-1, 86_249, False),
        (-1, 86_250, True),
    ],
)
def test_the_allotted_time_runs_from_the_contact_and_a_day_without_one(
    contact: int, clock: int, over: bool
) -> None:
    made = two(contact=contact, clock=clock, last_turn=500)
    closed(made)
    assert bool(made.ended) is over


@pytest.mark.clause("P.K40")
@pytest.mark.parametrize(
    ("spell", "clock", "over"), [(0, 1_050, False), (1, 1_050, True), (1, 1_049, False), (2, 4_000, False)]
)
def test_the_last_turn_ends_the_battle_after_a_whole_pair(spell: int, clock: int, over: bool) -> None:
    made = two(spell=spell, clock=clock, last_turn=4)
    closed(made)
    assert bool(made.ended) is over


@pytest.mark.clause("P.K44", "P.K15", "P.K50")
@pytest.mark.parametrize(
    ("by_night", "clock", "ended"), [(True, 25_050, ""), (False, 25_050, "nightfall"), (False, 25_049, "")]
)
def test_without_the_switch_a_battle_ends_at_nightfall(by_night: bool, clock: int, ended: str) -> None:
    made = two(by_night=by_night, clock=clock, allotted=90_000)
    closed(made)
    assert made.ended == ended


@pytest.mark.clause("P.K09", "P.O07")
@pytest.mark.parametrize(
    ("unseen", "stance", "wanted"),
    [
        (3, Stance.AVOID, ("contact_lost", "parted", "A")), (2, Stance.AVOID, ("", "", "")), (3, Stance.SEEK, ("", "", "")),
        (3, Stance.HOLD, ("", "", "")),
    ],
)  # fmt: skip
def test_a_ship_that_withdraws_unseen_for_four_cruising_spells_has_got_away(
    unseen: int, stance: Stance, wanted: tuple[str, str, str]
) -> None:
    made = two(mode=Mode.CRUISING, cruising_unseen=unseen, contact=0)
    made.sides["B"].doctrine = Doctrine(stance=stance)
    closed(made)
    assert result(made) == wanted


@pytest.mark.clause("P.K09")
def test_two_sides_that_withdraw_part_without_a_winner_and_no_one_parts_before_the_contact() -> None:
    made = two(mode=Mode.CRUISING, cruising_unseen=9, contact=-1)
    for side in made.sides.values():
        side.doctrine = Doctrine(stance=Stance.AVOID)
    closed(made)
    assert made.ended == ""
    made.contact = 0
    closed(made)
    assert result(made) == ("contact_lost", "parted", "")


@pytest.mark.clause("P.K49", "P.K09")
@pytest.mark.parametrize(("opening2", "wanted"), [(48, True), (49, False)])
def test_a_side_withdraws_when_it_has_lost_what_its_instructions_allow(opening2: int, wanted: bool) -> None:
    made = two(unit("A2"))
    made.parties["A"].opening2 = opening2
    sunk(made, "A2")
    assert ending.withdraws(made, "A") is wanted


@pytest.mark.clause("P.K43", "P.O01")
@pytest.mark.parametrize(
    ("arrives", "spell", "turned"), [(13, 1, False), (14, 1, True), (13, 0, False), (14, 0, True)]
)
def test_ships_not_due_next_turn_back_when_nothing_is_left_of_their_side(
    arrives: int, spell: int, turned: bool
) -> None:
    late = unit("A2", squadron="A-2", group="A-2", status=Status.EXPECTED)
    made = two(late, spell=spell, clock=3_450, last_turn=500)
    made.squadrons["A-2"].arrives = arrives
    sunk(made, "A1")
    table = closed(made)
    assert (late.status is Status.TURNED_BACK) is turned
    assert told(table, "turned_back") == ([("A2", {})] if turned else [])
    assert result(made) == (("retreat", "parted", "B") if turned else ("", "", ""))


@pytest.mark.clause("P.K43")
def test_reinforcements_wait_while_others_fight_and_turn_back_when_the_battle_ends() -> None:
    late = unit("A2", squadron="A-2", group="A-2", status=Status.EXPECTED)
    made = two(late)
    made.squadrons["A-2"].arrives = 100
    closed(made)
    assert made.ships["A2"].expected
    finished(made)
    assert late.status is Status.TURNED_BACK
    entry = closing.outcome(made).ship("A2")
    assert (entry.fate, entry.flags, entry.position) == (Fate.AFLOAT, frozenset({Flag.WITHDREW}), None)


# --- what follows ---


@pytest.mark.clause("P.K10")
@pytest.mark.parametrize(
    ("winner", "a", "b", "held"),
    [("B", {}, {}, "B"), ("", {}, {}, ""), ("", {"crippled": True}, {}, "B"), ("", {}, {"crippled": True}, "A"),
     ("", {"crippled": True}, {"crippled": True}, "")],
)  # fmt: skip
def test_one_side_at_most_holds_the_field(
    winner: str, a: dict[str, Any], b: dict[str, Any], held: str
) -> None:
    made = battle(unit("A1", **a), unit("B1", (0, 60_000), **b), winner=winner)
    finished(made)
    assert made.held == held == closing.outcome(made).held_field


@pytest.mark.clause("P.K06", "P.K16", "P.K32")
@pytest.mark.parametrize(
    ("away", "status", "fate"),
    [(1_800, Status.CAPTURED, Fate.CAPTURED), (1_801, Status.SCUTTLED, Fate.SCUTTLED), (32_400, Status.SCUTTLED, Fate.SCUTTLED),
     (32_402, Status.IN_PLAY, Fate.AFLOAT)],
)  # fmt: skip
def test_a_cripple_left_alone_is_taken_or_scuttled(away: int, status: Status, fate: Fate) -> None:
    made = battle(unit("A1", crippled=True, damage=1), unit("B1", (0, away)), unit("B2", (0, away + 900)))
    table = finished(made)
    entry = closing.outcome(made).ship("A1")
    assert (made.units["A1"].status, entry.fate) == (status, fate)
    if status is Status.CAPTURED:
        assert (entry.captor, entry.captor_ship, entry.prisoners, entry.prize_crew) == ("B", "B1", 455, 161)
        assert told(table, "captured") == [("A1", {"side": "B", "by": "B1"})]
        assert closing.outcome(made).officers == ()


@pytest.mark.clause("P.K06")
@pytest.mark.parametrize(
    ("own", "enemy"),
    [({"kind": "TB"}, {}), ({}, {"crippled": True}), ({}, {"kind": "SUB"}), ({}, {"kind": "TRANSPORT"})],
)
def test_a_cripple_with_a_friend_or_without_an_able_enemy_gets_home(
    own: dict[str, Any], enemy: dict[str, Any]
) -> None:
    mates = [unit("A2", (3_000, 0), **own)] if own else []
    made = battle(unit("A1", crippled=True), *mates, unit("B1", (0, 1_500), **enemy))
    finished(made)
    wanted = Status.SCUTTLED if enemy.get("kind") == "SUB" else Status.IN_PLAY
    assert made.units["A1"].status is wanted


@pytest.mark.clause("P.K08", "P.K16", "P.Z04")
@pytest.mark.parametrize(
    ("winner", "die", "status", "aground", "result"),
    [
        ("A", 2, Status.WRECKED, True, "lost"), ("A", 3, Status.IN_PLAY, True, "fast"), ("A", 4, Status.IN_PLAY, True, "fast"),
        ("A", 5, Status.IN_PLAY, False, "afloat"), ("B", 5, Status.CAPTURED, False, "afloat"), ("B", 4, Status.IN_PLAY, True, "fast"),
        ("", 3, Status.WRECKED, True, "lost"), ("", 4, Status.IN_PLAY, True, "fast"), ("", 5, Status.IN_PLAY, True, "fast"),
        ("", 6, Status.IN_PLAY, False, "afloat"),
    ],
)  # fmt: skip
def test_grounded_ships_are_salvaged_by_the_side_that_holds_the_field(
    winner: str, die: int, status: Status, aground: bool, result: str
) -> None:
    made = battle(
        unit("A1", crippled=True, aground=True), unit("A2", (3_000, 0)), unit("B1", (0, 9_000)), winner=winner
    )
    table = finished(made, die)
    one = made.units["A1"]
    assert (one.status, one.aground) == (status, aground)
    assert told(table, "salvage") == [("A1", {"die": die, "result": result})]
    entry = closing.outcome(made).ship("A1")
    assert (Flag.AGROUND in entry.flags) is (aground and status is Status.IN_PLAY)
    assert entry.fate is {Status.WRECKED: Fate.WRECKED, Status.CAPTURED: Fate.CAPTURED}.get(
        status, Fate.AFLOAT
    )
    table.dice.finish()  # type: ignore[attr-defined]


@pytest.mark.clause("P.K32", "P.N06")
@pytest.mark.parametrize(
    ("kind", "more", "mate", "taken"),
    [
        ("TRANSPORT", {}, False, True), ("TRANSPORT", {}, True, False), ("BB", {"prize": True}, False, True),
        ("TRAMP", {"neutral": True}, False, False), ("BATTERY", {}, False, False),
    ],
)  # fmt: skip
def test_merchants_left_under_an_enemys_guns_are_taken(
    kind: str, more: dict[str, Any], mate: bool, taken: bool
) -> None:
    mates = [unit("A2", (5_000, 0), kind="TB")] if mate else []
    made = battle(unit("A1", kind=kind, **more), *mates, unit("B1", (0, 20_000)))
    finished(made)
    assert (made.units["A1"].status is Status.CAPTURED) is taken


@pytest.mark.clause("P.K29", "P.K12", "P.K05")
def test_what_lasts_only_for_a_battle_ends_with_it() -> None:
    boat = unit(
        "A2", (500, 0), kind="SUB", submerged=True, fired=True, light="B1", stopped=True, challenged="B1"
    )
    made = two(boat, tallies={"A1": ("B1",)})
    finished(made)
    assert (boat.submerged, boat.fired, boat.light, boat.stopped, boat.challenged, made.tallies) == (
        False,
        False,
        "",
        False,
        "",
        {},
    )


@pytest.mark.clause("P.K16")
@pytest.mark.parametrize(
    ("how", "wanted", "cause"),
    [
        ("fire", Fate.SUNK, "gunfire"),
        ("torpedo", Fate.SUNK, "sunk_torpedo"),
        ("mine", Fate.SUNK, "mined"),
        ("ram", Fate.SUNK, "sunk_ramming"),
        ("nets", Fate.SUNK, "fouled"),
        ("exploded", Fate.BLOWN_UP, "exploded"),
    ],
)
def test_every_way_to_be_lost_has_its_fate(how: str, wanted: Fate, cause: str) -> None:
    made = two()
    sunk(made, "A1", how=how)
    finished(made)
    entry = closing.outcome(made).ship("A1")
    assert (entry.fate, entry.cause, entry.condition) == (wanted, cause, Condition(gone=True).to_dict())


@pytest.mark.clause("P.K14", "P.K28", "P.K31", "P.K36", "P.EX37")
def test_a_pair_shares_its_fate_and_a_hull_keeps_its_own_damage_if_nothing_happened() -> None:
    pair = unit("A2", (900, 0), kind="TBD", hulls=("A2", "A3"), damage=1, came_damage=1)
    made = two(pair, turn=17, towards=45, strength="light")
    made.ships["A2"].entered = Condition(1).to_dict()
    made.ships["A3"].entered = Condition().to_dict()
    for code in ("A1", "B1"):
        made.ships[code].entered = Condition().to_dict()
    finished(made)
    out = closing.outcome(made)
    assert (out.turns, out.minutes, out.ended, out.wind) == (
        17,
        85,
        "limit",
        {"towards": 45, "strength": "light"},
    )
    assert [out.ship(code).condition["damage"] for code in ("A2", "A3")] == [1, 0]
    pair.crippled, pair.damage, pair.taken, pair.given = True, 0, 3, 2
    out = closing.outcome(made)
    assert [out.ship(code).condition["crippled"] for code in ("A2", "A3")] == [True, True]
    assert [(out.ship(code).hits_taken, out.ship(code).hits_given) for code in ("A2", "A3")] == [
        (3, 2),
        (3, 0),
    ]
    assert out.ship("A1").position == (0, 0)


@pytest.mark.clause("P.K50", "P.L09", "P.K31")
def test_an_admiral_goes_down_with_his_flagship_or_is_taken_in_it() -> None:
    made = battle(unit("A1", crippled=True), unit("B1", (0, 1_500)))
    made.squadrons["A-1"].officer, made.squadrons["B-1"].officer, made.squadrons["B-1"].character = (
        "Stark",
        "Togo",
        2,
    )
    table = finished(made)
    fates = [(row.name, row.ship, row.fate, row.clause) for row in closing.outcome(made).officers]
    assert fates == [("Stark", "A1", "captured", "P.K50"), ("Togo", "B1", "unhurt", "")]
    assert told(table, "officer") == [("A1", {"officer": "Stark", "fate": "captured"})]
    kept = closing.outcome(made).ship("B1").condition
    assert (kept["character"], kept["officer"], kept["partner"]) == (2, "Togo", "")
    made.luck["A-1"] = ("A1", "killed", "P.L09")
    assert closing.outcome(made).officers[0].fate == "killed"


@pytest.mark.clause("P.K14", "P.M23", "P.K09")
def test_a_ship_that_left_the_table_withdrew_unharmed() -> None:
    made = two()
    made.units["A1"].status = Status.RETREATED
    finished(made)
    entry = closing.outcome(made).ship("A1")
    assert (entry.fate, entry.flags) == (Fate.AFLOAT, frozenset({Flag.WITHDREW}))


def test_there_is_no_outcome_before_the_end() -> None:
    with pytest.raises(ValueError, match="not over"):
        closing.outcome(two())


@pytest.mark.clause("P.O07")
def test_the_end_of_a_battle_is_reported_with_its_cause_and_losses() -> None:
    made = two(cause="time", ended="limit", winner="B", lost2={"A": 24, "B": 0})
    assert told(finished(made), "ended") == [
        ("", {"why": "limit", "cause": "time", "winner": "B", "lost": {"A": 24, "B": 0}, "points": {"A": 0, "B": 0}, "held": "B"})
    ]  # fmt: skip


@pytest.mark.clause("P.K07", "P.K11", "P.O08")
@pytest.mark.parametrize(
    ("status", "edge", "held", "wanted"),
    [
        (Status.RETREATED, 18_000, "", 4), (Status.RETREATED, 0, "", 0), (Status.IN_PLAY, -1, "A", 4), (Status.IN_PLAY, -1, "B", 0),
        (Status.SUNK, -1, "", 0),
    ],
)  # fmt: skip
def test_a_prize_counts_for_its_captor_if_it_is_brought_off(
    status: Status, edge: int, held: str, wanted: int
) -> None:
    prize = unit("A9", kind="TRAMP", sp2=4, prize_of="A", status=status, edge=edge, by="B1")
    made = two(prize, held=held)
    assert (ending.points2(made, "A"), ending.points2(made, "B")) == (wanted, 0)
    assert ending.lost2(made, "A") == 0


@pytest.mark.clause("P.K07", "P.N10")
@pytest.mark.parametrize(("status", "wanted"), [(Status.SUNK, -4), (Status.RETREATED, 0)])
def test_a_neutral_that_is_sunk_costs_points_to_the_side_that_sank_it(status: Status, wanted: int) -> None:
    made = two(unit("N1", kind="TRAMP", side="", sp2=4, neutral=True, status=status, by="B1"))
    assert (ending.points2(made, "A"), ending.points2(made, "B")) == (0, wanted)


@pytest.mark.clause("P.K11", "P.K06", "P.K07")
def test_points_are_what_the_enemy_has_lost_less_what_was_lost() -> None:
    made = two(unit("B2", kind="C1"), unit("B3", kind="C2"), unit("A2", kind="TBD", sp2=4))
    sunk(made, "A2", "B2")
    made.units["B3"].status = Status.SCUTTLED
    assert (ending.points2(made, "A"), ending.points2(made, "B")) == (16 + 12 - 4, 4 - 16 - 12)
    assert (ending.lost2(made, "A"), ending.lost2(made, "B")) == (4, 16)
