"""Addresses of the campaign pages: the name of a page is the name of its view and of its template."""

from django.urls import URLPattern, URLResolver, path

from campaign.views import (
    battles,
    campaign,
    desk,
    detaching,
    fleets,
    home,
    orders,
    papers,
    reading,
    ships,
    standings,
    start,
)

urlpatterns: list[URLPattern | URLResolver] = [
    path("", home.home, name="home"),
    path("campaigns/start", start.campaign_start, name="campaign_start"),
    path("c/<slug:code>/", campaign.campaign, name="campaign"),
    path("c/<slug:code>/status", campaign.campaign_status, name="campaign_status"),
    path("c/<slug:code>/ready", campaign.ready, name="ready"),
    path("c/<slug:code>/run", desk.turn_run, name="turn_run"),
    path("c/<slug:code>/retry", desk.turn_retry, name="turn_retry"),
    path("c/<slug:code>/fleets/<slug:fleet>/", fleets.fleet, name="fleet"),
    path("c/<slug:code>/fleets/<slug:fleet>/flag", fleets.flagship, name="flagship"),
    path("c/<slug:code>/fleets/<slug:fleet>/move", fleets.ship_move, name="ship_move"),
    path("c/<slug:code>/fleets/<slug:fleet>/orders/", orders.orders, name="orders"),
    path("c/<slug:code>/fleets/<slug:fleet>/orders/ships/", detaching.orders_ships, name="orders_ships"),
    path("c/<slug:code>/turns/", reading.reports, name="reports"),
    path("c/<slug:code>/turns/<int:number>/", reading.report, name="report"),
    path("c/<slug:code>/score/", standings.standings, name="standings"),
    path("c/<slug:code>/score/close", standings.close, name="campaign_close"),
    path("c/<slug:code>/chronicle/", standings.chronicle, name="chronicle"),
    path("c/<slug:code>/rules/", papers.rules_in_force, name="rules_in_force"),
    path("c/<slug:code>/mail/", papers.mailbox, name="mailbox"),
    path("c/<slug:code>/mail/<int:pk>/", papers.notice, name="notice"),
    path("c/<slug:code>/mail/<int:pk>/again", papers.resend, name="resend"),
    path("c/<slug:code>/log/", papers.log, name="log"),
    path("c/<slug:code>/fairness/", papers.fairness, name="fairness"),
    path("c/<slug:code>/ships/<slug:ship>/", ships.ship, name="ship"),
    path("c/<slug:code>/battles/<slug:battle>/", battles.battle, name="battle"),
    path("c/<slug:code>/battles/<slug:battle>/replay.json", battles.battle_replay, name="battle_replay"),
]
