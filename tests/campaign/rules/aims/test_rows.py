"""Rows of an opening: read, written, and refused with every fault by its path."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from campaign.rules.aims.rows import Known, ObjectiveFaults, read_rows, taking_part
from campaign.rules.chart.objectives import AimKind, Pay, Row
from tests.campaign.rules.builders import theatre

OPENINGS = Path(__file__).resolve().parents[4] / "campaign" / "data" / "openings"
WAR = frozenset({frozenset({"ENG", "NLD"}), frozenset({"ENG", "FRA"})})
KNOWN = Known(
    places=theatre("narrow_seas_1666").places,
    sides={"England": "ENG", "Dutch Republic": "NLD", "France": "FRA"},
    at_war=WAR,
    allied=frozenset({frozenset({"NLD", "FRA"})}),
    fleets={"ALB": "ENG", "RUY": "NLD"},
    convoys={"COAL": ("ENG", "thames")},
    start="1666-05-30",
    last_day="1666-08-31",
)


def doc(kind: str, **fields: Any) -> dict[str, Any]:
    return {
        "id": "x",
        "side": "England",
        "kind": kind,
        "marks": 10,
        "pay": "once",
        "words": "Do it.",
        **fields,
    }


def faults(*rows: Any) -> dict[str, str]:
    """What is wrong, by path without the name of the list."""
    with pytest.raises(ObjectiveFaults) as refused:
        read_rows(list(rows), KNOWN)
    return {fault.path.removeprefix("objectives"): fault.text for fault in refused.value.faults}


GOOD = [
    doc("bring", what="COAL", to=["thames"], share=60, pay="share"),
    doc("bring", what="line", to=["vlie", "texel"], number=15),
    doc("land", men=10_000, at=["thames"]),
    doc("own", ports=["vlie"], each=True, pay="end"),
    doc("close", port="vlie", pay="daily", every=5, most=20),
    doc("gather", side="Dutch Republic", least_line=30, at=["dieppe"], **{"with": "France"}),
    doc("gather", least_percent=60, at=["dieppe"], days=3, running=True),
    doc("sea", least_marks=20, places=["gunfleet"], **{"from": "1666-06-01", "by": "1666-07-01"}),
    doc("destroy", group="all", left=55, decisive=True),
    doc("destroy", group=["RUY"], left=0, public=False),
    doc("keep", group="line", left=70, pay="end"),
    doc("raid", ports=["vlie"]),
]


@pytest.mark.clause("G.OB1")
@pytest.mark.parametrize("good", GOOD, ids=lambda row: row["kind"])
def test_an_objective_is_read_and_written_as_in_the_opening(good: dict[str, Any]) -> None:
    (row,) = read_rows([good], KNOWN)
    assert Row.read(json.loads(json.dumps(row.doc()))) == row
    assert read_rows([row.doc()], KNOWN) == (row,)
    assert {**row.doc(), "side": good["side"], **({"with": "France"} if "with" in good else {})} == good


@pytest.mark.clause("G.OB1", "G.OB4")
def test_what_an_objective_leaves_out_has_its_usual_setting() -> None:
    (row,) = read_rows([doc("destroy", group="all", left=55)], KNOWN)
    assert (row.days, row.running, row.from_, row.by) == (1, False, "", "")
    assert (row.public, row.decisive, row.pay, row.every, row.most) == (True, False, Pay.ONCE, 1, 0)


BAD = [
    ("[0].kind", doc("win")),
    ("[0].side", doc("raid", ports=["vlie"], side="Spain")),
    ("[0].id", doc("raid", ports=["vlie"], id="two words")),
    ("[0].words", doc("raid", ports=["vlie"], words=" ")),
    ("[0].marks", doc("raid", ports=["vlie"], marks=1_001)),
    ("[0].pay", doc("raid", ports=["vlie"], pay="later")),
    ("[0].days", doc("raid", ports=["vlie"], days=0)),
    ("[0].running", doc("raid", ports=["vlie"], running="yes")),
    ("[0].ports", doc("raid")),
    ("[0].ports", doc("raid", ports=["atlantis"])),
    ("[0].ports", doc("raid", ports=["swin"])),
    ("[0].port", doc("close", port="swin")),
    ("[0].men", doc("raid", ports=["vlie"], men=5)),
    ("[0].at", doc("land", men=10, at=["swin"])),
    ("[0].by", doc("raid", ports=["vlie"], by="1666-05-29")),
    ("[0].from", doc("raid", ports=["vlie"], **{"from": "1666-09-01"})),
    ("[0].by", doc("raid", ports=["vlie"], by="soon")),
    ("[0].by", doc("raid", ports=["vlie"], by="1666-06-01", **{"from": "1666-06-02"})),
    ("[0].days", doc("sea", least_marks=2, places=["swin"], days=3, by="1666-05-31")),
    ("[0].what", doc("bring", what="SALT", to=["thames"], share=60)),
    ("[0].to", doc("bring", what="COAL", to=["vlie"], share=60)),
    ("[0].what", doc("bring", what="COAL", to=["thames"], share=60, side="France")),
    ("[0].share", doc("bring", what="COAL", to=["thames"])),
    ("[0].number", doc("bring", what="line", to=["thames"])),
    ("[0]", doc("gather", at=["swin"])),
    ("[0]", doc("gather", at=["swin"], least_line=3, least_percent=3)),
    ("[0].with", doc("gather", at=["swin"], least_line=3, **{"with": "France"})),
    ("[0].group", doc("destroy", group="some", left=5)),
    ("[0].group", doc("destroy", group=["XYZ"], left=5)),
    ("[0].group", doc("destroy", group=["ALB"], left=5)),
    ("[0].group", doc("keep", group=["RUY"], left=5)),
    ("[0].left", doc("keep", group="all", left=0)),
    ("[0].pay", doc("own", ports=["vlie"])),
    ("[0].pay", doc("raid", ports=["vlie"], pay="share")),
    ("[0].pay", doc("raid", ports=["vlie"], every=2)),
    ("[0].most", doc("raid", ports=["vlie"], pay="daily", most=9)),
    ("[0].days", doc("keep", group="all", left=5, pay="end", days=2)),
    ("[0].decisive", doc("keep", group="all", left=5, pay="end", decisive=True)),
    ("[0].objective", doc("deny", objective="y", pay="end")),
]


@pytest.mark.clause("G.OB1", "G.OB2")
@pytest.mark.parametrize(("path", "bad"), BAD, ids=[f"{n}{path}" for n, (path, _) in enumerate(BAD)])
def test_an_objective_that_can_never_be_achieved_is_refused_where_it_is_written(
    path: str, bad: dict[str, Any]
) -> None:
    assert list(faults(bad)) == [path]


@pytest.mark.clause("G.OB1")
def test_all_errors_in_all_objectives_are_reported_at_once() -> None:
    found = faults(doc("raid", ports=["swin"], marks=-1), "row", doc("raid", ports=["vlie"]), doc("land"))
    assert set(found) == {"[0].ports", "[0].marks", "[1]", "[2].id", "[3].men", "[3].at", "[3].id"}
    assert found["[0].ports"] == "The Swin is not a port."
    with pytest.raises(ObjectiveFaults, match="Write objectives as a list of rows"):
        read_rows({}, KNOWN)


@pytest.mark.clause("G.OB1")
def test_a_denial_names_an_enemys_objective_that_can_be_achieved_before_the_end() -> None:
    deny = doc("deny", id="no", objective="x", pay="end")
    enemys = doc("raid", ports=["chatham"], side="Dutch Republic")
    assert [row.kind for row in read_rows([deny, enemys], KNOWN)] == [AimKind.DENY, AimKind.RAID]
    assert list(faults(deny, doc("raid", ports=["vlie"]))) == ["[0].objective"]
    late = doc("keep", group="all", left=5, pay="end", side="Dutch Republic")
    assert list(faults(deny, late)) == ["[0].objective"]


@pytest.mark.clause("G.OB1")
def test_objectives_of_sides_that_take_no_part_are_left_out_with_those_that_name_them() -> None:
    rows = [
        doc("raid", id="a", ports=["vlie"]),
        doc("gather", id="b", least_line=3, at=["swin"], side="Dutch Republic", **{"with": "France"}),
        doc("raid", id="c", ports=["vlie"], side="France"),
        doc("deny", id="d", objective="c", pay="end"),
        doc("deny", id="e", objective="a", pay="end", side="Dutch Republic"),
    ]
    kept = taking_part(rows, {"England", "Dutch Republic"})
    assert [row["id"] for row in kept] == ["a", "e"]


LAST_DAYS = {
    "channel_1588": "1588-08-12", "narrow_seas_1666": "1666-08-31", "atlantic_1805": "1805-10-31",
    "caribbean": "1741-05-31", "yellow_sea_1904": "1905-05-31",
}  # fmt: skip


@pytest.mark.clause("G.OB1", "G.OB5")
@pytest.mark.parametrize("name", LAST_DAYS)
def test_the_objectives_of_every_opening_can_be_read(name: str) -> None:
    sea = json.loads((OPENINGS.parent / "theatres" / f"{name}.json").read_text())
    opening = json.loads((OPENINGS / f"{name}.json").read_text())
    codes = {side["name"]: side["nation_code"] for side in sea["sides"]}
    ties = {
        tie: [frozenset((codes[a], codes[b])) for a, b, row in sea["hostility"] if row == tie]
        for tie in ("war", "alliance")
    }
    known = Known(
        theatre(name).places, codes, ties["war"], ties["alliance"],
        {fleet["code"]: codes[side] for side, plan in opening["sides"].items() for fleet in plan["fleets"]},
        {row["code"]: (codes[row["side"]], row["destination"]) for row in opening.get("convoys", ())},
        sea["start_date"], opening["last_day"],
    )  # fmt: skip
    assert opening["last_day"] == LAST_DAYS[name]
    assert len(read_rows(opening["objectives"], known)) == len(opening["objectives"]) >= 4
    assert read_rows(opening["objectives"], replace(known, last_day=""))


# id: kind, marks, pay, secret, decisive, and the numbers that the table gives.
TABLE = {
    "channel_1588": """
        sp_join gather 25 once -- 60 3 running | sp_land land 60 once -D 10000 | sp_home keep 15 end S- 90 | en_deny deny 30 end --
        en_water sea 15 once -- 5 5 running | en_break destroy 25 once -- 88 | en_keep keep 15 end -- 70""",
    "narrow_seas_1666": """
        en_rule destroy 40 once -D 55 | nl_rule destroy 40 once -D 55 | en_vlie raid 20 once S- | en_coal bring 10 share -- 60
        nl_thames sea 2 daily -- 20 30 | nl_medway raid 30 once S- | nl_join gather 15 once -- 30 | en_keep keep 15 end -- 70
        nl_keep keep 15 end -- 70""",
    "atlantic_1805": """
        fr_strait gather 80 once -D 20 6 running | fr_indies gather 10 once -- 10 | fr_isles own 10 end S- | fr_naples bring 15 once S- 15
        fr_keep keep 20 end -- 75 | gb_deny deny 30 end -- | gb_fleet destroy 50 once -D 60 | gb_close close 1 daily -- 5 10""",
    "caribbean": """
        gb_porto own 25 end -- | gb_carta land 30 once -- 5000 | es_galleon bring 35 share -- 75 | es_hold own 15 end --""",
    "yellow_sea_1904": """
        jp_first land 15 once -- 10000 | jp_second land 25 once -- 30000 | jp_close close 1 daily -- 7 25 | jp_line destroy 50 once -D 25
        ru_being keep 20 end -- 50 | ru_vlad bring 50 once -D 6""",
}


@pytest.mark.clause("G.OB1", "G.OB2")
@pytest.mark.parametrize("name", TABLE)
def test_the_objectives_of_an_opening_are_those_of_the_table(name: str) -> None:
    rows = json.loads((OPENINGS / f"{name}.json").read_text())["objectives"]
    numbers = (
        "number",
        "share",
        "men",
        "least_line",
        "least_percent",
        "least_marks",
        "left",
        "days",
        "every",
        "most",
    )
    told = [
        " ".join(
            [
                row["id"], row["kind"], str(row["marks"]), row["pay"],
                ("-" if row.get("public", True) else "S") + ("D" if row.get("decisive") else "-"),
                *(str(row[number]) for number in numbers if number in row),
                *(["running"] if row.get("running") else []),
            ]
        )
        for row in rows
    ]  # fmt: skip
    assert told == [
        " ".join(row.split()) for line in TABLE[name].split("\n") if line.strip() for row in line.split("|")
    ]
