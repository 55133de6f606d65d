"""How every rule set's log is put into words: names for ids, what is news, gunfire totalled by side."""

from __future__ import annotations

from typing import Any

from battles.engine.core.log import DIE, Event
from battles.engine.core.telling import (
    Kind,
    Names,
    News,
    Teller,
    chosen,
    code_words,
    many,
    plain,
    true,
    with_other,
    words,
)
from tests.support.fleets import meeting

BATTLE = meeting(2, 2)
NAMES = Names.of(BATTLE)
ONE, TWO, THEM = (NAMES.ship(code) for code in ("E01", "E02", "D01"))
KINDS = {
    "shot": Kind(plain("{ship} fires"), ("hits",), News.SHOT),
    "struck": Kind(plain("{ship} strikes"), (), News.LINE),
    "tow": Kind(
        with_other("{ship} tows {other}", "target"), ("target", "made"), News.BENEATH, when=true("made")
    ),
    "hurt": Kind(
        chosen("{ship} is {what} hurt", "how", {"b": "badly"}), ("how", "n"), News.BENEATH, step="n"
    ),
    "begins": Kind(plain("{ship} is here"), ("n",), step="n"),
    "quiet": Kind(plain("{ship} is quiet")),
}


def event(kind: str, ship: str = "E01", /, **data: Any) -> Event:
    return Event(3, "P7", kind, "T.X1", ship, data)


def told(*events: Event) -> list[str]:
    return Teller(BATTLE, KINDS).turn(events)


def test_ships_squadrons_and_sides_are_named_and_an_unknown_id_appears_as_it_is() -> None:
    squadron = BATTLE.sides[0].squadrons[0]
    assert NAMES.ship("E01") == BATTLE.sides[0].squadrons[0].ships[0].name
    assert NAMES.squadron(squadron.id) == squadron.name
    assert NAMES.side("E") == "England"
    assert (NAMES.ship("X"), NAMES.squadron("Y"), NAMES.side("Z")) == ("X", "Y", "Z")


def test_things_are_counted_and_codes_become_words() -> None:
    assert (many(1, "hex", "hexes"), many(2, "hex", "hexes"), many(0, "hit")) == (
        "1 hex",
        "2 hexes",
        "0 hits",
    )
    assert (code_words("order/out-of-arc"), code_words("close_range")) == ("out of arc", "close range")


def test_log_and_account_agree_and_the_account_is_shorter() -> None:
    tow, failed = event("tow", target="E02", made=True), event("tow", target="E02", made=False)
    assert words(KINDS, tow, NAMES) == words(KINDS, failed, NAMES) == f"{ONE} tows {TWO}"
    assert told(tow, failed, event("quiet"), event("struck")) == [f"  {ONE} tows {TWO}.", f"{ONE} strikes."]


def test_an_unknown_kind_has_no_words_and_is_not_news() -> None:
    assert words(KINDS, event("old"), NAMES) == ""
    assert told(event("old")) == []


def test_a_throw_names_the_ships_it_is_made_for() -> None:
    data = {"key": "X/1/T.B9/4/E01/port", "die": "D6", "faces": [4, 6], "reason": "fire on D01"}
    assert words(KINDS, event(DIE, "", **data), NAMES) == f"{ONE}: fire on {THEM}, port"
    data |= {"key": "X/1/T.B1/4/red", "reason": "does the wind shift"}
    assert words(KINDS, event(DIE, "", **data), NAMES) == "Does the wind shift?"


def test_damage_is_news_when_it_exceeds_what_was_seen_before() -> None:
    assert told(
        event("begins", n=1),
        event("hurt", how="b", n=1),
        event("hurt", how="b", n=2),
        event("hurt", how="b", n=2),
        event("hurt", "D01", how="not-so", n=1),
    ) == [f"  {ONE} is badly hurt.", f"  {THEM} is not so hurt."]


def test_gunfire_is_totalled_by_side_where_it_began() -> None:
    assert told(
        event("tow", target="E02", made=True),
        event("shot", hits=3, raked=True),
        event("struck", "D02"),
        event("shot", "E02", hits=0, raked=True),
        event("shot", "D01", hits=1),
        event("struck", "D01"),
    ) == [
        f"  {ONE} tows {TWO}.",
        "Hits: England 3 from 2 broadsides, 1 raking; Dutch Republic 1 from 1 broadside.",
        f"{NAMES.ship('D02')} strikes.",
        f"{THEM} strikes.",
    ]


def test_a_set_says_what_its_shots_are_called() -> None:
    kinds = {"shot": Kind(plain("{ship} fires"), ("hits",), News.SHOT, shot="salvo")}
    assert Teller(BATTLE, kinds).turn([event("shot", hits=3), event("shot", hits=0)]) == [
        "Hits: England 3 from 2 salvos."
    ]


def test_shots_from_the_shore_are_no_broadsides_of_a_side() -> None:
    assert told(event("shot", "battery-1", hits=2), event("shot", "D01", hits=1)) == [
        "Hits: Dutch Republic 1 from 1 broadside."
    ]
