"""Many events told in a few sentences: what is like is told once, with its number, and only the greatest ships by name.

For the chronicle, and for the head of a turn's report. Kinds that are not gathered here are told by their own sentences, each once,
so a new kind needs nothing. Rule: G.IN1: a code that the reader has no name for is never printed.
"""

from campaign.accounts.digest.battles import battle_in_brief, battle_losses, costs, officers_lost
from campaign.accounts.digest.numbers import Worth, number_in_words, several, some
from campaign.accounts.digest.ports import ashore
from campaign.accounts.digest.sea import at_sea, captures, chases, one_by_one, storms

__all__ = [
    "Worth",
    "ashore",
    "at_sea",
    "battle_in_brief",
    "battle_losses",
    "captures",
    "chases",
    "costs",
    "number_in_words",
    "officers_lost",
    "one_by_one",
    "several",
    "some",
    "storms",
]
