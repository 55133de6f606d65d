"""Servers of every kind that are away: one that takes connections and never says a word, and a port where nobody listens."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass
class Silence:
    """A server that says nothing, and the connections that it has taken."""

    port: int
    taken: list[socket.socket] = field(default_factory=list)

    @property
    def connections(self) -> int:
        """How many there have been."""
        return len(self.taken)


@contextlib.contextmanager
def silence() -> Iterator[Silence]:
    """Such a server on a free port of 127.0.0.1, ended with the block."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as listener:
        made = Silence(listener.getsockname()[1])

        def take() -> None:
            with contextlib.suppress(OSError):  # the listener is closed
                while True:
                    made.taken.append(listener.accept()[0])

        threading.Thread(target=take, daemon=True).start()
        try:
            yield made
        finally:
            with contextlib.suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            for taken in made.taken:
                taken.close()
