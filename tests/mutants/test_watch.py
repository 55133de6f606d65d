"""What counts as noticed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from battles.engine.registry import rule_set
from tests.mutants import watch


def _unpacks() -> None:
    (_,) = ()


@pytest.mark.parametrize(
    ("mistaken", "counts"),
    [
        pytest.param(_unpacks, True, id="too few values"),
        pytest.param(lambda: {}[3], True, id="no such key"),
        pytest.param(lambda: next(iter(())), True, id="nothing left"),
        pytest.param(lambda: None + 1, False, id="an operation that makes no sense"),
        pytest.param(lambda: rule_set("none"), False, id="a key that the code looked for"),
    ],
)
def test_what_a_line_of_the_test_looks_for_in_vain_counts_and_a_crash_of_the_code_does_not(
    mistaken: Callable[[], object], counts: bool
) -> None:
    with pytest.raises(Exception) as caught:  # noqa: B017 - whatever it is
        mistaken()
    assert watch._missed(caught, Path(__file__)) is counts
