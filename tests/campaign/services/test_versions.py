"""A campaign plays by the version of the rules that it began with until its umpire takes a newer one. Rules: G.FA1, G.UM1."""

from __future__ import annotations

from datetime import timedelta
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth import get_user_model
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from battles.engine.pinned.archives import archive_write, first_kept, unpack
from battles.engine.pinned.versions import CAMPAIGN
from campaign.models import Campaign, Notice, Station, Turn
from campaign.pinned.pins import newest, pin_of
from campaign.selectors.desk.alarms import alarms_of
from campaign.selectors.turn.facts import OrderColumns, pure_order
from campaign.services.archive.people import ADDRESSES
from campaign.services.archive.restoring import campaign_import
from campaign.services.archive.writing import campaign_export
from campaign.services.desk.umpire import turn_run_early
from campaign.services.orders.orders import faults_now
from campaign.services.settings.versions import Step, rules_begin, rules_keep, rules_take
from campaign.services.sweep import sweep
from campaign.services.turn.playing import turn_play
from campaign.services.turn.rollback import rollback
from campaign.services.turn.turns import turn_lock, turn_retry, turn_run
from campaign.services.turn.verify import Verdict, campaign_verify
from campaign.services.umpire_log import UmpireRefused
from tests.campaign.services.conftest import start
from tests.support.answers import answer_of
from tests.support.people import world
from tests.support.remembered import remembered
from tests.support.versions import NOTES, OldSite, Shelf

pytestmark = [pytest.mark.clause("G.FA1"), pytest.mark.one_database]


class _Undone(Exception):
    """What was done is taken back."""


def played(campaign: Campaign) -> Turn:
    """The campaign's open turn, played to its end."""
    return turn_play(
        turn=campaign.turns.select_related("campaign__book", "campaign__theatre").get(phase="open")
    )


def tried(campaign: Campaign) -> str:
    """The hash of the state in which the open turn would end now; nothing is written."""
    found = ""
    try:
        with transaction.atomic():
            found = played(campaign).state_hash
            raise _Undone
    except _Undone:
        return found


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    return Shelf(tmp_path, monkeypatch)


@pytest.fixture
def site(shelf: Shelf) -> OldSite:
    return OldSite(shelf)


@remembered
def first_turn_on_the_old_site(rule_set: str, chart: str) -> tuple[int, str]:
    """A campaign's first turn under the old versions: its key, and the hash in which its second turn would have ended there."""
    campaign: Campaign = start.__wrapped__()  # type: ignore[attr-defined]
    played(campaign)
    return campaign.pk, tried(campaign)


@pytest.fixture
def old(db: Any, site: OldSite) -> tuple[Campaign, str]:
    """A campaign that played its first turn on the old site, which was then updated; and how its second turn would have ended there."""
    patch = site.run_old()
    try:
        key, expected = first_turn_on_the_old_site(site.rule_set.fingerprint, site.chart.fingerprint)
    finally:
        patch.undo()
    site.update()
    return Campaign.objects.select_related("book").get(pk=key), expected


def umpire() -> Any:
    return get_user_model().objects.get(username="umpire")


def test_an_updated_site_plays_each_campaign_by_its_own_version_until_its_umpire_takes_the_new_one(
    old: tuple[Campaign, str], site: OldSite
) -> None:
    campaign, expected = old
    new = newest("kohler")

    assert pin_of(campaign).rule_set == site.rule_set
    rules_take(campaign=campaign, umpire=umpire(), reason="Better gunnery", wanted=new.hash)
    second = played(Campaign.objects.get(pk=campaign.pk))
    assert second.state_hash == expected, "the turn that is open keeps its rules"
    third = played(Campaign.objects.get(pk=campaign.pk))

    assert [row.rules_hash == new.hash for row in (second, third)] == [False, True]
    campaign = Campaign.objects.get(pk=campaign.pk)
    assert pin_of(campaign) == new
    findings = list(campaign_verify(campaign=campaign))
    assert {row.verdict for row in findings} == {Verdict.AGREES}, [str(row) for row in findings]
    log = list(campaign.umpire_actions.order_by("pk").values_list("actor", "action"))
    assert log[-2:] == [("umpire", "took a new version of the rules"), ("the site", "began with new rules")]
    told = Notice.objects.filter(campaign=campaign, subject__contains="new rules from the next turn")
    assert ["The umpire's reason: Better gunnery" in word.text for word in told] == [True] * 3


def test_the_two_versions_end_the_same_turn_differently(old: tuple[Campaign, str]) -> None:
    campaign, expected = old
    pin = newest("kohler")
    campaign.book.rules_hash, campaign.chart_rules = pin.rule_set.fingerprint, pin.chart.fingerprint
    campaign.book.save()
    campaign.save()

    assert tried(campaign) != expected


def findings(campaign: Campaign) -> list[str]:
    return [str(row) for row in campaign_verify(campaign=campaign) if row.verdict != Verdict.AGREES]


def test_a_version_whose_archive_is_missing_holds_the_turn_and_is_named_by_verify(
    old: tuple[Campaign, str], site: OldSite, shelf: Shelf
) -> None:
    campaign, _ = old
    due = campaign.turns.get(phase="open")
    Turn.objects.filter(pk=due.pk).update(deadline=timezone.now() - timedelta(hours=1))
    shelf.lose(site.chart)
    missing = f"Version {site.chart.number} of the campaign rules is not installed"

    sweep()
    sweep()

    held = Turn.objects.get(pk=due.pk)
    assert (held.phase, held.hold) == ("open", True)
    assert held.error.startswith(missing)
    assert Notice.objects.filter(campaign=campaign, kind="work_failed").count() == 1
    assert any(missing in alarm.text for alarm in alarms_of(campaign))
    with pytest.raises(UmpireRefused, match=missing):
        turn_run_early(turn=due, umpire=umpire())
    (finding,) = findings(campaign)
    assert finding.startswith(f"not tried  turn 1: it was not played again. {missing}")


def test_a_turn_that_is_locked_when_its_rules_go_missing_fails_with_the_reason_and_runs_when_they_are_back(
    old: tuple[Campaign, str], site: OldSite, shelf: Shelf
) -> None:
    campaign, expected = old
    turn = campaign.turns.get(phase="open")
    turn_lock(turn=turn)
    file = shelf.folder / f"kohler-{site.rule_set.number}.tar.xz"
    packed = file.read_bytes()
    shelf.lose(site.rule_set)

    assert turn_run(turn_id=turn.pk) == "failed"
    assert "is not installed" in Turn.objects.get(pk=turn.pk).error
    file.write_bytes(packed)
    turn_retry(turn=turn)

    assert turn_play(turn=Turn.objects.get(pk=turn.pk)).state_hash == expected


def test_an_archive_that_was_changed_is_not_used(
    old: tuple[Campaign, str], site: OldSite, shelf: Shelf
) -> None:
    campaign, _ = old
    file = shelf.folder / f"campaign-{site.chart.number}.tar.xz"
    file.write_bytes(file.read_bytes() + b" ")
    shelf.forget()

    (finding,) = findings(campaign)

    assert f"{file.name} has been changed since it was written" in finding


def test_an_archive_made_by_another_version_is_not_used_even_if_it_is_undamaged(
    old: tuple[Campaign, str], site: OldSite, shelf: Shelf
) -> None:
    campaign, _ = old
    files = unpack((shelf.folder / f"campaign-{site.chart.number}.tar.xz").read_bytes())
    path = "campaign/rules/sailing/weather.py"
    archive_write(site.chart, {**files, path: files[path].replace(b"<= 3", b"<= 2")}, shelf.folder)
    shelf.forget()

    (finding,) = findings(campaign)

    assert f"campaign-{site.chart.number}.tar.xz holds other rules" in finding


def test_an_order_to_a_campaign_whose_rules_are_missing_is_refused_with_the_reason(
    old: tuple[Campaign, str], site: OldSite, shelf: Shelf
) -> None:
    campaign, _ = old
    shelf.lose(site.chart)
    turn = campaign.turns.get(phase="open")
    station = Station.objects.filter(fleet__navy__book=campaign.book).first()
    assert station is not None

    (fault,) = faults_now(turn=turn, order=pure_order(station.fleet.code, OrderColumns()))

    assert fault.code == "order/no-rules"
    assert "is not installed" in fault.text


def test_a_version_waits_until_no_battle_holds_fleets(old: tuple[Campaign, str], site: OldSite) -> None:
    campaign, _ = old
    rules_take(campaign=campaign, umpire=umpire(), reason="Better", wanted=newest("kohler").hash)
    Campaign.objects.filter(pk=campaign.pk).update(carried={"held": {"T1-B1": {}}})
    campaign = Campaign.objects.get(pk=campaign.pk)

    rules_begin(campaign=campaign)
    assert pin_of(campaign).rule_set == site.rule_set

    campaign.carried = {}
    rules_begin(campaign=campaign)
    assert pin_of(Campaign.objects.get(pk=campaign.pk)) == newest("kohler")


def test_a_version_that_was_taken_can_be_given_up_before_it_comes(
    old: tuple[Campaign, str], site: OldSite
) -> None:
    campaign, _ = old
    wanted = newest("kohler").hash
    assert [alarm.text for alarm in alarms_of(campaign)] == ["A new version of the rules is available."]
    rules_take(campaign=campaign, umpire=umpire(), reason="Better", wanted=wanted)

    assert answer_of(rules_keep, campaign=campaign, umpire=umpire(), wanted=wanted) == ""
    rules_begin(campaign=campaign)

    campaign = Campaign.objects.get(pk=campaign.pk)
    assert pin_of(campaign).chart == site.chart
    assert alarms_of(campaign) == [], "the umpire has decided"
    assert campaign.umpire_actions.filter(action="kept the rules").count() == 1
    told = Notice.objects.filter(campaign=campaign, subject__contains="the rules stay as they are")
    assert ["reason" in word.text for word in told] == [False] * 3


@pytest.mark.parametrize(
    ("reason", "wanted", "words"),
    [
        ("", "newest", "Enter a reason"),
        ("Better", "0" * 64, "has been updated since you opened this page"),
    ],
)
def test_a_version_is_not_taken_without_a_reason_or_unread(
    old: tuple[Campaign, str], reason: str, wanted: str, words: str
) -> None:
    campaign, _ = old
    wanted = newest("kohler").hash if wanted == "newest" else wanted

    with pytest.raises(UmpireRefused, match=words):
        rules_take(campaign=campaign, umpire=umpire(), reason=reason, wanted=wanted)

    assert Campaign.objects.get(pk=campaign.pk).rules_taken == {}


def test_a_step_is_taken_as_its_version_begins(
    old: tuple[Campaign, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign, _ = old
    new, taken = newest("kohler"), []
    steps = tuple(
        Step("kohler", number, lambda campaign, n=number: taken.append(n))  # type: ignore[misc]
        for number in range(1, new.rule_set.number + 2)
    )
    another = Step("thomas", new.rule_set.number, lambda campaign: taken.append("thomas"))
    monkeypatch.setattr("campaign.services.settings.versions.STEPS", (*steps, another))
    rules_take(campaign=campaign, umpire=umpire(), reason="Better", wanted=new.hash)

    assert answer_of(rules_begin, campaign=campaign) == ""

    assert taken == [new.rule_set.number]


def test_a_version_that_stores_campaigns_in_another_way_is_taken_only_with_a_step(
    old: tuple[Campaign, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign, _ = old
    new = newest("kohler")
    monkeypatch.setattr("campaign.services.settings.versions.schemas_by", lambda pin: pin.hash)

    def taken() -> str:
        return answer_of(rules_take, campaign=campaign, umpire=umpire(), reason="Better", wanted=new.hash)

    assert taken().startswith("The new version stores a campaign in another way, and there is no step")
    step = Step("kohler", new.rule_set.number, lambda campaign: None)
    monkeypatch.setattr("campaign.services.settings.versions.STEPS", (step,))
    assert taken() == ""


def test_a_turn_opens_under_the_rules_so_far_where_no_version_was_taken(db: Any) -> None:
    campaign = world().campaign
    before = pin_of(campaign)
    assert answer_of(rules_begin, campaign=campaign) == ""
    assert pin_of(campaign) == before


def test_todays_site_plays_a_campaign_by_the_oldest_versions_that_are_kept(db: Any) -> None:
    """With automatic admirals, a battle, its write-back and standing orders: whatever the site hands to the rules crosses."""
    rule_set, chart = first_kept("kohler"), first_kept(CAMPAIGN)
    assert rule_set is not None and chart is not None
    campaign: Campaign = start("old-rules", automatic=True)
    campaign.book.engine_version, campaign.book.rules_hash = rule_set.number, rule_set.fingerprint
    campaign.book.save()
    campaign.chart_version, campaign.chart_rules = chart.number, chart.fingerprint
    campaign.save()

    first = played(campaign)

    assert first.rules_hash == pin_of(campaign).hash
    assert first.campaign.turns.filter(contacts__battle__engine_version=rule_set.number).exists()
    assert findings(campaign) == []


def test_an_exported_campaign_names_its_versions_and_a_site_that_does_not_have_one_says_so(
    old: tuple[Campaign, str], site: OldSite, shelf: Shelf, tmp_path_factory: pytest.TempPathFactory
) -> None:
    campaign, _ = old
    path = tmp_path_factory.mktemp("exports") / "small.zip"
    campaign_export(campaign=campaign, to=path, people=ADDRESSES, with_secrets=True)

    there = campaign_import(path=path, code="there")
    shelf.lose(site.rule_set)
    lacking = campaign_import(path=path, code="lacking")

    assert pin_of(there.campaign) == pin_of(lacking.campaign) == pin_of(campaign)
    assert there.notes == []
    (note,) = lacking.notes
    assert f"Version {site.rule_set.number} of the rules “Kohler, 1666” is not installed" in note
    assert note.endswith("Until then no turn runs, and turns played by these rules cannot be verified.")


def test_the_page_tells_what_changes_takes_the_version_and_shows_that_it_comes(
    old: tuple[Campaign, str], client: Client
) -> None:
    campaign, _ = old
    client.force_login(umpire())
    address = f"/c/{campaign.code}/rules/version"

    shown = client.get(address).content.decode()
    refused = client.post(address, {"act": "take", "version": newest("kohler").hash, "reason": ""})
    client.post(address, {"act": "take", "version": newest("kohler").hash, "reason": "Better gunnery"})
    taken = client.get(address).content.decode()

    for note in NOTES.values():
        assert note in shown
    assert refused.status_code == 422
    assert "Enter a reason" in refused.content.decode()
    assert "Take new version" not in taken
    assert "It comes when the next turn" in taken
    settings = client.get(f"/c/{campaign.code}/rules/").content.decode()
    assert f"version {pin_of(campaign).rule_set.number}" in settings
    assert "From the next turn" in settings


def test_a_page_that_asks_rules_which_are_missing_names_them(
    old: tuple[Campaign, str], site: OldSite, shelf: Shelf, client: Client
) -> None:
    campaign, _ = old
    shelf.lose(site.chart)
    client.force_login(get_user_model().objects.get(username="english@club.example"))

    answer = client.get(reverse("standings", args=[campaign.code]))
    still_shown = client.get(f"/c/{campaign.code}/")

    assert answer.status_code == 503
    assert "of the campaign rules is not installed" in answer.content.decode()
    assert still_shown.status_code == 200


def test_campaigns_of_before_versions_were_kept_are_pinned_to_the_oldest_that_is(db: Any) -> None:
    campaign: Campaign = start("before")
    Campaign.objects.update(chart_version=0, chart_rules="")
    campaign.book.rules_hash, campaign.book.engine_version = "f" * 64, 4
    campaign.book.save()

    import_module("campaign.migrations.0180_pinned_rules").pin(apps, None)

    pin = pin_of(Campaign.objects.get(pk=campaign.pk))
    assert (pin.rule_set, pin.chart) == (first_kept("kohler"), first_kept(CAMPAIGN))


@pytest.mark.clause("G.UM3")
def test_a_rollback_opens_the_turn_under_the_rules_that_were_taken(old: tuple[Campaign, str]) -> None:
    campaign, _ = old
    rules_take(campaign=campaign, umpire=umpire(), reason="It mends the fault", wanted=newest("kohler").hash)

    turn = rollback(campaign=campaign, number=1, umpire=umpire(), reason="A fault", same_dice=True)

    assert turn.campaign.turns.get(phase="locked").rules_hash == newest("kohler").hash
    assert pin_of(Campaign.objects.get(pk=campaign.pk)) == newest("kohler")
