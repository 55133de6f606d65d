"""Bounced emails: how a mail server's report is read, and what it does to notice, address and log."""

from __future__ import annotations

import base64
import quopri
from typing import Any

import pytest

from campaign.models import Notice, Preferences, UmpireAction
from campaign.notices.bounces import bounce_in
from campaign.notices.raw_mail import BadMail
from campaign.notices.write import message_id
from campaign.services.mail.replies import Outcome, mail_take
from tests.support.factories import NoticeFactory, UserFactory

OURS = "<0123456789abcdef0123456789abcdef@gage.example>"
NOBODY = "smtp; 550 5.1.1 <ben@club.example>: Recipient address rejected: User unknown"


def report(
    diagnostic: str = NOBODY,
    *,
    status: str = "5.1.1",
    action: str = "failed",
    ours: str = OURS,
    whole: bool = True,
) -> bytes:
    """A report as Postfix writes it; whole: with the mail that came back, else with its headers alone, as others do."""
    kind = "message/rfc822" if whole else "text/rfc822-headers"
    body = "\r\n\r\nStance: avoid\r\nReply token: WG-1-1-aaaaaaaaaaaaaaaa" if whole else ""
    said = f"Diagnostic-Code: {diagnostic}\r\n" if diagnostic else ""
    return (
        "Return-Path: <>\r\nFrom: MAILER-DAEMON@mx.example (Mail Delivery System)\r\nTo: gage@club.example\r\n"
        "Subject: Undelivered Mail Returned to Sender\r\nAuto-Submitted: auto-replied\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="B"\r\n\r\n'
        "--B\r\nContent-Type: text/plain\r\n\r\nThis is the mail system at host mx.example.\r\n\r\n"
        "--B\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example\r\n\r\n"
        f"Final-Recipient: rfc822; ben@club.example\r\nAction: {action}\r\nStatus: {status}\r\n{said}\r\n"
        f"--B\r\nContent-Type: {kind}\r\n\r\nMessage-ID: {ours}\r\nSubject: Turn 1{body}\r\n\r\n--B--\r\n"
    ).encode()


@pytest.mark.parametrize("whole", [True, False])
def test_a_report_names_the_email_and_what_the_server_said(whole: bool) -> None:
    found = bounce_in(report(whole=whole))
    assert found is not None
    assert (found.message_id, found.dead) == (OURS, True)
    assert found.words == f"bounced: {NOBODY}"


@pytest.mark.parametrize(
    ("diagnostic", "status", "dead"),
    [
        (NOBODY, "5.0.0", True),
        ("smtp; 550 no such user", "5.0.0", True),
        ("smtp;550 5.2.2 Mailbox full", "5.2.2", False),
        ("smtp; 550 5.7.1 Your mail looks like spam", "5.7.1", False),
        ("smtp; 552 too large", "5.3.4", False),
        ("X-Postfix; Host or domain name not found", "5.4.4", False),
        ("smtp; 451 4.4.7 expired", "4.4.7", False),
        ("", "5.1.1", True),
        ("", "5.2.1", True),
        ("", "5.0.0", False),
    ],
)
def test_only_an_address_that_does_not_exist_is_dead(diagnostic: str, status: str, dead: bool) -> None:
    found = bounce_in(report(diagnostic, status=status))
    assert found is not None and found.dead is dead


@pytest.mark.parametrize(
    "raw",
    [
        report(action="delayed"),
        report(action="delivered"),
        report().replace(b"multipart/report", b"multipart/mixed"),
        report().replace(b"Message-ID", b"X-Other-ID"),
        report()[:500],
        b"From: ann@club.example\r\n\r\nStance: avoid\r\n",
        b"Content-Type: multipart/report\r\n\r\n\xff\xfe",
        b"",
    ],
    ids=["delayed", "delivered", "no-report", "names-none", "cut-off", "a-reply", "junk", "nothing"],
)
def test_nothing_else_is_a_bounced_email(raw: bytes) -> None:
    assert bounce_in(raw) is None


@pytest.fixture
def sent(db: Any) -> Notice:
    """A mail to Ben that a server took."""
    ben = UserFactory(username="ben")
    made: Notice = NoticeFactory(
        recipient=ben, status="sent", event="e", message_id=message_id("e", ben.pk), attempts=1
    )
    return made


def states(notice: Notice) -> tuple[str, bool, int]:
    """Its status, whether Ben's address is marked, and how many lines the log has."""
    notice.refresh_from_db()
    dead = Preferences.objects.filter(bounced__isnull=False, user=notice.recipient).exists()
    return notice.status, dead, UmpireAction.objects.count()


def test_a_bounced_email_has_failed_and_its_address_is_marked_once(sent: Notice) -> None:
    for _ in range(2):
        assert mail_take(raw=report(ours=sent.message_id)) is Outcome.BOUNCED
        assert states(sent) == ("failed", True, 1)

    assert sent.error == f"bounced: {NOBODY}"
    entry = UmpireAction.objects.get()
    assert (entry.campaign, entry.action) == (sent.campaign, "marked an address as dead")
    assert "ben@" not in entry.reason
    assert Notice.objects.count() == 1, "a report is answered by nobody"


def test_a_full_mailbox_is_a_failure_but_not_a_dead_address(sent: Notice) -> None:
    full = report("smtp; 552 5.2.2 Mailbox full", status="5.2.2", ours=sent.message_id)
    assert mail_take(raw=full) is Outcome.BOUNCED
    assert states(sent) == ("failed", False, 0)


def test_a_person_who_has_changed_address_since_is_not_marked(sent: Notice) -> None:
    sent.recipient.email = "ben@new.example"
    sent.recipient.save()
    assert mail_take(raw=report(ours=sent.message_id)) is Outcome.BOUNCED
    assert states(sent) == ("failed", False, 0)


def test_a_report_that_names_none_of_our_emails_is_not_believed(sent: Notice) -> None:
    """A rival can compute nothing: the name of a mail is signed with the server's key."""
    assert mail_take(raw=report(ours=OURS)) is Outcome.IGNORED
    assert states(sent) == ("sent", False, 0)
    assert sent.message_id != OURS


def test_an_unreadable_report_is_checked_only_where_it_names_one_of_our_emails(sent: Notice) -> None:
    """Whoever can name one has had it; a stranger's report is not even taken apart."""
    broken = b"Content-Type: message/rfc822\r\n\r\n" * 2_000
    for raw in (report(ours=sent.message_id), report(ours=OURS)):
        deep = raw.replace(b"--B\r\nContent-Type: text/plain\r\n", b"--B\r\n" + broken, 1)
        if sent.message_id.encode() in raw:
            with pytest.raises(BadMail):
                mail_take(raw=deep)
        else:
            assert mail_take(raw=deep) is Outcome.IGNORED
    assert states(sent) == ("sent", False, 0)


@pytest.mark.parametrize("encoding", ["quoted-printable", "base64"])
def test_the_name_of_a_bounced_email_is_found_in_any_encoding(sent: Notice, encoding: str) -> None:
    headers = f"Subject: Turn 1\r\nMessage-ID: {sent.message_id}\r\n".encode()
    coded = quopri.encodestring(headers) if encoding == "quoted-printable" else base64.encodebytes(headers)
    raw = report(ours=OURS, whole=False)
    before, _, _ = raw.partition(b"Content-Type: text/rfc822-headers")
    part = f"Content-Type: text/rfc822-headers\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n".encode()
    assert mail_take(raw=before + part + coded + b"\r\n--B--\r\n") is Outcome.BOUNCED
    assert states(sent) == ("failed", True, 1)


def test_an_email_that_is_being_resent_is_left_alone(sent: Notice) -> None:
    Notice.objects.filter(pk=sent.pk).update(status="waiting")
    assert mail_take(raw=report(ours=sent.message_id)) is Outcome.BOUNCED
    assert states(sent) == ("waiting", False, 0)


def test_message_ids_depend_on_the_servers_key(settings: Any) -> None:
    before = message_id("NS66-T2-report", 7)
    assert before == message_id("NS66-T2-report", 7) != message_id("NS66-T2-report", 8)
    settings.SECRET_KEY = "another one"
    assert message_id("NS66-T2-report", 7) != before
