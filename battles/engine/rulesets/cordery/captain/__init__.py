"""The automatic captains. They decide with what both sides can see and draw no dice. Rule: C.Q12."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from battles.engine.core.scenario import Doctrine
from battles.engine.rulesets.cordery.captain.commander import Commander
from battles.engine.rulesets.cordery.captain.plain import Plain
from battles.engine.rulesets.cordery.play import CorderyCaptain

CAPTAINS: Mapping[str, Callable[[Doctrine], CorderyCaptain]] = {"plain": Plain, "commander": Commander}
