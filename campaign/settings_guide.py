"""The settings of a campaign as people choose them: in groups, each with an example, and only those that matter under its rule set.

The rules say what a setting is, its default and its clause (`campaign.rules.chart.types.Settings`); this says where it is shown.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from battles.engine import registry
from battles.engine.core.ruleset import RuleSet

# Which sets have ships that steam, and which have none that sail: a set says so of a card, not of itself.
STEAM, STEAM_ALONE = frozenset({"cordery", "barker"}), frozenset({"cordery"})
Suits = Callable[["RuleSet[Any]"], bool]


def _steams(rules: RuleSet[Any]) -> bool:
    return rules.name in STEAM


def _sails(rules: RuleSet[Any]) -> bool:
    return rules.name not in STEAM_ALONE


def _mines(rules: RuleSet[Any]) -> bool:
    return rules.at_sea.lays_mines


def _trades(rules: RuleSet[Any]) -> bool:
    return rules.at_sea.trade is not None


def _takes(rules: RuleSet[Any]) -> bool:
    return rules.takes_ships


def _always(rules: RuleSet[Any]) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Group:
    """Settings that belong together. rows: (name, example). suits: whether they matter under a rule set. first: asked at the start."""

    title: str
    about: str
    rows: tuple[tuple[str, str], ...]
    suits: Suits = _always
    first: bool = False


GROUPS = (
    Group(
        "How battles are fought",
        "The choice that shapes your evenings: the computer fights a battle in seconds, a club table takes a night.",
        (
            ("battle_route", "By computer: a turn with three battles is over in a minute. On the tabletop, players enter the result."),
            ("campaign_waits", "No: only the fleets in battle wait; the others sail on. Yes: no one moves until the table is cleared."),
            ("battle_wait_days", "14: two weeks after the fleets met, you are asked what to do."),
            ("confirm_days", "3: an admiral who does not answer a proposed result by the third day has agreed to it."),
        ),
        first=True,
    ),
    Group(
        "Turns and the end",
        "How long a turn is, what cuts it short, and when the campaign is over.",
        (
            ("turn_days", "3: fleets that leave the Nore at 5 knots are 360 miles away when the turn ends."),
            ("end_turn_on", "Battle: orders open again on the day after a battle, not at the end of the turn."),
            ("end_date", "1666-08-31: the campaign ends on the morning of 31 August."),
            ("end_points", "100: the first side to have 100 points wins. 0: points alone end nothing."),
        ),
        first=True,
    ),
    Group(
        "What players know",
        "How much an admiral sees of their own side, how news travels, and when dice are revealed.",
        (
            ("knowledge", "What their own ships know: an admiral reads only what their own fleets have seen, until a letter arrives."),
            ("news", "It travels: a battle off Lowestoft is known in London a day later."),
            ("dispatch_miles", "140: news from 280 miles away takes two days."),
            ("one_report", "On: three fleets in company are reported as one contact of 60 sail."),
            ("fold_hours", "48: a contact that no one has seen for two days is listed as older."),
            ("secrets_after", "10: the dice of turn 1 are revealed when turn 11 has closed."),
        ),
        first=True,
    ),
    Group(
        "Objectives and the score",
        "What pays points, and what decides the war.",
        (
            ("objectives", "On: holding the Downs for ten days pays its marks."),
            ("objective_percent", "50: every objective pays half its marks."),
            ("decisive", "The campaign ends: it is over when a side achieves a decisive objective."),
            ("grade_narrow", "10: a lead of 12 marks is a narrow victory."),
            ("grade_clear", "30: a lead of 35 marks is a clear victory."),
            ("grade_great", "60: a lead of 70 marks is a great victory."),
            ("convoy_percent", "100: a convoy worth 8 points pays 8 when it arrives."),
            ("port_points", "2: each dockyard port that a side holds is worth 2 points."),
        ),
    ),
    Group(
        "Calendar and landings",
        "Dated events, and soldiers ashore.",
        (
            ("calendar", "They take effect: reinforcements arrive on the date given. Text only: it tells what happened in history."),
            ("landings", "Off: no troops, no landings, no raids on ports."),
            ("land_rate", "4000: an army of 6,000 is ashore on the second morning."),
            ("port_marks", "2: taking Flushing pays 2 marks, and more for its dockyard."),
            ("port_class_marks", "2: a dockyard of class 3 pays 6 marks on top."),
            ("hold_men", "300: a port left with 200 men goes back to its old owner."),
        ),
    ),
    Group(
        "Sighting",
        "Who sees whom, and at what distance. Dice are D6.",
        (
            ("nightfall", "21: from 21:00 night ranges apply."),
            ("see_clear", "12: from the masthead a fleet 12 miles off can be seen on a clear day."),
            ("see_haze", "6: in haze, half as far as on a clear day."),
            ("see_fog", "1: fleets pass each other two miles apart unseen."),
            ("see_night", "2: by night no fleet is seen beyond two miles."),
            ("scout_miles", "8: with a frigate ahead a fleet sees 20 miles instead of 12."),
            ("see_at_day", "3: four throws in six sight the enemy by day."),
            ("see_at_haze", "4: every other throw sights the enemy in haze."),
            ("see_at_night", "5: two throws in six."),
            ("see_at_fog", "6: one throw in six."),
            ("coast_miles", "24: the look-out at Dover sees a fleet off Calais on a clear day."),
            ("kinds_miles", "6: at eight miles they are sails, at five they are ships of the line."),
            ("guns_heard", "15: a fleet 12 miles from a battle hears it and may join."),
        ),
    ),
    Group(
        "Sailing",
        "Speeds under sail, and what the wind does.",
        (
            ("knots_line", "4.5: a line of battle makes 108 miles in a day with a fair wind."),
            ("knots_frigate", "6: a frigate makes 144 miles in a day."),
            ("knots_merchant", "3: a convoy makes 72 miles in a day."),
            ("carried_degrees", "60: a ship without masts drifts along a passage up to 60 degrees off the wind."),
        ),
        _sails,
    ),
    Group(
        "Steaming and coal",
        "Speeds under steam, and how long the bunkers last.",
        (
            ("steam_cruising_percent", "60: a cruiser of 18 knots cruises at 10."),
            ("steam_least", "4: no steamer cruises more slowly."),
            ("steam_most", "12: a destroyer of 28 knots still cruises at 12."),
            ("trial_warship", "17: what a warship makes whose register names no speed."),
            ("trial_merchant", "14: what a merchantman makes whose register names no speed."),
            ("steam_full_percent", "90: in a chase a ship of 18 knots makes 16."),
            ("coal_line", "16: a battleship cruises 16 days before it must coal."),
            ("coal_cruiser", "20: a cruiser goes to Vladivostok and back."),
            ("coal_flotilla", "4: destroyers come home every fourth day."),
            ("coal_merchant", "30: a merchantman crosses an ocean."),
            ("coal_hold", "300: one collier coals a squadron for weeks."),
            ("coal_chase", "3: four hours of chase burn twelve hours of coal."),
            ("coal_crawl", "2: without coal a ship drifts home at 2 knots."),
        ),
        _steams,
    ),
    Group(
        "Chases and battles on the chart",
        "When fleets attack, run, are brought to action, and what they do afterwards.",
        (
            ("company_miles", "3: fleets two miles apart fight together."),
            ("greatest_odds", "1.5: a fleet that seeks battle attacks up to one and a half times its strength."),
            ("chase_miles", "3: after a side breaks off, the chase begins three miles apart."),
            ("flight", "On: a faster fleet gets away. Off: fleets that meet always fight."),
            ("stand_odds", "4: a fleet ordered to fight runs from four times its strength."),
            ("overhaul", "0.5: a chaser half a knot faster brings the enemy to action."),
            ("shy_hours", "24: for a day, a fleet that got away is caught only by one a whole knot faster."),
            ("after_battle_default", "They judge for themselves: a fleet that holds its own renews the battle next morning."),
            ("renew_ratio", "1: it renews a battle only if it is as strong as the enemy."),
            ("renew_most", "3: after a third day of battle both sides part."),
            ("cripple_percent", "50: a ship that has lost half its hull is sent home."),
            ("escape_at", "5: by night two throws in six shake the enemy off."),
        ),
    ),
    Group(
        "Weather, shoals and wrecks",
        "What the sea does to ships.",
        (
            ("founder_prize", "1: a prize goes down more easily than its captor in the same gale."),
            ("founder_anchorage", "1: a ship in an open roadstead is in more danger."),
            ("gale_gap", "24: a gale that returns after a day counts as a new one."),
            ("part_at", "1: in a gale one damaged ship in six parts company."),
            ("scatter_dice", "3: ships that part are carried 3 to 18 miles."),
            ("aground_at", "3: every other deep ship that crosses a shoal strikes it."),
            ("refloat_at", "5: two tides in six float it off."),
            ("shore_miles", "3: a ship adrift three miles from a foreign port is in danger of the shore."),
            ("wrecked_at", "2: two ships in six that drive ashore are lost."),
        ),
    ),
    Group(
        "Blockade and neutral ports",
        "Lying off a port, slipping out of it, and sheltering in another nation's.",
        (
            ("blockade_miles", "6: the blockade lies in sight of the harbour."),
            ("slip_at", "4: every other dark night a fleet slips out."),
            ("onshore_hours", "48: after two days of onshore wind the blockade runs for shelter."),
            ("slipped_hours", "12: for half a day the blockade does not know that the port is empty."),
            ("neutral_hours", "24: a fleet that stays longer in a neutral port is interned."),
        ),
    ),
    Group(
        "Mines",
        "Minefields, and those who sweep them.",
        (
            ("mine_sections", "3: a field of six sections is struck on a throw of 1 or 2."),
            ("mine_ships", "2: the two leading ships are attacked."),
            ("mine_found_at", "4: a sweeper finds every other field in a day."),
        ),
        _mines,
    ),
    Group(
        "Raids on trade",
        "Merchantmen that no one lists, and raiders who look for them.",
        (
            ("trade_miles", "120: shipping is met within 120 miles of its ports."),
            ("raid_at", "5: a raider meets shipping on two days in six."),
            ("trade_warned_days", "7: for a week after a capture no merchantman puts to sea there."),
        ),
        _trades,
    ),
    Group(
        "Yards",
        "How fast ships are repaired.",
        (
            ("yard_days", "7: light work on a hull takes two days in a berth."),
            ("work_light", "14: a ship that lost an eighth of its hull is two days in the yard."),
            ("work_medium", "49: a week in the yard."),
            ("work_heavy", "91: thirteen days in the yard."),
            ("work_worse", "133: nineteen days in the yard."),
            ("work_mast", "3: a new mast takes half a day."),
            ("work_battery", "2: a battery takes a few hours."),
        ),
    ),
    Group(
        "Prizes and prisoners",
        "Captured ships, the money they bring and the men in them.",
        (
            ("guard_share", "5: 40 guards hold up to 200 prisoners down."),
            ("rise_at", "4: every other rising retakes the ship."),
            ("court_days", "98: a prize is before the court for two weeks."),
            ("fund_start", "10000: each side begins with £10,000."),
            ("head_money", "5: a ship taken with 200 men pays £1,000."),
            ("hulk_percent", "25: a prize worth £4,000 brings £1,000 as a hulk."),
            ("salvage_eighths", "1: retaking a ship worth £8,000 pays £1,000."),
            ("bounty_pounds", "3: a hundred men beyond the port's levy cost £300."),
            ("exchange_pounds", "1: bringing 200 men home costs £200."),
        ),
        _takes,
    ),
    Group(
        "Provisions",
        "Whether ships have to come home for food and coal.",
        (
            ("stores", "On: a fleet at sea for three months starves. Off: no one counts."),
            ("stores_days", "90: a full ship eats for three months."),
            ("hunger_percent", "2: without provisions a crew of 400 loses 8 men a day."),
        ),
    ),
    Group(
        "Officers",
        "What befalls captains and admirals.",
        (
            ("officer_at", "1: for each quarter of the hull lost, one officer in six is hit."),
            ("officer_killed_at", "3: half of those who are hit are killed."),
            ("officer_saved_at", "3: four officers in six are saved from a ship that goes down."),
            ("wound_days", "28: a wounded captain is back after four weeks."),
        ),
    ),
    Group(
        "Fleets, squadrons and orders",
        "Ships that part company, small squadrons, and orders with an error in them.",
        (
            ("fragments", "One group: five stragglers sail home together."),
            ("muster", "Automatically: a squadron of two ships is filled up in port."),
            ("least_squadron", "3: a squadron of two ships is too small."),
            ("orders_in_parts", "On: a wrong name in an order costs that line. Off: it costs the whole order."),
            ("at_miles", "10: a fleet eight miles from the Nore counts as at the Nore."),
        ),
    ),
    Group(
        "Automatic admirals",
        "How sides without a player think.",
        (
            ("duties", "On: it works for its objectives. Off: it only looks for the enemy."),
            ("reserve_percent", "20: a fifth of its strength stays back."),
            ("fund_keep", "2000: it spends no more when £2,000 are left."),
        ),
    ),
    Group(
        "When the site was down",
        "What happens to deadlines that passed while it was down.",
        (
            ("outage_hours", "12: a site that was down overnight is an outage, one that restarted is not."),
            ("after_outage", "Postpone: after a day's outage every deadline is a day later."),
        ),
    ),
)  # fmt: skip


def groups_for(rule_set: str) -> tuple[Group, ...]:
    """The groups that matter under a rule set, in their order."""
    rules = registry.rule_set(rule_set)
    return tuple(group for group in GROUPS if group.suits(rules))
