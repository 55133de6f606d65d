"""Everything for which a campaign is not started, each fault with the path of its field."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, count
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.validators import validate_email, validate_slug

from battles.engine import registry
from battles.engine.core.errors import Fault
from campaign.accounts import opening as as_opening
from campaign.accounts import with_article
from campaign.models import Campaign, Theatre
from campaign.rules.chart.types import Settings, setting_rows
from campaign.rules.landing.openings import landing_faults
from campaign.rules.state.setting_values import setting_value
from campaign.selectors.setup import comes_later, home_port
from campaign.selectors.turn.facts import pure_theatre
from campaign.services.orders.openings import opening_faults, opening_of
from campaign.services.setup.compositions import composition_faults
from campaign.services.setup.sides import SideStart
from fleets.services.compositions import entries_of
from fleets.services.muster import card_faults

MOST_SHOWN = 8  # ships without a card that are named


def code_fault(code: str) -> str:
    """What is wrong with a campaign's code, "" if nothing is."""
    try:
        validate_slug(code)
    except ValidationError:
        return f"{code} is not a valid code. Use letters, digits and hyphens, for example NS66."
    taken = Campaign.objects.filter(book__code=code).exists()
    return f"There is a campaign {code} already. Choose another code." if taken else ""


def free_campaign_code(stem: str) -> str:
    """A code that no campaign has yet: C1666, C1666-2, ..."""
    taken = set(Campaign.objects.filter(book__code__startswith=stem).values_list("book__code", flat=True))
    numbered = (f"{stem}-{n}" for n in count(2))
    return next(code for code in chain([stem], numbered) if code not in taken)


def address_fault(address: str) -> str:
    """What is wrong with an address to invite, "" if nothing is."""
    try:
        validate_email(address)
    except ValidationError:
        return f"{address} is not a valid email address. Enter one such as admiral@club.example."
    return ""


def start_faults(
    *,
    name: str,
    code: str,
    theatre: Theatre,
    opening: str,
    rule_set: str,
    sides: Sequence[SideStart],
    days: int,
) -> Iterable[Fault]:
    if not name.strip():
        yield Fault("name", "A campaign needs a name.")
    if fault := code_fault(code):
        yield Fault("code", fault)
    if rule_set not in registry.names():
        yield Fault(
            "rule_set", f"Rule set {rule_set!r} is not installed. Choose from {', '.join(registry.names())}."
        )
    if not 1 <= days <= 28:
        yield Fault("turn_days", f"A turn can be 1 to 28 days, not {days}.")
    pure, nations = pure_theatre(theatre), {n for row in theatre.document["sides"] for n in row["nations"]}
    yield from opening_faults(theatre=pure, code=opening, nations=nations)
    yield from _side_faults(theatre, opening, sides)
    if rule_set in registry.names():
        for n, start in enumerate(sides):
            yield from _ship_faults(f"sides[{n}]", theatre, opening, rule_set, start)
    yield from landing_faults(opening_of(opening), pure)


def setting_faults(typed: Mapping[str, str]) -> Iterable[Fault]:
    """What is wrong with settings as they were typed. Rule: G.UM1."""
    for name, text in typed.items():
        try:
            setting_value(name, text)
        except KeyError:
            yield Fault(f"settings.{name}", f"{name} is not a setting. Reload the page and try again.")
        except ValueError as error:
            yield Fault(f"settings.{name}", str(error))


def settings_typed(typed: Mapping[str, str]) -> dict[str, Any]:
    """Settings other than their defaults, as a campaign stores them. typed: without faults."""
    usual = {name: default for name, _, default, _, _ in setting_rows(Settings())}
    values = {name: setting_value(name, text) for name, text in typed.items()}
    return {name: value for name, value in values.items() if value != usual[name]}


def own_address_faults(umpire: User, sides: Sequence[SideStart]) -> Iterable[Fault]:
    for n, start in enumerate(sides):
        if any(umpire.email and address.lower() == umpire.email.lower() for address in start.admirals):
            yield Fault(
                f"sides[{n}].admirals",
                "That is your own address. You are the umpire, so invite someone else.",
            )


def _ship_faults(
    here: str, theatre: Theatre, opening_code: str, rule_set: str, start: SideStart
) -> Iterable[Fault]:
    """What is wrong with a side's ships and with the fleets that someone composed of them. An opening's own ships are known to be right."""
    plan = opening_of(opening_code)
    nations = next((row["nations"] for row in theatre.document["sides"] if row["name"] == start.side), None)
    own_ships = plan.get("register"), plan.get("sides", {}).get(start.side, {}).get("register_side")
    if nations is None or (start.register.code, start.register_side) == own_ships:
        return
    own = {
        nation
        for row in theatre.document["sides"]
        for nation in row["nations"]
        if row["name"] in _friends(theatre, start.side)
    }
    for fault in composition_faults(start.register, start.register_side, pure_theatre(theatre), own):
        yield Fault(f"{here}.register", fault.text)
    entries = entries_of(start.register, start.register_side)
    day = plan.get("start_date", theatre.document["start_date"])
    wrong = card_faults(entries=entries, rule_set=rule_set, when=day)
    title = registry.rule_set(rule_set).title
    for text in wrong[:MOST_SHOWN]:
        yield Fault(f"{here}.register", f"{title} can make no card of a ship. {text.rstrip('.')}.")
    if len(wrong) > MOST_SHOWN:
        yield Fault(
            f"{here}.register",
            f"{len(wrong) - MOST_SHOWN} more ships have no card either. Complete the register.",
        )


def _friends(theatre: Theatre, side: str) -> set[str]:
    """The sides in whose ports a side may begin: its own, and its allies. Rule: G.CO7."""
    ties = theatre.document["hostility"]
    return {side} | {name for a, b, tie in ties if tie == "alliance" and side in (a, b) for name in (a, b)}


def _side_faults(theatre: Theatre, opening_code: str, sides: Sequence[SideStart]) -> Iterable[Fault]:
    known = {row["name"]: row for row in theatre.document["sides"]}
    if len(sides) < 2:
        yield Fault("sides", "A campaign needs at least two sides.")
    seen: set[str] = set()
    addresses: set[str] = set()
    for n, start in enumerate(sides):
        here = f"sides[{n}]"
        if start.side not in known:
            yield Fault(
                f"{here}.side",
                f"{start.side!r} is not a side of {theatre.title}. Choose from {', '.join(known)}.",
            )
            continue
        if start.side in seen:
            yield Fault(f"{here}.side", f"{start.side} is listed twice.")
        seen.add(start.side)
        later = not start.register_side and comes_later(opening_of(opening_code), start.side)
        if not later and not start.register.entries.filter(side=start.register_side).exists():
            yield Fault(
                f"{here}.register", f"{start.register.title} has no ships of {start.register_side!r}."
            )
        if not home_port(pure_theatre(theatre), known[start.side]["nations"]):
            yield Fault(
                f"{here}.side", f"{as_opening(with_article(start.side))} has no port in {theatre.title}."
            )
        for address in start.admirals:
            if fault := address_fault(address):
                yield Fault(f"{here}.admirals", fault)
            if address.lower() in addresses:
                yield Fault(
                    f"{here}.admirals",
                    f"{address} is listed for both sides. Give each side its own admirals.",
                )
            addresses.add(address.lower())
