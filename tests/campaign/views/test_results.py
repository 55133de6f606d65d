"""The result sheet, the preview of a result, and ship cards: for those who fought the battle, as far as each may know."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from battles.models import Battle, BattleOutcome
from battles.roster import entered
from battles.services.outcomes import blank, untouched
from campaign.models import Campaign, ResultDraft, UmpireAction
from campaign.selectors.reports.effects import projected
from campaign.services.turn.turns import turn_lock, turn_run
from campaign.views.battle_questions import result_stamp
from tests.campaign.services.conftest import start
from tests.support.factories import MembershipFactory, NationFactory, NavyFactory, SideFactory, UserFactory
from tests.support.remembered import remembered
from tests.support.turns import turn_closes

pytestmark = pytest.mark.one_database

HURT = {"schema": 1, "hits_struct": 3, "hits_board": 0, "flag_officer_ok": True}


@pytest.fixture
def table(db: Any) -> Campaign:
    """A battle on the table that holds its fleets; a Dutch ship came to it with seventeen men less than she should have."""
    return on_the_table()


@remembered
def on_the_table() -> Campaign:
    campaign = start("table")
    campaign.settings = {"battle_route": "table"}
    campaign.save()
    gouda = campaign.book.ships.get(name="Gouda")
    gouda.men -= 17
    gouda.save()
    turn_closes(campaign.turns.get())
    navy = NavyFactory(book=campaign.book, nation=NationFactory(name="France"), code="FRA")
    french = SideFactory(campaign=campaign, navy=navy, name="France", nations=["France"])
    MembershipFactory(side=french, user=UserFactory(username="french"))
    MembershipFactory(campaign=campaign, side=None, role="observer", user=UserFactory(username="observer"))
    UserFactory(username="stranger")
    return campaign


@pytest.fixture
def battle(table: Campaign) -> Battle:
    return Battle.objects.get(book=table.book)


def browser(campaign: Campaign, person: str) -> Client:
    """A browser of umpire, english, dutch, french, observer, stranger or anonymous."""
    client = Client()
    sides = {"english": "England", "dutch": "Dutch Republic"}
    if person in sides:
        client.force_login(campaign.memberships.get(side__name=sides[person]).user)
    elif person != "anonymous":
        client.force_login(UserFactory._meta.model.objects.get(username=person))
    return client


def page(battle: Battle, name: str = "battle_result") -> str:
    return reverse(name, args=["table", battle.code])


@pytest.mark.clause("G.IN1", "G.BT2")
def test_people_who_did_not_fight_there_learn_nothing_of_the_battle(table: Campaign, battle: Battle) -> None:
    pages = [page(battle, name) for name in ("battle_result", "battle_print")]
    for person in ("french", "observer", "stranger"):
        client = browser(table, person)
        for address in pages:
            assert client.get(address).status_code == 404, (person, address)
        assert client.post(page(battle, "battle_result"), {"act": "confirm"}).status_code == 404
    for person, status in (("anonymous", 302), ("umpire", 200), ("english", 200), ("dutch", 200)):
        client = browser(table, person)
        for address in pages:
            assert client.get(address).status_code == status, (person, address)


@pytest.mark.clause("G.IN1", "G.BT1")
def test_a_player_prints_cards_and_slips_of_their_own_ships_and_only_names_of_the_enemys(
    table: Campaign, battle: Battle
) -> None:
    english = browser(table, "english").get(page(battle, "battle_print")).content.decode()
    assert english.count('class="all-cards paper"') == 1, "on paper one grid, so that pages are filled"
    assert english.count('class="of-squadron"') == english.count('class="printed"') == 4
    assert battle.roster.digest[:16] in english
    address = f"http://127.0.0.1:8000{page(battle)}"
    assert address in english and 'class="qr"' in english
    gouda = table.book.ships.get(name="Gouda")
    assert english.count("Gouda") == 1, "to write down what became of it"
    assert f"{gouda.men} of" not in english and f"Capt {gouda.name}" not in english
    umpires = browser(table, "umpire").get(page(battle, "battle_print")).content.decode()
    assert umpires.count('class="printed"') == 7 and f"{gouda.men} of" in umpires
    cards = browser(table, "english").get(f"{page(battle, 'battle_print')}?part=cards").content.decode()
    assert 'class="printed"' in cards and "Sequence of play" not in cards and "Order slip for" not in cards


@pytest.mark.clause("G.IN1", "G.BT2")
def test_before_a_result_is_proposed_no_one_reads_the_state_of_the_enemys_ships(
    table: Campaign, battle: Battle
) -> None:
    gouda = table.book.ships.get(name="Gouda")
    opened = f"{page(battle)}?ship={gouda.code}&effects=1"
    shown = browser(table, "english").get(opened).content.decode()
    assert "Gouda" in shown
    assert f">{gouda.men}<" not in shown
    assert f'name="{gouda.code}-hits_struct" value=' not in shown
    own = browser(table, "dutch").get(opened).content.decode()
    assert f'name="{gouda.code}-hits_struct" value="0"' in own


HEAD = {"hours": "4", "minutes": "30", "ended": "parted", "held_field": "ENG"}


def sent(battle: Battle, act: str, **fields: Any) -> dict[str, Any]:
    """What a browser sends of the sheet as it is entered now, with some fields changed."""
    outcome = BattleOutcome.objects.filter(battle=battle).first()
    ships = entered(battle)
    rows = outcome.document["ships"] if outcome else []
    fates = {
        f"{row['ship']}-fate": row["fate"] if row != untouched(ships[row["ship"]]) else "" for row in rows
    }
    return {"act": act, "version": str(outcome.version if outcome else 1), **fates, **fields}


TAKEN = {
    "ENG002-fate": "afloat", "ENG002-hits_struct": "3", "ENG003-fate": "captured", "ENG003-captor_ship": "NLD001",
}  # fmt: skip


def propose(client: Client, battle: Battle, **fields: Any) -> None:
    """Enter the English as given and the Dutch as they were, and propose it."""
    for act in ("done:1", "as_it_was:2", "propose"):
        more = {"done:1": fields, "propose": HEAD}.get(act, {})
        answer = client.post(page(battle), sent(battle, act, **more))
        assert answer.status_code == 302, answer.content.decode()


@pytest.mark.clause("G.BT2", "G.BT5")
def test_a_result_is_entered_proposed_read_and_confirmed(table: Campaign, battle: Battle) -> None:
    english, dutch = browser(table, "english"), browser(table, "dutch")
    english.get(page(battle))
    propose(english, battle, **TAKEN)
    outcome = BattleOutcome.objects.get(battle=battle)
    lines = {row["ship"]: row for row in outcome.document["ships"]}
    assert (outcome.document["minutes"], outcome.document["turns"]) == (270, 9)
    assert lines["ENG002"]["condition"] == HURT
    taken = lines["ENG003"]
    assert (taken["captor"], taken["captor_ship"]) == ("NLD", "NLD001")
    dragon = table.book.ships.get(code="ENG003")
    assert taken["prisoners"] == dragon.men and taken["prize_crew"] == -(
        -(2 * dragon.men + dragon.complement) // 10
    )
    shown = dutch.get(page(battle)).content.decode()
    assert "a prize of the Dutch Republic" in shown
    assert "Confirm result" in shown
    answer = {"act": "confirm", "version": str(outcome.version), "sure": result_stamp(battle)}
    assert dutch.post(page(battle), answer).status_code == 302
    battle.refresh_from_db()
    assert battle.status == "fought"
    assert "umpire-reason" not in browser(table, "umpire").get(page(battle)).content.decode(), "nothing to do"
    again = dutch.post(page(battle), {"act": "confirm", "version": str(outcome.version)})
    assert again.status_code == 422 and "settled already" in again.content.decode()


@pytest.mark.clause("G.IN1", "G.BT2")
def test_a_proposed_result_shows_what_became_of_enemy_ships_but_hulls_and_men_only_of_the_side_that_reads(
    table: Campaign, battle: Battle
) -> None:
    propose(browser(table, "umpire"), battle, **TAKEN)
    secrets = ("Hull boxes shot away", '<td class="num">')
    readers = {
        who: browser(table, who).get(page(battle)).content.decode() for who in ("english", "dutch", "umpire")
    }
    own = {who: text.split("Effects on England")[1].split("</details>")[0] for who, text in readers.items()}
    assert all("a prize of the Dutch Republic" in text for text in own.values())
    for secret in secrets:
        assert secret in own["english"] and secret in own["umpire"]
        assert secret not in own["dutch"]
    dutch = readers["dutch"].split("Effects on Dutch Republic")[1]
    assert '<td class="num">' in dutch


@pytest.mark.clause("G.BT2")
def test_a_result_of_which_something_was_never_looked_at_is_not_proposed(
    table: Campaign, battle: Battle
) -> None:
    english = browser(table, "english")
    blank_page = english.get(page(battle)).content.decode()
    assert 'name="hours" value=' not in blank_page, "nothing is filled in for them"
    refused = english.post(page(battle), sent(battle, "propose")).content.decode()
    assert "Hours: This field is required." in refused
    assert "Not entered yet: English squadron (England)." in refused
    assert "Not entered yet: Dutch squadron (Dutch Republic)." in refused
    assert english.post(page(battle), sent(battle, "propose", **HEAD)).status_code == 422
    assert "head" not in BattleOutcome.objects.get(battle=battle).sheet, "all or nothing"
    english.post(page(battle), sent(battle, "rest"))
    assert "entered already" in english.post(page(battle), sent(battle, "rest")).content.decode()
    assert english.post(page(battle), sent(battle, "propose", **HEAD)).status_code == 302
    assert BattleOutcome.objects.get(battle=battle).status == "proposed"


@pytest.mark.clause("G.BT2")
def test_the_sheet_begins_with_the_squadrons_of_its_reader(table: Campaign, battle: Battle) -> None:
    first = {"english": "English squadron", "dutch": "Dutch squadron", "umpire": "English squadron"}
    for who, name in first.items():
        shown = browser(table, who).get(page(battle))
        assert shown.context["squadrons"][0].squadron.name == name
        assert shown.context["rest"][0][1] == {"d": "Dutch Republic", "e": "England"}[name[0].lower()]


@pytest.mark.clause("G.BT2")
def test_a_draft_is_kept_for_its_writer_alone_until_it_is_entered(table: Campaign, battle: Battle) -> None:
    english, dutch = browser(table, "english"), browser(table, "dutch")
    typed = sent(
        battle,
        "keep",
        **{"ENG002-fate": "afloat", "ENG002-hits_struct": "999", "NLD001-fate": "sunk"},
        hours="3",
    )
    assert english.post(page(battle), typed).status_code == 204
    draft = ResultDraft.objects.get()
    assert draft.document == {
        "head": {"hours": "3"},
        "ships": {"ENG002": {"fate": "afloat", "hits_struct": "999"}, "NLD001": {"fate": "sunk"}},
    }
    shown = english.get(f"{page(battle)}?ship=ENG002").content.decode()
    assert 'value="999"' in shown and "1 not entered" in shown and 'name="hours" value="3"' in shown
    assert (
        "not entered and" not in dutch.get(page(battle)).content.decode()
        and not dutch.get(page(battle)).context["typed"]
    )
    assert english.post(page(battle), {**typed, "act": "rest:NLD"}).status_code == 422
    wrong = english.post(page(battle), {**typed, "act": "done:1"})
    assert wrong.status_code == 422 and "Bristol: Ensure this value is less" in wrong.content.decode()
    assert BattleOutcome.objects.get(battle=battle).document == blank(battle)
    typed = sent(battle, "keep", **{"ENG002-fate": ""}, hours="")
    english.post(page(battle), {**typed, "NLD001-fate": ""})
    assert not ResultDraft.objects.exists(), "it says what the sheet says"


def test_the_figures_of_two_hundred_ships_are_not_too_many_fields(table: Campaign, battle: Battle) -> None:
    figures = {f"ENG002-figure{number}": "0" for number in range(200 * 15)}
    assert browser(table, "english").post(page(battle), sent(battle, "keep", **figures)).status_code == 204
    assert not ResultDraft.objects.exists(), "none of these is a figure of a card"


@pytest.mark.clause("G.BT2")
def test_without_scripts_a_button_keeps_what_was_typed_and_opens_a_ships_figures(
    table: Campaign, battle: Battle
) -> None:
    english = browser(table, "english")
    english.get(page(battle))
    opened = english.post(page(battle), sent(battle, "open:ENG002", **{"ENG001-fate": "sunk"}))
    assert opened.url == f"{page(battle)}?ship=ENG002#ship-ENG002"
    shown = english.get(opened.url).content.decode()
    assert 'name="ENG002-hits_struct"' in shown and 'name="ENG001-hits_struct"' not in shown
    assert 'value="sunk" selected' in shown
    flags = {"ENG002-opened": "1", "ENG002-fate": "afloat", "ENG001-fate": "sunk"}
    for ticked in (["withdrew", "aground"], []):
        answer = english.post(page(battle), sent(battle, "done:1", **flags, **{"ENG002-flags": ticked}))
        assert answer.status_code == 302
        lines = {row["ship"]: row for row in BattleOutcome.objects.get(battle=battle).document["ships"]}
        assert lines["ENG002"]["flags"] == sorted(ticked)
    for act in ("open:NLD999", "done:7", "as_it_was:0", "sink"):
        assert english.post(page(battle), sent(battle, act)).status_code == 404


@pytest.mark.clause("G.BT2")
def test_two_people_enter_squadrons_at_once_and_no_one_overwrites_what_they_have_not_seen(
    table: Campaign, battle: Battle
) -> None:
    english, dutch = browser(table, "english"), browser(table, "dutch")
    english.get(page(battle))
    seen = sent(battle, "done:1", **{"ENG002-fate": "sunk"})
    assert english.post(page(battle), seen).status_code == 302
    assert dutch.post(page(battle), {**seen, "act": "as_it_was:2", "ENG002-fate": ""}).status_code == 302
    stale = dutch.post(page(battle), {**seen, "ENG002-fate": "wrecked"})
    assert stale.status_code == 422 and "Someone else has changed this result" in stale.content.decode()
    outcome = BattleOutcome.objects.get(battle=battle)
    assert outcome.sheet == {"1": {"side": "ENG", "version": 2}, "2": {"side": "NLD", "version": 3}}
    fates = {row["ship"]: row["fate"] for row in outcome.document["ships"]}
    assert (fates["ENG002"], fates["ENG001"]) == ("sunk", "afloat")


@pytest.mark.clause("G.BT2")
def test_a_result_is_accepted_only_for_the_ships_of_its_own_battle(table: Campaign, battle: Battle) -> None:
    umpire = browser(table, "umpire")
    document = json.dumps(blank(battle))
    for roster, said in (("0" * 64, "different roster"), ("", "different roster")):
        refused = umpire.post(page(battle), {"act": "document", "document": document, "roster": roster})
        assert refused.status_code == 422 and said in refused.content.decode()
    for text in ("{", "[" * 100_000, "7", '{"schema": 1}'):
        refused = umpire.post(
            page(battle), {"act": "document", "document": text, "roster": battle.roster.digest}
        )
        assert refused.status_code == 422
    good = umpire.post(
        page(battle), {"act": "document", "document": document, "roster": battle.roster.digest}
    )
    assert good.status_code == 302
    assert BattleOutcome.objects.get(battle=battle).status == "proposed"


@pytest.mark.clause("G.BT2", "G.WX3")
@pytest.mark.parametrize(("ended", "gales"), [("gale", 1), ("parted", 0)])
def test_the_preview_of_a_result_names_the_gale_that_ended_the_battle(
    table: Campaign, battle: Battle, ended: str, gales: int
) -> None:
    table.refresh_from_db()
    found = projected(table, battle, {**blank(battle), "ended": ended})
    assert not found.fault
    assert len([words for words in found.told if words.startswith("A gale begins in the ")]) == gales


@pytest.mark.clause("G.BT1", "G.UM1")
def test_only_the_umpire_rules_and_changes_the_route_and_always_with_a_reason(
    table: Campaign, battle: Battle
) -> None:
    for act in ("route", "accept", "reopen", "let_go"):
        assert browser(table, "english").post(page(battle), {"act": act, "reason": "x"}).status_code == 404
    umpire = browser(table, "umpire")
    umpire.get(page(battle))
    engine = {"act": "route", "route": "engine", "sure": result_stamp(battle)}
    assert umpire.post(page(battle), {**engine, "reason": " "}).status_code == 422
    assert umpire.post(page(battle), {"act": "route", "route": "sea", "reason": "x"}).status_code == 422
    sent = umpire.post(page(battle), {**engine, "reason": "as they wish"})
    assert sent.status_code == 302
    assert UmpireAction.objects.get(campaign=table).reason.endswith("as they wish")


@pytest.mark.clause("G.BT1")
def test_no_one_can_choose_the_route_by_orders_but_such_a_battle_can_be_sent_elsewhere(
    table: Campaign, battle: Battle
) -> None:
    umpire = browser(table, "umpire")
    refused = umpire.post(page(battle), {"act": "route", "route": "orders", "reason": "as they wish"})
    assert refused.status_code == 422
    assert "by computer or on the tabletop" in refused.content.decode()
    Battle.objects.filter(pk=battle.pk).update(route=Battle.Route.ORDERS)
    shown = umpire.get(page(battle)).content.decode()
    assert "Battles cannot be fought by orders on this site yet" in shown
    assert 'option value="orders"' not in shown and 'option value="table"' in shown
    battle.refresh_from_db()
    table_ = {"act": "route", "route": "table", "reason": "no board", "sure": result_stamp(battle)}
    assert umpire.post(page(battle), table_).status_code == 302
    battle.refresh_from_db()
    assert battle.route == Battle.Route.TABLE


def asked(who: Client, battle: Battle, **sent: Any) -> str:
    """The question that a button of the result page leads to, which has changed nothing."""
    before = [*Battle.objects.values(), *BattleOutcome.objects.values(), *UmpireAction.objects.values()]
    answer = who.post(page(battle), sent)
    assert [
        *Battle.objects.values(),
        *BattleOutcome.objects.values(),
        *UmpireAction.objects.values(),
    ] == before
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.clause("G.BT2", "G.BT5", "G.UM1")
def test_a_person_reads_what_will_happen_before_an_act_that_cannot_be_undone(
    table: Campaign, battle: Battle
) -> None:
    english, dutch, umpire = (browser(table, who) for who in ("english", "dutch", "umpire"))
    english.get(page(battle))
    assert "fought at once" in asked(umpire, battle, act="route", route="engine", reason="x")
    assert "is deleted" not in asked(umpire, battle, act="route", route="engine", reason="x")
    propose(english, battle)
    version = str(BattleOutcome.objects.get().version)
    shown = asked(dutch, battle, act="confirm", version=version)
    assert "Confirm this result?" in shown and "no one can change it afterwards" in shown
    assert "has not answered" not in shown and "umpire&#x27;s log" not in shown
    shown = asked(umpire, battle, act="accept", reason="late")
    assert "Dutch Republic has not answered yet." in shown and 'value="late"' in shown
    assert "England has confirmed it." in asked(umpire, battle, act="reopen", reason="x")

    seen = result_stamp(battle)
    said = {"act": "dispute", "version": version, "reason": "Gouda was not there"}
    assert dutch.post(page(battle), said).status_code == 302
    shown = asked(umpire, battle, act="accept", reason="late", sure=seen)
    assert "Dutch Republic disputes it: Gouda was not there" in shown, "it is another question now"


@pytest.mark.clause("G.BT5")
def test_a_proposal_that_no_one_can_answer_is_asked_about_and_cancelling_loses_nothing(
    table: Campaign, battle: Battle
) -> None:
    english = browser(table, "english")
    table.memberships.filter(side__name="Dutch Republic").delete()
    english.get(page(battle))
    assert english.post(page(battle), sent(battle, "rest")).status_code == 302
    typed = sent(battle, "propose", **HEAD)
    assert "accepted at once" in asked(english, battle, **typed)
    assert ResultDraft.objects.get().document["head"] == HEAD
    assert "is deleted" in asked(english, battle, **{**typed, "act": "discard"})
    assert english.post(page(battle), {**typed, "sure": result_stamp(battle)}).status_code == 302
    assert BattleOutcome.objects.get().status == "confirmed"


@pytest.mark.clause("G.BT4", "G.IN1")
def test_the_chart_page_says_whose_fleets_are_held_and_links_to_their_battle(
    table: Campaign, battle: Battle
) -> None:
    chart = reverse("campaign", args=["table"])
    english = browser(table, "english").get(chart).content.decode()
    assert english.count(page(battle)) > 1 and "Enter the result of a battle" in english
    assert "Waiting for you" not in browser(table, "umpire").get(chart).content.decode()
    assert page(battle) in browser(table, "umpire").get(chart).content.decode()
    for person in ("french", "observer"):
        assert battle.code not in browser(table, person).get(chart).content.decode()


@pytest.mark.clause("G.BT4")
def test_a_turn_that_waits_for_people_is_not_polled(db: Any) -> None:
    campaign = start("table")
    campaign.settings = {"battle_route": "table", "campaign_waits": "yes"}
    campaign.save()
    turn = campaign.turns.get()
    turn_lock(turn=turn)
    turn_run(turn_id=turn.pk)
    shown = browser(campaign, "english").get(reverse("campaign_status", args=["table"])).content.decode()
    assert "waiting for a battle" in shown and "every 3s" not in shown


def test_the_sheet_and_the_print_are_read_in_few_queries_whatever_the_ships(
    table: Campaign, battle: Battle, django_assert_max_num_queries: Any
) -> None:
    english = browser(table, "english")
    for name in ("battle_result", "battle_print"):
        english.get(page(battle, name))
        with django_assert_max_num_queries(22):
            english.get(page(battle, name))
