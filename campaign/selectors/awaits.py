"""What waits for a member of a campaign, each with the page where they see to it: home, the menu and emails ask this.

Only what the member may know and may do is in it. A fixed number of queries, whatever the fleets and ships. Rules: G.IN1, G.IN4.
"""

from __future__ import annotations

from dataclasses import dataclass

from battles.models import Battle, BattleOutcome
from campaign.accounts.words import counted
from campaign.models import Campaign, Letter, Membership, Order, SideOrder, Station, Turn
from campaign.rules.chart.types import PlaceKind
from campaign.rules.state.economy import Stage
from campaign.selectors.mail.battle_mails import may_hear
from campaign.selectors.orders.condition import hull_rows
from campaign.selectors.people.access import Role, current_turn, stations_for
from campaign.selectors.people.commanding import acts_as_chief, fleets_commanded
from campaign.selectors.turn.facts import theatre_of
from campaign.selectors.turn.groups import groups_now


@dataclass(frozen=True, slots=True)
class Await:
    """Something that waits for a member. text: a sentence. page: name of the address that it leads to; argument: of that address
    beside the campaign, "" for none; link: its words. menu: the entry of the menu that counts it. number: how many it stands for.
    """

    text: str
    page: str
    link: str
    argument: str = ""
    menu: str = ""
    number: int = 1

    @property
    def entry(self) -> str:
        """The entry of the menu that counts it."""
        return self.menu or self.page


def awaits(membership: Membership, turn: Turn | None = None) -> tuple[Await, ...]:
    """What waits for a member, the most pressing first; nothing in a campaign that is over. turn: the current one, if it is known."""
    if membership.campaign.status == Campaign.Status.CLOSED or membership.role == Role.OBSERVER:
        return ()
    turn = turn or current_turn(membership.campaign)
    if membership.role == Role.UMPIRE:
        return (*_failed(turn), *_results(membership), *_letters(membership))
    opened = turn if turn is not None and turn.phase == Turn.Phase.OPEN else None
    found = [*_orders(membership, opened), *_results(membership), *_letters(membership)]
    if opened is not None and acts_as_chief(membership):
        order = SideOrder.objects.filter(turn=opened, side=membership.side).first()
        found += [*_prizes(membership, order), *_yards(membership, order)]
    return tuple(found)


def _failed(turn: Turn | None) -> list[Await]:
    if turn is None or turn.phase != Turn.Phase.FAILED:
        return []
    return [
        Await(f"Turn {turn.number} could not be run. Check why, then try again.", "desk", "Umpire's desk")
    ]


def _orders(membership: Membership, turn: Turn | None) -> list[Await]:
    """Orders of fleets that could have some and have none, and the ready mark. Rules: G.MV2, G.CL1."""
    if turn is None or turn.ready_marks.filter(side=membership.side_id).exists():
        return []
    stations = [row for row in stations_for(membership) if not row.held_by]
    mine = fleets_commanded(membership=membership, fleets=[row.fleet for row in stations])
    alone = groups_now(membership.campaign, turn)
    keys = [row.fleet_id for row in stations if row.fleet_id in mine and row.fleet.code not in alone]
    given = Order.objects.filter(turn=turn, fleet__in=keys, source__in=Order.GIVEN).count()
    waiting = len(keys) - given
    if not waiting:
        text = f"Orders for turn {turn.number} are given. Mark them ready."
        return [Await(text, "fleet_table", "Orders")]
    has = "has" if waiting == 1 else "have"
    text = f"{counted(waiting, 'fleet')} {has} no new orders for turn {turn.number}."
    return [Await(text, "fleet_table", "Orders", number=waiting)]


def _results(membership: Membership) -> list[Await]:
    """Results of battles fought by players: to enter, to confirm, or to rule on. Rules: G.BT2, G.BT5."""
    battles = Battle.objects.filter(
        book=membership.campaign.book_id,
        status=Battle.Status.READY,
        route__in=(Battle.Route.ORDERS, Battle.Route.TABLE),
    ).listed()
    rows = []
    for battle in battles.order_by("code"):
        words, link = _result_words(membership, battle)
        if words and (membership.role == Role.UMPIRE or may_hear(membership, battle)):
            rows.append(Await(f"{words}: {battle.title}.", "battle_result", link, battle.code, "campaign"))
    return rows


def _result_words(membership: Membership, battle: Battle) -> tuple[str, str]:
    """What a member has to do about a result, and the words of the link to it; "" twice for nothing."""
    outcome = getattr(battle, "outcome", None)
    status = outcome.status if outcome is not None else BattleOutcome.Status.DRAFT
    if membership.side is None:
        disputed = status == BattleOutcome.Status.DISPUTED
        return ("Rule on a disputed result", "Rule on result") if disputed else ("", "")
    if membership.side.code not in battle.roster.navies:
        return "", ""
    if status == BattleOutcome.Status.DRAFT:
        return "Enter the result of a battle", "Enter result"
    if outcome is None or status != BattleOutcome.Status.PROPOSED:
        return "", ""
    answered = outcome.answers.filter(version=outcome.version, side=membership.side.code).exists()
    return ("", "") if answered else ("Confirm or dispute a result", "Answer result")


def _letters(membership: Membership) -> list[Await]:
    """Letters that have reached them and that they have not seen. Rule: G.IN5."""
    number = membership.letters_received.filter(fate=Letter.Fate.DELIVERED, opened=None).count()
    if not number:
        return []
    text = f"You have {counted(number, 'new letter')}."
    return [Await(text, "news", "News and letters", number=number)]


def _prizes(membership: Membership, order: SideOrder | None) -> list[Await]:
    """Condemned prizes for which nothing is chosen. Rule: G.PR4."""
    assert membership.side is not None  # an admiral has one: the database sees to it
    economy = membership.campaign.carried.get("economy", {})
    waiting = {
        row["ship"]
        for row in economy.get("prizes", ())
        if row["captor"] == membership.side.code and row["stage"] == Stage.CONDEMNED.value
    } - {row[0] for row in _standing(membership, order).get("choices", ())}
    if not waiting:
        return []
    text = f"{counted(len(waiting), 'condemned prize')} to dispose of."
    return [Await(text, "prizes", "Prizes", number=len(waiting))]


def _yards(membership: Membership, order: SideOrder | None) -> list[Await]:
    """Hurt ships in own ports with a dockyard that are in no yard's books or queue. Rule: G.RP2."""
    campaign, side = membership.campaign, membership.side
    assert side is not None  # an admiral has one: the database sees to it
    ports = [
        place.code
        for place in theatre_of(campaign).places.values()
        if place.kind is PlaceKind.PORT and place.owner in side.nations and place.dockyard
    ]
    there = Station.objects.filter(
        fleet__navy=side.navy_id, fleet__ended=False, at__in=ports, to="", held_by=""
    )
    ships = campaign.book.ships.filter(fate="afloat", prize=False, squadron__fleet__in=there.values("fleet"))
    jobs = campaign.carried.get("economy", {}).get("jobs", ())
    booked = {row["ship"] for row in jobs} | {*_standing(membership, order).get("queue", ())}
    rows = hull_rows(campaign.book.rule_set, ships.order_by())
    hurt = {row.code for row in rows if row.hull < 100} - booked
    if not hurt:
        return []
    number = len(hurt)
    text = f"{counted(number, 'damaged ship')} in port {'is' if number == 1 else 'are'} not in a yard."
    return [Await(text, "dockyards", "Dockyards", number=number)]


def _standing(membership: Membership, order: SideOrder | None) -> dict[str, list[str]]:
    """The shore orders that stand, as a document: those of this turn, else what is left of the last ones."""
    if order is not None:
        return dict(order.document)
    assert membership.side is not None  # an admiral has one: the database sees to it
    rows = membership.campaign.carried.get("economy", {}).get("orders", ())
    return next((dict(row) for row in rows if row["side"] == membership.side.code), {})
