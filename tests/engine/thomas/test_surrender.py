"""Worn crews, striking, prizes, captives, survivors. Rules: T.O5g, T.O5h, T.O6, T.E24, T.E25."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.rulesets.thomas import arcs, releases, securing, surrender, survivors
from battles.engine.rulesets.thomas.play import Orders
from battles.engine.rulesets.thomas.state import Adrift, Ship, Status
from battles.engine.rulesets.thomas.turn import begin_move
from tests.engine.thomas.builders import battle, done, events, play, revenge, ship


@pytest.mark.clause("T.E24", "T.O5h", "T.C15")
def test_the_nearest_survivors_are_rescued_first() -> None:
    sunk = revenge("S1", crew_halves=51, status=Status.SUNK)
    near, next_, far = (
        ship("E1", x=500, crew_halves=41), ship("S2", x=1_500, crew_halves=80), ship("E3", x=2_001, crew_halves=120)
    )  # fmt: skip
    made = battle(sunk, near, next_, far)
    played = play(orders={code: Orders(save=True) for code in ("E1", "S2", "E3")})
    played.sinking.append(sunk)
    survivors.claim(made, played)
    assert (near.captive_halves, near.crew_halves, near.rescue_next) == (10, 41, True)
    assert (next_.crew_halves, next_.captive_halves, far.rescue_next) == (94, 0, False)
    assert played.sinking == []
    begin_move(made)
    releases.under_way(made, played)
    assert near.adrift is Adrift.RESCUING


@pytest.mark.clause("T.O5h")
@pytest.mark.parametrize("change", [{"on_fire": True}, {"struck": True}, {"anchored": True}])
def test_some_ships_save_no_one(change: dict[str, Any]) -> None:
    sunk, one = revenge("S1", status=Status.SUNK), ship("E1", x=500, **change)
    played = play(orders={"E1": Orders(save=True)})
    played.sinking.append(sunk)
    survivors.claim(battle(sunk, one), played)
    assert one.captive_halves == 0
    assert sunk.crew_halves == 0


@pytest.mark.clause("T.O5g")
@pytest.mark.parametrize(
    ("change", "faces", "breaking", "struck"),
    [
        ({"crew_halves": 31}, (), False, False), ({"crew_halves": 30}, (), True, False),
        ({"crew_halves": 30, "masts_lost": 2}, (2,), True, True), ({"crew_halves": 30, "masts_lost": 2}, (3,), True, False),
        ({"crew_halves": 30, "masts_lost": 2, "towed_by": "E2"}, (), True, False),
        ({"crew_halves": 30, "in_irons": True}, (1,), True, True), ({"crew_halves": 30, "on_fire": True}, (6,), True, False),
        ({"crew_halves": 10}, (6,), True, False),
    ],
    ids=str,
)  # fmt: skip
def test_a_worn_crew_breaks_off_or_may_strike(
    change: dict[str, Any], faces: tuple[int, ...], breaking: bool, struck: bool
) -> None:
    one = ship("E1", **change)
    played = play(*faces)
    surrender.worn_crews(battle(one), played)
    done(played)
    assert (one.breaking_off, one.struck) == (breaking, struck)


@pytest.mark.clause("T.O6q", "T.O5g")
def test_a_prize_is_not_bound_by_the_worn_crew() -> None:
    prize = ship("E1", side="SPA", prize_of="ENG", secured=True, crew_halves=0, guard_halves=4)
    surrender.worn_crews(battle(prize), play())
    assert not prize.breaking_off


@pytest.mark.clause("T.O6", "T.O6a", "T.O6b", "T.O6e", "T.O6n")
def test_a_ship_that_has_struck_is_immune_but_may_dishonour_its_flag() -> None:
    one, near, far = ship("E1"), revenge("S1", x=3_000), revenge("S2", x=2_000, y=9_000)
    made, played = battle(one, near, far), play(orders={"E1": Orders(strike=True, dishonour=True)})
    surrender.strikes(made, played)
    assert (one.struck, one.captor_side, one.detail) == (True, "SPA", "S1")
    assert not arcs.may_be_fired_on(made, near, one)
    begin_move(made)
    surrender.change_minds(made, played)
    assert (one.struck, one.dishonoured, one.captor_side) == (False, True, "")
    assert arcs.may_be_fired_on(made, near, one)
    assert events(played, "changed_mind")


@pytest.mark.clause("T.O6n")
@pytest.mark.parametrize("change", [{"struck_by_boarding": True}, {"secured": True}])
def test_ships_boarded_or_secured_do_not_change_their_minds(change: dict[str, Any]) -> None:
    one = ship("E1", struck=True, **change)
    surrender.change_minds(battle(one), play(orders={"E1": Orders(dishonour=True)}))
    assert one.struck


def struck(code: str = "S1", **over: Any) -> Ship:
    return revenge(code, **{"struck": True, "struck_move": 1, "captor_side": "ENG", **over})


@pytest.mark.clause("T.O6d", "T.O6g", "T.O6h", "T.C13")
def test_a_ship_alongside_secures_with_any_number_of_men() -> None:
    one, prize = ship("E1", heading=9_000), struck(y=300, heading=9_000)
    made, played = battle(one, prize), play(orders={"E1": Orders(secure={"S1": 20})})
    securing.first_secures(made, played)
    assert (one.crew, prize.prize_crew, prize.captives, prize.crew) == (40, 20, 45, 0)
    assert (prize.flag, prize.secured, prize.struck, prize.guard_from) == ("ENG", True, False, "E1")
    assert not prize.fighting


@pytest.mark.clause("T.O6f")
@pytest.mark.parametrize(
    ("x", "lost", "sent", "men"),
    [(2_000, 14, False, 12), (2_001, 0, False, 0), (1_900, 15, False, 0), (1_900, 0, True, 0)],
)
def test_boats_carry_a_fifth_of_the_crew_once_for_each_prize(x: int, lost: int, sent: bool, men: int) -> None:
    one, prize = ship("E1", flot=30 - lost), struck(x=x, boats_sent=sent)
    securing.first_secures(battle(one, prize), play(orders={"E1": Orders(secure={"S1": 30})}))
    assert prize.prize_crew == men
    assert prize.secured is bool(men)


@pytest.mark.clause("T.O6h", "T.E25")
def test_unless_ordered_otherwise_she_sends_enough_men_and_keeps_her_sailing_crew() -> None:
    assert securing.men_wanted(ship(tons=450, crew_halves=26)) == 8
    one, prize = ship("E1", heading=9_000, crew_halves=20), struck(y=300, heading=9_000)
    securing.first_secures(battle(one, prize), play())
    assert (prize.prize_crew, one.crew) == (4, 6)


@pytest.mark.clause("T.O6c", "T.O6d")
def test_a_boarded_prize_is_secured_by_the_captor_who_stayed_a_turn_longer() -> None:
    one, prize = (
        ship("E1", heading=9_000),
        struck(y=250, heading=9_000, struck_by_boarding=True, captor_ship="E1"),
    )
    made, played = battle(one, prize), play()
    made.fasten(one, prize)
    securing.first_secures(made, played)
    securing.boarded_prizes(made, played)
    assert not prize.secured
    begin_move(made)
    securing.boarded_prizes(made, played)
    assert (prize.secured, prize.prize_crew, one.grapples) == (True, 14, [])
    left = struck("S2", y=250, heading=9_000, struck_by_boarding=True)
    securing.first_secures(battle(ship("E1", heading=9_000), left), play())
    assert left.secured


@pytest.mark.clause("T.O6i", "T.O6k")
def test_a_retaken_prize_has_her_crew_again() -> None:
    prize = ship(
        "E1", heading=9_000, prize_of="SPA", struck=True, captor_side="ENG", crew_halves=0, captive_halves=60, guard_halves=20
    )  # fmt: skip
    friend = ship("E2", y=250, heading=9_000)
    securing.first_secures(battle(prize, friend), play(orders={"E2": Orders(secure={"E1": 5})}))
    assert (prize.flag, prize.crew, prize.captives, prize.prize_crew, prize.fighting) == (
        "ENG",
        35,
        10,
        0,
        True,
    )


@pytest.mark.clause("T.O5f")
def test_men_are_counted_without_the_odd_half() -> None:
    prize = ship("S1", crew_halves=41, captive_halves=51, guard_halves=11)
    assert (prize.crew, prize.captives, prize.prize_crew) == (20, 25, 5)


@pytest.mark.clause("T.O6l", "T.O5f")
@pytest.mark.parametrize(
    ("captives", "guard", "thin"), [(50, 10, False), (51, 10, False), (52, 10, True), (50, 9, True)]
)
def test_a_prize_crew_of_just_a_fifth_of_the_captives_is_enough(
    captives: int, guard: int, thin: bool
) -> None:
    prize = ship("S1", prize_of="ENG", crew_halves=0, captive_halves=captives, guard_halves=guard)
    assert surrender.is_thin(prize) is thin


@pytest.mark.clause("T.E25", "T.O6l", "T.O6m", "T.O6k")
@pytest.mark.parametrize(("guard", "faces", "risen"), [(2, (4,), True), (2, (3,), False), (3, (), False)])
def test_captives_rise_once_against_a_weak_prize_crew(
    guard: int, faces: tuple[int, ...], risen: bool
) -> None:
    prize = ship(
        "S1", prize_of="ENG", secured=True, crew_halves=0, captive_halves=26, guard_halves=2 * guard, guard_from="E1"
    )  # fmt: skip
    made, played = battle(prize), play(*faces)
    surrender.strikes(made, played)
    done(played)
    assert (prize.flag, prize.dishonoured) == (("SPA", True) if risen else ("ENG", False))
    assert (prize.crew, prize.captives) == ((13, guard) if risen else (0, 13))
    surrender.strikes(made, play())
