"""A club with a small war, whose mails go through a real mail server and whose clocks are moved by hand."""

from __future__ import annotations

import json
import re
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from io import StringIO
from pathlib import Path
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management import call_command

from campaign.models import Campaign, Membership, Notice, Turn
from campaign.notices.wishes import preferences_save
from campaign.services.orders import openings
from campaign.services.setup.setup import campaign_start, shipped_theatres, theatre_load
from campaign.services.setup.sides import SideStart
from fleets.models import Nation, Register, RegisterEntry
from tests.support.clockwork import Clockwork
from tests.support.factories import UserFactory
from tests.support.maildrop import Letter
from tests.support.smtp import MailServer

AMSTERDAM = "Europe/Amsterdam"

# Each side has a squadron that meets the enemy's off the Hinder, and one far away that no enemy ever sees.
SQUADRONS = {
    "England": {
        "RED": ("The Red Squadron", "hinder", "Adm Lawson", [("Antelope", 52), ("Bristol", 50), ("Dragon", 46)]),
        "BLU": ("The Squadron of the West", "torbay", "Adm Spragge", [("Quixote", 44), ("Pelican", 40)]),
    },
    "Dutch Republic": {
        "MAA": ("The Squadron of the Maas", "hinder", "Adm Kortenaer", [("Eendracht", 52), ("Gouda", 48), ("Utrecht", 44)]),
        "EMS": ("The Squadron of the Ems", "delfzijl", "Adm Banckert", [("Zeeridder", 42), ("Waterhond", 38)]),
    },
}  # fmt: skip


def small_register() -> Register:
    """The ships of both sides."""
    made = Register.objects.create(code="small", title="A small register", year=1666)
    line = 1
    for side, squadrons in SQUADRONS.items():
        nation, _ = Nation.objects.get_or_create(name=side)
        for name, _, commander, ships in squadrons.values():
            for ship, guns in ships:
                line += 1
                RegisterEntry.objects.create(
                    register=made, line=line, name=ship, nation=nation, side=side, squadron=name, ship_type="ship_of_line",
                    role="flagship" if ship == ships[0][0] else "private", guns=guns, tons_burthen=10 * guns,
                    commander=f"{commander} {ship};Capt {ship}son" if ship == ships[0][0] else f"Capt {ship}son",
                )  # fmt: skip
    return made


def opening_write(folder: Path) -> None:
    """Write down where the squadrons lie as the war begins."""
    sides = {
        side: {
            "register_side": side,
            "fleets": [
                {"code": code, "name": name, "commander": commander, "squadrons": [name], "place": place}
                for code, (name, place, commander, _) in squadrons.items()
            ],
        }
        for side, squadrons in SQUADRONS.items()
    }
    (folder / "openings").mkdir()
    (folder / "openings" / "narrow_seas_1666.json").write_text(
        json.dumps({"theatre": "narrow_seas_1666", "register": "small", "rule_set": "kohler", "sides": sides})
    )


class Club:
    """The club: its campaign, its people, its clock, its mail server, and the folder in which mails to it arrive."""

    def __init__(self, campaign: Campaign, clock: Clockwork, server: MailServer, maildir: Path) -> None:
        self.campaign, self.clock, self.server, self.maildir = campaign, clock, server, maildir
        self._read = 0

    def member(self, name: str) -> Membership:
        """Somebody's part in the campaign, as it is now."""
        found: Membership = self.campaign.memberships.select_related(
            "user", "side__navy", "campaign__book"
        ).get(user__username=name)
        return found

    def user(self, name: str) -> Any:
        """Somebody's account."""
        return get_user_model().objects.get(username=name)

    @property
    def turn(self) -> Turn:
        """The turn that takes orders."""
        return Turn.objects.select_related("campaign__book", "campaign__theatre").get(
            campaign=self.campaign, phase="open"
        )

    def fleet(self, code: str) -> Any:
        """A squadron."""
        return next(f for side in self.campaign.sides.all() for f in side.navy.fleets.all() if f.code == code)

    def until(self, words: str) -> list[str]:
        """Let time pass; returns what has come by mail meanwhile, in the order in which it came, like "T1-report > anne"."""
        self.clock.until(words)
        fresh = self.server.letters[self._read :]
        self._read = len(self.server.letters)
        return [f"{event_of(letter)} > {letter.to.partition('@')[0]}" for letter in fresh]

    def box(self, name: str) -> list[Letter]:
        """Somebody's mailbox, oldest first."""
        return self.server.drop.boxes().get(f"{name}@club.example", [])

    def letter(self, name: str, event: str) -> Letter:
        """The mail in somebody's box that tells of an event. Raises ValueError unless there is one, and one only."""
        (found,) = (letter for letter in self.box(name) if event_of(letter) == event)
        return found

    def answer(self, name: str, to: Letter, words: str) -> str:
        """Somebody answers a mail with his program, which quotes it. It arrives twice; returns what the command said of the first."""
        mail = EmailMessage()
        mail["From"], mail["To"] = f"{name.title()} <{name}@club.example>", to.mail["Reply-To"]
        mail["Subject"], mail["In-Reply-To"] = f"Re: {to.subject}", to.message_id
        mail["Date"], mail["Message-ID"] = format_datetime(self.clock.now), make_msgid(domain="club.example")
        quoted = "\n".join(f"> {line}" for line in to.text.splitlines())
        mail.set_content(
            f"{words}\n\nOn {to.mail['Date']}, Weather Gage <gage@club.example> wrote:\n{quoted}\n"
        )
        said = []
        for copy in ("first", "second"):
            (self.maildir / "new" / f"{self.clock.now:%m%d%H%M}.{copy}").write_bytes(mail.as_bytes())
            told = StringIO()
            with self.clock.acting():
                call_command("receive_mail", maildir=self.maildir, stdout=told)
            said.append(told.getvalue().strip())
        assert said[1] == "0 taken, 0 refused, 0 bounced, 1 ignored"
        return said[0].partition(", 0 bounced")[0]


def event_of(letter: Letter) -> str:
    """What a letter tells of, by the outbox row that it was sent from: its event without campaign, moments and keys of rows."""
    event = Notice.objects.get(message_id=letter.message_id, channel="email").event.removeprefix("small-")
    return re.sub(r"^(invitation|mail|away|rhythm|silent|T\d-outage)-.*", r"\1", event)


def club_start(clock: Clockwork, server: MailServer, folder: Path, patch: Any) -> Club:
    """The war begins: invitations are out, and its first turn is open. Ursula is its umpire, the first admiral of a side its chief."""
    opening_write(folder)
    patch.setattr(openings, "DATA", folder)
    for name in ("new", "cur", "tmp"):
        (folder / "mail" / name).mkdir(parents=True)
    users = {name: UserFactory(username=name) for name in ("ursula", "anne", "ben", "dirk", "elsa", "otto")}
    for name in ("ursula", "anne"):
        wishes(users[name])
    wishes(users["ben"], kinds={"deadline": "digest"})
    wishes(users["dirk"], time_zone="Europe/London", plain_text=True)
    path = next(path for path in shipped_theatres() if path.stem == "narrow_seas_1666")
    ships = small_register()
    with clock.acting():
        campaign = campaign_start(
            name="A small war", code="small", theatre=theatre_load(document=json.loads(path.read_text())),
            rule_set="kohler", umpire=users["ursula"], turn_days=1, demo_seed="by the clock",
            sides=[
                SideStart("England", ships, "England", players=[users["anne"], users["ben"]]),
                SideStart("Dutch Republic", ships, "Dutch Republic", players=[users["dirk"], users["elsa"]]),
            ],
        )  # fmt: skip
    return Club(campaign, clock, server, folder / "mail")


def wishes(user: Any, **change: Any) -> None:
    """What somebody wishes of his mails; Amsterdam's time if nothing else is said."""
    preferences_save(
        user=user, **{"time_zone": AMSTERDAM, "plain_text": False, "kinds": {}, "webhook": "", **change}
    )
