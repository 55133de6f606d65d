"""Who saves the drowning, who secures a prize, who breaks off: each condition by itself. Rules: T.O5g, T.O5h, T.O6."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.rulesets.thomas import securing, surrender, survivors
from battles.engine.rulesets.thomas.play import Orders
from battles.engine.rulesets.thomas.state import Ship, Status
from battles.engine.rulesets.thomas.tables import Arc, Gun
from tests.engine.thomas.builders import battle, events, play, revenge, ship

SHORT, MEDIUM, LONG = Gun.SHORT, Gun.MEDIUM, Gun.LONG
PORT, STARBOARD, AHEAD, ASTERN = Arc.PORT, Arc.STARBOARD, Arc.AHEAD, Arc.ASTERN


@pytest.mark.clause("T.O5h", "T.C15", "T.O5i")
@pytest.mark.parametrize(
    ("aboard", "crew", "saved"),
    [
        (51, 120, 12),
        (52, 120, 13),
        (3, 120, 0),
        (4, 120, 1),
        (99, 39, 4),
        (99, 40, 5),
        (99, 47, 5),
        (99, 7, 0),
        (99, 8, 1),
    ],
)
def test_up_to_half_of_those_aboard_and_a_quarter_of_her_own_crew_are_saved(
    aboard: int, crew: int, saved: int
) -> None:
    for prize in (False, True):
        who = (
            {"prize_of": "SPA", "guard_halves": aboard, "crew_halves": 0}
            if prize
            else {"crew_halves": aboard}
        )
        sunk, one = revenge("S1", status=Status.SUNK, **who), ship("E1", x=2_000, crew_halves=crew)
        played = play(orders={"E1": Orders(save=True)})
        played.sinking.append(sunk)
        survivors.claim(battle(sunk, one), played)
        assert (one.captive_halves, one.crew_halves, one.rescue_next) == (2 * saved, crew, bool(saved))
        assert (sunk.crew_halves, sunk.guard_halves) == (0, 0)
        told = [event.data for event in events(played, "saved")]
        assert told == ([{"from": "S1", "friends": 0, "enemies": saved}] if saved else [])


@pytest.mark.clause("T.O5h", "T.O6a", "T.S25")
@pytest.mark.parametrize(
    ("change", "saves"),
    [
        ({}, True),
        ({"x": 2_001}, False),
        ({"struck": True}, False),
        ({"prize_of": "SPA"}, False),
        ({"on_fire": True}, False),
        ({"anchored": True}, False),
        ({"grappled": True}, False),
    ],
    ids=str,
)
def test_only_some_ships_may_stop_for_the_drowning(change: dict[str, Any], saves: bool) -> None:
    held = change.pop("grappled", False)
    sunk, one = ship("E2", status=Status.SUNK), ship("E1", **{"x": 2_000, **change})
    for crews in (True, False):
        made = battle(sunk, one, ship("S9", x=9_000), options={"opt_crews": crews})
        sunk.crew_halves, one.rescue_next = 40, False
        if held and not one.grapples:
            made.fasten(one, made.ships["S9"])
        played = play(orders={"E1": Orders(save=True)})
        played.sinking.append(sunk)
        survivors.claim(made, played)
        assert one.rescue_next is (saves and crews)
        assert (sunk.crew_halves, played.sinking) == (0, [])


@pytest.mark.clause("T.O6c", "T.O6d", "T.O6f")
@pytest.mark.parametrize(
    ("prize", "own", "way"),
    [
        ({}, {}, "boats"), ({"x": 2_000}, {}, "boats"), ({"x": 2_001}, {}, ""), ({"x": 300}, {}, "alongside"),
        ({"x": 300}, {"flot": 1}, "alongside"),
        ({}, {"flot": 16}, "boats"), ({}, {"flot": 15}, ""), ({"boats_sent": True}, {}, ""),
        ({"x": 300, "boats_sent": True}, {}, "alongside"),
        ({"struck": False}, {}, ""), ({"secured": True}, {}, ""), ({"captor_side": "SPA"}, {}, ""),
        ({"struck_by_boarding": True}, {}, "boats"),
    ],
    ids=str,
)  # fmt: skip
def test_a_prize_may_be_secured_in_several_ways(prize: dict[str, Any], own: dict[str, Any], way: str) -> None:
    one = ship("E1", **own)
    other = revenge("S1", **{"x": 1_500, "struck": True, "captor_side": "ENG", **prize})
    found = securing.within_reach(battle(one, other), one)
    assert [how for _, how in found.values()] == ([way] if way else [])


@pytest.mark.clause("T.O6c")
@pytest.mark.parametrize(
    ("change", "held"), [({}, True), ({"struck": True}, False), ({"prize_of": "SPA"}, False)], ids=str
)
def test_a_boarded_prize_waits_for_the_captor_who_stays_fast_to_her(
    change: dict[str, Any], held: bool
) -> None:
    one, prize = (
        ship("E1", **change),
        revenge("S1", x=300, struck=True, struck_by_boarding=True, captor_side="ENG", captor_ship="E2"),
    )
    other = ship("E2", x=600)
    made = battle(one, prize, other)
    made.fasten(one, prize)
    assert securing.captor_alongside(made, prize) is (one if held else None)
    assert ("S1" in securing.within_reach(made, other)) is not held
    made.fasten(other, prize)
    assert securing.captor_alongside(made, prize) is other


@pytest.mark.clause("T.O6c")
@pytest.mark.parametrize(
    ("change", "move", "secured"),
    [
        ({}, 2, True),
        ({}, 1, False),
        ({"struck_by_boarding": False}, 2, False),
        ({"secured": True}, 2, True),
        ({"captor_side": "SPA"}, 2, False),
    ],
    ids=str,
)
def test_her_captor_has_her_at_the_end_of_the_turn_after_she_struck(
    change: dict[str, Any], move: int, secured: bool
) -> None:
    one = ship("E1")
    prize = revenge(
        "S1",
        x=300,
        **{"struck": True, "struck_by_boarding": True, "captor_side": "ENG", "struck_move": 1, **change},
    )
    made, played = battle(one, prize, move=move), play()
    made.fasten(one, prize)
    securing.boarded_prizes(made, played)
    assert prize.secured is secured
    assert len(events(played, "secured")) == int(secured and not change)


@pytest.mark.clause("T.O6h", "T.O6d", "T.O6f", "T.C13", "T.O6g")
@pytest.mark.parametrize(
    ("asked", "way", "crew", "sent"),
    [(-1, "alongside", 120, 14), (-1, "boats", 120, 12), (-1, "boats", 119, 11), (-1, "alongside", 24, 6), (-1, "alongside", 12, 0),
     (-1, "alongside", 10, 0), (0, "alongside", 120, 0),
     (99, "alongside", 120, 60), (99, "boats", 120, 12), (3, "boats", 120, 3)],
)  # fmt: skip
def test_the_right_number_of_men_goes_into_a_prize(asked: int, way: str, crew: int, sent: int) -> None:
    one, prize = (
        ship("E1", crew_halves=crew),
        revenge("S1", struck=True, captor_side="ENG", captives_tried=True),
    )
    played = play()
    securing.secure(battle(one, prize), played, prize, one, asked, way)
    assert (prize.guard_halves, one.crew_halves, prize.boats_sent) == (
        2 * sent,
        crew - 2 * sent,
        way == "boats",
    )
    assert (prize.captive_halves, prize.crew_halves, prize.captives_tried, prize.captor_ship) == (
        90,
        0,
        False,
        "E1",
    )
    assert events(played, "secured")[0].data == {"by": "E1", "men": 2 * sent, "captives": 90, "way": way}


@pytest.mark.clause("T.O6h")
@pytest.mark.parametrize(
    ("crew", "tons", "men"),
    [
        (90, 450, 14),
        (90, 500, 14),
        (90, 501, 15),
        (0, 100, 1),
        (0, 101, 2),
        (10, 100, 2),
        (11, 100, 2),
        (12, 100, 3),
    ],
)
def test_a_prize_crew_is_a_fifth_of_her_crew_and_a_hundredth_of_her_tons_rounded_up(
    crew: int, tons: int, men: int
) -> None:
    assert securing.men_wanted(ship(crew_halves=crew, tons=tons)) == men


@pytest.mark.clause("T.O6i", "T.O6g")
def test_those_aboard_a_prize_retaken_or_brought_back_are_settled() -> None:
    def after(**over: Any) -> tuple[Any, ...]:
        prize = ship("E1", **{"struck": True, "captor_side": "ENG", "captor_ship": "E9", **over})
        securing.secure(battle(prize, by := ship("E2", x=300)), play(), prize, by, 4, "alongside")
        assert prize.captor_ship in ("", "E2")
        return (
            prize.flag,
            prize.crew_halves,
            prize.captive_halves,
            prize.guard_halves,
            prize.secured,
            prize.guard_from,
        )

    assert after(crew_halves=30) == ("ENG", 38, 0, 0, False, "")
    assert after(prize_of="SPA", crew_halves=0, captive_halves=40, guard_halves=12, guard_from="S1") == (
        "ENG",
        48,
        12,
        0,
        False,
        "",
    )
    spanish = {
        "side": "SPA",
        "prize_of": "ENG",
        "crew_halves": 0,
        "captive_halves": 40,
        "guard_halves": 12,
        "guard_from": "E3",
    }
    assert after(**spanish) == ("ENG", 0, 40, 20, True, "E3")


@pytest.mark.clause("T.O5g", "T.O6q")
@pytest.mark.parametrize(
    ("change", "able"),
    [({}, True), ({"on_fire": True}, False), ({"anchored": True}, False), ({"in_irons": True}, False),
     ({"towed_by": "E2", "masts_lost": 2}, True), ({"adrift": "hove_to"}, False),
     ({"heave_to_next": True}, False), ({"rescue_next": True}, False), ({"masts_lost": 2}, False), ({"crew_halves": 11}, False),
     ({"masts_lost": 2, "rig": "oars"}, True),
     ({"towed_by": "E2", "in_irons": True}, False), ({"towed_by": "E2", "heave_to_next": True}, True)],
    ids=str,
)  # fmt: skip
def test_only_some_ships_can_break_off(change: dict[str, Any], able: bool) -> None:
    one: Ship = ship("E1", **change)
    made = battle(one)
    assert surrender.can_break_off(made, one) is able
    made.fasten(one, ship("S1"))
    assert not surrender.can_break_off(made, one)


@pytest.mark.clause("T.O5g")
@pytest.mark.parametrize(
    ("crew_max", "halves", "worn"), [(60, 30, True), (60, 31, False), (45, 22, True), (45, 23, False)]
)
def test_a_quarter_of_her_crew_is_the_limit(crew_max: int, halves: int, worn: bool) -> None:
    one = ship("E1", crew_max=crew_max, crew_halves=halves, tons=100)
    played = play()
    surrender.worn_crews(battle(one), played)
    surrender.worn_crews(battle(one), played)
    assert (one.breaking_off, len(events(played, "breaking_off"))) == (worn, int(worn))
    free = ship("E1", crew_max=crew_max, crew_halves=halves)
    surrender.worn_crews(battle(free, options={"opt_crews": False}), play())
    assert not free.breaking_off
