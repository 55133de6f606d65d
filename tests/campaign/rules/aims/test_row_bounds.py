"""Rows of an opening at their bounds: the last number, day and name that are taken, and the first that are not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from campaign.rules.aims.rows import Known, ObjectiveFaults, read_rows
from tests.campaign.rules.aims.test_rows import GOOD, KNOWN, doc


def wrong(*rows: Any, known: Known = KNOWN) -> dict[str, str]:
    """What is wrong with rows, by path without the name of the list; {} for rows that are taken."""
    try:
        read_rows(list(rows), known)
    except ObjectiveFaults as refused:
        return {fault.path.removeprefix("objectives"): fault.text for fault in refused.faults}
    except Exception as error:
        return {"error": repr(error)}
    return {}


RAID = {"ports": ["vlie"]}
OPEN = replace(KNOWN, start="", last_day="")


def row_of(name: str, value: int) -> dict[str, Any]:
    """A row that needs a number, with that number."""
    kinds: dict[str, tuple[str, dict[str, Any]]] = {
        "number": ("bring", {"what": "line", "to": ["vlie"]}),
        "share": ("bring", {"what": "COAL", "to": ["thames"]}),
        "men": ("land", {"at": ["thames"]}),
        "least_line": ("gather", {"at": ["dieppe"]}),
        "least_percent": ("gather", {"at": ["dieppe"]}),
        "least_marks": ("sea", {"places": ["swin"]}),
        "left": ("destroy", {"group": "all"}),
        "days": ("raid", RAID),
        "marks": ("raid", RAID),
        "every": ("raid", {**RAID, "pay": "daily"}),
        "most": ("raid", {**RAID, "pay": "daily", "marks": 0}),
    }
    kind, fields = kinds[name]
    return doc(kind, **{**fields, name: value})


@pytest.mark.clause("G.OB1", "G.OB2")
@pytest.mark.parametrize(
    ("name", "least", "most"),
    [
        ("number", 1, 200), ("share", 1, 100), ("men", 1, 1_000_000), ("least_line", 1, 200), ("least_percent", 1, 100),
        ("least_marks", 1, 1_000), ("left", 0, 100), ("days", 1, 400), ("marks", 0, 1_000), ("every", 1, 400), ("most", 1, 1_000),
    ],
)  # fmt: skip
def test_every_number_has_its_least_and_most(name: str, least: int, most: int) -> None:
    assert wrong(row_of(name, least), known=OPEN) == {} == wrong(row_of(name, most), known=OPEN)
    for value in (least - 1, most + 1):
        told = f"{value} is not a whole number from {least:,} to {most:,}."
        assert wrong(row_of(name, value), known=OPEN) == {f"[0].{name}": told}
    assert list(wrong(row_of(name, True), known=OPEN)) == [f"[0].{name}"]


@pytest.mark.clause("G.OB1", "G.OB2")
@pytest.mark.parametrize("good", GOOD, ids=lambda row: row["kind"])
def test_objectives_written_as_the_rules_say_are_accepted(good: dict[str, Any]) -> None:
    assert wrong(good) == {}


@pytest.mark.clause("G.OB1")
@pytest.mark.parametrize(
    ("over", "path"),
    [
        ({"id": "x" * 20}, ""), ({"id": "x" * 21}, "id"), ({"id": ""}, "id"), ({"id": "a-b_c9"}, ""), ({"id": "a.b"}, "id"),
        ({"id": 7}, "id"),
        ({"words": "x" * 300}, ""), ({"words": "x" * 301}, "words"), ({"words": 7}, "words"), ({"words": None}, "words"),
        ({"decisive": 1}, "decisive"), ({"public": 0}, "public"), ({"running": 1}, "running"),
        ({"by": "1666-05-30"}, ""), ({"from": "1666-08-31"}, ""), ({"from": "1666-06-02", "by": "1666-06-02"}, ""),
        ({"from": 20}, "from"), ({"side": ["England"]}, "side"), ({"side": "ENG"}, ""),
        ({"ports": "vlie"}, "ports"), ({"ports": [7]}, "ports"), ({"ports": ["vlie", "texel"]}, ""), ({"each": True}, "each"),
        ({"from": "1666-08-01", "days": 31}, ""), ({"from": "1666-08-01", "days": 32}, "days"),
        ({"days": "3"}, "days"),
    ],
    ids=str,
)  # fmt: skip
def test_names_words_and_days_at_their_bounds(over: dict[str, Any], path: str) -> None:
    assert list(wrong(doc("raid", **{**RAID, **over}))) == ([f"[0].{path}"] if path else [])


@pytest.mark.clause("G.OB1")
@pytest.mark.parametrize(
    ("over", "start", "last_day", "path"),
    [
        ({"from": "1666-09-02"}, "1666-05-30", "", ""), ({"from": "1666-09-02"}, "1666-05-30", "1666-08-31", "from"),
        ({"by": "1666-05-01"}, "", "1666-08-31", ""), ({"by": "1666-05-01"}, "1666-05-30", "1666-08-31", "by"),
        ({"days": 400}, "1666-05-30", "", ""), ({"days": 400}, "", "1666-08-31", ""),
        ({"days": 94}, "1666-05-30", "1666-08-31", ""), ({"days": 95}, "1666-05-30", "1666-08-31", "days"),
        ({"days": 2}, "1666-08-31", "1666-08-31", "days"),
        ({"days": 3, "from": "1666-08-01", "by": "1666-08-03"}, "", "", ""),
        ({"days": 4, "from": "1666-08-01", "by": "1666-08-03"}, "", "", "days"),
    ],
    ids=str,
)  # fmt: skip
def test_days_are_counted_from_the_first_to_the_last(
    over: dict[str, Any], start: str, last_day: str, path: str
) -> None:
    known = replace(KNOWN, start=start, last_day=last_day)
    assert list(wrong(doc("raid", **RAID, **over), known=known)) == ([f"[0].{path}"] if path else [])


@pytest.mark.clause("G.OB1")
def test_a_place_is_named_by_what_it_ought_to_be() -> None:
    assert wrong(doc("land", men=5, at=["vlie", "swin"])) == {
        "[0].at": "The Swin is not a port or an anchorage or a shoal coast."
    }
    kinds = {place.kind.value: code for code, place in sorted(KNOWN.places.items())}
    for kind in ("port", "anchorage", "shoal_coast"):
        if kind in kinds:
            assert wrong(doc("land", men=5, at=[kinds[kind]])) == {}
    for name, row in (
        ("to", doc("bring", what="line", number=3, to=["swin", "nowhere"])),
        ("at", doc("gather", least_line=3, at=["swin", "nowhere"])),
        ("places", doc("sea", least_marks=3, places=["swin", "nowhere"])),
        ("ports", doc("own", ports=["vlie", "nowhere"], pay="end")),
        ("port", doc("close", port="nowhere")),
    ):
        assert wrong(row) == {f"[0].{name}": "There is no place 'nowhere' on the chart."}


@pytest.mark.clause("G.OB1", "G.OB2")
@pytest.mark.parametrize(
    ("row", "paths"),
    [
        (doc("bring", what="line", to=["thames"], number=3, share=5), ["number"]),
        (doc("bring", what="COAL", to=["thames"], share=60, number=5), ["share"]),
        (doc("bring", what=["COAL"], to=["thames"], share=60), ["what"]),
        (doc("bring", what="COAL", to=["vlie", "thames"], share=60), []),
        (doc("bring", what="line", to=["thames"], number=3, pay="share"), ["pay"]),
        (doc("bring", what="COAL", to=["thames"], share=60, pay="share", running=True), ["days"]),
        (doc("bring", what="COAL", to=["thames"], share=60, pay="share", decisive=True), ["decisive"]),
        (doc("bring", what="COAL", to=["thames"], share=60, pay="share", days=1), []),
        (doc("own", ports=["vlie"], pay="daily"), ["pay"]),
        (doc("raid", ports=["vlie"], pay="daily", marks=9, most=9), []),
        (doc("raid", ports=["vlie"], pay="daily", marks=9, most=8), ["most"]),
        (doc("raid", ports=["vlie"], pay="daily", marks=9, every=2), []),
        (doc("raid", ports=["vlie"], most=20), ["pay"]),
        (doc("raid", ports=["vlie"], pay="end", every=2), ["pay"]),
        (doc("raid", ports=["vlie"], pay="end"), []),
        (doc("keep", group="all", left=1, pay="end"), []),
        (doc("keep", group=["ALB"], left=1), []),
        (doc("keep", group=["ALB", "RUY"], left=1), ["group"]),
        (doc("keep", group=[7], left=1), ["group"]),
        (doc("destroy", group=["RUY", "ALB"], left=0), ["group"]),
        (doc("destroy", group=7, left=0), ["group"]),
        (doc("destroy", group=["RUY"], left=0, side="France"), ["group"]),
        (doc("gather", at=["swin"], least_percent=3, side="France", **{"with": "Dutch Republic"}), []),
        (doc("gather", at=["swin"], least_percent=3, **{"with": "Spain"}), ["with"]),
        (doc("raid", ports=[]), ["ports"]), (doc("close", port=""), ["port"]), (doc("bring", what="", to=["vlie"], number=1), ["what"]),
    ],
    ids=str,
)  # fmt: skip
def test_parts_of_an_objective_that_exclude_each_other_are_errors(
    row: dict[str, Any], paths: list[str]
) -> None:
    assert list(wrong(row)) == [f"[0].{path}" for path in paths]


@pytest.mark.clause("G.OB1")
def test_a_denial_of_an_objective_with_an_error_is_not_an_error_itself() -> None:
    deny = doc("deny", id="no", objective="x", pay="end")
    assert list(wrong(deny, doc("raid", ports=["nowhere"], side="Dutch Republic"))) == ["[1].ports"]
    assert wrong(deny, doc("raid", ports=["chatham"], side="Dutch Republic")) == {}
    assert wrong(deny, doc("raid", ports=["chatham"], side="Dutch Republic", pay="daily")) == {}
    other = doc("deny", id="x", objective="no", pay="end", side="Dutch Republic")
    assert list(wrong(deny, other)) == ["[0].objective", "[1].objective"]
    assert wrong(doc("deny", id="no", objective="z", pay="end")) == {
        "[0].objective": "There is no objective z. Use the id of another objective."
    }


def test_ids_are_used_once_even_by_rows_with_faults() -> None:
    assert list(wrong(doc("raid", **RAID), doc("raid", ports=[]), doc("raid", **RAID, id="y"))) == [
        "[1].ports", "[1].id",
    ]  # fmt: skip
    assert wrong(doc("raid", **RAID), doc("raid", **RAID, id="y")) == {}
