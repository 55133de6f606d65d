"""What the automatic admirals mean to do, and why: for the umpire alone. Rules: G.AA6, G.IN1."""

from __future__ import annotations

import re
from dataclasses import dataclass

from battles.engine.core.telling import is_plural
from campaign.accounts.words import agreeing, as_goal, at, in_the_plural, near
from campaign.models import AdmiralPlan, Campaign, Turn
from campaign.selectors.turn.facts import theatre_of

# What each decision is called.
DEEDS = {
    "go": "goes to", "carry": "carries the army to", "cover": "covers", "land": "lands", "raid": "raids",
    "blockade": "blockades", "hold": "holds", "seek": "seeks the enemy", "wait": "waits for the enemy",
    "in being": "stays safe", "refit": "refits", "rejoin": "rejoins its fleet", "join": "joins another fleet",
    "scout": "scouts", "escort": "escorts a convoy", "trade": "sails with its cargo to", "embark": "embarks the army",
    "ready": "waits to cross", "avoid": "keeps away", "reserve": "stays in reserve", "under orders": "carries out its orders",
    "station": "returns to its station off", "mine": "lays mines at", "torpedo": "attacks by night at", "trade raid": "raids trade near",
    "gather": "gathers at",
}  # fmt: skip
# How a place follows them; a deed that is not here names none.
_PLACE = {
    **dict.fromkeys(("go", "carry", "cover", "raid", "blockade", "hold", "trade"), as_goal), "land": at, "seek": near, "wait": near,
    **dict.fromkeys(("station", "gather", "mine", "torpedo", "trade raid"), as_goal),
}  # fmt: skip


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
            name, deed = names.get(row["fleet"]) or row["fleet"], DEEDS.get(row["verb"], row["verb"])
            if row["verb"] in _PLACE and row["place"] in places:
                deed = f"{deed} {_PLACE[row['verb']](places[row['place']].name)}"
            else:
                deed = _TOWARDS.sub("", deed)
            deed = agreeing(f"{name} {deed}", [name]).removeprefix(f"{name} ")
            why = _PASSED.sub(lambda found: found[0].lower(), row["why"])
            why = _of_several(why) if is_plural(name) else why
            lines.append(PlanLine(row["fleet"], name, deed, why))
        found.append(SidePlan(plan.side.name, plan.side.colour, tuple(lines)))
    return [plan for plan in found if plan.lines]


# What a deed without a place does not end in.
_TOWARDS = re.compile(r" (?:at|near|off|to)$")
# A sentence that a plan says of the fleet itself. What it quotes of an objective is not of the fleet.
_OF_THE_FLEET = re.compile(r"\b(?:It|Its|it accepts|so does it)\b[^.]*")
# Names of places that take a small letter in a sentence.
_PASSED = re.compile(r"(?<=passes )(?:Off|The|North|South|East|West)\b")
_PRONOUNS = {"It": "They", "it": "they", "Its": "Their", "its": "their"}


def _of_several(why: str) -> str:
    """A reason for a fleet whose name is plural: "They take men aboard at Dunkirk."."""
    return _OF_THE_FLEET.sub(lambda found: _they(found[0]), why)


def _they(words: str) -> str:
    words = words.replace("so does it", "so do they")
    words = re.sub(
        r"\b([Ii]t) (\w+s)\b", lambda found: f"{_PRONOUNS[found[1]]} {in_the_plural(found[2])}", words
    )
    return re.sub(r"\b[Ii]ts\b", lambda found: _PRONOUNS[found[0]], words)
