"""Fire, what it costs, who saves and who secures: each condition by itself. Rules: T.B9-T.B11, T.S5, T.N1, T.N4, T.O5, T.O6."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.rulesets.thomas import arcs, burning, damage, fire, masts
from battles.engine.rulesets.thomas.batteries import first_to_go
from battles.engine.rulesets.thomas.guns import Mount
from battles.engine.rulesets.thomas.play import Hit, Play
from battles.engine.rulesets.thomas.state import Battery, Status
from battles.engine.rulesets.thomas.tables import Arc, Gun, Kind
from tests.engine.thomas.builders import batteries, battle, done, events, play, revenge, ship

SHORT, MEDIUM, LONG = Gun.SHORT, Gun.MEDIUM, Gun.LONG
PORT, STARBOARD, AHEAD, ASTERN = Arc.PORT, Arc.STARBOARD, Arc.AHEAD, Arc.ASTERN


@pytest.mark.clause("T.N4", "T.N4a", "T.N4b", "T.O6a", "T.O6b")
@pytest.mark.parametrize(
    ("guns", "target", "may"),
    [
        (64, {"guns": 49}, False), (63, {"guns": 49}, True), (64, {"guns": 50}, True), (64, {"guns": 49, "has_fired": True}, True),
        (64, {"guns": 49, "kind": Kind.MERCHANT}, True), (10, {"struck": True}, False), (10, {"struck": True, "secured": True}, True),
        (10, {"prize_of": "ENG"}, False), (10, {"side": "ENG"}, False), (10, {"side": "ENG", "prize_of": "SPA"}, True),
        (10, {"status": Status.SUNK}, False),
        (64, {"guns": 0}, False),
    ],
    ids=str,
)  # fmt: skip
def test_a_ship_may_fire_only_on_some_ships(guns: int, target: dict[str, Any], may: bool) -> None:
    firer, other = ship("E1", guns=guns), revenge("S1", **{"guns": 74, **target})
    assert arcs.may_be_fired_on(battle(firer, other, nelson=True), firer, other) is may


@pytest.mark.clause("T.B10", "T.B10a", "T.B9a")
@pytest.mark.parametrize(
    ("mine", "place", "x", "y", "found"),
    [
        (Battery(SHORT, STARBOARD), STARBOARD, 4_000, 0, True), (Battery(SHORT, STARBOARD), STARBOARD, 4_001, 0, False),
        (Battery(MEDIUM, STARBOARD), STARBOARD, 8_000, 0, True), (Battery(MEDIUM, STARBOARD), STARBOARD, 8_001, 0, False),
        (Battery(LONG, STARBOARD), STARBOARD, 16_000, 0, True), (Battery(LONG, STARBOARD), STARBOARD, 16_001, 0, False),
        (Battery(LONG, AHEAD), AHEAD, 0, 16_000, True), (Battery(LONG, AHEAD), AHEAD, 0, 16_001, False),
        (Battery(LONG, ASTERN), ASTERN, 0, -8_000, True),
        (Battery(LONG, STARBOARD, lost=True), STARBOARD, 3_000, 0, False), (Battery(LONG, PORT), STARBOARD, 3_000, 0, False),
    ],
    ids=str,
)  # fmt: skip
def test_a_group_reaches_as_far_as_its_longest_remaining_gun(
    mine: Battery, place: Arc, x: int, y: int, found: bool
) -> None:
    firer, other = ship("E1", batteries=[mine]), revenge("S1", x=x, y=y)
    made = battle(firer, other)
    assert arcs.marks(made, firer, place) == ([other] if found else [])
    assert arcs.may_take(made, firer, other, place) is found
    assert set(arcs.bearing(made, firer)) == ({place} if found else set())


@pytest.mark.clause("T.B10", "T.O6b")
@pytest.mark.parametrize(
    ("change", "mark"),
    [
        ({}, True),
        ({"struck": True}, False),
        ({"struck": True, "secured": True}, True),
        ({"prize_of": "ENG"}, False),
    ],
    ids=str,
)
def test_struck_ships_and_friends_are_not_targets_and_mask_chase_guns_only_as_hulls(
    change: dict[str, Any], mark: bool
) -> None:
    firer = ship("E1", batteries=[*batteries(0, 0, 1), Battery(LONG, AHEAD)])
    near, far = revenge("S1", y=3_000, **change), revenge("S2", y=6_000)
    made = battle(firer, near, far, options={"block_line": False})
    assert arcs.marks(made, firer, AHEAD) == [near if mark else far]
    masked = battle(firer, near, far)
    assert arcs.marks(masked, firer, AHEAD) == ([near] if mark else [])


@pytest.mark.clause("T.B10a", "T.N4")
def test_a_silent_frigate_nearest_on_the_keel_line_is_still_the_only_ship_that_counts() -> None:
    firer = ship("E1", guns=74, batteries=[Battery(LONG, AHEAD)])
    made = battle(
        firer,
        revenge("S1", y=3_000, guns=38),
        revenge("S2", y=6_000, guns=74),
        nelson=True,
        options={"block_line": False},
    )
    assert arcs.marks(made, firer, AHEAD) == []


@pytest.mark.clause("T.B10e")
@pytest.mark.parametrize(("x", "y", "heading", "hidden"), [(3_000, 500, 0, True), (3_000, 501, 0, False), (3_000, 125, 9_000, True),
(3_000, 126, 9_000, False),
                                                          (5_500, 0, 9_000, True), (6_600, 400, 0, False),
                                                          (-700, 0, 9_000, False)])  # fmt: skip
def test_a_third_hull_masks_when_it_lies_across_the_line(x: int, y: int, heading: int, hidden: bool) -> None:
    firer, target = ship("E1"), revenge("S1", x=6_000)
    assert arcs.masked(battle(firer, target, ship("E2", x=x, y=y, heading=heading)), firer, target) is hidden
    assert not arcs.masked(battle(firer, target), firer, target)


@pytest.mark.clause("T.S5", "T.B9")
@pytest.mark.parametrize(
    ("halves", "dice"),
    [([False], "w"), ([True], "h"), ([True, True], "w"), ([True, True, True], "wh"), ([False, True], "wh"),
     ([False, True, True], "ww"), ([False, False], "ww"),
     ([True] * 4, "ww"), ([], "")],
)  # fmt: skip
def test_a_whole_battery_or_two_halves_throw_one_die_and_a_leftover_half_throws_one(
    halves: list[bool], dice: str
) -> None:
    mounted = tuple(Battery(LONG, STARBOARD, half) for half in halves)
    assert "".join("h" if half else "w" for _, half in fire._dice(mounted)) == dice
    mixed = fire._dice((Battery(LONG, PORT, True), Battery(SHORT, PORT, True), Battery(MEDIUM, PORT)))
    assert mixed == [(SHORT, True), (MEDIUM, False), (LONG, True)]


@pytest.mark.clause("T.B9", "T.S5", "T.B11d", "T.N1", "T.O2a")
@pytest.mark.parametrize(
    ("x", "faces", "hits", "close"),
    [(4_000, (4,), [(False, True)], True), (4_000, (3,), [], True), (4_001, (4,), [], False), (4_001, (5,), [(False, False)], False),
     (4_001, (6,), [(True, False)], False), (4_000, (6,), [(True, True)], True)],
)  # fmt: skip
def test_a_medium_battery_hits_from_four_close_and_from_five_at_long_range(
    x: int, faces: tuple[int, ...], hits: list[Any], close: bool
) -> None:
    firer, target = ship("E1", batteries=batteries(0, 1, 0)), revenge("S1", x=x)
    played = play(*faces)
    fire.first_fires(battle(firer, target), played)
    done(played)
    assert [(hit.six, hit.close) for hit in played.hits] == hits
    assert (target.fired_on_close, firer.hits_given, firer.fired_now, firer.has_fired) == (
        close,
        len(hits),
        True,
        True,
    )


@pytest.mark.clause("T.S5")
@pytest.mark.parametrize(("confirm", "hits"), [(3, 0), (4, 1)])
def test_a_half_battery_confirms_a_hit_from_four(confirm: int, hits: int) -> None:
    firer = ship("E1", batteries=[Battery(LONG, STARBOARD), Battery(LONG, STARBOARD, half=True)])
    played = play(1, 4, confirm)
    fire.first_fires(battle(firer, revenge("S1", x=6_000)), played)
    done(played)
    assert firer.hits_given == len(played.hits) == hits
    assert events(played, "volley")[0].data["dice"] == [["long", 1, None], ["long", 4, confirm]]
    assert [one.key for one in played.dice.throws] == ["T.B9/1/E1/starboard", "T.S5/1/E1/starboard/1"]  # type: ignore[attr-defined]


@pytest.mark.clause("T.O5b", "T.O5a")
@pytest.mark.parametrize(
    ("hands", "served"),
    [
        (0, []),
        (1, ["long"]),
        (2, ["long", "long"]),
        (3, ["medium", "long", "long"]),
        (4, ["short", "medium", "long", "long"]),
        (9, ["short", "medium", "long", "long"]),
    ],
)
def test_when_men_are_short_the_longest_guns_at_close_range_are_served_first(
    hands: int, served: list[str]
) -> None:
    mine = [
        Battery(SHORT, STARBOARD),
        Battery(MEDIUM, STARBOARD),
        Battery(LONG, STARBOARD),
        Battery(LONG, STARBOARD),
    ]
    firer = ship("E1", batteries=mine, crew_halves=2 * hands)
    made = battle(firer, revenge("S1", x=3_000))
    assert [
        one.gun.value for volley in fire.declare(made, play(), firer) for one in volley.batteries
    ] == served


@pytest.mark.clause("T.O5b")
def test_close_range_goes_before_long_whatever_the_type() -> None:
    firer = ship("E1", batteries=[Battery(LONG, PORT), Battery(SHORT, STARBOARD)], crew_halves=2)
    made = battle(firer, revenge("S1", x=3_000), revenge("S2", x=-9_000))
    assert [volley.arc for volley in fire.declare(made, play(), firer)] == [STARBOARD]


@pytest.mark.clause("T.O5a", "T.O5f")
@pytest.mark.parametrize(
    ("change", "men"),
    [({"crew_halves": 41}, 20), ({"crew_halves": 41, "under_sail": True}, 14), ({"crew_halves": 9, "under_sail": True}, 0),
     ({"crew_halves": 41, "under_sail": True, "tons": 601}, 13), ({"crew_halves": 14, "under_sail": True, "tons": 600}, 1)],
    ids=str,
)  # fmt: skip
def test_the_guns_have_the_remaining_men(change: dict[str, Any], men: int) -> None:
    one = ship("E1", **change)
    assert fire.gun_crews(battle(one), one) == men


@pytest.mark.clause("T.N1")
def test_only_hits_at_close_range_rake_and_only_after_1700() -> None:
    target = revenge("S1", heading=0)
    firer = ship(
        "E1", y=5_000, heading=9_000, batteries=[Battery(MEDIUM, STARBOARD), Battery(LONG, STARBOARD)]
    )
    for nelson in (True, False):
        played = play(5, 5)
        fire.first_fires(battle(firer, target, nelson=nelson), played)
        assert [hit.doubled for hit in played.hits] == [False, nelson]


MOUNTS = [
    Mount(SHORT, STARBOARD), Mount(LONG, PORT, half=True), Mount(SHORT, PORT), Mount(MEDIUM, ASTERN), Mount(SHORT, AHEAD),
    Mount(SHORT, ASTERN),
]  # fmt: skip


@pytest.mark.clause("T.B11a")
@pytest.mark.parametrize(
    ("covering", "only", "order"),
    [((), tuple(Arc), [1, 5, 4, 2, 0, 3]), ((PORT,), tuple(Arc), [5, 4, 0, 3, 1, 2]), ((), (STARBOARD,), [0, 1, 5, 4, 2, 3]),
     ((ASTERN, AHEAD), (ASTERN,), [5, 3, 1, 2, 0, 4]),
     ((), (), [1, 5, 4, 2, 0, 3])],
)  # fmt: skip
def test_an_owner_gives_up_batteries_in_order(
    covering: tuple[Arc, ...], only: tuple[Arc, ...], order: list[int]
) -> None:
    left, gone = dict(enumerate(MOUNTS)), []
    while (number := first_to_go(left.items(), covering=covering, only=only)) is not None:
        gone.append(number)
        del left[number]
    assert gone == order
    same = {n: Mount(LONG, PORT) for n in (4, 2, 7)}
    assert first_to_go(same.items()) == 2


def suffered(made: Any, *hits: Hit, faces: tuple[int, ...] = ()) -> Play:
    played = play(*faces)
    played.hits = list(hits)
    damage.suffer(made, played)
    done(played)
    return played


HIT, SIX, RAKE = (
    Hit("E1", "S1", False, False, True), Hit("E1", "S1", True, False, True), Hit("E1", "S1", True, True, True),
)  # fmt: skip


@pytest.mark.clause("T.B9b", "T.B11", "T.N1")
@pytest.mark.parametrize(
    ("shot", "due"),
    [((HIT,), (22, 88, 0)), ((SIX,), (22, 88, 1)), ((RAKE,), (21, 86, 2)), ((HIT, SIX, RAKE), (19, 82, 3))],
)
def test_a_hit_has_its_cost(shot: tuple[Hit, ...], due: tuple[int, int, int]) -> None:
    one = revenge("S1", x=9_000)
    played = suffered(battle(ship("E1"), one), *shot)
    assert (one.flot, one.crew_halves, sum(battery.lost for battery in one.batteries)) == due
    assert one.hits_taken == len(shot)
    assert events(played, "damage")[0].data == {
        "flot": due[0], "crew": due[1], "guard": 0, "captives": 0, "hits": len(shot), "quarters": 4 * (23 - due[0]) // 23
    }  # fmt: skip


@pytest.mark.clause("T.O5d", "T.O5e", "T.O6q")
@pytest.mark.parametrize(
    ("change", "left"),
    [
        ({"crew_halves": 46}, (44, 0, 0)), ({"crew_halves": 45}, (44, 0, 0)), ({"crew_halves": 44}, (43, 0, 0)),
        ({"crew_halves": 23}, (22, 0, 0)), ({"crew_halves": 22}, (22, 0, 0)),
        ({"crew_halves": 90, "captive_halves": 90}, (88, 90, 0)), ({"crew_halves": 40, "captive_halves": 60}, (39, 60, 0)),
        ({"prize_of": "ENG", "crew_halves": 0, "guard_halves": 20, "captive_halves": 26}, (0, 26, 18)),
        ({"prize_of": "ENG", "crew_halves": 0, "guard_halves": 20, "captive_halves": 25}, (0, 25, 19)),
        ({"prize_of": "ENG", "crew_halves": 0, "guard_halves": 12, "captive_halves": 11}, (0, 11, 11)),
        ({"prize_of": "ENG", "crew_halves": 0, "guard_halves": 12, "captive_halves": 10}, (0, 10, 12)),
        ({"prize_of": "ENG", "crew_halves": 0, "guard_halves": 1, "captive_halves": 80}, (0, 80, 0)),
    ],
    ids=str,
)  # fmt: skip
def test_one_hit_kills_the_right_number(change: dict[str, Any], left: tuple[int, int, int]) -> None:
    one = revenge("S1", x=9_000, **change)
    suffered(battle(ship("E1"), one), HIT)
    assert (one.crew_halves, one.captive_halves, one.guard_halves) == left


@pytest.mark.clause("T.O6p")
@pytest.mark.parametrize(
    ("crew", "captives", "hits", "left"),
    [
        (80, 79, 2, (76, 79)),
        (80, 80, 1, (78, 80)),
        (80, 80, 2, (78, 78)),
        (80, 80, 3, (76, 78)),
        (60, 90, 2, (58, 88)),
        (80, 0, 2, (76, 0)),
    ],
)
def test_captives_as_many_as_the_crew_share_its_losses_hit_by_hit(
    crew: int, captives: int, hits: int, left: tuple[int, int]
) -> None:
    one = revenge("S1", x=9_000, crew_halves=crew, captive_halves=captives)
    suffered(battle(ship("E1"), one), *[HIT] * hits)
    assert (one.crew_halves, one.captive_halves) == left


@pytest.mark.clause("T.O5j")
@pytest.mark.parametrize(
    ("gunners", "crews", "left"),
    [(2, True, (88, 1)), (1, True, (88, 0)), (0, True, (90, 0)), (2, False, (88, 2))],
)
def test_a_battery_shot_away_in_a_fight_takes_one_gunner_with_it(
    gunners: int, crews: bool, left: tuple[int, int]
) -> None:
    one, other = revenge("S1", gunners=gunners), ship("E2", y=250)
    made = battle(one, other, ship("E1", x=9_000), options={"opt_crews": crews})
    made.fasten(other, one).attacker = "E2"
    suffered(made, SIX)
    assert (one.crew_halves, one.gunners) == left
    damage.lose_battery(made, play(), one, None)
    assert (one.crew_halves, one.gunners) == left


@pytest.mark.clause("T.B9d", "T.O4j")
@pytest.mark.parametrize(
    ("change", "struck"),
    [
        ({}, True),
        ({"crew_halves": 1}, False),
        ({"prize_of": "ENG"}, False),
        ({"kind": Kind.GALLEY}, False),
        ({"kind": Kind.GALLEASSE}, False),
        ({"kind": Kind.PINNACE}, True),
    ],
    ids=str,
)
def test_a_ship_with_no_crew_of_her_own_strikes(change: dict[str, Any], struck: bool) -> None:
    one = revenge("S1", **{"crew_halves": 0, **change})
    played = play()
    damage.strike_when_empty(battle(ship("E1"), one, move=3), played, one)
    assert (one.struck, one.captor_side, one.struck_move) == ((True, "ENG", 3) if struck else (False, "", 0))
    assert len(events(played, "struck")) == int(struck)
    again = revenge("S1", crew_halves=0, struck=True, struck_move=1)
    damage.strike_when_empty(battle(ship("E1"), again, move=3), played, again)
    assert again.struck_move == 1


@pytest.mark.clause("T.N2", "T.N2a", "T.B5")
@pytest.mark.parametrize(
    ("thresholds", "faces", "end"),
    [((1,), (2,), "well"), ((1,), (1, 1), "gone"), ((1,), (1, 2), "fire"), ((2,), (6,), "well"), ((2,), (1, 1), "gone"), ((3,),
     (1,), "gone"), ((3,), (2,), "fire"), ((1, 2, 3), (2, 2, 6), "fire"),
     ((1, 2), (1, 3, 1, 1), "gone"), ((), (), "well")],
)  # fmt: skip
def test_the_magazine_is_tested_threshold_by_threshold(
    thresholds: tuple[int, ...], faces: tuple[int, ...], end: str
) -> None:
    one = ship("E1", fire_fails=2)
    played = play(*faces)
    burning.magazine(battle(one), played, one, thresholds)
    done(played)
    assert ("gone" if not one.afloat else "fire" if one.on_fire else "well") == end
    assert one.fire_fails == (0 if one.on_fire else 2)


@pytest.mark.clause("T.N2c", "T.N3a")
def test_a_burning_ship_keeps_her_count_and_a_blast_names_its_ship() -> None:
    one, two = ship("E1", on_fire=True, fire_fails=3), ship("E2")
    played = play()
    burning.set_alight(played, one, by="blast", of="S1")
    burning.set_alight(played, two, by="blast", of="S1")
    burning.set_alight(played, ship("E3"), by="magazine")
    assert (one.fire_fails, two.fire_fails) == (3, 0)
    assert [(event.ship, event.clause) for event in events(played, "alight")] == [
        ("E2", "T.N2c"),
        ("E3", "T.N2"),
    ]


@pytest.mark.clause("T.B5", "T.B5a", "T.B5d", "T.O2b")
@pytest.mark.parametrize(
    ("met", "due", "faces", "lost"),
    [
        (1, 1, (3,), 1),
        (1, 1, (4,), 0),
        (2, 1, (3,), 1),
        (2, 2, (4, 3), 1),
        (3, 1, (), 1),
        (3, 3, (4, 4), 1),
        (3, 3, (1, 1), 3),
        (3, 0, (), 0),
        (0, 0, (), 0),
    ],
)
def test_masts_fall_for_the_thresholds_met_in_this_turn(
    met: int, due: int, faces: tuple[int, ...], lost: int
) -> None:
    one = ship(thresholds_met=met, thresholds_due=due)
    made, played = battle(one, move=5), play(*faces)
    masts.fall(made, played)
    done(played)
    assert (one.masts_lost, one.thresholds_due, one.jury_since) == (lost, 0, 5 if lost else -1)


@pytest.mark.clause("T.O2b", "T.O2")
@pytest.mark.parametrize(
    ("change", "works"),
    [({}, True), ({"jury_used": True}, False), ({"jury_since": -1}, False), ({"jury_since": 3}, False), ({"jury_since": 2}, True),
     ({"masts_lost": 0}, False),
     ({"jury_since": 0}, True)],
    ids=str,
)  # fmt: skip
def test_only_some_turns_count_for_a_jury_mast(change: dict[str, Any], works: bool) -> None:
    one = ship(**{"masts_lost": 1, "jury_since": 1, "jury_count": 2, **change})
    made, played = battle(one, move=3), play()
    masts.jury(made, played)
    assert one.jury_count == (3 if works else 2)
    assert [event.data for event in events(played, "jury")] == ([{"count": 3, "up": False}] if works else [])
    made.fasten(one, ship("S1")).attacker = "S1"
    masts.jury(made, play())
    assert one.jury_count == (3 if works else 2)


@pytest.mark.clause("T.O2", "T.O2b")
def test_the_fifth_turn_raises_one_mast_and_no_second_is_begun() -> None:
    one = ship(masts_lost=2, jury_since=1, jury_count=4)
    played = play()
    masts.jury(battle(one, move=3), played)
    assert (one.masts_lost, one.jury_used, one.jury_count, one.jury_since) == (1, True, 0, -1)
    assert events(played, "jury")[0].data == {"count": 5, "up": True}
    masts._lose(battle(one, move=4), play(), one, "half")
    assert (one.masts_lost, one.jury_since) == (2, -1)


@pytest.mark.clause("T.O5a", "T.O5b", "T.S25")
@pytest.mark.parametrize(
    ("crews", "halves", "served"), [(True, 0, 0), (True, 8, 4), (True, 14, 7), (True, 120, 7), (False, 0, 7), (False, 120, 7)]
)  # fmt: skip
def test_where_crews_do_not_count_every_gun_that_bears_is_served(
    crews: bool, halves: int, served: int
) -> None:
    firer = ship("E1", crew_halves=halves)
    made = battle(firer, revenge("S1", x=3_000), options={"opt_crews": crews})
    assert sum(len(volley.batteries) for volley in fire.declare(made, play(), firer)) == served
