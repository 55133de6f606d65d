"""Email previews: of the present state or of an example, in full text and HTML, without a row."""

from __future__ import annotations

import html
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.core import mail as outbox
from django.urls import reverse

from battles.models import Battle, BattleOutcome
from campaign.mail_examples import EXAMPLES, Preview, preview, readers
from campaign.models import Campaign, ChartPicture, Membership, Notice, Preferences
from campaign.notices.kinds import KINDS, Kind
from campaign.services.mail.reminders import reminders_write
from tests.campaign.services.conftest import start
from tests.support.people import DUTCH, ENGLISH, World, world

pytestmark = pytest.mark.one_database

SITE = "https://gage.club.example"
STEMS = [kind.stem for kind in KINDS]


def kind_of(stem: str) -> Kind:
    """A kind by its stem."""
    return next(kind for kind in KINDS if kind.stem == stem)


@pytest.fixture
def told(db: Any, settings: Any) -> World:
    """The tell-tale campaign, its second turn open."""
    settings.SITE_URL = SITE
    return world()


def rows() -> tuple[int, ...]:
    """How many rows there are of what a mail leaves behind."""
    return tuple(model.objects.count() for model in (Notice, ChartPicture, Preferences, BattleOutcome))


def looked_over(kind: Kind, found: Preview) -> None:
    """What holds of every mail."""
    letter = found.letter
    assert letter.subject.strip() and "\n" not in letter.subject and len(letter.subject) <= 200
    read = html.unescape(re.sub(r"<style\b.*?</style>|<[^>]+>", " ", letter.html, flags=re.DOTALL))
    for part in (letter.subject, letter.text, read):
        assert part.strip()
        for broken in ("{{", "{%", "{#", "None", "&amp;", "&#x27;", "⁂", "  ,", " ."):
            assert broken not in (part if part is not read else " ".join(part.split()).replace(" .", ".")), (
                broken
            )
    assert re.search(r'<html lang="en-GB">', letter.html) and re.search(r"<title>[^<]+</title>", letter.html)
    links = re.findall(r'href="([^"]*)"', letter.html)
    assert links and all(link.startswith(f"{SITE}/") for link in links)
    assert not re.search(r"(?<![\w.])/c/[a-z]", letter.text), "an address in the text is whole"
    assert all(
        source.startswith("data:image/png") for source in re.findall(r'src="([^"]{1,20})', letter.html)
    )
    assert not re.search(r"\b1 (ships|men|fleets|messages|days|hours)\b", letter.text + read)


@pytest.mark.parametrize("stem", STEMS)
def test_each_kind_has_its_templates_and_an_example(stem: str) -> None:
    folder = Path(django_settings.BASE_DIR) / "templates" / "emails"
    for part in ("subject.txt", "body.txt", "body.html"):
        assert (folder / f"{stem}-{part}").is_file()
    assert stem in EXAMPLES
    assert len(stem) <= Notice._meta.get_field("kind").max_length


@pytest.mark.parametrize("stem", STEMS)
def test_each_kind_is_shown_in_full_to_each_of_its_readers_and_writes_nothing(told: World, stem: str) -> None:
    before, kind = rows(), kind_of(stem)

    found = {
        member.user.username: preview(told.campaign, kind, member) for member in readers(told.campaign, kind)
    }

    assert found
    for one in found.values():
        looked_over(kind, one)
    assert rows() == before and not outbox.outbox


@pytest.mark.parametrize("stem", STEMS)
def test_a_new_campaign_has_examples_that_say_so(db: Any, settings: Any, stem: str) -> None:
    settings.SITE_URL = SITE
    campaign, kind = start(), kind_of(stem)

    for member in readers(campaign, kind):
        looked_over(kind, preview(campaign, kind, member))
    campaign.turns.all().delete()
    for member in readers(campaign, kind):
        looked_over(kind, preview(campaign, kind, member))


@pytest.mark.clause("G.IN1", "G.IN4")
@pytest.mark.parametrize("stem", STEMS)
def test_no_preview_tells_a_reader_more_than_the_real_email(told: World, stem: str) -> None:
    kind = kind_of(stem)
    for member in readers(told.campaign, kind):
        letter = preview(told.campaign, kind, member).letter
        for own, other in ((told.english, DUTCH), (told.dutch, ENGLISH), (told.observer, DUTCH)):
            if member.pk == own.pk:
                assert other not in letter.subject + letter.text + letter.html


def test_times_are_in_the_chosen_readers_time_zone(told: World) -> None:
    told.turn.deadline = datetime(2026, 7, 3, 19, 0, tzinfo=UTC)
    told.turn.save()
    Preferences.objects.create(user=told.dutch.user, time_zone="Europe/Amsterdam")

    english, dutch = (preview(told.campaign, kind_of("deadline"), m) for m in (told.english, told.dutch))

    assert "Fri 3 Jul 2026, 19:00 UTC" in english.letter.text
    assert "Fri 3 Jul 2026, 21:00 CEST" in dutch.letter.text


def test_the_present_state_is_shown_where_there_is_one(told: World) -> None:
    report = preview(told.campaign, kind_of("turn_report"), told.english)
    assert report.invented == "" and "battle off the Galloper" in report.letter.subject
    assert "data:image/png;base64," in report.letter.html

    assert preview(told.campaign, kind_of("battle_awaits"), told.english).invented
    Battle.objects.filter(code="telltale-T1-b01").update(
        route="table", status="ready", title="Battle off the Galloper"
    )
    awaits = preview(told.campaign, kind_of("battle_awaits"), told.english)
    assert awaits.invented == "" and "is to be fought on the tabletop" in awaits.letter.subject

    battle = Battle.objects.get(code="telltale-T1-b01")
    outcome = BattleOutcome.objects.create(
        battle=battle, document={}, side="NLD", proposed=datetime(2026, 7, 1, tzinfo=UTC)
    )
    confirm = preview(told.campaign, kind_of("battle_awaits"), told.english)
    assert confirm.invented == "" and "The Dutch Republic has proposed a result." in confirm.letter.text

    outcome.status = "disputed"
    outcome.save()
    outcome.answers.create(version=1, side="ENG", by="english", answer="disputed", reason="Too many hits.")
    disputed = preview(told.campaign, kind_of("result_disputed"), told.umpire)
    assert disputed.invented == "" and "Too many hits." in disputed.letter.text


def test_a_reminder_names_the_fleets_whose_orders_are_really_missing(told: World) -> None:
    told.turn.orders.filter(fleet=told.english_fleet).update(source="standing")
    told.turn.deadline = datetime(2026, 7, 3, 19, 0, tzinfo=UTC)
    told.turn.save()
    told.turn.ready_marks.all().delete()
    type(told.turn).objects.filter(pk=told.turn.pk).update(opened=datetime(2026, 6, 30, 19, 0, tzinfo=UTC))

    shown = preview(told.campaign, kind_of("reminder"), told.english)
    reminders_write(datetime(2026, 7, 3, 1, 0, tzinfo=UTC))

    assert shown.invented == ""
    assert shown.letter.text == Notice.objects.get(recipient=told.english.user).text


def test_an_example_holds_no_token_that_gives_orders(told: World, settings: Any) -> None:
    settings.REPLY_TO = "Orders <orders@gage.club.example>"

    letter = preview(told.campaign, kind_of("turn_report"), told.english).letter

    assert "Reply token: WG-0-0-example" in letter.text
    assert not re.search(r"WG-[1-9]", letter.text + letter.html)


# --- the pages ------------------------------------------------------------------------------------------


def page(told: World, person: str, name: str, *args: str, **query: Any) -> Any:
    return told.client(person).get(reverse(name, args=["telltale", *args]), query)


def test_the_umpire_finds_every_kind_and_when_it_is_written(told: World) -> None:
    assert reverse("mail_kinds", args=["telltale"]) in page(told, "umpire", "mailbox").content.decode()
    shown = page(told, "umpire", "mail_kinds").content.decode()
    for kind in KINDS:
        assert reverse("mail_kind", args=["telltale", kind.stem]) in shown
        assert html.escape(kind.when[1:]) in shown


@pytest.mark.parametrize("stem", STEMS)
def test_each_kinds_page_shows_subject_text_and_the_email_in_a_frame(told: World, stem: str) -> None:
    chosen = readers(told.campaign, kind_of(stem))[-1]

    answer = page(told, "umpire", "mail_kind", stem, reader=chosen.pk)
    letter = page(told, "umpire", "mail_kind_letter", stem, reader=chosen.pk)

    shown = answer.content.decode()
    subject = preview(told.campaign, kind_of(stem), chosen).letter.subject
    assert html.escape(subject) in shown and "sandbox" in shown
    assert html.escape(f"{reverse('mail_kind_letter', args=['telltale', stem])}?reader={chosen.pk}") in shown
    assert "<title>" in letter.content.decode()
    policy = letter["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "style-src 'unsafe-inline'" in policy and "script" not in policy
    assert letter["X-Frame-Options"] == "SAMEORIGIN" and "frame-ancestors 'self'" in policy
    assert "unsafe-inline" not in answer["Content-Security-Policy"]


@pytest.mark.clause("G.IN1")
def test_only_the_umpire_sees_these_pages(told: World) -> None:
    for name, args in (("mail_kinds", ()), ("mail_kind", ("word",)), ("mail_kind_letter", ("word",))):
        assert page(told, "umpire", name, *args).status_code == 200
        for person in ("english", "dutch", "observer", "stranger"):
            assert page(told, person, name, *args).status_code == 404
        assert page(told, "anonymous", name, *args).status_code == 302
    assert "Email previews" not in page(told, "english", "mailbox").content.decode()


def test_an_unknown_kind_or_reader_is_not_found(told: World) -> None:
    assert page(told, "umpire", "mail_kind", "gossip").status_code == 404
    for reader in ("x", "0", str(told.umpire.pk)):
        assert page(told, "umpire", "mail_kind", "turn_report", reader=reader).status_code == 404


def test_a_campaign_without_admirals_says_that_no_one_gets_it(told: World) -> None:
    Membership.objects.filter(role="admiral").delete()
    assert (
        "No one in this campaign gets emails of this kind yet."
        in page(told, "umpire", "mail_kind", "turn_report").content.decode()
    )
    assert page(told, "umpire", "mail_kind_letter", "turn_report").status_code == 404
    assert Campaign.objects.exists()
