"""Putting notices into the outbox: rendered when they are written, so that sending needs nothing but the row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import css_inline
from django.conf import settings
from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.crypto import salted_hmac

from campaign.models import Campaign, Notice, Preferences
from campaign.notices.kinds import Kind

NOW, DIGEST, OFF = "now", "digest", "off"
MAIL, WEBHOOK = "email", "webhook"
REPLY_MARK = "⁂reply⁂"  # where a letter that many share takes up what one of them alone may answer with


class Reader(NamedTuple):
    """Somebody who is told of an event, with the context of his letter.

    Readers who may know the same have the same object as context: their letter is rendered once. It must hold nothing that is one
    reader's alone; his template of orders (see `campaign.services.mail.reply_forms`) is `reply`. calendar: an .ics file, or "".
    A context's `chart` has the picture that its HTML shows, see `campaign.chart_picture.chart_for`.
    """

    user: Any
    context: Mapping[str, Any]
    calendar: str = ""
    reply: Mapping[str, Any] | None = None


class Letter(NamedTuple):
    """A rendered notice. html: "" for plain text alone."""

    subject: str
    text: str
    html: str


def preferences_of(user: Any) -> Preferences:
    """A person's wishes; a row that is not saved for one who has none."""
    return Preferences.objects.filter(user=user).first() or Preferences(user=user)


def notice_write(
    *,
    campaign: Campaign,
    kind: Kind,
    event: str,
    user: Any,
    context: Mapping[str, Any],
    calendar: str = "",
    reply: Mapping[str, Any] | None = None,
) -> Notice | None:
    """One message to one person; see `notices_write`. The letter may speak of himself: `user` is in its context."""
    reader = Reader(user, {**context, "user": user}, calendar, reply)
    return notices_write(campaign=campaign, kind=kind, event=event, readers=[reader])[0]


def notices_write(
    *, campaign: Campaign, kind: Kind, event: str, readers: Sequence[Reader]
) -> list[Notice | None]:
    """One message to each reader by mail, and by his webhook if he has one; the same event to the same person twice is one row each.

    Call it inside the transaction that makes the event true. Text and HTML are rendered now, from what the reader may know, with
    times in their own time zone. Returns for each reader his mail, None when he has no address, or wants none of this kind.
    """
    wishes = _wishes([reader.user for reader in readers])
    rows = Notice.objects.filter(event=event)
    there = {(row.recipient_id, row.channel): row for row in rows if row.recipient_id is not None}
    desk = _Desk(campaign, kind)
    fresh: dict[tuple[int, str], Notice] = {}
    for reader in readers:
        wish = wishes[reader.user.pk]
        how = NOW if kind.always else wish.kinds.get(kind.stem, NOW)
        if how == OFF:
            continue
        for channel, address in _channels(reader.user, wish, how):
            key = (reader.user.pk, channel)
            if key not in there and key not in fresh:
                fresh[key] = desk.row(event, reader, wish, channel, address)
                fresh[key].status = Notice.Status.DIGEST if how == DIGEST else Notice.Status.WAITING
    _save(event, fresh)
    mails = {user: row for (user, channel), row in (*there.items(), *fresh.items()) if channel == MAIL}
    reached = {user for user, wish in wishes.items() if wish.bounced is None}
    return [
        mails.get(r.user.pk) if r.user.email and r.user.pk in reached and _wanted(kind, wishes[r.user.pk]) else None
        for r in readers
    ]  # fmt: skip


def _wanted(kind: Kind, wish: Preferences) -> bool:
    return kind.always or wish.kinds.get(kind.stem, NOW) != OFF


def _wishes(users: Sequence[Any]) -> dict[int, Preferences]:
    """Everybody's wishes, by the key of the person."""
    if len(users) == 1:
        return {users[0].pk: preferences_of(users[0])}
    kept = {row.user_id: row for row in Preferences.objects.filter(user__in=[user.pk for user in users])}
    return {user.pk: kept.get(user.pk) or Preferences(user=user) for user in users}


def _channels(user: Any, wish: Preferences, how: str) -> list[tuple[str, str]]:
    """By which channels somebody is told, and where."""
    channels = [(WEBHOOK, wish.webhook)] if wish.webhook and how == NOW else []
    return channels + ([(MAIL, user.email)] if user.email and wish.bounced is None else [])


def _save(event: str, fresh: Mapping[tuple[int, str], Notice]) -> None:
    if not fresh:
        return
    # a row that another process has written in the meantime stays as it is
    Notice.objects.bulk_create(fresh.values(), ignore_conflicts=True)
    keys = Notice.objects.filter(event=event).values_list("recipient", "channel", "pk")
    for user, channel, pk in keys:
        if (user, channel) in fresh:
            fresh[user, channel].pk = pk


class _Desk:
    """Where the letters of one event are written: each once for all who may read the same, by the same clock."""

    def __init__(self, campaign: Campaign, kind: Kind) -> None:
        self.campaign, self.kind = campaign, kind
        self._letters: dict[tuple[Any, ...], Letter] = {}

    def row(self, event: str, reader: Reader, wish: Preferences, channel: str, address: str) -> Notice:
        """The outbox row of a letter, not saved."""
        mail = channel == MAIL
        letter = self._letter(reader, wish.time_zone, page=mail and not wish.plain_text)
        return Notice(
            campaign=self.campaign,
            event=event,
            recipient=reader.user,
            channel=channel,
            kind=self.kind.stem,
            address=address,
            subject=letter.subject,
            text=letter.text,
            html=letter.html,
            calendar=reader.calendar if mail else "",
            picture=chart["picture"] if (chart := reader.context.get("chart")) and letter.html else None,
            message_id=message_id(event, reader.user.pk),
        )

    def _letter(self, reader: Reader, zone: str, *, page: bool) -> Letter:
        """A reader's letter: what all share, with his own template of orders in it."""
        key = (id(reader.context), zone, page, bool(reader.reply))
        if key not in self._letters:
            with timezone.override(ZoneInfo(zone)):
                self._letters[key] = rendered(
                    self.campaign, self.kind, reader.context, page=page, answered=bool(reader.reply)
                )
        shared = self._letters[key]
        return shared if reader.reply is None else with_reply(shared, reader.reply)


def rendered(
    campaign: Campaign, kind: Kind, context: Mapping[str, Any], *, page: bool = True, answered: bool = False
) -> Letter:
    """A letter of a kind by the present clock. page: with HTML. answered: with the mark at which `with_reply` puts a template."""
    full = {
        **context,
        "campaign": campaign,
        "site_url": settings.SITE_URL,
        "reply_mark": REPLY_MARK if answered else "",
    }
    stem = f"emails/{kind.stem}"
    subject = " ".join(render_to_string(f"{stem}-subject.txt", full).split())
    html = css_inline.inline(render_to_string(f"{stem}-body.html", full)) if page else ""
    return Letter(subject[:200], render_to_string(f"{stem}-body.txt", full).strip() + "\n", html)


def with_reply(letter: Letter, reply: Mapping[str, Any]) -> Letter:
    """A letter with a reader's template of orders where its mark is."""
    text = render_to_string("emails/_reply.txt", {"reply": reply}).strip()
    html = letter.html
    if html:
        part = render_to_string("emails/_reply.html", {"reply": reply})
        html = html.replace(REPLY_MARK, css_inline.inline_fragment(part, _style()))
    return Letter(letter.subject, letter.text.replace(REPLY_MARK, text), html)


@lru_cache(maxsize=1)
def _style() -> str:
    """The style sheet that is written into the elements of every mail."""
    return render_to_string("emails/_style.css")


def message_id(event: str, recipient: int) -> str:
    """The same for the same event and person, so that a mail sent twice is known as one.

    Signed: who can name it has had the mail, which is how a report that it came back is believed.
    """
    host = settings.SITE_URL.partition("://")[2].partition("/")[0].partition(":")[0]
    signed = salted_hmac("campaign.notices.message_id", f"{event}/{recipient}", algorithm="sha256")
    return f"<{signed.hexdigest()[:32]}@{host}>"


def unsent() -> QuerySet[Notice]:
    """Notices still to be sent, those that wait for another try among them; none that a rollback has withdrawn."""
    return Notice.objects.filter(status__in=(Notice.Status.WAITING, Notice.Status.SENDING), void="")
