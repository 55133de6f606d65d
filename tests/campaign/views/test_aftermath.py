"""A tabletop battle told: losses and ships as each may know them, accounts, notes and photographs, and who sees them."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from PIL import Image

from battles.models import Battle
from campaign.models import BattlePaper, BattlePicture, Campaign, PublicPage, UmpireAction
from campaign.services.battle.aftermath import MOST_PICTURES
from campaign.views.battle_questions import result_stamp
from tests.campaign.views.test_results import TAKEN, browser, on_the_table, page, propose
from tests.support.turns import turn_closes

pytestmark = [pytest.mark.one_database, pytest.mark.clause("G.IN1", "G.BT2")]


@pytest.fixture
def table(db: Any) -> Campaign:
    return on_the_table()


@pytest.fixture
def battle(table: Campaign) -> Battle:
    return Battle.objects.get(book=table.book)


def file(shade: int = 0, name: str = "deck.png") -> SimpleUploadedFile:
    """A picture of one shade."""
    sink = io.BytesIO()
    Image.new("RGB", (64, 48), (shade, 0, 0)).save(sink, "PNG")
    return SimpleUploadedFile(name, sink.getvalue(), "image/png")


def add(client: Client, battle: Battle, *files: SimpleUploadedFile, caption: str = "") -> Any:
    return client.post(page(battle, "battle_papers"), {"act": "add", "pictures": files, "caption": caption})


def told(client: Client, battle: Battle) -> str:
    return client.get(page(battle, "battle")).content.decode()


def accepted(table: Campaign, battle: Battle) -> None:
    """A result that both sides have: Bristol hurt, Dragon taken, and its captain killed."""
    propose(browser(table, "umpire"), battle, **TAKEN, **{"ENG003-captain": "killed"})
    reasoned = {"act": "accept", "reason": "both agree", "sure": result_stamp(battle)}
    assert browser(table, "umpire").post(page(battle), reasoned).status_code == 302


def test_an_accepted_result_is_told_at_once_to_each_side_as_far_as_it_may_know(
    table: Campaign, battle: Battle
) -> None:
    assert "The fleets are engaged" in told(browser(table, "english"), battle)
    accepted(table, battle)
    shown = {who: told(browser(table, who), battle) for who in ("english", "dutch", "umpire")}
    for text in shown.values():
        assert "The fleets are engaged" not in text and "applied when the next turn runs" in text
        assert "held the field" in text and "lost 1 of its 4 ships" in text
        assert "taken by Eendracht" in text
    for who in ("english", "umpire"):
        assert re.search(r"afloat, hull \d\d%", shown[who]) and "Capt Dragon" in shown[who]
    assert "afloat, hull" not in shown["dutch"] and "still afloat" in shown["dutch"]
    assert "Capt Dragon" not in shown["dutch"]
    turn_closes(table.turns.get(number=2))
    later = told(browser(table, "dutch"), battle)
    assert "applied when the next turn runs" not in later and "lost 1 of its 4 ships" in later


def test_people_who_did_not_fight_there_neither_read_nor_write(table: Campaign, battle: Battle) -> None:
    accepted(table, battle)
    assert add(browser(table, "english"), battle, file()).status_code == 302
    picture = BattlePicture.objects.get()
    address = reverse("battle_picture", args=["table", battle.code, picture.pk])
    for person in ("french", "observer", "stranger"):
        client = browser(table, person)
        assert client.get(page(battle, "battle")).status_code == 404
        assert client.get(address).status_code == 404
        for act in ("write", "add", f"remove:{picture.pk}", f"publish:{picture.pk}"):
            assert client.post(page(battle, "battle_papers"), {"act": act, "account": "x"}).status_code == 404
    anonymous = browser(table, "anonymous")
    assert (
        anonymous.get(address).status_code == anonymous.post(page(battle, "battle_papers")).status_code == 302
    )
    for person in ("english", "dutch", "umpire"):
        assert browser(table, person).get(address)["Content-Type"] == "image/jpeg"
    assert not BattlePaper.objects.exists() and not BattlePicture.objects.get().published


def test_a_battle_report_is_for_both_sides_and_a_note_only_for_the_side_of_its_writer(
    table: Campaign, battle: Battle
) -> None:
    english, dutch = browser(table, "english"), browser(table, "dutch")
    words = {"act": "write", "account": "We held <b>the line</b>.", "note": "Their van is weak."}
    assert english.post(page(battle, "battle_papers"), words).url.endswith("#papers")
    assert "We held &lt;b&gt;the line" in told(dutch, battle) and "Their van is weak" not in told(
        dutch, battle
    )
    assert "Their van is weak" in told(english, battle) and "Their van is weak" in told(
        browser(table, "umpire"), battle
    )
    too_long = dutch.post(page(battle, "battle_papers"), {"act": "write", "account": "x" * 20_001})
    assert too_long.status_code == 422 and "more than 20,000 characters" in too_long.content.decode()
    english.post(page(battle, "battle_papers"), {**words, "note": " "})
    assert [paper.kind for paper in BattlePaper.objects.all()] == ["account"]
    strike = {"act": f"strike:{BattlePaper.objects.get().pk}"}
    assert dutch.post(page(battle, "battle_papers"), strike).status_code == 404
    question = browser(table, "umpire").post(page(battle, "battle_papers"), strike).content.decode()
    assert "Remove this account?" in question and BattlePaper.objects.exists()
    browser(table, "umpire").post(page(battle, "battle_papers"), {**strike, "sure": "1"})
    assert not BattlePaper.objects.exists()
    assert UmpireAction.objects.filter(action="removed an account of a battle").count() == 1


def test_only_the_umpire_publishes_a_photograph_and_then_everyone_with_its_address_sees_it(
    table: Campaign, battle: Battle
) -> None:
    english, umpire = browser(table, "english"), browser(table, "umpire")
    add(english, battle, file(), caption="Breaking the line")
    picture = BattlePicture.objects.get()
    address = reverse("battle_picture", args=["table", battle.code, picture.pk])
    papers = page(battle, "battle_papers")
    assert english.post(papers, {"act": f"publish:{picture.pk}"}).status_code == 404
    assert umpire.post(papers, {"act": f"publish:{picture.pk}"}).status_code == 302
    for person in ("anonymous", "stranger", "french"):
        assert browser(table, person).get(address).status_code == 200
        assert browser(table, person).get(
            f"/c/other/battles/{battle.code}/pictures/{picture.pk}.jpg"
        ).status_code in (302, 404)
    umpire.post(papers, {"act": f"withdraw:{picture.pk}"})
    assert browser(table, "stranger").get(address).status_code == 404
    logged = UmpireAction.objects.filter(action__contains="photograph").order_by("pk")
    assert list(logged.values_list("action", flat=True)) == [
        "published a photograph of a battle",
        "made a photograph of a battle private",
    ]
    shown = english.get(address)
    again = english.get(address, headers={"If-None-Match": shown["ETag"]})
    assert (
        again.status_code == 304
        and "no-cache" in shown["Cache-Control"]
        and "private" in shown["Cache-Control"]
    )
    assert len(english.get(f"{address}?small=1").content) > 0


def test_photographs_are_bounded_kept_once_and_removed_by_their_owner(
    table: Campaign, battle: Battle
) -> None:
    english, dutch = browser(table, "english"), browser(table, "dutch")
    add(english, battle, file(1), file(2))
    add(english, battle, file(1))
    assert BattlePicture.objects.count() == 2
    wrong = add(
        english,
        battle,
        file(3),
        SimpleUploadedFile("notes.txt", b"hello"),
        SimpleUploadedFile("x.png", b"\x89PNG"),
    )
    text = wrong.content.decode()
    assert (
        wrong.status_code == 422 and "notes.txt is not a picture" in text and "x.png is not a picture" in text
    )
    assert BattlePicture.objects.count() == 2, "all of them or none"
    over = add(english, battle, *(file(n) for n in range(10, 10 + MOST_PICTURES)))
    assert "22 more can be added" in over.content.decode()
    assert "Choose one photograph or more" in add(english, battle).content.decode()
    one = BattlePicture.objects.first()
    remove = {"act": f"remove:{one.pk}"}
    question = english.post(page(battle, "battle_papers"), remove).content.decode()
    assert "Remove this photograph?" in question and BattlePicture.objects.count() == 2
    assert dutch.post(page(battle, "battle_papers"), {**remove, "sure": "1"}).status_code == 404
    english.post(page(battle, "battle_papers"), {**remove, "sure": "1"})
    assert BattlePicture.objects.count() == 1


def test_the_list_of_photographs_opens_none_of_them(table: Campaign, battle: Battle) -> None:
    english = browser(table, "english")
    add(english, battle, *(file(n) for n in range(4)))
    with CaptureQueriesContext(connection) as found:
        told(english, battle)
    pictures = [row["sql"] for row in found.captured_queries if "battlepicture" in row["sql"].lower()]
    assert len(pictures) == 1 and '"jpeg"' not in pictures[0] and '"small"' not in pictures[0]


@pytest.mark.clause("G.FA1")
def test_dice_thrown_at_the_table_stay_secret_to_their_sides_when_the_dice_of_the_battle_are_public(
    table: Campaign, battle: Battle
) -> None:
    english, observer = browser(table, "english"), browser(table, "observer")
    accepted(table, battle)
    add(english, battle, file(1), caption="The van")
    add(english, battle, file(2), caption="The rear")
    english.post(
        page(battle, "battle_papers"), {"act": "write", "account": "We bore down.", "note": "Aim low."}
    )
    BattlePicture.objects.filter(caption="The van").update(published=True)
    Campaign.objects.update(settings={**table.settings, "secrets_after": 0})
    PublicPage.objects.create(campaign=table, open=True)
    turn_closes(table.turns.get(number=2))
    outside = Client().get(reverse("public_battle", args=["table", battle.code]))
    for shown in (told(observer, battle), outside.content.decode()):
        assert "lost 1 of its 4 ships" in shown and "still afloat" in shown and "The van" in shown
        secrets = ("afloat, hull", "Capt Dragon", "We bore down", "Aim low", "The rear", "Write or add")
        assert not [secret for secret in secrets if secret in shown]
    assert (
        "english"
        not in outside.content.decode().split("Account and photographs")[1].split("Ships at the end")[0]
    )
    for name in ("battle_result", "battle_print"):
        assert observer.get(page(battle, name)).status_code == 404
    for act in ("write", "add", "keep"):
        assert observer.post(page(battle, "battle_papers"), {"act": act}).status_code == 404
        assert observer.post(page(battle), {"act": act}).status_code == 404
    hidden = BattlePicture.objects.get(caption="The rear")
    assert observer.get(reverse("battle_picture", args=["table", battle.code, hidden.pk])).status_code == 404
