"""Isolated sessions over an embeddings endpoint of one's own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from benchmark.suites.grouptravel.events import SessionOpened
from sandbox.cache import published_key
from tests.sandbox.retrieval.endpoint_server import DIMENSION, EmbeddingsServer, refuse
from tests.seating import Make
from tests.webapp.caches.conftest import answers
from webapp.caches import resources
from webapp.caches.models import ToolCache
from webapp.catalogue.models import Task, World
from webapp.sessions.log import whole_log
from worker.sessions import advance

pytestmark = pytest.mark.django_db


@pytest.fixture
def embeddings(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[EmbeddingsServer]:
    """The endpoint that the environment names, eight texts a request."""
    monkeypatch.setenv("MY_EMBEDDINGS_KEY", "sk-embed")
    with EmbeddingsServer() as server:
        settings.CARAVAN_EMBEDDINGS = {
            "url": server.url,
            "model": "Qwen3-Embedding-8B",
            "key_variable": "MY_EMBEDDINGS_KEY",
            "dimension": 0,
            "batch": 8,
            "retries": 0,
        }
        yield server


@pytest.fixture
def warm(cache: ToolCache, played_session: Make) -> ToolCache:
    """A cache with what one online session asked."""
    played_session("online", cache)
    return cache


def index(*options: str) -> str:
    out = StringIO()
    call_command("cache", "index", "local", *options, stdout=out, stderr=StringIO())
    return out.getvalue()


def test_an_endpoint_that_fails_halfway_is_told_and_gone_on_with(
    embeddings: EmbeddingsServer, warm: ToolCache
) -> None:
    embeddings.breaks_after, embeddings.fault = 17, refuse(503)
    with pytest.raises(CommandError) as failed:
        index("--embedder", "endpoint")
    message = str(failed.value)
    assert embeddings.url in message and "503" in message and "16 of" in message, message
    embeddings.breaks_after = None
    assert "newly embedded" in index("--embedder", "endpoint")
    sent = [text for text in embeddings.texts if text != "[]"]
    entries = sum(resources.open_cache(warm.name).counts.values())
    assert entries > 40 and len(sent) == entries, "what was embedded before it failed is not asked for again"
    assert set(embeddings.keys) == {"Bearer sk-embed"}


def test_a_session_records_the_embedder_that_it_was_set_up_with(
    embeddings: EmbeddingsServer, warm: ToolCache, new: Make, starter_tasks: list[Task]
) -> None:
    index("--embedder", "endpoint")
    choice = ("isolated", warm, "published", "endpoint")
    session = new(*choice, task=starter_tasks[3])
    advance(session.id, budget_s=None)
    opened = whole_log(session.pk)[0].body
    assert isinstance(opened, SessionOpened)
    assert opened.sandbox.embedder.startswith("Qwen3-Embedding-8B-")
    assert "simulated" in {answer.source for answer in answers(session)}


def test_an_import_takes_the_embeddings_that_lie_beside_the_files(
    embeddings: EmbeddingsServer, data: Path, starter_world: World
) -> None:
    folder, calls = data / "published", [{"city": "北京市", "keywords": f"火锅{n}"} for n in range(5)]
    folder.mkdir()
    entries = {published_key(call): "{}" for call in calls}
    (folder / "search_poi_cache.json").write_text(json.dumps(entries))
    params = np.array([json.dumps(call) for call in calls], dtype=object)
    rows = np.random.default_rng(1).normal(size=(5, DIMENSION)).astype(np.float32)
    np.savez_compressed(folder / "search_poi_embeddings.npz", embeddings=rows, params=params, results=params)
    out = StringIO()
    call_command("cache", "import", "mine", folder, stdout=out, stderr=StringIO())
    assert "search_poi: 5 embeddings read" in out.getvalue()
    assert "0 of them newly embedded; exact, by Qwen3-Embedding-8B-16-2" in out.getvalue()
    assert [text for text in embeddings.texts if text != "[]"] == []
    other = ("cache", "import", "mine", folder, "--replace", "--embeddings-model", "bge-m3")
    again, words = StringIO(), StringIO()
    call_command(*other, "--json", stdout=again, stderr=StringIO())
    assert json.loads(again.getvalue())["embeddings"] == {}
    call_command(*other, stdout=words, stderr=StringIO())
    assert "vectors are of bge-m3, and the endpoint's model is Qwen3-Embedding-8B" in words.getvalue()
