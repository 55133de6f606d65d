"""Hull points, steps, sinking and capture. Rules: K.D, K.B22-K.B25, K.E15, K.E16."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from battles.engine.rulesets.kohler import damage, tables
from battles.engine.rulesets.kohler.state import LockKind, Ship, Status
from tests.engine.kohler.builders import battle, events, play, ship


def damaged(lost: int, **over: object) -> Ship:
    """The Antelope with so many points shot away."""
    one = ship(**{"hits_struct": lost, **over})
    one.steps_lost = damage.steps_at(one.thresholds, one.hits_struct + one.hits_board)
    return one


def pelican(lost: int = 0) -> Ship:
    return damaged(
        lost, guns=36, band=30, hull_max=12, n_steps=3, thresholds=(4, 8, 12), fire_track=(3, 2, 1), fast=True, handy=True
    )  # fmt: skip


@pytest.mark.clause("K.E15", "K.D1", "K.D4", "K.D5", "K.D6", "K.D11")
@pytest.mark.parametrize(
    ("lost", "hits", "steps", "fire", "level", "checks"),
    [(5, 2, 1, 6, 1, [1]), (16, 3, 3, 2, 3, [3]), (5, 7, 2, 4, 2, [1, 2]), (0, 5, 0, 8, 0, [])],
)
def test_the_steps_of_the_antelope_are_right(
    lost: int, hits: int, steps: int, fire: int, level: int, checks: list[int]
) -> None:
    one = damaged(lost)
    played = play()
    assert damage.cross_off(battle(one), played, one, struct=hits, clause="K.F14") == hits
    assert (one.steps_lost, damage.fire_now(one), one.move_level) == (steps, fire, level)
    assert one.unchecked_steps == checks
    assert events(played, "damage")[0].data == {
        "struct": hits, "board": 0, "left": 22 - lost - hits, "steps": steps, "level": level, "fire": fire,
    }  # fmt: skip


@pytest.mark.clause("K.E16", "K.D6", "K.D7")
def test_two_thirds_of_the_pelican_are_right() -> None:
    one = pelican()
    damage.cross_off(battle(one), play(), one, struct=7)
    assert (one.is_fast, one.is_handy, one.move_level) == (True, True, 1)
    damage.cross_off(battle(one), play(), one, struct=1)
    assert (damage.fire_now(one), one.move_level, one.is_fast, one.is_handy) == (1, 2, False, False)
    assert (one.fast, one.handy) == (True, True)


@pytest.mark.clause("K.D6", "K.D7", "K.D8")
@pytest.mark.parametrize(
    ("n_steps", "levels", "kept"),
    [(4, (0, 1, 2, 3), (True, True, False, False)), (3, (0, 1, 2), (True, True, False)), (2, (0, 1), (True, False))],
)  # fmt: skip
def test_movement_and_qualities_follow_the_steps(
    n_steps: int, levels: tuple[int, ...], kept: tuple[bool, ...]
) -> None:
    for steps, (level, has) in enumerate(zip(levels, kept, strict=True)):
        one = ship(n_steps=n_steps, steps_lost=steps, fast=True, handy=True, unhandy=True)
        assert (one.move_level, one.is_fast, one.is_handy) == (level, has, has)
        assert one.unhandy, "what makes her clumsy stays"


@pytest.mark.clause("K.D12", "K.B23")
def test_at_no_hull_by_gunfire_she_sinks_where_she_is_and_releases_others() -> None:
    one, other = damaged(20, fires=[1], unchecked_steps=[2]), ship(id="D1", side="DUT")
    fight = battle(one, other)
    fight.hold(LockKind.GRAPPLE, other, one)
    other.placement["E1"] = "port"
    played = play()
    assert damage.cross_off(fight, played, one, struct=9, clause="K.F14") == 2, "surplus hits are ignored"
    assert (one.status, one.fires, one.unchecked_steps, one.hull_left) == (Status.SINKING, [], [], 0)
    assert one in fight.at[one.pos] and not fight.locks and not other.locks and not other.placement
    assert events(played, "sunk")[0].data == {"by": "gunfire"}
    assert damage.cross_off(fight, played, one, struct=3) == 0, "a wreck has nothing left to lose"


@pytest.mark.clause("K.D12", "K.C4")
def test_fire_can_sink_her_too() -> None:
    one = damaged(21)
    played = play()
    damage.cross_off(battle(one), played, one, struct=1, clause="K.C3")
    assert one.status is Status.SINKING and events(played, "sunk")[0].data == {"by": "fire"}


@pytest.mark.clause("K.D13", "K.B21", "K.B20")
def test_at_no_hull_by_boarding_she_does_not_sink() -> None:
    one = damaged(18)
    damage.cross_off(battle(one), play(), one, board=4, clause="K.B18")
    assert one.status is Status.AFLOAT
    assert (one.hits_struct, one.hits_board, one.hull_left, one.steps_lost) == (18, 4, 0, 4)
    assert one.unchecked_steps == [], "the last step calls for no check"


@pytest.mark.clause("K.B20", "K.D11", "K.B21")
def test_boarding_losses_count_for_steps_and_checks() -> None:
    one = damaged(5)
    damage.cross_off(battle(one), play(), one, board=1, clause="K.B18")
    assert (one.hits_board, one.steps_lost, one.unchecked_steps) == (1, 1, [1])


@pytest.mark.clause("K.X7", "K.C1")
def test_a_fired_fire_ship_leaves_no_wreck_and_is_not_checked() -> None:
    brander = ship(
        n_steps=2, hull_max=4, thresholds=(2, 4), fire_track=(1, 1), fired=True, is_fireship=True, small=True
    )
    held = ship(id="D1", side="DUT")
    fight = battle(brander, held)
    fight.hold(LockKind.FIRE_SHIP, brander, held)
    played = play()
    damage.cross_off(fight, played, brander, struct=3, clause="K.F14")
    assert (brander.unchecked_steps, brander.steps_lost, brander.move_level) == ([], 1, 1)
    damage.cross_off(fight, played, brander, struct=1, clause="K.X7")
    assert brander.status is Status.BURNT and fight.at[held.pos] == [held] and not held.locks
    assert len(events(played, "burnt_out")) == 1


@pytest.mark.clause("K.B22", "K.B24", "K.B12")
def test_a_captured_ship_is_a_prize_with_her_boarding_hits_cancelled_and_her_steps_counted_afresh() -> None:
    loser = damaged(4, id="E1", hits_board=18, unchecked_steps=[2, 3], gun_timers=[3], fast=True)
    captor, friend = ship(id="D1", side="DUT"), ship(id="D2", side="DUT")
    fight = battle(loser, captor, friend)
    for one in (captor, friend):
        fight.hold(LockKind.GRAPPLE, one, loser)
        one.placement["E1"] = "port"
    played = play()
    damage.capture(fight, played, loser, captor)
    assert (loser.prize_of, loser.captor_ship, loser.flag) == ("DUT", "D1", "DUT")
    assert (loser.hits_struct, loser.hits_board, loser.hull_left, loser.steps_lost) == (4, 0, 18, 0)
    assert loser.unchecked_steps == [] and loser.gun_timers == []
    assert not fight.locks and not captor.placement and not friend.placement
    assert loser.stacked and captor.stacked
    assert (loser.move_level, loser.is_fast, loser.status) == (2, False, Status.AFLOAT)
    assert events(played, "captured")[0].data == {"captor": "D1", "side": "DUT"}


@pytest.mark.clause("K.B24")
def test_a_prize_with_three_steps_shot_away_is_disabled() -> None:
    loser = damaged(17, hits_board=5)
    damage.capture(battle(loser, ship(id="D1", side="DUT")), play(), loser, ship(id="D1", side="DUT"))
    assert loser.disabled


@pytest.mark.clause("K.E29", "K.B24")
def test_the_pelican_taken_with_four_structural_and_eight_boarding_hits_has_lost_one_step() -> None:
    one, captor = pelican(4), ship(id="D1", side="DUT")
    one.hits_board = 8
    damage.capture(battle(one, captor), play(), one, captor)
    assert (one.steps_lost, one.hull_left) == (1, 8)


@pytest.mark.clause("K.B25")
def test_a_retaken_ship_returns_to_her_old_side_but_keeps_the_limits_of_a_prize() -> None:
    prize, friend = damaged(4, prize_of="DUT", fast=True), ship(id="E2")
    played = play()
    damage.capture(battle(prize, friend), played, prize, friend)
    assert prize.flag == "ENG" and prize.prize_of == "ENG"
    assert (prize.move_level, prize.is_fast) == (2, False)
    assert events(played, "retaken")[0].data == {"by": "E2"}


@pytest.mark.clause("K.G11", "K.B22", "K.D12", "K.C5")
@pytest.mark.parametrize(("end", "noted"), [("sink", "sunk"), ("capture", "captured"), ("explode", "killed")])
def test_the_loss_of_a_flagship_is_noted_for_her_officer_and_a_private_ships_is_not(
    end: str, noted: str
) -> None:
    flag, private, foe = ship(), ship(id="E2", pos=(3, 0)), ship(id="D1", side="DUT", pos=(6, 0))
    fight = battle(flag, private, foe)
    for one in (flag, private):
        if end == "sink":
            damage.sink(fight, play(), one, clause="K.F14")
        elif end == "explode":
            damage.explode(fight, play(), one)
        else:
            damage.capture(fight, play(), one, foe)
    assert fight.officers == {"ENG-1": ("E1", noted, "K.G11")}


@pytest.mark.clause("K.I10", "K.C9")
def test_a_new_flagship_has_no_flag_officer() -> None:
    fight = battle(ship(), ship(id="E2", pos=(1, 0)))
    squadron = fight.squadrons["ENG-1"]
    squadron.flagship, squadron.flag_lost = "E2", True
    fight.ships["E2"].is_flagship = True
    assert not damage.has_flag_officer(fight, fight.ships["E2"])


@pytest.mark.clause("K.C5")
def test_an_explosion_leaves_no_wreck_and_lights_only_ships_in_her_hex() -> None:
    one, near, far = ship(), ship(id="E2"), ship(id="E3", pos=(1, 0))
    wreck, brander = ship(id="E4", status=Status.SINKING), ship(id="E5", fired=True)
    fight = battle(one, near, far, wreck, brander)
    fight.hold(LockKind.TANGLE, one, near)
    assert damage.explode(fight, play(), one) == [near]
    assert one.status is Status.EXPLODED and one not in fight.at[(0, 0)] and not near.locks
    assert [len(s.fires) for s in (near, far, wreck, brander)] == [1, 0, 0, 0]


# --- properties

hulls = st.tuples(st.integers(3, 60), st.sampled_from([2, 3, 4])).filter(lambda pair: pair[0] >= pair[1])


@pytest.mark.clause("K.D4")
@given(hulls)
def test_thresholds_divide_the_hull_into_rows_that_differ_by_at_most_one(pair: tuple[int, int]) -> None:
    hull, n = pair
    steps = tables.thresholds(hull, n)
    rows = [b - a for a, b in zip((0, *steps), steps, strict=False)]
    assert steps[-1] == hull and len(steps) == n and min(rows) >= 1
    assert max(rows) - min(rows) <= 1
    for lost in range(hull + 1):
        assert damage.steps_at(steps, lost) == lost * n // hull


@pytest.mark.clause("K.D5", "K.C7")
@given(st.integers(1, 30), st.sampled_from([2, 3, 4]), st.integers(0, 6), st.integers(0, 2))
def test_fire_falls_with_every_step_but_never_below_zero(points: int, n: int, timers: int, drop: int) -> None:
    track = tables.fire_track(points, n)
    assert track[0] == points and all(a >= b >= 1 for a, b in zip(track, track[1:], strict=False))
    for steps in range(n + 1):
        one = ship(fire_track=track, n_steps=n, steps_lost=steps, gun_timers=[1] * timers)
        index = steps + timers + drop
        assert damage.fire_now(one, drop) == (track[index] if index < n else 0)


@pytest.mark.clause("K.D1", "K.D11", "K.D12", "K.D13")
@given(hulls, st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=12))
def test_damage_is_conserved(pair: tuple[int, int], blows: list[tuple[int, int]]) -> None:
    hull, n = pair
    one = ship(hull_max=hull, n_steps=n, thresholds=tables.thresholds(hull, n), fire_track=(1,) * n)
    fight, lost, checks = battle(one), 0, []
    for struct, board in blows:
        lost += damage.cross_off(fight, play(), one, struct=struct, board=board)
        assert one.hits_struct + one.hits_board == lost == hull - one.hull_left <= hull
        assert one.steps_lost == damage.steps_at(one.thresholds, lost)
        checks = one.unchecked_steps or checks
        if one.hull_left:
            assert one.unchecked_steps == list(range(1, one.steps_lost + 1))
    if one.status is Status.SINKING:
        assert one.hull_left == 0 and one.unchecked_steps == []
