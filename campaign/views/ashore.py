"""A side's shore orders: dockyards with men, prizes with fund and prisoners, groups that sail by themselves. Works without scripts.

Every button sends all shore orders with one line changed; a stale page is refused and shown afresh. Rules: G.RP2-G.RP3, G.PR4-G.PR5.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect

from battles.engine.core.errors import OrderFault
from campaign.models import Campaign, Membership, Side, Turn
from campaign.rules.chart.side_orders import GroupOrders, MenMove, PrizeAct, PrizeChoice, SideOrder
from campaign.selectors.ashore.ashore import Shore, shore_of, side_for_member_or_404
from campaign.selectors.ashore.dockyards import dockyard_page
from campaign.selectors.ashore.groups import groups_page
from campaign.selectors.ashore.prizes import ACTS, prizes_page
from campaign.selectors.people.access import Role, campaign_for_member_or_404, current_turn
from campaign.selectors.people.commanding import acts_as_chief
from campaign.services.orders.orders import OrderRefused
from campaign.services.orders.side_orders import side_order_submit
from campaign.views.requests import HtmxHttpRequest, campaign_page, reads_and_posts

Change = Callable[[HtmxHttpRequest, Shore], SideOrder]
Shown = Callable[[Shore], Any]


@reads_and_posts
def dockyards(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """Ports, berths, the queue with its READY dates, and men. Raises Http404 for everyone without a side except the umpire."""
    return _page(request, code, "dockyards", dockyard_page, _yard_change)


@reads_and_posts
def prizes(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """Prizes by stage with the choices made for them, fund, shares and prisoners. Raises Http404 as `dockyards` does."""
    return _page(request, code, "prizes", prizes_page, _prize_change)


@reads_and_posts
def groups(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """What sails by itself, where to, and by which standing orders. Raises Http404 as `dockyards` does."""
    return _page(request, code, "groups", groups_page, _group_change)


def _page(request: HtmxHttpRequest, code: str, name: str, shown: Shown, change: Change) -> HttpResponse:
    campaign, membership = campaign_for_member_or_404(request.user, code)
    side = side_for_member_or_404(campaign, membership, request.GET.get("side", ""))
    turn = current_turn(campaign)
    if turn is None:
        raise Http404("no turn has opened yet")
    shore = shore_of(campaign, membership, side, turn)
    if request.method != "POST":
        return _render(request, name, shown, membership, shore)
    try:
        side_order_submit(
            turn=turn,
            membership=membership,
            order=change(request, shore),
            state_no=_number(request.POST.get("state_no", "")),
        )
    except OrderRefused as refusal:
        stale = any(fault.code == "side/stale" for fault in refusal.faults)
        fresh = shore_of(campaign, membership, side, turn)
        status = 409 if stale else 422
        return _render(request, name, shown, membership, fresh, faults=refusal.faults, status=status)
    messages.success(request, "Shore orders given. You can change them until orders close.")
    return redirect(name, campaign.code)


def _render(
    request: HtmxHttpRequest,
    name: str,
    shown: Shown,
    membership: Membership,
    shore: Shore,
    *,
    faults: tuple[OrderFault, ...] = (),
    status: int = 200,
) -> HttpResponse:
    context = {
        "turn": shore.turn,
        "side": shore.side,
        "sides": _sides(shore.campaign, membership),
        "page": shown(shore),
        "acts": ACTS,
        "state_no": shore.state_no,
        "row": shore.row,
        "faults": faults,
        "open": shore.turn.phase == Turn.Phase.OPEN,
        "mine": membership.role == Role.ADMIRAL and acts_as_chief(membership),
    }
    context["may"] = context["open"] and context["mine"]
    return campaign_page(request, f"campaign/{name}.html", shore.campaign, membership, name, context, status)


def _sides(campaign: Campaign, membership: Membership) -> list[Side]:
    """The sides that an umpire may choose; nothing for anyone else."""
    return list(campaign.sides.select_related("navy")) if membership.role == Role.UMPIRE else []


def _number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise OrderRefused(
            OrderFault("side/number", "G.MV3", f"“{text}” is not a whole number. Use digits only.")
        ) from None


def _yard_change(request: HtmxHttpRequest, shore: Shore) -> SideOrder:
    """The shore orders with what one button of the dockyard page changes."""
    act, _, code = request.POST.get("act", "").partition(":")
    order = shore.order
    if act == "commit":
        return replace(order, queue=(*order.queue, code))
    if act == "out":
        return replace(order, queue=tuple(c for c in order.queue if c != code))
    if act in ("up", "down"):
        return replace(order, queue=_shifted(shore, code, -1 if act == "up" else 1))
    if act == "first":
        return replace(order, recruits=(*order.recruits, code))
    if act == "last":
        return replace(order, recruits=tuple(c for c in order.recruits if c != code))
    if act == "bounty":
        men = _number(request.POST.get(f"bounty-{code}", ""))
        return replace(order, bounty={**order.bounty, code: men} if men else _without(order.bounty, code))
    if act == "move":
        men = _number(request.POST.get("men", ""))
        move = MenMove(request.POST.get("from", ""), request.POST.get("to", ""), men)
        return replace(order, moves=(*order.moves, move))
    if act == "unmove":
        return replace(order, moves=tuple(m for n, m in enumerate(order.moves) if str(n) != code))
    raise OrderRefused(
        OrderFault("side/no-such-act", "G.MV3", "Unknown action. Reload the page and try again.")
    )


def _without(table: Any, code: str) -> dict[str, int]:
    return {key: men for key, men in table.items() if key != code}


def _shifted(shore: Shore, code: str, step: int) -> tuple[str, ...]:
    """The queue with a ship one place further up or down among those in the same port."""
    queue = list(shore.order.queue)
    ships = shore.chart.state.ships
    if code not in queue or code not in ships:
        return tuple(queue)
    here = [
        n
        for n, other in enumerate(queue)
        if other in ships and ships[other].fleet and _same(shore, code, other)
    ]
    place = here.index(queue.index(code))
    if not 0 <= place + step < len(here):
        return tuple(queue)
    a, b = here[place], here[place + step]
    queue[a], queue[b] = queue[b], queue[a]
    return tuple(queue)


def _same(shore: Shore, code: str, other: str) -> bool:
    fleets, ships = shore.chart.state.fleets, shore.chart.state.ships
    return fleets[ships[code].fleet].position == fleets[ships[other].fleet].position


def _prize_change(request: HtmxHttpRequest, shore: Shore) -> SideOrder:
    """The shore orders with everything that the prizes form says; the rest stays."""
    post, order = request.POST, shore.order
    asked = [key.removeprefix("choice-") for key in post if key.startswith("choice-")]
    kept = tuple(choice for choice in order.choices if choice.ship not in asked)
    made = []
    for code in asked:
        for act in post.getlist(f"choice-{code}"):
            if act:
                name = post.get(f"name-{code}", "").strip() if act == PrizeAct.BUY.value else ""
                made.append(PrizeChoice(code, _act(act), name))
    exchange = {
        key.removeprefix("exchange-"): _number(post.get(key) or "0")
        for key in post
        if key.startswith("exchange-")
    }
    return replace(
        order,
        choices=(*kept, *made),
        exchange={side: men for side, men in {**order.exchange, **exchange}.items() if men},
        ransom=tuple(post.getlist("ransom")),
    )


def _group_change(request: HtmxHttpRequest, shore: Shore) -> SideOrder:
    """The shore orders with what one button of the groups page changes, or with the standing orders of its form."""
    act, _, code = request.POST.get("act", "").partition(":")
    order, post = shore.order, request.POST
    if act == "take":
        return replace(order, in_hand=tuple(sorted({*order.in_hand, code})))
    if act == "let":
        return replace(order, in_hand=tuple(c for c in order.in_hand if c != code))
    if act == "muster":
        return replace(order, musters=tuple(sorted({*order.musters, code})))
    told = GroupOrders(
        post.get("stragglers", ""),
        post.get("cripples", ""),
        post.get("prize_port", ""),
        _number(post.get("burn_under") or "0"),
        post.get("escort", ""),
    )
    return replace(order, groups=told)


def _act(text: str) -> PrizeAct:
    try:
        return PrizeAct(text)
    except ValueError:
        raise OrderRefused(
            OrderFault(
                "prize/no-such-act",
                "G.PR4",
                f"“{text}” is not a choice for a prize. Reload the page and try again.",
            )
        ) from None
