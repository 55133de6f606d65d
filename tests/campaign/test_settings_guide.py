"""Every setting is in one group, with an example; a rule set shows those that matter under it."""

from dataclasses import fields

import pytest

from battles.engine import registry
from campaign.rules.chart.types import Settings
from campaign.settings_guide import GROUPS, STEAM, groups_for


def test_every_setting_is_in_one_group_with_an_example_that_ends_as_a_sentence() -> None:
    rows = [row for group in GROUPS for row in group.rows]
    assert sorted(name for name, _ in rows) == sorted(field.name for field in fields(Settings))
    assert [name for name, example in rows if not example.endswith(".")] == []


@pytest.mark.parametrize(
    ("rule_set", "there", "not_there"),
    [
        ("kohler", "knots_line", "coal_line"),
        ("thomas", "guard_share", "mine_ships"),
        ("cordery", "coal_line", "guard_share"),
        ("thomas", "rise_at", "trade_miles"),
        ("cordery", "steam_most", "knots_line"),
    ],
)
def test_a_rule_set_shows_what_matters_under_it(rule_set: str, there: str, not_there: str) -> None:
    names = {name for group in groups_for(rule_set) for name, _ in group.rows}
    assert there in names and not_there not in names


def test_the_sets_under_steam_are_installed() -> None:
    assert set(registry.names()) >= STEAM
