"""News for the rooms above: a battle has been fought. Losing it is harmless: turns look for fought battles themselves."""

from django.dispatch import Signal

battle_closed = Signal()  # arguments: battle_id, reference
