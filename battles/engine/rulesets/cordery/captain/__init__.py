"""The automatic captains. They decide with what both sides can see and draw no dice. Rule: C.Q12."""

from collections.abc import Mapping

from battles.engine.core.ruleset import CaptainMaker
from battles.engine.rulesets.cordery.captain.commander import Commander
from battles.engine.rulesets.cordery.captain.plain import Plain

CAPTAINS: Mapping[str, CaptainMaker] = {"plain": Plain, "commander": Commander}
