"""Accounts: choosing a password by a link in a mail, for those who were invited and those who forgot theirs; asking for a log-in link.

The mail goes straight to the mail server and into no outbox, because umpires read the outbox and the link is a key to the account.
"""

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth import views as auth_views
from django.contrib.auth.forms import PasswordResetForm
from django.urls import path
from django.utils.functional import lazy

from deploy.login_links import login_link


class PasswordLinkForm(PasswordResetForm):
    """Asks for an address. Other than Django's own form it serves accounts that never had a password, as invited ones."""

    def get_users(self, email: str) -> Iterator[Any]:
        """Active accounts of an address, whatever its capitals."""
        return iter(get_user_model().objects.filter(email__iexact=email, is_active=True))


urlpatterns = [
    path("link/", login_link, name="login_link"),
    path(
        "password/",
        auth_views.PasswordResetView.as_view(
            form_class=PasswordLinkForm,
            email_template_name="registration/password_mail.txt",
            subject_template_name="registration/password_mail_subject.txt",
            extra_email_context={"site_url": lazy(lambda: settings.SITE_URL, str)()},
        ),
        name="password_reset",
    ),
    path("password/sent/", auth_views.PasswordResetDoneView.as_view(), name="password_reset_done"),
    path(
        "password/<uidb64>/<token>/",
        auth_views.PasswordResetConfirmView.as_view(),
        name="password_reset_confirm",
    ),
    path("password/chosen/", auth_views.PasswordResetCompleteView.as_view(), name="password_reset_complete"),
]
