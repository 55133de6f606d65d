"""What the chart asks of a ship of this set. Pure functions of card and condition. Rules: P.K17-P.K26, P.K33-P.K39, P.X04, P.X05, P.X09."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from battles.engine.core.at_sea import AtSea, Mark, Trade, Vessel
from battles.engine.rulesets.barker.condition import GONE, RUNG, Condition
from battles.engine.rulesets.barker.effects import grade
from battles.engine.rulesets.barker.factors import CRIPPLED, DEFENCE, OBSOLETE
from battles.engine.rulesets.barker.mines import AT_BOATS, AT_OTHERS, CARRIERS, SWEPT_FROM
from battles.engine.rulesets.barker.options import MOST_SECTIONS
from battles.engine.rulesets.barker.tables import BOATS, Grade, Type

Doc = Mapping[str, Any]
# Tag of a ship that lies at anchor when the battle opens. Rule: P.K38.
ANCHORED = "anchored"
# Hits of the chart to one marker. Rule: P.K33.
HITS_PER_MARKER = 4
_STEPS = 4
_SAIL_NO_GO = 45


# Who stops merchantmen on the chart. Rules: P.N05, P.R04, P.R05.
RAIDERS = frozenset({Type.C1, Type.C2, Type.C3, Type.SC, Type.AMC, Type.RAIDER_L, Type.RAIDER_T})
# What is met there, with its points and pounds: a die of 6 a liner, of 3 to 5 a tramp, of 1 or 2 a sailing vessel.
# Rules: P.N01, P.N08, P.S13, P.K34.
TRADE = Trade(
    (
        Vessel("liner", 6, Fraction(3), 8_000),
        Vessel("tramp", 3, Fraction(2), 3_000),
        Vessel("sailing vessel", 1, Fraction(1), 1_000),
    ),
    present_at=4,
    contraband_at=6,
)


class BarkerAtSea(AtSea):
    """The campaign's questions about a ship. What is not here is answered as for most sets: P.K19, P.K24, P.K30, P.K35."""

    port_batteries = True
    lays_mines = True
    stays_aground = True
    strikes_by_night = True
    trade = TRADE

    def sound(self, card: Doc) -> dict[str, Any]:
        """No damage, and no flag that anybody remembers. Rule: P.K31."""
        return Condition().to_dict()

    def hull_fraction(self, card: Doc, condition: Doc) -> Fraction:
        """Share of the hull lost by the ladder. Rule: P.K17."""
        return Condition.from_dict(condition).lost

    def steps_lost(self, card: Doc, condition: Doc) -> int:
        """Full quarters of the hull lost. Rule: P.K18."""
        return int(self.hull_fraction(card, condition) * _STEPS)

    def mend(self, card: Doc, condition: Doc, *, done: str, men: int, complement: int) -> dict[str, Any]:
        """A mended hull has neither markers nor crippling; other work changes nothing. Raises ValueError for unknown work. Rule: P.K20."""
        if done not in ("hull", "mast", "battery", "recruits"):
            raise ValueError(f"no work {done!r} in a yard")
        return Condition.from_dict(condition).at(0).to_dict() if done == "hull" else dict(condition)

    def sea_speed(self, card: Doc, condition: Doc) -> Fraction:
        """Half for a cripple, none for a ship that is gone. Rule: P.K21."""
        now = Condition.from_dict(condition)
        if now.gone:
            return Fraction(0)
        return Fraction(1, 2) if now.crippled else Fraction(1)

    def no_go(self, card: Doc, condition: Doc) -> int:
        """A sailing vessel cannot steer within 45 degrees of the wind; all others can. Rules: P.K22, P.Y08."""
        return 0 if self.steam(card) else _SAIL_NO_GO

    def whole_value(self, card: Doc) -> Fraction:
        """The SP of one hull. Rule: P.K25."""
        return Fraction(card["sp2"], 2)

    def pounds(self, card: Doc, condition: Doc) -> int:
        """One pound a ton of what is left, rounded down. Rule: P.K34."""
        return int(card["tons"] * (1 - self.hull_fraction(card, condition)))

    def commissioned(self, card: Doc, condition: Doc, *, men: int, complement: int) -> dict[str, Any]:
        """A prize taken into service forgets whose flag it bore. Rule: P.K32."""
        return {**condition, "character": 0, "officer": "", "partner": ""}

    def deep(self, card: Doc) -> bool:
        """Battleships, 1st-class cruisers and transports. Rule: P.K26."""
        return bool(card["deep"])

    def steam(self, card: Doc) -> bool:
        """Everybody but sailing vessels. Rule: P.K37."""
        return str(card["type"]) != Type.SAIL.value

    def mines(self, card: Doc) -> int:
        """A merchant steamer carries a field of six sections. Rules: P.X01, P.X04."""
        return MOST_SECTIONS if Type(card["type"]) in CARRIERS else 0

    def mines_aboard(self, card: Doc) -> int:
        """A minelayer has its field aboard from the first. Rule: P.R07."""
        return MOST_SECTIONS if card["type"] == Type.MINELAYER.value else 0

    def sweeps(self, card: Doc, year: int) -> bool:
        """Destroyers, from 1904. Rule: P.X09."""
        return card["type"] == Type.TBD.value and year >= SWEPT_FROM

    def mined(self, card: Doc, condition: Doc, attack: int, defence: int) -> dict[str, Any]:
        """The dice and grades by which a field attacks in a battle. Rules: P.X05, P.E03-P.E05, P.E09."""
        now, kind = Condition.from_dict(condition), Type(card["type"])
        strength = (AT_BOATS if kind in BOATS else AT_OTHERS) + attack
        strong = DEFENCE[kind] - CRIPPLED * now.crippled - OBSOLETE * bool(card["obsolete"]) + defence
        found = grade(strength, strong)
        if found is Grade.NONE:
            return dict(condition)
        gone = found is Grade.GREATER or now.crippled or kind is Type.SUB
        return now.at(GONE if gone else RUNG).to_dict()

    def torpedo_craft(self, card: Doc) -> bool:
        """Destroyers, torpedo boats and scouts make up flotillas. Rules: P.S16, P.K36."""
        return Type(card["type"]) in BOATS | {Type.SC}

    def stops_trade(self, card: Doc) -> bool:
        """Cruisers, scouts and armed merchantmen; a battleship is too slow and a boat too small. Rules: P.N05, P.R04, P.R05, P.S05."""
        return Type(card["type"]) in RAIDERS

    def hit(self, card: Doc, condition: Doc, hits: int) -> dict[str, Any]:
        """A marker for each begun four hits, down to gone; a submarine is sound until it is gone. Rules: P.K33, P.U09."""
        now = Condition.from_dict(condition)
        rung = now.rung - (-hits // HITS_PER_MARKER)
        if card["type"] == Type.SUB.value and rung < GONE:
            return dict(condition)
        return now.at(rung).to_dict()

    def mast_lost(self, card: Doc, condition: Doc) -> dict[str, Any]:
        """There are no masts: one step more, but never gone. Rule: P.K33."""
        return super().mast_lost(card, condition)

    def at_anchor(self, scenario: Doc, side: str) -> dict[str, Any]:
        """The ships of a side carry the tag `anchored`. Rule: P.K38."""
        return {
            **scenario,
            "sides": [_anchored(one) if one["id"] == side else one for one in scenario["sides"]],
        }

    def marks(self, card: Doc, condition: Doc) -> tuple[Mark, ...]:
        """Markers and crippling; a submarine has none. Rule: P.K39."""
        if card["type"] == Type.SUB.value:
            return ()
        now = Condition.from_dict(condition)
        return (
            Mark("damage", "Damage markers", now.damage, 0, RUNG - 1, "P.E08"),
            Mark("crippled", "Crippled", int(now.crippled), 0, 1, "P.E11"),
        )

    def with_marks(self, card: Doc, condition: Doc, values: Mapping[str, int]) -> dict[str, Any]:
        """Her condition with these markers; a cripple may have fresh ones. Rule: P.K39."""
        if not values:
            return dict(condition)
        rung = values["damage"] + RUNG * values["crippled"]
        return Condition.from_dict(condition).at(rung).to_dict()


def _anchored(side: Doc) -> dict[str, Any]:
    return {
        **side,
        "squadrons": [
            {**row, "ships": [_tagged(ship) for ship in row["ships"]]} for row in side["squadrons"]
        ],
    }


def _tagged(ship: Doc) -> dict[str, Any]:
    tags = [*ship["facts"].get("tags", ()), ANCHORED]
    return {**ship, "facts": {**ship["facts"], "tags": list(dict.fromkeys(tags))}}


AT_SEA = BarkerAtSea()
