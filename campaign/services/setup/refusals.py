"""Why a campaign cannot be started."""

from __future__ import annotations

from collections.abc import Iterable

from battles.engine.core.errors import Fault


class SetupRefused(ValueError):
    """A campaign that cannot be started, with every reason; nothing was saved."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(map(str, self.faults)))
