"""The metrics of an installation of several processes, asked of the web server while a worker plays."""

from __future__ import annotations

import asyncio
import urllib.request
from functools import partial

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.bench.overload import signed_in
from tests.installation import Installation
from tests.websocket import Socket

pytestmark = pytest.mark.slow
PATIENCE_S = 60.0
ONE_OF_THE_TASKS = """
from webapp.catalogue.models import Task, World
from webapp.sessions import services

made = services.create_session(
    task=Task.objects.filter(difficulty="easy")[0], world=World.objects.get(name="starter"), setup=services.Setup()
)
print(made.pk)
"""


def scrape(site: Installation) -> dict[str, float]:
    """The numbers that have no labels."""
    with urllib.request.urlopen(site.url("/metrics")) as response:
        families = text_string_to_metric_families(response.read().decode())
    return {each.name: each.value for family in families for each in family.samples if not each.labels}


def test_the_web_server_tells_what_the_worker_has_done_and_who_looks_on(site: Installation) -> None:
    before = scrape(site)

    async def look_on() -> dict[str, float]:
        session = (await asyncio.to_thread(partial(site.inside.run, ONE_OF_THE_TASKS))).strip()
        opened = await Socket.connect(site.port, f"/ws/sessions/{session}/", signed_in(site))
        async with asyncio.timeout(PATIENCE_S):
            while True:
                with_it = await asyncio.to_thread(scrape, site)
                grown = {name for name, number in with_it.items() if number > before.get(name, 0.0)}
                reached = grown >= {"caravan_events_total", "caravan_delivery_lag_seconds_count"}
                if reached and with_it["caravan_sockets"] >= 1:
                    opened.writer.close()
                    return with_it
                await asyncio.sleep(0.5)

    during = asyncio.run(look_on())
    assert during["caravan_delivery_lag_seconds_sum"] > before["caravan_delivery_lag_seconds_sum"]
