"""The published cache of TravelBench's tools: its files in and out, and what a session finds in it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sandbox.cache import Cache, CacheError, export_published, import_published
from sandbox.calls import Call
from sandbox.toolsets import TOOLSETS
from tests.sandbox.cache.conftest import quiet

NAME, NOW = "travelbench.web_search", {"time": "2025-10-22 10:00"}


def key(time: str = "2025-10-22 10:00", **arguments: Any) -> str:
    params = json.dumps(arguments, ensure_ascii=False, sort_keys=True)
    return json.dumps([["params", params], ["time", time]], ensure_ascii=False, separators=(",", ":"))


ENTRIES = {
    key(query="潮汐"): "晚上八点",
    key("2025-10-22 11:00", query="潮汐"): '{"error": "暂无"}',
    key(limit=1, query="x"): "one",
    key(limit=1.0, query="x"): "other",
    key(""): "no arguments and no time",
}


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    (tmp_path / "web_search_cache.json").write_text(json.dumps(ENTRIES), "utf-8")
    import_published(tmp_path, tmp_path / "c", quiet, toolset="travelbench")
    return Cache.open(tmp_path / "c")


def test_files_go_out_as_they_came_in(cache: Cache, tmp_path: Path) -> None:
    assert dict(cache.counts) == {NAME: 5}
    export_published(cache, tmp_path / "out", quiet)
    assert json.loads((tmp_path / "out/travelbench/web_search_cache.json").read_text("utf-8")) == ENTRIES


@pytest.mark.parametrize(
    ("arguments", "given", "found"),
    [
        ({"query": "潮汐"}, NOW, "晚上八点"),
        ({"query": "潮汐"}, {"time": "2025-10-22 11:00"}, '{"error": "暂无"}'),
        ({"query": "潮汐"}, {"time": "2025-10-22 12:00"}, None),
        ({"query": "潮汐 "}, NOW, None),
        ({"query": "x", "limit": 1}, NOW, "one"),
        ({"query": "x", "limit": 1.0}, NOW, "other"),
        ({}, {}, "no arguments and no time"),
    ],
)
def test_a_call_is_found_by_its_arguments_and_the_task_s_time(
    cache: Cache, arguments: dict[str, Any], given: dict[str, str], found: str | None
) -> None:
    assert cache.find(Call(NAME, arguments, given), "published") == found


@pytest.mark.parametrize(
    "bad",
    [
        '[["params","[]"],["time",""]]',
        '[["params","{"],["time",""]]',
        '[["query","x"]]',
        '[["params","{}"]]',
        "{}",
    ],
)
def test_a_key_that_is_none_of_these_tools_is_named(tmp_path: Path, bad: str) -> None:
    (tmp_path / "web_search_cache.json").write_text(json.dumps({key(query="x"): "", bad: ""}), "utf-8")
    with pytest.raises(CacheError, match=r"web_search_cache\.json: entry 2: the key"):
        import_published(tmp_path, tmp_path / "c", quiet, toolset="travelbench")
    assert not (tmp_path / "c").exists()


def test_every_tool_has_its_own_place_in_caches() -> None:
    toolset = TOOLSETS["travelbench"]
    assert len(toolset.tools) == 10 and toolset.stored_name("web_search") == NAME
