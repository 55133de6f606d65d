"""The four kinds of mail, in text and in HTML."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.core import mail

from campaign.models import Notice, Turn
from campaign.notices.kinds import KINDS
from campaign.notices.send import notice_send
from campaign.services.notices import notice_of_invitation, notices_for_closed_turn, notices_for_opened_turn
from tests.support.people import DUTCH, ENGLISH, World, world

DEADLINE = datetime(2026, 11, 24, 20, 0, tzinfo=UTC)


@pytest.fixture
def told(db: Any) -> World:
    """A campaign with every kind of notice in its outbox."""
    made = world()
    Turn.objects.filter(pk=made.turn.pk).update(deadline=DEADLINE)
    made.turn.refresh_from_db()
    notices_for_closed_turn(turn=made.closed, following=made.turn)
    made.turn.number = 1
    notices_for_opened_turn(turn=made.turn)
    made.english.user.set_unusable_password()
    notice_of_invitation(membership=made.english)
    return made


def of_kind(told: World, kind: str, person: str = "english") -> Notice:
    """A person's notice of a kind."""
    return Notice.objects.get(kind=kind, recipient=getattr(told, person).user)


def test_every_kind_is_written_whole(told: World) -> None:
    assert {kind.stem for kind in KINDS} == set(Notice.objects.values_list("kind", flat=True))
    for notice in Notice.objects.all():
        assert notice.subject
        assert "\n" not in notice.subject
        assert notice.text.strip()
        assert notice.html.lstrip().startswith("<!")
        for broken in ("{{", "{%", "None", "&#x27;", "&amp;"):
            assert broken not in notice.text
        assert "{{" not in notice.html


def test_the_report_tells_what_happened_who_is_where_and_when_orders_close(told: World) -> None:
    notice = of_kind(told, "turn_report")
    assert notice.subject == "Tell-tale war, turn 1: battle off the Galloper"
    assert "Contact 1: 10–19 sail, ships of the line among them" in notice.text
    for words in (
        "Report to England", f"Fleet {ENGLISH} gets under way", "31 May 1666", "night ended it", f"Ship {ENGLISH} 00",
        "1200 men", "At the Nore", "Tue 24 Nov 2026, 20:00 UTC", f"/c/telltale/fleets/{ENGLISH}-f/orders/",
        "/c/telltale/turns/1/", "/c/telltale/battles/telltale-T1-b01/",
    ):  # fmt: skip
        assert words in notice.text, words
        assert words in notice.html, words


def test_mail_html_stands_by_itself(told: World) -> None:
    for notice in Notice.objects.all():
        for outside in ("<img", "<script", "<link", "url("):
            assert outside not in notice.html
        assert 'style="' in notice.html  # inlined for clients that drop the head


def test_the_umpire_is_told_of_every_side(told: World) -> None:
    notice = of_kind(told, "umpire_report", "umpire")
    for tale in (ENGLISH, DUTCH):
        assert f"Fleet {tale}" in notice.text
        assert f"Fleet {tale}" in notice.html
    assert "For your eyes alone" in notice.text


def test_the_first_turns_opening_names_the_deadline(told: World) -> None:
    notice = of_kind(told, "turn_opened")
    assert "turn 1 is open" in notice.subject
    for body in (notice.text, notice.html):
        assert "2 June 1666, 06:00" in body
        assert "Tue 24 Nov 2026, 20:00 UTC" in body


def test_an_invitation_says_what_one_commands_and_how_to_get_in(told: World) -> None:
    notice = of_kind(told, "invitation")
    assert notice.subject == "Tell-tale war: you are an admiral of England"
    for body in (notice.text, notice.html):
        assert "commander in chief of" in body
        assert "has no password yet" in body
        assert "/c/telltale/" in body


def test_a_sent_mail_has_both_bodies(told: World) -> None:
    notice = of_kind(told, "turn_report")
    assert notice_send(notice_id=notice.pk)
    (sent,) = mail.outbox
    assert sent.body == notice.text
    assert sent.alternatives[0].content == notice.html
