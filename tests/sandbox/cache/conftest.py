"""Published cache directories, and caches made of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from sandbox.cache import Cache, import_published, published_key

Directory = Callable[..., Path]


def quiet(label: str, done: int, total: int) -> None:
    """No progress is shown."""


def key(**arguments: Any) -> str:
    return published_key(arguments)


@pytest.fixture
def directory(tmp_path: Path) -> Directory:
    """Write a published directory: entries by tool, and missed calls by tool."""

    def write(
        entries: Mapping[str, Mapping[str, str]], missed: Mapping[str, list[dict[str, Any]]] | None = None
    ) -> Path:
        folder = tmp_path / f"published-{len(list(tmp_path.iterdir()))}"
        folder.mkdir()
        for tool, pairs in entries.items():
            (folder / f"{tool}_cache.json").write_text(
                json.dumps(pairs, ensure_ascii=False), encoding="utf-8"
            )
        for tool, misses in (missed or {}).items():
            (folder / f"{tool}_missed.json").write_text(
                json.dumps(misses, ensure_ascii=False), encoding="utf-8"
            )
        return folder

    return write


ENTRIES = {
    "search_poi": {
        key(keywords="火锅", city="北京"): '{"total":1}',
        key(keywords="火锅", city="北京", radius_km=3): '{"total":2}',
        key(keywords="烤鸭", city="北京", page=1): "not JSON, kept byte for byte \n",
    },
    "maps_weather": {key(location="杭州", date="2025-10-01"): '{"days":[]}'},
}
MISSED_CALLS = {
    "search_poi": [
        {
            "params": '{"keywords": "面", "city": "北京"}',
            "simulated_result": {"pois": [], "half": 0.5},
            "timestamp": 1735689600,
        },
        {
            "params": key(keywords="粥", city="北京"),
            "simulated_result": None,
            "timestamp": "2025-01-02T00:00:00",
        },
    ]
}


@pytest.fixture
def cache_folder(directory: Directory, tmp_path: Path) -> Path:
    """The folder of a cache with four entries and two misses."""
    folder = tmp_path / "cache"
    import_published(directory(ENTRIES, MISSED_CALLS), folder, quiet)
    return folder


@pytest.fixture
def cache(cache_folder: Path) -> Cache:
    return Cache.open(cache_folder)
