"""Who is notified of what when a turn opens, closes or fails; and how a turn is played to its end in one process."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from battles import leases
from battles.models import Battle
from campaign.models import Campaign, Command, Notice, Turn
from campaign.services.mail import notices
from campaign.services.mail.notices import (
    notices_for_closed_turn,
    notices_for_opened_turn,
    notices_of_failure,
    word_to_all,
    word_to_members,
    word_to_sides,
    word_to_umpires,
)
from campaign.services.turn import playing
from campaign.services.turn.playing import TurnFailed, turn_play, turn_play_by_workers
from campaign.services.turn.preview import turn_preview
from campaign.services.umpire_log import UmpireRefused
from tests.support.answers import flawless
from tests.support.factories import BattleFactory, MembershipFactory, UserFactory
from tests.support.people import World, world
from tests.support.put_back import put_back
from tests.support.turns import turn_change

pytestmark = pytest.mark.one_database

Phase = Turn.Phase


@pytest.fixture
def told(db: Any) -> World:
    made = world()
    Turn.objects.filter(pk=made.turn.pk).update(deadline="2026-07-03T19:00Z")
    made.turn.refresh_from_db()
    return made


def heard(**which: Any) -> set[tuple[str, str]]:
    rows = Notice.objects.filter(recipient__isnull=False, **which)
    return set(rows.values_list("recipient__username", "kind"))


# --- told -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("G.IN1")
def test_a_report_goes_to_admirals_and_umpires_but_the_deadline_and_order_form_only_to_admirals(
    told: World, settings: Any
) -> None:
    settings.REPLY_TO = "orders@club.example"
    idler = MembershipFactory(side=told.english.side, user=UserFactory(username="idler"))
    Command.objects.filter(membership=told.dutch).delete()
    for following in (told.turn, None):
        with put_back():
            notices_for_closed_turn(turn=told.closed, following=following)
            assert heard() == {
                ("english", "turn_report"), ("dutch", "turn_report"), ("idler", "turn_report"), ("umpire", "umpire_report"),
            }  # fmt: skip
            rows = {row.recipient.username: row for row in Notice.objects.filter(recipient__isnull=False)}
            with_entry = {name for name, row in rows.items() if row.calendar}
            assert with_entry == ({"english", "dutch", "idler"} if following else set())
            answering = {name for name, row in rows.items() if "ORDERS BY REPLY" in row.text}
            assert answering == ({"english", "dutch"} if following else set()), (
                "a chief has all fleets, an admiral his own"
            )
    assert idler.commands.count() == 0


def test_only_the_opening_of_the_first_turn_is_emailed_to_admirals(told: World) -> None:
    notices_for_opened_turn(turn=told.turn)
    assert heard() == set()
    told.turn.number = 1
    notices_for_opened_turn(turn=told.turn)
    assert heard() == {("english", "turn_opened"), ("dutch", "turn_opened")}


@pytest.mark.clause("G.UM2")
def test_only_the_umpires_are_notified_of_a_failure(told: World) -> None:
    notices_of_failure(turn=told.turn, error="It broke.")
    assert heard() == {("umpire", "work_failed")}


def test_a_message_goes_once_to_its_recipients(told: World) -> None:
    def word(tell: Any, event: str = "e", **more: Any) -> int:
        return tell(campaign=told.campaign, event=event, title="Title", text="One\nTwo", **more)  # type: ignore[no-any-return]

    names: dict[str, set[str]] = {}
    for name, tell, more in (
        ("sides", word_to_sides, {"sides": ["ENG"]}), ("umpires", word_to_umpires, {}), ("all", word_to_all, {}),
        ("members", word_to_members, {"members": [told.dutch.pk, told.observer.pk]}),
    ):  # fmt: skip
        count = word(tell, name, **more)
        assert word(tell, name, **more) == 0, "once"
        names[name] = {row for row, _ in heard(event=name)}
        assert count == len(names[name])
    assert names == {
        "sides": {"english"}, "umpires": {"umpire"}, "members": {"dutch", "observer"},
        "all": {"english", "dutch", "umpire", "observer"},
    }  # fmt: skip
    MembershipFactory(side=told.english.side, user=UserFactory(username="late"))
    assert word(word_to_all, "all") == 1, "he alone has not heard it"
    battle = BattleFactory(book=told.campaign.book, code="X1")
    word(word_to_umpires, "there", page="battle", code=battle.code)
    assert f"/battles/{battle.code}/" in Notice.objects.get(event="there").text
    assert "/c/telltale/" in Notice.objects.filter(event="sides").get().text
    word(word_to_all, "own", per_reader=lambda user: [f"For {user.username}."])
    for row in Notice.objects.filter(event="own"):
        assert (
            f"For {row.recipient.username}." in row.text and "One" in row.text and row.text.count("For ") >= 1
        )  # type: ignore[union-attr]
        assert "For english" not in row.text or row.recipient.username == "english"  # type: ignore[union-attr]


def test_templates_are_made_for_those_who_may_reply_where_replies_are_read(
    told: World, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(
        notices, "reply_form", lambda *, membership, **_: asked.append(membership.user.username)
    )
    for address, names in (("", []), ("orders@club.example", ["dutch", "english"])):
        settings.REPLY_TO = address
        with put_back():
            notices_for_closed_turn(turn=told.closed, following=told.turn)
        assert sorted(asked) == names


# --- played -----------------------------------------------------------------------------------------------------


@pytest.fixture
def clockless(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Time goes on by sleeping only; gives what was slept."""
    slept: list[float] = []
    fake = SimpleNamespace(monotonic=lambda: round(sum(slept), 3), sleep=slept.append)
    monkeypatch.setattr(playing, "time", fake)
    monkeypatch.setattr(playing, "hand_on", lambda task, pk: None)
    return slept


def test_the_wait_for_workers_lasts_up_to_ten_minutes_with_five_checks_a_second(
    campaign: Campaign, turn: Turn, clockless: list[float]
) -> None:
    with pytest.raises(TurnFailed, match="Turn 1|turn 1"):
        turn_play_by_workers(turn=turn, patience=1.0)
    assert clockless == [0.2] * 5
    clockless.clear()
    for phase in (Phase.CLOSED, Phase.FAILED):
        Turn.objects.filter(pk=turn.pk).update(phase=phase, error="why")
        if phase == Phase.CLOSED:
            assert turn_play_by_workers(turn=turn).phase == phase
        else:
            with pytest.raises(TurnFailed, match="failed: why"):
                turn_play_by_workers(turn=turn)
        assert clockless == [], "it is over"
    assert turn_play_by_workers.__kwdefaults__ == {"patience": 600.0}


def test_a_turn_that_someone_else_works_on_or_that_waits_for_people_is_left_with_a_sentence(
    campaign: Campaign, turn: Turn
) -> None:
    playing.turn_lock(turn=turn)
    with put_back():
        assert leases.take(Turn.objects.filter(pk=turn.pk)) is not None
        with pytest.raises(TurnFailed, match="is locked: another worker is running it"):
            turn_play(turn=turn)
    with put_back():
        Turn.objects.filter(pk=turn.pk).update(phase=Phase.HELD)
        with pytest.raises(TurnFailed, match="another worker is running it"):
            turn_play(turn=turn)
    Campaign.objects.update(settings={"battle_route": "table", "campaign_waits": "yes"})
    turn = Turn.objects.select_related("campaign__book", "campaign__theatre").get(pk=turn.pk)
    turn_change(turn, phase=Phase.OPEN, snapshot=None)
    with pytest.raises(TurnFailed, match="it waits for "):
        turn_play(turn=turn)
    assert Battle.objects.get().status == "ready"


@pytest.mark.clause("G.UM1")
def test_a_turn_can_be_previewed_while_it_is_open_or_locked_and_not_begun(
    campaign: Campaign, turn: Turn
) -> None:
    who = campaign.memberships.get(role="umpire").user
    Turn.objects.filter(pk=turn.pk).update(days=1)
    campaign.book.navies.get(code="NLD").fleets.get().station.delete()
    turn.refresh_from_db()
    found = flawless(turn_preview, turn=turn, umpire=who)
    assert (found.exact, found.contacts, found.lines, found.ends) == (False, (), (), "")
    assert [name for name, _ in found.bound] == ["Fleet of England"]
    playing.turn_lock(turn=turn)
    turn.refresh_from_db()
    for phase in (Phase.LOCKED, Phase.HELD):
        turn.phase = phase
        assert turn_preview(turn=turn, umpire=who).exact
    for changes in ({"phase": Phase.RUNNING}, {"state": {}}, {"snapshot": None}, {"phase": Phase.CLOSED}):
        with put_back():
            turn_change(turn, **changes)
            other = Turn.objects.select_related("campaign__book", "campaign__theatre").get(pk=turn.pk)
            with pytest.raises(UmpireRefused, match="so it cannot be previewed"):
                turn_preview(turn=other, umpire=who)
