"""The demo refuses an impossible game; `tests/processes/test_story.py` plays it."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command


@pytest.mark.one_database
@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--theatre", "atlantis"), "no theatre 'atlantis'; available: atlantic_1805"),
        (("--turns", "0"), "--turns must be 1 or more"),
        pytest.param(
            ("--rules", "checkers"), "'checkers' is not installed. Choose from", marks=pytest.mark.django_db
        ),
    ],
)
def test_an_impossible_demo_is_refused_in_one_line(words: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence) as refused:
        call_command("campaign_demo", *words, stdout=StringIO())
    assert "\n" not in str(refused.value)
