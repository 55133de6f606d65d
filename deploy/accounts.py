"""Accounts: choosing a password by a link in a mail, for those who were invited and those who forgot theirs; asking for a log-in link.

The mail goes straight to the mail server and into no outbox, because umpires read the outbox and the link is a key to the account.
"""

from collections.abc import Iterator
from pathlib import PurePath
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth import views as auth_views
from django.contrib.auth.forms import PasswordResetForm
from django.core.exceptions import ValidationError
from django.urls import path
from django.utils.functional import lazy

from campaign.notices.direct import direct_mail, mail_server
from campaign.services.own_account import NO_SERVER
from deploy.login_links import login_link


class PasswordLinkForm(PasswordResetForm):
    """Asks for an address. Other than Django's own form it serves accounts that never had a password, as invited ones, and tells
    everybody alike when no mail server can be reached.
    """

    server: Any = None

    def clean(self) -> dict[str, Any] | None:
        """Asks for the mail server before it is known whether there is such an account."""
        cleaned = super().clean()
        if not self.errors:
            self.server = mail_server()
            if self.server is None:
                raise ValidationError(NO_SERVER)
        return cleaned

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Mails a link to each account of the address, over one connection."""
        super().save(*args, **kwargs)
        if self.server is not None:
            self.server.close()

    def send_mail(
        self,
        subject_template_name: str,
        email_template_name: str,
        context: dict[str, Any],
        from_email: str | None,
        to_email: str,
        html_email_template_name: str | None = None,
    ) -> None:
        """One mail, as any that holds a key to an account."""
        stem = PurePath(email_template_name).stem
        direct_mail(stem=stem, to=to_email, context=context, connection=self.server)

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
