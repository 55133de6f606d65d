"""Who may fire at whom, and whom gunners choose. Rules: K.F1, K.F6, K.F17, K.F18, K.X14, K.AI7."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from battles.engine.rulesets.kohler import gunnery
from battles.engine.rulesets.kohler.play import Orders
from battles.engine.rulesets.kohler.state import LockKind, Status
from battles.engine.rulesets.kohler.view import View
from tests.engine.kohler.builders import battle, events, ship
from tests.engine.kohler.guns import enemy, fire


@pytest.mark.clause("K.F17")
@pytest.mark.parametrize(
    "state",
    [{"status": Status.SINKING}, {"prize_of": "DUT"}, {"fired": True}, {"gun_timers": [2] * 4}],
    ids=["sinking", "prize", "fired fire ship", "guns swept"],
)
def test_some_ships_cannot_fire(state: dict[str, object]) -> None:
    assert not gunnery.can_fire(ship(**state))


@pytest.mark.clause("K.F17")
@pytest.mark.parametrize(
    "state", [{"steps_lost": 3, "hits_struct": 17}, {"aground": True}, {"stacked": True}]
)
def test_damaged_grounded_and_stacked_ships_fire(state: dict[str, object]) -> None:
    assert gunnery.can_fire(ship(**state))


@pytest.mark.clause("K.F18")
@pytest.mark.parametrize(
    ("state", "fired_at"),
    [
        ({"status": Status.SINKING}, False),
        ({"prize_of": "DUT", "side": "ENG", "squadron": "E"}, True),
        ({"steps_lost": 3, "hits_struct": 17}, True),
        ({"fired": True, "is_fireship": True}, True),
    ],
    ids=["sinking", "prize", "disabled", "fired fire ship"],
)
def test_some_ships_cannot_be_fired_at(state: dict[str, object], fired_at: bool) -> None:
    fight = battle(ship(facing=0), enemy(**{"pos": (1, 0), **state}))
    assert bool(events(fire(fight, *([6] if fired_at else [])), "fire")) is fired_at


@pytest.mark.clause("K.F6", "K.0.7")
@pytest.mark.parametrize(
    ("friend", "masked"),
    [
        ({"id": "E2"}, True),
        ({"id": "D9", "side": "DUT", "prize_of": "ENG"}, True),
        ({"id": "E2", "status": Status.SINKING}, False),
        ({"id": "E2", "fired": True}, False),
    ],
    ids=["friend", "prize", "wreck", "fired fire ship"],
)
def test_no_ship_fires_into_a_hex_with_a_friend(friend: dict[str, object], masked: bool) -> None:
    other = ship(**{"pos": (1, 0), "fire_track": (0,) * 4, "placement": {"D1": "port"}, **friend})
    fight = battle(ship(facing=0), enemy(pos=(1, 0)), other)
    assert bool(events(fire(fight, *([] if masked else [6])), "fire")) is not masked


@pytest.mark.clause("K.X14", "K.F6")
def test_a_fire_ship_that_holds_a_friend_may_be_fired_at_from_elsewhere_but_not_by_the_held_ship() -> None:
    held = ship(id="E2", pos=(1, 0), fire_track=(0,) * 4)
    brander = enemy(pos=(1, 0), fired=True, is_fireship=True)
    fight = battle(ship(facing=0), held, brander)
    assert not events(fire(fight, 3), "fire"), "not locked yet"
    held.fire_track = (8, 6, 4, 2)
    fight.hold(LockKind.FIRE_SHIP, brander, held)
    shots = events(fire(fight, 6), "fire")
    assert [(e.ship, e.data["target"]) for e in shots] == [("E1", "D1")]


@pytest.mark.clause("K.X14")
def test_gunners_leave_their_own_fire_ship_alone_unless_ordered() -> None:
    brander = ship(id="E2", pos=(1, 0), fired=True, is_fireship=True)
    fight = battle(ship(facing=0), brander)
    assert not events(fire(fight), "fire")
    ordered = {"E1": Orders(targets={"starboard": "E2"})}
    assert events(fire(fight, 6, orders=ordered), "fire")[0].data["target"] == "E2"


class Adviser:
    """A captain who only points at targets."""

    name = "adviser"

    def __init__(self, **targets: str) -> None:
        self.wishes: Mapping[str, str] = targets
        self.asked: list[str] = []

    def targets(self, view: View, ship: str) -> Mapping[str, str]:
        self.asked.append(ship)
        return self.wishes


@pytest.mark.clause("K.AI7", "K.F1")
def test_the_nearest_ship_is_fired_at() -> None:
    fight = battle(ship(facing=0), enemy(pos=(3, 0)), enemy(id="D2", pos=(2, -1)))
    assert events(fire(fight, 6), "fire")[0].data["target"] == "D2"


@pytest.mark.clause("K.AI7")
def test_equally_near_targets_are_chosen_raked_first_then_the_flagship_then_by_list() -> None:
    def chosen(**second: object) -> str:
        one = enemy(id="D1", pos=(1, 0), squadron="A")
        two = enemy(**{"id": "D2", "pos": (1, -1), "squadron": "A", **second})
        fight = battle(ship(facing=0), one, two)
        one.is_flagship, two.is_flagship = False, bool(second.get("is_flagship"))
        return str(events(fire(fight, 6), "fire")[0].data["target"])

    assert chosen() == "D1"
    assert chosen(is_flagship=True) == "D2"
    assert chosen(facing=1) == "D2", "she lies with her stern to the guns"


@pytest.mark.clause("K.AI7")
def test_no_broadside_is_wasted_on_a_ship_already_finished() -> None:
    beaten = enemy(pos=(1, 0), steps_lost=3, hits_struct=20, hull_max=22)
    whole = enemy(id="D2", pos=(1, -1), facing=3)
    crowd = [ship(id=f"E{n}", facing=0, fire_track=(22, 16, 10, 4)) for n in range(1, 6)]
    fight = battle(*crowd, beaten, whole)
    shots = events(fire(fight, 6, 6, 6, 6, 6), "fire")
    assert [e.data["target"] for e in shots[:1]] == ["D1"]
    assert {e.data["target"] for e in shots} == {"D1", "D2"}


@pytest.mark.clause("K.AI7")
def test_gunners_prefer_a_better_distant_target_only_once_the_near_one_is_finished() -> None:
    near = enemy(pos=(1, 0), facing=5, guns=90, band=90)
    far = enemy(id="D2", pos=(2, -1), steps_lost=0, guns=36, band=30, n_steps=3, is_flagship=True)
    guns = {"facing": 0, "fire_track": (22, 16, 10, 4)}
    fight = battle(*(ship(id=f"E{n}", **guns) for n in range(1, 4)), near, far)
    assert [e.data["target"] for e in events(fire(fight, 6, 6, 6), "fire")] == ["D1", "D1", "D1"]
    near.steps_lost = 3
    beaten = battle(*(ship(id=f"E{n}", **guns) for n in range(1, 6)), near, far)
    shots = [e.data["target"] for e in events(fire(beaten, 6, 6, 6, 6, 6), "fire")]
    assert shots[0] == "D1" and shots[-1] == "D2"


@pytest.mark.clause("K.F1")
def test_an_order_names_the_target_or_holds_fire() -> None:
    far = enemy(id="D2", pos=(3, -1))
    fight = battle(ship(facing=0), enemy(pos=(1, 0)), far)
    ordered = {"E1": Orders(targets={"starboard": "D2"})}
    fight.options["lof_blocking"] = False
    assert events(fire(fight, 6, orders=ordered), "fire")[0].data["target"] == "D2"
    assert not events(fire(fight, orders={"E1": Orders(targets={"starboard": ""})}), "fire")


@pytest.mark.clause("K.F1")
@pytest.mark.parametrize(
    ("target", "code"),
    [
        ("D9", "order/no-target"),
        ("E1", "order/no-target"),
        ("D3", "order/no-target"),
        ("D2", "order/out-of-arc"),
        ("D4", "order/masked"),
        ("D5", "order/friend"),
        ("E3", "order/friend"),
    ],
)
def test_an_order_that_cannot_be_fired_is_refused_and_the_gunners_choose(target: str, code: str) -> None:
    fight = battle(
        ship(facing=0),
        enemy(pos=(1, 0)),
        enemy(id="D2", pos=(-1, 0)),
        enemy(id="D3", pos=(2, 1), status=Status.SINKING),
        enemy(id="D4", pos=(2, 0)),
        enemy(id="D5", pos=(1, -1)),
        ship(id="E2", pos=(1, -1), fire_track=(0,) * 4),
        ship(id="E3", fire_track=(0,) * 4),
    )
    played = fire(fight, 3, 6, 6, orders={"E1": Orders(targets={"starboard": target})})
    refused = events(played, "refused")
    assert [(e.ship, e.data["token"], e.data["code"]) for e in refused] == [
        ("E1", f"starboard>{target}", code)
    ]
    assert [e.data["target"] for e in events(played, "fire")] == ["D2", "D1"]


@pytest.mark.clause("K.F1")
def test_a_captain_is_asked_about_fire_without_orders_only_when_an_enemy_is_in_sight_of_the_guns() -> None:
    firer, near, far = ship(facing=0), enemy(pos=(1, 0)), enemy(id="D2", pos=(3, -1))
    fight = battle(firer, near, far, options={"lof_blocking": False})
    views = {"ENG": View(fight, "ENG")}

    def shots(captain: Adviser, *faces: int, **over: object) -> list[str]:
        played = fire(fight, *faces, captains={"ENG": captain}, views=views, **over)
        return [str(e.data["target"]) for e in events(played, "fire")]

    assert shots(Adviser(starboard="D2"), 6) == ["D2"]
    assert shots(Adviser(starboard="")) == []
    assert shots(Adviser(), 6) == ["D1"]
    assert shots(Adviser(starboard="D9"), 6) == ["D1"]
    ordered = Adviser(starboard="D2")
    assert shots(ordered, 6, orders={"E1": Orders(targets={"port": "", "starboard": "D1"})}) == ["D1"]
    assert ordered.asked == []
    firer.facing = 3
    idle = Adviser(starboard="D2")
    far.status = near.status = Status.SINKING
    assert shots(idle) == [] and idle.asked == []
