"""Every kind of email, in text and in HTML: what it says, to whom, and what it must not reveal."""

from __future__ import annotations

import html
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core import mail as outbox
from django.template import engines
from django.test import Client
from django.urls import reverse

from battles.models import Battle, BattleOutcome
from campaign.models import Membership, Notice, Turn
from campaign.notices import kinds
from campaign.notices.kinds import KINDS
from campaign.notices.send import notice_send
from campaign.notices.write import notice_write
from campaign.services.desk.umpire_digest import umpire_digests_write
from campaign.services.mail.battle_notices import result_awaits_answer, result_disputed
from campaign.services.mail.notices import (
    notice_of_invitation,
    notices_for_closed_turn,
    notices_for_opened_turn,
    notices_of_end,
    notices_of_failure,
    notices_of_pause,
    word_to_sides,
)
from campaign.services.mail.reminders import deadline_moved, reminders_write
from campaign.services.mail.replies import mail_take
from campaign.services.mail.reply_forms import token_for
from tests.campaign.services.conftest import first_turn_played
from tests.support.links import without_keys
from tests.support.people import DUTCH, ENGLISH, World, world

pytestmark = pytest.mark.one_database

DEADLINE = datetime(2026, 11, 23, 20, 0, tzinfo=UTC)
SITE = "https://gage.club.example"
MISSING = "⁂missing⁂"


@pytest.fixture
def told(db: Any, settings: Any, monkeypatch: pytest.MonkeyPatch) -> World:
    """A campaign full of tell-tales, its turn 2 open until a known hour. A value that no context has is written as MISSING."""
    settings.SITE_URL = SITE
    monkeypatch.setattr(engines["django"].engine, "string_if_invalid", MISSING)
    made = world()
    Turn.objects.filter(campaign=made.campaign).update(deadline=DEADLINE)
    made.turn.refresh_from_db()
    made.closed.refresh_from_db()
    return made


@pytest.fixture
def mails(told: World) -> dict[tuple[str, str], Notice]:
    """Every mail of the tell-tale campaign by kind and user name."""
    for member in told.campaign.memberships.all():
        notice_of_invitation(membership=member)
    notices_for_opened_turn(turn=told.closed)
    notices_for_closed_turn(turn=told.closed, following=told.turn)
    word_to_sides(
        campaign=told.campaign,
        sides=["ENG", "NLD"],
        event="a-word",
        title="A result waits",
        text="Confirm it.",
    )
    deadline_moved(turn=told.turn, why="The umpire: Easter")
    outcome = proposed(told)
    result_awaits_answer(campaign=told.campaign, outcome=outcome, sides=["ENG", "NLD"])
    result_disputed(campaign=told.campaign, outcome=outcome, side="NLD", reason="She was not hit.")
    notices_of_pause(campaign=told.campaign, reason="Easter")
    notices_of_failure(turn=told.turn, error="The stored state of turn 2 cannot be read: it has no “fleets”.")
    told.turn.orders.update(source="standing")
    told.turn.ready_marks.all().delete()
    Turn.objects.filter(pk=told.turn.pk).update(opened=DEADLINE - timedelta(days=3))
    reminders_write(DEADLINE - timedelta(hours=1))
    for member in (told.english, told.dutch):
        rows = list(Notice.objects.filter(recipient=member.user, kind="invitation"))
        notice_write(
            campaign=told.campaign, kind=kinds.DIGEST, event="d", user=member.user, context={"rows": rows}
        )
    Membership.objects.filter(pk=told.umpire.pk).update(joined=None)
    umpire_digests_write(DEADLINE - timedelta(hours=1))
    notices_of_end(campaign=told.campaign, reason="The campaign has reached its last day, 4 June 1666.")
    reply = f"From: english@club.example\n\nStance: bold\n{token_for(turn_id=told.turn.pk, membership_id=told.english.pk)}"
    mail_take(raw=reply.encode())
    return {(n.kind, n.recipient.username): n for n in Notice.objects.select_related("recipient")}


_LETTERS: dict[tuple[str, str], Notice] = {}


@pytest.fixture
def letters(request: pytest.FixtureRequest) -> dict[tuple[str, str], Notice]:
    """The same mails for tests that only read them: written once, and no longer in any database."""
    if not _LETTERS:
        _LETTERS.update(request.getfixturevalue("mails"))
    return _LETTERS


def proposed(told: World) -> BattleOutcome:
    """The battle of turn 1 as one on the table, with a result that the English propose."""
    battle = Battle.objects.get(code="telltale-T1-b01")
    Battle.objects.filter(pk=battle.pk).update(route="table", status="ready", title="Battle off the Galloper")
    battle.refresh_from_db()
    return BattleOutcome.objects.create(
        battle=battle, document={}, side="ENG", proposed=DEADLINE - timedelta(days=3), proposed_by="english"
    )


def read(notice: Notice) -> str:
    """What somebody reads in the HTML: no tags, no style sheets, single spaces."""
    body = re.sub(r"<(style|title)\b.*?</\1>", " ", notice.html, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", body)).split())


def flat(notice: Notice) -> str:
    """The text with single spaces."""
    return " ".join(notice.text.split())


def test_every_kind_goes_to_the_people_it_concerns(letters: dict[tuple[str, str], Notice]) -> None:
    assert set(letters) == {
        *(("invitation", name) for name in ("umpire", "english", "dutch", "observer")),
        *((kind, name) for kind in ("turn_opened", "turn_report") for name in ("english", "dutch")),
        ("umpire_report", "umpire"),
        ("umpire_digest", "umpire"),
        ("work_failed", "umpire"),
        *((kind, name) for kind in ("deadline", "reminder", "digest") for name in ("english", "dutch")),
        ("orders_taken", "english"),
        *(("word", name) for name in ("english", "dutch")),
        *(("battle_awaits", name) for name in ("english", "dutch")),
        *(("result_disputed", name) for name in ("umpire", "english")),
        *(("paused", name) for name in ("umpire", "english", "dutch", "observer")),
        *(("campaign_over", name) for name in ("umpire", "english", "dutch", "observer")),
    }
    assert {kind for kind, _ in letters} == {kind.stem for kind in KINDS}


def test_no_email_has_unfilled_placeholders(letters: dict[tuple[str, str], Notice]) -> None:
    for mail in letters.values():
        assert mail.subject and "\n" not in mail.subject
        assert MISSING not in mail.subject + mail.text + mail.html
        for part in (mail.text, read(mail)):
            assert part.strip()
            for broken in ("{{", "{%", "{#", "None", "&#x27;", "&amp;"):
                assert broken not in part


def test_a_sent_email_has_both_bodies_and_its_message_id(mails: dict[tuple[str, str], Notice]) -> None:
    notice = mails["turn_report", "english"]

    assert notice_send(notice_id=notice.pk)

    (sent,) = outbox.outbox
    assert (sent.subject, without_keys(sent.body)) == (notice.subject, notice.text)
    (other,) = sent.alternatives
    assert (without_keys(other.content), other.mimetype) == (notice.html, "text/html")
    assert sent.extra_headers["Message-ID"] == notice.message_id


def test_subjects_are_short_and_say_what_happened(letters: dict[tuple[str, str], Notice]) -> None:
    subjects = {key: mail.subject for key, mail in letters.items()}

    assert subjects["turn_report", "english"] == "Tell-tale war, turn 1: battle off the Galloper"
    assert subjects["umpire_report", "umpire"] == (
        "Tell-tale war, turn 1, umpire's report: battle off the Galloper"
    )
    assert subjects["turn_opened", "dutch"] == "Tell-tale war: turn 1 is open for orders"
    assert subjects["invitation", "english"] == "Tell-tale war: you are commander-in-chief of England"
    assert subjects["invitation", "observer"] == "Tell-tale war: you have joined"


FACTS = {
    ("turn_report", "english"): [
        "Report to England, 30 May to 2 June 1666",
        "There was one battle. You lost one ship and took none.",
        "Turn 2 is open. Orders close",
        "Mon 23 Nov 2026, 20:00 UTC",
        "Battle off the Galloper",
        "lasted 10 hours, until nightfall",
        "England, taken by the Dutch Republic: Ship zjengl 00.",
        "30 May, 06:00",
        f"Fleet {ENGLISH} gets under way",
        f"Fleet {ENGLISH}",
        "6 ships",
        "1,200 men",
        "At the Nore",
        "All sound",
        "Contact 1: 10–19 sail, including ships of the line",
        "12 hours old",
    ],
    ("umpire_report", "umpire"): [
        "For the umpire only",
        "England, taken by the Dutch Republic: Ship zjengl 00.",
        "Dutch Republic, taken by England: Ship xqduch 00.",
        f"Fleet {ENGLISH}",
        f"Fleet {DUTCH}",
        "Contact 77, sighted by the Dutch Republic:",
        "Mon 23 Nov 2026, 20:00 UTC",
    ],
    ("turn_opened", "dutch"): [
        "The Dutch Republic awaits your orders.",
        "The turn begins at 06:00 on 30 May 1666 and lasts 3 days.",
        "Mon 23 Nov 2026, 20:00 UTC",
        f"Fleet {DUTCH}",
        "7 nm from the Schooneveld towards the Galloper",
    ],
    ("invitation", "dutch"): [
        "You are commander-in-chief of the Dutch Republic.",
        "only what your own ships have seen",
        "Your username",
        "dutch",
    ],
    ("orders_taken", "english"): [
        f"Fleet {ENGLISH}",
        "Refused",
        "Stance: bold",
        "Write one of: Seek, Hold, Avoid. (G.MV2)",
    ],
    ("invitation", "observer"): ["Your role in this campaign: observer."],
    ("battle_awaits", "dutch"): [
        "England has proposed a result.",
        "confirm or dispute it",
        "Mon 23 Nov 2026, 20:00 UTC",
        "If no one disputes it by then, it is confirmed.",
        "off the Galloper",
        f"Fleet {DUTCH}",
        "England",
    ],
    ("result_disputed", "umpire"): [
        "Dutch Republic disputes the proposed result.",
        "She was not hit.",
        "Rule on it",
        "Its fleets are held until you rule.",
        f"Fleet {ENGLISH}",
        f"Fleet {DUTCH}",
    ],
    ("result_disputed", "english"): ["She was not hit.", "Nothing for now. The umpire will rule."],
    ("paused", "observer"): ["no deadline will pass", "Easter", "orders for turn 2"],
}


@pytest.mark.parametrize("key", FACTS, ids="-".join)
def test_text_and_html_say_the_same(letters: dict[tuple[str, str], Notice], key: tuple[str, str]) -> None:
    text, page = flat(letters[key]), read(letters[key])

    for fact in FACTS[key]:
        assert fact.lower() in text.lower(), f"{fact!r} is not in the text"
        assert fact.lower() in page.lower(), f"{fact!r} is not in the HTML"


LINKS = {
    ("turn_report", "english"): [
        ("orders", ["telltale", f"{ENGLISH}-f"]),
        ("report", ["telltale", 1]),
        ("mailbox", ["telltale"]),
    ],
    ("turn_opened", "english"): [
        ("orders", ["telltale", f"{ENGLISH}-f"]),
        ("campaign", ["telltale"]),
    ],
    ("umpire_report", "umpire"): [("campaign", ["telltale"]), ("report", ["telltale", 1])],
    ("invitation", "english"): [("campaign", ["telltale"])],
    ("paused", "english"): [("campaign", ["telltale"])],
}


def test_links_are_full_addresses_that_open_for_the_reader(
    told: World, mails: dict[tuple[str, str], Notice]
) -> None:
    for (kind, person), links in LINKS.items():
        mail, client = mails[kind, person], told.client(person)
        for name, args in links:
            path = reverse(name, args=args)
            assert f"{SITE}{path}" in mail.text, (kind, path)
            assert f'href="{SITE}{path}"' in mail.html, (kind, path)
            assert client.get(path).status_code == 200, (kind, path)


@pytest.mark.clause("G.IN1")
@pytest.mark.parametrize(("person", "tale"), [("english", DUTCH), ("dutch", ENGLISH), ("observer", DUTCH)])
def test_no_email_reveals_anything_about_the_other_side(
    letters: dict[tuple[str, str], Notice], person: str, tale: str
) -> None:
    own = [mail for (_, name), mail in letters.items() if name == person]

    assert own
    for mail in own:
        for part in (mail.subject, mail.text, mail.html):
            assert tale not in part
            assert "umpire_report" not in part
            assert "umpire's morning" not in part


@pytest.mark.clause("G.IN1")
def test_a_battle_between_others_appears_only_in_the_umpires_report(
    letters: dict[tuple[str, str], Notice],
) -> None:
    for name in ("english", "dutch"):
        assert letters["turn_report", name].text.count("Battle off the Galloper") == 2
        assert "T1-b02" not in letters["turn_report", name].html


def test_each_event_and_person_gets_one_email_under_a_lasting_message_id(
    told: World, mails: dict[tuple[str, str], Notice]
) -> None:
    ids = {key: mail.message_id for key, mail in mails.items()}
    assert len(set(ids.values())) == len(mails)
    assert all(re.fullmatch(r"<[0-9a-f]{32}@gage\.club\.example>", value) for value in ids.values())

    notices_for_closed_turn(turn=told.closed, following=told.turn)
    notices_for_opened_turn(turn=told.closed)
    for member in told.campaign.memberships.all():
        notice_of_invitation(membership=member)

    again = Notice.objects.select_related("recipient")
    assert {(n.kind, n.recipient.username): n.message_id for n in again} == ids


def test_a_person_without_an_address_gets_no_email(told: World) -> None:
    told.dutch.user.email = ""
    told.dutch.user.save()

    notices_for_closed_turn(turn=told.closed, following=told.turn)

    assert not Notice.objects.filter(recipient=told.dutch.user).exists()


def test_a_turn_without_a_deadline_says_whom_it_waits_for(told: World) -> None:
    told.turn.deadline = None

    notices_for_closed_turn(turn=told.closed, following=told.turn)

    mail = Notice.objects.get(recipient=told.english.user)
    assert "set by the umpire" not in flat(mail)
    assert "the umpire closes orders" in flat(mail) and "the umpire closes orders" in read(mail)


def test_names_appear_as_they_are_in_text_and_escaped_in_html(told: World) -> None:
    told.campaign.name = "Tom & Anne's <war>"
    told.campaign.save()

    notices_for_closed_turn(turn=told.closed, following=told.turn)

    mail = Notice.objects.get(recipient=told.english.user)
    assert mail.subject.startswith("Tom & Anne's <war>, turn 1") and "Tom & Anne's <war>" in mail.text
    assert "<war>" not in mail.html
    assert "Tom & Anne's <war>" in read(mail)


@pytest.mark.parametrize("kind", [kind.stem for kind in KINDS])
def test_the_html_is_an_email_that_mail_programs_can_show(
    letters: dict[tuple[str, str], Notice], kind: str
) -> None:
    page = next(mail.html for (stem, _), mail in letters.items() if stem == kind)

    assert not re.search(r"<(script|link|iframe|form)\b|url\(", page)
    pictures = re.findall(r"<img\b[^>]*>", page)
    assert len(pictures) == (kind in ("turn_opened", "turn_report"))
    assert all(
        re.search(r'src="cid:chart-[0-9a-f]{32}@gage\.club\.example"', picture) for picture in pictures
    )
    assert all(re.search(r'alt="Chart of [^"]+"', picture) for picture in pictures)
    assert "max-width: 600px" in page and 'style="' in page
    assert "prefers-color-scheme: dark" in page and "max-width: 480px" in page
    assert len(re.findall(r"<style", page)) == 1, "the first style sheet is written into the elements"
    assert not re.search(r"\{[{%#]", page)


def test_a_new_person_learns_how_to_get_a_password(told: World) -> None:
    told.english.user.set_unusable_password()
    told.english.user.save()
    for member in (told.english, told.dutch):
        member.refresh_from_db()
        notice_of_invitation(membership=Membership.objects.get(pk=member.pk))

    new, old = (Notice.objects.get(recipient=m.user) for m in (told.english, told.dutch))
    assert "Choose one before you log in: https://gage.club.example/accounts/password/" in flat(new)
    assert 'href="https://gage.club.example/accounts/password/"' in new.html
    assert "password" not in flat(old) and "password" not in read(old)


@pytest.mark.clause("G.IN1", "G.BT3")
def test_a_real_turns_email_names_every_ship_that_was_lost_or_taken(db: Any) -> None:
    campaign = first_turn_played()
    turn = campaign.turns.get(number=1)

    mail = Notice.objects.get(kind="turn_report", recipient__email="english@club.example")
    contacts = list(turn.contacts.select_related("battle"))
    count = "battle" if len(contacts) == 1 else f"{len(contacts)} battles"
    assert mail.subject == f"A small war, turn 1: {count} west of the Hinder Banks"
    taken = campaign.book.ships.exclude(fate="afloat") | campaign.book.ships.filter(prize=True)
    assert taken.exists(), "a battle that costs nothing shows nothing"
    section = flat(mail).partition("YOUR FLEETS")[0]
    for ship in taken:
        assert ship.name in section
    client = Client()
    client.force_login(mail.recipient)
    for contact in contacts:
        address = f"/c/{campaign.code}/battles/{contact.battle.code}/"
        assert address in mail.text and f'{address}"' in mail.html
        assert client.get(address).status_code == 200
