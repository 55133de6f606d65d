"""The automatic captains of this set, by name."""

from __future__ import annotations

from collections.abc import Mapping

from battles.engine.core.ruleset import CaptainMaker
from battles.engine.rulesets.thomas.captain.commander import CommanderCaptain
from battles.engine.rulesets.thomas.captain.plain import PlainCaptain

CAPTAINS: Mapping[str, CaptainMaker] = {
    "plain": PlainCaptain,
    "commander": CommanderCaptain,
}
