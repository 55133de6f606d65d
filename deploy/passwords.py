"""Choosing a password by a link in an email, for those who forgot theirs or never had one; asking for a login link."""

from typing import Any

from django import forms
from django.contrib.auth import views as auth_views
from django.contrib.auth.forms import PasswordResetForm
from django.urls import path

from campaign.services.mail.link_requests import link_ask
from deploy.login_links import login_link


class PasswordLinkForm(PasswordResetForm):
    """Asks for an address. Unlike Django's own form it looks up no account and sends no email: a worker does."""

    email = forms.EmailField(
        label="Email address", max_length=254, widget=forms.EmailInput({"autocomplete": "email"})
    )

    def save(self, *_args: Any, **_options: Any) -> None:
        """Store the request."""
        link_ask(kind="password", who=self.cleaned_data["email"])


urlpatterns = [
    path("link/", login_link, name="login_link"),
    path(
        "password/", auth_views.PasswordResetView.as_view(form_class=PasswordLinkForm), name="password_reset"
    ),
    path("password/sent/", auth_views.PasswordResetDoneView.as_view(), name="password_reset_done"),
    path(
        "password/<uidb64>/<token>/",
        auth_views.PasswordResetConfirmView.as_view(),
        name="password_reset_confirm",
    ),
    path("password/chosen/", auth_views.PasswordResetCompleteView.as_view(), name="password_reset_complete"),
]
