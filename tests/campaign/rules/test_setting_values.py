"""What an umpire may enter for a setting."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.rules.chart.types import Settings, setting_rows
from campaign.rules.state.setting_values import CHOICES, setting_range, setting_value
from campaign.rules.turn.snapshots import settings_from

pytestmark = pytest.mark.clause("G.UM1")


@pytest.mark.parametrize("row", setting_rows(Settings()), ids=lambda row: row[0])
def test_every_usual_setting_may_also_be_entered_by_hand(row: tuple[Any, ...]) -> None:
    name, value = row[0], row[1]
    assert setting_value(name, str(value)) == value


@pytest.mark.parametrize(
    ("name", "typed", "value"),
    [
        ("see_clear", " 10 ", 10),
        ("knots_line", "4.50", "4.5"),
        ("end_turn_on", "none", "none"),
        ("end_date", "1666-07-31", "1666-07-31"),
        ("escape_at", "7", 7),
    ],
)
def test_an_entered_setting_is_read(name: str, typed: str, value: object) -> None:
    assert setting_value(name, typed) == value


@pytest.mark.parametrize(
    ("name", "typed", "says"),
    [
        ("see_clear", "far", "whole number"),
        ("see_clear", "-1", "from 0"),
        ("turn_days", "29", "1 to 28"),
        ("escape_at", "8", "0 to 7"),
        ("cripple_percent", "101", "0 to 100"),
        ("knots_line", "fast", "a number such as"),
        ("knots_line", "NaN", "above 0"),
        ("knots_line", "0", "above 0"),
        ("end_turn_on", "dinner", "one of none"),
        ("end_date", "soon", "a date such as"),
    ],
)
def test_an_impossible_setting_is_refused_with_a_reason(name: str, typed: str, says: str) -> None:
    with pytest.raises(ValueError, match=says) as refused:
        setting_value(name, typed)
    assert str(refused.value).endswith(".")


def test_an_unknown_name_is_not_a_setting() -> None:
    with pytest.raises(KeyError):
        setting_value("luck", "6")
    with pytest.raises(KeyError):
        setting_range("luck")


def test_every_choice_belongs_to_a_setting() -> None:
    assert set(CHOICES) <= {row[0] for row in setting_rows(Settings())}


@pytest.mark.clause("G.BT1")
def test_battles_by_orders_cannot_be_chosen_and_an_old_setting_is_read_as_on_the_tabletop() -> None:
    with pytest.raises(ValueError, match="engine, table"):
        setting_value("battle_route", "orders")
    assert settings_from({"battle_route": "orders"}).battle_route == "table"
    assert settings_from({"battle_route": "engine"}).battle_route == "engine"
    words = [
        text for name, _, _, _, text in setting_rows(Settings()) if name.startswith(("battle_", "campaign_"))
    ]
    assert words and not any("orders" in text for text in words)
