"""A fleet's orders in a reply: which fleet is meant, what a line may say, and what stays as it was."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from campaign.models import Membership, Order, Station
from campaign.notices.replies import Block, blocks_in
from campaign.services.mail.reply_blocks import block_take
from campaign.services.mail.reply_forms import reply_form, stations_for_reply
from tests.support.answers import flawless
from tests.support.factories import FleetFactory
from tests.support.people import DUTCH, ENGLISH, World, world
from tests.support.put_back import put_back

pytestmark = pytest.mark.one_database

SENT = datetime(2026, 6, 1, 12, tzinfo=UTC)
FLEET = f"Fleet {ENGLISH}"


@pytest.fixture
def told(db: Any) -> World:
    """A campaign with one English fleet, whose orders are older than any mail."""
    made = world()
    Order.objects.update(given=SENT - timedelta(days=1))
    made.english = Membership.objects.select_related("user", "campaign", "side").get(pk=made.english.pk)
    return made


def take(told: World, block: Block | str, sent: datetime = SENT) -> dict[str, Any]:
    """What the answer tells of a block of a reply; a text is lines under the English fleet's name."""
    if isinstance(block, str):
        (block,) = blocks_in([f"Fleet: {FLEET}", *block.splitlines()])
    stations = stations_for_reply(told.english)
    return flawless(
        block_take, turn=told.turn, member=told.english, stations=stations, block=block, sent=sent
    )


def again(told: World, block: Block | str, sent: datetime = SENT) -> tuple[dict[str, Any], Order]:
    """As `take`, and the order that stands then; all is put back."""
    with put_back():
        found = take(told, block, sent)
        order = told.turn.orders.get(fleet=told.english_fleet)
    return found, order


def why(found: dict[str, Any]) -> list[str]:
    """Everything that was wrong, lines first."""
    return [row["why"] for row in found["rows"] if row["why"]] + [fault["text"] for fault in found["faults"]]


def another(told: World, code: str = "zj2", name: str = "Squadron of Observation", at: str = "nore") -> Any:
    """One more English fleet."""
    fleet = FleetFactory(navy=told.english_fleet.navy, code=code, name=name)
    Station.objects.create(fleet=fleet, at=at)
    return fleet


# --- which fleet ------------------------------------------------------------------------------------------


@pytest.mark.clause("G.IN4")
def test_a_fleet_is_named_by_its_name_or_code_and_an_only_fleet_need_not_be_named(told: World) -> None:
    stance = blocks_in(["Stance: avoid"])[0].said
    for words in ("", FLEET, f"{ENGLISH}-f", f"the {FLEET.lower()}", f"Our ships ({ENGLISH}-f)"):
        found, order = again(told, Block(words, list(stance)))
        assert (found["title"], found["taken"], order.stance) == (FLEET, True, "avoid"), words
    another(told)
    other = another(told, "zj3", "Reserve (Nore)")
    found = take(told, Block("Reserve (Nore)", list(stance)))
    assert (found["taken"], told.turn.orders.get(fleet=other).stance) == (True, "avoid")
    for words, title, said in (
        ("", "Unnamed fleet", "Name the fleet: start with a line “Fleet: …”."),
        (f"Fleet {ENGLISH[:-1]}x", f"Fleet {ENGLISH[:-1]}x", f"You have no fleet of that name. Did you mean {FLEET}?"),
        (f"{DUTCH}-f", f"{DUTCH}-f", "You have no fleet of that name."),
        ("x" * 161, "x" * 160, "You have no fleet of that name."),
    ):  # fmt: skip
        found, order = again(told, Block(words, list(stance)))
        assert (found["title"], found["taken"], order.stance) == (title, False, "seek")
        assert found["faults"] == [{"text": said, "clause": "G.IN4"}]


@pytest.mark.clause("G.IN4")
def test_the_code_distinguishes_two_fleets_of_one_name(told: World, settings: Any) -> None:
    another(told, "zj2", FLEET)
    found, _ = again(told, "Stance: avoid")
    assert why(found) == [f"Several fleets have that name. Use one of these codes: zj2, {ENGLISH}-f."]
    found, order = again(told, Block(f"{FLEET} ({ENGLISH}-f)", blocks_in(["Stance: avoid"])[0].said))
    assert (found["taken"], order.stance) == (True, "avoid")
    settings.REPLY_TO = "orders@club.example"
    form = reply_form(turn=told.turn, membership=told.english)
    assert form is not None
    assert [fleet["name"] for fleet in form["fleets"]] == [f"{FLEET} (zj2)", f"{FLEET} ({ENGLISH}-f)"]


def test_lines_that_are_not_orders_are_repeated_up_to_20_lines_of_160_characters(told: World) -> None:
    said = blocks_in(["Stance: avoid"])[0].said
    found, _ = again(told, Block(FLEET, list(said), unread=["x" * 161] * 21))
    assert found["unread"] == ["x" * 160] * 20
    found, _ = again(told, Block(FLEET, list(said), unread=["y" * 159] * 19))
    assert found["unread"] == ["y" * 159] * 19
    long = again(told, f"Stance: {'z' * 300}")[0]["rows"][0]["line"]
    assert long == f"Stance: {'z' * 152}"


# --- what a line says -------------------------------------------------------------------------------------

READ = [
    ("Stance: avoid", {"stance": "avoid"}),
    ("Odds: 2,5", {"greatest_odds": "2.5"}),
    ("Break off at: 40 per cent", {"break_off": 40}),
    ("Chase hours: 12 hours.", {"chase_hours": 12}),
    ("Crippled ships and prizes go to: stay with the fleet", {}),
    ("Crippled ships and prizes: go with a frigate", {"prize_escort": "frigate"}),
    ("Board: no", {"board": "never"}),
    ("Board: only crippled", {"board": "crippled"}),
    ("At nightfall: stay near the enemy", {"at_nightfall": "stay"}),
    ("Rendezvous: the end of the route", {"route": ["swin"]}),
    ("Route: stay", {"route": []}),
    ("Route: stay\nOn arrival: disembark", {"route": [], "on_arrival": "disembark"}),
    ("Route: stay\nOn arrival: patrol", {"route": [], "on_arrival": "patrol"}),
]


@pytest.mark.clause("G.MV2", "G.MV5")
def test_a_line_orders_what_it_says_and_nothing_else(told: World) -> None:
    for lines, expected in READ:
        found, order = again(told, lines)
        assert found["taken"] and why(found) == [], lines
        flat = {**order.instructions, **order.instructions.get("doctrine", {})}
        now = {"route": order.route, "stance": order.stance, "on_arrival": order.on_arrival, **flat}
        kept = {"route": ["swin"], "stance": "seek", "on_arrival": "anchor", "greatest_odds": "3.25"}
        assert {**now, "doctrine": None} == {**now, **kept, **expected, "doctrine": None}, lines
        assert order.source == "mail"


@pytest.mark.clause("G.MV5")
def test_yes_to_boarding_in_an_old_email_means_whenever_it_pays(told: World) -> None:
    _, order = again(told, "Board: only crippled")
    assert order.instructions["doctrine"]["board"] == "crippled"
    found, order = again(told, "Board: yes")
    assert found["taken"] and "board" not in order.instructions.get("doctrine", {})


@pytest.mark.clause("G.MV5")
@pytest.mark.parametrize(
    ("field", "before", "old"),
    [
        ("at_nightfall", "At nightfall: stay near the enemy", "At nightfall: break off if we can"),
        ("after_battle", "After battle: renew it", "After battle: renew it if we are as strong"),
        ("fight_at", "Fight at: long range", "Fight at: the range that suits our guns"),
    ],
)
def test_a_choice_in_the_words_of_an_old_email_is_the_same_choice(
    told: World, field: str, before: str, old: str
) -> None:
    """The first line sets another choice, and the old words set the default again, which is not stored."""
    stored = []
    for line in (before, old):
        found, order = again(told, line)
        assert found["taken"] and why(found) == []
        stored.append({**order.instructions, **order.instructions.get("doctrine", {})})
    assert field in stored[0] and field not in stored[1]


NO_PLACE = "You cannot use that place here. Choose another."
UNREAD = [
    ("Stance: brave", "G.MV2", "Write one of: Seek, Hold, Avoid."),
    ("Stance:", "G.MV2", "Nothing follows the colon."),
    ("On arrival: dance", "G.MV2",
     "Write one of: Anchor, Patrol, Return, Join, Shelter, Escort, Blockade, Attack, Embark, Disembark, Land, Raid."),
    ("Keep company with: nobody", "G.MV2", "Write one of: –."),
    ("Route:", "G.MV2", "Nothing follows the colon. Write “stay” to stop the fleet."),
    ("Route: Xanaduuu", "G.MV2", "“Xanaduuu” is not a place on the chart."),
    ("Route: . . .", "G.MV2", "This line names no place."),
    ("Stence: avoid", "G.MV2", "That is not an order. Did you mean “Stance”?"),
    ("Qqqq: avoid", "G.MV2", "That is not an order."),
    ("Odds: many", "G.MV5", "Write a number."),
    ("Board: perhaps", "G.MV5", "Write one of: never, only crippled ships, whenever it pays."),
    ("Cripples to: Atlantis", "G.MV5", NO_PLACE),
    ("Rendezvous: Atlantis", "G.MV5", NO_PLACE),
    ("Shelter: Atlantis", "G.MV5", NO_PLACE),
    ("At nightfall: sleep", "G.MV5", "Write one of: break off if possible, stay near the enemy."),
    ("Break off at: 101", "G.MV5", "Ensure this value is less than or equal to 100."),
]  # fmt: skip


@pytest.mark.clause("G.MV2", "G.MV3", "G.MV5")
def test_an_unreadable_line_says_why_and_refuses_everything_for_its_fleet(told: World) -> None:
    for line, clause, said in UNREAD:
        found, order = again(told, f"Odds: 4\n{line}")
        assert [(row["why"], row["clause"]) for row in found["rows"]] == [("", "G.MV5"), (said, clause)], line
        assert (found["faults"], found["taken"]) == ([], False)
        assert (order.instructions, order.source) == ({"greatest_odds": "3.25"}, "web")


@pytest.mark.clause("G.MV5")
def test_an_error_in_the_earlier_orders_is_reported_under_its_label(told: World) -> None:
    Order.objects.filter(fleet=told.english_fleet).update(
        instructions={"chase_hours": 999, "doctrine": {"gauge": "upward"}}
    )
    found, _ = again(told, "Stance: avoid")
    assert not found["taken"] and [row["why"] for row in found["rows"]] == [""]
    assert found["faults"] == [
        {"text": "Hours to chase: Ensure this value is less than or equal to 240.", "clause": "G.MV5"},
        {"text": "Weather gauge: Select a valid choice. upward is not one of the available choices.", "clause": "G.MV5"},
    ]  # fmt: skip


@pytest.mark.clause("G.MV2")
def test_a_fleet_without_a_line_of_orders_is_treated_like_one_without_orders_so_far(told: World) -> None:
    found, order = again(told, Block(FLEET))
    assert found["faults"] == [
        {"text": "There are no orders under this fleet. Write at least one line.", "clause": "G.MV2"}
    ]
    assert (found["taken"], order.state_no) == (False, 1)
    fleet = another(told, at="swin")
    found = take(told, Block("zj2", blocks_in(["Stance: avoid"])[0].said))
    new = told.turn.orders.get(fleet=fleet)
    assert found["taken"] and (new.stance, new.route, new.on_arrival, new.target) == (
        "avoid",
        [],
        "anchor",
        "",
    )


@pytest.mark.clause("G.MV2")
def test_only_orders_given_on_the_site_after_the_email_was_written_remain(told: World) -> None:
    stands = ["You changed these orders on the site after writing your email. The newer orders still apply."]
    second = timedelta(seconds=1)
    for source, given, said in (
        ("web", SENT - second, []), ("web", SENT, []), ("web", SENT + second, stands),
        ("mail", SENT + second, []), ("standing", SENT + second, []),
    ):  # fmt: skip
        told.turn.orders.filter(fleet=told.english_fleet).update(source=source, given=given)
        found, order = again(told, "Stance: avoid")
        assert (why(found), order.stance) == (said, "seek" if said else "avoid"), source
        assert all(fault["clause"] == "G.MV2" for fault in found["faults"])


# --- whom an escort goes with, and which port is blockaded ------------------------------------------------


@pytest.mark.clause("G.MV2")
def test_an_escort_keeps_company_until_ordered_otherwise(told: World) -> None:
    other = another(told)
    lines = "Route: stay\nOn arrival: escort\nKeep company with: Squadron of Observation"
    assert why(take(told, lines)) == []
    order = told.turn.orders.get(fleet=told.english_fleet)
    assert (order.on_arrival, order.target) == ("escort", other.code)
    order.given = SENT - timedelta(days=1)
    found, order = again(told, "Stance: avoid")
    assert (why(found), order.stance, order.on_arrival, order.target) == ([], "avoid", "escort", other.code)
    found, order = again(told, "On arrival: anchor")
    assert (why(found), order.on_arrival, order.target) == ([], "anchor", "")
    found, order = again(told, "Keep company with: Squadron of Observation\nOn arrival: patrol")
    assert (why(found), order.on_arrival, order.target) == ([], "patrol", "")


@pytest.mark.clause("G.MV2")
def test_a_blockade_keeps_its_port_until_its_route_or_its_end_is_changed(told: World) -> None:
    stands = {"on_arrival": "blockade", "target": "texel", "route": []}
    told.turn.orders.filter(fleet=told.english_fleet).update(**stands)
    for lines, kept in (
        ("Stance: hold", True), ("Odds: 2", True), ("Route: stay", False), ("On arrival: blockade", False),
        ("On arrival: anchor", False),
    ):  # fmt: skip
        found, order = again(told, lines)
        target = order.target if found["taken"] else "refused"
        assert (target == "texel") is kept, (lines, why(found))
        assert found["taken"] or not kept


@pytest.mark.clause("G.MV4")
def test_a_reply_leaves_detachments_as_they_are(told: World) -> None:
    parts = [{"ships": [f"{ENGLISH}-01"], "name": "Scouts", "route": [], "to": ""}]
    told.turn.orders.filter(fleet=told.english_fleet).update(parts=parts)
    found, order = again(told, "Stance: avoid")
    assert (why(found), order.stance, order.parts) == ([], "avoid", parts)
