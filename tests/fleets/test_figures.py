"""Figures of cards in words."""

from __future__ import annotations

from typing import Any

import pytest

from fleets.figure_words import figure_words
from fleets.templatetags.figures import figure


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (True, "yes"),
        (22, "22"),
        ([5, 11, 22], "5, 11, 22"),
        ([], "none"),
        ({}, "none"),
        ({"batteries": "T.S26"}, "batteries: T.S26"),
        (
            [["short", "port", False], ["short", "port", False], ["long", "port", True]],
            "2 × short port; 1 × long port half",
        ),
    ],
)
def test_a_figure_is_described_in_words(value: Any, told: str) -> None:
    assert figure(value) == told


def test_a_figures_name_is_put_in_words_or_loses_its_underscores() -> None:
    assert figure_words("hull_max") == "hull"
    assert figure_words("tons_burthen") == "tons burthen"
