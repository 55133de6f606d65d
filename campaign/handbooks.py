"""The handbooks as help pages: the documents of `docs/`, with links that work on the site, and which section helps with which page.

The documents are the same for everyone, so they hold nothing that anyone may not know. Rule: G.IN1.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from django.urls import reverse
from markdown_it.token import Token

from battles import rule_books
from battles.engine.pinned.versions import ROOT
from battles.rule_books import Heading
from campaign.selectors.people.access import Role

# Each handbook with its title and whom it is for.
HANDBOOKS = {
    "admiral": ("Admiral's handbook", "You command ships in a campaign, or you watch one."),
    "umpire": ("Umpire's handbook", "You start a campaign, look after it and settle what players disagree about."),
    "registers": ("Register editor's handbook", "You look after the lists of ships from which campaigns are made."),
}  # fmt: skip

# The section that helps with a page, by the name of the page's address.
HELP = {
    "home": "admiral#join-a-campaign",
    "join": "admiral#join-a-campaign",
    "account": "admiral#change-your-email-address-or-password",
    "own_password": "admiral#change-your-email-address-or-password",
    "wishes": "admiral#choose-which-emails-you-get",
    "campaign": "admiral#read-the-chart",
    "fleet": "admiral#look-after-a-fleet",
    "orders": "admiral#give-orders",
    "odds": "admiral#weigh-a-battle-before-it-is-fought",
    "orders_ships": "admiral#detach-or-transfer-ships",
    "dockyards": "admiral#repair-and-man-your-ships",
    "prizes": "admiral#decide-about-prizes-and-prisoners",
    "groups": "admiral#look-after-stragglers-crippled-ships-and-prizes",
    "reports": "admiral#read-the-turn-report",
    "report": "admiral#read-the-turn-report",
    "news": "admiral#read-news-and-write-letters",
    "objectives": "admiral#know-what-your-side-is-to-do",
    "calendar": "admiral#read-the-calendar",
    "standings": "admiral#follow-the-score",
    "sightings": "admiral#read-the-turn-report",
    "gazettes": "admiral#read-the-gazettes",
    "gazette": "admiral#read-the-gazettes",
    "publicity": "umpire#open-a-public-page",
    "chronicle": "admiral#follow-the-score",
    "chapter": "admiral#follow-the-score",
    "mailbox": "admiral#choose-which-emails-you-get",
    "clock": "admiral#know-when-orders-close",
    "away": "admiral#say-that-you-will-be-absent",
    "battle": "admiral#watch-a-battle",
    "battle_result": "admiral#report-a-battle-fought-on-the-tabletop",
    "battle_print": "admiral#report-a-battle-fought-on-the-tabletop",
    "fairness": "admiral#check-the-dice",
    "luck": "admiral#check-the-dice",
    "campaign_leave": "admiral#leave-the-campaign",
    "campaign_start": "umpire#start-a-campaign",
    "desk": "umpire#run-the-turns",
    "rules_version": "umpire#take-a-new-version-of-the-rules",
    "ship_correct": "umpire#correct-a-ship",
    "compositions": "registers#compose-fleets",
    "compose": "registers#compose-fleets",
    "convoys": "umpire#make-a-convoy",
    "fleet_table": "admiral#order-several-fleets-at-once",
    "orders_list": "admiral#order-several-fleets-at-once",
    "plans": "umpire#leave-a-side-to-the-automatic-admiral",
    "objective": "umpire#change-objectives",
    "objective_new": "umpire#change-objectives",
    "mail_kinds": "umpire#see-to-emails-that-do-not-arrive",
    "mail_kind": "umpire#see-to-emails-that-do-not-arrive",
    "registers": "registers#find-a-ship",
    "register": "registers#find-a-ship",
    "register_entry": "registers#read-the-ship-card",
    "admin:fleets_registerentry_changelist": "registers#find-a-ship",
    "admin:fleets_registerentry_import": "registers#import-a-register",
    "admin:fleets_importbatch_preview": "registers#import-a-register",
    "admin:fleets_importbatch_undo": "registers#undo-an-import",
    "admin:fleets_registerentry_bulk": "registers#edit-many-ships-at-once",
    "admin:fleets_registerentry_duplicates": "registers#merge-duplicates",
    "admin:fleets_registerentry_merge": "registers#merge-duplicates",
    "admin:fleets_registerentry_cards": "registers#set-a-figure-by-hand",
    "admin:fleets_ship_retake": "registers#bring-a-correction-into-a-campaign",
}

# The same for an umpire, where another section helps them.
UMPIRES_HELP = {
    "campaign": "umpire#run-the-turns",
    "clock": "umpire#set-the-deadlines",
    "away": "umpire#deal-with-absent-and-silent-players",
    "people": "umpire#invite-people",
    "battle_result": "umpire#rule-on-a-result",
    "rules_in_force": "umpire#change-the-campaign-settings",
    "mailbox": "umpire#see-to-emails-that-do-not-arrive",
    "news": "umpire#release-facts",
    "odds": "umpire#preview-a-turn",
    "calendar": "umpire#change-the-calendar",
    "standings": "umpire#end-the-campaign",
    "objectives": "umpire#change-objectives",
    "campaign_leave": "umpire#hand-over-to-another-umpire",
}


@dataclass(frozen=True, slots=True)
class Handbook:
    """A handbook as its page shows it. html: the text, safe."""

    name: str
    title: str
    html: str
    contents: tuple[Heading, ...]


@cache
def handbook(name: str) -> Handbook:
    """A handbook by name, made once per process. Raises KeyError for an unknown name."""
    title, _ = HANDBOOKS[name]
    tokens = rule_books.tokens_of(ROOT / "docs" / f"{name}.md")
    contents = rule_books.set_headings(tokens)
    for token in tokens:
        if token.children:
            token.children = _links_on_site(token.children)
    return Handbook(name, title, rule_books.html_of(tokens), contents)


def help_address(page: str, role: str = "") -> str:
    """Where the help for a page begins; "" for a page without any. page: the name of its address. role: of the reader."""
    section = UMPIRES_HELP.get(page, "") if role == Role.UMPIRE else ""
    name, _, heading = (section or HELP.get(page, "")).partition("#")
    return f"{reverse('handbook', args=[name])}#{heading}" if name else ""


def _links_on_site(children: list[Token]) -> list[Token]:
    """Links between documents as links between pages. Of a document that the site does not show, only the words stay."""
    made: list[Token] = []
    dead = False
    for child in children:
        if child.type == "link_open":
            address = _address(str(child.attrGet("href")))
            dead = not address
            child.attrSet("href", address)
        if not (dead and child.type in ("link_open", "link_close")):
            made.append(child)
    return made


def _address(link: str) -> str:
    """A link of a document as an address of the site; "" for one that leads to a document which is not shown."""
    file, mark, heading = link.partition("#")
    stem = file.removesuffix(".md")
    if not file or "://" in file:
        return link
    if stem in HANDBOOKS:
        return reverse("handbook", args=[stem]) + mark + heading
    if file == "../campaign/rules/rules.md":
        return reverse("rules", args=[rule_books.CAMPAIGN])
    return ""
