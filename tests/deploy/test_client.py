"""Who is asking, and that strangers cannot try passwords for ever."""

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.test import Client, RequestFactory

from deploy.client import client_ip


def test_the_address_is_the_one_that_the_proxy_saw() -> None:
    assert client_ip(RequestFactory().get("/", REMOTE_ADDR="10.0.0.1")) == "10.0.0.1"
    behind = RequestFactory().get("/", REMOTE_ADDR="127.0.0.1", HTTP_X_FORWARDED_FOR="203.0.113.9")
    assert client_ip(behind) == "203.0.113.9"


@pytest.mark.django_db
def test_too_many_tries_lock_one_address_out_of_one_name(client: Client, settings: LazySettings) -> None:
    settings.AXES_ENABLED = True
    settings.AXES_FAILURE_LIMIT = 3
    settings.AXES_CLIENT_IP_CALLABLE = "deploy.client.client_ip"
    User.objects.create_superuser("tromp", password="de-zeven-provincien")

    def statuses(password: str, address: str, times: int = 1) -> list[int]:
        form = {"username": "tromp", "password": password}
        return [
            client.post("/admin/login/", form, headers={"x-forwarded-for": address}).status_code
            for _ in range(times)
        ]

    assert statuses("guess", "203.0.113.9", 3) == [200, 200, 429]
    assert statuses("de-zeven-provincien", "203.0.113.9") == [429]
    assert statuses("de-zeven-provincien", "198.51.100.7") == [302]
