"""Three turns of a small war, run by deadlines alone: told as the club lived them, with every email checked.

Anne and Ben sail for England, Dirk and Elsa for the Dutch; the first of each is commander-in-chief. Ursula is the umpire, Otto looks on.
Elsa never says a word. Ben reads of moved deadlines in his morning's digest, Dirk reads plain text by London's clock, Elsa by Greenwich.

Nothing drives the campaign but the sweep and the tasks that it hands out. It comes at odd hours, every task is done twice, every
answer by mail arrives twice, and at every hour that is named here two sweeps are under way at once. The mails go through a real server;
`club.until` tells which have come, and to whom, since it was last asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any

import pytest
import time_machine

from battles.models import Battle
from campaign.models import Notice, Order, ReceivedMail, Turn, UmpireAction
from campaign.notices.replies import TOKEN
from campaign.selectors.turn.facts import OrderColumns
from campaign.services.desk.audit import campaign_audit
from campaign.services.desk.umpire import turn_extend
from campaign.services.mail.notices import notice_of_invitation
from campaign.services.orders.orders import order_submit
from campaign.services.people.absences import absence_announce
from campaign.services.people.people import fleets_hand
from campaign.services.settings.clock import rhythm_change
from campaign.services.turn.readiness import ready_set
from fleets.models import Ship
from tests.support.clockwork import Clockwork
from tests.support.club import AMSTERDAM, SQUADRONS, Club, club_start, event_of
from tests.support.factories import MembershipFactory
from tests.support.links import keyed_links, path_and_key
from tests.support.maildrop import Letter
from tests.support.smtp import mail_server, use

pytestmark = pytest.mark.one_database

OPENS = datetime(
    2026, 10, 15, 10, 0, tzinfo=UTC
)  # a Thursday noon in Amsterdam, ten days before summer time ends
SIDES = {"anne": "England", "ben": "England", "dirk": "Dutch Republic", "elsa": "Dutch Republic"}
REPORTS = ["anne", "ben", "dirk", "elsa", "ursula"]


@pytest.fixture
def club(
    db: Any,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    django_capture_on_commit_callbacks: Any,
) -> Iterator[Club]:
    """The club on the Thursday on which its war begins."""
    settings.SITE_URL, settings.REPLY_TO = "https://gage.club.example", "Orders <orders@club.example>"
    settings.DEFAULT_FROM_EMAIL = "Weather Gage <gage@club.example>"
    with mail_server() as server, time_machine.travel(OPENS, tick=False) as traveller:
        use(settings, server.port)
        clock = Clockwork(traveller, AMSTERDAM, monkeypatch, django_capture_on_commit_callbacks)
        yield club_start(clock, server, tmp_path, monkeypatch)


@pytest.mark.clause("G.CL1", "G.IN1", "G.IN4", "G.MV2", "G.UM1", "G.UM2")
def test_three_turns_run_by_deadlines_alone(club: Club) -> None:
    ursula_makes_her_rules(club)
    the_first_turn(club)
    the_second_turn_is_moved(club)
    the_second_turn_survives_an_outage(club)
    the_third_turn_is_ready_early(club)

    each_box_holds_what_it_should(club)
    calendars_have_the_last_word(club)
    nobody_reads_what_he_may_not_know(club)
    nothing_is_left_and_nothing_is_done_twice(club)


# --- the story -----------------------------------------------------------------------------------------


def ursula_makes_her_rules(club: Club) -> None:
    """Thursday. The war is on; she hands out squadrons, invites Otto, and lets turns close on Sunday evenings, with two hours' grace."""
    with club.clock.acting():
        for side, code, name in (("England", "BLU", "ben"), ("Dutch Republic", "EMS", "elsa")):
            theirs = club.campaign.sides.get(name=side)
            fleets_hand(
                campaign=club.campaign,
                umpire=club.user("ursula"),
                side=theirs,
                given={code: club.member(name).pk},
            )
        otto = MembershipFactory(campaign=club.campaign, side=None, role="observer", user=club.user("otto"))
        notice_of_invitation(membership=otto)
        rhythm_change(
            campaign=club.campaign, umpire=club.user("ursula"), hours=72, weekdays=[6], at=time(20), zone=AMSTERDAM,
            run_when_ready=True, grace=2, silent=2, reason="Sundays suit most of us.",
        )  # fmt: skip

    assert club.until("Thu 15 Oct 12:01") == [
        *(f"invitation > {name}" for name in SIDES),
        *(f"T1-opened > {name}" for name in SIDES),
        "invitation > otto",
        *(f"rhythm > {name}" for name in ("anne", "ben", "dirk", "elsa", "otto", "ursula")),
    ]
    opened = club.letter("anne", "T1-opened")
    assert "Orders close on Sun 18 Oct 2026, 12:00 CEST" in opened.text and "12:00 CEST" in opened.read
    assert "Orders close on Sun 18 Oct 2026, 11:00 BST" in club.letter("dirk", "T1-opened").text


def the_first_turn(club: Club) -> None:
    """It still closes after 72 hours. Anne gives orders by mail, Dirk on the site, Ben in the grace, Elsa not at all."""
    assert club.until("Fri 16 Oct 19:00") == ["umpire-digest-20261016 > ursula"]
    words = "Fleet: The Red Squadron\nStance: seek\nGreatest odds: 7.25"
    assert club.answer("anne", club.letter("anne", "T1-opened"), words) == "1 taken, 0 refused"
    give(club, "dirk", "MAA", stance="seek", instructions={"greatest_odds": "8.75"})
    assert club.until("Fri 16 Oct 19:20") == ["mail > anne"]
    assert "The Red Squadron: ACCEPTED\n  Stance: seek – accepted" in club.letter("anne", "mail").text

    # a day before, those are reminded whose fleets lack orders, and not a minute earlier
    assert club.until("Sat 17 Oct 11:59") == ["umpire-digest-20261017 > ursula"]
    assert club.until("Sat 17 Oct 12:00") == [
        "T1-reminder-20261018T1000 > ben",
        "T1-reminder-20261018T1000 > elsa",
    ]

    # past the deadline the turn waits for them; Ben finds the time
    assert club.until("Sun 18 Oct 11:59") == ["umpire-digest-20261018 > ursula"]
    assert club.until("Sun 18 Oct 12:00") == ["T1-grace-20261018T1000 > ben", "T1-grace-20261018T1000 > elsa"]
    give(club, "ben", "BLU")
    assert club.until("Sun 18 Oct 13:59") == []
    assert club.until("Sun 18 Oct 14:00") == [f"T1-report > {name}" for name in REPORTS]
    assert "battle west of the Hinder Banks" in club.letter("elsa", "T1-report").subject


def the_second_turn_is_moved(club: Club) -> None:
    """It closes on the Sunday on which the clocks go back. Half-term comes in between, so Ursula gives it a day more."""
    assert "Orders close on Sun 25 Oct 2026, 20:00 CET" in club.letter("anne", "T1-report").text
    late = "Fleet: The Red Squadron\nStance: hold"
    assert club.answer("anne", club.letter("anne", "T1-opened"), late) == "0 taken, 1 refused"
    again = "Fleet: The Red Squadron\nStance: avoid"
    assert club.answer("anne", club.letter("anne", "T1-report"), again) == "1 taken, 0 refused"
    give(club, "dirk", "MAA", stance="avoid")
    assert club.until("Tue 20 Oct 18:00") == [
        "mail > anne", "mail > anne", "umpire-digest-20261019 > ursula", "umpire-digest-20261020 > ursula",
    ]  # fmt: skip
    assert club.box("anne")[-2].text.count("turn 1, which has closed") == 1

    with club.clock.acting():
        turn_extend(turn=club.turn, umpire=club.user("ursula"), hours=24, reason="Half-term")
    moved = [f"T2-deadline-20261026T1900 > {name}" for name in ("anne", "dirk", "elsa")]
    assert club.until("Tue 20 Oct 18:05") == moved
    # Ben wished to read of that in the morning
    assert club.until("Wed 21 Oct 07:05") == ["digest-20261021 > ben", "umpire-digest-20261021 > ursula"]
    assert "now close on Mon 26 Oct 2026, 20:00 CET" in club.letter("ben", "digest-20261021").text


def the_second_turn_survives_an_outage(club: Club) -> None:
    """The server stands still for two days, and then the mail server takes nothing: nothing is lost, and Ursula is told."""
    mornings = [f"umpire-digest-202610{day} > ursula" for day in (22, 23, 24, 25)]
    assert club.until("Sun 25 Oct 19:59") == mornings
    assert club.until("Sun 25 Oct 20:00") == [
        "T2-reminder-20261026T1900 > ben",
        "T2-reminder-20261026T1900 > elsa",
    ]
    give(club, "ben", "BLU")
    assert club.until("Mon 26 Oct 10:00") == ["umpire-digest-20261026 > ursula"]

    club.clock.stand_still_until("Wed 28 Oct 10:00")

    assert club.until("Wed 28 Oct 10:00") == [
        *(f"T2-deadline-20261028T1900 > {name}" for name in ("anne", "dirk", "elsa")),
        "T2-outage > ursula",
        "T2-reminder-20261028T1900 > elsa",
        "umpire-digest-20261028 > ursula",
    ]
    assert "The site was down for 48 hours" in club.letter("dirk", "T2-deadline-20261028T1900").text
    assert club.until("Wed 28 Oct 20:00") == ["T2-grace-20261028T1900 > elsa"]

    club.server.sender = "451 4.3.2 The mail server is being mended"
    assert club.until("Wed 28 Oct 22:00") == []
    assert club.turn.number == 3, "no mail is worth waiting for"
    club.server.sender = ""
    assert club.until("Wed 28 Oct 22:10") == [*(f"T2-report > {name}" for name in REPORTS), "silent > ursula"]
    assert "elsa has been silent for 2 turns" in club.letter("ursula", "silent").subject


def the_third_turn_is_ready_early(club: Club) -> None:
    """Anne goes to Portugal and Ben commands for her. Both sides are ready on Saturday, so nobody waits for Sunday."""
    assert club.until("Thu 29 Oct 21:00") == ["digest-20261029 > ben", "umpire-digest-20261029 > ursula"]
    for_anne = "Fleet: The Red Squadron\nStance: hold\n\nFleet: The Squadron of the West\nStance: avoid"
    # not yet: of the two only his own is taken
    assert club.answer("ben", club.letter("ben", "T2-report"), for_anne) == "1 taken, 0 refused"
    assert Order.objects.get(turn=club.turn, fleet=club.fleet("RED")).source == "standing"
    with club.clock.acting():
        absence_announce(
            membership=club.member("anne"), first=date(2026, 10, 30), last=date(2026, 11, 8), by=club.user("anne"),
            stand_in=club.member("ben"), note="In Portugal.",
        )  # fmt: skip
    assert club.until("Thu 29 Oct 21:05") == ["mail > ben", "away > ursula", "away > ben"]
    assert club.until("Fri 30 Oct 18:00") == ["umpire-digest-20261030 > ursula"]
    assert club.answer("ben", club.letter("ben", "T2-report"), for_anne) == "1 taken, 0 refused"
    now = Order.objects.get(turn=club.turn, fleet=club.fleet("RED"))
    assert (now.source, now.author, now.stance) == ("mail", "ben", "hold")

    assert club.until("Sat 31 Oct 12:00") == ["mail > ben", "umpire-digest-20261031 > ursula"]
    for name in ("dirk", "ben"):
        assert club.turn.number == 3
        with club.clock.acting():
            ready_set(turn=club.turn, membership=club.member(name), ready=True)
        told = club.until("Sat 31 Oct 12:01" if name == "dirk" else "Sat 31 Oct 12:02")
        assert told == ([f"T3-report > {one}" for one in REPORTS] if name == "ben" else [])
    assert club.turn.number == 4


def give(club: Club, name: str, code: str, **orders: Any) -> None:
    """Somebody gives a squadron its orders on the site."""
    with club.clock.acting():
        order_submit(
            turn=club.turn, membership=club.member(name), fleet=club.fleet(code),
            order=OrderColumns(**orders),
        )  # fmt: skip


# --- what is to be seen at its end ---------------------------------------------------------------------

BOXES = {
    "anne": [
        "A small war: you are commander-in-chief of England",
        "A small war: turn 1 is open for orders",
        "A small war: the schedule has changed",
        "A small war, turn 1: your orders are accepted",
        "A small war, turn 1: …",
        "A small war, turn 1: your orders by email were refused",
        "A small war, turn 2: your orders are accepted",
        "A small war: orders for turn 2 now close on Mon 26 Oct 2026, 20:00 CET",
        "A small war: orders for turn 2 now close on Wed 28 Oct 2026, 20:00 CET",
        "A small war, turn 2: …",
        "A small war, turn 3: …",
    ],
    "ben": [
        "A small war: you are an admiral of England",
        "A small war: turn 1 is open for orders",
        "A small war: the schedule has changed",
        "A small war: orders for turn 1 close on Sun 18 Oct 2026, 12:00 CEST",
        "A small war: orders for turn 1 were due, but you have until Sun 18 Oct 2026, 14:00 CEST",
        "A small war, turn 1: …",
        "A small war: 1 notification since yesterday",
        "A small war: orders for turn 2 close on Mon 26 Oct 2026, 20:00 CET",
        "A small war, turn 2: …",
        "A small war: 1 notification since yesterday",
        "A small war, turn 3: some of your orders were refused",
        "A small war: anne is away, 30 October to 8 November 2026",
        "A small war, turn 3: your orders are accepted",
        "A small war, turn 3: …",
    ],
    "dirk": [
        "A small war: you are commander-in-chief of the Dutch Republic",
        "A small war: turn 1 is open for orders",
        "A small war: the schedule has changed",
        "A small war, turn 1: …",
        "A small war: orders for turn 2 now close on Mon 26 Oct 2026, 19:00 GMT",
        "A small war: orders for turn 2 now close on Wed 28 Oct 2026, 19:00 GMT",
        "A small war, turn 2: …",
        "A small war, turn 3: …",
    ],
    "elsa": [
        "A small war: you are an admiral of the Dutch Republic",
        "A small war: turn 1 is open for orders",
        "A small war: the schedule has changed",
        "A small war: orders for turn 1 close on Sun 18 Oct 2026, 10:00 UTC",
        "A small war: orders for turn 1 were due, but you have until Sun 18 Oct 2026, 12:00 UTC",
        "A small war, turn 1: …",
        "A small war: orders for turn 2 now close on Mon 26 Oct 2026, 19:00 UTC",
        "A small war: orders for turn 2 close on Mon 26 Oct 2026, 19:00 UTC",
        "A small war: orders for turn 2 now close on Wed 28 Oct 2026, 19:00 UTC",
        "A small war: orders for turn 2 close on Wed 28 Oct 2026, 19:00 UTC",
        "A small war: orders for turn 2 were due, but you have until Wed 28 Oct 2026, 21:00 UTC",
        "A small war, turn 2: …",
        "A small war, turn 3: …",
    ],
    "otto": ["A small war: you have joined", "A small war: the schedule has changed"],
}


def subject_of(letter: Letter) -> str:
    """A letter's subject; of a report without what came of the turn, which the dice say."""
    before, colon, _ = letter.subject.rpartition(": ")
    return f"{before}{colon}…" if event_of(letter).endswith("-report") else letter.subject


def each_box_holds_what_it_should(club: Club) -> None:
    """As their programs list it. Ursula has her mornings besides: one a day, but for the day on which nothing ran."""
    for name, subjects in BOXES.items():
        assert [subject_of(letter) for letter in club.box(name)] == subjects, name
    hers = Counter(event_of(letter).partition("-2026")[0] for letter in club.box("ursula"))
    assert hers == {
        "rhythm": 1, "T1-report": 1, "T2-outage": 1, "T2-report": 1, "silent": 1, "away": 1, "T3-report": 1, "umpire-digest": 15,
    }  # fmt: skip
    assert set(club.server.drop.boxes()) == {f"{name}@club.example" for name in (*BOXES, "ursula")}
    for name in (*BOXES, "ursula"):
        for letter in club.box(name):
            assert bool(letter.html) is (name != "dirk"), "Dirk wished for plain text"
            assert letter.text.strip() and letter.sender == "gage@club.example"


def calendars_have_the_last_word(club: Club) -> None:
    """One entry a turn, which a calendar replaces as often as it is moved: each later one has a number that is no smaller."""
    for name in SIDES:
        entries = [letter.entry for letter in club.box(name) if letter.entry is not None]
        for number in (1, 2, 3, 4):
            uid = f"small-turn-{number}@gage.club.example"
            moved = [
                (int(entry["sequence"]), entry["dtstart"].dt) for entry in entries if entry["uid"] == uid
            ]
            assert moved == sorted(moved), (name, number)
            assert moved[-1][1] == Turn.objects.get(number=number).deadline or (name, number) == ("ben", 2)
    second = [letter.entry for letter in club.box("anne") if letter.entry is not None][1:4]
    assert [entry["dtstart"].dt.astimezone(UTC).strftime("%d %H:%M") for entry in second] == [
        "25 19:00",
        "26 19:00",
        "28 19:00",
    ]
    assert len({int(entry["sequence"]) for entry in second}) == 3


def secrets_of(side: str) -> list[str]:
    """What no enemy may read: names of squadrons, of ships that none has taken, of captains; where the second squadron lies; orders."""
    names = [words for code in SQUADRONS[side].values() for words in (code[0], code[2])]
    free = Ship.objects.filter(navy__name=side, fate="afloat", prize=False)
    ships = [word for ship in free for word in (ship.name, ship.captain) if word]
    own = {
        "England": ["Torbay", "7.25", "Portugal", "stands in"],
        "Dutch Republic": ["Delfzijl", "8.75", "silent for"],
    }
    assert len(ships) >= 6
    return [*names, *ships, *own[side]]


def nobody_reads_what_he_may_not_know(club: Club) -> None:
    """Every mail to every reader: headers, text, HTML, links, calendar, names of pictures."""
    secrets = {side: secrets_of(side) for side in SQUADRONS}
    keys: dict[str, str] = {}
    for name in (*BOXES, "ursula"):
        foreign = [word for side, words in secrets.items() if side != SIDES.get(name) for word in words]
        own = club.member(name)
        for letter in club.box(name):
            seen = letter.holds([*foreign, "For the umpire only"])
            assert not seen or name == "ursula", (name, letter.subject, seen)
            whole = f"{letter.mail['Reply-To']}\n{letter.text}\n{letter.html}"
            assert {int(token[2]) for token in TOKEN.finditer(whole)} <= {own.pk}, "another's reply token"
            for link in (*keyed_links(letter.text), *keyed_links(letter.html)):
                whose = path_and_key(link)[1][:6]
                assert keys.setdefault(whose, name) == name, "a link that logs in as another"
    # the tale holds what was looked for: each side's secrets stand in its own mails
    for name, side in SIDES.items():
        told = {word for letter in club.box(name) for word in letter.holds(secrets[side])}
        assert {code[0] for code in SQUADRONS[side].values()} <= told
    assert len(keys) == len(BOXES) + 1


def nothing_is_left_and_nothing_is_done_twice(club: Club) -> None:
    """One mail a row, one row an event and reader; one state a turn; the books add up."""
    ids = club.server.drop.ids()
    assert len(ids) == len(set(ids))
    rows = Notice.objects.filter(channel="email")
    assert set(rows.values_list("status", flat=True)) == {"sent"}
    folded = rows.filter(kind="deadline", recipient=club.user("ben"))
    assert rows.count() == len(ids) + folded.count() and folded.count() == 2
    tried_again = rows.filter(attempts__gt=1)
    assert {row.event.split("-")[1] for row in tried_again} == {"T2", "silent"}, (
        "as the mail server was mended"
    )
    turns = Turn.every.order_by("number").values_list("number", "phase", "run", "attempts")
    assert list(turns) == [(1, "closed", 1, 0), (2, "closed", 1, 0), (3, "closed", 1, 0), (4, "open", 1, 0)]
    assert set(Battle.objects.values_list("status", "attempts")) == {("written", 1)}
    mails = ReceivedMail.objects.order_by("pk").values_list(
        "membership__user__username", "turn__number", "taken"
    )
    assert list(mails) == [("anne", 1, 1), ("anne", 1, 0), ("anne", 2, 1), ("ben", 3, 1), ("ben", 3, 2)]
    log = UmpireAction.objects.order_by("pk").values_list("actor", "action", "turn")
    assert list(log) == [
        ("ursula", "assigned a fleet", ""), ("ursula", "assigned a fleet", ""), ("ursula", "changed the schedule", ""),
        ("ursula", "extended the turn", "small/2"), ("the site", "postponed the deadline", "small/2"),
        ("the site", "ran the turn", "small/3"),
    ]  # fmt: skip
    assert list(campaign_audit(campaign=club.campaign)) == []
