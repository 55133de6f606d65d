"""What a rollback restores and what it leaves, whose dice count for whom, and settings that change."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from campaign.models import Campaign, SideOrder, Turn, UmpireAction
from campaign.rules.chart import side_orders as pure
from campaign.selectors.turn.facts import OrderColumns
from campaign.services.orders.orders import OrderRefused, order_submit
from campaign.services.orders.side_orders import orders_ashore_carry, orders_ashore_copy, side_order_submit
from campaign.services.settings.rule_changes import RulesRefused, rules_change, rules_take_effect, ties_now
from campaign.services.turn.books import books_document
from campaign.services.turn.chart_dice import CountedDice
from tests.support.answers import flawless
from tests.support.factories import TurnFactory
from tests.support.people import DUTCH, ENGLISH, World, world
from tests.support.put_back import put_back


@pytest.fixture
def told(db: Any) -> World:
    return world()


@pytest.mark.clause("G.UM3")
def test_a_rollback_restores_what_turns_change_and_nothing_that_people_wrote_or_set(told: World) -> None:
    document = books_document(told.campaign)
    kept = {name.partition(".")[2]: set(table["columns"]) for name, table in document.items()}
    assert {"fleet", "squadron", "ship", "officer", "prize"} <= set(kept)
    assert kept["station"] == {"at", "to", "run", "free_until", "held_by", "since"}
    assert kept["command"] == {"membership"}
    assert kept["letter"] == {"due", "carrier", "fate", "taken_by", "told", "void"}
    assert kept["release"] == {"void"}
    assert kept["calendarrow"] == {"moved", "struck"}, (
        "a rollback takes back what the umpire changed of an event"
    )
    written = {
        "book", "theatre", "theatre_hash", "name",
        "start_date", "created", "demo_seed", "status", "deadline_hours", "paused", "deadline_days",
        "deadline_at", "time_zone", "run_when_ready", "opening", "began_as", "opening_code",
        "chart_version", "chart_rules", "rules_taken", "rules_passed",
    }  # fmt: skip
    assert kept["campaign"] == {field.name for field in Campaign._meta.concrete_fields} - written - {"id"}
    assert {"calendar_day", "carried", "weather", "hostility"} <= kept["campaign"]


@pytest.mark.clause("G.FA2")
def test_dice_are_counted_for_the_side_whose_ship_squadron_or_fleet_they_were_thrown_for() -> None:
    facts: Any = SimpleNamespace(
        sides={"ENG": None, "NLD": None},
        fleets={"F1": SimpleNamespace(code="F1", side="ENG"), "F2": SimpleNamespace(code="F2", side="NLD")},
        squadrons={n: SimpleNamespace(code=n, fleet=fleet) for n, fleet in (("S1", "F1"), ("S2", "F2"), ("S3", "gone"))},
        ships={"A": SimpleNamespace(code="A", side="NLD")},
        calendar=(),
    )  # fmt: skip
    assert CountedDice.of(facts).owners == {
        "ENG": "ENG", "NLD": "NLD", "F1": "ENG", "F2": "NLD", "S1": "ENG", "S2": "NLD", "A": "NLD",
    }  # fmt: skip


# --- rules that change ---------------------------------------------------------------------------------------


@pytest.mark.clause("G.UM1", "G.CO7")
def test_settings_change_from_the_next_turn_and_one_that_is_set_back_is_not_a_change(told: World) -> None:
    campaign, who = told.campaign, told.umpire.user

    def change(reason: str = "why", **typed: str) -> list[str]:
        ties = {("ENG", "NLD"): typed.pop("tie")} if "tie" in typed else {}
        return flawless(rules_change, campaign=campaign, umpire=who, typed=typed, ties=ties, reason=reason)

    assert ties_now(campaign) == {("ENG", "NLD"): "war"}
    count = UmpireAction.objects.count()
    assert change(turn_days="3") == change("", tie="war") == [] and UmpireAction.objects.count() == count
    for typed, path in (
        ({"nonsense": "1"}, "nonsense"),
        ({"turn_days": "x"}, "turn_days"),
        ({"tie": "truce"}, "ENG-NLD"),
    ):
        with pytest.raises(RulesRefused) as refused:
            change(**typed)
        assert [fault.path for fault in refused.value.faults] == [path]
    with pytest.raises(RulesRefused) as refused:
        change(" ", turn_days="4")
    assert [fault.path for fault in refused.value.faults] == ["reason"]
    with pytest.raises(RulesRefused):
        rules_change(campaign=campaign, umpire=who, typed={}, ties={("ENG", "FRA"): "war"}, reason="x")
    (words,) = change(turn_days="4")
    assert words.endswith("3 → 4") and campaign.coming["settings"] == {"turn_days": 4}
    assert UmpireAction.objects.latest("pk").turn == "telltale/2"
    assert change(tie="alliance") != []
    assert campaign.coming["ties"] == [["ENG", "NLD", "alliance"]]
    (words,) = change(turn_days="3")
    assert words.endswith("4 → 3") and campaign.coming["settings"] == {}
    change(turn_days="5")
    rules_take_effect(campaign=campaign)
    row = Campaign.objects.get(pk=campaign.pk)
    assert (row.turn_days, row.hostility, row.alliances, row.coming) == (5, [], [["ENG", "NLD"]], {})
    assert "turn_days" not in row.settings and ties_now(row) == {("ENG", "NLD"): "alliance"}
    rules_change(campaign=row, umpire=who, typed={}, ties={("ENG", "NLD"): "peace"}, reason="x")
    rules_take_effect(campaign=row)
    assert ties_now(row) == {("ENG", "NLD"): "peace"}
    rules_take_effect(campaign=row)
    assert ties_now(row) == {("ENG", "NLD"): "peace"}


# --- orders of two people at once ----------------------------------------------------------------------------


@pytest.mark.clause("G.MV2", "G.MV3", "G.IN4")
def test_orders_replace_only_those_that_the_sender_saw(told: World) -> None:
    told.turn.refresh_from_db()

    def give(state_no: int | None, **who: Any) -> list[str]:
        try:
            order_submit(
                **{"turn": told.turn, "membership": told.english, "fleet": told.english_fleet, **who},
                order=OrderColumns(stance="avoid"), state_no=state_no,
            )  # fmt: skip
        except OrderRefused as refused:
            return [fault.code for fault in refused.faults]
        except Exception as error:
            return [repr(error)]
        return []

    before = told.turn.orders.get(fleet=told.english_fleet)
    assert before.state_no == 1
    for number, codes in (
        (0, ["order/stale"]),
        (2, ["order/stale"]),
        (1, []),
        (1, ["order/stale"]),
        (None, []),
    ):
        assert give(number) == codes, number
    after = told.turn.orders.get(fleet=told.english_fleet)
    assert (after.state_no, after.author, after.source) == (
        3,
        "english",
        "web",
    ) and after.given > before.given
    assert give(None, fleet=told.dutch_fleet) == ["order/not-your-fleet"]
    assert (
        give(None, membership=told.umpire) == give(None, membership=told.observer) == ["order/not-your-fleet"]
    )
    Turn.objects.filter(pk=told.turn.pk).update(phase="locked")
    assert give(None) == ["order/turn-closed"], "it was locked since the page was made"
    told.turn.refresh_from_db()
    assert give(None) == ["order/turn-closed"]


@pytest.mark.clause("G.MV3", "G.IN4")
def test_shore_orders_replace_only_those_that_the_sender_saw(told: World) -> None:
    def give(state_no: int | None, member: Any = told.english, **orders: Any) -> list[str]:
        order = pure.SideOrder("", **orders)
        try:
            side_order_submit(turn=told.turn, membership=member, order=order, state_no=state_no)
        except OrderRefused as refused:
            return [fault.code for fault in refused.faults]
        except Exception as error:
            return [repr(error)]
        return []

    for member in (told.umpire, told.observer):
        assert give(0, member) == ["side/not-chief"]
    with put_back():
        assert give(None) == []
        assert SideOrder.objects.get().document["side"] == "ENG"
    assert give(1) == ["side/stale"], "there are none yet"
    told.turn.side_orders.all().delete()
    for number, codes in ((0, []), (0, ["side/stale"]), (1, []), (2, []), (4, ["side/stale"]), (None, [])):
        assert give(number) == codes, number
    row = SideOrder.objects.get()
    assert (row.state_no, row.author, row.source) == (4, "english", "web")
    assert give(None, queue=(f"{DUTCH}-01",)) != [] and SideOrder.objects.get().state_no == 4
    told.turn.phase = "locked"
    assert give(None) == ["side/turn-closed"]
    told.turn.phase = "open"
    Turn.objects.filter(pk=told.turn.pk).update(phase="locked")
    assert give(None) == ["side/turn-closed"]


@pytest.mark.clause("G.MV2", "G.UM3")
def test_shore_orders_are_copied_whole_or_carried_over_for_the_existing_sides(told: World) -> None:
    SideOrder.objects.create(
        turn=told.turn, side=told.english.side, document={"side": "ENG"}, refused="x", source="web"
    )
    new = TurnFactory(campaign=told.campaign, number=3, phase="closed")
    orders_ashore_copy(old=told.turn, new=new)
    row = new.side_orders.get()
    assert (row.side, row.document, row.refused, row.source) == (
        told.english.side,
        {"side": "ENG"},
        "",
        "web",
    )
    other = TurnFactory(campaign=told.campaign, number=4, phase="closed")
    left = {code: pure.SideOrder(code, queue=(ENGLISH,)) for code in ("FRA", "ENG")}
    state: Any = SimpleNamespace(economy=SimpleNamespace(orders=left))
    orders_ashore_carry(new=other, state=state)
    row = other.side_orders.get()
    assert (row.side, row.source, row.document["queue"]) == (told.english.side, "standing", [ENGLISH])
