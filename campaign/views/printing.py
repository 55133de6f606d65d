"""The print of a battle for the table: brief, ship cards, quick reference, slips for orders and results. Rule: G.BT1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import segno
from django.conf import settings
from django.http import HttpResponse
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from battles.boards import PRESENTATIONS
from battles.engine.readable import handicaps
from battles.engine.stored import stored_scenario
from battles.models import Battle
from battles.pins import rule_set_of
from battles.quick import quick_reference
from battles.roster import Squadron, entered, squadrons
from campaign.chart_extract import battle_extract
from campaign.models import Campaign, Contact
from campaign.selectors.people.access import campaign_for_member_or_404
from campaign.selectors.people.action import battle_for_fighter_or_404
from campaign.views.requests import HtmxHttpRequest, campaign_page, reads

PARTS = (
    ("brief", "Brief"),
    ("cards", "Ship cards"),
    ("reference", "Quick reference"),
    ("orders", "Order slips"),
    ("results", "Result slips"),
)


@dataclass(frozen=True, slots=True)
class Slip:
    """A squadron to write on. side: its name. marks: labels of the figures that its ships have, and the most of each by ship."""

    squadron: Squadron
    side: str
    marks: tuple[str, ...]
    most: tuple[tuple[Any, tuple[int | str, ...]], ...]


@reads
def battle_print(request: HtmxHttpRequest, code: str, battle: str) -> HttpResponse:
    """All of it, or the parts that `?part=` names: the reader's own ships, those of every side for the umpire. Rules: G.BT1, G.IN1."""
    campaign, membership = campaign_for_member_or_404(request.user, code)
    row, side = battle_for_fighter_or_404(membership, battle)
    names = dict(campaign.sides.values_list("navy__code", "name"))
    there = squadrons(entered(row).values())
    own = [one for one in there if side is None or one.side == side]
    wanted = {name for name, _ in PARTS} & {*request.GET.getlist("part")}
    shown = PRESENTATIONS[row.rule_set]
    context = {
        "battle": row,
        "parts": [(name, words, not wanted or name in wanted) for name, words in PARTS],
        "wanted": wanted or {name for name, _ in PARTS},
        "card_page": shown.card,
        "order_slip": shown.slip,
        "turns": range(shown.slip.turns),
        "slips": [_slip(row, one, names) for one in own],
        "others": [one for one in there if one not in own],
        "names": names,
        "reference": quick_reference(row.rule_set),
        **_brief(campaign, row, own),
    }
    return campaign_page(request, "battles/battle_print.html", campaign, membership, "battle", context)


def _brief(campaign: Campaign, battle: Battle, own: Sequence[Squadron]) -> dict[str, Any]:
    """What is fought, where and in what weather, and where its result goes."""
    address = settings.SITE_URL + reverse("battle_result", args=[campaign.code, battle.code])
    rules = rule_set_of(battle)
    scenario = stored_scenario(battle.roster.scenario)
    contact = Contact.objects.filter(battle=battle).first()
    return {
        "address": address,
        "qr": _code(address),
        "scenario": scenario,
        "wind_from": (scenario.wind_towards + 180) % 360,
        "minutes": rules.minutes_a_turn(scenario.options),
        "limit": scenario.turn_limit or rules.turn_limit,
        "handicaps": list(handicaps(scenario)),
        "extract": battle_extract(campaign, contact) if contact is not None else None,
        "ships": sum(len(one.ships) for one in own),
    }


def _code(address: str) -> SafeString:
    """A QR code as an SVG drawing, which is all digits and paths of the library's own making."""
    drawn = segno.make(address, micro=False, error="m").svg_inline(
        scale=4, border=2, omitsize=True, svgclass="qr", lineclass=None, title="QR code of the result page"
    )
    return mark_safe(drawn)  # noqa: S308


def _slip(battle: Battle, squadron: Squadron, names: dict[str, str]) -> Slip:
    at_sea = rule_set_of(battle).at_sea
    marks = {ship.code: at_sea.marks(ship.card, ship.condition) for ship in squadron.ships}
    labels = tuple(dict.fromkeys(mark.label for row in marks.values() for mark in row))
    most = []
    for ship in squadron.ships:
        by_label: dict[str, int | str] = {mark.label: mark.most for mark in marks[ship.code]}
        most.append((ship, tuple(by_label.get(label, "–") for label in labels)))
    return Slip(squadron, names.get(squadron.side, squadron.side), labels, tuple(most))
