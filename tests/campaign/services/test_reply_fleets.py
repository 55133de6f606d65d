"""Which fleet a reply means: by name, by code, or by being the only one."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from campaign.services.mail.reply_blocks import _NUMBER, _station

pytestmark = pytest.mark.clause("G.IN1", "G.IN4")


def stations(*rows: str) -> Any:
    """Fleets as "code/name"."""
    parts = [row.split("/") for row in rows]
    return [SimpleNamespace(fleet=SimpleNamespace(code=code, name=name)) for code, name in parts]


TWO = ("ENG-1/Channel Fleet", "ENG-2/Blue Squadron")
NO_NAME = "Name the fleet: start with a line “Fleet: …”."
NONE = "You have no fleet of that name."


@pytest.mark.parametrize(
    ("words", "fleets", "code", "wrong"),
    [
        ("", ("ENG-1/Channel Fleet",), "ENG-1", ""),
        ("", TWO, None, NO_NAME),
        ("", (), None, NO_NAME),
        ("Channel Fleet", TWO, "ENG-1", ""),
        ("channel fleet", TWO, "ENG-1", ""),
        ("eng-2", TWO, "ENG-2", ""),
        ("My old fleet (ENG-2)", TWO, "ENG-2", ""),
        ("Channel Fleet (ENG-2)", TWO, "ENG-2", ""),
        ("Channel Fleet", ("ENG-1/Channel Fleet", "ENG-2/Channel Fleet"), None,
         "Several fleets have that name. Use one of these codes: ENG-1, ENG-2."),
        ("Chanel Fleat", TWO, None, f"{NONE} Did you mean Channel Fleet?"),
        ("Gelderland", TWO, None, NONE),
        ("Gelderland", ("ENG-1/Channel Fleet",), None, NONE),
    ],
)  # fmt: skip
def test_a_fleet_is_recognised_by_name_or_code_or_as_the_only_one(
    words: str, fleets: tuple[str, ...], code: str | None, wrong: str
) -> None:
    station, said = _station(words, stations(*fleets))
    assert (station.fleet.code if station is not None else None, said) == (code, wrong)


@pytest.mark.parametrize(
    ("typed", "number"),
    [("3", "3"), ("1.5", "1.5"), ("1,5", "1,5"), ("50 %", "50"), ("50 per cent", "50"), ("12 hours", "12"),
     ("12h", "12"), ("2 to 1", "2"), ("2:1", "2"), ("7.", "7"), ("123456", "123456"), ("1.2345", "1.2345"),
     ("1234567", None), ("1.23456", None), ("many", None), ("", None), ("12 days", None)],
)  # fmt: skip
def test_a_number_may_include_its_unit(typed: str, number: str | None) -> None:
    found = _NUMBER.match(typed)
    assert (found[1] if found else None) == number
