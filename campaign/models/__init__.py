"""Campaigns: the chart, who plays, turns and orders, what was seen, and what has to be told to whom."""

from campaign.models.aftermath import BattlePaper, BattlePicture, ResultDraft
from campaign.models.calendar import CalendarRow
from campaign.models.campaigns import (
    Absence,
    BeatLease,
    Campaign,
    Command,
    Heartbeat,
    Membership,
    Side,
    UmpireAction,
)
from campaign.models.chart import Passage, Place, Station, Theatre
from campaign.models.knowledge import Contact, Report, Sighting, TurnSummary, WeatherWatch
from campaign.models.letters import Letter, Release
from campaign.models.mail import ReceivedMail, SetAsideMail
from campaign.models.notices import ChartPicture, MailOutage, Notice, host_of
from campaign.models.objectives import Objective
from campaign.models.odds import OddsChunk, OddsRun
from campaign.models.people import Invitation, LinkRequest, Preferences
from campaign.models.plans import AdmiralPlan
from campaign.models.public import PublicPage
from campaign.models.turns import Order, OrderDraft, Ready, SideOrder, Turn, TurnDocument
