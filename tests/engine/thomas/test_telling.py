"""A battle told from its log: news only, by name, gunfire summed up by side."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.core.log import Event
from battles.engine.rulesets.thomas.events import KINDS
from battles.engine.rulesets.thomas.telling import _TELLERS, Teller
from tests.support.fleets import meeting

BATTLE = meeting(2, 2, rule_set="thomas")
NAMES = {ship.id: ship.name for _, _, ship in BATTLE.ships()}
ONE, TWO, THEM = NAMES["E01"], NAMES["E02"], NAMES["D01"]


def event(kind: str, ship: str = "E01", /, **data: Any) -> Event:
    return Event(3, "P7", kind, "T.X1", ship, data)


def told(*events: Event) -> list[str]:
    return Teller(BATTLE).turn(events)


@pytest.mark.parametrize(
    ("one", "sentence"),
    [
        (event("opened", "", minute=375, wind_from=31_500, strength=2), "06:15. The wind blows from the north-west, medium."),
        (event("opened", "", minute=720, wind_from=4_500, strength=0), "12:00. It is calm, the next wind to come from the north-east."),
        (event("wind", "", **{"from": 27_000, "was": 0, "strength": 3, "strength_was": 2}), "The wind blows from the west, strong now."),
        (event("struck", to="D", by="", why="worn crew"), f"{ONE} strikes, her crew worn out."),
        (event("struck", to="D", by="D01", why="boarded"), f"{ONE} strikes to boarders."),
        (event("struck", to="D", by="", why="struck"), f"{ONE} strikes."),
        (event("secured", by="D01", captives=3, way="boats"), f"{THEM} secures {ONE}."),
        (event("retaken", by="E02", why="boats"), f"{TWO} retakes {ONE}."),
        (event("retaken", by="", why="captives rose"), f"The captives in {ONE} rise and retake her."),
        (event("mast", threshold="half", left=1, dismasted=True), f"  {ONE} loses a mast and is dismasted."),
        (event("mast", threshold="half", left=2, dismasted=False), f"  {ONE} loses a mast."),
        (event("mast", threshold="three_quarters", left=0, dismasted=False), f"  {ONE} loses her last mast."),
        (event("damage", quarters=1, flot=1), f"  {ONE} is a quarter damaged, 1 point afloat."),
        (event("jury", count=2, up=False), ""),
        (event("jury", count=5, up=True), f"  {ONE} has a jury mast up."),
        (event("alight", by="blast", of="D01"), f"  {ONE} is on fire from {THEM}."),
        (event("alight", by="magazine", of=""), f"  {ONE} is on fire."),
        (event("blown_up", x=1, y=2), f"{ONE} blows up."),
        (event("grapple", target="D01", made=True), f"  {ONE} grapples {THEM}."),
        (event("grapple", target="D01", made=False), ""),
        (event("round", attackers=[["E01", None]], defenders=[["D01", 4]], killed=[3, 5], part=1),
         f"  Boarding, {ONE} against {THEM}: 5 and 3 fall."),
        (event("boats", out=True), f"  {ONE} puts out her boats to tow."),
        (event("rig", mode="to_oars"), f"  {ONE} takes in sail to row."),
        (event("tow", target="E02", made=True), f"  {ONE} takes {TWO} in tow."),
        (event("anchored", cut=False, torn=True), f"  {ONE} is torn from her anchor."),
        (event("headed", irons=True, h=0), f"  {ONE} is taken aback as the wind heads her."),
        (event("night", "", fights_on=True, why="night_action"), "It is night, but the battle goes on as was agreed."),
        (event("night", "", fights_on=False, why=""), ""),
        (event("after", what="rejoined"), f"{ONE}, never secured, rejoins her own side in dishonour."),
        (event("after", what="ashore", men=0), ""),
        (event("after", what="ashore"), f"The people of {ONE} are ashore."),
        (event("saved", **{"from": "E02", "friends": 3, "enemies": 0}), f"  {ONE} takes up 3 from {TWO}."),
        (event("ended", "", why="parted", held_field=""), "The battle ends: one side has got away."),
    ],
    ids=lambda value: value.kind if isinstance(value, Event) else "",
)  # fmt: skip
def test_an_event_is_a_sentence(one: Event, sentence: str) -> None:
    assert told(one) == ([sentence] if sentence else [])


def test_damage_is_told_when_another_quarter_is_gone_and_of_an_enemy_without_the_points() -> None:
    teller = Teller(BATTLE)
    placed = [event("placed", quarters=0), event("placed", "D01", quarters=1)]
    first = teller.turn(
        [*placed, event("damage", hits=3, quarters=1, flot=40), event("damage", "D01", hits=2, quarters=1)]
    )
    assert first == [f"  {ONE} is a quarter damaged, 40 points afloat."]
    later = teller.turn(
        [event("damage", hits=1, quarters=1, flot=39), event("damage", "D01", hits=9, quarters=3)]
    )
    assert later == [f"  {THEM} is three quarters damaged."]
    assert teller.turn([event("damage", hits=9, quarters=4, flot=0), event("sunk", x=0, y=0)]) == [
        f"{ONE} sinks under gunfire."
    ]


def test_gunfire_is_summed_up_by_side_where_it_happened() -> None:
    lines = told(
        event("grapple", target="D01", made=True),
        event("volley", target="D01", group="port", range=4_000, hits=3, raked=True),
        event("volley", "E02", target="D01", group="port", range=4_000, hits=0, raked=True),
        event("volley", "D01", target="E01", group="port", range=4_000, hits=1, raked=False),
        event("struck", "D01", to="E", by="", why="struck"),
    )
    assert lines == [
        f"  {ONE} grapples {THEM}.",
        "Gunfire: England 3 hits of 2 broadsides, 1 raking; Dutch Republic 1 hit of 1 broadside.",
        f"{THEM} strikes.",
    ]


def test_every_teller_tells_a_kind_of_event_that_there_is() -> None:
    assert set(_TELLERS) <= set(KINDS)
