from typing import ClassVar

from battles.engine.rulesets.kohler.captain.squadron import SquadronCaptain
from battles.engine.rulesets.kohler.captain.weights import Weights


class CommanderCaptain(SquadronCaptain):
    name = "commander"
    weights: ClassVar[Weights] = Weights()
