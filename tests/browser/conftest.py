"""A real installation, and Chromium in front of it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests import ROOT
from tests.browser.signing_in import sign_in
from tests.chromium import find_chromium
from tests.installation import Installation, free_port
from tests.model_server.server import ModelServer, model_server
from tests.prepared import prepared

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
]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """`make run` over an empty data folder."""
    installation = Installation(prepared(tmp_path_factory.mktemp("site") / "data"), free_port())
    try:
        installation.wait_for("a demo session has started")
        yield installation
    finally:
        if installation.process.poll() is None:
            installation.stop()


@pytest.fixture(scope="session")
def ended(site: Installation) -> str:
    """A session of the reference agent and scripted users that has ended; nobody changes it."""
    return site.manage("run_session", "starter_02", "--seed", "7").split()[1].rstrip(":")


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


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    """A fresh browser profile; a page that logs an error or breaks the security policy fails its test."""
    fresh = chromium.new_context(viewport={"width": 1400, "height": 900}, locale="en-US")
    problems: list[str] = []
    fresh.on("weberror", lambda error: problems.append(str(error.error)))
    fresh.on(
        "console", lambda line: problems.append(line.text) if _is_problem(line.type, line.text) else None
    )
    yield fresh
    fresh.close()
    assert problems == []


# What a browser and htmx say when the network is away, which these tests take away on purpose.
_AWAY = ("WebSocket connection", "net::ERR_", "htmx:sendError", "htmx:afterRequest")


def _is_problem(kind: str, text: str) -> bool:
    return kind == "error" and not any(words in text for words in _AWAY)


@pytest.fixture(scope="session")
def signed_in(chromium: Browser, site: Installation) -> list[Any]:
    """The cookies of somebody who has signed in with a one-time link."""
    fresh = chromium.new_context()
    sign_in(fresh.new_page(), site)
    cookies = fresh.cookies()
    fresh.close()
    return cookies


@pytest.fixture
def page(context: BrowserContext, site: Installation, signed_in: list[Any]) -> Page:
    """The home page, as somebody sees it who has signed in."""
    context.add_cookies(signed_in)
    opened = context.new_page()
    opened.goto(site.url())
    return opened


class Burst:
    """The writer of tests/browser/burst.py."""

    def __init__(self, site: Installation, count: int, rate: float, calls: int = 0) -> None:
        environment = {**site.environment, "PYTHONPATH": str(ROOT)}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.browser.burst", str(count), str(rate), str(calls)],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.session = self.process.stdout.readline().strip()
        assert self.session

    def begin(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("go\n")
        self.process.stdin.flush()

    def commits(self) -> dict[int, float]:
        """Wait for the end; the time of each event's commit by number."""
        told, _ = self.process.communicate(timeout=120)
        return {int(line.split()[0]): float(line.split()[1]) for line in told.splitlines()}
