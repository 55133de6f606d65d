"""Critical hits, fires, explosions, swept gun decks. Rules: K.C, K.E17-K.E19, K.X7."""

from __future__ import annotations

import pytest

from battles.engine.rulesets.kohler import criticals, damage
from battles.engine.rulesets.kohler.play import Play
from battles.engine.rulesets.kohler.state import Battle, Helm, LockKind, Ship, Status
from tests.engine.kohler.builders import battle, events, play, ship


def hurt(*steps: int, **over: object) -> Ship:
    """The Antelope with 7 points lost and these steps still to be checked."""
    return ship(**{"hits_struct": 7, "steps_lost": 1, "unchecked_steps": list(steps), **over})


def burn(fight: Battle, *faces: int) -> Play:
    """Play 5b to 5d with these faces and see that none is left over."""
    played = play(*faces)
    with played.dice:  # type: ignore[attr-defined]
        criticals.check_and_burn(fight, played)
    return played


@pytest.mark.clause("K.C1", "K.C6")
@pytest.mark.parametrize("faces", [(2, 4), (3, 3), (3, 4), (2, 5)])
def test_a_score_of_six_or_seven_does_nothing(faces: tuple[int, int]) -> None:
    one = hurt(1)
    played = burn(battle(one), *faces)
    assert [e.data for e in events(played, "critical")] == [{"score": sum(faces), "result": "none"}]
    assert (one.fires, one.gun_timers, one.helm, one.unchecked_steps) == ([], [], Helm.SOUND, [])


@pytest.mark.clause("K.E17", "K.C3", "K.C2")
def test_a_fire_is_rolled_in_the_turn_it_starts_then_burns_on_and_is_put_out() -> None:
    one = hurt(1)
    fight = battle(one)
    burn(fight, 2, 3, 3)
    assert (one.fires, one.hits_struct) == ([1], 8)
    fight.turn = 2
    played = burn(fight, 5)
    assert (one.fires, one.hits_struct) == ([], 8)
    assert len(events(played, "fire_out")) == 1


@pytest.mark.clause("K.E17", "K.C5", "K.C2")
def test_an_explosion_lights_the_grappled_ship_whose_fire_is_rolled_at_once() -> None:
    one, other = hurt(1), ship(id="D1", side="DUT")
    fight = battle(other, one)
    fight.hold(LockKind.GRAPPLE, other, one)
    played = burn(fight, 2, 2, 2, 3)
    assert one.status is Status.EXPLODED and not other.locks
    assert (other.fires, other.hits_struct) == ([1], 1)
    assert [e.ship for e in events(played, "alight")] == ["E1", "D1"]


@pytest.mark.clause("K.C5", "K.C11")
def test_ships_a_hex_away_are_unharmed_and_fires_do_not_spread() -> None:
    one, other = ship(fires=[1]), ship(id="E2", pos=(1, 0))
    fight = battle(one, other)
    burn(fight, 3)
    assert other.fires == []
    burn(battle(one, other, turn=2), 2)
    assert one.status is Status.EXPLODED and other.fires == []


@pytest.mark.clause("K.C5", "K.C2")
def test_a_ship_lit_by_a_neighbours_explosion_before_her_own_turn_rolls_old_fires_first() -> None:
    one, other = ship(fires=[1]), ship(id="E2", fires=[1, 1])
    fight = battle(one, other, turn=4)
    played = burn(fight, 2, 3, 5, 4)
    keys = [e.data["key"] for e in events(played, "die")]
    assert keys == ["/K.C3/4/E1/1", "/K.C3/4/E2/1", "/K.C3/4/E2/2", "/K.C3/4/E2/3"]
    assert (other.fires, other.hits_struct) == ([1, 4], 2)


@pytest.mark.clause("K.C4", "K.D11")
def test_each_fire_is_rolled_separately_oldest_first() -> None:
    one = ship(fires=[1, 2, 3])
    burn(battle(one, turn=4), 5, 3, 5)
    assert (one.fires, one.hits_struct) == ([2], 1)


@pytest.mark.clause("K.C2", "K.C4", "K.D11")
def test_a_step_burnt_away_is_checked_and_its_new_fire_is_rolled_at_once_repeatedly() -> None:
    one = ship(hits_struct=5, fires=[1])
    played = burn(battle(one, turn=3), 3, 2, 2, 4)
    assert (one.hits_struct, one.steps_lost, one.fires) == (7, 1, [1, 3])
    kinds = [e.kind for e in played.log.events if e.kind != "die"]  # type: ignore[union-attr]
    assert kinds == ["burns", "damage", "critical", "alight", "burns", "damage"]


@pytest.mark.clause("K.C4", "K.D12")
def test_a_ship_burnt_to_no_hull_sinks_and_her_other_fires_go_out_unrolled() -> None:
    one = ship(hits_struct=21, steps_lost=3, fires=[1, 1])
    burn(battle(one, turn=2), 4)
    assert one.status is Status.SINKING and one.fires == []


@pytest.mark.clause("K.C2")
def test_checks_come_before_fires_in_list_order_lowest_step_first() -> None:
    one, other = hurt(2, 1, steps_lost=2, hits_struct=12), hurt(1, id="E2", pos=(1, 0), fires=[1])
    played = burn(battle(one, other, turn=2), 3, 3, 3, 4, 3, 3, 5)
    keys = [e.data["key"] for e in events(played, "die")]
    assert keys == ["/K.C1/2/E1/1", "/K.C1/2/E1/2", "/K.C1/2/E2/1", "/K.C3/2/E2/1"]


@pytest.mark.clause("K.C1")
@pytest.mark.parametrize(
    "state",
    [{"status": Status.SINKING}, {"prize_of": "DUT"}, {"fired": True}],
    ids=["sinking", "taken", "fired"],
)
def test_some_ships_are_not_checked(state: dict[str, object]) -> None:
    one = hurt(1, **state)
    burn(battle(one))
    assert one.unchecked_steps == []


@pytest.mark.clause("K.E18", "K.C7", "K.C10")
def test_a_swept_gun_deck_costs_one_step_for_the_turns_thrown() -> None:
    one = hurt(1)
    fight = battle(one, turn=6)
    played = burn(fight, 4, 4, 3)
    assert events(played, "guns_out")[0].data == {"turns": 3}
    fire = []
    for turn in (7, 8, 9, 10):
        fight.turn = turn
        fire.append(damage.fire_now(one))
        criticals.recover(fight, played)
    assert fire == [4, 4, 4, 6]
    assert (one.hits_struct, one.steps_lost) == (7, 1), "nothing else recovers"


@pytest.mark.clause("K.C7")
def test_several_swept_decks_add_up_and_past_the_track_she_is_silent() -> None:
    one = ship(gun_timers=[1, 2, 2, 3])
    assert damage.fire_now(one) == 0
    criticals.recover(battle(one), play())
    assert (one.gun_timers, damage.fire_now(one)) == ([1, 1, 2], 2)


@pytest.mark.clause("K.E19", "K.C8")
@pytest.mark.parametrize(
    ("die", "helm"), [(2, Helm.PORT), (3, Helm.NO_TURN), (4, Helm.NO_TURN), (5, Helm.STARBOARD)]
)
def test_a_helm_hit_takes_effect(die: int, helm: Helm) -> None:
    one = hurt(1)
    burn(battle(one), 5, 4, die)
    assert one.helm is helm


@pytest.mark.clause("K.C8", "K.M21")
def test_the_last_of_several_helm_hits_counts() -> None:
    one = hurt(1, 2)
    burn(battle(one), 5, 4, 2, 4, 5, 5)
    assert one.helm is Helm.STARBOARD


@pytest.mark.clause("K.C9")
def test_a_flag_officer_is_hit_once_and_only_in_a_flagship() -> None:
    flag, private = hurt(1), hurt(1, id="E2", pos=(1, 0))
    fight = battle(flag, private)
    fight.squadrons["ENG-1"].officer = "Monck"
    played = burn(fight, 5, 5, 5, 5)
    assert (flag.flag_officer_ok, private.flag_officer_ok) == (False, True)
    assert [(e.ship, e.data["officer"]) for e in events(played, "flag_hit")] == [("E1", "Monck")]
    assert fight.officers == {"ENG-1": ("E1", "hit", "K.C9")}
    flag.unchecked_steps = [2]
    assert not events(burn(fight, 5, 5), "flag_hit")


@pytest.mark.clause("K.X7")
def test_only_fired_fire_ships_lose_a_point_a_turn() -> None:
    brander = ship(n_steps=2, hull_max=4, thresholds=(2, 4), fire_track=(1, 1), fired=True, is_fireship=True)
    waiting = ship(id="E2", pos=(1, 0), is_fireship=True)
    fight = battle(brander, waiting)
    for turn in range(1, 5):
        fight.turn = turn
        assert brander.status is Status.AFLOAT
        criticals.burn_fire_ships(fight, play())
    assert brander.status is Status.BURNT and (0, 0) not in fight.at
    assert waiting.hits_struct == 0
    criticals.burn_fire_ships(fight, play())


@pytest.mark.clause("K.G5", "K.C3")
def test_fires_left_at_the_end_are_rolled_until_the_fire_is_out_or_the_ship_lost() -> None:
    out, lost = ship(fires=[2]), ship(id="E2", pos=(1, 0), fires=[2])
    fight = battle(out, lost, turn=30)
    played = play(3, 3, 4, 4, 5, 2)
    with played.dice:  # type: ignore[attr-defined]
        criticals.burn_to_the_end(fight, played)
    assert (out.status, out.fires, out.hits_struct) == (Status.AFLOAT, [], 2)
    assert lost.status is Status.EXPLODED and lost.hits_struct == 2
    keys = [e.data["key"] for e in events(played, "die")]
    assert len(keys) == len(set(keys)) == 6
