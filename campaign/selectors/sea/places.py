"""Places in words, as sailors name them. Rule: G.CH2."""

from __future__ import annotations

from campaign.rules.chart import types as t

QUARTERS = frozenset({"North", "South", "East", "West"})


def place_in_words(theatre: t.Theatre, position: t.Position) -> str:
    """Where a fleet is: "at the Nore", or "12 nm on the way from the Galloper to the Schooneveld". Rule: G.CH2."""
    here = short_name(theatre.places[position.at].name)
    if not position.to:
        return at_place(here)
    there = lower_the(short_name(theatre.places[position.to].name))
    miles = round(position.run / t.MILLI)
    if not miles:
        return f"{at_place(here)}, bound for {there}"
    return f"{miles} nm on the way from {lower_the(here)} to {there}"


def short_name(name: str) -> str:
    """A place's name without what is added in brackets."""
    return name.split(" (")[0]


def lower_the(name: str) -> str:
    """A name in the middle of a sentence."""
    first, _, rest = name.partition(" ")
    return f"{first.lower()} {rest}" if first == "The" or is_relative(name) else name


def is_relative(name: str) -> bool:
    """Whether a name says where it is by another's: off Cromer, west of the Hinder banks."""
    return name.startswith("Off ") or " of " in name[:12] and name.split(" ", 1)[0] in QUARTERS


def at_place(name: str) -> str:
    """At a place: "at the Nore", "off Cromer"."""
    return lower_the(name) if is_relative(name) else f"at {lower_the(name)}"
