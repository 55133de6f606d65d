"""What happens ashore, through rows: orders given and refused, yards and prizes written, officers replaced, all put back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from battles.engine.core.dice import KeyedDice
from battles.engine.registry import rule_set
from campaign.models import Campaign, Membership, SideOrder, Station, Turn
from campaign.rules.chart import side_orders as pure
from campaign.rules.state.economy import PrizeCase, Stage
from campaign.rules.turn import turn as rules
from campaign.rules.turn.snapshots import facts_from_dict, facts_to_dict
from campaign.rules.turn.turn import TurnState, standing
from campaign.selectors.turn.facts import turn_facts
from campaign.services.orders.orders import OrderRefused
from campaign.services.orders.side_orders import side_order_submit
from campaign.services.turn.economy import economy_restore
from campaign.services.turn.rollback import rollback
from fleets.models import (
    MenAshore,
    Officer,
    OfficerRecord,
    PrisonersHeld,
    Prize,
    PrizeFund,
    RepairJob,
    ServiceRecord,
    Ship,
)
from tests.campaign.services.conftest import start, unattended
from tests.campaign.services.test_turns import rows_agree
from tests.support.answers import flawless
from tests.support.turns import turn_closes


@pytest.fixture
def peace(db: Any) -> Campaign:
    """A small war in which nobody meets: both fleets lie in their greatest ports, every English ship damaged."""
    campaign = start(demo_seed="ashore")
    campaign.memberships.get(
        side__name="Dutch Republic"
    ).delete()  # one letter less a turn, which no one reads
    for code, place in (("ENG", "chatham"), ("NLD", "hellevoetsluis")):
        Station.objects.filter(fleet__navy__code=code, fleet__navy__book=campaign.book).update(at=place)
    campaign.turns.get().orders.update(stance="hold", route=[])
    for number, ship in enumerate(campaign.book.ships.filter(navy__code="ENG").order_by("code")):
        ship.condition = {**ship.condition, "hits_struct": number + 2}
        ship.save()
    return campaign


def english(campaign: Campaign) -> Membership:
    return campaign.memberships.select_related("side__navy", "user").get(side__name="England")


def opened(campaign: Campaign) -> Turn:
    return campaign.turns.select_related("campaign__book", "campaign__theatre").get(phase="open")


def order(campaign: Campaign, state_no: int | None = None, **orders: Any) -> SideOrder:
    """The English chief's orders ashore."""
    return flawless(
        side_order_submit,
        turn=opened(campaign),
        membership=english(campaign),
        order=pure.SideOrder("ENG", **orders),
        state_no=state_no,
    )


def codes(campaign: Campaign) -> list[str]:
    return list(campaign.book.ships.filter(navy__code="ENG").order_by("code").values_list("code", flat=True))


@pytest.mark.clause("G.RP2", "G.SV1")
def test_a_ship_sent_to_the_yard_is_in_its_books_and_comes_out_repaired_with_an_entry(
    peace: Campaign,
) -> None:
    ships = codes(peace)
    order(peace, queue=(ships[0], ships[1]))
    unattended(peace)
    rows_agree(turn_closes(opened(peace)))
    jobs = list(RepairJob.objects.filter(book=peace.book))
    assert [job.ship.code for job in jobs] == [ships[0], ships[1]]
    assert {(job.place, job.navy.code) for job in jobs} == {("chatham", "ENG")}
    for _ in range(2):
        rows_agree(turn_closes(opened(peace)))
    first = Ship.objects.get(book=peace.book, code=ships[0])
    assert first.condition["hits_struct"] == 0
    assert not RepairJob.objects.filter(ship=first).exists()
    kinds = list(first.service_records.values_list("kind", flat=True))
    assert kinds == ["mustered", "in_yard", "repaired"]
    assert "light work on the hull" in first.service_records.get(kind="repaired").data["work"]


@pytest.mark.clause("G.MV2", "G.RP2")
def test_the_remaining_shore_orders_carry_over_to_the_next_turn(peace: Campaign) -> None:
    ships = codes(peace)
    given = order(peace, queue=(ships[3],), bounty={"chatham": 5})
    assert (given.source, given.state_no) == ("web", 1)
    turn_closes(opened(peace))
    row = opened(peace).side_orders.get(side__name="England")
    assert row.source == "standing"
    assert row.document["queue"] == [ships[3]]
    facts, orders = turn_facts(opened(peace))
    assert facts.side_orders["ENG"].queue == (ships[3],)
    read, _ = facts_from_dict(facts_to_dict(facts, orders), facts.theatre)
    assert read == facts


def refused(campaign: Campaign, state_no: int | None = None, **orders: Any) -> list[str]:
    """Codes of the faults of orders; nothing is saved."""
    before = list(SideOrder.objects.values_list("pk", "document", "state_no"))
    with pytest.raises(OrderRefused) as caught:
        order(campaign, state_no, **orders)
    assert list(SideOrder.objects.values_list("pk", "document", "state_no")) == before
    assert all(fault.clause.startswith("G.") and fault.text.endswith(".") for fault in caught.value.faults)
    return [fault.code for fault in caught.value.faults]


@pytest.mark.clause("G.MV3", "G.RP2", "G.RP3", "G.PR4", "G.PR5")
def test_every_error_in_shore_orders_is_reported_at_once(peace: Campaign) -> None:
    ships = codes(peace)
    dutch = peace.book.ships.filter(navy__code="NLD").first().code
    Ship.objects.filter(code=ships[1]).update(
        condition={"schema": 1, "hits_struct": 0, "hits_board": 0, "flag_officer_ok": True}
    )
    faults = refused(
        peace,
        queue=(ships[0], ships[0], dutch, "nobody", ships[1]),
        choices=(pure.PrizeChoice(dutch, pure.PrizeAct.SELL),),
        recruits=(ships[2], ships[2], dutch),
        bounty={"hellevoetsluis": 5, "chatham": -1},
        moves=(
            pure.MenMove(ships[0], ships[0], 3),
            pure.MenMove(ships[0], dutch, 3),
            pure.MenMove(ships[0], ships[1], 5000),
        ),
        exchange={"ENG": 3, "NLD": -1},
        ransom=(ships[0],),
    )  # fmt: skip
    assert faults == [
        "yard/twice", "side/not-your-ship", "side/not-your-ship", "yard/no-work", "prize/not-yours", "men/twice",
        "side/not-your-ship", "men/number", "men/not-your-port", "men/same-ship", "men/number",
        "prisoners/no-such-side", "prisoners/number", "prize/no-ransom",
    ]  # fmt: skip


@pytest.mark.clause("G.RP2")
def test_a_berth_of_the_wrong_class_is_refused_where_she_lies(peace: Campaign) -> None:
    ships = codes(peace)
    Station.objects.filter(fleet__navy__code="ENG").update(at="harwich")
    ship = Ship.objects.get(code=ships[0])
    ship.condition = {**ship.condition, "hits_struct": ship.card["hull_max"] - 1}
    ship.save()
    assert refused(peace, queue=(ships[0],)) == ["yard/berth-class"]
    Station.objects.filter(fleet__navy__code="ENG").update(at="downs")
    assert order(peace, queue=(ships[0],)).document["queue"] == [
        ships[0]
    ]  # at sea: she may be bound for any yard


@pytest.mark.clause("G.MV3")
def test_a_stale_form_a_closed_turn_and_anyone_but_the_commander_in_chief_are_refused(
    peace: Campaign,
) -> None:
    ships = codes(peace)
    order(peace, 0, queue=(ships[0],))
    assert refused(peace, 0, queue=(ships[1],)) == ["side/stale"]
    order(peace, 1, queue=(ships[1],))
    assert SideOrder.objects.get().state_no == 2
    member = english(peace)
    Membership.objects.filter(pk=member.pk).update(chief=False)
    assert refused(peace, 2) == ["side/not-chief"]
    Membership.objects.filter(pk=member.pk).update(chief=True)
    turn = opened(peace)
    Turn.objects.filter(pk=turn.pk).update(phase="locked")
    turn.refresh_from_db()
    with pytest.raises(OrderRefused) as caught:
        side_order_submit(turn=turn, membership=member, order=pure.SideOrder("ENG"))
    assert caught.value.faults[0].code == "side/turn-closed"


def with_prize(campaign: Campaign) -> Ship:
    """A Dutch ship that the English have brought in, condemned at the next 06:00."""
    prize = campaign.book.ships.filter(navy__code="NLD").order_by("code").last()
    taker = campaign.book.ships.filter(navy__code="ENG").order_by("code").first()
    navy = taker.navy
    old = prize.navy
    squadron = taker.squadron.fleet.squadrons.create(code=f"{taker.squadron.fleet.code}-PR", name="Prizes")
    prize.navy, prize.prize, prize.squadron, prize.men, prize.captain = navy, True, squadron, 20, ""
    prize.save()
    Prize.objects.create(
        ship=prize, captor=navy, taken_from=old, taken_by=taker, when="1666-05-29T12:00", battle="b",
        prize_crew=20, prisoners=70,
    )  # fmt: skip
    case = PrizeCase(prize.code, "ENG", "NLD", taker.code, -24, 200, Stage.COURT, "chatham", court=91)
    facts, _ = turn_facts(opened(campaign))
    state = standing(facts)
    state.economy.prizes[prize.code] = case
    state.economy.hold("ENG", "chatham", "NLD", 70)
    campaign.carried = state.carried()
    campaign.save()
    return prize


@pytest.mark.clause("G.PR4", "G.SV1")
def test_a_condemned_prize_is_bought_in_under_a_new_name_and_her_record_says_so(peace: Campaign) -> None:
    prize = with_prize(peace)
    former = prize.name
    order(peace, choices=(pure.PrizeChoice(prize.code, pure.PrizeAct.BUY, "Guelder"),))
    unattended(peace)
    state = rows_agree(turn_closes(opened(peace)))
    prize.refresh_from_db()
    value = state.economy.prizes[prize.code].value
    assert value == int(250 * rule_set("kohler").at_sea.value(prize.card, prize.condition))
    assert (prize.name, prize.former_names, prize.prize, prize.navy.code) == (
        "Guelder",
        [former],
        False,
        "ENG",
    )
    assert PrizeFund.objects.get(navy__code="ENG").pounds == 10000 - value
    assert sum(PrizeFund.objects.get(navy__code="ENG").earned) == value + 5 * 200
    row = Prize.objects.get(ship=prize)
    assert (row.status, row.port, row.value, row.head_money) == ("bought", "chatham", value, 1000)
    kinds = list(prize.service_records.order_by("pk").values_list("kind", flat=True))
    assert kinds[-3:] == ["condemned", "bought_in", "renamed"]
    rows_agree(turn_closes(opened(peace)))
    assert turn_facts(opened(peace))[0].ships[prize.code].name == "Guelder"


@pytest.mark.one_database
@pytest.mark.clause("G.PR4", "G.PR5")
@pytest.mark.parametrize(
    ("act", "status", "gain", "fate"),
    [("sell", "sold", 1, "afloat"), ("hulk", "hulked", 4, "afloat"), ("burn", "burnt", 0, "burnt")],
)
def test_a_prize_that_is_not_bought_leaves_the_navy(
    peace: Campaign, act: str, status: str, gain: int, fate: str
) -> None:
    prize = with_prize(peace)
    order(peace, choices=(pure.PrizeChoice(prize.code, pure.PrizeAct(act)),))
    unattended(peace)
    state = rows_agree(turn_closes(opened(peace)))
    prize.refresh_from_db()
    value = state.economy.prizes[prize.code].value
    assert (prize.squadron, prize.fate, prize.men) == (None, fate, 0)
    assert Prize.objects.get(ship=prize).status == status
    assert PrizeFund.objects.get(navy__code="ENG").pounds == 10000 + (value // gain if gain else 0)
    assert MenAshore.objects.get().men == 20
    assert PrisonersHeld.objects.get().men == 70
    rows_agree(turn_closes(opened(peace)))


@pytest.mark.clause("G.UM3")
def test_a_rollback_restores_everything_ashore_with_the_orders_that_applied(peace: Campaign) -> None:
    prize = with_prize(peace)
    former, ships = prize.name, codes(peace)
    order(peace, queue=(ships[3],), choices=(pure.PrizeChoice(prize.code, pure.PrizeAct.BUY, "Guelder"),))
    unattended(peace)
    first = turn_closes(opened(peace))
    assert RepairJob.objects.exists()
    umpire = peace.memberships.get(role="umpire").user
    again = rollback(campaign=peace, number=1, umpire=umpire, reason="a fault of the program", same_dice=True)
    for _ in range(2):
        prize.refresh_from_db()
        assert (prize.name, prize.former_names, prize.prize) == (former, [], True)
        assert not RepairJob.objects.exists()
        assert Prize.objects.get(ship=prize).status == "in_port"
        assert PrizeFund.objects.get(navy__code="ENG").pounds == 10000
        economy_restore(campaign=peace, turn=Turn.every.get(pk=first.pk))
    assert again.side_orders.get(side__name="England").document["queue"] == [ships[3]]
    assert turn_closes(again).state_hash == first.state_hash
    prize.refresh_from_db()
    assert (prize.name, prize.former_names) == ("Guelder", [former])
    assert prize.service_records.filter(kind="bought_in", void="").count() == 1


@pytest.mark.clause("G.AF1", "G.SV1")
def test_the_next_captain_follows_one_who_falls_and_both_have_it_in_their_records(
    peace: Campaign,
) -> None:
    ship = Ship.objects.get(code=codes(peace)[1])
    fallen = Officer.objects.get(ship=ship, flag_rank=False)
    Officer.objects.filter(pk=fallen.pk).update(status="killed", ship=None)
    waiting = Officer.objects.create(navy=ship.navy, name="Robert Holmes", seniority=1)
    Ship.objects.filter(pk=ship.pk).update(captain="")
    facts, _ = turn_facts(opened(peace))
    state = standing(facts)
    state.economy.vacant = frozenset({ship.code})
    peace.carried = state.carried()
    peace.save()
    turn = turn_closes(opened(peace))
    rows_agree(turn)
    ship.refresh_from_db()
    waiting.refresh_from_db()
    assert (ship.captain, waiting.ship) == ("Robert Holmes", ship)
    assert [str(r.kind) for r in OfficerRecord.objects.filter(officer=waiting)] == ["command"]
    assert ServiceRecord.objects.filter(ship=ship, kind="captain").count() == 1
    assert TurnState.from_dict(turn.state).economy.vacant == frozenset()


@pytest.mark.clause("G.AF1")
def test_after_a_battle_the_records_of_officers_agree_with_the_chart(closed: Turn) -> None:
    state = TurnState.from_dict(closed.state)
    told = [event.data for event in state.events if event.kind == "officer"]
    for data in told:
        officer = Officer.objects.get(navy__book=closed.campaign.book, name=data["name"])
        assert officer.status == {"drowned": "killed"}.get(data["fate"], data["fate"])
        assert OfficerRecord.objects.filter(officer=officer).exists()
    for row in Officer.objects.filter(navy__book=closed.campaign.book).select_related("ship__navy"):
        if row.ship is not None:
            assert row.ship.navy_id == row.navy_id


@pytest.mark.one_database
@pytest.mark.clause("G.PR4", "G.RP2")
def test_the_automatic_admiral_refits_and_disposes_of_prizes(peace: Campaign) -> None:
    prize = with_prize(peace)
    peace.sides.filter(name="England").update(automatic=True)
    rows_agree(turn_closes(opened(peace)))
    row = SideOrder.objects.get(turn__number=1, side__name="England")
    assert (row.source, row.author, row.refused) == ("admiral", "automatic admiral", "")
    assert row.document["queue"]
    assert Prize.objects.get(ship=prize).status in ("bought", "sold")
    assert row.document["exchange"] == {"NLD": 70}


def test_orders_overtaken_by_events_are_dropped_line_by_line(peace: Campaign) -> None:
    ships = codes(peace)
    facts, _ = turn_facts(opened(peace))
    state = standing(facts)
    state.economy.orders["ENG"] = pure.SideOrder("ENG", queue=(ships[0], "gone"), recruits=("gone",))
    made = replace(facts, carried=state.carried())
    begun = rules.begin(made, {}, KeyedDice(b"x"))
    assert begun.economy.order("ENG") == pure.SideOrder("ENG", queue=(ships[0],))
