"""The end of a ship's fight, her own or an enemy's: striking, prize crews, saving people, guns overboard. Rules: T.O5h, T.O6, T.O7a."""

from __future__ import annotations

from battles.engine.rulesets.thomas.captain import guess
from battles.engine.rulesets.thomas.sailing import sailing_crew
from battles.engine.rulesets.thomas.state import Ship
from battles.engine.rulesets.thomas.view import Seen, View

_BESET, _HELP, _ENGAGED = 4_000, 6_000, 8_000
_KEEP = 2
_BOATS_SHARE = 5


def hopeless(view: View, ship: Ship) -> bool:
    """Whether she strikes: a tenth of her flotation left and an enemy within 4 inches, or dismasted and beset by two or more there.

    Dismasted she holds out while as many friends within 6 inches can still fight under sail as enemies beset her. Section 12.
    """
    last = 10 * ship.flot <= ship.flot_max
    if not last and not ship.dismasted:
        return False
    beset = [seen for seen in view.near(ship.id, _BESET) if fights(seen)]
    if last:
        return bool(beset)
    if len(beset) < 2:
        return False
    helped = sum(not one.dismasted and one.fighting for one in view.company(ship.id, _HELP))
    return helped < len(beset)


def fights(seen: Seen) -> bool:
    """Whether an enemy is to be reckoned with: not struck, no prize."""
    return not seen.struck and not seen.prize


def guards(view: View, ship: Ship, prizes: tuple[str, ...]) -> dict[str, int]:
    """Men for each prize within reach: as many as are right, if she can spare enough to keep the captives down. Rules: T.O6h, T.O6l."""
    found = {}
    spare = ship.crew - sailing_crew(ship)
    for code in prizes:
        seen = view.other(code)
        people = guess.men_of(seen, nelson=view.nelson)
        least = -(-people // 5)
        most = min(spare, ship.crew // _BOATS_SHARE)
        if most >= least:
            found[code] = -1
            spare -= least
    return found


def free_to_save(view: View, ship: str) -> bool:
    """Whether no enemy who fights is so near that lying to would be her end. Section 12."""
    return not any(fights(seen) for seen in view.near(ship, _ENGAGED))


def jettisons(ship: Ship) -> bool:
    """A battery for a point of flotation, while more than two stay. Section 12."""
    return len(ship.standing()) > _KEEP
