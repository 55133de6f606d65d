"""The demo refuses an impossible game, and prints chronicles; `tests/processes/test_story.py` plays it."""

import json
import shlex
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from campaign.models import Campaign
from campaign.services.desk.audit import campaign_audit
from campaign.services.orders.openings import DATA
from deploy.management.commands.campaign_demo import Command

EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "docs" / "examples").glob("*.md"))


def options_of(told: str) -> dict[str, Any]:
    """What the command line in a chronicle's heading asks for."""
    (line,) = (row for row in told.splitlines() if row.startswith("    manage.py "))
    program, name, *words = shlex.split(line)
    return vars(Command().create_parser(program, name).parse_args(words))


@pytest.mark.one_database
@pytest.mark.django_db
def test_a_chronicle_in_markdown_stands_under_the_command_that_prints_it_again() -> None:
    printed = StringIO()
    call_command(
        "campaign_demo",
        theatre="yellow_sea_1904",
        seed="a text's seed",
        turns=1,
        markdown=True,
        stdout=printed,
    )
    told = printed.getvalue()
    assert told.startswith("# The Yellow Sea")
    options = options_of(told)
    assert (options["theatre"], options["seed"], options["turns"]) == ("yellow_sea_1904", "a text's seed", 1)
    assert options["markdown"] and not options["rules"]
    (chapter, *_) = (row for row in told.splitlines() if row.startswith("## "))
    assert chapter.startswith("## 1. ")
    assert max(map(len, told.splitlines())) <= 140
    # the First Army came by the calendar in this turn: its men are in the books
    assert list(campaign_audit(campaign=Campaign.objects.get())) == []


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_each_example_names_the_command_that_made_it_and_tells_a_war_to_its_end(path: Path) -> None:
    told = path.read_text(encoding="utf-8")
    theatre = options_of(told)["theatre"]
    title = json.loads((DATA / "theatres" / f"{theatre}.json").read_text(encoding="utf-8"))["title"]
    assert told.startswith(f"# {title}: a chronicle")
    assert "## The end" in told and len(told.splitlines()) <= 300


def test_there_is_an_example() -> None:
    assert EXAMPLES


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
