"""Run on the machine that the guide made, by root and Debian's own Python: a person at a browser and players at their mail programs.

log_in LINK | people | turn NUMBER | closed NUMBER
"""

from __future__ import annotations

import email
import email.policy
import http.cookiejar
import re
import ssl
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path
from typing import Any

SITE = "https://gage.example.org"
CA = "/etc/letsencrypt/live/gage.example.org/ca.pem"
CODE = "club"
PLAYERS = ("anna", "bram", "carla")  # umpire, and an admiral a side
STANCES = (("Avoid", "avoid"), ("Hold", "hold"))
ANSWER = "your orders are accepted"
START = f"""
from django.contrib.auth import get_user_model
from campaign.models import Theatre
from campaign.services.orders.openings import opening_of
from campaign.services.setup.demo import demo_start
from fleets.selectors.registers import register_by_code
people = get_user_model().objects
umpire = people.get(username="anna")
admirals = [people.create_user(name, name + "@gage.example.org") for name in {PLAYERS[1:]}]
campaign = demo_start(
    theatre=Theatre.objects.get(code="narrow_seas_1666"), register=register_by_code(opening_of("narrow_seas_1666")["register"]),
    umpire=umpire, seed="guide", code="{CODE}", admirals=admirals,
)
campaign.sides.update(automatic=False)
"""


def shell(script: str) -> str:
    """What a script prints inside the site."""
    done = subprocess.run(
        ["weather-gage", "shell", "--verbosity", "0", "-c", script], capture_output=True, text=True
    )
    if done.returncode:
        raise SystemExit(done.stderr[-2000:])
    return done.stdout.strip()


def wait_until(true: Callable[[], Any], what: str, seconds: float = 240.0) -> Any:
    """The first answer that is not empty."""
    deadline = time.monotonic() + seconds
    while not (found := true()):
        if time.monotonic() > deadline:
            raise SystemExit(f"waited {seconds:g} s in vain for {what}")
        time.sleep(1)
    return found


def log_in(link: str) -> None:
    """Opens an administrator's link over HTTPS, presses its button, and looks at the admin."""
    jar = http.cookiejar.CookieJar()
    trust = urllib.request.HTTPSHandler(context=ssl.create_default_context(cafile=CA))
    browser = urllib.request.build_opener(trust, urllib.request.HTTPCookieProcessor(jar))
    page = browser.open(link).read().decode()
    fields = dict(re.findall(r'name="(csrfmiddlewaretoken|key|next)" value="([^"]*)"', page))
    asked = urllib.request.Request(
        f"{SITE}/in", urllib.parse.urlencode(fields).encode(), headers={"Referer": link}
    )
    assert "Choose" in browser.open(asked).read().decode(), "the account's page"
    assert "Weather Gage" in browser.open(f"{SITE}/admin/").read().decode()
    print("logged in over HTTPS")


def people() -> None:
    """Mailboxes on this machine, and a campaign of theirs."""
    for name in PLAYERS[1:]:
        subprocess.run(["useradd", "--create-home", name], check=True)
    shell(START)
    print(f"campaign {CODE} has started")


def letters(name: str, words: str) -> list[EmailMessage]:
    """Emails in a player's mailbox whose subject or text has these words, a pattern."""
    found = []
    for path in sorted(Path(f"/home/{name}/Maildir/new").glob("*")):
        letter = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
        body: Any = letter.get_body(("plain",))
        if re.search(words, f"{letter['Subject']}\n{body.get_content() if body else ''}"):
            found.append(letter)
    return found


def answer(letter: EmailMessage, name: str, stance: str) -> None:
    """Replies to a turn's email as a mail program does, with every stance changed."""
    body: Any = letter.get_body(("plain",))
    text = re.sub(r"^(\s*Stance:).*$", rf"\1 {stance}", body.get_content(), flags=re.M)
    reply = EmailMessage()
    reply["From"], reply["To"], reply["Subject"] = (
        f"{name}@gage.example.org",
        letter["Reply-To"],
        f"Re: {letter['Subject']}",
    )
    reply["In-Reply-To"] = letter["Message-ID"]
    reply.set_content(text)
    sender = f"{name}@gage.example.org"
    subprocess.run(["/usr/sbin/sendmail", "-f", sender, "-t"], input=reply.as_bytes(), check=True)


def turn(number: str) -> None:
    """Both admirals get the turn's template of orders, answer it and get an answer; then its deadline comes, and it is run."""
    words, stance = STANCES[int(number) % 2]
    row = f"Turn.objects.filter(number={number})"
    token = "WG-" + shell(f"from campaign.models import Turn; print({row}.get().pk)") + "-"
    for name in PLAYERS[1:]:
        template = wait_until(lambda who=name: letters(who, token), f"{name}'s email about the turn")[0]
        before = len(letters(name, ANSWER))
        answer(template, name, words)
        wait_until(lambda who=name, n=before: len(letters(who, ANSWER)) > n, f"the answer to {name}")
    given = f"Order.objects.filter(turn__number={number}, source='mail', stance='{stance}')"
    authors = shell(f"from campaign.models import Order; print(*{given}.values_list('author', flat=True))")
    if set(authors.split()) != set(PLAYERS[1:]):
        raise SystemExit(f"orders by email from: {authors}")
    shell(
        f"from campaign.models import Turn; from django.utils import timezone; {row}.update(deadline=timezone.now())"
    )
    wait_until(lambda: int(number) in closed_turns(), f"turn {number} to be run")
    for name in PLAYERS[1:]:
        wait_until(lambda who=name: letters(who, rf"turn {number}: "), f"{name}'s report")
    print(f"turn {number} is closed; orders by email from {sorted(set(authors.split()))}")


def closed_turns() -> list[int]:
    """Numbers of the turns that have been run."""
    told = shell(
        "from campaign.models import Turn; print(*Turn.objects.filter(phase='closed').values_list('number', flat=True))"
    )
    return [int(word) for word in told.split()]


def closed(number: str) -> None:
    """The site stands after this turn."""
    found = closed_turns()
    assert max(found) == int(number), found
    print(f"turns closed: {found}")


if __name__ == "__main__":
    {"log_in": log_in, "people": people, "turn": turn, "closed": closed}[sys.argv[1]](*sys.argv[2:])
