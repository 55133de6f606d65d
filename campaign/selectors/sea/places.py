"""Places in words, as sailors name them. Rule: G.CH2."""

from __future__ import annotations

from collections.abc import Sequence

from campaign.accounts.words import as_goal, at
from campaign.rules.chart import types as t


def place_in_words(theatre: t.Theatre, position: t.Position) -> str:
    """Where a fleet is: "at the Nore", or "12 nm from the Galloper towards the Schooneveld". Rule: G.CH2."""
    here = theatre.places[position.at].name
    if not position.to:
        return at(here)
    goal = theatre.places[position.to].name
    there = as_goal(goal, here)
    miles = round(position.run / t.MILLI)
    if not miles:
        return f"{at(here)}, bound for {there}"
    if here == f"Off {goal}":
        return f"standing in towards {there}"
    if goal == f"Off {here}":
        return f"standing out from {as_goal(here)}"
    return f"{miles} nm from {as_goal(here, goal)} towards {there}"


def goal_in_words(theatre: t.Theatre, position: t.Position, route: Sequence[str]) -> str:
    """Where a route ends, in words after "bound for"; "" when there is no route, or the fleet lies where it ends already."""
    if not route or (not position.to and list(route) == [position.at]):
        return ""
    return as_goal(theatre.places[route[-1]].name)


def short_name(name: str) -> str:
    """A place's name without what is added in brackets."""
    return name.split(" (")[0]
