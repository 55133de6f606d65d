"""Addresses of the campaign pages."""

from django.urls import URLPattern, URLResolver

app_name = "campaign"

urlpatterns: list[URLPattern | URLResolver] = []
