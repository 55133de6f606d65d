"""Addresses of the fleets pages."""

from django.urls import URLPattern, URLResolver

app_name = "fleets"

urlpatterns: list[URLPattern | URLResolver] = []
