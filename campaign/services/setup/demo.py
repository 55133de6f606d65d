"""Demo campaigns: a theatre with its historical fleets, both sides on the automatic admiral, secrets drawn from a seed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import User

from battles.engine.core.errors import Fault
from campaign.models import Campaign, Theatre
from campaign.services.orders.openings import opening_of
from campaign.services.setup.faults import free_campaign_code
from campaign.services.setup.setup import TURN_DAYS, SetupRefused, campaign_start
from campaign.services.setup.sides import SideStart

if TYPE_CHECKING:
    from fleets.models import Register


def demo_start(
    *,
    theatre: Theatre,
    register: Register,
    umpire: User,
    seed: str,
    admirals: Sequence[Any] = (),
    code: str = "",
    name: str = "",
    rule_set: str = "",
    opening: str = "",
) -> Campaign:
    """Start the demo campaign of a theatre. register: the Register its opening names. admirals: an account a side, in order.

    opening: code of one of the theatre's, "" for its first. rule_set: "" for the opening's. The same seed tells the same story.
    Raises SetupRefused when the theatre has no written opening, and for a rule set that is not installed or cannot play its ships.
    """
    opening = opening or theatre.code
    plans = opening_of(opening)
    if not plans:
        raise SetupRefused(
            [Fault("theatre", f"{theatre.title} has no opening positions yet, so it has no demo.")]
        )
    sides = [
        SideStart(side, register, plan["register_side"], automatic=True, players=admirals[n : n + 1])
        for n, (side, plan) in enumerate(plans["sides"].items())
    ]
    return campaign_start(
        name=name or f"Demo: {plans.get('title', theatre.title)}",
        code=code or free_campaign_code(opening.replace("_", "-")),
        theatre=theatre,
        opening=opening,
        rule_set=rule_set or plans["rule_set"],
        turn_days=plans.get("turn_days", TURN_DAYS),
        umpire=umpire,
        sides=sides,
        demo_seed=seed,
    )
