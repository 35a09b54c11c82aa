"""A real installation, and Chromium in front of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests import example_data
from tests.browser.profiles import Profiles
from tests.browser.signing_in import signed_in_cookies
from tests.chromium import find_chromium
from tests.installation import Installation, example_installation
from tests.labelling_site import Site
from tests.model_server.server import ModelServer, model_server

expect.set_options(timeout=15_000)
"""Beside three other parts on two cores, a page may take its time."""

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--renderer-process-limit=1",
]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """One for all tests of a process: each adds what it needs, and changes nothing of the example data."""
    with example_installation(tmp_path_factory.mktemp("site") / "data") as installation:
        yield installation


@pytest.fixture(scope="session")
def ended_session() -> str:
    """A session of the reference agent and scripted users that has ended; nobody changes it."""
    return example_data.ENDED_SESSION


@pytest.fixture(scope="session")
def place(site: Installation) -> Site:
    """The same installation, asked about studies of labels."""
    return Site(site)


_STOP = """
from webapp.sessions.models import ENDED_STATUSES, Session
from webapp.sessions.services import request_stop
request_stop(Session.objects.exclude(status__in=ENDED_STATUSES))
"""


@pytest.fixture
def only_started(site: Installation) -> Iterator[None]:
    """What a test starts is stopped after it: to play it to its end would cost more than the test."""
    yield
    site.inside.run(_STOP)


@pytest.fixture(scope="module")
def models() -> Iterator[ModelServer]:
    with model_server() as server:
        yield server


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def profiles(chromium: Browser, site: Installation) -> Profiles:
    """Those of a process, for pages of its installation."""
    return Profiles(chromium, site.url())


@pytest.fixture
def context(profiles: Profiles) -> Iterator[BrowserContext]:
    """A fresh browser profile; a page that logs an error or breaks the security policy fails its test."""
    desk = {"width": 1400, "height": 900}
    # yes to "Stop this session for good?"
    with profiles.borrow(_is_problem, accepts=True, viewport=desk, locale="en-US") as fresh:
        yield fresh


# What a browser and htmx say when the network is away, which these tests take away on purpose.
_CONNECTION_NOISE = ("WebSocket connection", "net::ERR_", "htmx:sendError", "htmx:afterRequest")


def _is_problem(kind: str, text: str) -> bool:
    return kind == "error" and not any(words in text for words in _CONNECTION_NOISE)


@pytest.fixture
def signed_in(site: Installation) -> list[Any]:
    """The cookies of a researcher who has signed in."""
    return signed_in_cookies(site)


@pytest.fixture
def page(context: BrowserContext, signed_in: list[Any]) -> Page:
    """An empty page of somebody who has signed in: each test goes where it wants."""
    context.add_cookies(signed_in)
    return context.new_page()


class Burst:
    """A session that a writer of tests/browser/burst.py holds inside the installation."""

    def __init__(self, site: Installation, count: int, rate: float, calls: int = 0) -> None:
        self._site = site
        self.session = str(self._ask("hold", count, rate, calls))

    def begin(self) -> None:
        """Let its log grow."""
        self._ask("begin", self.session)

    def commits(self) -> dict[int, float]:
        """Wait for the end; the time of each event's commit by number."""
        return dict(self._ask("commits", self.session))

    def _ask(self, function: str, *arguments: object) -> Any:
        call = f"print(json.dumps(burst.{function}(*{arguments!r})))"
        return json.loads(self._site.inside.run(f"import json\nfrom tests.browser import burst\n{call}"))
