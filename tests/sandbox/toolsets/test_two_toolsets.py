"""Two toolsets that both have a `web_search`, with other arguments: in calls, caches, simulation and schemas."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from sandbox.backends import CombinedBackend, WorldBackend
from sandbox.cache import Cache, KeyProblem, call_of, create, export_published, fold, import_published, key_of
from sandbox.calls import Call
from sandbox.retrieval import FieldsEmbedder, build_indexes, open_indexes
from sandbox.simulation import ModelSimulator, NearestSimulator, Simulator, WrittenAnswer
from sandbox.toolbox import SandboxSetup, Toolbox, world_tools
from sandbox.toolbox.isolated_answers import IsolatedAnswers
from sandbox.toolbox.online import OnlineAnswers
from sandbox.toolsets import TOOLSETS, UnknownToolset, tool_of, toolset_named
from sandbox.toolsets.base import Toolset
from sandbox.toolsets.grouptravel import TOOLSET as GROUPTRAVEL
from sandbox.worlds import World
from tests.sandbox.toolbox.test_modes import MemoryPins, quiet
from tests.sandbox.toolsets.toy import TOY

NOON, EVENING = {"time": "2025-10-01 12:00"}, {"time": "2025-10-01 18:00"}
OURS = Call("web_search", {"query": "西湖"})
TOYS = Call("toy.web_search", {"question": "西湖"}, NOON)


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy is a toolset for the length of a test."""
    monkeypatch.setitem(TOOLSETS, TOY.name, TOY)


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[Cache]:
    """A cache with an answer to a `web_search` of each toolset."""
    folder = tmp_path / "cache"
    create(folder)
    with closing(Cache.open(folder)) as first:
        first.learn(OURS, '{"query":"西湖","answers":[],"note":"ours"}')
        first.learn(TOYS, '{"answer":"the toy\'s"}')
    fold(folder, quiet)
    with closing(Cache.open(folder)) as both:
        yield both


def isolated_answers(cache: Cache, simulator: Simulator) -> IsolatedAnswers:
    embedder, folder = FieldsEmbedder(), cache.folder / "index"
    build_indexes(cache.pack, folder, embedder, progress=quiet)
    return IsolatedAnswers(
        cache, lambda: open_indexes(folder, cache.pack.digest, embedder), simulator, MemoryPins()
    )


def test_a_name_means_the_tool_of_the_session_s_toolset(tiny_world: World) -> None:
    ours, toys = world_tools(tiny_world), world_tools(tiny_world, "en", TOY)
    assert not ours.call("web_search", {"query": "西湖"}).error
    assert json.loads(toys.call("web_search", {"question": "x"}).result) == {
        "answer": 'en: {"question":"x","depth":"quick"}'
    }
    assert "query" in toys.call("web_search", {"query": "西湖"}).result
    assert ours.call("web_search", {"question": "x"}).error_kind == "arguments"
    assert ours.call("around", {"location": "30,120"}).error_kind == "arguments"
    assert toys.call("search_poi", {}).result.endswith(
        'Unknown tool \\"search_poi\\"; allowed: web_search, around"}'
    )


def test_a_model_is_offered_the_tools_of_the_session_s_toolset() -> None:
    function = TOY.definitions()[0]["function"]
    assert function["description"] == "The toy's search"  # in the toy's own language
    assert [*function["parameters"]["properties"]] == ["question", "depth"]
    assert [each["function"]["name"] for each in TOY.definitions("zh")] == ["web_search", "around"]
    assert len(GROUPTRAVEL.definitions()) == len(GROUPTRAVEL.tools)


def test_each_toolset_has_its_own_cached_calls(cache: Cache) -> None:
    assert cache.counts == {"toy.web_search": 1, "web_search": 1}
    assert cache.find(OURS, "published") != cache.find(TOYS, "published")
    same_arguments = Call("web_search", TOYS.arguments)
    assert cache.find(same_arguments, "published") is None


def test_a_key_holds_what_its_toolset_says() -> None:
    assert key_of(OURS, "published") == '[["query","西湖"]]'
    assert key_of(TOYS, "published") == (
        '[["params","{\\"question\\": \\"西湖\\"}"],["time","2025-10-01 12:00"]]'
    )
    assert call_of("toy.web_search", key_of(TOYS, "published")) == TOYS
    with pytest.raises(KeyProblem, match="no key of this tool"):
        call_of("toy.web_search", '[["query","西湖"]]')


def test_another_time_is_another_call_where_the_key_holds_it(cache: Cache) -> None:
    later = Call(TOYS.tool, TOYS.arguments, EVENING)
    default = Call(TOYS.tool, {"question": " 西湖", "depth": "quick"}, NOON)
    assert cache.find(later, "strict-semantic") is None
    assert cache.find(default, "published") is None
    assert cache.find(default, "strict-semantic") == cache.find(TOYS, "published")


def test_a_cache_of_both_is_exported_and_comes_in_again_the_same(cache: Cache, tmp_path: Path) -> None:
    cache.log_miss(Call(TOYS.tool, {"question": "missed"}, EVENING), None)
    export_published(cache, tmp_path / "out", quiet)
    files = sorted(
        path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*.json")
    )
    assert files == ["toy/web_search_cache.json", "toy/web_search_missed.json", "web_search_cache.json"]
    import_published(tmp_path / "out", tmp_path / "again", quiet)
    with closing(Cache.open(tmp_path / "again")) as again:
        assert again.pack.digest == cache.pack.digest
        assert [missed.call for missed in again.misses()] == [
            Call(TOYS.tool, {"question": "missed"}, EVENING)
        ]


def test_a_published_directory_is_read_as_the_toolset_s_that_is_named(cache: Cache, tmp_path: Path) -> None:
    export_published(cache, tmp_path / "out", quiet)
    import_published(tmp_path / "out" / "toy", tmp_path / "again", quiet, toolset="toy")
    with closing(Cache.open(tmp_path / "again")) as again:
        assert again.counts == {"toy.web_search": 1}
    with pytest.raises(UnknownToolset, match="there is no toolset 'other'; there is grouptravel, none, toy"):
        import_published(tmp_path / "out", tmp_path / "no", quiet, toolset="other")


def test_a_simulated_answer_has_examples_of_its_own_toolset(cache: Cache) -> None:
    answers = isolated_answers(cache, NearestSimulator())
    outcome = Toolbox(answers, toolset=TOY, given=EVENING).call("web_search", {"question": "西湖边"})
    assert json.loads(outcome.result) == {"answer": '{"answer":"the toy\'s"}'}
    assert outcome.examples == (key_of(TOYS, "published"),)
    assert Toolbox(answers, toolset=TOY).call("around", {"location": "30,120"}).error_kind == "unanswered"


def test_a_tool_without_a_built_in_answer_says_so(cache: Cache) -> None:
    cache.learn(Call("toy.around", {"location": "30,120"}, NOON), '{"answer":"lake"}')
    fold(cache.folder, quiet)
    with closing(Cache.open(cache.folder)) as now:
        box = Toolbox(isolated_answers(now, NearestSimulator()), toolset=TOY, given=EVENING)
        outcome = box.call("around", {"location": "31,120"})
    assert (outcome.error_kind, "has no answers for this tool" in outcome.result) == ("simulator", True)


def test_a_model_simulates_the_tool_of_the_session_s_toolset(cache: Cache) -> None:
    prompts: list[str] = []

    def ask(messages: Any) -> WrittenAnswer:
        prompts.extend(each["content"] for each in messages)
        return WrittenAnswer('{"answer":"new"}')

    box = Toolbox(isolated_answers(cache, ModelSimulator("m", ask)), toolset=TOY, given=EVENING)
    assert box.call("web_search", {"question": "a hill"}).result == '{"answer":"new"}'
    assert "The toy's search" in prompts[0]
    assert "ours" not in "".join(prompts)


@pytest.mark.parametrize(("strictness", "error"), [("strict", "arguments"), ("lenient", "")])
def test_a_toolset_brings_its_own_readings(tiny_world: World, strictness: Any, error: str) -> None:
    answers = world_tools(tiny_world, "en", TOY)._answers
    box = Toolbox(answers, toolset=TOY, strictness=strictness)
    assert box.call("web_search", {"question": "x", "depth": "deepest"}).error_kind == error


def test_a_toolset_with_one_reading_reads_strictly_either_way(tiny_world: World) -> None:
    answers = world_tools(tiny_world)._answers
    assert Toolbox(answers, strictness="lenient").call("web_search", {}).error_kind == "arguments"


def test_the_setup_of_a_session_names_its_toolset_only_where_it_is_another() -> None:
    assert {"toolset", "strictness", "given"}.isdisjoint(SandboxSetup().model_dump())
    named = SandboxSetup(toolset="toy", strictness="lenient", given=NOON)
    assert SandboxSetup.model_validate_json(named.model_dump_json()) == named
    assert SandboxSetup.model_validate({}).toolset == "grouptravel"


def test_a_stored_name_tells_the_toolset() -> None:
    assert tool_of("web_search") is GROUPTRAVEL.tools["web_search"]
    assert tool_of("toy.web_search") is TOY.tools["web_search"]
    assert tool_of("gone.web_search") is tool_of("nothing") is None
    assert toolset_named("toy") is TOY


@pytest.mark.parametrize("toolset", TOOLSETS.values(), ids=lambda toolset: toolset.name)
def test_a_toolset_keeps_its_tools_under_their_names(toolset: Toolset) -> None:
    assert all(name == tool.name for name, tool in toolset.tools.items())
    assert {*toolset.nearest, *toolset.listing} <= {*toolset.tools}


def test_a_live_service_answers_the_tools_of_its_toolset_only(cache: Cache, tiny_world: World) -> None:
    box = Toolbox(OnlineAnswers(cache, WorldBackend(tiny_world)), toolset=TOY)
    assert box.call("web_search", {"question": "anew"}).error_kind == "backend"
    box = Toolbox(OnlineAnswers(cache, WorldBackend(tiny_world, TOY)), toolset=TOY)
    assert box.call("web_search", {"question": "anew"}).source == "live"
    with pytest.raises(ValueError, match="of one toolset"):
        CombinedBackend(WorldBackend(tiny_world), WorldBackend(tiny_world, TOY))
