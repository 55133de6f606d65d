"""Accounts and photographs of a battle at their limits: how long, how many, and which removals the umpire's log tells."""

from __future__ import annotations

import io
from typing import Any

import pytest
from PIL import Image

from battles.models import Battle
from campaign.models import BattlePaper, BattlePicture, Membership, UmpireAction
from campaign.services.battle import aftermath
from campaign.services.battle.aftermath import Upload
from tests.support.answers import answer_of
from tests.support.people import World, world
from tests.support.put_back import put_back

pytestmark = [pytest.mark.one_database, pytest.mark.clause("G.BT2", "G.UM1")]


@pytest.fixture
def told(db: Any) -> World:
    return world()


@pytest.fixture
def battle(told: World) -> Battle:
    return Battle.objects.get(code="telltale-T1-b01")


def uploads(*shades: int) -> list[Upload]:
    """Small pictures of one shade each."""
    found = []
    for shade in shades:
        sink = io.BytesIO()
        Image.new("RGB", (64, 48), (shade, 0, 0)).save(sink, "PNG")
        found.append(Upload(sink, f"{shade}.png", sink.tell()))
        sink.seek(0)
    return found


def kept(battle: Battle, member: Membership, count: int) -> list[BattlePicture]:
    """Photographs that are there already; no one looks at them."""
    return BattlePicture.objects.bulk_create(
        BattlePicture(
            battle=battle, membership=member, caption="", width=8, height=6, jpeg=b"", small=b"", digest=f"{member.pk}/{n}"
        )
        for n in range(count)
    )  # fmt: skip


def logged() -> list[tuple[str, str, str]]:
    rows = UmpireAction.objects.filter(action__contains="of a battle").order_by("pk")
    return list(rows.values_list("action", "turn", "reason"))


def test_an_account_has_up_to_20000_characters_and_the_last_one_counts(told: World, battle: Battle) -> None:
    mine = {"battle": battle, "membership": told.english, "kind": "account"}
    assert answer_of(aftermath.paper_write, **mine, text=f" {'x' * 20_000} ") == ""
    assert BattlePaper.objects.get().text == "x" * 20_000
    long = "The account has more than 20,000 characters. Shorten it."
    assert answer_of(aftermath.paper_write, **mine, text="y" * 20_001) == long
    assert BattlePaper.objects.get().text == "x" * 20_000
    aftermath.paper_write(**mine, text="We bore down.")
    assert BattlePaper.objects.get().text == "We bore down."
    aftermath.paper_write(**mine, text=" ")
    assert not BattlePaper.objects.exists()


def test_a_battle_has_room_for_24_photographs(told: World, battle: Battle) -> None:
    def add(count: int) -> tuple[str, int]:
        with put_back():
            said = answer_of(
                aftermath.pictures_add, battle=battle, membership=told.dutch, uploads=uploads(*range(0, 40 * count, 40)), caption=""
            )  # fmt: skip
            return said, BattlePicture.objects.count()

    full = "A battle has room for 24 photographs. {} more can be added."
    kept(battle, told.english, 22)
    assert add(2) == ("", 24) and add(3) == (full.format(2), 22)
    assert add(0) == ("Choose one photograph or more.", 22)
    kept(battle, told.dutch, 2)
    assert aftermath.pictures_left(battle) == 0
    assert add(1) == (full.format(0), 24)
    kept(battle, told.umpire, 1)
    assert add(1) == (full.format(0), 25), "an archive of another site may bring more"


def test_photographs_that_two_people_add_at_once_do_not_overfill_a_battle(
    told: World, battle: Battle, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = "A battle has room for 24 photographs. Others were added since you opened the page."
    real = aftermath.photograph
    for others, said, count in ((22, "", 24), (23, late, 23)):

        def slow(*args: Any, others: int = others, **more: Any) -> Any:
            if not BattlePicture.objects.exists():
                kept(battle, told.english, others)
            return real(*args, **more)

        with put_back():
            monkeypatch.setattr(aftermath, "photograph", slow)
            mine = {"battle": battle, "membership": told.dutch, "caption": ""}
            assert answer_of(aftermath.pictures_add, **mine, uploads=uploads(40, 80)) == said
            assert BattlePicture.objects.count() == count


def test_a_caption_has_up_to_200_characters_and_the_same_photograph_is_kept_once(
    told: World, battle: Battle
) -> None:
    mine = {"battle": battle, "membership": told.english, "caption": f"{'c' * 200}d"}
    assert aftermath.pictures_add(**mine, uploads=uploads(40, 80)) == 2
    assert {row.caption for row in BattlePicture.objects.all()} == {"c" * 200}
    assert aftermath.pictures_add(**mine, uploads=uploads(80, 120)) == 1
    assert BattlePicture.objects.count() == 3


def test_the_log_tells_what_the_umpire_removes_of_others_and_nothing_else(
    told: World, battle: Battle
) -> None:
    paper = BattlePaper.objects.create(battle=battle, membership=told.dutch, kind="account", text="x")
    for pk in (paper.pk + 1, paper.pk, paper.pk):
        aftermath.paper_strike(battle=battle, umpire=told.umpire, pk=pk)
    assert not BattlePaper.objects.exists()
    row = ("telltale/1", battle.title)
    assert logged() == [("removed an account of a battle", *row)]
    (his,), (theirs, other) = kept(battle, told.umpire, 1), kept(battle, told.dutch, 2)

    def remove(member: Membership, picture: BattlePicture) -> bool:
        return aftermath.picture_remove(battle=battle, membership=member, pk=picture.pk)

    assert not remove(told.english, theirs) and remove(told.dutch, other) and not remove(told.dutch, other)
    assert remove(told.umpire, his) and len(logged()) == 1
    assert remove(told.umpire, theirs) and not remove(told.umpire, theirs)
    assert logged()[1:] == [("removed a photograph of a battle", *row)]


def test_publishing_a_photograph_twice_is_reported_once(told: World, battle: Battle) -> None:
    (picture,) = kept(battle, told.english, 1)
    for published in (True, True, False, False):
        aftermath.picture_publish(battle=battle, umpire=told.umpire, pk=picture.pk, published=published)
        picture.refresh_from_db()
        assert picture.published is published
    assert [action for action, _, _ in logged()] == [
        "published a photograph of a battle", "made a photograph of a battle private",
    ]  # fmt: skip
