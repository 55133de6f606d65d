"""Who is asking, and that strangers cannot try passwords for ever."""

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.test import Client, RequestFactory

from deploy.client import client_ip


@pytest.mark.parametrize(
    ("trusted", "header", "client"),
    [
        (0, "203.0.113.9", "10.0.0.1"),
        (0, None, "10.0.0.1"),
        (1, None, "10.0.0.1"),
        (1, "203.0.113.9", "203.0.113.9"),
        (1, "192.0.2.1, 203.0.113.9", "203.0.113.9"),
        (1, "192.0.2.1, 203.0.113.9, ", "10.0.0.1"),
        (2, "192.0.2.1, 203.0.113.9, 10.0.0.7", "203.0.113.9"),
        (2, "203.0.113.9", "203.0.113.9"),
        (1, "2001:DB8::1", "2001:db8::1"),
        (1, "nonsense", "10.0.0.1"),
    ],
)
def test_only_forwarded_addresses_from_trusted_proxies_count(
    settings: LazySettings, trusted: int, header: str | None, client: str
) -> None:
    settings.TRUSTED_PROXIES = trusted
    headers = {} if header is None else {"x-forwarded-for": header}
    assert client_ip(RequestFactory().get("/", REMOTE_ADDR="10.0.0.1", headers=headers)) == client


@pytest.fixture
def guesses(client: Client, settings: LazySettings, db: None):
    """Statuses of so many tries at a password with so much in X-Forwarded-For."""
    settings.AXES_ENABLED = True
    settings.AXES_FAILURE_LIMIT = 3
    User.objects.create_superuser("tromp", password="de-zeven-provincien")

    def statuses(password: str, *forwarded: str) -> list[int]:
        form = {"username": "tromp", "password": password}
        return [
            client.post("/admin/login/", form, headers={"x-forwarded-for": address}).status_code
            for address in forwarded
        ]

    return statuses


def test_too_many_tries_lock_one_address_out_of_one_name(guesses, settings: LazySettings) -> None:
    settings.TRUSTED_PROXIES = 1
    assert guesses("guess", *["203.0.113.9"] * 3) == [200, 200, 429]
    assert guesses("de-zeven-provincien", "203.0.113.9") == [429]
    assert guesses("de-zeven-provincien", "198.51.100.7") == [302]


@pytest.mark.parametrize("trusted", [0, 1])
def test_a_guesser_who_invents_addresses_is_locked_out_all_the_same(
    guesses, settings: LazySettings, trusted: int
) -> None:
    settings.TRUSTED_PROXIES = trusted
    made_up = [f"192.0.2.{n}, 203.0.113.9" for n in range(4)]
    assert guesses("guess", *made_up) == [200, 200, 429, 429]
