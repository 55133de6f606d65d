"""The page of groups: what sails by itself, standing orders, and what is taken in hand. Rules: G.KT2, G.KT3, G.IN1."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

from campaign.models import SideOrder
from campaign.rules.chart.side_orders import GroupOrders, side_order_doc
from campaign.rules.chart.side_orders import SideOrder as Pure
from campaign.selectors.turn.groups import groups_now
from campaign.services.mail.reply_forms import stations_for_reply
from tests.support.people import DUTCH, ENGLISH, World
from tests.support.versions import play_by_older_rules

pytestmark = pytest.mark.one_database

CODE = "telltale"

TAKE = 'aria-label="Take command of'  # the button


@pytest.fixture
def grouped(told: World) -> World:
    """Both sides' fleets are groups of stragglers."""
    rows = {f"{tale}-f": {"group": "stragglers"} for tale in (ENGLISH, DUTCH)}
    told.campaign.carried = {**told.campaign.carried, "fleets": rows}
    told.campaign.settings = {**told.campaign.settings, "fragments": "one group", "muster": "ask"}
    told.campaign.save()
    return told


def shown(world: World, person: str = "english", **query: str) -> str:
    return str(world.client(person).get(reverse("groups", args=[CODE]), query).content.decode())


def post(world: World, **fields: Any) -> Any:
    row = SideOrder.objects.filter(side=world.english.side).first()
    number = row.state_no if row else 0
    return world.client("english").post(reverse("groups", args=[CODE]), {"state_no": number, **fields})


@pytest.mark.clause("G.KT2", "G.IN1")
def test_a_side_sees_its_own_groups_and_the_umpire_those_of_either(grouped: World) -> None:
    own = shown(grouped)
    assert f"{ENGLISH}-f" in own
    assert TAKE in own
    assert DUTCH not in own.lower()
    assert f"{DUTCH}-f" in shown(grouped, "umpire", side="NLD")
    assert TAKE not in shown(grouped, "umpire")


@pytest.mark.clause("G.KT2", "G.FA1")
def test_who_sails_by_itself_is_judged_by_the_rules_that_the_campaign_plays_by(
    grouped: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_by_older_rules(grouped.campaign, tmp_path, monkeypatch)
    page = shown(grouped)
    assert f"{ENGLISH}-f" in page
    assert TAKE not in page


@pytest.mark.clause("G.KT2")
def test_a_group_takes_orders_from_when_it_is_taken_in_hand_until_it_is_released(grouped: World) -> None:
    orders = reverse("orders", args=[CODE, f"{ENGLISH}-f"])
    answer = grouped.client("english").get(orders)
    assert (answer.status_code, answer.headers["Location"]) == (302, reverse("groups", args=[CODE]))
    assert stations_for_reply(grouped.english) == []
    assert post(grouped, act=f"take:{ENGLISH}-f").status_code == 302
    assert groups_now(grouped.campaign, grouped.turn) == {f"{DUTCH}-f"}
    assert grouped.client("english").get(orders).status_code == 200
    assert [row.fleet.code for row in stations_for_reply(grouped.english)] == [f"{ENGLISH}-f"]
    assert "in hand" in shown(grouped)
    assert post(grouped, act=f"let:{ENGLISH}-f").status_code == 302
    assert groups_now(grouped.campaign, grouped.turn) == {f"{DUTCH}-f", f"{ENGLISH}-f"}


@pytest.mark.clause("G.KT2", "G.CL2")
def test_a_group_stays_in_hand_from_turn_to_turn(grouped: World) -> None:
    orders = [side_order_doc(Pure("ENG", in_hand=(f"{ENGLISH}-f",)))]
    grouped.campaign.carried = {**grouped.campaign.carried, "economy": {"orders": orders}}
    grouped.campaign.save()
    assert groups_now(grouped.campaign, grouped.turn) == {f"{DUTCH}-f"}
    assert groups_now(grouped.campaign, None) == {f"{DUTCH}-f"}


@pytest.mark.clause("G.KT2")
def test_the_standing_orders_are_saved_and_shown(grouped: World) -> None:
    fields = {
        "stragglers": "wait", "cripples": "port", "escort": "frigate", "prize_port": "chatham", "burn_under": "250",
    }  # fmt: skip
    assert post(grouped, act="standing", **fields).status_code == 302
    document = SideOrder.objects.get(side=grouped.english.side).document
    told = GroupOrders("wait", "port", "chatham", 250, "frigate")
    assert document == side_order_doc(Pure("ENG", groups=told))
    page = shown(grouped)
    for value in ("wait", "port", "frigate", "chatham"):
        assert f'<option value="{value}" selected>' in page
    assert 'value="250"' in page


@pytest.mark.clause("G.KT2", "G.KT3", "G.MV3")
@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"act": "standing", "stragglers": "hide", "cripples": "yard", "escort": "none"}, "must be one of"),
        (
            {
                "act": "standing",
                "stragglers": "wait",
                "cripples": "yard",
                "escort": "none",
                "prize_port": "texel",
            },
            "is not one of your ports",
        ),
        (
            {
                "act": "standing",
                "stragglers": "wait",
                "cripples": "yard",
                "escort": "none",
                "burn_under": "-1",
            },
            "£0 to £1,000,000",
        ),
        ({"act": f"take:{DUTCH}-f"}, "is not one of your groups"),
        ({"act": f"muster:{DUTCH}-f"}, "is not one of your fleets"),
    ],
)
def test_what_cannot_be_ordered_is_refused_and_nothing_is_saved(
    grouped: World, fields: dict[str, str], said: str
) -> None:
    answer = post(grouped, **fields)
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert not SideOrder.objects.filter(side=grouped.english.side).exists()


@pytest.mark.clause("G.KT2", "G.KT3")
def test_without_groups_the_page_says_so_and_small_squadrons_can_be_filled_up(told: World) -> None:
    told.campaign.settings = {
        **told.campaign.settings,
        "fragments": "as thrown",
        "muster": "ask",
        "least_squadron": 20,
    }
    told.campaign.save()
    page = shown(told)
    assert "becomes a separate fleet" in page
    assert "No stragglers, crippled ships or prizes" in page
    assert "Fill up squadrons" in page
    assert post(told, act=f"muster:{ENGLISH}-f").status_code == 302
    assert "Musters in its next port" in shown(told)
