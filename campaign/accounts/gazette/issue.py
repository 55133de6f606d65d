"""A turn's number of a side's paper: battles first, then single ships, the weather, the ports and the prize court."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from campaign.accounts.gazette.papers import Paper, people_of, words_of
from campaign.accounts.gazette.words import Pen, ordinal
from campaign.accounts.words import Names, ending_of, listed, place_name, pounds, scene
from campaign.calendar import moment

Event = list[Any]
Data = Mapping[str, Any]
_SEA = frozenset({"foundered", "wrecked", "missing"})
_HURT = {"killed": "killed", "drowned": "killed", "wounded": "hurt", "captured": "captured"}
# Sides that lost so many more ships than they know the enemy to have lost own to a misfortune.
_BEATEN_BY = 2


@dataclass(frozen=True, slots=True)
class Item:
    """A piece of news. line: place and date over it, "" for none."""

    line: str
    text: str


@dataclass(frozen=True, slots=True)
class Issue:
    """A number of a paper. voice: for the page's looks. date: of printing, with the town."""

    paper: Paper
    number: str
    date: str
    headline: str
    items: tuple[Item, ...]
    close: str


@dataclass(frozen=True, slots=True)
class Printed:
    """For whom an issue is made. seed: names campaign and side. us: codes of the side and its allies, its own first.

    nations: of every side by its code. start: the campaign's first day. number: of the turn. last: its last day.
    """

    paper: Paper
    seed: str
    us: tuple[str, ...]
    nations: Mapping[str, Sequence[str]]
    names: Names
    start: str
    number: int
    last: date


@dataclass(slots=True)
class _Tally:
    """What became of ships and people in some events, by name. took, sank, weather: the enemy's; lost, drowned: ours."""

    took: list[str]
    sank: list[str]
    weather: list[str]
    lost: list[str]
    drowned: list[str]
    people: dict[str, list[str]]

    @property
    def balance(self) -> int:
        """Ships of the enemy's less our own."""
        return len(self.took) + len(self.sank) - len(self.lost)


def issue_of(events: Iterable[Event], printed: Printed) -> Issue:
    """The number of a paper that tells these events, which are all of one turn and all known to the side."""
    return _Press(sorted(events, key=lambda event: event[0]), printed).issue()


class _Press:
    def __init__(self, events: Sequence[Event], printed: Printed) -> None:
        self.events, self.p = events, printed
        self.pen = Pen(printed.paper, printed.seed, printed.number)
        self.year = int(printed.start[:4])
        self.voice = words_of(printed.paper.voice)

    def issue(self) -> Issue:
        """Everything set in order."""
        paper, number = self.p.paper, self.p.number
        battles = [event for event in self.events if event[1] == "battle"]
        items = [
            *self._politics(),
            *(self._battle(event) for event in battles),
            *self._single_ships(),
            *self._weather(),
            *self._shore(),
            *self._trade(),
        ]
        if not battles:
            items += self._shy()
        if not items:
            items.append(Item("", self.pen.write("quiet")))
        printing = self.p.last + timedelta(days=paper.post)
        return Issue(
            paper,
            paper.number.format(number=number, ordinal=ordinal(number)),
            f"{paper.town}, {paper.day(printing, year=True)}",
            self._headline(battles),
            tuple(item for item in items if item.text),
            self.pen.write("close" if battles else "close_quiet"),
        )

    def _headline(self, battles: Sequence[Event]) -> str:
        whole = self._tally(self.events)
        if not battles:
            return self.pen.write("head_quiet")
        field = {event[4].get("held_field") for event in self.events if event[1] == "battle_ended"} - {
            "",
            None,
        }
        ours, theirs = bool(field & {*self.p.us}), bool(field - {*self.p.us})
        if whole.balance > 0 or (whole.balance == 0 and ours and not theirs):
            slot = "head_win"
        elif whole.balance <= -_BEATEN_BY or (whole.balance < 0 and theirs):
            slot = "head_lose"
        else:
            slot = "head_even"
        gone = len(whole.took) + len(whole.sank)
        foes = self._people(
            code for event in battles for code in event[4].get("fleets", {})
        ) or self._enemies(self.events)
        where = self._where(battles[-1][4]) if battles else ""
        return self.pen.write(slot, them=foes, where=where, count=self.pen.fleet_of(gone) if gone else "")

    def _battle(self, begun: Event) -> Item:
        hour, _, _, _, data = begun
        own = [e for e in self.events if e[4].get("battle") == data["battle"] and abs(e[0] - hour) < 48]
        over = next((event for event in own if event[1] == "battle_ended"), None)
        tally, pen = self._tally(own), self.pen
        them = self._people(data.get("fleets", {})) or self._enemies(own)
        told = [pen.write("battle", them=them, where=self._where(data), date=self._date(hour))]
        if data.get("gauge"):
            told.append(pen.write("gauge_us" if data["gauge"] in self.p.us else "gauge_them", them=them))
        if over is not None:
            ended, ending = over[4], _ending(over)
            beaten = ending == "beaten" and ended.get("held_field") not in ("", None, *self.p.us)
            how = "overpowered" if beaten else ending
            told.append(pen.write(f"ended_{how}", hours=pen.hours(int(ended.get("minutes", 0)))))
            if ended.get("held_field") and ending != "beaten":
                told.append(
                    pen.write("field_us" if ended["held_field"] in self.p.us else "field_them", them=them)
                )
        told += [
            *self._ships("took", tally.took, them),
            *self._ships("sank", tally.sank + tally.weather, them),
        ]
        if not (tally.took or tally.sank or tally.weather) and over is not None:
            told.append(pen.write("none_enemy", them=them))
        told += self._ships("own_lost", tally.lost + tally.drowned, them)
        if not (tally.lost or tally.drowned) and over is not None:
            told.append(pen.write("own_none"))
        told += [
            pen.write(slot, len(who), names=pen.people(who)) for slot, who in tally.people.items() if who
        ]
        return Item(self._line(self.voice["source"], hour), " ".join(filter(None, told)))

    def _ships(self, slot: str, names: Sequence[str], them: str) -> list[str]:
        if not names:
            return []
        pen = self.pen
        return [pen.write(slot, len(names), ships=pen.ships(names), n=pen.count(len(names)), them=them)]

    def _tally(self, events: Iterable[Event]) -> _Tally:
        us, names = self.p.us, self.p.names
        tally = _Tally(
            [],
            [],
            [],
            [],
            [],
            {"killed": [], "hurt": [], "captured": [], "enemy_killed": [], "enemy_captured": []},
        )
        for _, kind, _, _, data in events:
            name = names.get(str(data.get("ship", "")), "").split(" (")[0]
            ours = data.get("side") in us
            if kind == "captured" and name:
                (tally.lost if ours else tally.took if data.get("captor") in us else []).append(name)
            elif kind == "lost" and name:
                sea = not data.get("battle") and data.get("fate") in _SEA
                (
                    tally.drowned
                    if ours and sea
                    else tally.lost
                    if ours
                    else tally.weather
                    if sea
                    else tally.sank
                ).append(name)
            elif kind == "officer" and data.get("name"):
                slot = _HURT.get(str(data.get("fate")), "hurt")
                if ours or slot != "hurt":
                    tally.people[slot if ours else f"enemy_{slot}"].append(str(data["name"]))
        return tally

    def _single_ships(self) -> list[Item]:
        """Ships taken and lost outside battles."""
        tally = self._tally(event for event in self.events if not event[4].get("battle"))
        them = self._enemies(self.events)
        told = [
            *self._ships("prize", tally.took, them),
            *self._ships("sank", tally.sank, them),
            *self._ships("loss" if them != self.voice["enemy"] else "own_lost", tally.lost, them),
        ]
        return [Item("", " ".join(told))] if told else []

    def _weather(self) -> list[Item]:
        rows = [event for event in self.events if not event[4].get("battle")]
        gale = any(event[1] == "gale" for event in rows)
        tally = self._tally(rows)
        them = self._enemies(rows)
        told = [
            *([self.pen.write("gale")] if gale or tally.drowned else []),
            *self._ships("sea_lost", tally.drowned, them),
            *self._ships("sea_enemy", tally.weather, them),
        ]
        return [Item("", " ".join(told))] if told else []

    def _shore(self) -> list[Item]:
        """Convoys, ports that changed hands, raids and landings, each place once."""
        found: dict[tuple[str, str], tuple[int, str]] = {}
        for hour, kind, _, _, data in self.events:
            slot = self._shore_slot(kind, data)
            if slot:
                against = str(data.get("attacker") or data.get("loser") or data.get("side") or "")
                found.setdefault((slot, str(data.get("place", ""))), (hour, against))
        items = []
        for (slot, place), (hour, against) in found.items():
            where = place_name(place, self.p.names)
            them = self._people([against]) or self._enemies(self.events)
            items.append(Item(self._line(where, hour), self.pen.write(slot, place=where, them=them)))
        return items

    def _shore_slot(self, kind: str, data: Data) -> str:
        if kind == "convoy_delivered":
            return "convoy" if data.get("side") in self.p.us else ""
        if kind == "port_taken":
            return "port_us" if data.get("side") in self.p.us else "port_them"
        return {
            "raided": "raid_us", "raid_suffered": "raid_them", "landed": "ashore_us", "enemy_landed": "ashore_them",
        }.get(kind, "")  # fmt: skip

    def _trade(self) -> list[Item]:
        """Merchantmen that no one lists, and what the prize court has sold."""
        pen, told = self.pen, []
        for kind, slot in (("shipping_taken", "trade_us"), ("shipping_lost", "trade_them")):
            rows = [event[4] for event in self.events if event[1] == kind]
            if rows:
                them = self._people(str(row.get("attacker") or row.get("owner") or "") for row in rows)
                told.append(
                    pen.write(slot, len(rows), n=pen.count(len(rows)), them=them or self.voice["enemy"])
                )
        sold: dict[str, list[int]] = {}
        for event in self.events:
            if event[1] == "prize_sold" and event[4].get("side") in self.p.us:
                sold.setdefault(str(event[4].get("place", "")), []).append(int(event[4].get("pounds", 0)))
        told += [
            pen.write(
                "court",
                len(sums),
                n=pen.count(len(sums)),
                place=place_name(place, self.p.names),
                pounds=pounds(sum(sums)),
            )
            for place, sums in sorted(sold.items())
        ]
        return [Item("", text) for text in told if text]

    def _politics(self) -> list[Item]:
        slots = {"peace": "peace", "hostility": "war"}
        texts = {
            (slots[event[1]], str(event[4].get("text", ""))): event[0]
            for event in self.events
            if event[1] in slots
        }
        return [
            Item(self._line(self.p.paper.town, hour), self.pen.write(slot, text=text))
            for (slot, text), hour in texts.items()
        ]

    def _shy(self) -> list[Item]:
        chased = any(event[1] == "not_overhauled" and not event[4].get("flies") for event in self.events)
        return [Item("", self.pen.write("shy", them=self._enemies(self.events)))] if chased else []

    def _people(self, codes: Iterable[str]) -> str:
        """The enemies among some sides as the paper calls them, "" for none."""
        found = []
        for code in dict.fromkeys(codes):
            if code not in self.p.us and code in self.p.nations:
                nations = self.p.nations[code] or [self.p.names.get(code, "")]
                found += [people_of(nation, self.year, f"those of {nation}") for nation in nations if nation]
        return listed(list(dict.fromkeys(found)))

    def _enemies(self, events: Iterable[Event]) -> str:
        """The enemies of whom events tell; "the enemy" where they name none."""
        sides = (str(event[4].get(key, "")) for event in events for key in ("side", "captor", "attacker"))
        return self._people(sides) or self.voice["enemy"]

    def _where(self, data: Data) -> str:
        return scene(self.p.names.get(str(data.get("place", "")), str(data.get("place", "")))) or "at sea"

    def _date(self, hour: int) -> str:
        return self.p.paper.day(moment(self.p.start, hour).date())

    def _line(self, place: str, hour: int) -> str:
        return f"{place}, {self._date(hour)}"


def _ending(over: Event) -> str:
    why = ending_of(over)
    return why if why in ("nightfall", "gale", "beaten", "parted") else "limit"
