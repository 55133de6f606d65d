"""What strangers and observers read: nothing unless the umpire opens it, and then only what everyone may know. Rules: G.IN1, G.EN1."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from campaign.models import Campaign, Letter, PublicPage, Release, UmpireAction
from campaign.services.settings.publicity import publicity_change, showcase_set
from campaign.services.settings.releases import facts_release
from campaign.services.umpire_log import UmpireRefused
from tests.campaign.views.test_permissions import STRANGERS
from tests.support.answers import answer_of
from tests.support.fought import Fought, fought
from tests.support.people import DUTCH, ENGLISH, PEOPLE, World

pytestmark = [pytest.mark.one_database, pytest.mark.clause("G.IN1", "G.EN1")]
CODE = "telltale"
PERSON = "qzperson"


@pytest.fixture
def war(db: Any) -> Fought:
    """A small war after its first battle."""
    return fought("outside")


def opened(campaign: Campaign, **more: Any) -> PublicPage:
    """The campaign's public page, open."""
    page, _ = PublicPage.objects.update_or_create(campaign=campaign, defaults={"open": True, **more})
    return page


def addresses(code: str = CODE, battle: str = f"{CODE}-T1-b01") -> dict[str, str]:
    """Every address that a stranger may try, by its name."""
    found = {
        "public": reverse("public", args=[code]),
        "public_chronicle": reverse("public_chronicle", args=[code]),
        "public_gazette": reverse("public_gazette", args=[code, 1, "ENG"]),
        "public_battle": reverse("public_battle", args=[code, battle]),
        "public_replay": reverse("public_replay", args=[code, battle]),
    }
    assert found.keys() == STRANGERS
    return found


def everything(client: Client) -> str:
    """All that a stranger reads of the campaign of tell-tales, in lower case."""
    tried = [*addresses().values(), reverse("public_gazette", args=[CODE, 1, "NLD"]), reverse("home")]
    answers = [client.get(address) for address in tried]
    return "\n".join(answer.content.decode() for answer in answers if answer.status_code == 200).lower()


@pytest.fixture
def named(told: World) -> World:
    """The same, with people who have names, and things that they wrote."""
    for member in told.campaign.memberships.select_related("user"):
        user = member.user
        user.first_name, user.last_name, user.email = PERSON, PERSON, f"{PERSON}{user.pk}@example.org"
        user.username = f"{PERSON}{user.pk}"
        user.save()
    Letter.objects.create(
        campaign=told.campaign, sender=told.english, recipient=told.dutch, text=f"letter {PERSON}", written=40, told=40,
        fate=Letter.Fate.DELIVERED,
    )  # fmt: skip
    UmpireAction.objects.create(
        campaign=told.campaign, actor=PERSON, action="ended the campaign", reason=f"{PERSON} says so"
    )
    return told


def test_a_campaign_has_no_public_page_until_its_umpire_opens_it(told: World) -> None:
    clients = {person: told.client(person) for person in PEOPLE}
    for person, client in clients.items():
        for address in addresses().values():
            assert client.get(address).status_code == 404, (person, address)
    PublicPage.objects.create(campaign=told.campaign, open=False, showcase=True)
    for person, client in clients.items():
        assert client.get(addresses()["public"]).status_code == 404, person
        assert client.post(addresses()["public"]).status_code in (404, 405), person


def test_nothing_of_a_turn_is_public_before_its_gazettes_are(named: World) -> None:
    opened(named.campaign)
    shown = everything(Client())
    assert "tell-tale war" in shown
    for word in (ENGLISH, DUTCH, PERSON):
        assert word not in shown


SECRETS = [
    f"{word} {tale}".lower()
    for tale in (ENGLISH, DUTCH)
    for word in ("Fleet", "Adm", "Capt", "Squadron", "author", "Gather the", "Note", "Ships of")
] + [PERSON, "51°", "contact 1", "contact 77", "@example", "greatest_odds", "7321"]


def test_a_stranger_reads_published_gazettes_and_no_secret(named: World) -> None:
    opened(named.campaign, delay=0)
    shown = everything(Client())
    assert "the london gazette" in shown and "haerlemse courant" in shown
    assert f"ship {ENGLISH} 00" in shown  # it was taken, and both papers say so
    for secret in SECRETS:
        assert secret not in shown, secret


def test_no_fleet_is_drawn_for_a_stranger(named: World) -> None:
    opened(named.campaign, delay=0)
    page = Client().get(addresses()["public"]).content.decode()
    assert 'class="fleets"></g>' in page and 'class="sightings"></g>' in page and 'class="route' not in page


def test_when_it_is_over_everything_is_public_but_people(named: World) -> None:
    opened(named.campaign)
    named.campaign.status = "closed"
    named.campaign.save()
    shown = everything(Client())
    for tale in (ENGLISH, DUTCH):
        assert f"fleet {tale}" in shown
    assert PERSON not in shown and "@example" not in shown and 'href="/c/' not in shown


def test_search_engines_stay_away_unless_the_umpire_lets_them_in(told: World) -> None:
    page = opened(told.campaign, delay=0)
    names = ("public", "public_chronicle", "public_gazette")
    for name in names:
        answer = Client().get(addresses()[name])
        assert "noindex" in answer["X-Robots-Tag"] and b'content="noindex' in answer.content, name
    page.indexed = True
    page.save()
    for name in names:
        answer = Client().get(addresses()[name])
        assert "X-Robots-Tag" not in answer and b"noindex" not in answer.content, name


def test_the_page_reads_the_database_a_few_times_only(
    told: World, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    opened(told.campaign, delay=0)
    Client().get(addresses()["public"])
    with django_assert_max_num_queries(21):
        Client().get(addresses()["public"])


@pytest.mark.clause("G.FA1")
def test_a_battle_is_public_when_its_secrets_are(war: Fought) -> None:
    opened(war.campaign, delay=0)
    names = ("public_battle", "public_replay")
    tried = [addresses(war.campaign.code, war.battle.code)[name] for name in names]
    readers = [Client(), war.client("observer")]
    for reader in readers:
        assert [reader.get(address).status_code for address in tried] == [404, 404]
    assert war.client("observer").get(war.path()).status_code == 404
    war.campaign.settings = {**war.campaign.settings, "secrets_after": 0}
    war.campaign.save()
    page = readers[0].get(tried[0])
    assert (
        page.status_code == 200
        and b'href="/c/' not in page.content
        and war.battle.seed.encode() in page.content
    )
    assert readers[0].get(tried[1]).json()["ships"]
    assert readers[0].get(tried[0] + "?turn=2", headers={"hx-request": "true"}).status_code == 200
    assert war.client("observer").get(war.path()).status_code == 200
    assert (
        f"/public/{war.campaign.code}/battles/"
        in readers[0].get(reverse("public", args=[war.campaign.code])).content.decode()
    )


def test_an_observer_is_shown_what_they_were_promised(war: Fought) -> None:
    observer, code = war.client("observer"), war.campaign.code
    pages = {
        name: reverse(name, args=[code])
        for name in ("news", "standings", "chronicle", "gazettes", "campaign")
    }
    before = {name: observer.get(address).content.decode() for name, address in pages.items()}
    assert "Nothing is public yet" in before["news"] and "Nothing is public yet" in before["chronicle"]
    assert "empty" not in before["campaign"].split("chart-layout")[1].split("</main>")[0]
    PublicPage.objects.create(campaign=war.campaign, delay=0)
    after = {name: observer.get(address).content.decode() for name, address in pages.items()}
    assert "Battle " in after["news"] and "Battle " not in before["news"]
    assert "up to turn 1" in after["standings"]
    assert f"/c/{code}/chronicle/1/" in after["chronicle"]
    assert "The London Gazette" in after["gazettes"]
    assert observer.get(reverse("gazette", args=[code, 1, "NLD"])).status_code == 200
    assert observer.get(reverse("chapter", args=[code, 1])).status_code == 200
    assert observer.get(reverse("report", args=[code, 1])).status_code == 404


def test_the_score_is_public_only_while_the_umpire_shows_it(war: Fought) -> None:
    page = opened(war.campaign, delay=0)
    address = reverse("public", args=[war.campaign.code])
    observers = reverse("standings", args=[war.campaign.code])
    assert "score-head" in Client().get(address).content.decode()
    page.score = False
    page.save()
    assert "score-head" not in Client().get(address).content.decode()
    assert "keeps the score secret" in war.client("observer").get(observers).content.decode()


def test_an_admiral_reads_the_enemys_gazette_where_a_stranger_can(told: World) -> None:
    client = told.client("english")
    for open_, delay, status in ((False, 0, 404), (True, 1, 404), (True, 0, 200)):
        PublicPage.objects.update_or_create(campaign=told.campaign, defaults={"open": open_, "delay": delay})
        dutch = client.get(reverse("gazette", args=[CODE, 1, "NLD"])).status_code
        assert dutch == status, (open_, delay)
        assert client.get(reverse("gazette", args=[CODE, 1, "ENG"])).status_code == 200, (open_, delay)


def test_the_umpire_sets_what_is_public_and_everyone_reads_it_in_the_log(told: World) -> None:
    address = reverse("publicity", args=[CODE])
    umpire = told.client("umpire")
    assert umpire.post(address, {"open": "on", "score": "on", "delay": "21"}).status_code == 422
    assert not PublicPage.objects.exists()
    assert umpire.post(address, {"open": "on", "delay": "3", "indexed": "on"}).status_code == 302
    page = PublicPage.objects.get()
    assert (page.open, page.score, page.delay, page.indexed) == (True, False, 3, True)
    log = told.client("observer").get(reverse("log", args=[CODE])).content.decode()
    assert "Anyone can read the public page." in log and "published 3 turns late" in log
    assert not publicity_change(
        campaign=told.campaign, umpire=told.umpire.user, open_=True, score=False, delay=3, indexed=True
    )
    umpire.post(address, {"delay": "3", "indexed": "on"})
    page.refresh_from_db()
    assert not page.open and not page.indexed  # a page that is closed is in no list


@pytest.mark.parametrize(("delay", "fits"), [(-1, False), (0, True), (20, True), (21, False)])
def test_gazettes_are_published_up_to_twenty_turns_late(told: World, delay: int, fits: bool) -> None:
    wanted = {"open_": True, "score": True, "delay": delay, "indexed": False}
    said = answer_of(publicity_change, campaign=told.campaign, umpire=told.umpire.user, **wanted)
    assert said == ("" if fits else "Enter a delay of 0 to 20 turns.")
    pages = PublicPage.objects.values_list("open", "score", "delay", "indexed")
    assert list(pages) == [(True, True, delay, False)] * fits


def test_facts_released_to_everyone_are_public(told: World) -> None:
    fleet = told.dutch_fleet
    said: dict[str, Any] = {
        "campaign": told.campaign,
        "umpire": "umpire",
        "fleet": fleet,
        "reason": "The news is out.",
    }
    facts_release(side=told.english.side, fields=["seen"], **said)
    opened(told.campaign)
    assert "Schooneveld" not in str(list(Client().get(addresses()["public"]).context["releases"]))
    facts_release(side=None, fields=["seen", "nation"], **said)
    assert Release.objects.filter(side=None).count() == 2
    for client, path in (
        (Client(), addresses()["public"]),
        (told.client("observer"), reverse("news", args=[CODE])),
        (told.client("english"), reverse("news", args=[CODE])),
    ):
        assert "A fleet of the Dutch Republic" in client.get(path).content.decode()
    posted = {"side": "everyone", "fleet": fleet.code, "field": "kind", "reason": "why"}
    told.client("umpire").post(reverse("release", args=[CODE]), posted)
    assert Release.objects.filter(side=None).count() == 3


def test_the_front_page_shows_finished_campaigns_that_the_site_administrator_chose(told: World) -> None:
    with pytest.raises(UmpireRefused, match="is not over"):
        showcase_set(campaign=told.campaign, on=True)
    assert answer_of(showcase_set, campaign=told.campaign, on=False) == ""
    told.campaign.status = "closed"
    told.campaign.save()
    with pytest.raises(UmpireRefused, match="has no public page"):
        showcase_set(campaign=told.campaign, on=True)
    opened(told.campaign)
    assert b"Tell-tale war" not in Client().get(reverse("home")).content
    assert answer_of(showcase_set, campaign=told.campaign, on=True) == ""
    front = Client().get(reverse("home")).content.decode()
    assert (
        addresses()["public"] in front
        and reverse("login") in front
        and reverse("rules", args=["kohler"]) in front
    )
    publicity_change(
        campaign=told.campaign, umpire=told.umpire.user, open_=False, score=True, delay=1, indexed=False
    )
    assert b"Tell-tale war" not in Client().get(reverse("home")).content


def test_pages_open_to_strangers_may_be_kept_by_the_browser_until_they_change(told: World) -> None:
    opened(told.campaign, delay=0)
    for name in ("public", "public_chronicle", "public_gazette"):
        first = Client().get(addresses()[name])
        assert first["Cache-Control"] == "public, max-age=60" and {"Cookie", "HX-Request"} <= set(
            first["Vary"].split(", ")
        )
        assert not first.cookies and b"csrf" not in first.content, name
        again = Client().get(addresses()[name], headers={"If-None-Match": first["ETag"]})
        assert (again.status_code, again.content) == (304, b""), name
    tag = Client().get(addresses()["public"])["ETag"]
    told.campaign.name = "Another war"
    told.campaign.save()
    assert Client().get(addresses()["public"], headers={"If-None-Match": tag}).status_code == 200
    told.campaign.public_page.delete()
    gone = Client().get(addresses()["public"], headers={"If-None-Match": tag})
    assert gone.status_code == 404 and "public" not in gone.get("Cache-Control", "")


def test_what_one_person_is_shown_is_never_kept_for_another(told: World) -> None:
    opened(told.campaign, delay=0)
    for person in PEOPLE:
        reader = told.client(person)
        for address in [*addresses().values(), reverse("home")]:
            answer = reader.get(address)
            if answer.status_code != 200 or person == "anonymous":
                continue
            assert "public" not in answer.get("Cache-Control", ""), (person, address)
    client = Client()
    client.cookies["messages"] = "something said to one person"
    assert client.get(reverse("home"))["Cache-Control"] == "private, no-cache"
    assert Client().get(reverse("home"))["Cache-Control"] == "public, max-age=60"
    assert "public" not in Client().get(reverse("login")).get("Cache-Control", "")
    assert "public" not in Client().get(reverse("campaign", args=[CODE])).get("Cache-Control", "")
