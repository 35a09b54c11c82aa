"""The pages of caches, and of sessions over one."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from django.test import Client
from filelock import FileLock

from sandbox.calls import Call
from tests.markup import text
from webapp.caches import resources
from webapp.caches.jobs import INDEX
from webapp.caches.models import ToolCache
from webapp.caches.services import import_cache, index_cache
from webapp.catalogue.models import Task, World
from webapp.jobs.services import enqueue
from webapp.sessions.models import Session
from webapp.sessions.scoring import score_session
from worker.sessions import advance
from worker.steppers import cache_index

pytestmark = pytest.mark.django_db

NEW = {"name": "fresh", "language": "en"}
HOSTILE = "<script>alert(1)</script>"


def test_only_researchers_see_caches(as_annotator: Client, cache: ToolCache) -> None:
    for address in ("/caches/", "/caches/local/"):
        assert as_annotator.get(address).status_code == 403
        assert Client().get(address).status_code == 302
    assert as_annotator.post("/caches/local/index/").status_code == 403


def test_an_empty_cache_is_made_by_its_name(as_researcher: Client, data: Path) -> None:
    assert as_researcher.post("/caches/", NEW)["Location"] == "/caches/fresh/"
    assert resources.open_cache("fresh").counts == {}
    assert "A cache with this name already exists" in text(as_researcher.post("/caches/", NEW))
    assert "Use letters" in text(as_researcher.post("/caches/", {**NEW, "name": "../etc"}))
    assert ToolCache.objects.get().answers_in == "en"
    shutil.rmtree(ToolCache.objects.get().folder)
    assert "holds no cache" in text(as_researcher.get("/caches/fresh/"))
    assert as_researcher.post("/caches/", NEW).status_code == 302, (
        "what is gone from the disk can be made again"
    )
    assert "holds no cache" not in text(as_researcher.get("/caches/fresh/"))


def test_a_cache_shows_what_it_holds_and_missed(as_researcher: Client, cache: ToolCache) -> None:
    handle = resources.open_cache("local")
    handle.learn(Call("search_poi", {"keywords": "火锅"}), "{}")
    handle.log_miss(Call("maps_geo", {"address": HOSTILE}), None)
    page = as_researcher.get("/caches/local/")
    assert HOSTILE not in page.content.decode()
    assert f"maps_geo address={HOSTILE}" in text(page)
    assert "1 entry" in text(page) and "not built" in text(page) and "1 of 1" in text(page)
    assert re.search(r'>local</a></td><td class="n">1<', text(as_researcher.get("/caches/")))
    index_cache(name="local")
    assert "0 entries" in text(as_researcher.get("/caches/local/"))


def test_cached_calls_are_drawn_by_tool_with_their_shares(as_researcher: Client, cache: ToolCache) -> None:
    assert 'id="entries-json"' not in as_researcher.get("/caches/local/").content.decode()
    handle = resources.open_cache("local")
    for number in range(3):
        handle.learn(Call("travelbench.web_search", {"query": str(number)}), "{}")
    handle.learn(Call("search_poi", {"keywords": "火锅"}), "{}")
    page = as_researcher.get("/caches/local/").content.decode()
    drawn = re.search(r'<template id="entries-json">(.*?)</template>', page)
    assert drawn is not None
    [bar] = json.loads(drawn[1])["data"]
    assert bar["y"] == ["travelbench.web_search", "search_poi"] and bar["x"] == [3, 1]
    assert bar["text"] == ["75.0 %", "25.0 %"] and "75.0%" in page


def test_a_request_to_index_says_what_became_of_it(
    as_researcher: Client, cache: ToolCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    resources.open_cache("local").learn(Call("search_poi", {"keywords": "火锅"}), "{}")
    as_researcher.post("/caches/local/index/")
    assert "A worker was asked" in text(as_researcher.get("/caches/local/"))
    monkeypatch.setattr("sandbox.cache.building.LOCK_WAIT_S", 0.05)
    with FileLock(cache.folder / "building.lock"):
        cache_index("local")
    assert "by another process; try again" in text(as_researcher.get("/caches/local/"))
    enqueue(kind=INDEX, subject="local")
    cache_index("local")
    assert 'role="status"' not in text(as_researcher.get("/caches/local/"))
    monkeypatch.setattr("webapp.queue._publish", lambda *_: False)
    as_researcher.post("/caches/local/index/")
    assert "No worker can be reached" in text(as_researcher.get("/caches/local/"))


def test_a_damaged_cache_is_told_on_its_page(as_researcher: Client, cache: ToolCache) -> None:
    (cache.folder / "current.json").write_text("{")
    page = as_researcher.get("/caches/local/")
    assert page.status_code == 200 and "current.json" in text(page)
    assert "current.json" in text(as_researcher.get("/caches/"))
    assert as_researcher.post("/caches/local/index/").status_code == 302


def test_there_is_no_page_of_no_cache(as_researcher: Client, cache: ToolCache) -> None:
    assert as_researcher.get("/caches/other/").status_code == 404
    assert as_researcher.get("/caches/local/index/").status_code == 405


def test_an_isolated_session_starts_from_the_form_and_shows_its_sources(
    as_researcher: Client, data: Path, starter_world: World, starter_tasks: list[Task]
) -> None:
    (data / "dir").mkdir()
    key = '[["city","北京市"],["keywords","烤鸭"]]'
    (data / "dir" / "search_poi_cache.json").write_text(json.dumps({key: '{"total":0,"pois":[]}'}))
    import_cache(name="tiny", source=data / "dir", merge=False, progress=lambda *_: None)
    index_cache(name="tiny")
    given = {"task": "starter_01", "world": "starter", "agent": "reference", "users": "scripted", "seed": "1"}
    chosen = {**given, "protocol": "published", "mode": "isolated", "cache": "tiny", "examples": "3"}
    address = as_researcher.post("/sessions/new/", chosen)["Location"]
    session = Session.objects.get()
    assert (session.mode, session.cache) == ("isolated", ToolCache.objects.get())
    advance(session.pk, budget_s=None, paced=False)
    score_session(session=session)
    page = text(as_researcher.get(f"{address}?tab=tools"))
    for words in ("isolated", "simulated", "nothing cached", "made from 1 cached call", "3 examples", key):
        assert words in page
    assert "isolated tiny" in text(as_researcher.get("/sessions/"))
    assert "simulated" in text(as_researcher.get("/caches/tiny/"))


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        ({"mode": "isolated"}, "This mode needs a cache; choose one."),
        ({"mode": "isolated", "cache": "local"}, "is empty: import a cache"),
        ({"mode": "isolated", "cache": "nope"}, "valid choice"),
        ({"mode": "magic"}, "valid choice"),
        ({"mode": "world", "examples": "0"}, "greater than or equal to 1"),
    ],
)
def test_a_wrong_choice_is_told_at_its_field(
    chosen: dict[str, str],
    words: str,
    as_researcher: Client,
    cache: ToolCache,
    starter_world: World,
    starter_tasks: list[Task],
) -> None:
    given = {"task": "starter_01", "world": "starter", "agent": "reference", "users": "scripted", "seed": "1"}
    page = as_researcher.post("/sessions/new/", {**given, "protocol": "published", **chosen})
    assert page.status_code == 200 and words in text(page)
    assert not Session.objects.exists()
