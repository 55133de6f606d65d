"""Django's admin over the fleets: registers to be kept, a campaign's ships to be looked after, the ledger to be read."""

from fleets.admin import ashore, campaign_ships, entries, imports, ledger, registers, ships
from fleets.admin.base import ByBook, OwnChoices, OwnRelatedFilter, ReadOnlyAdmin

__all__ = [
    "ByBook",
    "OwnChoices",
    "OwnRelatedFilter",
    "ReadOnlyAdmin",
    "ashore",
    "campaign_ships",
    "entries",
    "imports",
    "ledger",
    "registers",
    "ships",
]
