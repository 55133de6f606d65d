"""What an opening's file makes of a register: fleets, first orders, who was aboard, and figures of cards; pure, without a database."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from battles.engine.core.scenario import GUNS_ESTIMATED
from campaign.services.orders import openings
from campaign.services.orders.openings import (
    as_written,
    card_figures,
    entries_change,
    opening_of,
    orders_under,
    planned_fleets,
    with_figures,
)
from tests.support.answers import flawless

pytestmark = pytest.mark.clause("G.CH3")
MADE: dict[str, Any] = {
    "register": "r1666",
    "overrides": {"kohler": {"galley": {"fire": 3, "hull": 9}}, "thomas": {"galley": {"men": 80}}},
    "sides": {
        "England": {
            "register_side": "English",
            "doctrine": {"board": "never", "range": "long"},
            "fleets": [
                {
                    "code": "RED", "name": "Red fleet", "commander": "Adm Red", "place": "nore",
                    "squadrons": ["Van", {"name": "Scouts", "ships": ["Gull", "Kite"]}],
                    "orders": {"route": ["swin"], "instructions": {"odds": "3", "doctrine": {"board": "always"}}},
                    "entries": {"Kite": {"commander": "Capt New", "guns": 20}},
                },
                {"code": "BLU", "name": "Blue fleet", "commander": "", "place": "swin", "squadrons": ["Rear"]},
            ],
        },
        "Dutch Republic": {"register_side": "Dutch", "fleets": []},
    },
}  # fmt: skip


def entry(name: str, squadron: str, ship_type: str = "ship_of_line", **over: Any) -> Any:
    row = {
        "name": name, "squadron": squadron, "division": "1", "ship_type": ship_type, "overrides": None, "extra": None,
        "role": "private", "commander": "", "guns": 50,
    }  # fmt: skip
    return SimpleNamespace(**{**row, **over})


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> None:
    """The theatre "made" has the opening above, and no other has any."""
    monkeypatch.setattr(openings, "opening_of", lambda theatre: MADE if theatre == "made" else {})


def register() -> list[Any]:
    return [
        entry("Ark", "Van"), entry("Gull", "Rear"), entry("Bear", "Rear"), entry("Kite", "Rear", "galley"), entry("Crow", "Van"),
    ]  # fmt: skip


def plan(**over: Any) -> Any:
    asked = {
        "opening": "made", "side": "England", "register": "r1666", "register_side": "English", "entries": register(),
    }  # fmt: skip
    return flawless(planned_fleets, **{**asked, **over})


def test_fleets_have_the_ships_of_their_squadrons_and_those_that_are_named(made: None) -> None:
    red, blue = plan()
    assert [row.name for row in red.entries] == ["Ark", "Crow", "Gull", "Kite"]
    assert (red.code, red.name, red.commander, red.place) == ("RED", "Red fleet", "Adm Red", "nore")
    by_name = {row.name: row for row in red.entries}
    assert (by_name["Gull"].squadron, by_name["Gull"].division) == ("Scouts", "")
    assert (by_name["Ark"].squadron, by_name["Ark"].division) == ("Van", "1")
    kite = by_name["Kite"]
    assert (kite.commander, kite.guns, kite.extra) == ("Capt New", 20, {"tags": [GUNS_ESTIMATED]})
    assert by_name["Ark"].extra is None
    assert [row.name for row in blue.entries] == ["Bear"]


@pytest.mark.clause("G.MV5")
def test_a_fleets_own_orders_go_before_the_doctrine_of_its_side(made: None) -> None:
    red, blue = plan()
    assert red.orders == {
        "route": ["swin"], "instructions": {"odds": "3", "doctrine": {"board": "always", "range": "long"}},
    }  # fmt: skip
    assert blue.orders == {"instructions": {"doctrine": {"board": "never", "range": "long"}}}


@pytest.mark.parametrize(
    ("over", "found"),
    [
        ({}, True), ({"register": "r1688"}, False), ({"register_side": "Dutch"}, False), ({"side": "France"}, False),
        ({"opening": "other"}, False),
    ],
)  # fmt: skip
def test_an_opening_is_for_the_ships_for_which_it_was_written(
    made: None, over: dict[str, Any], found: bool
) -> None:
    assert (plan(**over) is not None) is found


def start(side: str, register: str = "r1666", register_side: str = "") -> Any:
    return SimpleNamespace(side=side, register=SimpleNamespace(code=register), register_side=register_side)


@pytest.mark.parametrize(
    ("starts", "so"),
    [
        ([start("England", register_side="English"), start("Dutch Republic", register_side="Dutch")], True),
        ([start("England", register_side="English"), start("Dutch Republic", "r1688", "Dutch")], False),
        (
            [start("England", register_side="English"), start("Dutch Republic", register_side="English")],
            False,
        ),
        ([start("England", register_side="English"), start("France")], True),
        ([start("England", register_side="English"), start("France", register_side="French")], False),
    ],
)
def test_every_side_has_its_own_ships_or_none(starts: list[Any], so: bool) -> None:
    assert as_written(MADE, starts) is so
    assert not as_written({}, starts)


def test_figures_of_a_type_fill_what_a_ship_does_not_say_itself(made: None) -> None:
    plain, own, other = (
        entry("A", "Van", "galley"), entry("B", "Van", "galley", overrides={"kohler": {"fire": 5}, "cordery": {"arms": 1}}),
        entry("C", "Van"),
    )  # fmt: skip
    assert with_figures([plain, own, other], MADE["overrides"]) == [plain, own, other]
    assert plain.overrides == {"kohler": {"fire": 3, "hull": 9}, "thomas": {"men": 80}}
    assert own.overrides == {"kohler": {"fire": 5, "hull": 9}, "thomas": {"men": 80}, "cordery": {"arms": 1}}
    assert other.overrides == {"kohler": {}, "thomas": {}}
    assert card_figures("made", "kohler", "galley") == {"fire": 3, "hull": 9}
    for asked in (("made", "kohler", "sloop"), ("made", "cordery", "galley"), ("other", "kohler", "galley")):
        assert card_figures(*asked) == {}


def test_only_what_may_be_changed_is_changed_and_estimated_guns_are_marked_beside_other_tags() -> None:
    rows = {"A": entry("A", "Van", extra={"tags": ["slow"], "note": "x"}), "B": entry("B", "Van")}
    entries_change(rows, {"A": {"guns": 7, "name": "Z", "role": "flagship"}, "B": {"commander": "Capt B"}})
    a, b = rows["A"], rows["B"]
    assert (a.guns, a.name, a.role, a.extra) == (
        7,
        "A",
        "flagship",
        {"tags": ["slow", GUNS_ESTIMATED], "note": "x"},
    )
    assert (b.guns, b.commander, b.extra) == (50, "Capt B", None)


def test_a_theatre_without_a_file_has_no_opening() -> None:
    assert opening_of("no_such_theatre") == {}
    assert opening_of("narrow_seas_1666")["register"]


@pytest.mark.clause("G.MV2")
def test_what_only_some_rule_sets_know_takes_the_place_of_an_order_under_them() -> None:
    given = {
        "route": ["swin"], "stance": "seek", "on_arrival": "return",
        "by_rules": {"barker": {"route": ["swin", "nore"], "on_arrival": "torpedo"}},
    }  # fmt: skip
    assert orders_under(given, "kohler") == {"route": ["swin"], "stance": "seek", "on_arrival": "return"}
    assert orders_under(given, "barker") == {
        "route": ["swin", "nore"],
        "stance": "seek",
        "on_arrival": "torpedo",
    }
    assert orders_under({}, "barker") == {}
