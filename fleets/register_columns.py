"""What the columns of a register are called, by us and in clubs' spreadsheets, and which values they allow."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import NamedTuple

from fleets.forms import EXTRA_COLUMNS, EXTRA_NUMBERS, RegisterEntryForm, WholeNumberField
from fleets.models import Confidence, Role, ShipType

NEEDED = ("name", "nation", "side", "ship_type")
COLUMNS = tuple(RegisterEntryForm.Meta.fields)
KNOWN = (*COLUMNS, *EXTRA_COLUMNS)
# Columns that an export writes and an import need not read: the user chooses the register, and the line is where a row is found.
PASSED_OVER = ("register", "line")

_SYNONYMS = {
    "name": ("ship", "ship_name", "vessel", "name_of_ship", "ships_name"),
    "nation": ("country", "flag", "nationality", "state"),
    "side": ("fleet", "belligerent", "party", "navy"),
    "ship_type": ("type", "kind", "class_of_ship", "type_of_ship", "category", "vessel_type"),
    "squadron": ("sqn", "squadron_name"),
    "division": ("div", "division_name"),
    "role": ("flag_role", "position"),
    "rate": ("rating", "class"),
    "guns": ("gun", "guns_rated", "rated_guns", "no_of_guns", "number_of_guns", "cannon", "cannons", "armament"),
    "gun_detail": ("guns_detail", "gun_details", "battery", "batteries", "armament_detail", "guns_by_calibre"),
    "broadside_lb": ("broadside", "broadside_weight", "weight_of_broadside", "broadside_lbs", "broadside_pounds"),
    "tons_burthen": (
        "tons", "tonnage", "burthen", "burden", "tons_burden", "builders_tons", "builder_s_tons", "tons_bm", "bm",
    ),
    "displacement_tons": ("displacement", "disp", "tons_displacement", "normal_displacement"),
    "year_built": ("built", "year", "launched", "year_launched", "launch", "launch_year", "date_built", "year_of_launch"),
    "crew": ("men", "complement", "crew_size", "number_of_men", "company", "ships_company"),
    "speed_knots": ("speed", "knots", "max_speed", "speed_kts", "kts", "trial_speed"),
    "commander": ("captain", "commanding_officer", "co", "captain_or_flag_officer", "commanders", "officer"),
    "fate_or_note": ("fate", "note", "notes", "remark", "remarks", "comment", "comments"),
    "source": ("sources", "reference", "references"),
    "confidence": ("certainty", "how_sure", "sure", "reliability"),
    "built_by": ("builder_nation", "built_in", "builder"),
    "tags": ("tag", "labels", "keywords"),
    "soldiers": ("troops", "marines"),
    "mariners": ("sailors", "seamen"),
    "torpedo_tubes": ("tubes", "torpedoes"),
    "overrides": ("card_overrides", "card_figures"),
}  # fmt: skip
_NAMED = {other: column for column, others in _SYNONYMS.items() for other in others}


def column_named(cell: str) -> str:
    """The column that a heading means: capitals, spaces, brackets and common other names do not matter; else the heading itself.

    Column names win over synonyms: "squadron_1905" stays what it is.
    """
    plain = re.sub(r"[^0-9a-z]+", "_", cell.strip().casefold().replace("'", "").replace("’", "")).strip("_")
    for word in (plain, re.sub(r"^(the|no|number)_(of_)?", "", plain)):
        if word in KNOWN or word in PASSED_OVER:
            return word
        if word in _NAMED:
            return _NAMED[word]
    return plain


def likely_column(column: str, taken: Iterable[str] = ()) -> str:
    """The known column that an unknown heading may have meant; "" when none is near."""
    there = set(taken)
    words = [word for word in (*KNOWN, *_NAMED) if _NAMED.get(word, word) not in there]
    found = get_close_matches(column, words, n=1, cutoff=0.75)
    return _NAMED.get(found[0], found[0]) if found else ""


class ColumnGuide(NamedTuple):
    """A column for those who fill in a file: whether every row needs it, its allowed values, and an example."""

    column: str
    needed: bool
    allowed: str
    example: str


_EXAMPLE = {
    "name": "Speaker", "nation": "England", "side": "English", "squadron": "Red", "division": "Van", "role": "private",
    "ship_type": "ship_of_line", "rate": "3rd", "guns": "52", "gun_detail": "22x24pdr;22x12pdr;8x6pdr", "broadside_lb": "420",
    "tons_burthen": "778", "year_built": "1650", "crew": "300", "commander": "Capt John Taylor",
    "fate_or_note": "Renamed Mary in 1660", "source": "Navy list of 1653", "confidence": "medium",
}  # fmt: skip
_TEXTS = {
    "gun_detail": "NUMBERxCALIBRE, separated by semicolons, for example 30x32pdr;28x24pdr or 4x12in",
    "speed_knots": "knots with a decimal point and up to 2 decimals, for example 18.25",
    "extra": "columns that only some registers have, as JSON; better to use the columns themselves",
    "overrides": 'card figures set by hand, as JSON by rule set: {"kohler": {"hull": 45}}',
    "tags": "words separated by semicolons, for example frigate-built",
    "built_by": "nation that built the ship, if not its own",
    "commander": "flag officer first, then captain, separated by a semicolon",
}


def column_guides(nations: Iterable[str]) -> list[ColumnGuide]:
    """Every column with its allowed values, in the order of a template. nations: names that are known."""
    words = {
        "nation": "one of " + ", ".join(sorted(nations)),
        "role": "one of " + ", ".join(Role.values) + "; blank means private",
        "ship_type": "one of " + ", ".join(ShipType.values),
        "confidence": "one of " + ", ".join(Confidence.values) + ", or empty",
        **_TEXTS,
    }
    return [
        ColumnGuide(column, column in NEEDED, words.get(column) or _limits(column), _EXAMPLE.get(column, ""))
        for column in KNOWN
        if column != "extra"
    ]


def _limits(column: str) -> str:
    """In words, what the field of a column takes."""
    if column in EXTRA_NUMBERS:
        return f"a whole number from 0 to {EXTRA_NUMBERS[column]}, or empty"
    field = RegisterEntryForm.base_fields.get(column)
    if isinstance(field, WholeNumberField):
        limits = field.limits
        return f"a whole number from {limits['least']} to {limits['most']} ({limits['unit']}), or empty"
    most = getattr(field, "max_length", None) or 120
    return f"text, up to {most} characters" if column not in ("fate_or_note", "source") else "text"
