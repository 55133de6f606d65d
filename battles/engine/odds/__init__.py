"""A battle fought many times over: how often each ship and side comes to what end, with intervals.

Dice that no one keeps: nothing here is part of a record, and nothing stored depends on it but the counts themselves.
"""

from battles.engine.odds.counting import count, counting, fought, parts
from battles.engine.odds.figures import NEITHER, Spread, interval
from battles.engine.odds.question import Guess, Question, Rates
from battles.engine.odds.table import table
from battles.engine.odds.tally import Losses, Tally
from battles.engine.odds.values import whole_values, winner

__all__ = [
    "NEITHER",
    "Guess",
    "Losses",
    "Question",
    "Rates",
    "Spread",
    "Tally",
    "count",
    "counting",
    "fought",
    "interval",
    "parts",
    "table",
    "whole_values",
    "winner",
]
