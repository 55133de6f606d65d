"""The minefields that a side knows of, as its own people see them. Rules: G.MN1, G.IN1."""

from __future__ import annotations

from dataclasses import dataclass

from campaign.rules.mines.laying import stock
from campaign.rules.mines.waters import friends_know
from campaign.selectors.ashore.ashore import Shore


@dataclass(frozen=True, slots=True)
class KnownField:
    """Minefields at a place. whose: "ours" with an ally's, else "the enemy's"; sections: of all together."""

    where: str
    whose: str
    sections: int


@dataclass(frozen=True, slots=True)
class Carrier:
    """A ship with mines aboard."""

    ship: str
    sections: int


@dataclass(frozen=True, slots=True)
class KnownMines:
    """What a side knows of mines; empty where there are none."""

    fields: tuple[KnownField, ...] = ()
    aboard: tuple[Carrier, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.fields or self.aboard)


def mines_of(shore: Shore) -> KnownMines:
    """The mines of a side for one reader: fields that it or an ally laid or found, and mines in ships that the reader sees.

    Rules: G.MN1, G.IN4.
    """
    chart = shore.chart
    friends, laid = shore.rules(friends_know)(shore.side.code), shore.rules(stock)
    sums: dict[tuple[str, str], int] = {}
    for _, row in sorted(chart.state.mines.fields.items()):
        if any(row.known_to(side) for side in friends):
            key = (shore.place(row.place), "ours" if row.side in friends else "the enemy's")
            sums[key] = sums.get(key, 0) + row.sections
    carriers = shore.ships if shore.played.at_sea.lays_mines else []
    return KnownMines(
        tuple(KnownField(*key, sections) for key, sections in sorted(sums.items())),
        tuple(Carrier(shore.name(ship.code), aboard) for ship in carriers if (aboard := laid(ship))),
    )
