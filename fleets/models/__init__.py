"""Ships and everything that hangs on a navy."""

from fleets.models.books import Book, Nation, Navy
from fleets.models.registers import Confidence, ImportBatch, Register, RegisterEntry, Role, ShipType
from fleets.models.ships import Fleet, Officer, Prize, ServiceRecord, Ship, Squadron

__all__ = [
    "Book",
    "Confidence",
    "Fleet",
    "ImportBatch",
    "Nation",
    "Navy",
    "Officer",
    "Prize",
    "Register",
    "RegisterEntry",
    "Role",
    "ServiceRecord",
    "Ship",
    "ShipType",
    "Squadron",
]
