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
        "The computer fights a battle in seconds. A battle on the club's table takes an evening.",
        (
            ("battle_route", "With “by computer”, 3 battles take a minute. With “on the tabletop”, players enter results."),
            ("campaign_waits", "With “no”, only the fleets in battle wait. With “yes”, no fleet moves until the table is cleared."),
            ("battle_wait_days", "With 14, the umpire has to decide what happens once the fleets have waited 2 weeks for their battle."),
            ("confirm_days", "With 3, an admiral who has not answered a proposed result after 3 days is taken to agree."),
        ),
        first=True,
    ),
    Group(
        "Turns and the end",
        "How long a turn is, what cuts it short, and when the campaign is over.",
        (
            ("turn_days", "With 3, fleets that leave the Nore at 5 knots are 360 miles away when the turn ends."),
            ("end_turn_on", "With “battle”, orders open again on the day after a battle, not at the end of the turn."),
            ("end_date", "With 31 August 1666, the campaign ends that morning."),
            ("end_points", "With 100, the first side to reach 100 points wins. With 0, the campaign does not end on points."),
        ),
        first=True,
    ),
    Group(
        "What players know",
        "How much an admiral sees of their own side, how news travels, and when dice are published.",
        (
            ("knowledge", "With “what their own ships know”, admirals read only what their own fleets have seen, until a letter arrives."),
            ("news", "With “it travels”, a battle off Lowestoft is known in London a day later."),
            ("dispatch_miles", "With 140, news from 280 miles away takes 2 days."),
            ("one_report", "With “on”, 3 fleets in company are reported as one contact of 60 sail."),
            ("fold_hours", "With 48, a contact that no one has seen for 2 days moves to the list of older contacts."),
            ("secrets_after", "With 10, the dice of turn 1 are published when turn 11 has closed."),
        ),
        first=True,
    ),
    Group(
        "Objectives and the score",
        "Objectives pay marks. In the score, a mark is worth a fixed number of points.",
        (
            ("objectives", "With “on”, a side whose objective is to hold the Downs for 10 days is paid marks for doing so."),
            ("objective_percent", "With 50, every objective pays half its marks."),
            ("decisive", "With “the campaign ends”, it is over when a side achieves a decisive objective."),
            ("grade_narrow", "With 10, a side that leads by 12 marks wins a narrow victory."),
            ("grade_clear", "With 30, a side that leads by 35 marks wins a clear victory."),
            ("grade_great", "With 60, a side that leads by 70 marks wins a great victory."),
            ("convoy_percent", "With 100, a convoy worth 8 points pays 8 when it arrives."),
            ("port_points", "With 2, each dockyard port that a side holds is worth 2 points."),
        ),
    ),
    Group(
        "Calendar and landings",
        "Dated events, and soldiers ashore.",
        (
            ("calendar", "With “they take effect”, reinforcements arrive on their date. With “they are text only”, nothing else happens."),
            ("landings", "With “off”, there are no troops, landings or raids on ports."),
            ("land_rate", "With 4,000, an army of 6,000 needs 2 mornings to land."),
            ("port_marks", "With 2, taking Flushing pays 2 marks, and more for its dockyard."),
            ("port_class_marks", "With 2, a dockyard of class 3 pays 6 marks on top."),
            ("hold_men", "With 300, a port left with 200 men goes back to its old owner."),
        ),
    ),
    Group(
        "Sighting",
        "Who sees whom, and at what distance. Dice are D6.",
        (
            ("nightfall", "With 21, from 21:00 night ranges apply."),
            ("see_clear", "With 12, from the masthead a fleet 12 miles off can be seen on a clear day."),
            ("see_haze", "With 6, a fleet sees half as far in haze as on a clear day."),
            ("see_fog", "With 1, fleets pass each other 2 miles apart unseen."),
            ("see_night", "With 2, by night no fleet is seen beyond 2 miles."),
            ("scout_miles", "With 8, with a frigate ahead a fleet sees 20 miles instead of 12."),
            ("see_at_day", "With 3, the enemy is sighted by day on 4 throws in 6."),
            ("see_at_haze", "With 4, the enemy is sighted in haze on 3 throws in 6."),
            ("see_at_night", "With 5, the enemy is sighted by night on 2 throws in 6."),
            ("see_at_fog", "With 6, the enemy is sighted in fog on 1 throw in 6."),
            ("coast_miles", "With 24, the lookout at Dover sees a fleet off Calais on a clear day."),
            ("kinds_miles", "With 6, ships 8 miles away are only sails; 5 miles away they are ships of the line."),
            ("guns_heard", "With 15, a fleet 12 miles from a battle hears it and may join."),
        ),
    ),
    Group(
        "Sailing",
        "Speeds under sail, and what the wind does.",
        (
            ("knots_line", "With 4.5, a line of battle makes 108 miles in a day with a fair wind."),
            ("knots_frigate", "With 6, a frigate makes 144 miles in a day."),
            ("knots_merchant", "With 3, a convoy makes 72 miles in a day."),
            ("carried_degrees", "With 60, a ship without masts drifts along a passage up to 60 degrees from dead downwind."),
        ),
        _sails,
    ),
    Group(
        "Steaming and coal",
        "Speeds under steam, and how long the bunkers last.",
        (
            ("steam_cruising_percent", "With 60, a cruiser of 18 knots cruises at 10."),
            ("steam_least", "With 4, no steamer cruises more slowly."),
            ("steam_most", "With 12, a destroyer of 28 knots still cruises at 12."),
            ("trial_warship", "With 17, a warship without a recorded speed makes 17 knots on trial."),
            ("trial_merchant", "With 14, a merchantman without a recorded speed makes 14 knots on trial."),
            ("steam_full_percent", "With 90, in a chase a ship of 18 knots makes 16."),
            ("coal_line", "With 16, a battleship cruises for 16 days before it must coal."),
            ("coal_cruiser", "With 20, a cruiser goes to Vladivostok and back."),
            ("coal_flotilla", "With 4, destroyers come home every fourth day."),
            ("coal_merchant", "With 30, a merchantman crosses an ocean."),
            ("coal_hold", "With 300, one collier coals a squadron for weeks."),
            ("coal_chase", "With 3, a chase of 4 hours burns 12 hours of coal."),
            ("coal_crawl", "With 2, a steamer without coal crawls home at 2 knots."),
        ),
        _steams,
    ),
    Group(
        "Chases and battles on the chart",
        "When fleets attack, run or are brought to action, and what they do afterwards.",
        (
            ("company_miles", "With 3, fleets 2 miles apart fight together."),
            ("greatest_odds", "With 1.5, a fleet that seeks battle attacks an enemy up to one and a half times as strong."),
            ("chase_miles", "With 3, after a side breaks off, the chase begins with the fleets 3 miles apart."),
            ("flight", "With “on”, a faster fleet gets away. With “off”, fleets that meet always fight."),
            ("stand_odds", "With 4, a fleet ordered to fight runs from an enemy 4 times as strong."),
            ("overhaul", "With 0.5, a chaser half a knot faster brings the enemy to action."),
            ("shy_hours", "With 24, for a day, a fleet that got away can be caught only by one that is a whole knot faster."),
            ("after_battle_default", "With “they judge for themselves”, a fleet that holds its own renews the battle next morning."),
            ("renew_ratio", "With 1, a fleet renews a battle only if it is as strong as the enemy."),
            ("renew_most", "With 3, fleets can renew their battle 3 times. Then both sides part."),
            ("cripple_percent", "With 50, a ship that has lost half its hull is sent home."),
            ("escape_at", "With 5, the enemy is shaken off by night on 2 throws in 6."),
        ),
    ),
    Group(
        "Weather, shoals and wrecks",
        "What the sea does to ships.",
        (
            ("founder_prize", "With 1, a prize founders more easily than its captor in the same gale."),
            ("founder_anchorage", "With 1, a ship in an open roadstead is in more danger."),
            ("gale_gap", "With 24, a gale that returns after a day counts as a new one."),
            ("part_at", "With 1, in a gale one damaged ship in 6 parts company."),
            ("scatter_dice", "With 3, ships that part are carried 3 to 18 miles."),
            ("aground_at", "With 3, half the deep-draught ships that cross a shoal run aground."),
            ("refloat_at", "With 5, a ship aground floats off on 2 tides in 6."),
            ("shore_miles", "With 3, a ship adrift within 3 miles of a foreign port may be driven ashore."),
            ("wrecked_at", "With 2, a third of the ships that are driven ashore are wrecked."),
        ),
    ),
    Group(
        "Blockade and neutral ports",
        "Lying off a port, slipping out of it, and sheltering in another nation's.",
        (
            ("blockade_miles", "With 6, the blockade lies in sight of the harbour."),
            ("slip_at", "With 4, a fleet that tries to slip out by night succeeds on 3 throws in 6."),
            ("onshore_hours", "With 48, after 2 days of onshore wind the blockading fleet runs for shelter."),
            ("slipped_hours", "With 12, for half a day the blockading fleet does not know that the port is empty."),
            ("neutral_hours", "With 24, a fleet that stays longer in a neutral port is interned."),
        ),
    ),
    Group(
        "Mines",
        "Minefields, and those who sweep them.",
        (
            ("mine_sections", "With 3, a field of 6 sections is struck on a throw of 1 or 2."),
            ("mine_ships", "With 2, the 2 leading ships are attacked."),
            ("mine_found_at", "With 4, a sweeper that looks for a minefield finds it on 3 days in 6."),
        ),
        _mines,
    ),
    Group(
        "Raids on trade",
        "Merchant shipping that is not listed ship by ship, and the raiders that look for it.",
        (
            ("trade_miles", "With 120, shipping is met within 120 miles of its ports."),
            ("raid_at", "With 5, a raider meets shipping on 2 days in 6."),
            ("trade_warned_days", "With 7, for a week after a capture no merchantman puts to sea there."),
        ),
        _trades,
    ),
    Group(
        "Yards",
        "How fast ships are repaired.",
        (
            ("yard_days", "With 7, light work on a hull takes 2 days in a berth."),
            ("work_light", "With 14, a ship that has lost an eighth of its hull spends 2 days in a berth."),
            ("work_medium", "With 49, medium work takes a week in a berth."),
            ("work_heavy", "With 91, heavy work takes 13 days in a berth."),
            ("work_worse", "With 133, the worst damage takes 19 days in a berth."),
            ("work_mast", "With 3, a new mast takes half a day."),
            ("work_battery", "With 2, a battery takes a few hours."),
        ),
    ),
    Group(
        "Prizes and prisoners",
        "Captured ships, the money they bring and the men in them.",
        (
            ("guard_share", "With 5, 40 guards can control up to 200 prisoners."),
            ("rise_at", "With 4, half the risings retake the ship."),
            ("court_days", "With 98, a prize is before the court for 2 weeks."),
            ("fund_start", "With 10,000, each side begins with £10,000."),
            ("head_money", "With 5, a ship taken with 200 men pays £1,000."),
            ("hulk_percent", "With 25, a prize worth £4,000 brings £1,000 as a hulk."),
            ("salvage_eighths", "With 1, retaking a ship worth £8,000 pays £1,000."),
            ("bounty_pounds", "With 3, a hundred men beyond the port's levy cost £300."),
            ("exchange_pounds", "With 1, bringing 200 men home costs £200."),
        ),
        _takes,
    ),
    Group(
        "Provisions",
        "Food and coal, for which ships have to come home.",
        (
            ("stores", "With “on”, a fleet that is at sea for 3 months starves. With “off”, provisions and coal are not counted."),
            ("stores_days", "With 90, a fully provisioned ship can stay at sea for 3 months."),
            ("hunger_percent", "With 2, a crew of 400 without provisions loses 8 men a day."),
        ),
    ),
    Group(
        "Officers",
        "What befalls captains and admirals.",
        (
            ("officer_at", "With 1, for each quarter of the hull lost, one officer in 6 is hit."),
            ("officer_killed_at", "With 3, half of the officers who are hit are killed."),
            ("officer_saved_at", "With 3, 4 officers in 6 are saved from a ship that goes down."),
            ("wound_days", "With 28, a wounded captain is back after 4 weeks."),
        ),
    ),
    Group(
        "Fleets, squadrons and orders",
        "Ships that part company, small squadrons, and orders with an error in them.",
        (
            ("fragments", "With “one group”, 5 stragglers sail home together."),
            ("muster", "With “automatically”, a squadron of 2 ships is filled up in port."),
            ("least_squadron", "With 3, a squadron of 2 ships is too small."),
            ("orders_in_parts", "With “on”, a wrong name in an order costs that line. With “off”, it costs the whole order."),
            ("at_miles", "With 10, a fleet 8 miles from the Nore counts as at the Nore."),
        ),
    ),
    Group(
        "Automatic admirals",
        "How sides without a player think.",
        (
            ("duties", "With “on”, it works for its objectives. With “off”, it only looks for the enemy."),
            ("reserve_percent", "With 20, it holds back a fifth of its strength."),
            ("fund_keep", "With 2,000, it stops spending when £2,000 is left."),
        ),
    ),
    Group(
        "When the site was down",
        "What happens to deadlines that passed while it was down.",
        (
            ("outage_hours", "With 12, a site that was down overnight had an outage; one that restarted did not."),
            ("after_outage", "With “postpone deadlines by its length”, every deadline is a day later after an outage of a day."),
        ),
    ),
)  # fmt: skip


def groups_for(rule_set: str) -> tuple[Group, ...]:
    """The groups that matter under a rule set, in their order."""
    rules = registry.rule_set(rule_set)
    return tuple(group for group in GROUPS if group.suits(rules))
