"""What a side's newspaper prints of a turn, in the manner of its day, from that side's own events and no others. Rules: G.IN1, G.SI2.

The papers and their phrases are data (`campaign/data/gazettes`); `papers` chooses among them, `words` fills them, `issue` makes a turn's
number of one. A paper prints what has become of ships, convoys, ports and people. It never prints where a fleet is, what it was ordered
to do, what was sighted or what a side is after, so an enemy who reads it later learns no more than what has happened.
"""

from campaign.accounts.gazette.issue import Issue, Item, Printed, issue_of
from campaign.accounts.gazette.papers import Paper, paper_of

__all__ = ["Issue", "Item", "Paper", "Printed", "issue_of", "paper_of"]
