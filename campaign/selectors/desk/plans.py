"""What the automatic admirals mean to do, and why: for the umpire alone. Rules: G.AA6, G.IN1."""

from __future__ import annotations

from dataclasses import dataclass

from campaign.models import AdmiralPlan, Campaign, Turn
from campaign.selectors.sea.places import short_name
from campaign.selectors.turn.facts import theatre_of

# What each decision is called.
DEEDS = {
    "go": "goes to", "carry": "carries the army to", "cover": "covers", "land": "lands at", "raid": "raids",
    "blockade": "blockades", "hold": "holds", "seek": "seeks the enemy off", "wait": "waits for the enemy off",
    "in being": "stays safe", "refit": "refits", "rejoin": "rejoins its fleet", "join": "joins another fleet",
    "scout": "scouts", "escort": "escorts a convoy", "trade": "sails with its cargo to", "embark": "embarks the army",
    "ready": "waits to cross", "avoid": "keeps away", "reserve": "stays in reserve", "under orders": "carries out its orders",
}  # fmt: skip
_WITH_PLACE = frozenset({"go", "carry", "cover", "land", "raid", "blockade", "hold", "seek", "wait", "trade"})


@dataclass(frozen=True, slots=True)
class PlanLine:
    """One fleet's part in a plan. deed: what it does, in words; why: one sentence."""

    code: str
    name: str
    deed: str
    why: str


@dataclass(frozen=True, slots=True)
class SidePlan:
    """The plan of a side that no player commands."""

    side: str
    colour: str
    lines: tuple[PlanLine, ...]


def plan_turns(campaign: Campaign) -> list[int]:
    """Numbers of the turns for which there are plans, the newest first."""
    found = AdmiralPlan.objects.filter(turn__campaign=campaign, turn__void="").values_list("turn__number")
    return sorted({number for (number,) in found}, reverse=True)


def side_plans(campaign: Campaign, turn: Turn) -> list[SidePlan]:
    """The plans of one turn, by the name of the side. For the umpire: it holds what sides keep from each other."""
    places = theatre_of(campaign).places
    names = dict(campaign.book.navies.values_list("fleets__code", "fleets__name"))
    plans = turn.plans.select_related("side__navy").order_by("side__name")
    found = []
    for plan in plans:
        lines = []
        for row in plan.decisions:
            place = places.get(row["place"]) if row["verb"] in _WITH_PLACE else None
            deed = DEEDS.get(row["verb"], row["verb"])
            deed = f"{deed} {short_name(place.name)}" if place is not None else deed
            lines.append(PlanLine(row["fleet"], names.get(row["fleet"]) or row["fleet"], deed, row["why"]))
        found.append(SidePlan(plan.side.name, plan.side.colour, tuple(lines)))
    return [plan for plan in found if plan.lines]
