"""Following a session in a browser: live, cut off, reloaded, and seen by someone who may see only part."""

from __future__ import annotations

import re
import threading
import time
import urllib.request
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Burst
from tests.browser.proxy import Proxy
from tests.forks import Fork, run_program
from tests.installation import Installation, free_port

pytestmark = [pytest.mark.browser, pytest.mark.slow]
COUNT, RATE = 300, 60.0
START_S = 120.0


def burst_texts(page: Page) -> list[str]:
    """The burst's texts in the order in which they stand on the page."""
    events = page.locator("#chat > [id^=e]").all_text_contents()
    return [found[0] for text in events if (found := re.search(r"burst \d+;", text))]


def wait_until_ended(page: Page) -> None:
    expect(page.locator("#live")).to_have_class("live done", timeout=60_000)


def expected_texts(*, hidden: bool) -> list[str]:
    return [f"burst {i};" for i in range(COUNT) if hidden or i % 5 != 4]


def test_a_socket_cut_for_five_seconds_loses_and_repeats_nothing(page: Page, site: Installation) -> None:
    proxy = Proxy(site.port)
    burst = Burst(site, COUNT, RATE)
    page.goto(f"http://127.0.0.1:{proxy.port}/sessions/{burst.session}/")
    expect(page.locator("#live")).to_have_class("live on")
    burst.begin()
    expect(page.locator("#chat")).to_contain_text("burst 20;")
    threading.Thread(target=proxy.cut, args=(5.0,)).start()
    wait_until_ended(page)
    assert burst_texts(page) == expected_texts(hidden=True)
    assert len(burst.commits()) == COUNT + 1
    proxy.close()


WAITS = """
async () => {
  const { nextWait } = await import("/static/js/session/retry.js?alone");
  return Array.from({ length: 60 }, nextWait);
}
"""


def test_a_page_without_its_socket_waits_longer_each_time_and_apart_from_others(
    page: Page, site: Installation
) -> None:
    page.goto(site.url("/"))
    waits = page.evaluate(WAITS)
    assert 250 <= waits[0] <= 500 and 500 <= waits[1] <= 1_000 and 1_000 <= waits[2] <= 2_000
    assert all(30_000 <= wait <= 60_000 for wait in waits[8:])
    assert len(set(waits)) == len(waits)


_ENDED_WITHOUT_SCORES = """
from tests.recordings import load
from webapp import clock
from webapp.catalogue.models import World
from webapp.sessions.models import Score, Session
Session.objects.filter(pk="unscored").delete()  # of a try before
session = load("easy", World.objects.get(name="starter"), id="unscored", finished_at=clock.now())
Score.objects.filter(session=session).delete()
"""
_SCORE_IT = """
from webapp.sessions.models import Session
from webapp.sessions.scoring import score_session
score_session(session=Session.objects.get(pk="unscored"))
"""


def test_scores_that_come_late_show_the_result_without_a_reload(page: Page, site: Installation) -> None:
    site.inside.run(_ENDED_WITHOUT_SCORES)
    page.goto(site.url("/sessions/unscored/?tab=scores"))
    expect(page.locator("#head .status")).to_contain_text("Scores are being computed")
    expect(page.locator("#outcome")).to_be_empty()
    site.inside.run(_SCORE_IT)
    expect(page.locator("#outcome")).to_contain_text("Result")
    expect(page.locator("#panel")).to_contain_text("group utility")


def test_a_reload_in_the_middle_loses_and_repeats_nothing(page: Page, site: Installation) -> None:
    burst = Burst(site, COUNT, RATE)
    page.goto(site.url(f"/sessions/{burst.session}/"))
    burst.begin()
    for mark in ("burst 40;", "burst 120;"):
        expect(page.locator("#chat")).to_contain_text(mark)
        page.reload()
    wait_until_ended(page)
    assert burst_texts(page) == expected_texts(hidden=True)


def _answers(port: int) -> bool:
    try:
        urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=2)
    except OSError:
        return False
    return True


@pytest.fixture
def partial_site(site: Installation) -> Iterator[int]:
    """The same data, served as one traveller would get it."""
    port = free_port()
    redis_url = (site.data / "run" / "redis.url").read_text()
    served = ("daphne", "-p", str(port), "tests.browser.partial:application")
    environment = {**site.environment, "REDIS_URL": redis_url}
    server = Fork(run_program, environment, site.data / "partial.log", *served)
    try:
        end = time.monotonic() + START_S
        while not _answers(port):
            assert server.poll() is None and time.monotonic() < end, "the web server does not come up"
            time.sleep(0.1)
        yield port
    finally:
        server.kill()
        server.wait()


def test_someone_who_sees_part_of_the_log_gets_all_of_that_part_once(
    page: Page, site: Installation, partial_site: int
) -> None:
    proxy = Proxy(partial_site)
    burst = Burst(site, COUNT, RATE)
    frames: list[str] = []
    page.on(
        "websocket", lambda socket: socket.on("framereceived", lambda payload: frames.append(str(payload)))
    )
    page.goto(f"http://127.0.0.1:{proxy.port}/sessions/{burst.session}/")
    expect(page.locator("#live")).to_have_class("live on")
    burst.begin()
    expect(page.locator("#chat")).to_contain_text("burst 20;")
    threading.Thread(target=proxy.cut, args=(5.0,)).start()
    wait_until_ended(page)
    assert burst_texts(page) == expected_texts(hidden=False)
    assert "agent_noted" not in "".join(frames)
    assert "burst 4;" not in "".join(frames)
    proxy.close()
