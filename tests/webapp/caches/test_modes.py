"""Sessions in the three modes: what answers, what the log says, what stays the same."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from benchmark.suites.grouptravel.events import SessionOpened
from sandbox.calls import Call
from sandbox.toolbox.outcome import Answer
from tests.seating import Make
from tests.webapp.caches.conftest import answers
from webapp.caches import resources
from webapp.caches.choice import SandboxChoice
from webapp.caches.models import PinnedAnswer, ToolCache, index_folder
from webapp.caches.pins import DatabasePins
from webapp.caches.services import export_cache, import_cache, index_cache, refresh_cache
from webapp.catalogue.models import Task, World
from webapp.endpoints.models import ModelEndpoint
from webapp.forms import ChoiceRefused
from webapp.sessions import services
from webapp.sessions.log import whole_log
from webapp.sessions.models import Session
from webapp.sessions.scoring import record_of
from worker.sessions import advance

pytestmark = [pytest.mark.either_engine, pytest.mark.usefixtures("hasty")]


def quiet(*_: object) -> None:
    """No progress is shown."""


@pytest.fixture
def warm(played_session: Make, cache: ToolCache) -> Session:
    """An online session that filled the cache, which is then indexed."""
    session = played_session("online", cache)
    index_cache(name=cache.name)
    return session


def test_online_learns_what_it_asks_and_hits_it_the_next_time(
    played_session: Make, warm: Session, cache: ToolCache
) -> None:
    assert {(answer.mode, answer.source) for answer in answers(warm)} == {("online", "live")}
    again = played_session("online", cache)
    assert {(answer.mode, answer.source) for answer in answers(again)} == {("online", "cache")}
    assert [a.result for a in answers(again)] == [a.result for a in answers(warm)]
    stats = record_of(again)["agent_tool_stats"]
    assert stats["cache_hits"] == stats["tool_calls_executed"] == len(answers(warm))


def test_online_says_the_same_as_the_world(played_session: Make, warm: Session) -> None:
    alone = played_session()
    assert [a.result for a in answers(alone)] == [a.result for a in answers(warm)]
    assert {(answer.mode, answer.source) for answer in answers(alone)} == {("world", "world")}


def test_isolated_replays_a_published_directory(
    played_session: Make, warm: Session, cache: ToolCache, data: Path
) -> None:
    export_cache(cache=cache, target=data / "out", overwrite=False, progress=quiet)
    import_cache(name="imported", source=data / "out", merge=False, progress=quiet)
    index_cache(name="imported")
    imported = ToolCache.objects.get(name="imported")
    assert (imported.digest, imported.counts) == (resources.open_cache("local").state.digest, imported.counts)
    session = played_session("isolated", imported)
    assert {(answer.mode, answer.source) for answer in answers(session)} == {("isolated", "cache")}
    assert [a.result for a in answers(session)] == [a.result for a in answers(warm)]


def test_isolated_simulates_what_is_not_cached_and_says_from_what(
    played_session: Make, warm: Session, cache: ToolCache, starter_tasks: list[Task]
) -> None:
    other = next(task for task in starter_tasks if task.task_id == "starter_04")
    one, two = (played_session("isolated", cache, task=other, seed=3) for _ in range(2))
    assert answers(one) and [a.result for a in answers(one)] == [a.result for a in answers(two)]
    sources = Counter(answer.source for answer in answers(one))
    assert sources["simulated"] > 0 and set(sources) <= {"cache", "simulated", "none"}
    made = next(answer for answer in answers(one) if answer.source == "simulated")
    assert made.mode == "isolated" and "simulated" not in made.result and 1 <= len(made.examples) <= 8
    logged = resources.open_cache(cache.name).missed_counts()
    assert sum(logged.values()) >= sources["simulated"]
    assert resources.open_cache(cache.name).learned_counts == {}, "a simulated answer never enters the cache"


def test_an_isolated_session_sees_the_state_it_began_with(new: Make, warm: Session, cache: ToolCache) -> None:
    session = new("isolated", cache)
    before = resources.open_cache(cache.name).state
    opened = whole_log(session.pk)[0].body
    assert isinstance(opened, SessionOpened)
    assert (opened.sandbox.digest, opened.sandbox.learned_upto) == (before.digest, before.learned_upto)
    resources.open_cache(cache.name).learn(Call("search_poi", {"keywords": "later"}), "{}")
    index_cache(name=cache.name)
    advance(session.id, budget_s=None)
    assert [a.result for a in answers(session)] == [a.result for a in answers(warm)]


@pytest.mark.storage
def test_a_pinned_answer_stands_for_its_scope(cache: ToolCache) -> None:
    call, same = Call("search_poi", {"keywords": "面", "page": 1}), Call("search_poi", {"keywords": "面"})
    pins = DatabasePins("run:a:zh", "published")
    assert pins.get(call) is None
    first = Answer("first \x00", "simulated", ("[]",))
    assert pins.pin(call, first) == first
    assert pins.pin(call, Answer("second", "simulated")) == first
    assert DatabasePins("run:a:zh", "published").get(call) == first
    assert DatabasePins("run:b:zh", "published").get(call) is None
    assert pins.get(same) is None
    loose = DatabasePins("run:c:zh", "strict-semantic")
    loose.pin(call, first)
    assert loose.get(same) == first
    assert PinnedAnswer.objects.count() == 2


def test_a_refresh_turns_misses_into_entries(
    played_session: Make, warm: Session, cache: ToolCache, starter_world: World, starter_tasks: list[Task]
) -> None:
    other = next(task for task in starter_tasks if task.task_id == "starter_04")
    played_session("isolated", cache, task=other)
    handle = resources.open_cache(cache.name)
    missed = handle.misses()
    handle.log_miss(Call("search_poi", {"keywords": "x", "city": "Atlantis"}), None)
    handle.log_miss(Call("foreign_tool", {}), None)
    report = refresh_cache(cache=cache, world=starter_world, progress=quiet)
    assert report.answered_counts.total() >= len(missed) - 2
    assert report.kept_counts["arguments"] >= 2
    assert sum(handle.missed_counts().values()) == report.kept_counts.total()
    answered = next(miss.call for miss in missed if handle.find(miss.call, "published") is not None)
    assert "simulated" not in json.loads(handle.find(answered, "published") or "{}")


def test_statistics_are_kept_for_lists(warm: Session) -> None:
    stored = warm.tool_use
    assert sum(use["calls"] for use in stored.values()) == len(answers(warm))
    assert all(use["live"] == use["misses"] == use["calls"] for use in stored.values())


@pytest.mark.parametrize(
    ("sandbox", "words"),
    [
        ({"mode": "isolated", "cache": None}, "needs a cache"),
        ({"mode": "isolated"}, "is empty: import a cache"),
        ({"mode": "online", "simulator_model": "retired"}, ""),
        ({"mode": "isolated", "embedder": "endpoint"}, "CARAVAN_EMBEDDINGS_URL"),
        ({"mode": "isolated", "simulator_model": "retired"}, "is retired"),
    ],
)
def test_a_sandbox_that_cannot_be_set_up_is_refused(
    sandbox: dict[str, Any], words: str, easy: Task, cache: ToolCache, starter_world: World
) -> None:
    if "simulator_model" in sandbox:
        retired = ModelEndpoint.objects.create(name="old", base_url="http://h/v1", model="m", retired=True)
        sandbox = sandbox | {"simulator_model": retired}
    if sandbox.keys() & {"embedder", "simulator_model"} and sandbox["mode"] == "isolated":
        resources.open_cache(cache.name).learn(Call("search_poi", {"keywords": "x"}), "{}")
        index_cache(name=cache.name)
    setup = services.Setup(sandbox=SandboxChoice(**{"cache": cache, **sandbox}))
    if not words:
        services.create_session(task=easy, world=starter_world, setup=setup, start=False)
        return
    with pytest.raises(ChoiceRefused, match=words) as refused:
        services.create_session(task=easy, world=starter_world, setup=setup, start=False)
    assert refused.value.field == next((name for name in sandbox if name != "mode"), "cache")
    assert not Session.objects.exists()


def test_what_online_learned_has_to_be_indexed_first(
    new: Make, played_session: Make, cache: ToolCache
) -> None:
    played_session("online", cache)
    with pytest.raises(ChoiceRefused, match="press “Index now” on its page") as refused:
        new("isolated", cache)
    assert refused.value.field == "index"


def test_a_cache_does_not_mix_languages_or_worlds(
    new: Make, cache: ToolCache, starter_world: World, starter_tasks: list[Task]
) -> None:
    new("online", cache)
    english = starter_tasks[1]
    english.language = "en"
    with pytest.raises(ChoiceRefused, match="has answers in Chinese"):
        new("online", cache, task=english)
    starter_world.pack_hash = "f" * 64
    with pytest.raises(ChoiceRefused, match="was filled by world, starter"):
        new("online", cache)
    assert Session.objects.count() == 1


def test_an_unindexed_cache_is_refused_with_the_remedy(new: Make, cache: ToolCache, data: Path) -> None:
    (data / "dir").mkdir()
    (data / "dir" / "maps_geo_cache.json").write_text('{"[[\\"address\\",\\"x\\"]]": "{}"}')
    import_cache(name="local", source=data / "dir", progress=quiet)
    with pytest.raises(ChoiceRefused, match=r"manage\.py cache index local"):
        new("isolated", cache)


def test_isolated_needs_no_city_of_the_world(
    new: Make, warm: Session, cache: ToolCache, starter_tasks: list[Task]
) -> None:
    task = starter_tasks[0]
    task.definition["metadata"]["departure_city"] = "乌鲁木齐市"
    task.save()
    task.__dict__.pop("parsed_definition", None)
    with pytest.raises(ChoiceRefused, match="乌鲁木齐市"):
        new(task=task)
    new("isolated", cache, task=task)


def test_packs_that_no_session_needs_any_more_go(
    new: Make, warm: Session, cache: ToolCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in cache.folder.glob("pack-*"):
        os.utime(path, (0, 0))
    current = resources.open_cache(cache.name).state.pack
    resources.open_cache(cache.name).learn(Call("search_poi", {"keywords": "first"}), "{}")
    index_cache(name=cache.name)
    assert (cache.folder / current).exists(), "a session may be about to name what was current just now"
    monkeypatch.setattr("webapp.caches.services.YOUNG_S", -10.0)
    waiting = new("isolated", cache)
    named = resources.open_cache(cache.name).state
    for number in range(2):
        resources.open_cache(cache.name).learn(Call("search_poi", {"keywords": f"later {number}"}), "{}")
        index_cache(name=cache.name)
    now = resources.open_cache(cache.name).state
    assert {path.name for path in cache.folder.glob("pack-*")} == {named.pack, now.pack}
    advance(waiting.id, budget_s=None)
    assert {answer.source for answer in answers(waiting)} == {"cache"}
    resources.open_cache(cache.name).learn(Call("search_poi", {"keywords": "last"}), "{}")
    index_cache(name=cache.name)
    last = resources.open_cache(cache.name).state
    assert {path.name for path in cache.folder.glob("pack-*")} == {last.pack}
    places = {path.name for path in index_folder(cache.name).iterdir() if path.is_dir()}
    assert places - {"vectors"} == {last.digest[:12]}
