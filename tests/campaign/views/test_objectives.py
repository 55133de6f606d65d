"""The page Objectives for each reader, and the umpire's form."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from campaign.models import Objective, Turn, UmpireAction
from campaign.objective_forms import ObjectiveForm, objective_fields
from campaign.rules.chart.objectives import Row
from campaign.selectors.turn.facts import objectives_of
from tests.support.people import DUTCH, ENGLISH, World

pytestmark = [pytest.mark.one_database, pytest.mark.clause("G.OB1", "G.OB4")]
PAGE = reverse("objectives", args=["telltale"])
NEW = reverse("objective_new", args=["telltale"])
SEA = {
    "id": "hold", "side": "NLD", "kind": "sea", "words": "Hold the Thames.", "places": ["gunfleet", "swin"], "least_marks": "20",
    "days": "1", "every": "1", "marks": "2", "pay": "daily", "most": "30", "reason": "a slip",
}  # fmt: skip


def shown(told: World, person: str, address: str = PAGE) -> str:
    return " ".join(told.client(person).get(address).content.decode().split())


@pytest.mark.parametrize(("person", "own", "other"), [("english", ENGLISH, DUTCH), ("dutch", DUTCH, ENGLISH)])
def test_a_side_reads_public_objectives_and_its_own_secret_ones(
    told: World, person: str, own: str, other: str
) -> None:
    page = shown(told, person)
    assert page.count("Keep the fleet.") == 2
    assert f"Gather the {own}." in page and other not in page
    # as the side knows it, not as it was
    assert "held on 1 of the 3 mornings needed" in page and "eld on 2 of" not in page
    assert "A mark is worth 7 points" in page


def test_an_observer_reads_public_objectives_without_progress(told: World) -> None:
    page = shown(told, "observer")
    assert page.count("Keep the fleet.") == 2
    assert ENGLISH not in page and DUTCH not in page and "100% left" not in page


def test_the_umpire_reads_what_was_so_and_what_each_side_knows(told: World) -> None:
    page = shown(told, "umpire")
    assert f"Gather the {ENGLISH}." in page and f"Gather the {DUTCH}." in page
    assert page.count("Held on 2 of the 3 mornings needed") == 2
    assert "What England knows: held on 1 of the 3 mornings needed" in page


def test_everyone_reads_everything_when_the_campaign_is_over(told: World) -> None:
    told.campaign.status = "closed"
    told.campaign.save()
    for person in ("english", "observer"):
        assert f"Gather the {DUTCH}." in shown(told, person)
    assert "Change aim" not in shown(told, "umpire")


def test_a_campaign_without_objectives_says_what_to_do(told: World) -> None:
    Objective.objects.all().delete()
    assert "No objectives that you can see." in shown(told, "english")
    assert "No objectives yet." in shown(told, "umpire")
    told.campaign.settings = {"objectives": "off"}
    told.campaign.save()
    assert "played without objectives" in shown(told, "english")


def test_the_mark_is_among_the_settings(told: World) -> None:
    assert "7 points, fixed when the campaign started" in shown(
        told, "english", reverse("rules_in_force", args=["telltale"])
    )


def test_the_umpire_creates_or_changes_or_deletes_an_objective_on_a_form(told: World) -> None:
    client = told.client("umpire")
    assert client.post(NEW, SEA).status_code == 302
    row = next(row for row in objectives_of(told.campaign) if row.id == "hold")
    assert row == Row.read(
        {
            "id": "hold", "side": "NLD", "kind": "sea", "words": "Hold the Thames.", "places": ["gunfleet", "swin"],
            "least_marks": 20, "marks": 2, "pay": "daily", "most": 30,
        }
    )  # fmt: skip
    address = reverse("objective", args=["telltale", "hold"])
    page = client.get(address).content.decode()
    assert "Hold the Thames." in page and 'value="30"' in page
    changed = {**SEA, "id": "other", "least_marks": "25", "secret": "on", "first": "1666-06-02"}
    assert client.post(address, changed).status_code == 302
    row = next(row for row in objectives_of(told.campaign) if row.id == "hold")
    assert (row.least_marks, row.public, row.from_) == (25, False, "1666-06-02")
    delete = reverse("objective_delete", args=["telltale", "hold"])
    assert client.post(delete, {"reason": "gone", "sure": "1"}).status_code == 302
    assert "hold" not in {row.id for row in objectives_of(told.campaign)}
    assert UmpireAction.objects.filter(action="deleted an objective", reason="gone").exists()


def test_errors_appear_beside_their_entries_and_nothing_is_saved(told: World) -> None:
    Turn.objects.filter(campaign=told.campaign, number=1).update(locked="2026-01-01T00:00:00Z")
    client, count = told.client("umpire"), Objective.objects.count()
    for changed, words in (
        ({"most": "1"}, "The maximum is less than one payment. Raise it."),
        ({"men": "5"}, "is not a field of the kind sea"),
        ({"places": []}, "needs &#x27;places&#x27;"),
        ({"id": "public0"}, "is used twice"),
        ({"reason": ""}, "Enter a reason."),
        ({"first": "soon"}, "Enter a valid date."),
        ({"first": "1666-06-09", "by": "1666-06-02"}, "is before 1666-06-09"),
    ):
        answer = client.post(NEW, {**SEA, **changed})
        assert answer.status_code == 422 and words in answer.content.decode(), changed
    assert Objective.objects.count() == count


ROWS: list[dict[str, Any]] = [
    {"kind": "bring", "what": "COAL", "to": ["thames"], "share": 60, "pay": "share"},
    {"kind": "bring", "what": "line", "to": ["vlie"], "number": 15},
    {"kind": "close", "port": "vlie", "pay": "daily", "every": 5, "most": 20},
    {
        "kind": "gather",
        "side": "NLD",
        "least_line": 30,
        "at": ["dieppe"],
        "with": "ENG",
        "days": 3,
        "running": True,
    },
    {"kind": "destroy", "group": ["RUY", "TRO"], "left": 0, "decisive": True, "public": False},
    {"kind": "own", "ports": ["vlie", "texel"], "each": True, "pay": "end", "by": "1666-07-01"},
    {"kind": "deny", "objective": "x", "pay": "end", "from": "1666-06-02"},
]


@pytest.mark.parametrize("fields", ROWS, ids=lambda row: row["kind"])
def test_the_form_gives_back_the_objective_that_it_shows(fields: dict[str, Any]) -> None:
    row = Row.read({"id": "x", "side": "ENG", "marks": 10, "words": "Do it.", **fields})
    sides = [("ENG", "England"), ("NLD", "Dutch Republic")]
    places = [(code, code) for code in ("thames", "vlie", "texel", "dieppe")]
    choices: dict[str, Any] = {
        "sides": sides, "allies": sides, "places": places, "convoys": [("COAL", "the convoy COAL")], "others": [("x", "Do it.")],
        "heavy": "ships of the line", "fleets": [("RUY", "De Ruyter"), ("TRO", "Tromp")],
    }  # fmt: skip
    data = {name: value for name, value in objective_fields(row).items() if value not in (None, False)}
    form = ObjectiveForm({**data, "reason": ""}, **choices)
    assert form.is_valid(), form.errors
    assert Row.read(form.row()) == row
