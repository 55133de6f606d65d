"""The end of a battle and its outcome. Rules: K.G4-K.G7, K.G11, K.G26, K.G27, G.BT3."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.core.fates import Fate, Flag
from battles.engine.core.outcome import Outcome
from battles.engine.rulesets.kohler import closing, damage
from battles.engine.rulesets.kohler.state import Battle, Helm, LockKind, Ship, Status
from tests.engine.kohler.builders import battle, events, play, ship

FAR = (40, 0)


def close(fight: Battle, *faces: int, gale: bool = False) -> Any:
    """Play the end of a battle with these faces and see that none is left over."""
    played = play(*faces)
    with played.dice:  # type: ignore[attr-defined]
        closing.after_battle(fight, played, gale)
    return played


def ended(*ships: Ship, **over: object) -> Battle:
    return battle(*ships, **{"ended": "nightfall", "turn": 30, **over})  # type: ignore[arg-type]


@pytest.mark.clause("K.G27", "K.G4")
def test_a_gale_separates_all_ships_without_dice_and_no_crippled_ships_are_taken() -> None:
    one, other = ship(hits_struct=17, steps_lost=3), ship(id="D1", side="DUT")
    fight = ended(one, other, ended="gale")
    fight.hold(LockKind.GRAPPLE, other, one)
    close(fight, gale=True)
    assert not fight.locks and not one.locks and not one.prize_of


@pytest.mark.clause("K.G27", "K.G10")
def test_otherwise_boardings_are_fought_out_first() -> None:
    weak, strong = ship(hits_struct=21, steps_lost=3), ship(id="D1", side="DUT")
    fight = ended(weak, strong)
    fight.hold(LockKind.GRAPPLE, strong, weak)
    played = close(fight, 3, 3, 3, 3)
    assert weak.prize_of == "DUT" and not fight.locks
    kinds = [event.kind for event in played.log.events]
    assert kinds.index("boarding") < kinds.index("captured") < kinds.index("officer")


@pytest.mark.clause("K.G27", "K.G5", "K.G12")
@pytest.mark.parametrize("gale", [False, True])
def test_fires_are_resolved_before_crippled_ships_are_taken_with_or_without_a_gale(gale: bool) -> None:
    burning = ship(hits_struct=16, steps_lost=2, fires=[29])
    foe = ship(id="D1", side="DUT", pos=(5, 0))
    fight = ended(burning, foe)
    # The point that burns away is her third step: checked without effect, and she is disabled by then.
    close(fight, 3, 3, 4, 5, gale=gale)
    assert burning.fires == [] and burning.disabled
    assert bool(burning.prize_of) is not gale


@pytest.mark.clause("K.G5", "K.G27", "K.X14")
def test_fired_fire_ships_are_expended() -> None:
    brander, held = ship(fired=True, is_fireship=True), ship(id="D1", side="DUT", pos=(0, 0))
    fight = ended(brander, held)
    fight.hold(LockKind.FIRE_SHIP, brander, held)
    close(fight)
    entry = closing.outcome(fight).ship("E1")
    assert (entry.fate, entry.cause) == (Fate.BURNT, "fire ship")
    assert not held.locks


@pytest.mark.clause("K.G27")
def test_marks_that_do_not_outlive_the_battle_are_cleared() -> None:
    one, other = ship(), ship(id="E2")
    one.helm, one.gun_timers, one.in_irons_last_turn, one.caught_in_irons = Helm.PORT, [2], True, True
    one.stacked = other.stacked = True
    fight = ended(one, other)
    fight.hold(LockKind.TANGLE, one, other)
    close(fight)
    assert (one.helm, one.gun_timers, one.in_irons_last_turn, one.caught_in_irons) == (
        Helm.SOUND,
        [],
        False,
        False,
    )
    assert not one.stacked and not other.stacked and not fight.locks


# --- flag officers


@pytest.mark.clause("K.G11")
@pytest.mark.parametrize(("die", "fate"), [(1, "killed"), (3, "killed"), (4, "wounded"), (6, "wounded")])
def test_the_fate_of_a_hit_flag_officer_is_thrown_for(die: int, fate: str) -> None:
    one = ship()
    fight = ended(one)
    fight.squadrons["ENG-1"].officer = "Monck"
    damage.strike_flag_officer(fight, play(), one)
    played = close(fight, die)
    told = closing.outcome(fight).officers
    assert [(o.name, o.ship, o.fate, o.clause) for o in told] == [("Monck", "E1", fate, "K.G11")]
    assert events(played, "officer")[0].data == {"officer": "Monck", "fate": fate}


@pytest.mark.clause("K.G11")
@pytest.mark.parametrize(("die", "fate"), [(1, "killed"), (2, "killed"), (3, "unhurt"), (6, "unhurt")])
def test_a_flag_officer_of_a_sinking_ship_is_saved_on_three_or_more(die: int, fate: str) -> None:
    one, other = ship(), ship(id="E2", pos=FAR)
    fight = ended(one, other)
    fight.squadrons["ENG-1"].officer = "Berkeley"
    damage.sink(fight, play(), one, clause="K.F14")
    fight.squadrons["ENG-1"].flagship, fight.squadrons["ENG-1"].flag_lost = "E2", True
    close(fight, die)
    assert [(o.ship, o.fate) for o in closing.outcome(fight).officers] == [("E1", fate)]


@pytest.mark.clause("K.G11")
@pytest.mark.parametrize(
    ("end", "faces", "fate"),
    [
        ("sink", (2,), "killed"), ("sink", (5, 2), "killed"), ("sink", (5, 3), "wounded"),
        ("capture", (3,), "killed"), ("capture", (4,), "captured"), ("explode", (), "killed"),
    ],
)  # fmt: skip
def test_a_flag_officer_hit_before_the_end_of_the_ship_is_handled(
    end: str, faces: tuple[int, ...], fate: str
) -> None:
    one, foe = ship(), ship(id="D1", side="DUT", pos=FAR)
    fight = ended(one, foe)
    fight.squadrons["ENG-1"].officer = "Myngs"
    damage.strike_flag_officer(fight, play(), one)
    if end == "sink":
        damage.sink(fight, play(), one, clause="K.F14")
    elif end == "capture":
        damage.capture(fight, play(), one, foe)
    else:
        damage.explode(fight, play(), one)
    close(fight, *faces)
    assert [o.fate for o in closing.outcome(fight).officers] == [fate]


@pytest.mark.clause("K.G11")
def test_officers_with_nothing_to_fear_throw_nothing_and_unnamed_ones_are_not_listed() -> None:
    one, other = ship(), ship(id="E2", squadron="ENG-2", pos=FAR)
    fight = ended(one, other)
    fight.squadrons["ENG-1"].officer = "Monck"
    close(fight)
    told = closing.outcome(fight).officers
    assert [(o.name, o.fate, o.clause) for o in told] == [("Monck", "unhurt", "")]


# --- the outcome


@pytest.mark.clause("K.G6", "K.G7", "G.BT3")
@pytest.mark.parametrize(
    ("state", "fate", "flags"),
    [
        ({}, Fate.AFLOAT, set()),
        ({"status": Status.SINKING}, Fate.SUNK, set()),
        ({"status": Status.EXPLODED}, Fate.BLOWN_UP, set()),
        ({"status": Status.BURNT}, Fate.BURNT, set()),
        ({"status": Status.WRECKED}, Fate.WRECKED, set()),
        ({"status": Status.GONE}, Fate.AFLOAT, {Flag.WITHDREW}),
        ({"status": Status.EXPECTED}, Fate.AFLOAT, set()),
        ({"prize_of": "DUT"}, Fate.CAPTURED, set()),
        ({"prize_of": "DUT", "status": Status.GONE}, Fate.CAPTURED, set()),
        ({"prize_of": "DUT", "status": Status.SINKING}, Fate.SUNK, set()),
        ({"prize_of": "ENG"}, Fate.AFLOAT, set()),
        ({"aground": True}, Fate.AFLOAT, {Flag.AGROUND}),
        ({"hits_struct": 17, "steps_lost": 3}, Fate.AFLOAT, {Flag.DISABLED}),
    ],
)
def test_fates_are_given_in_the_words_that_all_rule_sets_share(
    state: dict[str, Any], fate: Fate, flags: set[Flag]
) -> None:
    entry = closing.outcome(ended(ship(**state))).ship("E1")
    assert (entry.fate, entry.flags) == (fate, frozenset(flags))


@pytest.mark.clause("K.G6", "K.G7", "K.G21", "G.PR1")
def test_a_prize_is_handed_over_with_captor_prisoners_and_the_crew_she_takes() -> None:
    taken = ship(hits_struct=11, steps_lost=2, prize_of="DUT", captor_ship="D1", hits_given=4, hits_taken=11)
    entry = closing.outcome(ended(taken, ship(id="D1", side="DUT"))).ship("E1")
    assert (entry.side, entry.captor, entry.captor_ship) == ("ENG", "DUT", "D1")
    assert (entry.prisoners, entry.prize_crew) == (150, 50)
    assert (entry.hits_given, entry.hits_taken) == (4, 11)
    assert entry.condition == {"schema": 1, "hits_struct": 11, "hits_board": 0, "flag_officer_ok": True}


@pytest.mark.clause("K.B25", "K.G7")
def test_a_retaken_ship_is_no_ones_prize() -> None:
    entry = closing.outcome(ended(ship(prize_of="ENG", captor_ship="E2"))).ship("E1")
    assert (entry.captor, entry.captor_ship, entry.prisoners, entry.cause) == ("", "", 0, "retaken")


@pytest.mark.clause("K.G6")
def test_structural_and_boarding_losses_are_returned_separately_with_the_last_position() -> None:
    entry = closing.outcome(ended(ship(hits_struct=3, hits_board=2, pos=(4, -1)))).ship("E1")
    assert (entry.condition["hits_struct"], entry.condition["hits_board"]) == (3, 2)
    assert entry.position == (4, -1)
    assert closing.outcome(ended(ship(status=Status.EXPECTED))).ship("E1").position is None


@pytest.mark.clause("K.G26", "K.G25", "G.BT3")
def test_the_outcome_gives_turns_time_and_wind_and_omits_no_ship() -> None:
    ships = [ship(id=f"E{n}", pos=(n, 0)) for n in range(5)]
    fight = ended(*ships, wind=4, north=345, turn=12)
    told = closing.outcome(fight)
    assert [entry.ship for entry in told.ships] == [one.id for one in ships]
    assert (told.turns, told.minutes, told.ended) == (12, 360, "nightfall")
    assert told.wind == {"towards": 225, "strength": "moderate"}
    assert Outcome.from_dict(told.to_dict()) == told


@pytest.mark.clause("G.BT3")
def test_the_field_is_held_by_the_only_side_that_can_still_make_sail_on_it() -> None:
    one, foe = ship(), ship(id="D1", side="DUT", pos=(5, 0))
    assert closing.outcome(ended(one, foe)).held_field == ""
    for state in ({"status": Status.GONE}, {"prize_of": "ENG"}, {"hits_struct": 17, "steps_lost": 3}):
        beaten = ship(id="D1", side="DUT", pos=(5, 0), **state)
        assert closing.outcome(ended(one, beaten)).held_field == "ENG"


def test_an_unfinished_battle_has_no_outcome() -> None:
    with pytest.raises(ValueError, match="is not over"):
        closing.outcome(battle(ship()))
