"""The kinds of chart event, each with what it tells; the text is made from the data where it is shown."""

from __future__ import annotations

EVENT_KINDS: tuple[str, ...] = (
    "weather",  # the wind of a zone shifts, freshens or falls, or the visibility changes
    "gale",  # a gale begins in a zone
    "order_refused",  # an order is refused with its reason; the fleet carries on under its last good one
    "sailed",  # a fleet gets under way
    "passed",  # a fleet passes a place of its route
    "arrived",  # a fleet comes to the end of its route
    "sighted",  # a fleet sights strange sail: the report says what it saw
    "touch_lost",  # a fleet has lost sight of a contact
    "chase",  # a fleet steers for an enemy it has seen
    "chase_ended",  # a chase is over without a battle, and why
    "night",  # night falls on fleets in contact: who tries to be gone, and the die
    "escaped",  # a fleet is away in the night
    "parted",  # fleets in contact part because both want to
    "battle",  # a battle begins
    "battle_held",  # a battle is fought by orders or on the table: its fleets are off the chart until it is written
    "battle_ended",  # a battle is over: why, how long, who holds the field
    "captured",  # a ship is taken
    "retaken",  # a prize comes back to her own side
    "lost",  # a ship is lost, and how
    "officer",  # a named officer is killed, wounded, captured or drowned
    "taken_up",  # ships in company save people of a ship that goes down: how many each
    "castaways",  # people of a wreck come ashore: among friends, in the enemy's hands, or on a neutral coast
    "rode_out",  # a fleet meets a gale: the dice of its damaged ships, and who founders
    "parted_company",  # a squadron or a ship parts company in a gale, and makes for the rendezvous
    "left_behind",  # a fleet sails on without the ships that can neither sail nor be towed
    "aground",  # deep ships have taken the ground on a shoal coast
    "refloated",  # the tide has floated a ship off
    "rose",  # prisoners rise upon the crew of a prize: the die, and who has her now
    "sent_in",  # a fleet sends prizes and crippled ships to a port
    "interned",  # a neutral port interns a fleet that has outstayed its shelter
    "rejoined",  # what has parted company is with its fleet again
    "fleet_ended",  # a fleet has no ship left
    "detached",  # ships leave their fleet by order, and are a fleet of their own
    "transferred",  # ships go over to another fleet in company
    "lies_off",  # a fleet has come off the port that it blockades or is to attack
    "driven_off",  # weather drives a blockader to its shelter
    "slipped_out",  # a fleet slips out of a blockaded port: the die
    "met_off_port",  # a fleet that leaves a blockaded port is met by the blockader
    "port_attacked",  # a fleet goes in to attack a port
    "port_assailed",  # a port of one's own is attacked
    "guard_fired",  # the guard of a port fires on who attacks it: hits by ship
    "convoy_delivered",  # ships of a convoy have come to their destination, and what their cargo is worth
    "sent_ahead",  # a general chase sends the faster ships ahead
    "left_astern",  # a fleet that is chased leaves its slowest ships behind
    "burnt_at_sea",  # a prize is burnt by her captors
    "let_go",  # a prize is let go with her own people
    "yard_dated",  # a yard takes a ship in hand, or lets her wait for a berth: when she is to be ready
    "yard_redated",  # a ship in a yard is to be ready at another time than was said
    "yard_left",  # a ship leaves a yard with her work undone
    "left_in_yard",  # a fleet sails without the ships that lie in a yard, before the court, or have too few men
    "repaired",  # a yard has made a ship whole
    "mended_at_sea",  # a ship has mended something with what is aboard
    "prize_in_port",  # a prize has come in and lies before the prize court
    "condemned",  # a prize court has condemned a ship: what she is worth
    "prize_bought",  # a prize is bought into service, by her old name or a new one
    "prize_sold",  # a prize is sold
    "prize_hulked",  # a prize is made a hulk
    "burnt_in_port",  # a condemned prize is burnt
    "prize_exchanged",  # a prize goes back to her old side for her value
    "salvage",  # who retook a ship is paid for it
    "prisoners_landed",  # prisoners are brought ashore
    "exchanged",  # two sides exchange prisoners, man for man
    "recruited",  # men come aboard in a port: recruited, bought by bounty, or from ashore
    "men_moved",  # men go over from one ship to another
    "hunger",  # a fleet without provisions loses people and makes for a port
    "officer_fit",  # a wounded officer is fit for duty
    "officer_takes",  # an officer takes command of a ship
    "officer_hoists",  # an officer hoists his flag in a squadron's flagship
    "side_order_refused",  # a side's shore orders are refused with their reasons; the last good ones stand
    "renewed",  # both fleets mean to go on with a battle that has ended
)
