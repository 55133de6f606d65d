"""After the last turn, and the outcome. Rules: T.C12, T.C14-T.C23, T.C36, G.AF1, G.BT3."""

from __future__ import annotations

import pytest

from battles.engine.core.fates import Fate, Flag
from battles.engine.core.outcome import Outcome
from battles.engine.rulesets.thomas import closing, surrender
from battles.engine.rulesets.thomas.state import Adrift, Battle, Rig, Ship, Status
from battles.engine.rulesets.thomas.tables import WindForce
from tests.engine.thomas.builders import battle, done, events, play, revenge, ship


def ended(*ships: Ship, **over: object) -> Battle:
    made = battle(*ships, ended="nightfall", **over)
    made.move = 4
    return made


def settled(made: Battle, *faces: int) -> Outcome:
    """After the battle with these dice, all of them thrown."""
    played = play(*faces)
    closing.after_battle(made, played)
    done(played)
    return closing.outcome(made)


@pytest.mark.clause("T.C19", "T.C36")
def test_a_boarding_stopped_by_night_is_fought_out_and_no_one_parts_by_choice() -> None:
    one = ship("E1", crew_halves=40, gunners=3)
    other = revenge("S1", x=300, crew_halves=42)
    made = ended(one, other)
    made.fasten(one, other).attacker = "E1"
    # 20 against 21: a round without a decision (morale 4), though a captain might have withdrawn, then the attackers prevail.
    first = (1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 4)
    second = (1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 6)
    played = play(*first, *second)
    closing.after_battle(made, played)
    done(played)
    assert [event.data["result"] for event in events(played, "morale")] == ["on", "defender"]
    assert [event.data["part"] for event in events(played, "round")] == [1, 2, 1, 2]
    entry = closing.outcome(made).ship("S1")
    assert (entry.fate, entry.captor, entry.captor_ship) == (Fate.CAPTURED, "ENG", "E1")
    assert not one.grapples and not made.grapples
    keys = [one.key for one in played.dice.throws]  # type: ignore[attr-defined]
    assert len(keys) == len(set(keys))


@pytest.mark.clause("T.C19")
def test_boarders_repelled_after_the_battle_are_merely_apart() -> None:
    one, other = ship("E1", crew_halves=20), revenge("S1", x=300, crew_halves=20)
    made = ended(one, other)
    made.fasten(one, other).attacker = "E1"
    outcome = settled(made, 1, 1, 1, 1, 1, 1, 1, 1, 2)
    assert {entry.fate for entry in outcome.ships} == {Fate.AFLOAT}
    assert not made.grapples


@pytest.mark.clause("T.C17", "T.C36", "T.N2c")
def test_fires_are_thrown_to_the_end_at_once_round_by_round() -> None:
    one = ship("E1", on_fire=True, fire_fails=3)
    near = ship("E2", x=2_900)
    far = revenge("S1", x=-3_100)
    made = ended(one, near, far)
    # E1 fails twice more and blows up in the second round; E2, 2.9 inches off, is alight and puts it out in the third.
    outcome = settled(made, 4, 4, 5)
    assert outcome.ship("E1").fate is Fate.BLOWN_UP
    assert (near.on_fire, near.afloat, far.on_fire) == (False, True, False)
    assert one.crew_halves == 0


@pytest.mark.clause("T.C12", "T.O6h", "T.C11")
def test_a_struck_ship_falls_to_the_side_left_holding_the_water() -> None:
    prize = revenge("S1", x=9_000, struck=True, captor_side="ENG", detail="E1")
    far = revenge("S2", x=40_000, status=Status.WITHDRAWN)
    one = ship("E1", complement=240)
    outcome = settled(ended(one, ship("E2", x=8_000), prize, far))
    entry = outcome.ship("S1")
    # A fifth of 45 men and a hundredth of 450 tons, up: 14, of a crew point of 4 men.
    assert (entry.fate, entry.captor, entry.captor_ship, entry.prize_crew) == (
        Fate.CAPTURED,
        "ENG",
        "E1",
        56,
    )
    assert (one.crew, prize.captives, prize.prize_crew) == (46, 45, 14)
    assert outcome.held_field == "ENG"


@pytest.mark.clause("T.C12")
def test_a_ship_that_can_spare_the_men_sends_them() -> None:
    prize = revenge("S1", x=9_000, struck=True, captor_side="ENG")
    near = ship("E2", x=8_500, crew_halves=26)
    made = ended(ship("E1"), near, prize)
    settled(made)
    assert (prize.captor_ship, near.crew) == ("E1", 13)


@pytest.mark.clause("T.C12", "T.C22")
def test_where_both_sides_hold_the_water_a_struck_ship_rejoins_her_own_side_dishonoured() -> None:
    prize = revenge("S1", x=9_000, struck=True, captor_side="ENG", captor_ship="E1")
    outcome = settled(ended(ship("E1"), prize, revenge("S2", x=20_000)))
    entry = outcome.ship("S1")
    assert (entry.fate, entry.captor, outcome.held_field) == (Fate.AFLOAT, "", "")
    assert entry.condition["dishonoured"] is True
    assert entry.condition["crew_halves"] == 90


@pytest.mark.clause("T.C12")
def test_a_struck_ship_whose_own_side_holds_the_water_is_brought_back_in_honour() -> None:
    prize = revenge("S1", x=9_000, struck=True, captor_side="ENG", crew_halves=10)
    outcome = settled(
        ended(ship("E1", masts_lost=2), ship("E2", x=50_000, struck=True), prize, revenge("S2", x=20_000))
    )
    assert outcome.held_field == "SPA"
    entry = outcome.ship("S1")
    assert (entry.fate, entry.condition["dishonoured"]) == (Fate.AFLOAT, False)
    assert prize.crew == 5 + 6
    assert outcome.ship("E2").fate is Fate.CAPTURED


@pytest.mark.clause("T.C14", "T.O6l", "T.C36")
@pytest.mark.parametrize(("face", "fate"), [(3, Fate.CAPTURED), (4, Fate.AFLOAT)])
def test_captives_under_a_weak_guard_rise_once_when_all_is_over(face: int, fate: Fate) -> None:
    prize = revenge(
        "S1", prize_of="ENG", secured=True, crew_halves=0, captive_halves=80, guard_halves=14,
        captor_side="ENG", captor_ship="E1", guard_from="E1", status=Status.WITHDRAWN,
    )  # fmt: skip
    made = ended(ship("E1"), prize, revenge("S2", x=20_000))
    outcome = settled(made, face)
    assert outcome.ship("S1").fate is fate
    assert prize.captives_tried is True
    assert (prize.crew, prize.captives) == ((40, 7) if fate is Fate.AFLOAT else (0, 40))


@pytest.mark.clause("T.C20", "T.C21", "T.O6o")
def test_crews_of_wrecks_are_ashore_and_captives_in_lost_ships_are_removed() -> None:
    wreck = ship("E1", status=Status.WRECKED, crew_halves=50, captive_halves=10)
    gone = ship("E2", status=Status.FOUNDERED, flot=0, crew_halves=0, captive_halves=8)
    made = ended(wreck, gone, ship("E3"), revenge("S1", x=20_000))
    played = play()
    closing.after_battle(made, played)
    assert [(event.ship, event.data) for event in events(played, "after")] == [
        ("E1", {"what": "ashore", "men": 60})
    ]
    outcome = closing.outcome(made)
    assert (outcome.ship("E1").fate, outcome.ship("E2").fate) == (Fate.WRECKED, Fate.FOUNDERED)
    assert outcome.ship("E1").condition["captive_halves"] == 10
    assert outcome.ship("E2").condition["captive_halves"] == 0


@pytest.mark.clause("T.C36", "T.C10")
def test_temporary_marks_are_cleared_after_a_battle_and_tows_stay() -> None:
    one = ship(
        "E1", in_irons=True, anchored=True, boats_out=True, has_fired=True, gunners=4, breaking_off=True,
        adrift=Adrift.HOVE_TO, rig=Rig.OARS, heave_to_next=True, rescue_next=True, towing="E2", jury_count=3,
    )  # fmt: skip
    tow = ship("E2", x=-2_000, towed_by="E1", masts_lost=2)
    made = ended(one, tow, revenge("S1", x=20_000))
    settled(made)
    assert not (one.in_irons or one.anchored or one.boats_out or one.has_fired or one.breaking_off)
    assert (one.gunners, one.adrift, one.rig, one.heave_to_next, one.rescue_next) == (
        0,
        Adrift.NONE,
        Rig.SAIL,
        False,
        False,
    )
    assert (one.towing, tow.towed_by) == ("E2", "E1")
    assert closing.outcome(made).ship("E2").condition["towed_by"] == "E1"
    assert closing.outcome(made).ship("E1").condition["jury_minutes"] == 270


@pytest.mark.clause("T.C23", "T.C3", "T.C35", "G.BT3")
def test_the_outcome_has_hours_wind_and_an_entry_for_every_ship_in_the_order_of_sailing() -> None:
    ships = (
        ship("E2", status=Status.BEACHED),
        ship("E1", status=Status.WITHDRAWN, x=5, y=-7, hits_given=3, hits_taken=2),
        ship("E3", x=3_000, masts_lost=2),
        ship("E4", status=Status.EXPECTED),
        revenge("S1", x=20_000, status=Status.SUNK, flot=0, cause="sunk by gunfire"),
        revenge("S2", x=30_000),
    )
    made = ended(*ships, wind_from=9_000, strength=WindForce.STRONG)
    outcome = settled(made)
    assert [entry.ship for entry in outcome.ships] == ["S1", "S2", "E2", "E1", "E3", "E4"]
    assert (outcome.turns, outcome.minutes, outcome.ended) == (4, 360, "nightfall")
    assert outcome.wind == {"towards": 270, "strength": "strong"}
    fates = {entry.ship: (entry.fate, entry.flags) for entry in outcome.ships}
    assert fates == {
        "E1": (Fate.AFLOAT, {Flag.WITHDREW}), "E2": (Fate.WRECKED, frozenset()), "E3": (Fate.AFLOAT, {Flag.DISABLED}),
        "E4": (Fate.AFLOAT, frozenset()), "S1": (Fate.SUNK, frozenset()), "S2": (Fate.AFLOAT, frozenset()),
    }  # fmt: skip
    first = outcome.ship("E1")
    assert (first.position, first.hits_given, first.hits_taken) == ((5, -7), 3, 2)
    assert outcome.ship("E4").position is None
    assert outcome.ship("S1").cause == "sunk by gunfire"
    assert outcome.held_field == "SPA"


def test_an_unfinished_battle_has_no_outcome() -> None:
    with pytest.raises(ValueError, match="not over"):
        closing.outcome(battle(ship()))


@pytest.mark.clause("G.AF1", "T.C36")
@pytest.mark.parametrize(
    ("flagship", "faces", "fate"),
    [
        ({}, (), "unhurt"),
        ({"flot": 22}, (2,), "unhurt"),
        ({"flot": 22}, (1, 3), "killed"),
        ({"flot": 15}, (2, 4), "wounded"),
        ({"status": Status.BLOWN_UP, "flot": 20}, (), "killed"),
        ({"prize_of": "SPA", "secured": True, "flot": 15}, (3,), "captured"),
        ({"prize_of": "SPA", "secured": True, "flot": 15}, (2, 4), "captured"),
        ({"status": Status.SUNK, "flot": 0}, (4, 6, 3), "wounded"),
        ({"status": Status.SUNK, "flot": 0}, (4, 6, 2), "killed"),
        ({"status": Status.SUNK, "flot": 0}, (5, 3), "unhurt"),
        ({"status": Status.FOUNDERED, "flot": 0}, (5, 2), "killed"),
        ({"status": Status.WRECKED, "flot": 30}, (), "unhurt"),
    ],
)
def test_a_flag_officer_has_a_sixth_of_a_chance_to_be_hit_per_quarter_of_the_ship(
    flagship: dict[str, object], faces: tuple[int, ...], fate: str
) -> None:
    made = ended(ship("E1", **flagship), ship("E2", x=9_000), revenge("S1", x=20_000))
    made.squadrons["ENG-1"].officer = "Lord Howard"
    (officer,) = settled(made, *faces).officers
    assert (officer.name, officer.ship, officer.fate, officer.clause) == ("Lord Howard", "E1", fate, "G.AF1")


@pytest.mark.clause("T.C21", "T.C30")
def test_the_original_crew_of_a_wrecked_prize_are_the_captives_in_her() -> None:
    taken = {"prize_of": "ENG", "secured": True, "crew_halves": 0, "captive_halves": 60, "guard_halves": 20}
    prize = revenge("S1", status=Status.WRECKED, complement=180, **taken)
    wreck = ship("E1", status=Status.WRECKED, crew_halves=60, complement=240)
    outcome = settled(ended(prize, wreck, ship("E2", x=9_000), revenge("S2", x=20_000)))
    assert [(entry.fate, entry.men) for entry in (outcome.ship("S1"), outcome.ship("E1"))] == [
        (Fate.WRECKED, 120),
        (Fate.WRECKED, None),
    ]


@pytest.mark.clause("T.O5h", "T.C15", "T.C36")
def test_people_rescued_from_an_enemy_are_handed_over_as_prisoners_and_are_not_part_of_the_ship() -> None:
    rescuer = ship("E1", captive_halves=20, complement=240)
    entry = settled(ended(rescuer, revenge("S1", x=20_000))).ship("E1")
    assert (entry.fate, entry.prisoners, entry.men) == (Fate.AFLOAT, 40, 240)
    assert entry.condition["captive_halves"] == 0


@pytest.mark.clause("T.O6g", "T.O6i")
def test_a_prize_her_captors_brought_along_and_lose_again_carries_their_guard_as_captives() -> None:
    prize = revenge("S1", prize_of="SPA", secured=False, struck=True, captor_side="ENG", crew_halves=0,
                    captive_halves=20, guard_halves=12)  # fmt: skip
    settled(ended(ship("E1", x=500), prize))
    assert (prize.prize_of, prize.captive_halves) == ("ENG", 12)
    assert prize.guard_halves >= 20


@pytest.mark.clause("T.O6m", "T.C14")
def test_captives_of_a_prize_her_captors_brought_along_take_her_over_to_the_enemy() -> None:
    prize = revenge("S1", prize_of="SPA", secured=True, crew_halves=0, captive_halves=80, guard_halves=14)
    made = ended(ship("E1", x=30_000), prize, revenge("S2", x=20_000))
    entry = settled(made, 4).ship("S1")
    assert (entry.fate, entry.captor, entry.captor_ship) == (Fate.CAPTURED, "ENG", "")
    assert (entry.condition["guard_halves"], entry.condition["captive_halves"]) == (80, 14)


@pytest.mark.clause("T.C30", "G.PR2", "G.CR1")
def test_the_outcome_counts_heads_and_says_whose_captives_have_risen_already() -> None:
    prize = revenge(
        "S1", prize_of="ENG", secured=True, crew_halves=0, captive_halves=60, guard_halves=20, captives_tried=True,
        captor_side="ENG", captor_ship="E1", guard_from="E1", complement=180,
    )  # fmt: skip
    outcome = settled(ended(ship("E1", crew_halves=90, complement=240), prize, revenge("S2", x=20_000)))
    own, taken = outcome.ship("E1"), outcome.ship("S1")
    assert (own.men, own.tried, own.prize_crew) == (180, False, 0)
    assert (taken.men, taken.tried, taken.prize_crew, taken.prisoners) == (None, True, 40, 120)
    rows = {row["ship"]: row for row in outcome.to_dict()["ships"]}
    assert "men" not in rows["S1"] and "tried" not in rows["E1"]
    assert Outcome.from_dict(outcome.to_dict()) == outcome


@pytest.mark.clause("G.AF1", "T.C36")
@pytest.mark.parametrize(
    ("flagship", "faces", "fates", "keys"),
    [
        ({}, (), [], []),
        ({"flot": 22}, (2,), [], ["G.AF1/4/E1"]),
        ({"flot": 22}, (1, 3), ["killed"], ["G.AF1/4/E1", "G.AF1/4/E1/hit"]),
        ({"status": Status.SUNK, "flot": 0}, (4, 6, 3), ["wounded"], ["G.AF1/4/E1", "G.AF1/4/E1/hit", "G.AF1/4/E1/saved"]),
        ({"status": Status.BLOWN_UP}, (), ["killed"], []),
        ({"prize_of": "SPA", "secured": True}, (), ["captured"], []),
        ({"status": Status.EXPECTED, "flot": 0}, (), [], []),
    ],
)  # fmt: skip
def test_only_what_happened_to_an_officer_is_reported_and_each_throw_has_its_own_dice(
    flagship: dict[str, object], faces: tuple[int, ...], fates: list[str], keys: list[str]
) -> None:
    made = ended(ship("E1", **flagship), ship("E2", x=9_000), revenge("S1", x=20_000))
    made.squadrons["ENG-1"].officer = "Lord Howard"
    played = play(*faces)
    closing._officers_luck(made, played)
    assert [(event.ship, event.data) for event in events(played, "officer")] == [
        ("E1", {"officer": "Lord Howard", "fate": fate}) for fate in fates
    ]
    assert [one.key for one in played.dice.throws] == keys  # type: ignore[attr-defined]


@pytest.mark.clause("T.C30", "T.C23")
@pytest.mark.parametrize(
    ("change", "due"),
    [
        ({}, ("", "", 0, 40, 180)),
        ({"captive_halves": 0}, ("", "", 0, 0, 180)),
        ({"status": Status.WITHDRAWN}, ("", "", 0, 40, 180)),
        ({"status": Status.SUNK}, ("", "", 0, 0, None)),
        ({"status": Status.WRECKED}, ("", "", 0, 0, None)),
        ({"status": Status.WRECKED, "prize_of": "SPA"}, ("", "", 0, 0, 40)),
        ({"status": Status.BLOWN_UP, "prize_of": "SPA"}, ("", "", 0, 0, None)),
        ({"prize_of": "ENG"}, ("", "", 0, 0, None)),
        ({"prize_of": "SPA"}, ("SPA", "S1", 24, 40, None)),
        ({"prize_of": "SPA", "guard_halves": 0, "captive_halves": 0}, ("SPA", "S1", 0, 0, None)),
    ],
    ids=str,
)  # fmt: skip
def test_captor_guard_prisoners_and_men_of_an_outcome_follow_from_the_fate(
    change: dict[str, object], due: tuple[str, str, int, int, int | None]
) -> None:
    aboard = {
        "complement": 240,
        "crew_halves": 90,
        "captive_halves": 20,
        "guard_halves": 12,
        "captor_ship": "S1",
    }
    one = ship("E1", **{**aboard, **change})
    entry = closing._ship_outcome(ended(one, revenge("S1", x=20_000)), one)
    assert (entry.captor, entry.captor_ship, entry.prize_crew, entry.prisoners, entry.men) == due


@pytest.mark.clause("T.O6m", "T.C14", "T.O5g")
@pytest.mark.parametrize(("when", "key"), [("", "T.O6m/4/S1"), ("after", "T.O6m/4/S1/after")])
def test_a_rising_after_the_battle_does_not_share_its_dice_with_one_in_the_last_turn(
    when: str, key: str
) -> None:
    prize = revenge("S1", prize_of="ENG", crew_halves=0, captive_halves=80, guard_halves=14)
    played = play(3)
    surrender.rise(ended(prize, ship("E1")), played, prize, when=when)
    assert [one.key for one in played.dice.throws] == [key]  # type: ignore[attr-defined]
    assert events(played, "rising")[0].data == {"made": False}
