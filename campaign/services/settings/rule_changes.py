"""The umpire changes the campaign's settings and who is at war with whom. Everyone is notified; it holds from the next turn on.

Rules: G.UM1, G.CO7.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from battles.engine.core.errors import Fault
from campaign.models import Campaign, UmpireAction
from campaign.rules.chart.types import Settings, setting_rows
from campaign.rules.state.setting_values import setting_value
from campaign.rules.turn.snapshots import settings_from
from campaign.selectors.rules import Pair, coming_ties, ties_of, value_words

TIES = ("war", "peace", "alliance")


class RulesRefused(ValueError):
    """Changes that cannot be made, with every reason; nothing was saved. Paths are names of fields."""

    def __init__(self, faults: list[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(map(str, faults)))


def settings_now(campaign: Campaign) -> dict[str, Any]:
    """Every setting of a campaign as it is now, by name."""
    now = settings_from({**campaign.settings, "turn_days": campaign.turn_days})
    return {name: value for name, value, *_ in setting_rows(now)}


def ties_now(campaign: Campaign) -> dict[Pair, str]:
    """War, peace or alliance of every two sides, by their codes in order. Rule: G.CO7."""
    return ties_of(campaign, campaign.sides.values_list("navy__code", flat=True))


def coming_settings(campaign: Campaign) -> dict[str, Any]:
    """Settings that change when the next turn opens."""
    return dict(campaign.coming.get("settings", {}))


def rules_change(
    *,
    campaign: Campaign,
    umpire: User,
    typed: Mapping[str, str],
    ties: Mapping[Pair, str],
    reason: str,
) -> list[str]:
    """Change settings and ties from the next turn that opens; returns the changes in words, none when nothing differs.

    typed: settings as texts, by name; ties: by pair of side codes in order. What is not named stays. Raises RulesRefused.
    Rules: G.UM1, G.CO7.
    """
    faults: list[Fault] = []
    values: dict[str, Any] = {}
    for name, text in typed.items():
        try:
            values[name] = setting_value(name, text)
        except KeyError:
            faults.append(Fault(name, "Setting not found. Reload the page and try again."))
        except ValueError as error:
            faults.append(Fault(name, str(error)))
    known = ties_now(campaign)
    for pair, tie in ties.items():
        if pair not in known or tie not in TIES:
            faults.append(Fault("-".join(pair), f"Choose {', '.join(TIES[:2])} or {TIES[2]}."))
    told = list(_told(campaign, values, ties)) if not faults else []
    if told and not reason.strip():
        faults.append(Fault("reason", "Enter a reason. Everyone can read it in the umpire's log."))
    if faults:
        raise RulesRefused(faults)
    if told:
        with transaction.atomic():
            _store(campaign, values, ties)
            _log(campaign, umpire, reason.strip(), told)
    return told


def _told(campaign: Campaign, values: Mapping[str, Any], ties: Mapping[Pair, str]) -> Iterator[str]:
    """Every change in words: what it is now or was going to be, and what it will be."""
    words = {name: text for name, _, _, _, text in setting_rows(Settings())}
    before = {**settings_now(campaign), **coming_settings(campaign)}
    for name, value in values.items():
        if value != before[name]:
            yield f"{words[name]}: {value_words(name, before[name])} → {value_words(name, value)}"
    known = {**ties_now(campaign), **coming_ties(campaign)}
    names = dict(campaign.sides.values_list("navy__code", "name"))
    for pair, tie in ties.items():
        if tie != known[pair]:
            yield f"{names[pair[0]]} and {names[pair[1]]}: {known[pair]} → {tie}"


def _store(campaign: Campaign, values: Mapping[str, Any], ties: Mapping[Pair, str]) -> None:
    """What will be other than it is now; what is set back to that is no longer a change."""
    now, bound = settings_now(campaign), ties_now(campaign)
    settings = {**coming_settings(campaign), **values}
    coming = {**coming_ties(campaign), **ties}
    campaign.coming = {
        "settings": {name: value for name, value in settings.items() if value != now[name]},
        "ties": [[*pair, tie] for pair, tie in sorted(coming.items()) if tie != bound[pair]],
    }
    campaign.save(update_fields=["coming"])


def _log(campaign: Campaign, umpire: User, reason: str, told: list[str]) -> None:
    last = campaign.turns.order_by("-number").values_list("number", flat=True).first()
    UmpireAction.objects.create(
        campaign=campaign,
        turn=f"{campaign.code}/{last}" if last else "",
        actor=umpire.get_username(),
        action="changed the settings",
        reason=f"{reason} ({'; '.join(told)})",
    )


def rules_take_effect(*, campaign: Campaign) -> None:
    """Apply the changes to come; called where a turn opens. Rule: G.UM1."""
    if not campaign.coming:
        return
    settings = {**campaign.settings, **coming_settings(campaign)}
    usual = {name: default for name, _, default, _, _ in setting_rows(Settings())}
    campaign.turn_days = settings.pop("turn_days", campaign.turn_days)
    campaign.settings = {name: value for name, value in settings.items() if value != usual.get(name)}
    ties = {**ties_now(campaign), **coming_ties(campaign)}
    campaign.hostility = [list(pair) for pair, tie in ties.items() if tie == "war"]
    campaign.alliances = [list(pair) for pair, tie in ties.items() if tie == "alliance"]
    campaign.coming = {}
    campaign.save(update_fields=["turn_days", "settings", "hostility", "alliances", "coming"])
