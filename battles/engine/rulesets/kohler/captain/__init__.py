"""The automatic captains of this set, by name."""

from __future__ import annotations

from collections.abc import Mapping

from battles.engine.core.ruleset import CaptainMaker
from battles.engine.rulesets.kohler.captain.commander import CommanderCaptain
from battles.engine.rulesets.kohler.captain.plain import PlainCaptain
from battles.engine.rulesets.kohler.captain.squadron import SquadronCaptain

CAPTAINS: Mapping[str, CaptainMaker] = {
    "plain": PlainCaptain,
    "squadron": SquadronCaptain,
    "commander": CommanderCaptain,
}
