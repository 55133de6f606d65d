"""What the commander holds dear, as whole numbers. One sixth of a hit on a sound enemy is 8. Section 12 of rules.md."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights of a captain.

    worth: per sixth of a hit on an enemy, by whole quarters of her flotation lost. taken: the same for hits that come back, by
    own quarters lost. prey: more of worth, %, for the enemy the ship is to go for. looming: eighths of the fire of an enemy who
    may yet turn her guns this way. steer: per inch from where the ship should be; away: per inch gained in flight. station: per
    inch out of station in the line, and off_course per 45 degrees off its course, out of gunshot; in_action: eighths of the place
    in the line that are left within it. facing: per 45 degrees that the bow points away from where she wants to go. speaks: of
    any broadside that bears, so that no ship lies near an enemy with silent guns. press: in place of steer for a ship told to
    fight close. contact: of lying hull to hull with an enemy she does not mean to board. fouled: of stopping against a friend.
    board: of getting aboard an enemy, per half of the odds of men beyond even. fiery: of ending within reach of a burning ship's
    blast. alone, together: least odds of men, in tenths, for one ship and for all that can join her, at which she boards; hurt:
    the same against an enemy worse hurt than they, last: for ships that have no gun left; stay: odds below which boarders
    withdraw, and cut: below which the grapples are cut.
    """

    worth: tuple[int, int, int, int] = (8, 9, 8, 9)
    taken: tuple[int, int, int, int] = (5, 5, 6, 8)
    prey: int = 25
    looming: int = 4
    steer: int = 22
    press: int = 40
    away: int = 30
    station: int = 24
    off_course: int = 16
    in_action: int = 2
    facing: int = 6
    speaks: int = 60
    contact: int = 60
    fouled: int = 90
    board: int = 90
    fiery: int = 220
    alone: int = 10
    together: int = 13
    hurt: int = 10
    last: int = 10
    stay: int = 7
    cut: int = 10


COMMANDER = Weights()
