"""Small hand-made positions for the commander: he is asked, or his side is moved, and where everybody ends is looked at."""

from __future__ import annotations

from battles.engine.core import plane
from battles.engine.core.scenario import Doctrine
from battles.engine.rulesets.thomas import movement
from battles.engine.rulesets.thomas.captain.commander import CommanderCaptain
from battles.engine.rulesets.thomas.play import Play
from battles.engine.rulesets.thomas.state import Battle, Ship
from battles.engine.rulesets.thomas.view import View
from tests.engine.thomas.builders import play


def commander(made: Battle, doctrine: Doctrine | None = None) -> tuple[CommanderCaptain, View]:
    """The English commander of a battle and what he sees. doctrine: of his side and all his squadrons."""
    told = doctrine or Doctrine()
    for squadron in made.squadrons.values():
        if squadron.side == "ENG":
            squadron.doctrine = told
    captain, view = CommanderCaptain(told), View(made, "ENG")
    captain.begin_move(view)
    return captain, view


def moved(made: Battle, doctrine: Doctrine | None = None) -> Play:
    """Move the English under their commander."""
    captain, view = commander(made, doctrine)
    played = play(captains={"ENG": captain}, views={"ENG": view})
    movement.side_moves(made, played, "ENG")
    return played


def apart(a: Ship, b: Ship) -> int:
    """The distance of two ships, thousandths of an inch."""
    return plane.distance(a.position, b.position)
