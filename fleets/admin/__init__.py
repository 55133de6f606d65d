"""Django's admin for the fleets: registers, a campaign's ships, and the ledger, which is read-only."""

from fleets.admin import ashore, campaign_ships, entries, imports, ledger, registers, ships
from fleets.admin.base import (
    ByBook,
    Labelled,
    ListedInline,
    NotAdded,
    NotDeleted,
    OwnChoices,
    OwnRelatedFilter,
    ReadOnlyAdmin,
    RuleSetFilter,
    column,
    read_only,
)
