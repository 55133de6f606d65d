"""Ships and everything that hangs on a navy."""

from fleets.models.ashore import MenAshore, PrisonersHeld, PrizeFund, RepairJob
from fleets.models.books import Book, Nation, Navy
from fleets.models.registers import (
    Composition,
    Confidence,
    ImportBatch,
    Register,
    RegisterEntry,
    Role,
    ShipType,
)
from fleets.models.ships import Fleet, Officer, OfficerRecord, Prize, ServiceRecord, Ship, Squadron
