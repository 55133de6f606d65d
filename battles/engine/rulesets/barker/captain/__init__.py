"""The automatic captains. They decide by what their side sees and draw no dice. Rules: AA01-AA28 of the book, P.V15."""

from collections.abc import Mapping

from battles.engine.core.ruleset import CaptainMaker
from battles.engine.rulesets.barker.captain.commander import Commander
from battles.engine.rulesets.barker.captain.plain import Plain

CAPTAINS: Mapping[str, CaptainMaker] = {"plain": Plain, "commander": Commander}
