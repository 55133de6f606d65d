"""Many events in a few sentences: numbers in words, the greatest ships by name, and each thing told once."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.accounts.digest import (
    ashore,
    at_sea,
    battle_in_brief,
    battle_losses,
    captures,
    number_in_words,
    officers_lost,
    one_by_one,
    several,
    some,
)
from campaign.accounts.words import DUSK
from campaign.rules.state.clock import DAWN
from tests.campaign.rules.builders import THEATRES, theatre

NAMES = {
    "har": "Harwich", "swi": "The Swin", "ENG": "England", "NLD": "Dutch Republic", "ALB": "Albemarle's fleet", "COL": "Newcastle colliers",
    **{f"s{n}": f"Ship {n}" for n in range(1, 10)},
}  # fmt: skip


def worth(code: str) -> int:
    """The higher its number, the greater a ship."""
    return int(code[1:] or 0) if code[1:].isdigit() else 0


def event(kind: str, **data: Any) -> list[Any]:
    return [0, kind, "", [], data]


@pytest.mark.parametrize(
    ("number", "words"), [(0, "no ships"), (1, "one ship"), (12, "twelve ships"), (13, "13 ships"), (1200, "1,200 ships")]
)  # fmt: skip
def test_narrative_counts_in_words_to_twelve(number: int, words: str) -> None:
    assert several(number, "ship") == words
    assert number_in_words(11) == "eleven"


def test_the_greatest_ships_are_named_and_the_others_counted() -> None:
    assert (
        some([f"s{n}" for n in range(1, 10)], NAMES, worth) == "Ship 9, Ship 8, Ship 7, Ship 6 and five more"
    )
    assert some([f"s{n}" for n in range(1, 6)], NAMES, worth) == "Ship 5, Ship 4, Ship 3, Ship 2 and Ship 1"
    assert some(["s1", "s1", "x9"], NAMES, worth) == "a ship and Ship 1"


def test_refits_and_prizes_of_a_port_are_told_once() -> None:
    rows = [event("repaired", ship=f"s{n}", place="har") for n in (1, 2, 3, 4, 5)]
    rows += [event("condemned", ship=f"s{n}", place="har") for n in (6, 7, 8)]
    rows += [event("prize_sold", ship=f"s{n}", place="har", pounds=1000) for n in (6, 7)]
    rows += [event("prize_bought", ship="s8", place="har", pounds=500, former="Prins")]
    rows += [
        event("exchanged", sides=["ENG", "NLD"], men=100),
        event("exchanged", sides=["ENG", "NLD"], men=50),
    ]
    assert ashore(rows, NAMES, worth) == [
        "Five ships are refitted at Harwich.",
        "Three prizes are condemned at Harwich: Ship 6 and Ship 7 are sold for £2,000, Prins is bought into service for £500.",
        "England and the Dutch Republic exchange 150 prisoners each.",
    ]
    assert ashore(rows[:2], NAMES, worth) == ["Ship 2 and Ship 1 are refitted at Harwich."]


def test_gales_losses_escapes_and_chases_are_told_once_and_the_rest_by_its_own_sentence() -> None:
    rows = [
        event("gale", zone="southern", wind_from=0), event("gale", zone="southern", wind_from=90),
        *(event("lost", ship=f"s{n}", side="NLD", fate="foundered", cause="in the gale") for n in (1, 2)),
        event("lost", ship="s3", side="ENG", fate="wrecked", cause="driven ashore"),
        *(event("parted_company", fleet=f"f{n}", parent="ALB", name=f"Part {n}") for n in range(6)),
        event("taken_up", ship="s1", men=30), event("taken_up", ship="s2", men=12),
        event("escaped", fleet="ALB"), event("escaped", fleet="ALB"),
        event("not_overhauled", fleet="COL", flies=True), event("hit_at_long_shot", fleet="ALB", ships=["s4"], hits=1),
        event("rode_out", fleet="ALB", thrown=[["s1", 2, 3]]), event("no_action", fleets=["ALB"]),
        event("port_attacked", fleet="ALB", place="har"), event("port_attacked", fleet="ALB", place="har"),
        event("rose", ship="s5", face=6, won=True, captor="ENG"),
    ]  # fmt: skip
    assert at_sea(rows, NAMES, worth) == [
        "Two gales blow in the Southern zone.",
        "England loses Ship 3, wrecked.",
        "The Dutch Republic loses Ship 2 and Ship 1 in the gale.",
        "Six squadrons or ships part company with Albemarle's fleet.",
        "Ships in company save 42 men from those that go down.",
        "Albemarle's fleet slips away in the night (twice).",
        "The Newcastle colliers keep out of the enemy's reach.",
        "Long shots hit Ship 4.",
        "Albemarle's fleet goes in to attack Harwich (twice).",
        "The prisoners in Ship 5 rise upon her prize crew and take her back for England.",
    ]


def test_who_reads_of_both_sides_reads_of_an_attack_and_of_a_raid_once() -> None:
    attacked = event("port_attacked", fleet="ALB", place="har")
    assailed = event("port_assailed", attacker="ENG", place="har")
    raided = event("raided", fleet="ALB", place="har", faces=[6, 5], bonus=1, result="whole", number=0)
    suffered = event("raid_suffered", attacker="ENG", place="har", result="whole", ships=[], days=21)
    assert at_sea([attacked, assailed, raided, suffered], NAMES, worth) == [
        "Albemarle's fleet goes in to attack Harwich.",
        "Albemarle's fleet raids Harwich with full success (the dice show 6 and 5, +1), but there is no ship to burn.",
        "The yard stands still for 21 yard-days.",
    ]
    assert at_sea([assailed, suffered], NAMES, worth) == [
        "England's ships attack Harwich.",
        "England's ships raid Harwich. The yard stands still for 21 yard-days.",
    ]


@pytest.mark.parametrize(
    ("second", "told"),
    [
        ("Part 1", "Part 0 and Part 1 part company with Albemarle's fleet."),
        ("Part 0", "Two squadrons or ships part company with Albemarle's fleet."),
    ],
)
def test_two_that_part_company_under_one_name_are_counted(second: str, told: str) -> None:
    rows = [event("parted_company", fleet=n, parent="ALB", name=n) for n in ("Part 0", second)]
    assert at_sea(rows, NAMES, worth) == [told]


def test_ships_taken_in_no_battle_are_told_once_for_each_captor() -> None:
    rows = [event("captured", ship=f"s{n}", ships=[f"s{n}"], side="ENG", captor="NLD") for n in range(1, 8)]
    rows.append(event("captured", ship="s9", ships=["s9"], side="NLD", captor="ENG"))
    told = [
        "England takes Ship 9 from the Dutch Republic.",
        "The Dutch Republic takes Ship 7, Ship 6, Ship 5, Ship 4 and three more from England.",
    ]
    assert captures(rows, NAMES, worth) == told
    assert at_sea(rows, NAMES, worth) == told
    assert one_by_one(rows, NAMES) == []


def test_losses_of_a_battle_give_the_readers_own_side_first() -> None:
    rows = [
        *(event("captured", ship=f"s{n}", ships=[f"s{n}"], side="NLD", captor="ENG", battle="b01") for n in range(1, 6)),
        event("lost", ship="s6", side="NLD", fate="sunk", battle="b01"),
        event("lost", ship="s7", side="ENG", fate="burnt", battle="b01"),
    ]  # fmt: skip
    dutch = (
        "The Dutch Republic loses six ships, five taken and one sunk, among them Ship 6, Ship 5 and Ship 4."
    )
    assert battle_losses(rows, NAMES, worth, "NLD") == [dutch, "England loses Ship 7 (burnt)."]
    assert battle_losses(rows, NAMES, worth)[0] == "England loses Ship 7 (burnt)."
    assert battle_losses([], NAMES, worth) == []


def test_officers_of_the_greatest_ships_are_named() -> None:
    rows = [event("officer", name=f"Captain {n}", ship=f"s{n}", fate="killed") for n in range(1, 8)]
    rows += [
        event("officer", name="Sir John", ship="s1", fate="captured"),
        event("officer", name="Hurt", fate="wounded"),
    ]
    assert officers_lost(rows, NAMES, worth) == [
        "Captain 7, Captain 6, Captain 5, Captain 4 and three more are killed.",
        "Sir John is taken.",
    ]
    assert officers_lost(rows[-1:], NAMES, worth) == ["Hurt is wounded."]


def test_a_battle_is_told_in_a_sentence() -> None:
    begun = event("battle", battle="b01", fleets={"ENG": [], "NLD": []}, gauge="NLD", surprised=["ENG"])
    ended = event("battle_ended", battle="b01", minutes=450, ended="nightfall", held_field="NLD")
    told = (
        "fight for 7 hours 30 minutes, until nightfall, the Dutch Republic to windward. England is surprised. "
        "The Dutch Republic holds the field."
    )
    assert battle_in_brief(begun, ended, NAMES) == f"England and the Dutch Republic {told}"
    assert battle_in_brief(begun, ended, NAMES, again=True) == f"They {told}"
    assert battle_in_brief(event("battle", battle="b01", fleets={}), None, NAMES) == (
        "The fleets are engaged; the battle is not over yet."
    )


@pytest.mark.parametrize(
    ("clock", "told"), [(16, "until time runs out"), (17, "until nightfall"), (20, "until nightfall")]
)
def test_the_last_turn_of_a_day_is_told_as_nightfall(clock: int, told: str) -> None:
    begun = event("battle", battle="b01", fleets={"ENG": [], "NLD": []})
    _, *row = event("battle_ended", battle="b01", minutes=90, ended="limit")
    assert f"for 1 hour 30 minutes, {told}." in battle_in_brief(begun, [clock - DAWN, *row], NAMES)


def test_no_theatre_has_an_earlier_nightfall() -> None:
    theatres = [theatre(path.stem) for path in THEATRES.glob("*.json")]
    assert min(sunset + 1 for one in theatres for _, sunset in one.daylight) == DUSK


def test_of_a_side_of_two_powers_it_is_said_whom_they_fight() -> None:
    names = {"FRA": "France and Spain", "GBR": "Great Britain"}
    begun = event("battle", battle="b01", fleets={"GBR": [], "FRA": []}, gauge="FRA", surprised=["FRA"])
    ended = event("battle_ended", battle="b01", minutes=90, ended="nightfall", held_field="FRA")
    assert battle_in_brief(begun, ended, names) == (
        "France and Spain fight Great Britain for 1 hour 30 minutes, until nightfall, France and Spain to windward. "
        "France and Spain are surprised. France and Spain hold the field."
    )
    assert battle_in_brief(begun, ended, names, again=True).startswith("They fight for 1 hour 30 minutes, ")
    assert battle_in_brief(begun, None, names).startswith("France and Spain are engaged with Great Britain, ")


def test_the_guns_of_a_port_are_counted_and_not_listed_ship_by_ship() -> None:
    fired = [
        event("guard_fired", place="har", hits=[["s1", 2], ["s2", 4]]),
        event("guard_fired", place="har", hits=[["s1", 1]]),
    ]
    assert at_sea(fired, NAMES) == ["The guns of Harwich hit two ships 7 times."]
    assert at_sea([event("guard_fired", place="har", hits=[])], NAMES) == ["The guns of Harwich hit nothing."]


def test_landings_are_added_up_and_an_estimate_is_for_who_knows_no_better() -> None:
    landed = [event("landed", fleet=fleet, place="har", men=men, ashore=ashore) for fleet, men, ashore in (
        ("ALB", 4_000, 4_000), ("COL", 100, 4_100), ("ALB", 3_000, 7_100),
    )]  # fmt: skip
    guessed = event("enemy_landed", attacker="ENG", place="har", band="10-19")
    assert at_sea([*landed, guessed], NAMES) == [
        "Albemarle's fleet lands 7,000 soldiers at Harwich.",
        "The Newcastle colliers land 100 soldiers at Harwich.",
        "7,100 soldiers are ashore at Harwich.",
    ]
    (line,) = at_sea([guessed], NAMES)
    assert line.startswith("Soldiers of England are ashore at Harwich")


def test_merchantmen_taken_by_raiders_are_counted_and_not_listed_prize_by_prize() -> None:
    def taken(side: str, place: str, *, sunk: bool = False) -> list[Any]:
        return event(
            "shipping_taken", fleet="ALB", side=side, place=place, vessel="tramp", owner="NLD", sunk=sunk
        )

    own = [taken("ENG", "har"), taken("ENG", "har", sunk=True), taken("ENG", "swi")]
    lost = [event("shipping_lost", side="NLD", attacker="ENG", place="har", vessel="tramp")]
    court = [
        event("shipping_condemned", side="ENG", place="har", vessel="tramp", pounds=n) for n in (900, 200)
    ]
    raids = "Raiders of England take two merchantmen and sink one merchantman, most of them near Harwich."
    assert at_sea([*own, *lost, *court], NAMES) == [
        raids,
        "Prize courts condemn merchantmen to England: £1,100 for the prize fund.",
    ]
    # whoever lost them reads of the loss
    assert at_sea(lost, NAMES) == ["Raiders of England take one merchantman near Harwich."]
    assert at_sea([taken("ENG", "swi"), taken("ENG", "har")], NAMES) == [
        "Raiders of England take two merchantmen, one of them near the Swin."
    ]


def test_a_fight_ashore_is_told_once_to_whom_both_sides_are_known() -> None:
    ours = event("fought_ashore", place="har", result="falls", men=4_000)
    theirs = event("port_defended", place="har", attacker="ENG", result="falls", band="10-19")
    one = one_by_one([ours], NAMES)
    assert one and one_by_one([ours, theirs], NAMES) == one
    assert len(one_by_one([theirs], NAMES)) == 1
    assert (
        len(
            one_by_one(
                [ours, event("port_defended", place="vlie", attacker="ENG", result="falls", band="10-19")],
                NAMES,
            )
        )
        == 2
    )
