"""The automatic admiral: from what its side knows to the orders that a player would send. Rules: G.MV2, G.MV4, G.MV5, G.CO1.

It keeps the fleet together and leaves damaged ships in a yard, goes for an enemy that is reported near and not too strong, watches a
weaker one that lies in port, runs into port before a stronger one, waits on the ground between both sides' ports when nothing is
reported, sends convoys to their destinations and fleets that he can spare with them.
"""

from campaign.rules.admiral.orders import admiral_orders

__all__ = ["admiral_orders"]
