"""Nothing that only one side may know appears in a page, a drawing, a partial or an email of the other. Rule: G.IN1."""

import pytest
from django.urls import reverse

from campaign.models import Notice, OddsChunk, Order, Sighting
from campaign.selectors.chart.chart import chart_page, fleet_marks
from campaign.selectors.reports.reports import side_report, umpire_report
from campaign.selectors.sea.chart_paper import projection_of
from campaign.services.mail.notices import (
    notice_of_invitation,
    notices_for_closed_turn,
    notices_for_opened_turn,
    notices_of_failure,
)
from campaign.services.odds.chunks import chunk_fight
from tests.campaign.views.test_permissions import PAGES
from tests.support.people import DUTCH, ENGLISH, World

pytestmark = [pytest.mark.one_database, pytest.mark.clause("G.IN1", "G.SI2", "G.SI3")]
CODE = "telltale"
TRIED = {
    "act": "try", "stance": "seek", "on_arrival": "anchor", "greatest_odds": "1.5", "chase_hours": "24", "at_nightfall": "part",
    "after_battle": "renew", "at_sound_of_guns": "join", "gauge": "any", "fight_at": "best", "chase": "line", "break_off": "50",
}  # fmt: skip
MEMBER_PAGES = [name for name, args, people in PAGES if args == [CODE] and "english" in people]


def everything_shown(told: World, person: str, tale: str) -> str:
    """All that a person can read by opening every page and partial of the campaign, in lower case."""
    client = told.client(person)
    client.post(
        reverse("odds", args=[CODE]), {"fleet": f"{tale}-f", "contact": "1" if tale == ENGLISH else "77"}
    )
    answer_odds(told, person)
    addresses = [reverse("home"), reverse("campaign", args=[CODE]) + "?view=whole"]
    addresses += [reverse(name, args=[CODE]) for name in MEMBER_PAGES]
    addresses += [reverse("report", args=[CODE, 1]), reverse("fleet", args=[CODE, f"{tale}-f"])]
    addresses += [reverse("chapter", args=[CODE, 1]), reverse("chapter", args=[CODE, 1]) + "?every=1"]
    addresses += [reverse(name, args=[CODE, f"{tale}-f"]) for name in ("reach", "orders_ships", "orders")]
    shown = []
    for address in addresses:
        answer = client.get(address)
        assert answer.status_code == 200 or person not in ("english", "dutch"), address
        shown.append(answer.content.decode())
    partial = client.post(
        addresses[-1], {"act": "add", "goal": "schooneveld"}, headers={"HX-Request": "true"}
    )
    tried = client.post(addresses[-1], {**TRIED, "goal": "schooneveld"})
    return "\n".join([*shown, partial.content.decode(), tried.content.decode()]).lower()


def answer_odds(told: World, person: str) -> None:
    """Fight the first battles of what a person has asked, so that the page has figures."""
    for chunk in OddsChunk.objects.filter(run__membership__user__username=person)[:1]:
        OddsChunk.objects.filter(pk=chunk.pk).update(size=1)
        chunk_fight(chunk_id=chunk.pk)


def test_an_english_admiral_reads_their_own_account_and_nothing_of_the_enemys(told: World) -> None:
    """The enemy's names, position and route, sightings and orders are on none of all the pages, though others read them."""
    (enemy,) = fleet_marks(told.campaign, told.dutch, told.turn)
    report = Sighting.objects.get(side=told.dutch.side)
    x, y = projection_of("narrow_seas_1666").to_xy(report.latitude / 100, report.longitude / 100)
    spot = f"translate({round(x, 1)} {round(y, 1)})"
    position = f"translate({enemy.x} {enemy.y})"
    umpires = told.client("umpire").get(reverse("campaign", args=[CODE])).content.decode()
    assert position in umpires and enemy.route in umpires
    dutch = told.client("dutch")
    assert spot in dutch.get(reverse("campaign", args=[CODE])).content.decode()
    assert Order.objects.get(fleet=told.dutch_fleet).instructions == {"greatest_odds": "4.75"}
    assert "4.75" in dutch.get(reverse("orders", args=[CODE, f"{DUTCH}-f"])).content.decode()

    shown = everything_shown(told, "english", ENGLISH)
    assert ENGLISH in shown
    for secret in (DUTCH, position, enemy.route.lower(), spot, "contact 77", "4.75"):
        assert secret not in shown, secret


def test_a_dutch_admiral_reads_their_own_account_and_not_the_enemys(told: World) -> None:
    shown = everything_shown(told, "dutch", DUTCH)
    assert DUTCH in shown
    assert ENGLISH not in shown


def test_an_observer_reads_no_sides_account(told: World) -> None:
    shown = everything_shown(told, "observer", ENGLISH)
    assert ENGLISH not in shown
    assert DUTCH not in shown
    assert "umpire's log" in shown


def test_the_umpire_reads_both_accounts(told: World) -> None:
    shown = everything_shown(told, "umpire", ENGLISH)
    assert ENGLISH in shown
    assert DUTCH in shown


def test_a_battle_between_others_is_neither_drawn_nor_counted(told: World) -> None:
    page = chart_page(told.campaign, told.english, told.turn)
    assert [mark.code for mark in page.battles] == [f"{CODE}-T1-b01"]
    told.turn.phase = "fighting"
    told.turn.save()
    told.campaign.turns.get(number=1).contacts.filter(code=f"b02{DUTCH}").update(turn=told.turn)
    status = told.client("english").get(reverse("campaign_status", args=[CODE])).content.decode()
    assert "battle" not in status.lower().replace("battle instructions", "")


def test_only_the_umpire_sees_whether_the_enemy_is_ready(told: World) -> None:
    assert "ready by dutch" in told.client("umpire").get(reverse("campaign", args=[CODE])).content.decode()
    shown = told.client("english").get(reverse("campaign", args=[CODE])).content.decode()
    assert "ready by" not in shown
    assert "marked ready" not in shown


def test_a_fleet_that_both_sides_see_lends_its_name_to_neither(told: World) -> None:
    report = side_report(told.closed, told.english.side)
    texts = [entry["text"] for day in report["days"] for entry in day["entries"]]
    parted = next(text for text in texts if "part" in text)
    assert f"Fleet {ENGLISH}" in parted
    assert DUTCH not in repr(report)
    assert DUTCH in repr(umpire_report(told.closed))


def test_secrets_of_an_open_turn_are_shown_to_no_one(told: World) -> None:
    for person in ("umpire", "english"):
        told.campaign.settings = {}
        told.campaign.save()
        shown = told.client(person).get(reverse("fairness", args=[CODE])).content.decode()
        assert told.turn.chart_hash in shown
        assert told.closed.chart_secret not in shown
        told.campaign.settings = {"secrets_after": 0}
        told.campaign.save()
        shown = told.client(person).get(reverse("fairness", args=[CODE])).content.decode()
        assert told.closed.chart_secret in shown
        assert told.turn.chart_secret not in shown
        assert told.turn.battle_secret not in shown


def test_emails_give_each_side_its_own_account(told: World) -> None:
    notices_for_closed_turn(turn=told.closed, following=told.turn)
    told.turn.number = 1
    notices_for_opened_turn(turn=told.turn)
    for member in (told.english, told.dutch):
        notice_of_invitation(membership=member)
    for member, own, other in ((told.english, ENGLISH, DUTCH), (told.dutch, DUTCH, ENGLISH)):
        mails = Notice.objects.filter(recipient=member.user)
        assert {mail.kind for mail in mails} == {"turn_report", "turn_opened", "invitation"}
        whole = "".join(mail.subject + mail.text + mail.html for mail in mails).lower()
        assert own in whole
        assert other not in whole
    assert not Notice.objects.filter(recipient=told.observer.user).exists()


def test_only_the_umpire_learns_why_a_turn_failed(told: World) -> None:
    why = "The battle “Off the Gunfleet” could not be fought. It was begun 3 times."
    told.turn.phase, told.turn.error = "failed", why
    told.turn.save()
    notices_of_failure(turn=told.turn, error=why)
    mail = Notice.objects.get(kind="work_failed")
    assert mail.recipient == told.umpire.user and why in mail.text
    assert why.lower() in everything_shown(told, "umpire", ENGLISH)
    for person, tale in (("english", ENGLISH), ("dutch", DUTCH)):
        shown = everything_shown(told, person, tale)
        assert "gunfleet” could not be fought" not in shown and "begun 3 times" not in shown
