"""What each mode answers from, in which order, and what it does when a part fails."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from sandbox.backends import WorldBackend
from sandbox.cache import Cache, create, fold
from sandbox.calls import Call, Example
from sandbox.retrieval import EmbeddingFailed, FieldsEmbedder, Indexes, build_indexes, open_indexes
from sandbox.simulation import NearestSimulator
from sandbox.toolbox import Toolbox, world_tools
from sandbox.toolbox.isolated_answers import IsolatedAnswers
from sandbox.toolbox.online import OnlineAnswers, refresh
from sandbox.toolbox.outcome import Answer
from sandbox.tools.errors import FailureKind, ToolFailure
from sandbox.tools.language import Language, Says
from sandbox.tools.tool import Arguments, Result, Tool
from sandbox.toolsets.base import Question
from sandbox.worlds import World

HOTPOT = {"keywords": "火锅", "city": "杭州市"}


def quiet(*_: object) -> None:
    """No progress is shown."""


class MemoryPins:
    """Pins of one scope, by call."""

    def __init__(self) -> None:
        self.answers: dict[str, Answer] = {}

    def get(self, call: Call) -> Answer | None:
        return self.answers.get(json.dumps([call.tool, dict(call.arguments)], sort_keys=True))

    def pin(self, call: Call, answer: Answer) -> Answer:
        return self.answers.setdefault(json.dumps([call.tool, dict(call.arguments)], sort_keys=True), answer)


class Wavering:
    """A simulator that never says the same twice, and remembers what it saw."""

    id = "wavering"
    asks_model = False

    def __init__(self) -> None:
        self.examples_seen: list[Sequence[Example]] = []

    def simulate(self, question: Question) -> str:
        self.examples_seen.append(question.examples)
        return f'{{"number":{len(self.examples_seen)},"half":"\\ud83d"}}\ud83d'


class Failing:
    """A simulator, or a backend, that fails in a given way."""

    id = name = "failing"
    asks_model = False
    toolset = "grouptravel"
    tools = frozenset({"search_poi"})

    def __init__(self, kind: FailureKind) -> None:
        self.failure = ToolFailure(kind, Says("失败了", "it failed"))

    def simulate(self, question: Question) -> str:
        raise self.failure

    def answer(self, tool: Tool[Any, Any], arguments: Arguments, language: Language) -> Result:
        raise self.failure


@pytest.fixture
def folder(tmp_path: Path, tiny_world: World) -> Path:
    """A cache of three searches in the tiny world, indexed."""
    create(tmp_path / "c")
    cache, backend = Cache.open(tmp_path / "c"), WorldBackend(tiny_world)
    online = Toolbox(OnlineAnswers(cache, backend))
    for words in ("火锅", "博物馆", "西湖"):
        assert online.call("search_poi", {"keywords": words, "city": "杭州市"}).source == "live"
    cache.learn(Call("maps_geo", {"address": "火星"}), '{"error":"no such place"}')
    fold(tmp_path / "c", quiet)
    packed = Cache.open(tmp_path / "c").pack
    build_indexes(packed, tmp_path / "c" / "index", FieldsEmbedder(), progress=quiet)
    return tmp_path / "c"


def indexes(folder: Path) -> Indexes:
    return open_indexes(folder / "index", Cache.open(folder).state.digest, FieldsEmbedder())


def isolated_toolbox(
    folder: Path, simulator: Any = None, pins: MemoryPins | None = None, **options: Any
) -> Toolbox:
    answers = IsolatedAnswers(
        Cache.open(folder),
        lambda: indexes(folder),
        simulator or NearestSimulator(),
        pins or MemoryPins(),
        **options,
    )
    return Toolbox(answers)


def test_a_hit_is_the_backends_answer_byte_for_byte(folder: Path, tiny_world: World) -> None:
    outcome = isolated_toolbox(folder).call("search_poi", HOTPOT)
    assert (outcome.mode, outcome.source, outcome.error) == ("isolated", "cache", False)
    assert outcome.result == world_tools(tiny_world).call("search_poi", HOTPOT).result


def test_normalisation_is_the_modes(folder: Path) -> None:
    wide = {**HOTPOT, "keywords": "火锅　", "page": 1}
    assert isolated_toolbox(folder).call("search_poi", wide).source == "simulated"
    assert (
        isolated_toolbox(folder, normalisation="strict-semantic").call("search_poi", wide).source == "cache"
    )


def test_the_simulator_sees_the_nearest_calls_with_their_answers(folder: Path) -> None:
    simulator = Wavering()
    outcome = isolated_toolbox(folder, simulator, examples=2).call("search_poi", {**HOTPOT, "radius_km": 3})
    nearest, second = simulator.examples_seen[0]
    assert nearest.call.arguments == HOTPOT and json.loads(nearest.result)["total"] >= 1
    assert nearest.similarity > second.similarity
    assert outcome.examples[0] == '[["city","杭州市"],["keywords","火锅"]]' and len(outcome.examples) == 2


def test_what_was_simulated_stands_for_the_run(folder: Path) -> None:
    """Even when the simulator wavers, on any worker; another run gets its own."""
    pins, call = MemoryPins(), {**HOTPOT, "radius_km": 3}
    first = isolated_toolbox(folder, Wavering(), pins).call("search_poi", call)
    simulator = Wavering()
    again = isolated_toolbox(folder, simulator, pins).call("search_poi", call)
    assert (again.result, again.source, again.examples) == (first.result, "simulated", first.examples)
    assert not simulator.examples_seen
    assert first.result.encode(), "half of a surrogate pair is not text that could be stored"
    assert len(Cache.open(folder).misses()) == 1
    assert Cache.open(folder).counts == {"maps_geo": 1, "search_poi": 3}


@pytest.mark.parametrize("kind", ["simulator", "schema", "timeout"])
def test_a_simulator_that_fails_is_a_tool_error_and_may_be_tried_again(
    folder: Path, kind: FailureKind
) -> None:
    pins, call = MemoryPins(), {**HOTPOT, "page": 2}
    outcome = isolated_toolbox(folder, Failing(kind), pins).call("search_poi", call)
    assert (outcome.error_kind, outcome.source, outcome.result) == (kind, "none", '{"error":"失败了"}')
    assert [miss.simulated_result for miss in Cache.open(folder).misses()] == [None]
    assert isolated_toolbox(folder, NearestSimulator(), pins).call("search_poi", call).source == "simulated"
    assert Cache.open(folder).misses()[0].simulated_result is not None


@pytest.mark.parametrize("turned", [False, True])
def test_spellings_of_one_call_share_an_answer_whichever_comes_first(folder: Path, turned: bool) -> None:
    spelt = [
        {**HOTPOT, "page": 2},
        {**HOTPOT, "keywords": "火锅 ", "page": 2, "radius_km": 5.0, "region": None},
    ]
    pins = MemoryPins()
    tools = isolated_toolbox(folder, None, pins, normalisation="strict-semantic")
    alone = isolated_toolbox(folder, None, MemoryPins(), normalisation="strict-semantic").call(
        "search_poi", spelt[0]
    )
    for call in reversed(spelt) if turned else spelt:
        assert tools.call("search_poi", call).result == alone.result


def test_a_miss_is_in_the_log_before_its_answer_stands(folder: Path) -> None:
    class Dying(MemoryPins):
        def pin(self, call: Call, answer: Answer) -> Answer:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        isolated_toolbox(folder, pins=Dying()).call("search_poi", {**HOTPOT, "page": 2})
    assert len(Cache.open(folder).misses()) == 1


def test_a_cache_that_was_never_indexed_still_answers_its_tools_errors(tmp_path: Path) -> None:
    create(tmp_path / "new")
    Cache.open(tmp_path / "new").learn(Call("web_search", {"query": "西湖"}), "{}")

    def none() -> Indexes:
        raise AssertionError("there is nothing to search")

    answers = IsolatedAnswers(Cache.open(tmp_path / "new"), none, NearestSimulator(), MemoryPins())
    assert Toolbox(answers).call("web_search", {"query": "西湖"}).source == "cache"
    assert Toolbox(answers).call("web_search", {"query": "灵隐寺"}).error_kind == "unanswered"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('{"error":"x"}', "answer"),
        ('{ "error": "x" }', "answer"),
        ('\n{\n  "error": "x"\n}', "answer"),
        ('{"error":"x","total":0}', ""),
        ('{"error', ""),
        ('["error"]', ""),
    ],
)
def test_an_answer_is_an_error_however_it_is_spelt(folder: Path, text: str, kind: str) -> None:
    Cache.open(folder).learn(Call("web_search", {"query": text}), text)
    outcome = isolated_toolbox(folder).call("web_search", {"query": text})
    assert (outcome.result, outcome.source, outcome.error_kind) == (text, "cache", kind)


def test_nothing_similar_is_an_error_that_says_so(folder: Path) -> None:
    outcome = isolated_toolbox(folder).call("web_search", {"query": "西湖门票"})
    assert (outcome.error_kind, outcome.source) == ("unanswered", "none")
    assert "没有缓存" in json.loads(outcome.result)["error"]


def test_an_embedder_that_fails_is_a_tool_error(folder: Path) -> None:
    class Deaf(FieldsEmbedder):
        def embed(self, calls: Sequence[Call]) -> Any:
            raise EmbeddingFailed("the endpoint is away")

    found = open_indexes(folder / "index", Cache.open(folder).state.digest, Deaf())
    answers = IsolatedAnswers(Cache.open(folder), lambda: found, NearestSimulator(), MemoryPins())
    outcome = Toolbox(answers, "en").call("search_poi", {**HOTPOT, "page": 3})
    assert outcome.error_kind == "simulator" and "endpoint" not in outcome.result


def test_a_bad_call_is_a_miss_and_an_error_and_asks_nobody(folder: Path) -> None:
    outcome = isolated_toolbox(folder, Failing("simulator")).call("search_poi", {"keywords": "火锅"})
    assert (outcome.error_kind, outcome.source) == ("arguments", "none")
    assert "city" in outcome.result and Cache.open(folder).misses() == []


def test_a_cached_error_is_a_hit_and_an_error(folder: Path) -> None:
    outcome = isolated_toolbox(folder).call("maps_geo", {"address": "火星"})
    assert (outcome.source, outcome.error_kind, outcome.error) == ("cache", "answer", True)


def test_online_caches_no_error_and_logs_what_the_backend_failed_at(folder: Path, tiny_world: World) -> None:
    cache = Cache.open(folder)
    wrong = Toolbox(OnlineAnswers(cache, WorldBackend(tiny_world))).call(
        "search_poi", {"keywords": "火锅", "city": "亚特兰蒂斯"}
    )
    assert (wrong.error_kind, wrong.source) == ("arguments", "none")
    broken = Toolbox(OnlineAnswers(cache, Failing("backend")))
    assert broken.call("search_poi", {**HOTPOT, "page": 4}).error_kind == "backend"
    assert broken.call("maps_geo", {"address": "西湖"}).error_kind == "backend", "it does not offer this tool"
    assert cache.learned_counts == {}
    assert [miss.call.tool for miss in cache.misses()] == ["maps_geo", "search_poi"]


def test_of_two_online_at_once_the_first_answer_stands(folder: Path, tiny_world: World) -> None:
    """Both found nothing; the other one was quicker."""
    cache, call = Cache.open(folder), {**HOTPOT, "page": 5}

    class Slow(WorldBackend):
        def answer(self, tool: Tool[Any, Any], arguments: Arguments, language: Language) -> Result:
            Cache.open(folder).learn(Call(tool.name, call), "quicker")
            return super().answer(tool, arguments, language)

    outcome = Toolbox(OnlineAnswers(cache, Slow(tiny_world))).call("search_poi", call)
    assert (outcome.result, outcome.source) == ("quicker", "live")


def test_a_refresh_can_be_ended_and_begun_again(folder: Path, tiny_world: World) -> None:
    cache = Cache.open(folder)
    for page in range(1, 6):
        cache.log_miss(Call("search_poi", {**HOTPOT, "page": page}), "{}")

    def end_after_two(done: int, total: int) -> None:
        assert total == 5
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        refresh(cache, WorldBackend(tiny_world), "zh", end_after_two)
    assert (sum(cache.learned_counts.values()), len(cache.misses())) == (2, 3)
    cache.learn(Call("search_poi", {**HOTPOT, "page": 5}), "{}")
    report = refresh(cache, WorldBackend(tiny_world), "zh", quiet)
    assert (report.answered_counts, report.known_counts, report.kept_counts) == (
        {"search_poi": 2},
        {"search_poi": 1},
        {},
    )
    assert cache.misses() == []
