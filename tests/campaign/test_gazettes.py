"""The papers: who prints for whom, how they date, and what they make of a turn's events. No database."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from campaign.accounts.gazette import Issue, Printed, issue_of, paper_of
from campaign.accounts.gazette.papers import papers, people_of, phrases_of
from campaign.accounts.gazette.words import filled, ordinal, spelled

pytestmark = pytest.mark.clause("G.IN1")

NAMES = {
    "ENG": "England", "NLD": "Dutch Republic", "galloper": "The Galloper", "harwich": "Harwich", "e1": "Royal Prince", "e2": "Essex",
    "n1": "Zeven Provincien (Amsterdam)", "n2": "Eendracht", "nf": "De Ruyter's fleet",
}  # fmt: skip
SLOTS = {
    *(
        "head_win",
        "head_lose",
        "head_even",
        "head_quiet",
        "battle",
        "field_us",
        "field_them",
        "took",
        "sank",
        "none_enemy",
        "own_lost",
    ),
    *(
        "own_none",
        "killed",
        "hurt",
        "captured",
        "enemy_killed",
        "enemy_captured",
        "gale",
        "sea_lost",
        "sea_enemy",
        "prize",
        "loss",
    ),
    *(
        "convoy",
        "port_us",
        "port_them",
        "raid_us",
        "raid_them",
        "ashore_us",
        "ashore_them",
        "trade_us",
        "trade_them",
        "court",
        "shy",
    ),
    *("peace", "war", "quiet", "close", "close_quiet", "gauge_us", "gauge_them"),
    *(f"ended_{why}" for why in ("nightfall", "gale", "beaten", "parted", "limit", "overpowered")),
}
FIGHT: dict[str, Any] = {
    "battle": "b01",
    "place": "galloper",
    "fleets": {"ENG": ["ef"], "NLD": ["nf"]},
    "gauge": "ENG",
    "surprised": [],
}
END: dict[str, Any] = {"battle": "b01", "ended": "nightfall", "turns": 20, "minutes": 600, "held_field": ""}


def event(hour: int, kind: str, **data: Any) -> list[Any]:
    """An event as a report keeps it."""
    return [hour, kind, "G.IN1", [], data]


def fate(kind: str, ship: str, side: str, **more: Any) -> list[Any]:
    """What became of a ship in the battle."""
    return event(50, kind, battle="b01", ship=ship, side=side, **more)


FOUGHT = [
    event(48, "battle", **FIGHT),
    fate("captured", "n1", "NLD", captor="ENG"),
    fate("lost", "n2", "NLD", fate="sunk"),
    fate("lost", "e2", "ENG", fate="burnt"),
    event(51, "officer", battle="b01", name="Sir Christopher Myngs", side="ENG", fate="killed", ship="e1"),
    event(52, "battle_ended", **END),
]


def printed(
    side: str, *, nations: tuple[str, ...] = (), year: int = 1666, number: int = 1, theatre: str = ""
) -> Printed:
    """For whom a paper is made."""
    own = nations or ({"ENG": "England", "NLD": "Dutch Republic"}[side],)
    return Printed(
        paper=paper_of(own, year, theatre), seed=f"war/{side}", us=(side,), nations={"ENG": ["England"], "NLD": ["Dutch Republic"]},
        names=NAMES, start=f"{year}-05-30", number=number, last=date(year, 6, 1),
    )  # fmt: skip


def text(issue: Issue) -> str:
    """Everything that an issue says."""
    return " ".join([issue.headline, *(f"{item.line} {item.text}" for item in issue.items), issue.close])


def test_each_side_prints_its_own_battle_with_the_enemys_losses_as_it_believes_them() -> None:
    english = text(issue_of(FOUGHT, printed("ENG")))
    assert "the Zeven Provincien" in english and "(Amsterdam)" not in english
    assert "Eendracht" in english and "Essex" in english and "Myngs" in english
    assert "the Dutch" in english
    blind = [row for row in FOUGHT if row[4].get("side") != "NLD"]
    assert "Zeven Provincien" not in text(issue_of(blind, printed("ENG")))


@pytest.mark.parametrize(
    ("side", "nations", "year", "theatre", "title", "dateline"),
    [
        ("ENG", ("England",), 1588, "", "A true Relation of the Newes from the Sea", "the 1 of June"),
        ("ENG", ("England",), 1666, "", "The London Gazette", "June 1"),
        ("NLD", ("Dutch Republic",), 1666, "", "Oprechte Haerlemse Courant", "the 11 of June"),
        ("ENG", ("Great Britain",), 1739, "caribbean", "The Weekly Jamaica Courant", "June 1"),
        ("ENG", ("Great Britain",), 1739, "", "The London Gazette", "June 1"),
        ("ENG", ("Great Britain",), 1805, "", "The London Gazette Extraordinary", "June 1"),
        ("NLD", ("France", "Spain"), 1805, "", "Gazette Nationale, ou Le Moniteur Universel", "12 Prairial"),
        ("ENG", ("Japan",), 1904, "", "Kwampo: Official Gazette Extra", "1 June"),
        ("NLD", ("Russia",), 1904, "", "Pravitelstvenny Vestnik: The Official Messenger", "19 May (1 June)"),
        ("ENG", ("Ruritania",), 1700, "", "The Courant", "the 1 of June"),
    ],
)  # fmt: skip
def test_a_paper_is_of_its_nation_and_age_and_keeps_its_calendar(
    side: str, nations: tuple[str, ...], year: int, theatre: str, title: str, dateline: str
) -> None:
    issue = issue_of(FOUGHT, printed(side, nations=nations, year=year, theatre=theatre))
    assert issue.paper.title == title
    assert issue.items[0].line.endswith(dateline)


def test_the_same_turn_reads_the_same_and_the_next_one_does_not() -> None:
    one, again, following = (issue_of(FOUGHT, printed("ENG", number=number)) for number in (1, 1, 2))
    assert one == again
    assert one.items[0].text.split(".")[0] != following.items[0].text.split(".")[0]
    assert one.close != following.close


@pytest.mark.parametrize(
    ("side", "events", "slot"),
    [
        ("ENG", FOUGHT, "head_win"),
        ("NLD", [FOUGHT[0], *FOUGHT[1:3], FOUGHT[-1]], "head_lose"),
        ("NLD", [FOUGHT[0], FOUGHT[1], FOUGHT[3], FOUGHT[-1]], "head_even"),
        ("ENG", [event(3, "gale", zone="southern")], "head_quiet"),
        ("ENG", [event(3, "captured", ship="n1", side="NLD", captor="ENG")], "head_quiet"),
    ],
)
def test_the_headline_claims_what_the_losses_allow(side: str, events: list[Any], slot: str) -> None:
    issue = issue_of(events, printed(side))
    shapes = [re.escape(one).replace(r"\{", "{") for one in phrases_of(issue.paper.voice)[slot]]
    assert any(re.fullmatch(re.sub(r"\{\w+\\?\}", ".+", shape), issue.headline) for shape in shapes), (
        issue.headline
    )


TOLD: list[tuple[str, list[Any], str]] = [
    ("a convoy", event(9, "convoy_delivered", fleet="ef", side="ENG", place="harwich", ships=[], value=3), "Harwich"),
    ("a port lost", event(9, "port_taken", place="harwich", side="NLD", loser="ENG"), "Harwich"),
    ("a raid", event(9, "raid_suffered", place="harwich", attacker="NLD"), "Harwich"),
    ("a gale", event(9, "lost", ship="e1", side="ENG", fate="foundered", cause="in the gale"), "Royal Prince"),
    ("a wreck of theirs", event(9, "lost", ship="n2", side="NLD", fate="wrecked"), "Eendracht"),
    ("a prize", event(9, "captured", ship="n1", side="NLD", captor="ENG"), "Zeven Provincien"),
    ("a loss", event(9, "captured", ship="e1", side="ENG", captor="NLD"), "Royal Prince"),
    ("a sale", event(9, "prize_sold", ship="n1", side="ENG", place="harwich", pounds=1200), "£1,200"),
    ("merchantmen", event(9, "shipping_lost", side="ENG", attacker="NLD", place="galloper", vessel="x", points=1), "one"),
    ("a peace", event(9, "peace", text="Breda is signed."), "Breda is signed."),
]  # fmt: skip


@pytest.mark.parametrize(
    ("row", "word"), [(row, word) for _, row, word in TOLD], ids=[name for name, _, _ in TOLD]
)
def test_news_besides_battles_is_printed(row: list[Any], word: str) -> None:
    assert word in text(issue_of([row], printed("ENG")))


SECRET: list[Callable[[], list[Any]]] = [
    lambda: event(9, "sailed", fleet="nf", place="harwich", to="galloper"),
    lambda: event(
        9,
        "sighted",
        fleet="nf",
        number=7,
        latitude=5190,
        longitude=205,
        course=90,
        band="10-19",
        kinds=["line"],
    ),
    lambda: event(9, "order_refused", fleet="nf", faults=[["", "", "Harwich is not next."]]),
    lambda: event(9, "objective_paid", objective="aim", side="ENG", words="Take Harwich.", marks=3),
    lambda: event(
        9, "reinforced", fleet="nf", side="ENG", name="De Ruyter's fleet", place="harwich", ships=[]
    ),
    lambda: event(
        9, "repaired", ship="e1", side="ENG", place="harwich", ships=[], hull=1, masts=0, batteries=0
    ),
    lambda: event(9, "mines_laid", fleet="nf", side="ENG", place="harwich", ships=[], sections=2),
]


@pytest.mark.parametrize("row", SECRET)
def test_a_paper_prints_no_movement_order_sighting_or_aim(row: Callable[[], list[Any]]) -> None:
    told = text(issue_of([row()], printed("ENG")))
    assert not any(word in told for word in ("Harwich", "Galloper", "Ruyter", "Prince", "51°"))


def test_every_voice_has_every_phrase_and_every_phrase_can_be_filled() -> None:
    words = dict.fromkeys(
        (
            "them",
            "where",
            "date",
            "hours",
            "ships",
            "n",
            "names",
            "place",
            "pounds",
            "text",
            "fleet",
            "side",
            "count",
        ),
        "word",
    )
    for voice in {paper.voice for paper in papers()}:
        phrases = phrases_of(voice)
        assert phrases.keys() == SLOTS, voice
        for slot, texts in phrases.items():
            assert len(set(texts)) == len(texts), (voice, slot)
            for one, number in itertools.product(texts, (1, 2)):
                assert not re.search(r"[\[\]{}|]", filled(one, number, words)), (voice, slot, one)


def test_numbers_and_peoples_are_written_as_the_age_writes_them() -> None:
    assert [spelled(n) for n in (0, 12, 19, 20, 34, 99, 1100)] == [
        "no", "twelve", "nineteen", "twenty", "thirty-four", "ninety-nine", "1,100",
    ]  # fmt: skip
    assert [ordinal(n) for n in (1, 12, 13, 21, 22, 111)] == [
        "first",
        "twelfth",
        "13th",
        "21st",
        "22nd",
        "111th",
    ]
    assert [people_of("Dutch Republic", year, "") for year in (1400, 1588, 1666)] == [
        "the Hollanders",
        "the Hollanders",
        "the Dutch",
    ]
    assert people_of("Ruritania", 1904, "those of Ruritania") == "those of Ruritania"


def test_the_republican_calendar_ends_with_1805() -> None:
    paper = paper_of(("France",), 1805)
    assert paper.day(date(1805, 10, 21), year=True) == "29 Vendémiaire, year XIV"
    assert paper.day(date(1804, 12, 2), year=True) == "11 Frimaire, year XIII"
    assert paper.day(date(1806, 1, 2), year=True) == "2 January, 1806"
