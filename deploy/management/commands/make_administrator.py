"""`manage.py make_administrator NAME ADDRESS`: the first account of a new site, and the way back in for one who is locked out."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse

from campaign.notices.links import sign_in_link
from deploy.management.commands.install_check import address


class Command(BaseCommand):
    """Makes a site administrator without a password, who logs in by a link that is printed here and chooses one."""

    help = (
        "Make a site administrator, or print a new login link for one. They may start and umpire campaigns."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Who."""
        parser.add_argument("name", help="the username")
        parser.add_argument("address", type=address, help="their email address")

    def handle(self, *args: Any, name: str, address: str, **options: Any) -> None:
        """Prints the link. Raises CommandError when the name or the address is someone else's, or cannot be a username."""
        people = get_user_model().objects
        user = people.filter(username__iexact=name).first()
        if user is not None and user.email.lower() != address.lower():
            raise CommandError(
                f"{user.username} has another email address. Choose another name, or change the address in the admin."
            )
        if user is None and people.filter(email__iexact=address).exists():
            raise CommandError(f"{address} belongs to another account. Give that account's name.")
        known = user is not None
        if user is None:
            user = people.model(username=name, email=address)
            user.set_unusable_password()
        try:
            user.clean_fields()
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        user.is_staff = user.is_superuser = user.is_active = True
        user.save()
        link = sign_in_link(user, reverse("account"))
        self.stdout.write(
            f"{user.username} {'is' if known else 'is now'} a site administrator. This link logs them in once, within "
            f"{settings.LOGIN_LINK_DAYS} days. Then choose a password.\n{link}"
        )
