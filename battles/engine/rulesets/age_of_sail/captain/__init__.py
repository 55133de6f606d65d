"""The automatic captains. They draw no dice and remember nothing from round to round. Rules: A.Q1-A.Q15."""

from __future__ import annotations

from collections.abc import Mapping

from battles.engine.core.ruleset import CaptainMaker
from battles.engine.rulesets.age_of_sail.captain.commander import Commander
from battles.engine.rulesets.age_of_sail.captain.plain import Plain

CAPTAINS: Mapping[str, CaptainMaker] = {"commander": Commander, "plain": Plain}
