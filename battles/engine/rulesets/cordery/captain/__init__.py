"""The automatic captains. They decide with what both sides can see and draw no dice. Rule: C.Q12."""

from battles.engine.rulesets.cordery.captain.commander import Commander
from battles.engine.rulesets.cordery.captain.plain import Plain

CAPTAINS = {"plain": Plain, "commander": Commander}
