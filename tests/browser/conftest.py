"""What every browser test stands on: Django's database beside the driver's event loop, and a quiet end of the server's connections."""

import gc
import warnings
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from django.conf import settings
from playwright.sync_api import Page, expect
from pytest_django import DjangoDbBlocker
from pytest_django.live_server_helper import LiveServer

from campaign.pinned.pins import newest
from tests.support.people import World, world
from tests.support.whole import put_back_after_each_test

PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 900}
# by the second frame everything asked for before the first has been drawn
NEXT_FRAME = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


@pytest.fixture(scope="session", autouse=True)
def beside_an_event_loop() -> Iterator[None]:
    """The driver's event loop runs in the tests' thread. Set when a browser test runs, not when pytest reads this file for all tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        yield


@pytest.fixture(scope="session", autouse=True)
def time_enough() -> None:
    """No test fails because the machine is busy: a page that is sent and shown anew may take more than the driver's 5 s."""
    expect.set_options(timeout=30_000)


@pytest.fixture(scope="session", autouse=True)
def rules_hashed() -> None:
    """As a web process does when it starts: whoever gives the first orders does not wait for it."""
    newest("kohler")


@pytest.fixture(scope="session", autouse=True)
def database_put_back(
    beside_an_event_loop: None, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """Whatever a test has committed is undone by putting the database back."""
    with ExitStack() as stack:
        with django_db_blocker.unblock():
            stack.enter_context(put_back_after_each_test())
        yield


@pytest.fixture(autouse=True)
def connections_laid_down() -> Iterator[None]:
    """A browser that closes leaves the test server's sockets to the collector; they are not a later test's warning."""
    yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


@pytest.fixture
def told(transactional_db: None) -> World:
    """A campaign full of tell-tales."""
    return world()


@pytest.fixture
def admiral(page: Page, live_server: LiveServer, told: World) -> Iterator[Page]:
    """The English admiral's page; errors of scripts and of the content policy fail the test."""
    complaints: list[str] = []
    page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    session = told.client("english").cookies[settings.SESSION_COOKIE_NAME].value
    page.context.add_cookies(
        [{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}]
    )
    yield page
    assert complaints == []
