"""Reading what a row of a calendar does: ships, places, orders, convoys, armies, politics. Rules: G.CA2, G.CA4, G.CA5."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from battles.engine.core.errors import Fault
from campaign.rules.calendar.known import Known
from campaign.rules.state.documents import order_from

CHANGEABLE = ("role", "commander", "guns", "overrides")  # of a register's entry
TIES = ("war", "alliance", "peace")
MOST_SHIPS, MOST_MEN, MOST_MARKS, MOST_POINTS, MOST_GUNS, MOST_TONS = (
    200,
    1_000_000,
    1_000,
    1_000_000,
    200,
    30_000,
)
MOST_MERCHANTS = 60
LONGEST_CODE, LONGEST_NAME = 12, 80
GUNS, TONS = 12, 300  # of a merchant of a convoy that says nothing else
_CODE = re.compile(r"[A-Za-z0-9_-]+")
_NUMBERS = {
    "guns": (0, MOST_GUNS),
    "tons": (1, MOST_TONS),
    "men": (1, 10_000),
    "displacement": (1, MOST_TONS),
    "speed": (1, 40),
}
Tell = Callable[[str, str], None]


class DeedReader:
    """Collects faults while the deeds of a calendar are read."""

    def __init__(self, known: Known) -> None:
        self.known = known
        self.faults: list[Fault] = []
        self.fleets: dict[str, str] = {code: side for code, (side, _) in known.fleets.items()}
        self.named: dict[tuple[str, str], str] = {}

    def fault(self, path: str, text: str) -> None:
        """Note what is wrong, and what would be right."""
        self.faults.append(Fault(path, text))

    def read(self, deed: str, do: Mapping[str, Any], first: str, path: str) -> dict[str, Any]:
        """A deed with codes in place of the names of sides. first: ISO date of the row's first day."""
        readers = {
            "arrive": self._arrive, "convoy": self._convoy, "army": self._army, "hostility": self._hostility, "peace": self._peace,
        }  # fmt: skip
        return readers[deed](do, first, path)

    def side(self, do: Mapping[str, Any], path: str) -> str:
        """The code of the side that a deed is for, "" when it names none."""
        name = do.get("side")
        if isinstance(name, str) and name in self.known.sides:
            return self.known.sides[name]
        self.fault(f"{path}.side", f"{name!r} is not a side here. Choose from {', '.join(self.known.sides)}.")
        return ""

    def _arrive(self, do: Mapping[str, Any], first: str, path: str) -> dict[str, Any]:
        side = self.side(do, path)
        self._only(
            do,
            path,
            "side",
            "fleet",
            "name",
            "commander",
            "place",
            "else",
            "orders",
            "ships",
            "made",
            "entries",
        )
        self._new_fleet(do.get("fleet"), side, f"{path}.fleet")
        self._name(do.get("name"), f"{path}.name")
        self._place(do.get("place"), f"{path}.place")
        if "else" in do:
            self._place(do["else"], f"{path}.else")
        self._orders(do.get("orders", {}), do.get("place"), f"{path}.orders")
        if ("ships" in do) == ("made" in do):
            self.fault(
                path,
                "Name ships of the register under “ships”, or new ships under “made”, not both.",
            )
        elif "ships" in do:
            self._ships(do["ships"], side, f"{path}.ships")
        else:
            self._made(do["made"], side, f"{path}.made")
        self._entries(do.get("entries", {}), do.get("ships", ()), f"{path}.entries")
        return {**do, "side": side}

    def _convoy(self, do: Mapping[str, Any], first: str, path: str) -> dict[str, Any]:
        side = self.side(do, path)
        self._only(
            do, path, "side", "code", "name", "ships", "guns", "tons", "start", "else", "destination", "day", "marks", "value",
        )  # fmt: skip
        self._new_fleet(do.get("code"), side, f"{path}.code")
        for name in ("start", "destination", *(["else"] if "else" in do else [])):
            self._place(do.get(name), f"{path}.{name}")
        if do.get("start") == do.get("destination"):
            self.fault(f"{path}.destination", "Choose a destination other than the place it starts from.")
        for name in ("guns", "tons"):
            if name in do:
                self._whole(do[name], *_NUMBERS[name], f"{path}.{name}")
        ships = do.get("ships")
        if isinstance(ships, list):
            if not 1 <= len(ships) <= MOST_MERCHANTS or not all(
                isinstance(s, str) and s.strip() for s in ships
            ):
                self.fault(f"{path}.ships", f"A convoy has 1 to {MOST_MERCHANTS} ships, each with a name.")
        else:
            self._whole(ships, 1, MOST_MERCHANTS, f"{path}.ships")
        if ("marks" in do) == ("value" in do):
            self.fault(path, "Give the cargo's worth as “marks”, or as “value” in points, not both.")
        for name, most in (("marks", MOST_MARKS), ("value", MOST_POINTS)):
            if name in do:
                self._whole(do[name], 0, most, f"{path}.{name}")
        day = self._date(do.get("day", first), f"{path}.day")
        if day and first and day < first:
            self.fault(f"{path}.day", f"The convoy sails on {day}, before it gathers on {first}.")
        named = {"name": str(do.get("name") or f"Convoy {do.get('code')}")}
        return {"guns": GUNS, "tons": TONS, **do, **named, "side": side, "day": day}

    def _army(self, do: Mapping[str, Any], first: str, path: str) -> dict[str, Any]:
        side = self.side(do, path)
        self._only(do, path, "side", "men", "port", "else", "fleet", "embark", "boats")
        self._whole(do.get("men"), 1, MOST_MEN, f"{path}.men")
        if "embark" in do:
            self._whole(do["embark"], 1, MOST_MEN, f"{path}.embark")
        if ("port" in do) == ("fleet" in do):
            self.fault(path, "Give the army a “port” or a “fleet”, not both.")
        elif "fleet" in do:
            if self.fleets.get(do["fleet"]) != side or not side:
                self.fault(f"{path}.fleet", f"{do['fleet']!r} is not a fleet of this side.")
        else:
            self._place(do["port"], f"{path}.port")
            if not do.get("boats") and side and side not in self.known.carriers:
                self.fault(
                    path, "This side has no transports or merchantmen for its army. Give the army “boats”, or put it aboard a “fleet”."
                )  # fmt: skip
        if "else" in do:
            self._place(do["else"], f"{path}.else")
        if "boats" in do:
            self._boats(do["boats"], side, f"{path}.boats")
        return {**do, "side": side}

    def _boats(self, boats: Any, side: str, path: str) -> None:
        if not isinstance(boats, dict):
            self.fault(path, "Write boats as a table with fleet, name, count and like.")
            return
        self._new_fleet(boats.get("fleet"), side, f"{path}.fleet")
        self._name(boats.get("name"), f"{path}.name")
        self._whole(boats.get("count"), 1, MOST_SHIPS, f"{path}.count")
        self._like(boats.get("like"), f"{path}.like")

    def _hostility(self, do: Mapping[str, Any], first: str, path: str) -> dict[str, Any]:
        row = do["hostility"]
        if not (isinstance(row, list) and len(row) == 3 and all(isinstance(part, str) for part in row)):
            self.fault(f"{path}.hostility", f"{row!r} does not name two sides and one of {', '.join(TIES)}.")
            return {}
        a, b, tie = row
        for n, name in enumerate((a, b)):
            if name not in self.known.sides:
                self.fault(
                    f"{path}.hostility[{n}]",
                    f"{name!r} is not a side here. Choose from {', '.join(self.known.sides)}.",
                )
        if a == b:
            self.fault(f"{path}.hostility", "Name two different sides.")
        if tie not in TIES:
            self.fault(f"{path}.hostility[2]", f"{tie!r} is not one of {', '.join(TIES)}.")
        return {"hostility": [self.known.sides.get(a, ""), self.known.sides.get(b, ""), tie]}

    def _peace(self, do: Mapping[str, Any], first: str, path: str) -> dict[str, Any]:
        if do["peace"] is not True:
            self.fault(f"{path}.peace", "“peace” can only be true. Otherwise omit it.")
        return {"peace": True}

    def _new_fleet(self, code: Any, side: str, path: str) -> None:
        if not isinstance(code, str) or not _CODE.fullmatch(code) or len(code) > LONGEST_CODE:
            self.fault(
                path, f"{code!r} is not a fleet's code. Use up to {LONGEST_CODE} letters, digits and hyphens."
            )
        elif code in self.fleets or code in self.known.sides.values():
            self.fault(path, f"The code {code} is taken. Choose another.")
        else:
            self.fleets[code] = side

    def _name(self, name: Any, path: str) -> None:
        if not isinstance(name, str) or not 1 <= len(name.strip()) <= LONGEST_NAME:
            self.fault(path, f"A fleet needs a name of up to {LONGEST_NAME} letters.")

    def _place(self, place: Any, path: str) -> None:
        if place not in self.known.places:
            self.fault(path, f"There is no place {place!r} on the chart.")

    def _orders(self, orders: Any, place: Any, path: str) -> None:
        """Whether a fleet's first order can be read, and its route sailed from where the fleet comes."""
        if not isinstance(orders, dict):
            self.fault(path, "Write orders as a table with route, stance, on_arrival and instructions.")
            return
        route = orders.get("route", [])
        if not isinstance(route, list) or not all(isinstance(step, str) for step in route):
            self.fault(f"{path}.route", "Write the route as a list of places.")
            return
        here = place
        for n, step in enumerate(route):
            if step not in self.known.places:
                self.fault(f"{path}.route[{n}]", f"There is no place {step!r} on the chart.")
            elif here in self.known.places and frozenset((here, step)) not in self.known.passages:
                self.fault(f"{path}.route[{n}]", f"No passage leads from {here} to {step}.")
            here = step
        try:
            order_from({**orders, "fleet": ""})
        except (TypeError, ValueError, KeyError) as error:
            self.fault(path, f"These orders cannot be read: {error}.")

    def _ships(self, ships: Any, side: str, path: str) -> None:
        if not isinstance(ships, list) or not ships:
            self.fault(path, "Name at least one ship of the register.")
            return
        for n, name in enumerate(ships):
            here = f"{path}[{n}]"
            if name not in self.known.register.get(side, ()):
                self.fault(here, f"The side's register has no ship {name!r}.")
            elif name in self.known.mustered.get(side, ()):
                self.fault(here, f"{name} is in a fleet on the first day. It cannot come a second time.")
            elif (side, name) in self.named:
                self.fault(here, f"{name} comes already by {self.named[side, name]}.")
            else:
                self.named[side, name] = path

    def _entries(self, entries: Any, ships: Any, path: str) -> None:
        """Changes of the register's entries, as in an opening's fleets."""
        if not isinstance(entries, dict) or not all(isinstance(row, dict) for row in entries.values()):
            self.fault(path, "Write changed entries as a table by ship.")
            return
        for name, changes in entries.items():
            if name not in ships:
                self.fault(f"{path}.{name}", f"{name} is not one of this row's ships.")
            self._only(changes, f"{path}.{name}", *CHANGEABLE)

    def _made(self, made: Any, side: str, path: str) -> None:
        if not isinstance(made, list) or not made:
            self.fault(path, "List at least one kind of ship, with like and count.")
            return
        for n, row in enumerate(made):
            here = f"{path}[{n}]"
            if not isinstance(row, dict):
                self.fault(here, "Write each kind of ship as a table with like and count.")
                continue
            self._like(row.get("like"), f"{here}.like")
            self._whole(row.get("count"), 1, MOST_SHIPS, f"{here}.count")
            names = row.get("names")
            if names is not None and (not isinstance(names, list) or len(names) != row.get("count")):
                self.fault(f"{here}.names", "Name as many ships as “count” says, or none.")
                continue
            for name in names or ():
                if name in self.known.mustered.get(side, ()):
                    self.fault(
                        f"{here}.names",
                        f"{name} is in a fleet on the first day. It cannot come a second time.",
                    )

    def _like(self, like: Any, path: str) -> None:
        if not isinstance(like, dict):
            self.fault(path, "Write “like” as a table with class, guns, tons and men.")
            return
        if like.get("class") not in self.known.types:
            self.fault(f"{path}.class", f"{like.get('class')!r} is not a type of ship in the registers.")
        for name, (least, most) in _NUMBERS.items():
            if name in like or name in ("guns", "tons", "men"):
                self._whole(like.get(name), least, most, f"{path}.{name}")

    def _only(self, do: Mapping[str, Any], path: str, *known: str) -> None:
        for name in do:
            if name not in known:
                self.fault(f"{path}.{name}", f"{name!r} is not a field here. Choose from {', '.join(known)}.")

    def _whole(self, value: Any, least: int, most: int, path: str) -> None:
        if type(value) is not int or not least <= value <= most:
            self.fault(path, f"{value!r} is not a whole number from {least:,} to {most:,}.")

    def _date(self, value: Any, path: str) -> str:
        """An ISO date; "" with a fault for anything else."""
        try:
            return date.fromisoformat(value).isoformat()
        except (TypeError, ValueError):
            self.fault(path, f"{value!r} is not a date. Write it as YYYY-MM-DD.")
            return ""
