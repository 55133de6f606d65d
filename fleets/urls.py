"""Addresses of the fleets pages: the registers. A campaign's ships have theirs under the campaign."""

from django.urls import path

from fleets import views

urlpatterns = [
    path("registers/", views.registers, name="registers"),
    path("registers/<slug:code>/", views.register, name="register"),
    path("registers/<slug:code>/<int:entry>/", views.register_entry, name="register_entry"),
]
