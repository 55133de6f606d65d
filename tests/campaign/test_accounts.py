"""Every kind of chart event has a sentence, with names in place of codes and no code for anything unknown to the reader."""

from typing import Any

import pytest

from battles.engine.core.telling import the_fleet
from campaign.accounts import (
    EVERY_SIDE,
    TELLERS,
    compass,
    listed,
    period_names,
    position_in_words,
    sail_in_words,
    sentence,
)
from campaign.accounts.words import agreeing
from campaign.rules.state.events import EVENT_KINDS

NAMES = {
    "ALB": "Albemarle's fleet", "nore": "The Nore", "swin": "The Swin", "cromer": "Off Cromer", "ENG": "England",
    "NLD": "Dutch Republic", "E1": "Royal Prince", "D1": "Gouda",
}  # fmt: skip
BOTH = {"ENG": ["ALB"], "NLD": ["secret-code"]}
SAMPLES: dict[str, tuple[dict[str, Any], str]] = {
    "weather": (
        {"zone": "southern", "wind_from": 225, "strength": "strong", "visibility": "haze"},
        "In the Southern zone there is a strong wind from the south-west; the weather is hazy.",
    ),
    "gale": ({"zone": "channel", "wind_from": 0}, "A gale from the north begins in the Channel zone."),
    "order_refused": (
        {"fleet": "ALB", "faults": [["order/x", "G.CH1", "No passage leads there."]]},
        "The orders of Albemarle's fleet could not be carried out: No passage leads there.",
    ),
    "sailed": (
        {"fleet": "ALB", "place": "nore", "to": "swin"},
        "Albemarle's fleet gets under way from the Nore.",
    ),
    "passed": ({"fleet": "ALB", "place": "cromer"}, "Albemarle's fleet passes Cromer."),
    "arrived": ({"fleet": "ALB", "place": "swin"}, "Albemarle's fleet reaches the end of its route at the Swin."),
    "sighted": (
        {
            "fleet": "ALB", "number": 2, "latitude": 5180, "longitude": -250, "course": 270, "band": "20-39",
            "kinds": ["line", "frigate"],
        },
        "Albemarle's fleet sights contact 2: 20–39 sail, including ships of the line and frigates, "
        "at 51°48′ N, 2°30′ W, steering west.",
    ),
    "touch_lost": ({"fleet": "ALB", "number": 2}, "Albemarle's fleet loses sight of contact 2."),
    "chase": ({"fleet": "ALB", "number": 2, "range": 7400}, "Albemarle's fleet steers for contact 2, 7 miles away."),
    "chase_ended": ({"fleet": "ALB", "why": "given up"}, "Albemarle's fleet: the chase is given up."),
    "night": (
        {"fleet": "ALB", "face": 5, "away": True},
        "Night falls; Albemarle's fleet tries to slip away and succeeds (the die shows 5).",
    ),
    "escaped": (
        {"fleet": "ALB", "until": 40},
        "Albemarle's fleet is away in the night, with a start of twelve hours.",
    ),
    "neutral_searched": (
        {"fleet": "ALB", "place": "swin", "vessel": "tramp"},
        "Albemarle's fleet searches a neutral tramp near the Swin, finds no contraband and releases it.",
    ),
    "shipping_taken": (
        {"fleet": "ALB", "side": "ENG", "place": "swin", "vessel": "liner", "owner": "", "points": "3", "sunk": False},
        "Albemarle's fleet finds contraband in a neutral liner near the Swin and sends it in as a prize.",
    ),
    "shipping_lost": (
        {"side": "ENG", "attacker": "NLD", "place": "swin", "vessel": "tramp", "points": "2", "sunk": True},
        "A tramp of our trade is sunk near the Swin by a raider of the Dutch Republic.",
    ),
    "shipping_condemned": (
        {"side": "ENG", "place": "swin", "vessel": "tramp", "pounds": 3000},
        "The prize court condemns a tramp taken near the Swin: £3,000 for the prize fund.",
    ),
    "mines_aboard": (
        {"fleet": "ALB", "place": "nore", "ships": ["E1"]},
        "Albemarle's fleet takes mines aboard at the Nore: Royal Prince.",
    ),
    "mines_laid": (
        {"fleet": "ALB", "side": "ENG", "place": "swin", "ships": ["E1"], "sections": 6},
        "Albemarle's fleet lays 6 sections of mines at the Swin.",
    ),
    "mine_struck": (
        {"fleet": "ALB", "side": "ENG", "place": "swin", "own": True, "ships": ["E1", "D1"], "hurt": ["D1"], "lost": ["E1"]},
        "Albemarle's fleet runs into a minefield of its own side at the Swin: Royal Prince strikes a mine and sinks, "
        "and Gouda is crippled by a mine.",
    ),
    "mines_swept": (
        {"fleet": "ALB", "place": "swin", "found": 1, "sections": 2, "left": 4, "hurt": ["E1"]},
        "Albemarle's fleet finds 1 minefield and sweeps 2 sections of mines at the Swin; 4 sections of those known are left; "
        "Royal Prince strikes a mine.",
    ),
    "reinforced": (
        {"fleet": "secret-code", "side": "FRA", "name": "Beaufort's squadron", "place": "cromer", "ships": ["F1"]},
        "Beaufort's squadron arrives off Cromer.",
    ),
    "convoy_gathers": (
        {"fleet": "VLIE", "side": "NLD", "name": "Merchantmen of the Vlie", "place": "nore", "to": "swin", "ships": ["D1", "D2"]},
        "The merchantmen of the Vlie: 2 merchantmen gather at the Nore, bound for the Swin.",
    ),
    "army_ready": (
        {"fleet": "PAR", "side": "NLD", "name": "First Army's transports", "place": "nore", "men": 17_000, "boats": 20},
        "17,000 soldiers are at the Nore, ready to embark. The First Army's transports (20 ships) can carry them all.",
    ),
    "hostility": (
        {"sides": ["ENG", "NLD"], "tie": "peace", "text": "The treaty of Breda is signed."},
        "England and the Dutch Republic are at peace. The treaty of Breda is signed.",
    ),
    "peace": ({"text": "The treaty of Breda is signed."}, "Peace is made. The treaty of Breda is signed."),
    "calendar_dated": (
        {"text": "Beaufort comes up Channel.", "date": "1666-07-20", "face": 4},
        "A die (4) sets 20 July 1666 as the date of this event: Beaufort comes up Channel.",
    ),
    "calendar_fails": (
        {"text": "Beaufort comes up Channel.", "why": "chance", "face": 2},
        "An event of the calendar does not happen (the die shows 2): Beaufort comes up Channel.",
    ),
    "parted": (
        {"fleets": ["ALB", "secret-code"]},
        "Albemarle's fleet: both sides choose to break off, and they part.",
    ),
    "battle": (
        {"battle": "b01", "place": "swin", "fleets": BOTH, "gauge": "ENG", "surprised": ["NLD"]},
        "Battle off the Swin between England and the Dutch Republic. England has the weather gauge. "
        "The Dutch Republic is surprised.",
    ),
    "not_overhauled": ({"fleet": "ALB", "flies": False}, "Albemarle's fleet cannot overhaul the enemy."),
    "long_shot": (
        {"fleet": "ALB", "hits": 2, "masts": 1},
        "Long shots from Albemarle's fleet hit the enemy twice, and a mast goes.",
    ),
    "hit_at_long_shot": (
        {"fleet": "ALB", "ships": ["E1"], "hits": 1, "masts": 0},
        "Royal Prince is hit by a long shot.",
    ),
    "no_action": (
        {"fleets": ["ALB", "secret-code"]},
        "The enemy cannot be brought to action, and no ship is damaged.",
    ),
    "objective_achieved": (
        {"objective": "aim", "side": "NLD", "marks": 2, "words": "Lie off the Thames.", "decides": "tells"},
        "The Dutch Republic achieves the objective “Lie off the Thames”. That earns 2 marks."
        " This would decide the campaign, but play continues.",
    ),
    "objective_paid": (
        {"objective": "aim", "side": "ENG", "marks": 1, "words": "Burn the Vlie"},
        "England earns 1 mark for the objective “Burn the Vlie”.",
    ),
    "battle_held": (
        {"battle": "b01", "place": "swin"},
        "The fleets are engaged near the Swin; the battle is fought out, and the other fleets sail on.",
    ),
    "battle_ended": (
        {"battle": "b01", "ended": "nightfall", "minutes": 630, "held_field": "NLD"},
        "The battle lasted 10 hours 30 minutes, until nightfall. The Dutch Republic held the field.",
    ),
    "captured": (
        {"ship": "E1", "side": "ENG", "captor": "NLD", "captor_ship": "D1"},
        "Royal Prince (England) is taken by Gouda for the Dutch Republic.",
    ),
    "retaken": ({"ship": "E1", "captor": "ENG"}, "Royal Prince is retaken and returns to England."),
    "lost": (
        {"ship": "E1", "side": "ENG", "fate": "sunk", "cause": "fire"},
        "Royal Prince (England) is burnt.",
    ),
    "officer": (
        {"name": "Sir William Berkeley", "ship": "E1", "fate": "killed"},
        "Sir William Berkeley is killed in Royal Prince.",
    ),
    "detached": (
        {"fleet": "X", "parent": "ALB", "name": "Cruisers", "ships": ["E1"], "place": "swin"},
        "Albemarle's fleet detaches the cruisers: Royal Prince.",
    ),
    "transferred": (
        {"fleet": "ALB", "giver": "secret-code", "ships": ["E1", "D1"]},
        "Royal Prince and Gouda of the fleet go over to Albemarle's fleet.",
    ),
    "lies_off": ({"fleet": "ALB", "place": "swin"}, "Albemarle's fleet lies off the Swin."),
    "driven_off": (
        {"fleet": "ALB", "place": "swin", "shelter": "nore"},
        "Albemarle's fleet leaves its station off the Swin for the Nore because of the weather.",
    ),
    "slipped_out": (
        {"fleet": "ALB", "place": "nore", "face": 5},
        "Albemarle's fleet slips out of the Nore past the blockade (the die shows 5).",
    ),
    "met_off_port": (
        {"fleet": "ALB", "place": "nore", "face": None},
        "Albemarle's fleet comes out of the Nore and is met by the blockade.",
    ),
    "port_attacked": ({"fleet": "ALB", "place": "swin"}, "Albemarle's fleet goes in to attack the Swin."),
    "port_assailed": (
        {"place": "nore", "attacker": "NLD"},
        "The Dutch Republic's ships attack the Nore.",
    ),
    "beaten_off": (
        {"fleet": "ALB", "place": "swin"},
        "Albemarle's fleet finds the enemy in the Swin too strong, and hauls off.",
    ),
    "guard_fired": (
        {"fleet": "ALB", "place": "swin", "guard": 3, "hits": [["E1", 9], ["D1", 3]]},
        "The guns of the Swin hit Royal Prince 9 times and Gouda 3 times.",
    ),
    "convoy_delivered": (
        {"fleet": "ALB", "side": "ENG", "place": "nore", "ships": ["E1", "D1"], "value": 120},
        "Albemarle's fleet arrives safely at the Nore with the cargoes of 2 ships, worth 120 points.",
    ),
    "sent_ahead": (
        {"fleet": "X", "parent": "ALB", "name": "Chase", "ships": ["E1"]},
        "Albemarle's fleet makes the signal for a general chase and sends Royal Prince ahead.",
    ),
    "left_astern": (
        {"fleet": "X", "parent": "ALB", "name": "Rear", "ships": ["E1"]},
        "Albemarle's fleet leaves its slowest ships astern: Royal Prince.",
    ),
    "burnt_at_sea": (
        {"ship": "D1", "side": "ENG", "ships": ["D1"], "place": "swin"},
        "Gouda, a prize of England, is burnt by her captors.",
    ),
    "let_go": ({"ship": "D1", "side": "ENG", "captor": "NLD"}, "Gouda is released and returns to the Dutch Republic."),
    "rode_out": (
        {"fleet": "ALB", "zone": "southern", "thrown": [["E1", 2, 2], ["D1", 5, 1]], "foundered": ["E1"]},
        "Albemarle's fleet meets the gale; the damaged ships throw (Royal Prince 2 against 2, Gouda 5 against 1): "
        "Royal Prince founders.",
    ),
    "parted_company": (
        {"fleet": "secret-code", "parent": "ALB", "name": "Royal Prince", "ships": ["E1"], "miles": 9},
        "Royal Prince parts company with Albemarle's fleet in the gale, driven 9 nm off.",
    ),
    "taken_up": (
        {"ship": "E1", "side": "ENG", "men": 41, "by": [["D1", 40], ["secret", 1]]},
        "Gouda (40) and a ship (1) save 41 men from Royal Prince.",
    ),
    "castaways": (
        {
            "ship": "E1", "side": "ENG", "people": "ENG", "men": 300, "shore": "hostile", "captor": "NLD", "place": "swin",
        },
        "300 men (England) from the wreck of Royal Prince come ashore and are taken by the Dutch Republic near the Swin.",
    ),
    "left_behind": (
        {"fleet": "secret-code", "parent": "ALB", "ships": ["E1"], "place": "swin"},
        "Albemarle's fleet leaves Royal Prince behind near the Swin.",
    ),
    "aground": (
        {"fleet": "ALB", "parent": "ALB", "ships": ["E1", "D1"], "place": "swin"},
        "Royal Prince and Gouda take the ground near the Swin.",
    ),
    "refloated": (
        {"fleet": "ALB", "ship": "E1", "ships": ["E1"], "place": "swin"},
        "Royal Prince floats off with the tide near the Swin.",
    ),
    "rose": (
        {"ship": "E1", "captor": "ENG", "face": 5, "won": True},
        "The prisoners in Royal Prince rise upon her prize crew and take her back for England (the die shows 5).",
    ),
    "sent_in": (
        {"fleet": "secret-code", "parent": "ALB", "ships": ["E1", "D1"], "place": "nore"},
        "Albemarle's fleet sends Royal Prince and Gouda into the Nore.",
    ),
    "interned": (
        {"fleet": "ALB", "ships": ["E1"], "place": "nore"},
        "The Nore interns Royal Prince, which outstayed the shelter of a neutral port.",
    ),
    "mustered": (
        {"fleet": "ALB", "place": "downs", "squadrons": 2, "ships": ["E1"]},
        "Albemarle's fleet musters near downs: 2 small squadrons are merged into the others.",
    ),
    "muster_due": (
        {"fleet": "ALB", "place": "downs", "squadrons": 1},
        "Albemarle's fleet has 1 small squadron. Its admiral can have the ships mustered.",
    ),
    "rejoined": (
        {"fleet": "ALB", "parted": "secret-code", "ships": ["E1"]},
        "What had parted company rejoins Albemarle's fleet.",
    ),
    "fleet_ended": ({"fleet": "ALB"}, "Albemarle's fleet has no ships left."),
    "yard_dated": (
        {"ship": "E1", "place": "nore", "berth": 2, "ready": 192, "days": 7},
        "Royal Prince goes into the yard at the Nore; ready in 7 days if nothing changes.",
    ),
    "yard_redated": (
        {"ship": "E1", "place": "nore", "berth": 2, "ready": 192, "was": 168, "days": 7},
        "Royal Prince will be ready later than expected at the Nore: in 7 days.",
    ),
    "yard_left": ({"ship": "E1", "place": "nore"}, "Royal Prince leaves the yard at the Nore with her work undone."),
    "left_in_yard": (
        {"fleet": "secret-code", "parent": "ALB", "place": "nore", "ships": ["E1", "D1"]},
        "Albemarle's fleet sails from the Nore without Royal Prince and Gouda.",
    ),
    "repaired": (
        {"ship": "E1", "place": "nore", "hull": "heavy", "masts": 2, "batteries": 1},
        "Royal Prince leaves the yard at the Nore, repaired (heavy work on the hull, 2 masts and 1 battery).",
    ),
    "mended_at_sea": (
        {"ship": "E1", "mast": True, "hull": True},
        "Royal Prince rigs a jury mast and mends her hull with what is aboard.",
    ),
    "prize_in_port": (
        {"ship": "D1", "place": "nore", "days": 14},
        "Gouda comes before the prize court at the Nore; it is due to be condemned in 14 days.",
    ),
    "condemned": (
        {"ship": "D1", "place": "nore", "pounds": 6250, "head_money": 1000},
        "Gouda is condemned as a prize at the Nore, valued at £6,250, head money £1,000.",
    ),
    "prize_bought": (
        {"ship": "D1", "place": "nore", "pounds": 6250, "former": "Gouda", "name": "Guelder"},
        "Gouda is bought into service at the Nore for £6,250 and named Guelder.",
    ),
    "prize_sold": ({"ship": "D1", "place": "nore", "pounds": 6250}, "Gouda is sold at the Nore for £6,250."),
    "prize_hulked": (
        {"ship": "D1", "place": "nore", "pounds": 1562},
        "Gouda is made a hulk at the Nore; her gear brings £1,562.",
    ),
    "burnt_in_port": ({"ship": "D1", "place": "nore"}, "Gouda is burnt by her captors at the Nore."),
    "prize_exchanged": (
        {"ship": "D1", "at": "swin", "pounds": 6250},
        "Gouda is given back at the Swin for £6,250.",
    ),
    "salvage": ({"ship": "E1", "pounds": 781}, "Salvage of £781 is paid for Royal Prince."),
    "prisoners_landed": (
        {"ship": "D1", "captor": "NLD", "place": "nore", "men": 180},
        "Gouda lands 180 prisoners of war from the Dutch Republic at the Nore.",
    ),
    "exchanged": ({"sides": ["ENG", "NLD"], "men": 90}, "England and the Dutch Republic exchange 90 prisoners each."),
    "recruited": (
        {"place": "nore", "men": 90, "bought": 20, "joined": 1, "ships": ["E1"]},
        "The Nore: 90 men recruited, 20 of them for bounty money and 1 man from ashore for Royal Prince.",
    ),
    "men_moved": ({"ship": "E1", "other": "D1", "men": 20}, "20 men go over from Royal Prince to Gouda."),
    "hunger": (
        {"fleet": "ALB", "men": 12, "place": "nore"},
        "Albemarle's fleet is without provisions, loses 12 men and makes for the Nore.",
    ),
    "out_of_coal": (
        {"fleet": "ALB", "ships": ["E1"], "place": "nore"},
        "Albemarle's fleet makes for the Nore: no coal left in Royal Prince.",
    ),
    "coaled": (
        {"fleet": "ALB", "ships": ["E1"], "days": 12},
        "Albemarle's fleet: 1 ship coals from colliers, for 12 days of steaming in all.",
    ),
    "officer_fit": (
        {"name": "Sir John Harman", "ship": "E1"},
        "Sir John Harman has recovered from his wounds in Royal Prince.",
    ),
    "officer_takes": (
        {"name": "Sir John Harman", "ship": "E1"},
        "Sir John Harman takes command of Royal Prince.",
    ),
    "officer_hoists": (
        {"name": "Sir John Harman", "ship": "E1", "place": "White squadron"},
        "Sir John Harman hoists his flag in Royal Prince to command the White squadron.",
    ),
    "side_order_refused": (
        {"side": "ENG", "faults": [["yard/no-yard", "G.RP2", "The Nore has no dockyard."]]},
        "The shore orders could not be carried out: The Nore has no dockyard.",
    ),
    "renewed": ({"fleets": ["ALB", "secret-code"]}, "Both sides mean to continue the battle."),
}  # fmt: skip
SAMPLES |= {
    "embarked": (
        {"fleet": "ALB", "side": "ENG", "place": "nore", "men": 3000, "ashore": 14000},
        "Albemarle's fleet takes 3,000 soldiers aboard at the Nore; 14,000 are left ashore.",
    ),
    "disembarked": (
        {"fleet": "ALB", "side": "ENG", "place": "nore", "men": 1, "ashore": 501},
        "Albemarle's fleet lands 1 soldier at the Nore; 501 are ashore there now.",
    ),
    "landed": (
        {"fleet": "ALB", "side": "ENG", "place": "swin", "men": 4000, "ashore": 8000},
        "Albemarle's fleet lands 4,000 soldiers at the Swin; 8,000 are ashore there now.",
    ),
    "enemy_landed": (
        {"place": "nore", "attacker": "NLD", "band": "5-9"},
        "Soldiers of the Dutch Republic are ashore at the Nore: 2,500 to 4,999 men.",
    ),
    "landing_waits": (
        {"fleet": "ALB", "place": "nore", "why": "enemy"},
        "Albemarle's fleet cannot land soldiers at the Nore this morning: it has seen too strong an enemy by day.",
    ),
    "wasted": (
        {"side": "ENG", "place": "nore", "men": 400, "ashore": 3600},
        "400 soldiers at the Nore starve or desert for want of a fleet; 3,600 are left.",
    ),
    "fought_ashore": (
        {
            "place": "nore", "faces": [3, 4], "bonus": 2, "result": "drawn", "men": 3800, "lost": 200, "days": 12,
            "band": "2-4",
        },
        "Our soldiers fight for the Nore against 1,000 to 2,499 men, and neither side gives way (the dice show 3 and 4, +2). "
        "We lose 200 men. 3,800 soldiers are left. There is food for 12 days.",
    ),
    "port_defended": (
        {
            "place": "nore", "attacker": "NLD", "faces": [3, 4], "bonus": -4, "result": "repulsed", "men": 950,
            "lost": 0, "band": "5-9",
        },
        "Soldiers of the Dutch Republic fight for the Nore, and they are thrown back to their boats "
        "(the dice show 3 and 4, -4). The garrison has 950 soldiers. They have 2,500 to 4,999 men.",
    ),
    "port_taken": (
        {"place": "nore", "side": "NLD", "loser": "ENG", "marks": "4", "back": False},
        "The Nore falls: the Dutch Republic takes it from England.",
    ),
    "guard_silenced": (
        {"fleet": "ALB", "place": "nore"},
        "The guns of the Nore are silenced by Albemarle's fleet, which stays to land soldiers.",
    ),
    "assault_failed": (
        {"fleet": "ALB", "place": "nore", "raid": False},
        "The enemy's ships still hold the Nore: no one can land, and Albemarle's fleet hauls off.",
    ),
    "raided": (
        {
            "fleet": "ALB", "side": "ENG", "place": "nore", "faces": [6, 5], "bonus": 1, "result": "whole",
            "marks": "3", "number": 2, "towed": "D1",
        },
        "Albemarle's fleet raids the Nore with full success (the dice show 6 and 5, +1): 2 ships burnt, Gouda towed off.",
    ),
    "raid_suffered": (
        {"place": "nore", "attacker": "NLD", "result": "half", "ships": ["E1"], "days": 21, "towed": ""},
        "The Dutch Republic's ships raid the Nore. Burnt: Royal Prince. The yard stands still for 21 yard-days.",
    ),
    "soldiers_lost": (
        {"ship": "E1", "side": "ENG", "men": 850, "taken": True, "marks": "17/20", "ships": ["E1"]},
        "850 soldiers (England) are taken in Royal Prince.",
    ),
    "soldiers_taken": (
        {"side": "ENG", "captor": "NLD", "place": "nore", "men": 120},
        "120 men (England) at the Nore are prisoners of the Dutch Republic.",
    ),
    "set_free": (
        {"side": "ENG", "place": "nore", "men": 40},
        "40 men (England) held at the Nore are free.",
    ),
    "turned_out": (
        {"fleet": "ALB", "place": "nore"},
        "The Nore has fallen; Albemarle's fleet puts to sea under its guns.",
    ),
    "turned_away": (
        {"fleet": "ALB", "place": "nore"},
        "The Nore has fallen; Albemarle's fleet stops short of it.",
    ),
}  # fmt: skip


def test_every_kind_of_event_has_a_sentence_and_a_sample_here() -> None:
    assert set(TELLERS) == set(EVENT_KINDS) == set(SAMPLES)


@pytest.mark.parametrize("kind", EVENT_KINDS)
def test_an_event_reads_like_this(kind: str) -> None:
    data, words = SAMPLES[kind]
    assert sentence([10, kind, "G.CL2", [], data], NAMES) == words


def test_a_battle_that_lasts_to_the_end_of_a_day_lasts_until_nightfall() -> None:
    noon, dark = ([hour, "battle_ended", "", [], {"ended": "limit", "minutes": 90}] for hour in (6, 14))
    assert sentence(noon, NAMES) == "The battle lasted 1 hour 30 minutes, until time ran out."
    assert sentence(dark, NAMES) == "The battle lasted 1 hour 30 minutes, until nightfall."


def test_ships_that_the_calendar_brings_have_a_plural_verb() -> None:
    data = {**SAMPLES["reinforced"][0], "name": "First Army's transports"}
    assert (
        sentence([10, "reinforced", "G.CA2", [], data], NAMES)
        == "The First Army's transports arrive off Cromer."
    )


@pytest.mark.clause("G.CO3", "G.IN1")
@pytest.mark.parametrize(("away", "ends"), [(True, "and succeed"), (False, "but cannot")])
def test_fleets_that_try_to_escape_together_are_reported_together(away: bool, ends: str) -> None:
    data = {"fleet": "ALB", "fleets": ["ALB", "secret-code", "RUP"], "face": 5, "away": away}
    told = sentence([10, "night", "G.CO3", [], data], {**NAMES, "RUP": "Rupert's fleet"})
    assert (
        told
        == f"Night falls; Albemarle's fleet and Rupert's fleet try to slip away {ends} (the die shows 5)."
    )


@pytest.mark.clause("G.IN1")
@pytest.mark.parametrize("kind", EVENT_KINDS)
def test_a_code_is_never_printed_in_place_of_a_name(kind: str) -> None:
    data, _ = SAMPLES[kind]
    told = sentence([10, kind, "G.CL2", [], data], {})
    for code in ("ALB", "secret-code", "E1", "D1", "NLD", "ENG"):
        assert code not in told


@pytest.mark.parametrize(
    ("fleet", "kind", "told"),
    [
        ("Newcastle colliers", "arrived", "The Newcastle colliers reach the end of their route at the Swin."),
        (
            "Destroyers for Dalny",
            "arrived",
            "The destroyers for Dalny reach the end of their route at the Swin.",
        ),
        ("Cruisers off Cartagena", "not_overhauled", "The cruisers off Cartagena cannot overhaul the enemy."),
        ("Galleons of 1737", "arrived", "The galleons of 1737 reach the end of their route at the Swin."),
        ("Fire ships of Rupert's fleet", "passed", "The fire ships of Rupert's fleet pass the Swin."),
        ("Prizes of the Blue", "fleet_ended", "The fleet “Prizes of the Blue” has no ships left."),
        ("Stragglers of the Red", "passed", "The stragglers of the Red pass the Swin."),
        ("Princess", "passed", "Princess passes the Swin."),
        ("John and Mary", "passed", "John and Mary passes the Swin."),
    ],
)
def test_a_fleet_with_a_plural_name_takes_a_plural_verb(fleet: str, kind: str, told: str) -> None:
    assert sentence([10, kind, "", [], {"fleet": "X", "place": "swin"}], {**NAMES, "X": fleet}) == told


@pytest.mark.parametrize(
    ("rest", "told"),
    [
        (
            "has reached the end of its route at home and has no further orders.",
            "have reached the end of their route at home and have no further orders.",
        ),
        ("carries out its orders", "carry out their orders"),
        ("sails with its cargo to the Nore", "sail with their cargo to the Nore"),
        ("rejoins its fleet", "rejoin their fleet"),
    ],
)  # fmt: skip
def test_a_plural_name_takes_the_whole_sentence_with_it(rest: str, told: str) -> None:
    assert agreeing(f"Norway timber ships {rest}", ["Norway timber ships"]) == f"Norway timber ships {told}"
    assert agreeing(f"The Red {rest}", ["The Red"]) == f"The Red {rest}"


def test_an_officer_with_a_title_after_a_comma_has_two() -> None:
    data = {"name": "George Monck, Duke of Albemarle", "fate": "killed"}
    assert sentence([10, "officer", "", [], data], NAMES) == "George Monck, Duke of Albemarle, is killed."


def test_an_unknown_kind_is_an_error_and_not_an_empty_line() -> None:
    with pytest.raises(KeyError):
        sentence([1, "meteor", "G.CL2", [], {}], NAMES)


@pytest.mark.clause("G.SI2")
@pytest.mark.parametrize(
    ("band", "kinds", "words"),
    [
        ("1", (), "a single sail"),
        ("1", ("frigate",), "a single sail, a frigate"),
        ("40+", (), "40 or more sail"),
        ("2-4", ("line",), "2–4 sail, including ships of the line"),
    ],
)
def test_numbers_are_given_in_bands(band: str, kinds: tuple[str, ...], words: str) -> None:
    assert sail_in_words(band, kinds) == words


@pytest.mark.clause("G.SI2", "G.ST1")
@pytest.mark.parametrize(
    ("band", "kinds", "words"),
    [
        ("1", (), "a single ship"),
        ("1", ("frigate",), "a single ship, a cruiser"),
        ("40+", (), "40 or more ships"),
        ("2-4", ("line", "small craft"), "2–4 ships, including battleships and torpedo craft"),
    ],
)
def test_where_ships_go_by_steam_a_report_speaks_of_ships_and_cruisers(
    band: str, kinds: tuple[str, ...], words: str
) -> None:
    assert sail_in_words(band, kinds, steam=True) == words
    names = NAMES | period_names({"period": "steam"})
    data = {
        "fleet": "RED",
        "number": 3,
        "latitude": 3880,
        "longitude": 12125,
        "course": 90,
        "band": band,
        "kinds": kinds,
    }
    assert f": {words}, at " in sentence([1, "sighted", "G.SI2", [], data], names)
    assert period_names({"period": "sail"}) == period_names({}) == {}


@pytest.mark.parametrize(
    ("degrees", "word"), [(0, "north"), (349, "north"), (225, "south-west"), (101, "east")]
)
def test_the_compass_has_all_its_points(degrees: int, word: str) -> None:
    assert compass(degrees) == word


def test_lists_end_with_and() -> None:
    assert [listed([]), listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])] == [
        "",
        "a",
        "a and b",
        "a, b and c",
    ]


def test_positions_are_given_in_minutes() -> None:
    assert position_in_words(-5, 99) == "0°03′ S, 0°59′ E"


def test_ships_detached_under_their_fleets_name_are_its_own() -> None:
    data = {"parent": "ALB", "fleet": "NEW", "name": "Damaged ships of Albemarle's fleet", "ships": ["E1"]}
    told = sentence([0, "detached", "G.X", ["ENG"], data], NAMES)
    assert told == "Albemarle's fleet detaches its damaged ships: Royal Prince."


@pytest.mark.parametrize("kind", ["left_in_yard", "left_behind", "detached", "sent_in", "parted_company"])
def test_a_fleet_named_after_a_departing_ship_is_called_the_rest_of_the_fleet(kind: str) -> None:
    data = {"parent": "RP", "fleet": "NEW", "place": "nore", "ships": ["E1"], "name": "Royal Prince"}
    told = sentence([0, kind, "G.X", ["ENG"], data], {**NAMES, "RP": "Royal Prince"})
    assert "he rest of the fleet" in told
    assert told.count("Royal Prince") == 1


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ({"fate": "captured", "hurt": True}, "Myngs is wounded and captured in Royal Prince."),
        ({"fate": "captured"}, "Myngs is captured in Royal Prince."),
        ({"fate": "drowned"}, "Myngs drowns in Royal Prince."),
        ({"fate": "killed"}, "Myngs is killed in Royal Prince."),
    ],
)
def test_an_officers_luck_is_described_in_words(data: dict[str, Any], told: str) -> None:
    event = [0, "officer", "G.AF1", ["ENG"], {"name": "Myngs", "ship": "E1", "side": "ENG", **data}]
    assert sentence(event, NAMES) == told


@pytest.mark.parametrize(
    ("shore", "words"),
    [
        ("friendly", "come ashore among friends"),
        ("neutral", "come ashore on a neutral coast and are sent home"),
    ],
)
def test_castaways_are_described_in_words(shore: str, words: str) -> None:
    data = {"ship": "X", "people": "ENG", "men": 1, "shore": shore, "captor": "", "place": "nore"}
    told = sentence([0, "castaways", "T.C21", ["ENG"], data], NAMES)
    assert told == f"1 man (England) from the wreck of a ship {words} near the Nore."


@pytest.mark.clause("G.IG2")
@pytest.mark.parametrize(
    ("kind", "data", "told"),
    [
        ("sighted",
         {"number": 13, "perhaps": 12, "latitude": 5180, "longitude": 0, "band": "1", "kinds": [],
          "times": [[5, "touch_lost", 13, 0], [6, "sighted", 14, 0], [7, "touch_lost", 14, 3], [19, "sighted", 14, 0]]},
         "Albemarle's fleet sights contact 13, perhaps the same as contact 12: a single sail, at 51°48′ N, 0°00′ E; "
         "lost to sight at 11:00, "
         "seen again at 12:00 as contact 14, together with contact 3 from 13:00, seen again at 01:00."),
        ("touch_lost", {"number": 6, "into": 5}, "Contact 6 joins contact 5, in sight of Albemarle's fleet."),
        ("touch_lost", {"number": 6, "times": [[5, "sighted", 7, 0]]},
         "Albemarle's fleet loses sight of contact 6; seen again at 11:00 as contact 7."),
    ],
)  # fmt: skip
def test_a_contact_is_told_with_what_the_staff_thinks_and_what_followed_soon(
    kind: str, data: dict[str, Any], told: str
) -> None:
    assert sentence([0, kind, "", [], {"fleet": "ALB", **data}], NAMES) == told


def test_a_reader_of_every_side_is_told_whose_number_a_contact_has() -> None:
    seen = [0, "touch_lost", "", ["NLD"], {"fleet": "ALB", "number": 6, "into": 5}]
    umpire = {**NAMES, "NLD": "Dutch Republic", "ENG": "Pirates", EVERY_SIDE: "all"}
    assert sentence(seen, umpire).startswith("Contact 6 in the Dutch Republic's list joins contact 5,")
    chase = [0, "chase", "", ["ENG"], {"fleet": "ALB", "number": 6, "range": 2000}]
    assert sentence(chase, umpire) == "Albemarle's fleet steers for contact 6 in Pirates' list, 2 miles away."
    assert sentence(chase, NAMES) == "Albemarle's fleet steers for contact 6, 2 miles away."


@pytest.mark.clause("G.SI4")
def test_a_report_from_the_shore_names_its_place() -> None:
    data = {"place": "nore", "number": 3, "latitude": 5180, "longitude": 0, "band": "1", "kinds": []}
    assert sentence([0, "sighted", "", [], data], NAMES) == (
        "The lookout at the Nore sights contact 3: a single sail, at 51°48′ N, 0°00′ E."
    )


@pytest.mark.parametrize(
    ("fleet", "told"),
    [
        ("Destroyers of Port Arthur", "the destroyers of Port Arthur"),
        ("Station ships at Chemulpo", "the station ships at Chemulpo"),
        ("Pacific Squadron", "the Pacific Squadron"),
        ("Rupert's squadron", "Rupert's squadron"),
    ],
)
def test_a_fleet_in_a_list_of_those_who_saw_something(fleet: str, told: str) -> None:
    assert the_fleet(fleet) == told


def test_whose_soldiers_fight_is_said_to_whom_every_side_is_known() -> None:
    fought = [
        0,
        "fought_ashore",
        "G.LD3",
        ["NLD"],
        {"place": "har", "result": "falls", "men": 4_000, "lost": 12},
    ]
    names = {"har": "Harwich", "NLD": "Dutch Republic"}
    assert sentence(fought, names).startswith(
        "Our soldiers fight for Harwich"
    ) and "We lose 12 men." in sentence(fought, names)
    umpires = sentence(fought, {**names, EVERY_SIDE: "all"})
    assert (
        umpires.startswith("Soldiers of the Dutch Republic fight for Harwich")
        and "The Dutch Republic loses 12 men." in umpires
    )


@pytest.mark.parametrize(
    ("name", "verb"),
    [("Kasuga and Nisshin", "arrive"), ("Third Fleet", "arrives"), ("New destroyers", "arrive")],
)
def test_what_the_calendar_brings_has_the_verb_of_its_name(name: str, verb: str) -> None:
    told = sentence([0, "reinforced", "G.CA2", [], {"name": name, "place": "har"}], {"har": "Harwich"})
    assert f" {verb} at Harwich" in told
